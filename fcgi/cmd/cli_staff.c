/*
 * cli_staff.c - people who log in: staff, and the guests of a load test (token).
 */
#include "cli.h"

#include "auth.h"
#include "clock.h"
#include "rehearsal.h"
#include "staff.h"
#include "text.h"

#include <stdio.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

/* From --password, or the terminal, or the first line of standard input. */
static bool ask_password(const struct cli_options *o, char out[512])
{
	struct termios shown, hidden;
	bool terminal = tcgetattr(STDIN_FILENO, &shown) == 0;
	bool got;

	if (o->password && strcmp(o->password, "-") != 0) { /* -: from standard input, where no other process sees it */
		snprintf(out, 512, "%s", o->password);
		return *out != '\0';
	}
	if (terminal) {
		fputs("new password: ", stderr);
		hidden = shown;
		hidden.c_lflag &= ~(tcflag_t)ECHO;
		tcsetattr(STDIN_FILENO, TCSANOW, &hidden);
	}
	got = fgets(out, 512, stdin) != NULL;
	if (terminal) {
		tcsetattr(STDIN_FILENO, TCSANOW, &shown);
		fputc('\n', stderr);
	}
	if (!got)
		return false;
	out[strcspn(out, "\r\n")] = '\0';
	return *out != '\0';
}

/* USER_GUEST for a word that is no role. */
static enum user_type read_role(const char *word)
{
	static const struct {
		const char *word;
		enum user_type role;
	} roles[] = {{"staff", USER_STAFF}, {"manager", USER_MANAGER}, {"owner", USER_OWNER}};

	for (size_t i = 0; i < sizeof roles / sizeof roles[0]; i++)
		if (strcmp(word, roles[i].word) == 0)
			return roles[i].role;
	return USER_GUEST;
}

static int add(struct door *d, const struct cli_options *o)
{
	char password[512], hash[TOKEN_HASH_SIZE];
	bool own = o->password != NULL;
	enum user_type role = o->role ? read_role(o->role) : USER_STAFF;
	int64_t id;
	enum err e;

	if (role < USER_STAFF)
		return cli_fail(ERR_OK, "a role is staff, manager or owner, not %s", o->role);
	if (!text_email(o->args[1]))
		return cli_fail(ERR_BAD_EMAIL, "%s", o->args[1]);
	if (text_points(o->args[2]) > 40 || text_has_control(o->args[2]))
		return cli_fail(ERR_BAD_NAME, "%s", o->args[2]);
	if (own && !ask_password(o, password))
		return cli_fail(ERR_OK, "no password was given");
	if (own && strlen(password) < TOKEN_PASSWORD_MIN)
		return cli_fail(ERR_OK, "a password has at least %d characters", TOKEN_PASSWORD_MIN);
	if (!own)
		token_make_password(password);
	if (!token_hash_password(password, hash))
		return cli_fail(ERR_NO_MEMORY, "staff add");
	e = staff_add(&d->db, role, o->args[2], o->args[1], hash, !own, "shell", clock_now_s(), &id);
	if (e == ERR_DUPLICATE)
		return cli_fail(ERR_OK, "there is a login %s already; `jari staff passwd` sets a new password", o->args[1]);
	if (e != ERR_OK)
		return cli_fail(e, "staff add");
	printf("added %s%s%s\n", o->args[1], own ? "" : ", one-time password ", own ? "" : password);
	return CLI_OK;
}

static int set_password(struct door *d, const struct cli_options *o)
{
	char password[512], hash[TOKEN_HASH_SIZE];
	struct user u;
	enum err e = users_by_login(&d->db, o->args[1], &u);

	if (e == ERR_NOT_FOUND)
		return cli_fail(ERR_OK, "there is no login %s; `jari staff list` shows who does", o->args[1]);
	if (e != ERR_OK)
		return cli_fail(e, "staff passwd");
	if (!ask_password(o, password))
		return cli_fail(ERR_OK, "no password was given");
	if (strlen(password) < TOKEN_PASSWORD_MIN)
		return cli_fail(ERR_OK, "a password has at least %d characters", TOKEN_PASSWORD_MIN);
	if (!token_hash_password(password, hash))
		return cli_fail(ERR_NO_MEMORY, "staff passwd");
	e = staff_set_password(&d->db, &u, hash, clock_now_s());
	if (e != ERR_OK)
		return cli_fail(e, "staff passwd");
	printf("%s has a new password; earlier logins have ended\n", o->args[1]);
	return CLI_OK;
}

static void print_staff(void *arg, const struct stmt_cell *row, int count)
{
	(void)arg;
	printf("%s\t%s\t%s\t%s\n", stmt_cell(row, count, "userId")->text, stmt_cell(row, count, "userType")->text,
	       stmt_cell(row, count, "email")->text, stmt_cell(row, count, "name")->text);
}

static bool staff_said_well(const struct cli_options *o)
{
	static const struct {
		const char *what, *takes;
		int count;
	} ways[] = {{"add", "an e-mail and a name: jari staff add EMAIL NAME [--role manager]", 3},
		    {"passwd", "an e-mail: jari staff passwd EMAIL", 2},
		    {"list", "nothing more", 1}};

	for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
		if (strcmp(o->args[0], ways[i].what) != 0)
			continue;
		if (o->count != ways[i].count)
			cli_fail(ERR_OK, "staff %s takes %s", ways[i].what, ways[i].takes);
		return o->count == ways[i].count;
	}
	cli_fail(ERR_OK, "staff can add, passwd or list, not %s", o->args[0]);
	return false;
}

int cli_staff(const struct cli_options *o)
{
	static struct door d;
	const char *what = o->args[0];
	int status;

	if (!staff_said_well(o))
		return CLI_USAGE;
	if (!cli_enter(&d, o))
		return CLI_FAILED;
	if (what[0] == 'a')
		status = add(&d, o);
	else if (what[0] == 'p')
		status = set_password(&d, o);
	else
		status = staff_list(&d.db, 0, print_staff, NULL) == ERR_OK ? CLI_OK : CLI_FAILED;
	door_leave(&d);
	return status;
}

static void print_token(void *arg, int64_t id, uint32_t version)
{
	struct door *d = arg;
	struct user u = {.id = id, .type = USER_ACCOUNT, .token_version = version};
	char token[TOKEN_TEXT_SIZE];
	int64_t seconds, login = 0;

	auth_sign_login(d, &u, clock_now_s(), token, &seconds, &login);
	printf("%lld\t%s\n", (long long)id, token);
}

int cli_token(const struct cli_options *o)
{
	static struct door d;
	char hash[TOKEN_HASH_SIZE];
	enum err e;

	if (o->users == 0)
		return CLI_USAGE;
	if (!cli_enter(&d, o))
		return CLI_FAILED;
	if (o->password && !token_hash_password(o->password, hash))
		return cli_fail(ERR_NO_MEMORY, "token");
	e = rehearsal_make_users(&d.db, o->users, o->password ? hash : NULL, clock_now_s(), print_token, &d);
	door_leave(&d);
	return e == ERR_OK ? CLI_OK : cli_fail(e, "token");
}
