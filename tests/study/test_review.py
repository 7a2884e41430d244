"""Reviews: what one can see is graded, what is proved is told, and every form of a game has one."""

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
from quinconce.study.judgement import NEAR_PLIES, MoveCost, move_accuracy, seat_accuracy
from quinconce.study.lookahead import SEEN_PLIES, look_ahead
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


def cost(
    before: ScoreBounds, after: ScoreBounds, seen: float = 0.0, later: float = 0.0, **more: Any
) -> MoveCost:
    """What a move cost of which so much shows within four plies, and then within six."""
    expected = sum(before) / 2, sum(after) / 2
    ahead = [0.6] * SEEN_PLIES
    shown = [0.6 - seen] * (NEAR_PLIES - 1) + [0.6 - later] * (SEEN_PLIES - NEAR_PLIES)
    return MoveCost(*expected, before, after, seen_before=ahead, seen_after=shown, **more)


@pytest.mark.parametrize(
    ("loss", "judgement"),
    [(-0.3, None), (0.09, None), (0.1, "inaccuracy"), (0.2, "mistake"), (0.3, "blunder")],
)
def test_a_move_is_graded_by_how_much_of_its_loss_shows_within_a_few_plies(
    loss: float, judgement: str | None
) -> None:
    for before, after in ((WIN, LOSS), (WIN, DRAW), (WIN, ScoreBounds(0, 0.3))):
        made = cost(before, after, loss, loss)
        assert made.judgement() == judgement
        assert made.punished_in() == (1 if judgement else None)


def test_what_shows_later_counts_less() -> None:
    later = cost(WIN, LOSS, 0.0, 0.5)
    assert (later.judgement(), later.punished_in()) == ("mistake", NEAR_PLIES)
    assert cost(WIN, LOSS, 0.0, 0.2).judgement() == "inaccuracy"
    assert cost(WIN, LOSS, 0.25, 0.0).judgement() == "mistake"


def test_what_is_lost_soon_or_was_nearly_won_is_a_blunder() -> None:
    won, lost = [1.0] * SEEN_PLIES, [0.0] * SEEN_PLIES
    doubtful = [0.15] * SEEN_PLIES
    missed = MoveCost(1.0, 0.85, WIN, OPEN, seen_before=won, seen_after=[0.85] * SEEN_PLIES)
    allowed = MoveCost(0.15, 0.0, OPEN, LOSS, seen_before=doubtful, seen_after=lost)
    assert missed.judgement() == allowed.judgement() == "blunder"
    # A longer way to win is no error, and nobody can lose what is lost.
    assert MoveCost(1, 1, WIN, WIN, seen_before=won, seen_after=doubtful).judgement() is None
    assert MoveCost(0.05, 0, OPEN, LOSS, seen_before=lost, seen_after=lost).judgement() is None


def test_a_proved_value_that_nobody_sees_is_no_error_and_costs_little() -> None:
    for before, after in ((WIN, LOSS), (WIN, DRAW), (DRAW, LOSS)):
        unseen = cost(before, after)
        assert (unseen.is_lowering, unseen.judgement(), unseen.punished_in()) == (True, None, None)
        assert 0 < unseen.loss <= 0.2
    # What a long search expects without proof is an inaccuracy at most.
    assert cost(ScoreBounds(0.5, 1), ScoreBounds(0, 0.5)).judgement() == "inaccuracy"
    assert cost(ScoreBounds(0, 1), ScoreBounds(0, 0.4)).judgement() is None


def test_what_seems_worse_and_is_not_is_no_error() -> None:
    assert cost(WIN, WIN, 0.6, 0.6).loss == 0
    assert cost(DRAW, DRAW, 0.6, 0.6).loss == 0
    assert cost(OPEN, ScoreBounds(0, 0.92), 0.6, 0.6).judgement() is None
    assert cost(LOSS, LOSS, 0.6, 0.6, is_best=True).judgement() is None


def test_who_is_lost_by_proof_is_blamed_for_what_one_sees_until_it_is_near() -> None:
    assert cost(LOSS, LOSS, 0.6, 0.6, end_after=3).judgement() == "blunder"
    assert cost(LOSS, LOSS, 0.6, 0.6, end_before=30, end_after=3).judgement() == "blunder"
    assert cost(LOSS, LOSS, 0.6, 0.6, end_before=8, end_after=3).judgement() is None


@pytest.mark.parametrize(
    ("before", "after", "plies", "judgement"),
    [
        (WIN, LOSS, 30, None),
        (WIN, DRAW, 3, "blunder"),
        (DRAW, LOSS, 4, "blunder"),
        (LOSS,) * 2 + (1, None),
    ],
)
def test_where_nobody_looked_a_few_plies_ahead_the_end_tells_what_shows(
    before: ScoreBounds, after: ScoreBounds, plies: int, judgement: str | None
) -> None:
    made = MoveCost(before.least, after.least, before, after, plies, plies)
    assert made.judgement() == judgement


def test_among_more_sides_a_fair_share_is_less_and_so_is_a_blunder() -> None:
    assert MoveCost(0.25, 0.1, OPEN, OPEN, sides=4).judgement() == "blunder"
    assert MoveCost(0.25, 0.1, OPEN, OPEN).judgement() == "inaccuracy"
    assert MoveCost(0.25, 0.25, OPEN, OPEN, sides=4).stake == pytest.approx(1)


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
    assert ply.judgement == "mistake"


def test_a_position_that_is_over_needs_no_search() -> None:
    match = match_after("diam", "r@1 m@2 r@1 m@3 r@5 m@2 r@5")
    assert match.outcome()
    assert report_position(match) == PositionReport((1.0, 0.0), least=0.0, most=0.0, plies=0)


def test_accuracy_goes_from_0_to_100_and_moves_weigh_what_was_at_stake() -> None:
    assert move_accuracy(0) == 100
    assert 45 < move_accuracy(0.16) < 55
    assert move_accuracy(1) < 2
    assert seat_accuracy([]) is None
    good, bad = cost(DRAW, DRAW), cost(WIN, LOSS, 0.3, 0.3)
    assert seat_accuracy([good, good]) == 100
    decided = MoveCost(0.99, 0.99, OPEN, OPEN)
    assert decided.stake < 0.1 < good.stake
    open_game, over = (seat_accuracy([bad, other]) for other in (good, decided))
    assert open_game is not None
    assert over is not None
    assert over < open_game


def test_what_one_sees_is_looked_for_without_proofs_and_ends_at_a_win() -> None:
    seen = look_ahead(match_after("diam", "r@1"))
    assert len(seen) >= NEAR_PLIES
    assert all(0 < score < 1 for score in seen)  # the second player wins, and only proofs know it
    near = look_ahead(match_after("diam", "r@1 m@2 r@1 m@3 r@5 m@2"))
    assert near == (1.0,) * SEEN_PLIES
    assert look_ahead(match_after("diam", "r@1 m@2 r@1 m@3 r@5 m@2 r@5")) == ()
    assert look_ahead(Match(quinconce.game("diam", edition=1997, players=4))) == ()


def test_the_curve_shows_what_one_sees_where_only_a_proof_knows_more() -> None:
    match = match_after("buts", "F1-E1")
    proved = report(1.0, first=True, least=1.0, best="F3-E3", plies=None, seen=(0.5, 0.6))
    estimate = report(0.25, first=False, best="B3-A3", seen=(0.3, 0.4))
    assert join_reports(match, [proved, estimate]).curve == ((0.6, 0.4), (0.75, 0.25))


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
