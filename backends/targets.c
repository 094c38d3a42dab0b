/* targets.c - the list of targets.  A new one is a file like cuda.c and a line here. */
#include "lower.h"

#include <string.h>

extern const struct target target_cuda[], target_hip[], target_cpu[];

const struct target *const targets[] = {target_cuda, target_hip, target_cpu, NULL};

const struct target *target_find(const char *name)
{
	for (int i = 0; targets[i]; i++)
		if (strcmp(targets[i]->name, name) == 0)
			return targets[i];
	return NULL;
}

const struct target *target_arch(const struct target *table, const char *arch)
{
	for (const struct target *t = table; t->name; t++)
		if (strcmp(t->arch, arch) == 0)
			return t;
	return NULL;
}

const char *target_archs(const struct target *table)
{
	const char *list = "";
	for (const struct target *t = table; t->name; t++)
		list = str_print("%s%s%s", list, *list ? ", " : "", t->arch);
	return list;
}
