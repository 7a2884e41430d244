"""A claim about a position: a side wins within a number of plies, whatever is replied."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from quinconce.core.game import Game
from quinconce.core.move_limit import read_position
from quinconce.core.option import options_text, parse_number
from quinconce.core.phrase import Phrase, _, ngettext, quote
from quinconce.core.record import game_from_headers
from quinconce.core.record_parser import RawRecord


@dataclass(frozen=True)
class Claim:
    """What a proof is about. It may be true or false; ValueError if the position is impossible."""

    game: Game[Any]
    position: Any
    side: int  # that wins
    within: int  # plies

    def __post_init__(self) -> None:
        self.game.check(self.position)

    @classmethod
    def for_player(cls, game: Game[Any], position: Any, player: int | None, within: int) -> Claim:
        """The claim for a player, from 1; without one, for the player of the last ply."""
        if player is None:
            turn = position.turn + within - 1
            return cls(game, position, game.side(game.cycle[turn % len(game.cycle)]), within)
        if not 1 <= player <= game.seats:
            raise ValueError(_("the players go from 1 to {last}", last=game.seats))
        return cls(game, position, game.side(player - 1), within)

    @property
    def player(self) -> int:
        """The first player of the side, from 1."""
        return self.game.sides[self.side][0] + 1

    def check_plies(self, longest: int) -> None:
        """ValueError if the plies are not those of a proof, of which the longest is given."""
        if not 1 <= self.within <= longest:
            raise ValueError(_("the plies of a proof go from 1 to {last}", last=longest))
        limit = self.game.quiet_limit
        if limit is not None and self.within > limit:
            raise ValueError(
                ngettext(
                    "after {n} quiet turn this game is over: a proof takes no more plies",
                    "after {n} quiet turns this game is over: a proof takes no more plies",
                    limit,
                )
            )

    def sentence(self) -> Phrase:
        """The claim in words, without a full stop."""
        game, options = self.game, options_text(self.game.chosen)
        title = _("{game} ({options})", game=game.title, options=options) if options else game.title
        at_start = self.position == game.start()
        return _(
            "{title}, from {where}: {claim}, whatever is replied",
            title=title,
            where=_("the start") if at_start else game.write(self.position),
            claim=wins_within(game.sides[self.side], self.within),
        )

    # As headers of a text, in the manner of a record.

    def headers(self) -> dict[str, str]:
        """The headers of a certificate that say what it claims."""
        game = self.game
        headers = {
            "Game": game.name,
            "Rules": str(game.rules),
            "Options": options_text(game.chosen),
            "Position": game.write(self.position),
            "Winners": "+".join(map(str, game.sides[self.side])),
            "Within": str(self.within),
        }
        if self.position == game.start():
            del headers["Position"]
        return headers

    @classmethod
    def from_headers(cls, sheet: RawRecord, longest: int) -> Claim:
        """The claim that `headers` wrote; RecordError, with the line, if it is none.

        It may have as many plies as `longest`, or fewer where quiet turns end the game before.
        """
        game = game_from_headers(sheet)
        try:
            text = sheet.headers.get("Position")
            position = game.start() if text is None else read_position(game, text)
        except ValueError as error:
            raise sheet.header_error("Position", error.args[0]) from None
        side = side_from_headers(sheet, game)
        within, last = parse_number(sheet.headers["Within"]), game.quiet_limit or longest
        if within is None or not 1 <= within <= last:
            raise sheet.header_error(
                "Within", _("the plies of a proof go from 1 to {last}", last=last)
            )
        return cls(game, position, side, within)

    # As plain data: for JSON, and for a worker process.

    def data(self) -> dict[str, Any]:
        """The claim as text and numbers."""
        return {
            "game": self.game.name,
            "rules": self.game.rules,
            "options": dict(self.game.chosen),
            "position": self.game.write(self.position),
            "side": self.side,
            "within": self.within,
        }

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Claim:
        """The claim that `data` wrote; ValueError if this program plays by other rules."""
        options = options_text(data["options"])
        headers = {"Game": data["game"], "Rules": str(data["rules"]), "Options": options}
        game = game_from_headers(RawRecord(headers))
        return cls(game, game.read(data["position"]), data["side"], data["within"])


def wins_within(seats: Sequence[int], plies: int) -> Phrase:
    """That a player wins, or a team of two, within a number of plies."""
    first, *mates = (seat + 1 for seat in seats)
    if not mates:
        return ngettext(
            "player {player} wins within {n} ply",
            "player {player} wins within {n} plies",
            plies,
            player=first,
        )
    return ngettext(
        "players {player} and {mate} win within {n} ply",
        "players {player} and {mate} win within {n} plies",
        plies,
        player=first,
        mate=mates[0],
    )


def side_from_headers(sheet: RawRecord, game: Game[Any]) -> int:
    """The side that is claimed to win."""
    text = sheet.headers["Winners"]
    for side, seats in enumerate(game.sides):
        if text == "+".join(map(str, seats)):
            return side
    raise sheet.header_error(
        "Winners", _("{seats} are not seats that win together", seats=quote(text))
    )
