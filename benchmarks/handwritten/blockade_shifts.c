/* Blockade by hand: a set of cells for each kind of piece, and one for those that have acted.  10 columns, 10 rows,
   touchdown on rank 3, and a carrier who does not push; any number of blockers and tacklers.

   A cell is bit 11 * row + column.  The eleventh column stays empty, so a shift that leaves the board on one side does
   not come back on the other. */

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned __int128 Set __attribute__((aligned(8))); /* two words */

#define EXPORT __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))

enum { SIDE = 10, STRIDE = 11, TOUCHDOWN = 3 };
enum { DEFENCE = 1, OFFENCE };

typedef union {
    struct {
        Set blockers, tacklers, acted; /* the carrier's cell is in the bits of `tacklers` beyond the board, NOWHERE
                                          once he is tackled; the mover in those of `acted` */
    };
    u64 words[6];
} Board;

enum { BEYOND = 112, NOWHERE = 127 };

static const int way[8] = {STRIDE, STRIDE + 1, 1, 1 - STRIDE, -STRIDE, -STRIDE - 1, -1, STRIDE - 1}; /* once round */
static Set cells;                       /* of the board */
static Set bits[16 + 128 + 16];         /* of a cell, from -16 on; none for one off the board */
static Set ring[128], straight[128];    /* neighbours; of them those in a row or column */

INLINE Set bit(int cell) { return bits[16 + cell]; }

EXPORT void prepare(void) {
    for (int c = 0; c < STRIDE * SIDE; c++)
        if (c % STRIDE < SIDE) cells |= bits[16 + c] = (Set)1 << c;
    for (int c = 0; c < STRIDE * SIDE; c++) {
        if (!bit(c)) continue;
        for (int d = 0; d < 8; d++) {
            ring[c] |= bit(c + way[d]);
            if (d % 2 == 0) straight[c] |= bit(c + way[d]);
        }
    }
}

typedef u32 Move; /* from | to << 8 | kind; a piece that stays takes a step to its own cell */
enum { STEP, PUSH = 1 << 16, TACKLE = 2 << 16, CARRY = 3 << 16, MOST = 9 * SIDE * SIDE };
#define FROM(m) ((int)((m) & 255))
#define TO(m) ((int)((m) >> 8 & 255))

INLINE int size(Set set) { return __builtin_popcountll((u64)set) + __builtin_popcountll((u64)(set >> 64)); }
INLINE Set shift(Set set, int by) { return by > 0 ? set << by : set >> -by; }

INLINE int carrier(const Board *b) { return (int)(b->words[3] >> (BEYOND - 64)); }
INLINE int mover(const Board *b) { return (int)(b->words[5] >> (BEYOND - 64)); }
INLINE int over(const Board *b) { return carrier(b) == NOWHERE || carrier(b) < STRIDE * TOUCHDOWN; }

/* A position as its mover sees it. */
typedef struct {
    Set empty, enemy; /* enemies that can be pushed */
    Set to_act;       /* but for the carrier */
    int carrier, carrier_acts;
} View;

INLINE View view(const Board *b) {
    View v = {.carrier = carrier(b)};
    Set tacklers = b->tacklers & cells;
    v.empty = cells & ~(b->blockers | tacklers | bit(v.carrier));
    if (mover(b) == OFFENCE) {
        v.enemy = tacklers, v.to_act = b->blockers & ~b->acted, v.carrier_acts = !(b->acted & bit(v.carrier));
    } else {
        v.enemy = b->blockers, v.to_act = tacklers & ~b->acted, v.carrier_acts = 0;
    }
    return v;
}

/* The first cell of a set that is not empty. */
INLINE int first(Set set) {
    return (u64)set ? __builtin_ctzll((u64)set) : 64 + __builtin_ctzll((u64)(set >> 64));
}

/* Do blockers on both sides of a diagonal step keep a tackler from the carrier? */
INLINE int sheltered(const Board *b, int from, int to) {
    Set between = straight[from] & straight[to]; /* of cells side by side: none */
    return between && (between & b->blockers) == between;
}

/* The tacklers that may tackle, of those that are to act. */
INLINE Set can_tackle(const Board *b, const View *v) {
    Set found = mover(b) == DEFENCE ? ring[v->carrier] & v->to_act : 0;
    for (Set rest = found; rest; rest &= rest - 1)
        if (sheltered(b, first(rest), v->carrier)) found &= ~bit(first(rest));
    return found;
}

INLINE int count(const Board *b, const View *v) {
    int n = size(v->to_act) + v->carrier_acts + size(can_tackle(b, v));
    if (v->carrier_acts) n += size(ring[v->carrier] & v->empty);
#pragma GCC unroll 8
    for (int d = 0; d < 8; d++)
        n += size(shift(v->to_act, way[d]) & (v->empty | (v->enemy & shift(v->empty, -way[d]))));
    return n;
}

INLINE Move *list(u64 set, int above, Move with, Move *at) {
    for (; set; set &= set - 1) *at++ = with | (Move)(above + __builtin_ctzll(set)) << 8;
    return at;
}

INLINE Move *list_steps(Set to, int from, Move kind, Move *at) {
    at = list((u64)to, 0, (Move)from | kind, at);
    return list((u64)(to >> 64), 64, (Move)from | kind, at);
}

INLINE int generate(const Board *b, const View *v, Move *out) {
    Move *at = out;
    if (v->carrier_acts) at = list_steps((ring[v->carrier] & v->empty) | bit(v->carrier), v->carrier, CARRY, at);
    for (Set rest = v->to_act; rest; rest &= rest - 1) {
        int from = first(rest);
        at = list_steps((ring[from] & v->empty) | bit(from), from, STEP, at);
        for (Set near = ring[from] & v->enemy; near; near &= near - 1) {
            int to = first(near);
            if (bit(2 * to - from) & v->empty) *at++ = (Move)(from | to << 8 | PUSH);
        }
    }
    for (Set rest = can_tackle(b, v); rest; rest &= rest - 1)
        *at++ = (Move)(first(rest) | v->carrier << 8 | TACKLE);
    return (int)(at - out);
}

/* The turn passes: nobody has acted. */
INLINE void pass(Board *b) { b->acted = (Set)(mover(b) ^ DEFENCE ^ OFFENCE) << BEYOND; }

/* `last`: no other piece is to act. */
INLINE void make(Board *b, Move move, int last) {
    int from = FROM(move), to = TO(move);
    Move kind = move & (3 << 16);
    if (kind == CARRY) {
        b->tacklers = (b->tacklers & cells) | (Set)to << BEYOND;
    } else {
        Set *own = mover(b) == OFFENCE ? &b->blockers : &b->tacklers;
        Set *enemy = mover(b) == OFFENCE ? &b->tacklers : &b->blockers;
        *own = (*own & ~bit(from)) | bit(to);
        if (kind == PUSH) *enemy ^= bit(to) | bit(2 * to - from);
        if (kind == TACKLE) b->tacklers |= (Set)NOWHERE << BEYOND;
    }
    if (last && kind != TACKLE) pass(b);
    else b->acted |= bit(to);
}

EXPORT u64 perft(const Board *b, int depth) {
    if (depth == 0) return 1;
    if (over(b)) return 0;
    Move moves[MOST];
    View v = view(b);
    int left = size(v.to_act) + v.carrier_acts;
    if (left == 0) {
        Board next = *b;
        pass(&next);
        return perft(&next, depth - 1);
    }
    if (depth == 1) return (u64)count(b, &v);
    u64 total = 0;
    int n = generate(b, &v, moves);
    for (int i = 0; i < n; i++) {
        Board next = *b;
        make(&next, moves[i], left == 1);
        total += perft(&next, depth - 1);
    }
    return total;
}

/* ---------------------------------------------------------------------------------------------- a turn */

static inline u64 hash(const Board *b) {
    const u64 *w = b->words;
    u64 h = w[0] * 0x9E3779B97F4A7C15ULL + w[1] * 0xBF58476D1CE4E5B9ULL + w[2] * 0x94D049BB133111EBULL +
            w[3] * 0xD6E8FEB86659FD93ULL + w[4] * 0xA0761D6478BD642FULL + w[5] * 0xE7037ED1A0B428DBULL;
    h = (h ^ h >> 32) * 0x9E3779B97F4A7C15ULL;
    return h ^ h >> 32;
}

static inline int same(const Board *a, const Board *b) {
    return a->blockers == b->blockers && a->tacklers == b->tacklers && a->acted == b->acted;
}

#include "blockade_turn.c"

static void leave(Turn *t, u32 at) {
    Board b = t->inner.list[at], next = b;
    u64 ways = t->ways[at];
    Move moves[MOST];
    if (over(&b)) return;
    View v = view(&b);
    int left = size(v.to_act) + v.carrier_acts;
    if (left == 0) {
        pass(&next);
        arrive(t, &next, 1, ways);
        return;
    }
    int n = generate(&b, &v, moves);
    for (int i = 0; i < n; i++) {
        next = b;
        make(&next, moves[i], left == 1);
        arrive(t, &next, left == 1 || over(&next), ways);
    }
}
