/* Zola by hand: two sets of squares, 6x6.

   Moves are found for all checkers at once, by shifts: two checkers face each other at distance k on a line if one is on
   a square, the other k squares on, and the squares between are empty.  Which of such pairs may capture which, and which
   steps lead outwards, is in masks. */

#include "zola_board.c"

/* The lines go east, north-east, north and north-west; `up` is that way, `down` the other. */
static const int file_step[4] = {1, 1, 0, -1}, rank_step[4] = {0, 1, 1, 1};

static u64 step_up[4], step_down[4];         /* squares from which a step leads outwards */
static u64 take_up[4][SIDE], take_down[4][SIDE]; /* lower squares of the pairs of which the lower one may capture, or
                                                    the upper one, by distance */
static u64 outward[SQUARES];                 /* neighbours farther out */
static u64 inward[SQUARES];                  /* squares no farther out */
static u64 ray_up[SQUARES][4], ray_down[SQUARES][4]; /* cut after the last square no farther out */

static int distance(int s) {
    int x = 2 * (s % SIDE) - (SIDE - 1), y = 2 * (s / SIDE) - (SIDE - 1);
    return x * x + y * y;
}

/* The square `steps` from s on a line; -1 off the board. */
static int along(int s, int line, int steps) {
    int x = s % SIDE + steps * file_step[line], y = s / SIDE + steps * rank_step[line];
    return x >= 0 && x < SIDE && y >= 0 && y < SIDE ? SIDE * y + x : -1;
}

static void prepare_moves(void) {
    for (int s = 0; s < SQUARES; s++) {
        for (int to = 0; to < SQUARES; to++)
            if (distance(to) <= distance(s)) inward[s] |= 1ULL << to;
        for (int line = 0; line < 4; line++) {
            int up = along(s, line, 1), down = along(s, line, -1);
            if (up >= 0 && distance(up) > distance(s)) step_up[line] |= 1ULL << s, outward[s] |= 1ULL << up;
            if (down >= 0 && distance(down) > distance(s)) step_down[line] |= 1ULL << s, outward[s] |= 1ULL << down;
            for (int k = SIDE - 1; k > 0; k--) {
                int high = along(s, line, k), low = along(s, line, -k);
                if (high >= 0 && distance(high) <= distance(s)) take_up[line][k] |= 1ULL << s;
                if (high >= 0 && distance(s) <= distance(high)) take_down[line][k] |= 1ULL << s;
                if (high >= 0 && (ray_up[s][line] || distance(high) <= distance(s))) ray_up[s][line] |= 1ULL << high;
                if (low >= 0 && (ray_down[s][line] || distance(low) <= distance(s))) ray_down[s][line] |= 1ULL << low;
            }
        }
    }
}

INLINE int retreats_on(u64 own, u64 empty, int line, int shift) {
    return size(own & step_up[line] & empty >> shift) + size(own & step_down[line] & empty << shift);
}

INLINE int captures_on(u64 own, u64 enemy, u64 empty, int line, int shift) {
    int n = 0;
    u64 low_own = own, low_enemy = enemy; /* with nothing on the next k - 1 squares */
#pragma GCC unroll 5
    for (int k = 1; k < SIDE; k++) {
        n += size((low_own & enemy >> k * shift & take_up[line][k]) |
                  (low_enemy & own >> k * shift & take_down[line][k]));
        low_own &= empty >> k * shift;
        low_enemy &= empty >> k * shift;
    }
    return n;
}

INLINE int count_retreats(const Board *b) {
    u64 empty = ~(b->own | b->enemy);
    return retreats_on(b->own, empty, 0, 1) + retreats_on(b->own, empty, 1, SIDE + 1) +
           retreats_on(b->own, empty, 2, SIDE) + retreats_on(b->own, empty, 3, SIDE - 1);
}

INLINE int count_captures(const Board *b) {
    u64 empty = ~(b->own | b->enemy);
    return captures_on(b->own, b->enemy, empty, 0, 1) + captures_on(b->own, b->enemy, empty, 1, SIDE + 1) +
           captures_on(b->own, b->enemy, empty, 2, SIDE) + captures_on(b->own, b->enemy, empty, 3, SIDE - 1);
}

static int count(const Board *b) { return count_retreats(b) + count_captures(b); }

INLINE Move *list(u64 set, int from, int to, Move kind, Move *at) {
    for (; set; set &= set - 1) *at++ = (Move)((first(set) + from) | (first(set) + to) << 6 | kind);
    return at;
}

INLINE Move *list_line(const Board *b, int line, int shift, Move *at) {
    u64 own = b->own, enemy = b->enemy, empty = ~(own | enemy), low_own = own, low_enemy = enemy;
    at = list(own & step_up[line] & empty >> shift, 0, shift, 0, at);
    at = list(own & step_down[line] & empty << shift, 0, -shift, 0, at);
#pragma GCC unroll 5
    for (int k = 1; k < SIDE; k++) {
        at = list(low_own & enemy >> k * shift & take_up[line][k], 0, k * shift, CAPTURE, at);
        at = list(low_enemy & own >> k * shift & take_down[line][k], k * shift, 0, CAPTURE, at);
        low_own &= empty >> k * shift;
        low_enemy &= empty >> k * shift;
    }
    return at;
}

static int generate(const Board *b, Move *out) {
    Move *at = list_line(b, 0, 1, out);
    at = list_line(b, 1, SIDE + 1, at);
    at = list_line(b, 2, SIDE, at);
    return (int)(list_line(b, 3, SIDE - 1, at) - out);
}

/* The enemies that one checker may capture. */
INLINE u64 targets(int s, u64 enemy, u64 occupied) {
    u64 found = 0;
#pragma GCC unroll 4
    for (int line = 0; line < 4; line++) {
        u64 up = occupied & ray_up[s][line], down = occupied & ray_down[s][line];
        found |= up & -up;
        found |= down & 1ULL << (63 ^ __builtin_clzll(down | 1));
    }
    return found & enemy & inward[s];
}

/* Number `index` of the moves in canonical order: retreats, then captures, each by `from` and then by `to`. */
INLINE Move nth_move(const Board *b, int retreats, int index) {
    u64 rest = b->own, occupied = b->own | b->enemy, found;
    Move kind = 0;
    int s, n;
    if (index < retreats) {
        for (;; rest &= rest - 1, index -= n) {
            found = outward[s = first(rest)] & ~occupied;
            if (index < (n = size(found))) break;
        }
    } else {
        kind = CAPTURE;
        index -= retreats;
        for (;; rest &= rest - 1, index -= n) {
            found = targets(s = first(rest), b->enemy, occupied);
            if (index < (n = size(found))) break;
        }
    }
    while (index--) found &= found - 1;
    return (Move)(s | first(found) << 6 | kind);
}

/* A move by a lot of 32 bits. */
INLINE void play_random(Board *b, u64 lot) {
    int retreats = count_retreats(b), n = retreats + count_captures(b);
    make(b, n ? nth_move(b, retreats, (int)(lot * (u64)n >> 32)) : (Move)PASS);
}

#include "zola_games.c"
#include "zola_search.c"

EXPORT void prepare(void) {
    prepare_moves();
    prepare_search();
}
