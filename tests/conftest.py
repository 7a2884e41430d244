"""Hypothesis on noisy machines: no deadlines, and the same examples every time in CI."""

import os

from hypothesis import settings

settings.register_profile("house", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("house")
