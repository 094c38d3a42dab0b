/* lsp.h - patc lsp: what lsp.c asks of a program, in a process of its own. */
#ifndef LSP_H
#define LSP_H

#include "ast.h"
#include "options.h"

#include <jansson.h>

/* A question about a document.  Its answer is a new reference, or NULL. */
struct question {
	const char *path, *uri;
	const json_t *params;            /* of the request */
	const struct options *options;
	int file;                        /* its source */
};
typedef json_t *lsp_answer(const struct question *);
json_t *lsp_failure(const char *text);           /* the answer that there is none, and why */

/* lsp_study.c: by the compiler */
lsp_answer lsp_diagnose, lsp_actions, lsp_format, lsp_inlay;
json_t *lsp_remarks(const struct question *, struct span at);    /* of a statement; NULL: none */

/* lsp_names.c: by the tokens alone, for programs that are being written, too */
lsp_answer lsp_hover, lsp_definition, lsp_references, lsp_rename, lsp_symbols, lsp_complete;

/* Positions count UTF-16 units from 0, places in a source code points from 1. */
json_t *lsp_position(int file, int line, int col);
json_t *lsp_range(struct span);

#endif
