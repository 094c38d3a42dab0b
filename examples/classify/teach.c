/* teach.c - see teach.h. */
#include <math.h>

#include "teach.h"

/* ---- the weights of the two layers ---- */

/* Channel 0 is the light; channel 1 + k, how much it grows in the direction of k times 45 degrees
 * (Sobel); 9, 10 and 11, how much more there is of red, green or blue than of the others. */
static void first_make(struct layers *l)
{
	static const float light[3] = { 0.299f, 0.587f, 0.114f };
	for (int c = 0; c < 3; c++)
		l->first[0][4][c] = light[c];
	for (int k = 0; k < 8; k++) {
		double along = cos(k * M_PI / 4), down = sin(k * M_PI / 4);
		for (int r = -1; r <= 1; r++)
			for (int s = -1; s <= 1; s++) {
				double sobel = along * s * (2 - abs(r)) + down * r * (2 - abs(s));
				float *at = l->first[1 + k][3 * r + s + 4];
				for (int c = 0; c < 3; c++)
					at[c] = light[c] * (float)sobel / 4;
			}
		l->first_bias[1 + k] = -0.02f;          /* noise is no edge */
	}
	for (int k = 0; k < 3; k++)
		for (int c = 0; c < 3; c++)
			l->first[9 + k][4][c] = c == k ? 1 : -0.5f;
}

/* Channel `to` of the second layer sums up a channel of the first over the window. */
static void sums(struct layers *l, int to, int of, float factor)
{
	for (int at = 0; at < 9; at++)
		l->second[to][at][of] += factor / 9;
}

/* Channels 0 to 3: slopes along 0, 45, 90 and 135 degrees, up or down; 4 to 7: those within 22.5
 * degrees of these; 8: nothing is steep; 9: light; 10: dark; 11 to 13: red, green, blue; 14: any
 * colour; 15: 1, for a bias of the last layer. */
static void second_make(struct layers *l)
{
	for (int k = 0; k < 4; k++) {
		int across = (k + 2) % 4;
		for (int back = 0; back <= 4; back += 4) {
			sums(l, k, 1 + k + back, 8);
			sums(l, 4 + k, 1 + k + back, 8);
			sums(l, 4 + k, 1 + across + back, -8 * 2.4f);   /* cot 22.5 degrees */
			sums(l, 8, 1 + k + back, -10);
		}
	}
	sums(l, 9, 0, 3);
	sums(l, 10, 0, -3);
	for (int k = 0; k < 3; k++) {
		sums(l, 11 + k, 9 + k, 4);
		sums(l, 14, 9 + k, 8);
	}
	l->second_bias[8] = l->second_bias[10] = l->second_bias[15] = 1;
	l->second_bias[14] = -1;
}

struct layers layers_make(void)
{
	struct layers l = { 0 };
	first_make(&l);
	second_make(&l);
	return l;
}

/* ---- tiles to learn from ---- */

static double chance(uint64_t *state, double low, double high)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return low + (high - low) * (double)(*state >> 32) * 0x1p-32;
}

/* A grey of this light, with a little of a colour. */
static void tint(uint64_t *state, double light, double *rgb)
{
	for (int c = 0; c < 3; c++)
		rgb[c] = light + chance(state, -0.05, 0.05);
}

/* Whether the tile has its second colour there: y and x are from -8 to 8. */
static bool second_colour(int32_t class, double y, double x, double turn, double shift, double size)
{
	double along = cos(turn) * x + sin(turn) * y, across = cos(turn) * y - sin(turn) * x;
	if (class == 6)
		return ((int)floor(along / size) + (int)floor(across / size)) % 2 != 0;
	return class >= 3 && along > shift;
}

/* A tile of the class: plain, two halves, or checks, and shade and noise. */
static void tile_draw(uint64_t *state, int32_t class, uint8_t *rgb)
{
	static const double middle[CLASSES] = { 0, 0, 0, M_PI / 2, 0, M_PI / 4, 0 };
	double low = class == 0 ? 0.5 : 0, high = class == 1 ? 0.3 : class == 0 ? 0.95 : 1;
	double light = chance(state, low, high), other = 0.08 * pow(7, chance(state, 0, 1));
	double colour[2][3], level;
	double turn = middle[class] + chance(state, -0.28, 0.28), noise = chance(state, 0, 0.02);
	other = light > 0.5 ? light - other : light + other;
	tint(state, light, colour[0]);
	tint(state, other, colour[1]);
	if (class == 2) {
		int c = (int)chance(state, 0, 3), both = chance(state, 0, 1) > 0.7;
		colour[0][c] = chance(state, 0.5, 0.9);
		colour[0][(c + 1) % 3] = both ? colour[0][c] : chance(state, 0, 0.3);
		colour[0][(c + 2) % 3] = chance(state, 0, 0.3);
	}
	if (class == 5 && chance(state, 0, 1) > 0.5)
		turn += M_PI / 2;
	if (class == 6)
		turn = chance(state, 0, M_PI);
	double shift = chance(state, -5, 5), size = chance(state, 2.5, 6);
	double shade = chance(state, -0.006, 0.006);
	for (int i = 0; i < TILE; i++)
		for (int j = 0; j < TILE; j++)
			for (int c = 0; c < 3; c++) {
				int k = second_colour(class, i - 7.5, j - 7.5, turn, shift, size);
				level = colour[k][c] + shade * (j - 7.5);
				level = 255 * (level + chance(state, -noise, noise)) + 0.5;
				*rgb++ = (uint8_t)(level < 0 ? 0 : level > 255 ? 255 : level);
			}
}

void tiles_draw(uint64_t seed, uint8_t *rgb, int32_t *known)
{
	for (int t = 0; t < LESSONS; t++) {
		known[t] = (int32_t)chance(&seed, 0, CLASSES);
		tile_draw(&seed, known[t], rgb + t * TILE * TILE * 3);
	}
}
