/* wav.c - a WAVE file is a list of chunks: four letters, a length, so many bytes, all of it
 * little-endian. */
#include <math.h>

#include "common.h"
#include "wav.h"

static unsigned word(const uint8_t *at, int bytes)
{
	unsigned value = 0;
	for (int b = 0; b < bytes; b++)
		value |= (unsigned)at[b] << 8 * b;
	return value;
}

static void put(FILE *out, unsigned value, int bytes)
{
	for (int b = 0; b < bytes; b++)
		putc((int)(value >> 8 * b & 255), out);
}

struct sound sound_new(int64_t length, int channels, int rate)
{
	struct sound s = { length, channels, rate, NULL };
	s.sample = host_new((size_t)(length * channels) * sizeof *s.sample);
	return s;
}

void sound_free(struct sound *s)
{
	free(s->sample);
}

static uint8_t *read_all(const char *path, size_t *bytes)
{
	FILE *in = fopen(path, "rb");
	if (!in)
		fail(path, "cannot be read");
	uint8_t *all = NULL;
	size_t room = 0;
	*bytes = 0;
	do {
		room = room ? 2 * room : 1 << 16;
		all = realloc(all, room);
		if (!all)
			fail(path, "no memory");
		*bytes += fread(all + *bytes, 1, room - *bytes, in);
	} while (*bytes == room);
	fclose(in);
	return all;
}

/* The chunk of that name behind the head of the file, and how much of it there is. */
static const uint8_t *chunk(const uint8_t *all, size_t bytes, const char *name, size_t *length)
{
	for (size_t at = 12; at + 8 <= bytes; ) {
		size_t size = word(all + at + 4, 4), left = bytes - at - 8;
		*length = size < left ? size : left;
		if (!memcmp(all + at, name, 4))
			return all + at + 8;
		at += 8 + *length + (*length & 1);
	}
	return NULL;
}

struct sound sound_read(const char *path)
{
	size_t bytes, format_bytes = 0, data_bytes = 0;
	uint8_t *all = read_all(path, &bytes);
	if (bytes < 12 || memcmp(all, "RIFF", 4) || memcmp(all + 8, "WAVE", 4))
		fail(path, "is no WAVE file");
	const uint8_t *format = chunk(all, bytes, "fmt ", &format_bytes),
		      *data = chunk(all, bytes, "data", &data_bytes);
	if (!format || format_bytes < 16 || !data || word(format, 2) != 1
	    || word(format + 14, 2) != 16)
		fail(path, "is not plain PCM of 16 bits");
	int channels = (int)word(format + 2, 2);
	if (channels < 1 || channels > 64)
		fail(path, "has no channels, or too many");
	struct sound s =
		sound_new((int64_t)(data_bytes / 2) / channels, channels, (int)word(format + 4, 4));
	for (int64_t i = 0; i < s.length; i++)
		for (int c = 0; c < channels; c++)
			channel(&s, c)[i] =
				(float)(int16_t)word(data + 2 * (i * channels + c), 2) / 32768;
	free(all);
	return s;
}

void sound_write(const struct sound *s, const char *path)
{
	FILE *out = fopen(path, "wb");
	unsigned frame = 2 * (unsigned)s->channels, bytes = frame * (unsigned)s->length;
	if (!out)
		fail(path, "cannot be written");
	fputs("RIFF", out);
	put(out, 36 + bytes, 4);
	fputs("WAVEfmt ", out);
	put(out, 16, 4);
	put(out, 1, 2);
	put(out, (unsigned)s->channels, 2);
	put(out, (unsigned)s->rate, 4);
	put(out, frame * (unsigned)s->rate, 4);
	put(out, frame, 2);
	put(out, 16, 2);
	fputs("data", out);
	put(out, bytes, 4);
	for (int64_t i = 0; i < s->length; i++)
		for (int c = 0; c < s->channels; c++) {
			float x = channel(s, c)[i];
			put(out, (unsigned)lrintf(32767 * (x < -1 ? -1 : x > 1 ? 1 : x)), 2);
		}
	if (ferror(out) | fclose(out))
		fail(path, "cannot be written");
	printf("%s written\n", path);
}
