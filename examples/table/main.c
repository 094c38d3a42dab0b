/* main.c - reads a CSV file, lets patc's kernel find its fields, says what is in the table, and
 * measures the kernel. */
#include <getopt.h>

#include "common.h"
#include "table.h"

struct text { uint8_t *byte; int64_t length; };
struct device {                               /* where the kernel runs */
	int64_t length;
	uint8_t *text, *state;
	int64_t *end, *figure;                /* count, lines, quoted, wrong */
	void *workspace;
	size_t workspace_bytes;
};
enum { COUNT, LINES, QUOTED, WRONG_BYTES, FIGURES };

/* ---- the kernel ---- */

static struct device device_open(const struct text *t)
{
	size_t n = (size_t)t->length;
	struct device d = { .length = t->length,
			    .workspace_bytes = fields_workspace(t->length, t->length) };
	d.text = device_new(n);
	d.state = device_new(n);
	d.end = device_new(n * sizeof *d.end);
	d.figure = device_new(FIGURES * sizeof *d.figure);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.text, t->byte, n);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->text);
	device_free(d->state);
	device_free(d->end);
	device_free(d->figure);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(fields(d->length, d->length, d->text, d->state, d->end, d->figure + COUNT,
			    d->figure + LINES, d->figure + QUOTED, d->figure + WRONG_BYTES,
			    d->workspace, d->workspace_bytes, NULL),
		     fields_strerror, "fields");
}

/* ---- the table ---- */

static struct text read_text(const char *path)
{
	FILE *in = fopen(path, "rb");
	if (!in)
		fail(path, "cannot be read");
	struct text t = { NULL, 0 };
	for (int64_t room = 0; t.length == room; ) {
		room = room ? 2 * room : 1 << 16;
		t.byte = realloc(t.byte, (size_t)room + 1);
		if (!t.byte)
			fail(path, "no memory");
		t.length += (int64_t)fread(t.byte + t.length, 1, (size_t)(room - t.length), in);
	}
	fclose(in);
	if (memchr(t.byte, 0, (size_t)t.length))
		fail(path, "is no text");
	if (t.length && t.byte[t.length - 1] != '\n')
		t.byte[t.length++] = '\n';
	return t;
}

/* Field number f without its quotes, those doubled in it made one. */
static void print_field(const struct text *t, const int64_t *end, int64_t f)
{
	int64_t lo = f ? end[f - 1] + 1 : 0, hi = end[f];
	bool in_quotes = lo < hi && t->byte[lo] == '"';
	for (int64_t i = in_quotes ? lo + 1 : lo; i < (in_quotes ? hi - 1 : hi); i++) {
		i += in_quotes && t->byte[i] == '"';
		putchar(t->byte[i] == '\n' ? ' ' : t->byte[i]);
	}
}

static void print_lines(const struct text *t, const int64_t *end, int64_t count, int lines)
{
	for (int64_t f = 0; f < count && lines; f++) {
		bool last = t->byte[end[f]] == '\n';
		print_field(t, end, f);
		fputs(last ? "\n" : " | ", stdout);
		lines -= last;
	}
}

/* ---- the comparison with a plain loop ---- */

static void check(const struct text *t, const int64_t *end, const int64_t *figure)
{
	int64_t want[FIGURES] = { 0 }, wrong = 0;
	bool in_quotes = false, closed = false, bad = false;
	for (int64_t i = 0; i < t->length; i++) {
		uint8_t c = t->byte[i];
		bool stop = c == ',' || c == '\n';
		if (in_quotes && !closed) {
			closed = c == '"';
		} else if (in_quotes && c == '"') {
			closed = false;
		} else if (stop) {
			wrong += want[COUNT] >= figure[COUNT] || end[want[COUNT]] != i;
			want[COUNT]++;
			want[LINES] += c == '\n';
			in_quotes = closed = bad = false;
		} else if (in_quotes) {
			in_quotes = closed = false;
			bad = true;
		} else if (c == '"' && !bad) {
			in_quotes = true;
		}
		want[QUOTED] += in_quotes && !closed;
		want[WRONG_BYTES] += bad;
	}
	for (int f = 0; f < FIGURES; f++)
		wrong += want[f] != figure[f];
	check_within("fields", (double)wrong, 0);
}

/* ---- figures ---- */

/* The table again and again, until no cache holds it. */
static void measure(const struct text *t)
{
	if (t->length == 0)
		return;
	int64_t times = large / 4 / t->length + 1;
	struct text big = { host_new((size_t)(t->length * times)), t->length * times };
	for (int64_t k = 0; k < times; k++)
		memcpy(big.byte + k * t->length, t->byte, (size_t)t->length);
	struct device d = device_open(&big);
	double took = best_time(run, &d);
	int64_t count;
	to_host(&count, d.figure, sizeof count);
	char what[96];
	snprintf(what, sizeof what, "%lld bytes, %lld fields", (long long)big.length,
		 (long long)count);
	/* the text is read by the scan, by what cuts it and by what counts; states are written once and read twice */
	print_rate(what, (double)big.length, 3 + 3 + 8 * (double)count / (double)big.length, took);
	device_close(&d);
	free(big.byte);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: table [--show=N] [--check] [--no-measure] [input.csv]\n"
	      "  --show=N      print the first N lines (5)\n"
	      "  --check       compare with a plain loop\n"
	      "  --no-measure  do not measure the kernel afterwards\n", status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "show", required_argument, NULL, 's' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	int show = 5, option, which = 0;
	bool checked = false, quiet = false;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 's': show = (int)number(options[which].name, optarg, 0, 1e6); break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct text t = read_text(optind < argc ? argv[optind] : "input.csv");
	struct device d = device_open(&t);
	int64_t figure[FIGURES];
	run(&d);
	to_host(figure, d.figure, sizeof figure);
	int64_t *end = host_new((size_t)figure[COUNT] * sizeof *end);
	to_host(end, d.end, (size_t)figure[COUNT] * sizeof *end);
	printf("%s: %lld bytes, %lld lines, %lld fields, %lld bytes in quotes, %lld wrong\n",
	       platform, (long long)t.length, (long long)figure[LINES], (long long)figure[COUNT],
	       (long long)figure[QUOTED], (long long)figure[WRONG_BYTES]);
	print_lines(&t, end, figure[COUNT], show);
	if (checked)
		check(&t, end, figure);
	free(end);
	device_close(&d);
	if (!quiet)
		measure(&t);
	free(t.byte);
	return 0;
}
