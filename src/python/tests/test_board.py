"""Boards of all three games: behaviour as in python-chess, and misuse."""

import copy
import pickle
import random
import threading

import pytest

import qirkat
from qirkat import BLACK, WHITE, Board, Move, Piece, Status

GAMES = ["chesquerque", "masonic", "alquerque"]
PERFT = {"chesquerque": [18, 324, 6746]}


def count(board: Board, depth: int) -> int:
    """The number of positions at this depth, by push and pop."""
    if depth == 0:
        return 1
    found = 0
    for move in board.legal_moves:
        board.push(move)
        found += count(board, depth - 1)
        assert board.pop() == move
    return found


def play_at_random(board: Board, plies: int, seed: int) -> Board:
    chance = random.Random(seed)
    for _ in range(plies):
        if board.is_game_over():
            break
        board.push(chance.choice(board.legal_moves))
    return board


def test_perft_by_push_and_pop():
    board = Board()
    before = board.fen()
    assert [count(board, depth) for depth in (1, 2, 3)] == PERFT["chesquerque"]
    assert board.fen() == before and board.move_stack == ()


@pytest.mark.parametrize("game", GAMES)
def test_copies_and_pickles_are_equal(game):
    for seed in range(5):
        board = play_at_random(Board(variant=game), 60, seed)
        for other in (
            board.copy(),
            copy.copy(board),
            copy.deepcopy(board),
            *(pickle.loads(pickle.dumps(board, protocol)) for protocol in range(2, 6)),
        ):
            assert other == board and hash(other) == hash(board)
            assert other.move_stack == board.move_stack
            assert other.outcome() == board.outcome()
            assert other.root() == board.root() == Board(variant=game)
        bare = board.copy(stack=False)
        assert bare == board and bare.move_stack == ()
        again = Board(board.fen(), game)
        assert again == board and hash(again) == hash(board)
        assert eval(repr(board), {"Board": Board}) == board
        for move in board.move_stack:
            assert pickle.loads(pickle.dumps(move)) == move
            assert eval(repr(move), {"Move": Move}) == move
        while board.move_stack:
            last = board.peek()
            assert board.pop() == last
            assert board.is_legal(last)
        assert board == Board(variant=game)


@pytest.mark.parametrize("game", GAMES)
def test_moves_survive_a_round_trip(game):
    board = Board(variant=game)
    for ply in range(40):
        if board.is_game_over():
            break
        for move in board.legal_moves:
            assert board.parse_uci(move.uci()) == move
            assert board.parse_san(board.san(move)) == move
            assert Move.from_uci(move.uci(), game) == move
            assert board.is_legal(move) and board.why_illegal(move) is None
            assert move in board.legal_moves
            assert move.squares[0] == move.from_square and move.squares[-1] == move.to_square
        san = board.san(board.legal_moves[ply % len(board.legal_moves)])
        assert board.push_san(san) == board.peek()


def test_board_attributes():
    board = Board()
    assert board.turn == WHITE and board.variant == "chesquerque"
    assert board.legal_moves.count() == len(board.legal_moves) == len(list(board.legal_moves)) == 18
    assert board.legal_moves[-1] == list(board.legal_moves)[-1]
    assert board.legal_moves[:3] == list(board.legal_moves)[:3]
    assert repr(board.legal_moves).startswith("<LegalMoves (")
    assert board.push_san("e4") == Move("e2e4")
    assert board.push_uci("d8d6") == Move.from_uci("d8d6")
    assert board.turn == WHITE and board.fullmove_number == 2 and board.ply() == 2
    assert board.piece_at("e4") == Piece("P") == board.piece_at(board.squares.index("e4"))
    assert board.piece_at("e5") is None
    assert board.piece_map()["f9"] == Piece.from_symbol("a")
    assert board.piece_map()["f9"].kind == "archbishop"
    assert board.king(WHITE) == "e1" and board.king(BLACK) == "e9"
    assert "e1---" not in str(board) and "R---N---B---Q---K---A---B---N---R" in str(board)
    line = [Move("e4e5"), Move("a8a7")]
    assert board.variation_san([]) == ""
    assert board.variation_san(line[:2]) == "2. e5 a7"
    board.push(line[0])
    assert board.variation_san(line[1:2]) == "2... a7"
    assert board.result() == "*" and board.outcome() is None


def test_checks_and_attackers():
    board = Board("4k4/9/9/9/9/9/9/9/4R1K2 b - - 0 1")
    assert board.is_check() and not board.is_checkmate() and not board.is_stalemate()
    assert board.attackers(WHITE, "e9") == ["e1"]
    assert board.is_attacked_by(WHITE, "e9") and not board.is_attacked_by(BLACK, "e1")
    board = Board("4k4/9/9/4p4/4P4/3P5/9/9/R2RK4 w - - 0 1")
    assert board.attackers(WHITE, "d4") == ["d1"]
    men = Board("5/5/5/1m3/2M2 w - - 0 1", "alquerque")
    assert men.attackers(WHITE, "b2") == ["c1"] and not men.is_check() and men.king(WHITE) is None


def test_outcomes():
    mated = Board("k8/1Q7/2K6/9/9/9/9/9/9 b - - 0 1")
    assert mated.is_checkmate() and mated.is_game_over() and mated.result() == "1-0"
    outcome = mated.outcome()
    assert outcome is not None
    assert (outcome.termination, outcome.winner, outcome.result()) == ("checkmate", True, "1-0")
    assert len(mated.legal_moves) == 0 and list(mated.legal_moves) == []
    board = Board("4k3r/9/9/9/9/9/9/9/R3K4 w - - 0 1")
    for _ in range(2):
        for uci in ("a1a2", "i9i8", "a2a1", "i8i9"):
            assert not board.is_game_over()
            board.push_uci(uci)
    outcome = board.outcome()
    assert outcome is not None and outcome.termination == "repetition" and outcome.winner is None
    assert board.result() == "1/2-1/2" and not board.is_stalemate()
    assert board.copy(stack=False).outcome() is None
    kings = Board("4k4/9/9/9/9/9/9/9/4K4 w - - 0 1")
    assert kings.is_insufficient_material() and kings.result() == "1/2-1/2"


@pytest.mark.parametrize("fen", ["", "x", "9/9 w", "4k4/9/9/9/9/9/9/9/9 w - - 0 1", "\0", "é" * 1000, "9/" * 10000])
def test_invalid_fens_raise(fen):
    with pytest.raises(qirkat.FenError) as refused:
        Board(fen)
    assert isinstance(refused.value, ValueError) and str(refused.value)
    board = Board()
    board.push_san("e4")
    with pytest.raises(ValueError):
        board.set_fen(fen)
    assert board.move_stack == (Move("e2e4"),)


def test_fens_of_another_variant_raise():
    with pytest.raises(qirkat.FenError):
        Board(Board(variant="masonic").fen())
    for game in GAMES:
        for other in set(GAMES) - {game}:
            hint = rf"\(its board is that of .*: variant='{other}'\)$"
            with pytest.raises(qirkat.FenError, match=hint):
                Board(Board(variant=other).fen(), game)
            with pytest.raises(qirkat.FenError, match=hint):
                Board(variant=game).set_fen(Board(variant=other).fen())
    with pytest.raises(qirkat.FenError) as own:
        Board("9/9/9/9/9/9/9/9/9 w - - 0 1")
    assert "its board" not in str(own.value)
    with pytest.raises(ValueError, match="`chess` is not one of the games"):
        Board(variant="chess")
    board = Board(variant="alquerque")
    foreign = Move("e2e4")
    assert foreign not in board.legal_moves and not board.is_legal(foreign)
    assert board.why_illegal(foreign) == "it is not a move of Alquerque"
    with pytest.raises(qirkat.IllegalMoveError, match="not a move of Alquerque"):
        board.push(foreign)
    assert Move("e2e4") != Move("e2e4", "masonic")


def test_illegal_moves_raise_with_the_reason():
    board = Board()
    with pytest.raises(qirkat.IllegalMoveError, match="c1e3: the path is blocked on d2"):
        board.push(Move("c1e3"))
    with pytest.raises(qirkat.IllegalMoveError):
        board.push_uci("e2e5")
    with pytest.raises(qirkat.InvalidMoveError, match="`castles` is not a move"):
        board.push_uci("castles")
    with pytest.raises(qirkat.InvalidMoveError):
        board.push_san("!!")
    with pytest.raises(qirkat.IllegalMoveError):
        board.push_san("Ke5")
    with pytest.raises(qirkat.IllegalMoveError):
        board.san(Move("e2e5"))
    with pytest.raises(qirkat.IllegalMoveError):
        board.variation_san([Move("e2e4"), Move("e2e4")])
    for call in (board.gives_check, board.is_capture):
        with pytest.raises(qirkat.IllegalMoveError):
            call(Move("e2e5"))
    with pytest.raises(TypeError):
        board.push("e2e4")  # type: ignore[arg-type]
    assert board == Board() and board.move_stack == ()
    with pytest.raises(IndexError):
        board.pop()
    with pytest.raises(IndexError):
        board.peek()
    for index in (18, -19, 10**30, -(10**30)):
        with pytest.raises(IndexError):
            board.legal_moves[index]
    for square in ("j1", "e10", "", "é", 81, -1, 10**30, -(10**5000)):
        with pytest.raises(ValueError, match="is not a square of Chesquerque"):
            board.piece_at(square)
    with pytest.raises(TypeError):
        board.piece_at(1.5)  # type: ignore[arg-type]
    for symbol in ("", "x", "PP", "é"):
        with pytest.raises(ValueError):
            Piece(symbol)


def test_damaged_pickles_raise():
    board = play_at_random(Board(), 20, 1)
    for state in ("e2e4 e2e4", "nonsense", "e2e4 " * 3, "\0"):
        other = board.copy()
        with pytest.raises(ValueError):
            other.__setstate__(state)
        assert other == board and other.move_stack == board.move_stack
    whole = pickle.dumps(board)
    chance = random.Random(2)
    for _ in range(300):
        at = chance.randrange(len(whole))
        damaged = whole[:at] + bytes([chance.randrange(256)]) + whole[at + 1 :]
        if b"qirkat" not in damaged:
            continue
        try:
            read = pickle.loads(damaged)
        except Exception:  # noqa: BLE001 (any exception will do, but no crash)
            continue
        if isinstance(read, Board):
            assert Board(read.fen(), read.variant) == read


def test_threads_can_share_a_board():
    board = Board()
    faults: list[BaseException] = []

    def play() -> None:
        for _ in range(2000):
            try:
                board.push(board.legal_moves[0])
                board.fen()
                board.pop()
            except (ValueError, IndexError, RuntimeError):
                pass
            except BaseException as fault:  # noqa: BLE001
                faults.append(fault)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults
    assert Board(board.fen()).fen() == board.fen()


def test_equal_boards_have_equal_hashes():
    boards = [Board() for _ in range(100_000)]
    assert len(set(map(hash, boards))) == 1 and len(set(boards)) == 1


@pytest.mark.parametrize("game", GAMES)
def test_svg(game):
    import xml.etree.ElementTree as xml

    board = play_at_random(Board(variant=game), 9, 4)
    for svg in (board._repr_svg_(), board.svg(flipped=True), board.svg(marks=False)):
        root = xml.fromstring(svg)
        used = root.findall(".//{http://www.w3.org/2000/svg}use")
        assert {use.get("data-point"): use.get("href") for use in used} == {
            square: f"#{piece.symbol()}" for square, piece in board.piece_map().items()
        }
    last = xml.fromstring(board.svg()).findall(".//*[@class='last']")
    assert tuple(mark.get("data-point") for mark in last) == board.peek().squares
    check = Board("4k4/9/9/9/9/9/9/9/4R1K2 b - - 0 1")
    marked = xml.fromstring(check.svg()).findall(".//*[@class='check']")
    assert [mark.get("data-point") for mark in marked] == ["e9"]


def test_mirror_warns_of_lost_castling():
    for game in ("chesquerque", "alquerque"):
        board = Board(variant=game)
        assert board.mirror().mirror() == board
    masonic = Board("r3k3/pppppppp/8/8/8/8/PPPPPPPP/4K2R w Kq - 0 1", "masonic")
    with pytest.warns(UserWarning, match="mirror: castling: `Kq` dropped"):
        mirrored = masonic.mirror()
    assert mirrored.fen().split()[2] == "-"
    assert mirrored.mirror().mirror() == mirrored


def fields(board):
    """What of a board is known even if it is no legal position."""
    return (board.fen(), board.turn, board.piece_map(), board.castling_rights, board.ep_square, board.halfmove_clock, str(board))


@pytest.mark.parametrize("game", GAMES)
def test_boards_are_set_up_by_hand(game):
    for seed in range(5):
        wanted = play_at_random(Board(variant=game), 9 * seed, seed)
        board = Board(variant=game)
        board.clear()
        assert (len(board.piece_map()), board.turn, board.castling_rights) == (0, WHITE, frozenset())
        assert board.status() & Status.EMPTY and not board.is_valid()
        board.castling_rights = wanted.castling_rights
        board.turn = wanted.turn
        for square, piece in wanted.piece_map().items():
            board.set_piece_at(square, piece)
            # At any stage it is copied, and has moves only if it is legal.
            for other in (board.copy(), pickle.loads(pickle.dumps(board)), eval(repr(board)) if board.is_valid() else board):
                assert other == board and hash(other) == hash(board) and fields(other) == fields(board)
        board.fullmove_number = wanted.fullmove_number
        board.halfmove_clock = wanted.halfmove_clock
        board.ep_square = wanted.ep_square
        assert board.is_valid() and board.status() == Status.VALID and board.move_stack == ()
        if game != "alquerque":  # The forbidden steps cannot be set.
            assert board == wanted and list(board.legal_moves) == list(wanted.legal_moves)
        board.set_piece_map(Board(variant=game).piece_map())
        assert board.piece_map() == Board(variant=game).piece_map()
        board.push(board.legal_moves[0])
        assert board.pop() and board.move_stack == ()


@pytest.mark.parametrize(
    "fen, status",
    [
        ("9/9/9/9/9/9/9/9/9 w - - 0 1", Status.EMPTY | Status.NO_WHITE_KING | Status.NO_BLACK_KING),
        ("k8/9/9/9/9/9/9/9/8R w - - 0 1", Status.NO_WHITE_KING),
        ("k1K6/9/9/9/9/9/9/9/8K w - - 0 1", Status.TOO_MANY_KINGS),
        ("k1K5P/9/9/9/9/9/9/9/9 w - - 0 1", Status.PAWNS_ON_BACKRANK),
        ("k1K5R/9/9/9/9/9/9/R8/9 w - - 0 1", Status.OPPOSITE_CHECK),
        ("k1K6/9/9/9/9/9/9/9/9 w - e7 0 1", Status.INVALID_EP_SQUARE),
    ],
)
def test_impossible_boards_have_a_reason_and_nothing_else(fen, status):
    board = Board("k1K6/9/9/9/9/9/9/9/9 w - - 0 1")
    placement, _, _, square, *_ = fen.split()
    for rank, text in zip(range(9, 0, -1), placement.split("/")):
        for file, letter in zip("abcdefghi", "".join("." * int(it) if it.isdigit() else it for it in text)):
            board.set_piece_at(f"{file}{rank}", None if letter == "." else Piece(letter))
    board.ep_square = None if square == "-" else square
    assert (board.status(), board.is_valid(), board.fen()) == (status, False, fen)
    reason = pytest.raises(qirkat.FenError, match="^not a legal position: ")
    with qirkat.Engine(hash=1) as engine:
        for call in (
            lambda: board.legal_moves,
            lambda: board.push(Move("c9d9")),
            lambda: board.push(Move.null()),
            lambda: board.parse_san("Kd9"),
            lambda: board.is_legal(Move("c9d9")),
            board.outcome,
            board.is_check,
            board.checkers,
            board.mirror,
            board.root,
            board.result,
            board.generate_legal_captures,
            lambda: board.attackers(WHITE, "a1"),
            lambda: board.attacks("a9"),
            lambda: board.is_pinned(WHITE, "a1"),
            lambda: engine.play(board, qirkat.Limit(nodes=1)),
            lambda: engine.analysis(board),
            lambda: qirkat.Tablebase().probe(board),
            lambda: qirkat.Evaluation()(board),
            lambda: qirkat.legal_moves([board]),
            lambda: qirkat.Game.from_board(board),
            lambda: qirkat.Game().setup(board),
        ):
            with reason:
                call()
    assert board.svg() and repr(board) == f"Board('{fen}')" and board.piece_at("a9") == board.piece_map().get("a9")
    with pytest.raises(IndexError):
        board.pop()
    board.set_fen(Board().fen())
    assert board == Board() and board.is_valid()


def test_castling_rights_are_set():
    board = Board("r3k3r/9/9/9/9/9/9/9/R3K3R w - - 0 1")
    assert board.castling_rights == frozenset() and not board.has_castling_rights(WHITE)
    board.castling_rights |= {"a1", "i9"}
    assert board.fen().split()[2] == "Qk" and board.castling_rights == {"a1", "i9"}
    assert board.has_queenside_castling_rights(WHITE) and not board.has_kingside_castling_rights(WHITE)
    assert board.has_kingside_castling_rights(BLACK) and board.has_castling_rights(BLACK)
    rook = board.remove_piece_at("a1")
    assert rook == Piece("R") and board.status() == Status.BAD_CASTLING_RIGHTS
    assert board.fen().split()[2] == "k" and not board.has_castling_rights(WHITE) and board.legal_moves
    board.set_piece_at("a1", rook)
    assert board.is_valid() and board.fen().split()[2] == "Qk"
    board.set_castling_fen("qkQK")
    assert board.fen().split()[2] == "KQkq" and len(board.castling_rights) == 4
    for wrong in ("X", "KK", "KQkqK"):
        with pytest.raises(qirkat.FenError):
            board.set_castling_fen(wrong)
    with pytest.raises(ValueError, match="no rook castles from b1"):
        board.castling_rights = ["b1"]
    men = Board(variant="alquerque")
    men.castling_rights = ()
    men.ep_square = None
    assert men == Board(variant="alquerque") and men.ep_square is None
    for wrong in (lambda: men.set_castling_fen("K"), lambda: setattr(men, "ep_square", "a3"), lambda: men.set_piece_at("a1", Piece("K"))):
        with pytest.raises(ValueError):
            wrong()
    for number in (0, -1, 10**30):
        with pytest.raises(ValueError, match="fullmove_number="):
            board.fullmove_number = number


def test_kinds_of_moves():
    board = Board("r3k3r/9/9/3Pp4/9/9/9/9/R3K3R w KQkq e7 3 1")
    for uci, names in {
        "e1h1": {"is_castling", "is_kingside_castling"},
        "e1b1": {"is_castling", "is_queenside_castling"},
        "d6e7": {"is_en_passant", "is_capture", "is_zeroing"},
        "d6d7": {"is_zeroing"},
        "a1a9": {"is_capture", "is_zeroing", "gives_check"},
        "e1d1": set(),
    }.items():
        kinds = ("is_castling", "is_kingside_castling", "is_queenside_castling", "is_en_passant", "is_zeroing", "is_capture", "gives_check")
        assert {name for name in kinds if getattr(board, name)(Move(uci))} == names, uci
    assert board.ep_square == "e7" and {move.uci() for move in board.generate_legal_captures()} >= {"d6e7", "a1a9", "i1i9"}
    men = Board("5/5/2m2/2M2/5 w - - 0 1", "alquerque")
    assert next(men.generate_legal_captures()) == men.legal_moves[0] and men.is_zeroing(men.legal_moves[0])
    assert not men.is_en_passant(men.legal_moves[0]) and not men.is_castling(men.legal_moves[0])


def test_pins_and_attacks():
    board = Board("4k4/9/4n4/9/4R4/9/9/9/3K5 b - - 0 1")
    assert board.is_pinned(BLACK, "e7") and not board.is_pinned(WHITE, "e7") and not board.is_pinned(BLACK, "e9")
    assert set(board.pin(BLACK, "e7")) == {"e8", "e7", "e6", "e5"} and len(board.pin(BLACK, "e5")) == 81
    assert board.checkers() == [] and Board("4k4/9/9/9/4R4/9/9/9/3K5 b - - 0 1").checkers() == ["e5"]
    for game in GAMES:
        for seed in range(3):
            played = play_at_random(Board(variant=game), 30, seed)
            for square, piece in played.piece_map().items():
                attacked = played.attacks(square)
                assert all(square in played.attackers(piece.color, other) for other in attacked)
                assert len(played.pin(piece.color, square)) == len(played.squares) or played.is_pinned(piece.color, square)
            assert bool(played.checkers()) == played.is_check()
    assert Board().attacks("e5") == []


def test_null_moves_are_pushed_for_analysis():
    for game in GAMES:
        board = Board(variant=game)
        null = Move.null(game)
        assert not null and null not in board.legal_moves and not board.is_legal(null) and board.san(null) == "--"
        board.push(null)
        assert board.turn == BLACK and board.peek() == null and board.fullmove_number == 1
        reply = board.legal_moves[0]
        assert board.variation_san([reply, null]).endswith("--")
        board.push(reply)
        assert pickle.loads(pickle.dumps(board)) == board
        with qirkat.Engine(hash=1) as engine:
            assert engine.play(board, qirkat.Limit(nodes=50)).move in board.legal_moves
        assert board.pop() == reply and board.pop() == null and board == Board(variant=game)
        assert board.push_san("--") == board.pop() == board.push_uci("0000")
        with pytest.raises(qirkat.IllegalMoveError, match="not a move of"):
            board.push(Move.null("masonic" if game != "masonic" else "alquerque"))
    check = Board("4k4/9/9/9/4R4/9/9/9/3K5 b - - 0 1")
    for call in (lambda: check.push(Move.null()), lambda: check.push_san("--"), lambda: check.san(Move.null())):
        with pytest.raises(qirkat.IllegalMoveError, match="0000: the side to move is in check"):
            call()


def test_moves_have_an_order():
    moves = [Move(uci) for uci in ("a2a3", "b1a2", "a8a9q", "a8a9", "a2a4")]
    assert sorted(moves) == sorted(moves[::-1]) and len(set(moves)) == 5
    assert Move("a2a3") < Move("a2a4") <= Move("a2a4") < Move("a8a9") < Move("a8a9q")
    assert sorted([Move("a2a3", "masonic"), Move("b2b3")])[0] == Move("b2b3")
