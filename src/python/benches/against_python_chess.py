"""Compares the speed of this package with python-chess, each on its own game, in one run.

Prints a table with what each does in a second, and the ratio. Both play
the same number of random games first, from which the boards come.
"""

import io
import random
import time
from collections.abc import Callable, Iterator

import chess
import chess.pgn

import qirkat

GAMES = 60
PLIES = 80
ROUNDS = 7


def timed(task: Callable[[], int]) -> tuple[float, int]:
    """How long a task takes, and what it counts."""
    begun = time.perf_counter()
    count = task()
    return time.perf_counter() - begun, count


def chess_games() -> tuple[list[chess.Board], str]:
    chance, boards, text = random.Random(1), [], []
    for _ in range(GAMES):
        board = chess.Board()
        while not board.is_game_over() and board.ply() < PLIES:
            boards.append(board.copy(stack=False))
            board.push(chance.choice(list(board.legal_moves)))
        text.append(f"{chess.pgn.Game.from_board(board)}\n\n")
    return boards, "".join(text)


def own_games() -> tuple[list[qirkat.Board], str]:
    chance, boards, text = random.Random(1), [], []
    for _ in range(GAMES):
        board = qirkat.Board()
        while not board.is_game_over() and board.ply() < PLIES:
            boards.append(board.copy(stack=False))
            board.push(chance.choice(board.legal_moves))
        text.append(f"{qirkat.Game.from_board(board)}\n\n")
    return boards, "".join(text)


def chess_perft(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += chess_perft(board, depth - 1)
        board.pop()
    return count


def own_perft(board: qirkat.Board, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += own_perft(board, depth - 1)
        board.pop()
    return count


def chess_pgn(text: str) -> Iterator[chess.pgn.Game]:
    file = io.StringIO(text)
    while game := chess.pgn.read_game(file):
        yield game


def main() -> None:
    theirs, their_text = chess_games()
    ours, our_text = own_games()
    rows: list[tuple[str, str, Callable[[], int], Callable[[], int]]] = [
        (
            "legal moves of a batch",
            "moves",
            lambda: sum(len(list(board.legal_moves)) for board in theirs),
            lambda: len(qirkat.legal_moves(ours)[0]),
        ),
        (
            "legal moves, board by board",
            "moves",
            lambda: sum(len(list(board.legal_moves)) for board in theirs),
            lambda: sum(len(list(board.legal_moves)) for board in ours),
        ),
        (
            "push and pop (perft 3)",
            "leaves",
            lambda: chess_perft(chess.Board(), 3),
            lambda: own_perft(qirkat.Board(), 3),
        ),
        (
            "reading PGN",
            "moves",
            lambda: sum(len(list(game.mainline_moves())) for game in chess_pgn(their_text)),
            lambda: sum(len(game.mainline_moves()) for game in qirkat.parse_pgn(our_text)),
        ),
        (
            "reading PGN to the last board",
            "moves",
            lambda: sum(len(game.end().board().move_stack) for game in chess_pgn(their_text)),
            lambda: sum(len(game.end_board().move_stack) for game in qirkat.parse_pgn(our_text)),
        ),
        (
            "FEN of a board, and back",
            "boards",
            lambda: len([chess.Board(board.fen()) for board in theirs]),
            lambda: len([qirkat.Board(board.fen()) for board in ours]),
        ),
    ]
    print(f"{'in a second':32}{'':7}{'python-chess':>14}{'qirkat':>14}{'ratio':>7}")
    for name, unit, their_task, our_task in rows:
        # Alternating, so that noise affects both; the best time counts.
        rounds = [(timed(their_task), timed(our_task)) for _ in range(ROUNDS)]
        their_time, their_count = min(first for first, _ in rounds)
        our_time, our_count = min(second for _, second in rounds)
        their_rate, our_rate = their_count / their_time, our_count / our_time
        ratio = our_rate / their_rate
        print(f"{name:32}{unit:7}{their_rate:>14,.0f}{our_rate:>14,.0f}{ratio:>7.0f}")


if __name__ == "__main__":
    main()
