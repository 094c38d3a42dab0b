/* kiraccess.c - how the lanes of a warp access memory, and which branches depend on data.
 *
 * An access of a warp moves whole sectors.  Bytes moved for one that is used are those of the
 * sectors that the lanes touch, of the bytes that they read or write, as if the first one began a
 * sector.  Fields that are read of one struct are used together, and so are the cells of accesses
 * whose lanes are as far apart, as those of an unrolled loop: they are taken as neighbours, which
 * the cache has.  What it has from any other access is not counted. */
#include "kirvalue.h"

#include <stdlib.h>
#include <string.h>

struct place {                           /* a load, a store, or a pointer that is handed on */
	struct access access;
	const struct kx *cell;           /* whose fields are used together */
	LIST(const char *) field;
	struct lanes byte;
	int64_t whole, used;                 /* bytes of it */
	int64_t times;                       /* passes of the loops that its index names */
};
struct walk {
	struct values v;
	int sector;                          /* bytes */
	bool judge;                          /* accesses and branches are noted, too */
	LIST(struct place *) place;
	LIST(const struct ks *) loop;        /* around, of constant length */
	struct accesses *found;
};

/* ---- what an access moves ---- */

/* Sectors of as many bytes from each lane's on, those of lanes a scale apart by themselves; bytes
 * 0: the places that differ. */
static int count_of(const struct walk *w, const struct lanes *v, int64_t bytes)
{
	struct { int64_t by, at; } seen[8 * MOST_LANES];
	int64_t unit = bytes ? w->sector : 1, least = v->at[0];
	int n = 0;
	for (int l = 1; l < w->v.n; l++)
		least = v->at[l] < least ? v->at[l] : least;
	for (int l = 0; l < w->v.n; l++)
		for (int64_t at = (v->at[l] - least) / unit;
		     at <= (v->at[l] - least + (bytes ? bytes - 1 : 0)) / unit; at++) {
			int k = 0;
			while (k < n && (seen[k].by != v->by[l] || seen[k].at != at))
				k++;
			if (k == n && n < 8 * MOST_LANES)
				seen[n].by = v->by[l], seen[n++].at = at;
		}
	return n;
}

/* From each lane to the next, in bytes; 0: it differs, or is not a number. */
static int64_t stride_of(const struct walk *w, const struct lanes *v)
{
	int64_t step = v->at[1] - v->at[0];
	for (int l = 1; l < w->v.n; l++)
		if (v->at[l] - v->at[l - 1] != step || v->by[l] != v->by[0])
			return 0;
	return step < 0 ? -step : step;
}

static bool is_same_way(const struct access *a, const struct access *b)
{
	return a->array == b->array && a->write == b->write && a->helper == b->helper;
}

/* Bytes from a lane's place to the nearest one of another in the same row; 0: there is none. */
static int64_t gap_of(const struct walk *w, const struct lanes *v)
{
	int64_t gap = 0;
	for (int l = 0; l < w->v.n; l++)
		for (int k = 0; k < w->v.n; k++) {
			int64_t apart = v->at[l] - v->at[k];
			if (v->by[l] == v->by[k] && apart > 0 && (!gap || apart < gap))
				gap = apart;
		}
	return gap;
}

/* Bytes that a lane uses of those up to the next lane's. */
static int64_t used_of(const struct walk *w, const struct place *p, int64_t gap)
{
	int64_t used = 0;
	for (int i = 0; i < w->place.n; i++) {
		const struct place *q = w->place.at[i];
		if (is_same_way(&p->access, &q->access) && lanes_are_parallel(&p->byte, &q->byte))
			used += q->used * q->times;
	}
	return used < gap ? used : gap > p->used ? gap : p->used;
}

static void judge_steps(const struct walk *w, struct place *p)
{
	struct access *a = &p->access;
	int64_t stride = stride_of(w, &p->byte), gap = gap_of(w, &p->byte),
		used = used_of(w, p, gap ? gap : w->sector),
		touched = used > p->used || p->field.n == 1 ? used : p->whole;
	int sectors = count_of(w, &p->byte, touched), places = count_of(w, &p->byte, 0);
	double moved = (double)sectors * w->sector / ((double)places * (double)used);
	a->moved = moved > 1 ? moved : 1;
	a->kind = a->moved > 1 || !gap ? ACCESS_STRIDED : ACCESS_COALESCED;
	a->stride = a->kind == ACCESS_STRIDED ? stride : 0;
	a->scale = a->kind == ACCESS_STRIDED && !stride ? p->byte.scale : NULL;
}

static void judge(const struct walk *w, struct place *p)
{
	struct access *a = &p->access;
	int64_t touched = p->field.n == 1 ? p->used : p->whole,
		moved = (touched + w->sector - 1) / w->sector * w->sector;
	a->moved = 1;
	if (p->byte.kind == LANES_DATA) {
		a->kind = ACCESS_RANDOM;
		a->moved = (double)moved / (double)p->used;
	} else if (p->byte.kind != LANES_STEPS) {
		a->kind = ACCESS_OPEN;
	} else if (lanes_are_even(&p->byte)) {
		a->kind = ACCESS_BROADCAST;
	} else {
		judge_steps(w, p);
	}
}

/* ---- finding them ---- */

static void note_field(struct place *p, const struct kx *part)
{
	const char *name = part ? part->name : NULL;
	for (int f = 0; f < p->field.n; f++)
		if (p->field.at[f] == name || !p->field.at[f])
			return;
	p->used = name ? p->used + type_size(part->type.type) : p->whole;
	list_add(&p->field, name);
}

/* Does x name the variable, by constants that are declared with it, too? */
static bool names(const struct kx *x, const struct kvar *var, int depth)
{
	enum { DEEP = 8 };
	bool let = x->kind == KX_VAR && x->var->kind == KV_LET && x->var->value && depth < DEEP;
	if (let)
		return names(x->var->value, var, depth + 1);
	bool found = x->kind == KX_VAR && x->var == var;
	for (int i = 0; !found && i < x->n; i++)
		found = names(x->arg[i], var, depth);
	return found;
}

static int64_t passes_of(const struct walk *w, const struct kx *cell)
{
	int64_t passes = 1;
	for (int i = 0; i < w->loop.n; i++) {
		const struct ks *loop = w->loop.at[i];
		passes *= names(cell, loop->var, 0) ? loop->b->i - loop->a->i : 1;
	}
	return passes;
}

/* bytes: of the cell; part: the field of it that is used, or NULL */
static void note(struct walk *w, const struct kx *cell, const struct kx *pointer, struct lanes byte,
                 int64_t bytes, const struct kx *part, struct access access)
{
	access.array = value_array(&w->v, pointer);
	if (!access.array)
		return;
	for (int i = 0; i < w->place.n; i++) {
		struct place *p = w->place.at[i];
		if (is_same_way(&p->access, &access) && kx_same(p->cell, cell)) {
			note_field(p, part);
			return;
		}
	}
	struct place *p = NEW(struct place);
	*p = (struct place){ .access = access, .cell = cell, .byte = byte, .whole = bytes,
		             .times = passes_of(w, cell) };
	note_field(p, part);
	list_add(&w->place, p);
}

static bool begins_as(const char *name, const char *const *with)
{
	while (*with && !name_begins(name, *with))
		with++;
	return *with;
}

/* Bytes that a helper moves: its name says so, or what else it is given. */
static int64_t bytes_handed(const struct kx *call, const struct kx *pointer)
{
	const char *number = call->name + strcspn(call->name, "0123456789");
	int64_t bytes = type_size(pointer->type.type);
	if (number[-1] == '_')
		return strtol(number, NULL, 10);
	for (int i = 0; i < call->n; i++)
		if (call->arg[i]->type.lanes > 1)
			bytes = type_size(call->arg[i]->type.type) * call->arg[i]->type.lanes;
	return bytes;
}

/* Helpers that copy, load or store say so in their names; patc_past only looks at the address. */
static void note_handed(struct walk *w, const struct kx *call, const struct kx *pointer)
{
	if (!strcmp(call->name, "patc_past"))
		return;
	static const char *const reads[] = { "patc_copy_", "patc_fill_", "patc_load_", "patc_once",
		                             "patc_shifted", "patc_get_row", NULL },
			  *const writes[] = { "patc_store_", "patc_pass", "patc_put_row", NULL };
	struct access access = { .write = begins_as(call->name, writes) };
	access.helper = !access.write && !begins_as(call->name, reads);
	int64_t bytes = access.helper ? type_size(pointer->type.type) : bytes_handed(call, pointer);
	note(w, pointer, pointer, value_of(&w->v, pointer), bytes, NULL, access);
}

/* A function of the program reads the array at places that data decide. */
static void note_walked(struct walk *w, const struct kx *pointer)
{
	note(w, pointer, pointer, lanes_of_kind(w->v.n, LANES_DATA),
	     type_size(pointer->type.type), NULL, (struct access){ .write = false });
}

/* An expression that is evaluated, or assigned to. */
static void see(struct walk *w, const struct kx *x, bool write)
{
	const struct kx *cell = x, *part = NULL;
	while (cell->kind == KX_FIELD || cell->kind == KX_LANE
	       || (cell->kind == KX_ELEM && !cell->table)) {
		part = cell->kind == KX_LANE ? NULL : cell;
		cell = cell->arg[0];
	}
	int64_t bytes = type_size(cell->type.type) * cell->type.lanes;
	struct access access = { .write = write };
	if (cell->kind == KX_AT)
		note(w, cell, cell->arg[0], value_byte(&w->v, cell), bytes, part, access);
	if (cell->kind == KX_VLOAD)
		note(w, cell, cell->arg[0], value_of(&w->v, cell->arg[0]), bytes, NULL, access);
	for (int i = 0; i < cell->n; i++)
		if (cell->arg[i]->type.pointer && cell->kind == KX_HELP)
			note_handed(w, cell, cell->arg[i]);
		else if (cell->arg[i]->type.pointer && cell->kind == KX_CALL)
			note_walked(w, cell->arg[i]);
	for (int i = 0; i < cell->n; i++)
		see(w, cell->arg[i], false);
	for (; x != cell; x = x->arg[0])
		for (int i = 1; i < x->n; i++)
			see(w, x->arg[i], false);
}

static struct lanes byte_stored(const struct walk *w, const struct ks *s)
{
	struct lanes at = value_of(&w->v, s->a),
		     bytes = lanes_number(w->v.n, type_size(s->b->type.type) * s->b->type.lanes);
	struct lanes number = s->c ? value_of(&w->v, s->c) : lanes_number(w->v.n, 0);
	number = lanes_operation(OP_MUL, &number, &bytes, NULL);
	return lanes_operation(OP_ADD, &at, &number, NULL);
}

static void note_statement(struct walk *w, const struct ks *s)
{
	const struct kx *seen[] = { s->a, s->b, s->c };
	if (s->kind == KS_VSTORE)
		note(w, x_vload(s->a, s->b->type.lanes), s->a, byte_stored(w, s),
		     type_size(s->b->type.type) * s->b->type.lanes, NULL,
		     (struct access){ .write = true });
	for (int i = 0; i < 3; i++)
		if (seen[i])
			see(w, seen[i], s->kind == KS_SET && i == 0);
	if (s->kind == KS_IF)
		w->found->branches += value_by_data(&w->v, s->a);
	bool loops = s->kind == KS_WHILE || s->kind == KS_FOR;
	w->found->loops += loops && (value_by_data(&w->v, s->a) || value_by_data(&w->v, s->b));
}

static void walk_list(struct walk *, const struct ks_list *, bool data);

/* A condition that is a number decides which body there is. */
static void walk_branches(struct walk *w, const struct ks *s, bool data)
{
	struct lanes condition = value_of(&w->v, s->a);
	int64_t holds;
	bool known = lanes_are_number(&condition, &holds);
	data |= condition.kind == LANES_DATA;
	if (!known || holds)
		walk_list(w, &s->body, data);
	if (!known || !holds)
		walk_list(w, &s->otherwise, data);
}

static void walk_list(struct walk *w, const struct ks_list *list, bool data)
{
	for (int i = 0; i < list->n; i++) {
		const struct ks *s = list->at[i];
		bool counts = s->kind == KS_FOR && s->a->kind == KX_INT && s->b->kind == KX_INT;
		values_statement(&w->v, s, data);
		if (w->judge)
			note_statement(w, s);
		if (s->kind == KS_IF) {
			walk_branches(w, s, data);
			continue;
		}
		if (counts)
			list_add(&w->loop, s);
		walk_list(w, &s->body, data);
		w->loop.n -= counts;
	}
}

/* ---- the kernel ---- */

static bool is_alike(const struct access *a, const struct access *b)
{
	return is_same_way(a, b) && a->kind == b->kind && a->stride == b->stride
	       && a->scale == b->scale;
}

static void merge(struct accesses *found, const struct access *a)
{
	for (int i = 0; i < found->at.n; i++)
		if (is_alike(&found->at.at[i], a)) {
			double moved = found->at.at[i].moved;
			found->at.at[i].moved = moved > a->moved ? moved : a->moved;
			return;
		}
	list_add(&found->at, *a);
}

enum { MOST_PASSES = 64 };               /* more than any kernel needs: what is left is not known */

struct accesses kir_accesses(const struct kernel *k)
{
	struct accesses found = { 0 };
	struct walk w = { .v = values_begin(k), .sector = k->target->sector, .found = &found };
	w.v.changed = true;
	for (int pass = 0; pass < MOST_PASSES && w.v.changed; pass++) {
		w.v.changed = false;
		walk_list(&w, &k->body, false);
	}
	w.judge = true;
	walk_list(&w, &k->body, false);
	for (int i = 0; i < w.place.n; i++) {
		judge(&w, w.place.at[i]);
		merge(&found, &w.place.at[i]->access);
	}
	values_end(&w.v);
	return found;
}
