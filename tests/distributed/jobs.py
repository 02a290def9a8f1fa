"""Real processes that make up a distributed job, for tests. They are forked from one that has imported everything."""

import atexit
import contextlib
import io
import multiprocessing
import multiprocessing.forkserver
import os
import socket
import sys
import time
import traceback

_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["jobs_preload"])


def _start_server():
    """Starts the process that others are forked from; it finds modules by the environment only."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([os.path.dirname(os.path.abspath(__file__)), before or ""])
    try:
        multiprocessing.forkserver.ensure_running()
    finally:
        del os.environ["PYTHONPATH"]
        if before is not None:
            os.environ["PYTHONPATH"] = before


#: No test waits longer for a process; on a busy machine a job may need a while.
PATIENCE = 150
#: What makes the workers of one host behave as if they were on several.
NETWORK = {"MXNET_KVSTORE_SHARED_MEMORY": "0"}
_VARIABLES = ("DMLC_", "MXNET_", "RANK", "WORLD_SIZE", "MASTER_", "TORCHELASTIC_", "LOCAL_")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def _child(environment, function, args, pipe):
    assert "jobs_preload" in sys.modules, "the process was not forked from one that has everything"
    for name in [name for name in os.environ if name.startswith(_VARIABLES)]:
        del os.environ[name]
    os.environ.update(environment)
    told, code, result = io.StringIO(), 0, None
    with contextlib.redirect_stderr(told):
        try:
            result = function(*args)
        except SystemExit as end:
            code = end.code or 0
        except BaseException:
            sys.excepthook(*sys.exc_info())
            code = 1
        try:
            atexit._run_exitfuncs()  # multiprocessing's processes end without
        except BaseException:
            traceback.print_exc()
            code = 2
    pipe.send((code, result, told.getvalue()))
    pipe.close()
    os._exit(code)


def serve():
    from mxnet.kvstore.kvstore_server import _init_kvstore_server_module

    _init_kvstore_server_module()


class Process:
    """One process of a job."""

    def __init__(self, name, environment, function, args=()):
        self.name = name
        _start_server()
        self._pipe, other = _context.Pipe(duplex=False)
        self.process = _context.Process(target=_child, args=(environment, function, args, other), daemon=True)
        self.process.start()
        other.close()
        self.pid = self.process.pid
        self.code = self.result = self.error = None

    def wait(self, limit):
        """Waits for the end; False if that does not come in time."""
        if self.code is not None:
            return True
        if not self._pipe.poll(max(0.0, limit - time.monotonic())):
            return False
        try:
            self.code, self.result, self.error = self._pipe.recv()
        except EOFError:  # it was killed
            self.code, self.error = -9, ""
        self.process.join(30)
        return True

    def kill(self):
        self.process.kill()
        self.process.join(30)


class Job:
    """The processes of a job: ``with Job(function, workers=2) as job: job.results()``."""

    def __init__(self, function, args=(), workers=2, servers=None, env=None, timeout=60, each=None):
        """With ``servers`` the job has the original's environment, else torchrun's. ``each(rank)`` gives more of it."""
        self.port = port = free_port()
        common = {"MXNET_KVSTORE_TIMEOUT": str(timeout), "OMP_NUM_THREADS": "1", "MXNET_KVSTORE_TOKEN": "tests"}
        # torch looks up the name of every address, and a name server may lose a question: 5 s, unless this is said
        common["RES_OPTIONS"] = "timeout:1 attempts:1"
        common.update(env or {})
        self.all = []
        if servers is None:
            common |= {"WORLD_SIZE": str(workers), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port)}
            self.workers = [
                Process(f"worker {i}", {"RANK": str(i)} | common | (each(i) if each else {}), function, args)
                for i in range(workers)
            ]
            self.others = []
        else:
            common |= {
                "DMLC_PS_ROOT_URI": "127.0.0.1",
                "DMLC_PS_ROOT_PORT": str(port),
                "DMLC_NUM_WORKER": str(workers),
                "DMLC_NUM_SERVER": str(servers),
            }
            self.workers = [
                Process(
                    f"worker {i}",
                    {"DMLC_ROLE": "worker", "DMLC_WORKER_ID": str(i)} | common | (each(i) if each else {}),
                    function,
                    args,
                )
                for i in range(workers)
            ]
            self.others = [Process(f"server {i}", {"DMLC_ROLE": "server"} | common, serve) for i in range(servers)]
            self.others.append(Process("scheduler", {"DMLC_ROLE": "scheduler"} | common, serve))
        self.all = self.workers + self.others

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        for process in self.workers + self.others:
            process.kill()

    def wait(self, patience=PATIENCE):
        limit = time.monotonic() + patience
        late = [process.name for process in self.all if not process.wait(limit)]
        assert not late, f"still running: {late}"

    def results(self):
        """What the workers' functions returned; all processes must have ended well."""
        self.wait()
        failed = {p.name: p.error for p in self.all if p.code != 0}
        assert not failed, "\n".join(f"{name}: {error}" for name, error in failed.items())
        return [worker.result for worker in self.workers]

    def errors(self):
        """What each process said at its end, by name; all processes must have ended."""
        self.wait()
        return {p.name: (p.code, p.error) for p in self.all}


def run(function, *args, **options):
    """What a function returns in each worker of a job."""
    with Job(function, args, **options) as job:
        return job.results()
