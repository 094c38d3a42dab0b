/* graph_dump.c - expressions as .pat text, and the dumps `types` and `graph`.
 *
 * The text has the least parentheses that read back to the same tree: a child is wrapped when it
 * binds looser than its place asks for, and at equal strength when it is not where the operator
 * associates.  Comparisons do not chain: both their sides ask for one level more. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "small.h"
#include "running.h"
#include "sorting.h"
#include "wavefront.h"

/* ---- printing expressions ---- */

enum {
	P_COND = 1, P_LOR, P_LAND, P_CMP, P_OR, P_XOR, P_AND, P_SHIFT, P_SUM, P_TERM, P_UNARY, P_TOP
};

static int binary_strength(enum operation op)
{
	switch (op) {
	case OP_LOR: return P_LOR;
	case OP_LAND: return P_LAND;
	case OP_LT: case OP_GT: case OP_LE: case OP_GE: case OP_EQ: case OP_NE: return P_CMP;
	case OP_OR: return P_OR;
	case OP_XOR: return P_XOR;
	case OP_AND: return P_AND;
	case OP_SHL: case OP_SHR: return P_SHIFT;
	case OP_ADD: case OP_SUB: return P_SUM;
	case OP_MUL: case OP_DIV: case OP_REM: return P_TERM;
	case OP_NEG: case OP_NOT: case OP_BITNOT: return P_UNARY;
	}
	return P_TOP;
}

static bool is_negative(const struct expr *e)
{
	if (type_class(e->type) == 'F')
		return signbit(e->value.f) && !isnan(e->value.f);
	return type_class(e->type) == 'I' && e->value.i < 0;
}

static int strength(const struct expr *e)
{
	switch (e->kind) {
	case E_COND: return P_COND;
	case E_BINARY: case E_UNARY: return binary_strength(e->op);
	case E_CONST: return is_negative(e) ? P_UNARY : P_TOP;
	case E_VAR: case E_READ: case E_FIELD: case E_ELEM: case E_STRUCT: case E_CAST: case E_CALL:
	case E_MATH: case E_FOLD: case E_OR_ZERO:
		return P_TOP;
	}
	return P_TOP;
}

/* The fewest digits that read back to the same number, and a point so that it stays a float. */
static void print_float(const struct type *type, double f, FILE *out)
{
	char text[40];
	if (isnan(f) || isinf(f)) {
		fputs(isnan(f) ? "nan" : f < 0 ? "-inf" : "inf", out);
		return;
	}
	for (int digits = 1; digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, f);
		if (float_round(type, strtod(text, NULL)) == f)
			break;
	}
	fputs(text, out);
	if (!strpbrk(text, ".e"))
		fputs(".0", out);
}

static void print_const(const struct expr *e, FILE *out)
{
	switch (type_class(e->type)) {
	case 'B':
		fputs(e->value.i ? "true" : "false", out);
		break;
	case 'F':
		print_float(e->type, e->value.f, out);
		break;
	case 'U':
		fprintf(out, "%" PRIu64, (uint64_t)e->value.i);
		break;
	default:
		if (e->value.i == INT64_MIN)
			fputs("i64.min", out);
		else
			fprintf(out, "%" PRId64, e->value.i);
	}
}

static bool only_written;                /* leave out conversions that the program does not have */

static bool is_silent(const struct expr *e)
{
	struct loc own = e->at, of = e->kind == E_CAST ? e->arg.at[0]->at : own;
	return e->kind == E_CAST && own.line == of.line && own.col == of.col && own.file == of.file
	       && own.end == of.end;
}

static const struct expr *shown(const struct expr *e)
{
	while (only_written && is_silent(e))
		e = e->arg.at[0];
	return e;
}

static void print_at(const struct expr *e, int least, FILE *out)
{
	e = shown(e);
	bool wrap = strength(e) < least;
	fputs(wrap ? "(" : "", out);
	expr_print(e, out);
	fputs(wrap ? ")" : "", out);
}

static void print_args(const struct expr *e, int first, FILE *out)
{
	for (int i = first; i < e->arg.n; i++) {
		fputs(i > first ? ", " : "", out);
		expr_print(e->arg.at[i], out);
	}
}

static void print_call(const char *name, const struct expr *e, FILE *out)
{
	fprintf(out, "%s(", name);
	print_args(e, 0, out);
	fputc(')', out);
}

/* Without the sizes, which the arrays give. */
static void print_function(const struct expr *e, FILE *out)
{
	struct expr written = *e;
	written.arg.n = e->fn->param.n;
	print_call(e->fn->name, &written, out);
}

static void print_subscripts(const struct expr *e, int first, FILE *out)
{
	fputc('[', out);
	print_args(e, first, out);
	fputc(']', out);
}

/* A value for a field, for an array a list as deep as it has axes. */
static void print_elements(const struct expr *e, const struct type *type, int axis, int *at,
                           FILE *out)
{
	if (type->kind != T_ARRAY || axis == type->rank) {
		expr_print(e->arg.at[(*at)++], out);
		return;
	}
	for (int64_t k = 0; k < type->extent[axis]; k++) {
		fputs(k ? ", " : "[", out);
		print_elements(e, type, axis + 1, at, out);
	}
	fputc(']', out);
}

static void print_struct(const struct expr *e, FILE *out)
{
	const struct record *r = e->type->record;
	int at = 0;
	if (!r->boxed)
		fprintf(out, "%s(", r->name);
	for (int f = 0; f < r->field.n && at < e->arg.n; f++) {
		print_elements(e, r->field.at[f].type, 0, &at, out);
		fputs(f + 1 < r->field.n ? ", " : "", out);
	}
	if (!r->boxed)
		fputc(')', out);
}

/* The axis of a running fold is the statement's to say. */
static void print_running(const struct expr *e, FILE *out)
{
	fputs(e->fold->op->name, out);
	if (e->fold->where) {
		fputs("[where ", out);
		expr_print(e->fold->where, out);
		fputc(']', out);
	}
	fputc('(', out);
	print_args(e, 0, out);
	fputc(')', out);
}

static void print_search(const struct expr *e, FILE *out)
{
	const struct expr *compare = search_compare(e);
	fprintf(out, "search(%s, ", searched_cell(e)->var->name);
	expr_print(compare->arg.at[1], out);
	fputs(compare->op == OP_GT ? ", upper)" : ")", out);
}

static void print_fold(const struct expr *e, FILE *out)
{
	const struct fold *f = e->fold;
	if (f->handed) {
		fputs(e->arg.at[0]->var->name, out);
		return;
	}
	if (f->sorted) {
		print_search(e, out);
		return;
	}
	if (f->running) {
		print_running(e, out);
		return;
	}
	fprintf(out, "%s[", f->op->name);
	for (int i = 0; i < f->index.n; i++) {
		fprintf(out, "%s%s in ", i ? ", " : "", f->index.at[i]->name);
		print_at(f->lo.at[i], P_COND, out);
		fputs("..", out);
		print_at(f->hi.at[i], P_COND, out);
	}
	if (f->where) {
		fputs(" where ", out);
		expr_print(f->where, out);
	}
	fputs("](", out);
	print_args(e, 0, out);
	fputc(')', out);
}

static bool is_comparison(enum operation op)
{
	return op >= OP_LT && op <= OP_NE;
}

static void print_binary(const struct expr *e, FILE *out)
{
	int own = binary_strength(e->op);
	print_at(e->arg.at[0], is_comparison(e->op) ? own + 1 : own, out);
	fprintf(out, " %s ", operation_text[e->op]);
	print_at(e->arg.at[1], own + 1, out);
}

static void print_unary(const struct expr *e, FILE *out)
{
	fputs(operation_text[e->op], out);
	print_at(e->arg.at[0], P_UNARY, out);
}

static void print_cond(const struct expr *e, FILE *out)
{
	print_at(e->arg.at[0], P_COND + 1, out);
	fputs(" ? ", out);
	print_at(e->arg.at[1], P_COND, out);
	fputs(" : ", out);
	print_at(e->arg.at[2], P_COND, out);
}

void expr_print_written(const struct expr *e, FILE *out)
{
	only_written = true;
	expr_print(e, out);
	only_written = false;
}

char *expr_text(const struct expr *e)
{
	FILE *f = text_open();
	expr_print_written(e, f);
	return text_close(f);
}

const char *entry_status(const struct entry *e, int status)
{
	int k = status - ST_REQUIRED;
	if (k >= 0 && k < e->require.n)
		return str_print("the kernel requires %s", expr_text(e->require.at[k]));
	return status_text(status);
}

void expr_print(const struct expr *e, FILE *out)
{
	e = shown(e);
	switch (e->kind) {
	case E_CONST: print_const(e, out); return;
	case E_VAR: fputs(e->var->name, out); return;
	case E_READ:
		fputs(e->var->name, out);
		print_subscripts(e, 0, out);
		return;
	case E_FIELD:
		print_at(e->arg.at[0], P_TOP, out);
		if (e->arg.at[0]->kind == E_FOLD && op_is_arg(e->arg.at[0]->fold->op))
			return;                   /* in an expression the fold is its index (R31) */
		if (!type_unboxed(e->arg.at[0]->type))
			fprintf(out, ".%s", e->field->name);
		return;
	case E_ELEM:
		if (e->var)
			fputs(e->var->name, out);
		else
			print_at(e->arg.at[0], P_TOP, out);
		print_subscripts(e, e->var ? 0 : 1, out);
		return;
	case E_STRUCT: print_struct(e, out); return;
	case E_UNARY: print_unary(e, out); return;
	case E_BINARY: print_binary(e, out); return;
	case E_COND: print_cond(e, out); return;
	case E_CAST: print_call(type_name(e->type), e, out); return;
	case E_CALL: print_function(e, out); return;
	case E_MATH: print_call(math_table[e->math].name, e, out); return;
	case E_FOLD: print_fold(e, out); return;
	case E_OR_ZERO: print_call("or_zero", e, out); return;
	}
}

/* ---- dumps ---- */

char *axes_text(const struct type *type, int rank, const struct affine *extent)
{
	char *text = str_print("%s", type_name(type));
	for (int i = 0; i < rank; i++)
		text = str_print("%s%s%s", text, i ? ", " : "[", affine_text(&extent[i]));
	return str_print("%s%s", text, rank ? "]" : "");
}

static void print_shape(const struct var *v, FILE *out)
{
	fputs(axes_text(v->type, v->rank, v->extent), out);
}

const char *layout_text(const struct layout *l)
{
	const char *order = l->col ? "col" : l->pitched ? "row" : "";
	const char *fields = l->block < 0 ? "soa"
	                     : l->block   ? str_print("aosoa(%" PRId64 ")", l->block)
	                                  : "";
	if (l->tile[0])
		order = str_print("tiled(%" PRId64 ", %" PRId64 ")", l->tile[0], l->tile[1]);
	if (l->curve)
		order = l->curve == CURVE_MORTON ? "morton" : "hilbert";
	if (l->pitched)
		order = str_print("%s(%s)", order, affine_text(&l->ld));
	return str_print("%s%s%s", order, *order && *fields ? " " : "", fields);
}

static void print_var(const char *what, const struct var *v, FILE *out)
{
	static const char *const mode[] = { "", "out ", "inout " };
	fprintf(out, "  %s %s%s: ", what, v->kind == VAR_PARAM ? mode[v->mode] : "", v->name);
	print_shape(v, out);
	if (v->layout)
		fprintf(out, " layout %s", layout_text(v->layout));
	fputc('\n', out);
}

static void print_record(const struct record *r, FILE *out)
{
	fprintf(out, "struct %s { ", r->name);
	for (int i = 0; i < r->field.n; i++)
		fprintf(out, "%s%s: %s @%" PRId64, i ? ", " : "", r->field.at[i].name,
		        type_name(r->field.at[i].type), r->field.at[i].offset);
	fprintf(out, " } size %" PRId64 " align %" PRId64 "\n", r->size, r->align);
}

static void print_signature(const struct fn *f, FILE *out)
{
	fprintf(out, "%sfn %s(", f->from ? "extern " : "", f->name);
	for (int i = 0; i < f->param.n; i++) {
		fprintf(out, "%s%s: ", i ? ", " : "", f->param.at[i]->name);
		print_shape(f->param.at[i], out);
	}
	fprintf(out, ") -> %s", type_name(f->type));
	if (f->from)
		fprintf(out, " from \"%s\"", f->from);
}

static void print_constant(const struct var *v, FILE *out)
{
	fprintf(out, "const %s: ", v->name);
	print_shape(v, out);
	if (v->value) {
		fputs(" = ", out);
		expr_print(v->value, out);
	}
	fputc('\n', out);
}

void types_dump(const struct program *p, FILE *out)
{
	for (int i = 0; i < p->record.n; i++)
		print_record(p->record.at[i], out);
	for (int i = 0; i < p->constant.n; i++)
		print_constant(p->constant.at[i], out);
	for (int i = 0; i < p->fn.n; i++) {
		print_signature(p->fn.at[i], out);
		fputc('\n', out);
	}
	for (int i = 0; i < p->entry.n; i++) {
		const struct entry *e = p->entry.at[i];
		fprintf(out, "kernel %s\n", e->name);
		for (int k = 0; k < e->size.n; k++)
			print_var("size", e->size.at[k], out);
		for (int k = 0; k < e->param.n; k++)
			print_var("param", e->param.at[k], out);
		for (int k = 0; k < e->let.n; k++)
			print_var("let", e->let.at[k], out);
	}
}

static void indent(int depth, FILE *out)
{
	for (int i = 0; i < depth; i++)
		fputs("  ", out);
}

static void inner_dump(const struct inner *s, int depth, FILE *out);

static void inner_list_dump(struct inner *const *at, int n, int depth, FILE *out)
{
	for (int i = 0; i < n; i++)
		inner_dump(at[i], depth, out);
}

static void inner_line(const char *word, const struct expr *e, FILE *out)
{
	fputs(word, out);
	if (e)
		expr_print(e, out);
	fputc('\n', out);
}

static void inner_dump(const struct inner *s, int depth, FILE *out)
{
	indent(depth, out);
	switch (s->kind) {
	case N_LET:
		fprintf(out, "%s %s: %s%s%s", s->var->is_mutable ? "var" : "let", s->var->name,
		        type_name(s->var->type), s->var->spills ? " spill" : "", s->a ? " = " : "");
		inner_line("", s->a, out);
		break;
	case N_ASSIGN:
		expr_print(s->target, out);
		inner_line(" = ", s->a, out);
		return;
	case N_IF: inner_line("if ", s->a, out); break;
	case N_WHILE:
		inner_line("while ", s->a, out);
		if (s->b)
			inner_line(" at most ", s->b, out);
		break;
	case N_FOR:
		fprintf(out, "%sfor %s in ", s->unrolled ? "unrolled " : "", s->var->name);
		expr_print(s->a, out);
		inner_line("..", s->b, out);
		break;
	case N_RETURN: inner_line("return ", s->a, out); return;
	case N_BREAK: inner_line("break", NULL, out); return;
	case N_CONTINUE: inner_line("continue", NULL, out); return;
	}
	inner_list_dump(s->body.at, s->body.n, depth + 1, out);
	if (s->otherwise.n) {
		indent(depth, out);
		fputs("else\n", out);
		inner_list_dump(s->otherwise.at, s->otherwise.n, depth + 1, out);
	}
}

static void print_edge(const struct edge *e, FILE *out)
{
	static const char *const word[] = {
		"none", "clamp", "wrap", "mirror", "reflect", "", "keep"
	};
	if (e->kind == B_VALUE)
		expr_print(e->value, out);
	else
		fputs(word[e->kind], out);
}

static void domain_dump(const struct node *node, int depth, FILE *out)
{
	for (int i = 0; i < node->index.n; i++) {
		indent(depth, out);
		fprintf(out, "for %s in ", node->index.at[i]->name);
		expr_print(node->lo.at[i], out);
		fputs("..", out);
		expr_print(node->hi.at[i], out);
		if (i < MAX_RANK && node->edge[i].kind != B_NONE) {
			fputs(" boundary ", out);
			print_edge(&node->edge[i], out);
		}
		fputc('\n', out);
	}
	if (node->where) {
		indent(depth, out);
		inner_line("where ", node->where, out);
	}
}

static void print_cut(const struct running *r, FILE *out)
{
	static const char *const word[] = { "", "segments", "heads", "keys", "of" };
	if (r->segment == SEGMENT_NONE)
		return;
	fprintf(out, " %s ", word[r->segment]);
	if (r->cut)
		fputs(r->cut->name, out);
	else
		expr_print(r->length, out);
}

static void running_dump(const struct node *node, int depth, FILE *out)
{
	const struct running *r = node->running;
	indent(depth, out);
	fprintf(out, "along %s", node->index.at[r->axis]->name);
	for (int k = 1; k <= sorting_more(node); k++)
		fprintf(out, ", %s", node->index.at[r->axis + k]->name);
	fprintf(out, "%s%s", r->from_right ? " from right" : "", r->exclusive ? " exclusive" : "");
	for (int k = 0; k < r->froms; k++) {
		fputs(k ? ", " : " from ", out);
		expr_print(r->from[k], out);
	}
	print_cut(r, out);
	fputc('\n', out);
}

static void sorting_dump(const struct sorting *s, int depth, FILE *out)
{
	static const char *const word[] = { [ORDER_UP] = "<", [ORDER_DOWN] = ">" };
	indent(depth, out);
	fputs("sorted by ", out);
	expr_print(s->key, out);
	fprintf(out, " %s%s", s->less ? s->less->name : word[s->order], s->stable ? " stable" : "");
	inner_line(s->first ? " first " : "", s->first, out);
}

static void recurrence_dump(const struct recurrence *r, FILE *out)
{
	const char *join = " = ";
	for (int k = 0; k < MAX_ORDER; k++) {
		if (!r->weight[k] && !r->bare[k])
			continue;
		fprintf(out, "%s%sbefore %d", join, r->weight[k] ? "(" : "", k + 1);
		if (r->weight[k]) {
			fprintf(out, " %s%s ", r->dist->name, r->uniform[k] ? " uniform" : "");
			expr_print(r->weight[k], out);
			fputc(')', out);
		}
		join = str_print(" %s ", r->acc->name);
	}
	if (r->rest) {
		fputs(join, out);
		expr_print(r->rest, out);
	}
	fprintf(out, " in %s\n", type_name(r->type));
}

static void wave_dump(const struct node *node, int depth, FILE *out)
{
	const struct wavefront *w = node->wave;
	for (int d = 0; d < node->index.n; d++)
		if (w->back[w->order[d]]) {
			indent(depth, out);
			fprintf(out, "%s from its high end\n", node->index.at[w->order[d]]->name);
		}
	for (int k = 0; k < w->read.n; k++) {
		const struct neighbour *n = w->read.at[k];
		indent(depth, out);
		fprintf(out, "%s is %s %s at", n->value->name, n->fresh ? "new" : "old",
		        target_read(node->equation.at[n->equation]->target.at[0])->var->name);
		for (int i = 0; i < node->index.n; i++)
			fprintf(out, "%s %+lld", i ? "," : "", (long long)n->step[i]);
		inner_line(n->outside ? " outside " : "", n->outside, out);
	}
}

/* row: + over H_0_1 * 2, H_1_0; rest e */
static void form_dump(const char *which, const struct wave_form *f, const char *none, int depth,
                      FILE *out)
{
	indent(depth, out);
	fprintf(out, "%s: ", which);
	if (!f) {
		fprintf(out, "no form, %s\n", none);
		return;
	}
	if (f->acc)
		fprintf(out, "%s over", f->acc->name);
	for (int k = 0; k < f->term.n; k++) {
		fprintf(out, "%s %s", k ? "," : "", f->term.at[k].from->value->name);
		if (f->term.at[k].weight) {
			fprintf(out, " %s ", f->dist->name);
			expr_print(f->term.at[k].weight, out);
		}
	}
	fputs(f->rest ? f->acc ? "; rest " : "rest " : "", out);
	if (f->rest)
		expr_print(f->rest, out);
	fprintf(out, " in %s\n", type_name(f->type));
}

static void algebra_dump(const struct wavefront *w, int q, int depth, FILE *out)
{
	const struct wave_algebra *a = &w->algebra.at[q];
	if (a->law) {
		indent(depth, out);
		fprintf(out, "%s\n", a->law);
	}
	form_dump("row", a->row, a->no_row, depth, out);
	form_dump("all", a->all, a->no_all, depth, out);
}

static void equation_dump(const struct equation *q, int depth, FILE *out)
{
	indent(depth, out);
	for (int i = 0; i < q->target.n; i++) {
		fputs(i ? ", " : "", out);
		expr_print(q->target.at[i], out);
	}
	if (q->recurrence) {
		recurrence_dump(q->recurrence, out);
		return;
	}
	inner_line(q->combine ? str_print(" %s= ", q->combine->name) : " = ", q->right, out);
}

static void node_dump(const struct node *node, int depth, FILE *out)
{
	indent(depth, out);
	if (node->label)
		fprintf(out, "%s: ", node->label);
	switch (node->kind) {
	case NODE_PATTERN:
		fprintf(out, "%s%s\n", node->pattern->name, node->whole ? " whole" : "");
		domain_dump(node, depth + 1, out);
		if (node->running)
			running_dump(node, depth + 1, out);
		if (node->sorting)
			sorting_dump(node->sorting, depth + 1, out);
		if (node->wave)
			wave_dump(node, depth + 1, out);
		for (int i = 0; i < node->equation.n; i++)
			equation_dump(node->equation.at[i], depth + 1, out);
		for (int i = 0; node->wave && i < node->wave->algebra.n; i++)
			algebra_dump(node->wave, i, depth + 2, out);
		return;
	case NODE_SWAP:
	case NODE_SPARE:
		fprintf(out, "%s %s, %s\n", node->kind == NODE_SWAP ? "swap" : "spare",
		        node->swap[0]->name, node->swap[1]->name);
		return;
	case NODE_REPEAT_COUNT:
		fprintf(out, "repeat %s < ", node->counter->name);
		inner_line("", node->limit, out);
		break;
	case NODE_REPEAT_UNTIL:
		fputs("repeat until ", out);
		expr_print(node->until, out);
		if (node->every) {
			fputs(" every ", out);
			expr_print(node->every, out);
		}
		inner_line(" at most ", node->limit, out);
		break;
	case NODE_IF:
		inner_line(node->is_else ? "else if " : "if ", node->until, out);
		break;
	}
	for (int i = 0; i < node->body.n; i++)
		node_dump(node->body.at[i], depth + 1, out);
}

void graph_dump(const struct program *p, FILE *out)
{
	for (int i = 0; i < p->fn.n; i++) {
		const struct fn *f = p->fn.at[i];
		print_signature(f, out);
		inner_line(f->value ? " = " : "", f->value, out);
		inner_list_dump(f->body.at, f->body.n, 1, out);
	}
	for (int i = 0; i < p->entry.n; i++) {
		fprintf(out, "kernel %s\n", p->entry.at[i]->name);
		for (int k = 0; k < p->entry.at[i]->require.n; k++)
			inner_line("  require ", p->entry.at[i]->require.at[k], out);
		for (int k = 0; k < p->entry.at[i]->body.n; k++)
			node_dump(p->entry.at[i]->body.at[k], 1, out);
	}
}
