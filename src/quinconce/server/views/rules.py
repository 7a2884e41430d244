"""The rules of a game as a page shows them: in short with drawings, and in detail with examples."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from quinconce.core.match import Match, replay
from quinconce.core.phrase import Phrase, _
from quinconce.core.registry import game, game_class
from quinconce.draw import picture_of
from quinconce.words import Voice
from quinconce.words.examples import EXAMPLE_FENCE, Example, ExampleStep, parse_example
from quinconce.words.rules_text import parse_rules
from quinconce.words.sentences import outcome_sentence

STEP_LABELS: Final = {
    "play": _("Played:"),
    "legal": _("Allowed now:"),
    "refused": _("Not allowed now:"),
}
BUTTON_ICONS: Final = {
    "first": "M6 5v14M18 5l-9 7 9 7z",
    "back": "M16 5l-9 7 9 7z",
    "on": "M8 5l9 7-9 7z",
}
BUTTON_LABELS: Final = {
    "first": _("To the start"),
    "back": _("One move back"),
    "on": _("One move on"),
}


class DrawnSectionView(NamedTuple):
    """The aim, a turn or the end: its text, its drawing, and the same to be stepped through."""

    heading: str
    text: Markup
    drawing: Markup
    example: Markup


class ShortRulesView(NamedTuple):
    """The rules of an edition in short."""

    title: str
    sections: tuple[DrawnSectionView, ...]
    points_heading: str
    points: Markup


class RulesRenderer(RendererHTML):
    """Writes HTML, with a board where an example stands."""

    name: str
    say: Voice
    count: int = 0

    def fence(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        """A block of moves is an example; the details have no other blocks."""
        words = tokens[i].info.split()
        assert words[:1] == [EXAMPLE_FENCE], "a test reads every rules text"
        example = parse_example(words[1:], tokens[i].content.strip().split("\n"))
        self.count += 1
        return example_html(self.name, example, self.say, f"example-{self.count}-")


def render_markdown(name: str, text: str, say: Voice) -> Markup:
    """A text of the rules as HTML."""
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=RulesRenderer)
    page = markdown.renderer
    assert isinstance(page, RulesRenderer)
    page.name, page.say = name, say
    return Markup(markdown.render(text))  # noqa: S704 (HTML in it was escaped)


def edition_number(name: str, chosen: Mapping[str, str]) -> int:
    """The edition that options belong to; the first if they belong to none."""
    editions = game_class(name).editions
    fitting = (n for n, each in enumerate(editions) if each.options.items() <= chosen.items())
    return next(fitting, 0)


@cache
def details_html(name: str, language: str) -> Markup:
    """The details in one language, with every example to be stepped through."""
    say = Voice(language)
    return render_markdown(name, parse_rules(say.rules_text(name)).details, say)


@cache
def short_rules(name: str, edition: int, language: str) -> ShortRulesView:
    """The rules of an edition in short, in one language."""
    say = Voice(language)
    short = parse_rules(say.rules_text(name)).short_for(edition)
    sections = tuple(
        DrawnSectionView(
            each.heading,
            render_markdown(name, each.text, say),
            final_drawing(name, each.example, say, f"drawn-{n}-"),
            Markup(example_html(name, each.example, say, f"short-{n}-", final=True)),  # noqa: S704
        )
        for n, each in enumerate(short.sections, start=1)
    )
    points = render_markdown(name, short.points, say)
    return ShortRulesView(short.title, sections, short.points_heading, points)


def final_drawing(name: str, example: Example, say: Voice, prefix: str) -> Markup:
    """An example after its last move, as a picture without reserves."""
    match = play_example(name, example)
    svg = still_picture(match, len(match.moves), say, prefix)
    return Markup(svg)  # noqa: S704 (draw/ escapes what it writes)


def play_example(name: str, example: Example) -> Match[Any]:
    """The match after all moves of an example."""
    moves = [move for step in example.steps if step.kind == "play" for move in step.texts]
    return replay(game(name, **example.options), example.position, moves)


def still_picture(match: Match[Any], ply: int, say: Voice, prefix: str) -> str:
    """The board of a match after `ply` moves, without reserves and motion."""
    looks: dict[str, Any] = {"touchable": False, "still": True, "standalone": False}
    return picture_of(match, ply, say=say, prefix=prefix, reserves=(), **looks).svg


def example_html(
    name: str, example: Example, say: Voice, prefix: str, *, final: bool = False
) -> str:
    """An example: a board with its moves, which the browser steps through.

    It shows the position of the first claim; or, as `final`, that after the last move, without
    the lines of the example.
    """
    match = play_example(name, example)
    plies = list(step_plies(example.steps))
    claimed = [ply for ply, step in zip(plies, example.steps, strict=True) if step.kind != "play"]
    ply = len(match.moves) if final or not claimed else claimed[0]
    data = {
        "game": name,
        "options": example.options,
        "start": example.position,
        "moves": match.moves,
        "ply": ply,
    }
    steps = zip(plies, example.steps, strict=True)
    captions = "".join(caption_html(match, at, step, say) for at, step in steps)
    return (
        f'<figure class="example" data-example="{escape(json.dumps(data))}">'
        f"<game-board>{still_picture(match, ply, say, prefix)}</game-board>"
        f'<div class="example-side">{"" if final else f"<figcaption>{captions}</figcaption>"}'
        f"{''.join(example_buttons(data, say))}"
        f'<p class="example-status" role="status"></p></div></figure>\n'
    )


def step_plies(steps: Sequence[ExampleStep]) -> Iterator[int]:
    """After how many moves each line of an example holds."""
    ply = 0
    for step in steps:
        ply += len(step.texts) if step.kind == "play" else 0
        yield ply


def caption_html(match: Match[Any], ply: int, step: ExampleStep, say: Voice) -> str:
    """What a line of an example says; each of its moves can be tried."""
    if step.kind == "result":
        return f'<p data-ply="{ply}">{escape(say(result_sentence(match)))}</p>'
    moves = " ".join(f'<code data-move="{escape(m)}">{escape(m)}</code>' for m in step.texts)
    label = escape(say(STEP_LABELS[step.kind]))
    return f'<p data-ply="{ply}" data-kind="{step.kind}">{label} {moves}</p>'


def result_sentence(match: Match[Any]) -> Phrase:
    """How an example ends."""
    outcome = match.outcome()
    assert outcome, "a test replays every example"
    return outcome_sentence(match, outcome)


def example_buttons(data: Mapping[str, Any], say: Voice) -> Iterator[str]:
    """Buttons to step through an example and to try it, and a link to the analysis board."""
    name = escape(say(_("Step through the moves")))
    yield '<div class="example-buttons">'
    yield f'<span class="steps" role="group" aria-label="{name}" hidden>'
    for step, path in BUTTON_ICONS.items():
        yield (
            f'<button type="button" data-step="{step}"'
            f' aria-label="{escape(say(BUTTON_LABELS[step]))}">'
            f'<svg viewBox="0 0 24 24" aria-hidden="true"><path d="{path}"/></svg></button>'
        )
    try_it, analyse = say(_("Try it")), say(_("Analysis board"))
    yield f'<button type="button" data-step="try">{escape(try_it)}</button></span>'
    query = {"game": data["game"], **data["options"]}
    if data["start"] is not None:
        query["position"] = data["start"]
    if data["ply"]:
        query["moves"] = " ".join(data["moves"][: data["ply"]])
    link = escape(f"/analysis?{urlencode(query)}")
    yield f'<a href="{link}">{escape(analyse)}</a></div>'
