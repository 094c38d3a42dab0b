/* kth.h - what the files of kth share: kth.c. */
#ifndef KTH_H
#define KTH_H

#include "graph.h"

struct kx;

extern const struct front kth_front;                             /* kth_sema.c */
void kth_eval(struct eval *, const struct node *);
void kth_shape(const struct node *, const struct target *, struct shape *);
void kth_lower(struct plan *, const struct group *);
/* place: i64 of the host, which each sequence has */
void kth_gpu(struct plan *, const struct group *, struct kx *place),
	kth_cpu(struct plan *, const struct group *, struct kx *place);

#endif
