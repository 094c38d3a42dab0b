/* wave_sema.h - what the reading of wavefronts shares: wave_sema.c, wave_ranges.c, wave_algebra.c.
 * */
#ifndef WAVE_SEMA_H
#define WAVE_SEMA_H

#include "sema_impl.h"
#include "wavefront.h"

/* wave_sema.c: the cell that equation q computes */
const struct expr *wave_target(const struct node *, int q);

/* wave_ranges.c: before the proof of bounds, and after it */
void ranges_cut(struct node *);
bool ranges_proved(struct node *);

/* wave_places.c: before the proof of bounds */
bool places_tested(struct node *);

/* wave_algebra.c: wavefront.h, Note [forms] */
void wave_forms(struct sema *, struct node *);

#endif
