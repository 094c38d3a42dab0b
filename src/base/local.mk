libpatc_a_SOURCES += \
	%D%/base.h %D%/diag.c %D%/diag.def %D%/fixit.c %D%/json.c %D%/near.c %D%/options.c %D%/options.h %D%/out.c %D%/out.h \
	%D%/pass.def %D%/report.c %D%/report.h %D%/room.c %D%/source.c %D%/source.h %D%/status.c %D%/status.def %D%/target.h %D%/util.c \
	%D%/warning.c %D%/warning.def
