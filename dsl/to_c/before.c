/* Types, arithmetic and sets; the tables and functions of the game follow. */

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;
typedef signed char i8;
typedef short i16;
typedef int i32;
typedef long long I; /* a value of the rules */

#if MOVE_BITS <= 32
typedef u32 Move;
#else
typedef u64 Move;
#endif

#define UNUSED __attribute__((unused))
#define APART __attribute__((noinline))
#ifdef __TINYC__
#define INLINE static inline
#else
#define INLINE static inline __attribute__((unused))
#endif

#ifdef __TINYC__
#define FETCH(at) ((void)(at))
#else
#define FETCH(at) __builtin_prefetch(at)
#endif

/* Where the rules' bytes are read and written many at once, wherever they lie. */
typedef u64 WordAnywhere __attribute__((aligned(1), may_alias));
#if defined(__SSE2__) && !defined(__TINYC__)
typedef char Bytes16 __attribute__((vector_size(16)));
typedef Bytes16 Bytes16Anywhere __attribute__((aligned(1), may_alias));
#endif

/* A position: the bytes that every engine has, filled up with zeros so that it can be copied word by word. */
#define WORDS ((SIZE + 7) / 8)
typedef union {
    u8 b[WORDS * 8];
    u64 w[WORDS];
} State;

INLINE void copy(u8 *to, const u8 *from, int count) {
    int i = 0;
#if defined(__SSE2__) && !defined(__TINYC__)
#pragma GCC unroll 16
    for (; i + 16 <= count; i += 16) *(Bytes16Anywhere *)(to + i) = *(const Bytes16Anywhere *)(from + i);
#endif
    for (; i + 8 <= count; i += 8) *(WordAnywhere *)(to + i) = *(const WordAnywhere *)(from + i);
    for (; i < count; i++) to[i] = from[i];
}
INLINE void copy_state(u8 *to, const u8 *from) { copy(to, from, WORDS * 8); }

/* What went wrong: 0 nothing, else one of the numbers in effects.py, with line, slot and value. */
typedef struct {
    I kind, line, slot, value;
} Error;

INLINE int fail(Error *e, I kind, I line, I slot, I value) {
    e->kind = kind, e->line = line, e->slot = slot, e->value = value;
    return 0;
}

/* Read and written from both sides while a question is answered. */
typedef struct {
    I stop;     /* not 0: answer at once with what there is */
    I nodes;    /* how much is done */
    I ended;    /* positions after a turn, found so far */
    I low;      /* results, as the question says */
    I high;
    Error error;
    I steps;    /* how many steps one position may take; what follows is used where BOUNDED */
    I left;     /* how many of them are left, but for those of this slice */
    I slice;    /* steps until somebody looks whether to go on */
    I cut;      /* not 0: what was asked last was not carried out to its end, and its answer means nothing */
} Control;

/* Where a question can take very long each loop of the rules counts its turns.  When there are none left, or when the
   question is stopped, every loop ends at once, and what it would have found does not matter any more. */
#if BOUNDED
#define BOUND(c) , c
#define CUT(c) ((c)->cut)
#define BEGIN(c) ((c)->left = (c)->steps - (c)->slice)
enum { SLICE = 1 << 16, CUT_BY_STOP = 1, CUT_BY_STEPS = 2 };

static APART int no_more(Control *c) {
    c->slice = 0;
    if (!c->cut) c->cut = *(volatile I *)&c->stop ? CUT_BY_STOP : c->left <= 0 ? CUT_BY_STEPS : 0;
    if (c->cut) {
        c->stop |= 1;
        return 1;
    }
    c->slice = c->left < SLICE ? c->left : SLICE;
    c->left -= c->slice;
    return 0;
}
INLINE int spent(Control *c) { return --c->slice < 0 && no_more(c); }
#else
#define BOUND(c)
#define CUT(c) 0
#define BEGIN(c)
#endif

/* Arithmetic as the rules mean it: quotients are rounded down, a remainder has the sign of the divisor. */
INLINE I floor_div(I a, I b) {
    I q = a / b;
    return a % b != 0 && (a % b < 0) != (b < 0) ? q - 1 : q;
}
INLINE I floor_mod(I a, I b) {
    I r = a % b;
    return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}
INLINE I power(I base, I exponent) {
    I found = 1;
    while (exponent > 0) {
        if (exponent & 1) found *= base;
        if (exponent >>= 1) base *= base;
    }
    return found;
}
INLINE I absolute(I a) { return a < 0 ? -a : a; }
INLINE I least(I a, I b) { return a < b ? a : b; }
INLINE I most(I a, I b) { return a > b ? a : b; }
INLINE I root(I a) {
    u64 rest = (u64)a, found = 0, bit = 1ULL << 62;
    while (bit > rest) bit >>= 2;
    for (; bit; bit >>= 2) {
        if (rest >= found + bit) {
            rest -= found + bit;
            found = (found >> 1) + bit;
        } else {
            found >>= 1;
        }
    }
    return (I)found;
}

INLINE int lowest_bit(u64 bits) {
#ifdef __TINYC__
    int n = 0;
    if (!(bits & 0xffffffffULL)) n += 32, bits >>= 32;
    if (!(bits & 0xffff)) n += 16, bits >>= 16;
    if (!(bits & 0xff)) n += 8, bits >>= 8;
    if (!(bits & 0xf)) n += 4, bits >>= 4;
    if (!(bits & 3)) n += 2, bits >>= 2;
    return n + !(bits & 1);
#else
    return __builtin_ctzll(bits);
#endif
}

INLINE int highest_bit(u64 bits) {
#ifdef __TINYC__
    int n = 0;
    for (int half = 32; half; half >>= 1)
        if (bits >> half) n += half, bits >>= half;
    return n;
#else
    return 63 - __builtin_clzll(bits);
#endif
}
INLINE u64 bit_of(I at) { return at >= 0 && at < 64 ? 1ULL << at : 0; }
INLINE u64 moved(u64 bits, int by) { return by >= 0 ? bits << by : bits >> -by; }
INLINE u64 highest_of(u64 bits) { return bits ? 1ULL << highest_bit(bits) : 0; }
INLINE I count_bits(u64 bits) {
#ifdef __POPCNT__
    return __builtin_popcountll(bits);
#else
    bits -= bits >> 1 & 0x5555555555555555ULL;
    bits = (bits & 0x3333333333333333ULL) + (bits >> 2 & 0x3333333333333333ULL);
    return (I)(((bits + (bits >> 4)) & 0x0f0f0f0f0f0f0f0fULL) * 0x0101010101010101ULL >> 56);
#endif
}

/* Which of the bytes from `at` on are `value`, as bits; `count` is at most 64. */
INLINE u64 equal8(const u8 *at, u64 values) {
    u64 x = *(const WordAnywhere *)at ^ values, low = 0x7f7f7f7f7f7f7f7fULL;
    x = ~(((x & low) + low) | x | low) >> 7;
    return x * 0x0102040810204080ULL >> 56;
}
INLINE u64 bits_of(const u8 *at, int count, I value) {
    u64 found = 0;
    int i = 0;
#if defined(__SSE2__) && !defined(__TINYC__)
    if (count >= 16) {
        const Bytes16 values = (Bytes16){0} + (char)value;
#pragma GCC unroll 4
        for (; i < count; i += 16) {
            int from = i + 16 <= count ? i : count - 16; /* the last sixteen may overlap */
            u64 equal = (u64)(u32)__builtin_ia32_pmovmskb128((Bytes16)(*(const Bytes16Anywhere *)(at + from) == values));
            found |= equal << from;
        }
        return found;
    }
#endif
    const u64 values = (u64)(u8)value * 0x0101010101010101ULL;
    if (count >= 8) {
        for (; i < count; i += 8) {
            int from = i + 8 <= count ? i : count - 8;
            found |= equal8(at + from, values) << from;
        }
        return found;
    }
    for (; i < count; i++) found |= (u64)(at[i] == value) << i;
    return found;
}

/* One bit of each of the bytes from `at` on, as bits; `count` is at most 64. */
INLINE u64 plane(const u8 *at, int count, int bit) {
    u64 found = 0;
    int i = 0;
#if defined(__SSE2__) && !defined(__TINYC__)
    if (count >= 16) {
        typedef short Shorts __attribute__((vector_size(16)));
#pragma GCC unroll 4
        for (; i < count; i += 16) {
            int from = i + 16 <= count ? i : count - 16;
            Shorts moved = (Shorts)(*(const Bytes16Anywhere *)(at + from)) << (7 - bit);
            found |= (u64)(u32)__builtin_ia32_pmovmskb128((Bytes16)moved) << from;
        }
        return found;
    }
#endif
    for (; i + 8 <= count; i += 8) {
        u64 one = *(const WordAnywhere *)(at + i) >> bit & 0x0101010101010101ULL;
        found |= (one * 0x0102040810204080ULL >> 56) << i;
    }
    for (; i < count; i++) found |= (u64)(at[i] >> bit & 1) << i;
    return found;
}

/* Lots: splitmix64 (Steele, Lea and Flood 2014), the same on every engine. */
INLINE u64 draw(u64 *lots) {
    u64 z = *lots += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}
INLINE u64 draw_below(u64 *lots, u64 count) { return ((draw(lots) >> 32) * count) >> 32; }

/* Ways to draw a move, see draws.py. */
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
    u64 z = (lot + move) * 0x9E3779B97F4A7C15ULL;
    return (z ^ z >> 32) * 0xBF58476D1CE4E5B9ULL;
}
INLINE Move move_of(u64 lot, u64 rank) {
    u64 z = rank * 0x96DE1B173F119089ULL; /* the inverses of both factors */
    return (Move)((z ^ z >> 32) * 0xF1DE83E19937733DULL - lot);
}

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

/* How moves are wanted: only their number, as they are found, in canonical order. */
enum { NUMBER, LISTED, SORTED };

/* Moves that differ in their last choice, one for each bit; `first` is that of the lowest bit. */
INLINE Move *add_moves(Move *out, u64 bits, Move first, int counted) {
    if (counted) return out + count_bits(bits);
    for (; bits; bits &= bits - 1) *out++ = first + (Move)lowest_bit(bits);
    return out;
}

/* Moves in ascending order; `once`: each of them once. */
static UNUSED Move *sort_moves(Move *first, Move *end, int once) {
    for (Move *at = first + 1; at < end; at++) {
        Move move = *at, *to = at;
        if (at - first > 40) { /* a long list: find the place by halves */
            Move *low = first, *high = at;
            while (low < high) {
                Move *middle = low + (high - low) / 2;
                if (*middle <= move) low = middle + 1;
                else high = middle;
            }
            for (; to > low; to--) *to = to[-1];
        } else {
            for (; to > first && to[-1] > move; to--) *to = to[-1];
        }
        *to = move;
    }
    if (!once || first == end) return end;
    Move *last = first;
    for (Move *at = first + 1; at < end; at++)
        if (*at != *last) *++last = *at;
    return last + 1;
}

static UNUSED I mobility(const u8 *s, I m BOUND(Control *c));
static UNUSED I is_mobile(const u8 *s, I m BOUND(Control *c));
