/* block_scan.c - scans over the lanes of a warp.
 *
 * log2 steps by shuffles, each joining the total so far behind (Hillis and Steele).  No lane idles, and several
 * rows of a warp go step by step together, so that their shuffles overlap.  All is joined in an order that
 * depends on places only, so results repeat bit for bit; operators need not commute, nor have an identity.
 *
 * Where sequences begin inside a row, one ballot tells each lane how far back its own goes, and the steps stop
 * there: no flag travels with the values (Sengupta, Harris and Garland 2008). */
#include "block_scan.h"

/* ---- totals ---- */

struct total total_new(struct lowering *l, const struct total *like)
{
	struct total t = *like;
	for (int a = 0; a < t.acc.n; a++)
		t.acc.at[a].var = k_var(l->k, kt(t.acc.at[a].type), accumulator_name(&t.acc.at[a]), accumulator_start(l, &t.acc.at[a]));
	if (t.begins)
		t.begins = k_var(l->k, kt_scalar(T_BOOL), "begins", x_int(T_BOOL, 0));
	return t;
}

struct total total_same(struct lowering *l, const struct total *from)
{
	struct total t = *from;
	for (int a = 0; a < t.acc.n; a++)
		t.acc.at[a].var = k_var(l->k, kt(t.acc.at[a].type), accumulator_name(&t.acc.at[a]), x_var(from->acc.at[a].var));
	if (t.begins)
		t.begins = k_var(l->k, kt_scalar(T_BOOL), "begins", x_var(from->begins));
	return t;
}

void total_copy(struct lowering *l, const struct total *to, const struct total *from)
{
	for (int a = 0; a < to->acc.n; a++)
		accumulator_copy(l, x_var(to->acc.at[a].var), x_var(from->acc.at[a].var));
	if (to->begins)
		k_set(l->k, x_var(to->begins), x_var(from->begins));
}

void total_join(struct lowering *l, const struct total *to, const struct total *behind)
{
	if (to->begins) {
		k_if(l->k, x_var(behind->begins));
		total_copy(l, to, behind);
		k_else(l->k);
	}
	for (int a = 0; a < to->acc.n; a++)
		accumulate(l, &to->acc.at[a], x_var(behind->acc.at[a].var));
	if (to->begins)
		k_end(l->k);
}

static struct kvar *as_variable(struct lowering *l, struct kx *x, const char *name)
{
	return x->kind == KX_VAR ? x->var : k_let(l->k, name, x);
}

struct total total_shuffle(struct lowering *l, const struct total *t, const char *how, struct kx *by)
{
	struct total other = *t;
	for (int a = 0; a < t->acc.n; a++)
		other.acc.at[a].var = accumulator_shuffle(l, &t->acc.at[a], x_var(t->acc.at[a].var), how, by)->var;
	if (t->begins) {
		struct kx *arg[] = { x_var(t->begins), by };
		other.begins = as_variable(l, x_help(kt_scalar(T_BOOL), str_print("patc_shfl_%sbool", how), 2, arg), "begins");
	}
	return other;
}

struct total_memory total_memory(struct lowering *l, const struct total *like, const char *name, int64_t count)
{
	struct total_memory m = { .begins = NULL };
	for (int a = 0; a < like->acc.n; a++)
		m.value[a] = k_shared(l->k, like->acc.at[a].type, str_print("%s_%s", name, accumulator_name(&like->acc.at[a])), count);
	if (like->begins)
		m.begins = k_shared(l->k, type_scalar(T_BOOL), str_print("%s_begins", name), count);
	return m;
}

void total_store(struct lowering *l, const struct total_memory *m, struct kx *at, const struct total *t)
{
	for (int a = 0; a < t->acc.n; a++)
		k_set(l->k, x_at(x_var(m->value[a]), at), x_var(t->acc.at[a].var));
	if (t->begins)
		k_set(l->k, x_at(x_var(m->begins), at), x_var(t->begins));
}

struct total total_load(struct lowering *l, const struct total_memory *m, struct kx *at, const struct total *like)
{
	struct total t = *like;
	for (int a = 0; a < t.acc.n; a++)
		t.acc.at[a].var = k_let(l->k, accumulator_name(&t.acc.at[a]), x_at(x_var(m->value[a]), at));
	if (t.begins)
		t.begins = k_let(l->k, "begins", x_at(x_var(m->begins), at));
	return t;
}

/* ---- lanes ---- */

struct kx *lane_of(struct lowering *l, struct kx **warp)
{
	struct kx *lanes = x_i32(l->target->lanes);
	*warp = x_var(k_let(l->k, "warp", x_div(block_thread(l), lanes)));
	return x_var(k_let(l->k, "lane", x_rem(block_thread(l), lanes)));
}

void lanes_sum(struct lowering *l, struct kx *sum, struct kx *lane)
{
	k_text(l->k, "lanes_sum", sum, lane);
}

static const struct type *mask_type(struct lowering *l)
{
	return type_scalar(l->target->lanes > 32 ? T_U64 : T_U32);
}

struct kx *no_lanes(struct lowering *l)
{
	return x_int(mask_type(l)->kind, 0);
}

struct kx *lanes_where(struct lowering *l, struct kx *is)
{
	return x_cast(kt(mask_type(l)), x_help(kt_scalar(T_U64), "patc_ballot", 1, &is));
}

/* With its own: from 2 << lane, which is 0 of the last of 32 or 64. */
struct kx *lanes_before(struct lowering *l, struct kx *lane, int64_t own)
{
	enum scalar word = mask_type(l)->kind;
	return x_sub(x_op(OP_SHL, x_int(word, 1 + own), lane), x_int(word, 1));
}

/* The lane where this one's sequence begins, as far as the row shows; 0 if before it. */
static struct kx *first_lane(struct lowering *l, struct kx *heads, struct kx *lane)
{
	struct kx *mine = x_op(OP_AND, heads, lanes_before(l, lane, 1));
	struct kx *zeros = x_help(kt_scalar(T_I32), str_print("patc_clz_%s", type_name(mask_type(l))), 1, &mine);
	return x_max(x_sub(x_i32((int)type_size(mask_type(l)) * 8 - 1), zeros), x_i32(0));
}

/* cell = before joined with what cell is */
static void join_before(struct lowering *l, const struct accumulator *a, struct kx *cell, struct kx *before)
{
	struct accumulator joined = *a;
	joined.var = k_var(l->k, kt(a->type), "joined", before);
	accumulate(l, &joined, cell);
	k_set(l->k, cell, x_var(joined.var));
}

/* Opens the steps of a scan over lanes. */
static struct kx *open_steps(struct lowering *l, int lanes)
{
	struct kvar *step = k_for(l->k, "step", x_i32(0), x_i32(log2_of(lanes)), x_i32(1), FOR_UNROLL);
	return x_var(k_let(l->k, "distance", x_op(OP_SHL, x_i32(1), x_var(step))));
}

static void step_cell(struct lowering *l, const struct accumulators *acc, struct kx *const *cell, struct kx *distance, struct kx *from, struct kx *lane)
{
	struct kx *other[8];
	for (int a = 0; a < acc->n; a++)
		other[a] = accumulator_shuffle(l, &acc->at[a], cell[a], "up_", distance);
	k_if(l->k, x_le(from ? x_add(from, distance) : distance, lane));
	for (int a = 0; a < acc->n; a++)
		join_before(l, &acc->at[a], cell[a], other[a]);
	k_end(l->k);
}

void lanes_scan(struct lowering *l, const struct total *t, struct kx *lane, int lanes)
{
	struct kx *cell[8], *heads = NULL, *from = NULL;
	if (t->begins) {
		heads = x_var(k_let(l->k, "heads", lanes_where(l, x_var(t->begins))));
		from = x_var(k_let(l->k, "from_lane", first_lane(l, heads, lane)));
	}
	for (int a = 0; a < t->acc.n; a++)
		cell[a] = x_var(t->acc.at[a].var);
	struct kx *distance = open_steps(l, lanes);
	step_cell(l, &t->acc, cell, distance, from, lane);
	k_end(l->k);
	if (heads)
		k_set(l->k, x_var(t->begins), x_ne(x_op(OP_AND, heads, lanes_before(l, lane, 1)), no_lanes(l)));
}

/* ---- rows of lanes ---- */

struct rows rows_new(struct lowering *l, const struct total *like, int n)
{
	struct rows r = { .like = *like, .n = n };
	for (int a = 0; a < like->acc.n; a++)
		r.value[a] = k_regs(l->k, like->acc.at[a].type, str_print("row_%s", accumulator_name(&like->acc.at[a])), n);
	if (like->begins)
		r.begins = k_regs(l->k, type_scalar(T_BOOL), "row_begins", n);
	return r;
}

void rows_set(struct lowering *l, const struct rows *r, struct kx *row, const struct total *t)
{
	for (int a = 0; a < t->acc.n; a++)
		k_set(l->k, x_at(x_var(r->value[a]), row), x_var(t->acc.at[a].var));
	if (t->begins)
		k_set(l->k, x_at(x_var(r->begins), row), x_var(t->begins));
}

struct total rows_get(struct lowering *l, const struct rows *r, struct kx *row)
{
	struct total t = r->like;
	for (int a = 0; a < t.acc.n; a++)
		t.acc.at[a].var = k_let(l->k, "row_total", x_at(x_var(r->value[a]), row));
	if (t.begins)
		t.begins = k_let(l->k, "row_is_whole", x_at(x_var(r->begins), row));
	return t;
}

struct kx *rows_open(struct lowering *l, const struct rows *r)
{
	return x_var(k_for(l->k, "v", x_i32(0), x_i32(r->n), x_i32(1), FOR_UNROLL));
}

/* Every row by itself, all of them step by step: each total becomes that of the lanes up to it. */
static void rows_steps(struct lowering *l, const struct rows *r, struct kx *from, struct kx *lane)
{
	struct kx *cell[8], *distance = open_steps(l, l->target->lanes), *v = rows_open(l, r);
	for (int a = 0; a < r->like.acc.n; a++)
		cell[a] = x_at(x_var(r->value[a]), v);
	step_cell(l, &r->like.acc, cell, distance, from ? x_at(from, v) : NULL, lane);
	k_end(l->k);
	k_end(l->k);
}

/* heads[v]: the lanes of row v in which a sequence begins; from[v]: the one where this lane's does. */
static struct kvar *rows_heads(struct lowering *l, const struct rows *r, struct kx *lane, struct kvar **from)
{
	struct kvar *heads = k_regs(l->k, mask_type(l), "heads", r->n);
	*from = k_regs(l->k, type_scalar(T_I32), "from_lane", r->n);
	struct kx *v = rows_open(l, r);
	k_set(l->k, x_at(x_var(heads), v), lanes_where(l, x_at(x_var(r->begins), v)));
	k_set(l->k, x_at(x_var(*from), v), first_lane(l, x_at(x_var(heads), v), lane));
	k_end(l->k);
	return heads;
}

/* running (of the rows before) joined with the lanes before this one in the row becomes the row's entry;
 * then running moves behind the row. */
static void pass_row(struct lowering *l, const struct rows *r, const struct total *running, struct kx *v, struct kx *heads, struct kx *lane)
{
	struct kernel *k = l->k;
	struct total row = r->like, entry = total_same(l, running), before, whole;
	struct kx *none = no_lanes(l);
	row.begins = NULL;                       /* told by heads, the same in all lanes */
	for (int a = 0; a < row.acc.n; a++)
		row.acc.at[a].var = k_let(k, "up_to", x_at(x_var(r->value[a]), v));
	before = total_shuffle(l, &row, "up_", x_i32(1));
	whole = total_shuffle(l, &row, "", x_i32(l->target->lanes - 1));
	if (heads) {
		before.begins = k_let(k, "began", x_ne(x_op(OP_AND, heads, lanes_before(l, lane, 0)), none));
		whole.begins = k_let(k, "row_begins", x_ne(heads, none));
	}
	k_if(k, x_lt(x_i32(0), lane));
	total_join(l, &entry, &before);
	k_end(k);
	rows_set(l, r, v, &entry);
	total_join(l, running, &whole);
}

struct total rows_scan(struct lowering *l, const struct rows *r, struct kx *lane)
{
	struct kvar *from = NULL, *heads = r->begins ? rows_heads(l, r, lane, &from) : NULL;
	rows_steps(l, r, from ? x_var(from) : NULL, lane);
	struct total running = total_new(l, &r->like);
	struct kx *v = rows_open(l, r);
	pass_row(l, r, &running, v, heads ? x_at(x_var(heads), v) : NULL, lane);
	k_end(l->k);
	return running;
}
