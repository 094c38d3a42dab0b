/* main.c - solves A x = b for a Laplacian of a square and for the graph of a network, with patc's
 * kernel, draws how the residuals fall, and measures the kernel. */
#include <getopt.h>
#include <math.h>

#include "cg.h"
#include "common.h"
#include "matrix.h"
#include "plot.h"

struct device {                               /* where the kernel runs */
	int64_t n, nonzeros, most;
	int32_t *row, *column;
	double *value, *b, *x, *residual, eps;
	int64_t *passes;
	void *workspace;
	size_t workspace_bytes;
};

/* ---- the kernel ---- */

static struct device device_open(const struct matrix *a, const double *b, double eps, int64_t most)
{
	struct device d = { .n = a->n, .nonzeros = a->nonzeros, .most = most, .eps = eps };
	size_t n = (size_t)a->n, nonzeros = (size_t)a->nonzeros;
	d.workspace_bytes = solve_workspace(d.n, d.nonzeros, d.most);
	d.row = device_new((n + 1) * sizeof *d.row);
	d.column = device_new(nonzeros * sizeof *d.column);
	d.value = device_new(nonzeros * sizeof *d.value);
	d.b = device_new(n * sizeof *d.b);
	d.x = device_new(n * sizeof *d.x);
	d.residual = device_new((size_t)most * sizeof *d.residual);
	d.passes = device_new(sizeof *d.passes);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.row, a->row, (n + 1) * sizeof *d.row);
	to_device(d.column, a->column, nonzeros * sizeof *d.column);
	to_device(d.value, a->value, nonzeros * sizeof *d.value);
	to_device(d.b, b, n * sizeof *d.b);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->row);
	device_free(d->column);
	device_free(d->value);
	device_free(d->b);
	device_free(d->x);
	device_free(d->residual);
	device_free(d->passes);
	device_free(d->workspace);
}

static void run(void *state)
{
	struct device *d = state;
	must_succeed(solve(d->n, d->nonzeros, d->most, d->row, d->column, d->value, d->b, d->eps,
			   d->x, d->residual, d->passes, d->workspace, d->workspace_bytes, NULL),
		     solve_strerror, "solve");
}

/* ---- one matrix ---- */

/* |b - A x| / |b|, by a plain loop */
static double residual_of(const struct matrix *a, const double *b, const double *x)
{
	double *y = host_new((size_t)a->n * sizeof *y), rr = 0, bb = 0;
	matrix_times(a, x, y);
	for (int64_t i = 0; i < a->n; i++) {
		rr += (b[i] - y[i]) * (b[i] - y[i]);
		bb += b[i] * b[i];
	}
	free(y);
	return sqrt(rr / bb);
}

static int64_t longest_row(const struct matrix *a)
{
	int64_t most = 0;
	for (int64_t i = 0; i < a->n; i++)
		if (a->row[i + 1] - a->row[i] > most)
			most = a->row[i + 1] - a->row[i];
	return most;
}

/* A known solution makes b; the search starts at nothing. */
static void try_matrix(const struct matrix *a, double eps, int64_t most, bool checked,
		       struct fall *h)
{
	size_t bytes = (size_t)a->n * sizeof(double);
	double *known = host_new(bytes), *b = host_new(bytes), *x = host_new(bytes);
	for (int64_t i = 0; i < a->n; i++) {
		known[i] = sin(0.01 * (double)i) + (double)(i % 7) / 7;
		x[i] = 0;
	}
	matrix_times(a, known, b);
	struct device d = device_open(a, b, eps, most);
	to_device(d.x, x, bytes);
	double start = seconds();
	run(&d);
	device_wait();
	double took = seconds() - start;
	to_host(x, d.x, bytes);
	to_host(&h->passes, d.passes, sizeof h->passes);
	h->residual = host_new((size_t)h->passes * sizeof *h->residual);
	to_host(h->residual, d.residual, (size_t)h->passes * sizeof *h->residual);
	double last = h->passes ? h->residual[h->passes - 1] : 0;
	printf("%s: %s, %lld rows, %lld nonzeros, %lld in the longest row: %s after %lld passes, residual %.2e, %.3f s\n",
	       platform, h->name, (long long)a->n, (long long)a->nonzeros,
	       (long long)longest_row(a), last <= eps ? "solved" : "not solved",
	       (long long)h->passes, last, took);
	if (checked && last <= eps)
		check_within(h->name, residual_of(a, b, x), 10 * eps);
	device_close(&d);
	free(known);
	free(b);
	free(x);
}

/* ---- figures ---- */

enum { PASSES = 10 };                         /* of a measurement */

static void measure(const struct matrix *a, const char *name)
{
	size_t bytes = (size_t)a->n * sizeof(double);
	double *b = host_new(bytes);
	char what[96];
	for (int64_t i = 0; i < a->n; i++)
		b[i] = (double)(i * 2654435761 % 1000);
	struct device d = device_open(a, b, 0, PASSES);
	to_device(d.x, b, bytes);
	snprintf(what, sizeof what, "%s, %d passes, nonzeros", name, PASSES);
	/* of a nonzero its value and column; of a row its end, and what the five statements move of six vectors */
	print_rate(what, PASSES * (double)a->nonzeros,
		   12 + (4 + 8.0 * 13) * (double)a->n / (double)a->nonzeros, best_time(run, &d));
	device_close(&d);
	free(b);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: cg [--side=N] [--nodes=N] [--eps=E] [--passes=N] [--plot=FILE] [--check] [--no-measure]\n"
	      "  --side=N      of the square, in cells (100)\n"
	      "  --nodes=N     of the network (20000)\n"
	      "  --eps=E       how far the residual must fall (1e-10)\n"
	      "  --passes=N    at most (2000)\n"
	      "  --plot=FILE   how it fell (convergence.svg)\n"
	      "  --check       compute the residual again with plain loops\n"
	      "  --no-measure  do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "side", required_argument, NULL, 's' }, { "nodes", required_argument, NULL, 'n' },
		{ "eps", required_argument, NULL, 'e' }, { "passes", required_argument, NULL, 'm' },
		{ "plot", required_argument, NULL, 'p' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *plot = "convergence.svg";
	int side = 100, option, which = 0;
	int64_t nodes = 20000, most = 2000;
	double eps = 1e-10;
	bool checked = false, quiet = false;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 's': side = (int)number(options[which].name, optarg, 1, 20000); break;
		case 'n': nodes = (int64_t)number(options[which].name, optarg, 1, 1e8); break;
		case 'e': eps = number(options[which].name, optarg, 1e-14, 0.5); break;
		case 'm': most = (int64_t)number(options[which].name, optarg, 1, 1e8); break;
		case 'p': plot = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc > optind)
		usage(2);

	struct fall h[2] = { { "square", "#c33", 0, NULL }, { "network", "#36c", 0, NULL } };
	for (int k = 0; k < 2; k++) {
		struct matrix a = k ? matrix_power_law(nodes, 4) : matrix_laplacian(side);
		try_matrix(&a, eps, most, checked, &h[k]);
		matrix_free(&a);
	}
	plot_falls(h, 2, 1, eps, "passes", plot);
	for (int k = 0; k < 2; k++) {
		free(h[k].residual);
		if (quiet)
			continue;
		struct matrix a = k ? matrix_power_law(large / 256, 4)
				    : matrix_laplacian((int)sqrt((double)(large / 64)));
		measure(&a, h[k].name);
		matrix_free(&a);
	}
	return 0;
}
