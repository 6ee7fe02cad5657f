/* Every position that can be reached, and what each is worth; pysolve/search/retrograde.py says the same in Python. */

/* How far a search for positions is.  Those before `done` have all their moves in the list of edges. */
typedef struct {
    I count, done, edges;
    I hashed; /* positions that the slots know: fewer after the slots were made larger */
} Explored;

EXPORT I ps_state_size(void) { return sizeof(State); }

/* The slot of a position: it holds the number from 1, or 0 where the position is new. */
static u32 *slot_of(const State *states, u32 *slots, I mask, const State *s, u64 hash) {
    I at = (I)(hash & (u64)mask);
    while (slots[at] && !same_state(&states[slots[at] - 1], s)) at = (at + 1) & mask;
    return &slots[at];
}

/* What stands for the positions after the moves, and memory for all of them fetched before any is looked up.  Of the
   edges this writes where players are exchanged. */
static int look_ahead(const State *s, const Move *moves, I count, const Renamings *r, State *after, u64 *hashes,
                      u32 *edges, const State *states, const u32 *slots, I mask, Control *c) {
    NEW_MEMO(k);
    for (I i = 0; i < count; i++) {
        after[i].w[WORDS - 1] = 0;
        if (!apply(s->b, moves[i], after[i].b, &c->error MEMO(&k) BOUND(c))) return 0;
        edges[i] = canonical(r, &after[i]) ? EXCHANGED : 0;
        hashes[i] = hash_state(&after[i]);
        FETCH(&slots[hashes[i] & (u64)mask]);
    }
    for (I i = 0; i < count; i++) {
        u32 number = slots[hashes[i] & (u64)mask];
        if (number) FETCH(&states[number - 1]);
    }
    return 1;
}

/* Finds all positions from states[0] on, breadth first in the order of moves; of images by symmetries the least, and so
   it is with states[0].  The moves of position i lead to the positions edges[first[i]] to edges[first[i + 1] - 1], with
   EXCHANGED added where players were exchanged; results[i] is 1, 0 or -1 for the first player, or GOES_ON.
   Where something is full, low says what, and the question is asked again with more room. */
EXPORT I ps_explore(Control *c, Explored *x, const Renamings *r, State *states, I room, u32 *slots, I mask, u64 *first, i8 *results,
                    u32 *edges, I edge_room, Move *moves_at, State *after, u64 *hashes, I move_room) {
    for (; x->hashed < x->count; x->hashed++) {
        if (c->stop) return STOPPED;
        const State *s = &states[x->hashed];
        *slot_of(states, slots, mask, s, hash_state(s)) = (u32)x->hashed + 1;
    }
    for (; x->done < x->count; x->done++) {
        if (c->stop) return STOPPED;
        const State *s = &states[x->done];
        I ending, winner = 0;
        NEW_MEMO(k);
        I count = legal(s->b, moves_at, moves_at + move_room, SORTED, &ending, &winner MEMO(&k) BOUND(c));
        c->low = count < 0 ? MOVES_FULL : x->edges + count > edge_room ? EDGES_FULL : 0;
        if (c->low) return NO_ROOM;
        if (!look_ahead(s, moves_at, count, r, after, hashes, edges + x->edges, states, slots, mask, c)) return MISTAKE;
        for (I i = 0; i < count; i++) {
            u32 *slot = slot_of(states, slots, mask, &after[i], hashes[i]);
            if (!*slot) {
                c->low = x->count == room ? POSITIONS_FULL : 0;
                if (c->low) return NO_ROOM;
                states[x->count] = after[i];
                *slot = (u32)++x->count;
                x->hashed++;
            }
            edges[x->edges + i] |= *slot - 1;
        }
        x->edges += count;
        first[x->done + 1] = (u64)x->edges;
        results[x->done] = (i8)(!ending ? GOES_ON : winner == 0 ? 0 : winner == 1 ? 1 : -1);
        c->nodes++;
    }
    return x->count;
}

/* The number that an explored position has, with EXCHANGED where players were exchanged; -1 if it has none. */
EXPORT I ps_place(const Renamings *r, const State *states, u32 *slots, I mask, const u8 *in) {
    State s;
    take(&s, in);
    I exchanged = canonical(r, &s) ? EXCHANGED : 0;
    u32 number = *slot_of(states, slots, mask, &s, hash_state(&s));
    return number ? exchanged | (number - 1) : -1;
}

/* Which positions lead to each: those of position i stand in before[back[i]] to before[back[i + 1] - 1]. */
static int turn_around(Control *c, I count, const u64 *first, const u32 *edges, u64 *back, u32 *before) {
    for (I i = 0; i < count && !c->stop; i++)
        for (u64 k = first[i]; k < first[i + 1]; k++) back[edges[k] & ~EXCHANGED]++;
    for (I i = 1; i <= count; i++) back[i] += back[i - 1];
    for (I i = count; i-- > 0 && !c->stop;)
        for (u64 k = first[i + 1]; k-- > first[i];) before[--back[edges[k] & ~EXCHANGED]] = (u32)i | (edges[k] & EXCHANGED);
    return !c->stop;
}

/* What each position is worth by best play: 1 or -1 where the first or the second player wins, and the number of moves
   to the end; else 0.  From the ends backwards: who can move to a position that is won for him wins, who can only move
   to lost ones loses when the last of them is known.  back, left and values hold zeros. */
EXPORT I ps_values(Control *c, I count, const State *states, const u64 *first, const u32 *edges, const i8 *results,
                   u64 *back, u32 *before, u32 *left, u32 *queue, i8 *values, u32 *distances) {
    I known = 0;
    if (!turn_around(c, count, first, edges, back, before)) return STOPPED;
    for (I i = 0; i < count; i++) {
        left[i] = (u32)(first[i + 1] - first[i]);
        if (results[i] == 0 || results[i] == GOES_ON) continue;
        values[i] = results[i];
        queue[known++] = (u32)i;
    }
    for (I at = 0; at < known; at++) {
        if (c->stop) return STOPPED;
        u32 i = queue[at];
        for (u64 k = back[i]; k < back[i + 1]; k++) {
            u32 from = before[k] & ~EXCHANGED;
            i8 value = before[k] & EXCHANGED ? -values[i] : values[i];
            if (values[from] || (states[from].b[0] != (value == 1 ? 1 : 2) && --left[from])) continue;
            values[from] = value;
            distances[from] = distances[i] + 1;
            queue[known++] = from;
        }
        c->nodes++;
    }
    return known;
}
