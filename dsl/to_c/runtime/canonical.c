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
    int exchanges = s->b[0] == 2 && r->keeping < r->count;
    const Origin *from = r->origins + (exchanges ? r->keeping * SIZE : 0);
    const Origin *end = r->origins + (exchanges ? r->count : r->keeping) * SIZE;
    State least = *s;
    if (exchanges)
        for (I at = 0; at < SIZE; at++, from++) least.b[at] = r->images[from->row][s->b[from->source]];
    for (; from < end; from += SIZE) {
        I at = 0;
        int apart = 0;
        while (at < SIZE && !(apart = r->images[from[at].row][s->b[from[at].source]] - least.b[at])) at++;
        if (apart >= 0) continue;
        for (; at < SIZE; at++) least.b[at] = r->images[from[at].row][s->b[from[at].source]];
    }
    *s = least;
    return exchanges;
}

EXPORT I ps_canonical(const Renamings *r, const u8 *in, u8 *out) {
    State s;
    take(&s, in);
    int exchanged = canonical(r, &s);
    give(out, s.b);
    return exchanged;
}
