/* gen.c - patc-gen: turns programs into comparisons of generated code with the reference
 * (src/compare.c).
 *
 *   patc-gen [--target=T] [--arch=A] [--seed=N] [--shapes=N] [--cells=N] [--along=N]
 *            [--no-pass=NAME] [--large=N] [--check] [--no-data] OUTDIR foo.pat...
 *
 * OUTDIR gets foo.{cu,hip,c}, foo.h, foo.dat, foo_check.c, check.h and cells.h for every file; --no-data:
 * not foo.dat, which takes the longest and is the same for all targets.  --along=N: what runs does
 * so once over N cells.  --large=N: every kernel runs on a shape whose first array has N cells or
 * more, and on one where any array does. */
#include <stdlib.h>
#include <string.h>

#include "compare.h"

static const char *stem_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *stem = str_print("%s", slash ? slash + 1 : path);
	char *dot = strrchr(stem, '.');
	if (dot && dot != stem)
		*dot = 0;
	return stem;
}

static bool generate(const char *path, const char *dir, const struct options *o,
	const struct comparison *c)
{
	struct ast_file *tree = parse_file(path, o);
	struct program *p = diag_errors() ? NULL : sema_check(tree, path, o);
	return p && !diag_errors() && compare_write(p, o, c, dir, stem_of(path));
}

/* The value of --NAME=VALUE, or NULL. */
static const char *option(const char *word, const char *name)
{
	size_t n = strlen(name);
	return !strncmp(word, name, n) && word[n] == '=' ? word + n + 1 : NULL;
}

static void option_take(const char *word, struct options *o, struct comparison *c)
{
	const char *v;
	if ((v = option(word, "--target")))
		o->target = target_find(v);
	else if ((v = option(word, "--arch")))
		o->arch = v;
	else if ((v = option(word, "--seed")))
		c->seed = strtoull(v, NULL, 10);
	else if ((v = option(word, "--shapes")))
		c->shapes = atoi(v) < 0 || atoi(v) > SHAPES_MOST ? SHAPES_MOST : atoi(v);
	else if ((v = option(word, "--cells")))
		c->cells = atoi(v) > 0 ? atoi(v) : c->cells;
	else if ((v = option(word, "--along")))
		c->along = atoi(v) > 0 ? atoi(v) : 0;
	else if ((v = option(word, "--large")))
		c->large = atoi(v) > 0 ? atoi(v) : 0;
	else if (!strcmp(word, "--check"))
		o->check_accesses = true;
	else if (!strcmp(word, "--no-data"))
		c->no_data = true;
	else if ((v = option(word, "--no-pass")))
		list_add(&o->no_pass, v);
	else
		fail_usage("patc-gen: no option %s", word);
}

int main(int argc, char **argv)
{
	struct options o = { .color = 0 };
	struct comparison c = { .shapes = 12, .cells = 60000, .seed = 1, .leaves_out = true };
	const char *dir = NULL;
	int first = 1;
	o.target = target_find("cpu");
	for (; first < argc && argv[first][0] == '-'; first++)
		option_take(argv[first], &o, &c);
	if (argc - first < 2)
		fail_usage(
			"patc-gen [--target=T] [--arch=A] [--seed=N] [--shapes=N] [--cells=N] "
			"[--along=N] [--large=N] [--no-pass=NAME] [--check] [--no-data] OUTDIR foo.pat...");
	if (o.target && o.arch)
		o.target = target_arch(o.target, o.arch);
	if (!o.target)
		fail_usage("patc-gen: no such target or architecture");
	dir = argv[first++];
	bool fine = true;
	for (; first < argc; first++)
		fine &= generate(argv[first], dir, &o, &c);
	return fine ? 0 : 1;
}
