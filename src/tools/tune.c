/* tune.c - patc tune: the pins with which kernels are fastest (tune.h).
 *
 * Each kernel is tuned by itself, in a folder of our own below TMPDIR, with an even part of the
 * time that is left.  What was found is written in the end, also if a signal has ended the search.
 * */
#include "out.h"
#include "run.h"
#include "tune.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char stem[] = "kernel", check[] = "compare";

/* What may be in the folder. */
static const char *const *files_of(const struct options *o)
{
	static const char *const ends[] = { ".h",   ".dat",  "_bench.c", "_check.c",
		                            ".log", ".rows", "_bench",   "_check" };
	enum { ENDS = sizeof ends / sizeof *ends, SHARED = 4 };  /* by all texts of a kernel */
	LIST(const char *) files = { 0 };
	list_add(&files, "bench.h");
	list_add(&files, "cells.h");
	list_add(&files, "check.h");
	for (int k = 0; k <= TUNE_TEXTS + 1; k++) {
		const char *name = k == 0 ? stem : k == 1 ? check : str_print("text_%d", k - 1);
		for (int e = 0; e < ENDS; e++)
			if (k < 2 || e >= SHARED)
				list_add(&files, str_print("%s%s", name, ends[e]));
		list_add(&files, str_print("%s%s", name, o->target->suffix));
	}
	list_add(&files, NULL);
	return files.at;
}

static bool measure_default(struct tuned *t)
{
	const int errors = diag_errors();
	if (!tune_left(t) || !tune_compile_default(t) || !tune_left(t))
		return false;
	t->before = tune_measure(t, t->stem, t->o->milliseconds / 1e3);
	if (!t->before && !jobs_stopped() && diag_errors() == errors) {
		diag_error((struct loc){ .file = -1 }, D_TEST_BUILD,
		           "what was built for target %s failed", t->o->target->name);
		built_show(str_print("%s/%s.log", t->dir, t->stem));
	}
	return t->before != NULL;
}

/* All rows, and then the ends of each size, with even parts of the time that is left. */
static void search_all(struct tuned *t)
{
	const struct ends ends = ends_of(t->before);
	const double until = t->until;
	for (int k = -1; k < ends.n && !jobs_stopped(); k++) {
		const double now = seconds_now();
		t->until = now + (until - now) / (ends.n - k);
		if (k < 0)
			tune_search(t);
		else
			tune_end(t, ends.at[k]);
	}
	t->until = until;
	bench_progress("");
}

/* Both are measured once more: is the kernel no slower with its pins? */
static void settle(struct tuned *t)
{
	if (t->best == t->stem || jobs_stopped())
		return;
	const struct turns r = tune_turns(t, t->stem, t->best);
	if (r.n < TUNE_RUNS)
		return;
	t->before = rows_median(r.base, r.n);
	t->after = rows_median(r.run, r.n);
	if (tune_judge(r.run, r.base, r.n, (struct extent){ 0 }).no_slower)
		return;
	t->pins = t->begin;
	t->best = t->stem;
	t->after = NULL;
}

static int tune_one(struct tuned *t, const struct bench_command *c, int kernel)
{
	const int status = tune_default(t, c, kernel);
	if (status == DONE && measure_default(t)) {
		search_all(t);
		settle(t);
	}
	return diag_errors() ? WRONG : status;
}

/* All kernels; pins: those at first, then the fastest. */
static int tune_all(const struct bench_command *c, const struct options *o, struct pins *pins,
                    struct tuned_all *all)
{
	const char *dir = out_scratch(files_of(o));
	const double end = seconds_now() + o->budget;
	const int n = c->kernels.entry.n;
	int status = DONE;
	jobs_catch();
	for (int k = 0; k < n && status == DONE && !jobs_stopped(); k++) {
		const double now = seconds_now();
		struct tuned t = { .name = c->kernels.name.at[k],
			           .machine = machine_text(o),
			           .o = o,
			           .dir = dir,
			           .stem = stem,
			           .check = check,
			           .begin = *pins,
			           .pins = *pins,
			           .until = now + (end - now) / (n - k) };
		status = tune_one(&t, c, k);
		*pins = t.pins;
		list_add(all, t);
	}
	out_discard();
	return status;
}

/* Files that cannot be written are told before anything is measured. */
static void claim(const struct options *o)
{
	const char *const files[] = { o->output, o->json, o->svg };
	if (o->read)
		out_protect(o->read);
	for (int k = 0; k < 3; k++) {
		if (!files[k])
			continue;
		out_claim(files[k]);
		if (strcmp(files[k], "-") && access(built_folder(files[k]), W_OK) != 0)
			fail_io("cannot write '%s': %s", files[k], strerror(errno));
	}
}

int tune_main(const struct options *o)
{
	struct bench_command c;
	struct pins pins = { 0 };
	struct tuned_all all = { 0 };
	claim(o);
	int status = o->read ? DONE : bench_command(o, &c);
	if (status)
		return status;
	if (o->schedule && !pins_read(&pins, o->schedule, o))
		return diag_errors() ? WRONG : FAILED;
	if (o->write)
		return tune_write(&c, o, &pins);
	if (o->read)
		status = tune_read(&all, &pins, o) ? DONE : WRONG;
	else
		status = tune_all(&c, o, &pins, &all);
	if (status == DONE || (all.n && all.at[0].before))
		tune_show(&all, &pins, o);
	if (!jobs_stopped())
		return status;
	out_close();
	diag_close();
	jobs_end();
}
