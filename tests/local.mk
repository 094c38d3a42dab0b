EXTRA_DIST += \
	%D%/run %D%/lib.sh %D%/need.sh %D%/cli.sh %D%/recipes.sh %D%/examples.sh %D%/check.sh \
	%D%/hostile.sh %D%/build %D%/lang %D%/golden %D%/simt %D%/check

# Programs for the tests; `make check-programs` builds them and runs nothing.
if HAVE_CMOCKA
units = %D%/unit/test_util %D%/unit/test_type %D%/unit/test_affine %D%/unit/test_eval
check_PROGRAMS += $(units)
AM_CPPFLAGS += $(CMOCKA_CFLAGS)
%C%_unit_test_util_LDADD = $(libpatc_LIBS) $(CMOCKA_LIBS)
%C%_unit_test_type_LDADD = $(libpatc_LIBS) $(CMOCKA_LIBS)
%C%_unit_test_affine_LDADD = $(libpatc_LIBS) $(CMOCKA_LIBS)
%C%_unit_test_eval_LDADD = $(libpatc_LIBS) $(CMOCKA_LIBS)
endif
check_PROGRAMS += %D%/check/patc-gen %D%/check/patc-cover
%C%_check_patc_cover_SOURCES = %D%/check/cover.c
%C%_check_patc_gen_SOURCES = %D%/check/gen.c
%C%_check_patc_gen_LDADD = $(libpatc_LIBS)

check-programs: $(check_PROGRAMS)
check-local: check-programs
	$(srcdir)/%D%/run --build=.
clean-local:
	rm -rf tests-work
.PHONY: check-programs
