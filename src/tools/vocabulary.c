/* vocabulary.c - the words that the language knows, for editors: patc --list-words, patc lsp.
 *
 * They are those of the tables that the compiler itself looks words up in.  A word is listed once,
 * by the first of the kinds that it is of. */
#include "run.h"
#include "syntax.h"

#include <string.h>

static struct vocabulary listed;

static void list_word(const char *kind, const char *text, size_t length)
{
	const char *word = str_intern(text, length);
	for (int i = 0; i < listed.n; i++)
		if (listed.at[i].text == word)
			return;
	list_add(&listed, ((struct word){ kind, word }));
}

/* Words with blanks between them; `=` after one is no part of it. */
static void list_words(const char *kind, const char *words)
{
	for (const char *w = words + strspn(words, " ="); *w; w += strspn(w, " =")) {
		const size_t length = strcspn(w, " =");
		list_word(kind, w, length);
		w += length;
	}
}

static void list_types(void)
{
#define TYPE(id, name, c, bytes, class) list_words("type", name);
#include "types.def"
#undef TYPE
}

static void list_functions(void)
{
	for (int kind = 0; kind < OPK_BITAND; kind++)
		list_words("fold", op_own((enum op_kind)kind)->name);
	list_words("fold", "kth");
#define MATH(name, arity, kinds, c32, c64) list_words("function", #name);
#include "math.def"
#undef MATH
	list_words("function", "search");
}

static void list_clauses(void)
{
	for (int i = 0; patterns[i]; i++)
		for (const struct clause *c = patterns[i]->clauses; c->name; c++) {
			list_words("clause", c->name);
			list_words("clause", c->words ? c->words : "");
			list_words("clause", c->then ? c->then : "");
		}
#define PIN(id, name, form, built) list_words("clause", name);
#include "pin.def"
#undef PIN
	list_words("clause", "row col tiled aos soa aosoa associative commutative identity when");
}

const struct vocabulary *vocabulary(void)
{
	if (listed.n)
		return &listed;
	for (int i = 0; reserved_word(i); i++)
		list_words("keyword", reserved_word(i));
	list_words("literal", "true false inf nan");
	list_types();
	for (int i = 0; patterns[i]; i++)
		list_words("pattern", patterns[i]->name);
	list_functions();
	list_clauses();
	list_words("mode", "inout out size");
	return &listed;
}
