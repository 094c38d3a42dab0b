/* bench.h - patc bench: bench_request.c reads what is measured, bench.c decides in which variants,
 * bench_write.c writes the program that measures it, bench_measure.c builds and runs it,
 * bench_work.c says what a call moves and computes, bench_show.c shows the rows, and bench_svg.c
 * draws them. */
#ifndef BENCH_H
#define BENCH_H

#include "eval.h"
#include "front.h"
#include "given.h"

#include <jansson.h>

/* ---- bench_request.c: the command line ---- */

/* A setting with each of its values: "n=1", "n=2" of "n=1,2". */
struct choices { const char *name; LIST(const char *) setting; };
struct settings { LIST(struct choices) of; };
/* The kernels that are measured: by their names in the file. */
struct kernels { LIST(const struct entry *) entry; LIST(const char *) name; };
struct bench_command { struct settings settings; struct kernels kernels; };
int bench_command(const struct options *, struct bench_command *);   /* DONE, or it is reported */

/* As a test; values: of each case, what is given to scalars and arrays, as it is written. */
struct request { const char *text; int cases; json_t *values; };
struct request request_of(const struct bench_command *, int kernel);     /* -1: of all */
/* The program with these cases; NULL: reported, and *status says as what. */
struct program *request_program(const struct request *, const struct options *, int *status);

/* ---- bench_work.c ---- */

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
/* primes, so that no row begins as the one before it; SHORT: where the data are carried away */
enum { PERIOD = 1048573, SHORT_PERIOD = 65521 };
struct user_function { const char *library, *name, *text; };     /* text: as it was given */
struct bench {
	json_t *values;                          /* of each case, as it was given, but for sizes */
	const struct user_function *other;       /* to compare with, or NULL */
	int64_t period;                          /* random cells repeat after so many */
};
bool bench_write(struct program *, const struct options *, const char *dir, const char *stem,
                 const struct bench *);

/* ---- bench_measure.c ---- */

extern const char bench_kind[], bench_flags[];   /* for struct build */
/* Compiles and runs what is in dir, and adds its rows; errors are reported. */
void bench_measure(const struct program *, const struct options *, const char *dir,
                   const char *stem, json_t *rows);
/* Adds the rows of a file.  Failures that rows tell are reported, at the kernels of the program if
 * it is not NULL.  Returns false if a line is not a row. */
bool bench_read(const struct program *, FILE *, json_t *rows);
/* The rows of the file of --read, "-" for standard input; fail_io if it has other lines. */
json_t *bench_read_named(const char *path);
bool bench_shows_progress(void);
void bench_progress(const char *what);           /* on the line of a terminal; nowhere else */

void bench_json(const json_t *rows, FILE *);     /* an object a line */

/* bench_show.c: rows are the objects that the program prints */
/* Those of one kernel, its sizes and values together; `faster` says how many times as fast as the
 * first of them the others are. */
json_t *bench_grouped(const json_t *rows);
void bench_table(const json_t *rows);            /* to standard output */
double row_number(const json_t *row, const char *key);           /* NAN: it has none */
const char *row_text(const json_t *row, const char *key);        /* "-": it has none */
const char *row_name(const json_t *row);                         /* "saxpy n=4096" */
const char *time_text(double seconds);                           /* "9.31 ms" */
const char *digits(double x);                                    /* three, without an exponent */
void bench_roofline(const json_t *rows, FILE *);                 /* bench_svg.c */
extern const char svg_style[];           /* of both schemes, for the classes of bench_svg.c */
void svg_text(FILE *, const char *);     /* what people wrote, as XML */

#endif
