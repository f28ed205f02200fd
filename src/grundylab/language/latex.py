r"""Formula to LaTeX (amsmath). ``\left( \right)`` is used only around something tall."""

from __future__ import annotations

from grundylab.language.boxes import (
    Box,
    Cases,
    Fenced,
    Fraction,
    Indexed,
    Letters,
    Listed,
    Modulo,
    Number,
    Power,
    Root,
    Row,
    Script,
    Sign,
    Summation,
    Words,
    tall,
)
from grundylab.language.layout import layout
from grundylab.language.syntax import Expr

_GROWING = {
    "floor": (r"\left\lfloor", r"\right\rfloor"),
    "ceil": (r"\left\lceil", r"\right\rceil"),
    "abs": (r"\left\lvert", r"\right\rvert"),
}


def to_latex(expr: Expr) -> str:
    """The expression in LaTeX's math mode, on one line."""
    return latex(layout(expr))


def latex(box: Box) -> str:
    """The boxes in LaTeX's math mode, on one line."""
    match box:
        case Number(value=value):
            return str(value)
        case Letters(text=text, function=function):
            long = r"\operatorname" if function else r"\mathit"
            return text if len(text) == 1 else f"{long}{{{text}}}".replace("_", r"\_")
        case Script(letter=letter):
            return rf"\mathcal{{{letter}}}"
        case Words(text=text):
            return rf"\text{{{text}}}"
        case Sign(latex=sign):
            return sign
        case Row(parts=parts, apart=apart):
            return (" " if apart else "").join(text for text in map(latex, parts) if text)
        case Listed(items=items):
            return ", ".join(map(latex, items))
        case Fenced():
            return _fenced(box)
        case Indexed(base=base, index=index):
            return f"{latex(base)}_{{{index}}}"
        case Power(base=base, exponent=exponent):
            return f"{latex(base)}^{{{latex(exponent)}}}"
        case Fraction(top=top, bottom=bottom):
            return rf"\frac{{{latex(top)}}}{{{latex(bottom)}}}"
        case Root(body=body):
            return rf"\sqrt{{{latex(body)}}}"
        case Summation(below=below, above=above):
            return rf"\sum_{{{latex(below)}}}^{{{latex(above)}}}"
        case Modulo(modulus=modulus):
            return rf"\pmod{{{modulus}}}"
        case Cases():
            return _cases(box)
    raise TypeError(f"not a box: {box!r}")


def _fenced(box: Fenced) -> str:
    text = latex(box.body)
    if box.fence == "{":
        return rf"\{{{text}\}}"
    if box.fence == "(":
        return rf"\left( {text} \right)" if tall(box.body) else f"({text})"
    left, right = _GROWING[box.fence]
    return f"{left} {text} {right}"


def _cases(box: Cases) -> str:
    rows = [
        rf"{latex(value)} & \text{{otherwise}}"
        if condition is None
        else rf"{latex(value)} & \text{{if }} {latex(condition)} \\"
        for value, condition in box.rows
    ]
    return rf"\begin{{cases}} {' '.join(rows)} \end{{cases}}"
