/* road.c - the passes in their order (pass.def), and all kernels lowered: what compiling, testing
 * and the programs of tests/check do alike. */
#include "pass.h"
#include "road.h"

void program_schedule(struct program *program, const struct options *o)
{
	static void (*const passes[])(struct entry *, const struct options *) = {
		schedule_pins,  guard_folds,   pass_bin,    pass_gather,     pass_separate,
		regularise_rows, pass_fuse,    pass_layout,    pass_regularise, pass_sweep,
		pass_walk,      pass_stage,    pass_symmetric, pass_tile,       pass_privatise,
		pass_vectorise, pass_coarsen,  pass_time,      pass_loop
	};
	program_begin(program->bytes);
	for (int i = 0; i < program->entry.n; i++)
		for (size_t k = 0;
		     k < sizeof passes / sizeof *passes && program_fits(program->entry.at[i]->at);
		     k++)
			passes[k](program->entry.at[i], o);
}

struct plans program_lower(const struct program *program, const struct options *o)
{
	struct plans plans = { 0 };
	kir_reserve(program);
	for (int i = 0; i < program->entry.n; i++) {
		struct plan *plan = plan_entry(program->entry.at[i], o->target);
		if (!program_fits(program->entry.at[i]->at))
			break;
		kirtrim(plan);
		pass_cse(plan, o);
		pass_hoist(plan, o);
		pass_divide(plan, o);
		for (int k = 0; o->target->mend && k < plan->kernel.n; k++)
			o->target->mend(plan->kernel.at[k]);
		pass_together(plan, o);
		if (o->check_accesses)
			plan_check(plan);
		plan_names(plan);
		list_add(&plans, plan);
	}
	return plans;
}
