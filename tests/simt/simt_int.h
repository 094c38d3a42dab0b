/* simt_int.h - what the emulator's own files share; kernels never see it. */
#ifndef SIMT_INT_H
#define SIMT_INT_H

#include "simt.h"

#include <string>
#include <vector>

/* The linker makes these two from the section's name; weak, as a program may have no shared
 * variable at all. */
extern "C" {
extern char __start_simt_shared[] __attribute__((weak));
extern char __stop_simt_shared[] __attribute__((weak));
}

namespace simt {

enum { EXIT_ERROR = 97, EXIT_RACE = 98 };

/* simt_rt.cpp */
int knob(const char *name, int otherwise);
struct Place {
	std::string function, line; /* "heat_step" and "heat.cu:31", "?" where unknown */
};
std::vector<Place> places(const std::vector<const void *> &code);
bool count_launch(cudaStream_t s); /* true: fault injection makes this one fail */
int dynamic_limit(const void *kernel, int warp);
void device_visible(bool on);
void strayed(const void *address); /* says what a fault at it means, for a signal handler */

/* Run-time checks: the real thing in simt_race.cpp, nothing in the other builds. */
namespace race {
#ifdef SIMT_RACE
#define SIMT_HOOK(...) void __VA_ARGS__;
#else
#define SIMT_HOOK(...) static inline void __VA_ARGS__ {}
#endif
SIMT_HOOK(launch_begin(const void * /* kernel */, int /* warp */, int /* slots */))
SIMT_HOOK(launch_end())
SIMT_HOOK(block_begin(int /* slot */, int /* block */, int /* threads */, void *, size_t))
SIMT_HOOK(block_end(int /* slot */, int /* block */))
SIMT_HOOK(enter(int /* slot */, int /* block */, int /* thread */))
SIMT_HOOK(leave())
SIMT_HOOK(barrier(int /* block */))
SIMT_HOOK(warp_sync(int /* block */, int /* warp */, uint64_t /* lanes */, bool /* all live */))
SIMT_HOOK(fence())
SIMT_HOOK(atomic(void *, int /* size */, const void * /* pc */))
SIMT_HOOK(flag_load(const void *, int /* size */, bool /* acquire */, const void * /* pc */))
SIMT_HOOK(flag_store(void *, int /* size */, bool /* release */, const void * /* pc */))
SIMT_HOOK(allocated(void *, size_t))
SIMT_HOOK(freed(void *))
SIMT_HOOK(written(void *, size_t))
} /* namespace race */

} /* namespace simt */

#endif
