"""Readable searchers over any engine; they know the protocol of `pysolve.engine` and nothing else."""
