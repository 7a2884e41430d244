"""Every public name of the library has a docstring with an example, and the example is right."""

from __future__ import annotations

import doctest
import inspect
import sys
from types import ModuleType

import pytest

import quinconce
import quinconce.engine

PUBLIC = [
    *((quinconce, name) for name in quinconce.__all__),
    *((quinconce.engine, name) for name in quinconce.engine.__all__ if name != "LEVELS"),
]


def examples(package: ModuleType, name: str) -> doctest.DocTest:
    """The examples in the docstring of a public name, which sees what its module does."""
    thing = getattr(package, name)
    text = inspect.getdoc(thing) or ""
    module = sys.modules[thing.__module__]
    return doctest.DocTestParser().get_doctest(text, dict(vars(module)), name, None, None)


@pytest.mark.parametrize(("package", "name"), PUBLIC)
def test_a_public_name_has_an_example_that_is_right(
    package: ModuleType, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = examples(package, name)
    assert any(example.want for example in found.examples), "its docstring has no example"
    results = doctest.DocTestRunner().run(found)
    assert results.failed == 0, capsys.readouterr().out
