"""python/: enumerations, members of the structures of specifications, and stubs with shapes and meanings."""

from generator.tables import Entry, Tables
from generator.text import banner

_KINDS = {"double": "kNum", "mjtNum": "kNum", "float": "kFloat", "int": "kInt", "mjtByte": "kByte"}
_TEXTS = {"mjString*": "kText", "mjDoubleVec*": "kDoubles", "mjStringVec*": "kTexts"}

# Structures of specifications: name in Python, functions that add and find.
SPEC_STRUCTS = (
    "mjsBody", "mjsFrame", "mjsJoint", "mjsGeom", "mjsSite", "mjsCamera", "mjsLight", "mjsTendon", "mjsActuator",
    "mjsSensor", "mjsEquality", "mjsKey", "mjsMaterial", "mjsTexture", "mjsMesh", "mjsHField", "mjsPair", "mjsExclude",
    "mjsNumeric", "mjsText",
)  # fmt: skip

_NUMPY = {
    "mjtNum": "float64", "int": "int32", "float": "float32", "mjtByte": "uint8", "char": "int8", "mjtSize": "int64",
    "uintptr_t": "int64", "mjContact": "void", "size_t": "int64",
}  # fmt: skip


def generate(tables: Tables) -> dict[str, str]:
    return {
        "python/sinew/enums.py": _enums(tables),
        "python/src/spec_fields_generated.h": _spec_fields(tables),
        "python/sinew/_sinew.pyi": _stub(tables),
    }


def _comment(source: str) -> str:
    return banner(source).replace("//", "#")


def _enums(tables: Tables) -> str:
    lines = [_comment("tables/enums.json").rstrip(), '"""Enumerations of the C interface."""', "", "import enum", ""]
    names = {}
    for entry in tables.enums:
        values, last = [], -1
        for value in entry["values"]:
            if "name" not in value:
                continue
            text = value.get("value")
            number = last + 1 if text is None else _evaluate(text, names)
            if number is None:
                continue
            names[value["name"]] = last = number
            values.append(f"    {value['name']} = {number}")
        if values:
            lines += ["", f"class {entry['name']}(enum.IntEnum):", f'    """{entry["doc"]}"""', "", *values, ""]
    return "\n".join(lines)


def _evaluate(text: str, names: dict[str, int]) -> int | None:
    try:
        return int(eval(text.replace("u", ""), {"__builtins__": {}}, names))
    except (NameError, SyntaxError, TypeError, ValueError):
        return None


def _spec_fields(tables: Tables) -> str:
    enums = {entry["name"] for entry in tables.enums}
    lines = [banner("tables/types.json"), "inline constexpr SpecField kSpecFields[] = {"]
    for struct in SPEC_STRUCTS:
        for field in tables.struct(struct)["fields"]:
            kind = _KINDS.get(field.get("type")) or _TEXTS.get(field.get("type"))
            if field.get("type") in enums:
                kind = "kInt"
            if "name" not in field or not kind:
                continue
            count = " * ".join(field.get("extent", ["1"]))
            lines.append(f'    {{"{struct}", "{field["name"]}", offsetof({struct}, {field["name"]}), SpecKind::{kind}, {count}}},')
    return "\n".join([*lines, "};", ""])


# ---- stubs


def _shape(entry: Entry) -> str:
    rows, cols = entry["rows"], entry["cols"]
    return f"({rows},)" if cols == "1" else f"({rows}, {cols})"


def _meaning(entry: Entry) -> str:
    unit = f" [{entry['unit']}]" if "unit" in entry else ""
    frame = f", in {entry['frame']}" if "frame" in entry else ""
    return (entry.get("doc", "") + frame + unit).replace('"', "'").replace("\\", "")


def _array(entry: Entry) -> list[str]:
    dtype = _NUMPY[entry["type"]]
    element = "np.void" if dtype == "void" else f"np.{dtype}"
    return _property(entry["name"], f"npt.NDArray[{element}]", f"{_shape(entry)} {_meaning(entry)}")


def _property(name: str, kind: str, doc: str) -> list[str]:
    return ["    @property", f"    def {name}(self) -> {kind}:", f'        """{doc}"""']


def _scalar(entry: Entry) -> list[str]:
    return _property(entry["name"], "float" if entry["type"] == "mjtNum" else "int", _meaning(entry))


def _stub(tables: Tables) -> str:
    lines = [_comment("tables/model.json and tables/data.json").rstrip(), *_STUB_HEAD]
    lines += ["class Model:", *_MODEL_METHODS]
    for entry in tables.model_sizes():
        lines += _property(entry["name"], "int", _meaning(entry))
    for entry in tables.model_arrays():
        lines += _array(entry)
    lines += ["", "class Data:", *_DATA_METHODS]
    for entry in tables.data_of("scalar"):
        lines += _scalar(entry)
    for entry in tables.data_of("buffer") + tables.data_of("arena"):
        lines += _array(entry)
    return "\n".join([*lines, ""])


_STUB_HEAD = """from typing import Any, Optional

import numpy as np
import numpy.typing as npt

def version() -> str: ...
def interface_version() -> str: ...
def cxx_library() -> str: ...

class Members: ...
class Spec: ...
class Batch: ...
class Renderer: ...
""".split("\n")

_MODEL_METHODS = """    opt: Any
    stat: Any
    vis: Any
    @staticmethod
    def from_xml_path(path: Any, files: dict[str, bytes] = ...) -> Model: ...
    @staticmethod
    def from_xml_string(xml: str, files: dict[str, bytes] = ...) -> Model: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...
    def to_bytes(self) -> bytes: ...
    def copy(self) -> Model: ...
    def find(self, type: int, name: str) -> int: ...
    def name_of(self, type: int, id: int) -> str: ...""".split("\n")

_DATA_METHODS = """    def __init__(self, model: Model) -> None: ...
    model: Model
    def copy(self) -> Data: ...
    def step(self, steps: int = 1) -> None: ...
    def step1(self) -> None: ...
    def step2(self) -> None: ...
    def forward(self) -> None: ...
    def inverse(self) -> None: ...
    def kinematics(self) -> None: ...
    def rne_post_constraint(self) -> None: ...
    def reset(self, keyframe: int = -1) -> None: ...
    def jac_body(self, id: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def jac_site(self, id: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def jac_geom(self, id: int) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def mass_matrix(self) -> npt.NDArray[np.float64]: ...
    def contact_force(self, contact: int) -> npt.NDArray[np.float64]: ...
    def ray(self, point: Any, direction: Any, with_static: bool = ..., except_body: int = ...) -> tuple[float, int]: ...
    def transition_derivatives(self, eps: float = ..., centered: bool = ...) -> tuple[npt.NDArray[np.float64], ...]: ...
    def inverse_derivatives(self, eps: float = ..., actuation: bool = ...) -> tuple[npt.NDArray[np.float64], ...]: ...
    def state(self, parts: int = ...) -> npt.NDArray[np.float64]: ...
    def set_state(self, state: npt.NDArray[np.float64], parts: int = ...) -> None: ...
    def snapshot(self) -> bytes: ...
    def restore(self, snapshot: bytes) -> None: ...""".split("\n")
