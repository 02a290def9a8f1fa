"""Model parallelism: place parts of a network on different devices with ctx_group and group2ctx.

    python examples/ctx_group.py

Without GPUs the example uses two virtual ones (MXNET_VIRTUAL_GPUS).
"""

import argparse
import os

import numpy as np

import mxnet as mx


def build_network():
    """Two stages, and the names of the arguments of the first."""
    with mx.AttrScope(ctx_group="stage1"):
        data = mx.symbol.Variable("data")
        fc1 = mx.symbol.FullyConnected(data=data, name="fc1", num_hidden=128)
        act1 = mx.symbol.Activation(data=fc1, name="relu1", act_type="relu")
    with mx.AttrScope(ctx_group="stage2"):
        fc2 = mx.symbol.FullyConnected(data=act1, name="fc2", num_hidden=64)
        act2 = mx.symbol.Activation(data=fc2, name="relu2", act_type="relu")
        fc3 = mx.symbol.FullyConnected(data=act2, name="fc3", num_hidden=10)
        fc3 = mx.symbol.BatchNorm(fc3, name="norm3")
        mlp = mx.symbol.SoftmaxOutput(data=fc3, name="softmax")
    return mlp, set(act1.list_arguments())


def show_placement(mlp, stage1, group2ctx):
    """Binds the network and shows where its arrays are."""
    executor = mlp.simple_bind(mx.cpu(0), group2ctx=group2ctx, data=(4, 200))
    for name, array in executor.arg_dict.items():
        stage = "stage1" if name in stage1 else "stage2"
        assert array.context == group2ctx[stage]
        print(f"{stage} {name:14} {array.shape!s:12} on {array.context}")
    executor.forward(is_train=True)
    executor.backward()
    print("output", executor.outputs[0].shape, "gradient of fc1_weight on", executor.grad_dict["fc1_weight"].context)


def train(mlp, group2ctx, steps):
    """Trains the network as one module whose parts are on two devices; the losses."""
    module = mx.mod.Module(mlp, context=mx.cpu(), group2ctxs=group2ctx)
    module.bind([("data", (50, 200))], [("softmax_label", (50,))])
    module.init_params(mx.init.Xavier())
    module.init_optimizer(optimizer_params={"learning_rate": 0.1, "momentum": 0.9})
    images = mx.nd.random.normal(shape=(50, 200))
    labels = mx.nd.array(np.arange(50) % 10)
    batch, losses = mx.io.DataBatch([images], [labels]), []
    for _ in range(steps):
        module.forward_backward(batch)
        module.update()
        output = module.get_outputs()[0].as_in_context(labels.context)  # it is where the last stage is
        losses.append(-mx.nd.log(mx.nd.pick(output, labels)).mean().asscalar())
    return losses


def main():
    """Shows the placement, the error of a common mistake, and some steps of training."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    if not mx.num_gpus():
        os.environ["MXNET_VIRTUAL_GPUS"] = "2"
    mx.random.seed(args.seed)
    mlp, stage1 = build_network()
    group2ctx = {"stage1": mx.cpu(0), "stage2": mx.gpu(0)}
    show_placement(mlp, stage1, group2ctx)
    try:
        mlp.simple_bind([mx.gpu(0), mx.gpu(1)], data=(4, 200))
    except mx.MXNetError as error:
        print(f"simple_bind on a list of devices: {error}")
    losses = train(mlp, group2ctx, args.steps)
    print(f"loss {losses[0]:.3f} at first, {losses[-1]:.3f} after {args.steps} steps")


if __name__ == "__main__":
    main()
