/* struct_use.c - which bytes of the cells of an array of structs a statement reads and writes.
 *
 * A path of fields and elements whose places are constants names some bytes; any other uses the
 * whole field. Memory moves sectors: with 4 bytes of a struct of 16 come the other 12. */
#include "struct_use.h"

/* The cell under a path of fields and elements; NULL: the path begins elsewhere. */
static const struct expr *path_cell(const struct expr *e)
{
	while (e->kind == E_FIELD || (e->kind == E_ELEM && !e->var))
		e = e->arg.at[0];
	return e->kind == E_READ && e->type->kind == T_STRUCT && !var_home(e->var)
	                       && !e->var->on_chip
	               ? e
	               : NULL;
}

/* Bytes of a cell, from the first on. */
struct span { int64_t first, bytes; };

static struct span element_span(const struct expr *e, struct span field)
{
	const struct type *array = e->arg.at[0]->type;
	int64_t place = 0;
	for (int a = 0; a < array->rank; a++) {
		if (!e->affine || e->affine[a].n)
			return field;
		place = place * array->extent[a] + e->affine[a].constant;
	}
	int64_t bytes = type_size(array->elem);
	bool inside = place >= 0 && (place + 1) * bytes <= field.bytes;
	return inside ? (struct span){ field.first + place * bytes, bytes } : field;
}

static struct span path_span(const struct expr *e)
{
	if (e->kind == E_READ)
		return (struct span){ 0, type_size(e->type) };
	struct span outer = path_span(e->arg.at[0]);
	if (e->kind == E_FIELD)
		return (struct span){ outer.first + e->field->offset, type_size(e->field->type) };
	return element_span(e, outer);
}

static struct struct_use *use_of(struct struct_uses *s, const struct var *var)
{
	for (int i = 0; i < s->at.n; i++)
		if (s->at.at[i].var == var)
			return &s->at.at[i];
	size_t bytes = (size_t)type_size(var->type);
	list_add(&s->at, ((struct struct_use){ var, mem_new(bytes), mem_new(bytes) }));
	return &s->at.at[s->at.n - 1];
}

static void mark(bool *used, struct span s)
{
	for (int64_t b = s.first; b < s.first + s.bytes; b++)
		used[b] = true;
}

/* The walk comes to the outermost part of a path first; the cell under it is then no cell of its
 * own. */
struct reading { struct struct_uses *uses; const struct expr *under; };

static bool mark_read(struct expr *e, void *state)
{
	struct reading *r = state;
	const struct expr *cell = path_cell(e);
	if (!cell)
		return true;
	if (cell != r->under)
		mark(use_of(r->uses, cell->var)->read, path_span(e));
	r->under = e == cell ? NULL : cell;
	return true;
}

static void mark_target(struct struct_uses *s, struct expr *target)
{
	const struct expr *cell = path_cell(target);
	struct reading r = { s, cell };
	if (cell)
		mark(use_of(s, cell->var)->written, path_span(target));
	expr_walk(target, mark_read, &r);    /* what its subscripts read */
}

struct struct_uses struct_uses_of(const struct node *node)
{
	struct struct_uses s = { .at = { 0 } };
	struct reading r = { &s, NULL };
	expr_walk(node->where, mark_read, &r);
	for (int q = 0; q < node->equation.n; q++) {
		expr_walk(node->equation.at[q]->right, mark_read, &r);
		for (int t = 0; t < node->equation.at[q]->target.n; t++)
			mark_target(&s, node->equation.at[q]->target.at[t]);
	}
	return s;
}

/* ---- how many ---- */

/* The scalars of a type: its bytes without the padding between them. */
struct scalars { LIST(struct span) at; };

static void add_scalars(struct scalars *s, const struct type *type, int64_t first)
{
	if (type->kind == T_ARRAY)
		for (int64_t c = 0; c < type_cells(type); c++)
			add_scalars(s, type->elem, first + c * type_size(type->elem));
	else if (type->kind == T_STRUCT)
		for (int f = 0; f < type->record->field.n; f++)
			add_scalars(s, type->record->field.at[f].type,
			            first + type->record->field.at[f].offset);
	else
		list_add(&s->at, ((struct span){ first, type_size(type) }));
}

int64_t type_values(const struct type *type)
{
	struct scalars s = { .at = { 0 } };
	add_scalars(&s, type, 0);
	return s.at.n;
}

struct amount use_amount(const struct struct_use *use, const bool *used)
{
	struct scalars s = { .at = { 0 } };
	struct amount a = { 0, 0 };
	add_scalars(&s, use->var->type, 0);
	for (int i = 0; i < s.at.n; i++)
		if (used[s.at.at[i].first]) {
			a.values++;
			a.bytes += s.at.at[i].bytes;
		}
	return a;
}

double use_sectors(const struct struct_use *use, const bool *used, int64_t bytes)
{
	int64_t size = type_size(use->var->type), period = size / gcd(size, bytes) * bytes,
		last = -1, touched = 0;
	for (int64_t b = 0; b < period; b++)
		if (used[b % size] && b / bytes != last) {
			last = b / bytes;
			touched++;
		}
	return (double)(touched * bytes) / (double)period;
}
