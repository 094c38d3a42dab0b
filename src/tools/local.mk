libpatc_a_SOURCES += \
	%D%/bind.c %D%/bind.h %D%/bind_python.c %D%/bind_cpp.c %D%/bind_fortran.c %D%/bind_rust.c %D%/bind_julia.c %D%/bench.c %D%/bench.h %D%/bench_measure.c %D%/bench_request.c %D%/bench_show.c %D%/bench_svg.c %D%/bench_work.c %D%/bench_write.c %D%/built.c %D%/built.h %D%/case.c %D%/case.h %D%/command.c %D%/driver.c %D%/fix.c %D%/fix.h %D%/format.c %D%/compare.c %D%/compare.h %D%/lsp.c %D%/lsp.h %D%/lsp_names.c %D%/lsp_study.c %D%/manifest.c %D%/manifest.h %D%/new.c %D%/npy.c %D%/npy.h \
	%D%/options.def %D%/remarks_page.c %D%/remarks_page.h %D%/resources.c %D%/resources.h %D%/road.c %D%/road.h %D%/run.c %D%/run.h %D%/sample.c %D%/sample.h %D%/setting.c %D%/setting.h \
	%D%/sample_require.c %D%/sample_use.c %D%/shapes.c %D%/skeleton.h %D%/test.c %D%/test_built.c %D%/tune.c %D%/tune.h %D%/tune_build.c %D%/tune_ends.c %D%/tune_jobs.c %D%/tune_judge.c %D%/tune_pins.c \
	%D%/tune_search.c %D%/tune_show.c %D%/tune_try.c %D%/tune_write.c %D%/vocabulary.c

# What `patc new` and `patc bind` write is kept in real files, and embedded.
SKELETON = \
	%D%/skeleton/name.pat %D%/skeleton/README.md %D%/skeleton/main.c %D%/skeleton/main.cu %D%/skeleton/main.py \
	%D%/skeleton/Makefile.c %D%/skeleton/Makefile.cu %D%/skeleton/CMakeLists.txt.c %D%/skeleton/CMakeLists.txt.cu \
	%D%/skeleton/meson.build.c %D%/skeleton/meson.build.cu %D%/skeleton/build.py.c %D%/skeleton/build.py.cu \
	man/patc.cmake %D%/bind/runtime.py %D%/bind/view.hpp %D%/bind/error.rs
nodist_libpatc_a_SOURCES += %D%/skeleton.c
CLEANFILES += %D%/skeleton.c
EXTRA_DIST += %D%/skeleton/embed.sh $(SKELETON)
%D%/skeleton.c: $(SKELETON) %D%/skeleton/embed.sh %D%/local.mk
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_GEN)cd $(srcdir) && $(SHELL) %D%/skeleton/embed.sh $(SKELETON) > $(abs_builddir)/$@.tmp && mv $(abs_builddir)/$@.tmp $(abs_builddir)/$@

# The commit that is built.  The file changes with it alone, so that a second `make` has nothing to do.
BUILT_SOURCES += %D%/build.h
CLEANFILES += %D%/build.h
EXTRA_DIST += %D%/describe.sh
%D%/build.h: always
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_at)$(SHELL) $(srcdir)/%D%/describe.sh $(srcdir) $(PACKAGE_VERSION) >$@.tmp
	$(AM_V_at)if cmp -s $@.tmp $@; then rm $@.tmp; else mv $@.tmp $@; fi
%D%/command.$(OBJEXT): %D%/build.h
.PHONY: always
