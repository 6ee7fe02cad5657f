/* ---------------------------------------------------------------------------------------- learned values */

/* Weights, and the bytes of a position that select them; see dsl/analysis/patterns.py and pysolve/search/learned.py,
   which says the same in Python.  A group has WIDEST bytes: what it lacks are bytes that count nothing. */
typedef struct {
    i32 base, byte[WIDEST], stride[WIDEST];
} Group;

typedef struct {
    const Group *groups[2]; /* for who is to move */
    I counts[2];
    const i32 *weights;     /* those of a stage, then those of the next */
    I entries;              /* weights of a stage */
    const i32 *stages;      /* the stage for each number of filled places */
    const i32 *filled;      /* from byte to byte: where these are */
    I parts;                /* how many pairs there are */
    const i32 *lines;       /* for each stage the weight of each line of `evaluate`; 0: they do not count */
} Learned;

static I stage_of(const Learned *l, const u8 *s) {
    int found = 0;
    for (I part = 0; part < l->parts; part++)
        for (int i = l->filled[2 * part]; i < l->filled[2 * part + 1]; i++) found += s[i] != 0;
    return l->stages[found];
}

/* The value of a position for the first player, by learned weights. */
static APART I learned_value(const Learned *l, const u8 *s MEMO(UNUSED Memo *k) BOUND(UNUSED Control *c)) {
    const int second = s[0] == 2;
    const I stage = stage_of(l, s);
    const i32 *weights = l->weights + stage * l->entries;
    i32 found = 0;
    for (const Group *g = l->groups[second], *end = g + l->counts[second]; g < end; g++) {
        i32 at = g->base;
        for (int i = 0; i < WIDEST; i++) at += s[g->byte[i]] * g->stride[i];
        found += weights[at];
    }
    I value = second ? -found : found;
#if LINES
    if (l->lines) {
        I said[LINES], sum = 0;
        lines(s, said MEMO(k) BOUND(c));
        for (int i = 0; i < LINES; i++)
            sum += least(most(said[i], -MOST_LINE), MOST_LINE) * l->lines[stage * LINES + i];
        value += floor_div(sum, LINE_UNIT);
    }
#endif
    return least(most(value, -MOST_VALUE), MOST_VALUE);
}

/* The value of a position for the first player: by learned values, if the question came with some, else by `evaluate`. */
INLINE I value_of(UNUSED const Control *c, const u8 *s MEMO(Memo *k)) {
    const Learned *l = (const Learned *)(__SIZE_TYPE__)c->values;
    return l ? learned_value(l, s MEMO(k) BOUND((Control *)c)) : estimate(s MEMO(k) BOUND((Control *)c));
}
