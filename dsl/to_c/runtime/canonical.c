/* ------------------------------------------------------------------------------ symmetries of the rules */

/* Where a byte of an image comes from, and the row of images that says what becomes of it. */
typedef struct {
    u32 source, row;
} Origin;

/* Ways to rename positions, as pysolve/search/canonical.py has them, with SIZE origins each: first those, so many, under
   which players stay who they are, then those that exchange them. */
typedef struct {
    I count, keeping;
    const Origin *origins;
    const u8 (*images)[256];
} Renamings;

/* Puts the least of all images in the place of a position.  Have players been exchanged?

   The mover is the first byte: so where he can become player 1, he does, and no other image matters. */
static int canonical(const Renamings *r, State *s) {
    if (!r->count) return 0;
    const int exchanges = s->b[0] == 2 && r->keeping < r->count;
    const Origin *from = r->origins + (exchanges ? r->keeping * SIZE : 0);
    const Origin *end = r->origins + (exchanges ? r->count : r->keeping) * SIZE;
    State found[2]; /* the least image so far is one of them, or the position itself */
    State *least = s, *next = &found[0];
    for (int first = exchanges; from < end; from += SIZE, first = 0) {
        I at = 0;
        int apart = -1;
        if (!first)
            for (apart = 0; at < SIZE; at++)
                if ((apart = r->images[from[at].row][s->b[from[at].source]] - least->b[at])) break;
        if (apart >= 0) continue;
        *next = *least;
        for (; at < SIZE; at++) next->b[at] = r->images[from[at].row][s->b[from[at].source]];
        least = next, next = next == &found[0] ? &found[1] : &found[0];
    }
    if (least != s) *s = *least;
    return exchanges;
}

EXPORT I ps_canonical(const Renamings *r, const u8 *in, u8 *out) {
    State s;
    take(&s, in);
    int exchanged = canonical(r, &s);
    give(out, s.b);
    return exchanged;
}
