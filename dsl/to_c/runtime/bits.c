INLINE int lowest_bit(u64 bits) {
#if defined(__TINYC__) && defined(__x86_64__) /* tcc has no such functions, but assembler */
    u64 n;
    __asm__("bsfq %1, %0" : "=r"(n) : "r"(bits));
    return (int)n;
#elif defined(__TINYC__)
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
#if defined(__TINYC__) && defined(__x86_64__)
    u64 n;
    __asm__("bsrq %1, %0" : "=r"(n) : "r"(bits));
    return (int)n;
#elif defined(__TINYC__)
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
#ifdef VECTORS
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
#ifdef VECTORS
    if (count >= 16) {
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
