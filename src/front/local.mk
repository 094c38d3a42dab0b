libpatc_a_SOURCES += \
	%D%/ast.c %D%/ast.h %D%/ast_dump.c %D%/fmt.c %D%/fmt.h %D%/fmt_read.c %D%/fmt_space.c \
	%D%/front.h %D%/given.h %D%/law.h %D%/law_draw.c \
	%D%/law_impl.h %D%/law_try.c %D%/laws.c %D%/read.c %D%/sema.c %D%/sema_array.c %D%/sema_clause.c \
	%D%/sema_combine.c %D%/sema_const.c %D%/sema_conv.c %D%/sema_cut.c %D%/sema_domain.c %D%/sema_every.c %D%/sema_walk.c %D%/sema_when.c \
	%D%/sema_expand.c %D%/sema_expr.c %D%/sema_extern.c %D%/sema_flow.c %D%/sema_fn.c %D%/sema_fold.c \
	%D%/sema_form.c %D%/sema_impl.h %D%/sema_instead.c \
	%D%/sema_call.c %D%/sema_kernel.c %D%/sema_law.c %D%/sema_layout.c %D%/sema_literal.c \
	%D%/sema_made.c %D%/sema_manner.c %D%/sema_near.c %D%/sema_normal.c %D%/sema_normal.h \
	%D%/sema_pin.c %D%/sema_reshape.c %D%/sema_ragged.c %D%/sema_search.c %D%/sema_sign.c %D%/sema_stmt.c %D%/sema_assign.c \
	%D%/sema_test.c %D%/sema_whole.c %D%/syntax.h \
	%D%/warn.c %D%/warn.h %D%/warn_graph.c
