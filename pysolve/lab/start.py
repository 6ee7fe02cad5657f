"""Who plays the games, as a caller wishes: this process, several processes, or a cluster."""

from __future__ import annotations

from collections.abc import Sequence

from pysolve.lab.processes import Processes
from pysolve.lab.workers import NamedGame, ThisProcess, Workers


def start_workers(tables: Sequence[NamedGame], processes: int, cluster: str | None = None) -> Workers:
    """Workers that play games."""
    if cluster is not None:
        from pysolve.lab.cluster import Cluster  # needs an extra

        return Cluster(tables, cluster)
    return ThisProcess(tables) if processes == 1 else Processes(tables, processes)
