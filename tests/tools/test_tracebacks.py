"""What people see of an error: the layer that it is from, and the lines of their own program."""

import copy
import os
import pickle
import re
import subprocess
import sys
import traceback

import pytest

import mxnet as mx
from mxnet import gluon, nd
from mxnet.error import MXNetError
from mxnet.gluon import nn

PROGRAM = """
import mxnet as mx
from mxnet.gluon import nn

net = nn.HybridSequential()
net.add(nn.Dense(8, in_units=5), nn.Dense(4, in_units=7))
net.initialize()
{more}

def predict(x):
    return net(x)

predict(mx.nd.ones((2, 5)))
"""


def shown(tmp_path, program, **environ):
    """What a program that fails prints."""
    path = tmp_path / "program.py"
    path.write_text(program)
    env = {k: v for k, v in os.environ.items() if k != "MXNET_FULL_TRACEBACK"} | environ
    done = subprocess.run([sys.executable, path], env=env, capture_output=True, text=True)
    assert done.returncode == 1, done.stderr
    return done.stderr


@pytest.mark.parametrize("more", ["", "net.hybridize()"])
def test_a_wrong_shape_in_a_network_of_two_layers(tmp_path, more):
    text = shown(tmp_path, PROGRAM.format(more=more))
    assert len(text.splitlines()) <= 15, text
    files = re.findall(r'File "(.*?)", line (\d+)', text)
    assert [file for file, _ in files] == [str(tmp_path / "program.py")] * 2
    assert "return net(x)" in text and "weight must have shape (4, 8), got (4, 7)" in text
    assert "MXNET_FULL_TRACEBACK=1 shows them" in text
    full = shown(tmp_path, PROGRAM.format(more=more), MXNET_FULL_TRACEBACK="1")
    assert len(full.splitlines()) > 15 and "block.py" in full and "are hidden" not in full


@pytest.mark.parametrize(
    "program, last",
    [
        ("mx.nd.dot(mx.nd.ones((2, 3)), mx.nd.ones((2, 3)))", "mx.nd.dot"),
        ("mx.nd.ones((2, 3)) + mx.nd.ones((2, 4))", "mx.nd.ones((2, 3)) + "),
        ("mx.io.ImageRecordIter(path_imgrec='no.rec', data_shape=(3, 4, 4), batch_size=2)", "mx.io.ImageRecordIter"),
        ("mx.sym.var('x').bind(mx.cpu(), {})", "bind"),
        ("mx.nd.load('nothing.params')", "mx.nd.load"),
    ],
)
def test_errors_are_short(tmp_path, program, last):
    text = shown(tmp_path, f"import mxnet as mx\n{program}\n")
    assert len(text.splitlines()) <= 8, text
    assert re.findall(r'File "(.*?)", line (\d+)', text) == [(str(tmp_path / "program.py"), "2")]
    assert last in text


@pytest.mark.parametrize(
    "program",
    [
        "mx.nd.softmaxx(3)",
        "nn.Block()(mx.nd.ones(3))",
        "net = nn.Dense(2, in_units=3); net.initialize(); mx.gluon.Trainer(net.collect_params(), 'sgd').step(1)",
        "mx.gluon.data.DataLoader(mx.gluon.data.Dataset(), 2)",
    ],
)
def test_errors_of_other_classes_are_short_if_they_are_meant(tmp_path, program):
    text = shown(tmp_path, f"import mxnet as mx\nfrom mxnet.gluon import nn\n{program}\n")
    assert re.findall(r'File "(.*?)", line (\d+)', text) == [(str(tmp_path / "program.py"), "3")], text
    assert "hidden; MXNET_FULL_TRACEBACK=1" in text and len(text.splitlines()) <= 8


DATA = """
import mxnet as mx

class Data(mx.gluon.data.Dataset):
    def __len__(self):
        return 4

    def __getitem__(self, i):
        return [1, 2][i], 1

for batch in mx.gluon.data.DataLoader(Data(), 2, num_workers={workers}):
    pass
"""


@pytest.mark.parametrize("workers", [0, 1])
def test_errors_of_functions_that_the_package_calls_are_short(tmp_path, workers):
    text = shown(tmp_path, DATA.format(workers=workers))
    assert {file for file, _ in re.findall(r'File "(.*?)", line (\d+)', text)} == {str(tmp_path / "program.py")}, text
    assert "return [1, 2][i], 1" in text and "IndexError: list index out of range" in text
    assert len(text.splitlines()) <= 20


def test_failures_of_the_package_are_shown_in_full(tmp_path):
    text = shown(tmp_path, "from mxnet.gluon.utils import _indent\n_indent(3, 2)\n")
    assert "utils.py" in text and "are hidden" not in text


def test_lines_of_the_user_between_ours_are_shown(tmp_path):
    program = PROGRAM.replace("net = nn.HybridSequential()", "net = Own()").replace(
        "net.add(", "net.block = nn.HybridSequential(); net.block.add("
    )
    own = "class Own(nn.Block):\n    def forward(self, x):\n        return self.block(x)\n"
    text = shown(tmp_path, program.format(more="").replace("\nnet = Own", f"\n{own}\nnet = Own"))
    assert "return self.block(x)" in text and len(re.findall(r'File "', text)) == 3
    assert "in layer own0.block.1 (Dense 'dense1'), called with (2, 8) float32" in text
    assert "in own0 (Own 'own0'), called with (2, 5) float32" in text


def test_causes_of_the_user_and_other_errors_stay(tmp_path):
    program = "import mxnet as mx\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    mx.nd.load('nothing.params')\n"
    text = shown(tmp_path, program)
    assert "ZeroDivisionError" in text and "nothing.params" in text
    text = shown(tmp_path, "import mxnet as mx\nmx.nd.waitall()\nraise KeyError('other')\n")
    assert text.splitlines()[-1] == "KeyError: 'other'"


def test_debuggers_see_all_of_it(tmp_path):
    program = PROGRAM.format(more="").replace(
        "\npredict(",
        "\nimport atexit, sys, traceback\n"
        "atexit.register(lambda: print(len(traceback.extract_tb(sys.last_value.__traceback__)), "
        "sys.last_value.__cause__, getattr(sys.last_value, '__notes__', [])))\npredict(",
    )
    path = tmp_path / "program.py"
    path.write_text(program)
    done = subprocess.run([sys.executable, path], capture_output=True, text=True)
    count = int(done.stdout.split()[0])
    assert count > 6 and done.stdout.rstrip().endswith("[]")
    assert "are hidden" in done.stderr


def test_hooks_of_others_get_everything(tmp_path):
    program = (
        "import sys, traceback\n"
        "sys.excepthook = lambda kind, error, tb: print('mine', len(traceback.extract_tb(tb)), file=sys.stderr)\n"
        "import mxnet as mx\nmx.nd.load('nothing.params')\n"
    )
    text = shown(tmp_path, program)
    assert text.startswith("mine ") and int(text.split()[1]) > 2


NOTEBOOK = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
shell.run_cell('''import mxnet as mx
from mxnet.gluon import nn
net = nn.HybridSequential()
net.add(nn.Dense(8, in_units=5), nn.Dense(4, in_units=7))
net.initialize()''')
shell.run_cell("net(mx.nd.ones((2, 5)))")
import sys, traceback
print("LINES", len(traceback.extract_tb(sys.last_traceback)))
"""


def test_in_notebooks():
    pytest.importorskip("IPython")
    env = {k: v for k, v in os.environ.items() if k != "MXNET_FULL_TRACEBACK"}
    texts = [
        subprocess.run([sys.executable, "-c", NOTEBOOK], env=e, capture_output=True, text=True, check=True).stdout
        for e in (env, {**env, "MXNET_FULL_TRACEBACK": "1"})
    ]
    short, full = texts
    assert "net(mx.nd.ones((2, 5)))" in short and "in layer hybridsequential0.1 (Dense" in short
    assert len(short.splitlines()) <= 15 and "block.py" not in short, short
    assert len(full.splitlines()) > 30 and "block.py" in full
    assert int(short.split("LINES")[1]) > 6  # for %debug


# ---- layers ----------------------------------------------------------------------------------------------------------


def test_the_layer_is_named_however_it_is_called():
    class Net(gluon.Block):
        def __init__(self):
            super().__init__(prefix="net_")
            with self.name_scope():
                self.body = nn.Sequential()
                self.body.add(nn.Dense(3, in_units=2), nn.Dense(3, in_units=4))
                other = nn.Dense(1, in_units=9)
            self.call = lambda x: other(x)
            other.initialize()

        def forward(self, x, other=None):
            return self.body(x) if other is None else self.call(x)

    net = Net()
    net.initialize()
    with pytest.raises(MXNetError) as caught:
        net(nd.ones((1, 2)))
    assert "in layer net.body.1 (Dense 'net_dense1'), called with (1, 3) float32" in str(caught.value)
    assert "in net (Net 'net'), called with (1, 2) float32" in str(caught.value)
    with pytest.raises(MXNetError) as caught:  # a block that is no child goes by its own name
        net(nd.ones((1, 2)), [nd.ones(3), 4])
    assert "in layer net.net_dense2 (Dense 'net_dense2')" in str(caught.value)
    assert "called with (1, 2) float32, [(3,) float32, int]" in str(caught.value)


def test_an_error_is_raised_again_or_sent_to_another_process():
    net = nn.Dense(3, in_units=2)
    net.initialize()
    with pytest.raises(MXNetError) as caught:
        net(nd.ones((1, 5)))
    text = str(caught.value)
    assert text.count("in layer") == 1
    for other in (pickle.loads(pickle.dumps(caught.value)), copy.copy(caught.value)):
        assert str(other) == text and type(other) is type(caught.value)
    assert "Dense" not in repr(pickle.dumps(caught.value)).replace(repr(text)[1:-1], "").replace("(Dense", "")
    assert any("block.py" in line.filename for line in traceback.extract_tb(caught.value.__traceback__))


def test_errors_without_a_layer_are_as_they_were():
    with pytest.raises(MXNetError) as caught:
        nd.dot(nd.ones((2, 3)), nd.ones((2, 3)))
    assert "in layer" not in str(caught.value)
    assert mx.MXNetError is MXNetError
