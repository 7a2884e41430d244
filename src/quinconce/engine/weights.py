"""The weights of the evaluations: fitted on matches played, or else set by hand."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from quinconce.kernels.protocol import Kernel, Weights

FITTED: Final = "weights.json"  # a game with its options -> the name of a feature -> its weight


def form(kernel: Kernel) -> str:
    """The game and those of its options that have weights of their own."""
    chosen = kernel.game.chosen
    return " ".join([kernel.game.name, *(f"{name}={chosen[name]}" for name in kernel.fitted_for)])


@cache
def fitted() -> dict[str, dict[str, int]]:
    """All weights that were fitted."""
    text = files(__package__).joinpath(FITTED).read_text(encoding="utf-8")
    found: dict[str, dict[str, int]] = json.loads(text)
    return found


def weights(kernel: Kernel, by_hand: bool = False) -> Weights:
    """The weights of a kernel's features, in their order."""
    values = dict(kernel.features)
    if not by_hand:
        values.update(fitted().get(form(kernel), {}))
    return np.array([values[name] for name in kernel.features], np.int64)
