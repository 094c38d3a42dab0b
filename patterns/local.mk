libpatc_a_SOURCES += \
	%D%/wavefront/separable_ahead.c %D%/wavefront/separable_rows.c %D%/wavefront/separable_stages.c \
	%D%/compact/compact.h %D%/compact/compact_cpu.c %D%/compact/compact_places.c %D%/compact/compact_gpu.c %D%/compact/compact_held.c \
	%D%/compact/compact_items.c %D%/compact/compact_lower.c %D%/compact/compact_tile.h \
	%D%/access.h %D%/cells.h %D%/lowerings.h %D%/block_scan.h %D%/look_back.h %D%/access.c %D%/accumulate.c %D%/behind.c %D%/block.c %D%/block_scan.c %D%/cell_read.c \
	%D%/cells.c %D%/cells_cpu.c %D%/cells_domain.c %D%/cells_gpu.c %D%/cells_shape.c %D%/lanes.c %D%/look_back.c %D%/patterns.c %D%/state_words.h %D%/state_words.c %D%/compact/compact.c \
	%D%/gather/gather.c %D%/histogram/histogram.c %D%/map/map.c %D%/map/map_lower.c \
	%D%/matmul/matmul.c %D%/pairs/pairs.c %D%/reduce/balanced.h %D%/reduce/balanced_lower.c %D%/reduce/balanced_cpu.c %D%/reduce/balanced_gpu.c %D%/reduce/balanced_lanes.c %D%/reduce/balanced_tile.c %D%/reduce/reduce.h %D%/reduce/reduce.c %D%/reduce/reduce_cpu.c %D%/reduce/reduce_gpu.c %D%/reduce/reduce_mates.c %D%/reduce/reduce_terms.c %D%/reduce/reduce_lower.c \
	%D%/scan/carry.c %D%/scan/carry.h %D%/scan/cut.c %D%/scan/cut.h %D%/scan/recur.c %D%/scan/recur.h %D%/scan/scan.h \
	%D%/scan/scan.c %D%/scan/scan_cells.c %D%/scan/scan_cpu.c %D%/scan/scan_cpu.h %D%/scan/scan_cpu_cells.c \
	%D%/scan/scan_gpu.h %D%/scan/scan_lower.c %D%/scan/scan_marks.c %D%/scan/scan_rows.c %D%/scan/scan_serial.c %D%/scan/scan_strips.c %D%/scan/scan_tile.c %D%/scan/scan_tile.h \
	%D%/scan/columns.h %D%/scan/columns.c %D%/scan/column_cuts.c %D%/scan/scan_columns.c \
	%D%/scatter/scatter.c %D%/segsort/segsort.c %D%/sort/sort.c %D%/sort/sort.h %D%/sort/sort_cpu.h %D%/sort/sort_cpu.c %D%/sort/sort_cpu_lanes.c %D%/sort/sort_cpu_merge.c %D%/sort/sort_cpu_radix.c %D%/sort/sort_lower.c %D%/sort/sort_move.c %D%/sort/sort_order.c \
	%D%/sort/sort_network.h %D%/sort/sort_network.c %D%/sort/sort_gpu.h %D%/sort/sort_gpu.c %D%/sort/sort_elements.c %D%/sort/sort_units.c %D%/sort/sort_bins.c %D%/sort/sort_short.c %D%/sort/sort_long.c \
	%D%/stencil/stencil.c %D%/stencil/stencil_lower.c %D%/stencil/stencil_hold.c %D%/stencil/stencil_march.h %D%/stencil/stencil_registers.c %D%/stencil/stencil_rows.c %D%/stencil/stencil_tile.h \
	%D%/transpose/transpose.c %D%/wavefront/wavefront.c %D%/wavefront/wave.h %D%/wavefront/wave_ask.c %D%/wavefront/wave_axes.c %D%/wavefront/separable.c %D%/wavefront/separable_gpu.c %D%/wavefront/separable_above.c %D%/wavefront/separable_march.h %D%/wavefront/separable_cpu.c %D%/wavefront/separable.h %D%/wavefront/wave_cell.c %D%/wavefront/wave_cpu.c %D%/wavefront/wave_lower.c %D%/wavefront/wave_batch.c %D%/wavefront/wave_batch.h %D%/wavefront/wave_batch_reads.c %D%/wavefront/wave_below.c %D%/wavefront/wave_reads.c %D%/wavefront/wave_ring.c %D%/wavefront/wave_rows.c %D%/wavefront/wave_stretch.h %D%/wavefront/wave_stretch.c %D%/wavefront/wave_edge.c %D%/wavefront/wave_fold.c %D%/wavefront/wave_hand.c %D%/wavefront/wave_segments.c %D%/wavefront/wave_serve.c %D%/wavefront/wave_strips.c %D%/wavefront/wave_strips.h %D%/wavefront/wave_tiles.c %D%/wavefront/wave_window.c
