/* gpu.c - the text of a CUDA or HIP file: kernels, and host functions that enqueue them.
 *
 * NAME() only enqueues: no allocation, no synchronisation, no state, so it may be captured into a
 * graph and called from many threads.  A launch goes through patc_launch (rt/gpu_host.h), which
 * takes the status from the launch call itself and never from the run time's last error.  A kernel
 * that requests shared memory is told so before each launch, with the same number: that is no state
 * either. NAME_host() does what a caller without a GPU library needs: a stream of its own, memory,
 * copies, the call, the wait. */
#include "gpu.h"

#include <inttypes.h>
#include <string.h>

static const char *const gpu_id[] = {
	"(int32_t)threadIdx.x", "(int32_t)threadIdx.y", "(int32_t)threadIdx.z",
	"(int32_t)blockIdx.x", "(int32_t)blockIdx.y", "(int32_t)blockIdx.z",
	"(int32_t)gridDim.x", "(int32_t)gridDim.y", "(int32_t)gridDim.z",
};

static const char *const part_id[] = {
	"(int32_t)threadIdx.x", "(int32_t)threadIdx.y", "(int32_t)threadIdx.z",
	"patc_block.x", "patc_block.y", "patc_block.z",
	"patc_block.of_x", "patc_block.of_y", "patc_block.of_z",
};

static void print_part(const struct ks *, int depth, FILE *);
static void print_launch(const struct ks *, int depth, FILE *);
static void print_clear(const struct ks *, int depth, FILE *);

static struct dialect gpu_dialect(const struct gpu *g)
{
	return (struct dialect){
		.kernel_prefix = "static __global__ void",
		.shared_prefix = "__shared__ ",
		.function_prefix = "static __device__ __forceinline__ ",
		.table_prefix = "static __device__ const ",
		.barrier = "__syncthreads();",
		.unroll = "#pragma unroll",
		.restrict_ = "__restrict__",
		.id = gpu_id,
		.part_id = part_id,
		.cpp = true,
		.target = g->target,
		.simds = g->simds,
		.launch = print_part,
		.clear = print_clear,
	};
}

static const char *const both = "static __host__ __device__ __forceinline__ ";

/* ---- statements of the host ---- */

static void indent(int depth, FILE *out)
{
	for (int i = 0; i < depth; i++)
		fputc('\t', out);
}

static void print_failed(int depth, FILE *out)
{
	indent(depth, out);
	fputs("if (failure != PATC_OK)\n", out);
	indent(depth + 1, out);
	fputs("return failure;\n", out);
}

static const char *block_text(const struct kernel *k)
{
	if (k->block[2] > 1)
		return str_print("dim3(%d, %d, %d)", k->block[0], k->block[1], k->block[2]);
	if (k->block[1] > 1)
		return str_print("dim3(%d, %d)", k->block[0], k->block[1]);
	return str_print("dim3(%d)", k->block[0]);
}

/* The kernel, or its instance. */
static void print_instance(const struct ks *s, const struct dialect *d, FILE *out)
{
	const char *name = s->kernel->name;
	if (!s->b)
		fputs(name, out);
	else if (s->b->kind == KX_INT)
		fprintf(out, "%s<%s>", name, s->b->i ? "true" : "false");
	else {
		cprint_expr(s->b, d, out);
		fprintf(out, " ? %s<true> : %s<false>", name, name);
	}
}

static void print_values(int n, struct kx *const *value, const struct dialect *d, FILE *out)
{
	for (int i = 0; i < n; i++) {
		fputs(", ", out);
		cprint_expr(value[i], d, out);
	}
}

/* In a kernel: one block of another kernel's grid. */
static void print_part(const struct ks *s, int depth, FILE *out)
{
	const struct dialect device = {.cpp = true, .id = gpu_id, .restrict_ = ""};
	FILE *line = text_open();
	fprintf(line, "%s(patc_block_of(", s->kernel->part);
	cprint_expr(s->a, &device, line);
	print_values(3, s->grid, &device, line);
	fputc(')', line);
	print_values(s->n, s->arg, &device, line);
	fputs(");", line);
	cprint_line(text_close(line), depth, out);
}

/* Says in its variable whether all blocks were launched. */
static void print_together(const struct ks *s, int depth, FILE *out)
{
	const struct dialect plain = {.cpp = true, .id = gpu_id, .restrict_ = "", .host = true};
	FILE *line = text_open();
	indent(depth, out);
	fprintf(out, "bool %s = false;\n", s->var->name);
	fprintf(line, "failure = patc_launch_together(&%s, %s, ", s->var->name, s->kernel->name);
	cprint_expr(s->grid[0], &plain, line);
	fprintf(line, ", %s, %lld, stream", block_text(s->kernel),
	        (long long)s->kernel->asked_bytes);
	print_values(s->n, s->arg, &plain, line);
	fputs(");", line);
	cprint_line(text_close(line), depth, out);
	print_failed(depth, out);
}

/* The values are names mostly: a line is broken between them. */
static void print_launch(const struct ks *s, int depth, FILE *out)
{
	if (s->var) {
		print_together(s, depth, out);
		return;
	}
	const struct dialect plain = {.cpp = true, .id = gpu_id, .restrict_ = "", .host = true};
	FILE *line = text_open();
	struct kx *asked = s->a                     ? s->a
	                   : s->kernel->asked_bytes ? x_i32((int32_t)s->kernel->asked_bytes)
	                                            : NULL;
	fprintf(line, "failure = patc_launch%s(", asked ? "_asking" : "");
	print_instance(s, &plain, line);
	fputs(", {", line);
	for (int i = 0; i < 3; i++) {
		fputs(i ? ", " : "", line);
		cprint_expr(s->grid[i], &plain, line);
	}
	fprintf(line, "}, %s, ", block_text(s->kernel));
	cprint_expr(asked ? asked : x_i32(0), &plain, line);
	fputs(", stream", line);
	print_values(s->n, s->arg, &plain, line);
	fputs(");", line);
	cprint_line(text_close(line), depth, out);
	print_failed(depth, out);
}

static void print_clear(const struct ks *s, int depth, FILE *out)
{
	const struct dialect plain = {.cpp = true, .id = gpu_id, .restrict_ = "", .host = true};
	indent(depth, out);
	fputs("failure = patc_clear(", out);
	cprint_expr(s->a, &plain, out);
	fputs(", ", out);
	cprint_expr(s->b, &plain, out);
	fputs(", stream);\n", out);
	print_failed(depth, out);
}

/* ---- host functions ---- */

static bool clears(const struct plan *p)
{
	return p->status || ks_has(&p->host->body, KS_CLEAR);
}

static void print_unused(const struct plan *p, FILE *out)
{
	for (int i = 0; i < p->host->param.n; i++) {
		const struct kvar *v = p->host->param.at[i];
		if (!v->type.pointer && !plan_uses(p, v))
			fprintf(out, "\t(void)%s;\n", v->name);
	}
}

/* The clear that s is, or that is all that s does under a condition; or NULL. */
static const struct ks *clear_in(const struct ks *s)
{
	bool only = s->kind == KS_IF && s->body.n == 1 && !s->otherwise.n;
	const struct ks *clear = only ? s->body.at[0] : s;
	return clear->kind == KS_CLEAR ? clear : NULL;
}

/* How many pieces of the workspace, from the first on, are cleared before anything else is done;
 * the last of these clears is number *last of the host's body. */
static int first_pieces(const struct plan *p, int *last)
{
	int pieces = 0;
	for (int i = 0; i < p->host->body.n && pieces < p->slot.n; i++) {
		const struct ks *s = p->host->body.at[i], *clear = clear_in(s);
		const struct kvar *piece = p->slot.at[pieces]->pointer;
		if (clear && clear->a->kind == KX_VAR && clear->a->var == piece)
			*last = i, pieces++;
		else if (s->kind != KS_DECL)
			break;
	}
	return pieces;
}

/* From the status word, or else the first piece, to the end of what `s` clears. */
static void print_clear_all(const struct plan *p, const struct ks *s, FILE *out)
{
	const struct dialect plain = {.cpp = true, .id = gpu_id, .restrict_ = "", .host = true};
	const struct ks *clear = clear_in(s);
	const char *start = (p->status ? p->status : p->slot.at[0]->pointer)->name;
	FILE *line = text_open();
	fprintf(line, "failure = patc_clear(%s, (char *)%s - (char *)%s + ", start,
	        clear->a->var->name, start);
	bool plain_number = s == clear && clear->b->kind == KX_INT;
	fputs(plain_number ? "" : "(", line);
	cprint_expr(s == clear ? clear->b : x_cond(s->a, clear->b, x_i64(0)), &plain, line);
	fputs(plain_number ? ", stream);" : "), stream);", line);
	cprint_line(text_close(line), 1, out);
	print_failed(1, out);
}

/* The body, with one clear for the status word and the first pieces, which follow it in memory: on
 * an H100 each clear takes a microsecond. */
static void print_steps(const struct plan *p, const struct dialect *d, FILE *out)
{
	const struct ks_list *body = &p->host->body;
	int last = -1, pieces = first_pieces(p, &last);
	struct ks_list before = {0}, after = {0};
	if (pieces < (p->status ? 1 : 2))
		last = -1;
	for (int i = 0; i <= last; i++)
		if (!clear_in(body->at[i]))
			list_add(&before, body->at[i]);
	for (int i = last + 1; i < body->n; i++)
		list_add(&after, body->at[i]);
	if (p->status && last < 0) {
		fprintf(out, "\tfailure = patc_clear(%s, %d, stream);\n", p->status->name,
		        p->flagged ? 8 : 4);
		print_failed(1, out);
	}
	cprint_body(&before, d, 1, out);
	if (last >= 0)
		print_clear_all(p, body->at[last], out);
	cprint_body(&after, d, 1, out);
}

static void print_run(const struct plan *p, const struct dialect *d, FILE *out)
{
	bool streams = clears(p) || ks_has(&p->host->body, KS_LAUNCH);
	host_print_head(p, out);
	host_print_start(p, d, out);
	if (!streams)
		fputs("\t(void)stream;\n", out);
	print_unused(p, out);
	print_steps(p, d, out);
	fputs(streams ? "\treturn PATC_OK;\n}\n\n" : "\treturn failure;\n}\n\n", out);
}

/* ---- NAME_host ---- */

static void print_copies(const struct plan *p, FILE *out)
{
	fputs("\tstruct patc_copy copies[] = {\n", out);
	for (int i = 0; i < p->entry->param.n; i++) {
		const struct var *v = p->entry->param.at[i];
		if (!is_pointer(v))
			continue;
		const char *name = host_name(p, v);
		bool in = v->mode == MODE_IN || v->mode == MODE_INOUT || !var_filled(p, v);
		fprintf(out, "\t\t{%s, %s, %s, NULL},\n", in ? name : "NULL",
		        v->mode == MODE_IN ? "NULL" : name, var_bytes(p, v));
	}
	fprintf(out, "\t\t{NULL, NULL, %s%s, NULL},\n\t};\n", p->slot.n ? "(int64_t)" : "",
	        plan_bytes(p));
}

/* What NAME_host passes on: a value, or the device's copy of what a pointer shows. */
static const char *device_args(const struct plan *p, int *copies)
{
	const char *sizes = plan_args(p, true);
	FILE *all = text_open();
	*copies = 0;
	fprintf(all, "%s%s", sizes, *sizes ? ", " : "");
	for (int i = 0; i < p->entry->param.n; i++) {
		const struct var *v = p->entry->param.at[i];
		if (is_pointer(v))
			fprintf(all, "(%s%s *)copies[%d].device, ",
			        v->mode == MODE_IN ? "const " : "", type_c(v->type), (*copies)++);
		else
			fprintf(all, "%s, ", host_name(p, v));
	}
	fprintf(all, "copies[%d].device, (size_t)copies[%d].bytes, stream", *copies, *copies);
	return text_close(all);
}

static void print_fetch(int n, FILE *out)
{
	fprintf(out, "\treturn patc_fetch(copies, %d, stream, failure);\n}\n\n", n + 1);
}

/* An access outside of its array is told of, and the results are copied back. */
static void print_fetch_checked(const struct plan *p, int n, FILE *out)
{
	offence_tell(p, str_print("copies[%d].device", n), "stream", out);
	fprintf(out, "\tconst bool checked = failure == PATC_CHECK;\n"
	        "\tfailure = patc_fetch(copies, %d, stream, checked ? PATC_OK : failure);\n"
	        "\treturn checked && failure == PATC_OK ? PATC_CHECK : failure;\n}\n\n", n + 1);
}

static void print_host(const struct plan *p, const struct gpu *g, FILE *out)
{
	int n;
	const char *args = device_args(p, &n), *name = p->entry->c;
	cprint_line(str_print("int %s_host(%s)", name, plan_params(p, "")), 0, out);
	fputs("{\n", out);
	if (plan_has_check(p)) {
		cprint_line(str_print("int failure = patc_check_%s(%s);", name,
		                      plan_check_args(p, "NULL, 0")),
		            1, out);
		print_failed(1, out);
	} else
		fputs("\tint failure;\n", out);
	print_copies(p, out);
	fprintf(out, "\t%sStream_t stream = NULL;\n\tfailure = patc_bring(copies, %d, &stream);\n"
	        "\tif (failure == PATC_OK)\n", g->prefix, n + 1);
	cprint_line(str_print("failure = patc_run_%s(%s);", name, args), 2, out);
	if (p->records)
		fprintf(out, "\tif (failure == PATC_OK)\n"
		        "\t\tfailure = patc_read_status(copies[%d].device, stream);\n", n);
	if (p->offence)
		print_fetch_checked(p, n, out);
	else
		print_fetch(n, out);
}


static void print_status(const struct plan *p, FILE *out)
{
	fprintf(out, "int %s_status(void *workspace, void *stream)\n{\n", p->entry->c);
	if (p->records)
		fputs("\treturn patc_read_status(workspace, stream);\n}\n\n", out);
	else
		fputs("\t(void)workspace;\n\treturn patc_wait(stream);\n}\n\n", out);
}

/* ---- the file ---- */

static void print_vectors(const struct used *u, FILE *out)
{
	for (int i = 0; i < u->vector.n; i++) {
		const struct used_vector *v = &u->vector.at[i];
		fprintf(out, "struct alignas(%" PRId64 ") %s { %s v[%d]; };\n",
		        type_size(v->type) * v->lanes, ktype_c(kt_vector(v->type, v->lanes)),
		        type_c(v->type), v->lanes);
	}
	if (u->vector.n)
		fputc('\n', out);
}

static struct dialect host_dialect(const struct gpu *g)
{
	struct dialect d = gpu_dialect(g);
	d.function_prefix = "static ";
	d.table_prefix = "static const ";
	d.host = true;
	d.launch = print_launch;
	return d;
}

/* The host may need what the device needs: the limit of a repeat calls a function.  Neither reads
 * the other's tables, so each has its own functions too. */
static void print_shared(const struct used *u, const struct dialect *d, FILE *out)
{
	int n = 0;
	for (int i = 0; i < u->table.n; i++)
		if (d->host ? u->table.at[i]->host : u->table.at[i]->device) {
			cprint_table(u->table.at[i]->table, d, out);
			n++;
		}
	if (n)
		fputc('\n', out);
	for (int i = 0; i < u->fn.n; i++)
		if (d->host ? u->fn.at[i]->host : u->fn.at[i]->device) {
			cprint_function(u->fn.at[i]->fn, u->fn.at[i]->kernel, d, out);
			fputc('\n', out);
		}
}

/* Launches of other kinds than patc_launch. */
static void use_launches(const struct ks_list *list, struct used *u)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		if (s->kind == KS_LAUNCH && s->var)
			used_helper(u, "patc_launch_together");
		else if (s->kind == KS_LAUNCH && s->kernel->asked_bytes)
			used_helper(u, "patc_launch_asking");
		use_launches(&s->body, u);
		use_launches(&s->otherwise, u);
	}
}

static void use_host(const struct plan *p, struct used *u)
{
	host_use(p, u);
	used_helper(u, "patc_bring");
	used_helper(u, "patc_fetch");
	used_helper(u, p->records ? "patc_read_status" : "patc_wait");
	if (p->offence || p->systems)
		used_helper(u, "patc_read_words");
	if (ks_has(&p->host->body, KS_LAUNCH))
		used_helper(u, "patc_launch");
	use_launches(&p->host->body, u);
	if (clears(p))
		used_helper(u, "patc_clear");
}

static void print_entry(const struct plan *p, const struct gpu *g, const struct dialect *d,
                        const struct dialect *host, FILE *out)
{
	for (int i = 0; i < p->kernel.n; i++) {
		cprint_kernel(p->kernel.at[i], d, out);
		fputc('\n', out);
	}
	host_print_checks(p, host, out);
	print_run(p, host, out);
	host_print_public(p, out);
	offence_print(p, host, out);
	systems_print(p, host, out);
	print_host(p, g, out);
	print_status(p, out);
}

static const char *gpu_includes(const struct gpu *g)
{
	return str_print("#include %s\n#include <math.h>\n#include <stdbool.h>\n#include "
	                 "<stddef.h>\n#include <stdint.h>\n",
	                 g->include);
}

static struct used_words gpu_words(const struct gpu *g)
{
	return (struct used_words){ g->target, str_print("%s\n", gpu_includes(g)),
		                    "static __device__ __forceinline__ ", both, g->replace };
}

void gpu_helpers(const struct gpu *g, FILE *out)
{
	const struct used_words words = gpu_words(g);
	helpers_print(&words, out);
}

void gpu_print(const struct gpu *g, const struct program *program, struct plan *const *plan, int n,
               const struct options *options, FILE *out)
{
	struct dialect d = gpu_dialect(g), host = host_dialect(g);
	const struct used_words words = gpu_words(g);
	struct used *u = used_new(options);
	d.places = host.places = options->debug;
	host_prepare(plan, n);
	for (int i = 0; i < n; i++) {
		for (int k = 0; k < plan[i]->kernel.n; k++)
			used_kernel(u, plan[i]->kernel.at[k]);
		use_host(plan[i], u);
	}
	print_origin(program, out);
	fprintf(out, "%s%s#include \"%s\"\n\n", gpu_includes(g),
	        options->check_accesses ? "#include <stdio.h>\n" : "", header_name(options));
	g->guard(g->target, out);
	used_headers(u, program, "__host__ __device__", out);
	print_vectors(u, out);
	used_print(u, &words, out);
	if (options->helpers)
		helpers_include(&words, options, out);
	print_shared(u, &d, out);
	print_shared(u, &host, out);
	strerror_print_shared(program, options, out);
	for (int i = 0; i < n; i++) {
		fputs(i ? "\n" : "", out);
		print_entry(plan[i], g, &d, &host, out);
		strerror_print(program, plan[i]->entry, options, out);
	}
}
