/* fasta.h - files of proteins: lines that begin with '>' name one, those behind are its letters. */
#ifndef FASTA_H
#define FASTA_H

#include <stdint.h>

/* a letter is its place in `letters` */
struct protein { char *name; uint8_t *letter; int64_t length; };
struct proteins { struct protein *at; int64_t n; };

extern const char letters[];                             /* as align.pat has them */
enum { PAD = 23 };                                       /* the last of them */

struct proteins fasta_read(const char *path);            /* one at least, or the program ends */
void fasta_free(struct proteins *);

#endif
