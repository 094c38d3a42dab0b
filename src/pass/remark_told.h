/* remark_told.h - shared by the files that write remarks, of statements and of kernels. */
#ifndef REMARK_TOLD_H
#define REMARK_TOLD_H

#include "graph.h"
#include "plan.h"

struct statement { const struct node *node; int loops; };        /* around it */
struct statements { LIST(struct statement) at; };
struct statements statements_of(const struct entry *);   /* as they stand in the file */
/* the statement whose kernel computes it: itself, or what it was fused into */
const struct node *anchor_of(const struct node *);
void json_pair(FILE *, const char *key, const char *value);      /* NULL: null */

/* remark_kernel.c: of the kernels of a GPU, a line each; of a program as a field of its object */
void text_kernels(const struct plan *, const struct statements *);
void json_place(struct loc, int main, FILE *);   /* "line", "column", perhaps "file" */
void json_kernels(struct plan *const *, int plans, FILE *);

#endif
