/* What Python asks.  Every buffer comes from outside; numbers of things are returned, or one of these. */

#define EXPORT __attribute__((visibility("default")))
#define ABI 3 /* as in pysolve/engines/build.py */
enum { NO_ROOM = -1, MISTAKE = -2, STOPPED = -3, ENDLESS = -4, UNSOUND = -5 };
#define UNSOUND_VALUE (-0x7fffffffffffffffLL - 1) /* no estimate is so low */

EXPORT I ps_abi(void) { return ABI; }

static I last_mover(const u8 *s) {
#if KEPT >= 0
    if (s[KEPT] == 1) return s[0];
#endif
    return 3 - s[0];
}

/* The ending that holds, for who has just moved; 0 if none does. */
static I ends(const u8 *s, I turns, I times, I *winner BOUND(Control *c)) {
    NEW_MEMO(k);
    BEGIN(c);
    return over(s, last_mover(s) MEMO(&k) BOUND(c), turns, times, winner);
}

static UNUSED I mobility(const u8 *s, I m BOUND(Control *c)) {
    enum { ROOM = 1 << 14 };
    Move found[ROOM];
    NEW_MEMO(k);
    return moves(s, m MEMO(&k) BOUND(c), found, found + ROOM, NUMBER) - found;
}

static UNUSED I is_mobile(const u8 *s, I m BOUND(Control *c)) {
    NEW_MEMO(k);
    return any(s, m MEMO(&k) BOUND(c));
}

/* Legal moves from `out` on; the ending and the winner if there are none, because the game is over. */
static I legal(const u8 *s, Move *out, Move *end, int wanted, I *ending, I *winner MEMO(Memo *k) BOUND(Control *c)) {
    *ending = ends(s, 0, 1, winner BOUND(c));
    if (*ending) return 0;
    Move *last = moves(s, s[0] MEMO(k) BOUND(c), out, end, wanted);
    if (CUT(c)) return STOPPED;
    if (last == end) return NO_ROOM;
    if (last == out) {
#if PASSES
        *out = (Move)PASS_KIND << KIND_SHIFT;
        return 1;
#else
        *ending = stuck(s, s[0] MEMO(k) BOUND(c), winner);
#endif
    }
    return last - out;
}

static void take(State *to, const u8 *from) {
    to->w[WORDS - 1] = 0;
    copy(to->b, from, SIZE);
}

static void give(u8 *to, const u8 *from) { copy(to, from, SIZE); }

/* A state variable, or a run of them: its bytes, how many of them make a value, and the numbers that they may hold. */
typedef struct {
    i32 begin, end, width, low, high;
} Field;

static int in_range(const u8 *at, I count, u8 low, u8 high) {
    I i = 0;
    u8 wrong = 0, span = high - low;
#if defined(__SSE2__) && !defined(__TINYC__)
    typedef u8 Bytes __attribute__((vector_size(16)));
    typedef Bytes BytesAnywhere __attribute__((aligned(1), may_alias));
    Bytes beyond = {0};
    for (; i + 16 <= count; i += 16) beyond |= (Bytes)(*(const BytesAnywhere *)(at + i) - low > span);
    for (I byte = 0; i && byte < 16; byte++) wrong |= beyond[byte];
#endif
    for (; i < count; i++) wrong |= (u8)(at[i] - low) > span;
    return !wrong;
}

/* Is this a position: does every state variable hold one of its values?  Rules may trust what has passed here. */
static int is_sound(const u8 *s) {
    static const Field fields[] = {FIELDS};
    for (u32 i = 0; i < sizeof fields / sizeof *fields; i++) {
        Field field = fields[i];
        if (field.width == 1) {
            if (!in_range(s + field.begin, field.end - field.begin, (u8)field.low, (u8)field.high)) return 0;
            continue;
        }
        for (I at = field.begin; at < field.end; at += 2) {
            I value = 255 * s[at] + s[at + 1];
            if (s[at + 1] == 255 || value < field.low || value > field.high) return 0;
        }
    }
    return 1;
}

/* Which of `count` states, one behind the other, is the first that is none; `count` if all are. */
EXPORT I ps_sound(const u8 *in, I count) {
    for (I i = 0; i < count; i++)
        if (!is_sound(in + i * SIZE)) return i;
    return count;
}

/* Do moves have to be tried to know that none is a mistake? */
EXPORT I ps_tries(void) { return MAY_FAIL; }

/* Can a question about one position take so long that its steps are counted? */
EXPORT I ps_bounded(void) { return BOUNDED; }

/* result: ending, winner.  The number of moves; a mistake in one of them is a mistake here.  `children`, for as many
   positions as there is room for moves and a word more, gets the positions after the moves if ps_tries says so. */
EXPORT I ps_expand(UNUSED Control *c, const u8 *in, Move *out, I room, I *result, UNUSED u8 *children) {
    State s;
    if (!is_sound(in)) return UNSOUND;
    take(&s, in);
    result[1] = 0;
    NEW_MEMO(k);
    I count = legal(s.b, out, out + room, SORTED, &result[0], &result[1] MEMO(&k) BOUND(c));
#if MAY_FAIL
    for (I i = 0; i < count; i++)
        if (!apply(s.b, out[i], children + i * SIZE, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
#endif
    return count;
}

/* The positions after `count` legal moves, one behind the other; a word more is written than they need. */
EXPORT I ps_children(Control *c, const u8 *in, const Move *list, I count, u8 *out) {
    State s;
    take(&s, in);
    NEW_MEMO(k);
    for (I i = 0; i < count; i++) {
        BEGIN(c);
        if (!apply(s.b, list[i], out + i * SIZE, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
    }
    return count;
}

/* The same for `count` positions, one behind the other, as many of them as there is room for: how many.  about: number
   of moves, ending, winner, for each.  The positions after the moves are found if they are `wanted`. */
EXPORT I ps_expand_many(Control *c, const u8 *in, I count, Move *out, I room, I *about, u8 *children, I wanted) {
    I used = 0;
    State s, t;
    for (I i = 0; i < count; i++) {
        if (c->stop) return STOPPED;
        take(&s, in + i * SIZE);
        NEW_MEMO(k);
        about[3 * i + 2] = 0;
        I found = legal(s.b, out + used, out + room, SORTED, &about[3 * i + 1], &about[3 * i + 2] MEMO(&k) BOUND(c));
        if (found < 0) return i ? i : found;
        about[3 * i] = found;
        for (I m = 0; (wanted || MAY_FAIL) && m < found; m++) {
            u8 *child = wanted ? children + (used + m) * SIZE : t.b;
            if (!apply(s.b, out[used + m], child, &c->error MEMO(&k) BOUND(c))) {
                c->low = i;
                return MISTAKE;
            }
        }
        used += found;
        c->nodes++;
    }
    return count;
}

/* The estimates of `count` positions for the first player. */
EXPORT I ps_estimate_many(Control *c, const u8 *in, I count, I *out) {
    State s;
    for (I i = 0; i < count; i++) {
        if (c->stop) return STOPPED;
        take(&s, in + i * SIZE);
        NEW_MEMO(k);
        BEGIN(c);
        out[i] = estimate(s.b MEMO(&k) BOUND(c));
        c->nodes++;
    }
    return count;
}

EXPORT I ps_start(Control *c, u64 seed, u8 *out) {
    State t;
    t.w[WORDS - 1] = 0;
    if (!setup(t.b, &seed, &c->error BOUND(c))) return MISTAKE;
    give(out, t.b);
    return 1;
}

EXPORT I ps_estimate(UNUSED Control *c, const u8 *in) {
    State s;
    if (!is_sound(in)) return UNSOUND_VALUE;
    take(&s, in);
    NEW_MEMO(k);
    return estimate(s.b MEMO(&k) BOUND(c));
}

/* The ending that holds after so many turns, where the position has occurred so many times. */
EXPORT I ps_judge(UNUSED Control *c, const u8 *in, I turns, I times, I *winner) {
    State s;
    if (!is_sound(in)) return UNSOUND;
    take(&s, in);
    *winner = 0;
    return ends(s.b, turns, times, winner BOUND(c));
}

/* What an ending compares; `stuck`: that of the player who cannot move, else of who has just moved. */
EXPORT I ps_standing(UNUSED Control *c, const u8 *in, I number, I stuck, I *out) {
    State s;
    NEW_MEMO(k);
    if (!is_sound(in)) return UNSOUND;
    take(&s, in);
    BEGIN(c);
    return standing(s.b, stuck ? s.b[0] : last_mover(s.b) MEMO(&k) BOUND(c), number, out);
}

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
    enum { OPEN = 0, POSITIONS_ARE_FULL = 2 };
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

/* Draws a legal move; there is room for `size` moves.  0 if there is none, or NO_ROOM. */
static I draw_move(const u8 *s, u64 lot, UNUSED Move *room, UNUSED I size, Move *move MEMO(Memo *k) BOUND(Control *c)) {
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

/* A game of random moves from `from` on, at most `longest` of them: the winner, 0 for a draw, 3 if it is not
   finished. */
static I random_game(Control *c, Past h, const State *from, u64 lots, I longest, Move *room, I size, I *plies) {
    State two[2], *s = &two[0], *t = &two[1];
    *s = *from;
    for (I ply = 0;; ply++) {
        I ending, winner = 0, found = 0;
        Move move = 0;
        if (c->stop) return STOPPED;
        NEW_MEMO(k);
        ending = ends(s->b, h.turns, times_met(&h, s), &winner BOUND(c));
        if (!ending && ply < longest) {
            found = draw_move(s->b, draw(&lots), room, size, &move MEMO(&k) BOUND(c));
            if (found < 0) return found;
            if (!found) {
#if PASSES
                move = (Move)PASS_KIND << KIND_SHIFT;
#else
                ending = stuck(s->b, s->b[0] MEMO(&k) BOUND(c), &winner);
#endif
            }
        }
        *plies = ply;
        if (ending) return winner;
        if (ply == longest) return 3;
        if (!apply(s->b, move, t->b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        h.length++;
        h.turns += t->b[0] != s->b[0];
        State *before = s;
        s = t, t = before;
    }
}

/* Plays `games` games of random moves, each of at most `longest` moves, and counts results[winner]: 0 a draw, 1 and 2
   the players, 3 not finished; results[4] is the number of moves.  `path` has room for the positions of a game, and a
   word for each behind them.  Game i has lots of its own, drawn from seed + i. */
EXPORT I ps_playouts(Control *c, const u8 *in, I games, u64 seed, I longest, State *path, Move *room, I size,
                     I *results) {
    State s;
    const Past none = {.path = path, .hashes = (u64 *)(path + longest + 1)};
    take(&s, in);
    for (int i = 0; i < 5; i++) results[i] = 0;
    for (I game = 0; game < games; game++) {
        u64 first = seed + (u64)game;
        I plies = 0, winner = random_game(c, none, &s, draw(&first), longest, room, size, &plies);
        if (winner < 0) return winner;
        results[winner]++;
        results[4] += plies;
        c->nodes += plies;
    }
    return games;
}

/* ----------------------------------------------------------------------------- Monte Carlo tree search */

/* Values are whole numbers, ONE is a win; pysolve/search/mcts.py says the same in Python, and why. */
enum { ONE = 1 << 20, FINE = 1 << 10, COUNTED = 10, TREE_DEEPEST = 512, GAME_LONGEST = 1000, UNKNOWN = 2 };
enum { PATH_ROOM = TREE_DEEPEST + GAME_LONGEST + 2 };

/* A node of the tree: a position as it is reached by one way.  Values are for the first player. */
typedef struct {
    I total;           /* of all visits */
    i32 value, prior;  /* now, and what `evaluate` said before */
    u32 first, count, opened; /* its children, and how many of them, the first ones, have been visited */
    u32 visits, index; /* index: the number of the move that leads here */
    i8 sign, proven;   /* 1 if the first player is to move, else -1; UNKNOWN or the result */
    i8 drawn;          /* is a child proven to be a draw? */
    Move move;
} Way;

/* What a tree keeps; it is made by ps_tree_size bytes of zeros.  Then what it is given for each question. */
typedef struct {
    I used, sizes, sized, played;
    Control *c;
    Way *ways;
    I room, explore, bias, evaluates, takes_best;
    const I *roots_of_logs, *inverse_roots;
    Move *moves, *end;
    u64 lots;
    Past past;
} Tree;

EXPORT I ps_tree_size(void) { return sizeof(Tree); }
EXPORT I ps_way_size(void) { return sizeof(Way); }
EXPORT I ps_tree_played(const Tree *t) { return t->played; }

/* An estimate between loss and win, by the average size of those so far. */
static i32 pressed(Tree *t, I estimate) {
    I size = absolute(estimate);
    t->sizes += size;
    t->sized++;
    I value = size ? size * ONE / (size + t->sizes / t->sized) : 0;
    return (i32)(estimate > 0 ? value : -value);
}

/* Where a count stands in the tables. */
static I place_of_count(u64 count) {
    int more = count >> COUNTED ? highest_bit(count) - COUNTED + 1 : 0;
    return ((I)more << (COUNTED - 1)) + (I)(count >> more);
}

/* Has a position children?  If it has none yet, it gets them as far as there is room.  Negative: what went wrong. */
static I unfold(Tree *t, Way *w, const State *s, I depth) {
    if (w->count) return 1;
    I ending, winner;
    NEW_MEMO(k);
    I count = legal(s->b, t->moves, t->end, SORTED, &ending, &winner MEMO(&k) BOUND(t->c));
    if (count < 0) return count;
    if (t->used + count > t->room || depth >= TREE_DEEPEST) return 0;
    Way *children = t->ways + t->used;
    for (I i = 0; i < count; i++) {
        children[i] = (Way){.index = (u32)i, .move = t->moves[i], .proven = UNKNOWN};
        if (t->bias) {
            State after;
            if (!apply(s->b, t->moves[i], after.b, &t->c->error MEMO(&k) BOUND(t->c))) return MISTAKE;
            NEW_MEMO(known);
            children[i].prior = pressed(t, estimate(after.b MEMO(&known) BOUND(t->c)));
        }
    }
    for (I last = count - 1; last > 0; last--) {
        I at = (I)draw_below(&t->lots, (u64)last + 1);
        Way other = children[at];
        children[at] = children[last];
        children[last] = other;
    }
    w->first = (u32)t->used, w->count = (u32)count;
    t->used += count;
    return 1;
}

/* A child that was never visited: the next one, or the best of the rest as `evaluate` says. */
static Way *fresh_child(const Tree *t, Way *w) {
    Way *children = t->ways + w->first, *next = children + w->opened, *best = next;
    if (t->bias)
        for (Way *one = next + 1; one < children + w->count; one++)
            if (w->sign * one->prior > w->sign * best->prior) best = one;
    Way other = *best;
    *best = *next;
    *next = other;
    w->opened++;
    return next;
}

/* The child that the next visit goes to. */
static Way *chosen_child(const Tree *t, Way *w) {
    if (w->opened < w->count) return fresh_child(t, w);
    Way *children = t->ways + w->first, *best = children;
    I log = t->roots_of_logs[place_of_count(w->visits)], highest = -(1LL << 62);
    for (Way *one = children; one < children + w->count; one++) {
        if (one->proven != UNKNOWN) continue;
        I root = t->inverse_roots[place_of_count(one->visits)];
        I promise = w->sign * one->value + (t->explore * (log * root >> 20) >> 10);
        if (t->bias) promise += floor_div(t->bias * w->sign * one->prior, FINE * ((I)one->visits + 1));
        if (promise > highest) best = one, highest = promise;
    }
    return best;
}

/* The value of a leaf; negative errors come back in `wrong`. */
static I leaf_value(Tree *t, Way *w, const State *s, Past *h, I seed, I *wrong) {
    NEW_MEMO(k);
    if (!w->visits) {
        I winner = 0, ending = ends(s->b, h->turns, times_met(h, s), &winner BOUND(t->c));
#if !PASSES
        if (!ending && !any(s->b, s->b[0] MEMO(&k) BOUND(t->c))) ending = stuck(s->b, s->b[0] MEMO(&k) BOUND(t->c), &winner);
#endif
        if (CUT(t->c)) {
            *wrong = STOPPED;
            return 0;
        }
        w->sign = s->b[0] == 1 ? 1 : -1;
        if (ending) {
            w->proven = (i8)(winner == 0 ? 0 : winner == 1 ? 1 : -1);
            return w->proven * ONE;
        }
    }
    if (t->evaluates) {
        I value = pressed(t, estimate(s->b MEMO(&k) BOUND(t->c)));
        *wrong = CUT(t->c) ? STOPPED : 0;
        return value;
    }
    u64 first = (u64)seed;
    I plies = 0, winner = random_game(t->c, *h, s, draw(&first), GAME_LONGEST, t->moves, t->end - t->moves, &plies);
    if (winner < 0 || CUT(t->c)) {
        *wrong = winner < 0 ? winner : STOPPED;
        return 0;
    }
    t->played += plies;
    return winner == 1 ? ONE : winner == 2 ? -ONE : 0;
}

/* What a position is proven to be, by its children. */
static i8 proof_of(const Tree *t, const Way *w) {
    const Way *children = t->ways + w->first;
    I known = 0, best = -1;
    for (const Way *one = children; one < children + w->opened; one++) {
        if (one->proven == UNKNOWN) continue;
        if (one->proven == w->sign) return w->sign;
        known++;
        best = most(best, w->sign * one->proven);
    }
    return (i8)(known == w->count ? w->sign * best : UNKNOWN);
}

static i32 worth_of(const Tree *t, const Way *w) {
    if (w->proven != UNKNOWN) return w->proven * ONE;
    if (!t->takes_best || !w->count || w->opened < w->count) {
        i32 mean = (i32)floor_div(w->total, w->visits);
        return w->drawn && w->sign * mean < 0 ? 0 : mean;
    }
    const Way *children = t->ways + w->first;
    i32 best = -ONE;
    for (const Way *one = children; one < children + w->count; one++) best = (i32)most(best, w->sign * one->value);
    return w->sign * best;
}

/* One visit: down to a leaf, and its value back up.  Negative: what went wrong, and then nothing has changed. */
static I grow(Tree *t, State s, I seed) {
    Way *path[TREE_DEEPEST + 1], *w = t->ways;
    Past h = t->past;
    I depth = 0, wrong = 0;
    path[depth++] = w;
    while (w->proven == UNKNOWN && w->visits) {
        I open = unfold(t, w, &s, depth);
        if (open < 0) return open;
        if (!open) break;
        State after;
        Way *next = chosen_child(t, w);
        if (!apply(s.b, next->move, after.b, &t->c->error NO_MEMO BOUND(t->c))) return MISTAKE;
        remember(&h, &s);
        h.length++;
        h.turns += after.b[0] != s.b[0];
        s = after;
        path[depth++] = w = next;
    }
    I value = leaf_value(t, w, &s, &h, seed, &wrong);
    if (wrong) {
        if (depth > 1 && !w->visits) path[depth - 2]->opened--;
        return wrong;
    }
    i8 proven = UNKNOWN; /* what the position below has been proven to be */
    while (depth > 0) {
        w = path[--depth];
        w->visits++;
        w->total += value;
        if (proven != UNKNOWN) {
            w->drawn |= proven == 0;
            w->proven = proof_of(t, w);
        }
        proven = w->proven;
        w->value = worth_of(t, w);
    }
    return 0;
}

/* Grows a tree by `visits`, or without a limit if that is negative, or until its root is proven.
   how: room, explore, bias, does `evaluate` judge leaves, is a position worth its best child. */
EXPORT I ps_grow(Control *c, const u8 *in, I visits, u64 seed, Tree *t, Way *ways, const I *how, const I *roots_of_logs,
                 const I *inverse_roots, State *path, I turns, const State *before, const I *times, I count,
                 Move *moves_at, I size) {
    State s;
    take(&s, in);
    u64 first = ~seed;
    t->c = c, t->ways = ways, t->moves = moves_at, t->end = moves_at + size, t->lots = draw(&first);
    t->room = how[0], t->explore = how[1], t->bias = how[2], t->evaluates = how[3], t->takes_best = how[4];
    t->roots_of_logs = roots_of_logs, t->inverse_roots = inverse_roots;
    t->past = (Past){.path = path, .hashes = (u64 *)(path + PATH_ROOM), .turns = turns, .before = before, .times = times,
                     .count = count};
    if (!t->used) {
        t->used = 1;
        ways[0] = (Way){.proven = UNKNOWN, .sign = s.b[0] == 1 ? 1 : -1};
    }
    for (I number = 0; number != visits && ways[0].proven == UNKNOWN; number++) {
        if (c->stop) return STOPPED;
        I wrong = grow(t, s, (I)(seed + (u64)number));
        if (wrong) return wrong;
        c->nodes++;
    }
    return 0;
}

/* What is known of a position: the number of its move, its index, sign, visits, value, proof, and where its children
   begin; how many of them were visited. */
EXPORT I ps_way(const Way *ways, I at, I *out) {
    const Way *w = &ways[at];
    out[0] = (I)w->move, out[1] = w->index, out[2] = w->sign, out[3] = w->visits, out[4] = w->value;
    out[5] = w->proven, out[6] = w->first;
    return w->opened;
}

/* Copies what is below a position into the room for another tree, position by position, children side by side. */
EXPORT I ps_advance(Tree *t, const Way *from, I at, Way *to) {
    I used = 1;
    to[0] = from[at];
    for (I i = 0; i < used; i++) {
        const Way *children = from + to[i].first;
        if (!to[i].count) continue;
        to[i].first = (u32)used;
        for (u32 k = 0; k < to[i].count; k++) to[used++] = children[k];
    }
    return t->used = used;
}

/* --------------------------------------------------------------------------------------------- search */

enum { WIN = 1000000, BACK = 1 - WIN, NOTHING = -4 * WIN, DEEPEST = 128, BEYOND = 4, EXACT = 0, LOWER = 1, UPPER = 2 };
#define ORDERED (MOVE_BITS <= 20) /* is there a table of which moves were good? */

typedef struct {
    Key key;
    i32 value;
    u32 generation, best;
    u8 depth, bound;
    u16 check;
} Entry;

/* A position that was visited within a turn; turns have numbers. */
typedef struct {
    Key key;
    u32 turn, slot;
} Mark;

/* What a search keeps; it is made by ps_search_size bytes of zeros. */
typedef struct {
    Control *c;
    Mark *marks;    /* of all turns that are not finished, one behind the other */
    u32 *mark_slots; /* where they are: twice as many, each 0 or the number of a mark from 1, tagged */
    I marked, mark_mask, mark_room, by_turns, kinds, captures;
    const I *back; /* the places of the first moves that lead back to what was left before, and how many they are */
    I backs;
    const I *tried; /* the places of all first moves in the order in which they are tried; 0: as they promise */
    u32 turn; /* the number of the last one that was begun */
    Entry *table;
    I mask, limit, count, most_nodes;
    u32 generation, shared; /* shared: other threads use the table, too */
    volatile u64 *busy; /* which moves threads are searching */
    u64 *history, *promises; /* one promise for each move that there is room for */
    Move *first, *end;
    Move killers[DEEPEST + BEYOND + 1][2];
    Move line[DEEPEST + BEYOND + 1][DEEPEST + BEYOND + 1];
    I length[DEEPEST + BEYOND + 2];
} Search;

EXPORT I ps_search_size(void) { return sizeof(Search); }
EXPORT I ps_mark_size(void) { return sizeof(Mark); }
EXPORT I ps_entry_size(void) { return sizeof(Entry); }

/* The entry of a position, or the free one where it belongs. */
static Entry *entry_of(Search *p, const Key *k) {
    I at = (I)(hash_key(k) & (u64)p->mask);
    while (p->table[at].generation == p->generation && !same_key(&p->table[at].key, k)) at = (at + 1) & p->mask;
    return &p->table[at];
}

/* Sixteen bits of all the rest: in a shared table an entry that two threads have written at once does not fit. */
static u16 check_of(const Entry *e) {
    u64 h = hash_key(&e->key) ^ ((u64)(u32)e->value << 32 | e->generation) * 0x9E3779B97F4A7C15ULL;
    h ^= ((u64)e->best << 16 | (u64)e->depth << 8 | e->bound) * 0xBF58476D1CE4E5B9ULL;
    return (u16)(h ^ h >> 16 ^ h >> 32 ^ h >> 48);
}

/* Is anything known of a position?  `place` is where it belongs, `seen` what is there. */
static int look_up(Search *p, const Key *k, Entry **place, Entry *seen) {
    if (!p->shared) {
        *place = entry_of(p, k);
        *seen = **place;
        return seen->generation == p->generation;
    }
    Entry *four = &p->table[hash_key(k) & (u64)p->mask & ~3ULL];
    *place = four; /* else the one that is searched least gives way */
    for (int i = 0; i < 4; i++) {
        *seen = four[i];
        if (same_key(&seen->key, k) && seen->generation == p->generation && seen->check == check_of(seen)) {
            *place = &four[i];
            return 1;
        }
        if (four[i].depth < (*place)->depth) *place = &four[i];
    }
    return 0;
}

/* Goes on with the next table, which stands behind this one and is eight times as large, or as large as it must be. */
static void enlarge(Search *p) {
    const Entry *small = p->table;
    I entries = p->mask + 1;
    p->table += entries;
    for (int i = 0; i < 3 && p->mask < 2 * p->limit - 1; i++) p->mask = 2 * p->mask + 1;
    for (I i = 0; i < entries; i++)
        if (small[i].generation == p->generation) *entry_of(p, &small[i].key) = small[i];
}

/* Notes what was found out; `place` is where the position belonged when it was looked up.  A table of one thread is
   emptied when it is full; in a shared one an entry gives way to another. */
static void keep(Search *p, Entry *place, const Key *k, I depth, I bound, I value, I best) {
    Entry e = {*k, (i32)value, p->generation, (u32)best, (u8)depth, (u8)bound, 0};
    if (p->shared) {
        e.check = check_of(&e);
        *place = e;
        return;
    }
    if (place < p->table || (place->generation == p->generation && !same_key(&place->key, k))) place = entry_of(p, k);
    if (place->generation != p->generation) {
        if (p->count == p->limit) {
            e.generation = ++p->generation;
            p->count = 0;
            place = entry_of(p, k);
        } else if (2 * p->count > p->mask) {
            enlarge(p);
            place = entry_of(p, k);
        }
        p->count++;
    }
    *place = e;
}

static I value_for_mover(const u8 *s MEMO(Memo *k) BOUND(Control *c)) {
    I value = estimate(s MEMO(k) BOUND(c));
    return s[0] == 1 ? value : -value;
}

/* The value of a finished game for the player to move, `depth` moves before the horizon: sooner is better. */
static I value_of_end(const u8 *s, I winner, I depth) {
    return winner == 0 ? 0 : winner == s[0] ? WIN + depth : -(WIN + depth);
}

/* Beside the number of a mark, which has 21 bits at most, stand bits of its hash: they tell most marks apart before one
   looks at them. */
#define TAG_SHIFT 21
#define FEW_MARKS 1024

static u32 tag_of(u64 hash) { return (u32)(hash >> 43) << TAG_SHIFT; }
static u64 mark_hash(const Key *k, u32 turn) { return hash_key(k) ^ turn * 0x9E3779B97F4A7C15ULL; }

/* Where the mark of a position in a turn is, or belongs. */
static I mark_of(const Search *p, const Key *k, u32 turn, u64 hash) {
    I at = (I)(hash & (u64)p->mark_mask);
    for (; p->mark_slots[at]; at = (at + 1) & p->mark_mask) {
        if ((p->mark_slots[at] ^ tag_of(hash)) >> TAG_SHIFT) continue;
        const Mark *mark = &p->marks[(p->mark_slots[at] & ((1U << TAG_SHIFT) - 1)) - 1];
        if (mark->turn == turn && same_key(&mark->key, k)) break;
    }
    return at;
}

/* Few marks lie close together, where they are found sooner; with more of them there are more slots. */
static void spread_marks(Search *p) {
    for (I i = 0; i < p->marked; i++) p->mark_slots[p->marks[i].slot] = 0;
    p->mark_mask = 2 * p->mark_mask + 1;
    for (I i = 0; i < p->marked; i++) {
        Mark *mark = &p->marks[i];
        u64 hash = mark_hash(&mark->key, mark->turn);
        mark->slot = (u32)mark_of(p, &mark->key, mark->turn, hash);
        p->mark_slots[mark->slot] = tag_of(hash) | (u32)(i + 1);
    }
}

/* Notes that a position of a turn is visited, if there is room; 0 if it was before. */
static int mark(Search *p, const u8 *s, u32 turn, I ply) {
    Key key;
    pack(s, key.w);
    u64 hash = mark_hash(&key, turn);
    I at = mark_of(p, &key, turn, hash);
    if (p->mark_slots[at]) return 0;
    if (p->marked < p->mark_room && ply < DEEPEST) {
        p->marks[p->marked++] = (Mark){key, turn, (u32)at};
        p->mark_slots[at] = tag_of(hash) | (u32)p->marked;
        if (2 * p->marked > p->mark_mask && p->mark_mask < 2 * p->mark_room - 1) spread_marks(p);
    }
    return 1;
}

/* Forgets the last marks. */
static void unmark(Search *p, I left) {
    while (p->marked > left) p->mark_slots[p->marks[--p->marked].slot] = 0;
}

/* Does the first move of this number lead back to a position that was left before? */
static int leads_back(const Search *p, I index) {
    for (I i = 0; i < p->backs; i++)
        if (p->back[i] == index) return 1;
    return 0;
}

static I visit(Search *p, const u8 *s, I depth, I alpha, I beta, I ply, u32 turn, Move *at);

/* The value of the position after a move; NOTHING if it was visited in this turn. */
static I visit_child(Search *p, const u8 *s, Move move, I depth, I alpha, I beta, I ply, u32 turn,
                     Move *at MEMO(Memo *k)) {
    State t;
    if (!apply(s, move, t.b, &p->c->error MEMO(k) BOUND(p->c))) {
        p->c->stop = 2;
        return 0;
    }
    if (p->by_turns && !mark(p, t.b, turn, ply + 1)) return NOTHING;
    if (t.b[0] != s[0]) return -visit(p, t.b, depth - 1, -beta, -alpha, ply + 1, 0, at);
    return visit(p, t.b, depth - !p->by_turns, alpha, beta, ply + 1, turn, at);
}

/* Where a move that is good comes: by the table, then what cut off elsewhere at this ply, then what did so anywhere. */
static u64 promise(Search *p, Move move, I index, I best, I ply) {
    if (index == best) return 3ULL << 61;
    if (move == p->killers[ply][0]) return 2ULL << 61;
    if (move == p->killers[ply][1]) return 1ULL << 61;
#if ORDERED
    return p->history[move];
#else
    return 0;
#endif
}

static void cuts_off(Search *p, Move move, I depth, I ply) {
    if (p->killers[ply][0] != move) {
        p->killers[ply][1] = p->killers[ply][0];
        p->killers[ply][0] = move;
    }
#if ORDERED
    p->history[move] += (u64)(depth * depth);
#else
    (void)depth;
#endif
}

/* The moves of a position in the order in which they are tried: it is made as far as it is asked for. */
typedef struct {
    Move *order;   /* numbers of moves */
    u64 *promises;
    I count, plain; /* plain: all that are left promise nothing */
} Order;

/* The order of `count` moves from `at` on, written behind them; 0 if there is no room. */
static int make_order(Search *p, Order *o, Move *at, I count, I best, I ply) {
    o->order = at + count, o->count = count, o->plain = 0, o->promises = p->promises + (at - p->first);
    if (o->order + count > p->end) {
        p->c->stop = 3;
        return 0;
    }
    for (I i = 0; i < count; i++) {
        o->order[i] = (Move)i;
        o->promises[i] = promise(p, at[i], i, best, ply);
    }
    return 1;
}

/* The number of the move that is tried i-th: the most promising one that is left, of equal ones the first. */
static I ordered(Order *o, I i) {
    if (!o->plain) {
        I top = i;
        for (I k = i + 1; k < o->count; k++)
            if (o->promises[k] > o->promises[top]) top = k;
        u64 here = o->promises[top];
        Move index = o->order[top];
        o->plain = here == 0;
        for (I k = top; k > i; k--) o->order[k] = o->order[k - 1], o->promises[k] = o->promises[k - 1];
        o->order[i] = index, o->promises[i] = here;
    }
    return (I)o->order[i];
}

/* A move that another thread searches is left for later: then what comes of it stands in the table. */
#define WORTH_LEAVING(p) ((p)->by_turns ? 2 : 3) /* the least depth */
#define BUSY 16384 /* places */

static volatile u64 *busy_with(const Search *p, const Key *k, Move move, u64 *name) {
    *name = (hash_key(k) ^ ((u64)move + 1) * 0x9E3779B97F4A7C15ULL) | 1;
    return &p->busy[*name >> 32 & (BUSY - 1)];
}

EXPORT I ps_busy_size(void) { return BUSY * sizeof(u64); }

/* The best line of a position begins with a move. */
static void lead(Search *p, I ply, Move move) {
    p->line[ply][0] = move;
    for (I k = 0; k < p->length[ply + 1]; k++) p->line[ply][k + 1] = p->line[ply + 1][k];
    p->length[ply] = p->length[ply + 1] + 1;
}

/* One position more: may it be looked at? */
static int counted(Search *p, I ply) {
    Control *c = p->c;
    p->length[ply] = 0;
    if (c->stop || c->nodes == p->most_nodes) {
        c->stop |= 1;
        return 0;
    }
    c->nodes++;
    return 1;
}

/* How many men of a player are on the board. */
static I men_of(const u8 *s, I player) {
    static const int men[][2] = {MEN{0, 0}}; /* from byte to byte */
    int found = 0;
    for (const int *part = men[0]; part[1]; part += 2)
        for (int i = part[0]; i < part[1]; i++) found += s[i] == player;
    return found;
}

/* Is a move one of those that go on beyond the horizon?  `men` are those of the opponent before it. */
static int goes_on(Search *p, const u8 *s, Move move, I men MEMO(Memo *k)) {
    if (p->kinds >> (move >> KIND_SHIFT) & 1) return 1;
    if (!p->captures) return 0;
    State t;
    if (!apply(s, move, t.b, &p->c->error MEMO(k) BOUND(p->c))) {
        p->c->stop = 2;
        return 0;
    }
    return men_of(t.b, 3 - s[0]) < men;
}

/* The value beyond the horizon, where only some moves go on, `left` of them at most. */
static I beyond(Search *p, const u8 *s, I alpha, I beta, I ply, I left, Move *at) {
    if (!counted(p, ply)) return 0;
    I ending, winner = 0;
    NEW_MEMO(k);
    I count = legal(s, at, p->end, SORTED, &ending, &winner MEMO(&k) BOUND(p->c));
    if (ending) return value_of_end(s, winner, left - BEYOND);
    if (count < 0) {
        p->c->stop = 3;
        return 0;
    }
    I value = NOTHING, floor = alpha, men = p->captures ? men_of(s, 3 - s[0]) : 0, going = 0;
    while (left && going < count && goes_on(p, s, at[going], men MEMO(&k))) going++;
    if (going < count) { /* there is something else to do */
        value = value_for_mover(s MEMO(&k) BOUND(p->c));
        floor = most(alpha, value);
        if (value >= beta) return value;
        for (I i = going + 1; left && i < count; i++)
            if (goes_on(p, s, at[i], men MEMO(&k))) at[going++] = at[i];
    }
    if (p->c->stop) return 0;
    Order o;
    if (!make_order(p, &o, at, going, -1, ply)) return 0;
    for (I i = 0; i < going; i++) {
        State t;
        I index = ordered(&o, i);
        if (!apply(s, at[index], t.b, &p->c->error MEMO(&k) BOUND(p->c))) {
            p->c->stop = 2;
            return 0;
        }
        I score = t.b[0] == s[0] ? beyond(p, t.b, floor, beta, ply + 1, left - 1, o.order + going)
                                 : -beyond(p, t.b, -beta, -floor, ply + 1, left - 1, o.order + going);
        if (p->c->stop) return 0;
        if (score <= value) continue;
        value = score;
        if (score <= floor) continue;
        floor = score;
        lead(p, ply, at[index]);
        if (score >= beta) break;
    }
    return value;
}

/* The value of a position for the player to move, as far as it lies between alpha and beta.  Where turns are counted,
   `turn` is the number of the turn that goes on, or 0 where one begins.  pysolve/search/minimax.py says the same in
   Python. */
static I visit(Search *p, const u8 *s, I depth, I alpha, I beta, I ply, u32 turn, Move *at) {
    if (depth == 0 && (p->kinds || p->captures)) return beyond(p, s, alpha, beta, ply, BEYOND, at);
    if (!counted(p, ply)) return 0;
    Control *c = p->c;
    I best = -1;
    int within = turn != 0, kept = depth > !p->by_turns; /* what is below is quicker to find out again */
    Entry *place = 0, seen;
    Key key;
    if (kept) {
        pack(s, key.w);
        if (look_up(p, &key, &place, &seen)) {
            best = (I)seen.best;
            if (seen.depth == depth && ply > 0) {
                I value = seen.value;
                if (seen.bound == EXACT || (seen.bound == LOWER && value >= beta) ||
                    (seen.bound == UPPER && value <= alpha))
                    return value;
            }
        }
    }
    I ending, winner = 0;
    if (depth == 0 || ply == DEEPEST) { /* who has no move is found out without listing the moves */
        NEW_MEMO(k);
        ending = ends(s, 0, 1, &winner BOUND(p->c));
#if !PASSES
        if (!ending && !any(s, s[0] MEMO(&k) BOUND(p->c))) ending = stuck(s, s[0] MEMO(&k) BOUND(p->c), &winner);
#endif
        return ending ? value_of_end(s, winner, depth - within) : value_for_mover(s MEMO(&k) BOUND(p->c));
    }
    NEW_MEMO(k);
    I count = legal(s, at, p->end, SORTED, &ending, &winner MEMO(&k) BOUND(p->c));
    if (ending) return value_of_end(s, winner, depth - within);
    if (count < 0) {
        c->stop = 3;
        return 0;
    }
    Order o;
    if (!make_order(p, &o, at, count, best, ply)) return 0;
    if (ply == 0 && p->tried) {
        for (I i = 0; i < count; i++) o.order[i] = (Move)p->tried[i];
        o.plain = 1;
    }
    I marked = p->marked;
    if (p->by_turns && !within) {
        turn = ++p->turn;
        mark(p, s, turn, ply);
    }
    I value = NOTHING, floor = alpha, left = 0, shared = p->shared && depth >= WORTH_LEAVING(p);
    for (I i = 0; i < count + left; i++) {
        I index = i < count ? ordered(&o, i) : (I)o.order[i - count], score = BACK;
        u64 name = 0;
        volatile u64 *busy = shared ? busy_with(p, &key, at[index], &name) : 0;
        if (shared && i > 0 && i < count && *busy == name) {
            o.order[left++] = (Move)index;
            continue;
        }
        if (shared) *busy = name;
        if (ply == 0 && leads_back(p, index))
            p->length[1] = 0;
        else
            score = visit_child(p, s, at[index], depth, floor, beta, ply, turn, o.order + count MEMO(&k));
        if (shared && *busy == name) *busy = 0;
        if (c->stop) return 0;
        if (score <= value) continue;
        value = score;
        best = index;
        if (score <= floor) continue;
        floor = score;
        lead(p, ply, at[index]);
        if (ply == 0) c->low = score;
        if (score >= beta) {
            cuts_off(p, at[index], depth, ply);
            break;
        }
    }
    if (within) { /* a turn has a value where it begins; here it is enough to remember a good move */
        if (depth > 1 && value > alpha) keep(p, place, &key, 0, EXACT, 0, best);
        return value;
    }
    unmark(p, marked);
    if (value == NOTHING) { /* the turn never ends */
        value = value_for_mover(s MEMO(&k) BOUND(c));
        if (CUT(c)) return 0;
        best = 0;
        p->length[ply] = 1;
        p->line[ply][0] = at[0];
    }
    if (kept) keep(p, place, &key, depth, value >= beta ? LOWER : value <= alpha ? UPPER : EXACT, value, best);
    return value;
}

/* Searches to one depth, of moves or of turns; `kinds` are those that go on beyond it, as bits; do `captures`, too?
   low: the value; high: the number of moves in the line, which goes to `line`; of a search that was stopped those of
   the best first move that it had found, none if there was none.  `table` has `entries`, a power of two; if that is less
   than twice `limit`, greater ones stand behind it. */
EXPORT I ps_search(Control *c, const u8 *in, I depth, I alpha, I beta, I most_nodes, Search *p, Entry *table, I entries,
                   I limit, I shared, u64 *busy, u64 *history, Move *room, u64 *promises, I size, Move *line,
                   I by_turns, I kinds, I captures, Mark *marks, u32 *mark_slots, I mark_room, const I *back, I backs,
                   const I *tried) {
    State s;
    take(&s, in);
    p->c = c, p->limit = limit, p->most_nodes = most_nodes;
    p->shared = (u32)shared, p->busy = busy;
    p->history = history, p->promises = promises, p->first = room, p->end = room + size;
    p->by_turns = by_turns, p->kinds = kinds, p->captures = captures;
    p->marks = marks, p->mark_slots = mark_slots, p->mark_room = mark_room, p->back = back, p->backs = backs, p->tried = tried;
    unmark(p, 0); /* of a search that was stopped */
    if (!p->generation) {
        p->generation = 1;
        p->table = table, p->mask = entries - 1;
        p->mark_mask = (mark_room < FEW_MARKS ? 2 * mark_room : FEW_MARKS) - 1;
        for (int i = 0; i <= DEEPEST + BEYOND; i++) p->killers[i][0] = p->killers[i][1] = (Move)-1;
    }
    I value = visit(p, s.b, depth, alpha, beta, 0, 0, room);
    c->high = p->length[0];
    for (I i = 0; i < p->length[0]; i++) line[i] = p->line[0][i];
    if (c->stop) return c->stop == 2 ? MISTAKE : c->stop == 3 ? NO_ROOM : STOPPED;
    c->low = value;
    return 0;
}
