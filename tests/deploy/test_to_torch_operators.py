"""Operators as PyTorch source: each by its samples, the written function against the operator itself."""

import sys
import types

import numpy as np
import pytest
import samples
import torch
from samples.common import find_function

import mxnet as mx
from mxnet.error import MXNetError
from mxnet.to_torch.symbols import of_symbol

ALL = [
    pytest.param(s, id=f"{f}-{n}")
    for f in samples.families()
    for n, s in samples.load(f)
    if not s.error and f not in ("optimizer_update", "random_pdf", "image", "creation")
]


def as_module(sources):
    """The written package, in memory."""
    package = types.ModuleType("written")
    package.__path__ = []
    names = {"written": package}
    for name in ("ops", "model"):
        if f"{name}.py" in sources:
            module = names[f"written.{name}"] = types.ModuleType(f"written.{name}")
            module.__package__, module.__file__ = "written", f"{name}.py"
            sys.modules.update(names)
            exec(compile(sources[f"{name}.py"], f"{name}.py", "exec"), module.__dict__)
    return names


def flat(results):
    return [results] if isinstance(results, torch.Tensor) else [t for part in results for t in flat(part)]


def test_each_operator_is_right_or_refused(request):
    """Nothing is silently wrong: an operator gives the operator's numbers, or says that it cannot be translated."""
    right, refused, wrong = set(), set(), []
    for parameter in ALL:
        (sample,) = parameter.values
        try:
            outcome = translate_and_compare(sample)
        except MXNetError:
            refused.add(sample.op)
            continue
        finally:
            for name in ("written", "written.ops", "written.model"):
                sys.modules.pop(name, None)
        if outcome is None:
            right.add(sample.op)
        else:
            wrong.append(f"{parameter.id}: {outcome}")
    print(f"{len(right)} operators right, {len(refused - right)} refused: {', '.join(sorted(refused - right))}")
    assert not wrong, "\n".join(wrong)
    assert len(right) > 200


def translate_and_compare(sample):
    """None if the source gives what the operator gives, else what is wrong."""
    arrays = [a for a in sample.inputs if isinstance(a, np.ndarray)]
    if len(arrays) != len(sample.inputs) or not arrays or any(not a.size for a in arrays):
        raise MXNetError("a sample for another test")
    function = find_function(mx.sym, sample.op)
    names = [f"in{i}" for i in range(len(arrays))]
    symbol = function(*[mx.sym.var(n) for n in names], **sample.attrs)
    examples = [mx.nd.array(a, dtype=a.dtype) for a in arrays]
    try:
        translation, expected = of_symbol(symbol, {}, {}, examples, 0)
        modules = as_module(translation.sources("A sample."))
        model = getattr(modules["written.model"], translation.structure.root.name)().eval()
        with torch.no_grad():
            results = flat(model(*[torch.from_numpy(a) for a in translation.inputs.values()]))
    except MXNetError:
        raise
    except (IndexError, RuntimeError) as error:
        raise MXNetError(f"torch refuses it when it runs: {error}") from error
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    for ours, theirs in zip(expected, results, strict=True):
        if ours.shape != tuple(theirs.shape) and ours.size != theirs.numel():
            return f"shape {tuple(theirs.shape)}, expected {ours.shape}"
        tolerance = 1e-2 if ours.dtype == np.float16 else 1e-5
        if not np.allclose(
            theirs.double().numpy().reshape(-1), ours.astype(np.float64).reshape(-1), tolerance, 1e-5, True
        ):
            return f"{theirs.flatten()[:4].tolist()}, expected {ours.ravel()[:4].tolist()}"
    return None
