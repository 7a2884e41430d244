"""Several server processes on one port: started, replaced when they die, stopped together."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import socket
import threading
import time
from collections.abc import Callable
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from tempfile import TemporaryDirectory
from typing import Final

from msgspec.structs import replace

from quinconce.core.phrase import _
from quinconce.server.engines.jobs import MoveChooser
from quinconce.server.http_server import GRACEFUL_SECONDS, serve_socket
from quinconce.server.log_format import LogStyle, configure_logging
from quinconce.server.metrics import FOLDER_VARIABLE, forget_process
from quinconce.server.settings import Settings

LOG: Final = logging.getLogger("quinconce.server")
FIRST_PAUSE: Final = 0.5  # seconds before a process that died at once is replaced
LONGEST_PAUSE: Final = 30.0  # seconds: the pause doubles until then
LONG_LIFE: Final = 30.0  # seconds after which a death is no longer «at once»


def child_settings(settings: Settings, count: int) -> Settings:
    """The settings of one process of several, which share the cores."""
    return replace(settings, workers=max(1, settings.workers // count))


def run_child(
    settings: Settings,
    door: socket.socket,
    ready: Connection,
    chooser: MoveChooser | None,
    verbose: bool,
    log: LogStyle,
) -> None:
    """Run one of several processes, which ends when its parent does."""
    configure_logging(verbose, log, several=True)
    threading.Thread(target=end_with_parent, args=(settings.drain,), daemon=True).start()
    serve_socket(settings, door, lambda: ready.send(True), chooser=chooser, ignore_interrupt=True)


def end_with_parent(drain: float) -> None:
    """Stop as soon as the parent process is gone, however it died."""
    if parent := multiprocessing.parent_process():
        wait([parent.sentinel])
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(drain + 2 * GRACEFUL_SECONDS)
        os._exit(1)


class Child:
    """One of several processes: the one that runs, or the time when there will be another."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.process: SpawnProcess | None = None
        self.ready: Connection | None = None  # where it says that it answers
        self.is_ready = False
        self.started_at = 0.0
        self.pause = 0.0  # seconds before the next one is started
        self.due = 0.0

    def note_death(self, now: float) -> None:
        """Let it be replaced; the pause grows if it has not lived for long."""
        quick = now - self.started_at < LONG_LIFE
        self.pause = min(max(2 * self.pause, FIRST_PAUSE), LONGEST_PAUSE) if quick else 0.0
        self.due = now + self.pause
        self.process, self.is_ready = None, False


class Supervisor:
    """Keeps several processes alive on one listening socket."""

    def __init__(
        self,
        settings: Settings,
        door: socket.socket,
        count: int,
        chooser: MoveChooser | None = None,
        verbose: bool = False,
        log: LogStyle = "text",
    ) -> None:
        self.door = door
        self.children = [Child(child_settings(settings, count)) for _each in range(count)]
        self.stopping = False
        self._arguments = (chooser, verbose, log)

    def run(self, ready: Callable[[], None]) -> None:
        """Serve until a signal comes; ValueError if a process dies before all were ready once."""
        handlers = {
            sig: signal.signal(sig, lambda _sig, _frame: self.stop())
            for sig in (signal.SIGINT, signal.SIGTERM)
        }
        try:
            with TemporaryDirectory(prefix="quinconce-metrics-") as folder:
                os.environ[FOLDER_VARIABLE] = folder
                self._keep_alive(ready)
        finally:
            self.stop()
            for child in self.children:
                if child.process:
                    child.process.join()
            for sig, handler in handlers.items():
                signal.signal(sig, handler)

    def _keep_alive(self, ready: Callable[[], None]) -> None:
        announced = False
        while any(child.process for child in self.children) or not self.stopping:
            self._start_due()
            self._watch()
            if announced or self.stopping:
                continue
            if any(child.process is None for child in self.children):
                raise ValueError(_("the server could not start: the reason stands above"))
            if all(child.is_ready for child in self.children):
                announced = True
                ready()

    def stop(self) -> None:
        """Let all processes drain and end; asked for again, let them end at once."""
        self.stopping = True
        self.door.close()
        for child in self.children:
            if child.process:
                child.process.terminate()

    def _start_due(self) -> None:
        for child in self.children:
            if self.stopping or child.process or child.due > time.monotonic():
                continue
            child.ready, sender = multiprocessing.Pipe(duplex=False)
            arguments = (child.settings, self.door, sender, *self._arguments)
            process = multiprocessing.get_context("spawn").Process(target=run_child, args=arguments)
            # Until it has a handler of its own, Ctrl-C in a terminal would end it with a traceback.
            interrupt = signal.signal(signal.SIGINT, signal.SIG_IGN)
            process.start()
            signal.signal(signal.SIGINT, interrupt)
            sender.close()
            child.process, child.started_at = process, time.monotonic()
            if self.stopping:  # a signal came meanwhile
                process.terminate()

    def _watch(self) -> None:
        """Wait until a process is ready, or dies, or is to be started."""
        now = time.monotonic()
        running = [child for child in self.children if child.process]
        due = [child.due - now for child in self.children if child.process is None]
        news = [child.ready for child in running if child.ready]
        sentinels = [child.process.sentinel for child in running if child.process]
        wait([*news, *sentinels], max(0.0, min(due)) if due and not self.stopping else None)
        for child in running:
            self._look_at(child)

    def _look_at(self, child: Child) -> None:
        if child.ready and child.ready.poll():
            try:
                child.is_ready = child.ready.recv()
            except EOFError:
                child.is_ready = False
            child.ready.close()
            child.ready = None
        if child.process and not child.process.is_alive():
            process = child.process
            process.join()
            forget_process(process.pid or 0, os.environ[FOLDER_VARIABLE])
            child.note_death(time.monotonic())
            if not self.stopping:
                LOG.warning("process %s died (%s) and is replaced", process.pid, process.exitcode)
