/* --------------------------------------------------------------------------------------------- search */

#define ORDERED (MOVE_BITS <= HISTORY_BITS) /* is there a table of which moves were good? */
#define LONGEST_LINE (DEEPEST + BEYOND + 1)

typedef struct {
    Key key;
    i32 value;
    u32 generation, best;
    u8 depth, bound;
    u16 check;
#if PLAYERS != 2
    i32 values[SEATS]; /* where each plays for himself */
#endif
} Entry;

/* A position that was visited within a turn; turns have numbers. */
typedef struct {
    Key key;
    u32 turn, slot;
} Mark;

/* What a search keeps; it begins as zeros. */
typedef struct {
    Control *c;
    Mark *marks;    /* of all turns that are not finished, one behind the other */
    u32 *mark_slots; /* where they are: twice as many, each 0 or the number of a mark from 1, tagged */
    I marked, mark_mask, mark_room, by_turns, kinds, captures;
    const I *back; /* the places of the first moves that lead back to what was left before, and how many they are */
    I backs;
    const I *tried; /* the places of all first moves in the order in which they are tried; 0: as they promise */
    u32 turn; /* the number of the last one that was begun */
    Entry *table;
    I mask, limit, count, most_nodes;
    u32 generation, shared; /* shared: other threads use the table, too */
    volatile u64 *busy; /* which moves threads are searching */
    u64 *history, *promises; /* one promise for each move that there is room for */
    Move *first, *end;
    Move killers[LONGEST_LINE][2];
    Move line[LONGEST_LINE][LONGEST_LINE];
    I length[LONGEST_LINE + 1];
    I reached; /* the value of the best first move so far */
    I player; /* whose values are sought: all others are one opponent */
#if PLAYERS != 2
    I each; /* or does each play for himself? */
#endif
} Search;

/* The entry of a position, or the free one where it belongs. */
static Entry *entry_of(Search *p, const Key *k) {
    I at = (I)(hash_key(k) & (u64)p->mask);
    while (p->table[at].generation == p->generation && !same_key(&p->table[at].key, k)) at = (at + 1) & p->mask;
    return &p->table[at];
}

/* Sixteen bits of all the rest: in a shared table an entry that two threads have written at once does not fit. */
static u16 check_of(const Entry *e) {
    u64 h = hash_key(&e->key) ^ ((u64)(u32)e->value << 32 | e->generation) * 0x9E3779B97F4A7C15ULL;
    h ^= ((u64)e->best << 16 | (u64)e->depth << 8 | e->bound) * 0xBF58476D1CE4E5B9ULL;
    return (u16)(h ^ h >> 16 ^ h >> 32 ^ h >> 48);
}

/* Is anything known of a position?  `place` is where it belongs, `seen` what is there. */
static int look_up(Search *p, const Key *k, Entry **place, Entry *seen) {
    if (!p->shared) {
        *place = entry_of(p, k);
        *seen = **place;
        return seen->generation == p->generation;
    }
    Entry *four = &p->table[hash_key(k) & (u64)p->mask & ~3ULL];
    *place = four; /* else the one that is searched least gives way */
    for (int i = 0; i < 4; i++) {
        *seen = four[i];
        if (same_key(&seen->key, k) && seen->generation == p->generation && seen->check == check_of(seen)) {
            *place = &four[i];
            return 1;
        }
        if (four[i].depth < (*place)->depth) *place = &four[i];
    }
    return 0;
}

/* Goes on with the next table, which stands behind this one and is eight times as large, or as large as it must be. */
static void enlarge(Search *p) {
    const Entry *small = p->table;
    I entries = p->mask + 1;
    p->table += entries;
    for (int i = 0; i < 3 && p->mask < 2 * p->limit - 1; i++) p->mask = 2 * p->mask + 1;
    for (I i = 0; i < entries; i++)
        if (small[i].generation == p->generation) *entry_of(p, &small[i].key) = small[i];
}

/* Notes what was found out; `place` is where the position belonged when it was looked up.  A table of one thread is
   emptied when it is full; in a shared one an entry gives way to another. */
static void keep(Search *p, Entry *place, const Key *k, I depth, I bound, I value, I best) {
#if PLAYERS != 2
    Entry e = {*k, (i32)value, p->generation, (u32)best, (u8)depth, (u8)bound, 0, {0}};
#else
    Entry e = {*k, (i32)value, p->generation, (u32)best, (u8)depth, (u8)bound, 0};
#endif
    if (p->shared) {
        e.check = check_of(&e);
        *place = e;
        return;
    }
    if (place < p->table || (place->generation == p->generation && !same_key(&place->key, k))) place = entry_of(p, k);
    if (place->generation != p->generation) {
        if (p->count == p->limit) {
            e.generation = ++p->generation;
            p->count = 0;
            place = entry_of(p, k);
        } else if (2 * p->count > p->mask) {
            enlarge(p);
            place = entry_of(p, k);
        }
        p->count++;
    }
    *place = e;
}

/* There are two sides: the player who is asked, and all others as one opponent of his.  Of two players each is a side,
   whoever is asked. */
#if PLAYERS == 2
static int same_side(UNUSED I asked, const u8 *s, const u8 *t) { return s[0] == t[0]; }

/* What an estimate says to the side to move. */
static I value_for_side(const Control *c, UNUSED I asked, const u8 *s MEMO(Memo *k)) {
    I value = value_of(c, s MEMO(k));
    return s[0] == 1 ? value : -value;
}

/* The value of a finished game for the side to move, `depth` moves before the horizon: a good end is better sooner. */
static I value_of_end(UNUSED I asked, const u8 *s, I winner, I depth) {
    return winner == 0 ? 0 : winner == s[0] ? WIN + depth : -(WIN + depth);
}

/* How many men on the board are not those of a player. */
static I men_against(const u8 *s, I player) {
    static const int men[][2] = {MEN{0, 0}}; /* from byte to byte */
    int found = 0;
    for (const int *part = men[0]; part[1]; part += 2)
        for (int i = part[0]; i < part[1]; i += 64)
            found += (int)count_bits(bits_of(s + i, least(64, part[1] - i), 3 - player));
    return found;
}
#else
static int same_side(I asked, const u8 *s, const u8 *t) { return (s[0] == asked) == (t[0] == asked); }

static I value_for_side(UNUSED const Control *c, I asked, const u8 *s MEMO(Memo *k)) {
    I all[SEATS];
    estimates(s, all MEMO(k) BOUND((Control *)c));
    return s[0] == asked ? all[asked - 1] : -all[asked - 1];
}

/* The value of an end that pays a player so much. */
static I value_of_payoff(I paid, I depth) { return paid * WIN + (paid > 0 ? depth : paid < 0 ? -depth : 0); }

static I value_of_end(I asked, const u8 *s, I result, I depth) {
    I paid[SEATS];
    pay(result, paid);
    return value_of_payoff(s[0] == asked ? paid[asked - 1] : -paid[asked - 1], depth);
}

static I men_against(const u8 *s, I player) {
    static const int men[][2] = {MEN{0, 0}};
    int found = 0;
    for (const int *part = men[0]; part[1]; part += 2)
        for (int i = part[0]; i < part[1]; i++) found += is_of_others(s[i], player);
    return found;
}
#endif

/* Beside the number of a mark, which has 21 bits at most, stand bits of its hash: they tell most marks apart before one
   looks at them. */
#define TAG_SHIFT 21
#define FEW_MARKS 1024

static u32 tag_of(u64 hash) { return (u32)(hash >> 43) << TAG_SHIFT; }
static u64 mark_hash(const Key *k, u32 turn) { return hash_key(k) ^ turn * 0x9E3779B97F4A7C15ULL; }

/* Where the mark of a position in a turn is, or belongs. */
static I mark_of(const Search *p, const Key *k, u32 turn, u64 hash) {
    I at = (I)(hash & (u64)p->mark_mask);
    for (; p->mark_slots[at]; at = (at + 1) & p->mark_mask) {
        if ((p->mark_slots[at] ^ tag_of(hash)) >> TAG_SHIFT) continue;
        const Mark *mark = &p->marks[(p->mark_slots[at] & ((1U << TAG_SHIFT) - 1)) - 1];
        if (mark->turn == turn && same_key(&mark->key, k)) break;
    }
    return at;
}

/* Few marks lie close together, where they are found sooner; with more of them there are more slots. */
static void spread_marks(Search *p) {
    for (I i = 0; i < p->marked; i++) p->mark_slots[p->marks[i].slot] = 0;
    p->mark_mask = 2 * p->mark_mask + 1;
    for (I i = 0; i < p->marked; i++) {
        Mark *mark = &p->marks[i];
        u64 hash = mark_hash(&mark->key, mark->turn);
        mark->slot = (u32)mark_of(p, &mark->key, mark->turn, hash);
        p->mark_slots[mark->slot] = tag_of(hash) | (u32)(i + 1);
    }
}

/* Notes that a position of a turn is visited, if there is room; 0 if it was before. */
static int mark(Search *p, const u8 *s, u32 turn, I ply) {
    Key key;
    pack(s, key.w);
    u64 hash = mark_hash(&key, turn);
    I at = mark_of(p, &key, turn, hash);
    if (p->mark_slots[at]) return 0;
    if (p->marked < p->mark_room && ply < DEEPEST) {
        p->marks[p->marked++] = (Mark){key, turn, (u32)at};
        p->mark_slots[at] = tag_of(hash) | (u32)p->marked;
        if (2 * p->marked > p->mark_mask && p->mark_mask < 2 * p->mark_room - 1) spread_marks(p);
    }
    return 1;
}

/* Forgets the last marks. */
static void unmark(Search *p, I left) {
    while (p->marked > left) p->mark_slots[p->marks[--p->marked].slot] = 0;
}

/* Does the first move of this number lead back to a position that was left before? */
static int leads_back(const Search *p, I index) {
    for (I i = 0; i < p->backs; i++)
        if (p->back[i] == index) return 1;
    return 0;
}

static I visit(Search *p, const u8 *s, I depth, I alpha, I beta, I ply, u32 turn, Move *at);

/* The value of the position after a move; NOTHING if it was visited in this turn. */
static I visit_child(Search *p, const u8 *s, Move move, I depth, I alpha, I beta, I ply, u32 turn,
                     Move *at MEMO(Memo *k)) {
    State t;
    if (!apply(s, move, t.b, &p->c->error MEMO(k) BOUND(p->c))) {
        p->c->stop = 2;
        return 0;
    }
    if (p->by_turns && !mark(p, t.b, turn, ply + 1)) return NOTHING;
    if (!same_side(p->player, s, t.b)) return -visit(p, t.b, depth - 1, -beta, -alpha, ply + 1, 0, at);
    if (t.b[0] != s[0]) return visit(p, t.b, depth - 1, alpha, beta, ply + 1, 0, at);
    return visit(p, t.b, depth - !p->by_turns, alpha, beta, ply + 1, turn, at);
}

/* Where a move that is good comes: by the table, then what cut off elsewhere at this ply, then what did so anywhere. */
static u64 promise(Search *p, Move move, I index, I best, I ply) {
    if (index == best) return 3ULL << 61;
    if (move == p->killers[ply][0]) return 2ULL << 61;
    if (move == p->killers[ply][1]) return 1ULL << 61;
#if ORDERED
    return p->history[move];
#else
    return 0;
#endif
}

static void cuts_off(Search *p, Move move, I depth, I ply) {
    if (p->killers[ply][0] != move) {
        p->killers[ply][1] = p->killers[ply][0];
        p->killers[ply][0] = move;
    }
#if ORDERED
    p->history[move] += (u64)(depth * depth);
#else
    (void)depth;
#endif
}

/* The moves of a position in the order in which they are tried: it is made as far as it is asked for. */
typedef struct {
    Move *order;   /* numbers of moves */
    u64 *promises;
    I count, plain; /* plain: all that are left promise nothing */
} Order;

/* The order of `count` moves from `at` on, written behind them; 0 if there is no room. */
static int make_order(Search *p, Order *o, Move *at, I count, I best, I ply) {
    o->order = at + count, o->count = count, o->plain = 0, o->promises = p->promises + (at - p->first);
    if (o->order + count > p->end) {
        p->c->stop = 3;
        return 0;
    }
    for (I i = 0; i < count; i++) {
        o->order[i] = (Move)i;
        o->promises[i] = promise(p, at[i], i, best, ply);
    }
    return 1;
}

/* The number of the move that is tried i-th: the most promising one that is left, of equal ones the first. */
static I ordered(Order *o, I i) {
    if (!o->plain) {
        I top = i;
        for (I k = i + 1; k < o->count; k++)
            if (o->promises[k] > o->promises[top]) top = k;
        u64 here = o->promises[top];
        Move index = o->order[top];
        o->plain = here == 0;
        for (I k = top; k > i; k--) o->order[k] = o->order[k - 1], o->promises[k] = o->promises[k - 1];
        o->order[i] = index, o->promises[i] = here;
    }
    return (I)o->order[i];
}

/* A move that another thread searches is left for later: then what comes of it stands in the table. */
#define WORTH_LEAVING(p) ((p)->by_turns ? 2 : 3) /* the least depth */
#define BUSY 16384 /* places */

static volatile u64 *busy_with(const Search *p, const Key *k, Move move, u64 *name) {
    *name = (hash_key(k) ^ ((u64)move + 1) * 0x9E3779B97F4A7C15ULL) | 1;
    return &p->busy[*name >> 32 & (BUSY - 1)];
}

/* The best line of a position begins with a move. */
static void lead(Search *p, I ply, Move move) {
    p->line[ply][0] = move;
    for (I k = 0; k < p->length[ply + 1]; k++) p->line[ply][k + 1] = p->line[ply + 1][k];
    p->length[ply] = p->length[ply + 1] + 1;
}

/* One position more: may it be looked at? */
static int counted(Search *p, I ply) {
    Control *c = p->c;
    p->length[ply] = 0;
    ask_host(c, 1023);
    if (c->stop || c->nodes == p->most_nodes) {
        c->stop |= 1;
        return 0;
    }
    c->nodes++;
    return 1;
}

/* Is a move one of those that go on beyond the horizon?  `men` are those of the others before it. */
static int goes_on(Search *p, const u8 *s, Move move, I men MEMO(Memo *k)) {
    if (p->kinds >> (move >> KIND_SHIFT) & 1) return 1;
    if (!p->captures) return 0;
    State t;
    if (!apply(s, move, t.b, &p->c->error MEMO(k) BOUND(p->c))) {
        p->c->stop = 2;
        return 0;
    }
    return men_against(t.b, s[0]) < men;
}

/* The value beyond the horizon, where only some moves go on, `left` of them at most. */
static I beyond(Search *p, const u8 *s, I alpha, I beta, I ply, I left, Move *at) {
    if (!counted(p, ply)) return 0;
    I ending, winner = 0;
    NEW_MEMO(k);
    I count = legal(s, at, p->end, SORTED, &ending, &winner MEMO(&k) BOUND(p->c));
    if (ending) return value_of_end(p->player, s, winner, left - BEYOND);
    if (count < 0) {
        p->c->stop = 3;
        return 0;
    }
    I value = NOTHING, floor = alpha, men = p->captures ? men_against(s, s[0]) : 0, going = 0;
    while (left && going < count && goes_on(p, s, at[going], men MEMO(&k))) going++;
    if (going < count) { /* there is something else to do */
        value = value_for_side(p->c, p->player, s MEMO(&k));
        floor = most(alpha, value);
        if (value >= beta) return value;
        for (I i = going + 1; left && i < count; i++)
            if (goes_on(p, s, at[i], men MEMO(&k))) at[going++] = at[i];
    }
    if (p->c->stop) return 0;
    Order o;
    if (!make_order(p, &o, at, going, -1, ply)) return 0;
    for (I i = 0; i < going; i++) {
        State t;
        I index = ordered(&o, i);
        if (!apply(s, at[index], t.b, &p->c->error MEMO(&k) BOUND(p->c))) {
            p->c->stop = 2;
            return 0;
        }
        I score = same_side(p->player, s, t.b) ? beyond(p, t.b, floor, beta, ply + 1, left - 1, o.order + going)
                                               : -beyond(p, t.b, -beta, -floor, ply + 1, left - 1, o.order + going);
        if (p->c->stop) return 0;
        if (score <= value) continue;
        value = score;
        if (score <= floor) continue;
        floor = score;
        lead(p, ply, at[index]);
        if (score >= beta) break;
    }
    return value;
}

/* The value of a position for the player to move, as far as it lies between alpha and beta.  Where turns are counted,
   `turn` is the number of the turn that goes on, or 0 where one begins.  pysolve/search/minimax.py says the same in
   Python. */
static I visit(Search *p, const u8 *s, I depth, I alpha, I beta, I ply, u32 turn, Move *at) {
    if (depth == 0 && (p->kinds || p->captures)) return beyond(p, s, alpha, beta, ply, BEYOND, at);
    if (!counted(p, ply)) return 0;
    Control *c = p->c;
    I best = -1;
    int within = turn != 0, kept = depth > !p->by_turns; /* what is below is quicker to find out again */
    Entry *place = 0, seen;
    Key key;
    if (kept) {
        pack(s, key.w);
        if (look_up(p, &key, &place, &seen)) {
            best = (I)seen.best;
            if (seen.depth == depth && ply > 0) {
                I value = seen.value;
                if (seen.bound == EXACT || (seen.bound == LOWER && value >= beta) ||
                    (seen.bound == UPPER && value <= alpha))
                    return value;
            }
        }
    }
    I ending, winner = 0;
    if (depth == 0 || ply == DEEPEST) { /* who has no move is found out without listing the moves */
        NEW_MEMO(k);
        ending = ends(s, 0, 1, &winner BOUND(p->c));
#if !PASSES
        if (!ending && !any(s, s[0] MEMO(&k) BOUND(p->c))) ending = stuck(s, s[0] MEMO(&k) BOUND(p->c), &winner);
#endif
        if (ending) return value_of_end(p->player, s, winner, depth - within);
        return value_for_side(p->c, p->player, s MEMO(&k));
    }
    NEW_MEMO(k);
    I count = legal(s, at, p->end, SORTED, &ending, &winner MEMO(&k) BOUND(p->c));
    if (ending) return value_of_end(p->player, s, winner, depth - within);
    if (count < 0) {
        c->stop = 3;
        return 0;
    }
    Order o;
    if (!make_order(p, &o, at, count, best, ply)) return 0;
    if (ply == 0 && p->tried) {
        for (I i = 0; i < count; i++) o.order[i] = (Move)p->tried[i];
        o.plain = 1;
    }
    I marked = p->marked;
    if (p->by_turns && !within) {
        turn = ++p->turn;
        mark(p, s, turn, ply);
    }
    I value = NOTHING, floor = alpha, left = 0, shared = p->shared && depth >= WORTH_LEAVING(p);
    for (I i = 0; i < count + left; i++) {
        I index = i < count ? ordered(&o, i) : (I)o.order[i - count], score = BACK;
        u64 name = 0;
        volatile u64 *busy = shared ? busy_with(p, &key, at[index], &name) : 0;
        if (shared && i > 0 && i < count && *busy == name) {
            o.order[left++] = (Move)index;
            continue;
        }
        if (shared) *busy = name;
        if (ply == 0 && leads_back(p, index))
            p->length[1] = 0;
        else
            score = visit_child(p, s, at[index], depth, floor, beta, ply, turn, o.order + count MEMO(&k));
        if (shared && *busy == name) *busy = 0;
        if (c->stop) return 0;
        if (score <= value) continue;
        value = score;
        best = index;
        if (score <= floor) continue;
        floor = score;
        lead(p, ply, at[index]);
        if (ply == 0) p->reached = score;
        if (score >= beta) {
            cuts_off(p, at[index], depth, ply);
            break;
        }
    }
    if (within) { /* a turn has a value where it begins; here it is enough to remember a good move */
        if (depth > 1 && value > alpha) keep(p, place, &key, 0, EXACT, 0, best);
        return value;
    }
    unmark(p, marked);
    if (value == NOTHING) { /* the turn never ends */
        value = value_for_side(c, p->player, s MEMO(&k));
        if (CUT(c)) return 0;
        best = 0;
        p->length[ply] = 1;
        p->line[ply][0] = at[0];
    }
    if (kept) keep(p, place, &key, depth, value >= beta ? LOWER : value <= alpha ? UPPER : EXACT, value, best);
    return value;
}
#if PLAYERS != 2

/* ------------------------------------------------------------------------------------- each for himself */

static int visit_each(Search *p, const u8 *s, I depth, I ply, u32 turn, Move *at, I *values);

/* The values of the position after a move; 0 if it was visited in this turn, or if the search is stopped. */
static int visit_child_each(Search *p, const u8 *s, Move move, I depth, I ply, u32 turn, Move *at,
                            I *values MEMO(Memo *k)) {
    State t;
    if (!apply(s, move, t.b, &p->c->error MEMO(k) BOUND(p->c))) {
        p->c->stop = 2;
        return 0;
    }
    if (p->by_turns && !mark(p, t.b, turn, ply + 1)) return 0;
    if (!p->by_turns || t.b[0] != s[0]) return visit_each(p, t.b, depth - 1, ply + 1, 0, at, values);
    return visit_each(p, t.b, depth, ply + 1, turn, at, values);
}

static void pay_each(I result, I depth, I *values) {
    pay(result, values);
    for (I one = 0; one < SEATS; one++) values[one] = value_of_payoff(values[one], depth);
}

/* Notes the values of a position. */
static void keep_each(Search *p, const Key *key, I depth, const I *values) {
    keep(p, entry_of(p, key), key, depth, EXACT, 0, 0);
    Entry *place = entry_of(p, key);
    for (I one = 0; one < SEATS; one++) place->values[one] = (i32)values[one];
}

/* The values of a position where each player plays for himself; 0 in a turn that never ends, or if the search is
   stopped.  `turn` is as in `visit`; pysolve/search/maxn.py says the same in Python. */
static int visit_each(Search *p, const u8 *s, I depth, I ply, u32 turn, Move *at, I *values) {
    if (!counted(p, ply)) return 0;
    Control *c = p->c;
    int within = turn != 0, kept = !within && depth > !p->by_turns;
    Entry *place = 0, seen;
    Key key;
    if (kept) {
        pack(s, key.w);
        if (look_up(p, &key, &place, &seen) && seen.depth == depth && ply > 0) {
            for (I one = 0; one < SEATS; one++) values[one] = seen.values[one];
            return 1;
        }
    }
    I ending, winner = 0;
    NEW_MEMO(k);
    if (depth == 0 || ply == DEEPEST) {
        ending = ends(s, 0, 1, &winner BOUND(c));
#if !PASSES
        if (!ending && !any(s, s[0] MEMO(&k) BOUND(c))) ending = stuck(s, s[0] MEMO(&k) BOUND(c), &winner);
#endif
        if (ending) pay_each(winner, depth - within, values);
        else estimates(s, values MEMO(&k) BOUND(c));
        return 1;
    }
    I count = legal(s, at, p->end, SORTED, &ending, &winner MEMO(&k) BOUND(c));
    if (ending) {
        pay_each(winner, depth - within, values);
        return 1;
    }
    if (count < 0) {
        c->stop = 3;
        return 0;
    }
    I marked = p->marked, own = s[0] - 1, highest = value_of_payoff(UNIT, depth - 1);
    if (p->by_turns && !within) {
        turn = ++p->turn;
        mark(p, s, turn, ply);
    }
    int found = 0;
    for (I i = 0; i < count; i++) {
        I index = ply == 0 && p->tried ? p->tried[i] : i, after[SEATS];
        int known = visit_child_each(p, s, at[index], depth, ply, turn, at + count, after MEMO(&k));
        if (c->stop) return 0;
        if (!known || (found && after[own] <= values[own])) continue;
        found = 1;
        for (I one = 0; one < SEATS; one++) values[one] = after[one];
        lead(p, ply, at[index]);
        if (values[own] >= highest) break;
    }
    if (within) return found;
    unmark(p, marked);
    if (!found) { /* the turn never ends */
        estimates(s, values MEMO(&k) BOUND(c));
        if (CUT(c)) return 0;
        p->length[ply] = 1;
        p->line[ply][0] = at[0];
    }
    if (kept) keep_each(p, &key, depth, values);
    return 1;
}
#endif
