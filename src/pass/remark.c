/* remark.c - --remarks: for every statement what it moves and computes, how fast a machine could be
 * at that, what each pass did, which bottleneck that relieved, or why it did nothing, and which
 * way a lowering takes (patterns/ways.h).
 *
 * The passes record the reasons themselves as they decide (remark_did, remark_not, remark_none);
 * nothing is guessed afterwards and nothing depends on whether remarks are asked for.  What a pass
 * has found nothing to do at is told by --remarks=all alone.  Text goes to standard error, a line
 * each:
 *
 *heat.pat:4:3: remark: step: stencil, memory-bound: 8 B and 6 flop a cell, at most 537 Gcell/s on
 *an H200 heat.pat:4:3: remark: step: coarsen: no: one row a thread ...
 *
 * JSON goes to standard output, an object a program; patc(1) documents its shape. */
#include <math.h>
#include <stdarg.h>
#include <string.h>
#include "plan.h"
#include "remark.h"
#include "remark_told.h"
#include "wavefront.h"
#include "work.h"
#include "kir.h"

static const char *const pass_names[] = {
#define PASS(id, name, help) name,
#include "pass.def"
#undef PASS
	[REMARK_WAY] = "way"
};
static const char *const relief_names[] = {
	[RELIEF_NONE] = NULL,  [BANDWIDTH] = "bandwidth",   [CONTENTION] = "contention",
	[BALANCE] = "balance", [REGULARITY] = "regularity", [EFFICIENCY] = "efficiency"
};

/* ---- recording ---- */

static void add(struct node *node, struct remark r, const char *format, va_list args)
{
	FILE *text = text_open();
	vfprintf(text, format, args);
	r.text = text_close(text);
	struct remark *kept = NEW(struct remark);
	*kept = r;
	list_add(&node->remark, kept);
}

void remark_did(struct node *node, enum pass pass, enum relief relief, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	struct remark r = { .pass = pass, .told = TOLD_DID, .relief = relief };
	add(node, r, format, args);
	va_end(args);
}

void remark_not(struct node *node, enum pass pass, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(node, (struct remark){ .pass = pass, .told = TOLD_NOT }, format, args);
	va_end(args);
}

void remark_costs(struct node *node, enum pass pass, double bytes, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(node, (struct remark){ .pass = pass, .told = TOLD_NOT, .cost = bytes }, format, args);
	va_end(args);
}

void remark_none(struct node *node, enum pass pass, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add(node, (struct remark){ .pass = pass, .told = TOLD_NONE }, format, args);
	va_end(args);
}

void remark_way(struct node *node, int before, const char *text)
{
	for (int i = 0; i < node->remark.n; i++) {
		const struct remark *r = node->remark.at[i];
		if (r->pass == REMARK_WAY && !strcmp(r->text, text))
			return;
	}
	struct remark *kept = NEW(struct remark);
	*kept = (struct remark){ .pass = REMARK_WAY, .told = TOLD_DID, .text = text };
	list_add(&node->remark, kept);
	for (int i = node->remark.n - 1; i > before; i--)
		node->remark.at[i] = node->remark.at[i - 1];
	node->remark.at[before] = kept;
}

static bool has_heard(const struct node *node, enum pass pass)
{
	for (int i = 0; i < node->remark.n; i++)
		if (node->remark.at[i]->pass == pass)
			return true;
	return false;
}

void remark_others(const struct plan *plan, enum pass pass, const char *why)
{
	for (int k = 0; k < plan->kernel.n; k++) {
		struct node *node = plan->kernel.at[k]->node;
		if (node && !has_heard(node, pass))
			remark_none(node, pass, "%s", why);
	}
}

const char *remark_number(double x)
{
	return x >= 999.5 ? str_print("%.0f", x) : str_print("%.3g", x);
}

/* Three digits and no more than x. */
static const char *at_most(double x)
{
	double step = 1;
	while (step * 100 > x && step > 1e-6)
		step /= 10;
	while (step * 1000 <= x)
		step *= 10;
	return remark_number(floor(x / step) * step);
}

const char *remark_bytes(double bytes)
{
	return bytes >= 1024 ? str_print("%s KiB", remark_number(bytes / 1024))
	                     : str_print("%s B", remark_number(bytes));
}

/* ---- the statements of a kernel, as they stand in the file ---- */

static void collect(struct statements *s, struct node *const *at, int n, int loops)
{
	for (int i = 0; i < n; i++) {
		bool repeats = at[i]->kind == NODE_REPEAT_COUNT || at[i]->kind == NODE_REPEAT_UNTIL;
		if (at[i]->kind == NODE_PATTERN)
			list_add(&s->at, ((struct statement){ at[i], loops }));
		collect(s, at[i]->body.at, at[i]->body.n, loops + repeats);
	}
}

static bool stands_before(const struct node *a, const struct node *b)
{
	return a->at.line < b->at.line || (a->at.line == b->at.line && a->at.col < b->at.col);
}

struct statements statements_of(const struct entry *entry)
{
	struct statements s = { 0 };
	collect(&s, entry->body.at, entry->body.n, 0);
	collect(&s, entry->inside.at, entry->inside.n, 0);
	for (int i = 1; i < s.at.n; i++)
		for (int j = i; j > 0 && stands_before(s.at.at[j].node, s.at.at[j - 1].node); j--) {
			struct statement later = s.at.at[j - 1];
			s.at.at[j - 1] = s.at.at[j];
			s.at.at[j] = later;
		}
	return s;
}

const struct node *anchor_of(const struct node *node)
{
	while (node->into)
		node = node->into;
	return node;
}

/* ---- text ---- */

static const char *article(const char *name)
{
	return strchr("AEFHILMNORSX8", *name) ? "an" : "a";     /* as its first letter is spelled */
}

static const char *rate_text(double per_second, const char *unit, const struct machine *m)
{
	bool tera = per_second >= 1e13;
	return str_print(", at most %s %c%s/s on %s %s",
	                 at_most(per_second * (tera ? 1e-12 : 1e-9)), tera ? 'T' : 'G', unit,
	                 article(m->name), m->name);
}

static const char *work_text(const struct work *w, const struct machine *m)
{
	const char *unit = w->of_term ? "term" : "cell", *least = w->at_least ? "at least " : "";
	struct roofline b = m ? work_roofline(w, m) : (struct roofline){ NULL, 0 };
	const char *integer = w->integer > 0 ? str_print(" and %s integer operation%s",
	                                                 remark_number(w->integer),
	                                                 w->integer == 1 ? "" : "s")
	                                     : "";
	const char *moved = w->cached > 0 ? str_print("%s from caches", remark_bytes(w->cached))
	                                  : remark_bytes(w->read + w->written);
	double operations = w->f32 + w->f64 + w->integer;
	const char *density = w->cached > 0 ? str_print(", %s operations a byte",
	                                                remark_number(operations / w->cached))
	                                    : "";
	const char *units = m && work_on_units(w, m) ? " on matrix units" : "";
	const char *text = str_print("%s%s%s and %s flop%s a %s%s%s",
	                             b.by ? str_print("%s: ", b.by) : "", least, moved,
	                             remark_number(w->f32 + w->f64), integer, unit, units, density);
	if (w->cell.read + w->cell.written > 0)
		text = str_print("%s, %s of memory a cell%s", text,
		                 remark_bytes(w->cell.read + w->cell.written),
		                 m ? rate_text(work_cells_a_second(w, m), "cell", m) : "");
	return b.by ? str_print("%s%s", text, rate_text(b.per_second, unit, m)) : text;
}

/* R14: a fold computes in the type of its terms, and only its result is widened. */
static const char *narrow_fold(const struct node *node)
{
	for (int q = 0; q < node->equation.n; q++) {
		const struct expr *right = node->equation.at[q]->right, *fold = right;
		while (fold && fold->kind == E_CAST)
			fold = fold->arg.at[0];
		if (fold && fold->kind == E_FOLD && fold != right && type_class(fold->type) == 'F'
		    && fold->type != right->type && type_fits(fold->type, right->type))
			return str_print("the terms are folded in %s, only the result is %s: write "
			                 "`%s(...)` around the term for more",
			                 type_name(fold->type), type_name(right->type),
			                 type_name(right->type));
	}
	return NULL;
}

/* `boundary` and the domain of a wavefront. */
static const char *beside_domain(const struct node *node)
{
	const struct neighbour *n = node->wave ? node->wave->beside : NULL;
	if (!n)
		return NULL;
	return str_print("where %s is outside the domain and inside `%s`, it is the cell of the "
	                 "array, not the `boundary` value",
	                 expr_text(n->read), n->read->var->name);
}

static const char *note_of(const struct node *node)
{
	const char *beside = beside_domain(node);
	return beside ? beside : narrow_fold(node);
}

static void text_remark(const struct node *node, const struct remark *r)
{
	const char *relief = relief_names[r->relief];
	const char *no = r->told == TOLD_DID ? ""
	                 : r->cost > 0       ? str_print("no (%s a cell): ", remark_bytes(r->cost))
	                                     : "no: ";
	diag_remark(node->at, "%s: %s%s: %s%s", node->name, pass_names[r->pass],
	            relief ? str_print(" (%s)", relief) : "", no, r->text);
}

/* Its own lines: all that were recorded, or what was done. */
static void text_statement(const struct node *node, const struct machine *m, bool all)
{
	struct work work = work_of(node);
	const char *in = node->into ? str_print("in the kernel of `%s`", anchor_of(node)->name)
	                            : work_text(&work, m);
	diag_remark(node->at, "%s: %s, %s", node->name, node->pattern->name, in);
	if (note_of(node))
		diag_remark(node->at, "%s: note: %s", node->name, note_of(node));
	for (int i = 0; i < node->remark.n; i++)
		if (all || node->remark.at[i]->told == TOLD_DID)
			text_remark(node, node->remark.at[i]);
}

/* ---- text: what was not done, what costs most first ---- */

struct miss { const struct node *node; const struct remark *remark; int loops; };
struct misses { LIST(struct miss) at; };

static int loops_around(const struct statements *s, const struct node *node)
{
	const struct node *anchor = anchor_of(node);
	int i = 0;
	while (i < s->at.n - 1 && s->at.at[i].node != anchor)
		i++;
	return s->at.at[i].loops;
}

/* What is not known comes last; a loop runs its statements again and again. */
static bool costs_more(const struct miss *a, const struct miss *b)
{
	double x = a->remark->cost, y = b->remark->cost;
	if (x <= 0 || y <= 0)
		return x > y;
	return a->loops > b->loops || (a->loops == b->loops && x > y);
}

static struct misses misses_of(const struct statements *s)
{
	struct misses m = { 0 };
	for (int i = 0; i < s->at.n; i++) {
		const struct node *node = s->at.at[i].node;
		const int loops = loops_around(s, node);
		for (int k = 0; k < node->remark.n; k++) {
			struct miss miss = { node, node->remark.at[k], loops };
			if (miss.remark->told != TOLD_NOT)
				continue;
			list_add(&m.at, miss);
			int j = m.at.n - 1;
			for (; j > 0 && costs_more(&miss, &m.at.at[j - 1]); j--)
				m.at.at[j] = m.at.at[j - 1];
			m.at.at[j] = miss;
		}
	}
	return m;
}

static void text_misses(const struct statements *s)
{
	struct misses m = misses_of(s);
	for (int i = 0; i < m.at.n; i++)
		text_remark(m.at.at[i].node, m.at.at[i].remark);
}

static void text_entry(const struct statements *s, const struct plan *plan,
                       const struct machine *m, bool all)
{
	for (int i = 0; i < s->at.n; i++)
		text_statement(s->at.at[i].node, m, all);
	text_kernels(plan, s, m);
	if (!all)
		text_misses(s);
}

/* ---- JSON ---- */

void json_pair(FILE *out, const char *key, const char *value)
{
	fprintf(out, "\"%s\": ", key);
	if (value)
		text_json(out, value);
	else
		fputs("null", out);
}

static void json_work(const struct work *w, const struct machine *m, FILE *out)
{
	struct roofline b = m ? work_roofline(w, m) : (struct roofline){ NULL, 0 };
	fprintf(out,
	       ", \"unit\": \"%s\", \"read\": %.9g, \"written\": %.9g, \"f32\": %.9g, \"f64\": "
	       "%.9g, \"integer\": %.9g, \"united\": %.9g, "
	       "\"exact\": %s,\n     \"operations\": {",
	       w->of_term ? "term" : "cell", w->read, w->written, w->f32, w->f64, w->integer,
	       m && work_on_units(w, m) ? w->united : 0,
	       w->at_least ? "false" : "true");
	for (int i = 0; i < w->operation.n; i++) {
		fputs(i ? ", " : "", out);
		text_json(out, w->operation.at[i].name);
		fprintf(out, ": %.9g", w->operation.at[i].times);
	}
	fputs("}, ", out);
	json_pair(out, "bound", b.by);
	if (b.by)
		fprintf(out, ", \"per_second\": %.6g", b.per_second);
	if (w->cell.read + w->cell.written > 0)
		fprintf(out, ", \"cell\": {\"read\": %.9g, \"written\": %.9g", w->cell.read,
		        w->cell.written);
	if (m && work_cells_a_second(w, m) > 0)
		fprintf(out, ", \"per_second\": %.6g", work_cells_a_second(w, m));
	fputs(w->cell.read + w->cell.written > 0 ? "}" : "", out);
}

/* `main`: the program's file; the place of another one, which it uses, names that. */
void json_place(struct loc at, int main, FILE *out)
{
	fprintf(out, ", \"line\": %d, \"column\": %d", at.line, at.col);
	if (at.file == main)
		return;
	fputs(", ", out);
	json_pair(out, "file", source_path(at.file));
}

static void json_statement(const struct plan *plan, const struct node *node,
                           const struct machine *m, bool first, FILE *out)
{
	const struct entry *entry = plan->entry;
	struct work work = work_of(node);
	fputs(first ? "\n    {" : ",\n    {", out);
	json_pair(out, "kernel", entry->name);
	fputs(", ", out);
	json_pair(out, "statement", node->name);
	json_place(node->at, entry->at.file, out);
	fputs(", ", out);
	json_pair(out, "pattern", node->pattern->name);
	fputs(", ", out);
	json_pair(out, "group", anchor_of(node)->name);
	if (!node->into) {
		json_work(&work, m, out);
		json_expected(plan, node, m, out);
	}
	fputs(", ", out);
	json_pair(out, "note", note_of(node));
	fputs(",\n     \"passes\": [", out);
	for (int i = 0; i < node->remark.n; i++) {
		const struct remark *r = node->remark.at[i];
		fputs(i ? ",\n      {" : "\n      {", out);
		json_pair(out, "pass", pass_names[r->pass]);
		fprintf(out, ", \"did\": %s, \"missed\": %s, ",
		       r->told == TOLD_DID ? "true" : "false",
		       r->told == TOLD_NOT ? "true" : "false");
		if (r->cost > 0)
			fprintf(out, "\"cost\": %.9g, ", r->cost);
		json_pair(out, "relieved", relief_names[r->relief]);
		fputs(", ", out);
		json_pair(out, "text", r->text);
		putc('}', out);
	}
	fputs("]}", out);
}

static void json_units(const struct unit_rates *r, FILE *out)
{
	const struct { const char *name; double rate; } all[] = {
		{ "f16", r->f16 }, { "tf32", r->tf32 }, { "f32", r->f32 },
		{ "f64", r->f64 }, { "i8", r->i8 },     { "f8", r->f8 },
	};
	const char *separator = "";
	fputs("\"units\": {", out);
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		if (all[i].rate > 0) {
			fprintf(out, "%s\"%s\": %.9g", separator, all[i].name, all[i].rate);
			separator = ", ";
		}
	}
	putc('}', out);
}

static void json_reached(const struct reached *r, FILE *out)
{
	fprintf(out,
	        ",\n    \"reached\": {\"launch\": %.9g, \"shared\": %.9g, \"staged\": %.9g, "
	        "\"behind\": %.9g, \"cores\": %.9g, \"units\": %.9g, \"turned\": %.9g, "
	        "\"steps32\": %.9g, \"steps64\": %.9g, \"kept\": %.9g, \"atomics\": %.4g}",
	        r->launch, r->shared, r->staged, r->behind, r->cores, r->units, r->turned,
	        r->steps32, r->steps64, r->kept, r->atomics);
}

static void json_head(const struct program *program, const struct options *o,
                      const struct machine *m, FILE *out)
{
	putc('{', out);
	json_pair(out, "file", program->path);
	fputs(", ", out);
	json_pair(out, "target", o->target->name);
	fputs(", ", out);
	json_pair(out, "arch", o->target->arch);
	fputs(",\n  \"machine\": ", out);
	if (m) {
		putc('{', out);
		json_pair(out, "name", m->name);
		fprintf(out,
		        ", \"copy\": %.9g, \"read\": %.9g, \"f32\": %.9g, \"f64\": %.9g,\n    ",
		        m->copy, m->read, m->f32, m->f64);
		json_units(&m->units, out);
		json_reached(&m->reached, out);
		putc('}', out);
	} else {
		fputs("null", out);
	}
	fputs(",\n  \"statements\": [", out);
}

/* ---- all of a program ---- */

/* Of several programs or targets one list, be some of them wrong. */
static void json_part(const struct options *o, const char *separator)
{
	if (o->remarks == REMARKS_JSON && (o->input.n > 1 || o->contest.n > 1))
		fputs(separator, stdout);
}

static int programs;                     /* so far */

void remarks_close(const struct options *o)
{
	json_part(o, programs ? "]\n" : "[]\n");
}

void remarks_json(const struct program *program, struct plan *const *plans,
                  const struct options *o, FILE *out)
{
	const struct machine *m = machine_of(o->target, o->machine);
	bool first = true;
	json_head(program, o, m, out);
	for (int e = 0; e < program->entry.n; e++) {
		struct statements s = statements_of(program->entry.at[e]);
		for (int i = 0; i < s.at.n; i++, first = false)
			json_statement(plans[e], s.at.at[i].node, m, first, out);
	}
	fputs("],\n", out);
	json_kernels(plans, program->entry.n, out);
	fputs("}\n", out);
}

void remarks_print(const struct program *program, struct plan *const *plans,
                   const struct options *o)
{
	const struct machine *m = machine_of(o->target, o->machine);
	json_part(o, programs++ ? "," : "[");
	if (o->remarks == REMARKS_JSON) {
		remarks_json(program, plans, o, stdout);
		return;
	}
	for (int e = 0; e < program->entry.n; e++) {
		struct statements s = statements_of(program->entry.at[e]);
		text_entry(&s, plans[e], m, o->remarks == REMARKS_ALL);
	}
}
