"""Plays random games and makes what a network is trained with: inputs, moves and values.

    python training_arrays.py FILE.npz [POSITIONS [GAME]]
"""

import random
import sys

import numpy as np

from qirkat import Board, Evaluation, features


def random_boards(count: int, variant: str) -> list[Board]:
    boards: list[Board] = []
    while len(boards) < count:
        board = Board(variant=variant)
        while not board.is_game_over() and board.ply() < 150 and len(boards) < count:
            board.push(random.choice(board.legal_moves))
            boards.append(board.copy(stack=False))
    return boards


def main() -> None:
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    game = sys.argv[3] if len(sys.argv) > 3 else "chesquerque"
    boards = random_boards(count, game)
    indices, buckets = features(boards)
    values = Evaluation(game).batch(boards)
    np.savez_compressed(sys.argv[1], indices=indices, buckets=buckets, values=values)
    print(f"{len(boards)} positions, {values.std():.0f} centipawns of deviation")


if __name__ == "__main__":
    main()
