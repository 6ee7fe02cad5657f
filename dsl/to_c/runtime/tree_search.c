/* ----------------------------------------------------------------------------- Monte Carlo tree search */

/* Values are whole numbers, ONE is a win; pysolve/search/mcts.py says the same in Python, and why. */
enum { PATH_ROOM = TREE_DEEPEST + GAME_LONGEST + 2 };

#if PLAYERS < 3
/* A node of the tree: a position as it is reached by one way.  Values are for the first player. */
typedef struct {
    I total;           /* of all visits */
    i32 value, prior;  /* now, and what `evaluate` said before */
    u32 first, count, opened; /* its children, and how many of them, the first ones, have been visited */
    u32 visits, index; /* index: the number of the move that leads here */
    i8 sign, proven;   /* 1 if the first player is to move, else -1; UNKNOWN or the result */
    i8 drawn;          /* is a child proven to be a draw? */
    Move move;
} Way;
#else
/* A node of the tree: a position as it is reached by one way.  There is a value for each player. */
typedef struct {
    I total[SEATS];                     /* of all visits */
    i32 value[SEATS], prior[SEATS];   /* now, and what `evaluate` said before */
    u32 first, count, opened; /* its children, and how many of them, the first ones, have been visited */
    u32 visits, index; /* index: the number of the move that leads here */
    u8 own;            /* where the value of the player to move stands */
    i8 proven;         /* UNKNOWN, or 1: the values are certain */
    Move move;
} Way;
#endif

/* What a tree keeps, and what it is given for each question.  Behind it lie its nodes, then what a game needs. */
typedef struct {
    I used, sizes, sized, played;
    Control *c;
    I room, explore, bias, evaluates, takes_best;
    const I *roots_of_logs, *inverse_roots;
    Move *moves, *end;
    u64 lots;
    Past past;
} Tree;

/* The bytes of a tree with room for so many nodes; it begins as zeros. */
EXPORT I ps_tree_size(I room) {
    return (I)sizeof(Tree) + room * (I)sizeof(Way) + PATH_ROOM * (I)(sizeof(State) + sizeof(u64)) +
           DEEP * (I)sizeof(Move);
}
EXPORT I ps_tree_played(const Tree *t) { return t->played; }

static Way *ways_of(const Tree *t) { return (Way *)(t + 1); }

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

/* Has a position children?  If it has none yet, it gets them as far as there is room.  Negative: what went wrong. */
static I unfold(Tree *t, Way *w, const State *s, I depth) {
    if (w->count) return 1;
    I ending, winner;
    NEW_MEMO(k);
    I count = legal(s->b, t->moves, t->end, SORTED, &ending, &winner MEMO(&k) BOUND(t->c));
    if (count < 0) return count;
    if (t->used + count > t->room || depth >= TREE_DEEPEST) return 0;
    Way *children = ways_of(t) + t->used;
    for (I i = 0; i < count; i++) {
        children[i] = (Way){.index = (u32)i, .move = t->moves[i], .proven = UNKNOWN};
        if (t->bias) {
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

/* A child that was never visited: the next one, or the best of the rest as `evaluate` says. */
static Way *fresh_child(const Tree *t, Way *w) {
    Way *children = ways_of(t) + w->first, *next = children + w->opened, *best = next;
    if (t->bias)
        for (Way *one = next + 1; one < children + w->count; one++)
#if PLAYERS < 3
            if (w->sign * one->prior > w->sign * best->prior) best = one;
#else
            if (one->prior[w->own] > best->prior[w->own]) best = one;
#endif
    Way other = *best;
    *best = *next;
    *next = other;
    w->opened++;
    return next;
}

/* The child that the next visit goes to. */
static Way *chosen_child(const Tree *t, Way *w) {
    if (w->opened < w->count) return fresh_child(t, w);
    Way *children = ways_of(t) + w->first, *best = children;
    I log = t->roots_of_logs[place_of_count(w->visits)], highest = -(1LL << 62);
    for (Way *one = children; one < children + w->count; one++) {
        if (one->proven != UNKNOWN) continue;
        I root = t->inverse_roots[place_of_count(one->visits)];
#if PLAYERS < 3
        I promise = w->sign * one->value + (t->explore * (log * root >> 20) >> 10);
        if (t->bias) promise += floor_div(t->bias * w->sign * one->prior, FINE * ((I)one->visits + 1));
#else
        I promise = one->value[w->own] + (t->explore * (log * root >> 20) >> 10);
        if (t->bias) promise += floor_div(t->bias * one->prior[w->own], FINE * ((I)one->visits + 1));
#endif
        if (promise > highest) best = one, highest = promise;
    }
    return best;
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
            w->proven = (i8)(winner == 0 ? 0 : winner == 1 ? 1 : -1);
            return w->proven * ONE;
        }
    }
    if (t->evaluates) {
        I value = pressed(t, value_of(t->c, s->b MEMO(&k)));
        *wrong = CUT(t->c) ? STOPPED : 0;
        return value;
    }
    u64 first = (u64)seed;
    I plies = 0, winner = random_game(t->c, *h, s, draw(&first), GAME_LONGEST, t->moves, t->end - t->moves, &plies);
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

/* What a position is proven to be, by its children. */
static i8 proof_of(const Tree *t, const Way *w) {
    const Way *children = ways_of(t) + w->first;
    I known = 0, best = -1;
    for (const Way *one = children; one < children + w->opened; one++) {
        if (one->proven == UNKNOWN) continue;
        if (one->proven == w->sign) return w->sign;
        known++;
        best = most(best, w->sign * one->proven);
    }
    return (i8)(known == w->count ? w->sign * best : UNKNOWN);
}

static i32 worth_of(const Tree *t, const Way *w) {
    if (w->proven != UNKNOWN) return w->proven * ONE;
    if (!t->takes_best || !w->count || w->opened < w->count) {
        i32 mean = (i32)floor_div(w->total, w->visits);
        return w->drawn && w->sign * mean < 0 ? 0 : mean;
    }
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
    I plies = 0, winner = random_game(t->c, *h, s, draw(&first), GAME_LONGEST, t->moves, t->end - t->moves, &plies);
    if (winner < 0 || CUT(t->c)) return winner < 0 ? winner : STOPPED;
    t->played += plies;
    take_result(winner == NOT_FINISHED ? 0 : winner, values);
    return 0;
}

/* Is a position proven by its children?  Then it is worth what the first of those is that are best for the mover. */
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
    I depth = 0, wrong = 0;
    path[depth++] = w;
    while (w->proven == UNKNOWN && w->visits) {
        I open = unfold(t, w, &s, depth);
        if (open < 0) return open;
        if (!open) break;
        State after;
        Way *next = chosen_child(t, w);
        if (!apply(s.b, next->move, after.b, &t->c->error NO_MEMO BOUND(t->c))) return MISTAKE;
        remember(&h, &s);
        h.length++;
        h.turns += after.b[0] != s.b[0];
        s = after;
        path[depth++] = w = next;
    }
#if PLAYERS < 3
    I value = leaf_value(t, w, &s, &h, seed, &wrong);
    if (wrong) {
#else
    I values[SEATS];
    wrong = leaf_values(t, w, &s, &h, seed, values);
    if (wrong) {
#endif
        if (depth > 1 && !w->visits) path[depth - 2]->opened--;
        return wrong;
    }
#if PLAYERS < 3
    i8 proven = UNKNOWN; /* what the position below has been proven to be */
    while (depth > 0) {
        w = path[--depth];
        w->visits++;
        w->total += value;
        if (proven != UNKNOWN) {
            w->drawn |= proven == 0;
            w->proven = proof_of(t, w);
        }
        proven = w->proven;
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
    return 0;
}

/* Grows a tree by `visits`, until those and the moves of random games are `nodes`, each without a limit if it is negative,
   or until its root is proven.  how: room, explore, bias, does `evaluate` judge leaves, is a position worth its best
   child. */
EXPORT I ps_grow(Control *c, const u8 *in, I visits, I nodes, u64 seed, Tree *t, const I *how, const I *roots_of_logs,
                 const I *inverse_roots, I turns, const State *before, const I *times, I count) {
    State s, *path = (State *)(ways_of(t) + how[0]);
    Way *top = ways_of(t);
    take(&s, in);
    u64 first = ~seed;
    I played = t->played;
    t->past = (Past){.path = path, .hashes = (u64 *)(path + PATH_ROOM), .turns = turns, .before = before, .times = times,
                     .count = count};
    t->c = c, t->moves = (Move *)(t->past.hashes + PATH_ROOM), t->end = t->moves + DEEP, t->lots = draw(&first);
    t->room = how[0], t->explore = how[1], t->bias = how[2], t->evaluates = how[3], t->takes_best = how[4];
    t->roots_of_logs = roots_of_logs, t->inverse_roots = inverse_roots;
    if (!t->used) {
        t->used = 1;
#if PLAYERS < 3
        *top = (Way){.proven = UNKNOWN, .sign = s.b[0] == 1 ? 1 : -1};
#else
        *top = (Way){.proven = UNKNOWN, .own = s.b[0] - 1};
#endif
    }
    for (I number = 0; number != visits && top->proven == UNKNOWN; number++) {
        if (nodes >= 0 && number + t->played - played >= nodes) break;
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
    out[5] = w->proven, out[6] = w->first;
#else
    out[0] = (I)w->move, out[1] = w->index, out[2] = w->own + 1, out[3] = w->visits, out[4] = w->value[w->own];
    out[5] = w->proven, out[6] = w->first;
    for (int one = 0; one < SEATS; one++) out[7 + one] = w->value[one];
#endif
    return w->opened;
}

#if PLAYERS < 3
#define WORTH(w, one) ((w)->sign * (one)->value) /* of a child, for who is to move before it */
#else
#define WORTH(w, one) (one)->value[(w)->own]
#endif

/* Is a child better than another?  First come proven wins, then visits count, and last come other proven results. */
static int better_child(const Way *w, const Way *one, const Way *other) {
    I mine = WORTH(w, one), its = WORTH(w, other);
    I last = one->proven == UNKNOWN ? 0 : mine == ONE ? -1 : 1 + ONE - mine;
    I its_last = other->proven == UNKNOWN ? 0 : its == ONE ? -1 : 1 + ONE - its;
    if (last != its_last) return last < its_last;
    if (one->visits != other->visits) return one->visits > other->visits;
    return mine != its ? mine > its : one->index < other->index;
}

/* The visited children of a position, the best first: where they are, and how many.  If the first seems worse than a
   proven result, those with that come before it. */
EXPORT I ps_ranked(const Tree *t, I at, I *places) {
    const Way *ways = ways_of(t), *w = ways + at;
    I certain = -ONE, front = 0;
    for (I i = 0; i < w->opened; i++) {
        I to = i, place = w->first + i;
        if (ways[place].proven != UNKNOWN) certain = most(certain, WORTH(w, &ways[place]));
        for (; to > 0 && better_child(w, &ways[place], &ways[places[to - 1]]); to--) places[to] = places[to - 1];
        places[to] = place;
    }
    if (!w->opened || ways[places[0]].proven != UNKNOWN || WORTH(w, &ways[places[0]]) >= certain) return w->opened;
    for (I i = 0; i < w->opened; i++) {
        I place = places[i];
        if (ways[place].proven == UNKNOWN || WORTH(w, &ways[place]) != certain) continue;
        for (I to = i; to > front; to--) places[to] = places[to - 1];
        places[front++] = place;
    }
    return w->opened;
}

/* Copies what is below a position into another tree, position by position, children side by side. */
EXPORT I ps_advance(const Tree *t, I at, Tree *other) {
    const Way *from = ways_of(t);
    Way *to = ways_of(other);
    I used = 1;
    *other = *t;
    to[0] = from[at];
    for (I i = 0; i < used; i++) {
        const Way *children = from + to[i].first;
        if (!to[i].count) continue;
        to[i].first = (u32)used;
        for (u32 k = 0; k < to[i].count; k++) to[used++] = children[k];
    }
    return other->used = used;
}
