/* reduce_mates.c - statements that share their rows, in one kernel: softmax, layer-norm, rows
 * scaled to one.
 *
 * The members of the group (pass_fuse_rows.c says which can be) run one after another on each row:
 * a fold of the row, a map of the row's cells, a map of what was folded.  On a GPU a row has the
 * threads that a fold of its length takes, from one lane to a block; between two members they wait
 * for each other.  What is folded into a temporary that only members use stays in shared memory,
 * one cell a row; later passes over the row meet its cells in registers where they fit
 * (reduce_held.c), else in L1 or L2, and members that can fold a row in one pass do
 * (reduce_online.c).  So softmax reads memory once and writes it once, a long row twice, where
 * apart it would read it three times.
 *
 * Where rows are so few and long that several blocks share a row the kernel would leave most of the
 * machine idle: the host then launches the statements one by one, unless `fuse` is pinned.
 *
 * On a CPU threads share the rows, and a row's values are variables. */
#include "../cells.h"
#include "reduce_online.h"

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
	return expr_has_fold(node->equation.at[0]->right);
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
	l->k->at = group->anchor->at;
	return l;
}

/* The indices of rows have one value under every member's name. */
static void bind_row(struct mates *m, struct kx *row)
{
	reduce_bind_cell(m->reduction, row, m->kept);
	for (int i = 0; i < m->group->mate.n; i++)
		for (int d = 0; d < m->anchor->index.n; d++)
			lower_bind(m->l, m->group->mate.at[i]->index.at[d],
			           lower_var(m->l, m->anchor->index.at[d]));
}

/* ---- the cells of a row: the texts map_statement and map_statement_cpu ---- */

static struct kx *open_cells(struct lowering *l, const void *cells, struct kx *const *none)
{
	struct cells *c = (struct cells *)cells;
	(void)none;
	for (int d = 0; d < c->column; d++)
		cells_bind(c, d, lower_var(l, c->node->index.at[d]));
	struct kx *lo = lower_index(l, c->node->lo.at[c->column]);
	k_bind(l->k, "lo", lo);
	k_bind(l->k, "hi", lower_index(l, c->node->hi.at[c->column]));
	k_bind(l->k, "MAP_WIDTH", x_is_int(lo, 0) ? c->width : 1);
	return NULL;
}

static struct kx *map_cell(struct lowering *l, const void *cells, struct kx *const *column)
{
	struct cells *c = (struct cells *)cells;
	(void)l;
	cells_bind(c, c->column, column[0]);
	cells_body(c, CELL_PLAIN);
	return NULL;
}

static struct kx *map_vector(struct lowering *l, const void *cells, struct kx *const *column)
{
	struct cells *c = (struct cells *)cells;
	(void)l;
	c->mode = CELL_VECTOR;
	cells_load(c, column[0]);
	cells_compute_vector(c, column[0], CELL_VECTOR);
	cells_store_vector(c, column[0]);
	return NULL;
}

static struct kx *whole_vectors(struct lowering *l, const void *cells, struct kx *const *none)
{
	(void)none;
	return lower_argument(l, "vectors", kt_scalar(T_BOOL),
	                      cells_aligned((struct cells *)cells));
}

static void map_row(struct mates *m, const struct node *node, const char *text)
{
	struct kernel *k = m->l->k;
	struct lower_context before = m->l->now;
	struct cells *c = cells_beside(m->l, node);
	int names = k_names(k);
	k_bind_calls(k, c, { "open_cells", open_cells }, { "map_cell", map_cell },
	             { "map_vector", map_vector }, { "whole_vectors", whole_vectors });
	k_bind(k, "column", node->index.at[c->column]->name);
	k_text(k, text);
	k_forget(k, names);
	m->l->now = before;
}

/* ---- on a GPU ---- */

static void fold_gpu(struct mates *m, const struct node *node)
{
	struct reduction *r = mates_reduction(node);
	reduce_enter(r, m->l);
	reduce_bind_range(r, reduce_vectors_allowed(r, m->host_terms));
	k_text(m->l->k, "fold_statement");
}

static struct kx *equations(struct lowering *l, const void *node, struct kx *const *none)
{
	(void)none;
	lower_equations(l, node);
	return NULL;
}

void mates_row_value(struct mates *m, const struct node *node)
{
	k_bind_call(m->l->k, "equations", equations, node);
	k_text(m->l->k, "value_statement");
}

static void hold_shared(struct mates *m, struct kx *row_of_block)
{
	for (int h = 0; h < m->group->held.n; h++) {
		const struct var *var = m->group->held.at[h];
		struct kvar *shared = k_shared(m->l->k, var->type, str_print("row_%s", var->name),
		                               m->most_rows);
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
	m->l->k->at = node->at;
}

static void member_gpu(struct mates *m, const struct node *node)
{
	mates_begin(m, node);
	if (mate_folds(node))
		fold_gpu(m, node);
	else if (mate_cells(m, node))
		map_row(m, node, "map_statement");
	else
		mates_row_value(m, node);
}

/* Every thread of the row takes what its first thread has found; where there is no row nobody has
 * found anything. */
void mates_pass_on(struct mates *m, const struct node *node)
{
	struct kx *live = k_get(m->l->k, "live");
	k_text(m->l->k, "meet_row");
	for (int h = 0; h < m->group->held.n; h++) {
		const struct var *var = m->group->held.at[h];
		struct kx *found = x_cond(live, m->slot.at[h], lower_zero(var->type));
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

static struct kx *bind_rows(struct lowering *l, const void *mates, struct kx *const *row)
{
	struct mates *m = (struct mates *)mates;
	bind_row(m, row[0]);
	hold_shared(m, row[1]);
	l->now.read = NULL;
	return NULL;
}

void mates_bind(struct mates *m, ktext_hole *statements, const void *state)
{
	k_bind(m->l->k, "BLOCK", m->l->k->block[0]);
	k_bind_call(m->l->k, "bind_rows", bind_rows, m);
	k_bind_call(m->l->k, "statements", statements, state);
}

void mates_bind_group(struct lowering *l, struct kx *bits)
{
	struct ktype i32 = kt_scalar(T_I32);
	struct kx *group = x_op(OP_SHL, x_i32(1), bits);
	k_bind(l->k, "group_bits", lower_argument(l, "group_bits", i32, bits));
	k_bind(l->k, "group", lower_argument(l, "group", i32, group));
}

static void launch(struct mates *m, struct kx *threads)
{
	struct plan *plan = m->plan;
	struct kx *cells = m->kept->host_cells, *rows = x_div(x_i64(m->l->target->block), threads);
	struct kx *blocks = x_div_up(cells, rows), *chunks;
	if (m->group->apart) {
		chunks = reduce_row_chunks(m->reduction, threads, cells, m->host_terms);
		k_if(plan->host, x_le(chunks, x_i64(m->online ? plan->target->row_blocks : 1)));
	}
	lowering_launch(m->l, blocks, x_i64(1), x_i64(1));
	if (m->group->apart)
		launch_apart(plan, m->group);
}

static struct kx *statements_gpu(struct lowering *l, const void *mates, struct kx *const *none)
{
	struct mates *m = (struct mates *)mates;
	const struct group *group = m->group;
	(void)l, (void)none;
	for (int i = 0; i < group->mate.n; i++) {
		struct online *online = online_of(group, i);
		if (i)
			mates_pass_on(m, group->mate.at[i - 1]);
		m->online |= online != NULL;
		if (online)
			online_gpu(m, online);
		else
			member_gpu(m, group->mate.at[i]);
		i += online ? online_mates(online) - 1 : 0;
	}
	return NULL;
}

static void mates_kernel(struct plan *plan, const struct group *group)
{
	struct lowering *l = mates_open(plan, group, group->anchor->name);
	struct reduction *r = mates_reduction(group->anchor);
	struct mates m = {
		.l = l, .plan = plan, .group = group, .anchor = group->anchor, .reduction = r
	};
	reduce_enter(r, l);
	m.host_terms = reduce_terms(r, plan);
	k_bind(l->k, "terms", lower_argument(l, "terms", kt_scalar(T_I64), m.host_terms));
	struct kept kept = reduce_kept_cells(r);
	m.kept = &kept;
	struct kx *bits = plan_let(plan, "group_bits", reduce_group_bits(r, m.host_terms));
	struct kx *threads = plan_let(plan, "group", x_op(OP_SHL, x_i64(1), bits));
	block_launch_bounds(l);
	l->k->min_blocks = 1;                    /* as in cells_gpu.c, against spills */
	m.most_rows = l->k->block[0];
	k_numbers(l->k, "ROW_WARPS, SPARE", true, false);
	mates_bind_group(l, bits);
	mates_bind(&m, statements_gpu, &m);
	k_text(l->k, "share_rows");
	launch(&m, threads);
}

static void mates_gpu(struct plan *plan, const struct group *group)
{
	bool holds = group->anchor->choice.stage == STAGE_REGISTERS;
	const struct held_rows *held = holds ? held_rows_of(group, plan->target) : NULL;
	const int kinds = held ? held_kinds(held, group, plan->target) : 0;
	for (int kind = 0; kind < kinds; kind++)
		held_lower(held_kind(held, (enum held_kind)kind), plan, group);
	mates_kernel(plan, group);
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
	reduce_run_cpu(r, x_i64(0), k_get(m->l->k, "terms"));
	m->l->now.read = NULL;
	reduce_finish(m->l, r);
}

static void member_cpu(struct mates *m, const struct node *node)
{
	mates_begin(m, node);
	if (mate_folds(node))
		fold_cpu(m, node);
	else if (mate_cells(m, node))
		map_row(m, node, "map_statement_cpu");
	else
		lower_equations(m->l, node);
}

static struct kx *statements_cpu(struct lowering *l, const void *mates, struct kx *const *row)
{
	struct mates *m = (struct mates *)mates;
	bind_row(m, row[0]);
	hold_variables(m);
	l->now.read = NULL;
	for (int i = 0; i < m->group->mate.n; i++)
		member_cpu(m, m->group->mate.at[i]);
	return NULL;
}

static void mates_cpu(struct plan *plan, const struct group *group)
{
	struct lowering *l = mates_open(plan, group, group->anchor->name);
	struct reduction *r = mates_reduction(group->anchor);
	struct mates m = {
		.l = l, .plan = plan, .group = group, .anchor = group->anchor, .reduction = r
	};
	reduce_enter(r, l);
	k_bind(l->k, "terms", lower_argument(l, "terms", kt_scalar(T_I64), reduce_terms(r, plan)));
	struct kept kept = reduce_kept_cells(r);
	m.kept = &kept;
	k_bind_call(l->k, "statements", statements_cpu, &m);
	k_text(l->k, "share_rows_cpu");
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

void reduce_mates(struct plan *plan, const struct group *group)
{
	(plan->target->gpu ? mates_gpu : mates_cpu)(plan, group);
}
