"""The lab: many games between players, counted with care.

games       one game: a job in, the game that was played out
workers     who plays: this process, several, or (cluster) the machines of a Dask cluster
store       games in one file, so that a long series can be resumed
match       two players, sides swapped in pairs
tournament  everybody plays everybody; ratings gives each a number
balance     the same player on both sides, for each variant of a game; report and plots show it
analysis    what moves are worth
solving     who wins by best play, with a proof
tune        weights of the `evaluate` block, learned from games
statistics  shares with their intervals, quartiles
extras      libraries that are not installed with pysolve itself

Every game begins with a few random moves from its own seed, so a seed repeats all of it, on every engine, whoever
plays.
"""
