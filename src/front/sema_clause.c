/* sema_clause.c - the flat list of words after an equation, split into clauses by the
 * pattern's table.
 *
 * The first value of a clause is taken unread, so variables may be called like clauses; a mode word
 * wins over a variable, and so does the second word of a clause (`from right`).  A value in
 * parentheses reads as a call of the clause: `boundary (wrap, clamp)`. */
#include <string.h>

#include "sema_impl.h"

struct words { struct ast *const *at; int n, next; };

/* A clause of two words, `from right`: does the second one follow?  With its value, `segments of
 * (k)`, it reads as a call. */
static bool second_word(const struct words *w, const struct clause *c, const char *name)
{
	const struct ast *a = w->next + 1 < w->n ? w->at[w->next + 1] : NULL;

	return a && (a->kind == A_NAME || (a->kind == A_CALL && c->values))
	       && !strcmp(name, a->name);
}

/* The clause that the next word begins; of two that do, the table has the longer one first. */
static const struct clause *clause_row(const struct pattern *p, const struct words *w)
{
	const struct ast *a = w->at[w->next];

	if (a->kind != A_NAME && a->kind != A_CALL)
		return NULL;
	for (const struct clause *c = p->clauses; c->name; c++) {
		const char *second = strchr(c->name, ' ');
		size_t length = second ? (size_t)(second - c->name) : strlen(c->name);
		if (strlen(a->name) != length || strncmp(c->name, a->name, length))
			continue;
		if (!second || (a->kind == A_NAME && second_word(w, c, second + 1)))
			return c;
	}
	return NULL;
}

/* Is word among the mode words of the clause; *more: it takes one value itself. */
static bool mode_word(const struct clause *c, const struct ast *a, bool *more)
{
	const char *w = c->words;
	size_t length = a->kind == A_NAME ? strlen(a->name) : 0;

	*more = false;
	while (w && length && (w = strstr(w, a->name))) {
		bool starts = w == c->words || w[-1] == ' ';
		char end = w[length];
		*more = starts && end == '=';
		if (starts && (!end || end == ' ' || end == '='))
			return true;
		w++;
	}
	return false;
}

static bool take_value(struct words *w, struct clause_use *use)
{
	if (w->next == w->n) {
		diag_error(use->at, D_CLAUSE_VALUE, "clause `%s` needs a value", use->clause->name);
		return false;
	}
	list_add(&use->value, w->at[w->next]);
	w->next++;
	return true;
}

static bool take_values(const struct pattern *p, struct words *w, struct clause_use *use)
{
	const struct clause *c = use->clause;
	bool more;

	if (!c->values)
		return true;
	if (!take_value(w, use))        /* the first one unread: variables may be called `stable` */
		return false;
	if (mode_word(c, use->value.at[0], &more) && more && !take_value(w, use))
		return false;
	for (int k = 1; k < c->values; k++)
		if (!take_value(w, use))
			return false;
	while (c->values == -2 && w->next < w->n && !clause_row(p, w))
		take_value(w, use);
	return true;
}

/* `boundary (wrap, clamp)` reads as a call: the parentheses are the value. */
static bool take_group(const struct ast *a, struct clause_use *use)
{
	int most = use->clause->values;

	for (int k = 0; k < a->arg.n; k++)
		list_add(&use->value, a->arg.at[k]);
	if (most < 0 ? a->arg.n > 0 : a->arg.n == most && most > 0)
		return true;
	diag_error(a->at, D_CLAUSE_VALUE, most == 0 ? "clause `%s` takes no value"
	           : "clause `%s` takes %d value%s, not %d", use->clause->name, most < 0 ? 1 : most,
	           most > 1 ? "s" : "", a->arg.n);
	return false;
}

/* `within r of x`; `of (x, y)` reads as a call. */
static bool take_then(struct words *w, struct clause_use *use)
{
	const char *then = use->clause->then;
	const struct ast *a = w->next < w->n ? w->at[w->next] : NULL;
	bool group = a && a->kind == A_CALL && a->arg.n;

	if (!then)
		return true;
	if (a && (a->kind == A_NAME || group) && !strcmp(a->name, then)) {
		w->next++;
		for (int k = 0; group && k < a->arg.n; k++)
			list_add(&use->value, a->arg.at[k]);
		return group || take_value(w, use);
	}
	diag_error(use->at, D_CLAUSE_VALUE, "`%s` is followed by its value and `%s`",
	           use->clause->name, then);
	return false;
}

/* Its first word is enough. */
static bool has_clause(const struct pattern *p, const char *word)
{
	const size_t length = word ? strlen(word) : 0;

	for (const struct clause *c = p->clauses; c->name && length; c++)
		if (!strncmp(c->name, word, length) && strchr(" ", c->name[length]))
			return true;
	return false;
}

/* Of patterns that sort: another one that has it, or NULL. */
static const struct pattern *has_instead(const struct pattern *p, const char *clause)
{
	for (const struct pattern *const *q = patterns; *q; q++)
		if ((*q)->sorts && p->sorts && has_clause(*q, clause))
			return *q;
	return NULL;
}

/* A clause of it that is spelled nearly so: certain enough for a fix-it. */
static bool is_misspelt(const struct pattern *p, const struct ast *a)
{
	bool named = a->kind == A_NAME || a->kind == A_CALL || a->kind == A_SUBSCRIPT;
	struct like like = near_begin(named ? a->name : "");

	for (const struct clause *c = p->clauses; c->name; c++)
		near_add(&like, str_intern(c->name, strcspn(c->name, " ")));
	if (!near_is_certain(&like))
		return false;
	diag_cure("did you mean `%s`?", like.name);
	diag_fix(ast_name_span(a), like.name);
	return true;
}

/* boundary wrap clamp: the modes of several axes are a list. */
static bool cure_modes(const struct ast_stmt *of, const struct clause_use *use, struct words w)
{
	const int values = use ? use->value.n : 0;
	const struct ast *target = of->equation.at[0]->target.at[0];
	const char *list = values ? str_print("(%s", ast_text(use->value.at[values - 1])) : NULL;
	bool more, one_line = true;
	int n = 1;

	for (; values && use->clause->words && w.next < w.n; w.next++, n++) {
		const struct ast *word = w.at[w.next];
		if (word->kind != A_NUMBER && !mode_word(use->clause, word, &more))
			break;
		one_line = one_line && word->at.line == use->value.at[0]->at.line;
		list = str_print("%s, %s", list, ast_text(word));
	}
	if (n < 2)
		return false;
	struct loc span = use->value.at[0]->at;
	span.end = w.at[w.next - 1]->at.end;
	diag_cure("put the modes of several axes in parentheses: `%s %s)`", use->clause->name,
	          list);
	if (one_line && target->sub.n == n)
		diag_fix(span, str_print("%s)", list));
	return true;
}

/* What other patterns and languages call a clause of it: sort key desc. */
static bool cure_elsewhere(const struct pattern *p, const struct node *node, const struct ast *a,
                           const struct ast *next)
{
	const struct elsewhere *e = p->elsewhere;
	bool has = false;

	while (e && e->word && (a->kind != A_NAME || strcmp(e->word, a->name)))
		e++;
	if (!e || !e->word)
		return false;
	diag_cure("in patc, `%s` is written `%s%s`", a->name, e->here, e->value ? " 0" : "");
	for (int k = 0; k < node->clause.n; k++) {
		const char *name = node->clause.at[k].clause->name;
		has |= !strncmp(e->here, name, strlen(name));
	}
	if (!has && (!e->value || (next && next->kind == A_NUMBER)))
		diag_fix(a->at, e->here);
	return true;
}

/* x > 0 and y > 0; x[i-1] clamp */
static bool cure_word(const struct pattern *p, const struct ast *a)
{
	static const char *const modes[] = { "clamp", "wrap", "mirror", "reflect", "keep" };
	const char *operator = a->kind == A_NAME ? operator_of_word(a->name) : NULL;

	if (operator) {
		diag_cure("`%s` is written `%s`", a->name, operator);
		diag_fix(a->at, operator);
		return true;
	}
	if (a->kind == A_NAME && (!strcmp(a->name, "step") || !strcmp(a->name, "by"))) {
		diag_cure("a range has the step 1: `where i %% 2 == 0` selects every second cell, "
		          "and `2 * i` is allowed as a subscript");
		return true;
	}
	for (size_t k = 0; k < sizeof modes / sizeof *modes && a->kind == A_NAME; k++)
		if (!strcmp(a->name, modes[k]) && has_clause(p, "boundary")) {
			diag_cure("write `boundary %s`", a->name);
			diag_fix(a->at, str_print("boundary %s", a->name));
			return true;
		}
	return false;
}

/* (float)x[i]: what is before the first word is a type in parentheses. */
static bool cure_cast(const struct ast_stmt *of, const struct ast *a)
{
	const struct ast *right = of->equation.n && of->word.at[0] == a
		? of->equation.at[of->equation.n - 1]->right : NULL;

	while (right && right->kind == A_BINARY)
		right = right->arg.at[1];
	if (!right || right->kind != A_NAME)
		return false;
	const char *type = type_named(right->name) ? right->name : type_of_c(right->name);
	if (type)
		diag_cure("write a conversion as a call: `%s(%s)`", type, ast_text(a));
	return type;
}

/* Which clauses it has: `where` and `for` are of all patterns but those that need all cells. */
static const char *clauses_of(const struct pattern *p)
{
	const bool whole = p->sorts || p->solves;
	const char *list = whole ? "" : p->unmasked ? ", `for`" : ", `where`, `for`";

	for (const struct clause *c = p->clauses; c->name; c++)
		list = str_print("%s, `%s`", list, c->name);
	return *list ? list + strlen(", ") : list;
}

/* The name in a subscript of the term that none of the target has, if it is the only one. */
static const char *index_folded(const struct ast *target, const struct ast *term)
{
	const char *found = NULL;

	for (int k = 0; k < term->sub.n; k++) {
		const struct ast *lo = term->sub.at[k]->lo;
		bool own = lo->kind != A_NAME;
		for (int j = 0; j < target->sub.n && !own; j++)
			own = target->sub.at[j]->lo->kind == A_NAME
			      && target->sub.at[j]->lo->name == lo->name;
		if (!own && found && found != lo->name)
			return NULL;
		found = own ? found : lo->name;
	}
	return found;
}

/* reduce s = sum x[i] */
static bool cure_fold(const struct ast_stmt *of, const struct ast *a)
{
	const struct ast_equation *q = of->equation.at[of->equation.n - 1];
	const struct ast *fold = of->word.at[0] == a ? q->right : NULL;
	const bool folds = fold && fold->kind == A_NAME && is_fold_name(fold->name);
	const char *term = folds ? source_span(a->at) : NULL;
	const char *index = term ? index_folded(q->target.at[0], a) : NULL;

	if (!folds)
		return false;
	diag_cure("a fold has its index in brackets and its terms in parentheses: "
	          "`%s[%s](...)`", fold->name, index ? index : "i");
	if (index && fold->at.line == a->at.line)
		diag_fix((struct loc){ a->at.file, a->at.line, fold->at.col, a->at.end },
		         str_print("%s[%s](%s)", fold->name, index, term));
	return true;
}

static bool unknown_clause(const struct pattern *p, const struct ast_stmt *of,
                           const struct node *node, struct words w)
{
	const struct ast *a = w.at[w.next], *next = w.next + 1 < w.n ? w.at[w.next + 1] : NULL;
	const struct clause_use *last = node->clause.n ? &node->clause.at[node->clause.n - 1]
	                                               : NULL;
	const struct pattern *other = has_instead(p, ast_text(a));

	diag_error(a->at, D_UNKNOWN_CLAUSE,
	           "`%s` is not a clause of `%s`; is an operator missing before it?", ast_text(a),
	           p->name);
	if (cure_modes(of, last, w) || cure_elsewhere(p, node, a, next) || cure_word(p, a)
	    || cure_cast(of, a) || cure_fold(of, a) || is_misspelt(p, a))
		return false;
	for (const struct pattern *const *q = patterns; *q; q++)
		if (has_clause(*q, a->name))
			sema_instead((*q)->name);
	if (other)
		sema_cure("it is a clause of `%s`; the clauses of `%s` are %s", other->name,
		          p->name, clauses_of(p));
	else
		sema_cure("its clauses are %s", clauses_of(p));
	return false;
}

static bool clause_twice(const struct node *node, const struct clause_use *use)
{
	const struct clause_use *first = node_clause(node, use->clause->name);

	if (!first)
		return false;
	diag_error(use->at, D_CLAUSE_AGAIN, "clause `%s` is given twice", use->clause->name);
	diag_note(first->at, "first here");
	diag_cure("give it once");
	return true;
}

/* The last word of the clause at hand: the next one is of another. */
static const struct ast *clause_last(const struct pattern *p, struct words w)
{
	w.next += strchr(clause_row(p, &w)->name, ' ') ? 2 : 1;
	while (w.next < w.n && !clause_row(p, &w))
		w.next++;
	return w.at[w.next - 1];
}

static const char *clause_text(const struct pattern *p, struct words w)
{
	struct loc span = w.at[w.next]->at;
	const struct loc last = clause_last(p, w)->at;
	span.end = last.end;
	return last.line == span.line ? source_span(span) : NULL;
}

/* A clause that is there twice is left out once; of two that differ nobody knows which is meant. */
static void fix_said_twice(const struct pattern *p, const struct ast_stmt *a, struct words w)
{
	const char *second = clause_text(p, w), *first = NULL;
	const struct clause *clause = clause_row(p, &w);
	for (struct words v = { a->word.at, a->word.n, 0 }; v.next < w.next && !first; v.next++)
		if (clause_row(p, &v) == clause)
			first = clause_text(p, v);
	if (first && second && !strcmp(first, second))
		fix_leave_out_rest(w.at[w.next]->at, clause_last(p, w)->at);
}

bool clauses_split(const struct pattern *p, const struct ast_stmt *a, struct node *node)
{
	struct words w = { a->word.at, a->word.n, 0 };

	while (w.next < w.n) {
		const struct ast *word = w.at[w.next];
		struct clause_use use = { .clause = clause_row(p, &w), .at = word->at };

		if (!use.clause)
			return unknown_clause(p, a, node, w);
		if (clause_twice(node, &use)) {
			fix_said_twice(p, a, w);
			return false;
		}
		w.next += strchr(use.clause->name, ' ') ? 2 : 1;
		word = w.at[w.next - 1];
		if (!(word->kind == A_CALL ? take_group(word, &use) : take_values(p, &w, &use)))
			return false;
		if (!take_then(&w, &use))
			return false;
		list_add(&node->clause, use);
	}
	return true;
}

static const struct ast *implicit(const struct ast_stmt *a)
{
	for (int k = 0; k < a->equation.n; k++)
		if (a->equation.at[k]->left)
			return a->equation.at[k]->left;
	return NULL;
}

/* `x[i] in left = right` is solved for x. */
static bool no_equation(const struct pattern *p, struct loc at)
{
	diag_error(at, D_UNKNOWN_CLAUSE,
	           "`in` is not allowed in `%s`, which computes its target from the right side",
	           p->name);
	for (int k = 0; patterns[k]; k++)
		if (patterns[k]->solves)
			sema_instead(patterns[k]->name);
	sema_cure("to solve an equation for its target, write `solve x[i] in left = right`");
	return false;
}

/* `else` and `using` have a form of their own, but belong to the patterns that list them. */
bool own_forms(const struct pattern *p, const struct ast_stmt *a)
{
	const struct ast *left = implicit(a);
	const char *name = a->otherwise ? "else" : a->bind.n ? "using" : NULL;
	struct loc at = a->otherwise ? a->otherwise->at : a->bind.n ? a->bind.at[0].at : a->at;

	if (left && !p->solves)
		return no_equation(p, left->at);

	if (!name)
		return true;
	for (const struct clause *c = p->clauses; c->name; c++)
		if (!strcmp(c->name, name))
			return true;
	diag_error(at, D_UNKNOWN_CLAUSE, "`%s` is not a clause of `%s`", name, p->name);
	return false;
}

void fix_one_value(const struct clause_use *use)
{
	bool same = use->value.n > 1;

	for (int k = 0; k < use->value.n && same; k++) {
		const struct ast *a = use->value.at[k];
		same = (a->kind == A_NAME || a->kind == A_NUMBER)
		       && a->name == use->value.at[0]->name;
	}
	if (same)
		diag_fix(use->at, str_print("%s %s", use->clause->name, use->value.at[0]->name));
}

bool clauses_agree(const struct node *node, const char *name, const char *other, const char *why)
{
	const struct clause_use *a = node_clause(node, name), *b = node_clause(node, other);

	if (!a || !b)
		return true;
	diag_error(a->at, D_CLAUSE_CLASH, "`%s` and `%s` contradict each other", name, other);
	diag_note(b->at, "%s", why);
	return false;
}
