/* Random numbers as the original's: many mt19937 generators, of which the k-th draws the k-th part of an array.

   A generator is seeded when it is first used. Distributions draw word by word as GNU's C++ library does, so that the
   same words give the same numbers: no sums and products may be contracted, and logarithms are the C library's. */

#if defined(__clang__)
#pragma clang fp contract(off)
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

#include <math.h>

#include "native.h"

#define WORDS 624
#define MIDDLE 397
#define GENERATORS 1024
#define PART 64       /* numbers that are worth a generator */
#define UNSEEDED (-1) /* as a position: the words have not been made of the seed yet */

typedef struct {
    int32_t position; /* of the next word; WORDS: new ones must be made */
    uint32_t seed;
    uint32_t words[WORDS];
} generator;

INLINE uint32_t twisted(uint32_t high, uint32_t low, uint32_t other) {
    uint32_t both = (high & 0x80000000u) | (low & 0x7fffffffu);
    return other ^ (both >> 1) ^ ((0u - (low & 1u)) & 0x9908b0dfu);
}

static void renew(generator *g) {
    uint32_t *w = g->words;
    for (int i = 0; i < WORDS - MIDDLE; i++) w[i] = twisted(w[i], w[i + 1], w[i + MIDDLE]);
    for (int i = WORDS - MIDDLE; i < WORDS - 1; i++) w[i] = twisted(w[i], w[i + 1], w[i + MIDDLE - WORDS]);
    w[WORDS - 1] = twisted(w[WORDS - 1], w[0], w[MIDDLE - 1]);
    g->position = 0;
}

static void make_ready(generator *g) {
    if (g->position == UNSEEDED) {
        uint32_t word = g->words[0] = g->seed;
        for (uint32_t i = 1; i < WORDS; i++) g->words[i] = word = 1812433253u * (word ^ (word >> 30)) + i;
        g->position = WORDS;
    }
}

INLINE uint32_t tempered(uint32_t y) {
    y ^= y >> 11;
    y ^= (y << 7) & 0x9d2c5680u;
    y ^= (y << 15) & 0xefc60000u;
    return y ^ (y >> 18);
}

static void take(generator *g, uint32_t *to, size n) {
    while (n > 0) {
        if (g->position >= WORDS) renew(g);
        size some = WORDS - g->position < n ? WORDS - g->position : n;
        const uint32_t *from = g->words + g->position;
        for (size i = 0; i < some; i++) to[i] = tempered(from[i]);
        g->position += (int32_t)some;
        to += some;
        n -= some;
    }
}

INLINE uint32_t next(generator *g) {
    if (g->position >= WORDS) renew(g);
    return tempered(g->words[g->position++]);
}

/* From 0 to 1, which rounding may give. */
INLINE float single_of(uint32_t word) { return (float)word * 0x1p-32f; }
INLINE double double_of(uint32_t low, uint32_t high) { return ((double)low + (double)high * 0x1p32) * 0x1p-64; }
INLINE float next_single(generator *g) { return single_of(next(g)); }
INLINE double next_double(generator *g) {
    uint32_t low = next(g);
    return double_of(low, next(g));
}

/* ---- normal numbers: the polar method, of which one of two numbers is used ---- */

#define AT_ONCE 128

static void normals_single(generator *g, float *to, size n) {
    uint32_t words[2 * AT_ONCE];
    float xs[AT_ONCE], radii[AT_ONCE], squares[AT_ONCE], values[AT_ONCE];
    while (n > 0) {
        size tries = n < AT_ONCE ? n : AT_ONCE, found = 0;
        take(g, words, 2 * tries);
        for (size i = 0; i < tries; i++) {
            float x = 2.0f * single_of(words[2 * i]) - 1.0f, y = 2.0f * single_of(words[2 * i + 1]) - 1.0f;
            xs[i] = y;
            radii[i] = x * x + y * y;
        }
        for (size i = 0; i < tries; i++) {
            values[found] = xs[i];
            squares[found] = radii[i];
            found += radii[i] <= 1.0f && radii[i] != 0.0f;
        }
        for (size i = 0; i < found; i++) radii[i] = logf(squares[i]);
        for (size i = 0; i < found; i++) to[i] = values[i] * sqrtf(-2.0f * radii[i] / squares[i]);
        to += found;
        n -= found;
    }
}

static double normal_double(generator *g) {
    double y, square;
    do {
        double x = 2.0 * next_double(g) - 1.0;
        y = 2.0 * next_double(g) - 1.0;
        square = x * x + y * y;
    } while (square > 1.0 || square == 0.0);
    return y * sqrt(-2.0 * log(square) / square);
}

static float normal_single(generator *g) {
    float y, square;
    do {
        float x = 2.0f * next_single(g) - 1.0f;
        y = 2.0f * next_single(g) - 1.0f;
        square = x * x + y * y;
    } while (square > 1.0f || square == 0.0f);
    return y * sqrtf(-2.0f * logf(square) / square);
}

/* ---- gamma numbers by Marsaglia and Tsang, Poisson ones by products or, of large rates, by rejection ---- */

#define DEFINE_GAMMA(name, real, normal, uniform)                                                                   \
    static real name(generator *g, real alpha, real beta) {                                                         \
        real d = (real)(alpha < 1 ? (double)alpha + 2.0 / 3.0 : (double)alpha - 1.0 / 3.0);                         \
        real c = 1 / (real)sqrt(9.0 * (double)d), x, v, result;                                                     \
        double bound, u;                                                                                            \
        if (!(alpha >= 0) || isinf(alpha)) return NAN; /* no number would ever be good enough */                    \
        do {                                                                                                        \
            do {                                                                                                    \
                x = normal(g);                                                                                      \
                v = 1 + c * x;                                                                                      \
            } while (v <= 0);                                                                                       \
            v = v * v * v;                                                                                          \
            u = 1.0 - (double)uniform(g);                                                                           \
            bound = 0.5 * (double)x * (double)x + (double)d * (1.0 - (double)v + log((double)v));                   \
        } while (!(log(u) < bound));                                                                                \
        result = d * v * beta;                                                                                      \
        return alpha < 1 ? (real)((double)result * pow((double)uniform(g), (double)(real)(1.0 / (double)alpha)))    \
                         : result;                                                                                  \
    }

DEFINE_GAMMA(gamma_single, float, normal_single, next_single)
DEFINE_GAMMA(gamma_double, double, normal_double, next_double)

#define MOST_TRIES 1000

static double poisson(generator *g, float rate) {
    if (!isfinite(rate)) return NAN;
    if (rate < 12.0f) {
        float limit = (float)exp(-(double)rate), product = 1.0f;
        double count = -1.0;
        do {
            count += 1.0;
            product *= next_single(g);
        } while (product > limit);
        return count;
    }
    float width = (float)sqrt(2.0 * (double)rate), logarithm = (float)log((double)rate);
    float offset = rate * logarithm - lgammaf(rate + 1.0f), y, value, bound;
    int tries = 0;
    do {
        /* of rates so large that the bound is a matter of rounding, nothing may be accepted */
        if (++tries > MOST_TRIES) return floor((double)rate + sqrt((double)rate) * normal_double(g));
        do {
            y = (float)tan(3.14159265358979323846 * (double)next_single(g));
            value = width * y + rate;
        } while (value < 0.0f);
        value = floorf(value);
        float exponent = value * logarithm - lgammaf(value + 1.0f) - offset;
        bound = (float)(0.9 * (1.0 + (double)y * (double)y) * exp((double)exponent));
    } while (next_single(g) > bound);
    return (double)value;
}

/* ---- whole arrays ---- */

enum { UNIFORM, NORMAL, GAMMA, EXPONENTIAL, POISSON, NEGATIVE_BINOMIAL, GENERALIZED_NEGATIVE_BINOMIAL };

/* n numbers with the same parameters. wide: the parameters are float64, and so is arithmetic with them. */
static void draw_single(generator *g, int kind, float *to, size n, double a, double b, int wide) {
    uint32_t words[AT_ONCE];
    float low = (float)a, width = (float)b - (float)a, scale = (float)b;
    switch (kind) {
    case UNIFORM:
        for (size done = 0; done < n; done += AT_ONCE) {
            size some = n - done < AT_ONCE ? n - done : AT_ONCE;
            take(g, words, some);
            if (wide)
                for (size i = 0; i < some; i++) to[done + i] = (float)((double)single_of(words[i]) * (b - a) + a);
            else
                for (size i = 0; i < some; i++) to[done + i] = single_of(words[i]) * width + low;
        }
        break;
    case NORMAL:
        normals_single(g, to, n);
        if (wide)
            for (size i = 0; i < n; i++) to[i] = (float)((double)to[i] * b + a);
        else
            for (size i = 0; i < n; i++) to[i] = to[i] * scale + low;
        break;
    case EXPONENTIAL:
        for (size i = 0; i < n; i++) to[i] = (float)(-log(1.0 - (double)next_single(g)) / a);
        break;
    default:
        for (size i = 0; i < n; i++) to[i] = gamma_single(g, low, scale);
    }
}

static void draw_double(generator *g, int kind, double *to, size n, double a, double b, int wide) {
    double width = wide ? b - a : (double)((float)b - (float)a);
    switch (kind) {
    case UNIFORM:
        for (size i = 0; i < n; i++) to[i] = next_double(g) * width + a;
        break;
    case NORMAL:
        for (size i = 0; i < n; i++) to[i] = normal_double(g) * b + a;
        break;
    case EXPONENTIAL:
        for (size i = 0; i < n; i++) to[i] = -log(1.0 - next_double(g)) / a;
        break;
    default:
        for (size i = 0; i < n; i++) to[i] = gamma_double(g, a, b);
    }
}

/* Counts are drawn in single precision, whatever the type that they are wanted in. */
INLINE double draw_count(generator *g, int kind, double a, double b) {
    float x = (float)a, y = (float)b;
    if (kind == NEGATIVE_BINOMIAL) x = gamma_single(g, x, (1.0f - y) / y);
    else if (kind == GENERALIZED_NEGATIVE_BINOMIAL && y != 0.0f) x = gamma_single(g, 1.0f / y, y * x);
    return poisson(g, x);
}

static void draw_some(generator *g, int kind, void *to, int is_double, size n, double a, double b, int wide) {
    if (kind >= POISSON)
        for (size i = 0; i < n; i++) {
            double count = draw_count(g, kind, a, b);
            if (is_double) ((double *)to)[i] = count;
            else ((float *)to)[i] = (float)count;
        }
    else if (is_double) draw_double(g, kind, to, n, a, b, wide);
    else draw_single(g, kind, to, n, a, b, wide);
}

INLINE size parts_of(size n) {
    size parts = (n + PART - 1) / PART;
    return parts < GENERATORS ? parts : GENERATORS;
}

/* The generator of part k of n numbers, and which numbers these are. */
INLINE generator *part(int32_t *states, size k, size n, size *first, size *last) {
    size step = (n + parts_of(n) - 1) / parts_of(n);
    generator *g = (generator *)states + k;
    *first = k * step < n ? k * step : n;
    *last = *first + step < n ? *first + step : n;
    make_ready(g);
    return g;
}

/* n numbers, each `each` of them with parameters of their own. */
EXPORT int random_draw(int32_t *states, int kind, void *to, int is_double, size n, const double *a, const double *b,
                       size each, int wide, int threads) {
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size k = 0; k < parts_of(n); k++) {
        size first, last;
        generator *g = part(states, k, n, &first, &last);
        for (size at = first; at < last;) {
            size parameter = at / each, end = (parameter + 1) * each;
            if (end > last) end = last;
            char *place = (char *)to + at * (is_double ? sizeof(double) : sizeof(float));
            draw_some(g, kind, place, is_double, end - at, a[parameter], b ? b[parameter] : 0.0, wide);
            at = end;
        }
    }
    return 0;
}

/* Integers from low on, `range` of them (0: all 2^64). */
EXPORT int random_integers(int32_t *states, void *to, int is_long, size n, int64_t low, int64_t range, int threads) {
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size k = 0; k < parts_of(n); k++) {
        size first, last;
        generator *g = part(states, k, n, &first, &last);
        for (size i = first; i < last; i++) {
            uint64_t high = next(g), word = (high << 31) + next(g);
            uint64_t value = (uint64_t)low + (range ? word % (uint64_t)range : word);
            if (is_long) ((int64_t *)to)[i] = (int64_t)value;
            else ((int32_t *)to)[i] = (int32_t)value;
        }
    }
    return 0;
}

/* For each number: is a uniform one less than keep? Then scale, else 0. twice: the uniform one is of two words. */
EXPORT int random_mask(int32_t *states, float *to, size n, double keep, double scale, int twice, int threads) {
    float kept = (float)scale;
    uint64_t low = 0, limit = (uint64_t)1 << 32; /* the first word whose number is not less than keep */
    while (low < limit) {
        uint64_t middle = (low + limit) / 2;
        if ((double)single_of((uint32_t)middle) < keep) low = middle + 1;
        else limit = middle;
    }
#pragma omp parallel for num_threads(threads) if (threads > 1)
    for (size k = 0; k < parts_of(n); k++) {
        size first, last;
        generator *g = part(states, k, n, &first, &last);
        if (twice)
            for (size i = first; i < last; i++) to[i] = next_double(g) < keep ? kept : 0.0f;
        else {
            uint32_t words[AT_ONCE], last_kept = (uint32_t)(limit - 1);
            for (size done = first; done < last; done += AT_ONCE) {
                size some = last - done < AT_ONCE ? last - done : AT_ONCE;
                take(g, words, some);
                if (limit)
                    for (size i = 0; i < some; i++) to[done + i] = words[i] <= last_kept ? kept : 0.0f;
                else
                    for (size i = 0; i < some; i++) to[done + i] = 0.0f;
            }
        }
    }
    return 0;
}

/* The next n words of generator k. */
EXPORT int random_words(int32_t *states, int k, int32_t *to, size n) {
    generator *g = (generator *)states + k;
    make_ready(g);
    take(g, (uint32_t *)to, n);
    return 0;
}

/* Normal numbers two by two, of each point in the unit circle both. */
static void normal_pairs(generator *g, float *to, size n) {
    uint32_t words[2 * AT_ONCE];
    float xs[AT_ONCE], ys[AT_ONCE], squares[AT_ONCE];
    while (n > 0) {
        size points = (n + 1) / 2, tries = points < AT_ONCE ? points : AT_ONCE, found = 0;
        take(g, words, 2 * tries);
        for (size i = 0; i < tries; i++) {
            float x = 2.0f * single_of(words[2 * i]) - 1.0f, y = 2.0f * single_of(words[2 * i + 1]) - 1.0f;
            float square = x * x + y * y;
            xs[found] = x;
            ys[found] = y;
            squares[found] = square;
            found += square <= 1.0f && square != 0.0f;
        }
        for (size i = 0; i < found; i++) {
            float scale = sqrtf(-2.0f * logf(squares[i]) / squares[i]);
            *to++ = ys[i] * scale;
            if (--n == 0) break;
            *to++ = xs[i] * scale;
            n--;
        }
    }
}

/* The next n numbers of generator k, in float32 or float64: uniform ones from a to b, or normal ones with mean a and
   deviation b, which in float32 come two by two. */
EXPORT int random_series(int32_t *states, int k, int normal, void *to, int is_double, size n, double a, double b) {
    generator *g = (generator *)states + k;
    make_ready(g);
    if (is_double) draw_double(g, normal ? NORMAL : UNIFORM, to, n, a, b, 1);
    else if (normal) {
        float *numbers = to, loc = (float)a, scale = (float)b;
        normal_pairs(g, numbers, n);
        for (size i = 0; i < n; i++) numbers[i] = numbers[i] * scale + loc;
    } else draw_single(g, UNIFORM, to, n, a, b, 0);
    return 0;
}

/* Puts n indices into random order by generator k: each place, from the second on or from the last, is exchanged with
   one before it, or stays. A word beyond the last whole multiple of the number of places is passed over. */
EXPORT int random_order(int32_t *states, int k, int64_t *order, size n, int forward) {
    generator *g = (generator *)states + k;
    make_ready(g);
    for (size i = 0; i < n; i++) order[i] = i;
    for (size step = 1; step < n; step++) {
        size place = forward ? step : n - step;
        uint32_t places = (uint32_t)(place + 1), width = UINT32_MAX / places, word;
        do word = next(g);
        while (word >= width * places);
        size other = word / width;
        int64_t kept = order[place];
        order[place] = order[other];
        order[other] = kept;
    }
    return 0;
}
