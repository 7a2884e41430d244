"""Hypothesis on noisy machines, and a folder of endings that holds only what the tests solved."""

import atexit
import os
import shutil
import tempfile

from hypothesis import settings

if "PYTEST_XDIST_WORKER" not in os.environ:  # tests side by side share it
    os.environ["QUINCONCE_ENDINGS"] = tempfile.mkdtemp(prefix="quinconce-endings-")
    atexit.register(shutil.rmtree, os.environ["QUINCONCE_ENDINGS"], ignore_errors=True)

# No deadlines, and the same examples every time in CI.
settings.register_profile("house", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("house")
