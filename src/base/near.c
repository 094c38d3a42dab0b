/* near.c - did you mean: which of several names is nearest to a given one. */
#include "base.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_LETTERS = 30 };

static int least_of(int a, int b)
{
	return a < b ? a : b;
}

/* Edits between two words: insert, delete or replace a letter, exchange two neighbours. */
static int distance(const char *a, const char *b)
{
	int d[MOST_LETTERS + 1][MOST_LETTERS + 1], n = (int)strlen(a), m = (int)strlen(b);
	if (n > MOST_LETTERS || m > MOST_LETTERS || abs(n - m) > 2)
		return 99;
	for (int i = 0; i <= n; i++)
		for (int j = 0; j <= m; j++) {
			d[i][j] = i + j;
			if (!i || !j)
				continue;
			d[i][j] = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			d[i][j] = least_of(d[i][j], least_of(d[i - 1][j], d[i][j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = least_of(d[i][j], d[i - 2][j - 2] + 1);
		}
	return d[n][m];
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

/* Few letters say little: two edits make another word of `asum`, and hardly one of `precision`. */
bool near_is_certain(const struct like *like)
{
	const size_t letters = strlen(like->of);
	return like->name && like->is_alone && letters >= (like->least > 1 ? 8 : 4);
}
