"""Whole networks as the original has them: file text, names, shapes, types, outputs, gradients."""

import functools
import gzip
import json
import re

import legacy_cases
import more_network_cases as networks_more
import network_cases as networks
import numpy as np
import pytest
from paths import GOLDEN

import mxnet as mx

CASES = {**networks.CASES, **networks_more.CASES}


@functools.cache
def golden(name="networks.json.gz"):
    return json.loads(gzip.decompress((GOLDEN / name).read_bytes()))


def assert_like(given, expected, name="", atol=2e-5):
    """Numbers within rounding, everything else equal."""
    if isinstance(expected, float):
        np.testing.assert_allclose(given, expected, rtol=2e-4, atol=atol, err_msg=name)
    elif isinstance(expected, dict):
        assert sorted(given) == sorted(expected), name
        for key, value in expected.items():
            assert_like(given[key], value, f"{name} {key}", atol)
    elif isinstance(expected, list):
        assert len(given) == len(expected), name
        for i, value in enumerate(expected):
            assert_like(given[i], value, f"{name}[{i}]", atol)
    else:
        assert given == expected, name


def unnumbered(attributes):
    """Attributes without the numbers of subgraphs, which count up in a process."""
    return json.loads(re.sub(r'("__subgraph_name__": "\D+)\d+"', r'\1"', json.dumps(attributes)))


def check(case, expected):
    symbol = networks.build(mx, case)
    given = json.loads(json.dumps(networks.describe(mx, case, symbol)))
    for key in ("arguments", "aux", "outputs", "inputs", "json", "internals"):
        assert given[key] == expected[key], key
    assert unnumbered(given["attributes"]) == unnumbered(expected["attributes"])
    for key in ("shapes", "inner_shapes", "types"):
        assert given[key] == expected[key] or expected[key] is None, key  # we may know more
    for key in ("predicted", "trained", "states", "gradients"):
        if key in expected:
            # Gradients of biases before a batch norm are sums of large numbers that come to zero.
            assert_like(given[key], expected[key], key, atol=1e-3 if key == "gradients" else 2e-5)
    again = mx.sym.load_json(symbol.tojson())
    assert networks.plain(again.tojson()) == expected["json"]
    assert again.list_outputs() == expected["outputs"]
    assert unnumbered(again.attr_dict()) == unnumbered(expected["attributes"])


@pytest.mark.parametrize("name", CASES)
def test_network_is_the_originals(name):
    check(CASES[name], golden()[name])


@pytest.mark.parametrize("name", sorted({name.split("@")[0] for name in legacy_cases.CASES}))
def test_old_file(name):
    """Files of every version are read as the original reads them."""
    expected = golden("legacy_symbols.json.gz")
    for key, text in legacy_cases.CASES.items():
        if key.split("@")[0] == name:
            assert legacy_cases.tell(mx, text) == expected[key], key


def test_old_file_runs():
    text = legacy_cases.CASES["mlp08_attr"]
    symbol = mx.sym.load_json(text)
    executor = symbol.simple_bind(mx.cpu(), data=(3, 5))
    assert executor.forward()[0].shape == (3, 8)
    norm = mx.sym.load_json(legacy_cases.CASES["norm_no_states@none"])
    executor = norm.simple_bind(mx.cpu(), data=(3, 2, 4, 4))
    assert sorted(executor.aux_dict) == ["bn_moving_mean", "bn_moving_var"]


def test_nodes_that_depend_on_themselves():
    nodes = [
        legacy_cases.var("x"),
        legacy_cases.node("elemwise_add", "a", [(0, 0, 0), (2, 0, 0)]),
        legacy_cases.node("relu", "b", [(1, 0, 0)]),
    ]
    with pytest.raises(mx.MXNetError, match="depend on themselves"):
        mx.sym.load_json(legacy_cases.graph(nodes, version=10901))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "3", '{"nodes": 4, "heads": []}', '{"nodes": [{}], "heads": []}', '{"nodes": [], "heads": [[0]]}'],
)
def test_no_symbol_at_all(text):
    with pytest.raises(mx.MXNetError):
        mx.sym.load_json(text)
