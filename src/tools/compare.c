/* compare.c - a program turned into a comparison of its generated code with the reference.
 *
 * Into a folder go STEM.{cu,hip,c} and STEM.h, as patc writes them; STEM.dat, inputs and what the
 * interpreter expects, for random shapes (shapes.c) and for the cases of the program's own tests;
 * STEM_check.c, a driver, with check.h and cells.h, which it includes: C11 and C++17.
 *
 * Data.  Shapes take turns: tame floats in [-2, 2) and small integers; integers of the full range
 * with both extremes; tame again; floats with zeros of both signs, infinities, NaN, the largest and
 * the smallest.  Integer scalars are small, since they are counts of passes as often as not; arrays
 * that say where segments begin, or where another array is read, are made for that (sample_use.c).
 * Everything follows from the seed.
 *
 * An extern fn NAME means what fn NAME_reference of the same program says, if there is one; else
 * its results are open.  The interpreter runs before the passes, on the graph as sema left it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "built.h"
#include "case.h"
#include "compare.h"
#include "helper.h"
#include "sample.h"

enum { SHIFTED = 1, NULLS = 2, APART = 4 };      /* as in check.h */

/* ---- STEM.dat ---- */

static bool by_value(const struct var *v)
{
	return v->rank == 0 && v->mode == MODE_IN;
}

static void put_i32(int32_t x, FILE *out)
{
	built_put(&x, sizeof x, out);
}

static void *room(int64_t bytes)
{
	void *p = calloc((size_t)bytes + 1, 1);
	if (!p)
		fail_io("out of memory");
	return p;
}

static void put_error(const struct bound *b, FILE *out)
{
	bool exact = true;
	for (int64_t i = 0; i < b->cells; i++)
		exact &= b->error[i] == 0;
	put_i32(!exact, out);
	for (int64_t i = 0; i < b->cells && !exact; i++) {
		float e = nextafterf((float)b->error[i], INFINITY);
		if (b->error[i] == 0)
			e = 0;
		built_put(&e, sizeof e, out);
	}
}

/* What is no number stays in all cells after it: where something runs, some arrays have few such.
 * */
static void bind(const struct entry *e, struct var *v, const struct sizes *s, enum flavour how,
	uint64_t *chances, struct bound *b)
{
	b->var = v;
	b->cells = cells_of(e, v, s->size, 0);
	for (int k = 0; k < v->rank; k++)
		b->extent[k] = extent_at(e, &v->extent[k], s->size);
	int64_t each = type_size(v->type);
	unsigned char *data = b->data = room(b->cells * each);
	struct use use = use_of(e, v);
	b->error = room(b->cells * (int64_t)sizeof(double));
	int plain = how == SPECIAL && entry_running(e) ? chance_below(chances, 3) * 40 : 0;
	sample_use(chances, &use, extent_at(e, &use.size, s->size), v->type, how, b->cells, data);
	for (int64_t i = 0; use.kind == USE_ANY && i < b->cells; i++)
		sample(chances, v->type, plain && chance_below(chances, plain) ? TAME : how,
		       by_value(v), data + i * each);
}

static struct bound *bind_all(const struct entry *e, struct sizes *s, enum flavour how,
	uint64_t *chances)
{
	struct bound *b = mem_new((size_t)(e->size.n + e->param.n + 1) * sizeof *b);
	for (int k = 0; k < e->size.n; k++) {
		b[k].var = e->size.at[k];
		b[k].data = &s->size[k];
	}
	for (int i = 0; i < e->param.n; i++)
		bind(e, e->param.at[i], s, how, chances, &b[e->size.n + i]);
	if (e->require.n && chance_below(chances, 12))      /* now and then a call is refused */
		require_scalars(e, b, NULL, NULL, chances);
	return b;
}

/* What is too small is refused before it matters: then any distance will do that keeps rows apart.
 * */
int64_t pitch_at(const struct entry *e, const struct var *v, const int64_t *size)
{
	if (!is_pitched(v))
		return 0;
	int64_t ld = extent_at(e, &v->layout->ld, size);
	int64_t row = extent_at(e, &v->extent[v->layout->col ? 0 : v->rank - 1], size);
	return ld < row ? row : ld;
}

/* Runs the interpreter on b and writes what went in and what came out; false: it was stopped, and
 * the built kernel might not end either. */
static bool put_case(const struct entry *e, int kernel, struct bound *b, int flags, bool leaves_out,
                     FILE *out)
{
	int n = e->size.n + e->param.n;
	int64_t size[NAMES];
	unsigned char **initial = room(n * (int64_t)sizeof *initial);
	for (int k = 0; k < e->size.n; k++)
		memcpy(&size[k], b[k].data, sizeof size[k]);
	for (int i = e->size.n; i < n; i++) {
		int64_t bytes = b[i].cells * type_size(b[i].var->type);
		initial[i] = room(bytes);
		memcpy(initial[i], b[i].data, (size_t)bytes);
	}
	int possible, status = eval_compared(e, b, n, leaves_out, &possible);
	if (status < 0 && leaves_out)
		diag_remark(e->at, "`%s` takes too many steps on one shape, which is left out",
		            e->name);
	if (status < 0)
		return false;
	put_i32(kernel, out);
	put_i32(flags, out);
	put_i32(status, out);
	put_i32(possible > status ? possible : status, out);
	built_put(size, (size_t)e->size.n * sizeof size[0], out);
	for (int i = e->size.n; i < n; i++) {
		size_t bytes = (size_t)(b[i].cells * type_size(b[i].var->type));
		built_put(&b[i].cells, sizeof b[i].cells, out);
		built_put(b[i].extent, (size_t)b[i].var->rank * sizeof b[i].extent[0], out);
		int64_t ld = pitch_at(e, b[i].var, size);
		built_put(&ld, sizeof ld, out);
		built_put(initial[i], bytes, out);
		if (b[i].var->mode != MODE_IN) {
			built_put(b[i].data, bytes, out);
			put_error(&b[i], out);
			put_i32(b[i].order, out);
			built_put(&b[i].moved, sizeof b[i].moved, out);
			put_i32(b[i].group != NULL, out);
			built_put(b[i].group,
			          b[i].group ? (size_t)b[i].moved * sizeof *b[i].group : 0, out);
		}
		free(initial[i]);
		free(b[i].data);
		free(b[i].error);
	}
	free(initial);
	return true;
}

static int put_random(const struct program *p, const struct comparison *c, FILE *out)
{
	static const enum flavour turn[] = { TAME, WIDE, TAME, SPECIAL };
	uint64_t chances = c->seed;
	int cases = 0;
	for (int i = 0; i < p->entry.n; i++) {
		struct sizes *shapes = mem_new(SHAPES_MOST * sizeof *shapes);
		int n = shapes_choose(p->entry.at[i], c->shapes, c->cells, &chances, shapes);
		for (int k = 0; k < n; k++) {
			int flags = (k % 6 == 2   ? SHIFTED
			             : k % 6 == 5 ? APART
			                          : 0)
			            | (k % 2 ? NULLS : 0);
			struct bound *b = bind_all(p->entry.at[i], &shapes[k], turn[k % 4],
			                           &chances);
			cases += put_case(p->entry.at[i], i, b, flags, c->leaves_out, out);
		}
		if (c->along && shape_long(p->entry.at[i], c->along, &chances, shapes)) {
			struct bound *b = bind_all(p->entry.at[i], shapes, TAME, &chances);
			cases += put_case(p->entry.at[i], i, b, 0, c->leaves_out, out);
		}
		for (int k = 0; c->large && k < 2; k++) {
			if (!shape_large(p->entry.at[i], c->large, !k, &chances, shapes))
				continue;
			struct bound *b = bind_all(p->entry.at[i], shapes, turn[(i + k) % 4],
			                           &chances);
			cases += put_case(p->entry.at[i], i, b, 0, c->leaves_out, out);
		}
	}
	return cases;
}

/* The cases of the program's own tests; one that cannot be made ready has been reported. */
static int put_tests(const struct program *p, const struct comparison *c, FILE *out)
{
	int cases = 0;
	for (int i = 0; i < p->test.n; i++)
		for (int k = 0; k < p->test.at[i]->cases.n; k++) {
			const struct test_case *t = p->test.at[i]->cases.at[k];
			struct bound *b = case_bind(t, c->seed);
			cases += b
			         && put_case(t->entry, kernel_number(p, t->entry), b, 0, false,
			                     out);
		}
	return cases;
}

static void data_print(const struct program *p, const struct comparison *c, FILE *out)
{
	built_put("PATCDAT4", 8, out);
	put_i32(0, out);
	int32_t cases = put_random(p, c, out);
	cases += put_tests(p, c, out);
	if (fseek(out, 8, SEEK_SET))
		fail_io("cannot write the data file: %s", strerror(errno));
	put_i32(cases, out);
}

/* ---- the whole comparison ---- */

static struct fn *fn_named(const struct program *p, const char *name)
{
	for (int i = 0; i < p->fn.n; i++)
		if (!strcmp(p->fn.at[i]->name, name))
			return p->fn.at[i];
	return NULL;
}

static void meanings(const struct program *p)
{
	for (int i = 0; i < p->fn.n; i++) {
		struct fn *f = p->fn.at[i], *means;
		if (!f->from || !(means = fn_named(p, str_print("%s_reference", f->name))))
			continue;
		bool equal = means->type == f->type && means->param.n == f->param.n
		             && !means->size.n && !means->fails;
		for (int k = 0; equal && k < f->param.n; k++)
			equal = means->param.at[k]->type == f->param.at[k]->type;
		if (!equal)
			fail_usage("%s and %s_reference differ in their types", f->name, f->name);
		f->meaning = means;
	}
}

bool compare_write(struct program *p, const struct options *given, const struct comparison *c,
	const char *dir, const char *stem)
{
	int errors = diag_errors();
	if (!driver_fits(p))
		return false;
	meanings(p);
	char *data = str_print("%s/%s.dat", dir, stem),
	     *driver = str_print("%s/%s_check.c", dir, stem);
	FILE *f;
	if (!c->no_data) {
		f = built_open(data);
		data_print(p, c, f);
		built_close(f, data);
	}
	f = built_open(driver);
	driver_print(p, given->target, stem, f);
	built_close(f, driver);
	built_text(dir, "cells.h", rt_cells);
	built_text(dir, "check.h", rt_check);
	return built_program(p, given, dir, stem) && diag_errors() == errors;
}
