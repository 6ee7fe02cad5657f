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
#define WHOLE __attribute__((flatten)) /* what it calls becomes part of it, so that they look things up once */
#ifdef __TINYC__
#define INLINE static inline
#else
#define INLINE static inline __attribute__((unused))
#endif

#ifdef __TINYC__
#define FETCH(at) ((void)(at))
#define PUBLISH(at, value) ((at) = (value))
#else
#define FETCH(at) __builtin_prefetch(at)
#define PUBLISH(at, value) __atomic_store_n(&(at), value, __ATOMIC_RELEASE) /* what was written before is there, too */
#endif

/* Where the rules' bytes are read and written many at once, wherever they lie. */
typedef u64 WordAnywhere __attribute__((aligned(1), may_alias));
#if (defined(__SSE2__) || defined(__wasm_simd128__)) && !defined(__TINYC__)
#define VECTORS
typedef char Bytes16 __attribute__((vector_size(16)));
typedef Bytes16 Bytes16Anywhere __attribute__((aligned(1), may_alias));
typedef short Shorts __attribute__((vector_size(16)));
typedef Shorts Shorts8 __attribute__((aligned(2), may_alias));
typedef i32 Ints4 __attribute__((vector_size(16)));
#define PRODUCTS(a, b) __builtin_ia32_pmaddwd128((Shorts)(a), (Shorts)(b)) /* sums of two products each */
#endif
#ifdef __wasm_simd128__ /* the same instruction by another name */
#define __builtin_ia32_pmovmskb128(bytes) \
    __builtin_wasm_bitmask_i8x16((signed char __attribute__((vector_size(16))))(bytes))
#define __builtin_ia32_pmaddwd128(a, b) __builtin_wasm_dot_s_i32x4_i16x8(a, b)
#endif

/* A position: the bytes that every engine has, filled up with zeros so that it can be copied word by word. */
#define WORDS ((SIZE + 7) / 8)
typedef union {
    u8 b[WORDS * 8];
    u64 w[WORDS];
} State;

INLINE void copy(u8 *to, const u8 *from, int count) {
    int i = 0;
#ifdef VECTORS
#pragma GCC unroll 16
    for (; i + 16 <= count; i += 16) *(Bytes16Anywhere *)(to + i) = *(const Bytes16Anywhere *)(from + i);
#endif
    for (; i + 8 <= count; i += 8) *(WordAnywhere *)(to + i) = *(const WordAnywhere *)(from + i);
    for (; i < count; i++) to[i] = from[i];
}
INLINE void copy_state(u8 *to, const u8 *from) { copy(to, from, WORDS * 8); }

/* What went wrong: 0 nothing, else OUT_OF_RANGE or what else may, with line, slot and value. */
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
    I values;   /* where the learned values stand by which positions are judged; 0: by `evaluate` */
} Control;

/* Where a question can take very long each loop of the rules counts its turns.  When there are none left, or when the
   question is stopped, every loop ends at once, and what it would have found does not matter any more. */
#if BOUNDED
#define BOUND(c) , c
#define CUT(c) ((c)->cut)
#define BEGIN(c) ((c)->left = (c)->steps - (c)->slice)
enum { SLICE = 1 << 16 };

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

/* A page has no other thread that could stop a question: so it is asked now and then, and looks how far that is. */
#ifdef __wasm__
__attribute__((import_module("host"), import_name("stops"))) int host_stops(void);
#define ask_host(c, seldom) ((c)->stop |= !((c)->nodes & (seldom)) && host_stops())
#else
#define ask_host(c, seldom)
#endif
