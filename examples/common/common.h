/* common.h - what the examples share beside their kernels: memory and time on the machine that runs
 * those (this one, or a GPU), pictures, figures, options.  What cannot do its work says why and
 * ends the program. */
#ifndef COMMON_H
#define COMMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn void fail(const char *what, const char *why);
/* of a generated function */
void must_succeed(int status, const char *(*words)(int), const char *what);
void *host_new(size_t bytes);                            /* free() frees it */

/* ---- where the kernels run; on a cpu this is ordinary memory, and a stream is nothing ---- */

extern const char platform[];                            /* "cpu", "cuda" or "hip" */
extern const int64_t large;                              /* bytes of an array that no cache holds */

void *device_new(size_t bytes);
void device_free(void *);
void to_device(void *to, const void *from, size_t bytes);
void to_host(void *to, const void *from, size_t bytes);
float *floats_fetch(const float *from, int64_t n);       /* to the host; free() frees them */
/* from device to device; does not wait */
void device_copy(void *to, const void *from, size_t bytes);
void device_wait(void);

/* ---- time and figures ---- */

double seconds(void);
/* Seconds that work(state) takes once the device is done with it: the best of five. */
double best_time(void (*work)(void *state), void *state);
/* Prints cells per second, and how the bytes that these must move compare with a copy of so
 * many. */
void print_rate(const char *what, double cells, double bytes_per_cell, double took);
/* A line that somebody who waits can watch; nothing unless standard error is a terminal. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);

/* ---- pictures: PNG, 8 bits, three to a pixel ---- */

struct picture { int64_t rows, columns; uint8_t *rgb; };

struct picture picture_new(int64_t rows, int64_t columns);
struct picture picture_read(const char *path);
/* from the machine that runs the kernels */
struct picture picture_fetch(int64_t rows, int64_t columns, const void *rgb);
void picture_write(const struct picture *, const char *path);       /* and says so */
/* One of a film: PREFIX0000.png, PREFIX0001.png and so on; says nothing. */
void picture_frame(const struct picture *, const char *prefix, int64_t frame);
struct picture picture_repeated(const struct picture *); /* side by side, until no cache holds it */
void picture_free(struct picture *);
static inline uint8_t *pixel(const struct picture *p, int64_t row, int64_t column)
{
	return p->rgb + 3 * (row * p->columns + column);
}
void colour_signed(double x, uint8_t *rgb);              /* -1 blue, 0 white, 1 red */
void colour_light(double light, uint8_t *rgb);           /* 0 black, then blue, 1 white */

/* ---- numbers as if by chance, the same on every machine (Marsaglia, xorshift, 2003) ---- */

uint64_t random_bits(uint64_t *state);                   /* the state is not 0 */
double random_part(uint64_t *state);                     /* 0 .. 1 */

/* ---- checks and options ---- */

/* The worse of two deviations; one that is no number is the worst. */
static inline double worse(double a, double b)
{
	return b > a || b != b ? b : a;
}
void check_within(const char *what, double off, double allowed); /* says both; fails if it is not */

double number(const char *option, const char *text, double low, double high);

#endif
