"""The contract of a device: it answers what a server answers, in status and in shape."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from corpus import FORMS, random_match
from device_pair import Pair, open_pair

from quinconce import Game
from quinconce.core.registry import names
from quinconce.puzzles.puzzle import all_puzzles
from quinconce.study.lesson_files import steps_of
from quinconce.words import LANGUAGES

anyio = pytest.mark.anyio
SCREEN = [{"kind": "me", "name": "Ada"}, {"kind": "here", "name": "Bo"}]
LONE: list[dict[str, Any]] = [{"kind": "me"}, {"kind": "engine", "level": 3}]
NOWHERE = "abcdefghijkl"
FIRST_FORMS = [next(form for form in FORMS if form.name == name) for name in names()]


async def compare_positions(pair: Pair, form: Game[Any], count: int, plies: int) -> None:
    """Positions of random matches, legal moves and drawings, one language after the other."""
    chance = random.Random(form.form_id)
    for n in range(count):
        match = random_match(form, chance, chance.randrange(plies))
        asked = {"game": form.name, "options": form.chosen, "moves": match.moves}
        lang = LANGUAGES[n % len(LANGUAGES)]
        await pair.ok("POST", f"/api/explore?lang={lang}&flip={n % 3 // 2}", asked)
        await pair.ok("POST", f"/api/explore?lang={lang}", {**asked, "search": True})
        if match.moves:
            await pair.ok("POST", "/api/explore", {**asked, "ply": len(match.moves) // 2})
        start = {"game": form.name, "options": form.chosen}
        position = form.write(match.position)
        await pair.ok("POST", f"/api/editor?lang={lang}", {**start, "position": position})
        record = match_record(match)
        await pair.ok("POST", f"/api/explore?lang={lang}", {"record": record})


def match_record(match: Any) -> str:
    from quinconce import Record

    return Record.of(match).text()


@anyio
@pytest.mark.slow
async def test_positions_of_every_game_are_told_alike(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as pair:
        for form in FIRST_FORMS:
            await compare_positions(pair, form, 2, 12)


@anyio
@pytest.mark.long
@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.form_id)
async def test_positions_of_every_form_are_told_alike(tmp_path: Path, form: Game[Any]) -> None:
    async with open_pair(tmp_path) as pair:
        await compare_positions(pair, form, 8, 120)
        assert pair.asked >= 32


@anyio
@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
async def test_games_lessons_and_puzzles_are_told_alike(tmp_path: Path, lang: str) -> None:
    async with open_pair(tmp_path) as pair:
        await pair.ok("GET", f"/api/games?lang={lang}")
        await pair.ok(
            "GET",
            "/api/games",
        )
        for name in names():
            await pair.ask("GET", f"/api/engine?game={name}&lang={lang}")
            for step in list(steps_of(name))[:2]:
                await compare_step(pair, name, step, lang)
            await pair.ok("GET", f"/api/puzzles?game={name}")
            for puzzle in all_puzzles(name)[:1]:
                await compare_puzzle(pair, puzzle, lang, judged=name == "diam")


@anyio
@pytest.mark.long
@pytest.mark.parametrize("name", names())
async def test_every_lesson_and_many_puzzles_are_told_alike(tmp_path: Path, name: str) -> None:
    async with open_pair(tmp_path) as pair:
        for lang in LANGUAGES:
            for step in steps_of(name):
                await compare_step(pair, name, step, lang)
            for puzzle in all_puzzles(name)[::7]:
                await compare_puzzle(pair, puzzle, lang, judged=True)


async def compare_step(pair: Pair, name: str, step: str, lang: str) -> None:
    path = f"/api/lessons/{name}/{step}"
    view = await pair.ok("GET", f"{path}?lang={lang}")
    await pair.ok("POST", f"{path}/moves?lang={lang}", {"move": view["answer"]})
    legal = [each["move"] for each in view["scene"]["legal"] or []]
    for move in (*legal[:1], "nonsense", ""):
        await pair.ask("POST", f"{path}/moves?lang={lang}", {"move": move})


async def compare_puzzle(pair: Pair, puzzle: Any, lang: str, *, judged: bool) -> None:
    path = f"/api/puzzles/{puzzle.id}"
    await pair.ok("GET", f"{path}?lang={lang}")
    await pair.ok("GET", f"{path}/solution?lang={lang}")
    await pair.ok("POST", f"{path}/hints", {})
    await pair.ask("POST", f"{path}/moves?lang={lang}", {"moves": ["nonsense"]})
    if judged:
        first = puzzle.line[0]
        await pair.ok("POST", f"{path}/moves?lang={lang}", {"moves": [first]})
        other = next(move for move in puzzle.match().legal() if move != first)
        await pair.ok("POST", f"{path}/moves?lang={lang}", {"moves": [other]})


# Matches.


async def make(pair: Pair, game: str, seats: list[dict[str, Any]], **more: Any) -> str:
    body = {"game": game, "seats": seats, "order": "given", **more}
    made: str = (await pair.ok("POST", "/api/matches", body))["id"]
    return f"/api/matches/{made}"


async def act(pair: Pair, path: str, what: str, **body: Any) -> tuple[int, Any]:
    seq = body.pop("seq", None)
    if seq is None:
        seq = (await pair.ok("GET", path))["seq"]
    found: tuple[int, Any] = await pair.ask("POST", f"{path}/{what}", {"seq": seq, **body})
    return found


async def compare_readings(pair: Pair, path: str, lang: str) -> None:
    """Everything that can be read of a match."""
    for what in ("", "/plies/0", "/plies/999", "/record", "/record.json", "/engine", "/review"):
        await pair.ask("GET", f"{path}{what}?lang={lang}")
    for what in ("/plies/x", "/record?review=1", "/record?review=maybe", "/nothing"):
        await pair.ask("GET", path + what)
    await pair.ask("GET", "/api/me")
    page = path.removeprefix("/api").replace("/matches/", "/match/")
    for address in (page, f"{page}/print", "/"):
        await pair.ask("GET", f"{address}?lang={lang}", accept="text/html")


@anyio
async def test_a_match_at_one_screen_goes_alike(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as pair:
        path = await make(pair, "diam", SCREEN)
        await compare_readings(pair, path, "en")
        for move in ("r@1", "M@1", "r @ 1", "nonsense", "r@99", "m@1"):
            await act(pair, path, "moves", move=move)
        await act(pair, path, "moves", move="r@2", seq=0)  # stale
        await act(pair, path, "moves", move="r@1", seq=0)  # the same again
        await act(pair, path, "moves", move="m@2", seat=0)
        await act(pair, path, "moves", move="m@2", seat=5)
        for matter in ("takeback", "hints", "rematch", "engine", "nonsense"):
            await act(pair, path, "agreements", matter=matter)
            await act(pair, path, "refusals", matter=matter)
        await act(pair, path, "seat", name="  Zoë\n the  First ")
        await act(pair, path, "seat", back=True)
        await compare_readings(pair, path, "fr")
        await act(pair, path, "resignations")
        await act(pair, path, "resignations")
        await compare_readings(pair, path, "fr")
        status, answer = await act(pair, path, "agreements", matter="rematch")
        assert status == 200
        following = f"/api/matches/{answer['view']['rematch']}"
        pair.clock.now += 1  # of two matches, the latest is told first
        await act(pair, following, "agreements", matter="stop")
        await compare_readings(pair, following, "en")
        assert await pair.ok("DELETE", path) == ""
        await compare_readings(pair, path, "en")


@anyio
async def test_a_match_against_the_engine_is_reviewed_alike(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as pair:
        path = await make(pair, "buts", LONE)
        for _turn in range(3):
            view = await pair.ok("GET", path)
            move = view["scene"]["legal"][-1]["move"]
            await act(pair, path, "moves", move=move)
            await settle(pair, path, len(view["moves"]) + 2)
        await pair.ok("POST", f"{path}/hints", {})
        await pair.ok("GET", f"{path}/remark?lang=fr")
        await act(pair, path, "agreements", matter="takeback")
        await act(pair, path, "resignations")
        await pair.ask("POST", f"{path}/review/attempts", {"ply": 1, "move": "x"})
        await pair.ask("POST", f"{path}/review?lang=fr", {"again": "perhaps"})
        await pair.ask_server("POST", f"{path}/review", {})
        await pair.device.ok("POST", pair.translate(f"{path}/review"), {})
        await reviewed(pair, path)
        review = await pair.ok("GET", f"{path}/review?lang=fr")
        assert review["state"] == "done"
        await pair.ok("GET", f"{path}/record?review=true&lang=fr")
        for query in ("", "?theme=dark&side=1", "?side=7", "?theme=pink", "?side=x"):
            await pair.ask("GET", f"{path}/review/curve.svg{query}")
        played = review["plies"][0]["move"]
        legal = (await pair.ok("POST", "/api/explore", {"game": "buts"}))["scene"]["legal"]
        for move in (played, legal[0]["move"], legal[3]["move"], "nonsense"):
            await pair.ask("POST", f"{path}/review/attempts?lang=fr", {"ply": 1, "move": move})
        await pair.ask("POST", f"{path}/review/attempts", {"ply": 99, "move": played})


async def settle(pair: Pair, path: str, moves: int) -> None:
    """Wait until the engine has moved on both."""
    from waiting import until_true

    async def has_moved() -> bool:
        server = (await pair.ask_server("GET", path))[1]
        device = await pair.device.ok("GET", pair.translate(path))
        return min(len(each["moves"]) for each in (server, device)) >= moves

    await until_true(has_moved)


async def reviewed(pair: Pair, path: str) -> None:
    """Wait until both have reviewed a match."""
    from waiting import until_true

    async def is_done() -> bool:
        server = (await pair.ask_server("GET", f"{path}/review"))[1]
        device = await pair.device.ok("GET", pair.translate(f"{path}/review"))
        return bool(server["state"] == device["state"] == "done")

    await until_true(is_done)


@anyio
async def test_a_clock_runs_out_alike(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as pair:
        path = await make(pair, "diam", SCREEN, clock={"minutes": 1, "increment": 2})
        await act(pair, path, "moves", move="r@1")
        pair.clock.now += 20
        await act(pair, path, "moves", move="m@1")
        await pair.ok("GET", path)
        pair.clock.now += 100
        view = await pair.ok("GET", path)
        assert view["scene"]["outcome"]["reason"] == "time"
        await act(pair, path, "moves", move="r@2")


SETUPS: list[Any] = [
    {"game": "diam", "seats": SCREEN[:1]},
    {"game": "diam", "seats": [SCREEN[0]] * 2},
    {"game": "diam", "seats": [LONE[1]] * 2},
    {"game": "diam", "seats": [{"kind": "engine"}, SCREEN[0]]},
    {"game": "diam", "seats": [{"kind": "engine", "level": 99}, SCREEN[0]]},
    {"game": "nothing", "seats": SCREEN},
    {"game": "diam", "seats": SCREEN, "options": {"edition": "1900"}},
    {"game": "diam", "seats": SCREEN, "position": "nonsense"},
    {"game": "diam", "seats": SCREEN, "clock": {}},
    {"game": "diam", "seats": SCREEN, "clock": {"minutes": -1}},
    {"game": "diam", "seats": SCREEN, "unknown": 1},
    {"game": "diam"},
    {},
    [],
    "text",
    None,
    b'{"game": "diam", "seats": [{"kind"',
    b"\xff\xfe",
    b"",
]


@anyio
async def test_setups_that_are_none_are_refused_alike(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as pair:
        for n, setup in enumerate(SETUPS):
            await pair.ask("POST", f"/api/matches?lang={LANGUAGES[n % 2]}", setup)


GARBAGE: list[tuple[str, str, Any]] = [
    ("GET", "/api/nothing", None),
    ("GET", "/nothing", None),
    ("PATCH", "/api/games", None),
    ("POST", "/api/games", {}),
    ("GET", f"/api/matches/{NOWHERE}", None),
    ("GET", "/api/matches/short", None),
    ("POST", f"/api/matches/{NOWHERE}/moves", {"seq": 0, "move": "r@1"}),
    ("POST", f"/api/matches/{NOWHERE}/moves", {"seq": -1, "move": "r@1"}),
    ("POST", f"/api/matches/{NOWHERE}/moves", {"move": "r@1"}),
    ("POST", f"/api/matches/{NOWHERE}/moves", b'{"seq": 1, "mo'),
    ("GET", f"/match/{NOWHERE}", None),
    ("GET", "/api/lessons/nothing/nothing", None),
    ("GET", "/api/lessons/diam/nothing", None),
    ("GET", "/api/puzzles/aaaaaaaa", None),
    ("GET", "/api/puzzles/AAAA", None),
    ("GET", "/api/puzzles", None),
    ("GET", "/api/puzzles?game=nothing", None),
    ("POST", "/api/puzzles/aaaaaaaa/moves", {"moves": []}),
    ("GET", "/api/engine", None),
    ("GET", "/api/engine?game=diam&edition=1900", None),
    ("GET", "/api/engine?game=diam&stage=late", None),
    ("POST", "/api/explore", {}),
    ("POST", "/api/explore", {"game": "diam", "moves": ["r@1", "r@1"]}),
    ("POST", "/api/explore", {"game": "diam", "moves": ["nonsense"]}),
    ("POST", "/api/explore", {"game": "diam", "ply": 3}),
    ("POST", "/api/explore", {"game": "diam", "position": "nonsense"}),
    ("POST", "/api/explore", {"game": "seega", "options": {"size": "4"}}),
    ("POST", "/api/explore", {"record": "no record"}),
    ("POST", "/api/explore", {"record": '[Game "diam"]\n\n1. r@1 r@1'}),
    ("POST", "/api/explore", {"game": "diam", "touched": ["1", "nowhere"]}),
    ("POST", "/api/editor", {"game": "diam", "put": {"place": "x", "piece": "r"}}),
    ("POST", "/api/editor", {"game": "diam", "fields": {"nothing": 1}}),
    ("POST", "/api/editor", {"game": "diam", "clear": True}),
    ("POST", "/api/variations", {"game": "diam", "nodes": [{"after": 7, "move": "r@1"}]}),
    ("POST", "/api/variations", {"game": "diam", "nodes": [{"after": -1, "move": "r@1"}]}),
    ("POST", "/api/analysis", {"game": "diam", "moves": ["nonsense"]}),
    ("POST", "/api/analysis", {"game": "diam", "lines": 77}),
    ("POST", "/api/analysis/words", {"game": "diam", "depth": 1, "lines": []}),
    (
        "POST",
        "/api/analysis/words",
        {"game": "diam", "depth": 1, "lines": [{"states": "?", "score": 0, "proved": 0}]},
    ),
    ("POST", "/api/truths", {"game": "diadema", "moves": ["nonsense"]}),
    ("POST", "/api/truths", {"game": "diadema", "match": "x"}),
    ("POST", "/api/truths", {"game": "diadema", "match": NOWHERE}),
    ("GET", "/picture/diam.svg?moves=r@1", None),
    ("GET", "/picture/diam.svg?moves=r@1&theme=pink", None),
    ("GET", "/picture/diam.svg?turned=1&theme=dark&lang=fr", None),
    ("GET", "/picture/diam.bmp", None),
    ("GET", "/picture/nothing.svg", None),
    ("GET", "/picture/diam.svg?width=3", None),
    ("GET", "/picture/diam.svg?position=nonsense", None),
    ("GET", f"/api/studies/{NOWHERE}", None),
    ("POST", "/api/studies", {"boards": []}),
    ("POST", "/api/studies", {"boards": [{"game": "nothing"}]}),
    ("PUT", f"/api/studies/{NOWHERE}", {"version": 1, "boards": [{"game": "diam"}]}),
    ("DELETE", f"/api/studies/{NOWHERE}", None),
    ("GET", f"/study/{NOWHERE}", None),
]


@anyio
@pytest.mark.parametrize("lang", LANGUAGES)
async def test_garbage_is_refused_alike(tmp_path: Path, lang: str) -> None:
    async with open_pair(tmp_path) as pair:
        for method, path, body in GARBAGE:
            sign = "&" if "?" in path else "?"
            await pair.ask(method, f"{path}{sign}lang={lang}", body)


@anyio
async def test_a_study_is_kept_alike(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as pair:
        nodes = [{"after": -1, "move": "r@1", "note": "first"}, {"after": 0, "move": "m@1"}]
        content = {"title": " A  study ", "boards": [{"game": "diam", "nodes": nodes}]}
        made = await pair.ok("POST", "/api/studies", content)
        path, token = f"/api/studies/{made['id']}", f"Bearer {made['secret']}"
        own = f"Bearer {pair.names[made['secret']]}"
        await pair.ok("GET", path)
        for version in (1, 1, 7):
            change = {"version": version, **content, "title": "Other"}
            server = await pair.ask_server("PUT", path, change, authorization=token)
            device = await pair.device.ask("PUT", pair.translate(path), change, authorization=own)
            assert (server[0], pair.normal(server[1])) == (device[0], pair.normal(device[1]))
        await pair.ok("GET", path)
        for what in ("/boards/0/record", "/boards/0/record.json", "/boards/9/record"):
            await pair.ask("GET", path + what)
        await pair.ask("DELETE", path)
        await pair.ask("GET", path, authorization="Bearer nothing")
        await pair.ask("GET", path.removeprefix("/api").replace("studies", "study"))


@anyio
@pytest.mark.slow
async def test_what_is_proved_is_told_alike(tmp_path: Path) -> None:
    async with open_pair(tmp_path) as pair:
        for asked in (
            {"game": "diadema"},
            {"game": "buts", "moves": []},
            {"game": "diam", "moves": ["r@1"], "since": 1},
        ):
            for lang in LANGUAGES:
                await pair.ok("POST", f"/api/truths?lang={lang}", asked)


PAGES = [
    "/learn",
    "/learn/diam",
    "/learn/diam?edition=2011",
    "/learn/diam/print",
    "/learn/diam/print?lesson=nothing",
    "/learn/nothing",
    "/learn/diam/nothing",
    "/puzzles",
    "/puzzles/run",
    "/puzzles/diam",
    "/puzzles/diam?edition=nothing",
    "/puzzles/diam/run",
    "/puzzles/diam/print?count=3",
    "/puzzles/diam/print?count=-3",
    "/puzzles/nothing",
    "/game/seega?size=7",
    "/game/diam?edition=2011&with=friends",
    "/game/diam?edition=1900",
    "/game/diam?position=nonsense",
    "/game/nothing",
    "/analysis",
    "/analysis?game=diam&moves=r@1+m@1",
    "/rules/diam",
    "/rules/diam/short?edition=2011",
    "/known",
    "/nothing",
]


@anyio
@pytest.mark.slow
@pytest.mark.parametrize("lang", LANGUAGES)
async def test_pages_are_the_same(tmp_path: Path, lang: str) -> None:
    async with open_pair(tmp_path) as pair:
        for path in PAGES:
            sign = "&" if "?" in path else "?"
            await pair.ask("GET", f"{path}{sign}lang={lang}", accept="text/html")
