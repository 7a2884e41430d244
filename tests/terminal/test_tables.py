"""The tables of a terminal, where it is narrow."""

from __future__ import annotations

import pytest
from rich.console import Console

from quinconce.bridges.contest import Standing
from quinconce.terminal.tables import standings_table
from quinconce.words import Voice


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("first", ["moteur:1", "a_long_name_of_a_bot_that_ada_wrote.py"])
def test_in_eighty_columns_short_names_and_all_figures_of_standings_are_whole(
    capsys: pytest.CaptureFixture[str], language: str, first: str
) -> None:
    say, faults = Voice(language), {"en": "faults", "fr": "fautes"}[language]
    lines = [Standing(n, name, won=100, longest=12.345) for n, name in enumerate((first, "Bo.py"))]
    Console(width=80).print(standings_table(say, lines))
    shown = capsys.readouterr().out
    assert "Bo.py" in shown
    assert first in shown or len(first) > 8
    assert faults in shown
    assert shown.count(say.number(12.345, ".3f")) == 2
