/* test_laws.c - the laws of operators: classic ones hold, classic mistakes are refuted by an
 * example that a reader can check by hand. */
#include "patc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char said[1 << 16];

/* What sema says about a program; returns the number of errors. */
static int errors_of(const char *text)
{
	char path[] = "/tmp/test_laws_XXXXXX", seen[] = "/tmp/test_seen_XXXXXX";
	struct options o = { 0 };
	int before = diag_errors(), fd = mkstemp(path), to = mkstemp(seen),
	    old = dup(STDERR_FILENO);
	assert_true(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	fflush(stderr);
	dup2(to, STDERR_FILENO);
	struct ast_file *tree = parse_file(path, &o);
	if (diag_errors() == before)
		sema_check(tree, path, &o);
	fflush(stderr);
	dup2(old, STDERR_FILENO);
	ssize_t n = pread(to, said, sizeof said - 1, 0);
	said[n > 0 ? n : 0] = '\0';
	close(fd), close(to), close(old);
	unlink(path), unlink(seen);
	return diag_errors() - before;
}

static void good(const char *op)
{
	if (errors_of(op))
		fail_msg("%s\nis refused:\n%s", op, said);
}

/* Refused once, with this text in the message. */
static void bad(const char *op, const char *text)
{
	int n = errors_of(op);
	if (n != 1 || !strstr(said, text))
		fail_msg("%s\ngives %d errors, wanted is one with: %s\n%s", op, n, text, said);
}

/* ---- what holds ---- */

#define LSE(T, half) "op lse(a: " T ", b: " T ") -> " T " = a == b ? a + " half \
	" : max(a, b) + log1p(exp(-abs(a - b)))\n"

/* Two equal values, two infinities, inf - inf in the branch not taken; 64 ulp cover 0.69314718. */
static void logarithmic_sums_hold(void **state)
{
	(void)state;
	good(LSE("f32", "0.69314718") "identity -inf, associative, commutative;");
	good(LSE("f64", "0.69314718055994530942") "identity -inf, associative, commutative;");
	good(LSE("f32", "0.69314718") "identity -inf;\n"
	     "op plus(a: f32, b: f32) -> f32 = a + b identity 0, distributes over lse;");
}

/* Overflow, inf - inf, 0 * inf and cancellation are all in the samples. */
static void float_arithmetic_holds(void **state)
{
	(void)state;
	good("op plus(a: f32, b: f32) -> f32 = a + b\n"
	     "identity 0, associative, commutative, distributes over min, distributes over max;");
	good("op plus(a: f64, b: f64) -> f64 = a + b identity 0, associative, commutative;");
	good("op times(a: f32, b: f32) -> f32 = a * b\n"
	     "identity 1, associative, commutative, distributes over sum;");
	good("op times(a: f64, b: f64) -> f64 = a * b\n"
	     "identity 1, associative, commutative, distributes over sum;");
	good("op hyp(a: f32, b: f32) -> f32 = sqrt(a * a + b * b) associative, commutative;");
	good("op top(a: f32, b: f32) -> f32 = max(a, b) identity -inf, associative, commutative;");
	good("op mid(a: f64, b: f64) -> f64 = 0.5 * (a + b) commutative;");
}

static void integers_hold(void **state)
{
	(void)state;
	good("op gcd(a: u32, b: u32) -> u32 {\n"
	     "\tvar x = a;\n\tvar y = b;\n"
	     "\twhile y != 0 { let r = x % y; x = y; y = r; }\n"
	     "\treturn x;\n} identity 0, associative, commutative;");
	good("op sat(a: u8, b: u8) -> u8 = a > 255 - b ? 255 : u8(a + b)\n"
	     "identity 0, associative, commutative;");
	good("op odd(a: u64, b: u64) -> u64 = a ^ b identity 0, associative, commutative;");
	good("op both(a: i16, b: i16) -> i16 = a & b identity -1, associative, commutative;");
	good("op ring(a: u32, b: u32) -> u32 = u32((u64(a % 7919) + u64(b % 7919)) % 7919)\n"
	     "associative, commutative;");
	good("op second(a: i32, b: i32) -> i32 = b associative;");
	good("op first(a: i8, b: i8) -> i8 = a != 0 ? a : b identity 0, associative;");
	good("op wrap(a: i32, b: i32) -> i32 = a * b\n"
	     "identity 1, associative, commutative, distributes over sum;");
	good("op odd(a: bool, b: bool) -> bool = a != b identity false, associative, commutative;");
	good("op also(a: bool, b: bool) -> bool = a && b identity true, distributes over any;");
}

/* 2x2 matrices of bytes in a u32, complex numbers of 32-bit halves in a u64. */
static void packed_values_hold(void **state)
{
	(void)state;
	good("fn at(m: u32, k: u32) -> u32 = m >> (8 * k) & 255;\n"
	     "fn cell(a: u32, b: u32, i: u32, j: u32) -> u32 =\n"
	     "\t((at(a, 2 * i) * at(b, j) + at(a, 2 * i + 1) * at(b, 2 + j)) & 255)\n"
	     "\t<< (16 * i + 8 * j);\n"
	     "op mat(a: u32, b: u32) -> u32 =\n"
	     "\tcell(a, b, 0, 0) | cell(a, b, 0, 1) | cell(a, b, 1, 0) | cell(a, b, 1, 1)\n"
	     "identity 16777217, associative;");
	good("fn re(z: u64) -> u64 = z & 4294967295;\nfn im(z: u64) -> u64 = z >> 32;\n"
	     "op cmul(a: u64, b: u64) -> u64 = ((re(a) * re(b) - im(a) * im(b)) & 4294967295)\n"
	     "\t| (re(a) * im(b) + im(a) * re(b)) << 32\n"
	     "identity 1, associative, commutative;");
}

/* ---- what does not ---- */

static void false_floats_are_refuted(void **state)
{
	(void)state;
	bad("op sub(a: f32, b: f32) -> f32 = a - b associative;",
	    "op sub: not associative: sub(sub(1, 1), 1) = -1, but sub(1, sub(1, 1)) = 1");
	bad("op mid(a: f32, b: f32) -> f32 = 0.5 * (a + b) associative;",
	    "op mid: not associative: mid(");
	bad("op far(a: f32, b: f32) -> f32 = max(abs(a), abs(b)) identity 0;",
	    "op far: `identity 0` does not hold: far(0, -1) = 1, not -1");
	bad("op near(a: f64, b: f64) -> f64 = a + b * 1.000000001 commutative;", "not commutative");
	bad("op rest(a: f32, b: f32) -> f32 = fmod(a, 3) - fmod(b, 3) associative;",
	    "not associative");
	bad("op whole(a: f64, b: f64) -> f64 = floor(a) - floor(b) associative;",
	    "not associative");
	bad(LSE("f64", "0.69314718") "associative;", "op lse: not associative: lse(lse(");
	bad("op top(a: f32, b: f32) -> f32 = max(a, b) distributes over sum;",
	    "op top: does not distribute over sum: top(1, 1 + 0) = 1, but top(1, 1) + top(1, 0) = "
	    "2");
}

/* NaN on one side: par(inf, 1) is inf / inf; equal infinities make inf - inf. */
static void nan_on_one_side_refutes(void **state)
{
	(void)state;
	bad("op par(a: f32, b: f32) -> f32 = a * b / (a + b) identity inf;",
	    "op par: `identity inf` does not hold: par(inf, 1) = nan, not 1");
	bad("op lse(a: f32, b: f32) -> f32 = max(a, b) + log1p(exp(-abs(a - b))) identity -inf;",
	    "op lse: `identity -inf` does not hold: lse(-inf, -inf) = nan, not -inf");
}

static void false_integers_are_refuted(void **state)
{
	(void)state;
	bad("op sat(a: i8, b: i8) -> i8 = i8(clamp(i16(a) + i16(b), -128, 127))\n"
	    "identity 0, associative, commutative;", "op sat: not associative: sat(sat(");
	bad("op second(a: i32, b: i32) -> i32 = b associative, commutative;",
	    "op second: not commutative: second(1, 2) = 2, but second(2, 1) = 1");
	bad("op nand(a: bool, b: bool) -> bool = !(a && b) associative;",
	    "not associative: nand(nand(");
	bad("op odd(a: u32, b: u32) -> u32 = a == 16777217 ? 7 : a + b identity 0;",
	    "odd(16777217, 0) = 7, not 16777217");
	bad("op plus(a: i32, b: i32) -> i32 = a + b distributes over max;",
	    "does not distribute over max");
	bad("op plus(a: i32, b: i32) -> i32 = a + b distributes over any;",
	    "`any` does not take i32");
	bad("op edge(a: u64, b: u64) -> u64 = a == u64.max ? 0 : max(a, b) commutative;",
	    "18446744073709551615");
}

static void assumed_laws_are_not_tested(void **state)
{
	(void)state;
	good("op sub(a: f32, b: f32) -> f32 = a - b assume identity 0, assume associative;");
	good("op spin(a: u32, b: u32) -> u32 { while true { } return a; } assume associative;");
}

/* ---- under a condition ---- */

#define PREFIX "struct P { sum, best: f32 }\n" \
	"op then(p: P, q: P) -> P = P(p.sum + q.sum, max(p.best, p.sum + q.best))\n"
#define CLAMPED "op more(a: i8, b: i8) -> i8 = i8(clamp(i16(a) + i16(b), -128, 127))\n"
#define MATRIX "struct M { a, b, c, d: i32 }\n" \
	"op mul(x: M, y: M) -> M = M(x.a * y.a + x.b * y.c, x.a * y.b + x.b * y.d,\n" \
	"\tx.c * y.a + x.d * y.c, x.c * y.b + x.d * y.d) identity M(1, 0, 0, 1), associative"

static void laws_hold_under_a_condition(void **state)
{
	(void)state;
	bad(PREFIX "identity P(0, 0), associative;", "op then: `identity P(0, 0)` does not hold");
	good(PREFIX "identity P(0, 0), associative for v where v.best >= v.sum && v.best >= 0;");
	bad(CLAMPED "identity 0, associative, commutative;", "op more: not associative");
	good(CLAMPED "identity 0, associative, commutative for v where v >= 0;");
	good(CLAMPED "identity 0, associative for v where v >= 0 && more(v, 0) == v;");
	good("op top(a: i32, b: i32) -> i32 = max(a, b) identity 0, associative for v where v >= 0;");
	good(MATRIX " for v where v.a * v.d - v.b * v.c == 1;");
	bad(MATRIX ", commutative for v where v.a * v.d - v.b * v.c == 1;", "not commutative: mul(M(");
}

/* Two values, in 8 bits; four numbers below four. */
static void few_values_are_all_tried(void **state)
{
	(void)state;
	good("op odd(a: u8, b: u8) -> u8 = (a + b) % 2 identity 0, associative for v where v < 2;");
	bad("op not(a: u8, b: u8) -> u8 = 1 - a * b associative for v where v < 2;",
	    "not associative: not(not(");
	bad("op last(a: u8, b: u8) -> u8 = b commutative for v where v == 7 || v == 9;",
	    "not commutative: last(7, 9) = 9, but last(9, 7) = 7");
}

static void conditions_are_kept(void **state)
{
	(void)state;
	bad("op most(a: i32, b: i32) -> i32 = max(a, b) identity i32.min, associative\n"
	    "for v where v >= 0;",
	    "op most: the identity does not satisfy the condition: -2147483648");
	bad("op near(a: i32, b: i32) -> i32 = a + b identity 0, associative for v where v < 1000;",
	    "op near: a result does not satisfy the condition: near(");
	bad(PREFIX "identity P(0, 0), associative for v where v.best >= 0 && v.best <= 4096;",
	    "op then: a result does not satisfy the condition: then(P(");
	bad("op add(a: u8, b: u8) -> u8 = a + b associative, commutative for v where v % 2 == 0;\n"
	    "op one(a: u8, b: u8) -> u8 = 1 distributes over add;",
	    "op one: a result does not satisfy the condition of `add`: one(");
}

static void too_few_values_are_told(void **state)
{
	(void)state;
	bad("op add(a: f32, b: f32) -> f32 = a + b associative for v where v == 1.2345;",
	    "op add: its laws cannot be tested: 1 of 4096 values that were tried satisfy the "
	    "condition, "
	    "but 16 are needed");
	bad("op add(a: f32, b: f32) -> f32 = a + b associative for v where false;", "0 of 4096");
	good("op add(a: f32, b: f32) -> f32 = a + b assume associative for v where false;");
	bad("fn spin(v: u32) -> bool { while true { } return true; }\n"
	    "op add(a: u32, b: u32) -> u32 = a + b associative for v where spin(v);",
	    "op add: the condition of its laws cannot be tested: the test takes too long");
}

/* Only under a condition: sums of maxima overflow, and no condition that is kept bounds them. */
static void overflow_says_nothing(void **state)
{
	(void)state;
	good("struct Q { sum, best: i32 }\n"
	     "op then(p: Q, q: Q) -> Q = Q(p.sum + q.sum, max(p.best, p.sum + q.best))\n"
	     "identity Q(0, 0), associative for v where v.best >= v.sum && v.best >= 0;");
	bad("struct Q { sum, best: u32 }\n"
	    "op then(p: Q, q: Q) -> Q = Q(p.sum + q.sum, max(p.best, p.sum + q.best))\n"
	    "identity Q(0, 0), associative for v where v.best >= v.sum;",
	    "op then: a result does not satisfy the condition");
}

/* An endless loop, and 2^30 calls without one. */
static void bounded_time(void **state)
{
	char text[4096] = "fn g0(x: u32) -> u32 = x;\n";
	(void)state;
	bad("op spin(a: u32, b: u32) -> u32 { while true { } return a; } associative;",
	    "op spin: `associative` cannot be tested: the test takes too long");
	for (int k = 1; k <= 30; k++)
		snprintf(text + strlen(text), sizeof text - strlen(text),
		         "fn g%d(x: u32) -> u32 = g%d(g%d(x));\n", k, k - 1, k - 1);
	strcat(text, "op slow(a: u32, b: u32) -> u32 = g30(a) associative;\n");
	bad(text, "cannot be tested: the test takes too long");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(logarithmic_sums_hold),
		cmocka_unit_test(float_arithmetic_holds),
		cmocka_unit_test(integers_hold),
		cmocka_unit_test(packed_values_hold),
		cmocka_unit_test(false_floats_are_refuted),
		cmocka_unit_test(nan_on_one_side_refutes),
		cmocka_unit_test(false_integers_are_refuted),
		cmocka_unit_test(assumed_laws_are_not_tested),
		cmocka_unit_test(laws_hold_under_a_condition),
		cmocka_unit_test(few_values_are_all_tried),
		cmocka_unit_test(conditions_are_kept),
		cmocka_unit_test(too_few_values_are_told),
		cmocka_unit_test(overflow_says_nothing),
		cmocka_unit_test(bounded_time),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
