/* ------------------------------------------------------------------------------ symmetries of the rules */

/* Ways to rename positions, as pysolve/search/canonical.py has them: byte i of an image is that which the row kind[i] of
   `images` has for the byte source[i]; each has SIZE of both. */
typedef struct {
    I count;
    const u32 *source, *kind;
    const u8 (*images)[256];
} Renamings;

/* Puts the least of all images in the place of a position.  Have players been exchanged?  Then so has the mover. */
static int canonical(const Renamings *r, State *s) {
    State least = *s;
    for (I i = 0; i < r->count; i++) {
        const u32 *source = r->source + i * SIZE, *kind = r->kind + i * SIZE;
        I at = 0;
        while (at < SIZE && r->images[kind[at]][s->b[source[at]]] == least.b[at]) at++;
        if (at == SIZE || r->images[kind[at]][s->b[source[at]]] > least.b[at]) continue;
        for (; at < SIZE; at++) least.b[at] = r->images[kind[at]][s->b[source[at]]];
    }
    int exchanged = least.b[0] != s->b[0];
    *s = least;
    return exchanged;
}

EXPORT I ps_canonical(const Renamings *r, const u8 *in, u8 *out) {
    State s;
    take(&s, in);
    int exchanged = canonical(r, &s);
    give(out, s.b);
    return exchanged;
}
