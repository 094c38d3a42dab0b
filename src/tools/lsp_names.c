/* lsp_names.c - names of a program for patc lsp: where they are declared and used, and what is
 * known of them.
 *
 * Tokens are enough, so a program that is being written has its names, too.  A name belongs to the
 * declaration of the file that it is in: one that this declares itself (a parameter, a let, an
 * index, a label, or a size where it is first used) is local to it, any other is that of a
 * declaration.  A schedule has the names of its kernel, and so have the cases of tests; what this
 * document does not declare may be declared in a file that it uses. */
#include "front.h"
#include "lsp.h"
#include "parse.h"
#include "run.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct decl { int first, end, name, kind; };    /* tokens; kind: its first word */
struct names {
	const struct question *q;
	struct tokens token;
	LIST(struct decl) decl;
};

/* ---- declarations ---- */

static int kind_at(const struct names *s, int i)
{
	return i >= 0 && i < s->token.n ? s->token.at[i].kind : END;
}

static const char *name_at(const struct names *s, int i)
{
	return kind_at(s, i) == NAME ? s->token.at[i].name : NULL;
}

static bool begins_decl(const struct names *s, int i)
{
	const int kind = kind_at(s, i), before = kind_at(s, i - 1);
	if (kind == NAME)
		return name_at(s, i) == str_name("test")
			&& (before == END || before == SEMI || before == RBRACE);
	return kind >= CONST && kind <= SCHEDULE && kind != USE && before != EXTERN;
}

static void add_decl(struct names *s, int i)
{
	const int name = i + 1 + (kind_at(s, i) == EXTERN);
	if (s->decl.n)
		s->decl.at[s->decl.n - 1].end = i;
	list_add(&s->decl, ((struct decl){ i, s->token.n, name, kind_at(s, i) }));
}

static struct names *names_of(const struct question *q)
{
	struct names *s = NEW(struct names);
	int braces = 0;
	s->q = q;
	s->token = scan_all(q->file);
	for (int i = 0; i < s->token.n; i++) {
		if (!braces && begins_decl(s, i))
			add_decl(s, i);
		braces += (kind_at(s, i) == LBRACE) - (kind_at(s, i) == RBRACE && braces > 0);
	}
	return s;
}

static const struct decl *decl_around(const struct names *s, int i)
{
	for (int k = 0; k < s->decl.n; k++)
		if (s->decl.at[k].first <= i && i < s->decl.at[k].end)
			return &s->decl.at[k];
	return NULL;
}

static int decl_named_at(const struct names *s, const char *name)
{
	for (int k = 0; k < s->decl.n; k++)
		if (s->decl.at[k].kind != SCHEDULE && name_at(s, s->decl.at[k].name) == name)
			return s->decl.at[k].name;
	return -1;
}

/* ---- where a name is declared ---- */

static bool is_local(const struct names *s, int i)
{
	const int before = kind_at(s, i - 1), after = kind_at(s, i + 1);
	if (before == LET || before == VAR || before == REPEAT || after == IN)
		return true;
	return after == COLON && (before == LPAREN || before == COMMA || before == LBRACE
	                          || before == SEMI || before == RBRACE || before == NAME);
}

static int field_named(const struct names *s, const char *name)
{
	for (int k = 0; k < s->decl.n; k++)
		for (int i = s->decl.at[k].name + 1; i < s->decl.at[k].end; i++)
			if (s->decl.at[k].kind == STRUCT && name_at(s, i) == name
			    && (kind_at(s, i + 1) == COLON || kind_at(s, i + 1) == COMMA))
				return i;
	return -1;
}

static bool is_word(const char *name)
{
	const struct vocabulary *all = vocabulary();
	for (int i = 0; i < all->n; i++)
		if (all->at[i].text == name)
			return true;
	return false;
}

static bool is_equals(const struct names *s, int i)
{
	return i < s->token.n && s->token.at[i].length == 1 && *s->token.at[i].text == '=';
}

static bool begins_case(const struct names *s, int i)
{
	return kind_at(s, i) == SEMI || kind_at(s, i) == LBRACE;
}

/* The declaration whose names the name at i may be: the one that it is in, or the kernel of a
 * schedule, or of a case of a test, whose values have names. */
static const struct decl *home_of(const struct names *s, int i)
{
	const struct decl *d = decl_around(s, i);
	int kernel = i;
	if (d && d->kind == SCHEDULE && i > d->name)
		kernel = d->name;
	else if (d && d->kind == NAME && is_equals(s, i + 1))
		while (kernel > d->first && !begins_case(s, kernel - 1))
			kernel--;
	const int named = kernel == i ? -1 : decl_named_at(s, name_at(s, kernel));
	return named < 0 ? d : decl_around(s, named);
}

static bool is_called(const struct names *s, int i, const char *name)
{
	return i >= 0 && i < s->token.n && name_at(s, i) && !strcmp(name_at(s, i), name);
}

/* The words of `at most N`, which a variable may be called as well. */
static bool is_at_most(const struct names *s, int i)
{
	return (is_called(s, i, "at") && is_called(s, i + 1, "most"))
	       || (is_called(s, i, "most") && is_called(s, i - 1, "at"));
}

/* The token of this document that says what the name at i is; -1: none. */
static int bound(const struct names *s, int i)
{
	const struct decl *home = home_of(s, i);
	const char *name = name_at(s, i);
	if (is_at_most(s, i))
		return -1;
	if (kind_at(s, i - 1) == DOT)
		return field_named(s, name);
	for (int k = home ? home->name + 1 : 0; home && k < home->end; k++)
		if (name_at(s, k) == name && is_local(s, k))
			return k;
	return decl_named_at(s, name);
}

/* The token that declares what the name at i is, if by its first use; -1: none. */
static int declared(const struct names *s, int i)
{
	const struct decl *home = home_of(s, i);
	const int at = i < 0 || !name_at(s, i) ? -1 : bound(s, i);
	if (i < 0 || !name_at(s, i) || at >= 0 || !home || kind_at(s, i - 1) == DOT
	    || is_at_most(s, i) || is_word(name_at(s, i)))
		return at;
	for (int k = home->name + 1; k < home->end; k++)
		if (name_at(s, k) == name_at(s, i) && kind_at(s, k - 1) != DOT)
			return k;
	return -1;
}

/* ---- positions ---- */

/* Is the first position at or before the second? */
static bool is_before(const json_t *a, const json_t *b)
{
	const json_int_t la = json_integer_value(json_object_get(a, "line")),
	                 lb = json_integer_value(json_object_get(b, "line"));
	return la != lb ? la < lb
		: json_integer_value(json_object_get(a, "character"))
		  <= json_integer_value(json_object_get(b, "character"));
}

static bool is_at(const struct names *s, int i, const json_t *position)
{
	json_t *range = lsp_range(s->token.at[i].at);
	const bool is = is_before(json_object_get(range, "start"), position)
		&& is_before(position, json_object_get(range, "end"));
	json_decref(range);
	return is;
}

/* The name at the position of a request; -1: none.  Between two tokens it is a name that counts. */
static int asked(const struct names *s)
{
	const json_t *position = json_object_get(s->q->params, "position");
	const int line = (int)json_integer_value(json_object_get(position, "line")) + 1;
	for (int i = 0; i < s->token.n; i++)
		if (s->token.at[i].at.line == line && name_at(s, i) && is_at(s, i, position))
			return i;
	return -1;
}

static json_t *location(const struct names *s, int i)
{
	return json_pack("{s:s, s:o}", "uri", s->q->uri, "range", lsp_range(s->token.at[i].at));
}

/* ---- names of other files ---- */

static char *uri_of(const char *path)
{
	char *whole = realpath(path, NULL), *uri = str_print("file://");
	for (const char *c = whole ? whole : path; *c; c++) {
		const bool plain = isalnum((unsigned char)*c) || strchr("/-._~", *c);
		uri = plain ? str_print("%s%c", uri, *c)
			: str_print("%s%%%02X", uri, (unsigned)(unsigned char)*c);
	}
	free(whole);
	return uri;
}

/* Where a file that the document uses declares a name; NULL: none does, or the document is wrong.
 * The answer's source is another one than the question's. */
static json_t *used_location(const struct question *q, const char *name)
{
	const struct ast_file *ast = parse_file(q->path, q->options);
	for (int i = 0; ast && i < ast->decl.n; i++) {
		const struct ast_decl *d = ast->decl.at[i];
		if (!d->name || strcmp(d->name, name) != 0 || d->kind == DECL_USE
		    || strcmp(source_path(d->at.file), q->path) == 0)
			continue;
		struct question there = *q;
		there.file = d->at.file;
		there.uri = uri_of(source_path(d->at.file));
		const struct names *s = names_of(&there);
		const int at = decl_named_at(s, name);
		return at < 0 ? NULL : location(s, at);
	}
	return NULL;
}

json_t *lsp_definition(const struct question *q)
{
	const struct names *s = names_of(q);
	const int i = asked(s);
	if (i < 0)
		return NULL;
	json_t *used = bound(s, i) < 0 ? used_location(q, name_at(s, i)) : NULL;
	const int at = declared(s, i);
	return used ? used : at < 0 ? NULL : location(s, at);
}

json_t *lsp_references(const struct question *q)
{
	const struct names *s = names_of(q);
	const int i = asked(s), at = declared(s, i);
	json_t *all = json_array();
	for (int k = 0; at >= 0 && k < s->token.n; k++)
		if (name_at(s, k) == name_at(s, at) && declared(s, k) == at)
			json_array_append_new(all, location(s, k));
	return all;
}

/* ---- another name ---- */

static bool is_identifier(const char *name)
{
	bool is = isalpha((unsigned char)*name) || *name == '_';
	for (const char *c = name; is && *c; c++)
		is = isalnum((unsigned char)*c) || *c == '_';
	return is;
}

static bool is_field(const struct names *s, int at)
{
	const struct decl *d = decl_around(s, at);
	return d && d->kind == STRUCT && at != d->name;
}

/* Would what is declared at this token meet another one of the name? */
static bool is_taken(const struct names *s, int at, const char *name)
{
	const struct decl *d = decl_around(s, at);
	const bool local = d && d->name != at;
	bool taken = decl_named_at(s, name) >= 0;
	for (int k = local ? d->first : 0; k < (local ? d->end : s->token.n); k++)
		taken |= name_at(s, k) == name;
	return taken;
}

/* Why the name at i, declared at `at`, cannot be called `name`; NULL: it can. */
static const char *rename_trouble(const struct names *s, int i, int at, const char *name)
{
	if (at < 0)
		return "there is no name here that this document declares";
	if (is_field(s, at))
		return "fields of structs are not renamed: other structs may have the same ones";
	if (bound(s, i) < 0 && used_location(s->q, name_at(s, i)))
		return str_print("`%s` is declared in another file", name_at(s, i));
	if (!is_identifier(name))
		return str_print("`%s` is not a valid name", name);
	if (is_word(name))
		return str_print("`%s` is a keyword of the language", name);
	return is_taken(s, at, name) ? str_print("`%s` is already declared here", name) : NULL;
}

json_t *lsp_rename(const struct question *q)
{
	const struct names *s = names_of(q);
	const int i = asked(s), at = declared(s, i);
	const char *given = json_string_value(json_object_get(q->params, "newName"));
	const char *name = str_name(given ? given : "");
	const char *trouble = rename_trouble(s, i, at, name);
	if (trouble)
		return lsp_failure(trouble);
	json_t *edits = json_array();
	for (int k = 0; k < s->token.n; k++)
		if (name_at(s, k) == name_at(s, at) && declared(s, k) == at)
			json_array_append_new(edits, json_pack("{s:o, s:s}", "range",
				lsp_range(s->token.at[k].at), "newText", name));
	return json_pack("{s:{s:o}}", "changes", q->uri, edits);
}

/* ---- what is known of a name ---- */

static char *text_between(const struct names *s, int first, int last)
{
	const struct token *a = &s->token.at[first], *b = &s->token.at[last];
	return str_print("%.*s", (int)(b->text + b->length - a->text), a->text);
}

/* `x: f32[n]`, `let a: f32`, `i in 0..n` */
static char *local_text(const struct names *s, int i)
{
	int first = i, last = i, depth = 0;
	const int before = kind_at(s, i - 1);
	if (before == LET || before == VAR || (before == NAME && kind_at(s, i + 1) == COLON))
		first--;
	for (int k = i + 1; k < s->token.n; k++) {
		const int kind = kind_at(s, k);
		depth += (kind == LPAREN || kind == LBRACK) - (kind == RPAREN || kind == RBRACK);
		if (depth < 0 || kind == SEMI || kind == LBRACE || (!depth && kind == COMMA))
			break;
		last = k;
	}
	return text_between(s, first, last);
}

/* A declaration up to its body. */
static char *decl_text(const struct names *s, const struct decl *d)
{
	int last = d->first;
	while (last + 1 < d->end && kind_at(s, last + 1) != SEMI
	       && (d->kind == STRUCT || kind_at(s, last + 1) != LBRACE))
		last++;
	return text_between(s, d->first, last);
}

static char *declaration_text(const struct names *s, int i)
{
	const struct decl *d = decl_around(s, i);
	if (d && d->name == i)
		return decl_text(s, d);
	return is_local(s, i) || (d && d->kind == STRUCT) ? local_text(s, i)
		: str_print("%s, first used in line %d", name_at(s, i), s->token.at[i].at.line);
}

static json_t *hover(const struct names *s, int i, const char *text)
{
	return json_pack("{s:{s:s, s:s}, s:o}", "contents", "kind", "plaintext", "value", text,
	                 "range", lsp_range(s->token.at[i].at));
}

json_t *lsp_hover(const struct question *q)
{
	const struct names *s = names_of(q);
	const int i = asked(s), at = declared(s, i);
	const struct pattern *pattern = i < 0 ? NULL : pattern_find(name_at(s, i));
	if (at >= 0)
		return hover(s, i, declaration_text(s, at));
	if (!pattern)
		return NULL;
	json_t *remarks = lsp_remarks(q, s->token.at[i].at);
	return hover(s, i, str_print("%s: %s%s%s", pattern->name, pattern->summary,
	                             remarks ? "\n\n" : "",
	                             remarks ? json_string_value(remarks) : ""));
}

/* ---- lists ---- */

static int symbol_kind(int kind)
{
	enum { MODULE = 2, FUNCTION = 12, CONSTANT = 14, STRUCTURE = 23, OPERATOR = 25 };
	return kind == CONST ? CONSTANT : kind == STRUCT ? STRUCTURE : kind == OP ? OPERATOR
		: kind == KERNEL || kind == FN || kind == EXTERN ? FUNCTION : MODULE;
}

json_t *lsp_symbols(const struct question *q)
{
	const struct names *s = names_of(q);
	json_t *all = json_array();
	for (int k = 0; k < s->decl.n; k++) {
		const struct decl *d = &s->decl.at[k];
		struct span whole = s->token.at[d->first].at;
		if (!name_at(s, d->name))
			continue;
		whole.last_line = s->token.at[d->end - 1].at.last_line;
		whole.last_col = s->token.at[d->end - 1].at.last_col;
		json_array_append_new(all, json_pack("{s:s, s:i, s:o, s:o}", "name",
			name_at(s, d->name), "kind", symbol_kind(d->kind), "range",
			lsp_range(whole), "selectionRange",
			lsp_range(s->token.at[d->name].at)));
	}
	return all;
}

static void offer(json_t *all, struct map *offered, const char *text, const char *detail)
{
	enum { VARIABLE = 6, KEYWORD = 14 };
	if (!text || map_get(offered, text))
		return;
	*map_at(offered, text) = offered;
	json_array_append_new(all, json_pack("{s:s, s:i, s:s}", "label", text, "kind",
		*detail ? KEYWORD : VARIABLE, "detail", detail));
}

/* The words of the language, the declarations, the names of the declaration that is written. */
json_t *lsp_complete(const struct question *q)
{
	const struct names *s = names_of(q);
	const json_t *line = json_object_get(json_object_get(q->params, "position"), "line");
	const struct vocabulary *words = vocabulary();
	struct map offered = { 0 };
	const struct decl *here = NULL;
	json_t *all = json_array();
	for (int k = 0; k < words->n; k++)
		offer(all, &offered, words->at[k].text, words->at[k].kind);
	for (int k = 0; k < s->decl.n; k++) {
		offer(all, &offered, name_at(s, s->decl.at[k].name), "");
		if (s->token.at[s->decl.at[k].first].at.line <= json_integer_value(line) + 1)
			here = &s->decl.at[k];
	}
	for (int i = here ? here->name + 1 : 0; here && i < here->end; i++)
		offer(all, &offered, name_at(s, i), "");
	return all;
}
