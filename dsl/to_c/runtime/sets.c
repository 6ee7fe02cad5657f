INLINE int nth_bit(u64 bits, I n) {
    for (; n; n--) bits &= bits - 1;
    return lowest_bit(bits);
}

/* A set of up to 64 * N values, as bits. */
#define DEFINE_SET(N)                                                                     \
    typedef struct {                                                                      \
        u64 w[N];                                                                         \
    } Set##N;                                                                             \
    INLINE Set##N places##N(const u8 *at, int count, I value) {                           \
        Set##N found;                                                                     \
        for (int i = 0; i < N; i++)                                                       \
            found.w[i] = bits_of(at + i * 64, count - i * 64 < 64 ? count - i * 64 : 64, value); \
        return found;                                                                     \
    }                                                                                     \
    INLINE Set##N Set##N##_moved(const Set##N *a, int by) {                               \
        const int up = by >= 0, words = (up ? by : -by) >> 6, bits = (up ? by : -by) & 63; \
        Set##N found;                                                                     \
        for (int i = 0; i < N; i++) {                                                     \
            const int j = up ? i - words : i + words, k = up ? j - 1 : j + 1;             \
            const u64 near = j >= 0 && j < N ? a->w[j] : 0, far = bits && k >= 0 && k < N ? a->w[k] : 0; \
            found.w[i] = up ? near << bits | far >> (-bits & 63) : near >> bits | far << (-bits & 63); \
        }                                                                                 \
        return found;                                                                     \
    }                                                                                     \
    /* The cells in `rest`, and on each ray those up to the first that is blocked. */                   \
    static UNUSED Set##N Set##N##_seen(const Set##N *rest, const Set##N *up, const u16 *ups, const Set##N *down, \
                                       const u16 *downs, const Set##N *blocked) {         \
        Set##N found = *rest;                                                             \
        for (int ray = ups[0]; ray < ups[1]; ray++)                                       \
            for (int i = 0; i < N; i++) {                                                 \
                const u64 stop = up[ray].w[i] & blocked->w[i];                            \
                found.w[i] |= up[ray].w[i] & (stop ^ (stop - 1));                         \
                if (stop) break;                                                          \
            }                                                                             \
        for (int ray = downs[0]; ray < downs[1]; ray++)                                   \
            for (int i = N - 1; i >= 0; i--) {                                            \
                const u64 stop = down[ray].w[i] & blocked->w[i];                          \
                found.w[i] |= stop ? down[ray].w[i] & ~(highest_of(stop) - 1) : down[ray].w[i]; \
                if (stop) break;                                                          \
            }                                                                             \
        return found;                                                                     \
    }                                                                                     \
    INLINE I Set##N##_count(const Set##N *a) {                                            \
        I count = 0;                                                                      \
        for (int i = 0; i < N; i++) count += count_bits(a->w[i]);                         \
        return count;                                                                     \
    }                                                                                     \
    INLINE I Set##N##_nth(const Set##N *a, I n) {                                         \
        int i = 0;                                                                        \
        for (I here; i < N - 1 && n >= (here = count_bits(a->w[i])); i++) n -= here;      \
        return i * 64 + nth_bit(a->w[i], n);                                              \
    }                                                                                     \
    /* The first member; there is one. */                                                 \
    INLINE I Set##N##_lowest(const Set##N *a) {                                           \
        int i = 0;                                                                        \
        while (i < N - 1 && !a->w[i]) i++;                                                \
        return i * 64 + lowest_bit(a->w[i]);                                              \
    }                                                                                     \
    INLINE void Set##N##_clear(Set##N *a) {                                               \
        for (int i = 0; i < N; i++) a->w[i] = 0;                                          \
    }                                                                                     \
    INLINE void Set##N##_put(Set##N *a, I x) { a->w[x >> 6] |= 1ULL << (x & 63); }        \
    INLINE int Set##N##_has(const Set##N *a, I x) { return a->w[x >> 6] >> (x & 63) & 1; } \
    INLINE int Set##N##_list(const Set##N *a, u16 *out) {                                 \
        int n = 0;                                                                        \
        for (int i = 0; i < N; i++)                                                       \
            for (u64 bits = a->w[i]; bits; bits &= bits - 1) out[n++] = (u16)(i * 64 + lowest_bit(bits)); \
        return n;                                                                         \
    }                                                                                     \
    INLINE I Set##N##_pick(const Set##N *a, u64 *lots) {                                  \
        u16 all[N * 64];                                                                  \
        int n = Set##N##_list(a, all);                                                    \
        return n ? (I)all[draw_below(lots, (u64)n)] : -1;                                 \
    }

DEFINE_SET(1)

/* Of some cells those in `rest`, and those on a ray that are not behind one that is blocked. */
INLINE u64 seen(u64 cells, u64 rest, const Set1 *up, const u16 *ups, const Set1 *down, const u16 *downs, u64 blocked) {
    u64 found = cells & rest;
    if (found == cells) return found;
    for (int ray = ups[0]; ray < ups[1]; ray++) {
        const u64 line = up[ray].w[0], stop = line & blocked;
        if (line & cells) found |= line & cells & (stop ^ (stop - 1));
    }
    for (int ray = downs[0]; ray < downs[1]; ray++) {
        const u64 line = down[ray].w[0], stop = line & blocked;
        if (line & cells) found |= line & cells & ~(stop ? highest_of(stop) - 1 : 0);
    }
    return found;
}
