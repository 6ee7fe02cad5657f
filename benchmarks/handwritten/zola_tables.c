/* Zola by hand: a byte board and tables.

   Everything that a rule says of squares alone is settled before play: which neighbours lie farther out, and for each
   square its rays, cut after the last square on which a capture may end.  What is left is to look at the bytes.
   Compiled for one board: SIDE is 4, 6 or 8. */

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#ifndef SIDE
#define SIDE 6
#endif
#define SQUARES (SIDE * SIDE)
#define EXPORT __attribute__((visibility("default")))

enum { NONE, RED, BLUE };
enum { MOST = 8 * SQUARES }; /* moves: at most one for each checker and direction */

typedef struct {
    u8 at[SQUARES]; /* row by row from a1 */
    u8 mover;
    u8 left[3]; /* checkers of each player */
} Board;

typedef u16 Move; /* from | to << 6, and CAPTURE if it is one */
enum { CAPTURE = 1 << 12, PASS = 1 << 13 };
#define FROM(m) ((m) & 63)
#define TO(m) ((m) >> 6 & 63)

typedef struct {
    u8 length;
    u8 open;   /* bit i: a capture may end on at[i] */
    u8 at[SIDE - 1];
} Ray;

static u8 outward[SQUARES][9]; /* neighbours farther out, ascending; the first byte is their number */
static Ray rays[SQUARES][8];
static u8 ray_count[SQUARES];

static int distance(int s) {
    int x = 2 * (s % SIDE) - (SIDE - 1), y = 2 * (s / SIDE) - (SIDE - 1);
    return x * x + y * y;
}

static void prepare_moves(void) {
    for (int s = 0; s < SQUARES; s++) {
        outward[s][0] = ray_count[s] = 0;
        for (int way = 0; way < 9; way++) {
            int dx = way % 3 - 1, dy = way / 3 - 1, x = s % SIDE + dx, y = s / SIDE + dy;
            Ray ray = {0, 0, {0}};
            if (way == 4) continue;
            for (int i = 0; x >= 0 && x < SIDE && y >= 0 && y < SIDE; x += dx, y += dy, i++) {
                int to = y * SIDE + x;
                if (i == 0 && distance(to) > distance(s)) outward[s][++outward[s][0]] = (u8)to;
                ray.at[i] = (u8)to;
                if (distance(to) <= distance(s)) ray.open |= (u8)(1 << i), ray.length = (u8)(i + 1);
            }
            if (ray.length) rays[s][ray_count[s]++] = ray;
        }
    }
}

static inline int finished(const Board *b) { return b->left[b->mover] == 0; }

/* The square that a checker captures on, along a ray; -1 if there is none. */
static inline int first_enemy(const Board *b, const Ray *ray, int enemy) {
    for (int i = 0; i < ray->length; i++) {
        int found = b->at[ray->at[i]];
        if (found) return found == enemy && ray->open >> i & 1 ? ray->at[i] : -1;
    }
    return -1;
}

static int count(const Board *b) {
    int me = b->mover, enemy = 3 - me, n = 0;
    for (int s = 0; s < SQUARES; s++) {
        if (b->at[s] != me) continue;
        for (int i = 1; i <= outward[s][0]; i++) n += !b->at[outward[s][i]];
        for (int i = 0; i < ray_count[s]; i++) n += first_enemy(b, &rays[s][i], enemy) >= 0;
    }
    return n;
}

static int generate(const Board *b, Move *out) {
    int me = b->mover, enemy = 3 - me;
    Move *at = out;
    for (int s = 0; s < SQUARES; s++) {
        if (b->at[s] != me) continue;
        for (int i = 1; i <= outward[s][0]; i++)
            if (!b->at[outward[s][i]]) *at++ = (Move)(s | outward[s][i] << 6);
        for (int i = 0; i < ray_count[s]; i++) {
            int to = first_enemy(b, &rays[s][i], enemy);
            if (to >= 0) *at++ = (Move)(s | to << 6 | CAPTURE);
        }
    }
    return (int)(at - out);
}

/* The same in canonical order: retreats, then captures, each by `from` and then by `to`. */
static int generate_in_order(const Board *b, Move *out) {
    int me = b->mover, enemy = 3 - me;
    Move captures[MOST], *last = captures, *at = out;
    for (int s = 0; s < SQUARES; s++) {
        if (b->at[s] != me) continue;
        for (int i = 1; i <= outward[s][0]; i++)
            if (!b->at[outward[s][i]]) *at++ = (Move)(s | outward[s][i] << 6);
        Move *first = last;
        for (int i = 0; i < ray_count[s]; i++) {
            int to = first_enemy(b, &rays[s][i], enemy);
            if (to < 0) continue;
            Move move = (Move)(s | to << 6 | CAPTURE), *here = last++;
            for (; here > first && here[-1] > move; here--) *here = here[-1];
            *here = move;
        }
    }
    for (Move *next = captures; next < last; next++) *at++ = *next;
    return (int)(at - out);
}

static inline void make(Board *b, Move move) {
    if (move != PASS) {
        b->left[b->at[TO(move)]]--; /* of no player, if it is a retreat */
        b->at[TO(move)] = b->mover;
        b->at[FROM(move)] = NONE;
    }
    b->mover = 3 - b->mover;
}

static inline int mover(const Board *b) { return b->mover; }
static inline int owner(const Board *b, int s) { return b->at[s]; }

/* A move by a lot of 32 bits. */
static inline void play_random(Board *b, u64 lot) {
    Move moves[MOST];
    int n = generate_in_order(b, moves);
    if (!n) moves[n++] = PASS;
    make(b, moves[lot * (u64)n >> 32]);
}

#include "zola_games.c"
#include "zola_search.c"

EXPORT void prepare(void) {
    prepare_moves();
    prepare_search();
}
