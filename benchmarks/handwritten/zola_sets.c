/* Zola by hand: two sets of squares, 6x6, and code for each square.

   The square is a constant wherever it is used, so its neighbours and rays are constants in the code, too: a retreat is
   a mask, the first checker on a ray the lowest or the highest bit of one. */

#include "zola_board.c"

#define EACH_IN_ROW(DO, s) DO(s) DO(s + 1) DO(s + 2) DO(s + 3) DO(s + 4) DO(s + 5)
#define EACH_SQUARE(DO) \
    EACH_IN_ROW(DO, 0) EACH_IN_ROW(DO, 6) EACH_IN_ROW(DO, 12) EACH_IN_ROW(DO, 18) EACH_IN_ROW(DO, 24) EACH_IN_ROW(DO, 30)

INLINE int last(u64 set) { return 63 ^ __builtin_clzll(set); }

INLINE int distance(int s) {
    int x = 2 * (s % SIDE) - (SIDE - 1), y = 2 * (s / SIDE) - (SIDE - 1);
    return x * x + y * y;
}

/* The square `k` steps from s; -1 off the board. */
INLINE int along(int s, int file_step, int rank_step, int k) {
    int x = s % SIDE + k * file_step, y = s / SIDE + k * rank_step;
    return x >= 0 && x < SIDE && y >= 0 && y < SIDE ? SIDE * y + x : -1;
}

INLINE u64 target(int s, int to) { return to >= 0 && distance(to) <= distance(s) ? 1ULL << to : 0; }
INLINE u64 targets(int s, int x, int y) {
    return target(s, along(s, x, y, 1)) | target(s, along(s, x, y, 2)) | target(s, along(s, x, y, 3)) |
           target(s, along(s, x, y, 4)) | target(s, along(s, x, y, 5));
}

/* A ray is cut after the last square that is no farther out. */
INLINE u64 between(int s, int x, int y, int k) {
    u64 rest = 0;
#pragma GCC unroll 5
    for (int further = SIDE - 1; further >= k; further--) rest |= target(s, along(s, x, y, further));
    return rest ? 1ULL << along(s, x, y, k) : 0;
}
INLINE u64 ray(int s, int x, int y) {
    return between(s, x, y, 1) | between(s, x, y, 2) | between(s, x, y, 3) | between(s, x, y, 4) | between(s, x, y, 5);
}

INLINE u64 outward_to(int s, int x, int y) {
    int to = along(s, x, y, 1);
    return to >= 0 && distance(to) > distance(s) ? 1ULL << to : 0;
}
INLINE u64 outward(int s) {
    return outward_to(s, 1, 0) | outward_to(s, -1, 0) | outward_to(s, 0, 1) | outward_to(s, 0, -1) |
           outward_to(s, 1, 1) | outward_to(s, 1, -1) | outward_to(s, -1, 1) | outward_to(s, -1, -1);
}

/* The enemy that may be captured on a ray, as a set of one or none.  Rays with y > 0 or y = 0, x > 0 go up. */
INLINE u64 captured(int s, int x, int y, u64 enemy, u64 occupied) {
    if (!targets(s, x, y)) return 0;
    u64 seen = occupied & ray(s, x, y);
    if (y > 0 || (y == 0 && x > 0)) return seen & -seen & enemy & targets(s, x, y);
    return 1ULL << last(seen | 1) & seen & enemy & targets(s, x, y);
}
INLINE u64 captures(int s, u64 enemy, u64 occupied) {
    return captured(s, 1, 0, enemy, occupied) | captured(s, 1, 1, enemy, occupied) |
           captured(s, 0, 1, enemy, occupied) | captured(s, -1, 1, enemy, occupied) |
           captured(s, -1, 0, enemy, occupied) | captured(s, -1, -1, enemy, occupied) |
           captured(s, 0, -1, enemy, occupied) | captured(s, 1, -1, enemy, occupied);
}

static int count_retreats(const Board *b) {
    u64 own = b->own, empty = ~(own | b->enemy);
    int n = 0;
#define COUNT(s) if (own >> (s) & 1) n += size(outward(s) & empty);
    EACH_SQUARE(COUNT)
#undef COUNT
    return n;
}

static int count_captures(const Board *b) {
    u64 own = b->own, enemy = b->enemy, occupied = own | enemy;
    int n = 0;
#define COUNT(s) if (own >> (s) & 1) n += size(captures(s, enemy, occupied));
    EACH_SQUARE(COUNT)
#undef COUNT
    return n;
}

static int count(const Board *b) { return count_retreats(b) + count_captures(b); }

INLINE Move *list(int from, u64 set, Move kind, Move *at) {
    for (; set; set &= set - 1) *at++ = (Move)(from | first(set) << 6 | kind);
    return at;
}

/* All moves in canonical order: retreats, then captures, each by `from` and then by `to`. */
static int generate(const Board *b, Move *out) {
    u64 own = b->own, enemy = b->enemy, occupied = own | enemy, empty = ~occupied;
    Move *at = out;
#define LIST(s) if (own >> (s) & 1) at = list(s, outward(s) & empty, 0, at);
    EACH_SQUARE(LIST)
#undef LIST
#define LIST(s) if (own >> (s) & 1) at = list(s, captures(s, enemy, occupied), CAPTURE, at);
    EACH_SQUARE(LIST)
#undef LIST
    return (int)(at - out);
}

/* A move by a lot of 32 bits. */
INLINE void play_random(Board *b, u64 lot) {
    Move moves[MOST];
    int n = generate(b, moves);
    if (!n) moves[n++] = PASS;
    make(b, moves[lot * (u64)n >> 32]);
}

#include "zola_games.c"
#include "zola_search.c"

EXPORT void prepare(void) { prepare_search(); }
