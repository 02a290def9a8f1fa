/* Batch norm of rows of channels (channels_last images), with a sum and a relu that may follow it.

   torch reads the data three times and then runs the sum and the relu by themselves; here data is read once for its
   statistics and once for the result, and the backward pass tells where the relu cut from the data itself. */

#include "native.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* Numbers summed in single precision and while they are near, before they go into sums of double precision. */
enum { BLOCK = 8192 };

static size rows_at_once(size channels) {
    size rows = BLOCK / channels;
    return rows < 8 ? 8 : rows;
}

/* Adds the rows' mean and sum of squared deviations to those of `seen` rows before (Chan's way: nothing cancels). What
   rounding left of the deviations themselves corrects both: it matters for numbers that are nearly the same. */
static void add_moments(const float *restrict x, size rows, size channels, size seen, double *restrict mean,
                        double *restrict spread, float *restrict total, float *restrict square,
                        float *restrict rest) {
    memset(total, 0, sizeof(float) * channels);
    memset(square, 0, sizeof(float) * channels);
    memset(rest, 0, sizeof(float) * channels);
    for (size r = 0; r < rows; r++) {
        const float *row = x + r * channels;
        for (size c = 0; c < channels; c++) total[c] += row[c];
    }
    float part = 1.0f / rows;
    for (size c = 0; c < channels; c++) total[c] *= part;
    for (size r = 0; r < rows; r++) {
        const float *row = x + r * channels;
        for (size c = 0; c < channels; c++) {
            float d = row[c] - total[c];
            square[c] += d * d;
            rest[c] += d;
        }
    }
    double share = (double)rows / (seen + rows), weight = (double)seen * share;
    for (size c = 0; c < channels; c++) {
        double off = (double)rest[c] / rows, d = total[c] + off - mean[c];
        double own = square[c] - off * rest[c];
        mean[c] += d * share;
        spread[c] += (own < 0 ? 0 : own) + d * d * weight;
    }
}

/* The same for all rows of `threads` threads, from what each of them found for its own. */
static void join_moments(double *mean, double *spread, size stride, size rows, size channels, int threads) {
    size first, last;
    share_of(rows, 0, threads, &first, &last);
    size seen = last;
    for (int t = 1; t < threads; t++) {
        share_of(rows, t, threads, &first, &last);
        if (first == last) continue;
        const double *m = mean + t * stride, *s = spread + t * stride;
        double share = (double)(last - first) / (seen + last - first), weight = seen * share;
        for (size c = 0; c < channels; c++) {
            double d = m[c] - mean[c];
            mean[c] += d * share;
            spread[c] += s[c] + d * d * weight;
        }
        seen += last - first;
    }
}

/* The mean is taken off first: numbers that are all the same become beta itself, and none are lost by a large mean. */
INLINE void normalize(const float *restrict x, const float *restrict other, float *restrict out, size rows,
                      size channels, const float *restrict mean, const float *restrict scale,
                      const float *restrict beta, int add, int relu) {
    for (size r = 0; r < rows; r++) {
        size at = r * channels;
        for (size c = 0; c < channels; c++) {
            float v = (x[at + c] - mean[c]) * scale[c] + beta[c];
            if (add) v += other[at + c];
            if (relu) v = v < 0 ? 0 : v;
            out[at + c] = v;
        }
    }
}

/* Without `batch_stats` mean and inv_std are given, else they are results. gamma, other may be NULL. Returns 0, or 1
   if there is no memory. */
EXPORT int batch_norm_forward(const float *x, const float *gamma, const float *beta, const float *other, float *out,
                              float *mean, float *inv_std, size rows, size channels, double eps, int batch_stats,
                              int relu, int threads) {
    /* of each thread: mean and spread in double, then three rows of scratch, of which the first one's becomes scale */
    double *work = calloc(threads * 4 * channels, sizeof(double));
    if (!work) return 1;
    float *scale = (float *)(work + 2 * channels);
#pragma omp parallel num_threads(threads)
    {
        int thread = omp_get_thread_num(), team = omp_get_num_threads();
        size first, last, stride = 4 * channels, step = rows_at_once(channels);
        share_of(rows, thread, team, &first, &last);
        if (batch_stats) {
            double *m = work + thread * stride;
            float *total = (float *)(m + 2 * channels);
            for (size r = first; r < last; r += step) {
                size n = last - r < step ? last - r : step;
                add_moments(x + r * channels, n, channels, r - first, m, m + channels, total, total + channels,
                            total + 2 * channels);
            }
        }
#pragma omp barrier
#pragma omp master
        {
            if (batch_stats) {
                join_moments(work, work + channels, stride, rows, channels, team);
                for (size c = 0; c < channels; c++) {
                    mean[c] = work[c];
                    inv_std[c] = 1 / sqrt(work[channels + c] / rows + eps);
                }
            }
            for (size c = 0; c < channels; c++) scale[c] = gamma ? gamma[c] * inv_std[c] : inv_std[c];
        }
#pragma omp barrier
        for (size r = last; r > first;) { /* backwards: the last rows are still in the cache */
            size n = r - first < step ? r - first : step, at = (r -= n) * channels;
            if (other && relu) normalize(x + at, other + at, out + at, n, channels, mean, scale, beta, 1, 1);
            else if (other) normalize(x + at, other + at, out + at, n, channels, mean, scale, beta, 1, 0);
            else if (relu) normalize(x + at, 0, out + at, n, channels, mean, scale, beta, 0, 1);
            else normalize(x + at, 0, out + at, n, channels, mean, scale, beta, 0, 0);
        }
    }
    free(work);
    return 0;
}

enum { PLAIN, RELU, RELU_OF_SUM };

/* The sums of g and of g * (x - mean), where g is the gradient behind the relu. With a sum before the relu, the result
   tells where it cut, and g is kept: it is the gradient of the other summand. */
INLINE void sum_gradients(const float *restrict x, const float *restrict grad, const float *restrict out,
                          float *restrict kept, size rows, size channels, const float *restrict mean,
                          const float *restrict scale, const float *restrict beta, float *restrict sum,
                          float *restrict product, int kind) {
    for (size r = 0; r < rows; r++) {
        size at = r * channels;
        for (size c = 0; c < channels; c++) {
            float g = grad[at + c], d = x[at + c] - mean[c];
            if (kind == RELU) g = d * scale[c] + beta[c] <= 0 ? 0 : g;
            if (kind == RELU_OF_SUM) kept[at + c] = g = out[at + c] <= 0 ? 0 : g;
            sum[c] += g;
            product[c] += g * d;
        }
    }
}

INLINE void gradient_of_data(const float *restrict x, const float *restrict g, float *restrict by_data, size rows,
                             size channels, const float *restrict mean, const float *restrict scale,
                             const float *restrict beta, const float *restrict by_x, const float *restrict constant,
                             int relu) {
    for (size r = 0; r < rows; r++) {
        size at = r * channels;
        for (size c = 0; c < channels; c++) {
            float d = x[at + c] - mean[c], h = g[at + c];
            if (relu) h = d * scale[c] + beta[c] <= 0 ? 0 : h;
            by_data[at + c] = scale[c] * h + by_x[c] * d + constant[c];
        }
    }
}

/* The gradients of batch_norm_forward; by_data, gamma may be NULL. The moving averages, if they are given, come nearer to
   what the batch had by 1 - momentum. `kept` becomes the gradient of `other`, if there was one. */
EXPORT int batch_norm_backward(const float *x, const float *grad, const float *out, float *kept, const float *gamma,
                               const float *beta, const float *mean, const float *inv_std, float *moving_mean,
                               float *moving_var, float *by_data, float *by_gamma, float *by_beta, size rows,
                               size channels, double eps, double momentum, int batch_stats, int kind, int threads) {
    /* of each thread: two sums in double, then two in float; and three rows for all */
    size stride = 3 * channels;
    double *work = calloc(threads * stride + 2 * channels, sizeof(double));
    if (!work) return 1;
    float *scale = (float *)(work + threads * stride), *by_x = scale + channels, *constant = by_x + channels;
    for (size c = 0; c < channels; c++) scale[c] = gamma ? gamma[c] * inv_std[c] : inv_std[c];
    if (moving_mean) {
        for (size c = 0; c < channels; c++) {
            float var = 1 / ((double)inv_std[c] * inv_std[c]) - eps;
            moving_mean[c] += (1 - momentum) * (mean[c] - moving_mean[c]);
            moving_var[c] += (1 - momentum) * (var - moving_var[c]);
        }
    }
#pragma omp parallel num_threads(threads)
    {
        int thread = omp_get_thread_num(), team = omp_get_num_threads();
        size first, last, step = rows_at_once(channels);
        share_of(rows, thread, team, &first, &last);
        double *sums = work + thread * stride, *products = sums + channels;
        float *sum = (float *)(products + channels), *product = sum + channels;
        for (size r = first; r < last; r += step) {
            size n = last - r < step ? last - r : step, at = r * channels;
            memset(sum, 0, 2 * sizeof(float) * channels);
            if (kind == RELU)
                sum_gradients(x + at, grad + at, 0, 0, n, channels, mean, scale, beta, sum, product, RELU);
            else if (kind == RELU_OF_SUM)
                sum_gradients(x + at, grad + at, out + at, kept + at, n, channels, mean, scale, beta, sum, product,
                              RELU_OF_SUM);
            else
                sum_gradients(x + at, grad + at, 0, 0, n, channels, mean, scale, beta, sum, product, PLAIN);
            for (size c = 0; c < channels; c++) {
                sums[c] += sum[c];
                products[c] += product[c];
            }
        }
#pragma omp barrier
#pragma omp master
        for (size c = 0; c < channels; c++) {
            double s = 0, p = 0;
            for (int t = 0; t < team; t++) {
                s += work[t * stride + c];
                p += work[t * stride + channels + c];
            }
            by_beta[c] = s;
            by_gamma[c] = p * inv_std[c];
            by_x[c] = batch_stats ? -scale[c] * (p / rows) * inv_std[c] * inv_std[c] : 0;
            constant[c] = batch_stats ? -scale[c] * (s / rows) : 0;
        }
#pragma omp barrier
        for (size r = last; by_data && r > first;) {
            size n = r - first < step ? r - first : step, at = (r -= n) * channels;
            const float *g = (kind == RELU_OF_SUM ? kept : grad) + at;
            if (kind == RELU)
                gradient_of_data(x + at, g, by_data + at, n, channels, mean, scale, beta, by_x, constant, 1);
            else
                gradient_of_data(x + at, g, by_data + at, n, channels, mean, scale, beta, by_x, constant, 0);
        }
    }
    free(work);
    return 0;
}
