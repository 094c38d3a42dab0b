/* cprint.h - what the two files of the printer (cprint.c, cprint_stmt.c) know of one another. */
#ifndef CPRINT_H
#define CPRINT_H

#include "kir.h"

/* Precedences of C, loosest first. */
enum {
	P_ANY, P_COND, P_LOR, P_LAND, P_OR, P_XOR, P_AND, P_EQUAL, P_ORDER, P_SHIFT, P_ADD, P_MUL,
	P_UNARY, P_POSTFIX
};

/* a line as it grows; text: NULL while it is empty */
struct ink { char *text; size_t length, room; };
void ink_text(struct ink *, const char *), ink_char(struct ink *, char);
/* in parentheses if it binds looser */
void ink_expr(struct ink *, const struct kx *, const struct dialect *, int tightest);
char *cprint_declare(struct ktype, const char *name);
/* of what a GPU's file has twice, for the device and for the host */
const char *own_prefix(const struct dialect *);
bool is_binary(const struct kx *);                    /* an operation between two operands */
bool is_narrow(const struct type *);                  /* an integer that computes as C's int */
#endif
