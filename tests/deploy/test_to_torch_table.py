"""All networks of the model zoo, GluonCV's and others as PyTorch source, and the table of them in the documentation.

``PYTHONPATH=tests python tests/deploy/test_to_torch_table.py [NAME ...]`` measures networks, by default those that are
not in the table yet or else all, and writes their rows into it.
"""

import re
import sys
import tempfile
from pathlib import Path

import pytest
from paths import ROOT
from to_torch_check import Case, run_alone
from to_torch_networks import (
    VISION,
    Tagger,
    in_the_dialect_of_2016,
    made,
    parameters_of,
    pnet,
    retinaface,
    rnet,
    words,
    zoo,
)

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import rnn

PACKAGES = ROOT / "data" / "packages"
PAGES = [ROOT / "docs" / name for name in ("torch_networks.md", "torch_networks.zh.md")]

#: GluonCV's networks with the sizes of their pictures.
GLUONCV = {
    "cifar_resnet20_v1": 32,
    "cifar_resnext29_16x64d": 32,
    "cifar_wideresnet16_10": 32,
    "resnet18_v1b": 64,
    "resnet50_v1d": 64,
    "resnext50_32x4d": 64,
    "se_resnet18_v1": 64,
    "se_resnext50_32x4d": 64,
    "senet_154": 64,
    "resnest14": 64,
    "mobilenetv3_small": 64,
    "mobilenetv3_large": 64,
    "shufflenet_v1": 64,
    "shufflenet_v2": 64,
    "googlenet": 224,
    "xception": 96,
    "darknet53": 64,
    "mobilenetv2_0.5": 64,
    "resnest26": 64,
    "resnet34_v1b": 64,
    "resnet50_v1s": 64,
    "cifar_residualattentionnet56": 32,
    "dla34": 64,
    "hrnet_w18_small_v1_c": 64,
    "residualattentionnet56": 224,
    "simple_pose_resnet18_v1b": 64,
    "mobile_pose_resnet18_v1b": 64,
    "ssd_300_vgg16_atrous_voc": 300,
    "yolo3_darknet53_voc": 128,
    "yolo3_mobilenet1.0_voc": 128,
    "center_net_resnet18_v1b_voc": 128,
    "faster_rcnn_resnet50_v1b_voc": 128,
    "center_net_resnet18_v1b_dcnv2_voc": 128,
    "simple_pose_resnet50_v1d": 64,
    "fcn_resnet50_voc": 96,
    "fcn_resnet101_voc": 96,
    "psp_resnet50_ade": 480,
    "deeplab_resnet50_ade": 480,
    "icnet_resnet50_citys": 480,
    "danet_resnet50_citys": 96,
}
#: Detectors train with other outputs than these, and rounding decides which boxes they choose: no steps of training.
#: Boxes whose scores are equal up to rounding change places.
DETECTORS = ("ssd", "yolo3", "faster_rcnn", "center_net")
LINES = {
    "resnet50_v1": 120,
    "mobilenet_v2_1_0": 100,
    "densenet121": 100,
    "ssd_300_vgg16_atrous_voc": 250,
    "BERT base (GluonNLP)": 200,
}


def _bert():
    from gluonnlp.model import get_model
    from gluonnlp.vocab import BERTVocab

    vocabulary = BERTVocab({str(i): 1 for i in range(30517)})
    net, _ = get_model(
        "bert_12_768_12", dataset_name=None, vocab=vocabulary, pretrained=False, use_decoder=False, use_classifier=False
    )
    net.initialize(mx.init.Normal(0.02))
    return net, words(1000, (2, 16)), words(2, (2, 16), 1), mx.nd.array([16, 9])


def _transformer():
    from gluonnlp.model.transformer import TransformerEncoder

    net = TransformerEncoder(units=32, hidden_size=64, num_layers=3, num_heads=4, max_length=20)
    net.initialize(mx.init.Xavier())
    return net, mx.nd.random.normal(shape=(2, 12, 32))


SYMBOLS = {
    "MTCNN, P-Net (symbol file)": (pnet, (2, 3, 15, 17)),
    "MTCNN, R-Net (symbol file)": (rnet, (2, 3, 24, 24)),
    "MTCNN, O-Net (symbol file)": (lambda: rnet("o"), (2, 3, 48, 48)),
    "RetinaFace-like (symbol file)": (retinaface, (1, 3, 128, 96)),
}
OTHERS = {
    "LSTM tagger": lambda: made(Tagger, words(50, (2, 7))),
    "GRU tagger": lambda: made(Tagger, words(50, (2, 7)), layer=rnn.GRU),
    "BERT base (GluonNLP)": _bert,
    "transformer encoder (GluonNLP)": _transformer,
}
NETWORKS = [*VISION, *GLUONCV, *OTHERS, *SYMBOLS]


def case_of(name, directory):
    """The network, translated into a directory."""
    directory = Path(directory)
    path = directory / re.sub(r"\W+", "_", name)
    if name in GLUONCV:
        from gluoncv import model_zoo

        mx.random.seed(1)
        bases = {"pretrained_base": False} if "_voc" in name or "_ade" in name or "_citys" in name else {}
        net = model_zoo.get_model(name, pretrained=False, **bases)
        net.initialize(mx.init.Xavier(magnitude=2))
        detects, size = name.startswith(DETECTORS), GLUONCV[name]
        inputs = [mx.nd.random.normal(shape=(1 if detects or size > 96 else 2, 3, size, size))]
        return Case(net, path, *inputs, steps=0 if detects else 10, double=not detects, sorts=detects)
    if name in VISION:
        size = 299 if name == "inception_v3" else 224 if name.startswith(("dense", "alex", "squeeze")) else 64
        net, *inputs = zoo(name, size, batch=2 if size < 224 else 1)
    elif name in OTHERS:
        net, *inputs = OTHERS[name]()
    else:
        make, shape = SYMBOLS[name]
        text = in_the_dialect_of_2016(make())
        symbol = mx.sym.load_json(text)
        params = parameters_of(symbol, data=shape)
        (directory / "net-symbol.json").write_text(text)
        mx.nd.save(str(directory / "net-0000.params"), params)
        net = gluon.SymbolBlock.imports(
            str(directory / "net-symbol.json"), ["data"], str(directory / "net-0000.params")
        )
        source = (symbol, {"params": params, "shapes": {"data": shape}})
        return Case(net, path, steps=10, source=source)
    return Case(net, path, *inputs, steps=10)


def measure(name):
    """The lines of the source, and the largest differences."""
    with tempfile.TemporaryDirectory() as directory:
        case = case_of(name, directory)
        run_alone([case], directory)
        lines = (case.path / "model.py").read_text().splitlines()
        assert max(map(len, lines)) <= 110
        return {"lines": len(lines)} | case.compare()


def row(name, found):
    """A line of the table."""
    numbers = [found["outputs"], found["gradients"], *([found["trained"]] if "trained" in found else [])]
    texts = ["0" if n == 0 else f"{n:.0e}" for n in numbers]
    return f"| {name} | {found['lines']} | {' | '.join([*texts, '-'][:3])} |"


def rows(page):
    """The lines of the table of a page, by the names of networks."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return {line.split("|")[1].strip(): line for line in lines if re.match(r"\| [^|]+ \| \d+ \|", line)}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # of the packages, which are old
@pytest.mark.parametrize("name", NETWORKS)
def test_network(name, monkeypatch):
    if name in GLUONCV or "GluonNLP" in name:
        if not (PACKAGES / "gluoncv").exists():
            pytest.skip("GluonCV and GluonNLP are missing: make packages gets them")
        monkeypatch.setattr(sys, "path", [str(PACKAGES), *sys.path])
    found = measure(name)
    print(row(name, found))
    assert found["outputs"] <= 1e-5
    assert found["gradients"] <= max(1e-4, 2 * found.get("rounding", 0)) and found.get("trained", 0) <= 1e-4
    assert found["lines"] <= LINES.get(name, 300)
    if name in rows(PAGES[0]):
        assert rows(PAGES[0])[name].split("|")[2].strip() == str(found["lines"]), "the table is old: run this file"


def test_the_table_keeps_what_is_promised():
    assert len(VISION) == 34 and len(GLUONCV) >= 40
    assert rows(PAGES[0]) == rows(PAGES[1])
    assert list(rows(PAGES[0])) == [n for n in NETWORKS if n in rows(PAGES[0])]
    for line in rows(PAGES[0]).values():
        outputs, *others = (float(n) for n in line.split("|")[3:6] if n != " - ")
        assert outputs <= 1e-5 and max(others) <= 1e-4, line


def main(names):
    """Measures networks and writes what was found into the pages."""
    sys.path.insert(0, str(PACKAGES))
    for name in names or [n for n in NETWORKS if n not in rows(PAGES[0])] or NETWORKS:
        try:
            line = row(name, measure(name))
        except Exception as error:
            print(f"{name}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
            continue
        print(line, flush=True)
        for page in PAGES:
            text = page.read_text(encoding="utf-8")
            known = rows(page) | {name: line}
            head, _, rest = text.partition("|---|---|---|---|---|\n")
            rest = re.sub(r"^(\|.*\n)*", "", rest)
            table = "".join(known[n] + "\n" for n in NETWORKS if n in known)
            page.write_text(f"{head}|---|---|---|---|---|\n{table}{rest}", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
