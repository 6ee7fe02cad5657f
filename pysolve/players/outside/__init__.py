"""Players that are other programs: engines that speak UCI or UGI, and programs that speak GTP.

In: a text like  uci:stockfish,depth=5  from a command line or a script, never from rules, records or a page: it starts
a program.  Out: a player.  The program is started when it is first asked for a move, and ended with its player.
"""
