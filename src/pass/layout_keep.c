/* layout_keep.c - stores a caller's array in another layout while the kernel runs, between two
 * conversions.
 *
 *     kernel f(inout c: P[n]) { BODY } becomes kernel f(inout c: P[n]) { let c_kept: P[n]; map
 *     c_kept[i] = c[i]; BODY of c_kept; map c[i] = c_kept[i]; }
 *
 * Needs: fused statements, so that nothing is fused with the conversions, and temporaries that a
 * swap or a statement would have had anyway are what they were.  Leaves: maps as sema would make
 * them, which relay.c and the passes after it take as any other: structs between rows and fields
 * through shared memory, columns by tiles that turn.
 *
 * No expression is rewritten: what all statements, loops and swaps already mean by the variable
 * becomes a temporary, and the caller's array gets a variable of its own, which the two maps alone
 * name.
 *
 * Rule: converted in unless the first statement that uses it fills it (what nobody writes keeps
 * what the caller had), converted out unless it is an input.  Both stand outside every loop. Cost:
 * each conversion reads and writes the array once; the temporary takes its place in the workspace.
 * */
#include "front.h"
#include "layout_keep.h"
#include "ask.h"
#include "remark.h"

enum { FIRST_INDEX = 1 << 30 };          /* ids after those of everything declared */

/* ---- what is converted ---- */

static bool fills_first(const struct node *node, const struct var *v)
{
	return node_fills(node, v) && !node_reads(node, v) && !node_checked(node);
}

static bool uses(const struct node *node, const struct var *v)
{
	bool found = node->swap[0] == v || node->swap[1] == v || node_reads(node, v)
	             || node_writes(node, v);
	for (int i = 0; i < node->body.n; i++)
		found = found || uses(node->body.at[i], v);
	return found;
}

/* A loop may make no pass. */
static bool shows_old(const struct entry *entry, const struct var *v)
{
	for (int i = 0; i < entry->body.n; i++)
		if (uses(entry->body.at[i], v))
			return !fills_first(entry->body.at[i], v);
	return true;
}

struct conversion layout_conversion(const struct entry *entry, const struct var *v)
{
	return (struct conversion){ shows_old(entry, v), v->mode != MODE_IN };
}

/* ---- to[i, j] = from[i, j] ---- */

static struct var *index_new(const struct var *of, int axis)
{
	static const char *const name[MAX_RANK] = { "i", "j", "k", "l", "i4", "i5", "i6", "i7" };
	struct var *v = NEW(struct var);
	*v = (struct var){ .kind = VAR_INDEX,
		           .name = str_name(name[axis]),
		           .id = FIRST_INDEX + axis,
		           .at = of->at,
		           .type = type_scalar(T_I64) };
	return v;
}

static struct expr *cell_of(struct var *v, const struct node *node)
{
	struct expr *sub[MAX_RANK];
	for (int a = 0; a < v->rank; a++)
		sub[a] = expr_var(node->index.at[a], v->at);
	return expr_read(v, sub, v->at);
}

static struct node *copy_new(struct var *to, struct var *from, const char *of, const char *way)
{
	struct node *node = NEW(struct node);
	struct equation *eq = NEW(struct equation);
	*node = (struct node){
		.kind = NODE_PATTERN, .at = to->at, .pattern = pattern_assign, .whole = true
	};
	node->name = str_name(str_print("%s_%s", of, way));
	for (int a = 0; a < to->rank; a++) {
		list_add(&node->index, index_new(to, a));
		list_add(&node->lo, expr_int(type_scalar(T_I64), 0, to->at));
		list_add(&node->hi, extent_expr(&to->extent[a], to->at));
	}
	eq->at = to->at;
	list_add(&eq->target, cell_of(to, node));
	eq->right = cell_of(from, node);
	list_add(&node->equation, eq);
	remark_none(node, PASS_FUSE,
	            "it converts `%s` between the caller's layout and the kernel's", of);
	return node;
}

/* ---- the two variables ---- */

static struct var *theirs_new(struct entry *entry, const struct var *v)
{
	struct var *theirs = NEW(struct var);
	*theirs = *v;
	for (int p = 0; p < entry->param.n; p++)
		if (entry->param.at[p] == v)
			entry->param.at[p] = theirs;
	return theirs;
}

static void put_first(struct entry *entry, struct node *node)
{
	list_add(&entry->body, node);
	for (int i = entry->body.n - 1; i > 0; i--)
		entry->body.at[i] = entry->body.at[i - 1];
	entry->body.at[0] = node;
}

void layout_keep(struct entry *entry, struct var *v, struct conversion of)
{
	struct var *theirs = theirs_new(entry, v);
	v->kind = VAR_LET;
	v->mode = MODE_INOUT;
	v->name = str_name(str_print("%s_kept", theirs->name));
	v->layout = NULL;
	list_add(&entry->let, v);
	if (of.in)
		put_first(entry, copy_new(v, theirs, theirs->name, "in"));
	if (of.out)
		list_add(&entry->body, copy_new(theirs, v, theirs->name, "out"));
}
