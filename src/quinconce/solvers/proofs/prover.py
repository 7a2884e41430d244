"""Proofs: does a side win within so many plies, whatever the other plays? Yes, no, or not yet."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from quinconce.core.game import Game
from quinconce.core.phrase import Phrase as _
from quinconce.kernels import calls
from quinconce.kernels.kernel import kernel
from quinconce.solvers.proofs import checkpoint, dfpn
from quinconce.solvers.proofs.dfpn import BUDGET, NODES, SLOT_BYTES, SLOTS, USED, Scratch
from quinconce.solvers.proofs.full_width import swept

SLICE: Final = 1 << 15  # nodes between two looks at the world; a fixed number repeats exactly
KEPT_EVERY: Final = 600.0  # seconds between two checkpoints
MEGABYTES: Final = 256


class Progress(NamedTuple):
    """How far a search has come."""

    nodes: int
    seconds: float
    proof: int  # how many positions at least must still be won for a yes
    disproof: int  # and how many must not be won for a no
    used: float  # of the table, from 0 to 1


Watch = Callable[[Progress], None]


def unwatched(progress: Progress) -> None:
    """Nobody looks."""


class Prover:
    """One question, and a table of what was found out about it so far.

    Positions are those of the game without its history: who wins within a number of plies without
    fail meets no position twice. A table that is too small makes a search slow, never wrong.
    """

    def __init__(
        self, game: Game[Any], position: Any, side: int, within: int, megabytes: float = MEGABYTES
    ) -> None:
        if not 1 <= within <= dfpn.DEEPEST:
            raise ValueError(_("a proof goes from 1 to {last} plies", last=dfpn.DEEPEST))
        if game.quiet_limit is not None and within > game.quiet_limit:
            raise ValueError(
                _(
                    "after {n} quiet turns this game is over: a proof takes no more plies",
                    n=game.quiet_limit,
                )
            )
        game.check(position)
        self.game, self.position, self.side, self.within = game, position, side, within
        self.kernel = kernel(game)
        lines = int(megabytes * 2**20) // (SLOT_BYTES * SLOTS)
        try:
            self.table = np.zeros((SLOTS << max(lines, 1).bit_length() - 1, 2), np.int64)
        except MemoryError:
            why = _("this machine has no {megabytes:g} megabytes to give", megabytes=megabytes)
            raise ValueError(why) from None
        self.tally = np.zeros(3, np.int64)
        self.seconds = 0.0
        plies, most = within + 2, self.kernel.most
        self.scratch = Scratch(
            self.kernel.rows(plies),
            np.zeros((plies, most), np.int64),
            np.zeros((plies, most), np.int64),
            np.array([game.side(seat) == side for seat in game.cycle], np.int64),
            side,
        )
        self.pair = self.look(self.kernel.encode(position), within)

    @property
    def answer(self) -> bool | None:
        """Whether the side wins; None while nobody knows."""
        return answered(self.pair)

    @property
    def progress(self) -> Progress:
        """How far the search has come."""
        nodes, used = int(self.tally[NODES]), int(self.tally[USED])
        proof, disproof = int(dfpn.proof(self.pair)), int(dfpn.disproof(self.pair))
        return Progress(nodes, self.seconds, proof, disproof, used / len(self.table))

    def name(self, state: Any) -> int:
        """The key of a position in the table."""
        attacking = dfpn.ATTACKING if self.scratch.attacks[state.turn] else 0
        return int(calls.key(calls.canonical(state))) ^ attacking

    def look(self, state: Any, left: int) -> int:
        """What is known of a position with so many plies left, without a search."""
        return int(dfpn.first_look(state, left, self.scratch, 0, 0, self.table))

    def search(
        self, state: Any, left: int, proof: int = dfpn.ENDLESS, disproof: int = dfpn.ENDLESS
    ) -> int:
        """Search a position for some time, or up to a number; returns its pair of numbers."""
        name, room = self.name(state), (self.scratch, self.table, self.tally)
        return int(dfpn.search(state, name, left, proof, disproof, 0, *room))

    def sweep(self, state: Any, left: int) -> int:
        """The same at full width: the pair counts the first moves that are still to be met."""
        name, room = self.name(state), (self.scratch, self.table, self.tally)
        pair = int(swept(state, name, left, 0, *room))
        if answered(pair) is not None:
            return pair
        moves = self.scratch.pairs[0, : self.kernel.perft(self.position, 1)]
        return 1 | int(np.count_nonzero(moves != dfpn.DISPROVED)) << dfpn.NUMBER

    def compile(self, state: Any, wide: bool) -> None:
        """Let Numba compile what will be called, by a search of nothing: no clock counts it."""
        own = self.tally, self.table
        self.tally, self.table = np.zeros_like(self.tally), self.table[:SLOTS].copy()
        self.sweep(state, 1) if wide else self.search(state, 1)
        self.tally, self.table = own

    def step(self, state: Any, left: int, wide: bool = False) -> int:
        """Either of the two, for the nodes of one slice."""
        self.tally[BUDGET] = self.tally[NODES] + SLICE
        started = time.perf_counter()
        pair = self.sweep(state, left) if wide else self.search(state, left)
        self.seconds += time.perf_counter() - started
        return pair

    def run(self, watch: Watch = unwatched, kept: Path | None = None, wide: bool = False) -> bool:
        """Search to the end, telling now and then how far it is; `kept` can be resumed from.

        A proof-number search follows what looks forced, and finds a yes; at full width (`wide`)
        every move is tried in turn, which is much quicker to a no where little is forced.
        Whatever stops the search, Ctrl-C for one, what was found out is kept.
        """
        if kept and kept.exists():
            self.resume(kept)
        state, saved = self.kernel.encode(self.position), time.perf_counter()
        self.compile(state, wide)
        try:
            while self.answer is None:
                self.pair = self.step(state, self.within, wide)
                watch(self.progress)
                if kept and time.perf_counter() - saved > KEPT_EVERY:
                    self.keep(kept)
                    saved = time.perf_counter()
        finally:
            if kept:
                self.keep(kept)
        return self.answer

    def settled(self, state: Any, left: int) -> bool:
        """The answer for a position with so many plies left, searched as long as it takes."""
        pair = self.look(state, left)
        while answered(pair) is None:
            pair = self.step(state, left)
        return pair == dfpn.PROVED

    def question(self) -> dict[str, Any]:
        """What is asked, for the file of a checkpoint."""
        return {
            "game": self.game.name,
            "rules": self.game.rules,
            "options": dict(self.game.chosen),
            "position": self.game.write(self.position),
            "side": self.side,
            "within": self.within,
            "name": self.name(self.kernel.encode(self.position)),  # as these sources make keys
        }

    def keep(self, path: Path) -> None:
        """Write down everything that was found out."""
        so_far = {"nodes": int(self.tally[NODES]), "seconds": self.seconds, "pair": self.pair}
        checkpoint.write(path, self.question(), so_far, self.table)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint of the same question, with more memory or less if one likes."""
        so_far, table = checkpoint.read(path, self.question())
        if len(table) == len(self.table):
            self.table = table  # slot by slot as it was: the search goes on exactly
        else:
            dfpn.moved(table, self.table)
        self.tally[NODES], self.seconds = so_far["nodes"], so_far["seconds"]
        self.tally[USED] = np.count_nonzero(self.table[:, 1])
        self.pair = so_far["pair"]


def answered(pair: int) -> bool | None:
    """Whether a pair of numbers says yes or no."""
    return {dfpn.PROVED: True, dfpn.DISPROVED: False}.get(pair)
