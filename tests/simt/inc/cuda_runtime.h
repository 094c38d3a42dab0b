/* The emulator in the place of CUDA's header. */
#include "../simt.h"
