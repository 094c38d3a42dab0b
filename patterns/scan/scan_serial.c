/* scan_serial.c - a scan on a GPU that cannot be joined, a sequence a thread: strict floats,
 * operators that do not associate, totals too large for the registers of a thread.  The cells of a
 * row are computed one after another. */
#include "scan_gpu.h"

/* Rows: the cells along the axis at fixed other indices. */
static struct kx *host_rows(const struct scan *s)
{
	struct kx *rows = x_i64(1);
	for (int d = 0; d < s->node->index.n; d++)
		if (d != s->axis)
			rows = x_mul(rows, s->host_size[d]);
	return s->node->index.n > 1 ? plan_let(s->l->plan, "rows", rows) : rows;
}

static void row_cell(struct scan *s, struct kx *column, struct kx *row)
{
	struct kernel *k = s->l->k;
	scan_bind(s, column, row);
	struct kx *inside = scan_inside(s);
	struct kx *guard = x_and(s->even ? NULL : cells_guard(s->cells), inside);
	if (guard)
		k_if(k, guard);
	struct kx *head = x_var(k_let(k, "head", scan_head(s, column)));
	carry_cell(s->carry, head, scan_store, s);
	if (guard)
		k_end(k);
}

void scan_serial(struct plan *plan, const struct node *node)
{
	struct scan *s = scan_begin(plan, node, false);
	struct lowering *l = s->l;
	struct kernel *k = l->k;
	if (node->running->segment == SEGMENT_OFFSETS)
		scan_marks(s);
	scan_use_from(s);
	block_launch_bounds(l);
	k->min_blocks = 1;                       /* against spills */
	struct kx *rows = host_rows(s), *count = lower_argument(l, "rows", kt_scalar(T_I64), rows);
	struct kx *row = x_add(x_mul(x_to_i64(x_id(ID_BLOCK_X)), x_i64(l->target->block)),
	                       x_to_i64(block_thread(l)));
	row = x_var(k_let(k, "row", row));
	scan_check_length(s);
	k_if(k, x_lt(row, count));
	scan_bind_row(s, row);
	carry_resume(s->carry, NULL);
	row_cell(s,
	         x_var(k_for(k, "column", x_i64(0), scan_size(s, s->axis), x_i64(1), FOR_ROLLED)),
	         row);
	k_end(k);
	k_end(k);
	struct kx *blocks = x_div_up(rows, x_i64(l->target->block));
	lowering_launch(l, x_cond(x_lt(x_i64(0), s->host_cells), blocks, x_i64(0)), x_i64(1),
	                x_i64(1));
}
