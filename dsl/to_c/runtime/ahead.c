/* What the rest of a turn is worth at most, while it is looked for which moves are preferred: the same position comes
 * about in many orders of moves. A position takes the place of another one with the same number. */
#define TURNS (SIZE <= 128 ? 256 : SIZE <= 1024 ? 32 : 1)
typedef struct {
    u64 full[(TURNS + 63) / 64];
    I ahead[TURNS], rest[TURNS];
    State at[TURNS];
} Turn;

INLINE int place_in_turn(const State *s) {
    u64 hash = 0;
    for (int i = 0; i < WORDS; i++) hash = (hash ^ s->w[i]) * 0x9E3779B97F4A7C15ULL;
    return (int)((hash >> 32) % TURNS);
}
INLINE int is_in_turn(const Turn *t, int at, const State *s, I ahead) {
    if (!(t->full[at >> 6] >> (at & 63) & 1) || t->ahead[at] != ahead) return 0;
    for (int i = 0; i < WORDS; i++)
        if (t->at[at].w[i] != s->w[i]) return 0;
    return 1;
}
INLINE void keep_in_turn(Turn *t, int at, const State *s, I ahead, I rest) {
    t->full[at >> 6] |= (u64)1 << (at & 63);
    t->ahead[at] = ahead;
    t->rest[at] = rest;
    copy_state(t->at[at].b, s->b);
}
