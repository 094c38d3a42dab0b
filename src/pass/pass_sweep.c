/* pass_sweep.c - decides the order in which a wavefront computes its cells, and which of them are
 * kept.
 *
 * Needs: pins, groups.  Leaves: choice.sweep; temporaries that have no memory (on_chip), or of some
 * cells (ring). Rule: the pattern says which orders the statement's neighbours and laws allow, and
 * which of them it takes to be the fastest on the target (its shape() says by what model);
 * --no-pass=sweep leaves the one that needs no law.
 *
 * A temporary of which all cells are computed, or all that cells look at, that no other statement
 * uses but those folded with them, is not stored, if the order hands on by itself what
 * cells look back at: every cell that is asked for has a new value then, and no old one is.  In
 * other orders as much of it is kept as the pattern says cells look back at. Where others read a
 * row or a column of it, that is an array of its own. */
#include <string.h>
#include "legal.h"
#include "ask.h"
#include "pass.h"
#include "remark.h"
#include "wavefront.h"

static void pass_by(const struct node *node)
{
	if (node->pin.sweep)
		pin_unfit(node, PIN_SWEEP,
		          "the order of `%s` cannot be chosen: none of its cells depends on "
		          "another",
		          node->name);
	remark_none((struct node *)node, PASS_SWEEP,
	            node->pattern->solves ? "its cells are solved together"
	                                  : "no cell depends on another");
}

static enum sweep chosen(const struct node *node, const struct shape *s, const struct options *o)
{
	if (node->pin.sweep && !s->no_sweep[node->pin.sweep])
		return node->pin.sweep;
	if (node->pin.sweep
	    && pin_unfit(node, PIN_SWEEP, "`%s` cannot be swept `%s`: %s", node->name,
	                 sweep_text[node->pin.sweep], s->no_sweep[node->pin.sweep]))
		return SWEEP_DIAGONAL;
	return pass_enabled(o, "sweep") ? s->sweep : SWEEP_DIAGONAL;
}

static void choose(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	if (!s.sweep) {
		pass_by(node);
		return;
	}
	node->choice.sweep = chosen(node, &s, o);
	const char *way = node->choice.sweep == node->pin.sweep ? ", as pinned"
	                  : pass_enabled(o, "sweep")            ? ""
	                                                        : ", by --no-pass=sweep";
	remark_did(node, PASS_SWEEP, EFFICIENCY, "%s%s%s%s", sweep_text[node->choice.sweep], way,
	           s.law ? ": " : "", s.law ? s.law : "");
	if (node->choice.sweep == SWEEP_BLOCKED)
		s.split(node);
}

/* ---- what is not stored ---- */

static bool no_read_apart(struct expr *e, void *var)
{
	return e->kind != E_READ || e->var != var;
}

/* Of a statement folded after the cells: does it read var outside of its folds? */
static bool reads_apart(const struct expr *e, struct var *var)
{
	bool found = e->kind != E_FOLD && !no_read_apart((struct expr *)e, var);
	for (int a = 0; e->kind != E_FOLD && !found && a < e->arg.n; a++)
		found = reads_apart(e->arg.at[a], var);
	return found;
}

static bool uses_apart(const struct node *s, const struct node *node, struct var *var)
{
	if (s == node)
		return false;
	if (s->kind == NODE_SWAP)
		return s->swap[0] == var || s->swap[1] == var;
	if (s->kind == NODE_PATTERN && (s->group != node->group || !s->group))
		return node_reads(s, var) || node_writes(s, var);
	for (int q = 0; q < s->equation.n; q++)
		if (reads_apart(s->equation.at[q]->right, var))
			return true;
	for (int i = 0; i < s->body.n; i++)
		if (uses_apart(s->body.at[i], node, var))
			return true;
	return false;
}

static bool steps_along(const struct node *node, int equation, int k, int way)
{
	for (int r = 0; r < node->wave->read.n; r++)
		if (node->wave->read.at[r]->equation == equation
		    && way * node->wave->read.at[r]->step[k] > 0)
			return true;
	return false;
}

/* Does the range of index k have a bound that is the same wherever a cell's neighbours are? */
static bool even_range(const struct node *node, int equation, int k)
{
	for (int d = 0; d < node->index.n; d++)
		if ((steps_along(node, equation, d, 1) || steps_along(node, equation, d, -1))
		    && bounds_use(node, k, node->index.at[d]))
			return false;
	for (int w = 0; w < node->wave->within.n; w++)
		if (node->wave->within.at[w].index == k)
			return false;
	return true;
}

static bool is_end(const struct expr *bound, const struct affine *end)
{
	struct affine a;
	return affine_of(bound, &a) && affine_equal(&a, end);
}

/* Cells of the table that are not computed, those beside the range, have none that looks at them.
 * */
static bool looks_inside(const struct node *node, int equation)
{
	const struct expr *cell = node_target(node, equation);
	struct affine zero = affine_constant(0);
	for (int a = 0; a < cell->arg.n; a++) {
		int k = 0;
		while (k < node->index.n
		       && (cell->arg.at[a]->kind != E_VAR
		           || cell->arg.at[a]->var != node->index.at[k]))
			k++;
		if (k == node->index.n || !even_range(node, equation, k)
		    || (steps_along(node, equation, k, -1) && !is_end(node->lo.at[k], &zero))
		    || (steps_along(node, equation, k, 1)
		        && !is_end(node->hi.at[k], &cell->var->extent[a])))
			return false;
	}
	return !cell->checked;
}

static int ring_axis(const struct expr *cell, const struct node *node, const struct ring *ring)
{
	int axis = 0;
	while (!expr_uses(cell->arg.at[axis], node->index.at[ring->index]))
		axis++;
	return axis;
}

/* May the table have more cells along it? */
static bool ring_spares(const struct expr *cell, const struct node *node, const struct ring *ring)
{
	const struct affine *extent = &cell->var->extent[ring_axis(cell, node, ring)];
	return !cell->var->layout && (extent->n || extent->constant > ring->alone);
}

/* Of a target: what its own cells do. */
static const char *no_absence(const struct node *node, int equation, const struct shape *s)
{
	if (s->no_unstored
	    && (!s->ring || !ring_spares(node_target(node, equation), node, s->ring)))
		return s->no_unstored;
	if ((!node->whole && !looks_inside(node, equation)) || node->where || node_skips(node))
		return "some of its cells keep their values";
	for (int r = 0; r < node->wave->read.n; r++)
		if (node->wave->read.at[r]->equation == equation && !node->wave->read.at[r]->fresh)
			return "old values of it are read";
	return NULL;
}

static bool used_apart(const struct entry *entry, const struct node *node, struct var *var)
{
	for (int i = 0; i < entry->body.n; i++)
		if (uses_apart(entry->body.at[i], node, var))
			return true;
	return false;
}

/* ---- lines of it: wavefront.h, Note [lines] ---- */

enum { MOST_LINES = 2 };

struct seeking {
	const struct node *node;
	int equation;
	LIST(struct wave_line) line;
	bool other;                          /* someone uses the table otherwise */
};

static bool by_sizes(const struct affine *a)
{
	for (int t = 0; t < a->n; t++)
		if (a->term[t].var->kind != VAR_SIZE)
			return false;
	return true;
}

/* The line that a read is of: by the subscripts that say which row, which column, which plane; one
 * axis is left. */
static bool line_of(const struct seeking *s, const struct expr *read, struct wave_line *line)
{
	const struct expr *cell = node_target(s->node, s->equation);
	struct affine at;
	int n = s->node->index.n, found = 0;
	*line = (struct wave_line){ .equation = s->equation };
	for (int t = 0; t < n && n > 1; t++)
		for (int a = 0; a < cell->arg.n && found + 1 < cell->arg.n; a++) {
			int d = (t + n - 2) % n;         /* rows and columns come first */
			bool is = cell->arg.at[a]->var
			          == s->node->index.at[s->node->wave->order[d]];
			if (!is || !affine_of(read->arg.at[a], &at) || !by_sizes(&at))
				continue;
			line->at[a] = read->arg.at[a];
			found++;
		}
	return found;
}

static bool same_line(const struct wave_line *a, const struct wave_line *b)
{
	struct affine x, y;
	for (int d = 0; d < MAX_RANK; d++) {
		if (!a->at[d] != !b->at[d])
			return false;
		if (a->at[d]
		    && !(affine_of(a->at[d], &x) && affine_of(b->at[d], &y)
		         && affine_equal(&x, &y)))
			return false;
	}
	return true;
}

static int line_number(const struct seeking *s, const struct wave_line *line)
{
	int i = 0;
	while (i < s->line.n && !same_line(&s->line.at[i], line))
		i++;
	return i;
}

static bool seek_line(struct expr *e, void *state)
{
	struct seeking *s = state;
	struct wave_line line;
	if ((e->kind != E_READ && e->kind != E_VAR)
	    || e->var != node_target(s->node, s->equation)->var)
		return true;
	s->other |= e->kind != E_READ || e->checked || !line_of(s, e, &line);
	if (s->other || line_number(s, &line) < s->line.n)
		return !s->other;
	s->other |= s->line.n == MOST_LINES;
	list_add(&s->line, line);
	return !s->other;
}

/* The same cell of the line: subscripts are arrays of the expression's own. */
static void onto_line(struct expr *e, struct var *var, const struct wave_line *line)
{
	struct expr old = *e;
	int n = 0;
	e->var = var;
	memset(&e->arg, 0, sizeof e->arg);
	e->affine = mem_new((size_t)old.arg.n * sizeof *e->affine);
	for (int a = 0; a < old.arg.n; a++) {
		if (line->at[a])
			continue;
		list_add(&e->arg, old.arg.at[a]);
		e->affine[n++] = old.affine[a];
	}
}

static bool put_on_line(struct expr *e, void *state)
{
	const struct seeking *s = state;
	struct wave_line line;
	if (e->kind == E_READ && e->var == node_target(s->node, s->equation)->var
	    && line_of(s, e, &line))
		onto_line(e, s->line.at[line_number(s, &line)].cell->var, &line);
	return true;
}

/* What a statement folded after the cells reads of them in its folds is at hand. */
static void walk_apart(struct expr *e, bool (*visit)(struct expr *, void *), struct seeking *s)
{
	if (e->kind == E_FOLD)
		return;
	visit(e, s);
	for (int a = 0; a < e->arg.n; a++)
		walk_apart(e->arg.at[a], visit, s);
}

static void walk_readers(struct node *const *at, int n, bool (*visit)(struct expr *, void *),
                         struct seeking *s)
{
	struct var *var = node_target(s->node, s->equation)->var;
	for (int i = 0; i < n; i++) {
		struct node *r = at[i];
		bool behind = r->group && r->group == s->node->group;
		if (r == s->node)
			continue;
		for (int q = 0; behind && q < r->equation.n; q++)
			walk_apart(r->equation.at[q]->right, visit, s);
		if (!behind && uses_apart(r, s->node, var) && r->kind == NODE_PATTERN) {
			bool plain = (r->pattern->fuse & FUSE_READS) && !r->wave && !r->running
			             && !r->selection && !node_writes(r, var);
			s->other |= !plain;
			node_walk(r, visit, s);
		}
		s->other |= r->kind == NODE_SWAP && uses_apart(r, s->node, var);
		expr_walk(r->limit, visit, s);
		expr_walk(r->until, visit, s);
		walk_readers(r->body.at, r->body.n, visit, s);
	}
}

static struct var *line_var(const struct var *table, const struct wave_line *line)
{
	struct var *var = NEW(struct var);
	*var = *table;
	var->name = str_print("%s_line", table->name);
	var->rank = 0;
	for (int a = 0; a < table->rank; a++)
		if (!line->at[a])
			var->extent[var->rank++] = table->extent[a];
	return var;
}

/* Puts those that others read beside the cells; false: they read more. */
static bool keep_lines(struct entry *entry, struct node *node, int equation)
{
	struct seeking s = { .node = node, .equation = equation };
	const struct expr *cell = node_target(node, equation);
	if (!node->whole || node->where || cell->var->layout)
		return false;
	walk_readers(entry->body.at, entry->body.n, seek_line, &s);
	for (int i = 0; !s.other && i < s.line.n; i++) {
		struct wave_line *line = &s.line.at[i];
		line->cell = NEW(struct expr);
		*line->cell = *cell;
		onto_line(line->cell, line_var(cell->var, line), line);
		list_add(&entry->let, line->cell->var);
		list_add(&node->wave->line, *line);
	}
	if (!s.other)
		walk_readers(entry->body.at, entry->body.n, put_on_line, &s);
	return !s.other;
}

static const char *lines_text(const struct node *node, int equation)
{
	const struct expr *cell = node_target(node, equation);
	char *text = "";
	for (int i = 0; i < node->wave->line.n; i++) {
		const struct wave_line *line = &node->wave->line.at[i];
		const char *join = *text ? " or " : "";
		for (int a = 0; line->equation == equation && a < cell->arg.n; a++) {
			if (!line->at[a])
				continue;
			text = str_print("%s%s`%s` is %s", text, join, cell->arg.at[a]->var->name,
			                 expr_text(line->at[a]));
			join = " and ";
		}
	}
	return text;
}

/* ---- and what then is kept ---- */

static const struct ring *ring_for(const struct expr *cell, const struct node *node,
                                   const struct ring *ring)
{
	struct ring *own = NEW(struct ring);
	*own = *ring;
	own->axis = ring_axis(cell, node, ring);
	if (ring->alone < ring->cells) {
		own->kept = NEW(struct var);
		*own->kept = (struct var){ .kind = VAR_SIZE,
			                   .name = str_print("%s_kept", cell->var->name),
			                   .type = type_scalar(T_I64) };
	}
	return own;
}

static const char *ring_text(const struct node *node, const struct ring *ring)
{
	const char *name = node->index.at[ring->index]->name;
	if (ring->alone == ring->cells)
		return str_print("%lld cells along `%s`", (long long)ring->cells, name);
	return str_print("%lld cells along `%s`, %lld if %lld problems or more share the work,",
	                 (long long)ring->cells, name, (long long)ring->alone,
	                 (long long)ring->many);
}

static const char used_otherwise[] = "other statements use it";

static void tell_stored(struct node *node, const struct var *var, const char *why)
{
	if (why == used_otherwise)
		remark_none(node, PASS_SWEEP, "`%s` is stored: %s", var->name, why);
	else if (why)
		remark_costs(node, PASS_SWEEP, (double)type_size(var->type), "`%s` is stored: %s",
		             var->name, why);
	else
		remark_did(node, PASS_SWEEP, BANDWIDTH,
		           "`%s` is not stored, %s a cell less: nothing else reads it", var->name,
		           remark_bytes((double)type_size(var->type)));
}

static void spare_table(struct node *node, int equation, struct entry *entry, const struct shape *s)
{
	const struct expr *cell = node_target(node, equation);
	struct var *var = cell->var;
	const char *why = no_absence(node, equation, s),
		   *bytes = remark_bytes((double)type_size(var->type));
	bool used = used_apart(entry, node, var);
	if (used && (why || !keep_lines(entry, node, equation)))
		why = used_otherwise;
	var->on_chip = !why && !s->ring;
	var->ring = why || !s->ring ? NULL : ring_for(cell, node, s->ring);
	if (why || (!used && !var->ring))
		tell_stored(node, var, why);
	else if (var->ring && used)
		remark_did(node, PASS_SWEEP, BANDWIDTH,
		           "only %s of `%s` are kept, and the cells where %s: no other cells are "
		           "read",
		           var->name, ring_text(node, s->ring), lines_text(node, equation));
	else if (var->ring)
		remark_did(node, PASS_SWEEP, BANDWIDTH,
		           "of `%s` no more than %s are kept: nothing else reads it", var->name,
		           ring_text(node, s->ring));
	else
		remark_did(node, PASS_SWEEP, BANDWIDTH,
		           "`%s` is stored only where %s, %s a cell less: no other cells are read",
		           var->name, lines_text(node, equation), bytes);
}

/* A product whose cells are folded in rows or columns, and not used otherwise. */
static void spare_product(struct node *node, const struct entry *entry)
{
	struct var *var = node_target(node, 0)->var;
	var->on_chip = !used_apart(entry, node, var);
	tell_stored(node, var, var->on_chip ? NULL : used_otherwise);
}

static void spare(struct node *node, struct entry *entry, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	if (!pass_enabled(o, "sweep"))
		return;
	for (int q = 0; node->wave && q < node->equation.n; q++)
		if (node_target(node, q)->var->kind == VAR_LET)
			spare_table(node, q, entry, &s);
	if (s.lines && node->group && node->group->epilogue.n
	    && node_target(node, 0)->var->kind == VAR_LET)
		spare_product(node, entry);
}

static void spare_in(struct entry *entry, struct node *const *at, int n, const struct options *o)
{
	for (int i = 0; i < n; i++) {
		if (at[i]->kind == NODE_PATTERN && (!at[i]->group || at[i]->group->anchor == at[i]))
			spare(at[i], entry, o);
		spare_in(entry, at[i]->body.at, at[i]->body.n, o);
	}
}

/* ---- two cells a word ---- */

static void pack(struct node *node, const struct options *o)
{
	const struct shape s = shape_of(node, o);
	bool batch = node->choice.sweep == SWEEP_BATCH;
	const char *why = s.no_pack;
	if (node->pin.pack && (!batch || (node->pin.pack > 0 && why)))
		pin_unfit(node, PIN_PACK, "cells of `%s` cannot share words: %s", node->name,
		          batch ? why : "they are not a batch");
	node->choice.pack = -1;
	if (!batch)
		return;
	if (node->pin.pack < 0)
		why = "pinned";
	if (!why && !node->pin.pack && !o->target->halves)
		why = str_print("%s has no instructions for that", o->target->arch);
	if (why) {
		remark_not(node, PASS_SWEEP, "two cells a word: %s", why);
		return;
	}
	node->choice.pack = 16;
	remark_did(node, PASS_SWEEP, EFFICIENCY, "two cells a word%s: %s",
	           node->pin.pack ? ", as pinned" : "", s.pack);
}

void pass_sweep(struct entry *entry, const struct options *o)
{
	pass_each(entry, choose, o);
	spare_in(entry, entry->body.at, entry->body.n, o);
	pass_each(entry, pack, o);
}
