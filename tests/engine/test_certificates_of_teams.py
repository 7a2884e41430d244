"""Full strength plays by the certificates of Diam 2003 with three and four players."""

from __future__ import annotations

import random
from typing import Any

import pytest

import quinconce
from quinconce import Match
from quinconce.core.claim import Claim
from quinconce.core.value import Value
from quinconce.engine import analyse, choose, proved_moves, proved_value
from quinconce.engine.move_values import known_moves
from quinconce.solvers.proofs.prover import Prover
from quinconce.solvers.proofs.shipped_certificates import certificate_player
from quinconce.study.review import Review, review
from quinconce.words.proven import value_phrase

THREE = quinconce.game("diam", players=3)
FOUR = quinconce.game("diam", players=4)
# The game, the side that wins, and within how many plies.
SOLVED = [(THREE, 0, 27), (FOUR, 1, 34)]


def ids(value: Any) -> str:
    return value.form_id if hasattr(value, "form_id") else str(value)


@pytest.mark.slow
@pytest.mark.parametrize("opponent", [None, 6, 10])
@pytest.mark.parametrize(("game", "side", "within"), SOLVED, ids=ids)
def test_the_side_that_wins_does_so_within_the_plies(
    game: Any, side: int, within: int, opponent: int | None
) -> None:
    """Against chance, against level 6, and against full strength."""
    chance = random.Random(within)
    for _game in range(2 if opponent else 8):
        match = Match(game)
        while not match.outcome():
            level = 10 if game.side(match.seat) == side else opponent
            seed = chance.randrange(99)
            legal = sorted(match.legal())
            match.play(choose(match, level, seed=seed) if level else chance.choice(legal))
        outcome = match.outcome()
        assert outcome
        assert outcome.winners == game.sides[side], match.moves
        assert len(match.moves) <= within, match.moves


def test_the_start_is_won_by_who_plays_alone_and_lost_by_the_first_team() -> None:
    assert proved_value(Match(THREE)) == Value("win", 27)
    assert proved_value(Match(FOUR)) == Value("loss", 34)
    assert value_phrase(FOUR, FOUR.start(), "loss", 34) == (
        "Player 3 (brown) and Player 4 (black) win in 17 moves"
    )


@pytest.mark.parametrize(("game", "side", "within"), SOLVED, ids=ids)
def test_first_moves_that_symmetry_makes_alike_are_worth_the_same(
    game: Any, side: int, within: int
) -> None:
    """The certificate has one of them."""
    match = Match(game)
    result = "win" if side == 0 else "loss"
    assert {(known.result, known.plies) for known in known_moves(match)} == {(result, within)}
    assert len(known_moves(match)) == len(match.legal())


@pytest.mark.parametrize(("game", "side", "within"), SOLVED, ids=ids)
def test_what_the_certificate_tells_can_be_proved(game: Any, side: int, within: int) -> None:
    """Every move that it calls won is, symmetric ones included."""
    book, chance = certificate_player(game), random.Random(3)
    assert book
    for position in chance.sample(sorted(book.certificate.answers), 15):
        match = Match(game, position)
        moves = proved_moves(match)
        assert book.winning_move(position) in moves
        for text, value in moves.items():
            assert value.result == "win"
            assert value.plies
            if value.plies <= 13:
                after = match.legal()[text]
                assert Prover(Claim(game, after, side, value.plies - 1), 16).run()


@pytest.mark.parametrize(("game", "side", "within"), SOLVED, ids=ids)
def test_an_analysis_and_a_review_read_the_certificate(game: Any, side: int, within: int) -> None:
    book, chance = certificate_player(game), random.Random(5)
    assert book
    match = Match(game)
    *_earlier, last = analyse(match, nodes=100)
    assert last.lines[0].value == ("win" if side == 0 else "loss")
    while not match.outcome():
        match.play(book.winning_move(match.position) or chance.choice(sorted(match.legal())))
    *_progress, found = review(match, 50)
    assert isinstance(found, Review)
    for ply in found.plies:
        won = game.side(ply.seat) == side
        assert ply.judgement is None or not won, ply  # who is lost is judged by what one sees
        assert ply.proven_before == ply.proven_after == ("win" if won else "loss"), ply
