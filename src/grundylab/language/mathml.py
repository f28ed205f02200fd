"""Formula to MathML (Core), which browsers set without any script.

Browsers do not break a formula into lines. So a long one is set as several ``math`` elements, one after another: it may
be broken before a sign of logic that is not in parentheses.
"""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from grundylab.language import boxes
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

_FENCES = {"(": "()", "{": "{}", "floor": "⌊⌋", "ceil": "⌈⌉", "abs": "||"}
_BREAKS = (boxes.IFF, boxes.IMPLIES, boxes.AND, boxes.OR, boxes.UNION)  # a line may begin with these
_CLOSED = "\u00a0"  # a space that XML does not trim


def to_mathml(expr: Expr, alttext: str | None = None) -> str:
    """The expression as one or more ``math`` elements; ``alttext``: what it is in words, its text if not given."""
    return mathml(layout(expr), str(expr) if alttext is None else alttext)


def mathml(box: Box, alttext: str) -> str:
    """The boxes as one or more ``math`` elements, with a space where a line may end; the first has the alttext."""
    first, *others = (_row(piece) for piece in _pieces(box))
    head = f"<math alttext={quoteattr(alttext)}>{first}</math>"
    return " ".join([head, *(f"<math>{other}</math>" for other in others)])


def _pieces(box: Box) -> list[list[Box]]:
    """The parts of the outermost rows, where each piece is a line that is not broken."""
    pieces: list[list[Box]] = [[]]
    for part in _flat(box):
        if part in _BREAKS and pieces[-1]:
            pieces.append([])
        pieces[-1].append(part)
        if part == boxes.COLON:
            pieces.append([])
    return [piece for piece in pieces if piece]


def _flat(box: Box) -> list[Box]:
    """The parts of a row that has a sign to break at, however deep outside all parentheses; else the box itself."""
    if isinstance(box, Row) and _breaks(box):
        return [inner for part in box.parts for inner in _flat(part)]
    return [box]


def _breaks(box: Box) -> bool:
    return isinstance(box, Row) and any(
        part in (*_BREAKS, boxes.COLON) or _breaks(part) for part in box.parts
    )


def _row(parts: list[Box]) -> str:
    texts = list(map(element, parts))
    if parts[0] in _BREAKS:  # there is a space before it
        texts[0] = texts[0].replace("<mo ", '<mo lspace="0" ', 1)
    return texts[0] if len(texts) == 1 else f"<mrow>{''.join(texts)}</mrow>"


def element(box: Box) -> str:
    """One element of MathML."""
    match box:
        case Number(value=value):
            digits = f"<mn>{abs(value)}</mn>"
            return digits if value >= 0 else f"<mrow><mo>−</mo>{digits}</mrow>"
        case Letters(text=text) | Script(letter=text):
            return f"<mi>{escape(text)}</mi>"
        case Words(text=text):
            return f"<mtext>{_words(text)}</mtext>"
        case Sign(glyph="log₂"):
            return "<msub><mi>log</mi><mn>2</mn></msub>"
        case Sign(glyph=glyph) if glyph.isalpha():
            return f"<mo>{glyph}</mo>" if glyph == "mod" else f"<mi>{glyph}</mi>"
        case Sign():
            return _sign(box)
        case Row(parts=parts):
            return f"<mrow>{''.join(map(element, parts))}</mrow>"
        case Listed(items=items):
            comma = '<mo separator="true">,</mo>'
            return f"<mrow>{comma.join(map(element, items))}</mrow>"
        case Fenced(fence=fence, body=body):
            return _between(_FENCES[fence], element(body), tall(body))
        case Indexed(base=base, index=index):
            return f"<msub>{element(base)}<mn>{escape(index)}</mn></msub>"
        case Power(base=base, exponent=exponent):
            return f"<msup>{element(base)}{element(exponent)}</msup>"
        case Fraction(top=top, bottom=bottom):
            return f"<mfrac>{element(top)}{element(bottom)}</mfrac>"
        case Root(body=body):
            return f"<msqrt>{element(body)}</msqrt>"
        case Summation(below=below, above=above):
            return f"<munderover><mo>∑</mo>{element(below)}{element(above)}</munderover>"
        case Modulo(modulus=modulus):
            inside = f'<mi>mod</mi><mspace width="0.3em"/><mn>{modulus}</mn>'
            return f'<mrow><mspace width="0.6em"/>{_between("()", inside)}</mrow>'
        case Cases(rows=rows):
            return _cases(rows)
    raise TypeError(f"not a box: {box!r}")


def _between(fences: str, inside: str, grown: bool = False) -> str:
    left, right = tuple(fences)
    fixed = "" if grown else ' stretchy="false"'
    return f"<mrow><mo{fixed}>{left}</mo>{inside}<mo{fixed}>{right}</mo></mrow>"


def _sign(sign: Sign) -> str:
    glyph = escape(sign.glyph)
    if sign in (boxes.COMMA, boxes.COLON):
        return f'<mo form="infix" separator="true" lspace="0" rspace="0.35em">{glyph}</mo>'
    if sign in (boxes.IFF, boxes.IMPLIES):
        return f'<mo form="infix" stretchy="false">{glyph}</mo>'
    if sign in (boxes.AND, boxes.OR, boxes.UNION):  # it may be the first of its row, where a line may begin
        return f'<mo form="infix">{glyph}</mo>'
    return f"<mo>{glyph}</mo>"


def _words(text: str) -> str:
    inner = escape(text.strip())
    before = _CLOSED if text.startswith(" ") else ""
    return f"{before}{inner}{_CLOSED if text.endswith(' ') else ''}"


def _cases(rows: tuple[tuple[Box, Box | None], ...]) -> str:
    lines = []
    for value, condition in rows:
        about = "<mtext>otherwise</mtext>"
        if condition is not None:
            about = f"<mrow><mtext>if{_CLOSED}</mtext>{element(condition)}</mrow>"
        lines.append(f"<mtr><mtd>{element(value)}</mtd><mtd>{about}</mtd></mtr>")
    table = f"<mtable>{''.join(lines)}</mtable>"
    return f'<mrow><mo form="prefix" stretchy="true">{{</mo>{table}</mrow>'
