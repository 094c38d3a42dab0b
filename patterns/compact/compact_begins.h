/* compact_begins.h - where the rows of a compact begin: rows start. */
#ifndef COMPACT_BEGINS_H
#define COMPACT_BEGINS_H

#include "sema_impl.h"

/* The statements that count the items of rows, if the statement has them; false: reported. */
bool begins_made(struct sema *, const struct ast_stmt *, struct node *);

#endif
