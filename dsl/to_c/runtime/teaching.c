/* ------------------------------------------------------------------------------------------ teaching

   Learning from search: games are played by the strong search with the values as they are, and each position that a
   search has backed up is drawn towards what was found for it; where that is a bound, only if it lies beyond it.  Bad
   moves are searched, too, so values learn what the leaves of searches look like.

   Values that are learned may be refined: positions of such games are labelled by deeper searches, one by one; see
   fitting.c.

   Sources: J. Veness, D. Silver, W. Uther and A. Blair, Bootstrapping from Game Tree Search, NIPS 2009 (TreeStrap);
   J. Duchi, E. Hazan and Y. Singer, Adaptive Subgradient Methods, Journal of Machine Learning Research 12 (2011)
   (AdaGrad). */

/* The games from `begin` to `end`, each by lots of its own, of which each of so many threads plays a share. */
typedef struct {
    I begin, end, thread, threads, seed;
    I opening, longest; /* random moves at first, at most; moves of a game, at most */
    I room;             /* labels of a game, at most */
    I quiet;            /* are those of deep searches for positions alone in which nothing is captured? */
    double explore;     /* how often a random move is played later */
    double share;       /* how many of the positions are labelled by deep searches; 0: all labels are those of the games */
} Course;

/* The memory that it needs: of the search, of the game so far, and for moves. */
typedef struct {
    Strong *search;
    Known *table;
    const Wanted *how;
    Found *found;
    State *path;
    u64 *hashes;
    Move *moves;
    I size; /* moves for which there is room */
} Desk;

static void blank(void *memory, I bytes) {
    u64 *words = (u64 *)memory;
    for (I i = 0; i < bytes / 8; i++) words[i] = 0;
}

/* Searches a position and notes what it finds: the best move, or what went wrong. */
static I searched(Control *c, const Desk *d, Notebook *n, const State *s, UNUSED const Past *h, Move *best) {
    const State *now = s;
#if REPEATS
    now = &h->path[h->length];
#endif
    n->c = *c, n->c.high = n->c.nodes = 0;
    blank(d->table, d->how->entries * (I)sizeof(Known));
    const I found = ps_strong(&n->c, s->b, now->b, d->search, d->table, d->how, d->found);
    if (found == MISTAKE) c->error = n->c.error;
    c->left = n->c.left, c->slice = n->c.slice, c->cut = n->c.cut;
    *best = d->found->line[0];
    return CUT(c) ? STOPPED : found == STOPPED ? 0 : found; /* its own limit is no stop */
}

INLINE int happens(u64 *lots, double chance) { return (double)(I)(draw(lots) >> 40) / (1 << 24) < chance; }

/* Labels a position by a search of its own: itself, or one that a random move or two lead to, as searches meet bad moves,
   too.  `quiet`: there is none where men are to be captured, as beyond the horizon the search looks at captures itself and
   asks for an estimate of what remains.  How many labels that makes, or what went wrong. */
static I label_near(Control *c, u64 *lots, const Desk *deep, const State *s, I turns, I quiet, Label *label) {
    static const u8 strays[] = {0, 0, 1, 2};
    Past h = {.path = deep->path, .hashes = deep->hashes};
    Notebook n = {.labels = 0, .room = 0};
    State now = *s, next;
    Move best;
    I ending = 0, winner = 0;
    for (I left = strays[draw_below(lots, 4)];; left--) {
        NEW_MEMO(k);
        if (ends(now.b, turns, 1, &winner BOUND(c))) return 0;
        BEGIN(c);
        const I count = legal_on(now.b, deep->moves, deep->moves + deep->size, SORTED, &ending, &winner MEMO(&k) BOUND(c));
        if (count < 0) return count;
        if (ending) return 0;
        if (!left) break;
        next.w[WORDS - 1] = 0;
        const Move move = deep->moves[draw_below(lots, (u64)count)];
        if (!apply(now.b, move, next.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        turns += next.b[0] != now.b[0];
        now = next;
    }
    h.path[0] = now;
    const I wrong = searched(c, deep, &n, &now, &h, &best);
    if (wrong) return wrong;
    if (quiet && seldom_captures(deep->search)) {
        NEW_MEMO(k);
        if (takes_men(deep->search, now.b, men_against(now.b, now.b[0]), best MEMO(&k))) return 0;
    }
    label->s = now, label->bound = EXACT;
    label->value = (i32)most(-SURE_LABEL, least(SURE_LABEL, deep->found->value));
    return 1;
}

/* Plays a game by search: how many labels it has noted, or what went wrong.  With a `deep` desk these are of a share of
   its positions.  results: draws, wins of both, unfinished, moves. */
static I teach_a_game(Control *c, u64 lots, const Course *course, const Desk *d, const Desk *deep, Label *labels,
                      I *results) {
    Past h = {.path = d->path, .hashes = d->hashes};
    Notebook n = {.labels = labels, .room = deep ? 0 : course->room};
    State s, t;
    I ply = 0, ending = 0, winner = 0, labelled = 0;
    const I opening = (I)draw_below(&lots, (u64)course->opening + 1);
    blank(d->search, (I)sizeof(Strong));
    if (deep) blank(deep->search, (I)sizeof(Strong));
    s.w[WORDS - 1] = 0;
    if (!setup(s.b, &lots, &c->error BOUND(c))) return MISTAKE;
    for (;; ply++) {
        NEW_MEMO(k);
        if (c->stop) return STOPPED;
        ending = ends(s.b, h.turns, times_met(&h, &s), &winner BOUND(c));
        if (ending || ply == course->longest) break;
        BEGIN(c);
        const I count = legal_on(s.b, d->moves, d->moves + d->size, SORTED, &ending, &winner MEMO(&k) BOUND(c));
        if (count < 0) return count;
        if (ending) break;
        const I strays = happens(&lots, course->explore);
        Move move = d->moves[draw_below(&lots, (u64)count)], best;
        if (ply >= opening && count > 1) {
            const I wrong = searched(c, d, &n, &s, &h, &best);
            if (wrong) return wrong;
            if (!strays) move = best;
        }
        if (deep && labelled < course->room && happens(&lots, course->share)) {
            const I found = label_near(c, &lots, deep, &s, h.turns, course->quiet, labels + labelled);
            if (found < 0) return found;
            labelled += found;
        }
        t.w[WORDS - 1] = 0;
        if (!apply(s.b, move, t.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        h.length++, h.turns += t.b[0] != s.b[0];
        s = t;
    }
    results[ending ? winner : 3]++;
    results[4] += ply;
    return deep ? labelled : n.count;
}

/* Plays the games of a thread by the values at `values` of the control: 0, or what went wrong.  Each game has its own
   room for labels, and `counts` says how many they are.  deep: 0, or what labels positions of the games are found on. */
EXPORT I ps_teach(Control *c, const Course *course, const Desk *d, const Desk *deep, Label *labels, I *counts,
                  I *results) {
    for (I game = course->begin + course->thread; game < course->end; game += course->threads) {
        const I at = game - course->begin;
        u64 lots = (u64)course->seed + (u64)game * ODD;
        lots = draw(&lots); /* far away from those of the game before */
        const I found = teach_a_game(c, lots, course, d, deep, labels + at * course->room, results);
        if (found < 0) return found;
        counts[at] = found;
        c->nodes++;
    }
    return 0;
}

/* ------------------------------------------------------------------------------------------- weights */

INLINE float by_root(float x) { /* one divided by the root, by Newton's method */
    union {
        float number;
        u32 bits;
    } y = {x};
    y.bits = 0x5F3759DF - (y.bits >> 1);
    for (int i = 0; i < 3; i++) y.number *= 1.5f - 0.5f * x * y.number * y.number;
    return y.number;
}

/* Pulls a weight by an error, the less the larger its errors were so far: `size` is the sum of their squares. */
INLINE void pull(float *weight, Errors *e, float error, float rate) {
    e->size += error * error;
    *weight += rate * error * by_root(e->size + 1e-6f);
}

/* Learns from labels, in their order. */
EXPORT void ps_learn_from(UNUSED Control *c, const Pupil *p, Views *v, const Label *labels, I count) {
    float said[LINES + 1];
    v->view[0].known = v->view[1].known = 0;
    for (const Label *one = labels; one < labels + count; one++) {
        BEGIN(c);
        const float now = between(odds_of(p, v, one->s.b, said BOUND(c)));
        const float error = between((float)one->value / VALUE_UNIT) - now;
        if ((one->bound == LOWER && error < 0) || (one->bound == UPPER && error > 0)) continue;
        change_weights(p, v, one->s.b[0] == 2, said, error, pull);
    }
}

/* The weights as the search has them: for each sum of a stage those that begin at its place of `begins`, rounded. */
EXPORT void ps_fold(const Pupil *p, I stages, const i32 *parts, const i32 *begins, I sums, i32 *out) {
    for (I stage = 0; stage < stages; stage++)
        for (I i = 0; i < sums; i++, out++) {
            *out = 0;
            for (i32 k = begins[i]; k < begins[i + 1]; k++) {
                const float weight = VALUE_UNIT * p->weights[stage * p->entries + parts[k]];
                *out += (i32)(weight < 0 ? weight - 0.5f : weight + 0.5f);
            }
        }
}

EXPORT I ps_label_size(void) { return sizeof(Label); }
EXPORT I ps_known_size(void) { return sizeof(Known); }
