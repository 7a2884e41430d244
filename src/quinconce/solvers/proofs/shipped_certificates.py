"""The certificates that come with Quinconce, to play by: the winning move in every position."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, Final

from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.solvers.proofs.certificate import Certificate, read_certificate
from quinconce.solvers.proofs.verify import CertificateCheck, winning_moves

CERTIFICATE_FOLDER: Final = Path(__file__).parent / "certificates"


class CertificatePlayer:
    """A certificate that answers in any position that it knows, however that is turned."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self.game = certificate.claim.game
        self._check = CertificateCheck(certificate, lambda done: None)
        self._lock = RLock()

    def winning_move(self, position: Any) -> str | None:
        """The move that wins, if the certificate knows the position."""
        game = self.game
        if game.outcome(position) or game.side(game.seat(position)) != self.certificate.claim.side:
            return None
        if at_once := next(winning_moves(game, position), None):
            return at_once
        symmetry, first = self._check.symmetries.canonical_with_symmetry(position)
        answer = self.certificate.answers.get(first)
        if answer is None:
            return None
        goal = game.after(first, answer)
        moves = game.moves(position)
        return next(text for text, after in moves if symmetry.image(after) == goal)

    def plies_to_win(self, position: Any) -> int | None:
        """Within how many plies the certificate wins from here; None if it does not say."""
        with self._lock:
            try:
                return self._check.plies_to_end(position, 0)
            except ValueError:
                return None


def certificate_path(game: Game[Any]) -> Path:
    """Where the certificate of a game would be."""
    return CERTIFICATE_FOLDER / f"{game.form_id}.txt"


@cache
def certificate_player(game: Game[Any]) -> CertificatePlayer | None:
    """The player by the shipped certificate of a game; None if there is none."""
    path = certificate_path(game)
    if not path.exists():
        return None
    certificate = read_certificate(path)
    if not certificate.intact:
        raise ValueError(_("{file}: the digest is not that of the text", file=path))
    return CertificatePlayer(certificate)
