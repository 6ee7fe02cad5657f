"""Calls of every public function with values that are none of its parameter's, in a process that may crash.

    python tests/bad_calls.py native

goes through the table for an engine and prints, as JSON, each call that did anything but answer or raise a documented
error, and what each error of `NAMED` said.  An answer is allowed, since a value that is odd may be meant; `NAMED` has
the calls that must be refused.
"""

from __future__ import annotations

import faulthandler
import json
import math
import random
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pysolve
import pysolve.dsl.check.ranges  # here, as an alarm in the middle of its first import is no error of a call
from pysolve.authoring import examples
from pysolve.display import scene
from pysolve.engines.protocol import EngineError, Node
from pysolve.lab import analysis, balance, match
from pysolve.lab.endings import endings
from pysolve.notation import record
from pysolve.players.functions import player
from pysolve.players.session import Session
from pysolve.search import batch, turns
from pysolve.search.decide import decide
from pysolve.search.history import History
from pysolve.search.maxn import maxn
from pysolve.search.mcts import Settings, mcts
from pysolve.search.minimax import minimax, searcher_of
from pysolve.search.perft import perft
from pysolve.search.playouts import playouts
from pysolve.search.proof_number import prove
from pysolve.search.retrograde import retrograde
from pysolve.search.searcher import Horizon, Stopped

SECONDS = 0.25  # for one call; a number that is allowed may ask for hours
MEMORY = 6 << 30
DOCUMENTED = (TypeError, ValueError, IndexError, KeyError, EngineError)


class Enough(BaseException):
    """A call that goes on; it can be stopped like this."""


Call = tuple[Callable[..., Any], dict[str, Any]]  # a function, and arguments with which it answers


def table(engine_name: str) -> dict[str, Call]:
    """The public functions, by name."""
    game = pysolve.load("tictactoe", engine=engine_name)
    engine, start = game.engine, game.start()
    rolling = pysolve.load("pig", engine=engine_name).start().play("roll")
    secret = pysolve.load("phantom_tictactoe", engine=engine_name).start()
    state, moves, way = start.state, start.legal_moves, next(start.turns())
    node: Node = engine.expand(state)
    limits = analysis.Limits(depth=2)
    played = record.Record("tictactoe", {}, game.model.digest, (("b2",),))
    found: dict[str, Call] = {
        "load": (lambda rules, engine, **options: pysolve.load(rules, engine=engine, **options).start(),
                 {"rules": "zola", "engine": engine_name, "size": 4}),
        "Game": (pysolve.Game, {"model": game.model, "engine": engine_name}),
        "Game.start": (game.start, {"seed": 1}),
        "Game.new_initial_state": (game.new_initial_state, {"seed": 1}),
        "Game.batch": (game.batch, {"count": 2, "seed": 1, "longest": 5, "again": False, "threads": 1}),
        "Game.position": (game.position, {"text": start.line()}),
        "Game.from_dict": (game.from_dict, {"data": start.to_dict()}),
        "Game.with_options": (pysolve.load("zola", engine=engine_name).with_options, {"size": 4}),
        "Game.parent": (pysolve.load("tictactoe-misere", engine=engine_name).parent, {}),
        "Game.beside": (lambda: game.beside("0" * 16).start(), {}),
        "Game.read": (lambda: game.with_options().start(), {}),
        "Position": (lambda **given: pysolve.Position(**given).legal_moves,
                     {"game": game, "state": state, "turns_played": 0, "seen": {}, "turns_before": 0}),
        "Position.child": (start.child, {"index": 0}),
        "Position.returns": (start.returns, {}),
        "Position.value": (start.value, {"slot": "at"}),
        "Position.evaluate": (start.evaluate, {}),
        "Position.parse": (start.parse, {"text": "b2"}),
        "Position.named": (start.named, {"text": "b2"}),
        "Position.play": (start.play, {"move": "b2"}),
        "Position.why": (start.why, {"move": "b2"}),
        "Position.query": (start.query, {"goal": "at(C) = none", "limit": 5, "seconds": 5.0}),
        "Position.rows": (pysolve.load("kalah", engine=engine_name).start().rows, {"name": "heap", "limit": 5}),
        "Position.players_out": (start.players_out, {}),
        "Position.turns": (lambda: list(start.turns()), {}),
        "Position.turn_positions": (lambda: list(start.turn_positions()), {}),
        "Position.count_turns": (start.count_turns, {"tick": lambda: None}),
        "Position.sample_turn": (start.sample_turn, {"seed": 1}),
        "Position.perft": (start.perft, {"depth": 2, "turns": False, "tick": None}),
        "Position.divide": (start.divide, {"depth": 2, "turns": True, "tick": lambda: None}),
        "Position.to_dict": (start.to_dict, {}),
        "Position.diagram": (start.diagram, {}),
        "Position.line": (start.line, {}),
        "Position.fen": (start.fen, {}),
        "Position.written": (start.written, {"move": moves[0]}),
        "Position.svg": (start.svg, {"size": 100, "last": moves[0], "targets": ["b2"], "whole": True}),
        "Position.draw": (rolling.draw, {"seed": 1}),
        "Position.play_chance": (rolling.play_chance, {"seed": 1}),
        "Position.view": (secret.view, {"player": "O"}),
        "Position.information": (secret.information, {"player": "O"}),
        "Position.known_by": (secret.known_by, {"player": "O"}),
        "Position.random_move": (start.random_move, {"rng": random.Random(1)}),
        "LegalMoves.count": (moves.count, {"move": "b2"}),
        "LegalMoves.index": (moves.index, {"value": moves[0]}),
        "LegalMoves.sample": (moves.sample, {"rng": 1}),
        "LegalMoves[]": (moves.__getitem__, {"index": 1}),
        "Turn.count": (way.count, {"value": way[0]}),
        "Turn.index": (way.index, {"value": way[0]}),
        "Turn[]": (way.__getitem__, {"index": 0}),
        "examples.run": (examples.run, {"game": game}),
        "examples.notices": (examples.notices, {"game": game}),
        "targets_of": (scene.targets_of, {"position": start, "cell": "b2"}),
        "record.read": (record.read, {"text": "[Game \"tictactoe\"]\n\n1. b2\n"}),
        "record.option_words": (record.option_words, {"game": game}),
        "record.write": (record.write, {"record": played}),
        "record.game_of": (record.game_of, {"record": played, "folder": Path(), "force": True, "engine": engine_name}),
        "record.beside": (record.beside, {"game": game}),
        "record.replay": (lambda **given: list(record.replay(**given)), {"record": played, "game": game}),
        "Session": (Session, {"start": start, "seats": {}, "lots": 1}),
        "minimax": (minimax, {"engine": engine, "state": state, "depth": 2, "nodes": 100, "seconds": 1.0, "value": None,
                              "report": None, "entries": 100, "interruptible": True, "threads": 1, "turns": None,
                              "quiet": (), "left": (), "order": (), "player": None}),
        "maxn": (maxn, {"engine": engine, "state": state, "depth": 2, "nodes": 100, "seconds": 1.0, "report": None,
                        "entries": 100, "interruptible": True, "turns": None, "order": ()}),
        "playouts": (playouts, {"engine": engine, "state": state, "games": 2, "seed": 1, "longest": 5}),
        "Settings": (lambda **given: mcts(engine, state, visits=2, settings=Settings(**given)),
                     {"leaf": "playout", "explore": 1.0, "bias": 1.0, "backup": "mean", "room": 100, "grave": 5,
                      "even": 9, "prior": 2}),
        "History": (lambda **given: mcts(engine, state, visits=2, history=History(**given)), {"turns": 0, "seen": {}}),
        "mcts": (mcts, {"engine": engine, "state": state, "visits": 2, "seconds": 1.0, "nodes": 100, "seed": 1,
                        "settings": Settings(), "history": History()}),
        "expand_many": (batch.expand_many, {"engine": engine, "states": [state], "children": True}),
        "estimate_many": (batch.estimate_many, {"engine": engine, "states": [state]}),
        "turns.turns": (lambda state: list(turns.turns(engine, state)), {"state": state}),
        "turns.turn_positions": (lambda state: list(turns.turn_positions(engine, state)), {"state": state}),
        "turns.count_turns": (lambda **given: turns.count_turns(engine, **given),
                              {"state": state, "tick": lambda: None}),
        "turns.sample_turn": (lambda **given: turns.sample_turn(engine, **given),
                              {"state": state, "chance": random.Random(1)}),
        "perft": (lambda **given: perft(engine, **given), {"state": state, "depth": 2, "tick": None}),
        "retrograde": (lambda **given: retrograde(engine, **given), {"state": state, "states": 100, "tick": None,
                                                                    "until": None, "begun": None}),
        "prove": (lambda **given: prove(engine, **given), {"state": state, "player": 1, "states": 10_000, "visits": 50,
                                                          "seconds": 1.0, "tick": None}),
        "decide": (lambda **given: decide(engine, **given), {"state": state, "player": 1, "states": 10_000,
                                                            "visits": 50, "seconds": 1.0, "tick": None}),
        "player": (lambda **given: player(**given)(start), {"text": "random", "seed": 1, "levels": {}}),
        "Limits": (lambda **given: analysis.best(start, analysis.Limits(**given)),
                   {"depth": 2, "seconds": 1.0, "nodes": 100, "turns": None, "quiet": (), "threads": 1}),
        "best": (analysis.best, {"position": start, "limits": limits}),
        "best_moves": (analysis.best_moves, {"position": start, "limits": limits, "most": 2}),
        "ranked": (analysis.ranked, {"position": start, "depth": 1, "by_turns": False, "most": 2, "limits": limits}),
        "play_match": (lambda **given: list(match.play_match(**given)),
                       {"game": game, "first": "random", "second": "random", "games": 2, "seed": 1, "opening": 1,
                        "limit": 10}),
        "standing": (match.standing, {"game": game, "games": []}),
        "endings": (endings, {"game": game, "games": [], "competitors": 1}),
        "play_variant": (lambda **given: list(balance.play_variant(**given)),
                         {"game": game, "player": "random", "games": 2, "seed": 1, "opening": 1, "limit": 10}),
        "balance": (balance.balance, {"game": game, "games": [], "options": {}, "player": "random",
                                      "sequential": False, "parent": None}),
        "compared": (balance.compared, {"found": balance.balance(game, [], {})}),
        "Engine.view": (engine.view, {"state": state, "player": 1}),
        "Engine.expand": (engine.expand, {"state": state}),
        "Engine.estimate": (engine.estimate, {"state": state}),
        "Engine.start": (engine.start, {"seed": 1}),
        "Engine.judge": (engine.judge, {"state": state, "turns": 1, "times": 1}),
        "Engine.standing": (engine.standing, {"state": state, "ending": 1}),
        "Node.child": (node.child, {"index": 0}),
        "Node.children": (lambda: list(node.children()), {}),
        "Searcher.visit": (lambda **given: searcher_of(engine, 100).visit(**given),
                           {"state": state, "depth": 1, "alpha": -100, "beta": 100, "nodes": 100, "until": None}),
        "searcher_of": (lambda **given: searcher_of(engine, **given),
                        {"entries": 100, "threads": 1, "horizon": Horizon(), "value": None}),
    }  # fmt: skip
    explainer: Any = game.prolog
    found["Engine.explain"] = (explainer.explain, {"state": state, "move": node.moves[0], "seconds": 5.0})
    found["Engine.query"] = (lambda **given: list(explainer.query(**given)),
                             {"state": state, "goal": "at(C) = none", "limit": 5, "seconds": 5.0})  # fmt: skip
    for name in own(engine):
        found[f"Engine.{name}"] = of_engine(engine, state, name)
    return found


OWN: dict[str, dict[str, Any]] = {
    "look": {"state": None}, "result": {"state": None},
    "turn_positions": {"state": None}, "count_turns": {"state": None},
    "perft": {"state": None, "depth": 2, "tick": None},
    "playouts": {"state": None, "games": 2, "seed": 1, "longest": 5},
    "expand_many": {"states": [], "children": True},
    "estimate_many": {"states": []},
    "searcher": {"entries": 100, "threads": 1, "horizon": Horizon()},
    "table_bytes": {"entries": 100},
    "tree": {"state": None, "settings": Settings(), "history": History()},
    "retrograde": {"state": None, "states": 100},
    "prover": {"state": None, "player": 1, "states": 100},
    "decider": {"states": 100},
}  # fmt: skip


def own(engine: Any) -> list[str]:
    """What this engine answers by itself."""
    return [name for name in OWN if hasattr(engine, name)]


def of_engine(engine: Any, state: bytes, name: str) -> Call:
    given = {key: state if key == "state" else value for key, value in OWN[name].items()}
    method = getattr(engine, name)
    return (lambda **given: list(method(**given)) if name == "turn_positions" else method(**given)), given


BAD: list[Any] = [
    None, -1, 0, -(2**40), 2**31, 2**64 + 1, 10**5000, math.nan, math.inf, -0.5, 1e308, True, "", "x", "\0", "\ud800",
    "a\nb", "(" * 5000, '{"mover":' * 5000, b"", b"\xff" * 10, bytes(10), bytearray(10), [], [None], (), (2**70,), {},
    {"x": [1]}, {None: None}, {b"": -1}, {1, 2}, object(), int, lambda *_: 1 // 0, lambda *_: "x", sorted,
]  # fmt: skip


def calls(functions: dict[str, Call]) -> list[tuple[str, str, int]]:
    """Every function with every bad value for each of its parameters, by the place of the value."""
    return [(name, parameter, number) for name, (_, given) in functions.items() for parameter in given
            for number in range(len(BAD))]  # fmt: skip


def carried_out(functions: dict[str, Call], name: str, parameter: str, number: int) -> str | None:
    """What went wrong with a call; None if it was answered, or refused as documented."""
    function, given = functions[name]
    value = BAD[number]
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        function(**{**given, parameter: value})
    except DOCUMENTED:
        return None
    except (Enough, Stopped):  # so a searcher ends a visit
        return None
    except ZeroDivisionError:
        return None if callable(value) else "ZeroDivisionError"  # the caller's own function failed
    except BaseException as error:
        return f"{type(error).__name__}: {error}"[:300]
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    return None


def stopped(*_: object) -> None:
    raise Enough


def named(engine_name: str) -> dict[str, Callable[[], Any]]:
    """Calls that must be refused, by what stands in the table of errors of docs/python.md."""
    game = pysolve.load("tictactoe", engine=engine_name)
    engine, start = game.engine, game.start()
    state, other = start.state, pysolve.load("zola", size=4).start().state
    node = engine.expand(state)
    return {
        "Position(g, None)": lambda: pysolve.Position(game, None),  # type: ignore[arg-type]
        "Position(None, state)": lambda: pysolve.Position(None, state),  # type: ignore[arg-type]
        "Position(g, other)": lambda: pysolve.Position(game, other),
        "Position(g, s, -1)": lambda: pysolve.Position(game, state, -1),
        "expand(None)": lambda: engine.expand(None),  # type: ignore[arg-type]
        "expand(other)": lambda: engine.expand(other),
        "expand(short)": lambda: engine.expand(state[:-1]),
        "expand(wrong)": lambda: engine.expand(state[:-1] + b"\x63"),
        "estimate(wrong)": lambda: engine.estimate(b"\x03" + state[1:]),
        "judge(wrong)": lambda: engine.judge(bytes(len(state)), 1, 1),
        "judge(turns)": lambda: engine.judge(state, -1, 1),
        "child(-1)": lambda: node.child(-1),
        "child(9)": lambda: node.child(9),
        "perft(-1)": lambda: perft(engine, state, -1),
        "perft(-2**40)": lambda: perft(engine, state, -(2**40)),
        "perft(2**64 + 1)": lambda: perft(engine, state, 2**64 + 1),
        "perft(1.0)": lambda: perft(engine, state, 1.0),  # type: ignore[arg-type]
        "perft(tick)": lambda: perft(engine, state, 1, 5),  # type: ignore[arg-type]
        "minimax(entries=-5)": lambda: minimax(engine, state, 2, entries=-5),
        "minimax(seconds=nan)": lambda: minimax(engine, state, seconds=math.nan),
        "minimax(seconds=inf)": lambda: minimax(engine, state, seconds=math.inf),
        "minimax(depth=0)": lambda: minimax(engine, state, 0),
        "minimax(nodes=-1)": lambda: minimax(engine, state, nodes=-1),
        "minimax(threads=0)": lambda: minimax(engine, state, 1, threads=0),
        "minimax(left=other)": lambda: minimax(engine, state, 1, left=[other]),
        "mcts(visits=0)": lambda: mcts(engine, state, 0),
        "mcts(seconds=nan)": lambda: mcts(engine, state, seconds=math.nan),
        "mcts(leaf)": lambda: mcts(engine, state, 1, settings=Settings(leaf="x")),
        "mcts(explore=nan)": lambda: mcts(engine, state, 1, settings=Settings(explore=math.nan)),
        "mcts(grave=-1)": lambda: mcts(engine, state, 1, settings=Settings(grave=-1)),
        "mcts(even=0)": lambda: mcts(engine, state, 1, settings=Settings(even=0)),
        "mcts(prior=10**9)": lambda: mcts(engine, state, 1, settings=Settings(prior=10**9)),
        "mcts(room=-1)": lambda: mcts(engine, state, 1, settings=Settings(room=-1)),
        "mcts(history)": lambda: mcts(engine, state, 1, history=History(0, {b"": 1})),
        "playouts(longest=-1)": lambda: playouts(engine, state, 1, longest=-1),
        "playouts(longest=10**9)": lambda: playouts(engine, state, 1, longest=10**9),
        "playouts(games=-1)": lambda: playouts(engine, state, -1),
        "playouts(seed)": lambda: playouts(engine, state, 1, "x"),  # type: ignore[arg-type]
        "playouts(state)": lambda: playouts(engine, other, 0),
        "retrograde(states=0)": lambda: retrograde(engine, state, 0),
        "retrograde(until=nan)": lambda: retrograde(engine, state, 10, until=math.nan),
        "prove(player=3)": lambda: prove(engine, state, 3, 10),
        "prove(states=0)": lambda: prove(engine, state, 1, 0),
        "expand_many(None)": lambda: batch.expand_many(engine, None),  # type: ignore[arg-type]
        "expand_many(bytes)": lambda: batch.expand_many(engine, state),  # type: ignore[arg-type]
        "expand_many([other])": lambda: batch.expand_many(engine, [state, other]),
        "estimate_many([None])": lambda: batch.estimate_many(engine, [None]),  # type: ignore[list-item]
        "turn_positions(other)": lambda: list(turns.turn_positions(engine, other)),
        "count_turns(other)": lambda: turns.count_turns(engine, other),
        "sample_turn(chance)": lambda: turns.sample_turn(engine, state, 1),  # type: ignore[arg-type]
        "explain(kind)": lambda: game.prolog.explain(state, (99,)),
        "explain(text)": lambda: game.prolog.explain(state, (0, "halt")),  # type: ignore[arg-type]
        "query(seconds)": lambda: start.query("at(C) = none", seconds=math.nan),
        "query(limit)": lambda: start.query("at(C) = none", limit=-1),
        "position(deep)": lambda: game.position('{"state":' * 100_000),
        "load(None)": lambda: pysolve.load(None),  # type: ignore[arg-type]
        "load(NUL)": lambda: pysolve.load("a\0b"),
        "load(long)": lambda: pysolve.load("a" * 5000),
        "sample(seed)": lambda: start.legal_moves.sample("x"),  # type: ignore[arg-type]
        "play(move)": lambda: start.play(pysolve.Move("b2", "place", {}, ("x",))),  # type: ignore[arg-type]
    }


def main(engine_name: str) -> None:
    faulthandler.enable()
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except ImportError:
        pass
    signal.signal(signal.SIGALRM, stopped)
    functions = table(engine_name)
    wrong, number = [], 0
    for name, parameter, value in calls(functions):
        sys.stderr.write(f"{name}({parameter}={value})\n")  # the last line says what crashed
        if said := carried_out(functions, name, parameter, value):
            wrong.append([name, parameter, value, said])
        number += 1
    refused = {}
    for name, call in named(engine_name).items():
        sys.stderr.write(f"{name}\n")
        try:
            call()
            refused[name] = "no error"
        except DOCUMENTED as error:
            refused[name] = f"{type(error).__name__}: {error}"
    json.dump({"calls": number, "wrong": wrong, "refused": refused}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
