/* block_scan.c - scans over the lanes of a warp.
 *
 * log2 steps by shuffles, each joining the next total so far (Hillis and Steele).  No lane idles,
 * and several rows of a warp go step by step together, so that their shuffles overlap.  All is
 * joined in an order that depends on places only, so results repeat bit for bit; operators need not
 * commute, nor have an identity.
 *
 * Where sequences begin inside a row, one ballot tells each lane how far back its own goes, and the
 * steps stop there: no flag travels with the values (Sengupta, Harris and Garland 2008). */
#include "block_scan.h"

/* ---- totals ---- */

struct total total_sum(struct kvar *var)
{
	return (struct total){ .acc = { .n = 1, .at = { accumulator_sum(var) } } };
}

struct total total_new(struct lowering *l, const struct total *like)
{
	struct total t = *like;
	for (int a = 0; a < t.acc.n; a++)
		t.acc.at[a].var = k_var(l->k, kt(t.acc.at[a].type), accumulator_name(&t.acc.at[a]),
		                        accumulator_start(l, &t.acc.at[a]));
	if (t.begins)
		t.begins = k_var(l->k, kt_scalar(T_BOOL), "begins", x_int(T_BOOL, 0));
	return t;
}

struct total total_same(struct lowering *l, const struct total *from)
{
	struct total t = *from;
	for (int a = 0; a < t.acc.n; a++)
		t.acc.at[a].var = k_var(l->k, kt(t.acc.at[a].type), accumulator_name(&t.acc.at[a]),
		                        x_var(from->acc.at[a].var));
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

struct total total_shuffle(struct lowering *l, const struct total *t, const char *how,
                           struct kx *by)
{
	struct total other = *t;
	for (int a = 0; a < t->acc.n; a++)
		other.acc.at[a].var = accumulator_shuffle(l, &t->acc.at[a], x_var(t->acc.at[a].var),
		                                          how, by)
		                              ->var;
	if (t->begins) {
		struct kx *arg[] = { x_var(t->begins), by };
		other.begins = as_variable(l,
		                           x_help(kt_scalar(T_BOOL),
		                                  str_print("patc_shfl_%sbool", how), 2, arg),
		                           "begins");
	}
	return other;
}

struct total_memory total_memory(struct lowering *l, const struct total *like, const char *name,
                                 int64_t count)
{
	struct total_memory m = { .begins = NULL };
	for (int a = 0; a < like->acc.n; a++)
		m.value[a] = k_shared(l->k, like->acc.at[a].type,
		                      str_print("%s_%s", name, accumulator_name(&like->acc.at[a])),
		                      count);
	if (like->begins)
		m.begins = k_shared(l->k, type_scalar(T_BOOL), str_print("%s_begins", name), count);
	return m;
}

void total_store(struct lowering *l, const struct total_memory *m, struct kx *at,
                 const struct total *t)
{
	for (int a = 0; a < t->acc.n; a++)
		k_set(l->k, x_at(x_var(m->value[a]), at), x_var(t->acc.at[a].var));
	if (t->begins)
		k_set(l->k, x_at(x_var(m->begins), at), x_var(t->begins));
}

struct total total_load(struct lowering *l, const struct total_memory *m, struct kx *at,
                        const struct total *like)
{
	struct total t = *like;
	for (int a = 0; a < t.acc.n; a++)
		t.acc.at[a].var = k_let(l->k, accumulator_name(&t.acc.at[a]),
		                        x_at(x_var(m->value[a]), at));
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

struct kx *lanes_before(struct lowering *l, struct kx *lane, int64_t own)
{
	return k_value(l->k, own ? "lanes_up_to" : "lanes_before", lane);
}

/* ---- totals in texts: block_scan.kernel ---- */

const struct total *total_of(const struct kx *x)
{
	return k_object_of(x);
}

struct kx *total_object(struct total t)
{
	struct total *own = NEW(struct total);
	*own = t;
	return k_object(own);
}

KTEXT_HOLE(text_empty)
{
	return total_object(total_new(l, state ? state : total_of(arg[0])));
}

KTEXT_HOLE(text_same)
{
	return total_object(total_same(l, total_of(arg[0])));
}

KTEXT_HOLE(text_unmarked)
{
	struct total t = *total_of(arg[0]);
	t.begins = NULL;
	return total_object(t);
}

KTEXT_HOLE(text_copy)
{
	total_copy(l, total_of(arg[0]), total_of(arg[1]));
	return NULL;
}

KTEXT_HOLE(text_join)
{
	total_join(l, total_of(arg[0]), total_of(arg[1]));
	return NULL;
}

KTEXT_HOLE(text_lane)
{
	return total_object(total_shuffle(l, total_of(arg[0]), state, arg[1]));
}

KTEXT_HOLE(text_mark)
{
	((struct total *)k_object_of(arg[0]))->begins = arg[1]->var;
	return NULL;
}

KTEXT_HOLE(text_begins)
{
	const struct total *t = total_of(arg[0]);
	return t->begins ? x_var(t->begins) : x_int(T_BOOL, 0);
}

KTEXT_HOLE(text_marked)
{
	return x_int(T_BOOL, total_of(arg[0])->begins != NULL);
}

KTEXT_HOLE(text_scan)
{
	lanes_scan(l, total_of(arg[0]), k_get(l->k, "lane"), (int)arg[1]->i);
	return NULL;
}

void bind_totals(struct lowering *l, const struct total *like)
{
	k_bind_calls(l->k, like, { "total", text_empty });
	k_bind_calls(l->k, NULL, { "empty", text_empty }, { "same", text_same },
	             { "unmarked", text_unmarked }, { "copy", text_copy },
	             { "join_total", text_join }, { "mark", text_mark }, { "begins", text_begins },
	             { "marked", text_marked }, { "lanes_scan", text_scan });
	k_bind_calls(l->k, "up_", { "up_total", text_lane });
	k_bind_calls(l->k, "", { "lane_total", text_lane });
}

/* ---- the folds of a total, side by side ---- */

KTEXT_HOLE(cell_up)
{
	return accumulator_shuffle(l, &((const struct accumulators *)state)->at[l->k->each], arg[0],
	                           "up_", arg[1]);
}

/* One of the folds, in a variable of its own. */
KTEXT_HOLE(join_cell)
{
	struct accumulator a = ((const struct accumulators *)state)->at[l->k->each];
	a.var = arg[0]->var;
	accumulate(l, &a, arg[1]);
	return NULL;
}

static void bind_folds(struct lowering *l, const struct total *t, const char *name,
                       struct kvar *const *value)
{
	const struct type *type[8];
	struct kx *x[8];
	for (int a = 0; a < t->acc.n; a++) {
		type[a] = t->acc.at[a].type;
		x[a] = x_var(value ? value[a] : t->acc.at[a].var);
	}
	bind_values(l->k, name, t->acc.n, x);
	bind_types(l->k, "CELL", t->acc.n, type);
	k_bind(l->k, "MARKED", t->begins != NULL);
	k_bind_calls(l->k, &t->acc, { "cell_up", cell_up }, { "join_cell", join_cell });
}

void lanes_scan(struct lowering *l, const struct total *t, struct kx *lane, int lanes)
{
	int names = k_names(l->k);
	bind_folds(l, t, "cell", NULL);
	if (t->begins)
		k_bind(l->k, "begins", t->begins);
	k_text(l->k, "lanes_scan", lane, x_i32(log2_of(lanes)));
	k_forget(l->k, names);
}

/* ---- rows of lanes ---- */

struct rows rows_new(struct lowering *l, const struct total *like, int n)
{
	struct rows r = { .like = *like, .n = n };
	for (int a = 0; a < like->acc.n; a++)
		r.value[a] = k_regs(l->k, like->acc.at[a].type,
		                    str_print("row_%s", accumulator_name(&like->acc.at[a])), n);
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

KTEXT_HOLE(row_up_to)
{
	const struct rows *r = state;
	struct total row = r->like;
	row.begins = NULL;                       /* told by heads, the same in all lanes */
	for (int a = 0; a < row.acc.n; a++)
		row.acc.at[a].var = k_let(l->k, "up_to", x_at(x_var(r->value[a]), arg[0]));
	return total_object(row);
}

KTEXT_HOLE(put_row)
{
	rows_set(l, state, arg[0], total_of(arg[1]));
	return NULL;
}

struct total rows_scan(struct lowering *l, const struct rows *r, struct kx *lane)
{
	int names = k_names(l->k);
	bind_totals(l, &r->like);
	bind_folds(l, &r->like, "row", r->value);
	if (r->begins)
		k_bind(l->k, "row_begins", r->begins);
	k_bind(l->k, "ROWS", r->n);
	k_bind_calls(l->k, r, { "row_up_to", row_up_to }, { "put_row", put_row });
	k_text(l->k, "rows_scan", lane);
	struct total running = *total_of(k_get(l->k, "running"));
	k_forget(l->k, names);
	return running;
}
