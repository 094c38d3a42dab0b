libpatc_a_SOURCES += \
	%D%/cprint.c %D%/cprint.h %D%/cprint_stmt.c %D%/helper.c %D%/helper.h %D%/kir.c %D%/kir.h \
	%D%/kir_stmt.c %D%/kiraccess.c %D%/kirask.c %D%/kircopy.c %D%/kircopy.h %D%/kircheck.c %D%/kirfold.c %D%/kirlanes.c %D%/kirlanes.h %D%/kirmultiple.c %D%/kirnames.c %D%/kirrange.c %D%/kirtrim.c %D%/kirvalue.c %D%/kirvalue.h %D%/ktext.c \
	%D%/ktext.h %D%/ktext_impl.h %D%/place.c %D%/plan.h %D%/reciprocal.c %D%/reciprocal.h
