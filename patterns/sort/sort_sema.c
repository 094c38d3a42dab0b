/* sort_sema.c - statements that sort (sorting.h): targets alone, and what their words say.
 *
 *   key with a, b by less stable segments off first k becomes, over the cells of the keys, key[i] =
 *   key[i], a[i] = a[i], b[i] = b[i] each at the cell that comes to a place
 *   key ... into perm                                           perm[i] = T(i)
 *
 * Which axes such a statement may have, and whether it must be cut, is the pattern's business. */
#include <string.h>

#include "running.h"
#include "../lowerings.h"
#include "sema_impl.h"
#include "sorting.h"

struct sorts {
	struct sema *s;
	const struct ast_stmt *stmt;
	struct node *node;
	struct bindings { struct binding **at; int n, room; } met;      /* what it moves or fills */
};

static const char *name_of(const struct sorts *w)
{
	return w->node->pattern->name;
}

/* ---- the form ---- */

static bool has_form(const struct sorts *w)
{
	const struct ast_stmt *a = w->stmt;
	const struct ast_equation *q = a->equation.at[0];

	if (a->equation.n == 1 && !q->right && q->target.n == 1)
		return true;
	if (q->right) {
		diag_error(q->at, D_EQUATION_FORM,
		           "`%s` has no equation: it sorts the cells of an array", name_of(w));
		diag_cure("`%s key with val;`", name_of(w));
		return false;
	}
	diag_error(q->target.at[1]->at, D_EQUATION_FORM, "`%s` sorts one array of keys",
	           name_of(w));
	diag_cure("name the arrays that move with the keys after `with`; for keys of several "
	          "parts, sort a struct by a comparison function: `by less`");
	return false;
}

/* R33 */
static bool has_all_cells(const struct sorts *w)
{
	const struct ast_stmt *a = w->stmt;

	if (!a->where && !a->range.n)
		return true;
	diag_error(a->where ? a->where->at : a->range.at[0]->at, D_SORT_CELLS,
	           "`%s` moves all cells of a sequence, so `%s` cannot exclude some", name_of(w),
	           a->where ? "where" : "for");
	diag_cure(a->where ? "`compact` the cells first, or sort by a function that puts the "
	                     "excluded cells last"
	                   : "`segsort key segments off` sorts off[s]..off[s+1] and does not "
	                     "change the rest");
	return false;
}

/* ---- arrays ---- */

/* The array that a word names alone; NULL: reported. */
static struct binding *array_named(const struct sorts *w, const struct ast *a)
{
	struct binding *b = a->kind == A_NAME ? name_find(w->s, a->name) : NULL;

	if (a->kind != A_NAME) {
		diag_error(a->at, D_SORT_ARRAY, "`%s` moves whole arrays, but %s is not one",
		           name_of(w), ast_text(a));
		diag_cure(a->kind == A_SUBSCRIPT
		                  ? "write `%s`"
		                  : "write the name of an array, without a subscript or a field",
		          a->name);
		if (a->kind == A_SUBSCRIPT)
			diag_fix(a->at, a->name);
		return NULL;
	}
	if (!b) {
		expr_check(w->s, a);             /* no such variable: says so */
		return NULL;
	}
	if (b->var && b->var->rank && !(b->var->kind == VAR_CONST))
		return b;
	if (b->var)
		diag_error(a->at, D_SORT_ARRAY, "`%s` is a %s, but `%s` needs arrays", a->name,
		           b->var->rank ? "table" : "scalar", name_of(w));
	return NULL;
}

/* The cell at the statement's indices, as if it had been written: reads what must have a value. */
static struct expr *cell_of(const struct sorts *w, const struct ast *name, const struct var *v)
{
	struct ast *sub = NEW(struct ast), *cell = NEW(struct ast);
	struct ast_range *range = NEW(struct ast_range);
	struct expr *e;

	*sub = (struct ast){ .kind = A_NUMBER, .at = name->at, .name = "0" };
	*range = (struct ast_range){ .at = name->at, .lo = sub };
	*cell = (struct ast){ .kind = A_SUBSCRIPT, .at = name->at, .name = name->name };
	for (int k = 0; k < v->rank; k++)
		list_add(&cell->sub, range);
	e = expr_check(w->s, cell);
	for (int k = 0; e && k < v->rank; k++) {
		e->arg.at[k] = expr_var(w->node->index.at[k], name->at);
		e->affine[k] = affine_var(w->node->index.at[k]);
	}
	return e;
}

static bool stands_twice(const struct sorts *w, const struct ast *a)
{
	diag_error(a->at, D_WRITE_TWICE, "`%s` occurs twice in `%s`", a->name, name_of(w));
	diag_cure("an array can have one role: keys, moved with the keys, or filled with "
	          "positions");
	return true;
}

static bool met_before(struct sorts *w, const struct ast *a, struct binding *b)
{
	for (int k = 0; k < w->met.n; k++)
		if (w->met.at[k] == b)
			return stands_twice(w, a);
	list_add(&w->met, b);
	return false;
}

static bool same_cells(const struct sorts *w, const struct ast *a, const struct var *v)
{
	const struct var *key = w->node->sorting->key->var;
	bool same = v->rank == key->rank;

	for (int k = 0; same && k < v->rank; k++)
		same = affine_equal(&v->extent[k], &key->extent[k]);
	if (same)
		return true;
	diag_error(a->at, D_SORT_ARRAY,
	           "`%s` must have the shape of `%s`, since its cells move with the keys", v->name,
	           key->name);
	diag_note(key->at, "`%s` is declared here", key->name);
	return false;
}

/* An array that is read, sorted and written. */
static bool move(struct sorts *w, const struct ast *a, struct binding *b)
{
	struct expr *right, *target;

	if (met_before(w, a, b) || !target_binding(w->s, a) || !(right = cell_of(w, a, b->var)))
		return false;
	target = NEW(struct expr);
	*target = *right;
	equation_add(w->node, target, right);
	return true;
}

static struct var *own_index(const struct sorts *w, int k, int rank)
{
	static const char *const name[MAX_RANK] = { "i",     "row",   "plane", "block",
		                                    "row_5", "row_6", "row_7", "row_8" };
	struct loc at = w->stmt->equation.at[0]->target.at[0]->at;

	return var_new(w->s, VAR_INDEX, str_name(name[rank - 1 - k]), type_scalar(T_I64), at);
}

static void add_domain(struct sorts *w, const struct var *key, struct loc at)
{
	struct node *node = w->node;

	for (int k = 0; k < key->rank; k++) {
		list_add(&node->index, own_index(w, k, key->rank));
		list_add(&node->lo, expr_int(type_scalar(T_I64), 0, at));
		list_add(&node->hi, extent_expr(&key->extent[k], at));
	}
	node->running = NEW(struct running);
	node->running->axis = key->rank - 1;
}

static bool key_check(struct sorts *w)
{
	const struct ast *a = w->stmt->equation.at[0]->target.at[0];
	struct binding *b = array_named(w, a);

	if (!b)
		return false;
	add_domain(w, b->var, a->at);
	if (!(w->node->sorting->key = cell_of(w, a, b->var)))
		return false;
	return w->node->sorting->into || move(w, a, b);
}

static bool payloads_check(struct sorts *w)
{
	const struct clause_use *with = node_clause(w->node, "with");
	bool fine = true;

	for (int k = 0; with && fine && k < with->value.n; k++) {
		struct binding *b = array_named(w, with->value.at[k]);
		fine = b && same_cells(w, with->value.at[k], b->var)
		       && move(w, with->value.at[k], b);
	}
	return fine;
}

/* ---- into ---- */

/* Places are numbers of cells of an axis. */
static bool holds_places(const struct sorts *w, const struct ast *a, const struct var *v)
{
	if (strchr("IU", type_class(v->type)) && type_size(v->type) >= 4)
		return true;
	diag_error(a->at, D_SORT_ARRAY, "`%s` receives positions of `%s`, but its cells are %s",
	           v->name, w->node->sorting->key->var->name, type_name(v->type));
	diag_cure("use integers of 32 or 64 bits");
	return false;
}

static bool into_check(struct sorts *w)
{
	const struct clause_use *use = node_clause(w->node, "into");
	struct binding *b;
	struct expr *to;

	if (!use)
		return true;
	b = array_named(w, use->value.at[0]);
	if (!b || !target_binding(w->s, use->value.at[0])
	    || !same_cells(w, use->value.at[0], b->var)
	    || !holds_places(w, use->value.at[0], b->var))
		return false;
	if (b->var == w->node->sorting->key->var)
		return !stands_twice(w, use->value.at[0]);
	to = expr_new(E_READ, b->var->type, use->value.at[0]->at);
	to->var = b->var;
	to->arg = w->node->sorting->key->arg;
	to->affine = w->node->sorting->key->affine;
	equation_add(w->node, to,
	             expr_cast(expr_var(w->node->index.at[w->node->running->axis], to->at),
	                       to->type));
	list_add(&w->met, b);
	return true;
}

/* ---- the order ---- */

const struct elsewhere sort_elsewhere[] = {
	{ "desc", "by >", false }, { "descending", "by >", false }, { "greater", "by >", false },
	{ "reverse", "by >", false }, { "asc", "by <", false }, { "ascending", "by <", false },
	{ "less", "by <", false }, { 0 }
};

static bool natural_order(const struct sorts *w, struct loc at)
{
	const struct expr *key = w->node->sorting->key;

	if (strchr("IUF", type_class(key->type)))
		return true;
	diag_error(at, D_SORT_ORDER, "the keys `%s` are %s, which has no built-in order",
	           key->var->name, type_name(key->type));
	diag_cure("write `by less`, with a function `fn less(a: %s, b: %s) -> bool` that says "
	          "whether a comes before b",
	          type_name(key->type), type_name(key->type));
	return false;
}

static bool is_order(const struct fn *f, const struct type *key)
{
	bool two = f->param.n == 2 && f->param.at[0]->type == key && f->param.at[1]->type == key;

	return f->type && f->type->kind == T_BOOL && two && !f->size.n && !f->fails;
}

/* sort key by descending */
static bool cure_order(const struct type *key, const struct ast *a)
{
	const struct elsewhere *e = sort_elsewhere;

	while (e->word && (a->kind != A_NAME || strcmp(e->word, a->name)))
		e++;
	if (!e->word || !strchr("IUF", type_class(key)))
		return false;
	const char *sign = e->here + strlen("by ");
	diag_cure("write `%s`:", sign);
	diag_fix(a->at, sign);
	return true;
}

static bool order_by(struct sorts *w, const struct ast *a)
{
	const struct expr *key = w->node->sorting->key;
	struct callable *c = a->kind == A_NAME ? callable_find(w->s, a->name) : NULL;

	if (c && c->fn && !c->fn->type)          /* its declaration was diagnosed */
		return false;
	if (!c || !c->fn || !is_order(c->fn, key->type)) {
		diag_error(a->at, D_SORT_ORDER,
		           c && c->fn ? "`%s` is not a comparison function for keys of type %s"
		                      : "`by` must be followed by `<`, `>` or a function, but `%s` "
		                        "is none of them",
		           ast_text(a), type_name(key->type));
		if (c || !cure_order(key->type, a))
			diag_cure("declare `fn less(a: %s, b: %s) -> bool`, which says whether a "
			          "comes before b",
			          type_name(key->type), type_name(key->type));
		return false;
	}
	w->node->sorting->order = ORDER_LESS;
	w->node->sorting->less = c->fn;
	return true;
}

static bool order_check(struct sorts *w)
{
	const struct clause_use *by = node_clause(w->node, "by");

	if (!by)
		return natural_order(w, w->node->sorting->key->at);
	if (by->value.at[0]->kind != A_WORD)
		return order_by(w, by->value.at[0]);
	w->node->sorting->order = strcmp(by->value.at[0]->name, "<") ? ORDER_DOWN : ORDER_UP;
	return natural_order(w, by->value.at[0]->at);
}

static bool first_check(struct sorts *w)
{
	const struct clause_use *use = node_clause(w->node, "first");
	struct expr *e = use ? expr_index(w->s, use->value.at[0]) : NULL;

	w->node->sorting->first = e;
	if (!use || (e && is_uniform(e)))
		return true;
	if (e) {
		diag_error(e->at, D_SORT_CELLS,
		           "`first` needs one number for all sequences, but this is not a single "
		           "value");
		diag_cure("use a constant, a size or a scalar");
	}
	return false;
}

static bool words_agree(const struct node *node)
{
	return clauses_agree(node, "unstable", "stable", "`stable` keeps equal keys in their order")
	       && clauses_agree(node, "with", "into",
	                        "`into` does not move the keys, so nothing can move with them")
	       && cuts_agree(node);
}

static bool sorting_check(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	struct sorts w = { s, a, node, { 0 } };
	bool fine;

	node->sorting = NEW(struct sorting);
	node->sorting->stable = node_clause(node, "stable");
	node->sorting->into = node_clause(node, "into");
	fine = has_form(&w) && has_all_cells(&w) && words_agree(node) && key_check(&w)
	       && payloads_check(&w) && into_check(&w) && order_check(&w) && first_check(&w)
	       && cuts_settle(s, node);
	for (int k = 0; k < w.met.n; k++)
		w.met.at[k]->written = true;
	node->whole = !node->sorting->first;
	return fine;
}

const struct front sort_front = { .statement = sorting_check };
