"""The lab: many games between players, counted with care.

statistics  shares with their intervals, quartiles
match       two players, sides swapped in pairs
balance     the same player on both sides, for each variant of a game

Every game begins with a few random moves from its own seed, so a seed repeats all of it, on every engine.
"""
