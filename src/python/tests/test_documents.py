"""Examples, README and the guide's page run unchanged."""

import importlib.metadata
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent
PAGES = [PACKAGE / "README.md", PACKAGE.parent.parent / "docs/programs/python.md"]
GAMES = PACKAGE.parent.parent / "tests/guide/files/games.pgn"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_code_blocks_run(page, tmp_path, monkeypatch, capsys):
    """The blocks of a page are one program; `# ` after a print is its output."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.pgn").write_bytes(GAMES.read_bytes())
    engine = tmp_path / "engine"
    engine.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{Path(__file__).with_name("fake_engine.py")}" "$@"\n')
    engine.chmod(0o755)
    text = page.read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, str(page), "exec"), names)
        printed = capsys.readouterr().out.splitlines()
        expected = re.findall(r"^ *print\(.*\)  # (.*)$", block, re.MULTILINE)
        if expected:
            assert printed == expected, block


def test_readme_links_are_public():
    """The README is shown on a package index, without the source and the guide."""
    text = PAGES[0].read_text()
    links = re.findall(r"\]\(([^)]*)\)|^\[.*\]: *(\S+)|(?:href|src)=[\"']([^\"']*)", text, re.MULTILINE)
    for link in map("".join, links):
        assert link.startswith("https://"), link
    for path in re.findall(r"`([^`\n]*/[^`\n]*)`", text):
        assert not (PACKAGE / path).exists() and not (PACKAGE.parent.parent / path).exists(), path
    installed = importlib.metadata.metadata("qirkat")
    assert (installed.get("Description") or installed.get_payload()).strip() == text.strip()


def test_build_paths_are_not_included():
    cargo = os.environ.get("CARGO_HOME") or Path.home() / ".cargo"
    # Files written by pip are not in the wheel.
    by_pip = ("direct_url.json", "RECORD")
    files = [it for it in importlib.metadata.files("qirkat") or [] if it.suffix != ".pyc" and it.name not in by_pip]
    assert any(it.suffix in (".so", ".pyd") for it in files)
    for file in files:
        for folder in (PACKAGE.parent.parent, cargo):
            assert f"{folder}/".encode() not in file.locate().read_bytes(), f"{file}: {folder}"


def run(name, *arguments):
    program = [sys.executable, str(PACKAGE / "examples" / name), *map(str, arguments)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0 and done.stderr == "", done.stderr
    return done.stdout


def test_analyse_position():
    assert "Best move: " in run("analyse_position.py", 0.2)
    assert "#+1" in run("analyse_position.py", 0.2, "k8/9/1QK6/9/9/9/9/9/9 w - - 0 1")
    assert "Best move: " in run("analyse_position.py", 0.2, "5/5/5/1m3/2M2 w - - 0 1", "alquerque")


def test_self_play():
    import qirkat

    for game in ("chesquerque", "alquerque"):
        [played] = qirkat.parse_pgn(run("self_play.py", 50, game))
        assert played.variant == game and played.result == played.end_board().result() != "*"


def test_review_games(tmp_path):
    import qirkat

    board = qirkat.Board("r4k3/9/9/9/9/9/9/4Q4/4K4 w - - 0 1")
    for san in ("Qa2", "Rxa2"):
        board.push_san(san)
    file = tmp_path / "game.pgn"
    file.write_text(str(qirkat.Game.from_board(board)))
    assert "1. Qa2: blunder. " in run("review_games.py", file, 2000)


def test_training_arrays(tmp_path):
    np = pytest.importorskip("numpy")
    file = tmp_path / "arrays.npz"
    assert "300 positions" in run("training_arrays.py", file, 300)
    with np.load(file) as arrays:
        assert arrays["indices"].shape[:2] == (300, 2) and arrays["values"].shape == (300,)
