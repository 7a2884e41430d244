"""Reviews: what is proved decides, estimates decide the rest, and every form of a game has one."""

from __future__ import annotations

import pickle
import random
from typing import Any

import pytest
from corpus import random_match
from moves import match_after

import quinconce
from quinconce import Match
from quinconce.engine.scores import (
    ScoreBounds,
    ScoreScale,
    read_scales_file,
    score_scale,
    score_share,
)
from quinconce.study.judgement import (
    MoveCost,
    move_accuracy,
    seat_accuracy,
    swings,
)
from quinconce.study.review import (
    MAX_PLIES,
    PositionReport,
    Progress,
    Review,
    join_reports,
    report_position,
    review,
)

WIN, DRAW, LOSS, OPEN = ScoreBounds(1, 1), ScoreBounds(0.5, 0.5), ScoreBounds(0, 0), ScoreBounds()
FIELDS = [
    "ply",
    "seat",
    "move",
    "best",
    "line",
    "score_before",
    "score_after",
    "proven_before",
    "proven_after",
    "judgement",
]


def reviewed(match: Match[Any], nodes: int = 500) -> Review:
    *progress, last = review(match, nodes)
    assert isinstance(last, Review)
    assert progress == [
        Progress(done, len(match.moves) + 1) for done in range(len(match.moves) + 2)
    ]
    return last


def report(own: float, *, first: bool, **more: Any) -> PositionReport:
    return PositionReport((own, 1 - own) if first else (1 - own, own), **more)


@pytest.mark.parametrize(
    ("before", "after", "plies", "judgement"),
    [
        (WIN, WIN, 1, None),
        (WIN, DRAW, 30, "mistake"),
        (WIN, DRAW, 3, "blunder"),
        (WIN, LOSS, 30, "blunder"),
        (DRAW, LOSS, None, "mistake"),
        (DRAW, LOSS, 4, "blunder"),
        (DRAW, LOSS, 5, "mistake"),
        (LOSS, LOSS, 1, None),
        (WIN, ScoreBounds(0.25, 0.75), None, "mistake"),
        (ScoreBounds(0.75, 1), DRAW, None, "mistake"),
    ],
)
def test_what_is_proved_decides_whatever_the_estimates_say(
    before: ScoreBounds, after: ScoreBounds, plies: int | None, judgement: str | None
) -> None:
    for scores in ((0.5, 0.5), (1.0, 0.0), (0.0, 1.0)):
        assert MoveCost(*scores, before, after, plies).judgement() == judgement


@pytest.mark.parametrize(
    ("loss", "judgement"),
    [
        (-0.3, None),
        (0.049, None),
        (0.05, "inaccuracy"),
        (0.10, "mistake"),
        (0.149, "mistake"),
        (0.15, "blunder"),
        (0.9, "blunder"),
    ],
)
def test_else_the_loss_of_expected_score_decides(loss: float, judgement: str | None) -> None:
    for before, after in ((OPEN, OPEN), (WIN, OPEN), (OPEN, LOSS)):
        assert MoveCost(0.95, 0.95 - loss, before, after).judgement() == judgement


def test_a_move_played_into_a_proved_value_proves_the_position_before_it() -> None:
    match = match_after("buts", "F1-E1 B1-A1")
    reports = [
        report(0.6, first=True, best="F3-E3"),
        report(0.6, first=False, best="B3-A3"),
        report(0.0, first=True, most=0.0, best="F3-E3"),
    ]
    first, second = join_reports(match, reports).plies
    assert (second.proven_before, second.proven_after) == ("win", "win")
    assert (second.score_before, second.judgement) == (1.0, None)
    assert (first.proven_before, first.proven_after) == (None, "loss")
    assert (first.score_after, first.judgement) == (0.0, "blunder")


def test_what_only_a_certificate_knows_is_not_held_against_a_move_it_leaves_open() -> None:
    match = match_after("buts", "F1-E1")
    known = report(1.0, first=True, least=1.0, best="F3-E3", estimate=0.55)
    (ply,) = join_reports(match, [known, report(0.47, first=False)]).plies
    assert (ply.proven_before, ply.proven_after, ply.judgement) == ("win", None, None)
    (ply,) = join_reports(match, [known, report(0.7, first=False)]).plies
    assert ply.judgement == "blunder"


def test_a_position_that_is_over_needs_no_search() -> None:
    match = match_after("diam", "r@1 m@2 r@1 m@3 r@5 m@2 r@5")
    assert match.outcome()
    assert report_position(match) == PositionReport((1.0, 0.0), least=0.0, most=0.0, plies=0)


def test_accuracy_goes_from_0_to_100_and_errors_weigh_more_where_the_result_swings() -> None:
    assert move_accuracy(0) == 100
    assert 45 < move_accuracy(0.16) < 55
    assert move_accuracy(1) < 2
    assert seat_accuracy([], []) is None
    assert seat_accuracy([0.0, 0.0], [0.1, 0.0]) == 100
    calm, swung = (seat_accuracy([0.3, 0.0], weights) for weights in ([0.0, 0.1], [0.1, 0.0]))
    assert calm is not None
    assert swung is not None
    assert calm > swung
    assert swings([0.5, 0.5, 0.5]) == [0.0, 0.0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("buts", {}),
        ("diadema", {}),
        ("diam", {}),
        ("diam", {"players": 3}),
        ("diam", {"players": 4}),
        ("diam", {"edition": 1997}),
        ("diam", {"edition": 1997, "players": 4}),
        ("seega", {}),
        ("seega", {"size": 7}),
        ("seega", {"size": 9}),
    ],
    ids=lambda value: "-".join(map(str, value.values())) if isinstance(value, dict) else value,
)
def test_every_form_of_a_game_has_a_review(name: str, options: dict[str, object]) -> None:
    game = quinconce.game(name, **options)
    match = random_match(game, random.Random(3), 7)
    found = reviewed(match)
    assert len(found.plies) == len(match.moves)
    assert len(found.curve) == len(match.moves) + 1
    assert all(abs(sum(scores) - 1) < 1e-9 for scores in found.curve)
    assert pickle.loads(pickle.dumps(found)) == found
    data = found.json()
    assert list(data)[:4] == ["game", "options", "plies", "accuracy"]
    assert (data["game"], data["options"]) == (game.name, game.chosen)
    for ply, (row, text) in enumerate(zip(data["plies"], match.moves, strict=True)):
        assert list(row)[: len(FIELDS)] == FIELDS
        assert (row["ply"], row["move"]) == (ply + 1, text)
        assert row["seat"] == game.seat(match.positions[ply])
        assert row["line"][0] == row["best"]
        assert 0 <= row["score_before"] <= 1
        assert 0 <= row["score_after"] <= 1
        assert row["proven_before"] in ("win", "draw", "loss", None)
    moved = {row["seat"] for row in data["plies"]}
    for seat, accuracy in enumerate(data["accuracy"]):
        assert (accuracy is not None) == (seat in moved)
        assert accuracy is None or 0 <= accuracy <= 100


def test_a_report_is_kept_as_json() -> None:
    found = report_position(match_after("diadema", "@A @1"), 500)
    assert PositionReport.from_json(found.json()) == found


def test_a_match_that_is_too_long_is_refused_at_once() -> None:
    match = match_after("buts", "")
    match.moves = ["F1-E1"] * (MAX_PLIES + 1)
    with pytest.raises(ValueError, match="at most 1,000 plies"):
        review(match)


def test_scores_become_shares_by_the_scale_of_the_nearest_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fitted = {"seega": ScoreScale(300, 0.02), "seega reach=step": ScoreScale(200)}
    monkeypatch.setattr("quinconce.engine.scores.read_scales_file", lambda: fitted)
    seega, step = quinconce.game("seega"), quinconce.game("seega", reach="step", size=7)
    assert score_share(seega, 0) == 0.5
    assert score_share(seega, 300) == pytest.approx(0.02 + 0.96 * 10 / 11)
    assert score_share(step, 200) == pytest.approx(10 / 11)
    assert score_share(quinconce.game("buts"), -400) == pytest.approx(1 / 11)
    assert score_share(seega, 999_990) == 1
    four = quinconce.game("diam", edition=1997, players=4)
    assert score_share(four, 0) == pytest.approx(0.25)


def test_every_scale_that_was_fitted_is_one_of_a_game() -> None:
    for form, scale in read_scales_file().items():
        name, *options = form.split()
        game = quinconce.game(name, **dict(option.split("=") for option in options))
        assert score_scale(game) == scale
        assert 50 < scale.points < 2000
        assert 0 <= scale.doubt < 0.1
