"""Zola and Conga written by hand for speed, in Prolog and in Python, on the same states."""
