/* laws.c - what operators claim: every claim becomes laws over variables a, b, c, which
 * law_try.c holds against sampled values.
 *
 *   identity e              op(e, a) == a, and op(a, e) == a
 *   associative             op(op(a, b), c) == op(a, op(b, c))
 *   commutative             op(a, b) == op(b, a)
 *   distributes over plus   op(a, plus(b, c)) == plus(op(a, b), op(a, c)), and from the right
 *
 * Under a condition, `for v where COND`, a, b and c are values for which it holds; then COND(e) and
 * COND(op(a, b)) are laws too, and the first to be tried.  Of two operators the conditions of both
 * hold for a, b and c, and for what either makes of them.
 *
 * A claim after `assume` is taken as it stands (R17).  A refuted one is an error that shows the
 * counterexample.  One that cannot be tested in bounded time is an error too: a compiler that
 * goes on in silence would make `associative` and `assume associative` the same.
 *
 * Runs after the bodies are checked and known not to be recursive, and only if nothing was wrong
 * so far: a body with an error in it cannot be run. */
#include <math.h>
#include <string.h>

#include "law.h"
#include "sema_impl.h"

#define MAX_NEST 32     /* calls inside each other, each of a deep expression: we recurse */
#define PAIRS 256       /* of operators that recurrences ask for: no more are tried */

struct pair {                            /* does dist distribute over acc?  As sampled */
	const struct op *dist, *acc;
	const struct type *type;
	bool holds;
	char *example;                       /* that it does not, or NULL */
};

struct claim {
	const struct op *op;
	const struct callable *where;        /* the operator's declaration */
	const struct ast_phrase *phrase;
	struct trial *trial;
	struct expr *a, *b, *c;
	const char *broken, *words;          /* "not associative", "associative" */
};

static bool word_is(const struct ast_phrase *p, int k, const char *text)
{
	return k < p->word.n && p->word.at[k]->kind == A_NAME && !strcmp(p->word.at[k]->name, text);
}

static bool is_assumed(const struct ast_phrase *p)
{
	return word_is(p, 0, "assume");
}

static bool is_identity(const struct ast_phrase *p)
{
	const struct ast *a = p->word.at[0];

	return (a->kind == A_NAME || a->kind == A_CALL || a->kind == A_SUBSCRIPT)
	       && !strcmp(a->name, "identity");
}

/* ---- one law ---- */

/* Of its own condition, else of the law that is under another operator's. */
static struct loc condition_loc(const struct claim *c)
{
	const struct ast *own = c->where->decl->given.condition;

	return own ? own->at : c->phrase->word.at[0]->at;
}

static void report(const struct claim *c, const struct law *law)
{
	diag_error(c->phrase->word.at[0]->at, D_CLAIM_FALSE, "op %s: %s: %s", c->op->name,
	           c->broken, law_counterexample(c->trial, law));
	diag_cure("remove the law, or write `assume %s` to skip its test%s", c->words,
	          c->op->given ? ""
	                       : "; if it holds for all values that occur, restrict it to them: "
	                         "`for v where ...`");
	if (!fix_leave_out_item(c->phrase->word.at[0]->at))
		fix_leave_out_rest(c->phrase->word.at[0]->at,
		                   c->phrase->word.at[c->phrase->word.n - 1]->at);
}

/* Of each law that the operator claims. */
static void fix_assume(const struct ast_decl *d)
{
	for (int k = 0; k < d->claim.n; k++) {
		const struct ast *word = d->claim.at[k]->word.at[0];
		if (word->kind != A_NAME || strcmp(word->name, "assume"))
			fix_insert(word->at, "assume ");
	}
}

/* words are NULL: of a condition */
static void report_open(const struct claim *c, const char *why)
{
	if (!c->words) {
		diag_error(condition_loc(c), D_LAW_UNTESTED,
		           "op %s: the condition of its laws cannot be tested: %s", c->op->name,
		           why);
		diag_cure("write `assume` before each law to skip its test");
		return;
	}
	diag_error(c->phrase->word.at[0]->at, D_LAW_UNTESTED, "op %s: `%s` cannot be tested: %s",
	           c->op->name, c->words, why);
	diag_cure("write `assume %s` to skip its test", c->words);
	fix_insert(c->phrase->word.at[0]->at, "assume ");
}

static void report_few(const struct claim *c)
{
	diag_error(condition_loc(c), D_LAW_SAMPLES,
	           "op %s: its laws cannot be tested: %s values that were tried satisfy the "
	           "condition, but %d are needed",
	           c->op->name, law_found(c->trial), LAW_ENOUGH);
	diag_cure("write `assume` before each law to skip its test");
	fix_assume(c->where->decl);
}

static void report_failed(const struct claim *c, enum verdict verdict)
{
	if (verdict == LAW_FEW)
		report_few(c);
	else if (verdict == LAW_SLOW)
		report_open(c, "the test takes too long");
	else if (verdict == LAW_OPEN)
		report_open(c, "rounding or overflow affects every sample");
}

/* The conditions that its variables satisfy, each once. */
static void under(struct law *law, const struct op *op)
{
	if (op->given && law->given[0] != op->given)
		law->given[law->given[0] != NULL] = op->given;
}

static enum verdict verdict_of(const struct claim *c, struct law *law, struct expr *left,
                               struct expr *right)
{
	law->var[0] = c->a->var;
	law->var[1] = c->b->var;
	law->var[2] = c->c->var;
	law->left = left;
	law->right = right;
	law->identity = c->op->identity;
	law->op = c->op;
	under(law, c->op);
	return law_try(c->trial, law);
}

static bool holds(const struct claim *c, struct law *law, struct expr *left, struct expr *right)
{
	enum verdict verdict = verdict_of(c, law, left, right);

	if (verdict == LAW_FALSE)
		report(c, law);
	report_failed(c, verdict);
	return verdict == LAW_HOLDS;
}

/* ---- conditions ---- */

static struct expr *condition_at(const struct op *op, struct expr *value)
{
	struct expr *e = expr_new(E_CALL, op->given->type, value->at);

	e->fn = op->given;
	list_add(&e->arg, value);
	return e;
}

static void report_lost(const struct claim *c, const struct op *whose, const struct law *law)
{
	const char *of = whose == c->op ? "" : str_print(" of `%s`", whose->name);

	diag_error(condition_loc(c), D_CONDITION_LOST,
	           law->vars ? "op %s: a result does not satisfy the condition%s: %s"
	                     : "op %s: the identity does not satisfy the condition%s: %s",
	           c->op->name, of, law_counterexample(c->trial, law));
	diag_cure(law->vars ? "extend the condition to what holds for all values that occur, or "
	                      "remove it and write `assume` before each law"
	                    : "give another identity, or weaken the condition");
}

/* Does the condition of `whose` hold for a value that is made of values for which the law's do? */
static bool kept(const struct claim *c, const struct op *whose, struct law law, struct expr *made)
{
	enum verdict verdict;

	law.kept = true;
	verdict = verdict_of(c, &law, made, condition_at(whose, made));
	if (verdict == LAW_FALSE)
		report_lost(c, whose, &law);
	report_failed(c, verdict);
	return verdict == LAW_HOLDS;
}

static bool condition_kept(struct claim *c)
{
	const struct op *op = c->op;

	if (!op->given)
		return true;
	c->words = NULL;
	return (!op->identity || kept(c, op, (struct law){ .vars = 0 }, op->identity))
	       && kept(c, op, (struct law){ .vars = 2 }, op_apply(op, c->a, c->b));
}

/* What two operators make of the values that both take satisfies both conditions. */
static bool conditions_agree(const struct claim *c, const struct op *plus, struct law law)
{
	law.vars = 2;
	return (!plus->given || kept(c, plus, law, op_apply(c->op, c->a, c->b)))
	       && (!c->op->given || kept(c, c->op, law, op_apply(plus, c->a, c->b)));
}

/* ---- claims ---- */

static void test_identity(struct claim *c)
{
	struct law left = { .vars = 1 }, right = { .vars = 1 };
	struct expr *e = c->op->identity;

	c->words = str_print("identity %s", law_text(c->trial, e));
	c->broken = str_print("`%s` does not hold", c->words);
	if (holds(c, &left, op_apply(c->op, e, c->a), c->a))
		holds(c, &right, op_apply(c->op, c->a, e), c->a);
}

static void test_associative(struct claim *c)
{
	struct law law = { .vars = 3 };
	const struct op *op = c->op;

	c->broken = "not associative";
	c->words = "associative";
	holds(c, &law, op_apply(op, op_apply(op, c->a, c->b), c->c),
	      op_apply(op, c->a, op_apply(op, c->b, c->c)));
}

static void test_commutative(struct claim *c)
{
	struct law law = { .vars = 2 };

	c->broken = "not commutative";
	c->words = "commutative";
	holds(c, &law, op_apply(c->op, c->a, c->b), op_apply(c->op, c->b, c->a));
}

/* Does the operator fold values of this type? */
static bool folds(const struct op *op, const struct type *type)
{
	char class = type_class(type);

	switch (op->kind) {
	case OPK_SUM: case OPK_PROD: case OPK_MIN: case OPK_MAX:
		return class == 'I' || class == 'U' || class == 'F';
	case OPK_ALL: case OPK_ANY:
		return class == 'B';
	case OPK_COUNT:
		return type->kind == T_I64;
	case OPK_BITAND: case OPK_BITOR: case OPK_BITXOR:
		return class == 'I' || class == 'U' || class == 'B';
	case OPK_ARGMIN: case OPK_ARGMAX:
		return false;
	case OPK_USER:
		return op->fn->type == type;
	}
	return false;
}

/* An infinity belongs to a semiring only as the identity of one of its two operators: the rest
 * would refute even `*` over `+`, by inf * (2 + -1). */
static void allow_infinity(struct law *law, const struct op *op, const struct type *type)
{
	const struct expr *e = op_identity(op, type);

	if (e && e->kind == E_CONST && type_class(type) == 'F' && isinf(e->value.f))
		law->inf[e->value.f < 0] = true;
}

static void test_distributes(struct sema *s, struct claim *c, const struct ast *name)
{
	const struct op *op = c->op, *plus = fold_find(s, name->name);
	struct law left = { .vars = 3, .ring = true }, right;
	struct expr *sum;

	if (!folds(plus, op->fn->type)) {
		diag_error(name->at, D_CLAIM, "`%s` does not take %s, the type of the operator "
		                              "`%s`",
		           name->name, type_name(op->fn->type), op->name);
		return;
	}
	allow_infinity(&left, op, op->fn->type);
	allow_infinity(&left, plus, op->fn->type);
	under(&left, op);
	under(&left, plus);
	right = left;
	c->broken = str_print("does not distribute over %s", name->name);
	c->words = str_print("distributes over %s", name->name);
	sum = op_apply(plus, c->b, c->c);
	if (conditions_agree(c, plus, left)
	    && holds(c, &left, op_apply(op, c->a, sum),
	             op_apply(plus, op_apply(op, c->a, c->b), op_apply(op, c->a, c->c))))
		holds(c, &right, op_apply(op, sum, c->a),
		      op_apply(plus, op_apply(op, c->b, c->a), op_apply(op, c->c, c->a)));
}

static void test_claim(struct sema *s, struct claim *c)
{
	const struct ast_phrase *p = c->phrase;

	if (is_identity(p))
		test_identity(c);
	else if (word_is(p, 0, "associative"))
		test_associative(c);
	else if (word_is(p, 0, "commutative"))
		test_commutative(c);
	else
		test_distributes(s, c, p->word.at[2]);
}

/* ---- what distributes over what: recurrences ask ---- */

static bool has_class(const struct type *type, const char *classes)
{
	return strchr(classes, type_class(type));
}

/* Of built-in operators, by their kinds.  Integers of max and + do as long as nothing overflows. */
static const struct { enum op_kind dist, acc; const char *classes; } distributive[] = {
	{ OPK_PROD, OPK_SUM, "IUF" }, { OPK_SUM, OPK_MAX, "IUF" }, { OPK_SUM, OPK_MIN, "IUF" },
	{ OPK_MIN, OPK_MAX, "IUF" }, { OPK_MAX, OPK_MIN, "IUF" }, { OPK_ALL, OPK_ANY, "B" },
	{ OPK_ANY, OPK_ALL, "B" }, { OPK_BITAND, OPK_BITOR, "IUB" },
	{ OPK_BITOR, OPK_BITAND, "IUB" },
	{ OPK_BITAND, OPK_BITXOR, "IUB" }, { OPK_ALL, OPK_BITXOR, "B" },
};

static bool can_try(struct sema *s, const struct op *op, const struct type *type)
{
	const struct callable *c = op->kind == OPK_USER ? callable_find(s, op->fn->name) : NULL;

	return folds(op, type)
	       && (op->kind != OPK_USER
	           || (s->runnable && c && c->nest <= MAX_NEST && !c->outside));
}

static void pair_try(struct sema *s, struct pair *p)
{
	struct law law = { .vars = 3, .ring = true };
	enum verdict verdict;
	struct expr *v[3];

	if (!can_try(s, p->dist, p->type) || !can_try(s, p->acc, p->type))
		return;
	allow_infinity(&law, p->dist, p->type);
	allow_infinity(&law, p->acc, p->type);
	for (int k = 0; k < 3; k++) {
		v[k] = expr_var(var_new(s, VAR_LOCAL, "v", p->type, (struct loc){ 0 }),
		                (struct loc){ 0 });
		law.var[k] = v[k]->var;
	}
	under(&law, p->dist);
	under(&law, p->acc);
	law.op = p->acc;
	law.left = op_apply(p->dist, op_apply(p->acc, v[0], v[1]), v[2]);
	law.right = op_apply(p->acc, op_apply(p->dist, v[0], v[2]), op_apply(p->dist, v[1], v[2]));
	s->trial = s->trial ? s->trial : trial_new(PAIRS);
	verdict = law_try(s->trial, &law);
	p->holds = verdict == LAW_HOLDS;
	if (verdict == LAW_FALSE)
		p->example = law_counterexample(s->trial, &law);
}

/* Each pair is tried once in a program. */
static const struct pair *pair_tried(struct sema *s, const struct op *dist, const struct op *acc,
                                     const struct type *type)
{
	struct pair *p = NEW(struct pair);

	for (int k = 0; k < s->pairs.n; k++)
		if (s->pairs.at[k]->dist == dist && s->pairs.at[k]->acc == acc
		    && s->pairs.at[k]->type == type)
			return s->pairs.at[k];
	*p = (struct pair){ .dist = dist, .acc = acc, .type = type };
	if (s->pairs.n < PAIRS)
		pair_try(s, p);
	list_add(&s->pairs, p);
	return p;
}

char *law_refuted(struct sema *s, const struct op *dist, const struct op *acc,
                  const struct type *type)
{
	return pair_tried(s, dist, acc, type)->example;
}

static bool is_claimed(struct sema *s, const struct op *dist, const struct op *acc)
{
	for (int k = 0; k < dist->over.n; k++)
		if (fold_find(s, dist->over.at[k]) == acc || !strcmp(dist->over.at[k], acc->name))
			return true;
	return false;
}

/* A built-in operator has no place to claim that it distributes over the program's: that is tried
 * here. */
bool law_distributes(struct sema *s, const struct op *dist, const struct op *acc,
                     const struct type *type)
{
	for (size_t k = 0; k < sizeof distributive / sizeof *distributive; k++)
		if (distributive[k].dist == dist->kind && distributive[k].acc == acc->kind)
			return has_class(type, distributive[k].classes);
	if (is_claimed(s, dist, acc))
		return true;
	if (dist->kind == OPK_USER || acc->kind != OPK_USER)
		return false;
	return pair_tried(s, dist, acc, type)->holds;
}

char *law_source(struct sema *s, const struct op *dist, const struct op *acc,
                 const struct type *type)
{
	const char *who = "";

	if (is_claimed(s, dist, acc))
		who = str_print(", as `op %s` claims", dist->name);
	else if (acc->kind == OPK_USER)
		who = str_print(", tried on samples of %s", type_name(type));
	return str_print("`%s` distributes over `%s`%s", op_symbol(dist), op_symbol(acc), who);
}

char *law_fitting(const struct op *acc, const struct type *type)
{
	static const struct { enum op_kind kind; const char *text; } text[] = {
		{ OPK_PROD, "*" }, { OPK_SUM, "+" }, { OPK_MIN, "min" }, { OPK_MAX, "max" },
		{ OPK_ALL, "&&" },
		{ OPK_ANY, "||" }, { OPK_BITAND, "&" }, { OPK_BITOR, "|" },
	};
	char *list = "";

	for (size_t k = 0; k < sizeof distributive / sizeof *distributive; k++)
		for (size_t j = 0; j < sizeof text / sizeof *text; j++)
			if (distributive[k].acc == acc->kind && distributive[k].dist == text[j].kind
			    && has_class(type, distributive[k].classes))
				list = str_print("%s%s`%s`", list, *list ? " and " : "",
				                 text[j].text);
	return list;
}

/* ---- all of them ---- */

static struct expr *variable(struct sema *s, const char *name, const struct op *op)
{
	return expr_var(var_new(s, VAR_LOCAL, name, op->fn->type, op->fn->at), op->fn->at);
}

static void test_op(struct sema *s, struct trial *t, const struct callable *f)
{
	struct claim c = { .op = f->op, .where = f, .trial = t };

	c.a = variable(s, "a", f->op);
	c.b = variable(s, "b", f->op);
	c.c = variable(s, "c", f->op);
	c.phrase = f->decl->claim.at[0];
	if (!condition_kept(&c))
		return;
	for (int k = 0; k < f->decl->claim.n; k++) {
		c.phrase = f->decl->claim.at[k];
		if (!is_assumed(c.phrase))
			test_claim(s, &c);
	}
}

static int claims_of(const struct callable *c)
{
	int n = 0;

	for (int k = 0; c->op && k < c->decl->claim.n; k++)
		n += !is_assumed(c->decl->claim.at[k]);
	return n;
}

static void nest_below(struct callable *c, const struct callable *callee)
{
	if (c->nest <= callee->nest)
		c->nest = callee->nest + 1;
	c->outside = c->outside ? c->outside : callee->outside;
}

/* Its laws call what its condition calls. */
static void nest_condition(struct callable *c)
{
	for (int k = 0; k < c->given->callee.n; k++)
		nest_below(c, c->given->callee.at[k]);
}

/* How deep calls go below each function, and whether out of the program; callees come first in
 * program->fn. */
static void nest_all(struct sema *s)
{
	for (int k = 0; k < s->program->fn.n; k++) {
		struct callable *c = callable_find(s, s->program->fn.at[k]->name);
		c->outside = c->fn->from ? c->name : NULL;
		for (int j = 0; j < c->callee.n; j++)
			nest_below(c, c->callee.at[j]);
	}
	for (int k = 0; k < s->callables.n; k++)
		if (s->callables.at[k]->given)
			nest_condition(s->callables.at[k]);
}

static bool untestable(const struct callable *c)
{
	if (c->nest <= MAX_NEST && !c->outside)
		return false;
	if (c->outside)
		diag_error(c->decl->at, D_LAW_UNTESTED,
		           "op %s: its laws cannot be tested, since it calls the extern fn `%s`",
		           c->name, c->outside);
	else
		diag_error(c->decl->at, D_LAW_UNTESTED,
		           "op %s: its laws cannot be tested, since its calls are nested more than "
		           "%d deep",
		           c->name, MAX_NEST);
	diag_cure("write `assume` before each law to skip its test");
	return true;
}

void laws_check(struct sema *s)
{
	struct trial *t;
	int laws = 0;

	for (int k = 0; k < s->callables.n; k++)
		laws += claims_of(s->callables.at[k]);
	s->runnable = diag_errors() == s->errors;
	if (!s->runnable)
		return;
	nest_all(s);
	if (!laws)
		return;
	t = trial_new(laws);
	for (int k = 0; k < s->callables.n; k++)
		if (claims_of(s->callables.at[k]) && !untestable(s->callables.at[k]))
			test_op(s, t, s->callables.at[k]);
}
