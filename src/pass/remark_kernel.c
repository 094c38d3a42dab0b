/* remark_kernel.c - remarks of the kernels that a GPU runs: which statements each computes, what a
 * block has, how warps access memory (kiraccess.c), and what data decide.
 *
 * A line: reads, then writes, then what is handed to functions, as atomic operations are; of each
 * the arrays in order of first access.  JSON has the same numbers. */
#include "expect.h"
#include "kirlanes.h"
#include "pass.h"
#include "remark.h"
#include "remark_told.h"

static bool has_statements(const struct kernel *k)
{
	return k->node || k->more.n;
}

static struct loc place_of(const struct kernel *k)
{
	return k->node ? k->node->at : k->more.at[0]->at;
}

/* ---- text ---- */

static const char *usage_text(const struct kernel *k)
{
	const struct usage *u = k->usage;
	const char *spilled = u && u->spilled ? str_print("%d bytes", u->spilled) : "nothing";
	return u ? str_print(" %d registers a thread, %s spilled,", u->registers, spilled) : "";
}

static const char *block_text(const struct kernel *k)
{
	int64_t shared = kernel_shared_bytes(k) + k->asked_bytes;
	const char *memory = shared || k->asks ? str_print("%s%s of shared memory",
	                                                   k->asks ? "at least " : "",
	                                                   remark_bytes((double)shared))
	                                       : "no shared memory";
	int blocks = blocks_of_unit(k->target, kernel_threads(k), shared);
	return str_print("%d threads a block, %s,%s %d block%s a multiprocessor at most",
	                 kernel_threads(k), memory, usage_text(k), blocks, blocks == 1 ? "" : "s");
}

static const char *statements_text(const struct kernel *k, const struct statements *s)
{
	const char *text = "";
	for (int i = 0; i < s->at.n; i++) {
		const struct node *node = s->at.at[i].node;
		if (kernel_computes(k, anchor_of(node)))
			text = str_print("%s%s`%s`", text, *text ? ", " : "", node->name);
	}
	return text;
}

static const char *stride_text(const struct access *a)
{
	return a->stride  ? str_print(" by %s", remark_bytes((double)a->stride))
	       : a->scale ? str_print(" by `%s`", a->scale->name)
	                  : "";
}

static const char *const kind_names[] = {
	[ACCESS_COALESCED] = "coalesced", [ACCESS_BROADCAST] = "broadcast",
	[ACCESS_STRIDED] = "strided", [ACCESS_RANDOM] = "random", [ACCESS_OPEN] = "unknown"
};

static const char *access_text(const struct access *a)
{
	const char *kind = a->kind == ACCESS_BROADCAST && (a->write || a->helper)
	                           ? "at one place" : kind_names[a->kind];
	const char *moved = a->moved > 1 ? str_print(" (%s%s B moved a byte used)",
	                                             a->kind == ACCESS_STRIDED ? "" : "up to ",
	                                             remark_number(a->moved))
	                                 : "";
	return str_print("`%s` %s%s%s", a->array->name, kind, stride_text(a), moved);
}

enum way { READS, WRITES, HANDED, WAYS };
static const char *const way_names[] = { "read", "write", "function" };

static enum way way_of(const struct access *a)
{
	return a->helper ? HANDED : a->write ? WRITES : READS;
}

static const char *accesses_text(const struct accesses *all)
{
	static const char *const verbs[] = { "reads", "writes", "passes to functions" };
	const char *text = "";
	for (enum way way = READS; way < WAYS; way++) {
		const char *of = "";
		for (int i = 0; i < all->at.n; i++)
			if (way_of(&all->at.at[i]) == way)
				of = str_print("%s%s%s", of, *of ? ", " : "",
				               access_text(&all->at.at[i]));
		if (*of)
			text = str_print("%s; %s %s", text, verbs[way], of);
	}
	return text;
}

static const char *counted(int n, const char *what, const char *more)
{
	return str_print("%d %s%s", n, what, n == 1 ? "" : more);
}

static const char *data_text(const struct accesses *all)
{
	const char *branches = counted(all->branches, "branch", "es");
	const char *loops = counted(all->loops, "loop", "s");

	if (all->branches && all->loops)
		return str_print("; data-dependent: %s and %s", branches, loops);
	if (all->branches || all->loops)
		return str_print("; data-dependent: %s", all->branches ? branches : loops);
	return "";
}

/* Of statements that no later kernel computes. */
static void text_expected(const struct plan *plan, int kernel, const struct statements *s,
                          const struct machine *m)
{
	for (int i = 0; i < s->at.n; i++) {
		const struct node *node = s->at.at[i].node;
		struct expected e;
		int last = plan->kernel.n - 1;
		while (last > kernel && !kernel_computes(plan->kernel.at[last], node))
			last--;
		if (!node->into && last == kernel
		    && kernel_computes(plan->kernel.at[kernel], node)
		    && expected_of(plan, node, m, &e))
			diag_remark(node->at, "%s: expected: %s", node->name, expected_text(&e));
	}
}

void text_kernels(const struct plan *plan, const struct statements *s, const struct machine *m)
{
	for (int i = 0; plan->target->gpu && i < plan->kernel.n; i++) {
		const struct kernel *k = plan->kernel.at[i];
		if (!has_statements(k))
			continue;
		const struct accesses all = kir_accesses(k);
		diag_remark(place_of(k), "%s: kernel of %s: %s%s%s", k->name, statements_text(k, s),
		            block_text(k), accesses_text(&all), data_text(&all));
		text_expected(plan, i, s, m);
	}
}

/* ---- JSON ---- */

static void json_access(const struct access *a, bool first, FILE *out)
{
	fputs(first ? "\n      {" : ",\n      {", out);
	json_pair(out, "array", a->array->name);
	fputs(", ", out);
	json_pair(out, "way", way_names[way_of(a)]);
	fputs(", ", out);
	json_pair(out, "kind", kind_names[a->kind]);
	if (a->stride)
		fprintf(out, ", \"stride\": %lld", (long long)a->stride);
	if (a->scale) {
		fputs(", ", out);
		json_pair(out, "scale", a->scale->name);
	}
	fprintf(out, ", \"moved\": %.9g}", a->moved);
}

static void json_kernel(const struct kernel *k, const struct statements *s,
                        const struct entry *entry, FILE *out)
{
	const struct accesses all = kir_accesses(k);
	bool first = true;
	json_pair(out, "name", k->name);
	fputs(", ", out);
	json_pair(out, "kernel", entry->name);
	json_place(place_of(k), entry->at.file, out);
	fputs(",\n     \"statements\": [", out);
	for (int i = 0; i < s->at.n; i++)
		if (kernel_computes(k, anchor_of(s->at.at[i].node))) {
			fputs(first ? "" : ", ", out);
			text_json(out, s->at.at[i].node->name);
			first = false;
		}
	fprintf(out, "], \"threads\": %d, \"shared\": %lld, \"asked\": %lld, ", kernel_threads(k),
	       (long long)kernel_shared_bytes(k), (long long)k->asked_bytes);
	if (k->usage)
		fprintf(out, "\"registers\": %d, \"spilled\": %d, ", k->usage->registers,
		       k->usage->spilled);
	fprintf(out, "\"branches\": %d, \"loops\": %d,\n     \"accesses\": [", all.branches,
	        all.loops);
	for (int i = 0; i < all.at.n; i++)
		json_access(&all.at.at[i], i == 0, out);
	fputs("]}", out);
}

void json_expected(const struct plan *plan, const struct node *node, const struct machine *m,
                   FILE *out)
{
	struct expected e;
	fputs(", \"expected\": ", out);
	if (!expected_of(plan, node, m, &e)) {
		fputs("null", out);
		return;
	}
	putc('{', out);
	json_pair(out, "text", expected_text(&e));
	if (!e.unknown || e.at_most)
		fprintf(out, ", \"share\": %.4g", e.share);
	if (!e.unknown)
		fprintf(out, ", \"low\": %.4g, \"%s\": %.9g", e.low, e.cells > 0 ? "at" : "from",
		        e.cells > 0 ? e.cells : e.from);
	fputs(", \"reasons\": [", out);
	for (int i = 0; i < e.n && !e.unknown; i++) {
		fputs(i ? ", {" : "{", out);
		json_pair(out, "text", e.reason[i].text);
		fprintf(out, ", \"part\": %.4g}", e.reason[i].part);
	}
	fputs("]}", out);
}

void json_kernels(struct plan *const *plans, int n, FILE *out)
{
	bool first = true;
	fputs("  \"kernels\": [", out);
	for (int p = 0; p < n; p++) {
		const struct statements s = statements_of(plans[p]->entry);
		for (int i = 0; plans[p]->target->gpu && i < plans[p]->kernel.n; i++) {
			if (!has_statements(plans[p]->kernel.at[i]))
				continue;
			fputs(first ? "\n    {" : ",\n    {", out);
			json_kernel(plans[p]->kernel.at[i], &s, plans[p]->entry, out);
			first = false;
		}
	}
	putc(']', out);
}
