/* text.c - reads a text, or draws a matrix like that of one: text.h. */
#include <ctype.h>

#include "common.h"
#include "text.h"

struct token { char *name; int32_t line, word; };
struct tokens { struct token *at; int64_t n, room, lines; };

/* ---- words ---- */

static char *lower(const char *word, size_t length)
{
	char *name = host_new(length + 1);
	for (size_t k = 0; k < length; k++)
		name[k] = (char)tolower((unsigned char)word[k]);
	name[length] = 0;
	return name;
}

static void tokens_add(struct tokens *t, char *name)
{
	if (t->n == t->room) {
		t->room = t->room ? 2 * t->room : 1024;
		t->at = realloc(t->at, (size_t)t->room * sizeof *t->at);
		if (!t->at)
			fail("the text", "no memory");
	}
	t->at[t->n++] = (struct token){ .name = name, .line = (int32_t)t->lines };
}

static bool is_letter(char c)
{
	return isalpha((unsigned char)c) || (unsigned char)c >= 128;
}

static void cut(struct tokens *t, const char *at)
{
	while (*at) {
		size_t length = 0;
		while (is_letter(at[length]))
			length++;
		if (length)
			tokens_add(t, lower(at, length));
		at += length ? length : 1;
	}
}

static struct tokens tokens_read(const char *path)
{
	FILE *in = fopen(path, "r");
	struct tokens t = { 0 };
	char *line = NULL;
	size_t room = 0;
	ssize_t length;
	if (!in)
		fail(path, "cannot be read");
	for (; (length = getline(&line, &room, in)) >= 0; t.lines++) {
		if (memchr(line, 0, (size_t)length))
			fail(path, "is no text");
		cut(&t, line);
	}
	free(line);
	fclose(in);
	return t;
}

/* ---- the matrix ---- */

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct token *)a)->name, ((const struct token *)b)->name);
}

static int by_place(const void *a, const void *b)
{
	const struct token *x = a, *y = b;
	return x->line != y->line ? (x->line > y->line) - (x->line < y->line)
				  : (x->word > y->word) - (x->word < y->word);
}

static struct text text_new(int64_t lines, int64_t words, int64_t cells)
{
	struct text t = { lines, words, cells, host_new((size_t)words * sizeof *t.name),
			  NULL,  NULL,  NULL };
	t.row = host_new((size_t)(lines + 1) * sizeof *t.row);
	t.word = host_new((size_t)cells * sizeof *t.word);
	t.times = host_new((size_t)cells * sizeof *t.times);
	memset(t.name, 0, (size_t)words * sizeof *t.name);
	memset(t.row, 0, (size_t)(lines + 1) * sizeof *t.row);
	return t;
}

/* Equal words have one number, and one of their names. */
static void number_words(struct tokens *t, struct text *text)
{
	qsort(t->at, (size_t)t->n, sizeof *t->at, by_name);
	for (int64_t k = 0; k < t->n; k++) {
		if (!text->words || strcmp(t->at[k].name, text->name[text->words - 1]))
			text->name[text->words++] = t->at[k].name;
		else
			free(t->at[k].name);
		t->at[k].word = (int32_t)text->words - 1;
	}
}

struct text text_read(const char *path)
{
	struct tokens t = tokens_read(path);
	struct text text = text_new(t.lines, t.n, t.n);
	text.words = text.cells = 0;
	number_words(&t, &text);
	qsort(t.at, (size_t)t.n, sizeof *t.at, by_place);
	for (int64_t k = 0; k < t.n; k++) {
		if (k && !by_place(&t.at[k - 1], &t.at[k])) {
			text.times[text.cells - 1]++;
			continue;
		}
		text.word[text.cells] = t.at[k].word;
		text.times[text.cells++] = 1;
		text.row[t.at[k].line + 1]++;
	}
	for (int64_t r = 0; r < text.lines; r++)
		text.row[r + 1] += text.row[r];
	free(t.at);
	return text;
}

/* As if by chance; small numbers come more often. */
struct text text_drawn(int64_t lines, int64_t words, int64_t cells_a_line)
{
	struct text t = text_new(lines, words, lines * cells_a_line);
	uint64_t x = 88172645463325252;
	for (int64_t e = 0; e < t.cells; e++) {
		double low = random_part(&x);
		t.word[e] = (int32_t)(low * low * (double)words);
		t.times[e] = 1;
	}
	for (int64_t r = 0; r <= lines; r++)
		t.row[r] = (int32_t)(r * cells_a_line);
	return t;
}

void text_free(struct text *t)
{
	for (int64_t w = 0; w < t->words; w++)
		free(t->name[w]);
	free(t->name);
	free(t->row);
	free(t->word);
	free(t->times);
}
