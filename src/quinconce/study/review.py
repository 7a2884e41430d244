"""The review of a match: what each move was worth, what is proved, and what went wrong.

`report_position` looks at one position, which takes time; `join_reports` makes the review of the
reports of all positions, the last one too, which takes none. `review` does both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any, Final

from quinconce.core.match import Match
from quinconce.core.phrase import _, ngettext
from quinconce.core.value import Result
from quinconce.engine.analysis import Analysis, analyse, run_search
from quinconce.engine.limits import Limits
from quinconce.engine.scores import (
    ScoreBounds,
    drawn_share,
    expected_score,
    outcome_scores,
    proven_bounds,
    score_share,
)
from quinconce.engine.slices import SlicedSearch
from quinconce.study.judgement import BLUNDER_LOSS, MoveCost, seat_accuracy
from quinconce.study.lookahead import SEEN_PLIES, look_ahead
from quinconce.words.review import Judgement

USUAL_NODES: Final = 300_000  # positions searched for each of a match: an eighth of a second
TREE_NODE_COST: Final = 8  # times that a node takes longer to search among more than two sides
METHOD: Final = 2  # of judging moves; reviews that another one made are old
REPORT_LINES: Final = 2  # the best move, and the next best one
MAX_PLIES: Final = 1000  # moves of a match that is reviewed


@dataclass(frozen=True)
class PositionReport:
    """What was found out about a position: plain data, which a database can keep.

    Scores are expected scores from 0 to 1. `scores` has one for each side; the others are those of
    the player to move.
    """

    scores: tuple[float, ...]
    best: str | None = None  # the move to play; None where the game is over
    line: tuple[str, ...] = ()  # how it may go on, from the best move
    least: float = 0.0  # the player to move gets this for certain
    most: float = 1.0  # and no more than this
    plies: int | None = None  # to the end, where that is proved
    second: float | None = None  # the score of the second-best move, where it was searched
    others_most: float = 1.0  # it is proved that no other move than the best gets more
    estimate: float | None = None  # by search alone, where a certificate knows only its own move
    seen: tuple[float, ...] = ()  # by searches of 1, 2, … plies, of what one sees at the board

    @property
    def bounds(self) -> ScoreBounds:
        """What is proved."""
        return ScoreBounds(self.least, self.most)

    def json(self) -> dict[str, Any]:
        """The report as JSON, which `from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> PositionReport:
        """The report that `json` wrote."""
        known = {field.name: data[field.name] for field in fields(cls) if field.name in data}
        lists = {name: tuple(data.get(name, ())) for name in ("scores", "line", "seen")}
        return cls(**known | lists)


@dataclass(frozen=True)
class PlyReview:
    """What a move was worth, from the view of the player who made it."""

    ply: int  # from 1
    seat: int
    move: str
    best: str | None
    line: tuple[str, ...]
    score_before: float
    score_after: float
    proven_before: Result | None
    proven_after: Result | None
    judgement: Judgement | None
    only_move: bool = False  # every other move was worse, by proof or as far as was searched
    missed_win: bool = False  # a proved win was thrown away
    saved: bool = False  # every other move was a proved loss
    proven: bool = False  # what is proved was lowered or kept
    punished_in: int | None = None  # plies after the move in which one sees that it was an error
    win_in: int | None = None  # the plies of a proved win that was near
    loses_in: int | None = None  # the plies after the move of a proved loss that is near
    went_by: Result | None = None  # what was proved, and is no more; too far ahead to be an error

    def json(self) -> dict[str, Any]:
        """The row of a review."""
        rounded = {"score_before": round(self.score_before, 4)}
        rounded["score_after"] = round(self.score_after, 4)
        return {**asdict(self), "line": list(self.line), **rounded}


@dataclass(frozen=True)
class Review:
    """The review of a match: its plies, and how accurate each seat was."""

    game: str
    options: dict[str, str]
    plies: tuple[PlyReview, ...]
    accuracy: tuple[float | None, ...]  # from 0 to 100; None for a seat that made no move
    curve: tuple[tuple[float, ...], ...]  # the expected score of each side, from the start on

    def json(self) -> dict[str, Any]:
        """The review as JSON."""
        return {
            "game": self.game,
            "options": dict(self.options),
            "plies": [ply.json() for ply in self.plies],
            "accuracy": [None if one is None else round(one, 1) for one in self.accuracy],
            "curve": [[round(score, 4) for score in scores] for scores in self.curve],
        }


@dataclass(frozen=True)
class Progress:
    """How far a review is: positions that were looked at, of all."""

    done: int
    total: int


# One position.


def report_position(match: Match[Any], nodes: int = USUAL_NODES) -> PositionReport:
    """What the engine and the proofs know of the position of a match, its history considered."""
    if match.outcome():
        return report_of_end(match)
    from quinconce.engine.move_values import is_partly_proved
    from quinconce.engine.preparation import new_search  # compiled code is slow to load

    nodes = search_nodes(match, nodes)
    *_earlier, last = analyse(match, nodes=nodes, lines=REPORT_LINES)
    estimate = None
    if is_partly_proved(match):
        alone = new_search(match, Limits(nodes=nodes))
        run_search(alone)
        estimate = score_share(match.game, alone.root_moves[0].score)
    return report_from_analysis(match, last, estimate, look_ahead(match))


def search_nodes(match: Match[Any], nodes: int) -> int:
    """The nodes of a search, fewer where each takes longer."""
    return nodes if len(match.game.sides) == 2 else max(1, nodes // TREE_NODE_COST)


def report_of_end(match: Match[Any]) -> PositionReport:
    """The report of a match that is over."""
    outcome = match.outcome()
    assert outcome
    scores = outcome_scores(match.game, outcome)
    own = scores[match.game.side(match.seat)]
    return PositionReport(scores, least=own, most=own, plies=0)


def report_from_analysis(
    match: Match[Any],
    found: Analysis,
    estimate: float | None = None,
    seen: tuple[float, ...] = (),
) -> PositionReport:
    """The report of a position by its two best lines, and by what is proved of all its moves."""
    from quinconce.engine.move_values import move_bounds, others_most, position_bounds

    game, best, *others = match.game, *found.lines
    moves = move_bounds(match)
    known, line = position_bounds(moves), proven_bounds(game, best)
    second = proven_bounds(game, others[0]) if others else ScoreBounds()
    bounds = ScoreBounds(max(known.least, line.least), min(known.most, line.most))
    own = bounds.clamp(expected_score(game, best))
    return PositionReport(
        found.shares or ((own, 1 - own) if game.side(match.seat) == 0 else (1 - own, own)),
        best.moves[0],
        best.moves,
        *bounds,
        best.plies,
        expected_score(game, others[0]) if others else None,
        min(others_most(moves, best.moves[0]), second.most),
        estimate,
        seen,
    )


# The whole match.


def check_reviewable(match: Match[Any]) -> None:
    """ValueError if a match is too long to be reviewed, or has no move."""
    if not match.moves:
        raise ValueError(_("no move has been played in this game"))
    if len(match.moves) > MAX_PLIES:
        raise ValueError(
            ngettext("a review has at most {n} ply", "a review has at most {n} plies", MAX_PLIES)
        )


def review(match: Match[Any], nodes: int = USUAL_NODES) -> Iterator[Progress | Review]:
    """Look at every position of a match: yields how far it is, and at last the review.

    ValueError if the match is too long or has no move.
    """
    check_reviewable(match)
    return review_steps(match, nodes)


def review_steps(match: Match[Any], nodes: int) -> Iterator[Progress | Review]:
    """The steps of `review`."""
    past, reports = Match(match.game, match.start), list[PositionReport]()
    total = len(match.moves) + 1
    yield Progress(0, total)
    for ply in range(total):
        if ply:
            past.play(match.moves[ply - 1])
        reports.append(report_position(past, nodes))
        yield Progress(ply + 1, total)
    yield join_reports(match, reports)


def join_reports(match: Match[Any], reports: Sequence[PositionReport]) -> Review:
    """The review of a match by the reports of its positions, one more than it has moves."""
    game = match.game
    known = tighten_bounds(match, reports)
    costs = [move_cost(match, reports, known, ply) for ply in range(len(match.moves))]
    plies = tuple(
        review_ply(match, reports[ply], known[ply], cost, ply) for ply, cost in enumerate(costs)
    )
    by_seat: list[list[MoveCost]] = [[] for _seat in range(game.seats)]
    for one, cost in zip(plies, costs, strict=True):
        by_seat[one.seat].append(cost)
    curve = tuple(shown_scores(match, report, ply) for ply, report in enumerate(reports))
    accuracy = tuple(map(seat_accuracy, by_seat))
    return Review(game.name, dict(game.chosen), plies, accuracy, curve)


def shown_scores(match: Match[Any], report: PositionReport, ply: int) -> tuple[float, ...]:
    """What each side may expect; what one sees of it, where the result is proved."""
    if not report.seen or not report.bounds.exact:
        return report.scores
    own = report.seen[-1]
    first = match.game.side(match.game.seat(match.positions[ply])) == 0
    return (own, 1 - own) if first else (1 - own, own)


def tighten_bounds(match: Match[Any], reports: Sequence[PositionReport]) -> list[ScoreBounds]:
    """What is proved of each position: a move that was played to a proved value proves it, too."""
    known = [report.bounds for report in reports]
    for ply in reversed(range(len(match.moves))):
        after = bounds_after(match, known, ply)
        known[ply] = ScoreBounds(max(known[ply].least, after.least), known[ply].most)
    return known


def bounds_after(match: Match[Any], known: Sequence[ScoreBounds], ply: int) -> ScoreBounds:
    """What is proved of the position after a move, from the view of its player."""
    game = match.game
    mover, following = (game.side(game.seat(match.positions[n])) for n in (ply, ply + 1))
    if mover == following:
        return known[ply + 1]
    if len(game.sides) == 2:
        return known[ply + 1].opposite()
    return ScoreBounds(0.0, 1 - known[ply + 1].least)


def move_cost(
    match: Match[Any], reports: Sequence[PositionReport], known: Sequence[ScoreBounds], ply: int
) -> MoveCost:
    """What a move cost."""
    side = match.game.side(match.game.seat(match.positions[ply]))
    before, after = known[ply], bounds_after(match, known, ply)
    first = before.clamp(reports[ply].scores[side])
    last = after.clamp(reports[ply + 1].scores[side])
    estimate = reports[ply].estimate
    if estimate is not None and not after.exact:
        first = estimate  # what only a certificate knows is not held against a move it leaves open
    best = match.moves[ply] == reports[ply].best
    if best and not after.exact:
        first = last  # nothing better is known
    ends = [report.plies if report.bounds.exact else None for report in reports[ply : ply + 2]]
    return MoveCost(
        first,
        last,
        before,
        after,
        end_before=ends[0],
        end_after=ends[1],
        seen_before=reports[ply].seen,
        seen_after=seen_after(match, reports[ply + 1], ply),
        is_best=best,
        sides=len(match.game.sides),
    )


def seen_after(match: Match[Any], report: PositionReport, ply: int) -> tuple[float, ...]:
    """What is seen of the position after a move, from the view of its player."""
    game = match.game
    mover, following = (game.side(game.seat(match.positions[n])) for n in (ply, ply + 1))
    if report.best is None:  # the game is over
        return (report.scores[mover],) * SEEN_PLIES
    return report.seen if mover == following else tuple(1 - score for score in report.seen)


def review_ply(
    match: Match[Any], report: PositionReport, known: ScoreBounds, cost: MoveCost, ply: int
) -> PlyReview:
    """The review of one move, by the report of the position before it and by what it cost."""
    game, move, drawn = match.game, match.moves[ply], drawn_share(match.game)
    seat = game.seat(match.positions[ply])
    side = game.side(seat)
    before, after = (bounds_result(one, drawn) for one in (known, cost.proven_after))
    only = move == report.best and is_only_move(report, side)
    judgement = cost.judgement()
    return PlyReview(
        ply=ply + 1,
        seat=seat,
        move=move,
        best=report.best,
        line=report.line,
        score_before=known.clamp(report.scores[side]),
        score_after=cost.after,
        proven_before=before,
        proven_after=after,
        judgement=judgement,
        only_move=only,
        missed_win=cost.is_lowering and before == "win",
        saved=only and report.others_most < drawn and before != "win" and after != "loss",
        proven=cost.is_lowering or cost.is_keeping,
        punished_in=cost.punished_in(),
        win_in=cost.win_in,
        loses_in=cost.loses_in,
        went_by=before if cost.is_lowering and judgement is None else None,
    )


def is_only_move(report: PositionReport, side: int) -> bool:
    """Whether every other move than the best is worse for certain, or would be a blunder."""
    if report.most == 0 or report.second is None:  # lost anyway, or no choice
        return False
    proved = report.others_most < report.least or report.others_most == 0
    fair = 2 / len(report.scores)
    return proved or report.scores[side] - report.second >= BLUNDER_LOSS * fair


def bounds_result(known: ScoreBounds, drawn: float) -> Result | None:
    """The result that is proved; None where it is open."""
    if known.least > drawn:
        return "win"
    if known.most < drawn:
        return "loss"
    return "draw" if known.exact else None


class SlicedReport:
    """What `report_position` finds, slice by slice. To be made off any thread in a hurry."""

    def __init__(self, match: Match[Any], nodes: int = USUAL_NODES) -> None:
        from quinconce.engine.move_values import is_partly_proved  # compiled code is slow to load

        self.match: Final = match.copy()
        self.search = self.alone = None
        nodes = search_nodes(match, nodes)
        self.seen: Final = look_ahead(match)
        if not match.outcome():
            self.search = SlicedSearch(match, lines=REPORT_LINES, nodes=nodes)
            if is_partly_proved(match):
                self.alone = SlicedSearch(match, nodes=nodes, use_proofs=False)

    def run(self, seconds: float) -> PositionReport | None:
        """Search for a slice; the report, once the search is done."""
        if self.search is None:
            return report_of_end(self.match)
        searches = [search for search in (self.search, self.alone) if search]
        for search in searches:
            if not search.report.done:
                search.run(seconds)
                break
        if not all(search.report.done for search in searches):
            return None
        estimate = self.alone.report.lines[0].score if self.alone else None
        return report_from_analysis(self.match, self.search.analysis, estimate, self.seen)
