"""Types of C from text."""

import re
from typing import Optional, Union

from mujoco.introspect import ast_nodes

_Node = Union[ast_nodes.ValueType, ast_nodes.PointerType, ast_nodes.ArrayType]
_ARRAY = re.compile(r"(.*?)((?:\s*\[[^\[\]]*\])+)\s*$", re.DOTALL)


def _take_words(text: str, words: tuple) -> tuple[str, dict]:
    """Removes qualifiers; returns the rest and which there were."""
    found = {}
    for word in words:
        text, count = re.subn(rf"\b{word}\b", " ", text)
        if count > 1:
            raise ValueError(f"duplicate qualifier: {word!r}")
        found[f"is_{word}"] = bool(count)
    return " ".join(text.split()), found


def _parse_pointer(text: str, inner: Optional[_Node]) -> _Node:
    """A value type with any number of stars, around what stands inside parentheses."""
    text = text.strip()
    base, star, qualifiers = text.rpartition("*")
    if star:
        rest, found = _take_words(qualifiers, ("const", "volatile", "restrict"))
        if rest:
            raise ValueError(f"{rest!r} is not expected after '*'")
        if inner is None and not base.strip():
            raise ValueError("a pointer needs a type")
        return ast_nodes.PointerType(_parse_pointer(base, inner), **found)
    if inner is not None:
        if text:
            raise ValueError(f"{text!r} is not expected before parentheses")
        return inner
    rest, found = _take_words(text, ("const", "volatile"))
    return ast_nodes.ValueType(rest, **found)


def _parse_flat(text: str, inner: Optional[_Node]) -> _Node:
    """The same, perhaps of an array."""
    match = _ARRAY.match(text)
    if not match:
        return _parse_pointer(text, inner)
    extents = tuple(int(extent) if extent.strip() else 0 for extent in re.findall(r"\[([^\]]*)\]", match.group(2)))
    return ast_nodes.ArrayType(_parse_pointer(match.group(1), inner), extents)


def parse_type(type_name: str) -> _Node:
    """The type of a declaration without a name: `const int (*)[3]`."""
    match = re.fullmatch(r"([^()]*)\(([^()]*)\)([^()]*)", type_name)
    if match:
        outer = _parse_flat(match.group(1) + match.group(3), None)
        return _parse_flat(match.group(2), None if not match.group(2).strip() else outer)
    if "(" in type_name or ")" in type_name:
        return _parse_nested(type_name)
    return _parse_flat(type_name, None)


def _parse_nested(text: str) -> _Node:
    """Types with several parentheses, from the outermost inwards."""
    layers, rest = [], text
    while "(" in rest:
        begin, end = rest.index("("), rest.rindex(")") if ")" in rest else -1
        if end < begin:
            raise ValueError(f"{text!r} contains incorrectly nested parentheses")
        layers.append(rest[:begin] + rest[end + 1 :])
        rest = rest[begin + 1 : end]
    if ")" in rest:
        raise ValueError(f"{text!r} contains incorrectly nested parentheses")
    node = None
    for layer in [*layers, rest]:
        if "(" in layer or ")" in layer:
            raise ValueError(f"{text!r} contains incorrectly nested parentheses")
        node = _parse_flat(layer, node)
    return node


def parse_function_return_type(type_name: str) -> _Node:
    """The type that a function returns: `int (const char*)`."""
    return parse_type(type_name[: type_name.index("(")])
