"""Records what the original gives for the calls in numpy_sweep.py: numpy_sweep.json.xz.

<python with mxnet 1.9.1> tests/numpy/record_numpy_sweep.py [part of a call ...]

Calls run in processes of their own, since the original ends the process for some. Each runs twice: what differs then
was never written by the original (it shows whatever was in memory) and is kept as ``"?"``. With arguments, only the
calls that contain one of them are recorded anew; calls that are not recorded yet always are. Where a case ends the
process, others of the same shapes whose dtypes are of the same kind (floats or not) are taken to do so, too.
"""

import concurrent.futures
import json
import lzma
import pathlib
import subprocess
import sys
import threading

import numpy_sweep_cases as sweep

TARGET = pathlib.Path(__file__).resolve().parents[1] / "golden" / "numpy_sweep.json.xz"
CRASH = "!!"


def work():
    """Reads ``[call, number of a case]`` from standard input, a line each, and writes the results."""
    import mxnet as mx

    mx.npx.set_np()
    out = sys.stdout
    for line in sys.stdin:
        call, number = json.loads(line)
        variant = sweep.variants(call)[number]
        result = sweep.run(mx, call, variant, sweep.hybrid(variant))
        out.write("RESULT " + json.dumps(result) + "\n")
        out.flush()


class Worker:
    """A process that runs cases, started again when one ends it."""

    def __init__(self):
        self.process = None

    def run(self, call, number):
        if self.process is None or self.process.poll() is not None:
            command = f"ulimit -v 16000000; exec {sys.executable} {__file__} --work"
            self.process = subprocess.Popen(
                ["bash", "-c", command],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        try:
            self.process.stdin.write(json.dumps([call, number]) + "\n")
            self.process.stdin.flush()
            for line in self.process.stdout:
                if line.startswith("RESULT "):
                    return json.loads(line[7:])
        except BrokenPipeError:
            pass
        self.process.wait()
        return CRASH


def record(call, workers):
    found = []
    crashed = set()
    for number, variant in enumerate(sweep.variants(call)):
        like = str([(shape, dtype.startswith("float")) for shape, dtype in variant.values()])
        first = CRASH if like in crashed else workers[0].run(call, number)
        second = CRASH if first == CRASH else workers[1].run(call, number)
        if second == CRASH:
            crashed.add(like)
            found.append(CRASH)
        elif first == second:
            found.append(first)
        else:
            found.append([a if a == b else "?" for a, b in zip(first, second)])
    return found


def save(found):
    text = json.dumps(found, separators=(",", ":"))
    TARGET.write_bytes(lzma.compress(text.encode(), preset=6))


def main(parts):
    known = json.loads(lzma.decompress(TARGET.read_bytes())) if TARGET.exists() else {}
    wanted = sweep.calls()
    todo = [
        c for c in wanted if c not in known or len(known[c]) != len(sweep.variants(c)) or any(p in c for p in parts)
    ]
    pool = concurrent.futures.ThreadPoolExecutor(2)
    pairs = threading.local()
    started = []

    def task(call):
        if not hasattr(pairs, "workers"):
            pairs.workers = Worker(), Worker()
            started.extend(pairs.workers)
        return record(call, pairs.workers)

    for place, (call, found) in enumerate(zip(todo, pool.map(task, todo))):
        known[call] = found
        if place % 50 == 0:
            print(place, len(todo), call, flush=True)
            save({call: known[call] for call in wanted if call in known})
    save({call: known[call] for call in wanted})
    print(f"{sum(map(len, known.values()))} cases of {len(wanted)} calls, {TARGET.stat().st_size // 1024} KiB")
    for worker in started:
        worker.process.stdin.close()


if __name__ == "__main__":
    work() if sys.argv[1:] == ["--work"] else main(sys.argv[1:])
