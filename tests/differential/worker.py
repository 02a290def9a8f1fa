"""Runs programs and tells what came of them; the same file serves this package and the original.

A program is a list of steps, a step is a piece of Python. A step that raises is noted and the program goes on. At a
step ``dump()`` and at the end, the values of all variables are noted. As a script it reads programs (pickles) from
standard input and runs them in forked processes, so that a crash or a hang is a result like any other.
"""

import os
import pickle
import shutil
import signal
import struct
import sys
import tempfile
import warnings

import numpy as np

TIME_LIMIT = 20  # seconds of a program, far more than any needs
FINISHED = "finished"


def run(steps, jitter=0.0):
    """The result of a program: ``{"end": FINISHED, "errors": {step: text}, "dumps": [(step, {variable: value})]}``.

    A value is a NumPy array, or text for what cannot be read.
    """
    import mxnet as mx
    from differential import prelude

    prelude.JITTER = jitter
    start = dict(vars(prelude))
    env = dict(start)
    errors, dumps = {}, []

    def take(step):
        found = {}
        for name in sorted(env):
            if name not in start and name != "dump" and not name.startswith("_"):
                _collect(env[name], name, found)
        dumps.append((step, found))

    current = [0]
    env["dump"] = lambda: take(current[0])
    np.random.seed(0)
    mx.random.seed(0)
    with warnings.catch_warnings(), mx.name.NameManager():
        warnings.simplefilter("ignore")
        for current[0], step in enumerate(steps):
            before = dict(env)
            try:
                exec(step, env)
                late = _late_error(mx)
                if late:  # as if the original had raised it at the call: no name is bound
                    env.clear()
                    env.update(before)
                    raise late
            except Exception as error:
                errors[current[0]] = f"{type(error).__name__}: {str(error)[:400]}"
                _late_error(mx)  # none is left for the next step
        take(len(steps))
    mx.autograd.set_recording(False)
    mx.autograd.set_training(False)
    mx.npx.reset_np()
    return {"end": FINISHED, "errors": errors, "dumps": dumps}


def _late_error(mx):
    """What the original raises when it is waited for, if anything."""
    try:
        mx.nd.waitall()
    except Exception as error:
        return error
    return None


def _collect(value, name, found):
    """Notes all arrays and numbers that a variable leads to."""
    kind = type(value).__name__
    if isinstance(value, (bool, int, float, np.generic)):
        found[name] = np.asarray(value)
    elif isinstance(value, np.ndarray):
        found[name] = value.copy()
    elif isinstance(value, (list, tuple)):
        for i, part in enumerate(value):
            _collect(part, f"{name}[{i}]", found)
    elif isinstance(value, dict):
        for key in sorted(value, key=str):
            _collect(value[key], f"{name}[{key!r}]", found)
    elif hasattr(value, "asnumpy"):
        try:
            found[name] = value.asnumpy()
        except Exception as error:
            found[name] = f"unreadable: {str(error)[:200]}"
        if getattr(value, "stype", "default") != "default":
            _collect(value.indices.size if value.stype == "csr" else value.indices, f"{name}.{value.stype}", found)
        elif kind == "ndarray":
            found[f"{name} of mx.np"] = np.asarray(True)
    elif kind == "Executor":
        for part in ("arg_arrays", "grad_arrays", "aux_arrays", "outputs"):
            _collect(getattr(value, part), f"{name}.{part}", found)
    elif kind == "DataBatch":
        for part in ("data", "label", "pad", "index"):
            _collect(getattr(value, part), f"{name}.{part}", found)
    elif hasattr(value, "collect_params"):
        for i, parameter in enumerate(value.collect_params().values()):
            _collect(parameter, f"{name}.params[{i}]", found)
    elif hasattr(value, "list_data") and hasattr(value, "grad_req"):
        for part in ("list_data", "list_grad"):
            try:
                arrays = getattr(value, part)()
            except Exception:  # not initialized, or without gradient
                found[f"{name}.{part}"] = "none"
            else:
                _collect(arrays, f"{name}.{part}", found)


def _in_children(programs, jitter):
    """The results of programs, pickled: a forked process runs them in order.

    What it does not survive, or is not through with in TIME_LIMIT, has that as its result; another goes on behind it.
    """
    results = []
    while len(results) < len(programs):
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.close(reader)
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                with os.fdopen(writer, "wb") as pipe:
                    for steps in programs[len(results) :]:
                        signal.alarm(TIME_LIMIT)
                        _clear()
                        _write(pipe, pickle.dumps(run(steps, jitter), protocol=4))
            finally:
                os._exit(0)
        os.close(writer)
        with os.fdopen(reader, "rb") as pipe:
            while (data := _read(pipe)) is not None:
                results.append(data)
        status = os.waitpid(child, 0)[1]
        if len(results) < len(programs):
            number = os.WTERMSIG(status) if os.WIFSIGNALED(status) else None
            name = "no result" if number is None else signal.Signals(number).name
            end = "hang" if number == signal.SIGALRM else f"crash: {name}"
            results.append(pickle.dumps({"end": end, "errors": {}, "dumps": []}, protocol=4))
    return results


def _clear():
    """Removes the files that a program left."""
    for name in os.listdir():
        os.remove(name)


def _read(pipe):
    """The next message, None if it does not come whole."""
    head = pipe.read(8)
    size = struct.unpack("<q", head)[0] if len(head) == 8 else 0
    data = pipe.read(size)
    return data if data and len(data) == size else None


def _write(pipe, data):
    pipe.write(struct.pack("<q", len(data)) + data)
    pipe.flush()


def main():
    """Lists of programs from standard input, their results to standard output, each after its length."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    from differential import prelude  # once, before forking

    for name in "sym mod module gluon io kv kvstore optimizer metric monitor init lr_scheduler".split():
        getattr(prelude.mx, name)
    silence = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(silence, number)
    place = tempfile.mkdtemp()
    os.chdir(place)
    try:
        while (request := _read(requests)) is not None:
            programs, forked, jitter = pickle.loads(request)
            if forked:
                results = _in_children(programs, jitter)
            else:
                results = [pickle.dumps(run(steps), protocol=4) for steps in programs]
            _write(replies, pickle.dumps(results, protocol=4))
    finally:
        shutil.rmtree(place, ignore_errors=True)


if __name__ == "__main__":
    main()
