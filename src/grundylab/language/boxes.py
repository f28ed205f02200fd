"""Boxes: pieces of typeset mathematics, in LaTeX (amsmath) and MathML (Core). A box is appearance, not meaning.

Browsers do not break a ``math`` element into lines, so a long formula becomes several elements in sequence. It is split
before logical connectives, and after colons, that are outside all parentheses.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

BoxBeginning = Literal["", "minus", "number", "parenthesis"]
Fence = Literal["(", "{", "floor", "ceil", "abs"]


@dataclass(frozen=True)
class Box:
    """A piece of typeset mathematics, in LaTeX's math mode and as one element of MathML.

    begins: the kind of the first visible sign, on which the sign before the box depends, or "" if that does not matter;
    a fraction counts as a number. tall: true if parentheses around the box must grow. parts: for a row with possible
    line breaks, its parts outside all parentheses, nested rows flattened; empty for any other box.
    """

    latex: str
    mathml: str
    begins: BoxBeginning = ""
    tall: bool = False
    parts: tuple[Box, ...] = ()


def number(value: int) -> Box:
    """Return the box of an integer."""
    digits = f"<mn>{abs(value)}</mn>"
    if value < 0:
        return Box(str(value), f"<mrow><mo>−</mo>{digits}</mrow>", "minus")
    return Box(str(value), digits, "number")


def letters(text: str, function: bool = False) -> Box:
    """Return the box of a name of one or more letters. function: whether it is the name of an applied function."""
    long = r"\operatorname" if function else r"\mathit"
    latex = text if len(text) == 1 else f"{long}{{{text}}}".replace("_", r"\_")
    return Box(latex, f"<mi>{escape(text)}</mi>")


def script(letter: str) -> Box:
    """Return the box of a calligraphic capital letter."""
    return Box(rf"\mathcal{{{letter}}}", f"<mi>{letter}</mi>")


def text_box(text: str) -> Box:
    """Return the box of English words; a space at either end of the text is kept."""
    inner = escape(text.strip())
    before = _CLOSED if text.startswith(" ") else ""
    after = _CLOSED if text.endswith(" ") else ""
    return Box(rf"\text{{{text}}}", f"<mtext>{before}{inner}{after}</mtext>")


def sign(latex: str, glyph: str, attributes: str = "") -> Box:
    r"""Return the box of a sign: its LaTeX (``\oplus``), its glyph (``⊕``), and attributes of its MathML element."""
    return Box(latex, f"<mo{attributes}>{escape(glyph)}</mo>")


def identifier(latex: str, text: str) -> Box:
    r"""Return the box of a function's usual name: its LaTeX (``\min``) and its letters."""
    return Box(latex, f"<mi>{text}</mi>")


def row(*parts: Box, apart: bool = True) -> Box:
    """Put boxes side by side.

    apart: whether LaTeX has spaces between them, as between operands and operators, or none, as after a function's
    name.
    """
    breaks = any(part.parts or part in _BREAKS or part == COLON for part in parts)
    return Box(
        (" " if apart else "").join(part.latex for part in parts if part.latex),
        f"<mrow>{''.join(part.mathml for part in parts)}</mrow>",
        parts[0].begins,
        _tall(parts),
        tuple(inner for part in parts for inner in part.parts or (part,)) if breaks else (),
    )


def comma_list(items: Sequence[Box]) -> Box:
    """Put boxes side by side with commas between them."""
    mathml = '<mo separator="true">,</mo>'.join(item.mathml for item in items)
    return Box(", ".join(item.latex for item in items), f"<mrow>{mathml}</mrow>", "", _tall(items))


def fenced(fence: Fence, body: Box) -> Box:
    r"""Put a box between parentheses, braces, or the bars of floor, ceiling or absolute value.

    In LaTeX parentheses are ``\left( \right)`` only around a tall box.
    """
    growing, glyphs = _FENCES[fence]
    mathml = _between(glyphs, body.mathml, body.tall)
    if fence == "(":
        latex = rf"\left( {body.latex} \right)" if body.tall else f"({body.latex})"
        return Box(latex, mathml, "parenthesis", body.tall)
    left, right = growing
    return Box(f"{left}{body.latex}{right}", mathml, "", body.tall)


def subscript(base: Box, index: str) -> Box:
    """Return a box with a subscript. index: the digits of a number."""
    mathml = f"<msub>{base.mathml}<mn>{escape(index)}</mn></msub>"
    return Box(f"{base.latex}_{{{index}}}", mathml, base.begins, base.tall)


def power(base: Box, exponent: Box) -> Box:
    """Return a box with an exponent."""
    mathml = f"<msup>{base.mathml}{exponent.mathml}</msup>"
    return Box(f"{base.latex}^{{{exponent.latex}}}", mathml, base.begins, _tall([base, exponent]))


def fraction(top: Box, bottom: Box) -> Box:
    """Put one box over another, as a fraction."""
    mathml = f"<mfrac>{top.mathml}{bottom.mathml}</mfrac>"
    return Box(rf"\frac{{{top.latex}}}{{{bottom.latex}}}", mathml, "number", tall=True)


def root(body: Box) -> Box:
    """Return the square root of a box."""
    return Box(rf"\sqrt{{{body.latex}}}", f"<msqrt>{body.mathml}</msqrt>", tall=True)


def limits(large: Box, below: Box, above: Box) -> Box:
    """Return a large sign, such as that of a sum, with its lower and upper limits; the summand goes beside it."""
    mathml = f"<munderover>{large.mathml}{below.mathml}{above.mathml}</munderover>"
    return Box(rf"{large.latex}_{{{below.latex}}}^{{{above.latex}}}", mathml, tall=True)


def modulo(modulus: int) -> Box:
    """Return the end of a congruence, such as ``(mod 3)``."""
    inside = f'<mi>mod</mi><mspace width="0.3em"/><mn>{modulus}</mn>'
    return Box(rf"\pmod{{{modulus}}}", f'<mrow><mspace width="0.6em"/>{_between("()", inside)}</mrow>')


def cases(rows: Iterable[tuple[Box, Box]], otherwise: Box) -> Box:
    """Return a case distinction. rows: each value with its condition. otherwise: the value if no condition holds."""
    latex, lines = [], []
    for value, condition in rows:
        latex.append(rf"{value.latex} & \text{{if }} {condition.latex} \\")
        about = f"<mrow><mtext>if{_CLOSED}</mtext>{condition.mathml}</mrow>"
        lines.append(f"<mtr><mtd>{value.mathml}</mtd><mtd>{about}</mtd></mtr>")
    latex.append(rf"{otherwise.latex} & \text{{otherwise}}")
    lines.append(f"<mtr><mtd>{otherwise.mathml}</mtd><mtd><mtext>otherwise</mtext></mtd></mtr>")
    brace = '<mo form="prefix" stretchy="true">{</mo>'
    return Box(
        rf"\begin{{cases}} {' '.join(latex)} \end{{cases}}",
        f"<mrow>{brace}<mtable>{''.join(lines)}</mtable></mrow>",
        tall=True,
    )


def parenthesised(box: Box) -> Box:
    """Put the box in parentheses."""
    return fenced("(", box)


def application(head: Box, arguments: Sequence[Box]) -> Box:
    """Return the application of a function to arguments."""
    return row(head, APPLIED, parenthesised(comma_list(arguments)), apart=False)


def operator_row(between: Box, operands: Sequence[Box]) -> Box:
    """Put operands side by side, and the sign ``between`` between neighbours."""
    head, *rest = operands
    return row(head, *(part for operand in rest for part in (between, operand))) if rest else head


def elements(box: Box, alttext: str) -> str:
    """Return the box as text: ``math`` elements with spaces between them; the first has the alttext."""
    lines: list[list[Box]] = [[]]
    for part in box.parts or (box,):
        if part in _BREAKS and lines[-1]:
            lines.append([])
        lines[-1].append(part)
        if part == COLON:
            lines.append([])
    written = list[str]()
    for parts in filter(None, lines):
        texts = [part.mathml for part in parts]
        if parts[0] in _BREAKS:  # the space between two elements precedes this sign
            texts[0] = texts[0].replace("<mo ", '<mo lspace="0" ', 1)
        written.append(texts[0] if len(texts) == 1 else f"<mrow>{''.join(texts)}</mrow>")
    first, *others = written
    return " ".join(
        [f'<math alttext="{escape(alttext)}">{first}</math>', *(f"<math>{other}</math>" for other in others)]
    )


def _between(glyphs: str, inside: str, grown: bool = False) -> str:
    left, right = tuple(glyphs)
    fixed = "" if grown else ' stretchy="false"'
    return f"<mrow><mo{fixed}>{left}</mo>{inside}<mo{fixed}>{right}</mo></mrow>"


def _tall(parts: Iterable[Box]) -> bool:
    return any(part.tall for part in parts)


_CLOSED = "\u00a0"  # a space that XML does not trim
_FENCES = {
    "(": (("(", ")"), "()"),
    "{": ((r"\{", r"\}"), "{}"),
    "floor": ((r"\left\lfloor ", r" \right\rfloor"), "⌊⌋"),
    "ceil": ((r"\left\lceil ", r" \right\rceil"), "⌈⌉"),
    "abs": ((r"\left\lvert ", r" \right\rvert"), "||"),
}
_LOGIC = ' form="infix"'  # also where it is the first sign of its row, after a line break
_PUNCTUATION = ' form="infix" separator="true" lspace="0" rspace="0.35em"'
MINUS = Box("-", "<mo>−</mo>", "minus")
PLUS, TIMES = sign("+", "+"), sign(r"\cdot", "⋅")
UNSEEN_TIMES, APPLIED = sign("", "\u2062"), sign("", "\u2061")
EQUAL, IN, NOT_IN = sign("=", "="), sign(r"\in", "∈"), sign(r"\notin", "∉")
EQUIVALENT, NOT_EQUIVALENT = sign(r"\equiv", "≡"), sign(r"\not\equiv", "≢")
UNEQUAL, AT_LEAST, AT_MOST = sign(r"\ne", "≠"), sign(r"\ge", "≥"), sign(r"\le", "≤")
AND, OR, NOT = sign(r"\land", "∧", _LOGIC), sign(r"\lor", "∨", _LOGIC), sign(r"\lnot", "¬")
EXISTS, ALL = sign(r"\exists", "∃"), sign(r"\forall", "∀")
SUCH_THAT, COLON, COMMA = sign(":", ":"), sign("\\colon\\", ":", _PUNCTUATION), sign(",\\", ",", _PUNCTUATION)
DOTS, UNION = sign(r"\dots", "…"), sign(r"\cup", "∪", _LOGIC)
IFF = sign(r"\iff", "⟺", f'{_LOGIC} stretchy="false"')
IMPLIES = sign(r"\implies", "⟹", f'{_LOGIC} stretchy="false"')
COMPARISONS = {
    "==": EQUAL, "!=": UNEQUAL, "<": sign("<", "<"), "<=": AT_MOST, ">": sign(">", ">"), ">=": AT_LEAST,
}  # fmt: skip
SUMMATIONS = {"sum": sign(r"\sum", "∑"), "nim_sum": sign(r"\bigoplus", "⨁")}
LOG2 = Box(r"\log_2", "<msub><mi>log</mi><mn>2</mn></msub>")
_BREAKS = (IFF, IMPLIES, AND, OR, UNION)  # a line may begin with these
