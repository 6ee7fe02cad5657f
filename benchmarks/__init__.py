"""Measurements, and the hand-written programs that ours are measured against."""
