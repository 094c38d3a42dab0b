libpatc_a_SOURCES += %D%/lex.l %D%/parse.y
BUILT_SOURCES += %D%/parse.h
