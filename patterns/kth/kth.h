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
/* Does the host know the place?  Else the device computes it: of each sequence, where that says
 * which place it is. */
bool kth_on_host(const struct node *), kth_varies(const struct node *);
/* May a sequence lack the place?  The host does not know how many cells count, or the place. */
bool kth_may_lack(const struct node *);
/* In a kernel: does the bound cell count? */
struct kx *kth_taken(struct lowering *, const struct node *);
/* i64: the place as written, host or kernel */
struct kx *kth_given(struct lowering *, const struct node *);
/* Binds `place` in a kernel: that of the host, or what the device computes, which becomes the one
 * after all cells if it is nowhere.  The first is called as the kernel opens, the second where the
 * indices of a sequence are bound; the one that knows the place binds it. */
void kth_bind_place(struct lowering *, const struct node *, struct kx *host),
	kth_bind_own_place(struct lowering *, const struct node *);
/* place: i64 of the host, or NULL */
void kth_gpu(struct plan *, const struct group *, struct kx *place),
	kth_cpu(struct plan *, const struct group *, struct kx *place);

#endif
