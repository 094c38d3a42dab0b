/* util.c - memory, names, lists.
 *
 * One arena is that of the run: the tree, the graph, the kernels and every string live in it
 * and nothing is given back before the process ends.  A compiler's data dies all at once, so owners
 * and frees would only add ways to be wrong.  Only the rows of maps serve again: passes make many
 * that live for a statement.  Running out of memory has one road: status 3.
 *
 * Names are interned (uthash, its buckets in the arena too): equal names are equal pointers.  A map
 * finds things by such a pointer, or by any other address; it is never walked, so that no output
 * depends on where something lies. */
#include "out.h"

#include <assert.h>
#include <limits.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The arena is a chain of chunks; the last one has room. */
enum { CHUNK = 1 << 16, ALIGN = _Alignof(max_align_t) };
static struct chunk { struct chunk *before; max_align_t at[]; } *last;
static size_t room_left;                /* at the end of the last chunk */

static void memory_is_out(void)
{
	fail_io("out of memory");
}

static void new_chunk(size_t bytes)
{
	struct chunk *chunk = calloc(1, sizeof *chunk + bytes);
	if (!chunk)
		memory_is_out();
	chunk->before = last;
	last = chunk;
	room_left = bytes;
}

static size_t used;

size_t mem_used(void)
{
	return used;
}

void *mem_new(size_t bytes)
{
	static char *free_from;
	if (bytes > INT_MAX / 2)
		memory_is_out();
	used += bytes;
	bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
	if (!last || bytes > room_left) {
		new_chunk(bytes > CHUNK ? bytes : CHUNK);
		free_from = (char *)last->at;
	}
	char *at = free_from;
	free_from += bytes;
	room_left -= bytes;
	return at;
}

void *list_grow(void *at, int n, int *room, size_t each)
{
	if (n < *room)
		return at;
	if (*room > INT_MAX / 4)
		memory_is_out();
	*room = *room ? 2 * *room : 4;
	void *wider = mem_new((size_t)*room * each);
	if (n > 0)
		memcpy(wider, at, (size_t)n * each);
	return wider;
}

char *str_print(const char *format, ...)
{
	char shorter[256];                      /* most are: formatted once */
	va_list args, again;
	va_start(args, format);
	va_copy(again, args);
	int length = vsnprintf(shorter, sizeof shorter, format, args);
	assert(length >= 0 && "a format of ours is wrong");
	char *text = mem_new((size_t)length + 1);
	if ((size_t)length < sizeof shorter)
		memcpy(text, shorter, (size_t)length);
	else
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	va_end(args);
	return text;
}

/* ---- texts: streams into memory, each used again once it was closed ----
 *
 * Not open_memstream: when its buffer cannot grow, what was printed is gone and neither ferror nor
 * fclose says so. */

enum { MAX_TEXTS = 8 };                 /* open at a time */
static struct text { FILE *out; char *at; size_t length, room; } texts[MAX_TEXTS];
static int texts_open;

static ssize_t text_write(void *cookie, const char *from, size_t n)
{
	struct text *text = cookie;
	if (n > text->room - text->length) {
		size_t room = text->length + n > 2 * text->room ? text->length + n : 2 * text->room;
		char *wider = realloc(text->at, room);
		if (!wider)
			memory_is_out();
		text->at = wider;
		text->room = room;
	}
	memcpy(text->at + text->length, from, n);
	text->length += n;
	return (ssize_t)n;
}

FILE *text_open(void)
{
	assert(texts_open < MAX_TEXTS && "few texts are open at a time");
	struct text *text = &texts[texts_open++];
	if (!text->out)
		text->out = fopencookie(text, "w", (cookie_io_functions_t){ .write = text_write });
	if (!text->out)
		memory_is_out();
	text->length = 0;
	return text->out;
}

static struct text *text_whole(FILE *out)
{
	assert(texts_open && texts[texts_open - 1].out == out
	       && "the last one opened is closed first");
	if (fflush(out) || ferror(out))
		memory_is_out();
	return &texts[--texts_open];
}

char *text_close(FILE *out)
{
	const struct text *text = text_whole(out);
	return memcpy(mem_new(text->length + 1), text->at ? text->at : "", text->length);
}

char *text_take(FILE *out, size_t *length)
{
	struct text *text = text_whole(out);
	char *at = text->at;
	*length = text->length;
	text->at = NULL;
	text->room = 0;
	return at;
}

/* ---- names: the table never shrinks, and a lack of memory never comes back from mem_new ---- */

#define uthash_malloc(bytes) mem_new(bytes)
#define uthash_free(pointer, bytes) ((void)(pointer), (void)(bytes))
#define HASH_NONFATAL_OOM 1
#include <uthash.h>

struct name { UT_hash_handle hh; char text[]; };
static struct name *names;

static struct name *name_add(const char *s, size_t length)
{
	struct name *new = mem_new(sizeof *new + length + 1);
	memcpy(new->text, s, length);
	HASH_ADD_KEYPTR(hh, names, new->text, length, new);
	return new;
}

const char *str_intern(const char *s, size_t length)
{
	struct name *found;
	HASH_FIND(hh, names, s, length, found);
	return (found ? found : name_add(s, length))->text;
}

const char *str_name(const char *s)
{
	return str_intern(s, strlen(s));
}

/* ---- maps: open addressing, at most half full ---- */

static struct map_row *map_find(const struct map *map, const void *key)
{
	size_t mask = (size_t)map->room - 1,
	       hash = (size_t)((uintptr_t)key >> 3) * 0x9e3779b97f4a7c15u;
	size_t i = hash >> 32 & mask;
	while (map->row[i].key && map->row[i].key != key)
		i = (i + 1) & mask;
	return &map->row[i];
}

/* by the logarithm of their number; the first one's value is the next */
static struct map_row *spare[32];

static struct map_row **spare_of(int room)
{
	return &spare[31 - __builtin_clz((unsigned)room)];
}

static struct map_row *rows_new(int room)
{
	struct map_row *rows = *spare_of(room);
	if (!rows)
		return mem_new((size_t)room * sizeof *rows);
	*spare_of(room) = rows->value;
	return memset(rows, 0, (size_t)room * sizeof *rows);
}

void map_free(struct map *map)
{
	if (map->room) {
		map->row->value = *spare_of(map->room);
		*spare_of(map->room) = map->row;
	}
	*map = (struct map){0};
}

static void map_widen(struct map *map)
{
	struct map old = *map;
	if (old.room > INT_MAX / 4)
		memory_is_out();
	map->room = old.room ? 2 * old.room : 8;
	map->row = rows_new(map->room);
	for (int i = 0; i < old.room; i++)
		if (old.row[i].key)
			*map_find(map, old.row[i].key) = old.row[i];
	map_free(&old);
}

void **map_at(struct map *map, const void *key)
{
	if (2 * map->n >= map->room)
		map_widen(map);
	struct map_row *row = map_find(map, key);
	map->n += row->key == NULL;
	row->key = key;
	return &row->value;
}

void *map_get(const struct map *map, const void *key)
{
	return map->n ? map_find(map, key)->value : NULL;
}

uint64_t text_hash(const char *s)
{
	uint64_t h = 0xcbf29ce484222325u;
	for (; *s; s++)
		h = (h ^ (unsigned char)*s) * 0x100000001b3u;
	return h;
}

int64_t larger(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t gcd(int64_t a, int64_t b)
{
	a = a < 0 ? -a : a;
	b = b < 0 ? -b : b;
	while (b) {
		int64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

int64_t sum_nearest(int64_t a, int64_t b)
{
	int64_t sum;
	return !__builtin_add_overflow(a, b, &sum) ? sum : a < 0 ? INT64_MIN : INT64_MAX;
}
