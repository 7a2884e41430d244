"""Certificates: what is shipped holds, and whatever is wrong with one is found."""

from __future__ import annotations

import random
import subprocess
import sys
from functools import cache
from typing import Any

import pytest

import quinconce
from quinconce import Match
from quinconce.core.errors import RecordError
from quinconce.core.game import after_moves
from quinconce.solvers.proofs.extract import extract_certificate
from quinconce.solvers.proofs.prover import Prover
from quinconce.solvers.proofs.shipped_certificates import (
    CERTIFICATE_FOLDER,
    CertificatePlayer,
    certificate_player,
    read_certificate,
)
from quinconce.solvers.proofs.verify import (
    Certificate,
    CheckResult,
    certificate_digest,
    format_certificate,
    parse_certificate,
    parse_line,
    verify,
)

DIAM = quinconce.game("diam")
STAR = quinconce.game("diadema")
MOVES = "o@1 m@1 o@1 n@1 1.1-2 m@5 2.1-3 n@8 o@5 m@8"
SHIPPED = CERTIFICATE_FOLDER / "diam-2003-2.txt"


@cache
def proved() -> tuple[Prover, str]:
    """A proof from a middle game, and its certificate."""
    prover = Prover(DIAM, after_moves(DIAM, DIAM.start(), MOVES.split()), 1, 10, 16)
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


@pytest.mark.parametrize("path", sorted(CERTIFICATE_FOLDER.iterdir()), ids=lambda path: path.stem)
def test_every_certificate_of_the_house_holds(path: Any) -> None:
    found = read_certificate(path)
    verdict = verify(found)
    assert verdict.answers == len(found.answers)
    assert verdict.longest <= found.within
    assert verdict.replies > verdict.answers
    assert format_certificate(found) == path.read_text()
    assert certificate_player(found.game)


def test_the_shipped_proof_is_what_is_known() -> None:
    found = read_certificate(SHIPPED)
    assert (found.game, found.start) == (DIAM, DIAM.start())
    assert (found.side, found.within) == (1, 20)
    assert SHIPPED.stat().st_size < 100_000
    assert found.claim() == (
        "Diam (edition=2003 players=2), from the start: "
        "player 2 wins within 20 plies, whatever is replied"
    )


def test_a_proof_makes_a_certificate_that_holds() -> None:
    prover, text = proved()
    found = parse_certificate(text)
    assert found.start == prover.position
    told: list[int] = []
    verdict = verify(found, told.append)
    assert isinstance(verdict, CheckResult)
    assert verdict.longest <= 10
    assert told == list(range(1, verdict.answers + 1))
    assert verdict.answers > 20


def test_without_a_proof_there_is_no_certificate() -> None:
    prover = Prover(DIAM, DIAM.start(), 0, 3, 1)
    assert not prover.run()
    with pytest.raises(ValueError, match="nothing has been proved"):
        extract_certificate(prover)


def test_a_small_table_still_makes_a_certificate() -> None:
    prover = Prover(DIAM, proved()[0].position, 1, 10, 0.001)
    assert prover.run()
    verify(parse_certificate(format_certificate(extract_certificate(prover))))


def test_any_removed_line_is_refused_and_its_position_named() -> None:
    head, lines = lines_of(proved()[1])
    for n, line in enumerate(lines):
        why = refusal(sealed(head + "".join(lines[:n] + lines[n + 1 :])))
        assert DIAM.write(position_of(line)) in why
        assert "there is no answer" in why


def test_a_line_removed_from_the_shipped_proof_is_refused_and_its_position_named() -> None:
    head, lines = lines_of(SHIPPED.read_text())
    for n in random.Random(5).sample(range(len(lines)), 3):
        why = refusal(sealed(head + "".join(lines[:n] + lines[n + 1 :])))
        assert DIAM.write(position_of(lines[n])) in why


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
        verify(Certificate(STAR, quiet, 0, 60, Anything(), {}))


def test_a_changed_or_truncated_text_is_refused() -> None:
    text = proved()[1]
    assert "digest" in refusal(text.replace('[Within "10"]', '[Within "11"]'))
    cut = text[: len(text) * 2 // 3]
    assert "in position" in refusal(cut[: cut.rindex("\n") + 1])  # where an answer is missing
    for end in range(0, len(text), 97):
        assert refusal(text[:end])


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("certificate 1", "certificate 2", "this program reads"),
        ('[Game "diam"]\n', "", "Game is missing"),
        ("diam", "dame", "no game"),
        ("edition=2003", "edition=1000", "edition"),
        ('[Winners "1"]', '[Winners "0+1"]', "win together"),
        ('[Within "10"]', '[Within "0"]', "plies"),
        ('[Within "10"]', '[Within "401"]', "plies"),
        ('[Rules "1"]', '[Rules "9"]', "Rules"),
        ('[Rules "1"]', '[Author "me"]', "cannot be a header"),
        ('[Rules "1"]', "", "missing"),
        ("turn=0", "turn=7", "Position"),
        ("\n\n", "\n\n\n", "not a position and a move"),
        ("\n\n", "\n\nx y\n", "line 10"),
        ("\n\n", "\n\n/////// m@1 m@1\n", "line 10"),
    ],
)
def test_what_is_not_a_certificate_is_refused(old: str, new: str, why: str) -> None:
    text = proved()[1]
    assert old in text
    assert why in refusal(sealed(text.replace(old, new, 1)))


def test_the_book_wins_against_everybody() -> None:
    book = certificate_player(DIAM)
    assert isinstance(book, CertificatePlayer)
    assert certificate_player(quinconce.game("diam", edition=1997)) is None
    chance = random.Random(7)
    for _game in range(40):
        match = Match(DIAM)
        left = 20
        while not match.outcome():
            if match.seat == 1:
                move = book.winning_move(match.position)
                assert move
                match.play(move)
            else:
                assert book.winning_move(match.position) is None
                match.play(chance.choice(list(match.legal())))
                plies = 0 if match.outcome() else book.plies_to_win(match.position)
                assert plies is not None
                assert plies < left
                left = plies
        over = match.outcome()
        assert over
        assert over.winners == (1,)
        assert len(match.moves) <= 20
    assert book.winning_move(after_moves(DIAM, DIAM.start(), ["r@1", "m@2", "r@1"])) is None
    assert book.plies_to_win(after_moves(DIAM, DIAM.start(), ["r@1", "m@2", "r@1"])) is None


def test_the_check_loads_no_kernel() -> None:
    code = (
        "import sys; from quinconce.solvers.proofs.shipped_certificates import read_certificate;"
        "from quinconce.solvers.proofs.verify import verify;"
        "print([name for name in sys.modules if 'numba' in name or 'kernels' in name])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
