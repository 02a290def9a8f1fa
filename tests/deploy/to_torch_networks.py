"""Networks that people would write, for the tests of their translation to PyTorch source."""

import json
import re

import numpy as np

import mxnet as mx
from mxnet import autograd, gluon
from mxnet.gluon import nn, rnn
from mxnet.gluon.model_zoo import vision

VISION = sorted(
    name
    for name in dir(vision)
    if re.fullmatch(r"(alexnet|densenet\d+|inception_v3|mobilenet.*|resnet\d+_v\d|squeezenet.*|vgg\d+(_bn)?)", name)
    and callable(getattr(vision, name))
)


def zoo(name, size, batch=2):
    """A network of the model zoo that has been trained a little, so that its numbers are of a usual size."""
    mx.random.seed(7)
    net = getattr(vision, name)(classes=10)
    net.initialize(mx.init.Xavier(magnitude=2))
    x = mx.nd.random.normal(shape=(batch, 3, size, size))
    for _ in range(3):
        with autograd.record():
            y = net(x)
        y.backward()
    for key, parameter in net.collect_params().items():
        if key.endswith("beta") and parameter.grad_req != "null":
            parameter.set_data(mx.nd.random.normal(0, 0.1, shape=parameter.shape))
    return net, x


def made(kind, *inputs, **options):
    mx.random.seed(5)
    net = kind(**options)
    net.initialize(mx.init.Xavier())
    net(*inputs)
    return net, *inputs


def words(high, shape, seed=0):
    return mx.nd.array(np.random.default_rng(seed).integers(0, high, shape))


class Tagger(gluon.HybridBlock):
    """Labels each word of a sentence."""

    def __init__(self, layer=rnn.LSTM, vocabulary=50, tags=5, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.embedding = nn.Embedding(vocabulary, 16)
            self.encoder = layer(12, num_layers=2, bidirectional=True, layout="NTC", dropout=0.1)
            self.dropout = nn.Dropout(0.3)
            self.decoder = nn.Dense(tags, flatten=False)

    def hybrid_forward(self, F, words):
        return self.decoder(self.dropout(self.encoder(self.embedding(words))))


class Stepped(gluon.HybridBlock):
    """A recurrent network with states that are given and returned."""

    def __init__(self, layer=rnn.GRU, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.layer = layer(8)
            self.out = nn.Dense(3, flatten=False, activation="tanh")

    def hybrid_forward(self, F, x, state):
        x, (state,) = self.layer(x, [state])
        return self.out(x), state


class Attention(gluon.HybridBlock):
    """Attention with several heads."""

    def __init__(self, units, heads, **kwargs):
        super().__init__(**kwargs)
        self._heads, self._scale = heads, (units // heads) ** -0.5
        with self.name_scope():
            self.query = nn.Dense(units, flatten=False)
            self.key = nn.Dense(units, flatten=False)
            self.value = nn.Dense(units, flatten=False)
            self.out = nn.Dense(units, flatten=False)
            self.dropout = nn.Dropout(0.1)

    def _split(self, F, x):
        x = F.transpose(F.reshape(x, shape=(0, 0, self._heads, -1)), axes=(0, 2, 1, 3))
        return F.reshape(x, shape=(-3, 0, 0))

    def hybrid_forward(self, F, x):
        query, key, value = (self._split(F, layer(x)) for layer in (self.query, self.key, self.value))
        weights = self.dropout(F.softmax(F.batch_dot(query, key, transpose_b=True) * self._scale))
        mixed = F.reshape(F.batch_dot(weights, value), shape=(-4, -1, self._heads, 0, 0))
        return self.out(F.reshape(F.transpose(mixed, axes=(0, 2, 1, 3)), shape=(0, 0, -3)))


class EncoderLayer(gluon.HybridBlock):
    """Attention and a feed-forward network, each with a short cut and a normalization."""

    def __init__(self, units, hidden, heads, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.attention = Attention(units, heads)
            self.norm1 = nn.LayerNorm()
            self.ffn1 = nn.Dense(hidden, flatten=False)
            self.act = nn.GELU()
            self.ffn2 = nn.Dense(units, flatten=False)
            self.norm2 = nn.LayerNorm()
            self.dropout = nn.Dropout(0.1)

    def hybrid_forward(self, F, x):
        x = self.norm1(x + self.dropout(self.attention(x)))
        return self.norm2(x + self.dropout(self.ffn2(self.act(self.ffn1(x)))))


class Bert(gluon.HybridBlock):
    """Words, their types and their places in, a masked language model and a pooled sentence out."""

    def __init__(self, words=100, units=32, hidden=64, heads=4, layers=3, length=7, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.word_embed = nn.Embedding(words, units)
            self.token_type_embed = nn.Embedding(2, units)
            self.position_embed = self.params.get("position_embed", shape=(1, length, units))
            self.norm = nn.LayerNorm()
            self.layers = nn.HybridSequential()
            for _ in range(layers):
                self.layers.add(EncoderLayer(units, hidden, heads))
            self.pooler = nn.Dense(units, activation="tanh", flatten=False)
            self.decoder = nn.Dense(words, flatten=False, params=self.word_embed.params)

    def hybrid_forward(self, F, words, types, position_embed):
        x = F.broadcast_add(self.word_embed(words) + self.token_type_embed(types), position_embed)
        x = self.layers(self.norm(x))
        first = F.reshape(F.slice_axis(x, axis=1, begin=0, end=1), shape=(0, -1))
        return self.decoder(x), self.pooler(first)


class SSD(gluon.HybridBlock):
    """A small single shot detector: detections, and what it is trained by."""

    def __init__(self, classes=3, **kwargs):
        super().__init__(**kwargs)
        self._classes = classes
        with self.name_scope():
            self.stages = nn.HybridSequential()
            self.class_predictors = nn.HybridSequential()
            self.box_predictors = nn.HybridSequential()
            for channels in (16, 32, 64):
                stage = nn.HybridSequential()
                stage.add(nn.Conv2D(channels, 3, padding=1, use_bias=False), nn.BatchNorm(), nn.Activation("relu"))
                stage.add(nn.MaxPool2D(2))
                self.stages.add(stage)
                self.class_predictors.add(nn.Conv2D(4 * (classes + 1), 3, padding=1))
                self.box_predictors.add(nn.Conv2D(16, 3, padding=1))

    def hybrid_forward(self, F, x):
        anchors, classes, boxes = [], [], []
        for i, (stage, to_class, to_box) in enumerate(
            zip(self.stages, self.class_predictors, self.box_predictors, strict=True)
        ):
            x = stage(x)
            anchors.append(F.contrib.MultiBoxPrior(x, sizes=(0.2 + 0.2 * i, 0.3 + 0.2 * i), ratios=(1, 2, 0.5)))
            classes.append(F.flatten(F.transpose(to_class(x), axes=(0, 2, 3, 1))))
            boxes.append(F.flatten(F.transpose(to_box(x), axes=(0, 2, 3, 1))))
        classes = F.reshape(F.concat(*classes, dim=1), shape=(0, -1, self._classes + 1))
        boxes, anchors = F.concat(*boxes, dim=1), F.concat(*anchors, dim=1)
        probabilities = F.softmax(F.transpose(classes, axes=(0, 2, 1)), axis=1)
        return F.contrib.MultiBoxDetection(probabilities, boxes, anchors, nms_threshold=0.5), classes, boxes


class Shared(gluon.HybridBlock):
    """One layer that is called for several inputs, and numbers that differ between equal blocks."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        with self.name_scope():
            self.head = nn.HybridSequential()
            self.head.add(nn.Conv2D(4, 3, padding=1), nn.LeakyReLU(0.1), nn.Conv2D(2, 1))
            self.scales = nn.HybridSequential()
            self.scales.add(Scale(0.5), Scale(2.0))

    def hybrid_forward(self, F, x):
        small = F.Pooling(x, kernel=(2, 2), stride=(2, 2), pool_type="avg")
        up = F.UpSampling(self.head(small), scale=2, sample_type="nearest")
        return self.scales(F.concat(self.head(x), up, dim=1)), F.mean(up, axis=(2, 3))


class Scale(gluon.HybridBlock):
    """A number for all channels, and learned ones for each."""

    def __init__(self, factor, **kwargs):
        super().__init__(**kwargs)
        self._factor = factor
        with self.name_scope():
            self.gain = self.params.get("gain", shape=(1, 4, 1, 1), init=mx.init.Constant(1.5))

    def hybrid_forward(self, F, x, gain):
        return F.broadcast_mul(x, gain) * self._factor + 0.25


def lenet():
    """The network of MXNet's first tutorials."""
    x = mx.sym.Variable("data")
    for number, channels in ((1, 20), (2, 50)):
        x = mx.sym.Convolution(x, kernel=(5, 5), num_filter=channels, name=f"conv{number}")
        x = mx.sym.Activation(x, act_type="tanh", name=f"tanh{number}")
        x = mx.sym.Pooling(x, pool_type="max", kernel=(2, 2), stride=(2, 2), name=f"pool{number}")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=100, name="fc1")
    x = mx.sym.Activation(x, act_type="tanh", name="tanh3")
    return mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=10, name="fc2"), name="softmax")


def resnet_symbol():
    """A ResNet of the image-classification examples, with preprocessing in the graph."""

    def norm(x, name, fix_gamma=False):
        return mx.sym.BatchNorm(x, fix_gamma=fix_gamma, eps=2e-5, momentum=0.9, name=name)

    def unit(x, channels, stride, same, name):
        first = act = mx.sym.Activation(norm(x, f"{name}_bn1"), act_type="relu", name=f"{name}_relu1")
        for number, (kernel, width) in enumerate(((1, channels // 4), (3, channels // 4), (1, channels)), 1):
            step = stride if number == 2 else 1
            y = mx.sym.Convolution(
                act,
                num_filter=width,
                kernel=(kernel, kernel),
                stride=(step, step),
                pad=(kernel // 2,) * 2,
                no_bias=True,
                name=f"{name}_conv{number}",
            )
            if number < 3:
                y = norm(y, f"{name}_bn{number + 1}")
                act = mx.sym.Activation(y, act_type="relu", name=f"{name}_relu{number + 1}")
        if not same:
            x = mx.sym.Convolution(
                first, num_filter=channels, kernel=(1, 1), stride=(stride, stride), no_bias=True, name=f"{name}_sc"
            )
        return y + x

    x = (mx.sym.Variable("data") - 127.5) * 0.0078125
    x = norm(x, "bn_data", fix_gamma=True)
    x = mx.sym.Convolution(x, num_filter=16, kernel=(3, 3), pad=(1, 1), no_bias=True, name="conv0")
    for stage, (channels, count) in enumerate(((32, 2), (64, 3)), 1):
        for number in range(1, count + 1):
            step = 2 if number == 1 and stage > 1 else 1
            x = unit(x, channels, step, number > 1, f"stage{stage}_unit{number}")
    x = mx.sym.Activation(norm(x, "bn1"), act_type="relu", name="relu1")
    x = mx.sym.Pooling(x, global_pool=True, kernel=(7, 7), pool_type="avg", name="pool1")
    x = mx.sym.FullyConnected(mx.sym.Flatten(x), num_hidden=10, name="fc1")
    return mx.sym.SoftmaxOutput(x, name="softmax")


def pnet():
    """The first network of MTCNN, as its symbol file has it."""
    x = mx.sym.Variable("data")
    for number, channels in ((1, 10), (2, 16), (3, 32)):
        x = mx.sym.Convolution(x, num_filter=channels, kernel=(3, 3), name=f"conv{number}")
        x = mx.sym.LeakyReLU(x, act_type="prelu", name=f"prelu{number}")
        if number == 1:
            x = mx.sym.Pooling(x, kernel=(2, 2), stride=(2, 2), pooling_convention="full", name="pool1")
    scores = mx.sym.Convolution(x, num_filter=2, kernel=(1, 1), name="conv4_1")
    boxes = mx.sym.Convolution(x, num_filter=4, kernel=(1, 1), name="conv4_2")
    return mx.sym.Group([mx.sym.SoftmaxActivation(scores, mode="channel", name="prob1"), boxes])


def in_the_dialect_of_2016(symbol):
    """A symbol as MXNet 0.7 wrote it: attributes are "param", entries have two numbers, and there is no version."""
    found = json.loads(symbol.tojson())
    nodes = [
        {
            "op": node["op"],
            "param": node.get("attrs", {}),
            "name": node["name"],
            "inputs": [entry[:2] for entry in node["inputs"]],
            "backward_source_id": -1,
        }
        for node in found["nodes"]
    ]
    heads = [head[:2] for head in found["heads"]]
    return json.dumps({"nodes": nodes, "arg_nodes": found["arg_nodes"], "heads": heads})


def parameters_of(symbol, **shapes):
    """Random numbers for all parameters of a symbol, by the names that files have."""
    arguments, _, states = symbol.infer_shape(**shapes)
    rng, found = np.random.default_rng(0), {}
    for name, shape in zip(symbol.list_arguments(), arguments, strict=True):
        if name not in shapes and not name.endswith("label"):
            spread = 1 / max(np.prod(shape[1:]), 1) ** 0.5
            found[f"arg:{name}"] = mx.nd.array(rng.standard_normal(shape) * spread + name.endswith("gamma"))
    for name, shape in zip(symbol.list_auxiliary_states(), states, strict=True):
        found[f"aux:{name}"] = mx.nd.array(rng.random(shape) + 0.5)
    return found


def rnet(name="r"):
    """The second network of MTCNN, or the third one, which finds points as well."""
    x = mx.sym.Variable("data")
    sizes = ((28, 3), (48, 3), (64, 2)) if name == "r" else ((32, 3), (64, 3), (64, 3), (128, 2))
    for number, (channels, kernel) in enumerate(sizes, 1):
        x = mx.sym.Convolution(x, num_filter=channels, kernel=(kernel, kernel), name=f"conv{number}")
        x = mx.sym.LeakyReLU(x, act_type="prelu", name=f"prelu{number}")
        if number < len(sizes):
            size = 2 if number == 3 else 3
            x = mx.sym.Pooling(x, kernel=(size, size), stride=(2, 2), pooling_convention="full", name=f"pool{number}")
    x = mx.sym.FullyConnected(x, num_hidden=128 if name == "r" else 256, name="conv5")
    x = mx.sym.LeakyReLU(x, act_type="prelu", name="prelu5")
    scores = mx.sym.FullyConnected(x, num_hidden=2, name="conv6_1")
    heads = [mx.sym.SoftmaxActivation(scores, name="prob1"), mx.sym.FullyConnected(x, num_hidden=4, name="conv6_2")]
    return mx.sym.Group([*heads, mx.sym.FullyConnected(x, num_hidden=10, name="conv6_3")] if name == "o" else heads)


def retinaface():
    """A face detector: depthwise convolutions, a feature pyramid with crops, context modules, three heads per scale."""

    def conv(x, channels, name, kernel=3, stride=1, groups=1, act=True):
        pad = (kernel // 2,) * 2
        size = {"kernel": (kernel,) * 2, "stride": (stride,) * 2, "pad": pad, "num_group": groups}
        x = mx.sym.Convolution(x, num_filter=channels, no_bias=True, name=f"{name}_conv2d", **size)
        x = mx.sym.BatchNorm(x, fix_gamma=False, eps=1e-3, momentum=0.9, name=f"{name}_batchnorm")
        return mx.sym.Activation(x, act_type="relu", name=f"{name}_relu") if act else x

    x, channels, taps = conv(mx.sym.Variable("data"), 8, "conv_1", stride=2), 8, []
    for number, (width, stride) in enumerate(((16, 1), (32, 2), (32, 1), (64, 2), (64, 1), (128, 2), (128, 1)), 2):
        x = conv(x, channels, f"conv_{number}_dw", stride=stride, groups=channels)
        x, channels = conv(x, width, f"conv_{number}", kernel=1), width
        taps += [x] if number in (4, 6, 8) else []
    laterals = [conv(t, 32, f"rf_c{n}_lateral", kernel=1) for n, t in zip((1, 2, 3), taps, strict=True)]
    for n in (1, 0):
        up = mx.sym.UpSampling(laterals[n + 1], scale=2, sample_type="nearest", name=f"rf_c{n + 2}_upsampling")
        up = mx.sym.Crop(up, laterals[n], name=f"crop{n}")
        laterals[n] = conv(laterals[n] + up, 32, f"rf_c{n + 1}_aggr")
    outputs = []
    for stride, x in zip((32, 16, 8), reversed(laterals), strict=True):
        first = conv(x, 16, f"rf_stride{stride}_det_conv1", act=False)
        context = conv(x, 8, f"rf_stride{stride}_det_context_conv1")
        second = conv(context, 8, f"rf_stride{stride}_det_context_conv2", act=False)
        third = conv(context, 8, f"rf_stride{stride}_det_context_conv3_1")
        third = conv(third, 8, f"rf_stride{stride}_det_context_conv3_2", act=False)
        x = mx.sym.Activation(mx.sym.concat(first, second, third, dim=1), act_type="relu")

        def head(kind, channels, x=x, stride=stride):
            return mx.sym.Convolution(x, num_filter=channels, kernel=(1, 1), name=f"face_rpn_{kind}_stride{stride}")

        scores = mx.sym.Reshape(head("cls_score", 4), shape=(0, 2, -1, 0), name=f"score_reshape_stride{stride}")
        scores = mx.sym.SoftmaxActivation(scores, mode="channel", name=f"face_rpn_cls_prob_stride{stride}")
        scores = mx.sym.Reshape(scores, shape=(0, 4, -1, 0), name=f"prob_reshape_stride{stride}")
        outputs += [scores, head("bbox_pred", 8), head("landmark_pred", 20)]
    return mx.sym.Group(outputs)
