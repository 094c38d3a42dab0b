/* pass_divide.c - replaces divisions of floats by a divisor that does not change by
 * multiplications.
 *
 * Needs: the kernels of a plan, after every other pass.  Leaves: on a GPU, a product and a
 * correction for each division by a constant, or by a number that the host knows as it launches the
 * kernel: a scalar, a size, a counter of a loop around the launch.  The bits are those of the
 * division: src/kir/reciprocal.c.  An H200 divides in ten instructions and a branch, and one branch
 * after the other; this takes three, and a branch that the cells of a vector share.
 *
 * Of a constant, the compiler finds the reciprocal in two numbers.  What is so small that the
 * products would lose bits takes a branch that is hardly ever taken; there is none where
 * kirmultiple.c shows that nothing is so small.  Of what the host knows, it computes the reciprocal
 * and the range in which the correction is exact: they become parameters of the kernel.
 *
 * A vector's cells are computed by an unrolled loop.  If that only assigns to registers, what is
 * divided is computed by a loop before it, for all cells, so that they share the branch:
 *
 *     for (c) b4.v[c] = (w * a4.v[c]) / 3;      for (c) divided[c] = w * a4.v[c];
 *                                               patc_quotients_f32(divided, 3, ...);
 *                                               for (c) b4.v[c] = divided[c];
 *
 * Compilers divide by a power of two as a product already.  A CPU divides vectors about as fast as
 * memory brings them, and not every one has fma: there nothing is changed. */
#include "plan.h"
#include "kir.h"
#include "pass.h"
#include "reciprocal.h"
#include "remark.h"

#include <math.h>
#include <string.h>

/* What a kernel divides by.  The rest of a constant is 0 where the product is corrected, that of
 * what the host knows NULL. */
struct divisor {
	struct kx *written, *d;          /* in the kernel; as it is from now on */
	struct kx *near, *rest, *least, *most;           /* near NULL: it divides */
	double small;                    /* of a constant: `least` */
};

struct divide {
	struct kernel *kernel;
	LIST(struct ks *) launch;                        /* of the kernel */
	LIST(struct divisor *) divisor;
	struct ks_list *out;
	int made;                                        /* products instead of divisions */
	double stays;                    /* a constant by which it divides all the same; or 0 */
};

static bool is_float(const struct kx *x)
{
	enum scalar kind = x->type.type->kind;
	return !x->type.pointer && x->type.lanes == 1 && (kind == T_F32 || kind == T_F64);
}

/* ---- what the host knows ---- */

static int parameter_of(const struct kernel *k, const struct kvar *v)
{
	for (int p = 0; p < k->param.n; p++)
		if (k->param.at[p] == v)
			return p;
	return -1;
}

/* Of those that the host may evaluate as the kernel does. */
static bool is_arithmetic(const struct kx *x)
{
	static const char *const wrapping[] = { "patc_add_", "patc_sub_", "patc_mul_",
		                                "patc_neg_" };
	if (x->kind == KX_CAST)
		return !x->type.pointer;
	if (x->kind == KX_OP)
		return x->op == OP_ADD || x->op == OP_SUB || x->op == OP_MUL || x->op == OP_NEG
		       || (x->op == OP_DIV && is_float(x));
	for (size_t i = 0; x->kind == KX_HELP && i < sizeof wrapping / sizeof *wrapping; i++)
		if (!strncmp(x->name, wrapping[i], strlen(wrapping[i])))
			return true;
	return false;
}

/* The expression over the host's variables, as of one launch; NULL: the host does not know it. */
static struct kx *on_host(const struct divide *v, const struct ks *launch, struct kx *x)
{
	if (x->kind == KX_INT || x->kind == KX_FLOAT)
		return x;
	if (x->kind == KX_VAR && x->var->kind == KV_LET)
		return x->var->value ? on_host(v, launch, x->var->value) : NULL;
	if (x->kind == KX_VAR) {
		int p = x->type.pointer ? -1 : parameter_of(v->kernel, x->var);
		return p < 0 ? NULL : launch->arg[p];
	}
	if (!is_arithmetic(x))
		return NULL;
	struct kx *made = NEW(struct kx);
	*made = *x;
	made->arg = mem_new((size_t)x->n * sizeof *made->arg);
	for (int i = 0; i < x->n; i++)
		if (!(made->arg[i] = on_host(v, launch, x->arg[i])))
			return NULL;
	return made;
}

static void find_rounded(struct kx *x, void *found)
{
	*(bool *)found |= x->kind == KX_OP && is_float(x);
}

static struct kx *parameter(struct divide *v, const char *name, const struct type *type)
{
	return x_var(k_param(v->kernel, kt(type), name));
}

static void pass_on(struct ks *launch, struct kx *value)
{
	struct kx **arg = mem_new((size_t)(launch->n + 1) * sizeof *arg);
	memcpy(arg, launch->arg, (size_t)launch->n * sizeof *arg);
	arg[launch->n++] = value;
	launch->arg = arg;
}

static struct kx *host_help(const char *operation, struct kx *d)
{
	const char *name = str_print("patc_%s_%s", operation, type_name(d->type.type));
	return x_help(d->type, name, 1, &d);
}

static const char *divisor_word(const struct kx *d)
{
	while (d->kind == KX_CAST)
		d = d->arg[0];
	return d->kind == KX_VAR ? d->var->wanted : "divisor";
}

/* A divisor that is rounded itself comes from the host too: machines contract differently. */
static void known_to_host(struct divide *v, struct divisor *of)
{
	const struct type *type = of->d->type.type;
	const char *word = divisor_word(of->d);
	struct kx **known = mem_new((size_t)(v->launch.n + 1) * sizeof *known);
	bool rounded = false;
	for (int i = 0; i < v->launch.n; i++)
		if (!(known[i] = on_host(v, v->launch.at[i], of->d)))
			return;
	if (!v->launch.n)
		return;
	kx_walk(of->d, find_rounded, &rounded);
	of->d = rounded ? parameter(v, "divisor", type) : of->d;
	of->near = parameter(v, str_print("%s_near", word), type);
	of->least = parameter(v, str_print("%s_least", word), type);
	of->most = parameter(v, str_print("%s_most", word), type);
	for (int i = 0; i < v->launch.n; i++) {
		if (rounded)
			pass_on(v->launch.at[i], known[i]);
		pass_on(v->launch.at[i], x_div(x_float(type->kind, 1), known[i]));
		pass_on(v->launch.at[i], host_help("least", known[i]));
		pass_on(v->launch.at[i], host_help("most", known[i]));
	}
}

/* ---- divisors ---- */

static bool is_power_of_two(double d)
{
	int exponent;
	return fabs(frexp(d, &exponent)) == 0.5;
}

static void constant(struct divide *v, struct divisor *of)
{
	enum scalar kind = of->d->type.type->kind;
	struct reciprocal r;
	if (!reciprocal_find(kind, of->d->f, &r)) {
		v->stays = is_power_of_two(of->d->f) ? v->stays : of->d->f;
		return;
	}
	of->near = x_float(kind, r.near);
	of->rest = x_float(kind, r.rest);
	of->least = x_float(kind, r.least);
	of->most = x_float(kind, r.most);
	of->small = r.least;
}

static struct divisor *divisor_of(struct divide *v, struct kx *d)
{
	for (int i = 0; i < v->divisor.n; i++)
		if (kx_same(v->divisor.at[i]->written, d))
			return v->divisor.at[i];
	struct divisor *of = NEW(struct divisor);
	of->written = of->d = d;
	if (d->kind == KX_FLOAT)
		constant(v, of);
	else
		known_to_host(v, of);
	list_add(&v->divisor, of);
	return of;
}

/* It does not change either, and is computed once, perhaps before a loop. */
static bool is_settled(const struct divide *v, struct kx *x)
{
	return x->kind == KX_FLOAT || (v->launch.n && on_host(v, v->launch.at[0], x));
}

/* The divisor of a quotient that becomes a product; NULL: it stays. */
static struct divisor *quotient_of(struct divide *v, const struct kx *x)
{
	if (x->kind != KX_OP || x->op != OP_DIV || !is_float(x) || is_settled(v, x->arg[0]))
		return NULL;
	struct divisor *of = divisor_of(v, x->arg[1]);
	return of->near ? of : NULL;
}

/* Is no value of it too small but 0? */
static bool is_never_small(const struct divisor *of, const struct kx *a)
{
	bool two = of->rest && of->rest->f != 0;
	return two && (of->small <= 0 || ldexp(1, -kx_multiple(a)) >= of->small);
}

/* ---- one quotient ---- */

static struct kx *call(const char *operation, struct ktype result, const struct type *type, int n,
                       struct kx **arg)
{
	return x_help(result, str_print("patc_%s_%s", operation, type_name(type)), n, arg);
}

static struct kx *product(const struct divisor *of, struct kx *a)
{
	bool two = of->rest && of->rest->f != 0;
	const struct type *type = a->type.type;
	if (is_never_small(of, a))
		return call("over", a->type, type, 3, (struct kx *[]){ a, of->near, of->rest });
	if (two)
		return call("quotient", a->type, type, 5,
		            (struct kx *[]){ a, of->d, of->near, of->rest, of->least });
	return call("corrected", a->type, type, 5,
	            (struct kx *[]){ a, of->d, of->near, of->least, of->most });
}

static void replace(struct kx *x, void *divide)
{
	struct divide *v = divide;
	struct divisor *of = quotient_of(v, x);
	if (!of)
		return;
	*x = *product(of, x->arg[0]);
	v->made++;
}

/* ---- the cells of a vector ---- */

enum { MOST_ABREAST = 16 };

static const struct kvar *register_of(const struct kx *target)
{
	while (target->kind == KX_LANE || (target->kind == KX_AT && target->arg[0]->kind == KX_VAR
	                                   && target->arg[0]->var->kind == KV_REGS))
		target = target->arg[0];
	bool is = target->kind == KX_VAR
	          && (target->var->kind == KV_VAR || target->var->kind == KV_REGS);
	return is ? target->var : NULL;
}

static bool is_let(const struct ks *s)
{
	const struct ktype type = s->kind == KS_DECL ? s->var->type : (struct ktype){ 0 };
	return s->kind == KS_DECL && s->var->kind == KV_LET && !type.pointer && type.lanes == 1
	       && type.type->kind != T_STRUCT;
}

/* A loop over the cells of a vector that has constants of its own and assigns to registers. */
static bool is_abreast(const struct ks *s)
{
	bool is = s->kind == KS_FOR && (s->flags & FOR_UNROLL) && x_is_int(s->a, 0)
	          && x_is_int(s->c, 1) && s->b->kind == KX_INT && s->b->i > 1
	          && s->b->i <= MOST_ABREAST;
	for (int i = 0; is && i < s->body.n; i++) {
		const struct ks *inner = s->body.at[i];
		is = is_let(inner) || (inner->kind == KS_SET && register_of(inner->a));
	}
	return is;
}

struct reading { const struct kvar *var; bool found; };

static void find_reading(struct kx *x, void *reading)
{
	struct reading *r = reading;
	r->found |= (x->kind == KX_VAR && x->var == r->var) || kx_opaque(x);
}

/* What is divided is known before the first pass of the loop. */
static bool is_ready(const struct ks *loop, struct kx *a)
{
	struct reading r = { 0 };
	for (int i = 0; i < loop->body.n; i++) {
		const struct ks *s = loop->body.at[i];
		r.var = s->kind == KS_SET ? register_of(s->a) : NULL;
		kx_walk(a, find_reading, &r);
	}
	return !r.found;
}

/* The first quotient in x that each pass computes and whose branch the passes can share; operands
 * first. */
static struct kx *find_shared(struct divide *v, const struct ks *loop, struct kx *x)
{
	bool lazy = x->kind == KX_COND
	            || (x->kind == KX_OP && (x->op == OP_LAND || x->op == OP_LOR));
	for (int i = 0; i < (lazy ? 1 : x->n); i++) {
		struct kx *found = find_shared(v, loop, x->arg[i]);
		if (found)
			return found;
	}
	struct divisor *of = quotient_of(v, x);
	return of && !is_never_small(of, x->arg[0]) && is_ready(loop, x->arg[0]) ? x : NULL;
}

static struct kx *with_index(struct kx *x, const struct kvar *old, struct kx *new)
{
	if (x->kind == KX_VAR && x->var == old)
		return new;
	struct kx *made = NEW(struct kx);
	*made = *x;
	made->arg = mem_new((size_t)(x->n + 1) * sizeof *made->arg);
	for (int i = 0; i < x->n; i++)
		made->arg[i] = with_index(x->arg[i], old, new);
	return made;
}

static struct kx *products(const struct divisor *of, struct kx *cells)
{
	const struct type *type = of->d->type.type;
	bool two = of->rest && of->rest->f != 0;
	if (two)
		return call("quotients", kt_scalar(T_I32), type, 5,
		            (struct kx *[]){ cells, of->d, of->near, of->rest, of->least });
	return call("all_corrected", kt_scalar(T_I32), type, 5,
	            (struct kx *[]){ cells, of->d, of->near, of->least, of->most });
}

/* A loop of what is divided, and all of it at once; x becomes the register that has it then. */
static void share_branch(struct divide *v, const struct ks *loop, struct kx *x)
{
	struct kernel *k = v->kernel;
	struct divisor *of = quotient_of(v, x);
	k->at = loop->at;
	k_into(k, v->out);
	struct kx *cells = x_var(k_regs(k, x->type.type, "divided", loop->b->i));
	struct kx *c = x_var(k_for(k, loop->var->wanted, loop->a, loop->b, loop->c, loop->flags));
	k_set(k, x_at(cells, c), with_index(x->arg[0], loop->var, c));
	k_end(k);
	k_do(k, products(of, cells));
	k_end(k);
	*x = *x_at(cells, x_var(loop->var));
	v->made++;
}

static struct kx **value_of(struct ks *s)
{
	return s->kind == KS_SET ? &s->b : &s->a;
}

static void share_branches(struct divide *v, const struct ks *loop)
{
	for (int i = 0; i < loop->body.n; i++)
		for (struct kx *x; (x = find_shared(v, loop, *value_of(loop->body.at[i]))); )
			share_branch(v, loop, x);
}

/* Does any of its cells share a branch with the others, and is every constant known before? */
static bool is_worth(struct divide *v, const struct ks *loop)
{
	bool found = false;
	for (int i = 0; i < loop->body.n; i++) {
		struct ks *s = loop->body.at[i];
		found |= find_shared(v, loop, *value_of(s)) != NULL;
		if (s->kind == KS_DECL && !is_ready(loop, s->a))
			return false;
	}
	return found;
}

struct exchange { const struct kvar *let; struct kx *cell; };

static void exchange_use(struct kx *x, void *exchange)
{
	const struct exchange *e = exchange;
	if (x->kind == KX_VAR && x->var == e->let)
		*x = *e->cell;
}

/* A constant of the loop becomes registers, one a pass. */
static struct kx *spread(struct divide *v, struct ks *loop, const struct kvar *let)
{
	struct kx *cells = x_var(k_regs(v->kernel, let->type.type, let->wanted, loop->b->i));
	struct exchange e = { let, x_at(cells, x_var(loop->var)) };
	ks_walk(&loop->body, exchange_use, &e);
	return cells;
}

/* A loop that fills them; the other is left with what it assigns. */
static struct ks *fill(struct divide *v, struct ks *loop)
{
	struct kernel *k = v->kernel;
	struct ks_list sets = { 0 }, filling = { 0 }, lets = { 0 };
	LIST(struct kx *) cells = { 0 };
	list_add(&k->open, v->out);
	for (int i = 0; i < loop->body.n; i++) {
		struct ks *s = loop->body.at[i];
		if (s->kind == KS_DECL)
			list_add(&cells, spread(v, loop, s->var));
		list_add(s->kind == KS_DECL ? &lets : &sets, s);
	}
	k->open.at[k->open.n - 1] = &filling;
	struct kx *c = x_var(k_for(k, loop->var->wanted, loop->a, loop->b, loop->c, loop->flags));
	for (int i = 0; i < lets.n; i++)
		k_set(k, x_at(cells.at[i], c), with_index(lets.at[i]->a, loop->var, c));
	k_end(k);
	k->open.n--;
	loop->body = sets;
	return filling.at[0];
}

static void divide_statement(struct divide *, struct ks *);

static void vector(struct divide *v, struct ks *loop)
{
	bool has_lets = false;
	if (!is_worth(v, loop))
		return;
	for (int i = 0; i < loop->body.n; i++)
		has_lets |= loop->body.at[i]->kind == KS_DECL;
	struct ks *filling = has_lets ? fill(v, loop) : NULL;
	if (filling) {
		share_branches(v, filling);
		divide_statement(v, filling);
	}
	share_branches(v, loop);
}

/* ---- statements ---- */

static void divide_list(struct divide *, struct ks_list *);

static void divide_statement(struct divide *v, struct ks *s)
{
	struct ks shallow = *s, *one = &shallow;
	shallow.body = shallow.otherwise = (struct ks_list){ 0 };
	ks_walk(&(struct ks_list){ &one, 1, 1 }, replace, v);
	divide_list(v, &s->body);
	divide_list(v, &s->otherwise);
	list_add(v->out, s);
}

static void divide_list(struct divide *v, struct ks_list *list)
{
	struct ks_list made = { 0 }, *outer = v->out;
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		v->out = &made;
		if (is_abreast(s))
			vector(v, s);
		divide_statement(v, s);
	}
	v->out = outer;
	*list = made;
}

static void find_launches(struct divide *v, const struct ks_list *list)
{
	for (int i = 0; i < list->n; i++) {
		struct ks *s = list->at[i];
		if (s->kind == KS_LAUNCH && s->kernel == v->kernel)
			list_add(&v->launch, s);
		find_launches(v, &s->body);
		find_launches(v, &s->otherwise);
	}
}

/* ---- what is told: of kernels that divide floats ---- */

struct nodes { LIST(struct node *) list; };

static void find_division(struct kx *x, void *found)
{
	*(bool *)found |= x->kind == KX_OP && x->op == OP_DIV && is_float(x);
}

static bool divides(const struct kernel *k)
{
	bool found = false;
	ks_walk(&k->body, find_division, &found);
	return found;
}

/* Once a statement. */
static bool is_first(struct nodes *told, struct node *node)
{
	for (int i = 0; i < told->list.n; i++)
		if (told->list.at[i] == node)
			return false;
	list_add(&told->list, node);
	return true;
}

static void tell(struct nodes *told, const struct divide *v)
{
	struct node *node = v->kernel->node;
	if (node && v->made) {
		list_add(&told->list, node);
		remark_did(node, PASS_DIVIDE, EFFICIENCY, "%s: %d division%s corrected product%s",
		           v->kernel->name, v->made, v->made == 1 ? " is a" : "s are",
		           v->made == 1 ? "" : "s");
	} else if (node && v->stays != 0 && is_first(told, node)) {
		remark_not(node, PASS_DIVIDE,
		           "multiplications by the reciprocal of %g are exact only for large "
		           "numbers",
		           v->stays);
	} else if (node && divides(v->kernel) && is_first(told, node)) {
		remark_none(node, PASS_DIVIDE, "its divisors change, or are powers of two");
	}
}

static void divide_kernel(struct plan *plan, struct kernel *k, struct nodes *told)
{
	struct divide v = { .kernel = k };
	find_launches(&v, &plan->host->body);
	divide_list(&v, &k->body);
	kircheck(k);
	tell(told, &v);
}

void divide_function(struct kernel *k, const struct options *o)
{
	struct divide v = { .kernel = k };
	if (k->target->gpu && pass_enabled(o, "divide"))
		ks_walk(&k->body, replace, &v);
}

void pass_divide(struct plan *plan, const struct options *o)
{
	bool on = pass_enabled(o, "divide"), gpu = plan->target->gpu;
	struct nodes told = { 0 };
	for (int i = 0; i < plan->kernel.n; i++) {
		struct kernel *k = plan->kernel.at[i];
		if (on && gpu)
			divide_kernel(plan, k, &told);
		else if (k->node && divides(k) && is_first(&told, k->node))
			remark_none(k->node, PASS_DIVIDE, "%s",
			            on ? "a CPU divides as fast as memory delivers the cells"
			               : "--no-pass=divide");
	}
}
