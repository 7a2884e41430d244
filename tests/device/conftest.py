"""What holds for the tests of the device: asyncio."""

import pytest


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
