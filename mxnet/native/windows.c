/* What is done to each channel of images alone, windows of pixels at a time, for prediction: depthwise convolutions and
   pooling. The channels are last, and there are at least LANES of them: the last vector may have some that were in the
   one before, too. Windows are cut where the image ends. */

#include "activation.h"

/* In the order of what Python gives; `image`, `row` and `pixel` are strides of the data. */
typedef struct {
    size images, height, width, channels, high, wide, stride_y, stride_x, pad_y, pad_x, dilate_y, dilate_x;
    size down, across, image, row, pixel, kind, activation;
} geometry;

/* The average of WHOLE windows counts their padding. */
enum { DEPTHWISE, MAX, AVERAGE, WHOLE };

/* What a window has inside of the image: places in it from `top` to `bottom` and from `left` to `right`. */
typedef struct {
    size top, bottom, left, right, count;
} inside;

/* `pixels` windows side by side, of a vector of channels; `x` is where the first window would begin. */
INLINE void window(const geometry *g, const float *x, const inside *in, const float *weight, const float *bias,
                   float *out, const float *numbers, size c, const int pixels, const int kind) {
    vector sum[8], start = {0};
    if (kind == DEPTHWISE && bias) start = load(bias + c, LANES);
    if (kind == MAX) start -= __builtin_inff();
    size step = g->stride_x * g->pixel;
#pragma GCC unroll 8
    for (int i = 0; i < pixels; i++) sum[i] = start;
    for (size y = in->top; y < in->bottom; y++) {
        const float *from = x + y * g->dilate_y * g->row + in->left * g->dilate_x * g->pixel + c;
        const float *by = weight + (y * g->wide + in->left) * g->channels + c;
        for (size k = in->left; k < in->right; k++, from += g->dilate_x * g->pixel, by += g->channels) {
            vector factor = {0};
            if (kind == DEPTHWISE) factor = load(by, LANES);
#pragma GCC unroll 8
            for (int i = 0; i < pixels; i++) {
                vector pixel = load(from + i * step, LANES);
                if (kind == MAX) {
                    mask better = (pixel > sum[i]) | (pixel != pixel);
                    sum[i] = (vector)((better & (mask)pixel) | (~better & (mask)sum[i]));
                } else
                    sum[i] += kind == DEPTHWISE ? pixel * factor : pixel;
            }
        }
    }
#pragma GCC unroll 8
    for (int i = 0; i < pixels; i++) {
        if (kind == AVERAGE) sum[i] /= (float)in->count;
        if (kind == DEPTHWISE) sum[i] = activated(sum[i], g->activation, numbers);
        store(sum[i], out + i * g->channels + c, LANES);
    }
}

typedef void channels(const geometry *, const float *x, const inside *, const float *weight, const float *bias,
                      float *out, const float *numbers);

#define DEFINE(name, pixels, kind) \
    static __attribute__((noinline)) void name##pixels(const geometry *g, const float *x, const inside *in, \
        const float *weight, const float *bias, float *out, const float *numbers) { \
        for (size c = 0; c < g->channels; c = next_channels(c, g->channels)) \
            window(g, x, in, weight, bias, out, numbers, c, pixels, kind); \
    }
#define ALL(name, kind) DEFINE(name, 1, kind) DEFINE(name, 2, kind) DEFINE(name, 4, kind) DEFINE(name, 8, kind)
ALL(deep, DEPTHWISE)
ALL(max, MAX)
ALL(average, AVERAGE)

static channels *const by_kind[3][4] = {
    {deep1, deep2, deep4, deep8}, {max1, max2, max4, max8}, {average1, average2, average4, average8}};

/* The places of a window that begins at `start` which are within so many pixels. */
INLINE void cut(size start, size places, size dilate, size pixels, size *first, size *last) {
    *first = start < 0 ? (-start + dilate - 1) / dilate : 0;
    size end = (pixels - start + dilate - 1) / dilate;
    *last = end < places ? end : places;
}

INLINE size counted(size start, size places, size end) { return start + places < end ? places : end - start; }

/* `other` is not used: such kernels take the same arguments as `convolution`. */
EXPORT int windows_of_channels(const float *x, const float *weight, const float *bias, const float *other, float *out,
                               const float *numbers, const geometry *g, int threads) {
    (void)other;
    channels *const *functions = by_kind[g->kind < AVERAGE ? g->kind : AVERAGE];
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size line = 0; line < g->images * g->down; line++) {
        inside in;
        size y = line % g->down * g->stride_y - g->pad_y, run;
        cut(y, g->high, g->dilate_y, g->height, &in.top, &in.bottom);
        const float *from = x + line / g->down * g->image + y * g->row;
        float *to = out + line * g->across * g->channels;
        for (size column = 0; column < g->across; column += run, to += run * g->channels) {
            size start = column * g->stride_x - g->pad_x, reach = (g->wide - 1) * g->dilate_x;
            cut(start, g->wide, g->dilate_x, g->width, &in.left, &in.right);
            int power = 0; /* as many windows are alike as have nothing cut off */
            if (start >= 0)
                while (power < 3 && column + (2 << power) <= g->across &&
                       start + ((2 << power) - 1) * g->stride_x + reach < g->width) power++;
            in.count = g->kind == WHOLE ? counted(y, g->high, g->height + g->pad_y) * counted(start, g->wide, g->width + g->pad_x)
                                        : (in.bottom - in.top) * (in.right - in.left);
            functions[power](g, from + start * g->pixel, &in, weight, bias, to, numbers);
            run = 1 << power;
        }
    }
    return 0;
}
