"""Layers and data of gluon.contrib against the original, eagerly and hybridized."""

import collections
import zipfile

import gluon_contrib_cases
import numpy as np
import pytest
import torch
from compare import load_golden

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import contrib

GOLDEN = load_golden("gluon_contrib.json.gz")


@pytest.mark.filterwarnings("ignore:All children of this Sequential")
@pytest.mark.parametrize("name", gluon_contrib_cases.LAYERS)
def test_layer(name):
    texts, arrays = gluon_contrib_cases.run(mx, name)
    assert texts == GOLDEN[name]["texts"]
    wanted = GOLDEN[name]["arrays"]
    assert arrays.keys() == wanted.keys()
    for key, (shape, values) in wanted.items():
        np.testing.assert_allclose(arrays[key], np.reshape(values, shape), rtol=2e-4, atol=2e-4, err_msg=key)


def test_every_layer_is_recorded():
    made = {type(make(contrib, gluon.nn)).__name__ for make, _ in gluon_contrib_cases.LAYERS.values()}
    assert made == {*contrib.nn.__all__, *contrib.cnn.__all__} - {"SparseEmbedding"}


@pytest.mark.parametrize("hybrid", [False, True])
def test_identity_passes_gradients(hybrid):
    net = contrib.nn.Concurrent(axis=0)
    net.add(contrib.nn.Identity(), contrib.nn.PixelShuffle1D(1))
    if hybrid:
        for block in net:
            block.hybridize()
    x = nd.array(np.arange(6.0).reshape(1, 2, 3))
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    assert y.shape == (2, 2, 3) and (x.grad.asnumpy() == 2).all()


@pytest.mark.parametrize("hybrid", [False, True])
def test_modulated_gradients(hybrid):
    """The original has them on GPUs only; here they are checked by differences."""
    layer = contrib.cnn.ModulatedDeformableConvolution(2, 3, padding=1, num_deformable_group=2)
    rng = np.random.default_rng(2)
    x = nd.array(rng.normal(size=(1, 2, 4, 4)), dtype="float64")
    layer.cast("float64")
    layer.initialize()
    layer(x)
    for name, param in layer.collect_params().items():
        low, high = (0.02, 0.08) if "offset" in name else (-1, 1)
        param.set_data(nd.array(rng.uniform(low, high, param.shape), dtype="float64"))
    if hybrid:
        layer.hybridize()
    with autograd.record():
        loss = (layer(x) ** 2).sum()
    loss.backward()
    for param in layer.collect_params().values():
        value, step = param.data().asnumpy(), 1e-6
        for place in [(0,) * value.ndim, tuple(n - 1 for n in value.shape)]:
            losses = []
            for sign in (1, -1):
                changed = value.copy()
                changed[place] += sign * step
                param.set_data(nd.array(changed, dtype="float64"))
                losses.append((layer(x) ** 2).sum().asscalar())
            param.set_data(nd.array(value, dtype="float64"))
            wanted = (losses[0] - losses[1]) / (2 * step)
            np.testing.assert_allclose(param.grad().asnumpy()[place], wanted, rtol=1e-4, atol=1e-6, err_msg=param.name)


def test_sparse_embedding():
    layer = contrib.nn.SparseEmbedding(5, 3, weight_initializer=mx.init.Uniform(), prefix="e_")
    assert repr(layer) == "SparseEmbedding(5 -> 3, float32)"
    layer.initialize()
    trainer = gluon.Trainer(layer.collect_params(), "sgd", {"learning_rate": 1.0})
    everything = nd.arange(5)
    before = layer.weight.row_sparse_data(everything).asnumpy()
    with autograd.record():
        out = layer(nd.array([[1, 3], [1, 0]]))
    out.backward()
    np.testing.assert_array_equal(out.asnumpy(), before[[[1, 3], [1, 0]]])
    trainer.step(1)
    counts = np.array([1, 2, 0, 1, 0])
    np.testing.assert_allclose(layer.weight.row_sparse_data(everything).asnumpy(), before - counts[:, None], rtol=1e-6)


def test_sync_batch_norm_on_several_devices():
    layer = contrib.nn.SyncBatchNorm(3, num_devices=2)
    layer.initialize()
    x = nd.array(np.random.default_rng(1).normal(size=(4, 3, 2)))
    assert layer(x).shape == (4, 3, 2)
    with pytest.raises(NotImplementedError, match="several devices"), autograd.record():
        layer(x)


def test_pixel_shuffles_refuse_what_does_not_fit():
    with pytest.raises(AssertionError, match="2 of them"):
        contrib.nn.PixelShuffle2D((2, 3, 4))
    with pytest.raises(TypeError):
        contrib.nn.PixelShuffle1D((2,))
    with pytest.raises(mx.MXNetError):
        contrib.nn.PixelShuffle2D(2)(nd.ones((1, 3, 2, 2)))
    with pytest.raises(AssertionError, match="layout"):
        contrib.cnn.DeformableConvolution(2, 3, layout="NCDHW")


def test_pixel_shuffle_like_torch():
    x = np.random.default_rng(3).normal(size=(2, 18, 3, 4)).astype("float32")
    wanted = torch.nn.functional.pixel_shuffle(torch.tensor(x), 3).numpy()
    np.testing.assert_array_equal(contrib.nn.PixelShuffle2D(3)(nd.array(x)).asnumpy(), wanted)


# ---- data ------------------------------------------------------------------------------------------------------------


def test_interval_sampler():
    sampler = contrib.data.IntervalSampler(13, interval=3)
    assert list(sampler) == [0, 3, 6, 9, 12, 1, 4, 7, 10, 2, 5, 8, 11] and len(sampler) == 13
    sampler = contrib.data.IntervalSampler(13, interval=3, rollover=False)
    assert list(sampler) == [0, 3, 6, 9, 12] and len(sampler) == 5
    with pytest.raises(AssertionError, match="Interval 5 must be smaller than or equal to length 3"):
        contrib.data.IntervalSampler(3, 5)
    batches = gluon.data.BatchSampler(contrib.data.IntervalSampler(6, 2), 3, "keep")
    assert list(batches) == [[0, 2, 4], [1, 3, 5]]


TEXT = " = Title = \n \n the cat sat on the mat . \n the dog sat . \n\n a bird\tsang \n"


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("kind", ["WikiText2", "WikiText103"])
def test_wikitext(tmp_path, kind, packed):
    make = getattr(contrib.data.text, kind)
    if packed:
        name = make._archive[0]
        with zipfile.ZipFile(tmp_path / name, "w") as archive:
            for part in ("train", "valid", "test"):
                archive.writestr(f"wikitext/wiki.{part}.tokens", TEXT)
    else:
        (tmp_path / "wiki.valid.tokens").write_text(TEXT)
    data = make(root=tmp_path, segment="validation", seq_len=5)
    # as the original gives it
    assert data.vocabulary.idx_to_token == (
        ["<unk>", "<eos>", "the", ".", "=", "sat", "Title", "a", "bird\tsang", "cat", "dog", "mat", "on"]
    )
    assert data.frequencies["the"] == 3 and data.frequencies["bird\tsang"] == 1
    rows = [[4, 6, 4, 1, 2], [9, 5, 12, 2, 11], [3, 1, 2, 10, 5], [3, 1, 7, 0, 0]]
    labels = [[6, 4, 1, 2, 9], [5, 12, 2, 11, 3], [1, 2, 10, 5, 3], [1, 7, 0, 0, 1]]
    assert len(data) == 4
    for i, (row, label) in enumerate(data):
        assert row.dtype == np.int32 and row.asnumpy().tolist() == rows[i] and label.asnumpy().tolist() == labels[i]
    again = make(root=tmp_path, segment="validation", vocab=data.vocabulary, seq_len=3)
    assert again.vocabulary is data.vocabulary and again[0][0].asnumpy().tolist() == [4, 6, 4]
    loader = gluon.data.DataLoader(data, batch_size=2, last_batch="discard")
    assert [b[0].shape for b in loader] == [(2, 5), (2, 5)]
    with pytest.raises(ValueError, match="segment must be one of train, validation, test"):
        make(root=tmp_path, segment="x")


def test_wikitext_that_is_not_there(tmp_path, monkeypatch):
    monkeypatch.setenv("MXNET_GLUON_REPO", (tmp_path / "nowhere").as_uri())
    with pytest.raises(mx.MXNetError, match=r"lacks wiki\.test\.tokens, and wikitext-2-v1\.zip .* put it into"):
        contrib.data.text.WikiText2(root=tmp_path, segment="test")
    (tmp_path / "wikitext-2-v1.zip").write_bytes(b"no archive")
    with pytest.raises(mx.MXNetError, match="is not a readable archive"):
        contrib.data.text.WikiText2(root=tmp_path, segment="test")
    with zipfile.ZipFile(tmp_path / "wikitext-2-v1.zip", "w") as archive:
        archive.writestr("other.txt", TEXT)
    with pytest.raises(mx.MXNetError, match=r"does not have wiki\.test\.tokens"):
        contrib.data.text.WikiText2(root=tmp_path, segment="test")


def test_vocabulary():
    """Against what the original gives."""
    counter = collections.Counter(["a", "b", "b", "c", "c", "c", "<unk>", "d", "d"])
    make = mx.contrib.text.vocab.Vocabulary
    assert make(counter).idx_to_token == ["<unk>", "c", "b", "d", "a"]
    assert make(counter, most_freq_count=2).idx_to_token == ["<unk>", "c", "b"]
    assert make(counter, min_freq=2).idx_to_token == ["<unk>", "c", "b", "d"]
    own = make(counter, None, 3, "?", ["<pad>", "a"])
    assert (own.idx_to_token, own.reserved_tokens, own.unknown_token) == (["?", "<pad>", "a", "c"], ["<pad>", "a"], "?")
    vocabulary = make(counter)
    assert vocabulary.to_indices("a") == 4 and vocabulary.to_indices(["a", "q"]) == [4, 0]
    assert vocabulary.to_tokens([0, np.int64(1)]) == ["<unk>", "c"] and vocabulary.to_tokens(4) == "a"
    assert len(vocabulary) == 5 and make(None).token_to_idx == {"<unk>": 0}
    for wrong in ({"min_freq": 0}, {"reserved_tokens": ["<unk>"]}, {"reserved_tokens": ["a", "a"]}):
        with pytest.raises(AssertionError):
            make(counter, **wrong)
    with pytest.raises(AssertionError, match=r"collections\.Counter"):
        make(["a"])
    with pytest.raises(ValueError, match="Token index 99"):
        vocabulary.to_tokens(99)
    count = mx.contrib.text.utils.count_tokens_from_str
    text = " Life is great ! \n life is good . \n"
    assert count(text) == {"is": 2, "Life": 1, "great": 1, "!": 1, "life": 1, "good": 1, ".": 1}
    before = collections.Counter({"life": 5})
    assert count(text, to_lower=True, counter_to_update=before) is before and before["life"] == 7
    assert count("a.b|c", r"\.", r"\|") == {"a": 1, "b": 1, "c": 1}


def test_legacy_paths():
    import mxnet.gluon.contrib.cnn.conv_layers
    import mxnet.gluon.contrib.data.sampler
    import mxnet.gluon.contrib.estimator.event_handler
    import mxnet.gluon.contrib.nn.basic_layers

    assert mxnet.gluon.contrib.nn.basic_layers.Identity is contrib.nn.Identity
    assert mxnet.gluon.contrib.estimator.event_handler.StoppingHandler is contrib.estimator.StoppingHandler
    assert {"cnn", "data", "estimator", "nn", "rnn"} <= set(dir(contrib))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = contrib.nothing
