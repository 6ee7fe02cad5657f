/* A position as a player sees it: what the player does not see is UNSEEN. */
EXPORT I ps_view(UNUSED Control *c, const u8 *in, I player, u8 *out) {
    State s;
    if (!is_sound(in)) return UNSOUND;
    take(&s, in);
    NEW_MEMO(k);
    BEGIN(c);
    for (I i = 0; i < SIZE; i++) out[i] = in[i];
    veil(s.b, s.b[0] MEMO(&k) BOUND(c), player, out);
    return 1;
}
