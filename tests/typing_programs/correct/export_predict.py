"""Export, import, Predictor, fine tuning, ONNX."""

from collections import namedtuple

import mxnet as mx
from mxnet import gluon, nd
from mxnet.gluon import nn
from mxnet.predict import Predictor

net = nn.HybridSequential()
net.add(nn.Dense(8, activation="relu"), nn.LayerNorm(), nn.Dense(2))
net.initialize(mx.init.Normal(0.1))
net.hybridize()
net(nd.ones((1, 4)))
net.export("model", epoch=1)

loaded = gluon.nn.SymbolBlock.imports("model-symbol.json", ["data"], "model-0001.params", ctx=mx.cpu())
print(loaded(nd.ones((1, 4))).asnumpy().argmax(axis=1))

with open("model-symbol.json") as file:
    predictor = Predictor(file.read(), open("model-0001.params", "rb").read(), {"data": (1, 4)})
predictor.forward(data=nd.ones((1, 4)).asnumpy())
print(predictor.get_output(0))

sym, arg_params, aux_params = mx.model.load_checkpoint("model", 1)
Batch = namedtuple("Batch", ["data"])
mod = mx.mod.Module(symbol=sym, context=mx.cpu(), label_names=None)
mod.bind(for_training=False, data_shapes=[("data", (1, 4))], label_shapes=mod._label_shapes)
mod.set_params(arg_params, aux_params, allow_missing=True)
mod.forward(Batch([nd.ones((1, 4))]))
prob = mod.get_outputs()[0].asnumpy()
all_layers = sym.get_internals()
feature = all_layers[all_layers.list_outputs()[-2]]
new = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(feature, num_hidden=5, name="new"), name="softmax")
new_args = {k: v for k, v in arg_params.items() if "dense1" not in k}
params = nd.load("model-0001.params")
nd.save("copy.params", params)
path = mx.onnx.export_model("model-symbol.json", "model-0001.params", [(1, 4)], "float32", "model.onnx")
save_dict = {("arg:%s" % k): v.as_in_context(mx.cpu()) for k, v in arg_params.items()}
print(
    mx.__version__, mx.runtime.Features().is_enabled("CUDA"), mx.context.current_context(), save_dict.keys(), prob, new
)
