/*
 * e2e_signals.c - processes are stopped, replaced and killed while guests are being answered.
 */
#include "appliance.h"

#include "hall.h"
#include "unit.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 4, LANES = 8, DISHES = 3000, MANY = 512 };

static struct appliance box, lone;
static struct http_hammer hammer;
static pid_t web[MANY]; /* nginx's workers while they are stopped */
static int webs;
static const char RESTAURANT[] = "/api/restaurants/1";

/*
 * A menu of more than half a megabyte: the answer is larger than any socket's buffer, so that a worker is in the
 * middle of writing it most of the time.
 */
static int set_up(void **state)
{
	(void)state;
	appliance_new(&box);
	appliance_up(&box, WORKERS);
	appliance_sql(&box,
		      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
		      " INSERT INTO menus (restaurant_id, name, description, price, position)"
		      " SELECT 1, 'Dish ' || i, printf('%%0150d', i), 1000, 100 + i FROM n",
		      DISHES);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	if (hammer.count)
		http_hammer_stop(&hammer);
	if (box.pid)
		appliance_down(&box);
	appliance_free(&box);
	return 0;
}

static void signal_all(const pid_t *pids, int n, int signal)
{
	for (int i = 0; i < n; i++)
		appliance_signal(pids[i], signal);
}

/* A test that failed half-way leaves a hammer or no appliance; the next one starts all the same. */
static int stand_up(void **state)
{
	(void)state;
	signal_all(web, webs, SIGCONT);
	webs = 0;
	if (hammer.count)
		http_hammer_stop(&hammer);
	if (box.pid && appliance_wait(box.pid, 0) >= 0)
		box.pid = 0;
	if (!box.pid)
		appliance_up(&box, WORKERS);
	return 0;
}

/* The appliance is about to end, or has ended: its number is not signalled any more. */
static pid_t let_go(void)
{
	pid_t pid = box.pid;

	box.pid = 0;
	return pid;
}

static void start_hammer(const char *path)
{
	http_hammer_start(&hammer, box.port, path, LANES);
	WITHIN(5000, hammer.tally->whole >= LANES);
}

/* Waits for some more answers, so that what comes next falls into the thick of it. */
static void let_answers_pass(long n)
{
	long from = hammer.tally->whole;

	WITHIN(20000, hammer.tally->whole + hammer.tally->refused >= from + n);
}

/* The workers at their places; the board may still name one that has just died. */
static int workers(pid_t out[MANY])
{
	pid_t pids[MANY];
	int n = appliance_pids(&box, BOARD_WORKER, pids, MANY), living = 0;

	for (int i = 0; i < n; i++)
		if (appliance_alive(pids[i]))
			out[living++] = pids[i];
	return living;
}

/* Any of them, or 0. */
static pid_t some_worker(int which)
{
	pid_t pids[MANY];
	int n = workers(pids);

	return n ? pids[which % n] : 0;
}

static bool all_workers_sit(void)
{
	pid_t pids[MANY];

	return workers(pids) == WORKERS;
}

/* lost: how many answers may have been cut or replaced by nginx's own 5xx. */
static void expect_tally(long lost, long refused)
{
	const struct http_tally *t = hammer.tally;

	if (t->cut + t->server_errors > lost || t->refused > refused || t->late || t->others)
		fail_msg("%ld whole (%ld ok, %ld 5xx, %ld others), %ld cut, %ld refused, %ld late", t->whole, t->ok,
			 t->server_errors, t->others, t->cut, t->refused, t->late);
	assert_true(t->ok > 0);
}

/* ---- SIGTERM and SIGHUP ---- */

static void sigterm_to_workers_cuts_no_answer_short(void **state)
{
	(void)state;
	start_hammer(RESTAURANT);
	for (int round = 0; round < 24; round++) {
		pid_t pid = some_worker(round);

		if (!pid)
			continue;
		appliance_signal(pid, SIGTERM);
		let_answers_pass(2);
		WITHIN(3000, !appliance_alive(pid)); /* a few requests later at most */
	}
	WITHIN(3000, all_workers_sit());
	http_hammer_stop(&hammer);
	expect_tally(0, 0);
	http_hammer_free(&hammer);
}

static void sigterm_to_the_supervisor_sends_every_answer_in_hand(void **state)
{
	(void)state;
	start_hammer(RESTAURANT);
	let_answers_pass(10);
	appliance_signal(box.pid, SIGTERM);
	assert_int_equal(appliance_wait(let_go(), 20000), 0);
	http_hammer_stop(&hammer);
	expect_tally(0, 1000000); /* a client that comes after the stop is refused */
	assert_true(hammer.tally->refused > 0);
	http_hammer_free(&hammer);
	appliance_check(&box);
	appliance_up(&box, WORKERS);
}

/* How many connections to the workers are open or wait to be taken; the listening socket is one more line. */
static int connections_to_workers(void)
{
	static char text[1 << 18];
	char path[APPLIANCE_PATH];
	int n = -1;

	appliance_path(&box, "run/jari.sock", path);
	appliance_read("/proc/net/unix", text, sizeof text);
	for (const char *p = text; (p = strstr(p, path)); p++)
		n++;
	return n;
}

/* Requests that were let in before the stop are answered: here eight requests that no worker has even taken yet. */
static void sigterm_to_the_supervisor_answers_those_who_wait(void **state)
{
	pid_t pids[MANY];
	int n = workers(pids);

	(void)state;
	WITHIN(2000, connections_to_workers() == 0);
	signal_all(pids, n, SIGSTOP); /* for less than the second after which the supervisor would kill them */
	http_hammer_start(&hammer, box.port, "/healthz", LANES);
	WITHIN(700, connections_to_workers() == LANES);
	hammer.tally->stop = 1;
	appliance_signal(box.pid, SIGTERM);
	usleep(50000); /* the supervisor and nginx hear of it first */
	signal_all(pids, n, SIGCONT);
	assert_int_equal(appliance_wait(let_go(), 20000), 0);
	http_hammer_stop(&hammer);
	expect_tally(0, 0);
	assert_int_equal(hammer.tally->ok, LANES);
	http_hammer_free(&hammer);
}

static bool all_sleep(const pid_t *pids, int n)
{
	char path[64], text[512];
	const char *p;

	for (int i = 0; i < n; i++) {
		snprintf(path, sizeof path, "/proc/%d/stat", (int)pids[i]);
		p = strrchr(appliance_read(path, text, sizeof text), ')');
		if (!p || p[2] != 'S')
			return false;
	}
	return true;
}

/* With nginx stopped, every worker is stuck in the middle of writing its answer when the signal comes. */
static void sigterm_in_the_middle_of_a_write_cuts_nothing(void **state)
{
	char path[APPLIANCE_PATH], text[32];
	pid_t pids[MANY];
	int n;

	(void)state;
	appliance_path(&box, "run/nginx.pid", path);
	webs = appliance_descendants(atoi(appliance_read(path, text, sizeof text)), web, MANY);
	assert_true(webs > 0);
	start_hammer(RESTAURANT);
	for (int round = 0; round < 4; round++) {
		WITHIN(5000, all_workers_sit());
		n = workers(pids);
		let_answers_pass(2);
		signal_all(web, webs, SIGSTOP);
		WITHIN(2000, all_sleep(pids, n));
		signal_all(pids, n, SIGTERM);
		usleep(20000); /* time enough to be interrupted */
		signal_all(web, webs, SIGCONT);
		for (int i = 0; i < n; i++)
			WITHIN(5000, !appliance_alive(pids[i]));
	}
	webs = 0;
	http_hammer_stop(&hammer);
	expect_tally(0, 0);
	http_hammer_free(&hammer);
}

static void sighup_replaces_every_worker_and_loses_no_request(void **state)
{
	pid_t before[MANY], after[MANY];
	int n;

	(void)state;
	WITHIN(3000, all_workers_sit()); /* the test before may have ended one */
	n = workers(before);
	assert_int_equal(n, WORKERS);
	start_hammer("/healthz");
	appliance_signal(box.pid, SIGHUP);
	for (int i = 0; i < n; i++)
		WITHIN(10000, !appliance_alive(before[i]));
	WITHIN(3000, all_workers_sit());
	let_answers_pass(50);
	http_hammer_stop(&hammer);
	expect_tally(0, 0);
	http_hammer_free(&hammer);
	assert_int_equal(workers(after), WORKERS);
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			assert_int_not_equal(before[i], after[j]);
}

/* ---- kill -9 ---- */

static void a_killed_worker_loses_at_most_its_own_request(void **state)
{
	enum { KILLS = 10 };
	int64_t deaths = appliance_counter(&box, "worker_deaths");
	int killed = 0;

	(void)state;
	srand(7);
	start_hammer(RESTAURANT);
	for (int i = 0; i < KILLS; i++) {
		pid_t pid = some_worker(rand());
		int64_t from = appliance_now_ms();

		if (pid) {
			appliance_signal(pid, SIGKILL);
			killed++;
		}
		assert_true(appliance_answers(&box, 1000));
		assert_true(appliance_now_ms() - from < 1000);
		let_answers_pass(3);
		WITHIN(3000, !pid || !appliance_alive(pid)); /* or the same one might be killed twice */
	}
	http_hammer_stop(&hammer);
	expect_tally(killed, 0);
	http_hammer_free(&hammer);
	assert_true(killed >= KILLS / 2);
	WITHIN(7000, all_workers_sit());
	assert_int_equal(appliance_counter(&box, "worker_deaths"), deaths + killed);
}

static pid_t keeper(void)
{
	pid_t pid = 0;

	appliance_pids(&box, BOARD_KEEPER, &pid, 1);
	return pid;
}

static void a_killed_keeper_comes_back(void **state)
{
	pid_t before = keeper();

	(void)state;
	assert_true(before > 0);
	appliance_signal(before, SIGKILL);
	WITHIN(3000, keeper() > 0 && keeper() != before && appliance_alive(keeper()));
}

static void a_stopped_worker_is_killed_and_replaced(void **state)
{
	pid_t pid = some_worker(1);
	int64_t hangs = appliance_counter(&box, "worker_hangs");

	(void)state;
	appliance_signal(pid, SIGSTOP);
	for (int i = 0; i < 20; i++)
		assert_int_equal(http_get(box.port, "/healthz")->status, 200);
	WITHIN(4000, !appliance_alive(pid));
	WITHIN(4000, all_workers_sit());
	assert_int_equal(appliance_counter(&box, "worker_hangs"), hangs + 1);
}

/* nginx's own workers outlive a killed master and would keep the port from the next one. */
static void a_killed_nginx_comes_back_on_the_same_port(void **state)
{
	char path[APPLIANCE_PATH], text[32];
	pid_t master, old[MANY];
	int n;

	(void)state;
	appliance_path(&box, "run/nginx.pid", path);
	master = atoi(appliance_read(path, text, sizeof text));
	assert_true(master > 1);
	n = appliance_descendants(master, old, MANY);
	appliance_signal(master, SIGKILL);
	for (int i = 0; i < n; i++)
		WITHIN(3000, !appliance_alive(old[i]));
	assert_true(appliance_answers(&box, 3000));
	assert_int_not_equal(atoi(appliance_read(path, text, sizeof text)), master);
}

static void a_killed_supervisor_takes_everybody_along(void **state)
{
	pid_t pids[MANY];
	int n = appliance_descendants(box.pid, pids, MANY);

	(void)state;
	assert_true(n > WORKERS);
	appliance_signal(box.pid, SIGKILL);
	assert_int_equal(appliance_wait(let_go(), 3000), 128 + SIGKILL);
	for (int i = 0; i < n; i++)
		WITHIN(5000, !appliance_alive(pids[i]));
	appliance_up(&box, WORKERS);
	assert_int_equal(http_get(box.port, RESTAURANT)->status, 200);
}

/* Straight to the workers: the head of a FastCGI record whose eight bytes never come. */
static int knock_and_stop(const struct appliance *a)
{
	static const unsigned char begin[8] = {1, 1, 0, 1, 0, 8, 0, 0};
	struct sockaddr_un to = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(to.sun_path, sizeof to.sun_path, "%s/jari.sock", a->dir);
	assert_int_equal(connect(fd, (struct sockaddr *)&to, sizeof to), 0);
	assert_int_equal(write(fd, begin, sizeof begin), sizeof begin);
	return fd;
}

static void a_peer_that_stops_in_the_middle_of_a_request_does_not_keep_its_worker(void **state)
{
	struct http_call call = {.path = "/healthz", .timeout_ms = 5000};
	pid_t stuck = 0;
	char byte;
	int fd;

	(void)state;
	appliance_new(&lone);
	lone.hang_ms = "1000";
	appliance_up(&lone, 1);
	assert_int_equal(appliance_pids(&lone, BOARD_WORKER, &stuck, 1), 1);
	fd = knock_and_stop(&lone);
	assert_int_equal(http_ask(lone.port, call)->status, 200); /* who comes next is answered, by a fresh worker */
	assert_false(appliance_alive(stuck));
	assert_int_equal(appliance_counter(&lone, "worker_hangs"), 1);
	assert_int_equal(recv(fd, &byte, 1, MSG_DONTWAIT), 0);
	close(fd);
	appliance_down(&lone);
	appliance_free(&lone);
}

/* In a rush it is the keeper who writes: one who hangs with the pen is ended like any worker. */
static void a_keeper_that_hangs_with_the_pen_is_ended(void **state)
{
	struct ticket_request logout = {.kind = TICKET_LOGOUT, .u.logout = {.card_id = 4711, .user_id = 1}};
	static struct hall hall;
	struct ticket_outcome o;
	char fuse[APPLIANCE_PATH];
	pid_t keeper = 0;
	uint64_t number;

	(void)state;
	appliance_new(&lone);
	lone.hang_ms = "1000";
	appliance_path(&lone, "fuse", fuse);
	setenv("JARI_FAILPOINT", "batch.begun:sleep20000:1", 1);
	setenv("JARI_FAILPOINT_FUSE", fuse, 1); /* only the first who comes there */
	appliance_up(&lone, 1);
	unsetenv("JARI_FAILPOINT");
	unsetenv("JARI_FAILPOINT_FUSE");
	assert_int_equal(appliance_pids(&lone, BOARD_KEEPER, &keeper, 1), 1);
	assert_int_equal(hall_attach(&hall, lone.dir), ERR_OK);
	appliance_write(fuse, "");
	WITHIN(3000, line_draw(hall.line, &logout, &number) == ERR_OK);
	line_ring_bell(hall.line); /* no worker waits for it: it is the keeper's */
	WITHIN(8000, line_look(hall.line, number, &o) == LINE_DONE);
	assert_int_equal(o.err, ERR_OK);
	assert_false(appliance_alive(keeper));
	assert_int_equal(appliance_counter(&lone, "worker_hangs"), 1);
	hall_detach(&hall);
	appliance_down(&lone);
	appliance_free(&lone);
}

/* ---- two at one place ---- */

static void a_second_appliance_on_the_same_book_is_refused(void **state)
{
	static struct ran again;
	char port[16];

	(void)state;
	snprintf(port, sizeof port, "%d", appliance_free_port());
	appliance_run(&box, &again, NULL, "up", "--demo", "--dir", box.dir, "--port", port, NULL);
	assert_int_equal(again.exit, 1);
	assert_non_null(strstr(again.err, "is being served already"));
	appliance_run(&box, &again, NULL, "serve", "--dir", box.dir, NULL);
	assert_int_equal(again.exit, 1);
	assert_non_null(strstr(again.err, "is being served already"));
	assert_int_equal(http_get(box.port, "/healthz")->status, 200);
}

static void a_port_in_use_is_told_in_a_sentence(void **state)
{
	static struct ran refused;
	struct sockaddr_in at = {.sin_family = AF_INET};
	struct appliance other;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), number = appliance_free_port();
	char port[16];

	(void)state;
	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	at.sin_port = htons((uint16_t)number);
	assert_int_equal(bind(fd, (struct sockaddr *)&at, sizeof at), 0);
	assert_int_equal(listen(fd, 1), 0);
	appliance_new(&other);
	snprintf(port, sizeof port, "%d", number);
	appliance_run(&other, &refused, NULL, "up", "--demo", "--dir", other.dir, "--port", port, "--bind", "127.0.0.1", NULL);
	close(fd);
	appliance_free(&other);
	assert_int_equal(refused.exit, 1);
	assert_non_null(strstr(refused.err, "is in use; choose another with --port"));
}

/* ---- a flood of logins ---- */

/* In a process of its own: a hundred wrong logins at once, over and over.  Exits 0 when all got 401 or 429. */
static pid_t start_login_flood(void)
{
	enum { FLOOD = 100, ROUNDS = 10 };
	static struct http_call calls[FLOOD];
	static struct http_answer answers[FLOOD];
	pid_t pid = fork();
	int bad = 0;

	if (pid != 0)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (int i = 0; i < FLOOD; i++)
		calls[i] = (struct http_call){.path = "/api/login",
					      .body = "{\"email\":\"owner@jari.local\",\"password\":\"guess\"}"};
	for (int round = 0; round < ROUNDS; round++) {
		http_many(box.port, calls, FLOOD, FLOOD, answers);
		for (int i = 0; i < FLOOD; i++) {
			bad += answers[i].status != 401 && answers[i].status != 429;
			http_free(&answers[i]);
		}
	}
	_exit(bad ? 1 : 0);
}

static void a_flood_of_logins_leaves_room_for_guests(void **state)
{
	enum { ASKED = 400 };
	static struct http_answer answers[ASKED];
	struct http_call call = {.path = "/api/reservations/slots?restaurantId=1&slotDate=2030-01-15&partySize=2"};
	pid_t flood = start_login_flood();
	int n = 0;

	(void)state;
	for (; n < ASKED && (n < 20 || appliance_alive(flood)); n++) {
		http_many(box.port, &call, 1, 1, &answers[n]);
		assert_int_equal(answers[n].status, 200);
	}
	assert_int_equal(appliance_wait(flood, 30000), 0);
	print_message("# %d times asked for free times during the flood, 95 of 100 within %.1f ms\n", n,
		      http_percentile_ms(answers, (size_t)n, 95));
	assert_true(http_percentile_ms(answers, (size_t)n, 95) < 500);
	assert_true(appliance_counter(&box, "login_busy") > 0);
	assert_int_equal(appliance_counter(&box, "answers_5xx"), 0);
	for (int i = 0; i < n; i++)
		http_free(&answers[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_flood_of_logins_leaves_room_for_guests, stand_up),
		cmocka_unit_test_setup(sigterm_to_workers_cuts_no_answer_short, stand_up),
		cmocka_unit_test_setup(sighup_replaces_every_worker_and_loses_no_request, stand_up),
		cmocka_unit_test_setup(sigterm_in_the_middle_of_a_write_cuts_nothing, stand_up),
		cmocka_unit_test_setup(sigterm_to_the_supervisor_sends_every_answer_in_hand, stand_up),
		cmocka_unit_test_setup(sigterm_to_the_supervisor_answers_those_who_wait, stand_up),
		cmocka_unit_test_setup(a_killed_worker_loses_at_most_its_own_request, stand_up),
		cmocka_unit_test_setup(a_killed_keeper_comes_back, stand_up),
		cmocka_unit_test_setup(a_stopped_worker_is_killed_and_replaced, stand_up),
		cmocka_unit_test_setup(a_peer_that_stops_in_the_middle_of_a_request_does_not_keep_its_worker, stand_up),
		cmocka_unit_test_setup(a_keeper_that_hangs_with_the_pen_is_ended, stand_up),
		cmocka_unit_test_setup(a_killed_nginx_comes_back_on_the_same_port, stand_up),
		cmocka_unit_test_setup(a_killed_supervisor_takes_everybody_along, stand_up),
		cmocka_unit_test_setup(a_second_appliance_on_the_same_book_is_refused, stand_up),
		cmocka_unit_test_setup(a_port_in_use_is_told_in_a_sentence, stand_up),
	};
	int failed = cmocka_run_group_tests(tests, set_up, tear_down);

	appliance_free(&lone); /* should its test have failed */
	appliance_free(&box);  /* should the teardown have failed */
	return failed;
}
