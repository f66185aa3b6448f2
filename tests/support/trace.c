/*
 * trace.c - kills a process at a system call of the test's choice.
 */
#include "trace.h"

#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Which calls change files.  The old forms are not there on every kind of machine. */
static enum trace_kind kind_of(const struct __ptrace_syscall_info *call)
{
	switch (call->entry.nr) {
	case SYS_write:
	case SYS_pwrite64:
		return call->entry.args[0] == STDERR_FILENO ? TRACE_NOTHING : TRACE_WRITE;
	case SYS_fsync:
	case SYS_fdatasync:
		return TRACE_FLUSH;
	case SYS_openat:
		return call->entry.args[2] & (O_CREAT | O_TRUNC) ? TRACE_NAME : TRACE_NOTHING;
#ifdef SYS_open
	case SYS_open:
		return call->entry.args[1] & (O_CREAT | O_TRUNC) ? TRACE_NAME : TRACE_NOTHING;
	case SYS_rename:
	case SYS_link:
	case SYS_unlink:
	case SYS_chmod:
	case SYS_lchown:
#endif
	case SYS_renameat2:
#ifdef SYS_renameat
	case SYS_renameat:
#endif
	case SYS_linkat:
	case SYS_unlinkat:
	case SYS_ftruncate:
	case SYS_fallocate:
	case SYS_fchmod:
	case SYS_fchmodat:
	case SYS_fchown:
	case SYS_fchownat:
		return TRACE_NAME;
	default:
		return TRACE_NOTHING;
	}
}

static pid_t start(int (*run)(void *), void *arg)
{
	int status;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
			_exit(99);
		raise(SIGSTOP);
		_exit(run(arg));
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFSTOPPED(status))
		fail_msg("a process may not be traced here");
	assert_int_equal(ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL), 0);
	return pid;
}

/* Up to its next call or the end of one; false: it has ended, and *status says how. */
static bool step(pid_t pid, struct __ptrace_syscall_info *call, int *status)
{
	int signal = 0;

	for (;;) {
		ptrace(PTRACE_SYSCALL, pid, NULL, signal);
		assert_int_equal(waitpid(pid, status, 0), pid);
		if (!WIFSTOPPED(*status))
			return false;
		signal = WSTOPSIG(*status);
		if (signal == (SIGTRAP | 0x80))
			break;
	}
	assert_true(ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof *call, call) > 0);
	return true;
}

int trace_list(int (*run)(void *), void *arg, unsigned char kinds[TRACE_MAX])
{
	struct __ptrace_syscall_info call;
	pid_t pid = start(run, arg);
	bool inside = false;
	int n = 0, status;

	while (step(pid, &call, &status)) {
		if (call.op == PTRACE_SYSCALL_INFO_ENTRY) {
			enum trace_kind kind = kind_of(&call);

			inside = kind != TRACE_NOTHING;
			assert_true(n < TRACE_MAX);
			if (inside)
				kinds[n++] = (unsigned char)kind;
		} else if (inside && call.op == PTRACE_SYSCALL_INFO_EXIT && call.exit.is_error) {
			kinds[n - 1] = TRACE_NOTHING;
		}
	}
	return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? n : -1;
}

bool trace_kill(int (*run)(void *), void *arg, int nth)
{
	struct __ptrace_syscall_info call;
	pid_t pid = start(run, arg);
	int n = 0, status;

	while (step(pid, &call, &status))
		if (call.op == PTRACE_SYSCALL_INFO_ENTRY && kind_of(&call) != TRACE_NOTHING && n++ == nth) {
			kill(pid, SIGKILL);
			assert_int_equal(waitpid(pid, &status, 0), pid);
			return true;
		}
	return false;
}
