/* How moves are wanted: only their number, as they are found, in canonical order, or so that what is demanded of the
   positions after them is still to be tested, which costs less where few of them are tried. */
enum { NUMBER, LISTED, SORTED, UNTESTED };

/* Moves that differ in their last choice, one for each bit; `first` is that of the lowest bit. */
INLINE Move *add_moves(Move *out, u64 bits, Move first, int counted) {
    if (counted) return out + count_bits(bits);
    for (; bits; bits &= bits - 1) *out++ = first + (Move)lowest_bit(bits);
    return out;
}

/* Moves in ascending order; `once`: each of them once. */
static UNUSED Move *sort_moves(Move *first, Move *end, int once) {
    for (Move *at = first + 1; at < end; at++) {
        Move move = *at, *to = at;
        if (at - first > 40) { /* a long list: find the place by halves */
            Move *low = first, *high = at;
            while (low < high) {
                Move *middle = low + (high - low) / 2;
                if (*middle <= move) low = middle + 1;
                else high = middle;
            }
            for (; to > low; to--) *to = to[-1];
        } else {
            for (; to > first && to[-1] > move; to--) *to = to[-1];
        }
        *to = move;
    }
    if (!once || first == end) return end;
    Move *last = first;
    for (Move *at = first + 1; at < end; at++)
        if (*at != *last) *++last = *at;
    return last + 1;
}

static UNUSED I mobility(const u8 *s, I m BOUND(Control *c));
static UNUSED I is_mobile(const u8 *s, I m BOUND(Control *c));
