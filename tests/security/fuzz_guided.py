"""Looks for hostile inputs by coverage: ``make fuzz SECONDS=600``, or ``python fuzz_guided.py [reader ...]``.

Inputs that reach lines of a reader that none has reached before are kept and changed further (Atheris, libFuzzer);
half of the changes know the structure of the files (``fuzz_files.py``). Each reader runs in a process of its own, one
after the other. An input that is not taken as it should be (see ``fuzz_files.violation``) is saved in ``--found``, and
that reader stops. Without Atheris the changes are made at random.
"""

import argparse
import hashlib
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
#: The modules whose lines count. What they call is torch's, NumPy's and OpenCV's.
MODULES = [
    f"mxnet.{name}"
    for name in """plain_pickle literals pixels recordio record_files files temporaries optimizer.states
    ndarray.serialize ndarray.saving ndarray.utils ndarray.safetensors graph.json graph.infer graph.node
    io.text io.mnist io.image_files image.image image.detection onnx.onnx2mx onnx.package
    contrib.text.embedding kvstore.wire kvstore.signed_store gluon.block gluon.data.vision.datasets
    initializer tools.im2rec ops.params""".split()
]
_LONGEST = 1 << 16


def _one(name, seconds, found, seed, folder, guided):
    """Runs one reader in this process; it ends when libFuzzer does."""
    try:
        import atheris
    except ImportError:
        atheris = None
    atheris = atheris if guided else None
    if atheris is not None:
        with atheris.instrument_imports(include=MODULES):
            import fuzz_files
    else:
        import fuzz_files
    suffix, mutate, make, read = fuzz_files.READERS[name]
    counts = {"run": 0, "refused": 0}
    contents = make(folder)
    path = os.path.join(folder, f"hostile{suffix}")

    def try_one(content):
        def run():
            with open(path, "wb") as file:
                file.write(content)
            read(path, folder)

        wrong, error = fuzz_files.violation(name, content, run)
        counts["run"] += 1
        counts["refused"] += error is not None
        if wrong is not None:
            target = found / f"{name}-{hashlib.sha1(content).hexdigest()[:12]}{suffix}"
            target.write_bytes(content)
            print(f"\nFOUND {name}: {wrong}: {target}", flush=True)
            report()
            os._exit(77)

    def report():
        print(f"\nRAN {name} {counts['run']} {counts['refused']}", flush=True)

    def change(data, most, number):
        rng = random.Random(number)
        if rng.random() < 0.5 or not data:
            return atheris.Mutate(data, most)
        return mutate(data, rng)[:most]

    def guarded(data, most, number):
        try:
            return change(data, most, number)
        except (ValueError, RecursionError, UnicodeError):
            return atheris.Mutate(data, most)

    until = time.monotonic() + seconds
    if atheris is None:
        rng = random.Random(seed)
        while time.monotonic() < until:
            content = rng.choice(contents)
            for _ in range(rng.choice([1, 1, 2, 3])):
                content = mutate(content, rng)
            try_one(content[:_LONGEST])
        report()
        return
    corpus = os.path.join(folder, "corpus")
    os.mkdir(corpus)
    for i, content in enumerate(contents):
        pathlib.Path(corpus, str(i)).write_bytes(content[:_LONGEST])

    def until_the_end(content):
        if time.monotonic() > until:
            report()
            os._exit(0)
        try_one(content)

    atheris.Setup(
        [sys.argv[0], corpus, f"-max_len={_LONGEST}", f"-seed={seed}", "-timeout=100", "-rss_limit_mb=6000",
         f"-max_total_time={seconds + 60:.0f}", "-verbosity=0"],
        until_the_end, custom_mutator=guarded,
    )  # fmt: skip
    atheris.Fuzz()


def main(argv):
    parser = argparse.ArgumentParser(description="Look for hostile inputs by coverage.")
    parser.add_argument("readers", nargs="*", help="those of fuzz_files.py; all by default")
    parser.add_argument("--seconds", type=float, default=600, help="for all of them together")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--found", default="found", help="the folder for inputs that were not taken as they should be")
    parser.add_argument("--random", action="store_true", help="without Atheris")
    for name in ("--one", "--folder"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    options = parser.parse_args(argv)
    found = pathlib.Path(options.found).resolve()
    found.mkdir(parents=True, exist_ok=True)
    if options.one:
        _one(options.one, options.seconds, found, options.seed, options.folder, not options.random)
        return 0
    import fuzz_files

    names = options.readers or list(fuzz_files.READERS)
    total, bad = 0, []
    env = {"MXNET_IMAGE_MAX_PIXELS": "2000000", "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"} | dict(os.environ)
    for name in names:
        more = ["--seconds", str(options.seconds / len(names)), "--seed", str(options.seed), "--found", str(found)]
        more += ["--random"] if options.random else []
        with tempfile.TemporaryDirectory(dir="/dev/shm" if os.path.isdir("/dev/shm") else None) as folder:
            done = subprocess.run(
                [sys.executable, __file__, "--one", name, "--folder", folder, *more],
                cwd=HERE, env=env, capture_output=True, errors="replace",
            )  # fmt: skip
        lines = done.stdout.splitlines()
        ran = next((line.split()[2:] for line in lines if line.startswith("RAN ")), None)
        wrong = [line for line in lines if line.startswith("FOUND ")]
        if ran is None or done.returncode not in (0, 77):
            wrong.append(f"{name}: it ended with {done.returncode}: {done.stderr[-2000:]}")
        total += int(ran[0]) if ran else 0
        bad += wrong
        told = f"{ran[0]} inputs, {ran[1]} of them refused" if ran else "no count"
        print(f"{name}: {told}" + "".join(f"\n    {line}" for line in wrong), flush=True)
    print(f"{total} inputs in all, {len(bad)} failures")
    return int(bool(bad))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
