/* compact_eval.c - the interpreter on statements that keep a selection of their cells: selection.h.
 *
 * Items run in order and go to their places one after another.  Where a condition is open, so are
 * all places from there on, and the count.
 *
 * An `unordered` statement may give its places in any order: whoever looks at a cell finds it open,
 * and whoever compares the arrays as a whole is told which of them were moved alike (struct bound).
 * */
#include <assert.h>
#include <string.h>

#include "../lowerings.h"
#include "eval_impl.h"
#include "selection.h"

struct move {                            /* an equation */
	enum part part;
	struct place *to;
	const struct type *type;
	struct code *right;
	struct num value;
	unsigned char *bytes;                /* of a struct: the value itself */
};
struct select_code {
	const struct node *node;
	int n, moves;
	struct place **index;
	struct code **lo, **hi, **count, *where;
	struct move *move;
	int64_t placed[PART_COUNT];          /* so far */
	int64_t sure[PART_COUNT];  /* before the first condition that is open; -1: there was none */
	bool full;                           /* something was dropped */
};

static struct select_code *compile_selection(struct eval *ev, const struct node *node)
{
	struct select_code *c = known_add(&ev->node, node, NEW(struct select_code));
	c->node = node;
	c->n = node->index.n;
	c->moves = node->equation.n;
	c->index = array_new(c->n, sizeof *c->index);
	c->move = array_new(c->moves, sizeof *c->move);
	for (int k = 0; k < c->n; k++)
		c->index[k] = place_of(ev, node->index.at[k]);
	c->lo = code_list(ev, node->lo.at, c->n);
	c->hi = code_list(ev, node->hi.at, c->n);
	c->count = expansion_codes(ev, node);
	c->where = code_of(ev, node->where);
	for (int q = 0; q < c->moves; q++) {
		const struct equation *eq = node->equation.at[q];
		const struct var *to = eq->target.at[0]->var;
		c->move[q] = (struct move){
			selected_part(node, eq), place_of(ev, to), to->type, NULL, { 0 }, NULL
		};
		if (c->move[q].part < PART_COUNT)
			c->move[q].right = code_of(ev, eq->right);
		if (in_memory(to->type))
			c->move[q].bytes = array_new(1, (size_t)type_size(to->type));
	}
	return c;
}

/* The values of an item, before any of them is stored; false: one cannot be had. */
static bool values(struct eval *ev, struct select_code *c, enum part part)
{
	for (int q = 0; q < c->moves; q++) {
		struct move *m = &c->move[q];
		if (m->part != part)
			continue;
		m->value = run(ev, m->right);
		if (ev->outside)
			return false;
		if (m->bytes)
			m->value.i = (int64_t)(intptr_t)memcpy(m->bytes,
			                                       (const void *)(intptr_t)m->value.i,
			                                       (size_t)type_size(m->type));
	}
	return true;
}

static void place_item(struct select_code *c, enum part part)
{
	int64_t at = c->placed[part]++;
	for (int q = 0; q < c->moves; q++) {
		struct move *m = &c->move[q];
		if (m->part != part)
			continue;
		if (at >= m->to->cells) {
			c->full = true;
			continue;
		}
		num_store(m->type, m->to->data + at * type_size(m->type), m->value);
		m->to->error[at] = m->value.e;
	}
}

static void run_item(struct eval *ev, struct select_code *c)
{
	ev->outside = false;
	struct num where = run(ev, c->where);
	enum part part = where.i ? PART_KEPT : PART_REJECTED;
	if (where.e > 0 && c->sure[PART_KEPT] < 0)
		memcpy(c->sure, c->placed, sizeof c->sure);
	if (!ev->outside && values(ev, c, part))
		place_item(c, part);
	if (ev->outside)
		record(ev);
	ev->outside = false;
}

/* Of a count that an i32 may not hold. */
static void store_number(struct select_code *c, struct move *m, int64_t at)
{
	int64_t number = c->placed[PART_KEPT];
	if (m->type->kind == T_I32 && number > INT32_MAX) {
		c->full = true;
		number = INT32_MAX;
	}
	num_store(m->type, m->to->data + at * type_size(m->type), num_int(number));
	m->to->error[at] = c->sure[PART_KEPT] < 0 ? 0 : OPEN;
}

/* Where row i begins. */
static void store_begin(struct select_code *c, int64_t i)
{
	for (int q = 0; q < c->moves; q++)
		if (c->move[q].part == PART_ROWS)
			store_number(c, &c->move[q], i);
}

static void run_items(struct eval *ev, struct select_code *c, int k)
{
	if (k == c->n) {
		run_item(ev, c);
		return;
	}
	int64_t lo, hi;
	if (!range_of(ev, &(struct range_code){ c->lo[k], c->hi[k], c->count[k] }, &lo, &hi))
		return;
	for (int64_t i = lo; i < hi && step_on(ev, c->node->at); i++) {
		if (k == 0)
			store_begin(c, i);
		c->index[k]->value = num_int(i);
		run_items(ev, c, k + 1);
	}
	if (k == 0)
		store_begin(c, hi);
}

static void open_from(struct place *p, int64_t first)
{
	for (int64_t i = first; i < p->cells; i++)
		p->error[i] = OPEN;
}

/* Cells that are exact can be compared in any order, as far as none was dropped. */
static void deal_out(struct select_code *c, enum part part)
{
	struct order *order = NEW(struct order);
	bool exact = c->sure[PART_KEPT] < 0;
	order->cells = c->placed[part];
	for (int q = 0; q < c->moves; q++) {
		struct place *to = c->move[q].to;
		if (c->move[q].part != part)
			continue;
		int64_t cells = order->cells < to->cells ? order->cells : to->cells;
		exact &= cells == order->cells;
		for (int64_t i = 0; i < cells; i++)
			exact &= to->error[i] == 0;
		for (int64_t i = 0; i < cells; i++)
			to->error[i] = OPEN;
	}
	for (int q = 0; q < c->moves && exact; q++)
		if (c->move[q].part == part)
			c->move[q].to->order = order;
}

void compact_eval(struct eval *ev, const struct node *node)
{
	struct select_code *c = known_find(ev->node, node);
	c = c ? c : compile_selection(ev, node);
	memset(c->placed, 0, sizeof c->placed);
	c->sure[PART_KEPT] = c->sure[PART_REJECTED] = -1;
	c->full = false;
	run_items(ev, c, 0);
	for (int q = 0; q < c->moves; q++) {
		struct move *m = &c->move[q];
		if (m->part == PART_COUNT)
			store_number(c, m, 0);
		else if (m->part < PART_COUNT && c->sure[m->part] >= 0)
			open_from(m->to, c->sure[m->part]);
	}
	if (c->full)
		record_status(ev, ST_FULL);
	for (enum part part = PART_KEPT; part < PART_COUNT && node->selection->unordered; part++)
		deal_out(c, part);
}
