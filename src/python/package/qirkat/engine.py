"""Engines for asyncio, and UCI engines in processes of their own, in the style of `chess.engine`.

`AsyncEngine` is the engine of this package, in this process. `popen_uci` starts any other UCI engine
of these games for asyncio, `SimpleEngine.popen_uci` without. All of them search one position at a
time: a new search stops the one before.
"""

from __future__ import annotations

import asyncio
import collections
import concurrent.futures
import contextlib
import functools
import math
import re
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast, overload

from ._qirkat import Board, Cp, Engine, EngineError, Mate, Move, _ensure_bounded
from .values import Limit, PlayResult, PovScore

if TYPE_CHECKING:
    from types import TracebackType

    from typing_extensions import Self

    from ._qirkat import Analysis, Info

ConfigValue = str | int | bool | None
_T = TypeVar("_T")

# Set for each search.
_MANAGED = ("uci_variant", "multipv", "ponder")
# Bounds of what an engine may make this process keep.
_LONGEST_LINE = 1 << 16
_MOST_INFOS = 10_000
_MOST_OPTIONS = 10_000
_LAST_LINES = 8
_NO_GAME = object()


class EngineTerminatedError(EngineError):
    """The engine's process has ended, or was ended because it did not answer."""


class Option(NamedTuple):
    """An option of an engine."""

    name: str
    type: str
    """`check`, `spin`, `combo`, `button` or `string`."""
    default: ConfigValue
    min: int | None
    max: int | None
    var: tuple[str, ...]
    """The choices of a combo."""

    def parse(self, value: ConfigValue) -> ConfigValue:
        """The value if the option takes it. Raises EngineError if not."""
        if self.type == "check":
            if value in (True, False) or str(value).lower() in ("true", "false"):
                return value is True or value == 1 or str(value).lower() == "true"
            raise EngineError(f"option {self.name}: {value!r} is not true or false")
        if self.type == "spin":
            try:
                number = int(cast(str, value))
            except (TypeError, ValueError):
                raise EngineError(f"option {self.name}: {value!r} is not a number") from None
            low, high = -math.inf if self.min is None else self.min, math.inf if self.max is None else self.max
            if not low <= number <= high:
                raise EngineError(f"option {self.name}: {number} is not from {low} to {high}")
            return number
        if self.type == "button":
            if value not in (None, True):
                raise EngineError(f"option {self.name}: a button has no value")
            return None
        text = "" if value is None else str(value)
        if any(letter in text for letter in "\r\n\0"):
            raise EngineError(f"option {self.name}: {text[:40]!r} has more than one line")
        if self.type == "combo":
            for choice in self.var:
                if choice.lower() == text.lower():
                    return choice
            raise EngineError(f"option {self.name}: {text[:40]!r} is not one of {', '.join(self.var)}")
        return text

    def is_managed(self) -> bool:
        """Whether searches set it, so that `configure` does not."""
        return self.name.lower() in _MANAGED


def _option_of(line: str) -> Option | None:
    """Reads what follows `option` in the answer to `uci`."""
    if not (found := re.fullmatch(r"name\s+(.+?)\s+type\s+(\S+)\s*(.*)", line.strip())):
        return None
    name, kind, rest = found.groups()
    if kind == "string":
        text = rest.removeprefix("default").strip()
        return Option(name, kind, "" if text == "<empty>" else text, None, None, ())
    _, *parts = re.split(r"(?<!\S)(default|min|max|var)(?!\S)", rest)
    pairs = [(key, value.strip()) for key, value in zip(parts[::2], parts[1::2])]
    values, var = dict(pairs), tuple(value for key, value in pairs if key == "var")

    def number(key: str) -> int | None:
        try:
            return int(values[key])
        except (KeyError, ValueError):
            return None

    default: ConfigValue = values.get("default", "")
    if kind == "spin":
        default = number("default")
    elif kind == "check":
        default = default == "true"
    elif kind == "button":
        default = None
    return Option(name, kind, default, number("min"), number("max"), var)


def _options_of(greeting: str) -> dict[str, Option]:
    found: dict[str, Option] = {}
    for line in greeting.splitlines():
        first, _, rest = line.partition(" ")
        if first == "option" and (option := _option_of(rest)) and len(found) < _MOST_OPTIONS:
            found[option.name] = option
    return found


def _checked(options: Mapping[str, Option], given: Mapping[str, ConfigValue]) -> list[tuple[str, str | None]]:
    """Names and values of options as they are sent, if an engine takes them all."""
    known = {name.lower(): option for name, option in options.items()}
    checked: list[tuple[str, str | None]] = []
    for name, value in given.items():
        option = known.get(name.lower())
        if option is None:
            raise EngineError(f"the engine has no option {name[:40]!r}")
        if option.is_managed():
            raise EngineError(f"option {option.name} is set for each search")
        value = option.parse(value)
        if isinstance(value, bool):
            value = str(value).lower()
        checked.append((option.name, None if value is None else str(value) or "<empty>"))
    return checked


class AnalysisResult:
    """A running search: an asynchronous iterator over what the engine tells of it.

    Leaving it as a context manager stops the search, and so does cancelling a task that waits for it.
    If the infos are not read, only the last 10 000 are kept."""

    def __init__(self, stop: Callable[[], None]) -> None:
        self._stop = stop
        self._lines: dict[int, Info] = {}
        self._infos: collections.deque[Info] = collections.deque(maxlen=_MOST_INFOS)
        self._done: asyncio.Future[PlayResult] = asyncio.get_running_loop().create_future()
        # Retrieves an exception, since asyncio logs one that nobody has retrieved.
        self._done.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._news = asyncio.Event()

    def _post(self, info: Info) -> None:
        if "pv" in info and "score" in info:
            self._lines[info.get("multipv", 1)] = info
        self._infos.append(info)
        self._news.set()

    def _finish(self, result: PlayResult | Exception) -> None:
        if not self._done.done():
            if isinstance(result, PlayResult):
                self._done.set_result(result)
            else:
                self._done.set_exception(result)
        self._news.set()

    @property
    def info(self) -> Info:
        """The best line so far; empty before the first."""
        return self._lines.get(1, cast("Info", {}))

    @property
    def multipv(self) -> list[Info]:
        """The best lines so far, best first."""
        return [line for _, line in sorted(self._lines.items())]

    def stop(self) -> None:
        """Stops the search. What was told already remains available."""
        if not self._done.done():
            self._stop()

    async def wait(self) -> PlayResult:
        """Waits for the end of the search and returns its move."""
        try:
            return await asyncio.shield(self._done)
        except asyncio.CancelledError:
            self.stop()
            raise

    def empty(self) -> bool:
        """Whether all infos so far have been read."""
        return not self._infos

    def would_block(self) -> bool:
        """Whether `get` would wait."""
        return not self._infos and not self._done.done()

    async def next(self) -> Info | None:
        """Waits for what is told next; `None` at the end of the search."""
        while not self._infos:
            if self._done.done():
                self._done.result()
                return None
            self._news.clear()
            try:
                await self._news.wait()
            except asyncio.CancelledError:
                self.stop()
                raise
        return self._infos.popleft()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Info:
        if (info := await self.next()) is None:
            raise StopAsyncIteration
        return info

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None = None,
        _value: BaseException | None = None,
        _traceback: TracebackType | None = None,
    ) -> None:
        self.stop()


class _Searches:
    """What all engines for asyncio have in common: the methods that build on `analysis`."""

    async def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move] | None = None,
        game: object = None,
    ) -> AnalysisResult:
        """Starts a search and returns it. Without a limit it runs until stopped. Another `game` than in the
        search before makes the engine forget that game."""
        raise NotImplementedError

    @overload
    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: None = None,
        root_moves: Iterable[Move] | None = None,
        game: object = None,
    ) -> Info: ...
    @overload
    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int,
        root_moves: Iterable[Move] | None = None,
        game: object = None,
    ) -> list[Info]: ...
    async def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move] | None = None,
        game: object = None,
    ) -> Info | list[Info]:
        """Searches for the best move and returns the result; with `multipv` a list of the best lines,
        best first."""
        _ensure_bounded(limit, board.turn)
        analysis = await self.analysis(board, limit, multipv=multipv, root_moves=root_moves, game=game)
        await analysis.wait()
        return analysis.info if multipv is None else analysis.multipv

    async def play(
        self, board: Board, limit: Limit, *, root_moves: Iterable[Move] | None = None, game: object = None
    ) -> PlayResult:
        """Chooses a move. Cancelling it stops the search."""
        _ensure_bounded(limit, board.turn)
        return await (await self.analysis(board, limit, root_moves=root_moves, game=game)).wait()

    async def quit(self) -> None:
        """Ends the engine."""
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        _type: type[BaseException] | None = None,
        _value: BaseException | None = None,
        _traceback: TracebackType | None = None,
    ) -> None:
        await self.quit()


class AsyncEngine(_Searches):
    """The engine of this package, in this process, for asyncio. It takes what `Engine` takes."""

    def __init__(self, **options: Any) -> None:
        self._engine = Engine(**options)
        self._game: object = None

    @property
    def options(self) -> dict[str, Option]:
        """The options by name."""
        return self._engine.options

    async def configure(self, options: Mapping[str, ConfigValue]) -> None:
        """Sets options by name, such as `{"Hash": 64}`. It stops a running search."""
        self._engine.configure(options)

    async def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move] | None = None,
        game: object = None,
    ) -> AnalysisResult:
        """Starts a search and returns it. Without a limit it runs until stopped. Another `game` than in the
        search before makes the engine forget that game."""
        if game != self._game:
            self._engine.clear()
            self._game = game
        search = self._engine.analysis(board, limit, multipv=multipv, root_moves=root_moves)
        result = AnalysisResult(search.stop)
        # It sleeps until there is a line, and ends with the search or the program.
        threading.Thread(target=_pump, args=(search, asyncio.get_running_loop(), weakref.ref(result))).start()
        return result

    async def quit(self) -> None:
        """Stops the search and releases threads and memory."""
        self.close()

    def close(self) -> None:
        """Stops the search and releases threads and memory."""
        self._engine.close()

    def __repr__(self) -> str:
        return repr(self._engine).replace("<Engine", "<AsyncEngine")


def _pump(search: Analysis, loop: asyncio.AbstractEventLoop, result: weakref.ref[AnalysisResult]) -> None:
    """Passes what a search tells to an event loop, as long as somebody wants to know."""

    def tell(deliver: Callable[[AnalysisResult], None]) -> None:
        def called() -> None:
            if (wanted := result()) is not None:
                deliver(wanted)

        # The event loop may be closed meanwhile.
        with contextlib.suppress(RuntimeError):
            loop.call_soon_threadsafe(called)

    try:
        while threading.main_thread().is_alive() and not loop.is_closed() and result() is not None:
            has_ended, info = search._poll()
            if info is not None:
                tell(functools.partial(AnalysisResult._post, info=info))
            if has_ended:
                lines = {line["multipv"]: line for line in search.multipv}
                tell(lambda wanted: wanted._lines.update(lines))
                end = search.wait()
                tell(lambda wanted: wanted._finish(end))
                return
    except EngineError as error:
        fault = error
        tell(lambda wanted: wanted._finish(fault))
    finally:
        search.stop()


class UciProtocol(asyncio.SubprocessProtocol, _Searches):
    """A UCI engine in a process of its own, for asyncio: see `popen_uci`."""

    def __init__(self, timeout: float | None = 10.0) -> None:
        self.options: dict[str, Option] = {}
        """The options by name."""
        self.id: dict[str, str] = {}
        """Its `name` and `author`, as it tells them."""
        self.returncode: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        """The exit status of its process."""
        self._timeout = timeout
        self._transport: asyncio.SubprocessTransport | None = None
        # Unfinished line of each pipe.
        self._rest = {1: b"", 2: b""}
        self._errors: collections.deque[str] = collections.deque(maxlen=_LAST_LINES)
        self._fault: EngineError | None = None
        # Held by a command that waits for an answer; other commands wait for it.
        self._command_lock = asyncio.Lock()
        # The awaited word, and its future.
        self._waits: tuple[str, asyncio.Future[None]] | None = None
        self._search: tuple[AnalysisResult, Board] | None = None
        # Options set for searches.
        self._set: dict[str, ConfigValue] = {}
        self._game: object = _NO_GAME

    # The process.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Called by asyncio."""
        self._transport = cast(asyncio.SubprocessTransport, transport)

    def process_exited(self) -> None:
        """Called by asyncio."""
        code = self._transport.get_returncode() if self._transport else None
        if not self.returncode.done():
            self.returncode.set_result(-1 if code is None else code)
        # What it has started may keep its output open.
        asyncio.get_running_loop().call_later(1, self.connection_lost, None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Called by asyncio."""
        code = self.returncode.result() if self.returncode.done() else "unknown"
        said = f", its last words: {' / '.join(self._errors)}" if self._errors else ""
        self._fail(EngineTerminatedError(f"the engine has ended (exit code: {code}){said}"))

    def _fail(self, fault: EngineError) -> None:
        self._fault = self._fault or fault
        if self._waits and not self._waits[1].done():
            self._waits[1].set_exception(self._fault)
        if self._search:
            self._search[0]._finish(self._fault)
            self._search = None

    def _kill(self, fault: EngineError) -> None:
        self._fail(fault)
        if self._transport:
            self._transport.close()

    def pipe_data_received(self, fd: int, data: bytes | str) -> None:
        """Called by asyncio."""
        *lines, self._rest[fd] = (self._rest[fd] + cast(bytes, data)).split(b"\n")
        if len(self._rest[fd]) > _LONGEST_LINE:
            self._rest[fd] = b""
            if fd == 1:
                return self._kill(EngineTerminatedError("the engine has written a line without an end"))
        for line in lines:
            text = line[:_LONGEST_LINE].decode(errors="replace").strip()
            if fd == 1:
                self._line_received(text)
            elif text:
                self._errors.append(text[:200])

    def _send(self, line: str) -> None:
        if self._fault:
            raise self._fault
        pipe = self._transport.get_pipe_transport(0) if self._transport else None
        # If it is closed, `connection_lost` soon says why.
        if pipe is not None and not pipe.is_closing():
            cast(asyncio.WriteTransport, pipe).write(f"{line}\n".encode())

    def _line_received(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        if self._waits and word == self._waits[0] and not self._waits[1].done():
            self._waits[1].set_result(None)
        if word == "info" and self._search:
            analysis, board = self._search
            if info := _info_of(rest, board):
                analysis._post(info)
        elif word == "bestmove" and self._search:
            (analysis, board), self._search = self._search, None
            try:
                move, ponder = _best_of(rest, board)
                analysis._finish(PlayResult(move, ponder, cast(Any, dict(analysis.info))))
            except ValueError as error:
                analysis._finish(EngineError(f"the engine answers with an illegal move: {error}"))
        elif word == "id":
            kind, _, text = rest.partition(" ")
            if kind in ("name", "author"):
                self.id[kind] = text.strip()[:200]
        elif word == "option":
            self.options.update(_options_of(line) if len(self.options) < _MOST_OPTIONS else {})

    async def _ask(self, question: str, answer: str) -> None:
        """Sends a line and waits for the answer. An engine that does not give it is ended."""
        answered: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waits = answer, answered
        self._send(question)
        try:
            await asyncio.wait_for(answered, self._timeout)
        except asyncio.TimeoutError:
            fault = EngineTerminatedError(f"the engine does not answer `{question}` within {self._timeout:g} s")
            self._kill(fault)
            raise fault from None
        finally:
            self._waits = None

    # Commands.

    async def initialize(self) -> None:
        """Begins the protocol; `popen_uci` does it."""
        await self._ask("uci", "uciok")
        await self._ready()

    async def ping(self) -> None:
        """Waits until the engine is ready."""
        async with self._command_lock:
            await self._ready()

    async def _ready(self) -> None:
        await self._ask("isready", "readyok")

    async def configure(self, options: Mapping[str, ConfigValue]) -> None:
        """Sets options by name, such as `{"Hash": 64}`. It stops a running search."""
        checked = _checked(self.options, options)
        async with self._command_lock:
            await self._end_search()
            for name, value in checked:
                self._send(f"setoption name {name}" + ("" if value is None else f" value {value}"))
            await self._ready()

    def _manage(self, name: str, value: ConfigValue, default: ConfigValue) -> None:
        """Sets an option for the next search, unless it is so already."""
        option = next((it for it in self.options.values() if it.name.lower() == name.lower()), None)
        if option is None:
            if value != default:
                raise EngineError(f"the engine has no option {name}, which {value} needs")
        elif self._set.get(name, option.default) != option.parse(value):
            self._send(f"setoption name {option.name} value {value}")
            self._set[name] = value

    async def _end_search(self) -> None:
        if self._search:
            analysis = self._search[0]
            if not analysis._done.done():
                await self._ask("stop", "bestmove")

    async def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move] | None = None,
        game: object = None,
    ) -> AnalysisResult:
        """Starts a search and returns it. Without a limit it runs until stopped. Another `game` than in the
        search before makes the engine forget that game."""
        position, go = _position(board), _go(board, limit, root_moves)
        async with self._command_lock:
            await self._end_search()
            if self._fault:
                raise self._fault
            analysis = AnalysisResult(self._stop)
            if not board.legal_moves:
                analysis._finish(PlayResult(None, None))
                return analysis
            self._manage("UCI_Variant", board.variant, "chesquerque")
            self._manage("MultiPV", 1 if multipv is None else multipv, 1)
            if self._game is _NO_GAME or game != self._game:
                self._send("ucinewgame")
                self._game = game
            await self._ready()
            self._search = analysis, board.copy()
            self._send(position)
            self._send(go)
            if (seconds := _most_seconds(board, limit)) is not None and self._timeout is not None:
                self._watch(analysis, seconds + self._timeout)
            return analysis

    def _watch(self, analysis: AnalysisResult, seconds: float) -> None:
        """Ends the engine if it has not moved after this time."""
        fault = EngineTerminatedError(f"the engine does not move within {seconds:g} s")
        timer = asyncio.get_running_loop().call_later(min(seconds, threading.TIMEOUT_MAX), self._kill, fault)
        analysis._done.add_done_callback(lambda _: timer.cancel())

    def _stop(self) -> None:
        if self._fault is None and self._search:
            self._send("stop")
            if self._timeout is not None:
                self._watch(self._search[0], self._timeout)

    async def quit(self) -> None:
        """Asks the engine to quit, and ends its process if it does not."""
        try:
            if self._fault is None:
                self._send("quit")
                await asyncio.wait_for(asyncio.shield(self.returncode), self._timeout)
        except (asyncio.TimeoutError, EngineError):
            pass
        finally:
            await self._end()

    async def _end(self) -> None:
        self.close()
        await asyncio.wait([self.returncode], timeout=5)

    def close(self) -> None:
        """Ends the process at once."""
        self._kill(EngineTerminatedError("the engine is closed"))

    def __repr__(self) -> str:
        pid = self._transport.get_pid() if self._transport else None
        return f"<UciProtocol {self.id.get('name', '?')}, pid {pid}{' (ended)' if self._fault else ''}>"


def _position(board: Board) -> str:
    """The `position` command. Engines know no null moves: they get the position after the last."""
    moves = board.move_stack
    first = max((index + 1 for index, move in enumerate(moves) if not move), default=0)
    root = board.root()
    for move in moves[:first]:
        root.push(move)
    is_usual = root == Board(variant=board.variant)
    words = ["position startpos" if is_usual else f"position fen {root.fen()}"]
    if moves[first:]:
        words += ["moves", *map(str, moves[first:])]
    return " ".join(words)


def _go(board: Board, limit: Limit | None, root_moves: Iterable[Move] | None) -> str:
    limit = limit or Limit()
    words = ["go"]
    for name, seconds in (
        ("wtime", limit.white_clock),
        ("btime", limit.black_clock),
        ("winc", limit.white_inc),
        ("binc", limit.black_inc),
        ("movetime", limit.time),
    ):
        if seconds is not None:
            # No engine takes 0 for a time to move.
            words += [name, str(max(round(1000 * seconds), 1 if name == "movetime" else 0))]
    for name, number in (
        ("movestogo", limit.remaining_moves),
        ("depth", limit.depth),
        ("nodes", limit.nodes),
        ("mate", limit.mate),
    ):
        if number is not None:
            words += [name, str(number)]
    if len(words) == 1:
        words.append("infinite")
    if root_moves is not None:
        among = list(root_moves)
        if not among:
            raise ValueError("root_moves is empty: no move to search")
        for move in among:
            board.san(move)
        words += ["searchmoves", *map(str, among)]
    return " ".join(words)


def _most_seconds(board: Board, limit: Limit | None) -> float | None:
    """How long a search takes at most by its limit, if that is known."""
    if limit is None:
        return None
    clock = limit.white_clock if board.turn else limit.black_clock
    known = [seconds for seconds in (limit.time, clock) if seconds is not None]
    return min(known) if known else None


_NUMBERS = ("depth", "seldepth", "multipv", "nodes", "nps", "hashfull", "tbhits", "currmovenumber", "cpuload")


def _info_of(line: str, board: Board) -> Info | None:
    """Reads what follows `info`. What is not understood is left out, and a line ends before its first
    illegal move."""
    info: dict[str, Any] = {}
    words = collections.deque(line.split())
    try:
        while words:
            word = words.popleft()
            if word == "string":
                info["string"] = " ".join(words)
                break
            if word in _NUMBERS:
                info[word] = int(words.popleft())
            elif word == "time":
                info["time"] = int(words.popleft()) / 1000
            elif word == "score":
                kind, value = words.popleft(), int(words.popleft())
                info["score"] = PovScore(_score_of(kind, value), board.turn)
            elif word in ("lowerbound", "upperbound"):
                info[word] = True
            elif word == "wdl":
                info["wdl"] = int(words.popleft()), int(words.popleft()), int(words.popleft())
            elif word == "currmove":
                info["currmove"] = Move(words.popleft(), board.variant)
            elif word == "pv" and (line_of_moves := _line_of(words, board)):
                info["pv"] = line_of_moves
    except (IndexError, ValueError):
        pass
    return cast("Info", info) if info else None


def _score_of(kind: str, value: int) -> Any:
    if kind == "cp":
        return Cp(value)
    if kind != "mate":
        raise ValueError(kind)
    try:
        return Mate(value)
    except ValueError:
        # A longer mate than `Mate` takes: the highest or the lowest score in centipawns.
        return Cp(2**31 if value > 0 else -(2**31))


def _line_of(words: collections.deque[str], board: Board) -> list[Move]:
    position, line = board.copy(stack=False), []
    while words:
        try:
            line.append(position.push_uci(words[0]))
        except ValueError:
            break
        words.popleft()
    return line


def _best_of(text: str, board: Board) -> tuple[Move | None, Move | None]:
    words = text.split()
    if not words or words[0] in ("(none)", "0000", "NULL"):
        return None, None
    board = board.copy(stack=False)
    move, ponder = board.push_uci(words[0]), None
    if words[1:2] == ["ponder"] and len(words) > 2:
        try:
            ponder = board.push_uci(words[2])
        except ValueError:
            pass
    return move, ponder


async def popen_uci(
    command: str | list[str], *, timeout: float | None = 10.0, **popen_args: Any
) -> tuple[asyncio.SubprocessTransport, UciProtocol]:
    """Starts a UCI engine and returns the transport of its process and the engine. The command is a
    program, or a list with its arguments.

    `timeout` bounds in seconds how long it may take to answer, beyond the time that a search is given; an
    engine that takes longer is ended, and EngineTerminatedError raised. Raises OSError if the program
    cannot be started."""
    words = command if isinstance(command, list) else [command]
    if not words:
        raise ValueError("the command of the engine is empty")
    loop = asyncio.get_running_loop()
    transport, protocol = await loop.subprocess_exec(lambda: UciProtocol(timeout), *words, **popen_args)
    try:
        await protocol.initialize()
    except BaseException:
        await protocol._end()
        raise
    return transport, protocol


class SimpleEngine:
    """A UCI engine in a process of its own: see `SimpleEngine.popen_uci`. Calls from several threads are
    safe. The process ends with the program."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._protocol: UciProtocol | None = None
        self._finalizer = weakref.finalize(self, _shut_down, self._loop, self._thread, [])

    @classmethod
    def popen_uci(
        cls, command: str | list[str], *, timeout: float | None = 10.0, **popen_args: Any
    ) -> Self:
        """Starts a UCI engine: see `qirkat.engine.popen_uci`."""
        engine = cls()
        try:
            _, engine._protocol = engine._call(popen_uci(command, timeout=timeout, **popen_args))
        except BaseException:
            engine.close()
            raise
        engine._finalizer.detach()
        engine._finalizer = weakref.finalize(engine, _shut_down, engine._loop, engine._thread, [engine._protocol])
        return engine

    def _call(self, task: Coroutine[Any, Any, _T]) -> _T:
        """Runs a task in the engine's thread. Ctrl-C cancels it."""
        if self._loop.is_closed() or not self._finalizer.alive:
            task.close()
            raise EngineTerminatedError("the engine is closed")
        future = asyncio.run_coroutine_threadsafe(task, self._loop)
        try:
            return future.result()
        except concurrent.futures.CancelledError:
            raise EngineTerminatedError("the engine is closed") from None
        except BaseException:
            future.cancel()
            raise

    @property
    def _engine(self) -> UciProtocol:
        if self._protocol is None:
            raise EngineTerminatedError("the engine is closed")
        return self._protocol

    @property
    def options(self) -> dict[str, Option]:
        """The options by name."""
        return dict(self._engine.options)

    @property
    def id(self) -> dict[str, str]:
        """Its `name` and `author`, as it tells them."""
        return dict(self._engine.id)

    def configure(self, options: Mapping[str, ConfigValue]) -> None:
        """Sets options by name, such as `{"Hash": 64}`. It stops a running search."""
        self._call(self._engine.configure(options))

    def ping(self) -> None:
        """Waits until the engine is ready."""
        self._call(self._engine.ping())

    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: None = None,
        root_moves: Iterable[Move] | None = None,
        game: object = None,
    ) -> Info: ...
    @overload
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int,
        root_moves: Iterable[Move] | None = None,
        game: object = None,
    ) -> list[Info]: ...
    def analyse(
        self,
        board: Board,
        limit: Limit,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move] | None = None,
        game: object = None,
    ) -> Info | list[Info]:
        """Searches for the best move and returns the result; with `multipv` a list of the best lines,
        best first."""
        several = cast(int, multipv)
        task = self._engine.analyse(board, limit, multipv=several, root_moves=root_moves, game=game)
        return cast("Info | list[Info]", self._call(task))

    def play(
        self, board: Board, limit: Limit, *, root_moves: Iterable[Move] | None = None, game: object = None
    ) -> PlayResult:
        """Chooses a move."""
        return self._call(self._engine.play(board, limit, root_moves=root_moves, game=game))

    def analysis(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int | None = None,
        root_moves: Iterable[Move] | None = None,
        game: object = None,
    ) -> SimpleAnalysisResult:
        """Starts a search and returns it: an iterator over what the engine tells of it. Without a limit it
        runs until stopped, or until the engine is used again."""
        task = self._engine.analysis(board, limit, multipv=multipv, root_moves=root_moves, game=game)
        return SimpleAnalysisResult(self, self._call(task))

    def quit(self) -> None:
        """Asks the engine to quit, and ends its process if it does not."""
        if self._finalizer.alive:
            self._call(self._engine.quit())
            self.close()

    def close(self) -> None:
        """Ends the process at once."""
        self._finalizer()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None = None,
        _value: BaseException | None = None,
        _traceback: TracebackType | None = None,
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<SimpleEngine {self._protocol!r}>"


def _shut_down(
    loop: asyncio.AbstractEventLoop, thread: threading.Thread, engines: list[UciProtocol]
) -> None:
    """Ends a process and the thread that serves it."""

    async def end() -> None:
        try:
            for engine in engines:
                await engine._end()
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)
        finally:
            loop.stop()

    asyncio.run_coroutine_threadsafe(end(), loop)
    if thread is not threading.current_thread():
        thread.join()
        loop.close()


class SimpleAnalysisResult:
    """A running search: an iterator over what the engine tells of it."""

    def __init__(self, engine: SimpleEngine, analysis: AnalysisResult) -> None:
        self._engine = engine
        self._analysis = analysis

    @property
    def info(self) -> Info:
        """The best line so far; empty before the first."""
        return self._analysis.info

    @property
    def multipv(self) -> list[Info]:
        """The best lines so far, best first."""
        return self._analysis.multipv

    def stop(self) -> None:
        """Stops the search. What was told already remains available."""

        async def stop() -> None:
            self._analysis.stop()

        self._engine._call(stop())

    def wait(self) -> PlayResult:
        """Waits for the end of the search and returns its move."""
        return self._engine._call(self._analysis.wait())

    def next(self) -> Info | None:
        """Waits for what is told next; `None` at the end of the search."""
        return self._engine._call(self._analysis.next())

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        if (info := self.next()) is None:
            raise StopIteration
        return info

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None = None,
        _value: BaseException | None = None,
        _traceback: TracebackType | None = None,
    ) -> None:
        if self._engine._finalizer.alive:
            self.stop()
