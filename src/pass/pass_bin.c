/* pass_bin.c - pairs, compact ... within R: tests only near bodies, which are sorted by the cells
 * of a grid before.
 *
 * Needs: pins; statements as sema leaves them, before fusion.  Leaves: the statements of
 * cutoff->made before each such statement (src/graph/cutoff.h), and its own indices as places in
 * the sorted order: what was copied is read at them, everything else, the target too, at order[i]
 * and order[j].  So `i != j` stays as it is, since an order has every number once.
 *
 * Cells that have a place of their own stay in their order: only terms are at places of it.
 *
 * The statements that count the rows of a compact come before it (selection.h); the first of them
 * has the grid.  The compact's `where` is at its places, too, its equations at the numbers of the
 * bodies.
 *
 * Rule (Hwu's input binning): always, where terms may be folded in any order. */
#include "ask.h"
#include "cutoff.h"
#include "pass.h"
#include "remark.h"
#include "selection.h"

/* ---- indices become places ---- */

/* cell: NULL if cells are no bodies; term: NULL outside of folds */
struct places { struct cutoff *c; struct var *cell, *term; };

static bool is_place(const struct places *p, const struct expr *e)
{
	return e->kind == E_VAR && (e->var == p->cell || e->var == p->term);
}

static const struct copied *copied_of(const struct places *p, const struct expr *read,
                                      const struct field *field)
{
	if (read->kind != E_READ || read->arg.n != 1 || !is_place(p, read->arg.at[0]))
		return NULL;
	for (int k = 0; k < p->c->copied.n; k++)
		if (p->c->copied.at[k].from == read->var && p->c->copied.at[k].field == field)
			return &p->c->copied.at[k];
	return NULL;
}

static struct expr *read_copied(const struct copied *c, struct expr *place)
{
	struct expr *sub[] = { place, expr_int(type_scalar(T_I64), c->lane, place->at) };
	return expr_read(c->to, sub, place->at);
}

/* Of a struct whose fields are copied: all of them. */
static struct expr *struct_copied(const struct places *p, const struct expr *read)
{
	const struct type *type = read->type;
	struct expr *made = expr_new(E_STRUCT, type, read->at);
	for (int f = 0; type->kind == T_STRUCT && f < type->record->field.n; f++) {
		const struct copied *c = copied_of(p, read, &type->record->field.at[f]);
		if (!c)
			return NULL;
		list_add(&made->arg, read_copied(c, read->arg.at[0]));
	}
	return made->arg.n ? made : NULL;
}

/* The copy of what is read, or NULL. */
static struct expr *copy_of(const struct places *p, const struct expr *e)
{
	const struct expr *read = e->kind == E_FIELD ? e->arg.at[0] : e;
	const struct copied *c = copied_of(p, read, e->kind == E_FIELD ? e->field : NULL);
	if (c)
		return read_copied(c, read->arg.at[0]);
	return e->kind == E_READ ? struct_copied(p, e) : NULL;
}

/* of a body at a place */
static struct expr *number_at(const struct cutoff *c, struct var *place, struct loc at)
{
	struct expr *sub = expr_var(place, at);
	return expr_as(expr_read(c->order, &sub, at), type_scalar(T_I64));
}

static bool compares_places(const struct places *p, const struct expr *e)
{
	return e->kind == E_BINARY && (e->op == OP_EQ || e->op == OP_NE)
	       && is_place(p, e->arg.at[0]) && is_place(p, e->arg.at[1]);
}

static struct expr *placed(const struct places *, struct expr *);

/* The fold stays the statement's own: lowerings know it by its address. */
static struct expr *placed_fold(const struct places *p, struct expr *e)
{
	struct fold *fold = e->fold;
	struct places inside = *p;
	if (!p->term)
		inside.term = fold->index.at[0];
	for (int d = 0; d < fold->index.n && p->term; d++) {
		fold->lo.at[d] = placed(p, fold->lo.at[d]);
		fold->hi.at[d] = placed(p, fold->hi.at[d]);
	}
	if (fold->where)
		fold->where = placed(&inside, fold->where);
	e->arg.at[0] = placed(&inside, e->arg.at[0]);
	return e;
}

static struct expr *placed_read(const struct places *p, const struct expr *e)
{
	struct expr *sub[MAX_RANK];
	for (int d = 0; d < e->arg.n; d++)
		sub[d] = placed(p, e->arg.at[d]);
	struct expr *read = expr_read(e->var, sub, e->at);
	read->checked = e->checked;
	read->guarded = e->guarded;
	for (int d = 0; d < e->arg.n; d++)
		read->guarded |= e->affine[d].n < 0;    /* a condition may keep it inside */
	return read;
}

static struct expr *placed(const struct places *p, struct expr *e)
{
	if (is_place(p, e))
		return number_at(p->c, e->var, e->at);
	if (e->kind == E_FOLD)
		return placed_fold(p, e);
	struct expr *copy = copy_of(p, e);
	if (copy)
		return copy;
	if (e->kind == E_READ)
		return placed_read(p, e);
	if (compares_places(p, e))
		return e;
	struct expr *made = expr_bare(e);
	for (int a = 0; a < e->arg.n; a++)
		list_add(&made->arg, placed(p, e->arg.at[a]));
	return made;
}

static void note_reads(struct cutoff *c, struct expr *place)
{
	list_add(&c->read, expr_read(c->slot, &place, c->at));
	list_add(&c->read, expr_var(c->fine, c->at));
	for (int a = 0; a < c->axes; a++)
		list_add(&c->read, expr_var(c->cells[a], c->at));
}

static void place_body(struct cutoff *c, struct var *place)
{
	c->place = place;
	c->cell = number_at(c, place, c->at);
	note_reads(c, expr_var(place, c->at));
}

static void place_equations(struct node *node)
{
	struct cutoff *c = node->cutoff;
	struct folds folds = { .n = 0 };
	struct places p = { .c = c, .cell = c->home ? NULL : node->index.at[0] };
	for (int q = 0; q < node->equation.n; q++)
		folds_of(node->equation.at[q]->right, &folds);
	for (int f = 0; f < folds.n; f++) {
		struct fold *fold = folds.at[f]->fold;
		if (c->wraps)                /* who has a place is inside the box */
			fold->where = fold->where->arg.at[1];
		list_add(&c->number, number_at(c, fold->index.at[0], c->at));
	}
	for (int q = 0; q < node->equation.n; q++) {
		struct equation *eq = node->equation.at[q];
		for (int t = 0; t < eq->target.n; t++)
			eq->target.at[t] = placed(&p, eq->target.at[t]);
		eq->right = placed(&p, eq->right);
	}
	if (c->home) {
		note_reads(c, c->number.at[0]);
		list_add(&c->read, c->home);
		return;
	}
	if (node->where)
		node->where = placed(&p, node->where);
	place_body(c, node->index.at[0]);
	node->whole = false;
}

/* By the statement that counts its items. */
static void place_items(struct node *node, const struct node *count)
{
	const struct cutoff *from = count->cutoff;
	struct cutoff *c = node->cutoff;
	struct folds folds = { .n = 0 };
	folds_of(count->equation.at[0]->right, &folds);
	const struct fold *fold = folds.at[0]->fold;
	c->order = from->order;
	c->slot = from->slot;
	c->fine = from->fine;
	for (int a = 0; a < c->axes; a++)
		c->cells[a] = from->cells[a];
	c->copied = from->copied;
	c->binned = true;
	place_body(c, count->index.at[0]);
	c->other = fold->index.at[0];
	list_add(&c->number, number_at(c, c->other, c->at));
	list_add(&c->read, expr_read(node->selection->rows->begin, &c->cell, c->at));
	node->where = fold->where;
}

/* ---- the decision ---- */

/* Of bodies that are spread evenly: those in the rows around a body, of those nearer than R. */
static double tested_a_pair(const struct cutoff *c, int fine)
{
	static const double rows[] = { 1, 3, 9 }, near[] = { 2, 3.14159265, 4.18879020 };
	return rows[c->axes - 1] * (2 + 1.0 / fine) / near[c->axes - 1];
}

static const char *no_bins(const struct node *node, const struct options *o)
{
	if (node->pin.bin < 0)
		return "pinned";
	if (!node->pin.bin && !pass_enabled(o, "bin"))
		return "--no-pass=bin";
	return shape_of(node, o).no_bins;
}

/* told: the statement of the program, which may be another one. */
static void bin(struct node *told, struct node *node, struct insertion *b)
{
	struct cutoff *c = node->cutoff;
	if (node->pin.cap && !b->o->target->gpu) {
		pin_unfit(told, PIN_BIN,
		          "on a CPU one thread folds all pairs of a body, so `bin %d` has no `cap` "
		          "there",
		          node->pin.bin);
		node->pin.bin = node->pin.cap = node->choice.bin = node->choice.cap = 0;
	}
	const char *why = no_bins(node, b->o);
	int fine = node->pin.bin > 0 ? node->pin.bin : 1 << CUTOFF_FINE_BITS;
	if (why) {
		remark_not(told, PASS_BIN, "%s", why);
		if (node->pin.bin > 0)
			pin_unfit(told, PIN_BIN, "`%s` tests all pairs: %s", told->name, why);
		return;
	}
	c->binned = true;
	for (c->most_fine->value.i = 0; 1 << c->most_fine->value.i < fine;)
		c->most_fine->value.i++;
	place_equations(node);
	for (int k = 0; k < c->let.n; k++)
		list_add(&b->entry->let, c->let.at[k]);
	for (int k = 0; k < c->made.n; k++)
		list_add(&b->made, c->made.at[k]);
	remark_did(told, PASS_BIN, EFFICIENCY,
	           "bodies are sorted by cells of the radius, divided by %d along the first axis: "
	           "for evenly distributed bodies, %s pairs are tested for each near pair%s",
	           fine, remark_number(tested_a_pair(c, fine)),
	           node->pin.bin > 0 ? ", as pinned" : "");
}

/* `made` has filled what `rows` names. */
static void leave_rows(struct node *node)
{
	int n = 0;
	for (int q = 0; q < node->equation.n; q++)
		if (selected_part(node, node->equation.at[q]) != PART_ROWS)
			node->equation.at[n++] = node->equation.at[q];
	node->equation.n = n;
}

static void count_rows(struct node *node, struct insertion *b)
{
	const struct row_begins *rows = node->selection->rows;
	struct node *count = rows->made.at[0];
	if (node->cutoff) {
		count->pin.bin = node->pin.bin;
		count->pin.cap = node->pin.cap;
		bin(node, count, b);
		if (count->cutoff->binned)
			place_items(node, count);
	}
	for (int k = 0; k < rows->made.n; k++)
		list_add(&b->made, rows->made.at[k]);
	leave_rows(node);
}

static void choose(struct node *node, struct insertion *b)
{
	if (node->selection && node->selection->rows)
		count_rows(node, b);
	else if (node->cutoff)
		bin(node, node, b);
	else if (node->pin.bin)
		pin_unfit(node, PIN_BIN, "`%s` has no radius", node->name);
}

void pass_bin(struct entry *entry, const struct options *o)
{
	pass_insert(entry, choose, o);
}
