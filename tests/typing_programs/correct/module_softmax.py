"""A symbol trained by Module, with callbacks, checkpoints and an executor of one's own."""

import logging

import numpy as np

import mxnet as mx

logging.getLogger().setLevel(logging.DEBUG)
data = mx.sym.Variable("data")
label = mx.sym.var("softmax_label")


def conv_factory(data, num_filter, kernel, stride=(1, 1), pad=(0, 0), act_type="relu", name=None):
    conv = mx.symbol.Convolution(
        data=data, num_filter=num_filter, kernel=kernel, stride=stride, pad=pad, no_bias=True, name=name
    )
    bn = mx.symbol.BatchNorm(data=conv, fix_gamma=False, eps=2e-5, momentum=0.9)
    return mx.symbol.Activation(data=bn, act_type=act_type)


net = conv_factory(data, 20, (5, 5), name="conv1")
net = mx.sym.Pooling(net, pool_type="max", kernel=(2, 2), stride=(2, 2))
net = mx.sym.flatten(net)
fc1 = mx.sym.FullyConnected(data=net, num_hidden=500, name="fc1")
fc1 = mx.sym.Activation(fc1, act_type="tanh")
fc1 = mx.sym.Dropout(fc1, p=0.5)
fc2 = mx.sym.FullyConnected(fc1, num_hidden=10, name="fc2")
lenet = mx.sym.SoftmaxOutput(data=fc2, label=label, name="softmax", grad_scale=1.0)

a = mx.sym.Variable("a", shape=(2, 3))
b = mx.sym.Variable("b")
c = (a + b) * 2 - 1 / a
d = mx.sym.Group([c, mx.sym.BlockGrad(a > b), mx.sym.concat(a, b, dim=1), a.sum(axis=0), a[0]])
print(d.list_arguments(), d.list_outputs(), lenet.list_auxiliary_states(), c.tojson())
arg_shapes, out_shapes, aux_shapes = lenet.infer_shape(data=(64, 1, 28, 28))
internals = lenet.get_internals()
feature = internals["fc1_output"]

x = np.random.uniform(size=(100, 1, 28, 28)).astype("float32")
y = np.random.randint(0, 10, (100,))
train_iter = mx.io.NDArrayIter(x, y, batch_size=20, shuffle=True)
val_iter = mx.io.NDArrayIter({"data": x}, {"softmax_label": y}, 20)

mod = mx.mod.Module(symbol=lenet, context=[mx.cpu(0), mx.cpu(1)], data_names=["data"], label_names=["softmax_label"])
mod.bind(data_shapes=train_iter.provide_data, label_shapes=train_iter.provide_label)
mod.init_params(initializer=mx.init.Xavier(magnitude=2.0))
mod.init_optimizer(optimizer="sgd", optimizer_params=(("learning_rate", 0.1),))
mod.fit(
    train_iter,
    eval_data=val_iter,
    optimizer="adam",
    optimizer_params={"learning_rate": 0.001},
    eval_metric=mx.metric.create(["acc", "ce"]),
    batch_end_callback=mx.callback.Speedometer(20, 100),
    epoch_end_callback=mx.callback.do_checkpoint("lenet"),
    num_epoch=2,
)
print(mod.score(val_iter, mx.metric.Accuracy()))
prob = mod.predict(val_iter).asnumpy()
for batch in train_iter:
    mod.forward(batch, is_train=True)
    mod.backward()
    mod.update()
    print(mod.get_outputs()[0].shape)
arg_params, aux_params = mod.get_params()
sym, arg_params, aux_params = mx.model.load_checkpoint("lenet", 2)

exe = c.bind(ctx=mx.cpu(), args={"a": mx.nd.ones((2, 3)), "b": mx.nd.ones((2, 3))})
exe.forward(is_train=False)
print(exe.outputs[0].asnumpy())
simple = lenet.simple_bind(mx.cpu(), grad_req="write", data=(1, 1, 28, 28))
simple.arg_dict["data"][:] = 1
simple.forward(is_train=True)
simple.backward()
graph = mx.viz.plot_network(lenet, shape={"data": (1, 1, 28, 28)})
mx.viz.print_summary(lenet, shape={"data": (1, 1, 28, 28)})
