"""When the engine agrees to stop."""

from __future__ import annotations

import pytest

from quinconce.core.match import Match
from quinconce.core.registry import game
from quinconce.engine.move_choice import accepts_offer

JAMMED = "{first}..../...../...../....b/{second}.... turn=0 phase=2 duty=0"


@pytest.mark.parametrize(
    ("name", "position", "moves", "content"),
    [
        # The first player closes his circle with the next ball; the second is glad to stop.
        ("diadema", None, "@4 @D @7 @3 @6 D^2", (False, True)),
        # Stopping counts the pawns: only whoever has more wants that.
        ("seega", JAMMED.format(first="w", second="b"), "", (False, True)),
        ("seega", JAMMED.format(first="w", second="w"), "", (True, False)),
    ],
)
def test_an_engine_stops_where_it_is_not_better(
    name: str, position: str | None, moves: str, content: tuple[bool, bool]
) -> None:
    rules = game(name)
    match = Match(rules, None if position is None else rules.read(position))
    for text in moves.split():
        match.play(text)
    assert (accepts_offer(match, 0), accepts_offer(match, 1)) == content
