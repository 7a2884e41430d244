"""The answers to the questions about a game, as data: each is asked of a solver or the engine."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import numpy as np

from quinconce.core.claim import Claim
from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.symmetry import distinct_moves
from quinconce.core.value import Value, best_move
from quinconce.engine.elo import Z_95, MatchScore
from quinconce.engine.match_runner import run_matches
from quinconce.engine.move_choice import level_player
from quinconce.facts.files import Answer, LongestLine, SideShare, ValueFact
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.endgames.tables import EndgameTable, endgame_table, statistics_by_pieces
from quinconce.solvers.proofs.prover import ProofProgress, Prover
from quinconce.solvers.proofs.shipped_certificates import CertificatePlayer, certificate_player
from quinconce.solvers.proofs.verify import verify
from quinconce.solvers.retrograde import (
    LONGEST_DISTANCE,
    NO_CLASS,
    Solution,
    number_classes,
    solution,
)
from quinconce.solvers.sharpness import count_sole_moves, faultless_plies

FAULTLESS_PLIES: Final = 12  # of faultless play that are followed
QUICK_SAMPLE: Final = 300  # positions that a quick run checks with the plain rules
PROOF_MEGABYTES: Final = 256
TABLE_SAMPLE: Final = 2000  # positions that the plain rules check
MATCH_SEED: Final = 2003
SHARE_DIGITS: Final = 4  # of a share


# A game that is solved whole.


def solution_fact(
    game: Game[Any], quick: bool, on_progress: Callable[[float], None]
) -> Answer | None:
    """The facts of a solved game; None if it is too large to be solved."""
    found = solution(game)
    if found is None:
        return None
    start = game.start()
    figures, sole = found.statistics, count_sole_moves(found)
    return {
        "won": figures.won,
        "drawn": figures.drawn,
        "lost": figures.lost,
        "classes": figures.classes,
        "start": value_fact(found.value(start)),
        "first_moves": [
            {"move": text, "alike": alike, **value_fact(found.value(after).one_ply_earlier())}
            for text, alike, after in distinct_moves(start, game.moves(start), game.symmetries())
        ],
        "distances": distance_counts(found),
        "longest_win": longest_line_fact(found, int(np.argmax(found.distances))),
        "longest_loss": longest_line_fact(found, int(np.argmin(found.distances))),
        "sole": sole._asdict(),
        "faultless": [ply._asdict() for ply in faultless_plies(found, FAULTLESS_PLIES)],
        "checked": check_solution(found, QUICK_SAMPLE if quick else None, on_progress),
    }


def value_fact(value: Value) -> ValueFact:
    """A value as data."""
    return {"result": value.result, "plies": value.plies}


def distance_counts(found: Solution) -> dict[str, list[int]]:
    """How many positions are won and lost in how many plies, from 1."""
    worths = found.distances.astype(np.int64)
    won, lost = (np.bincount(each[each > 1] - 1) for each in (worths, -worths))
    return {"win": won[1:].tolist(), "loss": lost[1:].tolist()}


def longest_line_fact(found: Solution, number: int) -> LongestLine:
    """The position with a number, and a line in which both play their best."""
    game, kernel = found.game, kernel_for(found.game)
    position = kernel.decode(calls.from_index(kernel.encode(game.start()), number))
    line, here = [], position
    while not game.outcome(here):
        text = best_move(found.move_values(here))
        line.append(text)
        here = game.after(here, text)
    value = found.value(position)
    assert len(line) == value.plies
    return {"position": game.write(position), **value_fact(value), "line": line}


def check_solution(
    found: Solution, sample: int | None, on_progress: Callable[[float], None]
) -> Answer:
    """Let the plain rules confirm the table, one position of every class, or some of them.

    Each value must be the best that the moves lead to. Then every win and loss is right, by
    induction on its plies; and in a drawn position no move wins, and a player who
    keeps to moves that draw never loses.
    """
    kernel = kernel_for(found.game)
    state = kernel.encode(found.game.start())
    size = int(calls.index_count(state))
    classes, firsts = np.full(size, NO_CLASS, np.int32), np.empty(size, np.int32)
    chosen = firsts[: number_classes(state, classes, firsts)].tolist()
    if sample is not None:
        chosen = random.Random(0).sample(chosen, sample)
    seen = 0
    for place, number in enumerate(chosen):
        position = kernel.decode(calls.from_index(state, number))
        if not found.game.outcome(position):
            value, seen = found.value(position), seen + 1
            worths = found.move_values(position)
            if worths[best_move(worths)] != value:
                raise AssertionError(found.game.write(position))
        if not place % 256:
            on_progress(place / len(chosen))
    return {"positions": seen, "all": sample is None}


# Proofs from one position, and certificates.


class NodeLimitError(Exception):
    """A search has had the positions that it was given."""


def proof_fact(
    claim: Claim,
    wide: bool,
    most: int,
    on_progress: Callable[[float], None],
    megabytes: float = PROOF_MEGABYTES,
) -> Answer:
    """Whether a claim is true; the answer is None if `most` positions do not settle it."""
    prover = Prover(claim, megabytes)

    def stop_at_limit(progress: ProofProgress) -> None:
        on_progress(progress.nodes / most)
        if prover.answer is None and progress.nodes >= most:
            raise NodeLimitError

    with suppress(NodeLimitError):
        prover.run(stop_at_limit, wide=wide)
    return {"answer": prover.answer, "nodes": prover.progress.nodes}


def certificate_fact(game: Game[Any], on_progress: Callable[[float], None]) -> Answer | None:
    """What the certificate that comes with a game says, played against every reply."""
    book = certificate_player(game)
    if book is None:
        return None
    certificate, claim = book.certificate, book.certificate.claim
    verdict = verify(certificate, lambda done: on_progress(done / len(certificate.answers)))
    start, firsts = game.start(), []
    if game.side(game.seat(start)) != claim.side:
        firsts = distinct_moves(start, game.moves(start), game.symmetries())
    return {
        "player": claim.player,
        "within": claim.within,
        **verdict._asdict(),
        "first_moves": [
            {"move": text, "alike": alike, "plies": 1 + (book.plies_to_win(after) or 0)}
            for text, alike, after in firsts
        ],
        "line": longest_defence(book),
    }


def longest_defence(book: CertificatePlayer) -> list[str]:
    """A game in which the loser holds out as long as the certificate lets them."""
    game, here = book.game, book.certificate.claim.position
    played = []
    while not game.outcome(here):
        text = book.winning_move(here)
        if text is None:
            text = max(sorted(game.moves(here)), key=lambda move: book.plies_to_win(move[1]) or 0)[
                0
            ]
        played.append(text)
        here = game.after(here, text)
    return played


# Endings with few pieces.


def endgames_fact(game: Game[Any], pieces: int) -> Answer | None:
    """Who wins endings with at most a number of pieces; None if they have no numbers."""
    table = endgame_table(game, pieces)
    if table is None:
        return None
    return {
        "shares": [share._asdict() for share in statistics_by_pieces(table)],
        "checked": check_table(table),
    }


def check_table(table: EndgameTable) -> int:
    """Let the plain rules confirm positions drawn by lot; how many there were."""
    kernel, game = kernel_for(table.game), table.game
    state, chance, seen = kernel.encode(game.start()), random.Random(0), 0
    while seen < TABLE_SAMPLE:
        number = chance.randrange(len(table.distances))
        here = calls.from_index(state, number)
        position = kernel.decode(here)
        if int(calls.index(here)) == number and not game.outcome(position):
            if table.value(position) != value_from_moves(table, position):
                raise AssertionError(game.write(position))
            seen += 1
    return seen


def value_from_moves(table: EndgameTable, position: Any) -> Value:
    """The value that follows from where the moves lead: a win counts the turns to a capture."""
    game = table.game
    found: dict[str, Value] = {}
    for text, after in game.moves(position):
        outcome = game.outcome(after)
        if outcome:
            result = Value("loss" if game.seat(position) in outcome.winners else "win")
        else:
            known = table.value(after)
            assert known is not None, "a move never adds pieces"
            result = known
        if not game.is_quiet(position, after):
            result = Value(result.result, None if result.result == "draw" else 0)
        found[text] = result.one_ply_earlier()
    value = found[best_move(found)]
    too_long = value.plies is not None and value.plies > (game.quiet_limit or LONGEST_DISTANCE)
    return Value("draw") if too_long else value


# The engine against itself.


def advantage_fact(
    game: Game[Any],
    level: int,
    opening: int,
    games: int,
    jobs: int,
    on_progress: Callable[[float], None],
) -> Answer:
    """The share of every side, after a number of turns of chance; the same on every machine."""
    player, scores = level_player(level), [MatchScore() for _side in game.sides]
    drawn = plies = 0
    for done in run_matches(
        game, player, player, games, seed=MATCH_SEED, jobs=jobs, opening=opening
    ):
        for side, score in enumerate(scores):
            score.shares[done.number] = match_share(done.match, side)
        outcome = done.match.outcome()
        drawn += not (outcome and outcome.winners)
        plies += len(done.match.moves)
        on_progress(scores[0].games / games)
    return {
        "sides": [side_fact(score) for score in scores],
        "drawn": drawn,
        "plies": round(plies / games),
    }


def match_share(match: Match[Any], side: int) -> float:
    """What a side got of a match; all sides share a draw."""
    outcome, sides = match.outcome(), match.game.sides
    if outcome is None or not outcome.winners:
        return 1 / len(sides)
    return float(outcome.winners[0] in sides[side])


def side_fact(score: MatchScore) -> SideShare:
    """The matches that a side won, its share, and where the true share is to be expected."""
    wide = Z_95 * score.standard_error()
    return {
        "won": sum(each == 1 for each in score.shares.values()),
        "share": round(score.share, SHARE_DIGITS),
        "low": round(max(0.0, score.share - wide), SHARE_DIGITS),
        "high": round(min(1.0, score.share + wide), SHARE_DIGITS),
    }
