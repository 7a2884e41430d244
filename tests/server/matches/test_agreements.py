"""What is said beside the board: takeback, stopping, resigning, hints, a rematch, a lent seat."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import fake_engines
import pytest
from app_client import TWO_FRIENDS, AppClient, FakeClock, MatchDriver, open_app

from quinconce.server.matches import events
from quinconce.server.matches.events import AnyAct, Event
from quinconce.server.matches.online_match import OnlineMatch
from quinconce.server.matches.setup import SeatSetup, Setup
from quinconce.server.matches.validation import validate_act

pytestmark = pytest.mark.anyio

FOUR = [{"kind": "friend"}] * 4
SCREEN = [{"kind": "me"}, {"kind": "here"}]
AGAINST_ENGINE = [{"kind": "me"}, {"kind": "engine", "level": 3}]


async def test_a_takeback_goes_to_the_askers_own_last_turn_once_the_other_agrees(
    tmp_path: Path,
) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        refused = await match.send(0, "agreements", matter="takeback")
        assert refused.status_code == 422
        await match.play("r@1 m@1 r@2 m@2")
        view = (await match.send_ok(0, "agreements", matter="takeback"))["view"]
        assert view["offers"] == [{"matter": "takeback", "seat": 0, "about": 2, "wanted_of": [1]}]
        assert len(view["moves"]) == 4
        view = (await match.send_ok(1, "agreements", matter="takeback"))["view"]
        assert view["moves"] == ["r@1", "m@1"]
        assert view["offers"] == []


async def test_who_has_not_come_yet_is_not_asked_about_a_takeback(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        await match.play("r@1")
        assert (await match.send_ok(0, "agreements", matter="takeback"))["view"]["moves"] == []
        for matter in ("hints", "stop"):
            view = (await match.send_ok(0, "agreements", matter=matter))["view"]
            assert view["offers"][-1]["wanted_of"] == [1]


async def test_an_offer_is_refused_withdrawn_or_lapses(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        await match.play("r@1 m@1")
        for who in (1, 0):  # the other refuses; the asker asks no longer
            await match.send_ok(0, "agreements", matter="stop")
            assert (await match.send_ok(who, "refusals", matter="stop"))["view"]["offers"] == []
        assert (await match.send(1, "refusals", matter="stop")).status_code == 422
        await match.send_ok(0, "agreements", matter="stop")
        view = await match.play("r@2")
        assert view["offers"] == []
        view = (await match.send_ok(1, "agreements", matter="stop"))["view"]
        assert view["scene"]["outcome"] is None


async def test_all_agree_to_stop(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        await match.play("r@1")
        await match.send_ok(1, "agreements", matter="stop")
        view = (await match.send_ok(0, "agreements", matter="stop"))["view"]
        assert view["scene"]["outcome"]["reason"] == "agreement"
        assert view["scene"]["status"] == "A draw: the players agreed to stop."


async def test_one_screen_has_one_voice(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match(seats=SCREEN)
        await match.play("r@1 m@1")
        view = (await match.send_ok(0, "agreements", matter="takeback"))["view"]
        assert view["moves"] == ["r@1"]
        assert view["hints"]
        view = (await match.send_ok(0, "agreements", matter="stop"))["view"]
        assert view["scene"]["outcome"]["reason"] == "agreement"


async def test_resigning_loses_and_in_a_team_both_have_to(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        view = (await match.send_ok(1, "resignations"))["view"]
        assert view["scene"]["outcome"]["winners"] == [0]
        assert view["resigning"] == []  # there is nobody who has still to agree
        match = await app.create_match(options={"players": 4}, seats=FOUR)
        view = (await match.send_ok(2, "resignations"))["view"]
        assert (view["scene"]["outcome"], view["resigning"]) == (None, [2])
        view = (await match.send_ok(3, "resignations"))["view"]
        assert view["scene"]["outcome"]["winners"] == [0, 1]
        assert view["resigning"] == []
        assert (await match.send(0, "resignations")).status_code == 422


async def test_an_engine_follows_its_partner_who_resigns(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        seats = [TWO_FRIENDS[0], TWO_FRIENDS[0], TWO_FRIENDS[0], {"kind": "engine", "level": 1}]
        match = await app.create_match(options={"players": 4}, seats=seats)
        view = (await match.send_ok(2, "resignations"))["view"]
        assert view["scene"]["outcome"]["winners"] == [0, 1]


async def test_each_for_themselves_the_engine_plays_on_for_who_resigns(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match(options={"edition": 1997, "players": 4}, seats=FOUR)
        await match.play("r@1")
        await match.send_ok(1, "resignations")
        view = await match.view_after(2, seat=2)
        assert view["scene"]["outcome"] is None
        assert (view["seats"][1]["kind"], view["seats"][1]["lent"]) == ("engine", False)
        assert (await match.send(1, "seat", back=True)).status_code == 422
        assert (await match.send(1, "resignations")).status_code == 422


async def test_against_the_engine_a_takeback_is_free_and_hints_are_given(tmp_path: Path) -> None:
    async with open_app(tmp_path, fake_engines.first_move) as app:
        match = await app.create_match(seats=AGAINST_ENGINE)
        await match.play("r@1")
        await match.view_after(2, seat=0)
        view = (await match.send_ok(0, "agreements", matter="takeback"))["view"]
        assert view["moves"] == []
        hint = await app.visitor.post(f"{match.path}/hints")
        assert hint.status_code == 200, hint.text
        assert hint.json()["move"] in {move["move"] for move in view["scene"]["legal"]}


@pytest.mark.parametrize("content", [True, False])
@pytest.mark.parametrize("whose_turn", [0, 1])
async def test_an_engine_answers_whoever_offers_it_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bool, whose_turn: int
) -> None:
    """In its own turn it answers first, and moves then."""
    considered = []

    def would_stop(_question: Any, seat: int) -> bool:
        considered.append(seat)
        return content

    monkeypatch.setattr("quinconce.server.engines.jobs.engine_accepts_stop", would_stop)
    gate = fake_engines.Gate()

    def wait_for_offer(question: Any) -> str:
        if question.match.moves and whose_turn:
            gate.wait()
        return fake_engines.first_move(question)

    async with open_app(tmp_path, wait_for_offer) as app:
        match = await app.create_match(seats=AGAINST_ENGINE)
        await match.play("r@1")
        if not whose_turn:
            await match.view_after(2, seat=0)
        view = (await match.send_ok(0, "agreements", matter="stop"))["view"]
        assert [offer["wanted_of"] for offer in view["offers"]] == [[1]]
        gate.open()
        if content:
            view = await match.view_when(lambda view: view["scene"]["outcome"], seat=0)
            assert view["scene"]["outcome"]["reason"] == "agreement"
        else:
            view = await match.view_when(
                lambda view: not view["offers"] and view["scene"]["turn"] == 0, seat=0
            )
            assert (view["scene"]["outcome"], len(view["moves"])) == (None, 2)
        assert considered == [1]


async def test_an_engine_that_cannot_consider_an_offer_refuses_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_question: Any, _seat: int) -> bool:
        raise RuntimeError("no opinion")

    monkeypatch.setattr("quinconce.server.engines.jobs.engine_accepts_stop", broken)
    async with open_app(tmp_path) as app:
        match = await app.create_match(seats=AGAINST_ENGINE)
        await match.send_ok(0, "agreements", matter="stop")
        view = await match.view_when(lambda view: not view["offers"], seat=0)
        assert view["scene"]["outcome"] is None


async def test_among_people_engines_are_not_asked_whether_to_stop(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        seats = [TWO_FRIENDS[0], TWO_FRIENDS[0], {"kind": "engine", "level": 1}]
        match = await app.create_match(options={"players": 3}, seats=seats)
        view = (await match.send_ok(0, "agreements", matter="stop"))["view"]
        assert view["offers"][0]["wanted_of"] == [1]
        view = (await match.send_ok(1, "agreements", matter="stop"))["view"]
        assert view["scene"]["outcome"]["reason"] == "agreement"


async def test_hints_are_off_between_people_unless_all_agree(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        refused = await match.people[0].post(f"{match.path}/hints")
        assert (refused.status_code, refused.json()["code"]) == (403, "hints")
        await match.send_ok(0, "agreements", matter="hints")
        view = (await match.send_ok(1, "agreements", matter="hints"))["view"]
        assert view["hints"]
        assert (await match.people[0].post(f"{match.path}/hints")).status_code == 200
        assert (await match.people[1].post(f"{match.path}/hints")).status_code == 409
        assert (await match.watcher.post(f"{match.path}/hints")).status_code == 403


async def rematch_of(app: AppClient, match: MatchDriver) -> MatchDriver:
    view = await match.view()
    return MatchDriver(
        app.client, {"id": view["rematch"]}, [person.token for person in match.people]
    )


async def test_a_rematch_swaps_seats_and_keeps_everybodys_keys(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match(
            seats=[{"kind": "friend", "name": "Ada"}, TWO_FRIENDS[0]], tag="club"
        )
        assert (await match.send(0, "agreements", matter="rematch")).status_code == 422
        await match.play("r@1 m@1 r@5 m@5")
        await match.send_ok(0, "agreements", matter="rematch")
        assert (await match.view())["rematch"] is None
        await match.send_ok(1, "agreements", matter="rematch")
        again = await rematch_of(app, match)
        view = await again.view(0)
        assert (view["mine"], view["seats"][1]["name"], view["tag"]) == ([1], "Ada", "club")
        assert all(seat["claimed"] for seat in view["seats"])
        assert view["moves"] == []
        moved = await again.people[1].post(
            f"{again.path}/moves", {"seq": view["seq"], "move": "r@1"}
        )
        assert moved.status_code == 200
        assert (await match.send(0, "agreements", matter="rematch")).status_code == 422


async def test_a_rematch_of_teams_keeps_partners_together(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match(options={"players": 4}, seats=FOUR)
        for seat in (0, 1):
            await match.send_ok(seat, "resignations")
        for seat in range(4):
            await match.send_ok(seat, "agreements", matter="rematch")
        again = await rematch_of(app, match)
        seats = [(await again.view(person))["mine"][0] for person in range(4)]
        assert sorted(seats) == [0, 1, 2, 3]
        assert seats[2] == 0  # who moved second moves first
        assert {frozenset(seats[:2]), frozenset(seats[2:])} == {
            frozenset((0, 1)),
            frozenset((2, 3)),
        }


async def test_the_seat_of_a_friend_who_left_is_lent_until_they_are_back(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker, lend_after=60.0) as app:
        match = await app.create_match()
        await match.play("r@1")
        refused = await match.send(0, "agreements", matter="engine", about=1)
        assert (refused.status_code, refused.json()["code"]) == (409, "present")
        assert (await match.send(0, "agreements", matter="engine")).status_code == 422
        assert (await match.view(0))["seats"][1]["lent_from"] is None  # nobody has come yet
        await match.send_ok(1, "seat", name="Zoë")
        view = await match.view(0)
        assert view["seats"][1]["lent_from"] == ticker.now + 60  # the page need not guess
        assert view["seats"][0]["lent_from"] == ticker.now + 60
        ticker.now = view["seats"][1]["lent_from"] - 0.1
        assert (await match.send(0, "agreements", matter="engine", about=1)).status_code == 409
        ticker.now += 0.1
        await match.send_ok(0, "agreements", matter="engine", about=1)
        view = await match.view_after(2, seat=0)
        assert (view["seats"][1]["kind"], view["seats"][1]["lent"]) == ("engine", True)
        view = (await match.send_ok(1, "seat", back=True))["view"]
        assert (view["seats"][1]["kind"], view["seats"][1]["lent"]) == ("friend", False)
        await match.play("r@2")
        await app.finish_turns()
        assert (await match.view())["scene"]["turn"] == 1


async def test_three_play_and_all_the_others_agree_about_the_one_who_left(tmp_path: Path) -> None:
    ticker = FakeClock()
    async with open_app(tmp_path, now=ticker) as app:
        match = await app.create_match(options={"players": 3}, seats=[TWO_FRIENDS[0]] * 3)
        await match.send_ok(1, "seat", name="Zoë")
        ticker.now += 61
        view = (await match.send_ok(0, "agreements", matter="engine", about=2))["view"]
        assert view["offers"][0]["wanted_of"] == [1]
        assert (await match.send(1, "agreements", matter="engine", about=0)).status_code == 422
        view = (await match.send_ok(1, "agreements", matter="engine"))["view"]
        assert view["seats"][2]["kind"] == "engine"


async def lend_seat(match: MatchDriver, clock: FakeClock, seat: int = 1) -> None:
    """Somebody comes to a seat and leaves it, and the first player lends it to the engine."""
    await match.send_ok(seat, "seat", name="Zoë")
    clock.now += 61
    await match.send_ok(0, "agreements", matter="engine", about=seat)
    assert (await match.view())["seats"][seat]["lent"]


async def test_a_lent_seat_is_still_somebodys_for_takebacks_and_hints(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_app(tmp_path, now=clock) as app:
        match = await app.create_match()
        await match.play("r@1 m@1")
        await lend_seat(match, clock)
        view = (await match.send_ok(0, "agreements", matter="takeback"))["view"]
        assert view["moves"] == ["r@1", "m@1"]
        assert view["offers"][0]["wanted_of"] == [1]
        assert not view["hints"]
        refused = await match.people[0].post(f"{match.path}/hints")
        assert (refused.status_code, refused.json()["code"]) == (403, "hints")
        refused = await match.send(0, "agreements", matter="hints")
        assert refused.status_code == 422
        assert refused.json()["error"] == "the engine plays for somebody, who has to be back first"
        await match.send_ok(1, "seat", back=True)
        view = (await match.send_ok(1, "agreements", matter="takeback"))["view"]
        assert view["moves"] == []


async def test_no_open_offer_is_granted_because_a_seat_is_lent(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_app(tmp_path, now=clock) as app:
        match = await app.create_match()
        await match.play("r@1 m@1")
        for matter in ("takeback", "hints"):
            await match.send_ok(0, "agreements", matter=matter)
        await lend_seat(match, clock)
        view = await match.view()
        assert (view["moves"], view["hints"]) == (["r@1", "m@1"], False)
        assert [offer["matter"] for offer in view["offers"]] == ["takeback", "hints"]


async def test_in_a_game_of_days_a_seat_is_lent_by_its_owner_only(tmp_path: Path) -> None:
    clock = FakeClock()
    async with open_app(tmp_path, now=clock) as app:
        match = await app.create_match(clock={"days": 2})
        await match.play("r@1 m@1")
        clock.now += 3600
        view = (await match.send_ok(0, "agreements", matter="engine", about=1))["view"]
        assert view["seats"][1]["kind"] == "friend"
        assert view["offers"] == [{"matter": "engine", "seat": 0, "about": 1, "wanted_of": [1]}]
        view = (await match.send_ok(1, "agreements", matter="engine", about=1))["view"]
        assert (view["seats"][1]["kind"], view["seats"][1]["lent"]) == ("engine", True)


async def test_hints_that_were_granted_beside_a_lent_seat_are_granted_when_replayed() -> None:
    setup = Setup("diam", [SeatSetup("friend")] * 3, {"players": 3}, order="given")
    stored: list[tuple[int | None, AnyAct]] = [
        (0, events.ClaimSeat()),
        (1, events.ClaimSeat()),
        (2, events.ClaimSeat()),
        (None, events.StandIn(2, 5, lent=True)),
        (0, events.Agree("hints")),
        (1, events.Agree("hints")),
    ]
    state = OnlineMatch(setup).after(
        Event(n, 0.0, seat, act) for n, (seat, act) in enumerate(stored, start=1)
    )
    assert state.hints_agreed
    with pytest.raises(ValueError, match="has to be back first"):
        validate_act(state, 0, events.Agree("hints"))


async def test_somebody_is_called_otherwise(tmp_path: Path) -> None:
    async with open_app(tmp_path) as app:
        match = await app.create_match()
        view = (await match.send_ok(1, "seat", name=" Zoë\u202e\n<b> "))["view"]
        assert view["seats"][1]["name"] == "Zoë <b>"
        assert view["seats"][1]["called"] == "Zoë <b> (brown and black)"
        refused = await match.send(1, "seat", name="x" * 41)
        assert refused.status_code == 400
        assert "length <= 40" in refused.json()["detail"]
