/* Floats to 8-bit integers in one pass, and what calibration computes.

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

/* x * scale. */
PLAIN EXPORT int quantize_floats(const float *x, double scale, int is_signed, uint8_t *out, size n, int threads) {
    const float low = is_signed ? -128 : 0, high = is_signed ? 127 : 255, none = is_signed ? 127 : 0;
    const float by = (float)scale;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size i = 0; i < n; i++) out[i] = saturated(x[i] * by, low, high, none);
    return 0;
}

/* eps for each zero, taken off the others; 0 if there is not enough to take. */
INLINE int smooth(float *p, size n) {
    const float eps = 1e-4f;
    size zeros = 0;
    for (size i = 0; i < n; i++) zeros += p[i] == 0;
    if (zeros == n || 1e-4 * (double)zeros >= (double)(n - zeros)) return 0;
    const float less = eps * (float)zeros / (float)(n - zeros);
    int positive = 1;
    for (size i = 0; i < n; i++) {
        p[i] = p[i] == 0 ? eps : p[i] - less;
        positive &= p[i] > 0;
    }
    return positive;
}

/* How much a histogram differs (Kullback-Leibler) from its middle in `bins` bins, for each width of that, from the least:
   see calibrate.py. `before` has the sums of the first counts, `scratch` 2 * n numbers for each thread. */
PLAIN EXPORT int entropy_divergences(const float *hist, const float *before, float *scratch, float *out, size n,
                                     size bins, int threads) {
    const size middle = n / 2, least = bins / 2, most = middle;
#pragma omp parallel for num_threads(threads) if (threads > 1) schedule(static, 1)
    for (int thread = 0; thread < threads; thread++) {
        float *p = scratch + 2 * n * thread, *q = p + n;
        for (size reach = least + thread; reach <= most; reach += threads) {
            size first = middle - reach < 0 ? 0 : middle - reach, end = middle + reach + 1 > n ? n : middle + reach + 1;
            size wide = end - first, merged = wide / bins;
            memcpy(p, hist + first, sizeof(float) * wide);
            p[0] = 0;
            for (size bin = 0; bin < bins; bin++) {
                size from = bin * merged, to = bin + 1 < bins ? from + merged : wide, count = 0;
                float sum = 0;
                for (size i = from; i < to; i++) sum += p[i], count += p[i] != 0;
                float level = count ? sum / (float)count : 0;
                for (size i = from; i < to; i++) q[i] = level;
            }
            p[0] = before[first + 1];
            p[wide - 1] += before[n] - before[end];
            for (size i = 0; i < wide; i++) q[i] = p[i] != 0 ? q[i] : 0;
            if (!smooth(p, wide) || !smooth(q, wide)) {
                out[reach - least] = INFINITY;
                continue;
            }
            float all_p = 0, all_q = 0, total = 0;
            for (size i = 0; i < wide; i++) all_p += p[i], all_q += q[i];
            for (size i = 0; i < wide; i++) {
                float one = p[i] / all_p, other = q[i] / all_q;
                total += one * logf(one / other);
            }
            out[reach - least] = total;
        }
    }
    return 0;
}
