/* kth.h - what the files of kth share: kth.c. */
#ifndef KTH_H
#define KTH_H

#include "graph.h"

struct kx;
struct lowering;

extern const struct front kth_front;                             /* kth_sema.c */
void kth_eval(struct eval *, const struct node *);
void kth_shape(const struct node *, const struct target *, struct shape *);
void kth_lower(struct plan *, const struct group *);
/* May a sequence lack the place?  The host does not know how many cells count, or the place. */
bool kth_may_lack(const struct node *);
/* In a kernel: does the bound cell count? */
struct kx *kth_taken(struct lowering *, const struct node *);
/* In a kernel: the place, from that of the host, or of the device: one that is nowhere becomes the
 * one after all cells. */
struct kx *kth_place(struct lowering *, const struct node *, struct kx *host);
/* place: i64 of the host, which each sequence has, or NULL: the device computes it */
void kth_gpu(struct plan *, const struct group *, struct kx *place),
	kth_cpu(struct plan *, const struct group *, struct kx *place);

#endif
