/* --------------------------------------------------------------------------------------- learned policies */

#if PLAYERS == 2
/* What is looked at in moves of a kind, and what it selects; see dsl/analysis/move_patterns.py.  The same in Python is
   in pysolve/search/policy.py. */
typedef struct {
    I shift, mask, low, base;
    I count;         /* of the cells that are looked at around the one that a parameter names; 0: its number itself */
    const i32 *near; /* those of each cell, from 0 */
} Look;

typedef struct {
    I cells, radix, slots;
    const i32 *offsets, *radices; /* of the bytes that say what a cell holds */
    const i32 *begins;            /* those of a kind are from begins[kind] to begins[kind + 1] */
    const Look *looks;
    const i16 *weights[2];        /* for who is to move */
    const i32 *shares;            /* how likely a move is whose weight is less than the best by so much, in 1 / ONE */
} Policy;

/* What each cell of a position holds, and behind them what is beyond the board. */
static void find_contents(const Policy *p, const u8 *s, i32 *held) {
    for (I cell = 0; cell < p->cells; cell++) held[cell] = 0;
    for (I slot = 0; slot < p->slots; slot++)
        for (I cell = 0; cell < p->cells; cell++) held[cell] = held[cell] * p->radices[slot] + s[p->offsets[slot] + cell];
    held[p->cells] = (i32)p->radix - 1;
}

/* The sum of the weights that a move selects, for who is to move. */
static I policy_weight(const Policy *p, I mover, const i32 *held, Move move) {
    const I kind = (I)(move >> KIND_SHIFT);
    I sum = 0;
    for (I i = p->begins[kind]; i < p->begins[kind + 1]; i++) {
        const Look *look = &p->looks[i];
        const I number = (I)(move >> look->shift) & look->mask, cell = number + look->low - 1;
        I at = number;
        if (look->count) {
            if (cell < 0) continue;
            const i32 *near = look->near + cell * look->count;
            at = 0;
            for (I k = 0; k < look->count; k++) at = at * p->radix + held[near[k]];
        }
        sum += p->weights[mover - 1][look->base + at];
    }
    return sum;
}
#endif
