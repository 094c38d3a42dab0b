libpatc_a_SOURCES += \
	%D%/approx.def %D%/eval.c %D%/eval.h %D%/eval_approx.c %D%/eval_best.c %D%/eval_code.c \
	%D%/eval_combine.c %D%/eval_cut.c %D%/eval_impl.h %D%/eval_run.c %D%/eval_value.c %D%/eval_value.h %D%/show.c %D%/show.h
