/* test_kir.c - the kernel IR: what is printed, folded and refused; the texts of three targets from
 * one hand-made plan, and every helper, through the compilers that are there. */
#include "helper.h"
#include "host.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* ---- expressions ---- */

static const char *const ids[9] = {"tx", "ty", "tz", "bx", "by", "bz", "gx", "gy", "gz"};
static const struct dialect plain = {.id = ids, .restrict_ = "", .cpp = false};

static char *text(const struct kx *x)
{
	char *at;
	size_t length;
	FILE *out = open_memstream(&at, &length);
	cprint_expr(x, &plain, out);
	fclose(out);
	return at;
}

struct place { struct kernel *k; struct kvar *i, *n, *f, *p, *b; };

static struct place place_new(void)
{
	struct place s = {.k = kernel_new("test", target_find("cuda"))};
	s.i = k_param(s.k, kt_scalar(T_I64), "i");
	s.n = k_param(s.k, kt_scalar(T_I32), "n");
	s.f = k_param(s.k, kt_scalar(T_F32), "f");
	s.p = k_param(s.k, kt_pointer(type_scalar(T_F32), true), "p");
	s.b = k_param(s.k, kt_scalar(T_BOOL), "b");
	return s;
}

static void prints(void **state)
{
	(void)state;
	struct place s = place_new();
	struct kx *i = x_var(s.i), *n = x_var(s.n), *f = x_var(s.f), *p = x_var(s.p),
		  *b = x_var(s.b);
	const struct { struct kx *x; const char *text; } row[] = {
		{x_add(x_mul(i, i), i), "i * i + i"},
		{x_mul(x_add(i, i), i), "(i + i) * i"},
		{x_sub(i, x_sub(i, i)), "i - (i - i)"},
		{x_sub(x_sub(i, i), i), "i - i - i"},
		{x_and(x_or(b, b), b), "(b || b) && b"},
		{x_or(x_and(b, b), b), "(b && b) || b"},
		{x_and(b, x_and(b, b)), "b && b && b"},
		{x_op(OP_AND, x_eq(i, i), b), "(i == i) & b"},
		{x_op(OP_SHL, x_add(i, i), n), "(i + i) << n"},
		{x_op(OP_SHL, x_i64(1), n), "INT64_C(1) << n"},
		{x_mul(x_cond(b, x_i64(1), x_i64(2)), x_i64(3)), "(int64_t)(b ? 1 : 2) * 3"},
		{x_unary(OP_NEG, x_unary(OP_NEG, f)), "-(-f)"},
		{x_unary(OP_NEG, x_float(T_F32, -1)), "-(-1.0f)"},
		{x_unary(OP_BITNOT, x_int(T_U64, 0)), "~UINT64_C(0)"},
		{x_i64(INT64_MIN), "INT64_MIN"},
		{x_i32(INT32_MIN), "INT32_MIN"},
		{x_int(T_U64, -1), "18446744073709551615u"},
		{x_int(T_U8, 200), "200"},
		{x_float(T_F32, (double)0.1f), "0.1f"},
		{x_float(T_F64, 0.1), "0.1"},
		{x_float(T_F32, 1), "1.0f"},
		{x_float(T_F64, 1e300), "1e+300"},
		{x_float(T_F32, (double)(1.0f / 3)), "0.33333334f"},
		{x_float(T_F64, -__builtin_inf()), "(double)-INFINITY"},
		{x_float(T_F32, __builtin_nan("")), "NAN"},
		{x_at(p, x_add(i, x_i64(1))), "p[i + 1]"},
		{x_at(p, x_i64(0)), "*p"},
		{x_at(x_offset(p, i), x_i64(0)), "(p + i)[0]"},
		{x_cast(kt_scalar(T_I32), x_add(i, i)), "(int32_t)(i + i)"},
		{x_op(OP_AND, x_cast(kt_scalar(T_U8), i), x_int(T_U8, 15)),
				"(uint8_t)((uint8_t)i & 15)"},
		{x_lane(x_vload(x_offset(p, i), 4), 2), "(*(const patc_f32x4 *)(p + i)).v[2]"},
		{x_cast(kt_scalar(T_F16), f), "patc_f32_to_f16(f)"},
		{x_cast(kt_scalar(T_F16), x_float(T_F32, 0.1)), "0x2e66 /* 0.1 */"},
		{x_cast(kt_scalar(T_F32), x_float(T_F16, -2)), "-2.0f"},
		{x_cast(kt_scalar(T_F16), i), "patc_f32_to_f16((float)i)"},
		{x_cast(kt_scalar(T_BF16), i), "patc_i64_to_bf16(i)"},
		{x_cast(kt_scalar(T_BF16), n), "patc_f64_to_bf16((double)n)"},
		{x_cast(kt_scalar(T_BF16), b), "patc_f32_to_bf16((float)b)"},
		{x_cast(kt_scalar(T_F64), x_cast(kt_scalar(T_BF16), f)),
				"(double)patc_bf16_to_f32(patc_f32_to_bf16(f))"},
		{x_cast(kt_scalar(T_F16), x_float(T_BF16, -__builtin_inf())), "0xfc00 /* -inf */"},
		{x_max(f, x_float(T_F32, 0)), "fmaxf(f, 0.0f)"},
		{x_max(i, x_i64(0)), "patc_max_i64(i, 0)"},
		{x_math(M_min, type_scalar(T_I64), 3, (struct kx *[]){i, i, i}),
		 "patc_min_i64(patc_min_i64(i, i), i)"},
		{x_id(ID_BLOCK_Y), "by"},
	};
	for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
		char *got = text(row[r].x);
		assert_string_equal(got, row[r].text);
		free(got);
	}
}

static char *folded(struct kx *x)
{
	struct kernel *k = kernel_new("fold", target_find("cuda"));
	k_return(k, x);
	kirfold(k);
	return text(k->body.at[0]->a);
}

static struct kx *help2(const char *name, enum scalar kind, struct kx *a, struct kx *b)
{
	return x_help(kt_scalar(kind), name, 2, (struct kx *[]){a, b});
}

static void folds(void **state)
{
	(void)state;
	struct place s = place_new();
	struct kx *i = x_var(s.i), *n = x_var(s.n), *f = x_var(s.f), *b = x_var(s.b);
	const struct { struct kx *x; const char *text; } row[] = {
		{x_add(x_i64(2), x_i64(3)), "5"},
		{x_add(i, x_i64(0)), "i"},
		{x_mul(x_i64(1), i), "i"},
		{x_mul(i, x_i64(0)), "0"},
		{x_add(x_add(i, x_i64(2)), x_i64(3)), "i + 5"},
		{x_sub(x_add(i, x_i64(2)), x_i64(3)), "i - 1"},
		{x_sub(x_add(i, x_i64(2)), x_i64(2)), "i"},
		{x_add(i, x_i64(-4)), "i - 4"},
		{x_add(x_i64(INT64_MAX), x_i64(1)), "INT64_C(9223372036854775807) + 1"},
		{x_add(f, x_float(T_F32, 0)), "f + 0.0f"},
		{x_mul(f, x_float(T_F32, 1)), "f * 1.0f"},
		{x_cond(x_lt(x_i64(1), x_i64(2)), i, x_i64(7)), "i"},
		{x_and(x_int(T_BOOL, 1), b), "b"},
		{x_and(x_int(T_BOOL, 0), b), "false"},
		{x_and(b, x_int(T_BOOL, 0)), "false"},
		{x_or(b, x_int(T_BOOL, 1)), "true"},
		{x_eq(x_mul(i, x_add(i, x_i64(1))), x_mul(i, x_add(i, x_i64(1)))), "true"},
		{x_eq(x_mul(i, x_add(i, x_i64(1))), x_mul(i, x_add(i, x_i64(2)))),
				"i * (i + 1) == i * (i + 2)"},
		{x_eq(f, f), "f == f"},
		{x_op(OP_SHL, x_i64(3), x_i32(4)), "48"},
		{x_op(OP_SHL, x_i64(3), x_i32(62)), "INT64_C(3) << 62"},
		{x_op(OP_SHR, x_i64(48), x_i32(4)), "3"},
		{x_unary(OP_NOT, x_unary(OP_NOT, b)), "b"},
		{help2("patc_div_i32", T_I32, n, x_i32(3)), "n / 3"},
		{help2("patc_div_i32", T_I32, n, x_i32(0)), "patc_div_i32(n, 0)"},
		{help2("patc_div_i32", T_I32, n, x_i32(-1)), "patc_div_i32(n, -1)"},
		{help2("patc_add_i32", T_I32, n, x_i32(0)), "n"},
		{help2("patc_add_i32", T_I32, x_i32(INT32_MAX), x_i32(1)),
				"patc_add_i32(2147483647, 1)"},
		{help2("patc_add_i32", T_I32, n, x_i32(1)), "patc_add_i32(n, 1)"},
		{help2("patc_max_i64", T_I64, x_i64(-3), x_i64(4)), "4"},
		{help2("patc_min_i64", T_I64, x_i64(-3), x_i64(4)), "-3"},
		{x_cast(kt_scalar(T_I64), x_i32(5)), "5"},
		{x_cast(kt_scalar(T_U8), x_i32(500)), "(uint8_t)500"},
		{x_cast(kt_scalar(T_U32), x_cast(kt_scalar(T_I64), n)), "(uint32_t)n"},
		{x_cast(kt_scalar(T_I64), x_cast(kt_scalar(T_U32), n)), "(int64_t)(uint32_t)n"},
	};
	for (size_t r = 0; r < sizeof row / sizeof *row; r++) {
		char *got = folded(row[r].x);
		assert_string_equal(got, row[r].text);
		free(got);
	}
}

static void names(void **state)
{
	(void)state;
	struct kernel *k = kernel_new("names", target_find("cuda"));
	assert_string_equal(k_param(k, kt_scalar(T_I64), "x")->name, "x");
	assert_string_equal(k_param(k, kt_scalar(T_I64), "x")->name, "x_2");
	assert_string_equal(k_param(k, kt_scalar(T_I64), "int")->name, "int_");
	assert_string_equal(k_param(k, kt_scalar(T_I64), "patc_min_i32")->name, "patc_min_i32_");
	struct record atom = {.name = str_name("Atom")};
	struct program program = {0};
	list_add(&program.record, &atom);
	kir_reserve(&program);
	assert_string_equal(k_param(k, kt_scalar(T_I64), "Atom")->name, "Atom_");
}

static void drops_the_unread(void **state)
{
	(void)state;
	struct kernel *k = kernel_new("idle", target_find("cpu"));
	struct kvar *a = k_let(k, "a", x_i64(1));
	k_let(k, "b", x_add(x_var(a), x_i64(1)));
	struct kvar *c = k_var(k, kt_scalar(T_I64), "c", NULL);
	k_set(k, x_var(c), x_i64(3));
	k_if(k, x_lt(x_i64(2), x_i64(1)));
	k_return(k, NULL);
	k_end(k);
	k_note(k, "nothing follows");
	kirfold(k);
	assert_int_equal(k->body.n, 0);
}

static void names_by_scope(void **state)
{
	(void)state;
	struct kernel *k = kernel_new("scopes", target_find("cpu"));
	struct kx *n = x_var(k_param(k, kt_scalar(T_I64), "n"));
	struct kvar *inner[2];
	for (int i = 0; i < 2; i++) {
		k_if(k, x_lt(n, x_i64(i)));
		inner[i] = k_var(k, kt_scalar(T_I64), "x", n);
		k_end(k);
	}
	struct kvar *outer = k_var(k, kt_scalar(T_I64), "x", n);
	k_if(k, x_lt(n, x_i64(9)));
	struct kvar *shadow = k_var(k, kt_scalar(T_I64), "x", n);
	k_end(k);
	kirnames(k);
	assert_string_equal(inner[0]->name, "x");
	assert_string_equal(inner[1]->name, "x");
	assert_string_equal(outer->name, "x");
	assert_string_equal(shadow->name, "x_2");
}

static void says_nothing_twice(void **state)
{
	(void)state;
	struct kernel *k = kernel_new("twice", target_find("cpu"));
	struct kx *n = x_var(k_param(k, kt_scalar(T_I64), "n")),
		  *cells = x_var(k_param(k, kt_pointer(type_scalar(T_I64), false), "cells"));
	struct kx *other = x_var(k_let(k, "other", n));
	struct kx *inside = x_lt(x_i64(2), n);
	k_if(k, inside);
	k_if(k, x_lt(x_i64(2), other));
	struct kx *i = x_var(k_for(k, "i", x_i64(3), x_i64(4), x_i64(1), 0));
	k_set(k, x_at(cells, i), x_add(x_at(cells, i), other));
	k_end(k);
	k_end(k);
	k_end(k);
	kirfold(k);
	assert_int_equal(k->body.n, 1);
	assert_int_equal(k->body.at[0]->body.n, 1);
	assert_int_equal(k->body.at[0]->body.at[0]->kind, KS_SET);
	assert_ptr_equal(k->body.at[0]->body.at[0]->b->arg[1]->var, n->var);
}

/* ---- the passes over kernels ---- */

static struct kx *root_of(struct kx *x)
{
	return x_math(M_sqrt, type_scalar(T_F32), 1, &x);
}

static struct kx *sum_of(struct kx *a, struct kx *b)
{
	return x_op(OP_ADD, a, b);
}

struct arrays { struct kernel *k; struct kx *in, *out, *n; };

static struct arrays arrays_new(void)
{
	struct arrays s = {.k = kernel_new("pass", target_find("cpu"))};
	s.in = x_var(k_param(s.k, kt_pointer(type_scalar(T_F32), true), "in"));
	s.out = x_var(k_param(s.k, kt_pointer(type_scalar(T_F32), false), "out"));
	s.n = x_var(k_param(s.k, kt_scalar(T_I64), "n"));
	return s;
}

static char *after_passes(struct kernel *k)
{
	struct options o = {0};
	struct plan plan = {0};
	list_add(&plan.kernel, k);
	pass_cse(&plan, &o);
	pass_hoist(&plan, &o);
	char *at;
	size_t length;
	FILE *out = open_memstream(&at, &length);
	cprint_body(&k->body, &plain, 0, out);
	fclose(out);
	return at;
}

static void equal_text(char *got, const char *wanted)
{
	assert_string_equal(got, wanted);
	free(got);
}

static void computes_once(void **state)
{
	(void)state;
	struct arrays s = arrays_new();
	struct kx *in = root_of(x_at(s.in, s.n)), *out = root_of(x_at(s.out, s.n));
	struct kx *cold = x_lt(x_float(T_F32, 1), x_at(s.in, s.n));
	k_set(s.k, x_at(s.out, s.n), sum_of(sum_of(in, out), in));
	/* memory has changed; what was computed behind ?: was perhaps not computed */
	k_set(s.k, x_at(s.out, s.n), sum_of(out, x_cond(cold, root_of(in), in)));
	k_set(s.k, x_at(s.out, x_i64(0)), root_of(in));
	equal_text(after_passes(s.k),
	           "const float sqrt_of = sqrtf(in[n]);\n"
	           "out[n] = sqrt_of + sqrtf(out[n]) + sqrt_of;\n"
	           "out[n] = sqrtf(out[n]) + (1.0f < in[n] ? sqrtf(sqrt_of) : sqrt_of);\n"
	           "*out = sqrtf(sqrt_of);\n");
}

static void computes_in_each_branch(void **state)
{
	(void)state;
	struct arrays s = arrays_new();
	struct kvar *v = k_var(s.k, kt_scalar(T_F32), "v", x_float(T_F32, 2));
	struct kx *root = root_of(x_var(v));
	k_if(s.k, x_lt(s.n, x_i64(3)));
	k_set(s.k, x_at(s.out, s.n), sum_of(root, root));
	k_set(s.k, x_var(v), root);
	k_else(s.k);
	k_set(s.k, x_at(s.out, s.n), root);
	k_end(s.k);
	k_set(s.k, x_at(s.out, x_i64(0)), root);
	equal_text(after_passes(s.k),
	           "float v = 2.0f;\n"
	           "if (n < 3) {\n"
	           "\tconst float sqrt_of = sqrtf(v);\n"
	           "\tout[n] = sqrt_of + sqrt_of;\n"
	           "\tv = sqrt_of;\n"
	           "} else {\n"
	           "\tout[n] = sqrtf(v);\n"
	           "}\n"
	           "*out = sqrtf(v);\n");
}

static void computes_before_loops(void **state)
{
	(void)state;
	struct arrays s = arrays_new();
	struct kvar *sum = k_var(s.k, kt_scalar(T_F32), "sum", x_float(T_F32, 0));
	struct kvar *i = k_for(s.k, "i", x_i64(0), s.n, x_i64(1), 0);
	struct kx *varies = root_of(x_at(s.in, x_var(i)));
	k_set(s.k, x_var(sum), sum_of(x_var(sum), sum_of(varies, root_of(x_at(s.in, x_i64(0))))));
	k_if(s.k, x_lt(x_var(i), x_i64(2)));
	k_set(s.k, x_var(sum), root_of(x_at(s.in, x_i64(9))));
	k_end(s.k);
	k_end(s.k);
	k_for(s.k, "k", x_i64(0), x_i64(4), x_i64(1), 0);
	k_set(s.k, x_at(s.out, s.n), sum_of(x_at(s.out, x_i64(1)), root_of(x_at(s.in, x_i64(0)))));
	k_if(s.k, x_lt(x_i64(1), s.n));
	k_break(s.k);
	k_end(s.k);
	k_set(s.k, x_at(s.out, x_i64(0)), root_of(x_at(s.in, s.n)));
	k_end(s.k);
	/* the index varies, the branch may not be taken, `out` is written, nobody may come behind
	 * the break */
	equal_text(after_passes(s.k),
	           "float sum = 0.0f;\n"
	           "const float sqrt_of = 0 < n ? sqrtf(*in) : 0.0f;\n"
	           "for (int64_t i = 0; i < n; i++) {\n"
	           "\tsum += sqrtf(in[i]) + sqrt_of;\n"
	           "\tif (i < 2)\n"
	           "\t\tsum = sqrtf(in[9]);\n"
	           "}\n"
	           "const float sqrt_of_2 = sqrtf(*in);\n"
	           "for (int64_t k = 0; k < 4; k++) {\n"
	           "\tout[n] = out[1] + sqrt_of_2;\n"
	           "\tif (1 < n)\n"
	           "\t\tbreak;\n"
	           "\t*out = sqrtf(in[n]);\n"
	           "}\n");
}

/* ---- kircheck ---- */

static bool refused(void (*build)(struct kernel *))
{
	pid_t child = fork();
	if (child == 0) {
		fclose(stderr);
		struct kernel *k = kernel_new("refused", target_find("cuda"));
		build(k);
		kircheck(k);
		_exit(0);
	}
	int status;
	waitpid(child, &status, 0);
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void divergent_barrier(struct kernel *k)
{
	k_if(k, x_lt(x_id(ID_THREAD_X), x_i32(3)));
	k_barrier(k);
	k_end(k);
}

static void barrier_after_return(struct kernel *k)
{
	struct kvar *t = k_var(k, kt_scalar(T_I32), "t", x_id(ID_THREAD_X));
	k_if(k, x_lt(x_var(t), x_i32(3)));
	k_return(k, NULL);
	k_end(k);
	k_barrier(k);
}

/* s becomes varying only at the end of the first turn */
static void barrier_in_late_loop(struct kernel *k)
{
	struct kvar *s = k_var(k, kt_scalar(T_I32), "s", x_i32(0));
	k_for(k, "i", x_i32(0), x_i32(4), x_i32(1), 0);
	k_if(k, x_lt(x_var(s), x_i32(1)));
	k_barrier(k);
	k_end(k);
	k_set(k, x_var(s), x_id(ID_THREAD_Y));
	k_end(k);
}

static void barrier_after_break(struct kernel *k)
{
	k_for(k, "i", x_i32(0), x_i32(4), x_i32(1), 0);
	k_barrier(k);
	k_if(k, x_lt(x_id(ID_THREAD_X), x_i32(3)));
	k_break(k);
	k_end(k);
	k_end(k);
}

static void loose_register(struct kernel *k)
{
	struct kvar *r = k_regs(k, type_scalar(T_F32), "r", 4);
	struct kvar *i = k_for(k, "i", x_i32(0), x_i32(4), x_i32(1), 0);
	k_set(k, x_at(x_var(r), x_var(i)), x_float(T_F32, 0));
	k_end(k);
}

static void register_outside(struct kernel *k)
{
	struct kvar *r = k_regs(k, type_scalar(T_F32), "r", 4);
	struct kvar *i = k_for(k, "i", x_i32(0), x_i32(4), x_i32(1), FOR_UNROLL);
	k_set(k, x_at(x_var(r), x_add(x_var(i), x_i32(1))), x_float(T_F32, 0));
	k_end(k);
}

static void out_of_scope(struct kernel *k)
{
	k_scope(k);
	struct kvar *a = k_let(k, "a", x_i64(1));
	k_end(k);
	k_let(k, "b", x_var(a));
}

static void unknown_helper(struct kernel *k)
{
	k_do(k, x_help(kt_scalar(T_I32), "patc_no_such", 0, NULL));
}

static void constant_assigned(struct kernel *k)
{
	struct kvar *a = k_let(k, "a", x_i64(1));
	k_set(k, x_var(a), x_i64(2));
}

static void words_added(struct kernel *k)
{
	struct kvar *h = k_let(k, "h", x_float(T_F16, 1));
	k_let(k, "sum", x_add(x_var(h), x_var(h)));
}

/* Of n cells each thread takes 8 or, if the choice is not `even`, 2. */
static struct plan *choice_plan(bool is_read, struct kx *host)
{
	struct plan *p = NEW(struct plan);
	p->target = target_find("cuda");
	p->host = kernel_new("host", p->target);
	struct kvar *n = k_param(p->host, kt_scalar(T_I32), "n");
	struct kernel *k = kernel_new("chosen", p->target);
	struct kx *m = x_var(k_param(k, kt_scalar(T_I32), "m"));
	struct kx *out = x_var(k_param(k, kt_pointer(type_scalar(T_I32), false), "out"));
	struct kx *even = k_choice(k, "even", host ? host : x_lt(x_var(n), x_i32(9)));
	struct kx *each = is_read ? x_var(k_let(k, "each", x_cond(even, x_i32(8), x_i32(2)))) : m;
	for (int i = 0; i < 2; i++)
		k_set(k, x_at(out, x_div(m, each)), x_rem(x_add(m, x_i32(i)), each));
	kirfold(k);
	list_add(&p->kernel, k);
	struct kx *null = x_cast(out->type, x_i64(0));
	k_launch(p->host, k, NULL, NULL, NULL, 2, (struct kx *[]){ x_var(n), null });
	kirtrim(p);
	pass_cse(p, &(struct options){ 0 });
	return p;
}

static char *dumped(const struct kernel *k)
{
	char *at;
	size_t length;
	FILE *out = open_memstream(&at, &length);
	kernel_dump(k, out);
	fclose(out);
	return at;
}

/* What is divided by a constant of each instance is not kept. */
static void chooses(void **state)
{
	(void)state;
	struct plan *p = choice_plan(true, NULL);
	equal_text(dumped(p->kernel.at[0]),
	           "template <bool even>\n"
	           "kernel chosen(int32_t m, int32_t *out)\n"
	           "{\n"
	           "\tconst int32_t each = even ? 8 : 2;\n"
	           "\tout[m / each] = m % each;\n"
	           "\tout[m / each] = (m + 1) % each;\n"
	           "}\n");
	assert_non_null(p->host->body.at[0]->b);
	p = choice_plan(true, x_lt(x_i32(3), x_i32(9)));
	assert_null(p->kernel.at[0]->choice);
	p = choice_plan(false, NULL);
	assert_null(p->kernel.at[0]->choice);
	assert_null(p->host->body.at[0]->b);
}

static void refuses(void **state)
{
	(void)state;
	assert_true(refused(divergent_barrier));
	assert_true(refused(barrier_after_return));
	assert_true(refused(barrier_in_late_loop));
	assert_true(refused(barrier_after_break));
	assert_true(refused(loose_register));
	assert_true(refused(register_outside));
	assert_true(refused(out_of_scope));
	assert_true(refused(unknown_helper));
	assert_true(refused(constant_assigned));
	assert_true(refused(words_added));
}

/* Barriers in uniform flow: a loop to a parameter, a flag in shared memory, a constant flag's
 * return. */
static void accepts(void **state)
{
	(void)state;
	struct kernel *k = kernel_new("accepted", target_find("cuda"));
	struct kvar *stop = k_param(k, kt_pointer(type_scalar(T_I64), true), "stop");
	struct kvar *n = k_param(k, kt_scalar(T_I32), "n");
	k_if(k, x_ne(x_at(x_var(stop), x_i32(0)), x_i64(0)));
	k_return(k, NULL);
	k_end(k);
	struct kvar *last = k_shared(k, type_scalar(T_BOOL), "last", 1);
	struct kvar *r = k_regs(k, type_scalar(T_F32), "r", 4);
	struct kvar *u = k_for(k, "u", x_i32(0), x_i32(4), x_i32(1), FOR_UNROLL);
	k_set(k, x_at(x_var(r), x_sub(x_i32(3), x_var(u))), x_float(T_F32, 0));
	k_end(k);
	k_for(k, "i", x_i32(0), x_var(n), x_i32(1), 0);
	k_barrier(k);
	k_end(k);
	k_if(k, x_at(x_var(last), x_i32(0)));
	k_barrier(k);
	k_end(k);
	kircheck(k);
}

/* ---- one plan, three targets ---- */

static struct var *var_new(enum var_kind kind, const char *name, enum scalar type, enum mode mode)
{
	static int id;
	struct var *v = NEW(struct var);
	v->kind = kind;
	v->name = str_name(name);
	v->type = type_scalar(type);
	v->mode = mode;
	v->id = id++;
	return v;
}

static struct affine affine_one(struct var *v, int64_t coef, int64_t constant)
{
	return (struct affine){.constant = constant, .n = 1, .term = {{v, coef}}};
}

/* y = 2 x + y by vectors of four, if the host allows it, a partial maximum of every block, a ticket
 * for the last block */
static struct kernel *gpu_kernel(const struct target *t, struct kx *allowed)
{
	const struct type *f32 = type_scalar(T_F32);
	struct kernel *k = kernel_new("scale_map", t);
	k->note = "y[i] = 2 * x[i] + y[i], four cells a thread.";
	k->block[0] = t->block;
	k->block[1] = k->block[2] = 1;
	struct kvar *n = k_param(k, kt_scalar(T_I64), "n");
	struct kvar *x = k_param(k, kt_pointer(f32, true), "x");
	struct kvar *y = k_param(k, kt_pointer(f32, false), "y");
	struct kvar *part = k_param(k, kt_pointer(f32, false), "part");
	struct kvar *count = k_param(k, kt_pointer(type_scalar(T_U32), false), "count");
	struct kvar *status = k_param(k, kt_pointer(type_scalar(T_I32), false), "status");
	struct kvar *warp = k_shared(k, f32, "warp_max", t->block / t->lanes);
	struct kvar *last = k_shared(k, type_scalar(T_BOOL), "last", 1);
	struct kvar *thread = k_let(k, "thread", x_id(ID_THREAD_X));
	struct kvar *first = k_let(k, "first", x_mul(x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)),
	                     x_i64(t->block)), x_to_i64(x_var(thread))), x_i64(4)));
	struct kvar *most = k_var(k, kt(f32), "most", x_float(T_F32, -__builtin_inf()));
	k_note(k, "four cells as one vector");
	struct kx *vectors = k_choice(k, "vectors", allowed);
	k_if(k, x_and(vectors, x_le(x_add(x_var(first), x_i64(4)), x_var(n))));
	struct kvar *v = k_let(k, "v", x_vload(x_offset(x_var(x), x_var(first)), 4));
	struct kvar *w = k_var(k, kt_vector(f32, 4), "w",
	                       x_vload(x_offset(x_var(y), x_var(first)), 4));
	for (int i = 0; i < 4; i++) {
		struct kx *lane = x_lane(x_var(w), i);
		k_set(k, lane, x_add(x_mul(x_float(T_F32, 2), x_lane(x_var(v), i)), lane));
		k_set(k, x_var(most), x_max(x_var(most), lane));
	}
	k_vstore(k, x_offset(x_var(y), x_var(first)), x_var(w));
	k_else(k);
	struct kvar *i = k_for(k, "i", x_var(first), x_var(n), x_i64(1), 0);
	k_set(k, x_at(x_var(y), x_var(i)), x_at(x_var(x), x_var(i)));
	k_end(k);
	k_end(k);
	k_note(k, "the largest of the block");
	for (int d = t->lanes / 2; d > 0; d /= 2)
		k_set(k, x_var(most), x_max(x_var(most), x_help(kt(f32), "patc_shfl_down_f32", 2,
		      (struct kx *[]){x_var(most), x_i32(d)})));
	k_if(k, x_eq(x_rem(x_var(thread), x_i32(t->lanes)), x_i32(0)));
	k_set(k, x_at(x_var(warp), x_div(x_var(thread), x_i32(t->lanes))), x_var(most));
	k_end(k);
	k_barrier(k);
	k_if(k, x_eq(x_var(thread), x_i32(0)));
	k_set(k, x_at(x_var(part), x_id(ID_BLOCK_X)), x_at(x_var(warp), x_i32(0)));
	struct kx *lasts = x_cast(kt_scalar(T_U32), x_sub(x_id(ID_GRID_X), x_i32(1)));
	k_set(k, x_at(x_var(last), x_i32(0)), x_help(kt_scalar(T_BOOL), "patc_ticket", 2,
	      (struct kx *[]){x_var(count), lasts}));
	k_end(k);
	k_barrier(k);
	k_if(k, x_and(x_at(x_var(last), x_i32(0)), x_eq(x_var(thread), x_i32(0))));
	k_do(k, x_help(kt_scalar(T_I32), "patc_record", 2,
	               (struct kx *[]){ x_var(status), x_i32(ST_INDEX) }));
	k_end(k);
	return k;
}

static struct kernel *cpu_kernel(const struct target *t)
{
	const struct type *f32 = type_scalar(T_F32);
	struct kernel *k = kernel_new("scale_map", t);
	struct kvar *n = k_param(k, kt_scalar(T_I64), "n");
	struct kvar *x = k_param(k, kt_pointer(f32, true), "x");
	struct kvar *y = k_param(k, kt_pointer(f32, false), "y");
	k_param(k, kt_pointer(f32, false), "part");
	k_param(k, kt_pointer(type_scalar(T_U32), false), "count");
	struct kvar *status = k_param(k, kt_pointer(type_scalar(T_I32), false), "status");
	struct kvar *i = k_for(k, "i", x_i64(0), x_var(n), x_i64(1), FOR_PARALLEL | FOR_SIMD);
	struct kx *cell = x_at(x_var(y), x_var(i));
	k_set(k, cell, x_add(x_mul(x_float(T_F32, 2), x_at(x_var(x), x_var(i))), cell));
	k_end(k);
	k_if(k, x_lt(x_var(n), x_i64(0)));
	k_do(k, x_help(kt_scalar(T_I32), "patc_record", 2,
	               (struct kx *[]){ x_var(status), x_i32(ST_INDEX) }));
	k_end(k);
	return k;
}

static struct plan *plan_new(const struct target *t)
{
	const struct type *f32 = type_scalar(T_F32);
	struct entry *e = NEW(struct entry);
	struct var *n = var_new(VAR_SIZE, "n", T_I64, MODE_IN);
	struct var *x = var_new(VAR_PARAM, "x", T_F32, MODE_IN),
		   *y = var_new(VAR_PARAM, "y", T_F32, MODE_INOUT);
	struct var *a = var_new(VAR_PARAM, "register", T_F32, MODE_IN),
		   *s = var_new(VAR_PARAM, "s", T_F64, MODE_OUT);
	x->rank = y->rank = 1;
	x->extent[0] = affine_one(n, 2, -1);
	y->extent[0] = affine_one(n, 1, 0);
	e->name = e->c = "scale";
	list_add(&e->size, n);
	list_add(&e->param, x);
	list_add(&e->param, y);
	list_add(&e->param, a);
	list_add(&e->param, s);
	struct plan *p = NEW(struct plan);
	p->entry = e;
	p->target = t;
	p->host = kernel_new("scale", t);
	struct kvar *hn = k_param(p->host, kt_scalar(T_I64), "n");
	struct kvar *hx = k_param(p->host, kt_pointer(f32, true), "x");
	struct kvar *hy = k_param(p->host, kt_pointer(f32, false), "y");
	struct kvar *ha = k_param(p->host, kt(f32), "register");
	struct kvar *hs = k_param(p->host, kt_pointer(type_scalar(T_F64), false), "s");
	*map_at(&p->home, n) = hn;
	*map_at(&p->home, x) = hx;
	*map_at(&p->home, y) = hy;
	*map_at(&p->home, a) = ha;
	*map_at(&p->home, s) = hs;
	struct slot *part = NEW(struct slot), *count = NEW(struct slot);
	struct kx *blocks = x_div(x_add(x_var(hn), x_i64(1023)), x_i64(1024));
	part->name = "part";
	part->type = f32;
	list_add(&part->count, blocks);
	part->pointer = k_name(p->host, KV_LET, kt_pointer(f32, false), "part");
	count->name = "count";
	count->type = type_scalar(T_U32);
	count->pointer = k_name(p->host, KV_LET, kt_pointer(count->type, false), "count");
	list_add(&p->slot, part);
	list_add(&p->slot, count);
	p->records = true;
	p->status = k_name(p->host, KV_LET, kt_pointer(type_scalar(T_I32), false), "status");
	struct kx *allowed = x_eq(x_rem(x_var(hn), x_i64(4)), x_i64(0));
	struct kernel *k = t->gpu ? gpu_kernel(t, allowed) : cpu_kernel(t);
	kirfold(k);
	kircheck(k);
	list_add(&p->kernel, k);
	k_clear(p->host, x_var(count->pointer), x_i64(4));
	struct kx *limit = x_max(x_var(hn), x_i64(0));
	k_for(p->host, "t", x_i64(0), limit, x_i64(1), 0);
	k_launch(p->host, k, blocks, NULL, NULL, 6, (struct kx *[]){x_var(hn), x_var(hx), x_var(hy),
	         x_var(part->pointer), x_var(count->pointer), x_var(p->status)});
	k_end(p->host);
	kirfold(p->host);
	kircheck(p->host);
	return p;
}

static bool has(const char *tool)
{
	return system(str_print("command -v %s > /dev/null 2>&1", tool)) == 0;
}

static void compile(const char *command)
{
	int status = system(command);
	if (status != 0)
		print_error("%s\n", command);
	assert_int_equal(status, 0);
}

#define C_WARNINGS "-Wall -Wextra -Wconversion -Wshadow -Wpedantic -Werror"

static void compile_c(const char *folder, const char *file)
{
	const char *cc = getenv("CC") ? getenv("CC") : "cc";
	compile(str_print("cd %s && %s -std=c11 -O2 " C_WARNINGS " -c %s -o c.o", folder, cc,
	                  file));
	compile(str_print("cd %s && %s -std=c11 -O2 -fopenmp " C_WARNINGS " -c %s -o c.o", folder,
	                  cc, file));
	if (has("clang-19"))
		compile(str_print("cd %s && clang-19 -std=c11 -O2 " C_WARNINGS " -c %s -o c.o",
		                  folder, file));
}

/* HIP_FLAGS: what clang++-19 needs to find HIP and its device libraries. */
static void compile_gpu(const char *folder, const char *file)
{
	bool hip = strstr(file, ".hip") != NULL;
	if (hip ? !getenv("HIP_FLAGS") || !has("clang++-19") : !has("nvcc"))
		print_message("%s: not compiled, %s\n", file,
		              hip ? "no clang++-19 or HIP_FLAGS" : "no nvcc");
	if (!hip && has("nvcc"))
		compile(str_print(
			"cd %s && nvcc -arch=sm_90 -Werror all-warnings -cubin %s -o c.cubin && "
			"nvcc -arch=sm_75 -Werror all-warnings -Xcompiler "
		        "-Wall,-Wextra,-Wno-unused-parameter -c %s -o c.o",
			folder, file, file));
	if (hip && getenv("HIP_FLAGS") && has("clang++-19"))
		for (int i = 0; i < 2; i++)
			compile(str_print("cd %s && clang++-19 -x hip %s -O2 -Wall -Wextra -Werror "
			                  "-Wno-unused-command-line-argument"
			                  " --offload-arch=%s --cuda-device-only "
			                  "--no-gpu-bundle-output -c %s -o c.co",
			                  folder, getenv("HIP_FLAGS"), i ? "gfx942" : "gfx90a",
			                  file));
	if (hip && getenv("HIP_FLAGS") && has("clang++-19"))
		compile(str_print("cd %s && clang++-19 -x hip %s -O2 -Wall -Wextra -Werror "
		                  "-Wno-unused-command-line-argument"
		                  " --offload-arch=gfx90a --cuda-host-only -c %s -o c.o",
		                  folder, getenv("HIP_FLAGS"), file));
}

static char *folder_new(void)
{
	char *folder = str_print("%s/patc-kir-XXXXXX",
	                         getenv("TMPDIR") ? getenv("TMPDIR") : "/tmp");
	assert_non_null(mkdtemp(folder));
	return folder;
}

static FILE *file_open(const char *folder, const char *name)
{
	FILE *out = fopen(str_print("%s/%s", folder, name), "w");
	assert_non_null(out);
	return out;
}

static void three_targets(void **state)
{
	(void)state;
	for (int i = 0; targets[i]; i++) {
		const struct target *t = targets[i];
		char *folder = folder_new();
		struct plan *p = plan_new(t);
		struct program program = {.path = "some/where/scale.pat"};
		struct entry *entry = (struct entry *)p->entry;
		list_add(&program.entry, entry);
		struct options options = {.target = t, .header = "scale.h"};
		FILE *out = file_open(folder, "scale.h");
		header_print(&program, &options, "scale.h", out);
		fclose(out);
		char *file = str_print("scale%s", t->suffix);
		out = file_open(folder, file);
		t->print(&program, &p, 1, &options, out);
		fclose(out);
		compile(str_print("cd %s && cc -std=c99 " C_WARNINGS
		                  " -fsyntax-only -x c scale.h && "
		                  "c++ -std=c++11 " C_WARNINGS " -fsyntax-only -x c++ scale.h",
		                  folder));
		if (t->gpu)
			compile_gpu(folder, file);
		else
			compile_c(folder, file);
		if (!getenv("KEEP"))
			compile(str_print("rm -r %s", folder));
	}
}

/* The header of --helpers holds every helper, and nothing in it is a warning where it is not used.
 * */
static void every_helper(void **state)
{
	(void)state;
	for (int i = 0; targets[i]; i++) {
		const struct target *t = targets[i];
		char *folder = folder_new(), *file = str_print("all%s", t->suffix);
		FILE *out = file_open(folder, "all.h");
		t->helpers(t, out);
		fclose(out);
		out = file_open(folder, file);
		fprintf(out, "#include \"all.h\"\n#include \"all.h\"\nint used(void);\nint "
		             "used(void) { return 0; }\n");
		fclose(out);
		if (t->gpu)
			compile_gpu(folder, file);
		else
			compile(str_print("cd %s && cc -std=c11 " C_WARNINGS " -c %s -o c.o",
			                  folder, file));
		compile(str_print("rm -r %s", folder));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(prints),
		cmocka_unit_test(folds),
		cmocka_unit_test(names),
		cmocka_unit_test(names_by_scope),
		cmocka_unit_test(drops_the_unread),
		cmocka_unit_test(says_nothing_twice),
		cmocka_unit_test(computes_once),
		cmocka_unit_test(computes_in_each_branch),
		cmocka_unit_test(computes_before_loops),
		cmocka_unit_test(chooses),
		cmocka_unit_test(refuses),
		cmocka_unit_test(accepts),
		cmocka_unit_test(three_targets),
		cmocka_unit_test(every_helper),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
