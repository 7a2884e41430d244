"""A certificate to test with, and ways to change its text."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import quinconce
from quinconce.core.claim import Claim
from quinconce.core.errors import RecordError
from quinconce.core.game import after_moves
from quinconce.solvers.proofs.certificate import (
    certificate_digest,
    format_certificate,
    parse_certificate,
    parse_line,
)
from quinconce.solvers.proofs.extract import extract_certificate
from quinconce.solvers.proofs.prover import Prover
from quinconce.solvers.proofs.shipped_certificates import (
    CERTIFICATE_FOLDER,
)
from quinconce.solvers.proofs.verify import verify

DIAM = quinconce.game("diam")
MOVES = "o@1 m@1 o@1 n@1 1.1-2 m@5 2.1-3 n@8 o@5 m@8"
SHIPPED = CERTIFICATE_FOLDER / "diam-2003-2.txt"


@cache
def proved() -> tuple[Prover, str]:
    """A proof from a middle game, and its certificate."""
    prover = Prover(Claim(DIAM, after_moves(DIAM, DIAM.start(), MOVES.split()), 1, 10), 16)
    assert prover.run()
    return prover, format_certificate(extract_certificate(prover))


def sealed(text: str) -> str:
    """A text with its digest recomputed."""
    head, _quote, rest = text.partition('[Digest "')
    return f'{head}[Digest "{certificate_digest(text)}{rest[rest.index(chr(34)) :]}'


def lines_of(text: str) -> tuple[str, list[str]]:
    head, _empty, body = text.partition("\n\n")
    return head + "\n\n", body.splitlines(keepends=True)


def refusal(text: str) -> str:
    with pytest.raises(RecordError) as refused:
        verify(parse_certificate(text))
    return str(refused.value)


def position_of(line: str) -> Any:
    return parse_line(DIAM, 1, line.rstrip("\n"), 1)[0]
