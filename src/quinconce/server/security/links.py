"""Links: to watch a match, and the secret one of every seat."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Literal
from urllib.parse import urlsplit

from quinconce.server.settings import LOCAL_HOSTS

Reach = Literal["machine", "network", "world"]


def watch_link(base: str, match: str) -> str:
    """The public link, which cannot play."""
    return f"{base}/match/{match}"


def seat_link(base: str, match: str, secret: str) -> str:
    """The link of a seat. What stands after # is never sent to a server, nor told to another."""
    return f"{base}/match/{match}#{secret}"


def link_reach(base: str) -> Reach:
    """How far a link works: on this machine only, in the local network, or anywhere."""
    name = urlsplit(base).hostname or ""
    if name in LOCAL_HOSTS:
        return "machine"
    try:
        return "network" if ip_address(name).is_private else "world"
    except ValueError:
        return "network" if name.endswith(".local") or "." not in name else "world"
