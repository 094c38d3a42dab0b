/* state_words.h - totals as blocks publish them for others while all of them run: state_words.c. */
#ifndef STATE_WORDS_H
#define STATE_WORDS_H

#include "lower.h"

enum { STATE_WORDS = 64 };          /* more than folds_fit lets the accumulators of a thread have */

/* How many words of 64 bits they take: 32 bits of a value each, above them what is known of it. */
int state_words(const struct accumulators *);
/* Each word to its place (pointers), with known (u32, not 0). */
void state_store(struct lowering *, struct kx *const *place, const struct accumulators *,
                 struct kx *known);
/* Values one after another, from a place on, where `is` (bool) holds: by pairs of words if that is
 * a multiple of 16 bytes; without a branch. */
struct values { LIST(struct kx *) at; };
void state_store_if(struct lowering *, struct kx *place, bool pairs, const struct values *,
                    struct kx *known, struct kx *is);
void state_leaves(struct values *, struct kx *value);    /* its scalars, outermost first */
/* A value as words of 32 bits, which are added to the list; a variable from its words (u32, or the
 * lower halves of u64), and how many it took. */
void state_cut(struct lowering *, struct values *word, struct kx *value);
int state_join(struct lowering *, struct kx *to, struct kx *const *word);
struct kx *state_bits(struct kx *scalar);              /* as an unsigned integer of 32 or 64 bits */
struct kx *state_of_bits(const struct type *, struct kx *bits);
struct kx *state_load(struct kx *place);
struct kx *state_known(struct kx *word);                 /* u32; 0: nothing */
/* The values of words (u64) that have come. */
void state_take(struct lowering *, struct kx *const *word, const struct accumulators *to);

#endif
