/* ------------------------------------------------------------------------------------------- playouts */

#if REPEATS
/* Leaves of a state what `repeated` compares: all but what it ignores. */
static void keep_identity(State *s) {
    static const int ignored[][2] = {IGNORED{0, 0}}; /* from byte to byte */
    for (const int *part = ignored[0]; part[1]; part += 2)
        for (int i = part[0]; i < part[1]; i++) s->b[i] = 0;
}
#endif

static u64 hash_state(const State *s) {
    u64 h = 0, odd = 0x9E3779B97F4A7C15ULL;
    for (int i = 0; i < WORDS; i++, odd += 0xBF58476D1CE4E5B8ULL) h += (s->w[i] ^ s->w[i] >> 32) * odd;
    h = (h ^ h >> 32) * 0x94D049BB133111EBULL;
    return h ^ h >> 32;
}

static int same_state(const State *a, const State *b) {
    u64 different = 0;
    for (int i = 0; i < WORDS; i++) different |= a->w[i] ^ b->w[i];
    return !different;
}

/* A game so far, as its endings ask about it: the positions on its path, with what was played before that. */
typedef struct {
    State *path;
    u64 *hashes; /* of the positions on the path */
    I length, turns;
    const State *before; /* the positions before the path, each once, */
    const I *times;      /* and how often they were there */
    I count;
#if REPEATS
    u64 met[64]; /* bits of the hashes on the path: where one is missing, the position is new */
#endif
} Past;

/* Moves in the order in which they were played. */
typedef struct {
    Move *move;
    u8 *mover;
    I count;
} Trail;

/* Puts a position behind the path, without what `repeated` ignores: 0 if it is certainly new there. */
static int remember(UNUSED Past *h, UNUSED const State *s) {
#if REPEATS
    State *now = &h->path[h->length];
    *now = *s;
    keep_identity(now);
    const u64 hash = h->hashes[h->length] = hash_state(now), bit = 1ULL << (hash & 63);
    u64 *met = &h->met[hash >> 58];
    const int old = (*met & bit) != 0;
    *met |= bit;
    return old;
#else
    return 0;
#endif
}

/* How often a position has occurred, this time included; it stands behind the path then. */
static I times_met(UNUSED Past *h, UNUSED const State *s) {
    I times = 1;
#if REPEATS
    const int old = remember(h, s);
    const State *now = &h->path[h->length];
    const u64 hash = h->hashes[h->length];
    for (I i = 0; old && i < h->length; i++)
        if (h->hashes[i] == hash) times += same_state(&h->path[i], now);
    for (I i = 0; i < h->count; i++)
        if (same_state(&h->before[i], now)) times += h->times[i];
#endif
    return times;
}

/* Sequences of `depth` moves, where endings ask about the game so far. */
static I perft_after(Control *c, Past *h, const State *s, I depth, Move *at, Move *end) {
    I winner = 0, total = 0;
    if (c->stop) return STOPPED;
    if (ends(s->b, h->turns, times_met(h, s), &winner BOUND(c))) return 0;
    NEW_MEMO(k);
    Move *last = moves(s->b, s->b[0] MEMO(&k) BOUND(c), at, end, depth == 1 ? NUMBER : LISTED);
    if (CUT(c)) return STOPPED;
    if (last == end) return NO_ROOM;
#if PASSES
    if (last == at) *last++ = (Move)PASS_KIND << KIND_SHIFT;
#endif
    if (depth == 1) {
        c->nodes += last - at;
        return last - at;
    }
    h->length++;
    for (const Move *move = at; move < last; move++) {
        State t;
        if (!apply(s->b, *move, t.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        const I passed = t.b[0] != s->b[0];
        h->turns += passed;
        I found = perft_after(c, h, &t, depth - 1, last, end);
        h->turns -= passed;
        if (found < 0) return found;
        total += found;
    }
    h->length--;
    return total;
}

/* The same as ps_perft after a game so far; `path` has room for depth + 1 positions, and a word for each behind them. */
EXPORT I ps_perft_after(Control *c, const u8 *in, I depth, Move *room, I size, State *path, I turns,
                        const State *before, const I *times, I count) {
    State s;
    take(&s, in);
    Past h = {.path = path, .hashes = (u64 *)(path + depth + 1), .turns = turns, .before = before, .times = times,
              .count = count};
    return depth == 0 ? 1 : perft_after(c, &h, &s, depth, room, room + size);
}

#if CHANCE
/* Of `count` moves of chance the one that a lot draws, each as likely as its weight among their sum. */
static I weighed_draw(const u8 *s, u64 lot, const Move *move, I count MEMO(Memo *k) BOUND(Control *c)) {
    I sum = 0, number = 0;
    for (I i = 0; i < count; i++) sum += weight_of(s, s[0] MEMO(k) BOUND(c), move[i]);
    I left = (I)((lot >> 32) * (u64)sum >> 32);
    while ((left -= weight_of(s, s[0] MEMO(k) BOUND(c), move[number])) >= 0) number++;
    return number;
}

/* The weights of `count` moves where chance moves. */
EXPORT I ps_weights(UNUSED Control *c, const u8 *in, const Move *move, I count, I *out) {
    State s;
    take(&s, in);
    NEW_MEMO(k);
    BEGIN(c);
    for (I i = 0; i < count; i++) out[i] = weight_of(s.b, s.b[0] MEMO(&k) BOUND(c), move[i]);
    return count;
}

#endif
/* Draws a legal move; there is room for `size` moves.  0 if there is none, or NO_ROOM. */
static I draw_move(const u8 *s, u64 lot, UNUSED Move *room, UNUSED I size, Move *move MEMO(Memo *k) BOUND(Control *c)) {
#if CHANCE
    if (chance_moves(s, s[0] MEMO(k) BOUND(c))) {
        I found = moves(s, s[0] MEMO(k) BOUND(c), room, room + size, SORTED) - room;
        if (found == size) return NO_ROOM;
        *move = room[weighed_draw(s, lot, room, found MEMO(k) BOUND(c))];
        return found;
    }
#endif
#if DRAWS == BY_RANK
    u64 *first = (u64 *)room, *last = first + size * (I)sizeof(Move) / 8;
    u64 *end = candidates(s, s[0] MEMO(k) BOUND(c), lot, first, last);
    if (end == last) return NO_ROOM;
    while (first < end) {
        u64 *least = first;
        for (u64 *at = first + 1; at < end; at++)
            if (*at < *least) least = at;
        *move = move_of(lot, *least);
        if (passes(s, s[0] MEMO(k) BOUND(c), *move)) return 1;
        *least = *--end;
    }
    return 0;
#else
    I count = 0;
#if DRAWS == BY_SET
    const Choices all = all_choices(s MEMO(k) BOUND(c));
    count = count_choices(&all);
#elif DRAWS == BY_RUN
    const Run *run = (Run *)room, *last = run + size * (I)sizeof(Move) / (I)sizeof(Run);
    if (runs(s, s[0] MEMO(k) BOUND(c), (Run *)room, (Run *)last, &count) == last) return NO_ROOM;
#else
    count = moves(s, s[0] MEMO(k) BOUND(c), room, room + size, SORTED) - room;
    if (count == size) return NO_ROOM;
#endif
    if (!count) return 0;
    I number = (I)((lot >> 32) * (u64)count >> 32);
#if DRAWS == BY_SET
    *move = (Move)nth_choice(&all, number);
#elif DRAWS == BY_RUN
    for (I here; number >= (here = count_bits(run->bits)); run++) number -= here;
    *move = run->first + (Move)nth_bit(run->bits, number);
#else
    *move = room[number];
#endif
    return count;
#endif
}
