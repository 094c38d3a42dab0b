/* separable_stages.c - which cells may wait in shared memory, and what separable_staged.kernel
 * leaves open.
 *
 * Copies that need no registers (cp.async) bring what the cells are computed from, as it lies in
 * memory, STAGES chunks ahead: 128 rows of f32 and 128 columns are 64 KiB, and a multiprocessor has
 * three of them on their way.  A thread copies exactly the cells that it uses itself, so that no
 * barrier is between; it computes them twice, for the totals of the columns, a chunk ahead of the
 * rest, and for its rows.
 *
 * What is after the last row or column is 0 in shared memory, and does no harm: such a cell joins
 * only what comes after it.  So what a cell is computed from may be nothing but its own cells of
 * arrays, and quick to compute. */
#include "../access.h"
#include "separable_march.h"

/* ---- which arrays ---- */

static int index_of(const struct node *node, const struct expr *subscript)
{
	for (int d = 0; d < node->index.n; d++)
		if (subscript->kind == E_VAR && subscript->var == node->index.at[d])
			return d;
	return -1;
}

/* In which subscript the row's index is; -1: another has it, too, or the columns' is not the last
 * one alone. */
static int row_subscript(const struct march *m, const struct expr *cell)
{
	const struct node *node = m->s->node;
	int found = -1, last = cell->arg.n - 1;
	for (int a = 0; a <= last; a++) {
		int d = index_of(node, cell->arg.at[a]);
		if (d < 0 || (d == axis_index(&m->axes, m->axes.n - 1)) != (a == last))
			return -1;
		if (d == axis_index(&m->axes, m->axes.n - 2) && found >= 0)
			return -1;
		found = d == axis_index(&m->axes, m->axes.n - 2) ? a : found;
	}
	return found;
}

/* The array whose cell that is; -1: none's. */
static int staged_find(const struct march *m, const struct expr *read)
{
	for (int i = 0; i < m->arrays; i++)
		if (access_same(m->staged[i], read))
			return i;
	return -1;
}

static bool fits_copies(const struct march *m, const struct type *type)
{
	int64_t bytes = type->kind == T_STRUCT ? 0 : type_size(type) * m->width;
	return bytes == 4 || bytes == 8 || bytes == 16;
}

static bool find_staged(struct expr *e, void *march)
{
	struct march *m = march;
	if (e->kind != E_READ)
		return e->kind != E_ELEM && e->kind != E_FOLD;
	if (staged_find(m, e) >= 0)
		return true;
	if (m->arrays == MOST_STAGED || e->checked || var_home(e->var) || !fits_copies(m, e->type)
	    || row_subscript(m, e) < 0)
		return false;
	m->staged[m->arrays++] = e;
	return true;
}

bool stages_find(struct march *m)
{
	struct expr *rest = m->s->form->rest;
	m->arrays = 0;
	bool can = rest && !expr_slow(rest) && expr_walk(rest, find_staged, m);
	if (!can)
		m->arrays = 0;
	return m->arrays > 0;
}

int64_t stages_bytes(const struct march *m)
{
	int64_t bytes = (STAGES * m->warps * m->pitch + m->chunk) * type_size(m->type);
	for (int i = 0; i < m->arrays; i++)
		bytes += STAGES * m->height * m->chunk * type_size(m->staged[i]->type);
	return bytes;
}

/* ---- what the text leaves open ---- */

static struct kvar *asked(struct march *m, const struct type *type, const char *name, int64_t count)
{
	return k_shared_asked(m->l->k, type, name, count);
}

static void open_tiles(struct march *m)
{
	struct kx *tile[MOST_STAGED];
	for (int i = 0; i < m->arrays; i++) {
		const struct expr *read = m->staged[i];
		const char *name = str_print("%s_tile", read->var->name);
		tile[i] = x_var(asked(m, read->type, name, STAGES * m->height * m->chunk));
	}
	bind_values(m->l->k, "tile", m->arrays, tile);
	k_bind(m->l->k, "part", asked(m, m->type, "part", STAGES * m->warps * m->pitch));
	k_bind(m->l->k, "above", asked(m, m->type, "above", m->chunk));
}

static void find_share_weights(struct march *m)
{
	for (int n = 0; 1 << n < m->sharers; n++) {
		int64_t warps = (int64_t)(m->warps / m->sharers) << n, asks = (int64_t)m->asks << n;
		struct kx *const *weight = m->weight;
		m->weight[UP_SHARE + n] = separable_power(m->l, m->s, "up_share", weight[UP_ROWS],
		                                          warps);
		m->weight[UP_ASKS + n] = separable_power(m->l, m->s, "up_asks", weight[UP_HEIGHT],
		                                         asks);
	}
}

static const struct expr *array(const struct march *m)
{
	return m->staged[m->l->k->each];
}

static struct kx *address(struct march *m)
{
	struct kx *cell = lower_cell(m->l, array(m));
	return x_offset(cell->arg[0], cell->arg[1]);
}

struct held { struct march *march; struct kx *c; };

/* A read of an array is the cell of the vector that is held. */
static struct kx *held_read(struct lowering *l, const struct expr *e)
{
	const struct held *held = l->now.state;
	int each = l->k->each;
	l->k->each = staged_find(held->march, e);
	struct kx *vector = k_get(l->k, "held");
	l->k->each = each;
	return x_lane_at(vector, held->c);
}

static struct kx *rest_held(struct march *m, struct kx *c)
{
	struct held held = { m, c };
	struct lowering *l = m->l;
	struct lower_context before = l->now;
	l->now.read = held_read;
	l->now.state = &held;
	struct kx *value = separable_rest(l, m->s);
	l->now = before;
	return value;
}

/* ---- the kernel: separable_staged.kernel ---- */

#define CALLS(DO, GET) \
	DO(open_tiles, open_tiles(s)) \
	DO(find_share_weights, find_share_weights(s)) \
	GET(address, address(s)) \
	GET(stride, march_stride(s, array(s))) \
	GET(up_rows, s->weight[UP_ROWS]) \
	GET(times, separable_scale(l, s->s, arg[0], arg[1])) \
	GET(rest_held, rest_held(s, arg[0]))

#define HOLE_DO(name, call) KTEXT_CALL(struct march, s, name, call; return NULL;)
#define HOLE_GET(name, value) KTEXT_CALL(struct march, s, name, return value;)

CALLS(HOLE_DO, HOLE_GET)

static void bind_arrays(struct march *m)
{
	struct ktype cells[MOST_STAGED];
	const char *held[MOST_STAGED];
	int64_t bytes[MOST_STAGED];
	for (int i = 0; i < m->arrays; i++) {
		cells[i] = kt_pointer(m->staged[i]->type, true);
		held[i] = str_print("%s%d", m->staged[i]->var->name, m->width);
		bytes[i] = type_size(m->staged[i]->type) * m->width;
	}
	bind_ktypes(m->l->k, "CELLS", m->arrays, cells);
	bind_words(m->l->k, "held", m->arrays, held);
	bind_listed(m->l->k, "BYTES", m->arrays, bytes);
}

void stages_bind(struct march *m)
{
	struct kernel *k = m->l->k;
	int most = (int)(16 / type_size(m->type)), piece = m->width < most ? m->width : most;
	bind_arrays(m);
	k_numbers(k, "STAGES, PITCH, ASKS", STAGES, m->pitch, m->asks);
	k_numbers(k, "SHARERS, SHARE_STEPS", m->sharers, log2_of(m->sharers));
	k_bind(k, "PARTS", m->warps / m->sharers);
	k_numbers(k, "PIECES, PIECE_CELLS", m->width / piece, piece);
	k_numbers(k, "UP_SHARE, UP_ASKS, UP_WEIGHED", UP_SHARE, UP_ASKS, m->s->up->weight != NULL);
	k_bind(k, "PIECE", kt_vector(m->type, piece));
	k_bind(k, "WORD", kt_pointer(type_scalar(T_U64), false));
	k_bind_calls(k, m, CALLS(KTEXT_ROW, KTEXT_ROW));
}
