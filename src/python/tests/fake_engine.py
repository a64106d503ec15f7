"""A UCI engine that makes the first legal move, with the faults that its arguments name."""

import os
import sys
import time

from qirkat import Board

faults = set(sys.argv[1:])
board, variant, lines = Board(), "chesquerque", 1


def say(text):
    print(text, flush=True)


def crash():
    print("out of cheese", file=sys.stderr, flush=True)
    os._exit(3)


def answer():
    if "illegal" in faults:
        return say("bestmove e1e9")
    first, *others = board.legal_moves
    say("bestmove " + str(first) if "plain" in faults else f"bestmove {first} ponder a1a1")


def search(words):
    if "crash" in faults:
        crash()
    for rank, move in enumerate(board.legal_moves[:lines], 1):
        say(f"info depth 3 seldepth 4 multipv {rank} score cp {10 - rank} lowerbound nodes 77 time 12 wdl 500 400 100 pv {move} e1e9")
    say("info depth 1 currmove e2e4 currmovenumber 1 score mate x")
    say("info score mate 999 pv nonsense depth 9")
    say(f"info string {variant} {' '.join(words)}")
    return "infinite" in words or "slow" in faults


def main():
    global board, variant, lines
    is_searching = False
    if "babbles" in faults:
        sys.stdout.write("x" * (1 << 20))
        sys.stdout.flush()
    if "dies" in faults:
        crash()
    for line in sys.stdin:
        word, *words = line.split()
        if word == "uci" and "mute" not in faults:
            say("id name Fake engine\nid author nobody")
            say("option name Hash type spin default 16 min 1 max 64")
            say("option name Style of play type combo default Solid var Solid var Very wild")
            say("option name Log type string default <empty>")
            say("option name Clear type button")
            say("option name Own type check default false")
            say("option name MultiPV type spin default 1 min 1 max 500")
            say("option name UCI_Variant type combo default chesquerque var chesquerque var alquerque")
            say("option nonsense\nnonsense\nuciok")
        elif word == "isready" and not ("deaf" in faults and is_searching):
            say("readyok")
        elif word == "setoption":
            name, _, value = line.partition(" name ")[2].strip().partition(" value ")
            if name == "MultiPV":
                lines = int(value)
            elif name == "UCI_Variant":
                variant = value
            else:
                say(f"info string set {name}={value}")
                with open(os.environ.get("FAKE_LOG", os.devnull), "a") as log:
                    log.write(f"{name}={value}\n")
        elif word == "ucinewgame":
            with open(os.environ.get("FAKE_LOG", os.devnull), "a") as log:
                log.write("new\n")
        elif word == "position":
            moves = words.index("moves") if "moves" in words else len(words)
            board = Board(" ".join(words[1:moves]) if words[0] == "fen" else None, variant)
            for uci in words[moves + 1 :]:
                board.push_uci(uci)
        elif word == "go":
            is_searching = search(words)
            if not is_searching:
                answer()
        elif word == "stop" and is_searching and "deaf" not in faults:
            is_searching = False
            answer()
        elif word == "quit" and "immortal" not in faults:
            return
    while "immortal" in faults:
        time.sleep(60)


main()
