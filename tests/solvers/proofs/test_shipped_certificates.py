"""The certificates that come with Quinconce: they hold, and win against everybody."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from certificate_texts import DIAM, SHIPPED

import quinconce
from quinconce import Match
from quinconce.core.claim import Claim
from quinconce.core.game import after_moves
from quinconce.solvers.proofs.certificate import (
    format_certificate,
    read_certificate,
)
from quinconce.solvers.proofs.shipped_certificates import (
    CERTIFICATE_FOLDER,
    CertificatePlayer,
    certificate_player,
)
from quinconce.solvers.proofs.verify import verify


def check_marks(path: Path) -> pytest.MarkDecorator:
    """The proofs for more than two players have several times as many answers."""
    return pytest.mark.slow if path == SHIPPED else pytest.mark.long


CERTIFICATES = [
    pytest.param(path, marks=check_marks(path), id=path.stem)
    for path in sorted(CERTIFICATE_FOLDER.iterdir())
]


@pytest.mark.parametrize("path", CERTIFICATES)
def test_every_certificate_of_the_server_holds(path: Path) -> None:
    found = read_certificate(path)
    verdict = verify(found)
    assert verdict.answers == len(found.answers)
    assert verdict.longest <= found.claim.within
    assert verdict.replies > verdict.answers
    assert format_certificate(found) == path.read_text()
    assert certificate_player(found.claim.game)


def test_the_shipped_proof_is_what_is_known() -> None:
    found = read_certificate(SHIPPED)
    assert found.claim == Claim(DIAM, DIAM.start(), 1, 20)
    assert SHIPPED.stat().st_size < 100_000
    assert found.claim.sentence() == (
        "Diam (edition=2003 players=2), from the start: "
        "player 2 wins within 20 plies, whatever is replied"
    )


@pytest.mark.parametrize(
    "matches",
    [pytest.param(6, marks=pytest.mark.slow), pytest.param(40, marks=pytest.mark.long)],
)
def test_the_book_wins_against_everybody(matches: int) -> None:
    book = certificate_player(DIAM)
    assert isinstance(book, CertificatePlayer)
    assert certificate_player(quinconce.game("diam", edition=1997)) is None
    chance = random.Random(7)
    for _match in range(matches):
        match = Match(DIAM)
        left = 20
        while not match.outcome():
            if match.seat == 1:
                move = book.winning_move(match.position)
                assert move
                match.play(move)
            else:
                assert book.winning_move(match.position) is None
                match.play(chance.choice(list(match.legal())))
                plies = 0 if match.outcome() else book.plies_to_win(match.position)
                assert plies is not None
                assert plies < left
                left = plies
        over = match.outcome()
        assert over
        assert over.winners == (1,)
        assert len(match.moves) <= 20
    assert book.winning_move(after_moves(DIAM, DIAM.start(), ["r@1", "m@2", "r@1"])) is None
    assert book.plies_to_win(after_moves(DIAM, DIAM.start(), ["r@1", "m@2", "r@1"])) is None
