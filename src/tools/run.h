/* run.h - the commands other than the compiler itself. */
#ifndef RUN_H
#define RUN_H

#include "eval.h"
#include "front.h"

int run_main(const struct options *);    /* patc run: run.c; the exit status */
int test_main(const struct options *);   /* patc test: test.c */
int new_main(const struct options *);    /* patc new: new.c */
int fmt_main(const struct options *);    /* patc fmt: format.c */
int bench_main(const struct options *);  /* patc bench: bench.c */
int tune_main(const struct options *);   /* patc tune: tune.c */
int lsp_main(const struct options *);    /* patc lsp: lsp.c */
int bind_main(const struct options *);   /* patc bind: bind.c */
/* the words of the language, each once, with its kind: "keyword", "type", "pattern", ... */
struct word { const char *kind, *text; };
struct vocabulary { struct word *at; int n, room; };
const struct vocabulary *vocabulary(void);    /* vocabulary.c */
int build_named(const char *);           /* --build: its number; fail_usage */
int language_named(const char *);        /* --lang: likewise */

struct totals { int64_t passed, failed; };
/* test_built.c: builds the program for o->target and compares it; the passes have then been over
 * it. */
void test_built(const char *path, struct program *, const struct options *, struct totals *);

#endif
