/* Whether numbers lie within bounds: by it operators tell that a sum of squares has overflowed. */

#include "native.h"

/* 1 if a number is below the first bound, above the second, or none at all. */
EXPORT int leaves_range(const float *x, size n, const float *bounds) {
    float low = bounds[0], high = bounds[1];
    size within = 0;
    for (size i = 0; i < n; i++) within += (x[i] >= low) & (x[i] <= high);
    return within != n;
}
