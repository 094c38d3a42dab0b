/* tune_jobs.c - work in processes of its own, several at a time.
 *
 * A signal that would end patc ends them, and nothing is started after it: what was found before is
 * then written, and patc ends by that signal. */
#include "out.h"
#include "tune.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE_MOST = 64 };
static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
enum { ENDING = sizeof ending / sizeof *ending };

static volatile sig_atomic_t stopped;
static volatile pid_t running[AT_ONCE_MOST];     /* 0: none */

static void on_stop(int number)
{
	stopped = number;
	for (int k = 0; k < AT_ONCE_MOST; k++)
		if (running[k] > 0)
			kill(running[k], SIGTERM);
}

/* But for those that patc was started to ignore. */
static void handle(void (*handler)(int))
{
	const struct sigaction new = { .sa_handler = handler };
	struct sigaction old;
	for (int k = 0; k < ENDING; k++)
		if (sigaction(ending[k], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
			sigaction(ending[k], &new, NULL);
}

void jobs_catch(void)
{
	handle(on_stop);
}

int jobs_stopped(void)
{
	return stopped;
}

void jobs_end(void)
{
	signal(stopped, SIG_DFL);
	raise(stopped);
	_exit(FAILED);
}

int jobs_at_once(void)
{
	const long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n < 1 ? 1 : n > AT_ONCE_MOST ? AT_ONCE_MOST : (int)n;
}

double seconds_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void hold(int how)
{
	sigset_t set;
	sigemptyset(&set);
	for (int k = 0; k < ENDING; k++)
		sigaddset(&set, ending[k]);
	sigprocmask(how, &set, NULL);
}

/* The files of the folder are its parent's. */
static _Noreturn void work_alone(job *work, int k, void *with)
{
	out_keep();
	handle(SIG_DFL);
	hold(SIG_UNBLOCK);
	_exit(work(k, with));
}

/* It is in running[] before a signal ends what is there. */
static void start(int slot, job *work, int k, void *with)
{
	fflush(NULL);
	hold(SIG_BLOCK);
	const pid_t pid = fork();
	if (pid == 0)
		work_alone(work, k, with);
	running[slot] = pid;
	hold(SIG_UNBLOCK);
	if (pid < 0)
		fail_io("cannot start a process");
}

static int free_slot(int at_once)
{
	for (int slot = 0; slot < at_once; slot++)
		if (!running[slot])
			return slot;
	return -1;
}

/* Waits for one; the slot that it had, -1: none runs. */
static int wait_one(int at_once, int *status)
{
	pid_t pid;
	while ((pid = waitpid(-1, status, 0)) < 0)
		if (errno != EINTR)
			return -1;
	for (int slot = 0; slot < at_once; slot++)
		if (running[slot] == pid) {
			running[slot] = 0;
			return slot;
		}
	return -1;
}

void jobs_run(int n, int at_once, job *work, void *with, double until, int *status)
{
	int of[AT_ONCE_MOST], next = 0, slot, ended;
	for (int k = 0; k < n; k++)
		status[k] = JOB_NOT_RUN;
	for (;;) {
		while (next < n && !stopped && seconds_now() < until
		       && (slot = free_slot(at_once)) >= 0) {
			of[slot] = next;
			start(slot, work, next++, with);
		}
		if ((slot = wait_one(at_once, &ended)) < 0)
			return;
		status[of[slot]] = WIFEXITED(ended) ? WEXITSTATUS(ended)
			: 128 + WTERMSIG(ended);
	}
}
