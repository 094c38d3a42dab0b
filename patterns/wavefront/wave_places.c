/* wave_places.c - reads of a wavefront's own tables at places that data decide: x[col[e]].
 *
 * Along one index the place is what data say, along the others it is the cell's.  It must be before
 * the cell, which only the run can test.  So its subscript becomes `col[e] < i ? col[e] : -1`, a
 * place in no array: the test of bounds, which every such read has (legal.c), then leaves out and
 * records what is not before the cell as well as what is outside.  `trusted` leaves out both. */
#include "ask.h"
#include "ragged.h"
#include "wave_sema.h"

static int table_of(const struct node *node, const struct expr *e)
{
	for (int q = 0; e->kind == E_READ && q < node->equation.n; q++)
		if (wave_target(node, q)->var == e->var)
			return q;
	return -1;
}

static bool no_place(const struct expr *read, const char *text)
{
	diag_error(read->at, D_FORM_NOT_BUILT, text, expr_text(read));
	return false;
}

/* The place as an i64, or -1 if it is not before that of the cell. */
static struct expr *before(const struct expr *sub, const struct expr *cell, bool back)
{
	const struct type *type = type_scalar(T_I64);
	struct expr *place = expr_cast((struct expr *)sub, type),
		    *own = expr_cast((struct expr *)cell, type);
	struct expr *choice = expr_new(E_COND, type, sub->at);
	list_add(&choice->arg, expr_binary(back ? OP_GT : OP_LT, place, own));
	list_add(&choice->arg, place);
	list_add(&choice->arg, expr_int(type, -1, sub->at));
	return choice;
}

static bool is_no_table(struct expr *e, void *node)
{
	return table_of(node, e) < 0;
}

static bool place_tested(struct node *node, struct expr *read, const struct expr *cell, int d)
{
	struct wavefront *wave = node->wave;
	int k = wave->order[d];
	if (!expr_walk(read->arg.at[d], is_no_table, node))
		return no_place(read, "this reads %s at an index that depends on the statement's "
		                      "own targets: this is not supported yet");
	if (wave->by_data && wave->data_index != k)
		return no_place(read,
		                "this reads %s at a data-dependent position along one index, and "
		                "another cell along another index: this is not supported yet");
	wave->by_data = true;
	wave->data_index = k;
	if (!node_clause(node, "trusted"))
		read->arg.at[d] = before(read->arg.at[d], cell->arg.at[d], wave->back[k]);
	return true;
}

static bool visit_place(struct expr *e, void *node)
{
	int q = table_of(node, e), d = q < 0 ? -1 : wave_data_axis(node, e, q);
	return d < 0 || place_tested(node, e, wave_target(node, q), d);
}

/* Of all reads of targets, but those of the cell itself. */
static bool visit_other(struct expr *e, void *node)
{
	int q = table_of(node, e);
	bool own = q >= 0;
	for (int d = 0; own && d < e->arg.n; d++)
		own = e->affine[d].n >= 0
		      && affine_equal(&e->affine[d], &wave_target(node, q)->affine[d]);
	return q < 0 || own || wave_data_axis(node, e, q) >= 0
	       || no_place(e, "this reads %s, and another read has a data-dependent index: both in "
	                      "one statement are not supported yet");
}

static bool each_read(struct node *node, bool (*visit)(struct expr *, void *))
{
	for (int q = 0; q < node->equation.n; q++)
		if (!expr_walk(node->equation.at[q]->right, visit, node))
			return false;
	return expr_walk(node->where, visit, node);
}

bool places_tested(struct node *node)
{
	return each_read(node, visit_place)
	       && (!node->wave->by_data || each_read(node, visit_other));
}
