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
