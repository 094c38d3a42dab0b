/* sema_cut.c - the clauses that divide an axis into sequences (running.h): `segments off`, `heads
 * h`, `keys k`, `of c` (R38).
 *
 * `of c` may be said `segments of c`.  The first three name an array with one axis.  What is read
 * of it is written as an expression, running->cell, so that a walk over the statement meets it and
 * its place is proved to be inside. */
#include <string.h>

#include "legal.h"
#include "running.h"
#include "sema_impl.h"

static const struct { const char *name; enum segment_kind kind; } cuts[] = {
	{ "segments", SEGMENT_OFFSETS }, { "heads", SEGMENT_HEADS }, { "keys", SEGMENT_KEYS },
	{ "of", SEGMENT_LENGTH }, { "segments of", SEGMENT_LENGTH },
};

bool cuts_agree(const struct node *node)
{
	for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++)
		for (size_t j = 0; j < k; j++)
			if (!clauses_agree(node, cuts[k].name, cuts[j].name,
			                   "only one clause may say where sequences begin"))
				return false;
	return true;
}

/* The cell of the array `name` at this subscript, as if it had been written. */
static struct expr *cell_of(struct sema *s, const struct ast *name, enum ast_kind kind,
                            const char *text)
{
	struct ast *sub = NEW(struct ast), *cell = NEW(struct ast);
	struct ast_range *range = NEW(struct ast_range);

	*sub = (struct ast){ .kind = kind, .at = name->at, .name = text };
	*range = (struct ast_range){ .at = name->at, .lo = sub };
	*cell = (struct ast){ .kind = A_SUBSCRIPT, .at = name->at, .name = name->name };
	list_add(&cell->sub, range);
	return expr_check(s, cell);
}

static bool cut_type(enum segment_kind kind, const struct expr *cell)
{
	char class = type_class(cell->type);
	const char *wants =
		kind == SEGMENT_OFFSETS
			? "integers: where each segment begins, and where the last one ends"
			: "bool or integers: a sequence begins where it is not 0";

	if (kind == SEGMENT_KEYS || strchr("IU", class) || (kind == SEGMENT_HEADS && class == 'B'))
		return true;
	diag_error(cell->at, D_RUNNING_CUT, "the cells of `%s` are %s, but must be %s",
	           cell->var->name, type_name(cell->type), wants);
	return false;
}

static bool cut_array(const struct node *node, const struct ast *a, const struct expr *cell)
{
	if (cell->kind != E_READ) {
		diag_error(a->at, D_RUNNING_CUT, "`%s` is a table, but the clause needs an array",
		           a->name);
		diag_cure("copy it to a temporary array with a `map`");
		return false;
	}
	for (int j = 0; node_target(node, j); j++)
		if (target_read(node_target(node, j))->var == cell->var) {
			diag_error(a->at, D_RUNNING_CUT,
			           "`%s` says where sequences begin, but the same statement writes "
			           "it",
			           a->name);
			diag_cure("write to a second array");
			return false;
		}
	if (!cell->var->layout || !cell->var->layout->block)
		return true;
	diag_error(a->at, D_LAYOUT_NOT_BUILT,
	           "keys whose fields are stored apart are not supported yet");
	diag_cure("store the fields together: `layout aos`");
	return false;
}

/* h[i], with the index that runs */
static bool is_cell(struct sema *s, const struct ast *a, const struct var *index)
{
	const struct binding *b = name_find(s, a->name);

	return b && b->var && b->var->rank == 1 && a->sub.n == 1 && !a->sub.at[0]->hi
	       && a->sub.at[0]->lo->kind == A_NAME && a->sub.at[0]->lo->name == index->name;
}

/* Says what would fit; a name that nobody knows is none of its business. */
static bool names_cells(struct sema *s, enum segment_kind kind, const struct clause_use *use,
                        const struct var *index)
{
	const struct ast *a = use->value.at[0];
	const struct binding *b = a->kind == A_NAME ? name_find(s, a->name) : NULL;

	if (a->kind == A_NAME && (!b || !b->var || b->var->rank == 1))
		return true;
	diag_error(a->at, D_RUNNING_CUT, "`%s` needs the name of an array with one axis",
	           use->clause->name);
	if (kind == SEGMENT_OFFSETS)
		diag_cure("for segments of equal length write `of 32`; otherwise name an array of "
		          "offsets: segment g is off[g]..off[g+1]");
	else if (a->kind == A_SUBSCRIPT && is_cell(s, a, index)) {
		diag_cure("write only its name: `%s %s`", use->clause->name, a->name);
		diag_fix(a->at, a->name);
	} else
		diag_cure("compute it first: `let h: bool[n]; map h[i] = ...;`");
	return false;
}

static bool cut_settle(struct sema *s, struct node *node, enum segment_kind kind,
                       const struct clause_use *use)
{
	struct running *r = node->running;
	const struct ast *a = use->value.at[0];

	if (!names_cells(s, kind, use, node->index.at[r->axis]))
		return false;
	r->cell = kind == SEGMENT_OFFSETS ? cell_of(s, a, A_NUMBER, "0")
	          : cell_of(s, a, A_NAME, node->index.at[r->axis]->name);
	if (!r->cell || !cut_array(node, a, r->cell) || !cut_type(kind, r->cell))
		return false;
	r->cut = r->cell->var;
	return true;
}

static bool length_settle(struct sema *s, struct node *node, const struct clause_use *use)
{
	struct expr *e = expr_index(s, use->value.at[0]);

	if (!e)
		return false;
	if (!is_uniform(e)) {
		diag_error(e->at, D_RUNNING_CUT,
		           "`of` needs one length for all segments, but this is not a single "
		           "value");
		diag_cure("for segments of different lengths write `segments off`");
		return false;
	}
	if (e->kind == E_CONST && e->value.i < 1) {
		diag_error(e->at, D_RUNNING_CUT, "a segment must have at least one cell, not %lld",
		           (long long)e->value.i);
		return false;
	}
	node->running->length = e;
	return true;
}

/* Offsets and lengths count the cells of the target's axis, whatever `for` leaves of them. */
static bool counts_cells(const struct node *node, const struct clause_use *use)
{
	struct var *index = node->index.at[node->running->axis];
	const struct expr *cell = target_read(node_target(node, 0));
	struct affine bare = affine_var(index);

	for (int d = 0; d < cell->arg.n; d++)
		if (affine_equal(&cell->affine[d], &bare))
			return true;
	diag_error(use->at, D_FORM_NOT_BUILT,
	           "`%s` counts cells of `%s`, and `%s` is not a subscript by itself there: "
	           "this is not supported yet",
	           use->clause->name, expr_text(cell), index->name);
	diag_cure("write to `%s[%s]`", cell->var->name, index->name);
	return false;
}

bool cuts_settle(struct sema *s, struct node *node)
{
	for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
		const struct clause_use *use = node_clause(node, cuts[k].name);
		if (!use)
			continue;
		node->running->segment = cuts[k].kind;
		if ((cuts[k].kind == SEGMENT_OFFSETS || cuts[k].kind == SEGMENT_LENGTH)
		    && !counts_cells(node, use))
			return false;
		return cuts[k].kind == SEGMENT_LENGTH ? length_settle(s, node, use)
		                                      : cut_settle(s, node, cuts[k].kind, use);
	}
	return true;
}
