"""Torch modules in Gluon networks and Gluon networks in torch: shared parameters, gradients, modes, files, training."""

import copy
import pathlib
import pickle

import numpy as np
import pytest
import torch

import mxnet as mx
from mxnet import autograd, gluon, nd
from mxnet.gluon import nn
from mxnet.gluon.contrib.torch_block import TorchBlock

RNG = np.random.default_rng(5)


def array(*shape):
    return RNG.normal(size=shape).astype("float32")


def same(one, other, **kwargs):
    as_numpy = [v.asnumpy() if isinstance(v, nd.NDArray) else torch.as_tensor(v).detach().numpy() for v in (one, other)]
    np.testing.assert_allclose(*as_numpy, rtol=1e-5, atol=1e-6, **kwargs)


def digits(count=600):
    path = pathlib.Path(mx.__file__).parent / "data" / "digits.npz"
    with np.load(path) as data:
        images, labels = data["train_images"][:count], data["train_labels"][:count]
    return (images.reshape(count, -1) / 255).astype("float32"), labels.astype("int64")


def perceptron():
    return torch.nn.Sequential(torch.nn.Linear(6, 5), torch.nn.BatchNorm1d(5), torch.nn.Tanh(), torch.nn.Linear(5, 3))


def parameter(block, name):
    return block._collect_params_with_prefix()[name]


# ---- torch modules as blocks ---------------------------------------------------------------------------------


def test_values_and_gradients_are_those_of_the_module():
    module = perceptron()
    alone = copy.deepcopy(module)
    block = TorchBlock(module, prefix="t_")
    assert sorted(block.collect_params()) == sorted("t_" + n.replace(".", "_") for n in module.state_dict())
    x = array(4, 6)
    data = nd.array(x)
    data.attach_grad()
    with autograd.record():
        out = block(data)
        loss = (out * out).sum()
    loss.backward()
    given = torch.tensor(x, requires_grad=True)
    wanted = alone(given)
    wanted.pow(2).sum().backward()
    same(out, wanted)
    same(data.grad, given.grad)
    for (name, mine), other in zip(module.named_parameters(), alone.parameters(), strict=True):
        same(mine.grad, other.grad, err_msg=name)
        same(parameter(block, name).grad(), other.grad, err_msg=name)
    for name, buffer in alone.named_buffers():
        same(parameter(block, name).data(), buffer, err_msg=name)
    assert parameter(block, "1.num_batches_tracked").data().asscalar() == 1
    same(block(data), alone.eval()(given))


def test_memory_is_shared_and_not_copied():
    module = torch.nn.Linear(3, 2)
    block = TorchBlock(module)
    weight = parameter(block, "weight")
    assert weight.data()._data.data_ptr() == module.weight.data_ptr()
    weight.set_data(nd.ones((2, 3)))
    same(module.weight, torch.ones(2, 3))
    with torch.no_grad():
        module.weight.fill_(7)
    same(weight.data(), torch.full((2, 3), 7.0))
    x = nd.array(array(4, 3))
    for _ in range(2):
        with autograd.record():
            out = block(x)
        out.backward()
        assert module.weight.grad.data_ptr() == weight.grad()._data.data_ptr()
        assert weight.data()._data.data_ptr() == module.weight.data_ptr()


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_a_trainer_trains_the_module(optimizer):
    module, other = perceptron(), perceptron()
    if optimizer == "adam":  # which makes much of the rounding that is all the gradient of a bias before batch norm
        module[1], other[1] = torch.nn.Identity(), torch.nn.Identity()
    other.load_state_dict(module.state_dict())
    block = TorchBlock(module)
    rate = {"learning_rate": 0.05}
    trainer = gluon.Trainer(block.collect_params(), optimizer, rate)
    reference = {"sgd": torch.optim.SGD, "adam": torch.optim.Adam}[optimizer](other.parameters(), lr=0.05)
    x, y = array(8, 6), array(8, 3)
    for _ in range(5):
        with autograd.record():
            loss = nd.mean((block(nd.array(x)) - nd.array(y)) ** 2)
        loss.backward()
        trainer.step(1)
        reference.zero_grad()
        torch.nn.functional.mse_loss(other(torch.tensor(x)), torch.tensor(y)).backward()
        reference.step()
    for name, value in other.state_dict().items():
        np.testing.assert_allclose(module.state_dict()[name], value, rtol=1e-3, atol=1e-4, err_msg=name)


def test_grad_req():
    block = TorchBlock(torch.nn.Linear(3, 2))
    module, weight = block.module, parameter(block, "weight")
    x = nd.array(array(4, 3))

    def run():
        with autograd.record():
            out = block(x)
        out.backward()
        return weight.grad().asnumpy()

    first = run()
    same(run(), first)
    weight.grad_req = "add"
    same(run(), first)
    same(run(), 2 * first)
    same(module.weight.grad, 2 * first)
    block.collect_params().zero_grad()
    same(module.weight.grad, 0 * first)
    module.zero_grad()  # torch forgets, "add" goes on
    same(run(), first)
    weight.grad_req = "null"
    with autograd.record():
        out = block(x)
    out.backward()
    assert module.weight.requires_grad is False
    with pytest.raises(mx.MXNetError, match="grad_req='null'"):
        weight.grad()
    module.weight.requires_grad_(True)  # and torch may say so too
    block(x)
    assert weight.grad_req == "write"
    same(run(), first)
    module.bias.requires_grad_(False)
    run()
    assert parameter(block, "bias").grad_req == "null"


def test_gradients_accumulate_by_the_rules_of_who_runs_backward():
    net = nn.Dense(2, in_units=3)
    net.initialize()
    module = net.as_torch()
    x = torch.tensor(array(4, 3))
    module(x).sum().backward()
    once = module.weight.grad.clone()
    module(x).sum().backward()
    same(module.weight.grad, 2 * once)  # torch adds
    same(net.weight.grad(), 2 * once)
    with autograd.record():
        out = net(nd.array(x.numpy()))
    out.backward()
    same(net.weight.grad(), once)  # grad_req is 'write'
    same(module.weight.grad, once)


def test_modes():
    class Modes(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.part = torch.nn.Dropout(0.5)
            self.seen = []

        def forward(self, x):
            self.seen.append((self.training, self.part.training))
            return x * 2

    module = Modes()
    block = TorchBlock(module)
    x = nd.ones((2, 2))
    block(x)
    with autograd.record():
        block(x)
    with autograd.record(train_mode=False):
        block(x)
    with autograd.train_mode():
        block(x)
    assert module.seen == [(False, False), (True, True), (False, False), (True, True)]
    module.part.eval()  # frozen: stays so
    block(x)
    with autograd.train_mode():
        block(x)
    assert module.seen[-2:] == [(False, False), (True, False)]


def test_several_inputs_and_outputs():
    class Mixed(torch.nn.Module):
        def forward(self, pair, scale, named):
            x, y = pair
            return [x + y, (x * scale, None)], {"product": x * y, "named": named["z"].long()}

    block = TorchBlock(Mixed())
    x, y, z = nd.array([1.0, 2]), nd.array([3.0, 4]), nd.array([5.0, 6])
    x.attach_grad()
    with autograd.record():
        (total, (scaled, nothing)), rest = block((x, y), 3, {"z": z})
        loss = total + scaled + rest["product"]
    loss.backward()
    same(total, [4.0, 6])
    same(scaled, [3.0, 6])
    same(rest["product"], [3.0, 8])
    assert nothing is None and rest["named"].dtype == np.int64
    same(x.grad, [7.0, 8])


def test_results_do_not_share_memory_with_inputs():
    for module in (torch.nn.Identity(), torch.nn.Flatten()):
        block = TorchBlock(module)
        x = nd.ones((2, 3))
        out = block(x)
        out[:] = 5
        same(x, np.ones((2, 3)))
        x.attach_grad()
        with autograd.record():
            out = block(x) * 2
        out.backward()
        same(x.grad, np.full((2, 3), 2.0))


def test_torch_inputs_and_other_objects_are_refused():
    block = TorchBlock(torch.nn.Linear(3, 2))
    with pytest.raises(TypeError, match="takes NDArrays, got a Tensor"):
        block(torch.ones(2, 3))
    with pytest.raises(TypeError, match="takes NDArrays, got a Symbol"):
        block(mx.sym.var("data"))
    with pytest.raises(TypeError, match=r"takes a torch\.nn\.Module, got Dense"):
        TorchBlock(nn.Dense(3))
    with pytest.raises(ValueError, match="no shape yet"):
        TorchBlock(torch.nn.LazyLinear(3))
    net = nn.HybridSequential()
    with pytest.raises(ValueError, match="must also be HybridBlock"):
        net.add(block)
    dense = nn.Dense(2, in_units=3)
    dense.initialize()
    with pytest.raises(TypeError, match="takes Tensors, got a NDArray"):
        dense.as_torch()(nd.ones((2, 3)))


def test_initialize_keeps_the_values_of_the_module():
    module = perceptron()
    before = copy.deepcopy(module.state_dict())
    net = nn.Sequential()
    net.add(TorchBlock(module), nn.Dense(2))
    net.initialize(mx.init.One())
    for name, value in module.state_dict().items():
        same(value, before[name])
    net.initialize(mx.init.Constant(3), force_reinit=True)
    net(nd.ones((2, 6)))
    same(module[0].weight, torch.full((5, 6), 3.0))
    same(module[1].running_var, before["1.running_var"])  # states stay


def test_cast():
    module = perceptron()
    block = TorchBlock(module)
    block.cast("float64")
    assert module[0].weight.dtype is torch.float64 and module[1].num_batches_tracked.dtype is torch.int64
    weight = parameter(block, "0.weight")
    assert weight.dtype == np.float64 and weight.data().dtype == np.float64
    x = nd.array(array(4, 6), dtype="float64")
    with autograd.record():
        out = block(x)
    out.backward()
    assert out.dtype == np.float64 and module[0].weight.grad.dtype is torch.float64
    assert weight.data()._data.data_ptr() == module[0].weight.data_ptr()
    module.float()  # torch's way round
    assert block(nd.ones((2, 6))).dtype == np.float32
    assert weight.dtype == np.float32


def test_contexts():
    module = perceptron()
    block = TorchBlock(module)
    x = array(8, 6)
    wanted = block(nd.array(x))
    block.collect_params().reset_ctx(mx.cpu(1))
    with pytest.raises(mx.MXNetError, match=r"not initialized on context cpu\(0\)"):
        block(nd.array(x))
    out = block(nd.array(x, ctx=mx.cpu(1)))
    assert out.context == mx.cpu(1)
    same(out, wanted)
    weight = parameter(block, "0.weight")
    assert weight.data(mx.cpu(1))._data.data_ptr() == module[0].weight.data_ptr()


def test_training_on_several_contexts():
    contexts = [mx.cpu(0), mx.cpu(1)]
    module, other = perceptron(), perceptron()
    module[1], other[1] = torch.nn.Identity(), torch.nn.Identity()  # batch norm sees its own half only
    other.load_state_dict(module.state_dict())
    block = TorchBlock(module)
    block.initialize(ctx=contexts)
    trainer = gluon.Trainer(block.collect_params(), "sgd", {"learning_rate": 0.1})
    reference = torch.optim.SGD(other.parameters(), lr=0.1)
    x = array(8, 6)
    for _ in range(3):
        with autograd.record():
            losses = [(block(part) ** 2).sum() for part in gluon.utils.split_and_load(x, contexts)]
        autograd.backward(losses)
        trainer.step(8)
        reference.zero_grad()
        (other(torch.tensor(x)).pow(2).sum() / 8).backward()
        reference.step()
    for name, value in other.state_dict().items():
        same(module.state_dict()[name], value, err_msg=name)
        for context in contexts:
            same(parameter(block, name).data(context), value, err_msg=name)


def test_batch_norm_on_several_contexts_keeps_states_of_each():
    contexts = [mx.cpu(0), mx.cpu(1)]
    block = TorchBlock(torch.nn.BatchNorm1d(3))
    block.initialize(ctx=contexts)
    with autograd.record():
        for i, context in enumerate(contexts):
            block(nd.array(array(5, 3) + 10 * i, ctx=context))
    mean = parameter(block, "running_mean")
    assert abs(mean.data(contexts[0]).asnumpy()).max() < 0.5 < mean.data(contexts[1]).asnumpy().min()
    assert [parameter(block, "num_batches_tracked").data(c).asscalar() for c in contexts] == [1, 1]


@pytest.mark.parametrize("ending", ["params", "safetensors"])
def test_files(tmp_path, ending):
    def network():
        net = nn.Sequential()
        net.add(TorchBlock(perceptron()), nn.Dense(2, in_units=3), TorchBlock(torch.nn.Linear(2, 2)))
        net.initialize()
        return net

    net, other = network(), network()
    x = nd.array(array(4, 6))
    with autograd.train_mode():
        net(x)  # states differ from their first values
    path = str(tmp_path / f"net.{ending}")
    net.save_parameters(path)
    assert "0.1.num_batches_tracked" in nd.load(path)
    other.load_parameters(path)
    same(other(x), net(x))
    assert int(other[0].module[1].num_batches_tracked) == 1
    single, more = TorchBlock(torch.nn.Linear(3, 2)), TorchBlock(torch.nn.Linear(3, 2))
    single.save_parameters(path)
    more.load_parameters(path)
    same(more.module.weight, single.module.weight)


def test_copies_and_pickles_share_anew():
    block = TorchBlock(perceptron())
    x = nd.array(array(4, 6))
    again = pickle.loads(pickle.dumps(block))
    same(again(x), block(x))
    parameter(again, "3.bias").set_data(nd.array([1.0, 2, 3]))
    same(again.module[3].bias, [1.0, 2, 3])
    assert again.module[3].bias.data_ptr() != block.module[3].bias.data_ptr()


def test_the_module_may_replace_its_tensors():
    module = torch.nn.BatchNorm1d(3)
    block = TorchBlock(module)
    module.weight = torch.nn.Parameter(torch.full((3,), 2.0))
    module.running_mean = torch.full((3,), 5.0)
    x = array(4, 3)
    with autograd.record(train_mode=False):
        out = block(nd.array(x))
    out.backward()
    same(parameter(block, "weight").data(), [2.0, 2, 2])
    same(parameter(block, "running_mean").data(), [5.0, 5, 5])
    same(parameter(block, "weight").grad(), module.weight.grad)
    del module.bias
    with pytest.raises(ValueError, match="bias is no longer part of the module"):
        block(nd.array(x))


def test_one_module_in_two_blocks_is_one_set_of_parameters():
    module = torch.nn.Linear(3, 3)
    net = nn.Sequential()
    net.add(TorchBlock(module), TorchBlock(module))
    assert len(net.collect_params()) == 2
    x = array(2, 3)
    with autograd.record():
        out = net(nd.array(x))
    out.backward()
    alone = copy.deepcopy(module)
    alone.zero_grad()
    alone(alone(torch.tensor(x))).sum().backward()
    same(parameter(net, "1.weight").grad(), alone.weight.grad)
    gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0}).step(1)
    same(module.weight, alone.weight - alone.weight.grad)


# ---- blocks as torch modules -----------------------------------------------------------------------------------


def gluon_network(hybrid):
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(5, in_units=6), nn.BatchNorm(in_channels=5), nn.Activation("tanh"), nn.Dense(3, in_units=5))
    net.initialize(mx.init.Xavier())
    if hybrid:
        net.hybridize()
    return net


def torch_twin(net):
    """The same network in torch alone."""
    twin = perceptron()
    twin[1].eps, twin[1].momentum = 1e-5, 0.1
    names = {"gamma": "weight", "beta": "bias"}
    with torch.no_grad():
        for name, param in net._collect_params_with_prefix().items():
            place, last = name.split(".")
            getattr(twin[int(place)], names.get(last, last)).copy_(torch.tensor(param.data().asnumpy()))
    return twin


@pytest.mark.parametrize("hybrid", [False, True])
def test_gradients_are_those_of_torch(hybrid):
    net = gluon_network(hybrid)
    module, twin = net.as_torch(), torch_twin(net)
    assert list(module.state_dict()) == list(net._collect_params_with_prefix())
    assert [n for n, _ in module.named_buffers()] == ["1.running_mean", "1.running_var"]
    x, other = (torch.tensor(array(8, 6), requires_grad=True) for _ in range(2))
    with torch.no_grad():
        other.copy_(x)
    out, wanted = module(x), twin(other)
    out.pow(2).sum().backward()
    wanted.pow(2).sum().backward()
    np.testing.assert_allclose(out.detach(), wanted.detach(), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(x.grad, other.grad, rtol=1e-3, atol=1e-4)
    for mine, theirs in zip(module.parameters(), twin.parameters(), strict=True):
        np.testing.assert_allclose(mine.grad, theirs.grad, rtol=1e-3, atol=1e-4)
    for param, mine in zip(net._collect_params_with_prefix().values(), module.state_dict().values(), strict=True):
        assert param.data()._data.data_ptr() == mine.data_ptr()
    same(module.state_dict()["1.running_mean"], twin[1].running_mean)
    same(net[0].weight.grad(), module.get_parameter("0.weight").grad)
    module.eval(), twin.eval()
    with torch.no_grad():
        # torch's moving average is that of the unbiased variance
        twin[1].running_var.copy_(module.get_buffer("1.running_var"))
        np.testing.assert_allclose(module(x), twin(x), rtol=1e-3, atol=1e-4)
        assert not module(x).requires_grad


@pytest.mark.parametrize("hybrid", [False, True])
def test_a_torch_optimizer_changes_the_block_and_a_trainer_the_module(hybrid):
    net = gluon_network(hybrid)
    module = net.as_torch()
    x = array(8, 6)
    before = net(nd.array(x)).asnumpy()  # folded weights of before must not be used again
    optimizer = torch.optim.Adam(module.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        module(torch.tensor(x)).pow(2).sum().backward()
        optimizer.step()
    after = net(nd.array(x))
    assert abs(after.asnumpy() - before).max() > 0.1
    with torch.no_grad():
        same(after, module.eval()(torch.tensor(x)))
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    with autograd.record():
        loss = (net(nd.array(x)) ** 2).sum()
    loss.backward()
    weight = module.get_parameter("0.weight")
    wanted = weight.detach() - 0.1 * weight.grad
    trainer.step(1)
    same(weight, wanted)
    with torch.no_grad():
        same(net(nd.array(x)), module(torch.tensor(x)))


@pytest.mark.parametrize("hybrid", [False, True])
def test_shapes_that_are_not_known_yet(hybrid):
    net = nn.HybridSequential()
    net.add(nn.Dense(4), nn.BatchNorm(), nn.Dense(2))
    with pytest.raises(mx.MXNetError, match=r"call initialize\(\) before as_torch\(\)"):
        net.as_torch()
    net.initialize()
    if hybrid:
        net.hybridize()
    module = net.as_torch()
    first = next(module.parameters())
    assert torch.nn.parameter.is_lazy(first)
    x = torch.tensor(array(3, 5))
    module(x).sum().backward()
    assert first.shape == (4, 5) and first.grad is not None and not torch.nn.parameter.is_lazy(first)
    assert first is next(module.parameters()) and net[0].weight.data()._data.data_ptr() == first.data_ptr()
    assert abs(module.get_buffer("1.running_mean")).sum() > 0  # the run for the shapes was none of training
    torch.optim.SGD(module.parameters(), lr=0.1).step()
    with torch.no_grad():
        same(module.eval()(x), net(nd.array(x.numpy())))


def test_moves_and_casts_of_the_module_reach_the_block():
    net = gluon_network(False)
    module = net.as_torch().double()
    assert net[0].weight.dtype == np.float64 and net[1].running_mean.data().dtype == np.float64
    x = torch.tensor(array(4, 6), dtype=torch.float64)
    module(x).sum().backward()
    assert net[0].weight.grad().dtype == np.float64
    same(module.eval()(x), net(nd.array(x.numpy(), dtype="float64")))
    assert module.get_buffer("1.running_var").data_ptr() == net[1].running_var.data()._data.data_ptr()
    net.cast("float32")
    assert module(x.float()).dtype is torch.float32
    assert module.get_parameter("0.weight").dtype is torch.float32


def test_state_dicts():
    net, other = gluon_network(False), gluon_network(True)
    module = other.as_torch()
    module.load_state_dict(net.as_torch().state_dict())
    x = nd.array(array(4, 6))
    same(net(x), other(x))
    assert net.as_torch().get_parameter("0.weight") is net.as_torch().get_parameter("0.weight")


def test_copies_of_the_module_share_with_copies_of_the_block():
    net = nn.Sequential()
    net.add(nn.Dense(4, in_units=3), nn.BatchNorm(in_channels=4), TorchBlock(torch.nn.Linear(4, 2)))
    net.initialize()
    module = net.as_torch()
    x = torch.tensor(array(5, 3))
    for again in (copy.deepcopy(module), pickle.loads(pickle.dumps(module))):
        wanted = module.eval()(x)
        same(again.eval()(x), wanted)
        again.train()(x).sum().backward()
        torch.optim.SGD(again.parameters(), lr=1.0).step()
        assert abs(again(x) - wanted).max() > 0.1
        same(module(x), wanted)
        same(again._block[2].module.weight, again.get_parameter("2.weight"))


def test_a_first_run_in_gluon_tells_shapes_too():
    net = nn.Dense(2)
    net.initialize()
    module = net.as_torch()
    out = net(nd.ones((1, 3)))
    same(module(torch.ones(1, 3)), out)
    assert module.get_parameter("weight").shape == (2, 3)


def test_shared_and_frozen_parameters():
    net = nn.Sequential()
    first = nn.Dense(4, in_units=4)
    net.add(first, nn.Dense(4, in_units=4, params=first.params))
    net.initialize()
    module = net.as_torch()
    assert len(list(module.parameters())) == 2
    module.get_parameter("0.bias").requires_grad_(False)
    module(torch.ones(2, 4)).sum().backward()
    assert first.bias.grad_req == "null" and first.weight.grad_req == "write"
    first.bias.grad_req = "write"
    module(torch.ones(2, 4)).sum().backward()
    assert module.get_parameter("0.bias").grad is not None


def test_names_that_torch_has_taken():
    class Odd(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.half = nn.Dense(2, in_units=3)
            self.hidden = self.params.get("float", shape=(2,), init="ones")

        def hybrid_forward(self, F, x, hidden):
            return self.half(x) + hidden

    net = Odd()
    net.initialize()
    module = net.as_torch()
    assert sorted(module.state_dict()) == ["half_.bias", "half_.weight", "hidden"]
    assert module(torch.ones(4, 3)).shape == (4, 2)


def test_second_derivatives_flow_through_both():
    block = nn.Dense(1, in_units=3, activation="tanh")
    block.initialize(mx.init.One())
    module = block.as_torch()
    x = torch.tensor(array(2, 3), requires_grad=True)
    (first,) = torch.autograd.grad(module(x).sum(), x, create_graph=True)
    first.pow(2).sum().backward()
    twin = torch.nn.Sequential(torch.nn.Linear(3, 1), torch.nn.Tanh())
    with torch.no_grad():
        twin[0].weight.fill_(1), twin[0].bias.fill_(0)
    other = x.detach().clone().requires_grad_()
    (first,) = torch.autograd.grad(twin(other).sum(), other, create_graph=True)
    first.pow(2).sum().backward()
    np.testing.assert_allclose(x.grad, other.grad, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(module.get_parameter("weight").grad, twin[0].weight.grad, rtol=1e-4, atol=1e-5)


# ---- real training ---------------------------------------------------------------------------------------------


def mixed_network():
    """A torch layer in a Gluon network, to be put into a torch one."""
    net = nn.Sequential()
    net.add(TorchBlock(torch.nn.Sequential(torch.nn.Linear(784, 32), torch.nn.BatchNorm1d(32))), nn.LeakyReLU(0.1))
    net.add(nn.Dense(10))
    net.initialize(mx.init.Xavier())
    return net


def test_gluon_trains_a_mixed_network_on_digits():
    x, y = digits()
    torch.manual_seed(1)
    mx.random.seed(1)
    net = mixed_network()
    net(nd.zeros((1, 784)))
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    for _ in range(8):
        for start in range(0, len(x), 100):
            part = slice(start, start + 100)
            with autograd.record():
                loss = loss_of(net(nd.array(x[part])), nd.array(y[part]))
            loss.backward()
            trainer.step(100)
    assert (net(nd.array(x)).asnumpy().argmax(1) == y).mean() > 0.95


def test_torch_trains_a_mixed_network_on_digits():
    x, y = digits()
    torch.manual_seed(1)
    mx.random.seed(1)
    model = torch.nn.Sequential(mixed_network().as_torch(), torch.nn.LogSoftmax(dim=1))
    inputs, labels = torch.tensor(x), torch.tensor(y)
    model(inputs[:2])  # shapes
    assert len(list(model.parameters())) == 6
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(8):
        for data, label in zip(inputs.split(100), labels.split(100), strict=True):
            optimizer.zero_grad()
            torch.nn.functional.nll_loss(model(data), label).backward()
            optimizer.step()
    model.eval()
    with torch.no_grad():
        assert (model(inputs).argmax(1) == labels).float().mean() > 0.95
        plain = torch.nn.Sequential(TorchBlock(model).module[0], model[1])
        same(plain(inputs), model(inputs))
