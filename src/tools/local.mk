libpatc_a_SOURCES += \
	%D%/case.c %D%/case.h %D%/command.c %D%/driver.c %D%/fix.c %D%/fix.h %D%/compare.c %D%/compare.h %D%/npy.c %D%/npy.h \
	%D%/options.def %D%/road.c %D%/road.h %D%/run.c %D%/run.h %D%/sample.c %D%/sample.h \
	%D%/sample_require.c %D%/sample_use.c %D%/shapes.c %D%/test.c %D%/test_built.c
