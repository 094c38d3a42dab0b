/* matrix.c - graphs from a file or drawn, and a plain product to compare with: matrix.h. */
#include "common.h"
#include "matrix.h"

struct link { int32_t from, to; float weight; };
struct links { struct link *at; int64_t n, room; };

struct matrix matrix_new(int64_t n, int64_t nonzeros)
{
	if (nonzeros > INT32_MAX)
		fail("matrix", "too many nonzeros for 32 bits");
	struct matrix a = { .n = n, .nonzeros = nonzeros };
	a.row = host_new((size_t)(n + 1) * sizeof *a.row);
	a.column = host_new((size_t)nonzeros * sizeof *a.column);
	a.value = host_new((size_t)nonzeros * sizeof *a.value);
	a.row[0] = 0;
	return a;
}

void matrix_free(struct matrix *a)
{
	free(a->row);
	free(a->column);
	free(a->value);
}

/* ---- graphs ---- */

static void links_add(struct links *l, int64_t from, int64_t to, float weight)
{
	if (l->n == l->room) {
		l->room = l->room ? 2 * l->room : 1024;
		l->at = realloc(l->at, (size_t)l->room * sizeof *l->at);
		if (!l->at)
			fail("links", "no memory");
	}
	l->at[l->n++] = (struct link){ (int32_t)from, (int32_t)to, weight };
}

/* Every link stands in the rows of both its ends. */
static struct matrix matrix_of(const struct links *l, int64_t n)
{
	struct matrix a = matrix_new(n, 2 * l->n);
	int32_t *next = host_new((size_t)n * sizeof *next);
	for (int64_t i = 0; i < n; i++)
		next[i] = 0;
	for (int64_t k = 0; k < l->n; k++) {
		next[l->at[k].from]++;
		next[l->at[k].to]++;
	}
	for (int64_t i = 0; i < n; i++) {
		a.row[i + 1] = a.row[i] + next[i];
		next[i] = a.row[i];
	}
	for (int64_t k = 0; k < 2 * l->n; k++) {
		const struct link *x = &l->at[k / 2];
		int32_t at = next[k % 2 ? x->to : x->from]++;
		a.column[at] = k % 2 ? x->from : x->to;
		a.value[at] = x->weight;
	}
	free(next);
	return a;
}

static void read_line(const char *path, const char *line, struct links *l, int64_t *n)
{
	int from, to;
	if (line[0] == '#' || line[strspn(line, " \t\r\n")] == 0)
		return;
	if (sscanf(line, "%d %d", &from, &to) != 2 || from < 1 || to < 1 || from == to)
		fail(path, "is no list of two nodes a line");
	links_add(l, from - 1, to - 1, 1);
	*n = from > *n ? from : *n;
	*n = to > *n ? to : *n;
}

struct matrix graph_read(const char *path)
{
	FILE *in = fopen(path, "r");
	if (!in)
		fail(path, "cannot be read");
	struct links l = { 0 };
	char line[256];
	int64_t n = 0;
	while (fgets(line, sizeof line, in))
		read_line(path, line, &l, &n);
	fclose(in);
	struct matrix a = matrix_of(&l, n);
	free(l.at);
	return a;
}

struct matrix graph_draw(int64_t n, int links)
{
	struct links l = { 0 };
	uint64_t x = 88172645463325252u;
	for (int64_t k = links; k < n * links; k++) {
		int64_t node = k / links, known = links * (node - 1);
		random_bits(&x);
		/* an end of a link that is there is a node, the rather the more links it has */
		const struct link *end = known ? &l.at[x % (uint64_t)known] : NULL;
		links_add(&l, node,
			  !end      ? 0
			  : x >> 63 ? end->from
				    : end->to,
			  (float)(1 + k % 7) / 4);
	}
	struct matrix a = matrix_of(&l, n);
	free(l.at);
	return a;
}

/* ---- the product, by a plain loop ---- */

struct sums { float *sum; bool *met; };

/* Sums the products of row i, or stores the cells that it met from `at` on; so many there are. */
static int64_t square_row(const struct matrix *a, int64_t i, const struct sums *s,
			  struct matrix *to)
{
	int64_t cells = 0;
	for (int32_t e = a->row[i]; e < a->row[i + 1]; e++)
		for (int32_t f = a->row[a->column[e]]; f < a->row[a->column[e] + 1]; f++) {
			cells += !s->met[a->column[f]];
			s->met[a->column[f]] = true;
			s->sum[a->column[f]] += a->value[e] * a->value[f];
		}
	for (int64_t k = 0, at = to ? to->row[i] : 0; k < a->n; k++) {
		if (s->met[k] && to) {
			to->column[at] = (int32_t)k;
			to->value[at++] = s->sum[k];
		}
		s->met[k] = false;
		s->sum[k] = 0;
	}
	return cells;
}

struct matrix matrix_square(const struct matrix *a)
{
	struct sums s = { host_new((size_t)a->n * sizeof *s.sum),
			  host_new((size_t)a->n * sizeof *s.met) };
	int64_t cells = 0;
	for (int64_t k = 0; k < a->n; k++) {
		s.sum[k] = 0;
		s.met[k] = false;
	}
	for (int64_t i = 0; i < a->n; i++)
		cells += square_row(a, i, &s, NULL);
	struct matrix c = matrix_new(a->n, cells);
	for (int64_t i = 0; i < a->n; i++)
		c.row[i + 1] = c.row[i] + (int32_t)square_row(a, i, &s, &c);
	free(s.sum);
	free(s.met);
	return c;
}
