/* main.c - reads a text, lets patc's kernel turn the words of its lines into the lines of its
 * words, prints those of long words, and measures the kernel. */
#include <getopt.h>

#include "common.h"
#include "concordance.h"
#include "text.h"

struct device {                               /* where the kernel runs */
	int64_t lines, words, cells;
	int32_t *row, *word, *times, *column, *line, *often;
	void *workspace;
	size_t workspace_bytes;
};
/* of word w line[column[w]] .. line[column[w+1]-1] */
struct places { int32_t *column, *line, *often; };

/* ---- the kernel ---- */

static int32_t *new_ints(int64_t n)
{
	return device_new((size_t)n * sizeof(int32_t));
}

static struct device device_open(const struct text *t)
{
	struct device d = { .lines = t->lines, .words = t->words, .cells = t->cells };
	d.row = new_ints(t->lines + 1);
	d.word = new_ints(t->cells);
	d.times = new_ints(t->cells);
	d.column = new_ints(t->words + 1);
	d.line = new_ints(t->cells);
	d.often = new_ints(t->cells);
	d.workspace_bytes = transpose_workspace(d.lines + 1, d.cells, d.words + 1);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.row, t->row, (size_t)(t->lines + 1) * sizeof *d.row);
	to_device(d.word, t->word, (size_t)t->cells * sizeof *d.word);
	to_device(d.times, t->times, (size_t)t->cells * sizeof *d.times);
	return d;
}

static void device_close(struct device *d)
{
	void *const all[] = {
		d->row, d->word, d->times, d->column, d->line, d->often, d->workspace
	};
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		device_free(all[k]);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(transpose(d->lines + 1, d->cells, d->words + 1, d->row, d->word, d->times,
			       d->column, d->line, d->often, d->workspace, d->workspace_bytes,
			       NULL),
		     transpose_strerror, "transpose");
}

static int32_t *fetch(const int32_t *from, int64_t n)
{
	int32_t *to = host_new((size_t)n * sizeof *to);
	to_host(to, from, (size_t)n * sizeof *to);
	return to;
}

static struct places places_of(const struct device *d)
{
	return (struct places){ fetch(d->column, d->words + 1), fetch(d->line, d->cells),
				fetch(d->often, d->cells) };
}

static void places_free(struct places *p)
{
	free(p->column);
	free(p->line);
	free(p->often);
}

/* ---- what the reader looks up ---- */

static void print_places(const struct text *t, const struct places *p, int64_t w)
{
	printf("%s", t->name[w]);
	for (int32_t e = p->column[w]; e < p->column[w + 1]; e++) {
		printf("%s %d", e > p->column[w] ? "," : "", p->line[e] + 1);
		if (p->often[e] > 1)
			printf(" (%d times)", p->often[e]);
	}
	printf("\n");
}

static void print_words(const struct text *t, const struct places *p, const char *find,
			size_t letters)
{
	for (int64_t w = 0; w < t->words; w++)
		if (find ? !strcmp(t->name[w], find) : strlen(t->name[w]) >= letters)
			print_places(t, p, w);
}

/* ---- the comparison with plain loops ---- */

static void check(const struct text *t, const struct places *p)
{
	int32_t *next = host_new((size_t)(t->words + 1) * sizeof *next);
	int64_t wrong = p->column[0] != 0 || p->column[t->words] != t->cells;
	memcpy(next, p->column, (size_t)(t->words + 1) * sizeof *next);
	for (int64_t r = 0; r < t->lines && !wrong; r++)
		for (int32_t e = t->row[r]; e < t->row[r + 1]; e++) {
			int32_t w = t->word[e], at = next[w]++;
			wrong += at >= p->column[w + 1] || p->line[at] != r
				 || p->often[at] != t->times[e];
		}
	for (int64_t w = 0; w < t->words; w++)
		wrong += next[w] != p->column[w + 1];
	check_within("places", (double)wrong, 0);
	free(next);
}

/* ---- figures ---- */

static void measure(void)
{
	struct text t = text_drawn(large / 256, 100000, 16);
	struct device d = device_open(&t);
	char what[64];
	snprintf(what, sizeof what, "%lld lines, %lld words, cells", (long long)t.lines,
		 (long long)t.words);
	/* three numbers are read, three are written, and a cell of a column is counted */
	print_rate(what, (double)t.cells, 7 * sizeof(int32_t), best_time(run, &d));
	device_close(&d);
	text_free(&t);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: concordance [--find=WORD] [--letters=N] [--check] [--no-measure] [text.txt]\n"
	      "  --find=WORD    only the lines of this word, in small letters\n"
	      "  --letters=N    those of all words that have so many (14)\n"
	      "  --check        compare with plain loops\n"
	      "  --no-measure   do not measure the kernel afterwards\n"
	      "The text is that of suffix_array if none is named.\n", status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "find", required_argument, NULL, 'f' }, { "letters", required_argument, NULL, 'l' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *find = NULL;
	size_t letters = 14;
	bool checked = false, quiet = false;
	int option;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'f': find = optarg; break;
		case 'l': letters = (size_t)number("--letters", optarg, 1, 1000); break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct text t =
		text_read(optind < argc ? argv[optind] : "../suffix_array/constitution.txt");
	struct device d = device_open(&t);
	run(&d);
	struct places p = places_of(&d);
	printf("%s: %lld lines, %lld words, %lld cells\n", platform, (long long)t.lines,
	       (long long)t.words, (long long)t.cells);
	print_words(&t, &p, find, letters);
	if (checked)
		check(&t, &p);
	device_close(&d);
	places_free(&p);
	text_free(&t);
	if (!quiet)
		measure();
	return 0;
}
