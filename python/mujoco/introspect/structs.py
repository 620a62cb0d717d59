"""Structs of the C interface."""

from mujoco.introspect import _declarations
from mujoco.introspect.ast_nodes import AnonymousStructDecl, AnonymousUnionDecl, ArrayType, StructDecl, StructFieldDecl, ValueType
from mujoco.introspect.type_parsing import parse_type

# Members of a struct that share their memory: after which member, and which.
_UNIONS = {
    "mjuiItem": ("userid", ("single", "multi", "slider", "edit")),
}


def _field(row):
    kind, name, extents, doc, pointed = row
    if not isinstance(kind, str):
        return StructFieldDecl(name, AnonymousStructDecl(tuple(_field(inner) for inner in kind)), doc)
    node = parse_type(kind)
    if extents:
        node = ArrayType(node, extents)
    return StructFieldDecl(name, node, doc, pointed)


def _struct(name, rows):
    fields = [_field(row) for row in rows]
    if name in _UNIONS:
        after, members = _UNIONS[name]
        place = 1 + next(i for i, field in enumerate(fields) if field.name == after)
        meanings = {"single": "check and button", "multi": "static, radio and select", "slider": "slider", "edit": "edit"}
        inner = tuple(
            StructFieldDecl(member, ValueType(f"struct mjuiItem{member.capitalize()}_"), meanings[member]) for member in members
        )
        fields.insert(place, AnonymousUnionDecl(inner))
    return StructDecl(name, f"struct {name}_", tuple(fields))


STRUCTS = {name: _struct(name, rows) for name, rows in _declarations.STRUCTS}
