libpatc_a_SOURCES += %D%/lex.l %D%/parse.y %D%/habits.h %D%/kernel_lex.l %D%/lex_memory.h %D%/kernel.y
EXTRA_DIST += %D%/grammar.md
BUILT_SOURCES += %D%/parse.h %D%/kernel.h
