libpatc_a_SOURCES += \
	%D%/expect.c %D%/expect.h %D%/expect_demand.c \
	%D%/gather_cells.c %D%/gather_cells.h %D%/gather_inverse.c \
	%D%/gather_inverse.h %D%/gather_reach.c %D%/gather_reach.h \
	%D%/guard.c %D%/layout_gain.c %D%/layout_keep.c %D%/layout_keep.h %D%/merge_items.c %D%/merge_items.h %D%/op_parts.c \
	%D%/op_parts.h %D%/pass.h %D%/pass_bin.c %D%/pass_coarsen.c %D%/pass_cse.c %D%/pass_divide.c %D%/pass_fuse.c %D%/pass_fuse.h \
	%D%/pass_fuse_behind.c %D%/pass_fuse_beside.c %D%/pass_fuse_chain.c %D%/pass_fuse_into.c \
	%D%/pass_fuse_ranges.c %D%/pass_fuse_rows.c %D%/pass_gather.c %D%/regularise_rows.c \
	%D%/pass_hoist.c %D%/pass_layout.c %D%/pass_loop.c %D%/pass_time.c %D%/pass_privatise.c %D%/pass_regularise.c %D%/pass_separate.c \
	%D%/pass_separate.h %D%/pass_separate_fold.c %D%/pass_stage.c %D%/pass_symmetric.c \
	%D%/pass_sweep.c %D%/pass_tile.c %D%/pass_vectorise.c %D%/pass_walk.c %D%/privatise.h %D%/relay.c %D%/relay.h \
	%D%/relay_arrays.c %D%/relay_order.c %D%/remark.c %D%/remark.h %D%/remark_kernel.c %D%/remark_told.h %D%/schedule.c %D%/work.c %D%/work.h
