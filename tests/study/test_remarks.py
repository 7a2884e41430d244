"""Remarks of a first game are true by the plain rules, and words for people."""

from __future__ import annotations

import pickle
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from many_moves import BEFORE_MANY, LEADS_TO_MANY, OPTIONS

import quinconce
from quinconce.core.game import Game
from quinconce.core.match import Match, replay
from quinconce.puzzles.puzzle import puzzles_for
from quinconce.study.remarks import Remark, remark_for
from quinconce.words import Voice

# Forms with how many random games from the start and from puzzles are looked at.
FORMS: list[tuple[Game[Any], int, int]] = [
    (quinconce.game("diam"), 15, 15),
    (quinconce.game("diam", edition="1997"), 15, 10),
    (quinconce.game("diam", players=3), 8, 0),
    (quinconce.game("diam", players=4), 8, 0),
    (quinconce.game("diam", edition="1997", players=4), 8, 0),
    (quinconce.game("diadema"), 15, 15),
    (quinconce.game("seega"), 5, 10),
    (quinconce.game("seega", reach="step", blocked="remove", chain="optional"), 4, 0),
    (quinconce.game("buts"), 1, 15),
]
LONGEST = 60  # plies of a game
ENGLISH, FRENCH = Voice("en"), Voice("fr")


def wins(game: Game[Any], position: Any) -> list[str]:
    """The moves that win at once for the player to move, by the rules alone."""
    found = []
    for text, after in game.moves(position):
        outcome = game.outcome(after)
        if outcome is not None and game.seat(position) in outcome.winners:
            found.append(text)
    return found


def loses_pieces(game: Game[Any], before: Any, after: Any) -> int:
    """How many pieces of other sides have left the board, counted letter by letter."""
    mover = game.seat(before)
    mates = next(side for side in game.sides if mover in side)
    strange = {kind.letter for kind in game.kinds if kind.seat not in mates}
    return sum(c in strange for c in before.board) - sum(c in strange for c in after.board)


def weak_games(game: Game[Any], plain: int, puzzling: int) -> Iterator[Match[Any]]:
    """Matches after each of their moves; the players take a win that they see, half of the time."""
    starts = [None] * plain + [puzzle.position for puzzle in puzzles_for(game)[:puzzling]]
    for number, start in enumerate(starts):
        chance = random.Random(number)
        match = Match(game, start)
        for _ply in range(LONGEST if start is None else 8):
            if match.outcome():
                break
            texts = [text for text, _after in game.moves(match.position)]
            good = wins(game, match.position) if chance.random() < 0.5 else []
            match.play(chance.choice(good or texts))
            yield match


def is_true(match: Match[Any], seat: int, remark: Remark) -> bool:
    """Whether a remark says what the plain rules say too."""
    game, position = match.game, match.positions[remark.ply]
    if remark.kind == "threat":
        turn = (position.turn + 1) % len(game.cycle)
        idle = position._replace(turn=turn)
        parried = [not wins(game, after) for _text, after in game.moves(position)]
        return (
            match.seat == seat
            and remark.seat == game.seat(idle)
            and list(remark.moves) == wins(game, idle)
            and not wins(game, position)
            and not all(parried)
        )
    (move,) = remark.moves
    if game.seat(position) != remark.seat or move == [*match.moves, ""][remark.ply]:
        return False
    if remark.kind == "missed capture":
        after, played = game.after(position, move), match.positions[remark.ply + 1]
        more = loses_pieces(game, position, after) > loses_pieces(game, position, played)
        return remark.seat == seat and more and not wins(game, after)
    if remark.kind == "missed win":
        return remark.seat == seat and move in wins(game, position)
    now = remark.ply == len(match.moves)
    return (
        (remark.kind == "exposed") == now
        and remark.seat != seat
        and game.seat(match.positions[remark.ply - 1]) == seat
        and move in wins(game, position)
    )


def misses_win(match: Match[Any], seat: int) -> bool:
    """Whether the last move of a seat was not the win that there was."""
    game, last = match.game, len(match.moves) - game_turns(match.game)
    plies = [n for n in range(max(0, last), len(match.moves)) if seat_at(match, n) == seat]
    return bool(plies) and bool(wins(game, match.positions[plies[-1]]))


def game_turns(game: Game[Any]) -> int:
    return len(set(game.cycle))


def seat_at(match: Match[Any], ply: int) -> int:
    return match.game.seat(match.positions[ply])


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "plain", "puzzling"), FORMS, ids=lambda v: getattr(v, "form_id", "")
)
def test_every_remark_is_true(game: Game[Any], plain: int, puzzling: int) -> None:
    seen: Counter[str | None] = Counter()
    for match in weak_games(game, plain, puzzling):
        for seat in range(game.seats):
            remark = remark_for(match, seat)
            seen[remark and remark.kind] += 1
            if match.outcome():
                assert remark is None
            elif remark is None or remark.kind != "missed win":
                assert not misses_win(match, seat), game.write(match.position)
            assert remark is None or is_true(match, seat, remark), (remark, match.moves)
    assert seen["missed win"] or "seega" in game.form_id
    assert seen.total() > 100


@pytest.mark.slow
def test_there_are_remarks_of_every_kind_in_words_of_both_languages() -> None:
    said: dict[str, set[str]] = {}
    for game in (quinconce.game("diam"), quinconce.game("diadema"), quinconce.game("seega")):
        for match in weak_games(game, 6, 4):
            for remark in filter(None, (remark_for(match, seat) for seat in range(game.seats))):
                words = pickle.loads(pickle.dumps(remark)).words
                texts = ENGLISH(words), FRENCH(words)
                assert texts[0] != texts[1]
                said.setdefault(remark.kind, set()).update(texts)
    assert set(said) == {"missed win", "exposed", "threat", "spared", "missed capture"}
    for text in set.union(*said.values()):
        assert text[0].isupper()
        assert text.endswith(".")
        assert not set(text) & set("{}_=/")


def test_a_threat_is_told_by_the_place_where_it_ends() -> None:
    game = quinconce.game("diadema")
    match = quinconce.Match(game)
    for text in ["@G", "@A", "@F", "@1", "@5", "@2"]:
        match.play(text)
    remark = remark_for(match, 0)
    assert remark is not None
    assert remark.words == "Your opponent threatens to win at C."
    assert FRENCH(remark.words) == "Votre adversaire menace de gagner en C."
    match.play("@4")
    remark = remark_for(match, 0)
    assert remark is not None
    assert (remark.kind, remark.words) == ("exposed", "Your opponent can win now with @C.")
    match.play("@D")
    remark = remark_for(match, 0)
    assert remark is not None
    assert remark.kind == "threat"  # it is still there, and more urgent than what was overlooked


def test_a_capture_that_was_missed_is_told_with_its_move() -> None:
    game = quinconce.game("diadema")
    match = quinconce.Match(game)
    for text in ["@A", "@1", "@G"]:
        match.play(text)
    remark = remark_for(match, 0)
    assert remark is not None
    assert (remark.kind, remark.words) == (
        "missed capture",
        "You could have captured 1 with Ax2.",
    )


def test_pawns_that_are_moved_along_are_not_captured() -> None:
    game = quinconce.game("diam")
    for match in weak_games(game, 5, 0):
        for before, after in pairwise(match.positions):
            assert not loses_pieces(game, before, after)
        for seat in range(2):
            remark = remark_for(match, seat)
            assert remark is None or remark.kind != "missed capture"


def test_nothing_is_said_where_moves_cannot_be_listed() -> None:
    match = replay(quinconce.game("seega", **OPTIONS), BEFORE_MANY, [LEADS_TO_MANY])
    assert not match.outcome()
    assert remark_for(match, match.seat) is None
