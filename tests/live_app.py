"""A server that listens, in a thread of this process, so that a test sees what goes on in it."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import fake_engines
import uvicorn
from app_client import make_settings

from quinconce.server.app import application
from quinconce.server.engines.jobs import report_slice
from quinconce.server.services import Services


class LiveApp:
    """Where it listens, and what it consists of."""

    def __init__(self, url: str, services: Services) -> None:
        self.url = url
        self.services = services


@contextmanager
def live_app(
    folder: Path,
    chooser: Callable[..., str] = fake_engines.first_move,
    report_slicer: Callable[..., str | None] = report_slice,
    **changes: Any,
) -> Iterator[LiveApp]:
    """A server whose engine is a stand-in in a thread."""
    door = socket.create_server(("127.0.0.1", 0))
    app = application(make_settings(folder, **changes), chooser, ThreadPoolExecutor, report_slicer)
    config = uvicorn.Config(app, log_config=None, timeout_graceful_shutdown=1, lifespan="on")
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, args=([door],))
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not open"
            thread.join(0.02)
        yield LiveApp(f"http://localhost:{door.getsockname()[1]}", app.state.services)
    finally:
        server.should_exit = True
        thread.join()
