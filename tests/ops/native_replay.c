/* Calls kernels again with the arguments that native_recording.py has written, and writes what their memory is then.
 *
 * native_replay <calls> <results>. It needs no Python, so that it runs wherever the kernels are compiled for. REPLAYED is
 * a list of them, as K(name) each.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whole numbers and pointers go one way, floating ones another (System V, AAPCS64): the order between them is free. */
typedef int function(int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                     int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t, int64_t,
                     int64_t, int64_t, double, double, double, double);
enum { WHOLE = 24, REAL = 4 };

#define K(name) int name();
REPLAYED
#undef K

static const struct {
    const char *name;
    int (*call)();
} kernels[] = {
#define K(name) {#name, name},
    REPLAYED
#undef K
};

/* A batch of products as MKL and OpenBLAS have it: c = a b, row by row, one group. */
static void gemm_batch(int layout, const int *turn_a, const int *turn_b, const int *rows, const int *columns,
                       const int *depth, const float *scale, const float **a, const int *a_row, const float **b,
                       const int *b_row, const float *keep, float **c, const int *c_row, int groups, const int *sizes) {
    if (layout != 101 || groups != 1) exit(3);
    for (int each = 0; each < *sizes; each++)
        for (int i = 0; i < *rows; i++)
            for (int j = 0; j < *columns; j++) {
                double sum = 0;
                for (int k = 0; k < *depth; k++) {
                    float left = *turn_a == 111 ? a[each][i * (int64_t)*a_row + k] : a[each][k * (int64_t)*a_row + i];
                    float right = *turn_b == 111 ? b[each][k * (int64_t)*b_row + j] : b[each][j * (int64_t)*b_row + k];
                    sum += (double)left * right;
                }
                float *to = &c[each][i * (int64_t)*c_row + j];
                *to = (float)(*scale * sum + (*keep ? *keep * *to : 0));
            }
}

static void take(FILE *from, void *to, size_t bytes) {
    if (bytes && fread(to, bytes, 1, from) != 1) exit(4);
}

static int64_t number(FILE *from) {
    int64_t found;
    take(from, &found, sizeof found);
    return found;
}

int main(int argc, char **argv) {
    FILE *calls = argc == 3 ? fopen(argv[1], "rb") : NULL, *results = calls ? fopen(argv[2], "wb") : NULL;
    if (!results) return 2;
    for (int64_t left = number(calls); left; left--) {
        char name[64];
        take(calls, name, sizeof name);
        int64_t sizes[32], whole[WHOLE] = {0};
        double real[REAL] = {0};
        char *memory[32];
        int regions = (int)number(calls), wholes = 0, reals = 0;
        for (int i = 0; i < regions; i++) {
            sizes[i] = number(calls);
            memory[i] = aligned_alloc(64, (size_t)(sizes[i] + 63) / 64 * 64 + 64);
            take(calls, memory[i], (size_t)sizes[i]);
        }
        for (int64_t arguments = number(calls); arguments; arguments--) {
            int64_t kind = number(calls), value = number(calls);
            if (kind == 'd') memcpy(&real[reals++], &value, sizeof value);
            else if (kind == 'i') whole[wholes++] = value;
            else if (kind == 'g') whole[wholes++] = (int64_t)(intptr_t)gemm_batch;
            else whole[wholes++] = (int64_t)(intptr_t)(memory[kind] + value); /* a place in a region */
            if (wholes > WHOLE || reals > REAL) return 5;
        }
        size_t k = 0, count = sizeof kernels / sizeof *kernels;
        while (k < count && strcmp(kernels[k].name, name)) k++;
        if (k == count) return 6;
        int64_t *w = whole;
        int failed = ((function *)kernels[k].call)(
            w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7], w[8], w[9], w[10], w[11], w[12], w[13], w[14], w[15], w[16],
            w[17], w[18], w[19], w[20], w[21], w[22], w[23], real[0], real[1], real[2], real[3]);
        if (failed) return 7;
        for (int i = 0; i < regions; i++) {
            fwrite(memory[i], 1, (size_t)sizes[i], results);
            free(memory[i]);
        }
    }
    return fclose(results) ? 8 : 0;
}
