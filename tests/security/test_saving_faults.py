"""Saving that is interrupted, disturbed or refused: the older file stays, or the new one is there whole."""

import json
import os
import pathlib
import resource
import stat
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon, nd, recordio
from mxnet._core import files, temporaries
from mxnet._core.files import writing, writing_together

KILLS = pathlib.Path(__file__).with_name("saving_kills.py")
ROOT = os.geteuid() == 0


def attacked(how, folder, *more):
    """What ``saving_kills.py`` found."""
    run = subprocess.run(
        [sys.executable, KILLS, how, folder, *map(str, more)],
        capture_output=True,
        text=True,
        timeout=1200,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert run.returncode == 0, run.stderr[-2000:]
    return json.loads(run.stdout.splitlines()[-1])


def as_nobody(function):
    """Runs a function in a forked process that has no special rights; its exception is raised here."""
    receiver, sender = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            if ROOT:
                os.setgroups([])
                os.setgid(65534)
                os.setuid(65534)
            function()
            os.write(sender, b"done")
        except BaseException as error:
            os.write(sender, repr(error).encode()[:60_000])
        finally:
            os._exit(0)
    os.close(sender)
    with open(receiver, "rb") as answer:
        found = answer.read()
    os.waitpid(process, 0)
    assert found == b"done", found.decode()


@pytest.fixture
def open_path(tmp_path):
    """A directory that everybody may look into."""
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        yield pathlib.Path(folder)


def names(folder):
    return sorted(os.listdir(folder))


# ---- kills ----------------------------------------------------------------------------------------------------------


def test_kills_before_each_operation(tmp_path):
    found = attacked("steps", tmp_path)
    assert found["failures"] == []
    for kind, at_least in {"Arrays": 8, "Export": 18, "Module": 24, "Handler": 36, "Records": 18}.items():
        assert found["tally"][kind]["kills"] >= at_least


def test_kills_at_random_moments(tmp_path):
    assert attacked("random", tmp_path, 30, 1)["failures"] == []


@pytest.mark.slow
def test_a_thousand_kills(tmp_path):
    found = attacked("random", tmp_path, 1000, 2)
    assert found["failures"] == [] and len(found["tally"]) == 10


# ---- full disks -----------------------------------------------------------------------------------------------------


def test_files_that_cannot_grow(tmp_path):
    found = attacked("full", tmp_path)
    assert found["failures"] == []
    assert all(counts["refused"] >= 5 for counts in found["tally"].values())


@pytest.fixture
def small_disk(tmp_path):
    """A file system with room for a megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    run = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "none", folder], capture_output=True, text=True)
    if run.returncode:
        pytest.skip(f"needs the right to mount a file system: {run.stderr.strip()}")
    yield folder
    subprocess.run(["umount", folder], check=True)


@pytest.mark.skipif(not ROOT, reason="needs the right to mount a file system")
def test_a_full_disk(small_disk):
    net = gluon.nn.Dense(2, in_units=50_000, use_bias=False)
    net.initialize(mx.init.One())
    net.hybridize()
    net(nd.ones((1, 50_000)))
    path = str(small_disk / "net")
    net.export(path)
    before = {name: (small_disk / name).read_bytes() for name in names(small_disk)}
    (small_disk / "more").write_bytes(b"x" * 400_000)
    net.initialize(mx.init.Zero(), force_reinit=True)
    for save in (
        lambda: net.export(path),
        lambda: net.save_parameters(path + "-0000.params"),
        lambda: nd.save(path + ".safetensors", net.weight.data()),
        lambda: mx.model.save_checkpoint(path, 0, mx.sym.var("x") * 3, {"x": net.weight.data()}, {}),
        lambda: mx.onnx.export_model(*mx.model.load_checkpoint(path, 0)[:2], [(1, 50_000)], "float32", path + ".onnx"),
    ):
        with pytest.raises(mx.MXNetError, match=r"cannot write .*net.*No space left"):
            save()
        assert names(small_disk) == ["more", *sorted(before)]
    assert all((small_disk / name).read_bytes() == content for name, content in before.items())


# ---- others who have the file open ---------------------------------------------------------------------------------


def test_threads_load_while_another_saves(tmp_path):
    name = str(tmp_path / "x.params")
    nd.save(name, nd.zeros((20_000,)))
    done, wrong, loads = threading.Event(), [], [0]

    def load():
        while not done.is_set():
            try:
                values = np.unique(nd.load(name)[0].asnumpy())
                if len(values) != 1:
                    wrong.append(values)
            except mx.MXNetError as error:
                wrong.append(error)
            loads[0] += 1

    threads = [threading.Thread(target=load) for _ in range(2)]
    for thread in threads:
        thread.start()
    for number in range(300):
        nd.save(name, nd.full((20_000 + number % 3 * 1000,), number))
    while loads[0] < 20:
        time.sleep(0.01)
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong
    assert names(tmp_path) == ["x.params"]


def test_a_mapped_file_lives_on(tmp_path):
    """Who has mapped the file, NumPy for example, is not killed by SIGBUS."""
    code = """if True:
        import numpy as np, mxnet as mx
        mx.nd.save("x", mx.nd.ones((100_000,)))
        mapped = np.memmap("x", "uint8", "r")
        mx.nd.save("x", mx.nd.ones((2,)))
        assert mapped[-100:].sum() >= 0
    """
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stderr) == (0, "")


def test_an_empty_file_is_overwritten_only_for_those_who_have_it_open(tmp_path):
    with tempfile.NamedTemporaryFile(dir=tmp_path) as file:
        nd.save(file.name, nd.ones((3,)))
        assert nd.load_frombuffer(file.read())[0].shape == (3,)
        nd.save(file.name, nd.ones((4,)))  # not empty any more: replaced
        file.seek(0)
        assert nd.load_frombuffer(file.read())[0].shape == (3,) and nd.load(file.name)[0].shape == (4,)
    path = tmp_path / "empty"
    path.touch()
    before = path.stat().st_ino
    nd.save(path, nd.ones((3,)))
    assert path.stat().st_ino != before


def test_a_failed_save_leaves_an_empty_file_empty(tmp_path):
    with tempfile.NamedTemporaryFile(dir=tmp_path) as file, pytest.raises(KeyError), writing(file.name) as stream:
        stream.write(b"begun")
        raise KeyError
    assert names(tmp_path) == []


# ---- temporaries that are left over ---------------------------------------------------------------------------------


def test_left_over_temporaries_are_removed_and_no_others(tmp_path):
    name = str(tmp_path / "x.params")
    left = [".x.params.mxnet-0.tmp", ".x.params.mxnet-1.tmp", ".x.params.mxnet-0123abcd.tmp", ".x.params.mxnet-set.tmp"]
    others = [".x.params.tmp", ".x.params.mxnet-notes", "x.params.mxnet-0.tmp", ".y.params.mxnet-0.tmp", "x.params.tmp"]
    for file in [*left, *others]:
        (tmp_path / file).write_bytes(b"begun")
    nd.save(name, nd.ones((1,)))
    assert names(tmp_path) == sorted([*others, "x.params"])


def test_what_somebody_writes_is_not_removed(tmp_path):
    path = tmp_path / "x"
    with writing(path) as first:
        first.write(b"first")
        with writing(path) as second, writing(path) as third:
            second.write(b"second")
            third.write(b"third")
            code = f"from mxnet._core import files\nwith files.writing({str(path)!r}) as s: s.write(b'other')"
            subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
            assert path.read_bytes() == b"other" and len(names(tmp_path)) == 4
        assert path.read_bytes() == b"second"
    assert path.read_bytes() == b"first" and names(tmp_path) == ["x"]


def test_records_that_are_being_written_are_not_removed(tmp_path):
    def write(count):
        writer = recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "w")
        for i in range(count):
            writer.write_idx(i, b"%d" % count)
        return writer

    slow = write(3)
    write(5).close()
    slow.close()
    with recordio.MXIndexedRecordIO(tmp_path / "a.idx", tmp_path / "a.rec", "r") as reader:
        assert [reader.read_idx(i) for i in reader.keys] == [b"3"] * 3
    assert names(tmp_path) == ["a.idx", "a.rec"]


def test_on_network_file_systems_only_old_temporaries_are_removed(tmp_path, monkeypatch):
    """Locks may hold for one host only: another one may be writing."""
    monkeypatch.setattr(temporaries, "_is_local", lambda path: False)
    young, old = tmp_path / ".x.mxnet-0.tmp", tmp_path / ".x.mxnet-1.tmp"
    for path in (young, old):
        path.write_bytes(b"begun")
    os.utime(old, (1, 1))
    nd.save(tmp_path / "x", nd.ones((1,)))
    assert names(tmp_path) == [".x.mxnet-0.tmp", "x"]


def test_kinds_of_file_systems(tmp_path, monkeypatch):
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "1 0 8:1 / / rw - ext4 /dev/a rw\n2 1 0:5 / /net rw,relatime shared:1 - nfs4 host:/ rw\n"
        "3 2 8:2 / /net/my\\040disk rw - xfs /dev/b rw\n"
    )
    real = open
    monkeypatch.setitem(vars(temporaries), "open", lambda name, **more: real(mounts, **more))
    found = [temporaries._is_local(path) for path in ("/a", "/net/a", "/net/my disk/a", "/network", "/net")]
    assert found == [True, False, True, True, False]
    mounts.unlink()
    assert not temporaries._is_local("/a")


@pytest.mark.parametrize(
    "base",
    ["x" * 255, "é" * 126, "日" * 85, "x" * 252, "x" * 101, "x" * 99],
    ids=lambda base: f"{len(base)} {base[0]}",
)
def test_long_names(tmp_path, base):
    path = tmp_path / base
    for number in (1, 2):
        nd.save(path, nd.full((1,), number))
        assert nd.load(path)[0].asscalar() == number and names(tmp_path) == [base]
    with recordio.MXRecordIO(path, "w") as writer:
        writer.write(b"a")
    assert names(tmp_path) == [base]
    with pytest.raises(mx.MXNetError, match="File name too long"):
        nd.save(tmp_path / ("x" * 256), nd.ones((1,)))


# ---- sets -----------------------------------------------------------------------------------------------------------


def put(path, text):
    with writing(path) as stream:
        stream.write(text)


def test_a_set_appears_at_its_end_or_not_at_all(tmp_path):
    a, b, c = tmp_path / "a", tmp_path / "b", tmp_path / "deeper" / "c"
    c.parent.mkdir()
    with writing_together():
        put(a, b"1")
        with writing_together():
            put(b, b"1")
            put(c, b"1")
        assert not a.exists() and not b.exists()
    assert [path.read_bytes() for path in (a, b, c)] == [b"1"] * 3
    with pytest.raises(KeyError), writing_together():
        put(a, b"2")
        put(b, b"2")
        raise KeyError
    with pytest.raises(mx.MXNetError, match=r"cannot write .*nowhere"), writing_together():
        put(a, b"2")
        put(tmp_path / "nowhere" / "b", b"2")
    assert a.read_bytes() == b.read_bytes() == b"1"
    with writing_together():
        put(a, b"3")
        put(b, b"3")
        put(a, b"4")  # the last one counts
    put(c, b"5")
    assert [path.read_bytes() for path in (a, b, c)] == [b"4", b"3", b"5"]
    assert names(tmp_path) == ["a", "b", "deeper"] and names(c.parent) == ["c"]


def interrupted(a, b):
    """A set of two files of which only the first one was renamed before the process was killed."""
    if os.fork() == 0:
        real, done = os.replace, []

        def replace(source, target):
            if done:
                os._exit(0)
            done.append(real(source, target))

        os.replace = replace
        with writing_together():
            put(a, b"new")
            put(b, b"new, too")
    os.wait()


def test_a_set_that_was_interrupted_is_completed_by_readers(tmp_path):
    a, b, link = tmp_path / "a", tmp_path / "b", tmp_path / "folder" / "link"
    link.parent.mkdir()
    link.symlink_to(b)
    for path in (b, link, os.path.relpath(b)):
        put(a, b"old")
        put(b, b"old")
        interrupted(a, b)
        assert a.read_bytes() == b"new" and b.read_bytes() == b"old" and len(names(tmp_path)) == 5
        with files.reading(path) as (stream, _):
            assert stream.read() == b"new, too"
        assert names(tmp_path) == ["a", "b", "folder"]


def test_a_set_that_was_interrupted_and_changed_since_is_left_alone(tmp_path):
    a, b = tmp_path / "a", tmp_path / "b"
    put(a, b"old")
    put(b, b"old")
    interrupted(a, b)
    b.write_bytes(b"by somebody else")
    with files.reading(b) as (stream, _):
        assert stream.read() == b"by somebody else"
    put(b, b"newer")
    assert b.read_bytes() == b"newer" and not [name for name in names(tmp_path) if name.startswith(".b")]
    interrupted(a, b)
    put(b, b"newest")
    assert (a.read_bytes(), b.read_bytes(), names(tmp_path)) == (b"new", b"newest", ["a", "b"])


def test_readers_who_may_not_rename(open_path):
    a, b = open_path / "a", open_path / "b"
    put(a, b"old")
    put(b, b"old")
    interrupted(a, b)

    def read():
        with files.reading(b) as (stream, _):
            assert stream.read() == b"new, too"

    if ROOT:
        as_nobody(read)
        assert b.read_bytes() == b"old"
    read()
    assert b.read_bytes() == b"new, too"


@pytest.mark.skipif(not ROOT, reason="needs files of several users")
def test_files_of_others_are_not_taken_for_parts_of_a_set(open_path):
    """In a directory for everybody, one could give somebody else's file another content by a forged record."""
    os.chmod(open_path, 0o1777)
    a, b = open_path / "a", open_path / "b"
    put(a, b"old")
    put(b, b"old")
    os.chown(b, 1000, 1000)
    interrupted(a, b)
    for name in names(open_path):
        if name.startswith("."):
            os.chown(open_path / name, 2000, 2000)
    with files.reading(b) as (stream, _):
        assert stream.read() == b"old"


def test_processes_that_save_the_same_set(tmp_path):
    """Their renames are not mixed."""
    a, b = tmp_path / "a", tmp_path / "b"
    children = []
    for number in range(4):
        children.append(os.fork())
        if children[-1] == 0:
            try:
                for i in range(60):
                    with writing_together():
                        put(a, b"%d %d" % (number, i))
                        put(b, b"%d %d" % (number, i))
                os._exit(0)
            finally:
                os._exit(1)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * 4
    assert a.read_bytes() == b.read_bytes() and names(tmp_path) == ["a", "b"]


def test_large_onnx_models_are_two_files_of_one_set(tmp_path, monkeypatch):
    from mxnet.onnx.mx2onnx import model

    monkeypatch.setattr(model, "_LARGEST_FILE", 100)
    x = mx.sym.var("x")
    out = mx.sym.FullyConnected(x, num_hidden=8, name="fc")
    weight = nd.array(np.arange(8 * 50).reshape(8, 50))
    path = str(tmp_path / "net.onnx")
    mx.onnx.export_model(out, {"fc_weight": weight, "fc_bias": nd.ones((8,))}, [(1, 50)], np.float32, path)
    assert names(tmp_path) == ["net.onnx", "net.onnx.data"]
    assert os.path.getsize(path + ".data") == 1600
    import onnx

    onnx.checker.check_model(path)
    _, found, _ = mx.onnx.import_model(path)
    assert any(value.shape == weight.shape and (value == weight).min().asscalar() for value in found.values())
    before = [pathlib.Path(p).read_bytes() for p in (path, path + ".data")]
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1600, limits[1]))
    try:
        with pytest.raises(mx.MXNetError, match=r"cannot write .*net\.onnx"):
            wide = mx.sym.FullyConnected(x, num_hidden=9, name="fc")
            mx.onnx.export_model(
                wide, {"fc_weight": nd.ones((9, 50)), "fc_bias": nd.ones((9,))}, [(1, 50)], np.float32, path
            )
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [pathlib.Path(p).read_bytes() for p in (path, path + ".data")] == before
    assert names(tmp_path) == ["net.onnx", "net.onnx.data"]


# ---- attributes and rights ------------------------------------------------------------------------------------------


def test_mode_attributes_and_links_are_kept(tmp_path):
    path, link = tmp_path / "x", tmp_path / "link"
    mask = os.umask(0o027)
    try:
        nd.save(path, nd.ones((1,)))
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
    finally:
        os.umask(mask)
    path.chmod(0o604)
    link.symlink_to("x")
    try:
        os.setxattr(path, "user.note", b"kept")
        noted = True
    except OSError:  # not on this file system
        noted = False
    if ROOT:
        os.chown(path, 1234, 4321)
    nd.save(link, nd.ones((2,)))
    info = path.stat()
    assert link.is_symlink() and nd.load(path)[0].shape == (2,) and stat.S_IMODE(info.st_mode) == 0o604
    assert not noted or os.getxattr(path, "user.note") == b"kept"
    assert not ROOT or (info.st_uid, info.st_gid) == (1234, 4321)
    with recordio.MXRecordIO(link, "w") as writer:
        writer.write(b"a")
    assert link.is_symlink() and stat.S_IMODE(path.stat().st_mode) == 0o604


def test_hard_links_are_warned_about(tmp_path):
    path, other = tmp_path / "x", tmp_path / "other"
    nd.save(path, nd.ones((1,)))
    os.link(path, other)
    with pytest.warns(RuntimeWarning, match=r"x' has 2 names \(hard links\)"):
        nd.save(path, nd.ones((2,)))
    assert nd.load(path)[0].shape == (2,) and nd.load(other)[0].shape == (1,)


def test_links_that_lead_nowhere(tmp_path):
    (tmp_path / "link").symlink_to("x")
    nd.save(tmp_path / "link", nd.ones((1,)))
    assert names(tmp_path) == ["link", "x"] and nd.load(tmp_path / "x")[0].shape == (1,)
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "lost").symlink_to("nowhere/x")
    for name, reason in {"loop": "levels of symbolic links", "lost": "No such file", "": "Is a directory"}.items():
        with pytest.raises(mx.MXNetError, match=f"cannot write .*{name}.*{reason}"):
            nd.save(os.path.join(tmp_path, name), nd.ones((1,)))
    with pytest.raises(mx.MXNetError, match="NUL"):
        nd.save("x\0y", nd.ones((1,)))


@pytest.mark.skipif(not ROOT, reason="needs files of several users")
def test_rights(open_path, monkeypatch):
    """What must not be written is refused, and a file stays whose directory permits nothing new."""
    for_all = open_path / "temporary"  # TMPDIR may be a directory that only its owner writes to
    for_all.mkdir()
    for_all.chmod(0o777)
    monkeypatch.setattr(tempfile, "tempdir", str(for_all))
    fixed = open_path / "fixed"
    fixed.mkdir()
    shared = open_path / "shared"
    shared.mkdir()
    shared.chmod(0o777)
    for path, mode in ((fixed / "x", 0o666), (fixed / "mine", 0o644), (shared / "x", 0o664), (shared / "read", 0o444)):
        nd.save(path, nd.ones((1,)))
        path.chmod(mode)
    os.chown(shared / "read", 65534, 65534)
    os.chmod(shared / "x", 0o666)

    def attempt():
        with pytest.warns(RuntimeWarning, match="x' cannot be replaced, only overwritten"):
            nd.save(fixed / "x", nd.ones((2,)))
        with pytest.warns(RuntimeWarning, match="the group and the owner of .*x' could not be kept"):
            nd.save(shared / "x", nd.ones((2,)))
        for path in (fixed / "mine", fixed / "new", shared / "read"):
            with pytest.raises(mx.MXNetError, match=f"cannot write '{path}': Permission denied"):
                nd.save(path, nd.ones((2,)))
            with pytest.raises(mx.MXNetError, match=f"cannot write '{path}': Permission denied"):
                recordio.MXRecordIO(path, "w")

    as_nobody(attempt)
    assert [nd.load(fixed / name)[0].size for name in ("x", "mine")] == [2, 1]
    assert nd.load(shared / "x")[0].size == 2 and (shared / "x").stat().st_uid == 65534
    assert names(fixed) == ["mine", "x"] and names(shared) == ["read", "x"]


def test_syncing_when_asked_to(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(stat.S_IFMT(os.fstat(handle).st_mode)))
    nd.save(tmp_path / "x", nd.ones((1,)))
    assert synced == []
    monkeypatch.setenv("MXNET_SAVE_SYNC", "1")
    nd.save(tmp_path / "x", nd.ones((1,)))
    assert synced == [stat.S_IFREG, stat.S_IFDIR]  # the content, then its name
    synced.clear()
    with writing_together():
        put(tmp_path / "x", b"1")
        put(tmp_path / "y", b"1")
    assert synced == [stat.S_IFREG] * 3 + [stat.S_IFDIR] * 2  # both, the record of the set, and the renames


# ---- files that change while they are loaded -----------------------------------------------------------------------


def test_files_that_change_while_they_are_loaded(tmp_path):
    """Truncated, deleted, overwritten: an MXNetError that names the file, or what was there; never a dead process."""
    code = """if True:
        import os, random, signal, time
        import numpy as np
        import mxnet as mx
        from mxnet import nd
        net = mx.gluon.nn.Dense(64, in_units=3000)
        net.initialize()
        trainer = mx.gluon.Trainer(net.collect_params(), "adam")
        with mx.autograd.record():
            loss = net(nd.ones((1, 3000))).sum()
        loss.backward()
        trainer.step(1)
        net.save_parameters("p")
        trainer.save_states("t")
        nd.save("s.safetensors", nd.ones((2_000_000,)))
        with mx.recordio.MXIndexedRecordIO("r.idx", "r.rec", "w") as writer:
            for i in range(300):
                writer.write_idx(i, bytes(3000))
        symbol = mx.sym.var("x")
        for i in range(300):
            symbol = symbol + 1
        symbol.save("j.json")
        np.savetxt("c.csv", np.ones((2000, 5)), delimiter=",")

        def read_records():
            with mx.recordio.MXIndexedRecordIO("r.idx", "r.rec", "r") as reader:
                for key in reader.keys:
                    reader.read_idx(key)

        loads = {
            "p": lambda: net.load_parameters("p"),
            "t": lambda: trainer.load_states("t"),
            "s.safetensors": lambda: nd.load("s.safetensors"),
            "r.rec": read_records,
            "r.idx": read_records,
            "j.json": lambda: mx.sym.load("j.json"),
            "c.csv": lambda: mx.io.CSVIter(data_csv="c.csv", data_shape=(5,), batch_size=10).next(),
        }
        rng = random.Random(3)
        refused = 0
        for name, load in loads.items():
            content = open(name, "rb").read()
            loader = os.getpid()
            changer = os.fork()
            while changer == 0:
                if os.getppid() != loader:
                    os._exit(0)
                how = rng.randrange(3)
                if how == 0:
                    os.truncate(name, rng.randrange(len(content)))
                elif how == 1:
                    os.unlink(name)
                with open(name, "wb") as stream:
                    stream.write(content)
                time.sleep(rng.random() * 0.005)
            try:
                for _ in range(60):
                    try:
                        load()
                    except mx.MXNetError as error:
                        refused += 1
                        assert name in str(error), (name, error)
            finally:
                os.kill(changer, signal.SIGKILL)
                os.waitpid(changer, 0)
            with open(name, "wb") as stream:
                stream.write(content)
            load()
        print(refused)
    """
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert int(run.stdout) > 0


def test_a_truncated_safetensors_file(tmp_path):
    """At each length; and one that becomes shorter between its header and its data."""
    path = tmp_path / "x.safetensors"
    nd.save(path, {"a": nd.ones((3,)), "b": nd.ones((2,))})
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        with pytest.raises(mx.MXNetError, match=r"x\.safetensors: this is not a valid safetensors file"):
            nd.load(path)
    path.write_bytes(content)

    class Shorter:
        def __init__(self, stream):
            self.stream = stream

        def readinto(self, memory):
            os.truncate(path, len(content) - 4)
            return self.stream.readinto(memory)

    with open(path, "rb", buffering=0) as stream:
        from mxnet.ndarray import safetensors

        with pytest.raises(ValueError, match="became shorter"):
            safetensors._read_exactly(Shorter(stream), len(content))
