/* pass_fuse.c - decides which statements become one kernel.
 *
 * Needs: checked nodes, pins.  Leaves: nodes removed because they were substituted into their only
 * reader, and groups: an anchor with the reductions that are folded where its cells are computed.
 *
 * A map into a temporary that one later statement reads, and nothing else, is put in the reader's
 * place of the read: it saves writing and reading the temporary.  pass_fuse_into.c.
 *
 * What folds each cell from many (a product) is the other way round: a map that alone reads the
 * temporary, at its own index, is computed where the cell is.
 *
 * A reduce over all cells that follows a stencil or a wavefront and reads its targets at the same
 * cell is folded in that kernel, as are those that follow it: it saves reading the targets once
 * more.  pass_fuse_behind.c.
 *
 * Statements over the same cells become one of several equations: pass_fuse_beside.c.
 *
 * Statements that run over the same rows share a kernel: pass_fuse_rows.c.  So do two products, and
 * folds of rows between them: pass_fuse_chain.c.  A compact that keeps every item of its ranges
 * counts them itself: pass_fuse_ranges.c.
 *
 * Between the two statements nothing may write what the first reads or writes.
 *
 * A test that says no says why, for the remark, or for the error where the user has pinned `fuse`;
 * that pin overrules what pays, never what is right. */
#include <string.h>
#include "ask.h"
#include "expansion.h"
#include "pass.h"
#include "pass_fuse.h"
#include "remark.h"
#include "running.h"

/* ---- who uses a variable: statements, and repeats for their limit and condition ---- */

struct noting { struct map *users; struct node *by; bool leaves; };

static void note_user(struct noting *n, const struct var *var)
{
	void **place = map_at(n->users, var);
	struct users *users = *place ? *place : (*place = NEW(struct users));
	int i = 0;
	if (!n->leaves && (users->at.n == 0 || users->at.at[users->at.n - 1] != n->by))
		list_add(&users->at, n->by);
	while (n->leaves && i < users->at.n && users->at.at[i] != n->by)
		i++;
	if (n->leaves && i < users->at.n) {
		memmove(&users->at.at[i], &users->at.at[i + 1],
		        sizeof *users->at.at * (size_t)(users->at.n - i - 1));
		users->at.n--;
	}
}

static bool note_expr(struct expr *e, void *noting)
{
	if (e->kind == E_VAR || e->kind == E_READ)
		note_user(noting, e->var);
	return true;
}

static void note_node(struct map *users, struct node *s, bool leaves)
{
	struct noting n = { users, s, leaves };
	if (s->kind == NODE_PATTERN)
		node_walk(s, note_expr, &n);
	for (int k = 0; s->kind == NODE_SWAP && k < 2; k++)
		note_user(&n, s->swap[k]);
	expr_walk(s->limit, note_expr, &n);
	expr_walk(s->until, note_expr, &n);
	for (int i = 0; i < s->body.n; i++)
		note_node(users, s->body.at[i], leaves);
}

void fuse_forget(struct map *users, struct node *node)
{
	note_node(users, node, true);
}

void fuse_note(struct map *users, struct node *node)
{
	note_node(users, node, false);
}

/* ---- pins and remarks ---- */

bool fuse_wanted(const struct node *m, const char *why, const char *pays)
{
	return !why && (m->pin.fuse > 0 || (m->pin.fuse == 0 && !pays));
}

bool fuse_allowed(struct node *m, const char *why, const char *pays, double bytes)
{
	if (m->pin.fuse > 0 && why) {
		if (pin_refused(m, PIN_FUSE, D_PIN_FUSE, "`%s` cannot be fused: %s", m->name,
		                why)) {
			diag_cure("remove the pin; --remarks gives the reason without an error");
			fix_leave_out_pin(m->pinned[PIN_FUSE].at);
		}
		return false;
	}
	if (fuse_wanted(m, why, pays))
		return true;
	const char *told = m->pin.fuse < 0 ? "pinned" : why ? why : pays;
	if (bytes > 0)
		remark_costs(m, PASS_FUSE, bytes, "%s", told);
	else
		remark_none(m, PASS_FUSE, "%s", told);
	return false;
}

/* What the passes before this one decide.  Those after it visit anchors alone, and a pin of the
 * whole kernel for them must not be left in a mate, which may be lowered apart. */
static struct choice decided(const struct choice *c)
{
	return (struct choice){ .fuse = c->fuse, .gather = c->gather, .tiles = c->tiles,
		                .separate = c->separate, .bin = c->bin, .cap = c->cap,
		                .regular = c->regular, .layout = c->layout, .time = c->time };
}

void fuse_join(struct node *m, struct node *into)
{
	m->into = into;
	m->choice = decided(&m->choice);
	for (enum pin pin = 0; pin < PIN_COUNT; pin++)
		if (pin != PIN_FUSE
		    && pin_refused(m, pin, D_PIN_FUSED,
		                   "`%s` is computed in the kernel of `%s`, so it has no kernel "
		                   "whose decisions could be pinned",
		                   m->name, into->name)) {
			diag_cure("pin `%s`, or pin `%s: no fuse` too", into->name, m->name);
			fix_leave_out_pin(m->pinned[pin].at);
		}
}

/* ---- a map into its only reader ---- */

static void tell_substituted(struct node *m, struct node *reader)
{
	const char *names = "";
	double bytes = 0;
	for (int t = 0; node_target(m, t); t++) {
		names = str_print("%s%s`%s`", names, t ? ", " : "", node_target(m, t)->var->name);
		bytes += 2 * (double)type_size(node_target(m, t)->type);
	}
	remark_did(m, PASS_FUSE, BANDWIDTH,
	           "computed where `%s` reads it: %s %s neither written nor read again, %s a cell "
	           "less",
	           reader->name, names, node_target(m, 1) ? "are" : "is", remark_bytes(bytes));
	remark_did(reader, PASS_FUSE, BANDWIDTH, "computes `%s` where it reads it", m->name);
}

/* ---- a map onto what it alone reads ---- */

/* Why the cells of the reader are not those of m. */
static const char *no_cells(const struct node *m, const struct node *reader)
{
	const struct var *t = m->equation.at[0]->target.at[0]->var;
	bool same = reader->whole && reader->index.n == t->rank && fuse_reads_own(m, reader);
	for (int d = 0; same && d < t->rank; d++) {
		const struct var *target = target_read(reader->equation.at[0]->target.at[0])->var;
		same = target->rank == t->rank && affine_equal(&target->extent[d], &t->extent[d]);
	}
	return same ? NULL
	            : str_print("`%s` does not read each cell of `%s` for one cell of its own",
	                        reader->name, t->name);
}

/* But for one about what is read. */
static bool has_clauses(const struct node *m)
{
	for (int c = 0; c < m->clause.n; c++)
		if (strcmp(m->clause.at[c].clause->name, "boundary"))
			return true;
	return false;
}

static const char *no_ground(struct map *users, const struct body *b, int i, int *r,
                             const char **pays)
{
	const struct node *m = b->at[i];
	const char *why = fuse_no_put(users, b, i, r, pays);
	*pays = NULL;
	if (why)
		return why;
	if (m->equation.n > 1)
		return "it has several equations";
	if (node_skips(m) || (node_checked(m) && expr_has(m->equation.at[0]->right, E_FOLD)))
		return "it has accesses that are tested at run time";
	const struct node *reader = b->at[*r];
	if (!(reader->pattern->fuse & FUSE_INTO) || reader->equation.n > 1)
		return str_print("`%s` is not a map with a single equation", reader->name);
	if (node_checked(reader))
		return str_print("`%s` has accesses that are tested at run time", reader->name);
	if (has_clauses(m) || reader->clause.n)
		return "they have clauses that may not hold for both";
	return no_cells(m, reader);
}

/* m becomes the statement that writes what the reader writes, and stands in its place. */
static void take_over(struct node *m, struct node *reader)
{
	m->where = reader->where;
	m->whole = reader->whole;
	memcpy(&m->index, &reader->index, sizeof m->index);
	memcpy(&m->lo, &reader->lo, sizeof m->lo);
	memcpy(&m->hi, &reader->hi, sizeof m->hi);
	memcpy(&m->equation, &reader->equation, sizeof m->equation);
}

static void tell_onto(struct node *m, struct node *reader, const struct var *t)
{
	const char *bytes = remark_bytes(2 * (double)type_size(t->type));
	remark_did(reader, PASS_FUSE, BANDWIDTH,
	           "computed where `%s` computes a cell of `%s`, which is neither written nor read "
	           "again: %s a cell less",
	           m->name, t->name, bytes);
	remark_did(m, PASS_FUSE, BANDWIDTH, "computes `%s` in the kernel of its "
	                                    "cells", reader->name);
}

static void join_onto(struct map *users, const struct body *b, struct node *m, int r)
{
	struct node *reader = b->at[r];
	tell_onto(m, reader, m->equation.at[0]->target.at[0]->var);
	note_node(users, m, true);
	note_node(users, reader, true);
	fuse_put(reader, m);
	take_over(m, reader);
	note_node(users, m, false);
	fuse_join(reader, m);
	b->at[r] = m;
	list_add(&b->entry->inside, reader);
}

/* What it says of a statement that stays waits until it is known whether its rows are shared. */
struct unsaid { const char *why, *pays; };

static bool substitute(struct map *users, const struct body *b, int i)
{
	struct node *m = b->at[i];
	int r = -1;
	if (m->kind != NODE_PATTERN)
		return false;
	bool into = m->pattern->fuse & FUSE_INTO;
	bool onto = !into && ((m->pattern->fuse & FUSE_ONTO) || shape_of(m, b->options).onto);
	if (!into && !onto)
		return false;
	struct unsaid *u = NEW(struct unsaid);
	u->why = (onto ? no_ground : fuse_no_put)(users, b, i, &r, &u->pays);
	if (!fuse_wanted(m, u->why, u->pays)) {
		*map_at(b->unsaid, m) = u;
		return false;
	}
	if (onto) {
		join_onto(users, b, m, r);
		return true;
	}
	struct node *reader = b->at[r];
	note_node(users, m, true);
	note_node(users, reader, true);
	fuse_put(reader, m);
	note_node(users, reader, false);
	tell_substituted(m, reader);
	fuse_join(m, reader);
	list_add(&b->entry->inside, m);
	return true;
}

/* Bytes a cell that later statements of the body read again of what statement i writes, and of
 * temporaries those that it writes. */
static double read_after(const struct body *b, int i)
{
	double bytes = 0;
	for (int t = 0; node_target(b->at[i], t); t++) {
		const struct var *var = target_read(node_target(b->at[i], t))->var;
		int r = i + 1, end = *b->n < r + FUSE_NEAR ? *b->n : r + FUSE_NEAR;
		while (r < end && !(b->at[r]->kind == NODE_PATTERN && node_reads(b->at[r], var)))
			r++;
		if (var->rank && r < end)
			bytes += (var->kind == VAR_LET ? 2 : 1) * (double)type_size(var->type);
	}
	return bytes;
}

static void stay(const struct body *b, int i)
{
	struct node *node = b->at[i];
	const struct unsaid *u = map_get(b->unsaid, node);
	if (u) {
		fuse_allowed(node, u->why, u->pays, read_after(b, i));
		return;
	}
	const char *why = str_print("a %s is not computed inside another statement, %s",
	                            node->pattern->name,
	                            node->pattern->fuse & FUSE_READS ? "others may be inside it"
	                                                             : "nor others inside it");
	fuse_allowed(node, why, NULL, 0);
}

/* ---- the pass ---- */

void fuse_drop(const struct body *b, int i)
{
	--*b->n;
	memmove(&b->at[i], &b->at[i + 1], sizeof *b->at * (size_t)(*b->n - i));
}

static bool may_fold_behind(const struct node *node)
{
	return node->kind == NODE_PATTERN && !node->group && (node->pattern->fuse & FUSE_BEHIND);
}

/* Rows are shared with other statements by what does not fold them where they are computed. */
static void fuse_body(struct map *users, const struct body *b)
{
	do
		for (int i = 0; i < *b->n; i++)
			if (substitute(users, b, i))
				fuse_drop(b, i--);
	while (fuse_beside(users, b, false));
	fuse_ranges(users, b);
	fuse_chains(users, b);
	for (int i = 0; i < *b->n; i++)
		if (may_fold_behind(b->at[i]) && folds_product(b, i))
			fold_behind(b, i);
	fuse_rows(users, b);
	for (int i = 0; i < *b->n; i++)
		if (may_fold_behind(b->at[i]) && folds_behind(b, i))
			fold_behind(b, i);
	fuse_beside(users, b, true);
	for (int i = 0; i < *b->n; i++) {
		struct node *node = b->at[i];
		if (may_fold_behind(node))
			fold_behind(b, i);
		else if (node->kind == NODE_PATTERN && !node->group
		         && !(node->expand && node->expand->own))
			stay(b, i);
		fuse_body(users, &(struct body){ b->entry, node->body.at, &node->body.n, b->unsaid,
		                                 b->options });
	}
}

static void off(struct node *node, const struct options *o)
{
	(void)o;
	remark_none(node, PASS_FUSE, "--no-pass=fuse");
}

void pass_fuse(struct entry *entry, const struct options *o)
{
	struct map users = { 0 }, unsaid = { 0 };
	if (!pass_enabled(o, "fuse")) {
		pass_each(entry, off, o);
		return;
	}
	for (int i = 0; i < entry->body.n; i++)
		note_node(&users, entry->body.at[i], false);
	fuse_body(&users, &(struct body){ entry, entry->body.at, &entry->body.n, &unsaid, o });
}
