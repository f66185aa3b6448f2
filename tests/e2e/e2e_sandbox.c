/*
 * e2e_sandbox.c - jari starts and serves under the system calls that docs/jari.service allows.
 *
 * systemd kills a process for a call of @privileged or @resources; where systemd does not run, a seccomp filter of the
 * same list does.  It is stricter than the unit in one point: chown is forbidden as well.
 */
#include "appliance.h"

#include "hall.h"
#include "unit.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sched.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOBODY = 65534 };

static struct appliance box;

/* What ~@privileged and ~@resources forbid, as systemd.exec(5) groups them; the unit of today allows @chown and setpriority. */
static const int forbidden[] = {
	SYS_chown,
	SYS_fchown,
	SYS_fchownat,
	SYS_lchown,
	SYS_clock_adjtime,
	SYS_clock_settime,
	SYS_settimeofday,
	SYS_adjtimex,
	SYS_init_module,
	SYS_delete_module,
	SYS_finit_module,
	SYS_kexec_load,
	SYS_reboot,
	SYS_swapon,
	SYS_swapoff,
	SYS_acct,
	SYS_bpf,
	SYS_capset,
	SYS_chroot,
	SYS_pivot_root,
	SYS_quotactl,
	SYS_setdomainname,
	SYS_sethostname,
	SYS_setfsuid,
	SYS_setfsgid,
	SYS_setuid,
	SYS_setgid,
	SYS_setgroups,
	SYS_setreuid,
	SYS_setregid,
	SYS_setresuid,
	SYS_setresgid,
	SYS_vhangup,
	SYS_open_by_handle_at,
	SYS_ioprio_set,
	SYS_mbind,
	SYS_migrate_pages,
	SYS_move_pages,
	SYS_sched_setattr,
	SYS_sched_setaffinity,
	SYS_sched_setparam,
	SYS_sched_setscheduler,
	SYS_set_mempolicy,
	SYS_setpriority,
	SYS_setrlimit,
};

static bool shut_in(void)
{
	struct sock_filter code[2 * COUNT(forbidden) + 2] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr))};
	struct sock_fprog program = {.filter = code};
	unsigned short n = 1;

	for (size_t i = 0; i < COUNT(forbidden); i++) {
		code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)forbidden[i], 0, 1);
		code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
	}
	code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program.len = n;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static pid_t start(const char *command, const char *option)
{
	pid_t pid = fork();

	if (pid == 0) {
		/* Not as root, who may chown and therefore does: SQLite gives its files to the owner of the book. */
		if ((geteuid() != 0 || (setgid(NOBODY) == 0 && setuid(NOBODY) == 0)) && shut_in())
			execl(getenv("JARI_BIN"), "jari", command, "--dir", box.dir, option,
			      strcmp(command, "backup") == 0 ? "--same-disk" : NULL, (char *)NULL);
		_exit(126);
	}
	return pid;
}

/* Its exit status, or 1000 + the signal that ended it. */
static int end_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int workers(void)
{
	struct hall hall = {0};
	int n = 0;

	if (hall_attach(&hall, box.dir) != ERR_OK)
		return 0;
	for (int i = 0; i < BOARD_POSTS; i++)
		n += board_read(hall.board, i).kind == BOARD_WORKER;
	hall_detach(&hall);
	return n;
}

static void a_fresh_book_is_made_and_served_inside_the_units_filter(void **state)
{
	char file[APPLIANCE_PATH];
	pid_t pid;

	(void)state;
	appliance_new(&box);
	if (geteuid() == 0)
		assert_int_equal(chown(box.base, NOBODY, NOBODY), 0);
	assert_int_equal(end_of(start("init", "--demo")), 0);
	appliance_path(&box, "backup.jari", file); /* a worker puts one back when the set-up page sends it */
	assert_int_equal(end_of(start("backup", file)), 0);
	assert_int_equal(end_of(start("restore", file)), 0);
	pid = start("serve", "--workers=3");
	for (int i = 0; i < 100 && workers() < 3; i++)
		usleep(50000);
	assert_int_equal(workers(), 3);
	usleep(300000); /* the keeper has made its first round, and no process was killed for it */
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(end_of(pid), 0);
	appliance_free(&box);
}

/* As in docs/jari-courier.service: the folder is read-only for the courier only. */
static pid_t start_courier(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
		    mount(box.dir, box.dir, NULL, MS_BIND, NULL) != 0 ||
		    mount("none", box.dir, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY, NULL) != 0)
			_exit(77);
		execl(getenv("JARI_BIN"), "jari", "courier", "--dir", box.dir, (char *)NULL);
		_exit(126);
	}
	return pid;
}

static pid_t fork_init(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		execl(getenv("JARI_BIN"), "jari", "init", "--demo", "--dir", box.dir, (char *)NULL);
		_exit(126);
	}
	return pid;
}

static void the_courier_sends_with_its_folder_read_only(void **state)
{
	static const char *const serve[] = {NULL, "serve", "--no-courier", "--workers", "3", "--dir", box.dir, NULL};
	char path[APPLIANCE_PATH], hook[500], heard[120] = "";
	const char *argv[COUNT(serve)];
	pid_t server, courier;
	int status;

	(void)state;
	if (geteuid() != 0)
		skip(); /* mounts are root's */
	appliance_new(&box);
	assert_int_equal(end_of(fork_init()), 0);
	memcpy(argv, serve, sizeof argv);
	argv[0] = getenv("JARI_BIN");
	appliance_path(&box, "serve.log", path);
	server = appliance_spawn(path, argv);
	for (int i = 0; i < 100 && workers() < 3; i++)
		usleep(50000);
	appliance_path(&box, "heard", path);
	snprintf(hook, sizeof hook, "#!/bin/sh\ncat > %s\ntouch %s/forbidden || echo read-only\n", path, box.dir);
	snprintf(heard, sizeof heard, "%s/send-sms", box.dir);
	appliance_write(heard, hook);
	assert_int_equal(chmod(heard, 0755), 0);
	appliance_sql(
		&box,
		"UPDATE restaurants SET notify_email = 'owner@example.com'; INSERT INTO outbox (restaurant_id, channel, event,"
		" next_attempt_at, created_at) VALUES (1, 'SMS', 'test', '2026-01-01T00:00:00Z', "
		"strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now'))");
	/* A code goes by the other of the two processes. */
	appliance_sql(&box, "INSERT INTO proofs (proof_id, restaurant_id, card_id, phone_key, channel, address, expires_at, "
			    "created_at) SELECT 1, 1, 1,"
			    " 821012345678, 'SMS', '01012345678', strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now', '300 seconds'), "
			    "now FROM (SELECT"
			    " strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ', 'now') AS now); INSERT INTO outbox (restaurant_id, channel, "
			    "event, proof_id,"
			    " next_attempt_at, created_at) SELECT 1, 'SMS', 'code', 1, created_at, created_at FROM proofs");
	courier = start_courier();
	usleep(200000);
	if (waitpid(courier, &status, WNOHANG) == courier && WIFEXITED(status) && WEXITSTATUS(status) == 77) {
		kill(server, SIGTERM);
		end_of(server);
		appliance_free(&box);
		skip(); /* this machine permits no mount */
	}
	WITHIN(10000,
	       appliance_number(&box, "SELECT count(*) FROM outbox WHERE status = 'SENT' AND last_answer LIKE 'read-only%%'") ==
		       2);
	assert_int_equal(kill(courier, SIGTERM), 0);
	assert_int_equal(end_of(courier), 0);
	assert_int_equal(kill(server, SIGTERM), 0);
	assert_int_equal(end_of(server), 0);
	appliance_free(&box);
}

static int chown_something(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(shut_in() ? chown("/", (uid_t)-1, (gid_t)-1) : 126);
	return end_of(pid);
}

/* The control: the filter does kill. */
static void the_filter_kills_who_does_what_it_forbids(void **state)
{
	(void)state;
	assert_int_equal(chown_something(), 1000 + SIGSYS);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_filter_kills_who_does_what_it_forbids),
		cmocka_unit_test(a_fresh_book_is_made_and_served_inside_the_units_filter),
		cmocka_unit_test(the_courier_sends_with_its_folder_read_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
