/* pass_layout.c - decides how arrays are stored while a kernel runs, and reports what the caller's
 * layouts cost.
 *
 * Needs: fused statements; pins; layouts as declared.  Leaves: temporaries with a layout, which
 * relay.c then acts on as on a caller's.
 *
 * Rule: what the caller has is his, and stays, unless a pin names a statement that fills it, or
 * loops of so many passes use so few fields of his structs that moving the others costs more than
 * two conversions do (layout_gain.c): then a temporary replaces it between them (layout_keep.c).
 * A temporary that is swapped with it follows it.  Temporaries that are swapped with each other are
 * stored in one way.  Structs lie field by field (soa) if every cell of them is used at places that
 * move with the indices: neighbouring lanes then find their values side by side, statements fetch
 * the fields they use and no others, and vectors, tiles and windows of registers work for them as
 * for any array.  Where a struct is fetched from anywhere, its fields had better lie together: one
 * sector holds them all.  Rows and columns change places (col) where more statements have the
 * temporary turned against their other arrays than have it as it is. A pin of a statement holds for
 * the arrays that it fills, one of the kernel for temporaries: what is converted is named. Source:
 * Sung, Stratton, Hwu, "DL: a data layout transformation system for heterogeneous computing" (InPar
 * 2012). Switched off: temporaries are rows of structs and what the caller has stays, unless
 * pinned.
 *
 * For arrays of structs that stay the remark tells what of the bytes that come from memory nobody
 * asked for. */
#include <math.h>
#include "front.h"
#include "layout_keep.h"
#include "ask.h"
#include "pass.h"
#include "relay.h"
#include "remark.h"
#include "struct_use.h"

enum { PARTS = 64 };       /* values of a struct that are moved one by one: relay.c takes no more */

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

/* Arrays that are swapped with each other, and what is done with them. */
struct uses {
	LIST(struct var *) var;
	struct node *node, *first;           /* at hand; the first one */
	struct node *pinned;                 /* whose pin it is */
	bool theirs;                         /* a caller's array is among them */
	/* why structs must lie whole, and why they had better; or NULL */
	const char *whole, *better;
	const char *rows;                    /* why they must lie row by row, or NULL */
	int turned;                         /* statements that have them turned, minus the others */
};

static bool is_one(const struct uses *u, const struct var *var)
{
	for (int v = 0; v < u->var.n; v++)
		if (u->var.at[v] == var)
			return true;
	return false;
}

/* ---- which belong together ---- */

static bool join(struct uses *u, struct node *const *at, int n)
{
	bool joined = false;
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < 2 && at[i]->kind == NODE_SWAP; k++) {
			if (!is_one(u, at[i]->swap[k]) || is_one(u, at[i]->swap[1 - k]))
				continue;
			list_add(&u->var, at[i]->swap[1 - k]);
			u->theirs |= at[i]->swap[1 - k]->kind == VAR_PARAM;
			joined = true;
		}
		joined |= join(u, at[i]->body.at, at[i]->body.n);
	}
	return joined;
}

/* ---- their uses ---- */

static bool see_use(struct expr *e, void *state)
{
	struct uses *u = state;
	if (expr_handed(e) && is_one(u, e->arg.at[0]->var))
		u->rows = str_print("`%s` passes it to a function, which needs row order",
		                    u->node->name);
	if (e->kind != E_READ || !is_one(u, e->var))
		return true;
	u->first = u->first ? u->first : u->node;
	if (!steps_along(e))
		u->better =
			str_print("`%s` reads whole structs at computed indices", u->node->name);
	return true;
}

static bool is_plain(const struct node *node)
{
	return !node->selection && !node->wave && !node->sorting && !node->running
	       && !node->pattern->combines;
}

/* Whose cells are held for one another's sake: no arrays of their own. */
static bool shares_kernel(const struct node *node)
{
	return node->into || (node->group && (node->group->mate.n || node->group->epilogue.n
	                                      || node->group->chain.n));
}

/* The index along which its cells lie; NULL: none. */
static const struct var *along(const struct expr *cell, int axis)
{
	const struct expr *sub = cell->var->rank > 1 ? cell->arg.at[axis ? cell->var->rank - 1 : 0]
	                                             : NULL;
	return sub && sub->kind == E_VAR ? sub->var : NULL;
}

struct pair { const struct uses *u; const struct expr *ours; int turned; };

static bool see_other(struct expr *e, void *state)
{
	struct pair *p = state;
	const struct var *last = e->kind == E_READ && !is_one(p->u, e->var) ? along(e, 1) : NULL;
	if (last)
		p->turned += last == along(p->ours, 1) ? -1 : last == along(p->ours, 0);
	return true;
}

struct turns { const struct uses *u; struct node *node; int turned; };

static bool see_turned(struct expr *e, void *state)
{
	struct turns *t = state;
	struct pair p = { .u = t->u, .ours = e };
	if (e->kind == E_READ && is_one(t->u, e->var) && along(e, 1) && along(e, 0))
		node_walk(t->node, see_other, &p);
	t->turned += p.turned;
	return true;
}

static bool pins_alike(const struct choice *a, const struct choice *b)
{
	return a->layout.col == b->layout.col && a->layout.block == b->layout.block
	    && a->layout.tile[0] == b->layout.tile[0] && a->layout.tile[1] == b->layout.tile[1];
}

/* A statement's own pin beats the kernel's. */
static void see_pin(struct uses *u, struct node *node)
{
	const struct pinned *pin = &node->pinned[PIN_LAYOUT];
	if (u->pinned && u->pinned->pinned[PIN_LAYOUT].own && pin->own
	    && !pins_alike(&u->pinned->pin, &node->pin))
		pin_unfit(node, PIN_LAYOUT,
		          "`%s` is stored in one way, and `%s` has pinned another",
		          u->var.at[0]->name, u->pinned->name);
	else if (pin->at.line && (!u->pinned || pin->own))
		u->pinned = node;
}

static void see_node(struct uses *u, struct node *node)
{
	bool used = false, writes = false;
	for (int v = 0; v < u->var.n; v++) {
		writes |= node->kind == NODE_PATTERN && node_writes(node, u->var.at[v]);
		used |= writes || (node->kind == NODE_PATTERN && node_reads(node, u->var.at[v]));
	}
	if (!used)
		return;
	struct turns t = { .u = u, .node = node };
	u->node = node;
	if (writes)
		see_pin(u, node);
	if (!is_plain(node))
		*(writes ? &u->whole : &u->better) = str_print("`%s` moves whole structs",
		                                               node->name);
	else if (shares_kernel(node))
		u->whole = str_print("`%s` shares its kernel", node->name);
	node_walk(node, see_use, u);
	node_walk(node, see_turned, &t);
	u->turned += (t.turned > 0) - (t.turned < 0);
}

static void see_body(struct uses *u, struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		see_node(u, at[i]);
		see_body(u, at[i]->body.at, at[i]->body.n);
	}
}

/* ---- what is done ---- */

/* What relay.c can take apart. */
static bool can_part(const struct var *v)
{
	const struct record *record = v->type->record;
	for (int f = 0; f < record->field.n; f++)
		if (record->field.at[f].type->kind == T_ARRAY
		    && v->rank + record->field.at[f].type->rank > MAX_RANK)
			return false;
	return record->field.n > 1 && type_values(v->type) <= PARTS;
}

static const char *cannot_part(const struct uses *u)
{
	const struct var *v = u->var.at[0];
	if (v->type->kind != T_STRUCT)
		return str_print("its cells are %s, not structs", type_name(v->type));
	return can_part(v)
	               ? u->whole
	               : str_print("a struct of one field, or of more than %d values, stays whole",
	                           PARTS);
}

static struct layout *layout_by_rule(const struct uses *u, const struct options *o,
                                     const char **why)
{
	struct layout *l = NEW(struct layout);
	const struct var *v = u->var.at[0];
	bool enabled = pass_enabled(o, "layout");
	if (u->rows)
		return l;
	if (v->type->kind == T_STRUCT && can_part(v)) {
		*why = !enabled ? "--no-pass=layout" : u->whole ? u->whole : u->better;
		l->block = *why ? 0 : -1;
	}
	l->col = enabled && v->rank == 2 && u->turned > 0;
	return l;
}

static const char *cannot_tile(const struct uses *u)
{
	if (u->var.at[0]->rank < 2)
		return "it has one axis, but a tile needs two";
	return u->whole ? "a statement that fills it, or shares a kernel with others, needs its "
	                  "rows"
	                : NULL;
}

static const char *called(const struct var *v)
{
	return str_print(v->kind == VAR_PARAM ? "`%s`" : "the temporary `%s`", v->name);
}

/* NULL where the pin cannot hold, which is an error if it is the statement's own, and told if it is
 * the kernel's. */
static struct layout *layout_pinned(const struct uses *u)
{
	const struct node *node = u->pinned;
	const struct var *v = u->var.at[0];
	struct layout *l = NEW(struct layout);
	const char *why = u->rows                    ? u->rows
	                  : node->pin.layout.block   ? cannot_part(u)
	                  : node->pin.layout.tile[0] ? cannot_tile(u)
	                                             : NULL;
	l->col = node->pin.layout.col && v->rank > 1;
	for (int k = 0; k < 2; k++)
		l->tile[k] = node->pin.layout.tile[k];
	l->block = node->pin.layout.block;
	l->record = l->block > 0 && !why ? layout_blocks(v->type->record, l->block) : NULL;
	if (!why)
		return l;
	if (!pin_unfit(node, PIN_LAYOUT, "%s cannot be stored in this layout: %s", called(v), why))
		remark_not(u->first, PASS_LAYOUT, "%s cannot be stored as pinned: %s", called(v),
		           why);
	return NULL;
}

static const char *stored(const struct layout *l)
{
	const char *fields = l->block < 0 ? "field by field" : NULL;
	if (l->tile[0])
		return str_print("in tiles of %d x %d", (int)l->tile[0], (int)l->tile[1]);
	if (l->block > 0)
		fields = str_print("in blocks of %d cells, field by field", (int)l->block);
	if (l->col)
		return fields ? str_print("by columns, %s", fields) : "by columns";
	return fields ? fields : "row by row, in whole cells";
}

static void tell(const struct uses *u, const struct layout *l, bool pinned)
{
	for (int v = 0; v < u->var.n; v++)
		if (l->col || l->block || pinned)
			remark_did(u->first, PASS_LAYOUT, BANDWIDTH,
			           "the temporary `%s` is stored %s%s", u->var.at[v]->name,
			           stored(l), pinned ? ", as pinned" : "");
}

/* ---- what the caller has ---- */

static bool lies_so(const struct var *v, const struct layout *l)
{
	struct var so = *v;
	so.layout = l;
	return layout_same(v, &so);
}

static double converted(const struct var *v, struct conversion of)
{
	return (of.in + of.out) * 2 * (double)type_size(v->type);
}

static void keep_one(struct entry *entry, struct node *node, struct var *v, const struct layout *l,
                     const char *why)
{
	struct conversion of = layout_conversion(entry, v);
	remark_did(node, PASS_LAYOUT, BANDWIDTH,
	           "`%s` is kept %s here, %s: converted %s, %s a cell", v->name, stored(l), why,
	           of.in && of.out ? "in and out"
	           : of.in         ? "in"
	                           : "out",
	           remark_bytes(converted(v, of)));
	layout_keep(entry, v, of);
}

/* The caller's own where one of them lies so: blocks are then of the type that the header declares.
 * */
static const struct layout *of_caller(const struct uses *u, const struct layout *l)
{
	for (int k = 0; k < u->var.n; k++)
		if (u->var.at[k]->kind == VAR_PARAM && u->var.at[k]->layout
		    && lies_so(u->var.at[k], l))
			return u->var.at[k]->layout;
	return l;
}

/* Of all that is swapped with one another, what lies otherwise. */
static void keep(struct entry *entry, const struct uses *u, const struct layout *like,
                 const char *why)
{
	const struct layout *l = of_caller(u, like);
	for (int k = 0; k < u->var.n; k++) {
		struct var *v = u->var.at[k];
		if (v->kind == VAR_PARAM && lies_so(v, l)) {
			remark_none(u->pinned, PASS_LAYOUT, "`%s` is already stored %s, as pinned",
			            v->name, stored(l));
			continue;
		}
		if (v->kind == VAR_PARAM)
			keep_one(entry, u->pinned ? u->pinned : u->first, v, l, why);
		v->layout = l->col || l->block || l->tile[0] ? l : NULL;
	}
}

/* Structs that lie whole, and need not. */
static bool may_part(const struct uses *u)
{
	for (int k = 0; k < u->var.n; k++) {
		const struct var *v = u->var.at[k];
		if (v->type->kind != T_STRUCT || !can_part(v) || var_tiled(v) || var_curved(v)
		    || (v->layout && v->layout->block))
			return false;
	}
	return !u->whole && !u->better;
}

static double cost_of(const struct entry *entry, const struct uses *u)
{
	double cost = 0;
	for (int k = 0; k < u->var.n; k++)
		if (u->var.at[k]->kind == VAR_PARAM)
			cost += converted(u->var.at[k], layout_conversion(entry, u->var.at[k]));
	return cost;
}

static void tell_stays(const struct uses *u, struct gain gain, double cost)
{
	const char *what =
		str_print("storing the fields of `%s` apart would save", u->var.at[0]->name);
	const char *moved = remark_bytes(cost);
	if (gain.pass > 0)
		remark_costs(u->first, PASS_LAYOUT, gain.pass,
		             "%s %s a cell in each pass, and converting them moves %s: it pays "
		             "from %s passes on, but their number is known only at run time",
		             what, remark_bytes(gain.pass), moved,
		             remark_number(floor((cost - gain.sure) / gain.pass) + 1));
	else if (gain.sure > 0)
		remark_none(u->first, PASS_LAYOUT,
		            "%s its loops %s a cell, and converting them moves %s", what,
		            remark_bytes(gain.sure), moved);
}

/* As many axes as pass_time.c may take. */
static bool visits_hold(const struct uses *u, const struct target *target)
{
	return u->var.at[0]->rank <= (target->gpu ? 3 : 2);
}

static void keep_if_saved(struct entry *entry, const struct uses *u, const struct options *o)
{
	struct gain gain = layout_gain(entry, u->var.at, u->var.n, o->target->sector,
	                                pass_enabled(o, "time") && visits_hold(u, o->target));
	double cost = cost_of(entry, u);
	struct layout *apart = NEW(struct layout);
	*apart = (struct layout){ .block = -1,
		                  .col = u->var.at[0]->layout && u->var.at[0]->layout->col };
	if (gain.sure > cost)
		keep(entry, u, apart,
		     str_print("since its loops then move %s a cell less",
		               remark_bytes(gain.sure)));
	else
		tell_stays(u, gain, cost);
}

/* A kernel's pin is for its temporaries. */
static void choose_theirs(struct entry *entry, const struct uses *u, const struct options *o)
{
	struct layout *l = u->pinned && u->pinned->pinned[PIN_LAYOUT].own ? layout_pinned(u) : NULL;
	if (l)
		keep(entry, u, l, "as pinned");
	else if (!u->pinned && pass_enabled(o, "layout") && may_part(u))
		keep_if_saved(entry, u, o);
}

static void choose(struct entry *entry, struct uses *u, const struct options *o)
{
	const char *why = NULL;
	see_body(u, entry->body.at, entry->body.n);
	if (!u->first)
		return;
	if (u->theirs) {
		choose_theirs(entry, u, o);
		return;
	}
	struct layout *pinned = u->pinned ? layout_pinned(u) : NULL,
		      *l = pinned ? pinned : layout_by_rule(u, o, &why);
	for (int v = 0; v < u->var.n; v++)
		u->var.at[v]->layout = l->col || l->block || l->tile[0] ? l : NULL;
	tell(u, l, pinned);
	if (why)
		remark_not(u->first, PASS_LAYOUT,
		           "structs of the temporary `%s` are stored whole: %s", u->var.at[0]->name,
		           why);
}

static void choose_with(struct entry *entry, struct map *seen, struct var *v,
                        const struct options *o)
{
	struct uses u = { .theirs = v->kind == VAR_PARAM };
	if (!v->rank || v->on_chip || map_get(seen, v))
		return;
	list_add(&u.var, v);
	while (join(&u, entry->body.at, entry->body.n))
		;
	for (int k = 0; k < u.var.n; k++)
		*map_at(seen, u.var.at[k]) = v;
	choose(entry, &u, o);
}

/* What is kept becomes a let, and has been seen. */
static void choose_all(struct entry *entry, const struct options *o)
{
	struct map seen = { 0 };
	for (int i = 0, lets = entry->let.n; i < lets; i++)
		choose_with(entry, &seen, entry->let.at[i], o);
	for (int i = 0, params = entry->param.n; i < params; i++)
		choose_with(entry, &seen, entry->param.at[i], o);
}

/* Of a statement that fills no array there is nothing to decide.  (Those inside others have been
 * refused their pins.) */
static void refuse_idle(struct node *const *at, int n)
{
	for (int i = 0; i < n; i++) {
		struct expr *target = at[i]->kind == NODE_PATTERN ? node_target(at[i], 0) : NULL;
		const struct var *v = target ? target_read(target)->var : NULL;
		refuse_idle(at[i]->body.at, at[i]->body.n);
		if (v && !at[i]->into && (!v->rank || v->on_chip))
			pin_unfit(at[i], PIN_LAYOUT, "`%s` is not stored", v->name);
	}
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
	if (!asked || (double)asked > 0.75 * fetched
	    || !node_walk(node, along_only, (void *)use->var))
		return;
	const char *text =
		str_print("%s of %s bytes that are loaded with a struct of `%s` are not used",
	                  remark_number(fetched - (double)asked), remark_number(fetched),
	                  use->var->name);
	const char *cure = use->var->kind == VAR_PARAM ? "; `layout soa` would not load them" : "";
	remark_costs(node, PASS_LAYOUT, fetched - (double)asked, "%s%s", text, cure);
}

static void tell_costs(struct node *node, const struct options *o)
{
	struct struct_uses uses = struct_uses_of(node);
	for (int u = 0; u < uses.at.n; u++)
		tell_cost(node, &uses.at.at[u], o);
}

void pass_layout(struct entry *entry, const struct options *o)
{
	int told = diag_errors();            /* of something else: a test that is no test, say */
	choose_all(entry, o);
	refuse_idle(entry->body.at, entry->body.n);
	if (diag_errors() > told)
		return;
	relay_layouts(entry, o);
	if (!diag_errors())
		pass_each(entry, tell_costs, o);
}
