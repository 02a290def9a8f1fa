"""Writes the tables of the documentation that are made of facts: what is compatible, how fast it is, what can be set.

    python docs/generate.py            # writes them into README.md, README.zh-CN.md and the pages
    python docs/generate.py --check    # says whether they claim more than the facts do; part of the tests

A table stands between ``<!-- generated: NAME -->`` and ``<!-- end -->``; ``NAME zh`` is the same in Chinese. The facts:
``tests/golden``, recorded from MXNet 1.9.1, ``benchmarks/figures.json``, written by ``benchmarks/figures.py``,
``benchmarks/families.json``, written by ``benchmarks/summary.py``, and
``mxnet/_core/config.py``.
The list of differences that comparisons of random programs accept (``tests/differential/deliberate.py``) is made when
the site is built.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import lzma
import re
import sys
from functools import partial
from pathlib import Path

import numpy as np

from mxnet._core import config

ROOT = Path(__file__).resolve().parent.parent
GOLDEN = ROOT / "tests" / "golden"
_PLACE = re.compile(r"(<!-- generated: (\w+)( zh)? -->\n)(.*?)(<!-- end -->)", flags=re.S)


def pages() -> list[Path]:
    """The files that may have tables."""
    return [*sorted(ROOT.glob("README*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def read(name: str) -> dict:
    """A golden file of JSON."""
    content = (GOLDEN / name).read_bytes()
    return json.loads(gzip.decompress(content) if name.endswith(".gz") else content)


def table(rows: list[tuple[str, ...]]) -> str:
    """Rows as a Markdown table, the first one its head."""
    head, *rest = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *rest]) + "\n"


# What is compatible.


def _names() -> tuple[list[int], list[int]]:
    """Modules and public names that the original has, and how many of each are here."""
    modules = read("public_names.json.gz")
    found = importable = 0
    for name, wanted in modules.items():
        try:
            module = importlib.import_module(name)
        except ImportError:
            continue
        importable += 1
        for one in wanted:
            first, _, member = one.partition(".")
            value = getattr(module, first, None)
            found += value is not None and (not member or hasattr(value, member))
    return [importable, len(modules)], [found, sum(map(len, modules.values()))]


def _samples() -> tuple[int, int]:
    """Calls of operators whose results were recorded, and how many of them have gradients."""
    results, gradients = set(), set()
    for file in (GOLDEN / "ops").glob("*.npz"):
        with np.load(file) as store:
            for name in store.files:
                sample, _, what = name.rpartition("/")
                if what.startswith("grad"):
                    gradients.add((file.stem, sample))
                elif what.startswith(("out", "changed")):  # not those that the original refuses
                    results.add((file.stem, sample))
    return len(results), len(gradients)


def compatible(chinese: bool) -> str:
    """Names that are there, and results that are compared with the original's."""
    from mxnet import ops

    signatures = read("signatures.json")
    modules, names = _names()
    samples, gradients = _samples()
    programs = sum(len(json.loads(lzma.decompress(f.read_bytes()))) for f in (GOLDEN / "differential").glob("*.xz"))
    rows = [
        ("operators and their aliases, same arguments and defaults ¹", "运算符及别名，参数和默认值相同 ¹",
         f"{sum(n in ops.names() for n in signatures)} / {len(signatures)}", "ops/test_registry.py"),
        ("modules that can be imported ²", "可以导入的模块 ²", f"{modules[0]} / {modules[1]}", "docs/test_docs.py"),
        ("public functions, classes and their members in them ²", "其中公开的函数、类及其成员 ²",
         f"{names[0]} / {names[1]}", "docs/test_docs.py"),
        ("calls of operators, results compared (gradients too)", "运算符调用，比较结果（及梯度）",
         f"{samples} ({gradients})", "ops/test_ops.py"),
        ("calls with wrong arguments, refusals compared", "错误的调用，比较是否拒绝",
         f"{sum(map(len, read('refusals.json.gz').values()))}", "ops/test_refusals.py"),
        ("symbols, JSON compared to the byte", "Symbol，JSON 逐字节比较", f"{len(read('symbols.json.gz'))}",
         "symbol/test_symbol_ops.py"),
        ("expressions of mx.np and mx.npx", "mx.np 和 mx.npx 的表达式", f"{len(read('numpy.json.gz')['expressions'])}",
         "numpy/test_numpy.py"),
        ("statements about sparse arrays", "稀疏数组的语句", f"{len(read('sparse.json.gz'))}",
         "ndarray/test_sparse_original.py"),
        ("random programs: arrays, graphs, Module, Gluon, ...", "随机程序：数组、计算图、Module、Gluon 等",
         f"{programs}", "integration/test_differential.py"),
        ("whole networks, outputs and gradients", "完整的网络，比较输出和梯度", f"{len(read('networks.json.gz'))}",
         "symbol/test_networks.py"),
        ("streams of random numbers", "随机数序列", f"{len(read('random.json.gz'))}", "ops/test_random_original.py"),
    ]  # fmt: skip
    head = ("", "数量", "测试") if chinese else ("", "how many", "tested by")
    return table([head, *((row[chinese], row[2], f"`tests/{row[3]}`") for row in rows)])


# How fast it is.

# The workloads of the table, in its order: files of benchmarks/workloads, or what benchmarks/figures.py measures.
WORK = {
    "gluon_resnet18_train": ("ResNet-18, a training step by Gluon, hybridized", "ResNet-18，Gluon 混合执行，一步训练"),
    "gluon_mobilenet_train": ("MobileNet, likewise", "MobileNet，同上"),
    "gluon_lenet_train": ("LeNet, likewise", "LeNet，同上"),
    "gluon_lstm_train": ("LSTM of two layers, likewise", "两层 LSTM，同上"),
    "gluon_mlp_train_hybrid": ("a perceptron, likewise", "多层感知机，同上"),
    "gluon_resnet50_inference": ("ResNet-50, a prediction of 8 images", "ResNet-50，预测 8 张图片"),
    "gluon_densenet121_inference": ("DenseNet-121, likewise", "DenseNet-121，同上"),
    "gluon_lstm_unrolled_eager": (
        "LSTM cell, unrolled 30 steps, training, not hybridized",
        "LSTM 单元展开 30 步，训练，不混合执行",
    ),
    "module_fit_mlp": ("perceptron by `Module.fit`", "多层感知机，`Module.fit`"),
    "np_mlp_epoch": ("an epoch of a perceptron by `mx.np`", "`mx.np` 的多层感知机，一轮训练"),
    "sparse_embedding_adam": ("a sparse embedding, trained by Adam", "稀疏词嵌入，用 Adam 训练"),
    "csr_dot": ("a sparse matrix (CSR) times a dense one", "稀疏矩阵（CSR）乘稠密矩阵"),
    "random_1m": ("a million random numbers, those of the original", "一百万个随机数，与原版相同"),
    "image_record_iter": ("an epoch of `ImageRecordIter`", "`ImageRecordIter`，一轮"),
    "distributed_big": ("two workers: pushpull of 64 MB ³", "两个工作进程：pushpull 64 MB ³"),
    "distributed_many": ("two workers: pushpull of 1000 keys of 4 kB ³", "两个工作进程：pushpull 1000 个 4 kB 的键 ³"),
    "distributed_lenet": ("two workers: 10 steps of LeNet", "两个工作进程：LeNet 训练 10 步"),
    "onnx_resnet50": ("ResNet-50 in onnxruntime, as exported by each", "onnxruntime 中的 ResNet-50，由各自导出"),
}


def speed(chinese: bool) -> str:
    """Ours / the other, of the figures that are kept."""
    figures = json.loads((ROOT / "benchmarks" / "figures.json").read_text())
    head = ("工作" if chinese else "work", "MXNet 1.9.1", "PyTorch (channels_last)")
    measured = {result["workload"]: result["ours_to"] for result in figures["results"]}
    rows = []
    for name, words in WORK.items():
        if name in measured:
            ratios = [measured[name].get(engine) for engine in ("original", "torch")]
            rows.append((words[chinese], *("" if ratio is None else f"{ratio:.2f}" for ratio in ratios)))
    machine = (
        f"机器：{figures['machine']}，{figures['threads']} 个线程。"
        if chinese
        else f"Measured on: {figures['machine']}, {figures['threads']} threads."
    )
    if any("³" in row[0] for row in rows):
        machine += "\n\n³ " + (
            "最后一列与同样字节数的一次 `torch.distributed.all_reduce` 比较。"
            if chinese
            else "The last column is against one `torch.distributed.all_reduce` of as many bytes."
        )
    return f"{table([head, *rows])}\n{machine}\n"


def families(chinese: bool) -> str:
    """Every workload of ``benchmarks/families`` that was measured, with the geometric mean of each family."""
    kept = json.loads((ROOT / "benchmarks" / "families.json").read_text())
    engines = {"original": "MXNet 1.9.1", "torch": "PyTorch"}
    groups: dict[str, list[dict]] = {}
    for result in kept["results"]:
        groups.setdefault(result["workload"].split("/")[0], []).append(result)
    mean = "**几何平均**" if chinese else "**geometric mean**"
    rows = [("工作" if chinese else "workload", "ms", *engines.values())]
    for results in [*groups.values(), kept["results"]]:
        whole = results is kept["results"]
        label = ("全部" if chinese else "all") if whole else results[0]["workload"].split("/")[0]
        rows.append((f"**{label}**: {mean} ({len(results)})", "", *(_mean_ratio(results, e) for e in engines)))
        if not whole:
            rows += [
                (f"`{r['workload']}`", f"{r['ms']:g}", *(_ratio(r["ours_to"].get(engine)) for engine in engines))
                for r in results
            ]
    machine = f"{kept['machine']}, {kept['threads']} {'个线程' if chinese else 'thread(s)'}"
    clock = {"cpu": ("processor time", "处理器时间"), "wall": ("time passed", "经过的时间")}[kept["clock"]][chinese]
    rounds = f"{kept['rounds']} 轮的中位数" if chinese else f"medians of {kept['rounds']} rounds"
    return f"{table(rows)}\n{machine}, {clock}, {rounds}.\n"


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _mean_ratio(results: list[dict], engine: str) -> str:
    """The geometric mean of the ratios to an engine."""
    ratios = [r["ours_to"][engine] for r in results if engine in r["ours_to"]]
    return _ratio(float(np.exp(np.mean(np.log(ratios)))) if ratios else None)


# What can be set.


def settings(chinese: bool, group: str = config.GENERAL) -> str:
    """The environment variables of a group."""
    head = ("变量", "默认值", "含义") if chinese else ("variable", "default", "meaning")
    rows = []
    for variable in config.VARIABLES.values():
        if variable.group == group:
            default = variable.default
            shown = "" if default in (None, "") else f"{default:g}" if isinstance(default, float) else str(default)
            if isinstance(variable, config.Flag):
                shown = str(int(default))
            rows.append((f"`{variable.name}`", shown, variable.zh if chinese else variable.help))
    return table([head, *rows])


def settings_without_effect(chinese: bool) -> str:
    """The variables of MXNet that change nothing here, those with the same reason together."""
    together: dict[str, list[str]] = {}
    for variable in config.VARIABLES.values():
        if variable.group == config.NO_EFFECT:
            together.setdefault(variable.zh if chinese else variable.help, []).append(f"`{variable.name}`")
    head = ("变量", "原因") if chinese else ("variable", "why")
    return table([head, *((", ".join(names), why) for why, names in together.items())])


# What differs.


def differences() -> str:
    """The differences that are meant. The site has them by docs/hooks.py, always those of the day."""
    sys.path.insert(0, str(ROOT / "tests"))
    from differential.deliberate import DELIBERATE

    reasons = dict.fromkeys(entry["reason"] for entry in DELIBERATE)
    words = (r if "_" in r.split()[0] else r[0].upper() + r[1:] for r in reasons)
    return "".join(f"- {reason}.\n" for reason in words)


TABLES = {
    "compatible": compatible,
    "speed": speed,
    "families": families,
    "settings": settings,
    "settings_of_jobs": partial(settings, group=config.JOB),
    "settings_without_effect": settings_without_effect,
}


def generated(text: str) -> str:
    """A page with its tables as they should be."""
    return _PLACE.sub(lambda m: f"{m[1]}\n{TABLES[m[2]](bool(m[3]))}\n{m[5]}", text)


def claims_too_much(shown: str, wanted: str) -> bool:
    """Whether a page says more than the facts do, or something else. That it could say more by now is no fault."""
    for (_, name, _, old, _), (_, _, _, new, _) in zip(_PLACE.findall(shown), _PLACE.findall(wanted), strict=True):
        if name != "compatible":
            if old != new:
                return True
        else:
            number = re.compile(r"\d+(?= [/(|]|\))")
            pairs = zip(number.findall(old), number.findall(new), strict=True)
            if number.sub("0", old) != number.sub("0", new) or any(int(a) > int(b) for a, b in pairs):
                return True
    return False


def main() -> int:
    """Writes or checks all tables."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    stale = []
    for page in pages():
        text = page.read_text()
        wanted = generated(text)
        if args.check and claims_too_much(text, wanted):
            stale.append(page.name)
        elif not args.check and text != wanted:
            stale.append(page.name)
            page.write_text(wanted)
    if stale:
        print(f"{'claim too much or something else' if args.check else 'written'}: {', '.join(stale)}")
    return int(args.check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
