"""Copies and pickles: equal to the original, or rejected."""

import concurrent.futures
import copy
import multiprocessing
import pickle

import pytest

import qirkat
from qirkat import Arrow, Board, ChildNode, Cp, Engine, Game, GameNode, Headers, Limit, Mate, Move, Piece, PovScore

TEXT = """[Event "A"]
[White "Ann \\"A\\""]
[Result "1-0"]
[Mood "good"]
[FEN "4k4/9/9/9/9/9/9/9/R3K3R w KQ - 3 7"]
[SetUp "1"]

{at first} 7. O-O $1 {solid} (7. Ra2 Ke8 (7... Kd9 {else})) 7... Ke8 1-0

[Event "B"]
[Variant "Alquerque"]

1. c2c3 {} (1. zz) *
"""
MATED = Board("k8/1Q7/2K6/9/9/9/9/9/9 b - - 0 1")
DRAWN = Board("4k4/9/9/9/9/9/9/9/4K4 w - - 0 1")


def ways(value):
    """All kinds of copies of a value."""
    yield copy.copy(value)
    yield copy.deepcopy(value)
    for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1):
        yield pickle.loads(pickle.dumps(value, protocol))


def games():
    first, second = qirkat.parse_pgn(TEXT)
    second.comment = "a {brace} }{"
    second.headers["Remark"] = "two\nlines"
    c2c3 = second.next()
    c2c3.comment, c2c3.nags = "{" + "so " * 100 + "}", {1, 14}
    board = Board(variant="masonic")
    board.push(board.legal_moves[0])
    made = Game.from_board(board)
    made.result = "0-1"
    return [first, second, made, Game()]


@pytest.mark.parametrize("game", games(), ids=["read", "changed", "made", "empty"])
def test_copied_games_are_equal(game):
    for other in ways(game):
        assert other == game and other is not game
        assert str(other) == str(game) and repr(other) == repr(game)
        assert list(other.headers.items()) == list(game.headers.items()) and other.headers == game.headers
        assert (other.number, other.line, other.unread) == (game.number, game.line, game.unread)
        assert (other.comment, other.result, other.mainline_moves()) == (game.comment, game.result, game.mainline_moves())
        assert other.end_board().move_stack == game.end_board().move_stack
        other.headers["White"] = "Zoe"
        assert game.headers.get("White") != "Zoe"


def values():
    [first, second, made, _] = games()
    with Engine(hash=1) as engine:
        best = engine.analyse(Board(), Limit(nodes=2000), multipv=2)
        mate = engine.analyse(Board("k8/9/1QK6/9/9/9/9/9/9 w - - 0 1"), Limit(depth=3))
    return [
        Board(),
        Move("a8a9q"),
        Move("c3e5e3", "alquerque"),
        Piece("a"),
        Board().legal_moves,
        MATED.outcome(),
        DRAWN.outcome(),
        Board("5/5/5/1m3/5 w - - 0 1", "alquerque").outcome(),
        best,
        mate,
        mate["score"].white(),
        mate["score"].black(),
        best[0]["score"],
        Board().status(),
        Arrow("e2", "e4"),
        PovScore(Mate(-3), False),
        Cp(7),
        made.headers,
        Limit(),
        Limit(nodes=2**64 - 1, time=0.1, depth=5, mate=3, remaining_moves=2),
        Limit(white_clock=0.0, black_clock=1e9 / 3, white_inc=0, black_inc=1e-9),
    ]


@pytest.mark.parametrize("value", values(), ids=lambda value: type(value).__name__)
def test_copied_values_are_equal(value):
    for other in ways(value):
        assert type(other) is type(value) and other == value and repr(other) == repr(value)


def test_copied_headers_share_their_copied_game():
    game = games()[0]
    again, headers = pickle.loads(pickle.dumps((game, game.headers)))
    headers["White"] = "Zoe"
    assert again.headers["White"] == "Zoe" and isinstance(headers, Headers)
    copy.copy(game.headers)["White"] = "Yan"
    assert game.headers["White"] == "Yan"
    copy.deepcopy(game.headers)["White"] = "Xia"
    assert game.headers["White"] == "Yan"


def test_copied_results_are_equal():
    with Engine(hash=1) as engine:
        for board in (Board(), MATED, DRAWN):
            result = engine.play(board, Limit(nodes=500))
            for other in ways(result):
                assert (other.move, other.ponder, other.info) == (result.move, result.ponder, result.info)


def test_copied_reviews_are_equal():
    board = Board("r4k3/9/9/9/9/9/9/4Q4/4K4 w - - 0 1")
    for san in ("Qa2", "Rxa2", "Kf1"):
        board.push_san(san)
    game = Game.from_board(board)
    game.comment = "a {brace}"
    review = qirkat.review(game, Limit(nodes=2000), hash=1)
    assert review.moves[0]["mark"] == "blunder" and review.moves[0]["reason"]
    for other in ways(review):
        assert other.to_dict() == review.to_dict() and other.moves == review.moves
        assert other.expectations == review.expectations and other.annotated() == review.annotated()


def test_process_bound_values_cannot_be_pickled():
    with Engine(hash=1) as engine:
        for value in (
            engine,
            engine.analysis(Board(), Limit(nodes=10)),
            qirkat.Tablebase(),
            qirkat.Book(),
            qirkat.Evaluation(),
            qirkat.parse_pgn(TEXT),
        ):
            for way in (pickle.dumps, copy.copy, copy.deepcopy):
                with pytest.raises(TypeError, match=f"cannot pickle 'qirkat.{type(value).__name__}' object"):
                    way(value)


def test_every_class_is_covered():
    copied = {type(value) for value in values()} | {Game, GameNode, ChildNode, qirkat.PlayResult, qirkat.Review}
    refused = {Engine, qirkat.Analysis, qirkat.Tablebase, qirkat.Book, qirkat.Evaluation, qirkat.PgnReader}
    public = {name: item for name, item in vars(qirkat).items() if not name.startswith("_")}
    classes = {item for item in public.values() if isinstance(item, type)}
    errors = {item for item in classes if issubclass(item, BaseException)} | {qirkat.engine.EngineTerminatedError}
    assert copied - {list, tuple, dict} | refused == classes - errors
    for error in errors:
        assert {(type(other), str(other)) for other in ways(error("a text"))} == {(error, "a text")}


def test_damaged_states_raise():
    game = games()[0]
    make, whole = game._record().__reduce__()
    assert make(*whole) == game._record()
    start, tags, comment, moves, result, origin = whole
    for parts in (
        (),
        (start, tags, comment),
        ("9/9", tags, comment, moves, result, origin),
        (Board(), tags, comment, moves, result, origin),
        (start, tags, comment, moves[::-1], result, origin),
        (start, [("White", 7)], comment, moves, result, origin),
        (start, tags, comment, moves, "2-0", origin),
        (start, tags, comment, moves, result, (-1, *origin[1:])),
    ):
        with pytest.raises((TypeError, ValueError, OverflowError)):
            make(*parts)


def test_copied_nodes_are_in_their_copied_game():
    game = games()[0]
    node = game.variations[1].end()
    again, copied = pickle.loads(pickle.dumps((game, node)))
    assert copied.game() is again == game and copied is again.variations[1].end()
    assert copied.board() == node.board() and copied.comment == node.comment
    assert copy.copy(node) is node and copy.deepcopy(node).game() == game


def work(board, limit, game):
    """A task for a process pool."""
    with Engine(hash=1) as engine:
        result = engine.play(board, limit)
        info = engine.analyse(board, limit)
    return result, info, board.outcome(), game, qirkat.review(game, Limit(nodes=50), hash=1)


def test_process_pools_work():
    board = Board()
    board.push_san("e4")
    game = games()[0]
    context = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=context) as pool:
        result, info, outcome, again, review = pool.submit(work, board, Limit(nodes=500), game).result()
        with pytest.raises(qirkat.IllegalMoveError, match="e2e4"):
            pool.submit(board.push, Move("e2e4")).result()
    assert result.move in board.legal_moves and info["pv"][0] in board.legal_moves
    assert outcome is None and again == game and len(review) == len(game.mainline())
