"""What is found out about a game as a whole: what takes long, what belongs together, how a move is drawn."""
