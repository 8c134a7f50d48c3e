// SPDX-License-Identifier: MIT
// Weighted sums of rows, included by weigh.c once per width, with these defined:
//   LANES         floats side by side: 4 or 8
//   LANES_TARGET  attribute of every function
//   LANES_NAME(x) x with a suffix of its own
// Terms are added in their order and nothing is fused, so every width has the bits of plain floats.
#define wide LANES_NAME(wide)
#define wide_anywhere LANES_NAME(wide_anywhere)
#define weigh LANES_NAME(weigh)

typedef float wide __attribute__((vector_size(4 * LANES)));
typedef float wide_anywhere __attribute__((vector_size(4 * LANES), aligned(4), may_alias));

// Always inlined with a constant count, so that sums stay in registers.
LANES_TARGET static inline __attribute__((always_inline)) void weigh(const ring_terms *terms, int count, float *out)
{
    wide sums[RING_WIDTH / 4];
    f4 rest = {0};
    int whole = count / LANES;
    for (int v = 0; v < whole; v++)
        sums[v] = (wide){0};
    const float *row = terms->rows;
    for (int k = 0; k < terms->count; k++, row += terms->stride) {
        float by = terms->by[k];
        if (by == 0.0f)
            continue;
        for (int v = 0; v < whole; v++)
            sums[v] += by * *(const wide_anywhere *)(const void *)(row + LANES * v);
        if (count % LANES)
            rest += by * load4(row + LANES * whole);
    }
    for (int v = 0; v < whole; v++)
        *(wide_anywhere *)(void *)(out + LANES * v) = sums[v];
    if (count % LANES)
        store4(out + LANES * whole, rest);
}

LANES_TARGET static void LANES_NAME(weigh_any)(const ring_terms *terms, int count, float *out)
{
    switch (count) { // one and two groups of joints, then usual rows
    case 12:
        weigh(terms, 12, out);
        break;
    case 24:
        weigh(terms, 24, out);
        break;
    case 28:
        weigh(terms, 28, out);
        break;
    case 32:
        weigh(terms, 32, out);
        break;
    case 36:
        weigh(terms, 36, out);
        break;
    case 40:
        weigh(terms, 40, out);
        break;
    default:
        weigh(terms, count, out);
    }
}

#undef wide
#undef wide_anywhere
#undef weigh
#undef LANES
#undef LANES_TARGET
#undef LANES_NAME
