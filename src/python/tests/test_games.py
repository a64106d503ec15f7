"""Games in PGN, tables, reviews."""

import copy
import io
import os
import pickle
import warnings

import pytest

import qirkat
from qirkat import Board, Game, Limit, Move, PgnMove, Tablebase

TEXT = """[Event "A"]
[White "Ann"]
[Black "Ben"]
[Result "1-0"]
[Mood "good"]

{at first} 1. e4 $1 {solid} (1. d4 d7 (1... e6) 2. c3) 1... d6 2. e5 a7 1-0

[Event "B"]
[White "Cid"]
[Variant "Alquerque"]

1. c2c3 *
"""
MOVES = ("e2e4", "d8d6", "e4e5", "a8a7")
FAULTY = '[White "A"]\n\n1. e4 Ke5 *\n\n[White "B"]\n\n1. e4 *\n'


def test_games_are_read_one_by_one(tmp_path):
    path = tmp_path / "games äö.pgn"
    path.write_text(TEXT)
    sources = [
        lambda: qirkat.read_pgn(path),
        lambda: qirkat.read_pgn(str(path)),
        lambda: qirkat.read_pgn(path.open()),
        lambda: qirkat.read_pgn(path.open("rb")),
        lambda: qirkat.read_pgn(io.StringIO(TEXT)),
        lambda: qirkat.parse_pgn(TEXT),
        lambda: qirkat.parse_pgn(TEXT.encode()),
    ]
    for source in sources:
        first, second = source()
        assert first.headers["White"] == "Ann" and first.headers.get("Mood") == "good"
        assert "Round" not in first.headers and first.headers.get("Round", "?") == "?"
        assert list(first.headers) == first.headers.keys() == [name for name, _ in first.headers.items()]
        assert (first.number, first.line, first.result, first.comment) == (1, 1, "1-0", "at first")
        assert first.mainline_moves() == [Move(uci) for uci in MOVES]
        e4 = first.mainline[0]
        assert (e4.comment, e4.nags, len(e4.variations)) == ("solid", (1,), 1)
        assert [played.move.uci() for played in e4.variations[0]] == ["d2d4", "d8d7", "c2c3"]
        assert list(first.end_board().move_stack) == first.mainline_moves()
        assert first.board() == Board() and first.board().variation_san(first.mainline_moves()) == "1. e4 d6 2. e5 a7"
        assert (second.variant, second.number, second.line, len(second)) == ("alquerque", 2, 9, 1)
        assert second.end_board().variant == "alquerque"


def test_games_survive_a_round_trip():
    for game in qirkat.parse_pgn(TEXT):
        [again] = qirkat.parse_pgn(str(game))
        assert str(again) == str(game)
        for other in (copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))):
            assert str(other) == str(game)
        out = io.StringIO()
        print(game, file=out, end="\n\n")
        print(game, file=out, end="\n\n")
        assert len(list(qirkat.parse_pgn(out.getvalue()))) == 2


def test_games_can_be_built():
    board = Board()
    for san in ("e4", "d6"):
        board.push_san(san)
    game = Game.from_board(board)
    game.headers["White"] = 'Ann "A" \\'
    game.headers["Odd"] = "1"
    del game.headers["Odd"]
    game.result = "1/2-1/2"
    game.comment = "a game"
    other = PgnMove(Move("d2d4"), "too")
    game.mainline = [PgnMove(Move("e2e4"), "best", [1], [[other]]), *game.mainline[1:]]
    text = str(game)
    assert '[White "Ann \\"A\\" \\\\"]' in text and 'Odd' not in text
    assert text.endswith("{a game} 1. e4 $1 {best} (1. d4 {too}) 1... d6 1/2-1/2")
    [again] = qirkat.parse_pgn(text)
    assert again.mainline == game.mainline and again.headers["White"] == 'Ann "A" \\'
    fen = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1"
    assert f'[FEN "{fen}"]' in str(Game.from_board(Board(fen)))
    assert Game("masonic").board() == Board(variant="masonic")
    assert repr(game).startswith("<Game ")


def test_all_text_is_kept_and_null_moves_are_read():
    [game] = qirkat.parse_pgn("{so} 1. e4 $300 e6 (1... Z0 2. d4 +- 1-0) 2. d4 ± 1-0 {Black resigned}")
    first, second, last = game.mainline
    assert (game.comment, first.comment, last.comment, last.nags) == ("so", "$300", "Black resigned", (16,))
    null, threat = second.variations[0]
    assert null.move == Move("0000") and not null.move and threat.move and str(null.move) == "0000"
    assert (threat.nags, threat.comment) == ((18,), "1-0")
    assert pickle.loads(pickle.dumps(null.move)) == null.move
    assert "(1... -- 2. d4 $18 {1-0})" in str(game)
    game.mainline = game.mainline
    for moves in ([PgnMove(Move("0000"))], [PgnMove(Move("e2e4"), "", [], [[PgnMove(Move("0000", "masonic"))]])]):
        with pytest.raises(qirkat.IllegalMoveError):
            game.mainline = moves
    with pytest.raises(qirkat.IllegalMoveError):
        Board().push(Move("0000"))


def test_invalid_games_raise():
    game = Game()
    with pytest.raises(qirkat.IllegalMoveError):
        game.mainline = [PgnMove(Move("e2e5"))]
    with pytest.raises(qirkat.IllegalMoveError):
        game.mainline = [PgnMove(Move("e2e4"), "", [], [[PgnMove(Move("e9e1"))]])]
    with pytest.raises(qirkat.IllegalMoveError, match="not a move of Alquerque"):
        Game("alquerque").mainline = [PgnMove(Move("e2e4"))]
    assert len(game) == 0 and game
    deep: list[PgnMove] = [PgnMove(Move("e2e4"))]
    with pytest.raises(ValueError, match="nested more than 16 deep"):
        for _ in range(100):
            deep = [PgnMove(Move("e2e4"), "", [], [deep])]
    game.mainline = deep
    [again] = qirkat.parse_pgn(str(game))
    assert again.mainline == tuple(deep) and not again.unread
    game.mainline = []
    with pytest.raises(AttributeError):
        game.mainline.append(deep[0])  # type: ignore[attr-defined]
    with pytest.raises(ValueError):
        game.result = "2-0"  # type: ignore[assignment]
    for name in ("", "a b", 'a"b', "FEN", "Variant"):
        with pytest.raises(ValueError):
            game.headers[name] = "x"
    with pytest.raises(KeyError):
        game.headers["None"]
    with pytest.raises(KeyError):
        del game.headers["None"]
    with pytest.raises(ValueError):
        Game("chess")


def test_faults_are_reported_with_line_numbers():
    reader = qirkat.parse_pgn(FAULTY)
    with pytest.raises(qirkat.PgnError, match="game 1, line 3: move 1... Ke5: not a legal move here"):
        next(reader)
    assert next(reader).headers["White"] == "B"
    assert len(reader.faults) == 1
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        [game] = qirkat.parse_pgn(FAULTY, errors="warn")
    assert game.headers["White"] == "B" and "line 3" in str(told[0].message)
    with pytest.raises(ValueError):
        qirkat.parse_pgn(FAULTY, errors="skip")  # type: ignore[arg-type]
    [unread] = qirkat.parse_pgn("1. e4 (1. Qa9) d6 *")
    assert len(unread.unread) == 1 and "line 1" in unread.unread[0]


def test_headers_are_a_mapping():
    game = Game()
    assert game.headers == {} and game.headers == game.headers and game.headers != {"White": "Ann"}
    game.headers["White"] = "Ann"
    assert game.headers == {"White": "Ann"} == dict(game.headers)
    game.result = "1-0"
    assert game.headers["Result"] == "1-0" == game.result
    game.headers["Result"] = "0-1"
    assert game.headers["Result"] == "0-1" == game.result and str(game).endswith(" 0-1") is False
    assert Game.from_board(Board()).headers["Result"] == "*"
    with pytest.raises(TypeError):
        hash(game.headers)


def test_unreadable_paths_raise_like_open(tmp_path):
    (tmp_path / "a file").write_text("nothing")
    calls = [
        (qirkat.read_pgn, "file"),
        (lambda path: qirkat.Engine(network=path), "file"),
        (lambda path: qirkat.Evaluation(network=path), "file"),
        (lambda path: qirkat.Engine(tables=path), "folder"),
        (Tablebase, "folder"),
    ]
    for call, kind in calls:
        wrong = ["nope", str(tmp_path / "äö"), tmp_path / "nope", tmp_path / "a file" / "x"]
        for path in [*wrong, tmp_path if kind == "file" else tmp_path / "a file"]:
            with pytest.raises(OSError) as expected:
                open(path) if kind == "file" else os.listdir(path)
            with pytest.raises(type(expected.value)) as told:
                call(path)
            assert str(told.value) == str(expected.value).replace("PosixPath(", "").replace("')", "'")
            assert (told.value.errno, told.value.filename) == (expected.value.errno, str(path))
        with pytest.raises(ValueError):
            call("a\0b")
        with pytest.raises(TypeError):
            call(7)


def test_failing_sources():
    with pytest.raises(TypeError):
        qirkat.read_pgn(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        qirkat.parse_pgn(7)  # type: ignore[arg-type]

    class Failing:
        def read(self, size):
            raise ZeroDivisionError("in between")

    class Strange:
        def read(self, size):
            return 7

    class Asking:
        def read(self, size):
            return reader.faults

    with pytest.raises(RuntimeError, match="already in use"):
        reader = qirkat.read_pgn(Asking())
        next(reader)
    with pytest.raises(ZeroDivisionError, match="in between"):
        next(qirkat.read_pgn(Failing()))
    with pytest.raises(TypeError, match="neither text nor bytes"):
        next(qirkat.read_pgn(Strange()))
    assert list(qirkat.parse_pgn("")) == []
    with pytest.raises(qirkat.PgnError):
        list(qirkat.parse_pgn(b"\xff\xfe\x00"))


def test_tables():
    tables = Tablebase()
    board = Board("k8/9/2K6/9/9/9/9/8R/9 w - - 0 1")
    probe = tables.probe(board)
    assert probe["result"] == "win" and probe["wdl"] == tables.probe_wdl(board) == 2
    assert probe["dtm"] == tables.probe_dtm(board) == tables.get_dtm(board)
    assert probe["moves"][0]["dtm"] == probe["dtm"] and probe["moves"][0]["move"] in board.legal_moves
    for _ in range(200):
        if board.is_game_over():
            break
        before = tables.probe_dtm(board)
        board.push(tables.probe(board)["moves"][0]["move"])
        assert abs(tables.probe_dtm(board)) == abs(before) - 1
    assert board.is_checkmate()
    men = Board("5/2m2/5/2M2/5 w - - 0 1", "alquerque")
    assert tables.probe(men)["result"] == "loss" and tables.probe_wdl(men) == -2 and tables.probe_dtm(men) < 0
    with pytest.raises(qirkat.MissingTableError, match="castling"):
        tables.probe(Board())
    assert tables.get_wdl(Board()) is None and tables.get_dtz(Board(), 7) == 7
    default = object()
    assert tables.get_dtm(Board(), default) is default and tables.get_wdl(Board(), 2**70) == 2**70  # type: ignore[call-overload]
    assert "tables" in repr(tables)


def blunders() -> Board:
    """White loses its queen to a rook."""
    board = Board("r4k3/9/9/9/9/9/9/4Q4/4K4 w - - 0 1")
    for san in ("Qa2", "Rxa2"):
        board.push_san(san)
    return board


def test_reviews():
    board = blunders()
    left: list[int] = []
    review = qirkat.review(Game.from_board(board), Limit(nodes=3000), progress=left.append, hash=1)
    assert left == [1, 0] and len(review) == 2 and len(review.expectations) == 3
    data = review.to_dict()
    assert tuple(data["moves"]) == review.moves and data["accuracy"] == review.accuracy
    assert review.moves[0]["mark"] == "blunder" and "queen" in (review.moves[0]["reason"] or "")
    annotated = review.annotated()
    assert "[%eval" in str(annotated) and annotated.headers["Annotator"].startswith("Qirkat")
    assert qirkat.review(Game.from_board(board), Limit(nodes=3000), hash=1).to_dict() == data
    for limit in (Limit(), Limit(nodes=1, depth=1), Limit(nodes=1, mate=2), Limit(time=1, white_clock=1)):
        with pytest.raises(ValueError, match="one limit"):
            qirkat.review(Game(), limit)

    def fails(left: int) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        qirkat.review(Game.from_board(board), Limit(nodes=3000), progress=fails)
    assert len(qirkat.review(Game(), Limit(depth=2))) == 0
