/* ast_dump.c - patc --dump=ast: one line a declaration, statement or clause, indented as they
 * nest; expressions as (operator part...), so that every precedence can be seen.  Words are
 * separated by '|' as the parser hands them to sema. */
#include "syntax.h"

#include <string.h>

static void dump_expr(const struct ast *, FILE *);

static void dump_ranges(struct ast_range *const *at, int n, FILE *out)
{
	for (int i = 0; i < n; i++) {
		fputs(i ? ", " : "", out);
		if (at[i]->name)
			fprintf(out, "%s in ", at[i]->name);
		dump_expr(at[i]->lo, out);
		fputs(at[i]->hi ? ".." : "", out);
		dump_expr(at[i]->hi, out);
	}
}

static void dump_exprs(const char *open, struct ast *const *at, int n, const char *close,
	FILE *out)
{
	fputs(open, out);
	for (int i = 0; i < n; i++) {
		fputs(i ? ", " : "", out);
		dump_expr(at[i], out);
	}
	fputs(close, out);
}

static void dump_subs(const struct ast *e, FILE *out)
{
	putc('[', out);
	dump_ranges(e->sub.at, e->sub.n, out);
	fputs(e->guard ? " where " : "", out);
	dump_expr(e->guard, out);
	putc(']', out);
}

static void dump_operator(const char *op, const struct ast *e, FILE *out)
{
	fprintf(out, "(%s", op);
	for (int i = 0; i < e->arg.n; i++) {
		putc(' ', out);
		dump_expr(e->arg.at[i], out);
	}
	putc(')', out);
}

static void dump_expr(const struct ast *e, FILE *out)
{
	if (!e)
		return;
	switch (e->kind) {
	case A_NAME:
	case A_NUMBER:
	case A_LITERAL:
	case A_WORD:
		fputs(e->name, out);
		break;
	case A_STRING:
		fprintf(out, "\"%s\"", e->name);
		break;
	case A_CALL:
		fputs(e->name, out);
		dump_exprs("(", e->arg.at, e->arg.n, ")", out);
		break;
	case A_SUBSCRIPT:
		fputs(e->name, out);
		dump_subs(e, out);
		break;
	case A_FOLD:
		fputs(e->name, out);
		dump_subs(e, out);
		dump_exprs("(", e->arg.at, e->arg.n, ")", out);
		break;
	case A_FIELD:
		dump_expr(e->arg.at[0], out);
		fprintf(out, ".%s", e->name);
		if (e->sub.n)
			dump_subs(e, out);
		break;
	case A_LIST:
		dump_exprs("[", e->arg.at, e->arg.n, "]", out);
		break;
	case A_GROUP:
		dump_exprs("(", e->arg.at, e->arg.n, ")", out);
		break;
	case A_UNARY:
	case A_BINARY:
		dump_operator(e->name, e, out);
		break;
	case A_COND:
		dump_operator("?:", e, out);
		break;
	}
}

static void indent(int depth, FILE *out)
{
	fprintf(out, "%*s", 2 * depth, "");
}

/* WHAT name: type = value */
static void dump_head(const char *what, const char *name, const struct ast *type,
	const struct ast *value, FILE *out)
{
	fprintf(out, "%s%s%s", what, name ? " " : "", name ? name : "");
	fputs(type ? ": " : "", out);
	dump_expr(type, out);
	fputs(value ? " = " : "", out);
	dump_expr(value, out);
}

static void dump_words(const char *before, struct ast *const *at, int n, FILE *out)
{
	for (int i = 0; i < n; i++) {
		fputs(i ? " | " : before, out);
		dump_expr(at[i], out);
	}
}

static void dump_phrases(const char *before, struct ast_phrase *const *at, int n, FILE *out)
{
	for (int i = 0; i < n; i++)
		dump_words(i ? ", " : before, at[i]->word.at, at[i]->word.n, out);
}

static void dump_given(const struct ast_given *g, FILE *out)
{
	if (!g->condition)
		return;
	fprintf(out, " for %s where ", g->name);
	dump_expr(g->condition, out);
}

static void dump_line(int depth, const char *what, const struct ast *e, FILE *out)
{
	if (!e)
		return;
	indent(depth, out);
	fprintf(out, "%s ", what);
	dump_expr(e, out);
	putc('\n', out);
}

static void dump_equation(const struct ast_equation *e, int depth, FILE *out)
{
	indent(depth, out);
	dump_exprs("", e->target.at, e->target.n, "", out);
	if (e->left) {
		fputs(" in ", out);
		dump_expr(e->left, out);
	}
	if (e->assign) {
		const char *word = strchr(e->assign, '=') ? "" : "=";
		fprintf(out, " %s%s ", e->assign, word);
	}
	dump_expr(e->right, out);
	putc('\n', out);
}

static void dump_clauses(const struct ast_stmt *s, int depth, FILE *out)
{
	if (s->range.n) {
		indent(depth, out);
		fputs("for ", out);
		dump_ranges(s->range.at, s->range.n, out);
		putc('\n', out);
	}
	dump_line(depth, "where", s->where, out);
	dump_line(depth, "else", s->otherwise, out);
	for (int i = 0; i < s->bind.n; i++) {
		indent(depth, out);
		fprintf(out, "using %s = %s\n", s->bind.at[i].symbol, s->bind.at[i].op);
	}
}

static void dump_stmt(const struct ast_stmt *s, int depth, FILE *out)
{
	static const char *const what[] = {
		[S_PATTERN] = "", [S_LET] = "let", [S_REQUIRE] = "require", [S_CALL] = "call",
		[S_IF] = "if",
		[S_REPEAT_COUNT] = "repeat",
		[S_REPEAT_UNTIL] = "until"
	};
	indent(depth, out);
	if (s->label)
		fprintf(out, "%s: ", s->label);
	fputs(s->kind == S_PATTERN ? s->name : "", out);
	if (s->kind == S_REPEAT_COUNT || s->kind == S_REPEAT_UNTIL) {
		dump_head(what[s->kind], s->name, NULL, NULL, out);
		fputs(s->name ? " < " : " ", out);
		dump_expr(s->value, out);
	} else if (s->kind == S_IF) {
		dump_head(what[s->kind], NULL, NULL, NULL, out);
		putc(' ', out);
		dump_expr(s->value, out);
	} else if (s->kind == S_REQUIRE) {
		dump_exprs("require ", s->value->arg.at, s->value->arg.n, "", out);
	} else if (s->kind == S_CALL) {
		dump_exprs(str_print("call %s(", s->name), s->value->arg.at, s->value->arg.n, ")",
		           out);
	} else if (s->kind == S_LET) {
		dump_head(what[s->kind], s->name, s->type, s->value, out);
	}
	dump_words("  -- ", s->word.at, s->word.n, out);
	putc('\n', out);
	for (int i = 0; i < s->equation.n; i++)
		dump_equation(s->equation.at[i], depth + 1, out);
	dump_clauses(s, depth + 1, out);
	for (int i = 0; i < s->body.n; i++)
		dump_stmt(s->body.at[i], depth + 1, out);
	if (s->other.n) {
		indent(depth, out);
		fputs("else\n", out);
	}
	for (int i = 0; i < s->other.n; i++)
		dump_stmt(s->other.at[i], depth + 1, out);
}

static void dump_inner(const struct ast_inner *s, int depth, FILE *out)
{
	static const char *const what[] = {
		[I_LET] = "let", [I_VAR] = "var", [I_ASSIGN] = "set", [I_IF] = "if",
		[I_WHILE] = "while", [I_FOR] = "for", [I_RETURN] = "return", [I_BREAK] = "break",
		[I_CONTINUE] = "continue"
	};
	indent(depth, out);
	if (s->kind == I_ASSIGN) {
		fprintf(out, "set ");
		dump_expr(s->target, out);
		fprintf(out, " %s%s ", s->assign, strchr(s->assign, '=') ? "" : "=");
		dump_expr(s->value, out);
	} else if (s->kind == I_FOR) {
		fputs("for ", out);
		dump_ranges(&s->range, 1, out);
	} else if (s->kind == I_LET || s->kind == I_VAR) {
		dump_head(what[s->kind], s->name, s->type, s->value, out);
		fprintf(out, "%s%s", s->word ? " " : "", s->word ? s->word : "");
	} else {
		dump_head(what[s->kind], NULL, NULL, NULL, out);
		fputs(s->value ? " " : "", out);
		dump_expr(s->value, out);
		dump_words("  -- ", s->words.at, s->words.n, out);
	}
	putc('\n', out);
	for (int i = 0; i < s->body.n; i++)
		dump_inner(s->body.at[i], depth + 1, out);
	if (s->otherwise.n)
		indent(depth, out), fputs("else\n", out);
	for (int i = 0; i < s->otherwise.n; i++)
		dump_inner(s->otherwise.at[i], depth + 1, out);
}

static void dump_params(const struct ast_decl *d, FILE *out)
{
	for (int i = 0; i < d->param.n; i++) {
		const struct ast_param *p = d->param.at[i];
		fputs("  ", out);
		dump_head(p->mode ? p->mode : "in", p->name, p->type, NULL, out);
		dump_words("  -- ", p->word.at, p->word.n, out);
		putc('\n', out);
	}
}

static void dump_pins(const struct ast_decl *d, FILE *out)
{
	for (int i = 0; i < d->pin.n; i++) {
		const struct ast_pin *pin = d->pin.at[i];
		fprintf(out, "  %s%s", pin->label ? pin->label : "", pin->label ? ": " : "");
		dump_phrases("", pin->phrase.at, pin->phrase.n, out);
		if (pin->when) {
			fputs(" when ", out);
			dump_expr(pin->when, out);
		}
		putc('\n', out);
	}
}

static void dump_fields(const struct ast_decl *d, FILE *out)
{
	for (int i = 0; i < d->field.n; i++) {
		const struct ast_names *f = d->field.at[i];
		for (int k = 0; k < f->name.n; k++) {
			dump_head("  field", f->name.at[k], f->type, NULL, out);
			putc('\n', out);
		}
	}
}

static void dump_settings(const char *before, const struct ast_setting *s, int n, FILE *out)
{
	for (int i = 0; i < n; i++) {
		fprintf(out, "%s%s = ", i ? ", " : before, s[i].name);
		dump_expr(s[i].value, out);
	}
}

static void dump_cases(const struct ast_decl *d, FILE *out)
{
	for (int i = 0; i < d->test.n; i++) {
		const struct ast_case *c = d->test.at[i];
		fprintf(out, "  case %s", c->kernel);
		dump_settings("  given ", c->given.at, c->given.n, out);
		dump_settings("  expected ", c->expected.at, c->expected.n, out);
		dump_words("  -- ", c->word.at, c->word.n, out);
		putc('\n', out);
	}
}

static void dump_decl(const struct ast_decl *d, FILE *out)
{
	static const char *const what[] = {
		[DECL_CONST] = "const", [DECL_USE] = "use", [DECL_STRUCT] = "struct",
		[DECL_FN] = "fn", [DECL_OP] = "op", [DECL_EXTERN] = "extern",
		[DECL_KERNEL] = "kernel", [DECL_SCHEDULE] = "schedule", [DECL_TEST] = "test"
	};
	dump_head(what[d->kind], d->name, d->type, d->value, out);
	dump_phrases("  -- ", d->claim.at, d->claim.n, out);
	dump_given(&d->given, out);
	putc('\n', out);
	dump_fields(d, out);
	dump_params(d, out);
	for (int i = 0; i < d->block.n; i++)
		dump_inner(d->block.at[i], 1, out);
	for (int i = 0; i < d->body.n; i++)
		dump_stmt(d->body.at[i], 1, out);
	dump_pins(d, out);
	dump_cases(d, out);
	for (int i = 0; i < d->inside.n; i++)
		dump_decl(d->inside.at[i], out);
}

void ast_dump(const struct ast_file *file, FILE *out)
{
	for (int i = 0; i < file->decl.n; i++)
		dump_decl(file->decl.at[i], out);
}
