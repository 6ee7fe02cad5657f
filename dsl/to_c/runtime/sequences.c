/* ---------------------------------------------------------------------------------- sequences of turns */

/* How many sequences of `left` whole turns go on from a position; left is 0 where nothing is kept. */
typedef struct {
    Key key;
    u64 left, number;
} Sequences;

/* A position that a move leads to, and the turns that are left there. */
typedef struct {
    State s;
    Key key;
    u64 hash;
    I left;
    int within; /* the last turn */
} Follower;

/* A position on the way: what was counted from there so far, and those behind it that are still to be counted. */
typedef struct {
    u64 number, hash;
    Key key;
    I left, first, count;
    int within;
} Branching;

/* What is kept.  Positions within a last turn are asked for again soon, and hardly ever after it: they have a part of
   their own, which is only as large as such turns are, so that it stays near the processor.  `lost` counts the numbers
   that gave way there since such a turn began. */
typedef struct {
    Sequences *long_kept, *within;
    I entries, size_within, lost;
} Counted;

EXPORT I ps_sequences_size(void) { return sizeof(Sequences); }
EXPORT I ps_follower_size(void) { return sizeof(Follower); }
EXPORT I ps_branching_size(void) { return sizeof(Branching); }

enum { BUCKET = 4 };

static u64 hash_left(const Key *key, I left) { return hash_key(key) ^ (u64)left * 0x9E3779B97F4A7C15ULL; }

static int is_kept(const Sequences *e, const Key *key, I left) {
    return e->left == (u64)left && same_key(&e->key, key);
}

/* The number that is kept for a position; 0 if none is. */
static const Sequences *kept_at(const Sequences *bucket, const Key *key, I left) {
    for (const Sequences *e = bucket; e < bucket + BUCKET; e++)
        if (is_kept(e, key, left)) return e;
    return 0;
}

/* Where a position may be kept. */
static Sequences *bucket_of(const Counted *t, u64 hash, int within) {
    if (within) return &t->within[hash & (u64)(t->size_within - BUCKET)];
    return &t->long_kept[hash & (u64)(t->entries - BUCKET)];
}

/* Keeps a number in front of others, in place of the oldest of those with the fewest turns left: 1 if that one was free. */
static int keep_number(Sequences *bucket, const Branching *f) {
    Sequences *old = bucket;
    for (Sequences *e = bucket; e < bucket + BUCKET; e++)
        if (e->left <= old->left) old = e;
    int free = !old->left;
    for (; old > bucket; old--) *old = old[-1];
    bucket->key = f->key, bucket->left = (u64)f->left, bucket->number = f->number;
    return free;
}

/* Keeps what was counted.  0 if a larger table would be better. */
static int keep_counted(Counted *t, const Branching *f, I *kept) {
    int free = keep_number(bucket_of(t, f->hash, f->within), f);
    if (!f->within) return (*kept += free) <= t->entries / 2;
    t->lost += !free;
    if (t->lost <= t->size_within / 2) return 1;
    if (t->size_within == t->entries) return 0;
    t->size_within *= 2, t->lost = 0;
    return 1;
}

/* Does each of these moves end the turn? */
static int all_pass(const Move *list, I count) {
    static const u8 says_again[] = {SAYS_AGAIN};
    int some = 0;
    for (I i = 0; i < count; i++) some |= says_again[list[i] >> KIND_SHIFT];
    return !some;
}

/* Begins to count from a position: the last moves at once, the positions after others are written from `out` on. */
static I branch(Control *c, Branching *f, const u8 *s, Move *list, I move_room, Follower *out, I room) {
    I ending, winner;
    NEW_MEMO(k);
    int counted = f->left == 1 && ONE_MOVE && !MAY_FAIL;
    I count = legal(s, list, list + move_room, counted ? NUMBER : LISTED, &ending, &winner MEMO(&k) BOUND(c));
    if (count < 0) return count;
    f->number = f->count = 0;
    if (counted || (f->left == 1 && !MAY_FAIL && all_pass(list, count))) {
        f->number = count;
        return 1;
    }
    for (I i = 0; i < count; i++) {
        if (f->count == room) return NO_ROOM;
        Follower *next = &out[f->count];
        next->s.w[WORDS - 1] = 0;
        if (!apply(s, list[i], next->s.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        if (CUT(c)) return STOPPED;
        next->left = f->left - (next->s.b[0] != s[0]);
        if (!next->left) {
            f->number++;
            continue;
        }
        next->within = f->left == 1;
        f->count++;
        pack(next->s.b, next->key.w);
        next->hash = hash_left(&next->key, next->left);
    }
    return 1;
}

/* Adds what was counted from a position behind; 0 if that is too much for a number. */
static int add_sequences(Branching *f, u64 more, I left) {
    if (left == 1 && left == f->left && !more) more = 1; /* a turn within which the game ends is complete */
    f->number += more;
    return f->number >= more;
}

/* Counts the sequences of so many whole turns, at least one; the number of the first on the way is the answer.  Each
   position is counted once for as long as the table, of twice a power of two of entries, keeps it; that never changes
   the answer.  ENDLESS where a turn can come back to a position; 0 where a number is too large.  Where low is 2 a larger
   table would be better, which is asked for unless this one is the `last`; otherwise there is not enough room for the
   way, the moves of one position, or the positions behind all of those on the way.  `kept` counts the entries in use. */
EXPORT I ps_sequences(Control *c, const u8 *in, I turns, Sequences *table, I entries, I last, I *kept, Branching *way,
                      I way_room, Move *list, I move_room, Follower *followers, I follower_room) {
    Counted counted = {table, table + entries, entries, entries < 1 << 10 ? entries : 1 << 10, 0};
    Branching *f = way;
    State s;
    take(&s, in);
    pack(s.b, f->key.w);
    f->left = turns, f->first = f->within = 0, f->hash = hash_left(&f->key, turns);
    I found = branch(c, f, s.b, list, move_room, followers, follower_room);
    if (found < 0) return found;
    for (;;) {
        if (!f->count) {
            if (!keep_counted(&counted, f, kept) && !last) {
                c->low = POSITIONS_ARE_FULL;
                return NO_ROOM;
            }
            if (f == way) return 1;
            f--;
            if (!add_sequences(f, f[1].number, f[1].left)) return 0;
            continue;
        }
        if (c->stop) return STOPPED;
        c->nodes++;
        Follower *next = &followers[f->first + --f->count];
        const Sequences *e = kept_at(bucket_of(&counted, next->hash, next->within), &next->key, next->left);
        if (e) {
            if (!add_sequences(f, e->number, next->left)) return 0;
            continue;
        }
        for (const Branching *b = f; b >= way && b->left == next->left; b--)
            if (b->hash == next->hash && same_key(&b->key, &next->key)) return ENDLESS;
        if (f + 1 == way + way_room) return NO_ROOM;
        s = next->s;
        f[1].key = next->key, f[1].hash = next->hash, f[1].left = next->left, f[1].first = f->first + f->count;
        f[1].within = next->within;
        f++;
        if (f->left == 1 && !f->within) counted.lost = 0;
        found = branch(c, f, s.b, list, move_room, followers + f->first, follower_room - f->first);
        if (found < 0) return found;
    }
}
