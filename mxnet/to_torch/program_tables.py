"""What names of Gluon become in programs that are translated to PyTorch."""

from __future__ import annotations

#: Where names of MXNet's modules lead.
MODULES = {"nd": "ndarray", "sym": "symbol", "init": "initializer", "mod": "module", "viz": "visualization"}
BLOCKS = ("gluon.Block", "gluon.HybridBlock", "gluon.nn.Block", "gluon.nn.HybridBlock", "gluon.block.HybridBlock")
ACTIVATIONS = {"relu": "ReLU", "sigmoid": "Sigmoid", "tanh": "Tanh", "softrelu": "Softplus", "softsign": "Softsign"}
OPTIMIZERS = {
    "sgd": "SGD",
    "nag": "SGD",
    "adam": "Adam",
    "adagrad": "Adagrad",
    "rmsprop": "RMSprop",
    "adadelta": "Adadelta",
}
SETTINGS = {"learning_rate": "lr", "wd": "weight_decay", "epsilon": "eps", "gamma1": "alpha"}
METRICS = {"acc": "Accuracy", "accuracy": "Accuracy", "mse": "MSE", "mae": "MAE", "top_k_accuracy": "TopKAccuracy"}
LOSSES = {
    "SoftmaxCrossEntropyLoss": 'lambda output, label: F.cross_entropy(output, label.long(), reduction="none")',
    "SoftmaxCELoss": 'lambda output, label: F.cross_entropy(output, label.long(), reduction="none")',
    "L2Loss": "lambda output, label: ((output - label.view_as(output)) ** 2 / 2).flatten(1).mean(1)",
    "L1Loss": "lambda output, label: (output - label.view_as(output)).abs().flatten(1).mean(1)",
    "SigmoidBinaryCrossEntropyLoss": "lambda output, label: F.binary_cross_entropy_with_logits("
    'output, label.view_as(output), reduction="none").flatten(1).mean(1)',
}
LOSSES["SigmoidBCELoss"] = LOSSES["SigmoidBinaryCrossEntropyLoss"]
#: Functions of nd and F with the same arguments in torch, apart from the name.
FUNCTIONS = {
    **{n: f"torch.{n}" for n in ("relu", "sigmoid", "tanh", "exp", "log", "sqrt", "abs", "square", "sum", "mean")},
    **{n: f"torch.{n}" for n in ("argmax", "argmin", "sin", "cos", "sign", "floor", "ceil", "zeros_like", "ones_like")},
    **{n: f"torch.{n}" for n in ("where", "maximum", "minimum", "zeros", "ones", "eye", "linspace", "power", "stack_")},
    "max": "torch.amax",
    "min": "torch.amin",
    "softmax": "torch.softmax",
    "log_softmax": "torch.log_softmax",
    "dot": "torch.matmul",
    "batch_dot": "torch.bmm",
    "broadcast_add": "torch.add",
    "broadcast_sub": "torch.sub",
    "broadcast_mul": "torch.mul",
    "broadcast_div": "torch.div",
    "elemwise_add": "torch.add",
    "power": "torch.pow",
    "broadcast_maximum": "torch.maximum",
    "broadcast_minimum": "torch.minimum",
    "broadcast_power": "torch.pow",
    "elemwise_sub": "torch.sub",
    "elemwise_mul": "torch.mul",
    "elemwise_div": "torch.div",
    "stop_gradient": "torch.detach",
    "BlockGrad": "torch.detach",
}
METHODS = {
    "asnumpy": "detach().cpu().numpy()",
    "asscalar": "item()",
    "attach_grad": "requires_grad_()",
    "copy": "clone()",
}


#: Methods and attributes that only arrays and blocks of MXNet have.
OF_MXNET = {
    "_children",
    "as_in_context",
    "asnumpy",
    "asscalar",
    "attach_grad",
    "collect_params",
    "export",
    "grad_req",
    "list_ctx",
    "list_data",
    "list_grad",
    "name_scope",
    "set_data",
    "wait_to_read",
    "waitall",
}
