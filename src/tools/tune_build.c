/* tune_build.c - a kernel with pins: its text is written, compiled, measured and compared.
 *
 * All texts of a kernel share one driver of patc bench and one of the comparison, with their data:
 * no pin changes the header or the parameters.  Each text is written by a process of its own, which
 * reads the program with a schedule of these pins: conditions decide what statements it has. */
#include "compare.h"
#include "out.h"
#include "tune.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHAPES = 8, CELLS = 20000 };      /* of the comparison, as patc test has them */
/* Seconds of a process: of a comparison; of a measurement, and how often those of the kernel as it
 * was more. */
enum { CHECK_LIMIT = 60, LIMIT_LEAST = 5, LIMIT_TIMES = 4 };
static const char check_kind[] = "check";
/* A name for the schedule that is tried: no file. */
static const char tried[] = "(pins that are tried)";

const char *machine_text(const struct options *o)
{
	return o->arch ? str_print("%s %s", o->target->name, o->arch) : o->target->name;
}

bool tune_left(const struct tuned *t)
{
	return !jobs_stopped() && seconds_now() < t->until;
}

static const char *path_of(const struct tuned *t, const char *stem, const char *end)
{
	return str_print("%s/%s%s", t->dir, stem, end);
}

/* ---- the kernel by itself ---- */

static void only_cases(struct test *test, const struct entry *e)
{
	int n = 0;
	for (int i = 0; i < test->cases.n; i++)
		if (test->cases.at[i]->entry == e)
			test->cases.at[n++] = test->cases.at[i];
	test->cases.n = n;
}

static void only_kernel(struct program *p, const char *name)
{
	for (int i = 0; i < p->entry.n; i++)
		if (!strcmp(p->entry.at[i]->name, name))
			p->entry.at[0] = p->entry.at[i];
	p->entry.n = 1;
	for (int i = 0; i < p->test.n; i++)
		only_cases(p->test.at[i], p->entry.at[0]);
}

static struct program *program_of(const struct tuned *t, const char *schedule, int *status)
{
	struct options o = *t->o;
	o.schedule = schedule;
	struct program *p = request_program(t->request, &o, status);
	if (p)
		only_kernel(p, t->name);
	return p;
}

static const char *schedule_of(const struct tuned *t, const struct pins *pins)
{
	FILE *f = text_open();
	pins_print(pins, t->name, f);
	return text_close(f);
}

/* The kernel with these pins, before the passes; NULL: they are refused, which is told. */
static struct program *program_with(const struct tuned *t, const struct pins *pins)
{
	const char *text = schedule_of(t, pins);
	int status;
	source_stand_in(tried, text, strlen(text));
	struct program *p = program_of(t, tried, &status);
	source_stand_in(NULL, NULL, 0);
	return p;
}

int tune_default(struct tuned *t, const struct bench_command *c, int kernel)
{
	struct request *r = NEW(struct request);
	int status = DONE;
	*r = request_of(c, kernel);
	t->request = r;
	t->program = program_of(t, NULL, &status);
	struct program *p = t->program ? program_of(t, t->o->schedule, &status) : NULL;
	const struct bench b = { r->values, NULL, t->o->write ? SHORT_PERIOD : PERIOD };
	if (!p)
		return status;
	if (!bench_write(p, t->o, t->dir, t->stem, &b))
		return WRONG;
	t->best = t->stem;
	return DONE;
}

/* ---- texts ---- */

/* What a process says goes to a file beside the text. */
static void say_to(const char *path)
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0 || dup2(fd, STDERR_FILENO) < 0)
		_exit(FAILED);
}

struct batch { struct tuned *t; struct candidates *c; };

static int write_job(int k, void *with)
{
	const struct batch *b = with;
	const struct tuned *t = b->t;
	const struct candidate *c = &b->c->at[k];
	say_to(path_of(t, c->stem, ".log"));
	struct program *p = program_with(t, &c->pins);
	return !(p && built_source(p, t->o, t->dir, c->stem, str_print("%s.h", t->stem)));
}

static uint64_t hash_of(const struct tuned *t, const char *stem)
{
	char *text = NULL;
	size_t room = 0;
	FILE *f = fopen(path_of(t, stem, t->o->target->suffix), "r");
	const bool read = f && getdelim(&text, &room, '\0', f) > 0;
	const uint64_t hash = read ? text_hash(text) : 0;
	if (f)
		fclose(f);
	free(text);
	return hash;
}

/* Notes it; false: it was noted before. */
static bool is_new(struct tuned *t, const char *stem)
{
	const uint64_t hash = hash_of(t, stem);
	for (int i = 0; i < t->seen.n; i++)
		if (t->seen.at[i] == hash)
			return false;
	list_add(&t->seen, hash);
	return true;
}

void tune_candidate(const struct tuned *t, const struct unit *u, const struct attempt *a,
                    struct candidates *all)
{
	struct candidate c = { .label = u->label, .attempt = *a, .pins = pins_copy(&t->pins),
		               .good = true };
	for (int k = 0; k < 2 && a->of[k]; k++)
		pins_set(&c.pins, (struct pin_text){ t->name, t->machine, u->label, NULL,
		                                     a->pin[k], a->of[k] });
	list_add(all, c);
}

void tune_names(const struct tuned *t, struct candidates *c, const char *form)
{
	for (int k = 0, number = 1; k < c->n; number++) {
		const char *stem = str_print("%s_%d", form, number);
		if (strcmp(stem, t->best) != 0 && (!t->kept || strcmp(stem, t->kept) != 0))
			c->at[k++].stem = stem;
	}
}

void tune_texts(struct tuned *t, struct candidates *c)
{
	struct batch b = { t, c };
	int *status = mem_new((size_t)(c->n + 1) * sizeof *status);
	if (!t->seen.n)
		is_new(t, t->best);
	jobs_run(c->n, jobs_at_once(), write_job, &b,
	         t->until, status);
	for (int k = 0; k < c->n; k++) {
		c->at[k].good = status[k] == DONE && is_new(t, c->at[k].stem);
		if (status[k] == INTERNAL)
			diag_remark(t->program->entry.at[0]->at,
			            "patc itself fails with the pin `%s`, which is skipped: please "
			            "report it with the program",
			            c->at[k].attempt.text);
	}
}

/* ---- compiling ---- */

static struct build build_of(const struct tuned *t, const char *stem, const char *kind)
{
	return (struct build){ t->program->path, t->dir, stem, kind, bench_flags,
		               kind == check_kind ? t->check : t->stem };
}

const char *tune_line(const struct tuned *t, const char *stem, bool compares)
{
	const struct build b = build_of(t, stem, compares ? check_kind : bench_kind);
	return built_line(t->o, &b);
}

struct compiling { const struct tuned *t; const struct candidate *c; const char *stem, *kind; };

static int compile_job(int k, void *with)
{
	const struct compiling *w = with;
	const char *stem = w->c ? w->c[k].stem : w->stem;
	const struct build b = build_of(w->t, stem, w->kind);
	const char *log = path_of(w->t, stem, ".log");
	struct words words = built_command(w->t->o, &b);
	built_become(words.at, NULL, log, log);
}

void tune_compile(struct tuned *t, struct candidates *c)
{
	struct compiling w = { t, c->at, NULL, bench_kind };
	int *status = mem_new((size_t)(c->n + 1) * sizeof *status);
	jobs_run(c->n, jobs_at_once(), compile_job, &w, t->until, status);
	for (int k = 0; k < c->n; k++) {
		t->texts += status[k] != JOB_NOT_RUN;
		c->at[k].good = status[k] == DONE;
	}
}

static int compile_one(const struct tuned *t, const char *stem, const char *kind)
{
	struct compiling w = { t, NULL, stem, kind };
	int status;
	jobs_run(1, 1, compile_job, &w, (double)INFINITY, &status);
	return status;
}

bool tune_compile_default(struct tuned *t)
{
	const struct build b = build_of(t, t->stem, bench_kind);
	const struct words w = built_command(t->o, &b);
	const int status = compile_one(t, t->stem, bench_kind);
	return jobs_stopped() || built_compiled(t->o, &w, status, path_of(t, t->stem, ".log"));
}

/* ---- running ---- */

struct running { const struct tuned *t; const char *stem, *kind; char *argument; unsigned limit; };

static int run_job(int k, void *with)
{
	const struct running *r = with;
	char *argv[] = { str_print("%s/%s_%s", r->t->dir, r->stem, r->kind), r->argument, NULL };
	(void)k;
	alarm(r->limit);
	built_become(argv, r->t->dir, path_of(r->t, r->stem, ".rows"),
	             path_of(r->t, r->stem, ".log"));
}

json_t *tune_measure(struct tuned *t, const char *stem, double seconds)
{
	const bool first = stem == t->stem;
	const struct running r = { t, stem, bench_kind, str_print("%g", seconds),
		                   first ? 0 : (unsigned)(LIMIT_LEAST + LIMIT_TIMES * t->took) };
	json_t *rows = json_array();
	int status;
	const double begun = seconds_now();
	jobs_run(1, 1, run_job, (void *)&r, (double)INFINITY, &status);
	FILE *f = status != JOB_NOT_RUN ? fopen(path_of(t, stem, ".rows"), "r") : NULL;
	if (!first)
		diag_quiet(true);
	const bool read = f && bench_read(t->program, f, rows) && status == DONE;
	if (!first)
		diag_quiet(false);
	if (f)
		fclose(f);
	if (first)
		t->took = seconds_now() - begun;
	return read && (int)json_array_size(rows) == t->request->cases ? rows : NULL;
}

/* ---- comparing ---- */

static int check_job(int k, void *with)
{
	const struct tuned *t = with;
	const struct comparison c = { .shapes = SHAPES, .cells = CELLS, .seed = t->o->seed,
		                      .leaves_out = true };
	(void)k;
	say_to(path_of(t, t->check, ".log"));
	return !compare_write(t->program, t->o, &c, t->dir, t->check);
}

bool tune_check_data(struct tuned *t)
{
	int status;
	if (t->compared)
		return true;
	jobs_run(1, 1, check_job, t, (double)INFINITY, &status);
	t->compared = status == DONE;
	if (t->compared || jobs_stopped())
		return t->compared;
	diag_error(t->program->entry.at[0]->at, D_TEST_BUILD,
	           "kernel `%s` cannot be compared with the interpreter", t->name);
	built_show(path_of(t, t->check, ".log"));
	return false;
}

bool tune_agrees(struct tuned *t, const char *stem)
{
	const struct running r = { t, stem, check_kind, NULL, CHECK_LIMIT };
	int status = JOB_NOT_RUN;
	if (!tune_check_data(t) || compile_one(t, stem, check_kind) != DONE)
		return false;
	jobs_run(1, 1, run_job, (void *)&r, (double)INFINITY, &status);
	return status == DONE;
}
