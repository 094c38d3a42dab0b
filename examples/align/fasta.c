/* fasta.c - see fasta.h. */
#include <ctype.h>

#include "common.h"
#include "fasta.h"

const char letters[] = "ARNDCQEGHILKMFPSTWYVBZX*";

static void *more(void *p, size_t bytes)
{
	p = realloc(p, bytes);
	if (!p)
		fail("memory", "not enough");
	return p;
}

static struct protein *add(struct proteins *all, const char *line)
{
	size_t length = strcspn(line, "\r\n");
	all->at = more(all->at, (size_t)(all->n + 1) * sizeof *all->at);
	struct protein *p = &all->at[all->n++];
	*p = (struct protein){ .name = host_new(length), .letter = NULL };
	memcpy(p->name, line + 1, length - 1);
	p->name[length - 1] = 0;
	return p;
}

/* Letters for which there are no scores are X, any. */
static uint8_t place(char c)
{
	const char *at = strchr(letters, toupper((unsigned char)c));
	return (uint8_t)((at && *at ? at : strchr(letters, 'X')) - letters);
}

static void add_letters(struct protein *p, const char *line, const char *path)
{
	p->letter = more(p->letter, (size_t)p->length + strlen(line) + 1);
	for (; *line; line++) {
		if (isspace((unsigned char)*line))
			continue;
		if (!isalpha((unsigned char)*line) && *line != '*')
			fail(path, "is no FASTA file of proteins");
		p->letter[p->length++] = place(*line);
	}
}

struct proteins fasta_read(const char *path)
{
	FILE *in = fopen(path, "r");
	struct proteins all = { NULL, 0 };
	struct protein *last = NULL;
	char *line = NULL;
	size_t room = 0;
	if (!in)
		fail(path, "cannot be read");
	while (getline(&line, &room, in) >= 0) {
		if (*line == '>')
			last = add(&all, line);
		else if (last)
			add_letters(last, line, path);
		else if (*line != '\n')
			fail(path, "is no FASTA file: it does not begin with '>'");
	}
	free(line);
	fclose(in);
	if (!all.n)
		fail(path, "holds no protein");
	return all;
}

void fasta_free(struct proteins *all)
{
	for (int64_t k = 0; k < all->n; k++) {
		free(all->at[k].name);
		free(all->at[k].letter);
	}
	free(all->at);
}
