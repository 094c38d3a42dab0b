/* work.c - counts the bytes and operations of a statement for each cell, from the graph, and
 * computes its roofline.
 *
 * The unit is a cell of the domain, or a term where a fold runs as far as a size; folds and loops
 * of constant length belong to the cell.  Bytes: every cell of memory counts once, however often it
 * is read, since the neighbours' reads meet it again in a cache: reads of one array at constant
 * offsets are one stream.  An array that does not take part in every index (v[j] in a plane) is
 * read again and again from a cache and counts nothing; what an earlier equation, or the statement
 * a fold stands after, has just computed is in a register.  Cells in which items meet, as data
 * say, count nothing: they may be few, and stay where they are combined. Structs count whole, for
 * memory moves them whole.  Operations count as written, both arms of a ?: included; subscripts and
 * changes of sign are free.
 *
 * Bound: the longer of two times.  A machine moves between its copy and its read ceiling by the
 * share of reads.  Operations go at the data sheet's rate, which counts two for an FMA; an integer
 * operation takes the place of one, a function of several steps that of SLOW, fewer than any
 * machine here needs.  The two operations of a product's term go at the rate of the matrix unit
 * that its lowering takes (node->united), if the machine has it.  So it is a bound, not a forecast.
 * */
#include <string.h>
#include "ask.h"
#include "matrix.h"
#include "running.h"
#include "sorting.h"
#include "work.h"

enum { SLOW = 4, MAX_PLACES = 2 * MAX_RANK };

/* ---- indices: those of the domain first, then those of the folds around; one number an index ----
 * */

struct place { const struct var *var; int number; bool large; double extent; };
struct sub {
	bool is_affine;
	int n;
	struct {
		int number;
		int64_t coef;
	} term[MAX_RANK];
	int64_t constant;
	const char *text;
};
struct stream { const struct var *var; struct sub *sub; bool written, read; };   /* a sub an axis */

struct called { int times; struct work work; };       /* a call's, from the second on */

struct counting {
	struct work *work;
	const struct node *node;
	LIST(struct place) place;
	int larges;                     /* of the unit: domain indices and folds as long as sizes */
	int depth;                           /* folds around */
	int bodies;                          /* of functions around: they name arrays otherwise */
	LIST(const struct expr *) fold;      /* counted */
	struct map called;                   /* struct called *, of a fn */
	LIST(struct stream) stream;
	LIST(struct stream) fresh;           /* in registers */
};

static const struct place *place_of(const struct counting *c, const struct var *var)
{
	for (int i = c->place.n; i-- > 0;)
		if (c->place.at[i].var == var)
			return &c->place.at[i];
	return NULL;
}

/* ---- streams: which reads are the same cells, sooner or later ---- */

static struct sub sub_of(const struct counting *c, const struct expr *e)
{
	struct sub s = { .is_affine = false };
	struct affine a;
	if (!affine_of(e, &a)) {
		FILE *text = text_open();
		expr_print(e, text);
		s.text = str_name(text_close(text));
		return s;
	}
	s.is_affine = true;
	s.constant = a.constant;
	for (s.n = 0; s.n < a.n; s.n++) {
		const struct place *p = place_of(c, a.term[s.n].var);
		s.term[s.n].number = p ? p->number : MAX_PLACES + a.term[s.n].var->id;
		s.term[s.n].coef = a.term[s.n].coef;
	}
	return s;
}

/* Equal, or apart by a constant that another cell's index makes up for. */
static bool same_sub(const struct sub *a, const struct sub *b, bool shifted)
{
	int64_t step = 0;
	if (a->is_affine != b->is_affine || a->n != b->n || a->text != b->text)
		return false;
	for (int t = 0; t < a->n; t++) {
		if (a->term[t].number != b->term[t].number || a->term[t].coef != b->term[t].coef)
			return false;
		if (a->term[t].number < MAX_PLACES)
			step = gcd(step, a->term[t].coef);
	}
	int64_t apart = 0;
	bool near = !__builtin_sub_overflow(a->constant, b->constant, &apart);
	return apart == 0 || (shifted && step && near && apart % step == 0);
}

static struct stream *stream_find(const struct stream *at, int n, const struct stream *s,
                                  bool shifted)
{
	for (int i = 0; i < n; i++) {
		bool same = at[i].var == s->var;
		for (int a = 0; same && a < s->var->rank; a++)
			same = same_sub(&at[i].sub[a], &s->sub[a], shifted);
		if (same)
			return (struct stream *)&at[i];
	}
	return NULL;
}

static struct stream stream_of(const struct counting *c, const struct expr *cell)
{
	struct stream s = { .var = cell->var,
		            .sub = mem_new(sizeof *s.sub * (size_t)cell->var->rank) };
	for (int a = 0; a < cell->var->rank; a++)
		s.sub[a] = sub_of(c, cell->arg.at[a]);
	return s;
}

static void note_access(struct counting *c, const struct expr *cell, bool write)
{
	struct stream s = stream_of(c, cell);
	if (cell->var->on_chip)
		return;
	if (!write && stream_find(c->fresh.at, c->fresh.n, &s, false))
		return;
	c->work->reads += !write;
	struct stream *old = stream_find(c->stream.at, c->stream.n, &s, true);
	c->work->shifted |= old && !write && !stream_find(old, 1, &s, false);
	if (!old) {
		list_add(&c->stream, s);
		old = &c->stream.at[c->stream.n - 1];
	}
	old->read |= !write;
	old->written |= write;
}

/* The indices of one subscript: whether one is large, else over how many cells they run in a cell's
 * work. */
static bool large_sub(const struct counting *c, const struct sub *sub, bool *used, double *cells)
{
	bool large = false;
	double fixed = 1;
	for (int t = 0; t < sub->n; t++)
		for (int p = 0; p < c->place.n; p++) {
			const struct place *place = &c->place.at[p];
			if (place->number != sub->term[t].number)
				continue;
			large |= place->large;
			used[place->number] |= place->large;
			fixed = place->large ? fixed : place->extent;
		}
	*cells *= large ? 1 : fixed;
	return large;
}

/* How many cells of the stream a cell of the domain (or a term) has to itself: 0 if it shares them
 * all.  The first so many numbers are of its indices, so many of them large. */
static double share_of(const struct counting *c, const struct stream *s, int numbers, int least)
{
	bool used[MAX_PLACES] = { false };
	int axes = 0, larges = 0;
	double cells = 1;
	for (int a = 0; a < s->var->rank; a++) {
		if (!s->sub[a].is_affine)
			return 1;   /* data or arithmetic say which: one each, as far as is known */
		axes += large_sub(c, &s->sub[a], used, &cells);
	}
	for (int p = 0; p < numbers; p++)
		larges += used[p];
	return axes >= least && larges >= least ? cells : 0;
}

/* Indices whose ranges sizes give, of folds inside each other: at most so many. */
static int fold_lengths(const struct expr *e)
{
	int larges = 0, inside = 0;
	for (int d = 0; expr_folds(e) && d < e->fold->index.n; d++)
		larges += affine_cells(e->fold->lo.at[d], e->fold->hi.at[d]) < 0;
	for (int a = 0; a < e->arg.n; a++) {
		int each = fold_lengths(e->arg.at[a]);
		inside = each > inside ? each : inside;
	}
	return larges + inside;
}

static int node_lengths(const struct node *node)
{
	int longest = 0;
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *right = node->equation.at[q]->right;
		int each = right ? fold_lengths(right) : 0;
		longest = each > longest ? each : longest;
	}
	return longest;
}

/* Each term reads caches; a cell has what no other cell of the domain has. */
static void sum_cached(struct counting *c)
{
	struct work *w = c->work;
	const int numbers = c->node->index.n, larges = c->larges - node_lengths(c->node);
	for (int i = 0; i < c->stream.n; i++) {
		const struct stream *s = &c->stream.at[i];
		double size = (double)type_size(s->var->type);
		double bytes = larges ? size * share_of(c, s, numbers, larges) : 0;
		w->cached += s->read ? size : 0;
		w->cell.read += s->read ? bytes : 0;
		w->cell.written += s->written ? bytes : 0;
	}
}

static bool by_data(const struct stream *s)
{
	bool known = true;
	for (int a = 0; a < s->var->rank; a++)
		known = known && s->sub[a].is_affine;
	return !known;
}

/* No index is in the last subscript. */
static bool is_column(const struct stream *s)
{
	const struct sub *last = s->var->rank > 1 ? &s->sub[s->var->rank - 1] : NULL;
	bool indexed = !last || !last->is_affine;
	for (int t = 0; last && t < last->n; t++)
		indexed |= last->term[t].number < MAX_PLACES;
	return !indexed;
}

static void sum_streams(struct counting *c)
{
	struct work *w = c->work;
	for (int i = 0; i < c->stream.n; i++) {
		const struct stream *s = &c->stream.at[i];
		int64_t size = type_size(s->var->type);
		double bytes = share_of(c, s, MAX_PLACES, c->larges) * (double)size;
		struct moved_stream moved = { .array = s->var->name,
			                      .read = s->read ? bytes : 0,
			                      .written = s->written ? bytes : 0, .size = size,
			                      .structs = s->var->type->kind == T_STRUCT,
			                      .by_data = by_data(s), .column = is_column(s) };
		list_add(&w->stream, moved);
		w->read += s->read ? bytes : 0;
		w->written += s->written ? bytes : 0;
		w->streams += s->read && bytes > 0;
		w->widest = size > w->widest ? size : w->widest;
	}
	if (w->of_term && w->read + w->written <= 0 && c->node->choice.stage != STAGE_SHARED)
		sum_cached(c);
}

/* ---- operations ---- */

static bool is_quick(enum math m)
{
	static const enum math quick[] = { M_abs,      M_min,   M_max,      M_clamp,    M_fma,
		                           M_copysign, M_fmin,  M_fmax,     M_fabs,     M_fdim,
		                           M_floor,    M_ceil,  M_round,    M_rint,     M_trunc,
		                           M_isnan,    M_isinf, M_isfinite, M_popcount, M_clz,
		                           M_ctz };
	for (size_t i = 0; i < sizeof quick / sizeof *quick; i++)
		if (quick[i] == m)
			return true;
	return false;
}

static void note_name(struct work *w, const char *name, double times)
{
	int i = 0;
	while (i < w->operation.n && strcmp(w->operation.at[i].name, name))
		i++;
	if (i == w->operation.n)
		list_add(&w->operation, ((struct count){ name, 0 }));
	w->operation.at[i].times += times;
}

static void note_operation(struct counting *c, const char *name, const struct type *of, bool slow,
                           double times)
{
	struct work *w = c->work;
	if (times <= 0)
		return;
	if (type_class(of) == 'F' && type_compute(of) == type_scalar(T_F64)) {
		w->f64 += times;
		w->slow64 += slow ? times : 0;
	} else if (type_class(of) == 'F') {
		w->f32 += times;
		w->slow32 += slow ? times : 0;
	} else {
		w->integer += times;
	}
	note_name(w, name, times);
}

static void count_expr(struct counting *, const struct expr *, double times);

static void count_args(struct counting *c, const struct expr *e, double times)
{
	for (int a = 0; a < e->arg.n; a++)
		count_expr(c, e->arg.at[a], times);
}

/* Those that are computed, or read: the others cost nothing. */
static void count_subscripts(struct counting *c, const struct expr *e, double times)
{
	for (int a = e->kind == E_ELEM && !e->var; a < e->arg.n; a++)
		if (!affine_of(e->arg.at[a], &(struct affine){ 0 }))
			count_expr(c, e->arg.at[a], times);
}

/* The fold's indices, each its own number; returns how often the body runs in a cell, or 1 for a
 * term. */
static double open_fold(struct counting *c, const struct fold *fold)
{
	double times = 1;
	for (int d = 0; d < fold->index.n; d++) {
		double extent = (double)affine_cells(fold->lo.at[d], fold->hi.at[d]);
		int number = c->node->index.n + c->depth + d;
		number = number < MAX_PLACES ? number : MAX_PLACES - 1;
		list_add(&c->place,
		         ((struct place){ fold->index.at[d], number, extent < 0, extent }));
		times *= extent < 0 ? 1 : extent;
	}
	c->depth += fold->index.n;
	return times;
}

static const char *op_name(const struct op *op)
{
	switch (op->kind) {
	case OPK_SUM: return "+";
	case OPK_PROD: return "*";
	case OPK_BITAND: return "&";
	case OPK_BITOR: return "|";
	case OPK_BITXOR: return "^";
	case OPK_MIN:
	case OPK_MAX:
	case OPK_ALL:
	case OPK_ANY:
	case OPK_COUNT:
	case OPK_ARGMIN:
	case OPK_ARGMAX:
	case OPK_USER: break;
	}
	return op->name;
}

static void count_fn(struct counting *, const struct fn *, double times);

/* A matrix unit multiplies and adds.  Operands are computed as a tile of them is brought, which
 * many terms share: they count nothing, and so do their bytes. */
static void count_product(struct counting *c, const struct expr *e, double times)
{
	count_args(c, e, 0);
	note_operation(c, "*", e->type, false, times);
	c->work->unit = c->node->united.unit;
	c->work->united += 2 * times;
}

/* Once, wherever its value is wanted.  Where terms are counted, what is outside of their fold is
 * work of a cell, which has many. */
static void count_fold(struct counting *c, const struct expr *e, double times)
{
	const struct fold *fold = e->fold;
	c->work->at_least |= fold->sorted || fold->handed;
	if (fold->handed)
		return;                      /* nobody knows how many of its cells are read */
	if (!expr_folds(e)) {
		count_args(c, e, times);
		return;
	}
	if (c->work->of_term && !c->depth && fold_lengths(e))
		times = 1;
	for (int f = 0; f < c->fold.n; f++)
		if (c->fold.at[f] == e)
			return;
	list_add(&c->fold, e);
	times *= open_fold(c, fold);
	if (e == c->node->united.fold)
		count_product(c, e, times);
	else
		count_args(c, e, times);
	if (fold->where)
		count_expr(c, fold->where, times);
	if (fold->op->kind == OPK_USER)
		count_fn(c, fold->op->fn, times);
	else
		note_operation(c, op_name(fold->op), e->type, false, times);
	c->depth -= fold->index.n;
}

static void count_inner(struct counting *c, struct inner *const *at, int n, double times)
{
	for (int i = 0; i < n; i++) {
		const struct inner *s = at[i];
		double passes = 1;
		if (s->kind == N_FOR)
			passes = (double)affine_cells(s->a, s->b);
		c->work->at_least |= s->kind == N_WHILE || passes < 0;
		passes = passes < 0 ? 1 : passes;
		if (s->a && s->kind != N_FOR)
			count_expr(c, s->a, times);
		count_inner(c, s->body.at, s->body.n, times * passes);
		count_inner(c, s->otherwise.at, s->otherwise.n, times * passes);
	}
}

static void count_body(struct counting *c, const struct fn *fn, double times)
{
	c->bodies++;
	if (fn->value)
		count_expr(c, fn->value, times);
	count_inner(c, fn->body.at, fn->body.n, times);
	c->bodies--;
}

static void add_work(struct work *to, const struct work *one, double times)
{
	to->f32 += one->f32 * times;
	to->f64 += one->f64 * times;
	to->slow32 += one->slow32 * times;
	to->slow64 += one->slow64 * times;
	to->integer += one->integer * times;
	for (int i = 0; i < one->operation.n; i++)
		note_name(to, one->operation.at[i].name, one->operation.at[i].times * times);
}

/* A body is counted twice, however many call it: the first call's folds are its own, all others
 * cost alike. */
static void count_fn(struct counting *c, const struct fn *fn, double times)
{
	struct work *outer = c->work;
	void **at = map_at(&c->called, fn);
	struct called *called = *at ? *at : (*at = NEW(struct called));
	if (++called->times == 1) {
		count_body(c, fn, times);
		return;
	}
	if (called->times == 2) {
		c->work = &called->work;
		count_body(c, fn, 1);
		c->work = outer;
	}
	add_work(outer, &called->work, times);
}

static void count_expr(struct counting *c, const struct expr *e, double times)
{
	switch (e->kind) {
	case E_CONST: case E_VAR:
		return;
	case E_READ:
		if (!c->bodies)
			note_access(c, e, false);
		c->work->loads += times;
		count_subscripts(c, e, times);
		return;
	case E_ELEM:
		if (!e->var)
			count_expr(c, e->arg.at[0], times);
		count_subscripts(c, e, times);
		return;
	case E_FIELD: case E_STRUCT: case E_CAST: case E_OR_ZERO:
		count_args(c, e, times);
		return;
	case E_UNARY:
		count_args(c, e, times);
		if (e->op != OP_NEG)
			note_operation(c, operation_text[e->op], e->type, false, times);
		return;
	case E_BINARY:
		count_args(c, e, times);
		note_operation(c, operation_text[e->op], e->arg.at[0]->type,
		               e->op == OP_DIV || e->op == OP_REM, times);
		return;
	case E_COND:
		count_args(c, e, times);
		note_operation(c, "?:", e->arg.at[0]->type, false, times);
		return;
	case E_CALL:
		count_args(c, e, times);
		count_fn(c, e->fn, times);
		return;
	case E_MATH:
		count_args(c, e, times);
		note_operation(c, math_table[e->math].name, e->arg.at[0]->type, !is_quick(e->math),
		               times * (e->arg.n > 3 ? e->arg.n - 1 : 1));
		return;
	case E_FOLD:
		count_fold(c, e, times);
		return;
	}
}

/* ---- statements ---- */

static void count_right(struct counting *c, const struct equation *eq, double times)
{
	const struct recurrence *r = eq->recurrence;
	if (eq->right)
		count_expr(c, eq->right, times);
	for (int k = 0; r && k < MAX_ORDER; k++) {
		if (!r->weight[k] && !r->bare[k])
			continue;
		if (r->weight[k]) {
			count_expr(c, r->weight[k], times);
			note_operation(c, op_name(r->dist), r->type, false, times);
		}
		note_operation(c, op_name(r->acc), r->type, false, times);
	}
	if (r && r->rest)
		count_expr(c, r->rest, times);
}

static bool is_met(const struct equation *eq, const struct expr *cell)
{
	bool known = true;
	for (int a = 0; a < cell->arg.n; a++)
		known = known && affine_of(cell->arg.at[a], &(struct affine){ 0 });
	return eq->combine && !known;
}

static void count_target(struct counting *c, const struct equation *eq, const struct expr *cell,
                         double times)
{
	count_subscripts(c, cell, times);
	if (eq->combine)
		note_operation(c, op_name(eq->combine), eq->right->type, false, times);
	if (is_met(eq, cell)) {
		c->work->met += times;
		return;
	}
	note_access(c, cell, true);
	if (eq->combine)
		note_access(c, cell, false);
	list_add(&c->fresh, stream_of(c, cell));
}

static void count_equations(struct counting *c, const struct node *node, double times)
{
	const struct running *r = node->running;
	if (node->where)
		count_expr(c, node->where, times);
	if (r && r->cell && r->segment != SEGMENT_OFFSETS)
		count_expr(c, r->cell, times);
	if (node->sorting && node->sorting->value)
		count_expr(c, node->sorting->key, times);
	for (int q = 0; q < node->equation.n; q++) {
		const struct equation *eq = node->equation.at[q];
		count_right(c, eq, times);
		for (int t = 0; t < eq->target.n; t++) {
			const struct expr *cell = target_read(eq->target.at[t]);
			if (cell->kind == E_READ)
				count_target(c, eq, cell, times);
		}
	}
}

/* A fold after the cells: its indices are theirs. */
static void count_behind(struct counting *c, const struct node *node)
{
	struct folds folds = { .n = 0 };
	for (int q = 0; q < node->equation.n; q++)
		folds_of(node->equation.at[q]->right, &folds);
	for (int f = 0; f < folds.n; f++) {
		const struct expr *e = folds.at[f];
		for (int d = 0; d < e->fold->index.n; d++)
			list_add(&c->place, ((struct place){ e->fold->index.at[d], d, true, -1 }));
		count_args(c, e, 1);
		if (e->fold->where)
			count_expr(c, e->fold->where, 1);
		note_operation(c, op_name(e->fold->op), e->type, false, 1);
	}
}

/* A statement on the same rows: its first indices are theirs, its cells lie as the terms do. */
static void count_mate(struct counting *c, const struct node *node)
{
	double extent = -1;
	for (int d = 0; d < node->index.n; d++) {
		extent = d < c->node->index.n
		                 ? -1
		                 : (double)affine_cells(node->lo.at[d], node->hi.at[d]);
		list_add(&c->place, ((struct place){ node->index.at[d], d, extent < 0, extent }));
	}
	count_equations(c, node, node_lengths(node) ? 0 : extent < 0 ? 1 : extent);
}

/* Rows whose range the index bounds are as long as they are: terms are counted, not terms of every
 * cell. */
static bool no_row(struct expr *e, void *index)
{
	for (int d = 0; e->kind == E_FOLD && e->fold->cut && d < e->fold->index.n; d++)
		if (fold_bounds_use(e->fold, d, index))
			return false;
	return true;
}

struct work work_of(const struct node *node)
{
	struct work work = { 0 };
	struct counting c = { .work = &work, .node = node };
	int terms = node_lengths(node);
	for (int d = 0; d < node->index.n; d++) {
		bool is_large = node_walk((struct node *)node, no_row, node->index.at[d]);
		list_add(&c.place,
		         ((struct place){ node->index.at[d], d, is_large, is_large ? -1 : 1 }));
		c.larges += is_large;
	}
	c.larges += terms;
	work.of_term = terms > 0;
	count_equations(&c, node, terms ? 0 : 1);
	/* after a fold they are work of a cell, which has many terms */
	for (int e = 0;
	     !terms && node->group && node->group->anchor == node && e < node->group->epilogue.n;
	     e++)
		count_behind(&c, node->group->epilogue.at[e]);
	for (int i = 0; node->group && node->group->anchor == node && i < node->group->mate.n; i++)
		if (node->group->mate.at[i] != node)
			count_mate(&c, node->group->mate.at[i]);
	sum_streams(&c);
	return work;
}

/* ---- machines ---- */

const struct machine *machine_of(const struct target *t, const char *name)
{
	name = name ? name : t->machine;
	for (const struct machine *m = t->machines; m && m->name; m++)
		if (!strcmp(m->name, name))
			return m;
	return NULL;
}

const char *machine_names(const struct target *t)
{
	const char *list = "";
	for (const struct machine *m = t->machines; m && m->name; m++)
		list = str_print("%s%s%s", list, *list ? ", " : "", m->name);
	return list;
}

double work_moving(double read, double written, const struct machine *m)
{
	double all = read + written, reads = all > 0 ? read / all : 0;
	double rate = reads <= 0.5 ? m->copy : m->copy + (m->read - m->copy) * (2 * reads - 1);
	return all / rate * 1e-9;
}

double work_cells_a_second(const struct work *w, const struct machine *m)
{
	double seconds = work_moving(w->cell.read, w->cell.written, m);
	return seconds > 0 ? 1 / seconds : 0;
}

/* Tflop/s; 0: the machine has no such unit, or its data sheet no rate of it. */
static double unit_rate(const struct matrix_unit *u, const struct machine *m)
{
	const struct unit_rates *r = &m->units;
	switch (u->left) {
	case T_F16: case T_BF16: return r->f16;
	case T_F64: return r->f64;
	case T_I8: case T_U8: return r->i8;
	case T_F8E4M3: case T_F8E5M2: return r->f8;
	default: break;
	}
	return u->precision == PRECISION_OWN ? r->f32
	       : u->precision == PRECISION_TF32 ? r->tf32 : r->tf32 / 3;
}

double work_unit_rate(const struct work *w, const struct machine *m)
{
	return w->unit ? unit_rate(w->unit, m) : 0;
}

bool work_on_units(const struct work *w, const struct machine *m)
{
	return work_unit_rate(w, m) > 0;
}

/* Seconds of plain cores and of matrix units.  An integer instruction takes the place of an FMA,
 * which the rate counts as two flops. */
static double computing(const struct work *w, const struct machine *m)
{
	double in32 = w->f32 + 2 * w->integer + 2 * (SLOW - 0.5) * w->slow32,
	       in64 = w->f64 + 2 * (SLOW - 0.5) * w->slow64, units = 0;
	if (work_on_units(w, m)) {
		units = w->united / unit_rate(w->unit, m);
		if (w->unit->sum == T_F64)
			in64 -= w->united;
		else
			in32 -= (w->unit->sum == T_I32 ? 2 : 1) * w->united;
	}
	return (in32 / m->f32 + in64 / m->f64 + units) * 1e-12;
}

struct roofline work_roofline(const struct work *w, const struct machine *m)
{
	double moved = work_moving(w->read, w->written, m);
	double computed = computing(w, m);
	if (w->cached > 0 || (moved <= 0 && computed <= 0))
		return (struct roofline){ NULL, 0 };    /* of caches a machine's rows say nothing */
	if (moved >= computed)
		return (struct roofline){ "memory-bound", 1 / moved };
	return (struct roofline){ "compute-bound", 1 / computed };
}
