/* helper.h - the constant text of the outputs: a table made at build time from the files of
 * backends/rt. */
#ifndef HELPER_H
#define HELPER_H

#include "kir.h"

/* own: it acts on the rest of its file */
struct rt_row {
	const char *file, *name, *needs;
	bool effect, uniform, own;
	const char *text;
};
extern const struct rt_row rt_rows[];                    /* ends with a row without a file */
/* for drivers: cells.h, and check.h or bench.h, which include it */
extern const char rt_cells[], rt_check[], rt_bench[];
/* The row, or NULL. */
const struct rt_row *helper_row(const char *name, const struct target *);

#endif
