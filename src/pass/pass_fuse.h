/* pass_fuse.h - shared by the files of the pass that makes kernels of several statements. */
#ifndef PASS_FUSE_H
#define PASS_FUSE_H

#include "pass.h"

enum {
	FUSE_LARGE = 200,                /* operations of a statement that grows no further */
	/* statements before and after one in which remarks look for its arrays */
	FUSE_NEAR = 16
};

struct users { LIST(struct node *) at; };            /* statements that use a variable, and loops */
struct body {                            /* of an entry or a repeat */
	struct entry *entry;
	struct node **at; int *n;
	struct map *unsaid;                  /* node -> why it was not put into its reader */
	const struct options *options;
};

/* Nothing is in its way, or only what pays and the pin overrules that. */
bool fuse_wanted(const struct node *, const char *why, const char *pays);
/* Likewise; else it is told: a remark, or the error that the pin cannot hold.  bytes: what memory
 * would not move for a cell, 0: there is nothing to be saved. */
bool fuse_allowed(struct node *, const char *why, const char *pays, double bytes);
/* The node has no kernel of its own any more: nothing that its label pins can hold. */
void fuse_join(struct node *, struct node *into);
/* pass_fuse_into.c: why the statement at i cannot be computed where b->at[*r] reads it; *pays: why
 * it should not. */
const char *fuse_no_put(struct map *users, const struct body *, int i, int *r, const char **pays);
/* why equation eq of it gives no temporary whose cells can be computed elsewhere, or NULL */
const char *fuse_no_producer(const struct node *, const struct equation *eq);
/* Does the reader change what m reads, or what it fills? */
bool fuse_writes_inputs(const struct node *reader, const struct node *m);
void fuse_put(struct node *reader, const struct node *);
bool fuse_reads_own(const struct node *, const struct node *reader);
void fuse_drop(const struct body *, int i);              /* statement i leaves the body */
void fuse_forget(struct map *users, struct node *);      /* it uses no variable any more */
void fuse_note(struct map *users, struct node *);                /* it uses what it names */
/* pass_fuse_into.c: two reads of one array, of the same cell; arithmetic in it, functions more */
bool fuse_same_cell(const struct expr *, const struct expr *);
int fuse_operations(struct expr *);
/* pass_fuse_beside.c: statements over the same cells become one; stored: also where the later one
 * uses what the earlier one stores; before that, folds stay apart. */
bool fuse_beside(struct map *users, const struct body *, bool stored);
void fuse_ranges(struct map *users, const struct body *);           /* pass_fuse_ranges.c */
void fuse_chains(struct map *users, const struct body *);           /* pass_fuse_chain.c */
void fuse_rows(struct map *users, const struct body *);  /* pass_fuse_rows.c */
/* can statement i be folded after the cells before it; of a product? */
bool folds_behind(const struct body *, int i), folds_product(const struct body *, int i);
/* pass_fuse_behind.c: those of statement i, or it is told why not */
void fold_behind(const struct body *, int i);

#endif
