"""Games for OpenSpiel: `register` makes rules known to `pyspiel.load_game`.

    from pysolve.adapters.open_spiel import register
    register("zola.rules")
    game = pyspiel.load_game("pysolve(rules=zola,options=size:4)")

A game is sequential; its moves are numbered by `pysolve.dsl.model.move_numbers`, and its observations are the planes of
`pysolve.notation.planes`, scaled to numbers from 0 to 1.  In a game with secrets they are of what the player sees, and
the information state is the text of `Position.information`.  Where the set-up draws lots
the game begins with a chance node, whose outcomes are the first `setups` seeds; what the rules leave to chance is a
chance node, whose outcomes are its moves.  A game of more than `longest` moves
is a draw.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pysolve.adapters.moves import NumberedGame
from pysolve.game import Game, load
from pysolve.notation.planes import Planes
from pysolve.position import Position
from pysolve.runtime.optional import needed

np: Any = needed("numpy", "open_spiel", "the adapter for OpenSpiel")
pyspiel: Any = needed("pyspiel", "open_spiel", "the adapter for OpenSpiel")
observation: Any = needed("open_spiel.python.observation", "open_spiel", "the adapter for OpenSpiel")

NAME = "pysolve"
LONGEST = 1000
SETUPS = 100
_registered: dict[str, Game] = {}  # OpenSpiel has one list of games for a process, and so has this


def register(rules: str | Path) -> str:
    """Makes rules known to OpenSpiel, beside those that already are; the text by which `pyspiel.load_game` loads them.

    Rules are what `pysolve.load` reads.
    """
    game = load(rules)
    name = f"{game.name}.rules" if game.name.isdecimal() else game.name  # OpenSpiel would take 2048 for a number
    _registered[name] = game
    pyspiel.register_game(_type_of(game, name), _Game)
    return f"{NAME}(rules={name})"


def _type_of(game: Game, name: str) -> Any:
    kind, players = pyspiel.GameType, len(game.players)
    lots = game.model.draws_lots or game.model.chances
    chance = kind.ChanceMode.EXPLICIT_STOCHASTIC if lots else kind.ChanceMode.DETERMINISTIC
    secret = game.model.secret
    return kind(
        short_name=NAME,
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=chance,
        information=kind.Information.IMPERFECT_INFORMATION if secret else kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM if players > 1 else kind.Utility.GENERAL_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"rules": name, "options": "", "longest": LONGEST, "setups": SETUPS},
    )


def _options(text: str) -> dict[str, str]:
    """The options in a text as "size:4 begin:Blue"; a sign of equality would end the text for OpenSpiel."""
    words = [word.partition(":") for word in text.split()]
    for name, colon, value in words:
        if not (name and colon and value):
            raise ValueError(f'"{name}{colon}{value}" is not an option: options are written  options=size:4 begin:Blue')
    return {name: value for name, _, value in words}


class _Game(pyspiel.Game):  # type: ignore[misc]
    """A game of OpenSpiel with these parameters."""

    def __init__(self, params: dict[str, Any] | None = None):
        params = {"options": "", "longest": LONGEST, "setups": SETUPS, **(params or {})}
        rules = params.setdefault("rules", next(reversed(_registered)))
        if rules not in _registered:
            raise ValueError(f'the rules "{rules}" are not registered; registered are {", ".join(_registered)}')
        for name in ("longest", "setups"):
            if params[name] < 1:
                raise ValueError(f"{name} must be at least 1, not {params[name]}")
        game, longest = _registered[rules], params["longest"]
        if params["options"]:
            game = game.with_options(**_options(params["options"]))
        setups = params["setups"] if game.model.draws_lots else 0
        numbered, players = NumberedGame(game), len(game.players)
        most = game.model.most_paid / game.model.payoff_unit
        info = pyspiel.GameInfo(
            num_distinct_actions=numbered.numbers.count,
            max_chance_outcomes=max(setups, numbered.numbers.count if game.model.chances else 0),
            num_players=players,
            min_utility=-most,
            max_utility=most,
            utility_sum=0.0 if players > 1 else None,
            max_game_length=longest,
        )
        super().__init__(_type_of(game, rules), info, params)
        self.played = _Played(numbered, Planes(game.model), setups, longest)

    def new_initial_state(self, state: Any = None) -> _State:
        """The initial state; positions cannot be read from OpenSpiel's structures."""
        if state is not None:
            raise ValueError("a state of pysolve is given by its moves, not by a structure")
        return _State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """An observer, which writes observations; all that a player of a game with secrets knows, as text alone."""
        if self.played.numbered.game.model.secret and iig_obs_type is not None and iig_obs_type.perfect_recall:
            return _Recaller(params)
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return _Observer(self.played.planes, params)
        return observation.IIGObserverForPublicInfoGame(iig_obs_type, params)


class _Played:
    """The data that all states of a game share."""

    def __init__(self, numbered: NumberedGame, planes: Planes, setups: int, longest: int):
        self.numbered, self.planes, self.setups, self.longest = numbered, planes, setups, longest
        self.start = None if setups else numbered.game.start()

    def __deepcopy__(self, memo: dict[int, object]) -> _Played:
        """This object, because it never changes."""
        return self


class _State(pyspiel.State):  # type: ignore[misc]
    """A state of OpenSpiel: a position and the number of moves so far."""

    def __init__(self, game: _Game):
        super().__init__(game)
        self.played = game.played
        self.position: Position | None = self.played.start  # None: the set-up is not drawn yet
        self.moves = 0

    def current_player(self) -> int:
        """The player to move, or what OpenSpiel has for chance and for the end."""
        if self.position is None:
            return int(pyspiel.PlayerId.CHANCE)
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.position.chance else self.position.state[0] - 1

    def is_terminal(self) -> bool:
        """True if the game is over, or has gone on for too long."""
        return self.position is not None and (self.moves >= self.played.longest or self.position.is_over)

    def returns(self) -> list[float]:
        """The payoff of each player; zeros while the game goes on."""
        players = len(self.played.numbered.game.players)
        return [0.0] * players if self.position is None else self.position.returns()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The moves of chance with their probabilities; before the game the set-ups, all equally likely."""
        if self.position is not None:
            encode = self.played.numbered.numbers.encode
            return [(encode(move.numbers), float(likely)) for move, likely in self.position.chance_moves]
        return [(setup, 1 / self.played.setups) for setup in range(self.played.setups)]

    def _legal_actions(self, player: int) -> list[int]:
        assert self.position is not None
        return self.played.numbered.legal(self.position)

    def _apply_action(self, action: int) -> None:
        if self.position is None:
            self.position = self.played.numbered.game.start(action)
        else:
            self.position = self.played.numbered.play(self.position, action)
            self.moves += 1

    def _action_to_string(self, player: int, action: int) -> str:
        return f"set-up {action}" if self.position is None else self.played.numbered.text(action)

    def __str__(self) -> str:
        return "the set-up is drawn" if self.position is None else self.position.diagram()


class _Observer:
    """Writes the planes of a state."""

    def __init__(self, planes: Planes, params: Any):
        if params:
            raise ValueError(f"there are no parameters of observations, but {params} are given")
        self._planes = planes
        self.tensor = np.zeros(int(np.prod(planes.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(planes.shape)}

    def set_from(self, state: _State, player: int) -> None:
        """The planes as a player looks at them; zeros before the set-up."""
        if state.position is None:
            self.tensor.fill(0)
        else:
            view = state.position.game.engine.view(state.position.state, player + 1)
            self.dict["observation"][:] = self._planes.scaled(view, player)

    def string_from(self, state: _State, player: int) -> str:
        """What the player sees of the position as a diagram."""
        if state.position is None:
            return str(state)
        return state.position.view(state.position.game.players[player]).diagram()


class _Recaller:
    """Writes what a player has seen since the beginning, as text."""

    def __init__(self, params: Any):
        if params:
            raise ValueError(f"there are no parameters of observations, but {params} are given")
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: _State, player: int) -> None:
        """There is nothing to set: there are no tensors."""

    def string_from(self, state: _State, player: int) -> str:
        """What a player, from 0, knows."""
        if state.position is None:
            return str(state)
        return state.position.information(state.played.numbered.game.players[player])


__all__ = ["register"]
