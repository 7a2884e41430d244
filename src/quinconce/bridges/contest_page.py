"""A contest as a page of HTML that stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from quinconce.bridges.contest import Contest, ContestMatch, Standing
from quinconce.bridges.time_control import TimeControl
from quinconce.core import counts
from quinconce.core.phrase import Phrase, _
from quinconce.words import Voice
from quinconce.words.sentences import outcome_sentence, printable

HEADINGS: Final = (
    *(_("rank"), _("name"), _("points"), _("played"), _("wins"), _("draws"), _("losses")),
    *(_("s a move"), _("slowest"), _("crashes"), _("illegal moves"), _("out of time")),
)
FORFEIT_KINDS: Final = ("crash", "illegal", "time")  # in the order of the last columns
RESULTS: Final = {1.0: "1", 0.5: "½", 0.0: "0"}
STYLE: Final = """
:root { color-scheme: light dark; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1rem 4rem; background: #f7f2e8;
  color: #2a241c; font: 1rem/1.5 system-ui, sans-serif; }
h1, h2 { font-family: Georgia, serif; line-height: 1.2; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: 0.3rem 0.7rem; text-align: right; border-bottom: 1px solid #d8ccb6; }
th { font-weight: 600; vertical-align: bottom; }
.name, .matches th { text-align: left; }
.name { min-width: 9rem; overflow-wrap: break-word; }
.self { background: #e6dcc8; }
.first { font-weight: 600; }
.fault { color: #a3341f; }
a { color: #0f6b66; }
@media (prefers-color-scheme: dark) {
  body { background: #221d17; color: #ece3d3; }
  th, td { border-color: #4a4034; }
  .self { background: #33291f; }
  .fault { color: #f0937e; }
  a { color: #6cc7c0; }
}
"""


TITLE: Final = _("Contest: {game}")
WHO_BEAT_WHOM: Final = _("Who beat whom")
MATCHES: Final = _("The matches")
MATCH_HEADINGS: Final = (_("match"), _("begins"), _("second"), _("result"), _("how it ended"))


def contest_page(contest: Contest, say: Voice) -> str:
    """A page of HTML: the standings, who beat whom, and every match with a link to its record."""
    title = escape(say(TITLE.fill(game=contest.game.title)))
    standings = contest.standings()
    rows = (match_cells(contest, match, say) for match in in_order(contest))
    parts = (
        f"<h1>{title}</h1>",
        f"<p>{escape(say(contest_phrase(contest)))}</p>",
        html_table(map(say, HEADINGS), (standing_cells(line, say) for line in standings)),
        f"<h2>{escape(say(WHO_BEAT_WHOM))}</h2>",
        cross_table(contest, standings),
        f"<h2>{escape(say(MATCHES))}</h2>",
        html_table(map(say, MATCH_HEADINGS), rows, "wide matches"),
    )
    return (
        f'<!doctype html>\n<html lang="{say.language}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE}</style></head>\n"
        f"<body>\n{chr(10).join(parts)}\n</body></html>\n"
    )


def contest_phrase(contest: Contest) -> Phrase:
    """How a contest was played, in a sentence."""
    return _(
        "{matches}, everybody against everybody with the seats exchanged; three points for a win, "
        "one for a draw. Time: {time}.",
        matches=counts.matches(len(contest.played)),
        time=time_phrase(contest.control),
    )


def time_phrase(control: TimeControl) -> Phrase:
    """The time that a side has."""
    if control.clock is None:
        return _("{seconds} s a move", seconds=without_zeros(control.seconds))
    return _(
        "{clock} s a match and {increment} s more for each move",
        clock=without_zeros(control.clock),
        increment=without_zeros(control.increment),
    )


def without_zeros(seconds: float) -> float:
    """The same number; one without a fraction is told without a point."""
    return int(seconds) if seconds.is_integer() else seconds


def standing_cells(line: Standing, say: Voice) -> str:
    """A line of the table of standings."""
    whole = (line.played, line.won, line.drawn, line.lost)
    times = (line.seconds_a_move, line.longest)
    faults = (line.forfeits[kind] for kind in FORFEIT_KINDS)
    return "".join(
        (
            cell(str(line.rank)),
            cell(printable(line.name), "name"),
            cell(say.number(line.points), "first"),
            *(cell(say.number(n)) for n in whole),
            *(cell(say.number(seconds, ".3f")) for seconds in times),
            *(cell(say.number(n), "fault") if n else cell("–") for n in faults),
        )
    )


def cell(text: str, kind: str = "") -> str:
    """A cell of a table."""
    return f'<td class="{kind}">{escape(text)}</td>' if kind else f"<td>{escape(text)}</td>"


def html_table(headings: Iterable[str], rows: Iterable[str], kind: str = "wide") -> str:
    """A table with these headings; every row is a text of cells."""
    head = "".join(f"<th>{escape(heading)}</th>" for heading in headings)
    body = "\n".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="{kind}"><table>\n<tr>{head}</tr>\n{body}\n</table></div>'


def cross_table(contest: Contest, standings: Sequence[Standing]) -> str:
    """What each contestant got from each other one, match by match, in the order of the ranks."""
    order = [line.contestant for line in standings]
    names = [printable(line.name) for line in standings]

    def row(line: Standing) -> str:
        me = line.contestant
        cells = (cell(shares(contest, me, other), "self" * (me == other)) for other in order)
        return cell(printable(line.name), "name") + "".join(cells)

    return html_table(["", *names], map(row, standings))


def shares(contest: Contest, contestant: int, other: int) -> str:
    """What one got from another, match by match."""
    pair = {contestant, other}
    met = (match for match in in_order(contest) if set(match.pair) == pair)
    return " ".join(RESULTS[match.share(contestant)] for match in met)


def in_order(contest: Contest) -> list[ContestMatch]:
    """The matches as they were numbered, not as they ended."""
    return sorted(contest.played, key=lambda match: match.number)


def match_cells(contest: Contest, match: ContestMatch, say: Voice) -> str:
    """A match as a row: its number is a link to its record."""
    first, second = match.by_side
    number = f'<td><a href="{record_name(match)}">{match.number}</a></td>'
    result = f"{RESULTS[match.share(first)]} : {RESULTS[match.share(second)]}"
    names = (cell(printable(contest.names[each]), "name") for each in (first, second))
    forfeit = match.result.forfeit
    ended = match_sentence(contest, match)
    return "".join(
        (number, *names, cell(result), cell(say(ended), "name fault" if forfeit else "name"))
    )


def match_sentence(contest: Contest, match: ContestMatch) -> Phrase:
    """How a match ended, or what its loser did wrong."""
    if match.result.forfeit:
        return match.result.forfeit.why
    played = match.result.match
    outcome = played.outcome()
    assert outcome
    return outcome_sentence(played, outcome, contest.record(match).seats)


def record_name(match: ContestMatch) -> str:
    """The file of the record of a match, beside the page."""
    return f"{match.number:04}.quinconce"
