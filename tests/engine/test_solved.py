"""What the engine knows without a search: right, never thrown away, and said only if certain."""

from __future__ import annotations

import random
from typing import Any

import pytest
from corpus import few_pawns, positions, random_match
from moves import match_after
from solutions import solution_of

import quinconce
from quinconce import Match, Outcome
from quinconce.core.claim import Claim
from quinconce.core.value import RESULTS, Value
from quinconce.engine import analyse, choose, proved_moves, proved_value
from quinconce.solvers.endgames.tables import endgame_table
from quinconce.solvers.proofs.prover import Prover
from quinconce.solvers.proofs.shipped_certificates import certificate_player

DIADEMA = quinconce.game("diadema")
DIAM = quinconce.game("diam")
SEEGA = quinconce.game("seega")


def true_value(position: Any) -> Value:
    return solution_of(DIADEMA).value(position)


def test_a_solved_game_is_never_thrown_away() -> None:
    chance = random.Random(1)
    seen = set()
    for _round in range(8):
        for position in positions(DIADEMA, chance, 20):
            match = Match(DIADEMA, position)
            if match.outcome():
                continue
            value = true_value(position)
            after = match.play(choose(match, 10, seed=1))
            kept = true_value(after).one_ply_earlier()
            assert kept.result == value.result, DIADEMA.write(position)
            assert kept == value or kept.result == "loss"  # how soon it is lost matters less
            seen.add(value.result)
    assert seen == {"win", "draw", "loss"}


def test_a_solved_game_is_told_with_its_line() -> None:
    match = random_match(DIADEMA, random.Random(4), 9)
    (analysis,) = analyse(match, lines=3)
    best = analysis.lines[0]
    assert (best.value, best.plies) == true_value(match.position)
    assert [line.score for line in analysis.lines] == sorted(
        (line.score for line in analysis.lines), reverse=True
    )
    for text in best.moves:
        match.play(text)
    assert best.value == "draw" or len(best.moves) == best.plies
    assert best.value == "draw" or match.outcome()


def test_the_start_of_a_drawn_game_is_drawn() -> None:
    (analysis,) = analyse(Match(DIADEMA))
    assert (analysis.lines[0].value, analysis.lines[0].plies) == ("draw", None)
    assert proved_value(Match(DIADEMA)) == Value("draw")


def test_lower_levels_still_make_mistakes_in_a_solved_game() -> None:
    chance, mistakes = random.Random(5), 0
    for _round in range(40):
        match = random_match(DIADEMA, chance, 8)
        if not match.outcome() and true_value(match.position).result != "loss":
            before = true_value(match.position).result
            after = match.play(choose(match, 4, seed=chance.randrange(99)))
            mistakes += true_value(after).one_ply_earlier().result != before
    assert mistakes


def repeated() -> Match[Any]:
    """A won match in which positions have occurred twice."""
    match = match_after("diadema", "@A @D @B @4")
    for text in ["A-G", "D-E", "G-A", "E-D"]:
        match.play(text)
    return match


def test_what_would_occur_a_third_time_is_a_draw_and_the_rest_is_exact() -> None:
    match = repeated()
    plain, certain = Match(DIADEMA, match.position), proved_moves(match)
    assert certain.keys() == match.legal().keys()
    for text, value in proved_moves(plain).items():
        if match.positions.count(match.legal()[text]) == 2:
            assert certain[text] == Value("draw"), text
            match.play(text)
            assert match.outcome() == Outcome((), "repetition")
            match.undo()
        elif value.result == "draw":
            assert certain[text] == value, text
    (analysis,) = analyse(match, lines=2)
    best = analysis.lines[0]
    assert best.value == "win"
    assert best.plies == len(best.moves)
    for text in best.moves:
        match.play(text)
    assert match.outcome() == Outcome((0,), "circle")


def greedy(match: Match[Any], chance: random.Random) -> str:
    """Wins if it can, else any move that does not lose at once."""
    legal = match.legal()
    side = match.game.sides[match.game.side(match.seat)]
    for text, after in legal.items():
        outcome = match.game.outcome(after)
        if outcome and outcome.winners == side:
            return text
    safe = [text for text, after in legal.items() if not match.game.outcome(after)]
    return chance.choice(safe or list(legal))


@pytest.mark.slow
@pytest.mark.parametrize("opponent", ["random", "greedy", "engine"])
def test_the_second_player_of_diam_2003_wins_every_game_within_twenty(opponent: str) -> None:
    chance = random.Random(opponent)
    for _game in range(12):
        match = Match(DIAM)
        while not match.outcome():
            if match.seat == 1 or opponent == "engine":
                match.play(choose(match, 10, seed=chance.randrange(99)))
            elif opponent == "greedy":
                match.play(greedy(match, chance))
            else:
                match.play(chance.choice(list(match.legal())))
        outcome = match.outcome()
        assert outcome
        assert outcome.winners == (1,), match.moves
        assert len(match.moves) <= 20, match.moves


def test_the_certificate_tells_the_shortest_win() -> None:
    """No quicker win than it says can be proved, and it can within what it says."""
    book, chance = certificate_player(DIAM), random.Random(7)
    assert book
    for position in chance.sample(sorted(book.certificate.answers), 30):
        (value,) = proved_moves(Match(DIAM, position)).values()
        assert value.result == "win"
        assert value.plies
        for within, yes in ((value.plies, True), (value.plies - 1, False)):
            assert Prover(Claim(DIAM, position, 1, within), 16).run() is yes


def test_the_start_of_diam_2003_is_lost_in_twenty() -> None:
    assert proved_value(Match(DIAM)) == Value("loss", 20)


def test_an_ending_in_the_table_is_never_thrown_away() -> None:
    table, chance = endgame_table(SEEGA), random.Random(9)
    assert table
    seen = {"win": 0, "draw": 0, "loss": 0}
    for _round in range(60):
        match = Match(SEEGA, few_pawns(SEEGA, chance, chance.randint(3, 6)))
        value = table.value(match.position)
        assert value
        seen[value.result] += 1
        *_earlier, last = analyse(match, nodes=3000)
        after = match.play(last.best)
        kept = table.value(after)
        result = kept.one_ply_earlier().result if kept else "win"
        assert RESULTS.index(result) >= RESULTS.index(value.result), SEEGA.write(match.start)
        if last.lines[0].value == "win" and last.lines[0].plies is None:
            assert value.result == "win"
        if last.lines[0].value == "loss" and last.lines[0].plies is None:
            assert value.result == "loss"
    assert min(seen["win"], seen["loss"]) > 3


def test_an_ending_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody has asked for the table before, and nobody works it out beside."""
    monkeypatch.setattr("quinconce.solvers.endgames.tables.ready_tables", {})
    monkeypatch.setattr("quinconce.solvers.endgames.tables.requested_games", {SEEGA})
    table, chance = endgame_table(SEEGA), random.Random(13)
    assert table
    position = few_pawns(SEEGA, chance, 5)
    while (table.value(position) or Value("draw")).result != "win":
        position = few_pawns(SEEGA, chance, 5)
    *_earlier, last = analyse(Match(SEEGA, position), nodes=1000)
    assert last.lines[0].value == "win"


def test_an_ending_counts_only_before_the_quiet_limit() -> None:
    """A win that takes more turns to the next capture than are left is not promised."""
    table, chance = endgame_table(SEEGA), random.Random(11)
    assert table
    tried = 0
    while tried < 3:
        position = few_pawns(SEEGA, chance, 5)
        value = table.value(position)
        assert value
        if value.result != "win" or not value.plies or not 6 < value.plies < 20:
            continue
        tried += 1
        match = Match(SEEGA, position)
        assert proved_value(match) == Value("win")
        match._quiet[-1] = 40 - value.plies
        assert proved_value(match) == Value("win")
        match._quiet[-1] = 41 - value.plies
        assert proved_value(match) is None
