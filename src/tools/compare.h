/* compare.h - generated code against the reference interpreter: compare.c writes what it takes,
 * shapes.c chooses sizes, backends/driver.c prints the driver. */
#ifndef COMPARE_H
#define COMPARE_H

#include "eval.h"
#include "front.h"

enum { NAMES = 64, SHAPES_MOST = 400 };          /* sizes, and parameters: the room cells.h has */

struct comparison {
	int shapes;                          /* 0: while news come */
	int64_t cells;
	uint64_t seed;
	int64_t along;                       /* cells of one more shape, of what runs; 0: none */
	int64_t large;                       /* cells of an array in two more shapes; 0: none */
	/* a shape that takes the interpreter too many steps is said and left out */
	bool leaves_out;
	bool no_data;                        /* STEM.dat is there: it is the same for all targets */
};
/* False: reported. */
bool compare_write(struct program *, const struct options *, const struct comparison *,
	const char *dir, const char *stem);

struct sizes { int64_t size[NAMES]; int pick[NAMES]; };
int shapes_choose(const struct entry *, int wanted, int64_t cells, uint64_t *chances,
                  struct sizes *);
const struct node *entry_running(const struct entry *); /* the first statement that runs, or NULL */
/* One that is so long along its axis; false: nothing runs. */
bool shape_long(const struct entry *, int64_t cells, uint64_t *chances, struct sizes *);
/* One whose first array, or any, has so many cells; false: none was found. */
bool shape_large(const struct entry *, int64_t cells, bool first, uint64_t *chances,
                 struct sizes *);
int64_t extent_at(const struct entry *, const struct affine *, const int64_t *size);
int64_t pitch_at(const struct entry *, const struct var *, const int64_t *size);        /* or 0 */
int64_t cells_of(const struct entry *, const struct var *, const int64_t *size, int empty);

int kernel_number(const struct program *, const struct entry *); /* in the driver */
bool driver_fits(const struct program *);        /* a driver has room for it; false: reported */
void driver_print(const struct program *, const struct target *, const char *stem, FILE *);
/* All but main(): the kernels, as the header `common` (check.h, bench.h) takes them. */
void driver_kernels(const struct program *, const struct target *, const char *stem,
                    const char *common, FILE *);
/* What a function of the user's is called with in the place of the kernel. */
void driver_arguments(const struct entry *, FILE *);

#endif
