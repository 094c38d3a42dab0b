/* HIP's words for f16 are CUDA's. */
#include <cuda_fp16.h>
