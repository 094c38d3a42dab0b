libpatc_a_SOURCES += \
	%D%/domains.c %D%/lower.c %D%/lower.h %D%/lower_abreast.c %D%/lower_array.c %D%/lower_cell.c %D%/lower_curve.c %D%/lower_fn.c \
	%D%/lower_fold.c %D%/pass_together.c %D%/lower_tile.c %D%/lower_walk.c %D%/plan.c %D%/plan_check.c %D%/plan_lets.c %D%/plan_loop.c \
	%D%/plan_one_block.c %D%/planner.h
