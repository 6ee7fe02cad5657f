/* -------------------------------------------------------------------------------------------- labels

   What searches find out about positions, to learn from.  A strong search that is asked by a Notebook notes each
   position whose value it has backed up, in the order in which that happens. */

enum { SURE_LABEL = 5 * VALUE_UNIT }; /* a value that is as good as a win */

typedef struct {
    State s;
    i32 value; /* for the player to move, as learned values are */
    u8 bound;  /* EXACT, LOWER or UPPER */
} Label;

typedef struct {
    Control c; /* of the search that notes */
    Label *labels;
    I count, room; /* what there is no room for is left out */
} Notebook;

static void note(Control *c, const u8 *s, I value, I bound) {
    Notebook *n = (Notebook *)c;
    if (n->count == n->room) return;
    Label *label = &n->labels[n->count++];
    copy_state(label->s.b, s);
    label->value = (i32)most(-SURE_LABEL, least(SURE_LABEL, value)), label->bound = (u8)bound;
}
