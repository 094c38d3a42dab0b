/* road.c - the passes in their order (pass.def), and all kernels lowered: what compiling, testing and the
 * programs of tests/check do alike. */
#include "pass.h"
#include "road.h"

void program_schedule(struct program *program, const struct options *o)
{
	for (int i = 0; i < program->entry.n; i++) {
		schedule_pins(program->entry.at[i], o);
		guard_folds(program->entry.at[i], o);
		pass_gather(program->entry.at[i], o);
		pass_fuse(program->entry.at[i], o);
		pass_layout(program->entry.at[i], o);
		pass_regularise(program->entry.at[i], o);
		pass_sweep(program->entry.at[i], o);
		pass_stage(program->entry.at[i], o);
		pass_tile(program->entry.at[i], o);
		pass_privatise(program->entry.at[i], o);
		pass_vectorise(program->entry.at[i], o);
		pass_coarsen(program->entry.at[i], o);
	}
}

struct plans program_lower(const struct program *program, const struct options *o)
{
	struct plans plans = { 0 };
	kir_reserve(program);
	for (int i = 0; i < program->entry.n; i++) {
		struct plan *plan = plan_entry(program->entry.at[i], o->target);
		pass_cse(plan, o);
		pass_hoist(plan, o);
		for (int k = 0; o->target->mend && k < plan->kernel.n; k++)
			o->target->mend(plan->kernel.at[k]);
		list_add(&plans, plan);
	}
	return plans;
}
