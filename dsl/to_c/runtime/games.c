/* ---------------------------------------------------------------------------------- many games at once

   The games lie in arrays from outside, and a question is about a slice of them.  No game knows of another, so several
   threads may work on several slices, and each game is the same however they are cut. */

enum { ILLEGAL = -6, UNDECIDED = -1 };

/* A kind of moves among the numbers of moves: its first number, and which parameters it has. */
typedef struct {
    I first, begin, end;
} Numbered;

/* A parameter: where it stands in a Move, and by how much a number grows with it. */
typedef struct {
    I shift, mask, stride;
} Digit;

/* Part of a picture of the position.  A value is read at each of `count` places from `from` on.  What is written from
   the place in `to` on, `wide` times, is 1 where `marks` says how much further on, or else the value itself less `low`;
   the part of it above 255 stands in the next plane, `area` further on.  Where `run` says so, both the places and what is
   written are one behind the other.  `values` are how many numbers `marks` has. */
typedef struct {
    I count;
    const i32 *from, *to, *marks;
    I width, low, split, wide, run, values;
} Part;

typedef struct {
    u8 *states;                  /* SIZE bytes each */
    u8 *legal;                   /* for each number of a move: is it legal?  None is where the game is over */
    u8 *ended, *cut;             /* is the game over by its rules, or because it has gone on for too long? */
#if PAYS
    I *results;                  /* of the games that this step has ended by their rules; else UNDECIDED */
#else
    i32 *results;                /* of the games that this step has ended by their rules; else UNDECIDED */
#endif
    i32 *choices, *played;       /* how many moves are legal, and how many were played */
    i32 *turns;
    u64 *lots;                   /* for random moves */
    u64 *seeds;                  /* of the next set-up */
    u64 *past;                   /* a word for each position of the game so far, `longest + 1` of them, if it matters */
#if CHANCE
    u64 *luck;                   /* for what nobody chooses: numbers of their own, which are those of the seed */
#endif
    I count, numbers, longest;   /* games, numbers of moves, moves after which a game is cut */
    I again;                     /* does a game that is over begin anew at once? */
    I kinds;
    const Numbered *numbered;
    const Digit *digits;
    const Part *parts;           /* `part_count` of them for each player who may be to move */
    I part_count, pixels, area;
} Games;

INLINE I number_of(const Games *g, Move move) {
    const Numbered *kind = &g->numbered[move >> KIND_SHIFT];
    I number = kind->first;
    for (I i = kind->begin; i < kind->end; i++)
        number += (I)(move >> g->digits[i].shift & (Move)g->digits[i].mask) * g->digits[i].stride;
    return number;
}

INLINE Move move_numbered(const Games *g, I number) {
    I kind = g->kinds - 1;
    while (g->numbered[kind].first > number) kind--;
    number -= g->numbered[kind].first;
    Move move = (Move)kind << KIND_SHIFT;
    for (I i = g->numbered[kind].begin; i < g->numbered[kind].end; i++) {
        I digit = number / g->digits[i].stride;
        number -= digit * g->digits[i].stride;
        move |= (Move)digit << g->digits[i].shift;
    }
    return move;
}

INLINE void fill_bytes(u8 *to, I count, u8 value) {
    const u64 word = value * 0x0101010101010101ULL;
    I i = 0;
#ifdef VECTORS
    const Bytes16 all = {(char)value, (char)value, (char)value, (char)value, (char)value, (char)value,
                         (char)value, (char)value, (char)value, (char)value, (char)value, (char)value,
                         (char)value, (char)value, (char)value, (char)value};
    for (; i + 16 <= count; i += 16) *(Bytes16Anywhere *)(to + i) = all;
#endif
    for (; i + 8 <= count; i += 8) *(WordAnywhere *)(to + i) = word;
    for (; i < count; i++) to[i] = value;
}

/* A word for a position, without what `repeated` ignores.  Two positions of a game of a thousand moves have the same
   one by chance less often than once in 10^13 games. */
#if REPEATS
static u64 word_of(const State *s) {
    u64 h = SIZE;
    State now = *s;
    keep_identity(&now);
    for (int i = 0; i < WORDS; i++) {
        h = (h ^ now.w[i]) * 0x9E3779B97F4A7C15ULL;
        h = (h ^ h >> 32) * 0xBF58476D1CE4E5B9ULL;
        h ^= h >> 29;
    }
    return h;
}
#endif

/* A game before it is written: its position, and how much has been played. */
typedef struct {
    State s;
    I turns, played, ending, result, choices, cut;
    u64 word;
#if CHANCE
    u64 luck;
#endif
} Now;

#if CHANCE
/* Plays a move of chance: 1, or what went wrong. */
static I roll(Control *c, Games *g, I game, Now *now, Move *room, I size MEMO(Memo *k)) {
    State s = now->s;
    Move *last = moves(s.b, s.b[0] MEMO(k) BOUND(c), room, room + size, SORTED);
    if (CUT(c)) return STOPPED;
    if (last == room + size) return NO_ROOM;
    const Move move = room[weighed_draw(s.b, draw(&now->luck), room, last - room MEMO(k) BOUND(c))];
    if (!apply(s.b, move, now->s.b, &c->error MEMO(k) BOUND(c))) return MISTAKE;
    if (CUT(c)) return STOPPED;
#if REPEATS
    g->past[game * (g->longest + 1) + now->played] = now->word;
#endif
    now->turns += now->s.b[0] != s.b[0];
    now->played++;
    return 1;
}

enum { ROLLED = 2 };

/* Finds out whether a game is over, and writes which moves are legal: 1, ROLLED if chance has moved instead, or what went
   wrong. */
static I look_once(Control *c, Games *g, I game, Now *now, Move *room, I size) {
#else
/* Finds out whether a game is over, and writes which moves are legal: 1, or what went wrong. */
static I look_at(UNUSED Control *c, Games *g, I game, Now *now, Move *room, I size) {
#endif
    u8 *legal_here = g->legal + game * g->numbers;
    I times = 1;
    now->result = 0;
    now->word = 0;
#if REPEATS
    const u64 *past = g->past + game * (g->longest + 1);
    now->word = word_of(&now->s);
    for (I i = 0; i < now->played; i++) times += past[i] == now->word;
#endif
    now->choices = 0;
    now->ending = ends(now->s.b, now->turns, times, &now->result BOUND(c));
    if (CUT(c)) return STOPPED;
    if (!now->ending) {
        NEW_MEMO(k);
#if CHANCE
        if (now->played < g->longest && chance_moves(now->s.b, now->s.b[0] MEMO(&k) BOUND(c))) {
            const I found = roll(c, g, game, now, room, size MEMO(&k));
            return found < 0 ? found : ROLLED;
        }
#endif
        Move *last = moves(now->s.b, now->s.b[0] MEMO(&k) BOUND(c), room, room + size, LISTED);
        if (CUT(c)) return STOPPED;
        if (last == room + size) return NO_ROOM;
        if (last == room) {
#if PASSES
            *last++ = (Move)PASS_KIND << KIND_SHIFT;
#else
            now->ending = stuck(now->s.b, now->s.b[0] MEMO(&k) BOUND(c), &now->result);
#endif
        }
        now->cut = !now->ending && now->played >= g->longest;
        fill_bytes(legal_here, g->numbers, 0); /* not before: what was legal still is where something goes wrong */
        for (const Move *move = room; !now->cut && move < last; move++) {
            u8 *at = legal_here + number_of(g, *move);
            now->choices += !*at;
            *at = 1;
        }
    } else {
        now->cut = 0;
        fill_bytes(legal_here, g->numbers, 0);
    }
    return 1;
}

#if CHANCE
/* The same when chance has moved, as often as it does. */
static I look_at(Control *c, Games *g, I game, Now *now, Move *room, I size) {
    I found;
    while ((found = look_once(c, g, game, now, room, size)) == ROLLED)
        if (c->stop) return STOPPED;
    return found;
}

#endif
static void write_game(Games *g, I game, const Now *now) {
#if CHANCE
    g->luck[game] = now->luck;
#endif
    give(g->states + game * SIZE, now->s.b);
    g->turns[game] = (i32)now->turns;
    g->played[game] = (i32)now->played;
    g->choices[game] = (i32)now->choices;
#if REPEATS
    g->past[game * (g->longest + 1) + now->played] = now->word;
#endif
}

static void write_end(Games *g, I game, const Now *now) {
    g->ended[game] = now->ending != 0;
    g->cut[game] = (u8)now->cut;
#if PAYS
    g->results[game] = now->ending ? now->result : UNDECIDED;
#else
    g->results[game] = now->ending ? (i32)now->result : UNDECIDED;
#endif
}

/* The beginning of a game: its set-up is drawn from its next seed. */
static I begin_game(Control *c, Games *g, I game, Now *now, Move *room, I size) {
    u64 seed = g->seeds[game];
#if CHANCE
    u64 other = seed, behind = draw(&other);
    now->luck = draw(&behind);
#endif
    now->s.w[WORDS - 1] = 0;
    now->turns = now->played = 0;
    if (!setup(now->s.b, &seed, &c->error BOUND(c))) return MISTAKE;
    return look_at(c, g, game, now, room, size);
}

static void started(Games *g, I game, const Now *now) {
    g->seeds[game] += (u64)g->count;
    write_game(g, game, now);
}

/* Begins the games from `first` to `end` anew, those of them that are in `which`.  The number of the first game with
   which something went wrong is in `low`; those before it have begun. */
EXPORT I ps_games_reset(Control *c, Games *g, I first, I end, const u8 *which, Move *room, I size) {
    for (I game = first; game < end; game++) {
        if (!which[game]) continue;
        Now now;
        c->low = game;
        if (c->stop) return STOPPED;
        I found = begin_game(c, g, game, &now, room, size);
        if (found < 0) return found;
        started(g, game, &now);
        write_end(g, game, &now);
    }
    return end - first;
}

/* The first game whose move is none of its legal ones; `end` if there is no such game. */
EXPORT I ps_games_refused(const Games *g, I first, I end, const i32 *moves) {
    for (I game = first; game < end; game++) {
        if (!g->again && (g->ended[game] | g->cut[game])) continue;
        if (moves[game] < 0 || moves[game] >= g->numbers || !g->legal[game * g->numbers + moves[game]]) return game;
    }
    return end;
}

static I step_game(Control *c, Games *g, I game, I number, Move *room, I size) {
    Now now;
    State s;
    take(&s, g->states + game * SIZE);
    now.s.w[WORDS - 1] = 0;
#if CHANCE
    now.luck = g->luck[game];
#endif
    {
        NEW_MEMO(k);
        BEGIN(c);
        if (!apply(s.b, move_numbered(g, number), now.s.b, &c->error MEMO(&k) BOUND(c))) return MISTAKE;
        if (CUT(c)) return STOPPED;
    }
    now.turns = g->turns[game] + (now.s.b[0] != s.b[0]);
    now.played = g->played[game] + 1;
    I found = look_at(c, g, game, &now, room, size);
    if (found < 0) return found;
    if (g->again && (now.ending || now.cut)) {
        Now next;
        found = begin_game(c, g, game, &next, room, size);
        if (found < 0) return found;
        started(g, game, &next);
    } else {
        write_game(g, game, &now);
    }
    write_end(g, game, &now);
    return 1;
}

/* Plays a move, given by its number, in each game from `first` to `end` that is not over.  The number of the first game
   with which something went wrong is in `low`: it is as it was, and those before it have moved. */
EXPORT I ps_games_step(Control *c, Games *g, I first, I end, const i32 *moves, Move *room, I size) {
    for (I game = first; game < end; game++) {
        if (!g->again && (g->ended[game] | g->cut[game])) {
            g->results[game] = UNDECIDED;
            continue;
        }
        c->low = game;
        if (c->stop) return STOPPED;
        I found = step_game(c, g, game, moves[game], room, size);
        if (found < 0) return found;
    }
    return end - first;
}

/* The number of the legal move that is `nth` in their order. */
static I nth_legal(const u8 *legal_here, I numbers, I nth) {
    I at = 0;
    for (; at + 8 <= numbers; at += 8) {
        I here = (I)(*(const WordAnywhere *)(legal_here + at) * 0x0101010101010101ULL >> 56);
        if (nth < here) break;
        nth -= here;
    }
    for (; at < numbers; at++)
        if (legal_here[at] && nth-- == 0) return at;
    return 0;
}

/* Draws a legal move for each game, all equally likely: 0 for a game that is over.  The `lot >> 32`th part of the moves
   in canonical order is drawn, as in random games that draw by number. */
EXPORT I ps_games_draw(Games *g, I first, I end, i32 *moves) {
    for (I game = first; game < end; game++) {
        const u64 count = (u64)g->choices[game];
        moves[game] = 0;
        if (!count) continue;
        I nth = (I)((draw(&g->lots[game]) >> 32) * count >> 32);
        moves[game] = (i32)nth_legal(g->legal + game * g->numbers, g->numbers, nth);
    }
    return end - first;
}

INLINE I value_at(const Part *part, const u8 *at) { return part->width == 1 ? *at : 255 * at[0] + at[1]; }

/* Ones where a byte stands. */
INLINE void mark_equal(const u8 *s, I count, u8 byte, u8 *out) {
    I i = 0;
#ifdef VECTORS
    typedef u8 Bytes __attribute__((vector_size(16)));
    typedef Bytes BytesAnywhere __attribute__((aligned(1), may_alias));
    for (; i + 16 <= count; i += 16)
        *(BytesAnywhere *)(out + i) = (Bytes)(*(const BytesAnywhere *)(s + i) == byte) & 1;
#endif
    for (; i < count; i++) out[i] = s[i] == byte;
}

/* Ones where values stand, each in the plane of the value. */
static void mark(const Part *part, const u8 *s, u8 *out) {
    const i32 *from = part->from, *to = part->to, *marks = part->marks;
    if (part->run) {
        for (I value = 0; value < part->values; value++)
            if (marks[value] >= 0) mark_equal(s + from[0], part->count, (u8)value, out + to[0] + marks[value]);
        return;
    }
    for (I i = 0; i < part->count; i++) {
#if SECRETS
        if (value_at(part, s + from[i]) >= part->values) continue; /* it is not seen */
#endif
        const i32 further = marks[value_at(part, s + from[i])];
        if (further >= 0) fill_bytes(out + to[i] + further, part->wide, 1);
    }
}

/* The values themselves. */
static void write_values(const Part *part, const u8 *s, I area, u8 *out) {
    for (I i = 0; i < part->count; i++) {
#if SECRETS
        if (s[part->from[i]] == UNSEEN) continue;
#endif
        const I value = value_at(part, s + part->from[i]) - part->low;
        fill_bytes(out + part->to[i], part->wide, (u8)value);
        if (part->split) fill_bytes(out + part->to[i] + area, part->wide, (u8)(value >> 8));
    }
}

#if SECRETS
/* A position as its player to move sees it: what is not seen is UNSEEN. */
static void veil_for_mover(const u8 *in, u8 *view) {
    State s;
    UNUSED Control control;
    UNUSED Control *c = &control;
    control.stop = control.cut = 0;
    control.slice = 0;
    control.steps = 1LL << 60;
    take(&s, in);
    NEW_MEMO(k);
    BEGIN(c);
    for (I i = 0; i < SIZE; i++) view[i] = in[i];
    veil(s.b, s.b[0] MEMO(&k) BOUND(c), in[0], view);
}

#endif
/* Pictures of the positions, each for the player to move: `pixels` bytes each, plane by plane. */
EXPORT I ps_games_observe(const Games *g, I first, I end, u8 *out) {
    for (I game = first; game < end; game++) {
#if SECRETS
        u8 s[SIZE];
        veil_for_mover(g->states + game * SIZE, s);
#else
        const u8 *s = g->states + game * SIZE;
#endif
        u8 *here = out + game * g->pixels;
        const Part *part = g->parts + (s[0] - 1) * g->part_count;
        fill_bytes(here, g->pixels, 0);
        for (I i = 0; i < g->part_count; i++, part++) {
            if (part->marks) mark(part, s, here);
            else write_values(part, s, g->area, here);
        }
    }
    return end - first;
}
