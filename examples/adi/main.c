/* main.c - lets a wave of heat in a plate fade by patc's kernel, compares how much of it is left
 * with what the method gives exactly, and measures the kernel. */
#include <getopt.h>
#include <math.h>

#include "adi.h"
#include "common.h"

static const double PI = 3.14159265358979323846;
static const double STEP = 0.8;               /* r of the kernel */

struct plate {                                /* where the kernel runs */
	int64_t rows, columns, steps;
	float *u;
	void *workspace;
	size_t workspace_bytes;
};

static void run(void *state)
{
	struct plate *p = state;
	must_succeed(adi(p->rows, p->columns, p->u, (float)STEP, p->steps, p->workspace,
	                 p->workspace_bytes, NULL),
	             adi_strerror, "adi");
}

/* Half a wave along an axis of n cells between edges of 0. */
static double wave(int64_t i, int64_t n)
{
	return sin(PI * (double)(i + 1) / (double)(n + 1));
}

static void heat_up(struct plate *p)
{
	float *u = host_new((size_t)(p->rows * p->columns) * sizeof *u);
	for (int64_t i = 0; i < p->rows; i++)
		for (int64_t j = 0; j < p->columns; j++)
			u[i * p->columns + j] = (float)(wave(i, p->rows) * wave(j, p->columns));
	to_device(p->u, u, (size_t)(p->rows * p->columns) * sizeof *u);
	free(u);
}

static struct plate plate_open(int64_t rows, int64_t columns, int64_t steps)
{
	struct plate p = { .rows = rows, .columns = columns, .steps = steps };
	p.u = device_new((size_t)(rows * columns) * sizeof *p.u);
	p.workspace_bytes = adi_workspace(rows, columns);
	p.workspace = device_new(p.workspace_bytes);
	heat_up(&p);
	return p;
}

static void plate_close(struct plate *p)
{
	device_free(p->u);
	device_free(p->workspace);
}

/* What half a step leaves of the wave along an axis of n cells: explicit and implicit. */
static double left_of(int64_t n)
{
	double s = STEP * (2 - 2 * cos(PI / (double)(n + 1)));
	return (1 - s) / (1 + s);
}

static void compare(const struct plate *p)
{
	double left = pow(left_of(p->rows) * left_of(p->columns), (double)p->steps), off = 0;
	float *u = floats_fetch(p->u, p->rows * p->columns);
	for (int64_t i = 0; i < p->rows; i++)
		for (int64_t j = 0; j < p->columns; j++) {
			double exact = left * wave(i, p->rows) * wave(j, p->columns);
			off = worse(off, fabs((double)u[i * p->columns + j] - exact));
		}
	printf("%.4f of the heat is left after %lld steps\n", left, (long long)p->steps);
	check_within("the wave", off, 3e-4);
	free(u);
}

static void measure(int64_t side)
{
	struct plate p = plate_open(side, side, 1);
	double took = best_time(run, &p);
	print_rate("a step of alternating directions", (double)(side * side), 32, took);
	plate_close(&p);
}

static _Noreturn void usage(int status)
{
	fputs("usage: adi [options]\n"
	      "  --rows=N      cells of the plate (100)\n"
	      "  --columns=N   likewise (150)\n"
	      "  --steps=N     (200)\n"
	      "  --side=N      of the plate that is measured (4096)\n"
	      "  --no-measure  do not measure the kernel afterwards\n",
	      status ? stderr : stdout);
	exit(status);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "rows", required_argument, NULL, 'r' },
		{ "columns", required_argument, NULL, 'c' },
		{ "steps", required_argument, NULL, 's' }, { "side", required_argument, NULL, 'n' },
		{ "no-measure", no_argument, NULL, 'q' }, { "help", no_argument, NULL, 'h' }, { 0 }
	};
	int64_t rows = 100, columns = 150, steps = 200, side = 4096;
	bool quiet = false;
	int option, which = 0;
	while ((option = getopt_long(argc, argv, "", options, &which)) != -1)
		switch (option) {
		case 'r': rows = (int64_t)number(options[which].name, optarg, 1, 1e5); break;
		case 'c': columns = (int64_t)number(options[which].name, optarg, 1, 1e5); break;
		case 's': steps = (int64_t)number(options[which].name, optarg, 0, 1e6); break;
		case 'n': side = (int64_t)number(options[which].name, optarg, 1, 1e5); break;
		case 'q': quiet = true; break;
		case 'h': usage(0);
		default: usage(2);
		}
	if (argc > optind)
		usage(2);

	struct plate p = plate_open(rows, columns, steps);
	run(&p);
	compare(&p);
	plate_close(&p);
	if (!quiet)
		measure(side);
	return 0;
}
