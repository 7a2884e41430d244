"""A report by what a page has searched itself, beside the report of a server."""

from __future__ import annotations

import random
from typing import Any

import pytest
from corpus import random_match

import quinconce
from quinconce import Match
from quinconce.engine.alpha_beta import AlphaBetaSearch
from quinconce.engine.deepening import LINE_SCORE, variation
from quinconce.engine.limits import Limits
from quinconce.engine.page_search import FoundLine, pack
from quinconce.engine.slices import SLICE_MEGABYTES
from quinconce.study.lookahead import SEEN_LIMITS
from quinconce.study.page_report import (
    PageFindings,
    read_findings,
    report_searched,
    search_plan,
)
from quinconce.study.review import SlicedReport

LONG = 600.0  # seconds of a slice in which the whole search fits
OPEN_GAMES = [
    ("buts", {}, 9),
    ("diam", {"edition": "1997", "players": "2"}, 12),
    ("seega", {"size": "9"}, 30),
]


def page_findings(match: Match[Any]) -> PageFindings:
    """What a page would send: the searches of the plan, without proofs."""
    plan = search_plan()
    ahead = AlphaBetaSearch(match, SEEN_LIMITS)
    seen: list[int] = []
    while len(seen) < plan["seen_plies"] and ahead.deepen(1):
        seen.append(ahead.root_moves[0].score)
    search = AlphaBetaSearch(match, Limits(nodes=plan["nodes"], memory=SLICE_MEGABYTES))
    search.deepen_until_done(plan["lines"])
    search.resume()
    lines = tuple(found_line(search, root) for root in search.root_moves[: plan["lines"]])
    return PageFindings(search.depth_reached, lines, tuple(seen))


def found_line(search: AlphaBetaSearch, root: Any) -> FoundLine:
    states = search.variations.states
    count = variation(search.state, root.number, states, search.roots, search.workspaces[0])
    rows = [[int(states[row, n]) for n in range(len(search.state))] for row in range(int(count))]
    return FoundLine(pack(rows), root.score, int(search.progress[LINE_SCORE]))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options", "plies"), OPEN_GAMES)
def test_it_is_that_of_the_server_at_equal_nodes(
    name: str, options: dict[str, str], plies: int
) -> None:
    match = random_match(quinconce.game(name, **options), random.Random(31), plies)
    assert not match.outcome()
    searched = read_findings(match, page_findings(match))
    assert searched
    assert report_searched(match, searched) == SlicedReport(match).run(LONG)


@pytest.mark.parametrize("name", ["diadema", "diam"])
def test_what_is_proved_is_left_to_the_server(name: str) -> None:
    match = Match(quinconce.game(name))
    state = pack([AlphaBetaSearch(match).root_moves[0].state])
    searched = read_findings(match, PageFindings(5, (FoundLine(state, 10, 10),), (10,)))
    assert searched
    assert report_searched(match, searched) is None


def test_there_is_no_such_search_where_the_game_is_over_or_has_more_sides() -> None:
    nonsense = PageFindings(5, (FoundLine("", 0, 0),), (0,))
    match = Match(quinconce.game("diam"))
    for move in ("r@1", "m@1", "r@5", "m@5"):
        match.play(move)
    assert match.outcome()
    assert read_findings(match, nonsense) is None
    four = quinconce.game("diam", edition="1997", players="4")
    assert read_findings(Match(four), nonsense) is None
    with pytest.raises(ValueError, match="no legal move"):
        read_findings(Match(quinconce.game("buts")), nonsense)
