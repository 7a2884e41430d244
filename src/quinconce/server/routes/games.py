"""The routes that change nothing: the games, one's own matches, records, a position explored."""

from __future__ import annotations

import asyncio
import hashlib
from importlib.metadata import version
from typing import Annotated, Any, Final

from litestar import Request, Response, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from quinconce.core.game import Game
from quinconce.core.match import Match
from quinconce.core.move_input import understood
from quinconce.core.phrase import Phrase as _
from quinconce.core.record import Record, Seat, read_record
from quinconce.core.registry import find, game, names
from quinconce.server.errors import RefusalError
from quinconce.server.language import voice_of
from quinconce.server.matches.seats import LEVELS, csrf
from quinconce.server.matches.setup import Options
from quinconce.server.routes.common import Language, MatchId, TheHouse, faults
from quinconce.server.security.auth import browser_hash
from quinconce.server.security.middleware import secret_of
from quinconce.server.services import House
from quinconce.server.storage.database import located
from quinconce.server.views.position import Scene, from_behind, scene
from quinconce.words import Voice

MOST_OWN: Final = 100


class Health(Struct, frozen=True):
    """A sign that this is Quinconce, and which database it serves."""

    name: str
    version: str
    database: str
    engine: bool
    shared: str | None


class OptionView(Struct, frozen=True):
    """An option of a game: every value offered with its meaning, the default first."""

    name: str
    label: str
    values: dict[str, str]
    numbers: list[int] | None  # the least and the greatest number that is offered too


class GameView(Struct, frozen=True):
    """A game as its page shows it."""

    name: str
    title: str
    summary: str
    how_to_write: str
    options: list[OptionView]
    levels: list[int]


class OwnMatch(Struct, frozen=True):
    """A match in which this browser has a seat."""

    id: str
    game: str
    title: str
    seats: list[int]
    names: list[str]
    moves: int
    waits: str  # for people, for the engine, or nobody when it is over
    touched: float


class Me(Struct, frozen=True):
    """What this browser has here; `csrf` goes along with everything it sends."""

    csrf: str | None
    matches: list[OwnMatch]


class Exploring(Struct, frozen=True, forbid_unknown_fields=True):
    """A position to look at: a game with moves played in it, or a record up to a ply."""

    game: Annotated[str, Meta(max_length=40)] | None = None
    options: Options = {}
    position: Annotated[str, Meta(max_length=400)] | None = None
    moves: Annotated[list[Annotated[str, Meta(max_length=400)]], Meta(max_length=2000)] = []
    record: Annotated[str, Meta(max_length=200_000)] | None = None
    ply: Annotated[int, Meta(ge=0)] | None = None


class Explored(Struct, frozen=True):
    """The position, with all its legal moves; nobody's game is disturbed."""

    game: str
    title: str
    options: dict[str, str | int]
    start: str | None
    seats: list[str]
    facts: str  # the options that are not the usual ones, in words
    turns: int  # of a round, by which moves are numbered
    moves: list[str]
    scene: Scene


def told_options(rules: Game[Any], say: Voice, *, usual: bool = False) -> list[str]:
    """The options that were chosen: numbers with their label, all else by what it means."""
    told = []
    for key, option in rules.options.items():
        value = str(rules.chosen[key])
        if usual or value != str(option[0]):
            plain = value[0].isdigit()
            told.append(f"{say(option.label)} {value}" if plain else say(option.meanings[value]))
    return told


def fingerprint(database: str | None) -> str:
    """Tells two databases apart, and nothing else about them."""
    return hashlib.sha256(located(database).render_as_string().encode()).hexdigest()[:16]


@get("/api/health", responses=faults(), tags=["reading"], operation_id="health")
async def health(house: TheHouse) -> Health:
    """Whether this is Quinconce."""
    settings = house.settings
    return Health(
        "quinconce",
        version("quinconce"),
        fingerprint(settings.database),
        house.engines.available,
        settings.shared,
    )


@get("/api/games", responses=faults(), tags=["reading"], operation_id="listGames")
async def games(request: Request[Any, Any, Any], language: Language) -> list[GameView]:
    """The games, with every option explained."""
    say = voice_of(request)
    return [game_view(name, say) for name in names()]


def game_view(name: str, say: Voice) -> GameView:
    """One game."""
    rules = find(name)
    options = [
        OptionView(
            key,
            say(option.label),
            {value: say(meaning) for value, meaning in option.meanings.items()},
            [option.numbers[0], option.numbers[-1]] if option.numbers else None,
        )
        for key, option in rules.options.items()
    ]
    return GameView(
        name, say(rules.title), say(rules.summary), say(rules.how_to_write), options, list(LEVELS)
    )


@get("/api/me", responses=faults(), tags=["reading"], operation_id="whatIsMine")
async def me(request: Request[Any, Any, Any], house: TheHouse, language: Language) -> Me:
    """The matches of this browser, the latest first."""
    secret, hash_ = secret_of(request), browser_hash(request)
    if secret is None or hash_ is None:
        return Me(None, [])
    say = voice_of(request)
    own = [
        OwnMatch(
            kept.id,
            kept.setup.game,
            say(find(kept.setup.game).title),
            seats,
            [chair.name for chair in kept.setup.seats],
            kept.moves,
            kept.waits,
            kept.touched,
        )
        for kept, seats in await house.store.held(hash_, MOST_OWN)
    ]
    return Me(csrf(secret), own)


@get(
    "/api/matches/{match:str}/record",
    media_type="text/plain",
    responses=faults(),
    tags=["reading"],
    operation_id="readRecord",
)
async def record(match: MatchId, house: TheHouse) -> Response[str]:
    """The record of a match, to save."""
    sheet = await written_down(house, match)
    return Response(sheet.text(), headers=to_save(sheet, match, "quinconce"))


@get(
    "/api/matches/{match:str}/record.json",
    responses=faults(),
    tags=["reading"],
    operation_id="readRecordAsJson",
)
async def record_json(match: MatchId, house: TheHouse) -> Response[dict[str, Any]]:
    """The record of a match as its JSON twin."""
    sheet = await written_down(house, match)
    return Response(sheet.json(), headers=to_save(sheet, match, "json"))


async def written_down(house: House, match: str) -> Record:
    """The record of a match as it is now."""
    async with house.live.entered(match) as room:
        return room.course.record(room.kept.made)


def to_save(sheet: Record, match: str, suffix: str) -> dict[str, str]:
    """The header by which a browser saves a record under a name."""
    name = f"{sheet.game.name}-{match}.{suffix}"
    return {"Content-Disposition": f'attachment; filename="{name}"'}


@post(
    "/api/explore",
    status_code=200,
    responses=faults(403, 413, 422, 429),
    tags=["reading"],
    operation_id="explore",
)
async def explore(
    data: JSONBody[Exploring], request: Request[Any, Any, Any], language: Language
) -> Explored:
    """Look at any position of any game, and what can be played in it."""
    return await asyncio.to_thread(explored, data, voice_of(request), from_behind(request))


def replayed(wish: Exploring) -> tuple[Match[Any], tuple[Seat, ...]]:
    """What is asked for, played from its start, and who sat there."""
    if wish.record is not None:
        told, match = read_record(wish.record)
        return match, told.seats
    if wish.game is None:
        raise ValueError(_("name a game, or send a record"))
    rules = game(wish.game, **wish.options)
    match = Match(rules, None if wish.position is None else rules.read(wish.position))
    for text in wish.moves:
        match.play(understood(rules, match.position, text))
    return match, ()


def explored(wish: Exploring, say: Voice, flipped: bool = False) -> Explored:
    """The position that is asked for."""
    match, seats = replayed(wish)
    if wish.ply is not None and wish.ply > len(match.moves):
        raise RefusalError(422, "ply", _("the match is not that long"))
    start = None if match.start == match.game.start() else match.game.write(match.start)
    return Explored(
        match.game.name,
        say(match.game.title),
        dict(match.game.chosen),
        start,
        [seat.name for seat in seats],
        " · ".join(told_options(match.game, say)),
        len(match.game.cycle),
        list(match.moves),
        scene(match, say, seats, wish.ply, flipped=flipped),
    )
