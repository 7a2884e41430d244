"""Certificates, checkpoints and endgame files: what an earlier version wrote is read and resumed.

The checkpoints were written in the middle of work. `prover.checkpoint` was written by one process,
interrupted after 4096 positions; `shared.checkpoint` by two, interrupted after 60 000; the part of
a layer by `solve seega --pawns 3`, before the layer was whole.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
from pathlib import Path

import pytest
from command_line import run_command, run_refused
from golden.compare import FILES, compare, compare_json

import quinconce
from quinconce.solvers.endgames.tables import load_table

PROOFS, ENDGAMES = FILES / "proofs", FILES / "endgames"
ENDING = "o@1 m@1 o@1 n@1 1.1-2 m@5 2.1-3 n@8 o@5 m@8"
ASKED = ("solve", "diam", "--after", "r@1 m@1", "--within", "18")
TABLE = "seega-5-slide-compulsory-replay-40-{}"
HEAD = 8192  # bytes of an endgame file before its values

pytestmark = pytest.mark.usefixtures("in_english")


def without_times(text: str) -> str:
    """What was printed, without how long it took."""
    return re.sub(r"in [\d.,]+ s, [\d,]+ a second|after [\d.,]+ s", "in some time", text)


def spoil(path: Path, at: int) -> None:
    """Change one byte of a file."""
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


def test_a_certificate_is_written_byte_for_byte(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ("solve", "diam", "--after", ENDING, "--within", "10", "--certificate", "proof")
    said = run_command(capsys, *asked)
    compare("proofs/solve.txt", without_times(said))
    compare("proofs/certificate.txt", Path("proof").read_text(encoding="utf-8"))


def test_certificates_are_verified(capsys: pytest.CaptureFixture[str]) -> None:
    (shipped,) = Path(quinconce.__file__).parent.rglob("certificates/diam-2003-2.txt")
    text = shipped.read_text(encoding="utf-8")
    said = [
        run_command(capsys, "verify", str(PROOFS / "certificate.txt")),
        run_command(capsys, "verify", str(shipped)),
    ]
    head = "".join(text.splitlines(keepends=True)[:20])
    digest = hashlib.sha256(text.encode()).hexdigest()
    compare("proofs/verify.txt", "".join([*said, head, digest, "\n"]))


def test_a_checkpoint_of_one_process_is_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(PROOFS / "prover.checkpoint", "kept")
    asked = (*ASKED, "--memory", "1", "--checkpoint", "kept")
    said = run_command(capsys, *asked)
    assert said.startswith("Proved. ")
    assert "\n167,724 positions" in said  # from the beginning there would be 143,898
    assert "another question" in run_refused(capsys, *asked, "--player", "1")
    shutil.copy(PROOFS / "prover.checkpoint", "kept")
    spoil(Path("kept"), -1000)
    assert "damaged" in run_refused(capsys, *asked)


@pytest.mark.process
def test_a_checkpoint_of_two_processes_is_resumed(capsys: pytest.CaptureFixture[str]) -> None:
    shutil.copy(PROOFS / "shared.checkpoint", "kept")
    assert "different checkpoints" in run_refused(capsys, *ASKED, "--checkpoint", "kept")
    asked = (*ASKED, "--memory", "4", "--jobs", "2", "--checkpoint", "kept")
    said = run_command(capsys, *asked)
    assert said.startswith("Proved. ")
    before = json.loads((PROOFS / "shared.checkpoint").read_bytes().split(b"\n")[0])["nodes"]
    found = re.search(r"\n([\d,]+) positions .* at most ([\d,]+) positions by one worker", said)
    assert found
    nodes, most = (int(text.replace(",", "")) for text in found.groups())
    assert before + most <= nodes <= before + 2 * most
    shutil.copy(PROOFS / "shared.checkpoint", "kept")
    spoil(Path("kept"), -1)
    assert "damaged" in run_refused(capsys, *asked)


def solve_endgames(capsys: pytest.CaptureFixture[str], folder: str) -> str:
    """What is said of the endgames with three pawns, in a folder."""
    said = run_command(capsys, "solve", "seega", "--pawns", "3", "--jobs", "1", "--folder", folder)
    return without_times(said)


@pytest.mark.process
def test_an_endgame_file_is_written_byte_for_byte(capsys: pytest.CaptureFixture[str]) -> None:
    compare("endgames/solve.txt", solve_endgames(capsys, "kept"))
    for pawns in (2, 3):
        name = f"{TABLE.format(pawns)}.endings"
        assert Path("kept", name).read_bytes() == (ENDGAMES / name).read_bytes()


def test_an_endgame_file_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    name = f"{TABLE.format(3)}.endings"
    Path("kept").mkdir()
    shutil.copy(ENDGAMES / name, "kept")
    compare("endgames/solve.txt", solve_endgames(capsys, "kept"))
    assert [path.name for path in Path("kept").iterdir()] == [name]  # nothing was worked out
    rules = quinconce.game("seega")
    table = load_table(rules, 3, Path("kept"))
    assert table
    values = {}
    for pieces in ("wwb", "wbb", "wb", "ww", "b"):
        chance = random.Random(pieces)
        for _position in range(60):
            board = "".join(chance.sample(pieces.ljust(25, "."), 25))
            position = rules.start()._replace(board=board, turn=chance.randrange(2), phase=2)
            value = table.value(position)
            assert value
            values[rules.write(position)] = " ".join(map(str, value))
    assert len(set(values.values())) >= 5
    compare_json("endgames/values.json", values)


@pytest.mark.process
@pytest.mark.parametrize("changed", [False, True])
def test_a_part_of_a_layer_is_not_worked_out_again(
    changed: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """What comes of it is the same table; another one, if the part says something else."""
    part, lower, whole = (
        f"{TABLE.format('3-2v1')}.part",
        *(f"{TABLE.format(pawns)}.endings" for pawns in (2, 3)),
    )
    Path("kept").mkdir()
    shutil.copy(ENDGAMES / part, "kept")
    shutil.copy(ENDGAMES / lower, "kept")
    if changed:
        path = Path("kept", part)
        content = bytearray(path.read_bytes()[:-32])
        for at in range(HEAD, len(content), 2):
            content[at] ^= 1
        path.write_bytes(content + hashlib.sha256(content).digest())
    solve_endgames(capsys, "kept")
    same = Path("kept", whole).read_bytes() == (ENDGAMES / whole).read_bytes()
    assert same != changed
    assert not Path("kept", part).exists()
