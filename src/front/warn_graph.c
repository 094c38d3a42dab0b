/* warn_graph.c - warnings that need to know what a statement means: results that are overwritten
 * before anything reads them, cells that nothing writes, conversions that round, `trusted` where
 * nothing is left to trust. */
#include <limits.h>

#include "ask.h"
#include "ragged.h"
#include "sema_impl.h"
#include "warn.h"

/* ---- results that are overwritten ---- */

/* For each variable the statement that wrote it last, if nothing has read it since. */
struct last { struct map by; const struct node *now; };

/* The cell that a target is, not what its subscripts use. */
static bool is_target(const struct node *node, const struct expr *e)
{
	for (int t = 0; node_target(node, t); t++)
		if (target_read(node_target(node, t)) == e)
			return true;
	return false;
}

static bool visit_forget(struct expr *e, void *data)
{
	struct last *last = data;
	if (e->var && (!is_target(last->now, e) || node_reads(last->now, e->var)))
		*map_at(&last->by, e->var) = NULL;
	return true;
}

static void overwrite(struct last *last, const struct node *node, struct expr *target)
{
	const struct var *v = target_read(target)->var;
	void **before = map_at(&last->by, v);
	const struct node *lost = *before;
	if (lost && lost != node && node_fills(node, v)) {
		diag_warning(lost->at, D_OVERWRITTEN,
		             "the values that this writes to `%s` are overwritten before they are "
		             "read",
		             v->name);
		diag_note(node->at, "by this statement");
		diag_cure("remove it, or read `%s` in between", v->name);
	}
	*before = (void *)node;
}

static void warn_overwritten(struct node *const *node, int n);

/* A loop or a branch, and what a call does, is not followed: it may read all that it names. */
static bool visit_forget_all(struct expr *e, void *data)
{
	struct last *last = data;
	if (e->var)
		*map_at(&last->by, e->var) = NULL;
	return true;
}

static void overwrite_node(struct last *last, struct node *node)
{
	last->now = node;
	for (int k = 0; k < 2 && node->kind == NODE_SWAP; k++)
		*map_at(&last->by, node->swap[k]) = NULL;
	if (node->kind != NODE_PATTERN || node->called) {
		node_walk(node, visit_forget_all, last);
		warn_overwritten(node->body.at, node->body.n);
		return;
	}
	node_walk(node, visit_forget, last);
	for (int t = 0; node_target(node, t); t++)
		overwrite(last, node, node_target(node, t));
}

static void warn_overwritten(struct node *const *node, int n)
{
	struct last last = { 0 };
	for (int k = 0; k < n; k++)
		overwrite_node(&last, node[k]);
	map_free(&last.by);
}

/* ---- cells that nothing writes ---- */

static bool is_written(struct node *const *node, int n, const struct var *v)
{
	bool found = false;
	for (int k = 0; k < n && !found; k++)
		found = node_writes(node[k], v)
		        || is_written(node[k]->body.at, node[k]->body.n, v);
	return found;
}

static void warn_partly(const struct entry *e)
{
	for (int k = 0; k < e->param.n; k++) {
		const struct var *v = e->param.at[k];
		const char *left = NULL;
		if (v->rank && v->mode == MODE_OUT && is_written(e->body.at, e->body.n, v))
			left = cells_left(e, v);
		if (!left)
			continue;
		diag_warning(v->at, D_PARTLY_WRITTEN,
		             "`%s` is `out`, but some of its cells are never written: %s", v->name,
		             left);
		diag_cure("write them, or declare it `inout %s`, since they keep the caller's "
		          "values",
		          v->name);
		fix_word_before(v->at, "out", "inout");
	}
}

/* ---- integers of 64 bits that become floats ---- */

/* Whole numbers up to 2^this are exact. */
static int digits_of(const struct type *type)
{
	return type->kind == T_F32      ? 24
	       : type->kind == T_F16    ? 11
	       : type->kind == T_BF16   ? 8
	       : type->kind == T_F8E4M3 ? 4
	       : type->kind == T_F8E5M2 ? 3
	                                : 64;
}

/* A conversion that nobody wrote is where its operand is. */
static bool is_implicit(const struct expr *cast)
{
	const struct loc a = cast->at, b = cast->arg.at[0]->at;
	return a.file == b.file && a.line == b.line && a.col == b.col && a.end == b.end;
}

static bool visit_narrow(struct expr *e, void *file)
{
	const struct expr *a = e->kind == E_CAST ? e->arg.at[0] : NULL;
	const int digits = digits_of(e->type);
	if (!a || e->at.file != *(const int *)file || digits == 64 || type_size(a->type) < 8
	    || !is_int(a->type) || !is_implicit(e))
		return true;
	diag_warning(e->at, D_NARROWING,
	             "this %s is converted to %s, which is exact only for integers up to 2^%d",
	             type_name(a->type), type_name(e->type), digits);
	diag_cure("convert explicitly, `%s(...)`, or compute in f64", type_name(e->type));
	fix_wrap(e->at, str_print("%s(", type_name(e->type)), ")");
	return true;
}

/* ---- `trusted` ---- */

static void warn_trusted(const struct node *node)
{
	const struct clause_use *use = node_clause(node, "trusted");
	const struct loc at = use->at;
	if (!node->idle_trust)
		return;
	diag_warning(at, D_REDUNDANT_TRUSTED,
	             "every access is proved to be in bounds, so `trusted` has no effect");
	diag_cure("remove `trusted`");
	fix_leave_out(at);
}

static void warn_statements(struct node *const *node, int n)
{
	for (int k = 0; k < n; k++) {
		if (node_clause(node[k], "trusted"))
			warn_trusted(node[k]);
		warn_statements(node[k]->body.at, node[k]->body.n);
	}
}

void warn_graph(const struct program *program, int file)
{
	for (int k = 0; k < program->entry.n; k++) {
		const struct entry *e = program->entry.at[k];
		warn_partly(e);
		warn_overwritten(e->body.at, e->body.n);
		warn_statements(e->body.at, e->body.n);
		for (int i = 0; i < e->body.n; i++)
			node_walk(e->body.at[i], visit_narrow, &file);
	}
}
