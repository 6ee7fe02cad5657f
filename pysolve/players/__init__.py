"""Who chooses moves: the players that a text names, other programs among them, and games that they play."""

from pysolve.players.functions import Player as Player
from pysolve.players.functions import player as player
