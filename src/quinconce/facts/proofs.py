"""The facts proved from one position: wins within a number of plies, and their certificates."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from quinconce.core.claim import Claim
from quinconce.core.game import Game
from quinconce.core.symmetry import distinct_moves
from quinconce.facts.files import Fact
from quinconce.solvers.proofs.prover import ProofProgress, Prover
from quinconce.solvers.proofs.shipped_certificates import CertificatePlayer, certificate_player
from quinconce.solvers.proofs.verify import verify

PROOF_MEGABYTES: Final = 256


class NodeLimitError(Exception):
    """A search has had the positions that it was given."""


def proof_fact(
    claim: Claim,
    wide: bool,
    most: int,
    report: Callable[[float], None],
    megabytes: float = PROOF_MEGABYTES,
) -> Fact:
    """Whether a claim is true; the answer is None if `most` positions do not settle it."""
    prover = Prover(claim, megabytes)

    def stop_at_limit(progress: ProofProgress) -> None:
        report(progress.nodes / most)
        if prover.answer is None and progress.nodes >= most:
            raise NodeLimitError

    with suppress(NodeLimitError):
        prover.run(stop_at_limit, wide=wide)
    return {"answer": prover.answer, "nodes": prover.progress.nodes}


def certificate_fact(game: Game[Any], watch: Callable[[float], None]) -> Fact | None:
    """What the certificate that comes with a game says, played against every reply."""
    book = certificate_player(game)
    if book is None:
        return None
    certificate, claim = book.certificate, book.certificate.claim
    verdict = verify(certificate, lambda done: watch(done / len(certificate.answers)))
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
