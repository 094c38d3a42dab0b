/* remarks_page.c - --remarks=html: a page with the program and its remarks at the left, and the
 * text that it becomes at the right.
 *
 * The text is printed with the places of statements, as for -g.  Line 12 of the program is p12, the
 * first line of the text that belongs to it is t12: so the numbers of lines are links that need no
 * script.  The script marks all lines with one number under the mouse. */
#include "out.h"
#include "pass.h"
#include "remarks_page.h"
#include "source.h"

#include <string.h>

static const char HEAD[] =
	"<style>\n"
	":root { color-scheme: light dark; --rule: #8884; --dim: #666; --on: #fd84; }\n"
	"@media (prefers-color-scheme: dark) { :root { --dim: #aaa; --on: #a604; } }\n"
	"body { margin: 0; height: 100vh; display: flex; flex-direction: column; "
	"font: 14px/1.4 system-ui, sans-serif; }\n"
	"header { padding: .5em 1em; border-bottom: 1px solid var(--rule); }\n"
	"h1 { font-size: 1.2em; margin: 0; }\n"
	"header p { margin: 0; color: var(--dim); }\n"
	"main { flex: 1; min-height: 0; display: grid; grid-template-columns: 1fr 1fr; }\n"
	"section { overflow: auto; padding-bottom: 4em; }\n"
	"section + section { border-left: 1px solid var(--rule); }\n"
	"pre { margin: 0; font: 13px/1.45 ui-monospace, monospace; tab-size: 8; "
	"width: max-content; min-width: 100%; }\n"
	"pre > a, pre > span { display: inline-block; width: 4em; text-align: right; "
	"color: var(--dim); padding-right: 1em; text-decoration: none; }\n"
	"pre > a { text-decoration: underline dotted; }\n"
	"p.r { margin: 0 1em 0 5em; color: var(--dim); }\n"
	"p.r b { color: CanvasText; font-weight: 600; }\n"
	".on, :target { background: var(--on); }\n"
	"@media (max-width: 60em) { body, main { display: block; height: auto; } }\n"
	"</style>\n";

static const char SCRIPT[] =
	"<script>\n"
	"const lines = [...document.querySelectorAll('[data-line]')];\n"
	"document.querySelector('main').addEventListener('mouseover', event => {\n"
	"\tconst line = event.target.closest('[data-line]')?.dataset.line;\n"
	"\tfor (const one of lines)\n"
	"\t\tone.classList.toggle('on', one.dataset.line === line);\n"
	"});\n"
	"</script>\n";

struct page {
	const struct program *program;
	const struct options *options;
	int file;                                /* of the program */
	int lines;                               /* of it */
	bool *made;                              /* by line: the text has lines of it */
	bool *linked;                            /* by line: its first one has been written */
	const struct remark_lines *remarks;
};

/* ---- text ---- */

/* What HTML takes for markup is written as numbers; controls, and what is no UTF-8, as U+FFFD. */
static void put(const char *text, size_t length)
{
	int32_t c;
	for (int step; length; text += step, length -= (size_t)step) {
		step = decode(text, length, &c);
		if (c == '<' || c == '>' || c == '&' || c == '"')
			printf("&#%d;", (int)c);
		else if ((c < ' ' && c != '\t') || c == 127)
			fputs("\xef\xbf\xbd", stdout);
		else
			fwrite(text, 1, (size_t)step, stdout);
	}
}

static void put_text(const char *text)
{
	put(text, strlen(text));
}

static void put_head(const struct page *p)
{
	const struct options *o = p->options;
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n"
	      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>", stdout);
	put_text(path_base(p->program->path));
	printf(", %s</title>\n%s<header><h1>", o->target->name, HEAD);
	put_text(path_base(p->program->path));
	printf("</h1><p>%s%s%s</p></header>\n<main>\n", o->target->name, o->target->arch ? " " : "",
	       o->target->arch ? o->target->arch : "");
}

/* ---- the program ---- */

/* "step: time: no: why" */
static void put_remark(const char *text)
{
	const size_t name = strcspn(text, ":");
	fputs("<p class=\"r\"><b>", stdout);
	put(text, name);
	fputs("</b>", stdout);
	put_text(text + name);
	fputs("</p>\n", stdout);
}

static void put_source_line(const struct page *p, int number, const char *text, size_t length)
{
	printf("<pre id=\"p%d\" data-line=\"%d\">", number, number);
	if (p->made[number])
		printf("<a href=\"#t%d\">%d</a>", number, number);
	else
		printf("<span>%d</span>", number);
	put(text, length);
	fputs("</pre>\n", stdout);
	for (int i = 0; i < p->remarks->list.n; i++) {
		const struct remark_line *r = &p->remarks->list.at[i];
		if (r->at.file == p->file && r->at.line == number)
			put_remark(r->text);
	}
}

static void put_source(const struct page *p)
{
	size_t length;
	const char *text = source_text(p->file, &length), *end = text + length;
	fputs("<section>\n", stdout);
	for (int number = 1; text < end; number++) {
		const char *feed = memchr(text, '\n', (size_t)(end - text));
		const size_t width = (size_t)((feed ? feed : end) - text);
		put_source_line(p, number, text, width);
		text += width + 1;
	}
	fputs("</section>\n", stdout);
}

/* ---- what it becomes ---- */

static bool is_of_program(const struct page *p, struct loc at)
{
	return at.file == p->file && at.line > 0 && at.line <= p->lines;
}

static void note_line(void *state, struct loc at, const char *line, size_t length)
{
	struct page *p = state;
	if (is_of_program(p, at) && length && line)
		p->made[at.line] = true;
}

static void put_line(void *state, struct loc at, const char *line, size_t length)
{
	struct page *p = state;
	if (!is_of_program(p, at) || !length) {
		fputs("<pre><span></span>", stdout);
	} else {
		fputs("<pre", stdout);
		if (!p->linked[at.line])
			printf(" id=\"t%d\"", at.line);
		printf(" data-line=\"%d\"><a href=\"#p%d\">%d</a>", at.line, at.line, at.line);
		p->linked[at.line] = true;
	}
	put(line, length);
	fputs("</pre>\n", stdout);
}

static const char *text_with_places(const struct page *p, const struct plans *plans)
{
	struct options o = *p->options;
	FILE *out = text_open();
	o.debug = true;
	o.target->print(p->program, plans->at, plans->n, &o, out);
	return text_close(out);
}

/* ---- the page ---- */

static int lines_of(int file)
{
	size_t length;
	const char *text = source_text(file, &length);
	int lines = 1;
	for (size_t i = 0; i < length; i++)
		lines += text[i] == '\n';
	return lines;
}

static struct remark_lines remarks_of(const struct program *program, const struct plans *plans,
                                      const struct options *given)
{
	struct remark_lines lines = { { 0 } };
	struct options o = *given;
	o.remarks = REMARKS_MISSED;
	diag_remarks(&lines);
	remarks_print(program, plans->at, &o);
	diag_remarks(NULL);
	return lines;
}

void remarks_page(const struct program *program, const struct plans *plans, const struct options *o)
{
	const struct remark_lines remarks = remarks_of(program, plans, o);
	struct page p = { .program = program, .options = o, .file = source_number(program->path),
		          .remarks = &remarks };
	const char *text = text_with_places(&p, plans);
	p.lines = lines_of(p.file);
	p.made = mem_new(sizeof(bool) * (size_t)(p.lines + 1));
	p.linked = mem_new(sizeof(bool) * (size_t)(p.lines + 1));
	places_lines(text, note_line, &p);
	put_head(&p);
	put_source(&p);
	fputs("<section>\n", stdout);
	places_lines(text, put_line, &p);
	printf("</section>\n</main>\n%s</html>\n", SCRIPT);
}
