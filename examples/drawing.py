"""Plots for the examples with Matplotlib: networks, curves, rows of images."""

import ast
import json
from collections import Counter
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

INK, GRAY, GOOD, BAD = "#22303c", "#8a97a3", "#2b8a57", "#c8372d"
SERIES = ("#2f6fb0", "#e07b28", "#2b8a57", "#8a4fae", "#c8372d", "#7a6248", "#3aa6b0")
_COLOURS = {
    "null": "#eef1f4",
    "Convolution": "#fbd5cf",
    "FullyConnected": "#fbd5cf",
    "Activation": "#fdf0c2",
    "Pooling": "#d9ecd0",
    "Flatten": "#e3dcf1",
    "SoftmaxOutput": "#d3e4f5",
}
_PLAIN = "#ffffff"


def new_figure(width, height, title=None):
    """An empty picture, so many inches wide and high."""
    figure = Figure(figsize=(width, height), layout="constrained")
    if title:
        figure.suptitle(title, fontsize=15, color=INK, fontweight="bold")
    return figure


def save(figure, path):
    """Writes a PNG, making its directory if need be."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=100)


def style(axes, title, xlabel=None, ylabel=None):
    """The common look of axes with curves."""
    axes.set_title(title, fontsize=11, color=INK, loc="left")
    axes.set_xlabel(xlabel, color=GRAY)
    axes.set_ylabel(ylabel, color=GRAY)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)


def show_image(axes, image, caption="", colour=INK):
    """An image without axes: height x width for gray ones, height x width x 3 in [0, 1] for coloured ones."""
    axes.imshow(image, cmap="gray_r", vmin=0, vmax=1, interpolation="nearest")
    axes.set_title(caption, fontsize=10, color=colour, pad=3)
    axes.axis("off")


def _caption(node):
    """What kind of layer it is and its most telling attributes."""
    attrs, op = node.get("attrs", {}), node["op"]
    kernel = "×".join(map(str, ast.literal_eval(attrs.get("kernel", "()"))))
    details = {
        "null": node["name"],
        "Convolution": f"Convolution {kernel}, {attrs.get('num_filter')} channels",
        "FullyConnected": f"FullyConnected {attrs.get('num_hidden')}",
        "Activation": attrs.get("act_type", ""),
        "Pooling": f"{attrs.get('pool_type', 'max')} pooling {kernel}",
    }
    return details.get(op, op)


def draw_network(axes, symbol, title, **shapes):
    """Draws the graph of a Symbol from top to bottom, with the shapes that flow along its edges.

    ``shapes`` are those of the inputs, as for ``infer_shape``. Weights, biases and labels are left out. Layers that are
    equally far from the input stand side by side.
    """
    nodes = json.loads(symbol.tojson())["nodes"]
    internals = symbol.get_internals()
    _, inferred, _ = internals.infer_shape(**shapes)
    shape_of = dict(zip(internals.list_outputs(), inferred, strict=True))
    shown = [i for i, node in enumerate(nodes) if node["op"] != "null" or node["name"] in shapes]
    edges = [(source[0], i) for i in shown for source in nodes[i]["inputs"] if source[0] in shown]
    depth = {}
    for i in shown:
        depth[i] = max((depth[a] + 1 for a, b in edges if b == i), default=0)
    width = Counter(depth.values())
    placed = Counter()
    place = {}
    for i in shown:
        row = depth[i]
        placed[row] += 1
        place[i] = ((placed[row] - 0.5) / width[row], -float(row))
    for a, b in edges:
        (xa, ya), (xb, yb) = place[a], place[b]
        arrow = {"arrowstyle": "-|>", "color": GRAY, "shrinkA": 0, "shrinkB": 0}
        axes.annotate("", xy=(xb, yb + 0.31), xytext=(xa, ya - 0.31), arrowprops=arrow)
        name = nodes[a]["name"] + ("" if nodes[a]["op"] == "null" else "_output")
        text = " × ".join(map(str, shape_of[name][1:]))
        axes.text((xa + xb) / 2 + 0.03, (ya + yb) / 2, text, fontsize=8, color=GRAY, va="center")
    for i, (x, y) in place.items():
        half = 0.46 / max(width.values())
        box = FancyBboxPatch(
            (x - half, y - 0.28),
            2 * half,
            0.56,
            boxstyle="round,pad=0.02,rounding_size=0.06",
            facecolor=_COLOURS.get(nodes[i]["op"], _PLAIN),
            edgecolor=GRAY,
            linewidth=0.8,
        )
        axes.add_patch(box)
        axes.text(x, y, _caption(nodes[i]), fontsize=9, color=INK, ha="center", va="center")
    axes.set(xlim=(-0.02, 1.02), ylim=(-max(depth.values()) - 0.45, 0.45))
    axes.set_title(title, fontsize=11, color=INK)
    axes.axis("off")
