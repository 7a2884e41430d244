"""The connection to a Dask cluster, kept up in a thread of its own, away from the event loop.

A cluster is asked only after its scheduler, and a worker only after it, has said that it has the
same versions as this server.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import warnings
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

from quinconce.core.errors import error_line
from quinconce.core.phrase import _
from quinconce.core.worker_pools import load_distributed
from quinconce.server.engines import jobs
from quinconce.server.engines.jobs import OtherVersionError, Versions

LOG: Final = logging.getLogger("quinconce.server")
SCHEMES: Final = ("tcp", "tls")
CONNECT_TIMEOUT: Final = 3.0  # seconds in which a scheduler answers
REPLY_TIMEOUT: Final = 10.0  # seconds in which a scheduler and its workers say how they are
LOOK_INTERVAL: Final = 0.5  # seconds between two looks at the cluster
CLOSE_TIMEOUT: Final = 5.0  # seconds for a good-bye
NOBODY_ANSWERS: Final = "nobody answers"
# Of two questions, a worker of Dask's takes the one with the higher priority.
MOVE_PRIORITY, HINT_PRIORITY, SLICE_PRIORITY, PRELOAD_PRIORITY = 20, 10, 5, 0

T = TypeVar("T")


class ClusterLostError(Exception):
    """The cluster went away, or those who were thinking; it is worth asking again."""


class WorkersDiedError(Exception):
    """One worker after the other died over a question."""


def check_scheduler_address(address: str) -> tuple[str, int]:
    """The host and port of a scheduler; ValueError if the address is none."""
    try:
        parts = urlsplit(address)
        if parts.scheme in SCHEMES and parts.hostname and parts.port:
            return parts.hostname, parts.port
    except ValueError:  # a port that is none
        pass
    raise ValueError(
        _("{address} is not the address of a Dask scheduler, as tcp://HOST:8786", address=address)
    )


class ClusterConnection:
    """A connection to a Dask cluster that heals by itself.

    `on_change` is called with the number of questions that the cluster can think about at once,
    in the thread of the connection, as soon as it is known and whenever it changes. With `preload`,
    every new worker loads the engine before anybody asks.
    """

    def __init__(
        self, address: str, on_change: Callable[[int], object], *, preload: bool = False
    ) -> None:
        self.address = address
        self._host_port = check_scheduler_address(address)
        self._on_change = on_change
        self._preload = preload
        self._distributed = load_distributed()
        self._versions = jobs.own_versions()
        self._client: Any = None
        self._checked: dict[str, bool | None] = {}  # whether a worker has our versions; None: asked
        self.threads: Mapping[str, int] = {}  # of the workers that may be asked
        self._chores: set[asyncio.Task[None]] = set()
        self._trouble: str | None = None  # as the log was told last
        self._capacity: int | None = None  # as `on_change` was called last
        self._changed = asyncio.Event()  # set when workers or the whole cluster come or go
        self._loop = asyncio.SelectorEventLoop()
        self._closing = asyncio.Event()
        self._thread = threading.Thread(target=self._run, daemon=True, name="cluster")

    # What others call, from any thread.

    def open(self) -> None:
        """Begin to look for the cluster."""
        self._thread.start()

    def submit(
        self,
        do: Callable[..., T],
        about: tuple[object, ...],
        priority: int,
        workers: set[str] | None = None,
    ) -> Future[T]:
        """Ask the cluster, or some of its workers; ClusterLostError if it is to be asked again."""
        answer = self._answer(do, about, priority, workers)
        try:
            return asyncio.run_coroutine_threadsafe(answer, self._loop)
        except RuntimeError:  # the connection was closed meanwhile
            answer.close()
            raise ClusterLostError from None

    def close(self) -> None:
        """Leave the cluster, which drops what it was asked."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join(2 * CLOSE_TIMEOUT)
        else:
            self._loop.close()

    # In the thread of the connection.

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._stay())

    async def _stay(self) -> None:
        # What differs is told in a line of our own.
        mismatch = self._distributed.versions.VersionMismatchWarning
        warnings.filterwarnings("ignore", category=mismatch)
        keeper = asyncio.create_task(self._keep_connected())
        await self._closing.wait()
        keeper.cancel()
        await asyncio.wait({keeper})

    async def _keep_connected(self) -> None:
        # A cancellation alone may be lost: `wait_for` drops it when its answer comes just then.
        while not self._closing.is_set():
            trouble = NOBODY_ANSWERS
            try:
                await self._watch(await self._connect())
            except Exception as error:  # whatever it is, the next attempt may succeed
                trouble = error_line(error)
            finally:
                await self._leave()
            self._use({}, trouble)
            await asyncio.sleep(LOOK_INTERVAL)

    async def _connect(self) -> Any:
        # Dask itself would try again and again for a while, and leave a coroutine behind.
        try:
            _reader, writer = await asyncio.wait_for(
                asyncio.open_connection(*self._host_port), CONNECT_TIMEOUT
            )
        except OSError:
            raise ClusterLostError(NOBODY_ANSWERS) from None
        writer.close()
        client = self._distributed.Client(
            self.address, asynchronous=True, timeout=CONNECT_TIMEOUT, set_as_default=False
        )
        try:
            return await client
        except BaseException:  # or it would complain when it is forgotten
            await self._close(client)
            raise

    async def _leave(self) -> None:
        client, self._client = self._client, None
        self._note_change()
        self._checked.clear()
        if client:
            await self._close(client)

    async def _close(self, client: Any) -> None:
        with suppress(Exception):  # there is nobody to say good-bye to
            await asyncio.wait_for(client.close(), CLOSE_TIMEOUT)

    async def _watch(self, client: Any) -> None:
        """Look who is there, for as long as the connection lasts."""
        self._client = client
        await self._check_scheduler(client)
        while client.status == "running" and not self._closing.is_set():
            threads = await asyncio.wait_for(client.nthreads(), REPLY_TIMEOUT)
            self._checked = {each: good for each, good in self._checked.items() if each in threads}
            for worker in threads.keys() - self._checked.keys():
                self._checked[worker] = None
                self._start_chore(self._check_worker(client, worker))
            fit = {each: n for each, n in threads.items() if self._checked[each]}
            asking = None in self._checked.values()
            if fit or self.threads or not asking:
                self._use(fit, worker_trouble(len(threads), asking))
            await asyncio.sleep(LOOK_INTERVAL)

    @property
    def _tell_versions(self) -> tuple[Callable[..., Any], list[str]]:
        """A function of Dask's own, which they can run without Quinconce, too."""
        return self._distributed.versions.get_versions, ["quinconce", "distributed"]

    async def _check_scheduler(self, client: Any) -> None:
        """Raise ClusterLostError if the scheduler, which reads every question, has not our code."""
        found = await asyncio.wait_for(client.run_on_scheduler(*self._tell_versions), REPLY_TIMEOUT)
        if (versions := Versions.of(found["packages"])) != self._versions:
            raise ClusterLostError(f"its scheduler has {versions}, this server {self._versions}")

    async def _check_worker(self, client: Any, worker: str) -> None:
        """Find out whether a new worker may be asked, and say why if it may not."""
        try:
            answers = await asyncio.wait_for(
                client.run(*self._tell_versions, workers=[worker]), REPLY_TIMEOUT
            )
        except Exception:
            self._checked.pop(worker, None)  # so that it is asked again, if it is still there
            raise
        versions = Versions.of(answers[worker]["packages"])
        self._checked[worker] = versions == self._versions
        if versions != self._versions:
            LOG.warning(
                "the worker %s gets no work: it has %s, this server %s",
                worker,
                versions,
                self._versions,
            )

    def _use(self, threads: Mapping[str, int], trouble: str) -> None:
        """Ask these workers from now on; without any, `trouble` says why."""
        new = threads.keys() - self.threads.keys()
        if not threads and self._trouble != trouble:
            self._trouble = trouble
            LOG.warning("the cluster %s is away: %s", self.address, trouble)
        elif threads and self._trouble:
            self._trouble = None
            LOG.warning("the cluster %s is back", self.address)
        if threads != self.threads:
            self.threads = threads
            self._note_change()
        if (capacity := sum(threads.values())) != self._capacity:
            self._capacity = capacity
            self._on_change(capacity)
        if self._preload:
            for worker in sorted(new):
                self._start_chore(self._ask({worker}, jobs.load_engine, (), PRELOAD_PRIORITY))

    def _note_change(self) -> None:
        """Let those look who wait for an answer: the one who thinks of it may be gone."""
        self._changed.set()
        self._changed = asyncio.Event()

    def _start_chore(self, work: Coroutine[Any, Any, None]) -> None:
        chore = asyncio.create_task(work)
        self._chores.add(chore)
        chore.add_done_callback(self._end_chore)

    def _end_chore(self, chore: asyncio.Task[None]) -> None:
        self._chores.discard(chore)
        error = None if chore.cancelled() else chore.exception()
        if error and not isinstance(error, ClusterLostError):
            LOG.info("a worker could not be made ready ahead: %r", error)

    async def _answer(
        self,
        do: Callable[..., T],
        about: tuple[object, ...],
        priority: int,
        workers: set[str] | None,
    ) -> T:
        some = set(self.threads) if workers is None else workers
        return await self._ask(some, do, about, priority)

    async def _ask(
        self, workers: set[str], do: Callable[..., T], about: tuple[object, ...], priority: int
    ) -> T:
        """The answer of one of some workers; one that dies while it thinks leaves it to another."""
        client = self._client
        if client is None or client.status != "running" or not workers:
            raise ClusterLostError
        question = client.submit(
            jobs.answer_same_version,
            self._versions,
            do,
            about,
            pure=False,
            priority=priority,
            workers=sorted(workers),
        )
        answer: asyncio.Future[T] = asyncio.ensure_future(question.result())
        try:
            while not answer.done():
                change: asyncio.Future[Any] = asyncio.ensure_future(self._changed.wait())
                tasks: set[asyncio.Future[Any]] = {answer, change}
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                change.cancel()
                # Dask would wait for workers that never come back.
                if client is not self._client or not workers & self.threads.keys():
                    raise ClusterLostError
            return answer.result()
        except OtherVersionError:  # somebody else answers at the address of a worker
            self._checked.clear()
            raise ClusterLostError from None
        except (CancelledError, self._distributed.comm.CommClosedError):
            raise ClusterLostError from None
        except self._distributed.KilledWorker:
            raise WorkersDiedError from None
        finally:
            answer.cancel()
            question.release()


def worker_trouble(workers: int, asking: bool) -> str:
    """Why no worker can be asked."""
    if not workers:
        return "it has no worker"
    if asking:
        return "its workers have not said yet which versions they have"
    return "no worker has the versions of this server"
