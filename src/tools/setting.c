/* setting.c - NAME=VALUE on a command line, as a case of a test has it: patc run, patc bench. */
#include "setting.h"

#include <ctype.h>
#include <string.h>

bool name_is_valid(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_')
			return false;
	return n > 0 && !isdigit((unsigned char)*s);
}

static bool ends_in(const char *s, const char *end)
{
	size_t n = strlen(s), m = strlen(end);
	return n > m && !strcmp(s + n - m, end);
}

bool value_is_raw(const char *value)
{
	return ends_in(value, ".raw") || !strncmp(value, "raw:", 4);
}

bool value_is_file(const char *value)
{
	return value_is_raw(value) || ends_in(value, ".npy") || !strncmp(value, "npy:", 4);
}

/* Else the parser would complain about what is put after the value. */
static bool is_closed(const char *value)
{
	int depth = 0;
	for (; *value && depth >= 0; value++)
		depth += !!strchr("([", *value) - !!strchr(")]", *value);
	return depth == 0;
}

const char *setting_text(const char *setting)
{
	const char *equals = strchr(setting, '='), *value = equals + 1;
	if (!name_is_valid(setting, (size_t)(equals - setting)))
		fail_usage("'%s' does not begin with a name", setting);
	if (!*value)
		fail_usage("'%s' has no value", setting);
	if (!value_is_file(value) && !is_closed(value))
		fail_usage("'%s' has an unmatched bracket", setting);
	if (value_is_file(value) && strpbrk(value, "\"\n"))
		fail_usage("the file name in '%s' has a quote or a line break in it", setting);
	const char *quote = value_is_file(value) ? "\"" : "";
	return str_print("%.*s%s%s%s", (int)(value - setting), setting, quote, value, quote);
}
