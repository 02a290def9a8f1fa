"""Two hosts, which are network namespaces of this machine: they train together, and one is cut off in the middle."""

import os
import shutil
import subprocess
import sys
import time

import jobs
import pytest
from paths import ROOT

SCRIPT = """
import pathlib, time
import mxnet as mx
kv = mx.kv.create("dist_sync")
kv.init("a", mx.nd.zeros((200000,)))
for step in range({steps}):
    kv.pushpull("a", mx.nd.ones((200000,)))
    if step == 3:
        pathlib.Path("{directory}", f"ready-{{kv.rank}}").touch()
out = mx.nd.zeros((200000,))
kv.pull("a", out=out)
print("result", kv.rank, float(out.asnumpy().max()), flush=True)
"""


def _ip(*arguments):
    return subprocess.run(["ip", *arguments], capture_output=True, text=True, timeout=30)


@pytest.fixture
def hosts():
    """The names of two namespaces with addresses 10.213.77.1 and .2."""
    if os.geteuid() != 0 or shutil.which("ip") is None:
        pytest.skip("network namespaces need root and the program ip")
    names = [f"mxnet-{os.getpid()}-{i}" for i in range(2)]
    if _ip("netns", "add", names[0]).returncode:
        pytest.skip("this system makes no network namespaces")
    try:
        _ip("netns", "add", names[1])
        done = _ip("link", "add", "va", "netns", names[0], "type", "veth", "peer", "name", "vb", "netns", names[1])
        if done.returncode:
            pytest.skip(f"this system makes no virtual links: {done.stderr}")
        for name, link, last in zip(names, ("va", "vb"), (1, 2), strict=True):
            _ip("-n", name, "addr", "add", f"10.213.77.{last}/24", "dev", link)
            _ip("-n", name, "link", "set", link, "up")
            _ip("-n", name, "link", "set", "lo", "up")
        yield names
    finally:
        for name in names:
            _ip("netns", "del", name)


def _start(hosts, script, directory, timeout):
    common = {
        **{k: v for k, v in os.environ.items() if not k.startswith("DMLC_")},
        "DMLC_PS_ROOT_URI": "10.213.77.1",
        "DMLC_PS_ROOT_PORT": "9091",
        "DMLC_NUM_WORKER": "2",
        "DMLC_NUM_SERVER": "0",
        "MXNET_KVSTORE_TIMEOUT": str(timeout),
        "MXNET_KVSTORE_TOKEN": "hosts",
        "OMP_NUM_THREADS": "1",
        "PYTHONPATH": str(ROOT),
    }
    plan = [(hosts[0], "scheduler", ["-c", "import mxnet"]), *((host, "worker", [str(script)]) for host in hosts)]
    return [
        subprocess.Popen(
            ["ip", "netns", "exec", host, sys.executable, *arguments],
            env=common | {"DMLC_ROLE": role, "DMLC_WORKER_ID": str(max(0, i - 1))},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=directory,
        )
        for i, (host, role, arguments) in enumerate(plan)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("cut", [False, True])
def test_two_hosts(hosts, cut, tmp_path):
    script = tmp_path / "train.py"
    script.write_text(SCRIPT.format(steps=100000 if cut else 5, directory=tmp_path))
    processes = _start(hosts, script, tmp_path, 15 if cut else 60)
    try:
        if cut:
            limit = time.monotonic() + jobs.PATIENCE
            while not all((tmp_path / f"ready-{i}").exists() for i in range(2)):
                assert time.monotonic() < limit and all(p.poll() is None for p in processes)
                time.sleep(0.1)
            _ip("-n", hosts[1], "link", "set", "vb", "down")
        told = [process.communicate(timeout=jobs.PATIENCE * 2) for process in processes]
    finally:
        for process in processes:
            process.kill()
    codes = [process.returncode for process in processes]
    if cut:
        assert 0 not in codes, told
        assert "worker 1" in told[0][1] and "worker 1" in told[1][1], told
        # who is cut off cannot see anybody
        assert "cannot be reached" in told[2][1] or "worker 0" in told[2][1], told
    else:
        assert codes == [0, 0, 0], told
        assert "result 0 2.0" in told[1][0] and "result 1 2.0" in told[2][0]
