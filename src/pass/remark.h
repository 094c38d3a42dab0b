/* remark.h - what the passes tell the user of their decisions: recorded where and when they decide.
 * */
#ifndef REMARK_H
#define REMARK_H

#include "pass.h"

enum pass {
#define PASS(id, name, help) PASS_##id,
#include "pass.def"
#undef PASS
	PASS_COUNT,
	REMARK_WAY = PASS_COUNT                /* no pass: the way that a lowering takes */
};
enum relief { RELIEF_NONE, BANDWIDTH, CONTENTION, BALANCE, REGULARITY, EFFICIENCY };
enum told { TOLD_DID, TOLD_NOT, TOLD_NONE };
struct remark {
	enum pass pass;
	enum told told;
	enum relief relief;
	double cost;                     /* of TOLD_NOT: bytes of memory a cell; 0: not known */
	const char *text;
};

/* The pass changed something for the better: which bottleneck it relieved, and how. */
void remark_did(struct node *, enum pass, enum relief, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The pass might have changed something for the better, and has not: why. */
void remark_not(struct node *, enum pass, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same, and the bytes of memory that this costs a cell; 0: not known. */
void remark_costs(struct node *, enum pass, double bytes, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
/* The pass finds nothing that it could change here: why. */
void remark_none(struct node *, enum pass, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* How it is computed: before the remarks from the given one on, and once. */
void remark_way(struct node *, int before, const char *text);
/* remark_none for every statement with a kernel in the plan that has heard nothing of the pass. */
void remark_others(const struct plan *, enum pass, const char *why);
const char *remark_bytes(double bytes);                  /* "48 KiB", "12 B" */
const char *remark_number(double);                       /* "0.5", "2,048" without the comma */

#endif
