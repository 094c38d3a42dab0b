/* source.c - reads and checks the source files of a program.
 *
 * A source is read whole and judged here once, so that no later stage meets a NUL byte, malformed
 * UTF-8, a lone carriage return or a character that makes the text look like another one (Trojan
 * Source, CVE-2021-42574). */
#include "out.h"
#include "source.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utf8proc.h>

enum { MAX_SOURCE = 16 << 20 };         /* bytes of a file */

static const char byte_order[] = "\xef\xbb\xbf";

struct source {
	const char *path, *text;
	size_t length;
	bool is_marked;                 /* the file begins with a byte order mark; text does not */
	int shown[2];
};
static LIST(struct source) sources;

int *source_shown(int file, enum severity severity)
{
	return &sources.at[file].shown[severity == ERROR];
}

const char *source_path(int file)
{
	assert(file >= 0 && file < sources.n && "no such source");
	return sources.at[file].path;
}

const char *source_text(int file, size_t *length)
{
	assert(file >= 0 && file < sources.n && "no such source");
	*length = sources.at[file].length;
	return sources.at[file].text;
}

const char *source_mark(int file)
{
	return sources.at[file].is_marked ? byte_order : "";
}

static ssize_t read_some(int fd, char *to, size_t room)
{
	ssize_t n;
	do
		n = read(fd, to, room);
	while (n < 0 && errno == EINTR);
	return n;
}

/* The bytes of fd, a NUL after them; NULL and errno if it cannot be read or is too long. */
static char *read_all(int fd, size_t expected, size_t *length)
{
	size_t room = expected + 2, n = 0;
	char *text = mem_new(room);
	for (;;) {
		ssize_t got = read_some(fd, text + n, room - n - 1);
		if (got < 0)
			return NULL;
		if (got == 0)
			break;
		n += (size_t)got;
		if (n > MAX_SOURCE)
			return errno = EFBIG, NULL;
		if (n + 1 == room) {
			char *wider = memcpy(mem_new(2 * room), text, n);
			text = wider, room *= 2;
		}
	}
	*length = n;
	return text;
}

static char *read_file(const char *path, size_t *length)
{
	int fd = path_is_standard(path) ? dup(STDIN_FILENO)
	                                : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return NULL;
	struct stat st;
	char *text = NULL;
	if (fstat(fd, &st) == 0) {
		if (S_ISDIR(st.st_mode))
			errno = EISDIR;
		else if (st.st_size > MAX_SOURCE)
			errno = EFBIG;
		else
			text = read_all(fd, st.st_size > 4096 ? (size_t)st.st_size : 4096, length);
	}
	int reason = errno;
	close(fd);
	errno = reason;
	return text;
}

/* ---- which characters a program may hold ---- */

bool is_bidi(int32_t c)
{
	return c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e)
		|| (c >= 0x2066 && c <= 0x2069);
}

/* Default ignorable characters that are letters or marks by category. */
static bool is_ignorable(int32_t c)
{
	return c == 0x34f || c == 0x115f || c == 0x1160 || c == 0x17b4 || c == 0x17b5
		|| (c >= 0x180b && c <= 0x180f) || c == 0x3164 || c == 0xffa0
		|| (c >= 0xfe00 && c <= 0xfe0f) || (c >= 0xe0000 && c <= 0xe0fff);
}

bool is_invisible(int32_t c)
{
	if (c < 0x80)
		return (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
	switch (utf8proc_category(c)) {
	case UTF8PROC_CATEGORY_CC:
	case UTF8PROC_CATEGORY_CF:
	case UTF8PROC_CATEGORY_ZL:
	case UTF8PROC_CATEGORY_ZP:
		return true;
	default:        /* the library's list, not ours */
		return is_ignorable(c);
	}
}

int decode(const char *s, size_t left, int32_t *c)
{
	if ((unsigned char)*s < 0x80)
		return *c = *s, 1;
	ssize_t n = utf8proc_iterate((const uint8_t *)s, (ssize_t)left, c);
	return n > 0 ? (int)n : (*c = -1, 1);
}

/* A byte of ISO 8859-1, alone among ASCII: the letter that it is there, in UTF-8; else NULL. */
static const char *letter_of(const char *s, const char *begin, const char *end)
{
	const unsigned char byte = (unsigned char)*s;
	const bool alone = (s == begin || !((unsigned char)s[-1] & 0x80))
		&& (s + 1 == end || !((unsigned char)s[1] & 0x80));
	return alone && byte >= 0xa0
		? str_print("%c%c", 0xc0 | byte >> 6, 0x80 | (byte & 0x3f)) : NULL;
}

static void judge_byte(struct loc at, const char *s, const char *begin, const char *end)
{
	const char *letter = letter_of(s, begin, end);
	diag_error(at, D_FILE_UTF8, "byte 0x%02X is not UTF-8", (unsigned char)*s);
	diag_cure("save the file as UTF-8");
	if (letter)
		diag_fix(at, letter);
}

/* next: the character after it is this, of CR CR LF the second CR. */
static void judge_character(struct loc at, int32_t c, const char *next)
{
	if (c == 0) {
		diag_error(at, D_FILE_NUL, "a NUL byte; is this a text file?");
	} else if (c == '\r') {
		diag_error(at, D_FILE_CR, "a carriage return that does not end a line");
		diag_cure("end lines with LF or CR LF");
		if (!strncmp(next, "\r\n", 2))
			diag_fix(at, "");
	} else if (is_bidi(c)) {
		diag_error(at, D_FILE_BIDI, "U+%04X changes the visual order of the text",
		           (unsigned)c);
		diag_cure("delete it");
		diag_fix(at, "");
	} else {
		diag_error(at, D_FILE_INVISIBLE, "U+%04X is invisible", (unsigned)c);
		diag_cure("delete it");
		diag_fix(at, "");
	}
}

static void judge_text(int file)
{
	const char *s = sources.at[file].text, *end = s + sources.at[file].length;
	struct loc at = { .file = file, .line = 1, .col = 1 };
	int32_t c = 0;
	while (s < end && *source_shown(file, ERROR) <= MAX_SHOWN) {
		bool was_malformed = c < 0;     /* then the rest of it is not told again */
		int n = decode(s, (size_t)(end - s), &c);
		bool ends_line = c == '\r' && s + 1 < end && s[1] == '\n';
		at.end = at.col + 1;
		if (c < 0 && !was_malformed)
			judge_byte(at, s, sources.at[file].text, end);
		else if (c >= 0 && is_invisible(c) && !ends_line)
			judge_character(at, c, s + n);
		s += n;
		at.col++;
		if (c == '\n')
			at.line++, at.col = 1;
	}
}

static struct source stand_in;

void source_stand_in(const char *path, const char *text, size_t length)
{
	stand_in = (struct source){ .path = path, .text = text, .length = length };
}

static bool is_stand_in(const char *path)
{
	return stand_in.text && !strcmp(path, stand_in.path);
}

bool source_exists(const char *path)
{
	return is_stand_in(path) || !access(path, R_OK);
}

int source_open(const char *path)
{
	struct source new = { .path = path };
	if (is_stand_in(path))
		new = stand_in;
	else
		new.text = read_file(path, &new.length);
	if (!new.text)
		return -1;
	if (new.length >= 3 && memcmp(new.text, byte_order, 3) == 0)
		new.text += 3, new.length -= 3, new.is_marked = true;
	list_add(&sources, new);
	judge_text(sources.n - 1);
	return sources.n - 1;
}

int source_number(const char *path)
{
	int file = sources.n - 1;
	while (file >= 0 && strcmp(sources.at[file].path, path))
		file--;
	return file;
}

int source_add(const char *name, const char *text)
{
	list_add(&sources, ((struct source){ .path = name, .text = text, .length = strlen(text) }));
	judge_text(sources.n - 1);
	return sources.n - 1;
}
