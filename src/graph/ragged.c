/* ragged.c - queries about data-dependent ranges: ragged.h. */
#include "ragged.h"

static bool no_data(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_READ;
}

bool has_data(const struct expr *e)
{
	return !expr_walk((struct expr *)e, no_data, NULL);
}

const struct cut *fold_cut(const struct fold *fold, int index)
{
	return fold->cut && fold->cut[index].data ? &fold->cut[index] : NULL;
}
