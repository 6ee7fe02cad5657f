/* What both Zola programs by sets have in common, which include it: two sets of squares, 6x6.

   A square is bit 6 * row + file. */

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

#define SIDE 6
#define SQUARES 36
#define EXPORT __attribute__((visibility("default")))
#define INLINE static inline __attribute__((always_inline))

enum { NONE, RED, BLUE };
enum { MOST = 8 * SQUARES }; /* moves: at most one for each checker and direction */

typedef struct {
    u64 own, enemy; /* of the player to move */
    u64 mover;
} Board;

typedef u16 Move; /* from | to << 6, and CAPTURE if it is one */
enum { CAPTURE = 1 << 12, PASS = 1 << 13 };
#define FROM(m) ((m) & 63)
#define TO(m) ((m) >> 6 & 63)

INLINE int finished(const Board *b) { return b->own == 0; }
INLINE int first(u64 set) { return __builtin_ctzll(set); }
INLINE int size(u64 set) { return __builtin_popcountll(set); }

INLINE void make(Board *b, Move move) {
    u64 own = b->own, enemy = b->enemy;
    if (move != PASS) {
        own ^= 1ULL << FROM(move) | 1ULL << TO(move);
        enemy &= ~(1ULL << TO(move));
    }
    b->own = enemy, b->enemy = own, b->mover ^= RED ^ BLUE;
}

INLINE int mover(const Board *b) { return (int)b->mover; }
INLINE int owner(const Board *b, int s) {
    return b->own >> s & 1 ? (int)b->mover : b->enemy >> s & 1 ? 3 - (int)b->mover : NONE;
}
