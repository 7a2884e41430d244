"""Checks a certificate with the plain rules only: a strategy is played against every reply."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from quinconce.core.errors import MoveError, RecordError
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.solvers.proofs.certificate import Certificate, SideSymmetries


class CheckResult(NamedTuple):
    """What the check of a certificate that holds has seen."""

    answers: int
    replies: int
    longest: int  # plies of the longest game


def winning_moves(game: Game[Any], position: Any) -> Iterator[str]:
    """The moves that end the game at once in favour of the side of the player to move."""
    side = game.sides[game.side(game.seat(position))]
    for text, after in game.moves(position):
        outcome = game.outcome(after)
        if outcome and outcome.winners == side:
            yield text


class CertificateCheck:
    """One walk through all games that can be played against a certificate.

    Answers that lead round in a circle never end it: some game then takes more plies than claimed.
    """

    def __init__(self, certificate: Certificate, on_progress: Callable[[int], None]) -> None:
        self.certificate = certificate
        self.claim = certificate.claim
        self.game = certificate.claim.game
        self.symmetries = SideSymmetries(self.game)
        self.on_progress = on_progress
        self.plies_by_position: dict[Any, int] = {}  # the plies still to play at most, by position
        self.replies = 0

    def failure(self, position: Any, why: Phrase) -> RecordError:
        """The error that names a position where the certificate fails."""
        here = self.game.write(position)
        return RecordError(
            _("in position «{position}»: {why}", position=here, why=why),
            self.certificate.lines.get(position),
        )

    def plies_to_end(self, position: Any, ply: int) -> int:
        """How many plies a game can still take from here."""
        outcome = self.game.outcome(position)
        if outcome:
            if outcome.winners != self.game.sides[self.claim.side]:
                raise self.failure(position, _("the game is over, and not won as claimed"))
            return 0
        if ply >= self.claim.within:
            why = ngettext(
                "the game goes on after {n} ply",
                "the game goes on after {n} plies",
                self.claim.within,
            )
            raise self.failure(position, why)
        if self.game.side(self.game.seat(position)) == self.claim.side:
            if next(winning_moves(self.game, position), None):
                return 1
            return self.plies_after_answer(self.symmetries.canonical(position), ply)
        plies = 0
        for _text, after in self.game.moves(position):
            self.replies += 1
            plies = max(plies, 1 + self.plies_to_end(after, ply + 1))
        return plies

    def plies_after_answer(self, position: Any, ply: int) -> int:
        """The same where the certificate has to know the move."""
        if position not in self.plies_by_position:
            answer = self.certificate.answers.get(position)
            if answer is None:
                raise self.failure(position, _("there is no answer"))
            try:
                after = self.game.after(position, answer)
            except MoveError as error:
                raise RecordError(error.args[0], self.certificate.lines[position]) from None
            self.plies_by_position[position] = 1 + self.plies_to_end(after, ply + 1)
            self.on_progress(len(self.plies_by_position))
        if ply + self.plies_by_position[position] > self.claim.within:
            why = ngettext(
                "the game goes on after {n} ply",
                "the game goes on after {n} plies",
                self.claim.within,
            )
            raise self.failure(position, why)
        return self.plies_by_position[position]


def verify(
    certificate: Certificate, on_progress: Callable[[int], None] = lambda done: None
) -> CheckResult:
    """Play every game against a certificate; RecordError where it fails.

    `on_progress` gets the number of answers that have been seen to hold.
    """
    check = CertificateCheck(certificate, on_progress)
    longest = check.plies_to_end(certificate.claim.position, 0)
    for position in certificate.answers:
        if position not in check.plies_by_position:
            why = _("no game that follows the answers comes here, or not as it is written")
            raise check.failure(position, why)
    if not certificate.intact:
        raise RecordError(_("the digest is not that of the text: somebody has changed it"))
    return CheckResult(len(check.plies_by_position), check.replies, longest)
