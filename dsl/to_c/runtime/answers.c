/* What Python asks.  Every buffer comes from outside; numbers of things are returned, or one of these. */

#define EXPORT __attribute__((visibility("default")))

EXPORT I ps_abi(void) { return ABI; }
