"""Readable searches for any engine; they use only the protocol of `pysolve.engines.protocol`."""
