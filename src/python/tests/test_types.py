"""Stubs and module agree, and docstrings are present and correct."""

import ast
import doctest
import inspect
import pydoc
from itertools import pairwise
from pathlib import Path
from types import ModuleType

import qirkat


def test_every_public_item_is_documented():
    for name in dir(qirkat):
        item = getattr(qirkat, name)
        if name.startswith("_") or isinstance(item, bool | ModuleType):
            continue
        assert item.__doc__, name
        if isinstance(item, type) and not issubclass(item, BaseException):
            # The default of a data class's field has no docstring of its own.
            fields = getattr(item, "__dataclass_fields__", ())
            for method in vars(item):
                if not method.startswith("_") and method not in fields:
                    assert getattr(item, method).__doc__, f"{name}.{method}"


def test_every_field_of_a_data_class_is_documented():
    classes = [it for it in ast.parse(Path(qirkat.values.__file__).read_text()).body if isinstance(it, ast.ClassDef)]
    after = [(it, text) for each in classes for it, text in pairwise(each.body) if isinstance(it, ast.AnnAssign)]
    assert len(after) > 10
    for field, text in after:
        assert field.target.id.startswith("_") or isinstance(text, ast.Expr), field.target.id


def test_the_stub_is_installed():
    folder = Path(qirkat.__file__).parent
    assert (folder / "py.typed").exists()
    named = {
        node.name
        for node in ast.parse((folder / "_qirkat.pyi").read_text()).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    compiled = qirkat._qirkat
    assert {name for name in dir(compiled) if not name.startswith("__")} - {"WHITE", "BLACK"} <= named


def test_signatures_have_defaults():
    told = 0
    for name, item in vars(qirkat).items():
        methods = [getattr(item, it) for it in vars(item) if it[0] != "_"] if isinstance(item, type) else []
        for each in [item, *methods]:
            if callable(each) and getattr(each, "__text_signature__", None):
                assert "Ellipsis" not in str(inspect.signature(each)), f"{name}: {each}"
                told += 1
    assert told > 80
    assert str(inspect.signature(qirkat.Engine)) == (
        "(*, threads=1, hash=16, network=None, tables=None, skill_level=None, elo=None)"
    )
    assert "Ellipsis" not in pydoc.render_doc(qirkat)


def test_attributes_that_are_sequences_cannot_be_changed():
    """A copy must not look as if appending to it had an effect."""
    [game] = qirkat.parse_pgn("1. e4 $1 (1. d4) e6 (1... zz) *")
    with qirkat.Engine(hash=1) as engine:
        analysis = engine.analysis(qirkat.Board(), qirkat.Limit(nodes=100))
        analysis.wait()
    review = qirkat.review(game, qirkat.Limit(nodes=50), hash=1)
    values = [game.end_board(), *game.end_board().move_stack, analysis, review]
    values += [qirkat.parse_pgn(""), engine, qirkat.Limit(), game.end_board().legal_moves]
    sequences = set()
    for value in values:
        for name in vars(type(value)):
            attribute = vars(type(value))[name]
            if name.startswith("_") or not inspect.isdatadescriptor(attribute) or name == "threads":
                continue
            got = getattr(value, name)
            assert not isinstance(got, list | set), f"{type(value).__name__}.{name}"
            if isinstance(got, tuple):
                sequences.add(f"{type(value).__name__}.{name}")
                assert not any(isinstance(part, list) for part in got)
    assert {"Board.move_stack", "Review.moves", "PgnReader.faults"} <= sequences
    review.moves[0]["seen"] = True  # type: ignore[typeddict-unknown-key]
    assert review.moves[0]["seen"] and "seen" not in review.to_dict()["moves"][0]  # type: ignore[typeddict-item]


def test_docstring_examples():
    runner = doctest.DocTestRunner()
    for name, item in vars(qirkat).items():
        examples = doctest.DocTestParser().get_doctest(item.__doc__ or "", dict(vars(qirkat)), name, None, None)
        runner.run(examples)
    assert runner.summarize(verbose=False).failed == 0 and runner.tries > 15
