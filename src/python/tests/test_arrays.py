"""Many boards at once give the same results as one by one."""

import random

import pytest

import qirkat
from qirkat import Board, Evaluation

np = pytest.importorskip("numpy")
GAMES = ["chesquerque", "masonic", "alquerque"]


def boards_of(game, count, seed=1):
    chance, boards = random.Random(seed), []
    while len(boards) < count:
        board = Board(variant=game)
        while not board.is_game_over() and board.ply() < 120:
            board.push(chance.choice(board.legal_moves))
            boards.append(board.copy(stack=False))
    return boards[:count]


@pytest.mark.parametrize("game", GAMES)
def test_legal_moves_match_each_board(game):
    boards = boards_of(game, 300)
    moves, offsets = qirkat.legal_moves(boards)
    assert moves.dtype == np.uint8 and moves.shape == (offsets[-1], 3) and len(offsets) == 301
    squares = boards[0].squares
    for number, board in enumerate(boards):
        rows = moves[offsets[number] : offsets[number + 1]]
        assert [
            (squares[start], squares[end], chr(letter) if letter else None) for start, end, letter in rows
        ] == [(move.from_square, move.to_square, move.promotion) for move in board.legal_moves]


@pytest.mark.parametrize("game", GAMES)
def test_values_match_each_board(game):
    boards = boards_of(game, 300)
    evaluation = Evaluation(game)
    values = evaluation.batch(boards)
    assert values.dtype == np.int16 and values.tolist() == [evaluation(board) for board in boards]
    by_hand = Evaluation(game, "<none>")
    assert by_hand.checksum is None and evaluation.checksum and by_hand.variant == game
    # The opponent's view is the same, negated.
    assert evaluation.batch([board.mirror() for board in boards]).tolist() == values.tolist()


@pytest.mark.parametrize("game", GAMES)
def test_features_are_the_pieces_from_each_perspective(game):
    boards = boards_of(game, 300)
    count, pieces, buckets = qirkat.network_sizes(game)
    indices, chosen = qirkat.features(boards)
    assert indices.shape == (300, 2, pieces) and indices.dtype == np.int16
    assert indices.min() >= -1 and indices.max() < count and chosen.max() < buckets
    mirrored, _ = qirkat.features([board.mirror() for board in boards])
    for number, board in enumerate(boards):
        active = indices[number]
        assert ((active >= 0).sum(axis=1) == len(board.piece_map())).all()
        assert [set(side) for side in active.tolist()] == [set(side) for side in mirrored[number].tolist()]
    flat = np.zeros((300, 2, count + 1), np.uint8)
    np.put_along_axis(flat, indices.astype(np.int64), 1, axis=2)
    assert (flat[:, :, :count].sum(axis=2) <= pieces).all()
    indices[0, 0, 0] = 0  # They are writable.


def test_empty_and_invalid_lists():
    moves, offsets = qirkat.legal_moves([])
    assert moves.shape == (0, 3) and offsets.tolist() == [0]
    indices, buckets = qirkat.features(iter([]))
    assert indices.shape[0] == 0 and buckets.shape == (0,)
    assert Evaluation().batch([]).shape == (0,)
    mixed = [Board(), Board(variant="masonic")]
    for call in (qirkat.legal_moves, qirkat.features, Evaluation().batch):
        with pytest.raises(ValueError, match="board 1 is of Masonic chess, expected Chesquerque"):
            call(mixed)
        with pytest.raises(TypeError):
            call([Board().fen()])
        with pytest.raises(TypeError):
            call(7)
    with pytest.raises(ValueError, match="expected Chesquerque"):
        Evaluation()(Board(variant="masonic"))


CROWD = "4k4/ppppppppp/ppppppppp/ppppppppp/9/PPPPPPPPP/PPPPPPPPP/9/4K4 w - - 0 1"


def test_boards_with_too_many_pieces_raise():
    crowd = Board(CROWD)
    assert len(crowd.piece_map()) == 47
    with pytest.raises(ValueError, match="board 1 has 47 pieces, and the inputs of Chesquerque have room for 36"):
        qirkat.features([Board(), crowd])
    # Functions without that limit accept it.
    evaluation = Evaluation()
    assert evaluation.batch([crowd]).tolist() == [evaluation(crowd)]
    assert qirkat.legal_moves([crowd])[1].tolist() == [0, len(crowd.legal_moves)]


class Liar(list):
    def __len__(self):
        return 10**15


def test_reported_lengths_are_not_trusted():
    boards = Liar([Board(), Board()])
    assert qirkat.legal_moves(boards)[1].tolist() == [0, 18, 36]
    assert qirkat.features(boards)[0].shape[0] == Evaluation().batch(boards).shape[0] == 2


def test_many_boards_are_handled():
    boards = [Board()] * 100_000
    assert qirkat.legal_moves(boards)[0].shape == (1_800_000, 3)
    assert qirkat.features(boards)[0].shape[0] == Evaluation().batch(boards).shape[0] == 100_000
