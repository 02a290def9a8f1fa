"""Who takes part in a job: what the environment says, how processes find each other, and who is let in.

Two ways to start a job are known. The original's environment (``DMLC_ROLE`` and its like) has a scheduler, which holds
torch's TCPStore at ``DMLC_PS_ROOT_URI:DMLC_PS_ROOT_PORT``, servers and workers. torchrun (``RANK``, ``WORLD_SIZE``,
``MASTER_ADDR``, ``MASTER_PORT``) has workers only; its agent or the first worker holds the store.

Everybody says hello in the store, with a proof of the job's token; the scheduler, or the first worker, lets them in or
says why not. What follows is kept under names that only those who know the token can tell.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import queue
import secrets
import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import torch.distributed as dist

import mxnet

from ..error import MXNetError, MXNetValueError

__all__ = [
    "PROTOCOL",
    "Environment",
    "Member",
    "Registrar",
    "in_time",
    "join",
    "open_store",
    "timeout_seconds",
    "whole_number",
    "within",
]

#: Changes whenever what processes say to each other does.
PROTOCOL = 3
_POLL = 0.02
_PAUSE = 0.2
_MOST_SILENT = 1000
_ROLES = ("scheduler", "server", "worker")


def timeout_seconds() -> float:
    """How long to wait for another process: ``MXNET_KVSTORE_TIMEOUT``, 60 s if that is not set."""
    given = os.environ.get("MXNET_KVSTORE_TIMEOUT", "60")
    try:
        seconds = float(given)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e7:
        raise MXNetValueError(f"MXNET_KVSTORE_TIMEOUT must be a number of seconds greater than 0, got {given!r}")
    return seconds


@dataclass(frozen=True)
class Environment:
    """What the environment says about the job and the place of this process in it."""

    role: str
    host: str
    port: int
    workers: int
    servers: int
    #: The number that this process has, or would like to have.
    rank: int | None
    token: str
    timeout: float
    #: Does a scheduler let processes in, rather than the first worker?
    scheduled: bool
    #: Does this process hold the store?
    holds_store: bool
    #: What tells a restarted job from the one before, in a store that outlives it.
    run: str = ""

    @property
    def address(self) -> str:
        """Where the store is, to be read by people."""
        return f"{self.host}:{self.port}"

    @property
    def holder(self) -> str:
        """Who holds the store, and where, to be read by people."""
        who = "scheduler" if self.scheduled else "process that holds the job's store"
        return f"the {who} at {self.address}"

    @property
    def size(self) -> int:
        """How many workers and servers there are."""
        return self.workers + self.servers

    @staticmethod
    def read(environ: Mapping[str, str] | None = None) -> Environment | None:
        """What the environment says; None if it says nothing about a job."""
        env = os.environ if environ is None else environ
        if "DMLC_ROLE" in env or "DMLC_PS_ROOT_URI" in env:
            return _from_dmlc(env)
        if "RANK" in env and "WORLD_SIZE" in env:
            return _from_torchrun(env)
        return None


def whole_number(env: Mapping[str, str], name: str, low: int, default: int | None = None) -> int:
    """A variable of the environment that is a whole number of at least ``low``."""
    given = env.get(name)
    if given is None:
        if default is not None:
            return default
        raise MXNetValueError(f"the environment has {_known(env)} but no {name}: distributed training needs it")
    try:
        value = int(given)
    except ValueError:
        value = low - 1
    if value < low:
        raise MXNetValueError(f"{name} must be a whole number of at least {low}, got {given!r}")
    return value


def _known(env: Mapping[str, str]) -> str:
    return ", ".join(n for n in ("DMLC_ROLE", "DMLC_PS_ROOT_URI", "RANK", "WORLD_SIZE") if n in env)


def _token(env: Mapping[str, str]) -> str:
    return env.get("MXNET_KVSTORE_TOKEN") or env.get("DMLC_JOB_TOKEN", "")


def _from_dmlc(env: Mapping[str, str]) -> Environment:
    role = env.get("DMLC_ROLE", "worker")
    if role not in _ROLES:
        raise MXNetValueError(f"DMLC_ROLE must be one of {', '.join(_ROLES)}, got {role!r}")
    if "DMLC_PS_ROOT_URI" not in env:
        raise MXNetValueError("DMLC_ROLE is set but not DMLC_PS_ROOT_URI, the address of the scheduler's host")
    wanted = env.get("DMLC_WORKER_ID", env.get("DMLC_TASK_ID")) if role == "worker" else None
    return Environment(
        role=role,
        host=env["DMLC_PS_ROOT_URI"],
        port=whole_number(env, "DMLC_PS_ROOT_PORT", 1),
        workers=whole_number(env, "DMLC_NUM_WORKER", 1),
        servers=whole_number(env, "DMLC_NUM_SERVER", 0, default=0),
        rank=int(wanted) if wanted is not None and wanted.isdigit() else None,
        token=_token(env),
        timeout=timeout_seconds(),
        scheduled=True,
        holds_store=role == "scheduler",
    )


def _from_torchrun(env: Mapping[str, str]) -> Environment:
    rank, workers = whole_number(env, "RANK", 0), whole_number(env, "WORLD_SIZE", 1)
    if rank >= workers:
        raise MXNetValueError(f"RANK is {rank}, but WORLD_SIZE is {workers}: ranks are counted from 0")
    if workers > 1 and "MASTER_ADDR" not in env:
        raise MXNetValueError("RANK and WORLD_SIZE are set but not MASTER_ADDR, the host of the first worker")
    return Environment(
        role="worker",
        host=env.get("MASTER_ADDR", "127.0.0.1"),
        port=whole_number(env, "MASTER_PORT", 1, default=None if workers > 1 else 29500),
        workers=workers,
        servers=0,
        rank=rank,
        token=_token(env),
        timeout=timeout_seconds(),
        scheduled=False,
        holds_store=rank == 0 and env.get("TORCHELASTIC_USE_AGENT_STORE") != "True",
        run=f"{env.get('TORCHELASTIC_RUN_ID', '')}/{env.get('TORCHELASTIC_RESTART_COUNT', '0')}",
    )


# ---- the store -----------------------------------------------------------------------------------------------------


def open_store(env: Environment) -> Any:
    """The store that all processes of the job share: held here, or a connection to where it is held."""
    try:
        if not env.holds_store:
            _knock(env)
        return _torch_store(env, holds=env.holds_store)
    except (OSError, RuntimeError, ValueError) as error:
        text = str(error)
        if env.holds_store:
            if "EADDRINUSE" in text or "in use" in text:
                raise MXNetError(
                    f"port {env.port} is in use, so that no job can be held there: end the other job or program, or "
                    f"choose another {'DMLC_PS_ROOT_PORT' if env.scheduled else 'MASTER_PORT'}"
                ) from None
            raise MXNetError(f"cannot hold the job's store at {env.address}: {_first_line(text)}") from error
        who = "scheduler" if env.scheduled else "first worker, or torchrun's agent,"
        raise MXNetError(
            f"no {who} was found at {env.address} within {env.timeout:g} s (MXNET_KVSTORE_TIMEOUT). Is it running, is "
            f"the address right, and is there a way to it from {socket.gethostname()}? {_first_line(text)}"
        ) from error


def _torch_store(env: Environment, holds: bool) -> Any:
    # torch tries to connect two or three times, for as long as is said here
    limit = timedelta(seconds=0.3 * env.timeout)
    store = dist.TCPStore(env.host, env.port, is_master=holds, timeout=limit, wait_for_workers=False, use_libuv=True)
    store.set_timeout(timedelta(seconds=env.timeout))
    return store


def _knock(env: Environment) -> None:
    """Waits until something answers where the store should be: torch would fill the screen with traces meanwhile."""
    limit = time.monotonic() + env.timeout
    while True:
        try:
            _connect(env, max(limit - time.monotonic(), 0.1))
            return
        except OSError:  # refused, without an answer, or a name that is not known yet
            if time.monotonic() + _PAUSE > limit:
                raise
            time.sleep(_PAUSE)


def _connect(env: Environment, seconds: float) -> None:
    """Sees whether something answers where the store should be."""
    socket.create_connection((env.host, env.port), timeout=seconds).close()


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0][:300]


def _proof(token: str, *parts: str) -> str:
    return hmac.new(token.encode(), "\0".join(parts).encode(), hashlib.sha256).hexdigest()


@dataclass(frozen=True)
class Member:
    """This process as a member of the job."""

    env: Environment
    role: str
    rank: int
    #: The store with the names of this job only.
    store: Any
    #: The connection below it; kept since a store must not outlive what holds it.
    base: Any
    space: str

    @property
    def name(self) -> str:
        """``worker 0``, ``server 1`` or ``scheduler``."""
        return self.role if self.role == "scheduler" else f"{self.role} {self.rank}"

    def another_store(self) -> Any:
        """A connection of its own, for another thread: a waiting one would keep it from being used."""
        try:
            _connect(self.env, 0.5 * self.env.timeout)  # if nobody is there torch tries again and again
            return dist.PrefixStore(self.space, _torch_store(self.env, holds=False))
        except (OSError, RuntimeError) as error:
            raise MXNetError(f"{self.env.holder} cannot be reached any more ({_first_line(str(error))})") from error

    def everybody(self) -> list[str]:
        """The names of all workers and servers."""
        return [f"worker {i}" for i in range(self.env.workers)] + [f"server {i}" for i in range(self.env.servers)]


def _hello(env: Environment) -> dict[str, Any]:
    return {
        "role": env.role,
        "rank": env.rank,
        "workers": env.workers,
        "servers": env.servers,
        "version": mxnet.mxnext_version,
        "protocol": PROTOCOL,
        "host": socket.gethostname(),
        "pid": os.getpid(),
    }


class Registrar:
    """Lets processes into a job: run by the scheduler, or by the first worker where there is none."""

    def __init__(self, env: Environment, public: Any):
        self._env = env
        self._store = public
        self.nonce = secrets.token_hex(16)
        self._numbers = 0
        #: The numbers of those who have not said anything yet, and perhaps never will.
        self._silent: list[int] = []
        self._taken: dict[tuple[str, int], str] = {}
        public.set("nonce", self.nonce)

    def poll(self) -> None:
        """Answers those who have come since the last time."""
        new = int(self._store.add("hellos", 0)) - self._numbers
        new = max(0, min(new, _MOST_SILENT - len(self._silent)))
        self._silent += range(self._numbers + 1, self._numbers + new + 1)
        self._numbers += new
        for number in [number for number in self._silent if self._store.check([f"hello {number}"])]:
            self._silent.remove(number)
            message = self._store.get(f"hello {number}")
            self._store.set(f"answer {number}", json.dumps(self._answer(number, message)))

    @property
    def missing(self) -> list[str]:
        """The names of those who have not come yet."""
        wanted = [("worker", i) for i in range(self._env.workers)] + [("server", i) for i in range(self._env.servers)]
        return [f"{role} {rank}" for role, rank in wanted if (role, rank) not in self._taken]

    def places(self) -> dict[str, str]:
        """Host and process of those who have come, by name."""
        return {f"{role} {rank}": where for (role, rank), where in self._taken.items()}

    def _answer(self, number: int, message: bytes) -> dict[str, Any]:
        try:
            hello = json.loads(message)
            body, proof = hello["body"], hello["proof"]
            told = json.loads(body)
            role, wish, where = told["role"], told["rank"], f"{told['host']}, process {int(told['pid'])}"
            facts = {name: told[name] for name in ("workers", "servers", "version", "protocol")}
        except (ValueError, KeyError, TypeError) as error:
            return {"refused": f"its greeting could not be read ({error})"}
        expected = _proof(self._env.token, self.nonce, str(number), body)
        if not isinstance(proof, str) or not hmac.compare_digest(proof, expected):
            return {
                "refused": "its token is not the one of this job (MXNET_KVSTORE_TOKEN); is another job running at this "
                "address?"
            }
        own = _hello(self._env)
        for name, value in facts.items():
            if value != own[name]:
                return {"refused": f"it has {name} {value!r}, where {own[name]!r} is expected: is it of another job?"}
        count = {"worker": self._env.workers, "server": self._env.servers}.get(role, 0)
        free = [i for i in range(count) if (role, i) not in self._taken]
        if self._env.scheduled:
            if not free:
                return {"refused": f"the job has all of its {count} {role}s already; is another job running there?"}
            rank = wish if wish in free else free[0]
        else:
            rank = wish
            if rank not in free:
                return {"refused": f"there is a worker with RANK {rank} already: {self._taken.get((role, rank))}"}
        self._taken[role, rank] = where
        return {"rank": rank}


def within(seconds: float, function: Callable[[], Any], in_vain: Callable[[], bool] = lambda: False) -> Any:
    """What a function gives that waits for others; TimeoutError if that takes longer, or is known to be in vain.

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
            result, error = results.get(timeout=_PAUSE)
        except queue.Empty:
            if time.monotonic() > limit or in_vain():
                raise TimeoutError(f"nothing after {seconds:g} s") from None
            continue
        if error is not None:
            raise error
        return result


def in_time(function: Callable[[], Any], seconds: float, otherwise: str) -> Any:
    """What a function gives that asks the store; an MXNetError if that takes longer."""
    try:
        return within(seconds, function)
    except TimeoutError:
        raise MXNetError(otherwise) from None


def join(env: Environment) -> tuple[Member, Registrar | None]:
    """Becomes a member of the job, which takes until this process is let in; others may still be missing.

    The process that lets others in gets what it does so with.
    """
    base = open_store(env)
    public = dist.PrefixStore(f"mxnet/{env.run}", base)
    decides = env.role == "scheduler" or (not env.scheduled and env.rank == 0)
    registrar = Registrar(env, public) if decides else None
    try:
        rank = 0 if env.role == "scheduler" else _introduce(env, public, registrar)
        nonce = public.get("nonce").decode()
    except MXNetError:
        raise
    except RuntimeError as error:  # torch's, of a store that is not there any more
        raise MXNetError(f"{env.holder} went away while the job was joined ({_first_line(str(error))})") from error
    space = _proof(env.token, nonce, "names")
    return Member(env, env.role, rank, dist.PrefixStore(space, base), base, space), registrar


def _introduce(env: Environment, public: Any, registrar: Registrar | None) -> int:
    """Says hello and waits to be let in: the number that this process has."""
    limit = time.monotonic() + env.timeout
    _await(public, "nonce", limit, env)
    number = int(public.add("hellos", 1))
    body = json.dumps(_hello(env))
    proof = _proof(env.token, public.get("nonce").decode(), str(number), body)
    public.set(f"hello {number}", json.dumps({"body": body, "proof": proof}))
    if registrar is not None:
        registrar.poll()
    _await(public, f"answer {number}", limit, env)
    answer = json.loads(public.get(f"answer {number}"))
    if "refused" in answer:
        raise MXNetError(f"this process was not let into the job at {env.address}: {answer['refused']}")
    return int(answer["rank"])


def _await(store: Any, key: str, limit: float, env: Environment) -> None:
    while not store.check([key]):
        if time.monotonic() > limit:
            who = "scheduler" if env.scheduled else "first worker (RANK 0)"
            raise MXNetError(
                f"the {who} of the job at {env.address} has not answered within {env.timeout:g} s "
                "(MXNET_KVSTORE_TIMEOUT)"
            )
        time.sleep(_POLL)
