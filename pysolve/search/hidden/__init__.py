"""Searches of games with hidden information: equilibria, best responses, and play by what a player knows."""
