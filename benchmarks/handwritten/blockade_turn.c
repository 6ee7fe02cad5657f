/* The positions after a turn, by both Blockade programs, which include this: a worklist over the positions within the
   turn, each of which is met once.  Every action adds one piece to those that have acted, so whatever leads to a
   position stands before it in the list, and its number of ways is complete when it is its turn.

   Used: Board, hash, same; the including file defines `leave`, which calls `arrive` for each position after a move. */

typedef struct {
    Board *list;
    u64 *slots; /* 1 + place in the list, below the upper half of the hash; a power of two of them, at least 2 * room */
    u32 count, room, mask;
} Positions;

typedef struct {
    Positions inner, ends;
    u64 *ways; /* orders that lead to each inner position */
    u64 turns;
    int full;
} Turn;

static void leave(Turn *t, u32 at);

/* The place of a position, which is the old `count` if it is new. */
static inline u32 place(Positions *p, const Board *b) {
    u64 h = hash(b), tag = h & 0xFFFFFFFF00000000ULL;
    u32 at = (u32)h & p->mask;
    for (; p->slots[at]; at = (at + 1) & p->mask)
        if ((p->slots[at] & 0xFFFFFFFF00000000ULL) == tag && same(&p->list[(u32)p->slots[at] - 1], b))
            return (u32)p->slots[at] - 1;
    if (p->count == p->room) return p->room;
    p->list[p->count++] = *b;
    p->slots[at] = tag | p->count;
    return p->count - 1;
}

static inline void arrive(Turn *t, const Board *b, int ends, u64 ways) {
    if (ends) {
        t->turns += ways;
        t->full |= place(&t->ends, b) == t->ends.room;
        return;
    }
    u32 before = t->inner.count, at = place(&t->inner, b);
    if (at == t->inner.room) {
        t->full = 1;
        return;
    }
    t->ways[at] = at == before ? ways : t->ways[at] + ways;
}

/* result: distinct positions after the turn, ordered turns, positions within it.  0 if there is no room for them. */
EXPORT int turn(const Board *b, Board *inner, Board *ends, u64 *ways, u64 *inner_slots, u64 *end_slots, u32 room,
                long long *result) {
    Turn t = {{inner, inner_slots, 0, room, 2 * room - 1}, {ends, end_slots, 0, room, 2 * room - 1}, ways, 0, 0};
    for (u32 i = 0; i < 2 * room; i++) inner_slots[i] = end_slots[i] = 0;
    place(&t.inner, b);
    ways[0] = 1;
    for (u32 at = 0; at < t.inner.count && !t.full; at++) leave(&t, at);
    result[0] = t.ends.count, result[1] = (long long)t.turns, result[2] = t.inner.count;
    return !t.full;
}
