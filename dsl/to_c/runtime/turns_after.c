/* ------------------------------------------------------------- sequences of turns after a game so far */

/* The positions of a turn that is going on, the last one first. */
typedef struct Within {
    const State *s;
    const struct Within *before;
} Within;

enum { PATH_IS_FULL = 1, ORDERS_ARE_MANY = 2, MOST_ORDERS = 1 << 14 };

static int was_within(const Within *turn, const State *s) {
    for (; turn; turn = turn->before)
        if (same_state(turn->s, s)) return 1;
    return 0;
}

/* How often a position has occurred, this time included, without those of the turn that is going on, which begins at
   `first` on the path. */
static I times_before(Past *h, const State *s, I first) {
    const I length = h->length, old = remember(h, s);
    const State *now = &h->path[length];
    I times = 1;
    for (I i = 0; old && i < first; i++)
        if (h->hashes[i] == h->hashes[length]) times += same_state(&h->path[i], now);
    for (I i = 0; i < h->count; i++)
        if (same_state(&h->before[i], now)) times += h->times[i];
    return times;
}

/* What is counted: the game so far, the most positions on its path, and the positions within a last turn. */
typedef struct {
    Past h;
    I room, orders;
} Sought;

/* Sequences of `left` whole turns, the first of which begins at `first` on the path and has come to a position; each
   order of moves is a history of its own.  `by_move` is where those with each of the moves are written, or 0. */
static I turns_after(Control *c, Sought *p, const Within *turn, const State *s, I left, I first, Move *at, Move *end,
                     I *by_move) {
    Past *h = &p->h;
    const I is_over = h->length > first && left == 1; /* a turn within which the game ends is complete */
    I winner = 0, total = 0;
    if (c->stop) return STOPPED;
    if (h->length == p->room || (left == 1 && ++p->orders > MOST_ORDERS)) {
        c->low = h->length == p->room ? PATH_IS_FULL : ORDERS_ARE_MANY;
        return NO_ROOM;
    }
    if (ends(s->b, h->turns, times_before(h, s, first), &winner BOUND(c))) return is_over;
    NEW_MEMO(k);
    const int counted = left == 1 && ONE_MOVE && !MAY_FAIL && !by_move;
    Move *last = moves(s->b, s->b[0] MEMO(&k) BOUND(c), at, end, by_move ? SORTED : counted ? NUMBER : LISTED);
    if (CUT(c)) return STOPPED;
    if (last == end) return NO_ROOM;
#if PASSES
    if (last == at) *last++ = (Move)PASS_KIND << KIND_SHIFT;
#endif
    if (last == at) return is_over;
    if (counted || (left == 1 && !MAY_FAIL && !by_move && all_pass(at, last - at))) {
        c->nodes += last - at;
        return last - at;
    }
    const I turns = h->turns;
    const Within now = {s, turn};
    h->length++;
    for (const Move *move = at; move < last; move++) {
        State t;
        t.w[WORDS - 1] = 0;
        if (!apply(s->b, *move, t.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        if (CUT(c)) return STOPPED;
        const I passed = t.b[0] != s->b[0];
        I found = 1;
        if (!passed && was_within(&now, &t)) return ENDLESS;
        h->turns = turns + passed;
        if (passed && left > 1) p->orders = 0;
        if (!passed) found = turns_after(c, p, &now, &t, left, first, last, end, 0);
        else if (left > 1) found = turns_after(c, p, 0, &t, left - 1, h->length, last, end, 0);
        else c->nodes++;
        if (found < 0) return found;
        if (by_move) by_move[move - at] = found;
        total += found;
    }
    h->turns = turns;
    h->length--;
    return total;
}

/* Counts the sequences of so many whole turns, at least one, after a game so far, by their first moves in canonical
   order; `by_move` has room for all legal ones.  ENDLESS where a turn can come back to a position.  NO_ROOM where low is
   0: there are more moves on the way than `size`; low is 1: a sequence has more than `path_room` positions, which it
   has place for with a word for each behind them; low is 2: a last turn can be played in so many orders that these are
   not counted one by one. */
EXPORT I ps_turns_after(Control *c, const u8 *in, I left, Move *room, I size, State *path, I path_room, I turns,
                        const State *before, const I *times, I count, I *by_move) {
    State s;
    take(&s, in);
    Sought p = {{.path = path, .hashes = (u64 *)(path + path_room), .turns = turns, .before = before, .times = times,
                 .count = count}, path_room, 0};
    return turns_after(c, &p, 0, &s, left, 0, room, room + size, by_move);
}
