/* What Python asks.  Every buffer comes from outside; numbers of things are returned, or one of these. */

#define EXPORT __attribute__((visibility("default")))
#define ABI 1 /* as in pysolve/engines/build.py */
enum { NO_ROOM = -1, MISTAKE = -2, STOPPED = -3, ENDLESS = -4 };

/* Read and written from both sides while a question is answered. */
typedef struct {
    I stop;     /* not 0: answer at once with what there is */
    I nodes;    /* how much is done */
    I ended;    /* positions after a turn, found so far */
    I low;      /* results, as the question says */
    I high;
    Error error;
} Control;

EXPORT I ps_abi(void) { return ABI; }

static I last_mover(const u8 *s) {
#if KEPT >= 0
    if (s[KEPT] == 1) return s[0];
#endif
    return 3 - s[0];
}

/* The ending that holds, for who has just moved; 0 if none does. */
static I ends(const u8 *s, I turns, I times, I *winner) {
    NEW_MEMO(k);
    return over(s, last_mover(s) MEMO(&k), turns, times, winner);
}

static UNUSED I mobility(const u8 *s, I m) {
    enum { ROOM = 1 << 14 };
    Move found[ROOM];
    NEW_MEMO(k);
    return moves(s, m MEMO(&k), found, found + ROOM, 0) - found;
}

/* Legal moves from `out` on; the ending and the winner if there are none, because the game is over. */
static I legal(const u8 *s, Move *out, Move *end, int sorted, I *ending, I *winner MEMO(Memo *k)) {
    *ending = ends(s, 0, 1, winner);
    if (*ending) return 0;
    Move *last = moves(s, s[0] MEMO(k), out, end, sorted);
    if (last == end) return NO_ROOM;
    if (last == out) {
#if PASSES
        *out = (Move)PASS_KIND << KIND_SHIFT;
        return 1;
#else
        *ending = stuck(s, s[0] MEMO(k), winner);
#endif
    }
    return last - out;
}

static void take(State *to, const u8 *from) {
    to->w[WORDS - 1] = 0;
    for (int i = 0; i < SIZE; i++) to->b[i] = from[i];
}

static void give(u8 *to, const u8 *from) {
    for (int i = 0; i < SIZE; i++) to[i] = from[i];
}

/* Do moves have to be tried to know that none is a mistake? */
EXPORT I ps_tries(void) { return MAY_FAIL; }

/* result: ending, winner.  The number of moves; a mistake in one of them is a mistake here.  `children`, for as many
   positions as there is room for moves, gets the positions after the moves if ps_tries says so. */
EXPORT I ps_expand(const u8 *in, Move *out, I room, I *result, UNUSED u8 *children, UNUSED Error *e) {
    State s;
    take(&s, in);
    result[1] = 0;
    NEW_MEMO(k);
    I count = legal(s.b, out, out + room, 1, &result[0], &result[1] MEMO(&k));
#if MAY_FAIL
    State t;
    for (I i = 0; i < count; i++) {
        if (!apply(s.b, out[i], t.b, e MEMO(&k))) return MISTAKE;
        give(children + i * SIZE, t.b);
    }
#endif
    return count;
}

/* The positions after `count` moves, one behind the other. */
EXPORT I ps_children(const u8 *in, const Move *list, I count, u8 *out, Error *e) {
    State s, t;
    take(&s, in);
    NEW_MEMO(k);
    for (I i = 0; i < count; i++) {
        if (!apply(s.b, list[i], t.b, e MEMO(&k))) return MISTAKE;
        give(out + i * SIZE, t.b);
    }
    return count;
}

EXPORT I ps_start(u64 seed, u8 *out, Error *e) {
    State t;
    t.w[WORDS - 1] = 0;
    if (!setup(t.b, &seed, e)) return MISTAKE;
    give(out, t.b);
    return 1;
}

EXPORT I ps_estimate(const u8 *in) {
    State s;
    take(&s, in);
    NEW_MEMO(k);
    return estimate(s.b MEMO(&k));
}

/* The ending that holds after so many turns, where the position has occurred so many times. */
EXPORT I ps_judge(const u8 *in, I turns, I times, I *winner) {
    State s;
    take(&s, in);
    *winner = 0;
    return ends(s.b, turns, times, winner);
}

/* ------------------------------------------------------------------------------------------- counting */

/* Sequences of `depth` moves; `at` is where the moves of this position may be written. */
static I perft(Control *c, const u8 *s, I depth, Move *at, Move *end) {
    I ending, winner;
    NEW_MEMO(k);
    I count = legal(s, at, end, 0, &ending, &winner MEMO(&k));
    if (count < 0) return count;
    if (depth == 1) {
        c->nodes += count;
        return count;
    }
    if (c->stop) return STOPPED;
    I total = 0;
    for (I i = 0; i < count; i++) {
        State t;
        if (!apply(s, at[i], t.b, &c->error MEMO(&k))) return MISTAKE;
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

/* A position that a move leads to; the move is the one with the same place in the list of moves. */
typedef struct {
    Key key;
    u64 hash;
    I ends; /* the turn */
} Child;

/* A position on the way, with the moves from `first` on that are tried from it, and the turns found so far. */
typedef struct {
    State s;
    I node, first, count, next;
    u64 turns;
} Frame;

EXPORT I ps_frame_size(void) { return sizeof(Frame); }
EXPORT I ps_key_size(void) { return sizeof(Key); }
EXPORT I ps_child_size(void) { return sizeof(Child); }

/* Looks at all children of a position before any of them is looked up, so that memory is fetched meanwhile. */
static int look_at_children(const Frame *f, const Move *list, Child *children, const Positions *walked,
                            const Positions *ended, Error *e) {
    State t;
    NEW_MEMO(k);
    for (I i = 0; i < f->count; i++) {
        Child *child = &children[i];
        if (!apply(f->s.b, list[i], t.b, e MEMO(&k))) return 0;
        pack(t.b, child->key.w);
        child->hash = hash_key(&child->key);
        child->ends = t.b[0] != f->s.b[0];
        const Positions *p = child->ends ? ended : walked;
        FETCH(&p->slots[child->hash & (u64)p->mask]);
    }
    for (I i = 0; i < f->count; i++) {
        const Positions *p = children[i].ends ? ended : walked;
        u32 number = p->slots[children[i].hash & (u64)p->mask];
        if (number) FETCH(&p->list[number - 1]);
    }
    return 1;
}

/* Walks the positions of one turn, each once, depth first in the order of moves.  `ends` gets the distinct positions
   after the turn in the order in which they are found.  `turns[i]` is the number of ways to complete the turn from
   position i; the first is the answer.  low is 1 where a turn can come back to a position, or where there are more
   turns than a number holds. */
EXPORT I ps_turn(Control *c, const u8 *in, Key *inner, u32 *inner_slots, u64 *turns, Key *end_keys, u32 *end_slots,
                 u8 *ends, I room, Frame *frames, I frame_room, Move *moves_at, Child *children, I move_room) {
    enum { OPEN = 0 };
    Positions walked = {inner, inner_slots, 0, room, 2 * room - 1};
    Positions ended = {end_keys, end_slots, 0, room, 2 * room - 1};
    Frame *f = &frames[0];
    State t;
    Key key;
    I ending, winner;
    for (I i = 0; i < 2 * room; i++) inner_slots[i] = end_slots[i] = 0;
    take(&f->s, in);
    pack(f->s.b, key.w);
    number_of(&walked, &key, hash_key(&key));
    turns[0] = OPEN;
    f->node = f->first = f->next = 0, f->turns = 0;
    NEW_MEMO(known);
    f->count = legal(f->s.b, moves_at, moves_at + move_room, 1, &ending, &winner MEMO(&known));
    if (f->count < 0) return f->count;
    if (!look_at_children(f, moves_at, children, &walked, &ended, &c->error)) return MISTAKE;
    c->low = 0;
    while (f >= frames) {
        if (f->next == f->count) {
            turns[f->node] = f->turns;
            u64 found = f->turns;
            if (--f >= frames && (f->turns += found) < found) c->low = 1;
            continue;
        }
        if (c->stop) return STOPPED;
        c->nodes++;
        I at = f->first + f->next++;
        Child *child = &children[at];
        if (!child->ends) {
            I before = walked.count, number = number_of(&walked, &child->key, child->hash);
            if (number < 0) return number;
            if (number < before) {
                if (turns[number] == OPEN) c->low = 1;
                if ((f->turns += turns[number]) < turns[number]) c->low = 1;
                continue;
            }
            turns[number] = OPEN;
            if (f + 1 == frames + frame_room) return NO_ROOM;
            Frame *next = f + 1;
            next->first = f->first + f->count;
            apply(f->s.b, moves_at[at], next->s.b, &c->error NO_MEMO);
            NEW_MEMO(k);
            next->count = legal(next->s.b, moves_at + next->first, moves_at + move_room, 1, &ending, &winner MEMO(&k));
            if (next->count < 0) return next->count;
            if (next->count > 0) {
                next->node = number, next->next = 0, next->turns = 0;
                if (!look_at_children(next, moves_at + next->first, children + next->first, &walked, &ended, &c->error))
                    return MISTAKE;
                f = next;
                continue;
            }
            turns[number] = 1; /* the game is over within the turn */
        }
        f->turns++;
        I before = ended.count, number = number_of(&ended, &child->key, child->hash);
        if (number < 0) return NO_ROOM;
        if (number == before) {
            apply(f->s.b, moves_at[at], t.b, &c->error NO_MEMO);
            give(ends + number * SIZE, t.b);
        }
        c->ended = ended.count;
    }
    c->high = walked.count;
    return ended.count;
}

/* ------------------------------------------------------------------------------------------- playouts */

#if REPEATS
/* What `repeated` compares: the state without what it ignores. */
static void keep_identity(u8 *s) {
    static const int ignored[][2] = {IGNORED{0, 0}}; /* from byte to byte */
    for (const int *part = ignored[0]; part[1]; part += 2)
        for (int i = part[0]; i < part[1]; i++) s[i] = 0;
}

static int same_state(const State *a, const State *b) {
    for (int i = 0; i < WORDS; i++)
        if (a->w[i] != b->w[i]) return 0;
    return 1;
}
#endif

/* Plays `games` games of random moves, each of at most `longest` moves, and counts results[winner]: 0 a draw, 1 and 2
   the players, 3 not finished; results[4] is the number of moves.  Game i has lots of its own, drawn from seed + i. */
EXPORT I ps_playouts(Control *c, const u8 *in, I games, u64 seed, I longest, State *path, Move *room, I size,
                     I *results) {
    State s, t;
    for (int i = 0; i < 5; i++) results[i] = 0;
    for (I game = 0; game < games; game++) {
        u64 first = seed + (u64)game, lots = draw(&first);
        I turns = 0, ply = 0, winner = 3;
        take(&s, in);
        for (;; ply++) {
            I times = 1, ending, who = 0;
            if (c->stop) return STOPPED;
#if REPEATS
            copy_state(path[ply].b, s.b);
            keep_identity(path[ply].b);
            for (I i = 0; i < ply; i++) times += same_state(&path[i], &path[ply]);
#else
            (void)path;
#endif
            NEW_MEMO(k);
            ending = ends(s.b, turns, times, &who);
            Move *last = room;
            if (!ending && ply < longest) {
                last = moves(s.b, s.b[0] MEMO(&k), room, room + size, 1);
                if (last == room + size) return NO_ROOM;
            }
            if (!ending && ply < longest && last == room) {
#if PASSES
                *last++ = (Move)PASS_KIND << KIND_SHIFT;
#else
                ending = stuck(s.b, s.b[0] MEMO(&k), &who);
#endif
            }
            if (ending) winner = who;
            if (ending || ply == longest) break;
            if (!apply(s.b, room[draw_below(&lots, (u64)(last - room))], t.b, &c->error MEMO(&k))) return MISTAKE;
            turns += t.b[0] != s.b[0];
            s = t;
        }
        results[winner]++;
        results[4] += ply;
        c->nodes += ply;
    }
    return games;
}

/* --------------------------------------------------------------------------------------------- search */

enum { WIN = 1000000, DEEPEST = 128, EXACT = 0, LOWER = 1, UPPER = 2 };
#define ORDERED (MOVE_BITS <= 20) /* is there a table of which moves were good? */

typedef struct {
    Key key;
    i32 value;
    u32 generation, best;
    u8 depth, bound;
    u16 check;
} Entry;

/* What a search keeps; it is made by ps_search_size bytes of zeros. */
typedef struct {
    Control *c;
    Entry *table;
    I mask, limit, count, most_nodes;
    u32 generation, shared; /* shared: other threads use the table, too */
    u64 *history, *promises; /* one promise for each move that there is room for */
    Move *first, *end;
    Move killers[DEEPEST + 1][2];
    Move line[DEEPEST + 1][DEEPEST + 1];
    I length[DEEPEST + 1];
} Search;

EXPORT I ps_search_size(void) { return sizeof(Search); }
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

/* Notes what was found out; `place` is where the position belonged when it was looked up.  A table of one thread is
   emptied when it is full; in a shared one an entry gives way to another. */
static void keep(Search *p, Entry *place, const Key *k, I depth, I bound, I value, I best) {
    Entry e = {*k, (i32)value, p->generation, (u32)best, (u8)depth, (u8)bound, 0};
    if (p->shared) {
        e.check = check_of(&e);
        *place = e;
        return;
    }
    if (place->generation == p->generation && !same_key(&place->key, k)) place = entry_of(p, k);
    if (place->generation != p->generation) {
        if (p->count == p->limit) {
            e.generation = ++p->generation;
            p->count = 0;
            place = entry_of(p, k);
        }
        p->count++;
    }
    *place = e;
}

static I value_for_mover(const u8 *s MEMO(Memo *k)) {
    I value = estimate(s MEMO(k));
    return s[0] == 1 ? value : -value;
}

/* The value of a finished game for the player to move, `depth` moves before the horizon: sooner is better. */
static I value_of_end(const u8 *s, I winner, I depth) {
    return winner == 0 ? 0 : winner == s[0] ? WIN + depth : -(WIN + depth);
}

static I visit(Search *p, const u8 *s, I depth, I alpha, I beta, I ply, Move *at);

static I visit_child(Search *p, const u8 *s, Move move, I depth, I alpha, I beta, I ply, Move *at MEMO(Memo *k)) {
    State t;
    if (!apply(s, move, t.b, &p->c->error MEMO(k))) {
        p->c->stop = 2;
        return 0;
    }
    return t.b[0] == s[0] ? visit(p, t.b, depth - 1, alpha, beta, ply + 1, at)
                          : -visit(p, t.b, depth - 1, -beta, -alpha, ply + 1, at);
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

/* The value of a position for the player to move, as far as it lies between alpha and beta.  pysolve/search/minimax.py
   says the same in Python. */
static I visit(Search *p, const u8 *s, I depth, I alpha, I beta, I ply, Move *at) {
    Control *c = p->c;
    p->length[ply] = 0;
    if (c->stop || c->nodes == p->most_nodes) {
        c->stop |= 1;
        return 0;
    }
    c->nodes++;
    I best = -1;
    Entry *place = 0, seen;
    Key key;
    if (depth > 1) { /* what is below is quicker to find out again */
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
    if (depth == 0) { /* who has no move is found out without listing the moves */
        NEW_MEMO(k);
        ending = ends(s, 0, 1, &winner);
#if !PASSES
        if (!ending && !any(s, s[0] MEMO(&k))) ending = stuck(s, s[0] MEMO(&k), &winner);
#endif
        return ending ? value_of_end(s, winner, 0) : value_for_mover(s MEMO(&k));
    }
    NEW_MEMO(k);
    I count = legal(s, at, p->end, 1, &ending, &winner MEMO(&k));
    if (ending) return value_of_end(s, winner, depth);
    if (count < 0) {
        c->stop = 3;
        return 0;
    }
    Move *order = at + count, *next = order + count;
    if (next > p->end) {
        c->stop = 3;
        return 0;
    }
    u64 *promises = p->promises + (at - p->first);
    for (I i = 0; i < count; i++) {
        order[i] = (Move)i;
        promises[i] = promise(p, at[i], i, best, ply);
    }
    I value = -4 * WIN, floor = alpha, plain = 0; /* plain: all that are left promise nothing */
    for (I i = 0; i < count; i++) {
        if (!plain) { /* the most promising comes here; of equal ones the first, and the others keep their order */
            I top = i;
            for (I k = i + 1; k < count; k++)
                if (promises[k] > promises[top]) top = k;
            u64 here = promises[top];
            Move index = order[top];
            plain = here == 0;
            for (I k = top; k > i; k--) order[k] = order[k - 1], promises[k] = promises[k - 1];
            order[i] = index, promises[i] = here;
        }
        I score = visit_child(p, s, at[order[i]], depth, floor, beta, ply, next MEMO(&k));
        if (c->stop) return 0;
        if (score <= value) continue;
        value = score;
        best = (I)order[i];
        if (score <= floor) continue;
        floor = score;
        p->line[ply][0] = at[order[i]];
        for (I k = 0; k < p->length[ply + 1]; k++) p->line[ply][k + 1] = p->line[ply + 1][k];
        p->length[ply] = p->length[ply + 1] + 1;
        if (score >= beta) {
            cuts_off(p, at[order[i]], depth, ply);
            break;
        }
    }
    if (depth > 1) keep(p, place, &key, depth, value >= beta ? LOWER : value <= alpha ? UPPER : EXACT, value, best);
    return value;
}

/* Searches to one depth.  low: the value; high: the number of moves in the line, which goes to `line`. */
EXPORT I ps_search(Control *c, const u8 *in, I depth, I alpha, I beta, I most_nodes, Search *p, Entry *table, I entries,
                   I limit, I shared, u64 *history, Move *room, u64 *promises, I size, Move *line) {
    State s;
    take(&s, in);
    p->c = c, p->table = table, p->mask = entries - 1, p->limit = limit, p->most_nodes = most_nodes, p->shared = (u32)shared;
    p->history = history, p->promises = promises, p->first = room, p->end = room + size;
    if (!p->generation) {
        p->generation = 1;
        for (int i = 0; i <= DEEPEST; i++) p->killers[i][0] = p->killers[i][1] = (Move)-1;
    }
    c->low = visit(p, s.b, depth, alpha, beta, 0, room);
    if (c->stop) return c->stop == 2 ? MISTAKE : c->stop == 3 ? NO_ROOM : STOPPED;
    c->high = p->length[0];
    for (I i = 0; i < p->length[0]; i++) line[i] = p->line[0][i];
    return 0;
}
