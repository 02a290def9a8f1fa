"""mx.profiler: what is recorded gets into the trace and the sums; and mx.libinfo."""

import json
import os

import pytest

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
    assert set(sums) == {"operator", "mine", "mine,frame", "event"}
    assert sums["operator"]["aten::mm"]["Count"] == 2 and "aten::exp" not in sums["operator"]
    mm = sums["operator"]["aten::mm"]
    assert 0 < mm["Min"] <= mm["Avg"] <= mm["Max"] <= mm["Total"] == pytest.approx(2 * mm["Avg"])
    assert set(sums["mine"]) == {"task"} and set(sums["event"]) == {"event"}
    for ascending in (False, True):
        rows = json.loads(profiler.dumps(format="json", sort_by="max", ascending=ascending))["Time"]["operator"]
        largest = [row["Max"] for row in rows.values()]
        assert largest == sorted(largest, reverse=not ascending)
    table = profiler.dumps()
    assert "Profile Statistics" in table and "aten::mm" in table and "Avg Time (ms)" in table

    profiler.dump()
    events = json.loads(trace.read_text())["traceEvents"]
    assert [e["args"]["counter"] for e in events if e["ph"] == "C"] == [3, 8, 7, 9, 8]
    assert [(e["name"], e["s"]) for e in events if e["ph"] == "i"] == [("moment", "t")]
    named = {e["name"]: e for e in events}
    assert named["task"]["ts"] <= named["moment"]["ts"] and {e["pid"] for e in events} == {os.getpid()}
    begins = [e["ts"] for e in events if e["name"] == "aten::mm"]
    assert begins[0] < named["moment"]["ts"] < begins[1], "operators and marks have one clock"

    assert "aten::mm" in profiler.dumps(reset=True) and "aten::mm" not in profiler.dumps()


def test_a_look_while_it_runs(trace):
    profiler.set_state("run")
    work()
    assert "aten::mm" in profiler.dumps()
    work()
    profiler.dump(finished=False)
    work()
    profiler.set_state("stop")
    assert json.loads(profiler.dumps(format="json"))["Time"]["operator"]["aten::mm"]["Count"] == 3


def test_nothing_is_recorded_before_it_runs(trace):
    profiler.Task(profiler.Domain("a"), "b").stop()
    profiler.Counter(profiler.Domain("a"), "b", 1)
    profiler.dump()
    assert json.loads(trace.read_text())["traceEvents"] == []


def test_old_names(trace):
    with pytest.warns(UserWarning, match="deprecated"):
        profiler.profiler_set_config("all", str(trace))
    with pytest.warns(UserWarning, match="deprecated"):
        profiler.profiler_set_state("run")
    work()
    with pytest.warns(UserWarning, match="deprecated"):
        profiler.dump_profile()
    assert any(e["name"] == "aten::mm" for e in json.loads(trace.read_text())["traceEvents"])


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: profiler.set_config(zz=1), "zz"),
        (lambda: profiler.set_state("zz"), "run or stop"),
        (lambda: profiler.dumps(format="zz"), "format"),
        (lambda: profiler.dumps(sort_by="zz"), "sort_by"),
        (lambda: profiler.Marker(profiler.Domain("a"), "b").mark("zz"), "scope"),
        (lambda: profiler.set_state("run", profile_process="zz"), "worker or server"),
    ],
)
def test_wrong_arguments(call, words):
    with pytest.raises(mx.MXNetError, match=words):
        call()


def test_servers_are_not_profiled():
    with pytest.raises(NotImplementedError, match="server"):
        profiler.set_state("run", profile_process="server")
    with pytest.raises(NotImplementedError, match="server"):
        profiler.set_kvstore_handle(None)


def test_libinfo():
    assert mx.libinfo.__version__ == mx.__version__
    assert all(os.path.isfile(path) for path in mx.libinfo.find_lib_path())
    assert os.path.isfile(os.path.join(mx.libinfo.find_include_path(), "native.h"))
