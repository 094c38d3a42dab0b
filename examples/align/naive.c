/* naive.c - see naive.h.  As Smith and Waterman wrote it, before Gotoh: every length of a gap is
 * tried in every cell. */
#include "common.h"
#include "naive.h"

/* The lower half of the matrix, as it is printed in books. */
static const char book[] =
	"4 -1 5 -2 0 6 -2 -2 1 6 0 -3 -3 -3 9 -1 1 0 0 -3 5 -1 0 0 2 -4 2 5 0 -2 0 -1 -3 -2 -2 6 -2 0 1 -1 -3 0 0 -2 8 "
	"-1 -3 -3 -3 -1 -3 -3 -4 -3 4 -1 -2 -3 -4 -1 -2 -3 -4 -3 2 4 -1 2 0 -1 -3 1 1 -2 -1 -3 -2 5 "
	"-1 -1 -2 -3 -1 0 -2 -3 -2 1 2 -1 5 -2 -3 -3 -3 -2 -3 -3 -3 -1 0 0 -3 0 6 -1 -2 -2 -1 -3 -1 -1 -2 -2 -3 -3 -1 -2 -4 7 "
	"1 -1 1 0 -1 0 0 0 -1 -2 -2 0 -1 -2 -1 4 0 -1 0 -1 -1 -1 -1 -2 -2 -1 -1 -1 -1 -2 -1 1 5 "
	"-3 -3 -4 -4 -2 -2 -3 -2 -2 -3 -2 -3 -1 1 -4 -3 -2 11 -2 -2 -2 -3 -2 -1 -2 -3 2 -1 -1 -2 -1 3 -3 -2 -2 2 7 "
	"0 -3 -3 -3 -1 -2 -2 -3 -3 3 1 -2 1 -1 -2 -2 0 -3 -1 4 "
	"-2 -1 3 4 -3 0 1 -1 0 -3 -4 0 -3 -3 -2 0 -1 -4 -3 -3 4 -1 0 0 1 -3 3 4 -2 0 -3 -3 1 -1 -3 -1 0 -1 -3 -2 -2 1 4 "
	"0 -1 -1 -1 -2 -1 -1 -1 -1 -1 -1 -1 -1 -1 -2 0 0 -2 -1 -1 -1 -1 -1 "
	"-4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 -4 1";

struct scores blosum62(void)
{
	struct scores s;
	const char *at = book;
	for (int a = 0; a < 24; a++)
		for (int b = 0; b <= a; b++) {
			char *end;
			s.of[a][b] = s.of[b][a] = (int8_t)strtol(at, &end, 10);
			at = end;
		}
	return s;
}

int naive_score(const struct protein *q, const struct protein *d, const struct scores *s, int open,
		int extend)
{
	int64_t m = q->length, n = d->length;
	int *h = host_new((size_t)((m + 1) * (n + 1)) * sizeof *h), best = 0;
	#define H(i, j) h[(i) * (n + 1) + (j)]
	for (int64_t i = 0; i <= m; i++)
		for (int64_t j = 0; j <= n; j++) {
			int most =
				i && j ? H(i - 1, j - 1) + s->of[q->letter[i - 1]][d->letter[j - 1]]
				       : 0;
			for (int k = 1; i && j && k <= i; k++)
				most = H(i - k, j) - open - k * extend > most
					       ? H(i - k, j) - open - k * extend
					       : most;
			for (int k = 1; i && j && k <= j; k++)
				most = H(i, j - k) - open - k * extend > most
					       ? H(i, j - k) - open - k * extend
					       : most;
			H(i, j) = most > 0 ? most : 0;
			best = H(i, j) > best ? H(i, j) : best;
		}
	#undef H
	free(h);
	return best;
}
