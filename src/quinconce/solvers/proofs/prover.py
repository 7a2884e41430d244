"""Proves or refutes a claim: that a side wins within a number of plies against every reply."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, NamedTuple

from quinconce.core.claim import Claim
from quinconce.core.phrase import _
from quinconce.kernels import calls
from quinconce.kernels.arrays import array_maker
from quinconce.kernels.compiled import IS_NATIVE
from quinconce.kernels.kernel import kernel_for
from quinconce.solvers.proofs import checkpoint, dfpn
from quinconce.solvers.proofs.dfpn import BUCKET_SLOTS, BUDGET, NODES, SLOT_BYTES, USED, Scratch
from quinconce.solvers.proofs.full_width import search

SLICE_NODES: Final = 1 << 15  # nodes between two looks at the world; a fixed number repeats exactly
CHECKPOINT_SECONDS: Final = 600.0  # seconds between two checkpoints
DEFAULT_MEGABYTES: Final = 256


class ProofProgress(NamedTuple):
    """How far a search has come."""

    nodes: int
    seconds: float
    proof: int  # how many positions at least must still be won for a yes
    disproof: int  # and how many must not be won for a no
    used: float  # of the table, from 0 to 1


ReportProgress = Callable[[ProofProgress], None]


def ignore_progress(progress: ProofProgress) -> None:
    """Report nothing."""


class Prover:
    """One claim, and a table of what was found out about it so far.

    Positions are those of the game without its history: a side that forces its win within a
    number of plies meets no position twice. A table that is too small makes a search slow, never
    wrong.
    """

    def __init__(self, claim: Claim, megabytes: float = DEFAULT_MEGABYTES) -> None:
        claim.check_plies(dfpn.DEEPEST_PROOF)
        self.claim, self.game = claim, claim.game
        self.kernel = kernel_for(self.game)
        state = self.kernel.encode(claim.position)
        arrays = array_maker(self, state)
        lines = int(megabytes * 2**20) // (SLOT_BYTES * BUCKET_SLOTS)
        try:
            self.table = arrays.zeros(BUCKET_SLOTS << max(lines, 1).bit_length() - 1, 2)
        except MemoryError:
            why = _("this machine has no {megabytes:g} MB to give", megabytes=megabytes)
            raise ValueError(why) from None
        self.tally = arrays.zeros(3)
        self.seconds = 0.0
        plies, most = claim.within + 2, self.kernel.max_successors
        self.scratch = Scratch(
            arrays.empty(plies, most, len(state)),
            arrays.zeros(plies, most),
            arrays.zeros(plies, most),
            arrays.array([int(self.game.side(seat) == claim.side) for seat in self.game.cycle]),
            claim.side,
        )
        self.pair = self.probe(state, claim.within)

    @property
    def answer(self) -> bool | None:
        """Whether the side wins; None while that is open."""
        return pair_answer(self.pair)

    @property
    def progress(self) -> ProofProgress:
        """How far the search has come."""
        nodes, used = int(self.tally[NODES]), int(self.tally[USED])
        proof, disproof = int(dfpn.proof_number(self.pair)), int(dfpn.disproof_number(self.pair))
        return ProofProgress(nodes, self.seconds, proof, disproof, used / len(self.table))

    def position_key(self, state: Any) -> int:
        """The key of a position in the table."""
        attacking = dfpn.ATTACKER_KEY if self.scratch.attacker_moves[state.turn] else 0
        return int(calls.key(calls.canonical(state))) ^ attacking

    def probe(self, state: Any, left: int) -> int:
        """What is known of a position with `left` plies to go, without a search."""
        return int(dfpn.initial_pair(state, left, self.scratch, 0, 0, self.table))

    def search(
        self, state: Any, left: int, proof: int = dfpn.INFINITY, disproof: int = dfpn.INFINITY
    ) -> int:
        """Search a position for some time, or up to a number; returns its pair of numbers."""
        name, memory = self.position_key(state), (self.scratch, self.table, self.tally)
        return int(dfpn.search(state, name, left, proof, disproof, 0, *memory))

    def search_full_width(self, state: Any, left: int) -> int:
        """The same at full width: the pair counts the first moves that are still to be met."""
        name, memory = self.position_key(state), (self.scratch, self.table, self.tally)
        pair = int(search(state, name, left, 0, *memory))
        if pair_answer(pair) is not None:
            return pair
        moves, pairs = self.kernel.perft(self.claim.position, 1), self.scratch.pairs[0]
        open_moves = sum(int(pairs[row] != dfpn.DISPROVED) for row in range(moves))
        return 1 | open_moves << dfpn.NUMBER_BITS

    def compile(self, state: Any, wide: bool) -> None:
        """Let Numba compile what will be called, by a search of nothing: no clock counts it."""
        own = self.tally, self.table
        self.tally, self.table = 0 * self.tally, self.table[:BUCKET_SLOTS].copy()
        self.search_full_width(state, 1) if wide else self.search(state, 1)
        self.tally, self.table = own

    def search_slice(self, state: Any, left: int, wide: bool = False) -> int:
        """Either of the two, for the nodes of one slice."""
        self.tally[BUDGET] = self.tally[NODES] + SLICE_NODES
        started = time.perf_counter()
        pair = self.search_full_width(state, left) if wide else self.search(state, left)
        self.seconds += time.perf_counter() - started
        return pair

    def run(
        self,
        on_progress: ReportProgress = ignore_progress,
        checkpoint_file: Path | None = None,
        wide: bool = False,
    ) -> bool:
        """Search to the end, reporting now and then how far it is.

        A proof-number search follows what looks forced, and finds a yes; at full width (`wide`)
        every move is tried in turn, which is much quicker to a no where little is forced.
        What was found out is kept in the checkpoint, even if Ctrl-C or an error stops the search;
        the next run resumes from there.
        """
        if checkpoint_file and checkpoint_file.exists():
            self.resume(checkpoint_file)
        state, saved = self.kernel.encode(self.claim.position), time.perf_counter()
        if IS_NATIVE:
            self.compile(state, wide)
        try:
            while self.answer is None:
                self.pair = self.search_slice(state, self.claim.within, wide)
                on_progress(self.progress)
                if checkpoint_file and time.perf_counter() - saved > CHECKPOINT_SECONDS:
                    self.save_checkpoint(checkpoint_file)
                    saved = time.perf_counter()
        finally:
            if checkpoint_file:
                self.save_checkpoint(checkpoint_file)
        return self.answer

    def wins_within(self, state: Any, left: int) -> bool:
        """The answer for a position with `left` plies to go, searched as long as it takes."""
        pair = self.probe(state, left)
        while pair_answer(pair) is None:
            pair = self.search_slice(state, left)
        return pair == dfpn.PROVED

    def checkpoint_header(self) -> dict[str, Any]:
        """What is asked, for the file of a checkpoint."""
        start = self.kernel.encode(self.claim.position)
        # The key is as these sources make keys: a table with other keys is of no use.
        return {**self.claim.data(), "name": self.position_key(start)}

    def save_checkpoint(self, path: Path) -> None:
        """Write down everything that was found out."""
        so_far = {"nodes": int(self.tally[NODES]), "seconds": self.seconds, "pair": self.pair}
        checkpoint.write(path, self.checkpoint_header(), so_far, self.table)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint of the same question, with more memory or less if one likes."""
        import numpy as np

        so_far, table = checkpoint.read(path, self.checkpoint_header())
        if len(table) == len(self.table):
            self.table = table  # slot by slot as it was: the search goes on exactly
        else:
            dfpn.rehash_table(table, self.table)
        self.tally[NODES], self.seconds = so_far["nodes"], so_far["seconds"]
        self.tally[USED] = np.count_nonzero(np.asarray(self.table)[:, 1])
        self.pair = so_far["pair"]


def pair_answer(pair: int) -> bool | None:
    """Whether a pair of numbers says yes or no."""
    return {dfpn.PROVED: True, dfpn.DISPROVED: False}.get(pair)
