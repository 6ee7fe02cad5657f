"""Moves, positions and games as texts and numbers that others read: SAN, UCI, FEN, PGN, records, JSON, planes."""
