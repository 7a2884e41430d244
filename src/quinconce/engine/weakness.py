"""What a player below full strength does not see: what they overlook, how far estimates are off."""

from __future__ import annotations

from typing import Any, NamedTuple

from quinconce.engine.workspace import (
    BLIND_FROM_PLY,
    BLINDNESS,
    CONTROL_SIZE,
    EVALUATION_NOISE,
    WEAKNESS_SEED,
)
from quinconce.kernels.array_types import Int64Array
from quinconce.kernels.arrays import ArrayMaker
from quinconce.kernels.bits import mix64
from quinconce.kernels.compiled import compiled, entry
from quinconce.kernels.protocol import key


class Weakness(NamedTuple):
    """How a player below full strength sees the board; the seed says what they miss this time."""

    noise: int = 0  # how far their estimates are off
    blindness: int = 0  # how many of 1024 positions they overlook
    blind_from_ply: int = 0  # from this ply on
    seed: int = 0


def new_control(weakness: Weakness, arrays: ArrayMaker) -> Int64Array:
    """The settings of a search by a player of this weakness; all others are 0."""
    control: Int64Array = arrays.zeros(CONTROL_SIZE)
    control[EVALUATION_NOISE] = weakness.noise
    control[BLINDNESS] = weakness.blindness
    control[BLIND_FROM_PLY] = weakness.blind_from_ply
    control[WEAKNESS_SEED] = weakness.seed
    return control


@compiled
def evaluation_noise(state: Any, control: Int64Array) -> int:
    """How far a weak player's estimate of a position is off, this time; 0 at full strength."""
    noise: int = control[EVALUATION_NOISE]
    if not noise:
        return 0
    return ((mix64(key(state) ^ control[WEAKNESS_SEED]) & 0xFFFF) * (2 * noise + 1) >> 16) - noise


@entry
def is_overlooked(here: int, ply: int, control: Int64Array) -> bool:
    """Whether a weak player does not see the position with this key, at this ply, this time."""
    blind: int = control[BLINDNESS]
    first: int = control[BLIND_FROM_PLY]
    return blind > 0 and ply >= first and (mix64(here + control[WEAKNESS_SEED]) & 1023) < blind
