"""What holds for the tests of the bridges: asyncio, where a test awaits something."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
