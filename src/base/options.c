/* options.c - answers questions of the stages about the options of the command. */
#include "options.h"

#include <assert.h>
#include <string.h>

static bool is_pass(const char *name)
{
	static const char *const names[] = {
#define PASS(id, name, help) name,
#include "pass.def"
#undef PASS
	};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

bool options_dump(const struct options *o, const char *stage)
{
	for (const char *s = o->dump; s; s = strchr(s, ',') ? strchr(s, ',') + 1 : NULL)
		if (strcspn(s, ",") == strlen(stage) && !strncmp(s, stage, strlen(stage)))
			return true;
	return false;
}

bool pass_enabled(const struct options *o, const char *name)
{
	assert(is_pass(name) && "a pass that --no-pass does not know");
	for (int i = 0; i < o->no_pass.n; i++)
		if (!strcmp(o->no_pass.at[i], name))
			return false;
	return true;
}
