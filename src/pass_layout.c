/* pass_layout.c - how arrays of structs are stored that nobody but the kernels sees, and what the others cost.
 *
 * Needs: fused statements; layouts as declared.  Leaves: temporaries whose fields lie apart, by their layout, which
 * relay.c then acts on as on a caller's.
 *
 * Rule: what the caller has is his, and stays.  A temporary is stored field by field (soa) if every cell of it is used at
 * places that move with the indices: neighbouring lanes then find their values side by side, statements fetch the
 * fields they use and no others, and vectors, tiles and windows of registers work for them as for any array.  Where a
 * struct is fetched from anywhere, its fields had better lie together: one sector holds them all.
 * Source: Sung, Stratton, Hwu, "DL: a data layout transformation system for heterogeneous computing" (InPar 2012).
 * Switched off: temporaries are arrays of structs.
 *
 * For arrays of structs that stay the remark tells what of the bytes that come from memory nobody asked for. */
#include "lower.h"
#include "pass.h"
#include "relay.h"
#include "remark.h"
#include "struct_use.h"

enum { PARTS = 64 };                     /* values of a struct that are moved one by one: relay.c takes no more */

/* ---- temporaries ---- */

/* It moves by one with one index, or stands. */
static bool is_step(const struct affine *a)
{
	int indices = 0;
	for (int t = 0; t < a->n; t++)
		if (a->term[t].var->kind != VAR_SIZE)
			indices += a->term[t].coef == 1 ? 1 : 2;
	return indices <= 1;
}

static bool steps_along(const struct expr *cell)
{
	for (int a = 0; a < cell->var->rank; a++)
		if (cell->affine[a].n < 0 || !is_step(&cell->affine[a]))
			return false;
	return true;
}

/* Uses of one temporary in an entry. */
struct uses { const struct var *var; struct node *node, *first; bool swapped; const char *why; };

static bool see_use(struct expr *e, void *state)
{
	struct uses *u = state;
	if (e->kind != E_READ || e->var != u->var)
		return true;
	u->first = u->first ? u->first : u->node;
	if (!steps_along(e))
		u->why = str_print("`%s` takes whole structs from anywhere", u->node->name);
	return true;
}

static bool is_plain(const struct node *node)
{
	return !node->selection && !node->wave && !node->sorting && !node->running && !node->pattern->combines;
}

/* Whose cells are held for one another's sake: no arrays of their own. */
static bool shares_kernel(const struct node *node)
{
	return node->into || (node->group && (node->group->mate.n || node->group->epilogue.n));
}

static void see_node(struct uses *u, struct node *node)
{
	u->node = node;
	bool used = node_writes(node, u->var) || node_reads(node, u->var);
	if (node->kind == NODE_SWAP && (node->swap[0] == u->var || node->swap[1] == u->var))
		u->swapped = true;
	else if (node->kind == NODE_PATTERN && used && !is_plain(node))
		u->why = str_print("`%s` moves whole structs", node->name);
	else if (node->kind == NODE_PATTERN && used && shares_kernel(node))
		u->why = str_print("`%s` shares its kernel", node->name);
	else if (node->kind == NODE_PATTERN)
		node_walk(node, see_use, u);
}

static void see_body(struct uses *u, struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		see_node(u, at[i]);
		see_body(u, at[i]->body.at, at[i]->body.n);
	}
}

/* What relay.c can take apart. */
static bool can_part(const struct var *v)
{
	const struct record *record = v->type->record;
	for (int f = 0; f < record->field.n; f++)
		if (record->field.at[f].type->kind == T_ARRAY && v->rank + record->field.at[f].type->rank > MAX_RANK)
			return false;
	return record->field.n > 1 && type_values(v->type) <= PARTS;
}

static bool is_candidate(const struct var *v)
{
	return v->rank > 0 && v->type->kind == T_STRUCT && !v->layout && !v->on_chip && can_part(v);
}

/* One that is swapped has the layout of what it is swapped with. */
static void choose(struct entry *entry, struct var *v, const struct options *o)
{
	static const struct layout apart = { .block = -1 };
	struct uses u = { .var = v };
	see_body(&u, entry->body.at, entry->body.n);
	if (!u.first || u.swapped)
		return;
	if (!u.why && !pass_enabled(o, "layout"))
		u.why = "--no-pass=layout";
	if (u.why) {
		remark_not(u.first, PASS_LAYOUT, "structs of the temporary `%s` lie whole: %s", v->name, u.why);
		return;
	}
	v->layout = &apart;
	remark_did(u.first, PASS_LAYOUT, BANDWIDTH, "the temporary `%s` is stored field by field", v->name);
}

/* ---- what stays ---- */

static bool along_only(struct expr *e, void *var)
{
	return e->kind != E_READ || e->var != var || steps_along(e);
}

/* More than a quarter of what is fetched is not asked for. */
static void tell_cost(struct node *node, const struct struct_use *use, const struct options *o)
{
	int64_t bytes = type_size(use->var->type), asked = use_amount(use, use->read).bytes;
	double fetched = use_sectors(use, use->read, o->target->sector) * (double)bytes;
	if (!asked || (double)asked > 0.75 * fetched || !node_walk(node, along_only, (void *)use->var))
		return;
	const char *text = str_print("%s of %s bytes that come from memory with a struct of `%s` are not used",
	                             remark_number(fetched - (double)asked), remark_number(fetched), use->var->name);
	if (use->var->kind == VAR_PARAM)
		remark_not(node, PASS_LAYOUT, "%s; `layout soa` would leave them there", text);
	else
		remark_not(node, PASS_LAYOUT, "%s", text);
}

static void tell_costs(struct node *node, const struct options *o)
{
	struct struct_uses uses = struct_uses_of(node);
	for (int u = 0; u < uses.at.n; u++)
		tell_cost(node, &uses.at.at[u], o);
}

void pass_layout(struct entry *entry, const struct options *o)
{
	for (int i = 0; i < entry->let.n; i++)
		if (is_candidate(entry->let.at[i]))
			choose(entry, entry->let.at[i], o);
	relay_layouts(entry, o);
	if (!diag_errors())
		pass_each(entry, tell_costs, o);
}
