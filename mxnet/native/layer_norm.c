/* The gradients of layer norm (gamma and beta along each row) and of instance norm (a channel for each row).

   torch sums gamma's over all rows in single precision, and instance norm's as a difference of two large numbers. Here
   numbers are summed in single precision while they are near, and then in double. */

#include "native.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { NEAR = 1024, ROWS = 32 };

/* The sums of a row's g, g * (x - mean) and x - mean, where g is the gradient times gamma. With gamma the row is also
   added to the sums of its columns. */
INLINE void sum_row(const float *restrict x, const float *restrict grad, const float *restrict gamma, size count,
                    float mean, float scale, double *sum, double *product, double *rest, float *restrict by_gamma,
                    float *restrict by_beta) {
    *sum = *product = *rest = 0;
    for (size at = 0; at < count; at += NEAR) {
        size end = count - at < NEAR ? count : at + NEAR;
        float s = 0, p = 0, r = 0;
#pragma omp simd reduction(+ : s, p, r)
        for (size c = at; c < end; c++) {
            float d = x[c] - mean, g = grad[c];
            if (gamma) {
                by_gamma[c] += g * (d * scale);
                by_beta[c] += g;
                g *= gamma[c];
            } else r += d;
            s += g;
            p += g * d;
        }
        *sum += s;
        *product += p;
        *rest += r;
    }
}

INLINE void gradient_of_row(const float *restrict x, const float *restrict grad, const float *restrict gamma,
                            float *restrict by_data, size count, float mean, float scale, float by_x,
                            float constant) {
    for (size c = 0; c < count; c++) {
        float g = gamma ? grad[c] * gamma[c] : grad[c];
        by_data[c] = scale * g + by_x * (x[c] - mean) + constant;
    }
}

/* Rows of `count` numbers; with `channels` row r is of channel r % channels and gamma has one number for each of them,
   else gamma has one for each number of a row. by_data may be NULL. Returns 0, or 1 if there is no memory. */
EXPORT int layer_norm_backward(const float *x, const float *grad, const float *gamma, const float *mean,
                               const float *inv_std, float *by_data, float *by_gamma, float *by_beta, size rows,
                               size count, size channels, int threads) {
    size width = channels ? channels : count, stride = 3 * width;
    double *work = calloc(threads * stride, sizeof(double)); /* of each thread two sums in double, two in float */
    if (!work) return 1;
    int team = 1;
#pragma omp parallel num_threads(threads)
    {
        int thread = omp_get_thread_num();
        size first, last;
#pragma omp master
        team = omp_get_num_threads();
        share_of(rows, thread, omp_get_num_threads(), &first, &last);
        double *gammas = work + thread * stride, *betas = gammas + width;
        float *by_g = (float *)(betas + width), *by_b = by_g + width;
        const float *along = channels ? NULL : gamma;
        for (size r = first; r < last; r++) {
            const float *row = x + r * count, *g = grad + r * count;
            float scale = inv_std[r];
            double sum, product, rest;
            if (along) sum_row(row, g, along, count, mean[r], scale, &sum, &product, &rest, by_g, by_b);
            else sum_row(row, g, NULL, count, mean[r], scale, &sum, &product, &rest, NULL, NULL);
            product -= rest / count * sum; /* the mean is rounded */
            float factor = scale;
            if (channels) {
                gammas[r % channels] += product * scale;
                betas[r % channels] += sum;
                factor *= gamma[r % channels];
            } else {
                if ((r - first) % ROWS == ROWS - 1 || r == last - 1) {
                    for (size c = 0; c < width; c++) {
                        gammas[c] += by_g[c];
                        betas[c] += by_b[c];
                    }
                    memset(by_g, 0, 2 * sizeof(float) * width);
                }
            }
            if (!by_data) continue;
            float by_x = -factor * (product / count) * scale * scale, constant = -factor * (sum / count);
            if (along) gradient_of_row(row, g, along, by_data + r * count, count, mean[r], factor, by_x, constant);
            else gradient_of_row(row, g, NULL, by_data + r * count, count, mean[r], factor, by_x, constant);
        }
    }
    for (size c = 0; c < width; c++) {
        double g = 0, b = 0;
        for (int t = 0; t < team; t++) {
            g += work[t * stride + c];
            b += work[t * stride + width + c];
        }
        by_gamma[c] = g;
        by_beta[c] = b;
    }
    free(work);
    return 0;
}
