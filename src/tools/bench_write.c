/* bench_write.c - the program that measures: what patc writes for the kernels, a driver
 * (rt/bench.h), and its data.
 *
 * STEM.dat holds, for each case, the kernel's number, the sizes, and for each parameter the number
 * of its cells, its extents, its leading dimension and its first cells (case_bind_short).  What a
 * call moves is known once the passes have decided which statements share a kernel, so the driver
 * ends with it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "built.h"
#include "case.h"
#include "compare.h"
#include "helper.h"
#include "work.h"

/* ---- STEM.dat ---- */

static void put_array(const struct bound *b, int64_t made, int64_t ld, FILE *out)
{
	built_put(&b->cells, sizeof b->cells, out);
	built_put(b->extent, (size_t)b->var->rank * sizeof b->extent[0], out);
	built_put(&ld, sizeof ld, out);
	built_put(&made, sizeof made, out);
	built_put(b->data, (size_t)(made * type_size(b->var->type)), out);
}

static void put_case(int32_t kernel, const struct test_case *c, struct bound *b,
                     const int64_t *made, FILE *out)
{
	const struct entry *e = c->entry;
	int64_t size[NAMES];
	built_put(&kernel, sizeof kernel, out);
	for (int k = 0; k < e->size.n; k++)
		memcpy(&size[k], b[k].data, sizeof size[k]);
	built_put(size, (size_t)e->size.n * sizeof size[0], out);
	for (int i = 0; i < e->param.n; i++) {
		struct bound *p = &b[e->size.n + i];
		put_array(p, made[i], pitch_at(e, p->var, size), out);
		if (p->var->rank == 0)
			continue;
		free(p->data);
		p->data = NULL;
	}
}

/* What each case is bound to, without the cells of its arrays; NULL: reported. */
static struct bound **put_cases(const struct program *p, uint64_t seed, int64_t period, FILE *out)
{
	const struct test *all = p->command;
	struct bound **b = mem_new((size_t)(all->cases.n + 1) * sizeof(struct bound *));
	built_put("PATCBEN1", 8, out);
	for (int i = 0; i < all->cases.n; i++) {
		const struct test_case *c = all->cases.at[i];
		int64_t *made = mem_new((size_t)(c->entry->param.n + 1) * sizeof *made);
		b[i] = case_bind_short(c, seed, period, made);
		if (!b[i])
			return NULL;
		put_case(kernel_number(p, c->entry), c, b[i], made, out);
	}
	return b;
}

/* ---- the driver ---- */

/* As a string of C: JSON has quotes and backslashes. */
static void put_string(const char *text, FILE *out)
{
	putc('"', out);
	for (; *text; text++) {
		if (strchr("\"\\?", *text))
			putc('\\', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void keys_sizes(const struct entry *e, const struct bound *b, json_t *keys)
{
	json_t *sizes = json_object();
	for (int k = 0; k < e->size.n; k++)
		json_object_set_new(sizes, e->size.at[k]->name,
		                    json_integer(*(const int64_t *)b[k].data));
	json_object_set_new(keys, "sizes", sizes);
}

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

static void keys_machine(const struct machine *m, json_t *keys)
{
	json_object_set_new(keys, "machine",
	                    m ? json_pack("{s:s, s:f, s:f, s:f}", "name", m->name, "copy",
	                                  m->copy * 1e9, "f32", m->f32 * 1e12, "f64",
	                                  m->f64 * 1e12)
	                      : json_null());
}

/* The keys of a row that are known before it is measured. */
static json_t *keys_of(const struct entry *e, const struct bound *b, json_t *values,
                       const struct moved *m, const struct options *o)
{
	json_t *keys = json_object();
	json_object_set_new(keys, "kernel", json_string(e->name));
	keys_sizes(e, b, keys);
	json_object_set(keys, "values", values);
	json_object_set_new(keys, "target", json_string(o->target->name));
	json_object_set_new(keys, "arch", text_or_null(o->arch));
	json_object_set_new(keys, "schedule", text_or_null(o->schedule));
	keys_machine(machine_of(o->target, o->machine), keys);
	json_object_set_new(keys, "bound", m->seconds > 0 ? json_real(m->seconds) : json_null());
	json_object_set_new(keys, "exact", json_boolean(m->exact));
	json_object_set_new(keys, "bytes", json_real(m->bytes));
	json_object_set_new(keys, "flops", json_real(m->flops));
	json_object_set_new(keys, "integer", json_real(m->integers));
	return keys;
}

static const char *label_of(const struct entry *e, const struct bound *b)
{
	const char *text = e->name;
	for (int k = 0; k < e->size.n; k++)
		text = str_print("%s %s=%" PRId64, text, e->size.at[k]->name,
		                 *(const int64_t *)b[k].data);
	return text;
}

static void fact_print(const struct entry *e, const struct bound *b, json_t *values,
                       const struct options *o, FILE *out)
{
	const struct moved m = moved_of(e, b, o);
	json_t *keys = keys_of(e, b, values, &m, o);
	char *text = json_dumps(keys, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(12));
	text[strlen(text) - 1] = '\0';           /* the driver goes on */
	fputs("\t{ ", out);
	put_string(text + 1, out);
	fputs(",\n\t  ", out);
	put_string(label_of(e, b), out);
	fprintf(out, ", %.17g },\n", m.bytes);
	free(text);
	json_decref(keys);
}

/* A function with the parameters of the kernel, which the driver finds in its library. */
static void other_print(const struct entry *e, const struct user_function *f, FILE *out)
{
	char *text = json_dumps(json_string(f->text), JSON_ENCODE_ANY | JSON_ENSURE_ASCII);
	fprintf(out,
	        "\nstatic void (*patc_function)(void);\n\n"
	        "static int patc_other_run(const int64_t *patc_n, void *const *patc_p, void "
	        "*patc_w, size_t patc_bytes, void *patc_stream)\n{\n"
	        "\t__typeof__(%s) *const patc_f = (__typeof__(%s) *)patc_function;\n"
	        "\t(void)patc_n, (void)patc_p;\n\treturn patc_f(",
	        e->c, e->c);
	driver_arguments(e, out);
	fputs(");\n}\n\nstatic const struct patc_bench_other patc_other = {\n\t", out);
	put_string(f->library, out);
	fputs(", ", out);
	put_string(f->name, out);
	fputs(", ", out);
	put_string(text, out);
	fputs(", patc_other_run, &patc_function\n};\n", out);
	free(text);
}

/* The passes change what the parameters look like. */
static void driver_before(const struct program *p, const struct options *o, const char *stem,
                          const struct user_function *f, FILE *out)
{
	fprintf(out, "/* Measures the kernels of %s on the data of %s.dat. */\n", stem, stem);
	fputs("#ifndef _POSIX_C_SOURCE\n#define _POSIX_C_SOURCE 200809L\n#endif\n", out);
	driver_kernels(p, o->target, stem, "bench.h", out);
	if (f)
		other_print(p->command->cases.at[0]->entry, f, out);
}

static void driver_after(const struct program *p, struct bound *const *b, const struct options *o,
                         const char *stem, const struct bench *bench, FILE *out)
{
	const struct test *all = p->command;
	fputs("\nstatic const struct patc_bench_fact patc_facts[] = {\n", out);
	for (int i = 0; i < all->cases.n; i++)
		fact_print(all->cases.at[i]->entry, b[i],
		           json_array_get(bench->values, (size_t)i), o, out);
	fprintf(out, "};\n\nint main(int argc, char **argv)\n{\n"
	        "\treturn patc_bench_main(argc, argv, \"%s.dat\", %g, patc_kernels, %d, "
	        "patc_facts, %d, %s);\n}\n",
	        stem, o->milliseconds / 1e3, p->entry.n, all->cases.n,
	        bench->other ? "&patc_other" : "NULL");
}

bool bench_write(struct program *p, const struct options *o, const char *dir, const char *stem,
                 const struct bench *bench)
{
	const char *data = str_print("%s/%s.dat", dir, stem),
		   *driver = str_print("%s/%s_bench.c", dir, stem);
	if (!driver_fits(p))
		return false;
	FILE *f = built_open(data);
	struct bound **b = put_cases(p, o->seed, bench->period, f);
	built_close(f, data);
	if (!b)
		return false;
	f = built_open(driver);
	driver_before(p, o, stem, bench->other, f);
	bool good = built_program(p, o, dir, stem);
	if (good)
		driver_after(p, b, o, stem, bench, f);
	built_close(f, driver);
	built_text(dir, "cells.h", rt_cells);
	built_text(dir, "bench.h", rt_bench);
	return good;
}
