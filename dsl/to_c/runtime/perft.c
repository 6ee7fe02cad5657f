/* ------------------------------------------------------------------------------------------- counting */

/* All moves, where they are one choice: in a set, in their order. */
#if SINGLE
#define NAMED(kind, words, what) kind##words##what
#define OF_SET(kind, words, what) NAMED(kind, words, what)
typedef OF_SET(Set, SINGLE, ) Choices;
#define count_choices OF_SET(Set, SINGLE, _count)
#define nth_choice OF_SET(Set, SINGLE, _nth)
static Choices all_choices(const u8 *s MEMO(UNUSED Memo *k) BOUND(Control *c)) {
    Choices found;
    OF_SET(Set, SINGLE, _clear)(&found);
    choices(s, s[0] MEMO(k) BOUND(c), &found);
    return found;
}
#endif

/* Sequences of `depth` moves; `at` is where the moves of this position may be written. */
static I perft(Control *c, const u8 *s, I depth, Move *at, Move *end) {
    I ending, winner;
    NEW_MEMO(k);
#if SINGLE
    if (depth == 1 && !ends(s, 0, 1, &winner BOUND(c))) {
        Choices all = all_choices(s MEMO(&k) BOUND(c));
        I many = count_choices(&all);
        c->nodes += many ? many : PASSES;
        return many ? many : PASSES;
    }
#endif
    I count = legal(s, at, end, depth == 1 ? NUMBER : LISTED, &ending, &winner MEMO(&k) BOUND(c));
    if (count < 0) return count;
    if (depth == 1) {
        c->nodes += count;
        return count;
    }
    if (c->stop) return STOPPED;
    I total = 0;
    for (I i = 0; i < count; i++) {
        State t;
        if (!apply(s, at[i], t.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        I found = perft(c, t.b, depth - 1, at + count, end);
        if (found < 0) return found;
        total += found;
    }
    return total;
}

EXPORT I ps_perft(Control *c, const u8 *in, I depth, Move *room, I size) {
    State s;
    take(&s, in);
    return depth == 0 ? 1 : perft(c, s.b, depth, room, room + size);
}
