#ifndef MXNEXT_ACTIVATION_H
#define MXNEXT_ACTIVATION_H

#include "native.h"

/* Activations of fused kernels, in the order that Python knows. `numbers` are the slope, or the bounds. */
enum { NONE, RELU, LEAKY, CLIP };

INLINE vector activated(vector v, size kind, const float *numbers) {
    mask negative = v < 0;
    if (kind == RELU) return (vector)((mask)v & ~negative); /* keeps NaN */
    if (kind == LEAKY) return (vector)((negative & (mask)(v * numbers[0])) | (~negative & (mask)v));
    if (kind == CLIP) {
        vector none = {0}, low = none + numbers[0], high = none + numbers[1];
        mask below = v < numbers[0];
        v = (vector)((below & (mask)low) | (~below & (mask)v));
        mask above = v > numbers[1];
        return (vector)((above & (mask)high) | (~above & (mask)v));
    }
    return v;
}

#endif
