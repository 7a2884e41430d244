"""The command that writes what is known: the same answers again, in pages that hold together."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from quinconce.cli import main
from quinconce.commands.known import PAGE_NAME
from quinconce.facts.files import SHIPPED_FILE, load_shipped_facts, read_facts
from quinconce.facts.page import PICTURE_FOLDER, facts_page
from quinconce.words import LANGUAGES, Voice

DOCS = Path(__file__).parents[2] / "docs"
SOLVED = "diadema"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("known")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUINCONCE_LANG", "en")
        main(["known", "--quick", "--game", SOLVED, "--output", str(folder)])
    return folder


def file_of(language: str) -> str:
    return f"{PAGE_NAME}.md" if language == "en" else f"{PAGE_NAME}.{language}.md"


def figures(text: str) -> list[str]:
    """The numbers that a text tells, whichever signs a language has for thousands and decimals."""
    prose = re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)
    prose = re.sub(r"[\u00a0\u202f]|(?<=\d),(?=\d{3})", "", prose)
    return [number.replace(",", ".") for number in re.findall(r"\d+(?:[.,]\d)?", prose)]


@pytest.mark.slow
def test_a_quick_run_finds_what_the_page_says_of_a_solved_game(written: Path) -> None:
    again: Any
    (again,) = read_facts(written / f"{PAGE_NAME}.json")[SOLVED]["whole"]
    known: Any
    (known,) = load_shipped_facts()[SOLVED]["whole"]
    assert again.pop("checked") == {"positions": 272, "all": False}
    assert known["checked"] == {"positions": known["classes"], "all": True}
    assert again == {key: value for key, value in known.items() if key != "checked"}


def test_a_run_writes_the_data_the_pages_and_every_picture(written: Path) -> None:
    for language in LANGUAGES:
        text = (written / file_of(language)).read_text(encoding="utf-8")
        pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", text)
        assert len(pictures) == 4
        for name in pictures:
            assert (written / name).read_text(encoding="utf-8").startswith("<svg")
    assert len(list((written / PICTURE_FOLDER).iterdir())) == 4 * len(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pages_in_the_documentation_are_those_of_the_data(language: str) -> None:
    told = facts_page(load_shipped_facts(), Voice(language))
    assert (DOCS / file_of(language)).read_text(encoding="utf-8") == told.text
    for name, drawing in told.pictures.items():
        assert (DOCS / PICTURE_FOLDER / name).read_text(encoding="utf-8") == drawing(True)
    pictures = {path.name for path in (DOCS / PICTURE_FOLDER).glob(f"*.{language}.svg")}
    assert pictures == set(told.pictures)


def test_the_data_beside_the_pages_are_those_that_are_shipped() -> None:
    assert (DOCS / f"{PAGE_NAME}.json").resolve() == SHIPPED_FILE.resolve()


def test_both_languages_tell_the_same_figures() -> None:
    texts = [facts_page(load_shipped_facts(), Voice(language)).text for language in LANGUAGES]
    english, french = map(figures, texts)
    assert len(english) > 500
    assert english == french
    code = [re.findall(r"`[^`]*`", text) for text in texts]
    assert sorted(code[0]) == sorted(code[1])


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_link_of_a_page_leads_somewhere(language: str) -> None:
    text = (DOCS / file_of(language)).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    for link in links:
        assert (DOCS / link).exists(), link


def test_the_pages_can_be_written_again_from_the_data(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    before = {path: path.read_bytes() for path in written.rglob("*.*") if path.is_file()}
    for path in before:
        if path.suffix != ".json":
            path.unlink()
    main(["known", "--again", "--output", str(written)])
    assert {path: path.read_bytes() for path in before} == before


def test_what_is_answered_need_not_be_asked_again(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    asked: list[str] = []
    monkeypatch.setattr(
        "quinconce.facts.answers.solution_fact", lambda *_about: asked.append("whole")
    )
    data = written / f"{PAGE_NAME}.json"
    before = data.read_bytes()
    quick = ["known", "--quick", "--game", SOLVED, "--output", str(written)]
    main([*quick, "--missing"])
    assert data.read_bytes() == before
    assert not asked
    main(quick)
    assert asked == ["whole"]
    data.write_bytes(before)


@pytest.mark.parametrize(
    ("arguments", "content", "why"),
    [
        (["--again"], None, "there is no such file"),
        (["--again"], "{}", "this is not a file of facts"),
        (["--again"], "not JSON", "this is not a file of facts"),
        (["--game", "chess"], None, "there is no game 'chess'"),
        (["--jobs", "0"], None, "--jobs goes from 1 to 64"),
    ],
)
def test_a_refusal_is_one_line(
    arguments: list[str],
    content: str | None,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    if content is not None:
        (tmp_path / f"{PAGE_NAME}.json").write_text(content, encoding="utf-8")
    with pytest.raises(SystemExit) as exit_:
        main(["known", *arguments, "--output", str(tmp_path)])
    assert exit_.value.code == 2
    error = capsys.readouterr().err
    assert why in error
    assert error.count("\n") == 1
