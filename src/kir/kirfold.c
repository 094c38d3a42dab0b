/* kirfold.c - simplifies a kernel before it is printed.
 *
 * Lowerings build the general case; what the constants of one program make trivial goes away here,
 * so that no lowering needs a special case and a reader sees only what happens.  Integers:
 * constants (in checked int64), x + 0, x * 1, x * 0, x / 1, a wrapping or trapping-free helper
 * whose operands need no help, a comparison with itself or one that the types decide (kirrange.c).
 * Any type: c ? a : b and if (c) with a constant c, loops that run never or once, what follows a
 * return, empty bodies, constants nobody reads, what is said twice (kirtrim.c).  Float values never
 * change: not even x + 0, which is not -0.
 *
 * Dropping an operand is sound as expressions have no effects, but for helpers: kx_has_effect. */
#include "kir.h"

#include <assert.h>
#include <string.h>

/* ---- integers ---- */

static bool is_integer(const struct kx *x)
{
	char class = type_class(x->type.type);
	return (class == 'I' || class == 'U') && !x->type.pointer && x->type.lanes == 1;
}

static bool fits(const struct type *t, int64_t i)
{
	int bits = (int)type_size(t) * 8;
	if (type_class(t) == 'U')
		return bits == 64 ? i >= 0 : i >= 0 && i < INT64_C(1) << bits;
	return bits == 64 || (i >= -(INT64_C(1) << (bits - 1)) && i < INT64_C(1) << (bits - 1));
}

/* False where C's int64 has no answer: then the expression stays. */
static bool fold_int(enum operation op, int64_t a, int64_t b, int64_t *r)
{
	switch (op) {
	case OP_ADD: return !__builtin_add_overflow(a, b, r);
	case OP_SUB: return !__builtin_sub_overflow(a, b, r);
	case OP_MUL: return !__builtin_mul_overflow(a, b, r);
	case OP_DIV: return b > 0 ? *r = a / b, true : false;
	case OP_REM: return b > 0 ? *r = a % b, true : false;
	case OP_AND: return *r = a & b, true;
	case OP_OR: return *r = a | b, true;
	case OP_XOR: return *r = a ^ b, true;
	case OP_LT: return *r = a < b, true;
	case OP_GT: return *r = a > b, true;
	case OP_LE: return *r = a <= b, true;
	case OP_GE: return *r = a >= b, true;
	case OP_EQ: return *r = a == b, true;
	case OP_NE: return *r = a != b, true;
	case OP_LAND: return *r = a && b, true;
	case OP_LOR: return *r = a || b, true;
	case OP_SHL:
		return a >= 0 && b >= 0 && b < 63 && a <= INT64_MAX >> b        ? *r = a << b,
		                                                           true : false;
	case OP_SHR: return a >= 0 && b >= 0 && b < 63 ? *r = a >> b, true : false;
	case OP_NEG: case OP_NOT: case OP_BITNOT: return false;
	}
	return false;
}

/* A u64 above INT64_MAX is a negative i: its order and quotients are not those of int64. */
static bool is_known(const struct kx *x)
{
	return x->kind == KX_INT && (x->type.type->kind != T_U64 || x->i >= 0);
}

static struct kx *constants(struct kx *x)
{
	struct kx *a = x->arg[0], *b = x->arg[1];
	int64_t r;
	if (!is_known(a) || !is_known(b) || !fold_int(x->op, a->i, b->i, &r))
		return x;
	bool is_bool = x->type.type->kind == T_BOOL;
	return is_bool || fits(x->type.type, r) ? x_int(x->type.type->kind, r) : x;
}

static struct kx *neutral(struct kx *x)
{
	struct kx *a = x->arg[0], *b = x->arg[1];
	bool a0 = x_is_int(a, 0), b0 = x_is_int(b, 0), a1 = x_is_int(a, 1), b1 = x_is_int(b, 1);
	switch (x->op) {
	case OP_ADD: case OP_OR: case OP_XOR: return a0 ? b : b0 ? a : x;
	case OP_SUB: case OP_SHL: case OP_SHR: return b0 ? a : x;
	case OP_MUL:
		if (a0 || b0)
			return kx_has_effect(a) || kx_has_effect(b) ? x : a0 ? a : b;
		return a1 ? b : b1 ? a : x;
	/* by zero: the place of a cell in an axis that has none, in a loop that makes no pass */
	case OP_DIV: return b1 ? a : b0 && !kx_has_effect(a) ? b : x;
	case OP_REM: return (b0 || b1) && !kx_has_effect(a) ? x_int(x->type.type->kind, 0) : x;
	default: return x;
	}
}

/* (x + 2) + 3 is x + 5; (x + 2) - 2 is x: what shifted subscripts leave. */
static struct kx *regroup(struct kx *x)
{
	struct kx *a = x->arg[0], *b = x->arg[1];
	bool outer = (x->op == OP_ADD || x->op == OP_SUB) && b->kind == KX_INT;
	bool inner = a->kind == KX_OP && a->n == 2 && (a->op == OP_ADD || a->op == OP_SUB) &&
	             a->arg[1]->kind == KX_INT;
	int64_t p, q, r;
	if (!outer || type_class(x->type.type) != 'I')
		return x;
	if (inner) {
		if (__builtin_sub_overflow(0, b->i, &q)
		    || __builtin_sub_overflow(0, a->arg[1]->i, &p))
			return x;
		p = a->op == OP_ADD ? a->arg[1]->i : p;
		q = x->op == OP_ADD ? b->i : q;
		if (__builtin_add_overflow(p, q, &r) || !fits(x->type.type, r))
			return x;
		if (r == 0)
			return a->arg[0];
		x = x_op(OP_ADD, a->arg[0], x_int(x->type.type->kind, r));
		b = x->arg[1];
	}
	if (b->i < 0 && b->i != INT64_MIN && fits(x->type.type, -b->i))
		return x_op(x->op == OP_ADD ? OP_SUB : OP_ADD, x->arg[0],
		            x_int(x->type.type->kind, -b->i));
	return x;
}

/* ---- bool ---- */

static void find_opaque(struct kx *x, void *found)
{
	*(bool *)found |= kx_opaque(x);
}

/* Is y one of the operands of x, a chain of && or of ||? */
static bool holds_already(const struct kx *x, enum operation op, const struct kx *y)
{
	bool chain = x->kind == KX_OP && x->op == op;
	return kx_same(x, y)
	       || (chain && (holds_already(x->arg[0], op, y) || holds_already(x->arg[1], op, y)));
}

/* a && b && a is a && b. */
static struct kx *once(enum operation op, struct kx *a, struct kx *b)
{
	bool opaque = false;
	if (b->kind == KX_OP && b->op == op)
		return once(op, once(op, a, b->arg[0]), b->arg[1]);
	kx_walk(b, find_opaque, &opaque);
	return !opaque && holds_already(a, op, b) ? a : x_op(op, a, b);
}

static int chain_length(const struct kx *x, enum operation op)
{
	bool chain = x->kind == KX_OP && x->op == op;
	return chain ? chain_length(x->arg[0], op) + chain_length(x->arg[1], op) : 1;
}

static struct kx *logic(struct kx *x)
{
	struct kx *a = x->arg[0], *b = x->arg[1];
	if (x->op == OP_LAND && a->kind == KX_INT)
		return a->i ? b : a;
	if (x->op == OP_LOR && a->kind == KX_INT)
		return a->i ? a : b;
	if (x->op == OP_LAND && x_is_int(b, 1))
		return a;
	if (x->op == OP_LOR && x_is_int(b, 0))
		return a;
	if (b->kind == KX_INT)
		return kx_has_effect(a) ? x : b;
	struct kx *y = once(x->op, a, b);
	return chain_length(y, x->op) < chain_length(x, x->op) ? y : x;
}

static struct kx *unary(struct kx *x)
{
	struct kx *a = x->arg[0];
	if (x->op == OP_NOT && a->kind == KX_INT)
		return x_int(T_BOOL, !a->i);
	if (x->op == OP_NOT && a->kind == KX_OP && a->n == 1 && a->op == OP_NOT)
		return a->arg[0];
	bool small = is_integer(x) && type_class(x->type.type) == 'I' && a->kind == KX_INT;
	if (x->op == OP_NEG && small && a->i != INT64_MIN && fits(x->type.type, -a->i))
		return x_int(x->type.type->kind, -a->i);
	return x;
}

/* x == x, x < x; of floats NaN says what holds. */
static bool with_itself(const struct kx *x, bool *holds)
{
	bool opaque = false;
	if (type_class(x->arg[0]->type.type) == 'F' || !kx_same(x->arg[0], x->arg[1]))
		return false;
	kx_walk(x->arg[0], find_opaque, &opaque);
	*holds = x->op == OP_EQ || x->op == OP_LE || x->op == OP_GE;
	return !opaque;
}

/* What holds whatever the operands are: compilers would warn. */
static struct kx *comparison(struct kx *x)
{
	bool holds;
	bool known = with_itself(x, &holds) || kx_decided(x, &holds);
	return known && !kx_has_effect(x) ? x_int(T_BOOL, holds) : x;
}

/* a + (0 - b) is a - b. */
static struct kx *difference(struct kx *x)
{
	if (x->kind != KX_OP || x->op != OP_ADD)
		return x;
	const struct kx *b = x->arg[1];
	bool negates = b->kind == KX_OP && b->op == OP_SUB && x_is_int(b->arg[0], 0);
	return negates ? x_op(OP_SUB, x->arg[0], b->arg[1]) : x;
}

static struct kx *operation(struct kx *x)
{
	if (x->n == 1)
		return unary(x);
	if (x->arg[0]->kind == KX_INT)
		x = constants(x);
	if (x->kind != KX_OP || x->n != 2 || x->arg[0]->type.pointer)
		return x;
	if (x->op == OP_LAND || x->op == OP_LOR)
		return logic(x);
	if (x->op >= OP_LT && x->op <= OP_NE)
		return comparison(x);
	if (!is_integer(x))
		return x;
	struct kx *y = neutral(x);
	return y == x ? difference(regroup(x)) : y;
}

/* ---- helpers ---- */

/* The text after "patc_", if the name is that of an operator's helper. */
static bool helper_is(const char *name, const char *op)
{
	size_t n = strlen(op);
	return strncmp(name, "patc_", 5) == 0 && strncmp(name + 5, op, n) == 0
	       && name[5 + n] == '_';
}

/* Division by a constant but 0 and -1 never traps; the wrapping sums of constants and with 0 do not
 * wrap; a shift by a constant inside the width needs no modulo. */
static struct kx *divide(struct kx *x, enum operation op)
{
	struct kx *b = x->arg[1];
	bool plain = b->kind == KX_INT && b->i != 0
	             && (b->i != -1 || type_class(b->type.type) == 'U');
	return plain ? operation(x_op(op, x->arg[0], b)) : x;
}

static struct kx *wrap(struct kx *x, enum operation op)
{
	struct kx *a = x->arg[0], *b = x->arg[1];
	struct kx *y = x_op(op, a, b);
	struct kx *folded = neutral(y);
	if (folded == y)
		folded = constants(y);
	return folded == y ? x : folded;
}

static struct kx *extreme(struct kx *x, bool max)
{
	struct kx *a = x->arg[0], *b = x->arg[1];
	if (!is_known(a) || !is_known(b))
		return x;
	return (a->i < b->i) == max ? b : a;
}

static struct kx *helper(struct kx *x)
{
	if (x->n != 2 || x->arg[0]->type.type != x->arg[1]->type.type || !is_integer(x))
		return x;
	if (helper_is(x->name, "div"))
		return divide(x, OP_DIV);
	if (helper_is(x->name, "rem"))
		return divide(x, OP_REM);
	if (helper_is(x->name, "add"))
		return wrap(x, OP_ADD);
	if (helper_is(x->name, "sub"))
		return wrap(x, OP_SUB);
	if (helper_is(x->name, "mul"))
		return wrap(x, OP_MUL);
	if (helper_is(x->name, "min") || helper_is(x->name, "max"))
		return extreme(x, helper_is(x->name, "max"));
	return x;
}

/* ---- expressions ---- */

static struct kx *cast(struct kx *x)
{
	struct kx *a = x->arg[0];
	if (!x->type.pointer && x->type.type == a->type.type && x->type.lanes == a->type.lanes)
		return a;
	bool widened = a->kind == KX_CAST && is_integer(x) && is_integer(a)
	               && is_integer(a->arg[0]);
	if (widened && type_fits(a->arg[0]->type.type, a->type.type))
		return x_cast(x->type, a->arg[0]);
	bool number = is_integer(x) && a->kind == KX_INT;
	return number && is_known(a) && fits(x->type.type, a->i) ? x_int(x->type.type->kind, a->i)
	                                                         : x;
}

static struct kx *fold(struct kx *x)
{
	if (x == NULL)
		return NULL;
	for (int i = 0; i < x->n; i++)
		x->arg[i] = fold(x->arg[i]);
	switch (x->kind) {
	case KX_OP: return operation(x);
	case KX_COND: return x->arg[0]->kind == KX_INT ? x->arg[x->arg[0]->i ? 1 : 2] : x;
	case KX_CAST: return cast(x);
	case KX_OFFSET: return x_is_int(x->arg[1], 0) ? x->arg[0] : x;
	case KX_HELP: return helper(x);
	case KX_INT: case KX_FLOAT: case KX_VAR: case KX_AT: case KX_FIELD: case KX_ELEM:
	case KX_LANE: case KX_VLOAD: case KX_MAKE: case KX_CALL: case KX_MATH: case KX_ID:
		return x;
	}
	return x;
}

struct kx *kx_fold(struct kx *x)
{
	return fold(x);
}

/* ---- statements ---- */

static void fold_list(struct ks_list *);

static bool runs_never(const struct ks *s)
{
	return is_known(s->a) && is_known(s->b) && s->a->i >= s->b->i;
}

/* The conditions that are left are evaluated for nothing if they have no effect. */
static bool is_void(const struct ks *s)
{
	switch (s->kind) {
	case KS_IF: return !s->body.n && !s->otherwise.n && !kx_has_effect(s->a);
	case KS_FOR: return (!s->body.n && !kx_has_effect(s->b)) || runs_never(s);
	case KS_SCOPE: return !s->body.n;
	case KS_WHILE: return x_is_int(s->a, 0);
	case KS_SET: return s->a->kind == KX_VAR && kx_same(s->a, s->b);
	case KS_DECL: case KS_DO: case KS_VSTORE: case KS_BARRIER: case KS_RETURN:
	case KS_BREAK: case KS_CONTINUE: case KS_NOTE: case KS_LAUNCH: case KS_CLEAR:
		return false;
	}
	return false;
}

static void fold_statement(struct ks *s)
{
	if (s->a)
		s->a = fold(s->a);
	s->b = fold(s->b);
	s->c = fold(s->c);
	for (int i = 0; i < 3; i++)
		s->grid[i] = fold(s->grid[i]);
	for (int i = 0; i < s->n; i++)
		s->arg[i] = fold(s->arg[i]);
	fold_list(&s->body);
	fold_list(&s->otherwise);
}

/* if (c) with nothing but an else is if (!c). */
static void turn(struct ks *s)
{
	if (s->kind != KS_IF || s->body.n || !s->otherwise.n)
		return;
	s->a = unary(x_unary(OP_NOT, s->a));
	s->body = s->otherwise;
	s->otherwise = (struct ks_list){0};
}

static bool declares(const struct ks_list *list)
{
	for (int i = 0; i < list->n; i++)
		if (list->at[i]->kind == KS_DECL)
			return true;
	return false;
}

/* if (true) leaves its body; the scope is only kept for what it declares. */
static void splice(struct ks_list *to, struct ks *s)
{
	struct ks_list *taken = s->kind == KS_SCOPE || x_is_int(s->a, 1) ? &s->body : &s->otherwise;
	if (declares(taken)) {
		struct ks *scope = NEW(struct ks);
		scope->kind = KS_SCOPE;
		scope->at = s->at;
		scope->body = *taken;
		list_add(to, scope);
		return;
	}
	for (int i = 0; i < taken->n; i++)
		list_add(to, taken->at[i]);
}

/* Does a break, or a continue, end a pass of the loop that has this body? */
static bool ends_pass(const struct ks_list *list, bool continues)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		bool loop = s->kind == KS_FOR || s->kind == KS_WHILE;
		if (s->kind == KS_BREAK || (continues && s->kind == KS_CONTINUE))
			return true;
		if (!loop
		    && (ends_pass(&s->body, continues) || ends_pass(&s->otherwise, continues)))
			return true;
	}
	return false;
}

bool ks_never_passed(const struct ks_list *list)
{
	const struct ks *s = list->n ? list->at[list->n - 1] : NULL;
	if (!s)
		return false;
	if (s->kind == KS_IF)
		return ks_never_passed(&s->body) && ks_never_passed(&s->otherwise);
	if (s->kind == KS_SCOPE)
		return ks_never_passed(&s->body);
	if (s->kind == KS_WHILE)
		return x_is_int(s->a, 1) && !ends_pass(&s->body, false);
	return s->kind == KS_RETURN || s->kind == KS_BREAK || s->kind == KS_CONTINUE;
}

/* One pass: its variable is a constant. */
static bool runs_once(const struct ks *s)
{
	int64_t next;
	return s->kind == KS_FOR && is_known(s->a) && is_known(s->b) && is_known(s->c)
	       && s->a->i < s->b->i && !__builtin_add_overflow(s->a->i, s->c->i, &next)
	       && next >= s->b->i && !ends_pass(&s->body, true);
}

static void put_constant(struct kx *x, void *loop)
{
	const struct ks *s = loop;
	if (x->kind != KX_VAR || x->var != s->var)
		return;
	x->kind = KX_INT;
	x->i = s->a->i;
	x->var = NULL;
}

static void unroll_once(struct ks *s)
{
	ks_walk(&s->body, put_constant, s);
	s->kind = KS_SCOPE;
	s->var = NULL;
	s->a = s->b = s->c = NULL;
	s->flags = 0;
}

static void fold_list(struct ks_list *list)
{
	struct ks_list kept = {0};
	for (int i = 0; i < list->n && !ks_never_passed(&kept); i++) {
		struct ks *s = list->at[i];
		fold_statement(s);
		if (runs_once(s)) {
			unroll_once(s);
			fold_list(&s->body);
		}
		if (s->kind == KS_SCOPE && !declares(&s->body))
			splice(&kept, s);
		else if (s->kind == KS_IF && s->a->kind == KX_INT)
			splice(&kept, s);
		else if (!is_void(s)) {
			turn(s);
			list_add(&kept, s);
		}
	}
	*list = kept;
}

/* ---- what nobody reads ---- */

struct reads { struct map count; int by; };       /* of each variable; by: what a visit adds */

static void count_read(struct kx *x, void *state)
{
	struct reads *reads = state;
	if (x->kind != KX_VAR)
		return;
	void **count = map_at(&reads->count, x->var);
	if (!*count)
		*count = NEW(int);
	*(int *)*count += reads->by;
}

/* The variable of the kernel's own that s does no more to than assign it, or one element of it. */
static const struct kvar *assigned(const struct ks *s)
{
	if (s->kind != KS_SET)
		return NULL;
	if (s->a->kind == KX_VAR)
		return s->a->var;
	const struct kx *array = s->a->kind == KX_AT ? s->a->arg[0] : NULL;
	bool own = array && array->kind == KX_VAR
	           && (array->var->kind == KV_SHARED || array->var->kind == KV_REGS);
	return own ? array->var : NULL;
}

/* What the statement itself reads; a variable that is only assigned is not read. */
static void count_statement(const struct ks *s, struct reads *reads, int by)
{
	struct ks shallow = *s;
	shallow.body = shallow.otherwise = (struct ks_list){0};
	if (assigned(s))
		shallow.a = s->a->kind == KX_AT ? s->a->arg[1] : NULL;
	struct ks *one = &shallow;
	reads->by = by;
	ks_walk(&(struct ks_list){&one, 1, 1}, count_read, reads);
}

static void count_list(const struct ks_list *list, struct reads *reads, int by)
{
	for (int i = 0; i < list->n; i++) {
		count_statement(list->at[i], reads, by);
		count_list(&list->at[i]->body, reads, by);
		count_list(&list->at[i]->otherwise, reads, by);
	}
}

static bool is_read(const struct reads *reads, const struct kvar *v)
{
	const int *count = map_get(&reads->count, v);
	return count && *count > 0;
}

static bool is_idle(struct ks *s, const struct reads *reads)
{
	if (s->kind == KS_DECL)
		return !is_read(reads, s->var) && (!s->a || !kx_has_effect(s->a));
	const struct kvar *v = assigned(s);
	return v && !is_read(reads, v) && !kx_has_effect(s->a) && !kx_has_effect(s->b);
}

/* Backwards, so that what only a dropped statement read is dropped in the same pass. */
static bool drop_idle(struct ks_list *list, struct reads *reads)
{
	int n = list->n, kept = n;
	bool changed = false;
	for (int i = n - 1; i >= 0; i--) {
		struct ks *s = list->at[i];
		changed = drop_idle(&s->otherwise, reads) || changed;
		changed = drop_idle(&s->body, reads) || changed;
		if (is_idle(s, reads) || is_void(s))
			count_list(&(struct ks_list){&s, 1, 1}, reads, -1);
		else
			list->at[--kept] = s;
	}
	list->n = n - kept;
	if (kept > 0 && kept < n)
		memmove(list->at, list->at + kept, sizeof *list->at * (size_t)list->n);
	return changed || kept > 0;
}

/* A note at the end of a body, or before another, speaks of nothing. */
static void drop_notes(struct ks_list *list)
{
	int kept = 0;
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		drop_notes(&s->body);
		drop_notes(&s->otherwise);
		bool lone = s->kind == KS_NOTE && i + 1 == list->n;
		if (!lone)
			list->at[kept++] = s;
	}
	list->n = kept;
}

void kirfold(struct kernel *k)
{
	assert(k->open.n == 1 && "every body is closed");
	struct reads reads = {0};
	fold_list(&k->body);
	bool changed = kir_unalias(k);
	if (kir_decide(k) || changed)
		fold_list(&k->body);
	count_list(&k->body, &reads, 1);
	while (drop_idle(&k->body, &reads))
		continue;
	map_free(&reads.count);
	drop_notes(&k->body);
}
