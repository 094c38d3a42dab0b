/* main.c - reads a text, lets patc's kernel put its suffixes in order, prints the longest phrases
 * that stand in it more than once and the places of words that are looked for, and measures the
 * kernel. */
#include <ctype.h>
#include <getopt.h>

#include "common.h"
#include "suffix_array.h"

struct text { char *byte; int64_t length; };              /* a zero behind its end */
struct device {                               /* where the kernel runs */
	int64_t length;
	uint8_t *text;
	uint32_t *order;
	int32_t *passes;
	void *workspace;
	size_t workspace_bytes;
};
struct suffixes { const struct text *text; uint32_t *order; };

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
		byte = realloc(byte, (size_t)room + 1);
		if (!byte)
			fail(path, "no memory");
		*length += (int64_t)fread(byte + *length, 1, (size_t)(room - *length), in);
	}
	fclose(in);
	if (memchr(byte, 0, (size_t)*length))
		fail(path, "is no text");
	return byte;
}

static bool is_blank(char c)
{
	return isspace((unsigned char)c);
}

static bool is_letter(char c)
{
	return isalnum((unsigned char)c) || (unsigned char)c >= 128;
}

/* In one line: phrases do not care where lines end. */
static struct text text_read(const char *path)
{
	int64_t length;
	struct text t = { .byte = read_all(path, &length) };
	for (int64_t i = 0; i < length; i++)
		if (!is_blank(t.byte[i]))
			t.byte[t.length++] = t.byte[i];
		else if (t.length && t.byte[t.length - 1] != ' ')
			t.byte[t.length++] = ' ';
	t.byte[t.length] = 0;
	return t;
}

/* ---- the kernel ---- */

static struct device device_open(const struct text *t)
{
	size_t n = (size_t)t->length;
	struct device d = { .length = t->length,
			    .workspace_bytes = suffix_array_workspace(t->length) };
	if (d.workspace_bytes == SIZE_MAX || t->length > INT32_MAX)
		fail("the text", "is too long");
	d.text = device_new(n);
	d.order = device_new(n * sizeof *d.order);
	d.passes = device_new(sizeof *d.passes);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.text, t->byte, n);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->text);
	device_free(d->order);
	device_free(d->passes);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(suffix_array(d->length, d->text, d->order, d->passes, d->workspace,
				  d->workspace_bytes, NULL),
		     suffix_array_strerror, "suffix_array");
}

static struct suffixes suffixes_of(const struct text *t)
{
	struct device d = device_open(t);
	struct suffixes s = { t, host_new((size_t)t->length * sizeof *s.order) };
	int32_t passes;
	run(&d);
	to_host(&passes, d.passes, sizeof passes);
	to_host(s.order, d.order, (size_t)t->length * sizeof *s.order);
	printf("%s: %lld suffixes are in order after %d passes\n", platform, (long long)t->length,
	       passes);
	device_close(&d);
	return s;
}

/* ---- what stands twice ---- */

/* How many bytes the suffix at each place has in common with the one before (Kasai and others
 * 2001). */
static int32_t *common_of(const struct suffixes *s)
{
	const struct text *t = s->text;
	int64_t n = t->length, same = 0;
	int32_t *common = host_new((size_t)n * sizeof *common),
		*place = host_new((size_t)n * sizeof *place);
	for (int64_t p = 0; p < n; p++)
		place[s->order[p]] = (int32_t)p;
	for (int64_t i = 0; i < n; i++) {
		int64_t before = place[i] ? s->order[place[i] - 1] : n;
		while (i + same < n && before + same < n
		       && t->byte[i + same] == t->byte[before + same])
			same++;
		common[place[i]] = (int32_t)same;
		same -= same > 0;
	}
	free(place);
	return common;
}

/* So many of the bytes from `at` on as are whole words, if that is where one begins. */
static int32_t whole_words(const struct text *t, int64_t at, int32_t length)
{
	if (!is_letter(t->byte[at]) || (at && is_letter(t->byte[at - 1])))
		return 0;
	while (length && is_letter(t->byte[at + length]) && is_letter(t->byte[at + length - 1]))
		length--;
	while (length && is_blank(t->byte[at + length - 1]))
		length--;
	return length;
}

struct phrase { int64_t place; int32_t length; };

static int longer(const void *a, const void *b)
{
	const struct phrase *x = a, *y = b;
	return x->length != y->length ? (x->length < y->length) - (x->length > y->length)
	                              : (x->place > y->place) - (x->place < y->place);
}

/* Suffixes on both sides of the place that begin with the phrase; marks its bytes.  0: all of it is
 * marked. */
static int times_new(const struct suffixes *s, const int32_t *common, const struct phrase *x,
		     bool *marked)
{
	int64_t lo = x->place, hi = x->place + 1;
	bool news = false;
	while (lo && common[lo] >= x->length)
		lo--;
	while (hi < s->text->length && common[hi] >= x->length)
		hi++;
	for (int64_t p = lo; p < hi; p++)
		for (int32_t k = 0; k < x->length; k++) {
			news |= !marked[s->order[p] + k];
			marked[s->order[p] + k] = true;
		}
	return news ? (int)(hi - lo) : 0;
}

/* The longest first; none that only repeats words of those before. */
static void print_phrases(const struct suffixes *s, int most)
{
	int64_t n = s->text->length;
	int32_t *common = common_of(s);
	struct phrase *phrase = host_new((size_t)n * sizeof *phrase);
	bool *marked = host_new((size_t)n * sizeof *marked);
	for (int64_t p = 0; p < n; p++) {
		phrase[p] = (struct phrase){ p, whole_words(s->text, s->order[p], common[p]) };
		marked[p] = false;
	}
	qsort(phrase, (size_t)n, sizeof *phrase, longer);
	for (int64_t k = 0; k < n && phrase[k].length && most; k++) {
		int times = times_new(s, common, &phrase[k], marked);
		if (!times)
			continue;
		printf("%d times: %.*s\n", times, (int)phrase[k].length,
		       s->text->byte + s->order[phrase[k].place]);
		most--;
	}
	free(marked);
	free(phrase);
	free(common);
}

/* ---- words that are looked for ---- */

/* The first place whose suffix is not before the words; behind: nor begins with them. */
static int64_t place_of(const struct suffixes *s, const char *words, bool behind)
{
	int64_t lo = 0, hi = s->text->length;
	while (lo < hi) {
		int64_t p = lo + (hi - lo) / 2;
		int order = strncmp(s->text->byte + s->order[p], words, strlen(words));
		if (order < 0 || (behind && order == 0))
			lo = p + 1;
		else
			hi = p;
	}
	return lo;
}

enum { AROUND = 30 };                         /* bytes that are shown on both sides */

static void print_found(const struct suffixes *s, const char *words)
{
	int64_t first = place_of(s, words, false), end = place_of(s, words, true);
	printf("\"%s\" stands there %lld times\n", words, (long long)(end - first));
	for (int64_t p = first; p < end; p++) {
		int64_t at = s->order[p], before = at < AROUND ? at : AROUND;
		printf("%8lld: %*.*s%.*s\n", (long long)at, AROUND, (int)before,
		       s->text->byte + at - before, (int)strlen(words) + AROUND,
		       s->text->byte + at);
	}
}

/* ---- the comparison with a program that knows nothing of ranks ---- */

static const char *naive_text;

static int by_bytes(const void *a, const void *b)
{
	return strcmp(naive_text + *(const uint32_t *)a, naive_text + *(const uint32_t *)b);
}

static void check(const struct suffixes *s)
{
	size_t n = (size_t)s->text->length;
	uint32_t *order = host_new(n * sizeof *order);
	int64_t wrong = 0;
	naive_text = s->text->byte;
	for (size_t i = 0; i < n; i++)
		order[i] = (uint32_t)i;
	qsort(order, n, sizeof *order, by_bytes);
	for (size_t i = 0; i < n; i++)
		wrong += order[i] != s->order[i];
	check_within("suffixes out of order", (double)wrong, 0);
	free(order);
}

/* ---- figures ---- */

/* Of a text of four letters, as they come. */
static void measure(void)
{
	struct text t = { .length = large / 256 };
	uint64_t x = 88172645463325252u;
	t.byte = host_new((size_t)t.length);
	for (int64_t i = 0; i < t.length; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		t.byte[i] = "acgt"[x >> 62];
	}
	struct device d = device_open(&t);
	double took = best_time(run, &d);
	int32_t passes;
	char what[80];
	to_host(&passes, d.passes, sizeof passes);
	snprintf(what, sizeof what, "%lld letters in %d passes", (long long)t.length, passes);
	print_rate(what, (double)t.length, 5, took);          /* a letter, and its place */
	device_close(&d);
	free(t.byte);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: suffix_array [--phrases=N] [--find=WORDS] [--check] [--no-measure] [text.txt]\n"
	      "  --phrases=N    so many of those that stand there more than once, the longest first (8)\n"
	      "  --find=WORDS   where these stand, by what comes behind them\n"
	      "  --check        compare with an order by strcmp\n"
	      "  --no-measure   do not measure the kernel afterwards\n"
	      "The text is constitution.txt if none is named.\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "phrases", required_argument, NULL, 'p' }, { "find", required_argument, NULL, 'f' },
		{ "check", no_argument, NULL, 'c' }, { "no-measure", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' }, { 0 }
	};
	bool checked = false, quiet = false;
	const char *words = NULL;
	int option, phrases = 8;
	while ((option = getopt_long(argc, argv, "", options, NULL)) != -1)
		switch (option) {
		case 'p': phrases = (int)number("--phrases", optarg, 0, 1e6); break;
		case 'f': words = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct text text = text_read(optind < argc ? argv[optind] : "constitution.txt");
	struct suffixes s = suffixes_of(&text);
	if (words)
		print_found(&s, words);
	else
		print_phrases(&s, phrases);
	if (checked)
		check(&s);
	free(s.order);
	free(text.byte);
	if (!quiet)
		measure();
	return 0;
}
