/* What the kernels share. They are plain C over float32 arrays that Python has checked: no allocation but small
   scratch, no error to report. Loops over channels, the fastest dimension, are left to the compiler to vectorize. */

#ifndef MXNEXT_NATIVE_H
#define MXNEXT_NATIVE_H

#include <stdint.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

#define INLINE static inline __attribute__((always_inline))

/* The numbers in a vector of this set of instructions. */
#if defined(__AVX512F__)
#define LANES 16
#elif defined(__AVX__)
#define LANES 8
#else
#define LANES 4
#endif

typedef int64_t size;

/* The part of n things that is one thread's own: from first to last, without last. */
static inline void share_of(size n, int thread, int threads, size *first, size *last) {
    *first = n * thread / threads;
    *last = n * (thread + 1) / threads;
}

#endif
