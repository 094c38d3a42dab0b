/* reduce_online.c - statements of a row that follow each other and fold it, in one pass over the
 * row: the fewest passes where it does not stay on chip.
 *
 * A fold that uses nothing of what the others find is folded beside them. One whose terms use what
 * an earlier statement folds, its reference M, takes for M what the thread has found so far, and
 * moves what it has folded whenever that changes:
 *
 *   scales     sum w * exp(k * (x - M)), where M comes of max x: times exp(k * (M - M')), if k >
 *              0.  Softmax.
 *   spreads    sum (x - M)^2, where M comes of sum x, a mean: about its own mean c a thread has S =
 *              sum (x - c)^2 of n terms, and about M S + n (c - M)^2.  Variance, layer-norm.
 *
 * References move once for the terms that a thread has at hand, up to four vectors, not for each
 * term.  At the row's end each thread moves what it has to the M of the whole row, which its
 * equation then knows, whatever else that does; sums of threads are sums again.  So M need not be
 * the maximum or the mean: closer ones lose fewer digits.
 *
 * Where M is not finite, or k is not positive, threads fold the row once more as written:
 * infinities and NaN come out as in two passes.  Until it has seen a finite x a thread scales
 * against the least number there is, so that a first -inf is nothing rather than NaN.
 *
 * Sources: M. Milakov, N. Gimelshein, "Online normalizer calculation for softmax" (2018); T. Chan,
 * G. Golub, R. LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances"
 * (1979). */
#include "reduce_online.h"
#include "scaling.h"
#include "small.h"

enum { MOST_FOLDS = 8 };                 /* of struct folds */
enum how { STAYS, SCALES, SPREADS };

struct move {                        /* of a fold's partial result, from one reference to another */
	enum how how;
	const struct expr *read;             /* M, as the terms have it */
	int by;                              /* the fold that it comes of */
	struct scaling scale;
};
struct reference {                       /* on one thread */
	struct kvar *at;                     /* NULL: nothing moves with this fold */
	/* spreads: terms after `at`, a float; no row that blocks take whole has 2^32 */
	struct kvar *count;
	struct accumulator tile;             /* what the terms at hand sum up to, */
	/* their mean, its distance from `at` so far, and what the distance counts */
	struct kx *mean, *gone, *weight;
};
struct online {
	struct reduction all;                /* first: all folds of the statements */
	const struct group *group;
	int first, n;                        /* statements */
	int mate[MOST_FOLDS];                /* of each fold */
	struct move move[MOST_FOLDS];
	struct reference reference[MOST_FOLDS];
};

/* ---- what a term is ---- */

/* (x - M)^2 in the type of M */
static bool is_square(const struct expr *x, const struct var *m, const struct expr *term)
{
	const struct expr *e = scaling_bare(term);
	return e->kind == E_BINARY && e->op == OP_MUL && is_distance(e->arg.at[0], x, m)
	       && is_distance(e->arg.at[1], x, m) && term->type == m->type
	       && e->type == m->type && !is_small(m->type);
}

/* ---- which statements ---- */

/* e with the row's indices as the first statement calls them: what they read is the same, then. */
static struct expr *renamed(const struct online *o, struct expr *e, const struct node *node)
{
	struct expr *to[MAX_RANK];
	const struct node *first = o->group->mate.at[o->first];
	for (int d = 0; d < node->index.n; d++)
		to[d] = expr_var(first->index.at[d], node->at);
	return expr_substitute(e, node->index.at, to, node->index.n);
}

/* The term of a fold as another one of the row would write it. */
static const struct expr *term_in(const struct expr *fold, const struct expr *other)
{
	struct expr *to = expr_var(other->fold->index.at[0], other->at);
	return expr_substitute(fold->arg.at[0], fold->fold->index.at, &to, 1);
}

static bool find_shape(const struct online *o, struct move *move, const struct expr *e, int by)
{
	const struct expr *fold = o->all.folds.at[by];
	const struct node *of = o->group->mate.at[o->mate[by]];
	const struct var *m = target_read(of->equation.at[0]->target.at[0])->var;
	const struct expr *x = term_in(fold, e);
	if (e->fold->op->kind != OPK_SUM || type_class(e->type) != 'F' || e->fold->where
	    || fold->fold->where)
		return false;
	move->by = by;
	if (fold->fold->op->kind == OPK_MAX && type_class(fold->type) == 'F'
	    && scaling_find(&move->scale, e->arg.at[0], e->fold, x, m))
		move->how = SCALES;
	else if (fold->fold->op->kind == OPK_SUM && fold->type == m->type && e->type == m->type
	         && is_square(x, m, e->arg.at[0]))
		move->how = SPREADS;
	return move->how != STAYS;
}

/* The read of var in e, or NULL. */
struct search { const struct var *var; const struct expr *read; };

static bool see_read(struct expr *e, void *state)
{
	struct search *s = state;
	if (e->kind == E_READ && e->var == s->var)
		s->read = e;
	return !s->read;
}

/* Does it go in one pass with those before it, and how; `by` is the fold of theirs that it waits
 * for. */
static bool find_move(const struct online *o, struct move *move, struct expr *e)
{
	for (int f = 0; f < o->all.folds.n; f++) {
		const struct node *of = o->group->mate.at[o->mate[f]];
		for (int t = 0; node_target(of, t); t++) {
			struct search s = { .var = target_read(node_target(of, t))->var };
			expr_walk(e, see_read, &s);
			if (!s.read || move->read == s.read)
				continue;
			bool single = of->equation.n == 1 && !node_target(of, 1)
			              && s.var->rank == of->index.n;
			if (move->read || !single || !find_shape(o, move, e, f))
				return false;
			move->read = s.read;
		}
	}
	return true;
}

/* Its folds join the pass, or none of them does. */
static bool join(struct online *o, int mate)
{
	const struct node *node = o->group->mate.at[mate];
	struct reduction *r = mate_folds(node) ? mates_reduction(node) : NULL;
	struct online with = *o;
	if (!r || r->ordered || o->all.folds.n + r->folds.n > MOST_FOLDS)
		return false;
	for (int f = 0; f < r->folds.n; f++) {
		int at = o->all.folds.n + f;
		with.move[at] = (struct move){ .how = STAYS };
		with.mate[at] = mate;
		with.all.folds.at[at] = renamed(o, r->folds.at[f], node);
		if (!find_move(o, &with.move[at], with.all.folds.at[at]))
			return false;
	}
	with.all.folds.n += r->folds.n;
	with.all.node = o->n ? o->all.node : node;
	with.all.domain = o->n ? o->all.domain : r->domain;
	with.n++;
	if (!folds_fit(&with.all.folds) || reduce_is_linear(&with.all) != reduce_is_linear(r))
		return false;
	*o = with;
	return true;
}

struct online *online_of(const struct group *group, int first)
{
	struct online *o = NEW(struct online);
	o->group = group;
	o->first = first;
	while (first + o->n < group->mate.n && join(o, first + o->n))
		;
	return o->n > 1 ? o : NULL;
}

int online_mates(const struct online *o)
{
	return o->n;
}

const char *rows_in_one_pass(const struct group *group)
{
	for (int i = 0; i < group->mate.n; i++) {
		const struct online *online = online_of(group, i);
		const char *names = "";
		for (int k = 0; online && k < online_mates(online); k++)
			names = str_print("%s%s%s", names, k ? ", " : "",
			                  group->mate.at[i + k]->name);
		if (online)
			return names;
	}
	return NULL;
}

/* ---- references, on one thread ---- */

static const struct var *reference_var(const struct online *o, int f)
{
	return target_read(o->group->mate.at[o->mate[f]]->equation.at[0]->target.at[0])->var;
}

/* Those that move with fold f; of none the end. */
static int next_moved(const struct online *o, int f, int at)
{
	while (at < o->all.folds.n && (o->move[at].how == STAYS || o->move[at].by != f))
		at++;
	return at;
}

static enum how how_moved(const struct online *o, int f)
{
	int at = next_moved(o, f, 0);
	return at < o->all.folds.n ? o->move[at].how : STAYS;
}

static void start(struct online *o)
{
	struct kernel *k = o->all.l->k;
	o->all.acc = folds_start(o->all.l, &o->all.folds);
	for (int f = 0; f < o->all.folds.n; f++) {
		struct reference *r = &o->reference[f];
		enum how how = how_moved(o, f);
		if (how == STAYS)
			continue;
		const struct type *type = reference_var(o, f)->type;
		double none = how == SCALES ? -float_limits(type)->most : 0;
		r->at = k_var(k, kt(type), how == SCALES ? "near" : "centre",
		              x_float(type->kind, none));
		if (how == SPREADS)
			r->count = k_var(k, kt(type), "count", x_float(type->kind, 0));
	}
}

/* What the terms read as M, from here on; returns what they did before. */
static struct kx *refer(struct lowering *l, const struct var *m, struct kx *x)
{
	for (int h = 0; h < l->held.n; h++)
		if (l->held.at[h].var == m) {
			struct kx *was = l->held.at[h].x;
			l->held.at[h].x = x;
			return was;
		}
	list_add(&l->held, ((struct binding){ m, x }));
	return NULL;
}

static void refer_back(struct lowering *l, const struct var *m, struct kx *was)
{
	if (was)
		refer(l, m, was);
	else
		l->held.n--;
}

static struct expr *as_real(struct expr *e)
{
	return is_small(e->type) ? expr_as(e, type_scalar(T_F32)) : e;
}

/* sum * factor(from, to), in the type of the sum */
static struct kx *scaled(struct lowering *l, const struct move *m, const struct accumulator *a,
                         struct kx *from, struct kx *to)
{
	struct var *sum = scaling_var("sum", a->of);
	lower_bind(l, m->scale.from, from);
	lower_bind(l, m->scale.to, to);
	lower_bind(l, sum, x_var(a->var));
	struct expr *was = as_real(expr_var(sum, m->read->at));
	struct expr *by = expr_as(m->scale.factor, was->type);
	return lower_expr(l, expr_as(expr_binary(OP_MUL, was, by), a->of));
}

/* The reference is the greatest term so far, or the least number. */
static void follow_top(struct online *o, int f)
{
	struct lowering *l = o->all.l;
	struct kernel *k = l->k;
	const struct accumulator *a = &o->all.acc.at[f];
	struct reference *r = &o->reference[f];
	const struct type *type = r->at->type.type;
	struct var *top = scaling_var("top", a->of);
	lower_bind(l, top,
	           lower_apply(l, a->op, a->of, x_var(a->var),
	                       x_float(a->of->kind, -float_limits(a->of)->most), false));
	struct kx *was = x_var(k_let(k, "was", x_var(r->at)));
	k_set(k, x_var(r->at), lower_expr(l, expr_as(expr_var(top, (struct loc){ 0 }), type)));
	const struct move *any = &o->move[next_moved(o, f, 0)];
	struct expr *from = as_real(expr_var(any->scale.from, any->read->at)),
		    *to = as_real(expr_var(any->scale.to, any->read->at));
	lower_bind(l, any->scale.from, was);
	lower_bind(l, any->scale.to, x_var(r->at));
	k_if(k, lower_expr(l, expr_binary(OP_LT, from, to)));
	for (int m = next_moved(o, f, 0); m < o->all.folds.n; m = next_moved(o, f, m + 1))
		k_set(k, x_var(o->all.acc.at[m].var),
		      scaled(l, &o->move[m], &o->all.acc.at[m], was, x_var(r->at)));
	k_end(k);
}

/* The reference of so many terms moves by what they are of all: their sum is known. */
static void follow_mean(struct online *o, int f, int64_t terms)
{
	struct kernel *k = o->all.l->k;
	struct reference *r = &o->reference[f];
	enum scalar type = r->at->type.type->kind;
	struct kx *many = x_float(type, (double)terms), *sum = x_var(r->tile.var);
	accumulate(o->all.l, &o->all.acc.at[f], sum);
	r->mean = terms == 1
	                  ? sum
	                  : x_var(k_let(k, "mean", x_mul(sum, x_float(type, 1 / (double)terms))));
	r->gone = x_var(k_let(k, "gone", x_sub(r->mean, x_var(r->at))));
	struct kx *share = x_var(k_let(k, "share", x_div(many, x_add(x_var(r->count), many))));
	r->weight = x_var(k_let(k, "weight", x_mul(x_var(r->count), share)));
	k_set(k, x_var(r->at), x_add(x_var(r->at), x_mul(r->gone, share)));
	k_set(k, x_var(r->count), x_add(x_var(r->count), many));
}

/* ---- the terms at hand ---- */

static void fold_standing(struct reduction *r)
{
	const struct online *o = (const struct online *)r;
	for (int f = 0; f < r->folds.n; f++)
		if (o->move[f].how == STAYS)
			fold_step(r->l, r->folds.at[f],
			          o->reference[f].count ? &o->reference[f].tile : &r->acc.at[f]);
}

/* About the mean of the terms at hand, or onto what is scaled to the greatest so far. */
static void fold_moving(struct reduction *r)
{
	const struct online *o = (const struct online *)r;
	for (int f = 0; f < r->folds.n; f++)
		if (o->move[f].how != STAYS)
			fold_step(r->l, r->folds.at[f],
			          o->move[f].how == SPREADS ? &o->reference[f].tile
			                                    : &r->acc.at[f]);
}

static void open_tile(struct online *o, int f)
{
	struct accumulator *tile = &o->reference[f].tile;
	if (!o->reference[f].count && o->move[f].how != SPREADS)
		return;
	*tile = o->all.acc.at[f];
	tile->var = k_var(o->all.l->k, kt(tile->type), o->reference[f].count ? "part" : "spread",
	                  accumulator_start(o->all.l, tile));
}

static void close_tile(struct online *o, int f)
{
	const struct reference *r = &o->reference[o->move[f].by];
	if (o->move[f].how != SPREADS)
		return;
	struct kx *between = x_mul(x_mul(r->gone, r->weight), r->gone);
	accumulate(o->all.l, &o->all.acc.at[f], x_add(x_var(o->reference[f].tile.var), between));
}

static void fold_together(struct reduction *r, const struct terms *t)
{
	struct online *o = (struct online *)r;
	struct kx *was[MOST_FOLDS];
	for (int f = 0; f < r->folds.n; f++)
		open_tile(o, f);
	reduce_each(r, t, fold_standing);
	for (int f = 0; f < r->folds.n; f++)
		if (o->reference[f].count)
			follow_mean(o, f, t->loads ? (int64_t)t->loads * r->width : 1);
		else if (o->reference[f].at)
			follow_top(o, f);
	bool moves = false;
	for (int f = 0; f < r->folds.n; f++) {
		const struct reference *at = &o->reference[f];
		moves |= at->at != NULL;
		if (at->at)
			was[f] = refer(r->l, reference_var(o, f),
			               at->count ? at->mean : x_var(at->at));
	}
	if (moves)
		reduce_each(r, t, fold_moving);
	for (int f = r->folds.n - 1; f >= 0; f--)
		if (o->reference[f].at)
			refer_back(r->l, reference_var(o, f), was[f]);
	for (int f = 0; f < r->folds.n; f++)
		close_tile(o, f);
}

/* ---- the row's end ---- */

static struct kx *is_sound(struct lowering *l, const struct move *m)
{
	struct expr *finite = expr_new(E_MATH, type_scalar(T_BOOL), m->read->at);
	finite->math = M_isfinite;
	list_add(&finite->arg, as_real((struct expr *)m->read));
	struct kx *all = lower_expr(l, finite);
	for (int p = 0; p < m->scale.positive.n; p++) {
		struct expr *factor = as_real(m->scale.positive.at[p]);
		all = x_and(all, lower_expr(l, expr_binary(OP_LT,
		                                           expr_float(factor->type, 0, factor->at),
		                                           factor)));
	}
	return all;
}

/* What the thread has folded moves to the M of the row. */
static void move_to_row(struct online *o, int f)
{
	struct lowering *l = o->all.l;
	const struct move *m = &o->move[f];
	const struct reference *r = &o->reference[m->by];
	const struct accumulator *a = &o->all.acc.at[f];
	struct kx *row = lower_expr(l, m->read);
	if (m->how == SCALES) {
		k_set(l->k, x_var(a->var), scaled(l, m, a, x_var(r->at), row));
		return;
	}
	struct kx *gone = x_var(k_let(l->k, "gone", x_sub(x_var(r->at), row)));
	accumulate(l, a, x_mul(x_mul(gone, x_var(r->count)), gone));
}

/* ---- kernels: rows.kernel ---- */

/* A statement of the pass; the first of its folds among all. */
struct part { struct mates *m; struct online *o; struct reduction *own; int first; };

static bool is_moved(const struct part *p, int f)
{
	return p->o->move[p->first + f].how != STAYS;
}

static struct kx *are_sound(struct lowering *l, const void *part, struct kx *const *none)
{
	const struct part *p = part;
	struct kx *all = NULL;
	(void)none;
	for (int f = 0; f < p->own->folds.n; f++)
		if (is_moved(p, f))
			all = x_and(all, is_sound(l, &p->o->move[p->first + f]));
	return all;
}

static struct kx *move_folds(struct lowering *l, const void *part, struct kx *const *none)
{
	const struct part *p = part;
	(void)l, (void)none;
	for (int f = 0; f < p->own->folds.n; f++)
		if (is_moved(p, f))
			move_to_row(p->o, p->first + f);
	return NULL;
}

static struct kx *fold_again(struct lowering *l, const void *part, struct kx *const *none)
{
	(void)none;
	reduce_enter(((const struct part *)part)->own, l);
	return NULL;
}

static void finish_mate(struct mates *m, struct online *o, int mate)
{
	struct reduction *own = mates_reduction(o->group->mate.at[mate]);
	struct kernel *k = m->l->k;
	struct part p = { m, o, own, 0 };
	bool moves = false;
	while (o->mate[p.first] != mate)
		p.first++;
	if (mate != o->first)
		mates_begin(m, own->node);
	own->l = m->l;
	own->acc.n = own->folds.n;
	for (int f = 0; f < own->folds.n; f++) {
		own->acc.at[f] = o->all.acc.at[p.first + f];
		moves |= is_moved(&p, f);
	}
	reduce_bind_calls(own);
	bind_accumulators(m->l, &own->acc);
	k_bind(k, "MOVES", moves);
	k_bind_calls(k, &p, { "is_sound", are_sound }, { "move_to_row", move_folds },
	             { "fold_again", fold_again });
	k_text(k, "finish_one_of_them");
}

static struct kx *start_online(struct lowering *l, const void *online, struct kx *const *none)
{
	(void)l, (void)none;
	start((struct online *)online);
	return NULL;
}

void online_gpu(struct mates *m, struct online *o)
{
	struct lowering *l = m->l;
	mates_begin(m, o->all.node);
	k_note(l->k, "one pass for %d statements that fold the row", o->n);
	reduce_enter(&o->all, l);
	o->all.together = fold_together;
	reduce_bind_range(&o->all, reduce_vectors_allowed(&o->all, m->host_terms));
	k_bind_call(l->k, "start_online", start_online, o);
	k_text(l->k, "fold_in_one_pass");
	l->now.read = NULL;
	for (int q = 0; q < o->n; q++) {
		if (q)
			mates_pass_on(m, o->group->mate.at[o->first + q - 1]);
		finish_mate(m, o, o->first + q);
	}
}
