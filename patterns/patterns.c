/* patterns.c - the list of patterns: a new one is its folder and one row here. */
#include "pass.h"

#define PATTERNS(X) \
	X(map) X(gather) X(scatter) X(transpose) X(stencil) X(reduce) X(scan) \
	X(histogram) X(compact) X(sort) X(segsort) X(matmul) X(wavefront) X(pairs) X(solve)

#define X(name) extern const struct pattern pattern_##name;
PATTERNS(X)
#undef X

const struct pattern *const patterns[] = {
#define X(name) &pattern_##name,
	PATTERNS(X)
#undef X
	NULL
};

const struct pattern *const pattern_assign = &pattern_map;
const struct pattern *const pattern_assign_fold = &pattern_reduce;
const struct pattern *const pattern_running = &pattern_scan;
const struct pattern *const pattern_windows = &pattern_stencil;
const struct pattern *const pattern_products = &pattern_matmul;
const struct pattern *const pattern_all_pairs = &pattern_pairs;

/* No words of the language: patterns/pairs, patterns/kth. */
extern const struct pattern pattern_box;
const struct pattern *const pattern_in_box = &pattern_box;
extern const struct pattern pattern_kth;
const struct pattern *const pattern_kth_value = &pattern_kth;
