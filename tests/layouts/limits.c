/* limits.c - sizes that sorts on GPUs refuse: numbers of cells and of sequences have 32 bits
 * there.  Whoever asks for the workspace is told so, and a call says it before it looks at a
 * pointer; a CPU has no such limit.  Domains of more cells than 2^62 are refused everywhere, whose
 * numbers would wrap around. */
#include <stdint.h>
#include <stdio.h>
#include "limits.h"

enum { SHAPE = 2, NO_POINTER = 3 };
static const int64_t most = UINT32_MAX;

static int differs(const char *what, int got, int want, size_t workspace)
{
	int wrong = got != want || (workspace == SIZE_MAX) != (want == SHAPE);
	if (wrong)
		printf("%s: status %d, expected %d, workspace %zu\n", what, got, want, workspace);
	return wrong;
}

#define CALL(want, name, pointers, ...)                                                            \
	differs(#name " " #__VA_ARGS__, name(__VA_ARGS__, pointers, NULL, 0, NULL), want,          \
	        name##_workspace(__VA_ARGS__))
#define TWO NULL, NULL
#define THREE NULL, NULL, NULL

/* Any argument says that this is a GPU. */
int main(int n, char **arg)
{
	int over = n > 1 ? SHAPE : NO_POINTER;
	(void)arg;
	int wrong = CALL(NO_POINTER, array, NULL, most) + CALL(over, array, NULL, most + 1);
	wrong += CALL(NO_POINTER, offsets, TWO, most, 9) + CALL(over, offsets, TWO, most + 1, 9);
	wrong += CALL(NO_POINTER, offsets, TWO, 9, most) + CALL(over, offsets, TWO, 9, most + 1);
	wrong += CALL(NO_POINTER, rows, TWO, most + 1, 9) + CALL(over, rows, TWO, 9, most + 1);
	wrong += CALL(NO_POINTER, cut_rows, TWO, 1 << 16, 9, 1 << 15)
	         + CALL(over, cut_rows, TWO, 1 << 16, 9, 1 << 16);
	wrong += CALL(NO_POINTER, eights, NULL, most + 1);
	wrong += differs("lengths", lengths(most + 1, NULL, 8, NULL, 0, NULL), over,
	                 lengths_workspace(most + 1));
	wrong += differs("fixed", fixed(NULL, NULL, 0, NULL), over, fixed_workspace());
	wrong += differs("twice", twice(most / 2, NULL, NULL, 1, NULL, 0, NULL), NO_POINTER,
	                 twice_workspace(most / 2));
	wrong += differs("twice", twice(most, NULL, NULL, 1, NULL, 0, NULL), over,
	                 twice_workspace(most));
	wrong += differs("wide", wide(NULL, NULL, 0, NULL), NO_POINTER, wide_workspace());
	const int64_t half = INT64_C(1) << 31, large = INT64_C(1) << 33;
	wrong += CALL(NO_POINTER, pairs, THREE, half, half)
	         + CALL(SHAPE, pairs, THREE, half, half + 1)
	         + CALL(SHAPE, pairs, THREE, large, large);
	wrong += CALL(NO_POINTER, pairs, THREE, 0, large)
	         + CALL(SHAPE, inner, THREE, large, large, 1);
	wrong += CALL(NO_POINTER, spread, THREE, half, half, 9)
	         + CALL(SHAPE, spread, THREE, large, large, 9);
	wrong += CALL(NO_POINTER, covered, TWO, half, half)
	         + CALL(SHAPE, covered, TWO, half, half + 1);
	wrong += CALL(NO_POINTER, tiles, NULL, 1, 1, 1)
	         + CALL(SHAPE, tiles, NULL, 32, 1, INT64_C(1) << 48);
	return wrong > 0;
}
