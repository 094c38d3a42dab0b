/* faults.c - every call of the run-time library in NAME_host() fails once (on a CPU malloc): the
 * status is PATC_MEMORY where memory was asked for, else PATC_LAUNCH; inputs and what lies around
 * arrays are as they were, nothing is left, and the next call works.  What a failed query would
 * have told may be done without: then all is as ever.
 *
 * Compiled with -DDRIVER="FOO_check.c", the comparison of check.h, whose cases it takes, and linked
 * with FOO and the emulator; on a CPU FOO is compiled with -Dmalloc=faults_malloc
 * -Dfree=faults_free.  FOO.dat is its argument. */
#define main driver_main
#include DRIVER
#undef main

enum { FAULTS_CELLS = 300, FAULTS_CALLS = 60, FAULTS_LAUNCH = 6, FAULTS_MEMORY = 7 };

#ifdef GPU
static void faults_arm(int call)
{
	simt_fail_at(call);
}

static int faults_calls(void)
{
	return simt_counts().calls;
}

static bool faults_memory(void)
{
	return simt_counts().no_memory;
}

static long faults_live(void)
{
	return simt_live();
}
#else
static int calls, fail_at;
static long live;

void *faults_malloc(size_t bytes);
void faults_free(void *p);

void *faults_malloc(size_t bytes)
{
	void *p = ++calls == fail_at ? NULL : malloc(bytes);
	live += p != NULL;
	return p;
}

void faults_free(void *p)
{
	live -= p != NULL;
	free(p);
}

static void faults_arm(int call)
{
	calls = 0;
	fail_at = call;
}

static int faults_calls(void)
{
	return calls;
}

static bool faults_memory(void)
{
	return true;
}

static long faults_live(void)
{
	return live;
}
#endif

/* The status and all images are those of a call in which nothing failed. */
static void faults_usual(struct patc_check_found *s, int status)
{
	if (!patc_check_expects(s->c, status) && patc_check_report(s))
		printf("status %d, expected %d\n", status, s->c->status);
	patc_check_images(s);
}

static void faults_call(struct patc_check_found *s, struct patc_check_case *c, int call)
{
	faults_arm(call);
	int status = patc_check_call_host(c), due = faults_memory() ? FAULTS_MEMORY : FAULTS_LAUNCH;
	faults_arm(0);
	if (patc_check_expects(c, status))
		faults_usual(s, status);
	else if (status != due && patc_check_report(s))
		printf("call %d: status %d, expected %d\n", call, status, due);
	for (int i = 0; i < c->kernel->params; i++)
		if (!c->kernel->param[i].by_value)
			patc_check_unchanged(s, i);
	if (faults_live() && patc_check_report(s))
		printf("call %d: %ld pieces of memory or streams are left\n", call, faults_live());
	faults_usual(s, patc_check_call_host(c));
}

/* Of many calls, as a loop of the host makes them, the first and the last and some between. */
static void faults_case(const char *file, struct patc_check_case *c, struct patc_check_totals *t)
{
	struct patc_check_found s = { file, "faults", c, 0, 0, 0 };
	faults_arm(0);
	faults_usual(&s, patc_check_call_host(c));
	int n = faults_calls();
	for (int call = 1; call <= n && !s.wrong;
	     call += call > FAULTS_CALLS / 3 && call < n - FAULTS_CALLS / 3 ? 1 + n / FAULTS_CALLS
	                                                                    : 1)
		faults_call(&s, c, call);
	*(s.wrong ? &t->failed : &t->passed) += 1;
	if (!s.wrong)
		printf("ok %s %s %s faults: status %d, %d calls\n", file, c->kernel->name, c->name,
		       (int)c->status, n);
}

static bool faults_small(const struct patc_check_case *c)
{
	for (int i = 0; i < c->kernel->params; i++)
		if (c->array[i].cells > FAULTS_CELLS)
			return false;
	return true;
}

int main(int argc, char **argv)
{
	struct patc_check_totals t = { 0, 0 };
	static struct patc_check_case c;
	char magic[8];
	(void)driver_main;
	FILE *f = fopen(argc > 1 ? argv[1] : "", "rb");
	if (!f)
		patc_check_die("the data file cannot be opened");
	patc_check_read(f, magic, 8);
	for (int32_t left = patc_check_i32(f); left > 0; left--) {
		patc_check_case_read(f, patc_kernels,
		                     (int)(sizeof patc_kernels / sizeof *patc_kernels), &c);
		if (faults_small(&c))
			faults_case(argv[1], &c, &t);
		patc_check_case_free(&c);
	}
	fclose(f);
	printf("%ld passed, %ld failed\n", t.passed, t.failed);
	return t.failed || !t.passed;
}
