/* ----------------------------------------------------------------------------------- proof-number search */

/* As in pysolve/search/proof_number.py, with the same visits. */
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

/* A position on the way down, the least of its images; its replies from `first` on, and the numbers at which the search leaves it. */
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
static I go_down(Control *c, Proving *p, const Renamings *r, const State *s, I player, u32 proof, u32 disproof,
                 Numbers *table, I mask, Stage *way, Move *moves_at, Reply *replies, I room) {
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
        t.w[WORDS - 1] = 0;
        if (!apply(s->b, moves_at[first + i], t.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        canonical(r, &t);
        replies[first + i] = reply_of(t.b);
    }
    if (n->use == FREE) note(p, n, &f->self, 1, 1, 0, KEPT_HERE);
    n->use = ON_THE_WAY;
    p->depth++;
    return 0;
}

/* Goes on until the first position is decided, or `most` visits were made.  low says what is full. */
EXPORT I ps_prove(Control *c, Proving *p, const Renamings *r, const u8 *in, I player, Numbers *table, I mask, Stage *way, I way_room,
                  Move *moves_at, Reply *replies, I room, I most) {
    State t;
    if (!p->depth) {
        take(&t, in);
        canonical(r, &t);
        I found = go_down(c, p, r, &t, player, INFINITE, INFINITE, table, mask, way, moves_at, replies, room);
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
        canonical(r, &t);
        I found = go_down(c, p, r, &t, player, at_proof, at_disproof, table, mask, way, moves_at, replies, room);
        if (found < 0) {
            p->visits--, c->nodes--;
            return found;
        }
    }
    return 0;
}

/* What is known of a position: proof, disproof, best; then that it is unknown, if it is to be forgotten. */
EXPORT I ps_known(const Renamings *r, Numbers *table, I mask, const u8 *in, I *out, I forget) {
    State s;
    take(&s, in);
    canonical(r, &s);
    Reply self = reply_of(s.b);
    Numbers *n = numbers_of(table, mask, &self);
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
