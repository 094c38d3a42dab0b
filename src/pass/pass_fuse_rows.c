/* pass_fuse_rows.c - statements that follow each other and run over the same rows become one
 * kernel: softmax.
 *
 * Needs: what pass_fuse.c leaves.  Leaves: groups of mates, anchored at their first fold, and the
 * temporaries of which a row needs one cell only: they are held on chip.
 *
 * A member folds the row, maps its cells, or maps what has been folded: its first indices are those
 * of the anchor's cells, over the same ranges, and its terms or cells are those of the anchor's
 * terms.  Sizes alone bound them, so that every row has the same length.
 *
 * Legal: an array that a member writes is used by all members in the row at hand only, in the first
 * subscripts as its own indices.  Then rows do not meet, and within a row the members run one after
 * another as written.
 *
 * Pays: a statement that uses an array which those before it use finds the row in a cache, or on
 * chip; the lowering sees to it that nothing is lost where rows are few (reduce_mates.c).  One that
 * shares nothing ends the group.  A strict statement stays apart: what it reads has been rounded
 * and stored. */
#include "ask.h"
#include "pass.h"
#include "pass_fuse.h"
#include "remark.h"

enum { MOST_MATES = 8 };            /* of a kernel: code, and shared memory for the folds of each */

struct rows {
	struct node *anchor;
	int kept;                            /* indices of a row */
	const struct fold *terms;
	LIST(struct node *) mate;
};

/* ---- one statement ---- */

static bool is_fold(const struct node *node)
{
	return expr_has_fold(node->equation.at[0]->right);
}

static const struct fold *terms_of(const struct node *node)
{
	struct folds folds = { .n = 0 };
	folds_of(node->equation.at[0]->right, &folds);
	return folds.at[0]->fold;
}

static bool same_end(const struct expr *a, const struct expr *b)
{
	return expr_by_sizes(a) && ends_equal(a, b);
}

static bool same_range(const struct expr *lo, const struct expr *hi, const struct expr *lo2,
                       const struct expr *hi2)
{
	return same_end(lo, lo2) && same_end(hi, hi2);
}

static bool same_rows(const struct rows *r, const struct node *node)
{
	const struct fold *t = r->terms;
	bool same = node->index.n == r->kept || (!is_fold(node) && node->index.n == r->kept + 1);
	for (int d = 0; same && d < r->kept; d++)
		same = same_range(node->lo.at[d], node->hi.at[d], r->anchor->lo.at[d],
		                  r->anchor->hi.at[d]);
	if (same && node->index.n > r->kept)
		same = same_range(node->lo.at[r->kept], node->hi.at[r->kept], t->lo.at[0],
		                  t->hi.at[0]);
	if (same && is_fold(node))
		same = same_range(t->lo.at[0], t->hi.at[0], terms_of(node)->lo.at[0],
		                  terms_of(node)->hi.at[0]);
	return same;
}

/* Cells of the row lie one after another, and an array that loops exchange keeps its order. */
static bool plain_array(struct expr *e, void *state)
{
	struct map *users = state;
	if (e->kind != E_READ || !e->var->rank)
		return true;
	if (layout_turns(e->var))
		return false;
	const struct users *u = map_get(users, e->var);
	for (int i = 0; u && e->var->kind == VAR_LET && i < u->at.n; i++)
		if (u->at.at[i]->kind == NODE_SWAP)
			return false;
	return true;
}

static bool has_rows(const struct node *node)
{
	return node->kind == NODE_PATTERN && (node->pattern->fuse & FUSE_ROWS) && !node->group
	       && node->index.n && (node->pattern->rows || !is_fold(node));
}

static const char *no_member(struct map *users, const struct node *node)
{
	if (node_checked(node))
		return "it has accesses that are tested at run time";
	if (node_clause(node, "strict"))
		return "it is strict, so it reads rounded values";
	if (is_fold(node) && node->pattern->rows->unfit(node))
		return node->pattern->rows->unfit(node);
	if (node->where && is_fold(node))
		return "it is masked, but its folds are not";
	if (!node_walk((struct node *)node, plain_array, users))
		return "one of its arrays is stored in another layout, or swapped";
	return NULL;
}

/* ---- two statements ---- */

struct own { const struct node *node; const struct var *var; int kept; };

static bool own_row(struct expr *e, void *state)
{
	const struct own *o = state;
	if (e->kind != E_READ || e->var != o->var)
		return true;
	for (int d = 0; d < o->kept; d++)
		if (d >= e->var->rank || e->arg.at[d]->kind != E_VAR
		    || e->arg.at[d]->var != o->node->index.at[d])
			return false;
	return true;
}

/* Every target of a that b uses is used in the row at hand only, by both. */
static const char *no_own_rows(const struct rows *r, const struct node *a, const struct node *b)
{
	for (int t = 0; node_target(a, t); t++) {
		const struct var *var = target_read(node_target(a, t))->var;
		struct own mine = { a, var, r->kept }, other = { b, var, r->kept };
		if (!node_reads(b, var) && !node_writes(b, var))
			continue;
		if (!node_walk((struct node *)a, own_row, &mine)
		    || !node_walk((struct node *)b, own_row, &other))
			return str_print("`%s` is used in rows other than the current one",
			                 var->name);
	}
	return NULL;
}

static bool used_array(struct expr *e, void *state)
{
	const struct node *other = state;
	return e->kind != E_READ || !e->var->rank
	       || (!node_reads(other, e->var) && !node_writes(other, e->var));
}

static const char *no_mate(struct map *users, const struct rows *r, struct node *node)
{
	const char *why = no_member(users, node);
	bool shares = false;
	if (!why && !same_rows(r, node))
		why = str_print("its rows are not those of `%s`", r->anchor->name);
	if (!why && r->mate.n == MOST_MATES)
		why = str_print("%d statements share those rows already", MOST_MATES);
	for (int i = 0; !why && i < r->mate.n; i++) {
		why = no_own_rows(r, node, r->mate.at[i]);
		why = why ? why : no_own_rows(r, r->mate.at[i], node);
		shares |= !node_walk(node, used_array, r->mate.at[i]);
	}
	if (!why && r->mate.n && !shares)
		why = "it uses no array that the statements before it use";
	return why;
}

/* ---- what stays on chip ---- */

static bool is_mate(const struct rows *r, const struct node *node)
{
	for (int i = 0; i < r->mate.n; i++)
		if (r->mate.at[i] == node)
			return true;
	return false;
}

static bool can_hold(struct map *users, const struct rows *r, const struct var *var)
{
	const struct users *u = map_get(users, var);
	if (var->kind != VAR_LET || var->rank != r->kept || var->type->kind == T_STRUCT)
		return false;
	for (int i = 0; i < u->at.n; i++)
		if (!is_mate(r, u->at.at[i]))
			return false;
	for (int i = 0; i < r->mate.n; i++)
		if (node_reads(r->mate.at[i], var) || node_writes(r->mate.at[i], var))
			return node_fills(r->mate.at[i], var) && !node_reads(r->mate.at[i], var);
	return false;
}

/* A temporary of rows that the group writes first, and nobody else uses. */
static bool is_inner(struct map *users, const struct rows *r, const struct var *var)
{
	const struct users *u = map_get(users, var);
	if (var->kind != VAR_LET || var->rank != r->kept + 1)
		return false;
	for (int i = 0; i < u->at.n; i++)
		if (!is_mate(r, u->at.at[i]))
			return false;
	return true;
}

static void hold(struct map *users, const struct rows *r, struct group *group,
                 const struct options *o)
{
	int64_t room = o->target->shared_bytes / 2;      /* the rest is for the folds */
	for (int i = 0; i < r->mate.n; i++)
		for (int t = 0; node_target(r->mate.at[i], t); t++) {
			struct var *var = target_read(node_target(r->mate.at[i], t))->var;
			int64_t bytes = type_size(var->type) * o->target->block;
			bool known = false;
			for (int h = 0; h < group->held.n; h++)
				known |= group->held.at[h] == var;
			if (is_inner(users, r, var))
				list_add(&group->inner, var);
			if (known || !can_hold(users, r, var) || (o->target->gpu && bytes > room))
				continue;
			room -= bytes;
			list_add(&group->held, var);
			var->on_chip = !group->apart;
		}
}

/* ---- groups ---- */

static const char *in_one_pass(const struct group *group)
{
	for (int i = 0; i < group->mate.n; i++)
		if (group->mate.at[i]->pattern->rows)
			return group->mate.at[i]->pattern->rows->in_one_pass(group);
	return NULL;
}

static void tell(const struct rows *r, const struct group *group, const struct target *target)
{
	const char *held = "", *together = target->gpu ? in_one_pass(group) : NULL;
	for (int h = 0; h < group->held.n; h++)
		held = str_print("%s%s`%s`", held, h ? ", " : "", group->held.at[h]->name);
	const char *chip =
		*held ? str_print("; of %s only the current row is kept, on the chip", held) : "";
	const char *pass = together ? str_print("; %s fold a row in one pass", together) : "";
	remark_did(r->anchor, PASS_FUSE, BANDWIDTH,
	           "%d statements share its rows, which later ones find in a cache%s%s",
	           group->mate.n, pass, chip);
}

static void make_group(struct map *users, const struct rows *r, const struct options *o)
{
	struct group *group = NEW(struct group);
	group->anchor = r->anchor;
	group->apart = o->target->gpu;
	for (int i = 0; i < r->mate.n; i++) {
		struct node *node = r->mate.at[i];
		list_add(&group->mate, node);
		node->group = group;
		group->apart &= node->pin.fuse == 0;
	}
	hold(users, r, group, o);
	tell(r, group, o->target);
	for (int i = 0; i < r->mate.n; i++)
		if (r->mate.at[i] != r->anchor) {
			remark_did(r->mate.at[i], PASS_FUSE, BANDWIDTH,
			           "computed row by row with `%s`: "
			           "the rows are in a cache",
			           r->anchor->name);
			fuse_join(r->mate.at[i], r->anchor);
		}
}

static bool may_join(struct map *users, const struct node *node)
{
	return has_rows(node) && node->pin.fuse >= 0 && !no_member(users, node);
}

/* Where the maps from i on end: at a fold of rows, which is the anchor, or at what shares no rows.
 * */
static int maps_end(struct map *users, const struct body *b, int i)
{
	while (i < *b->n && may_join(users, b->at[i]) && !is_fold(b->at[i]))
		i++;
	return i;
}

/* Those from i on that share the rows; the first that does not is told why. */
static void find_mates(struct map *users, struct rows *r, const struct body *b, int i)
{
	for (; i < *b->n && has_rows(b->at[i]) && b->at[i]->pin.fuse >= 0; i++) {
		const char *why = no_mate(users, r, b->at[i]);
		if (why) {
			bool shares = !node_walk(b->at[i], used_array, r->anchor);
			(shares ? remark_not : remark_none)(b->at[i], PASS_FUSE,
			                                    "it does not share the rows of `%s`: "
			                                    "%s", r->anchor->name, why);
			return;
		}
		list_add(&r->mate, b->at[i]);
	}
}

static bool reads_folded(const struct node *next, const struct node *node)
{
	for (int t = 0; node_target(node, t); t++)
		if (node_reads(next, target_read(node_target(node, t))->var))
			return true;
	return false;
}

/* Why a fold begins no rows that the statement after it, which reads what it folds, could share.
 * */
static void tell_alone(struct map *users, const struct body *b, int i)
{
	struct node *node = b->at[i], *next = i + 1 < *b->n ? b->at[i + 1] : NULL;
	const char *why = has_rows(node) && is_fold(node) && node->pin.fuse >= 0
	                          ? no_member(users, node)
	                          : NULL;
	if (why && next && has_rows(next) && reads_folded(next, node))
		remark_not(node, PASS_FUSE, "`%s` does not share its rows: %s", next->name, why);
}

void fuse_rows(struct map *users, const struct body *b)
{
	for (int i = 0, end = -1; i < *b->n; i++) {
		if (end < i)                         /* else it is still the same fold */
			end = maps_end(users, b, i);
		if (end == *b->n || !may_join(users, b->at[end])) {
			if (end < *b->n)
				tell_alone(users, b, end);
			i = end;
			continue;
		}
		struct rows r = { .anchor = b->at[end] };
		r.kept = r.anchor->index.n;
		r.terms = terms_of(r.anchor);
		find_mates(users, &r, b, i);
		if (r.mate.n < 2 || !is_mate(&r, r.anchor))
			continue;
		make_group(users, &r, b->options);
		i = end = i + r.mate.n - 1;
	}
}
