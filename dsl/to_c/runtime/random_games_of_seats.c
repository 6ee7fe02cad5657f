/* A game of random moves from `from` on, at most `longest` of them: its result, or NOT_FINISHED. */
#if PAYS
#define NOT_FINISHED (1LL << 62)
#else
enum { NOT_FINISHED = 1 << 30 };
#endif
static I random_game(Control *c, Past h, const State *from, u64 lots, I longest, Move *room, I size, I *plies,
                     Trail *trail) {
    State two[2], *s = &two[0], *t = &two[1];
    *s = *from;
    for (I ply = 0;; ply++) {
        I ending, winner = 0, found = 0;
        Move move = 0;
        if (c->stop) return STOPPED;
        NEW_MEMO(k);
        ending = ends(s->b, h.turns, times_met(&h, s), &winner BOUND(c));
        if (!ending && ply < longest) {
            found = draw_move(s->b, draw(&lots), room, size, &move MEMO(&k) BOUND(c));
            if (found < 0) return found;
            if (!found) {
#if PASSES
                move = (Move)PASS_KIND << KIND_SHIFT;
#else
                ending = stuck(s->b, s->b[0] MEMO(&k) BOUND(c), &winner);
#endif
            }
        }
#if !PASSES
        if (!ending && ply == longest && !any(s->b, s->b[0] MEMO(&k) BOUND(c)))
            ending = stuck(s->b, s->b[0] MEMO(&k) BOUND(c), &winner);
#endif
        *plies = ply;
        if (ending) return winner;
        if (ply == longest) return NOT_FINISHED;
        if (trail) trail->move[trail->count] = move, trail->mover[trail->count++] = s->b[0];
        if (!apply(s->b, move, t->b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        h.length++;
        h.turns += t->b[0] != s->b[0];
        State *before = s;
        s = t, t = before;
    }
}

/* Plays `games` games of random moves, each of at most `longest` moves, and counts: 0 draws, from 1 on those
   that each player alone has won, then those that end otherwise, those that are not finished, all moves, and what each
   player is paid.  `path` has room for the positions of a game, and a
   word for each behind them.  Game i has lots of its own, drawn from seed + i. */
EXPORT I ps_playouts(Control *c, const u8 *in, I games, u64 seed, I longest, State *path, Move *room, I size,
                     I *results) {
    State s;
    const Past none = {.path = path, .hashes = (u64 *)(path + longest + 1)};
    take(&s, in);
    enum { OTHERWISE = SEATS + 1, UNFINISHED, MOVES, PAID };
    I paid[SEATS];
    for (int i = 0; i < PAID + SEATS; i++) results[i] = 0;
    for (I game = 0; game < games; game++) {
        u64 first = seed + (u64)game;
        I plies = 0, winner = random_game(c, none, &s, draw(&first), longest, room, size, &plies, 0);
        if (winner < 0) return winner;
        results[MOVES] += plies;
        c->nodes += plies;
        if (winner == NOT_FINISHED) {
            results[UNFINISHED]++;
            continue;
        }
        pay(winner, paid);
        for (I at = 0; at < SEATS; at++) results[PAID + at] += paid[at];
        results[winner ? sole_winner(paid) : 0]++;
    }
    return games;
}
