/* Direct convolutions of images with the channels last, for prediction. A block of pixels by one or two vectors of
   filters stays in registers while all that its windows see is multiplied. Where there is padding, the images are
   first copied into a frame of zeros, so that all windows are alike. */

#include "activation.h"

#include <stdlib.h>

/* As many pixels as there are registers for. */
#if LANES == 16
enum { MOST = 12 };
#else
enum { MOST = 6 };
#endif

#define UNROLL _Pragma("GCC unroll 12")

/* In the order of what Python gives; `image`, `row`, `pixel` and `channel` are strides of the data. */
typedef struct {
    size images, height, width, channels, filters, high, wide, stride_y, stride_x, pad_y, pad_x, dilate_y, dilate_x;
    size down, across, image, row, pixel, channel, activation;
} geometry;

/* Where the windows lie, and what they see: `taps` runs of `run` numbers, `step` from one pixel to the next. */
typedef struct {
    const float *x;
    size *starts, *taps, count, run;
} windows;

INLINE void put(vector v, float *to, const float *other, size n, size kind, const float *numbers) {
    if (n == LANES) {
        if (other) v += *(const anywhere *)other;
        *(anywhere *)to = activated(v, kind, numbers);
        return;
    }
    if (other) v += load(other, n);
    v = activated(v, kind, numbers);
    for (size i = 0; i < n; i++) to[i] = v[i];
}

/* `pixels` windows from the `first` on, by `vectors` vectors of which the last one has `n` filters, the others all. */
INLINE void block(const geometry *g, const windows *w, size first, const float *weight, const float *bias,
                  const float *other, float *out, const float *numbers, size filter, size n, const int pixels,
                  const int vectors) {
    vector sum[MOST][2];
    const float *from[MOST];
    UNROLL for (int i = 0; i < pixels; i++) from[i] = w->x + w->starts[first + i];
    UNROLL for (int v = 0; v < vectors; v++) {
        vector start = bias ? load(bias + filter + v * LANES, v + 1 == vectors ? n : LANES) : (vector){0};
        UNROLL for (int i = 0; i < pixels; i++) sum[i][v] = start;
    }
    for (size t = 0; t < w->count; t++) {
        size tap = w->taps[t];
        for (size end = tap + w->run; tap < end; tap++, weight += vectors * LANES) {
            vector by = *(const anywhere *)weight, by2 = *(const anywhere *)(weight + (vectors - 1) * LANES);
            UNROLL for (int i = 0; i < pixels; i++) {
                sum[i][0] += from[i][tap] * by;
                if (vectors == 2) sum[i][1] += from[i][tap] * by2;
            }
        }
    }
    size to = first * g->filters + filter;
    UNROLL for (int i = 0; i < pixels; i++, to += g->filters) UNROLL for (int v = 0; v < vectors; v++) {
        size place = to + v * LANES;
        put(sum[i][v], out + place, other ? other + place : NULL, v + 1 == vectors ? n : LANES, g->activation, numbers);
    }
}

/* Functions of their own: in one for all cases the compiler would not find registers. */
typedef void one_block(const geometry *, const windows *, size first, const float *weight, const float *bias,
                       const float *other, float *out, const float *numbers, size filter, size n);

#define DEFINE(name, pixels, vectors) \
    static __attribute__((noinline)) void name##pixels(const geometry *g, const windows *w, size first, \
        const float *weight, const float *bias, const float *other, float *out, const float *numbers, size filter, \
        size n) { \
        block(g, w, first, weight, bias, other, out, numbers, filter, n, pixels, vectors); \
    }
#define BLOCKS(k) DEFINE(wide, k, 2) DEFINE(narrow, k, 1)

BLOCKS(1) BLOCKS(2) BLOCKS(3) BLOCKS(4) BLOCKS(5) BLOCKS(6)
#if LANES == 16
BLOCKS(7) BLOCKS(8) BLOCKS(9) BLOCKS(10) BLOCKS(11) BLOCKS(12)
#define ALL(name) \
    {name##1, name##2, name##3, name##4, name##5, name##6, name##7, name##8, name##9, name##10, name##11, name##12}
#else
#define ALL(name) {name##1, name##2, name##3, name##4, name##5, name##6}
#endif

static one_block *const by_width[2][MOST] = {ALL(narrow), ALL(wide)};

/* The weight (filters, channels, area) in the order in which it is read, with zeros for filters that are none. */
EXPORT int convolution_pack(const float *weight, float *packed, size filters, size channels, size area) {
    for (size filter = 0, wide; filter < filters; filter += wide) {
        wide = filters - filter > LANES ? 2 * LANES : LANES;
        for (size place = 0; place < area; place++)
            for (size c = 0; c < channels; c++, packed += wide)
                for (size f = 0; f < wide; f++)
                    packed[f] = filter + f < filters ? weight[((filter + f) * channels + c) * area + place] : 0;
    }
    return 0;
}

/* One line of images within zeros. */
static void frame(const geometry *g, const float *x, float *to, size line, size rows, size columns) {
    size y = line % rows - g->pad_y, length = columns * g->channels, edge = g->pad_x * g->channels;
    if (y < 0 || y >= g->height) {
        memset(to, 0, sizeof(float) * length);
        return;
    }
    const float *from = x + line / rows * g->image + y * g->row;
    float *at = to + edge;
    memset(to, 0, sizeof(float) * edge);
    if (g->channel == 1 && g->pixel == g->channels) {
        memcpy(at, from, sizeof(float) * g->width * g->channels);
        at += g->width * g->channels;
    } else
        for (size column = 0; column < g->width; column++, at += g->channels)
            for (size c = 0; c < g->channels; c++) at[c] = from[column * g->pixel + c * g->channel];
    memset(at, 0, sizeof(float) * (to + length - at));
}

/* What windows that are computed together see, in numbers: it stays in a cache while all filters are applied. */
enum { TOGETHER = 1 << 16 };

EXPORT int convolution(const float *x, const float *weight, const float *bias, const float *other, float *out,
                       const float *numbers, const geometry *g, int threads) {
    size results = g->images * g->down * g->across, area = g->high * g->wide, channels = g->channels;
    size image = g->image, row = g->row, pixel = g->pixel, rows = g->height + 2 * g->pad_y;
    size columns = g->width + 2 * g->pad_x, lines = g->images * rows, framed = g->pad_y || g->pad_x || g->channel != 1;
    size *starts = malloc(sizeof(size) * (results + area) + (framed ? sizeof(float) * lines * columns * channels : 0));
    if (!starts) return 1;
    windows w = {x, starts, starts + results, area, channels};
    if (framed) {
        float *to = (float *)(w.taps + area);
        w.x = to, pixel = channels, row = columns * channels, image = rows * row;
#pragma omp parallel for num_threads(threads) if (threads > 1)
        for (size line = 0; line < lines; line++) frame(g, x, to + line * row, line, rows, columns);
    }
    size *place = starts;
    for (size i = 0; i < g->images; i++)
        for (size y = 0; y < g->down; y++)
            for (size column = 0; column < g->across; column++)
                *place++ = i * image + y * g->stride_y * row + column * g->stride_x * pixel;
    if (g->dilate_x == 1 && pixel == channels) { /* what a window sees of a line has no gaps */
        w.count = g->high, w.run = g->wide * channels;
        for (size y = 0; y < g->high; y++) *place++ = y * g->dilate_y * row;
    } else
        for (size y = 0; y < g->high; y++)
            for (size column = 0; column < g->wide; column++) *place++ = y * g->dilate_y * row + column * g->dilate_x * pixel;
    size shares = results * g->stride_y * g->stride_x * channels / TOGETHER + 1, number = (g->filters - 1) / (2 * LANES) + 1;
    if (shares * number < threads) shares = threads;
    if (shares > (results + 4 * MOST - 1) / (4 * MOST)) shares = (results + 4 * MOST - 1) / (4 * MOST);
#pragma omp parallel for collapse(2) num_threads(threads) if (threads > 1)
    for (size share = 0; share < shares; share++)
        for (size b = 0; b < number; b++) {
            size filter = b * 2 * LANES, left = g->filters - filter, at = results * share / shares;
            size first = at, last = results * (share + 1) / shares, pieces = (last - first + MOST - 1) / MOST;
            size n = left < 2 * LANES ? (left - 1) % LANES + 1 : LANES;
            const float *by = weight + filter * area * channels;
            for (size k = 1; k <= pieces; k++) { /* of about the same size */
                size end = first + (last - first) * k / pieces;
                by_width[left > LANES][end - at - 1](g, &w, at, by, bias, other, out, numbers, filter, n);
                at = end;
            }
        }
    free(starts);
    return 0;
}
