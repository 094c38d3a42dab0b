libpatc_a_SOURCES += \
	%D%/selection.h %D%/eval_select.c %D%/sema_select.c %D%/sorting.h %D%/eval_sort.c %D%/sema_sort.c \
	%D%/ast.h %D%/choice.h %D%/eval_impl.h %D%/eval_value.h %D%/half.h %D%/kir.h %D%/law.h %D%/legal.h %D%/lower.h %D%/pass.h %D%/ragged.h %D%/running.h \
	%D%/patc.h %D%/syntax.h %D%/sema_impl.h %D%/diag.def %D%/math.def %D%/options.def %D%/pass.def %D%/pin.def %D%/sweep.def %D%/status.def \
	%D%/types.def %D%/approx.def %D%/words.def %D%/functions.def %D%/affine.c %D%/ast.c %D%/ast_dump.c %D%/cprint.c %D%/cprint.h %D%/cprint_stmt.c %D%/diag.c %D%/domains.c \
	%D%/eval.c %D%/eval_approx.c %D%/eval_best.c %D%/eval_combine.c %D%/eval_drift.c %D%/eval_recur.c %D%/eval_recur.h %D%/eval_running.c %D%/eval_code.c %D%/eval_run.c %D%/eval_value.c %D%/graph.c %D%/graph_dump.c %D%/guard.c %D%/half.c \
	%D%/kir.c %D%/kir_stmt.c %D%/ktext.c %D%/ktext.h %D%/ktext_impl.h %D%/kirask.c %D%/kircheck.c %D%/kirfold.c %D%/kirrange.c %D%/law_try.c %D%/laws.c %D%/legal.c %D%/legal_expr.c %D%/legal_place.c \
	%D%/legal_set.c %D%/legal_walk.c %D%/lower.c %D%/lower_abreast.c %D%/lower_ask.c %D%/lower_cell.c %D%/lower_fn.c %D%/lower_fold.c %D%/lower_tile.c %D%/op_parts.c %D%/op_parts.h %D%/options.c %D%/out.c %D%/pass_coarsen.c %D%/pass_cse.c \
	%D%/pass_fuse.c %D%/pass_fuse.h %D%/pass_fuse_behind.c %D%/pass_fuse_into.c %D%/pass_fuse_rows.c %D%/pass_gather.c %D%/pass_hoist.c %D%/layout_gain.c %D%/layout_keep.c %D%/layout_keep.h %D%/pass_layout.c %D%/pass_privatise.c %D%/pass_regularise.c %D%/pass_stage.c %D%/pass_sweep.c %D%/pass_tile.c %D%/pass_vectorise.c %D%/plan.c %D%/plan_lets.c %D%/plan_loop.c %D%/planner.h %D%/privatise.h %D%/ragged.c %D%/read.c %D%/relay.c %D%/relay_order.c %D%/relay.h %D%/remark.c %D%/remark.h \
	%D%/schedule.c %D%/sema.c %D%/sema_manner.c %D%/sema_clause.c %D%/sema_combine.c %D%/sema_const.c %D%/sema_cut.c %D%/sema_conv.c \
	%D%/sema_domain.c %D%/sema_expr.c %D%/sema_extern.c %D%/sema_flow.c %D%/sema_fn.c %D%/sema_fold.c %D%/sema_form.c \
	%D%/sema_kernel.c %D%/sema_layout.c %D%/sema_pin.c %D%/sema_ragged.c %D%/sema_recur.c %D%/sema_recur.h %D%/sema_running.c %D%/sema_wave.c %D%/sema_wave_range.c %D%/sema_algebra.c %D%/wavefront.h %D%/eval_wave.c %D%/eval_wave.h %D%/eval_sway.c %D%/sema_sign.c %D%/sema_stmt.c %D%/struct_use.c %D%/struct_use.h %D%/type.c %D%/util.c %D%/work.c %D%/work.h

# patc run and patc test
libpatc_a_SOURCES += \
	%D%/case.h %D%/compare.h %D%/npy.h %D%/out.h %D%/road.h %D%/run.h %D%/sample.h %D%/show.h %D%/case.c %D%/compare.c %D%/npy.c \
	%D%/road.c %D%/run.c %D%/sample.c %D%/sample_use.c %D%/sema_test.c %D%/shapes.c %D%/show.c %D%/test.c %D%/test_built.c
