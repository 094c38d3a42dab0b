/* warn.c - warnings about a right program, as it is written: what is not used, what nothing writes,
 * what is read too early, ranges and loops that do nothing.  warn_graph.c has those that need to
 * know what a statement means.
 *
 * The syntax tree is enough here, and tells what the graph no longer has: a parameter that only a
 * branch for `const DEBUG` uses, an argument of a call.  No name hides another, so a name is a
 * variable; those of two blocks that are not inside each other may be the same, and then the use of
 * one counts for both: a warning may be missing, none is false.  Only the program itself is looked
 * at, not what it uses.  A name that begins with `_` may be unused. */
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "sema_impl.h"
#include "warn.h"

/* What a kernel or a function does with its names: by interned name, any value is a yes. */
struct uses {
	const struct ast_file *file;
	const struct entry *entry;           /* the kernel's, or NULL */
	struct map read, written;
};

static void uses_free(struct uses *u)
{
	map_free(&u->read);
	map_free(&u->written);
}

static void note(struct map *names, const char *name)
{
	*map_at(names, name) = (void *)name;
}

/* Calls visit for each name of an expression, that of an array before those in its subscripts. */
static void each_name(const struct ast *a, void (*visit)(const struct ast *, void *), void *data)
{
	if (!a)
		return;
	if (a->kind == A_NAME || a->kind == A_SUBSCRIPT)
		visit(a, data);
	for (int k = 0; k < a->arg.n; k++)
		each_name(a->arg.at[k], visit, data);
	for (int k = 0; k < a->sub.n; k++) {
		each_name(a->sub.at[k]->lo, visit, data);
		each_name(a->sub.at[k]->hi, visit, data);
	}
	each_name(a->guard, visit, data);
}

static void visit_read(const struct ast *a, void *uses)
{
	note(&((struct uses *)uses)->read, a->name);
}

static void read_tree(struct uses *u, const struct ast *a)
{
	each_name(a, visit_read, u);
}

/* Its subscripts are read, what is under its fields is written. */
static void write_tree(struct uses *u, const struct ast *a)
{
	for (int k = 0; k < a->sub.n; k++)
		read_tree(u, a->sub.at[k]->lo);
	if (a->kind == A_FIELD)
		write_tree(u, a->arg.at[0]);
	else if (a->kind == A_NAME || a->kind == A_SUBSCRIPT)
		note(&u->written, a->name);
}

/* Words may name what is read or what is written: `sort key with place`, `else rest`. */
static void uses_words(struct uses *u, const struct ast *a)
{
	if (!a)
		return;
	read_tree(u, a);
	write_tree(u, a);
	for (int k = 0; k < a->arg.n; k++)
		uses_words(u, a->arg.at[k]);
}

/* Of several targets of one equation, as of argmax, none can be left out; what is sorted or swapped
 * is read as well. */
static void uses_equation(struct uses *u, const struct ast_equation *q)
{
	for (int t = 0; t < q->target.n; t++) {
		write_tree(u, q->target.at[t]);
		if (q->target.n > 1 || !q->right)
			read_tree(u, q->target.at[t]);
	}
	read_tree(u, q->left);
	read_tree(u, q->right);
}

/* ---- kernels that are called ---- */

static const struct ast_decl *called(const struct ast_file *file, const struct ast_stmt *a)
{
	const struct ast_decl *found = NULL;
	for (int k = 0; k < file->decl.n; k++) {
		const struct ast_decl *d = file->decl.at[k];
		if (d->kind == DECL_KERNEL && d->name == a->name
		    && (!found || d->at.file == a->at.file))
			found = d;
	}
	return found;
}

/* What the kernel does with an argument. */
static enum mode mode_of(const struct ast_decl *kernel, int k)
{
	const char *mode = kernel && k < kernel->param.n ? kernel->param.at[k]->mode : NULL;
	return mode && !strcmp(mode, "out") ? MODE_OUT
	       : mode && !strcmp(mode, "inout") ? MODE_INOUT : MODE_IN;
}

/* A result of a kernel has to be given a place, read or not. */
static void uses_call(struct uses *u, const struct ast_stmt *a)
{
	const struct ast_decl *kernel = called(u->file, a);
	for (int k = 0; k < a->value->arg.n; k++) {
		read_tree(u, a->value->arg.at[k]);
		if (mode_of(kernel, k) != MODE_IN)
			write_tree(u, a->value->arg.at[k]);
	}
}

/* ---- statements ---- */

static void uses_block(struct uses *, struct ast_stmt *const *, int n);

static void uses_stmt(struct uses *u, const struct ast_stmt *a)
{
	if (a->kind == S_CALL)
		uses_call(u, a);
	else
		read_tree(u, a->value);
	if (a->kind == S_LET && a->value)
		note(&u->written, a->name);
	for (int k = 0; a->type && k < a->type->sub.n; k++)
		read_tree(u, a->type->sub.at[k]->lo);
	for (int q = 0; q < a->equation.n; q++)
		uses_equation(u, a->equation.at[q]);
	for (int k = 0; k < a->word.n; k++)
		uses_words(u, a->word.at[k]);
	read_tree(u, a->where);
	uses_words(u, a->otherwise);
	for (int k = 0; k < a->range.n; k++) {
		read_tree(u, a->range.at[k]->lo);
		read_tree(u, a->range.at[k]->hi);
	}
	uses_block(u, a->body.at, a->body.n);
	uses_block(u, a->other.at, a->other.n);
}

static void uses_block(struct uses *u, struct ast_stmt *const *stmt, int n)
{
	for (int k = 0; k < n; k++)
		uses_stmt(u, stmt[k]);
}

/* ---- what is not used, and what nothing writes ---- */

/* Some words mean an array that they do not name: `within r of (x, y, z)`. */
static bool visit_named(struct expr *e, void *name)
{
	return !e->var || e->var->name != name;
}

static bool graph_names(const struct uses *u, const char *name)
{
	for (int k = 0; u->entry && k < u->entry->body.n; k++)
		if (!node_walk(u->entry->body.at[k], visit_named, (void *)name))
			return true;
	return false;
}

static void unused(const struct uses *u, struct loc at, const char *what, const char *name)
{
	const bool written = map_get(&u->written, name);
	if (*name == '_' || map_get(&u->read, name))
		return;
	diag_warning(at, D_UNUSED, "%s `%s` is %s", what, name,
	             written ? "written, but never read" : "not used");
	diag_cure("remove it%s, or let its name begin with `_`: `_%s`",
	          written ? " with the statements that write it" : "", name);
}

static bool tree_has(const struct ast *a, const char *name)
{
	bool found = a->kind == A_NAME && a->name == name;
	for (int k = 0; k < a->arg.n && !found; k++)
		found = tree_has(a->arg.at[k], name);
	return found;
}

/* Is the size part of the shape; bare: alone along an axis, or declared? */
static bool shape_has(const struct ast_param *p, const char *name, bool bare)
{
	bool found = param_is_size(p) && p->name == name;
	for (int k = 0; k < p->type->sub.n && !found; k++) {
		const struct ast *size = p->type->sub.at[k]->lo;
		found = size && (bare ? size->kind == A_NAME && size->name == name
		                      : tree_has(size, name));
	}
	return found;
}

static bool others_have(const struct ast_decl *d, const struct ast_param *p, const char *name,
                        bool bare)
{
	bool found = false;
	for (int k = 0; k < d->param.n && !found; k++)
		found = d->param.at[k] != p && shape_has(d->param.at[k], name, bare);
	return found;
}

/* A parameter that nothing reads may be there for a size that no other one binds. */
static bool binds_alone(const struct uses *u, const struct ast_decl *d, const struct ast_param *p)
{
	bool alone = param_is_size(p) && others_have(d, p, p->name, false);
	for (int k = 0; k < p->type->sub.n && !alone; k++) {
		const struct ast *size = p->type->sub.at[k]->lo;
		alone = size && size->kind == A_NAME && !others_have(d, p, size->name, true)
		        && (map_get(&u->read, size->name)
		            || others_have(d, p, size->name, false));
	}
	return alone;
}

static void warn_param(const struct uses *u, const struct ast_decl *d, const struct ast_param *p)
{
	const bool written = map_get(&u->written, p->name);
	const bool out = p->mode && !strcmp(p->mode, "out");
	if (!out && !written && !binds_alone(u, d, p) && !graph_names(u, p->name))
		unused(u, p->at, param_is_size(p) ? "the size" : "the parameter", p->name);
	if (!out || written)
		return;
	diag_warning(p->at, D_UNWRITTEN, "`%s` is `out`, but is never written", p->name);
	diag_cure("write it, or remove it: the caller's memory keeps its values");
}

static void warn_lets(const struct uses *u, struct ast_stmt *const *stmt, int n)
{
	for (int k = 0; k < n; k++) {
		if (stmt[k]->kind == S_LET)
			unused(u, stmt[k]->at, "the temporary", stmt[k]->name);
		warn_lets(u, stmt[k]->body.at, stmt[k]->body.n);
		warn_lets(u, stmt[k]->other.at, stmt[k]->other.n);
	}
}

static const struct entry *entry_of(const struct program *p, const struct ast_decl *d)
{
	for (int k = 0; k < p->entry.n; k++)
		if (p->entry.at[k]->at.line == d->at.line && p->entry.at[k]->at.col == d->at.col)
			return p->entry.at[k];
	return NULL;
}

static void warn_unused(const struct ast_file *file, const struct program *program,
                        const struct ast_decl *d)
{
	struct uses u = { .file = file, .entry = entry_of(program, d) };
	uses_block(&u, d->body.at, d->body.n);
	for (int k = 0; k < d->param.n; k++)
		warn_param(&u, d, d->param.at[k]);
	warn_lets(&u, d->body.at, d->body.n);
	uses_free(&u);
}

/* ---- functions ---- */

static void uses_inner(struct uses *u, struct ast_inner *const *inner, int n)
{
	for (int k = 0; k < n; k++) {
		const struct ast_inner *a = inner[k];
		if (a->target)
			write_tree(u, a->target);
		read_tree(u, a->value);
		if (a->range) {
			read_tree(u, a->range->lo);
			read_tree(u, a->range->hi);
		}
		for (int w = 0; w < a->words.n; w++)
			read_tree(u, a->words.at[w]);
		uses_inner(u, a->body.at, a->body.n);
		uses_inner(u, a->otherwise.at, a->otherwise.n);
	}
}

static void warn_locals(const struct uses *u, struct ast_inner *const *inner, int n)
{
	for (int k = 0; k < n; k++) {
		if (inner[k]->kind == I_LET || inner[k]->kind == I_VAR)
			unused(u, inner[k]->at, "the variable", inner[k]->name);
		warn_locals(u, inner[k]->body.at, inner[k]->body.n);
		warn_locals(u, inner[k]->otherwise.at, inner[k]->otherwise.n);
	}
}

/* An operator takes two values, whatever it needs of them. */
static void warn_function(const struct ast_file *file, const struct ast_decl *d)
{
	struct uses u = { .file = file };
	read_tree(&u, d->value);
	uses_inner(&u, d->block.at, d->block.n);
	for (int k = 0; k < d->param.n && d->kind == DECL_FN; k++)
		if (!binds_alone(&u, d, d->param.at[k]))
			unused(&u, d->param.at[k]->at, "the parameter", d->param.at[k]->name);
	warn_locals(&u, d->block.at, d->block.n);
	uses_free(&u);
}

/* ---- temporaries that are read before anything has written them ---- */

/* Statements are taken in their order.  What a loop writes counts from its first statement on: only
 * its first pass may come too early, and what it finds then is zero. */
struct filling_of { bool filled, own; };
struct order {
	const struct ast_file *file;
	struct map let;                      /* a struct filling_of of each */
};

static void visit_early(const struct ast *a, void *order)
{
	struct filling_of *f = map_get(&((struct order *)order)->let, a->name);
	if (!f || f->filled || f->own)
		return;
	diag_warning(a->at, D_UNINITIALIZED, "`%s` is read before it is written: its value is zero",
	             a->name);
	diag_cure("write it before this statement");
	f->filled = true;
}

static void read_early(struct order *o, const struct ast *a)
{
	each_name(a, visit_early, o);
}

static void fill(struct order *o, const char *name)
{
	struct filling_of *f = map_get(&o->let, name);
	if (f)
		f->filled = true;
}

/* A statement's own target is what it accumulates into, or a sequence that it continues. */
static void own_targets(struct order *o, const struct ast_stmt *a, bool own)
{
	for (int q = 0; q < a->equation.n; q++)
		for (int t = 0; t < a->equation.at[q]->target.n; t++) {
			const char *name = target_root_ast(a->equation.at[q]->target.at[t])->name;
			struct filling_of *f = map_get(&o->let, name);
			if (f)
				f->own = own;
			if (f && !own)
				f->filled = true;
		}
}

/* What the statements write, wherever. */
static void fill_block(struct order *o, struct ast_stmt *const *stmt, int n)
{
	struct uses u = { .file = o->file };
	uses_block(&u, stmt, n);
	for (int k = 0; k < u.written.room; k++)
		if (u.written.row[k].key)
			fill(o, u.written.row[k].key);
	uses_free(&u);
}

/* Words may name what is read or what is written (`sort key into at`): nothing is said of them. */
static void order_pattern(struct order *o, const struct ast_stmt *a)
{
	own_targets(o, a, true);
	for (int q = 0; q < a->equation.n; q++) {
		for (int t = 0; t < a->equation.at[q]->target.n; t++)
			read_early(o, a->equation.at[q]->target.at[t]);
		read_early(o, a->equation.at[q]->right);
	}
	read_early(o, a->where);
	for (int k = 0; k < a->range.n; k++) {
		read_early(o, a->range.at[k]->lo);
		read_early(o, a->range.at[k]->hi);
	}
	own_targets(o, a, false);
	fill_block(o, (struct ast_stmt *[]){ (struct ast_stmt *)a }, 1);
}

static void order_call(struct order *o, const struct ast_stmt *a)
{
	const struct ast_decl *kernel = called(o->file, a);
	for (int k = 0; k < a->value->arg.n; k++) {
		if (mode_of(kernel, k) != MODE_IN)
			fill(o, a->value->arg.at[k]->name);
		read_early(o, a->value->arg.at[k]);
	}
}

static void order_let(struct order *o, const struct ast_stmt *a)
{
	struct filling_of *f = NEW(struct filling_of);
	read_early(o, a->value);
	f->filled = a->value;
	*map_at(&o->let, a->name) = f;
}

static void order_block(struct order *o, struct ast_stmt *const *stmt, int n)
{
	for (int k = 0; k < n; k++) {
		const struct ast_stmt *a = stmt[k];
		const bool until = a->kind == S_REPEAT_UNTIL;
		if (a->kind == S_PATTERN)
			order_pattern(o, a);
		else if (a->kind == S_LET)
			order_let(o, a);
		else if (a->kind == S_CALL)
			order_call(o, a);
		else if (!until)
			read_early(o, a->value);
		if (until || a->kind == S_REPEAT_COUNT)
			fill_block(o, a->body.at, a->body.n);
		order_block(o, a->body.at, a->body.n);
		order_block(o, a->other.at, a->other.n);
		if (until)
			read_early(o, a->value);
	}
}

static void warn_early(const struct ast_file *file, const struct ast_decl *d)
{
	struct order o = { .file = file };
	order_block(&o, d->body.at, d->body.n);
	map_free(&o.let);
}

/* ---- ranges that are written as numbers ---- */

/* Only what is written as a number is taken: a constant with a name may have another value in the
 * next build. */
static bool number_of(const struct ast *a, int64_t *n)
{
	int64_t right;
	char *end;
	if (a->kind == A_NUMBER) {
		*n = strtoll(a->name, &end, 0);
		return !*end && *n != INT64_MAX;
	}
	if (a->kind == A_GROUP && a->arg.n == 1)
		return number_of(a->arg.at[0], n);
	if (a->kind == A_UNARY && !strcmp(a->name, "-") && number_of(a->arg.at[0], &right)) {
		*n = -right;
		return true;
	}
	if (a->kind != A_BINARY || !number_of(a->arg.at[0], n) || !number_of(a->arg.at[1], &right))
		return false;
	return !strcmp(a->name, "+")   ? !__builtin_add_overflow(*n, right, n)
	       : !strcmp(a->name, "-") ? !__builtin_sub_overflow(*n, right, n)
	                               : false;
}

/* lo .. hi, in numbers. */
static bool numbers_of(const struct ast_range *r, int64_t *lo, int64_t *hi)
{
	return r->lo && r->hi && number_of(r->lo, lo) && number_of(r->hi, hi);
}

static bool warn_empty(const struct ast_range *r, const char *what)
{
	int64_t lo, hi;
	if (!numbers_of(r, &lo, &hi) || hi > lo)
		return false;
	diag_warning(r->at, D_EMPTY_RANGE, "%lld..%lld is empty: %s", (long long)lo, (long long)hi,
	             what);
	diag_cure("a range is half open: it ends before %lld%s", (long long)hi,
	          hi < lo ? ", and has no step" : "");
	return true;
}

static void warn_fold(const struct ast *a)
{
	int64_t lo, hi;
	bool one = a->sub.n;
	for (int k = 0; k < a->sub.n; k++) {
		if (warn_empty(a->sub.at[k], "the fold has no term"))
			return;
		one &= numbers_of(a->sub.at[k], &lo, &hi) && hi - 1 == lo;
	}
	if (!one)
		return;
	diag_warning(a->at, D_ONE_TERM, "`%s` has one term, so there is nothing to fold", a->name);
	diag_cure("write the term alone, with %lld for `%s`", (long long)lo,
	          a->sub.at[a->sub.n - 1]->name);
}

static void warn_ranges(const struct ast *a)
{
	if (!a)
		return;
	if (a->kind == A_FOLD)
		warn_fold(a);
	for (int k = 0; k < a->arg.n; k++)
		warn_ranges(a->arg.at[k]);
	for (int k = 0; k < a->sub.n; k++) {
		warn_ranges(a->sub.at[k]->lo);
		warn_ranges(a->sub.at[k]->hi);
	}
}

static void warn_functions_ranges(struct ast_inner *const *inner, int n)
{
	for (int k = 0; k < n; k++) {
		if (inner[k]->range)
			warn_empty(inner[k]->range, "the loop does nothing");
		warn_functions_ranges(inner[k]->body.at, inner[k]->body.n);
		warn_functions_ranges(inner[k]->otherwise.at, inner[k]->otherwise.n);
	}
}

/* ---- loops of kernels ---- */

/* The number of passes that is written after `word`, as most(10) or as most 10. */
static bool word_number(const struct ast_stmt *a, const char *word, int64_t *n)
{
	for (int k = 0; k < a->word.n; k++) {
		const struct ast *w = a->word.at[k];
		if (w->kind == A_CALL && !strcmp(w->name, word) && w->arg.n == 1)
			return number_of(w->arg.at[0], n);
		if (w->kind == A_NAME && !strcmp(w->name, word) && k + 1 < a->word.n)
			return number_of(a->word.at[k + 1], n);
	}
	return false;
}

static void warn_repeat(const struct ast_stmt *a)
{
	int64_t most, every;
	const bool until = a->kind == S_REPEAT_UNTIL;
	if (!(until ? word_number(a, "most", &most) : number_of(a->value, &most)))
		return;
	if (most <= 0) {
		diag_warning(a->at, D_IDLE_REPEAT, "the limit is %lld, so `repeat` has no pass",
		             (long long)most);
		diag_cure("remove the loop, or give it a limit of at least 1");
	} else if (until && word_number(a, "every", &every) && every > most) {
		diag_warning(a->at, D_IDLE_REPEAT,
		             "the condition is first tested after %lld passes, but there are at "
		             "most %lld",
		             (long long)every, (long long)most);
		diag_cure("`repeat` with a counter runs a fixed number of passes");
	}
}

/* Does the first have a name of the second? */
static bool maps_meet(const struct map *a, const struct map *b)
{
	for (int k = 0; k < a->room; k++)
		if (a->row[k].key && map_get(b, a->row[k].key))
			return true;
	return false;
}

/* Do its words name nothing that is written, and is each cell that it writes given a value with
 * nothing of an earlier one in it? */
static bool sets_anew(const struct ast_stmt *a)
{
	const struct pattern *p = a->kind == S_PATTERN ? pattern_find(a->name) : NULL;
	bool anew = p && !p->selects && !p->sorts && !p->sweeps && a->equation.n;
	for (int q = 0; q < a->equation.n && anew; q++)
		anew = !strcmp(a->equation.at[q]->assign, "=");
	return anew;
}

/* The uses of statements that set cells anew. */
static struct uses uses_anew(const struct ast_file *file, struct ast_stmt *const *stmt, int n)
{
	struct uses u = { .file = file };
	for (int k = 0; k < n; k++) {
		struct ast_stmt wordless = *stmt[k];
		wordless.word.n = 0;
		uses_stmt(&u, &wordless);
		for (int w = 0; w < stmt[k]->word.n; w++)
			read_tree(&u, stmt[k]->word.at[w]);
	}
	return u;
}

/* No statement reads what it or a later one writes, and none writes what another does: then a pass
 * finds nothing that the one before it has changed. */
static bool is_same_again(const struct ast_file *file, const struct ast_stmt *loop)
{
	bool same = loop->body.n;
	for (int k = 0; k < loop->body.n && same; k++)
		same = sets_anew(loop->body.at[k]);
	for (int k = 0; k < loop->body.n && same; k++) {
		struct ast_stmt *const *rest = loop->body.at + k;
		struct uses now = uses_anew(file, rest, 1);
		struct uses later = uses_anew(file, rest + 1, loop->body.n - k - 1);
		same = !maps_meet(&now.read, &now.written) && !maps_meet(&now.read, &later.written)
			&& !maps_meet(&now.written, &later.written);
		uses_free(&now);
		uses_free(&later);
	}
	return same;
}

static void warn_same_again(const struct ast_file *file, const struct ast_stmt *a)
{
	if (!is_same_again(file, a))
		return;
	diag_warning(a->at, D_IDLE_REPEAT,
	             "every pass computes the same: no pass reads what an earlier one has written");
	diag_cure("with `swap a, b;` at its end, a pass hands its result to the next one");
}

static void warn_loops(const struct ast_file *file, struct ast_stmt *const *stmt, int n)
{
	for (int k = 0; k < n; k++) {
		const struct ast_stmt *a = stmt[k];
		if (a->kind == S_REPEAT_COUNT || a->kind == S_REPEAT_UNTIL)
			warn_repeat(a);
		if (a->kind == S_REPEAT_UNTIL)
			warn_same_again(file, a);
		for (int r = 0; r < a->range.n; r++)
			warn_empty(a->range.at[r], "the statement does nothing");
		for (int q = 0; q < a->equation.n; q++)
			warn_ranges(a->equation.at[q]->right);
		warn_ranges(a->value);
		warn_ranges(a->where);
		warn_loops(file, a->body.at, a->body.n);
		warn_loops(file, a->other.at, a->other.n);
	}
}

/* ---- all of a program ---- */

static void warn_declaration(const struct ast_file *file, const struct program *program,
                             const struct ast_decl *d)
{
	if (d->kind == DECL_KERNEL) {
		warn_unused(file, program, d);
		warn_early(file, d);
		warn_loops(file, d->body.at, d->body.n);
	} else if (d->kind == DECL_FN || d->kind == DECL_OP) {
		warn_function(file, d);
		warn_functions_ranges(d->block.at, d->block.n);
	}
}

void warn(const struct ast_file *file, const struct program *program)
{
	for (int k = 0; k < file->decl.n; k++)
		if (file->decl.at[k]->at.file == file->file)
			warn_declaration(file, program, file->decl.at[k]);
	warn_graph(program, file->file);
}
