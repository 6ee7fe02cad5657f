/* Blockade by hand: a byte board and tables of neighbours.  10 columns, 10 rows, touchdown on rank 3, and a carrier who
   does not push; any number of blockers and tacklers. */

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define EXPORT __attribute__((visibility("default")))

enum { SIDE = 10, CELLS = SIDE * SIDE, TOUCHDOWN = 3, WORDS = 13, OFF = 255 };
enum { NONE, CARRIER, BLOCKER, TACKLER, KIND = 3, ACTED = 4 };
enum { NOBODY, DEFENCE, OFFENCE };

typedef union {
    struct {
        u8 at[CELLS]; /* row by row from a1: the kind of a piece, and ACTED if it has acted in this turn */
        u8 mover;     /* NOBODY once the game is over */
        u8 to_act;    /* pieces of the mover that have not acted */
        u8 pieces[2]; /* of the defence and the offence */
    };
    u64 words[WORDS];
} Board;

static u8 neighbour[CELLS][8]; /* once round: even directions are straight, odd ones diagonal */

EXPORT void prepare(void) {
    static const int dx[8] = {0, 1, 1, 1, 0, -1, -1, -1}, dy[8] = {1, 1, 0, -1, -1, -1, 0, 1};
    for (int c = 0; c < CELLS; c++)
        for (int d = 0; d < 8; d++) {
            int x = c % SIDE + dx[d], y = c / SIDE + dy[d];
            neighbour[c][d] = (u8)(x >= 0 && x < SIDE && y >= 0 && y < SIDE ? SIDE * y + x : OFF);
        }
}

static inline int side_of(int piece) { return (piece & KIND) == TACKLER ? DEFENCE : OFFENCE; }

/* What the piece on `from` may do in direction d. */
enum { NOTHING, STAY, STEP, PUSH, TACKLE };

static inline int action(const Board *b, int from, int d) {
    int to = neighbour[from][d], piece = b->at[from] & KIND;
    if (to == OFF) return NOTHING;
    int met = b->at[to] & KIND;
    if (!met) return STEP;
    if (piece == CARRIER || side_of(met) == side_of(piece)) return NOTHING;
    if (met == CARRIER) {
        int sheltered = d & 1 && (b->at[neighbour[from][d - 1]] & KIND) == BLOCKER &&
                        (b->at[neighbour[from][(d + 1) & 7]] & KIND) == BLOCKER;
        return sheltered ? NOTHING : TACKLE;
    }
    int behind = neighbour[to][d];
    return behind != OFF && !b->at[behind] ? PUSH : NOTHING;
}

typedef struct {
    u8 from, to, behind, what;
} Move;

enum { MOST = 9 * CELLS };

/* All moves; only their number, if there is no `out`. */
static inline int generate(const Board *b, Move *out) {
    int n = 0;
    for (int word = 0; word < WORDS; word++) {
        if (!(b->words[word] & 0x0303030303030303ULL)) continue;
        for (int from = 8 * word; from < 8 * word + 8 && from < CELLS; from++) {
            int piece = b->at[from];
            if (!piece || piece & ACTED || side_of(piece) != b->mover) continue;
            if (out) out[n] = (Move){(u8)from, (u8)from, OFF, STAY};
            n++;
            for (int d = 0; d < 8; d++) {
                int what = action(b, from, d), to = neighbour[from][d];
                if (!what) continue;
                if (out) out[n] = (Move){(u8)from, (u8)to, what == PUSH ? neighbour[to][d] : OFF, (u8)what};
                n++;
            }
        }
    }
    return n;
}

/* The turn passes: nobody has acted. */
static void pass(Board *b) {
    for (int i = 0; i < WORDS - 1; i++) b->words[i] &= ~(0x0101010101010101ULL * ACTED);
    for (int c = 8 * (WORDS - 1); c < CELLS; c++) b->at[c] &= KIND;
    b->mover ^= DEFENCE ^ OFFENCE;
    b->to_act = b->pieces[b->mover - 1];
}

static inline void make(Board *b, Move move) {
    u8 piece = b->at[move.from];
    if (move.what == PUSH) b->at[move.behind] = b->at[move.to];
    b->at[move.from] = NONE;
    b->at[move.to] = piece | ACTED;
    b->to_act--;
    if (move.what == TACKLE) {
        b->mover = NOBODY;
    } else {
        if (b->to_act == 0) pass(b);
        if (piece == CARRIER && move.to < SIDE * TOUCHDOWN) b->mover = NOBODY;
    }
}

EXPORT u64 perft(const Board *b, int depth) {
    u64 total = 0;
    Board next = *b;
    Move moves[MOST];
    if (depth == 0) return 1;
    if (b->mover == NOBODY) return 0;
    if (b->to_act == 0) {
        pass(&next);
        return perft(&next, depth - 1);
    }
    if (depth == 1) return (u64)generate(b, 0);
    int n = generate(b, moves);
    for (int i = 0; i < n; i++) {
        next = *b;
        make(&next, moves[i]);
        total += perft(&next, depth - 1);
    }
    return total;
}

/* ---------------------------------------------------------------------------------------------- a turn */

static inline u64 hash(const Board *b) {
    u64 h = 0;
    for (int i = 0; i < WORDS; i++) h = (h ^ b->words[i]) * 0x9E3779B97F4A7C15ULL, h ^= h >> 32;
    return h;
}

static inline int same(const Board *a, const Board *b) {
    for (int i = 0; i < WORDS; i++)
        if (a->words[i] != b->words[i]) return 0;
    return 1;
}

#include "blockade_turn.c"

static void leave(Turn *t, u32 at) {
    Board b = t->inner.list[at], next = b;
    u64 ways = t->ways[at];
    Move moves[MOST];
    if (b.mover == NOBODY) return;
    if (b.to_act == 0) {
        pass(&next);
        arrive(t, &next, 1, ways);
        return;
    }
    int n = generate(&b, moves);
    for (int i = 0; i < n; i++) {
        next = b;
        make(&next, moves[i]);
        arrive(t, &next, next.mover != b.mover, ways);
    }
}
