"""A board in a notebook, in a page that hands over to Python what a notebook would."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from browser_users import BrowserPool, long, violations
from many_moves import BEFORE_MANY, LEADS_TO_MANY, OPTIONS
from playwright.sync_api import Locator, Page, expect
from widget_touches import play_move, touch_place

import quinconce
from quinconce import Match, Outcome, game
from quinconce.bridges.notebook import BoardWidget

OTHERS = [name for name in quinconce.names() if name != "diadema"]
PAGE = "<!doctype html><html lang=en><title>Notebook</title><main><h1>Notebook</h1></main></html>"
# A model as anywidget makes one: its state is Python's, and what is sent goes there.
JS_SHOW_WIDGET = """async ([esm, css, state, views]) => {
    const style = document.createElement("style");
    style.textContent = css;
    document.head.append(style);
    const handlers = {};
    const emit = (name, ...details) => (handlers[name] ?? []).forEach((each) => each(...details));
    const take = ([changed, messages]) => {
        const names = Object.keys(changed).filter(
            (name) => JSON.stringify(changed[name]) !== JSON.stringify(state[name]));
        for (const name of names) state[name] = changed[name];
        for (const name of names) emit(`change:${name}`);
        for (const message of messages) emit("msg:custom", message);
    };
    window.takeFromPython = take;
    const model = {
        get: (name) => state[name],
        set: (name, value) => {
            model.changed = {[name]: value};
            state[name] = value;
            emit(`change:${name}`);
        },
        save_changes: async () => take(await window.toPython(model.changed, null)),
        send: async (message) => take(await window.toPython({}, message)),
        on: (name, handler) => (handlers[name] ??= []).push(handler),
        off: (name, handler) => handlers[name] = handlers[name].filter((each) => each !== handler),
    };
    window.ends = [];
    for (let i = 0; i < views; i += 1) {
        const file = new Blob([esm], {type: "text/javascript"});
        const {default: widget} = await import(URL.createObjectURL(file));
        const el = document.createElement("div");
        document.querySelector("main").append(el);
        window.ends.push(widget.render({model, el}));
    }
    window.handlers = handlers;
}"""


class Cell:
    """A page that shows a widget, as the output of a cell does."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[Any] = []

    def show(self, widget: BoardWidget, views: int = 1) -> Locator:
        """Show a widget in views; returns the first."""
        self.widget = widget
        widget.send = self.keep
        self.page.expose_function("toPython", self.take)
        self.page.set_content(PAGE)
        state, _messages = self.state()
        self.page.evaluate(JS_SHOW_WIDGET, [widget._esm, widget._css, state, views])
        return self.page.locator(".quinconce-widget").first

    def keep(self, message: dict[str, Any], _buffers: object = None) -> None:
        self.sent.append(message)

    def take(self, changed: dict[str, Any], message: dict[str, Any] | None) -> tuple[Any, Any]:
        for name, value in changed.items():
            self.widget.set_trait(name, value)
        if message:
            self.widget._handle_custom_msg(message, [])
        return self.state()

    def state(self) -> tuple[dict[str, Any], list[Any]]:
        """What views see of the widget, and what was said to them since."""
        state = self.widget.get_state()
        shown = {name: value for name, value in state.items() if not name.startswith("_")}
        messages, self.sent = self.sent, []
        return shown, messages

    def update(self) -> None:
        """Hand over what Python has done by itself."""
        self.page.evaluate("(answer) => window.takeFromPython(answer)", self.state())


@pytest.fixture
def cell(profiles: BrowserPool) -> Iterator[Cell]:
    page = profiles.browser.new_page(
        reduced_motion="reduce", viewport={"width": 900, "height": 1000}
    )
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield Cell(page)
    page.close()
    assert not errors


@pytest.mark.parametrize("name", ["diadema", *long(OTHERS)])
def test_a_whole_game_is_clicked_and_read_back_in_python(cell: Cell, name: str) -> None:
    match, chance = Match(game(name)), random.Random(1)
    view = cell.show(quinconce.widget(match, language="en"))
    played: list[str] = []
    while not match.outcome() and len(played) < 40:
        played.append(chance.choice(list(match.legal())))
        play_move(view, played[-1])
    assert match.moves == played


def test_a_second_view_shows_the_same(cell: Cell) -> None:
    match = Match(game("diam"))
    first = cell.show(quinconce.widget(match, language="en"), views=2)
    second = cell.page.locator(".quinconce-widget").nth(1)
    for view, move in ((second, "r@1"), (first, "m@1"), (second, "r@5"), (first, "m@5")):
        play_move(view, move)
    for view in (first, second):
        expect(view.locator(".status")).to_contain_text("wins")
        expect(view.locator(".won")).to_have_count(2)
    assert match.outcome() == Outcome((1,), "diam")


def test_a_chain_with_more_moves_than_can_be_listed_is_asked_about(cell: Cell) -> None:
    rules = game("seega", **OPTIONS)
    match = Match(rules, rules.read(BEFORE_MANY))
    match.play(LEADS_TO_MANY)
    view = cell.show(quinconce.widget(match, language="en"))
    touched = 0
    expect(view.locator(".ready").first).to_be_visible()
    place = view.locator(".ready").first
    while len(match.moves) == 1:
        place.click(force=True)
        touched += 1
        assert touched < 50
        cell.page.wait_for_function(
            "n => { const board = document.querySelector('game-board');"
            " return board.partialMove.touched.length !== n || board.querySelector('.target'); }",
            arg=touched,
        )
        place = view.locator(".target").first
        if not view.locator(".target").count():
            break
    expect(view.locator(".whisper")).to_contain_text(match.moves[-1])
    assert match.moves[-1].count("x") >= touched - 1


def test_what_the_rules_refuse_is_told_and_nothing_is_played(cell: Cell) -> None:
    match = Match(game("diam"))
    view = cell.show(quinconce.widget(match, language="en"))
    play_move(view, "r@1")
    touch_place(view, "m")
    touch_place(view, "r")
    expect(view.locator(".whisper")).to_have_text("This is not yours to play.")
    cell.page.keyboard.press("Escape")
    touch_place(view, "1.1")
    touch_place(view, "2")
    expect(view.locator(".wrong")).to_have_text("the pawn at 1.1 is not yours to move")
    play_move(view, "m@1")
    assert match.moves == ["r@1", "m@1"]


def test_buttons_take_back_turn_and_ask_the_engine(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(game("diam"))
    widget = quinconce.widget(match, language="en", level=3)
    monkeypatch.setattr(widget, "_start", lambda work, match, number: None)
    view = cell.show(widget)

    def button(name: str) -> Locator:
        return view.get_by_role("button", name=name)

    expect(button("Take back the last move")).to_be_disabled()
    play_move(view, "r@1")
    button("Take back the last move").click()
    expect(view.locator(".piece")).to_have_count(16)
    assert match.moves == []
    before = view.locator("svg").get_attribute("aria-label")
    button("Turn the board").click()
    assert widget.flipped
    assert view.locator("svg").get_attribute("aria-label") == before
    button("Let the engine move (level 3)").click()
    expect(view.locator(".status")).to_contain_text("The engine is thinking…")
    expect(button("Let the engine move (level 3)")).to_be_disabled()
    touch_place(view, "r")
    expect(view.locator(".picked")).to_have_count(0)
    widget.play("r@2")  # as the engine's thread does
    cell.update()
    expect(view.locator(".whisper")).to_contain_text("r@2")


def test_lines_of_an_analysis_are_drawn_and_can_be_played(
    cell: Cell, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = Match(game("diam"))
    widget = quinconce.widget(match, language="fr")
    monkeypatch.setattr(widget, "_start", lambda work, match, number: None)
    view = cell.show(widget)
    view.get_by_role("button", name="Analyse").click()
    expect(view.get_by_role("button", name="Analyse")).to_have_attribute("aria-pressed", "true")
    line = {"score": 0.5, "value": None, "proven": False, "plies": None, "words": "égal"}
    lines = [line | {"moves": ["r@1", "m@1"]}, line | {"moves": ["r@2"]}]
    widget.analysis = {"state": "thinking", "lines": lines, "depth": 4, "nodes": 12345}
    cell.update()
    expect(view.locator(".engine-lines li:visible")).to_have_count(2)
    expect(view.locator(".engine-state")).to_contain_text("12,3")
    expect(view.locator(".arrow-layer")).to_have_count(2)
    assert not violations(cell.page)
    view.get_by_role("button", name="r@1").click()
    expect(view.locator(".whisper")).to_contain_text("r@1")
    expect(view.locator(".engine-lines li:visible")).to_have_count(0)
    assert match.moves == ["r@1"]


def test_the_style_of_the_notebook_is_left_alone(cell: Cell) -> None:
    style = "getComputedStyle(document.body)"
    cell.show(quinconce.widget(Match(game("diam")), language="en"))
    assert cell.page.evaluate(f"{style}.margin") == "8px"
    assert cell.page.evaluate(f"{style}.backgroundColor") == "rgba(0, 0, 0, 0)"
    own = cell.page.locator(".quinconce-widget")
    colour = "(widget) => getComputedStyle(widget).backgroundColor"
    assert own.evaluate(colour) == "rgb(247, 242, 234)"
    cell.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    assert own.evaluate(colour) == "rgb(24, 24, 26)"


def test_a_view_that_is_closed_leaves_nothing_behind(cell: Cell) -> None:
    cell.show(quinconce.widget(Match(game("diam")), language="en"))
    cell.page.evaluate("window.ends.forEach((end) => end())")
    assert cell.page.evaluate("Object.values(window.handlers).flat().length") == 0
