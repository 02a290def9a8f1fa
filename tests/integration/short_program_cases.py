"""Short programs, as test suites for MXNet are full of them, and what they give.

Run by the original's old Python as well. ``programs()`` gives them by file; ``outcome`` runs one. In the files a block
of lines, up to an empty one, is a program; below a line ``#each`` each line is one, `` ;; `` stands for its line ends.
The last expression of a program, or ``result``, is what it gives.
"""

import ast
import os
import random
import re
import shutil
import tempfile
import warnings

import numpy as np

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "short_programs")
PRELUDE = """
import collections, copy, itertools, json, math, os, pickle, sys, threading, time
import mxnet as mx
from mxnet import nd, sym, autograd, gluon, test_utils, npx
from mxnet.base import MXNetError
from mxnet.gluon import nn, rnn
from mxnet.test_utils import *
import numpy as np
_np, mnp = np, mx.np

def A(*shape, dtype="float32"):
    return nd.array(np.arange(1, 1 + int(np.prod(shape))).reshape(shape), dtype=dtype)

def E(function, *args, **kwargs):
    try:
        result = function(*args, **kwargs)
        if isinstance(result, nd.NDArray):
            result.asnumpy()
        nd.waitall()
    except Exception as error:
        return error
    return result

def T(function, *axes):
    return {repr(arguments): E(function, *arguments) for arguments in itertools.product(*axes)}

def G(function, *arrays):
    for array in arrays:
        array.attach_grad()
    with autograd.record():
        y = function(*arrays)
    y.backward()
    return [y, [array.grad for array in arrays]]
"""
#: Errors are compared by which of these they are.
CLASSES = (ValueError, TypeError, IndexError, KeyError, AttributeError, AssertionError, ZeroDivisionError, OSError)


def programs():
    """The programs of each file, by its name."""
    found = {}
    for file in sorted(os.listdir(FOLDER)):
        with open(os.path.join(FOLDER, file), encoding="utf-8") as stream:
            blocks = re.split(r"\n\s*\n", stream.read().strip("\n"))
        texts = []
        for block in blocks:
            each, _, lines = block.partition("\n")
            texts += [line.replace(" ;; ", "\n") for line in lines.split("\n")] if each == "#each" else [block]
        found[file.rsplit(".", 1)[0]] = texts
    return found


def outcome(text, mx):
    """What a program gives, as JSON has it."""
    here, environment = os.getcwd(), dict(os.environ)
    folder = tempfile.mkdtemp()
    mx.random.seed(7)
    np.random.seed(7)
    random.seed(7)
    try:
        os.chdir(folder)
        with warnings.catch_warnings(), mx.name.NameManager(), mx.cpu(0):
            warnings.simplefilter("ignore")
            space = {"__name__": "short_program", "TMP": folder + os.sep}
            exec(PRELUDE, space)
            tree = ast.parse(text)
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "program", "exec"), space)
            if last is None:
                value = space.get("result")
            else:
                value = eval(compile(ast.Expression(last.value), "program", "eval"), space)
            return shown(value, mx)
    except Exception as error:
        return refusal(error, mx)
    finally:
        os.chdir(here)
        shutil.rmtree(folder, ignore_errors=True)
        os.environ.clear()
        os.environ.update(environment)
        mx.npx.reset_np()
        mx.autograd.set_recording(False)
        mx.autograd.set_training(False)


def refusal(error, mx):
    """An error: what it is."""
    return ["error"] + [kind.__name__ for kind in (*CLASSES, mx.base.MXNetError) if isinstance(error, kind)]


def shown(value, mx):
    """A result as JSON has it."""
    if isinstance(value, mx.nd.NDArray):
        try:
            return [type(value).__name__, value.stype, str(value.context), *shown(value.asnumpy(), mx)]
        except Exception as error:
            return refusal(error, mx)
    if isinstance(value, (np.ndarray, np.generic)):
        kind = "array" if isinstance(value, np.ndarray) else "scalar"
        flat = value.ravel()[:300].tolist()
        return [kind, str(value.dtype), list(value.shape), [number(x) for x in flat]]
    if isinstance(value, mx.sym.Symbol):
        return ["Symbol", type(value).__name__, value.list_arguments(), value.list_outputs()]
    if isinstance(value, dict):
        parts = sorted(value.items(), key=lambda item: str(item[0]))
        return ["dict"] + [[shown(key, mx), shown(part, mx)] for key, part in parts]
    if isinstance(value, (list, tuple)):
        return [type(value).__name__] + [shown(part, mx) for part in value]
    if isinstance(value, Exception):
        return refusal(value, mx)
    if isinstance(value, type):
        return ["type", value.__name__.rstrip("_")]
    if isinstance(value, (bool, str, type(None))):
        return value
    return number(value) if isinstance(value, (int, float)) else re.sub("0x[0-9a-f]+", "0x", repr(value))


def number(value):
    """A number as text, floats with five digits."""
    return "%.5g" % value if isinstance(value, float) else str(value)
