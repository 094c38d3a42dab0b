/* sema_stmt.c - pattern statements: labels and names, equations (R22, R30; `+=` and
 * its like: sema_assign.c).
 *
 * What one pattern asks of its equations is the pattern's business: its check() is called when the
 * node is complete; afterwards affine.c proves bounds and in-place updates. */
#include <assert.h>
#include <string.h>

#include "cutoff.h"
#include "ragged.h"
#include "running.h"
#include "sema_impl.h"

static struct sema *checking;              /* whose statement pattern->check looks at: sema_value */

const struct pattern *pattern_find(const char *name)
{
	for (int k = 0; patterns[k]; k++)
		if (!strcmp(patterns[k]->name, name))
			return patterns[k];
	return NULL;
}

struct expr *sema_value(const struct ast *a, const struct type *type)
{
	return type ? expr_typed(checking, a, type, "the value") : expr_value(checking, a);
}

/* ---- labels and names ---- */

static struct label *label_find(struct sema *s, const char *name)
{
	struct label *l;

	HASH_FIND_PTR(s->labels, &name, l);
	return l;
}

static void label_add(struct sema *s, const struct ast_stmt *a)
{
	const char *label = call_label(s, a->label);
	struct label *l = label ? label_find(s, label) : NULL;

	if (!label)
		return;
	if (l) {
		diag_error(a->at, D_LABEL, "the label `%s` is already used", label);
		diag_note(l->at, "by this statement");
		return;
	}
	l = NEW(struct label);
	l->name = label;
	l->at = a->at;
	HASH_ADD_PTR(s->labels, name, l);
}

/* All labels of a kernel first: the names of unlabelled statements keep away from them. */
void labels_collect(struct sema *s, struct ast_stmt *const *stmt, int n)
{
	for (int k = 0; k < n; k++) {
		if (stmt[k]->label)
			label_add(s, stmt[k]);
		if (stmt[k]->kind == S_CALL && stmt[k]->label)
			call_labels(s, stmt[k]);
		labels_collect(s, stmt[k]->body.at, stmt[k]->body.n);
		labels_collect(s, stmt[k]->other.at, stmt[k]->other.n);
	}
}

static const char *variant_name(const struct node *node, const char *name)
{
	return node->variant ? str_name(str_print("%s_when%d", name, node->variant)) : name;
}

const char *node_name(struct sema *s, const struct node *node)
{
	const char *name;
	int k = 0;

	if (node->label)
		return variant_name(node, node->label);
	while (patterns[k] && patterns[k] != node->pattern)
		k++;
	do
		name = str_name(str_print("%s%d", node->pattern->name, ++s->ordinal[k]));
	while (label_find(s, name));
	return variant_name(node, name);
}

/* ---- equations ---- */

const struct ast *target_root_ast(const struct ast *a)
{
	while (a->kind == A_FIELD)
		a = a->arg.at[0];
	return a;
}

static bool writable(const struct ast *a, const struct binding *b)
{
	const struct var *v = b->var;
	const char *what = v->kind == VAR_PARAM     ? "an input"
	                   : v->kind == VAR_SIZE    ? "a size"
	                   : v->kind == VAR_CONST   ? "a constant"
	                   : v->kind == VAR_COUNTER ? "a counter"
	                                            : "an index";

	if (v->kind == VAR_LET || (v->kind == VAR_PARAM && v->mode != MODE_IN))
		return true;
	diag_error(a->at, D_TARGET, "`%s` cannot be written: it is %s", v->name, what);
	if (v->kind == VAR_PARAM) {
		diag_cure("mark it `inout %s` or `out %s`", v->name, v->name);
		fix_insert(v->at, "inout ");
	}
	return false;
}

/* What is filled is declared before. */
static void cure_target(struct sema *s, const struct ast *a)
{
	const char *type = a->kind == A_SUBSCRIPT ? "f32[...]" : "f32";

	if (!name_like(s, a->name, false).name && !callable_find(s, a->name))
		diag_cure("declare it: as a temporary, `let %s: %s;` before this statement, or as "
		          "a result, `out %s: %s` among the parameters",
		          a->name, type, a->name, type);
}

struct binding *target_binding(struct sema *s, const struct ast *a)
{
	const struct ast *root = target_root_ast(a);
	struct binding *b;

	if (root->kind != A_NAME && root->kind != A_SUBSCRIPT) {
		diag_error(a->at, D_TARGET, "%s cannot be a target", ast_text(a));
		diag_cure("a target is a cell `y[i]`, a field `p[i].x` or a scalar");
		return NULL;
	}
	b = name_find(s, root->name);
	if (!b) {
		expr_check(s, root);         /* no such variable: says so */
		cure_target(s, root);
	}
	return b && b->var && writable(root, b) ? b : NULL;
}

enum { ARRAY_VALUES = 64 };              /* relay_arrays.c: each is an equation */

/* Writing is no read, so R22 is not asked here. */
struct expr *target_cell(struct sema *s, const struct ast *a, struct binding **root)
{
	struct binding *b = *root = target_binding(s, a);
	bool written = b && b->written;
	struct expr *e;

	if (!b)
		return NULL;
	b->written = true;
	e = expr_check(s, a);
	b->written = written;
	if (e && type_cells(e->type) > ARRAY_VALUES) {
		diag_error(a->at, D_FORM_NOT_BUILT,
		           "assigning an array of more than %d elements is not supported yet",
		           ARRAY_VALUES);
		diag_cure("assign its elements: `%s[k] = ...`", ast_text(a));
		return NULL;
	}
	return e;
}

/* m, i, j = argmax[i, j](e): the value, then one index per bracket name (R31). */
static bool results_form(const struct sema *s, const struct ast_equation *q)
{
	const struct ast *a = q->right;
	bool fold = a->kind == A_FOLD || (s->running && a->kind == A_CALL);
	bool arg = fold && (!strcmp(a->name, "argmin") || !strcmp(a->name, "argmax"));
	int places = s->running ? 1 : a->sub.n;

	if (!arg || strcmp(q->assign, "=")) {
		diag_error(q->target.at[1]->at, D_EQUATION_FORM, "an equation has one target");
		diag_cure("write several equations: `a[i] = ..., b[i] = ...`; only `m, at = "
		          "argmax[i](...)` and argmin have several targets");
		return false;
	}
	if (q->target.n == 1 + places)
		return true;
	diag_error(q->at, D_EQUATION_FORM,
	           "`%s` over %d ind%s has %d results, but there are %d targets", a->name, places,
	           places == 1 ? "ex" : "ices", 1 + places, q->target.n);
	diag_cure("the value comes first, then one index per name in the brackets");
	return false;
}

static bool equation_form(const struct sema *s, const struct ast_equation *q)
{
	if (!q->right) {
		diag_error(q->at, D_EQUATION_FORM, "an equation is missing: `target = expression`");
		return false;
	}
	return q->target.n == 1 || results_form(s, q);
}

/* of the targets of an equation, NULL after an error */
struct roots { LIST(struct binding *) at; };

static bool targets_check(struct sema *s, const struct ast_stmt *a, struct node *node,
                          struct roots *root)
{
	bool fine = true;

	if (a->equation.n > MAX_EQUATIONS) {
		diag_error(a->at, D_TOO_MANY, "a statement has at most %d equations",
		           MAX_EQUATIONS);
		return false;
	}
	for (int k = 0; k < a->equation.n; k++) {
		const struct ast_equation *q = a->equation.at[k];
		struct equation *eq = NEW(struct equation);

		if (!equation_form(s, q))
			return false;
		eq->at = q->at;
		for (int t = 0; t < q->target.n; t++) {
			struct binding *b;
			struct expr *target = target_cell(s, q->target.at[t], &b);
			fine = target && fine;
			list_add(&eq->target, target);
			list_add(&root[k].at, b);
		}
		list_add(&node->equation, eq);
	}
	return fine;
}

static bool reads_unwritten(const struct binding *b, const struct ast_equation *q)
{
	if (!strcmp(q->assign,
	            "=") || b->var->mode != MODE_OUT || b->var->kind != VAR_PARAM || b->written)
		return false;
	diag_error(q->at, D_OUT_READ, "`%s%s` reads `%s`, which is `out` and is not written before",
	           q->assign, strchr(q->assign, '=') ? "" : "=", b->name);
	diag_cure("declare `inout %s`, or write it with `=` first", b->name);
	fix_word_before(b->var->at, "out", "inout");
	return true;
}

static bool result_fits(const struct ast *a, const struct expr *target, struct expr *fold, int t)
{
	const struct type *type = natural(fold_result(fold, t));

	if (target && type_fits(type, target->type))
		return true;
	if (!target)
		return false;
	diag_error(a->at, D_CONVERSION,
	           "`%s` is %s and cannot represent every %s of `%s`, which is %s", ast_text(a),
	           type_name(target->type), t ? "index" : "value", fold->fold->op->name,
	           type_name(type));
	diag_cure("declare it %s", type_name(type));
	return false;
}

/* Each result fits its target; it is converted where it is stored. */
static bool results_check(struct sema *s, const struct ast_equation *q, struct equation *eq)
{
	bool fine = (eq->right = fold_whole(s, q->right));

	for (int t = 0; t < eq->target.n && eq->right; t++)
		fine = result_fits(q->target.at[t], eq->target.at[t], eq->right, t) && fine;
	return fine;
}

/* Reads of targets that nothing has written are of cells that the order has reached: the pattern
 * checks it. */
static void presume_reached(struct sema *s, const struct node *node, struct roots *root)
{
	for (int k = 0; node->wave && k < node->equation.n; k++) {
		struct binding *b = root[k].at.at[0];
		if (!b || b->written || b->var->kind != VAR_PARAM || b->var->mode != MODE_OUT)
			continue;
		list_add(&s->fresh, b->var);
		b->written = true;
	}
}

/* A recurrence reads its own target: which cells of it, running_close sees. */
static struct expr *check_running(struct sema *s, const struct ast_equation *q,
                                  struct binding *root)
{
	bool written = !root || root->written || root->var->kind != VAR_PARAM
	               || root->var->mode != MODE_OUT;
	struct expr *e;

	if (written || strcmp(q->assign, "="))
		return expr_check(s, q->right);
	list_add(&s->fresh, root->var);
	root->written = true;
	e = expr_check(s, q->right);
	root->written = false;
	return e;
}

static bool right_check(struct sema *s, const struct ast_equation *q, struct equation *eq,
                        struct binding *root)
{
	struct expr *right, *target = eq->target.at[0];
	struct loc at;

	if (eq->target.n > 1)
		return results_check(s, q, eq);
	if (target && target->type->kind == T_ARRAY && !s->running && !strcmp(q->assign, "="))
		right = array_typed(s, q->right, target->type,
		                    str_print("`%s`", ast_text(q->target.at[0])));
	else
		right = s->running ? check_running(s, q, root) : expr_check(s, q->right);

	if (!target || !right)
		return false;
	if (reads_unwritten(root, q))
		return false;
	at = right->at;
	if (strcmp(q->assign, "=") && !(right = assign_op(s, q->assign, target, right, q->at)))
		return false;
	right->at = at;                      /* what is too wide is what was written */
	eq->right = expr_convert(right, target->type, str_print("`%s`", ast_text(q->target.at[0])));
	return eq->right;
}

static void mark_targets(const struct node *node, struct roots *root, bool target)
{
	for (int k = 0; k < node->equation.n; k++)
		for (int t = 0; t < root[k].at.n; t++)
			if (root[k].at.at[t])
				root[k].at.at[t]->target = target;
}

static bool equations_check(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	struct roots root[MAX_EQUATIONS] = { 0 };
	bool fine;

	s->running = node->running ? node : NULL;
	fine = targets_check(s, a, node, root);

	presume_reached(s, node, root);
	mark_targets(node, root, true);
	if (a->where)
		fine = (node->where = expr_bool(s, a->where, "`where`")) && fine;
	for (int k = 0; k < node->equation.n && k < a->equation.n; k++) {
		bool known = right_check(s, a->equation.at[k], node->equation.at[k],
		                         root[k].at.at[0]);
		if (known && node->pattern->combines)
			known = combine_close(s, node, a->equation.at[k], node->equation.at[k]);
		fine = known && fine;
		for (int t = 0; t < root[k].at.n; t++)
			if (root[k].at.at[t])
				root[k].at.at[t]->written = true;
	}
	mark_targets(node, root, false);
	s->running = NULL;
	s->signs = NULL;
	return fine;
}

static void presume_target(struct sema *s, const struct ast *a)
{
	const struct ast *root = target_root_ast(a);
	struct binding *b = root->name ? name_find(s, root->name) : NULL;

	if (b)
		b->written = true;
}

/* After an error the targets count as written all the same, so that one mistake is one message. */
static void presume_written(struct sema *s, const struct ast_stmt *a)
{
	for (int k = 0; k < a->equation.n; k++)
		for (int j = 0; j < a->equation.at[k]->target.n; j++)
			presume_target(s, a->equation.at[k]->target.at[j]);
	for (int k = 0; a->otherwise && k < a->otherwise->arg.n; k++)
		presume_target(s, a->otherwise->arg.at[k]);
	if (a->otherwise)
		presume_target(s, a->otherwise);
}

/* ---- does a statement read its own target at another cell? ---- */

struct own { const struct node *node; bool other; };

static bool same_cell(const struct expr *a, const struct expr *b)
{
	for (int k = 0; k < a->var->rank; k++)
		if (a->affine[k].n < 0 || !affine_equal(&a->affine[k], &b->affine[k]))
			return false;
	return true;
}

static bool visit_own(struct expr *e, void *what)
{
	struct own *own = what;

	if (e->kind != E_READ)
		return true;
	struct expr *target;
	for (int k = 0; (target = node_target(own->node, k)) && !own->other; k++) {
		target = target_read(target);
		own->other = target->var == e->var && !same_cell(e, target);
	}
	return !own->other;
}

static bool reads_own_elsewhere(struct node *node)
{
	struct own own = { node, false };

	for (int k = 0; k < node->equation.n; k++)
		equation_walk(node->equation.at[k], visit_own, &own);
	running_walk(node->running, visit_own, &own);
	if (node->where)
		expr_walk(node->where, visit_own, &own);
	return own.other;
}

/* ---- one statement ---- */

static bool manner_settled(const struct node *node)
{
	return clauses_agree(node, "approx", "strict",
	                     "`strict` rounds as written, identically on every target")
	       && clauses_agree(node, "trusted", "drop",
	                        "`drop` tests every data-dependent index, `trusted` none");
}

bool node_check(struct sema *s, struct node *node)
{
	checking = s;
	if (!manner_settled(node) || !folds_lawful(node) || !node->pattern->check(node))
		return false;
	if (node_clause(node, "approx"))
		manner_statement(s, node, APPROX);
	if (node_clause(node, "strict"))
		manner_statement(s, node, STRICT);
	if (!node->reshapes && !affine_check_bounds(node))
		return false;
	if (node_clause(node, "trusted")) {
		node->idle_trust = !s->call && !checks_needed(node);
		if (!s->options->check_accesses)     /* no kernel's access: the function's */
			manner_statement(s, node, TRUSTED);
		checks_left_out(node);
	}
	if (node->pattern->front && node->pattern->front->settle)
		return node->pattern->front->settle(s, node);
	return node->selection || !reads_own_elsewhere(node) || affine_check_in_place(node);
}

void equation_add(struct node *node, struct expr *target, struct expr *right)
{
	struct equation *eq = NEW(struct equation);

	eq->at = target->at;
	eq->right = right;
	list_add(&eq->target, target);
	list_add(&node->equation, eq);
}

struct node *node_new(const struct sema *s, const struct ast_stmt *a, enum node_kind kind)
{
	struct node *node = NEW(struct node);

	node->kind = kind;
	node->at = a->at;
	node->premise = s->premise;
	node->called = s->call || s->variant;
	node->variant = s->variant;
	node->label = call_label(s, a->label);
	node->bare = !a->word.n && !a->where && !a->range.n && !a->bind.n && !a->otherwise;
	return node;
}

static bool pattern_body(struct sema *s, const struct ast_stmt *a, struct node *node)
{
	static const struct front of_cells = { 0 };
	const struct front *front = node->pattern->front ? node->pattern->front : &of_cells;
	struct domain d = { 0 };

	if (front->statement)
		return front->statement(s, a, node) && node_check(s, node);
	if (!domain_collect(s, a, node->pattern, &d))
		return false;
	for (int k = 0; k < d.index.n; k++) {
		list_add(&node->index, d.index.at[k]);
		list_add(&node->lo, d.lo.at[k]);
		list_add(&node->hi, d.hi.at[k]);
	}
	s->bodies = NULL;
	if (front->open && !front->open(s, a, node))
		return false;
	if (!(front->equations ? front->equations : equations_check)(s, a, node)
	    || !domain_complete(node))
		return false;
	if (front->close && !front->close(s, node))
		return false;
	node->whole = domain_whole(node);
	return expansion_find(node) && node_check(s, node);
}

static char *pattern_names(void)
{
	char *list = "";

	for (int k = 0; patterns[k]; k++)
		list = str_print("%s%s%s", list, *list ? ", " : "", patterns[k]->name);
	return list;
}

/* float s = e; */
static bool cure_declared(const struct ast_stmt *a)
{
	const char *type = type_named(a->name) ? a->name : type_of_c(a->name);
	const bool one = a->equation.n == 1 && a->equation.at[0]->target.n == 1;
	const struct ast *target = one ? a->equation.at[0]->target.at[0] : NULL;

	if (!strcmp(a->name, "__shared__"))
		return diag_cure("patc decides what is kept in shared memory; declare a temporary "
		                 "array as `let t: f32[n];`"),
		       true;
	if (!type)
		return false;
	diag_cure("declare a scalar by `let s: %s = ...;`, or an array that a statement fills by "
	          "`let t: %s[n];`",
	          type, type);
	if (target && target->kind == A_NAME && target->at.line == a->at.line && !a->word.n
	    && !strcmp(a->equation.at[0]->assign, "=")) {
		struct loc at = a->at;
		at.end = target->at.end;
		diag_fix(at, str_print("let %s: %s", target->name, type));
	}
	return true;
}

static const struct pattern *known_pattern(const struct ast_stmt *a)
{
	const struct pattern *p = pattern_find(a->name);

	if (p)
		return p;
	diag_error(a->at, D_UNKNOWN_PATTERN, "no pattern `%s`", a->name);
	if (cure_declared(a))
		return NULL;
	struct like like = near_begin(a->name);
	for (int k = 0; patterns[k]; k++)
		near_add(&like, patterns[k]->name);
	if (like.name)
		sema_instead(like.name);
	sema_cure("patterns: %s", pattern_names());
	return NULL;
}

/* reduce v[i] = kth[j](x[i, j], k) */
static bool takes_kth(struct sema *s, const struct ast_stmt *a)
{
	const struct ast *right = a->equation.n ? a->equation.at[0]->right : NULL;

	return right && right->kind == A_FOLD && is_kth(s, right->name);
}

struct node *pattern_try(struct sema *s, const struct ast_stmt *a)
{
	struct node *node = node_new(s, a, NODE_PATTERN);
	int mark = scope_open(s);

	node->pattern = known_pattern(a);
	if (node->pattern == pattern_assign_fold && takes_kth(s, a))
		node->pattern = pattern_kth_value;
	if (!node->pattern || !own_forms(node->pattern, a)
	    || !clauses_split(node->pattern, a, node))
		return NULL;
	node->name = node_name(s, node);
	bool fine = pattern_body(s, a, node);
	scope_close(s, mark);
	assert((fine || diag_errors()) && "nothing fails in silence");
	return fine ? node : NULL;
}

static void add_node(struct made_nodes *made, struct node *node)
{
	if (node)
		list_add(made, node);
}

static void pattern_check(struct sema *s, const struct ast_stmt *a, struct made_nodes *made)
{
	struct before before = before_of(s, a);
	struct node *node;

	instead_clear();
	node = pattern_try(s, a);
	const struct front *front = node ? node->pattern->front : NULL;
	if (node && expansion_made(s, a, node, made)
	    && (!front || !front->made || front->made(s, a, node))) {
		add_node(made, node->cutoff ? node->cutoff->box : NULL);
		add_node(made, node->cutoff ? node->cutoff->places : NULL);
		list_add(made, node);
		return;
	}
	before_put_back(s, &before);
	instead_say(s, a, &before);
	presume_written(s, a);
}

static void branches_check(struct sema *s, const struct ast_stmt *a, struct made_nodes *made)
{
	struct node *node[IF_NODES] = { NULL };

	if_check(s, a, node);
	for (int k = 0; k < IF_NODES; k++)
		add_node(made, node[k]);
}

/* The nodes of a statement, in their order; none after an error, and of a `require`. */
static void stmt_check(struct sema *s, const struct ast_stmt *a, struct made_nodes *made)
{
	switch (a->kind) {
	case S_PATTERN:
		if (strcmp(a->name, "swap"))
			pattern_check(s, a, made);
		else
			add_node(made, swap_check(s, a));
		return;
	case S_LET: add_node(made, let_check(s, a)); return;
	case S_REQUIRE: require_check(s, a); return;
	case S_CALL: call_check(s, a, made); return;
	case S_IF: branches_check(s, a, made); return;
	case S_REPEAT_COUNT: add_node(made, repeat_count(s, a)); return;
	case S_REPEAT_UNTIL: add_node(made, repeat_until(s, a)); return;
	}
	assert(false && "every statement is checked");
}

void stmts_check(struct sema *s, struct ast_stmt *const *stmt, int n, struct node ***at,
                 int *count,
                 int *room)
{
	for (int k = 0; k < n && program_fits(stmt[k]->at); k++) {
		struct made_nodes made = { .before = *at, .earlier = *count };

		stmt_check(s, stmt[k], &made);
		for (int i = 0; i < made.n; i++) {
			*at = list_grow(*at, *count, room, sizeof **at);
			(*at)[(*count)++] = made.at[i];
		}
	}
}
