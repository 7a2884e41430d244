"""The facts proved from one position: wins within so many plies, and their certificates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Final

from quinconce.core.game import Game, follow
from quinconce.facts.alike import first_moves
from quinconce.facts.files import Fact
from quinconce.solvers.proofs.prover import Progress, Prover
from quinconce.solvers.proofs.shipped import Book, shipped
from quinconce.solvers.proofs.verify import verify

MEGABYTES: Final = 256


class EnoughError(Exception):
    """A search has had the positions that it was given."""


def proof(
    game: Game[Any],
    after: Sequence[str],
    player: int,
    within: int,
    wide: bool,
    most: int,
    watch: Callable[[float], None],
) -> Fact:
    """Whether a player, from 1, wins; None if that is not found out in so many positions."""
    position = follow(game, game.start(), after)
    prover = Prover(game, position, game.side(player - 1), within, MEGABYTES)

    def looked(progress: Progress) -> None:
        watch(progress.nodes / most)
        if prover.answer is None and progress.nodes >= most:
            raise EnoughError

    with suppress(EnoughError):
        prover.run(looked, wide=wide)
    return {"answer": prover.answer, "nodes": prover.progress.nodes}


def certificate(game: Game[Any], watch: Callable[[float], None]) -> Fact | None:
    """What the certificate that comes with a game says, played against every reply."""
    book = shipped(game)
    if book is None:
        return None
    claim = book.certificate
    verdict = verify(claim, lambda done: watch(done / len(claim.answers)))
    firsts = first_moves(game) if game.side(game.seat(game.start())) != claim.side else []
    return {
        "player": game.sides[claim.side][0] + 1,
        "within": claim.within,
        **verdict._asdict(),
        "first_moves": [
            {"move": text, "alike": alike, "plies": 1 + (book.plies(after) or 0)}
            for text, alike, after in firsts
        ],
        "line": line(book),
    }


def line(book: Book) -> list[str]:
    """A game in which the loser holds out as long as the certificate lets him."""
    game, here = book.game, book.certificate.start
    played = []
    while not game.outcome(here):
        text = book.move(here)
        if text is None:
            text = max(sorted(game.moves(here)), key=lambda move: book.plies(move[1]) or 0)[0]
        played.append(text)
        here = game.after(here, text)
    return played
