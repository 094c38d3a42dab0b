/* sema_layout.c - `layout ...` after a parameter: what the caller has in memory (R20).
 *
 * Two questions are answered apart, each at most once, in any order: how cells follow one another
 * (row, col, both with a leading dimension, tiled(a, b), morton or hilbert), and where the fields
 * of a struct lie (aos, soa, aosoa(k)). Meaning and legality of a program do not depend on the
 * answers: relay.c acts on them, after both, lower_tile.c on tiles, lower_curve.c on curves. */
#include <string.h>

#include "sema_impl.h"

static bool wrong(const struct ast *a, const char *why, const char *cure)
{
	diag_error(a->at, D_LAYOUT, "%s", why);
	diag_cure("%s", cure);
	return false;
}

static bool superfluous(const struct ast *a, const char *why, const char *cure)
{
	wrong(a, why, cure);
	fix_leave_out(a->at);
	return false;
}

static bool is_word(const struct ast *a, const char *name, bool call)
{
	return a->kind == (call ? A_CALL : A_NAME) && !strcmp(a->name, name);
}

const struct ast *layout_ld(const struct ast_param *p)
{
	for (int k = 1; k < p->word.n; k++)
		if ((is_word(p->word.at[k], "row", true) || is_word(p->word.at[k], "col", true))
		    && p->word.at[k]->arg.n == 1)
			return p->word.at[k]->arg.at[0];
	return NULL;
}

/* ---- blocks of aosoa(k) ---- */

static struct field block_field(const struct field *f, int64_t cells)
{
	const struct type *value = f->type->kind == T_ARRAY ? f->type->elem : f->type;
	int64_t count = cells * type_size(f->type) / type_size(value);

	return (struct field){ .name = f->name, .type = type_array(value, 1, &count) };
}

static const struct field *block_fields(const struct record *of, int64_t cells)
{
	struct field *field = mem_new(sizeof *field * (size_t)(of->field.n + 1));
	for (int k = 0; k < of->field.n; k++)
		field[k] = block_field(&of->field.at[k], cells);
	return field;
}

/* struct Atom_x8: every field of Atom eight times.  One for all parameters that want it. */
static const struct record *block_record(struct sema *s, const struct record *of, int64_t cells,
                                         struct loc at)
{
	const char *name = str_name(str_print("%s_x%lld", of->name, (long long)cells));
	struct record *r;

	for (int k = 0; k < s->program->record.n; k++)
		if (s->program->record.at[k]->of == of && s->program->record.at[k]->name == name)
			return s->program->record.at[k];
	r = record_made(name, of->field.n, block_fields(of, cells));
	r->at = at;
	r->of = of;
	r->made = false;                     /* the header declares it */
	list_add(&s->program->record, r);
	return r;
}

const struct record *layout_blocks(const struct record *of, int64_t cells)
{
	const char *name = str_print("patc_%s_x%lld", of->name, (long long)cells);
	const struct type *t = type_made(name, of->field.n, block_fields(of, cells));
	((struct record *)t->record)->of = of;
	return t->record;
}

static bool blocks_check(struct sema *s, const struct ast *a, const struct var *v, struct layout *l)
{
	struct affine k;

	if (a->arg.n != 1)
		return wrong(a, "`aosoa` takes one number",
		             "`layout aosoa(8)`: blocks of eight cells");
	if (!extent_check(s, a->arg.at[0], &k))
		return false;
	if (k.n || k.constant < 1 || k.constant > LAYOUT_CELLS)
		return wrong(a,
		             str_print("the block size of aosoa must be a constant from 1 to %d",
		                       LAYOUT_CELLS),
		             "`layout aosoa(8)`: blocks of eight cells");
	l->block = k.constant;
	l->record = block_record(s, v->type->record, k.constant, a->at);
	return true;
}

static bool fields_check(struct sema *s, const struct ast *a, const struct var *v, struct layout *l,
                         bool *told)
{
	if (*told)
		return superfluous(a, "the layout of the fields is given twice",
		                   "choose one of `aos`, `soa`, `aosoa(k)`");
	*told = true;
	if (v->type->kind != T_STRUCT)
		return wrong(a,
		             str_print("`%s` is for arrays of structs, but the cells of `%s` are "
		                       "%s",
		                       a->name, v->name, type_name(v->type)),
		             "leave it out, or use `row` or `col`");
	if (is_word(a, "soa", false))
		l->block = -1;
	return a->kind != A_CALL || blocks_check(s, a, v, l);
}

/* ---- row, col and the leading dimension ---- */

static bool ld_check(struct sema *s, const struct ast *a, const struct var *v, struct layout *l)
{
	const struct affine *row = &v->extent[l->col ? 0 : v->rank - 1];
	const char *what = l->col ? "column" : "row";

	if (a->arg.n != 1)
		return wrong(a, str_print("`%s` takes one leading dimension", a->name),
		             "`layout row(ld)`");
	if (v->rank < 2)
		return wrong(a,
		             str_print("`%s` has one axis, so a %s has no leading dimension",
		                       v->name, what),
		             "a leading dimension needs an array of two axes or more");
	if (!extent_check(s, a->arg.at[0], &l->ld))
		return false;
	struct affine more = l->ld;
	if (affine_add(&more, row, -1) && !more.n && more.constant < 0)
		return wrong(a,
		             str_print("the leading dimension is %lld smaller than a %s",
		                       -(long long)more.constant, what),
		             "it is the number of elements from one to the next");
	l->pitched = !affine_equal(&l->ld, row);
	return true;
}

/* ---- tiles ---- */

static bool tiles_check(struct sema *s, const struct ast *a, const struct var *v, struct layout *l)
{
	static const char *const cure = "`layout tiled(8, 8)`: tiles of eight rows and eight "
	                                "columns";

	if (v->rank < 2)
		return wrong(a, str_print("`%s` has one axis, but a tile needs two", v->name),
		             "tiles need an array of two axes or more");
	if (a->kind != A_CALL || a->arg.n != 2)
		return wrong(a, "`tiled` takes two numbers, the rows and the columns of a tile",
		             cure);
	for (int k = 0; k < 2; k++) {
		struct affine cells;
		if (!extent_check(s, a->arg.at[k], &cells))
			return false;
		if (cells.n || cells.constant < 1 || cells.constant > LAYOUT_CELLS)
			return wrong(a->arg.at[k],
			             str_print("the rows and columns of a tile must be constants "
			                       "from 1 to %d",
			                       LAYOUT_CELLS),
			             cure);
		l->tile[k] = cells.constant;
	}
	return true;
}

/* ---- curves ---- */

static bool no_side(const struct ast *a, const struct var *v)
{
	diag_error(a->at, D_LAYOUT, "the sides of `%s` are not equal, or not a power of two",
	           v->name);
	diag_cure("for example `x: f32[n, n] layout %s`, with 64 for n", a->name);
	return false;
}

/* Sizes are tested at the call, what is constant here. */
static bool curve_check(const struct ast *a, const struct var *v, struct layout *l)
{
	if (a->kind == A_CALL)
		return wrong(a, str_print("`%s` takes no value", a->name),
		             "its sides are those of the array");
	if (v->rank != 2 && v->rank != 3)
		return wrong(a,
		             str_print("`%s` is for two or three axes, and `%s` has %d", a->name,
		                       v->name, v->rank),
		             "`layout tiled(8, 8)` keeps near cells together, too");
	for (int k = 0; k < v->rank; k++) {
		struct affine more = v->extent[k];
		int64_t side = more.constant;
		if (!more.n && (side < 0 || (side & (side - 1))))
			return no_side(a, v);
		if (affine_add(&more, &v->extent[0], -1) && !more.n && more.constant)
			return no_side(a, v);
	}
	l->curve = !strcmp(a->name, "morton") ? CURVE_MORTON : CURVE_HILBERT;
	return true;
}

static bool order_check(struct sema *s, const struct ast *a, const struct var *v, struct layout *l,
                        bool *told)
{
	if (*told)
		return superfluous(a, "the order of the cells is given twice",
		                   "choose one of `row`, `col`, `tiled`, `morton` and `hilbert`");
	*told = true;
	if (!strcmp(a->name, "tiled"))
		return tiles_check(s, a, v, l);
	if (!strcmp(a->name, "morton") || !strcmp(a->name, "hilbert"))
		return curve_check(a, v, l);
	l->col = !strcmp(a->name, "col");
	return a->kind != A_CALL || ld_check(s, a, v, l);
}

/* ---- a parameter's words ---- */

static bool word_check(struct sema *s, const struct ast *a, const struct var *v, struct layout *l,
                       bool told[2])
{
	bool call = a->kind == A_CALL;

	if (is_word(a, "row", call) || is_word(a, "col", call) || is_word(a, "tiled", call)
	    || is_word(a, "morton", call) || is_word(a, "hilbert", call))
		return order_check(s, a, v, l, &told[0]);
	if (is_word(a, "aos", false) || is_word(a, "soa", false) || is_word(a, "aosoa", true))
		return fields_check(s, a, v, l, &told[1]);
	if (is_word(a, "aosoa", false))
		return wrong(a, "`aosoa` takes one number",
		             "`layout aosoa(8)`: blocks of eight cells");
	if (is_word(a, "aos", true) || is_word(a, "soa", true))
		return wrong(a, str_print("`%s` takes no value", a->name),
		             "blocks of k cells are `aosoa(k)`");
	return wrong(a, str_print("no layout `%s`", ast_text(a)),
	             "`row`, `col`, `row(ld)`, `col(ld)`, `tiled(a, b)`, `morton`, `hilbert`; for "
	             "structs `aos`, `soa`, `aosoa(k)`");
}

bool layout_check(struct sema *s, const struct ast_param *p, struct var *v)
{
	const struct ast *first = p->word.n ? p->word.at[0] : NULL;
	struct layout *l = NEW(struct layout);
	bool told[2] = { false };

	if (!first)
		return true;
	if (!is_word(first, "layout", false)) {
		diag_error(first->at, D_PARAM_MODE,
		           "`%s` is not allowed after the type of a parameter, only `layout` is",
		           ast_text(first));
		diag_cure("`x: f32[n, m] layout col`, for instance");
		return false;
	}
	if (p->word.n == 1)
		return superfluous(first, "`layout` without a name",
		                   "`layout row` is the default");
	if (!v->rank) {
		wrong(first, str_print("`%s` is a scalar: it has no layout", v->name),
		      "leave it out");
		fix_leave_out_rest(first->at, p->word.at[p->word.n - 1]->at);
		return false;
	}
	for (int k = 1; k < p->word.n; k++)
		if (!word_check(s, p->word.at[k], v, l, told))
			return false;
	if (l->tile[0] && l->block)
		return wrong(first, "a tiled array stores whole structs",
		             "remove the layout of the fields, or write `aos`");
	if (l->curve && l->block)
		return wrong(first, "an array along a curve stores whole structs",
		             "remove the layout of the fields, or write `aos`");
	if ((l->col && v->rank > 1) || l->pitched || l->block || l->tile[0] || l->curve)
		v->layout = l;
	return true;
}

/* Of two parameters: may a swap exchange their pointers? */
bool layout_same(const struct var *a, const struct var *b)
{
	static const struct layout rows;
	const struct layout *x = a->layout ? a->layout : &rows, *y = b->layout ? b->layout : &rows;

	return x->col == y->col && x->pitched == y->pitched && x->block == y->block
	       && x->tile[0] == y->tile[0] && x->tile[1] == y->tile[1] && x->curve == y->curve
	       && (!x->pitched || affine_equal(&x->ld, &y->ld));
}

/* ---- names in C: every field of an soa parameter is one of its own ---- */

struct taken { const char *name, *of; struct loc at; };
struct names { LIST(struct taken) at; };

static void name_add(struct names *names, const char *name, const char *of, struct loc at,
                     bool part)
{
	for (int k = 0; part && k < names->at.n; k++)
		if (!strcmp(names->at.at[k].name, name)) {
			diag_error(at, D_DUPLICATE, "%s and %s would both be `%s` in C",
			           names->at.at[k].of, of, name);
			diag_note(names->at.at[k].at, "the other one");
			return;
		}
	list_add(&names->at, ((struct taken){ name, of, at }));
}

void layout_names(const struct entry *e)
{
	struct names names = { 0 };

	for (int k = 0; k < e->size.n; k++)
		name_add(&names, e->size.at[k]->name, "the size", e->size.at[k]->at, false);
	for (int k = 0; k < e->param.n; k++)
		name_add(&names, e->param.at[k]->name, "the parameter", e->param.at[k]->at, false);
	for (int k = 0; k < e->param.n; k++) {
		const struct var *v = e->param.at[k];
		for (int f = 0; v->layout && v->layout->block < 0 && f < v->type->record->field.n;
		     f++) {
			const char *field = v->type->record->field.at[f].name;
			name_add(&names, part_name(v, &v->type->record->field.at[f]),
			         str_print("field `%s` of `%s`", field, v->name), v->at, true);
		}
	}
}
