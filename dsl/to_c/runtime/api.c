/* The ending that holds, for who has just moved; 0 if none does. */
static I ends(const u8 *s, I turns, I times, I *winner BOUND(Control *c)) {
    NEW_MEMO(k);
    BEGIN(c);
    return over(s, last_mover(s) MEMO(&k) BOUND(c), turns, times, winner);
}

static UNUSED I mobility(const u8 *s, I m BOUND(Control *c)) {
    enum { ROOM = 1 << 14 };
    Move found[ROOM];
    NEW_MEMO(k);
    return moves(s, m MEMO(&k) BOUND(c), found, found + ROOM, NUMBER) - found;
}

static UNUSED I is_mobile(const u8 *s, I m BOUND(Control *c)) {
    NEW_MEMO(k);
    return any(s, m MEMO(&k) BOUND(c));
}

/* Legal moves from `out` on of a game that goes on; the ending and the winner if there are none. */
static I legal_on(const u8 *s, Move *out, Move *end, int wanted, I *ending,
                  UNUSED I *winner MEMO(Memo *k) BOUND(Control *c)) {
    *ending = 0;
    Move *last = moves(s, s[0] MEMO(k) BOUND(c), out, end, wanted);
    if (CUT(c)) return STOPPED;
    if (last == end) return NO_ROOM;
    if (last == out) {
#if PASSES
        *out = (Move)PASS_KIND << KIND_SHIFT;
        return 1;
#else
        *ending = stuck(s, s[0] MEMO(k) BOUND(c), winner);
#endif
    }
    return last - out;
}

/* Legal moves from `out` on; the ending and the winner if there are none, because the game is over. */
static I legal(const u8 *s, Move *out, Move *end, int wanted, I *ending, I *winner MEMO(Memo *k) BOUND(Control *c)) {
    *ending = ends(s, 0, 1, winner BOUND(c));
    return *ending ? 0 : legal_on(s, out, end, wanted, ending, winner MEMO(k) BOUND(c));
}

static void take(State *to, const u8 *from) {
    to->w[WORDS - 1] = 0;
    copy(to->b, from, SIZE);
}

static void give(u8 *to, const u8 *from) { copy(to, from, SIZE); }

/* A state variable, or a run of them: its bytes, how many of them make a value, and the numbers that they may hold. */
typedef struct {
    i32 begin, end, width, low, high;
} Field;

static int in_range(const u8 *at, I count, u8 low, u8 high) {
    I i = 0;
    u8 wrong = 0, span = high - low;
#ifdef VECTORS
    typedef u8 Bytes __attribute__((vector_size(16)));
    typedef Bytes BytesAnywhere __attribute__((aligned(1), may_alias));
    Bytes beyond = {0};
    for (; i + 16 <= count; i += 16) beyond |= (Bytes)(*(const BytesAnywhere *)(at + i) - low > span);
    for (I byte = 0; i && byte < 16; byte++) wrong |= beyond[byte];
#endif
    for (; i < count; i++) wrong |= (u8)(at[i] - low) > span;
    return !wrong;
}

/* Is this a position: does every state variable hold one of its values?  Rules may trust what has passed here. */
static int is_sound(const u8 *s) {
    static const Field fields[] = {FIELDS};
    for (u32 i = 0; i < sizeof fields / sizeof *fields; i++) {
        Field field = fields[i];
        if (field.width == 1) {
            if (!in_range(s + field.begin, field.end - field.begin, (u8)field.low, (u8)field.high)) return 0;
            continue;
        }
        for (I at = field.begin; at < field.end; at += 2) {
            I value = 255 * s[at] + s[at + 1];
            if (s[at + 1] == 255 || value < field.low || value > field.high) return 0;
        }
    }
    return 1;
}

/* Which of `count` states, one behind the other, is the first that is none; `count` if all are. */
EXPORT I ps_sound(const u8 *in, I count) {
    for (I i = 0; i < count; i++)
        if (!is_sound(in + i * SIZE)) return i;
    return count;
}

/* Do moves have to be tried to know that none is a mistake? */
EXPORT I ps_tries(void) { return MAY_FAIL; }

/* Can a question about one position take so long that its steps are counted? */
EXPORT I ps_bounded(void) { return BOUNDED; }

/* result: ending, winner.  The number of moves; a mistake in one of them is a mistake here.  `children`, for as many
   positions as there is room for moves and a word more, gets the positions after the moves if ps_tries says so. */
EXPORT I ps_expand(UNUSED Control *c, const u8 *in, Move *out, I room, I *result, UNUSED u8 *children) {
    State s;
    if (!is_sound(in)) return UNSOUND;
    take(&s, in);
    result[1] = 0;
    NEW_MEMO(k);
    I count = legal(s.b, out, out + room, SORTED, &result[0], &result[1] MEMO(&k) BOUND(c));
#if MAY_FAIL
    for (I i = 0; i < count; i++)
        if (!apply(s.b, out[i], children + i * SIZE, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
#endif
    return count;
}

/* The positions after `count` legal moves, one behind the other; a word more is written than they need. */
EXPORT I ps_children(Control *c, const u8 *in, const Move *list, I count, u8 *out) {
    State s;
    take(&s, in);
    NEW_MEMO(k);
    for (I i = 0; i < count; i++) {
        BEGIN(c);
        if (!apply(s.b, list[i], out + i * SIZE, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
    }
    return count;
}

/* The same for `count` positions, one behind the other, as many of them as there is room for: how many.  about: number
   of moves, ending, winner, for each.  The positions after the moves are found if they are `wanted`. */
EXPORT I ps_expand_many(Control *c, const u8 *in, I count, Move *out, I room, I *about, u8 *children, I wanted) {
    I used = 0;
    State s, t;
    for (I i = 0; i < count; i++) {
        if (c->stop) return STOPPED;
        take(&s, in + i * SIZE);
        NEW_MEMO(k);
        about[3 * i + 2] = 0;
        I found = legal(s.b, out + used, out + room, SORTED, &about[3 * i + 1], &about[3 * i + 2] MEMO(&k) BOUND(c));
        if (found < 0) return i ? i : found;
        about[3 * i] = found;
        for (I m = 0; (wanted || MAY_FAIL) && m < found; m++) {
            u8 *child = wanted ? children + (used + m) * SIZE : t.b;
            if (!apply(s.b, out[used + m], child, &c->error MEMO(&k) BOUND(c))) {
                c->low = i;
                return MISTAKE;
            }
        }
        used += found;
        c->nodes++;
    }
    return count;
}

/* The estimates of `count` positions for the first player. */
EXPORT I ps_estimate_many(Control *c, const u8 *in, I count, I *out) {
    State s;
    for (I i = 0; i < count; i++) {
        if (c->stop) return STOPPED;
        take(&s, in + i * SIZE);
        NEW_MEMO(k);
        BEGIN(c);
        out[i] = value_of(c, s.b MEMO(&k));
        c->nodes++;
    }
    return count;
}

EXPORT I ps_start(Control *c, u64 seed, u8 *out) {
    State t;
    t.w[WORDS - 1] = 0;
    if (!setup(t.b, &seed, &c->error BOUND(c))) return MISTAKE;
    give(out, t.b);
    return 1;
}

EXPORT I ps_estimate(UNUSED Control *c, const u8 *in) {
    State s;
    if (!is_sound(in)) return UNSOUND_VALUE;
    take(&s, in);
    NEW_MEMO(k);
    return value_of(c, s.b MEMO(&k));
}

/* The ending that holds after so many turns, where the position has occurred so many times. */
EXPORT I ps_judge(UNUSED Control *c, const u8 *in, I turns, I times, I *winner) {
    State s;
    if (!is_sound(in)) return UNSOUND;
    take(&s, in);
    *winner = 0;
    return ends(s.b, turns, times, winner BOUND(c));
}

/* What an ending compares; `stuck`: that of the player who cannot move, else of who has just moved. */
EXPORT I ps_standing(UNUSED Control *c, const u8 *in, I number, I stuck, I *out) {
    State s;
    NEW_MEMO(k);
    if (!is_sound(in)) return UNSOUND;
    take(&s, in);
    BEGIN(c);
    return standing(s.b, stuck ? s.b[0] : last_mover(s.b) MEMO(&k) BOUND(c), number, out);
}
