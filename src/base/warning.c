/* warning.c - which warnings are shown, which are errors, which are silent: the options -W.
 *
 * Options are taken in their order, so a later one beats an earlier one: -Wno-all -Wunused shows
 * what is unused and nothing else.  -Werror makes errors of all warnings that are shown;
 * -Werror=NAME shows that one, too, and -Wno-error=NAME takes it out of -Werror. */
#include "base.h"

#include <string.h>

static struct row {
	enum diag code;
	const char *name;
	bool on;
	enum { AS_ALL, ALWAYS, NEVER } error;
} rows[] = {
#define WARNING(NAME, option, on) { D_##NAME, option, on, AS_ALL },
#include "warning.def"
#undef WARNING
};
enum { ROWS = sizeof rows / sizeof *rows };
static bool all_errors;                  /* -Werror */

static struct row *row_of(enum diag code)
{
	for (int i = 0; i < ROWS; i++)
		if (rows[i].code == code)
			return &rows[i];
	return NULL;
}

enum severity warning_severity(enum diag code)
{
	const struct row *row = row_of(code);
	if (!row)
		return ERROR;
	if (!row->on)
		return SILENT;
	return row->error == ALWAYS || (row->error == AS_ALL && all_errors) ? ERROR : WARNING;
}

const char *warning_name(enum diag code)
{
	const struct row *row = row_of(code);
	return row ? row->name : NULL;
}

enum diag warning_code(const char *name)
{
	for (int i = 0; i < ROWS; i++)
		if (!strcmp(rows[i].name, name))
			return rows[i].code;
	return D_NONE;
}

/* ---- the options ---- */

static _Noreturn void unknown(const char *option, const char *name)
{
	struct like like = near_begin(name);
	const char *all = "";
	near_add(&like, "all");
	near_add(&like, "error");
	for (int i = 0; i < ROWS; i++) {
		near_add(&like, rows[i].name);
		all = str_print("%s, %s", all, rows[i].name);
	}
	if (like.name)
		fail_usage("-W%s: there is no warning '%s'; did you mean '%s'?", option, name,
		           like.name);
	fail_usage("-W%s: there is no warning '%s'; there are: all%s", option, name, all);
}

/* What follows the prefix, which is then cut off; else the text as it is. */
static bool begins(const char **text, const char *prefix)
{
	const size_t length = strlen(prefix);
	bool found = !strncmp(*text, prefix, length);
	*text += found ? length : 0;
	return found;
}

static void set_error(struct row *row, bool no)
{
	row->error = no ? NEVER : ALWAYS;
	row->on |= !no;
}

void warning_option(const char *value)
{
	const char *name = value;
	const bool no = begins(&name, "no-");
	if (!strcmp(name, "error")) {
		all_errors = !no;
		return;
	}
	const bool error = begins(&name, "error="), all = !error && !strcmp(name, "all");
	if (!all && !warning_code(name))
		unknown(value, name);
	for (int i = 0; i < ROWS; i++)
		if (all || !strcmp(rows[i].name, name)) {
			if (error)
				set_error(&rows[i], no);
			else
				rows[i].on = !no;
		}
}
