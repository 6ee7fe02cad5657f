/* What all Zola programs answer alike, which include it: sequences of moves, and games of random moves.

   Used: Board, Move, PASS, MOST, finished, mover, make, count, generate, and play_random, which takes a lot. */

EXPORT u64 perft(const Board *b, int depth) {
    Move moves[MOST];
    if (depth == 0) return 1;
    if (finished(b)) return 0;
    if (depth == 1) {
        int n = count(b);
        return n ? (u64)n : 1;
    }
    int n = generate(b, moves);
    if (!n) moves[n++] = PASS;
    u64 total = 0;
    for (int i = 0; i < n; i++) {
        Board next = *b;
        make(&next, moves[i]);
        total += perft(&next, depth - 1);
    }
    return total;
}

/* The lots are those of dsl/to_c/runtime/playouts.c, so the games are the same. */
static inline u64 draw(u64 *lots) {
    u64 z = *lots += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

/* results: draws, wins of Red and Blue, games not finished, moves in all */
EXPORT void playouts(const Board *start, long long games, u64 seed, long long longest, long long *results) {
    for (int i = 0; i < 5; i++) results[i] = 0;
    for (long long game = 0; game < games; game++) {
        u64 before = seed + (u64)game, lots = draw(&before);
        long long ply = 0;
        Board b = *start;
        for (; ply < longest && !finished(&b); ply++) play_random(&b, draw(&lots) >> 32);
        results[finished(&b) ? 3 - mover(&b) : 3]++;
        results[4] += ply;
    }
}
