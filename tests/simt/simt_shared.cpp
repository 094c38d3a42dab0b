/* simt_shared.cpp - the static shared variables of blocks.
 *
 * All kernels' stand in one ELF section, where the block that runs has its own; each other one has
 * them in a copy.  A kernel uses a small part of the section: its pages are closed when a launch
 * begins, the first touch opens one, and only open pages are copied and cleared.  A closed page
 * holds 0xff, here and in every copy.  The pages at the section's ends, where other variables may
 * stand too, are always open; under AddressSanitizer, which keeps that signal to itself, all
 * are. */
#include "simt_sched.h"

#include <sys/mman.h>
#include <unistd.h>

namespace simt {
namespace {

struct Part {
	size_t at, n;
};
std::vector<Part> open_parts;
std::vector<std::vector<char>> copies; /* by slot, while several blocks are resident */
size_t size, first_page, last_page;    /* of the section; offsets of its whole pages */
const Block *in_place;                 /* whose variables are in the section */
bool alone;

/* String instructions, as memset and memcpy would trip over AddressSanitizer's red zones. */
void raw_fill(void *to, size_t n)
{
	asm volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(0xff) : "memory");
}
void raw_copy(void *to, const void *from, size_t n)
{
	asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory");
}

void clear(char *to)
{
	for (const Part &p : open_parts)
		raw_fill(to + p.at, p.n);
}

void protect(size_t from, size_t to, int how)
{
	if (from < to && mprotect(__start_simt_shared + from, to - from, how)) {
		perror("simt: pages of shared variables");
		_exit(EXIT_ERROR);
	}
}

size_t page_size()
{
	static const size_t n = (size_t)sysconf(_SC_PAGESIZE);
	return n;
}

/* The section is measured, and nothing in it is known. */
void measure()
{
	const size_t page = page_size();
	size = (size_t)(__stop_simt_shared - __start_simt_shared);
	raw_fill(__start_simt_shared, size);
#ifdef __SANITIZE_ADDRESS__
	first_page = last_page = size;
#else
	size_t begin = (size_t)__start_simt_shared, end = begin + size;
	first_page = std::min(size, (page - begin % page) % page);
	last_page = std::max(first_page, size - std::min(size, end % page));
#endif
	open_parts.reserve(size / page + 3); /* a signal handler adds to it */
}

} /* namespace */

void shared_launch(int slots)
{
	if (!size)
		measure();
	clear(__start_simt_shared);
	for (std::vector<char> &c : copies)
		clear(c.data());
	alone = slots == 1;
	while (!alone && copies.size() < (size_t)slots)
		copies.emplace_back(size, (char)0xff);
	open_parts = {{0, first_page}, {last_page, size - last_page}};
	protect(first_page, last_page, PROT_NONE);
	in_place = NULL;
}

void shared_launched()
{
	protect(first_page, last_page, PROT_READ | PROT_WRITE);
}

void shared_begin(const Block &b)
{
	clear(alone ? __start_simt_shared : copies[(size_t)b.slot].data());
}

void shared_in_place(const Block &b)
{
	if (alone || in_place == &b)
		return;
	for (const Part &p : open_parts) {
		char *here = __start_simt_shared + p.at;
		if (in_place)
			raw_copy(copies[(size_t)in_place->slot].data() + p.at, here, p.n);
		raw_copy(here, copies[(size_t)b.slot].data() + p.at, p.n);
	}
	in_place = &b;
}

void shared_end() { in_place = NULL; }

bool shared_touched(const void *address)
{
	size_t at = (size_t)((const char *)address - __start_simt_shared);
	if (at < first_page || at >= last_page)
		return false;
	at -= (at - first_page) % page_size();
	for (const Part &p : open_parts)
		if (p.at == at && p.n)
			return false;
	open_parts.push_back({at, page_size()});
	protect(at, at + page_size(), PROT_READ | PROT_WRITE);
	return true;
}

} /* namespace simt */
