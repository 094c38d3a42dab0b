/* openmp.c - the CPU: strict C11 whose loops carry OpenMP pragmas, valid without OpenMP too.
 *
 * The pragmas are macros that are empty unless _OPENMP is defined (rt/cpu.h), so that no compiler
 * warns about them.  A launch is a call; the workspace is the caller's or, in NAME_host(),
 * malloc's. */
#include "host.h"

#include <inttypes.h>
#include <string.h>

extern const struct target target_cpu[];

static void print_launch(const struct ks *, int depth, FILE *);
static void print_clear(const struct ks *, int depth, FILE *);

static const struct dialect dialect = {
	.kernel_prefix = "static void",
	.shared_prefix = "",
	.function_prefix = "static inline ",
	.table_prefix = "static const ",
	.restrict_ = "restrict",
	.loops = true,
	.target = target_cpu,
	.launch = print_launch,
	.clear = print_clear,
};

static void indent(int depth, FILE *out)
{
	for (int i = 0; i < depth; i++)
		fputc('\t', out);
}

static void print_launch(const struct ks *s, int depth, FILE *out)
{
	FILE *line = text_open();
	fprintf(line, "%s(", s->kernel->name);
	for (int i = 0; i < s->n; i++) {
		fputs(i ? ", " : "", line);
		cprint_expr(s->arg[i], &dialect, line);
	}
	fputs(");", line);
	cprint_line(text_close(line), depth, out);
}

/* A temporary may have changed places with an array without cells, which may be null: no memset
 * then. */
static void print_clear(const struct ks *s, int depth, FILE *out)
{
	bool some = s->b->kind == KX_INT;
	indent(depth, out);
	if (!some) {
		fputs("if (", out);
		cprint_expr(s->b, &dialect, out);
		fputs(" > 0)\n", out);
		indent(depth + 1, out);
	}
	fputs("memset(", out);
	cprint_expr(s->a, &dialect, out);
	fputs(some ? ", 0, " : ", 0, (size_t)(", out);
	cprint_expr(s->b, &dialect, out);
	fputs(some ? ");\n" : "));\n", out);
}

/* ---- host functions ---- */

static void print_unused(const struct plan *p, FILE *out)
{
	bool checked = plan_has_check(p);
	for (int i = 0; i < p->host->param.n; i++) {
		const struct kvar *v = p->host->param.at[i];
		bool size = i < p->entry->size.n;
		bool taken = size || plan_checks(p, p->entry->param.at[i - p->entry->size.n]);
		if (!plan_uses(p, v) && !(checked && taken))
			fprintf(out, "\t(void)%s;\n", v->name);
	}
}

static void print_run(const struct plan *p, const struct dialect *d, FILE *out)
{
	host_print_head(p, out);
	host_print_start(p, d, out);
	fputs("\t(void)stream;\n", out);
	print_unused(p, out);
	if (p->flagged)
		fprintf(out, "\t%s[0] = PATC_OK;\n\t%s[1] = 0;\n", p->status->name,
		        p->status->name);
	else if (p->status)
		fprintf(out, "\t*%s = PATC_OK;\n", p->status->name);
	cprint_body(&p->host->body, d, 1, out);
	fputs("\treturn PATC_OK;\n}\n\n", out);
}

static void print_host(const struct plan *p, FILE *out)
{
	const char *name = p->entry->c, *args = plan_args(p, false), *comma = *args ? ", " : "";
	cprint_line(str_print("int %s_host(%s)", name, plan_params(p, "")), 0, out);
	fputs("{\n", out);
	if (!plan_has_workspace(p)) {
		cprint_line(str_print("return patc_run_%s(%s%sNULL, 0, NULL);", name, args, comma),
		            1, out);
		fputs("}\n\n", out);
		return;
	}
	if (plan_has_check(p)) {
		cprint_line(str_print("int failure = patc_check_%s(%s);", name,
		                      plan_check_args(p, "NULL, 0")),
		            1, out);
		fputs("\tif (failure != PATC_OK)\n\t\treturn failure;\n", out);
	} else
		fputs("\tint failure;\n", out);
	fprintf(out, "\tconst size_t pieces = %s;\n", plan_bytes(p));
	fputs("\tvoid *const workspace = pieces < SIZE_MAX ? malloc(pieces) : NULL;\n"
	      "\tif (workspace == NULL)\n\t\treturn PATC_MEMORY;\n", out);
	cprint_line(str_print("failure = patc_run_%s(%s%sworkspace, pieces, NULL);", name, args,
	                      comma),
	            1, out);
	if (p->records)
		fputs("\tif (failure == PATC_OK)\n\t\tfailure = *(const int32_t *)workspace;\n",
		      out);
	offence_tell(p, "workspace", "NULL", out);
	fputs("\tfree(workspace);\n\treturn failure;\n}\n\n", out);
}

static void print_status(const struct plan *p, FILE *out)
{
	fprintf(out, "int %s_status(void *workspace, void *stream)\n{\n\t(void)stream;\n",
	        p->entry->c);
	if (p->records)
		fputs("\treturn workspace == NULL ? PATC_WORKSPACE : *(const int32_t "
		      "*)workspace;\n}\n\n",
		      out);
	else
		fputs("\t(void)workspace;\n\treturn PATC_OK;\n}\n\n", out);
}

/* ---- the file ---- */

static void print_entry(const struct plan *p, const struct dialect *d, FILE *out)
{
	for (int i = 0; i < p->kernel.n; i++) {
		cprint_kernel(p->kernel.at[i], d, out);
		fputc('\n', out);
	}
	host_print_checks(p, d, out);
	print_run(p, d, out);
	host_print_public(p, out);
	offence_print(p, d, out);
	systems_print(p, d, out);
	print_host(p, out);
	print_status(p, out);
}

static void print_shared(const struct used *u, const struct dialect *d, FILE *out)
{
	for (int i = 0; i < u->table.n; i++)
		cprint_table(u->table.at[i]->table, d, out);
	if (u->table.n)
		fputc('\n', out);
	for (int i = 0; i < u->fn.n; i++) {
		cprint_function(u->fn.at[i]->fn, u->fn.at[i]->kernel, d, out);
		fputc('\n', out);
	}
}

static void use_pragmas(struct used *u, const struct ks_list *list)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		const bool simd = s->flags & FOR_SIMD;
		if (s->flags & FOR_PARALLEL)
			used_helper(u, simd                     ? "patc_parallel_simd"
			               : s->flags & FOR_DYNAMIC ? "patc_dynamic"
			                                        : "patc_parallel");
		else if (simd)
			used_helper(u, "patc_simd");
		use_pragmas(u, &s->body);
		use_pragmas(u, &s->otherwise);
	}
}

static const char *const nothing[] = {NULL};
static const struct used_words words = {
	target_cpu,
	"#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n",
	"static inline ", "static inline ", nothing
};

static void print_helpers(const struct target *target, FILE *out)
{
	(void)target;
	helpers_print(&words, out);
}

static void print(const struct program *program, struct plan *const *plan, int n,
                  const struct options *options, FILE *out)
{
	struct used *u = used_new(options);
	struct dialect d = dialect;
	d.places = options->debug;
	host_prepare(plan, n);
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < plan[i]->kernel.n; k++) {
			used_kernel(u, plan[i]->kernel.at[k]);
			use_pragmas(u, &plan[i]->kernel.at[k]->body);
		}
		host_use(plan[i], u);
	}
	print_origin(program, out);
	fprintf(out,
	        "#include <math.h>\n#include <stdbool.h>\n#include <stddef.h>\n#include "
	        "<stdint.h>\n"
	        "%s#include <stdlib.h>\n#include <string.h>\n#include \"%s\"\n\n",
	        options->check_accesses ? "#include <stdio.h>\n" : "", header_name(options));
	used_headers(u, program, "", out);
	used_print(u, &words, out);
	if (options->helpers)
		helpers_include(&words, options, out);
	print_shared(u, &d, out);
	strerror_print_shared(program, options, out);
	for (int i = 0; i < n; i++) {
		fputs(i ? "\n" : "", out);
		print_entry(plan[i], &d, out);
		strerror_print(program, plan[i]->entry, options, out);
	}
}

static const struct toolchain tool = { "CC", "cc", "-std=c11 -O2 -fopenmp", "", "", "-lm", NULL,
	                                NULL };

const struct target target_cpu[] = { {
					     .name = "cpu",
					     .suffix = ".c",
					     .arch = "any",
					     .gpu = false,
					     .lanes = 1,
					     .sector = 64,
					     .piece = 64,
					     .block = 1,
					     .max_block = 1,
					     .shared_bytes = 0,
					     .flight_bytes = 0,
					     .total_blocks = 2048,
					     .busy_steps = 4,
					     .max_grid_x = INT64_MAX,
					     .max_grid_y = INT64_MAX,
					     .print = print,
					     .helpers = print_helpers,
					     .tool = &tool,
				     },
	                             { .name = NULL } };
