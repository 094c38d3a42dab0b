/* wave_batch_reads.c - what the cells of a batch read of other arrays: by the row alone, q[i], once
 * a problem; by the column alone, d[k, j] or d[first[k] + j], by all lanes of a group for as many
 * columns, a load ahead, then from lane to lane.  Everything else is read where it is needed. */
#include <string.h>
#include "wave_batch.h"

/* ---- which reads ---- */

static const struct var *axis_var(const struct batch *b, int from_last)
{
	return b->axes.node->index.at[axis_index(&b->axes, b->axes.n - from_last)];
}

static const char *text_of(const struct expr *e)
{
	FILE *f = text_open();
	expr_print(e, f);
	return text_close(f);
}

static const struct batch_read *read_find(const struct batch *b, const struct expr *e)
{
	for (int i = 0; i < b->reads; i++)
		if (b->read[i].read->var == e->var && !strcmp(text_of(b->read[i].read), text_of(e)))
			return &b->read[i];
	return NULL;
}

static bool known_place(struct expr *e, void *unused)
{
	(void)unused;
	return e->kind != E_FOLD && e->kind != E_CALL
	       && !(e->kind == E_VAR && e->var->kind == VAR_LOCAL);
}

static void note_read(struct batch *b, struct expr *e)
{
	bool row = false, column = false, known = true;
	for (int a = 0; a < e->arg.n; a++) {
		known &= expr_walk(e->arg.at[a], known_place, NULL);
		row |= expr_uses(e->arg.at[a], axis_var(b, 2));
		column |= expr_uses(e->arg.at[a], axis_var(b, 1));
	}
	known &= row != column && b->reads < MOST_STREAMS;
	if (known && type_words(e->type) <= 2 && e->type->kind != T_STRUCT && !read_find(b, e))
		b->read[b->reads++] = (struct batch_read){ .read = e, .by_row = row };
}

/* What every cell reads: elsewhere a condition may be what keeps the place inside. */
static void note_reads(struct batch *b, struct expr *e)
{
	bool lazy = e->kind == E_COND
	            || (e->kind == E_BINARY && (e->op == OP_LAND || e->op == OP_LOR));
	int n = lazy ? 1 : e->kind == E_FOLD ? 0 : e->arg.n;
	if (e->kind == E_READ)
		note_read(b, e);
	for (int a = 0; a < n; a++)
		note_reads(b, e->arg.at[a]);
}

void batch_find_reads(struct batch *b)
{
	b->reads = 0;
	for (int q = 0; q < b->axes.node->equation.n; q++)
		note_reads(b, b->axes.node->equation.at[q]->right);
}

/* ---- in the kernel ---- */

static struct kx *held_at(const struct batch *b, const struct batch_read *r, struct kvar *held)
{
	return r->by_row ? x_at(x_var(held), batch_get(b, "r")) : x_var(held);
}

struct kx *batch_pair(const struct batch *b, const struct expr *e)
{
	const struct batch_read *r = e->kind == E_READ ? read_find(b, e) : NULL;
	return r && r->pair ? held_at(b, r, r->held) : NULL;
}

/* Of a word, with the sign that the type has or not. */
static struct kx *unpaired(const struct batch *b, const struct batch_read *r)
{
	const struct type *type = r->read->type;
	struct kx *word = held_at(b, r, r->held);
	if (type_class(type) == 'I')
		return x_cast(kt(type), pack_half(word, b->half));
	struct kx *bits = x_op(OP_AND, b->half ? x_op(OP_SHR, word, x_i32(16)) : word,
	                       x_int(T_U32, 0xffff));
	return type_class(type) == 'B' ? x_ne(bits, x_int(T_U32, 0)) : x_cast(kt(type), bits);
}

struct kx *batch_read(struct lowering *l, const struct expr *e)
{
	const struct batch *b = l->now.state;
	const struct batch_read *r = read_find(b, e);
	if (!r)
		return lower_cell(l, e);
	return r->pair ? unpaired(b, r) : held_at(b, r, b->half ? r->high : r->held);
}

static struct kx *row_value(struct batch *b, const struct batch_read *read, struct kx *row)
{
	axis_bind(&b->axes, b->axes.n - 2, row);
	return lower_cell(b->axes.l, read->read);
}

/* Those of the rows of both halves. */
static void open_row_pair(struct batch *b, struct batch_read *read, struct kx *r)
{
	struct kernel *k = b->axes.l->k;
	struct kx *low = row_value(b, read, batch_row(b, r)),
		  *high = row_value(b, read, batch_row(b, x_add(r, x_i32(b->rows))));
	if (read->pair) {
		k_set(k, x_at(x_var(read->held), r), pack_two(low, high));
		return;
	}
	k_set(k, x_at(x_var(read->held), r), low);
	k_set(k, x_at(x_var(read->high), r), high);
}

static const struct type *held_type(const struct batch_read *read)
{
	return read->pair ? type_scalar(T_U32) : read->read->type;
}

static void open_row_read(struct batch *b, struct batch_read *read)
{
	struct kernel *k = b->axes.l->k;
	const struct type *type = held_type(read);
	read->held = k_regs(k, type, read->read->var->name, b->rows);
	if (b->packed && !read->pair)
		read->high = k_regs(k, type, str_print("%s_high", read->read->var->name), b->rows);
	struct kx *r = batch_open_rows(b);
	k_set(k, x_at(x_var(read->held), r), lower_zero(type));
	if (read->high)
		k_set(k, x_at(x_var(read->high), r), lower_zero(type));
	k_if(k, x_lt(x_i64(0), batch_get(b, "all_columns")));
	if (b->packed)
		open_row_pair(b, read, r);
	else
		k_set(k, x_at(x_var(read->held), r), row_value(b, read, batch_row(b, r)));
	k_end(k);
	k_end(k);
}

static struct kvar *letter(struct batch *b, const struct type *type, const char *name)
{
	return k_var(b->axes.l->k, kt(type), name, lower_zero(type));
}

/* Of this lane, among those from that column on. */
static void fetch(struct batch *b, struct batch_read *read, struct kx *from)
{
	struct axes *a = &b->axes;
	struct kernel *k = a->l->k;
	struct kx *column = x_var(k_let(k, "ahead", x_add(from, x_to_i64(batch_get(b, "member")))));
	k_if(k, x_lt(column, batch_get(b, "all_columns")));
	axis_bind(a, a->n - 1, column);
	k_set(k, x_var(read->next), lower_cell(a->l, read->read));
	k_end(k);
}

void batch_begin_reads(struct batch *b)
{
	for (int i = 0; i < b->reads; i++) {
		struct batch_read *read = &b->read[i];
		const struct type *type = read->read->type;
		read->pair = b->packed && type_size(type) <= 2 && type_class(type) != 'F';
		if (read->by_row) {
			open_row_read(b, read);
			continue;
		}
		read->held = letter(b, held_type(read), read->read->var->name);
		if (b->packed && !read->pair)
			read->high = letter(b, type, str_print("%s_high", read->read->var->name));
		read->chunk = letter(b, type, "chunk");
		read->next = letter(b, type, "next");
		fetch(b, read, x_i64(0));
	}
}

/* The high half takes the letter of the low one, the low half that of the lane above's high half.
 * */
static void move_pair(struct batch *b, const struct batch_read *read, struct kx *first)
{
	struct kernel *k = b->axes.l->k;
	struct kvar *last = read->pair ? read->held : read->high;
	struct kx *above = batch_shuffled(b, held_type(read), x_var(last), "up_", x_i32(1)),
		  *is_first = x_eq(batch_get(b, "member"), x_i32(0));
	if (read->pair) {
		above = x_cond(is_first, pack_two(x_i32(0), first), above);
		k_set(k, x_var(last), pack_next(above, x_var(last)));
		return;
	}
	k_set(k, x_var(read->high), x_var(read->held));
	k_set(k, x_var(read->held), x_cond(is_first, first, above));
}

/* The first lane takes the next letter, the others that of the lane above. */
void batch_step_reads(struct batch *b)
{
	struct kernel *k = b->axes.l->k;
	struct kx *turn = x_op(OP_AND, x_to_i32(batch_get(b, "step")), x_i32(b->group - 1));
	struct kx *from = b->group < b->lanes
	                          ? x_add(x_sub(batch_get(b, "lane"), batch_get(b, "member")), turn)
	                          : turn;
	for (int i = 0; i < b->reads; i++) {
		struct batch_read *read = &b->read[i];
		const struct type *type = read->read->type;
		if (read->by_row)
			continue;
		k_if(k, x_eq(turn, x_i32(0)));
		k_set(k, x_var(read->chunk), x_var(read->next));
		fetch(b, read, x_add(batch_get(b, "step"), x_i64(b->group)));
		k_end(k);
		struct kx *first = batch_shuffled(b, type, x_var(read->chunk), "", from);
		if (b->packed) {
			move_pair(b, read, first);
			continue;
		}
		struct kx *above = batch_shuffled(b, type, x_var(read->held), "up_", x_i32(1));
		k_set(k, x_var(read->held),
		      x_cond(x_eq(batch_get(b, "member"), x_i32(0)), first, above));
	}
}
