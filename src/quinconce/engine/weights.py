"""The weights of the evaluations: fitted on matches played, or else set by hand."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Final

from quinconce.kernels.kernel import Kernel
from quinconce.kernels.protocol import Weights

# A game with its options -> the name of a feature -> its weight.
WEIGHTS_FILE: Final = "weights.json"


def weights_key(kernel: Kernel, options: int | None = None) -> str:
    """The game and those of its options that have weights of their own, or the first of them."""
    chosen = kernel.game.chosen
    names = kernel.weight_options[:options]
    return " ".join([kernel.game.name, *(f"{name}={chosen[name]}" for name in names)])


@cache
def read_weights_file() -> dict[str, dict[str, int]]:
    """All weights that were fitted."""
    text = files(__package__).joinpath(WEIGHTS_FILE).read_text(encoding="utf-8")
    found: dict[str, dict[str, int]] = json.loads(text)
    return found


def evaluation_weights(kernel: Kernel, by_hand: bool = False) -> Weights:
    """The weights of a kernel's features as an array."""
    import numpy as np

    return np.array(weight_values(kernel, by_hand), np.int64)


def weight_values(kernel: Kernel, by_hand: bool = False) -> list[int]:
    """The weights of a kernel's features, in their order: those of the nearest form there is.

    A weight in the file for a feature that the kernel does not have is a KeyError: the feature was
    renamed, and the weight would be lost in silence.
    """
    values = dict(kernel.features)
    if not by_hand:
        for options in range(len(kernel.weight_options) + 1):
            name = weights_key(kernel, options)
            known = read_weights_file().get(name, {})
            if unknown := sorted(known.keys() - values.keys()):
                raise KeyError(f"{WEIGHTS_FILE}: {name} has no feature {', '.join(unknown)}")
            values.update(known)
    return [values[name] for name in kernel.features]
