/* edges.h - memory between pages that nobody may touch: a read or a write outside of it ends the
 * program.  C11 and C++17.
 *
 * Only a page has an edge that can't be crossed.  So the first byte of memory lies on one, or the
 * last does, or the last within 16 bytes of it, as vectors need it: that changes from one piece of
 * memory to the next.  The bytes that its pages have besides keep a value, which edges_free looks
 * at: who writes there is found, too. */
#ifndef EDGES_H
#define EDGES_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { EDGES_PAGE = 4096, EDGES_FAR = 1 << 20, EDGES_BYTE = 0xff };
struct edges { unsigned char *zone, *at; size_t far, open, bytes; struct edges *next; };
static struct edges *edges_all;

static size_t edges_start(size_t spare)
{
	static uint32_t random = 1;
	random = random * 1103515245 + 12345;
	return random >> 20 & 1 ? 0 : random >> 21 & 1 ? spare : spare / 16 * 16;
}

/* Every byte of it is EDGES_BYTE; NULL: there is no room. */
static void *edges_new(size_t bytes)
{
	struct edges *e = (struct edges *)malloc(sizeof *e);
	size_t open = (bytes + EDGES_PAGE - 1) / EDGES_PAGE * EDGES_PAGE, far = open + EDGES_FAR;
	void *zone = mmap(NULL, far + open + far, PROT_NONE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!e || zone == MAP_FAILED
	    || (open && mprotect((char *)zone + far, open, PROT_READ | PROT_WRITE)))
		return NULL;
	e->zone = (unsigned char *)zone;
	e->at = e->zone + far + edges_start(open - bytes);
	e->far = far, e->open = open, e->bytes = bytes;
	e->next = edges_all;
	edges_all = e;
	memset(e->zone + far, EDGES_BYTE, open);
	return e->at;
}

/* false: something was written beside it */
static bool edges_free(void *at)
{
	struct edges **link = &edges_all, *e;
	bool whole = true;
	if (!at)
		return true;
	while ((*link)->at != at)
		link = &(*link)->next;
	e = *link;
	*link = e->next;
	for (unsigned char *p = e->zone + e->far; p < e->zone + e->far + e->open; p++)
		whole = whole && ((p >= e->at && p < e->at + e->bytes) || *p == EDGES_BYTE);
	munmap(e->zone, e->far + e->open + e->far);
	free(e);
	return whole;
}

/* What a fault at this address means, if it has to do with such memory; for a signal handler. */
static inline void edges_tell(const void *address)
{
	char text[200];
	const unsigned char *p = (const unsigned char *)address;
	for (const struct edges *e = edges_all; e; e = e->next) {
		bool before = p < e->at;
		if (p < e->zone || p >= e->zone + e->far + e->open + e->far)
			continue;
		int n = snprintf(text, sizeof text, "an access %ld bytes %s memory of %lu bytes\n",
		                 (long)(before ? e->at - p : p - (e->at + e->bytes)),
		                 before ? "before" : "behind", (unsigned long)e->bytes);
		n = (int)write(2, text, (size_t)n);
	}
}

static inline void edges_fault(int cause, siginfo_t *info, void *context)
{
	(void)context;
	edges_tell(info->si_addr);
	_exit(128 + cause);
}

/* Says of a fault what it means, before the program ends. */
static inline void edges_catch(void)
{
	struct sigaction action;
	memset(&action, 0, sizeof action);
	action.sa_sigaction = edges_fault;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGSEGV, &action, NULL);
}

#endif
