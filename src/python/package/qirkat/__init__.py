"""Chesquerque, Masonic chess and Alquerque: boards, an engine, PGN, endgame tables and reviews.

The package follows python-chess. Colors are `WHITE` (`True`) and `BLACK` (`False`), squares are names
such as "e4". Invalid input raises a subclass of ValueError with the reason, and so does a number out of
bounds, however large. A file that cannot be opened raises OSError as `open()` does, with its name.
Types that are not classes (`Info`, `Variant` and others) exist only for type checkers: import them under
`TYPE_CHECKING`.

Boards, moves, games, limits, scores, results and reviews can be copied and pickled. An engine, an
analysis, tables, an evaluation and a reader belong to their process. Engines for asyncio, and in other
processes, are in `qirkat.engine`.
"""

from enum import IntFlag as _IntFlag

from . import engine as engine
from . import pgn as pgn
from ._qirkat import *
from ._qirkat import __version__ as __version__
from .pgn import Arrow as Arrow
from .pgn import ChildNode as ChildNode
from .pgn import Game as Game
from .pgn import GameNode as GameNode
from .pgn import Headers as Headers
from .values import Limit as Limit
from .values import Outcome as Outcome
from .values import PlayResult as PlayResult
from .values import PovScore as PovScore


class Status(_IntFlag):
    """What keeps a board from being a legal position."""

    VALID = 0
    NO_WHITE_KING = 1
    NO_BLACK_KING = 2
    TOO_MANY_KINGS = 4
    PAWNS_ON_BACKRANK = 32
    BAD_CASTLING_RIGHTS = 256
    INVALID_EP_SQUARE = 512
    OPPOSITE_CHECK = 1024
    EMPTY = 2048
