/* habits.h - what C, and other languages, would have where the parser has found an error; parse.y
 * alone includes it.
 *
 * The parser has read up to the error and no further, so these functions look at the text of its
 * line.  What they recognise as a whole has a certain replacement, which is a fix-it; of anything
 * else the help says what is written here instead. */

/* ---- the text of the line ---- */

struct text { const char *at, *end; };  /* a part of a line, without blanks around it */

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')
	    || c == '_';
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static struct text trimmed(const char *at, const char *end)
{
	while (at < end && is_blank(*at))
		at++;
	while (end > at && is_blank(end[-1]))
		end--;
	return (struct text){ at, end };
}

static const char *string_of(struct text t)
{
	return str_intern(t.at, (size_t)(t.end - t.at));
}

static bool is_text(struct text t, const char *s)
{
	return (size_t)(t.end - t.at) == strlen(s) && !memcmp(t.at, s, strlen(s));
}

/* From the token at hand to the end of its line, or to a comment. */
static struct text rest_of_line(const struct parser *p)
{
	size_t length;
	const char *text = source_text(p->file, &length), *at = p->now.text, *end = at;
	while (end < text + length && *end != '\n' && *end != '\r'
	       && !(end + 1 < text + length && *end == '/' && (end[1] == '/' || end[1] == '*')))
		end++;
	return (struct text){ at, end };
}

/* What follows blanks, ends of lines and comments. */
static const char *next_text(const char *c)
{
	for (;;) {
		const char *close = NULL;
		c += strspn(c, " \t\r\n");
		if (c[0] == '/' && c[1] == '*')
			close = strstr(c + 2, "*/");
		else if (c[0] != '/' || c[1] != '/')
			return c;
		c = close ? close + 2 : c + strcspn(c, "\n");
	}
}

static const char *line_of(const struct parser *p, const char *at)
{
	const char *text = source_text(p->file, &(size_t){ 0 });
	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

static const char *line_begin(const struct parser *p)
{
	return line_of(p, p->now.text);
}

static int columns_between(const char *from, const char *to)
{
	int n = 0;
	for (; from < to; from++)
		n += ((unsigned char)*from & 0xc0) != 0x80;
	return n;
}

/* The place of a part of the line of the token at hand. */
static struct loc place_of(const struct parser *p, const char *from, const char *to)
{
	const char *begin = line_begin(p);
	return (struct loc){ p->file, p->now.at.line, 1 + columns_between(begin, from),
	                     1 + columns_between(begin, to) };
}

/* The bracket that closes the one at open, before end, or NULL. */
static const char *partner(const char *open, const char *end)
{
	int depth = 0;
	for (const char *c = open; c < end; c++) {
		depth += *c == '(' || *c == '[' || *c == '{';
		depth -= *c == ')' || *c == ']' || *c == '}';
		if (depth == 0)
			return c;
	}
	return NULL;
}

/* The `{` that a `}` closes, or the beginning. */
static const char *opener(const char *begin, const char *close)
{
	for (int depth = 1; close > begin && depth; ) {
		close--;
		depth += (*close == '}') - (*close == '{');
	}
	return close;
}

/* Where a word begins, outside of brackets and before a ';', or NULL. */
static const char *word_in(struct text t, const char *word)
{
	const size_t n = strlen(word);
	for (const char *c = t.at; c + n <= t.end && *c != ';'; c++) {
		const char *close = *c == '(' || *c == '[' ? partner(c, t.end) : NULL;
		if (close)
			c = close;
		else if (!memcmp(c, word, n) && (c == t.at || !is_word(c[-1]))
		         && (c + n == t.end || !is_word(c[n])))
			return c;
	}
	return NULL;
}

static const char *semicolon_in(struct text t)
{
	const char *c = t.at;
	while (c < t.end && *c != ';')
		c++;
	return c;
}

/* The word that ends right before at, blanks between them. */
static struct text word_before(const char *begin, const char *at)
{
	struct text t = trimmed(begin, at);
	const char *c = t.end;
	while (c > t.at && is_word(c[-1]))
		c--;
	return (struct text){ c, t.end };
}

/* `a < b < c` at the second `<`: `b` is from the first one on, outside of brackets. */
static void fix_chain(const struct parser *p)
{
	const char *begin = line_begin(p), *at = p->now.text, *c = at;
	for (int depth = 0; c > begin; c--) {
		depth += c[-1] == ')' || c[-1] == ']';
		depth -= c[-1] == '(' || c[-1] == '[';
		if (depth < 0 || strchr("?:;,&|!\"/", c[-1]))
			return;
		if (depth == 0 && strchr("<>=", c[-1]))
			break;
	}
	struct text middle = trimmed(c, at);
	if (c > begin && middle.at < middle.end)
		fix_insert(place_of(p, at, at), str_print("&& %s ", string_of(middle)));
}

/* ---- the head of C's `for` ---- */

struct count { const char *name, *low, *high; };

/* One more than this; NULL if `+ 1` would not be added to all of it. */
static const char *one_more(struct text t)
{
	const char *c = t.at;
	while (c < t.end && (is_word(*c) || is_blank(*c)))
		c++;
	struct text name = trimmed(t.at, c), rest = trimmed(c, t.end);
	if (is_text(rest, "- 1") || is_text(rest, "-1"))
		return string_of(name);
	for (c = t.at; c < t.end; c++)
		if (strchr("<>=!&|^?:", *c))
			return NULL;
	const long number = strtol(t.at, NULL, 10);
	if (t.end - t.at < 10 && is_text(t, str_print("%ld", number)))
		return str_print("%ld", number + 1);
	return str_print("%s + 1", string_of(t));
}

/* Are the last two parts `i < n; i++`? */
static bool counts_up(struct text while_, struct text step, const char *name, struct count *out)
{
	const size_t n = strlen(name);
	struct text rest = trimmed(while_.at + n, while_.end);
	if ((size_t)(while_.end - while_.at) <= n || memcmp(while_.at, name, n) || *rest.at != '<'
	    || rest.at[1] == '<')
		return false;
	const bool last = rest.at[1] == '=';
	struct text high = trimmed(rest.at + 1 + last, rest.end);
	out->high = last ? one_more(high) : string_of(high);
	return high.at < high.end && out->high && (is_text(step, str_print("%s++", name))
	    || is_text(step, str_print("++%s", name)) || is_text(step, str_print("%s += 1", name)));
}

/* Does the text `(int i = 0; i < n; i++)` say what `i in 0..n` does? */
static bool count_of(const char *open, const char *close, struct count *out)
{
	const char *first = memchr(open, ';', (size_t)(close - open));
	const char *second = first ? memchr(first + 1, ';', (size_t)(close - first - 1)) : NULL;
	const char *set = first ? memchr(open, '=', (size_t)(first - open)) : NULL;
	if (!second || !set)
		return false;
	struct text name = word_before(open + 1, set), low = trimmed(set + 1, first);
	if (name.at == name.end || low.at == low.end)
		return false;
	out->name = string_of(name);
	out->low = string_of(low);
	return counts_up(trimmed(first + 1, second), trimmed(second + 1, close), out->name, out);
}

/* The range that the head of a loop says, `i in 0..n`, and where it ends; or NULL. */
static const char *range_of_head(const struct parser *p, const char *open, const char **end)
{
	struct count count;
	const char *close = *open == '(' ? partner(open, rest_of_line(p).end) : NULL;
	if (!close || !count_of(open, close, &count))
		return NULL;
	*end = close + 1;
	return str_print("%s in %s..%s", count.name, count.low, count.high);
}

/* In a function, where a loop may be. */
static void hint_loop(const struct parser *p)
{
	const char *end = NULL, *range = range_of_head(p, p->now.text, &end);
	diag_cure("a loop has a range of integers: `for %s { ... }`", range ? range : "i in 0..n");
	if (range)
		diag_fix(place_of(p, p->now.text, end), range);
}

/* In a kernel, where a statement should be. */
static void hint_for(const struct parser *p)
{
	struct text rest = rest_of_line(p);
	const char *end = NULL, *open = trimmed(rest.at + strlen("for"), rest.end).at;
	const char *range = open < rest.end ? range_of_head(p, open, &end) : NULL;
	if (range)
		diag_cure("a statement runs over all its cells: `map y[i] = ... for %s;`; a loop "
		          "is `repeat`", range);
	else if (memchr(rest.at, '{', (size_t)(rest.end - rest.at)))
		diag_cure("a statement runs over all its cells, `map y[i] = ...;`; passes that "
		          "follow one another are `repeat t < n { ... }`");
	else
		diag_cure("`for i in 0..n` is a clause: it comes before the statement's `;`");
}

/* .5 */
static void hint_point(const struct parser *p)
{
	struct text rest = rest_of_line(p);
	diag_cure("a number has a digit before its point: `0.5`");
	if (rest.at + 1 < rest.end && rest.at[1] >= '0' && rest.at[1] <= '9')
		diag_fix(loc_of(p->now.at), "0.");
}

/* ---- conditions ---- */

/* if (c) a else b; if c then a else b: up to and with the `else`, as `c ? a :`. */
static const char *choice_of(struct text rest, const char **end)
{
	const char *if_end = rest.at + strlen("if"), *then = word_in(rest, "then");
	const char *other = word_in(rest, "else");
	struct text c = trimmed(if_end, rest.end);
	const char *close = c.at < rest.end && *c.at == '(' ? partner(c.at, rest.end) : NULL;
	const char *from = then ? then + strlen("then") : close ? close + 1 : NULL;
	if (!other || !from || from > other || word_in((struct text){ from, rest.end }, "if"))
		return NULL;
	struct text condition = then ? trimmed(if_end, then) : trimmed(c.at + 1, close);
	struct text value = trimmed(from, other);
	if (condition.at == condition.end || value.at == value.end || *value.at == '{')
		return NULL;
	*end = other + strlen("else");
	return str_print("%s ? %s :", string_of(condition), string_of(value));
}

/* An `if` where an expression begins. */
static void hint_choice(const struct parser *p)
{
	const char *end = NULL, *choice = choice_of(rest_of_line(p), &end);
	const int before = p->before.kind;
	diag_cure("an expression chooses by `c ? a : b`");
	if (choice && (before == SET || before == LPAREN || before == COMMA))
		diag_fix(place_of(p, p->now.text, end), choice);
}

/* An `if` after an expression: a condition of the statement, or of the value. */
static void hint_condition(const struct parser *p, bool takes_where)
{
	struct text rest = rest_of_line(p);
	if (word_in(rest, "else")) {
		diag_cure("an expression chooses by `c ? a : b`");
	} else if (takes_where) {
		diag_cure("write `where` instead of `if`: it leaves cells out; `c ? a : b` chooses "
		          "a value");
		diag_fix(loc_of(p->now.at), "where");
	} else {
		diag_cure("`where c` leaves cells out; `c ? a : b` chooses a value");
	}
}

/* if (c) return x; where a body should begin. */
static void hint_body(const struct parser *p)
{
	struct text rest = rest_of_line(p);
	const char *end = semicolon_in(rest);
	diag_cure("a body is in braces: `{ ... }`");
	if (p->before.at.last_line == p->now.at.line && end < rest.end && !word_in(rest, "else")
	    && !memchr(rest.at, '{', (size_t)(end - rest.at)))
		diag_fix(place_of(p, rest.at, end + 1),
		         str_print("{ %.*s; }", (int)(end - rest.at), rest.at));
}

/* ---- parameters ---- */

/* A type of C's or of the language, as it is here, or NULL. */
static const char *type_here(const char *name)
{
	return type_named(name) ? name : type_of_c(name);
}

/* The brackets after a name: empty if there are none; without an end if they cannot be read. */
static struct text brackets_after(const struct parser *p, const char *name_end)
{
	struct text rest = trimmed(name_end, rest_of_line(p).end);
	const char *close = partner(rest.at, rest.end);
	if (rest.at == rest.end || *rest.at != '[')
		return (struct text){ name_end, name_end };
	return (struct text){ rest.at, close && close > rest.at + 1 ? close + 1 : NULL };
}

/* float x[n], int k */
static void hint_parameter(const struct parser *p, struct text type, struct text name)
{
	struct text axes = brackets_after(p, name.end);
	const char *here = type_here(string_of(type)), *whole = "x: f32[n]";
	const bool known = here && axes.end, record = *type.at >= 'A' && *type.at <= 'Z';
	if (known || (record && axes.end))
		whole = str_print("%s: %s%s", string_of(name), here ? here : string_of(type),
		                  string_of(axes));
	diag_cure("the type comes after the name: `%s`", whole);
	if (known)
		diag_fix(place_of(p, type.at, axes.end), whole);
}

static bool is_mode(struct text t)
{
	return is_text(t, "out") || is_text(t, "inout");
}

/* float k; in a function, where only `=` may follow. */
static void hint_variable(const struct parser *p)
{
	const char *before = p->before.text;
	struct text type = word_before(line_begin(p), before);
	const char *here = type.at < type.end ? type_here(string_of(type)) : NULL;
	const char *whole = here ? str_print("var %s: %s", p->before.name, here) : "var x: f32";
	if (p->before.kind != NAME || p->before.at.last_line != p->now.at.line)
		return;
	diag_cure("a variable is declared by `%s;`", whole);
	if (here)
		diag_fix(place_of(p, type.at, before + p->before.length), whole);
}

/* k++; */
static bool hint_step(const struct parser *p)
{
	struct text rest = rest_of_line(p);
	const char *step = *rest.at == '+' ? "+= 1" : "-= 1";
	if (rest.end - rest.at < 2 || rest.at[1] != *rest.at)
		return false;
	diag_cure("a step is written out: `%s`", step);
	if (p->before.text + p->before.length == rest.at)
		diag_fix(place_of(p, rest.at, rest.at + 2), str_print(" %s", step));
	return true;
}

/* (float)i: a word behind an expression in parentheses, until something does not fit. */
static bool is_cast(const struct parser *p)
{
	const char *begin = line_begin(p);
	struct text front = trimmed(begin, p->before.text);
	if (p->before.kind != NAME || p->before.at.last_line != p->now.at.line
	    || front.at == front.end || front.end[-1] != ')')
		return false;
	struct text type = word_before(begin, front.end - 1);
	struct text outside = trimmed(begin, type.at);
	const char *here = type.at < type.end ? type_here(string_of(type)) : NULL;
	if (!here || outside.at == outside.end || outside.end[-1] != '(')
		return false;
	diag_cure("a conversion is a call: `%s(%s)`", here, p->before.name);
	if (p->now.kind != LBRACK && p->now.kind != LPAREN && p->now.kind != DOT)
		diag_fix(place_of(p, outside.end - 1, p->before.text + p->before.length),
		         str_print("%s(%s)", here, p->before.name));
	return true;
}

/* Where a ':' should be after a name. */
static void hint_type_first(const struct parser *p, bool is_name)
{
	const char *begin = line_begin(p), *before = p->before.text;
	struct text last = { before, before + p->before.length };
	struct text now = { p->now.text, p->now.text + p->now.length };
	struct text type = word_before(begin, before);
	if (p->before.at.last_line != p->now.at.line || p->before.kind != NAME)
		return;
	if (is_name && is_mode(word_before(begin, before)))
		hint_parameter(p, last, now);
	else if (!is_name && p->now.kind != SET && type.at < type.end && !is_mode(type))
		hint_parameter(p, type, last);
	else if (is_name && type_here(string_of(last)))
		hint_parameter(p, last, now);
	else if (p->now.kind == SET && is_text(type, "let"))
		diag_cure("a `let` has a type: `let %s: f32 = ...;`, or `let %s: f32[n];`, which "
		          "a statement fills", p->before.name, p->before.name);
	else if (p->now.kind == SET)
		diag_cure("a constant has a type: `const %s: f32 = ...;`", p->before.name);
	else if (!is_name && p->now.kind == LBRACK)
		diag_cure("the type comes after the name: `x: f32[n]`");
}

/* The only thing that can follow is the head of a declaration: f(x: f32): f32, f(x: f32) -> f32 {
 * in a kernel, f<<<1, 2>>>(x: f32). */
static bool hint_head(const struct parser *p, yysymbol_kind_t token, const struct expectation *e)
{
	if (token == YYSYMBOL_COLON && expects(e, YYSYMBOL_ARROW)) {
		diag_cure("the type of the result comes after an arrow: `fn f(x: f32) -> f32`");
		diag_fix(loc_of(p->now.at), " ->");
	} else if (expects(e, YYSYMBOL_ARROW)) {
		diag_cure("the result has a type: `fn f(x: f32) -> f32 = ...;`");
	} else if (token == YYSYMBOL_ARROW && expects(e, YYSYMBOL_LBRACE)) {
		diag_cure("a kernel writes its results to parameters: `kernel f(x: f32[n], out y: "
		          "f32) { ... }`");
	} else if (token == YYSYMBOL_SHL && expects(e, YYSYMBOL_LPAREN)) {
		diag_cure("patc chooses blocks and threads: `kernel f(x: f32[n]) { ... }`");
	} else if (token != YYSYMBOL_LBRACE && expects(e, YYSYMBOL_LBRACE)) {
		diag_cure("a body is in braces: `{ ... }`");
	} else {
		return false;
	}
	return true;
}

/* f32*, f32[], y[:], &y */
static bool hint_array(const struct parser *p, yysymbol_kind_t token, const struct expectation *e)
{
	const int before = p->before.kind;
	if ((token == YYSYMBOL_MUL || token == YYSYMBOL_LT) && expects(e, YYSYMBOL_LBRACK)
	    && expects(e, YYSYMBOL_COMMA))
		diag_cure("an array has its sizes in its type: `x: f32[n]`; there are no pointers");
	else if (token == YYSYMBOL_BITAND && before == COLON)
		diag_cure("an array is `x: f32[n]`, and one that is written `out y: f32[n]`");
	else if (token == YYSYMBOL_RBRACK && before == LBRACK)
		diag_cure("an axis has a size, `x: f32[n]`, and a cell a subscript, `x[i]`");
	else if (token == YYSYMBOL_COLON && (before == LBRACK || before == COMMA)
	         && expects(e, YYSYMBOL_NUMBER))
		diag_cure("an index runs over all cells of an axis: `map y[i] = x[i];`");
	else if (token == YYSYMBOL_BITAND && expects(e, YYSYMBOL_NUMBER))
		diag_cure("there are no addresses; a sum is `reduce y = sum[i](x[i]);`, one at "
		          "places in the data `scatter y[k[i]] += x[i];`");
	else
		return false;
	return true;
}

/* { where a value should be: [1, 2, 3] is meant, or the body of a function. */
static void hint_value(const struct parser *p)
{
	struct text rest = rest_of_line(p), inside = trimmed(rest.at + 1, rest.end);
	if (inside.at < inside.end && strchr("0123456789-.{[", *inside.at))
		diag_cure("a list is in brackets: `[1, 2, 3]`");
	else
		diag_cure("a value is one expression; several steps are a function: `fn f(x: f32) "
		          "-> f32 { ... return y; }`");
}

/* In a test: f([1, 2]) == 3; assert f(x = 1); f(x = 1) -> y ~ 2; */
static bool hint_case(const struct parser *p, yysymbol_kind_t token, const struct expectation *e)
{
	const bool positional = p->before.kind == LPAREN && expects(e, YYSYMBOL_RPAREN)
		&& expects(e, YYSYMBOL_NAME);
	if (!p->test || (token == YYSYMBOL_SEMI || token == YYSYMBOL_RBRACE))
		return false;
	if (token == YYSYMBOL_BITNOT && expects(e, YYSYMBOL_STRING))
		diag_cure("a case that allows an error is `f(x = 1) -> y = 2 within 1e-3;`");
	else if (positional || expects(e, YYSYMBOL_ARROW)
	         || (e->n == 1 && expects(e, YYSYMBOL_LPAREN)))
		diag_cure("a case calls a kernel by the names of its parameters: `f(x = 1) -> y = "
		          "2;`");
	else
		return false;
	return true;
}

/* boundary = clamp */
static bool hint_clause(const struct parser *p, yysymbol_kind_t token)
{
	if (token != YYSYMBOL_SET || p->before.kind != NAME || strcmp(p->before.name, "boundary"))
		return false;
	diag_cure("a clause has its value after its name: `boundary clamp`");
	diag_fix(loc_of(p->now.at), " ");
	return true;
}

/* __syncthreads(); */
static bool hint_barrier(const struct parser *p, yysymbol_kind_t token)
{
	struct text word = word_before(line_begin(p), p->before.text);
	if (token != YYSYMBOL_RPAREN || p->before.kind != LPAREN
	    || strncmp(word.at, "__sync", strlen("__sync")) != 0)
		return false;
	diag_cure("there are no barriers: a statement sees what those before it have written");
	return true;
}

/* Is the '}' at hand that of a struct? */
static bool ends_struct(const struct parser *p)
{
	const char *begin = source_text(p->file, &(size_t){ 0 });
	const char *open = opener(begin, p->now.text);
	const char *name = word_before(begin, open).at;
	return is_text(word_before(begin, name), "struct");
}

/* The comma before a ')' or a '}'. */
static void hint_last_comma(const struct parser *p, yysymbol_kind_t token)
{
	if (token == YYSYMBOL_RBRACE && !ends_struct(p)) {
		diag_cure("a statement ends with `;`, not with a comma");
		diag_fix(loc_of(p->before.at), ";");
	} else {
		diag_cure("no comma follows the last one");
		diag_fix(loc_of(p->before.at), "");
	}
}

/* x > 0 and y > 0: the word is at hand, or what follows it was read as a clause. */
static bool hint_logic(const struct parser *p, const struct expectation *e)
{
	static const char *const words[] = { "and", "or" };
	const char *begin = line_begin(p), *end = p->now.text + p->now.length;
	const bool clause = expects(e, YYSYMBOL_STRING) && p->suspect.kind == END;
	for (int k = 0; k < 2; k++) {
		const char *at = word_in((struct text){ begin, end }, words[k]);
		if (!at || !(at == p->now.text ? expects(e, YYSYMBOL_AND) : clause))
			continue;
		diag_cure("`%s` is written `%s`", words[k], operator_of_word(words[k]));
		diag_fix(place_of(p, at, at + strlen(words[k])), operator_of_word(words[k]));
		return true;
	}
	return false;
}

/* The forms of a loop, where `repeat` is followed by something else. */
static void hint_repeat(void)
{
	diag_cure("`repeat t < steps { ... }` counts its passes; `repeat until c < eps at most 100 "
	          "{ ... }` ends by a condition");
}

/* struct P { x: f32; y: f32 } */
static void hint_comma(const struct parser *p)
{
	const char *next = next_text(p->now.text + 1);
	diag_cure("fields are separated by commas, and none follows the last one");
	if (is_word(*next) || *next == '}')
		diag_fix(loc_of(p->now.at), *next == '}' ? "" : ",");
}

/* ---- solve ---- */

/* An `=` that is neither part of another operator nor in brackets. */
static bool has_set(struct text t)
{
	for (const char *c = t.at; c < t.end; c++) {
		const char *close = *c == '(' || *c == '[' ? partner(c, t.end) : NULL;
		if (close)
			c = close;
		else if (*c == '=' && (c == t.at || !strchr("=<>!+-*/%&|^", c[-1]))
		         && (c + 1 == t.end || c[1] != '='))
			return true;
	}
	return false;
}

/* solve x[i] in 4 * x[i] - x[i-1]; solve x[i]: ...; solve 4 * x[i] = d[i]; a second equation */
static bool lacks_equation(const struct parser *p, const struct expectation *e)
{
	const bool inside = expects(e, YYSYMBOL_NUMBER) && !expects(e, YYSYMBOL_STRING);
	const char *begin = line_begin(p), *end = p->now.text, *from = end;
	while (from > begin && from[-1] != ';' && from[-1] != '{')
		from--;
	const char *solve = word_in((struct text){ from, end }, "solve");
	struct text read = { solve ? solve : end, end };
	const bool whole = word_in(read, "in") && has_set(read);
	return solve && !inside && p->now.kind != LBRACK && (!whole || expects(e, YYSYMBOL_OPEQ));
}

/* ---- schedules ---- */

/* A condition in another place or word than `tile 8 x 8 when n < 1024;`. */
static bool hint_when(const struct parser *p, yysymbol_kind_t token, const struct expectation *e)
{
	const char *begin = line_begin(p), *end = p->now.text;
	if ((token == YYSYMBOL_IF || token == YYSYMBOL_WHERE) && expects(e, YYSYMBOL_WHEN)) {
		diag_cure("write `when` instead of `%s`", p->now.text[0] == 'i' ? "if" : "where");
		diag_fix(loc_of(p->now.at), "when");
	} else if (token == YYSYMBOL_ELSE && expects(e, YYSYMBOL_WHEN)) {
		diag_cure("a line without `when` applies where no condition holds");
	} else if (token == YYSYMBOL_WHEN
	           || (token == YYSYMBOL_COMMA && expects(e, YYSYMBOL_SEMI)
	               && word_in((struct text){ begin, end }, "when"))) {
		diag_cure("`when` follows all pins of its line: `tile 64 x 64, vector 2 when n < "
		          "1024;`");
	} else {
		return false;
	}
	return true;
}

/* ---- brackets ---- */

/* Does a bracket on the line, before a ';', close one that is open here? */
static bool closes_later(const struct parser *p)
{
	struct text rest = rest_of_line(p);
	int depth = 0;
	for (const char *c = rest.at; c < rest.end && *c != ';' && depth >= 0; c++)
		depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
	return depth < 0;
}

/* No operator is between a bracket and what should close it, and in a subscript no other bracket:
 * nothing else can be meant. */
static bool is_plain(struct text t, bool subscript)
{
	for (const char *c = t.at; c < t.end; c++) {
		const char *close = *c == '(' || *c == '[' ? partner(c, t.end) : NULL;
		if (close && subscript)
			return false;
		if (close)
			c = close;
		else if (strchr("+-*/%<>=!&|^?:", *c) || (unsigned char)*c >= 0x80)
			return false;
	}
	return true;
}

/* What was opened last and is open still where the error is. */
static void hint_open(const struct parser *p)
{
	const struct token *open = &p->paren[p->opened - 1];
	const bool subscript = open->kind == LBRACK;
	const char *kind = subscript ? "[" : "(", *close = subscript ? "]" : ")";
	const char *from = open->text + 1, *to = p->before.text + p->before.length;
	struct loc end = { p->file, p->before.at.last_line, p->before.at.last_col,
	                   p->before.at.last_col };
	diag_note(loc_of(open->at), "this `%s` is open", kind);
	diag_cure("close the `%s` before the `%.*s`", kind, (int)p->now.length, p->now.text);
	if (p->opened == 1 && open->at.line == p->now.at.line && from < to
	    && p->before.at.last_line == p->now.at.line
	    && is_plain((struct text){ from, to }, subscript))
		diag_fix(end, close);
}

/* ---- other languages ---- */

/* Where the statement of a place of the line begins, after comments. */
static const char *statement_begin(const char *begin, const char *at)
{
	const char *from = at;
	while (from > begin && !strchr(";{}", from[-1]))
		from--;
	while ((from = trimmed(from, at).at) + 1 < at && from[0] == '/' && from[1] == '*') {
		const char *close = strstr(from + 2, "*/");
		if (!close || close >= at)
			return at;
		from = close + 2;
	}
	return from;
}

/* let mut h = 1; */
static bool hint_mutable(const struct parser *p, const struct expectation *e)
{
	const char *begin = line_begin(p);
	if (p->before.kind != NAME || strcmp(p->before.name, "mut") != 0
	    || p->before.at.last_line != p->now.at.line || !expects(e, YYSYMBOL_COLON))
		return false;
	struct text let = word_before(begin, p->before.text);
	const char *word = expects(e, YYSYMBOL_SET) ? "var" : "let";
	diag_cure(*word == 'v' ? "what changes is a `var`" : "statements may write every `let`");
	if (is_text(let, "let"))
		diag_fix(place_of(p, let.at, p->now.text), str_print("%s ", word));
	return true;
}

/* x: [f32; n] */
static void hint_array_type(const struct parser *p)
{
	struct text rest = rest_of_line(p);
	const char *close = partner(rest.at, rest.end);
	const char *middle = close ? memchr(rest.at, ';', (size_t)(close - rest.at)) : NULL;
	diag_cure("an array has its sizes after its type: `f32[n]`, `f32[n, m]`");
	if (!middle)
		return;
	struct text type = trimmed(rest.at + 1, middle), size = trimmed(middle + 1, close);
	const char *here = type_here(string_of(type));
	if (here && size.at < size.end)
		diag_fix(place_of(p, rest.at, close + 1),
		         str_print("%s[%s]", here, string_of(size)));
}

/* The last character of the lines before this one, comments `//` left out; 0: there is none. */
static char last_before(const char *text, const char *line)
{
	while (line > text) {
		const char *from = line - 1, *end = line - 1;
		while (from > text && from[-1] != '\n')
			from--;
		for (const char *c = from; c + 1 < end; c++)
			end = c[0] == '/' && c[1] == '/' ? c : end;
		while (end > from && strchr(" \t\r", end[-1]))
			end--;
		if (end > from)
			return end[-1];
		line = from;
	}
	return 0;
}

/* One expression as a whole: its brackets are closed, and no comma is outside of them. */
static bool is_one(struct text t)
{
	int depth = 0;
	for (const char *c = t.at; c < t.end && depth >= 0; c++) {
		if (*c == ';' || (depth == 0 && *c == ','))
			return false;
		depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
	}
	return depth == 0 && t.at < t.end;
}

/* The last character before a statement, or 0; comments are left out. */
static char before_statement(const struct parser *p, const char *from)
{
	const char *line = line_of(p, from);
	while (from > line && !strchr(";{}", from[-1]))
		from--;
	return from > line ? from[-1] : last_before(source_text(p->file, &(size_t){ 0 }), line);
}

/* if a { ... } elif b { ... } */
static bool hint_elif(const struct parser *p)
{
	static const char *const words[] = { "elif", "elsif", "elseif" };
	const char *from = statement_begin(line_begin(p), p->now.text);
	struct text first = trimmed(from, p->now.text);
	for (int k = 0; k < 3; k++) {
		const size_t n = strlen(words[k]);
		if (word_in(first, words[k]) != first.at || before_statement(p, from) != '}')
			continue;
		diag_cure("`%s` is written `else if`", words[k]);
		diag_fix(place_of(p, first.at, first.at + n), "else if");
		return true;
	}
	return false;
}

/* Does nothing follow the block that this `}` closes until its function ends, and no loop? */
static bool ends_function(const char *begin, const char *end, const char *close)
{
	while (*close == '}') {
		const char *open = opener(begin, close);
		struct text head = trimmed(statement_begin(begin, open), open);
		if (word_in(head, "fn") || word_in(head, "op"))
			return true;
		if (word_in(head, "for") == head.at || word_in(head, "while") == head.at)
			return false;
		const char *next = next_text(close + 1), *block;
		while (!strncmp(next, "else", strlen("else"))) {
			block = strchr(next, '{');
			close = block ? partner(block, end) : NULL;
			if (!close)
				return false;
			next = next_text(close + 1);
		}
		close = next;
	}
	return false;
}

/* The last expression of a function without `return`: it ends the line, or a `}` follows. */
static void hint_result(const struct parser *p)
{
	size_t length;
	const char *text = source_text(p->file, &length);
	/* the expression is before a `}`, or the error is inside it */
	const bool before_brace = p->now.kind == RBRACE;
	const char *at = before_brace ? p->before.text + p->before.length : p->now.text;
	const char *line = line_of(p, at), *from = statement_begin(line, at), *close = at;
	const char *end = before_brace ? at : rest_of_line(p).end;
	for (int depth = 0; close < end && (depth || *close != '}'); close++)
		depth += (*close == '{') - (*close == '}');
	struct text value = trimmed(from, close);
	const char before = before_statement(p, from);
	struct loc place = loc_of(before_brace ? p->before.at : p->now.at);
	diag_cure("a function returns its value: `return ...;`");
	if (!before || !strchr(";{}", before) || !is_one(value) || has_set(value)
	    || memchr(value.at, '/', (size_t)(at - value.at))
	    || !ends_function(text, text + length, next_text(close)))
		return;
	place.col = 1 + columns_between(line, value.at);
	place.end = 1 + columns_between(line, value.end);
	diag_fix(place, str_print("return %s;", string_of(value)));
}

/* for i in range(n) */
static bool hint_range(const struct parser *p, const struct expectation *e)
{
	const char *begin = line_begin(p);
	const char *range = NULL;
	for (const char *c = begin; c + 6 < p->now.text; c++)
		range = !strncmp(c, "range(", 6) && (c == begin || !is_word(c[-1])) ? c : range;
	const char *open = range ? range + strlen("range") : NULL;
	const char *close = open ? partner(open, p->now.text) : NULL;
	if (!close || p->before.kind != RPAREN || !expects(e, YYSYMBOL_DOTS))
		return false;
	struct text whole = trimmed(open + 1, close);
	const char *comma = memchr(whole.at, ',', (size_t)(whole.end - whole.at));
	struct text low = trimmed(whole.at, comma ? comma : whole.at);
	struct text high = trimmed(comma ? comma + 1 : whole.at, whole.end);
	diag_cure("a range is written `0..n`");
	if (is_one(high) && (!comma || is_one(low)) && close == p->before.text)
		diag_fix(place_of(p, range, close + 1),
		         str_print("%s..%s", comma ? string_of(low) : "0", string_of(high)));
	return true;
}

/* where x[i] > 0, i > 3 */
static bool hint_where(const struct parser *p, yysymbol_kind_t token, const struct expectation *e)
{
	const char *begin = statement_begin(line_begin(p), p->now.text);
	const char *where = word_in((struct text){ begin, p->now.text }, "where");
	struct text rest = rest_of_line(p);
	const char *end = semicolon_in(rest);
	if (token != YYSYMBOL_COMMA || !expects(e, YYSYMBOL_AND) || !where)
		return false;
	diag_cure("conditions are joined by `&&` or `||`");
	bool plain = end < rest.end && !has_set((struct text){ rest.at, end });
	for (const char *c = where; c < end; c++)
		plain = plain && *c != '?' && *c != '|' && strncmp(c, "..", 2) != 0;
	if (plain)
		diag_fix(loc_of(p->now.at), " &&");
	return true;
}

/* boundary (constant 0, constant = 0) */
static bool hint_constant(const struct parser *p, yysymbol_kind_t token)
{
	const bool set = token == YYSYMBOL_SET;
	const char *value = set ? trimmed(p->now.text + 1, rest_of_line(p).end).at : p->now.text;
	if (!set && token != YYSYMBOL_NUMBER)
		return false;
	if (p->before.kind != NAME || strcmp(p->before.name, "constant") != 0 || !p->opened)
		return false;
	diag_cure("in a list of boundaries, a constant is its value: `boundary (0, clamp)`");
	if (p->before.at.last_line == p->now.at.line)
		diag_fix(place_of(p, p->before.text, value), "");
	return true;
}

/* extern fn g(x: f32) -> f32 "special.h"; */
static bool hint_header(const struct parser *p, yysymbol_kind_t token)
{
	struct text line = trimmed(line_begin(p), p->now.text);
	if (token != YYSYMBOL_STRING || word_in(line, "extern") != line.at)
		return false;
	diag_cure("the header of a function of C comes after `from`: `from \"special.h\"`");
	fix_insert(loc_of(p->now.at), "from ");
	return true;
}

/* ---- which of them it is ---- */

/* Is the last bracket open still, and nothing but a bracket missing?  Later on the line none closes
 * it. */
static bool misses_closer(const struct parser *p, yysymbol_kind_t token,
	const struct expectation *e)
{
	const int open = p->opened > 0 ? p->paren[p->opened - 1].kind : END;
	const bool due = open == LPAREN ? expects(e, YYSYMBOL_RPAREN)
		: open == LBRACK && expects(e, YYSYMBOL_RBRACK);
	const bool words = token == YYSYMBOL_NAME || is_reserved(token);
	if (!due || !expects(e, YYSYMBOL_ADD) || p->suspect.kind != END)
		return false;
	return token == YYSYMBOL_SEMI || token == YYSYMBOL_LBRACE
	    || token == YYSYMBOL_RPAREN || token == YYSYMBOL_RBRACK
	    || (((words && token != YYSYMBOL_IF) || token == YYSYMBOL_SET) && !closes_later(p));
}

/* What C, and other languages, would have there. */
static void hint_habits(const struct parser *p, yysymbol_kind_t token, const struct expectation *e)
{
	const bool word = token == YYSYMBOL_NAME || token == YYSYMBOL_RETURN
		|| token == YYSYMBOL_BREAK || token == YYSYMBOL_CONTINUE;
	const bool assigns = expects(e, YYSYMBOL_OPEQ) && !expects(e, YYSYMBOL_COMMA);
	if (hint_elif(p) || hint_mutable(p, e) || hint_where(p, token, e) || hint_header(p, token)
	    || hint_range(p, e) || hint_constant(p, token))
		return;
	if (token == YYSYMBOL_LBRACK && p->before.kind == RBRACK)
		diag_cure("several axes have one pair of brackets: `x[i, j]`, `f32[4, 4]`");
	else if (token == YYSYMBOL_LBRACK && e->n == 1 && expects(e, YYSYMBOL_NAME)
	         && p->before.kind == COLON)
		hint_array_type(p);
	else if (token == YYSYMBOL_RPAREN && e->n == 2 && expects(e, YYSYMBOL_NAME)
	         && expects(e, YYSYMBOL_COLON))
		diag_cure("a parameter has a type: `%s: f32`", p->before.name);
	else if (e->n == 1 && expects(e, YYSYMBOL_COLON))
		hint_type_first(p, token == YYSYMBOL_NAME);
	else if (token == YYSYMBOL_DOT && expects(e, YYSYMBOL_NUMBER))
		hint_point(p);
	else if (hint_when(p, token, e))
		return;
	else if (token == YYSYMBOL_IF && expects(e, YYSYMBOL_NUMBER))
		hint_choice(p);
	else if (token == YYSYMBOL_IF && expects(e, YYSYMBOL_QUERY))
		hint_condition(p, expects(e, YYSYMBOL_WHERE));
	else if (misses_closer(p, token, e))
		hint_open(p);
	else if (lacks_equation(p, e))
		diag_cure("a `solve` has one unknown, and after `in` one equation: `solve x[i] in "
		          "a[i] * x[i-1] + b[i] * x[i] = d[i] boundary 0;`");
	else if (token == YYSYMBOL_SET && expects(e, YYSYMBOL_EQ))
		diag_cure("two values are compared by `==`");
	else if (word && expects(e, YYSYMBOL_LBRACE)
	         && (expects(e, YYSYMBOL_ADD) || p->before.kind == ELSE))
		hint_body(p);
	else if (token == YYSYMBOL_LPAREN && p->before.kind == FOR)
		hint_loop(p);
	else if (token == YYSYMBOL_SEMI && e->n == 1 && expects(e, YYSYMBOL_SET))
		hint_variable(p);
	else if ((token == YYSYMBOL_ADD || token == YYSYMBOL_SUB) && expects(e, YYSYMBOL_OPEQ)
	         && hint_step(p))
		return;
	else if (token == YYSYMBOL_MUL && p->before.kind == MUL)
		diag_cure("a power is `x * x` or `pow(x, y)`");
	else if (token == YYSYMBOL_CONST && expects(e, YYSYMBOL_RPAREN))
		diag_cure("an input is never written and needs no `const`: `x: f32[n]`");
	else if (token == YYSYMBOL_IN && expects(e, YYSYMBOL_RPAREN))
		diag_cure("an input has no mark, `x: f32[n]`; a result is `out` or `inout`");
	else if ((token == YYSYMBOL_RBRACE || token == YYSYMBOL_RPAREN)
	         && p->before.kind == COMMA)
		hint_last_comma(p, token);
	else if (token == YYSYMBOL_LBRACE && expects(e, YYSYMBOL_NUMBER))
		hint_value(p);
	else if (e->n == 1 && hint_head(p, token, e))
		return;
	else if (assigns || (expects(e, YYSYMBOL_RETURN) && (token == YYSYMBOL_NUMBER
	         || token == YYSYMBOL_LPAREN || token == YYSYMBOL_SUB)))
		hint_result(p);
	else if (hint_array(p, token, e) || hint_logic(p, e) || hint_case(p, token, e)
	         || hint_clause(p, token) || hint_barrier(p, token))
		return;
	else if (expects(e, YYSYMBOL_KERNEL))
		diag_cure("a kernel is `kernel f(x: f32[n], out y: f32[n]) { ... }`, a function "
		          "`fn f(x: f32) -> f32 = ...;`");
	else if (e->n == 2 && expects(e, YYSYMBOL_COLON) && expects(e, YYSYMBOL_COMMA))
		diag_cure("a field has its type after its name, and a comma before the next one: "
		          "`x, y: f32, k: i32`");
	else if (token == YYSYMBOL_SEMI && expects(e, YYSYMBOL_COMMA)
	         && expects(e, YYSYMBOL_RBRACE))
		hint_comma(p);
}

/* var s: f32; in a kernel */
static void hint_kernel_variable(const struct parser *p)
{
	struct text rest = rest_of_line(p), head = { rest.at, semicolon_in(rest) };
	diag_cure("`var` is of functions; statements write a `let`: `let s: f32 = 0;`");
	if (memchr(head.at, ':', (size_t)(head.end - head.at)))
		diag_fix(loc_of(p->now.at), "let");
}

/* A word in the place of a statement's pattern. */
static void hint_statement(const struct parser *p, yysymbol_kind_t token,
	const struct expectation *e)
{
	/* a label, or what is called or is a pattern's name */
	bool after_name = e->n <= 3 && expects(e, YYSYMBOL_NAME) && expects(e, YYSYMBOL_COLON);
	if (after_name && token == YYSYMBOL_LBRACK)
		diag_cure("a statement begins with its pattern, `map y[i] = ...;`; a type follows "
		          "a colon, `y: f32[n]`");
	if (after_name && (token == YYSYMBOL_SET || token == YYSYMBOL_OPEQ))
		diag_cure("a statement begins with its pattern: `map %s = ...;` for a scalar, `map "
		          "%s[i] = ...;` for an array", p->before.name, p->before.name);
	if ((after_name && token == YYSYMBOL_LBRACE) || p->before.kind == REPEAT
	    || (e->n == 1 && expects(e, YYSYMBOL_LT)))
		hint_repeat();
	if (after_name && token == YYSYMBOL_MUL)
		diag_cure("an array has its sizes in its type: `x: f32[n]`; there are no pointers");
	if (!expects(e, YYSYMBOL_LET) || !expects(e, YYSYMBOL_REPEAT))
		return;
	if (token == YYSYMBOL_FOR)
		hint_for(p);
	else if (token == YYSYMBOL_UNTIL)
		hint_repeat();
	else if (token == YYSYMBOL_VAR)
		hint_kernel_variable(p);
	else if (token == YYSYMBOL_RETURN)
		diag_cure("a kernel writes its results to `out` parameters; a function returns its "
		          "value");
	else if (token == YYSYMBOL_IF || token == YYSYMBOL_WHILE)
		diag_cure("in a kernel, cells are chosen by `where` or `?:`, and loops are "
		          "`repeat`");
}
