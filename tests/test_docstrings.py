"""Every public name of the library has a docstring with an example, and the example is right."""

from __future__ import annotations

import doctest
import inspect
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest
from live_app import live_app

import quinconce
import quinconce.client
import quinconce.engine

PUBLIC = [
    *((quinconce, name) for name in quinconce.__all__),
    *((quinconce.engine, name) for name in quinconce.engine.__all__ if name != "LEVELS"),
    *((quinconce.client, name) for name in quinconce.client.__all__),
]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server, which the examples of the client call `server`."""
    with live_app(tmp_path_factory.mktemp("server")) as app:
        yield app.url


def examples(package: ModuleType, name: str, server: str) -> doctest.DocTest:
    """The examples in the docstring of a public name, which sees what its module does."""
    thing = getattr(package, name)
    text = inspect.getdoc(thing) or ""
    module = sys.modules[thing.__module__]
    return doctest.DocTestParser().get_doctest(
        text, vars(module) | {"server": server}, name, None, None
    )


@pytest.mark.parametrize(("package", "name"), PUBLIC)
def test_a_public_name_has_an_example_that_is_right(
    package: ModuleType, name: str, server: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = examples(package, name, server)
    assert any(example.want for example in found.examples), "its docstring has no example"
    with ThreadPoolExecutor() as pool:  # where no loop of a browser's runs
        results = pool.submit(doctest.DocTestRunner().run, found).result()
    assert results.failed == 0, capsys.readouterr().out
