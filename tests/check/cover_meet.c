/* cover_meet.c - kernels whose cells come from anywhere, or whose items go anywhere: gathers,
 * scatters, histograms. */
#include "cover.h"

enum { SCATTER, HISTOGRAM, GATHER, MEETINGS };

static const char *combine(const union row *r)
{
	static const char *const flags[] = { "any=", "all=", "^=" }, *const numbers[] = {
		"+=", "max=", "min="
	};
	int n = r->variant / MEETINGS;
	return is_bool(r) ? flags[n % 3] : n == 3 ? s("larger_%s=", T(r)) : numbers[n];
}

static const char *clause(const union row *r)
{
	static const char *const text[] = { "", " drop", " where i % 3 != 0",
		                            " drop where i % 3 != 0" };
	return text[(r->type + r->variant / MEETINGS) % 4];
}

/* Items are few here: only a pin has them sampled. */
static void sampled(const union row *r)
{
	for (int g = 0; g < 2 && r->variant / MEETINGS % 2; g++)
		p("schedule %s for %s { privatise hot; }\n", kernel_name(r), g ? "hip" : "cuda");
}

/* Along the first axis from where the data say. */
static const char *from(const union row *r)
{
	static const char *const text[] = { "to[i]", "to[i, j], j", "to[i, j, k], j, k" };
	return text[r->rank];
}

void meet_kernel(const union row *r)
{
	const char *t = T(r), *to = s("to[%s]", own(r)), *x = s("x[%s]", own(r));
	p("kernel %s(to: i32[%s], x: %s, q: %s, inout y: %s[b], inout count: i64[b], inout w: "
	  "Pair_%s[b], inout z: %s, inout v: %s, inout u: %s) {\n",
	  kernel_name(r), shape(r), array(r, t, 0), pairs_of(r, 2), t, t, array(r, t, 1),
	  pairs_of(r, 3), array(r, t, 3));
	switch (r->variant % MEETINGS) {
	case SCATTER:
		p("\tscatter y[%s] %s %s%s;\n", to, combine(r), guarded(r, "x", x), clause(r));
		if (r->variant % 2)
			p("\tscatter w[%s] better_%s= q[%s] drop;\n", to, t, own(r));
		break;
	case HISTOGRAM:
		p("\thistogram count[%s] += 1 drop;\n", to);
		p("\thistogram y[%s] %s blend_%s(%s, q[%s].y)%s;\n", to, combine(r), t, x, own(r),
		  clause(r));
		break;
	case GATHER:
		p("\tgather z[%s] = x[%s]%s;\n", own(r), from(r), clause(r));
		p("\tgather v[%s] = q[%s] drop;\n", own(r), from(r));
		p("\tgather u[%s] = %s >= 0 && %s < %s ? x[%s] : %s;\n", own(r), to, to,
		  size_name(r, 0), from(r), guarded(r, "x", x));
		break;
	}
	p("}\n\n");
	if (r->variant % MEETINGS != GATHER)
		sampled(r);
}
