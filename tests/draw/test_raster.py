"""Moving pictures: a frame a move, all of one size, in the file that was asked for."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from typing import Any

import pytest
from PIL import Image, ImageChops

from quinconce import Match, game, picture_of
from quinconce.draw import raster
from quinconce.draw.raster import MAX_FRAMES, moving_frames, moving_plies, render_moving

MOVES = {
    "diam": "r@1 m@1 o@3 n@3",
    "seega": "@c1+e5 @c5+e4",
    "buts": "G6-F6 B5-C5",
    "diadema": "@3 @D @F",
}
WIDTH = 120


def played(name: str, moves: str | None = None, **options: str) -> Match[Any]:
    match = Match(game(name, **options))
    for move in (MOVES[name] if moves is None else moves).split():
        match.play(move)
    return match


def render(match: Match[Any], kind: str, **looks: Any) -> Any:
    *_begun, (done, total, content) = render_moving(match, kind, width=WIDTH, **looks)
    assert done == total
    return Image.open(io.BytesIO(content))


def frames_of(file: Any) -> list[Any]:
    found = []
    for i in range(file.n_frames):
        file.seek(i)
        found.append(file.convert("RGB"))
    return found


@pytest.mark.parametrize("name", MOVES)
def test_a_match_has_a_frame_for_its_start_and_one_a_move(name: str) -> None:
    match = played(name)
    file = render(match, "gif")
    frames = frames_of(file)
    assert file.format == "GIF"
    assert len(frames) == len(match.moves) + 1
    assert {frame.size[0] for frame in frames} == {WIDTH}
    for before, after in pairwise(frames):
        assert ImageChops.difference(before, after).getbbox()


def test_the_frames_differ_where_the_move_was_played() -> None:
    before, after = frames_of(render(played("buts", "G6-F6"), "gif"))
    changed = ImageChops.difference(before, after).getbbox()
    assert changed
    left, top, right, bottom = changed
    width, height = before.size
    assert right - left < width / 2
    assert bottom - top < height / 2


def test_the_last_frame_is_shown_longer_and_the_first_follows_it() -> None:
    file = render(played("diadema"), "gif")
    durations = []
    for i in range(file.n_frames):
        file.seek(i)
        durations.append(file.info["duration"])
    assert durations == [raster.FRAME_TIME] * 3 + [raster.LAST_FRAME_TIME]
    assert file.info["loop"] == 0


def test_webp_turned_and_dark_are_other_pictures() -> None:
    match = played("buts")
    plain = render(match, "webp")
    assert (plain.format, plain.n_frames) == ("WEBP", 3)
    first = frames_of(plain)[0]
    dark, turned = render(match, "webp", theme="dark"), render(match, "webp", flipped=True)
    assert sum(frames_of(dark)[0].convert("L").histogram()[:64]) > 0
    assert first.getpixel((0, 0))[0] > 200 > frames_of(dark)[0].getpixel((0, 0))[0]
    last, turned_last = frames_of(plain)[-1], frames_of(turned)[-1]
    assert ImageChops.difference(last, turned_last).getbbox()


def test_reserves_keep_their_place_when_they_are_empty() -> None:
    match = played(
        "seega",
        "@c1+e5 @c5+e4 @b2+d4 @a1+d1 @a4+b5 @c2+d3 @d5+e3 @b1+b4 @d2+e1 @c4+e2 @a2+b3 @a3+a5",
    )
    assert picture_of(match).height < picture_of(match, 0).height
    found = {str(re.findall(r'viewBox="[^"]*"', svg)) for svg in moving_frames(match)}
    assert len(found) == 1


@pytest.mark.parametrize("length", [0, 1, 2, 40, MAX_FRAMES - 1, MAX_FRAMES, 299, 2000])
def test_a_long_match_shows_its_start_its_end_and_as_many_moves_as_fit(length: int) -> None:
    plies = moving_plies(length)
    assert (plies[0], plies[-1]) == (0, length)
    assert plies == sorted(set(plies))
    assert len(plies) <= MAX_FRAMES
    if length < MAX_FRAMES:
        assert plies == list(range(length + 1))
    else:
        assert len({after - before for before, after in pairwise(plies[1:])}) == 1


def test_a_position_without_moves_is_one_frame() -> None:
    assert render(played("seega", ""), "gif").n_frames == 1


def test_other_formats_and_widths_are_refused() -> None:
    with pytest.raises(ValueError, match="gif or webp"):
        next(render_moving(played("buts"), "avi"))
    for width in (0, -1, raster.MAX_WIDTH + 1):
        with pytest.raises(ValueError, match="pixels wide"):
            raster.check_width(width)
