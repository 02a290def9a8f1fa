"""Rules for operators of arithmetic, logic and linear algebra whose kernels here are more than a line of torch."""

from __future__ import annotations

from collections.abc import Callable

from .expressions import CALL, PRODUCT, SUM, Expression, Rule, number, rule
from .layers import Site, one
from .tree import Literal


def _floats(text: str, level: int = CALL, hint: str = "result") -> Rule:
    """A rule that is for floating point numbers only: integers have rules of their own."""

    def write(site: Site) -> Expression | None:
        if not site.ndim or not site.dtype().is_floating_point:
            return None
        return Expression(text, list(range(len(site.node.inputs))), level, hint)

    return write


for _name, _text in {
    "cbrt": "{0}.sign() * {0}.abs() ** (1 / 3)",
    "erfinv": "torch.erfinv({0})",
    "gammaln": "torch.lgamma({0})",
    "_hypot": "torch.hypot({0}, {1})",
    "broadcast_hypot": "torch.hypot({0}, {1})",
    "argmax_channel": "{0}.argmax(1).to({0}.dtype)",
    "_linalg_sumlogdiag": "{0}.diagonal(dim1=-2, dim2=-1).log().sum(-1)",
}.items():
    rule(_name)(_floats(_text, PRODUCT if " * " in _text else CALL, _name.strip("_")))
for _name in ("and", "or", "xor"):
    _text = f"torch.logical_{_name}({{0}}, {{1}}).to({{0}}.dtype)"
    rule(f"_logical_{_name}", f"broadcast_logical_{_name}")(_floats(_text, hint="mask"))


@rule(
    "_logical_and_scalar", "_logical_or_scalar", "_logical_xor_scalar", "_hypot_scalar", "_mod_scalar", "_rmod_scalar"
)
def _with_scalar(site: Site) -> Expression | None:
    if not site.dtype().is_floating_point or not site.ndim:
        return None
    kind, scalar = site.op.removesuffix("_scalar").lstrip("_"), Literal(number(site.attrs["scalar"]), "scalar")
    if kind == "mod":
        zero = site.attrs["scalar"] == 0
        return Expression("torch.zeros_like({0})" if zero else "torch.remainder({0}, {1})", [0, scalar], hint="rest")
    if kind == "rmod":
        return Expression("torch.remainder({1}, {0}).masked_fill({0} == 0, 0)", [0, scalar], hint="rest")
    end = ".to({0}.dtype)" if kind.startswith("logical") else ""
    return Expression(f"torch.{kind}({{0}}, {{0}}.new_tensor({{1}})){end}", [0, scalar])


def _reduction(text: Callable[[str], str]) -> Rule:
    def write(site: Site) -> Expression | None:
        a = site.attrs
        axes = a["axis"] if a["axis"] not in (None, ()) else tuple(range(site.ndim))
        axes = (axes,) if isinstance(axes, int) else tuple(axes)
        if len(axes) != 1 or a["exclude"] or not site.dtype().is_floating_point:
            return None
        keep = ", keepdim=True" if a["keepdims"] else ""
        return Expression(text(f"{one(axes)}{keep}"), [0], hint=site.op)

    return write


rule("prod")(_reduction(lambda axis: f"{{0}}.prod({axis})"))
rule("nansum")(_reduction(lambda axis: f"{{0}}.nansum({axis})"))


@rule("cumsum")
def _cumsum(site: Site) -> Expression | None:
    if site.attrs["dtype"] not in (None, site.dtype()) or not site.dtype().is_floating_point:
        return None
    axis = site.attrs["axis"]
    return Expression("{0}.flatten().cumsum(0)" if axis is None else f"{{0}}.cumsum({axis})", [0], hint="total")


@rule("size_array")
def _size(site: Site) -> Expression:
    return Expression("torch.tensor([{0}.numel()])", [0], hint="size")


@rule("LRN")
def _lrn(site: Site) -> Expression:
    a = site.attrs
    alpha, beta, k = (number(a[name]) for name in ("alpha", "beta", "knorm"))
    return Expression(f"F.local_response_norm({{0}}, {a['nsize']}, {alpha}, {beta}, {k})", [0], hint="normal")


@rule("Crop")
def _crop(site: Site) -> Expression:
    a, like = site.attrs, len(site.node.inputs) == 2
    parts = []
    for axis, start in zip((2, 3), a["offset"], strict=True):
        size = f"{{1}}.shape[{axis}]" if like else str(a["h_w"][axis - 2])
        begin = f"({{0}}.shape[{axis}] - {size}) // 2" if a["center_crop"] else str(start)
        parts.append(f".narrow({axis}, {begin}, {size})")
    return Expression(f"{{0}}{''.join(parts)}", [0, 1] if like else [0], hint="part")


# ---- linear algebra --------------------------------------------------------------------------------------------------


def _scaled(text: str, factor: object) -> str:
    return text if factor == 1 else f"{factor} * ({text})"


@rule("_linalg_gemm")
def _gemm(site: Site) -> Expression | None:
    a = site.attrs
    if a["axis"] != -2:
        return None
    left, right = (
        f"{{{i}}}.transpose(-2, -1)" if a[k] else f"{{{i}}}" for i, k in enumerate(("transpose_a", "transpose_b"))
    )
    text = _scaled(f"{left} @ {right}", number(a["alpha"]))
    beta = number(a["beta"])
    return Expression(f"{text} + {'' if beta == 1 else f'{beta} * '}{{2}}", [0, 1, 2], SUM, "total")


@rule("_linalg_syrk")
def _syrk(site: Site) -> Expression:
    other = "{0}.transpose(-2, -1)"
    text = f"{other} @ {{0}}" if site.attrs["transpose"] else f"{{0}} @ {other}"
    return Expression(_scaled(text, number(site.attrs["alpha"])), [0], PRODUCT, "product")


def _triangle(site: Site) -> str:
    return "{0}.tril()" if site.attrs["lower"] else "{0}.triu()"


@rule("_linalg_trmm")
def _trmm(site: Site) -> Expression:
    a, left = site.attrs, _triangle(site)
    left += ".transpose(-2, -1)" if a["transpose"] else ""
    text = f"{{1}} @ {left}" if a["rightside"] else f"{left} @ {{1}}"
    return Expression(_scaled(text, number(a["alpha"])), [0, 1], PRODUCT, "product")


@rule("_linalg_trsm")
def _trsm(site: Site) -> Expression:
    a, left = site.attrs, _triangle(site)
    left += ".transpose(-2, -1)" if a["transpose"] else ""
    upper = a["lower"] is a["transpose"]
    alpha = number(a["alpha"])
    right = "{1}" if alpha == 1 else f"{alpha} * {{1}}"
    side = ", left=False" if a["rightside"] else ""
    return Expression(f"torch.linalg.solve_triangular({left}, {right}, upper={upper}{side})", [0, 1], hint="solved")


@rule("_linalg_det")
def _det(site: Site) -> Expression | None:
    return Expression("torch.linalg.det({0})", [0]) if site.ndim > 2 else None
