/* main.c - reads a plate from a PNG, lets patc's kernels find the temperatures it settles at by
 * three methods, draws how their residuals fall and what they agree on, and measures a sweep. */
#include <getopt.h>
#include <math.h>

#include "common.h"
#include "plate.h"
#include "plot.h"

enum { HELD, FREE };                          /* as in plate.pat */
static const double ROOM = 20;                /* degrees */

struct plate { int64_t rows, columns; uint8_t *cell; double *start; };
struct device {                               /* where the kernels run */
	int64_t rows, columns, most;
	double omega, eps;
	uint8_t *cell;
	double *a, *residual;
	int64_t *sweeps;
	void *workspace;
	size_t workspace_bytes;
};
struct method { const char *name, *colour; double omega; void (*run)(void *device); };

/* ---- the plate ---- */

static struct plate plate_new(int64_t rows, int64_t columns)
{
	size_t cells = (size_t)(rows * columns);
	return (struct plate){ rows, columns, host_new(cells), host_new(cells * sizeof(double)) };
}

static void plate_free(struct plate *p)
{
	free(p->cell);
	free(p->start);
}

/* What is grey is free, and as warm as the room before; colours are held, at 0 (blue) to 100
 * degrees (red).  The edge is held in any case: its cells have no four neighbours. */
static struct plate plate_read(const char *path)
{
	struct picture picture = picture_read(path);
	struct plate p = plate_new(picture.rows, picture.columns);
	for (int64_t i = 0; i < p.rows; i++)
		for (int64_t j = 0; j < p.columns; j++) {
			const uint8_t *c = pixel(&picture, i, j);
			bool grey = c[0] == c[1] && c[1] == c[2];
			bool edge = i == 0 || j == 0 || i == p.rows - 1 || j == p.columns - 1;
			p.cell[i * p.columns + j] = grey && !edge ? FREE : HELD;
			p.start[i * p.columns + j] =
				grey ? ROOM : 100.0 * c[0] / (c[0] + c[2] ? c[0] + c[2] : 1);
		}
	picture_free(&picture);
	return p;
}

/* ---- the kernels ---- */

static struct device device_open(const struct plate *p, double eps, int64_t most)
{
	struct device d = { .rows = p->rows, .columns = p->columns, .most = most, .eps = eps };
	size_t cells = (size_t)(d.rows * d.columns);
	size_t jacobi = jacobi_workspace(d.rows, d.columns, most),
	       sor = sor_workspace(d.rows, d.columns, most);
	d.workspace_bytes = jacobi > sor ? jacobi : sor;
	d.cell = device_new(cells);
	d.a = device_new(cells * sizeof *d.a);
	d.residual = device_new((size_t)most * sizeof *d.residual);
	d.sweeps = device_new(sizeof *d.sweeps);
	d.workspace = device_new(d.workspace_bytes);
	to_device(d.cell, p->cell, cells);
	to_device(d.a, p->start, cells * sizeof *d.a);
	return d;
}

static void device_close(struct device *d)
{
	device_free(d->cell);
	device_free(d->a);
	device_free(d->residual);
	device_free(d->sweeps);
	device_free(d->workspace);
}

static void run_jacobi(void *state)
{
	struct device *d = state;
	must_succeed(jacobi(d->rows, d->columns, d->most, d->cell, d->eps, d->a, d->residual,
			    d->sweeps, d->workspace, d->workspace_bytes, NULL),
		     jacobi_strerror, "jacobi");
}

static void run_sor(void *state)
{
	struct device *d = state;
	must_succeed(sor(d->rows, d->columns, d->most, d->cell, d->omega, d->eps, d->a, d->residual,
			 d->sweeps, d->workspace, d->workspace_bytes, NULL),
		     sor_strerror, "sor");
}

/* The best there is for a plate of which only the edge is held (Young 1950). */
static double best_omega(const struct plate *p)
{
	double turn = acos(-1), rows = (double)p->rows - 1, columns = (double)p->columns - 1;
	double rho = (cos(turn / fmax(rows, 2)) + cos(turn / fmax(columns, 2))) / 2;
	return 2 / (1 + sqrt(1 - rho * rho));
}

/* ---- the comparison with plain loops ---- */

static double off(const struct plate *p, const double *a, int64_t at)
{
	int64_t n = p->columns;
	return (a[at - n] + a[at + n] + a[at - 1] + a[at + 1]) / 4 - a[at];
}

/* One sweep in place reads `a`, one of Jacobi what that was. */
static void naive_sweep(const struct plate *p, double *a, double omega, double *before)
{
	int64_t cells = p->rows * p->columns;
	if (before)
		memcpy(before, a, (size_t)cells * sizeof *a);
	for (int64_t at = 0; at < cells; at++)
		if (p->cell[at] == FREE)
			a[at] += (before ? 1 : omega) * off(p, before ? before : a, at);
}

static double naive_residual(const struct plate *p, const double *a)
{
	double most = 0;
	for (int64_t at = 0; at < p->rows * p->columns; at++)
		if (p->cell[at] == FREE)
			most = worse(most, fabs(off(p, a, at)));
	return most;
}

static void check(const struct plate *p, const struct method *m, const struct fall *f,
		  const double *a)
{
	size_t bytes = (size_t)(p->rows * p->columns) * sizeof(double);
	double *want = host_new(bytes), *before = m->run == run_jacobi ? host_new(bytes) : NULL,
	       apart = 0, wrong = 0;
	memcpy(want, p->start, bytes);
	for (int64_t k = 0; k < f->passes; k++) {
		naive_sweep(p, want, m->omega, before);
		apart = worse(apart, fabs(naive_residual(p, want) - f->residual[k]));
	}
	for (int64_t at = 0; at < p->rows * p->columns; at++)
		wrong = worse(wrong, fabs(want[at] - a[at]));
	check_within(m->name, wrong, 1e-9);
	check_within("its residuals", apart, 1e-9);
	free(want);
	free(before);
}

/* ---- one method ---- */

static void try_method(const struct plate *p, const struct method *m, double eps, int64_t most,
		       bool checked, struct fall *f, double *a)
{
	struct device d = device_open(p, eps, most);
	d.omega = m->omega;
	double start = seconds();
	m->run(&d);
	device_wait();
	double took = seconds() - start;
	*f = (struct fall){ .name = m->name, .colour = m->colour };
	to_host(&f->passes, d.sweeps, sizeof f->passes);
	f->residual = host_new((size_t)f->passes * sizeof *f->residual);
	to_host(f->residual, d.residual, (size_t)f->passes * sizeof *f->residual);
	to_host(a, d.a, (size_t)(p->rows * p->columns) * sizeof *a);
	device_close(&d);
	double last = f->passes ? f->residual[f->passes - 1] : 0;
	printf("%s: %s: %s after %lld sweeps, residual %.2e, %.3f s\n", platform, m->name,
	       last < eps ? "settled" : "not settled", (long long)f->passes, last, took);
	if (checked)
		check(p, m, f, a);
}

/* ---- the picture of the temperatures ---- */

static void draw(const struct plate *p, const double *a, const char *path)
{
	enum { TIMES = 4 };
	struct picture picture = picture_new(TIMES * p->rows, TIMES * p->columns);
	for (int64_t i = 0; i < picture.rows; i++)
		for (int64_t j = 0; j < picture.columns; j++) {
			double degrees = a[i / TIMES * p->columns + j / TIMES];
			colour_signed(0.2 * floor(degrees / 10 + 1e-9) - 0.9,
				      pixel(&picture, i, j)); /* steps of 10 */
		}
	picture_write(&picture, path);
	picture_free(&picture);
}

/* ---- figures ---- */

enum { SWEEPS = 2 };                          /* of a measurement */

static void measure(void)
{
	int64_t side = (int64_t)sqrt((double)large / 16);
	struct plate p = plate_new(side, side);
	for (int64_t at = 0; at < side * side; at++) {
		p.cell[at] = at % 997 ? FREE : HELD;
		p.start[at] = (double)(at * 2654435761 % 100);
	}
	struct device d = device_open(&p, 0, SWEEPS);
	const struct method method[] = { { "Jacobi", "", 1, run_jacobi },
					 { "over-relaxation", "", 1.5, run_sor } };
	char what[80];
	for (int k = 0; k < 2; k++) {
		d.omega = method[k].omega;
		snprintf(what, sizeof what, "%s, %d sweeps of %lld x %lld", method[k].name, SWEEPS,
			 (long long)side, (long long)side);
		/* temperatures read, written and read by the check, and twice what is free */
		print_rate(what, SWEEPS * (double)(side * side), 3 * sizeof(double) + 2,
			   best_time(method[k].run, &d));
	}
	device_close(&d);
	plate_free(&p);
}

/* ---- the command ---- */

static _Noreturn void usage(int status)
{
	fputs("usage: plate [--omega=W] [--eps=E] [--sweeps=N] [--plot=FILE] [--picture=FILE] [--check] [--no-measure]\n"
	      "             [input.png]\n"
	      "  --omega=W       of the over-relaxation (the best for the plate's size)\n"
	      "  --eps=E         how near all cells must come to the mean of their neighbours, in degrees (1e-6)\n"
	      "  --sweeps=N      at most (20000)\n"
	      "  --plot=FILE     how the residuals fell (convergence.svg)\n"
	      "  --picture=FILE  the temperatures (settled.png)\n"
	      "  --check         compare with plain loops\n"
	      "  --no-measure    do not measure the kernels afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "omega", required_argument, NULL, 'w' }, { "eps", required_argument, NULL, 'e' },
		{ "sweeps", required_argument, NULL, 'm' }, { "plot", required_argument, NULL, 'p' },
		{ "picture", required_argument, NULL, 'i' }, { "check", no_argument, NULL, 'c' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	const char *plot = "convergence.svg", *picture = "settled.png";
	double omega = 0, eps = 1e-6;
	int64_t most = 20000;
	bool checked = false, quiet = false;
	int option, which = 0;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 'w': omega = number(options[which].name, optarg, 0.01, 1.99); break;
		case 'e': eps = number(options[which].name, optarg, 1e-11, 10); break;
		case 'm': most = (int64_t)number(options[which].name, optarg, 1, 1e8); break;
		case 'p': plot = optarg; break;
		case 'i': picture = optarg; break;
		case 'c': checked = true; break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc - optind > 1)
		usage(2);

	struct plate p = plate_read(optind < argc ? argv[optind] : "input.png");
	const struct method method[] = {
		{ "Jacobi", "#888", 1, run_jacobi }, { "Gauss and Seidel", "#36c", 1, run_sor },
		{ "over-relaxation", "#c33", omega > 0 ? omega : best_omega(&p), run_sor }
	};
	struct fall fall[3];
	double *a = host_new((size_t)(p.rows * p.columns) * sizeof *a), top = eps;
	printf("%s: %lld x %lld cells, omega %.3f\n", platform, (long long)p.rows,
	       (long long)p.columns, method[2].omega);
	for (int k = 0; k < 3; k++) {
		try_method(&p, &method[k], eps, most, checked, &fall[k], a);
		top = fmax(top, fall[k].passes ? fall[k].residual[0] : 0);
	}
	plot_falls(fall, 3, top, eps, "sweeps", plot);
	draw(&p, a, picture);
	for (int k = 0; k < 3; k++)
		free(fall[k].residual);
	free(a);
	plate_free(&p);
	if (!quiet)
		measure();
	return 0;
}
