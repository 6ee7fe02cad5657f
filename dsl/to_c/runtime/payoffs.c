/* What a result pays to each player, in parts of UNIT; what all get is 0 where there are several. */
static void pay(I result, I *out) {
    I place[SEATS], equals[SEATS], first = 0;
#if PAYS
    if (result >= AMOUNTS) {
        unpack_payoffs(result, out);
        return;
    }
#endif
    for (I at = 0; at < SEATS; at++) {
        if (result & RANKED) place[at] = result >> PLACE_BITS * at & PLACE_MASK;
        else if (result & SHARED) place[at] = !(result >> at & 1);
        else place[at] = result && result != at + 1;
        first += !place[at];
    }
    for (I at = 0; at < SEATS; at++) {
        equals[at] = 0;
        for (I other = 0; other < SEATS; other++) equals[at] += place[other] == place[at];
    }
    for (I at = 0; at < SEATS; at++) {
#if SEATS == 1
        out[at] = !result ? 0 : place[at] ? -UNIT : UNIT;
#else
        if (!result) out[at] = 0;
        else if (result & RANKED) out[at] = UNIT - UNIT * (2 * place[at] + equals[at] - 1) / (SEATS - 1);
        else if (place[at]) out[at] = -UNIT / (SEATS - 1);
        else out[at] = UNIT * (SEATS - first) / (first * (SEATS - 1));
#endif
    }
}

EXPORT I ps_paid(I result, I *out) {
    pay(result, out);
    return SEATS;
}

/* The player who alone is paid most, or one more than there are players. */
static UNUSED I sole_winner(const I *paid) {
    I most = 0, found = SEATS + 1;
    for (I at = 0; at < SEATS; at++) {
        if (paid[at] > most) most = paid[at], found = at + 1;
        else if (most && paid[at] == most) found = SEATS + 1;
    }
    return found;
}

/* The estimates of a position for all players. */
EXPORT I ps_estimates(UNUSED Control *c, const u8 *in, I *out) {
    State s;
    if (!is_sound(in)) return UNSOUND;
    take(&s, in);
    NEW_MEMO(k);
    estimates(s.b, out MEMO(&k) BOUND(c));
    return SEATS;
}
