/* ---------------------------------------------------------------------------------- the strong search

   Principal variation search with what programs for chess have found useful, for any game of two players or more
   without chance.  Each technique has a number in Techniques; 0 leaves it out.  Depth counts moves, and the sign of a
   value changes only where the side does that is to move (see same_side): with three players or more the search is
   paranoid.

   What a value claims: from WIN on a win is forced, to -WIN a loss.  A claim is always proved, however much is pruned:
   that a player loses is said only where every legal move of his was searched and loses, so nothing is left out where
   all moves so far lose, and what a null move, a margin or a shallow search says is brought below WIN.  A bound that
   such a value sets needs no proof.  How long the winner takes is the length of a win that was found: a shorter one may
   exist.  With three players or more there are WINs for each unit of a payoff: so many, or more, are forced for the
   side to move, or against it.

   A game is searched move by move: a search may go on with the table and the tallies of the one before.

   Sources: T. A. Marsland and M. Campbell, Parallel Search of Strongly Ordered Game Trees, Computing Surveys 14 (1982)
   (principal variation search); M. Buro, ProbCut, ICCA Journal 18 (1995); T. Anantharaman and others, Singular
   Extensions, Artificial Intelligence 43 (1990); E. A. Heinz, Adaptive Null-Move Pruning, ICCA Journal 22 (1999);
   O. David-Tabibi and N. S. Netanyahu, Verified Null-Move Pruning, ICGA Journal 25 (2002). */

#define SURE (WON + 2 * DEEPEST) /* a win now; a win n moves later is worth n less, and is WON at least */
#define HIGHEST (WIN - 2)        /* the highest value that claims nothing */
#define NO_MOVE ((Move)-1)
#define NO_STAND (-(1 << 30)) /* no estimate is known */
#define SHORT_BITS 15         /* moves are hashed to so many bits */
#define PAIR_BITS 16          /* and pairs of moves to so many */
#define TALLY_MOST 8192       /* the largest entry of a history */
#define AGE_BITS 6            /* the searches of a game are told apart by their number, as far as so many bits hold it */
#define CORRECTIONS 4096      /* entries of what corrects estimates, for each player */
#define CORRECTION_UNIT 256
#define SWING_UNIT 256
#define FIRST_WHOLE 64 /* positions beyond the horizon of which all moves are found, to know how often they capture */
#define CAPTURES 12 /* captures in a row beyond the horizon, at most */
#define SORTED_FIRST 32 /* moves that are tried in the order of what they promise; where there are more, no matter */
#define EARLIER 1024 /* places for positions of the game so far: a power of two; at most half of them are filled */

/* Where the rules demand something of positions after moves, moves are found without that, and it is tested when one is
   tried.  Not where a player who has no move passes. */
#define LATER_TESTED (DEMANDS && !PASSES)
#define TRIED (LATER_TESTED ? UNTESTED : SORTED)

/* Where there are several opponents, who passes gives the move to one of his own side, or only to the first of them. */
#if PLAYERS == 2
#define MOVERS 2
#define MAY_PASS ONE_MOVE
#else
#define MOVERS SEATS
#define MAY_PASS 0
#endif

typedef struct {
    I look;       /* from this depth on, all positions one move ahead are looked at first: wins, estimates, captures */
    I reduce;     /* late moves: by how much a late move is searched less deep; 56 is usual in chess */
    I late;       /* late moves that capture nothing are left out near the horizon: 4 times how many are tried at 0,
                     and a quarter of all more */
    I futility;   /* a position so much better than needed is not searched near the horizon: 16ths of a swing */
    I internal;   /* from this depth on, a position without a known best move is searched one move less deep */
    I quiet;      /* beyond the horizon captures are searched, where they are few: 1 the mover may also do nothing, 2 not if he must capture */
    I null;       /* a player who is well off even if he passes is not searched further: by so much less deep; not where
                     searches after that show that it is often better to pass than to move */
    I singular;   /* from this depth on, a move that alone is good is searched deeper */
    I probable;   /* a shallow search far above or below the window ends a deep one: 16ths of a swing */
    I correct;    /* estimates are corrected by what search has found in positions like this one */
    I forced;     /* only moves are searched deeper */
    I wins;       /* at the horizon, a move that wins at once is looked for */
    I take;       /* from this depth on, captures are tried first, by what they gain */
    I check;      /* a player in check is searched one move deeper */
    I hopeless;   /* near the horizon moves that capture nothing are left out where the estimate is so far below: 16ths of a swing */
    I keep;       /* a search goes on with what the one before has found, where that lies in the same memory */
} Techniques;

/* What a search is asked.  Behind it stand the places of first moves that lead back to what was left before, and those
   of first moves that are not wanted. */
typedef struct {
    I depth;        /* moves to the horizon, at most; 0: any number */
    I nodes;        /* positions at most; negative: any number */
    I lines;        /* how many lines of play are wanted, each from another first move */
    I helper;       /* the number of this thread among those that search together; 0: the one that is asked */
    I shared;       /* do other threads use the table, too? */
    I entries, few; /* positions in the table at most; in the first table, both powers of two and 4 at least */
    I earlier;      /* how many positions of the game so far are told, as `repeated` compares them */
    I backs, unwanted; /* how many places follow */
    Techniques with;
} Wanted;

typedef struct {
    Key key;
    i32 value, stand;
    Move best;
    u16 check;
    u8 depth, bound : 2, age : AGE_BITS; /* bound: one more than what is known of the value; 0: nothing */
} Known;

typedef struct {
    Control *c;
    Techniques with;
    Known *table;
    I places, filled, age, shared, most_nodes, deepest, captures; /* deepest: of this iteration */
    I player; /* whose values are sought: he is one side, and all others are the other */
    I swing, swings, unit; /* by how much estimates differ from those a move before: the sum, of how many, and
                               the mean in parts of SWING_UNIT */
    I moves, taking; /* of positions beyond the horizon, and how many of them capture */
    I beyond, gained; /* how many of these positions there were, and in how many of them a capture gained something */
    I skipped;        /* in how many of these positions captures were not worth while */
    I whole, bound;   /* of how many of them all moves were found, and how often all of them captured */
    I passed;        /* is it not allowed to pass in the position that is searched next? */
    I passes, tried_passes, wrong_passes; /* who is well off after passing: how often, tested, and not so if he moves */
    const I *back, *not_wanted;
    I backs, unwanted, dones;
    Move done[DEEPEST]; /* first moves of lines that were found before */
    Move *first, *end;
    I *promises;
    Move killers[LONGEST_LINE + 1][2];
    Move made[LONGEST_LINE + 1]; /* the moves on the way */
    I stands[LONGEST_LINE + 1];
    u64 path[LONGEST_LINE + 1];
    Key keys[LONGEST_LINE + 1]; /* of the positions on the way that are looked up, and their hashes */
    u64 hashes[LONGEST_LINE + 1];
    u64 earlier[EARLIER]; /* hashes of positions of the game so far, each at its hash or behind it; 0: none */
    Move line[LONGEST_LINE + 1][LONGEST_LINE + 1];
    I length[LONGEST_LINE + 2];
    I reached;
    i16 history[1 << SHORT_BITS]; /* of all players: what is good for one is often good for another */
    i16 pairs[2][1 << PAIR_BITS]; /* after the last move, after the one before that */
    i32 corrections[MOVERS][2][CORRECTIONS];
} Strong;

/* ------------------------------------------------------------------------------------- the table */

static u16 check_known(const Known *e) {
    u64 h = hash_key(&e->key) ^ ((u64)(u32)e->value << 32 | (u32)e->stand) * ODD;
    h ^= ((u64)e->best << 16 ^ (u64)e->depth << 8 ^ e->bound) * MIX;
    return (u16)(h ^ h >> 16 ^ h >> 32 ^ h >> 48);
}

static Known *group_of(const Strong *p, u64 hash) { return &p->table[hash & (u64)(p->places - 1) & ~3ULL]; }

/* Packs the position that is searched next, and fetches what the table has of it, which takes as long as some moves. */
INLINE void expect(Strong *p, const u8 *s, I ply) {
    pack(s, p->keys[ply].w);
    p->hashes[ply] = hash_key(&p->keys[ply]);
    FETCH(group_of(p, p->hashes[ply]));
}

static int find_known(const Strong *p, I ply, Known *seen) {
    const Key *key = &p->keys[ply];
    Known *four = group_of(p, p->hashes[ply]);
    for (int i = 0; i < 4; i++) {
        if (!four[i].bound || !same_key(&four[i].key, key)) continue;
        four[i].age = p->age;
        *seen = four[i];
        return !p->shared || (same_key(&seen->key, key) && seen->check == check_known(seen));
    }
    return 0;
}

/* How much there is to lose with an entry: the more, the deeper it was searched, and most if this search has seen it. */
static I stake_of(const Strong *p, const Known *e) { return e->depth + (e->age == p->age ? DEEPEST : 0); }

/* Notes what was found out, in the place of what is worth least. */
static void keep_known(Strong *p, Known e, u64 hash) {
    Known *four = group_of(p, hash), *place = four;
    for (int i = 0; i < 4; i++) {
        if (four[i].bound && same_key(&four[i].key, &e.key)) {
            if (e.best == NO_MOVE) e.best = four[i].best;
            place = &four[i];
            break;
        }
        if (!four[i].bound && place->bound) place = &four[i];
        else if (place->bound && stake_of(p, &four[i]) < stake_of(p, place)) place = &four[i];
    }
    p->filled += !place->bound;
    if (p->shared) e.check = check_known(&e);
    *place = e;
}

/* A claim counts moves from the first position; in the table it counts them from its own. */
static I from_here(I value, I ply) { return value >= WIN ? value + ply : value <= -WIN ? value - ply : value; }
static I from_first(I value, I ply) { return value >= WIN ? value - ply : value <= -WIN ? value + ply : value; }

/* --------------------------------------------------------------------------------------- histories */

INLINE u32 short_of(Move move, I bits) { return (u32)(((u64)move + 1) * ODD >> (64 - bits)); }

static i16 *tally_of(Strong *p, Move move) { return &p->history[short_of(move, SHORT_BITS)]; }

/* What pairs of moves are hashed with where the first was made `before` moves ago; 0 where there was none. */
INLINE u64 made_before(const Strong *p, I ply, I before) {
    return ply < before || p->made[ply - before] == NO_MOVE ? 0 : ((u64)p->made[ply - before] + 1) * MIX;
}

/* How a move has done after one that was made `before` moves ago. */
INLINE i16 *pair_of(Strong *p, Move move, u64 made, I before) {
    return &p->pairs[before - 1][(made ^ ((u64)move + 1) * ODD) * MIX_AGAIN >> (64 - PAIR_BITS)];
}

static void tell(i16 *tally, I bonus) {
    *tally = (i16)(*tally + bonus - *tally * absolute(bonus) / TALLY_MOST);
}

static void tell_move(Strong *p, Move move, I ply, I bonus, int after) {
    tell(tally_of(p, move), bonus);
    for (I before = 1; after && before <= 2; before++) {
        const u64 made = made_before(p, ply, before);
        if (made) tell(pair_of(p, move, made, before), bonus);
    }
}

/* How a move has done; `last`, `before`: as `made_before` says. */
INLINE I standing_of(Strong *p, Move move, u64 last, u64 before) {
    return *tally_of(p, move) + (last ? *pair_of(p, move, last, 1) : 0) + (before ? *pair_of(p, move, before, 2) : 0);
}

/* --------------------------------------------------------------------------------------- estimates */

static I limited(I value) { return most(-HIGHEST, least(HIGHEST, value)); }

/* By how much so many 16ths of a swing change an estimate, 1 at least; a swing is by how much one move changes it, on
   average so far.  0 where estimates say nothing. */
static I swing_of(const Strong *p, I parts) { return (parts * p->unit + 16 * SWING_UNIT - 1) / (16 * SWING_UNIT); }

static i32 *correction_of(Strong *p, const u8 *s, I ply, I which) {
    u32 at = which ? (u32)(64 * men_against(s, 2) + men_against(s, 1)) : ply ? short_of(p->made[ply - 1], 12) : 0;
    return &p->corrections[s[0] - 1][which][at % CORRECTIONS];
}

/* An estimate as it proves to be in positions like this one. */
static I corrected(Strong *p, const u8 *s, I stand, I ply) {
    if (!p->with.correct) return stand;
    I more = *correction_of(p, s, ply, 0) + (p->captures ? *correction_of(p, s, ply, 1) : 0);
    return limited(stand + more / (2 * CORRECTION_UNIT));
}

static void correct(Strong *p, const u8 *s, I ply, I depth, I by) {
    I most_of = 64 * (swing_of(p, 16) + 1), weight = least(depth, 16);
    by = most(-most_of, least(most_of, by)) * CORRECTION_UNIT;
    for (I which = 0; which <= (p->captures != 0); which++) {
        i32 *at = correction_of(p, s, ply, which);
        *at = (i32)(*at + (by - *at) * weight / 256);
    }
}

/* Takes down by how much the last move has changed the estimate. */
static void swings(Strong *p, I stand, I ply, int same) {
    p->stands[ply] = stand;
    if (ply == 0 || p->made[ply - 1] == NO_MOVE || p->stands[ply - 1] == NO_STAND) return;
    I before = same ? p->stands[ply - 1] : -p->stands[ply - 1];
    p->swing += absolute(stand - before), p->swings++;
    if (p->swings == 1 << 14) p->swing /= 2, p->swings /= 2;
    if (p->swings < 64 || p->swings % 64 == 0) p->unit = p->swing * SWING_UNIT / p->swings; /* a division takes long */
}

/* ------------------------------------------------------------------------------------------- search */

/* The value, for the side that moves at `s`, of an end so many moves from the first position. */
static I value_of_end_at(const Strong *p, const u8 *s, I winner, I ply) {
    return value_of_end(p->player, s, winner, 2 * DEEPEST - ply);
}

/* Is there nothing better than an end of this value? */
static int is_best(const Strong *p, const u8 *s, I end) { return end > 0 && decides(p->player, s, end); }

static void lead_on(Strong *p, I ply, Move move) {
    p->line[ply][0] = move;
    for (I k = 0; k < p->length[ply + 1]; k++) p->line[ply][k + 1] = p->line[ply + 1][k];
    p->length[ply] = p->length[ply + 1] + 1;
}

static int may_look(Strong *p, I ply) {
    Control *c = p->c;
    p->length[ply] = 0;
    ask_host(c, 1023);
    if (c->stop || (p->most_nodes >= 0 && c->nodes >= p->most_nodes)) {
        c->stop |= 1;
        return 0;
    }
    c->nodes++;
    return 1;
}

/* Carries a move out; 0 if that is a mistake in the rules. */
static int make(Strong *p, const u8 *s, Move move, State *t MEMO(Memo *k)) {
    if (apply(s, move, t->b, &p->c->error MEMO(k) BOUND(p->c))) return 1;
    p->c->stop = 2;
    return 0;
}

/* Does a move of `s` take men of the others, who have so many? */
static int takes_men(Strong *p, const u8 *s, I men, Move move MEMO(Memo *k)) {
    const int told = captures(s, s[0] MEMO(k) BOUND(p->c), move);
    State t;
    return told >= 0 ? told : make(p, s, move, &t MEMO(k)) && men_against(t.b, s[0]) < men;
}

/* Was the move that has led from `s` to `t` legal? */
static int is_legal(UNUSED Strong *p, UNUSED const u8 *s, UNUSED Move move, UNUSED const State *t) {
#if LATER_TESTED
    NEW_MEMO(k);
    return meets(t->b, s[0] MEMO(&k) BOUND(p->c), move);
#else
    return 1;
#endif
}

/* Is the player to move in check: would he not be allowed to pass? */
static int checked(UNUSED Strong *p, UNUSED const u8 *s MEMO(UNUSED Memo *k)) {
#if LATER_TESTED
    return in_check(s, s[0] MEMO(k) BOUND(p->c));
#else
    return 0;
#endif
}

/* The moves from `at` on, as they promise; the room for what is searched next begins behind them. */
typedef struct {
    Move *order; /* places of moves */
    I *promises; /* twice what each promises, and 1 for one that captures */
    I count;
} Ranking;

static int choose_among(Strong *p, Ranking *o, Move *at, I count) {
    o->order = at + count, o->promises = p->promises + (at - p->first), o->count = count;
    if (o->order + count <= p->end) return 1;
    p->c->stop = 3;
    return 0;
}

static I next_choice(Ranking *o, I i) {
    I top = i;
    for (I k = i + 1; i < SORTED_FIRST && k < o->count; k++)
        if (o->promises[k] > o->promises[top]) top = k;
    const I promise = o->promises[top];
    const Move place = o->order[top];
    o->order[top] = o->order[i], o->promises[top] = o->promises[i];
    o->order[i] = place, o->promises[i] = promise;
    return (I)place;
}

/* Has the player to move a move, in a game that goes on? */
static int may_move(UNUSED Strong *p, UNUSED const u8 *s MEMO(UNUSED Memo *k)) {
    return PASSES || any(s, s[0] MEMO(k) BOUND(p->c));
}

/* Is the position over or without a move?  Then its value. */
static int over_here(Strong *p, const u8 *s, I ply, I *value MEMO(UNUSED Memo *k)) {
    I winner = 0, ending = ends(s, 0, 1, &winner BOUND(p->c));
    if (!ending && !may_move(p, s MEMO(k))) ending = stuck(s, s[0] MEMO(k) BOUND(p->c), &winner);
    if (ending) *value = value_of_end_at(p, s, winner, ply);
    return ending != 0;
}

/* The value of a win at once by a move; 0 if there is none. */
static I wins_at_once(Strong *p, const u8 *s, const Move *at, I count, I ply, Move *by MEMO(Memo *k)) {
    for (I i = 0; i < count; i++) {
        State t;
        I winner = 0;
        if (!make(p, s, at[i], &t MEMO(k))) return 0;
        if (!ends(t.b, 0, 1, &winner BOUND(p->c))) continue;
        const I end = value_of_end_at(p, s, winner, ply + 1);
        if (is_best(p, s, end) && is_legal(p, s, at[i], &t)) {
            *by = at[i];
            return end;
        }
    }
    p->c->nodes += count;
    return 0;
}

/* Are captures an exception?  A thousand moves show it. */
static int seldom_captures(const Strong *p) {
    return TAKES && p->captures && (p->moves < 1000 || 6 * p->taking < p->moves);
}

/* Are captures worth while beyond the horizon?  Not where few positions gain by one; it is soon found out, as a search
   may be short. */
static int gains_beyond(const Strong *p) { return seldom_captures(p) && 32 * (p->gained + 2) > p->beyond; }

/* Are they searched in the next position there?  Now and then even where they are not worth while: that may change. */
static int tries_captures(Strong *p) { return gains_beyond(p) || (seldom_captures(p) && ++p->skipped % 32 == 0); }

/* May a player who could capture also do nothing?  Where captures are often all there is to do, nobody can tell. */
static int may_rest(const Strong *p) {
    return p->with.quiet == 1 || (p->whole >= FIRST_WHOLE && 32 * p->bound < p->whole);
}

/* What captures promise beyond the horizon: first what they gain at once, then how they have done. */
#define GAIN (8LL * TALLY_MOST)

/* Which of the moves capture: they are put first, with what each gains and how it has done, but for those that leave the
   mover `floor` at most where the other one may rest.  How many; -1: the first wins at once, and promises what that is
   worth. */
static I captures_among(Strong *p, const u8 *s, Move *at, I count, I stand, I floor, int rests, I ply, Ranking *o,
                        I *going MEMO(Memo *k)) {
    const I men = men_against(s, s[0]);
    const u64 last = made_before(p, ply, 1), before = made_before(p, ply, 2);
    I kept = 0;
    *going = 0;
    for (I i = 0; i < count; i++) {
        State t;
        I winner = 0;
        const Move move = at[i];
        if (!takes_men(p, s, men, move MEMO(k))) continue;
        if (!make(p, s, move, &t MEMO(k))) return 0;
        if (!is_legal(p, s, move, &t)) continue;
        ++*going;
        I gain = 0;
        if (ends(t.b, 0, 1, &winner BOUND(p->c))) {
            const I end = value_of_end_at(p, s, winner, ply + 1);
            if (is_best(p, s, end)) {
                at[0] = move, o->promises[0] = end;
                return -1;
            }
            if (end > -WIN) gain = limited(end) - stand;
        } else {
            NEW_MEMO(after);
            const int same = same_side(p->player, s, t.b);
            const I then = limited(value_for_side(p->c, p->player, t.b MEMO(&after))), now = same ? then : -then;
            if (rests && !same && now <= floor) continue;
            gain = now - stand;
        }
        at[kept] = move, o->order[kept] = (Move)kept;
        o->promises[kept++] = gain * GAIN + GAIN / 2 + standing_of(p, move, last, before);
    }
    return kept;
}

/* The value at the horizon and beyond it, where captures alone go on, `left` of them at most; `stand`: the estimate, if
   it is known. */
static I strong_leaf(Strong *p, const u8 *s, I alpha, I beta, I ply, I left, I stand, Move *at) {
    if (!may_look(p, ply)) return 0;
    Control *c = p->c;
    I value = 0;
    NEW_MEMO(k);
    if (over_here(p, s, ply, &value MEMO(&k))) return value;
    if (!tries_captures(p)) left = 0;
    const int rests = may_rest(p);
    if (stand == NO_STAND) stand = limited(value_for_side(c, p->player, s MEMO(&k)));
    value = corrected(p, s, stand, ply);
    if (!p->with.wins && (left <= 0 || (rests && value >= beta))) return value;
    /* All moves are found where nobody rests, as there may be nothing but captures; elsewhere now and then, to know that. */
    const int whole = TAKES < 2 || !rests || p->with.wins || p->whole < FIRST_WHOLE || p->beyond % 64 == 0;
    I ending = 0, winner = 0, count;
#if TAKES > 1
    if (!whole) {
        const Move *last = taking(s, s[0] MEMO(&k) BOUND(c), at, p->end);
        count = last == p->end ? -1 : last - at;
    } else
#endif
        count = legal_on(s, at, p->end, TRIED, &ending, &winner MEMO(&k) BOUND(c));
    if (count < 0) {
        c->stop = 3;
        return 0;
    }
    Move win;
    const I won = p->with.wins ? wins_at_once(p, s, at, count, ply, &win MEMO(&k)) : 0;
    if (won) {
        p->line[ply][0] = win, p->length[ply] = 1;
        return won;
    }
    if (left <= 0 || (rests && value >= beta)) return value;
    I floor = most(alpha, value), all = 0, gains = 0;
    Ranking o;
    if (!choose_among(p, &o, at, count)) return 0;
    const I going = captures_among(p, s, at, count, stand, floor, rests, ply, &o, &all MEMO(&k));
    if (c->stop) return 0;
    if (going < 0) {
        p->line[ply][0] = at[0], p->length[ply] = 1;
        return o.promises[0];
    }
    p->beyond++;
    if (whole) p->moves += count, p->taking += all, p->whole++, p->bound += all == count;
    if (!rests && all == count) value = NOTHING, floor = alpha; /* there is nothing else to do */
    else if (value >= beta) return value;
    o.count = going;
    for (I i = 0; i < going; i++) {
        State t;
        Move move = at[next_choice(&o, i)], *next = o.order + going;
        const I then = stand + (o.promises[i] >= 0 ? o.promises[i] : o.promises[i] - GAIN + 1) / GAIN;
        if (!make(p, s, move, &t MEMO(&k))) return 0;
        const int same = same_side(p->player, s, t.b);
        if (rests && then <= floor && !same) continue;
        p->made[ply] = move;
        I score = same ? strong_leaf(p, t.b, floor, beta, ply + 1, left - 1, then, next)
                       : -strong_leaf(p, t.b, -beta, -floor, ply + 1, left - 1, -then, next);
        if (c->stop) return 0;
        if (score <= value) continue;
        value = score;
        if (score <= floor) continue;
        floor = score, gains = 1;
        lead_on(p, ply, move);
        if (score >= beta) break;
    }
    p->gained += gains;
    return value;
}

/* Sixteen times the logarithm to base 2, between powers along a line. */
static I log_of(I x) {
    I whole = 0;
    while (x >> (whole + 1)) whole++;
    return 16 * whole + (16 * x >> whole) - 16;
}

static I strong_visit(Strong *p, const u8 *s, I depth, I alpha, I beta, I ply, int same, Move barred, Move *at);

/* The value of the position after a move of `s`, for the side that makes it. */
static I after_move(Strong *p, const u8 *s, const State *t, I depth, I alpha, I beta, I ply, Move *at) {
    if (same_side(p->player, s, t->b)) return strong_visit(p, t->b, depth, alpha, beta, ply + 1, 1, NO_MOVE, at);
    return -strong_visit(p, t->b, depth, -beta, -alpha, ply + 1, 0, NO_MOVE, at);
}

#if REPEATS
/* The place of a position of the game so far, by its hash; 0 stands there if it is none. */
static u64 *earlier_at(Strong *p, u64 hash) {
    u64 at = hash % EARLIER;
    while (p->earlier[at] && p->earlier[at] != hash) at = (at + 1) % EARLIER;
    return &p->earlier[at];
}

/* Takes down the positions of the game so far, the latest of them if they are many. */
static void take_earlier(Strong *p, const u8 *earlier, I count) {
    for (I i = most(0, count - EARLIER / 2); i < count; i++) {
        State s;
        take(&s, earlier + i * SIZE);
        const u64 hash = hash_state(&s);
        *earlier_at(p, hash) = hash;
    }
}

/* Has the position occurred in the game or on the way here, so that the game might end by that?  Then what that is worth:
   no claim. */
static int comes_again(Strong *p, const u8 *s, I ply, I *value) {
    State now;
    copy_state(now.b, s);
    keep_identity(&now);
    const u64 hash = p->path[ply] = hash_state(&now);
    I winner = 0, again = *earlier_at(p, hash) == hash;
    for (I before = 0; before < ply && !again; before++) again = p->path[before] == hash;
    if (!again || !ends(s, 0, 1 << 20, &winner BOUND(p->c))) return 0;
    *value = limited(value_of_end_at(p, s, winner, ply));
    return 1;
}
#endif

/* Looks at positions one move ahead, `all` of them or those where something is captured, and at what each promises.  The
   value of a win at once, if there is one, else 0. */
static I look_around(Strong *p, const u8 *s, const Move *at, Ranking *o, I stand, int all, I ply,
                     Move *win MEMO(Memo *k)) {
    const I men = p->captures ? men_against(s, s[0]) : 0, unit = swing_of(p, 16) + 1;
    if (all) p->c->nodes += o->count;
    p->moves += o->count;
    for (I i = 0; i < o->count; i++) {
        State t;
        I winner = 0;
        const int takes = p->captures && takes_men(p, s, men, at[i] MEMO(k));
        p->taking += takes;
        if (!takes && !all) continue;
        if (!make(p, s, at[i], &t MEMO(k))) return 0;
        if (ends(t.b, 0, 1, &winner BOUND(p->c))) {
            const I end = value_of_end_at(p, s, winner, ply + 1);
            if (is_best(p, s, end) && is_legal(p, s, at[i], &t)) {
                *win = at[i];
                return end;
            }
            o->promises[i] = winner ? -8 * TALLY_MOST : 0;
            continue;
        }
        NEW_MEMO(after);
        const I then = value_for_side(p->c, p->player, t.b MEMO(&after));
        const I gain = (same_side(p->player, s, t.b) ? then : -then) - stand;
        if (all) o->promises[i] = most(-4 * TALLY_MOST, least(4 * TALLY_MOST, gain * TALLY_MOST / (2 * unit)));
        else o->promises[i] = most(-8 * TALLY_MOST, least(64 * TALLY_MOST, 5 * TALLY_MOST + gain * TALLY_MOST / unit));
        o->promises[i] = 2 * o->promises[i] + takes;
    }
    return 0;
}

/* What all moves promise.  The value of a win at once, if one was found, else 0.  `last`, `before`: as `made_before` says. */
static I rank(Strong *p, const u8 *s, const Move *at, Ranking *o, const Known *seen, I depth, I ply, int looks, u64 last,
              u64 before, Move *win MEMO(Memo *k)) {
    const int takes = p->with.take && depth >= p->with.take && gains_beyond(p);
    I won = 0;
    for (I i = 0; i < o->count; i++) o->order[i] = (Move)i, o->promises[i] = 0;
    if ((looks || takes) && ply) won = look_around(p, s, at, o, most(seen->stand, -HIGHEST), looks, ply, win MEMO(k));
    if (won) return won;
    for (I i = 0; i < o->count; i++) {
        const Move move = at[i];
        o->promises[i] += 2 * (depth > 1 ? standing_of(p, move, last, before) : *tally_of(p, move));
        if (move == seen->best) o->promises[i] += 1LL << 40;
        else if (move == p->killers[ply][0]) o->promises[i] += 4 * TALLY_MOST;
        else if (move == p->killers[ply][1]) o->promises[i] += 3 * TALLY_MOST;
    }
    return 0;
}

static int is_done(const Strong *p, Move move) {
    for (I i = 0; i < p->dones; i++)
        if (p->done[i] == move) return 1;
    return 0;
}

static int is_one_of(const I *places, I count, I place) {
    for (I i = 0; i < count; i++)
        if (places[i] == place) return 1;
    return 0;
}

/* Is a first move one that is not searched: its line is known, or it is not wanted? */
static int is_left_out(const Strong *p, Move move, I place) {
    return is_done(p, move) || is_one_of(p->not_wanted, p->unwanted, place);
}

/* What a move has done that was searched: a cutoff raises it and lowers those tried before it. */
static void reward(Strong *p, const Move *at, const Ranking *o, Move move, I i, I depth, I ply) {
    I bonus = least(16 * depth * depth + 64, 2048);
    if (p->killers[ply][0] != move) p->killers[ply][1] = p->killers[ply][0], p->killers[ply][0] = move;
    tell_move(p, move, ply, bonus, depth > 1);
    for (I before = 0; before < i; before++) tell_move(p, at[o->order[before]], ply, -bonus, depth > 1);
}

/* What a position is worth, against beta, if the player to move passes.  What the rules have no answer for then is no
   mistake in them, but ends passing. */
static I after_passing(Strong *p, const u8 *s, I depth, I beta, I ply, Move *at) {
    State t;
    copy_state(t.b, s);
    t.b[0] = (u8)(3 - s[0]);
    p->made[ply] = NO_MOVE, p->passed = 1;
    if (depth > 1) expect(p, t.b, ply + 1);
    I score = -strong_visit(p, t.b, depth, -beta, 1 - beta, ply + 1, 0, NO_MOVE, at);
    if (p->c->stop != 2) return score;
    p->c->stop = 0, p->with.null = 0;
    return NOTHING;
}

/* Is a position so good, or so bad, that no search of it is needed?  Then the bound that it has.  Only within a null
   window that claims nothing. */
static int needs_none(Strong *p, const u8 *s, I depth, I alpha, I beta, I ply, I stand, int passed, I *value,
                      Move *at MEMO(Memo *k)) {
    const Techniques *with = &p->with;
    const int far = with->futility && p->unit && depth <= 6 && stand - swing_of(p, with->futility * depth) >= beta;
    const int passes = MAY_PASS && with->null && depth >= 3 && stand >= beta && !passed;
    if ((far || passes) && !may_move(p, s MEMO(k))) return 0;
    if (far) {
        *value = stand;
        return 1;
    }
    if (passes) {
        const I less = depth - 1 - with->null - depth / 4;
        I score = after_passing(p, s, less, beta, ply, at);
        if (p->c->stop) return 0;
        if (score >= beta) {
            if (p->passes++ < 8 || p->passes % 16 == 0) { /* might it be better to pass than to move? */
                p->passed = 1;
                const I moved = strong_visit(p, s, depth - 1, beta - 1, beta, ply, 0, NO_MOVE, at);
                if (p->c->stop) return 0;
                p->tried_passes++, p->wrong_passes += moved < beta;
                if (p->wrong_passes > 1 && 20 * p->wrong_passes > p->tried_passes) p->with.null = 0;
                if (moved < beta) score = NOTHING;
            }
            *value = least(score, HIGHEST);
            if (score >= beta) return 1;
        }
    }
    const I margin = swing_of(p, with->probable);
    if (with->probable && p->unit && depth >= 5 && absolute(beta) + margin < WIN) {
        I high = beta + margin, low = alpha - margin, score;
        if (stand >= beta) {
            score = strong_visit(p, s, depth - 4, high - 1, high, ply, 0, NO_MOVE, at);
            *value = least(score, HIGHEST);
            if (p->c->stop || score >= high) return !p->c->stop;
        } else if (stand <= alpha) {
            score = strong_visit(p, s, depth - 4, low, low + 1, ply, 0, NO_MOVE, at);
            *value = most(score, -HIGHEST);
            if (p->c->stop || score <= low) return !p->c->stop;
        }
    }
    return 0;
}

/* By how much less deep a move is searched that is tried late. */
static I reduction(const Strong *p, I depth, I tried, I standing, int open, int special) {
    I less = log_of(depth) * log_of(tried) * p->with.reduce / 65536;
    less -= open + special + standing / TALLY_MOST;
    return most(0, least(less, depth - 2));
}

/* The value of a position for the side to move, as far as it lies between alpha and beta.  `same`: it has made the last
   move, too; `barred`: a move that is left out.  A position that may be looked up is one that is expected. */
static I strong_visit(Strong *p, const u8 *s, I depth, I alpha, I beta, I ply, int same, Move barred, Move *at) {
    const Techniques *with = &p->with;
    Control *c = p->c;
    NEW_MEMO(k);
    const int in_check = LATER_TESTED && checked(p, s MEMO(&k)), root = ply == 0, expected = depth > 1 || root;
    if (in_check && with->check && ply && ply < 2 * p->deepest) depth++;
    if (depth <= 0 || ply >= DEEPEST) {
        p->passed = 0;
        return strong_leaf(p, s, alpha, beta, ply, with->quiet ? least(CAPTURES, LONGEST_LINE - 1 - ply) : 0,
                           NO_STAND, at);
    }
    if (!may_look(p, ply)) return 0;
    const int passed = (int)p->passed;
    p->passed = 0;
    const int open = beta - alpha > 1;
    I value = NOTHING;
    if (!root) {
        alpha = most(alpha, ply - SURE), beta = least(beta, SURE - ply);
        if (alpha >= beta) return alpha;
    }
#if REPEATS
    if (comes_again(p, s, ply, &value) && !root) return value;
    value = NOTHING;
#endif
    Known seen = {.best = NO_MOVE, .stand = NO_STAND};
    /* What is below is quicker to find out again; but depth 2 may be stopped, so it begins with the best of depth 1. */
    const int kept = depth > 1 || root;
    if (kept && !expected) expect(p, s, ply);
    const int known = kept && find_known(p, ply, &seen);
    const I then = from_first(seen.value, ply), bound = (I)seen.bound - 1;
    if (known && !root && barred == NO_MOVE) {
        const int claims = decides(p->player, s, then) && bound != (then > 0 ? UPPER : LOWER);
        if (claims || (!open && seen.depth >= depth))
            if (bound == EXACT || (bound == LOWER && then >= beta) || (bound == UPPER && then <= alpha)) return then;
    }
    I ending = 0, winner = 0;
    if (seen.best == NO_MOVE && (ending = ends(s, 0, 1, &winner BOUND(c))))
        return value_of_end_at(p, s, winner, ply);
    const int judged = kept || with->futility;
    if (judged && seen.stand == NO_STAND) seen.stand = (i32)limited(value_for_side(c, p->player, s MEMO(&k)));
    const I stand = judged ? corrected(p, s, seen.stand, ply) : NO_STAND;
    p->stands[ply] = NO_STAND;
    if (judged && barred == NO_MOVE) swings(p, seen.stand, ply, same);
    const int bare = !open && !root && !in_check && barred == NO_MOVE && absolute(beta) < WIN && absolute(alpha) < WIN;
    if (judged && bare) {
        int none = needs_none(p, s, depth, alpha, beta, ply, stand, passed, &value, at MEMO(&k));
        if (c->stop) return 0;
        if (none) return value;
        value = NOTHING, p->length[ply] = 0, p->stands[ply] = seen.stand;
    }
    if (with->internal && depth >= with->internal && seen.best == NO_MOVE) depth--;

    const int looks = with->look && depth >= with->look;
    /* What was the best move is tried before all are found; not of threads, of which one may read what another one
       is just writing. */
    const int first = seen.best != NO_MOVE && seen.best != barred && !root && !p->shared && !with->forced && !looks;
    Ranking o = {0};
    I count = 0, floor = alpha, tried = 0, shown = 0;
    Move good = NO_MOVE, *next = at;
    const u64 last = made_before(p, ply, 1), before = made_before(p, ply, 2);
    p->killers[ply + 2][0] = p->killers[ply + 2][1] = NO_MOVE;
    for (I i = 0; i <= first || i < count; i++) {
        Move move = seen.best;
        I captures = 0;
        if (i == first) { /* now all moves are found, that one again the first */
            count = legal_on(s, at, p->end, root ? SORTED : TRIED, &ending, &winner MEMO(&k) BOUND(c));
            if (ending) return value_of_end_at(p, s, winner, ply);
            if (count < 0) {
                c->stop = 3;
                return 0;
            }
            if (!choose_among(p, &o, at, count)) return 0;
            next = o.order + count, shown = with->late * (2 + depth * depth) / 4 + count / 4;
            Move win = NO_MOVE;
            const I won = rank(p, s, at, &o, &seen, depth, ply, looks, last, before, &win MEMO(&k));
            if (c->stop) return 0;
            if (won && win != barred) {
                value = won;
                p->line[ply][0] = win, p->length[ply] = 1;
                if (barred == NO_MOVE && kept)
                    keep_known(p, (Known){p->keys[ply], (i32)from_here(value, ply), seen.stand, win, 0, (u8)depth,
                                          EXACT + 1, p->age}, p->hashes[ply]);
                return value;
            }
            if (first) {
                next_choice(&o, 0);
                if (count == 1) break;
            }
        }
        const I place = i < first ? 0 : next_choice(&o, i);
        if (i >= first) move = at[place], captures = o.promises[i] & 1;
        if (move == barred || (root && is_left_out(p, move, place))) continue;
        if (with->late && !open && !in_check && depth <= 4 && !captures && i && tried >= shown && value > -WIN) continue;
        I deeper = with->forced && count == 1 && ply < 2 * p->deepest, score = BACK;
        if (with->singular && depth >= with->singular && move == seen.best && barred == NO_MOVE && !root && p->unit &&
            seen.depth >= depth - 3 && bound != UPPER && absolute(then) < WIN && ply < 2 * p->deepest) {
            I enough = limited(then - swing_of(p, 2 * depth));
            score = strong_visit(p, s, depth / 2, enough - 1, enough, ply, same, move, next);
            if (c->stop) return 0;
            p->length[ply] = 0;
            if (score < enough) deeper = 1;
            else if (!open && enough >= beta) return enough;
            score = BACK;
        }
        if (bare && with->hopeless && p->unit && depth <= 3 && !captures && tried && value > -WIN &&
            stand + swing_of(p, with->hopeless * (depth + 1)) <= alpha)
            continue;
        State t;
        if (!make(p, s, move, &t MEMO(&k))) return 0;
        const I left = depth - 1 + deeper;
        if (left > 1) expect(p, t.b, ply + 1);
        if (!root && !is_legal(p, s, move, &t)) continue;
        tried++;
        p->made[ply] = move;
        if (root && is_one_of(p->back, p->backs, place)) {
            p->length[1] = 0;
        } else if (tried == 1) {
            score = after_move(p, s, &t, left, floor, beta, ply, next);
        } else {
            const I less = tried < 3 || depth < 3 || !with->reduce ? 0
                : reduction(p, depth, tried, standing_of(p, move, last, before), open, captures || in_check);
            score = after_move(p, s, &t, left - less, floor, floor + 1, ply, next);
            if (less && score > floor && !c->stop) score = after_move(p, s, &t, left, floor, floor + 1, ply, next);
            if (score > floor && score < beta && open && !c->stop)
                score = after_move(p, s, &t, left, floor, beta, ply, next);
        }
        if (c->stop) return 0;
        if (score <= value) continue;
        value = score;
        if (score <= floor) continue;
        floor = score, good = move;
        lead_on(p, ply, move);
        if (root) p->reached = score;
        if (score >= beta) {
            reward(p, at, &o, move, i, depth, ply);
            break;
        }
    }
#if LATER_TESTED
    if (!tried && barred == NO_MOVE && !root) {
        ending = stuck(s, s[0] MEMO(&k) BOUND(c), &winner);
        return value_of_end_at(p, s, winner, ply);
    }
#endif
    if (!tried) return alpha; /* nothing but what is left out */
#if LABELS
    if (barred == NO_MOVE) note(c, s, value, value >= beta ? LOWER : value <= alpha ? UPPER : EXACT);
#endif
    if (!kept || barred != NO_MOVE || (root && (p->dones || p->backs || p->unwanted))) return value;
    const I found = value >= beta ? LOWER : value <= alpha ? UPPER : EXACT;
    if (with->correct && absolute(value) < WIN && !(found == LOWER && value <= stand) && !(found == UPPER && value >= stand))
        correct(p, s, ply, depth, value - seen.stand);
    keep_known(p, (Known){p->keys[ply], (i32)from_here(value, ply), seen.stand, good, 0, (u8)depth, (u8)(found + 1), p->age},
               p->hashes[ply]);
    return value;
}

/* ------------------------------------------------------------------------------------------ its drive */

static I all_places(const Wanted *how) { return how->shared ? how->entries : least(how->few, how->entries); }

/* The bytes of the table, and of the larger ones that take its place. */
EXPORT I ps_strong_table_size(const Wanted *how) {
    I places = all_places(how), all = places;
    while (places < how->entries) places = least(8 * places, how->entries), all += places;
    return all * (I)sizeof(Known);
}

EXPORT I ps_strong_size(void) { return (I)sizeof(Strong) + DEEP * (I)(sizeof(I) + sizeof(Move)); }

/* Goes on with the next table, where this one fills up. */
static void widen(Strong *p, const Wanted *how) {
    if (p->shared || 2 * p->filled < p->places || p->places >= how->entries) return;
    const Known *small = p->table;
    I places = p->places;
    p->table += places, p->places = least(8 * places, how->entries), p->filled = 0;
    for (I i = 0; i < places; i++)
        if (small[i].bound) keep_known(p, small[i], hash_key(&small[i].key));
}

/* The best line of a depth that is not one of those found before, by windows around the value of the depth before. */
static I strong_line(Strong *p, const u8 *s, I depth, I before) {
    I margin = most(1, swing_of(p, 32)), low = before - margin, high = before + margin;
    if (depth < 3 || absolute(before) >= WIN) low = NOTHING, high = -NOTHING;
    for (;;) {
        p->length[0] = 0;
        expect(p, s, 0);
        I value = strong_visit(p, s, depth, low, high, 0, 0, NO_MOVE, p->first);
        if (p->c->stop || (low < value && value < high)) return value;
        margin = 4 * margin + 1;
        if (value <= low) low = margin > WIN / 4 ? NOTHING : value - margin;
        else high = margin > WIN / 4 ? -NOTHING : value + margin;
    }
}

/* A line as the host reads it.  A claim says by its depth how many moves it takes. */
static void write_line(const Strong *p, Found *f, I value, I depth) {
    const I units = absolute(value) / WIN, sure = units * WIN, moves = units ? sure + 2 * DEEPEST - absolute(value) : 0;
    f->depth = most(depth, moves), f->by_turns = 0, f->nodes = p->c->nodes;
    f->value = !units ? value : value > 0 ? sure + f->depth - moves : moves - f->depth - sure;
    f->length = p->length[0];
    for (I i = 0; i < f->length; i++) f->line[i] = p->line[0][i];
}

/* Begins another search of a game: what the searches before have counted matters half as much. */
static void go_on(Strong *p) {
    I *const counted[] = {&p->moves, &p->taking, &p->beyond, &p->gained, &p->skipped, &p->whole, &p->bound,
                          &p->passes, &p->tried_passes, &p->wrong_passes};
    for (u32 i = 0; i < sizeof counted / sizeof *counted; i++) *counted[i] /= 2;
    for (I i = 0; i < EARLIER; i++) p->earlier[i] = 0;
    p->age = (p->age + 1) % (1 << AGE_BITS);
}

/* The best `lines` lines of a position, after those that came `earlier`, deeper and deeper until a limit is reached or
   the host stops it.  found[0], found[1] and so on: the lines so far, the best first; behind them stand those of each
   finished depth, `high` depths.  There is room for all depths and two more.  STOPPED if a limit has ended it: what it
   has found of an unfinished depth counts if one line is wanted, or nothing else is known. */
EXPORT I ps_strong(Control *c, const u8 *in, UNUSED const u8 *earlier, Strong *p, Known *table, const Wanted *how,
                   Found *found) {
    State s;
    I ending = 0, result = 0;
    take(&s, in);
    p->c = c, p->player = s.b[0], p->with = how->with, p->shared = how->shared, p->most_nodes = how->nodes;
    if (p->with.keep && p->places) go_on(p);
    else p->table = table, p->places = all_places(how), p->filled = 0;
    p->back = (const I *)(how + 1), p->backs = how->backs, p->passed = 0;
    p->not_wanted = p->back + p->backs, p->unwanted = how->unwanted;
    p->promises = (I *)(p + 1), p->first = (Move *)(p->promises + DEEP), p->end = p->first + DEEP;
    static const int men[][2] = {MEN{0, 0}};
    p->captures = men[0][1] != 0;
    for (int i = 0; i <= LONGEST_LINE; i++) p->killers[i][0] = p->killers[i][1] = p->made[i] = NO_MOVE;
#if REPEATS
    take_earlier(p, earlier, how->earlier);
#endif
    NEW_MEMO(k);
    const I count = legal(s.b, p->first, p->end, SORTED, &ending, &result MEMO(&k) BOUND(c));
    if (count < 0) return count;
    const I lines = most(1, least(how->lines, count - p->unwanted));
    for (I i = 0; i < lines; i++) found[i] = (Found){.nodes = 1};
    if (ending) {
        found->value = value_of_end(p->player, s.b, result, 0);
        return 0;
    }
    I first = 0;
    while (is_one_of(p->not_wanted, p->unwanted, first)) first++;
    found->line[0] = p->first[first], found->length = 1;
    const I deepest = how->depth ? least(how->depth, DEEPEST) : DEEPEST;
    for (I depth = 1 + how->helper % 2; depth <= deepest; depth++) {
        Found *now = found + (1 + c->high) * lines;
        int decided = 1;
        p->deepest = depth, p->dones = 0;
        for (I i = 0; i < lines; i++) {
            I value = strong_line(p, s.b, depth, found[i].value);
            if (c->stop == 2) return MISTAKE;
            if (c->stop == 3) return NO_ROOM;
            if (c->stop) {
                const I finished = found->depth;
                if (i == 0 && (lines == 1 || !finished) && p->length[0] && p->reached > BACK)
                    write_line(p, found, p->reached, absolute(p->reached) >= WIN ? depth : finished);
                found->nodes = c->nodes;
                return STOPPED;
            }
            decided &= decides(p->player, s.b, value);
            Found *place = &now[i];
            write_line(p, place, value, depth);
            p->done[p->dones++] = place->line[0];
            if (p->dones == DEEPEST) p->dones--;
            for (; place > now && place[-1].value < place->value; place--) {
                Found other = place[-1];
                place[-1] = *place, *place = other;
            }
        }
        for (I i = 0; i < lines; i++) found[i] = now[i];
        if (!how->helper) PUBLISH(c->high, c->high + 1);
        if (decided || (count == 1 && !how->depth)) break;
        widen(p, how);
    }
    found->nodes = c->nodes;
    return 0;
}
