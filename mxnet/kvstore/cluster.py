"""Who takes part in a job: what the environment says, how processes find each other, and who is let in.

Two ways to start a job are known. The original's environment (``DMLC_ROLE`` and its like) has a scheduler, which serves
torch's TCPStore at ``DMLC_PS_ROOT_URI:DMLC_PS_ROOT_PORT``, servers and workers. torchrun (``RANK``, ``WORLD_SIZE``,
``MASTER_ADDR``, ``MASTER_PORT``) has workers only; its agent or the first worker serves the store.

All that is in the store is signed with the job's token (``signed_store.py``). The scheduler, or the first worker,
writes a random number that is new in each job; what follows is signed with a secret made of both. A process asks to
join by a message with a random number of its own, which names the key of the answer. Who gets an answer knows that the
job runs now, and is not the record of an earlier one.
"""

from __future__ import annotations

import json
import logging
import os
import secrets
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mxnet

from .._core import config
from ..error import MXNetError, MXNetValueError
from .connection import another_connection, first_line, open_store
from .signed_store import Rejections, SignedStore, proof

__all__ = [
    "PROTOCOL",
    "Environment",
    "Member",
    "Registrar",
    "join",
]

_logger = logging.getLogger(__name__)

#: Changes whenever what processes say to each other does.
PROTOCOL = 4
_POLL = 0.02
#: The key of what is known of the job before its secret is.
_JOB = "job"


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
    #: Distinguishes a restarted job from the one before, in a store that outlives it.
    run: str = ""

    @property
    def address(self) -> str:
        """Where the store is, to be read by people."""
        return f"{self.host}:{self.port}"

    @property
    def holder(self) -> str:
        """Describes the process that serves the store, for messages."""
        who = "scheduler" if self.scheduled else "process that holds the job's store"
        return f"the {who} at {self.address}"

    @property
    def size(self) -> int:
        """How many workers and servers there are."""
        return self.workers + self.servers

    @staticmethod
    def read(environ: Mapping[str, str] | None = None) -> Environment | None:
        """What the environment says; None if it says nothing about a job."""
        known = _job_variables(environ)
        if known[:1] in (["DMLC_ROLE"], ["DMLC_PS_ROOT_URI"]):
            return _from_dmlc(environ)
        return _from_torchrun(environ) if known == ["RANK", "WORLD_SIZE"] else None


def _require(env: Mapping[str, str] | None, variable: config.Count) -> int:
    """A variable without which a job cannot be joined."""
    value = variable.get(env)
    if value is None:
        known = ", ".join(_job_variables(env))
        raise MXNetValueError(f"the environment has {known} but no {variable.name}: distributed training needs it")
    return value


def _job_variables(env: Mapping[str, str] | None) -> list[str]:
    """Returns the names of the variables that describe a job and are set."""
    variables = (config.DMLC_ROLE, config.DMLC_PS_ROOT_URI, config.RANK, config.WORLD_SIZE)
    return [variable.name for variable in variables if variable.text(env) is not None]


def _token(env: Mapping[str, str] | None) -> str:
    return config.KVSTORE_TOKEN.get(env) or config.DMLC_JOB_TOKEN.get(env) or ""


def _from_dmlc(env: Mapping[str, str] | None) -> Environment:
    role, host = config.DMLC_ROLE.get(env), config.DMLC_PS_ROOT_URI.get(env)
    if host is None:
        raise MXNetValueError("DMLC_ROLE is set but not DMLC_PS_ROOT_URI, the address of the scheduler's host")
    wanted = (config.DMLC_WORKER_ID.get(env) or config.DMLC_TASK_ID.get(env)) if role == "worker" else None
    return Environment(
        role=role,
        host=host,
        port=_require(env, config.DMLC_PS_ROOT_PORT),
        workers=_require(env, config.DMLC_NUM_WORKER),
        servers=config.DMLC_NUM_SERVER.get(env),
        rank=int(wanted) if wanted is not None and wanted.isdigit() else None,
        token=_token(env),
        timeout=config.KVSTORE_TIMEOUT.get(),
        scheduled=True,
        holds_store=role == "scheduler",
    )


def _from_torchrun(env: Mapping[str, str] | None) -> Environment:
    rank, workers = _require(env, config.RANK), _require(env, config.WORLD_SIZE)
    if rank >= workers:
        raise MXNetValueError(f"RANK is {rank}, but WORLD_SIZE is {workers}: ranks are counted from 0")
    host = config.MASTER_ADDR.get(env)
    if workers > 1 and host is None:
        raise MXNetValueError("RANK and WORLD_SIZE are set but not MASTER_ADDR, the host of the first worker")
    return Environment(
        role="worker",
        host="127.0.0.1" if host is None else host,
        port=_require(env, config.MASTER_PORT) if workers > 1 else config.MASTER_PORT.get(env) or 29500,
        workers=workers,
        servers=0,
        rank=rank,
        token=_token(env),
        timeout=config.KVSTORE_TIMEOUT.get(),
        scheduled=False,
        holds_store=rank == 0 and not config.TORCHELASTIC_USE_AGENT_STORE.get(env),
        run=f"{config.TORCHELASTIC_RUN_ID.get(env)}/{config.TORCHELASTIC_RESTART_COUNT.get(env)}",
    )


# ---- members -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Member:
    """This process as a member of the job."""

    env: Environment
    role: str
    rank: int
    #: What processes of this job have written.
    store: SignedStore

    @property
    def name(self) -> str:
        """``worker 0``, ``server 1`` or ``scheduler``."""
        return self.role if self.role == "scheduler" else f"{self.role} {self.rank}"

    def another_store(self) -> SignedStore:
        """A connection of its own, for another thread: a waiting one would keep it from being used."""
        return self.store.over(another_connection(self.env))

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


def _token_secret(env: Environment) -> bytes:
    return proof(b"mxnet kvstore", env.token)


def _public_store(env: Environment, base: Any) -> SignedStore:
    """Where the job's random number is, signed with the token alone."""
    return SignedStore(base, f"mxnet/{env.run}", _token_secret(env), Rejections(env.address))


def _job_store(env: Environment, public: SignedStore, nonce: str) -> SignedStore:
    """The store of the job with this random number."""
    secret = proof(_token_secret(env), "job", env.run, nonce)
    return SignedStore(public.base, f"mxnet/{env.run}/{nonce}", secret, public.rejections)


def _slots(env: Environment) -> int:
    """In how many places messages to the registrar may be: processes of other jobs may ask by mistake, too."""
    return 4 * env.size + 16


class Registrar:
    """Lets processes into a job: run by the scheduler, or by the first worker of a job without one."""

    def __init__(self, env: Environment, public: SignedStore):
        self._env, self._public = env, public
        self.nonce = secrets.token_hex(16)
        self.store = _job_store(env, public, self.nonce)
        self._answered: set[bytes] = set()
        self._taken: dict[tuple[str, int], str] = {}
        public.set(_JOB, self.nonce)

    def poll(self) -> None:
        """Answers the processes that have asked to join since the last call."""
        if self._public.read(_JOB) != self.nonce.encode():  # it was overwritten
            self._public.set(_JOB, self.nonce)
        for slot in range(_slots(self._env)):
            message = self.store.read(f"hello {slot}")
            if message is not None and message not in self._answered:
                self._answered.add(message)
                try:
                    hello = json.loads(message)
                    number, answer = hello["id"], self._answer(hello)
                except (
                    ValueError,
                    KeyError,
                    TypeError,
                    AttributeError,
                    RecursionError,
                ):  # of a job without a token, or of another version
                    continue
                self.store.set(f"answer {number}", json.dumps(answer))

    @property
    def missing(self) -> list[str]:
        """Returns the names of processes that have not joined yet."""
        wanted = [("worker", i) for i in range(self._env.workers)] + [("server", i) for i in range(self._env.servers)]
        return [f"{role} {rank}" for role, rank in wanted if (role, rank) not in self._taken]

    def places(self) -> dict[str, str]:
        """Returns host and process of those that have joined, by name."""
        return {f"{role} {rank}": where for (role, rank), where in self._taken.items()}

    def _answer(self, hello: dict[str, Any]) -> dict[str, Any]:
        own = _hello(self._env)
        for name in ("protocol", "version", "workers", "servers"):
            value = hello.get(name)
            if value != own[name]:
                return {"refused": f"it has {name} {value!r}, where {own[name]!r} is expected: is it of another job?"}
        role, wish = hello["role"], hello["rank"]
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
        self._taken[role, rank] = f"{hello['host']}, process {hello['pid']}"
        return {"rank": rank}


def join(env: Environment) -> tuple[Member, Registrar | None]:
    """Becomes a member of the job, which takes until this process is let in; others may still be missing.

    The process that lets others in gets what it does so with.
    """
    limit = time.monotonic() + env.timeout
    public = _public_store(env, open_store(env))
    decides = env.role == "scheduler" or (not env.scheduled and env.rank == 0)
    try:
        registrar = Registrar(env, public) if decides else None
        if registrar is not None and env.role == "scheduler":
            rank, store = 0, registrar.store
        else:
            rank, store = _introduce(env, public, registrar, limit)
    except MXNetError:
        raise
    except RuntimeError as error:  # torch's, of a store that is not there any more
        raise MXNetError(
            f"{env.holder} disconnected while this process was joining the job ({first_line(str(error))})"
        ) from error
    if decides and env.size > 1 and not env.token:
        _logger.warning(
            "the job at %s has no token: whoever can reach that port can take part in it. Give all of its processes "
            "the same random MXNET_KVSTORE_TOKEN, as mxnet.tools.launch does.",
            env.address,
        )
    return Member(env, env.role, rank, store), registrar


def _introduce(
    env: Environment, public: SignedStore, registrar: Registrar | None, limit: float
) -> tuple[int, SignedStore]:
    """Asks to be let in and waits for the answer: the number that this process has, and the job's store."""
    patience = time.monotonic() + 0.25 * env.timeout
    nonce, store, number, message, slot = b"", public, "", "", secrets.randbelow(_slots(env))
    while True:
        found = public.read(_JOB)
        if found is not None:
            if found != nonce:  # the first, or of a job that was started again
                nonce, number = found, secrets.token_hex(16)
                store = _job_store(env, public, nonce.decode())
                message = json.dumps(_hello(env) | {"id": number})
            if store.first(f"hello {slot}", message) != message.encode():
                slot = secrets.randbelow(_slots(env))
            elif registrar is not None:
                registrar.poll()
            answer = store.read(f"answer {number}")
            if answer is not None:
                break
        elif _JOB in public.ignored and time.monotonic() > patience:
            raise MXNetError(
                f"the job at {env.address} rejected this process: its token differs from the job's "
                "(MXNET_KVSTORE_TOKEN); is another job running at this address?"
            )
        if time.monotonic() > limit:
            who = "scheduler" if env.scheduled else "first worker (RANK 0)"
            raise MXNetError(
                f"the {who} of the job at {env.address} has not answered within {env.timeout:g} s "
                "(MXNET_KVSTORE_TIMEOUT)"
            )
        time.sleep(_POLL)
    reply = json.loads(answer)
    if "refused" in reply:
        raise MXNetError(f"the job at {env.address} rejected this process: {reply['refused']}")
    return int(reply["rank"]), store
