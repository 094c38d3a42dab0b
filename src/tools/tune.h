/* tune.h - patc tune: tune_pins.c holds pins as text, tune_try.c lists what is tried, tune_jobs.c
 * runs processes that a signal ends, tune_build.c writes, compiles, measures and compares a text,
 * tune_search.c looks for the fastest pins of a kernel, tune_ends.c for those of its smallest and
 * largest sizes, tune_judge.c decides which of two is faster, tune_write.c lets another machine
 * measure, tune_show.c writes what was found, and tune.c is the command. */
#ifndef TUNE_H
#define TUNE_H

#include "bench.h"
#include "built.h"

/* ---- tune_pins.c ---- */

/* step: tile 8 x 128 when n < 64; machine: "cuda sm_90"; label NULL: of the whole kernel; when
 * NULL: for all sizes */
struct pin_text { const char *kernel, *machine, *label, *when; enum pin pin; const char *text; };
struct pins { struct pin_text *at; int n, room; };
void pins_set(struct pins *, struct pin_text);           /* instead of one that is there */
struct pins pins_copy(const struct pins *);
bool pins_read(struct pins *, const char *path, const struct options *);     /* false: reported */
bool pins_has(const struct pins *, const char *kernel);  /* pins of it */
/* Those of `from`, which has all of `base`, that differ from base's, under a condition. */
struct pins pins_when(const struct pins *base, const struct pins *from, const char *when);
/* The blocks of one kernel, or (NULL) of all, always in one order. */
void pins_print(const struct pins *, const char *kernel, FILE *);

/* ---- tune_try.c ---- */

/* What pins hold for: the statements of a label, or (NULL) the whole kernel; bit k of ranks: one of
 * them has k indices. */
struct unit { const char *label; unsigned ranks; };
struct units { struct unit *at; int n, room; };
struct units units_of(const struct entry *);
/* Pins that are tried together; text: as in a schedule, "stage shared, tile 8 x 128". */
struct attempt { enum pin pin[2]; const char *of[2]; const char *text; };
struct attempts { struct attempt *at; int n, room; };
struct attempts attempts_of(enum pin, const struct unit *);
extern const enum pin tried_order[];     /* all pins, PIN_COUNT after the last */

/* ---- tune_jobs.c ---- */

/* Work of a process of its own: its exit status. */
typedef int job(int k, void *with);
enum { JOB_NOT_RUN = -1 };
/* Runs those of 0..n-1, so many at a time, and starts none after `until`; status: of each, 128 and
 * more for a signal. */
void jobs_run(int n, int at_once, job *, void *with, double until, int *status);
int jobs_at_once(void);                  /* processors */
void jobs_catch(void);                   /* from now on signals that end us stop jobs */
int jobs_stopped(void);                  /* the signal, or 0 */
_Noreturn void jobs_end(void);           /* by the signal */
double seconds_now(void);

/* ---- tune_judge.c: rows of several runs, an array of JSON for each ---- */

enum { TUNE_RUNS = 5, ELSEWHERE_RUNS = 3 };
/* Rows whose size of that name has one of these values; name NULL: all rows. */
struct extent { const char *name; int64_t least, most; };
bool row_within(const json_t *row, struct extent);
/* The geometric mean of times over those of the base, and more if a row is slower, of rows within;
 * INFINITY: a row has no time. */
double rows_score(json_t *rows, json_t *base, struct extent);
/* Of each case, that with the median time. */
json_t *rows_median(json_t *const *run, int runs);
struct verdict {
	double ratio;            /* of the times: median */
	bool no_slower;          /* no case is */
	bool faster;             /* by more than the spread and the least gain; and no_slower */
};
struct verdict tune_judge(json_t *const *run, json_t *const *base, int runs, struct extent);

/* ---- tune_build.c ---- */

/* A kernel that is tuned. */
struct tuned {
	const char *name;
	const char *machine;                     /* of its pins */
	const struct options *o;
	struct program *program;                 /* it alone, before the passes */
	const struct request *request;
	const char *dir, *stem, *check;  /* folder, and stems of the drivers there */
	bool compared;                           /* the data of the comparison are there */
	struct pins begin, pins;                 /* at first, and of the best; of all kernels */
	const char *best;                        /* the stem of their text */
	const char *kept;                        /* of another text that stays, or NULL */
	struct extent within;                    /* rows for which texts shall be faster */
	LIST(uint64_t) seen;                     /* texts */
	int texts;                               /* that were compiled */
	double until;                            /* seconds_now() at the end of its budget */
	double took;                     /* seconds, the last measurement of it as it was */
	json_t *before, *after;                  /* its rows, or NULL */
};
struct candidate {
	const char *label;
	struct attempt attempt;
	struct pins pins;
	const char *stem;                        /* of its text */
	double score;                            /* rows_score() against the best */
	bool good;                               /* so far */
};
struct candidates { struct candidate *at; int n, room; };
/* DONE, or what was reported: the kernel as the program has it, its driver and data. */
int tune_default(struct tuned *, const struct bench_command *, int kernel);
void tune_candidate(const struct tuned *, const struct unit *, const struct attempt *,
                    struct candidates *);
void tune_names(const struct tuned *, struct candidates *, const char *form);    /* stems */
/* Writes their texts; those that are refused or were seen are not good. */
void tune_texts(struct tuned *, struct candidates *);
void tune_compile(struct tuned *, struct candidates *);          /* likewise that do not compile */
/* NULL: it fails, which is reported of the kernel as it was. */
json_t *tune_measure(struct tuned *, const char *stem, double seconds);
bool tune_agrees(struct tuned *, const char *stem);      /* with the interpreter */
bool tune_check_data(struct tuned *);                    /* for that; false: reported */
bool tune_compile_default(struct tuned *);               /* false: reported */
bool tune_left(const struct tuned *);                    /* time */
const char *tune_line(const struct tuned *, const char *stem, bool compares);    /* of a shell */
enum { TUNE_TEXTS = 1000 };              /* of a pin, at most */
const char *machine_text(const struct options *);        /* "cuda sm_90" */

/* ---- tune_search.c ---- */

/* The rows of two texts that were measured in turns; n: how often both were. */
struct turns { json_t *base[TUNE_RUNS], *run[TUNE_RUNS]; int n; };
struct turns tune_turns(struct tuned *, const char *base, const char *stem);
void tune_search(struct tuned *);        /* until nothing changes, or its time is over */

/* ---- tune_ends.c ---- */

/* The smallest or the largest values of one size. */
struct end { const char *name; bool largest; };
struct ends { struct end *at; int n, room; };
struct ends ends_of(const json_t *rows); /* of the sizes that have several values */
/* Finds the most values of that end, but not all, over which the text is faster and for each of
 * which it is no slower; false: it is so for no value. */
bool end_extent(struct end, json_t *const *run, json_t *const *base, int runs, struct extent *);
struct extent end_outermost(struct end, const json_t *rows);     /* its outermost value */
const char *extent_text(struct end, struct extent, const json_t *rows);  /* "n < 64" */
void tune_end(struct tuned *, struct end);

/* ---- tune_write.c, tune_show.c ---- */

struct tuned_all { struct tuned *at; int n, room; };
int tune_write(const struct bench_command *, const struct options *, const struct pins *);
/* false: reported */
bool tune_read(struct tuned_all *, struct pins *, const struct options *);
/* The files of the command; the table goes to standard output. */
void tune_show(const struct tuned_all *, const struct pins *, const struct options *);

#endif
