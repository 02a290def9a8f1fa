"""Two workers (and, for the original, two servers) on this machine: pushpull and LeNet, ours against the original.

    python benchmarks/distributed.py --original <python with mxnet 1.9.1> [--rounds 9] [--json FILE]

Both jobs are there all the time and are asked in turn. Printed are medians and ratios, ours / the other; of 64 MB and
of 1000 keys also against one all_reduce of torch's of as many bytes.
"""

import argparse
import json
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


class Job:
    """A scheduler, two servers and two workers."""

    def __init__(self, python, servers, work):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        env = {
            **os.environ,
            "DMLC_PS_ROOT_URI": "127.0.0.1",
            "DMLC_PS_ROOT_PORT": str(port),
            "DMLC_NUM_WORKER": "2",
            "DMLC_NUM_SERVER": str(servers),
            "DMLC_NODE_HOST": "127.0.0.1",
            "OMP_NUM_THREADS": "1",
            "MXNET_KVSTORE_TIMEOUT": "600",
        }
        serve = [python, "-c", "import mxnet"]
        where = tempfile.gettempdir()  # not where ours is, which the original's Python would take
        self.others = [subprocess.Popen(serve, env=env | {"DMLC_ROLE": "scheduler"}, cwd=where)]
        self.others += [subprocess.Popen(serve, env=env | {"DMLC_ROLE": "server"}, cwd=where) for _ in range(servers)]
        self.workers = [
            subprocess.Popen(
                [python, str(HERE / "distributed_worker.py"), work],
                env=env | {"DMLC_ROLE": "worker"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for _ in range(2)
        ]
        for worker in self.workers:
            while worker.stdout.readline().strip() != "ready":
                if worker.poll() is not None:
                    raise SystemExit(f"a worker of {python} ended")
        self.first = None

    def round(self, name):
        for worker in self.workers:
            worker.stdin.write(name + "\n")
            worker.stdin.flush()
        if self.first is None:  # the one of rank 0 answers
            import select

            ready, _, _ = select.select([w.stdout for w in self.workers], [], [])
            self.first = ready[0]
        return float(self.first.readline())

    def close(self):
        for worker in self.workers:
            worker.stdin.close()
        for process in self.workers + self.others:
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--original", help="a Python with mxnet 1.9.1")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", help="keeps every sample")
    args = parser.parse_args()
    samples = {}
    names = {"pushpull": ("big", "all_reduce_big", "many", "all_reduce_many", "single"), "lenet": ("lenet",)}
    for work, rounds in names.items():
        engines = {"ours": Job(sys.executable, 0, work)}
        if args.original:
            engines["original"] = Job(args.original, 2, work)
        try:
            for _ in range(args.rounds):
                for name in rounds:
                    for engine, job in engines.items():
                        if engine == "ours" or "all_reduce" not in name:
                            samples.setdefault(f"{engine} {name}", []).append(job.round(name))
        finally:
            for job in engines.values():
                job.close()
    median = {name: statistics.median(values) for name, values in samples.items()}
    for name, seconds in median.items():
        print(f"{name:24} {seconds * 1e3:9.2f} ms")
    for name in ("big", "many", "single", "lenet"):
        if f"original {name}" in median:
            print(f"{name}: ours / original {median[f'ours {name}'] / median[f'original {name}']:.2f}")
    for name in ("big", "many"):
        print(f"{name}: ours / all_reduce {median[f'ours {name}'] / median[f'ours all_reduce_{name}']:.2f}")
    if args.json:
        pathlib.Path(args.json).write_text(json.dumps(samples))


if __name__ == "__main__":
    main()
