"""The certificates that come with the house, to play by: the winning move in every position."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from threading import RLock
from typing import Any, Final

from quinconce.core.files import read_text, told_by_name
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase as _
from quinconce.solvers.proofs.verify import Certificate, Check, read_certificate, wins

FOLDER: Final = Path(__file__).parent / "certificates"
LONGEST: Final = 1 << 28  # bytes of a certificate


class Book:
    """A certificate that answers in any position, whichever way it is turned."""

    def __init__(self, certificate: Certificate) -> None:
        self.certificate = certificate
        self.game = certificate.game
        self._check = Check(certificate, lambda done: None)
        self._lock = RLock()

    def move(self, position: Any) -> str | None:
        """The move that wins, if the certificate knows the position."""
        game = self.game
        if game.outcome(position) or game.side(game.seat(position)) != self.certificate.side:
            return None
        if at_once := next(wins(game, position), None):
            return at_once
        symmetry, first = self._check.symmetries.turned(position)
        answer = self.certificate.answers.get(first)
        if answer is None:
            return None
        goal = game.after(first, answer)
        moves = game.moves(position)
        return next(text for text, after in moves if game.image(symmetry, after) == goal)

    def plies(self, position: Any) -> int | None:
        """Within how many plies the certificate wins from here; None if it does not say."""
        with self._lock:
            try:
                return self._check.ahead(position, 0)
            except ValueError:
                return None


def read_file(path: Path) -> Certificate:
    """A certificate from a file; ValueError, naming the file, if it is none."""
    with told_by_name(path):
        return read_certificate(read_text(path, LONGEST))


def path_of(game: Game[Any]) -> Path:
    """Where the certificate of a game would be."""
    return FOLDER / f"{'-'.join((game.name, *game.chosen.values()))}.txt"


@cache
def shipped(game: Game[Any]) -> Book | None:
    """The book of a game, if the house has one."""
    path = path_of(game)
    if not path.exists():
        return None
    certificate = read_file(path)
    if not certificate.intact:
        raise ValueError(_("{file}: the digest is not that of the text", file=path))
    return Book(certificate)
