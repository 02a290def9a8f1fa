"""``Executor.debug_str``: the graph of forward and backward, and the memory that is planned for it.

The names and figures were printed by the original.
"""

import json

import memory_plan_cases as memory_plans
import pytest

import mxnet as mx

PLANS = json.loads(memory_plans.FILE.read_text())


def chain(marks=()):
    x = mx.sym.var("data")
    for i in range(6):
        x = mx.sym.FullyConnected(x, num_hidden=1024, name=f"f{i}")
        if marks:
            x._set_attr(force_mirroring=marks[2 * i])
        x = mx.sym.Activation(x, act_type="tanh", name=f"r{i}")
        if marks:
            x._set_attr(force_mirroring=marks[2 * i + 1])
    return mx.sym.SoftmaxOutput(x, name="sm")


def lines_of(symbol, **shapes):
    return symbol.simple_bind(mx.cpu(), **shapes).debug_str().split("\n")


def names(lines):
    return [line.split("Name=")[1] for line in lines if line.startswith("Op:")]


def test_the_text_ends_as_programs_read_it():
    lines = lines_of(chain(), data=(4096, 1024))
    assert lines[-3] == "Total 224 MB allocated" and int(lines[-3].split()[1]) == 224
    assert lines[-2] == "Total 11 TempSpace resource requested" and lines[-1] == ""


def test_the_cost_follows_what_is_mirrored():
    shape = (4096, 1024)
    plans = {
        ("True",) * 12: 224,
        ("False",) * 12: 224,
        ("True", "True", "True", "False") * 3: 144,
        ("True", "True", "True", "True", "True", "False") * 2: 144,
        ("True", "True", "False", "False") * 3: 176,
    }
    for marks, cost in plans.items():
        assert lines_of(chain(marks), data=shape)[-3] == f"Total {cost} MB allocated", marks
    assert lines_of(chain(), data=shape, grad_req="null")[-3] == "Total 32 MB allocated"


def test_what_is_computed_again_is_listed_where_it_is_needed():
    found = names(lines_of(chain(("True", "True", "True", "False") * 3), data=(4, 1024)))
    first = found.index("sm_backward")
    assert found[first : first + 8] == [
        *("sm_backward", "r5_backward", "f4_mirror", "r4_mirror", "f5_mirror"),
        *("f5_mirror_backward", "r4_mirror_backward", "f4_mirror_backward"),
    ]


def test_backward_is_listed():
    x = mx.sym.Convolution(mx.sym.var("data"), num_filter=8, kernel=(3, 3), name="c1")
    x = mx.sym.Activation(mx.sym.BatchNorm(x, name="b1"), act_type="relu", name="r1")
    x = mx.sym.Dropout(mx.sym.Pooling(x, kernel=(2, 2), name="p1"), name="dr")
    x = mx.sym.make_loss(mx.sym.broadcast_add(x, x, name="ba").sum(name="su"), name="ml")
    lines = lines_of(x, data=(4, 3, 32, 32))
    assert lines[1:7] == [
        "\toutput[0]=ml(0)",
        *(f"\toutput[{i + 1}]=c1_backward({i})" for i in range(3)),
        *(f"\toutput[{i + 3}]=b1_backward({i})" for i in (1, 2)),
    ]
    assert names(lines) == [
        *("c1", "b1", "r1", "p1", "dr", "ba", "su", "ml", "ml_backward", "su_backward", "ba_backward", "sum_grad"),
        *("dr_backward", "zeros_without_dtype", "p1_backward", "r1_backward", "b1_backward", "c1_backward"),
    ]
    start = lines.index("Op:_backward_BatchNorm, Name=b1_backward")
    assert lines[start : start + 12] == [
        "Op:_backward_BatchNorm, Name=b1_backward",
        "Inputs:",
        "\targ[0]=r1_backward(0)",
        "\targ[1]=b1(1)",
        "\targ[2]=b1(2)",
        "\targ[3]=c1(0)",
        "\targ[4]=b1_gamma(0) version=0",
        "\targ[5]=b1_beta(0) version=0",
        "\targ[6]=b1_moving_mean(0) version=1",
        "\targ[7]=b1_moving_var(0) version=1",
        "Control deps:",
        "\tcdep[0]=b1",
    ]


def residual(keep=()):
    x = mx.sym.var("data")
    for i in range(4):
        y = mx.sym.Convolution(x, num_filter=64, kernel=(3, 3), pad=(1, 1), name=f"c{i}", no_bias=True)
        y = mx.sym.Activation(mx.sym.BatchNorm(y, name=f"b{i}"), act_type="relu", name=f"r{i}")
        x = y if i == 0 else x + y
    x = mx.sym.Pooling(x, global_pool=True, kernel=(1, 1), pool_type="avg", name="gp")
    net = mx.sym.SoftmaxOutput(mx.sym.FullyConnected(x, num_hidden=10, name="fc"), name="sm")
    for part in net.get_internals() if keep else ():
        if part.get_children() is not None:
            part._set_attr(force_mirroring=str(part.name not in keep))
    return net


def test_the_cost_of_a_residual_network():
    for keep, cost in (((), 384), (("none",), 384), (("c0", "c1", "c2", "c3"), 416), (("b0", "b1", "b2", "b3"), 384)):
        assert lines_of(residual(keep), data=(8, 64, 128, 128))[-3] == f"Total {cost} MB allocated", keep


def test_every_gradient_is_listed_by_a_head_that_is_no_loss():
    lines = lines_of(mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="f"), data=(3, 4))
    assert names(lines) == ["f", "_head_grad_0_id", "f_backward"]


@pytest.mark.parametrize("name", memory_plans.NETS)
def test_the_cost_of_many_networks_and_plans(name):
    for plan, recorded in PLANS[name].items():
        cost = memory_plans.megabytes(mx, name, plan)
        assert abs(cost - recorded) <= max(0.1 * recorded, 1), (plan, cost, recorded)


def test_the_cost_of_most_networks_is_the_originals_to_the_megabyte():
    plain = {name: memory_plans.megabytes(mx, name, "plain") for name in ("lstm 60", "gru 20", "unet", "text cnn")}
    assert plain == {name: PLANS[name]["plain"] for name in plain}


def blocks(symbol, **shapes):
    """Each operator with what it takes and what it waits for."""
    found = {}
    for block in "\n".join(lines_of(symbol, **shapes)).split("--------------------\n")[1:]:
        lines = block.split("\n")
        name = lines[0].split("Name=")[1]
        found[name] = [line.strip().split("=")[1].split(" ")[0] for line in lines if "arg[" in line or "cdep[" in line]
    return found


def test_many_gradients_of_one_value_are_added_one_by_one():
    x, y = mx.sym.var("x"), mx.sym.var("y")
    for i in range(9):
        y = mx.sym.tanh(mx.sym.broadcast_mul(y, x, name=f"m{i}"), name=f"t{i}")
    found = blocks(mx.sym.make_loss(y, name="loss"), x=(4, 4), y=(4, 4))
    assert found["sum_grad_1"] == ["m8_backward(1)", "m7_backward(1)"]
    assert found["sum_grad_8"] == ["sum_grad_7(0)", "m0_backward(1)"]
    assert found["sum_grad_final"] == ["sum_grad_8(0)"]
    assert found["m7_backward"] == ["t7_backward(0)", "t6(0)", "x(0)", "m7", "m8_backward"]
    assert found["m0_backward"] == ["t0_backward(0)", "y(0)", "x(0)", "m0", "sum_grad_7"]


def test_a_gradient_does_not_wait_for_what_needs_it():
    """The original does not return from binding this."""
    x = mx.sym.var("x")
    parts = [mx.sym.elemwise_add(x, mx.sym.var(f"a{i}"), name=f"c{i}") for i in range(9)]
    y = mx.sym.tanh(parts[8], name="t8")
    for i in range(7, -1, -1):
        y = mx.sym.tanh(mx.sym.elemwise_add(parts[i], y, name=f"z{i}"), name=f"t{i}")
    symbol = mx.sym.make_loss(y, name="loss")
    lines = lines_of(symbol, **dict.fromkeys(symbol.list_arguments(), (4, 4)))
    order = names(lines)
    assert len(order) == len(set(order)) and [order.index(f"t{i}_backward") for i in range(9)] == sorted(
        order.index(f"t{i}_backward") for i in range(9)
    )
    assert order.index("sum_grad_1") > order.index("t8_backward")


def test_leaky_rectifiers_are_mirrored_unless_they_draw_random_numbers():
    def listed(kind):
        x = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="f")
        x = mx.sym.LeakyReLU(x, act_type=kind, name="r")
        x._set_attr(force_mirroring="True")
        return names(lines_of(mx.sym.make_loss(x[0]), data=(2, 4)))

    assert "r_mirror" in listed("leaky") and "r_mirror" in listed("gelu")
    assert "r_mirror" not in listed("rrelu")


def test_the_gradient_of_a_mirrored_leaky_rectifier():
    def gradient(mirrored):
        x = mx.sym.LeakyReLU(mx.sym.var("data") * 2, act_type="elu", slope=0.3, name="r")
        x._set_attr(force_mirroring=mirrored)
        bound = mx.sym.make_loss(mx.sym.tanh(x * x)).simple_bind(mx.cpu(), data=(5,))
        bound.arg_dict["data"][:] = mx.nd.array([-2, -0.5, 0, 0.25, 1])
        bound.forward(is_train=True)
        bound.backward()
        return bound.grad_dict["data"].asnumpy().tolist()

    assert gradient("True") == gradient("False")
