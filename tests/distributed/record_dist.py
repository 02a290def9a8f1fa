"""Records what two workers and two servers of the original do: ``record_dist.py`` with mxnet 1.9.1.

With names of cases after ``--only`` it records these anew. Each case is a job of its own on 127.0.0.1; one that does
not end is ended after some minutes, and is an error.
"""

import json
import os
import socket
import subprocess
import sys
import tempfile

GOLDEN = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden")
sys.path[:] = [p for p in sys.path if os.path.abspath(p or ".") != os.path.dirname(os.path.dirname(GOLDEN))]

import dist_cases  # noqa: E402

LIMIT = 150


def job(name):
    """What the workers of a case find, in the order of their ranks."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    common = {
        "DMLC_PS_ROOT_URI": "127.0.0.1",
        "DMLC_PS_ROOT_PORT": str(port),
        "DMLC_NUM_WORKER": "2",
        "DMLC_NUM_SERVER": "2",
        "DMLC_NODE_HOST": "127.0.0.1",
    }
    serve = [sys.executable, "-c", "import mxnet"]
    where = tempfile.mkdtemp()
    others = []
    workers = []
    try:
        for role in ("scheduler", "server", "server"):
            others.append(subprocess.Popen(serve, env=dict(os.environ, **common, DMLC_ROLE=role), cwd=where))
        for _ in range(2):
            env = dict(os.environ, **common, DMLC_ROLE="worker")
            command = [sys.executable, os.path.abspath(__file__), name]
            workers.append(subprocess.Popen(command, env=env, cwd=where, stdout=subprocess.PIPE))
        texts = [worker.communicate(timeout=LIMIT)[0].decode() for worker in workers]
    finally:
        for process in others + workers:
            process.kill()
            process.wait()
    by_rank = dict(json.loads(text.strip().splitlines()[-1]) for text in texts)
    return [by_rank[0], by_rank[1]]


def work(name):
    """The part of a worker: prints its rank and what it has found."""
    import mxnet as mx

    program, kind, arguments = dist_cases.CASES[name]
    kv = mx.kv.create(kind)
    found = program(mx, kv, **arguments)
    print(json.dumps([kv.rank, found]), flush=True)


def main():
    if len(sys.argv) > 1 and sys.argv[1] in dist_cases.CASES:
        work(sys.argv[1])
        return
    found = {}
    if sys.argv[1:2] == ["--only"]:
        with open(os.path.join(GOLDEN, "dist.json")) as stream:
            found = json.load(stream)
    for name in sys.argv[2:] or dist_cases.CASES:
        print(name, flush=True)
        found[name] = job(name)
    with open(os.path.join(GOLDEN, "dist.json"), "w") as stream:
        lines = [json.dumps(name) + ": " + json.dumps(found[name], sort_keys=True) for name in sorted(found)]
        stream.write("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
