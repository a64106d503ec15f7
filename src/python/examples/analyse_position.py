"""Analyses a position and prints each line as it is found.

    python analyse_position.py [SECONDS [FEN [GAME]]]
"""

import sys

from qirkat import Board, Engine, Limit


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    fen = sys.argv[2] if len(sys.argv) > 2 else None
    game = sys.argv[3] if len(sys.argv) > 3 else "chesquerque"
    board = Board(fen, game)
    print(board)
    with Engine() as engine, engine.analysis(board, Limit(time=seconds)) as analysis:
        for info in analysis:
            line = board.variation_san(info["pv"])
            print(f"{info['depth']:3} {info['score'].white()!s:>7} {info['nodes']:>9,} {line}")
        best = analysis.wait().move
    print("Best move:", board.san(best) if best else "none")


if __name__ == "__main__":
    main()
