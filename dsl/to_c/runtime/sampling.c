/* Lots: splitmix64 (Steele, Lea and Flood 2014), the same on every engine. */
INLINE u64 draw(u64 *lots) {
    u64 z = *lots += ODD;
    z = (z ^ (z >> 30)) * MIX;
    z = (z ^ (z >> 27)) * MIX_AGAIN;
    return z ^ (z >> 31);
}
INLINE u64 draw_below(u64 *lots, u64 count) { return ((draw(lots) >> 32) * count) >> 32; }

/* Ways to draw a move, see dsl/to_c/sampling.py. */
#define BY_LIST 0
#define BY_SET 1
#define BY_RUN 2
#define BY_RANK 3

/* Moves that differ in the last choice: where bit i is set, first + i. */
typedef struct {
    u64 bits;
    Move first;
} Run;

/* The rank that a lot gives a move, as in dsl/analysis/sampling.py, and the move that has it. */
INLINE u64 rank_of(u64 lot, Move move) {
    u64 z = (lot + move) * ODD;
    return (z ^ z >> 32) * MIX;
}
INLINE Move move_of(u64 lot, u64 rank) {
    u64 z = rank * 0x96DE1B173F119089ULL; /* the inverses of both factors */
    return (Move)((z ^ z >> 32) * 0xF1DE83E19937733DULL - lot);
}
