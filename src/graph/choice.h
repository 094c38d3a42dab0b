/* choice.h - what the passes decide for a statement, and what the user pins of it; a part of
 * patc.h. */
#ifndef CHOICE_H
#define CHOICE_H

enum stage {
	STAGE_AUTO,
#define STAGE(id, name) STAGE_##id,
#include "stage.def"
#undef STAGE
	STAGE_COUNT
};
enum sweep {
	SWEEP_AUTO,
#define SWEEP(id, name) SWEEP_##id,
#include "sweep.def"
#undef SWEEP
	SWEEP_COUNT
};
enum walks {
	WALK_AUTO,
#define WALK(id, name) WALK_##id,
#include "walk.def"
#undef WALK
	WALK_COUNT
};
/* as they are pinned; graph.c */
extern const char *const stage_text[], *const sweep_text[], *const walk_text[];
enum hot { HOT_NO, HOT_REST, HOT_ALL };  /* where not all cells fit; in any case */
enum pin {
#define PIN(id, name, form, built) PIN_##id,
#include "pin.def"
#undef PIN
	PIN_COUNT
};
struct choice {                          /* what passes and pins decide; 0: not decided */
	int fuse;                            /* into another statement's kernel: 1 yes, -1 no */
	enum stage stage;
	int tile[MAX_RANK];                  /* cells a block, slowest axis first */
	int block;                           /* threads a block */
	int vector;                          /* elements a memory access */
	enum sweep sweep;
	enum walks walk;                     /* which threads make the passes of a call's loop */
	int gather;                          /* each cell is computed by its owner: 1 yes, -1 no */
	int tiles;           /* its items are sorted by tiles of cells, which blocks have: 1 yes */
	int symmetric;       /* a term of pairs is computed once for both results: 1 yes, -1 no */
	int separate;                /* windows are folded axis by axis: 1 yes, -1 no */
	int privatise;         /* blocks have cells of their own that items meet in: 1 yes, -1 no */
	int copies, first;      /* of each; so many, the others in memory; 0: as many as fit; all */
	enum hot hot;                /* a sample of the items finds the cells that have such ones */
	int bin, cap; /* cells of a radius along the first axis, -1: no grid; bodies a cell */
	/* rows whose lengths data decide share the work: -1 no; LEVELLED: an index decided them,
	 * and they have one length */
	int regular;
	int pack;                           /* bits of each of several cells in a word: 16, -1 no */
	/* of the temporaries that it fills; fields: they are told, too, block and */
	struct { bool col, fields; int block, tile[2]; } layout;
	                                     /* tile as in struct layout */
	int coarsen;                         /* vectors (map, reduce) or rows (stencil) a thread */
	bool one_block;                      /* of a repeat: one block may run it, in one launch */
	int time;                            /* passes of the loop around it in a launch; -1 one */
	bool last_apart;                     /* then: its last pass has launches of its own */
	bool resident;                       /* or its cells may stay in the blocks of one launch */
	bool alike;              /* of a repeat: arrays that it swaps have the same cells before */
};
enum { LEVELLED = 2 };               /* regularise_rows.c */
struct pinned { struct loc at; bool own; };  /* own: by the statement's label; line 0: not pinned */
struct pin_set {
	const char *label, *target, *arch;
	const char *when;                    /* condition on sizes, or NULL; its number: graph.h */
	int variant;
	bool tuning;                         /* from --schedule: beats the program's own */
	struct choice choice;
	struct loc at[PIN_COUNT];            /* line 0: not pinned */
};

#endif
