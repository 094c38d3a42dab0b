/* cprint_stmt.c - the printer of target text: lines, statements, kernels, functions and tables.
 * Expressions are cprint.c's.
 *
 * What is printed is meant to be read: braces only round more than one statement, a blank line
 * before a note, lines broken before column 100. */
#include "cprint.h"

#include <assert.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <string.h>

enum { WIDTH = 98, TAB = 8 };

/* ---- lines ---- */

static void indent(int depth, FILE *out)
{
	static const char tabs[] = "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t";
	for (int most = sizeof tabs - 1; depth > 0; depth -= most)
		fwrite(tabs, 1, (size_t)(depth < most ? depth : most), out);
}

/* A line may end after a comma or a semicolon, and before an operator: a word between two blanks.
 * How tight that place binds, by C's precedences; -1: no place. */
static int tightness_at(const char *s, int i)
{
	static const struct { const char *op; int p; } binds[] = {
		{"=", P_ANY}, {"+=", P_ANY}, {"-=", P_ANY}, {"*=", P_ANY}, {"/=", P_ANY},
		{"%=", P_ANY}, {"|=", P_ANY},
		{"&=", P_ANY}, {"^=", P_ANY}, {"<<=", P_ANY}, {">>=", P_ANY}, {"?", P_COND},
		{":", P_COND}, {"||", P_LOR}, {"&&", P_LAND}, {"|", P_OR},
		{"^", P_XOR}, {"&", P_AND}, {"==", P_EQUAL}, {"!=", P_EQUAL}, {"<", P_ORDER},
		{">", P_ORDER}, {"<=", P_ORDER}, {">=", P_ORDER}, {"<<", P_SHIFT}, {">>", P_SHIFT},
		{"+", P_ADD}, {"-", P_ADD}, {"*", P_MUL}, {"/", P_MUL}, {"%", P_MUL},
	};
	if (s[i] != ' ' || i == 0)
		return -1;
	if (s[i - 1] == ';')
		return 0;
	if (s[i - 1] == ',')
		return P_ANY + 1;
	size_t n = strcspn(s + i + 1, " ");
	for (size_t b = 0; b < sizeof binds / sizeof *binds; b++)
		if (strlen(binds[b].op) == n && strncmp(binds[b].op, s + i + 1, n) == 0)
			return binds[b].p + 1;
	return -1;
}

/* The last of the loosest places in the later part of the line, else the next place there is. */
static int break_at(const char *s, int room)
{
	int best = 0, loosest = INT_MAX, nest = 0;
	for (int i = 0; s[i]; i++) {
		nest += s[i] == '(' || s[i] == '[' || s[i] == '{';
		nest -= s[i] == ')' || s[i] == ']' || s[i] == '}';
		if (i > room && best)
			break;
		int tight = i < room / 3 ? -1 : tightness_at(s, i);
		if (tight < 0)
			continue;
		tight += nest * (P_POSTFIX + 2);
		if (tight <= loosest) {
			loosest = tight;
			best = i;
		}
	}
	return best;
}

static int room_at(int depth)
{
	return WIDTH - TAB * depth > WIDTH / 2 ? WIDTH - TAB * depth : WIDTH / 2;
}

static void broken(int depth, FILE *out, const char *s)
{
	int room = room_at(depth);
	indent(depth, out);
	for (int at; (int)strlen(s) > room && (at = break_at(s, room)) > 0; s += at + 1) {
		fwrite(s, 1, (size_t)at, out);
		fputc('\n', out);
		indent(depth + 2, out);
		room = room_at(depth + 2);
	}
	fputs(s, out);
	fputc('\n', out);
}

/* Whole if it has a place: what the line goes on with would be on the line after. */
static void line(const struct dialect *d, int depth, FILE *out, const char *s)
{
	if (!d->places) {
		broken(depth, out, s);
		return;
	}
	indent(depth, out);
	fputs(s, out);
	fputc('\n', out);
}

void cprint_line(const char *s, int depth, FILE *out)
{
	broken(depth, out, s);
}

/* A line: %s is a text; %a, %c, %h and %u an expression, in parentheses if it binds looser than any
 * does, than ?:, a shift or a unary operator. */
static const char *text(const struct dialect *d, const char *format, ...)
{
	static const int tightest[] = {
		['a'] = P_ANY, ['c'] = P_COND, ['h'] = P_SHIFT, ['u'] = P_UNARY
	};
	struct ink ink = { 0 };
	va_list args;
	va_start(args, format);
	for (const char *f = format; *f; f++)
		if (*f != '%')
			ink_char(&ink, *f);
		else if (*++f == 's')
			ink_text(&ink, va_arg(args, const char *));
		else
			ink_expr(&ink, va_arg(args, const struct kx *), d,
			         tightest[(unsigned char)*f]);
	va_end(args);
	return ink.text;
}

/* ---- statements ---- */

static void body(const struct ks_list *, const struct dialect *, int depth, FILE *);

static const struct loc nowhere;

/* What follows in the output is the place's; of line 0: the output's own. */
static void place(const struct dialect *d, struct loc at, FILE *out)
{
	if (d->places)
		place_print(at, out);
}

/* A body of s, and what follows is s's again. */
static void body_of(const struct ks *s, const struct ks_list *list, const struct dialect *d,
                    int depth, FILE *out)
{
	body(list, d, depth, out);
	place(d, s->at, out);
}

static bool is_simple(const struct ks *s)
{
	switch (s->kind) {
	case KS_SET: case KS_DO: case KS_VSTORE: case KS_BARRIER: case KS_RETURN: case KS_BREAK:
	case KS_CONTINUE:
		return true;
	case KS_DECL: case KS_IF: case KS_FOR: case KS_WHILE: case KS_SCOPE: case KS_NOTE:
	case KS_LAUNCH: case KS_CLEAR:
		return false;
	}
	return false;
}

/* Printed without braces; not where lines have places, for compilers judge the indentation of what
 * is on one line of the program. */
static bool is_short(const struct ks_list *list, const struct dialect *d)
{
	return !d->places && list->n == 1 && is_simple(list->at[0]);
}

/* A piece of the memory that the launch asked for. */
static void decl_asked(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	const char *type = ktype_c(kt_pointer(s->var->type.type, false));
	line(d, depth, out,
	     text(d, "%sconst %s = (%s)patc_asked(%c);", type, s->var->name, type, s->b));
}

static void decl(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	const struct kvar *v = s->var;
	if (v->asked) {
		decl_asked(s, d, depth, out);
		return;
	}
	bool fixed = v->kind == KV_LET;
	const char *name = v->name;
	if (v->count > 0)
		name = str_print("%s[%" PRId64 "]", name, v->count);
	if (fixed && v->type.pointer)
		name = str_print("const %s", name);
	const char *align = v->align ? str_print("alignas(%d) ", v->align) : "";
	const char *space = v->kind == KV_SHARED        ? d->shared_prefix
	                    : fixed && !v->type.pointer ? "const "
	                                                : "";
	const char *type = ktype_c(v->type), *gap = v->type.pointer ? "" : " ";
	line(d, depth, out, s->a ? text(d, "%s%s%s%s%s = %c;", align, space, type, gap, name, s->a)
	                         : text(d, "%s%s%s%s%s;", align, space, type, gap, name));
}

/* x = x + 1 is x++, x = x + y is x += y. */
static void set(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	const struct kx *b = s->b;
	bool steps = b->kind == KX_OFFSET && kx_same(s->a, b->arg[0]);
	bool self = is_binary(b) && kx_same(s->a, b->arg[0]) && !kx_has_effect(s->a)
	            && !is_narrow(b->type.type) && b->type.type == s->a->type.type
	            && b->op >= OP_MUL && b->op <= OP_OR && b->type.type->kind != T_BOOL;
	if (steps)
		line(d, depth, out, text(d, "%u += %c;", s->a, b->arg[1]));
	else if (self)
		line(d, depth, out, text(d, "%u %s= %c;", s->a, operation_text[b->op], b->arg[1]));
	else
		line(d, depth, out, text(d, "%u = %c;", s->a, b));
}

static void braced(const struct ks *s, const char *head, const struct ks_list *list,
                   const struct dialect *d, int depth, FILE *out)
{
	bool is_bare = is_short(list, d);
	line(d, depth, out, is_bare ? head : text(d, "%s {", head));
	body_of(s, list, d, depth + 1, out);
	if (!is_bare)
		line(d, depth, out, "}");
}

static void branch(const struct ks *s, const struct dialect *d, int depth, FILE *out,
                   const char *before)
{
	const struct ks_list *other = &s->otherwise;
	bool chain = other->n == 1 && other->at[0]->kind == KS_IF;
	const char *head = text(d, "%sif (%a)", before, s->a);
	if (other->n == 0) {
		if (*before) {               /* the last of a chain keeps the braces of the first */
			line(d, depth, out, text(d, "%s {", head));
			body_of(s, &s->body, d, depth + 1, out);
			line(d, depth, out, "}");
		} else
			braced(s, head, &s->body, d, depth, out);
		return;
	}
	if (!*before && is_short(&s->body, d) && is_short(other, d)) {
		braced(s, head, &s->body, d, depth, out);
		braced(s, "else", other, d, depth, out);
		return;
	}
	line(d, depth, out, text(d, "%s {", head));
	body_of(s, &s->body, d, depth + 1, out);
	if (chain) {
		place(d, other->at[0]->at, out);
		branch(other->at[0], d, depth, out, "} else ");
		return;
	}
	line(d, depth, out, "} else {");
	body_of(s, other, d, depth + 1, out);
	line(d, depth, out, "}");
}

/* Cells of a loop over single cells that are worth several cores; a turn of any other parallel loop
 * is a part of the work. */
enum { FEW_CELLS = 8192 };

static void parallel(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	const char *name = s->flags & FOR_SIMD      ? "PATC_PARALLEL_SIMD"
	                   : s->flags & FOR_DYNAMIC ? "PATC_DYNAMIC"
	                                            : "PATC_PARALLEL";
	struct kx *few = s->flags & FOR_SIMD ? x_i64(FEW_CELLS) : s->c;
	const char *most = x_is_int(s->a, 0) ? text(d, "%h", few) : text(d, "%h + %h", s->a, few);
	line(d, depth, out, text(d, "%s(%s < %h)", name, most, s->b));
}

static void pragma(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	if (d->loops && s->flags & FOR_PARALLEL)
		parallel(s, d, depth, out);
	else if (d->loops && s->flags & FOR_SIMD)
		line(d, depth, out, "PATC_SIMD");
	if (d->unroll && s->flags & FOR_UNROLL)
		line(d, depth, out, d->unroll);
	if (d->unroll && s->flags & FOR_ROLLED)
		line(d, depth, out, str_print("%s 1", d->unroll));
	if (d->unroll && s->flags & FOR_EIGHTS)
		line(d, depth, out, str_print("%s 8", d->unroll));
	if (d->unroll && s->flags & FOR_TWOS)
		line(d, depth, out, str_print("%s 2", d->unroll));
	if (d->unroll && s->flags & FOR_FOURS)
		line(d, depth, out, str_print("%s 4", d->unroll));
}

static void loop(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	const char *name = s->var->name;
	const char *step = x_is_int(s->c, 1) ? text(d, "%s++", name)
	                                     : text(d, "%s += %c", name, s->c);
	pragma(s, d, depth, out);
	braced(s, text(d, "for (%s %s = %c; %s < %h; %s)", ktype_c(s->var->type), name, s->a, name,
	            s->b, step),
	       &s->body, d, depth, out);
}

/* The text may hold the user's words: nothing in it ends the comment. */
static char *comment(const char *text)
{
	char *s = str_print("/* %s */", text);
	for (char *c = s + 2; c[0] && c[1] && c[2]; c++)
		if ((c[0] == '*' && c[1] == '/') || (c[0] == '/' && c[1] == '*'))
			*c = ' ';
	for (char *c = s; *c; c++)
		if ((unsigned char)*c < ' ' || *c == 127)
			*c = ' ';
	return s;
}

static void vector_store(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	const char *type = ktype_c(s->b->type);
	line(d, depth, out, s->c ? text(d, "((%s *)%u)[%a] = %c;", type, s->a, s->c, s->b)
	                         : text(d, "*(%s *)%u = %c;", type, s->a, s->b));
}

static void statement(const struct ks *s, const struct dialect *d, int depth, FILE *out)
{
	switch (s->kind) {
	case KS_DECL: decl(s, d, depth, out); break;
	case KS_SET: set(s, d, depth, out); break;
	case KS_IF: branch(s, d, depth, out, ""); break;
	case KS_FOR: loop(s, d, depth, out); break;
	case KS_WHILE:
		braced(s, text(d, "while (%a)", s->a), &s->body, d, depth, out);
		break;
	case KS_SCOPE:
		line(d, depth, out, "{");
		body_of(s, &s->body, d, depth + 1, out);
		line(d, depth, out, "}");
		break;
	case KS_DO: line(d, depth, out, text(d, "%a;", s->a)); break;
	case KS_VSTORE: vector_store(s, d, depth, out); break;
	case KS_BARRIER: line(d, depth, out, d->barrier); break;
	case KS_RETURN: line(d, depth, out, s->a ? text(d, "return %a;", s->a) : "return;"); break;
	case KS_BREAK: line(d, depth, out, "break;"); break;
	case KS_CONTINUE: line(d, depth, out, "continue;"); break;
	case KS_NOTE: line(d, depth, out, comment(s->text)); break;
	case KS_LAUNCH: d->launch(s, depth, out); break;
	case KS_CLEAR: d->clear(s, depth, out); break;
	}
}

static void body(const struct ks_list *list, const struct dialect *d, int depth, FILE *out)
{
	for (int i = 0; i < list->n; i++) {
		if (i > 0 && list->at[i]->kind == KS_NOTE && list->at[i - 1]->kind != KS_NOTE)
			fputc('\n', out);
		if (list->at[i]->kind != KS_NOTE)
			place(d, list->at[i]->at, out);
		statement(list->at[i], d, depth, out);
	}
}

void cprint_body(const struct ks_list *list, const struct dialect *d, int depth, FILE *out)
{
	body(list, d, depth, out);
	place(d, nowhere, out);
}

/* ---- kernels, functions, tables ---- */

static char *parameter(const struct kvar *v, const struct dialect *d)
{
	bool strict = v->restrict_ && v->type.pointer && *d->restrict_;
	const char *name = strict ? str_print("%s %s", d->restrict_, v->name) : v->name;
	return cprint_declare(v->type, name);
}

static char *parameters(const struct kernel *k, const struct dialect *d)
{
	FILE *all = text_open();
	if (k->param.n == 0 && !d->cpp)
		fputs("void", all);
	for (int i = 0; i < k->param.n; i++)
		fprintf(all, "%s%s", i > 0 ? ", " : "", parameter(k->param.at[i], d));
	return text_close(all);
}

/* That of its first statement that has one: its head, and what has none of its own, are there. */
static struct loc place_of(const struct kernel *k)
{
	for (int i = 0; i < k->body.n; i++)
		if (k->body.at[i]->at.line)
			return k->body.at[i]->at;
	return nowhere;
}

static void find_id(struct kx *x, void *found)
{
	*(bool *)found |= x->kind == KX_ID && x->id >= ID_BLOCK_X;
}

static void definition(const struct kernel *k, const struct dialect *d, const char *head, FILE *out)
{
	struct map used = {0};
	bool placed = !k->part;
	line(d, 0, out, head);
	fputs("{\n", out);
	ks_walk(&k->body, find_id, &placed);
	if (!placed)
		line(d, 1, out, "(void)patc_block;");
	ks_walk(&k->body, kx_mark_var, &used);
	for (int i = 0; i < k->param.n; i++)
		if (!map_get(&used, k->param.at[i]))
			line(d, 1, out, str_print("(void)%s;", k->param.at[i]->name));
	map_free(&used);
	body(&k->body, d, 1, out);
	place(d, place_of(k), out);
	fputs("}\n", out);
}

bool cprint_bounds_fit(const struct kernel *k)
{
	if (k->min_blocks == 0 || k->target->fit_threads == 0)
		return true;
	return k->min_blocks * kernel_threads(k) <= k->target->fit_threads;
}

static const char *bounds(const struct kernel *k, const struct dialect *d)
{
	int threads = kernel_threads(k), least = k->min_blocks;
	if (least > 0 && d->simds) {
		/* then its size says as much */
		bool full = least == 1 && threads == k->target->max_block;
		least = least * threads / (k->target->lanes * d->simds);
		least = full ? 0 : least < 1 ? 1 : least;
	}
	if (!cprint_bounds_fit(k))
		return str_print(" __launch_bounds__(%d, patc_fit(%d, %d))", threads, threads,
		                 least);
	if (least > 0)
		return str_print(" __launch_bounds__(%d, %d)", threads, least);
	return str_print(" __launch_bounds__(%d)", threads);
}

/* What a block computes, for launches and for loops that are one launch; and the kernel. */
static void in_parts(const struct kernel *k, const struct dialect *d, FILE *out)
{
	struct dialect part = *d;
	const char *params = parameters(k, d);
	FILE *call = text_open();
	part.id = d->part_id;
	line(d, 0, out, str_print("%svoid", d->function_prefix));
	definition(k, &part, str_print("%s(const struct patc_block patc_block%s%s)", k->part,
	                               *params ? ", " : "", params), out);
	line(d, 0, out, str_print("\n%s%s", d->kernel_prefix, bounds(k, d)));
	line(d, 0, out, str_print("%s(%s)", k->name, params));
	fprintf(call, "%s(patc_own_block()", k->part);
	for (int i = 0; i < k->param.n; i++)
		fprintf(call, ", %s", k->param.at[i]->name);
	fputs(");", call);
	fputs("{\n", out);
	line(d, 1, out, text_close(call));
	fputs("}\n", out);
}

static void whole(const struct kernel *k, const struct dialect *d, FILE *out)
{
	if (k->choice)
		line(d, 0, out, str_print("template <bool %s>", k->choice->name));
	const char *head = str_print("%s(%s)", k->name, parameters(k, d));
	if (kernel_threads(k) > 0)
		line(d, 0, out, str_print("%s%s", d->kernel_prefix, bounds(k, d)));
	else
		head = str_print("%s %s", d->kernel_prefix, head);
	definition(k, d, head, out);
}

void cprint_kernel(const struct kernel *k, const struct dialect *d, FILE *out)
{
	if (k->note)
		line(d, 0, out, comment(k->note));
	place(d, place_of(k), out);
	if (k->part)
		in_parts(k, d, out);
	else
		whole(k, d, out);
	place(d, nowhere, out);
}

void cprint_function(const struct fn *fn, const struct kernel *k, const struct dialect *d,
                     FILE *out)
{
	place(d, place_of(k), out);
	definition(k, d, str_print("%s%s %sfn_%s(%s)", d->function_prefix, type_c(fn_result(fn)),
	                           own_prefix(d), fn->name, parameters(k, d)), out);
	place(d, nowhere, out);
}

void cprint_table(const struct var *v, const struct dialect *d, FILE *out)
{
	const struct type *elem = v->type->kind == T_ARRAY ? v->type->elem : v->type;
	int64_t cells = type_cells(v->type);
	for (int i = 0; i < v->rank; i++)
		cells *= v->extent[i].constant;
	FILE *values = text_open();
	for (int64_t i = 0; i < cells; i++) {
		fputs(i > 0 ? ", " : "", values);
		fputs(text(d, "%c", x_value(elem, v->table[i])), values);
	}
	line(d, 0, out,
	     str_print("%s%s %stable_%s[%" PRId64 "] = {%s};", d->table_prefix, type_c(elem),
	               own_prefix(d), v->name, cells, text_close(values)));
}

/* ---- the dump: the same text in no target's dialect ---- */

static void dump_launch(const struct ks *s, int depth, FILE *out)
{
	indent(depth, out);
	fprintf(out, "launch %s;\n", s->kernel->name);
}

static void dump_clear(const struct ks *s, int depth, FILE *out)
{
	(void)s;
	indent(depth, out);
	fputs("clear;\n", out);
}

static const char *const dump_id[] = {
	"thread.x", "thread.y", "thread.z", "block.x", "block.y", "block.z",
	"grid.x", "grid.y", "grid.z"
};

void kernel_dump(const struct kernel *k, FILE *out)
{
	const struct dialect d = {
		.kernel_prefix = "kernel", .shared_prefix = "shared ", .function_prefix = "",
		.table_prefix = "const ", .barrier = "barrier;", .unroll = "unroll",
		.restrict_ = "", .id = dump_id, .target = k->target,
		.launch = dump_launch, .clear = dump_clear,
	};
	cprint_kernel(k, &d, out);
}
