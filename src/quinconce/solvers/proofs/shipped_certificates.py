"""The certificates that come with the house, to play by: the winning move in every position."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, Final

from quinconce.core.files import name_file_in_errors, read_text
from quinconce.core.game import Game
from quinconce.core.phrase import _
from quinconce.solvers.proofs.verify import (
    Certificate,
    CertificateCheck,
    parse_certificate,
    winning_moves,
)

CERTIFICATE_FOLDER: Final = Path(__file__).parent / "certificates"
LARGEST_CERTIFICATE: Final = 1 << 28  # bytes of a certificate


class CertificatePlayer:
    """A certificate that answers in any position, whichever way it is turned."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self.game = certificate.game
        self._check = CertificateCheck(certificate, lambda done: None)
        self._lock = RLock()

    def winning_move(self, position: Any) -> str | None:
        """The move that wins, if the certificate knows the position."""
        game = self.game
        if game.outcome(position) or game.side(game.seat(position)) != self.certificate.side:
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


def read_certificate(path: Path) -> Certificate:
    """A certificate from a file; ValueError, naming the file, if it is none."""
    with name_file_in_errors(path):
        return parse_certificate(read_text(path, LARGEST_CERTIFICATE))


def certificate_path(game: Game[Any]) -> Path:
    """Where the certificate of a game would be."""
    return CERTIFICATE_FOLDER / f"{'-'.join((game.name, *game.chosen.values()))}.txt"


@cache
def certificate_player(game: Game[Any]) -> CertificatePlayer | None:
    """The book of a game, if the house has one."""
    path = certificate_path(game)
    if not path.exists():
        return None
    certificate = read_certificate(path)
    if not certificate.intact:
        raise ValueError(_("{file}: the digest is not that of the text", file=path))
    return CertificatePlayer(certificate)
