"""What is proved of a match before any search: by the table of a solved game, or a certificate."""

from __future__ import annotations

from collections import Counter
from collections.abc import Set
from functools import cache
from threading import Lock
from typing import Any, Final, NamedTuple, Protocol

from quinconce.core.game import Game
from quinconce.core.match import LAST_OCCURRENCE, Match
from quinconce.core.value import Value, preference
from quinconce.kernels import calls
from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.arrays import no_elements, temporary_arrays
from quinconce.kernels.compiled import IS_NATIVE, entry
from quinconce.kernels.kernel import kernel_for
from quinconce.kernels.protocol import (
    WIN_IN_ONE,
    SuccessorRows,
    canonical,
    key,
    load,
    successors,
    urgency,
    winner,
)
from quinconce.solvers.endgames.tables import (
    DEFAULT_PIECES,
    EndgameTable,
    available_table,
    most_pieces,
    table_sizes,
    wait_for_table,
)
from quinconce.solvers.proofs.shipped_certificates import CertificatePlayer, certificate_player
from quinconce.solvers.repeated_positions import compile_history, values_with_history
from quinconce.solvers.retrograde import Distances, Solution, solution

UNKNOWN_PLIES: Final = -1
UNLIMITED_PLIES: Final = 1 << 30  # more than any game has
ONE_PLY: Final = 1
NO_ENDGAME_DISTANCES: Final[Distances] = no_elements("int16")
loading_lock: Final = Lock()


class MoveValue(NamedTuple):
    """What a move is worth; uncertain where positions that occurred twice may get in the way."""

    value: Value
    certain: bool


class MoveOracle(Protocol):
    """Something that knows the value of moves for certain."""

    def move_values(self, position: Any) -> dict[str, Value]:
        """What moves are worth to the player who plays them; those that are not here are open."""

    def plies_to_end(self, position: Any) -> int | None:
        """How far the end is where a position is won or lost; None where it is not known to be."""


class CertificateOracle:
    """A certificate by numbers: how far from its win is each position where the winner moves."""

    def __init__(self, book: CertificatePlayer) -> None:
        self.book = book
        self.game = book.game
        self._kernel = kernel_for(book.game)
        self._plies = self._distances()  # by the key of the canonical form

    def move_values(self, position: Any) -> dict[str, Value]:
        """The winner's move and those that symmetry makes like it, or where the loser's lead."""
        game = self.game
        if game.side(game.seat(position)) == self.book.certificate.claim.side:
            text, moves = self.book.winning_move(position), dict(game.moves(position))
            if text is None:
                return {}
            won, goal = Value("win", self._plies_to_win(position)), self._key(moves[text])
            return {like: won for like, after in moves.items() if self._key(after) == goal}
        return {
            text: Value("loss", plies + 1)
            for text, after in game.moves(position)
            if (plies := self._plies_to_win(after)) is not None
        }

    def plies_to_end(self, position: Any) -> int | None:
        """The plies to the winner's win; None where no path of the certificate comes by."""
        game = self.game
        if game.side(game.seat(position)) == self.book.certificate.claim.side:
            return self._plies_to_win(position)
        replies = [self._plies_to_win(after) for _text, after in game.moves(position)]
        known = [plies for plies in replies if plies is not None]
        return max(known) + 1 if known and len(known) == len(replies) else None

    def _plies_to_win(self, position: Any) -> int | None:
        """The plies to the winner's win where the winner moves, or has won."""
        outcome = self.game.outcome(position)
        if outcome:
            won = outcome.winners == self.game.sides[self.book.certificate.claim.side]
            return 0 if won else None
        state = self._kernel.encode(position)
        if has_win_in_one(state):
            return ONE_PLY
        return self._plies.get(int(calls.key(calls.canonical(state))))

    def _key(self, position: Any) -> int:
        """The key of the canonical form of a position."""
        return int(calls.key(calls.canonical(self._kernel.encode(position))))

    def _distances(self) -> dict[int, int]:
        """The plies from each answer on: two more than from the loser's longest reply to it."""
        most = self._kernel.max_successors
        after: dict[int, tuple[int, list[int]]] = {}  # what is seen at a glance, and what is not
        with temporary_arrays(self._kernel.encode(self.game.start())) as arrays:
            rows = self._kernel.new_rows(1, arrays=arrays)[0]
            keys, near = arrays.empty(most + 1), arrays.empty(most)
            for position, answer in self.book.certificate.answers.items():
                state = self._kernel.encode(position)
                reply = self._kernel.encode(self.game.after(position, answer))
                n = int(write_keys(state, reply, rows, keys, near))
                plies = [int(near[row]) for row in range(n)]
                further = {int(keys[row]) for row in range(n) if plies[row] == UNKNOWN_PLIES}
                after[int(keys[n])] = max(plies), list(further)
        found: dict[int, int] = {}
        left = list(after)
        while left:
            seen, further_on = after[left[-1]]
            if missing := [reply for reply in further_on if reply not in found]:
                left.extend(missing)
            else:
                found[left.pop()] = max([seen, *(found[reply] for reply in further_on)]) + 2
        return found


@entry
def has_win_in_one(state: Any) -> bool:
    """Whether the player to move wins with this very move."""
    return urgency(state) == WIN_IN_ONE


@entry
def write_keys(
    state: Any, answered: Any, out: SuccessorRows, keys: Int64Array, plies: Int64Array
) -> int:
    """The keys of where each reply to an answer leads, and behind them that of the position.

    And whether what a reply leads to is over or won with the next move. A key is that of the
    canonical form. All in one call, since each costs more than what it does.
    """
    n = successors(answered, out)
    keys[n] = key(canonical(state))
    for row in range(n):
        after = load(state, out, row)
        plies[row] = (
            0 if winner(after) >= 0 else ONE_PLY if urgency(after) == WIN_IN_ONE else UNKNOWN_PLIES
        )
        keys[row] = key(canonical(after))
    return n


@cache
def load_move_oracle(game: Game[Any]) -> MoveOracle | None:
    """What is known of a game, made ready."""
    if found := solution(game):
        if IS_NATIVE:
            compile_history(found)
        return found
    book = certificate_player(game)
    return CertificateOracle(book) if book else None


def move_oracle(game: Game[Any]) -> MoveOracle | None:
    """What is known of a game, made ready once a process; None if nothing is."""
    with loading_lock:
        return load_move_oracle(game)


def endgame_distances(game: Game[Any]) -> Distances:
    """What positions with few pieces are worth, by their index; nothing where that is not known.

    Where it is being worked out, it is not known yet.
    """
    found = available_table(game)
    return read_only_distances(found) if found else NO_ENDGAME_DISTANCES


@cache
def read_only_distances(table: EndgameTable) -> Distances:
    """One kind of array, so that searches are compiled once, and that a module copies once.

    A module has no room for larger endings than are solved at need.
    """
    distances = table.distances.view()
    if not IS_NATIVE and table.pieces > DEFAULT_PIECES:
        distances = distances[: table_sizes(kernel_for(table.game))[DEFAULT_PIECES]]
    distances.flags.writeable = False
    return distances


def wait_for_endgames(match: Match[Any]) -> EndgameTable | None:
    """The endings of a game; waited for where the position is one of them."""
    state = kernel_for(match.game).encode(match.position)
    return wait_for_table(match.game) if calls.index(state) >= 0 else available_table(match.game)


class EndgameReach(NamedTuple):
    """How far the endings of a game are solved here, for a position without a proved winner."""

    solved: int  # all positions with at most this many pieces
    solvable: int
    jam: bool  # whether it is one of them, and nobody can force a capture in it


def endgame_reach(match: Match[Any]) -> EndgameReach | None:
    """How far the endings of a game are solved here; None where there are none, or not yet."""
    table = wait_for_endgames(match)
    if table is None:
        return None
    value = table.value(match.position)
    return EndgameReach(
        table.pieces, most_pieces(match.game), value is not None and value.result == "draw"
    )


def oracle_values(match: Match[Any], oracle: MoveOracle) -> dict[str, MoveValue]:
    """What is known of the moves of a match, its history considered."""
    again = positions_seen_twice(match)
    if not again:
        found = oracle.move_values(match.position)
        return {text: MoveValue(value, True) for text, value in found.items()}
    legal = match.legal()
    if isinstance(oracle, Solution):
        after = values_with_history(oracle, list(legal.values()), again)
        if after is not None:
            return {
                text: MoveValue(value.one_ply_earlier(), True)
                for text, value in zip(legal, after, strict=True)
            }
    drawn = {
        text: MoveValue(Value("draw"), True)
        for text, after in legal.items()
        if after in again and not match.game.jammed(after, "repetition").winners
    }
    return values_clear_of(match, oracle, again) | drawn


def values_clear_of(match: Match[Any], oracle: MoveOracle, again: Set[Any]) -> dict[str, MoveValue]:
    """What is known of the moves that lead into none of these positions on the next two plies.

    The winner comes nearer with every move, and meets no position twice; but one that has
    occurred twice before would end the match there, unless it is further from the end than the
    winner is by now. A draw stays one whatever happened.
    """
    game, legal = match.game, match.legal()
    ends = [oracle.plies_to_end(position) for position in again]
    nearest = min((plies for plies in ends if plies is not None), default=UNLIMITED_PLIES)
    return {
        text: MoveValue(value, value.plies is None or value.plies <= nearest)
        for text, value in oracle.move_values(match.position).items()
        if (value.plies is not None and value.plies <= nearest and legal[text] not in again)
        or again.isdisjoint((legal[text], *dict(game.moves(legal[text])).values()))
    }


def proved_moves(match: Match[Any]) -> dict[str, Value]:
    """The moves of a match that are certain, and what each is worth to the player who plays it.

    >>> from quinconce import Match, game
    >>> match = Match(game("diam"))
    >>> position = match.play("r@1")
    >>> proved_moves(match)["m@1"].result
    'win'
    """
    if match.outcome():
        return {}
    oracle, table = move_oracle(match.game), wait_for_endgames(match)
    found = oracle_values(match, oracle).items() if oracle else ()
    certain = {text: worth.value for text, worth in found if worth.certain}
    if table:
        for text, after in match.legal().items():
            if promise := endgame_value(match, table, after):
                certain[text] = promise
    return certain


def endgame_value(match: Match[Any], table: EndgameTable, after: Any) -> Value | None:
    """What the endings promise the player of a move: a win or a loss, not how soon."""
    if decided := match.game.outcome(after):
        won = match.seat in decided.winners
        return Value("win" if won else "loss", 1) if decided.winners else None
    value = table.value(after)
    if value is None or not is_in_time(match, after, value) or may_repeat(match, table, after):
        return None
    return Value(value.one_ply_earlier().result)


def is_in_time(match: Match[Any], after: Any, value: Value) -> bool:
    """Whether the winner of an ending captures before the quiet limit; False in a jam."""
    game = match.game
    if value.plies is None:
        return False
    return game.quiet_limit is None or match.quiet_after(after) + value.plies <= game.quiet_limit


def may_repeat(match: Match[Any], table: EndgameTable, after: Any) -> bool:
    """Whether a third occurrence may stop the winner of an ending before the next capture.

    Pieces do not come back, and the winner comes nearer to a capture with every turn.
    """
    game, own = match.game, table.value(after)
    pieces, turns = len(game.pieces(after)), own.plies if own and own.plies else 0
    for position in positions_seen_twice(match):
        known = table.value(position) if len(game.pieces(position)) == pieces else None
        if position == after or (known and known.plies is not None and known.plies < turns):
            return True
    return False


def proved_value(match: Match[Any], moves: dict[str, Value] | None = None) -> Value | None:
    """What the position of a match is worth to the player to move, where that is certain.

    `moves` are the proved moves, where the caller has them already.

    >>> from quinconce import Match, game
    >>> proved_value(Match(game("diadema")))
    Value(result='draw', plies=None)
    """
    found = proved_moves(match) if moves is None else moves
    best = max(found.values(), key=preference, default=None)
    whole = best is not None and (best.result == "win" or len(found) == len(match.legal()))
    return best if whole else None


def positions_seen_twice(match: Match[Any]) -> set[Any]:
    """The positions that have occurred twice: a third time ends the match."""
    times = Counter(match.positions)
    return {position for position in times if times[position] >= LAST_OCCURRENCE}
