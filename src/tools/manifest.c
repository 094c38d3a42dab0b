/* manifest.c - a program's interface as JSON: manifest.schema.json in man/ describes it.
 *
 * A parameter of the program is one or more arguments in C: relay.c has made one of each field of a
 * struct whose fields lie apart, and has put the axes of all arrays in the order of memory.  So an
 * argument has its axes as they lie, the slowest first, and a parameter its shape as declared. */
#include "config.h"
#include "host.h"
#include "manifest.h"
#include "out.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

static void *memory_or_end(size_t bytes)
{
	void *memory = malloc(bytes);
	if (!memory)
		fail_io("out of memory");
	return memory;
}

void manifest_memory(void)
{
	json_set_alloc_funcs(memory_or_end, free);
}

static json_t *text_or_null(const char *text)
{
	return text ? json_string(text) : json_null();
}

/* ---- types ---- */

static const char *type_word(const struct type *t)
{
	return t->kind == T_STRUCT ? t->record->name : type_name(t);
}

static json_t *field_json(const struct field *f)
{
	const struct type *value = f->type->kind == T_ARRAY ? f->type->elem : f->type;
	json_t *shape = json_array();
	for (int i = 0; f->type->kind == T_ARRAY && i < f->type->rank; i++)
		json_array_append_new(shape, json_integer(f->type->extent[i]));
	return json_pack("{s:s, s:s, s:s, s:o, s:I}", "name", f->name, "c", name_safe(f->name),
	                 "type", type_word(value), "shape", shape, "offset", (json_int_t)f->offset);
}

static json_t *struct_json(const struct record *r)
{
	json_t *fields = json_array();
	for (int i = 0; i < r->field.n; i++)
		json_array_append_new(fields, field_json(&r->field.at[i]));
	return json_pack("{s:s, s:s, s:I, s:I, s:o, s:o}", "name", r->name, "c",
	                 name_global(r->name), "bytes", (json_int_t)r->size, "align",
	                 (json_int_t)r->align, "block_of", text_or_null(r->of ? r->of->name : NULL),
	                 "fields", fields);
}

/* ---- extents ---- */

static json_t *affine_json(const struct affine *a)
{
	json_t *terms = json_array();
	for (int i = 0; i < a->n; i++)
		json_array_append_new(terms, json_pack("{s:s, s:I}", "size", a->term[i].var->name,
		                                       "factor", (json_int_t)a->term[i].coef));
	return json_pack("{s:s, s:I, s:o}", "text", affine_text(a), "constant",
	                 (json_int_t)a->constant, "terms", terms);
}

static json_t *axes_json(const struct var *v, bool turned)
{
	json_t *axes = json_array();
	for (int i = 0; i < v->rank; i++)
		json_array_append_new(axes,
		                      affine_json(&v->extent[turned ? v->rank - 1 - i : i]));
	return axes;
}

/* ---- parameters ---- */

static json_t *tile_json(const struct var *v)
{
	if (!var_tiled(v))
		return json_null();
	return json_pack("[I, I]", (json_int_t)v->layout->tile[0], (json_int_t)v->layout->tile[1]);
}

static const char *curve_name(const struct var *v)
{
	return !var_curved(v) ? NULL : v->layout->curve == CURVE_MORTON ? "morton" : "hilbert";
}

static json_t *argument_json(const struct plan *p, const struct var *v)
{
	const bool blocks = v->layout && v->layout->block > 0;
	return json_pack("{s:s, s:o, s:s, s:s, s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:I, s:b}",
	                 "name", kir_safe(v->name), "field",
	                 text_or_null(v->part ? v->part->name : NULL), "type",
	                 type_word(v->type), "c", type_c(v->type), "bytes",
	                 (json_int_t)type_size(v->type), "align", (json_int_t)type_align(v->type),
	                 "pointer", (int)is_pointer(v), "axes", axes_json(v, false), "ld",
	                 is_pitched(v) ? affine_json(&v->layout->ld) : json_null(), "tile",
	                 tile_json(v), "curve", text_or_null(curve_name(v)), "block",
	                 (json_int_t)(blocks ? v->layout->block : 1), "filled",
	                 (int)(v->mode == MODE_OUT && var_filled(p, v)));
}

static const char *mode_name(enum mode mode)
{
	return mode == MODE_IN ? "in" : mode == MODE_OUT ? "out" : "inout";
}

/* The program's parameter whose first argument is this one. */
static json_t *parameter_json(const struct var *first)
{
	const struct var *v = first->whole ? first->whole : first;
	const struct record *block = v->layout && v->layout->block > 0 ? v->type->record : NULL;
	const bool col = v->layout && v->layout->col;
	return json_pack("{s:s, s:s, s:s, s:o, s:o, s:b, s:o}", "name", v->name, "type",
	                 block ? block->of->name : type_word(v->type), "mode", mode_name(v->mode),
	                 "shape", axes_json(v, col), "layout",
	                 text_or_null(v->layout ? layout_text(v->layout) : NULL), "reshaped",
	                 (int)v->reshaped, "arguments", json_array());
}

static json_t *parameters_json(const struct plan *p)
{
	const struct entry *e = p->entry;
	json_t *parameters = json_array(), *now = NULL;
	for (int i = 0; i < e->param.n; i++) {
		const struct var *v = e->param.at[i];
		if (!v->whole || i == 0 || e->param.at[i - 1]->whole != v->whole) {
			now = parameter_json(v);
			json_array_append_new(parameters, now);
		}
		json_array_append_new(json_object_get(now, "arguments"), argument_json(p, v));
	}
	return parameters;
}

/* ---- sizes ---- */

/* Is the number of cells along its axes the caller's shape? */
static bool has_shape(const struct var *v)
{
	return !var_tiled(v) && !var_curved(v) && !(v->layout && v->layout->block > 0);
}

/* The axes from whose extents the size follows: factor * size + constant. */
static json_t *bound_json(const struct entry *e, const struct var *size)
{
	json_t *bound = json_array();
	for (int i = 0; i < e->param.n; i++)
		for (int k = 0; k < e->param.at[i]->rank && has_shape(e->param.at[i]); k++) {
			const struct var *v = e->param.at[i];
			const struct affine *a = &v->extent[k];
			if (a->n != 1 || a->term[0].var != size)
				continue;
			json_t *one = json_pack("{s:s, s:i, s:I, s:I}", "argument",
			                        kir_safe(v->name), "axis", k, "factor",
			                        (json_int_t)a->term[0].coef, "constant",
			                        (json_int_t)a->constant);
			json_array_append_new(bound, one);
		}
	return bound;
}

static json_t *sizes_json(const struct entry *e)
{
	json_t *sizes = json_array();
	for (int i = 0; i < e->size.n; i++) {
		const struct var *v = e->size.at[i];
		json_array_append_new(sizes, json_pack("{s:s, s:s, s:o}", "name", v->name,
		                                       "argument", kir_safe(v->name), "bound_by",
		                                       bound_json(e, v)));
	}
	return sizes;
}

/* ---- statuses ---- */

static void add_status(json_t *all, const char *name, int number, const char *text)
{
	json_array_append_new(all, json_pack("{s:s, s:i, s:s}", "name", name, "status", number,
	                                     "text", text));
}

static json_t *statuses_json(const struct options *o)
{
	json_t *all = json_array();
#define STATUS(id, number, text) add_status(all, str_print("PATC_%s", #id + 3), number, text);
#include "status.def"
#undef STATUS
	if (o->check_accesses)
		add_status(all, "PATC_CHECK", ST_CHECK, OFFENCE_TEXT);
	return all;
}

static json_t *required_json(const struct entry *e)
{
	json_t *all = json_array();
	for (int k = 0; k < e->require.n; k++)
		json_array_append_new(all, json_pack("{s:i, s:s, s:s}", "status", ST_REQUIRED + k,
		                                     "condition", expr_text(e->require.at[k]),
		                                     "text", entry_status(e, ST_REQUIRED + k)));
	return all;
}

/* ---- kernels ---- */

/* What a GPU launches.  The host function of a cpu calls loops. */
static json_t *launches_json(const struct plan *p)
{
	json_t *all = json_array();
	for (int i = 0; i < p->kernel.n; i++) {
		const struct kernel *k = p->kernel.at[i];
		const json_int_t shared = kernel_shared_bytes(k), asked = k->asked_bytes;
		if (!p->target->gpu || !k->block[0])
			continue;
		json_array_append_new(
			all, json_pack("{s:s, s:[iii], s:i, s:I, s:I}", "name", k->name, "block",
		                       k->block[0], k->block[1] ? k->block[1] : 1,
		                       k->block[2] ? k->block[2] : 1, "min_blocks", k->min_blocks,
		                       "shared", shared, "asked", asked));
	}
	return all;
}

static json_t *functions_json(const struct entry *e, const struct options *o)
{
	static const char *const names[] = { "workspace", "host", "status", "strerror" };
	json_t *all = json_pack("{s:s}", "run", e->c);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		json_object_set_new(all, names[i],
		                    json_string(str_print("%s_%s", e->c, names[i])));
	if (o->check_accesses)
		json_object_set_new(all, "offence",
		                    json_string(str_print("%s_offence", e->c)));
	return all;
}

static json_t *kernel_json(const struct plan *p, const struct options *o)
{
	const struct entry *e = p->entry;
	return json_pack("{s:s, s:s, s:o, s:o, s:o, s:o, s:o}", "name", e->name, "c",
	                 e->c, "functions", functions_json(e, o), "sizes", sizes_json(e),
	                 "parameters", parameters_json(p), "requires", required_json(e), "launches",
	                 launches_json(p));
}

/* ---- the manifest ---- */

/* The object of --remarks=json, read back. */
static json_t *remarks_of(const struct program *p, const struct plans *plans,
                          const struct options *o)
{
	FILE *out = text_open();
	remarks_json(p, plans->at, o, out);
	return json_loads(text_close(out), 0, NULL);
}

static json_t *manifest(const struct program *p, const struct plans *plans, const char *source,
                        const struct options *o)
{
	json_t *structs = json_array(), *kernels = json_array();
	for (int i = 0; i < p->record.n; i++)
		json_array_append_new(structs, struct_json(p->record.at[i]));
	for (int i = 0; i < plans->n; i++)
		json_array_append_new(kernels, kernel_json(plans->at[i], o));
	json_t *all = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s, s:b, s:i, s:b, s:o, s:o, s:o}",
	                        "version", MANIFEST_VERSION, "patc", PACKAGE_VERSION, "program",
	                        file_base(p->path), "source", source, "header",
	                        path_base(o->header), "target", o->target->name, "arch",
	                        o->target->arch, "gpu", (int)o->target->gpu, "lanes",
	                        o->target->lanes, "checked", (int)o->check_accesses, "statuses",
	                        statuses_json(o), "structs", structs, "kernels", kernels);
	if (o->remarks)
		json_object_set_new(all, "remarks", remarks_of(p, plans, o));
	return all;
}

void manifest_print(const struct program *p, const struct plans *plans, const char *source,
                    const struct options *o, FILE *out)
{
	kir_reserve(p);
	manifest_memory();
	json_t *all = manifest(p, plans, source, o);
	char *text = json_dumps(all, JSON_INDENT(1));
	fprintf(out, "%s\n", text);
	free(text);
	json_decref(all);
}
