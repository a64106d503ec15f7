"""Chesquerque, Masonic chess and Alquerque: boards, an engine, PGN, endgame tables and reviews.

The manners are those of python-chess. Sides are `WHITE` (`True`) and `BLACK` (`False`), squares are
names such as "e4". What is wrong raises a subclass of ValueError that says why, and so does a number
that is out of bounds, however large it is; a file that cannot be opened raises OSError as open() does,
with its name. Attributes that are sequences are tuples. Types that are no classes (`Info`, `Variant`
and others) are in this file alone: import them below `TYPE_CHECKING`.

Boards, moves, games, limits, scores, results and reviews can be copied and pickled, and are the same
afterwards. An engine, an analysis, tables, an evaluation and a reader belong to their process.
"""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import TracebackType
from typing import Final, Literal, Protocol, TypedDict, final, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import NotRequired, Self, TypeAlias

__version__: Final[str]

Color: TypeAlias = bool
Variant: TypeAlias = Literal["chesquerque", "masonic", "alquerque"]
Result: TypeAlias = Literal["1-0", "0-1", "1/2-1/2", "*"]
Square: TypeAlias = str | int
"""A name such as "e4", or its place in `Board.squares`."""
Path: TypeAlias = str | os.PathLike[str]

WHITE: Final = True
BLACK: Final = False

class FenError(ValueError):
    """A text is not the FEN of a position."""

class InvalidMoveError(ValueError):
    """A text does not have the form of a move."""

class IllegalMoveError(ValueError):
    """A move is not legal here."""

class AmbiguousMoveError(ValueError):
    """A text could mean several legal moves."""

class PgnError(ValueError):
    """A game in PGN is faulty."""

class NetworkError(ValueError):
    """A file is not a network of this game."""

class TableError(ValueError):
    """A file is not an endgame table, or damaged."""

class MissingTableError(ValueError):
    """No table knows this position."""

class EngineError(RuntimeError):
    """The engine is closed, or the machine does not give what it needs."""

@final
class Move:
    """A move of one of the games. It need not be legal anywhere."""

    def __new__(cls, uci: str, variant: str = "chesquerque") -> Self: ...
    @staticmethod
    def from_uci(uci: str, variant: str = "chesquerque") -> Move:
        """Reads a move as UCI writes it, such as e2e4, a8a9q or c3e5e3, or 0000, the null move,
        which variations may have and which is false.

        Raises InvalidMoveError if it has not that form."""
    def uci(self) -> str:
        """The move as UCI writes it."""
    @property
    def variant(self) -> Variant:
        """The game that it is a move of."""
    @property
    def from_square(self) -> str:
        """Where the piece stands."""
    @property
    def to_square(self) -> str:
        """Where it ends."""
    @property
    def squares(self) -> tuple[str, ...]:
        """All squares that it visits, its start first: more than two in a chain of jumps."""
    @property
    def promotion(self) -> str | None:
        """The letter of the kind that a pawn becomes."""
    def __bool__(self) -> bool: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class LegalMoves:
    """The legal moves of a position at the time when they were asked for."""

    def count(self) -> int:
        """How many there are."""
    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __iter__(self) -> Iterator[Move]: ...
    @overload
    def __getitem__(self, key: int, /) -> Move: ...
    @overload
    def __getitem__(self, key: slice, /) -> list[Move]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...

@final
class Piece:
    """A piece: its side and its kind, known by its letter in FEN."""

    def __new__(cls, symbol: str) -> Self: ...
    @staticmethod
    def from_symbol(symbol: str) -> Piece:
        """The piece with this letter: upper case for White."""
    def symbol(self) -> str:
        """Its letter in FEN: upper case for White."""
    @property
    def color(self) -> Color:
        """Its side: True for White."""
    @property
    def kind(self) -> str:
        """Its kind in words, such as "knight"."""
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

Termination: TypeAlias = Literal[
    "checkmate",
    "blocked",
    "no_pieces",
    "stalemate",
    "repetition",
    "hundred_plies",
    "insufficient_material",
]

@final
class Outcome:
    """How a game ended, and who won."""

    @property
    def termination(self) -> Termination:
        """The reason."""
    @property
    def winner(self) -> Color | None:
        """Who won; None in a draw."""
    def result(self) -> Result:
        """The result as in PGN."""
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Board:
    """A position with the moves that led to it, of any of the games.

    Boards are equal where their positions are, clocks included; moves do not count. A board changes
    with its moves, so keep none as a key that is still played on."""

    def __new__(cls, fen: str | None = None, variant: str = "chesquerque") -> Self:
        """From a FEN, or from the start of the game.

        Raises FenError that says what is wrong with the FEN, and of which game its board is if not of
        this; what had to be corrected is a warning."""
    @property
    def variant(self) -> Variant:
        """The game."""
    @property
    def turn(self) -> Color:
        """Whose turn it is."""
    @property
    def fullmove_number(self) -> int:
        """The number of the move, as in FEN: one higher after each move of Black."""
    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move; in Alquerque, jump or step forward."""
    @property
    def squares(self) -> tuple[str, ...]:
        """The names of all squares, a1 first, along the ranks. The place of a name among them is the
        number of the square."""
    @property
    def move_stack(self) -> tuple[Move, ...]:
        """The moves that were made."""
    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves now."""
    def ply(self) -> int:
        """Half-moves since the beginning of the game, by the number of the move."""
    def fen(self) -> str:
        """The position as FEN."""
    def set_fen(self, fen: str) -> None:
        """Sets up a position of the same game, and forgets all moves."""
    def reset(self) -> None:
        """Sets up the start of the game, and forgets all moves."""
    def root(self) -> Board:
        """The position before the first move."""
    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal."""
    def why_illegal(self, move: Move) -> str | None:
        """Why a move is not legal, in words; None if it is."""
    def push(self, move: Move) -> None:
        """Makes a legal move.

        Raises IllegalMoveError with the reason if it is not legal; the board stays as it is then."""
    def pop(self) -> Move:
        """Takes the last move back and returns it. Raises IndexError if there is none."""
    def peek(self) -> Move:
        """The last move. Raises IndexError if there is none."""
    def parse_san(self, san: str) -> Move:
        """Reads a legal move in algebraic notation; in Alquerque by its squares.

        Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError."""
    def parse_uci(self, uci: str) -> Move:
        """Reads a legal move as UCI writes it. Raises InvalidMoveError or IllegalMoveError."""
    def push_san(self, san: str) -> Move:
        """Makes a move in algebraic notation, and returns it."""
    def push_uci(self, uci: str) -> Move:
        """Makes a move as UCI writes it, and returns it."""
    def san(self, move: Move) -> str:
        """A legal move in algebraic notation."""
    def variation_san(self, variation: Iterable[Move]) -> str:
        """A line of legal moves in algebraic notation, with the numbers of the moves."""
    def is_capture(self, move: Move) -> bool:
        """Whether a legal move captures."""
    def gives_check(self, move: Move) -> bool:
        """Whether a legal move gives check."""
    def is_check(self) -> bool:
        """Whether the side to move is in check; never in Alquerque."""
    def is_checkmate(self) -> bool:
        """Whether the side to move is mated."""
    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move, and that is a draw."""
    def is_insufficient_material(self) -> bool:
        """Whether neither side can win any more."""
    def is_game_over(self) -> bool:
        """Whether the game is over: draws by repetition and by 100 plies need not be claimed."""
    def outcome(self) -> Outcome | None:
        """How the game ended; None if it goes on."""
    def result(self) -> Result:
        """The result as in PGN, "*" if the game goes on."""
    def piece_at(self, square: Square) -> Piece | None:
        """The piece on a square. Raises ValueError if the board has no such square."""
    def piece_map(self) -> dict[str, Piece]:
        """All pieces by the names of their squares, a1 first."""
    def king(self, color: Color) -> str | None:
        """Where a side's king stands; None in Alquerque."""
    def attackers(self, color: Color, square: Square) -> list[str]:
        """The squares from which a side attacks a square, pinned pieces among them. In Alquerque
        those of the men that may jump over it."""
    def is_attacked_by(self, color: Color, square: Square) -> bool:
        """Whether a side attacks a square."""
    def mirror(self) -> Board:
        """The board from the other side: colours exchanged, the other side to move. Masonic chess
        has no such image of castling: rights that are lost are a warning."""
    def copy(self, *, stack: bool = True) -> Board:
        """A copy, by default with the moves that were made."""
    def svg(self, *, flipped: bool = False, marks: bool = True) -> str:
        """The board as a picture in SVG, with the last move and a check marked."""
    def _repr_svg_(self) -> str: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, _memo: object, /) -> Board: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __setstate__(self, moves: str) -> None: ...

@final
class Score:
    """A score from one side's view: centipawns, or moves to mate.

    Scores can be compared and negated. Wins that endgame tables know lie above 30000 centipawns,
    below all mates."""

    @overload
    def score(self, *, mate_score: int) -> int: ...
    @overload
    def score(self, *, mate_score: int | None = None) -> int | None:
        """Centipawns. For a mate None, or with mate_score that less the moves to mate."""
    def mate(self) -> int | None:
        """Moves to mate, below zero if this side is mated; 0 where it is mated already."""
    def is_mate(self) -> bool:
        """Whether it is a mate."""
    def __neg__(self) -> Score: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __lt__(self, value: Score, /) -> bool: ...
    def __le__(self, value: Score, /) -> bool: ...
    def __gt__(self, value: Score, /) -> bool: ...
    def __ge__(self, value: Score, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class PovScore:
    """A score with the side whose view it is."""

    @property
    def relative(self) -> Score:
        """The score for the side to move."""
    @property
    def turn(self) -> Color:
        """The side to move."""
    def white(self) -> Score:
        """The score for White."""
    def black(self) -> Score:
        """The score for Black."""
    def pov(self, color: Color) -> Score:
        """The score for a side."""
    def is_mate(self) -> bool:
        """Whether it is a mate."""
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Limit:
    """When a search ends: the first limit that is reached ends it.

    Times are seconds. With a clock the search takes its share of what the side to move has left.
    Raises ValueError unless depth, nodes, mate and remaining_moves are at least 1 and within 32, 64, 16
    and 32 bits, time is more than 0, and clocks and increments are not below 0. A depth above 127 is as
    good as 127."""

    def __new__(
        cls,
        *,
        time: float | None = None,
        depth: int | None = None,
        nodes: int | None = None,
        mate: int | None = None,
        white_clock: float | None = None,
        black_clock: float | None = None,
        white_inc: float | None = None,
        black_inc: float | None = None,
        remaining_moves: int | None = None,
    ) -> Self: ...
    @property
    def time(self) -> float | None: ...
    @property
    def depth(self) -> int | None: ...
    @property
    def nodes(self) -> int | None: ...
    @property
    def mate(self) -> int | None: ...
    @property
    def white_clock(self) -> float | None: ...
    @property
    def black_clock(self) -> float | None: ...
    @property
    def white_inc(self) -> float | None: ...
    @property
    def black_inc(self) -> float | None: ...
    @property
    def remaining_moves(self) -> int | None: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, float | None]]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...

class Info(TypedDict):
    """A line that a search has found."""

    depth: int
    seldepth: int
    multipv: int
    """The rank of the line, from 1."""
    score: PovScore
    lowerbound: NotRequired[bool]
    """The score is that at least."""
    upperbound: NotRequired[bool]
    """The score is that at most."""
    wdl: tuple[int, int, int]
    """Wins, draws and losses of the side to move in a thousand games."""
    nodes: int
    nps: int
    time: float
    """Seconds."""
    hashfull: int
    tbhits: int
    pv: list[Move]
    """The moves, empty where the game is over: as Board.is_game_over tells it, so drawn games too."""

@final
class PlayResult:
    """The move that was chosen, with the reply that is expected."""

    @property
    def move(self) -> Move | None:
        """The move; None if the game is over."""
    @property
    def ponder(self) -> Move | None:
        """The reply that is expected."""
    @property
    def info(self) -> Info:
        """The line it comes from."""

@final
class Engine:
    """The engine, within the process.

    It plays all games: a board of another one clears what was learned. Several threads may call it;
    each waits for its turn. The interpreter's lock is released while it thinks, and Ctrl-C stops it.
    """

    def __new__(
        cls,
        *,
        threads: int = 1,
        hash: int = 16,
        network: Path | None = None,
        tables: Path | None = None,
        skill_level: int | None = None,
        elo: int | None = None,
    ) -> Self:
        """An engine with so many threads (1 to 1024) and a table of so many megabytes. `network` names
        a file with another network of one of the games, `tables` a folder with more endgame tables;
        skill_level (0 to 20) or elo (500 to 2550) makes it weaker."""
    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: None = None,
        root_moves: Iterable[Move] | None = None,
    ) -> Info: ...
    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int,
        root_moves: Iterable[Move] | None = None,
    ) -> list[Info]:
        """Looks for the best move, and returns what it found; with multipv a list of the best lines,
        the best first. Raises EngineError if the engine is closed, also while it thinks."""
    def play(
        self, board: Board, limit: Limit, *, root_moves: Iterable[Move] | None = None
    ) -> PlayResult:
        """Chooses a move."""
    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move] | None = None,
    ) -> Analysis:
        """Begins a search and returns it: an iterator over the lines as they are found. Without a limit
        it goes on until it is stopped, or the engine is asked for something else."""
    @property
    def threads(self) -> int:
        """How many threads search."""
    @property
    def closed(self) -> bool:
        """Whether it was closed."""
    def clear(self) -> None:
        """Forgets what was learned in earlier searches."""
    def close(self) -> None:
        """Stops what runs and gives threads and memory back. It cannot be used any more."""
    def quit(self) -> None:
        """The same as close."""
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        _type: type[BaseException] | None = None,
        _value: BaseException | None = None,
        _traceback: TracebackType | None = None,
    ) -> None: ...

@final
class Analysis:
    """A search that runs: an iterator over its lines as they are found."""

    @property
    def info(self) -> Info:
        """The best line so far, as it stands now; empty before the first."""
    @property
    def multipv(self) -> tuple[Info, ...]:
        """The best lines so far, the best first."""
    def stop(self) -> None:
        """Tells the search to stop. Lines that it has found are still to be had."""
    def wait(self) -> PlayResult:
        """Waits for the end of the search and returns its choice."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> Info: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self,
        _type: type[BaseException] | None = None,
        _value: BaseException | None = None,
        _traceback: TracebackType | None = None,
    ) -> None: ...

@final
class PgnMove:
    """A move of a game with its annotations. Variations are lines in its place."""

    def __new__(
        cls,
        move: Move,
        comment: str = "",
        nags: Sequence[int] = (),
        variations: Sequence[Sequence[PgnMove]] = (),
    ) -> Self: ...
    @property
    def move(self) -> Move: ...
    @property
    def comment(self) -> str:
        """The comment behind it, or an empty text."""
    @property
    def nags(self) -> tuple[int, ...]:
        """Numeric annotation glyphs: 1 for !, 2 for ?."""
    @property
    def variations(self) -> tuple[tuple[PgnMove, ...], ...]:
        """Lines that could have been played in its place."""
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...

@final
class Headers:
    """The tags of a game by their names, in their order: a mapping that changes the game."""

    def __getitem__(self, key: str, /) -> str: ...
    def __setitem__(self, key: str, value: str, /) -> None: ...
    def __delitem__(self, key: str, /) -> None: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    @overload
    def get(self, name: str, default: str) -> str: ...
    @overload
    def get(self, name: str, default: str | None = None) -> str | None: ...
    def keys(self) -> list[str]: ...
    def values(self) -> list[str]: ...
    def items(self) -> list[tuple[str, str]]: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...

@final
class Game:
    """The record of a game: headers, moves with annotations, and the result.

    str(game) is its PGN; games in a file are separated by a blank line."""

    def __new__(cls, variant: str = "chesquerque") -> Self:
        """A record without moves that begins at the start of a game."""
    @classmethod
    def from_board(cls, board: Board) -> Game:
        """The record of what was played on a board, with its result if it is over."""
    @property
    def headers(self) -> Headers:
        """The tags by their names."""
    @property
    def variant(self) -> Variant:
        """The game."""
    result: Result
    """The result as in PGN."""
    comment: str
    """The comment before the first move, or an empty text."""
    @property
    def mainline(self) -> tuple[PgnMove, ...]:
        """The moves with their annotations. Others take the place of all, as in
        game.mainline = [*game.mainline, PgnMove(move)]; raises IllegalMoveError if one of them is not
        legal."""
    @mainline.setter
    def mainline(self, moves: Sequence[PgnMove], /) -> None: ...
    def mainline_moves(self) -> list[Move]:
        """The moves of the game."""
    def board(self) -> Board:
        """The board before the first move."""
    def end_board(self) -> Board:
        """The board after the last move, with all moves on its stack."""
    @property
    def number(self) -> int | None:
        """Its number in the file it was read from, from 1."""
    @property
    def line(self) -> int | None:
        """The line of the file where it begins, from 1."""
    @property
    def unread(self) -> tuple[str, ...]:
        """What could not be read of its variations and tags, or is stray text; it stays in comments."""
    def __len__(self) -> int: ...
    def __bool__(self) -> bool: ...
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: object, /) -> Game: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __setstate__(self, state: tuple[object, ...]) -> None: ...

class Readable(Protocol):
    """A file, or what can be read as one."""

    def read(self, size: int, /) -> str | bytes: ...

@final
class PgnReader:
    """Reads games one by one, as they are asked for."""

    @property
    def faults(self) -> tuple[str, ...]:
        """The faults of the games that could not be read so far, with their lines."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> Game: ...

def read_pgn(source: Path | Readable, *, errors: Literal["raise", "warn"] = "raise") -> PgnReader:
    """Reads the games of a file: its path, or an object with a method read. Raises OSError with the
    name of a file that cannot be opened or read.

    A faulty game raises PgnError, and the next call goes on behind it; with errors="warn" it is
    passed over with a warning."""

def parse_pgn(text: str | bytes, *, errors: Literal["raise", "warn"] = "raise") -> PgnReader:
    """Reads the games of a text."""

TableResult: TypeAlias = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]

class TableValue(TypedDict):
    """What a table knows."""

    result: TableResult
    """For the side to move, or the side that makes the move."""
    wdl: int
    """2 for a win, 1 for one that the 100-ply rule prevents, 0, -1, -2."""
    dtm: int | None
    """Plies to mate; None in a draw."""
    dtz: int | None
    """Plies to the next capture, pawn move or mate; None in a draw and in Alquerque."""

class TableMove(TableValue):
    """A legal move with what it leads to."""

    move: Move
    zeroing: bool
    """Whether it captures or moves a pawn."""

class TableProbe(TableValue):
    """A position that was looked up."""

    moves: list[TableMove]
    """Its legal moves, the best first."""

@final
class Tablebase:
    """Endgame tables: what holds for certain where few pieces are left.

    Those with three pieces, or four men of Alquerque, are in the package; `path` names a folder with
    more. Raises TableError where there are none, and OSError if it cannot be opened."""

    def __new__(cls, path: Path | None = None) -> Self: ...
    def probe(self, board: Board) -> TableProbe:
        """Looks a position and its moves up. Raises MissingTableError where no table knows it."""
    def probe_wdl(self, board: Board) -> int:
        """2 for a win of the side to move, 1 for one that the 100-ply rule prevents, 0 for a draw."""
    def probe_dtm(self, board: Board) -> int:
        """Plies to mate, below zero for a loss, 0 for a draw."""
    def probe_dtz(self, board: Board) -> int:
        """Plies to the next capture, pawn move or mate, below zero for a loss, 0 for a draw."""
    def get_wdl(self, board: Board, default: int | None = None) -> int | None:
        """As probe_wdl, with default where no table knows it."""
    def get_dtm(self, board: Board, default: int | None = None) -> int | None:
        """As probe_dtm, with default where no table knows it."""
    def get_dtz(self, board: Board, default: int | None = None) -> int | None:
        """As probe_dtz, with default where no table knows it."""

class ReviewedLine(TypedDict):
    """A line, with its score from White's view: centipawns or moves to mate."""

    cp: NotRequired[int]
    mate: NotRequired[int]
    wdl: list[int]
    depth: int
    pv: list[str]
    san: list[str]

class Refutation(TypedDict):
    """What follows on a bad move."""

    pv: list[str]
    san: list[str]

# `move` and the rest as `qirkat annotate --json` prints them.
ReviewedMove = TypedDict(
    "ReviewedMove",
    {
        "ply": int,
        "number": int,
        "color": Literal["white", "black"],
        "san": str,
        "move": str,
        "cp": NotRequired[int],
        "mate": NotRequired[int],
        "wdl": list[int],
        "depth": int,
        "best": ReviewedLine,
        "refutation": NotRequired[Refutation],
        "loss": float,
        "mark": Literal["inaccuracy", "mistake", "blunder"] | None,
        "only_move": bool,
        "missed_win": bool,
        "phase": Literal["opening", "middlegame", "endgame"],
        "reason": str | None,
    },
)

class Accuracy(TypedDict):
    """How well a side played some moves."""

    percent: float | None
    moves: int
    given_away: float
    inaccuracies: int
    mistakes: int
    blunders: int

class PlayerAccuracy(TypedDict):
    """How well a side played, in all and by phase."""

    game: Accuracy
    opening: Accuracy
    middlegame: Accuracy
    endgame: Accuracy

class Accuracies(TypedDict):
    """How well both sides played."""

    white: PlayerAccuracy
    black: PlayerAccuracy

class ReviewData(TypedDict):
    """A review as plain data."""

    variant: Variant
    white: str | None
    black: str | None
    result: Result
    start: str
    unreviewed: int
    moves: list[ReviewedMove]
    accuracy: Accuracies

@final
class Review:
    """A reviewed game."""

    @property
    def moves(self) -> tuple[ReviewedMove, ...]:
        """What was found of each move."""
    @property
    def accuracy(self) -> Accuracies:
        """How well each side played."""
    @property
    def expectations(self) -> tuple[float, ...]:
        """White's expected points, from 0 to 1, before the first move and after each."""
    def annotated(self) -> Game:
        """The game with the review in comments, glyphs and variations."""
    def to_dict(self) -> ReviewData:
        """The review as plain data."""
    def __len__(self) -> int: ...

def review(
    game: Game,
    limit: Limit,
    *,
    progress: Callable[[int], object] | None = None,
    hash: int = 16,
) -> Review:
    """Reviews a game: what each move was worth and why, from the last to the first. `limit` holds for
    each search and is one of nodes, depth and time, the last for each move: all that the review takes
    is at most twice that on average. `progress` is told after each move how many are left, `hash` is
    the table in megabytes. Ctrl-C breaks it off."""

@final
class Evaluation:
    """The static evaluation of a game: its network, without looking ahead.

    Values are centipawns for the side to move. `network` names a file with another network, or is
    "<none>" for material and placement alone. Raises OSError for a file that cannot be opened, and
    NetworkError for one that is no network of this game."""

    def __new__(cls, variant: str = "chesquerque", network: Path | None = None) -> Self: ...
    @property
    def variant(self) -> Variant:
        """The game."""
    @property
    def checksum(self) -> str | None:
        """The checksum that identifies the network; None without one."""
    def __call__(self, board: Board) -> int:
        """The value of a board."""
    def batch(self, boards: Iterable[Board]) -> npt.NDArray[np.int16]:
        """The values of many boards, one for each."""

def network_sizes(variant: str = "chesquerque") -> tuple[int, int, int]:
    """The sizes of a game's networks: features, pieces at most (and so active features of a side), and
    output buckets."""

def features(boards: Iterable[Board]) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint8]]:
    """The inputs of networks for boards of one game: (indices, buckets).

    `indices` has the shape (boards, 2, pieces): the active features as the side to move sees them,
    then as the other side does, each padded with -1. `buckets` has the output layer for each board.
    Raises ValueError for boards of different games, and for one with more pieces than there is room
    for, as network_sizes tells it."""

def legal_moves(boards: Iterable[Board]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """The legal moves of many boards of one game: (moves, offsets).

    `moves` has the shape (moves, 3): the numbers of the squares where a move begins and ends, and the
    code of the letter that a pawn becomes, or 0. Those of board i are
    moves[offsets[i]:offsets[i + 1]], in the order of board.legal_moves."""
