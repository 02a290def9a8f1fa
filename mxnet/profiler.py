"""Where the time goes: a trace for chrome://tracing or Perfetto, and a table of sums, on top of ``torch.profiler``.

    mx.profiler.set_config(filename="profile.json", aggregate_stats=True)
    mx.profiler.set_state("run")
    ...
    mx.profiler.set_state("stop")
    print(mx.profiler.dumps())
    mx.profiler.dump()

``MXNET_PROFILER_AUTOSTART=1`` in the environment records a whole program, without a change to it.

Operators have their names, ``_backward_...`` in a backward pass; what Python code of a custom operator ``mine`` takes
is ``mine::pure_python``, or ``_backward_mine::pure_python``, and what it calls ``mine::dot``. Work of torch's outside
of any operator is listed apart. Nothing is slower while nothing is recorded: names are put on operators when recording
starts, and taken off when it ends.
"""

from __future__ import annotations

import atexit
import json
import os
import threading
import time
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from ._core.files import writing
from ._profiler_names import Named, name_operators, named_spans, operator_name
from .error import MXNetAssertionError, MXNetKeyError, MXNetValueError

__all__ = [
    "Counter",
    "Domain",
    "Event",
    "Frame",
    "Marker",
    "Task",
    "dump",
    "dump_profile",
    "dumps",
    "pause",
    "profiler_set_config",
    "profiler_set_state",
    "resume",
    "set_config",
    "set_kvstore_handle",
    "set_state",
]

_FLAGS = ("all", "symbolic", "imperative", "memory", "api")
_CONFIG: dict[str, Any] = {
    "filename": "profile.json",
    **{f"profile_{name}": False for name in _FLAGS},
    "continuous_dump": False,
    "dump_period": 1.0,
    "aggregate_stats": False,
    "profile_process": "worker",
}
_SCOPES = {"global": "g", "process": "p", "thread": "t", "task": "t", "marker": "t"}
#: How the trace marks beginning and end, by category; tasks are asynchronous.
_PHASES = {name: ("B", "E") for name in ("operator", "Custom Operator", "torch", "event")} | {"frame": ("(", ")")}
#: How torch calls what was taken or given back, and the original the table of it.
_MEMORY_EVENT, _STORAGE = "[memory]", "Device Storage"
_USES = ("Min Use  (kB)", "Max Use  (kB)", "Avg Use  (kB)")
_SORTS = {"total": "Total", "avg": "Avg", "min": "Min", "max": "Max", "count": "Count"}


@dataclass
class _Profile:
    """What was recorded so far, and the recording that runs."""

    config: dict[str, Any] = field(default_factory=lambda: dict(_CONFIG))
    running: bool = False
    paused: bool = False
    recorder: Any = None
    unname: Callable[[], None] | None = None
    began: float = 0.0
    #: which call made a node of torch's graph, by thread and number
    makers: dict[tuple[int, int], Named] = field(default_factory=dict)
    #: category, name, beginning in microseconds, duration, thread
    spans: list[tuple[str, str, float, float, int]] = field(default_factory=list)
    #: what has no duration, as the trace has it
    marks: list[dict[str, Any]] = field(default_factory=list)
    #: bytes that were taken since recording began, less those given back, by device
    taken: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def on(self) -> bool:
        return self.running and not self.paused

    @property
    def with_memory(self) -> bool:
        return bool(self.config["profile_all"] or self.config["profile_memory"])

    def start(self) -> None:
        import torch

        os.environ.setdefault("KINETO_LOG_LEVEL", "6")  # errors only: below that torch prints lines at start and stop
        activities = [torch.profiler.ProfilerActivity.CPU]
        if torch.cuda.is_available():
            activities.append(torch.profiler.ProfilerActivity.CUDA)
        self.began = _now()
        recorder = torch.profiler.profile(activities=activities, profile_memory=self.with_memory)
        recorder.start()
        self.recorder, self.unname = recorder, name_operators()

    def collect(self) -> None:
        """Ends the recording of operators that runs, if any, and keeps what it has."""
        recorder, self.recorder = self.recorder, None
        if recorder is None:
            return
        recorder.stop()
        if self.unname is not None:
            self.unname()
        for span in named_spans(recorder.events(), self.makers):
            if span.name != _MEMORY_EVENT:
                self.spans.append((span.category, span.name, self.began + span.begin, span.took, span.thread))
        if self.with_memory:
            self.collect_memory(recorder.profiler.kineto_results)

    def collect_memory(self, results: Any) -> None:
        """Keeps how much memory was in use, after each time that some was taken or given back."""
        start = results.trace_start_ns()
        events = (event for event in results.events() if event.name() == _MEMORY_EVENT)
        for event in sorted(events, key=lambda event: event.start_ns()):
            kind = "cpu" if "CPU" in str(event.device_type()) else "gpu"
            name = f"Memory: {kind}/{max(event.device_index(), 0)}"
            self.taken[name] += event.nbytes()
            when = self.began + (event.start_ns() - start) / 1e3
            used = max(self.taken[name], 0)  # what was there before may be given back
            mark = {"name": name, "cat": _STORAGE, "ph": "C", "ts": when, "tid": 0, "args": {name: used}}
            self.marks.append(mark)

    def refresh(self) -> None:
        """Keeps what was recorded up to now, and goes on."""
        with self.lock:
            if self.recorder is not None:
                self.collect()
                self.start()

    def switch(self, running: bool, paused: bool) -> None:
        with self.lock:
            was = self.on
            self.running, self.paused = running, paused
            if self.on and not was:
                self.start()
            elif was and not self.on:
                self.collect()


_profile = _Profile()


def _now() -> float:
    return time.time_ns() / 1e3


#: The number of commands to servers that are about the profiler.
SERVER_COMMAND = 6


class _Servers:
    """The stores whose servers receive profiler commands."""

    kvstore: Any = None


def _sent(profile_process: str, function: str, *args: Any) -> bool:
    """Is a call meant for the servers of the distributed store? They have got it then."""
    if profile_process not in ("worker", "server"):
        raise MXNetValueError(f"profile_process must be worker or server, got {profile_process!r}")
    if profile_process == "worker":
        return False
    if _Servers.kvstore is None:
        raise MXNetValueError(
            "servers are profiled through a distributed kvstore: call profiler.set_kvstore_handle(kv) first"
        )
    _Servers.kvstore._send_command_to_servers(SERVER_COMMAND, json.dumps([function, args]))
    return True


def server_command(body: str) -> None:
    """Does in a server what a worker has asked for."""
    function, args = json.loads(body)
    if function == "set_config":
        set_config(**args[0])
    elif function in ("set_state", "pause", "resume", "dump"):
        actions: dict[str, Callable[..., None]] = {
            "set_state": set_state,
            "pause": pause,
            "resume": resume,
            "dump": dump,
        }
        actions[function](*args)
    else:
        raise MXNetValueError(f"the profiler of a server does not know {function!r}")


def _warn_deprecated(old: str, new: str) -> None:
    warnings.warn(f"profiler.{old}() is deprecated. Please use profiler.{new}() instead", stacklevel=3)


def set_config(**kwargs: Any) -> None:
    """Says what to record, and where ``dump`` writes it.

    ``filename`` is the file for the trace; ``dumps`` has something to report if ``aggregate_stats``. The other names of
    MXNet (``profile_all``, ``profile_symbolic``, ``profile_imperative``, ``profile_memory``, ``profile_api``,
    ``continuous_dump``, ``dump_period``, ``profile_process``) are accepted: operators are always recorded, the memory
    that is in use with ``profile_all`` or ``profile_memory``, counted from where the recording began.
    """
    unknown = sorted(set(kwargs) - set(_CONFIG))
    if unknown:
        raise MXNetValueError(f"set_config has no argument {unknown[0]!r}; known: {', '.join(_CONFIG)}")
    process = kwargs.get("profile_process", "worker")
    if _sent(process, "set_config", {k: v for k, v in kwargs.items() if k != "profile_process"}):
        return
    _profile.config.update(kwargs)


def profiler_set_config(mode: str = "symbolic", filename: str = "profile.json") -> None:
    """The old form of ``set_config``."""
    _warn_deprecated("profiler_set_config", "set_config")
    set_config(filename=filename, profile_symbolic=mode in ("symbolic", "all"), profile_all=mode == "all")


def set_state(state: str = "stop", profile_process: str = "worker") -> None:
    """Starts ('run') or ends ('stop') recording."""
    if state not in ("run", "stop"):
        raise MXNetKeyError(f"the state of the profiler is run or stop, got {state!r}")
    if not _sent(profile_process, "set_state", state):
        _profile.switch(state == "run", paused=False)


def profiler_set_state(state: str = "stop") -> None:
    """The old form of ``set_state``."""
    _warn_deprecated("profiler_set_state", "set_state")
    set_state(state)


def pause(profile_process: str = "worker") -> None:
    """Stops recording until ``resume``."""
    if not _sent(profile_process, "pause"):
        _profile.switch(_profile.running, paused=True)


def resume(profile_process: str = "worker") -> None:
    """Goes on recording after ``pause``."""
    if not _sent(profile_process, "resume"):
        _profile.switch(_profile.running, paused=False)


def set_kvstore_handle(handle: object) -> None:
    """The distributed store whose servers are meant by ``profile_process='server'``."""
    _Servers.kvstore = handle


def dump(finished: bool = True, profile_process: str = "worker") -> None:
    """Writes the trace to the file of ``set_config``; with ``finished`` recording ends."""
    if _sent(profile_process, "dump", finished):
        return
    if finished:
        set_state("stop")
    _profile.refresh()
    process = os.getpid()
    events = [{**event, "pid": process} for event in (*_beginnings_and_ends(), *_profile.marks)]
    with writing(_profile.config["filename"]) as file:
        file.write(json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}).encode())


@atexit.register
def _dump_at_exit() -> None:
    """A program may end while it records: what there is is written, and torch, which would crash, is stopped."""
    if _profile.running:
        dump(True)


def _beginnings_and_ends() -> Iterator[dict[str, Any]]:
    """Two events for each span, those of a thread in the order in which spans are nested."""
    threads: dict[int, list[tuple[str, str, float, float, int]]] = defaultdict(list)
    for span in _profile.spans:
        threads[span[4]].append(span)
    for thread, spans in threads.items():
        open_ones: list[tuple[float, dict[str, Any]]] = []
        for category, name, begin, took, _ in sorted(spans, key=lambda span: (span[2], -span[3])):
            while open_ones and open_ones[-1][0] <= begin:
                yield open_ones.pop()[1]
            kind = "frame" if category.endswith(",frame") else category
            begins, ends = _PHASES.get(kind, ("b", "e"))
            event = {"name": name, "cat": category, "tid": thread}
            if begins == "b":
                event["id"] = thread
            yield {**event, "ph": begins, "ts": begin}
            open_ones.append((begin + took, {**event, "ph": ends, "ts": begin + took}))
            open_ones.sort(key=lambda one: -one[0])
        yield from (event for _, event in reversed(open_ones))


def dump_profile() -> None:
    """The old form of ``dump``."""
    _warn_deprecated("dump_profile", "dump")
    dump(True)


def dumps(reset: bool = False, format: str = "table", sort_by: str = "total", ascending: bool = False) -> str:
    """The sums of what was recorded, in milliseconds, as a table or as JSON; ``reset`` forgets it all.

    Empty unless ``set_config(aggregate_stats=True)``. Of counters there are the last value, the smallest, the largest
    and half of what is between, by thousands.
    """
    if format not in ("table", "json"):
        raise MXNetAssertionError(f"Invalid value provided for format: {format}. Support: 'table', 'json'")
    if sort_by not in _SORTS:
        raise MXNetAssertionError(f"Invalid value provided for sort_by: {sort_by}. Support: {', '.join(_SORTS)}")
    if reset not in (False, True):
        raise MXNetAssertionError(f"Invalid value provided for reset: {reset}. Support: False, True")
    _profile.refresh()
    sums = _sums(_SORTS[sort_by], ascending)
    sums.pop("torch", None)  # what PyTorch did outside of operators is in the trace, under its own names
    if reset:
        _profile.spans.clear()
        _profile.marks.clear()
        _profile.makers.clear()
        _profile.taken.clear()
    if not _profile.config["aggregate_stats"]:
        return ""
    if format == "json":
        uses = sums.pop(_STORAGE, {})
        rows = {name: {key: row[key] for key in ("Count", "Min", "Max", "Avg")} for name, row in uses.items()}
        memory = {_STORAGE: rows} if rows else {}
        return json.dumps({"Time": sums, "Memory": memory, "Unit": {"Time": "ms", "Memory": "kB"}}, indent=4)
    lines = ["", "Profile Statistics:", "\tNote the difference in units for different entries."]
    times = ("Total Count", "Time (ms)", "Min Time (ms)", "Max Time (ms)", "Avg Time (ms)")
    for category, rows in sums.items():
        columns = ("Total Count", *_USES) if category == _STORAGE else times
        keys = ("Min", "Max", "Avg") if category == _STORAGE else ("Total", "Min", "Max", "Avg")
        lines += [category, "================="]
        for name, *heads in (("Name", *columns), ["-" * len(column) for column in ("Name", *columns)]):
            lines.append(f"{name:<30}{heads[0]:>11}" + "".join(f"{head:>17}" for head in heads[1:]))
        for name, row in rows.items():
            numbers = "".join(f"{row[key]:>17.4f}" for key in keys)
            lines.append(f"{name:<30}{row['Count']:>11}{numbers}")
        lines.append("")
    return "\n".join(lines) + "\n"


def _sums(key: str, ascending: bool) -> dict[str, dict[str, dict[str, float]]]:
    times: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for category, name, _, took, _ in _profile.spans:
        shown = operator_name(name) if category == "operator" else name
        times[category][shown].append(took / 1e3)
    tables: dict[str, dict[str, dict[str, float]]] = defaultdict(dict)
    for category, rows in times.items():
        for name, t in rows.items():
            tables[category][name] = _row(t, sum(t), sum(t) / len(t))
    counted: dict[tuple[str, str], list[float]] = defaultdict(list)
    for mark in _profile.marks:
        if mark["ph"] == "C":
            counted[mark["cat"], mark["name"]].append(mark["args"][mark["name"]])
        else:
            tables[mark["cat"]]  # a heading without rows, as in the original
    for (category, name), values in counted.items():
        average = (max(values) - min(values)) // 2
        tables[category][name] = _row([v / 1e3 for v in values], values[-1] / 1e3, average / 1e3)
    return {
        category: dict(sorted(table.items(), key=lambda item: item[1][key], reverse=not ascending))
        for category, table in sorted(tables.items())
    }


def _row(values: list[float], total: float, average: float) -> dict[str, float]:
    return {"Count": len(values), "Total": total, "Min": min(values), "Max": max(values), "Avg": average}


class Domain:
    """A name under which tasks, frames, counters and markers of one part of a program are put together."""

    def __init__(self, name: str):
        self.name = name

    def __str__(self) -> str:
        return self.name

    def new_task(self, name: str) -> Task:
        """A task of this domain."""
        return Task(self, name)

    def new_frame(self, name: str) -> Frame:
        """A frame of this domain."""
        return Frame(self, name)

    def new_counter(self, name: str, value: int | None = None) -> Counter:
        """A counter of this domain."""
        return Counter(self, name, value)

    def new_marker(self, name: str) -> Marker:
        """A marker of this domain."""
        return Marker(self, name)


class _Span:
    """Something with a beginning and an end."""

    def __init__(self, category: str, name: str):
        self.name = name
        self._category = category
        self._began: float | None = None

    def __str__(self) -> str:
        return self.name

    def start(self) -> None:
        """Notes the beginning."""
        self._began = _now()

    def stop(self) -> None:
        """Notes the end; without a beginning there is nothing to note."""
        began, self._began = self._began, None
        if began is not None and _profile.on:
            _profile.spans.append((self._category, self.name, began, _now() - began, threading.get_native_id()))


class Task(_Span):
    """A piece of work, which may begin and end in different threads."""

    def __init__(self, domain: Domain, name: str):
        super().__init__(domain.name, name)


class Frame(_Span):
    """One pass of a loop, as of a game or a video."""

    def __init__(self, domain: Domain, name: str):
        super().__init__(f"{domain.name},frame", name)


class Event(_Span):
    """A piece of work of the thread it is in, without a domain."""

    def __init__(self, name: str):
        super().__init__("event", name)


class Counter:
    """A number over time; ``counter += 1`` counts."""

    def __init__(self, domain: Domain, name: str, value: int | None = None):
        self.name = name
        self._category = domain.name
        self._value = 0
        if value is not None:
            self.set_value(value)

    def __str__(self) -> str:
        return self.name

    def set_value(self, value: int) -> None:
        """Sets the number. The trace has it as 64 bits without a sign."""
        self._value = int(value)
        _mark(self._category, self.name, ph="C", args={self.name: self._value % 2**64})

    def increment(self, delta: int = 1) -> None:
        """Adds to the number."""
        self.set_value(self._value + delta)

    def decrement(self, delta: int = 1) -> None:
        """Takes from the number."""
        self.set_value(self._value - delta)

    def __iadd__(self, delta: int) -> Counter:
        self.increment(delta)
        return self

    def __isub__(self, delta: int) -> Counter:
        self.decrement(delta)
        return self


class Marker:
    """A moment."""

    def __init__(self, domain: Domain, name: str):
        self.name = name
        self.domain = domain

    def mark(self, scope: str = "process") -> None:
        """Notes that it is now, for the whole machine (global), the process, the thread or the task."""
        if scope not in _SCOPES:
            raise MXNetValueError(f"the scope of a marker must be one of {', '.join(_SCOPES)}, got {scope!r}")
        _mark(f"{self.domain.name},instant_marker", self.name, ph="n", s=_SCOPES[scope])


def _mark(category: str, name: str, **more: Any) -> None:
    if _profile.on:
        _profile.marks.append({"name": name, "cat": category, "ts": _now(), "tid": threading.get_native_id(), **more})
