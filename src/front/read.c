/* read.c - a program and the files it uses.
 *
 * A file is read once a program, told apart by device and inode, not by its name; its
 * declarations come before those of the file that uses it.  `use` is looked for beside the file
 * that says it, then along -I. */
#include "ast.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

enum { MAX_USE = 64 };

struct used { dev_t device; ino_t inode; bool is_open; };
struct reader {
	struct ast_file *file;
	const struct options *options;
	LIST(struct used) used;                 /* every file read */
	int open[MAX_USE], depth;               /* sources, from the main file to this */
};

static void read_uses(struct reader *, const struct parser *);

static struct parser *parse_one(int file)
{
	struct parser *p = NEW(struct parser);
	p->file = file;
	scan_open(p);
	yyparse(p);
	scan_close(p);
	return p;
}

/* Parses an open source; then reads the files it uses, whose declarations come first. */
static void read_source(struct reader *r, int file)
{
	const struct parser *p = parse_one(file);
	r->open[r->depth++] = file;
	read_uses(r, p);
	r->depth--;
	for (int i = 0; i < p->decl.n; i++)
		list_add(&r->file->decl, p->decl.at[i]);
}

static const char *beside(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	if (!slash || *name == '/')
		return name;
	return str_print("%.*s%s", (int)(slash + 1 - path), path, name);
}

/* The file that `use "name"` in `from` means: beside it, else along -I.  NULL: errno says why. */
static const char *find_used(const struct reader *r, int from, const char *name, struct stat *st)
{
	const char *path = beside(source_path(from), name);
	int folders = *name == '/' ? 0 : r->options->include.n;
	for (int i = 0; stat(path, st) != 0; i++) {
		if (i == folders || (errno != ENOENT && errno != ENOTDIR))
			return NULL;
		path = str_print("%s/%s", r->options->include.at[i], name);
	}
	return path;
}

static struct used *used_before(struct reader *r, const struct stat *st)
{
	for (int i = 0; i < r->used.n; i++)
		if (r->used.at[i].device == st->st_dev && r->used.at[i].inode == st->st_ino)
			return &r->used.at[i];
	return NULL;
}

static void report_cycle(const struct reader *r, const struct ast_decl *use, const char *path)
{
	const char *way = "";
	for (int i = 0; i < r->depth; i++)
		way = str_print("%s%s -> ", way, source_path(r->open[i]));
	diag_error(use->at, D_USE_CYCLE, "a file uses itself: %s%s", way, path);
	diag_cure("move what both files need to a third file");
}

static void report_unread(const struct ast_decl *use, int reason)
{
	if (reason == EFBIG) {
		diag_error(use->at, D_FILE_LARGE, "'%s' is larger than 16 MiB", use->name);
		return;
	}
	diag_error(use->at, D_USE_READ, "cannot read '%s': %s", use->name, strerror(reason));
	if (reason == ENOENT || reason == ENOTDIR)
		diag_cure("it is searched for in the folder of this file, then in each folder "
		          "given with -I");
}

static void read_used(struct reader *r, const struct ast_decl *use, const char *path,
	const struct stat *st)
{
	int errors = diag_errors(), file = source_open(path), number = r->used.n;
	if (file < 0)
		return report_unread(use, errno);
	list_add(&r->used, ((struct used){ st->st_dev, st->st_ino, true }));
	list_add(&r->file->include, path);
	if (diag_errors() == errors)            /* its characters are fit to be read */
		read_source(r, file);
	r->used.at[number].is_open = false;
}

static void read_use(struct reader *r, const struct ast_decl *use)
{
	struct stat st;
	const char *path = find_used(r, use->at.file, use->name, &st);
	const struct used *before = path ? used_before(r, &st) : NULL;
	if (!path)
		report_unread(use, errno);
	else if (before && before->is_open)
		report_cycle(r, use, path);
	else if (!before && r->depth == MAX_USE)
		diag_error(use->at, D_USE_DEPTH, "`use` is nested more than %d deep", MAX_USE);
	else if (!before)
		read_used(r, use, path, &st);
}

static void read_uses(struct reader *r, const struct parser *p)
{
	for (int i = 0; i < p->decl.n; i++)
		if (p->decl.at[i]->kind == DECL_USE)
			read_use(r, p->decl.at[i]);
}

bool parse_alone(int file)
{
	const int errors = diag_errors();
	parse_one(file);
	return diag_errors() == errors;
}

/* NULL after an error. */
static struct parser *parse_text(const char *name, const char *text)
{
	const int errors = diag_errors(), file = source_add(name, text);
	struct parser *p = diag_errors() > errors ? NULL : parse_one(file);
	return diag_errors() > errors ? NULL : p;
}

struct ast_decl *parse_command(const char *text, int cases)
{
	const struct parser *p = parse_text("command line", text);
	if (!p)
		return NULL;
	if (p->decl.n != 1 || p->decl.at[0]->kind != DECL_TEST || p->decl.at[0]->test.n != cases)
		fail_usage("a value on the command line holds more than a value");
	return p->decl.at[0];
}

struct ast_decl *parse_template(const char *text)
{
	const struct parser *p = parse_text("template", text);
	assert(p && p->decl.n == 1 && "a text of the compiler's own is one declaration");
	return p->decl.at[0];
}

struct ast_file *parse_file(const char *path, const struct options *options)
{
	struct reader r = { .file = NEW(struct ast_file), .options = options };
	struct stat st = { 0 };
	int errors = diag_errors();
	size_t before = mem_used();
	r.file->file = source_open(path);
	if (r.file->file < 0) {
		enum diag code = errno == EFBIG ? D_FILE_LARGE : D_FILE_READ;
		const bool is_word = errno == ENOENT && !strpbrk(path, "./");
		diag_error((struct loc){ .file = -1 }, code, "cannot read '%s': %s", path,
			strerror(errno));
		if (is_word)
			diag_cure("a program is a file, NAME.pat; `patc --help` lists the commands "
			          "and the options");
		return NULL;
	}
	stat(path, &st);
	list_add(&r.used, ((struct used){ st.st_dev, st.st_ino, true }));
	if (diag_errors() == errors)
		read_source(&r, r.file->file);
	r.file->bytes = mem_used() - before;
	return r.file;
}

