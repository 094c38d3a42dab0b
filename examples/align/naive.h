/* naive.h - the score of the best alignment by the plainest loops: what the kernels are compared
 * with. */
#include "fasta.h"

struct scores { int8_t of[24][24]; };

struct scores blosum62(void);
/* A gap of k letters costs open + k * extend. */
int naive_score(const struct protein *, const struct protein *, const struct scores *, int open,
		int extend);
