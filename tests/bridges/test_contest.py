"""Contests: who plays whom, points, faults, records and the page."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from typing import Any

import pytest

import quinconce
from quinconce import Match, Record, Seat
from quinconce.bridges import contestants
from quinconce.bridges.contest import Contest, ContestMatch, unique_names
from quinconce.bridges.contest_page import contest_page, time_phrase
from quinconce.bridges.contestants import LevelContestant, TimedPlayer
from quinconce.bridges.time_control import MatchClock, TimeControl, side_to_move
from quinconce.core.phrase import _
from quinconce.engine.match_runner import ForfeitError
from quinconce.words import Voice

GAME = quinconce.game("diam")
Choice = Callable[[Match[Any], random.Random], str]


class FakeContestant(LevelContestant):
    """Plays by a function, and takes a tenth of a second for each move."""

    def __init__(self, name: str, choose: Choice) -> None:
        super().__init__(1)
        self.name = name
        self.choose = choose

    def seat(self) -> Seat:
        return Seat(self.name)

    @contextmanager
    def sit_down(self, game: quinconce.Game[Any]) -> Iterator[TimedPlayer]:
        def move(match: Match[Any], clock: MatchClock, chance: random.Random) -> str:
            found = self.choose(match, chance)
            clock.charge(side_to_move(match), 0.1, self.name)
            return found

        yield move


def least(match: Match[Any], _chance: random.Random) -> str:
    return min(match.legal())


def any_move(match: Match[Any], chance: random.Random) -> str:
    return chance.choice(sorted(match.legal()))


def crash(_match: Match[Any], _chance: random.Random) -> str:
    raise ForfeitError("crash", _("{name} failed: {why}", name="<Eve>", why="it burnt"))


def play(games: int = 2, jobs: int = 1, **options: Any) -> Contest:
    players = [FakeContestant("Ada", any_move), FakeContestant("Bo", least)]
    players.append(FakeContestant("<Eve>", crash))
    contest = Contest(GAME, players, TimeControl(5.0), games=games, **options)
    assert len(list(contest.run(jobs))) == contest.total
    return contest


def meetings(contest: Contest) -> Counter[tuple[int, int]]:
    return Counter(match.by_side for match in contest.played)


@pytest.mark.parametrize("jobs", [1, 3])
def test_everybody_meets_everybody_twice_with_the_seats_exchanged(jobs: int) -> None:
    contest = play(jobs=jobs)
    pairs = {(a, b) for a in range(3) for b in range(3) if a != b}
    assert meetings(contest) == dict.fromkeys(pairs, 1)
    assert sorted(match.number for match in contest.played) == [1, 2, 3, 4, 5, 6]


def test_a_pair_begins_at_the_start_and_then_at_openings_of_chance() -> None:
    contest = play(games=4)
    ada_bo = sorted((m for m in contest.played if m.pair == (0, 1)), key=lambda m: m.number)
    openings = [match.result.match.moves[:4] for match in ada_bo]
    assert openings[2] == openings[3]
    assert [match.by_side[0] for match in ada_bo] == [0, 1, 0, 1]
    eve = next(m for m in contest.played if m.by_side[0] == 2)
    assert eve.result.match.moves == []  # it failed at the first move


def test_three_points_a_win_and_one_a_draw() -> None:
    contest = play()
    table = contest.standings()
    assert table[-1].name == "<Eve>"
    assert table[-1].points == 0
    assert table[-1].forfeits == {"crash": 4}
    drawn = sum(match.result.share == 0.5 for match in contest.played)
    assert sum(line.points for line in table) == 3 * (6 - drawn) + 2 * drawn
    for line in table:
        assert line.points == 3 * line.won + line.drawn
        assert line.played == 4
    assert [line.points for line in table] == sorted((line.points for line in table), reverse=True)


def test_equal_points_have_one_rank() -> None:
    players = [FakeContestant(name, crash) for name in ("a", "b", "c")]
    contest = Contest(GAME, players, TimeControl())
    list(contest.run())
    assert [(line.rank, line.points) for line in contest.standings()] == [(1, 6)] * 3


def test_the_time_of_a_contestant_is_added_up() -> None:
    contest = play()
    ada = next(line for line in contest.standings() if line.name == "Ada")
    assert ada.moves == sum(
        match.result.match.turns_of(seat)
        for match in contest.played
        if 0 in match.pair
        for seat in (0, 1)
        if match.contestant(seat) == 0
    )
    assert ada.seconds_a_move == pytest.approx(0.1)
    assert ada.longest == pytest.approx(0.1)


def test_in_a_team_one_contestant_plays_both_seats() -> None:
    teams = quinconce.game("diam", players=4)
    players = [FakeContestant("Ada", any_move), FakeContestant("Bo", least)]
    contest = Contest(teams, players, TimeControl())
    for match in contest.run():
        assert [seat.name for seat in contest.record(match).seats] in (
            ["Ada", "Ada", "Bo", "Bo"],
            ["Bo", "Bo", "Ada", "Ada"],
        )


def test_four_sides_are_refused() -> None:
    with pytest.raises(ValueError, match="two sides"):
        Contest(quinconce.game("diam", edition=1997, players=4), [], TimeControl())


def test_every_record_can_be_read_and_says_what_went_wrong() -> None:
    contest = play()
    for match in contest.played:
        record = Record.read(contest.record(match).text())
        names = [contest.names[each] for each in match.by_side]
        assert [seat.name for seat in record.seats] == names
        assert ("Termination" in record.tags) == (2 in match.pair)
    assert record.tags["Termination"] == "<Eve> failed: it burnt"


def test_two_of_one_name_are_told_apart() -> None:
    assert unique_names(["a", "b", "a", "a", "a (2)"]) == ["a", "b", "a (2)", "a (3)", "a (2) (2)"]


@pytest.mark.slow
def test_a_level_plays_within_its_time() -> None:
    contest = Contest(GAME, [LevelContestant(1), LevelContestant(2)], TimeControl(600.0))
    assert [match.result.forfeit for match in contest.run()] == [None, None]


@pytest.mark.slow
def test_no_time_is_charged_for_loading_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    loaded: list[quinconce.Game[Any]] = []
    monkeypatch.setattr(contestants, "load_engine", loaded.append)
    level, clock = LevelContestant(1), MatchClock(TimeControl())
    for _match in range(2):
        with level.sit_down(GAME) as move:
            assert loaded == [GAME]
            move(Match(GAME), clock, random.Random(0))
    assert loaded == [GAME]


# The page.


class Page(HTMLParser):
    """What a page links to, loads and says."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.links += [str(value) for name, value in attributes if name in ("href", "src")]

    def handle_data(self, data: str) -> None:
        if data.strip() and self.tags[-1] != "style":
            self.words.append(data.strip())


@pytest.mark.parametrize(
    ("language", "title"), [("en", "Contest: Diam"), ("fr", "Tournoi\u00a0: Diam")]
)
def test_the_page_stands_alone_and_shows_every_match(language: str, title: str) -> None:
    contest = play()
    text = contest_page(contest, Voice(language))
    page = Page(text)
    assert f'<html lang="{language}">' in text
    assert title in page.words
    assert page.links == [f"{n:04}.quinconce" for n in range(1, 7)]
    assert not {"script", "link", "img", "eve"} & set(page.tags)
    assert page.words.count("<Eve>") == 1 + 2 + 4  # in the standings, across, and in its matches
    failed = {"en": "<Eve> failed: it burnt", "fr": "<Eve> a échoué\u00a0: it burnt"}
    assert page.words.count(failed[language]) == 4


def test_the_page_tells_the_time_as_its_language_writes_numbers() -> None:
    half, clock = TimeControl(0.5), TimeControl(clock=60.0, increment=1.5)
    assert str(time_phrase(half)) == "0.5 s a move"
    assert Voice("fr")(time_phrase(half)) == "0,5 s par coup"
    assert Voice("fr")(time_phrase(clock)) == "60 s par partie et 1,5 s de plus à chaque coup"


def test_the_cross_table_shows_what_each_got_from_each() -> None:
    contest = play()
    shown = contest_page(contest, Voice("en"))
    eve = '<tr><td class="name">&lt;Eve&gt;</td><td>0 0</td><td>0 0</td><td class="self"></td></tr>'
    assert shown.count(eve) == 1  # the last of three
    assert shown.count('<td class="self"></td>') == 3


def test_a_contest_that_was_stopped_shows_what_was_played() -> None:
    contest = Contest(GAME, [FakeContestant("a", least), FakeContestant("b", least)], TimeControl())
    matches: Iterator[ContestMatch] = contest.run()
    next(matches)
    matches.close()  # type: ignore[attr-defined]
    assert "1 match," in contest_page(contest, Voice("en"))
