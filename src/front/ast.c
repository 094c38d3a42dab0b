/* ast.c - the syntax tree: its constructors, one a call of an action in grammar/parse.y.
 *
 * Depth: every node knows how deep the tree below it is, and one that would be deeper than
 * MAX_DEPTH is reported when it is built; so a later stage may recurse without counting.  The
 * scanner counts brackets for the same reason (grammar/lex.l), and the parser's own stack ends
 * at YYMAXDEPTH. */
#include "ast.h"

#include <limits.h>
#include <string.h>

/* Lists of one element type are different C types when declared twice, with the same parts. */
#define list_move(to, from) ((to)->at = (from)->at, (to)->n = (from)->n, (to)->room = (from)->room)

/* ---- places ---- */

struct loc loc_of(struct span s)
{
	int end = s.last_line == s.line ? s.last_col : INT_MAX;     /* its first line */
	return (struct loc){ .file = s.file, .line = s.line, .col = s.col, .end = end };
}

struct span span_join(struct span first, struct span last)
{
	return (struct span){ first.file, first.line, first.col, last.last_line, last.last_col };
}

/* ---- depth ---- */

/* Tells once: what is built around a node that is too deep keeps quiet. */
static void deepen(int *depth, int below, struct loc at)
{
	if (below < *depth)
		return;
	*depth = below > MAX_DEPTH ? below : below + 1;
	if (below != MAX_DEPTH)
		return;
	diag_error(at, D_DEPTH, "nested more than %d deep", MAX_DEPTH);
	diag_cure("name a part of it, or fold over an index: sum[k](...)");
}

static void ast_deepen(struct ast *node, const struct ast *child)
{
	if (child)
		deepen(&node->depth, child->depth, child->at);
}

/* ---- expressions ---- */

struct ast *ast_new(enum ast_kind kind, struct span at, const char *name)
{
	struct ast *node = NEW(struct ast);
	node->kind = kind;
	node->at = loc_of(at);
	node->name = name;
	return node;
}

struct ast *ast_add(struct ast *list, struct span at, struct ast *arg)
{
	if (!list)
		list = ast_new(A_LIST, at, NULL);
	list_add(&list->arg, arg);
	list->at = loc_of(at);
	ast_deepen(list, arg);
	return list;
}

struct ast *ast_sub(struct ast *list, struct span at, struct ast_range *range)
{
	if (!list)
		list = ast_new(A_SUBSCRIPT, at, NULL);
	list_add(&list->sub, range);
	ast_deepen(list, range->lo);
	ast_deepen(list, range->hi);
	return list;
}

struct ast *ast_guard(struct ast *list, struct ast *guard)
{
	list->guard = guard;
	ast_deepen(list, guard);
	return list;
}

struct ast *ast_subscripts(struct ast *exprs)
{
	for (int i = 0; i < exprs->arg.n; i++) {
		struct ast_range *range = NEW(struct ast_range);
		*range = (struct ast_range){ .at = exprs->arg.at[i]->at, .lo = exprs->arg.at[i] };
		list_add(&exprs->sub, range);
	}
	exprs->arg.n = 0;
	return exprs;
}

static struct ast *ast_become(struct ast *list, enum ast_kind kind, struct span at,
	const char *name)
{
	list->kind = kind;
	list->at = loc_of(at);
	list->name = name;
	return list;
}

struct ast *ast_call(struct ast *args, struct span at, const char *name)
{
	return ast_become(args, A_CALL, at, name);
}

struct ast *ast_index(struct ast *subs, struct span at, const char *name, struct ast *args)
{
	if (args)
		list_move(&subs->arg, &args->arg);
	if (args && args->depth > subs->depth)
		subs->depth = args->depth;
	return ast_become(subs, args ? A_FOLD : A_SUBSCRIPT, at, name);
}

struct ast *ast_field(struct ast *whole, struct span at, const char *name, struct ast *subs)
{
	struct ast *field = ast_add(NULL, at, whole);
	if (subs)
		list_move(&field->sub, &subs->sub);
	if (subs && subs->depth > field->depth)
		field->depth = subs->depth;
	return ast_become(field, A_FIELD, at, name);
}

/* Parentheses have done their work when the tree is built; only messages show them. */
struct ast *ast_parens(struct ast *inside, struct span at)
{
	inside->at = loc_of(at);
	return inside;
}

struct ast *ast_unary(struct span at, const char *op, struct ast *a)
{
	return ast_become(ast_add(NULL, at, a), A_UNARY, at, str_name(op));
}

struct ast *ast_binary(struct span at, const char *op, struct ast *a, struct ast *b)
{
	return ast_become(ast_add(ast_add(NULL, at, a), at, b), A_BINARY, at, str_name(op));
}

struct ast *ast_cond(struct span at, struct ast *c, struct ast *yes, struct ast *no)
{
	struct ast *list = ast_add(ast_add(ast_add(NULL, at, c), at, yes), at, no);
	return ast_become(list, A_COND, at, NULL);
}

struct ast_range *range_new(struct span at, const char *name, struct ast *lo, struct ast *hi)
{
	struct ast_range *range = NEW(struct ast_range);
	*range = (struct ast_range){ loc_of(at), name, lo, hi };
	return range;
}

/* ---- statements ---- */

struct ast_equation *equation_target(struct ast_equation *e, struct span at, struct ast *target)
{
	if (!e)
		e = NEW(struct ast_equation);
	e->at = loc_of(at);
	list_add(&e->target, target);
	return e;
}

struct ast_equation *equation_right(struct ast_equation *e, struct span at, const char *assign,
	struct ast *right)
{
	e->at = loc_of(at);
	e->assign = assign;
	e->right = right;
	return e;
}

/* x[i] in left = right */
struct ast_equation *equation_solved(struct ast_equation *e, struct span at, struct ast *left,
	struct ast *right)
{
	e->left = left;
	return equation_right(e, at, str_name("="), right);
}

struct ast_stmt *stmt_new(enum ast_stmt_kind kind, struct span at, const char *name)
{
	struct ast_stmt *stmt = NEW(struct ast_stmt);
	stmt->kind = kind;
	stmt->at = loc_of(at);
	stmt->name = name;
	return stmt;
}

static struct ast_stmt *stmt_or_new(struct ast_stmt *stmt)
{
	return stmt ? stmt : NEW(struct ast_stmt);
}

struct ast_stmt *stmt_equation(struct ast_stmt *stmt, struct ast_equation *equation)
{
	stmt = stmt_or_new(stmt);
	list_add(&stmt->equation, equation);
	return stmt;
}

struct ast_stmt *stmt_body(struct ast_stmt *stmt, struct ast_stmt *child)
{
	stmt = stmt_or_new(stmt);
	list_add(&stmt->body, child);
	return stmt;
}

struct ast_stmt *stmt_words(struct ast_stmt *stmt, struct ast *words)
{
	stmt = stmt_or_new(stmt);
	for (int i = 0; words && i < words->arg.n; i++)
		list_add(&stmt->word, words->arg.at[i]);
	return stmt;
}

/* Is it the same under `&&`? */
static bool is_joined(const struct ast *a)
{
	return a->kind != A_COND && !(a->kind == A_BINARY && !strcmp(a->name, "||"));
}

/* Adds one of where, else, for, using to the tail; each comes once. */
struct ast_stmt *stmt_clause(struct ast_stmt *tail, struct span at, struct ast_stmt *clause)
{
	if ((tail->where && clause->where) || (tail->otherwise && clause->otherwise)
	    || (tail->range.n && clause->range.n) || (tail->bind.n && clause->bind.n)) {
		diag_error(loc_of(at), D_CLAUSE_TWICE, "this clause is given twice");
		diag_cure(clause->where ? "combine the conditions: where a && b" : "give it once");
		const bool follows = !tail->otherwise && !tail->range.n && !tail->bind.n;
		if (clause->where && follows && is_joined(tail->where) && is_joined(clause->where))
			fix_word(loc_of(at), "where", "&&");
	}
	if (clause->where)
		tail->where = clause->where;
	if (clause->otherwise)
		tail->otherwise = clause->otherwise;
	if (clause->range.n)
		list_move(&tail->range, &clause->range);
	if (clause->bind.n)
		list_move(&tail->bind, &clause->bind);
	return tail;
}

struct ast_stmt *stmt_where(struct span at, struct ast *condition)
{
	struct ast_stmt *clause = stmt_new(S_PATTERN, at, NULL);
	clause->where = condition;
	return clause;
}

struct ast_stmt *stmt_otherwise(struct span at, struct ast *value)
{
	struct ast_stmt *clause = stmt_new(S_PATTERN, at, NULL);
	clause->otherwise = value;
	return clause;
}

struct ast_stmt *stmt_range(struct ast_stmt *clause, struct ast_range *range)
{
	clause = stmt_or_new(clause);
	list_add(&clause->range, range);
	return clause;
}

struct ast_stmt *stmt_bind(struct ast_stmt *clause, struct span at, const char *symbol,
	const char *op)
{
	clause = stmt_or_new(clause);
	list_add(&clause->bind, ((struct ast_bind){ loc_of(at), symbol, op }));
	return clause;
}

struct ast_stmt *stmt_pattern(struct ast_stmt *stmt, struct span at, const char *name,
	struct ast_stmt *tail)
{
	list_move(&tail->equation, &stmt->equation);
	tail->kind = S_PATTERN;
	tail->at = loc_of(at);
	tail->name = name;
	return tail;
}

struct ast_stmt *stmt_let(struct span at, const char *name, struct ast *type, struct ast *value,
	struct ast *words)
{
	struct ast_stmt *stmt = stmt_words(stmt_new(S_LET, at, name), words);
	stmt->type = type;
	stmt->value = value;
	return stmt;
}

struct ast_stmt *stmt_require(struct span at, struct ast *conditions)
{
	struct ast_stmt *stmt = stmt_new(S_REQUIRE, at, NULL);
	stmt->value = conditions;
	return stmt;
}

struct ast_stmt *stmt_call(struct span at, const char *kernel, struct ast *args)
{
	struct ast_stmt *stmt = stmt_new(S_CALL, at, kernel);
	stmt->value = args;
	return stmt;
}

struct ast_stmt *stmt_repeat(enum ast_stmt_kind kind, struct span at, const char *name,
	struct ast *value, struct ast *words, struct ast_stmt *body)
{
	struct ast_stmt *stmt = stmt_words(stmt_new(kind, at, name), words);
	stmt->value = value;
	list_move(&stmt->body, &body->body);
	return stmt;
}

struct ast_stmt *stmt_if(struct span at, struct ast *condition, struct ast_stmt *yes,
	struct ast_stmt *no)
{
	struct ast_stmt *stmt = stmt_new(S_IF, at, NULL);
	stmt->value = condition;
	list_move(&stmt->body, &yes->body);
	if (no)
		list_move(&stmt->other, &no->body);
	return stmt;
}

struct ast_stmt *stmt_label(struct ast_stmt *stmt, struct span at, const char *label)
{
	if (stmt->label) {
		diag_error(loc_of(at), D_LABEL_TWICE, "this statement already has the label '%s'",
		           stmt->label);
		diag_cure("leave one of them out");
		fix_leave_out_label(loc_of(at), label);
	}
	stmt->label = label;
	return stmt;
}

/* ---- statements of function bodies ---- */

struct ast_inner *inner_new(enum ast_inner_kind kind, struct span at)
{
	struct ast_inner *inner = NEW(struct ast_inner);
	inner->kind = kind;
	inner->at = loc_of(at);
	return inner;
}

struct ast_inner *inner_add(struct ast_inner *block, struct ast_inner *child)
{
	list_add(&block->body, child);
	deepen(&block->depth, child->depth, child->at);
	return block;
}

struct ast_inner *inner_declare(enum ast_inner_kind kind, struct span at, const char *name,
	struct ast *type, struct ast *value)
{
	struct ast_inner *inner = inner_new(kind, at);
	inner->name = name;
	inner->type = type;
	inner->value = value;
	return inner;
}

struct ast_inner *inner_word(struct ast_inner *inner, struct span at, const char *word)
{
	inner->word = word;
	inner->word_at = loc_of(at);
	return inner;
}

struct ast_inner *inner_assign(struct span at, struct ast *target, const char *assign,
	struct ast *value)
{
	struct ast_inner *inner = inner_new(I_ASSIGN, at);
	inner->target = target;
	inner->assign = assign;
	inner->value = value;
	return inner;
}

struct ast_inner *inner_body(enum ast_inner_kind kind, struct span at, struct ast *value,
	struct ast_range *range, struct ast_inner *block)
{
	struct ast_inner *inner = inner_new(kind, at);
	inner->value = value;
	inner->range = range;
	inner->name = range ? range->name : NULL;
	if (block)
		list_move(&inner->body, &block->body);
	inner->depth = block ? block->depth : 0;
	return inner;
}

struct ast_inner *inner_words(struct ast_inner *inner, struct ast *words)
{
	if (words)
		list_move(&inner->words, &words->arg);
	return inner;
}

struct ast_inner *inner_else(struct ast_inner *choice, struct ast_inner *block)
{
	list_move(&choice->otherwise, &block->body);
	if (block->depth > choice->depth)
		choice->depth = block->depth;
	return choice;
}

struct ast_inner *inner_else_if(struct ast_inner *choice, struct ast_inner *next)
{
	list_add(&choice->otherwise, next);
	deepen(&choice->depth, next->depth, next->at);
	return choice;
}

/* ---- declarations ---- */

struct ast_decl *decl_new(enum ast_decl_kind kind, struct span at, const char *name)
{
	struct ast_decl *decl = NEW(struct ast_decl);
	decl->kind = kind;
	return decl_named(decl, at, name);
}

struct ast_decl *decl_named(struct ast_decl *decl, struct span at, const char *name)
{
	decl->at = loc_of(at);
	decl->name = name;
	return decl;
}

struct ast_decl *decl_typed(struct ast_decl *decl, struct ast *type, struct ast *value)
{
	decl->type = type;
	decl->value = value;
	return decl;
}

struct ast_decl *decl_param(struct ast_decl *decl, struct span at, struct ast_param *param)
{
	if (!decl)
		decl = decl_new(DECL_EXTERN, at, NULL);
	list_add(&decl->param, param);
	return decl;
}

struct ast_decl *decl_field(struct ast_decl *decl, struct span at, struct ast_names *names,
	struct ast *type)
{
	if (!decl)
		decl = decl_new(DECL_STRUCT, at, NULL);
	names->type = type;
	list_add(&decl->field, names);
	return decl;
}

struct ast_decl *decl_claim(struct ast_decl *decl, struct ast *words)
{
	if (!decl)
		decl = NEW(struct ast_decl);
	if (!words)
		return decl;
	struct ast_phrase *phrase = NEW(struct ast_phrase);
	list_move(&phrase->word, &words->arg);
	list_add(&decl->claim, phrase);
	return decl;
}

/* The laws hold for values `name` for which the condition holds. */
struct ast_decl *decl_given(struct ast_decl *claims, struct span at, const char *name,
	struct ast *condition)
{
	claims->given.at = loc_of(at);
	claims->given.name = name;
	claims->given.condition = condition;
	return claims;
}

struct ast_decl *decl_pin(struct ast_decl *decl, struct ast_pin *pin)
{
	list_add(&decl->pin, pin);
	return decl;
}

struct ast_decl *decl_function(enum ast_decl_kind kind, struct span at, const char *name,
	struct ast_decl *decl, struct ast *value, struct ast_inner *block, struct ast_decl *claims)
{
	decl->kind = kind;
	decl->value = value;
	if (block)
		list_move(&decl->block, &block->body);
	if (claims) {
		list_move(&decl->claim, &claims->claim);
		decl->given = claims->given;
	}
	return decl_named(decl, at, name);
}

struct ast_decl *decl_kernel(struct span at, const char *name, struct ast_decl *params,
	struct ast_stmt *body)
{
	struct ast_decl *decl = decl_new(DECL_KERNEL, at, name);
	if (params)
		list_move(&decl->param, &params->param);
	list_move(&decl->body, &body->body);
	return decl;
}

struct ast_param *param_new(struct span at, const char *mode, const char *name, struct ast *type,
	struct ast *words)
{
	struct ast_param *param = NEW(struct ast_param);
	param->at = loc_of(at);
	param->mode = mode;
	param->name = name;
	param->type = type;
	if (words)
		list_move(&param->word, &words->arg);
	return param;
}

struct ast_names *names_add(struct ast_names *names, struct span at, const char *name)
{
	if (!names) {
		names = NEW(struct ast_names);
		names->at = loc_of(at);
	}
	list_add(&names->name, name);
	return names;
}

struct ast_pin *pin_new(struct span at, const char *label, struct ast_decl *claims,
	struct ast *when)
{
	struct ast_pin *pin = NEW(struct ast_pin);
	pin->at = loc_of(at);
	pin->label = label;
	pin->when = when;
	list_move(&pin->phrase, &claims->claim);
	return pin;
}

/* ---- tests ---- */

static struct ast_case *case_or_new(struct ast_case *test)
{
	return test ? test : NEW(struct ast_case);
}

struct ast_case *case_setting(struct ast_case *list, struct span at, const char *name,
	struct ast *value)
{
	list = case_or_new(list);
	list_add(&list->given, ((struct ast_setting){ loc_of(at), name, value }));
	return list;
}

struct ast_case *case_words(struct ast_case *settings, struct ast *words)
{
	settings = case_or_new(settings);
	if (words)
		list_move(&settings->word, &words->arg);
	return settings;
}

struct ast_case *case_new(struct span at, const char *kernel, struct ast_case *given,
	struct ast_case *expected)
{
	struct ast_case *made = case_or_new(given);
	made->at = loc_of(at);
	made->kernel = kernel;
	if (expected) {
		list_move(&made->expected, &expected->given);
		list_move(&made->word, &expected->word);
	}
	return made;
}

struct ast_decl *decl_case(struct ast_decl *decl, struct ast_case *test)
{
	list_add(&decl->test, test);
	return decl;
}

struct ast_decl *decl_inside(struct ast_decl *decl, struct ast_decl *inner)
{
	list_add(&decl->inside, inner);
	return decl;
}

void parser_decl(struct parser *p, struct ast_decl *decl)
{
	list_add(&p->decl, decl);
}

/* ---- numbers ---- */

/* The type that the number's last letters name, or '\0'; *length is shortened by them.  1bf16 ends
 * in f16 too: the longest name is meant. */
static char suffix_class(const char *text, size_t *length)
{
	size_t longest = 0;
	char found = '\0';
#define TYPE(id, name, c, bytes, class) \
	if (strlen(name) > longest && *length > strlen(name) \
	    && !memcmp(text + *length - strlen(name), name, strlen(name))) \
		longest = strlen(name), found = class;
#include "types.def"
#undef TYPE
	*length -= longest;
	return found;
}

static size_t span_of(const char *text, size_t length, const char *accept)
{
	size_t n = 0;
	while (n < length && strchr(accept, text[n]))
		n++;
	return n;
}

static const char *hex_fault(const char *text, size_t length)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	size_t n = 2 + span_of(text + 2, length - 2, digits), rest = length - n;
	if (n == 2)
		return "0x needs hexadecimal digits";
	char class = rest ? suffix_class(text, &length) : 'I';
	if (length != n || (class != 'I' && class != 'U'))
		return "expected hexadecimal digits and optionally an integer type, as in 0xffu8";
	return NULL;
}

static const char *decimal_fault(const char *text, size_t length)
{
	static const char digits[] = "0123456789";
	char class = suffix_class(text, &length);
	if (class == 'B')
		return "bool has only the literals true and false";
	size_t n = span_of(text, length, digits);
	bool is_float = n < length;
	if (n < length && text[n] == '.') {
		size_t fraction = span_of(text + n + 1, length - n - 1, digits);
		if (fraction == 0)
			return "a decimal point needs digits on both sides";
		n += 1 + fraction;
	}
	if (n < length && (text[n] == 'e' || text[n] == 'E')) {
		size_t sign = n + 1 < length && strchr("+-", text[n + 1]);
		size_t exponent = span_of(text + n + 1 + sign, length - n - 1 - sign, digits);
		if (exponent == 0)
			return "an exponent needs digits";
		n += 1 + sign + exponent;
	}
	if (n < length)
		return "what follows the digits is not a type";
	if (is_float && (class == 'I' || class == 'U'))
		return "a number with a decimal point or an exponent is not an integer";
	if (!is_float && text[0] == '0' && length > 1)
		return "a leading 0 is not allowed, since it means octal in C";
	return NULL;
}

/* `1.` is `1.0`: after so many characters a 0 may be all that is missing. */
static void fix_point(struct loc at, const char *text, size_t point, size_t length)
{
	const char *fixed = str_print("%.*s0%.*s", (int)point, text, (int)(length - point),
	                              text + point);
	if (decimal_fault(fixed, length + 1))
		return;
	diag_cure("write `%s`:", fixed);
	diag_fix(at, fixed);
}

/* C's 1.0f, 2u, 3ull, 4l */
static bool fix_suffix(struct loc at, const char *text, size_t length)
{
	static const struct { const char *c, *here; } rows[] = {
		{ "f", "f32" },   { "F", "f32" },   { "u", "u32" },    { "U", "u32" },
		{ "l", "i64" },   { "L", "i64" },   { "ll", "i64" },   { "LL", "i64" },
		{ "ul", "u64" },  { "UL", "u64" },  { "ull", "u64" },  { "ULL", "u64" },
	};
	for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
		const size_t n = strlen(rows[k].c);
		if (length <= n || memcmp(text + length - n, rows[k].c, n))
			continue;
		const char *zero = text[length - n - 1] == '.' ? "0" : "";
		const char *number = str_print("%.*s%s", (int)(length - n), text, zero);
		const char *fixed = str_print("%s%s", number, rows[k].here);
		if (decimal_fault(fixed, strlen(fixed)))
			continue;
		diag_cure("write `%s`, or `%s`, whose type is inferred:", fixed, number);
		diag_fix(at, fixed);
		return true;
	}
	return false;
}

/* 4x */
static void suggest_product(const char *text, size_t length)
{
	const size_t n = span_of(text, length, "0123456789");
	if (n < length && text[n] >= 'a' && text[n] <= 'z'
	    && span_of(text + n, length - n, "abcdefghijklmnopqrstuvwxyz_") == length - n)
		diag_cure("write a product with an operator: `%.*s * %.*s`", (int)n, text,
		          (int)(length - n), text + n);
}

bool number_check(struct loc at, const char *text, size_t length)
{
	bool is_hex = length >= 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	const char *fault = is_hex ? hex_fault(text, length) : decimal_fault(text, length);
	if (!fault)
		return true;
	diag_error(at, D_NUMBER_FORM, "malformed number '%.*s': %s", (int)length, text, fault);
	static const char digits[] = "0123456789";
	size_t n = span_of(text, length, digits);
	if (!is_hex && n < length && text[n] == '.')
		fix_point(at, text, n + 1, length);
	if (!is_hex && n + 1 < length && text[n] == 'x' && strchr(digits, text[n + 1]))
		diag_cure("put spaces around the `x` of a tile: `8 x 128`");
	if (!is_hex && !fix_suffix(at, text, length))
		suggest_product(text, length);
	return false;
}
