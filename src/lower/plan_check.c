/* plan_check.c - --check: every access to memory that kernels make is tested where it is made.
 *
 * Needs: a plan whose kernels are complete.  Leaves: kernels that read zero and write nothing where
 * an access is outside of its array, and record the first such access: its place in the program,
 * and the number of the cell.
 *
 * The tests know nothing of proofs, subscripts or layouts: an address is inside of the bytes of the
 * array, or it is not.  A pointer is followed to the parameters that it is made of (roots): a
 * pointer that a loop exchanges has several.  A kernel gets the bytes of such a parameter as
 * another parameter (struct extent), which the host computes from sizes, and a kernel that runs
 * others from its own.
 *
 * Memory of a block, registers and tables are not tested, nor are the words by which blocks tell
 * each other how far they are. */
#include "lower.h"
#include "planner.h"

#include <assert.h>
#include <string.h>

struct roots { LIST(struct kvar *) list; };
/* of one kernel: a parameter and that of its bytes */
struct extent { struct kvar *param, *bytes; };
struct checked {
	struct kernel *k;
	LIST(struct extent) extent;
	struct map roots;                    /* of pointers that are variables: struct roots * */
	struct kvar *offence, *status;       /* parameters, or NULL */
};
struct checking {
	struct plan *plan;
	struct kvar *offence;                /* the host's */
	LIST(struct checked *) kernel;
	struct checked *now;
	struct loc at;                       /* of the statement */
};

/* ---- where a pointer comes from ---- */

static void roots_add(struct roots *to, struct kvar *root)
{
	for (int i = 0; i < to->list.n; i++)
		if (to->list.at[i] == root)
			return;
	list_add(&to->list, root);
}

static void find_roots(const struct checked *c, const struct kx *x, struct roots *found)
{
	const struct roots *from = x->kind == KX_VAR ? map_get(&c->roots, x->var) : NULL;
	switch (x->kind) {
	case KX_VAR:
		if (x->var != c->offence && (x->var->kind == KV_PARAM || x->var->is_given))
			roots_add(found, x->var);
		for (int i = 0; from && i < from->list.n; i++)
			roots_add(found, from->list.at[i]);
		return;
	case KX_OFFSET: case KX_CAST:
		find_roots(c, x->arg[0], found);
		return;
	case KX_COND:
		find_roots(c, x->arg[1], found);
		find_roots(c, x->arg[2], found);
		return;
	case KX_INT: case KX_FLOAT: case KX_OP: case KX_AT: case KX_FIELD: case KX_ELEM:
	case KX_LANE: case KX_VLOAD: case KX_MAKE: case KX_CALL: case KX_HELP: case KX_MATH:
	case KX_ID:
		return;
	}
}

/* Until nothing is new: a pointer may get its value from one that is assigned later. */
static bool note_roots(struct checked *c, const struct ks_list *list)
{
	bool more = false;
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		const bool set = s->kind == KS_SET && s->a->kind == KX_VAR;
		struct kvar *var = s->kind == KS_DECL ? s->var : set ? s->a->var : NULL;
		struct kx *value = s->kind == KS_DECL ? s->a : s->b;
		if (var && value && var->type.pointer) {
			void **at = map_at(&c->roots, var);
			struct roots *roots = *at ? *at : NEW(struct roots);
			const int before = roots->list.n;
			*at = roots;
			find_roots(c, value, roots);
			more |= roots->list.n > before;
		}
		more |= note_roots(c, &s->body);
		more |= note_roots(c, &s->otherwise);
	}
	return more;
}

static struct checked *checked_new(struct kernel *k)
{
	struct checked *c = NEW(struct checked);
	c->k = k;
	while (note_roots(c, &k->body))
		;
	return c;
}

/* ---- the bytes of an array ---- */

static struct kx *extents(struct lowering *l, const struct var *v, int axes)
{
	struct kx *cells = x_i64(1);
	for (int a = 0; a < axes; a++)
		cells = x_mul(cells, lower_extent(l, v, a));
	return cells;
}

/* From the first to the last. */
static struct kx *cells_of(struct lowering *l, const struct var *v)
{
	if (is_pitched(v)) {
		struct kx *arg[] = { extents(l, v, v->rank - 1), lower_extent(l, v, v->rank - 1),
			             lower_affine(l, &v->layout->ld) };
		return x_help(kt_scalar(T_I64), "patc_pitched", 3, arg);
	}
	if (!var_tiled(v))
		return extents(l, v, v->rank);
	struct kx *cells = x_i64(1);
	for (int a = 0; a < v->rank; a++)
		cells = x_mul(cells, lower_whole_tiles(l, v, a));
	return cells;
}

static struct kx *bytes_of(struct plan *plan, const struct var *v)
{
	struct kx *cells = cells_of(host_lowering(plan), v);
	if (v->layout && v->layout->block > 0)
		cells = x_div_up(cells, x_i64(v->layout->block));
	return kx_fold(x_mul(cells, x_i64(type_size(v->type))));
}

/* Over sizes alone: what the host has computed from them may not be known where this is. */
static struct kx *over_sizes(struct kx *x)
{
	if (x->kind == KX_VAR && x->var->kind == KV_LET)
		return over_sizes(x->var->value);
	struct kx *made = NEW(struct kx);
	*made = *x;
	made->arg = mem_new(sizeof *made->arg * (size_t)(x->n + 1));
	for (int i = 0; i < x->n; i++)
		made->arg[i] = over_sizes(x->arg[i]);
	return made;
}

/* Whole words: kernels clear those. */
static struct kx *slot_bytes(const struct slot *slot)
{
	enum { WORD = 4 };
	struct kx *bytes = x_i64(type_size(slot->type));
	for (int i = 0; i < slot->count.n; i++)
		bytes = x_mul(bytes, over_sizes(slot->count.at[i]));
	if (type_size(slot->type) < WORD)
		bytes = x_mul(x_div_up(bytes, x_i64(WORD)), x_i64(WORD));
	return kx_fold(bytes);
}

/* Of a pointer of the host's: a parameter, or a piece of the workspace. */
static struct kx *host_bytes(struct plan *plan, const struct kvar *v)
{
	for (int i = 0; i < plan->entry->param.n; i++)
		if (home_of(plan, plan->entry->param.at[i]) == v)
			return bytes_of(plan, plan->entry->param.at[i]);
	for (int i = 0; i < plan->slot.n; i++)
		if (plan->slot.at[i]->pointer == v)
			return slot_bytes(plan->slot.at[i]);
	assert(v == plan->status && "all memory is the caller's or the workspace's");
	return x_i64(2 * type_size(type_scalar(T_I32)));
}

/* ---- what a kernel is told ---- */

static struct kvar *bytes_param(struct checked *c, struct kvar *param)
{
	for (int i = 0; i < c->extent.n; i++)
		if (c->extent.at[i].param == param)
			return c->extent.at[i].bytes;
	struct kvar *bytes = k_param(c->k, kt_scalar(T_I64), str_print("%s_bytes", param->wanted));
	list_add(&c->extent, ((struct extent){ param, bytes }));
	return bytes;
}

static void record_params(struct checked *c)
{
	if (c->offence)
		return;
	c->offence = k_param(c->k, kt_pointer(type_scalar(T_I64), false), "offence");
	c->status = k_param(c->k, kt_pointer(type_scalar(T_I32), false), "status");
	c->offence->restrict_ = c->status->restrict_ = false;
	for (int p = 0; p < c->k->param.n; p++)  /* the status may be one already */
		if (c->k->param.at[p]->type.pointer)
			c->k->param.at[p]->restrict_ = false;
}

static int place_number(struct checking *c)
{
	struct plan *plan = c->plan;
	for (int i = 0; i < plan->place.n; i++)
		if (plan->place.at[i].line == c->at.line && plan->place.at[i].file == c->at.file)
			return i + 1;
	list_add(&plan->place, c->at);
	return plan->place.n;
}

/* ---- the test of an access ---- */

static struct kx *size_of(struct ktype type)
{
	return x_i64(type_size(type.type) * type.lanes);
}

static struct kx *help_bool(const char *name, int n, struct kx **arg)
{
	return x_help(kt_scalar(T_BOOL), name, n, arg);
}

/* NULL: the memory is not tested. */
static struct kx *test(struct checking *c, struct kx *pointer, struct kx *index, struct kx *size)
{
	struct checked *now = c->now;
	struct roots roots = { .list = { 0 } };
	struct kx *inside = NULL, *at = index ? x_offset(pointer, index) : pointer;
	find_roots(now, pointer, &roots);
	if (!roots.list.n)
		return NULL;
	record_params(now);
	for (int r = 1; r < roots.list.n; r++)
		inside = x_or(inside, help_bool("patc_within", 4, (struct kx *[]){
			at, size, x_var(roots.list.at[r]),
			x_var(bytes_param(now, roots.list.at[r])) }));
	struct kvar *from = roots.list.at[0];
	return x_or(inside, help_bool("patc_access", 9, (struct kx *[]){
		at, size, x_var(from), x_var(bytes_param(now, from)), size_of(kt(from->type.type)),
		x_i32(place_number(c)), x_var(now->offence), x_var(now->status),
		x_i32(ST_CHECK) }));
}

/* What is narrower than C's int has a type of its own only if it is converted. */
static struct kx *zero(struct ktype type)
{
	struct kx *x = type.lanes > 1 ? x_make(type.type, 0, NULL) : lower_zero(type.type);
	x->type = type;
	if (type_size(type.type) > 2 || type.lanes > 1 || type.type->kind == T_STRUCT)
		return x;
	struct kx *cast = NEW(struct kx), **arg = mem_new(sizeof *arg);
	arg[0] = x;
	*cast = (struct kx){ .kind = KX_CAST, .type = type, .n = 1, .arg = arg };
	return cast;
}

/* ---- reads ---- */

static struct kx *checked_x(struct checking *c, struct kx *x);

static struct kx *with_args(struct checking *c, const struct kx *x)
{
	struct kx *made = NEW(struct kx);
	*made = *x;
	made->arg = mem_new(sizeof *made->arg * (size_t)(x->n + 1));
	for (int i = 0; i < x->n; i++)
		made->arg[i] = checked_x(c, x->arg[i]);
	return made;
}

/* A part of what is read, down to it; *read: that, with its operands done. */
static struct kx *path(struct checking *c, const struct kx *x, struct kx **read)
{
	const bool part = x->kind == KX_FIELD || x->kind == KX_ELEM || x->kind == KX_LANE;
	if (!part || x->table)
		return *read = with_args(c, x);
	struct kx *made = NEW(struct kx);
	*made = *x;
	made->arg = mem_new(sizeof *made->arg * (size_t)(x->n + 1));
	made->arg[0] = path(c, x->arg[0], read);
	for (int i = 1; i < x->n; i++)
		made->arg[i] = checked_x(c, x->arg[i]);
	return made;
}

static bool is_help(const struct kx *x, const char *name)
{
	return x->kind == KX_HELP && !strncmp(x->name, name, strlen(name));
}

/* patc_around and patc_part give an address inside of the cell, or of its word, that another helper
 * uses: it is the cell that is tested. */
static bool gives_address(const struct kx *x)
{
	return is_help(x, "patc_around") || is_help(x, "patc_part");
}

static struct kx *test_of(struct checking *c, const struct kx *x)
{
	if (x->kind == KX_AT)
		return test(c, x->arg[0], x->arg[1], size_of(x->type));
	if (gives_address(x))
		return test(c, x->arg[0], NULL, size_of(kt(x->arg[0]->type.type)));
	const bool reads = x->kind == KX_VLOAD || is_help(x, "patc_load_")
	                   || is_help(x, "patc_peek_") || is_help(x, "patc_swap_");
	return reads ? test(c, x->arg[0], NULL, size_of(x->type)) : NULL;
}

/* In the place of what is outside: a word that nobody reads; what a swap expects to find, so that
 * the loop around it ends; zero. */
static struct kx *instead(const struct checking *c, const struct kx *read, struct ktype type)
{
	if (gives_address(read))
		return x_cast(type, x_offset(x_var(c->now->offence), x_i32(OFFENCE_WORDS)));
	return is_help(read, "patc_swap_") ? read->arg[1] : zero(type);
}

static struct kx *checked_x(struct checking *c, struct kx *x)
{
	struct kx *read, *made = path(c, x, &read), *ok = test_of(c, read);
	return ok ? x_cond(ok, made, instead(c, read, made->type)) : made;
}

/* ---- statements ---- */

static void check_list(struct checking *, struct ks_list *);

/* s, where that holds */
static struct ks *only_if(struct kx *ok, struct ks *s)
{
	if (!ok)
		return s;
	struct ks *branch = NEW(struct ks);
	branch->kind = KS_IF;
	branch->at = s->at;
	branch->a = ok;
	list_add(&branch->body, s);
	return branch;
}

static struct ks *check_set(struct checking *c, struct ks *s)
{
	struct kx *target;
	s->b = checked_x(c, s->b);
	s->a = path(c, s->a, &target);
	return only_if(target->kind == KX_AT ? test_of(c, target) : NULL, s);
}

static struct ks *check_store(struct checking *c, struct ks *s)
{
	const int64_t lanes = s->b->type.lanes;
	s->a = checked_x(c, s->a);
	s->b = checked_x(c, s->b);
	s->c = s->c ? checked_x(c, s->c) : NULL;
	struct kx *index = s->c ? x_mul(x_to_i64(s->c), x_i64(lanes)) : NULL;
	return only_if(test(c, s->a, index, size_of(s->b->type)), s);
}

/* Helpers that are called for what they do to memory: their names begin so; the operand that points
 * to it; bytes, or one of the enum; the operand that says whether it is done, or 0. */
enum { ELEMENT = -1, VALUE = -2, GIVEN = -3 };    /* as large as the other operand; operand 2 */
static const struct memory_help { const char *name; int at, bytes, when; } memory_help[] = {
	{ "patc_copy_16_if", 1, 16, 2 }, { "patc_store_16_if", 0, 16, 2 },
	{ "patc_fill_16", 1, 16, 2 },    { "patc_fill_8", 1, 8, 2 },
	{ "patc_fill_4", 1, 4, 2 },      { "patc_copy_16", 1, 16, 0 },
	{ "patc_copy_8", 1, 8, 0 },      { "patc_copy_4", 1, 4, 0 },
	{ "patc_copy_in", 1, GIVEN, 0 }, { "patc_copy_out", 0, GIVEN, 0 },
	{ "patc_meet_", 0, ELEMENT, 0 }, { "patc_mark", 0, ELEMENT, 0 },
	{ "patc_pass", 0, VALUE, 0 },    { "patc_once", 1, VALUE, 0 },
	{ "patc_shifted", 1, VALUE, 0 }, { "patc_get_row", 1, VALUE, 0 },
	{ "patc_put_row", 0, VALUE, 0 },
};

static const struct memory_help *memory_of(const struct kx *x)
{
	for (size_t i = 0; i < sizeof memory_help / sizeof *memory_help; i++)
		if (is_help(x, memory_help[i].name))
			return &memory_help[i];
	return NULL;
}

static struct kx *bytes_moved(const struct memory_help *m, const struct kx *x)
{
	if (m->bytes > 0)
		return x_i64(m->bytes);
	if (m->bytes == GIVEN)
		return x_to_i64(x->arg[2]);
	return size_of(m->bytes == VALUE ? x->arg[!m->at]->type : kt(x->arg[m->at]->type.type));
}

static struct ks *check_do(struct checking *c, struct ks *s)
{
	struct kx *x = s->a = with_args(c, s->a);
	const struct memory_help *m = memory_of(x);
	struct kx *ok = m ? test(c, x->arg[m->at], NULL, bytes_moved(m, x)) : NULL;
	if (!ok || !m->when)
		return only_if(ok, s);
	x->arg[m->when] = x_and(x->arg[m->when], ok);
	return s;
}

static void check_operands(struct checking *c, struct ks *s)
{
	struct kx **part[] = { &s->a, &s->b, &s->c };
	for (int i = 0; i < 3; i++)
		if (*part[i])
			*part[i] = checked_x(c, *part[i]);
	for (int i = 0; i < s->n; i++)
		s->arg[i] = checked_x(c, s->arg[i]);
}

/* Tests are no operations of vectors. */
static struct ks *check_statement(struct checking *c, struct ks *s)
{
	c->at = s->at.line ? s->at : c->at;
	s->flags &= ~FOR_SIMD;
	switch (s->kind) {
	case KS_SET: return check_set(c, s);
	case KS_VSTORE: return check_store(c, s);
	case KS_DO: return check_do(c, s);
	case KS_DECL: case KS_IF: case KS_FOR: case KS_WHILE: case KS_SCOPE: case KS_BARRIER:
	case KS_RETURN: case KS_BREAK: case KS_CONTINUE: case KS_NOTE: case KS_LAUNCH:
	case KS_CLEAR:
		check_operands(c, s);
		check_list(c, &s->body);
		check_list(c, &s->otherwise);
	}
	return s;
}

static void check_list(struct checking *c, struct ks_list *list)
{
	for (int i = 0; i < list->n; i++)
		list->at[i] = check_statement(c, list->at[i]);
}

/* ---- launches ---- */

static struct checked *checked_of(const struct checking *c, const struct kernel *k)
{
	for (int i = 0; i < c->kernel.n; i++)
		if (c->kernel.at[i]->k == k)
			return c->kernel.at[i];
	return NULL;
}

static struct kx *bytes_at(struct checking *c, const struct kx *pointer);

/* From that pointer to the end. */
static struct kx *bytes_from(struct checking *c, const struct kx *x)
{
	struct kx *whole = bytes_at(c, x->arg[0]);
	struct kx *before = x_mul(x_to_i64(x->arg[1]), x_i64(type_size(x->type.type)));
	return kx_fold(x_sub(whole, before));
}

static struct kx *bytes_at(struct checking *c, const struct kx *x)
{
	struct roots roots = { .list = { 0 } };
	if (x->kind == KX_OFFSET)
		return bytes_from(c, x);
	if (x->kind == KX_COND)
		return x_cond(x->arg[0], bytes_at(c, x->arg[1]), bytes_at(c, x->arg[2]));
	find_roots(c->now, x, &roots);
	assert(roots.list.n && "what is passed on is an array");
	struct kvar *root = roots.list.at[0];    /* those that change places have one size */
	return c->now->k == c->plan->host ? host_bytes(c->plan, root)
	                                  : x_var(bytes_param(c->now, root));
}

static struct kx *argument_for(struct checking *c, const struct checked *of, const struct ks *s,
                               const struct kvar *param)
{
	const bool host = c->now->k == c->plan->host;
	if (param == of->offence)
		return x_var(host ? c->offence : c->now->offence);
	if (param == of->status)
		return x_var(host ? c->plan->status : c->now->status);
	for (int e = 0; e < of->extent.n; e++)
		for (int p = 0; of->extent.at[e].bytes == param && p < s->n; p++)
			if (of->k->param.at[p] == of->extent.at[e].param)
				return bytes_at(c, s->arg[p]);
	assert(!"a parameter of the tests");
	return NULL;
}

static void add_arguments(struct checking *c, struct ks *s)
{
	const struct checked *of = checked_of(c, s->kernel);
	const int given = s->n, n = of->k->param.n;
	struct kx **arg = mem_new(sizeof *arg * (size_t)(n + 1));
	if (of->offence && c->now->k != c->plan->host)
		record_params(c->now);
	memcpy(arg, s->arg, sizeof *arg * (size_t)given);
	for (int p = given; p < n; p++)
		arg[p] = argument_for(c, of, s, of->k->param.at[p]);
	s->arg = arg;
	s->n = n;
}

static void pass_on(struct checking *c, struct ks_list *list)
{
	for (int i = 0; i < list->n; i++) {
		if (list->at[i]->kind == KS_LAUNCH)
			add_arguments(c, list->at[i]);
		pass_on(c, &list->at[i]->body);
		pass_on(c, &list->at[i]->otherwise);
	}
}

/* ---- the plan ---- */

/* The offence's piece has one word more, which nobody reads. */
void plan_check(struct plan *plan)
{
	struct checking c = { .plan = plan };
	plan_status(plan);
	c.offence = plan->offence = plan_first_slot(plan, "offence", OFFENCE_WORDS + 1);
	for (int k = 0; k < plan->kernel.n; k++)
		list_add(&c.kernel, checked_new(plan->kernel.at[k]));
	for (int k = 0; k < c.kernel.n; k++) {
		c.now = c.kernel.at[k];
		check_list(&c, &c.now->k->body);
	}
	for (int k = 0; k < c.kernel.n; k++) {   /* those that run others get parameters for them */
		c.now = c.kernel.at[k];
		pass_on(&c, &c.now->k->body);
	}
	c.now = checked_new(plan->host);
	pass_on(&c, &plan->host->body);
}
