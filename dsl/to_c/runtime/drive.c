/* ---------------------------------------------------------------------------------- the drive of a search */

#define HISTORY (ORDERED ? 1LL << MOVE_BITS : 1)
#if PLAYERS == 2
#define WON WIN /* who has this value wins alone */
#define EACH(p) 0
#else
#define WON (UNIT * WIN) /* who has this value wins alone */
#define EACH(p) ((p)->each)
#endif

/* What a search is asked.  Behind it stand the places of the first moves that lead back to what was left before, and
   then those of all first moves in the order in which they are tried. */
typedef struct {
    I depth;           /* moves, or turns, to the horizon; of a drive at most, and 0 says any number */
    I nodes;           /* positions at most; negative: any number */
    I by_turns;        /* is depth one of turns? */
    I each;            /* does each player play for himself?  Not where there are two */
    I player;          /* else against whom all others play, where there are not two; 0: whoever is to move */
    I kinds, captures; /* those kinds of moves that go on beyond the horizon, as bits; does what captures, too? */
    I shared;          /* do other threads use the table, too? */
    I entries, few;    /* positions in the table at most; places in the first table, a power of two */
    I marks;           /* positions of turns that are not finished, for which there is room */
    I backs, orders;   /* how many places follow; no order: moves are tried as they promise */
} Settings;

/* What a search has found. */
typedef struct {
    I depth, by_turns, nodes;
    I value;  /* for the player to move */
    I length; /* of the best line */
#if PLAYERS != 2
    I values[SEATS]; /* of each, where each plays for himself */
#endif
    Move line[LONGEST_LINE];
} Found;

/* The places of the table at first: a small one is quicker, until it is full; threads share the whole. */
static I first_places(const Settings *how) {
    I all = 1;
    while (all < 2 * how->entries) all *= 2;
    return how->shared ? all : least(all, how->few);
}

/* The bytes of the table, of the larger ones that take its place, and of what threads tell each other. */
EXPORT I ps_table_size(const Settings *how) {
    I places = first_places(how), all = places;
    while (places < 2 * how->entries) {
        for (int i = 0; i < 3 && places < 2 * how->entries; i++) places *= 2;
        all += places;
    }
    return all * (I)sizeof(Entry) + (how->shared ? BUSY * (I)sizeof(u64) : 0);
}

/* The bytes of all else that a search keeps. */
EXPORT I ps_search_size(const Settings *how) {
    return (I)sizeof(Search) + how->marks * (I)(sizeof(Mark) + 2 * sizeof(u32)) + HISTORY * (I)sizeof(u64) +
           DEEP * (I)(sizeof(u64) + sizeof(Move));
}

EXPORT I ps_found_size(void) { return sizeof(Found); }

/* A search that knows nothing yet, or nothing any more. */
static void begin(Search *p, Entry *table, const Settings *how) {
    for (I i = 0; p->generation && i < HISTORY; i++) p->history[i] = 0;
    p->generation++, p->count = 0;
    p->table = table, p->mask = first_places(how) - 1;
    for (int i = 0; i < LONGEST_LINE; i++) p->killers[i][0] = p->killers[i][1] = (Move)-1;
}

/* Takes down what is asked, and where the memory of the search lies. */
static void set_up(Search *p, Control *c, const u8 *s, Entry *table, const Settings *how) {
    const I *places = (const I *)(how + 1);
    p->c = c, p->limit = how->entries, p->most_nodes = how->nodes, p->by_turns = how->by_turns;
    p->kinds = how->kinds, p->captures = how->captures;
    p->shared = (u32)how->shared, p->busy = (u64 *)(table + first_places(how));
    p->back = places, p->backs = how->backs, p->tried = how->orders ? places + how->backs : 0;
    p->promises = (u64 *)(p + 1), p->history = p->promises + DEEP;
    p->marks = (Mark *)(p->history + HISTORY), p->mark_slots = (u32 *)(p->marks + how->marks), p->mark_room = how->marks;
    p->first = (Move *)(p->mark_slots + 2 * how->marks), p->end = p->first + DEEP;
    p->player = how->player ? how->player : s[0];
#if PLAYERS != 2
    p->each = how->each;
#endif
    unmark(p, 0); /* of a search that was stopped */
    if (p->generation) return;
    begin(p, table, how);
    p->mark_mask = least(2 * how->marks, FEW_MARKS) - 1;
}

/* Searches to one depth.  If it is stopped, `found` is what the best first move is worth that it has tried, and stays
   as it is if there is none. */
static I search(Search *p, const u8 *s, I depth, I alpha, I beta, Found *found) {
    Control *c = p->c;
#if PLAYERS == 2
    I value = visit(p, s, depth, alpha, beta, 0, 0, p->first);
#else
    I value, values[SEATS] = {0};
    if (p->each) visit_each(p, s, depth, 0, 0, p->first, values), value = values[s[0] - 1];
    else value = visit(p, s, depth, alpha, beta, 0, 0, p->first);
#endif
    I stopped = c->stop == 2 ? MISTAKE : c->stop == 3 ? NO_ROOM : c->stop ? STOPPED : 0;
    if (stopped && !p->length[0]) return stopped;
#if PLAYERS != 2
    for (I one = 0; p->each && one < SEATS; one++) found->values[one] = values[one];
#endif
    found->value = stopped && !EACH(p) ? p->reached : value;
    found->depth = depth, found->by_turns = p->by_turns, found->nodes = c->nodes, found->length = p->length[0];
    for (I i = 0; i < p->length[0]; i++) found->line[i] = p->line[0][i];
    return stopped;
}

/* Searches to a depth within a window of values, once.  STOPPED: `found` is as in `search`. */
EXPORT I ps_search(Control *c, const u8 *in, Search *p, Entry *table, const Settings *how, I alpha, I beta,
                   Found *found) {
    State s;
    take(&s, in);
    set_up(p, c, s.b, table, how);
    found->length = 0;
    return search(p, s.b, how->depth, alpha, beta, found);
}

/* Searches one depth, first in a window around the last value, then, if the value lies outside, without one. */
static I deepen(Search *p, const u8 *s, I depth, I before, Found *found) {
    I margin = WINDOW + absolute(before) / 8, low = before - margin, high = before + margin;
    found->length = 0;
    if (depth > 1 && !EACH(p)) {
        I stopped = search(p, s, depth, low, high, found);
        if (stopped || (low < found->value && found->value < high)) return stopped;
        if (found->value <= low) found->length = 0;
    }
    return search(p, s, depth, NOTHING, -NOTHING, found);
}

/* Can a deeper search change nothing: does the player who is asked win alone, or lose for sure?  `value` is that of the
   side to move. */
static int decides(UNUSED I asked, UNUSED const u8 *s, I value) {
#if PLAYERS == 2
    return absolute(value) >= WIN;
#else
    if (s[0] != asked) value = -value;
    return value >= WON || value <= -most(1, UNIT / most(1, SEATS - 1)) * WIN;
#endif
}

/* Takes the best move of a depth that was not finished, if it is a better one.  If moves have an order the best so far
   is not tried first, and only a win counts. */
static void improve(const Search *p, Found *found, const Found *later) {
    int wins = later->value >= WON;
    I depth = wins && !EACH(p) ? later->depth : found->depth;
    if (!later->length || (EACH(p) ? found->depth > 0 : later->value <= BACK)) return;
    if (!EACH(p) && !wins && (later->line[0] == found->line[0] || (p->tried && found->depth))) return;
    *found = *later;
    found->depth = depth;
}

/* Searches deeper and deeper, to a depth or until it is stopped. */
static I deeper(Search *p, const u8 *s, I deepest, int ends, Found *found) {
    Control *c = p->c;
    for (I depth = 1; depth <= deepest; depth++) {
        Found *next = found + c->high + 1;
        I stopped = deepen(p, s, depth, found->value, next);
        if (stopped) {
            improve(p, found, next);
            return stopped;
        }
        *found = *next;
        PUBLISH(c->high, c->high + 1);
        if (ends || decides(p->player, s, found->value)) break;
    }
    return 0;
}

/* The best line of a position: the search of `minimax` and of `maxn`, deeper and deeper until a limit is reached or
   the host stops it.  found[0]: the result so far; behind it stands that of each finished depth, `high` of them.  There
   is room for all depths and one more.  If the first turn takes all positions, its moves are counted instead, with as
   many again. */
EXPORT I ps_drive(Control *c, const u8 *in, Search *p, Entry *table, const Settings *how, Found *found) {
    State s;
    I ending, result = 0;
    take(&s, in);
    set_up(p, c, s.b, table, how);
    NEW_MEMO(k);
    I count = legal(s.b, p->first, p->end, SORTED, &ending, &result MEMO(&k) BOUND(c));
    if (count < 0) return count;
    *found = (Found){.by_turns = how->by_turns, .nodes = 1};
    if (ending) {
        found->value = value_of_end(p->player, s.b, result, 0);
#if PLAYERS != 2
        if (how->each) pay_each(result, 0, found->values);
#endif
        return 0;
    }
    found->line[0] = p->first[0], found->length = 1;
#if PLAYERS != 2
    if (how->each) {
        estimates(s.b, found->values MEMO(&k) BOUND(c));
        found->value = found->values[s.b[0] - 1];
    }
#endif
    I stopped = deeper(p, s.b, how->depth ? least(how->depth, DEEPEST) : DEEPEST, count == 1 && !how->depth, found);
    if (!found->depth && how->by_turns && !EACH(p) && c->nodes == how->nodes) {
        begin(p, table, how);
        c->stop = p->by_turns = found->by_turns = 0;
        p->most_nodes += how->nodes;
        stopped = deeper(p, s.b, DEEPEST, count == 1, found);
    }
    found->nodes = c->nodes;
    return stopped;
}
