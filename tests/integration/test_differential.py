"""Random programs, whose results were recorded from the original, give the same results here."""

import numpy as np
import pytest
from differential import compare, generate, golden, worker

PARTS = 8
KINDS = (
    "ndarray",
    "autograd",
    "executor",
    "module",
    "gluon",
    "kvstore",
    "optimizer",
    "iterator",
    "sparse",
    "numpy",
    "numpy_gluon",
    "control",
    "library",
    "operator_call",
    "numpy_call",
)


@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", KINDS)
def test_recorded_programs_give_the_originals_results(kind, part, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    wrong = []
    for number, packed in enumerate(golden.load(kind)[part::PARTS]):
        for left in tmp_path.iterdir():
            left.unlink()
        steps, expected = golden.unpack(packed)
        found = compare.first_difference(steps, golden.digested(worker.run(steps)), expected)
        if found and not compare.deliberate(steps, found):
            wrong.append((number * PARTS + part, steps, found))
    if wrong:
        pytest.fail(_report(kind, wrong), pytrace=False)


def _report(kind, wrong):
    number, steps, (step, sort, text) = min(wrong, key=lambda item: len(item[1]))
    numbers = ", ".join(str(item[0]) for item in wrong)
    upto = "\n".join(steps[: step + 1])
    return f"{len(wrong)} programs of {kind} differ ({numbers}); {number} in {sort}:\n{upto}\n{text}"


def test_a_kind_and_a_number_always_give_the_same_program():
    for kind in generate.kinds():
        assert generate.program(kind, 7) == generate.program(kind, 7)
        assert generate.program(kind, 7) != generate.program(kind, 8)
    assert set(generate.kinds()) == set(KINDS)


def test_what_is_packed_can_be_compared_again(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    steps = ["a = nd.array(val((30, 2)))", "b = a[0]", "dump()", "b[:] = 3", "c = [a, 1.5]", "d = nope", "e = 2"]
    result = worker.run(steps)
    assert sorted(result["errors"]) == [5]
    _, again = golden.unpack(golden.pack(steps, result))
    assert compare.first_difference(steps, golden.digested(result), again) is None
    other = worker.run([*steps[:3], "b[:] = 4", *steps[4:]])
    step, kind, text = compare.first_difference(steps, golden.digested(other), again)
    assert (step, kind) == (7, "value") and text.startswith("a\n")
    other = worker.run([*steps[:6], "e = nope"])
    assert compare.first_difference(steps, golden.digested(other), again)[:2] == (6, "error")


def test_a_single_call_that_both_refuse_is_over():
    steps = ["x0 = 1", "_e = bound(_s, {'x0': x0}, 'write')", "y = [o.copy() for o in _e.forward()]", "_e.backward()"]
    ours = {"end": "finished", "errors": {2: "when it runs"}, "dumps": []}
    theirs = {"end": "finished", "errors": {1: "when it is bound", 2: "no _e", 3: "no _e"}, "dumps": []}
    assert compare.first_difference(steps, ours, theirs) is None
    step, kind, _ = compare.first_difference(steps, ours, {**theirs, "errors": {}})
    assert (step, kind) == (2, "error")


def test_values_are_the_same_but_for_rounding():
    a = np.array([1.0, np.nan, np.inf], dtype=np.float32)
    assert compare.same(a, a + np.float32(1e-5)) and not compare.same(a, a + np.float32(1e-2))
    assert not compare.same(a, a.astype(np.float64)) and not compare.same(a, a.reshape(1, 3))
    assert not compare.same(np.array([1]), np.array([2])) and not compare.same(a, None) and not compare.same(a, "text")


def test_a_program_is_shrunk_to_what_matters():
    steps = [f"s{i}" for i in range(20)]
    steps[11] = "with x:\n    a\n    b\n    c"

    def differs(candidate):
        text = "\n".join(candidate)
        return "s3" in candidate and "s17" in candidate and "    b" in text

    assert compare.shrink(steps, differs) == ["s3", "with x:\n    b", "s17"]
