/* near.c - did you mean: which of several names is nearest to a given one. */
#include "base.h"

#include <stdlib.h>
#include <string.h>

/* Edits between two words, at most limit: insert, delete, replace. */
static int distance(const char *a, const char *b)
{
	int row[32], n = (int)strlen(a), m = (int)strlen(b);
	if (n > 30 || m > 30 || abs(n - m) > 2)
		return 99;
	for (int j = 0; j <= m; j++)
		row[j] = j;
	for (int i = 1; i <= n; i++) {
		int corner = row[0];
		row[0] = i;
		for (int j = 1; j <= m; j++) {
			int best = corner + (a[i - 1] != b[j - 1]);
			best = best < row[j] + 1 ? best : row[j] + 1;
			best = best < row[j - 1] + 1 ? best : row[j - 1] + 1;
			corner = row[j];
			row[j] = best;
		}
	}
	return row[m];
}

struct like near_begin(const char *name)
{
	return (struct like){ .of = name, .least = 3 };
}

void near_add(struct like *like, const char *other)
{
	int d = distance(like->of, other);
	if (!d || 2 * d > (int)strlen(like->of) || d > like->least)
		return;
	like->is_alone = d < like->least;
	like->least = d;
	like->name = like->is_alone ? other : like->name;
}

/* Few letters say little. */
bool near_is_certain(const struct like *like)
{
	return like->name && like->is_alone && strlen(like->of) >= 4;
}
