/* compact.h - which items a compact runs over, and how one is judged and moved (compact_items.c).
 * */
#ifndef COMPACT_H
#define COMPACT_H

#include "lower.h"
#include "selection.h"

/* The domain as a box, whose places in row-major order are the numbers of the items.  Indices that
 * the host cannot bound are looked at one by one: a place of the box may be no cell of the domain.
 * */
struct box {
	struct plan *plan;
	const struct node *node;
	int rank;
	struct kx *lo[MAX_RANK], *size[MAX_RANK], *count;        /* host */
	struct kx *most;                     /* host: a bound of count, over sizes alone */
	bool cut[MAX_RANK];                  /* at the ends of an array that every item reads */
	bool open[MAX_RANK];                 /* some places of the box are outside the range */
	struct affine extent[MAX_RANK];      /* of that array */
};
bool box_find(struct box *, struct plan *, const struct node *);         /* false: reported */

/* Places that the target of an equation has; host: that some target of kept items has. */
const struct affine *items_places(const struct equation *);
struct kx *items_room(struct lowering *host, const struct node *);

/* The same within a kernel. */
struct items {
	struct lowering *l;
	const struct node *node;
	const struct box *box;
	struct kx *lo[MAX_RANK], *size[MAX_RANK], *count;
	bool fitting;                        /* who moves an item: every target has its place */
	/* bool: of the item judged last; rejected NULL: nobody asks */
	struct kvar *kept, *rejected;
};
struct items *items_open(const struct box *, const char *name);  /* a new kernel of the statement */
void items_bind(struct items *, struct kx *place);       /* every index, from a number of the box */
void items_bind_row(struct items *, struct kx *row);                  /* all indices but the last */
void items_bind_last(struct items *, struct kx *index);
/* Is the bound item kept, or rejected?  told: what it reads outside an array is recorded. */
void items_judge(struct items *, bool told);
/* The bound item, which is of that part, goes to place `at` of it (i64): nowhere after the end of
 * a target. */
void items_move(struct items *, enum part, struct kx *at);
/* In texts: judge(told), is_of_part() and move(at), of the bound item and the part at hand. */
void items_bind_calls(struct items *);
/* The value of the bound item at place `at`, which every target has; all values are scalars that
 * can be computed. */
void items_store(struct items *, struct kx *at);
/* In one thread, once: the number of items, and what only all of them together show. */
void items_finish(struct items *, struct kx *kept, struct kx *rejected);
void items_note_outside(struct items *);                  /* in one thread: items outside the box */

void compact_cpu(const struct box *);
void compact_ranges(struct box *);                        /* a GPU, ranges that data decide */
void compact_rows(struct box *);                       /* likewise, where every item is kept */

#endif
