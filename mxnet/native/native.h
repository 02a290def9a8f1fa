/* What the kernels share. They are plain C over float32 arrays that Python has checked: no allocation but small
   scratch, no error to report. Loops over channels, the fastest dimension, are left to the compiler to vectorize. */

#ifndef MXNEXT_NATIVE_H
#define MXNEXT_NATIVE_H

#include <stdint.h>
#include <string.h>

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

typedef float vector __attribute__((vector_size(4 * LANES)));
typedef float anywhere __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

typedef int32_t mask __attribute__((vector_size(4 * LANES)));

/* The first n numbers of a vector, or all. */
INLINE vector load(const float *from, size n) {
    vector v = {0};
    if (n == LANES) v = *(const anywhere *)from;
    else memcpy(&v, from, sizeof(float) * n);
    return v;
}

INLINE void store(vector v, float *to, size n) {
    if (n == LANES) *(anywhere *)to = v;
    else memcpy(to, &v, sizeof(float) * n);
}

/* Where the next vector of channels begins; the last one may have some that were in the one before, too. */
INLINE size next_channels(size c, size channels) {
    return c + 2 * LANES <= channels || c + LANES == channels ? c + LANES : channels - LANES;
}

/* exp(x) = scale * (1 + fraction), for x from -87 to 88. */
INLINE void exponential(float x, float *scale, float *fraction) {
    const float whole = 12582912.0f; /* numbers of this size have no digits behind the point */
    float shifted = x * 1.44269504f + whole, n = shifted - whole;
    float r = x - n * 0.693359375f + n * 2.12194440e-4f;
    float p = 1.9875691500e-4f;
    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    *fraction = p * (r * r) + r;
    uint32_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits << 23) + 0x3f800000;
    memcpy(scale, &bits, sizeof bits);
}

#endif
