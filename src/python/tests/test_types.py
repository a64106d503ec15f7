"""Stubs and module name the same, and docstrings are there and true."""

import ast
import doctest
from pathlib import Path

import qirkat


def test_every_public_item_is_documented():
    for name in dir(qirkat):
        item = getattr(qirkat, name)
        if name.startswith("_") or isinstance(item, bool):
            continue
        assert item.__doc__, name
        if isinstance(item, type) and not issubclass(item, BaseException):
            for method in vars(item):
                if not method.startswith("_"):
                    assert getattr(item, method).__doc__, f"{name}.{method}"


def test_the_stub_comes_with_the_package():
    folder = Path(qirkat.__file__).parent
    assert (folder / "py.typed").exists()
    named = {
        node.name
        for node in ast.parse((folder / "__init__.pyi").read_text()).body
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
    }
    own = {name for name in dir(qirkat) if not name.startswith("_") and name not in ("WHITE", "BLACK", "qirkat")}
    assert own <= named


def test_the_examples_in_docstrings():
    runner = doctest.DocTestRunner()
    for name, item in vars(qirkat).items():
        examples = doctest.DocTestParser().get_doctest(item.__doc__ or "", dict(vars(qirkat)), name, None, None)
        runner.run(examples)
    assert runner.summarize(verbose=False).failed == 0 and runner.tries > 10
