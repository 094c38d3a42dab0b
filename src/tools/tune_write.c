/* tune_write.c - measurement on another machine: --write makes a folder with all candidates, which
 * differ from the program in one pin or tile each, and a script; --read takes the fastest of
 * each kernel from the script's rows.
 *
 * The script adds to each row the kernel's name in the program ("tuned"), the pins ("pins", empty
 * for the program as it is) and which of the runs it is of ("run"). */
#include "out.h"
#include "tune.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

/* ---- --write ---- */

static const char *stem_of(int kernel)
{
	return str_print("k%d", kernel + 1);
}

static struct candidates candidates_of(const struct tuned *t)
{
	const struct units u = units_of(t->program->entry.at[0]);
	struct candidates c = { 0 };
	for (int i = 0; i < u.n; i++)
		for (const enum pin *pin = tried_order; *pin != PIN_COUNT; pin++) {
			const struct attempts a = attempts_of(*pin, &u.at[i]);
			for (int k = 0; k < a.n; k++)
				tune_candidate(t, &u.at[i], &a.at[k], &c);
		}
	return c;
}

static int attempts_count(const struct entry *e)
{
	const struct units u = units_of(e);
	int n = 0;
	for (int i = 0; i < u.n; i++)
		for (const enum pin *pin = tried_order; *pin != PIN_COUNT; pin++)
			n += attempts_of(*pin, &u.at[i]).n;
	return n;
}

/* What may be in the folder. */
static const char *const *files_of(const struct bench_command *c, const struct options *o)
{
	LIST(const char *) files = { 0 };
	list_add(&files, "bench.h");
	list_add(&files, "cells.h");
	list_add(&files, "check.h");
	list_add(&files, "measure.sh");
	for (int k = 0; k < c->kernels.entry.n; k++) {
		const char *const stems[] = { stem_of(k), str_print("check_%s", stem_of(k)) };
		for (int i = 0; i < 2; i++) {
			list_add(&files, str_print("%s%s", stems[i], o->target->suffix));
			list_add(&files, str_print("%s.h", stems[i]));
			list_add(&files, str_print("%s.dat", stems[i]));
			list_add(&files, str_print("%s.log", stems[i]));
			list_add(&files, str_print("%s_%s.c", stems[i], i ? "check" : "bench"));
		}
		for (int i = 1; i <= attempts_count(c->kernels.entry.at[k]); i++) {
			const char *stem = str_print("%s_%d", stem_of(k), i);
			list_add(&files, str_print("%s%s", stem, o->target->suffix));
			list_add(&files, str_print("%s.log", stem));
		}
	}
	list_add(&files, NULL);
	return files.at;
}

static void drop(const struct tuned *t, const char *stem, const char *end)
{
	unlink(str_print("%s/%s%s", t->dir, stem, end));
}

struct script { const char *build, *measure; };

/* The text of that stem is compiled twice, and measured with these pins. */
static void add_text(struct script *s, const struct tuned *t, const char *stem, const char *pins)
{
	s->build = str_print("%s%s\n%s\n", s->build, tune_line(t, stem, false),
	                     tune_line(t, stem, true));
	s->measure = str_print("%scandidate %s '%s' '%s'\n", s->measure, stem, t->name, pins);
}

static bool write_kernel(struct tuned *t, const struct bench_command *c, int kernel,
                         struct script *s)
{
	if (tune_default(t, c, kernel) != DONE || !tune_check_data(t))
		return false;
	struct candidates all = candidates_of(t);
	tune_names(t, &all, t->stem);
	tune_texts(t, &all);
	add_text(s, t, t->stem, "");
	for (int k = 0; k < all.n; k++) {
		const struct candidate *of = &all.at[k];
		drop(t, of->stem, ".log");
		if (!of->good)
			drop(t, of->stem, t->o->target->suffix);
		else
			add_text(s, t, of->stem,
			         str_print("%s%s%s", of->label ? of->label : "",
			                   of->label ? ": " : "", of->attempt.text));
	}
	drop(t, t->check, ".log");
	drop(t, t->check, t->o->target->suffix);
	return true;
}

static void write_script(const struct script *s, const struct options *o)
{
	const char *path = str_print("%s/measure.sh", o->write);
	FILE *f = built_open(path);
	fprintf(f,
	        "#!/bin/bash\n"
	        "# Compiles all candidates, and measures those that agree with the interpreter:\n"
	        "# ./measure.sh > rows.json, from which `patc tune --read=rows.json` takes pins.\n"
	        "# An argument is the seconds of each row.\n"
	        "cd \"$(dirname \"$0\")\" || exit\n"
	        "xargs -d '\\n' -n 1 -P \"$(nproc)\" bash -c >&2 <<'END'\n%sEND\n"
	        "candidate() { # STEM KERNEL PINS: run 0 compares, the others measure\n"
	        "\tif [ $run = 0 ]; then\n"
	        "\t\ttimeout 60 \"./$1_check\" >\"$1.log\" 2>&1 && : >\"$1.agrees\" && return\n"
	        "\t\techo \"left out: $2 ($3)\" >&2\n"
	        "\t\ttail -n 2 \"$1.log\" >&2\n"
	        "\telif [ -e \"$1.agrees\" ]; then\n"
	        "\t\ttimeout 120 \"./$1_bench\" \"$seconds\" |\n"
	        "\t\t\tsed \"s/^{/{\\\"tuned\\\": \\\"$2\\\", \\\"pins\\\": \\\"$3\\\", "
	        "\\\"run\\\": $run, /\"\n"
	        "\tfi\n"
	        "}\n"
	        "seconds=${1:-%g}\n"
	        "rm -f ./*.agrees\n"
	        "for run in $(seq 0 %d); do\n%sdone\n",
	        s->build, o->milliseconds / 1e3, ELSEWHERE_RUNS, s->measure);
	built_close_script(f, path);
}

int tune_write(const struct bench_command *c, const struct options *o, const struct pins *pins)
{
	struct script s = { "", "" };
	bool good = true;
	out_folder(o->write, files_of(c, o));
	for (int k = 0; k < c->kernels.entry.n && good; k++) {
		struct tuned t = { .name = c->kernels.name.at[k],
			           .machine = machine_text(o),
			           .o = o,
			           .dir = o->write,
			           .stem = stem_of(k),
			           .check = str_print("check_%s", stem_of(k)),
			           .begin = *pins,
			           .pins = *pins,
			           .until = (double)INFINITY };
		good = write_kernel(&t, c, k, &s);
	}
	if (good) {
		write_script(&s, o);
		out_keep();
		printf("%s/measure.sh compiles and measures\n", o->write);
	}
	out_discard();
	return good ? DONE : WRONG;
}

/* ---- --read ---- */

/* Rows of one text: an array for each run. */
struct text_rows { const char *kernel, *pins; json_t *run[ELSEWHERE_RUNS]; };
struct all_rows { struct text_rows *at; int n, room; };

static struct text_rows *rows_at(struct all_rows *all, const char *kernel, const char *pins)
{
	for (int i = 0; i < all->n; i++)
		if (!strcmp(all->at[i].kernel, kernel) && !strcmp(all->at[i].pins, pins))
			return &all->at[i];
	struct text_rows new = { .kernel = kernel, .pins = pins };
	for (int k = 0; k < ELSEWHERE_RUNS; k++)
		new.run[k] = json_array();
	list_add(all, new);
	return &all->at[all->n - 1];
}

static struct all_rows sorted(const json_t *rows)
{
	struct all_rows all = { 0 };
	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_t *row = json_array_get(rows, i);
		const char *kernel = json_string_value(json_object_get(row, "tuned"));
		const char *pins = json_string_value(json_object_get(row, "pins"));
		const json_int_t run = json_integer_value(json_object_get(row, "run"));
		if (!kernel || !pins || run < 1 || run > ELSEWHERE_RUNS)
			fail_io("rows of another command: `patc tune --write` writes the script "
			        "that prints them");
		json_array_append(rows_at(&all, kernel, pins)->run[run - 1], row);
	}
	return all;
}

static bool is_candidate(const struct text_rows *of, const struct text_rows *base)
{
	return of != base && !strcmp(of->kernel, base->kernel);
}

/* Of one kernel whose rows as it was are base; NULL: none is faster. */
static const struct text_rows *fastest(const struct all_rows *all, const struct text_rows *base)
{
	const struct text_rows *best = NULL;
	double ratio = 1;
	for (int i = 0; i < all->n; i++) {
		const struct text_rows *of = &all->at[i];
		if (!is_candidate(of, base))
			continue;
		const struct verdict v =
			tune_judge(of->run, base->run, ELSEWHERE_RUNS, (struct extent){ 0 });
		if (v.faster && v.ratio < ratio)
			best = of, ratio = v.ratio;
	}
	return best;
}

/* Likewise at one end, with the sizes for which it is; at the outermost value it is the fastest. */
static const struct text_rows *fastest_end(const struct all_rows *all, const struct text_rows *base,
                                           struct end end, struct extent *of_best)
{
	const struct text_rows *best = NULL;
	double ratio = 1;
	for (int i = 0; i < all->n; i++) {
		const struct text_rows *of = &all->at[i];
		struct extent e;
		if (!is_candidate(of, base)
		    || !end_extent(end, of->run, base->run, ELSEWHERE_RUNS, &e))
			continue;
		const struct verdict v = tune_judge(of->run, base->run, ELSEWHERE_RUNS,
		                                    end_outermost(end, base->run[0]));
		if (v.ratio < ratio)
			best = of, ratio = v.ratio, *of_best = e;
	}
	return best;
}

static const char *machine_of_row(const json_t *row)
{
	const char *arch = json_string_value(json_object_get(row, "arch"));
	return arch ? str_print("%s %s", row_text(row, "target"), arch) : row_text(row, "target");
}

/* Rows of a run of the kernel as it was, where the sizes are within, become those of `with`. */
static json_t *mixed(const json_t *rows, const json_t *base, const json_t *with, struct extent e)
{
	json_t *all = json_array();
	for (size_t i = 0; i < json_array_size(rows); i++) {
		json_t *row = json_array_get(rows, i);
		const bool taken = row_within(row, e) && row == json_array_get(base, i);
		json_array_append(all, taken ? json_array_get(with, i) : row);
	}
	return all;
}

/* Lines of a schedule: the fastest text for all rows, or else that of each end, if there is one;
 * run: the rows that the kernel then has. */
static const char *lines_of(const struct all_rows *all, const struct text_rows *base, json_t **run)
{
	const struct text_rows *best = fastest(all, base);
	const struct ends ends = ends_of(base->run[0]);
	const char *lines = best ? str_print("%s;", best->pins) : "";
	for (int k = 0; k < ELSEWHERE_RUNS; k++)
		run[k] = best ? best->run[k] : base->run[k];
	for (int k = 0; k < ends.n && !best; k++) {
		struct extent e = { 0 };
		const struct text_rows *of = fastest_end(all, base, ends.at[k], &e);
		if (!of)
			continue;
		lines = str_print("%s %s when %s;", lines, of->pins,
		                  extent_text(ends.at[k], e, base->run[0]));
		for (int r = 0; r < ELSEWHERE_RUNS; r++)
			run[r] = mixed(run[r], base->run[r], of->run[r], e);
	}
	return lines;
}

static bool take(const struct all_rows *all, const struct text_rows *base,
                 struct tuned_all *to, struct pins *pins, const struct options *o)
{
	struct tuned t = { .name = base->kernel, .before = rows_median(base->run, ELSEWHERE_RUNS) };
	json_t *run[ELSEWHERE_RUNS];
	const char *lines = lines_of(all, base, run);
	t.machine = machine_of_row(json_array_get(base->run[0], 0));
	for (int i = 0; i < all->n; i++)
		t.texts += is_candidate(&all->at[i], base);
	if (*lines) {
		const char *text =
			str_print("schedule %s for %s { %s }\n", t.name, t.machine, lines);
		t.after = rows_median(run, ELSEWHERE_RUNS);
		source_stand_in(o->read, text, strlen(text));
		const bool read = pins_read(pins, o->read, o);
		source_stand_in(NULL, NULL, 0);
		if (!read)
			return false;
	}
	list_add(to, t);
	return true;
}

bool tune_read(struct tuned_all *to, struct pins *pins, const struct options *o)
{
	json_t *rows = bench_read_named(o->read);
	const struct all_rows all = sorted(rows);
	bool good = !diag_errors();
	for (int i = 0; i < all.n && good; i++)
		if (!*all.at[i].pins)
			good = take(&all, &all.at[i], to, pins, o);
	if (good && !to->n)
		fail_io("'%s' has no rows of a kernel without pins: measure.sh prints why it "
		        "skipped it",
		        o->read);
	return good;
}
