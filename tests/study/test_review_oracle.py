"""In games of our own what is proved is told as other means find it; what lowers it is noted."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from corpus import few_pawns

import quinconce
from benchmarks.check_history import RegionSolver, dithering_match
from quinconce import Match
from quinconce.core.value import OPPOSITE, RESULTS, Result, Value
from quinconce.engine.solved import positions_seen_twice
from quinconce.solvers.endgames.tables import endgame_table
from quinconce.solvers.proofs.shipped_certificates import certificate_player
from quinconce.solvers.retrograde import Solution, solution
from quinconce.study.review import Review, review

pytestmark = pytest.mark.slow

DIADEMA = quinconce.game("diadema")
DIAM = quinconce.game("diam")
SEEGA = quinconce.game("seega")
MOST = 50_000  # positions of a region that is solved again


def reviewed(match: Match[Any], nodes: int = 200) -> Review:
    *_progress, found = review(match, nodes)
    assert isinstance(found, Review)
    return found


class HistoryOracle:
    """The value of each position of a match, by the table or by solving a region once more."""

    def __init__(self, found: Solution) -> None:
        self.solution = found
        self.solver = RegionSolver(found, MOST)

    def results(self, match: Match[Any]) -> list[Result | None]:
        """For the player to move in each position; None where the region is too large."""
        past, found = Match(match.game, match.start), list[Result | None]()
        for text in (*match.moves, None):
            found.append(self.result(past))
            if text:
                past.play(text)
        return found

    def result(self, match: Match[Any]) -> Result | None:
        if outcome := match.outcome():
            if not outcome.winners:
                return "draw"
            return "win" if match.seat in outcome.winners else "loss"
        again = positions_seen_twice(match)
        if not any(self.solution.value(position).plies for position in again):
            return self.solution.value(match.position).result
        values = [self.solver.value(after, again) for after in match.legal().values()]
        mine = [OPPOSITE[value.result] for value in values if value]
        if "win" in mine or len(mine) == len(values):
            return max(mine, key=RESULTS.index)
        return None


def own_games(chance: random.Random, solved: Solution) -> Match[Any]:
    """A match of players who dither, who play at random, or who mostly hold."""
    kind = chance.random()
    if kind < 0.6:
        for match in dithering_match(DIADEMA, solved, chance):
            if len(match.moves) > 40:
                break
        return match
    match = Match(DIADEMA)
    while not match.outcome() and len(match.moves) < 30:
        known = solved.move_values(match.position)
        held = [text for text in known if known[text].result == solved.value(match.position).result]
        careful = kind < 0.8 and chance.random() < 0.85
        match.play(chance.choice(sorted(held if careful else known)))
    return match


@pytest.mark.parametrize(("games", "least"), [(6, 2), pytest.param(20, 10, marks=pytest.mark.long)])
def test_in_a_solved_game_what_lowers_the_value_is_noted_and_nothing_else(
    games: int, least: int
) -> None:
    solved = solution(DIADEMA)
    assert solved
    oracle, chance = HistoryOracle(solved), random.Random(8)
    seen: Counter[str] = Counter()
    for _game in range(games):
        match = own_games(chance, solved)
        results = oracle.results(match)
        for ply in reviewed(match).plies:
            before, after = results[ply.ply - 1], results[ply.ply]
            if before is None or after is None:
                seen["too large"] += 1
                continue
            kept = OPPOSITE[after]
            told = (match.moves[: ply.ply], ply)
            assert (ply.proven_before, ply.proven_after) == (before, kept), told
            assert bool(ply.judgement or ply.went_by) == (before != kept) or kept == "loss", told
            assert ply.judgement or ply.went_by or before == kept, told
            assert ply.went_by in (None, before), told
            assert ply.missed_win == (before == "win" and kept != "win"), told
            seen[f"{before} {kept}"] += 1
            plain = solved.value(match.positions[ply.ply]).result
            seen["by history"] += plain != after
    assert min(seen[pair] for pair in ("win draw", "draw loss", "win win", "draw draw")) >= least
    assert seen["win loss"] >= least // 3
    assert seen["by history"] >= least // 5
    assert seen["too large"] < sum(seen.values()) / 5


def win_about_to_repeat(chance: random.Random, solved: Solution) -> tuple[Match[Any], str]:
    """A match, and a move that would win but for leading to a position a third time."""
    while True:
        for match in dithering_match(DIADEMA, solved, chance):
            again, values = positions_seen_twice(match), solved.move_values(match.position)
            for text, after in match.legal().items():
                if after in again and values[text].result == "win":
                    return match, text


def test_a_win_moved_into_its_third_occurrence_is_thrown_away() -> None:
    solved, chance = solution(DIADEMA), random.Random(13)
    assert solved
    judged = []
    for _match in range(6):
        match, text = win_about_to_repeat(chance, solved)
        match.play(text)
        assert match.outcome() == quinconce.Outcome((), "repetition")
        last = reviewed(match).plies[-1]
        assert last.proven_after == "draw"
        assert (last.judgement is None) == (last.proven_before == "draw"), last
        assert last.missed_win == (last.proven_before == "win")
        judged.append(last.judgement)
    assert any(judged)


def test_where_a_certificate_knows_both_positions_its_win_is_kept() -> None:
    book, chance = certificate_player(DIAM), random.Random(9)
    assert book
    known = 0
    for _game in range(6):
        match = Match(DIAM)
        while not match.outcome():
            text = book.winning_move(match.position) if match.seat == 1 else None
            match.play(text or chance.choice(sorted(match.legal())))
        for ply in reviewed(match, 50).plies:
            assert ply.judgement is None or ply.seat == 0, (match.moves, ply)
            assert ply.proven_before == ply.proven_after == ("win" if ply.seat == 1 else "loss")
            known += 1
    assert known > 40


def test_a_move_that_a_certificate_leaves_open_is_not_called_proven() -> None:
    book, chance = certificate_player(DIAM), random.Random(10)
    assert book
    match, opened = Match(DIAM), 0
    match.play("r@1")
    others = sorted(set(match.legal()) - {book.winning_move(match.position)})
    for text in chance.sample(others, 6):
        match.play(text)
        (_first, second) = reviewed(match, 300).plies
        assert second.proven_before == "win"
        assert second.proven_after in ("win", None)
        opened += second.proven_after is None
        assert second.proven == (second.proven_after == "win")
        match.undo()
    assert opened


def grand_result(match: Match[Any]) -> Result:
    """Who can force the last capture in time: a draw stands for any jam."""
    table = endgame_table(SEEGA)
    assert table
    if outcome := match.outcome():
        if outcome.reason != "grand":
            return "draw"
        return "win" if match.seat in outcome.winners else "loss"
    value = table.value(match.position) or Value("draw")
    late = value.plies is not None and match.quiet + value.plies > (SEEGA.quiet_limit or 0)
    return "draw" if late else value.result


@pytest.mark.parametrize("seed", [11, 12])
def test_in_endings_a_grand_victory_thrown_away_is_noted_and_none_that_is_kept(seed: int) -> None:
    chance, seen = random.Random(seed), Counter[str]()
    for _game in range(12):
        match = Match(SEEGA, few_pawns(SEEGA, chance, chance.randint(3, 6)))
        while not match.outcome() and len(match.moves) < 8:
            match.play(chance.choice(sorted(match.legal())))
        past = Match(SEEGA, match.start)
        if positions_seen_twice(match):
            continue
        for ply in reviewed(match).plies:
            before = grand_result(past)
            past.play(ply.move)
            after = OPPOSITE[grand_result(past)]
            seen[f"{before} {after}"] += 1
            if before != after and RESULTS.index(after) < RESULTS.index(before):
                noted = ply.judgement or ply.went_by or not ply.proven_before  # a jam has no name
                assert noted, (match.moves, ply)
            if before == after == "win":
                assert ply.judgement is None, (match.moves, ply)
            if before != "draw" and ply.proven_before:
                assert ply.proven_before == before
    assert seen["win win"] + seen["loss loss"] > 10
