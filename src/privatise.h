/* privatise.h - cells of a block's own that items meet in: what pass_privatise.c decides by and patterns/meet_private.c
 * builds. */
#ifndef PRIVATISE_H
#define PRIVATISE_H

enum {
	GROUPS = 4,                          /* of a block's warps, each with its copies, where one operation is several */
	MOST_VECTORS = 4,                    /* of items a thread, at once */
	MOST_PARTS = 8,                      /* of the cells, each a block's: so often every item is read */
	FEW_BYTES = 1 << 15,                 /* cells that are worth having whatever the number of items is */
	ITEMS_A_CELL = 16                    /* at least, of others */
};

#endif
