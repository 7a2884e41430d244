"""A browser, a house, and visitors who leave when a test is over."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_users import OpenHouse, Profiles, Visitor, chromium
from playwright.sync_api import expect, sync_playwright

Visit = Callable[..., Visitor]
expect.set_options(timeout=15_000)  # milliseconds, for machines that do much else


@pytest.fixture(scope="session")
def profiles() -> Iterator[Profiles]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        yield Profiles(found)
        found.close()


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OpenHouse]:
    opened = OpenHouse(tmp_path_factory.mktemp("house"))
    yield opened
    opened.close()


@pytest.fixture
def visit(profiles: Profiles, house: OpenHouse) -> Iterator[Visit]:
    """Let somebody come, with a browser as he likes it."""
    visitors: list[Visitor] = []

    def come(to: OpenHouse = house, **looks: Any) -> Visitor:
        visitors.append(Visitor(profiles, to, **looks))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.leave()


@pytest.fixture
def own_house(tmp_path: Path) -> Iterator[OpenHouse]:
    """A house for one test alone, which may close it."""
    opened = OpenHouse(tmp_path)
    yield opened
    opened.close()
