/* The logarithm of a softmax at one place of each row, which is what a cross entropy with labels needs of it.

   Of all the other logarithms only the sum of the exponentials is kept: nothing of the size of the data is written, and
   the backward pass makes the exponentials again, which takes less time than to read them. */

#include "native.h"

#include <math.h>

/* Rows of so many numbers are short. */
enum { SHORT = 64 };

/* e to the power of x, which is not above 0. */
INLINE float power(float x) {
    float y = x < -87.0f ? -87.0f : x, scale, fraction;
    exponential(y, &scale, &fraction);
    float result = scale + scale * fraction;
    return x < -87.0f ? 0 : result;
}

/* The label of a row, as labels come: numbers of float (0), int64_t (1) or int32_t (2). Those outside are clipped. */
static size place(const void *labels, int kind, size row, size classes) {
    if (kind == 0) {
        float label = ((const float *)labels)[row];
        return label > 0 ? (label < classes ? (size)label : classes - 1) : 0;
    }
    int64_t label = kind == 1 ? ((const int64_t *)labels)[row] : ((const int32_t *)labels)[row];
    return label > 0 ? (label < classes ? label : classes - 1) : 0;
}

/* The largest number of a row, and the sum of the powers of all less that. They are made in LANES parts: a compiler must
   not change the order by itself. */
static void summarize(const float *row, size classes, float *highest, float *total) {
    float part[LANES], top = row[0], sum = 0;
    size whole = classes / LANES * LANES;
    for (int i = 0; i < LANES; i++) part[i] = top;
    for (size c = 0; c < whole; c += LANES)
        for (int i = 0; i < LANES; i++) part[i] = row[c + i] > part[i] ? row[c + i] : part[i];
    for (int i = 0; i < LANES; i++) top = part[i] > top ? part[i] : top;
    for (size c = whole; c < classes; c++) top = row[c] > top ? row[c] : top;
    memset(part, 0, sizeof part);
    for (size c = 0; c < whole; c += LANES)
        for (int i = 0; i < LANES; i++) part[i] += power(row[c + i] - top);
    for (int i = 0; i < LANES; i++) sum += part[i];
    for (size c = whole; c < classes; c++) sum += power(row[c] - top);
    *highest = top;
    *total = sum;
}

/* The same for LANES short rows, side by side. */
static void summarize_short(const float *rows, size classes, float *highest, float *total) {
    float x[SHORT][LANES], top[LANES], sum[LANES] = {0};
    for (int i = 0; i < LANES; i++) top[i] = rows[i * classes];
    for (size c = 0; c < classes; c++)
        for (int i = 0; i < LANES; i++) x[c][i] = rows[i * classes + c];
    for (size c = 0; c < classes; c++)
        for (int i = 0; i < LANES; i++) top[i] = x[c][i] > top[i] ? x[c][i] : top[i];
    for (size c = 0; c < classes; c++)
        for (int i = 0; i < LANES; i++) sum[i] += power(x[c][i] - top[i]);
    memcpy(highest, top, sizeof top);
    memcpy(total, sum, sizeof sum);
}

/* chosen = scale log(softmax(x))[label] for each row, whose maximum and sum of exponentials are kept for backward:
   first all maxima, then all sums. */
EXPORT int cross_entropy_forward(const float *x, const void *labels, int kind, float *restrict chosen,
                                 float *restrict kept, size rows, size classes, double scale, int threads) {
    float *highest = kept, *total = kept + rows;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size first = 0; first < rows; first += LANES) {
        size n = rows - first < LANES ? rows - first : LANES, r = first;
        if (n == LANES && classes <= SHORT)
            summarize_short(x + first * classes, classes, highest + first, total + first);
        else
            for (; r < first + n; r++) summarize(x + r * classes, classes, highest + r, total + r);
        for (r = first; r < first + n; r++) {
            float number = x[r * classes + place(labels, kind, r, classes)];
            chosen[r] = scale * ((number - highest[r]) - logf(total[r]));
        }
    }
    return 0;
}

/* The gradient by x, given that by `chosen`. */
EXPORT int cross_entropy_backward(const float *x, const void *labels, int kind, const float *kept, const float *grad,
                                  float *restrict by_x, size rows, size classes, double scale, int threads) {
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size r = 0; r < rows; r++) {
        const float *row = x + r * classes;
        float *restrict to = by_x + r * classes;
        float top = kept[r], g = scale * grad[r], part = -g / kept[rows + r];
        for (size c = 0; c < classes; c++) to[c] = part * power(row[c] - top);
        to[place(labels, kind, r, classes)] += g;
    }
    return 0;
}
