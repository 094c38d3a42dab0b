libpatc_a_SOURCES += %D%/lex.l %D%/parse.y
EXTRA_DIST += %D%/grammar.md
BUILT_SOURCES += %D%/parse.h
