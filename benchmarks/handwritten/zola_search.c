/* The search of all Zola programs, which include it: negamax alpha-beta with iterative deepening, a transposition
   table, killers and history.  Key and evaluation are kept up to date from move to move.

   Used: Board, Move, FROM, TO, PASS, CAPTURE, MOST, SIDE, SQUARES, distance, finished, mover, owner, generate, make.

   A won game counts WIN and what is left of the depth, so sooner is better; an entry of the table is trusted at its own
   depth only.  So the value is that of plain minimax to this depth, the same as from pysolve.search.minimax. */

enum { WIN = 1000000, DEEPEST = 128, GREATEST = 2000 /* no move gains or loses more */ };
enum { UNKNOWN, EXACT, LOWER, UPPER };

typedef struct {
    u64 key;
    int value;
    Move best;
    u8 depth, bound;
} Entry; /* 16 bytes */

typedef struct {
    Entry *table;
    u64 mask;
    long long nodes, limit;
    int stopped;
    Move best; /* at the root */
    Move killers[DEEPEST + 1][2];
    u32 history[3][1 << 14];
} Search;

static u64 keys[3][SQUARES], key_of_turn;
static int range[SQUARES]; /* from the centre in hundredths, on a board nine units wide */

static void prepare_search(void) {
    u64 lots = 1;
    key_of_turn = draw(&lots);
    for (int s = 0; s < SQUARES; s++) {
        keys[RED][s] = draw(&lots);
        keys[BLUE][s] = draw(&lots);
        int square = 4 * (distance(s) * 450 * 450 / (SIDE * SIDE)), root = 0;
        while ((root + 1) * (root + 1) <= square) root++;
        range[s] = (root + 1) / 2;
    }
}

/* What a move adds to the mover's estimate. */
static inline int gain(Move move) {
    if (move == PASS) return 0;
    return (move & CAPTURE ? 2 : 1) * range[TO(move)] - range[FROM(move)];
}

/* What is still best of the moves from `at` on, brought to its place. */
static inline Move pick(Move *moves, u32 *scores, int at, int count) {
    int best = at;
    for (int i = at + 1; i < count; i++)
        if (scores[i] > scores[best]) best = i;
    Move move = moves[best];
    u32 score = scores[best];
    moves[best] = moves[at], scores[best] = scores[at];
    moves[at] = move, scores[at] = score;
    return move;
}

/* `estimate` is the spread of the mover's checkers less that of the others. */
static int visit(Search *p, const Board *b, int depth, int alpha, int beta, int ply, u64 key, int estimate) {
    if (p->nodes == p->limit) {
        p->stopped = 1;
        return 0;
    }
    p->nodes++;
    if (finished(b)) return -(WIN + depth);
    if (depth == 0) return estimate;

    Entry *e = &p->table[key & p->mask];
    Move known = PASS;
    if (e->key == key && e->bound != UNKNOWN) {
        known = e->best;
        if (e->depth == depth && ply > 0 &&
            (e->bound == EXACT || (e->bound == LOWER && e->value >= beta) || (e->bound == UPPER && e->value <= alpha)))
            return e->value;
    }

    Move moves[MOST];
    u32 scores[MOST], *history = p->history[mover(b)];
    int count = generate(b, moves), me = mover(b);
    if (count == 0) moves[count++] = PASS;
    for (int i = 0; i < count; i++) {
        Move move = moves[i];
        scores[i] = move == known                ? ~0U
                    : move == p->killers[ply][0] ? ~0U - 1
                    : move == p->killers[ply][1] ? ~0U - 2
                                                 : history[move] + (u32)(GREATEST + gain(move));
    }

    int value = -4 * WIN, floor = alpha;
    Move best = PASS;
    for (int i = 0; i < count; i++) {
        Move move = depth > 1 || i == 0 ? pick(moves, scores, i, count) : moves[i];
        Board next = *b;
        u64 then = key ^ key_of_turn;
        if (move != PASS) then ^= keys[me][FROM(move)] ^ keys[me][TO(move)];
        if (move & CAPTURE) then ^= keys[3 - me][TO(move)];
        make(&next, move);
        int score = -visit(p, &next, depth - 1, -beta, -floor, ply + 1, then, -(estimate + gain(move)));
        if (p->stopped) return 0;
        if (score <= value) continue;
        value = score;
        best = move;
        if (score <= floor) continue;
        floor = score;
        if (score >= beta) {
            if (p->killers[ply][0] != move) p->killers[ply][1] = p->killers[ply][0], p->killers[ply][0] = move;
            history[move] += (u32)(depth * depth);
            break;
        }
    }
    if (ply == 0) p->best = best;
    *e = (Entry){key, value, best, (u8)depth, value >= beta ? LOWER : value <= alpha ? UPPER : EXACT};
    return value;
}

EXPORT long long search_size(void) { return sizeof(Search); }

/* Searches to `depth`, or to `limit` positions.  `table` holds `entries`, a power of two; it and `p` begin as zeros.
   results: the value at the last depth that was finished, this depth, positions in all, the best move. */
EXPORT void search(Search *p, const Board *b, int depth, long long limit, Entry *table, u64 entries,
                   long long *results) {
    u64 key = mover(b) == BLUE ? key_of_turn : 0;
    int estimate = 0;
    for (int s = 0; s < SQUARES; s++) {
        if (!owner(b, s)) continue;
        key ^= keys[owner(b, s)][s];
        estimate += owner(b, s) == mover(b) ? range[s] : -range[s];
    }
    p->table = table, p->mask = entries - 1, p->limit = limit;
    for (int d = 1; d <= depth; d++) {
        int value = visit(p, b, d, -4 * WIN, 4 * WIN, 0, key, estimate);
        if (p->stopped) break;
        results[0] = value, results[1] = d, results[3] = p->best;
        if (value >= WIN || value <= -WIN) break;
    }
    results[2] = p->nodes;
}
