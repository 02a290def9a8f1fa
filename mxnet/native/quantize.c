/* Floats to 8-bit integers: one pass over sums of products, or over data, in the steps of the result.

   The results are those of the same operations one after the other: products are not fused with sums. */

#include "native.h"

#include <math.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#define PLAIN
#else
#define PLAIN __attribute__((optimize("fp-contract=off")))
#endif

/* Rounded to the nearest, ties to the even one, within the type; what is no number is `none`. */
INLINE uint8_t saturated(float v, float low, float high, float none) {
    v = v == v ? v : none;
    v = v < low ? low : v;
    v = v > high ? high : v;
    return (uint8_t)(int32_t)rintf(v);
}

/* (sums + bias) * scale for each channel, plus other * step, not below `least` nor above `most`. `bias` and `other` may
   be NULL. */
PLAIN EXPORT int quantize_sums(const float *sums, const float *bias, const float *scale, const uint8_t *other,
                               int other_signed, double step, double least, double most, int is_signed,
                               uint8_t *out, size rows, size channels, int threads) {
    const float low = is_signed ? -128 : 0, high = is_signed ? 127 : 255, none = is_signed ? 127 : 0;
    const float by = (float)step, bottom = (float)least, top = (float)most;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size row = 0; row < rows; row++) {
        const float *from = sums + row * channels;
        uint8_t *to = out + row * channels;
        if (!other) {
            for (size c = 0; c < channels; c++) {
                float v = (bias ? from[c] + bias[c] : from[c]) * scale[c];
                v = v < bottom ? bottom : v;
                v = v > top ? top : v;
                to[c] = saturated(v, low, high, none);
            }
        } else {
            const uint8_t *more = other + row * channels;
            for (size c = 0; c < channels; c++) {
                float v = (bias ? from[c] + bias[c] : from[c]) * scale[c];
                float added = (other_signed ? (float)(int8_t)more[c] : (float)more[c]) * by;
                v = v + added;
                v = v < bottom ? bottom : v;
                v = v > top ? top : v;
                to[c] = saturated(v, low, high, none);
            }
        }
    }
    return 0;
}

/* x * scale. */
PLAIN EXPORT int quantize_floats(const float *x, double scale, int is_signed, uint8_t *out, size n, int threads) {
    const float low = is_signed ? -128 : 0, high = is_signed ? 127 : 255, none = is_signed ? 127 : 0;
    const float by = (float)scale;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size i = 0; i < n; i++) out[i] = saturated(x[i] * by, low, high, none);
    return 0;
}
