"""More networks: detection, segmentation, sequences, text, generation, attributes, composition and control flow."""

import numpy as np
from network_cases import Case, conv_factory

# ---- vision beyond classification ----------------------------------------------------------------------------------


def ssd(train):
    def make(mx):
        data = mx.sym.var("data")
        body = conv_factory(mx, data, 8, (3, 3), (2, 2), (1, 1), "1")
        layers = [body, conv_factory(mx, body, 8, (3, 3), (2, 2), (1, 1), "2")]
        locations, classes, anchors = [], [], []
        for i, layer in enumerate(layers):
            name = "multi_feat_%d" % i
            if i == 0:
                layer = mx.sym.L2Normalization(data=layer, mode="channel", name=name + "_norm")
                scale = mx.sym.Variable(
                    name=name + "_scale", shape=(1, 8, 1, 1), init=mx.init.Constant(20), attr={"__wd_mult__": "0.1"}
                )
                layer = mx.sym.broadcast_mul(lhs=scale, rhs=layer)
            sizes, ratios = ((0.2, 0.3), (1.0, 2.0, 0.5)) if i == 0 else ((0.4,), (1.0, 2.0))
            count = len(sizes) + len(ratios) - 1
            bias = mx.sym.Variable(name=name + "_loc_pred_conv_bias", init=mx.init.Constant(0.0), lr_mult=2.0)
            where = mx.sym.Convolution(
                layer, bias=bias, kernel=(3, 3), pad=(1, 1), num_filter=count * 4, name=name + "_loc_pred_conv"
            )
            locations.append(mx.sym.Flatten(mx.sym.transpose(where, axes=(0, 2, 3, 1))))
            what = mx.sym.Convolution(
                layer, kernel=(3, 3), pad=(1, 1), num_filter=count * 3, name=name + "_cls_pred_conv"
            )
            classes.append(mx.sym.Flatten(mx.sym.transpose(what, axes=(0, 2, 3, 1))))
            boxes = mx.sym.contrib.MultiBoxPrior(
                layer, sizes=sizes, ratios=ratios, clip=False, name=name + "_anchors", steps=(-1.0, -1.0)
            )
            anchors.append(mx.sym.Flatten(data=boxes))
        locations = mx.sym.Concat(*locations, num_args=2, dim=1, name="multibox_loc_pred")
        classes = mx.sym.Reshape(mx.sym.Concat(*classes, num_args=2, dim=1), shape=(0, -1, 3))
        classes = mx.sym.transpose(classes, axes=(0, 2, 1), name="multibox_cls_pred")
        anchors = mx.sym.Reshape(mx.sym.Concat(*anchors, num_args=2, dim=1), shape=(0, -1, 4), name="anchors")
        if not train:
            classes = mx.sym.SoftmaxActivation(data=classes, mode="channel", name="cls_prob")
            return mx.sym.contrib.MultiBoxDetection(
                *[classes, locations, anchors],
                name="detection",
                nms_threshold=0.5,
                force_suppress=False,
                variances=(0.1, 0.1, 0.2, 0.2),
                nms_topk=40,
            )
        target = mx.sym.contrib.MultiBoxTarget(
            *[anchors, mx.sym.var("label"), classes],
            overlap_threshold=0.5,
            ignore_label=-1,
            negative_mining_ratio=3,
            minimum_negative_samples=0,
            negative_mining_thresh=0.5,
            variances=(0.1, 0.1, 0.2, 0.2),
            name="multibox_target",
        )
        prob = mx.sym.SoftmaxOutput(
            data=classes,
            label=target[2],
            ignore_label=-1,
            use_ignore=True,
            grad_scale=1.0,
            multi_output=True,
            normalization="valid",
            name="cls_prob",
        )
        smooth = mx.sym.smooth_l1(data=target[1] * (locations - target[0]), scalar=1.0, name="loc_loss_")
        loss = mx.sym.MakeLoss(smooth, grad_scale=1.0, normalization="valid", name="loc_loss")
        labels = mx.sym.MakeLoss(data=target[2], grad_scale=0, name="cls_label")
        return mx.sym.Group([prob, loss, labels])

    return make


BOXES = np.array(
    [[[0, 0.1, 0.1, 0.4, 0.4], [1, 0.5, 0.5, 0.9, 0.8]], [[1, 0.2, 0.3, 0.6, 0.6], [-1, -1, -1, -1, -1]]], "float32"
)


def fcn(mx):
    data = mx.sym.var("data")
    conv = mx.sym.Convolution(data, kernel=(3, 3), pad=(20, 20), num_filter=6, name="conv1_1")
    pool1 = mx.sym.Pooling(mx.sym.relu(conv), kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool1")
    conv = mx.sym.Convolution(pool1, kernel=(3, 3), pad=(1, 1), num_filter=8, name="conv2_1")
    pool2 = mx.sym.Pooling(mx.sym.relu(conv), kernel=(2, 2), stride=(2, 2), pool_type="max", name="pool2")
    score = mx.sym.Convolution(pool2, kernel=(1, 1), num_filter=4, name="score")
    score2 = mx.sym.Deconvolution(
        score, kernel=(4, 4), stride=(2, 2), num_filter=4, adj=(1, 1), name="score2", no_bias=True, workspace=512
    )
    skip = mx.sym.Convolution(pool1, kernel=(1, 1), num_filter=4, name="score_pool1")
    cropped = mx.sym.Crop(*[score2, skip], offset=(1, 1), name="score_pool1c")
    fused = skip + mx.sym.Crop(score2, cropped, center_crop=True) * cropped
    big = mx.sym.Deconvolution(fused, kernel=(16, 16), stride=(2, 2), num_filter=4, name="bigscore")
    up = mx.sym.UpSampling(fused, scale=2, sample_type="nearest", num_args=1)
    up = mx.sym.Crop(up, data, name="upc")
    out = mx.sym.Crop(*[big, data], offset=(9, 9), name="upscore") + up
    return mx.sym.SoftmaxOutput(data=out, multi_output=True, use_ignore=True, ignore_label=3, name="softmax")


def up_bilinear(mx):
    net = mx.sym.Convolution(mx.sym.var("data"), kernel=(1, 1), num_filter=4, name="c")
    net = mx.sym.UpSampling(net, scale=2, sample_type="bilinear", num_filter=4, name="up", num_args=2)
    return mx.sym.contrib.BilinearResize2D(net, height=5, width=7) * 2


def spatial_transformer(mx):
    data = mx.sym.var("data")
    loc = mx.sym.FullyConnected(mx.sym.Flatten(data), num_hidden=6, name="stn_loc")
    net = mx.sym.SpatialTransformer(data, loc, target_shape=(5, 5), transform_type="affine", sampler_type="bilinear")
    grid = mx.sym.GridGenerator(loc, transform_type="affine", target_shape=(4, 6))
    return mx.sym.Group([net, mx.sym.BilinearSampler(data, grid)])


def roi(mx):
    body = mx.sym.Convolution(mx.sym.var("data"), kernel=(3, 3), num_filter=4, name="body")
    rois = mx.sym.BlockGrad(mx.sym.var("rois"))
    pooled = mx.sym.ROIPooling(body, rois, pooled_size=(2, 2), spatial_scale=0.5, name="roi_pool")
    aligned = mx.sym.contrib.ROIAlign(body, rois, pooled_size=(2, 2), spatial_scale=0.5, sample_ratio=2)
    return mx.sym.FullyConnected(pooled + aligned, num_hidden=3, name="fc")


def normalizations(mx):
    # After another operator the original's gradient of gamma is wrong: its executor writes over the input.
    net = mx.sym.LeakyReLU(mx.sym.var("data"), act_type="prelu", name="prelu")
    net = mx.sym.Convolution(net, kernel=(1, 1), num_filter=4, name="c")
    net = mx.sym.InstanceNorm(net, name="in")
    net = mx.sym.GroupNorm(net, num_groups=2, name="gn")
    net = mx.sym.LayerNorm(net, axis=-1, name="ln")
    net = mx.sym.L2Normalization(net, mode="spatial")
    net = mx.sym.BatchNorm(net, axis=3, fix_gamma=False, name="bn", output_mean_var=False)
    return mx.sym.contrib.SyncBatchNorm(net, key="k", ndev=1, name="sync")


def activations(mx):
    net = mx.sym.var("data")
    for kind in ("relu", "sigmoid", "tanh", "softrelu", "softsign"):
        net = net + mx.sym.Activation(net, act_type=kind)
    for kind in ("leaky", "elu", "gelu"):  # the original's gradient of selu is wrong
        net = net - mx.sym.LeakyReLU(net, act_type=kind)
    net = mx.sym.hard_sigmoid(net, alpha=0.3, beta=0.4) * mx.sym.SoftmaxActivation(net)
    return mx.sym.log_softmax(net, axis=1, temperature=2.0)


# ---- text and sequences --------------------------------------------------------------------------------------------


def text_cnn(mx):
    words = mx.sym.Embedding(mx.sym.var("data"), input_dim=30, output_dim=6, name="vocab_embed")
    image = mx.sym.Reshape(data=words, target_shape=(2, 1, 9, 6))
    pooled = []
    for size in (2, 3, 4):
        conv = mx.sym.Convolution(data=image, kernel=(size, 6), num_filter=4)
        act = mx.sym.Activation(data=conv, act_type="relu")
        pooled.append(mx.sym.Pooling(data=act, pool_type="max", kernel=(9 - size + 1, 1), stride=(1, 1)))
    net = mx.sym.Reshape(data=mx.sym.Concat(*pooled, dim=1), shape=(2, 12))
    net = mx.sym.FullyConnected(
        data=net, weight=mx.sym.Variable("cls_weight"), bias=mx.sym.Variable("cls_bias"), num_hidden=3
    )
    return mx.sym.SoftmaxOutput(data=net, label=mx.sym.var("softmax_label"), name="softmax")


def language_model(mx):
    stack = mx.rnn.SequentialRNNCell()
    for i in range(2):
        stack.add(mx.rnn.LSTMCell(num_hidden=6, prefix="lstm_l%d_" % i))
    embed = mx.sym.Embedding(mx.sym.var("data"), input_dim=12, output_dim=5, name="embed")
    outputs, _ = stack.unroll(4, inputs=embed, merge_outputs=True)
    pred = mx.sym.FullyConnected(mx.sym.Reshape(outputs, shape=(-1, 6)), num_hidden=12, name="pred")
    label = mx.sym.Reshape(mx.sym.var("softmax_label"), shape=(-1,))
    return mx.sym.SoftmaxOutput(data=pred, label=label, use_ignore=True, ignore_label=0, name="softmax")


def fused_model(mx):
    embed = mx.sym.Embedding(mx.sym.var("data"), input_dim=12, output_dim=5, name="embed")
    net = mx.sym.RNN(
        data=mx.sym.SwapAxis(embed, dim1=0, dim2=1),
        state=mx.sym.var("state"),
        state_cell=mx.sym.var("cell"),
        state_size=4,
        num_layers=2,
        mode="lstm",
        state_outputs=True,
        bidirectional=True,
        name="rnn",
    )
    pred = mx.sym.FullyConnected(net[0], num_hidden=12, flatten=False, name="pred")
    return mx.sym.Group([mx.sym.softmax(pred, axis=-1), mx.sym.BlockGrad(net[1]), net["rnn_statecell_output"]])


def ctc(mx):
    cell = mx.rnn.FusedRNNCell(6, mode="gru", prefix="ocr_")
    outputs, _ = cell.unroll(8, mx.sym.var("data"), layout="TNC", merge_outputs=True)
    pred = mx.sym.FullyConnected(mx.sym.Reshape(outputs, shape=(-3, -2)), num_hidden=5, name="pred")
    pred = mx.sym.Reshape(pred, shape=(-4, 8, -1, 0))
    loss = mx.sym.MakeLoss(mx.sym.contrib.ctc_loss(pred, mx.sym.var("label"), name="ctc"))
    prob = mx.sym.BlockGrad(mx.sym.SoftmaxActivation(mx.sym.transpose(pred, axes=(1, 2, 0)), mode="channel"))
    return mx.sym.Group([prob, loss])


def attention(mx):
    query = mx.sym.FullyConnected(mx.sym.var("query"), num_hidden=8, flatten=False, no_bias=True, name="q")
    memory = mx.sym.var("memory")
    key = mx.sym.FullyConnected(memory, num_hidden=8, flatten=False, no_bias=True, name="k")
    value = mx.sym.FullyConnected(memory, num_hidden=8, flatten=False, no_bias=True, name="v")
    heads = []
    for i in range(2):
        q, k, v = (mx.sym.slice_axis(x, axis=2, begin=4 * i, end=4 * i + 4) for x in (query, key, value))
        score = mx.sym.batch_dot(q, k, transpose_b=True) / np.sqrt(4.0)
        heads.append(mx.sym.batch_dot(mx.sym.softmax(score, axis=-1), v, name="head%d" % i))
    net = mx.sym.concat(*heads, dim=2) + mx.sym.var("query", shape=(0, 0, 8))
    return mx.sym.LayerNorm(net, mx.sym.var("ln_gamma"), mx.sym.var("ln_beta"), eps=1e-6)


def masked(mx):
    data, length = mx.sym.var("data"), mx.sym.var("length")
    net = mx.sym.SequenceMask(data, sequence_length=length, use_sequence_length=True, value=-1)
    last = mx.sym.SequenceLast(net, length, use_sequence_length=True)
    back = mx.sym.SequenceReverse(net, length, use_sequence_length=True)
    return mx.sym.Group([last, mx.sym.sum(back, axis=0) * mx.sym.one_hot(length, depth=4)])


# ---- generation, similarity, losses --------------------------------------------------------------------------------


def generator(mx):
    net = mx.sym.var("rand")
    for i, (filters, kernel, stride, pad) in enumerate(((16, 4, 1, 0), (8, 4, 2, 1), (4, 4, 2, 1))):
        net = mx.sym.Deconvolution(
            net,
            name="g%d" % (i + 1),
            kernel=(kernel, kernel),
            stride=(stride, stride),
            pad=(pad, pad),
            num_filter=filters,
            no_bias=True,
        )
        net = mx.sym.BatchNorm(net, name="gbn%d" % (i + 1), fix_gamma=True, eps=1e-5 + 1e-12)
        net = mx.sym.Activation(net, name="gact%d" % (i + 1), act_type="relu")
    net = mx.sym.Deconvolution(
        net, name="g4", kernel=(4, 4), target_shape=(32, 32), stride=(2, 2), pad=(1, 1), num_filter=3, no_bias=True
    )
    return mx.sym.Activation(net, name="gact4", act_type="tanh")


def discriminator(mx):
    net = mx.sym.var("data")
    for i, filters in enumerate((4, 8)):
        net = mx.sym.Convolution(
            net, name="d%d" % i, kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=filters, no_bias=True
        )
        if i:
            net = mx.sym.BatchNorm(net, name="dbn%d" % i, fix_gamma=True, eps=1e-5)
        net = mx.sym.LeakyReLU(net, name="dact%d" % i, act_type="leaky", slope=0.2)
    net = mx.sym.Flatten(mx.sym.Convolution(net, name="d5", kernel=(4, 4), num_filter=1, no_bias=True))
    return mx.sym.LogisticRegressionOutput(data=net, label=mx.sym.Variable("label"), name="dloss")


def autoencoder(mx):
    data = net = mx.sym.var("data")
    for i, size in enumerate((10, 4)):
        net = mx.sym.FullyConnected(net, num_hidden=size, name="encoder_%d" % i)
        net = mx.sym.Activation(net, act_type="relu") if i == 0 else net
        net = mx.sym.IdentityAttachKLSparseReg(net, name="sparse_%d" % i, penalty=0.01) if i == 0 else net
    for i, size in enumerate((10, 12)):
        net = mx.sym.FullyConnected(net, num_hidden=size, name="decoder_%d" % i)
    return mx.sym.LinearRegressionOutput(net, label=data, name="rec")


def siamese(mx):
    weight, bias = mx.sym.var("w"), mx.sym.var("b", wd_mult=0.0)

    def branch(name):
        net = mx.sym.FullyConnected(mx.sym.var(name), weight=weight, bias=bias, num_hidden=6, name="fc_" + name)
        return mx.sym.L2Normalization(net)

    left, right = branch("left"), branch("right")
    distance = mx.sym.sum(mx.sym.square(left - right), axis=1, keepdims=True)
    return mx.sym.MakeLoss(mx.sym.maximum(1.0 - distance, 0) * mx.sym.var("label") + distance, name="loss")


def triplet(mx):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="embed")
    a, p, n = mx.sym.split(net, num_outputs=3, axis=0)
    gap = mx.sym.norm(a - p, axis=1) - mx.sym.norm(a - n, axis=1) + 0.2
    return mx.sym.MakeLoss(mx.sym.mean(mx.sym.relu(gap)))


def regression(mx):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc")
    return mx.sym.Group(
        [
            mx.sym.LinearRegressionOutput(net, name="lin"),
            mx.sym.MAERegressionOutput(net, name="mae", grad_scale=0.5),
            mx.sym.LogisticRegressionOutput(net, mx.sym.var("yes"), name="log"),
        ]
    )


def svm(mx):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=5, name="fc")
    return mx.sym.Group([mx.sym.SVMOutput(net, name="svm"), mx.sym.SVMOutput(net, use_linear=True, margin=0.5)])


def multi_task(mx):
    body = mx.sym.Activation(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=6, name="fc1"), act_type="relu")
    one = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(body, num_hidden=3, name="fc2"), name="softmax1")
    two = mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(body, num_hidden=2, name="fc3"), name="softmax2", grad_scale=0.3, preserve_shape=True
    )
    return mx.sym.Group([one, two, mx.sym.BlockGrad(body, name="features")])


def cross_entropy(mx):
    label = mx.sym.var("label")
    prob = mx.sym.softmax(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc"))
    picked = mx.sym.pick(prob, label, axis=1)
    loss = mx.sym.make_loss(-mx.sym.log(picked + 1e-8), name="ce")
    whole = mx.sym.softmax_cross_entropy(prob, label)
    return mx.sym.Group([loss, mx.sym.stop_gradient(prob), mx.sym.MakeLoss(whole, grad_scale=0.1)])


# ---- attributes, names, composition --------------------------------------------------------------------------------


def attributes(mx):
    data = mx.sym.Variable("data", attr={"mood": "angry"}, shape=(0, 7))
    with mx.AttrScope(ctx_group="dev1", lr_mult="0.1"):
        weight = mx.sym.var("w1", lr_mult=3.0, wd_mult=0.5, init=mx.init.Xavier(), dtype="float32")
        fc1 = mx.sym.FullyConnected(data, weight=weight, num_hidden=4, name="fc1", attr={"force_mirroring": "True"})
    with mx.AttrScope(ctx_group="dev2", __data__="4", __group__="4"):
        with mx.AttrScope(__group__="5", __extra__="x"):
            fc2 = mx.sym.FullyConnected(fc1, num_hidden=3, name="fc2", lr_mult=2)
        act = mx.sym.relu(fc2, wd_mult="0.3", attr={"mood": "calm"})
    act._set_attr(mirror_stage="1", __note__="late")
    return mx.sym.Group([act, mx.sym.var("z", stype="default", __custom__="7") + act])


def prefixes(mx):
    net = mx.sym.var("data")
    with mx.name.Prefix("enc_"):
        net = mx.sym.FullyConnected(net, num_hidden=4)
        net = mx.sym.FullyConnected(net, num_hidden=4, name="named")
    with mx.name.NameManager():
        net = mx.sym.relu(mx.sym.FullyConnected(net, num_hidden=3, name="own"))
    net = mx.sym.FullyConnected(net, num_hidden=2) + mx.sym.FullyConnected(net, num_hidden=2)
    return 2 * net**2 / (1 - net) - net + 1.5


def composed(mx):
    data = mx.sym.var("data")
    net1 = mx.sym.FullyConnected(mx.sym.FullyConnected(data, name="fc1", num_hidden=6), name="fc2", num_hidden=5)
    net2 = mx.sym.FullyConnected(mx.sym.var("data2"), name="fc3", num_hidden=5)
    net2 = mx.sym.FullyConnected(mx.sym.Activation(net2, act_type="relu"), name="fc4", num_hidden=4)
    whole = net2(data2=net1, name="composed")
    return mx.sym.Group([whole, whole.get_internals()["fc2_output"]])


def composed_group(mx):
    x, y = mx.sym.var("x"), mx.sym.var("y")
    both = mx.sym.Group([mx.sym.sin(x - y, name="r"), mx.sym.tanh(y, name="t")])
    swapped = both(x=y, y=x * 2, name="new")
    return mx.sym.Group([swapped, both]).get_internals()["new_output"] + swapped[1]


def cut(mx):
    whole = mx.sym.BatchNorm(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc"), name="bn")
    head = mx.sym.FullyConnected(mx.sym.relu(whole), num_hidden=3, name="new")
    inner = head.get_internals()
    return mx.sym.FullyConnected(inner["bn_output"] + inner["fc_output"], num_hidden=2, name="tail")


def arithmetic(mx):
    a, b = mx.sym.var("a"), mx.sym.var("b")
    net = (a + b) * (a - b) / (b + 3) - (-a) ** 2 + 2**b
    net = net * (a > b) + (a <= 0.5) * (b != a) + (a == b) + (a < 1) + (b >= 0.1)
    net = mx.sym.broadcast_add(net, mx.sym.sum(a, axis=1, keepdims=True)) % 3
    net = mx.sym.where(a > b, net, mx.sym.zeros_like(net)) + abs(a) + mx.sym.hypot(a, 2) + mx.sym.pow(2, b)
    return mx.sym.maximum(net, b) + mx.sym.minimum(a, 0.5) + mx.sym.add_n(a, b, net, name="all")


def shapes(mx):
    x = mx.sym.var("data")
    parts = list(mx.sym.SliceChannel(x, num_outputs=3, axis=1, name="cut"))
    net = mx.sym.stack(*parts, axis=1)
    net = mx.sym.reshape(net, shape=(-1, 0), reverse=True).expand_dims(axis=0).swapaxes(0, 1)
    net = mx.sym.tile(net, reps=(1, 2, 1)).slice_axis(axis=0, begin=1, end=None)
    net = mx.sym.Pad(net.expand_dims(axis=0), mode="edge", pad_width=(0, 0, 0, 0, 1, 1, 2, 2))
    top = mx.sym.topk(net, k=2, axis=-1, ret_typ="both", is_ascend=True)
    taken = mx.sym.take(x, mx.sym.arange(0, 2), axis=0).flip(axis=1).repeat(repeats=2, axis=0)
    return mx.sym.Group([top[0], mx.sym.BlockGrad(top[1]), taken.slice(begin=(0, 1), end=(3, None)).clip(-0.5, 0.5)])


def created(mx):
    x = mx.sym.var("data")
    net = x + mx.sym.zeros((2, 3)) + mx.sym.ones(shape=(2, 3), dtype="float32") * mx.sym.full((2, 3), 2.5)
    net = mx.sym.dot(net, mx.sym.eye(3, k=1)) + mx.sym.arange(3).reshape((1, 3)).broadcast_to((2, 3))
    net = mx.sym.broadcast_mul(net, mx.sym.linspace(0, 1, 3).reshape((1, 3)))
    return mx.sym.Cast(mx.sym.Cast(net, dtype="float64"), dtype="float32") + mx.sym.zeros((0, 3))


def half(mx):
    data = mx.sym.Cast(mx.sym.var("data"), dtype="float16")
    net = mx.sym.BatchNorm(mx.sym.Convolution(data, kernel=(3, 3), num_filter=4, name="c"), name="bn")
    net = mx.sym.Cast(mx.sym.FullyConnected(net, num_hidden=3, name="fc"), dtype="float32")
    return mx.sym.SoftmaxOutput(net, name="softmax")


def wide(mx):
    """More than ten outputs: file text breaks lists over lines."""
    x = mx.sym.var("data")
    return mx.sym.Group([mx.sym.relu(x * i, name="out%d" % i) for i in range(12)])


# ---- control flow --------------------------------------------------------------------------------------------------


def loop_each(mx):
    def step(data, states):
        net = mx.sym.FullyConnected(data, mx.sym.var("w"), mx.sym.var("b"), num_hidden=4, name="fc") + states[0]
        return [net, mx.sym.tanh(net)], [net * 0.5, states[1] + 1]

    outputs, states = mx.sym.contrib.foreach(step, mx.sym.var("data"), [mx.sym.var("init"), mx.sym.zeros((1,))])
    return mx.sym.Group(outputs + states)


def loop_each_two(mx):
    scale = mx.sym.exp(mx.sym.var("scale"))

    def step(data, state):
        return data[0] * scale + state, state + data[1]

    net, state = mx.sym.contrib.foreach(step, [mx.sym.var("a"), mx.sym.var("b") * 2], mx.sym.var("s"), name="walk")
    return mx.sym.Group([net, state, mx.sym.sum(net)])


def loop_cell(mx):
    cell = mx.rnn.LSTMCell(4, prefix="c_")
    outputs, states = mx.sym.contrib.foreach(
        lambda data, states: cell(data, states), mx.sym.var("data"), [mx.sym.var("h"), mx.sym.var("c")]
    )
    return mx.sym.Group([outputs, *states])


def loop_while(mx):
    def step(i, total):
        return [total * i, i], [i + 1, total + i * mx.sym.var("gain")]

    outputs, states = mx.sym.contrib.while_loop(
        cond=lambda i, total: i <= 5,
        func=step,
        loop_vars=[mx.sym.var("i"), mx.sym.var("total")],
        max_iterations=5,  # rows after the last step have no defined value in the original
    )
    return mx.sym.Group(outputs + states)


def branch(mx):
    a, b = mx.sym.var("a"), mx.sym.var("b")
    net = mx.sym.contrib.cond(a * b < 5, lambda: (a + 5) * (b + 5), lambda: mx.sym.relu(a - 5) * (b - 5))
    return net + mx.sym.contrib.cond(mx.sym.var("p"), lambda: a, lambda: mx.sym.sin(b), name="pick")


def loop_nested(mx):
    x, y, z = mx.sym.var("x"), mx.sym.var("y"), mx.sym.exp(mx.sym.var("z"))

    def outer(row, state):
        inner, last = mx.sym.contrib.foreach(lambda d, s: (d * z + s, s + row.sum()), row, state)
        return [inner, last * y], last

    outputs, state = mx.sym.contrib.foreach(outer, x, mx.sym.var("start"))
    return mx.sym.Group([*outputs, state])


def loop_free(mx):
    """A condition and a step that both use what is outside."""
    limit = mx.sym.square(mx.sym.var("limit"))
    outputs, states = mx.sym.contrib.while_loop(
        lambda a, b: a < limit, lambda a, b: ([a * b, b], [a + 1, b + limit]), [mx.sym.var("a"), mx.sym.var("b")], 3
    )
    return mx.sym.Group(outputs + states)


def loop_same(mx):
    """States that are also outputs, or passed on as they are."""

    def step(data, states):
        net = mx.sym.tanh(data + states[0] * states[1])
        return [net, net], [net, states[1]]

    outputs, states = mx.sym.contrib.foreach(step, mx.sym.var("data"), [mx.sym.var("s"), mx.sym.var("t")])
    return mx.sym.Group(outputs + states)


INDEX = ("index", 3)
CASES = {
    "ssd_train": Case(ssd(True), {"data": (2, 3, 16, 16), "label": (2, 2, 5)}, True, {"label": BOXES}),
    "ssd_detect": Case(ssd(False), {"data": (2, 3, 16, 16)}, True),
    "fcn": Case(fcn, {"data": (1, 3, 16, 16)}, True, {"softmax_label": ("index", 4)}),
    "up_bilinear": Case(up_bilinear, {"data": (1, 2, 4, 4)}, True),
    "spatial_transformer": Case(spatial_transformer, {"data": (2, 1, 6, 6)}, True),
    "roi": Case(
        roi,
        {"data": (2, 3, 12, 12), "rois": (2, 5)},
        True,
        {"rois": np.array([[0, 1, 1, 12, 14], [1, 4, 2, 18, 16]], "float32")},
    ),
    "normalizations": Case(normalizations, {"data": (2, 3, 5, 4)}, True),
    "activations": Case(activations, {"data": (3, 5)}, True),
    "text_cnn": Case(text_cnn, {"data": (2, 9)}, True, {"data": ("index", 30), "softmax_label": INDEX}),
    "language_model": Case(
        language_model,
        {"data": (2, 4), "softmax_label": (2, 4)},
        True,
        {"data": ("index", 12), "softmax_label": ("index", 12)},
    ),
    "fused_model": Case(
        fused_model, {"data": (2, 4), "state": (4, 2, 4), "cell": (4, 2, 4)}, True, {"data": ("index", 12)}
    ),
    "ctc": Case(ctc, {"data": (8, 2, 3), "label": (2, 3)}, True, {"label": np.array([[1, 2, 0], [3, 3, 4]])}),
    "attention": Case(attention, {"query": (2, 3, 8), "memory": (2, 5, 6)}, True),
    "masked": Case(masked, {"data": (4, 3, 4), "length": (3,)}, True, {"length": np.array([2, 1, 3])}),
    "generator": Case(generator, {"rand": (2, 5, 1, 1)}, True),
    "discriminator": Case(discriminator, {"data": (2, 3, 16, 16)}, True, {"label": ("index", 2)}),
    "autoencoder": Case(autoencoder, {"data": (3, 12)}),
    "siamese": Case(siamese, {"left": (3, 5), "right": (3, 5)}, True, {"label": ("index", 2)}),
    "triplet": Case(triplet, {"data": (6, 5)}, True),
    "regression": Case(regression, {"data": (4, 3)}, True),
    "svm": Case(svm, {"data": (4, 3)}, True, {"svm_label": ("index", 5), "svmoutput0_label": ("index", 5)}),
    "multi_task": Case(multi_task, {"data": (4, 5)}, True, {"softmax1_label": INDEX, "softmax2_label": ("index", 2)}),
    "cross_entropy": Case(cross_entropy, {"data": (4, 5), "label": (4,)}, True, {"label": ("index", 4)}),
    "attributes": Case(attributes, {"data": (2, 7)}, True),
    "prefixes": Case(prefixes, {"data": (2, 5)}, True),
    "composed": Case(composed, {"data": (2, 5)}, True),
    "composed_group": Case(composed_group, {"x": (2, 3), "y": (2, 3)}, True),
    "cut": Case(cut, {"data": (3, 5)}, True),
    "arithmetic": Case(arithmetic, {"a": (3, 4), "b": (3, 4)}, "forward"),
    "shapes": Case(shapes, {"data": (2, 6)}, True),
    "created": Case(created, {"data": (2, 3)}, True),
    "half": Case(half, {"data": (2, 3, 5, 5)}),
    "wide": Case(wide, {"data": (2, 2)}, True),
    "loop_each": Case(loop_each, {"data": (3, 2, 5), "init": (2, 4)}, True),
    "loop_each_two": Case(loop_each_two, {"a": (3, 2), "b": (3, 2), "s": (2,), "scale": (2,)}, "forward"),
    "loop_cell": Case(loop_cell, {"data": (3, 2, 5), "h": (2, 4), "c": (2, 4)}, True),
    "loop_while": Case(
        loop_while,
        {"i": (1,), "total": (1,), "gain": (1,)},
        "forward",
        {"i": np.array([1.0]), "total": np.array([2.0])},
    ),
    "branch": Case(branch, {"a": (1,), "b": (1,), "p": (1,)}, "forward"),
    "loop_nested": Case(loop_nested, {"x": (3, 2, 1), "y": (1,), "z": (1,), "start": (1,)}, "forward"),
    "loop_free": Case(
        loop_free,
        {"a": (1,), "b": (1,), "limit": (1,)},
        "forward",
        {"a": np.array([0.5]), "limit": np.array([1.6])},
    ),
    "loop_same": Case(loop_same, {"data": (3, 2), "s": (2,), "t": (2,)}, True),
}
