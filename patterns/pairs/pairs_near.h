/* pairs_near.h - pairs within a radius, as they are read: what pairs_sema.c and pairs_grid.c
 * share. */
#ifndef PAIRS_NEAR_H
#define PAIRS_NEAR_H

#include "cutoff.h"
#include "sema_impl.h"

struct coordinate { struct var *array; const struct field *field; };   /* field NULL: of numbers */
struct near {
	struct sema *s;
	struct node *node;
	struct loc at;
	int axes;
	struct coordinate axis[CUTOFF_AXES];
	const struct clause_use *from;       /* the place of a cell; NULL: it is that of its body */
	const struct type *type;             /* of distances: f32 or f64 */
	/* of that type, and as written; of a box: all, or NULL */
	struct expr *radius, *length[CUTOFF_AXES];
	struct ast *written, *written_length[CUTOFF_AXES];
};

/* Calls visit for each fold that is not inside another one; stops at false. */
bool pairs_each_fold(struct node *, bool (*visit)(struct expr *fold, void *state), void *state);
/* pairs_grid.c: the statements that sort the bodies */
void pairs_grid(const struct near *, struct cutoff *);

#endif
