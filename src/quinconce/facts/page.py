"""The facts told to people: a page in Markdown, in any language, and the pictures that it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from quinconce.core import counts
from quinconce.core.claim import wins_within
from quinconce.core.game import Game
from quinconce.core.phrase import Phrase, _, ngettext
from quinconce.core.registry import game, game_class
from quinconce.draw import picture
from quinconce.facts import plots
from quinconce.facts.files import (
    AdvantageFact,
    CertificateFact,
    EndgamesFact,
    Fact,
    Facts,
    ProofFact,
    SolutionFact,
    ValueFact,
)
from quinconce.facts.plots import RenderSvg
from quinconce.solvers.proofs.shipped_certificates import certificate_path
from quinconce.words import Voice
from quinconce.words.proven import value_phrase, winner_moves

NO_BREAK_SPACE: Final = "\u00a0"  # that keeps what it joins on one line
SOURCES: Final = Path(__file__).parents[2]  # the folder of the package
PICTURE_FOLDER: Final = "what-is-known"  # the folder of the pictures beside the page


class FactsPage(NamedTuple):
    """A text, and the pictures in it by the names of their files."""

    text: str
    pictures: dict[str, RenderSvg]


def facts_page(facts: Facts, say: Voice) -> FactsPage:
    """All that is known, in the language of a voice."""
    return FactsPageWriter(say).write(facts)


def format_moves(texts: Sequence[str]) -> str:
    """Moves as they are written."""
    return f"`{' '.join(texts)}`"


def prover_command(name: str, fact: ProofFact) -> str:
    """The command that asks the prover a question."""
    words = [
        "quinconce solve",
        name,
        *(f"-o {key}={each}" for key, each in fact["options"].items()),
    ]
    if fact["after"]:
        words.append(f'--after "{" ".join(fact["after"])}"')
    words.append(f"--player {fact['player']} --within {fact['within']}")
    if "megabytes" in fact:
        words.append(f"--memory {fact['megabytes']}")
    return " ".join([*words, "--wide"] if fact["wide"] else words)


def winning_side(rules: Game[Any], fact: CertificateFact | ProofFact) -> tuple[int, ...]:
    """The seats that a fact says win, or asks about: a player, and their partner if any."""
    return rules.sides[rules.side(fact["player"] - 1)]


class FactsPageWriter:
    """A page in the making."""

    def __init__(self, say: Voice) -> None:
        self.say = say
        self.pictures: dict[str, RenderSvg] = {}

    def write(self, facts: Facts) -> FactsPage:
        """The games one after the other, then what all of them are compared in."""
        blocks = [*self.introduction()]
        for name, kinds in facts.items():
            blocks += [f"## {self.say(game_class(name).title)}", *self.remarks(name)]
            for kind, tell in SECTIONS.items():
                blocks += tell(self, name, kinds.get(kind, []))
        blocks += self.advantage_section(facts)
        return FactsPage("\n\n".join(blocks) + "\n", self.pictures)

    def introduction(self) -> Iterator[str]:
        """What the page is, and how much to believe of it."""
        say = self.say
        yield self.heading(1, _("What is known of the games"))
        yield say(
            _(
                "`quinconce known` writes this page from what the solvers prove and the "
                "engine plays. Run it again, and the same figures come out."
            )
        )
        kinds = (
            _("**Solved** or **proven** holds against every reply."),
            _(
                "**Refuted** means that every try was searched and met. It rests on no two"
                " positions having the same key of 64 bits."
            ),
            _("**Not settled** means that the search was stopped before it knew."),
            _("**Estimated** comes from matches of the engine, and is given with its interval."),
        )
        yield "\n".join(f"- {say(kind)}" for kind in kinds)

    def remarks(self, name: str) -> Iterator[str]:
        """What people wrote about a game, because no program finds it."""
        if text := self.say.known_remarks(name).strip():
            yield text

    # What the kinds of facts share.

    def heading(self, depth: int, phrase: Phrase) -> str:
        """A heading in the language of the page."""
        return "#" * depth + " " + self.say(phrase)

    def game_of_fact(self, name: str, fact: Fact) -> Game[Any]:
        """The game that a fact is about."""
        return game(name, **fact["options"])

    def game_title(self, name: str, options: dict[str, str]) -> str:
        """A game with those of its options that a fact names."""
        rules = game_class(name)
        if not options:
            return self.say(rules.title)
        named = [self.say(rules.options[key].describe(value)) for key, value in options.items()]
        return self.say(_("{game} ({options})", game=rules.title, options=", ".join(named)))

    def picture_link(self, name: str, title: str, drawing: RenderSvg) -> str:
        """A picture, kept for its file."""
        file = f"{name}.{self.say.language}.svg"
        self.pictures[file] = drawing
        return f"![{title}]({PICTURE_FOLDER}/{file})"

    def format_share(self, part: float) -> str:
        """A share in hundredths, with one decimal."""
        rounded, sign = round(1000 * part), ""
        # What is nearly nothing is not nothing, and what is nearly all is not all.
        if rounded == 0 < part:
            rounded, sign = 1, f"<{NO_BREAK_SPACE}"
        elif rounded == 1000 and part < 1:
            rounded, sign = 999, f">{NO_BREAK_SPACE}"
        return sign + self.say.number(rounded / 1000, ".1%")

    def format_value(self, rules: Game[Any], fact: ValueFact) -> str:
        """The value of the start, or of a first move."""
        return self.say(value_phrase(rules, rules.start(), fact["result"], fact["plies"]))

    def markdown_table(
        self, heads: Sequence[str], rows: Sequence[Sequence[str]], words: int
    ) -> str:
        """A table whose first columns are words, and the others figures."""
        under = ["---"] * words + ["--:"] * (len(heads) - words)
        lines = [heads, *rows]
        written = ["| " + " | ".join(line) + " |" for line in lines]
        return "\n".join([written[0], "|" + "|".join(under) + "|", *written[1:]])

    # One paragraph after the other, by kind.

    def solution_section(self, name: str, facts: list[SolutionFact]) -> Iterator[str]:
        """A game that is solved."""
        for fact in facts:
            say = self.say
            yield self.heading(3, _("Solved: every position"))
            total = fact["won"] + fact["drawn"] + fact["lost"]
            yield say(
                _(
                    "The start: **{value}**. Positions where the game goes on, seen by the player"
                    " to move: {n}, up to symmetry {classes}; won {won}, drawn {drawn}, lost"
                    " {lost}.",
                    value=self.format_value(self.game_of_fact(name, fact), fact["start"]),
                    n=total,
                    classes=fact["classes"],
                    won=fact["won"],
                    drawn=fact["drawn"],
                    lost=fact["lost"],
                )
            )
            yield self.check_sentence(fact["checked"])
            yield from self.first_moves_table(name, fact)
            title = say(_("Positions by the plies to the end, on a scale of powers of ten"))
            yield self.picture_link(
                f"{name}-distances", title, plots.plot_distances(say, title, fact)
            )
            yield from self.longest_lines(name, fact)
            yield from self.sharpness_section(name, fact)

    def check_sentence(self, fact: dict[str, int]) -> str:
        """How a second program confirmed a table."""
        how = (
            _(
                "A second program, the plain rules, has confirmed the table: in {positions}, one"
                " of every class, the value is the best that the moves lead to.",
                positions=counts.positions(fact["positions"]),
            )
            if fact["all"]
            else _(
                "A second program, the plain rules, has confirmed a sample of the table: in"
                " {positions} drawn by lot the value is the best that the moves lead to.",
                positions=counts.positions(fact["positions"]),
            )
        )
        return self.say(how)

    def first_moves_table(self, name: str, solved: SolutionFact) -> Iterator[str]:
        """What the first moves are worth, symmetric ones once."""
        say, rules = self.say, self.game_of_fact(name, solved)
        heads = [say(_("first move")), say(_("moves like it")), say(_("value"))]
        rows = [
            [f"`{fact['move']}`", str(fact["alike"]), self.format_value(rules, fact)]
            for fact in solved["first_moves"]
        ]
        yield self.markdown_table(heads, rows, 1)

    def longest_lines(self, name: str, fact: SolutionFact) -> Iterator[str]:
        """The longest fights, with a line in which both play their best."""
        say, rules = self.say, self.game_of_fact(name, fact)
        win, loss = fact["longest_win"], fact["longest_loss"]
        position = rules.read(win["position"])
        yield say(
            _(
                "In moves of the winner, the longest win takes {win} and the longest loss {loss}.",
                win=winner_moves(rules, position, "win", win["plies"]),
                loss=winner_moves(rules, position, "loss", loss["plies"]),
            )
        )
        title = say(
            ngettext(
                "A longest win: the player to move wins in {n} move.",
                "A longest win: the player to move wins in {n} moves.",
                winner_moves(rules, position, "win", win["plies"]) or 0,
            )
        )

        def drawing(standalone: bool) -> str:
            looks: dict[str, Any] = {"touchable": False, "still": True, "standalone": standalone}
            return picture(rules, position, say=say, prefix=f"{name}-longest-", **looks).svg

        yield self.picture_link(f"{name}-longest", title, drawing)
        for phrase, fight in (
            (_("A longest win, {position}: {moves}"), win),
            (_("A longest loss, {position}: {moves}"), loss),
        ):
            here, line = f"`{fight['position']}`", format_moves(fight["line"])
            yield say(phrase.fill(position=here, moves=line))

    def sharpness_section(self, name: str, fact: SolutionFact) -> Iterator[str]:
        """How easily one errs."""
        say, sole, plies = self.say, fact["sole"], fact["faultless"]
        yield self.heading(3, _("How sharp it is"))
        yield say(
            _(
                "Won positions where exactly one move wins: {wins}; of these, the win takes more"
                " than one ply in {distant}. Drawn positions where one move alone holds the draw:"
                " {draws}.",
                wins=sole["wins"],
                distant=sole["distant_wins"],
                draws=sole["draws"],
            )
        )
        first = next((n for n, ply in enumerate(plies, start=1) if ply["risky"]), None)
        if first is not None:
            yield say(_("From the start, the first mistake is possible at ply {n}.", n=first))
        title = say(_("Moves that keep the value, before the first mistake"))
        yield self.picture_link(f"{name}-sharpness", title, plots.plot_sharpness(say, title, fact))
        heads = (_("ply"), _("positions"), _("moves"), _("that keep the value"), _("of all"))
        rows = [
            [
                str(n),
                *(say.number(ply[key]) for key in ("positions", "moves", "keeping")),
                self.format_share(ply["keeping"] / ply["moves"]),
            ]
            for n, ply in enumerate(plies, start=1)
        ]
        yield self.markdown_table([say(head) for head in heads], rows, 0)

    def certificate_section(self, name: str, facts: list[CertificateFact]) -> Iterator[str]:
        """A strategy that anybody can check."""
        say = self.say
        for fact in facts:
            rules = self.game_of_fact(name, fact)
            yield self.heading(
                3, _("Proven: {title}", title=self.game_title(name, fact["options"]))
            )
            claim = wins_within(winning_side(rules, fact), fact["within"])
            yield say(
                _(
                    "It is proven that **{claim}**, whatever is replied. The proof comes with"
                    " Quinconce: {answers}, one for each position up to symmetry in which the"
                    " winner cannot win at once. Played with the plain rules against {replies}, it"
                    " holds; the longest game takes {longest}.",
                    claim=claim,
                    answers=counts.answers(fact["answers"]),
                    replies=counts.replies(fact["replies"]),
                    longest=counts.plies(fact["longest"]),
                )
            )
            file = f"src/{certificate_path(rules).relative_to(SOURCES).as_posix()}"
            yield say(_("Check it: `quinconce verify {file}`", file=file))
            for first in fact["first_moves"]:
                yield say(
                    _(
                        "First move `{move}`, and {n} in all that symmetry makes like it: lost"
                        " within {plies}.",
                        move=first["move"],
                        n=first["alike"],
                        plies=counts.plies(first["plies"]),
                    )
                )
            yield say(_("A line in which the loser holds out:")) + " " + format_moves(fact["line"])

    def proofs_section(self, name: str, facts: list[ProofFact]) -> Iterator[str]:
        """What was asked from one position, and the answers."""
        if not facts:
            return
        say = self.say
        yield self.heading(3, _("Asked of the prover"))
        several = any(fact["options"] for fact in facts)
        heads = (_("after"), _("question"), _("answer"), _("positions searched"))
        rows = []
        for fact in facts:
            first = [self.game_title(name, fact["options"])] if several else []
            after = format_moves(fact["after"]) if fact["after"] else say(_("the start"))
            asked = self.question_and_answer(name, fact)
            rows.append([*first, after, *asked, say.number(fact["nodes"])])
        titles = [say(_("game")), *map(say, heads)] if several else list(map(say, heads))
        yield self.markdown_table(titles, rows, len(titles) - 1)
        yield say(
            _(
                "To ask the last of these again: `{command}`",
                command=prover_command(name, facts[-1]),
            )
        )

    def question_and_answer(self, name: str, fact: ProofFact) -> Iterator[str]:
        """A question to the prover, and its answer."""
        rules = self.game_of_fact(name, fact)
        asked = wins_within(winning_side(rules, fact), fact["within"])
        wide = _("{asked}, at full width", asked=asked)
        yield self.say(wide if fact["wide"] else asked)
        answers = {True: _("**proven**"), False: _("refuted"), None: _("not settled")}
        yield self.say(answers[fact["answer"]])

    def endgames_section(self, name: str, facts: list[EndgamesFact]) -> Iterator[str]:
        """Who wins with few pieces."""
        say = self.say
        if not facts:
            return
        pieces = max(fact["pieces"] for fact in facts)
        yield self.heading(
            3,
            ngettext(
                "Solved: endings with at most {n} piece",
                "Solved: endings with at most {n} pieces",
                pieces,
            ),
        )
        yield say(
            _(
                "All positions with these pieces where the game goes on, with either player "
                "to move; with equal numbers the player to move counts as the stronger. The "
                "winner can force the capture of everything; “longest” is in turns to the "
                "next capture. With a limit of quiet turns the values are exact where none "
                "has been played yet."
            )
        )
        for place, fact in enumerate(facts, start=1):
            label = self.game_title(name, fact["options"])
            title = say(_("Endings by the pieces of each side: {title}", title=label))
            yield f"**{label}**"
            yield self.picture_link(
                f"{name}-endings-{place}", title, plots.plot_endgames(say, title, fact)
            )
            yield self.results_table(fact["shares"])
            yield say(
                _(
                    "In {positions} drawn by lot, the plain rules confirm that the value is the"
                    " best that the moves lead to.",
                    positions=counts.positions(fact["checked"]),
                )
            )

    def results_table(self, facts: list[dict[str, int]]) -> str:
        """The table of endings."""
        say = self.say
        heads = (
            _("pieces"),
            _("positions"),
            _("the stronger wins"),
            _("drawn"),
            _("the weaker wins"),
            _("longest"),
        )
        rows = []
        for row in facts:
            total = row["won"] + row["drawn"] + row["lost"]
            parts = [self.format_share(row[key] / total) for key in ("won", "drawn", "lost")]
            sides = say(_("{n} against {m}", n=row["stronger"], m=row["weaker"]))
            rows.append([sides, say.number(total), *parts, str(row["longest"])])
        return self.markdown_table([say(head) for head in heads], rows, 1)

    def advantage_section(self, facts: Facts) -> Iterator[str]:
        """What the first move is worth, for all games side by side."""
        say = self.say
        found = [
            (self.game_title(name, fact["options"]), fact)
            for name, kinds in facts.items()
            for fact in cast("list[AdvantageFact]", kinds.get("advantage", []))
        ]
        if not found:
            return
        yield self.heading(2, _("Who moves first"))
        yield say(
            _(
                "Estimated: the engine plays against itself, both sides at the same level, "
                "with a fixed number of nodes a move and fixed seeds. The share of the side "
                "that begins counts a draw as an equal part for every side; its interval "
                "has a confidence of 95 %. It tells of these players, not of the game: "
                "where the game is solved, look above."
            )
        )
        for opening in sorted({fact["opening"] for _title, fact in found}):
            rows = [(title, fact) for title, fact in found if fact["opening"] == opening]
            title = say(
                ngettext(
                    "The share of who begins, after {n} turn of chance",
                    "The share of who begins, after {n} turns of chance",
                    opening,
                )
                if opening
                else _("The share of who begins")
            )
            levels = sorted({fact["level"] for _title, fact in rows})
            drawing = plots.plot_advantage(say, title, rows, levels)
            yield f"### {title}"
            yield self.picture_link(f"advantage-{opening}", title, drawing)
            yield self.matches_table(rows)

    def matches_table(self, rows: list[tuple[str, AdvantageFact]]) -> str:
        """The table of matches."""
        say = self.say
        heads = (
            _("game"),
            _("level"),
            _("matches"),
            _("won by each side"),
            _("drawn"),
            _("plies"),
            _("share of who begins"),
            _("from"),
            _("to"),
        )
        lines = []
        for title, fact in rows:
            first = fact["sides"][0]
            won = " : ".join(str(side["won"]) for side in fact["sides"])
            shares = map(self.format_share, (first["share"], first["low"], first["high"]))
            counts = str(fact["drawn"]), str(fact["plies"])
            lines.append([title, str(fact["level"]), str(fact["games"]), won, *counts, *shares])
        return self.markdown_table([say(head) for head in heads], lines, 1)


SECTIONS: Final[dict[str, Callable[[FactsPageWriter, str, Any], Iterator[str]]]] = {
    "whole": FactsPageWriter.solution_section,
    "certificate": FactsPageWriter.certificate_section,
    "proofs": FactsPageWriter.proofs_section,
    "endings": FactsPageWriter.endgames_section,
}
