/* kircopy.h - copies of statements, with variables of their own. */
#ifndef KIRCOPY_H
#define KIRCOPY_H

#include "kir.h"

struct kir_copy {
	struct kernel *to;                   /* at the end of its open body */
	struct map var;                      /* the variable of the copy, by that which is copied */
	/* the variable in the place of one that is declared outside of what is copied */
	struct kvar *(*outer)(struct kir_copy *, struct kvar *);
	void (*command)(struct kir_copy *, const struct ks *);     /* a launch or a clear */
	/* or NULL: add to the beginning and the end of the body of a for */
	void (*begin)(struct kir_copy *, const struct ks *loop),
		(*end)(struct kir_copy *, const struct ks *loop);
	void *state;
};
void kir_copy_list(struct kir_copy *, const struct ks_list *);
struct kx *kir_copy_x(struct kir_copy *, struct kx *);

#endif
