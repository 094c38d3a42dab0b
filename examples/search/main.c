/* main.c - looks for keys by patc's kernels: in a sorted array and in a table of hashes, compares
 * them with bsearch() of C, merges two arrays, and measures how many keys are found a second. */
#include <getopt.h>

#include "common.h"
#include "search.h"

/* On a CPU a thread a key and refill are the same. */
struct way {
	const char *name;
	int (*sorted)(int64_t n, int64_t m, const int32_t *x, const int32_t *key, int64_t *place,
	              void *workspace, size_t workspace_bytes, void *stream);
	size_t (*sorted_workspace)(int64_t n, int64_t m);
	int (*probe)(int64_t s, int64_t m, const Slot *, const int32_t *key, int32_t *at,
	             void *workspace, size_t workspace_bytes, void *stream);
	size_t (*probe_workspace)(int64_t s, int64_t m);
};
static const struct way ways[] = {
	{ "a thread a key", search_sorted, search_sorted_workspace, probe, probe_workspace },
	{ "refill", search_refill, search_refill_workspace, probe_refill, probe_refill_workspace },
	{ "search()", search_own, search_own_workspace, NULL, NULL },
};
enum { WAYS = sizeof ways / sizeof *ways };
struct device {                               /* where the kernels run */
	int64_t n, m;                         /* keys that there are, and that are looked for */
	int32_t *x, *key, *at, *both;
	int64_t *place;
	Slot *slot;
	const struct way *way;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- keys: even numbers are there, each once ---- */

static int up(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return (x > y) - (x < y);
}

static int32_t *keys_new(int64_t n)
{
	int32_t *x = host_new((size_t)n * sizeof *x);
	for (int64_t i = 0; i < n; i++)
		x[i] = (int32_t)(2 * (i - n / 2));
	return x;
}

/* Half of them are there. */
static int32_t *asked_new(int64_t m, int64_t n)
{
	uint64_t state = 88172645463325252;
	int32_t *key = host_new((size_t)m * sizeof *key);
	for (int64_t i = 0; i < m; i++)
		key[i] = (int32_t)((int64_t)(random_part(&state) * (double)(2 * n)) - n / 2 * 2);
	return key;
}

/* ---- the kernels ---- */

static size_t more(size_t a, size_t b)
{
	return a > b ? a : b;
}

static size_t workspace_of(int64_t n, int64_t m)
{
	size_t bytes = more(hash_workspace(n), merge_workspace(n, m));
	for (int w = 0; w < WAYS; w++) {
		bytes = more(bytes, ways[w].sorted_workspace(n, m));
		if (ways[w].probe)
			bytes = more(bytes, ways[w].probe_workspace(3 * n + 1, m));
	}
	return bytes;
}

static struct device device_open(int64_t n, int64_t m, const int32_t *x, const int32_t *key)
{
	struct device d = { .n = n, .m = m, .way = ways };
	d.x = device_new((size_t)n * sizeof *d.x);
	d.key = device_new((size_t)m * sizeof *d.key);
	d.at = device_new((size_t)m * sizeof *d.at);
	d.both = device_new((size_t)(n + m) * sizeof *d.both);
	d.place = device_new((size_t)m * sizeof *d.place);
	d.slot = device_new((size_t)(3 * n + 1) * sizeof *d.slot);
	d.workspace_bytes = workspace_of(n, m);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.x, x, (size_t)n * sizeof *x);
	to_device(d.key, key, (size_t)m * sizeof *key);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->x);
	device_free(d->key);
	device_free(d->at);
	device_free(d->both);
	device_free(d->place);
	device_free(d->slot);
	device_free(d->workspace);
}

static void run_sorted(void *state)
{
	struct device *d = state;
	must_succeed(d->way->sorted(d->n, d->m, d->x, d->key, d->place, d->workspace,
	                            d->workspace_bytes, NULL),
	             search_sorted_strerror, "search_sorted");
}

static void run_hash(void *state)
{
	struct device *d = state;
	must_succeed(hash(d->n, d->x, d->slot, d->workspace, d->workspace_bytes, NULL),
	             hash_strerror, "hash");
}

static void run_probe(void *state)
{
	struct device *d = state;
	must_succeed(d->way->probe(3 * d->n + 1, d->m, d->slot, d->key, d->at, d->workspace,
	                           d->workspace_bytes, NULL),
	             probe_strerror, "probe");
}

/* The keys that are looked for are in their order. */
static void run_merge(void *state)
{
	struct device *d = state;
	must_succeed(merge(d->n, d->m, d->x, d->key, d->both, d->workspace, d->workspace_bytes,
	                   NULL),
	             merge_strerror, "merge");
}

/* ---- beside bsearch() ---- */

/* Where bsearch finds the key; -1: nowhere. */
static int64_t found_at(const int32_t *x, int64_t n, int32_t key)
{
	const int32_t *found = bsearch(&key, x, (size_t)n, sizeof *x, up);
	return found ? found - x : -1;
}

/* A place is right if the key is there, or all before it are below the key and no others. */
static bool is_place(const int32_t *x, int64_t n, int32_t key, int64_t place)
{
	int64_t found = found_at(x, n, key);
	if (found >= 0)
		return place == found;
	return place >= 0 && place <= n && (place == 0 || x[place - 1] < key)
	       && (place == n || key < x[place]);
}

static void compare_sorted(struct device *d, const int32_t *x, const int32_t *key)
{
	int64_t *place = host_new((size_t)d->m * sizeof *place), wrong = 0;
	run_sorted(d);
	to_host(place, d->place, (size_t)d->m * sizeof *place);
	for (int64_t i = 0; i < d->m; i++)
		wrong += !is_place(x, d->n, key[i], place[i]);
	check_within(d->way->name, (double)wrong, 0);
	free(place);
}

static void compare_probe(struct device *d, const int32_t *x, const int32_t *key)
{
	int32_t *at = host_new((size_t)d->m * sizeof *at);
	int64_t wrong = 0;
	run_probe(d);
	to_host(at, d->at, (size_t)d->m * sizeof *at);
	for (int64_t i = 0; i < d->m; i++)
		wrong += at[i] != found_at(x, d->n, key[i]);
	check_within("hashes", (double)wrong, 0);
	free(at);
}

static void compare_merge(struct device *d, const int32_t *x, const int32_t *key)
{
	size_t n = (size_t)d->n, m = (size_t)d->m;
	int32_t *all = host_new((n + m) * sizeof *all), *both = host_new((n + m) * sizeof *both);
	memcpy(all, x, n * sizeof *x);
	memcpy(all + n, key, m * sizeof *key);
	qsort(all, n + m, sizeof *all, up);
	run_merge(d);
	to_host(both, d->both, (n + m) * sizeof *both);
	check_within("merged", memcmp(all, both, (n + m) * sizeof *all) != 0, 0);
	free(all);
	free(both);
}

static void compare(struct device *d, const int32_t *x, const int32_t *key)
{
	for (int w = 0; w < WAYS; w++) {
		d->way = &ways[w];
		compare_sorted(d, x, key);
		if (d->way->probe)
			compare_probe(d, x, key);
	}
}

/* ---- figures ---- */

static void print_keys(const char *what, const char *how, double keys, double took)
{
	printf("%s: %s, %s: %.3g Mkeys/s\n", platform, what, how, 1e-6 * keys / took);
}

static void measure_keys(struct device *d)
{
	for (int w = 0; w < WAYS; w++) {
		d->way = &ways[w];
		print_keys("a sorted array", d->way->name, (double)d->m, best_time(run_sorted, d));
	}
	print_keys("a table of hashes", "made", (double)d->n, best_time(run_hash, d));
	for (int w = 0; w < WAYS && ways[w].probe; w++) {
		d->way = &ways[w];
		print_keys("a table of hashes", d->way->name, (double)d->m,
		           best_time(run_probe, d));
	}
}

/* How many of the keys are there. */
static void tell(struct device *d)
{
	int32_t *at = host_new((size_t)d->m * sizeof *at);
	int64_t found = 0;
	d->way = ways;
	run_probe(d);
	to_host(at, d->at, (size_t)d->m * sizeof *at);
	for (int64_t i = 0; i < d->m; i++)
		found += at[i] >= 0;
	printf("%s: %lld of %lld keys are among %lld\n", platform, (long long)found,
	       (long long)d->m, (long long)d->n);
	free(at);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: search [options]\n"
	      "  --keys=N      that there are (1000000)\n"
	      "  --asked=N     that are looked for (4000000)\n"
	      "  --check       compare with bsearch() and qsort()\n"
	      "  --no-measure  do not measure the kernels afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "keys", required_argument, NULL, 'k' },
		{ "asked", required_argument, NULL, 'a' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	int64_t n = 1000000, m = 4000000;
	bool checked = false, quiet = false;
	int option, which = 0;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 'k': n = (int64_t)number(options[which].name, optarg, 1, 1e8); break;
		case 'a': m = (int64_t)number(options[which].name, optarg, 1, 1e8); break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc > optind)
		usage(2);

	int32_t *x = keys_new(n), *key = asked_new(m, n);
	struct device d = device_open(n, m, x, key);
	run_hash(&d);
	must_succeed(hash_status(d.workspace, NULL), hash_strerror, "hash");
	tell(&d);
	if (checked)
		compare(&d, x, key);
	if (!quiet)
		measure_keys(&d);
	qsort(key, (size_t)m, sizeof *key, up);
	to_device(d.key, key, (size_t)m * sizeof *key);
	if (checked)
		compare_merge(&d, x, key);
	if (!quiet)
		print_keys("two arrays", "merged", (double)(n + m), best_time(run_merge, &d));
	device_close(&d);
	free(x);
	free(key);
	return 0;
}
