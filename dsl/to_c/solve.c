/* Every position that can be reached, and what each is worth; pysolve/search/retrograde.py says the same in Python. */

/* How far a search for positions is.  Those before `done` have all their moves in the list of edges. */
typedef struct {
    I count, done, edges;
    I hashed; /* positions that the slots know: fewer after the slots were made larger */
} Explored;

enum { POSITIONS_FULL = 1, EDGES_FULL = 2, MOVES_FULL = 3, GOES_ON = 2 };

EXPORT I ps_state_size(void) { return sizeof(State); }

/* The slot of a position: it holds the number from 1, or 0 where the position is new. */
static u32 *slot_of(const State *states, u32 *slots, I mask, const State *s, u64 hash) {
    I at = (I)(hash & (u64)mask);
    while (slots[at] && !same_state(&states[slots[at] - 1], s)) at = (at + 1) & mask;
    return &slots[at];
}

/* The positions after the moves, and memory for all of them fetched before any is looked up. */
static int look_ahead(const State *s, const Move *moves, I count, State *after, u64 *hashes, const State *states,
                      const u32 *slots, I mask, Control *c) {
    NEW_MEMO(k);
    for (I i = 0; i < count; i++) {
        after[i].w[WORDS - 1] = 0;
        if (!apply(s->b, moves[i], after[i].b, &c->error MEMO(&k) BOUND(c))) return 0;
        hashes[i] = hash_state(&after[i]);
        FETCH(&slots[hashes[i] & (u64)mask]);
    }
    for (I i = 0; i < count; i++) {
        u32 number = slots[hashes[i] & (u64)mask];
        if (number) FETCH(&states[number - 1]);
    }
    return 1;
}

/* Finds all positions from states[0] on, breadth first in the order of moves.  The moves of position i lead to the
   positions after[first[i]] to after[first[i + 1] - 1]; results[i] is 1, 0 or -1 for the first player, or GOES_ON.
   Where something is full, low says what, and the question is asked again with more room. */
EXPORT I ps_explore(Control *c, Explored *x, State *states, I room, u32 *slots, I mask, u64 *first, i8 *results,
                    u32 *edges, I edge_room, Move *moves_at, State *after, u64 *hashes, I move_room) {
    for (; x->hashed < x->count; x->hashed++) {
        if (c->stop) return STOPPED;
        const State *s = &states[x->hashed];
        *slot_of(states, slots, mask, s, hash_state(s)) = (u32)x->hashed + 1;
    }
    for (; x->done < x->count; x->done++) {
        if (c->stop) return STOPPED;
        const State *s = &states[x->done];
        I ending, winner = 0;
        NEW_MEMO(k);
        I count = legal(s->b, moves_at, moves_at + move_room, SORTED, &ending, &winner MEMO(&k) BOUND(c));
        c->low = count < 0 ? MOVES_FULL : x->edges + count > edge_room ? EDGES_FULL : 0;
        if (c->low) return NO_ROOM;
        if (!look_ahead(s, moves_at, count, after, hashes, states, slots, mask, c)) return MISTAKE;
        for (I i = 0; i < count; i++) {
            u32 *slot = slot_of(states, slots, mask, &after[i], hashes[i]);
            if (!*slot) {
                c->low = x->count == room ? POSITIONS_FULL : 0;
                if (c->low) return NO_ROOM;
                states[x->count] = after[i];
                *slot = (u32)++x->count;
                x->hashed++;
            }
            edges[x->edges + i] = *slot - 1;
        }
        x->edges += count;
        first[x->done + 1] = (u64)x->edges;
        results[x->done] = (i8)(!ending ? GOES_ON : winner == 0 ? 0 : winner == 1 ? 1 : -1);
        c->nodes++;
    }
    return x->count;
}

/* Which positions lead to each: those of position i stand in before[back[i]] to before[back[i + 1] - 1]. */
static int turn_around(Control *c, I count, const u64 *first, const u32 *edges, u64 *back, u32 *before) {
    for (I i = 0; i < count && !c->stop; i++)
        for (u64 k = first[i]; k < first[i + 1]; k++) back[edges[k]]++;
    for (I i = 1; i <= count; i++) back[i] += back[i - 1];
    for (I i = count; i-- > 0 && !c->stop;)
        for (u64 k = first[i + 1]; k-- > first[i];) before[--back[edges[k]]] = (u32)i;
    return !c->stop;
}

/* What each position is worth by best play: 1 or -1 where the first or the second player wins, and the number of moves
   to the end; else 0.  From the ends backwards: who can move to a position that is won for him wins, who can only move
   to lost ones loses when the last of them is known.  back, left and values hold zeros. */
EXPORT I ps_values(Control *c, I count, const State *states, const u64 *first, const u32 *edges, const i8 *results,
                   u64 *back, u32 *before, u32 *left, u32 *queue, i8 *values, u32 *distances) {
    I known = 0;
    if (!turn_around(c, count, first, edges, back, before)) return STOPPED;
    for (I i = 0; i < count; i++) {
        left[i] = (u32)(first[i + 1] - first[i]);
        if (results[i] == 0 || results[i] == GOES_ON) continue;
        values[i] = results[i];
        queue[known++] = (u32)i;
    }
    for (I at = 0; at < known; at++) {
        if (c->stop) return STOPPED;
        u32 i = queue[at];
        int winner = values[i] == 1 ? 1 : 2;
        for (u64 k = back[i]; k < back[i + 1]; k++) {
            u32 from = before[k];
            if (values[from] || (states[from].b[0] != winner && --left[from])) continue;
            values[from] = values[i];
            distances[from] = distances[i] + 1;
            queue[known++] = from;
        }
        c->nodes++;
    }
    return known;
}

/* ----------------------------------------------------------------------------------- proof-number search */

/* As in pysolve/search/proof_number.py, with the same visits. */
enum { INFINITE = 1 << 30, SLACK = 4, TABLE_FULL = 1, WAY_FULL = 2, REPLIES_FULL = 3 };
enum { FREE = 0, KEPT_HERE = 1, ON_THE_WAY = 2 };

/* What is known of a position. */
typedef struct {
    Key key;
    u32 proof, disproof, best, use;
} Numbers;

typedef struct {
    Key key;
    u64 hash;
} Reply;

/* A position on the way down, its replies from `first` on, and the numbers at which the search leaves it. */
typedef struct {
    State s;
    Reply self;
    I first, count;
    u32 proof, disproof;
} Stage;

/* How far a search is: positions in the table and how many may be there, those on the way, visits. */
typedef struct {
    I count, limit, depth, visits;
} Proving;

EXPORT I ps_numbers_size(void) { return sizeof(Numbers); }
EXPORT I ps_reply_size(void) { return sizeof(Reply); }
EXPORT I ps_stage_size(void) { return sizeof(Stage); }

static Reply reply_of(const u8 *s) {
    Reply found;
    pack(s, found.key.w);
    found.hash = hash_key(&found.key);
    return found;
}

/* The entry of a position, or the free one where it belongs. */
static Numbers *numbers_of(Numbers *table, I mask, const Reply *r) {
    I at = (I)(r->hash & (u64)mask);
    while (table[at].use != FREE && !same_key(&table[at].key, &r->key)) at = (at + 1) & mask;
    return &table[at];
}

static void note(Proving *p, Numbers *n, const Reply *r, u32 proof, u32 disproof, u32 best, u32 use) {
    p->count += n->use == FREE;
    n->key = r->key, n->proof = proof, n->disproof = disproof, n->best = best, n->use = use;
}

/* Goes down to a position; notes the result of a game that has ended there.  0, MISTAKE or NO_ROOM. */
static I go_down(Control *c, Proving *p, const State *s, I player, u32 proof, u32 disproof, Numbers *table, I mask,
                 Stage *way, Move *moves_at, Reply *replies, I room) {
    I ending, winner = 0, first = p->depth ? way[p->depth - 1].first + way[p->depth - 1].count : 0;
    Stage *f = &way[p->depth];
    State t;
    NEW_MEMO(k);
    I count = legal(s->b, moves_at + first, moves_at + room, SORTED, &ending, &winner MEMO(&k) BOUND(c));
    if (count < 0) {
        c->low = REPLIES_FULL;
        return NO_ROOM;
    }
    f->s = *s, f->self = reply_of(s->b), f->first = first, f->count = count, f->proof = proof, f->disproof = disproof;
    Numbers *n = numbers_of(table, mask, &f->self);
    if (n->use == FREE && p->count == p->limit) {
        c->low = TABLE_FULL;
        return NO_ROOM;
    }
    if (ending) {
        note(p, n, &f->self, winner == player ? 0 : INFINITE, winner == player ? INFINITE : 0, 0, KEPT_HERE);
        return 0;
    }
    for (I i = 0; i < count; i++) {
        if (!apply(s->b, moves_at[first + i], t.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        replies[first + i] = reply_of(t.b);
    }
    if (n->use == FREE) note(p, n, &f->self, 1, 1, 0, KEPT_HERE);
    n->use = ON_THE_WAY;
    p->depth++;
    return 0;
}

/* Goes on until the first position is decided, or `most` visits were made.  low says what is full. */
EXPORT I ps_prove(Control *c, Proving *p, const u8 *in, I player, Numbers *table, I mask, Stage *way, I way_room,
                  Move *moves_at, Reply *replies, I room, I most) {
    State t;
    if (!p->depth) {
        take(&t, in);
        I found = go_down(c, p, &t, player, INFINITE, INFINITE, table, mask, way, moves_at, replies, room);
        if (found < 0) return found;
    }
    while (p->depth) {
        if (c->stop) return STOPPED;
        if (p->visits == most) return 0;
        c->low = 2 * (p->count + 2) > mask ? TABLE_FULL : p->depth == way_room ? WAY_FULL : 0;
        if (c->low) return NO_ROOM;
        Stage *f = &way[p->depth - 1];
        const Reply *own = replies + f->first;
        int chooses = f->s.b[0] == player;
        u32 lowest = INFINITE, second = INFINITE, most_other = 0, open = 0, index = 0;
        for (I i = 0; i < f->count; i++) FETCH(&table[own[i].hash & (u64)mask]);
        for (I i = 0; i < f->count; i++) {
            const Numbers *n = numbers_of(table, mask, &own[i]);
            u32 proof = n->use == FREE ? 1 : n->use == ON_THE_WAY ? INFINITE : n->proof;
            u32 disproof = n->use == FREE ? 1 : n->use == ON_THE_WAY ? 0 : n->disproof;
            u32 here = chooses ? proof : disproof, other = chooses ? disproof : proof;
            if (other > most_other) most_other = other;
            open += other > 0;
            if (here < lowest)
                second = lowest, lowest = here, index = (u32)i;
            else if (here < second)
                second = here;
        }
        u32 rest = open > 1 ? open - 1 : 0, total = (u32)least(most_other + (I)rest, INFINITE);
        u32 rival = (u32)least(second + 1 + second / SLACK, INFINITE);
        u32 proof = chooses ? lowest : total, disproof = chooses ? total : lowest;
        p->visits++, c->nodes++;
        if (proof >= f->proof || disproof >= f->disproof) {
            note(p, numbers_of(table, mask, &f->self), &f->self, proof, disproof, index, KEPT_HERE);
            p->depth--;
            continue;
        }
        u32 at_proof = chooses ? (u32)least(f->proof, rival) : f->proof - rest;
        u32 at_disproof = chooses ? f->disproof - rest : (u32)least(f->disproof, rival);
        t.w[WORDS - 1] = 0;
        if (!apply(f->s.b, moves_at[f->first + index], t.b, &c->error NO_MEMO BOUND(c))) return MISTAKE;
        I found = go_down(c, p, &t, player, at_proof, at_disproof, table, mask, way, moves_at, replies, room);
        if (found < 0) {
            p->visits--, c->nodes--;
            return found;
        }
    }
    return 0;
}

/* What is known of a position: proof, disproof, best; then that it is unknown, if it is to be forgotten. */
EXPORT I ps_known(Numbers *table, I mask, const u8 *in, I *out, I forget) {
    State s;
    take(&s, in);
    Reply r = reply_of(s.b);
    Numbers *n = numbers_of(table, mask, &r);
    out[0] = n->use == FREE ? 1 : n->proof, out[1] = n->use == FREE ? 1 : n->disproof, out[2] = n->best;
    if (forget && n->use != FREE) n->proof = n->disproof = 1, n->best = 0;
    return 0;
}

/* Puts all that a table holds into a larger one. */
EXPORT I ps_move_numbers(const Numbers *from, I from_mask, Numbers *to, I to_mask) {
    for (I i = 0; i <= from_mask; i++) {
        if (from[i].use == FREE) continue;
        Reply r = {from[i].key, hash_key(&from[i].key)};
        *numbers_of(to, to_mask, &r) = from[i];
    }
    return 0;
}
