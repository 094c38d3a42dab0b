/* bench.h - the common part of every FOO_bench.c (bench_write.c): reads FOO.dat, calls the
 * generated functions and measures how long they take.  C11 and C++17.
 *
 * A case is one kernel with its sizes and data.  FOO.dat holds the first cells of each array; the
 * others repeat them, and without any all are zero.  NAME() is called with device pointers, a
 * workspace and a stream (on a CPU: host pointers), a few times unmeasured, then in samples until
 * the time of the case is over.  A sample is as many calls as take SAMPLE_SECONDS; one, if the
 * kernel changes what it reads, and then the arrays are put back before it, unmeasured.  A GPU
 * measures by events on the stream.
 *
 * Beside each sample a copy is measured, with all threads or by the run-time library: of as many
 * bytes as the arrays have, but no more than the kernel moves, so that it has the same caches.
 *
 * A function of the user's, with the parameters of NAME(), may be measured in the same turns.  Both
 * have been called once on the same data before, and the arrays that they wrote were compared.
 *
 * Standard output gets a JSON object a case, and one for that function, on one line; patc-bench(1) has its keys.  The keys up
 * to "integer" are in the driver as text.  Standard error shows the progress if it is a terminal. */
#ifndef BENCH_H
#define BENCH_H

#include "cells.h"

#include <dlfcn.h>
#include <time.h>
#include <unistd.h>
#ifdef _OPENMP
#include <omp.h>
#endif

enum { BENCH_WARM = 2, BENCH_LEAST = 5, BENCH_MOST = 10000, BENCH_CALLS = 1000, BENCH_BAR = 20,
       BENCH_NAME = 256 };
static const double BENCH_SAMPLE_SECONDS = 200e-6;

/* What patc knows of a case: the first keys of its object; as people read it; what a call moves. */
struct patc_bench_fact {
	const char *keys, *label;
	double bytes;
};
/* A function of a library that is called in the place of the kernel; text: of both, in JSON. */
struct patc_bench_other {
	const char *library, *name, *text;
	int (*run)(const int64_t *, void *const *, void *, size_t, void *);
	void (**function)(void);                 /* what run calls */
};
/* An image as a kernel gets it; what it is put back to, or NULL. */
struct patc_bench_memory {
	unsigned char *at, *first;
	int64_t bytes;
};
struct patc_bench_case {
	const struct patc_check_kernel *kernel;
	const struct patc_bench_other *other;    /* or NULL */
	int64_t size[CHECK_SIZES];
	struct patc_check_array array[CHECK_PARAMS];
	struct patc_bench_memory memory[CHECK_PARAMS][CHECK_PIECES];
	void *pointer[CHECK_PARAMS * CHECK_PIECES];
	void *workspace, *stream;
	size_t workspace_bytes;
	bool changes;                            /* what it reads */
	unsigned char *from, *to;                /* of the copy */
	int64_t copied;                          /* bytes; half of what the copy moves */
};
/* Calls something some times: a status. */
typedef int patc_bench_call(struct patc_bench_case *, int calls);
struct patc_bench_times {
	double *second;
	int n, calls;                            /* of a sample */
};

/* ---- memory: of the device, or of the host ---- */

#ifdef CHECK_GPU
static void patc_bench_gpu(int rc, const char *what)
{
	if (rc) {
		fprintf(stderr, "%s failed: %s\n", what,
		        CHECK_GPU(GetErrorString)((CHECK_GPU(Error_t))rc));
		exit(2);
	}
}

static unsigned char *patc_bench_new(int64_t bytes)
{
	void *p = NULL;
	/* whole words: NAME_atomic.h */
	const size_t room = ((size_t)(bytes > 0 ? bytes : 1) + 3) / 4 * 4;
	patc_bench_gpu((int)CHECK_GPU(Malloc)(&p, room), "allocating memory of the GPU");
	patc_bench_gpu((int)CHECK_GPU(Memset)(p, 0, room), "clearing memory of the GPU");
	return (unsigned char *)p;
}

static void patc_bench_free(void *p)
{
	patc_bench_gpu((int)CHECK_GPU(Free)(p), "freeing memory of the GPU");
}

static void patc_bench_give(unsigned char *to, const unsigned char *from, int64_t bytes)
{
	patc_bench_gpu((int)CHECK_GPU(Memcpy)(to, from, (size_t)bytes,
	                                      CHECK_GPU(MemcpyHostToDevice)),
	               "copying to the GPU");
}

static void patc_bench_take(unsigned char *to, const unsigned char *from, int64_t bytes)
{
	patc_bench_gpu((int)CHECK_GPU(DeviceSynchronize)(), "the kernel");
	patc_bench_gpu((int)CHECK_GPU(Memcpy)(to, from, (size_t)bytes,
	                                      CHECK_GPU(MemcpyDeviceToHost)),
	               "copying from the GPU");
}

static void patc_bench_copy(struct patc_bench_case *c, unsigned char *to, const unsigned char *from,
                            int64_t bytes)
{
	patc_bench_gpu((int)CHECK_GPU(MemcpyAsync)(to, from, (size_t)bytes,
	                                           CHECK_GPU(MemcpyDeviceToDevice),
	                                           (CHECK_GPU(Stream_t))c->stream),
	               "copying on the GPU");
}

static double patc_bench_measure(struct patc_bench_case *c, patc_bench_call *call, int calls,
                                 int *status)
{
	CHECK_GPU(Stream_t) stream = (CHECK_GPU(Stream_t))c->stream;
	CHECK_GPU(Event_t) begin, end;
	float ms = 0;
	patc_bench_gpu((int)CHECK_GPU(EventCreate)(&begin), "making an event");
	patc_bench_gpu((int)CHECK_GPU(EventCreate)(&end), "making an event");
	patc_bench_gpu((int)CHECK_GPU(EventRecord)(begin, stream), "recording an event");
	*status = call(c, calls);
	patc_bench_gpu((int)CHECK_GPU(EventRecord)(end, stream), "recording an event");
	patc_bench_gpu((int)CHECK_GPU(EventSynchronize)(end), "the kernel");
	patc_bench_gpu((int)CHECK_GPU(EventElapsedTime)(&ms, begin, end), "reading events");
	patc_bench_gpu((int)CHECK_GPU(EventDestroy)(begin), "freeing an event");
	patc_bench_gpu((int)CHECK_GPU(EventDestroy)(end), "freeing an event");
	return (double)ms / 1e3;
}
#else
/* Each thread touches, and copies, its own part; a few bytes are not worth waking them. */
enum { BENCH_ALONE = 1 << 18 };

static void patc_bench_part(int64_t bytes, int64_t *lo, int64_t *length)
{
	int64_t threads = 1, thread = 0;
#ifdef _OPENMP
	threads = omp_get_num_threads();
	thread = omp_get_thread_num();
#endif
	const int64_t each = (bytes + threads - 1) / threads;
	*lo = each * thread < bytes ? each * thread : bytes;
	*length = *lo + each < bytes ? each : bytes - *lo;
}

static unsigned char *patc_bench_new(int64_t bytes)
{
	unsigned char *p = (unsigned char *)malloc((size_t)(bytes > 0 ? bytes : 1));
	if (!p)
		patc_check_die("out of memory");
#ifdef _OPENMP
#pragma omp parallel if (bytes > BENCH_ALONE)
#endif
	{
		int64_t lo, length;
		patc_bench_part(bytes, &lo, &length);
		memset(p + lo, 0, (size_t)length);
	}
	return p;
}

static void patc_bench_free(void *p)
{
	free(p);
}

static void patc_bench_give(unsigned char *to, const unsigned char *from, int64_t bytes)
{
	memcpy(to, from, (size_t)bytes);
}

static void patc_bench_take(unsigned char *to, const unsigned char *from, int64_t bytes)
{
	memcpy(to, from, (size_t)bytes);
}

static void patc_bench_copy(struct patc_bench_case *c, unsigned char *to, const unsigned char *from,
                            int64_t bytes)
{
	(void)c;
#ifdef _OPENMP
#pragma omp parallel if (bytes > BENCH_ALONE)
#endif
	{
		int64_t lo, length;
		patc_bench_part(bytes, &lo, &length);
		memcpy(to + lo, from + lo, (size_t)length);
	}
}
#endif

static double patc_bench_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

#ifndef CHECK_GPU
static double patc_bench_measure(struct patc_bench_case *c, patc_bench_call *call, int calls,
                                 int *status)
{
	const double begin = patc_bench_now();
	*status = call(c, calls);
	return patc_bench_now() - begin;
}
#endif

/* ---- reading the data ---- */

/* Is a cell of the file a cell of the only image, in the same order? */
static bool patc_bench_is_plain(const struct patc_check_param *p)
{
	return p->pieces == 1 && !p->col && !p->pitched && !p->tile[0] && !p->curve && !p->block;
}

static void patc_bench_put(const struct patc_check_param *p, struct patc_check_array *a,
                           int64_t cell, int64_t made)
{
	for (int i = 0; i < p->leaves; i++) {
		const struct patc_check_leaf *l = &p->leaf[i];
		memcpy(patc_check_image_of(p, a, l)->at + patc_check_value(p, a, l, cell) + l->inner,
		       a->initial + cell % made * p->bytes + l->offset, (size_t)l->bytes);
	}
}

static void patc_bench_fill(const struct patc_check_param *p, struct patc_check_array *a,
                            int64_t made)
{
	for (int64_t cell = 0; made && cell < a->cells && !patc_bench_is_plain(p); cell++)
		patc_bench_put(p, a, cell, made);
	for (int64_t cell = 0; made && cell < a->cells && patc_bench_is_plain(p); cell += made) {
		const int64_t n = cell + made < a->cells ? made : a->cells - cell;
		memcpy(a->image[0].at + cell * p->bytes, a->initial, (size_t)(n * p->bytes));
	}
}

static void patc_bench_image(struct patc_bench_case *c, int param, int piece, bool kept)
{
	struct patc_check_image *m = &c->array[param].image[piece];
	struct patc_bench_memory *to = &c->memory[param][piece];
	to->bytes = m->bytes;
	to->at = patc_bench_new(m->bytes);
	patc_bench_give(to->at, m->at, m->bytes);
	if (kept) {
		to->first = patc_bench_new(m->bytes);
		patc_bench_give(to->first, m->at, m->bytes);
	}
	free(m->at);
	m->at = NULL;
	c->copied += m->bytes;
}

/* The pointers of all parameters follow each other at p; where the next one's begin. */
static void **patc_bench_read_array(FILE *f, struct patc_bench_case *c, int param, void **p)
{
	const struct patc_check_param *of = &c->kernel->param[param];
	struct patc_check_array *a = &c->array[param];
	int64_t made = 0;
	patc_check_read(f, &a->cells, sizeof a->cells);
	patc_check_read(f, a->extent, of->rank * (int64_t)sizeof(int64_t));
	patc_check_read(f, &a->ld, sizeof a->ld);
	patc_check_read(f, &made, sizeof made);
	a->initial = (unsigned char *)patc_check_room(made * of->bytes);
	patc_check_read(f, a->initial, made * of->bytes);
	if (of->by_value) {
		*p = a->initial;
		return p + 1;
	}
	for (int i = 0; i < patc_check_pointers_of(of); i++) {
		a->image[i].start = 0;
		a->image[i].bytes = patc_check_image_bytes(of, a, i);
		a->image[i].at = (unsigned char *)patc_check_room(a->image[i].bytes);
	}
	patc_bench_fill(of, a, made);
	c->changes = c->changes || (of->written && made);
	for (int i = 0; i < patc_check_pointers_of(of); i++) {
		patc_bench_image(c, param, i, of->written && (made || c->other));
		*p++ = c->memory[param][i].at;
	}
	free(a->initial);
	a->initial = NULL;
	return p;
}

static void patc_bench_read(FILE *f, const struct patc_check_kernel *kernels, int n, double bytes,
                            struct patc_bench_case *c)
{
	const int32_t k = patc_check_i32(f);
	void **p = c->pointer;
	if (k < 0 || k >= n)
		patc_check_die("the data file belongs to another driver");
	memset(c->memory, 0, sizeof c->memory);
	c->kernel = &kernels[k];
	c->changes = false;
	c->copied = 0;
	patc_check_read(f, c->size, c->kernel->sizes * (int64_t)sizeof(int64_t));
	for (int i = 0; i < c->kernel->params; i++)
		p = patc_bench_read_array(f, c, i, p);
	c->copied = (double)c->copied > bytes ? (int64_t)(bytes / 2) : c->copied / 2;
	c->workspace_bytes = c->kernel->workspace(c->size);
	c->workspace = patc_bench_new(c->workspace_bytes < SIZE_MAX ? (int64_t)c->workspace_bytes
	                                                            : 0);
	c->from = patc_bench_new(c->copied);
	c->to = patc_bench_new(c->copied);
}

static void patc_bench_end(struct patc_bench_case *c)
{
	for (int i = 0; i < c->kernel->params; i++) {
		free(c->array[i].initial);
		for (int k = 0; k < CHECK_PIECES; k++) {
			if (c->memory[i][k].at)
				patc_bench_free(c->memory[i][k].at);
			if (c->memory[i][k].first)
				patc_bench_free(c->memory[i][k].first);
		}
	}
	patc_bench_free(c->workspace);
	patc_bench_free(c->from);
	patc_bench_free(c->to);
}

/* ---- what is measured ---- */

typedef int patc_bench_run(const int64_t *, void *const *, void *, size_t, void *);

static int patc_bench_runs(struct patc_bench_case *c, patc_bench_run *run, int calls)
{
	int status = 0;
	for (int i = 0; i < calls && !status; i++)
		status = run(c->size, c->pointer, c->workspace, c->workspace_bytes, c->stream);
	return status;
}

static int patc_bench_kernel(struct patc_bench_case *c, int calls)
{
	return patc_bench_runs(c, c->kernel->run, calls);
}

static int patc_bench_others(struct patc_bench_case *c, int calls)
{
	return patc_bench_runs(c, c->other->run, calls);
}

static int patc_bench_copies(struct patc_bench_case *c, int calls)
{
	for (int i = 0; i < calls; i++)
		patc_bench_copy(c, c->to, c->from, c->copied);
	return 0;
}

static void patc_bench_put_back(struct patc_bench_case *c)
{
	for (int i = 0; i < c->kernel->params; i++)
		for (int k = 0; k < CHECK_PIECES; k++)
			if (c->memory[i][k].first)
				patc_bench_copy(c, c->memory[i][k].at, c->memory[i][k].first,
				                c->memory[i][k].bytes);
}

static int patc_bench_sample(struct patc_bench_case *c, patc_bench_call *call,
                             struct patc_bench_times *t)
{
	int status = 0;
	if (c->changes && call != patc_bench_copies)
		patc_bench_put_back(c);
	t->second[t->n++] = patc_bench_measure(c, call, t->calls, &status) / t->calls;
	return status;
}

/* Unmeasured calls; what the last of them took decides how many make a sample. */
static int patc_bench_warm(struct patc_bench_case *c, patc_bench_call *call,
                           struct patc_bench_times *t)
{
	int status = 0;
	double calls;
	t->calls = 1;
	for (int i = 0; i < BENCH_WARM && !status; i++) {
		t->n = 0;
		status = patc_bench_sample(c, call, t);
	}
	calls = t->second[0] > 0 ? BENCH_SAMPLE_SECONDS / t->second[0] : (double)BENCH_CALLS;
	if (!c->changes || call == patc_bench_copies)
		t->calls = calls < 1 ? 1 : calls > BENCH_CALLS ? BENCH_CALLS : (int)calls;
	t->n = 0;
	return status;
}

static int patc_bench_order(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;
	return x < y ? -1 : x > y;
}

/* Of sorted times: 0 the least, 0.5 the median, 1 the most. */
static double patc_bench_at(const struct patc_bench_times *t, double share)
{
	const double place = share * (t->n - 1);
	const int i = (int)place;
	const double next = i + 1 < t->n ? t->second[i + 1] : t->second[i];
	return t->second[i] + (place - i) * (next - t->second[i]);
}

static void patc_bench_sort(struct patc_bench_times *t)
{
	qsort(t->second, (size_t)t->n, sizeof *t->second, patc_bench_order);
}

/* The name of what measures: a GPU, or a processor where Linux tells it. */
#ifdef CHECK_GPU
static void patc_bench_device(char *name, size_t room)
{
	CHECK_DEVICE p;
	int device = 0;
	patc_bench_gpu((int)CHECK_GPU(GetDevice)(&device), "finding a GPU");
	patc_bench_gpu((int)CHECK_GPU(GetDeviceProperties)(&p, device), "asking the GPU");
	snprintf(name, room, "%s", p.name);
}
#else
static void patc_bench_device(char *name, size_t room)
{
	FILE *f = fopen("/proc/cpuinfo", "r");
	char line[BENCH_NAME] = "";
	while (f && fgets(line, sizeof line, f) && strncmp(line, "model name", 10) != 0)
		line[0] = 0;
	const char *colon = strchr(line, ':');
	snprintf(name, room, "%s", colon ? colon + 1 + strspn(colon + 1, " ") : "");
	if (f)
		fclose(f);
}
#endif

/* As text of JSON: letters, digits and what needs no backslash. */
static void patc_bench_print_device(void)
{
	static char name[BENCH_NAME];
	if (!name[0])
		patc_bench_device(name, sizeof name);
	printf(", \"device\": \"");
	for (const char *c = name; *c; c++)
		if (*c >= ' ' && *c <= '~' && *c != '"' && *c != '\\')
			putchar(*c);
	putchar('"');
}

/* All of a row but its end; the times are sorted. */
static void patc_bench_print(const struct patc_bench_case *c, const char *keys,
                             const char *function, const struct patc_bench_times *t,
                             const struct patc_bench_times *copy)
{
	printf("{%s, \"function\": %s, \"seconds\": %.6g, \"low\": %.6g, \"high\": %.6g, "
	       "\"least\": %.6g, \"most\": %.6g, \"samples\": %d, \"calls\": %d, \"copy\": ",
	       keys, function, patc_bench_at(t, 0.5), patc_bench_at(t, 0.25),
	       patc_bench_at(t, 0.75), patc_bench_at(t, 0), patc_bench_at(t, 1), t->n, t->calls);
	if (c->copied > 0 && patc_bench_at(copy, 0.5) > 0)
		printf("%.6g", 2 * (double)c->copied / patc_bench_at(copy, 0.5));
	else
		printf("null");
	patc_bench_print_device();
}

/* ---- are the results of two functions equal ---- */

/* What both wrote, of one pointer. */
struct patc_bench_result { unsigned char *ours, *theirs; };
/* Of all numbers: the largest difference, as a share of the largest number of its array. */
struct patc_bench_verdict { double difference; bool agrees; };

/* The square root of the distance of 1 and the next number; integers must be equal. */
static double patc_bench_tolerance(const struct patc_check_leaf *l)
{
	switch (l->kind) {
	case 'F': return l->bytes == 8 ? 1.5e-8 : 3.5e-4;
	case 'H': return 3.2e-2;
	case 'T': return 8.9e-2;
	case '4': return 0.36;
	case '5': return 0.5;
	default: return 0;
	}
}

static double patc_bench_number(const struct patc_check_leaf *l, const unsigned char *p)
{
	return patc_check_is_float(l) ? patc_check_float(p, l) : (double)patc_check_int(p, l);
}

/* A leaf of all cells. */
static void patc_bench_compare_leaf(const struct patc_check_param *p, struct patc_check_array *a,
                                    const struct patc_check_leaf *l,
                                    const struct patc_bench_result *r,
                                    struct patc_bench_verdict *v)
{
	double largest = 0, apart = 0;
	const struct patc_bench_result *of = &r[p->block ? 0 : l->piece];
	for (int64_t cell = 0; cell < a->cells; cell++) {
		const int64_t at = patc_check_value(p, a, l, cell) + l->inner;
		const double x = patc_bench_number(l, of->ours + at),
			     y = patc_bench_number(l, of->theirs + at);
		largest = isfinite(x) && fabs(x) > largest ? fabs(x) : largest;
		if (x == y || (isnan(x) && isnan(y)))
			continue;
		apart = isfinite(x - y) && fabs(x - y) <= apart ? apart : fabs(x - y);
		v->agrees = v->agrees && isfinite(x - y);
	}
	apart = largest > 0 ? apart / largest : apart;
	v->agrees = v->agrees && apart <= patc_bench_tolerance(l);
	v->difference = isfinite(apart) && apart > v->difference ? apart : v->difference;
}

/* One call on the arrays as they were given; what it wrote. */
static int patc_bench_call_once(struct patc_bench_case *c, patc_bench_call *call, bool ours,
                                struct patc_bench_result (*r)[CHECK_PIECES])
{
	int status = 0;
	patc_bench_put_back(c);
	patc_bench_measure(c, call, 1, &status);
	for (int i = 0; i < c->kernel->params; i++)
		for (int k = 0; k < CHECK_PIECES && c->kernel->param[i].written; k++) {
			const struct patc_bench_memory *m = &c->memory[i][k];
			unsigned char **to = ours ? &r[i][k].ours : &r[i][k].theirs;
			if (!m->at)
				continue;
			*to = (unsigned char *)patc_check_room(m->bytes);
			patc_bench_take(*to, m->at, m->bytes);
		}
	return status;
}

/* Calls both on the same data; a status of theirs, or 0. */
static int patc_bench_compare(struct patc_bench_case *c, struct patc_bench_verdict *v)
{
	static struct patc_bench_result r[CHECK_PARAMS][CHECK_PIECES];
	patc_bench_call_once(c, patc_bench_kernel, true, r);
	const int status = patc_bench_call_once(c, patc_bench_others, false, r);
	v->difference = 0;
	v->agrees = true;
	for (int i = 0; i < c->kernel->params; i++) {
		const struct patc_check_param *p = &c->kernel->param[i];
		for (int k = 0; p->written && k < p->leaves; k++)
			patc_bench_compare_leaf(p, &c->array[i], &p->leaf[k], r[i], v);
		for (int k = 0; k < CHECK_PIECES; k++) {
			free(r[i][k].ours);
			free(r[i][k].theirs);
			r[i][k].ours = r[i][k].theirs = NULL;
		}
	}
	return status;
}

/* false: reported */
static bool patc_bench_load(const struct patc_bench_other *o)
{
	void *library = dlopen(o->library, RTLD_NOW | RTLD_LOCAL);
	void *found = library ? dlsym(library, o->name) : NULL;
	if (!found)
		printf("{\"error\": \"%s\", \"function\": %s}\n",
		       library ? "function" : "library", o->text);
	memcpy(o->function, &found, sizeof found);
	return found;
}

/* ---- a case ---- */

enum { BENCH_OURS, BENCH_COPY, BENCH_THEIRS, BENCH_SIDES };

/* The kernel, the copy and the other function take turns. */
static int patc_bench_turns(struct patc_bench_case *c, struct patc_bench_times *t, double seconds)
{
	static patc_bench_call *const call[] = { patc_bench_kernel, patc_bench_copies,
		                                 patc_bench_others };
	const int sides = c->other ? BENCH_SIDES : BENCH_THEIRS;
	int status = 0;
	for (int k = 0; k < sides && !status; k++)
		status = patc_bench_warm(c, call[k], &t[k]);
	const double until = patc_bench_now() + seconds;
	while (!status && t->n < BENCH_MOST && (t->n < BENCH_LEAST || patc_bench_now() < until))
		for (int k = 0; k < sides && !status; k++)
			status = patc_bench_sample(c, call[k], &t[k]);
	for (int k = 0; k < sides; k++)
		patc_bench_sort(&t[k]);
	return status;
}

static bool patc_bench_status(const char *keys, const char *function, int status)
{
	if (status)
		printf("{%s, \"function\": %s, \"status\": %d}\n", keys, function, status);
	return status;
}

/* Runs it once, so that what the data show is known. */
static int patc_bench_first(struct patc_bench_case *c)
{
	int status = 0;
	patc_bench_measure(c, patc_bench_kernel, 1, &status);
	return status ? status : c->kernel->status(c->workspace, c->stream);
}

/* False: a status. */
static bool patc_bench_one(struct patc_bench_case *c, const struct patc_bench_fact *fact,
                           double seconds)
{
	static double times[BENCH_SIDES][BENCH_MOST];
	struct patc_bench_times t[BENCH_SIDES] = { { times[0], 0, 1 },
		                                   { times[1], 0, 1 },
		                                   { times[2], 0, 1 } };
	struct patc_bench_verdict v = { 0, true };
	if (patc_bench_status(fact->keys, "null", patc_bench_first(c)))
		return false;
	if (c->other && patc_bench_status(fact->keys, c->other->text, patc_bench_compare(c, &v)))
		return false;
	if (patc_bench_status(fact->keys, "null", patc_bench_turns(c, t, seconds)))
		return false;
	patc_bench_print(c, fact->keys, "null", &t[BENCH_OURS], &t[BENCH_COPY]);
	printf("}\n");
	if (c->other) {
		patc_bench_print(c, fact->keys, c->other->text, &t[BENCH_THEIRS], &t[BENCH_COPY]);
		printf(", \"difference\": %.3g, \"agrees\": %s}\n", v.difference,
		       v.agrees ? "true" : "false");
	}
	fflush(stdout);
	return true;
}

static void patc_bench_progress(const char *label, int done, int all)
{
	char bar[BENCH_BAR + 1];
	if (!isatty(STDERR_FILENO))
		return;
	for (int i = 0; i < BENCH_BAR; i++)
		bar[i] = i < BENCH_BAR * done / all ? '#' : '.';
	bar[BENCH_BAR] = 0;
	/* ends on an empty line */
	fprintf(stderr, "\r\033[K");
	if (done < all)
		fprintf(stderr, "[%s] %d/%d %s", bar, done, all, label);
	fflush(stderr);
}

/* FOO_bench [SECONDS]: of each case; those given with the driver unless said. */
static int patc_bench_main(int argc, char **argv, const char *data, double seconds,
                           const struct patc_check_kernel *kernels, int n,
                           const struct patc_bench_fact *fact, int cases,
                           const struct patc_bench_other *other)
{
	static struct patc_bench_case c;
	char magic[8] = "";
	bool good = true;
	FILE *f = fopen(data, "rb");
	if (!f)
		patc_check_die("the data file cannot be opened: run the program in its folder");
	patc_check_read(f, magic, 8);
	if (memcmp(magic, "PATCBEN1", 8) != 0)
		patc_check_die("the data file was not written for patc bench");
#ifdef CHECK_GPU
	CHECK_GPU(Stream_t) stream;
	patc_bench_gpu((int)CHECK_GPU(StreamCreate)(&stream), "finding a GPU");
	c.stream = (void *)stream;
#endif
	if (other && !patc_bench_load(other))
		return 1;
	c.other = other;
	seconds = argc > 1 ? atof(argv[1]) : seconds;
	for (int i = 0; i < cases; i++) {
		patc_bench_progress(fact[i].label, i, cases);
		patc_bench_read(f, kernels, n, fact[i].bytes, &c);
		good = patc_bench_one(&c, &fact[i], seconds) && good;
		patc_bench_end(&c);
	}
	patc_bench_progress("", cases, cases);
	fclose(f);
	return !good;
}

#endif
