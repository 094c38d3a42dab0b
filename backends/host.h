/* host.h - what the host functions of all targets share. */
#ifndef HOST_H
#define HOST_H

#include "used.h"

/* host.c: the interface */
const char *file_base(const char *path);                 /* after the last slash, as comment text */
void print_origin(const struct program *, FILE *);       /* the comment every output starts with */
bool is_pointer(const struct var *);                     /* the caller passes an address */
const char *entry_params(const struct entry *, const char *more);        /* names as in the .pat */
const char *size_params(const struct entry *);
/* Before anything is printed: kernels get names that are free in the file. */
void host_prepare(struct plan *const *, int n);

/* header.c */
const char *header_name(const struct options *);
void print_statuses(FILE *);
const char *required_name(int k);        /* the status of a kernel's condition number k */
/* NAME_strerror(), what those of a file share, and the same for the header of --helpers */
void strerror_print(const struct program *, const struct entry *, const struct options *, FILE *);
void strerror_print_shared(const struct program *, const struct options *, FILE *);
void strerror_print_helper(FILE *);

/* offence.c: what --check adds: to the header; to the source, of an entry: NAME_offence(), and a
 * function that tells NAME_host()'s user of it; the statement of NAME_host() that calls it */
#define OFFENCE_TEXT "an access is outside of its array: *_offence() says where"
void offence_define(FILE *);
void offence_declare(const struct entry *, FILE *);
void offence_print(const struct plan *, const struct dialect *, FILE *);
void offence_tell(const struct plan *, const char *workspace, const char *stream, FILE *);

/* systems.c: NAME_system(), of an entry that solves equations: to the header, to the source */
void systems_define(FILE *);
void systems_declare(const struct entry *, FILE *);
void systems_print(const struct plan *, const struct dialect *, FILE *);

/* host.c: the checks; helpers they need are added to used */
void host_use(const struct plan *, struct used *);
/* sizes, arrays, workspace */
void host_print_checks(const struct plan *, const struct dialect *, FILE *);
const char *plan_params(const struct plan *, const char *more);     /* names of the host function */
const char *plan_args(const struct plan *, bool sizes_only);             /* "n, m, a, b" */
/* of patc_check_NAME; "NULL, 0": none yet */
const char *plan_check_args(const struct plan *, const char *workspace);
bool plan_has_check(const struct plan *);
bool plan_checks(const struct plan *, const struct var *param);  /* does it take that parameter? */
bool plan_has_workspace(const struct plan *);
const char *plan_bytes(const struct plan *);         /* of the workspace, the sizes being checked */
const char *host_name(const struct plan *, const struct var *);
const char *var_bytes(const struct plan *, const struct var *);          /* "n * m * 4" */
bool var_filled(const struct plan *, const struct var *);             /* each cell surely written */
/* patc_run_NAME(), the plan's body: its signature; checks of the arrays and the workspace, slots */
void host_print_head(const struct plan *, FILE *);
void host_print_start(const struct plan *, const struct dialect *, FILE *);
void host_print_public(const struct plan *, FILE *);      /* NAME(), which calls it */
bool plan_uses(const struct plan *, const struct kvar *);
#endif
