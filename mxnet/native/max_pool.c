/* Max pooling with windows side by side, of rows of channels (channels_last images). Of each result one byte is kept:
   the place in its window that it came from. So backward writes all numbers once, and need not clear them before.

   There are at least LANES channels. The last vector of them may have some that were in the one before, too. */

#include "native.h"

typedef uint8_t bytes __attribute__((vector_size(LANES)));

/* The largest of the pixels of a window for a vector of channels, and from where. */
INLINE void largest(const float *window, size line, size channels, float *out, uint8_t *places, size high, size wide) {
    vector best = load(window, LANES);
    mask where = {0};
    int32_t place = 0;
    for (size i = 0; i < high; i++)
        for (size k = 0; k < wide; k++, place++) {
            vector pixel = load(window + i * line + k * channels, LANES);
            mask better = (pixel > best) | (pixel != pixel);
            best = (vector)((better & (mask)pixel) | (~better & (mask)best));
            where = (better & place) | (~better & where);
        }
    store(best, out, LANES);
    bytes from = __builtin_convertvector(where, bytes);
    memcpy(places, &from, LANES);
}

/* Windows of high x wide pixels; at the end of a row or an image there may be pixels that are in none. */
EXPORT int max_pool_forward(const float *x, float *out, uint8_t *places, size images, size height, size width,
                            size channels, size high, size wide, int threads) {
    size down = height / high, across = width / wide, line = width * channels;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size row = 0; row < images * down; row++) {
        const float *window = x + (row / down * height + row % down * high) * line;
        size to = row * across * channels;
        for (size column = 0; column < across; column++, window += wide * channels, to += channels)
            for (size c = 0; c < channels; c = next_channels(c, channels))
                largest(window + c, line, channels, out + to + c, places + to + c, high, wide);
    }
    return 0;
}

EXPORT int max_pool_backward(const float *grad, const uint8_t *places, float *by_x, size images, size height,
                             size width, size channels, size high, size wide, int threads) {
    size down = height / high, across = width / wide;
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size line = 0; line < images * height; line++) {
        size y = line % height, from = (line / height * down + y / high) * across * channels;
        float *to = by_x + line * width * channels, *end = to + width * channels;
        for (size column = 0; y / high < down && column < across; column++, from += channels)
            for (size k = 0; k < wide; k++, to += channels)
                for (size c = 0; c < channels; c = next_channels(c, channels)) {
                    bytes found;
                    memcpy(&found, places + from + c, LANES);
                    mask here = __builtin_convertvector(found, mask) == (int32_t)(y % high * wide + k);
                    store((vector)((mask)load(grad + from + c, LANES) & here), to + c, LANES);
                }
        memset(to, 0, (char *)end - (char *)to);
    }
    return 0;
}
