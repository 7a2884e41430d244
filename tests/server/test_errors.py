"""Errors: every refusal has its status, and the domain knows neither HTTP nor the database."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from quinconce.server.errors import STATUSES, RouteError
from quinconce.server.refusals import RefusalError


def refusals(base: type[RefusalError] = RefusalError) -> Iterator[type[RefusalError]]:
    for each in base.__subclasses__():
        yield each
        yield from refusals(each)


def test_every_refusal_has_a_status_and_a_code() -> None:
    known = {each for each in refusals() if each.__module__.startswith("quinconce.")}
    assert known - {RouteError} == set(STATUSES)
    assert all(each.code for each in STATUSES)


@pytest.mark.process
@pytest.mark.sqlite("it never comes to the database")
@pytest.mark.parametrize(
    "module",
    ["live", "background", "engine_turns", "engine_pool", "engine_jobs", "create", "validation"],
)
def test_matches_load_neither_the_web_framework_nor_the_database_nor_compiled_code(
    module: str,
) -> None:
    """So that worker processes start fast and the rules of matches stand on their own."""
    script = (
        f"import sys, quinconce.server.matches.{module}\n"
        "print(*sorted({'litestar', 'sqlalchemy', 'numba', 'uvicorn'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("", "")
