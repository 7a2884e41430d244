"""The rules that people read: every example in them is replayed by the games themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import quinconce
from quinconce import words
from quinconce.words.examples import (
    EXAMPLE_FENCE,
    Example,
    ExampleStep,
    fenced_blocks,
    parse_examples,
)

FILES = sorted(Path(words.__file__).with_name("rules").iterdir())

every_file = pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
every_game = pytest.mark.parametrize("name", quinconce.names())


def texts_of(name: str) -> list[str]:
    return [file.read_text(encoding="utf-8") for file in FILES if file.name.split(".")[0] == name]


def replay(name: str, example: Example) -> None:
    """Play an example, and hold every line of it to the rules."""
    game = quinconce.game(name, **example.options)
    start = None if example.position is None else game.read(example.position)
    match = quinconce.Match(game, start)
    for step in example.steps:
        check(match, step)
    if example.steps[-1].kind != "result":
        assert match.outcome() is None, "the game is over, and the example does not say so"


def check(match: quinconce.Match[Any], step: ExampleStep) -> None:
    if step.kind == "result":
        outcome = match.outcome()
        assert outcome is not None, "the game goes on"
        assert tuple(str(seat + 1) for seat in outcome.winners) == step.texts
    for move in step.texts:
        if step.kind == "play":
            match.play(move)
        elif step.kind == "legal":
            assert move in match.legal()
        elif step.kind == "refused":
            # A move with a slip of the pen would be refused for the wrong reason.
            with pytest.raises(quinconce.IllegalMoveError):
                match.play(move)


@every_file
def test_every_example_holds(file: Path) -> None:
    for example in parse_examples(file.read_text(encoding="utf-8")):
        try:
            replay(file.name.split(".")[0], example)
        except (AssertionError, ValueError, pytest.fail.Exception) as error:
            pytest.fail(f"{file.name}: {example}\n{error}")


@every_file
def test_a_text_is_fit_to_be_shown(file: Path) -> None:
    text = file.read_text(encoding="utf-8")
    assert len(parse_examples(text)) >= 4
    assert all(info in ([], [EXAMPLE_FENCE, *info[1:]]) for info, _lines in fenced_blocks(text))
    assert text.startswith("# ")
    assert text.endswith("\n")
    assert max(map(len, text.splitlines())) < 100


def test_every_game_has_its_rules_in_every_language_and_nothing_else_has() -> None:
    wanted = {f"{name}.{spoken}.md" for name in quinconce.names() for spoken in words.LANGUAGES}
    assert {file.name for file in FILES} == wanted


@every_game
def test_every_language_shows_the_same_examples(name: str) -> None:
    first, *others = [parse_examples(text) for text in texts_of(name)]
    assert others
    assert all(other == first for other in others)


@every_game
def test_every_option_is_explained(name: str) -> None:
    for text in texts_of(name):
        for option, values in quinconce.game(name).options.items():
            for word in (option, *values):
                assert f"`{word}`" in text
            for bound in (values.numbers[:1], values.numbers[-1:]):
                assert all(f" {number} " in text or f" {number}," in text for number in bound)


@every_game
def test_the_english_title_is_the_game_s(name: str) -> None:
    assert texts_of(name)[0].splitlines()[0] == f"# {quinconce.game(name).title}"


def test_an_example_is_read_line_by_line() -> None:
    text = "\n".join(
        (
            "# A game",
            "```",
            "a drawing = no example",
            "```",
            "- in a list:",
            "  ```moves size=7 chain=optional",
            "  # w../..b turn=0",
            "  r@1 3.2-4",
            "  @b2+d4",
            "  ? b3xc3xd3 G6^E4",
            "  ! ~b2 pass",
            "  => 1+2",
            "  ```",
            "```moves",
            "=> ½",
            "```",
        )
    )
    steps = [
        ExampleStep("play", ("r@1", "3.2-4")),
        ExampleStep("play", ("@b2+d4",)),
        ExampleStep("legal", ("b3xc3xd3", "G6^E4")),
        ExampleStep("refused", ("~b2", "pass")),
        ExampleStep("result", ("1", "2")),
    ]
    assert parse_examples(text) == [
        Example({"size": "7", "chain": "optional"}, "w../..b turn=0", steps),
        Example({}, None, [ExampleStep("result", ())]),
    ]


@pytest.mark.parametrize(
    "block",
    [
        "```moves\nr@1",
        "```\na drawing",
        "```moves\n```",
        "```moves\n# w../..b turn=0\n```",
        "```moves\n#\nr@1\n```",
        "```moves\nr@1\n# w../..b turn=0\n```",
        "```moves size\nr@1\n```",
        "```moves =7\nr@1\n```",
        "```moves size=\nr@1\n```",
        "```moves size=5 size=7\nr@1\n```",
        "```moves\nr@1\n\nr@2\n```",
        "```moves\n?\n```",
        "```moves\n!\n```",
        "```moves\n?r@1\n```",
        "```moves\nr@1 ? r@2\n```",
        "```moves\n=>\n```",
        "```moves\n=> 0\n```",
        "```moves\n=> 1 2\n```",
        "```moves\n=> 1+\n```",
        "```moves\n=> draw\n```",
        "```moves\n=>1\n```",
        "```moves\nr@1\n=> 1\nr@2\n```",
    ],
)
def test_a_malformed_block_is_a_value_error(block: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_examples(block)


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("buts", "G2-D2"),
        ("buts", "? G2-D2"),
        ("buts", "! G2-E2"),
        ("buts", "! G2-Z9"),
        ("buts", "=> 1"),
        ("diadema", "@A @D @1 @E @2 @F @C"),
        ("diadema", "@A @D @1 @E @2 @F @C\n=> 2"),
        ("diadema", "@A @D @1 @E @2 @F @C\n=> ½"),
    ],
)
def test_a_false_example_is_found_out(name: str, lines: str) -> None:
    (example,) = parse_examples(f"```moves\n{lines}\n```")
    with pytest.raises((AssertionError, ValueError, pytest.fail.Exception)):
        replay(name, example)
