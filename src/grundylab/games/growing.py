"""Whether the upper end of a range becomes as large as one likes with the bounds that it mentions."""

from __future__ import annotations

from collections.abc import Collection

from grundylab.language.syntax import Binary, Call, Expr, Int, Name, free_names


def grows(high: Expr, bounds: Collection[str]) -> bool:
    """Whether the number plainly becomes as large as one likes with every bound that it mentions."""
    match high:
        case Name(id=name):
            return name in bounds
        case Binary(op="+", left=left, right=right):
            return all(grows(part, bounds) or not free_names(part) & set(bounds) for part in (left, right))
        case Binary(op="-", left=left, right=right):
            return grows(left, bounds) and not free_names(right) & set(bounds)
        case Binary(op="*", left=Int(value=value), right=right):
            return value > 0 and grows(right, bounds)
        case Binary(op="//" | "/", left=left, right=Int(value=value)):
            return value > 0 and grows(left, bounds)
        case Call(name="floor" | "ceil", arguments=(argument,)):
            return grows(argument, bounds)
    return False
