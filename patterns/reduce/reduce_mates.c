/* reduce_mates.c - statements that share their rows, in one kernel: softmax, layer-norm, rows scaled to one.
 *
 * The members of the group (pass_fuse_rows.c says which can be) run one after another on each row: a fold of the
 * row, a map of the row's cells, a map of what was folded.  On a GPU a row has the threads that a fold of its
 * length takes, from one lane to a block; between two members the block waits.  What is folded into a temporary
 * that only members use stays in shared memory, one cell a row; later passes over the row meet its cells in
 * registers where they fit (reduce_held.c), else in L1 or L2, and members that can fold a row in one pass do
 * (reduce_online.c).  So softmax reads memory once and writes it once, a long row twice, where apart it would
 * read it three times.
 *
 * Where rows are so few and long that several blocks share a row the kernel would leave most of the machine
 * idle: the host then launches the statements one by one, unless `fuse` is pinned.
 *
 * On a CPU threads share the rows, and a row's values are variables. */
#include "../cells.h"
#include "reduce_online.h"

/* Blocks that would share a row, up to which one that reads it once less is faster: on an H200, of 256 blocks. */
enum { FEW_CHUNKS = 8 };

/* ---- what both machines share ---- */

struct reduction *mates_reduction(const struct node *node)
{
	struct reduction *r = NEW(struct reduction);
	r->node = node;
	bool fits = reduce_can_share(r);
	assert(fits && "rows_unfit has said so");
	(void)fits;
	return r;
}

bool mate_folds(const struct node *node)
{
	return expr_has(node->equation.at[0]->right, E_FOLD);
}

bool mate_cells(const struct mates *m, const struct node *node)
{
	return node->index.n > m->anchor->index.n;
}

struct lowering *mates_open(struct plan *plan, const struct group *group, const char *name)
{
	struct lowering *l = lowering_new(plan, name);
	for (int i = 0; i < group->mate.n; i++)
		lowering_writes(l, group->mate.at[i]);
	l->k->line = group->anchor->at.line;
	return l;
}

/* The indices of rows have one value under every member's name. */
static void bind_row(struct mates *m, struct reduction *anchor, struct kx *row, const struct kept *kept)
{
	reduce_bind_cell(anchor, row, kept);
	for (int i = 0; i < m->group->mate.n; i++)
		for (int d = 0; d < m->anchor->index.n; d++)
			lower_bind(m->l, m->group->mate.at[i]->index.at[d], lower_var(m->l, m->anchor->index.at[d]));
}

static void bind_cells(struct cells *c)
{
	for (int d = 0; d < c->column; d++)
		cells_bind(c, d, lower_var(c->l, c->node->index.at[d]));
}

static void plain_cells(struct cells *c, struct kx *lo, struct kx *hi, struct kx *step, int flags)
{
	struct kernel *k = c->l->k;
	cells_bind(c, c->column, x_var(k_for(k, c->node->index.at[c->column]->name, lo, hi, step, flags)));
	cells_body(c, CELL_PLAIN);
	k_end(k);
}

/* ---- on a GPU ---- */

static void fold_gpu(struct mates *m, const struct node *node)
{
	struct lowering *l = m->l;
	struct reduction *r = mates_reduction(node);
	reduce_enter(r, l);
	struct kx *vectors = reduce_vectors_allowed(r, m->host_terms);
	r->acc = folds_start(l, &r->folds);
	k_if(l->k, m->live);
	reduce_bind_range(r, vectors);
	k_text(l->k, "fold_range", x_i64(0), x_to_i64(m->terms), m->lane, m->threads);
	k_end(l->k);
	l->read = NULL;
	reduce_group_fold(r, m->group_size);
	k_if(l->k, x_and(m->first, m->live));
	reduce_finish(l, r);
	k_end(l->k);
}

/* Vectors of the row from its first cell on; what is left is the next one's. */
static struct kx *vector_cells(struct mates *m, struct cells *c, struct kx *lo, struct kx *hi)
{
	struct kernel *k = m->l->k;
	struct kvar *at = k_var(k, kt_scalar(T_I64), "at", lo);
	struct kx *stride = x_mul(m->threads, x_i64(c->width));
	k_if(k, lower_argument(m->l, "vectors", kt_scalar(T_BOOL), cells_aligned(c)));
	k_while(k, x_le(x_add(x_var(at), stride), hi));
	struct kx *first = x_add(x_var(at), x_mul(m->lane, x_i64(c->width)));
	first = x_var(k_let(k, c->node->index.at[c->column]->name, first));
	c->mode = CELL_VECTOR;
	cells_load(c, first);
	cells_compute_vector(c, first, CELL_VECTOR);
	cells_store_vector(c, first);
	k_set(k, x_var(at), x_add(x_var(at), stride));
	k_end(k);
	k_end(k);
	return x_var(at);
}

static void cells_of_row_gpu(struct mates *m, const struct node *node)
{
	struct cells *c = cells_beside(m->l, node);
	k_if(m->l->k, m->live);
	bind_cells(c);
	struct kx *lo = lower_index(m->l, node->lo.at[c->column]), *hi = lower_index(m->l, node->hi.at[c->column]);
	if (c->width > 1 && x_is_int(lo, 0))
		lo = vector_cells(m, c, lo, hi);
	plain_cells(c, x_add(lo, m->lane), hi, m->threads, 0);
	k_end(m->l->k);
	m->l->read = NULL;
}

void mates_row_value(struct mates *m, const struct node *node)
{
	k_if(m->l->k, x_and(m->first, m->live));
	lower_equations(m->l, node);
	k_end(m->l->k);
}

static void hold_shared(struct mates *m, struct kx *row_of_block)
{
	for (int h = 0; h < m->group->held.n; h++) {
		const struct var *var = m->group->held.at[h];
		struct kvar *shared = k_shared(m->l->k, var->type, str_print("row_%s", var->name), m->most_rows);
		list_add(&m->slot, x_at(x_var(shared), row_of_block));
		list_add(&m->l->held, ((struct binding){ var, m->slot.at[h] }));
	}
}

void mates_begin(struct mates *m, const struct node *node)
{
	for (int h = 0; h < m->slot.n; h++)
		if (node_writes(node, m->group->held.at[h]))
			m->l->held.at[h].x = m->slot.at[h];
	k_note(m->l->k, "%s", node->name);
	m->l->k->line = node->at.line;
}

static void member_gpu(struct mates *m, const struct node *node)
{
	mates_begin(m, node);
	if (mate_folds(node))
		fold_gpu(m, node);
	else
		(mate_cells(m, node) ? cells_of_row_gpu : mates_row_value)(m, node);
}

/* Every thread of the row takes what its first thread has found; where there is no row nobody has found anything. */
void mates_pass_on(struct mates *m, const struct node *node)
{
	k_barrier(m->l->k);
	for (int h = 0; h < m->group->held.n; h++) {
		const struct var *var = m->group->held.at[h];
		struct kx *found = x_cond(m->live, m->slot.at[h], lower_zero(var->type));
		if (node_writes(node, var))
			m->l->held.at[h].x = x_var(k_let(m->l->k, var->name, found));
	}
}

static void launch_apart(struct plan *plan, const struct group *group)
{
	k_else(plan->host);
	for (int i = 0; i < group->mate.n; i++) {
		struct group *alone = NEW(struct group);
		alone->anchor = group->mate.at[i];
		alone->anchor->pattern->lower(plan, alone);
	}
	k_end(plan->host);
}

/* Which row this thread works for, and as which of its threads. */
void mates_place(struct mates *m, struct reduction *anchor, const struct kept *kept, struct kx *bits)
{
	struct kernel *k = m->l->k;
	struct kx *thread = block_thread(m->l), *rows = x_op(OP_SHR, x_i32(k->block[0]), bits);
	m->group_size = x_var(k_let(k, "group", x_op(OP_SHL, x_i32(1), bits)));
	struct kx *lane = x_var(k_let(k, "lane", x_op(OP_AND, thread, x_sub(m->group_size, x_i32(1)))));
	struct kx *mine = x_var(k_let(k, "mine", x_op(OP_SHR, thread, bits)));
	struct kx *row = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_to_i64(rows)), x_to_i64(mine));
	row = x_var(k_let(k, "row", row));
	m->live = x_lt(row, kept->cells);
	m->lane = x_to_i64(lane);
	m->threads = x_to_i64(m->group_size);
	m->first = x_eq(lane, x_i32(0));
	bind_row(m, anchor, row, kept);
	hold_shared(m, mine);
}

static void launch(struct mates *m, struct reduction *anchor, const struct kept *kept, struct kx *threads)
{
	struct plan *plan = m->plan;
	struct kx *rows = x_div(x_i64(m->l->target->block), threads);
	struct kx *blocks = x_div_up(kept->host_cells, rows);
	if (m->group->apart)
		k_if(plan->host, x_le(reduce_row_chunks(anchor, threads, kept->host_cells, m->host_terms), x_i64(m->online ? FEW_CHUNKS : 1)));
	lowering_launch(m->l, blocks, x_i64(1), x_i64(1));
	if (m->group->apart)
		launch_apart(plan, m->group);
}

static void mates_gpu(struct plan *plan, const struct group *group)
{
	const struct held_rows *held = group->anchor->choice.stage == STAGE_REGISTERS ? held_rows_of(group, plan->target) : NULL;
	const int kinds = held ? held_kinds(held, group, plan->target) : 0;
	for (int kind = 0; kind < kinds; kind++)
		held_lower(held_kind(held, (enum held_kind)kind), plan, group);
	struct lowering *l = mates_open(plan, group, group->anchor->name);
	struct mates m = { .l = l, .plan = plan, .group = group, .anchor = group->anchor };
	struct reduction *r = mates_reduction(group->anchor);
	reduce_enter(r, l);
	m.host_terms = reduce_terms(r);
	m.terms = lower_argument(l, "terms", kt_scalar(T_I64), m.host_terms);
	struct kept kept = reduce_kept_cells(r);
	struct kx *bits = plan_let(plan, "group_bits", reduce_group_bits(r, m.host_terms));
	struct kx *threads = plan_let(plan, "group", x_op(OP_SHL, x_i64(1), bits));
	block_launch_bounds(l);
	l->k->min_blocks = 1;                    /* as in cells_gpu.c, against spills */
	m.most_rows = l->k->block[0];
	mates_place(&m, r, &kept, lower_argument(l, "group_bits", kt_scalar(T_I32), bits));
	l->read = NULL;
	for (int i = 0; i < group->mate.n; i++) {
		struct online *online = online_of(group, i);
		if (i)
			mates_pass_on(&m, group->mate.at[i - 1]);
		m.online |= online != NULL;
		if (online)
			online_gpu(&m, online);
		else
			member_gpu(&m, group->mate.at[i]);
		i += online ? online_mates(online) - 1 : 0;
	}
	launch(&m, r, &kept, threads);
	for (int kind = 0; kind < kinds; kind++)
		k_end(plan->host);
}

/* ---- on a CPU ---- */

static void hold_variables(struct mates *m)
{
	for (int h = 0; h < m->group->held.n; h++) {
		const struct var *var = m->group->held.at[h];
		struct kx *x = x_var(k_var(m->l->k, kt(var->type), var->name, NULL));
		list_add(&m->l->held, ((struct binding){ var, x }));
	}
}

static void fold_cpu(struct mates *m, const struct node *node)
{
	struct reduction *r = mates_reduction(node);
	reduce_enter(r, m->l);
	r->acc = folds_start(m->l, &r->folds);
	reduce_run_cpu(r, x_i64(0), m->terms);
	m->l->read = NULL;
	reduce_finish(m->l, r);
}

static void cells_of_row_cpu(struct mates *m, const struct node *node)
{
	struct cells *c = cells_beside(m->l, node);
	bind_cells(c);
	struct kx *lo = lower_index(m->l, node->lo.at[c->column]), *hi = lower_index(m->l, node->hi.at[c->column]);
	plain_cells(c, lo, hi, x_i64(1), FOR_SIMD);
	m->l->read = NULL;
}

static void member_cpu(struct mates *m, const struct node *node)
{
	mates_begin(m, node);
	if (mate_folds(node))
		fold_cpu(m, node);
	else if (mate_cells(m, node))
		cells_of_row_cpu(m, node);
	else
		lower_equations(m->l, node);
}

static void mates_cpu(struct plan *plan, const struct group *group)
{
	struct lowering *l = mates_open(plan, group, group->anchor->name);
	struct mates m = { .l = l, .plan = plan, .group = group, .anchor = group->anchor };
	struct reduction *r = mates_reduction(group->anchor);
	reduce_enter(r, l);
	m.terms = lower_argument(l, "terms", kt_scalar(T_I64), reduce_terms(r));
	struct kept kept = reduce_kept_cells(r);
	struct kx *row = x_var(k_for(l->k, "row", x_i64(0), kept.cells, x_i64(1), FOR_PARALLEL));
	bind_row(&m, r, row, &kept);
	hold_variables(&m);
	l->read = NULL;
	for (int i = 0; i < group->mate.n; i++)
		member_cpu(&m, group->mate.at[i]);
	k_end(l->k);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void reduce_mates(struct plan *plan, const struct group *group)
{
	(plan->target->gpu ? mates_gpu : mates_cpu)(plan, group);
}
