"""The public structs as ctypes, made from the interface tables: nothing here has to be kept in step with the headers."""

import ctypes
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT / "tables"

SCALARS = {"mjtNum": ctypes.c_double, "double": ctypes.c_double, "float": ctypes.c_float, "int": ctypes.c_int,
           "mjtByte": ctypes.c_ubyte, "char": ctypes.c_char, "mjtSize": ctypes.c_int64, "size_t": ctypes.c_size_t,
           "uintptr_t": ctypes.c_void_p, "uint64_t": ctypes.c_uint64, "void*": ctypes.c_void_p}


def _read(name: str) -> list:
    return json.loads((TABLES / f"{name}.json").read_text())


def _constants() -> dict[str, int]:
    """Numbers by name: constants, and values of enumerations."""
    values = {}
    for entry in _read("constants"):
        try:
            values[entry["name"]] = int(entry["value"])
        except (KeyError, ValueError):
            continue  # groups, and constants that are no integers
    for enum in _read("enums"):
        following = 0
        for entry in enum.get("values", []):
            if "name" not in entry:
                continue
            given = entry.get("value", following)
            given = eval(str(given), {}, values)  # such as 1<<3; the tables are ours
            values[entry["name"]] = given
            following = given + 1
    return values


CONSTANTS = _constants()


def extent(text: str, sizes=None) -> int:
    """The value of an extent such as "3", "mjNREF", "nmocap*3"."""
    product = 1
    for factor in text.split("*"):
        factor = factor.strip()
        product *= int(factor) if factor.isdigit() else CONSTANTS[factor] if factor in CONSTANTS else getattr(sizes, factor)
    return product


def _structs() -> dict[str, type]:
    """Structs of plain members, in the order of the tables, in which they may refer to earlier ones."""
    known = dict(SCALARS)

    def members(fields: list) -> list:
        made = []
        for field in fields:
            if "name" not in field:
                continue
            if "fields" in field:
                kind = type(field["name"], (ctypes.Structure,), {"_fields_": members(field["fields"])})
            else:
                kind = known[field["type"]]
            for length in reversed(field.get("extent", [])):
                kind = kind * extent(length)
            made.append((field["name"], kind))
        return made

    for entry in _read("types"):
        if "struct" in entry:
            try:
                known[entry["struct"]] = type(entry["struct"], (ctypes.Structure,), {"_fields_": members(entry["fields"])})
            except KeyError:
                continue  # with members that are of no interest here
    return known


STRUCTS = _structs()


class Array:
    """An array of mjModel or mjData: name, type of its elements, extents."""

    def __init__(self, entry: dict):
        self.name, self.type, self.rows, self.columns = entry["name"], entry["type"], entry["rows"], entry["cols"]
        self.kind, self.stage = entry.get("kind", "buffer"), entry.get("stage")

    def count(self, sizes, counts=None) -> int:
        """How many elements it has in a model, and for counts such as nefc in a world."""
        rows = extent(self.rows, sizes) if not hasattr(type(counts), self.rows) else getattr(counts, self.rows)
        return rows * extent(self.columns, sizes)


def _whole(table: str) -> tuple[type, dict[str, Array]]:
    fields, arrays = [], {}
    for entry in _read(table):
        if "name" not in entry:
            continue
        if entry.get("kind") == "vector":
            length = extent(entry["rows"]) * extent(entry["cols"])
            fields.append((entry["name"], STRUCTS[entry["type"]] * length))
        elif "rows" in entry:
            fields.append((entry["name"], ctypes.c_void_p))
            arrays[entry["name"]] = Array(entry)
        else:
            fields.append((entry["name"], STRUCTS[entry["type"]]))
    return type(table, (ctypes.Structure,), {"_fields_": fields}), arrays


Model, MODEL_ARRAYS = _whole("model")
Data, DATA_ARRAYS = _whole("data")
