"""What is seen while a network is trained: charts in notebooks, TensorBoard, progress bars."""

import base64
import io
import logging
import re

import cv2
import numpy as np
import pytest

import mxnet as mx
from mxnet import gluon
from mxnet.gluon.contrib.estimator import Estimator, LoggingHandler, ProgressBarHandler
from mxnet.notebook import callback

pytest.importorskip("matplotlib", reason="charts are drawn by it: pip install mxnext[plot]")
pytest.importorskip("pandas", reason="PandasLogger keeps tables of it")

TRAINING = """
import mxnet as mx, numpy as np, logging
from mxnet.notebook.callback import LiveLearningCurve, LiveTimeSeries, LiveBokehChart, PandasLogger, args_wrapper
mx.random.seed(0)
x = np.random.RandomState(0).uniform(-1, 1, (64, 4)).astype("float32")
y = (x.sum(1) > 0).astype("float32")
data = lambda: mx.io.NDArrayIter(x, y, 8)
net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2), name="softmax")
module = mx.mod.Module(net)
logger = PandasLogger(8, frequent=2)
"""
FIT = """
curve = LiveLearningCurve("accuracy", display_freq=0, frequent=2)
module.fit(data(), data(), num_epoch=3, optimizer_params={"learning_rate": 0.5},
           **args_wrapper(curve, logger))
"""


def pictures(cell):
    """The pictures of a cell, decoded."""
    found = [out["data"]["image/png"] for out in cell.get("outputs", []) if "image/png" in out.get("data", {})]
    return [cv2.imdecode(np.frombuffer(base64.b64decode(text), np.uint8), cv2.IMREAD_COLOR) for text in found]


def test_a_notebook(tmp_path):
    nbclient = pytest.importorskip("nbclient", reason="runs notebooks")
    pytest.importorskip("ipykernel", reason="runs notebooks")
    import nbformat

    series = "series = LiveTimeSeries(title='loss', width=500)\nfor v in (3, 2, 1): series.update_chart_data(v)"
    chart = (
        "chart = LiveBokehChart(logger, 'accuracy')\nchart._do_update()\n"
        "len(logger.train_df), len(curve._data['train']['value']), len(curve._data['eval']['value'])"
    )
    cells = [nbformat.v4.new_code_cell(source) for source in (TRAINING, FIT, series, chart)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3").execute()
    for cell in notebook.cells[1:]:
        (picture,) = pictures(cell)  # one, which was redrawn
        assert picture.shape[0] >= 300 and picture.shape[1] >= 500
        blue = (picture[..., 0] > 150) & (picture[..., 2] < 80)  # the line: Matplotlib's first colour
        assert blue.sum() > 100
    assert notebook.cells[3]["outputs"][-1]["data"]["text/plain"] == "(12, 12, 3)"


def test_charts_outside_of_notebooks():
    space: dict = {}
    exec(TRAINING + FIT, space)
    curve, logger = space["curve"], space["logger"]
    train, evaluation = curve.figure.axes[0].lines
    assert train.get_label() == "train" and len(train.get_xdata()) == 12
    assert list(evaluation.get_ydata()) == curve._data["eval"]["value"] and len(evaluation.get_ydata()) == 3
    assert evaluation.get_ydata()[-1] > 0.9
    chart = callback.LiveBokehChart(logger, "accuracy")
    chart.update_chart_data()
    assert [len(line.get_xdata()) for line in chart.figure.axes[0].lines] == [12, 3]
    series = callback.LiveTimeSeries(figsize=(3, 2))
    for value in (1, mx.nd.array([2.0]), 3.5):
        series.update_chart_data(value)
    assert list(series.figure.axes[0].lines[0].get_ydata()) == [1, 2, 3.5] and series.elapsed().total_seconds() > 0
    own = callback.LiveBokehChart(None, "accuracy", batch_size=8)
    assert set(own.callback_args()) == {"batch_end_callback", "eval_end_callback"}
    with pytest.raises(ValueError, match="needs a pandas_logger, or the batch_size"):
        callback.LiveBokehChart(None, "accuracy")
    metric = mx.metric.create("mse")
    param = mx.model.BatchEndParam(epoch=0, nbatch=0, eval_metric=metric, locals=None)
    with pytest.raises(ValueError, match="draws the metric 'accuracy', but fit has mse: give fit eval_metric"):
        callback.LiveLearningCurve("accuracy").batch_cb(param)


def test_metrics_in_tensorboard(tmp_path):
    """Read back by TensorBoard itself."""
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator", reason="reads event files")
    logs = mx.contrib.tensorboard.LogMetricsCallback(str(tmp_path), prefix="train")
    space: dict = {}
    exec(TRAINING, space)
    space["module"].fit(space["data"](), num_epoch=3, batch_end_callback=logs)
    logs.summary_writer.close()
    found = events.EventAccumulator(str(tmp_path))
    found.Reload()
    values = found.Scalars("train-accuracy")
    assert len(values) == 3 * 8 and {value.step for value in values} == {0, 1, 2}


def test_mxboard(tmp_path):
    """The published package, of 2018, writes what TensorBoard of today reads."""
    pytest.importorskip("mxboard", reason="an optional package")
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator", reason="reads event files")
    from mxboard import SummaryWriter

    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(3, in_units=2))
    net.initialize()
    net.hybridize()
    net(mx.nd.ones((1, 2)))
    with SummaryWriter(logdir=str(tmp_path), verbose=False) as writer:
        for step in (1, 2):
            writer.add_scalar("loss", mx.nd.array([1 / step]), step)
        writer.add_histogram("weights", mx.nd.random.normal(shape=(100,)), global_step=2)
        writer.add_image("image", mx.nd.random.uniform(shape=(2, 3, 8, 8)), global_step=2)
        writer.add_pr_curve("curve", mx.nd.array([0, 1, 1]), mx.nd.array([0.1, 0.9, 0.8]), 10, global_step=2)
        writer.add_text("text", "words", 2)
        writer.add_graph(net)
    found = events.EventAccumulator(str(tmp_path), size_guidance={"scalars": 0}, purge_orphaned_data=False)
    found.Reload()
    assert [(value.step, value.value) for value in found.Scalars("loss")] == [(1, 1.0), (2, 0.5)]
    tags = found.Tags()
    assert tags["images"] == ["image"] and tags["histograms"] == ["weights"] and tags["graph"]
    assert set(tags["tensors"]) == {"curve", "text"}


@pytest.mark.parametrize("limit", [{"epochs": 2}, {"batches": 6}])
def test_the_estimator_with_a_progress_bar(limit):
    data = gluon.data.ArrayDataset(mx.nd.random.uniform(shape=(32, 4)), mx.nd.zeros(32))
    net = gluon.nn.Dense(2)
    net.initialize()
    loss = gluon.loss.SoftmaxCELoss()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    estimator = Estimator(net, loss, train_metrics=mx.metric.Accuracy(), context=mx.cpu(), trainer=trainer)
    estimator.logger.setLevel(logging.ERROR)
    stream = io.StringIO()
    bar = ProgressBarHandler(file=stream, mininterval=0, ascii=True)
    estimator.fit(gluon.data.DataLoader(data, 8), event_handlers=[bar, LoggingHandler(metrics=[])], **limit)
    said = stream.getvalue()
    assert re.search(r"Epoch 1(/2)?: 100%.*4/4 .*accuracy=\d\.\d{4}", said), said
    assert re.search(r"Epoch 2/2: 100%" if "epochs" in limit else r"Epoch 2: +50%.*2/4", said), said


def test_a_progress_bar_in_a_notebook():
    nbclient = pytest.importorskip("nbclient", reason="runs notebooks")
    pytest.importorskip("ipykernel", reason="runs notebooks")
    import nbformat

    source = """
import mxnet as mx
from types import SimpleNamespace
bar = mx.callback.ProgressBar(total=4)
for batch in range(4):
    bar(SimpleNamespace(nbatch=batch, epoch=0))
"""
    wrong = "import mxnet as mx\nmx.nd.dot(mx.nd.ones((2, 3)), mx.nd.ones((2, 3)))"
    cells = [nbformat.v4.new_code_cell(source), nbformat.v4.new_code_cell(wrong)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", allow_errors=True).execute()
    said = "".join(out["text"] for out in notebook.cells[0]["outputs"] if out.get("name") == "stdout")
    last = said.rstrip("\n").split("\r")[-1]
    assert "\n" not in said.rstrip("\n") and "100%" in last and "4/4" in last, said
    (error,) = [out for out in notebook.cells[1]["outputs"] if out["output_type"] == "error"]
    assert sum(line.count("\n") + 1 for line in error["traceback"]) <= 15, error["traceback"]
