/* main.c - reads two texts, lets patc's kernel find which lines they have in common, prints what
 * else changed as diff does, and measures the kernel. */
#include <getopt.h>

#include "common.h"
#include "ldiff.h"

/* start[lines] is the end */
struct text { char *byte; int64_t lines, *start; int32_t *number; };
struct device {                               /* where the kernel runs */
	int64_t m, n;
	int32_t *old, *new, *common;
	uint8_t *step;
	void *workspace;
	size_t workspace_bytes;
};
/* Lines common to both begin and end the texts; the kernel gets those between. */
struct middle { int64_t before, m, n; };
struct script { int64_t common; uint8_t *step; };         /* m x n, of the middle */

/* ---- texts ---- */

static char *read_all(const char *path, int64_t *length)
{
	FILE *in = fopen(path, "rb");
	if (!in)
		fail(path, "cannot be read");
	char *byte = NULL;
	*length = 0;
	for (int64_t room = 0; *length == room; ) {
		room = room ? 2 * room : 1 << 16;
		byte = realloc(byte, (size_t)room);
		if (!byte)
			fail(path, "no memory");
		*length += (int64_t)fread(byte + *length, 1, (size_t)(room - *length), in);
	}
	fclose(in);
	if (memchr(byte, 0, (size_t)*length))
		fail(path, "is no text");
	return byte;
}

/* The end of a line belongs to it: the last one may have none. */
static struct text text_read(const char *path)
{
	int64_t length;
	struct text t = { .byte = read_all(path, &length), .lines = 0 };
	for (int64_t i = 0; i < length; i++)
		t.lines += t.byte[i] == '\n' || i == length - 1;
	t.start = host_new((size_t)(t.lines + 1) * sizeof *t.start);
	t.number = host_new((size_t)t.lines * sizeof *t.number);
	int64_t line = 0;
	t.start[0] = 0;
	for (int64_t i = 0; i < length; i++)
		if (t.byte[i] == '\n' || i == length - 1)
			t.start[++line] = i + 1;
	return t;
}

static void text_free(struct text *t)
{
	free(t->byte);
	free(t->start);
	free(t->number);
}

/* ---- lines as numbers: the same for the same line ---- */

/* a place of a hash table; byte NULL: free */
struct known { const char *byte; size_t length; int32_t number; };

static uint64_t hash(const char *byte, size_t length)
{
	uint64_t h = 14695981039346656037u;                    /* Fowler, Noll and Vo's */
	for (size_t i = 0; i < length; i++)
		h = (h ^ (uint8_t)byte[i]) * 1099511628211u;
	return h ^ h >> 29;
}

static struct known *find(struct known *table, size_t places, const char *byte, size_t length)
{
	size_t at = hash(byte, length) % places;
	while (table[at].byte
	       && (table[at].length != length || memcmp(table[at].byte, byte, length)))
		at = (at + 1) % places;
	return &table[at];
}

static int32_t number_lines(struct text *t, struct known *table, size_t places, int32_t next)
{
	for (int64_t i = 0; i < t->lines; i++) {
		const char *byte = t->byte + t->start[i];
		size_t length = (size_t)(t->start[i + 1] - t->start[i]);
		struct known *k = find(table, places, byte, length);
		if (!k->byte)
			*k = (struct known){ byte, length, next++ };
		t->number[i] = k->number;
	}
	return next;
}

static void number_both(struct text *old, struct text *new)
{
	size_t places = (size_t)(2 * (old->lines + new->lines) + 1);
	struct known *table = host_new(places * sizeof *table);
	for (size_t k = 0; k < places; k++)
		table[k].byte = NULL;
	int32_t next = number_lines(old, table, places, 0);
	number_lines(new, table, places, next);
	free(table);
}

/* ---- the kernel ---- */

static struct device device_open(int64_t m, int64_t n, const int32_t *old, const int32_t *new)
{
	struct device d = { .m = m, .n = n, .workspace_bytes = lcs_workspace(m, n) };
	if (d.workspace_bytes == SIZE_MAX)
		fail("the texts", "have too many lines");
	d.old = device_new((size_t)m * sizeof *d.old);
	d.new = device_new((size_t)n * sizeof *d.new);
	d.step = device_new((size_t)(m * n));
	d.common = device_new(sizeof *d.common);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.old, old, (size_t)m * sizeof *d.old);
	to_device(d.new, new, (size_t)n * sizeof *d.new);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->old);
	device_free(d->new);
	device_free(d->step);
	device_free(d->common);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(lcs(d->m, d->n, d->old, d->new, d->step, d->common, d->workspace,
			 d->workspace_bytes, NULL),
		     lcs_strerror, "lcs");
}

static struct middle middle_of(const struct text *old, const struct text *new)
{
	struct middle x = { 0, old->lines, new->lines };
	while (x.m && x.n && old->number[x.before] == new->number[x.before]) {
		x.before++;
		x.m--;
		x.n--;
	}
	while (x.m && x.n && old->number[x.before + x.m - 1] == new->number[x.before + x.n - 1]) {
		x.m--;
		x.n--;
	}
	return x;
}

static struct script script_of(const struct text *old, const struct text *new,
			       const struct middle *x)
{
	struct device d = device_open(x->m, x->n, old->number + x->before, new->number + x->before);
	struct script s = { .step = host_new((size_t)(x->m * x->n)) };
	int32_t common;
	run(&d);
	to_host(&common, d.common, sizeof common);
	to_host(s.step, d.step, (size_t)(x->m * x->n));
	s.common = common + old->lines - x->m;
	device_close(&d);
	return s;
}

/* ---- the changes, as diff prints them ---- */

static void print_range(int64_t lo, int64_t hi)
{
	if (hi - lo > 1)
		printf("%lld,%lld", (long long)lo + 1, (long long)hi);
	else
		printf("%lld", (long long)hi);
}

static void print_lines(const struct text *t, int64_t lo, int64_t hi, char mark)
{
	for (int64_t i = lo; i < hi; i++) {
		int length = (int)(t->start[i + 1] - t->start[i]);
		printf("%c %.*s", mark, length, t->byte + t->start[i]);
		if (t->byte[t->start[i + 1] - 1] != '\n')
			printf("\n\\ No newline at end of file\n");
	}
}

/* Lines of the old text from i0 on, and of the new one from j0 on, before i and j: the former
 * become the latter. */
static void print_change(const struct text *old, const struct text *new, int64_t i0, int64_t i,
			 int64_t j0, int64_t j)
{
	if (i0 == i && j0 == j)
		return;
	print_range(i0, i);
	putchar(i0 == i ? 'a' : j0 == j ? 'd' : 'c');
	print_range(j0, j);
	putchar('\n');
	print_lines(old, i0, i, '<');
	if (i0 < i && j0 < j)
		puts("---");
	print_lines(new, j0, j, '>');
}

enum step { KEEP, DELETE, INSERT };           /* as in ldiff.pat */

static enum step step_at(const struct middle *x, const struct script *s, int64_t i, int64_t j)
{
	if (i == x->m || j == x->n)
		return i == x->m ? INSERT : DELETE;
	return (enum step)s->step[i * x->n + j];
}

static void print_changes(const struct text *old, const struct text *new, const struct middle *x,
			  const struct script *s)
{
	int64_t at = x->before, i = 0, j = 0, i0 = 0, j0 = 0;
	while (i < x->m || j < x->n) {
		enum step step = step_at(x, s, i, j);
		if (step == KEEP)
			print_change(old, new, at + i0, at + i, at + j0, at + j);
		i += step != INSERT;
		j += step != DELETE;
		if (step == KEEP) {
			i0 = i;
			j0 = j;
		}
	}
	print_change(old, new, at + i0, at + i, at + j0, at + j);
}

/* ---- the comparison with another algorithm ---- */

/* Hunt and Szymanski's: ends[k] is the first line of the new text at which a common sequence of k +
 * 1 lines may end. */
static int64_t naive_common(const struct text *old, const struct text *new)
{
	int64_t *ends = host_new((size_t)new->lines * sizeof *ends), longest = 0;
	for (int64_t i = 0; i < old->lines; i++)
		for (int64_t j = new->lines - 1; j >= 0; j--) {
			if (old->start[i + 1] - old->start[i] != new->start[j + 1] - new->start[j]
			    || memcmp(old->byte + old->start[i], new->byte + new->start[j],
			              (size_t)(old->start[i + 1] - old->start[i])))
				continue;
			int64_t k = 0;
			while (k < longest && ends[k] < j)
				k++;
			ends[k] = j;
			longest += k == longest;
		}
	free(ends);
	return longest;
}

/* The script leads through both texts, and keeps no line but equal ones. */
static void check(const struct text *old, const struct text *new, const struct middle *x,
		  const struct script *s)
{
	int64_t i = 0, j = 0, kept = old->lines - x->m, wrong = 0;
	while (i < x->m || j < x->n) {
		enum step step = step_at(x, s, i, j);
		wrong += step == KEEP && old->number[x->before + i] != new->number[x->before + j];
		kept += step == KEEP;
		i += step != INSERT;
		j += step != DELETE;
	}
	check_within("lines that are not the same", (double)wrong, 0);
	check_within("lines kept", (double)llabs(kept - s->common), 0);
	check_within("lines in common", (double)llabs(naive_common(old, new) - s->common), 0);
}

/* ---- figures ---- */

static void measure(void)
{
	int64_t side = 1;
	while (4 * side * side * 5 < large)
		side *= 2;
	int32_t *line = host_new((size_t)(2 * side) * sizeof *line);
	for (int64_t i = 0; i < 2 * side; i++)
		line[i] = (int32_t)(i * 2654435761 % 1009);
	struct device d = device_open(side, side, line, line + side);
	char what[80];
	snprintf(what, sizeof what, "%lld lines against %lld", (long long)side, (long long)side);
	/* a byte of the way */
	print_rate(what, (double)side * (double)side, 1, best_time(run, &d));
	device_close(&d);
	free(line);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: ldiff [--check] [--no-measure] [old.txt new.txt]\n"
	      "  --check        compare with another algorithm\n"
	      "  --no-measure   do not measure the kernel afterwards\n"
	      "The texts are input.old.txt and input.new.txt if none are named.\n", status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 2)
		usage(2);

	struct text old = text_read(optind < argc ? argv[optind] : "input.old.txt");
	struct text new = text_read(optind + 1 < argc ? argv[optind + 1] : "input.new.txt");
	number_both(&old, &new);
	struct middle x = middle_of(&old, &new);
	struct script s = script_of(&old, &new, &x);
	print_changes(&old, &new, &x, &s);
	printf("%s: %lld lines became %lld, %lld of them stayed\n", platform, (long long)old.lines,
	       (long long)new.lines, (long long)s.common);
	if (checked)
		check(&old, &new, &x, &s);
	free(s.step);
	text_free(&old);
	text_free(&new);
	if (!quiet)
		measure();
	return 0;
}
