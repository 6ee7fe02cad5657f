/* Results that hold payoffs: from AMOUNTS on, of all players but the last, who gets what is left, or of a lone player. */
enum { HELD = SEATS > 1 ? SEATS - 1 : 1, HALF = 1 << (PAID_BITS - 1), PAID_MASK = (1 << PAID_BITS) - 1 };

/* The result that pays each player a value; where a line of the rules is given, it is looked whether they add up to
   zero, and if they do not, the result says the line. */
static I paid(const I *values, I line) {
    I all = 0, sum = 0, some = 0;
    for (I at = SEATS - 1; at >= 0; at--) {
        sum += values[at], some |= values[at];
        if (at < HELD) all = (all << PAID_BITS) + values[at] + HALF;
    }
    if (line && sum) return MISPAID - line;
    return some ? AMOUNTS + all : 0;
}

static void unpack_payoffs(I result, I *out) {
    out[SEATS - 1] = 0;
    for (I at = 0; at < HELD; at++) out[at] = ((result - AMOUNTS) >> PAID_BITS * at & PAID_MASK) - HALF;
    for (I at = 0; at < SEATS - 1; at++) out[SEATS - 1] -= out[at];
}
