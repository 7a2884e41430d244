"""A board in a real JupyterLab: a whole game is clicked, and read back in Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser_users import BrowserPool
from playwright.sync_api import Page, expect
from waiting import until
from widget_touches import play_move

CELLS = (
    # A real search would have to be compiled first; what it finds comes from a thread as well.
    "import quinconce\n"
    "from quinconce.bridges import notebook\n"
    "notebook.choose = lambda match, level: sorted(match.legal())[level]\n"
    "match = quinconce.Match(quinconce.game('diam'))\n"
    "board = quinconce.widget(match, level=3, language='en')\n"
    "board",
    "board",
    "print(match.moves, board.match is match, match.outcome())",
    "match.undo()",
)
FOLDERS = ("JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")
NO_NEWS = {"disabledExtensions": {"@jupyterlab/apputils-extension:announcements": True}}
JS_IS_READY = """() => {
    const panel = window.jupyterapp?.shell.currentWidget;
    return panel?.content?.widgets?.length && panel.sessionContext.isReady
        && panel.sessionContext.session?.kernel?.status === "idle";
}"""
JS_RUN_CELL = """async (index) => {
    window.jupyterapp.shell.currentWidget.content.activeCellIndex = index;
    await window.jupyterapp.commands.execute("notebook:run-cell");
}"""


def write_notebook(path: Path) -> None:
    empty: dict[str, Any] = {"metadata": {}, "outputs": [], "execution_count": None}
    cells = [
        {"cell_type": "code", "id": f"cell-{n}", "source": source, **empty}
        for n, source in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python", "language": "python"}}
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": kernel, "cells": cells}
    path.write_text(json.dumps(notebook), encoding="utf-8")


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Where a JupyterLab of this environment shows a notebook."""
    folders = {name: tmp_path / name for name in FOLDERS}
    news = folders["JUPYTER_CONFIG_DIR"] / "labconfig" / "page_config.json"
    news.parent.mkdir(parents=True)
    news.write_text(json.dumps(NO_NEWS), encoding="utf-8")
    root = tmp_path / "notebooks"
    root.mkdir()
    write_notebook(root / "game.ipynb")
    wishes = {
        "ServerApp.ip": "127.0.0.1",
        "ServerApp.port": "0",
        "ServerApp.root_dir": root,
        "IdentityProvider.token": "secret",
        "LabApp.expose_app_in_browser": "True",
    }
    options = [f"--{name}={value}" for name, value in wishes.items()]
    server = subprocess.Popen(
        [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", *options],
        env=os.environ | {name: str(folder) for name, folder in folders.items()},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield f"{until(lambda: server_url(folders['JUPYTER_RUNTIME_DIR']))}lab/tree/game.ipynb"
    finally:
        server.terminate()
        server.wait()


def server_url(folder: Path) -> str | None:
    """Where a server listens, as it tells in its folder."""
    for path in folder.glob("jpserver-*.json"):
        if text := path.read_text(encoding="utf-8"):
            told: dict[str, Any] = json.loads(text)
            return str(told["url"])
    return None


@pytest.mark.long
@pytest.mark.process
def test_a_whole_game_is_clicked_in_jupyterlab(profiles: BrowserPool, address: str) -> None:
    page: Page = profiles.browser.new_page(viewport={"width": 1200, "height": 1100})
    page.goto(f"{address}?token=secret")
    page.wait_for_function(JS_IS_READY)
    for index in (0, 1):
        page.evaluate(JS_RUN_CELL, index)
    first, second = (page.locator(".quinconce-widget").nth(n) for n in (0, 1))
    expect(second.locator("game-board svg")).to_be_visible()
    play_move(first, "r@1")
    first.get_by_role("button", name="Let the engine move (level 3)").click()
    expect(second.locator(".whisper")).to_contain_text("Player 2")
    second.get_by_role("button", name="Take back the last move").click()
    expect(first.locator(".whisper")).to_contain_text("· r@1")
    for view, move in ((second, "m@1"), (first, "r@5"), (second, "m@5")):
        play_move(view, move)
    for view in (first, second):
        expect(view.locator(".status")).to_contain_text("wins")
        expect(view.locator(".won")).to_have_count(2)
    page.evaluate(JS_RUN_CELL, 2)
    printed = page.locator(".jp-Cell").nth(2).locator(".jp-OutputArea-output")
    expect(printed).to_have_text(
        "['r@1', 'm@1', 'r@5', 'm@5'] True Outcome(winners=(1,), reason='diam', by=None)\n"
    )
    page.evaluate(JS_RUN_CELL, 3)  # the board follows what a cell does
    expect(first.locator(".status")).to_contain_text("Player 2 (brown and black) to move.")
    first.locator("game-board [tabindex='0']").focus()
    page.keyboard.press("ArrowDown")  # goes to the board, and not to the notebook
    expect(first.locator("game-board [tabindex='0']")).to_be_focused()
    page.close()
