/* What Python asks.  Every buffer comes from outside; numbers of things are returned, or one of these. */

#define EXPORT __attribute__((visibility("default")))
#define ABI 4 /* as in pysolve/engines/build.py */
enum { NO_ROOM = -1, MISTAKE = -2, STOPPED = -3, ENDLESS = -4, UNSOUND = -5 };
#define UNSOUND_VALUE (-0x7fffffffffffffffLL - 1) /* no estimate is so low */

EXPORT I ps_abi(void) { return ABI; }
