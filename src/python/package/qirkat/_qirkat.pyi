"""The compiled part of the package: see `qirkat`. Sequence attributes are tuples."""

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, Literal, Protocol, TypedDict, final, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import NotRequired, Self, TypeAlias

from . import Status
from .engine import ConfigValue, Option, SimpleEngine
from .pgn import Game
from .values import Limit, Outcome, PlayResult, PovScore

__version__: Final[str]

Color: TypeAlias = bool
Variant: TypeAlias = Literal["chesquerque", "masonic", "alquerque"]
Result: TypeAlias = Literal["1-0", "0-1", "1/2-1/2", "*"]
Square: TypeAlias = str | int
"""A name such as "e4", or its index in `Board.squares`."""
Path: TypeAlias = str | os.PathLike[str]

WHITE: Final = True
BLACK: Final = False

class FenError(ValueError):
    """Not a valid FEN."""

class InvalidMoveError(ValueError):
    """Not in the form of a move."""

class IllegalMoveError(ValueError):
    """An illegal move."""

class AmbiguousMoveError(ValueError):
    """A text that fits several legal moves."""

class PgnError(ValueError):
    """A faulty game in PGN."""

class NetworkError(ValueError):
    """Not a network of this variant."""

class BookError(ValueError):
    """Not an opening book of this variant."""

class TableError(ValueError):
    """Not an endgame table, or a damaged one."""

class MissingTableError(ValueError):
    """No table has this position."""

class EngineError(RuntimeError):
    """The engine is closed, or the machine lacks the resources."""

@final
class Move:
    """A move of a variant. It need not be legal in any position."""

    def __new__(cls, uci: str, variant: str = "chesquerque") -> Self: ...
    @staticmethod
    def from_uci(uci: str, variant: str = "chesquerque") -> Move:
        """Parses a move in UCI notation, such as `e2e4`, `a8a9q` or `c3e5e3`, or the null move `0000`,
        which variations may have and which is false.

        Raises InvalidMoveError if it is not in that form."""
    @staticmethod
    def null(variant: str = "chesquerque") -> Move:
        """The null move, `0000`, by which the side to move passes. It is false, and legal nowhere."""
    def uci(self) -> str:
        """The move in UCI notation."""
    @property
    def variant(self) -> Variant:
        """The move's variant."""
    @property
    def from_square(self) -> str:
        """The start square."""
    @property
    def to_square(self) -> str:
        """The end square."""
    @property
    def squares(self) -> tuple[str, ...]:
        """All squares of the move, the start first: more than two for a series of jumps."""
    @property
    def promotion(self) -> str | None:
        """The letter of the promotion piece."""
    def __bool__(self) -> bool: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __lt__(self, value: Move, /) -> bool: ...
    def __le__(self, value: Move, /) -> bool: ...
    def __gt__(self, value: Move, /) -> bool: ...
    def __ge__(self, value: Move, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class LegalMoves:
    """The legal moves of a position at the time of the call.

    Supports `len`, iteration, indexing and `in`."""

    def count(self) -> int:
        """Their number."""
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
    """A piece, given by its FEN letter: its side and its kind."""

    def __new__(cls, symbol: str) -> Self: ...
    @staticmethod
    def from_symbol(symbol: str) -> Piece:
        """The piece with this FEN letter: upper case for White."""
    def symbol(self) -> str:
        """Its FEN letter: upper case for White."""
    @property
    def color(self) -> Color:
        """Its side: `True` for White."""
    @property
    def kind(self) -> str:
        """The name of its kind, such as `knight`."""
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
class Board:
    """A position of any variant, with the moves that led to it.

    Boards are equal if their positions are, including the clocks but not the moves. The hash changes
    with every move, so do not use a board that is still played on as a key.

    A board can be changed by hand: piece by piece, or by setting `turn` and what else can be set, all of
    which clears the moves. While it is no legal position (see `status`), what needs one raises FenError
    with the reason."""

    def __new__(cls, fen: str | None = None, variant: str = "chesquerque") -> Self:
        """A board with a FEN, or the start position.

        Raises FenError with the reason if the FEN is invalid, and with the variant that its board
        belongs to; corrections are reported as a warning."""
    @property
    def variant(self) -> Variant:
        """The variant: `chesquerque`, `masonic` or `alquerque`."""
    @property
    def turn(self) -> Color:
        """The side to move: `True` for White."""
    @turn.setter
    def turn(self, turn: Color, /) -> None: ...
    @property
    def fullmove_number(self) -> int:
        """The move number, as in FEN: incremented after Black's move."""
    @fullmove_number.setter
    def fullmove_number(self, number: int, /) -> None: ...
    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move; in Alquerque, jump or step forward."""
    @halfmove_clock.setter
    def halfmove_clock(self, plies: int, /) -> None: ...
    @property
    def castling_rights(self) -> frozenset[str]:
        """The squares of the rooks that have the right to castle. Rights whose king or rook is not at
        home have no effect."""
    @castling_rights.setter
    def castling_rights(self, rooks: Iterable[Square], /) -> None: ...
    @property
    def ep_square(self) -> str | None:
        """The square that a pawn has just passed over by a double step; on a legal board only if a
        capture there is legal."""
    @ep_square.setter
    def ep_square(self, square: Square | None, /) -> None: ...
    @property
    def squares(self) -> tuple[str, ...]:
        """The names of all squares, rank by rank from `a1`. The index of a name is the number of the
        square."""
    @property
    def move_stack(self) -> tuple[Move, ...]:
        """The moves made so far."""
    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves."""
    def generate_legal_captures(self) -> Iterator[Move]:
        """The legal moves that capture, as an iterator."""
    def ply(self) -> int:
        """Half-moves since the start of the game, according to the move number."""
    def fen(self) -> str:
        """The position as FEN."""
    def set_fen(self, fen: str) -> None:
        """Sets up a position of the same variant and clears the moves."""
    def reset(self) -> None:
        """Sets up the start position and clears the moves."""
    def root(self) -> Board:
        """The position before the first move."""
    def is_legal(self, move: Move) -> bool:
        """Whether a move is legal."""
    def why_illegal(self, move: Move) -> str | None:
        """Why a move is illegal; `None` if it is legal."""
    def push(self, move: Move) -> None:
        """Makes a legal move, or the null move where the side to move is not in check and the other
        side has a move.

        Raises IllegalMoveError with the reason if it is illegal; the board is then unchanged."""
    def pop(self) -> Move:
        """Takes the last move back and returns it. Raises IndexError if there is none."""
    def peek(self) -> Move:
        """The last move. Raises IndexError if there is none."""
    def parse_san(self, san: str) -> Move:
        """Parses a legal move in algebraic notation, in Alquerque by its squares; or the null move, `--`.

        Raises InvalidMoveError, IllegalMoveError or AmbiguousMoveError."""
    def parse_uci(self, uci: str) -> Move:
        """Parses a legal move in UCI notation.

        Raises InvalidMoveError or IllegalMoveError."""
    def push_san(self, san: str) -> Move:
        """Makes a move in algebraic notation, and returns it."""
    def push_uci(self, uci: str) -> Move:
        """Makes a move in UCI notation, and returns it."""
    def san(self, move: Move) -> str:
        """A legal move in algebraic notation."""
    def variation_san(self, variation: Iterable[Move]) -> str:
        """A line of legal moves in algebraic notation, with move numbers."""
    def is_capture(self, move: Move) -> bool:
        """Whether a legal move captures."""
    def is_en_passant(self, move: Move) -> bool:
        """Whether a legal move captures a pawn that has just made a double step."""
    def is_zeroing(self, move: Move) -> bool:
        """Whether a legal move resets the halfmove clock: a capture or pawn move; in Alquerque, a jump
        or step forward."""
    def is_castling(self, move: Move) -> bool:
        """Whether a legal move castles."""
    def is_kingside_castling(self, move: Move) -> bool:
        """Whether a legal move castles towards the last file."""
    def is_queenside_castling(self, move: Move) -> bool:
        """Whether a legal move castles towards file `a`."""
    def gives_check(self, move: Move) -> bool:
        """Whether a legal move gives check."""
    def is_check(self) -> bool:
        """Whether the side to move is in check; never in Alquerque."""
    def checkers(self) -> list[str]:
        """The squares of the pieces that give check, from `a1`."""
    def is_checkmate(self) -> bool:
        """Whether the side to move is mated."""
    def is_stalemate(self) -> bool:
        """Whether the side to move has no legal move and the game is drawn for that reason."""
    def is_insufficient_material(self) -> bool:
        """Whether neither side can win."""
    def is_game_over(self) -> bool:
        """Whether the game is over: draws by repetition and by 100 plies need not be claimed."""
    def outcome(self) -> Outcome | None:
        """How the game ended; `None` if it is not over."""
    def result(self) -> Result:
        """The result as in PGN, `*` if the game is not over."""
    def piece_at(self, square: Square) -> Piece | None:
        """The piece on a square, which is a name or a number.

        Raises ValueError if the board has no such square."""
    def piece_map(self) -> dict[str, Piece]:
        """All pieces by square name, from `a1`."""
    def set_piece_at(self, square: Square, piece: Piece | None) -> None:
        """Puts a piece on a square, or takes the one there away. The board need not be a legal position
        then, see `status`. All changes by hand clear the moves."""
    def remove_piece_at(self, square: Square) -> Piece | None:
        """Takes a piece away and returns it."""
    def set_piece_map(self, pieces: Mapping[str, Piece] | Mapping[int, Piece]) -> None:
        """Replaces all pieces by those of a mapping from squares."""
    def clear_board(self) -> None:
        """Takes all pieces away."""
    def clear(self) -> None:
        """Takes all pieces away, with White to move and no castling rights."""
    def set_castling_fen(self, castling_fen: str) -> None:
        """Sets the castling rights as in FEN: some of `KQkq`, or `-`."""
    def has_castling_rights(self, color: Color) -> bool:
        """Whether a side has a right to castle."""
    def has_kingside_castling_rights(self, color: Color) -> bool:
        """Whether a side has the right to castle towards the last file."""
    def has_queenside_castling_rights(self, color: Color) -> bool:
        """Whether a side has the right to castle towards file `a`."""
    def status(self) -> Status:
        """What keeps the board from being a legal position: `Status.VALID` if nothing does. With any
        flag other than `BAD_CASTLING_RIGHTS`, or `EMPTY` in Alquerque, what needs a legal position
        raises `FenError`."""
    def is_valid(self) -> bool:
        """Whether `status` finds nothing."""
    def king(self, color: Color) -> str | None:
        """The square of a side's king; `None` in Alquerque."""
    def attackers(self, color: Color, square: Square) -> list[str]:
        """The squares from which a side attacks a square, from `a1`, including pinned pieces. In
        Alquerque, the squares of men that may jump over it."""
    def is_attacked_by(self, color: Color, square: Square) -> bool:
        """Whether a side attacks a square."""
    def attacks(self, square: Square) -> list[str]:
        """The squares that the piece on a square attacks, from `a1`, also if it is pinned. In
        Alquerque, the squares of men that it may jump over."""
    def is_pinned(self, color: Color, square: Square) -> bool:
        """Whether a side's piece on a square may not leave a line to its king."""
    def pin(self, color: Color, square: Square) -> list[str]:
        """The squares of the line that a side's pinned piece may not leave, with that of the attacker
        and without the king's; all squares if the piece is not pinned."""
    def mirror(self) -> Board:
        """The board from the other side, with colours swapped. Masonic chess has no mirrored castling:
        lost rights raise a warning."""
    def copy(self, *, stack: bool = True) -> Board:
        """A copy, by default with the moves made."""
    def svg(self, *, flipped: bool = False, marks: bool = True) -> str:
        """The board as an SVG picture, with the last move and a check marked."""
    def _repr_svg_(self) -> str: ...
    def __copy__(self) -> Board: ...
    def __deepcopy__(self, _memo: object, /) -> Board: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __setstate__(self, state: str) -> None: ...

@final
class Score:
    """A score from one side's point of view: centipawns, or moves to mate.

    Scores can be compared and negated. Tablebase wins lie above 30000 centipawns, below all mates."""

    @overload
    def score(self, *, mate_score: int) -> int: ...
    @overload
    def score(self, *, mate_score: int | None = None) -> int | None:
        """Centipawns. For a mate `None`, or `mate_score` minus the moves to mate."""
    def mate(self) -> int | None:
        """Moves to mate, negative if this side is mated; 0 if it is already mated."""
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

def Cp(cp: int) -> Score:
    """A score in centipawns, at most 31871 from 0."""

def Mate(moves: int) -> Score:
    """A mate in this many moves, negative if this side is mated; 0 if it is already mated."""

def _ensure_bounded(limit: Limit, turn: Color) -> None: ...

class Info(TypedDict):
    """A line found by a search."""

    depth: int
    seldepth: int
    multipv: int
    """The rank of the line, from 1."""
    score: PovScore
    lowerbound: NotRequired[bool]
    """The score is a lower bound."""
    upperbound: NotRequired[bool]
    """The score is an upper bound."""
    wdl: tuple[int, int, int]
    """Expected wins, draws and losses of the side to move in 1000 games."""
    nodes: int
    nps: int
    time: float
    """Seconds."""
    hashfull: int
    tbhits: int
    pv: list[Move]
    """The moves; empty if the game is over, as in `Board.is_game_over`."""
    string: NotRequired[str]
    currmove: NotRequired[Move]
    currmovenumber: NotRequired[int]
    cpuload: NotRequired[int]
    """These come only from other engines, which may omit any of the other keys."""

@final
class Engine:
    """The engine, in this process.

    It plays all variants; a board of another variant clears its hash table. Calls from several threads
    wait for each other. It searches without the interpreter's lock, and Ctrl-C stops it.
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
        """An engine with this many threads (1 to 1024) and megabytes of hash table. `network` names a
        network file for one of the variants, `tables` a folder with more endgame tables; skill_level
        (0 to 20) or elo (500 to 2550) limits the strength."""
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
        """Searches for the best move and returns the result; with `multipv` a list of the best lines,
        best first. Raises EngineError if the engine is closed, also during the search."""
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
        """Starts a search and returns it: an iterator over the lines as they are found. Without a
        limit it runs until stopped, or until the engine is used again."""
    @property
    def options(self) -> dict[str, Option]:
        """The options by name, as UCI engines announce them."""
    def configure(self, options: Mapping[str, ConfigValue]) -> None:
        """Sets options by name, such as `{"Hash": 64}`. It stops a running search. Raises EngineError if
        there is no such option, or it does not take the value."""
    @staticmethod
    def popen_uci(command: str | list[str], **options: Any) -> SimpleEngine:
        """Starts another UCI engine: the same as `qirkat.engine.SimpleEngine.popen_uci`."""
    @property
    def threads(self) -> int:
        """The number of search threads."""
    @property
    def closed(self) -> bool:
        """Whether it was closed."""
    def clear(self) -> None:
        """Clears the hash table and everything else learned in earlier searches."""
    def close(self) -> None:
        """Stops the search and releases threads and memory. The engine cannot be used afterwards."""
    def quit(self) -> None:
        """The same as `close`."""
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class Analysis:
    """A running search: an iterator over its lines as they are found."""

    @property
    def info(self) -> Info:
        """The best line so far; empty before the first."""
    @property
    def multipv(self) -> tuple[Info, ...]:
        """The best lines so far, best first."""
    def stop(self) -> None:
        """Stops the search. Lines already found remain available."""
    def wait(self) -> PlayResult:
        """Waits for the end of the search and returns its move."""
    def _poll(self) -> tuple[bool, Info | None]: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Info: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_exception: object) -> None: ...

@final
class _PgnMove:
    def __new__(
        cls,
        move: Move,
        comment: str,
        starting_comment: str,
        nags: Sequence[int],
        variations: Sequence[Sequence[_PgnMove]],
    ) -> Self: ...
    @property
    def move(self) -> Move: ...
    @property
    def comment(self) -> str: ...
    @property
    def starting_comment(self) -> str: ...
    @property
    def nags(self) -> tuple[int, ...]: ...
    @property
    def variations(self) -> tuple[tuple[_PgnMove, ...], ...]: ...

@final
class _Record:
    def __new__(
        cls,
        start: Board,
        tags: Sequence[tuple[str, str]],
        comment: str,
        moves: Sequence[_PgnMove],
        result: str,
        origin: tuple[int | None, int | None, Sequence[str]],
    ) -> Self: ...
    @property
    def variant(self) -> Variant: ...
    @property
    def start(self) -> Board: ...
    @property
    def tags(self) -> list[tuple[str, str]]: ...
    @property
    def comment(self) -> str: ...
    @property
    def moves(self) -> tuple[_PgnMove, ...]: ...
    @property
    def result(self) -> Result: ...
    @property
    def origin(self) -> tuple[int | None, int | None, tuple[str, ...]]: ...
    def mainline_moves(self) -> list[Move]: ...
    def end_board(self) -> Board: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __ne__(self, value: object, /) -> bool: ...

class Readable(Protocol):
    """A file, or an object that can be read like one."""

    def read(self, size: int, /) -> str | bytes: ...

@final
class PgnReader:
    """Reads games one by one, on demand.

    A faulty game raises PgnError, and the next call continues after it; with `errors="warn"` it is
    skipped with a warning. `faults` lists all faults so far."""

    @property
    def faults(self) -> tuple[str, ...]:
        """The faults of unreadable games so far, with line numbers."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> Game: ...

def read_pgn(source: Path | Readable, *, errors: Literal["raise", "warn"] = "raise") -> PgnReader:
    """Reads the games of a file, given by path or as an object with a method `read`. Raises OSError
    with the name of a file that cannot be opened or read.

    A faulty game raises PgnError, and the next call continues after it; with `errors="warn"` it is
    skipped with a warning."""

def parse_pgn(text: str | bytes, *, errors: Literal["raise", "warn"] = "raise") -> PgnReader:
    """Reads the games of a text."""

TableResult: TypeAlias = Literal["win", "cursed-win", "draw", "blessed-loss", "loss"]

class TableValue(TypedDict):
    """A table's value of a position."""

    result: TableResult
    """For the side to move, or the side that makes the move."""
    wdl: int
    """2 for a win, 1 for a cursed win, 0 for a draw, -1 for a blessed loss, -2 for a loss."""
    dtm: int | None
    """Plies to mate; `None` for a draw, and in tables of results only."""
    dtz: int | None
    """Plies to the next capture, pawn move or mate; `None` for a draw, in Alquerque and in tables of results only."""

class TableMove(TableValue):
    """A legal move and its value."""

    move: Move
    zeroing: bool
    """Whether it is a capture or a pawn move; in Alquerque, a jump or step forward."""

class TableProbe(TableValue):
    """A probed position."""

    moves: list[TableMove]
    """The legal moves of which a table is certain, best first."""

@final
class Tablebase:
    """Endgame tables: exact results for positions with few pieces.

    Tables for three pieces, or four men in Alquerque, are built in; `path` names a folder with more.
    Distances are in plies. Raises TableError if the folder has no tables, and OSError if it cannot be
    opened."""

    def __new__(cls, path: Path | None = None) -> Self: ...
    def probe(self, board: Board) -> TableProbe:
        """Probes a position and its moves: `result` (`win`, `cursed-win`, `draw`, `blessed-loss` or
        `loss`), `wdl` (2 to -2), `dtm`, `dtz`, and `moves`, best first.

        Raises MissingTableError if no table has the position."""
    def probe_wdl(self, board: Board) -> int:
        """2 for a win of the side to move, 1 for one that the 100-ply rule prevents, 0 for a draw."""
    def probe_dtm(self, board: Board) -> int:
        """Plies to mate, negative for a loss, 0 for a draw."""
    def probe_dtz(self, board: Board) -> int:
        """Plies to the next capture, pawn move or mate, negative for a loss, 0 for a draw."""
    def get_wdl(self, board: Board, default: int | None = None) -> int | None:
        """Like `probe_wdl`, with `default` if no table has the position."""
    def get_dtm(self, board: Board, default: int | None = None) -> int | None:
        """Like `probe_dtm`, with `default` if no table has the position."""
    def get_dtz(self, board: Board, default: int | None = None) -> int | None:
        """Like `probe_dtz`, with `default` if no table has the position."""

class BookGames(TypedDict):
    """The games with a position, by their results."""

    white: int
    draws: int
    black: int

class BookEntry(TypedDict):
    """A score, and the games that were played."""

    score: PovScore
    games: BookGames

class BookMove(BookEntry):
    """A move of a book."""

    move: Move

class BookPosition(BookEntry):
    """A position of a book."""

    moves: list[BookMove]
    """The legal moves, best first; none at the end of a line."""

@final
class Book:
    """An opening book of a variant: a mapping from boards to what it knows about them.

    Without `path` it is the one that is built in. Raises BookError if the file is no book of this
    variant, and OSError if it cannot be opened."""

    def __new__(cls, path: Path | None = None, variant: Variant = "chesquerque") -> Self: ...
    @property
    def variant(self) -> Variant:
        """The variant."""
    @property
    def origin(self) -> str:
        """How its positions were scored."""
    def probe(self, board: Board) -> BookPosition | None:
        """What the book knows about a position: `score`, `games` (`white`, `draws` and `black`), and
        `moves`, best first, with the same for each `move`; none at the end of a line. `None` if the
        position is not in the book."""
    def line(self, board: Board, plies: int = 16) -> tuple[Move, ...]:
        """The best moves from a position, until the book ends or a position repeats."""
    def __getitem__(self, board: Board, /) -> BookPosition: ...
    def __contains__(self, board: Board, /) -> bool: ...
    def __len__(self) -> int: ...

class ReviewedLine(TypedDict):
    """A line, with its score from White's view: centipawns or moves to mate."""

    cp: NotRequired[int]
    mate: NotRequired[int]
    wdl: list[int]
    depth: int
    pv: list[str]
    san: list[str]

class Refutation(TypedDict):
    """The refutation of a bad move."""

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
    """The accuracy of some moves."""

    percent: float | None
    moves: int
    given_away: float
    inaccuracies: int
    mistakes: int
    blunders: int

class PlayerAccuracy(TypedDict):
    """A side's accuracy in the game and by phase."""

    game: Accuracy
    opening: Accuracy
    middlegame: Accuracy
    endgame: Accuracy

class LeftBook(TypedDict):
    """Where a game leaves the opening book: the ply, and what the book plays; `None` at its end."""

    ply: int
    best: Refutation | None

class Accuracies(TypedDict):
    """The accuracy of both sides."""

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
    left_book: LeftBook | None
    moves: list[ReviewedMove]
    accuracy: Accuracies

@final
class Review:
    """A reviewed game."""

    @property
    def moves(self) -> tuple[ReviewedMove, ...]:
        """The review's moves: a dictionary each, as in `to_dict`."""
    @property
    def accuracy(self) -> Accuracies:
        """Each side's accuracy: a dictionary, as in `to_dict`."""
    @property
    def expectations(self) -> tuple[float, ...]:
        """White's expected points, from 0 to 1, before the first move and after each."""
    def annotated(self) -> Game:
        """The game with the review as comments, NAGs and variations."""
    def to_dict(self) -> ReviewData:
        """The review as plain data, as printed by `qirkat annotate --json`."""
    def __len__(self) -> int: ...

def review(
    game: Game,
    limit: Limit,
    *,
    progress: Callable[[int], object] | None = None,
    hash: int = 16,
) -> Review:
    """Reviews a game, from the last move to the first: what each move was worth and why. `limit`
    is one of nodes and depth, which apply to each search, or time, which is per move: the whole
    review takes at most twice that on average. `progress` is called after each move with the number
    left."""

@final
class Evaluation:
    """The static evaluation of a variant by its network, without search.

    Values are in centipawns for the side to move. `network` names a network file, or is `"<none>"` for
    material and placement only. Raises OSError if the file cannot be opened, and NetworkError if it is
    not a network of this variant."""

    def __new__(cls, variant: str = "chesquerque", network: Path | None = None) -> Self: ...
    @property
    def variant(self) -> Variant:
        """The variant."""
    @property
    def checksum(self) -> str | None:
        """The network's checksum; `None` without a network."""
    def __call__(self, board: Board) -> int:
        """The evaluation of a board."""
    def batch(self, boards: Iterable[Board]) -> npt.NDArray[np.int16]:
        """The evaluations of many boards: an array of int16, one per board."""

def network_sizes(variant: str = "chesquerque") -> tuple[int, int, int]:
    """The sizes of a variant's networks: features, maximum of pieces (and thus of active features per
    side), and output buckets."""

def features(boards: Iterable[Board]) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.uint8]]:
    """Network inputs for boards of one variant: `(indices, buckets)`.

    `indices` is an array of int16 with the shape (boards, 2, pieces): the active features from the
    view of the side to move, then of the other side, padded with -1. `buckets` is an array of
    uint8, the output bucket for each board. See `network_sizes` for the sizes; a board with too
    many pieces raises a ValueError that names it."""

def legal_moves(boards: Iterable[Board]) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """The legal moves of many boards of one variant: `(moves, offsets)`.

    `moves` is an array of uint8 with the shape (moves, 3): the numbers of the first and the last
    square, and the code of the promotion letter, or 0. Those of board `i` are
    `moves[offsets[i]:offsets[i + 1]]`, in the order of `board.legal_moves`; `offsets` is an array
    of int64."""
