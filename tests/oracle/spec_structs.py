"""The structures of specifications (mjs*) for ctypes, laid out as the introspection tables of the package mujoco tell."""

import ctypes

try:
    from mujoco.introspect import ast_nodes, structs
except ImportError:
    ast_nodes = structs = None

NUMBERS = {
    "double": ctypes.c_double, "mjtNum": ctypes.c_double, "float": ctypes.c_float, "int": ctypes.c_int,
    "mjtByte": ctypes.c_ubyte, "char": ctypes.c_char, "uint64_t": ctypes.c_uint64, "mjtSize": ctypes.c_int64,
}  # fmt: skip

_made: dict[str, type] = {}


def struct(name: str) -> type:
    """Returns the structure of a name, with the C types of its fields as `kinds`."""
    if name not in _made:
        _made[name] = _of(name, structs.STRUCTS[name].fields)
    return _made[name]


def _of(name: str, declarations) -> type:
    fields = [(field.name, _type(f"{name}.{field.name}", field.type)) for field in declarations]
    made = type(name, (ctypes.Structure,), {"_fields_": fields})
    made.kinds = {field.name: _kind(field.type) for field in declarations}
    return made


def _type(name: str, kind) -> type:
    if isinstance(kind, ast_nodes.ArrayType):
        made = _type(name, kind.inner_type)
        for extent in reversed(kind.extents):
            made *= extent
        return made
    if isinstance(kind, ast_nodes.PointerType):
        return ctypes.c_void_p
    if isinstance(kind, ast_nodes.AnonymousStructDecl):
        return _of(name, kind.fields)
    if kind.name in NUMBERS:
        return NUMBERS[kind.name]
    return struct(kind.name) if kind.name in structs.STRUCTS else ctypes.c_int  # else an enumeration


def _kind(kind) -> str:
    """Returns the name of a type without what is around it: double [3] -> double, mjString * -> mjString."""
    while isinstance(kind, (ast_nodes.ArrayType, ast_nodes.PointerType)):
        kind = kind.inner_type
    return getattr(kind, "name", "struct")


def numbers(made: type, offset: int = 0, path: str = ""):
    """Yields (path, offset, ctype, kind) of every number, and of every pointer to a text or list."""
    for name, kind in made._fields_:
        where, here = offset + getattr(made, name).offset, f"{path}{name}"
        inner, count = kind, 1
        while hasattr(inner, "_length_"):
            count, inner = count * inner._length_, inner._type_
        for i in range(count):
            at = here if count == 1 else f"{here}[{i}]"
            if hasattr(inner, "_fields_"):
                yield from numbers(inner, where + i * ctypes.sizeof(inner), f"{at}.")
            else:
                yield at, where + i * ctypes.sizeof(inner), inner, made.kinds[name]
