/* wave_product.c - the early terms of a fold (Note [early terms] in wave_folds.c) that all cells of
 * a tile have: products.kernel.
 *
 *     wavefront t[i, j] = min[k in i..j](t[i, k] + t[k+1, j] + p[i] * p[k+1] * p[j+1]) ...
 *
 * A term is a function of values along rows, t[i, k] and p[i] * p[k+1], and along columns.  The
 * block brings these operands for the rows and the columns of its tile, some terms at a time, so a
 * value is loaded once for a row or a column of the tile, not for each cell.
 *
 * Cells may have ranges of their own, and conditions: the block first cuts the ranges of all that
 * have early terms to one.  A cell's other early terms are its own (folds_early).  An operand is
 * read at rows and columns that have such cells only, where the cell reads it too. */
#include <string.h>
#include "../cells.h"
#include "ask.h"
#include "ktext.h"
#include "wave_folds.h"
#include "../matmul/product.h"

enum {
	MOST_OPERANDS = 6,
	MOST_WORDS = 4, FEW_WORDS = 2,       /* of a sum */
	CELLS = 4, FEW_CELLS = 2,            /* of a thread, each way; the latter above FEW_WORDS */
	PITCH = FOLDS_TILE + 4,              /* a multiple of what a vector has */
	VECTOR = 16, STAGE_BYTES = 20 * 1024,
	TERMS = 8                            /* of a thread at a time, at most */
};

struct side_value {
	const struct expr *e;
	struct var *placeholder;
	int along;                           /* 0: rows, 1: columns */
	bool deep;
	struct kvar *stage;                  /* some terms of it, in shared memory */
};

struct tile_product {
	struct wave_folds *w;
	const struct shared_fold *of;
	struct expr *term;                   /* the fold, of the placeholders */
	struct var *index;                   /* of the fold */
	LIST(struct side_value) operand;
	int depth, cells;
	struct kx *from, *to;
};

/* ---- which folds ----
 *
 * All cells of a square get a term, also those that have none, of whatever values: so it must have
 * a value for any. */

static bool is_total(const struct expr *);

/* A loop may not end. */
static bool fn_is_total(const struct fn *fn)
{
	return fn->value && is_total(fn->value);
}

/* A subscript may leave its table. */
static bool is_total_here(struct expr *e, void *none)
{
	(void)none;
	return e->kind == E_CALL ? fn_is_total(e->fn) : !(e->kind == E_ELEM && e->var);
}

static bool is_total(const struct expr *e)
{
	return expr_walk((struct expr *)e, is_total_here, NULL);
}

static const struct var *line_index(const struct wave_folds *w, int along)
{
	const struct node *node = w->axes->node;
	return node->index.at[node->wave->order[node->index.n - 2 + along]];
}

static struct expr *placeholder_for(struct tile_product *p, int along, const struct expr *e)
{
	for (int o = 0; o < p->operand.n; o++)
		if (p->operand.at[o].along == along && product_same(p->operand.at[o].e, e))
			return expr_var(p->operand.at[o].placeholder, e->at);
	struct var *v = NEW(struct var);
	*v = (struct var){ .kind = VAR_LOCAL, .name = along ? "right" : "left", .at = e->at,
		           .type = e->type };
	list_add(&p->operand, ((struct side_value){ .e = e, .placeholder = v, .along = along }));
	return expr_var(v, e->at);
}

/* e with placeholders in the place of the operands, the largest parts that use one of the two
 * indices of the cell; NULL: a value of a term runs along both.  A matmul's terms are parted so in
 * product.c, into one value a side. */
static struct expr *parted(struct tile_product *p, const struct expr *e)
{
	bool row = expr_uses(e, line_index(p->w, 0)), column = expr_uses(e, line_index(p->w, 1));
	if (!row && !column && !expr_uses(e, p->index) && !expr_has(e, E_READ))
		return (struct expr *)e;
	if (!row || !column)
		return placeholder_for(p, column, e);
	if (e->kind == E_READ || e->kind == E_VAR || e->kind == E_FOLD)
		return NULL;
	struct expr *copy = expr_bare(e);
	for (int a = 0; a < e->arg.n; a++) {
		struct expr *arg = parted(p, e->arg.at[a]);
		if (!arg)
			return NULL;
		list_add(&copy->arg, arg);
	}
	return copy;
}

/* Does a last subscript use the index of the fold? */
struct depth_search { const struct var *index; bool deep; };

static bool find_deep(struct expr *e, void *state)
{
	struct depth_search *d = state;
	if (e->kind == E_READ && expr_uses(e->arg.at[e->var->rank - 1], d->index))
		d->deep = true;
	return true;
}

/* Threads that have the cells of a tile, and how many such groups a block has. */
static int group_threads(const struct tile_product *p)
{
	return FOLDS_TILE / p->cells * (FOLDS_TILE / p->cells);
}

static int groups(const struct tile_product *p)
{
	return p->w->axes->l->k->block[0] / group_threads(p);
}

static bool operands_fit(struct tile_product *p)
{
	const int least = p->w->axes->l->k->block[0] / FOLDS_TILE;
	int64_t bytes = 0;
	for (int o = 0; o < p->operand.n; o++) {
		struct side_value *v = &p->operand.at[o];
		struct depth_search search = { .index = p->index };
		if (!strchr("BIUF", type_class(v->e->type)))
			return false;
		expr_walk((struct expr *)v->e, find_deep, &search);
		v->deep = search.deep;
		bytes += type_size(v->e->type);
	}
	p->depth = TERMS * groups(p);
	/* a thread brings one value of an operand at least */
	while (p->depth > least && p->depth * PITCH * bytes > STAGE_BYTES)
		p->depth /= 2;
	return p->operand.n && p->operand.n <= MOST_OPERANDS;
}

static int64_t stage_cells(const struct tile_product *p)
{
	return (int64_t)p->depth * PITCH;
}

/* NULL: it has no such form. */
static struct tile_product *find_product(struct wave_folds *w, const struct shared_fold *s)
{
	struct tile_product *p = NEW(struct tile_product);
	const struct expr *fold = s->branch.at[0].fold;
	*p = (struct tile_product){ .w = w, .of = s, .index = fold->fold->index.at[0] };
	if (w->axes->n < 2 || fold->fold->where || type_words(accumulator_type(fold)) > MOST_WORDS)
		return NULL;
	/* a tile brings what a condition in the term may leave out */
	for (int b = 0; b < s->branch.n; b++)
		if (expr_guarded(s->branch.at[b].fold->arg.at[0]))
			return NULL;
	const struct op *op = fold->fold->op;
	if (!is_total(fold->arg.at[0]) || (op->kind == OPK_USER && !fn_is_total(op->fn)))
		return NULL;
	p->cells = type_words(accumulator_type(fold)) > FEW_WORDS ? FEW_CELLS : CELLS;
	struct expr *body = parted(p, fold->arg.at[0]);
	if (!body || !operands_fit(p))
		return NULL;
	p->term = expr_bare(fold);
	list_add(&p->term->arg, body);
	return p;
}

/* Products of a kernel run one after another, in the same memory. */
static int find_stage(const struct tile_product *p, int operand)
{
	const struct type *type = p->operand.at[operand].e->type;
	for (int i = 0; i < p->w->stage.n; i++) {
		bool taken = p->w->stage.at[i].cells < stage_cells(p)
		             || p->w->stage.at[i].type != type;
		for (int o = 0; o < operand; o++)
			taken |= p->operand.at[o].stage == p->w->stage.at[i].var;
		if (!taken)
			return i;
	}
	return p->w->stage.n;
}

/* Bytes of new memory, with what products.kernel declares; a dry run declares none. */
static int64_t stages(struct tile_product *p, bool dry)
{
	struct wave_folds *w = p->w;
	const int before = w->stage.n, warps = w->axes->l->k->block[0] / w->axes->l->target->lanes;
	int64_t bytes = 2 * FOLDS_TILE * 4 + 2 * 8 + 2 * 8 * warps;
	for (int o = 0; o < p->operand.n; o++) {
		const struct type *type = p->operand.at[o].e->type;
		int i = find_stage(p, o);
		if (i == w->stage.n) {
			struct kernel *k = w->axes->l->k;
			struct kvar *v = dry ? NEW(struct kvar)
			                     : k_shared(k, type, "stage", stage_cells(p));
			v->align = VECTOR;
			list_add(&w->stage, ((struct operand_stage){ v, type, stage_cells(p) }));
			bytes += stage_cells(p) * type_size(type);
		}
		p->operand.at[o].stage = w->stage.at[i].var;
	}
	if (dry)
		w->stage.n = before;
	return bytes;
}

struct kx *product_from(const struct tile_product *p)
{
	return p->from;
}

struct kx *product_to(const struct tile_product *p)
{
	return p->to;
}

/* ---- what products.kernel leaves open ---- */

static struct accumulator sum_of(const struct tile_product *p)
{
	const struct expr *fold = p->of->branch.at[0].fold;
	return (struct accumulator){ .op = fold->fold->op, .of = fold->type,
		                     .type = accumulator_type(fold) };
}

static struct accumulator extreme(enum op_kind which, struct kvar *var)
{
	const struct type *i64 = type_scalar(T_I64);
	return (struct accumulator){ .op = op_own(which), .of = i64, .type = i64, .var = var };
}

static struct kx *limit(struct lowering *l, enum op_kind which)
{
	const struct accumulator a = extreme(which, NULL);
	return accumulator_start(l, &a);
}

static void narrow(struct tile_product *p, struct kx *const *arg)
{
	struct kernel *k = p->w->axes->l->k;
	for (int b = 0; b < p->of->branch.n; b++) {
		struct ranges r = folds_open_terms(p->w, p->of, b);
		k_if(k, x_lt(r.begin, r.end));
		k_set(k, arg[0], x_max(arg[0], r.begin));
		k_set(k, arg[1], x_min(arg[1], r.end));
		for (int along = 0; along < 2; along++)
			k_do(k, x_help(kt_scalar(T_I32), "patc_count", 1,
			               (struct kx *[]){ arg[2 + along] }));
		k_end(k);
		folds_close_terms(p->w, p->of, b);
	}
}

static void fold_range(struct lowering *l, struct kx *const *arg)
{
	const struct accumulators both = { .n = 2, .at = { extreme(OPK_MAX, arg[0]->var),
		                                           extreme(OPK_MIN, arg[1]->var) } };
	block_fold(l, &both);
}

static struct side_value *at_hand(struct tile_product *p)
{
	return &p->operand.at[p->w->axes->l->k->each];
}

static void fold_into(struct tile_product *p, struct kx *const *arg)
{
	struct lowering *l = p->w->axes->l;
	const struct accumulator a = sum_of(p);
	struct kx *before = l->term;
	l->term = op_is_arg(a.op) ? arg[1] : before;
	accumulate_term(l, p->term, &a, arg[0]);
	l->term = before;
}

static struct kx *part_at(const struct tile_product *p, struct kx *place)
{
	return x_at(x_var(p->of->part), place);
}

static void join(struct tile_product *p, struct kx *const *arg)
{
	struct lowering *l = p->w->axes->l;
	struct accumulator a = sum_of(p);
	a.var = k_var(l->k, kt(a.type), "part", NULL);
	accumulator_copy(l, x_var(a.var), part_at(p, arg[1]));
	accumulate(l, &a, arg[0]);
	accumulator_copy(l, part_at(p, arg[1]), x_var(a.var));
}

static struct kx *nothing(struct tile_product *p)
{
	const struct accumulator a = sum_of(p);
	return accumulator_start(p->w->axes->l, &a);
}

#define CALLS(DO, GET) \
	DO(bind_term, lower_bind(l, s->index, arg[0])) \
	DO(narrow, narrow(s, arg)) \
	DO(fold_range, fold_range(l, arg)) \
	DO(meet, lower_bind(l, at_hand(s)->placeholder, arg[0])) \
	DO(fold, fold_into(s, arg)) \
	DO(leave, accumulator_copy(l, part_at(s, arg[1]), arg[0])) \
	DO(join, join(s, arg)) \
	GET(stage_memory, x_var(at_hand(s)->stage)) \
	GET(least, limit(l, OPK_MAX)) \
	GET(greatest, limit(l, OPK_MIN)) \
	GET(operand, lower_expr(l, at_hand(s)->e)) \
	GET(zero, lower_zero(at_hand(s)->e->type)) \
	GET(nothing, nothing(s))

#define HOLE_DO(name, call) KTEXT_CALL(struct tile_product, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct tile_product, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void bind_operands(struct tile_product *p)
{
	struct kernel *k = p->w->axes->l->k;
	int64_t row[MOST_OPERANDS][5];
	const struct type *type[MOST_OPERANDS];
	for (int o = 0; o < p->operand.n; o++) {
		const struct side_value *v = &p->operand.at[o];
		int64_t bytes = type_size(v->e->type);
		row[o][0] = o;
		row[o][1] = v->along;
		row[o][2] = v->deep;
		row[o][3] = bytes < 4 ? 1 : VECTOR / bytes < p->cells ? VECTOR / bytes : p->cells;
		row[o][4] = expr_uses(v->e, p->index);
		type[o] = v->e->type;
	}
	bind_listed(k, "OPERAND, ALONG, DEEP, STRIP, MOVES", p->operand.n, row[0]);
	bind_types(k, "OPERAND", p->operand.n, type);
}

static void lower_product(struct tile_product *p)
{
	struct kernel *k = p->w->axes->l->k;
	int names = k_names(k);
	k->min_blocks = 1;                   /* left alone, ptxas spills to fit more blocks */
	k_numbers(k, "TILE, CELLS, DEPTH, GROUP", FOLDS_TILE, p->cells, p->depth,
	          group_threads(p));
	k_numbers(k, "PARTS, PITCH, BLOCK", groups(p), PITCH, k->block[0]);
	k_bind(k, "SUM", sum_of(p).type);
	k_bind(k, "row_first", p->w->row_first);
	k_bind(k, "place_first", p->w->place_first);
	bind_operands(p);
	k_bind_calls(k, p, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(k, "product_of_tiles");
	p->from = k_get(k, "from");
	p->to = k_get(k, "to");
	k_forget(k, names);
}

int64_t product_of_tiles(struct wave_folds *w, struct shared_fold *s, int64_t room)
{
	struct tile_product *p = find_product(w, s);
	if (!p || stages(p, true) > room)
		return 0;
	int64_t bytes = stages(p, false);
	lower_product(p);
	s->product = p;
	return bytes;
}

void product_take(const struct tile_product *p, const struct accumulator *acc, struct kx *place,
                  struct kx *first)
{
	struct lowering *l = p->w->axes->l;
	k_if(l->k, x_lt(p->from, p->to));
	accumulator_copy(l, x_var(acc->var), part_at(p, place));
	if (op_is_arg(acc->op)) {
		struct kx *number = x_field(x_var(acc->var), &acc->type->record->field.at[1]);
		k_if(l->k, x_le(x_i64(0), number));
		k_set(l->k, number, x_add(number, x_sub(p->from, first)));
		k_end(l->k);
	}
	k_end(l->k);
}
