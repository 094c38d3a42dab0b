/* pass_fuse.c - which statements become one kernel.
 *
 * Needs: checked nodes.  Leaves: nodes removed because they were substituted into their only reader, and
 * groups: an anchor with the reductions that are folded where its cells are born.
 *
 * A map into a temporary that one later map, reduce or stencil reads, and nothing else, is put in the
 * reader's place of the read: it saves writing and reading the temporary.  A stencil reads a cell several
 * times, so only a map of a few operations is worth computing again, and only where the edge is of a kind
 * that commutes with a map of its own index (not a value, not keep).
 *
 * A reduce over all cells that follows a stencil and reads its target at the same cell is folded in the
 * stencil's kernel: it saves reading the target once more.
 *
 * Between the two statements nothing may write what the first reads or writes. */
#include <string.h>
#include "lower.h"
#include "pass.h"

enum {
	CHEAP = 4,                       /* operations worth doing again at each neighbour */
	LARGE = 200                      /* operations of a statement that grows no further */
};

struct body { struct node **at; int *n; };              /* of an entry or a repeat */

/* ---- who uses a variable: statements, and repeats for their limit and condition ---- */

struct users { LIST(struct node *) at; };
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
		memmove(&users->at.at[i], &users->at.at[i + 1], sizeof *users->at.at * (size_t)(users->at.n - i - 1));
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

/* ---- a map into its only reader ---- */

/* t[i, j] = e, whole, unmasked, one equation, nothing tested at run time */
static bool is_producer(const struct node *m)
{
	if (m->kind != NODE_PATTERN || !(m->pattern->fuse & FUSE_INTO) || !m->whole || m->where || m->equation.n != 1)
		return false;
	const struct expr *t = m->equation.at[0]->target.at[0];
	if (t->kind != E_READ || t->var->kind != VAR_LET || node_reads(m, t->var) || node_checked(m))
		return false;
	for (int a = 0; a < t->arg.n; a++)
		if (t->arg.at[a]->kind != E_VAR || t->arg.at[a]->var != m->index.at[a])
			return false;
	return true;
}

static bool count_op(struct expr *e, void *state)
{
	*(int *)state += e->kind == E_CALL ? 2 * CHEAP : e->kind != E_VAR && e->kind != E_CONST;
	return true;
}

struct use { const struct var *var; int reads; bool offset; const struct node *node; };

static bool count_read(struct expr *e, void *state)
{
	struct use *u = state;
	if (e->kind != E_READ || e->var != u->var)
		return true;
	u->reads++;
	for (int a = 0; a < e->arg.n; a++) {
		int k;
		int64_t offset;
		bool own = access_offset(u->node, e, a, &k, &offset) && offset == 0;
		u->offset |= !own && !expr_has(e, E_FOLD);
	}
	return true;
}

static bool edges_allow(const struct node *reader)
{
	for (int d = 0; d < reader->index.n; d++)
		if (reader->edge[d].kind == B_VALUE || reader->edge[d].kind == B_KEEP)
			return false;
	return true;
}

static bool no_index(struct expr *e, void *state)
{
	const struct node *m = state;
	for (int d = 0; d < m->index.n; d++)
		if (e->kind == E_VAR && e->var == m->index.at[d])
			return false;
	return true;
}

/* Every read of the producer is its own cell of an array of the same shape. */
static bool own_cells(const struct node *m, const struct expr *e)
{
	const struct var *t = m->equation.at[0]->target.at[0]->var;
	if (e->kind == E_READ) {
		if (!access_own(m, e) || e->var->rank != t->rank)
			return false;
		for (int a = 0; a < t->rank; a++)
			if (!affine_equal(&e->var->extent[a], &t->extent[a]))
				return false;
		return true;
	}
	if (!no_index((struct expr *)e, (void *)m))
		return false;
	for (int a = 0; a < e->arg.n; a++)
		if (!own_cells(m, e->arg.at[a]))
			return false;
	return true;
}

static bool any_edge(const struct node *node)
{
	for (int d = 0; d < node->index.n; d++)
		if (node->edge[d].kind != B_NONE)
			return true;
	return false;
}

static bool substitution_pays(const struct node *m, const struct node *reader, const struct use *use)
{
	int operations = 0;
	expr_walk(m->equation.at[0]->right, count_op, &operations);
	bool once = use->reads == 1 && !any_edge(reader);
	if (operations > (once ? LARGE : CHEAP))
		return false;
	return !any_edge(reader) || (edges_allow(reader) && own_cells(m, m->equation.at[0]->right));
}

/* Nothing between the two changes what the producer read. */
static bool undisturbed(const struct body *b, int from, int to)
{
	const struct node *m = b->at[from];
	for (int i = from + 1; i < to; i++) {
		const struct node *s = b->at[i];
		if (s->kind != NODE_PATTERN)
			return false;
		for (int q = 0; q < s->equation.n; q++)
			for (int t = 0; t < s->equation.at[q]->target.n; t++)
				if (node_reads(m, target_read(s->equation.at[q]->target.at[t])->var))
					return false;
	}
	return true;
}

/* The reader changes what the producer read, or the temporary itself: a later equation of it wants that. */
static bool writes_inputs(const struct node *reader, const struct node *m)
{
	if (node_writes(reader, m->equation.at[0]->target.at[0]->var))
		return true;
	for (int q = 0; q < reader->equation.n; q++)
		for (int t = 0; t < reader->equation.at[q]->target.n; t++)
			if (node_reads(m, target_read(reader->equation.at[q]->target.at[t])->var))
				return true;
	return false;
}

static struct expr *substituted(struct expr *e, const struct node *m)
{
	if (!e)
		return NULL;
	for (int a = 0; a < e->arg.n; a++)
		e->arg.at[a] = substituted(e->arg.at[a], m);
	if (e->fold && e->fold->where)
		e->fold->where = substituted(e->fold->where, m);
	const struct expr *t = m->equation.at[0]->target.at[0];
	if (e->kind != E_READ || e->var != t->var)
		return e;
	struct expr *x = expr_substitute(m->equation.at[0]->right, m->index.at, e->arg.at, m->index.n);
	if (x->type == t->type)
		return x;
	struct expr *cast = expr_new(E_CAST, t->type, e->at);
	list_add(&cast->arg, x);
	return cast;
}

static void substitute_into(struct node *reader, const struct node *m)
{
	reader->where = substituted(reader->where, m);
	for (int q = 0; q < reader->equation.n; q++)
		reader->equation.at[q]->right = substituted(reader->equation.at[q]->right, m);
}

/* The place behind i of the one other statement that uses var; -1: there is none, or it stands elsewhere. */
static int reader_of(const struct body *b, int i, const struct users *users)
{
	if (users->at.n != 2)
		return -1;
	const struct node *reader = users->at.at[users->at.at[0] == b->at[i]];
	for (int r = i + 1; r < *b->n; r++)
		if (b->at[r] == reader)
			return reader->kind == NODE_PATTERN ? r : -1;
	return -1;
}

static bool substitute(struct map *users, const struct body *b, int i)
{
	struct node *m = b->at[i];
	if (!is_producer(m))
		return false;
	struct use use = { .var = m->equation.at[0]->target.at[0]->var };
	int r = reader_of(b, i, map_get(users, use.var));
	if (r < 0 || !node_reads(b->at[r], use.var))
		return false;
	struct node *reader = b->at[r];
	use.node = reader;
	node_walk(reader, count_read, &use);
	/* what a strict statement reads has been rounded */
	if (node_clause(reader, "strict") && !node_clause(m, "strict"))
		return false;
	if (!(reader->pattern->fuse & FUSE_READS) || node_checked(reader) || writes_inputs(reader, m)
	    || !undisturbed(b, i, r) || !substitution_pays(m, reader, &use))
		return false;
	note_node(users, m, true);
	note_node(users, reader, true);
	substitute_into(reader, m);
	note_node(users, reader, false);
	return true;
}

/* ---- a reduce behind a stencil ---- */

static bool total_of(const struct node *r, struct folds *folds)
{
	if (r->kind != NODE_PATTERN || !(r->pattern->fuse & FUSE_BEHIND) || r->index.n || r->where || node_checked(r))
		return false;
	for (int q = 0; q < r->equation.n; q++)
		folds_of(r->equation.at[q]->right, folds);
	return folds->n > 0 && !folds->overflow && folds_fit(folds);
}

/* The fold runs over the stencil's cells and reads its target at that very cell. */
struct same_cell { const struct fold *fold; const struct var *var; bool reads, other; };

static bool reads_cell(struct expr *e, void *state)
{
	struct same_cell *s = state;
	if (e->kind == E_FOLD)
		s->other = true;
	if (e->kind != E_READ)
		return true;
	for (int a = 0; a < e->arg.n; a++)
		if (e->var == s->var && (e->arg.at[a]->kind != E_VAR || a >= s->fold->index.n
		                         || e->arg.at[a]->var != s->fold->index.at[a]))
			s->other = true;
	s->reads |= e->var == s->var;
	return true;
}

static bool same_cells(const struct node *s, const struct fold *fold)
{
	if (fold->index.n != s->index.n || !s->whole)
		return false;
	for (int d = 0; d < fold->index.n; d++) {
		struct affine a, b;
		if (!affine_of(fold->lo.at[d], &a) || !affine_of(s->lo.at[d], &b) || !affine_equal(&a, &b)
		    || !affine_of(fold->hi.at[d], &a) || !affine_of(s->hi.at[d], &b) || !affine_equal(&a, &b))
			return false;
	}
	return true;
}

static bool folds_behind(const struct node *s, const struct node *r)
{
	struct folds folds = { .n = 0 };
	if (!total_of(r, &folds))
		return false;
	for (int f = 0; f < folds.n; f++) {
		struct expr *e = folds.at[f];
		if (!same_cells(s, e->fold) || !e->fold->op->commutative || op_is_arg(e->fold->op)
		    || fold_in_order(e))
			return false;
		bool reads = false;
		for (int t = 0; node_target(s, t); t++) {
			struct same_cell look = { e->fold, node_target(s, t)->var, false, false };
			expr_walk(e->arg.at[0], reads_cell, &look);
			if (e->fold->where)
				expr_walk(e->fold->where, reads_cell, &look);
			if (look.other)
				return false;
			reads |= look.reads;
		}
		if (!reads)
			return false;
	}
	for (int t = 0; node_target(r, t); t++)
		if (node_reads(s, target_read(node_target(r, t))->var))
			return false;
	return true;
}

static bool whole_cells(const struct node *s)
{
	for (int t = 0; node_target(s, t); t++)
		if (node_target(s, t)->kind != E_READ)
			return false;
	return s->kind == NODE_PATTERN && (s->pattern->fuse & FUSE_FRONT) && s->index.n && !node_checked(s);
}

static void fold_behind(const struct body *b, int i)
{
	struct node *s = b->at[i];
	if (!whole_cells(s) || i + 1 >= *b->n)
		return;
	struct node *r = b->at[i + 1];
	if (!folds_behind(s, r))
		return;
	struct group *group = NEW(struct group);
	group->anchor = s;
	list_add(&group->epilogue, r);
	s->group = r->group = group;
}

/* ---- the pass ---- */

static void fuse_body(struct map *users, const struct body *b)
{
	for (int i = 0; i < *b->n; i++) {
		if (!substitute(users, b, i))
			continue;
		--*b->n;
		memmove(&b->at[i], &b->at[i + 1], sizeof *b->at * (size_t)(*b->n - i));
		i--;
	}
	for (int i = 0; i < *b->n; i++) {
		fold_behind(b, i);
		fuse_body(users, &(struct body){ b->at[i]->body.at, &b->at[i]->body.n });
	}
}

void pass_fuse(struct entry *entry, const struct options *o)
{
	struct map users = { 0 };
	if (!pass_enabled(o, "fuse"))
		return;
	for (int i = 0; i < entry->body.n; i++)
		note_node(&users, entry->body.at[i], false);
	fuse_body(&users, &(struct body){ entry->body.at, &entry->body.n });
}
