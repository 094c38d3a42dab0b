/* remark_told.h - shared by the files that write remarks, of statements and of kernels. */
#ifndef REMARK_TOLD_H
#define REMARK_TOLD_H

#include "graph.h"
#include "plan.h"
#include "work.h"

struct statement { const struct node *node; int loops; };        /* around it */
struct statements { LIST(struct statement) at; };
struct statements statements_of(const struct entry *);   /* as they stand in the file */
/* the statement whose kernel computes it: itself, or what it was fused into */
const struct node *anchor_of(const struct node *);
void json_pair(FILE *, const char *key, const char *value);      /* NULL: null */

/* remark_kernel.c: of the kernels of a GPU, a line each, and one of what a statement is expected to
 * reach; of a program as a field of its object */
void text_kernels(const struct plan *, const struct statements *, const struct machine *);
/* the field `expected` of a statement, after a comma */
void json_expected(const struct plan *, const struct node *, const struct machine *, FILE *);
void json_place(struct loc, int main, FILE *);   /* "line", "column", perhaps "file" */
void json_kernels(struct plan *const *, int plans, FILE *);

#endif
