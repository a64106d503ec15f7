"""What an engine is told and what it answers, and how a game ended: values, in the style of python-chess."""

from __future__ import annotations

import numbers
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from ._qirkat import Move, Score

if TYPE_CHECKING:
    from ._qirkat import Color, Info, Result, Termination

# The largest whole numbers of a limit.
_MOST = {"depth": 2**32 - 1, "nodes": 2**64 - 1, "mate": 2**16 - 1, "remaining_moves": 2**32 - 1}


@dataclass(frozen=True, kw_only=True, repr=False)
class Limit:
    """When a search ends: at the first limit reached.

    Times are in seconds. With a clock, the search uses a share of the side to move's time. Raises
    ValueError unless depth, nodes, mate and remaining_moves are at least 1 and fit into 32, 64, 16
    and 32 bits, time is more than 0, and clocks and increments are not negative. Depths above 127
    count as 127."""

    time: float | None = None
    """Seconds to search."""
    depth: int | None = None
    """Depth in plies."""
    nodes: int | None = None
    """Positions to search."""
    mate: int | None = None
    """Stop when a mate in this many moves is found or excluded."""
    white_clock: float | None = None
    """Seconds on White's clock."""
    black_clock: float | None = None
    """Seconds on Black's clock."""
    white_inc: float | None = None
    """White's increment in seconds."""
    black_inc: float | None = None
    """Black's increment in seconds."""
    remaining_moves: int | None = None
    """Moves to the next time control."""

    def __post_init__(self) -> None:
        for name, value in self._given().items():
            most = _MOST.get(name)
            what = "a whole number" if most else "a time in seconds"
            kind: Any = numbers.Integral if most else numbers.Real
            if not isinstance(value, kind):
                raise TypeError(f"{name}={value!r}: not {what}")
            # Python refuses to print numbers of thousands of digits.
            shown = name if abs(value) > 2**128 else f"{name}={value}"
            if most and not 1 <= value <= most:
                raise ValueError(f"{shown}: from 1 to {most}")
            if not 0 <= value < 2**64:
                raise ValueError(f"{shown}: not {what}")
        if self.time == 0:
            raise ValueError("time=0: more than 0 seconds")

    def _given(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if value is not None}

    def __repr__(self) -> str:
        return f"Limit({', '.join(f'{name}={value}' for name, value in self._given().items())})"


@dataclass(frozen=True, repr=False)
class PovScore:
    """A score and the side whose point of view it has."""

    relative: Score
    """The score for the side to move."""
    turn: Color
    """The side to move: `True` for White."""

    def white(self) -> Score:
        """The score for White."""
        return self.pov(True)

    def black(self) -> Score:
        """The score for Black."""
        return self.pov(False)

    def pov(self, color: Color) -> Score:
        """The score for this side."""
        return self.relative if self.turn == color else -self.relative

    def is_mate(self) -> bool:
        """Whether it is a mate."""
        return self.relative.is_mate()

    def __str__(self) -> str:
        return str(self.relative)

    def __repr__(self) -> str:
        return f"<PovScore {self.relative} for {'White' if self.turn else 'Black'}>"


@dataclass(frozen=True, eq=False, repr=False)
class PlayResult:
    """The chosen move and the expected reply."""

    move: Move | None
    """The move; `None` if the game is over."""
    ponder: Move | None
    """The expected reply."""
    info: Info = field(default_factory=lambda: cast("Info", {}))
    """The line of the move."""

    def __repr__(self) -> str:
        move, ponder = (mv and str(mv) for mv in (self.move, self.ponder))
        return f"<PlayResult move={move!r} ponder={ponder!r}>"


@dataclass(frozen=True)
class Outcome:
    """How a game ended, and who won."""

    termination: Termination
    """The reason: `checkmate`, `blocked`, `no_pieces`, `stalemate`, `repetition`, `hundred_plies`
    or `insufficient_material`."""
    winner: Color | None
    """The winner: `True` for White; `None` for a draw."""
    _text: str = field(repr=False, compare=False)

    def result(self) -> Result:
        """The result as in PGN: `1-0`, `0-1` or `1/2-1/2`."""
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner else "0-1"

    def __str__(self) -> str:
        return self._text
