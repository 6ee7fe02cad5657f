"""What the program needs that has nothing to do with games."""
