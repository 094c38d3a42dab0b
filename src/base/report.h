/* report.h - what diag.c hands to report.c: the messages of --diagnostics=json and =sarif. */
#ifndef REPORT_H
#define REPORT_H

#include "base.h"

enum kind { KIND_ERROR, KIND_WARNING, KIND_REMARK, KIND_FIXED, KIND_NOTE, KIND_HELP };

struct place { struct loc at; const char *text; };
struct message {
	enum kind kind;
	struct loc at;
	enum diag code;
	const char *text;
	LIST(struct place) note, edit;       /* edit: the text replaces what is at its place */
	LIST(const char *) help;
};

bool report_wanted(void);                /* no text is: the form is another */
const struct message *report_messages(int *n);       /* those that were kept, in their order */
/* The text of a message with its helps, a line each. */
const char *report_text(const struct message *, const char *text);
void report_message(enum kind, struct loc, enum diag, const char *text);
/* of the last message */
void report_note(struct loc, const char *text), report_help(const char *text),
	report_edit(struct loc, const char *text);
/* The last message of all, then the document; needs no memory. */
void report_failure(const char *text, const char *help);

#endif
