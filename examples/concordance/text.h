/* text.h - a text as a sparse matrix: a line is a row, a word a column. */
#ifndef TEXT_H
#define TEXT_H

#include <stdint.h>

struct text {
	int64_t lines, words, cells;
	char **name;                                     /* of a column, in the order of strcmp */
	int32_t *row, *word, *times; /* of line r the cells row[r] .. row[r+1], words rising */
};

struct text text_read(const char *path);             /* what is no text ends the program */
struct text text_drawn(int64_t lines, int64_t words,
		       int64_t cells_a_line); /* columns without names */
void text_free(struct text *);

#endif
