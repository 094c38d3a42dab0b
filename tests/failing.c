/* failing.c - a library for LD_PRELOAD under which something fails once: FAIL=alloc or FAIL=write
 * and FAIL_AT=k fail the k-th request for memory, or the k-th write; with FAIL_ON=1 all that follow
 * fail too.  FAIL_LOG names a file that gets the number of requests at the end of the process. 
 * glibc alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static long asked, at;
static bool on, ready;

static bool fails(const char *kind)
{
	const char *which;
	if (!ready) {
		ready = true;
		at = getenv("FAIL_AT") ? atol(getenv("FAIL_AT")) : 0;
		on = getenv("FAIL_ON") != NULL;
	}
	which = getenv("FAIL");
	if (!which || strcmp(which, kind))
		return false;
	asked++;
	return asked == at || (on && at > 0 && asked > at);
}

void *malloc(size_t bytes)
{
	if (fails("alloc"))
		return errno = ENOMEM, NULL;
	return __libc_malloc(bytes);
}

void *calloc(size_t n, size_t each)
{
	if (fails("alloc"))
		return errno = ENOMEM, NULL;
	return __libc_calloc(n, each);
}

void *realloc(void *old, size_t bytes)
{
	if (fails("alloc"))
		return errno = ENOMEM, NULL;
	return __libc_realloc(old, bytes);
}

ssize_t write(int fd, const void *from, size_t bytes)
{
	static ssize_t (*next)(int, const void *, size_t);
	if (!next)
		*(void **)&next = dlsym(RTLD_NEXT, "write");
	if (fails("write"))
		return errno = ENOSPC, -1;
	return next(fd, from, bytes);
}

__attribute__((destructor)) static void tell(void)
{
	const char *log = getenv("FAIL_LOG");
	FILE *f;
	unsetenv("FAIL");
	if (log && (f = fopen(log, "w"))) {
		fprintf(f, "%ld\n", asked);
		fclose(f);
	}
}
