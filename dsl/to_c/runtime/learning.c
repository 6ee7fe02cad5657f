/* ------------------------------------------------------------------------------------------- learning

   A program of its own: games of learned values against themselves, and what is learned from them.

   Each move goes to the position that is worth most, or, now and then, to any other.  After a game the weights of each
   of its positions, the last one first, are changed towards what was found out later: TD(lambda) on the positions after
   moves.  Each weight has a rate of its own, which falls as its errors cancel each other out (temporal coherence).
   Numbers are floats here; they are rounded before anything is judged by them.

   Sources: R. S. Sutton, Learning to Predict by the Methods of Temporal Differences, Machine Learning 3 (1988);
   D. F. Beal and M. C. Smith, Temporal Coherence and Prediction Decay in TD Learning, IJCAI 1999; M. Thill, S. Bagheri,
   P. Koch and W. Konen, Temporal Difference Learning with Eligibility Traces for the Game Connect Four, CIG 2014. */

enum { LINE_SHARE = 16 }; /* what all lines learn of an error, as a part of what all groups learn */

/* What is known of a weight: the sum of its errors, and that of their sizes.  Apart, so that weights lie close together. */
typedef struct {
    float error, size;
} Errors;

/* Where a group stands: its weights begin at `base`, a byte adds what its code says. */
typedef struct {
    i32 base, byte[WIDEST], code[WIDEST]; /* code: where its 256 numbers begin, already multiplied */
} Place;

/* A place that looks at a byte, and its code for it. */
typedef struct {
    i32 place, code;
} Near;

typedef struct {
    const Place *places[2]; /* for who is to move */
    I counts[2], entries;
    const i32 *codes, *stages, *filled;
    I parts;
    const Near *near[2];
    const i32 *begins[2]; /* those near a byte are from begins[byte] to begins[byte + 1] */
    float *weights, *lines; /* stage by stage */
    Errors *errors, *line_errors; /* of each of these */
    const float *units;      /* of the lines: what they usually say */
    double explore, lambda, rate;
    I longest;
} Pupil;

static float between(float x) { /* tanh, between -1 and 1 */
    if (x > 4.9f) return 0.9999f;
    if (x < -4.9f) return -0.9999f;
    float y = x * x;
    return x * (135135 + y * (17325 + y * (378 + y))) / (135135 + y * (62370 + y * (3150 + y * 28)));
}

INLINE I stage_in(const Pupil *p, const u8 *s) {
    int filled = 0;
    for (I part = 0; part < p->parts; part++)
        for (int i = p->filled[2 * part]; i < p->filled[2 * part + 1]; i++) filled += s[i] != 0;
    return p->stages[filled];
}

/* The number of the weight that a place selects in a position. */
INLINE i32 selected(const Pupil *p, const Place *place, const u8 *s) {
    i32 at = place->base;
    for (int part = 0; part < WIDEST; part++) at += p->codes[place->code[part] + s[place->byte[part]]];
    return at;
}

#if LINES
/* What the lines say to a player, in their units. */
static void said_to(const Pupil *p, const u8 *s, int second, float *out BOUND(Control *c)) {
    I said[LINES];
    NEW_MEMO(k);
    lines(s, said MEMO(&k) BOUND(c));
    for (int i = 0; i < LINES; i++) {
        float one = (float)least(most(said[i], -MOST_LINE), MOST_LINE) / p->units[i];
        out[i] = second ? -one : one;
    }
}
#endif

/* What a position selects where this player is to move.  The next one that is looked at differs in a few bytes. */
typedef struct {
    I known, stage; /* known: have the places been looked at in this game? */
    float sum;
    State s;
    i32 at[MOST_PLACES];
} View;

/* The views of both players to move.  For a move, which has the number `now`: which places it has `met`, and what these
   then select. */
typedef struct {
    View view[2];
    I ready[2]; /* is it that of the position whose moves are looked at, with its sum? */
    u32 now, met[MOST_PLACES];
    i32 places[MOST_PLACES], after[MOST_PLACES];
} Views;

/* Looks at a position as if this player were to move; the sum is left to `sum_of`. */
static View *look_at(const Pupil *p, Views *v, const u8 *s, int second) {
    View *view = &v->view[second];
    if (!view->known) {
        for (I i = 0; i < p->counts[second]; i++) view->at[i] = selected(p, p->places[second] + i, s);
    } else {
        for (int byte = 1; byte < SIZE; byte++) {
            const int was = view->s.b[byte], is = s[byte];
            if (was == is) continue;
            const Near *one = p->near[second] + p->begins[second][byte];
            const Near *end = p->near[second] + p->begins[second][byte + 1];
            for (; one < end; one++) view->at[one->place] += p->codes[one->code + is] - p->codes[one->code + was];
        }
    }
    view->known = 1, view->stage = stage_in(p, s);
    copy_state(view->s.b, s);
    return view;
}

/* The sum of the weights that a view selects. */
static float sum_of(const Pupil *p, const View *view, int second) {
    const float *weights = p->weights + view->stage * p->entries;
    const I count = p->counts[second];
    float found[4] = {0, 0, 0, 0}; /* none of which waits for another one */
    I i = 0;
    for (; i + 4 <= count; i += 4)
        for (int k = 0; k < 4; k++) found[k] += weights[view->at[i + k]];
    for (; i < count; i++) found[0] += weights[view->at[i]];
    return found[0] + found[1] + (found[2] + found[3]);
}

/* Changes a weight by its share of an error, as fast as its errors have agreed so far. */
INLINE void correct_weight(float *weight, Errors *e, float error, float rate) {
    float agreed = e->size > 0 ? (e->error < 0 ? -e->error : e->error) / e->size : 1;
    *weight += agreed * rate * error;
    e->error += error;
    e->size += error < 0 ? -error : error;
}

/* The logarithm of the odds, halved, of the player to move; what is known of it may be learned from next. */
static float odds_of(const Pupil *p, Views *v, const u8 *s, float *said BOUND(Control *c)) {
    const int second = s[0] == 2;
    const View *view = look_at(p, v, s, second);
    float found = sum_of(p, view, second);
#if LINES
    said_to(p, s, second, said BOUND(c));
    for (int i = 0; i < LINES; i++) found += p->lines[view->stage * LINES + i] * said[i];
#else
    (void)said;
#endif
    return found;
}

typedef void Change(float *weight, Errors *e, float error, float rate);

/* Changes the weights of a position, whose odds have just been asked for, by an error. */
INLINE void change_weights(const Pupil *p, const Views *v, int second, UNUSED const float *said, float error,
                           Change *change) {
    const View *view = &v->view[second];
    const float rate = (float)p->rate / (float)most(1, p->counts[second]);
    float *weights = p->weights + view->stage * p->entries;
    Errors *errors = p->errors + view->stage * p->entries;
    for (I i = 0; i < p->counts[second]; i++) change(weights + view->at[i], errors + view->at[i], error, rate);
#if LINES
    for (I i = 0, at = view->stage * LINES; i < LINES; i++, at++)
        change(p->lines + at, p->line_errors + at, error * said[i], (float)p->rate / (LINE_SHARE * LINES));
#endif
}

/* The sum of a position after a move from another one: of the places that look at what has changed. */
static float sum_after(const Pupil *p, Views *v, const u8 *s, const u8 *t BOUND(Control *c)) {
    const int second = t[0] == 2;
    const I stage = stage_in(p, t);
    View *view = &v->view[second];
    const float *weights = p->weights + stage * p->entries;
    float found = 0;
    if (!v->ready[second]) {
        look_at(p, v, s, second);
        view->sum = sum_of(p, view, second);
        v->ready[second] = 1;
    }
    if (stage == view->stage) {
        I count = 0;
        found = view->sum;
        if (!++v->now) {
            for (I i = 0; i < MOST_PLACES; i++) v->met[i] = 0;
            v->now = 1;
        }
        for (int byte = 1; byte < SIZE; byte++) {
            if (s[byte] == t[byte]) continue;
            const Near *one = p->near[second] + p->begins[second][byte];
            const Near *end = p->near[second] + p->begins[second][byte + 1];
            for (; one < end; one++) {
                const i32 *code = p->codes + one->code, place = one->place;
                if (v->met[place] != v->now) {
                    v->met[place] = v->now;
                    v->places[count++] = place;
                    v->after[place] = view->at[place];
                }
                v->after[place] += code[t[byte]] - code[s[byte]];
            }
        }
        for (I i = 0; i < count; i++) found += weights[v->after[v->places[i]]] - weights[view->at[v->places[i]]];
    } else {
        for (I i = 0; i < p->counts[second]; i++) found += weights[selected(p, p->places[second] + i, t)];
    }
#if LINES
    float said[LINES];
    said_to(p, t, second, said BOUND(c));
    for (int i = 0; i < LINES; i++) found += p->lines[stage * LINES + i] * said[i];
#endif
    return found;
}

/* The value of a position `t`, after a move from `s`, for the player to move, from -1 to 1; `over`: its game has ended. */
static float worth_of_position(UNUSED Control *c, const Pupil *p, Views *v, const u8 *s, const u8 *t, I turns, I *over) {
    I winner = 0;
    *over = ends(t, turns, 1, &winner BOUND(c));
#if !PASSES
    if (!*over) {
        NEW_MEMO(k);
        BEGIN(c);
        if (!any(t, t[0] MEMO(&k) BOUND(c))) *over = stuck(t, t[0] MEMO(&k) BOUND(c), &winner);
    }
#endif
    if (*over) return winner == 0 ? 0 : winner == t[0] ? 1 : -1;
    return between(sum_after(p, v, s, t BOUND(c)));
}

/* What a game leaves to learn from: each position, the value of the best move there, and was another one played? */
typedef struct {
    State s;
    float best;
    I strayed;
} Step;

/* Plays a game and learns from it: its length, or what went wrong.  A game that is stopped leaves nothing. */
static I play_and_learn(Control *c, Pupil *p, u64 *lots, Views *v, Step *steps, Past h, Move *room, I size,
                        I *result) {
    float said[LINES + 1];
    State t;
    I ply = 0, ending = 0, winner = 0;
    v->view[0].known = v->view[1].known = 0;
    steps[0].s.w[WORDS - 1] = 0;
    if (!setup(steps[0].s.b, lots, &c->error BOUND(c))) return MISTAKE;
    for (;; ply++) {
        const State *s = &steps[ply].s;
        NEW_MEMO(k);
        if (c->stop) return STOPPED;
        ending = ends(s->b, h.turns, times_met(&h, s), &winner BOUND(c));
        if (ending || ply == p->longest) break;
        BEGIN(c);
        Move *last = moves(s->b, s->b[0] MEMO(&k) BOUND(c), room, room + size, SORTED);
        if (CUT(c)) return STOPPED;
        if (last == room + size) return NO_ROOM;
#if PASSES
        if (last == room) *last++ = (Move)PASS_KIND << KIND_SHIFT;
#else
        if (last == room) {
            ending = stuck(s->b, s->b[0] MEMO(&k) BOUND(c), &winner);
            break;
        }
#endif
        I pick = 0, equal = 0, count = last - room, over;
        float best = -2;
        v->ready[0] = v->ready[1] = 0;
        for (I i = 0; i < count; i++) {
            t.w[WORDS - 1] = 0;
            if (!apply(s->b, room[i], t.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
            const I passed = t.b[0] != s->b[0];
            float worth = worth_of_position(c, p, v, s->b, t.b, h.turns + passed, &over);
            if (CUT(c)) return STOPPED;
            if (passed) worth = -worth;
            if (worth > best) best = worth, pick = i, equal = 1;
            else if (worth == best && draw_below(lots, (u64)++equal) == 0) pick = i;
        }
        I other = pick;
        if ((double)(I)(draw(lots) >> 40) / (1 << 24) < p->explore) other = (I)draw_below(lots, (u64)count);
        steps[ply].best = best, steps[ply].strayed = other != pick;
        t.w[WORDS - 1] = 0;
        if (!apply(s->b, room[other], t.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        steps[ply + 1].s = t;
        h.length++;
        h.turns += t.b[0] != s->b[0];
    }
    *result = ending ? winner : 3;
    float later = 0;
    for (I at = ply; at >= 0; at--) {
        const u8 *s = steps[at].s.b;
        if (at == ply && ending) {
            later = winner == 0 ? 0 : winner == s[0] ? 1 : -1;
            continue;
        }
        const float now = between(odds_of(p, v, s, said BOUND(c)));
        if (at == ply) {
            later = now;
            continue;
        }
        if (steps[at + 1].s.b[0] != s[0]) later = -later;
        if (steps[at].strayed || steps[at].best >= 1) later = steps[at].best;
        else later = (float)(1 - p->lambda) * steps[at].best + (float)p->lambda * later;
        change_weights(p, v, s[0] == 2, said, later - now, correct_weight);
    }
    return ply;
}

/* Plays games and learns from each: how many, or what went wrong.  results: draws, wins of both, unfinished, moves.  The
   arrays have room for the positions of a game, and one more. */
EXPORT I ps_learn(Control *c, Pupil *p, I games, u64 *lots, Views *v, Step *steps, State *path, u64 *hashes, Move *room,
                  I size, I *results) {
    for (I game = 0; game < games; game++) {
        Past h = {.path = path, .hashes = hashes};
        const u64 before = *lots;
        I result = 0, length = play_and_learn(c, p, lots, v, steps, h, room, size, &result);
        if (length < 0) {
            *lots = before; /* a game that is stopped draws nothing */
            return length;
        }
        results[result]++;
        results[4] += length;
        c->nodes++;
    }
    return games;
}

EXPORT I ps_step_size(void) { return sizeof(Step); }
EXPORT I ps_views_size(void) { return sizeof(Views); }

/* What the lines say for the first player in some positions. */
EXPORT void ps_lines(UNUSED Control *c, UNUSED const u8 *in, UNUSED I count, UNUSED I *out) {
#if LINES
    for (I i = 0; i < count; i++) {
        State s;
        take(&s, in + i * SIZE);
        NEW_MEMO(k);
        BEGIN(c);
        lines(s.b, out + i * LINES MEMO(&k) BOUND(c));
    }
#endif
}
