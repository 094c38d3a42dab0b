/* Kernel text: what it makes, which names it sees, what it refuses; and the syntax of all texts
 * there are. */
#include "ktext_impl.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct kernel *kernel(void)
{
	struct kernel *k = kernel_new("test", target_find("cuda"));
	k_bind(k, "thread", x_id(ID_THREAD_X));
	return k;
}

/* The body that a text makes of an empty kernel, as dumped. */
static char *body(struct kernel *k, const char *text)
{
	ktext_source(k, text);
	kircheck(k);
	FILE *out = text_open();
	kernel_dump(k, out);
	char *dump = text_close(out), *open = strstr(dump, "{\n");
	*strrchr(dump, '}') = 0;
	return open + 2;
}

static void makes_statements(void **state)
{
	(void)state;
	struct kernel *k = kernel();
	k_bind(k, "x", k_param(k, kt_pointer(type_scalar(T_F32), false), "x"));
	k_bind(k, "n", k_param(k, kt_scalar(T_I64), "n"));
	assert_string_equal(body(k,
		"// every other cell\n"
		"f32 sum = 0;\n"
		"for (i64 i = i64(block.x) * 256 + thread; i < n; i += 2) {\n"
		"	if (i > 4 && !(x[i] == 0.5))\n"
		"		sum += x[i]; /* not a note */\n"
		"	else\n"
		"		continue;\n"
		"}\n"
		"while (sum < 1)\n"
		"	sum = sum * 2;\n"
		"barrier;\n"
		"x[0] = max(sum, -1.5);\n"
		"return;\n"),
		"\t/* every other cell */\n"
		"\tfloat sum = 0.0f;\n"
		"\tfor (int64_t i = (int64_t)block.x * 256 + (int64_t)thread.x; i < n; i += 2) {\n"
		"\t\tif (i > 4 && !(x[i] == 0.5f))\n"
		"\t\t\tsum += x[i];\n"
		"\t\telse\n"
		"\t\t\tcontinue;\n"
		"\t}\n"
		"\twhile (sum < 1.0f)\n"
		"\t\tsum *= 2.0f;\n"
		"\tbarrier;\n"
		"\t*x = fmaxf(sum, -1.5f);\n"
		"\treturn;\n");
}

static void fills_holes(void **state)
{
	(void)state;
	struct kernel *k = kernel();
	struct kx *listed[] = { x_i32(5), x_i32(6) },
		  *room[] = { x_int(T_INT_LIT, 0), x_int(T_INT_LIT, 1) };
	k_numbers(k, "EACH, WIDE, ROUNDS, LAST", 4, false, 2, 1);
	k_bind(k, "KEY", type_scalar(T_U16));
	k_bind(k, "word", "column");
	bind_values(k, "part", 2, listed);
	bind_values(k, "ROOM", 2, room);
	assert_string_equal(body(k,
		"%KEY key[EACH];\n"
		"shared u32 count[EACH * 2 + 1];\n"
		"if (WIDE)\n"
		"	barrier;\n"
		"%KEY next[EACH];\n"
		"unroll for (i32 e = 0; e < EACH; e++)\n"
		"	key[e] = WIDE ? unknown : 7;\n"
		"if (!WIDE || unknown)\n"
		"	if (!(WIDE && unknown))\n"
		"		key[0] = 1;\n"
		"if (WIDE) { u64 a = nobody(knows); } else if (EACH == 4)\n"
		"	count[0] = 1;\n"
		"const i64 word = thread;\n"
		"each (part) i32 own = part;\n"
		"each (part) { own += part; count[own] = u32(word); }\n"
		"each (part == 1) each (e < 2) own += part * e;\n"
		"each (part) each (e < ROOM) key[e] = 1;\n"
		"own@1 = own@0;\n"
		"let rest = thread;\n"
		"each back (part) const i32 place = rest % part;\n"
		"each back (part) const i32 rest = rest / part;\n"
		"each (part) count[place] = u32(rest);\n"
		"each (part) const i32 rest = rest + part;\n"
		"each (n < ROUNDS) each (part) i32 sum = part + n;\n"
		"each (n < ROUNDS) const i32 first = n;\n"
		"each (n < ROUNDS) each (part) sum@n = first@n;\n"
		"each (part == 1) for (i32 q = part; q < 9; q++) own += q;\n"
		"own@1 = own@LAST;\n"),
		"\tuint16_t key[4];\n"
		"\tshared uint32_t count[9];\n"
		"\tuint16_t next[4];\n"
		"\tunroll\n"
		"\tfor (int32_t e = 0; e < 4; e++)\n"
		"\t\tkey[e] = 7;\n"
		"\tkey[0] = 1;\n"
		"\tcount[0] = 1u;\n"
		"\tconst int64_t column = (int64_t)thread.x;\n"
		"\tint32_t own = 5;\n"
		"\tint32_t own_2 = 6;\n"
		"\town += 5;\n"
		"\tcount[own] = (uint32_t)column;\n"
		"\town_2 += 6;\n"
		"\tcount[own_2] = (uint32_t)column;\n"
		"\town_2 += 6 * 0;\n"
		"\town_2 += 6 * 1;\n"
		"\tkey[0] = 1;\n"
		"\town_2 = own;\n"
		"\tconst int32_t place = thread.x % 6;\n"
		"\tconst int32_t place_2 = thread.x % 5;\n"
		"\tconst int32_t rest = thread.x / 6;\n"
		"\tconst int32_t rest_2 = rest / 5;\n"
		"\tcount[place_2] = (uint32_t)rest_2;\n"
		"\tcount[place] = (uint32_t)rest;\n"
		"\tconst int32_t rest_3 = rest_2 + 5;\n"
		"\tconst int32_t rest_4 = rest_3 + 6;\n"
		"\tint32_t sum = 5 + 0;\n"
		"\tint32_t sum_2 = 6 + 0;\n"
		"\tint32_t sum_3 = 5 + 1;\n"
		"\tint32_t sum_4 = 6 + 1;\n"
		"\tconst int32_t first = 0;\n"
		"\tconst int32_t first_2 = 1;\n"
		"\tsum = first;\n"
		"\tsum_2 = first;\n"
		"\tsum_3 = first_2;\n"
		"\tsum_4 = first_2;\n"
		"\tfor (int32_t q = 6; q < 9; q++)\n"
		"\t\town_2 += q;\n"
		"\town_2 = own_2;\n");
}

static struct kx *twice(struct lowering *l, const void *by, struct kx *const *arg)
{
	(void)l;
	return x_mul(arg[0], x_i32(*(const int *)by));
}

static void calls_functions(void **state)
{
	(void)state;
	struct kernel *k = kernel();
	int two = 2;
	k_bind_calls(k, &two, { "twice", twice }, { "double", twice });
	assert_string_equal(body(k,
		"let there = thread + 1;\n"
		"const i32 a = twice(double(there));\n"
		"const i64 b = div_up(a, 4);\n"
		"const u32 bits = 8;\n"
		"const i32 c = popcount(bits) + shfl_up(a, 1);\n"
		"patc_warp_sync();\n"),
		"\tconst int32_t a = (thread.x + 1) * 2 * 2;\n"
		"\tconst int64_t b = ((int64_t)a + 3) / 4;\n"
		"\tconst uint32_t bits = 8u;\n"
		"\tconst int32_t c = patc_popcount_u32(bits) + patc_shfl_up_i32(a, 1);\n"
		"\tpatc_warp_sync();\n");
}

/* Names are those of bodies that are open, and of no other text. */
static struct kx *new_pair(struct lowering *l, const void *pair, struct kx *const *arg)
{
	(void)l, (void)arg;
	return k_object((void *)pair);
}

static struct kx *second(struct lowering *l, const void *state, struct kx *const *arg)
{
	(void)l, (void)state;
	return x_i32(((const int *)k_object_of(arg[0]))[1]);
}

static void hands_objects_on(void **state)
{
	(void)state;
	struct kernel *k = kernel();
	static const int pair[] = { 7, 8 };
	k_bind_calls(k, pair, { "pair", new_pair }, { "second", second });
	assert_string_equal(body(k, "let p = pair();\nconst i32 a = second(p);\n"),
	                    "\tconst int32_t a = 8;\n");
}

static void forgets_names(void **state)
{
	(void)state;
	struct kernel *k = kernel();
	int names = k_names(k);
	k_scope(k);
	k_bind(k, "inner", x_i32(1));
	assert_int_equal(k_get(k, "inner")->i, 1);
	k_bind(k, "inner", x_i32(2));
	assert_int_equal(k_get(k, "inner")->i, 2);
	k_end(k);
	k_bind(k, "outer", x_i32(3));
	assert_int_equal(k_get(k, "outer")->i, 3);
	k_forget(k, names);
	assert_int_equal(k_names(k), names);
}

static const char *const wrong[] = {
	"i32 a = b;",
	"i32 a = 1; i64 b = a; i32 c = b;",
	"{ i32 a = 1; } i32 b = a;",
	"i32 a[thread];",
	"nothing(1);",
	"const i32 a = 1 / 0;",
	"%KEY a;",
	"patc_warp_sync(1);",
	"const i32 a = thread.n;",
	"i32 a = thread@0;",
	"each (thread) barrier;",
	"for (i32 i = 0; j < 3; i++) barrier;",
	"i32 a = 1",
	"i32 a = #;",
	"{ barrier;",
};

static void refuses(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		pid_t child = fork();
		if (child == 0) {
			fclose(stderr);
			signal(SIGABRT, SIG_DFL);
			ktext_source(kernel(), wrong[i]);
			_exit(0);
		}
		int status = 0;
		waitpid(child, &status, 0);
		if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
			fail_msg("not refused: %s", wrong[i]);
	}
}

static void every_text(void **state)
{
	(void)state;
	ktext_check();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makes_statements),
		cmocka_unit_test(fills_holes),
		cmocka_unit_test(calls_functions),
		cmocka_unit_test(hands_objects_on),
		cmocka_unit_test(forgets_names),
		cmocka_unit_test(refuses),
		cmocka_unit_test(every_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
