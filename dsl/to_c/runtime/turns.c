/* --------------------------------------------------------------------------------------------- a turn */

/* A position as a key. */
typedef struct {
    u64 w[PACKED];
} Key;

static u64 hash_key(const Key *k) {
    u64 h = 0, odd = 0x9E3779B97F4A7C15ULL; /* a sum of products, whose high bits are good ones */
    for (int i = 0; i < PACKED; i++, odd += 0xBF58476D1CE4E5B8ULL) h += (k->w[i] ^ k->w[i] >> 32) * odd;
    h = (h ^ h >> 32) * 0x94D049BB133111EBULL;
    return h ^ h >> 32;
}

static int same_key(const Key *a, const Key *b) {
    u64 different = 0;
    for (int i = 0; i < PACKED; i++) different |= a->w[i] ^ b->w[i];
    return !different;
}

/* A set of positions: `slots` (a power of two) hold numbers of `list` from 1, 0 is free. */
typedef struct {
    Key *list;
    u32 *slots;
    I count, room, mask;
} Positions;

/* The number of a position from 0, which is `count` as it was before if it is new; NO_ROOM. */
static I number_of(Positions *p, const Key *key, u64 hash) {
    I at = (I)(hash & (u64)p->mask);
    for (; p->slots[at]; at = (at + 1) & p->mask)
        if (same_key(&p->list[p->slots[at] - 1], key)) return p->slots[at] - 1;
    if (p->count == p->room) return NO_ROOM;
    p->list[p->count] = *key;
    p->slots[at] = (u32)++p->count;
    return p->count - 1;
}

/* A position that a move leads to. */
typedef struct {
    State s;
    Key key;
    u64 hash;
    I ends; /* the turn */
} Child;

/* A position on the way, with its children from `first` on, which are tried in order, and the turns found so far. */
typedef struct {
    I node, first, count, next;
    u64 turns;
} Frame;

/* Adds to the turns of a position; too many for a number remain the greatest. */
static void add_turns(Frame *f, u64 more, I *too_many) {
    f->turns += more;
    if (f->turns < more) f->turns = ~0ULL, *too_many = 1;
}

EXPORT I ps_frame_size(void) { return sizeof(Frame); }
EXPORT I ps_key_size(void) { return sizeof(Key); }
EXPORT I ps_child_size(void) { return sizeof(Child); }

/* All children of a position.  They are made before any of them is looked up, so that memory is fetched meanwhile. */
static int make_children(const u8 *s, const Move *list, I count, Child *children, const Positions *walked,
                         const Positions *ended, Control *c MEMO(Memo *k)) {
    for (I i = 0; i < count; i++) {
        children[i].s.w[WORDS - 1] = 0;
        if (!apply(s, list[i], children[i].s.b, &c->error MEMO(k) BOUND(c))) return 0;
    }
    for (I i = 0; i < count; i++) {
        Child *child = &children[i];
        pack(child->s.b, child->key.w);
        child->hash = hash_key(&child->key);
        child->ends = child->s.b[0] != s[0];
        const Positions *p = child->ends ? ended : walked;
        FETCH(&p->slots[child->hash & (u64)p->mask]);
    }
    for (I i = 0; i < count; i++) {
        const Positions *p = children[i].ends ? ended : walked;
        u32 number = p->slots[children[i].hash & (u64)p->mask];
        if (number) FETCH(&p->list[number - 1]), FETCH(&p->list[number - 1].w[PACKED - 1]);
    }
    return 1;
}

/* Walks the positions of one turn, each once, depth first in the order of moves.  `ends` gets the distinct positions
   after the turn in the order in which they are found.  `turns[i]` is the number of ways to complete the turn from
   position i; the first is the answer.  low is 1 where a turn can come back to a position, high where there are more
   turns than a number holds.  There is room for so many positions of each kind, positions on the way, and moves of all
   of these together; where there are not enough positions low is 2. */
EXPORT I ps_turn(Control *c, const u8 *in, Key *inner, u32 *inner_slots, u64 *turns, Key *end_keys, u32 *end_slots,
                 u8 *ends, I room, Frame *frames, I frame_room, Move *moves_at, Child *children, I move_room) {
    enum { OPEN = 0 };
    Positions walked = {inner, inner_slots, 0, room, 2 * room - 1};
    Positions ended = {end_keys, end_slots, 0, room, 2 * room - 1};
    Frame *f = &frames[0];
    State start;
    Key key;
    I ending, winner;
    for (I i = 0; i < 2 * room; i++) inner_slots[i] = end_slots[i] = 0;
    take(&start, in);
    pack(start.b, key.w);
    number_of(&walked, &key, hash_key(&key));
    turns[0] = OPEN;
    f->node = f->first = f->next = 0, f->turns = 0;
    c->low = c->high = 0;
    NEW_MEMO(known);
    f->count = legal(start.b, moves_at, moves_at + move_room, SORTED, &ending, &winner MEMO(&known) BOUND(c));
    if (f->count < 0) return f->count;
    if (!make_children(start.b, moves_at, f->count, children, &walked, &ended, c MEMO(&known))) return MISTAKE;
    while (f >= frames) {
        if (f->next == f->count) {
            turns[f->node] = f->turns;
            u64 found = f->turns;
            if (--f >= frames) add_turns(f, found, &c->high);
            continue;
        }
        if (c->stop) return STOPPED;
        c->nodes++;
        const Child *child = &children[f->first + f->next++];
        if (!child->ends) {
            I before = walked.count, number = number_of(&walked, &child->key, child->hash);
            if (number < 0) c->low = POSITIONS_ARE_FULL;
            if (number < 0) return NO_ROOM;
            if (number < before) {
                if (turns[number] == OPEN) c->low = 1;
                add_turns(f, turns[number], &c->high);
                continue;
            }
            turns[number] = OPEN;
            if (f + 1 == frames + frame_room) return NO_ROOM;
            Frame *next = f + 1;
            NEW_MEMO(k);
            next->first = f->first + f->count;
            next->count = legal(child->s.b, moves_at, moves_at + (move_room - next->first), SORTED, &ending, &winner MEMO(&k) BOUND(c));
            if (next->count < 0) return next->count;
            if (next->count > 0) {
                next->node = number, next->next = 0, next->turns = 0;
                if (!make_children(child->s.b, moves_at, next->count, children + next->first, &walked, &ended,
                                   c MEMO(&k)))
                    return MISTAKE;
                f = next;
                continue;
            }
            turns[number] = 1; /* the game is over within the turn */
        }
        add_turns(f, 1, &c->high);
        I before = ended.count, number = number_of(&ended, &child->key, child->hash);
        if (number < 0) c->low = POSITIONS_ARE_FULL;
        if (number < 0) return NO_ROOM;
        if (number == before) give(ends + number * SIZE, child->s.b);
        c->ended = ended.count;
    }
    return ended.count;
}
