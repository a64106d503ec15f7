"""The engine: results, stopping and misuse."""

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import qirkat
from qirkat import BLACK, WHITE, Board, Engine, Limit, Move

GAMES = ["chesquerque", "masonic", "alquerque"]
MATE_IN_ONE = "k8/9/1QK6/9/9/9/9/9/9 w - - 0 1"


@pytest.fixture(scope="module")
def engine():
    with Engine() as engine:
        yield engine


@pytest.mark.parametrize("game", GAMES)
def test_lines_are_legal_and_deterministic(game):
    found = []
    for _ in range(2):
        with Engine() as engine:
            board = Board(variant=game)
            info = engine.analyse(board, Limit(nodes=5000))
            assert board == Board(variant=game)
            assert board.variation_san(info["pv"]).startswith("1. ")
            assert sum(info["wdl"]) == 1000 and info["depth"] >= 1
            found.append((info["score"], info["pv"], info["nodes"]))
    assert found[0] == found[1]


def test_multipv(engine):
    board = Board()
    infos = engine.analyse(board, Limit(depth=4), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert len({info["pv"][0] for info in infos}) == 3
    scores = [info["score"].relative for info in infos]
    assert scores == sorted(scores, reverse=True)
    assert len(engine.analyse(board, Limit(depth=2), multipv=500)) == 18
    among = [Move("a2a3"), Move("i2i3")]
    assert engine.analyse(board, Limit(depth=3), root_moves=among)["pv"][0] in among
    assert engine.play(board, Limit(depth=3), root_moves=among).move in among


def test_scores_have_a_point_of_view(engine):
    score = engine.analyse(Board(MATE_IN_ONE), Limit(depth=4))["score"]
    assert score.is_mate() and score.turn == WHITE
    assert score.white().mate() == 1 and score.black().mate() == -1
    assert score.pov(WHITE) == score.relative == -score.black()
    assert score.white() > score.black()
    assert score.white().score() is None and score.white().score(mate_score=1000) == 999
    assert score.black().score(mate_score=1000) == -999
    assert (str(score.white()), str(score.black())) == ("#+1", "#-1")
    ahead = engine.analyse(Board("4k4/9/9/9/9/9/9/9/R3K4 b - - 0 1"), Limit(depth=4))["score"]
    assert ahead.turn == BLACK and ahead.white() > ahead.black()


def test_finished_games(engine):
    mated = Board("k8/1Q7/2K6/9/9/9/9/9/9 b - - 0 1")
    info = engine.analyse(mated, Limit(depth=5))
    assert info["score"].relative.mate() == 0 and info["pv"] == [] and info["score"].white().is_mate()
    assert engine.play(mated, Limit(depth=5)).move is None
    assert engine.analysis(mated).wait().move is None
    repeated = Board("4k3r/9/9/9/9/9/9/9/R3K4 w - - 0 1")
    for uci in 2 * ("a1a2", "i9i8", "a2a1", "i8i9"):
        repeated.push_uci(uci)
    drawn = {
        "repetition": repeated,
        "hundred_plies": Board("4k3r/9/9/9/9/9/9/9/R3K4 w - - 100 80"),
        "insufficient_material": Board("4k4/9/9/9/9/9/9/9/4K4 w - - 0 1"),
        "stalemate": Board("k8/9/K8/9/9/9/9/9/1Q7 b - - 0 1"),
    }
    for termination, board in drawn.items():
        assert board.outcome().termination == termination
        running = engine.analysis(Board())
        next(running)
        info = engine.analyse(board, Limit(nodes=1000))
        assert (info["pv"], info["score"].relative.score(), info["wdl"]) == ([], 0, (0, 1000, 0))
        assert len(list(running)) < 1000, "a new task has ended it"
        for result in (engine.play(board, Limit(nodes=1000)), engine.analysis(board).wait()):
            assert result.move is None and result.ponder is None and result.info == info
        assert engine.analyse(board, Limit(nodes=10), multipv=3) == [info] and list(engine.analysis(board)) == []
    lost = Board("5/5/5/1m3/5 w - - 0 1", "alquerque")
    assert engine.analyse(lost, Limit(nodes=10))["score"].white().mate() == 0
    won = Board("5/5/5/1M3/5 b - - 0 1", "alquerque")
    assert str(engine.analyse(won, Limit(nodes=10))["score"].white()) == "#+0"
    with Engine(hash=1) as closed:
        pass
    with pytest.raises(qirkat.EngineError, match="closed"):
        closed.play(drawn["stalemate"], Limit(nodes=10))


@pytest.mark.parametrize("game", GAMES)
def test_self_play(game, engine):
    board = Board(variant=game)
    while not board.is_game_over() and board.ply() < 30:
        result = engine.play(board, Limit(nodes=200))
        assert result.move in board.legal_moves
        board.push(result.move)
    assert len(board.move_stack) > 5


def test_clocks_are_respected(engine):
    begun = time.monotonic()
    engine.play(Board(), Limit(white_clock=1, black_clock=0.001, white_inc=0.01))
    assert time.monotonic() - begun < 1
    engine.analyse(Board(), Limit(time=0.1))
    assert time.monotonic() - begun < 2


def test_lines_are_streamed(engine):
    with engine.analysis(Board(), multipv=2) as analysis:
        depths = []
        for info in analysis:
            assert info["pv"][0] in Board().legal_moves
            depths.append(info["depth"])
            if info["depth"] >= 6:
                break
        assert len(analysis.multipv) == 2 and analysis.info["multipv"] == 1
    assert depths == sorted(depths) and analysis.wait().move in Board().legal_moves
    bounded = engine.analysis(Board(), Limit(depth=5))
    assert [info["depth"] for info in bounded][-1] == 5
    assert bounded.wait().move == bounded.info["pv"][0]


def test_a_new_search_ends_an_analysis(engine):
    endless = engine.analysis(Board())
    next(endless)
    assert engine.analyse(Board(variant="masonic"), Limit(depth=5))["depth"] == 5
    assert all(info["pv"] for info in endless)
    assert endless.wait().move in Board().legal_moves
    endless.stop()


@pytest.mark.parametrize(
    "arguments",
    [
        *({name: wrong} for name in ("nodes", "depth", "mate", "remaining_moves") for wrong in (0, -1, 2**70, -(2**70), 10**5000)),
        {"depth": 2**32},
        {"mate": 2**16},
        {"time": 0},
        {"time": -0.0},
        {"time": -1.0},
        {"time": 10**400},
        {"white_inc": -1},
        {"black_inc": float("nan")},
        {"black_clock": -(10**400)},
        {"time": float("nan")},
        {"time": float("inf")},
        {"time": 1e300},
        {"white_clock": -5},
    ],
    ids=lambda arguments: next(iter(arguments)),
)
def test_invalid_limits_raise(arguments):
    with pytest.raises(ValueError, match=next(iter(arguments))):
        Limit(**arguments)


def test_extreme_limits(engine):
    Limit(nodes=2**64 - 1, depth=2**32 - 1, mate=2**16 - 1, remaining_moves=2**32 - 1)
    for long in (1e15, 1.8e19):
        clocks = {"white_clock": long, "white_inc": long, "time": long}
        assert engine.play(Board(), Limit(nodes=100, **clocks)).move is not None
    assert engine.play(Board(), Limit(time=1e-12)).move is not None
    assert engine.play(Board(), Limit(white_clock=0)).move is not None
    for wrong in ({"nodes": 1.5}, {"depth": "4"}, {"time": "1"}, {"mate": None, "nodes": []}):
        with pytest.raises(TypeError):
            Limit(**wrong)


@pytest.mark.parametrize("wrong", [-1, 2**70, -(2**70), 10**4000])
def test_errors_name_arguments_out_of_bounds(engine, wrong):
    score = engine.analyse(Board(MATE_IN_ONE), Limit(depth=3))["score"].white()
    calls = {
        "threads": lambda: Engine(threads=wrong),
        "hash": lambda: Engine(hash=wrong),
        "skill_level": lambda: Engine(skill_level=wrong),
        "elo": lambda: Engine(elo=wrong),
        "multipv": lambda: engine.analyse(Board(), Limit(nodes=10), multipv=wrong),
    }
    for name, call in calls.items():
        with pytest.raises(ValueError, match=f"^{name}=-?[0-9*]+( or .*)?: from [0-9]+ to [0-9]+$"):
            call()
    with pytest.raises(ValueError, match="^hash="):
        qirkat.review(qirkat.Game(), Limit(nodes=10), hash=wrong)
    with pytest.raises(ValueError, match="^multipv="):
        engine.analysis(Board(), multipv=wrong)
    if wrong == -1:
        assert score.score(mate_score=wrong) == -2
    else:
        with pytest.raises(ValueError, match="^mate_score="):
            score.score(mate_score=wrong)


def test_misuse(engine):
    with pytest.raises(ValueError, match="nothing ends the search"):
        engine.analyse(Board(), Limit())
    with pytest.raises(ValueError, match="nothing ends the search"):
        engine.play(Board(), Limit(black_clock=60))
    with pytest.raises(ValueError):
        engine.analyse(Board(), Limit(nodes=10), multipv=0)
    with pytest.raises(qirkat.IllegalMoveError):
        engine.analyse(Board(), Limit(nodes=10), root_moves=[Move("e2e5")])
    with pytest.raises(ValueError, match="root_moves is empty"):
        engine.analyse(Board(), Limit(nodes=10), root_moves=[])
    with pytest.raises(TypeError):
        engine.analyse("e2e4", Limit(nodes=10))
    for arguments in ({"threads": 0}, {"threads": 10**6}, {"hash": 0}, {"skill_level": 21}, {"elo": 1}):
        with pytest.raises(ValueError, match=f"{next(iter(arguments))}="):
            Engine(**arguments)
    with pytest.raises(qirkat.NetworkError, match="not a network"):
        Engine(network=__file__)
    with pytest.raises(TypeError):
        __import__("pickle").dumps(engine)
    assert engine.analyse(Board(), Limit(nodes=10))["pv"]


def test_closed_engines_raise():
    engine = Engine(threads=2, hash=2, skill_level=3)
    assert engine.threads == 2
    analysis = engine.analysis(Board())
    next(analysis)
    engine.close()
    engine.close()
    list(analysis)
    assert engine.closed and "closed" in repr(engine)
    for call in (
        lambda: engine.analyse(Board(), Limit(nodes=10)),
        lambda: engine.play(Board(), Limit(nodes=10)),
        lambda: engine.analysis(Board()),
        engine.clear,
    ):
        with pytest.raises(qirkat.EngineError, match="closed"):
            call()


def test_engines_can_be_dropped_while_searching():
    for game in GAMES * 3:
        engine = Engine(hash=1)
        analysis = engine.analysis(Board(variant=game))
        next(analysis)
        del engine
        assert next(analysis, None) or game == "alquerque", "its start is known to be won"
        del analysis
        gc.collect()
    abandoned = Engine(hash=1)
    abandoned.analysis(Board())
    assert abandoned.analyse(Board(), Limit(nodes=100))["pv"]


def test_closing_ends_a_call_in_another_thread():
    engine = Engine(hash=1)
    told = []

    def think():
        try:
            engine.analyse(Board(), Limit(time=600))
        except qirkat.EngineError as error:
            told.append(str(error))

    thread = threading.Thread(target=think)
    thread.start()
    time.sleep(0.3)
    engine.close()
    thread.join(10)
    assert not thread.is_alive() and told == ["the engine is closed"]


def test_threads_take_turns():
    engine, results = Engine(hash=1), []

    def think(game):
        for _ in range(5):
            board = Board(variant=game)
            info = engine.analyse(board, Limit(depth=6))
            results.append((info["depth"] == 6, info["pv"][0] in board.legal_moves))

    threads = [threading.Thread(target=think, args=(game,)) for game in GAMES[:2] * 2]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [(True, True)] * 20


def test_python_runs_during_a_search():
    engine, counted = Engine(hash=1), 0
    thread = threading.Thread(target=lambda: engine.analyse(Board(), Limit(time=0.5)))
    thread.start()
    while thread.is_alive():
        counted += 1
        time.sleep(0.01)
    assert counted > 10


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@pytest.mark.parametrize(
    "task",
    [
        "Engine().analyse(Board(), Limit(time=600))",
        "Engine().play(Board(), Limit(depth=100))",
        "list(Engine().analysis(Board()))",
        "qirkat.review(qirkat.Game.from_board(played()), Limit(time=600))",
    ],
)
def test_ctrl_c_stops_a_search(task):
    # Background jobs of a script ignore Ctrl-C, and Python inherits that.
    program = textwrap.dedent(f"""
        import signal

        import qirkat
        from qirkat import *

        signal.signal(signal.SIGINT, signal.default_int_handler)

        def played():
            board = Board()
            board.push_san("e4")
            return board

        print("ready", flush=True)
        try:
            {task}
        except KeyboardInterrupt:
            print("interrupted")
    """)
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None and child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGINT)
    assert child.communicate(timeout=20)[0] == "interrupted\n" and child.returncode == 0


def test_a_program_can_exit_during_a_search():
    program = "from qirkat import *; a = Engine(threads=2).analysis(Board()); next(a); print('end')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("end\n", "", 0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_engines_raise_after_a_fork():
    program = textwrap.dedent("""
        import os, warnings
        from qirkat import *
        warnings.simplefilter("ignore")
        engine = Engine(threads=2)
        analysis = engine.analysis(Board())
        next(analysis)
        child = os.fork()
        if child == 0:
            try:
                engine.analyse(Board(), Limit(nodes=10))
            except EngineError as error:
                print(error, flush=True)
            for call in (lambda: list(analysis), lambda: analysis.info, lambda: engine.threads, engine.clear):
                try:
                    call()
                except EngineError as error:
                    print(error, flush=True)
            engine.close()
            del analysis, engine
            assert Engine().analyse(Board(), Limit(nodes=10))["pv"]
        else:
            os.waitpid(child, 0)
            print(engine.analyse(Board(), Limit(nodes=10))["pv"] != [])
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    told = 5 * "the engine belongs to another process: create one after a fork\n" + "True\n"
    assert (done.stdout, done.stderr) == (told, "")
