"""Symbol files as older versions wrote them, made up from what is known of them; read by both MXNets.

Before 0.9 operators kept attributes under "param" and users' ones under "attr", references had two numbers, auxiliary
states were not listed and there was no version. 0.9 to 1.2 wrote "attr", 1.3 and later "attrs".
"""

import json


def node(op, name, inputs=(), **groups):
    item = {"op": op, "name": name, "inputs": [list(i) for i in inputs]}
    item.update(groups)
    return item


def var(name, **groups):
    return node("null", name, **groups)


def graph(nodes, heads=None, version=None, rows=True, **more):
    whole = {"nodes": nodes, "arg_nodes": [i for i, n in enumerate(nodes) if n["op"] == "null"]}
    width = len(nodes[-1]["inputs"][0]) if nodes[-1]["inputs"] else 3
    whole["heads"] = heads or [[len(nodes) - 1, 0, 0][:width]]
    if rows:
        whole["node_row_ptr"] = list(range(len(nodes) + 1))
    if version:
        whole["attrs"] = {"mxnet_version": ["int", version]}
    whole.update(more)
    return json.dumps(whole, ensure_ascii=False)


def mlp08(**more):
    """A perceptron as 0.7 and 0.8 wrote it."""
    fc1 = {"no_bias": "False", "num_hidden": "8"}
    return [
        dict(var("data"), param={}, backward_source_id=-1),
        dict(var("fc1_weight"), param={}, backward_source_id=-1),
        dict(var("fc1_bias"), param={}, backward_source_id=-1),
        dict(node("FullyConnected", "fc1", [(0, 0), (1, 0), (2, 0)], param=fc1, backward_source_id=-1), **more),
        dict(node("Activation", "relu1", [(3, 0)], param={"act_type": "relu"}), backward_source_id=-1),
        dict(var("softmax_label"), param={}, backward_source_id=-1),
        dict(
            node("Softmax", "softmax", [(4, 0), (5, 0)]),
            param={
                "grad_scale": "1",
                "ignore_label": "-1",
                "multi_output": "False",
                "normalization": "null",
                "use_ignore": "False",
            },
            backward_source_id=-1,
        ),
    ]


def fc(version, key="attr", width=3, variable=None, **attrs):
    """A single layer with these attributes; ``variable`` are those of its weight."""
    inputs = [(i, 0, 0)[:width] for i in range(3)]
    attrs = dict({"num_hidden": "4"}, **attrs)
    weight = var("fc_weight", **({key: variable} if variable else {}))
    nodes = [var("data"), weight, var("fc_bias"), node("FullyConnected", "fc", inputs, **{key: attrs})]
    return graph(nodes, version=version)


def unary(op, version, key="attr", **attrs):
    return graph([var("data"), node(op, "op", [(0, 0, 0)], **({key: attrs} if attrs else {}))], version=version)


def binary(op, version, key="attr", **attrs):
    nodes = [var("a"), var("b"), node(op, "op", [(0, 0, 0), (1, 0, 0)], **({key: attrs} if attrs else {}))]
    return graph(nodes, version=version)


def short(op, version, given=1, heads=None, key="attr", **attrs):
    """A node that lists only its first inputs."""
    names = ["data", "bn_gamma", "bn_beta", "bn_moving_mean", "bn_moving_var"][:given]
    inputs = [(i, 0, 0) for i in range(given)]
    return graph([var(n) for n in names] + [node(op, "bn", inputs, **{key: attrs})], heads=heads, version=version)


VERSIONS = (None, 800, 803, 900, 903, 904, 905, 1000, 1001, 10000, 10100, 10200, 10300, 10500, 10800, 10900, 10901)

CASES = {
    "mlp08": graph(mlp08(), rows=False),
    "mlp08_attr": graph(mlp08(attr={"ctx_group": "stage1", "lr_mult": "0.2", "weight_wd_mult": "3"}), rows=False),
    "mlp08_own": graph(mlp08(attr={"mood": "angry", "__kept__": "1"}), rows=False),
    "mlp08_heads": graph(mlp08(), heads=[[6, 0], [4, 0]], rows=False),
    "three_numbers": fc(900),
    "two_numbers": fc(10901, "attrs", 2),
    "no_version_attrs": fc(None, "attrs"),
    "no_version_attr": fc(None, "attr"),
    "no_version_param": fc(None, "param"),
    "both_keys": graph(
        [
            var("data", attr={"lr_mult": "1"}, attrs={"wd_mult": "2"}),
            node("relu", "r", [(0, 0, 0)], attr={"__a__": "1"}, attrs={"__b__": "2"}, param={}),
        ],
        version=10000,
    ),
    "old_numbers": graph(
        [
            var("data"),
            var("w"),
            node(
                "Convolution",
                "conv",
                [(0, 0), (1, 0)],
                param={
                    "cudnn_off": "False",
                    "cudnn_tune": "off",
                    "dilate": "(1,1)",
                    "kernel": "(3L,3L)",
                    "no_bias": "True",
                    "num_filter": "4",
                    "num_group": "1",
                    "pad": "(0,0)",
                    "stride": "(2L, 2L)",
                    "workspace": "512",
                },
            ),
        ],
        rows=False,
    ),
    "names": graph(
        [
            var("data"),
            node("_MulScalar", "m", [(0, 0)], param={"scalar": "2"}),
            node("_Plus", "p", [(0, 0), (1, 0)], param={}),
            node("ElementWiseSum", "s", [(1, 0), (2, 0)], param={"num_args": "2"}),
            node("Flatten", "f", [(3, 0)], param={}),
        ],
        rows=False,
    ),
    "wrong_rows": graph([var("x"), node("relu", "r", [(0, 0, 0)])], node_row_ptr=[0, 1, 7], version=10000),
    "unicode": graph([var("d\u00e9j\u00e0"), node("relu", "\u5c42", [(0, 0, 0)])], version=10100),
    "unknown_op": unary("CaffeOp", 905),
    "bad_json": '{"nodes": [',
    "no_nodes": '{"heads": [[0, 0]]}',
    "no_heads": json.dumps({"nodes": [var("x")], "arg_nodes": [0]}),
    "forward_reference": graph([node("relu", "r", [(1, 0, 0)]), var("x")], heads=[[0, 0, 0]], version=10901),
    "no_such_input": graph([var("x"), node("relu", "r", [(7, 0, 0)])], version=10901),
    "no_such_head": graph([var("x"), node("relu", "r", [(0, 0, 0)])], heads=[[9, 0, 0]], version=10901),
    "newer": fc(20000, "attrs"),
    "reshape": unary("Reshape", None, "param", target_shape="(2, 0)", keep_highest="False"),
    "embedding": graph(
        [
            var("data"),
            var("w"),
            node("Embedding", "e", [(0, 0), (1, 0)], param={"input_dim": "10", "output_dim": "4"}),
        ],
        rows=False,
    ),
    "only_data_08": graph([var("data"), node("FullyConnected", "fc", [(0, 0)], param={"num_hidden": "3"})], rows=False),
    "label_missing_08": graph([var("data"), node("SoftmaxOutput", "softmax", [(0, 0)], param={})], rows=False),
    "concat_missing_08": graph([var("data"), node("Concat", "c", [(0, 0)], param={"num_args": "3"})], rows=False),
    "bn_shared_gamma": graph(
        [var("data"), var("g"), node("BatchNorm", "bn", [(0, 0), (1, 0)], param={"fix_gamma": "False"})], rows=False
    ),
    "rnn_08": graph(
        [
            var("data"),
            var("p"),
            var("h"),
            var("c"),
            node(
                "RNN",
                "rnn",
                [(0, 0), (1, 0), (2, 0), (3, 0)],
                param={"mode": "lstm", "num_layers": "1", "state_size": "3"},
            ),
        ],
        rows=False,
    ),
}

for _version in VERSIONS:
    _tail = "@%s" % (_version or "none")
    CASES["lr_mult" + _tail] = fc(_version, lr_mult="0.5", wd_mult="2", ctx_group="dev1", mirror_stage="1")
    CASES["weight_lr_mult" + _tail] = fc(_version, weight_lr_mult="0.5", bias_wd_mult="0", data_lr_mult="3")
    CASES["unknown_attribute" + _tail] = fc(_version, mood="angry")
    CASES["unknown_attribute_no_parameters" + _tail] = unary("relu", _version, mood="angry")
    CASES["own_attribute" + _tail] = fc(_version, __mood__="angry", __lr_mult__="7")
    CASES["variable_lr_mult" + _tail] = fc(_version, variable={"lr_mult": "2", "__wd_mult__": "3", "mood": "x"})
    CASES["variable_init" + _tail] = fc(_version, variable={"init": '["zero", {}]', "__init__": '["one", {}]'})
    CASES["variable_number_init" + _tail] = fc(_version, variable={"__init__": "zeros", "__shape__": "(4, 0)"})
    CASES["argmax" + _tail] = unary("argmax", _version, axis="-1", keepdims="False")
    CASES["argmin_kept" + _tail] = unary("argmin", _version, axis="-1", keepdims="True")
    CASES["argmax_axis" + _tail] = unary("argmax", _version, axis="1")
    CASES["argmax_channel" + _tail] = unary("argmax_channel", _version)
    CASES["norm_data_only" + _tail] = short("BatchNorm", _version, 1, eps="0.001")
    CASES["norm_no_states" + _tail] = short("BatchNorm", _version, 3, momentum="0.9", fix_gamma="True")
    CASES["norm_v1" + _tail] = short("BatchNorm_v1", _version, 3)
    CASES["norm_full" + _tail] = short("BatchNorm", _version, 5)
    CASES["prelu" + _tail] = unary("LeakyReLU", _version, act_type="prelu", slope="0.25")
    CASES["sum_axis" + _tail] = unary("sum_axis", _version, axis="(1,)", keepdims="0")
    CASES["plus" + _tail] = binary("_plus", _version)
    CASES["dtype_text" + _tail] = unary("Cast", _version, dtype="float16")
    CASES["attrs_key" + _tail] = fc(_version, "attrs", weight_lr_mult="2", lr_mult="3")
    CASES["param_key" + _tail] = fc(_version, "param", weight_lr_mult="2", lr_mult="3")
    CASES["bilinear" + _tail] = unary("UpSampling", _version, scale="2", sample_type="nearest", num_args="1")
    CASES["pooling" + _tail] = unary("Pooling", _version, kernel="(2,2)", pool_type="max", stride="(2,2)")
    CASES["dropout" + _tail] = unary("Dropout", _version, p="0.5")
    CASES["zeros" + _tail] = graph([node("_zeros", "z", (), attr={"shape": "(2,3)"})], version=_version)


for _version in (None, 900, 904, 10000, 10901):
    _tail = "@%s" % (_version or "none")
    CASES["prelu_full" + _tail] = graph(
        [var("x"), var("g"), node("LeakyReLU", "op", [(0, 0, 0), (1, 0, 0)], attr={"act_type": "prelu"})],
        version=_version,
    )
    CASES["no_such_lr_mult" + _tail] = fc(_version, foo_lr_mult="2")
    CASES["inner_lr_mult" + _tail] = graph(
        [
            var("x"),
            node("relu", "r", [(0, 0, 0)], attr={"data_lr_mult": "5", "mood": "x", "lr_mult": "4"}),
            var("w"),
            node(
                "FullyConnected",
                "fc",
                [(1, 0, 0), (2, 0, 0)],
                attr={"num_hidden": "2", "no_bias": "1", "data_wd_mult": "2"},
            ),
        ],
        version=_version,
    )
    CASES["variadic_lr_mult" + _tail] = binary("Concat", _version, num_args="2", arg0_lr_mult="3", arg1_wd_mult="4")
    CASES["overruled_lr_mult" + _tail] = fc(_version, weight_lr_mult="2", variable={"__lr_mult__": "9", "wd_mult": "8"})
    CASES["both_forms" + _tail] = fc(_version, lr_mult="2", __lr_mult__="9")
    CASES["param_and_attr" + _tail] = graph(
        [
            var("x"),
            node("Pooling", "p", [(0, 0, 0)], param={"kernel": "(2,2)"}, attr={"kernel": "(3,3)", "lr_mult": "1"}),
        ],
        version=_version,
    )
    CASES["param_and_attrs" + _tail] = graph(
        [var("x"), node("Pooling", "p", [(0, 0, 0)], param={"kernel": "(2,2)"}, attrs={"lr_mult": "1"})],
        version=_version,
    )
    CASES["norm_init" + _tail] = graph(
        [
            var("x"),
            var("g"),
            var("b"),
            var("m", attr={"__init__": "own"}),
            var("v"),
            node("BatchNorm", "bn", [(i, 0, 0) for i in range(5)]),
        ],
        version=_version,
    )
    CASES["norm_three_heads" + _tail] = graph(
        [var(n) for n in "xgbmv"]
        + [node("BatchNorm", "bn", [(i, 0, 0) for i in range(5)], attr={"output_mean_var": "True"})],
        heads=[[5, 0, 0], [5, 1, 0], [5, 2, 0]],
        version=_version,
    )


def tell(mx, text):
    """What a file became: its text today, names and attributes; or that it was refused."""
    try:
        symbol = mx.sym.load_json(text)
        return {
            "json": symbol.tojson(),
            "arguments": symbol.list_arguments(),
            "aux": symbol.list_auxiliary_states(),
            "outputs": symbol.list_outputs(),
            "attributes": symbol.attr_dict(),
        }
    except (mx.base.MXNetError, UnicodeDecodeError):  # the original fails to decode some of its own messages
        return {"refused": True}
