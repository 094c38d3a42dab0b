/* check.h - the common part of every FOO_check.c (compare.c): reads FOO.dat, calls the
 * generated functions, compares with what the reference interpreter expects.  C11 and C++17.
 *
 * FOO.dat holds every array densely, row-major, in whole structs; here it is laid out as the
 * parameter says, in one image for each pointer that C takes.  Every byte of an image that belongs
 * to no cell is a guard: before, behind, between rows, behind the last cell of a block.
 *
 * A case is one kernel on one shape.  It runs twice, each time from fresh memory: through
 * NAME_host(), and through NAME() with device pointers, a workspace of the size asked for and a
 * stream (on a CPU: host pointers).  Inputs and guards must come back unchanged, what is behind the
 * workspace too.  In some cases all bases are offset by one element from an aligned address, or
 * every second one is, or arrays without cells are null.
 *
 * Integers and bool must be equal.  A float may be off by the bound that FOO.dat carries for its
 * cell (src/eval_value.c says how it comes about); NaN equals NaN, -0 equals +0.  A cell whose
 * bound is infinite is open: counted, reported, not compared.
 *
 * FOO_check.c defines CHECK_CUDA or CHECK_HIP when its code runs on a device.  With CHECK_GUARD=0
 * memory is as large as its cells, so that tools see reads outside of it; with CHECK_EDGES it lies
 * between pages that nobody may touch. */
#ifndef CHECK_H
#define CHECK_H

#include "cells.h"

#ifdef CHECK_EDGES
#include "edges.h"
#endif

#ifndef CHECK_GUARD
#define CHECK_GUARD 256
#endif
enum { CHECK_REPORTS = 5 };
enum { CHECK_SHIFTED = 1, CHECK_NULL = 2, CHECK_APART = 4 };     /* a case's flags */

struct patc_check_case {
	const struct patc_check_kernel *kernel;
	int32_t flags, status, other;            /* one of these statuses */
	int64_t size[CHECK_SIZES];
	struct patc_check_array array[CHECK_PARAMS];
	/* so many bytes after the workspace were written */
	int64_t beyond;
	char name[400];
};
struct patc_check_totals { long passed, failed; };

/* What generated code is called with. */
static void *patc_check_memory(size_t bytes)
{
#ifdef CHECK_EDGES
	void *p = edges_new(bytes);
#else
	void *p = malloc(bytes ? bytes : 1);
#endif
	if (!p)
		patc_check_die("out of memory");
	return p;
}

static void patc_check_memory_free(void *p)
{
#ifdef CHECK_EDGES
	if (!edges_free(p))
		patc_check_die("something was written beside an array");
#else
	free(p);
#endif
}

/* ---- reading the data ---- */

/* Memory for every pointer, empty. */
static void patc_check_images_room(const struct patc_check_param *p, struct patc_check_array *a,
                                   bool shifted)
{
	for (int i = 0; i < patc_check_pointers_of(p); i++) {
		struct patc_check_image *m = &a->image[i];
		int64_t bytes = patc_check_image_bytes(p, a, i),
		        each = p->block ? p->block_bytes : p->piece[i].bytes;
		m->start = CHECK_GUARD + (shifted ? each : 0);
		m->bytes = m->start + bytes + CHECK_GUARD;
		m->at = (unsigned char *)patc_check_memory((size_t)m->bytes);
		m->before = (unsigned char *)patc_check_room(m->bytes);
		m->owned = (bool *)patc_check_room(m->bytes * (int64_t)sizeof(bool));
	}
	for (int64_t cell = 0; cell < a->cells; cell++)
		for (int i = 0; i < p->leaves; i++) {
			const struct patc_check_leaf *l = &p->leaf[i];
			int64_t at = patc_check_value(p, a, l, cell);
			for (int64_t b = 0; b < p->piece[l->piece].bytes; b++)
				patc_check_image_of(p, a, l)->owned[at + b] = true;
		}
}

static void patc_check_array_read(FILE *f, const struct patc_check_param *p,
                                  struct patc_check_array *a, bool shifted)
{
	patc_check_read(f, &a->cells, sizeof a->cells);
	patc_check_read(f, a->extent, p->rank * (int64_t)sizeof(int64_t));
	patc_check_read(f, &a->ld, sizeof a->ld);
	a->initial = (unsigned char *)patc_check_room(a->cells * p->bytes);
	a->expected = (unsigned char *)patc_check_room(a->cells * p->bytes);
	patc_check_read(f, a->initial, a->cells * p->bytes);
	a->error = NULL;
	a->moved = 0;
	a->group = NULL;
	if (p->written) {
		patc_check_read(f, a->expected, a->cells * p->bytes);
		if (patc_check_i32(f)) {
			a->error = (float *)patc_check_room(a->cells * (int64_t)sizeof(float));
			patc_check_read(f, a->error, a->cells * (int64_t)sizeof(float));
		}
		a->order = patc_check_i32(f);
		patc_check_read(f, &a->moved, sizeof a->moved);
		if (patc_check_i32(f)) {
			a->group = (int32_t *)patc_check_room(a->moved * (int64_t)sizeof(int32_t));
			patc_check_read(f, a->group, a->moved * (int64_t)sizeof(int32_t));
		}
	}
	patc_check_images_room(p, a, shifted);
}

static void patc_check_case_name(struct patc_check_case *c)
{
	size_t used = 0, room = sizeof c->name;
	c->name[0] = 0;
	for (int i = 0; i < c->kernel->sizes && used + 40 < room; i++)
		used += (size_t)snprintf(c->name + used, room - used, "%s%s=%" PRId64, i ? "," : "",
		                         c->kernel->size_name[i], c->size[i]);
	snprintf(c->name + used, room - used, "%s%s%s%s", used ? "" : "-",
	         c->flags & CHECK_SHIFTED ? ",shifted" : "", c->flags & CHECK_APART ? ",apart" : "",
	         c->flags & CHECK_NULL ? ",null" : "");
}

static void patc_check_case_read(FILE *f, const struct patc_check_kernel *kernels, int n,
                            struct patc_check_case *c)
{
	int32_t k = patc_check_i32(f);
	if (k < 0 || k >= n)
		patc_check_die("the data file belongs to another driver");
	c->kernel = &kernels[k];
	c->flags = patc_check_i32(f);
	c->status = patc_check_i32(f);
	c->other = patc_check_i32(f);
	patc_check_read(f, c->size, c->kernel->sizes * (int64_t)sizeof(int64_t));
	for (int i = 0; i < c->kernel->params; i++)
		patc_check_array_read(f, &c->kernel->param[i], &c->array[i],
		                      c->flags & CHECK_SHIFTED
		                      || (c->flags & CHECK_APART && i % 2 == 0));
	patc_check_case_name(c);
}

static void patc_check_case_free(struct patc_check_case *c)
{
	for (int i = 0; i < c->kernel->params; i++) {
		free(c->array[i].initial);
		free(c->array[i].expected);
		free(c->array[i].error);
		free(c->array[i].group);
		for (int k = 0; k < CHECK_PIECES; k++) {
			patc_check_memory_free(c->array[i].image[k].at);
			free(c->array[i].image[k].before);
			free(c->array[i].image[k].owned);
			c->array[i].image[k].at = c->array[i].image[k].before = NULL;
			c->array[i].image[k].owned = NULL;
		}
	}
}

/* ---- comparing ---- */

static bool patc_check_leaf_equal(const struct patc_check_leaf *l, const unsigned char *got,
                             const unsigned char *expected, double error)
{
	if (!patc_check_is_float(l))
		return memcmp(got, expected, (size_t)l->bytes) == 0;
	double g = patc_check_float(got, l), e = patc_check_float(expected, l);
	if (isnan(e) || isnan(g))
		return isnan(e) && isnan(g);
	return g == e || fabs(g - e) <= error;
}

static void patc_check_leaf_print(const struct patc_check_leaf *l, const unsigned char *p)
{
	if (patc_check_is_float(l))
		printf("%.*g", l->bytes <= 4 ? 9 : 17, patc_check_float(p, l));
	else if (l->kind == 'U')
		printf("%" PRIu64, (uint64_t)patc_check_int(p, l));
	else
		printf("%" PRId64, patc_check_int(p, l));
}

static void patc_check_place_print(const struct patc_check_param *p,
                                   const struct patc_check_array *a, int64_t cell)
{
	int64_t at[CHECK_RANK];
	for (int k = p->rank - 1; k >= 0; k--) {
		at[k] = cell % a->extent[k];
		cell /= a->extent[k];
	}
	printf("%s", p->name);
	for (int k = 0; k < p->rank; k++)
		printf("%s%" PRId64 "%s", k ? ", " : "[", at[k], k + 1 == p->rank ? "]" : "");
}

/* What a case found: the first few differences are printed, all are counted. */
struct patc_check_found {
	const char *file, *how;
	const struct patc_check_case *c;
	int64_t wrong, open, compared;
};

static bool patc_check_report(struct patc_check_found *s)
{
	if (s->wrong++ >= CHECK_REPORTS)
		return false;
	printf("not ok %s %s %s %s: ", s->file, s->c->kernel->name, s->c->name, s->how);
	return true;
}

static void patc_check_cell(struct patc_check_found *s, int param, int64_t cell)
{
	const struct patc_check_param *p = &s->c->kernel->param[param];
	struct patc_check_array *a = (struct patc_check_array *)&s->c->array[param];
	const unsigned char *expected = a->expected + cell * p->bytes;
	double error = a->error ? (double)a->error[cell] : 0;
	if (isinf(error)) {
		s->open++;
		return;
	}
	s->compared++;
	for (int i = 0; i < p->leaves; i++) {
		const struct patc_check_leaf *l = &p->leaf[i];
		const unsigned char *got = patc_check_image_of(p, a, l)->at
		                           + patc_check_value(p, a, l, cell) + l->inner;
		if (patc_check_leaf_equal(l, got, expected + l->offset, error)
		    || !patc_check_report(s))
			continue;
		printf("array ");
		patc_check_place_print(p, a, cell);
		printf("%s: got ", l->name);
		patc_check_leaf_print(l, got);
		printf(", expected ");
		patc_check_leaf_print(l, expected + l->offset);
		printf(error > 0 ? " within %.3g\n" : "\n", error);
	}
}

static unsigned char patc_check_canary(int64_t i)
{
	return (unsigned char)(0xa5 ^ (i * 37));
}

static void patc_check_image_make(const struct patc_check_param *p, struct patc_check_array *a)
{
	for (int k = 0; k < CHECK_PIECES && a->image[k].at; k++)
		for (int64_t i = 0; i < a->image[k].bytes; i++)
			a->image[k].at[i] = patc_check_canary(i);
	for (int64_t cell = 0; cell < a->cells; cell++)
		for (int i = 0; i < p->leaves; i++) {
			const struct patc_check_leaf *l = &p->leaf[i];
			memcpy(patc_check_image_of(p, a, l)->at + patc_check_value(p, a, l, cell)
			       + l->inner,
			       a->initial + cell * p->bytes + l->offset, (size_t)l->bytes);
		}
	for (int k = 0; k < CHECK_PIECES && a->image[k].at; k++)
		memcpy(a->image[k].before, a->image[k].at, (size_t)a->image[k].bytes);
}

/* Bytes of no cell, and all of an input. */
static void patc_check_unchanged(struct patc_check_found *s, int param)
{
	const struct patc_check_param *p = &s->c->kernel->param[param];
	for (int k = 0; k < CHECK_PIECES && s->c->array[param].image[k].at; k++) {
		const struct patc_check_image *m = &s->c->array[param].image[k];
		int64_t behind = m->bytes - CHECK_GUARD;
		for (int64_t i = 0; i < m->bytes; i++) {
			if ((p->written && m->owned[i]) || m->at[i] == m->before[i])
				continue;
			if (!patc_check_report(s))
				break;
			if (m->owned[i])
				printf("input %s was written\n", p->name);
			else if (i < m->start || i >= behind)
				printf("array %s: wrote %" PRId64 " bytes %s it\n", p->name,
				       i < m->start ? m->start - i : i - behind + 1,
				       i < m->start ? "before" : "after");
			else
				printf("array %s: wrote between its cells, byte %" PRId64 "\n",
				       p->name, i - m->start);
			break;
		}
	}
}

/* ---- cells in any order: rows of arrays that were moved alike, sorted within each group ---- */

static size_t patc_check_row_bytes;

static int patc_check_row_order(const void *a, const void *b)
{
	return memcmp(a, b, patc_check_row_bytes);
}

static bool patc_check_in_group(const struct patc_check_array *a, int64_t cell)
{
	return !a->group || a->group[cell];
}

/* The bytes of a value, of every NaN the same: which one arithmetic gives is left to the
 * machine. */
static void patc_check_put_leaf(const struct patc_check_leaf *l, const unsigned char *from,
                                unsigned char *to)
{
	if (patc_check_is_float(l) && isnan(patc_check_float(from, l)))
		memset(to, 0xff, (size_t)l->bytes);
	else
		memcpy(to, from, (size_t)l->bytes);
}

/* A row: the number of the cell's group, and the cell of every array of the order. */
static unsigned char *patc_check_put_row(const struct patc_check_case *c, int first, bool expected,
                                         int64_t cell, unsigned char *to)
{
	const struct patc_check_array *order = &c->array[first];
	if (order->group)
		memcpy(to, &order->group[cell], sizeof *order->group);
	to += sizeof *order->group;
	for (int k = first; k < c->kernel->params; k++) {
		const struct patc_check_param *p = &c->kernel->param[k];
		struct patc_check_array *a = (struct patc_check_array *)&c->array[k];
		for (int i = 0; a->moved && a->order == order->order && i < p->leaves; i++) {
			const struct patc_check_leaf *l = &p->leaf[i];
			patc_check_put_leaf(l,
			                    expected ? a->expected + cell * p->bytes + l->offset
			                             : patc_check_image_of(p, a, l)->at
			                               + patc_check_value(p, a, l, cell)
			                               + l->inner,
			                    to);
			to += l->bytes;
		}
	}
	return to;
}

/* The cells of arrays of one order, one row after another; returns their number. */
static int64_t patc_check_rows(const struct patc_check_case *c, int first, bool expected,
                               unsigned char *to)
{
	int64_t rows = 0;
	for (int64_t cell = 0; cell < c->array[first].moved; cell++) {
		if (!patc_check_in_group(&c->array[first], cell))
			continue;
		unsigned char *end = patc_check_put_row(c, first, expected, cell, to);
		patc_check_row_bytes = (size_t)(end - to);
		to = end;
		rows++;
	}
	return rows;
}

static void patc_check_order(struct patc_check_found *s, int first)
{
	const struct patc_check_case *c = s->c;
	const struct patc_check_array *a = &c->array[first];
	int64_t each = (int64_t)sizeof *a->group;
	for (int k = first; k < c->kernel->params; k++)
		each += c->kernel->param[k].bytes;
	unsigned char *got = (unsigned char *)patc_check_room(a->moved * each),
	              *want = (unsigned char *)patc_check_room(a->moved * each);
	size_t rows = (size_t)patc_check_rows(c, first, false, got);
	patc_check_rows(c, first, true, want);
	qsort(got, rows, patc_check_row_bytes, patc_check_row_order);
	qsort(want, rows, patc_check_row_bytes, patc_check_row_order);
	if (memcmp(got, want, rows * patc_check_row_bytes) != 0 && patc_check_report(s))
		printf("array %s: the first %" PRId64
		       " cells are not those expected, in any order%s\n",
		       c->kernel->param[first].name, a->moved, a->group ? " of equal keys" : "");
	free(got);
	free(want);
}

static void patc_check_orders(struct patc_check_found *s)
{
	for (int i = 0; i < s->c->kernel->params; i++) {
		const struct patc_check_array *a = &s->c->array[i];
		int first = 0;
		for (int64_t cell = 0; cell < a->moved; cell++)
			if (patc_check_in_group(a, cell) && a->error
			    && isinf((double)a->error[cell]))
				s->compared++, s->open--;
		while (first < i
		       && !(s->c->array[first].moved && s->c->array[first].order == a->order))
			first++;
		if (a->moved && first == i)
			patc_check_order(s, i);
	}
}

static void patc_check_images(struct patc_check_found *s)
{
	for (int i = 0; i < s->c->kernel->params; i++) {
		const struct patc_check_param *p = &s->c->kernel->param[i];
		if (!p->by_value)
			patc_check_unchanged(s, i);
		for (int64_t cell = 0; p->written && cell < s->c->array[i].cells; cell++)
			patc_check_cell(s, i, cell);
	}
	patc_check_orders(s);
}

static bool patc_check_expects(const struct patc_check_case *c, int status)
{
	return status == c->status || status == c->other;
}

static void patc_check_verdict(struct patc_check_found *s, int status, struct patc_check_totals *t)
{
	if (!patc_check_expects(s->c, status) && patc_check_report(s))
		printf("status %d, expected %d\n", status, s->c->status);
	if (s->c->beyond && patc_check_report(s))
		printf("wrote %" PRId64 " bytes after the workspace\n", s->c->beyond);
	patc_check_images(s);
	if (s->wrong > CHECK_REPORTS)
		printf("not ok %s %s %s %s: and %" PRId64 " more\n", s->file, s->c->kernel->name,
		       s->c->name, s->how, s->wrong - CHECK_REPORTS);
	if (s->wrong) {
		t->failed++;
		return;
	}
	t->passed++;
	printf("ok %s %s %s %s", s->file, s->c->kernel->name, s->c->name, s->how);
	if (s->open)
		printf(" (%" PRId64 " of %" PRId64 " cells open)", s->open, s->open + s->compared);
	printf("\n");
}

/* ---- the two ways to call ---- */

static bool patc_check_is_null(const struct patc_check_case *c, int i)
{
	return c->flags & CHECK_NULL && c->array[i].cells == 0 && !c->kernel->param[i].by_value;
}

/* The pointers of all parameters, one behind another, into images that lie at base[...] or here. */
static void patc_check_pointers(struct patc_check_case *c, unsigned char *(*base)[CHECK_PIECES],
                                void **p)
{
	for (int i = 0; i < c->kernel->params; i++) {
		struct patc_check_array *a = &c->array[i];
		for (int k = 0; k < CHECK_PIECES && a->image[k].at; k++, p++) {
			*p = (base ? base[i][k] : a->image[k].at) + a->image[k].start;
			if (patc_check_is_null(c, i))
				*p = NULL;
			if (c->kernel->param[i].by_value)
				*p = a->initial;             /* aligned */
		}
	}
}

static int patc_check_call_host(struct patc_check_case *c)
{
	void *p[CHECK_PARAMS * CHECK_PIECES];
	for (int i = 0; i < c->kernel->params; i++)
		patc_check_image_make(&c->kernel->param[i], &c->array[i]);
	patc_check_pointers(c, NULL, p);
	return c->kernel->host(c->size, p);
}

#ifdef CHECK_GPU
/* Room behind the workspace: none where AddressSanitizer, or compute-sanitizer with CHECK_TIGHT=1,
 * watches its end. */
static int64_t patc_check_behind(void)
{
#ifdef __SANITIZE_ADDRESS__
	return 0;
#else
	return getenv("CHECK_TIGHT") ? 0 : CHECK_GUARD;
#endif
}

static void patc_check_beyond(struct patc_check_case *c, const unsigned char *behind)
{
	c->beyond = 0;
	for (int64_t i = 0; i < patc_check_behind(); i++)
		if (behind[i] != 0xa5)
			c->beyond = i + 1;
}

static void patc_check_gpu(int rc, const char *what)
{
	if (rc) {
		fprintf(stderr, "check: %s failed with %d\n", what, rc);
		exit(2);
	}
}

static unsigned char *patc_check_device(const void *from, int64_t bytes)
{
	void *p = NULL;
	/* whole words: NAME_atomic.h */
	patc_check_gpu((int)CHECK_GPU(Malloc)(&p, ((size_t)(bytes > 0 ? bytes : 1) + 3) / 4 * 4),
	               "Malloc");
	if (bytes % 4)
		patc_check_gpu((int)CHECK_GPU(Memset)((char *)p + bytes / 4 * 4, 0, 4), "Memset");
	if (from)
		patc_check_gpu((int)CHECK_GPU(Memcpy)(p, from, (size_t)bytes,
		                                      CHECK_GPU(MemcpyHostToDevice)),
		               "Memcpy");
	return (unsigned char *)p;
}

static void patc_check_fetch(void *to, unsigned char *from, int64_t bytes)
{
	patc_check_gpu((int)CHECK_GPU(Memcpy)(to, from, (size_t)bytes,
	                                      CHECK_GPU(MemcpyDeviceToHost)),
	               "Memcpy back");
	patc_check_gpu((int)CHECK_GPU(Free)(from), "Free");
}

static int patc_check_call_run(struct patc_check_case *c)
{
	void *p[CHECK_PARAMS * CHECK_PIECES];
	static unsigned char *image[CHECK_PARAMS][CHECK_PIECES];
	size_t bytes = c->kernel->workspace(c->size);
	/* SIZE_MAX: the sizes are refused */
	bytes = bytes > 8 && bytes < SIZE_MAX ? bytes : 8;
	size_t room = bytes + (size_t)patc_check_behind();
	unsigned char behind[CHECK_GUARD + 1], *workspace = patc_check_device(NULL, (int64_t)room);
	CHECK_GPU(Stream_t) stream;
	patc_check_gpu((int)CHECK_GPU(StreamCreate)(&stream), "StreamCreate");
	patc_check_gpu((int)CHECK_GPU(Memset)(workspace, 0xa5, room), "Memset");
	for (int i = 0; i < c->kernel->params; i++) {
		struct patc_check_array *a = &c->array[i];
		patc_check_image_make(&c->kernel->param[i], a);
		for (int k = 0; k < CHECK_PIECES && a->image[k].at; k++)
			image[i][k] = patc_check_device(a->image[k].at, a->image[k].bytes);
	}
	patc_check_pointers(c, image, p);
	patc_check_gpu((int)CHECK_GPU(DeviceSynchronize)(), "DeviceSynchronize");
	int status = c->kernel->run(c->size, p, workspace, bytes, (void *)stream);
	if (!status)
		status = c->kernel->status(workspace, (void *)stream);
	patc_check_gpu((int)CHECK_GPU(StreamSynchronize)(stream), "StreamSynchronize");
	for (int i = 0; i < c->kernel->params; i++)
		for (int k = 0; k < CHECK_PIECES && c->array[i].image[k].at; k++)
			patc_check_fetch(c->array[i].image[k].at, image[i][k],
			                 c->array[i].image[k].bytes);
	patc_check_gpu((int)CHECK_GPU(Memcpy)(behind, workspace + bytes, room - bytes,
	                                      CHECK_GPU(MemcpyDeviceToHost)),
	               "Memcpy back");
	patc_check_beyond(c, behind);
	patc_check_gpu((int)CHECK_GPU(Free)(workspace), "Free");
	patc_check_gpu((int)CHECK_GPU(StreamDestroy)(stream), "StreamDestroy");
	return status;
}
#else
static int patc_check_call_run(struct patc_check_case *c)
{
	void *p[CHECK_PARAMS * CHECK_PIECES];
	size_t bytes = c->kernel->workspace(c->size);
	/* SIZE_MAX: the sizes are refused */
	size_t room = bytes < SIZE_MAX ? (bytes + 7) / 8 * 8 : 8;
	void *workspace = patc_check_memory(room);
	memset(workspace, 0xa5, room);
	for (int i = 0; i < c->kernel->params; i++)
		patc_check_image_make(&c->kernel->param[i], &c->array[i]);
	patc_check_pointers(c, NULL, p);
	int status = c->kernel->run(c->size, p, workspace, bytes, NULL);
	if (!status)
		status = c->kernel->status(workspace, NULL);
	patc_check_memory_free(workspace);
	return status;
}
#endif

/* Both launch the same kernels; NAME_host also copies.  Where kernels are emulated,
 * CHECK_HOST_CELLS says up to how many cells an array may have that is worth calling both. */
static bool patc_check_calls_host(const struct patc_check_case *c)
{
	const char *most = getenv("CHECK_HOST_CELLS");
	int64_t cells = 0;
	for (int i = 0; i < c->kernel->params; i++)
		cells = c->array[i].cells > cells ? c->array[i].cells : cells;
	return !most || cells <= atoll(most);
}

static void patc_check_one(const char *file, struct patc_check_case *c, struct patc_check_totals *t)
{
	struct patc_check_found host = { file, "host", c, 0, 0, 0 },
	                        run = { file, "run", c, 0, 0, 0 };
	c->beyond = 0;
	if (patc_check_calls_host(c)) {
		int status = patc_check_call_host(c);
		patc_check_verdict(&host, status, t);
	}
	int status = patc_check_call_run(c);
	patc_check_verdict(&run, status, t);
}

/* FOO_check [DATA]: the data file is FOO.dat unless named. */
static int patc_check_main(int argc, char **argv, const char *file, const char *data,
                      const struct patc_check_kernel *kernels, int n)
{
	struct patc_check_totals t = { 0, 0 };
	static struct patc_check_case c;
#if defined CHECK_EDGES && !defined CHECK_GPU
	edges_catch();
#endif
	char magic[8] = "";
	FILE *f = fopen(argc > 1 ? argv[1] : data, "rb");
	if (!f)
		patc_check_die("the data file cannot be opened");
	patc_check_read(f, magic, 8);
	if (memcmp(magic, "PATCDAT4", 8) != 0)
		patc_check_die("this is no data file of patc-gen");
	for (int32_t left = patc_check_i32(f); left > 0; left--) {
		patc_check_case_read(f, kernels, n, &c);
		patc_check_one(file, &c, &t);
		patc_check_case_free(&c);
	}
	fclose(f);
	printf("%ld passed, %ld failed\n", t.passed, t.failed);
	return t.failed != 0;
}

#endif
