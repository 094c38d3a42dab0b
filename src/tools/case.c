/* case.c - prepares a case of a test (its sizes and arrays), and runs it.
 *
 * Sizes first: those given, then those that follow from the shape of what is given, one axis with
 * one unknown size at a time; every axis is checked against the sizes in the end, so that two that
 * disagree are named together.  Then memory is added up, and only then are cells made: from the
 * values, from the file (its header was read for its shape), from chance, or zero for what the
 * kernel only writes.  What chance gives a parameter depends on the seed and its name alone.
 *
 * A kernel that is called and not interpreted may have arrays that are larger than what anyone
 * would make here or write to a file: of those that one value fills a cell is made, of random ones
 * so many cells as the caller says.
 *
 * Sizes that no array can have (negative, or beyond 2^63 cells) are not refused here: what the
 * kernel says of them is what a test may want to know.  It says so before it touches a cell. */
#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "npy.h"
#include "sample.h"

static const int64_t MADE_BYTES = INT64_C(8) << 30;

struct known_size { int64_t value; bool known; struct loc at; const char *by; };
struct work {
	const struct test_case *c;
	const struct entry *entry;
	struct known_size *size;
	struct array_file *file;        /* per given */
	int64_t period, *made;          /* case_bind_short: made per parameter; else NULL */
};

/* ---- files ---- */

static bool say_fault(const struct given *g, struct fault fault)
{
	if (!fault.why)
		return true;
	diag_error(g->at, D_CASE_FILE, "`%s` from '%s': %s", g->var->name, g->path, fault.why);
	if (fault.cure)
		diag_cure("%s", fault.cure);
	return false;
}

static bool rank_fits(const struct given *g, const struct array_file *f)
{
	if (f->rank < 0 || f->rank == g->var->rank)
		return true;
	diag_error(g->at, D_CASE_FILE, "`%s` from '%s': it has %d ax%s, and `%s` has %d",
	           g->var->name, g->path, f->rank, f->rank == 1 ? "is" : "es", g->var->name,
	           g->var->rank);
	return false;
}

/* Opens every file, so that its shape is known; a raw one tells the length of a single axis. */
static bool files_open(struct work *w)
{
	bool good = true;
	for (int i = 0; i < w->c->given.n && good; i++) {
		const struct given *g = &w->c->given.at[i];
		struct array_file *f = &w->file[i];
		if (g->kind != GIVEN_FILE)
			continue;
		good = say_fault(g, array_open(f, g->path, g->raw, g->var->type))
		       && rank_fits(g, f);
		if (f->raw && f->bytes >= 0 && g->var->rank == 1)
			f->rank = 1, f->extent[0] = f->bytes / type_size(g->var->type);
	}
	return good;
}

static void files_close(struct work *w)
{
	for (int i = 0; i < w->c->given.n; i++)
		array_close(&w->file[i]);
}

/* ---- sizes ---- */

static int size_number(const struct entry *e, const struct var *v)
{
	for (int k = 0; k < e->size.n; k++)
		if (e->size.at[k] == v)
			return k;
	return -1;
}

/* The extents of what is given; NULL when it has none of its own. */
static const int64_t *extents_given(const struct work *w, int i)
{
	const struct given *g = &w->c->given.at[i];
	if (g->kind == GIVEN_VALUES)
		return g->fills || !g->var->rank ? NULL : g->extent;
	return g->kind == GIVEN_FILE && w->file[i].rank > 0 ? w->file[i].extent : NULL;
}

static bool value_of(const struct given *g, void *to)
{
	for (int i = 0; i < g->part.n; i++)
		if (!eval_value(g->part.at[i].value, (char *)to + g->part.at[i].offset))
			return false;
	return true;
}

static bool sizes_given(struct work *w)
{
	for (int i = 0; i < w->c->given.n; i++) {
		const struct given *g = &w->c->given.at[i];
		if (g->var->kind != VAR_SIZE)
			continue;
		struct known_size *s = &w->size[size_number(w->entry, g->var)];
		if (g->kind != GIVEN_VALUES) {
			diag_error(g->at, D_CASE_VALUE, "the size `%s` is a number", g->var->name);
			return false;
		}
		if (!value_of(g, &s->value))
			return false;
		*s = (struct known_size){ s->value, true, g->at, "given" };
	}
	return true;
}

/* The extent with every size but one known: the sum of the rest, and that one; NULL: there are
 * more, or it overflows. */
static struct known_size *sole_unknown(struct work *w, const struct affine *a, int64_t *rest,
	int64_t *coef)
{
	struct known_size *found = NULL;
	*rest = a->constant;
	for (int t = 0; t < a->n; t++) {
		struct known_size *s = &w->size[size_number(w->entry, a->term[t].var)];
		int64_t part;
		if (!s->known && found)
			return NULL;
		if (!s->known) {
			found = s, *coef = a->term[t].coef;
		} else if (__builtin_mul_overflow(a->term[t].coef, s->value, &part)
		           || __builtin_add_overflow(*rest, part, rest)) {
			return NULL;
		}
	}
	return found;
}

static bool solve_axis(struct work *w, int i, int axis, int64_t cells)
{
	const struct given *g = &w->c->given.at[i];
	int64_t rest, coef, left;
	struct known_size *s = sole_unknown(w, &g->var->extent[axis], &rest, &coef);
	if (!s || __builtin_sub_overflow(cells, rest, &left) || left % coef || left / coef < 0)
		return false;
	*s = (struct known_size){ left / coef, true, g->at,
		                  str_print("axis %d of `%s`, which has %" PRId64 " cell%s",
		                            axis + 1, g->var->name, cells,
		                            cells == 1 ? "" : "s") };
	return true;
}

static void sizes_solve(struct work *w)
{
	bool more = true;
	while (more) {
		more = false;
		for (int i = 0; i < w->c->given.n; i++) {
			const int64_t *extent = extents_given(w, i);
			for (int k = 0; extent && k < w->c->given.at[i].var->rank; k++)
				more |= solve_axis(w, i, k, extent[k]);
		}
	}
}

/* 0: not known, or -1: overflows; 1 */
static int extent_now(const struct work *w, const struct affine *a, int64_t *extent)
{
	*extent = a->constant;
	for (int t = 0; t < a->n; t++) {
		const struct known_size *s = &w->size[size_number(w->entry, a->term[t].var)];
		int64_t part;
		if (!s->known)
			return 0;
		if (__builtin_mul_overflow(a->term[t].coef, s->value, &part)
		    || __builtin_add_overflow(*extent, part, extent))
			return -1;
	}
	return 1;
}

/* A leading dimension is the caller's business, and here is no caller: rows lie close. */
static void sizes_pitch(struct work *w)
{
	for (int i = 0; i < w->entry->param.n; i++) {
		const struct var *v = w->entry->param.at[i];
		int64_t row, rest, coef, left;
		if (!v->layout || !v->layout->pitched
		    || extent_now(w, &v->extent[v->layout->col ? 0 : v->rank - 1], &row) <= 0)
			continue;
		struct known_size *s = sole_unknown(w, &v->layout->ld, &rest, &coef);
		if (s && !__builtin_sub_overflow(row, rest, &left) && coef > 0)
			*s = (struct known_size){ (left > 0 ? left + coef - 1 : 0) / coef, true,
				                  v->at, "a row" };
	}
}

static const char *times(const char *text, const struct known_size *s, const char *name)
{
	return str_print("%s%s%s is %" PRId64 " (%s)", text, *text ? ", " : "", name, s->value,
	                 s->by);
}

static bool clash(const struct work *w, const struct given *g, int axis, int64_t has)
{
	const struct affine *a = &g->var->extent[axis];
	const char *why = "";
	for (int t = 0; t < a->n; t++) {
		const struct known_size *s = &w->size[size_number(w->entry, a->term[t].var)];
		why = s->known ? times(why, s, a->term[t].var->name) : why;
	}
	diag_error(g->at, D_CASE_SIZES,
	           "axis %d of `%s` has %" PRId64 " cell%s here and %s in the kernel%s%s", axis + 1,
	           g->var->name, has, has == 1 ? "" : "s", affine_text(a), *why ? ", where " : "",
	           why);
	return false;
}

/* Is there one size left that would have had to fit? */
static bool is_unsolvable(struct work *w, const struct affine *a)
{
	int64_t rest, coef;
	return sole_unknown(w, a, &rest, &coef);
}

static bool shapes_agree(struct work *w)
{
	for (int i = 0; i < w->c->given.n; i++) {
		const struct given *g = &w->c->given.at[i];
		const int64_t *extent = extents_given(w, i);
		for (int k = 0; extent && k < g->var->rank; k++) {
			int64_t n;
			int known = extent_now(w, &g->var->extent[k], &n);
			if (known ? known < 0 || n != extent[k]
			          : is_unsolvable(w, &g->var->extent[k]))
				return clash(w, g, k, extent[k]);
		}
	}
	return true;
}

static bool sizes_known(const struct work *w)
{
	const char *unknown = "";
	for (int k = 0; k < w->entry->size.n; k++)
		if (!w->size[k].known)
			unknown = str_print("%s%s`%s`", unknown, *unknown ? ", " : "",
			                    w->entry->size.at[k]->name);
	if (!*unknown)
		return true;
	diag_error(w->c->at, D_CASE_MISSING, "cannot infer the size%s %s",
	           strchr(unknown, ',') ? "s" : "", unknown);
	diag_cure("give the size, `n = 100`, or an array from whose shape it follows");
	return false;
}

static bool sizes_find(struct work *w)
{
	if (!files_open(w) || !sizes_given(w))
		return false;
	sizes_solve(w);
	sizes_pitch(w);
	return shapes_agree(w) && sizes_known(w);
}

/* ---- shapes and memory ---- */

/* False: the sizes are none that an array can have. */
static bool shape_of(const struct work *w, const struct var *v, int64_t *extent, int64_t *cells)
{
	bool empty = false;
	*cells = 1;
	for (int k = 0; k < v->rank; k++) {
		if (extent_now(w, &v->extent[k], &extent[k]) < 0 || extent[k] < 0)
			return *cells = 0, false;
		empty |= extent[k] == 0;
	}
	for (int k = 0; k < v->rank && !empty; k++)
		if (__builtin_mul_overflow(*cells, extent[k], cells)
		    || *cells > INT64_MAX / 64 / type_size(v->type))
			return *cells = 0, false;
	*cells = empty ? 0 : *cells;
	return true;
}

static int given_of(const struct test_case *c, const struct var *v)
{
	for (int i = 0; i < c->given.n; i++)
		if (c->given.at[i].var == v)
			return i;
	return -1;
}

/* What is left out is random where a kernel is only called, and reads it. */
static bool is_chosen(const struct work *w, const struct var *v)
{
	int i = given_of(w->c, v);
	return i < 0 ? w->made && v->mode != MODE_OUT : w->c->given.at[i].kind == GIVEN_RANDOM;
}

/* Of so many cells those that data holds. */
static int64_t cells_made(const struct work *w, const struct var *v, int64_t cells)
{
	int i = given_of(w->c, v);
	int64_t most = cells;
	if (!w->made)
		return cells;
	if (is_chosen(w, v))
		most = use_of(w->entry, v).kind == USE_ANY ? w->period : cells;
	else if (i < 0)
		most = 0;
	else if (w->c->given.at[i].kind == GIVEN_VALUES && w->c->given.at[i].fills)
		most = 1;
	return most < cells ? most : cells;
}

/* Adds what the variable needs, its bounds too; saturates. */
static bool weigh(const struct work *w, const struct var *v, int64_t *bytes)
{
	int64_t extent[MAX_RANK], cells, need;
	int64_t each = type_size(v->type) + (w->made ? 0 : (int64_t)sizeof(double));
	if (!shape_of(w, v, extent, &cells))
		return false;
	cells = cells_made(w, v, cells);
	need = cells > INT64_MAX / 2 / each ? INT64_MAX / 2 : cells * each;
	*bytes = *bytes > INT64_MAX / 2 ? *bytes : *bytes + need;
	return true;
}

static bool too_large(const struct work *w, int64_t bytes)
{
	const int64_t most = w->made ? MADE_BYTES : CASE_BYTES;
	if (bytes <= most)
		return false;
	diag_error(w->c->at, D_CASE_MEMORY,
	           "the arrays%s take more than %" PRId64 " MiB: %" PRId64 " MiB",
	           w->made ? "" : " and their error bounds", most >> 20, bytes >> 20);
	diag_cure("%s", w->made ? "use smaller sizes: index arrays and files are held completely "
	                          "in memory"
	                        : "use smaller sizes: the interpreter is for small inputs");
	return true;
}

/* False: reported.  *possible: whether the kernel can run on these sizes. */
static bool memory_suffices(const struct work *w, bool *possible)
{
	int64_t bytes = 0;
	*possible = true;
	for (int k = 0; k < w->entry->size.n; k++)
		*possible &= w->size[k].value >= 0;
	for (int i = 0; i < w->entry->param.n && *possible; i++)
		*possible = weigh(w, w->entry->param.at[i], &bytes);
	for (int i = 0; i < w->entry->let.n && *possible && !w->made; i++)
		*possible = weigh(w, w->entry->let.at[i], &bytes);
	return !*possible || !too_large(w, bytes);
}

/* ---- cells ---- */

static void *room(int64_t bytes)
{
	void *p = calloc((size_t)bytes + 1, 1);
	if (!p)
		fail_io("out of memory");
	return p;
}

static void fill_random(const struct work *w, const struct var *v, uint64_t seed, int64_t made,
                        struct bound *b)
{
	uint64_t state = seed ^ text_hash(v->name);
	bool scalar = v->rank == 0 && v->mode == MODE_IN;
	struct use use = use_of(w->entry, v);
	int64_t size;
	extent_now(w, &use.size, &size);
	sample_use(&state, &use, size, v->type, w->made ? EVEN : TAME, made, b->data);
	for (int64_t i = 0; use.kind == USE_ANY && i < made; i++)
		sample(&state, v->type, TAME, scalar, (char *)b->data + i * type_size(v->type));
}

static bool fill_values(const struct given *g, int64_t made, struct bound *b)
{
	size_t each = (size_t)type_size(g->var->type);
	if (!made)
		return true;
	if (!value_of(g, b->data))
		return false;
	for (int64_t i = 1; g->fills && i < made; i++)
		memcpy((char *)b->data + (size_t)i * each, b->data, each);
	return true;
}

static bool fill_file(const struct given *g, struct array_file *f, struct bound *b)
{
	int64_t need = b->cells * type_size(g->var->type);
	if (f->raw && f->bytes >= 0 && f->bytes != need)
		return say_fault(g, (struct fault){ str_print("it has %" PRId64
		                                              " bytes, and the cells of `%s` "
		                                              "have %" PRId64,
		                                              f->bytes, g->var->name, need),
		                                    NULL });
	return say_fault(g, array_read(f, g->var->type, b->cells, b->data));
}

static bool bind_param(struct work *w, int param, uint64_t seed, bool possible, struct bound *b)
{
	const struct var *v = w->entry->param.at[param];
	int i = given_of(w->c, v);
	if (possible)
		shape_of(w, v, b->extent, &b->cells);
	else
		b->cells = v->rank == 0;
	int64_t made = cells_made(w, v, b->cells);
	b->data = room(made * type_size(v->type));
	if (w->made)
		w->made[param] = made;
	else
		b->error = room(b->cells * (int64_t)sizeof(double));
	if (possible && is_chosen(w, v))
		fill_random(w, v, seed, made, b);
	if (i < 0 || !possible)
		return true;
	switch (w->c->given.at[i].kind) {
	case GIVEN_VALUES: return fill_values(&w->c->given.at[i], made, b);
	case GIVEN_FILE: return fill_file(&w->c->given.at[i], &w->file[i], b);
	case GIVEN_RANDOM: return true;
	}
	return false;
}

/* Every input with cells has a value. */
static bool inputs_given(const struct work *w, const struct bound *b)
{
	const char *missing = "";
	for (int i = 0; i < w->entry->param.n; i++) {
		const struct var *v = w->entry->param.at[i];
		if (v->mode != MODE_OUT && given_of(w->c, v) < 0 && b[w->entry->size.n + i].cells)
			missing = str_print("%s%s`%s`", missing, *missing ? ", " : "", v->name);
	}
	if (!*missing)
		return true;
	diag_error(w->c->at, D_CASE_MISSING, "kernel `%s` reads %s, but no value is given",
	           w->entry->name, missing);
	diag_cure("write `x = [1, 2, 3]`, `x = 0` for all cells, `x = random`, or a file");
	return false;
}

static bool is_random(const struct var *v, void *work)
{
	return is_chosen(work, v);
}

static bool impossible(const struct work *w)
{
	const char *sizes = "";
	for (int k = 0; k < w->entry->size.n; k++)
		sizes = times(sizes, &w->size[k], w->entry->size.at[k]->name);
	diag_error(w->c->at, D_CASE_SIZES, "no arrays of kernel `%s` have such sizes: %s",
	           w->entry->name, sizes);
	return false;
}

static bool bind_all(struct work *w, uint64_t seed, struct bound *b)
{
	bool possible, good = memory_suffices(w, &possible);
	int sizes = w->entry->size.n;
	for (int k = 0; k < sizes; k++) {
		b[k].var = w->entry->size.at[k];
		b[k].data = &w->size[k].value;
	}
	for (int i = 0; i < w->entry->param.n && good; i++) {
		b[sizes + i].var = w->entry->param.at[i];
		good = bind_param(w, i, seed, possible, &b[sizes + i]);
	}
	if (good && possible)
		require_scalars(w->entry, b, is_random, w, &seed);
	if (w->made)
		return good && (possible || impossible(w));
	return good && (!possible || inputs_given(w, b));
}

static int bounds_of(const struct test_case *c)
{
	return c->entry->size.n + c->entry->param.n;
}

struct bound *case_bind(const struct test_case *c, uint64_t seed)
{
	return case_bind_short(c, seed, 0, NULL);
}

struct bound *case_bind_short(const struct test_case *c, uint64_t seed, int64_t period,
                              int64_t *made)
{
	struct work w = { .c = c, .entry = c->entry, .period = period, .made = made };
	struct bound *b = mem_new((size_t)(bounds_of(c) + 1) * sizeof *b);
	w.size = mem_new((size_t)(c->entry->size.n + 1) * sizeof *w.size);
	w.file = mem_new((size_t)(c->given.n + 1) * sizeof *w.file);
	bool good = sizes_find(&w) && bind_all(&w, seed, b);
	files_close(&w);
	if (!good)
		case_free(c, b);
	return good ? b : NULL;
}

int case_run(const struct test_case *c, struct bound *b)
{
	return eval_entry(c->entry, b, bounds_of(c));
}

static bool shape_is(const struct given *g, const int64_t *extent, const struct bound *got)
{
	for (int k = 0; k < g->var->rank; k++)
		if (extent[k] != got->extent[k]) {
			diag_error(g->at, D_TEST_DIFFERS,
			           "axis %d of `%s` has %" PRId64 " cells, expected %" PRId64,
			           k + 1, g->var->name, got->extent[k], extent[k]);
			return false;
		}
	return true;
}

bool case_expected(const struct given *g, const struct bound *got, struct bound *to)
{
	struct array_file f;
	*to = *got;
	to->data = room(got->cells * type_size(g->var->type));
	if (g->kind == GIVEN_VALUES)
		return (g->fills || shape_is(g, g->extent, got)) && fill_values(g, to->cells, to);
	bool good = say_fault(g, array_open(&f, g->path, g->raw, g->var->type)) && rank_fits(g, &f)
		&& (f.rank < 0 || shape_is(g, f.extent, got)) && fill_file(g, &f, to);
	array_close(&f);
	return good;
}

void case_free(const struct test_case *c, struct bound *b)
{
	for (int i = c->entry->size.n; i < bounds_of(c); i++) {
		free(b[i].data);
		free(b[i].error);
		b[i].data = b[i].error = NULL;
	}
}
