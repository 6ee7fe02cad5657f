static I last_mover(const u8 *s) {
#if KEPT >= 0
    if (s[KEPT] == 1) return s[0];
#endif
    return 3 - s[0];
}
