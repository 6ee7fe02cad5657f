/* Results: 0 is a draw, a number the player who alone wins, SHARED has a bit for each player who shares the first place,
   RANKED the place of each, less 1. */
enum { EVERYBODY = (1 << SEATS) - 1, PLACE_MASK = (1 << PLACE_BITS) - 1 };

/* Is it a man, and not one of this player? */
static UNUSED int is_of_others(I man, I player) { return man >= 1 && man <= SEATS && man != player; }

static UNUSED I shared_by(I players) {
    if (players == EVERYBODY && SEATS > 1) return 0;
    for (I player = 1; player <= SEATS; player++)
        if (players == 1 << (player - 1)) return player;
    return SHARED | players;
}

/* Those of some players whose value is the most, or the least. */
static UNUSED I first_of(const I *values, I players, int least) {
    I best = 0, found = 0;
    for (I at = 0; at < SEATS; at++) {
        if (!(players >> at & 1)) continue;
        if (found && values[at] == best) found |= 1 << at;
        else if (!found || (least ? values[at] < best : values[at] > best)) best = values[at], found = 1 << at;
    }
    return found;
}

/* The place of each player by `count` rows of values, of which the first that differs decides. */
static UNUSED I ranked_by(const I *values, const u8 *least, I count) {
    I result = 0;
    for (I one = 0; one < SEATS; one++) {
        for (I other = 0; other < SEATS; other++) {
            I row = 0;
            while (row < count && values[row * SEATS + one] == values[row * SEATS + other]) row++;
            if (row == count) continue;
            int more = values[row * SEATS + other] > values[row * SEATS + one];
            if (more != least[row]) result += 1LL << PLACE_BITS * one;
        }
    }
    return result ? RANKED | result : 0;
}
