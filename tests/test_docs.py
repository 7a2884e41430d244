"""The documentation stays true: examples run, commands exist, links lead somewhere."""

from __future__ import annotations

import asyncio
import inspect
import re
import shlex
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import pytest
from doc_pages import (
    BENCHMARK,
    DOCS,
    GENERATED,
    LAB,
    PAGES,
    PLACEHOLDER,
    ROOT,
    Command,
    anchors,
    blocks,
    commands,
    linked_pages,
    links,
    named_files,
    page_name,
    page_text,
    prose,
)
from server_process import run_server

import quinconce
import quinconce.client
import quinconce.engine
from quinconce import Match, Record
from quinconce.cli import main
from quinconce.client import play_seat

PROMISE = re.compile(r"print\(.*\)  # (.*)$")
README = page_text(ROOT / "README.md")
PICTURES = DOCS / "pictures"
SCREENSHOTS = {
    f"{what}-{scheme}.png" for what in ("match", "phone") for scheme in ("light", "dark")
}
MAX_SCREENSHOT_BYTES = 150_000
MAX_PAGE_LINES = 200
MAX_CLICKS = 2
MAX_EXAMPLE_LINES = 20  # of a bot that a class begins with
# Commands that take no more than a moment; the others are parsed and not run.
QUICK = {
    *("check", "draw", "games", "levels", "moves", "perft"),
    *("position", "replay", "result", "rules", "show"),
}
QUICK_WITH = {"analyse": "--depth", "puzzles": "--list"}
FIGURE = re.compile(r"\d\s?(?:ms|µs|s|seconds|minutes|hours|[kMGT]B|%)(?=[\s.,;:)|]|$)", re.M)
DATED = re.compile(r"^Date: 20\d\d-\d\d-\d\d\. Commands?: ", re.M)


# Python.


def run_examples(page: Path) -> list[str]:
    """Run the Python of a page, block after block; the lines that print another text than told."""
    lines = page.read_text(encoding="utf-8").split("\n")
    wrong: list[str] = []

    def compare(*values: object) -> None:
        line = sys._getframe(1).f_lineno
        promised = PROMISE.search(lines[line - 1])
        said = " ".join(map(str, values))
        if promised and promised[1] != said:
            wrong.append(f"{page.name}:{line} prints {said}")

    names: dict[str, Any] = {"print": compare, "__name__": "example"}
    for block in blocks(page, "python"):
        assert not re.search(r"^\s*\)  #", block.text, re.M), "a promise stands on one line"
        exec(compile("\n" * block.line + block.text, str(page), "exec"), names)
    return wrong


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")], ids=page_name)
def test_every_python_example_prints_what_it_says(page: Path) -> None:
    assert run_examples(page) == []


def test_an_example_that_prints_another_text_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("# A page\n\n```python\nprint(1 + 1)  # 2\nprint(1 + 1)  # 3\n```\n")
    assert run_examples(page) == ["page.md:5 prints 2"]


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "text")], ids=page_name)
def test_every_record_that_is_shown_can_be_read(page: Path) -> None:
    for block in blocks(page, "text"):
        if block.text.startswith("[Format "):
            assert Record.read(block.text).match().outcome()


# Commands.


def command_group() -> click.Group:
    """The group of all commands."""
    group = import_module("quinconce.cli").command_group
    assert isinstance(group, click.Group)
    return group


def command_names(group: click.Group, *before: str) -> Iterator[str]:
    """Every command and subcommand, as it is typed."""
    context = click.Context(group)
    for name in group.list_commands(context):
        yield " ".join((*before, name))
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from command_names(command, *before, name)


def parse(words: tuple[str, ...]) -> None:
    """Look for the command and its options; UsageError if there are none such."""
    command: click.Command = command_group()
    context = click.Context(command)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        found = command.get_command(context, words[0])
        if found is None:
            raise click.UsageError(f"there is no command {words[0]}")
        command, words = found, words[1:]
        context = click.Context(command, context)
    _options, left, _order = command.make_parser(context).parse_args(list(words))
    if left:
        raise click.UsageError(f"{left[0]} is one argument too many")
    if isinstance(command, click.Group) or PLACEHOLDER.search(" ".join(words)):
        return
    command.make_context(str(command.name), list(words), resilient_parsing=False)


ALL_COMMANDS = [command for page in PAGES for command in commands(page)]
QUICK_COMMANDS = sorted(
    {
        command.words
        for command in ALL_COMMANDS
        if command.in_block
        and not PLACEHOLDER.search(" ".join(command.words))
        and (command.words[0] in QUICK or QUICK_WITH.get(command.words[0]) in command.words)
    }
)


def test_the_pages_show_many_commands() -> None:
    assert len(ALL_COMMANDS) > 90
    assert len(QUICK_COMMANDS) > 15


@pytest.mark.parametrize("command", ALL_COMMANDS, ids=str)
def test_every_command_exists_with_its_options(command: Command) -> None:
    try:
        parse(command.words)
    except click.MissingParameter:
        assert not command.in_block  # a sentence may name a command without its arguments


@pytest.mark.parametrize(
    "words", ["solv diam", "solve diam --wihtin 3", "perft diam 3 4", "play --seed x"]
)
def test_a_command_that_is_none_is_found(words: str) -> None:
    with pytest.raises(click.UsageError):
        parse(tuple(words.split()))


@pytest.mark.parametrize("words", QUICK_COMMANDS, ids=shlex.join)
@pytest.mark.usefixtures("in_english")
def test_every_quick_command_runs(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    records = blocks(DOCS / "records.md", "text")
    for name, record in zip(("match.txt", "noted.txt"), records, strict=True):
        Path(name).write_text(record.text, encoding="utf-8")
    main(words)
    assert capsys.readouterr().out or "--out" in words


@pytest.mark.slow
@pytest.mark.usefixtures("in_english")
def test_a_proof_is_checked_with_these_words(capsys: pytest.CaptureFixture[str]) -> None:
    page = DOCS / "proofs.md"
    words = next(command.words for command in commands(page) if command.words[0] == "verify")
    main([words[0], str(ROOT / words[1])])
    assert capsys.readouterr().out == blocks(page, "text")[0].text


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_benchmark_that_is_named_knows_its_options(page: Path) -> None:
    for name, arguments in BENCHMARK.findall(page_text(page)):
        source = (ROOT / "benchmarks" / f"{name}.py").read_text(encoding="utf-8")
        for option in re.findall(r"--[a-z]+", arguments):
            assert f'"{option}"' in source, f"benchmarks.{name} has no {option}"


def test_the_readme_shows_every_command() -> None:
    shown = {command.words[0] for command in commands(ROOT / "README.md") if command.in_block}
    assert shown == set(command_group().list_commands(click.Context(command_group())))


def test_every_command_and_subcommand_is_in_the_docs() -> None:
    shown = [" ".join(command.words) + " " for command in ALL_COMMANDS]
    for name in command_names(command_group()):
        assert any(text.startswith(name + " ") for text in shown), name


# A bot.


def bot_example() -> dict[str, Any]:
    """What the Python of the page on bots defines."""
    names: dict[str, Any] = {}
    for block in blocks(DOCS / "bot.md", "python"):
        exec(block.text, names)
    return names


@pytest.mark.process
def test_the_bot_plays_a_match_to_its_end(tmp_path: Path) -> None:
    chosen: list[str] = []

    def choose(match: Match[Any]) -> str:
        chosen.append(min(match.legal()))
        return chosen[-1]

    with run_server(tmp_path) as server:
        seats = [{"kind": "friend"}, {"kind": "engine", "level": 1}]
        made = server.create_match(seats=seats)
        over = bot_example()["play"](made["seats"][0]["link"], choose)
        outcome = server.view(made)["scene"]["outcome"]
        # What it was told is told to a player; the rest is the same for everybody.
        assert {**over, "told": ""} == {**outcome, "told": ""}
        assert server.view(made)["moves"][::2] == chosen


@pytest.mark.process
@pytest.mark.usefixtures("in_english")
def test_the_bot_for_a_class_plays_without_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    text = blocks(DOCS / "bot.md", "python")[-1].text
    assert len(text.splitlines()) <= MAX_EXAMPLE_LINES
    for name in ("mine.py", "yours.py"):
        Path(name).write_text(text, encoding="utf-8")
    main(["match", "seega", "mine.py", "yours.py", "--games", "2", "--seconds", "600"])
    told = capsys.readouterr().out
    assert "mine.py against yours.py, 2 matches:" in told
    assert "Match " not in told  # where somebody does something wrong


@pytest.mark.process
def test_several_seats_are_played_side_by_side(tmp_path: Path) -> None:
    with run_server(tmp_path) as server:
        made = [server.create_match() for _match in range(2)]
        links = [seat["link"] for match in made for seat in match["seats"]]
        play_all = bot_example()["play_all"]
        asyncio.run(play_all(server.url, links, lambda match: min(match.legal())))
        assert all(server.view(match)["scene"]["outcome"] for match in made)


def test_the_bot_of_the_page_is_that_of_the_command() -> None:
    code = inspect.getsource(play_seat).rpartition('"""')[2]
    loop = [line.strip() for line in code.split("\n")[1:3]]
    assert loop[0].startswith("for match in")
    page = page_text(DOCS / "bot.md")
    for line in loop:
        assert line.partition("  #")[0] in page


# Links, files, names.


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in links(page):
        path, _hash, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), f"{target}: there is no such file"
        assert not anchor or anchor in anchors(file), f"{target}: there is no such heading"


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_file_that_is_named_exists(page: Path) -> None:
    for name in named_files(page):
        package = ROOT / "src" / "quinconce"
        places = (ROOT / name, package / name, package / f"{name}.py", page.parent / name)
        assert any(place.exists() for place in places), f"there is no {name}"


def test_every_public_name_is_in_the_page_on_the_library() -> None:
    page = page_text(DOCS / "library.md")
    for name in (*quinconce.__all__, *quinconce.engine.__all__):
        assert re.search(rf"\b{name}\b", page), name
        assert getattr(quinconce, name, None) or getattr(quinconce.engine, name)


def test_every_public_name_of_the_client_is_in_the_page_on_bots() -> None:
    page = page_text(DOCS / "bot.md")
    for name in quinconce.client.__all__:
        assert re.search(rf"\b{name}\b", page), name
    for kind in (quinconce.client.Client, quinconce.client.RemoteMatch):
        for name in vars(kind):
            assert name.startswith("_") or name in ("close", "id") or f"`{name}" in page, name


def test_every_environment_variable_is_in_the_docs() -> None:
    sources = (ROOT / "src").rglob("*.py")
    used = {
        name
        for path in sources
        for name in re.findall(r"\bQUINCONCE_[A-Z]+", path.read_text(encoding="utf-8"))
    }
    told = {name for page in PAGES for name in re.findall(r"\bQUINCONCE_[A-Z]+", page_text(page))}
    assert used == told


# What a page is like.


@pytest.mark.parametrize("page", [page for page in PAGES if LAB not in page.parents], ids=page_name)
def test_a_page_is_not_long(page: Path) -> None:
    if page not in GENERATED:
        assert len(page_text(page).splitlines()) <= MAX_PAGE_LINES


@pytest.mark.parametrize(
    "page", [page for page in LAB.glob("*.md") if page.name != "README.md"], ids=page_name
)
def test_a_page_of_the_lab_asks_a_question_and_has_its_date_and_command(page: Path) -> None:
    assert page_text(page).split("\n")[0].endswith("?")
    assert DATED.search(page_text(page))
    assert f"({page.name})" in page_text(LAB / "README.md")


@pytest.mark.parametrize(
    "page", [page for page in DOCS.glob("*.md") if page not in GENERATED], ids=page_name
)
def test_a_page_with_figures_says_where_they_come_from(page: Path) -> None:
    made_by_a_benchmark = "`python -m benchmarks." in page_text(page)
    if FIGURE.search(prose(page)) and not made_by_a_benchmark:
        assert any(target.startswith("lab/") for target in links(page))


def test_figures_are_recognised() -> None:
    assert FIGURE.search("it took 18 ms.")
    assert FIGURE.search("| 67.2 % |")
    assert not FIGURE.search("within 20 plies, at 127.0.0.1, 5 sides")


def pages_within(clicks: int) -> set[Path]:
    """The pages that are so many links away from the README or the index."""
    found = {ROOT / "README.md", DOCS / "README.md"}
    for _click in range(clicks):
        found |= {target for page in found for target in linked_pages(page)}
    return found


def test_every_page_is_found_from_the_readme_or_the_index() -> None:
    assert set(PAGES) <= pages_within(MAX_CLICKS)


def test_each_of_the_twelve_questions_has_its_page() -> None:
    text = page_text(ROOT / "CONTRIBUTING.md")
    answers = re.findall(r"^\| [A-Z][^|]*\? \| \[[^]]*\]\(([^)#]*)", text, re.M)
    assert len(answers) == 12
    assert {ROOT / answer for answer in answers} <= pages_within(MAX_CLICKS)


def test_headings_go_down_one_level_at_a_time() -> None:
    for page in PAGES:
        levels = [len(marks) for marks in re.findall(r"^(#+) ", prose(page), re.M)]
        assert levels[0] == 1, page_name(page)
        assert all(low <= high + 1 for high, low in pairwise(levels)), page_name(page)


# The README and its pictures.


def test_the_board_is_drawn_like_this(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    monkeypatch.setenv("COLUMNS", "100")
    page = page_text(DOCS / "play.md")
    shown = page[page.index("### A board in the terminal") :]
    command = re.search(r"`quinconce (show .*)`", shown)
    assert command
    main(shlex.split(command[1]))
    assert shown.split("```")[1].strip("\n") == capsys.readouterr().out.rstrip()


def test_the_table_names_every_game_and_option() -> None:
    table = README[README.index("## The five games") :]
    for name in quinconce.names():
        assert f"`{name}`" in table
        assert all(f"`{option}" in table for option in quinconce.game(name).options)


@pytest.mark.parametrize("name", ["run", "test", ".ci/run", "tools/pictures.sh", "tools/site.sh"])
def test_the_scripts_are_plain_sh_and_can_be_run(name: str) -> None:
    script = ROOT / name
    assert script.read_text().startswith("#!/bin/sh\n")
    assert script.stat().st_mode & 0o111


def drawings() -> list[list[str]]:
    """The arguments of every command that makes a picture of the README."""
    lines = (ROOT / "tools" / "pictures.sh").read_text(encoding="utf-8").split("\n")
    return [shlex.split(line)[1:] for line in lines if line.startswith("quinconce draw ")]


def test_every_picture_is_shown_and_no_other() -> None:
    files = {arguments[-1].removeprefix("$to/") for arguments in drawings()} | SCREENSHOTS
    assert len(files) == 10
    assert set(re.findall(r'src(?:set)?="docs/pictures/([^"]*)"', README)) == files
    assert {path.name for path in PICTURES.iterdir()} == files


@pytest.mark.parametrize("name", sorted(SCREENSHOTS))
def test_a_screenshot_is_a_small_picture(name: str) -> None:
    data = (PICTURES / name).read_bytes()
    assert data.startswith(b"\x89PNG\r\n")
    assert len(data) < MAX_SCREENSHOT_BYTES


@pytest.mark.parametrize("arguments", drawings(), ids=lambda arguments: str(arguments[-1]))
def test_a_picture_is_what_draw_draws_now(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("QUINCONCE_LANG", "en")
    name = arguments[-1].removeprefix("$to/")
    main([*arguments[:-1], str(tmp_path / name)])
    assert (tmp_path / name).read_text() == (PICTURES / name).read_text(), "run tools/pictures.sh"
