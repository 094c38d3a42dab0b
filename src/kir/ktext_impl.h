/* ktext_impl.h - what the reader of kernel text (grammar/kernel.y, kernel_lex.l) knows of its
 * builders (ktext.c). */
#ifndef KTEXT_IMPL_H
#define KTEXT_IMPL_H

#include "ktext.h"

struct ktext_row {
	const char *file;
	int line;
	bool value;
	const char *name, *params, *gives, *body;
};
/* made from the .kernel files; ends with a row without a file */
extern const struct ktext_row ktext_rows[];

/* The words of a text, and 0 after the last. */
struct ktext_token {
	int kind, line;
	union {
		const char *name;
		int number;
		struct ktype type;
		struct kx *x;
	};
};
struct ktext_tokens { struct ktext_token *at; int n, room; };
struct ktext_tokens ktext_scan(const char *text);        /* kernel_lex.l */
struct kx *ktext_float(double);

enum { MOST_ARGUMENTS = 12 };
struct ktext_list { struct kx *at[MOST_ARGUMENTS]; int n; };
struct ktext_loop { const char *name; struct kx *lo, *hi, *step; };

enum meaning_kind { MEANS_NOTHING, MEANS_VALUE, MEANS_TYPE, MEANS_WORD, MEANS_CALL, MEANS_LIST };
struct meaning {
	enum meaning_kind kind;
	int n, room; struct meaning *at;     /* a list: no more than n are known */
	bool declared;                       /* a list of names that `each` has declared */
	struct kx *x;
	struct ktype type;
	const char *word;
	ktext_hole *call; const void *state;
};
/* Known while the body is open that was so when it was bound. */
struct known { const char *name; struct meaning means; const struct ks_list *body; int depth; };
struct known_list { struct known *at; int n, room; };

/* A text that is being read. */
struct ktext {
	struct kernel *k;                    /* NULL: only the syntax is looked at */
	const struct ktext_row *row;
	struct ktext *up;                    /* the text that uses it, or NULL */
	struct known_list own;
	struct ktype type;                   /* of what is being declared */
	struct kx *result;
	LIST(int) branch;                    /* the open ifs, and loops: enum branch */
	int each;                         /* which element of lists is meant; -1: outside of each */
	bool back;                           /* ... which begins with the last */
	int dead;            /* branches that the holes have decided against, or no kernel at all */
	const struct ktext_tokens *tokens;
	int next, end, line;                 /* tokens that are still to be read; of the last one */
	int start;            /* the token that comes first, and says what is read; 0: it is past */
};

int ktext_parse(struct ktext *);
/* a text that is in no file: for tests */
void ktext_source(struct kernel *, const char *statements);
_Noreturn void ktext_wrong(const struct ktext *, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

struct kx *ktext_name(struct ktext *, const char *),
	*ktext_listed(struct ktext *, const char *list, struct kx *at);
struct kx *ktext_call(struct ktext *, const char *, const struct ktext_list *);
struct kx *ktext_cast(struct ktext *, struct ktype, struct kx *),
	*ktext_as(struct ktext *, struct kx *, struct ktype);
struct kx *ktext_unary(struct ktext *, enum operation, struct kx *);
struct kx *ktext_op(struct ktext *, enum operation, struct kx *, struct kx *);
void ktext_arm(struct ktext *, struct kx *condition, bool holds);     /* of ?:; ktext_end ends it */
struct kx *ktext_choose(struct ktext *, struct kx *, struct kx *, struct kx *);
struct kx *ktext_at(struct ktext *, struct kx *, struct kx *),
	*ktext_field(struct ktext *, struct kx *, const char *);
void ktext_add(struct ktext *, struct ktext_list *, struct kx *);
struct ktext_loop ktext_range(struct ktext *, struct ktype, const char *name, struct kx *lo,
                              struct kx *hi, struct kx *step, bool same);

void ktext_say(struct ktext *, const char *),
	ktext_do(struct ktext *, const char *, const struct ktext_list *);
void ktext_alias(struct ktext *, const char *, struct kx *),
	ktext_let(struct ktext *, const char *, struct kx *);
void ktext_var(struct ktext *, const char *, struct kx *);
void ktext_array(struct ktext *, const char *, struct kx *count, bool shared);
void ktext_set(struct ktext *, struct kx *, struct kx *),
	ktext_set_by(struct ktext *, struct kx *, int, struct kx *);
void ktext_if(struct ktext *, struct kx *), ktext_else(struct ktext *), ktext_end(struct ktext *);
void ktext_for(struct ktext *, int flags, const struct ktext_loop *),
	ktext_while(struct ktext *, struct kx *);
void ktext_leave(struct ktext *, enum ks_kind, struct kx *);

void ktext_each(struct ktext *, int at);                         /* token number `at` is the word */

#endif
