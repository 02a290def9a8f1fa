"""The Estimator and its handlers against runs of the original: events, logs, files, errors and results."""

import pathlib
import re

import estimator_cases
import numpy as np
import pytest
from compare import load_golden

import mxnet as mx
from mxnet import gluon
from mxnet.gluon.contrib import estimator as E

GOLDEN = load_golden("estimator.json.gz")
NUMBER = re.compile(r"-?\d+\.\d+|-?inf|nan")


def corrected(line):
    """A recorded line without what is plainly a slip of the original."""
    # the best value is reported after it has been replaced, and a number of batches as one of epochs
    line = re.sub(r"improved from \S+ to", "improved from # to", line)
    line = re.sub(r"^log \[Epoch \d+\](.* did not improve)", r"log [Epoch #]\1", line)
    line = re.sub(r"number of batch \d+ reached, please specify ?", "number of batch # reached, please specify ", line)
    # texts that were never formatted, or say what is not so
    line = re.sub(r"^RuntimeWarning: .*(Skipping save best because|is not updated).*", r"RuntimeWarning: \1", line)
    return line


@pytest.mark.parametrize("case", estimator_cases.CASES, ids=lambda case: case.__name__)
def test_like_the_original(case):
    found = [corrected(line) for line in estimator_cases.run(mx, case)]
    wanted = [corrected(line) for line in GOLDEN[case.__name__]]
    assert [NUMBER.sub("#", line) for line in found] == [NUMBER.sub("#", line) for line in wanted]
    for mine, line in zip(found, wanted, strict=True):
        np.testing.assert_allclose(
            [float(n) for n in NUMBER.findall(mine)],
            [float(n) for n in NUMBER.findall(line)],
            rtol=1e-3,
            atol=2e-4,
            err_msg=line,
        )


def test_lists_of_handlers_are_left_alone():
    setting = estimator_cases.Setting(mx)
    handlers = [setting.recorder("a")]
    estimator = setting.estimator()
    estimator.fit(setting.loader(), epochs=1, event_handlers=handlers)
    assert len(handlers) == 1
    estimator.fit(setting.loader(), epochs=2, event_handlers=handlers)
    assert "log Train for 2 epochs." in setting.lines


def test_logs_go_to_standard_output(capsys):
    setting = estimator_cases.Setting(mx)
    with pytest.warns(UserWarning, match="No trainer specified"):
        estimator = E.Estimator(setting.net(), setting.loss)
    estimator.fit(setting.loader(), epochs=1)
    assert capsys.readouterr().out.startswith("Training begin: using optimizer SGD")


def test_a_resumed_training_is_the_whole_one(tmp_path):
    setting = estimator_cases.Setting(mx)
    whole = setting.estimator(hybrid=True)
    whole.fit(setting.loader(), epochs=4)
    for epochs in (2, 4):
        part = setting.estimator(hybrid=True)
        handler = E.CheckpointHandler(str(tmp_path), resume_from_checkpoint=True)
        part.fit(setting.loader(), epochs=epochs, event_handlers=[handler])
    for one, other in zip(whole.net.collect_params().values(), part.net.collect_params().values(), strict=True):
        np.testing.assert_array_equal(one.data().asnumpy(), other.data().asnumpy())


def test_checkpoints_of_former_runs_are_kept(tmp_path):
    setting = estimator_cases.Setting(mx)
    for epochs, resume in ((3, False), (6, True)):
        handler = E.CheckpointHandler(str(tmp_path), max_checkpoints=2, resume_from_checkpoint=resume)
        setting.estimator().fit(setting.loader(), epochs=epochs, event_handlers=[handler])
    kept = sorted(path.name.partition("batch")[0] for path in tmp_path.glob("*.params"))
    assert kept == [f"model-epoch{i}" for i in (1, 2, 4, 5)]
    assert [name.partition("batch")[0] for name in handler.saved_checkpoints] == ["model-epoch4", "model-epoch5"]


def test_resuming_without_states_is_refused(tmp_path):
    setting = estimator_cases.Setting(mx)
    setting.estimator().fit(setting.loader(), epochs=1, event_handlers=[E.CheckpointHandler(str(tmp_path))])
    next(tmp_path.glob("*.states")).unlink()
    handler = E.CheckpointHandler(str(tmp_path), resume_from_checkpoint=True)
    with pytest.raises(ValueError, match=r"there is no file .*model-epoch0batch3\.states"):
        setting.estimator().fit(setting.loader(), epochs=3, event_handlers=[handler])


def test_resuming_from_the_newest_complete_checkpoint(tmp_path):
    setting = estimator_cases.Setting(mx)
    setting.estimator().fit(setting.loader(), epochs=3, event_handlers=[E.CheckpointHandler(str(tmp_path))])
    newest = max(tmp_path.glob("*.states"))
    assert newest.name.startswith("model-epoch2")
    newest.unlink()
    handler = E.CheckpointHandler(str(tmp_path), resume_from_checkpoint=True)
    with pytest.warns(RuntimeWarning, match=r"no file .*model-epoch2.*\.states: resuming from an earlier"):
        setting.estimator().fit(setting.loader(), epochs=4, event_handlers=[handler])
    assert handler.trained_epoch == 1 and newest.exists()


def test_digits():
    path = pathlib.Path(mx.__file__).parent / "data" / "digits.npz"
    with np.load(path) as data:
        images, labels = data["train_images"][:500], data["train_labels"][:500].astype("int32")
    dataset = gluon.data.ArrayDataset((images[:, None] / 255).astype("float32"), labels)
    mx.random.seed(2)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Conv2D(8, 3, strides=2, activation="relu"), gluon.nn.Dense(10))
    net.initialize(mx.init.Xavier())
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    estimator = E.Estimator(net, loss, mx.metric.Accuracy(), trainer=trainer)
    loader = gluon.data.DataLoader(dataset, batch_size=50)
    stop = E.EarlyStoppingHandler(estimator.val_metrics[0], mode="max", patience=3)
    estimator.fit(loader, loader, epochs=6, event_handlers=[stop, E.LoggingHandler(metrics=estimator.val_metrics)])
    assert estimator.val_metrics[0].get()[1] > 0.95
