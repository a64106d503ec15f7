"""Games in PGN, tables, reviews."""

import copy
import gzip
import io
import os
import pickle
import warnings
from collections.abc import MutableMapping

import pytest

import qirkat
from qirkat import WHITE, Arrow, Board, Cp, Game, Headers, Limit, Mate, Move, PovScore, Score, Tablebase

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
    packed = tmp_path / "packed"
    packed.write_bytes(gzip.compress(TEXT.encode()))
    sources = [
        lambda: qirkat.read_pgn(path),
        lambda: qirkat.read_pgn(str(path)),
        lambda: qirkat.read_pgn(path.open()),
        lambda: qirkat.read_pgn(path.open("rb")),
        lambda: qirkat.read_pgn(packed),
        lambda: qirkat.read_pgn(packed.open("rb")),
        lambda: qirkat.read_pgn(io.StringIO(TEXT)),
        lambda: qirkat.parse_pgn(TEXT),
        lambda: qirkat.parse_pgn(TEXT.encode()),
    ]
    for source in sources:
        first, second = source()
        assert first.headers["White"] == "Ann" and first.headers.get("Mood") == "good"
        assert "Mode" not in first.headers and first.headers["Round"] == first.headers.get("Mode", "?") == "?"
        assert list(first.headers) == [name for name, _ in first.headers.items()]
        assert (first.number, first.line, first.result, first.comment) == (1, 1, "1-0", "at first")
        assert first.mainline_moves() == [Move(uci) for uci in MOVES]
        e4, d4 = first.variations
        assert (e4.comment, e4.nags, len(e4.variations)) == ("solid", {1}, 1)
        assert [node.uci() for node in [d4, *d4.mainline()]] == ["d2d4", "d8d7", "c2c3"]
        assert list(first.end_board().move_stack) == first.mainline_moves()
        assert first.board() == Board() and first.board().variation_san(first.mainline_moves()) == "1. e4 d6 2. e5 a7"
        assert (second.variant, second.number, second.line, len(second.mainline())) == ("alquerque", 2, 9, 1)
        assert second.end_board().variant == "alquerque"


def test_games_survive_a_round_trip():
    for game in qirkat.parse_pgn(TEXT):
        [again] = qirkat.parse_pgn(str(game))
        assert str(again) == str(game)
        assert game.variations and str(game) == str(again), "it is the same as a tree"
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
    e4 = game.next()
    e4.comment = "best"
    e4.nags.add(1)
    d4 = game.add_variation(Move("d2d4"), comment="too", starting_comment="or")
    text = str(game)
    assert '[White "Ann \\"A\\" \\\\"]' in text and "Odd" not in text
    assert text.endswith("{a game} 1. e4 $1 {best} ({or} 1. d4 {too}) 1... d6 1/2-1/2")
    [again] = qirkat.parse_pgn(text)
    assert str(again) == text and again.headers == game.headers and again.variation(1).starting_comment == "or"
    assert (again.number, game.number) == (1, None) and again != game != 7
    game.number, game.line = again.number, again.line
    assert again == game
    d4.nags = {300}
    with pytest.raises(ValueError, match="nags=300"):
        str(game)
    fen = "4k4/9/9/9/9/9/9/9/R3K4 w - - 0 1"
    assert f'[FEN "{fen}"]' in str(Game.from_board(Board(fen)))
    assert Game("masonic").board() == Board(variant="masonic")
    game = Game()
    game.setup(fen)
    assert (game.headers["FEN"], game.headers["SetUp"], game.board().fen()) == (fen, "1", fen)
    assert str(game) == str(Game.from_board(Board(fen))) and repr(game).startswith("<Game ")
    game.add_main_variation(Move("a1a2"))
    with pytest.raises(ValueError, match="the game has moves"):
        game.setup(Board())


def test_nodes_are_walked_as_in_python_chess():
    [game] = qirkat.parse_pgn(TEXT.split("[Event \"B\"]")[0])
    e4, d4 = game.variations
    d7, e6 = d4.variations
    assert (game.parent, game.move, e4.parent, e4.move) == (None, None, game, Move("e2e4"))
    assert game.next() is e4 and game.end() is game.mainline()[-1] and game.end().is_end() and not e4.is_end()
    assert [node.san() for node in game.mainline()] == ["e4", "d6", "e5", "a7"]
    assert e6.game() is e6.root() is game and e6.end() is e6 and d7.end().san() == "c3"
    assert list(e6.board().move_stack) == [Move("d2d4"), Move("e8e6")]
    assert (e6.ply(), e6.turn(), game.end_board()) == (2, WHITE, game.end().board())
    walked = [(node.is_mainline(), node.is_main_variation(), node.starts_variation()) for node in (game, e4, d4, d7, e6)]
    assert walked == [(True, True, False), (True, True, False), (False, False, True), (False, True, False), (False, False, True)]
    assert game.variation(1) is game[d4] is game[Move("d2d4")] is d4 and Move("d2d4") in game and e6 not in game
    assert game.has_variation(d4) and not game.has_variation(Move("a2a3")) and repr(e6) == "<ChildNode '1... e6'>"
    for missing in (2, -1, Move("a2a3"), e6, True):
        with pytest.raises(KeyError):
            game.variation(missing)


EDITS = [
    (lambda game: game.promote(2), "1. d4 (1. b3) (1. c3) d7"),
    (lambda game: game.promote(0), "1. d4 (1. c3) (1. b3) d7"),
    (lambda game: game.demote(0), "1. c3 (1. d4 d7) (1. b3)"),
    (lambda game: game.demote(Move("b2b3")), "1. d4 (1. c3) (1. b3) d7"),
    (lambda game: game.promote_to_main(game[1]), "1. c3 (1. d4 d7) (1. b3)"),
    (lambda game: game.remove_variation(Move("d2d4")), "1. c3 (1. b3)"),
    (lambda game: game[0].remove_variation(0), "1. d4 (1. c3) (1. b3)"),
    (lambda game: game.add_main_variation(Move("e2e4"), nags=[3, 1]), "1. e4 $3 $1 (1. d4 d7) (1. c3) (1. b3)"),
    (lambda game: game[1].add_line([Move("a8a7"), Move("a2a3")], comment="so", nags=[2], starting_comment="-"), "1. d4 (1. c3 {-} 1... a7 2. a3 $2 {so}) (1. b3) 1... d7"),
]


@pytest.mark.parametrize("edit, moves", EDITS)
def test_the_tree_is_edited_in_place(edit, moves):
    [game] = qirkat.parse_pgn("1. d4 (1. c3) (1. b3) d7 *")
    edit(game)
    written = str(game).splitlines()[-1]
    assert written.replace(" 1... ", " ") == moves.replace(" 1... ", " ") + " *"
    [again] = qirkat.parse_pgn(str(game))
    assert str(again) == str(game)


COMMANDS = [
    ("clock", "set_clock", 62.5, "[%clk 0:01:02.5]"),
    ("clock", "set_clock", 36000.0, "[%clk 10:00:00]"),
    ("emt", "set_emt", 0.25, "[%emt 0:00:00.25]"),
    ("eval", "set_eval", PovScore(Cp(-35), WHITE), "[%eval -0.35]"),
    ("eval", "set_eval", PovScore(Mate(3), WHITE), "[%eval #3]"),
    ("arrows", "set_arrows", [Arrow("e4", "e4", "red"), Arrow("e2", "e4")], "[%csl Re4] [%cal Ge2e4]"),
]


@pytest.mark.parametrize("get, set_, value, text", COMMANDS)
def test_commands_in_comments(get, set_, value, text):
    game = Game()
    node = game.add_variation(Move("e2e4"), comment="so be it")
    empty = [] if get == "arrows" else None
    assert getattr(node, get)() == empty
    getattr(node, set_)(value)
    assert node.comment == f"so be it {text}" and getattr(node, get)() == value
    node.comment = f"{text} [%x 1] [y]"
    [again] = qirkat.parse_pgn(str(game))
    assert getattr(again.next(), get)() == value
    getattr(node, set_)(empty)
    assert node.comment == "[%x 1] [y]" and getattr(node, get)() == empty


def test_evaluations_in_comments():
    node = Game().add_variation(Move("e2e4"))
    node.set_eval(PovScore(Cp(20), not WHITE), 18)
    assert node.comment == "[%eval -0.20,18]" and node.eval_depth() == 18
    node.comment = "[%eval #0]"
    assert node.eval() == PovScore(Mate(0), not WHITE) and node.eval_depth() is None
    for text in ("[%eval x]", "[%eval #9999]", "[%eval]", "[%eval 1e99]", "[%eval 1,x]", "[%evaluation 1]"):
        node.comment = text
        assert node.eval() is None
    for text in ("[%clk 1]", "[%clk -1:00:00]", "[%clk 9999999:00:00]", "[%cal Xe2e4,Gz1z2]", "[%cal ]"):
        node.comment = text
        assert node.clock() is None and node.arrows() == []
    for wrong in (float("nan"), float("inf")):
        with pytest.raises(ValueError, match="not a time"):
            node.set_clock(wrong)
    for arrow in (("e2", "z9"), ("e2", "e4", "pink")):
        with pytest.raises(ValueError, match="not an arrow"):
            node.set_arrows([arrow])
    assert Cp(10**40) == Cp(31871) > Cp(0) > -Cp(3) and Mate(2) > Mate(3) > Cp(500) > Mate(-3)
    assert isinstance(Cp(3), Score) and Mate(-2).mate() == -2
    for far in (1000, -(10**30), 10**30):
        with pytest.raises(ValueError, match="too far"):
            Mate(far)


def test_all_text_is_kept_and_null_moves_are_read():
    [game] = qirkat.parse_pgn("{so} 1. e4 $300 e6 (1... Z0 2. d4 +- 1-0) 2. d4 ± 1-0 {Black resigned}")
    first, second, last = game.mainline()
    assert (game.comment, first.comment, last.comment, last.nags) == ("so", "$300", "Black resigned", {16})
    null = first.variations[1]
    threat = null.next()
    assert null.move == Move.null() and not null.move and threat.move and str(null.move) == "0000"
    assert (threat.nags, threat.comment, threat.board().fullmove_number) == ({18}, "1-0", 2)
    assert "(1... -- 2. d4 $18 {1-0})" in str(game)
    with pytest.raises(qirkat.IllegalMoveError):
        game.add_variation(Move.null("masonic"))
    # In the main line, too: it is read as a variation.
    game = Game()
    game.add_line([Move.null(), Move("e8e6")])
    assert copy.copy(game).end_board() == game.end_board() and "1. -- e6" in str(game)
    with pytest.raises(qirkat.IllegalMoveError):
        qirkat.review(game, Limit(nodes=10))


def test_invalid_games_raise():
    game = Game()
    with pytest.raises(qirkat.IllegalMoveError):
        game.add_variation(Move("e2e5"))
    with pytest.raises(qirkat.IllegalMoveError):
        game.add_line([Move("e2e4"), Move("e2e4")])
    with pytest.raises(qirkat.IllegalMoveError, match="not a move of Alquerque"):
        Game("alquerque").add_main_variation(Move("e2e4"))
    assert not game.variations and game and game.add_line([]) is game
    node = game
    for _ in range(40):
        first, second = node.board().legal_moves[:2]
        node.add_variation(first)
        node = node.add_variation(second)
    with pytest.raises(ValueError, match="nested more than 16 deep"):
        str(game)
    for result in ("2-0", "", "1-0 "):
        with pytest.raises(ValueError, match="not a result"):
            game.result = result  # type: ignore[assignment]
    for name in ("", "a b", 'a"b', "FEN", "Variant"):
        with pytest.raises(ValueError):
            game.headers[name] = "x"
    with pytest.raises(TypeError):
        game.headers["White"] = 7  # type: ignore[assignment]
    for call in (lambda: game.headers["None"], lambda: game.headers.pop("None"), lambda: game.headers.__delitem__("None")):
        with pytest.raises(KeyError):
            call()
    with pytest.raises(ValueError):
        Game("chess")
    for wrong in (7, "1. e4", None, Board()):
        with pytest.raises(TypeError, match="expected a qirkat.Game"):
            qirkat.review(wrong, Limit(nodes=10))  # type: ignore[arg-type]


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
    roster = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?", "Result": "*"}
    assert game.headers == {**roster, "Variant": "Chesquerque"} and isinstance(game.headers, MutableMapping)
    game.headers.update(White="Ann", Remark="x")
    assert list(game.headers)[-1] == "Remark" and game.headers.pop("Remark") == "x"
    assert dict(game.headers) == {**roster, "White": "Ann", "Variant": "Chesquerque"} != game.headers.keys()
    game.result = "1-0"
    assert game.headers["Result"] == "1-0" == game.result
    game.headers["Result"] = "0-1"
    assert game.headers["Result"] == "0-1" == game.result and str(game).endswith(" 0-1") is False
    game.headers.clear()
    assert game.result == "*" and str(game) == str(Game())
    assert Game(headers={"White": "Ann"}).headers["White"] == "Ann" == Headers([("White", "Ann")])["White"]
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
        (qirkat.Book, "file"),
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


@pytest.mark.parametrize("variant", ["chesquerque", "masonic", "alquerque"])
def test_books(variant, tmp_path):
    book = qirkat.Book(variant=variant)
    board = Board(variant=variant)
    known = book[board]
    assert board in book and book.variant == variant and len(book) > 100 and variant in repr(book)
    assert known == book.probe(board) and {it["move"] for it in known["moves"]} == set(board.legal_moves)
    scores = [it["score"].pov(board.turn) for it in known["moves"]]
    assert scores == sorted(scores, reverse=True) and scores[0] == known["score"].relative
    line = book.line(board)
    assert line[0] == known["moves"][0]["move"] and book.line(board, 1) == line[:1] and book.line(board, 0) == ()
    assert {"white", "draws", "black"} == set(known["games"])
    for move in line:
        assert board in book
        board.push(move)
    other = Board(variant="masonic" if variant == "alquerque" else "alquerque")
    assert book.probe(other) is None and other not in book
    with pytest.raises(KeyError, match="not in the book"):
        book[other]
    with pytest.raises(ValueError, match="plies=-1"):
        book.line(board, -1)
    (tmp_path / "a.book").write_bytes(b"nothing")
    with pytest.raises(qirkat.BookError, match="not an opening book"):
        qirkat.Book(tmp_path / "a.book", variant)


def test_reviews_say_where_a_game_leaves_the_book():
    book = qirkat.Book()
    board = Board()
    board.push(book[board]["moves"][0]["move"])
    known = book[board]
    board.push(known["moves"][-1]["move"])
    review = qirkat.review(Game.from_board(board), Limit(nodes=50), hash=1)
    left = review.to_dict()["left_book"]
    assert left is not None and left["ply"] == 2 and left["best"] is not None
    assert left["best"]["pv"] == [known["moves"][0]["move"].uci()]
    assert "Leaves the book" in str(review.annotated()).replace("\n", " ")
    make, (game, text) = review.__reduce__()
    for part, wrong in ('"at":1', '"at":7'), (f'"{left["best"]["pv"][0]}"]}}', '"a1a9"]}'):
        head, found, tail = text.rpartition(part)
        assert found
        with pytest.raises(ValueError):
            make(game, head + wrong + tail)


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
