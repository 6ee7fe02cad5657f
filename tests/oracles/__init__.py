"""Reference rules, one game per module, written by hand and importing nothing of ours.

In: a position in the exchange form (a dict) and the game's options.  Out: its outcome, its moves
with the positions after them in canonical order, and perft.  The oracles are plain and slow on
purpose: they are read against the published rules, and everything fast is tested against them.
"""
