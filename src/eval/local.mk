libpatc_a_SOURCES += \
	%D%/approx.def %D%/eval.c %D%/eval.h %D%/eval_approx.c %D%/eval_best.c %D%/eval_code.c \
	%D%/eval_combine.c %D%/eval_drift.c %D%/eval_impl.h %D%/eval_recur.c %D%/eval_recur.h \
	%D%/eval_run.c %D%/eval_running.c %D%/eval_value.c %D%/eval_value.h %D%/show.c %D%/show.h
