/* sema_extern.c - extern fn: a function of C that the user brings.
 *
 *   extern fn erfcx(x: f64) -> f64 from "special.cuh";
 *
 * The output includes the header by the path as written, so the C compiler looks for it, and patc
 * never does: it may be made later, and no dependence file of ours names it.  The text within the
 * quotes becomes an #include, hence what C calls a header's name is all it may hold.  The function
 * is called by its own name, which no kernel, struct or other function of the output may have
 * (kernel_names), and which has to be one that C and C++ allow.
 *
 * Several files may declare the same function, as C's headers do: equal declarations are one. */
#include <string.h>

#include "sema_impl.h"

static const char *const words[] = { "_Alignas",
	                             "_Alignof",
	                             "_Atomic",
	                             "_BitInt",
	                             "_Bool",
	                             "_Complex",
	                             "_Decimal128",
	                             "_Decimal32",
	                             "_Decimal64",
	                             "_Generic",
	                             "_Imaginary",
	                             "_Noreturn",
	                             "_Static_assert",
	                             "_Thread_local",
	                             "__asm__",
	                             "__attribute__",
	                             "__constant__",
	                             "__device__",
	                             "__forceinline__",
	                             "__global__",
	                             "__host__",
	                             "__inline",
	                             "__inline__",
	                             "__int128",
	                             "__managed__",
	                             "__restrict",
	                             "__restrict__",
	                             "__shared__",
	                             "__typeof__",
	                             "alignas",
	                             "alignof",
	                             "and",
	                             "and_eq",
	                             "asm",
	                             "auto",
	                             "bitand",
	                             "bitor",
	                             "bool",
	                             "break",
	                             "case",
	                             "catch",
	                             "char",
	                             "char16_t",
	                             "char32_t",
	                             "char8_t",
	                             "class",
	                             "co_await",
	                             "co_return",
	                             "co_yield",
	                             "compl",
	                             "concept",
	                             "const",
	                             "const_cast",
	                             "consteval",
	                             "constexpr",
	                             "constinit",
	                             "continue",
	                             "decltype",
	                             "default",
	                             "delete",
	                             "do",
	                             "double",
	                             "dynamic_cast",
	                             "else",
	                             "enum",
	                             "explicit",
	                             "export",
	                             "extern",
	                             "false",
	                             "float",
	                             "for",
	                             "friend",
	                             "goto",
	                             "if",
	                             "inline",
	                             "int",
	                             "int16_t",
	                             "int32_t",
	                             "int64_t",
	                             "int8_t",
	                             "long",
	                             "main",
	                             "mutable",
	                             "namespace",
	                             "new",
	                             "noexcept",
	                             "not",
	                             "not_eq",
	                             "nullptr",
	                             "operator",
	                             "or",
	                             "or_eq",
	                             "private",
	                             "protected",
	                             "ptrdiff_t",
	                             "public",
	                             "register",
	                             "reinterpret_cast",
	                             "requires",
	                             "restrict",
	                             "return",
	                             "short",
	                             "signed",
	                             "size_t",
	                             "sizeof",
	                             "static",
	                             "static_assert",
	                             "static_cast",
	                             "struct",
	                             "switch",
	                             "template",
	                             "this",
	                             "thread_local",
	                             "throw",
	                             "true",
	                             "try",
	                             "typedef",
	                             "typeid",
	                             "typename",
	                             "typeof",
	                             "typeof_unqual",
	                             "uint16_t",
	                             "uint32_t",
	                             "uint64_t",
	                             "uint8_t",
	                             "union",
	                             "unsigned",
	                             "using",
	                             "virtual",
	                             "void",
	                             "volatile",
	                             "wchar_t",
	                             "while",
	                             "xor",
	                             "xor_eq" };

static bool is_word(const char *name)
{
	for (size_t k = 0; k < sizeof words / sizeof *words; k++)
		if (!strcmp(words[k], name))
			return true;
	return false;
}

/* A call of it would not be a call in C, or would be one of patc's own helpers. */
static bool name_fits(const struct ast_decl *d)
{
	bool word = is_word(d->name);

	if (!word && strncmp(d->name, "patc_", 5) && strncmp(d->name, "PATC_", 5))
		return true;
	diag_error(d->at, D_EXTERN_NAME,
	           word ? "`%s` cannot be the name of a C function"
	                : "`%s` is reserved for helper functions of patc",
	           d->name);
	diag_cure("give it another name in its header");
	return false;
}

static const struct ast *path_of(const struct ast_decl *d)
{
	const struct ast_phrase *p = d->claim.n == 1 ? d->claim.at[0] : NULL;

	if (!p || p->word.n != 2 || p->word.at[0]->kind != A_NAME
	    || p->word.at[1]->kind != A_STRING)
		return NULL;
	return strcmp(p->word.at[0]->name, "from") ? NULL : p->word.at[1];
}

/* What C lets a header's name hold between its quotes; the lexer has refused control characters. */
static bool path_fits(const struct ast *path)
{
	const char *odd = strpbrk(path->name, "\\?\t");

	if (*path->name && !odd)
		return true;
	if (odd)
		diag_error(path->at, D_EXTERN_FROM, "the name of a header cannot contain %s",
		           *odd == '\t'  ? "tab"
		           : *odd == '?' ? "`?`"
		                         : "`\\`");
	else
		diag_error(path->at, D_EXTERN_FROM, "the name of a header is empty");
	diag_cure("write it as in `#include \"special.h\"`, with `/` between folders");
	return false;
}

/* "special.h"; from special.h; form "special.h" */
static void fix_header(const struct ast_decl *d)
{
	const struct ast_phrase *p = d->claim.n == 1 ? d->claim.at[0] : NULL;
	const struct ast *first = p ? p->word.at[0] : NULL;
	const struct ast *last = p ? p->word.at[p->word.n - 1] : NULL;

	if (p && p->word.n == 1 && first->kind == A_STRING)
		fix_insert(first->at, "from ");
	else if (p && p->word.n == 2 && first->kind == A_NAME && last->kind == A_STRING)
		diag_fix(first->at, "from");
	else if (p && p->word.n == 2 && last->kind == A_FIELD && !strcmp(ast_text(first), "from"))
		fix_wrap(last->at, "\"", "\"");
}

const char *extern_header(const struct ast_decl *d)
{
	const struct ast *path = path_of(d);

	if (!path) {
		diag_error(d->claim.n ? d->claim.at[0]->word.at[0]->at : d->at, D_EXTERN_FROM,
		           "`extern fn %s` does not name its header", d->name);
		diag_cure("write `from \"special.h\"` after the type%s",
		          d->claim.n ? ", and nothing else" : "");
		fix_header(d);
		return NULL;
	}
	return name_fits(d) && path_fits(path) ? path->name : NULL;
}

bool extern_equal(const struct ast_decl *a, const struct ast_decl *b)
{
	const struct ast *pa = path_of(a), *pb = path_of(b);
	bool equal = a->kind == DECL_EXTERN && b->kind == DECL_EXTERN && a->param.n == b->param.n
	             && pa && pb && pa->name == pb->name
	             && !strcmp(ast_text(a->type), ast_text(b->type));

	for (int k = 0; equal && k < a->param.n; k++)
		equal = !strcmp(ast_text(a->param.at[k]->type), ast_text(b->param.at[k]->type));
	return equal;
}
