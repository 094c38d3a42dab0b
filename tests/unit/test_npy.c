/* test_npy.c - arrays in NumPy's format: every type survives a round trip, and a file that is not
 * what it says is refused with its reason. */
#include "npy.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/test_npy_XXXXXX";

static void put_file(const void *bytes, size_t n)
{
	FILE *f = fopen(path, "wb");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, n, f), n);
	fclose(f);
}

static const struct type *atom(void)
{
	static struct record r = { .name = "Atom", .size = 24, .align = 8 };
	int64_t two[] = { 2 };
	if (!r.field.n) {
		list_add(&r.field, ((struct field){ "c", type_scalar(T_U8), 0 }));
		list_add(&r.field,
		         ((struct field){ "f", type_array(type_scalar(T_F32), 1, two), 4 }));
		list_add(&r.field, ((struct field){ "e", type_scalar(T_F64), 16 }));
	}
	return type_struct(&r);
}

/* ---- what is written is read again ---- */

static void round_trip(const struct type *t, int rank, const int64_t *extent, int64_t cells)
{
	size_t bytes = (size_t)(cells * type_size(t));
	unsigned char *data = calloc(bytes + 1, 1), *again = calloc(bytes + 1, 1);
	for (size_t i = 0; i < bytes; i++)
		data[i] = (unsigned char)(t->kind == T_BOOL ? i % 2 : i * 37 + 1);
	FILE *f = fopen(path, "wb");
	npy_write(t, rank, extent, data, cells, f);
	assert_int_equal(ftell(f) % 64, (long)bytes % 64);
	fclose(f);
	struct array_file a;
	assert_null(array_open(&a, path, false, t).why);
	assert_int_equal(a.rank, rank);
	for (int k = 0; k < rank; k++)
		assert_int_equal(a.extent[k], extent[k]);
	assert_false(a.fortran);
	assert_null(array_read(&a, t, cells, again).why);
	assert_memory_equal(data, again, bytes);
	free(data);
	free(again);
}

static void every_type_survives(void **state)
{
	(void)state;
	int64_t extent[MAX_RANK] = { 3, 4, 1, 2, 1, 1, 1, 2 }, empty[] = { 0, 7 };
	for (int kind = 0; kind < T_STRUCT; kind++) {
		round_trip(type_scalar(kind), 0, extent, 1);
		round_trip(type_scalar(kind), 1, extent, 3);
		round_trip(type_scalar(kind), 8, extent, 48);
		round_trip(type_scalar(kind), 2, empty, 0);
	}
	round_trip(atom(), 1, extent, 3);
	round_trip(atom(), 2, extent, 12);
}

static void types_have_numpys_names(void **state)
{
	(void)state;
	assert_string_equal(npy_descr(type_scalar(T_BOOL)), "'|b1'");
	assert_string_equal(npy_descr(type_scalar(T_I8)), "'|i1'");
	assert_string_equal(npy_descr(type_scalar(T_U16)), "'<u2'");
	assert_string_equal(npy_descr(type_scalar(T_F16)), "'<f2'");
	assert_string_equal(npy_descr(type_scalar(T_F64)), "'<f8'");
	assert_string_equal(npy_descr(atom()),
		"[('c', '|u1'), ('', '|V3'), ('f', '<f4', (2,)), ('', '|V4'), ('e', '<f8')]");
}

/* ---- headers of others ---- */

/* A file of the given version and dict, then some cells. */
static void put_npy(int version, const char *dict, size_t cell_bytes)
{
	char bytes[4096] = "\x93NUMPY";
	size_t n = strlen(dict), at = version == 1 ? 10 : 12;
	bytes[6] = (char)version;
	bytes[8] = (char)(n & 0xff);
	bytes[9] = (char)(n >> 8);
	memcpy(bytes + at, dict, n);
	for (size_t i = 0; i < cell_bytes; i++)
		bytes[at + n + i] = (char)i;
	put_file(bytes, at + n + cell_bytes);
}

static const char *opens(int version, const char *dict, const struct type *t)
{
	struct array_file a;
	put_npy(version, dict, 0);
	struct fault f = array_open(&a, path, false, t);
	array_close(&a);
	return f.why ? f.why : "";
}

static void forms_that_numpy_writes(void **state)
{
	(void)state;
	const struct type *f32 = type_scalar(T_F32);
	static const char *const good[] = {
		"{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }   \n",
		"{'shape':(3,),'fortran_order':False,'descr':'<f4'}",
		"{\"descr\": \"=f4\", 'fortran_order': True, 'shape': (), }\n",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4, 5), }\n",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 9223372036854775807), }\n",
	};
	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		for (int version = 1; version <= 3; version++)
			assert_string_equal(opens(version, good[i], f32), "");
	assert_string_equal(opens(1, "{'descr': '|V2', 'fortran_order': False, 'shape': (), }",
		type_scalar(T_BF16)), "");
	assert_string_equal(
		opens(1,
	              "{'descr': [('c', '|u1'), ('', '|V3'), ('f', '<f4', (2,)), "
	              "('', '|V4'), ('e', '<f8')], 'fortran_order': False, 'shape': (1,), }",
	              atom()),
		"");
}

static void columns_become_rows(void **state)
{
	(void)state;
	struct array_file a;
	unsigned char cells[6];
	static const unsigned char rows[] = { 0, 2, 4, 1, 3, 5 };
	put_npy(1, "{'descr': '|u1', 'fortran_order': True, 'shape': (2, 3), }", 6);
	assert_null(array_open(&a, path, false, type_scalar(T_U8)).why);
	assert_null(array_read(&a, type_scalar(T_U8), 6, cells).why);
	assert_memory_equal(cells, rows, sizeof rows);
}

static void hostile_headers(void **state)
{
	(void)state;
	static const struct { const char *dict, *why; } bad[] = {
		{ "", "its header is malformed" },
		{ "{", "its header is malformed" },
		{ "{}", "its header is malformed" },
		{ "{'descr': '<f4'}", "its header is malformed" },
		{ "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': ()}",
				"malformed" },
		{ "{'descr': '<f4', 'fortran_order': Maybe, 'shape': ()}", "malformed" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': 3}", "malformed" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (3 4)}", "malformed" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", "malformed" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,)}", "malformed" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} + 1", "malformed" },
		{ "{'descr': '<f4, 'fortran_order': False, 'shape': (3,)}", "it holds '<f4, '" },
		{ "{'descr': <f4, 'fortran_order': False, 'shape': (3,)}", "malformed" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}",
				"2^63" },
		{ "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,1)}",
				"8 axes" },
		{ "{'descr': '|O', 'fortran_order': False, 'shape': (3,)}", "pickled" },
		{ "{'descr': 'O', 'fortran_order': False, 'shape': (3,)}", "pickled" },
		{ "{'descr': '>f4', 'fortran_order': False, 'shape': (3,)}", "big-endian" },
		{ "{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}", "it holds '<f8'" },
		{ "{'descr': '<i4', 'fortran_order': False, 'shape': (3,)}", "it holds '<i4'" },
		{ "{'descr': '<f44', 'fortran_order': False, 'shape': (3,)}", "it holds '<f44'" },
		{ "{'descr': '', 'fortran_order': False, 'shape': (3,)}", "it holds ''" },
		{ "{'descr': '>', 'fortran_order': False, 'shape': (3,)}", "it holds '>'" },
		{ "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}", "structs" },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *why = opens(1, bad[i].dict, type_scalar(T_F32));
		if (!strstr(why, bad[i].why))
			fail_msg("%s: said '%s'", bad[i].dict, why);
	}
}

static void hostile_structs(void **state)
{
	(void)state;
	static const struct { const char *descr, *why; } bad[] = {
		{ "'<f4'", "it holds '<f4'" },
		{ "'|O'", "pickled" },
		{ "[]", "its cells have 0 bytes" },
		{ "[('c', '|u1')]", "its cells have 1 bytes" },
		{ "[('c', '|u1'), ('f', '<f4', (2,)), ('e', '<f8')]", "`f` begins at byte 1" },
		{ "[('x', '|u1')]", "`x` is where Atom has `c`" },
		{ "[('c', '|u1'), ('', '|V3'), ('f', '<f4', (3,))]", "another shape" },
		{ "[('c', '|u1'), ('', '|V3'), ('f', '<f4')]", "another shape" },
		{ "[('c', '|u1', (2,))]", "another shape" },
		{ "[('c', '<f4')]", "it holds '<f4'" },
		{ "[('', '|V99999999999')]", "its header is malformed" },
		{ "[('', '|V')]", "its header is malformed" },
		{ "[('c', [[[[", "structs" },
		{ "[(", "its header is malformed" },
		{ "[('c', '|u1'", "its header is malformed" },
	};
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *dict = str_print("{'descr': %s, 'fortran_order': False, 'shape': (1,)}",
			bad[i].descr);
		const char *why = opens(1, dict, atom());
		if (!strstr(why, bad[i].why))
			fail_msg("%s: said '%s'", dict, why);
	}
}

static const char *opens_bytes(const char *bytes, size_t n)
{
	struct array_file a;
	put_file(bytes, n);
	struct fault f = array_open(&a, path, false, type_scalar(T_F32));
	array_close(&a);
	return f.why ? f.why : "";
}

static void files_cut_short(void **state)
{
	(void)state;
	static const char head[] = "\x93NUMPY\1\0\x40\0{'descr': '<f4'";
	for (size_t n = 0; n < 10; n++)
		assert_non_null(strstr(opens_bytes(head, n), "not a NumPy file"));
	for (size_t n = 10; n < sizeof head; n++)
		assert_non_null(strstr(opens_bytes(head, n), "ends within its header"));
	assert_non_null(strstr(opens_bytes("\x93NUMPY\4\0\0\0", 10), "not a NumPy file"));
	assert_non_null(
		strstr(opens_bytes("\x93NUMPY\2\0\xff\xff\xff\xff", 12), "claims 4294967295"));
	assert_non_null(strstr(opens_bytes("\x93NUMPY\1\0\2\0{\0", 12), "its header is malformed"));
}

static void cells_are_all_there_and_no_more(void **state)
{
	(void)state;
	struct array_file a;
	uint32_t cells[4];
	for (size_t bytes = 11; bytes <= 13; bytes++) {
		put_npy(1, "{'descr': '<u4', 'fortran_order': False, 'shape': (3,)}", bytes);
		assert_null(array_open(&a, path, false, type_scalar(T_U32)).why);
		const char *why = array_read(&a, type_scalar(T_U32), 3, cells).why;
		if (bytes == 12)
			assert_null(why);
		else
			assert_non_null(
				strstr(why, bytes < 12 ? "ends after 2 of 3" : "goes on after"));
	}
	put_npy(1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}", 3);
	assert_null(array_open(&a, path, false, type_scalar(T_BOOL)).why);
	assert_non_null(
		strstr(array_read(&a, type_scalar(T_BOOL), 3, cells).why, "neither 0 nor 1"));
}

static void raw_files(void **state)
{
	(void)state;
	struct array_file a;
	uint32_t cells[2];
	put_file("\1\0\0\0\2\0\0", 7);
	assert_non_null(
		strstr(array_open(&a, path, true, type_scalar(T_U32)).why, "no whole number"));
	array_close(&a);
	put_file("\1\0\0\0\2\0\0\0", 8);
	assert_null(array_open(&a, path, true, type_scalar(T_U32)).why);
	assert_int_equal(a.bytes, 8);
	assert_null(array_read(&a, type_scalar(T_U32), 2, cells).why);
	assert_int_equal(cells[1], 2);
	assert_null(array_open(&a, "/dev/zero", true, type_scalar(T_U32)).why);
	assert_int_equal(a.bytes, -1);
	assert_non_null(strstr(array_read(&a, type_scalar(T_U32), 2, cells).why, "goes on after"));
	assert_non_null(strstr(array_open(&a, "/", true, type_scalar(T_U32)).why, "directory"));
	array_close(&a);
}

static int make_file(void **state)
{
	(void)state;
	int fd = mkstemp(path);
	return fd < 0 ? -1 : close(fd);
}

static int remove_file(void **state)
{
	(void)state;
	return unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_type_survives),
		cmocka_unit_test(types_have_numpys_names),
		cmocka_unit_test(forms_that_numpy_writes),
		cmocka_unit_test(columns_become_rows),
		cmocka_unit_test(hostile_headers),
		cmocka_unit_test(hostile_structs),
		cmocka_unit_test(files_cut_short),
		cmocka_unit_test(cells_are_all_there_and_no_more),
		cmocka_unit_test(raw_files),
	};
	return cmocka_run_group_tests(tests, make_file, remove_file);
}
