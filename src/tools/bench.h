/* bench.h - patc bench: bench.c decides what is measured, bench_write.c writes the program that
 * measures it, bench_work.c says what a call moves and computes, bench_show.c shows the rows, and
 * bench_svg.c draws them. */
#ifndef BENCH_H
#define BENCH_H

#include "eval.h"
#include "front.h"
#include "given.h"

#include <jansson.h>

/* What a call must move and compute, as the remarks count it. */
struct moved {
	double bytes, flops, integers;
	bool exact;              /* false: at least, since data decide how much */
	double seconds;          /* that the machine needs for it; 0: no machine, or not known */
};
/* After the passes; bound[]: its sizes, then its parameters, of which scalars have data. */
struct moved moved_of(const struct entry *, const struct bound *, const struct options *);

/* Into dir go program.{cu,hip,c}, program.h, program_bench.c, bench.h, cells.h and program.dat, for
 * the cases of program->command.  False: reported. */
struct user_function { const char *library, *name, *text; };     /* text: as it was given */
struct bench {
	json_t *values;                          /* of each case, as it was given, but for sizes */
	const struct user_function *other;       /* to compare with, or NULL */
};
bool bench_write(struct program *, const struct options *, const char *dir, const char *stem,
                 const struct bench *);

/* bench_show.c: rows are the objects that the program prints */
/* Those of one kernel, its sizes and values together; `faster` says how many times as fast as the
 * first of them the others are. */
json_t *bench_grouped(const json_t *rows);
void bench_table(const json_t *rows);            /* to standard output */
double row_number(const json_t *row, const char *key);           /* NAN: it has none */
const char *row_text(const json_t *row, const char *key);        /* "-": it has none */
const char *row_name(const json_t *row);                         /* "saxpy n=4096" */
void bench_roofline(const json_t *rows, FILE *);                 /* bench_svg.c */

#endif
