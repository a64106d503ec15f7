"""Lets two engines of different strength play a game, and prints it as PGN.

    python self_play.py [NODES [GAME]]
"""

import sys
from datetime import date

from qirkat import Board, Engine, Game, Limit


def main() -> None:
    limit = Limit(nodes=int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
    board = Board(variant=sys.argv[2] if len(sys.argv) > 2 else "chesquerque")
    with Engine() as strong, Engine(skill_level=5) as weak:
        while not board.is_game_over():
            move = (strong if board.turn else weak).play(board, limit).move
            if move is None:
                break
            board.push(move)
    game = Game.from_board(board)
    game.headers["Date"] = date.today().strftime("%Y.%m.%d")
    game.headers["White"] = "Qirkat"
    game.headers["Black"] = "Qirkat (level 5)"
    print(game)


if __name__ == "__main__":
    main()
