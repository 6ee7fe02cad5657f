"""The lab: series of games between players, and their statistics.

games       one game: a job in, the played game out
workers     where games are played: in this process; processes: in several; cluster: on a Dask cluster; start chooses
store       games in one file, so that a long series can be resumed
match       two players, sides swapped in pairs
tournament  round robin; ratings gives each player a number
balance     the same player on both sides, for each variant of a game; report and plots show the result
analysis    what moves are worth
solving     who wins by best play, with a proof
tune        weights of the `evaluate` block, learned from games
statistics  shares with confidence intervals, quartiles
extras      libraries that are not installed with pysolve itself

Every game begins with a few random moves from its own seed, so that a seed reproduces a whole series, on every engine
and number of workers.
"""
