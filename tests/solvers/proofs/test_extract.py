"""Certificates made from proofs: they hold, even if the table was small."""

from __future__ import annotations

import pytest
from certificate_texts import DIAM, proved

from quinconce.core.claim import Claim
from quinconce.solvers.proofs.certificate import (
    format_certificate,
    parse_certificate,
)
from quinconce.solvers.proofs.extract import extract_certificate
from quinconce.solvers.proofs.prover import Prover
from quinconce.solvers.proofs.verify import CheckResult, verify


def test_a_proof_makes_a_certificate_that_holds() -> None:
    prover, text = proved()
    found = parse_certificate(text)
    assert found.claim == prover.claim
    told: list[int] = []
    verdict = verify(found, told.append)
    assert isinstance(verdict, CheckResult)
    assert verdict.longest <= 10
    assert told == list(range(1, verdict.answers + 1))
    assert verdict.answers > 20


def test_without_a_proof_there_is_no_certificate() -> None:
    prover = Prover(Claim(DIAM, DIAM.start(), 0, 3), 1)
    assert not prover.run()
    with pytest.raises(ValueError, match="nothing has been proved"):
        extract_certificate(prover)


def test_a_small_table_still_makes_a_certificate() -> None:
    prover = Prover(Claim(DIAM, proved()[0].claim.position, 1, 10), 0.001)
    assert prover.run()
    verify(parse_certificate(format_certificate(extract_certificate(prover))))
