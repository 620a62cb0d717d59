"""The interface tables: loading, checking, and the questions that the writers ask about them."""

import json
import pathlib
import re

# Row of an interface table, as it stands in the JSON file.
Entry = dict

# Types of array elements, with their kind in src/model/view/fields.h.
ELEMENT_KINDS = {
    "mjtNum": "kNum",
    "int": "kInt",
    "float": "kFloat",
    "mjtByte": "kByte",
    "char": "kChar",
    "mjtSize": "kSize",
    "uintptr_t": "kPointer",
    "mjContact": "kContact",
}

# Six-column fields of mjData that are motions or wrenches, angular part first. xfrc_applied has its force first.
SPATIAL_FIELDS = {"cdof", "cdof_dot", "cvel", "cacc", "cfrc_int", "cfrc_ext"}


class TableError(Exception):
    """A table contradicts itself or another one."""


class Tables:
    """All tables of a folder."""

    def __init__(self, folder: pathlib.Path):
        self.folder = folder
        self.constants: list[Entry] = self._load("constants")
        self.enums: list[Entry] = self._load("enums")
        self.types: list[Entry] = self._load("types")
        self.model: list[Entry] = self._load("model")
        self.data: list[Entry] = self._load("data")
        self.functions: list[Entry] = self._load("functions")
        self.globals: list[Entry] = self._load("globals")
        self.module: list[Entry] = self._load("module")
        self.names: list[Entry] = self._load("names")
        self.unimplemented = (folder / "unimplemented.txt").read_text().split()
        self._numbers = self._named_integers()
        self._check()

    def template(self, name: str) -> str:
        return (self.folder / "templates" / name).read_text()

    def header_names(self) -> list[str]:
        return sorted(path.name for path in (self.folder / "templates/include").glob("*.h"))

    def struct(self, name: str) -> Entry:
        return next(entry for entry in self.types if entry.get("struct") == name)

    def model_sizes(self) -> list[Entry]:
        return [entry for entry in self.model if entry.get("kind") == "size"]

    def model_arrays(self) -> list[Entry]:
        return [entry for entry in self.model if "rows" in entry]

    def data_of(self, kind: str) -> list[Entry]:
        """Returns the fields of mjData of a kind: buffer, arena, scalar, vector or member."""
        return [entry for entry in self.data if entry.get("kind") == kind]

    def number(self, expression: str) -> int | None:
        """Returns the value of a constant extent, None when it is a size of the model."""
        return int(expression) if expression.isdigit() else self._numbers.get(expression)

    def value_names(self) -> set[str]:
        """Returns the names of all constants and values of enumerations."""
        values = [value for enum in self.enums for value in enum["values"]]
        return {entry["name"] for entry in self.constants + values if "name" in entry}

    def _named_integers(self) -> dict[str, int]:
        entries = self.constants + [value for enum in self.enums for value in enum["values"]]
        return {e["name"]: int(e["value"]) for e in entries if re.fullmatch(r"-?\d+", e.get("value", ""))}

    def _load(self, name: str) -> list[Entry]:
        return json.loads((self.folder / f"{name}.json").read_text())

    def _check(self) -> None:
        names = [entry["name"] for entry in self.functions]
        if len(set(names)) != len(names):
            raise TableError("functions.json names a function twice")
        if self.unimplemented != sorted(set(self.unimplemented)):
            raise TableError("unimplemented.txt is not sorted or names a function twice")
        unknown = set(self.unimplemented) - set(names)
        if unknown:
            raise TableError(f"unimplemented.txt names what functions.json lacks: {', '.join(sorted(unknown))}")
        self._check_extents()

    def _check_extents(self) -> None:
        sizes = {entry["name"] for entry in self.model_sizes()}
        counts = {entry["name"] for entry in self.data_of("scalar")}
        for entry in self.model_arrays() + self.data_of("buffer") + self.data_of("arena"):
            if entry["type"] not in ELEMENT_KINDS:
                raise TableError(f"{entry['name']}: unknown element type {entry['type']}")
            for extent in (entry["rows"], entry["cols"]):
                size = split_extent(extent)[0]
                if self.number(extent) is None and size not in sizes | counts:
                    raise TableError(f"{entry['name']}: unknown extent {extent}")


def split_extent(extent: str) -> tuple[str, int]:
    """Splits "nmocap*3" into the size and its factor."""
    size, _, factor = extent.partition("*")
    return size, int(factor or 1)


def declare(entry: Entry, name: str | None = None) -> str:
    """Returns the C declaration of a struct member, without the semicolon."""
    name = name or entry["name"]
    if "params" in entry:
        return f"{entry['returns']} (*{name})({', '.join(entry['params']) or 'void'})"
    extent = "".join(f"[{e}]" for e in entry.get("extent", []))
    return f"{entry['type']} {name}{extent}"


def parameter_name(parameter: str) -> str:
    """Returns the name of a C parameter, also of a function pointer: "mjtNum res[3]" -> "res"."""
    if "(*" in parameter:
        return re.search(r"\(\*(\w+)\)", parameter).group(1)
    return re.match(r".*?([A-Za-z_]\w*)(\[.*\])?$", parameter.strip()).group(1)


def parameter_type(parameter: str) -> str:
    """Returns a C parameter without its name: "mjtNum res[3]" -> "mjtNum[3]"."""
    if parameter == "...":
        return parameter
    if "(*" in parameter:
        return re.sub(r"\(\*\w+\)", "(*)", parameter)
    return re.sub(r"\s*\b\w+(?=(\[[^\]]*\])*$)", "", parameter, count=1)
