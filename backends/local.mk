libpatc_a_SOURCES += \
	%D%/gpu.h %D%/target_gpu.h %D%/host.h %D%/cuda.c %D%/gpu.c %D%/header.c %D%/helpers.c \
	%D%/hip.c \
	%D%/host.c %D%/offence.c %D%/systems.c %D%/used.c %D%/used.h %D%/openmp.c %D%/ptxas.c %D%/targets.c

# The constant text of the outputs is kept in real files, which compile by themselves, and embedded.
nodist_libpatc_a_SOURCES += %D%/rt.c
CLEANFILES += %D%/rt.c
EXTRA_DIST += %D%/rt
# the folder is not a program to be linked from rt.c
$(srcdir)/%D%/rt: ;
%D%/rt.c: $(srcdir)/%D%/rt $(srcdir)/%D%/rt/*
	$(AM_V_at)$(MKDIR_P) %D%
	$(AM_V_GEN)$(SHELL) $(srcdir)/%D%/rt/embed.sh $(srcdir)/%D%/rt > $@.tmp && mv $@.tmp $@
