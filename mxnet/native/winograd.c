/* The transformations of Winograd's convolutions by 3x3 kernels, stride 1 and pad 1, of images with the channels last.

   A tile of m x m results (m = 2 or 4) is made of (m + 2) x (m + 2) pixels. Each transformation is one of lines of
   numbers, done along the rows and then along the columns of a tile, for a vector of channels at once. What goes into
   the products of matrices lies in planes, one for each place in a tile, `plane` numbers from one to the next. */

#include "native.h"

#include <omp.h>
#include <stdlib.h>

#define UNROLL _Pragma("GCC unroll 8")

enum { MOST = 6 }; /* of m + 2 */

INLINE vector relu_of(vector v) { return (vector)((mask)v & ~(v < 0)); } /* keeps NaN */

/* For m = 4 polynomials are evaluated at 0, P, -P, 2 P, -2 P and infinity. With P = 1, as it is in books, numbers grow
   more on the way, and the results have two to four times the rounding errors. */
#define P 0.75f
#define P2 (P * P)
#define P4 (P2 * P2)

/* Transforms one line: x[0], x[step], ... into y[0], y[to], ... */
typedef void line(const vector *x, size step, vector *y, size to);

INLINE void data2(const vector *x, size s, vector *y, size t) {
    vector a = x[s], b = x[2 * s];
    y[0] = x[0] - b;
    y[t] = a + b;
    y[2 * t] = b - a;
    y[3 * t] = a - x[3 * s];
}

INLINE void data4(const vector *x, size s, vector *y, size t) {
    vector b = x[s], c = x[2 * s], d = x[3 * s], e = x[4 * s];
    vector even = e - 4 * P2 * c, odd = P * (d - 4 * P2 * b), ce = e - P2 * c, bd = 2 * P * (d - P2 * b);
    y[0] = 4 * P4 * x[0] - 5 * P2 * c + e;
    y[t] = even + odd;
    y[2 * t] = even - odd;
    y[3 * t] = ce + bd;
    y[4 * t] = ce - bd;
    y[5 * t] = 4 * P4 * b - 5 * P2 * d + x[5 * s];
}

INLINE void result2(const vector *x, size s, vector *y, size t) {
    vector b = x[s], c = x[2 * s];
    y[0] = x[0] + b + c;
    y[t] = b - c - x[3 * s];
}

INLINE void result4(const vector *x, size s, vector *y, size t) {
    vector near = x[s] + x[2 * s], turn = x[s] - x[2 * s], far = x[3 * s] + x[4 * s], wide = x[3 * s] - x[4 * s];
    y[0] = x[0] + near + far;
    y[t] = P * (turn + 2 * wide);
    y[2 * t] = P2 * (near + 4 * far);
    y[3 * t] = P * P2 * (turn + 8 * wide) + x[5 * s];
}

/* Those of the gradients are the same matrices, transposed. */
INLINE void spread2(const vector *x, size s, vector *y, size t) {
    vector a = x[0], b = x[s];
    y[0] = a;
    y[t] = a + b;
    y[2 * t] = a - b;
    y[3 * t] = -b;
}

INLINE void spread4(const vector *x, size s, vector *y, size t) {
    vector a = x[0], b = P * x[s], c = P2 * x[2 * s], d = P * P2 * x[3 * s];
    vector even = a + c, odd = b + d, even4 = a + 4 * c, odd4 = 2 * b + 8 * d;
    y[0] = a;
    y[t] = even + odd;
    y[2 * t] = even - odd;
    y[3 * t] = even4 + odd4;
    y[4 * t] = even4 - odd4;
    y[5 * t] = x[3 * s];
}

INLINE void weight2(const vector *x, size s, vector *y, size t) {
    vector even = 0.5f * (x[0] + x[2 * s]), odd = 0.5f * x[s];
    y[0] = x[0];
    y[t] = even + odd;
    y[2 * t] = even - odd;
    y[3 * t] = x[2 * s];
}

INLINE void weight4(const vector *x, size s, vector *y, size t) {
    vector a = 1 / P4 * x[0], b = P / P4 * x[s], c = P2 / P4 * x[2 * s];
    vector even = (-1.0f / 6) * (a + c), odd = (1.0f / 6) * b, even4 = (1.0f / 24) * a + (1.0f / 6) * c;
    vector odd4 = (1.0f / 12) * b;
    y[0] = 0.25f * a;
    y[t] = even - odd;
    y[2 * t] = even + odd;
    y[3 * t] = even4 + odd4;
    y[4 * t] = even4 - odd4;
    y[5 * t] = x[2 * s];
}

INLINE void kernel2(const vector *x, size s, vector *y, size t) {
    vector even = 0.5f * (x[s] + x[2 * s]), odd = 0.5f * (x[s] - x[2 * s]);
    y[0] = x[0] + even;
    y[t] = odd;
    y[2 * t] = even + x[3 * s];
}

INLINE void kernel4(const vector *x, size s, vector *y, size t) {
    vector near = (1.0f / 6) * (x[s] + x[2 * s]), turn = (1.0f / 6) * (x[2 * s] - x[s]);
    vector far = (1.0f / 24) * (x[3 * s] + x[4 * s]), wide = (1.0f / 12) * (x[3 * s] - x[4 * s]);
    y[0] = 1 / P4 * (0.25f * x[0] - near + far);
    y[t] = P / P4 * (turn + wide);
    y[2 * t] = P2 / P4 * (4 * far - near) + x[5 * s];
}

/* Where a tile lies: by its number among those of all images. */
typedef struct {
    size image, y, x;
} place;

INLINE place place_of(size number, size height, size width, int m) {
    size down = (height + m - 1) / m, across = (width + m - 1) / m;
    place found = {number / (down * across), number / across % down * m, number % across * m};
    return found;
}

/* A vector of channels of a tile, from `in` x `in` pixels into the planes of `out` x `out` places. */
INLINE void into_planes(const float *const *from, size c, size n, float *to, size plane, int in, int out, line *f) {
    vector x[MOST], half[MOST * MOST], y[MOST];
    UNROLL for (int i = 0; i < in; i++) {
        UNROLL for (int j = 0; j < in; j++) x[j] = load(from[i * in + j] + c, n);
        f(x, 1, half + i * out, 1);
    }
    UNROLL for (int j = 0; j < out; j++) {
        f(half + j, out, y, 1);
        UNROLL for (int i = 0; i < out; i++) store(y[i], to + (i * out + j) * plane + c, n);
    }
}

/* The same of all channels; pixels outside of the image are zeros. */
INLINE void tile_into_planes(const float *images, const float *zeros, size height, size width, size channels,
                             size number, float *to, size plane, int m, int in, int pad, line *f) {
    place at = place_of(number, height, width, m);
    const float *from[MOST * MOST];
    for (int i = 0; i < in; i++) {
        size y = at.y + i - pad;
        const float *row = images + (at.image * height + y) * width * channels;
        for (int j = 0; j < in; j++) {
            size x = at.x + j - pad;
            from[i * in + j] = y < 0 || y >= height || x < 0 || x >= width ? zeros : row + x * channels;
        }
    }
    size c = 0;
    for (; c + LANES <= channels; c += LANES) into_planes(from, c, LANES, to, plane, in, m + 2, f);
    if (c == channels) return;
    if (channels >= LANES) into_planes(from, channels - LANES, LANES, to, plane, in, m + 2, f); /* some once more */
    else into_planes(from, 0, channels, to, plane, in, m + 2, f);
}

/* From images to the planes of `count` tiles, (tiles, channels) each. With `spread` they are gradients of results, each
   of which belongs to one tile, else data, whose tiles overlap. */
static void tiles_into_planes(const float *images, const float *zeros, float *planes, size height, size width,
                              size channels, size first, size count, size plane, int m, int spread, int threads) {
#define TILE(m, in, pad, f) \
    tile_into_planes(images, zeros, height, width, channels, first + t, planes + t * channels, plane, m, in, pad, f)
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size t = 0; t < count; t++) {
        if (m == 2 && spread) TILE(2, 2, 0, spread2);
        else if (m == 2) TILE(2, 4, 1, data2);
        else if (spread) TILE(4, 4, 0, spread4);
        else TILE(4, 6, 1, data4);
    }
#undef TILE
}

/* A vector of filters of a tile, from the planes into an image: rows and columns are what is left of it there. */
INLINE void into_image(const float *from, size plane, vector bias, const float *other, float *to, size row, size pixel,
                       size rows, size columns, size n, int m, line *f, int add, int relu) {
    vector x[MOST], half[MOST * MOST], y[MOST];
    UNROLL for (int i = 0; i < m + 2; i++) {
        UNROLL for (int j = 0; j < m + 2; j++) x[j] = load(from + (i * (m + 2) + j) * plane, n);
        f(x, 1, half + i * m, 1);
    }
    UNROLL for (int j = 0; j < m; j++) {
        if (j >= columns) break;
        f(half + j, m, y, 1);
        UNROLL for (int i = 0; i < m; i++) {
            if (i >= rows) break;
            size at = i * row + j * pixel;
            vector v = y[i] + bias;
            if (add) v += load(other + at, n);
            if (relu) v = relu_of(v);
            store(v, to + at, n);
        }
    }
}

INLINE void tile_into_image(const float *from, size plane, const float *bias, const float *other, float *images,
                            size height, size width, size filters, size number, int m, line *f, int add, int relu) {
    place at = place_of(number, height, width, m);
    size row = width * filters, offset = (at.image * height + at.y) * row + at.x * filters, c = 0;
    size rows = height - at.y, columns = width - at.x;
    float *to = images + offset;
    other += add ? offset : 0;
    for (; c + LANES <= filters; c += LANES)
        into_image(from + c, plane, load(bias + c, LANES), other + c, to + c, row, filters, rows, columns, LANES, m, f,
                   add, relu);
    if (c == filters) return;
    size n = filters - c;
    if (filters >= LANES && (!add || other != to)) c = filters - LANES, n = LANES; /* some once more */
    if (n == LANES)
        into_image(from + c, plane, load(bias + c, LANES), other + c, to + c, row, filters, rows, columns, LANES, m, f,
                   add, relu);
    else
        into_image(from + c, plane, load(bias + c, n), other + c, to + c, row, filters, rows, columns, n, m, f, add,
                   relu);
}

/* From the planes of `count` tiles, (tiles, filters) each, to images, with a bias, another summand (which may be where
   the result is, too) and a relu; other may be NULL. */
static void planes_into_images(const float *planes, const float *bias, const float *other, float *images, size height,
                               size width, size filters, size first, size count, size plane, int m, int relu,
                               int threads) {
    int add = other != 0;
    if (!add) other = bias; /* not read */
#define TILE(m, f, add, relu) \
    tile_into_image(planes + t * filters, plane, bias, other, images, height, width, filters, first + t, m, f, add, relu)
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size t = 0; t < count; t++) {
        if (m == 2 && add && relu) TILE(2, result2, 1, 1);
        else if (m == 2 && add) TILE(2, result2, 1, 0);
        else if (m == 2 && relu) TILE(2, result2, 0, 1);
        else if (m == 2) TILE(2, result2, 0, 0);
        else if (add && relu) TILE(4, result4, 1, 1);
        else if (add) TILE(4, result4, 1, 0);
        else if (relu) TILE(4, result4, 0, 1);
        else TILE(4, result4, 0, 0);
    }
#undef TILE
}

/* CBLAS' products of matrices, several at once; Python knows where to find it. */
typedef void gemm_batch(int layout, const int *turn_a, const int *turn_b, const int *rows, const int *columns,
                        const int *inner, const float *alpha, const float **a, const int *stride_a, const float **b,
                        const int *stride_b, const float *beta, float **c, const int *stride_c, int groups,
                        const int *group_size);

/* c = a b + beta c in all planes, where c is (rows, columns) and a is (rows, inner), or (inner, rows) if it is turned.
   Each thread does some planes: the library sees that it is called by a thread and starts no others. */
static void products(gemm_batch *gemm, const float *a, size plane_a, int turned, const float *b, size plane_b, float *c,
                     size plane_c, int rows, int columns, int inner, float beta, int places, int threads) {
    enum { BY_ROWS = 101, PLAIN = 111, TURNED = 112 };
    int turn_a = turned ? TURNED : PLAIN, turn_b = PLAIN, stride_a = turned ? rows : inner;
    float alpha = 1;
#pragma omp parallel num_threads(threads)
    {
        size first, last;
        share_of(places, omp_get_thread_num(), omp_get_num_threads(), &first, &last);
        const float *as[MOST * MOST], *bs[MOST * MOST];
        float *cs[MOST * MOST];
        int count = last - first;
        for (int i = 0; i < count; i++) {
            as[i] = a + (first + i) * plane_a;
            bs[i] = b + (first + i) * plane_b;
            cs[i] = c + (first + i) * plane_c;
        }
        if (count)
            gemm(BY_ROWS, &turn_a, &turn_b, &rows, &columns, &inner, &alpha, as, &stride_a, bs, &columns, &beta, cs,
                 &columns, 1, &count);
    }
}

/* The arguments of winograd_convolve. */
typedef struct {
    const float *images, *weight, *bias, *other, *zeros;
    float *result;
    size tiles, height, width, channels, filters, step, weight_plane, data_plane, product_plane;
    int m, relu;
    gemm_batch *gemm;
} convolution;

/* Its work on the `step` tiles from `first` on. */
static void convolve_tiles(const convolution *v, size first, float *work, int threads) {
    int places = (v->m + 2) * (v->m + 2);
    size count = v->tiles - first < v->step ? v->tiles - first : v->step;
    float *product = work + places * v->data_plane;
    tiles_into_planes(v->images, v->zeros, work, v->height, v->width, v->channels, first, count, v->data_plane, v->m, 0,
                      threads);
    products(v->gemm, work, v->data_plane, 0, v->weight, v->weight_plane, product, v->product_plane, count, v->filters,
             v->channels, 0, places, threads);
    planes_into_images(product, v->bias, v->other, v->result, v->height, v->width, v->filters, first, count,
                       v->product_plane, v->m, v->relu, threads);
}

/* Convolves images by a weight in planes of (channels, filters), with a bias, another summand (which may be where the
   result is, too) and a relu; bias and other may be NULL. There are `step` tiles at once: of all threads together, or
   of each thread `alone`, so that what it transforms stays in its own cache. `work` has room for the planes of these
   tiles, of data first and then of products, of each thread if it is alone. Returns 0, or 1 if there is no memory. */
EXPORT int winograd_convolve(const float *images, const float *weight, const float *bias, const float *other,
                             float *result, float *work, size tiles, size height, size width, size channels,
                             size filters, size step, size weight_plane, size data_plane, size product_plane, int m,
                             int relu, int alone, int threads, void *gemm) {
    float *zeros = calloc(channels > filters ? channels : filters, sizeof(float));
    if (!zeros) return 1;
    convolution v = {images,  weight,  bias ? bias : zeros, other,      zeros,         result, tiles, height, width,
                     channels, filters, step, weight_plane, data_plane, product_plane, m,      relu,  gemm};
    /* Never a region within another, even of one thread: the inner one would start threads of its own each time. */
    if (alone) {
        size room = (m + 2) * (m + 2) * (data_plane + product_plane);
#pragma omp parallel for num_threads(threads) schedule(static)
        for (size part = 0; part < (tiles + step - 1) / step; part++)
            convolve_tiles(&v, part * step, work + omp_get_thread_num() * room, 1);
    } else {
        for (size first = 0; first < tiles; first += step) convolve_tiles(&v, first, work, threads);
    }
    free(zeros);
    return 0;
}

/* A vector of kernels, which lie `step` numbers apart, into planes. */
INLINE void kernels_into_planes(const float *from, size step, size tap, size n, float *to, size plane, int m, line *f,
                                int turned) {
    float kernels[9][LANES] __attribute__((aligned(4 * LANES))) = {{0}};
    vector x[9], half[3 * MOST], y[MOST];
    for (size i = 0; i < n; i++)
        UNROLL for (int k = 0; k < 9; k++) kernels[k][i] = from[i * step + k * tap];
    UNROLL for (int k = 0; k < 9; k++) x[k] = *(const vector *)kernels[turned ? 8 - k : k];
    UNROLL for (int i = 0; i < 3; i++) f(x + 3 * i, 1, half + i * (m + 2), 1);
    UNROLL for (int j = 0; j < m + 2; j++) {
        f(half + j, m + 2, y, 1);
        UNROLL for (int i = 0; i < m + 2; i++) store(y[i], to + (i * (m + 2) + j) * plane, n);
    }
}

/* One row of kernels into planes. */
static void row_into_planes(const float *from, size step, size tap, float *to, size columns, size plane, int m,
                            int turned) {
    size c = 0;
    for (; c + LANES <= columns; c += LANES) {
        if (m == 2) kernels_into_planes(from + c * step, step, tap, LANES, to + c, plane, 2, weight2, turned);
        else kernels_into_planes(from + c * step, step, tap, LANES, to + c, plane, 4, weight4, turned);
    }
    if (c == columns) return;
    if (m == 2) kernels_into_planes(from + c * step, step, tap, columns - c, to + c, plane, 2, weight2, turned);
    else kernels_into_planes(from + c * step, step, tap, columns - c, to + c, plane, 4, weight4, turned);
}

/* From kernels of 3x3 to planes of (rows, columns): the numbers by_row, by_column and tap lead from one kernel, or one
   of its nine numbers, to the next. `turned` by half a turn, for the gradient of the data. Kernels of a row that lie far
   apart are collected first, for a few rows at once, as their neighbours are on the same lines of the cache. */
EXPORT int winograd_weight(const float *weight, float *planes, size rows, size columns, size by_row, size by_column,
                           size tap, size plane, int m, int turned, int threads) {
    enum { ROWS = 16, STEP = 9 * ROWS };
    int collect = by_column > 9;
    size groups = (rows + ROWS - 1) / ROWS;
    float *work = collect ? malloc(threads * columns * STEP * sizeof(float)) : 0;
    if (collect && !work) return 1;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size g = 0; g < groups; g++) {
        size first = g * ROWS, n = rows - first < ROWS ? rows - first : ROWS;
        const float *from = weight + first * by_row;
        float *to = planes + first * columns, *near = work + omp_get_thread_num() * columns * STEP;
        for (size c = 0; collect && c < columns; c++)
            for (size r = 0; r < n; r++)
                UNROLL for (int k = 0; k < 9; k++)
                    near[c * STEP + r * 9 + k] = from[c * by_column + r * by_row + k * tap];
        for (size r = 0; r < n; r++, to += columns) {
            if (collect) row_into_planes(near + r * 9, STEP, 1, to, columns, plane, m, turned);
            else row_into_planes(from + r * by_row, by_column, tap, to, columns, plane, m, turned);
        }
    }
    free(work);
    return 0;
}

/* A vector of kernels from the planes. */
INLINE void planes_into_kernels(const float *from, size plane, float *to, size n, int m, line *f) {
    float kernels[9][LANES] __attribute__((aligned(4 * LANES)));
    vector x[MOST], half[3 * MOST], y[3];
    UNROLL for (int i = 0; i < m + 2; i++) {
        UNROLL for (int j = 0; j < m + 2; j++) x[j] = load(from + (i * (m + 2) + j) * plane, n);
        f(x, 1, half + 3 * i, 1);
    }
    UNROLL for (int j = 0; j < 3; j++) {
        f(half + j, 3, y, 1);
        UNROLL for (int i = 0; i < 3; i++) *(vector *)kernels[3 * i + j] = y[i];
    }
    for (size i = 0; i < n; i++)
        UNROLL for (int k = 0; k < 9; k++) to[9 * i + k] = kernels[k][i];
}

/* The gradient of a weight, (filters, channels, 3, 3), from data and the gradients of results, `step` tiles at once.
   `planes` has room for those of the transformed weight, (filters, channels) each, and `work` for those of the tiles,
   of data first. Returns 0, or 1 if there is no memory. */
EXPORT int winograd_by_weight(const float *images, const float *grads, float *planes, float *weight, float *work,
                              size tiles, size height, size width, size channels, size filters, size step, size plane,
                              size data_plane, size grad_plane, int m, int threads, void *gemm) {
    int places = (m + 2) * (m + 2);
    float *spread = work + places * data_plane, *zeros = calloc(channels > filters ? channels : filters, sizeof(float));
    if (!zeros) return 1;
    for (size first = 0; first < tiles; first += step) {
        size count = tiles - first < step ? tiles - first : step;
        tiles_into_planes(images, zeros, work, height, width, channels, first, count, data_plane, m, 0, threads);
        tiles_into_planes(grads, zeros, spread, height, width, filters, first, count, grad_plane, m, 1, threads);
        products((gemm_batch *)gemm, spread, grad_plane, 1, work, data_plane, planes, plane, filters, channels, count,
                 first != 0, places, threads);
    }
    free(zeros);
    size total = filters * channels, blocks = (total + LANES - 1) / LANES;
#define KERNELS(n, m, f) planes_into_kernels(planes + c, plane, weight + 9 * c, n, m, f)
#pragma omp parallel for num_threads(threads) schedule(static)
    for (size b = 0; b < blocks; b++) {
        size c = b * LANES, n = total - c < LANES ? total - c : LANES;
        if (m == 2 && n == LANES) KERNELS(LANES, 2, kernel2);
        else if (m == 2) KERNELS(n, 2, kernel2);
        else if (n == LANES) KERNELS(LANES, 4, kernel4);
        else KERNELS(n, 4, kernel4);
    }
#undef KERNELS
    return 0;
}
