/* Convolutions and products of 8-bit integers: exact sums of 32 bits, and what they become in 8 bits.

   Images have their channels last. What a filter meets of an image lies in runs without gaps: a row of the filter, or
   one pixel where there are groups or dilations. A run is taken in steps of four bytes, which vectors of filters are
   multiplied with: four numbers of 8 bits (VNNI) or two of 16 bits, whose sums do not overflow. */

#include "native.h"

#include <stdlib.h>

#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off")
#endif

/* A geometry as Python passes it; `in` and `out` are the channels of a group, `joined`: the runs are rows of filters. */
struct geometry {
    size images, height, width, channels, groups, in, out, kernel[2], stride[2], pad[2], dilate[2], rows, columns;
    size joined;
};

/* What becomes of sums: those of 32 bits, or in 8 bits (sums * scale + other * step) within bounds. */
struct finish {
    const float *scale;
    const uint8_t *other;
    float step, least, most, none; /* `none` is what becomes of what is no number */
    int other_signed, kind; /* 4: 32 bits, 1: uint8, -1: int8 */
    void *out;
};

/* What weights are: bytes, pairs of numbers of 16 bits, or a number of 32 bits for each channel that has its filter. */
enum { BYTES = 1, PAIRS = 2, CHANNELS = 4 };

#if defined(__AVX2__)

#include <immintrin.h>

#if defined(__AVX512F__)
typedef __m512i ints;
#define SPREAD(p, v) _mm512_set1_epi32(*(const unaligned *)(p))
#define UNSIGNED(p) _mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i_u *)(p)))
#define SIGNED(p) _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i_u *)(p)))
#define LOAD(p) _mm512_loadu_si512(p)
#define STORE(p, v) _mm512_storeu_si512(p, v)
#define ADD_WORDS(sum, data, weight) _mm512_add_epi32(sum, _mm512_madd_epi16(data, weight))
#define ADD_BYTES(sum, data, weight) _mm512_dpbusd_epi32(sum, data, weight)
#define DOT_PRODUCTS "avx512vnni"
#else
typedef __m256i ints;
#define SPREAD(p, v) _mm256_set1_epi32(*(const unaligned *)(p))
#define UNSIGNED(p) _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i_u *)(p)))
#define SIGNED(p) _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i_u *)(p)))
#define LOAD(p) _mm256_loadu_si256((const __m256i_u *)(p))
#define STORE(p, v) _mm256_storeu_si256((__m256i_u *)(p), v)
#define ADD_WORDS(sum, data, weight) _mm256_add_epi32(sum, _mm256_madd_epi16(data, weight))
#define ADD_BYTES(sum, data, weight) _mm256_dpbusd_avx_epi32(sum, data, weight)
#define DOT_PRODUCTS "avxvnni"
#endif
#define UNSIGNED_AT(p, v) UNSIGNED((p) + (v) * LANES)
#define SIGNED_AT(p, v) SIGNED((p) + (v) * LANES)
#define VECTOR (4 * LANES)
#define UNROLL _Pragma("GCC unroll 16")
/* Pixels and vectors of filters of a tile: their sums, a vector of data and those of weights fill the registers. */
#define PIXELS 6
#define VECTORS (LANES == 16 ? 4 : 2)
/* Bytes of images that a task takes at once: what a second cache holds beside the weights. */
#define TASK 196608
/* How far the last vector may be read beyond copied data. */
#define SLACK 64
/* Bytes of weights that stay near while all of them meet a few pixels. */
#define FEW 65536
/* How many pixels ahead memory for results is asked for. */
#define AHEAD (2 * PIXELS)

/* Where a pixel's first filter is read, and where its results are written. */
struct pixel {
    size from, to;
};

typedef int32_t unaligned __attribute__((aligned(1), may_alias));
typedef void tile(const uint8_t *, const struct pixel *, const size *, size, size, const uint8_t *, const int32_t *,
                  int32_t *);

#define TILE(NAME, TARGET, DATA, DOT, P, V)                                                                            \
    TARGET static void NAME##_##P##_##V(const uint8_t *data, const struct pixel *pixels, const size *places,           \
                                        size runs, size steps, const uint8_t *w, const int32_t *start, int32_t *to) {  \
        ints sum[P][V];                                                                                                \
        UNROLL for (int p = 0; p < P; p++) UNROLL for (int v = 0; v < V; v++) sum[p][v] = LOAD(start + v * LANES);     \
        for (size run = 0; run < runs; run++) {                                                                        \
            const uint8_t *from[P];                                                                                    \
            UNROLL for (int p = 0; p < P; p++) from[p] = data + pixels[p].from + places[run];                          \
            for (size step = 0; step < 4 * steps; step += 4, w += V * VECTOR) {                                        \
                ints weight[V];                                                                                        \
                UNROLL for (int v = 0; v < V; v++) weight[v] = LOAD(w + v * VECTOR);                                   \
                UNROLL for (int p = 0; p < P; p++)                                                                     \
                    UNROLL for (int v = 0; v < V; v++) sum[p][v] = DOT(sum[p][v], DATA(from[p] + step, v), weight[v]); \
            }                                                                                                          \
        }                                                                                                              \
        UNROLL for (int p = 0; p < P; p++)                                                                             \
            UNROLL for (int v = 0; v < V; v++) STORE(to + (p * V + v) * LANES, sum[p][v]);                             \
    }
#define TILES(NAME, TARGET, DATA, DOT, V)                                                                              \
    TILE(NAME, TARGET, DATA, DOT, 1, V) TILE(NAME, TARGET, DATA, DOT, 2, V) TILE(NAME, TARGET, DATA, DOT, 3, V)        \
    TILE(NAME, TARGET, DATA, DOT, 4, V) TILE(NAME, TARGET, DATA, DOT, 5, V) TILE(NAME, TARGET, DATA, DOT, 6, V)
#define OF(NAME, V) {NAME##_1_##V, NAME##_2_##V, NAME##_3_##V, NAME##_4_##V, NAME##_5_##V, NAME##_6_##V}
#if LANES == 16
#define ALL_TILES(NAME, TARGET, DATA, DOT)                                                                             \
    TILES(NAME, TARGET, DATA, DOT, 1) TILES(NAME, TARGET, DATA, DOT, 2) TILES(NAME, TARGET, DATA, DOT, 3)              \
    TILES(NAME, TARGET, DATA, DOT, 4)                                                                                  \
    static tile *const NAME[VECTORS][PIXELS] = {OF(NAME, 1), OF(NAME, 2), OF(NAME, 3), OF(NAME, 4)};
#else
#define ALL_TILES(NAME, TARGET, DATA, DOT)                                                                             \
    TILES(NAME, TARGET, DATA, DOT, 1) TILES(NAME, TARGET, DATA, DOT, 2)                                                \
    static tile *const NAME[VECTORS][PIXELS] = {OF(NAME, 1), OF(NAME, 2)};
#endif

ALL_TILES(words, , SPREAD, ADD_WORDS)
/* A filter for each channel: numbers of 32 bits, of which only the lower halves count. */
ALL_TILES(unsigned_channels, , UNSIGNED_AT, ADD_WORDS)
ALL_TILES(signed_channels, , SIGNED_AT, ADD_WORDS)

#if LANES == 16 || __GNUC__ >= 12
#define HAS_BYTES
ALL_TILES(bytes, __attribute__((target(DOT_PRODUCTS))), SPREAD, ADD_BYTES)
#endif

#if LANES == 16
typedef __m512 reals;
#define REAL(v) _mm512_set1_ps(v)
#define REALS(p) _mm512_loadu_ps(p)
#define TO_REAL(v) _mm512_cvtepi32_ps(v)
#define TIMES(a, b) _mm512_mul_ps(a, b)
#define PLUS(a, b) _mm512_add_ps(a, b)
/* The second where the first is no number. */
#define OR_ELSE(a, b) _mm512_mask_blend_ps(_mm512_cmp_ps_mask(a, a, _CMP_UNORD_Q), a, b)
#define WITHIN(v, low, high) _mm512_min_ps(_mm512_max_ps(v, low), high)
#define STORE_BYTES(p, v) _mm_storeu_si128((__m128i_u *)(p), _mm512_cvtepi32_epi8(_mm512_cvtps_epi32(v)))
#else
typedef __m256 reals;
#define REAL(v) _mm256_set1_ps(v)
#define REALS(p) _mm256_loadu_ps(p)
#define TO_REAL(v) _mm256_cvtepi32_ps(v)
#define TIMES(a, b) _mm256_mul_ps(a, b)
#define PLUS(a, b) _mm256_add_ps(a, b)
#define OR_ELSE(a, b) _mm256_blendv_ps(a, b, _mm256_cmp_ps(a, a, _CMP_UNORD_Q))
#define WITHIN(v, low, high) _mm256_min_ps(_mm256_max_ps(v, low), high)
#define STORE_BYTES(p, v) store_bytes(p, _mm256_cvtps_epi32(v))

/* The lowest byte of each. */
INLINE void store_bytes(uint8_t *p, __m256i v) {
    const __m256i lowest = _mm256_setr_epi8(0, 4, 8, 12, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 0, 4, 8, 12,
                                            -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
    v = _mm256_shuffle_epi8(v, lowest);
    _mm_storel_epi64((__m128i_u *)p,
                     _mm_unpacklo_epi32(_mm256_castsi256_si128(v), _mm256_extracti128_si256(v, 1)));
}
#endif

/* A vector of sums in 8 bits: rounded to the nearest, ties to the even one; what is no number is `none`. */
INLINE void finish_vector(const int32_t *sum, const float *scale, const uint8_t *other, int other_signed, reals step,
                          reals least, reals most, reals none, uint8_t *to) {
    reals v = TIMES(TO_REAL(LOAD(sum)), REALS(scale));
    if (other) v = PLUS(v, TIMES(TO_REAL(other_signed ? SIGNED(other) : UNSIGNED(other)), step));
    STORE_BYTES(to, WITHIN(OR_ELSE(v, none), least, most));
}

INLINE void finish_vectors(const struct finish *f, const int32_t *sum, size count, const uint8_t *other,
                           int other_signed, uint8_t *to, const float *scale) {
    const reals step = REAL(f->step), least = REAL(f->least), most = REAL(f->most), none = REAL(f->none);
    size i = 0;
    for (; i + LANES <= count; i += LANES)
        finish_vector(sum + i, scale + i, other ? other + i : NULL, other_signed, step, least, most, none, to + i);
    if (i < count) {
        uint8_t more[LANES] = {0}, found[LANES];
        float scales[LANES] = {0};
        if (other) memcpy(more, other + i, count - i);
        memcpy(scales, scale + i, sizeof(float) * (count - i));
        finish_vector(sum + i, scales, other ? more : NULL, other_signed, step, least, most, none, found);
        memcpy(to + i, found, count - i);
    }
}

/* `count` sums of a pixel, whose results begin at `at`, for filters from `filter` on. */
static void finish_row(const struct finish *f, const int32_t *sum, size count, size at, size filter) {
    if (f->kind == 4) {
        memcpy((int32_t *)f->out + at, sum, sizeof(int32_t) * count);
        return;
    }
    uint8_t *to = (uint8_t *)f->out + at;
    const float *scale = f->scale + filter;
    if (!f->other) finish_vectors(f, sum, count, NULL, 0, to, scale);
    else if (f->other_signed) finish_vectors(f, sum, count, f->other + at, 1, to, scale);
    else finish_vectors(f, sum, count, f->other + at, 0, to, scale);
}

/* How the work is cut: a task has some images, or some rows of one, and some blocks of filters of each group. */
struct plan {
    struct geometry g;
    int form, is_signed, zero, copied;
    size bytes, images, rows, bands, blocks, parts, places, steps, scratch;
    size row_bytes, image_bytes, pixel_bytes; /* from one to the next in what is read */
};

static size at_least_one(size n) { return n < 1 ? 1 : n; }
static size least_of(size a, size b) { return a < b ? a : b; }

static struct plan plan_of(const struct geometry *g, int form, int is_signed, int threads) {
    struct plan p = {.g = *g, .form = form, .is_signed = is_signed, .bytes = form == PAIRS ? 2 : 1};
    const size tall = g->height + 2 * g->pad[0], wide = g->width + 2 * g->pad[1];
    const size run = form == CHANNELS ? 4 : (g->joined ? g->kernel[1] : 1) * g->in * p.bytes;
    p.zero = form == BYTES && is_signed ? 128 : 0;
    p.places = g->kernel[0] * (g->joined ? 1 : g->kernel[1]);
    p.steps = (run + 3) / 4;
    /* The last step of a run, or the last vector of channels, must not go beyond the data. */
    p.copied = form == PAIRS || p.zero || g->pad[0] || g->pad[1] || (form == CHANNELS ? g->out % LANES : run % 4);
    p.pixel_bytes = g->channels * p.bytes;
    p.row_bytes = p.pixel_bytes * (p.copied ? wide : g->width);
    p.image_bytes = p.row_bytes * (p.copied ? tall : g->height);
    p.images = p.image_bytes > TASK ? 1 : least_of(at_least_one(TASK / at_least_one(p.image_bytes)), g->images);
    p.rows = g->rows;
    if (p.image_bytes > TASK)
        p.rows = least_of(at_least_one(TASK / at_least_one(p.row_bytes * g->stride[0])), g->rows);
    p.blocks = (g->out + VECTORS * LANES - 1) / (VECTORS * LANES);
    size tasks = (g->images + p.images - 1) / p.images * ((g->rows + p.rows - 1) / p.rows);
    p.parts = 1;
    if (threads > 1 && tasks < 4 * threads) { /* smaller ones, for all threads to have some */
        size wanted = (4 * threads + tasks - 1) / tasks, apart = least_of(p.images, wanted);
        p.images = (p.images + apart - 1) / apart;
        p.parts = least_of(p.blocks, (wanted + apart - 1) / apart);
        size more = (wanted + apart * p.parts - 1) / (apart * p.parts);
        p.rows = at_least_one((p.rows + more - 1) / more);
    }
    p.bands = (g->rows + p.rows - 1) / p.rows;
    size high = p.rows < g->rows ? (p.rows - 1) * g->stride[0] + (g->kernel[0] - 1) * g->dilate[0] + 1 : tall;
    p.scratch = p.copied ? p.images * high * p.row_bytes + SLACK : 0;
    return p;
}

/* Rows of images, with their padding, as the products take them. */
static void copy_rows(const struct plan *p, const uint8_t *data, size image, size images, size first, size high,
                      uint8_t *to) {
    const struct geometry *g = &p->g;
    const size numbers = g->width * g->channels, side = g->pad[1] * p->pixel_bytes;
    for (size i = 0; i < images; i++)
        for (size row = first; row < first + high; row++, to += p->row_bytes) {
            const size y = row - g->pad[0];
            if (y < 0 || y >= g->height) {
                memset(to, p->zero, p->row_bytes);
                continue;
            }
            const uint8_t *from = data + ((image + i) * g->height + y) * numbers;
            uint8_t *restrict middle = to + side;
            int16_t *restrict words = (int16_t *)middle;
            memset(to, p->zero, side);
            memset(middle + numbers * p->bytes, p->zero, side);
            if (p->bytes == 1 && !p->zero) memcpy(middle, from, numbers);
            else if (p->bytes == 1) for (size k = 0; k < numbers; k++) middle[k] = from[k] ^ 128;
            else if (p->is_signed) for (size k = 0; k < numbers; k++) words[k] = (int8_t)from[k];
            else for (size k = 0; k < numbers; k++) words[k] = from[k];
        }
    memset(to, 0, SLACK);
}

INLINE tile *sum_of(const struct plan *p, size vectors, size pixels) {
    if (p->form == CHANNELS) return (p->is_signed ? signed_channels : unsigned_channels)[vectors - 1][pixels - 1];
#if defined(HAS_BYTES)
    if (p->form == BYTES) return bytes[vectors - 1][pixels - 1];
#endif
    return words[vectors - 1][pixels - 1];
}

/* The blocks of filters from `block` to `end` of a group, for pixels that are read from `from` on. */
static void run_group(const struct plan *p, const uint8_t *from, const uint8_t *weight, const int32_t *start,
                      const struct finish *f, size group, size block, size end, const size *places,
                      const struct pixel *pixels, size count) {
    const struct geometry *g = &p->g;
    const size lanes = (g->out + LANES - 1) / LANES, filter_bytes = p->places * p->steps * VECTOR;
    const size width = f->kind == 4 ? 4 : 1;
    /* Few weights: all of them for some pixels, so that results are written one after the other. */
    const size chunk = (end - block) * VECTORS * filter_bytes <= FEW ? PIXELS : count;
    int32_t found[PIXELS * VECTORS * LANES] __attribute__((aligned(64)));
    from += group * g->in * p->bytes;
    for (size chunk_of = 0; chunk_of < count; chunk_of += chunk)
        for (size b = block; b < end; b++) {
            const size lane = b * VECTORS, vectors = least_of(VECTORS, lanes - lane);
            const size own = lane * LANES, filters = least_of(vectors * LANES, g->out - own);
            const size filter = group * g->out + own;
            const uint8_t *w = weight + (group * lanes + lane) * filter_bytes;
            const int32_t *begin = start + group * lanes * LANES + own;
            const uint8_t *data = from + (p->form == CHANNELS ? own : 0);
            for (size i = chunk_of; i < least_of(count, chunk_of + chunk); i += PIXELS) {
                const size some = least_of(PIXELS, count - i);
                for (size ahead = i + AHEAD; ahead < least_of(count, i + AHEAD + PIXELS); ahead++) {
                    __builtin_prefetch((uint8_t *)f->out + (pixels[ahead].to + filter) * width, 1);
                    if (f->other) __builtin_prefetch(f->other + pixels[ahead].to + filter);
                }
                sum_of(p, vectors, some)(data, pixels + i, places, p->places, p->steps, w, begin, found);
                for (size k = 0; k < some; k++)
                    finish_row(f, found + k * vectors * LANES, filters, pixels[i + k].to + filter, filter);
            }
        }
}

/* One task, with memory of its own. */
static void run_task(const struct plan *p, const uint8_t *data, const uint8_t *weight, const int32_t *start,
                     const struct finish *f, size task, uint8_t *scratch, size *places, struct pixel *pixels) {
    const struct geometry *g = &p->g;
    const size part = task % p->parts, rest = task / p->parts, taps = p->places / g->kernel[0];
    const size first = rest % p->bands * p->rows, rows = least_of(p->rows, g->rows - first);
    const size image = rest / p->bands * p->images, images = least_of(p->images, g->images - image);
    const size top = first * g->stride[0], high = (rows - 1) * g->stride[0] + (g->kernel[0] - 1) * g->dilate[0] + 1;
    const size image_bytes = p->copied ? high * p->row_bytes : p->image_bytes, count = images * rows * g->columns;
    if (p->copied) copy_rows(p, data, image, images, top, high, scratch);
    for (size run = 0; run < p->places; run++)
        places[run] = run / taps * g->dilate[0] * p->row_bytes + run % taps * g->dilate[1] * p->pixel_bytes;
    for (size i = 0, column = 0, row = 0, one = 0; i < count; i++) {
        pixels[i].from = one * image_bytes + row * g->stride[0] * p->row_bytes + column * g->stride[1] * p->pixel_bytes;
        pixels[i].to = (((image + one) * g->rows + first + row) * g->columns + column) * g->groups * g->out;
        if (++column == g->columns) {
            column = 0;
            if (++row == rows) row = 0, one++;
        }
    }
    const uint8_t *from = p->copied ? scratch : data + image * p->image_bytes + top * p->row_bytes;
    for (size group = 0; group < g->groups; group++)
        run_group(p, from, weight, start, f, group, p->blocks * part / p->parts, p->blocks * (part + 1) / p->parts,
                  places, pixels, count);
}

static int convolve(const uint8_t *data, int is_signed, int form, const uint8_t *weight, const int32_t *start,
                    const struct finish *f, const struct geometry *g, int threads) {
    const struct plan p = plan_of(g, form, is_signed, threads);
    const size tasks = (g->images + p.images - 1) / p.images * p.bands * p.parts;
    int failed = 0;
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        uint8_t *scratch = p.copied ? malloc(p.scratch) : NULL;
        size *places = malloc(sizeof(size) * p.places);
        struct pixel *pixels = malloc(sizeof(struct pixel) * p.images * p.rows * g->columns);
        if (!places || !pixels || (p.copied && !scratch)) {
#pragma omp atomic write
            failed = 1;
        }
#pragma omp barrier
#pragma omp for schedule(dynamic)
        for (size task = 0; task < tasks; task++)
            if (!failed) run_task(&p, data, weight, start, f, task, scratch, places, pixels);
        free(scratch);
        free(places);
        free(pixels);
    }
    return failed;
}

#endif

/* What this processor multiplies best, the filters in a vector and the vectors in a block; zeros: there is no kernel. */
EXPORT int integer_forms(int32_t *forms) {
#if defined(__AVX2__)
    forms[0] = PAIRS;
    forms[1] = LANES;
    forms[2] = VECTORS;
#if defined(HAS_BYTES)
    if (__builtin_cpu_supports(DOT_PRODUCTS)) forms[0] = BYTES;
#endif
#else
    forms[0] = forms[1] = forms[2] = 0;
#endif
    return 0;
}

#if defined(__AVX2__)
/* The convolution; `weight`, and what sums begin with, are packed in that form. */
EXPORT int integer_convolve(const uint8_t *data, int is_signed, int form, const uint8_t *weight, const int32_t *start,
                            const float *scale, const uint8_t *other, int other_signed, double step, double least,
                            double most, int kind, void *out, const size *geometry, int threads) {
    const float low = kind < 0 ? -128 : 0, high = kind < 0 ? 127 : 255;
    struct finish f = {scale, other, (float)step, (float)least, (float)most, kind < 0 ? 127 : 0, other_signed, kind, out};
    f.least = f.least < low ? low : f.least > high ? high : f.least;
    f.most = f.most < low ? low : f.most > high ? high : f.most;
    return convolve(data, is_signed, form, weight, start, &f, (const struct geometry *)geometry, threads);
}
#else
EXPORT int integer_convolve(void) { return 1; }
#endif
