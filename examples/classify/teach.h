/* teach.h - the weights of the network's two layers of windows, and tiles to learn the last layer's
 * from. */
#ifndef TEACH_H
#define TEACH_H

#include "common.h"

/* FIRST, SECOND: channels of the two layers; LESSONS: tiles to learn from */
enum { TILE = 16, FIRST = 12, SECOND = 16, CLASSES = 7, LESSONS = 1024 };

struct layers {
	float first[FIRST][9][3], first_bias[FIRST], second[SECOND][9][FIRST], second_bias[SECOND];
};

struct layers layers_make(void);

/* LESSONS pictures of a tile each, drawn by chance, and the class of each; another seed gives
 * others. */
void tiles_draw(uint64_t seed, uint8_t *rgb, int32_t *known);

#endif
