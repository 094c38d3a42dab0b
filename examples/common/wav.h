/* wav.h - sound files: RIFF WAVE, 16 bits a sample. */
#ifndef WAV_H
#define WAV_H

#include <stdint.h>

/* channel after channel, -1 .. 1 */
struct sound { int64_t length; int channels, rate; float *sample; };

struct sound sound_new(int64_t length, int channels, int rate);
struct sound sound_read(const char *path);               /* what is no such file ends the program */
void sound_write(const struct sound *, const char *path);           /* and says so */
void sound_free(struct sound *);
static inline float *channel(const struct sound *s, int c)
{
	return s->sample + c * s->length;
}

#endif
