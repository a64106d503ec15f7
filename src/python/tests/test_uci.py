"""Engines for asyncio, and other UCI engines: results, cancelling, and engines with faults."""

import asyncio
import gc
import pickle
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

import qirkat
from qirkat import Board, Engine, Limit, Move, engine
from qirkat.engine import AsyncEngine, EngineTerminatedError, Option, SimpleEngine, popen_uci

FAKE = [sys.executable, str(Path(__file__).with_name("fake_engine.py"))]
BOARD = Board()


def run(task):
    return asyncio.run(asyncio.wait_for(task, 60))


class Kind:
    """Both kinds of engines for asyncio."""

    def __init__(self, kind):
        self.kind = kind

    async def __aenter__(self):
        self.engine = AsyncEngine(hash=1) if self.kind == "own" else (await popen_uci(FAKE))[1]
        return self.engine

    async def __aexit__(self, *_):
        await self.engine.quit()


@pytest.fixture(params=["own", "uci"])
def kind(request):
    return Kind(request.param)


def test_engines_play_and_analyse(kind):
    async def task():
        async with kind as engine:
            for board in (Board(), Board(variant="alquerque"), Board()):
                result = await engine.play(board, Limit(nodes=100))
                assert result.move in board.legal_moves and result.info["pv"][0] in board.legal_moves
            info = await engine.analyse(BOARD, Limit(depth=3))
            assert info["depth"] == 3 and info["score"].turn and info["pv"][0] in BOARD.legal_moves
            lines = await engine.analyse(BOARD, Limit(depth=3), multipv=3)
            assert [line["multipv"] for line in lines] == [1, 2, 3]
            told = [info async for info in await engine.analysis(BOARD, Limit(depth=3))]
            assert any("pv" in info for info in told)
            mated = Board("k8/1Q7/2K6/9/9/9/9/9/9 b - - 0 1")
            assert (await engine.play(mated, Limit(nodes=10))).move is None
            with pytest.raises(ValueError, match="nothing ends the search"):
                await engine.play(BOARD, Limit())
            with pytest.raises(qirkat.IllegalMoveError):
                await engine.analysis(BOARD, root_moves=[Move("e2e9")])

    run(task())


def test_cancelling_stops_the_search(kind):
    async def task():
        async with kind as engine:
            endless = asyncio.create_task(drain(await engine.analysis(BOARD)))
            waiting = asyncio.create_task((await engine.analysis(BOARD)).wait())
            await endless  # The second search has ended it.
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            with await engine.analysis(BOARD) as analysis:
                assert await analysis.next()
            assert (await analysis.wait()).move in BOARD.legal_moves
            for _ in range(3):
                playing = asyncio.create_task(engine.play(BOARD, Limit(time=1000)))
                await asyncio.sleep(0)
                playing.cancel()
            assert (await engine.play(BOARD, Limit(nodes=10))).move in BOARD.legal_moves
            both = await asyncio.gather(*(engine.analyse(BOARD, Limit(depth=2)) for _ in range(4)))
            assert all("pv" in info for info in both)

    async def drain(analysis):
        return [info async for info in analysis]

    run(task())


def test_many_engines_share_one_loop():
    async def task():
        engines = [AsyncEngine(hash=1) for _ in range(4)]
        results = await asyncio.gather(*(engine.play(BOARD, Limit(depth=4)) for engine in engines))
        assert all(result.move in BOARD.legal_moves for result in results)
        for engine in engines:
            await engine.quit()
        with pytest.raises(qirkat.EngineError, match="closed"):
            await engines[0].play(BOARD, Limit(nodes=1))

    run(task())
    # The thread of each search ends with it.
    for thread in threading.enumerate():
        if thread.name.endswith("(_pump)"):
            thread.join(10)
            assert not thread.is_alive()


def test_other_engines_without_asyncio(tmp_path, monkeypatch):
    log = tmp_path / "log"
    monkeypatch.setenv("FAKE_LOG", str(log))
    with Engine.popen_uci(FAKE) as engine:
        assert engine.id == {"name": "Fake engine", "author": "nobody"}
        assert engine.options["Style of play"] == Option("Style of play", "combo", "Solid", None, None, ("Solid", "Very wild"))
        assert engine.options["Hash"] == Option("Hash", "spin", 16, 1, 64, ()) and engine.options["Log"].default == ""
        engine.configure({"hash": 32, "Style of play": "very wild", "Own": True, "Clear": None, "Log": "a b"})
        info = engine.analyse(BOARD, Limit(nodes=5))
        assert (info["nodes"], info["time"], info["wdl"], info["lowerbound"]) == (77, 0.012, (500, 400, 100), True)
        assert info["score"].white().score() == 9 and info["pv"] == [BOARD.legal_moves[0]]
        assert engine.play(BOARD, Limit(depth=1), game=1).move == engine.play(BOARD, Limit(depth=1), game=1).move
        limit = Limit(white_clock=1.5, black_clock=2, white_inc=0.1, remaining_moves=9, nodes=7, mate=2, time=1e-9)
        with engine.analysis(BOARD, limit, root_moves=[Move("a2a3")]) as analysis:
            told = [info["string"] for info in analysis if "string" in info]
        clocks = "wtime 1500 btime 2000 winc 100 movetime 1 movestogo 9"
        assert told == [f"chesquerque {clocks} nodes 7 mate 2 searchmoves a2a3"]
        passed = Board()
        for uci in ("e2e4", "0000", "a2a3"):
            passed.push_uci(uci)
        assert engine.play(passed, Limit(nodes=1)).move in passed.legal_moves
        with engine.analysis(BOARD) as analysis:
            assert next(analysis)["depth"] == 3 and analysis.info["multipv"] == 1 == len(analysis.multipv)
        assert analysis.wait().move in BOARD.legal_moves
        for options in ({"Hash": 0}, {"Hash": "x"}, {"Own": "maybe"}, {"Nope": 1}, {"MultiPV": 2}, {"Style of play": "x"}, {"Log": "a\nquit"}, {"Clear": 3}):
            with pytest.raises(qirkat.EngineError, match="option"):
                engine.configure(options)
        with pytest.raises(qirkat.EngineError, match="'masonic' is not one of"):
            engine.play(Board(variant="masonic"), Limit(nodes=1))
        engine.ping()
    assert log.read_text().split("\n")[:6] == ["Hash=32", "Style of play=Very wild", "Own=true", "Clear=", "Log=a b", "new"]
    assert log.read_text().count("new") == 3
    for call in (lambda: engine.play(BOARD, Limit(nodes=1)), engine.ping, analysis.wait):
        with pytest.raises(EngineTerminatedError, match="closed"):
            call()
    engine.close()
    engine.quit()


FAULTS = [
    ("dies", "has ended .exit code: 3., its last words: out of cheese", 20),
    ("babbles", "a line without an end", 20),
    ("mute", "does not answer `uci` within 0.2 s", 0.2),
    ("crash", "has ended .exit code: 3., its last words: out of cheese", 20),
    ("illegal", "illegal move: e1e9: ", 20),
    ("slow", "does not move within 0.", 0.2),
]


@pytest.mark.parametrize("fault, told, timeout", FAULTS, ids=lambda value: value)
def test_faulty_engines_raise(fault, told, timeout, monkeypatch):
    # Only what never comes has a short timeout.
    async def ready():
        pass

    with pytest.raises(qirkat.EngineError, match=told) as raised:
        if fault == "slow":
            with Engine.popen_uci([*FAKE, fault]) as engine:
                engine._protocol._timeout = timeout
                monkeypatch.setattr(engine._protocol, "ping", ready)
                engine.play(BOARD, Limit(time=0.01))
        else:
            with Engine.popen_uci([*FAKE, fault], timeout=timeout) as engine:
                engine.play(BOARD, Limit(time=0.01))
    assert type(pickle.loads(pickle.dumps(raised.value))) is type(raised.value)


def test_engines_that_neither_stop_nor_quit_are_ended():
    engine = Engine.popen_uci([*FAKE, "immortal", "deaf"])
    endless = engine.analysis(BOARD)
    engine._protocol._timeout = 0.2
    with pytest.raises(EngineTerminatedError, match="does not answer `stop`"):
        engine.play(BOARD, Limit(nodes=1))
    with pytest.raises(EngineTerminatedError):
        endless.wait()
    engine.quit()
    with pytest.raises(OSError):
        Engine.popen_uci("/nonexistent/engine")
    with pytest.raises(ValueError, match="empty"):
        Engine.popen_uci([])
    with pytest.raises(PermissionError):
        Engine.popen_uci(str(Path(__file__).parent))


def test_dropped_engines_end():
    engine = Engine.popen_uci(FAKE)
    engine.analysis(BOARD)
    returncode = engine._protocol.returncode
    del engine
    gc.collect()
    assert returncode.done()


@pytest.mark.parametrize(
    "program",
    [
        "engine = Engine.popen_uci(FAKE); engine.analysis(Board())",
        "engine = Engine.popen_uci([*FAKE, 'immortal', 'deaf']); engine.analysis(Board())",
        "engine = AsyncEngine(hash=1); asyncio.run(first(engine))",
        "loop = asyncio.new_event_loop(); engine = AsyncEngine(); kept = loop.run_until_complete(engine.analysis(Board()))",
        "transport, engine = asyncio.run(popen_uci(FAKE))",
    ],
)
def test_programs_end_with_their_engines(program):
    text = textwrap.dedent(f"""
        import asyncio
        from qirkat import *
        from qirkat.engine import *
        FAKE = {FAKE!r}

        async def first(engine):
            async for info in await engine.analysis(Board()):
                return info

        {program}
        print("end")
    """)
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.returncode) == ("end\n", 0)


def test_own_engine_is_configured():
    with Engine(hash=1) as own:
        assert own.options["Hash"].type == "spin" and own.options["UCI_Variant"].is_managed()
        own.configure({"threads": 2, "Hash": 2, "Skill Level": 3, "UCI_LimitStrength": False, "Clear Hash": None, "EvalFile": "<none>"})
        assert own.threads == 2
        assert own.play(BOARD, Limit(nodes=50)).move in BOARD.legal_moves
        for options in ({"Hash": 0}, {"Threads": "many"}, {"Nope": 1}, {"UCI_Variant": "masonic"}):
            with pytest.raises(qirkat.EngineError, match="option"):
                own.configure(options)
        with pytest.raises(qirkat.NetworkError):
            own.configure({"EvalFile": __file__})
        assert own.play(Board(variant="masonic"), Limit(nodes=50)).move is not None
    with pytest.raises(qirkat.EngineError, match="closed"):
        own.configure({"Hash": 1})
    assert isinstance(engine.Option("a", "check", True, None, None, ()).parse("TRUE"), bool)
    assert pickle.loads(pickle.dumps(own.options)) == own.options and SimpleEngine.__doc__
