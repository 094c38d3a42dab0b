/* options.h - what the command was given; command.c reads it, options.c answers questions about it.
 * */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "base.h"

enum command { COMMAND_COMPILE, COMMAND_RUN, COMMAND_TEST, COMMAND_NEW, COMMAND_FMT, COMMAND_LSP,
               COMMAND_BENCH, COMMAND_TUNE, COMMAND_BIND, COMMAND_CHECK };
struct options {
	enum command command;
	const struct target *target;
	const char *arch;                    /* as given, or NULL; target->arch is the one */
	const char *output, *header, *helpers, *depfile, *manifest, *dump, *schedule;
	enum { REMARKS_NONE, REMARKS_MISSED, REMARKS_ALL, REMARKS_JSON, REMARKS_HTML } remarks;
	bool resources;                      /* --resources */
	bool if_changed;                     /* --write-if-changed */
	const char *machine;                 /* --machine; NULL: that of the architecture */
	LIST(const char *) include;          /* -I */
	LIST(const char *) no_pass;          /* --no-pass */
	LIST(const char *) input;
	/* patc run: NULL: the only one; patc new: what it makes */
	const char *kernel;
	int build;                           /* patc new: of those of new.c */
	int language;                        /* patc bind: of those of bind.c; -1: none */
	LIST(const char *) setting, result;  /* NAME=VALUE; -o NAME=FILE */
	uint64_t seed;
	bool debug;                          /* -g */
	bool check_accesses;                 /* --check */
	bool fix;                            /* --fix */
	bool check;                          /* patc fmt: change nothing */
	int spelling;                        /* patc fmt: enum spelling */
	int shapes;                          /* patc test */
	LIST(const struct target *) contest; /* all of --target; patc bench measures them */
	int milliseconds;                    /* patc bench, patc tune: of each row */
	int budget;                          /* patc tune: seconds */
	/* patc bench, patc tune: folder and files of --write, --read, --json, --svg */
	const char *write, *read, *json, *svg;
	LIST(const char *) pins;             /* patc bench: files of --schedule */
	const char *against;                 /* patc bench: LIBRARY:FUNCTION */
	int color;                           /* -1 auto */
};
bool options_dump(const struct options *, const char *stage);
bool pass_enabled(const struct options *, const char *name);
void options_parse(struct options *, int argc, char **argv);  /* command.c; answers --help itself */

#endif
