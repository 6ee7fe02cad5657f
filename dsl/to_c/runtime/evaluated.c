/* The value of a position for the first player. */
INLINE I value_of(UNUSED const Control *c, const u8 *s MEMO(Memo *k)) {
    return estimate(s MEMO(k) BOUND((Control *)c));
}
