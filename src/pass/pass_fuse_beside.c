/* pass_fuse_beside.c - statements over the same cells become one statement of several equations:
 * map y[i] = f(x[i]); map z[i] = g(x[i]); reads x once, as map y[i] = f(x[i]), z[i] = g(x[i]) does.
 *
 * Needs: what pass_fuse.c leaves.  Leaves: equations, whose order is that of the statements; the
 * later statement has no kernel.
 *
 * Two maps, two stencils or two reductions over the same ranges, whose folds run over the same
 * ranges, too.
 *
 * Legal: the later statement may run at the place of the earlier one.  No statement between writes
 * what it uses, or uses what it writes.  Of what one of them writes, the other uses the cell at
 * hand alone: in a cell a later equation sees what the earlier ones wrote.  Folds use nothing that
 * the other writes.
 *
 * Pays: both read the same cells of an array, or neighbours, which are read once then, or the later
 * one reads the cell that the earlier one stores, which is not read again.  What a temporary would
 * give to a single reader is computed there instead: so the first kind is looked for first
 * (pass_fuse.c).  Neither loses what it has alone: vectors, parts of equal work, cells on chip. */
#include <string.h>
#include "ask.h"
#include "pass.h"
#include "pass_fuse.h"
#include "remark.h"

enum {
	MOST_EQUATIONS = 8,         /* of a kernel: pointers and results in a thread's hand */
	MOST_BETWEEN = 16           /* statements: so that long programs take no longer for each */
};

/* The later statement b in the words of the earlier one a: indices of b are those of a, and indices
 * of its folds are those of the first fold of a. */
struct beside {
	const struct node *a, *b;
	LIST(struct var *) from;
	LIST(struct expr *) to;
};

static void rename_index(struct beside *s, struct var *from, struct var *to)
{
	list_add(&s->from, from);
	list_add(&s->to, expr_var(to, s->b->at));
}

/* To compare it. */
static struct expr *renamed(const struct beside *s, const struct expr *e)
{
	return expr_substitute(e, s->from.at, s->to.at, s->from.n);
}

/* To compute it: its folds keep their indices. */
static struct expr *taken(const struct beside *s, const struct expr *e)
{
	return expr_substitute(e, s->from.at, s->to.at, s->a->index.n);
}

/* ---- the same ranges ---- */

static bool same_end(const struct beside *s, const struct expr *a, const struct expr *b)
{
	return ends_equal(a, renamed(s, b));
}

static bool same_cells(struct beside *s)
{
	bool same = s->a->index.n == s->b->index.n;
	for (int d = 0; same && d < s->a->index.n; d++) {
		same = same_end(s, s->a->lo.at[d], s->b->lo.at[d])
		       && same_end(s, s->a->hi.at[d], s->b->hi.at[d]);
		rename_index(s, s->b->index.at[d], s->a->index.at[d]);
	}
	return same;
}

static bool same_terms(struct beside *s, const struct fold *a, const struct fold *b)
{
	bool same = a->index.n == b->index.n;
	for (int d = 0; same && d < a->index.n; d++) {
		same = same_end(s, a->lo.at[d], b->lo.at[d])
		       && same_end(s, a->hi.at[d], b->hi.at[d]);
		rename_index(s, b->index.at[d], a->index.at[d]);
	}
	return same;
}

static void folds_of_node(const struct node *node, struct folds *folds)
{
	for (int q = 0; q < node->equation.n; q++)
		folds_of(node->equation.at[q]->right, folds);
}

static const char *no_folds(struct beside *s)
{
	struct folds a = { .n = 0 }, all = { .n = 0 };
	folds_of_node(s->a, &a);
	folds_of_node(s->a, &all);
	folds_of_node(s->b, &all);
	for (int f = 1; f < all.n; f++)
		if (!a.n || !same_terms(s, a.at[0]->fold, all.at[f]->fold))
			return str_print("its folds do not run over the terms of `%s`", s->a->name);
	return all.overflow || !folds_fit(&all) ? str_print("its folds and those of `%s` do not "
	                                                    "fit into the registers of a thread",
	                                                    s->a->name)
	                                        : NULL;
}

/* Which cells are kept depends on how far the reads of all equations go. */
static bool same_edges(const struct beside *s)
{
	for (int d = 0; d < s->a->index.n; d++) {
		const struct edge *a = &s->a->edge[d], *b = &s->b->edge[d];
		if (a->kind != b->kind || a->kind == B_KEEP
		    || (a->kind == B_VALUE && !expr_same(a->value, renamed(s, b->value))))
			return false;
	}
	return true;
}

/* Of these patterns only a boundary has values. */
static bool same_clauses(const struct node *a, const struct node *b)
{
	bool same = a->clause.n == b->clause.n;
	for (int k = 0; same && k < a->clause.n; k++)
		same = node_clause(b, a->clause.at[k].clause->name);
	return same;
}

/* ---- what each uses of the other ---- */

static bool node_has_fold(const struct node *node)
{
	struct folds folds = { .n = 0 };
	folds_of_node(node, &folds);
	return folds.n > 0;
}

/* Every use of var is of the cell that target is. */
struct use { const struct beside *s; const struct expr *target; bool renames, found; };

static bool own_cell(struct expr *e, void *state)
{
	struct use *u = state;
	if ((e->kind != E_READ && e->kind != E_VAR) || e->var != u->target->var)
		return true;
	u->found = true;
	return e->kind == E_READ && u->target->kind == E_READ
	       && fuse_same_cell(u->renames ? renamed(u->s, e) : e,
	                         u->renames ? u->target : renamed(u->s, u->target));
}

/* Why user, which is a or b, does not use the cell at hand alone of what the other one writes;
 * *uses: it uses some. */
static const char *no_own_cells(const struct beside *s, const struct node *user, bool *uses)
{
	const struct node *other = user == s->a ? s->b : s->a;
	for (int t = 0; node_target(other, t); t++) {
		struct use u = { s, target_read(node_target(other, t)), user == s->b, false };
		bool own = node_walk((struct node *)user, own_cell, &u);
		if (!own || (u.found && (node_has_fold(user) || node_has_fold(other))))
			return str_print("`%s` uses `%s`, %s", user->name, u.target->var->name,
			                 own ? "which the other one folds"
			                     : "and other cells than the current one");
		*uses |= u.found;
	}
	return NULL;
}

/* ---- what they share ---- */

struct sharing { const struct beside *s; const struct expr *read; const struct var *array; };

/* Is it not the same cell, or one a constant way off? */
static bool far_cell(struct expr *e, void *state)
{
	const struct sharing *h = state;
	bool near = e->kind == E_READ && e->var == h->read->var;
	for (int k = 0; near && k < e->arg.n; k++) {
		struct affine way = e->affine[k];
		near = way.n >= 0 && h->read->affine[k].n >= 0
		       && affine_add(&way, &h->read->affine[k], -1) && way.n == 0;
	}
	return !near;
}

static bool not_shared(struct expr *e, void *state)
{
	struct sharing *h = state;
	if (e->kind != E_READ || !e->var->rank)
		return true;
	h->read = renamed(h->s, e);
	for (int q = 0; !h->array && q < h->s->a->equation.n; q++)
		if (!expr_walk(h->s->a->equation.at[q]->right, far_cell, h))
			h->array = e->var;
	return !h->array;
}

/* The array whose cells, or their neighbours, both read at the same time; or NULL. */
static const struct var *shared_array(const struct beside *s)
{
	struct sharing h = { s, NULL, NULL };
	for (int q = 0; !h.array && q < s->b->equation.n; q++)
		expr_walk(s->b->equation.at[q]->right, not_shared, &h);
	return h.array;
}

/* ---- two statements ---- */

static bool by_rows(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ || !layout_turns(e->var);
}

/* Cells of all its arrays lie in the order of its indices. */
static bool may_join(struct node *node)
{
	return node->kind == NODE_PATTERN && (node->pattern->fuse & FUSE_BESIDE) && !node->group
	       && node->pin.fuse >= 0 && !node->where && !node_skips(node) && !targets_checked(node)
	       && node_walk(node, by_rows, NULL);
}

static const char *no_between(const struct body *b, int from, int to)
{
	for (int i = from + 1; i < to; i++) {
		const struct node *s = b->at[i], *node = b->at[to];
		if (s->kind != NODE_PATTERN)
			return "there is a loop, a branch or a swap between them";
		for (int t = 0; node_target(s, t); t++) {
			const struct var *var = target_read(node_target(s, t))->var;
			if (node_reads(node, var) || node_writes(node, var))
				return str_print("`%s` writes `%s` between them", s->name,
				                 var->name);
		}
		for (int t = 0; node_target(node, t); t++) {
			const struct var *var = target_read(node_target(node, t))->var;
			if (node_reads(s, var))
				return str_print("`%s` reads `%s` between them", s->name,
				                 var->name);
		}
	}
	return NULL;
}

static bool has_pins(const struct node *node)
{
	bool pins = false;
	for (enum pin pin = 0; pin < PIN_COUNT; pin++)
		pins |= pin != PIN_FUSE && node->pinned[pin].own;
	return pins;
}

static int operations(const struct node *node)
{
	int n = 0;
	for (int q = 0; q < node->equation.n; q++)
		n += fuse_operations(node->equation.at[q]->right);
	return n;
}

static const char *no_joining(struct beside *s, const struct body *b, int i, int j, bool *uses)
{
	bool first = false;
	const char *why = no_folds(s);
	if (!why && !same_edges(s))
		why = "their boundaries differ";
	if (!why && !same_clauses(s->a, s->b))
		why = "their clauses differ";
	if (!why)
		why = no_between(b, i, j);
	if (!why)
		why = no_own_cells(s, s->b, uses);
	if (!why)
		why = no_own_cells(s, s->a, &first);
	if (!why && s->a->equation.n + s->b->equation.n > MOST_EQUATIONS)
		why = str_print("there would be more than %d equations", MOST_EQUATIONS);
	return why;
}

static void take_equations(const struct beside *s, struct node *a)
{
	const struct expr *shared = NULL;
	struct expr *whole = NULL;
	for (int q = 0; q < s->b->equation.n; q++) {
		struct equation *eq = NEW(struct equation);
		*eq = *s->b->equation.at[q];
		memset(&eq->target, 0, sizeof eq->target);
		for (int t = 0; t < s->b->equation.at[q]->target.n; t++)
			list_add(&eq->target, taken(s, s->b->equation.at[q]->target.at[t]));
		eq->right = taken(s, eq->right);
		if (eq->whole && eq->whole != shared) {
			shared = eq->whole;
			whole = taken(s, shared);
		}
		eq->whole = eq->whole ? whole : NULL;
		list_add(&a->equation, eq);
	}
}

static bool on_chip(const struct node *node, const struct shape *shape, const struct options *o)
{
	return shape->staging && !unstaged(node, shape, o);
}

/* Vectors, rows of equal work and cells on chip that one of them would have alone. */
static const char *no_shape(const struct beside *s, const struct options *o)
{
	struct node *both = NEW(struct node);
	*both = *s->a;
	memset(&both->equation, 0, sizeof both->equation);
	for (int q = 0; q < s->a->equation.n; q++)
		list_add(&both->equation, s->a->equation.at[q]);
	take_equations(s, both);
	struct shape a = shape_of(s->a, o), b = shape_of(s->b, o), all = shape_of(both, o);
	int least = a.vector < b.vector ? a.vector : b.vector;
	if (all.vector < least || (least == 1 && a.vector != b.vector))
		return "only one of them is computed in vectors";
	if ((a.regular || b.regular) && !all.regular)
		return "only one of them is computed in parts of equal work";
	if (!on_chip(both, &all, o) && (on_chip(s->a, &a, o) || on_chip(s->b, &b, o)))
		return "only one of them keeps cells on the chip";
	return NULL;
}

static const char *no_gain(const struct beside *s, const struct options *o)
{
	if (has_pins(s->a) || has_pins(s->b))
		return "one of them has pins";
	if (operations(s->a) + operations(s->b) > FUSE_LARGE)
		return "the kernel would have too many operations";
	return no_shape(s, o);
}

static void tell(struct node *a, struct node *b, const struct var *array)
{
	const char *why = array ? str_print("both read `%s`, which is read once", array->name)
	                        : "it uses the cell that was just computed, which is not "
	                          "read again";
	remark_did(b, PASS_FUSE, BANDWIDTH, "computed with `%s`: %s", a->name, why);
	remark_did(a, PASS_FUSE, BANDWIDTH, "computes the equations of `%s`, too", b->name);
}

struct refused { const char *why; double bytes; };       /* of the array that would be read once */

/* Statement i takes statement j if that is right and pays; stored: also one that uses what i
 * stores.  *told: why not, if they share an array. */
static bool join(struct map *users, const struct body *b, int i, int j, bool stored,
                 struct refused *told)
{
	struct node *a = b->at[i], *node = b->at[j];
	struct beside s = { .a = a, .b = node };
	bool uses = false;
	if (a->pattern != node->pattern || a->equation.n >= MOST_EQUATIONS || !may_join(a)
	    || !same_cells(&s))
		return false;
	const char *why = no_joining(&s, b, i, j, &uses);
	const struct var *array = shared_array(&s);
	if (!array && !uses)
		return false;
	const char *pays = why ? NULL : no_gain(&s, b->options);
	if ((uses && !stored) || !fuse_wanted(node, why, pays)) {
		if (!told->why)
			*told = (struct refused){
				str_print("not computed with `%s`: %s", a->name, why ? why : pays),
				array ? (double)type_size(array->type) : 0
			};
		return false;
	}
	fuse_forget(users, node);
	fuse_forget(users, a);
	take_equations(&s, a);
	fuse_note(users, a);
	tell(a, node, uses ? NULL : array);
	fuse_join(node, a);
	list_add(&b->entry->inside, node);
	fuse_drop(b, j);
	return true;
}

static bool join_earlier(struct map *users, const struct body *b, int j, bool stored)
{
	struct refused told = { NULL, 0 };
	for (int i = j > MOST_BETWEEN ? j - MOST_BETWEEN : 0; i < j; i++)
		if (join(users, b, i, j, stored, &told))
			return true;
	if (told.why && stored)
		remark_costs(b->at[j], PASS_FUSE, told.bytes, "%s", told.why);
	return false;
}

bool fuse_beside(struct map *users, const struct body *b, bool stored)
{
	bool joined = false;
	for (int j = 1; j < *b->n && program_fits(b->at[j]->at); j++) {
		struct node *node = b->at[j];
		if (!may_join(node) || (!stored && (node->pattern->fuse & FUSE_BEHIND))
		    || !join_earlier(users, b, j, stored))
			continue;
		joined = true;
		j--;
	}
	return joined;
}
