/* test_lanes.c - how the lanes of a warp access memory (src/kir/kirlanes.c, kirvalue.c,
 * kiraccess.c): of an index, which kind of access a load at it is, and how many bytes move for one
 * that is used. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kirlanes.h"

struct place { struct kernel *k; struct kx *a, *index, *m, *thread; };

static struct place place_new(int threads_x, int threads_y)
{
	struct place s = { .k = kernel_new("lanes", target_find("cuda")) };
	s.k->block[0] = threads_x, s.k->block[1] = threads_y, s.k->block[2] = 1;
	s.a = x_var(k_param(s.k, kt_pointer(type_scalar(T_F32), true), "a"));
	s.index = x_var(k_param(s.k, kt_pointer(type_scalar(T_I64), true), "index"));
	s.m = x_var(k_param(s.k, kt_scalar(T_I64), "m"));
	s.thread = x_to_i64(x_id(ID_THREAD_X));
	return s;
}

/* Of the load of `a` there. */
static struct access load(struct place *s, struct kx *at)
{
	k_let(s->k, "value", x_at(s->a, at));
	const struct accesses all = kir_accesses(s->k);
	for (int i = 0; i < all.at.n; i++)
		if (all.at.at[i].array == s->a->var)
			return all.at.at[i];
	fail();
	return (struct access){ 0 };
}

static void is(struct access got, enum access_kind kind, int64_t stride, double moved)
{
	assert_int_equal(got.kind, kind);
	assert_int_equal(got.stride, stride);
	assert_true(got.moved == moved);
}

#define OF(x, kind, stride, moved)                                                                 \
	do {                                                                                       \
		struct place s = place_new(256, 1);                                                \
		struct kx *t = s.thread, *m = s.m;                                                 \
		(void)m;                                                                           \
		is(load(&s, x), kind, stride, moved);                                              \
	} while (0)

static void one_axis(void **state)
{
	(void)state;
	const double sector = target_find("cuda")->sector;
	OF(t, ACCESS_COALESCED, 0, 1);
	OF(x_sub(m, t), ACCESS_COALESCED, 0, 1);
	OF(x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(256)), t), ACCESS_COALESCED, 0, 1);
	OF(x_mul(t, x_i64(2)), ACCESS_STRIDED, 8, 2);
	OF(x_mul(t, x_i64(1000)), ACCESS_STRIDED, 4000, sector / 4);
	OF(x_mul(t, m), ACCESS_STRIDED, 0, sector / 4);
	OF(x_div(t, x_i64(32)), ACCESS_BROADCAST, 0, 1);
	OF(x_rem(t, x_i64(32)), ACCESS_COALESCED, 0, 1);
	OF(x_add(x_mul(x_div(t, x_i64(8)), m), x_rem(t, x_i64(8))), ACCESS_STRIDED, 0,
	   sector / (8 * 4));
	OF(x_add(x_mul(x_div(t, x_i64(16)), m), x_rem(t, x_i64(16))), ACCESS_COALESCED, 0, 1);
	OF(x_min(t, x_sub(m, x_i64(1))), ACCESS_COALESCED, 0, 1);
	OF(x_rem(t, m), ACCESS_COALESCED, 0, 1);
	OF(x_op(OP_XOR, t, x_i64(5)), ACCESS_OPEN, 0, 1);
}

static void two_axes(void **state)
{
	(void)state;
	struct place s = place_new(16, 16);
	struct kx *row = x_mul(x_to_i64(x_id(ID_THREAD_Y)), s.m);
	is(load(&s, x_add(row, s.thread)), ACCESS_COALESCED, 0, 1);
	s = place_new(256, 2);
	is(load(&s, x_to_i64(x_id(ID_THREAD_Y))), ACCESS_BROADCAST, 0, 1);
}

static void by_data(void **state)
{
	(void)state;
	const double sector = target_find("cuda")->sector;
	struct place s = place_new(256, 1);
	is(load(&s, x_at(s.index, s.thread)), ACCESS_RANDOM, 0, sector / 4);
	s = place_new(256, 1);
	is(load(&s, x_at(s.index, s.m)), ACCESS_BROADCAST, 0, 1);
	s = place_new(256, 1);
	k_if(s.k, x_lt(x_at(s.index, s.thread), s.m));
	k_end(s.k);
	assert_int_equal(kir_accesses(s.k).branches, 1);
}

/* What a variable is given in loops and branches; cells of unrolled loops are neighbours. */
static void by_statements(void **state)
{
	(void)state;
	struct place s = place_new(256, 1);
	struct kvar *i = k_for(s.k, "i", s.thread, s.m, x_i64(256), 0);
	is(load(&s, x_var(i)), ACCESS_COALESCED, 0, 1);
	s = place_new(256, 1);
	struct kvar *e = k_for(s.k, "e", x_i64(0), x_i64(4), x_i64(1), FOR_UNROLL);
	is(load(&s, x_add(x_mul(s.thread, x_i64(4)), x_var(e))), ACCESS_COALESCED, 0, 1);
	s = place_new(256, 1);
	struct kvar *at = k_var(s.k, kt_scalar(T_I64), "at", s.thread);
	k_while(s.k, x_lt(x_var(at), s.m));
	k_set(s.k, x_var(at), x_add(x_var(at), s.thread));
	is(load(&s, x_var(at)), ACCESS_OPEN, 0, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_axis),
		cmocka_unit_test(two_axes),
		cmocka_unit_test(by_data),
		cmocka_unit_test(by_statements),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
