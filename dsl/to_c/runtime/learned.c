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
} Lookup;

typedef struct {
    Lookup tables;
    const i32 *weights;  /* those of a stage, then those of the next */
    I entries;           /* weights of a stage */
    const i32 *stages;   /* the stage for each number of filled places */
    const u8 *counted;   /* for each byte: is it one of these places? */
    const i32 *lines;    /* for each stage the weight of each line of `evaluate`; 0: they do not count */
    Lookup inputs;       /* of the net: each group selects a row, a number for each unit */
    const i16 *rows;
    const i16 *outputs;  /* for each stage the weight of each unit */
    I units, ceiling;    /* units of the net, 0 where there is none; what a unit says at most */
} Learned;

/* The position that was judged last where a player is to move: the next one differs in a few bytes. */
typedef struct {
    I known, filled, stage, sum;
    State s;
} Judged;

/* What one thread judges positions by.  Behind it stand the places of the groups of both players to move, of the tables
   and of the inputs, and the sums of the units. */
typedef struct {
    const Learned *by;
    Judged last[2];
} Judge;

/* The bytes of a judge; they begin as zeros, and the address of the values. */
EXPORT I ps_judge_size(const Learned *by) {
    const I places = by->tables.counts[0] + by->tables.counts[1] + by->inputs.counts[0] + by->inputs.counts[1];
    return (I)sizeof(Judge) + places * (I)sizeof(i32) + 2 * by->units * (I)sizeof(i16);
}

enum { FEW_BYTES = 32 }; /* if more have changed, all groups are looked at */

/* Where all groups stand in a position. */
static void find_places(const Lookup *l, i32 *at, const u8 *s, int second) {
    const Group *g = l->groups[second];
    for (I n = 0; n < l->counts[second]; n++, g++) {
        at[n] = g->base;
        for (int i = 0; i < WIDEST; i++) at[n] += s[g->byte[i]] * g->stride[i];
    }
}

/* The sum of the weights of a stage at these places. */
INLINE I sum_at(const i32 *weights, const i32 *at, I count) {
    i32 sum = 0;
    for (I n = 0; n < count; n++) sum += weights[at[n]];
    return sum;
}

/* The groups that look at a byte of a position that has changed, one by one. */
#define EACH_LOOKING(one, lookup, second, byte)                                                \
    for (const Looking *one = (lookup)->looking[second] + (lookup)->begins[second][byte],      \
                       *end_ = (lookup)->looking[second] + (lookup)->begins[second][byte + 1]; \
         one < end_; one++)

/* The units take a row in the place of another one. */
INLINE void change_row(i16 *sums, const i16 *before, const i16 *after, I units) {
    for (I u = 0; u < units; u += NET_LANES) {
#ifdef VECTORS
        *(Shorts8 *)(sums + u) += *(const Shorts8 *)(after + u) - *(const Shorts8 *)(before + u);
#else
        for (I i = u; i < u + NET_LANES; i++) sums[i] = (i16)(sums[i] + after[i] - before[i]);
#endif
    }
}

/* What the net says for the player to move: each unit its sum, from 0 to the ceiling, by its weight. */
INLINE I said_by_net(const Learned *by, const i16 *sums, I stage) {
    const i16 *outputs = by->outputs + stage * by->units;
    i32 found = 0;
#ifdef VECTORS
    Ints4 total = {0, 0, 0, 0};
    const Shorts8 zero = {0}, top = zero + (i16)by->ceiling;
    for (I u = 0; u < by->units; u += NET_LANES) {
        Shorts8 sum = *(const Shorts8 *)(sums + u);
        sum &= (Shorts8)(sum > zero);
        const Shorts8 over = (Shorts8)(sum > top);
        total += PRODUCTS((sum & ~over) | (top & over), *(const Shorts8 *)(outputs + u));
    }
    for (int i = 0; i < 4; i++) found += total[i];
#else
    for (I u = 0; u < by->units; u++) found += (i32)least(most(sums[u], 0), by->ceiling) * outputs[u];
#endif
    return floor_div(found, NET_UNIT);
}

/* The sum of the weights of a position for the player to move, and what the net says. */
static I learned_sum(Judge *judge, const u8 *s, I *stage) {
    const Learned *by = judge->by;
    const int second = s[0] == 2;
    const Lookup *tables = &by->tables, *inputs = &by->inputs;
    Judged *j = &judge->last[second];
    i32 *all = (i32 *)(judge + 1), *at = all + (second ? tables->counts[0] : 0);
    i32 *rows = all + tables->counts[0] + tables->counts[1], *row = rows + (second ? inputs->counts[0] : 0);
    i16 *sums = (i16 *)(rows + inputs->counts[0] + inputs->counts[1]) + (second ? by->units : 0);
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
        j->known = 1, j->stage = -1, j->filled = 0;
        for (int i = 0; i < SIZE; i++) j->filled += by->counted[i] && s[i] != 0;
        find_places(tables, at, s, second);
        find_places(inputs, row, s, second);
        for (I u = 0; u < by->units; u++) sums[u] = 0;
        for (I n = 0; n < inputs->counts[second]; n++) /* row 0 is all zeros */
            change_row(sums, by->rows, by->rows + row[n] * by->units, by->units);
    } else {
        const i32 *weights = by->weights + j->stage * by->entries;
        i32 sum = 0;
        for (int i = 0; i < count; i++) {
            const int byte = changed[i], was = j->s.b[byte], is = s[byte];
            if (byte >= SIZE) break;
            if (by->counted[byte]) j->filled += (is != 0) - (was != 0);
            EACH_LOOKING(one, tables, second, byte) {
                const i32 before = at[one->group], after = before + (is - was) * one->stride;
                at[one->group] = after;
                sum += weights[after] - weights[before];
            }
            if (!by->units) continue;
            EACH_LOOKING(one, inputs, second, byte) {
                const i32 before = row[one->group], after = before + (is - was) * one->stride;
                row[one->group] = after;
                change_row(sums, by->rows + before * by->units, by->rows + after * by->units, by->units);
            }
        }
        j->sum += sum;
    }
    copy_state(j->s.b, s);
    *stage = by->stages[j->filled];
    if (*stage != j->stage) {
        j->stage = *stage;
        j->sum = sum_at(by->weights + *stage * by->entries, at, tables->counts[second]);
    }
    return by->units ? j->sum + said_by_net(by, sums, *stage) : j->sum;
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
