"""Reviews the games of a file and tells the worst moves, with the reasons.

    python review_games.py FILE [NODES]
"""

import sys

from qirkat import Limit, read_pgn, review


def main() -> None:
    limit = Limit(nodes=int(sys.argv[2]) if len(sys.argv) > 2 else 5000)
    for game in read_pgn(sys.argv[1], errors="warn"):
        print(game.headers.get("White", "?"), "-", game.headers.get("Black", "?"), game.result)
        found = review(game, limit)
        for move in found.moves:
            if move["mark"]:
                number = f"{move['number']}{'.' if move['color'] == 'white' else '...'}"
                print(f"  {number} {move['san']}: {move['mark']}. {move['reason'] or ''}")


if __name__ == "__main__":
    main()
