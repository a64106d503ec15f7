"""Games as trees of moves, and how they are annotated, in the style of `chess.pgn`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, MutableSet
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple, cast

from ._qirkat import Board, Cp, Mate, Move, _PgnMove, _Record
from .values import PovScore

if TYPE_CHECKING:
    from typing_extensions import Self

    from ._qirkat import Color, Result, Variant

NAG_GOOD_MOVE: Final = 1
NAG_MISTAKE: Final = 2
NAG_BRILLIANT_MOVE: Final = 3
NAG_BLUNDER: Final = 4
NAG_SPECULATIVE_MOVE: Final = 5
NAG_DUBIOUS_MOVE: Final = 6
NAG_FORCED_MOVE: Final = 7
NAG_DRAWISH_POSITION: Final = 10
NAG_UNCLEAR_POSITION: Final = 13
NAG_WHITE_SLIGHT_ADVANTAGE: Final = 14
NAG_BLACK_SLIGHT_ADVANTAGE: Final = 15
NAG_WHITE_MODERATE_ADVANTAGE: Final = 16
NAG_BLACK_MODERATE_ADVANTAGE: Final = 17
NAG_WHITE_DECISIVE_ADVANTAGE: Final = 18
NAG_BLACK_DECISIVE_ADVANTAGE: Final = 19
NAG_NOVELTY: Final = 146

_DEEPEST_VARIATION = 16
_RESULTS = ("1-0", "0-1", "1/2-1/2", "*")
_ROSTER = {
    "Event": "?",
    "Site": "?",
    "Date": "????.??.??",
    "Round": "?",
    "White": "?",
    "Black": "?",
    "Result": "*",
}
_TITLES = {"chesquerque": "Chesquerque", "masonic": "Masonic chess", "alquerque": "Alquerque"}


class Arrow(NamedTuple):
    """An arrow on the board, or a circle if it ends where it begins."""

    tail: str
    head: str
    color: Literal["green", "red", "yellow", "blue"] = "green"


class Nags(MutableSet[int]):
    """Numeric annotation glyphs, a set in the order in which they were added."""

    __slots__ = ("_nags",)

    def __init__(self, nags: Iterable[int] = ()) -> None:
        self._nags = dict.fromkeys(nags)

    def __contains__(self, nag: object) -> bool:
        return nag in self._nags

    def __iter__(self) -> Iterator[int]:
        return iter(self._nags)

    def __len__(self) -> int:
        return len(self._nags)

    def add(self, value: int) -> None:
        """Adds a glyph, last."""
        self._nags[value] = None

    def discard(self, value: int) -> None:
        """Removes a glyph if it is there."""
        self._nags.pop(value, None)

    def __repr__(self) -> str:
        return f"Nags({list(self._nags)})"


class GameNode:
    """A position of a game: the game itself, before the first move, or a move and what follows it."""

    parent: GameNode | None
    """The node before it; `None` for the game."""
    move: Move | None
    """The move that led to it; `None` for the game."""
    comment: str
    """The comment after the move, or before the first move of the game; or an empty string."""
    starting_comment: str
    """The comment before the move, if it begins a variation; or an empty string."""
    nags: MutableSet[int]
    """Numeric annotation glyphs: 1 for `!`, 2 for `?`."""
    variations: list[ChildNode]
    """What can follow, the main line first."""

    def board(self) -> Board:
        """The board after the move, with all moves before it on its stack."""
        moves, node = [], self
        while isinstance(node, ChildNode):
            moves.append(node.move)
            node = node.parent
        board = cast(Game, node)._start.copy()
        for move in reversed(moves):
            board.push(move)
        return board

    def ply(self) -> int:
        """Half-moves since the start of the game, according to its move number."""
        return self.board().ply()

    def turn(self) -> Color:
        """The side to move after it: `True` for White."""
        return self.board().turn

    def game(self) -> Game:
        """The game to which it belongs."""
        node = self
        while node.parent is not None:
            node = node.parent
        return cast(Game, node)

    def root(self) -> GameNode:
        """The same as `game`."""
        return self.game()

    def next(self) -> ChildNode | None:
        """The next node of the main line; `None` at its end."""
        return self.variations[0] if self.variations else None

    def end(self) -> GameNode:
        """The last node of the main line from here."""
        node = self
        while node.variations:
            node = node.variations[0]
        return node

    def is_end(self) -> bool:
        """Whether nothing follows."""
        return not self.variations

    def mainline(self) -> tuple[ChildNode, ...]:
        """The nodes of the main line after this one."""
        nodes: list[ChildNode] = []
        node = self
        while node.variations:
            node = node.variations[0]
            nodes.append(node)
        return tuple(nodes)

    def mainline_moves(self) -> list[Move]:
        """The moves of the main line after this node."""
        return [node.move for node in self.mainline()]

    def starts_variation(self) -> bool:
        """Whether it is the first node of a variation."""
        return self.parent is not None and self.parent.variations[:1] != [self]

    def is_main_variation(self) -> bool:
        """Whether it is the first that can follow its parent."""
        return not self.starts_variation()

    def is_mainline(self) -> bool:
        """Whether it is on the main line of the game."""
        node = self
        while node.parent is not None:
            if node.starts_variation():
                return False
            node = node.parent
        return True

    def _index(self, move: int | Move | GameNode) -> int:
        for index, node in enumerate(self.variations):
            if move is node or move == node.move or (move == index and not isinstance(move, bool)):
                return index
        raise KeyError(move)

    def variation(self, move: int | Move | GameNode) -> ChildNode:
        """The node that follows by a move, given as the move, its node or its index. Raises KeyError if none does."""
        return self.variations[self._index(move)]

    def __getitem__(self, move: int | Move | GameNode) -> ChildNode:
        return self.variation(move)

    def __contains__(self, move: object) -> bool:
        return any(move is node or move == node.move for node in self.variations)

    def has_variation(self, move: Move | GameNode) -> bool:
        """Whether a move or node follows."""
        return move in self

    def promote_to_main(self, move: int | Move | GameNode) -> None:
        """Makes one of the variations the main one."""
        self.variations.insert(0, self.variations.pop(self._index(move)))

    def promote(self, move: int | Move | GameNode) -> None:
        """Moves one of the variations up in the list."""
        index = self._index(move)
        self.variations.insert(max(index - 1, 0), self.variations.pop(index))

    def demote(self, move: int | Move | GameNode) -> None:
        """Moves one of the variations down in the list."""
        index = self._index(move)
        self.variations.insert(index + 1, self.variations.pop(index))

    def remove_variation(self, move: int | Move | GameNode) -> None:
        """Removes one of the variations."""
        del self.variations[self._index(move)]

    def add_variation(
        self, move: Move, *, comment: str = "", starting_comment: str = "", nags: Iterable[int] = ()
    ) -> ChildNode:
        """Adds a move, last of the variations, and returns its node. Raises IllegalMoveError if it is not
        legal; a null move is taken where the side to move can pass."""
        self.board().push(move)
        node = ChildNode(self, move, comment=comment, starting_comment=starting_comment, nags=nags)
        self.variations.append(node)
        return node

    def add_main_variation(self, move: Move, *, comment: str = "", nags: Iterable[int] = ()) -> ChildNode:
        """Adds a move as the main variation, and returns its node."""
        node = self.add_variation(move, comment=comment, nags=nags)
        self.promote_to_main(node)
        return node

    def add_line(
        self,
        moves: Iterable[Move],
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> GameNode:
        """Adds a line of moves as a variation. Comment and glyphs are given to its last node, which is
        returned. If a move is illegal, nothing is added."""
        board, first, node = self.board(), None, self
        for move in moves:
            board.push(move)
            child = ChildNode(node, move, starting_comment="" if first else starting_comment)
            if first is None:
                first = child
            else:
                node.variations.append(child)
            node = child
        if first is not None:
            self.variations.append(first)
            node.comment, node.nags = comment, Nags(nags)
        return node

    def _command(self, name: str) -> str | None:
        found = _commands(name).search(self.comment)
        return found[1].strip() if found else None

    def _set_command(self, name: str, value: str | None) -> None:
        before, *after = _commands(name).sub("\0", self.comment).split("\0")
        words = [before, f"[%{name} {value}]" if value else "", *after]
        self.comment = " ".join(stripped for word in words if (stripped := word.strip()))

    def _eval(self) -> re.Match[str] | None:
        return re.fullmatch(r"(?:#([+-]?\d{1,4})|([+-]?\d{1,5}(?:\.\d{1,9})?))(?:,(\d{1,4}))?", self._command("eval") or "")

    def eval(self) -> PovScore | None:
        """The evaluation in the comment, `[%eval ...]`; `None` if it has none."""
        if not (found := self._eval()):
            return None
        if found[2]:
            return PovScore(Cp(round(100 * float(found[2]))), True)
        if not int(found[1]):
            return PovScore(Mate(0), self.turn())
        try:
            return PovScore(Mate(int(found[1])), True)
        except ValueError:
            return None

    def eval_depth(self) -> int | None:
        """The depth of the evaluation in the comment."""
        found = self._eval()
        return int(found[3]) if found and found[3] else None

    def set_eval(self, score: PovScore | None, depth: int | None = None) -> None:
        """Writes an evaluation into the comment, or removes it."""
        if score is None:
            return self._set_command("eval", None)
        cp, mate = score.white().score(), score.white().mate()
        text = f"#{mate}" if cp is None else f"{cp / 100:.2f}"
        self._set_command("eval", text if depth is None else f"{text},{max(depth, 0)}")

    def clock(self) -> float | None:
        """The seconds on the clock of the side that moved, `[%clk ...]`; `None` if it is not told."""
        return _seconds(self._command("clk"))

    def set_clock(self, seconds: float | None) -> None:
        """Writes the clock into the comment, or removes it."""
        self._set_command("clk", _time(seconds))

    def emt(self) -> float | None:
        """The seconds that the move took, `[%emt ...]`; `None` if it is not told."""
        return _seconds(self._command("emt"))

    def set_emt(self, seconds: float | None) -> None:
        """Writes the seconds that the move took into the comment, or removes them."""
        self._set_command("emt", _time(seconds))

    def arrows(self) -> list[Arrow]:
        """The arrows and circles in the comment, `[%cal ...]` and `[%csl ...]`."""
        colors = {"G": "green", "R": "red", "Y": "yellow", "B": "blue"}
        found = []
        for name in ("csl", "cal"):
            for text in _commands(name).findall(self.comment):
                for shape in text.split(","):
                    if drawn := re.fullmatch(r"([GRYB])([a-i][1-9])([a-i][1-9])?", shape.strip()):
                        color = cast(Any, colors[drawn[1]])
                        found.append(Arrow(drawn[2], drawn[3] or drawn[2], color))
        return found

    def set_arrows(self, arrows: Iterable[Arrow | tuple[str, str]]) -> None:
        """Writes arrows and circles into the comment, in place of those there."""
        drawn: dict[str, list[str]] = {"csl": [], "cal": []}
        squares = set(self.game()._start.squares)
        for arrow in arrows:
            tail, head, color = Arrow(*arrow)
            if not {tail, head} <= squares or color not in ("green", "red", "yellow", "blue"):
                raise ValueError(f"{arrow!r}: not an arrow of this board")
            letter = color[0].upper()
            drawn["csl" if tail == head else "cal"].append(letter + (tail if tail == head else tail + head))
        for name, shapes in drawn.items():
            self._set_command(name, ",".join(shapes))


def _commands(name: str) -> re.Pattern[str]:
    return re.compile(rf"\[%{name}(?=[\s\]])([^\]]*)\]")


def _seconds(text: str | None) -> float | None:
    found = re.fullmatch(r"(\d{1,6}):(\d{1,2}):(\d{1,2}(?:\.\d{1,9})?)", text or "")
    return 3600 * int(found[1]) + 60 * int(found[2]) + float(found[3]) if found else None


def _time(seconds: float | None) -> str | None:
    if seconds is None:
        return None
    if not math.isfinite(seconds):
        raise ValueError(f"{seconds}: not a time in seconds")
    whole, milliseconds = divmod(round(1000 * max(seconds, 0)), 1000)
    text = f"{whole // 3600}:{whole // 60 % 60:02}:{whole % 60:02}"
    return f"{text}.{milliseconds:03}".rstrip("0") if milliseconds else text


class ChildNode(GameNode):
    """A move of a game, and what follows it."""

    parent: GameNode
    move: Move

    def __init__(
        self,
        parent: GameNode,
        move: Move,
        *,
        comment: str = "",
        starting_comment: str = "",
        nags: Iterable[int] = (),
    ) -> None:
        self.parent = parent
        self.move = move
        self.comment = comment
        self.starting_comment = starting_comment
        self.nags = Nags(nags)
        self.variations = []

    def san(self) -> str:
        """The move in algebraic notation."""
        return self.parent.board().san(self.move)

    def uci(self) -> str:
        """The move in UCI notation."""
        return self.move.uci()

    def __repr__(self) -> str:
        return f"<ChildNode '{self.parent.board().variation_san([self.move])}'>"

    def __reduce__(self) -> tuple[Any, ...]:
        path, node = [], cast(GameNode, self)
        while isinstance(node, ChildNode):
            path.append(node.parent._index(node))
            node = node.parent
        return _node_at, (node, path[::-1])


def _node_at(game: Game, path: list[int]) -> GameNode:
    node: GameNode = game
    for index in path:
        node = node.variations[index]
    return node


class Headers(MutableMapping[str, str]):
    """The tags of a game in order, a mapping that can be changed: first the seven of every game.

    `Variant`, `FEN` and `SetUp` follow from the start position, see `Game.setup`."""

    __slots__ = ("_game", "_tags")

    def __init__(self, data: Mapping[str, str] | Iterable[tuple[str, str]] = (), /) -> None:
        self._game: Game | None = None
        self._tags: dict[str, str] = {}
        self.update(data)

    def __getitem__(self, name: str) -> str:
        return self._tags[name]

    def __setitem__(self, name: str, value: str) -> None:
        if not isinstance(value, str):
            raise TypeError(f"header {name}: a string is expected")
        if not re.fullmatch(r"[A-Za-z0-9_]+", name):
            raise ValueError(f"`{name[:40]}`: a header's name has only letters, digits and _")
        if name in ("Variant", "FEN", "SetUp"):
            raise ValueError(f"header {name} is determined by the start position: see Game.setup")
        if name == "Result" and value not in _RESULTS:
            raise ValueError(f"`{value[:40]}` is not a result: 1-0, 0-1, 1/2-1/2 or *")
        self._tags[name] = value

    def __delitem__(self, name: str) -> None:
        del self._tags[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tags)

    def __len__(self) -> int:
        return len(self._tags)

    def __repr__(self) -> str:
        return f"Headers({self._tags!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        if self._game is None:
            return Headers, (self._tags,)
        return getattr, (self._game, "headers")

    def _set_start(self, start: Board) -> None:
        self._tags["Variant"] = _TITLES[start.variant]
        self._tags.pop("SetUp", None)
        self._tags.pop("FEN", None)
        if start != Board(variant=start.variant):
            self._tags.update(SetUp="1", FEN=start.fen())


class Game(GameNode):
    """A game: headers, and the tree of its moves. `str(game)` is its PGN.

    >>> game = Game()
    >>> node = game.add_variation(Move("e2e4"), comment="best", nags=[1])
    >>> game.add_line([Move("d2d4"), Move("d8d7")]).san()
    'd7'
    >>> print(str(game).splitlines()[-1])
    1. e4 $1 {best} (1. d4 d7) *
    """

    parent: None
    move: None
    headers: Headers
    """The tags as a mapping; changing it changes the game."""
    number: int | None
    """The number of the game in its file, from 1."""
    line: int | None
    """The line of the file where the game begins, from 1."""
    unread: tuple[str, ...]
    """Errors in its variations and tags, and stray text; the text is kept in comments."""
    _start: Board
    # A game that was read, until it is looked into.
    _source: _Record

    def __init__(
        self,
        variant: str = "chesquerque",
        headers: Mapping[str, str] | Iterable[tuple[str, str]] = (),
    ) -> None:
        self._fill(_Record(Board(variant=variant), [], "", [], "*", (None, None, ())))
        self.headers._set_start(self._start)
        self.headers.update(headers)

    @classmethod
    def _of(cls, record: _Record) -> Self:
        game = cls.__new__(cls)
        game._source = record
        return game

    @classmethod
    def from_board(cls, board: Board) -> Self:
        """The game of a board's moves, with the result if it is over."""
        moves = [_PgnMove(move, "", "", [], []) for move in board.move_stack]
        game = cls._of(_Record(board.root(), [], "", moves, board.result(), (None, None, ())))
        game.headers._set_start(game._start)
        return game

    def _fill(self, record: _Record) -> None:
        self.parent = self.move = None
        self._start = record.start
        self.headers = Headers()
        self.headers._game = self
        self.headers._tags = {**_ROSTER, **dict(record.tags), "Result": record.result}
        self.comment, self.starting_comment, self.nags = record.comment, "", Nags()
        self.variations = []
        self.number, self.line, self.unread = record.origin
        _grow(self, record.moves)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__") or "_source" not in self.__dict__:
                raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
            self._fill(self.__dict__.pop("_source"))
            return getattr(self, name)

    def _record(self) -> _Record:
        if "_source" in self.__dict__:
            return self._source
        return _Record(
            self._start,
            list(self.headers.items()),
            self.comment,
            _line(self, 0),
            self.result,
            (self.number, self.line, self.unread),
        )

    @property
    def variant(self) -> Variant:
        """The variant: `chesquerque`, `masonic` or `alquerque`."""
        return (self.__dict__.get("_source") or self._start).variant

    @property
    def result(self) -> Result:
        """The result as in PGN, as in the header `Result`."""
        return cast("Result", self.headers.get("Result", "*"))

    @result.setter
    def result(self, result: Result) -> None:
        self.headers["Result"] = result

    def setup(self, board: Board | str) -> None:
        """Sets the start position, by a board or a FEN, before the first move is added."""
        if self.variations:
            raise ValueError("the game has moves: the start position cannot be changed")
        start = Board(board, self.variant) if isinstance(board, str) else board.copy(stack=False)
        self._start = start.root()
        self.headers._set_start(self._start)

    def mainline_moves(self) -> list[Move]:
        """The moves of the main line."""
        record = self.__dict__.get("_source")
        return record.mainline_moves() if record else super().mainline_moves()

    def end_board(self) -> Board:
        """The board at the end of the main line, with all moves on its stack."""
        record = self.__dict__.get("_source")
        return record.end_board() if record else self.end().board()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        for game in (self, other):
            game.variations  # noqa: B018 (looks into it)
        return self._record() == other._record()

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return str(self._record())

    def __repr__(self) -> str:
        white, black = self.headers.get("White"), self.headers.get("Black")
        return f"<Game {white!r} - {black!r}, {len(self.mainline_moves())} plies, {self.result}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self)._of, (self._record(),)


def _grow(node: GameNode, line: Iterable[_PgnMove]) -> None:
    for played in line:
        child = ChildNode(
            node,
            played.move,
            comment=played.comment,
            starting_comment=played.starting_comment,
            nags=played.nags,
        )
        node.variations.append(child)
        for variation in played.variations:
            _grow(node, variation)
        node = child


def _line(node: GameNode, depth: int) -> list[_PgnMove]:
    if depth > _DEEPEST_VARIATION:
        raise ValueError(f"variations are nested more than {_DEEPEST_VARIATION} deep")

    def played(child: ChildNode, others: list[ChildNode]) -> _PgnMove:
        variations = [[played(other, []), *_line(other, depth + 1)] for other in others]
        return _PgnMove(child.move, child.comment, child.starting_comment, list(child.nags), variations)

    line = []
    while node.variations:
        first, *others = node.variations
        line.append(played(first, others))
        node = first
    return line
