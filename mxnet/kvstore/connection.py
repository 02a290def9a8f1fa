"""Connections to the job's store: where it listens, how it is reached, and why if it is not."""

from __future__ import annotations

import errno
import ipaddress
import logging
import os
import pathlib
import queue
import socket
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Any, TypeVar

import torch.distributed as dist

from ..error import MXNetError

if TYPE_CHECKING:
    from .cluster import Environment

T = TypeVar("T")

__all__ = ["another_connection", "first_line", "port_owner", "in_time", "open_store", "within"]

_logger = logging.getLogger(__name__)
_PAUSE = 0.2
_BACKLOG = 2048
_LISTEN_STATE = "0A"


def first_line(text: str) -> str:
    """The first line of an error of torch's, which may have a trace of many."""
    return text.strip().split("\n", 1)[0][:300]


# ---- limits of time ------------------------------------------------------------------------------------------------


def within(seconds: float, function: Callable[[], T], in_vain: Callable[[], bool] = lambda: False) -> T:
    """What a function gives that waits for others; TimeoutError if that takes longer, or cannot succeed any more.

    A connection to a host that is cut off gives neither an answer nor an error, for many minutes.
    """
    results: queue.SimpleQueue[tuple[Any, BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            results.put((function(), None))
        except BaseException as error:  # raised again in the thread that waits
            results.put((None, error))

    threading.Thread(target=run, name="mxnet-kvstore-joining", daemon=True).start()
    limit = time.monotonic() + seconds
    while True:
        try:
            result, error = results.get(timeout=max(0.0, min(_PAUSE, limit - time.monotonic())))
        except queue.Empty:
            if time.monotonic() >= limit or in_vain():
                raise TimeoutError(f"nothing after {seconds:g} s") from None
            continue
        if error is not None:
            raise error
        return result


def in_time(function: Callable[[], T], seconds: float, otherwise: str) -> T:
    """What a function gives that asks the store; an MXNetError if that takes longer."""
    try:
        return within(seconds, function)
    except TimeoutError:
        raise MXNetError(otherwise) from None


# ---- the holder of the store -----------------------------------------------------------------------------------------


def _addresses(host: str, port: int) -> list[tuple[Any, Any]]:
    """The families and addresses of a host, IPv4 first: where a name has both, everybody can reach that."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    pairs = [(family, address) for family, _, _, _, address in found if family in (socket.AF_INET, socket.AF_INET6)]
    return sorted(pairs, key=lambda pair: pair[0] != socket.AF_INET)


def _bound(family: Any, address: Any) -> socket.socket:
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


def _is_address(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
        return True
    except ValueError:
        return False


def _listener(env: Environment) -> socket.socket:
    """A socket that listens at the address of the store only, if this host has that address.

    A host's own name may lead to 127.0.1.1 on the host itself and to another address elsewhere, and the name of a
    service to an address that no host has. All interfaces are listened at then.
    """
    exact = _is_address(env.host) or env.host == "localhost"
    for family, address in _addresses(env.host, env.port):
        if not exact and ipaddress.ip_address(address[0].split("%")[0]).is_loopback:
            continue
        try:
            return _bound(family, address)
        except OSError as error:
            if error.errno != errno.EADDRNOTAVAIL:
                raise
    _logger.warning(
        "%s does not say by which address others reach this host (%s): the job's store listens at port %d of all its "
        "network interfaces",
        env.host,
        socket.gethostname(),
        env.port,
    )
    return _bound(socket.AF_INET, ("", env.port))


def _hold(env: Environment) -> dist.Store:
    """Opens the store in this process."""
    variable = "DMLC_PS_ROOT_PORT" if env.scheduled else "MASTER_PORT"
    try:
        if sys.platform == "win32":  # torch cannot take over a socket there
            return _torch_store(env, holds=True)
        # torch would listen at all interfaces
        return _torch_store(env, holds=True, listener=_listener(env).detach())
    except (OSError, RuntimeError, ValueError) as error:
        text = str(error)
        if getattr(error, "errno", None) == errno.EADDRINUSE or "EADDRINUSE" in text or "in use" in text:
            by = _holder(env)
            raise MXNetError(
                f"port {env.port} is in use{by and f' by {by}'}, so that no job can be held there: end the other "
                f"job or program, or choose another {variable}"
            ) from None
        raise MXNetError(f"cannot hold the job's store at {env.address}: {first_line(text)}") from error


def _torch_store(env: Environment, holds: bool, listener: int | None = None) -> dist.Store:
    # torch tries to connect two or three times, for as long as is said here
    limit = timedelta(seconds=0.3 * env.timeout)
    store = dist.TCPStore(
        env.host,
        env.port,
        is_master=holds,
        timeout=limit,
        wait_for_workers=False,
        use_libuv=True,
        master_listen_fd=listener,
    )
    store.set_timeout(timedelta(seconds=env.timeout))
    return store


# ---- the others ------------------------------------------------------------------------------------------------------


def open_store(env: Environment) -> dist.Store:
    """The store that all processes of the job share: opened here, or a connection to it."""
    return _hold(env) if env.holds_store else _reach(env)


def _reach(env: Environment) -> dist.Store:
    """A connection to the store, which may not be there yet."""
    who = "scheduler" if env.scheduled else "first worker, or torchrun's agent,"
    limit = time.monotonic() + env.timeout
    try:
        _knock(env, limit)
    except OSError as error:
        raise MXNetError(
            f"no {who} was found at {env.address} within {env.timeout:g} s (MXNET_KVSTORE_TIMEOUT). Is it running, is "
            f"the address right, and is there a way to it from {socket.gethostname()}? {first_line(str(error))}"
        ) from error
    try:  # torch waits for ever for a program that takes connections and says nothing
        return within(max(0.1, limit - time.monotonic()), lambda: _torch_store(env, holds=False))
    except (OSError, RuntimeError, ValueError) as error:
        said = "" if isinstance(error, TimeoutError) else f" ({first_line(str(error))})"
        by = _holder(env)
        raise MXNetError(
            f"what answers at {env.address}{by and f', {by},'} is not the {who} of a job{said}: it took a "
            f"connection, and that was all within {env.timeout:g} s (MXNET_KVSTORE_TIMEOUT). End what holds the "
            f"port, or choose another {'DMLC_PS_ROOT_PORT' if env.scheduled else 'MASTER_PORT'}"
        ) from error


def another_connection(env: Environment) -> dist.Store:
    """A further connection to a store that was there before."""
    try:
        _connect(env, 0.5 * env.timeout)  # if nothing listens there torch retries forever
        return _torch_store(env, holds=False)
    except (OSError, RuntimeError) as error:
        raise MXNetError(f"{env.holder} cannot be reached any more ({first_line(str(error))})") from error


def _knock(env: Environment, limit: float) -> None:
    """Waits until something answers where the store should be: torch would fill the screen with traces meanwhile."""
    while True:
        try:
            return _connect(env, max(limit - time.monotonic(), 0.1))
        except OSError:  # refused, without an answer, or a name that is not known yet
            if time.monotonic() + _PAUSE > limit:
                raise
            time.sleep(_PAUSE)


def _connect(env: Environment, seconds: float) -> None:
    """Sees whether something answers where the store should be."""
    socket.create_connection((env.host, env.port), timeout=seconds).close()


# ---- owners of ports ------------------------------------------------------------------------------------------------


def _holder(env: Environment) -> str:
    """Describes the process that listens at the store's port; empty if unknown."""
    try:
        addresses = {address[0] for _, address in _addresses(env.host, env.port)}
        for address in addresses:
            with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as probe:
                probe.bind((address, 0))  # fails if it is the address of another host
    except OSError:
        return ""
    return port_owner(env.port)


def port_owner(port: int) -> str:
    """Describes the process of this host that listens at a port; empty if unknown (only Linux tells)."""
    inodes = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = pathlib.Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == _LISTEN_STATE and int(fields[1].rpartition(":")[2], 16) == port:
                inodes.add(f"socket:[{fields[9]}]")
    if not inodes:
        return ""
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if any(os.readlink(file) in inodes for file in (process / "fd").iterdir()):
                return f"{(process / 'comm').read_text().strip()} (process {process.name})"
        except OSError:  # it has ended, or belongs to somebody else
            continue
    return "a process of another user"
