/* ---------------------------------------------------------------------------------------- learned values */

/* Weights, and the bytes of a position that select them; see dsl/analysis/patterns.py and pysolve/search/learned.py,
   which says the same in Python.  A group has WIDEST bytes: what it lacks are bytes that count nothing. */
typedef struct {
    i32 base, byte[WIDEST], stride[WIDEST];
} Group;

/* A group that looks at a byte, and by how much its place grows with the value there. */
typedef struct {
    i32 group, stride;
} Looking;

typedef struct {
    const Group *groups[2];    /* for who is to move */
    I counts[2];
    const Looking *looking[2]; /* byte by byte; */
    const i32 *begins[2];      /* those of a byte are from begins[byte] to begins[byte + 1] */
    const i32 *weights;        /* those of a stage, then those of the next */
    I entries;                 /* weights of a stage */
    const i32 *stages;         /* the stage for each number of filled places */
    const u8 *counted;         /* for each byte: is it one of these places? */
    const i32 *lines;          /* for each stage the weight of each line of `evaluate`; 0: they do not count */
} Learned;

/* The position that was judged last where a player is to move: the next one differs in a few bytes. */
typedef struct {
    I known, filled, stage, sum;
    State s;
} Judged;

/* What one thread judges positions by; behind it stand the places of the groups of both players to move. */
typedef struct {
    const Learned *by;
    Judged last[2];
} Judge;

/* The bytes of a judge; they begin as zeros, and the address of the values. */
EXPORT I ps_judge_size(const Learned *by) {
    return (I)sizeof(Judge) + (by->counts[0] + by->counts[1]) * (I)sizeof(i32);
}

enum { FEW_BYTES = 16 }; /* if more have changed, all groups are looked at */

static void judge_anew(const Learned *by, Judged *j, i32 *at, const u8 *s, int second) {
    const Group *g = by->groups[second];
    j->filled = 0;
    for (int i = 0; i < SIZE; i++) j->filled += by->counted[i] && s[i] != 0;
    for (I n = 0; n < by->counts[second]; n++, g++) {
        at[n] = g->base;
        for (int i = 0; i < WIDEST; i++) at[n] += s[g->byte[i]] * g->stride[i];
    }
    j->known = 1, j->stage = -1;
}

/* The sum of the weights of a position for the player to move. */
static I learned_sum(Judge *judge, const u8 *s, I *stage) {
    const Learned *by = judge->by;
    const int second = s[0] == 2;
    Judged *j = &judge->last[second];
    i32 *at = (i32 *)(judge + 1) + (second ? by->counts[0] : 0);
    int changed[FEW_BYTES + 8], count = 0;
    for (int w = 0; j->known && w < WORDS && count <= FEW_BYTES; w++) {
        u64 different = ((const WordAnywhere *)s)[w] ^ j->s.w[w];
        for (; different; count++) {
            const int byte = (int)lowest_bit(different) / 8;
            different &= ~(255ULL << 8 * byte);
            changed[count] = 8 * w + byte;
        }
    }
    if (!j->known || count > FEW_BYTES) {
        judge_anew(by, j, at, s, second);
    } else {
        const i32 *weights = by->weights + j->stage * by->entries;
        i32 sum = 0;
        for (int i = 0; i < count; i++) {
            const int byte = changed[i], was = j->s.b[byte], is = s[byte];
            if (byte >= SIZE) break;
            if (by->counted[byte]) j->filled += (is != 0) - (was != 0);
            const Looking *one = by->looking[second] + by->begins[second][byte];
            const Looking *end = by->looking[second] + by->begins[second][byte + 1];
            for (; one < end; one++) {
                const i32 before = at[one->group], after = before + (is - was) * one->stride;
                at[one->group] = after;
                sum += weights[after] - weights[before];
            }
        }
        j->sum += sum;
    }
    copy_state(j->s.b, s);
    *stage = by->stages[j->filled];
    if (*stage != j->stage) {
        const i32 *weights = by->weights + *stage * by->entries;
        i32 sum = 0;
        for (I n = 0; n < by->counts[second]; n++) sum += weights[at[n]];
        j->stage = *stage, j->sum = sum;
    }
    return j->sum;
}

/* The value of a position for the first player, by learned weights. */
static APART I learned_value(Judge *judge, const u8 *s MEMO(UNUSED Memo *k) BOUND(UNUSED Control *c)) {
    I stage, found = learned_sum(judge, s, &stage);
    I value = s[0] == 2 ? -found : found;
#if LINES
    if (judge->by->lines) {
        I said[LINES], sum = 0;
        lines(s, said MEMO(k) BOUND(c));
        for (int i = 0; i < LINES; i++)
            sum += least(most(said[i], -MOST_LINE), MOST_LINE) * judge->by->lines[stage * LINES + i];
        value += floor_div(sum, LINE_UNIT);
    }
#endif
    return least(most(value, -MOST_VALUE), MOST_VALUE);
}

/* The value of a position for the first player: by learned values, if the question came with some, else by `evaluate`. */
INLINE I value_of(UNUSED const Control *c, const u8 *s MEMO(Memo *k)) {
    Judge *judge = (Judge *)(__SIZE_TYPE__)c->values;
    return judge ? learned_value(judge, s MEMO(k) BOUND((Control *)c)) : estimate(s MEMO(k) BOUND((Control *)c));
}
