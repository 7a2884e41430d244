"""The rules of a game as a page shows them: their text, and every worked example drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from quinconce.core.match import Match, replay
from quinconce.core.phrase import Phrase, _
from quinconce.core.registry import game
from quinconce.draw import picture_of
from quinconce.words import Voice
from quinconce.words.examples import EXAMPLE_FENCE, Example, Step, parse_example
from quinconce.words.sentences import outcome_sentence

STEP_CAPTIONS: Final = {
    "play": _("Played: {moves}"),
    "legal": _("Allowed now: {moves}"),
    "refused": _("Not allowed now: {moves}"),
}


class RulesRenderer(RendererHTML):
    """Writes HTML, with a picture where an example stands."""

    name: str
    say: Voice
    count: int = 0

    def fence(self, tokens: Sequence[Token], i: int, options: Any, env: Any) -> str:
        """A block of moves is drawn; any other is a drawing made of characters."""
        words = tokens[i].info.split()
        if words[:1] != [EXAMPLE_FENCE]:
            return f"<pre>{escape(tokens[i].content)}</pre>\n"
        told = parse_example(words[1:], tokens[i].content.strip().split("\n"))
        self.count += 1
        return "".join(example_figures(self.name, told, self.say, f"example-{self.count}"))


@cache
def rules_html(name: str, language: str) -> Markup:
    """The rules in one language, without the title at their head."""
    say = Voice(language)
    markdown = MarkdownIt("commonmark", {"html": False}, renderer_cls=RulesRenderer)
    page = markdown.renderer
    assert isinstance(page, RulesRenderer)
    page.name, page.say = name, say
    _title, _newline, text = say.rules_text(name).partition("\n")
    return Markup(markdown.render(text))  # noqa: S704 (HTML in it was escaped)


def example_figures(name: str, told: Example, say: Voice, prefix: str) -> Iterator[str]:
    """An example: a picture after every line of moves, and what holds there."""
    rules = game(name, **told.options)
    match = replay(rules, told.position)
    yield '<div class="example">'
    for number, group in enumerate(group_steps(told.steps)):
        for step in group:
            if step.kind == "play":
                for move in step.texts:
                    match.play(move)
        yield "<figure>"
        yield picture_of(
            match,
            say=say,
            prefix=f"{prefix}-{number}-",
            touchable=False,
            still=True,
            standalone=False,
        ).svg
        yield "<figcaption>"
        for step in group:
            yield f"<p>{escape(say(step_caption(match, step)))}</p>"
        yield "</figcaption></figure>"
    yield "</div>\n"


def group_steps(steps: Sequence[Step]) -> Iterator[list[Step]]:
    """Lines of moves that follow each other, with the claims behind them, are one picture."""
    stage: list[Step] = []
    for step in steps:
        if stage and step.kind == "play" and stage[-1].kind != "play":
            yield stage
            stage = []
        stage.append(step)
    yield stage


def step_caption(match: Match[Any], step: Step) -> Phrase:
    """What a line of an example says."""
    if step.kind == "result":
        outcome = match.outcome()
        assert outcome, "a test replays every example"
        return outcome_sentence(match, outcome)
    return STEP_CAPTIONS[step.kind].fill(moves=" ".join(step.texts))
