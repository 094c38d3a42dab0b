/* sema_flow.c - statements that are not patterns: swap (R32), let, require, repeat (R49), if. */
#include <string.h>

#include "ask.h"
#include "sema_impl.h"

/* ---- swap ---- */

/* a[i, j] and b[i, j]: all cells, each with the one at its place. */
static bool are_whole(struct sema *s, const struct ast *a, const struct ast *b)
{
	bool whole = a->kind == A_SUBSCRIPT && b->kind == A_SUBSCRIPT && a->sub.n == b->sub.n;

	for (int k = 0; whole && k < a->sub.n; k++) {
		const struct ast_range *x = a->sub.at[k], *y = b->sub.at[k];
		whole = !x->hi && !y->hi && x->lo->kind == A_NAME && y->lo->kind == A_NAME
		        && x->lo->name == y->lo->name && !name_find(s, x->lo->name);
		for (int j = 0; j < k && whole; j++)
			whole = a->sub.at[j]->lo->name != x->lo->name;
	}
	return whole;
}

static bool swap_form(struct sema *s, const struct ast_stmt *a)
{
	const struct ast_equation *q = a->equation.n == 1 ? a->equation.at[0] : NULL;

	if (q && !q->right && q->target.n == 2 && q->target.at[0]->kind == A_NAME
	    && q->target.at[1]->kind == A_NAME && !a->word.n && !a->where && !a->range.n
	    && !a->bind.n && !a->otherwise)
		return true;
	diag_error(a->at, D_SWAP, "swap takes exactly two arrays, and no clause");
	diag_cure("`swap a, b;`");
	if (q && !q->right && q->target.n == 2 && !a->word.n && !a->where && !a->range.n
	    && are_whole(s, q->target.at[0], q->target.at[1])
	    && q->target.at[0]->at.line == q->target.at[1]->at.line) {
		struct loc span = q->target.at[0]->at;
		span.end = q->target.at[1]->at.end;
		diag_fix(span, str_print("%s, %s", q->target.at[0]->name, q->target.at[1]->name));
	}
	return false;
}

static bool same_shape(const struct var *a, const struct var *b)
{
	bool same = a->type == b->type && a->rank == b->rank;

	for (int k = 0; same && k < a->rank; k++)
		same = affine_equal(&a->extent[k], &b->extent[k]);
	return same;
}

static bool swap_pair(const struct ast_stmt *a, const struct var *x, const struct var *y)
{
	const struct ast *second = a->equation.at[0]->target.at[1];

	if (!x->rank || !y->rank) {
		diag_error(a->at, D_SWAP, "swap exchanges arrays, but `%s` is a scalar",
		           x->rank ? y->name : x->name);
		return false;
	}
	if (x == y) {
		diag_error(second->at, D_SWAP, "`%s` is swapped with itself", x->name);
		return false;
	}
	if (!same_shape(x, y)) {
		diag_error(second->at, D_SWAP, "`%s` and `%s` differ in type or sizes", x->name,
		           y->name);
		return false;
	}
	if (x->kind == VAR_PARAM && y->kind == VAR_PARAM && !layout_same(x, y)) {
		diag_error(second->at, D_SWAP, "`%s` and `%s` differ in layout", x->name, y->name);
		diag_cure("copy one to the other with a map");
		return false;
	}
	return true;
}

/* An input keeps its cells: the caller may use them, and pass them as const. */
static bool swap_input(struct sema *s, const struct ast *a)
{
	const struct binding *b = a->kind == A_NAME ? name_find(s, a->name) : NULL;
	const struct var *v = b ? b->var : NULL;

	if (!v || v->kind != VAR_PARAM || v->mode != MODE_IN)
		return false;
	diag_error(a->at, D_TARGET, "`%s` is an input, but a swap writes both arrays", v->name);
	diag_cure("mark it `inout %s`, or swap a copy: `let copy: %s;`, which a map fills", v->name,
	          axes_text(v->type, v->rank, v->extent));
	fix_insert(v->at, "inout ");
	return true;
}

/* What each array holds, the other one holds afterwards. */
static bool swap_reads(const struct ast_stmt *a, struct binding *const b[2])
{
	const struct ast *const *name = (const struct ast *const *)a->equation.at[0]->target.at;
	const bool first = readable(b[0], name[0]);

	return readable(b[1], name[1]) && first;
}

struct node *swap_check(struct sema *s, const struct ast_stmt *a)
{
	struct node *node = node_new(s, a, NODE_SWAP);
	struct binding *b[2];

	if (!swap_form(s, a))
		return NULL;
	for (int k = 0; k < 2; k++)
		if (swap_input(s, a->equation.at[0]->target.at[k])
		    || !(b[k] = target_binding(s, a->equation.at[0]->target.at[k])))
			return NULL;
	if (!swap_pair(a, b[0]->var, b[1]->var) || !swap_reads(a, b))
		return NULL;
	bool written = b[0]->written;        /* what one held, the other holds */
	b[0]->written = b[1]->written || b[1]->var->mode == MODE_INOUT;
	b[1]->written = written || b[0]->var->mode == MODE_INOUT;
	node->swap[0] = b[0]->var;
	node->swap[1] = b[1]->var;
	node->name = node->label ? node->label : "swap";
	return node;
}

/* ---- let ---- */

static bool invents_size(struct sema *s, const struct ast *a)
{
	bool bad = false;

	if (a->kind == A_NAME && !name_find(s, a->name)) {
		struct like like = near_begin(a->name);
		for (int k = 0; k < s->entry->size.n; k++)
			near_add(&like, s->entry->size.at[k]->name);
		diag_error(a->at, D_LET_SIZE, "`let` cannot declare the new size `%s`", a->name);
		if (cure_near(&like, a->at))
			return true;
		diag_cure("sizes come from the shapes of parameters, or are declared as "
		          "parameters: `size %s: i64`",
		          a->name);
		return true;
	}
	for (int k = 0; !bad && k < a->arg.n; k++)
		bad = invents_size(s, a->arg.at[k]);
	return bad;
}

static bool let_form(struct sema *s, const struct ast_stmt *a)
{
	if (a->word.n) {
		diag_error(a->word.at[0]->at, D_LET_FORM,
		           "a `let` has no layout: the compiler chooses it");
		diag_cure("leave it out");
		fix_leave_out_rest(a->word.at[0]->at, a->word.at[a->word.n - 1]->at);
		return false;
	}
	if (a->label) {
		diag_error(a->at, D_LABEL,
		           "a pattern or a `repeat` can have a label, but not a `let`");
		diag_cure("leave the label out");
		fix_leave_out_label(a->at, a->label);
		return false;
	}
	if (a->value && a->type->kind != A_NAME) {
		diag_error(a->value->at, D_LET_FORM, "a `let` array cannot have an initial value");
		diag_cure("write its cells in a statement after it: a pattern with `%s[i] = ...`",
		          a->name);
		return false;
	}
	for (int k = 0; k < a->type->sub.n; k++)
		if (a->type->sub.at[k]->lo && !a->type->sub.at[k]->hi
		    && invents_size(s, a->type->sub.at[k]->lo))
			return false;
	return true;
}

/* `let s: f64 = e;` is the let and a statement that sets it. */
static struct node *let_value(struct sema *s, const struct ast_stmt *a, struct var *v,
                              struct expr *right)
{
	struct node *node = node_new(s, a, NODE_PATTERN);
	struct equation *eq = NEW(struct equation);

	node->pattern = expr_has_fold(right) ? pattern_assign_fold : pattern_assign;
	eq->at = a->at;
	eq->right = right;
	list_add(&eq->target, expr_var(v, a->at));
	list_add(&node->equation, eq);
	node->whole = true;
	node->name = node_name(s, node);
	return node_check(s, node) ? node : NULL;
}

/* `let s: f64 = kth[i](x[i], k);` is the let and a `reduce`. */
static struct node *let_kth(struct sema *s, const struct ast_stmt *a)
{
	struct ast_stmt *reduce = NEW(struct ast_stmt);
	struct ast_equation *q = NEW(struct ast_equation);
	struct ast *target = NEW(struct ast);

	*target = (struct ast){ .kind = A_NAME, .at = a->at, .name = a->name };
	q->at = a->at;
	q->assign = "=";
	q->right = a->value;
	list_add(&q->target, target);
	reduce->kind = S_PATTERN;
	reduce->at = a->at;
	reduce->name = pattern_assign_fold->name;
	list_add(&reduce->equation, q);
	return pattern_try(s, reduce);
}

struct node *let_check(struct sema *s, const struct ast_stmt *a)
{
	struct var shape = { 0 };
	bool kth = a->value && a->value->kind == A_FOLD && is_kth(s, a->value->name);
	bool fine = let_form(s, a) && shape_check(s, a->type, &shape);
	struct expr *right = fine && a->value && !kth ? expr_typed(s, a->value, shape.type,
	                                                   str_print("`%s`", a->name)) : NULL;
	struct binding *b = name_declare(s, a->name, a->at);
	struct var *v = NEW(struct var);

	if (!fine || !b)
		return NULL;
	*v = shape;
	v->kind = VAR_LET;
	v->name = a->name;
	v->id = s->ids++;
	v->at = a->at;
	v->mode = MODE_INOUT;
	v->scope = s->repeat;
	b->var = v;
	list_add(&s->entry->let, v);
	return right ? let_value(s, a, v, right) : kth ? let_kth(s, a) : NULL;
}

/* ---- require ---- */

static void give(struct sema *s, const struct expr *condition, bool holds)
{
	struct premise *g = NEW(struct premise);

	*g = (struct premise){ s->premise, condition, holds };
	s->premise = g;
}

static bool visit_called(struct expr *e, void *found)
{
	bool called = e->kind == E_VAR && (e->var->kind == VAR_SIZE || e->var->kind == VAR_PARAM);

	*(bool *)found |= called;
	return !called;
}

static bool visit_host(struct expr *, void *what);

static bool visit_counter(struct expr *e, void *found)
{
	if (e->kind == E_VAR && e->var->kind == VAR_COUNTER)
		*(const struct var **)found = e->var;
	return !*(const struct var **)found;
}

/* In a call: a counter was given for what the kernel requires something of. */
static bool counts(struct expr *e)
{
	const struct var *counter = NULL;

	expr_walk(e, visit_counter, &counter);
	if (!counter)
		return false;
	diag_error(e->at, D_REQUIRE,
	           "`require` is tested before anything runs, but `%s` counts passes",
	           counter->name);
	diag_cure("use sizes, scalar parameters and constants");
	return true;
}

/* A bool over what the call passes by value. */
static struct expr *required(struct sema *s, const struct ast *a)
{
	struct expr *e = expr_bool(s, a, "`require`"), *device = NULL;
	bool called = false;

	if (!e || !never_fails(e))
		return NULL;
	expr_walk(e, visit_host, &device);
	if (device) {
		diag_error(device->at, D_REQUIRE,
		           "`require` is tested before anything runs, but `%s` is computed on the "
		           "device",
		           device->kind == E_FOLD ? fold_name(device->fold) : device->var->name);
		diag_cure("use sizes, scalar parameters and constants");
		return NULL;
	}
	if (counts(e))
		return NULL;
	expr_walk(e, visit_called, &called);
	if (s->call && e->kind == E_CONST && e->value.i)
		return NULL;                 /* this call meets it */
	if (s->call && e->kind == E_CONST) {
		diag_error(call_place(s), D_CALL,
		           "this call does not satisfy a requirement of `%s`", call_kernel(s));
		diag_note(a->at, "here");
		return NULL;
	}
	if (!called) {
		diag_error(a->at, D_REQUIRE, "%s has the same value in every call", ast_text(a));
		diag_cure("a condition must depend on a size or a scalar parameter");
		return NULL;
	}
	return e;
}

bool require(struct sema *s, struct expr *condition, struct loc at)
{
	for (int k = 0; k < s->entry->require.n; k++)
		if (expr_same(s->entry->require.at[k], condition))
			return true;
	if (s->entry->require.n == REQUIRE_MOST) {
		diag_error(at, D_TOO_MANY, "a kernel requires at most %d conditions", REQUIRE_MOST);
		return false;
	}
	list_add(&s->entry->require, condition);
	give(s, condition, true);
	return true;
}

static bool require_place(const struct sema *s, const struct ast_stmt *a)
{
	if (a->label) {
		diag_error(a->at, D_LABEL,
		           "a pattern or a `repeat` can have a label, but not a `require`");
		diag_cure("leave the label out");
		fix_leave_out_label(a->at, a->label);
		return false;
	}
	if (s->call || (!s->repeat && !s->entry->body.n))
		return true;
	diag_error(a->at, D_REQUIRE, "`require` must come before the statements of the kernel");
	diag_cure("move it to the top of the kernel: it is tested once, before they run");
	return false;
}

void require_check(struct sema *s, const struct ast_stmt *a)
{
	if (!require_place(s, a))
		return;
	for (int k = 0; k < a->value->arg.n; k++) {
		struct expr *e = required(s, a->value->arg.at[k]);
		if (e && !require(s, e, a->at))
			return;
	}
}

/* ---- what earlier passes have written ---- */

/* Note [rows that earlier passes have written] `repeat s < t { map h[s, j] = x[s, j] + (s > 0 ?
 * h[s-1, j] : 0); }` reads of an `out` array the row that the pass before has written.  The read is
 * presumed to be such a one if a subscript has a counter in it; when that counter's repeat is
 * closed, some statement of its body must write the array at a place that in an earlier pass was
 * the one that is read.  There was that pass: the place is in the array, and the passes before the
 * first one would be outside of it. */

static int64_t coef_of(const struct affine *a, const struct var *var)
{
	for (int t = 0; t < a->n; t++)
		if (a->term[t].var == var)
			return a->term[t].coef;
	return 0;
}

bool earlier_presume(struct sema *s, const struct expr *read, bool own)
{
	for (int d = 0; d < read->arg.n; d++)
		for (int t = 0; t < read->affine[d].n; t++)
			if (read->affine[d].term[t].var->kind == VAR_COUNTER) {
				list_add(&s->earlier, ((struct earlier){ read, own }));
				return true;
			}
	return false;
}

/* Is `read` what `written` was in an earlier pass, which there was if it is a place of the axis? */
static bool passed(const struct affine *read, const struct affine *written,
                   const struct affine *extent, const struct var *counter)
{
	int64_t step = written->n >= 0 ? coef_of(written, counter) : 0;
	struct affine back = *read, own = affine_var((struct var *)counter), first = *written,
		      end = *extent;

	if (!step || step == INT64_MIN || read->n < 0 || !affine_add(&back, written, -1) || back.n
	    || back.constant == INT64_MIN || !affine_add(&first, &own, -step))
		return false;
	if (step < 0
	    && (!affine_add(&end, &first, -1)
	        || !affine_add(&end, &(struct affine){ .constant = 1 }, -1)))
		return false;
	const struct affine *rest = step > 0 ? &first : &end;
	return back.constant % step == 0 && back.constant / step < 0 && rest->n == 0
	       && rest->constant >= 0 && rest->constant < (step > 0 ? step : -step);
}

/* What an `if` writes it may not have written in any pass. */
static bool passed_in(const struct node *body, const struct expr *read, const struct var *counter)
{
	bool found = false;

	if (body->kind == NODE_IF)
		return false;

	for (int k = 0; !found && node_target(body, k); k++) {
		const struct expr *cell = target_read(node_target(body, k));
		for (int d = 0; !found && cell->var == read->var && d < read->arg.n; d++)
			found = passed(&read->affine[d], &cell->affine[d], &read->var->extent[d],
			               counter);
	}
	for (int k = 0; !found && k < body->body.n; k++)
		found = passed_in(body->body.at[k], read, counter);
	return found;
}

static bool swaps(const struct node *body, const struct var *var)
{
	bool found = body->kind == NODE_SWAP && (body->swap[0] == var || body->swap[1] == var);

	for (int k = 0; !found && k < body->body.n; k++)
		found = swaps(body->body.at[k], var);
	return found;
}

/* Of the reads from `first` on those stay that this repeat does not settle, for one around it. */
static void earlier_close(struct sema *s, const struct node *repeat, int first)
{
	int kept = first;

	for (int k = first; k < s->earlier.n; k++) {
		const struct earlier e = s->earlier.at[k];
		if (repeat->counter && passed_in(repeat, e.read, repeat->counter)
		    && !swaps(repeat, e.read->var))
			continue;
		if (s->repeat)
			s->earlier.at[kept++] = e;
		else
			out_unwritten(e.read->at, e.read->var, e.own);
	}
	s->earlier.n = kept;
}

/* ---- repeat ---- */

static bool visit_host(struct expr *e, void *what)
{
	struct expr **found = what;

	if (e->kind == E_READ || e->kind == E_FOLD || (e->kind == E_VAR && var_on_device(e->var)))
		*found = e;
	return !*found;
}

static struct expr *limit_check(struct sema *s, const struct ast *a)
{
	struct expr *e = expr_index(s, a), *device = NULL;

	if (!never_fails(e))
		return NULL;
	if (e)
		expr_walk(e, visit_host, &device);
	if (!device)
		return e;
	diag_error(device->at, D_REPEAT_LIMIT,
	           "the host needs the number of passes, but this value is on the device");
	diag_cure("use a size, a scalar parameter or a constant; `repeat until` can test scalars "
	          "on the device");
	return NULL;
}

struct depends { const struct node *node; bool found; };

static bool writes(const struct node *node, const struct var *v)
{
	bool found = node->kind == NODE_SWAP && (node->swap[0] == v || node->swap[1] == v);

	for (int k = 0; !found && node_target(node, k); k++)
		found = target_read(node_target(node, k))->var == v;
	for (int k = 0; !found && k < node->body.n; k++)
		found = writes(node->body.at[k], v);
	return found;
}

static bool visit_depends(struct expr *e, void *what)
{
	struct depends *d = what;

	if (e->kind == E_VAR && var_on_device(e->var))
		d->found = writes(d->node, e->var);
	return !d->found;
}

static bool visit_read(struct expr *e, void *what)
{
	struct expr **found = what;

	if (e->kind == E_READ || e->kind == E_FOLD)
		*found = e;
	return !*found;
}

static bool until_check(struct sema *s, const struct ast_stmt *a, struct node *node,
                        bool body_fine)
{
	struct expr *read = NULL;
	struct depends d = { node, false };

	node->until = expr_bool(s, a->value, "`until`");
	if (!node->until || !never_fails(node->until))
		return false;
	expr_walk(node->until, visit_read, &read);
	if (read) {
		diag_error(read->at, D_UNTIL, "the condition of `until` can read only scalars");
		diag_cure("compute this in a statement of the body, to a scalar `let s: ...;`");
		return false;
	}
	expr_walk(node->until, visit_depends, &d);
	if (!d.found && body_fine) {
		diag_error(a->value->at, D_UNTIL,
		           "no statement of the body writes what this condition reads");
		diag_cure("it would hold after the first pass or never");
		return false;
	}
	return true;
}

/* ---- every K at most N ---- */

/* A value in parentheses makes its word a call: most(n). */
static bool word_is(const struct loop_words *w, enum ast_kind kind, const char *name)
{
	const struct ast *word = w->next < w->n ? w->at[w->next] : NULL;

	return word && word->kind == kind && !strcmp(word->name, name);
}

/* The value after a word, which is taken; NULL: there is no such one. */
static const struct ast *word_value(struct loop_words *w, const char *name)
{
	const struct ast *value = NULL;

	if (word_is(w, A_CALL, name) && w->at[w->next]->arg.n == 1) {
		value = w->at[w->next++]->arg.at[0];
	} else if (word_is(w, A_NAME, name) && w->next + 1 < w->n) {
		value = w->at[w->next + 1];
		w->next += 2;
	}
	return value;
}

const struct ast *words_most(struct loop_words *w)
{
	const struct ast *most = word_value(w, "most");

	return w->next == w->n ? most : NULL;
}

/* As a word's value is written; `other` if it is on several lines. */
static const char *value_text(const struct ast *a, const char *other)
{
	const char *text = source_span(a->at);

	return !text ? other : a->kind == A_NAME || a->kind == A_NUMBER ? text
	                     : str_print("(%s)", text);
}

/* at most 100 every 5 */
static bool every_is_last(struct loop_words w)
{
	struct loc span = w.n ? w.at[0]->at : (struct loc){ .file = -1 };
	const struct ast *most = NULL;

	if (word_is(&w, A_NAME, "at")) {
		w.next++;
		most = word_value(&w, "most");
	}
	const struct ast *every = most ? word_value(&w, "every") : NULL;

	if (!every || w.next < w.n)
		return false;
	diag_error(span, D_UNTIL, "`every` comes before `at most`");
	const char *right = str_print("every %s at most %s", value_text(every, "50"),
	                              value_text(most, "1000"));
	diag_cure("write `%s`", right);
	span.end = w.at[w.n - 1]->at.end;
	if (w.at[w.n - 1]->at.line == span.line && source_span(w.at[w.n - 1]->at))
		diag_fix(span, right);
	return true;
}

static const struct ast *at_most(const struct ast_stmt *a, struct loop_words *w)
{
	const struct ast *most = NULL;

	if (every_is_last(*w))
		return NULL;
	if (word_is(w, A_NAME, "at")) {
		w->next++;
		most = words_most(w);
	}
	if (most)
		return most;
	diag_error(w->n ? w->at[0]->at : a->at, D_UNTIL, "`repeat until` needs a limit");
	diag_cure("`repeat until err < eps at most 1000 { ... }`, or `... every 50 at most 1000`");
	return NULL;
}

/* A number that only the call knows is 1 at least. */
static struct expr *every_check(struct sema *s, const struct ast *a)
{
	const struct type *i64 = type_scalar(T_I64);
	struct expr *every = limit_check(s, a), *one = expr_int(i64, 1, a->at);
	struct affine number;

	if (!every)
		return NULL;
	if (!affine_of(every, &number) || number.n)
		return make_math(M_max, (struct expr *[]){ every, one }, 2, a->at);
	if (number.constant >= 1)
		return every;
	diag_error(a->at, D_UNTIL, "`every` needs a number of passes, at least 1");
	diag_cure("without it, the condition is tested after every pass");
	if (a->kind == A_NUMBER)
		diag_fix(a->at, "1");
	return NULL;
}

/* (pass + 1) % every == 0 */
static struct expr *asks(const struct node *node)
{
	const struct type *i64 = type_scalar(T_I64);
	struct expr *passes = expr_binary(OP_ADD, expr_var(node->counter, node->at),
	                                  expr_int(i64, 1, node->at));

	return expr_binary(OP_EQ, expr_binary(OP_REM, passes, node->every),
	                   expr_int(i64, 0, node->at));
}

static bool body_statements(struct sema *s, struct ast_stmt *const *stmt, int n, struct node *node)
{
	struct node *outer = s->repeat;
	int errors = diag_errors(), earlier = s->earlier.n;

	s->repeat = node;
	stmts_check(s, stmt, n, &node->body.at, &node->body.n, &node->body.room);
	s->repeat = outer;
	if (diag_errors() > errors)
		s->earlier.n = earlier;          /* what should have written them may be missing */
	earlier_close(s, node, earlier);
	return diag_errors() == errors;
}

struct node *repeat_count(struct sema *s, const struct ast_stmt *a)
{
	struct node *node = node_new(s, a, NODE_REPEAT_COUNT);
	int mark = scope_open(s);

	node->limit = limit_check(s, a->value);
	if (a->word.n) {
		diag_error(a->word.at[0]->at, D_UNKNOWN_CLAUSE, "no clause `%s` in `repeat %s <`",
		           ast_text(a->word.at[0]), a->name);
		diag_cure("`at most` is a clause of `repeat until`");
	}
	node->counter = var_declare(s, VAR_COUNTER, a->name, type_scalar(T_I64), a->at);
	if (node->counter)
		node->counter->value = node->limit;
	body_statements(s, a->body.at, a->body.n, node);
	scope_close(s, mark);
	node->name = node->label ? node->label : "repeat";
	return node->limit && node->counter ? node : NULL;
}

struct node *repeat_until(struct sema *s, const struct ast_stmt *a)
{
	struct node *node = node_new(s, a, NODE_REPEAT_UNTIL);
	struct loop_words words = { a->word.at, a->word.n, 0 };
	const struct ast *every = word_value(&words, "every"), *most = at_most(a, &words);
	int mark = scope_open(s);
	bool fine;

	node->limit = most ? limit_check(s, most) : NULL;
	node->every = every ? every_check(s, every) : NULL;
	fine = body_statements(s, a->body.at, a->body.n, node);
	scope_close(s, mark);
	fine = until_check(s, a, node, fine) && fine && !every == !node->every;
	node->counter = NEW(struct var);
	*node->counter = (struct var){ .kind = VAR_COUNTER,
		                       .name = str_name("pass"),
		                       .id = s->ids++,
		                       .at = a->at,
		                       .type = type_scalar(T_I64) };
	node->asks = node->every ? asks(node) : NULL;
	node->name = node->label ? node->label : "repeat";
	return node->limit && fine ? node : NULL;
}

/* ---- if ---- */

static bool reads_cells(const struct ast *a)
{
	bool reads = a->kind == A_SUBSCRIPT;

	for (int k = 0; k < a->arg.n && !reads; k++)
		reads = reads_cells(a->arg.at[k]);
	return reads;
}

/* if any[i](x[i] < 0) { ... }: a `let` before it has the condition. */
static void fix_condition(struct sema *s, const struct ast_stmt *a)
{
	const char *condition = source_span(a->value->at);
	const char *name = name_free(s, str_name("holds"));

	/* the next one has another name, and is fixed in the next round */
	if (s->names_condition)
		return;
	s->names_condition = true;
	if (condition && a->value->at.line == a->at.line && !a->label && begins_statement(a->at))
		diag_fix((struct loc){ a->at.file, a->at.line, a->at.col, a->value->at.end },
		         str_print("let %s: bool = %s; if %s", name, condition, name));
}

static struct expr *if_condition(struct sema *s, const struct ast_stmt *a)
{
	struct expr *e = expr_bool(s, a->value, "`if`"), *read = NULL;

	if (!e && reads_cells(a->value))
		diag_cure("`if` decides whether whole statements run; for single cells use a mask, "
		          "`map y[i] = x[i] where x[i] > 0;`, or `c ? a : b`");
	if (!e || !never_fails(e))
		return NULL;
	expr_walk(e, visit_read, &read);
	if (!read)
		return e;
	diag_error(read->at, D_IF,
	           "`if` decides whether whole statements run, so its condition can read only "
	           "scalars");
	diag_cure("for single cells use a mask, `where`; or fold the condition: `let s: ... = "
	          "any[i](...);`");
	fix_condition(s, a);
	return NULL;
}

/* Does that name mean the variable here? */
static bool means(struct sema *s, const char *name, const struct var *var)
{
	const struct binding *b = name ? name_find(s, name) : NULL;

	return b && b->var == var;
}

static bool is_target(struct sema *s, const struct ast_stmt *a, const struct var *var)
{
	for (int q = 0; q < a->equation.n; q++)
		for (int t = 0; t < a->equation.at[q]->target.n; t++)
			if (means(s, target_root_ast(a->equation.at[q]->target.at[t])->name, var))
				return true;
	for (int k = 0; a->kind == S_CALL && k < a->value->arg.n; k++)
		if (a->value->arg.at[k]->kind == A_NAME && means(s, a->value->arg.at[k]->name, var))
			return true;                         /* it may write what it is given */
	return false;
}

static bool assigns(struct sema *s, struct ast_stmt *const *stmt, int n, const struct var *var)
{
	bool found = false;

	for (int k = 0; k < n && !found; k++)
		found = is_target(s, stmt[k], var)
		        || assigns(s, stmt[k]->body.at, stmt[k]->body.n, var)
		        || assigns(s, stmt[k]->other.at, stmt[k]->other.n, var);
	return found;
}

struct block { struct ast_stmt *const *stmt; int n; struct sema *s; bool kept; };

static bool visit_kept(struct expr *e, void *state)
{
	struct block *b = state;

	if (e->kind == E_VAR && var_on_device(e->var) && assigns(b->s, b->stmt, b->n, e->var))
		b->kept = false;
	return b->kept;
}

/* One branch: `test` decides on the run; `condition` is what the proofs in it may use, if no
 * statement of the branch changes it. */
static struct node *if_branch(struct sema *s, const struct ast_stmt *a, struct block b,
                              struct expr *test, const struct expr *condition, bool holds)
{
	struct node *node = node_new(s, a, NODE_IF);
	const struct premise *outer = s->premise;
	int mark = scope_open(s);

	node->until = test;
	node->name = "if";
	expr_walk((struct expr *)condition, visit_kept, &b);
	if (b.kept)
		give(s, condition, holds);
	body_statements(s, b.stmt, b.n, node);
	s->premise = outer;
	scope_close(s, mark);
	return node->body.n ? node : NULL;
}

/* Which variables are written, of those that are in scope. */
static bool *flags_keep(const struct sema *s)
{
	bool *flag = mem_new((size_t)s->scope.n + 1);

	for (int k = 0; k < s->scope.n; k++)
		flag[k] = s->scope.at[k]->written;
	return flag;
}

static void flags_set(struct sema *s, const bool *flag, const bool *and)
{
	for (int k = 0; k < s->scope.n; k++)
		s->scope.at[k]->written = flag[k] && and[k];
}

/* Where both branches look at a device scalar, what it was before the first one counts. */
static struct expr *held_condition(struct sema *s, const struct ast_stmt *a, struct expr *condition,
                                   struct node **let)
{
	struct var *v;

	if (!a->other.n || !expr_on_device(condition))
		return condition;
	v = NEW(struct var);
	*v = (struct var){ .kind = VAR_LET,
		           .name = str_name("condition"),
		           .id = s->ids++,
		           .at = a->at,
		           .type = type_scalar(T_BOOL),
		           .mode = MODE_INOUT,
		           .scope = s->repeat };
	list_add(&s->entry->let, v);
	*let = let_value(s, a, v, condition);
	return expr_var(v, a->at);
}

void if_check(struct sema *s, const struct ast_stmt *a, struct node *made[IF_NODES])
{
	struct expr *condition = if_condition(s, a), *test;
	const bool *before = flags_keep(s), *then;

	if (a->label) {
		diag_error(a->at, D_LABEL,
		           "a pattern or a `repeat` can have a label, but not an `if`");
		diag_cure("leave the label out");
		fix_leave_out_label(a->at, a->label);
		return;
	}
	if (!condition)
		return;
	test = held_condition(s, a, condition, &made[0]);
	if (a->variant)
		variant_begin(s, a->variant);
	made[1] = if_branch(s, a, (struct block){ a->body.at, a->body.n, s, true }, test, condition,
	                    true);
	then = flags_keep(s);
	flags_set(s, before, before);
	if (a->variant)
		variant_begin(s, 0);
	if (a->other.n)
		made[2] = if_branch(s, a, (struct block){ a->other.at, a->other.n, s, true },
		                    make_unary(OP_NOT, test, a->at), condition, false);
	if (made[1] && made[2])
		made[2]->is_else = true;
	flags_set(s, flags_keep(s), then);
}
