"""Compares the speed of this package with python-chess, each on its own game, in one run.

Prints a table with the times for the same number of positions and games, and their ratio. Both play
the same number of random games first, from which the boards come.
"""

import io
import random
import time
from collections.abc import Callable

import chess
import chess.pgn

import qirkat

GAMES = 60
PLIES = 80
ROUNDS = 3


def best(task: Callable[[], int]) -> tuple[float, int]:
    """The shortest time of some rounds, and what was counted."""
    times, count = [], 0
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        count = task()
        times.append(time.perf_counter() - begun)
    return min(times), count


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


def read_chess(text: str) -> int:
    file, moves = io.StringIO(text), 0
    while game := chess.pgn.read_game(file):
        moves += game.end().board().ply()
    return moves


def main() -> None:
    theirs, their_text = chess_games()
    ours, our_text = own_games()
    rows: list[tuple[str, str, Callable[[], int], Callable[[], int]]] = [
        (
            "legal moves of a batch",
            "move",
            lambda: sum(len(list(board.legal_moves)) for board in theirs),
            lambda: len(qirkat.legal_moves(ours)[0]),
        ),
        (
            "legal moves, board by board",
            "move",
            lambda: sum(len(list(board.legal_moves)) for board in theirs),
            lambda: sum(len(list(board.legal_moves)) for board in ours),
        ),
        (
            "push and pop (perft 3)",
            "leave",
            lambda: chess_perft(chess.Board(), 3),
            lambda: own_perft(qirkat.Board(), 3),
        ),
        (
            "reading PGN",
            "move",
            lambda: read_chess(their_text),
            lambda: sum(len(game) for game in qirkat.parse_pgn(our_text)),
        ),
        (
            "reading PGN to the last board",
            "move",
            lambda: read_chess(their_text),
            lambda: sum(len(game.end_board().move_stack) for game in qirkat.parse_pgn(our_text)),
        ),
        (
            "FEN of a board, and back",
            "board",
            lambda: len([chess.Board(board.fen()) for board in theirs]),
            lambda: len([qirkat.Board(board.fen()) for board in ours]),
        ),
    ]
    print(f"{'in a second':32}{'':7}{'python-chess':>14}{'qirkat':>14}{'ratio':>7}")
    for name, unit, their_task, our_task in rows:
        (their_time, their_count), (our_time, our_count) = best(their_task), best(our_task)
        their_rate, our_rate = their_count / their_time, our_count / our_time
        ratio = our_rate / their_rate
        print(f"{name:32}{unit + 's':7}{their_rate:>14,.0f}{our_rate:>14,.0f}{ratio:>7.0f}")


if __name__ == "__main__":
    main()
