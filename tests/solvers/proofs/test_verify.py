"""The check of a certificate: whatever is wrong with one is found, and its position named."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest
from certificate_texts import DIAM, SHIPPED, lines_of, position_of, proved, refusal, sealed

import quinconce
from quinconce.core.claim import Claim
from quinconce.core.errors import RecordError
from quinconce.core.game import after_moves
from quinconce.solvers.proofs.certificate import (
    Certificate,
    parse_certificate,
)
from quinconce.solvers.proofs.verify import verify

STAR = quinconce.game("diadema")


@pytest.mark.slow
def test_any_removed_line_is_refused_and_its_position_named() -> None:
    head, lines = lines_of(proved()[1])
    for n, line in enumerate(lines):
        why = refusal(sealed(head + "".join(lines[:n] + lines[n + 1 :])))
        assert DIAM.write(position_of(line)) in why
        assert "there is no answer" in why


@pytest.mark.parametrize(
    "removed",
    [pytest.param(1, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.long)],
)
def test_a_line_removed_from_the_shipped_proof_is_refused_and_its_position_named(
    removed: int,
) -> None:
    head, lines = lines_of(SHIPPED.read_text())
    for n in random.Random(5).sample(range(len(lines)), removed):
        why = refusal(sealed(head + "".join(lines[:n] + lines[n + 1 :])))
        assert DIAM.write(position_of(lines[n])) in why


@pytest.mark.slow
def test_a_line_changed_to_a_move_that_does_not_win_is_refused() -> None:
    """Any other move: where the certificate still holds, that move wins as well."""
    prover, text = proved()
    head, lines = lines_of(text)
    chance = random.Random(6)
    refused = 0
    for n, line in enumerate(lines):
        position = position_of(line)
        others = [(move, after) for move, after in DIAM.moves(position) if move != line.split()[1]]
        for move, after in chance.sample(others, 3):
            changed = f"{line.split()[0]} {move}\n"
            new = sealed(head + "".join([*lines[:n], changed, *lines[n + 1 :]]))
            try:
                verify(parse_certificate(new))
            except RecordError:
                refused += 1
            else:
                assert prover.wins_within(prover.kernel.encode(after), 9)
    assert refused > len(lines)


def test_a_line_with_an_illegal_move_is_refused() -> None:
    head, lines = lines_of(proved()[1])
    for move, why in (("r@1", "not yours"), ("m@9", "not a move of this game"), ("pass", "pass")):
        changed = f"{lines[3].split()[0]} {move}\n"
        told = refusal(sealed(head + "".join([*lines[:3], changed, *lines[4:]])))
        assert why in told
        assert DIAM.write(position_of(lines[3])) in told


def test_a_line_that_is_never_reached_is_refused() -> None:
    head, lines = lines_of(proved()[1])
    start = "o/m////// m@1\n"
    assert "comes here" in refusal(sealed(head + "".join([*lines, start])))
    # The same position turned round the ring: only the first of all stands for them.
    board, move = lines[0].split()
    piles = board.split("/")
    turned = f"{'/'.join(piles[1:] + piles[:1])} {move}\n"
    assert "comes here" in refusal(sealed(head + "".join([*lines, turned])))
    assert "has an answer already" in refusal(sealed(head + "".join([*lines, lines[4]])))


def test_a_claim_of_fewer_plies_is_refused() -> None:
    text = proved()[1]
    longest = verify(parse_certificate(text)).longest
    shorter = text.replace('[Within "10"]', f'[Within "{longest - 1}"]')
    assert f"goes on after {longest - 1} plies" in refusal(sealed(shorter))


def test_a_claim_for_the_other_player_is_refused() -> None:
    text = proved()[1].replace('[Winners "1"]', '[Winners "0"]')
    assert "in position" in refusal(sealed(text))


class Anything(dict[Any, str]):
    """Answers to everything, whatever they are worth."""

    def get(self, position: Any, default: Any = None) -> str:
        return list(STAR.moves(position))[-1][0]


def test_answers_that_lead_round_in_a_circle_are_refused() -> None:
    quiet = after_moves(STAR, STAR.start(), ["@A", "@D", "@1", "@4"])
    with pytest.raises(RecordError, match=r"goes on after 60 plies|not won as claimed"):
        verify(Certificate(Claim(STAR, quiet, 0, 60), Anything(), {}))


def test_a_changed_or_truncated_text_is_refused() -> None:
    text = proved()[1]
    assert "digest" in refusal(text.replace('[Within "10"]', '[Within "11"]'))
    cut = text[: len(text) * 2 // 3]
    assert "in position" in refusal(cut[: cut.rindex("\n") + 1])  # where an answer is missing
    for end in range(0, len(text), 97):
        assert refusal(text[:end])


@pytest.mark.process
def test_the_check_loads_no_kernel() -> None:
    code = (
        "import sys; from quinconce.solvers.proofs.certificate import read_certificate;"
        "from quinconce.solvers.proofs.verify import verify;"
        "print([name for name in sys.modules if 'numba' in name or 'kernels' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
