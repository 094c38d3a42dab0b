# `make site`: the site in site/html of the build folder.
# It needs python3, mandoc, cmark-gfm, a C compiler and libpng.
EXTRA_DIST += %D%/make.py %D%/frame.py %D%/text.py %D%/manual.py %D%/markdown.py \
	%D%/figures.py %D%/plots.py %D%/diagnostics.py %D%/examples.py \
	%D%/measured.py %D%/pictures.sh %D%/site.css %D%/site.js %D%/index.md
site: patc$(EXEEXT)
	$(srcdir)/%D%/pictures.sh ./patc$(EXEEXT) $(srcdir)/examples %D%/examples
	python3 -B -X utf8 $(srcdir)/%D%/make.py ./patc$(EXEEXT) $(srcdir) %D%/examples %D%/html
.PHONY: site
