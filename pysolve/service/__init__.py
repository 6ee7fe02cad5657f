"""What a page may ask about games: questions and answers as JSON, the same behind a server and in a browser.

service     the questions: what goes in, and who answers
door        checks every input before anything uses it
refused     why a question has no answer
question    a question that is being answered
games       the games that are open
lines       the positions of the lines that were asked about last
rules       check, format, begin, open, games
editing     what an editor shows of a text, and what it offers
describing  a game: what a page must know about it, whatever the position
picture     the empty board, and what lies on a cell, as parts
playing     positions: moves, what lies where, whole turns
explaining  why a move is legal or not
cards       what a gallery shows of each game, with a `thumbnail`; `make_cards` writes those of the shipped games

Nothing here knows a web server, nor needs another process.  `web/src/protocol.ts` says what each question holds.
"""

from pysolve.service.refused import Refused
from pysolve.service.service import Service

__all__ = ["Refused", "Service"]
