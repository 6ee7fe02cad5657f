"""Random steps of Pgx on the processor: `python benchmarks/pgx_steps.py connect_four 4096`, with pgx and jax installed.

It is a program of its own, because Pgx may be installed elsewhere than pysolve.  It prints JSON: steps for each second
of CPU time and for each second on the clock.  All games lie in one array; a step draws a legal move for each of them at
random, plays it, and begins games anew that are over, within one compiled loop.  A step of Pgx always finds the legal
moves and the observation.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any

STEPS = 20  # in one compiled loop
SECONDS = 2.0


def main(name: str, games: int) -> None:
    import jax
    import pgx
    from jax import numpy
    from pgx.experimental.wrappers import auto_reset

    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: int, carried: tuple[Any, Any]) -> tuple[Any, Any]:
        state, key = carried
        key, drawn, played = jax.random.split(key, 3)
        likely = numpy.log(state.legal_action_mask.astype(numpy.float32))
        action = jax.random.categorical(drawn, likely, axis=-1)
        return step(state, action, jax.random.split(played, games)), key

    loop = jax.jit(lambda state, key: jax.lax.fori_loop(0, STEPS, one, (state, key)))
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), games))
    state, key = jax.block_until_ready(loop(state, jax.random.PRNGKey(1)))
    steps, cpu, clock = 0, time.process_time(), time.perf_counter()
    while time.perf_counter() - clock < SECONDS:
        state, key = jax.block_until_ready(loop(state, key))
        steps += STEPS * games
    found = {"cpu": steps / (time.process_time() - cpu), "clock": steps / (time.perf_counter() - clock)}
    print(json.dumps({**found, "versions": f"Pgx {pgx.__version__}, JAX {jax.__version__}"}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
