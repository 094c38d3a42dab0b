# tests/check is listed file by file: a folder would bring what was built in it into a release.
EXTRA_DIST += \
	%D%/run %D%/lib.sh %D%/manual.sh %D%/need.sh %D%/cli.sh %D%/bench.sh %D%/linked.sh %D%/bind.sh %D%/bind %D%/python.sh %D%/python %D%/tune.sh %D%/recipes.sh %D%/matrix.sh %D%/install.sh %D%/examples.sh %D%/cookbook.sh %D%/cookbook.py %D%/quote.py %D%/check.sh %D%/cures.py %D%/diagnostics %D%/fixes.py %D%/debug.sh %D%/fix.sh %D%/fmt.sh %D%/editors.py %D%/lsp.py %D%/neovim.lua %D%/site.py %D%/fmt.py %D%/same %D%/release %D%/ports %D%/floors \
	%D%/suites.sh %D%/suites %D%/hostile.sh %D%/operations.sh %D%/failing.c %D%/remarks.sh %D%/tuning.sh %D%/remarks %D%/build %D%/lang %D%/layouts %D%/golden %D%/simt %D%/fuzz %D%/gpu

# Programs for the tests; `make check-programs` builds them and runs nothing.
LDADD = $(libpatc_LIBS) $(CMOCKA_LIBS)
if HAVE_CMOCKA
AM_CPPFLAGS += $(CMOCKA_CFLAGS)
check_PROGRAMS += \
	%D%/unit/test_util %D%/unit/test_fix %D%/unit/test_type %D%/unit/test_affine %D%/unit/test_eval %D%/unit/test_running %D%/unit/test_sample %D%/unit/test_recur %D%/unit/test_wave %D%/unit/test_network %D%/unit/test_kir %D%/unit/test_lanes %D%/unit/test_ktext \
	%D%/unit/test_laws %D%/unit/test_small %D%/unit/test_npy %D%/unit/test_reciprocal %D%/unit/test_expect
endif
# The helpers as sources include them.
%D%/unit/test_small.$(OBJEXT): %D%/unit/cpu_helpers.h
CLEANFILES += %D%/unit/cpu_helpers.h
%D%/unit/cpu_helpers.h: patc$(EXEEXT)
	$(AM_V_at)$(MKDIR_P) %D%/unit
	$(AM_V_GEN)./patc$(EXEEXT) -target=cpu --helpers=$@
%D%/unit/test_reciprocal.$(OBJEXT): %D%/unit/gpu_divide.h
CLEANFILES += %D%/unit/gpu_divide.h
# Those that are C.
%D%/unit/gpu_divide.h: $(top_srcdir)/backends/rt/gpu_divide.h
	$(AM_V_at)$(MKDIR_P) %D%/unit
	$(AM_V_GEN)$(SHELL) $(top_srcdir)/backends/rt/embed.sh $(top_srcdir)/backends/rt gpu_divide.h | \
		awk '/^.. helper /{skip = /helper patc_(quotients|all_)/} !skip' > $@.tmp && mv $@.tmp $@
check_PROGRAMS += %D%/check/patc-gen %D%/check/patc-cover
%C%_check_patc_gen_SOURCES = %D%/check/gen.c
%C%_check_patc_gen_LDADD = $(libpatc_LIBS)
# The same without libraries, for machines that have none of them: tests/gpu/generate.
EXTRA_PROGRAMS += %D%/check/patc-gen-static
%C%_check_patc_gen_static_SOURCES = %D%/check/gen.c
%C%_check_patc_gen_static_LDADD = $(libpatc_LIBS)
%C%_check_patc_gen_static_LDFLAGS = -static
%C%_check_patc_cover_SOURCES = %D%/check/cover.c %D%/check/cover.h %D%/check/cover_text.c %D%/check/cover_cells.c %D%/check/cover_meet.c %D%/check/cover_runs.c
%C%_check_patc_cover_LDADD =

EXTRA_DIST += %D%/unit/execute.h %D%/check/edges.h %D%/check/faults.c

check-programs: $(check_PROGRAMS)
check-local: check-programs
	$(srcdir)/%D%/run --build=. $(SECTIONS)
# What is installed builds programs by every build system.
installcheck-local:
	PATC=$(DESTDIR)$(bindir)/patc DATA=$(DESTDIR)$(datadir) WORK=$(abs_builddir)/tests-installed $(srcdir)/%D%/matrix.sh
clean-local:
	rm -rf tests-work tests-passed tests-installed release site/examples site/html
release-check: patc$(EXEEXT)
	$(srcdir)/%D%/release
.PHONY: check-programs release-check
