# `make wheel`: the package of Python, with the compiler inside.  It needs python3, and the static libraries of what patc links.
EXTRA_DIST += %D%/wheel.py %D%/README.md %D%/patc/__init__.py %D%/patc/__main__.py %D%/patc/torch.py %D%/patc/py.typed
EXTRA_PROGRAMS += %D%/patc-static
CLEANFILES += patc-*.whl %D%/patc-static$(EXEEXT)
%C%_patc_static_SOURCES = src/tools/main.c
%C%_patc_static_LDADD = $(libpatc_LIBS)
%C%_patc_static_LDFLAGS = -static -s
# What is linked has licences of its own, whose texts Debian has here: LICENCES=... names others.
LICENCES = $(wildcard $(patsubst %,/usr/share/doc/%-dev/copyright,libc6 libgmp libisl libjansson libutf8proc) \
	$(addprefix /usr/share/common-licenses/,GPL-3 LGPL-2.1 LGPL-3))
wheel: %D%/patc-static$(EXEEXT)
	python3 -B $(srcdir)/%D%/wheel.py $< $(PACKAGE_VERSION) $(srcdir)/LICENSE $(srcdir)/NOTICE $(LICENCES)
.PHONY: wheel
