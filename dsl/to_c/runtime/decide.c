/* ------------------------------------------------------------------------------------- who wins, depth first */

/* As in pysolve/search/decide.py.  A table of fixed size keeps what is decided, found by the whole position and not by
   a part of its hash; so whatever it loses costs time, and never a wrong answer.  Of the entries in one place those
   with the most work behind them stay, and the newest (D. Breuker, Memory versus Search in Games, thesis, Maastricht
   1998, "two-big").

   Threads that ask the same share the table and what each is busy with: moves that another one is searching are left
   for later (J.-C. Weill, The ABDADA Distributed Minimax Search Algorithm, ICCA Journal 19, 1996).  An entry of more
   than one word may be read while it is written; so an entry that seems to be there is read again under a lock. */

#define SIDE_BY_SIDE 4            /* entries in one place */
#define OWN_BITS 14               /* moves are hashed to so many bits */
#define PAIRED_BITS 16            /* and pairs of moves to so many */
#define CHAINS 4096               /* lists of the positions on the way */
#define NOWHERE 0x7fffffffffffLL  /* relies on no position on the way */
#define NOTED_BITS 10             /* of an entry, for what is known, and for the work behind it */
#define LOCKS 4096                /* each for many places */
#define BUSY_WITH 4096            /* positions that threads are searching */
#define WORTH_SHARING 1000        /* positions below one, on average, from which on others leave it to a thread */
#define LOOK_AROUND 1023          /* how many positions a thread enters until it looks what others have found, less 1 */

#ifdef __TINYC__ /* knows no atomic operations: one thread alone asks */
#define SHARES 0
#define LOCK(at) ((void)(at))
#define UNLOCK(at) ((void)(at))
#else
#define SHARES 1
#define LOCK(at) while (__atomic_exchange_n(at, 1, __ATOMIC_ACQUIRE)) while (*(volatile const u8 *)(at)) {}
#define UNLOCK(at) __atomic_store_n(at, 0, __ATOMIC_RELEASE)
#endif

/* What is known of a position, in the highest bits of its key if there is room, otherwise behind it: four bits say for
   each player whether he wins, and whether he does not; six the logarithm of the positions below it. */
#define IN_KEY (SPARE >= NOTED_BITS)
#define NOTES (PACKED - IN_KEY)
typedef struct {
    u64 w[NOTES + 1];
} Decided;

/* What threads have in common. */
typedef struct {
    u8 locks[LOCKS];
    u64 busy[BUSY_WITH];
} Shared;

/* A move of a position on the way, and what it leads to. */
typedef struct {
    Key key;
    u64 hash;
    Move move;
    i32 promise, estimate;
} Choice;

/* A position on the way; its moves that are not decided from `first` on, those that were tried in front; when it was
   entered, the move that led to it, and the lowest position on the way on which a "no" would rely. */
typedef struct {
    State s;
    Key key;
    u64 hash;
    I first, count, tried, begun, relies;
    Move made;
    u32 below; /* one more than the place of the next position in its chain; 0: there is none */
    I usual;   /* positions below one of this depth so far, on average, in sixteenths */
} Level;

/* How far a search is.  places, most_places: of the table now, and at most. */
typedef struct {
    I asked;  /* 0: the question was not begun, 1: it was, 2: it is answered */
    I closed; /* has what was entered last an answer, which is `value`? */
    I value, relies, best;
    I depth, nodes, filled;
    I lost, drawn; /* answers that relied on the way to a position; draws and positions on the way that it has met */
    I places, most_places;
    Move at_once; /* the move that ends the game well for whoever was to move in what was entered last; or NO_MOVE */
    Shared *shared; /* 0: there is one thread */
    I gaps, gap_count; /* by how much estimates of moves differ from the mean of a position: the sum, and of how many */
    i16 own[2][1 << OWN_BITS], paired[2][1 << PAIRED_BITS];
    u32 chains[CHAINS];
} Deciding;

static I places_for(I states) { return most(1, states / SIDE_BY_SIDE); }

EXPORT I ps_decided_size(I states) { return places_for(states) * SIDE_BY_SIDE * (I)sizeof(Decided); }
EXPORT I ps_choice_size(void) { return sizeof(Choice); }
EXPORT I ps_level_size(void) { return sizeof(Level); }
EXPORT I ps_deciding_size(void) { return sizeof(Deciding); }

EXPORT I ps_shared_size(void) { return sizeof(Shared); }
EXPORT I ps_shares(void) { return SHARES; }

/* What is known where a player wins, or does not. */
INLINE u32 says_yes(I player) { return 1U << (2 * player - 2); }
INLINE u32 says_no(I player) { return 2U << (2 * player - 2); }

INLINE u32 known_in(const Decided *e) { return (u32)(e->w[NOTES] >> 60); }
INLINE u32 work_in(const Decided *e) { return (u32)(e->w[NOTES] >> (64 - NOTED_BITS)) & 63; }
INLINE Key key_in(const Decided *e) {
    Key key;
    for (int i = 0; i < PACKED; i++) key.w[i] = i == NOTES ? e->w[i] << NOTED_BITS >> NOTED_BITS : e->w[i];
    return key;
}
INLINE int is_of(const Decided *e, const Key *key) {
    const Key own = key_in(e);
    return same_key(&own, key);
}
INLINE Decided decided(const Key *key, u32 work, u32 known) {
    Decided e;
    e.w[NOTES] = 0;
    for (int i = 0; i < PACKED; i++) e.w[i] = key->w[i];
    e.w[NOTES] |= (u64)known << 60 | (u64)work << (64 - NOTED_BITS);
    return e;
}

static Decided *place_of(const Deciding *p, const Decided *table, u64 hash) {
    return (Decided *)table + SIDE_BY_SIDE * ((hash >> 32) * (u64)p->places >> 32);
}

static u8 *lock_of(const Deciding *p, const Decided *table, const Decided *place) {
    return &p->shared->locks[(u64)(place - table) / SIDE_BY_SIDE % LOCKS];
}

static u32 known_of(const Deciding *p, const Decided *table, const Key *key, u64 hash) {
    const Decided *at = place_of(p, table, hash);
    for (int i = 0; i < SIDE_BY_SIDE; i++) {
        Decided e = *(const volatile Decided *)&at[i];
        if (!is_of(&e, key)) continue;
        if (!p->shared || NOTES == 0) return known_in(&e);
        LOCK(lock_of(p, table, at));
        e = *(const volatile Decided *)&at[i];
        UNLOCK(lock_of(p, table, at));
        return is_of(&e, key) ? known_in(&e) : 0;
    }
    return 0;
}

static void keep_decided(Deciding *p, Decided *table, const Key *key, u64 hash, u32 work, u32 known) {
    Decided *at = place_of(p, table, hash), *last = at + SIDE_BY_SIDE - 1, *low = at;
    u8 *lock = p->shared ? lock_of(p, table, at) : 0;
    if (lock) LOCK(lock);
    for (int i = 0; i < SIDE_BY_SIDE; i++) {
        const u32 before = known_in(&at[i]);
        if (before && !is_of(&at[i], key)) continue;
        p->filled += !before;
        at[i] = decided(key, work, known | before);
        if (lock) UNLOCK(lock);
        return;
    }
    for (Decided *one = at + 1; one < last; one++)
        if (work_in(one) < work_in(low)) low = one;
    if (work >= work_in(low)) *last = *low, *low = decided(key, work, known);
    else *last = decided(key, work, known);
    if (lock) UNLOCK(lock);
}

/* Makes the table larger, from its end on: no entry moves towards its beginning. */
static void widen_table(Deciding *p, Decided *table) {
    I places = p->places;
    p->places = least(4 * places, p->most_places), p->filled = 0;
    for (I at = places; at--;) {
        Decided here[SIDE_BY_SIDE];
        for (int i = 0; i < SIDE_BY_SIDE; i++)
            here[i] = table[SIDE_BY_SIDE * at + i], table[SIDE_BY_SIDE * at + i].w[NOTES] = 0;
        for (int i = 0; i < SIDE_BY_SIDE; i++) {
            if (!known_in(&here[i])) continue;
            const Key key = key_in(&here[i]);
            keep_decided(p, table, &key, hash_key(&key), work_in(&here[i]), known_in(&here[i]));
        }
    }
}

/* The place of a position on the way; NOWHERE if it is not there. */
static I place_on_way(const Deciding *p, const Level *way, const Key *key, u64 hash) {
    u32 at = p->chains[hash % CHAINS];
    while (at && !(way[at - 1].hash == hash && same_key(&way[at - 1].key, key))) at = way[at - 1].below;
    return at ? (I)at - 1 : NOWHERE;
}

static i16 *own_of(Deciding *p, I side, Move move) {
    return &p->own[side - 1][((u64)move + 1) * ODD >> (64 - OWN_BITS)];
}

/* How a move has done in answer to another one. */
static i16 *paired_of(Deciding *p, I side, Move before, Move move) {
    u64 both = (((u64)before + 1) * MIX) ^ (((u64)move + 1) * ODD);
    return &p->paired[side - 1][both * MIX_AGAIN >> (64 - PAIRED_BITS)];
}

static void lift(i16 *at, I by) { *at = (i16)(*at + by - *at * absolute(by) / TALLIED); }

/* A move has decided: it rises, and those that were tried before it sink. */
static void raise_last(Deciding *p, const Level *f, const Choice *of) {
    for (I i = f->tried > 1 ? 0 : f->tried; i < f->tried; i++) {
        I by = i == f->tried - 1 ? RISE : -RISE / 2;
        lift(own_of(p, f->s.b[0], of[i].move), by);
        lift(paired_of(p, f->s.b[0], f->made, of[i].move), by);
    }
}

/* The answer for the position at `depth` on the way.  A "no" that relies on one before it is not kept. */
static void answer(Deciding *p, Decided *table, const Key *key, u64 hash, I player, I value, I relies, I work) {
    p->closed = 1, p->value = value, p->relies = value || relies >= p->depth ? NOWHERE : relies;
    p->lost += p->relies != NOWHERE;
    if (p->relies != NOWHERE) return;
    keep_decided(p, table, key, hash, (u32)highest_bit((u64)work), value ? says_yes(player) : says_no(player));
}

/* The moves that do not end the game, from `at` on: how many.  `closed` if the game is over, or one of them ends it well
   for the mover.  MISTAKE, NO_ROOM or STOPPED. */
static I open_up(Control *c, Deciding *p, const Renamings *r, const u8 *s, I player, const Decided *table, Move *moves_at,
                Choice *at, I room) {
    const I chooses = s[0] == player;
    I ending, winner = 0, count = 0;
    State t;
    NEW_MEMO(k);
    /* that the game is not over was seen before a position was tried, but for the first */
    const I all = (p->depth ? legal_on : legal)(s, moves_at, moves_at + room, SORTED, &ending, &winner MEMO(&k) BOUND(c));
    if (CUT(c)) return STOPPED;
    if (all < 0) {
        c->low = REPLIES_FULL;
        return NO_ROOM;
    }
    p->drawn += ending && !winner;
    p->closed = ending != 0, p->value = winner == player, p->relies = NOWHERE, p->at_once = NO_MOVE;
    for (I i = 0; i < all; i++) {
        t.w[WORDS - 1] = 0, winner = 0;
        if (!apply(s, moves_at[i], t.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        ending = ends(t.b, 0, 1, &winner BOUND(c));
        if (CUT(c)) return STOPPED;
        p->drawn += ending && !winner;
        if (!ending) at[count++].move = moves_at[i];
        if (!ending || (winner == player) != chooses) continue;
        p->closed = 1, p->value = chooses, p->at_once = moves_at[i];
        if (!p->depth) p->best = (I)moves_at[i];
        return 0;
    }
    for (Choice *one = at; one < at + count; one++) {
        t.w[WORDS - 1] = 0;
        if (!apply(s, one->move, t.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        canonical(r, &t);
        pack(t.b, one->key.w);
        one->hash = hash_key(&one->key);
        const Decided *place = place_of(p, table, one->hash);
        FETCH(place), FETCH((const u8 *)(place + SIDE_BY_SIDE) - 1);
    }
    return count;
}

/* Leaves out moves, of those behind the one that was tried last, after which the opponent ends the game well for himself
   by the same reply as after that one.  0, MISTAKE or STOPPED. */
static I leave_out(Control *c, Deciding *p, Level *f, Choice *of, I player, Move *moves_at, I room) {
    const I mover = f->s.b[0];
    I count = f->tried + 1;
    State t, u;
    for (I i = count; i < f->count; i++) {
        t.w[WORDS - 1] = u.w[WORDS - 1] = 0;
        if (!apply(f->s.b, of[i].move, t.b, &c->error NO_MEMO BOUND(c))) return MISTAKE;
        I ending, winner = 0, replies = 0, at = 0;
        NEW_MEMO(k);
        if (t.b[0] != mover)
            replies = legal_on(t.b, moves_at, moves_at + room, LISTED, &ending, &winner MEMO(&k) BOUND(c));
        if (CUT(c)) return STOPPED;
        while (at < replies && moves_at[at] != p->at_once) at++;
        if (at < replies) {
            if (!apply(t.b, p->at_once, u.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
            ending = ends(u.b, 0, 1, &winner BOUND(c));
            if (CUT(c)) return STOPPED;
        }
        if (at >= replies || !ending || (winner == player) == (mover == player)) of[count++] = of[i];
        else p->drawn += !winner;
    }
    f->count = count;
    return 0;
}

/* What each move promises before one is tried: it has decided elsewhere, leaves the opponent few moves, is estimated
   well.  0, MISTAKE or STOPPED. */
static I promise_all(Control *c, Deciding *p, const Level *f, Choice *of, Move *moves_at, I room) {
    const I mover = f->s.b[0];
    I sum = 0;
    State t;
    for (I i = 0; i < f->count; i++) {
        const Move move = of[i].move;
        t.w[WORDS - 1] = 0;
        if (!apply(f->s.b, move, t.b, &c->error NO_MEMO BOUND(c))) return MISTAKE;
        NEW_MEMO(k);
        const I same = t.b[0] == mover;
        const I replies = least(moves(t.b, t.b[0] MEMO(&k) BOUND(c), moves_at, moves_at + room, NUMBER) - moves_at, 1 << 14);
        of[i].promise = (i32)(*own_of(p, mover, move) + *paired_of(p, mover, f->made, move) + (same ? A_REPLY : -A_REPLY) * replies);
        if (!LINES) continue;
        const I value = value_for_side(c, mover, t.b MEMO(&k));
        sum += of[i].estimate = (i32)(same ? value : -value);
    }
    if (CUT(c)) return STOPPED;
    for (I i = 0; LINES && i < f->count; i++) {
        const I gap = of[i].estimate - floor_div(sum, f->count);
        p->gaps += absolute(gap), p->gap_count++;
        of[i].promise += (i32)most(-2 * ESTIMATED, least(2 * ESTIMATED, gap * ESTIMATED * p->gap_count / (p->gaps + 1)));
    }
    if (p->gap_count > 1 << 14) p->gaps /= 2, p->gap_count /= 2;
    return 0;
}

/* Is so much below a position of this depth that threads tell each other who searches it? */
INLINE int is_shared(const Level *f) { return f->usual > 16 * WORTH_SHARING; }

/* Goes down to a position; `closed` if that is decided by what is known of those after it.  0, MISTAKE, NO_ROOM or
   STOPPED. */
static I enter(Control *c, Deciding *p, const Renamings *r, const State *s, const Key *key, u64 hash, Move made,
               I player, Decided *table, Level *way, Move *moves_at, Choice *choices, I room) {
    const I first = p->depth ? way[p->depth - 1].first + way[p->depth - 1].count : 0, chooses = s->b[0] == player;
    Choice *const at = choices + first;
    const I count = open_up(c, p, r, s->b, player, table, moves_at, at, room - first);
    if (count < 0) return count;
    p->nodes++, c->nodes++;
    if (p->closed) return 0;
    const u32 yes = says_yes(player), no = says_no(player) | says_yes(3 - player), good = chooses ? yes : no;
    Level *f = &way[p->depth];
    *f = (Level){*s, *key, hash, first, 0, 0, p->nodes, NOWHERE, made, 0, f->usual};
    I back = -1;
    for (I i = 0; i < count; i++) {
        const u32 known = known_of(p, table, &at[i].key, at[i].hash);
        if (known & good) {
            if (!p->depth) p->best = (I)at[i].move;
            answer(p, table, key, hash, player, chooses, NOWHERE, 1);
            return 0;
        }
        if (known & (yes | no)) continue;
        const I place = at[i].hash == hash && same_key(&at[i].key, key) ? p->depth : place_on_way(p, way, &at[i].key, at[i].hash);
        p->drawn += place != NOWHERE;
        if (place == NOWHERE) at[f->count++] = at[i];
        else if (chooses) f->relies = least(f->relies, place);
        else if (place > back) {
            back = place;
            if (!p->depth) p->best = (I)at[i].move;
        }
    }
    if (back >= 0 || !f->count) {
        answer(p, table, key, hash, player, back < 0 && !chooses, back < 0 ? f->relies : back, 1);
        return 0;
    }
    const I wrong = promise_all(c, p, f, at, moves_at, room - first);
    if (wrong) {
        p->nodes--, c->nodes--;
        return wrong;
    }
    f->below = p->chains[hash % CHAINS], p->chains[hash % CHAINS] = (u32)++p->depth;
    if (p->shared && is_shared(f)) p->shared->busy[hash % BUSY_WITH] = hash;
    return 0;
}

/* Takes the last position from the way. */
static Level *step_back(Deciding *p, Level *way) {
    Level *f = &way[--p->depth];
    p->chains[f->hash % CHAINS] = f->below;
    if (p->shared && p->shared->busy[f->hash % BUSY_WITH] == f->hash) p->shared->busy[f->hash % BUSY_WITH] = 0;
    return f;
}

/* Leaves the last position on the way, which its last move has decided, or none. */
static void leave(Deciding *p, Decided *table, Level *way, const Choice *choices, I player) {
    Level *f = step_back(p, way);
    const I chooses = f->s.b[0] == player, work = p->nodes - f->begun + 1;
    f->usual += (16 * least(work, 1 << 20) - f->usual) / 32;
    if (p->value == chooses) {
        raise_last(p, f, choices + f->first);
        if (!p->depth) p->best = (I)choices[f->first + f->tried - 1].move;
    }
    answer(p, table, &f->key, f->hash, player, p->value, p->value == chooses ? p->relies : f->relies, work);
}

/* Leaves all from the first position on that another thread has decided, but never the one that was asked about. */
static void look_at_table(Deciding *p, const Decided *table, Level *way, I player) {
    const u32 yes = says_yes(player), no = says_no(player) | says_yes(3 - player);
    for (I at = 1; at < p->depth; at++) {
        const u32 known = known_of(p, table, &way[at].key, way[at].hash);
        if (!(known & (yes | no))) continue;
        while (p->depth > at) step_back(p, way);
        p->closed = 1, p->value = (known & yes) != 0, p->relies = NOWHERE, p->at_once = NO_MOVE;
    }
}

/* Puts the most promising of the moves that were not tried behind those that were; it is tried now.  From the second on,
   what other threads search comes last. */
static const Choice *next_move(const Deciding *p, Level *f, Choice *of) {
    const int others = p->shared && f->tried && is_shared(f + 1);
    I best = f->tried, best_promise = -(1LL << 40);
    for (I i = best; i < f->count; i++) {
        I promise = of[i].promise;
        if (others && p->shared->busy[of[i].hash % BUSY_WITH] == of[i].hash) promise -= 1LL << 32;
        if (promise > best_promise) best = i, best_promise = promise;
    }
    const Choice chosen = of[best];
    for (I i = best; i > f->tried; i--) of[i] = of[i - 1];
    of[f->tried] = chosen;
    return &of[f->tried];
}

/* Before each question, of each thread before one begins.  `states` is the size of the table, always the same; a shared
   one has its whole size at once. */
EXPORT I ps_begin_deciding(Deciding *p, I states, Shared *shared) {
    p->most_places = places_for(states), p->shared = shared;
    if (!p->places || shared) p->places = shared ? p->most_places : least(1 << 12, p->most_places);
    for (I i = 0; i < CHAINS; i++) p->chains[i] = 0;
    for (I i = 0; shared && i < BUSY_WITH; i++) shared->busy[i] = 0;
    p->asked = p->closed = p->depth = 0;
    return 0;
}

/* The first moves on the way, `most` of them at most: of each its code, its number, and how many there are.  How many
   that is.  The search goes on meanwhile, so what is read need not fit together: it only stays within the memory. */
EXPORT I ps_course(const Deciding *p, const Level *way, const Choice *choices, I room, I most, I *out) {
    I at = 0;
    for (; at < least(p->depth, most); at++, out += 3) {
        const volatile Level *f = &way[at];
        const I first = f->first, tried = f->tried, count = f->count;
        if (tried >= count || first + tried >= room) break;
        out[0] = (I)choices[first + tried].move, out[1] = tried + 1, out[2] = count;
    }
    return at;
}

/* Goes on until it is known whether a player wins a position by force, which is `value` then, or until `most_nodes`
   positions were entered, or most answers are lost.  `best`: a move that decides, for whoever it is good; -1: none.  low
   says what is full. */
EXPORT I ps_decide(Control *c, Deciding *p, const Renamings *r, const u8 *in, I player, Decided *table, Level *way,
                   I way_room, Move *moves_at, Choice *choices, I room, I most_nodes) {
    State t;
    Key key;
    if (!p->asked) {
        take(&t, in);
        State least_one = t;
        canonical(r, &least_one);
        pack(least_one.b, key.w);
        p->best = -1;
        const I found = enter(c, p, r, &t, &key, hash_key(&key), 0, player, table, way, moves_at, choices, room);
        if (found < 0) return found;
        p->asked = 1;
    }
    while (p->depth) {
        if (c->stop) return STOPPED;
        Level *f = &way[p->depth - 1];
        if (p->closed) {
            const int good = p->value == (f->s.b[0] == player);
            if (!good && p->at_once != NO_MOVE && f->tried + 1 < f->count) {
                const I wrong = leave_out(c, p, f, choices + f->first, player, moves_at, room - f->first - f->count);
                if (wrong) return wrong;
            }
            f->tried++, f->relies = least(f->relies, p->relies), p->at_once = NO_MOVE;
            if (good || f->tried == f->count) {
                leave(p, table, way, choices, player);
                continue;
            }
        }
        p->closed = 0;
        if ((p->nodes >= most_nodes && most_nodes >= 0) || (p->lost > MOST_LOST && 2 * p->lost > p->nodes)) return 0;
        if (p->depth == way_room) {
            c->low = WAY_FULL;
            return NO_ROOM;
        }
        if (p->shared && !(p->nodes & LOOK_AROUND)) {
            look_at_table(p, table, way, player);
            if (p->closed) continue;
        }
        if (2 * p->filled > SIDE_BY_SIDE * p->places && p->places < p->most_places) widen_table(p, table);
        const Choice *one = next_move(p, f, choices + f->first);
        t.w[WORDS - 1] = 0;
        if (!apply(f->s.b, one->move, t.b, &c->error NO_MEMO BOUND(c))) return MISTAKE;
        const I found = enter(c, p, r, &t, &one->key, one->hash, one->move, player, table, way, moves_at, choices, room);
        if (found < 0) {
            p->closed = 0;
            return found;
        }
    }
    p->asked = 2;
    return 0;
}
