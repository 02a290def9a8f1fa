"""mx.profiler: what is recorded gets into the trace and the sums; and mx.libinfo."""

import json
import os
import subprocess
import sys

import pytest
from paths import ROOT

import mxnet as mx
from mxnet import profiler


@pytest.fixture
def trace(tmp_path):
    profiler.dumps(reset=True)
    profiler.set_config(filename=str(tmp_path / "trace.json"), profile_all=True, aggregate_stats=True)
    yield tmp_path / "trace.json"
    profiler.set_state("stop")
    profiler.dumps(reset=True)


def work():
    a = mx.nd.ones((10, 10))
    return mx.nd.dot(a, a).wait_to_read()


def test_operators_and_own_marks(trace):
    work()
    profiler.set_state("run")
    work()
    domain = profiler.Domain("mine")
    task, frame, event = domain.new_task("task"), domain.new_frame("frame"), profiler.Event("event")
    for span in (task, frame, event):
        span.start()
        span.stop()
    counter = domain.new_counter("counter", 3)
    counter += 5
    counter -= 1
    counter.increment(2)
    counter.decrement()
    domain.new_marker("moment").mark("thread")
    profiler.pause()
    mx.nd.exp(mx.nd.ones((3,))).wait_to_read()
    profiler.resume()
    work()
    profiler.set_state("stop")
    mx.nd.exp(mx.nd.ones((3,))).wait_to_read()

    sums = json.loads(profiler.dumps(format="json"))["Time"]
    assert set(sums) >= {"operator", "mine", "mine,frame", "mine,instant_marker", "event"}
    assert sums["operator"]["dot"]["Count"] == 2 and "exp" not in sums["operator"]
    mm = sums["operator"]["dot"]
    assert 0 < mm["Min"] <= mm["Avg"] <= mm["Max"] <= mm["Total"] == pytest.approx(2 * mm["Avg"])
    assert sums["mine"]["counter"] == {"Count": 5, "Total": 0.008, "Min": 0.003, "Max": 0.009, "Avg": 0.003}
    assert set(sums["mine"]) == {"counter", "task"} and set(sums["event"]) == {"event"}
    for ascending in (False, True):
        rows = json.loads(profiler.dumps(format="json", sort_by="max", ascending=ascending))["Time"]["operator"]
        largest = [row["Max"] for row in rows.values()]
        assert largest == sorted(largest, reverse=not ascending)
    table = profiler.dumps()
    assert "Profile Statistics" in table and "dot" in table and "Avg Time (ms)" in table

    profiler.dump()
    events = json.loads(trace.read_text())["traceEvents"]
    assert [e["args"]["counter"] for e in events if e["ph"] == "C" and e["cat"] == "mine"] == [3, 8, 7, 9, 8]
    assert [(e["name"], e["s"]) for e in events if e["ph"] == "n"] == [("moment", "t")]
    named = {e["name"]: e for e in events}
    assert named["task"]["ts"] <= named["moment"]["ts"] and {e["pid"] for e in events} == {os.getpid()}
    begins = [e["ts"] for e in events if e["name"] == "dot" and e["ph"] == "B"]
    assert begins[0] < named["moment"]["ts"] < begins[1], "operators and marks have one clock"

    assert "dot" in profiler.dumps(reset=True) and "dot" not in profiler.dumps()


@mx.operator.register("profiled_square")
class _SquareProp(mx.operator.CustomOpProp):
    def create_operator(self, ctx, shapes, dtypes):
        class Square(mx.operator.CustomOp):
            def forward(self, is_train, req, in_data, out_data, aux):
                mx.nd.zeros((2, 2))
                self.assign(out_data[0], req[0], in_data[0] * in_data[0])

            def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
                self.assign(in_grad[0], req[0], in_data[0] * out_grad[0] + 2)

        return Square()


def test_operators_have_the_names_that_the_original_gives_them(trace):
    x, w = mx.nd.ones((2, 3)), mx.nd.ones((4, 3))
    x.attach_grad()
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(3, activation="relu"), mx.gluon.nn.BatchNorm())
    net.initialize()
    net.hybridize()
    net(x)
    kept = mx.nd.NDArray.__add__, mx.nd.dot, mx.operator._Kernel.run_python
    profiler.set_state("run")
    y = x + 1
    y = x * y
    with mx.autograd.record():
        loss = mx.nd.FullyConnected(x, w, no_bias=True, num_hidden=4).relu().sum() + net(x).sum()
    loss.backward()
    with mx.autograd.record():
        loss = mx.nd.Custom(x, op_type="profiled_square")
    loss.backward()
    mx.nd.sgd_update(w, w, lr=0.1, out=w)
    mx.gluon.Trainer(net.collect_params(), "adam").step(1, ignore_stale_grad=True)
    profiler.set_state("stop")
    assert kept == (mx.nd.NDArray.__add__, mx.nd.dot, mx.operator._Kernel.run_python)
    sums = json.loads(profiler.dumps(format="json"))["Time"]
    counts = {name: row["Count"] for name, row in sums["operator"].items()}
    # what the original counts for the same program
    for name, count in {
        "FullyConnected": 2,
        "_backward_FullyConnected": 2,
        "Activation": 1,
        "_backward_Activation": 1,
        "BatchNorm": 1,
        "_backward_BatchNorm": 1,
        "relu": 1,
        "_backward_relu": 1,
        "sum": 2,
        "_backward_sum": 2,
        "_plus_scalar": 1,
        "broadcast_mul": 1,
        "broadcast_add": 1,
        "sgd_update": 1,
    }.items():
        assert counts.get(name) == count, name
    assert counts["adam_update"] == 1  # one for all parameters, where the original has one for each
    custom = {name: row["Count"] for name, row in sums["Custom Operator"].items()}
    assert custom == {
        "profiled_square::pure_python": 1,
        "profiled_square::broadcast_mul": 1,
        "profiled_square::_zeros": 1,
        "profiled_square::CopyCPU2CPU": 1,
        "_backward_profiled_square::pure_python": 1,
        "_backward_profiled_square::broadcast_mul": 1,
        "_backward_profiled_square::_plus_scalar": 1,
        "_backward_profiled_square::CopyCPU2CPU": 1,
    }
    assert not any(name.startswith("aten::") for name in sums["operator"])


def test_beginnings_and_ends_are_nested(trace):
    profiler.set_state("run")
    mx.nd.Custom(mx.nd.ones((3,)), op_type="profiled_square")
    profiler.dump()
    events = [e for e in json.loads(trace.read_text())["traceEvents"] if e["ph"] in "BE"]
    assert any(e["cat"] == "Custom Operator" for e in events)
    open_ones = []
    for event in events:
        if event["ph"] == "B":
            open_ones.append(event["name"])
        else:
            assert event["name"] == open_ones.pop()
    assert not open_ones


def test_memory_in_use(trace):
    profiler.set_state("run")
    kept = mx.nd.ones((1000, 1000))
    for _ in range(3):
        mx.nd.dot(kept, kept).wait_to_read()
    profiler.set_state("stop")
    table = profiler.dumps()
    (used,) = json.loads(profiler.dumps(format="json"))["Memory"].values()
    row = used["Memory: cpu/0"]
    assert 8000 <= row["Max"] < 40000 and row["Count"] >= 4  # two arrays of 4 MB at a time, and what kernels take
    assert "Device Storage" in table and "Max Use  (kB)" in table and "Memory: cpu/0" in table
    profiler.dump()
    events = json.loads(trace.read_text())["traceEvents"]
    counts = [event["args"]["Memory: cpu/0"] for event in events if event["name"] == "Memory: cpu/0"]
    assert len(counts) == row["Count"] and max(counts) == pytest.approx(1000 * row["Max"])
    assert all(event["ph"] == "C" for event in events if event["cat"] == "Device Storage")
    profiler.set_config(profile_all=False, profile_memory=False)
    profiler.dumps(reset=True)
    profiler.set_state("run")
    work()
    profiler.set_state("stop")
    assert json.loads(profiler.dumps(format="json"))["Memory"] == {}


def test_there_are_no_sums_unless_asked_for(trace):
    profiler.set_config(aggregate_stats=False)
    profiler.set_state("run")
    work()
    profiler.set_state("stop")
    assert profiler.dumps() == ""


def test_a_look_while_it_runs(trace):
    profiler.set_state("run")
    work()
    assert "dot" in profiler.dumps()
    work()
    profiler.dump(finished=False)
    work()
    profiler.set_state("stop")
    assert json.loads(profiler.dumps(format="json"))["Time"]["operator"]["dot"]["Count"] == 3


def test_nothing_is_recorded_before_it_runs(trace):
    profiler.Task(profiler.Domain("a"), "b").stop()
    profiler.Counter(profiler.Domain("a"), "b", 1)
    profiler.dump()
    assert json.loads(trace.read_text())["traceEvents"] == []


def test_counters_are_whole_numbers(trace):
    with pytest.raises(ValueError, match="invalid literal"):
        profiler.Counter(profiler.Domain("a"), "b", "c")
    profiler.set_state("run")
    profiler.Counter(profiler.Domain("a"), "b").decrement(5)
    profiler.dump()
    (counted,) = (
        event for event in json.loads(trace.read_text())["traceEvents"] if event["ph"] == "C" and event["cat"] == "a"
    )
    assert counted["args"] == {"b": 18446744073709551611}


def test_old_names(trace):
    with pytest.warns(UserWarning, match="deprecated"):
        profiler.profiler_set_config("all", str(trace))
    with pytest.warns(UserWarning, match="deprecated"):
        profiler.profiler_set_state("run")
    work()
    with pytest.warns(UserWarning, match="deprecated"):
        profiler.dump_profile()
    assert any(e["name"] == "dot" for e in json.loads(trace.read_text())["traceEvents"])


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: profiler.set_config(zz=1), "zz"),
        (lambda: profiler.set_state("zz"), "run or stop"),
        (lambda: profiler.dumps(format="zz"), "format"),
        (lambda: profiler.dumps(sort_by="zz"), "sort_by"),
        (lambda: profiler.dumps(reset=3), "reset"),
        (lambda: profiler.Marker(profiler.Domain("a"), "b").mark("zz"), "scope"),
        (lambda: profiler.set_state("run", profile_process="zz"), "worker or server"),
    ],
)
def test_wrong_arguments(call, words):
    with pytest.raises(mx.MXNetError, match=words):
        call()


def test_servers_are_profiled_through_their_store():
    profiler.set_kvstore_handle(None)
    with pytest.raises(ValueError, match="set_kvstore_handle"):
        profiler.set_state("run", profile_process="server")
    profiler.set_kvstore_handle(mx.kv.create("local"))  # it has no servers, so that nothing happens
    profiler.set_state("run", profile_process="server")
    profiler.set_kvstore_handle(None)


def test_libinfo():
    assert mx.libinfo.__version__ == mx.__version__
    assert all(os.path.isfile(path) for path in mx.libinfo.find_lib_path())
    assert os.path.isfile(os.path.join(mx.libinfo.find_include_path(), "native.h"))


def test_a_program_that_ends_while_it_records(tmp_path):
    program = """
import mxnet as mx
mx.profiler.set_config(filename="trace.json", profile_all=True)
mx.profiler.set_state("run")
mx.nd.dot(mx.nd.ones((2, 2)), mx.nd.ones((2, 2))).wait_to_read()
raise SystemExit(3)
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True)
    assert ended.returncode == 3, ended.stderr
    assert "dot" in {event["name"] for event in json.loads((tmp_path / "trace.json").read_text())["traceEvents"]}


def test_tables_have_names_that_users_know(tmp_path):
    """``np.ones``, not ``_npi_ones``, and no functions of PyTorch's own; nor does PyTorch print anything."""
    code = f"""
import mxnet as mx
from mxnet import autograd, gluon
mx.profiler.set_config(profile_all=True, aggregate_stats=True, filename={str(tmp_path / "p.json")!r})
mx.profiler.set_state("run")
net = gluon.nn.Dense(3)
net.initialize()
with autograd.record():
    loss = gluon.loss.SoftmaxCrossEntropyLoss()(net(mx.nd.ones((2, 4))), mx.nd.array([0, 1]))
loss.backward()
mx.np.ones((3,)).sum()
mx.profiler.set_state("stop")
print(mx.profiler.dumps())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    names = [line.split("  ")[0] for line in done.stdout.splitlines()]
    assert {"np.ones", "np.sum", "FullyConnected", "softmax cross-entropy", "_backward_softmax cross-entropy"} <= set(
        names
    )
    assert not [name for name in names if name.startswith(("_np", "aten", "torch", "_log_softmax_pick"))]
    assert done.stderr == ""
