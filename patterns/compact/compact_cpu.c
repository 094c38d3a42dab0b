/* compact_cpu.c - compact on a CPU, in three steps: every thread counts the items that its chunks keep; the
 * counts are added up; every thread moves the items of its chunks to places that are known by then.
 *
 * Chunks are as long as the number of items says, never as the number of threads does.  Items are judged twice,
 * which costs a second read; nothing of the size of the input has to be kept. */
#include "compact.h"

enum {
	CHUNK = 8192,                        /* items at least: its inputs stay in L2 between the two steps */
	CHUNKS = 4096                        /* at most */
};

struct chunks { const struct box *box; struct kx *length, *count; struct kvar *slot[PART_COUNT]; };

/* What a kernel is told of them. */
struct part_of { struct items *it; struct kx *length, *count, *slot[PART_COUNT]; };

static struct part_of open_kernel(const struct chunks *c, const char *name)
{
	struct part_of p = { .it = items_open(c->box, name) };
	struct lowering *l = p.it->l;
	p.length = lower_argument(l, "length", kt_scalar(T_I64), c->length);
	p.count = lower_argument(l, "chunks", kt_scalar(T_I64), c->count);
	for (enum part part = 0; part < PART_COUNT; part++)
		if (c->slot[part])
			p.slot[part] = lower_argument(l, c->slot[part]->name, kt_pointer(type_scalar(T_I64), false),
			                              x_var(c->slot[part]));
	return p;
}

/* Opens loops over the items of a chunk, which are bound; *loops of them are to be closed. */
static void open_items(struct part_of *p, struct kx *chunk, int *loops)
{
	struct items *it = p->it;
	struct kernel *k = it->l->k;
	struct kx *first = x_var(k_let(k, "first", x_mul(chunk, p->length)));
	struct kx *end = x_var(k_let(k, "end", x_min(x_add(first, p->length), it->count)));
	int last = it->node->index.n - 1;
	*loops = last ? 2 : 1;
	if (last) {
		struct kx *cells = it->size[last];
		struct kx *rows = x_div(x_add(end, x_sub(cells, x_i64(1))), cells);
		struct kx *row = x_var(k_for(k, "row", x_div(first, cells), rows, x_i64(1), 0));
		items_bind_row(it, row);
		struct kx *begin = x_var(k_let(k, "begin", x_mul(row, cells)));
		first = x_sub(x_max(first, begin), begin);
		end = x_min(x_sub(end, begin), cells);
	}
	items_bind_last(it, x_var(k_for(k, "place", first, end, x_i64(1), 0)));
}

static void close_items(struct part_of *p, int loops)
{
	while (loops--)
		k_end(p->it->l->k);
}

static void launch(struct part_of *p)
{
	lowering_launch(p->it->l, x_i64(1), x_i64(1), x_i64(1));
}

static void count_chunks(const struct chunks *c)
{
	struct part_of p = open_kernel(c, "_count");
	struct kernel *k = p.it->l->k;
	int loops;
	k->note = "Counts the items of every chunk that are kept.";
	struct kx *chunk = x_var(k_for(k, "chunk", x_i64(0), p.count, x_i64(1), FOR_PARALLEL));
	struct kvar *sum[PART_COUNT] = { NULL };
	for (enum part part = 0; part < PART_COUNT; part++)
		if (p.slot[part])
			sum[part] = k_var(k, kt_scalar(T_I64), part == PART_KEPT ? "keeps" : "rejects", x_i64(0));
	open_items(&p, chunk, &loops);
	items_judge(p.it, true);
	struct kvar *is[] = { p.it->kept, p.it->rejected };
	for (enum part part = 0; part < PART_COUNT; part++)
		if (sum[part])
			k_set(k, x_var(sum[part]), x_add(x_var(sum[part]), x_cast(kt_scalar(T_I64), x_var(is[part]))));
	close_items(&p, loops);
	for (enum part part = 0; part < PART_COUNT; part++)
		if (sum[part])
			k_set(k, x_at(p.slot[part], chunk), x_var(sum[part]));
	k_end(k);
	launch(&p);
}

static void add_up(const struct chunks *c)
{
	struct part_of p = open_kernel(c, "_places");
	struct kernel *k = p.it->l->k;
	struct kvar *sum[PART_COUNT] = { NULL };
	k->note = "Where the items of every chunk begin, and how many there are.";
	for (enum part part = 0; part < PART_COUNT; part++)
		if (p.slot[part])
			sum[part] = k_var(k, kt_scalar(T_I64), part == PART_KEPT ? "keeps" : "rejects", x_i64(0));
	struct kx *chunk = x_var(k_for(k, "chunk", x_i64(0), p.count, x_i64(1), 0));
	for (enum part part = 0; part < PART_COUNT; part++) {
		if (!sum[part])
			continue;
		struct kx *place = x_at(p.slot[part], chunk), *held = x_var(k_let(k, "held", place));
		k_set(k, place, x_var(sum[part]));
		k_set(k, x_var(sum[part]), x_add(x_var(sum[part]), held));
	}
	k_end(k);
	items_note_outside(p.it);
	items_finish(p.it, x_var(sum[PART_KEPT]), sum[PART_REJECTED] ? x_var(sum[PART_REJECTED]) : NULL);
	launch(&p);
}

static void move_part(struct part_of *p, enum part part, struct kvar *at, struct kvar *is)
{
	struct kernel *k = p->it->l->k;
	k_if(k, x_var(is));
	items_move(p->it, part, x_var(at));
	k_set(k, x_var(at), x_add(x_var(at), x_i64(1)));
	k_end(k);
}

static void move_chunks(const struct chunks *c)
{
	struct part_of p = open_kernel(c, "");
	struct kernel *k = p.it->l->k;
	struct kvar *at[PART_COUNT] = { NULL };
	int loops;
	k->note = "Moves the items of every chunk to their places.";
	struct kx *chunk = x_var(k_for(k, "chunk", x_i64(0), p.count, x_i64(1), FOR_PARALLEL));
	for (enum part part = 0; part < PART_COUNT; part++)
		if (p.slot[part])
			at[part] = k_var(k, kt_scalar(T_I64), part == PART_KEPT ? "at" : "at_rejected", x_at(p.slot[part], chunk));
	open_items(&p, chunk, &loops);
	items_judge(p.it, false);
	move_part(&p, PART_KEPT, at[PART_KEPT], p.it->kept);
	if (p.it->rejected)
		move_part(&p, PART_REJECTED, at[PART_REJECTED], p.it->rejected);
	close_items(&p, loops);
	k_end(k);
	launch(&p);
}

void compact_cpu(const struct box *box)
{
	struct chunks c = { .box = box };
	struct plan *plan = box->plan;
	struct kx *most = x_i64(CHUNKS);
	c.length = x_max(x_div(x_add(box->count, x_i64(CHUNKS - 1)), x_i64(CHUNKS)), x_i64(CHUNK));
	c.length = plan_let(plan, "length", c.length);
	c.count = plan_let(plan, "chunks", x_div(x_add(box->count, x_sub(c.length, x_i64(1))), c.length));
	c.slot[PART_KEPT] = plan_slot(plan, "keeps", type_scalar(T_I64), 1, &most);
	if (selection_has(box->node, PART_REJECTED))
		c.slot[PART_REJECTED] = plan_slot(plan, "rejects", type_scalar(T_I64), 1, &most);
	count_chunks(&c);
	add_up(&c);
	move_chunks(&c);
}
