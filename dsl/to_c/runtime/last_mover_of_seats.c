/* Who has just moved: the player before, unless the position says otherwise. */
static I last_mover(const u8 *s) {
#if KEPT >= 0
    if (s[KEPT]) return s[KEPT];
#endif
    return s[0] > 1 ? s[0] - 1 : SEATS;
}
