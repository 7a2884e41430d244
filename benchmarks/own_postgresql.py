"""A PostgreSQL server of one's own, in a temporary folder: started, stopped, cut off at will."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

DEBIAN_FOLDERS: Final = Path("/usr/lib/postgresql")
PROGRAMS: Final = ("initdb", "postgres", "psql")
OWNERS: Final = ("postgres", "nobody")  # who runs it if we are root, which it refuses
OWNER: Final = "quinconce"
# Seconds after which one that neither runs nor ends is an error, far more than it needs.
START_TIMEOUT: Final = 120.0
SETTINGS: Final = {
    "fsync": "on",  # a move that was acknowledged is on the disk
    "max_connections": "200",
    "shared_buffers": "32MB",
    "dynamic_shared_memory_type": "mmap",  # containers have little of the other kind
    "unix_socket_directories": "",
    "listen_addresses": "127.0.0.1",
    "log_min_messages": "fatal",
}


def binaries_folder() -> Path | None:
    """Where the programs of PostgreSQL are, the newest first; None if they are not installed."""
    versions = [path for path in DEBIAN_FOLDERS.glob("*/bin") if path.parent.name.isdigit()]
    folders = sorted(versions, key=lambda path: int(path.parent.name), reverse=True)
    if found := shutil.which("initdb"):
        folders.append(Path(found).resolve().parent)
    for folder in folders:
        if all((folder / program).exists() for program in PROGRAMS):
            return folder
    return None


def why_missing() -> str | None:
    """Why no PostgreSQL can be started here; None if it can."""
    if binaries_folder() is None:
        return "PostgreSQL is not installed (Debian: apt-get install postgresql)"
    if os.geteuid() == 0 and server_user() is None:
        return "PostgreSQL does not run as root, and there is no user postgres or nobody"
    return None


def server_user() -> pwd.struct_passwd | None:
    """Who runs the server in our place if we are root."""
    known = {user.pw_name: user for user in pwd.getpwall()}
    return next((known[name] for name in OWNERS if name in known), None)


class PostgresqlServer:
    """A server of databases that nobody else knows."""

    def __init__(self, folder: Path) -> None:
        binaries = binaries_folder()
        assert binaries, why_missing()
        self.binaries = binaries
        self.folder = folder
        self.data = folder / "data"
        self.password = secrets.token_hex(16)
        self.rights: dict[str, Any] = {"cwd": folder}
        self.port = 0
        if os.geteuid() == 0:
            user = server_user()
            assert user, why_missing()
            self.rights |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
            os.chown(folder, user.pw_uid, user.pw_gid)
        self._make()
        self.start()

    def _make(self) -> None:
        password = self.folder / "password"
        password.write_text(self.password)
        password.chmod(0o644)  # in a folder that only we may enter
        options = ["--auth=password", f"--pwfile={password}", "--no-sync", "--locale=C"]
        subprocess.run(  # noqa: S603 (initdb)
            [self.binaries / "initdb", "-D", self.data, "-U", OWNER, "-E", "UTF8", *options],
            check=True,
            stdout=subprocess.DEVNULL,
            **self.rights,
        )

    def start(self) -> None:
        """Start it, always on the same port once it has one, and wait until it answers."""
        deadline = time.monotonic() + START_TIMEOUT
        port = self.port
        while True:
            self.port = port or free_port()
            options = [f"--{name}={value}" for name, value in SETTINGS.items()]
            with (self.folder / "log").open("ab") as log:
                self.process = subprocess.Popen(  # noqa: S603 (postgres)
                    [self.binaries / "postgres", "-D", self.data, f"--port={self.port}", *options],
                    stdout=log,
                    stderr=log,
                    start_new_session=True,  # an interrupt is meant for us alone
                    **self.rights,
                )
            while self.process.poll() is None and time.monotonic() < deadline:
                if self.is_ready():
                    return
                time.sleep(0.02)
            assert time.monotonic() < deadline, (self.folder / "log").read_text()

    def is_ready(self) -> bool:
        """Whether it takes connections: it says so itself, since another may have the port."""
        try:
            lines = (self.data / "postmaster.pid").read_text().split("\n")
        except FileNotFoundError:
            return False
        return lines[0] == str(self.process.pid) and lines[7:8] != [] and "ready" in lines[7]

    def stop(self, immediate: bool = False) -> None:
        """Stop it; `immediate` is what a power cut leaves, to be recovered at the next start."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGQUIT if immediate else signal.SIGINT)
            self.process.wait(START_TIMEOUT)

    def restart(self, immediate: bool = False) -> None:
        """Stop and start it, as `pg_ctl restart -m immediate` does."""
        self.stop(immediate)
        self.start()

    def address(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://{OWNER}:{self.password}@127.0.0.1:{self.port}/{database}"

    def run(self, command: str, database: str = "postgres") -> str:
        """Run one SQL command; returns the rows that it prints."""
        psql = [str(self.binaries / "psql"), "-qtAX", "-v", "ON_ERROR_STOP=1", "-c", command]
        return subprocess.run(  # noqa: S603 (psql)
            [*psql, self.address(database)], check=True, stdout=subprocess.PIPE, encoding="utf-8"
        ).stdout.strip()

    def create_database(self, name: str, template: str = "template1") -> str:
        """Make a database; returns its address."""
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.address(name)

    def drop_database(self, name: str) -> None:
        """Drop a database, though somebody may be connected to it."""
        self.run(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def cut_connections(self, application_name: str) -> int:
        """End every connection that goes by a name; returns how many there were."""
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name"
        return len(self.run(f"{cut} = '{application_name}'").split())


def free_port() -> int:
    """A port on which nobody listens at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def run_postgresql() -> Iterator[PostgresqlServer]:
    """A PostgreSQL server that is gone afterwards."""
    # Not in a folder of the tests, which another user cannot enter.
    folder = Path(tempfile.mkdtemp(prefix="quinconce-postgresql-"))
    try:
        server = PostgresqlServer(folder)
        try:
            yield server
        finally:
            server.stop(immediate=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
