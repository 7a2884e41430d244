"""`quinconce mcp` asked by the client of the protocol's own library: every tool, and nonsense."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from mcp import StdioServerParameters
from mcp.client.client import Client
from mcp.client.stdio import stdio_client
from mcp_types import ImageContent, TextContent

import quinconce
from quinconce.bridges.mcp import MOST_MATCHES, MatchTools, make_server

Asking = Callable[[Client], Awaitable[None]]


def ask(asking: Asking) -> None:
    """Ask the tools of a server in this process."""

    async def run() -> None:
        async with Client(make_server()) as client:
            await asking(client)

    asyncio.run(run())


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool answers, as data."""
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    found = answer.structured_content
    assert isinstance(found, dict)
    return found["result"] if set(found) == {"result"} else found


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """Why a tool refuses."""
    answer = await client.call_tool(tool, arguments)
    assert answer.is_error
    first = answer.content[0]
    assert isinstance(first, TextContent)
    text = first.text
    assert "\n" not in text
    assert "Traceback" not in text
    return text


def test_a_match_is_started_played_and_shown() -> None:
    async def asking(client: Client) -> None:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert names == {
            "list_games",
            "rules",
            "start",
            "legal_moves",
            "play",
            "position",
            "picture",
            "engine_move",
            "proven_value",
        }
        games = await call(client, "list_games")
        assert {each["game"] for each in games} == set(quinconce.names())
        options = {each["game"]: each["options"] for each in games}
        assert "1997" in options["diam"]["edition"]
        assert "# Diam" in await call(client, "rules", game="diam")
        assert "anneau" in await call(client, "rules", game="diam", language="fr")
        match = await call(client, "start", game="diam", options={"edition": "1997"})
        id_ = match["match"]
        assert (match["seat"], match["over"], match["moves"]) == (0, False, [])
        assert len(await call(client, "legal_moves", match=id_)) == 16
        after = await call(client, "play", match=id_, move="R@3")
        assert after["moves"] == ["r@3"]
        assert after["seat"] == 1
        assert await call(client, "position", match=id_) == after
        picture = (await client.call_tool("picture", {"match": id_})).content[0]
        assert isinstance(picture, ImageContent)
        assert picture.mime_type == "image/png"

    ask(asking)


def test_options_may_be_numbers() -> None:
    async def asking(client: Client) -> None:
        match = await call(client, "start", game="diam", options={"edition": 1997, "players": "4"})
        assert match["options"] == {"edition": "1997", "players": "4"}
        why = await refusal(client, "start", game="diam", options={"edition": 1900})
        assert "option edition cannot be '1900'" in why

    ask(asking)


def test_a_match_ends_and_says_how() -> None:
    async def asking(client: Client) -> None:
        start = "ccc..../....... turn=0"
        match = await call(client, "start", game="diadema", position=start)
        end = await call(client, "play", match=match["match"], move="@D")
        assert (end["over"], end["winners"]) == (True, [0])
        assert end["reason"] == "four side by side on a circle"
        assert await call(client, "legal_moves", match=match["match"]) == []
        assert "over" in await refusal(client, "play", match=match["match"], move="@E")
        assert "over" in await refusal(client, "engine_move", match=match["match"])

    ask(asking)


def test_nonsense_is_refused_in_one_line_and_changes_nothing() -> None:
    async def asking(client: Client) -> None:
        assert "no game" in await refusal(client, "rules", game="chess")
        assert "no game" in await refusal(client, "start", game="")
        assert "language" in await refusal(client, "rules", game="diam", language="de")
        assert "edition" in await refusal(client, "start", game="diam", options={"edition": "1812"})
        assert "position" in await refusal(client, "start", game="diam", position="nonsense")
        assert "no match" in await refusal(client, "play", match="7", move="r@1")
        match = await call(client, "start", game="diam")
        id_ = match["match"]
        assert "not a move" in await refusal(client, "play", match=id_, move="castle")
        assert "not yours" in await refusal(client, "play", match=id_, move="m@1")
        assert "level" in await refusal(client, "engine_move", match=id_, level=11)
        assert await call(client, "position", match=id_) == match

    ask(asking)


def test_the_match_that_was_touched_longest_ago_is_forgotten() -> None:
    tools = MatchTools()
    first, second = (tools.start("diam")["match"] for _match in range(2))
    for _match in range(MOST_MATCHES - 2):
        tools.start("diam")
    tools.position(first)
    tools.start("diam")
    assert tools.position(first)["match"] == first
    with pytest.raises(ValueError, match="no match"):
        tools.position(second)


@pytest.mark.slow
def test_the_engine_moves_and_what_is_proved_is_told() -> None:
    async def asking(client: Client) -> None:
        match = await call(client, "start", game="diadema")
        id_ = match["match"]
        proposed = await call(client, "engine_move", match=id_, level=1, play=False)
        assert proposed["moves"] == []
        played = await call(client, "engine_move", match=id_, level=1)
        assert played["moves"] == [played["move"]]
        proved = await call(client, "proven_value", match=id_)
        assert proved["value"] in ("win", "draw", "loss")
        assert len(proved["moves"]) == len(await call(client, "legal_moves", match=id_))
        other = await call(client, "start", game="buts")
        proved = await call(client, "proven_value", match=other["match"])
        assert proved == {"value": "unknown", "plies": None, "moves": {}}

    ask(asking)


@pytest.mark.process
def test_the_command_serves_over_standard_input_and_output() -> None:
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "quinconce", "mcp"], env=dict(os.environ)
    )

    async def run() -> None:
        async with Client(stdio_client(server)) as client:
            match = await call(client, "start", game="seega")
            after = await call(client, "play", match=match["match"], move="@a1+e5")
            assert json.loads(json.dumps(after))["moves"] == ["@a1+e5"]

    asyncio.run(run())
