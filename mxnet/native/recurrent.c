/* Layers of recurrent cells (LSTM, GRU, Elman's) in one direction: all steps of a sequence in one call.

   The weights are packed once, so that products run near the top speed of the processor. The rows of a batch do not
   depend on each other: threads take rows, and go through all steps without waiting. Only if there are too few rows for
   that do they also share the columns, and wait for each other after each part of a step. The products with the data
   are made for some steps at once, just before or after these steps, while the gates are in the cache. */

#include "native.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* A tile of the product, ROWS x WIDTH vectors of LANES numbers, is held in registers. */
#define WIDTH 3
#if defined(__AVX512F__) || defined(__aarch64__) /* they have 32 registers */
#define ROWS 8
#else
#define ROWS 4
#endif

/* So many rows of several steps are multiplied at once. */
#define AT_ONCE 64

/* A matrix of depth x columns in panels of WIDTH vectors of columns, the last one of as many as it takes. */
typedef struct {
    float *numbers;
    size depth, columns, vectors, panels;
} packed;

static int allocate(packed *m, size depth, size columns) {
    size vectors = (columns + LANES - 1) / LANES;
    *m = (packed){NULL, depth, columns, vectors, (vectors + WIDTH - 1) / WIDTH};
    m->numbers = aligned_alloc(64, (sizeof(vector) * vectors * depth + 63) / 64 * 64);
    return !m->numbers;
}

/* Fills this thread's panels. The number of row k and column n is at k * down + n * right; `turn` rows come last. */
static void pack(const packed *m, const float *restrict from, size down, size right, size turn) {
    size first, last;
    share_of(m->panels, omp_get_thread_num(), omp_get_num_threads(), &first, &last);
    for (size p = first; p < last; p++) {
        size begin = p * WIDTH * LANES, n = (p < m->panels - 1 ? WIDTH : m->vectors - p * WIDTH) * LANES;
        size there = m->columns - begin < n ? m->columns - begin : n;
        for (size k = 0; k < m->depth; k++) {
            const float *row = from + (k + turn < m->depth ? k + turn : k + turn - m->depth) * down + begin * right;
            float *restrict to = m->numbers + begin * m->depth + k * n;
            if (right == 1) memcpy(to, row, sizeof(float) * there);
            else
                for (size c = 0; c < there; c++) to[c] = row[c * right];
            memset(to + there, 0, sizeof(float) * (n - there));
        }
    }
}

/* One tile, c = start + a b; start, which may be c or NULL, has its rows start_row apart. The last vector has `rest`
   numbers. */
INLINE void tile(const float *a, size a_row, const float *restrict b, size depth, float *c, size c_row,
                 const float *start, size start_row, size rest, const int rows, const int width) {
    vector sum[ROWS][WIDTH];
    for (int r = 0; r < rows; r++)
        for (int w = 0; w < width; w++)
            sum[r][w] = start ? load(start + r * start_row + w * LANES, w < width - 1 ? LANES : rest) : (vector){0};
    for (size k = 0; k < depth; k++) {
        vector right[WIDTH];
        for (int w = 0; w < width; w++) right[w] = ((const vector *)b)[k * width + w];
        for (int r = 0; r < rows; r++) {
            float left = a[r * a_row + k];
            for (int w = 0; w < width; w++) sum[r][w] += right[w] * left;
        }
    }
    for (int r = 0; r < rows; r++)
        for (int w = 0; w < width; w++) store(sum[r][w], c + r * c_row + w * LANES, w < width - 1 ? LANES : rest);
}

typedef void tile_function(const float *a, size a_row, const float *b, size depth, float *c, size c_row,
                           const float *start, size start_row, size rest);

#define TILE(rows, width)                                                                                              \
    static void tile_##rows##_##width(const float *a, size a_row, const float *b, size depth, float *c, size c_row,   \
                                      const float *start, size start_row, size rest) {                                 \
        tile(a, a_row, b, depth, c, c_row, start, start_row, rest, rows, width);                                       \
    }
#define TILES(rows) TILE(rows, 1) TILE(rows, 2) TILE(rows, 3)
#define NAMES(rows) {tile_##rows##_1, tile_##rows##_2, tile_##rows##_3}
TILES(1) TILES(2) TILES(3) TILES(4)
#if ROWS == 8
TILES(5) TILES(6) TILES(7) TILES(8)
#endif
static tile_function *const tiles[ROWS][WIDTH] = {
    NAMES(1), NAMES(2), NAMES(3), NAMES(4),
#if ROWS == 8
    NAMES(5), NAMES(6), NAMES(7), NAMES(8),
#endif
};

/* What one thread computes: all of some rows of the batch, or, where a team shares rows, some of their columns. */
typedef struct {
    size batch, first_row, rows, first, last;
    int number, team;
} part;

static part part_of(size batch, size hidden) {
    int thread = omp_get_thread_num(), threads = omp_get_num_threads();
    size most = batch / ROWS, groups = most < 1 ? 1 : most < threads ? most : threads, team = threads / groups, end;
    part mine = {.batch = batch, .number = thread % team, .team = team};
    if (thread < groups * team) {
        share_of(batch, thread / team, groups, &mine.first_row, &end);
        mine.rows = end - mine.first_row;
        share_of(hidden, mine.number, team, &mine.first, &mine.last);
    }
    return mine;
}

#define WAIT_FOR_TEAM                                                                                                  \
    if (mine.team > 1) {                                                                                               \
        _Pragma("omp barrier")                                                                                         \
    }

/* This thread's part of c = a b in some steps; a and c have all rows of these steps, so many numbers apart. It adds to
   c, or begins with the bias in each row, or with 0. */
static void multiply(const part *mine, size steps, const float *a, size a_row, const packed *b, float *c, size c_row,
                     int add, const float *bias) {
    size first_panel, last_panel, rows = mine->rows, apart = mine->batch;
    share_of(b->panels, mine->number, mine->team, &first_panel, &last_panel);
    if (rows == mine->batch) rows *= steps, steps = 1;
    size blocks = (rows + ROWS - 1) / ROWS;
    for (size p = first_panel; p < last_panel; p++) {
        size begin = p * WIDTH * LANES, vectors = p < b->panels - 1 ? WIDTH : b->vectors - p * WIDTH;
        size rest = p < b->panels - 1 ? LANES : b->columns - (b->vectors - 1) * LANES;
        for (size s = 0; s < steps; s++) {
            for (size i = 0; i < blocks; i++) {
                size top = rows * i / blocks, row = s * apart + mine->first_row + top;
                float *to = c + row * c_row + begin;
                tiles[rows * (i + 1) / blocks - top - 1][vectors - 1](
                    a + row * a_row, a_row, b->numbers + begin * b->depth, b->depth, to, c_row,
                    add ? to : bias ? bias + begin : NULL, add ? c_row : 0, rest);
            }
        }
    }
}

INLINE float sigmoid(float x) {
    float y = -x, scale, fraction;
    y = y > 87.0f ? 87.0f : y;
    y = y < -87.0f ? -87.0f : y;
    exponential(y, &scale, &fraction);
    float result = 1 / (1 + (scale + scale * fraction));
    return x < -87.0f ? 0 : result;
}

/* By exp(x) - 1, which is as exact near 0 as elsewhere. */
INLINE float hyperbolic_tangent(float x) {
    float y = -2 * fabsf(x), scale, fraction;
    y = y < -40.0f ? -40.0f : y;
    exponential(y, &scale, &fraction);
    float less = scale * fraction + (scale - 1);
    return copysignf(-less / (less + 2), x);
}

enum { RELU, TANH, LSTM, GRU };

static size gates_of(int kind) { return kind == LSTM ? 4 : kind == GRU ? 3 : 1; }

/* How many steps to multiply at once. */
static size steps_at_once(size steps, size batch, int threads) {
    size most = batch / ROWS, groups = most < 1 ? 1 : most < threads ? most : threads, n = AT_ONCE * groups / batch;
    return n < 1 ? 1 : n < steps ? n : steps;
}

/* Units of one row in one step. The gates are replaced by what they are when activated, which backward reads. */
INLINE void lstm(float *gates, const float *old, float *cell, float *h, size n, size first, size last, int keep) {
#pragma omp simd
    for (size u = first; u < last; u++) {
        float i = sigmoid(gates[u]), f = sigmoid(gates[n + u]);
        float g = hyperbolic_tangent(gates[2 * n + u]), o = sigmoid(gates[3 * n + u]);
        float c = f * old[u] + i * g;
        cell[u] = c;
        h[u] = o * hyperbolic_tangent(c);
        if (keep) {
            gates[u] = i;
            gates[n + u] = f;
            gates[2 * n + u] = g;
            gates[3 * n + u] = o;
        }
    }
}

INLINE void gru(float *gates, const float *product, const float *bias, const float *old, float *inner, float *h,
                size n, size first, size last, int keep) {
#pragma omp simd
    for (size u = first; u < last; u++) {
        float r = sigmoid(gates[u] + product[u]), z = sigmoid(gates[n + u] + product[n + u]);
        float q = product[2 * n + u] + bias[u], new = hyperbolic_tangent(gates[2 * n + u] + r * q);
        h[u] = new + z * (old[u] - new);
        if (keep) {
            gates[u] = r;
            gates[n + u] = z;
            gates[2 * n + u] = new;
            inner[u] = q;
        }
    }
}

static void activate(float *h, size first, size last, int relu) {
    if (relu) {
#pragma omp simd
        for (size u = first; u < last; u++) h[u] = h[u] < 0 ? 0 : h[u];
    } else {
#pragma omp simd
        for (size u = first; u < last; u++) h[u] = hyperbolic_tangent(h[u]);
    }
}

/* A layer in one direction; with `reverse` it is the second of two. data, out, cells, gates and inner have a row for
   each step and member of the batch, states one for each direction and member. out has rows of out_row numbers, in
   which both directions have their outputs, and room for the states before the first step, where that would be; so has
   cells. gates, cells and inner (of GRU: what the reset gate is applied to) are what backward needs, or NULL; Elman's
   cells have none. Returns 0, or 1 if there is no memory. */
EXPORT int recurrent_forward(const float *data, const float *w_ih, const float *w_hh, const float *b_ih,
                             const float *b_hh, const float *first_h, const float *first_c, float *out, float *gates,
                             float *cells, float *inner, float *last_h, float *last_c, size steps, size batch,
                             size features, size hidden, size out_row, int kind, int reverse, int threads) {
    size wide = gates_of(kind) * hidden, at_once = steps_at_once(steps, batch, threads), states = batch * hidden;
    size number = sizeof(float);
    int gated = kind == LSTM || kind == GRU, keep = gates != NULL;
    packed of_data = {0}, of_state = {0};
    float *bias = malloc(number * wide);
    float *product = malloc(kind == GRU ? number * batch * wide : 1);
    float *scratch = malloc(gated && !keep ? number * at_once * batch * wide : 1);
    int failed = !bias || !product || !scratch || allocate(&of_data, features, wide);
    failed = failed || allocate(&of_state, hidden, wide);
    if (!failed) {
        if (reverse) {
            out += hidden, first_h += states, last_h += states;
            if (kind == LSTM) first_c += states, last_c += states;
        }
        for (size u = 0; u < wide; u++) bias[u] = b_ih[u] + (kind == GRU && u >= 2 * hidden ? 0 : b_hh[u]);
#pragma omp parallel num_threads(threads)
        {
            part mine = part_of(batch, hidden);
            size begin = mine.first_row, end = begin + mine.rows, first = 0, ahead = 0;
            size before = reverse ? steps : -1, gates_row = gated ? wide : out_row;
            float *ready = NULL; /* gates of some steps from the first on, which have the data's part */
            if (mine.number == 0) {
                for (size r = begin; r < end; r++) {
                    memcpy(out + (before * batch + r) * out_row, first_h + r * hidden, number * hidden);
                    if (kind == LSTM)
                        memcpy((keep ? cells + before * states : last_c) + r * hidden, first_c + r * hidden,
                               number * hidden);
                }
            }
            pack(&of_data, w_ih, 1, features, 0);
            pack(&of_state, w_hh, 1, hidden, 0);
#pragma omp barrier
            for (size s = 0; s < steps; s++, ahead--) {
                size t = reverse ? steps - 1 - s : s;
                if (ahead == 0) {
                    ahead = steps - s < at_once ? steps - s : at_once;
                    first = reverse ? t - ahead + 1 : t;
                    ready = !gated ? out + first * batch * out_row : keep ? gates + first * batch * wide : scratch;
                    multiply(&mine, ahead, data + first * batch * features, features, &of_data, ready, gates_row, 0,
                             bias);
                }
                const float *old = out + before * batch * out_row;
                float *now = ready + (t - first) * batch * gates_row;
                if (kind == GRU) multiply(&mine, 1, old, out_row, &of_state, product, wide, 0, NULL);
                else multiply(&mine, 1, old, out_row, &of_state, now, gates_row, 1, NULL);
                WAIT_FOR_TEAM
                for (size r = begin; r < end; r++) {
                    size row = t * batch + r;
                    float *gate = now + r * gates_row, *h = out + row * out_row;
                    if (kind == LSTM && keep)
                        lstm(gate, cells + (before * batch + r) * hidden, cells + row * hidden, h, hidden, mine.first,
                             mine.last, 1);
                    else if (kind == LSTM)
                        lstm(gate, last_c + r * hidden, last_c + r * hidden, h, hidden, mine.first, mine.last, 0);
                    else if (kind == GRU && keep)
                        gru(gate, product + r * wide, b_hh + 2 * hidden, old + r * out_row, inner + row * hidden, h,
                            hidden, mine.first, mine.last, 1);
                    else if (kind == GRU)
                        gru(gate, product + r * wide, b_hh + 2 * hidden, old + r * out_row, NULL, h, hidden,
                            mine.first, mine.last, 0);
                    else activate(h, mine.first, mine.last, kind == RELU);
                }
                WAIT_FOR_TEAM
                before = t;
            }
            if (mine.number == 0) {
                for (size r = begin; r < end; r++) {
                    memcpy(last_h + r * hidden, out + (before * batch + r) * out_row, number * hidden);
                    if (kind == LSTM && keep)
                        memcpy(last_c + r * hidden, cells + (before * batch + r) * hidden, number * hidden);
                }
            }
        }
    }
    free(of_data.numbers);
    free(of_state.numbers);
    free(bias);
    free(product);
    free(scratch);
    return failed;
}

/* From the gradients of one row's output and cell to those of its gates; by_c becomes that of the cell before. */
INLINE void lstm_gradient(const float *gates, const float *old, const float *cell, const float *by_h, float *by_c,
                          float *by_gates, size n, size first, size last) {
#pragma omp simd
    for (size u = first; u < last; u++) {
        float i = gates[u], f = gates[n + u], g = gates[2 * n + u], o = gates[3 * n + u];
        float shown = hyperbolic_tangent(cell[u]), by_output = by_h[u];
        float by_cell = by_c[u] + by_output * (o * (1 - shown * shown));
        by_gates[u] = by_cell * (g * (i - i * i));
        by_gates[n + u] = by_cell * (old[u] * (f - f * f));
        by_gates[2 * n + u] = by_cell * (i * (1 - g * g));
        by_gates[3 * n + u] = by_output * (shown * (o - o * o));
        by_c[u] = by_cell * f;
    }
}

/* Gates come as n, r, z on the side of the data, and r, z, n on the side of the states, so that these two overlap. by_h
   becomes the part of the gradient of the output before that does not go through the weight. */
INLINE void gru_gradient(const float *gates, const float *old, const float *inner, float *by_h, float *by_gates,
                         size n, size first, size last) {
#pragma omp simd
    for (size u = first; u < last; u++) {
        float r = gates[u], z = gates[n + u], new = gates[2 * n + u], by = by_h[u];
        float d = by * ((1 - new * new) * (1 - z));
        by_gates[u] = d;
        by_gates[n + u] = d * (inner[u] * (r - r * r));
        by_gates[2 * n + u] = by * ((old[u] - new) * (z - z * z));
        by_gates[3 * n + u] = d * r;
        by_h[u] = by * z;
    }
}

static void activation_gradient(const float *h, const float *by_h, float *by_gates, size first, size last, int relu) {
    if (relu) {
#pragma omp simd
        for (size u = first; u < last; u++) by_gates[u] = by_h[u] * (h[u] > 0 ? 1.0f : 0.0f);
    } else {
#pragma omp simd
        for (size u = first; u < last; u++) by_gates[u] = by_h[u] * (1 - h[u] * h[u]);
    }
}

static void add(const float *restrict some, float *restrict to, size first, size last) {
    for (size u = first; u < last; u++) to[u] += some[u];
}

/* The gradients of recurrent_forward, from those of out and, each or all of them NULL, those of all cells and of the
   last states. by_gates is what the gradients of weights and biases are made of. by_data may be NULL; the second
   direction adds to it. */
EXPORT int recurrent_backward(const float *w_ih, const float *w_hh, const float *out, const float *gates,
                              const float *cells, const float *inner, const float *by_out, const float *by_cells,
                              const float *by_last_h, const float *by_last_c, float *by_data, float *by_h, float *by_c,
                              float *by_gates, size steps, size batch, size features, size hidden, size out_row,
                              int kind, int reverse, int threads) {
    size wide = gates_of(kind) * hidden, by_row = kind == GRU ? 4 * hidden : wide, states = batch * hidden;
    size at_once = steps_at_once(steps, batch, threads), number = sizeof(float);
    packed of_data = {0}, of_state = {0};
    int failed = allocate(&of_state, wide, hidden) || (by_data && allocate(&of_data, wide, features));
    if (!failed) {
        if (reverse) {
            out += hidden, by_h += states;
            if (by_out) by_out += hidden;
            if (by_last_h) by_last_h += states;
            if (by_last_c) by_last_c += states;
            if (kind == LSTM) by_c += states;
        }
#pragma omp parallel num_threads(threads)
        {
            part mine = part_of(batch, hidden);
            size begin = mine.first_row, end = begin + mine.rows, waiting = 0;
            if (mine.number == 0) {
                size at = begin * hidden, n = number * mine.rows * hidden;
                if (by_last_h) memcpy(by_h + at, by_last_h + at, n);
                else memset(by_h + at, 0, n);
                if (by_last_c) memcpy(by_c + at, by_last_c + at, n);
                else if (kind == LSTM) memset(by_c + at, 0, n);
            }
            pack(&of_state, w_hh, hidden, 1, 0);
            if (by_data) pack(&of_data, w_ih, features, 1, kind == GRU ? 2 * hidden : 0);
#pragma omp barrier
            for (size s = steps - 1; s >= 0; s--) {
                size t = reverse ? steps - 1 - s : s, before = reverse ? t + 1 : t - 1;
                float *now = by_gates + t * batch * by_row;
                for (size r = begin; r < end; r++) {
                    size row = t * batch + r, old = before * batch + r, at = r * hidden;
                    if (by_out) add(by_out + row * out_row, by_h + at, mine.first, mine.last);
                    if (by_cells) add(by_cells + row * hidden, by_c + at, mine.first, mine.last);
                    if (kind == LSTM)
                        lstm_gradient(gates + row * wide, cells + old * hidden, cells + row * hidden, by_h + at,
                                      by_c + at, now + r * by_row, hidden, mine.first, mine.last);
                    else if (kind == GRU)
                        gru_gradient(gates + row * wide, out + old * out_row, inner + row * hidden, by_h + at,
                                     now + r * by_row, hidden, mine.first, mine.last);
                    else
                        activation_gradient(out + row * out_row, by_h + at, now + r * by_row, mine.first, mine.last,
                                            kind == RELU);
                }
                WAIT_FOR_TEAM
                multiply(&mine, 1, now + by_row - wide, by_row, &of_state, by_h, hidden, kind == GRU, NULL);
                if (by_data && (++waiting == at_once || s == 0)) {
                    size first = reverse ? t - waiting + 1 : t;
                    multiply(&mine, waiting, by_gates + first * batch * by_row, by_row, &of_data,
                             by_data + first * batch * features, features, reverse, NULL);
                    waiting = 0;
                }
                WAIT_FOR_TEAM
            }
        }
    }
    free(of_data.numbers);
    free(of_state.numbers);
    return failed;
}
