"""Starts the processes of a distributed job: a scheduler, workers and, if asked for, servers.

    python -m mxnet.tools.launch -n 4 python train.py --kv-store dist_sync
    python -m mxnet.tools.launch -n 8 -s 2 -H hosts --launcher ssh python train.py

Each process gets the environment of the original (``DMLC_ROLE``, ``DMLC_PS_ROOT_URI``, ...) and a token that tells
the job from others; workers on this host share its cores (``OMP_NUM_THREADS``, unless that is set). The scheduler runs
here. If a process fails, the others are given the time to say why they ended, and are then ended.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import re
import secrets
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Sequence

from .._core import config

__all__ = ["main"]

_ELSEWHERE = {
    "sge": "Sun Grid Engine has no launcher here: let the tasks of an array job set DMLC_ROLE and its like",
    "yarn": "YARN has no launcher here: let its containers set DMLC_ROLE and its like",
}
_HOST = re.compile(r"(?:[A-Za-z0-9_.][A-Za-z0-9_.-]*@)?[A-Za-z0-9_.:\[][A-Za-z0-9_.:%\[\]-]*")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SERVE = [sys.executable, "-c", "import mxnet"]
_PASSED = ("DMLC_", "MXNET_", "OMP_", "GLOO_", "NCCL_", "PYTHON", "PATH", "LD_LIBRARY_PATH", "CUDA_")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="mxnet-launch", description="Start the processes of a distributed job, and wait for them."
    )
    parser.add_argument("-n", "--num-workers", type=int, required=True, help="how many workers train")
    parser.add_argument(
        "-s", "--num-servers", type=int, default=0, help="how many servers hold what dist_async updates (default: none)"
    )
    parser.add_argument("-H", "--hostfile", help="a file with the name of a host in each line, for ssh and mpi")
    parser.add_argument(
        "--launcher", choices=["local", "ssh", "mpi", "slurm", *_ELSEWHERE], help="default: ssh with hosts, else local"
    )
    parser.add_argument("-p", "--port", type=int, help="the scheduler's port (default: a free one)")
    parser.add_argument("--root", help="the address by which other hosts reach this one")
    parser.add_argument(
        "--env", action="append", default=[], metavar="NAME:VALUE", help="another variable for all processes"
    )
    parser.add_argument("command", nargs=argparse.REMAINDER, help="what each worker runs")
    return parser


def _hosts(path: str) -> list[str]:
    with open(path, encoding="utf-8") as lines:
        hosts = [line.split("#")[0].split()[0] for line in lines if line.split("#")[0].strip()]
    if not hosts:
        raise SystemExit(f"mxnet-launch: {path} names no host")
    for host in hosts:
        if not _HOST.fullmatch(host):  # ssh takes what begins with a dash for an option, which may run commands
            raise SystemExit(f"mxnet-launch: {path} has {host!r}, which is not the name or address of a host")
    return hosts


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("", 0))
        return probe.getsockname()[1]


def _own_address() -> str:
    """The address of this host, as other hosts know it."""
    try:
        return socket.gethostbyname(socket.getfqdn())
    except OSError:
        raise SystemExit("mxnet-launch: this host's name has no address; give one by --root") from None


def _environment(args: argparse.Namespace, root: str) -> dict[str, str]:
    given = {}
    for pair in args.env:
        name, colon, value = pair.replace("=", ":", 1).partition(":")
        if not colon or not _VARIABLE.fullmatch(name):
            raise SystemExit(f"mxnet-launch: --env takes NAME:VALUE, got {pair!r}")
        given[name] = value
    return {
        "MXNET_KVSTORE_TOKEN": config.KVSTORE_TOKEN.get() or secrets.token_hex(16),
        "DMLC_PS_ROOT_URI": root,
        "DMLC_PS_ROOT_PORT": str(args.port or _free_port()),
        "DMLC_NUM_WORKER": str(args.num_workers),
        "DMLC_NUM_SERVER": str(args.num_servers),
        **given,
    }


def _threads(workers: int) -> str:
    """How many threads each worker computes with if they share this host; more would be in each other's way."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return str(max(1, cores // workers))


class _Job:
    """The processes that were started here."""

    def __init__(self, common: dict[str, str]):
        self._common = common
        self._running: list[tuple[str, subprocess.Popen]] = []
        self._code = 0
        self._reason: str | None = None

    def start(self, name: str, command: Sequence[str], extra: dict[str, str], text: str | None = None) -> None:
        """Starts a process; ``text`` is what it reads first."""
        env = {k: v for k, v in os.environ.items() if k not in ("RANK", "WORLD_SIZE")} | self._common | extra
        try:
            process = subprocess.Popen(
                command,
                env=env,
                stdin=None if text is None else subprocess.PIPE,
                start_new_session=True,
                preexec_fn=_end_with_parent if sys.platform == "linux" else None,
            )
        except OSError as error:
            self.end()
            raise SystemExit(f"mxnet-launch: cannot start {shlex.join(command)}: {error}") from error
        if text is not None and process.stdin is not None:
            process.stdin.write(text.encode())
            process.stdin.close()
        self._running.append((name, process))

    def wait(self, patience: float) -> int:
        """Waits for the end of all: the code of the first that failed, or 0."""
        limit: float | None = None
        while self._running:
            for name, process in list(self._running):
                code = process.poll()
                if code is None:
                    continue
                self._running.remove((name, process))
                if code != 0 and self._reason is None:
                    how = f"was ended by signal {-code}" if code < 0 else f"ended with code {code}"
                    self._reason = f"{name} {how}"
                    self._code = code if code > 0 else 128 - code
                    limit = time.monotonic() + patience
            if limit is not None and time.monotonic() > limit:
                print(f"mxnet-launch: {self._reason}; ending the others", file=sys.stderr, flush=True)
                self.end()
                break
            time.sleep(0.05)
        if self._reason is not None:
            print(f"mxnet-launch: {self._reason}", file=sys.stderr, flush=True)
        return self._code

    def end(self) -> None:
        """Ends all that still runs, with what it has started itself."""
        for sign, patience in ((signal.SIGTERM, 5.0), (signal.SIGKILL, 5.0)):
            for _, process in self._running:
                if process.poll() is None:
                    try:
                        os.killpg(process.pid, sign)
                        os.killpg(process.pid, signal.SIGCONT)
                    except ProcessLookupError:
                        continue
            limit = time.monotonic() + patience
            while any(p.poll() is None for _, p in self._running) and time.monotonic() < limit:
                time.sleep(0.05)
        self._running.clear()


def _end_with_parent() -> None:
    """Lets the system end this process when its parent ends, even if that is killed (Linux)."""
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)


def _remote(job: _Job, launcher: str, role: str, count: int, common: dict[str, str], args: argparse.Namespace) -> None:
    """Starts all processes of a role by another launcher."""
    command = args.command if role == "worker" else ["python", "-c", "import mxnet"]
    names = sorted({n for n in os.environ if n.startswith(_PASSED)} | set(common) | {"DMLC_ROLE"})
    if launcher == "mpi":
        line = ["mpirun", "-n", str(count)]
        if args.hostfile:
            line += ["--hostfile", args.hostfile]
        line += [part for name in names for part in ("-x", name)]
    else:
        line = ["srun", f"--ntasks={count}", "--export=ALL"]
    if shutil.which(line[0]) is None:
        job.end()
        raise SystemExit(f"mxnet-launch: the launcher {launcher} needs {line[0]}, which is not installed here")
    job.start(f"the {role}s by {line[0]}", [*line, *command], {"DMLC_ROLE": role})


def _by_ssh(job: _Job, name: str, host: str, role: str, extra: dict[str, str], args: argparse.Namespace) -> None:
    """Starts a process on a host; what is secret goes by its input, not by its arguments, which all can see."""
    command = args.command if role == "worker" else ["python", "-c", "import mxnet"]
    settings = {k: v for k, v in (job._common | extra).items() if k != "MXNET_KVSTORE_TOKEN"} | {"DMLC_ROLE": role}
    exports = " ".join(f"{k}={shlex.quote(v)}" for k, v in settings.items())
    line = (
        f"read -r MXNET_KVSTORE_TOKEN; export MXNET_KVSTORE_TOKEN; cd {shlex.quote(os.getcwd())} && "
        f"exec env {exports} {shlex.join(command)}"
    )
    job.start(
        f"{name} on {host}",
        ["ssh", "-o", "BatchMode=yes", "--", host, line],
        {},
        job._common["MXNET_KVSTORE_TOKEN"] + "\n",
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Starts a job by the arguments of the command line; the code to exit with."""
    args = _parser().parse_args(arguments)
    if args.command[:1] == ["--"]:
        args.command = args.command[1:]
    if not args.command:
        raise SystemExit("mxnet-launch: what shall the workers run? Give a command, e.g. python train.py")
    if args.num_workers < 1 or args.num_servers < 0:
        raise SystemExit("mxnet-launch: -n must be at least 1, -s at least 0")
    launcher = args.launcher or ("ssh" if args.hostfile else "local")
    if launcher in _ELSEWHERE:
        raise SystemExit(f"mxnet-launch: {_ELSEWHERE[launcher]}")
    if launcher == "ssh" and not args.hostfile:
        raise SystemExit("mxnet-launch: the launcher ssh needs the hosts, by -H")
    common = _environment(args, args.root or ("127.0.0.1" if launcher == "local" else _own_address()))
    if launcher == "local" and config.OMP_NUM_THREADS.get() is None:
        common.setdefault("OMP_NUM_THREADS", _threads(args.num_workers))
    try:
        patience = config.KVSTORE_TIMEOUT.get() + 10
    except ValueError as error:
        raise SystemExit(f"mxnet-launch: {error}") from None
    job = _Job(common)
    ends = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
    before = [signal.signal(number, lambda sign, frame: sys.exit(128 + sign)) for number in ends]
    try:
        job.start("the scheduler", _SERVE, {"DMLC_ROLE": "scheduler"})
        if launcher in ("mpi", "slurm"):
            if args.num_servers:
                _remote(job, launcher, "server", args.num_servers, common, args)
            _remote(job, launcher, "worker", args.num_workers, common, args)
        else:
            hosts = _hosts(args.hostfile) if launcher == "ssh" else []
            for i in range(args.num_servers + args.num_workers):
                role, number = ("server", i) if i < args.num_servers else ("worker", i - args.num_servers)
                extra = {"DMLC_WORKER_ID": str(number)} if role == "worker" else {}
                if hosts:
                    _by_ssh(job, f"{role} {number}", hosts[number % len(hosts)], role, extra, args)
                else:
                    command = args.command if role == "worker" else _SERVE
                    job.start(f"{role} {number}", command, extra | {"DMLC_ROLE": role})
        return job.wait(patience)
    finally:
        job.end()
        for number, handler in zip(ends, before, strict=True):
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
