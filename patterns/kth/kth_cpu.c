/* kth_cpu.c - a value of each sequence by its place, on a CPU: the digits of its word are found
 * from the highest one down, each by counting those of the words that have all digits above.  So a
 * sequence is read as often as its words have digits, and nothing is moved. */
#include "kth.h"
#include "../sort/sort.h"
#include "../ways.h"

enum {
	PARTS = 256, DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS,
	/* up to so many sequences, of so many cells or more, all threads share each */
	SHARED = 16, LONG = 1 << 15
};

struct cpu_selector { struct plan *plan; const struct node *node; struct kx *place, *sequences; };

static struct kx *let(struct lowering *l, const char *name, struct kx *x)
{
	return x_var(k_let(l->k, name, x));
}

static void find_sequence(const struct node *node, struct lowering *l, struct kx *number)
{
	if (sort_has_rows(node))
		sort_bind_row(l, node, number);
}

static void bind_cell(const struct node *node, struct lowering *l, struct kx *cell)
{
	struct kx *first, *end;
	sort_range(l, node, NULL, &first, &end);
	sort_bind_cell(l, node, x_add(first, cell));
}

#define CALLS(DO, GET) \
	DO(find_place, kth_bind_own_place(l, node)) \
	DO(find_sequence, find_sequence(node, l, arg[0])) \
	DO(bind_cell, bind_cell(node, l, arg[0])) \
	GET(cell_word, sort_word(l, node, let(l, "key", sort_key(l, node)))) \
	GET(cells, sort_cells(l, node)) \
	GET(is_taken, kth_taken(l, node)) \
	DO(record, lower_status(l, arg[0], ST_INDEX)) \
	DO(store, sort_store_kth(l, node, arg[0]))

#define HOLE_DO(name, call) KTEXT_CALL(const struct node, node, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(const struct node, node, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void select_by(const struct cpu_selector *c, const char *suffix, const char *note,
                      const char *text)
{
	struct lowering *l = lowering_new(c->plan, str_print("%s%s", c->node->name, suffix));
	struct kx *size[] = { x_i64(PARTS), x_i64(DIGITS) };
	struct kvar *counts = plan_slot(c->plan, "counts", type_scalar(T_I64), 2, size);
	l->k->note = note;
	lowering_writes(l, c->node);
	k_bind(l->k, "counts",
	       lower_argument(l, "counts", kt_pointer(type_scalar(T_I64), false), x_var(counts)));
	kth_bind_place(l, c->node, c->place);
	k_bind(l->k, "sequences", lower_argument(l, "sequences", kt_scalar(T_I64), c->sequences));
	k_bind(l->k, "WORD", sort_word_type(c->node));
	k_numbers(l->k, "PARTS, DIGITS, DIGIT_BITS, WORD_BITS, MASKED", PARTS, DIGITS, DIGIT_BITS,
	          sort_word_bits(c->node), kth_may_lack(c->node));
	k_bind_calls(l->k, c->node, CALLS(KTEXT_ROW, KTEXT_ROW));
	k_text(l->k, text);
	lowering_launch(l, x_i64(1), x_i64(1), x_i64(1));
}

static struct kx *are_many(const struct task *t)
{
	const struct cpu_selector *c = t->found;
	struct kx *cells = sort_cells(host_lowering(c->plan), c->node);
	return kx_fold(x_or(x_lt(x_i64(SHARED), c->sequences), x_lt(cells, x_i64(LONG))));
}

static void lower_each(const struct task *t)
{
	select_by(t->found, "", "Finds the value of each sequence, digit by digit.",
	          "cpu_select_each");
}

static void lower_shared(const struct task *t)
{
	select_by(t->found, "_shared", "Finds the value of each sequence, digit by digit, with all "
	                               "threads.",
	          "cpu_select_shared");
}

static const struct way ways[] = {
	{ "each", "a thread counts the digits of a sequence", "there are many, or they are short",
	  .when = are_many, .lower = lower_each },
	{ "shared", "all threads count the digits of a sequence", .lower = lower_shared },
};

void kth_cpu(struct plan *plan, const struct group *group, struct kx *place)
{
	struct cpu_selector *c = NEW(struct cpu_selector);
	struct kx *rows = sort_rows(host_lowering(plan), group->anchor);
	*c = (struct cpu_selector){ plan, group->anchor, place,
	                            plan_let(plan, "sequences", rows) };
	ways_lower(ways, plan, group, c);
}
