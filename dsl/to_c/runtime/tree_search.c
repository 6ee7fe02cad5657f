/* ----------------------------------------------------------------------------- Monte Carlo tree search */

/* Values are whole numbers, ONE is a win; pysolve/search/mcts.py says the same in Python, and why. */
enum { PATH_ROOM = TREE_DEEPEST + GAME_LONGEST + 2 };

#if PLAYERS < 3
/* A node of the tree: a position as it is reached by one way.  Values are for the first player. */
typedef struct {
    I total;           /* of all visits */
    i32 value, prior;  /* now, and what `evaluate` said before */
    i32 share;         /* how likely the policy thinks the move that leads here, in units of 1 / ONE */
    u32 first, count, opened; /* its children, and how many of them, the first ones, have been visited */
    u32 visits, index; /* index: the number of the move that leads here */
    i8 sign, low, high; /* 1 if the first player is to move, else -1; between which results the true one lies */
    u8 stays;          /* while the tree is cut back */
    Move move;
} Way;
#define IS_PROVEN(w) ((w)->low == (w)->high)
#define NOTHING_KNOWN .low = -1, .high = 1
#else
/* A node of the tree: a position as it is reached by one way.  There is a value for each player. */
typedef struct {
    I total[SEATS];                     /* of all visits */
    i32 value[SEATS], prior[SEATS];   /* now, and what `evaluate` said before */
    u32 first, count, opened; /* its children, and how many of them, the first ones, have been visited */
    u32 visits, index; /* index: the number of the move that leads here */
    u8 own;            /* where the value of the player to move stands */
    i8 proven;         /* UNKNOWN, or 1: the values are certain */
    u8 stays;          /* while the tree is cut back */
    Move move;
} Way;
#define IS_PROVEN(w) ((w)->proven != UNKNOWN)
#define NOTHING_KNOWN .proven = UNKNOWN
#endif

/* What a position knows of a move, whoever could play it, from the visits that went through the position and in which
   the move was played later on.  Those of a bucket are a list: `next` is the place of another one, and 1. */
typedef struct {
    I total; /* of their values, for the player who moved */
    Move move;
    u32 at, mover, count, next;
} Later;

enum { DISTINCT = 4096 }; /* twice as many as a visit can have moves, at least */

/* What a tree keeps, and what it is given for each question.  Behind it lie its nodes, then what a game needs. */
typedef struct {
    I used, sizes, sized, played;
    I known, buckets; /* how much is known of later moves, and in how many buckets */
    I full, solid, seldom;   /* was there no room; is there none to be made; visits for a position to keep its children */
    I filled, settled, wise; /* the same of what is known, and visits for a position to be asked about it */
    Control *c;
    I room, explore, bias, evaluates, takes_best, grave, even, prior, differ, puct;
    const I *roots_of_logs, *inverse_roots;
    Move *moves, *end;
    u64 lots;
    Past past;
    Later *laters;
    u32 *bucket;   /* of each the place of its first, and 1; while the tree is cut back, where its positions go */
    u32 *distinct; /* a table of the moves of a visit: their places among them, and 1 */
    Trail trail, each;
#if PLAYERS == 2
    const Policy *policy; /* or 0 */
#endif
} Tree;
#if PLAYERS == 2
#define HAS_POLICY(t) ((t)->policy != 0)
#else
#define HAS_POLICY(t) 0
#endif

static I buckets_for(I room) {
    I count = 1;
    while (count < room) count *= 2;
    return count;
}

/* The bytes of a tree that grows like this (see ps_grow); it begins as zeros. */
EXPORT I ps_tree_size(const I *how) {
    I room = how[0], later = (how[5] ? room * (I)sizeof(Later) : 0) + buckets_for(room) * (I)sizeof(u32);
    return (I)sizeof(Tree) + room * (I)sizeof(Way) + PATH_ROOM * (I)(sizeof(State) + sizeof(u64)) + later +
           (DEEP + 2 * PATH_ROOM) * (I)sizeof(Move) + DISTINCT * (I)sizeof(u32) + 2 * PATH_ROOM;
}
EXPORT I ps_tree_played(const Tree *t) { return t->played; }

static Way *ways_of(const Tree *t) { return (Way *)(t + 1); }

/* Says where in its memory a tree has what it needs besides its nodes. */
static void lay_out(Tree *t) {
    State *path = (State *)(ways_of(t) + t->room);
    t->past.path = path, t->past.hashes = (u64 *)(path + PATH_ROOM);
    t->laters = (Later *)(t->past.hashes + PATH_ROOM);
    t->moves = (Move *)(t->laters + (t->grave ? t->room : 0)), t->end = t->moves + DEEP;
    t->trail.move = t->end, t->each.move = t->end + PATH_ROOM;
    t->bucket = (u32 *)(t->end + 2 * PATH_ROOM);
    t->distinct = t->bucket + buckets_for(t->room);
    t->trail.mover = (u8 *)(t->distinct + DISTINCT), t->each.mover = t->trail.mover + PATH_ROOM;
}

/* An estimate between loss and win, by the average size of those so far. */
static i32 pressed(Tree *t, I estimate) {
    I size = absolute(estimate);
    t->sizes += size;
    t->sized++;
    I value = size ? size * ONE / (size + t->sizes / t->sized) : 0;
    return (i32)(estimate > 0 ? value : -value);
}

/* Where a count stands in the tables. */
static I place_of_count(u64 count) {
    int more = count >> COUNTED ? highest_bit(count) - COUNTED + 1 : 0;
    return ((I)more << (COUNTED - 1)) + (I)(count >> more);
}

/* ------------------------------------------------------------ what is known of moves that are played later */

static u32 later_bucket(const Tree *t, I at, Move move, I mover) {
    u64 h = ((u64)at * ODD ^ (u64)move) * MIX ^ (u64)mover;
    return (u32)((h ^ h >> 29) * MIX_AGAIN >> 32) & (u32)(t->buckets - 1);
}

/* What the position at a place knows of a move; 0 if nothing. */
static Later *later_of(const Tree *t, I at, Move move, I mover) {
    if (!t->buckets) return 0;
    for (u32 place = t->bucket[later_bucket(t, at, move, mover)]; place; place = t->laters[place - 1].next) {
        Later *one = &t->laters[place - 1];
        if (one->at == (u32)at && one->move == move && one->mover == (u32)mover) return one;
    }
    return 0;
}

static void put_into_bucket(Tree *t, I place) {
    Later *one = &t->laters[place];
    u32 *bucket = &t->bucket[later_bucket(t, one->at, one->move, one->mover)];
    one->next = *bucket, *bucket = (u32)place + 1;
}

/* Room for one more; 0 if there is none. */
static Later *new_later(Tree *t, I at, Move move, I mover) {
    if (t->known == t->room) {
        t->filled = 1;
        return 0;
    }
    if (t->known >= t->buckets) {
        for (I i = 0; i < t->buckets; i++) t->bucket[i] = 0;
        t->buckets = t->buckets ? 2 * t->buckets : least(buckets_for(t->room), 1024);
        for (I i = 0; i < t->known; i++) put_into_bucket(t, i);
    }
    t->laters[t->known] = (Later){.move = move, .at = (u32)at, .mover = (u32)mover};
    put_into_bucket(t, t->known);
    return &t->laters[t->known++];
}

/* Takes over what is known of the positions that are kept; `bucket` says where they are now, and 1. */
static void keep_later(const Tree *t, Tree *other) {
    other->known = 0;
    for (I i = 0; i < t->known; i++) {
        const u32 place = other->bucket[t->laters[i].at];
        if (!place) continue;
        other->laters[other->known] = t->laters[i];
        other->laters[other->known++].at = place - 1;
    }
    for (I i = 0; i < most(t->used, other->buckets); i++) other->bucket[i] = 0;
    for (I i = 0; i < other->known; i++) put_into_bucket(other, i);
}

/* Puts a move among those of this visit, unless it is there; their table has so many places, a power of two. */
static void take_down(Tree *t, I places, Move move, u8 mover) {
    const u32 mask = (u32)places - 1;
    u32 place = (u32)((((u64)move ^ (u64)mover << 56) * MIX) >> 40) & mask;
    for (; t->distinct[place]; place = (place + 1) & mask) {
        const I other = t->distinct[place] - 1;
        if (t->each.move[other] == move && t->each.mover[other] == mover) return;
    }
    t->each.move[t->each.count] = move, t->each.mover[t->each.count] = mover;
    t->distinct[place] = (u32)++t->each.count;
}

/* Does a position take down what comes later? */
INLINE int takes_down(const Tree *t, const Way *w) { return w == ways_of(t) || 2 * (I)w->visits >= t->wise; }

/* Tells the positions on the way of a visit, but for the last, what came of the moves that were played after them. */
static void tell_of_later(Tree *t, Way *const *path, I depth, const I *values) {
    const Trail *trail = &t->trail;
    const I places = buckets_for(2 * trail->count);
    for (I i = 0; i < places; i++) t->distinct[i] = 0;
    t->each.count = 0;
    for (I i = depth - 1; i < trail->count; i++) take_down(t, places, trail->move[i], trail->mover[i]);
    for (I i = depth - 2; i >= 0; i--) {
        take_down(t, places, trail->move[i], trail->mover[i]);
        if (!takes_down(t, path[i])) continue;
        const I at = path[i] - ways_of(t);
        for (I one = 0; one < t->each.count; one++) {
            const Move move = t->each.move[one];
            const u8 mover = t->each.mover[one];
            Later *later = later_of(t, at, move, mover);
            if (!later && !(later = new_later(t, at, move, mover))) continue;
            later->count++;
#if PLAYERS < 3
            later->total += mover == 1 ? values[0] : -values[0];
#else
            later->total += values[mover - 1];
#endif
        }
    }
}

#if PLAYERS == 2
/* Says of the moves to the children how likely each is. */
static void share_out(const Policy *p, const u8 *s, Way *children, I count) {
    i32 held[SIZE + 1];
    I best = -(1LL << 62), sum = 0;
    find_contents(p, s, held);
    for (Way *one = children; one < children + count; one++) {
        one->share = (i32)policy_weight(p, s[0], held, one->move);
        best = most(best, one->share);
    }
    for (Way *one = children; one < children + count; one++)
        sum += one->share = p->shares[least(best - one->share, UNLIKELY - 1)];
    for (Way *one = children; one < children + count; one++) one->share = (i32)((I)one->share * ONE / sum);
}

#endif
/* Has a position children?  If it has none yet, it gets them as far as there is room.  Negative: what went wrong. */
static I unfold(Tree *t, Way *w, const State *s, I depth) {
    if (w->count) return 1;
    if ((I)w->visits < t->seldom / 2) return 0;
    I ending, winner;
    NEW_MEMO(k);
    I count = legal(s->b, t->moves, t->end, SORTED, &ending, &winner MEMO(&k) BOUND(t->c));
    if (count < 0) return count;
    if (t->used + count > t->room) t->full = 1;
    if (t->used + count > t->room || depth >= TREE_DEEPEST) return 0;
    Way *children = ways_of(t) + t->used;
    for (I i = 0; i < count; i++) {
        children[i] = (Way){.index = (u32)i, .move = t->moves[i], NOTHING_KNOWN};
        if (t->bias || t->prior) {
            State after;
            if (!apply(s->b, t->moves[i], after.b, &t->c->error MEMO(&k) BOUND(t->c))) return MISTAKE;
            NEW_MEMO(known);
#if PLAYERS < 3
            children[i].prior = pressed(t, value_of(t->c, after.b MEMO(&known)));
#else
            I said[SEATS];
            estimates(after.b, said MEMO(&known) BOUND(t->c));
            for (int one = 0; one < SEATS; one++) children[i].prior[one] = pressed(t, said[one]);
#endif
        }
    }
#if PLAYERS == 2
    if (t->policy) share_out(t->policy, s->b, children, count);
#endif
    for (I last = count - 1; last > 0; last--) {
        I at = (I)draw_below(&t->lots, (u64)last + 1);
        Way other = children[at];
        children[at] = children[last];
        children[last] = other;
    }
    w->first = (u32)t->used, w->count = (u32)count;
    t->used += count;
    return 1;
}

/* A child that is visited for the first time takes its place behind those that were visited. */
static Way *opened_child(const Tree *t, Way *w, Way *child) {
    Way *next = ways_of(t) + w->first + w->opened++, other = *child;
    *child = *next;
    *next = other;
    return next;
}

#if PLAYERS < 3
#define WORTH(w, one) ((w)->sign * (one)->value) /* of a child, for who is to move before it */
#define PROMISED(w, one) ((w)->sign * (one)->prior)
#define MOVER(w) ((w)->sign == 1 ? 1 : 2)
#define IS_DECIDED(w, one) ((w)->sign == 1 ? (one)->high <= (w)->low : (one)->low >= (w)->high) /* can it not help? */
#else
#define WORTH(w, one) (one)->value[(w)->own]
#define PROMISED(w, one) (one)->prior[(w)->own]
#define MOVER(w) ((w)->own + 1)
#define IS_DECIDED(w, one) IS_PROVEN(one)
#endif

/* The child that the next visit goes to; `wise` is the place of the position that knows of later moves.  Children never
   visited come first, the best of them as `evaluate` says, but for those of which something is known besides. */
static Way *chosen_child(const Tree *t, Way *w, I wise) {
    Way *children = ways_of(t) + w->first, *end = children + w->count, *unknown = children + w->opened;
    Way *best = 0, *fresh = 0;
    const int waits = t->grave || t->prior || HAS_POLICY(t); /* may a child wait until others have been visited twice? */
    I highest = -(1LL << 62), log = t->roots_of_logs[place_of_count(w->visits)];
#if PLAYERS == 2
    const I root_of_visits = w->visits * t->inverse_roots[place_of_count(w->visits)];
#endif
    for (Way *one = waits || unknown == end ? children : unknown; one < end; one++) {
        const int visited = one < unknown;
        if (visited && IS_DECIDED(w, one)) continue;
        const Later *later = t->grave ? later_of(t, wise, one->move, MOVER(w)) : 0;
        if (!visited && !later && !t->prior && !HAS_POLICY(t)) {
            if (!fresh || (t->bias && PROMISED(w, one) > PROMISED(w, fresh))) fresh = one;
            if (!waits && !t->bias) break;
            continue;
        }
        const I visits = visited ? one->visits : 0, count = visits + t->prior;
        I worth = visited ? WORTH(w, one) : HAS_POLICY(t) ? WORTH(w, w) : 0;
        if (t->prior) worth = floor_div(visits * worth + t->prior * PROMISED(w, one), count);
        if (later) {
            const I games = least(later->count, ONE), mine = least(count, ONE), own = mine + games * mine / t->even;
            worth = floor_div(games * floor_div(later->total, later->count) + own * worth, games + own);
        }
        const I root = t->inverse_roots[place_of_count((u64)most(count, 1))];
        I promise = worth + (t->explore * (log * root >> 20) >> 10);
#if PLAYERS == 2
        if (t->policy) promise += t->puct * ((one->share * root_of_visits >> 20) / (visits + 1)) / FINE;
#endif
        if (t->bias) promise += floor_div(t->bias * PROMISED(w, one), FINE * (visits + 1));
        if (promise > highest) best = one, highest = promise;
    }
    if (fresh) best = fresh;
    return best < unknown ? best : opened_child(t, w, best);
}

#if PLAYERS < 3
/* The value of a leaf; negative errors come back in `wrong`. */
static I leaf_value(Tree *t, Way *w, const State *s, Past *h, I seed, I *wrong) {
    NEW_MEMO(k);
    if (!w->visits) {
        I winner = 0, ending = ends(s->b, h->turns, times_met(h, s), &winner BOUND(t->c));
#if !PASSES
        if (!ending && !any(s->b, s->b[0] MEMO(&k) BOUND(t->c))) ending = stuck(s->b, s->b[0] MEMO(&k) BOUND(t->c), &winner);
#endif
        if (CUT(t->c)) {
            *wrong = STOPPED;
            return 0;
        }
        w->sign = s->b[0] == 1 ? 1 : -1;
        if (ending) {
            w->low = w->high = (i8)(winner == 0 ? 0 : winner == 1 ? 1 : -1);
            return w->low * ONE;
        }
    }
    if (t->evaluates) {
        I value = pressed(t, value_of(t->c, s->b MEMO(&k)));
        *wrong = CUT(t->c) ? STOPPED : 0;
        return value;
    }
    u64 first = (u64)seed;
    I plies = 0, winner = random_game(t->c, *h, s, draw(&first), GAME_LONGEST, t->moves, t->end - t->moves, &plies,
                                       t->grave ? &t->trail : 0);
    if (winner < 0 || CUT(t->c)) {
        *wrong = winner < 0 ? winner : STOPPED;
        return 0;
    }
    t->played += plies;
#if PLAYERS == 1
    return winner == NOT_FINISHED || !winner ? 0 : winner == 1 ? ONE : -ONE;
#else
    return winner == 1 ? ONE : winner == 2 ? -ONE : 0;
#endif
}

/* Between which results a position lies, by those of its children: true if that is news. */
static int bound(const Tree *t, Way *w) {
    const Way *children = ways_of(t) + w->first;
    const I sign = w->sign;
    I low = -1, high = w->opened < w->count ? 1 : -1; /* for the player to move */
    for (const Way *one = children; one < children + w->opened; one++) {
        low = most(low, sign == 1 ? one->low : -one->high);
        high = most(high, sign == 1 ? one->high : -one->low);
    }
    /* Less may be known of the children than before the tree was cut back. */
    const i8 from = (i8)most(w->low, sign == 1 ? low : -high), to = (i8)least(w->high, sign == 1 ? high : -low);
    const int news = from != w->low || to != w->high;
    w->low = from, w->high = to;
    return news;
}

static i32 worth_of(const Tree *t, const Way *w) {
    if (!t->takes_best || !w->count || w->opened < w->count || IS_PROVEN(w))
        return (i32)least(most(floor_div(w->total, w->visits), w->low * ONE), w->high * ONE);
    const Way *children = ways_of(t) + w->first;
    i32 best = -ONE;
    for (const Way *one = children; one < children + w->count; one++) best = (i32)most(best, w->sign * one->value);
    return w->sign * best;
}
#else
static void take_result(I result, I *values) {
    pay(result, values);
    for (int one = 0; one < SEATS; one++) values[one] = floor_div(values[one] * ONE, UNIT);
}

/* The values of a leaf.  Negative: what went wrong. */
static I leaf_values(Tree *t, Way *w, const State *s, Past *h, I seed, I *values) {
    NEW_MEMO(k);
    if (!w->visits) {
        I winner = 0, ending = ends(s->b, h->turns, times_met(h, s), &winner BOUND(t->c));
#if !PASSES
        if (!ending && !any(s->b, s->b[0] MEMO(&k) BOUND(t->c))) ending = stuck(s->b, s->b[0] MEMO(&k) BOUND(t->c), &winner);
#endif
        if (CUT(t->c)) return STOPPED;
        w->own = s->b[0] - 1;
        if (ending) {
            take_result(winner, values);
            for (int one = 0; one < SEATS; one++) w->value[one] = (i32)values[one];
            w->proven = 1;
            return 0;
        }
    }
    if (t->evaluates) {
        estimates(s->b, values MEMO(&k) BOUND(t->c));
        for (int one = 0; one < SEATS; one++) values[one] = pressed(t, values[one]);
        return CUT(t->c) ? STOPPED : 0;
    }
    u64 first = (u64)seed;
    I plies = 0, winner = random_game(t->c, *h, s, draw(&first), GAME_LONGEST, t->moves, t->end - t->moves, &plies,
                                       t->grave ? &t->trail : 0);
    if (winner < 0 || CUT(t->c)) return winner < 0 ? winner : STOPPED;
    t->played += plies;
    take_result(winner == NOT_FINISHED ? 0 : winner, values);
    return 0;
}

/* Is a position proven by its children?  Then it is worth what the first of those is that are best for the mover.  A sole
   win needs no other move to be known, or, if the others differ, those before it. */
static void prove(const Tree *t, Way *w) {
    const Way *children = ways_of(t) + w->first, *best = 0;
    I known = 0, own = w->own;
    for (const Way *one = children; one < children + w->opened; one++) {
        if (one->proven == UNKNOWN) continue;
        known++;
        if (!best || one->value[own] > best->value[own] ||
            (one->value[own] == best->value[own] && one->index < best->index))
            best = one;
    }
    if (!best || (best->value[own] != ONE && known != w->count)) return;
    if (known != w->count && t->differ) {
        I before = 0;
        for (const Way *one = children; one < children + w->opened; one++)
            before += one->proven != UNKNOWN && one->index < best->index;
        if (before != (I)best->index) return;
    }
    w->proven = 1;
    for (int one = 0; one < SEATS; one++) w->value[one] = best->value[one];
}

static void value_way(const Tree *t, Way *w) {
    if (w->proven != UNKNOWN) return;
    if (!t->takes_best || !w->count || w->opened < w->count) {
        for (int one = 0; one < SEATS; one++) w->value[one] = (i32)floor_div(w->total[one], w->visits);
        return;
    }
    const Way *children = ways_of(t) + w->first, *best = children;
    for (const Way *one = children; one < children + w->count; one++)
        if (one->value[w->own] > best->value[w->own]) best = one;
    for (int one = 0; one < SEATS; one++) w->value[one] = best->value[one];
}
#endif

/* One visit: down to a leaf, and its value back up.  Negative: what went wrong, and then nothing has changed. */
static I grow(Tree *t, State s, I seed) {
    Way *path[TREE_DEEPEST + 1], *w = ways_of(t);
    Past h = t->past;
    I depth = 0, wrong = 0, wise = 0;
    path[depth++] = w;
    t->trail.count = 0;
    while (!IS_PROVEN(w) && w->visits) {
        I open = unfold(t, w, &s, depth);
        if (open < 0) return open;
        if (!open) break;
        State after;
        if ((I)w->visits >= t->wise) wise = w - ways_of(t);
        Way *next = chosen_child(t, w, wise);
        if (!apply(s.b, next->move, after.b, &t->c->error NO_MEMO BOUND(t->c))) return MISTAKE;
        remember(&h, &s);
        h.length++;
        h.turns += after.b[0] != s.b[0];
        if (t->grave) t->trail.move[t->trail.count] = next->move, t->trail.mover[t->trail.count++] = s.b[0];
        s = after;
        path[depth++] = w = next;
    }
#if PLAYERS < 3
    I values[1] = {leaf_value(t, w, &s, &h, seed, &wrong)};
#else
    I values[SEATS];
    wrong = leaf_values(t, w, &s, &h, seed, values);
#endif
    if (wrong) {
        if (depth > 1 && !w->visits) path[depth - 2]->opened--;
        return wrong;
    }
    const I length = depth;
#if PLAYERS < 3
    int news = IS_PROVEN(w); /* of the position below: is more known of its result? */
    while (depth > 0) {
        w = path[--depth];
        w->visits++;
        w->total += values[0];
        if (news && w->count) news = bound(t, w);
        w->value = worth_of(t, w);
    }
#else
    i8 proven = UNKNOWN; /* is the position below proven? */
    while (depth > 0) {
        w = path[--depth];
        w->visits++;
        for (int one = 0; one < SEATS; one++) w->total[one] += values[one];
        if (proven != UNKNOWN) prove(t, w);
        proven = w->proven;
        value_way(t, w);
    }
#endif
    if (t->grave) tell_of_later(t, path, length, values);
    return 0;
}

/* Does a position keep its children where those keep them that were visited so often? */
INLINE int keeps_ways(const Way *w, const Way *root, I seldom) { return w == root || (I)w->visits >= seldom; }

/* Marks the positions that stay where those keep their children that were visited so often: how many.  A position stands
   behind the one whose child it is. */
static I staying(Tree *t, I seldom) {
    Way *root = ways_of(t), *end = root + t->used;
    I stay = 1;
    for (Way *w = root; w < end; w++) w->stays = w == root;
    for (const Way *w = root; w < end; w++) {
        if (!w->stays || !keeps_ways(w, root, seldom)) continue;
        for (u32 k = 0; k < w->count; k++) root[w->first + k].stays = 1;
        stay += w->count;
    }
    return stay;
}

static void sort_into_buckets(Tree *t) {
    for (I i = 0; i < buckets_for(t->room); i++) t->bucket[i] = 0;
    for (I i = 0; i < t->known; i++) put_into_bucket(t, i);
}

/* Makes room in a tree that is full of positions: at most half of them stay, the children of those that were visited
   most.  Others have children again when they have been visited half as often.  There may be no room to be made. */
static void cut_back(Tree *t) {
    Way *root = ways_of(t);
    I used = 0, known = 0;
    t->full = 0;
    for (t->seldom = most(2, t->seldom); 2 * staying(t, t->seldom) > t->room; t->seldom *= 2) {
        if (t->seldom <= (I)root->visits) continue;
        t->seldom = 0, t->solid = 1;
        return;
    }
    for (I i = 0; i < t->used; i++)
        if (root[i].stays) t->bucket[i] = (u32)used++;
    for (I i = 0; i < t->known; i++) {
        Later one = t->laters[i];
        if (!root[one.at].stays || !keeps_ways(&root[one.at], root, t->seldom)) continue;
        one.at = t->bucket[one.at];
        t->laters[known++] = one;
    }
    for (I i = 0; i < t->used; i++) {
        Way one = root[i];
        if (!one.stays) continue;
        if (!keeps_ways(&root[i], root, t->seldom)) one.count = one.opened = 0;
        if (one.count) one.first = t->bucket[one.first];
        root[t->bucket[i]] = one;
    }
    t->used = used, t->known = known;
    sort_into_buckets(t);
}

/* The same where there is no room for more facts about later moves: at most half of them stay, those of the positions that
   were visited most, and only such ones take down more. */
static void drop_facts(Tree *t) {
    const Way *root = ways_of(t);
    I known = t->known;
    t->filled = 0;
    while (2 * known > t->room) {
        if (t->wise > 2 * (I)root->visits) {
            t->wise = t->grave, t->settled = 1;
            return;
        }
        t->wise *= 2, known = 0;
        for (I i = 0; i < t->known; i++) known += takes_down(t, &root[t->laters[i].at]);
    }
    known = 0;
    for (I i = 0; i < t->known; i++)
        if (takes_down(t, &root[t->laters[i].at])) t->laters[known++] = t->laters[i];
    t->known = known;
    sort_into_buckets(t);
}

/* Grows a tree by `visits`, until those and the moves of random games are `nodes`, each without a limit if it is negative,
   or until its root is proven.  how: room, explore, bias, does `evaluate` judge leaves, is a position worth its best
   child, grave, even, prior, may the others get one thing or another where a player wins alone; the address of a
   policy, or 0, and its weight. */
EXPORT I ps_grow(Control *c, const u8 *in, I visits, I nodes, u64 seed, Tree *t, const I *how, const I *roots_of_logs,
                 const I *inverse_roots, I turns, const State *before, const I *times, I count) {
    State s;
    Way *top = ways_of(t);
    take(&s, in);
    u64 first = ~seed;
    I played = t->played;
    t->past = (Past){.turns = turns, .before = before, .times = times, .count = count};
    t->c = c, t->lots = draw(&first);
    t->room = how[0], t->explore = how[1], t->bias = how[2], t->evaluates = how[3], t->takes_best = how[4];
    t->grave = how[5], t->even = how[6], t->prior = how[7], t->differ = how[8];
#if PLAYERS == 2
    t->policy = (const Policy *)(__SIZE_TYPE__)how[9];
#endif
    t->puct = how[10];
    lay_out(t);
    t->roots_of_logs = roots_of_logs, t->inverse_roots = inverse_roots;
    if (!t->wise) t->wise = t->grave;
    if (!t->used) {
        t->used = 1;
#if PLAYERS < 3
        *top = (Way){NOTHING_KNOWN, .sign = s.b[0] == 1 ? 1 : -1};
#else
        *top = (Way){NOTHING_KNOWN, .own = s.b[0] - 1};
#endif
    }
    for (I number = 0; number != visits && !IS_PROVEN(top); number++) {
        if (nodes >= 0 && number + t->played - played >= nodes) break;
        if (t->full && !t->solid) cut_back(t);
        if (t->filled && !t->settled) drop_facts(t);
        ask_host(c, 15);
        if (c->stop) return STOPPED;
        I wrong = grow(t, s, (I)(seed + (u64)number));
        if (wrong) return wrong;
        c->nodes++;
    }
    return 0;
}

#if PLAYERS < 3
/* What is known of a position: the number of its move, its index, sign, visits, value, proof, and where its children
   begin; how many of them were visited. */
#else
/* What is known of a position: the number of its move, its index, who moves, visits, value, proof, and where its
   children begin; then the value of each player.  How many of the children were visited. */
#endif
EXPORT I ps_way(const Tree *t, I at, I *out) {
    const Way *w = ways_of(t) + at;
#if PLAYERS < 3
    out[0] = (I)w->move, out[1] = w->index, out[2] = w->sign, out[3] = w->visits, out[4] = w->value;
    out[5] = IS_PROVEN(w) ? w->low : UNKNOWN, out[6] = w->first;
#else
    out[0] = (I)w->move, out[1] = w->index, out[2] = w->own + 1, out[3] = w->visits, out[4] = w->value[w->own];
    out[5] = w->proven, out[6] = w->first;
    for (int one = 0; one < SEATS; one++) out[7 + one] = w->value[one];
#endif
    return w->opened;
}

/* Is a child better than another?  First come proven wins, then visits count, and last come other proven results. */
static int better_child(const Way *w, const Way *one, const Way *other) {
    I mine = WORTH(w, one), its = WORTH(w, other);
    I last = !IS_PROVEN(one) ? 0 : mine == ONE ? -1 : 1 + ONE - mine;
    I its_last = !IS_PROVEN(other) ? 0 : its == ONE ? -1 : 1 + ONE - its;
    if (last != its_last) return last < its_last;
    if (one->visits != other->visits) return one->visits > other->visits;
    return mine != its ? mine > its : one->index < other->index;
}

/* The visited children of a position, the best first: where they are, and how many.  If the first does not seem better
   than a proven result, but for a loss, those with that come before it. */
EXPORT I ps_ranked(const Tree *t, I at, I *places) {
    const Way *ways = ways_of(t), *w = ways + at;
    I certain = -ONE, front = 0;
    for (I i = 0; i < w->opened; i++) {
        I to = i, place = w->first + i;
        if (IS_PROVEN(&ways[place])) certain = most(certain, WORTH(w, &ways[place]));
        for (; to > 0 && better_child(w, &ways[place], &ways[places[to - 1]]); to--) places[to] = places[to - 1];
        places[to] = place;
    }
    if (!w->opened || IS_PROVEN(&ways[places[0]]) || certain == -ONE || WORTH(w, &ways[places[0]]) > certain)
        return w->opened;
    for (I i = 0; i < w->opened; i++) {
        I place = places[i];
        if (!IS_PROVEN(&ways[place]) || WORTH(w, &ways[place]) != certain) continue;
        for (I to = i; to > front; to--) places[to] = places[to - 1];
        places[front++] = place;
    }
    return w->opened;
}

/* Copies what is below a position into another tree, position by position, children side by side.  A position that was
   proven, and has lost its children, is begun anew: there is no tree then. */
EXPORT I ps_advance(const Tree *t, I at, Tree *other) {
    const Way *from = ways_of(t);
    Way *to = ways_of(other);
    I used = 1;
    *other = *t;
    lay_out(other);
    other->full = other->solid = other->seldom = other->filled = other->settled = other->wise = 0;
    if (IS_PROVEN(&from[at]) && !from[at].count) return other->used = other->known = other->buckets = 0;
    u32 *place = t->known ? other->bucket : 0; /* where a position is now, and 1 */
    to[0] = from[at];
    if (place) place[at] = 1;
    for (I i = 0; i < used; i++) {
        const u32 first = to[i].first;
        if (!to[i].count) continue;
        to[i].first = (u32)used;
        for (u32 k = 0; k < to[i].count; k++) {
            if (place) place[first + k] = (u32)used + 1;
            to[used++] = from[first + k];
        }
    }
    if (place) keep_later(t, other);
    return other->used = used;
}
