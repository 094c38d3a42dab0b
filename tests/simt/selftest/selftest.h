/* selftest.h - the driver of the self-test programs: PROGRAM list | PROGRAM CASE 0|1.
 *
 * A case is a kernel, or some host code, with a flag that plants its bug.  It returns 0 if its
 * results are right.  The table says which build finds the bug (plain, asan, race) and by which
 * words; "wrong" as the words means that the result is wrong.
 */
#ifndef SELFTEST_H
#define SELFTEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vector>

struct Case {
	const char *name;
	int (*run)(int bug);
	const char *build, *words;
};

/* Device memory with its host copy. */
struct Buffer {
	int *d = nullptr;
	std::vector<int> h;
	explicit Buffer(const std::vector<int> &v) : h(v)
	{
		cudaMalloc(&d, size());
		cudaMemcpy(d, h.data(), size(), cudaMemcpyHostToDevice);
	}
	explicit Buffer(size_t n) : h(n) { cudaMalloc(&d, size()); }
	~Buffer() { cudaFree(d); }
	Buffer(const Buffer &) = delete;
	size_t size() const { return h.size() * sizeof(int); }
	const std::vector<int> &fetch()
	{
		cudaMemcpy(h.data(), d, size(), cudaMemcpyDeviceToHost);
		return h;
	}
};

static inline std::vector<int> iota(int n)
{
	std::vector<int> v((size_t)n);
	for (int i = 0; i < n; i++)
		v[(size_t)i] = i;
	return v;
}

/* 0 if f(i) is element i throughout. */
template <class F> static int differs(const std::vector<int> &v, F f)
{
	for (int i = 0; i < (int)v.size(); i++)
		if (v[(size_t)i] != f(i)) {
			fprintf(stderr, "wrong: [%d] is %d\n", i, v[(size_t)i]);
			return 1;
		}
	return 0;
}

template <class... A, class... P> static int go(void (*k)(A...), dim3 grid, dim3 block, P... args)
{
	return simt::launch_values(k, grid, block, 0, 0, args...);
}

static int selftest_main(const Case *cases, int n, int argc, char **argv)
{
	for (int i = 0; i < n; i++) {
		if (argc == 2 && !strcmp(argv[1], "list"))
			printf("%s\t%s\t%s\n", cases[i].name, cases[i].build, cases[i].words);
		else if (argc == 3 && !strcmp(argv[1], cases[i].name))
			return cases[i].run(atoi(argv[2]));
	}
	return argc == 2 ? 0 : 2;
}

#endif
