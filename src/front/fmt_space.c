/* fmt_space.c - for each piece of a program: the blanks before it, whether a line may begin with
 * it, and how well a long line breaks there.
 *
 * No tree is needed: a statement ends at ';' or with its braces, and brackets say where in it a
 * token is.  Two operands that follow each other begin the words of a statement: `x[i] boundary
 * clamp`.  In words '-' is a sign, and whether a parenthesis touches a name is the author's choice,
 * since `boundary (0, 1)` and `tiled(8, 8)` are read alike.
 *
 * In square brackets and in ranges the author also decides whether arithmetic has blanks:
 * `x[i+1]`, `x[n + j]`, `1..n-1`; one on either side makes both.  In a list of several lines the
 * blanks before its elements are kept, which align its columns. */
#include "fmt.h"
#include "parse.h"

#include <assert.h>

struct level {                  /* brackets or braces that are open; the outermost: none */
	int kind;
	bool words, range;      /* inside the words of a statement; in a range */
	bool loose;             /* in square brackets or a range: the author decides */
	bool is_list;           /* [1, 2, 3] */
	bool aligned;           /* which takes several lines */
	bool one_line;          /* a block on one line */
	int asks;               /* '?' whose ':' has not come */
	int base, first;        /* of the statement that the braces belong to */
};

struct spacing {
	struct pieces *all;
	struct level level[MAX_DEPTH + 2];
	int levels, braces;
	int before;             /* the token before, -1 for none */
	bool begins;            /* a statement begins here, its line as `start` says */
	enum start start;
	bool led;               /* a comment has begun its line */
	int leader;             /* that comment */
	enum { HEAD_NONE, HEAD_SEEN, HEAD_DUE } head;    /* the name that begins a statement */
	bool ends;              /* the token before ends an operand */
	bool follows;           /* and another operand ends in front of it */
	bool sticks;            /* nothing is between the token before and this one */
	int base, first;
};

static struct level *top(struct spacing *s)
{
	return &s->level[s->levels - 1];
}

static int kind_at(const struct spacing *s, int i)
{
	return i >= 0 && i < s->all->n ? s->all->at[i].kind : END;
}

/* The token at i or after it. */
static int kind_from(const struct spacing *s, int i)
{
	while (i < s->all->n && is_comment(&s->all->at[i]))
		i++;
	return kind_at(s, i);
}

/* Which is not read further than its end. */
static bool is_one_line(const struct spacing *s, int open)
{
	int braces = 0, ends = 0;
	for (int i = open; i < s->all->n; i++) {
		const struct piece *p = &s->all->at[i];
		if (i > open && p->breaks)
			return false;
		ends += p->kind == SEMI;
		braces += (p->kind == LBRACE) - (p->kind == RBRACE);
		if (!braces)
			return ends <= 1;
	}
	return false;
}

/* Of a list; a comma begins a line only after a comment that ends one. */
static bool has_breaks(const struct spacing *s, int open)
{
	int depth = 0;
	for (int i = open; i < s->all->n; i++) {
		const struct piece *p = &s->all->at[i];
		if (i > open && p->breaks && (p->kind != COMMA || p[-1].kind == COMMENT_LINE))
			return true;
		depth += (p->kind == LBRACK) - (p->kind == RBRACK);
		if (!depth)
			return false;
	}
	return false;
}

/* ---- operators ---- */

static int rank_of_operator(int kind)
{
	switch (kind) {
	case QUERY: return 1;
	case OR: return 2;
	case AND: return 3;
	case LT: case GT: case LE: case GE: case EQ: case NE: return 4;
	case ACC: case DIST: return 5;
	case BITOR: case BITXOR: case BITAND: return 6;
	case SHL: case SHR: return 7;
	case ADD: case SUB: return 8;
	case MUL: case DIV: case REM: return 9;
	default: return RANK_NEVER;
	}
}

/* `using ◇ = +`: a sign and an operator are names there. */
static bool is_bound(const struct spacing *s, int i)
{
	const int kind = kind_at(s, i), before = kind_at(s, s->before);
	if (kind == DIST || kind == ACC)
		return !s->ends;
	const int sign = s->before > 0 ? kind_at(s, s->before - 1) : END;
	return before == SET && (sign == DIST || sign == ACC)
		&& rank_of_operator(kind) < RANK_NEVER;
}

static bool is_prefix(struct spacing *s, int i)
{
	const int kind = kind_at(s, i);
	if (is_bound(s, i))
		return false;
	return kind == NOT || kind == BITNOT
		|| (kind == SUB && (!s->ends || top(s)->words));
}

/* Has the author put no blank on either side? */
static bool is_tight(const struct spacing *s, int i)
{
	const struct piece *p = &s->all->at[i];
	return i > 0 && i + 1 < s->all->n && !is_comment(p - 1) && !is_comment(p + 1)
		&& !p->gap && !p->breaks && !p[1].gap && !p[1].breaks;
}

static bool is_arithmetic(int kind)
{
	return rank_of_operator(kind) == 8 || rank_of_operator(kind) == 9;
}

static bool sticks_to_both(struct spacing *s, int i)
{
	const int kind = kind_at(s, i);
	if (kind == DOT)
		return true;
	if (kind == DOTS || (is_arithmetic(kind) && (top(s)->loose || top(s)->range)))
		return is_tight(s, i);
	return false;
}

/* ---- the blanks before a token ---- */

/* The first of a list's elements, or one after a comma. */
static bool begins_element(struct spacing *s, int i)
{
	const int before = kind_at(s, i - 1);
	return top(s)->aligned && (before == COMMA || before == LBRACK);
}

static int space_of_element(const struct spacing *s, int i)
{
	const struct piece *p = &s->all->at[i];
	const int least = p[-1].kind == COMMA;
	return p->has_tab || p->gap < least ? least : p->gap;
}

static bool is_authors_space(const struct spacing *s, int i)
{
	const struct piece *p = &s->all->at[i];
	return p->gap > 0 || p->breaks > 0 || is_comment(p - 1);
}

static int space_of(struct spacing *s, int i)
{
	const int kind = kind_at(s, i), before = kind_at(s, s->before);
	if (kind == COMMA || kind == SEMI || kind == RPAREN || kind == RBRACK)
		return 0;
	if (i > 0 && is_comment(&s->all->at[i - 1]))
		return 1;
	if (begins_element(s, i))
		return space_of_element(s, i);
	if (before == LPAREN || before == LBRACK || s->sticks || sticks_to_both(s, i))
		return 0;
	if (kind == COLON)
		return top(s)->asks > 0;
	if ((kind == LPAREN && (before == NAME || before == RBRACK))
	    || (kind == LBRACK && before == NAME))
		return top(s)->words && is_authors_space(s, i);
	if (kind == SET && before == NAME && s->follows)        /* min= */
		return 0;
	return 1;
}

/* ---- where lines begin ---- */

static bool is_clause(int kind)
{
	return kind == WHERE || kind == FOR || kind == USING || kind == ELSE;
}

static bool begins_operand(int kind)
{
	return kind == NAME || kind == NUMBER || kind == LITERAL || kind == STRING;
}

static bool is_function(int first)
{
	return first == FN || first == OP;
}

/* The first of its words, but not `min` of `min=` or the name of a parameter after its mode. */
static bool begins_words(struct spacing *s, int i)
{
	const int next = kind_from(s, i + 1);
	return s->ends && begins_operand(kind_at(s, i)) && !top(s)->words && next != SET
		&& next != COLON;
}

static int rank_of(struct spacing *s, int i)
{
	const int kind = kind_at(s, i), before = kind_at(s, s->before);
	if (top(s)->aligned && s->first == CONST)
		return RANK_NEVER;
	if (kind == COMMA || kind == SEMI || kind == RPAREN || kind == RBRACK || is_prefix(s, i))
		return before == COMMA && is_prefix(s, i) ? 0 : RANK_NEVER;
	if (before == COMMA)            /* a clause breaks before its first range */
		return top(s)->kind == LBRACK && !top(s)->is_list ? RANK_SUBSCRIPT
			: kind_from(s, i + 1) == IN;
	if (is_clause(kind) || begins_words(s, i))
		return 0;
	if (before == SET || before == OPEQ)
		return is_function(s->first) || s->first == CONST ? 0 : 10;
	if (kind == COLON)
		return top(s)->asks > 0 ? 1 : RANK_NEVER;
	if (is_bound(s, i) || sticks_to_both(s, i))
		return RANK_NEVER;
	return rank_of_operator(kind);
}

static enum start start_of(struct spacing *s, int i)
{
	const int kind = kind_at(s, i);
	const bool declares = s->first == KERNEL || is_function(s->first);
	if (kind == RBRACE)
		return top(s)->one_line ? START_INLINE : START_MUST;
	if (s->begins)
		return s->led ? START_JOIN : s->start;
	if (kind == COMMA || kind == SEMI || (kind == LBRACE && !declares)
	    || (kind == ELSE && kind_at(s, s->before) == RBRACE))
		return START_JOIN;
	return START_KEEP;
}

/* ---- one piece after the other ---- */

static void begin_statement(struct spacing *s, enum start start)
{
	s->begins = true;
	s->led = false;
	s->start = start;
}

static void open_level(struct spacing *s, int i)
{
	const struct level *outer = top(s);
	struct level new = { .kind = kind_at(s, i), .base = s->base, .first = s->first };
	assert(s->levels < MAX_DEPTH + 2 && "the parser has counted them");
	if (new.kind != LBRACE)
		new.loose = new.kind == LBRACK || outer->loose || outer->range;
	new.is_list = new.kind == LBRACK && kind_at(s, s->before) != NAME;
	new.aligned = new.is_list && (outer->aligned || has_breaks(s, i));
	new.one_line = new.kind == LBRACE && is_one_line(s, i);
	s->level[s->levels++] = new;
	s->braces += new.kind == LBRACE;
	if (new.kind == LBRACE)
		begin_statement(s, new.one_line ? START_INLINE : START_MUST);
}

/* The statement goes on after its block with `else`, and with an op's laws. */
static void close_block(struct spacing *s, int i)
{
	s->base = top(s)->base, s->first = top(s)->first;
	s->levels--, s->braces--;
	s->begins = false;
	if (kind_from(s, i + 1) != ELSE && s->first != OP)
		begin_statement(s, top(s)->one_line ? START_INLINE : START_MUST);
}

static void enter_statement(struct spacing *s, int i)
{
	if (!s->begins)
		return;
	s->begins = false;
	if (s->start != START_KEEP || s->all->at[i].breaks)     /* a field may not begin a line */
		s->base = s->led ? s->leader : i;
	if (top(s)->kind != LBRACE || top(s)->first != STRUCT)
		s->first = kind_at(s, i);
	s->head = HEAD_DUE;
	s->ends = s->follows = false;
	top(s)->words = top(s)->range = false;
}

static void note_operand(struct spacing *s, int i)
{
	const int kind = kind_at(s, i);
	const bool is_head = s->head == HEAD_DUE && kind == NAME;
	const bool closes = kind == RPAREN || kind == RBRACK;
	s->follows = s->ends && begins_operand(kind);
	top(s)->words |= s->follows;
	s->head = is_head ? HEAD_SEEN
		: s->head == HEAD_SEEN && kind == COLON ? HEAD_DUE : HEAD_NONE;
	s->ends = (begins_operand(kind) && !is_head) || closes || is_bound(s, i);
}

static void note_level(struct spacing *s, int kind)
{
	struct level *l = top(s);
	l->asks += (kind == QUERY) - (kind == COLON && l->asks > 0);
	if (kind == IN)
		l->range = true;
	if (kind == COMMA || is_clause(kind))
		l->range = false;
	if (kind == SET || kind == OPEQ || kind == COLON || kind == ARROW || kind == IN
	    || is_clause(kind) || (kind == COMMA && l->kind == LPAREN))
		l->words = false;
}

/* What comes after the token. */
static void pass_token(struct spacing *s, int i)
{
	const int kind = kind_at(s, i);
	const bool sticks = is_prefix(s, i) || sticks_to_both(s, i);
	note_operand(s, i);
	note_level(s, kind);
	s->sticks = sticks;
	if (kind == LPAREN || kind == LBRACK || kind == LBRACE)
		open_level(s, i);
	else if (kind == SEMI)
		begin_statement(s, top(s)->one_line ? START_INLINE : START_MUST);
	else if (kind == COMMA && top(s)->kind == LBRACE && top(s)->first == STRUCT)
		begin_statement(s, START_KEEP);
	s->before = i;
}

static void pass_closing(struct spacing *s, int i)
{
	const int kind = kind_at(s, i);
	if (kind == RPAREN || kind == RBRACK)
		s->levels--;
	else if (kind == RBRACE)
		close_block(s, i);
}

static void mark(struct spacing *s, int i)
{
	struct piece *p = &s->all->at[i];
	p->level = s->braces;
	p->depth = s->levels - 1 - s->braces;
	p->base = s->base;
	p->first = s->first;
}

static void space_token(struct spacing *s, int i)
{
	struct piece *p = &s->all->at[i];
	const bool begins = s->begins;
	p->start = start_of(s, i);
	p->space = space_of(s, i);
	if (p->kind == RBRACE)
		pass_closing(s, i);
	else
		enter_statement(s, i);
	p->rank = p->kind == RBRACE || begins ? RANK_NEVER : rank_of(s, i);
	if (p->kind != RBRACE)
		pass_closing(s, i);
	mark(s, i);
	p->flush = begins || p->kind == RBRACE || p->kind == LBRACE
		|| (p->kind == ELSE && kind_at(s, s->before) == RBRACE);
	if (p->kind == RBRACE)
		s->before = i, s->ends = s->first == OP, s->sticks = false;
	else
		pass_token(s, i);
}

/* A comment before a statement has lines of its own, is after what ends before it, or leads the
 * statement on its line. */
static void space_comment(struct spacing *s, int i)
{
	struct piece *p = &s->all->at[i];
	const struct piece *next = i + 1 < s->all->n ? p + 1 : NULL;
	const bool leads = next && !next->breaks && p->kind == COMMENT_BLOCK
		&& next->kind != RBRACE && next->kind != COMMENT_LINE;
	mark(s, i);
	p->space = 1;
	p->rank = RANK_NEVER;
	p->flush = s->begins;
	p->start = !s->begins || s->led ? START_KEEP
	         : p->breaks || i == 0  ? START_MUST
	         : leads                ? s->start
	                                : START_JOIN;
	if (s->begins && !s->led)
		s->leader = i;
	if (s->begins)
		s->led = leads;
}

void fmt_space(struct pieces *all)
{
	struct spacing *s = NEW(struct spacing);
	*s = (struct spacing){ .all = all, .levels = 1, .before = -1 };
	begin_statement(s, START_MUST);
	for (int i = 0; i < all->n; i++) {
		if (is_comment(&all->at[i]))
			space_comment(s, i);
		else
			space_token(s, i);
	}
}
