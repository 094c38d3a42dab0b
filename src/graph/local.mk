libpatc_a_SOURCES += \
	%D%/affine.c %D%/ask.c %D%/ask.h %D%/choice.h %D%/cutoff.c %D%/cutoff.h %D%/expansion.h %D%/functions.def %D%/graph.c %D%/graph.h %D%/graph_dump.c \
	%D%/small.c %D%/small.h %D%/legal.c %D%/legal_before.c %D%/legal_cure.c %D%/legal.h %D%/legal_expr.c %D%/legal_place.c \
	%D%/legal_set.c %D%/legal_walk.c %D%/legal_written.c %D%/math.def %D%/matrix.c %D%/matrix.h %D%/pin.def %D%/ragged.c %D%/ragged.h \
	%D%/running.h %D%/selection.h %D%/solving.h %D%/sorting.h %D%/struct_use.c %D%/struct_use.h \
	%D%/stage.def %D%/sweep.def %D%/type.c %D%/types.def %D%/walk.c %D%/walk.def %D%/walk.h %D%/wavefront.h %D%/words.def
