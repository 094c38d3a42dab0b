/* tune_try.c - what patc tune tries: the values of each pin.
 *
 * The list of a pin need not fit the statement: the compiler refuses what does not, and of values
 * that lead to one text only the first is measured.  So it has all values that a kernel of some
 * pattern may be fastest with. */
#include "tune.h"

#include <assert.h>
#include <string.h>

/* What decides the form of a kernel comes first, what fits it to the machine after that. */
const enum pin tried_order[] = {
	PIN_FUSE,  PIN_BIN,  PIN_GATHER, PIN_SEPARATE,  PIN_REGULARISE, PIN_LAYOUT, PIN_SWEEP,
	PIN_WALK,  PIN_STAGE, PIN_SYMMETRIC, PIN_TILE, PIN_TIME,   PIN_PRIVATISE, PIN_PACK,
	PIN_VECTOR, PIN_COARSEN, PIN_BLOCK, PIN_COUNT
};

/* The values of a pin, with semicolons between them; words of a table and tiles are added below. */
static const char *values_of(enum pin pin)
{
	switch (pin) {
	case PIN_FUSE: return "fuse;no fuse";
	case PIN_BIN:
		return "no bin;bin 1;bin 2;bin 4;bin 8;bin 16;bin 4 cap 64;bin 8 cap 32;"
		       "bin 8 cap 128";
	case PIN_GATHER: return "gather;no gather";
	case PIN_SEPARATE: return "separate;no separate";
	case PIN_SYMMETRIC: return "symmetric;no symmetric";
	case PIN_REGULARISE: return "regularise;no regularise";
	case PIN_LAYOUT:
		return "layout row;layout col;layout tiled(8, 8);layout aos;layout soa;"
		       "layout aosoa(8);layout aosoa(32)";
	case PIN_TIME:
		return "no time;time 2;time 3;time 4;time 5;time 6;time 7;time 8;time 10;time 12;"
		       "time 16;time 24;time 32";
	case PIN_PRIVATISE:
		return "privatise;no privatise;privatise 1;privatise 2;privatise 4;privatise 8;"
		       "privatise 16;privatise 32;privatise first 1024;privatise first 4096;"
		       "privatise first 16384;privatise hot";
	case PIN_PACK: return "pack 16;no pack";
	case PIN_VECTOR: return "vector 1;vector 2;vector 4;vector 8;vector 16";
	case PIN_COARSEN:
		return "coarsen 1;coarsen 2;coarsen 3;coarsen 4;coarsen 6;coarsen 8;coarsen 12;"
		       "coarsen 16;coarsen 24;coarsen 32;coarsen 64";
	case PIN_BLOCK:                          /* not built */
	case PIN_STAGE: case PIN_SWEEP: case PIN_WALK: case PIN_TILE: case PIN_COUNT: break;
	}
	return "";
}

/* ---- tiles ---- */

/* Sides of a tile with so many axes, the last one along rows; cells of it. */
static const struct sides { int least, most, step, row_least, row_most; } sides[] = {
	[1] = { 1, 1, 2, 64, 2048 },
	[2] = { 1, 256, 2, 16, 512 },
	[3] = { 1, 16, 4, 16, 256 },
};
enum { CELLS_LEAST = 64, CELLS_MOST = 1 << 15, SIDES_MOST = sizeof sides / sizeof *sides - 1 };

/* Adds the tile by itself, and in the memories that may hold it. */
static void add_tile(struct attempts *a, const char *tile)
{
	static const char *const stage[] = { "stage shared", "stage registers" };
	list_add(a, ((struct attempt){ { PIN_TILE, PIN_COUNT }, { tile, NULL }, tile }));
	for (int k = 0; k < 2; k++)
		list_add(a, ((struct attempt){ { PIN_STAGE, PIN_TILE }, { stage[k], tile },
		                               str_print("%s, %s", stage[k], tile) }));
}

/* Of the axes before this text of so many cells, slowest first. */
static void add_tiles(struct attempts *a, int axes, const struct sides *s, int cells,
                      const char *text)
{
	if (axes == 0 && cells >= CELLS_LEAST && cells <= CELLS_MOST)
		add_tile(a, str_print("tile %s", text));
	for (int n = s->least; axes > 0 && n <= s->most && n * cells <= CELLS_MOST; n *= s->step)
		add_tiles(a, axes - 1, s, n * cells, str_print("%d x %s", n, text));
}

static void add_rows(struct attempts *a, int rank)
{
	const struct sides *s = &sides[rank];
	for (int row = s->row_least; row <= s->row_most; row *= s->step)
		add_tiles(a, rank - 1, s, row, str_print("%d", row));
}

/* ---- all of a pin ---- */

static void add_text(struct attempts *a, enum pin pin, const char *text)
{
	list_add(a, ((struct attempt){ { pin, PIN_COUNT }, { text, NULL }, text }));
}

static void add_words(struct attempts *a, enum pin pin, const char *name, const char *const *word,
                      int n)
{
	for (int k = 1; k < n; k++)
		add_text(a, pin, str_print("%s %s", name, word[k]));
}

struct attempts attempts_of(enum pin pin, const struct unit *unit)
{
	struct attempts a = { 0 };
	if (pin == PIN_STAGE)
		add_words(&a, pin, "stage", stage_text, STAGE_COUNT);
	if (pin == PIN_SWEEP)
		add_words(&a, pin, "sweep", sweep_text, SWEEP_COUNT);
	if (pin == PIN_WALK)
		add_words(&a, pin, "walk", walk_text, WALK_COUNT);
	for (int rank = 1; pin == PIN_TILE && rank <= SIDES_MOST; rank++)
		if (unit->ranks >> rank & 1)
			add_rows(&a, rank);
	for (const char *text = values_of(pin); *text; text += strspn(text, ";")) {
		const size_t n = strcspn(text, ";");
		add_text(&a, pin, str_print("%.*s", (int)n, text));
		text += n;
	}
	return a;
}

/* ---- what pins hold for ---- */

static struct unit *unit_at(struct units *u, const char *label)
{
	for (int i = 0; i < u->n; i++)
		if (u->at[i].label == label)
			return &u->at[i];
	list_add(u, ((struct unit){ label, 0 }));
	return &u->at[u->n - 1];
}

/* whole: all statements, labels or not; how many there are */
static int add_units(struct units *u, struct unit *whole, struct node *const *at, int n)
{
	int statements = 0;
	for (int i = 0; i < n; i++) {
		const unsigned rank = 1u << at[i]->index.n;
		if (at[i]->kind == NODE_PATTERN)
			whole->ranks |= rank, statements++;
		if (at[i]->kind == NODE_PATTERN && at[i]->label)
			unit_at(u, at[i]->label)->ranks |= rank;
		statements += add_units(u, whole, at[i]->body.at, at[i]->body.n);
	}
	return statements;
}

struct units units_of(const struct entry *e)
{
	struct units u = { 0 };
	struct unit whole = { 0 };
	if (add_units(&u, &whole, e->body.at, e->body.n) > 1 || !u.n)
		list_add(&u, whole);
	return u;
}
