EXAMPLES = \
	%D%/README.md %D%/suites %D%/cookbook \
	%D%/common/common.h %D%/common/common.c %D%/common/plot.h %D%/common/plot.c \
	%D%/common/wav.h %D%/common/wav.c %D%/common/example.mk %D%/common/picture.py \
	%D%/common/chance.py %D%/common/sound.py \
	%D%/common/graph.h %D%/common/graph.c %D%/common/relabel.pat \
	%D%/heat/heat.pat %D%/heat/main.c %D%/heat/Makefile %D%/heat/input.png %D%/heat/draw.py \
	%D%/common/tree.pat %D%/common/philox.pat %D%/barnes_hut/barnes_hut.pat %D%/barnes_hut/main.c %D%/barnes_hut/Makefile \
	%D%/rays/rays.pat %D%/rays/main.c %D%/rays/count.h %D%/rays/count.c %D%/rays/Makefile \
	%D%/search/search.pat %D%/search/main.c %D%/search/Makefile \
	%D%/adi/adi.pat %D%/adi/main.c %D%/adi/Makefile \
	%D%/photo/photo.pat %D%/photo/main.c %D%/photo/naive.h %D%/photo/naive.c %D%/photo/Makefile \
	%D%/photo/input.png %D%/photo/draw.py \
	%D%/ocean/ocean.pat %D%/ocean/main.c %D%/ocean/naive.h %D%/ocean/naive.c %D%/ocean/Makefile \
	%D%/ocean/input.png %D%/ocean/draw.py \
	%D%/wave/wave.pat %D%/wave/main.c %D%/wave/Makefile %D%/wave/input.png %D%/wave/draw.py \
	%D%/flow/flow.pat %D%/flow/main.c %D%/flow/Makefile %D%/flow/input.png %D%/flow/draw.py \
	%D%/filter/filter.pat %D%/filter/main.c %D%/filter/Makefile \
	%D%/filter/input.wav %D%/filter/draw.py \
	%D%/table/table.pat %D%/table/main.c %D%/table/Makefile %D%/table/input.csv %D%/table/draw.py \
	%D%/cloud/cloud.pat %D%/cloud/main.c %D%/cloud/Makefile %D%/cloud/input.png %D%/cloud/draw.py \
	%D%/cg/cg.pat %D%/cg/main.c %D%/cg/matrix.h %D%/cg/matrix.c %D%/cg/Makefile \
	%D%/align/align.pat %D%/align/main.c %D%/align/fasta.h %D%/align/fasta.c %D%/align/naive.h %D%/align/naive.c \
	%D%/align/Makefile %D%/align/input.query.fasta %D%/align/input.database.fasta %D%/align/draw.py \
	%D%/boxblur/boxblur.pat %D%/boxblur/main.c %D%/boxblur/Makefile %D%/boxblur/input.png %D%/boxblur/draw.py \
	%D%/plate/plate.pat %D%/plate/main.c %D%/plate/Makefile %D%/plate/input.png %D%/plate/draw.py \
	%D%/warp/warp.pat %D%/warp/main.c %D%/warp/Makefile %D%/warp/input.one.wav %D%/warp/input.other.wav \
	%D%/warp/draw.py \
	%D%/ldiff/ldiff.pat %D%/ldiff/main.c %D%/ldiff/Makefile %D%/ldiff/input.old.txt %D%/ldiff/input.new.txt \
	%D%/ldiff/draw.py \
	%D%/suffix_array/suffix_array.pat %D%/suffix_array/main.c %D%/suffix_array/Makefile \
	%D%/suffix_array/constitution.txt \
	%D%/spgemm/spgemm.pat %D%/spgemm/main.c %D%/spgemm/matrix.h %D%/spgemm/matrix.c %D%/spgemm/Makefile \
	%D%/spgemm/karate.txt \
	%D%/sgemm/sgemm.pat %D%/sgemm/main.c %D%/sgemm/climb.h %D%/sgemm/climb.c %D%/sgemm/Makefile \
	%D%/equalise/equalise.pat %D%/equalise/main.c %D%/equalise/Makefile \
	%D%/rotate/rotate.pat %D%/rotate/main.c %D%/rotate/Makefile \
	%D%/particles/particles.pat %D%/particles/main.c %D%/particles/Makefile \
	%D%/spectrum/spectrum.pat %D%/spectrum/main.c %D%/spectrum/Makefile \
	%D%/attention/attention.pat %D%/attention/main.c %D%/attention/Makefile \
	%D%/quantised/quantised.pat %D%/quantised/main.c %D%/quantised/Makefile \
	%D%/classify/classify.pat %D%/classify/main.c %D%/classify/teach.h %D%/classify/teach.c \
	%D%/classify/naive.h %D%/classify/naive.c %D%/classify/Makefile \
	%D%/concordance/concordance.pat %D%/concordance/main.c %D%/concordance/text.h %D%/concordance/text.c \
	%D%/concordance/Makefile \
	%D%/bfs/bfs.pat %D%/bfs/main.c %D%/bfs/Makefile %D%/bfs/input.png %D%/bfs/draw.py \
	%D%/components/components.pat %D%/components/main.c %D%/components/Makefile \
	%D%/pagerank/pagerank.pat %D%/pagerank/main.c %D%/pagerank/Makefile \
	%D%/sssp/sssp.pat %D%/sssp/main.c %D%/sssp/Makefile \
	%D%/gray_scott/gray_scott.pat %D%/gray_scott/main.c %D%/gray_scott/Makefile \
	%D%/life/life.pat %D%/life/main.c %D%/life/Makefile
EXTRA_DIST += $(EXAMPLES)
# They are installed as they are, to be copied.
install-data-local:
	$(AM_V_at)$(MKDIR_P) "$(DESTDIR)$(docdir)"
	$(AM_V_at)(cd $(srcdir) && find $(EXAMPLES) -type f | tar cf - -T -) | (cd "$(DESTDIR)$(docdir)" && tar xof - && chmod -R u+w,go=rX %D%)
uninstall-local:
	rm -rf "$(DESTDIR)$(docdir)/%D%"
