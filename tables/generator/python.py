"""python/: enumerations, members of the structures of specifications, and stubs with shapes and meanings."""

from generator.python_docs import documented
from generator.standing import of_element, standing
from generator.tables import Entry, Tables
from generator.text import banner

_KINDS = {"double": "kNum", "mjtNum": "kNum", "float": "kFloat", "int": "kInt", "mjtByte": "kByte"}
_TEXTS = {
    "mjString*": "kText", "mjStringVec*": "kTexts", "mjDoubleVec*": "kDoubles", "mjFloatVec*": "kFloats",
    "mjIntVec*": "kInts",
}  # fmt: skip

# Structures of specifications: name in Python, functions that add and find.
SPEC_STRUCTS = (
    "mjsBody", "mjsFrame", "mjsJoint", "mjsGeom", "mjsSite", "mjsCamera", "mjsLight", "mjsTendon", "mjsActuator",
    "mjsSensor", "mjsEquality", "mjsKey", "mjsMaterial", "mjsTexture", "mjsMesh", "mjsHField", "mjsPair", "mjsExclude",
    "mjsNumeric", "mjsText", "mjsTuple", "mjsFlex", "mjsSkin",
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


def evaluate_enums(tables: Tables) -> list[tuple[str, dict[str, int]]]:
    """All enumerations, with the numbers of their values."""
    names: dict[str, int] = {}
    all_values = []
    for entry in tables.enums:
        values: dict[str, int] = {}
        last = -1
        for value in entry["values"]:
            if "name" not in value:
                continue
            text = value.get("value")
            number = last + 1 if text is None else _evaluate(text, names)
            if number is None:
                continue
            names[value["name"]] = values[value["name"]] = last = number
        if values:
            all_values.append((entry["name"], values))
    return all_values


def _enums(tables: Tables) -> str:
    lines = [_comment("tables/enums.json").rstrip(), '"""Enumerations of the C interface."""', "", "import enum", ""]
    docs = {entry["name"]: entry["doc"] for entry in tables.enums}
    for name, values in evaluate_enums(tables):
        members = [f"    {value} = {number}" for value, number in values.items()]
        lines += ["", f"class {name}(enum.IntEnum):", f'    """{docs[name]}"""', "", *members, ""]
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
    lines.append("};")
    for name, struct in (("kCompilerFields", "mjsCompiler"), ("kSpecNumbers", "mjSpec")):
        lines += ["", f"inline constexpr StructMember {name}[] = {{"]
        for field in _numbers(tables, struct):
            kind = {"mjtSize": "kSize"}.get(field["type"]) or _KINDS[field["type"]]
            count = " * ".join(field.get("extent", ["1"]))
            lines.append(f'    {{"{field["name"]}", offsetof({struct}, {field["name"]}), ElementKind::{kind}, {count}}},')
        lines.append("};")
    return "\n".join([*lines, ""])


def _numbers(tables: Tables, struct: str) -> list[Entry]:
    """Numbers that a structure has itself."""
    known = {*_KINDS, "mjtSize"}
    hidden = ("hasImplicitPluginElem",)
    return [f for f in tables.struct(struct)["fields"] if f.get("type") in known and f.get("name") not in hidden]


# ---- stubs


def _shape(entry: Entry) -> str:
    rows, cols = entry["rows"], entry["cols"]
    return f"({rows},)" if cols == "1" else f"({rows}, {cols})"


def _meaning(entry: Entry, doc: str | None = None) -> str:
    unit = f" [{entry['unit']}]" if "unit" in entry else ""
    frame = f", in {entry['frame']}" if "frame" in entry else ""
    return ((standing(entry) if doc is None else doc) + frame + unit).replace('"', "'").replace("\\", "")


def _array(entry: Entry) -> list[str]:
    dtype = _NUMPY[entry["type"]]
    element = "np.void" if dtype == "void" else f"np.{dtype}"
    return _property(entry["name"], f"npt.NDArray[{element}]", f"{_shape(entry)} {_meaning(entry)}")


def _property(name: str, kind: str, doc: str) -> list[str]:
    return ["    @property", f"    def {name}(self) -> {kind}:", f'        """{doc}"""']


def _scalar(entry: Entry) -> list[str]:
    return _property(entry["name"], "float" if entry["type"] == "mjtNum" else "int", _meaning(entry))


def _stub(tables: Tables) -> str:
    lines = [_comment("tables/model.json, tables/data.json and tables/types.json").rstrip(), *_STUB_HEAD]
    lines += _structure(tables, "Options", "mjOption")
    lines += _structure(tables, "Statistics", "mjStatistic")
    lines += _visual(tables)
    lines += ["class Compiler(Members):", '    """How a specification is compiled."""']
    for field in _numbers(tables, "mjsCompiler"):
        lines += _member(field, set())
    lines.append("")
    lines += _named(tables)
    lines += ["class Model:", *_MODEL_METHODS]
    for method, short in _methods():
        lines.append(f"    def {short}(self, key: Union[str, int]) -> Model{method.capitalize()}: ...")
    for entry in tables.model_sizes():
        lines += _property(entry["name"], "int", _meaning(entry))
    for entry in tables.model_arrays():
        lines += _settable(entry)
    lines += ["", "class Data:", *_DATA_METHODS]
    for method, short in _methods():
        if method not in _MODEL_ONLY:
            lines.append(f"    def {short}(self, key: Union[str, int]) -> Data{method.capitalize()}: ...")
    for entry in tables.data_of("scalar"):
        lines += _scalar(entry)
    for entry in tables.data_of("vector"):
        if entry["type"] in ("int", "mjtNum", "mjtSize"):
            lines += _property(entry["name"], f"npt.NDArray[np.{_NUMPY[entry['type']]}]", _meaning(entry))
    for entry in tables.data_of("buffer") + tables.data_of("arena"):
        # contacts are a structured array, which Python makes of its bytes
        lines += _settable(entry) if entry["type"] != "mjContact" else _property(
            "contact", "npt.NDArray[np.void]", f"{_shape(entry)} {_meaning(entry)}: a structured array, valid until the next step")
    lines += _spec_elements(tables)
    numbers = [line for field in _numbers(tables, "mjSpec") for line in _member(field, set())]
    rest = [text for line in _STUB_REST for text in (numbers if line == "%s" else [line])]
    return documented("\n".join([*lines, *rest, ""]))


def _settable(entry: Entry) -> list[str]:
    return [*_array(entry), f"    @{entry['name']}.setter", f"    def {entry['name']}(self, value: npt.ArrayLike) -> None: ..."]


def _member(field: Entry, enums: set[str]) -> list[str]:
    """A variable of a class, and what it means."""
    if "name" not in field:
        return []
    kind = "int" if field["type"] in enums else {"mjtNum": "float", "double": "float", "float": "float"}.get(field["type"], "int")
    if "extent" in field:
        kind = f"npt.NDArray[np.{_NUMPY.get(field['type'], 'float64' if kind == 'float' else 'int32')}]"
    return [f"    {field['name']}: {kind}", f'    """{_meaning(field)}"""']


def _structure(tables: Tables, name: str, struct: str) -> list[str]:
    enums = {entry["name"] for entry in tables.enums}
    entry = tables.struct(struct)
    lines = [f"class {name}(Members):", f'    """{entry["doc"]}"""']
    for field in entry["fields"]:
        lines += _member(field, enums)
    return [*lines, ""]


def _visual(tables: Tables) -> list[str]:
    enums = {entry["name"] for entry in tables.enums}
    lines, parts = [], []
    for part in tables.struct("mjVisual")["fields"]:
        if "fields" not in part:
            continue
        name = part["name"]
        lines += [f"class Visual{name.capitalize()}(Members):", f'    """{part.get("doc", "")}"""']
        for field in part["fields"]:
            lines += _member(field, enums)
        lines.append("")
        parts.append(f"    {'global_' if name == 'global' else name}: Visual{name.capitalize()}")
    return [*lines, "class Visual(Members):", *parts, ""]


# Kinds of elements, as python/sinew/_named.py has them: method, count, prefixes in the model and in the data.
_KINDS_BY_NAME = (
    ("body", "nbody", ("body_",), ("body_",)), ("joint", "njnt", ("jnt_",), ("jnt_",)),
    ("geom", "ngeom", ("geom_",), ("geom_",)), ("site", "nsite", ("site_",), ("site_",)),
    ("camera", "ncam", ("cam_",), ("cam_",)), ("light", "nlight", ("light_",), ("light_",)),
    ("tendon", "ntendon", ("tendon_",), ("ten_", "tendon_")), ("actuator", "nu", ("actuator_",), ("actuator_",)),
    ("sensor", "nsensor", ("sensor_",), ()), ("equality", "neq", ("eq_",), ("eq_",)), ("flex", "nflex", ("flex_",), ("flex_",)),
    ("mesh", "nmesh", ("mesh_",), ()), ("skin", "nskin", ("skin_",), ()), ("hfield", "nhfield", ("hfield_",), ()),
    ("texture", "ntex", ("tex_",), ()), ("material", "nmat", ("mat_",), ()), ("pair", "npair", ("pair_",), ()),
    ("exclude", "nexclude", ("exclude_",), ()), ("numeric", "nnumeric", ("numeric_",), ()), ("text", "ntext", ("text_",), ()),
    ("tuple", "ntuple", ("tuple_",), ()), ("keyframe", "nkey", ("key_",), ()),
)  # fmt: skip
_MODEL_ONLY = tuple(method for method, _, _, of_data in _KINDS_BY_NAME if not of_data)
_SHORT = {"joint": "jnt", "camera": "cam", "tendon": "ten", "equality": "eq", "texture": "tex", "material": "mat", "keyframe": "key"}


def _methods() -> list[tuple[str, str]]:
    """Methods that find elements: the name of the kind, and that of the method, long and short."""
    return [(method, name) for method, *_ in _KINDS_BY_NAME for name in (method, _SHORT.get(method)) if name]


def _named(tables: Tables) -> list[str]:
    """Elements by name, with the members that python/sinew/_named.py gives them."""
    lines = ["class Named:", "    id: int", "    @property", "    def name(self) -> str: ...", ""]
    data = tables.data_of("buffer") + tables.data_of("arena")
    for method, rows, of_model, of_data in _KINDS_BY_NAME:
        lines += _members(f"Model{method.capitalize()}", tables.model_arrays(), method, rows, of_model)
        if method not in _MODEL_ONLY:
            lines += _members(f"Data{method.capitalize()}", data, method, rows, of_data)
    return lines


def _members(name: str, entries: list[Entry], method: str, rows: str, prefixes: tuple[str, ...]) -> list[str]:
    found: dict[str, list[str]] = {}
    spans = ("nq", "nv") if method == "joint" else ()
    for entry in entries:
        if entry["rows"] != rows and entry["rows"] not in spans:
            continue
        prefix = next((p for p in (*prefixes, *(("dof_",) if spans else ())) if entry["name"].startswith(p)), "")
        short = entry["name"][len(prefix) :]
        if short in found and entry["rows"] in spans or entry["type"] == "mjContact":
            continue
        element = _NUMPY[entry["type"]]
        single = entry["rows"] == rows and entry["cols"] == "1"
        kind = f"np.{element}" if single else f"npt.NDArray[np.{element}]"
        setter = [f"    @{short}.setter", f"    def {short}(self, value: npt.ArrayLike) -> None: ..."]
        found[short] = [*_property(short, kind, _meaning(entry, of_element(entry))), *setter]
    lines = [f"class {name}(Named):"]
    for text in found.values():
        lines += text
    return [*lines, *([] if found else ["    ..."]), ""]


def _spec_elements(tables: Tables) -> list[str]:
    enums = {entry["name"] for entry in tables.enums}
    lines = ["", "class Element:", '    """An element of a specification: members by kind, as the documents of mjSpec list them."""']
    lines += _ELEMENT_METHODS
    known: dict[str, list[str]] = {}
    for struct in SPEC_STRUCTS:
        for field in tables.struct(struct)["fields"]:
            writable = field.get("type") in _KINDS or field.get("type") in _TEXTS or field.get("type") in enums
            if "name" in field and writable:
                known.setdefault(field["name"], []).append(struct.removeprefix("mjs").lower())
    lines += [f"    {name}: Any  # {', '.join(kinds)}" for name, kinds in sorted(known.items()) if name not in ("name", "default")]
    return [*lines, ""]


_STUB_HEAD = """from os import PathLike
from typing import Any, Iterable, NamedTuple, Optional, Protocol, Sequence, Union

import numpy as np
import numpy.typing as npt

MODEL_FIELDS: list[tuple[str, str]]
DATA_FIELDS: list[tuple[str, str]]
CONTACT_MEMBERS: list[tuple[str, str, int, int]]
CONTACT_SIZE: int
VIEWED_STATE: int
PULL_NUMBERS: int

def version() -> str: ...
def interface_version() -> str: ...
def cxx_library() -> str: ...
def pull(data: Data, numbers: npt.ArrayLike) -> None: ...

class Shares(Protocol):
    \"\"\"A model, a world or a specification of this package or of the package mujoco: one memory under two classes.\"\"\"
    def _share(self) -> object: ...

class Members:
    \"\"\"Members of a structure of the engine.\"\"\"
    def __dir__(self) -> list[str]: ...
""".split("\n")

_MODEL_METHODS = """    opt: Options
    stat: Statistics
    vis: Visual
    @property
    def signature(self) -> int: ...
    def __init__(self, shared: Shares) -> None: ...
    def _share(self) -> object: ...
    @staticmethod
    def from_xml_path(path: Union[str, PathLike[str]], files: dict[str, bytes] = ...) -> Model: ...
    @staticmethod
    def from_osim(path: Union[str, PathLike[str]], files: dict[str, bytes] = ...) -> Model: ...
    @staticmethod
    def from_hfd(path: Union[str, PathLike[str]], files: dict[str, bytes] = ...) -> Model: ...
    @staticmethod
    def from_xml_string(xml: str, files: dict[str, bytes] = ...) -> Model: ...
    @staticmethod
    def from_bytes(bytes: bytes) -> Model: ...
    def to_bytes(self) -> bytes: ...
    def copy(self) -> Model: ...
    def __copy__(self) -> Model: ...
    def __deepcopy__(self, memo: Any) -> Model: ...
    def find(self, type: int, name: str) -> int:
        \"\"\"The number of the element of a type (mjtObj) and name; -1 when there is none.\"\"\"
    def name_of(self, type: int, id: int) -> str: ...""".split("\n")

_DATA_METHODS = """    solver: Any
    warning: Any
    timer: Any
    @property
    def signature(self) -> int: ...
    def __init__(self, model: Shares) -> None: ...
    def _share(self) -> object: ...
    @property
    def model(self) -> Model: ...
    def copy(self) -> Data: ...
    def __copy__(self) -> Data: ...
    def __deepcopy__(self, memo: Any) -> Data: ...
    def step(self, steps: int = 1) -> None: ...
    def step1(self) -> None: ...
    def step2(self) -> None: ...
    def forward(self) -> None: ...
    def inverse(self) -> None: ...
    def kinematics(self) -> None: ...
    def rne_post_constraint(self) -> None: ...
    def reset(self, keyframe: Union[str, int] = -1) -> None: ...
    def warnings(self) -> list[tuple[int, int]]:
        \"\"\"Of each kind of warning (mjtWarning): how often it was raised, and the info of the latest.\"\"\"
    def sensor(self, key: Union[str, int]) -> npt.NDArray[np.float64]: ...
    def jac_body(self, key: Union[str, int]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def jac_site(self, key: Union[str, int]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def jac_geom(self, key: Union[str, int]) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def mass_matrix(self) -> npt.NDArray[np.float64]: ...
    def contact_force(self, contact: int) -> npt.NDArray[np.float64]: ...
    def ray(self, point: Sequence[float], direction: Sequence[float], with_static: bool = True, except_body: int = -1) -> tuple[float, int]: ...
    def transition_derivatives(self, eps: float = 1e-6, centered: bool = True) -> tuple[npt.NDArray[np.float64], ...]:
        \"\"\"Finite differences of a step: A, B, C, D of the state and the sensors by state and control.\"\"\"
    def linearize(self, sensors: bool = False, smoothing: float = 0.0) -> tuple[npt.NDArray[np.float64], ...]:
        \"\"\"Derivatives of a step in closed form: A and B of the state by state and control, with `sensors` C and D too; `smoothing` rounds the corners of constraints.\"\"\"
    def inverse_derivatives(self, eps: float = 1e-6, actuation: bool = False) -> tuple[npt.NDArray[np.float64], ...]: ...
    def state(self, parts: int = ...) -> npt.NDArray[np.float64]: ...
    def set_state(self, state: npt.ArrayLike, parts: int = ...) -> None: ...
    def step_dense(self, times: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]: ...
    @property
    def error_control(self) -> Optional[dict[str, float]]: ...
    def snapshot(self) -> bytes: ...
    def restore(self, snapshot: bytes) -> None: ...""".split("\n")

_ELEMENT_METHODS = """    name: str
    @property
    def parent(self) -> Optional[Element]: ...
    def add(self, kind: str, **values: Any) -> Element:
        \"\"\"Adds a joint, geom, site, camera, light, frame or body to this body or frame. `default`: the class of defaults.\"\"\"
    def attach(self, child: Union[Spec, Element], prefix: str = "", suffix: str = "") -> Element:
        \"\"\"Puts a copy of a specification, body or frame below this body, frame or site.\"\"\"
    def wrap_site(self, name: str) -> None: ...
    def wrap_geom(self, name: str, side_site: str = "") -> None: ...
    def wrap_joint(self, name: str, coef: float) -> None: ...
    def wrap_pulley(self, divisor: float) -> None: ...
    def add_limit_force(self, range: npt.ArrayLike, stiffness: npt.ArrayLike, transition: float, damping: float = 0.0, forcedamping: float = 0.0) -> None: ...
    def clear_limit_forces(self) -> None: ...
    def add_ligament(self, slacklength: float, stiffness: float, transition: float = 0.06, damping: float = 0.003) -> None: ...
    def add_ligament_curve(self, slacklength: float, force: float, function: str, numbers: npt.ArrayLike) -> None: ...
    def clear_ligaments(self) -> None: ...
    def add_bushing(self, other: str, stiffness: npt.ArrayLike, damping: npt.ArrayLike | None = None) -> None: ...
    def clear_bushings(self) -> None: ...
    def add_reflex(
        self, sensor: str, gain: float = 1.0, reference: float = 0.0, offset: float = 0.0, rectify: bool = True, factor: str = "",
        phases: Sequence[tuple[str, float, float]] = (),
    ) -> None: ...
    def clear_reflexes(self) -> None: ...
    def set_to_motor(self) -> None: ...
    def set_to_position(
        self, kp: float, kv: Optional[float] = None, dampratio: Optional[float] = None, timeconst: Optional[float] = None,
        inheritrange: float = 0,
    ) -> None: ...
    def set_to_velocity(self, kv: float) -> None: ...
    def set_to_damper(self, kv: float) -> None: ...
    def set_to_adhesion(self, gain: float) -> None: ...
    @property
    def kind(self) -> str: ...
    frame: Optional[Element]
    def delete(self) -> None: ...
    def __dir__(self) -> list[str]: ...""".split("\n")

_STUB_REST = """class Default:
    \"\"\"A class of defaults: elements that others begin as.\"\"\"
    joint: Element
    geom: Element
    site: Element
    camera: Element
    light: Element
    flex: Element
    mesh: Element
    material: Element
    pair: Element
    equality: Element
    tendon: Element
    actuator: Element
    name: str

class Spec:
    \"\"\"A model that is edited, then compiled.\"\"\"
    def __init__(self, shared: Optional[Shares] = None) -> None: ...
    def _share(self) -> object: ...
    @staticmethod
    def from_xml_path(path: Union[str, PathLike[str]], files: dict[str, bytes] = ...) -> Spec: ...
    @staticmethod
    def from_xml_string(xml: str, files: dict[str, bytes] = ...) -> Spec: ...
    @property
    def world(self) -> Element: ...
    @property
    def files(self) -> dict[str, bytes]:
        \"\"\"Files in memory that the model may name, in front of the disk.\"\"\"
    option: Options
    stat: Statistics
    visual: Visual
    compiler: Compiler
    modelname: str
    comment: str
    modelfiledir: str
    meshdir: str
    texturedir: str
    eulerseq: str
%s
    def default(self, name: str = "main") -> Default:
        \"\"\"A class of defaults: default("main").geom.rgba = ...\"\"\"
    def add_default(self, name: str, parent: str = "main") -> Default: ...
    def __copy__(self) -> Spec: ...
    def __deepcopy__(self, memo: Any) -> Spec: ...
    def add(self, kind: str, **values: Any) -> Element:
        \"\"\"Adds an actuator, sensor, tendon, equality, pair, exclude, key, material, texture, mesh, hfield, numeric, text, tuple, flex or skin.\"\"\"
    def add_musculotendon(self, tendon: str, **values: Any) -> Element: ...
    def find(self, kind: str, name: str) -> Element: ...
    def all(self, kind: str) -> list[Element]: ...
    def compile(self) -> Model: ...
    def to_xml(self) -> str: ...
    def copy(self) -> Spec: ...

class WorldsElement:
    id: int
    @property
    def name(self) -> str: ...
    def __getattr__(self, name: str) -> npt.NDArray[Any]: ...
    def __setattr__(self, name: str, value: npt.ArrayLike) -> None: ...

class Contacts(NamedTuple):
    count: npt.NDArray[np.int32]
    geom: npt.NDArray[np.int32]
    flex: npt.NDArray[np.int32]
    dim: npt.NDArray[np.int32]
    dist: npt.NDArray[np.float64]
    pos: npt.NDArray[np.float64]
    frame: npt.NDArray[np.float64]
    friction: npt.NDArray[np.float64]
    force: npt.NDArray[np.float64]

class Batch:
    \"\"\"Many worlds of a model. Arrays are views: worlds x size, worlds x rows x columns, or worlds.\"\"\"
    def __init__(
        self,
        model: Shares,
        worlds: int,
        threads: int = 0,
        persistent: bool = False,
        precision: str = "double",
        first_world: int = 0,
        packs: str = "faster",
    ) -> None: ...
    def __len__(self) -> int: ...
    @property
    def model(self) -> Model: ...
    @property
    def count(self) -> int: ...
    @property
    def threads(self) -> int: ...
    @property
    def obstacle_to_packs(self) -> Optional[str]:
        \"\"\"Why worlds run one after the other and not in packs.\"\"\"
    @property
    def status(self) -> npt.NDArray[np.int32]:
        \"\"\"What happened to each world since its reset; 0: nothing.\"\"\"
    def body(self, key: Union[str, int]) -> WorldsElement: ...
    def joint(self, key: Union[str, int]) -> WorldsElement: ...
    def geom(self, key: Union[str, int]) -> WorldsElement: ...
    def site(self, key: Union[str, int]) -> WorldsElement: ...
    def camera(self, key: Union[str, int]) -> WorldsElement: ...
    def light(self, key: Union[str, int]) -> WorldsElement: ...
    def tendon(self, key: Union[str, int]) -> WorldsElement: ...
    def actuator(self, key: Union[str, int]) -> WorldsElement: ...
    def equality(self, key: Union[str, int]) -> WorldsElement: ...
    def flex(self, key: Union[str, int]) -> WorldsElement: ...
    def sensor(self, key: Union[str, int]) -> npt.NDArray[np.float64]: ...
    def mask_of(self, worlds: npt.ArrayLike) -> npt.NDArray[np.bool_]: ...
    def keep_contacts(self, keep: bool = True) -> None: ...
    def contacts(self, capacity: Optional[int] = None, mask: Optional[npt.NDArray[np.bool_]] = None) -> Contacts: ...
    def rays(
        self,
        points: npt.ArrayLike,
        directions: npt.ArrayLike,
        upright: bool = False,
        exclude: Union[str, int, None] = None,
        groups: Optional[Sequence[bool]] = None,
        static: bool = True,
        mask: Optional[npt.NDArray[np.bool_]] = None,
        **frame: Union[str, int],
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int32]]: ...
    def jac_body(
        self, key: Union[str, int], mask: Optional[npt.NDArray[np.bool_]] = None
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def jac_geom(
        self, key: Union[str, int], mask: Optional[npt.NDArray[np.bool_]] = None
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def jac_site(
        self, key: Union[str, int], mask: Optional[npt.NDArray[np.bool_]] = None
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]: ...
    def cause(self, world: int) -> str: ...
    def world(self, world: int) -> Data:
        \"\"\"A copy of a world, with its own model, after a forward pass.\"\"\"
    def state(self, name: str) -> npt.NDArray[np.float64]:
        \"\"\"A part of the state: time, qpos, qvel, act, ctrl, ...; what is written there is the state of the next call.\"\"\"
    def output(self, name: str) -> npt.NDArray[Any]:
        \"\"\"An array or count of Data, filled by each call.\"\"\"
    def parameter(self, name: str) -> npt.NDArray[Any]:
        \"\"\"An array of Model, "opt.name" or "stat.name", with values of its own in each world.\"\"\"
    def set_const(self, mask: Optional[npt.NDArray[np.bool_]] = None) -> int: ...
    def step(self, steps: int = 1, mask: Optional[npt.NDArray[np.bool_]] = None, stage: int = 0) -> int:
        \"\"\"Steps the worlds of the mask, then computes stages (mjtStage) at the new state; returns how many failed.\"\"\"
    def step_async(self, steps: int = 1, mask: Optional[npt.NDArray[np.bool_]] = None, stage: int = 0) -> None: ...
    def wait(self) -> int: ...
    def forward(self, mask: Optional[npt.NDArray[np.bool_]] = None, stage: int = ...) -> int: ...
    def reset(
        self,
        mask: Optional[npt.NDArray[np.bool_]] = None,
        keyframes: Optional[npt.NDArray[np.int32]] = None,
        stage: int = ...,
    ) -> int: ...
    def rollout(
        self,
        control: npt.NDArray[np.float64],
        records: Sequence[str] = ("qpos", "qvel"),
        mask: Optional[npt.NDArray[np.bool_]] = None,
        control_spec: int = 64,
        out: Optional[dict[str, npt.NDArray[Any]]] = None,
    ) -> dict[str, npt.NDArray[Any]]:
        \"\"\"Steps with controls (worlds x steps x nu, or steps x nu for all worlds) from the present states. Records come back with worlds
        and steps first, and then the shape of outputs: `xpos` is worlds x steps x nbody x 3. `status` and `rows` are records of each
        world: what happened to it, and how many rows it has up to its failure; the last one is repeated behind. `control_spec`: other
        parts of the state (mjtState) that are set before each step, one behind the other. `out`: arrays to write to, by name.\"\"\"
    def load(self, data: Union[Data, Sequence[Data]], mask: Optional[npt.NDArray[np.bool_]] = None) -> None:
        \"\"\"Sets the states of the worlds of the mask: to that of one `Data`, or of one for each world.\"\"\"
    def set_models(self, models: Optional[Sequence[Model]]) -> None:
        \"\"\"Worlds run on these models, one each, from now on: with meshes, sizes and names of their own, and the layout of the batch's
        model. None: on that of the batch again.\"\"\"
    def transition_derivatives(
        self, eps: float = 1e-6, centered: bool = True, mask: Optional[npt.NDArray[np.bool_]] = None
    ) -> tuple[npt.NDArray[np.float64], ...]: ...
    def linearize(
        self, sensors: bool = False, mask: Optional[npt.NDArray[np.bool_]] = None, smoothing: float = 0.0
    ) -> tuple[npt.NDArray[np.float64], ...]:
        \"\"\"Derivatives of a step of each world in closed form: A and B, with `sensors` C and D too.\"\"\"
    def rollout_gradient(
        self,
        control: npt.NDArray[np.float64],
        by_states: npt.NDArray[np.float64],
        parameters: Sequence[str] = (),
        mask: Optional[npt.NDArray[np.bool_]] = None,
        smoothing: float = 0.0,
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], dict[str, npt.NDArray[np.float64]]]:
        \"\"\"Gradients of a rollout by its start, its control and parameters, from slopes by the states after each step
        (qpos, qvel, act).\"\"\"
    def randomize(
        self, name: str, low: npt.ArrayLike, high: npt.ArrayLike, draw: str = "uniform", combine: str = "set",
        **elements: Union[str, Sequence[str]],
    ) -> None:
        \"\"\"Draws a part of the state or a parameter at each reset, of all elements or of those with these names (body="*thigh").
        `draw`: uniform, loguniform, normal (mean and deviation); `combine`: set, add, scale. What was asked of the same field
        before is replaced.\"\"\"
    def clear_randomization(self) -> None: ...
    def seed(self, seed: int) -> None: ...
    def render(
        self, renderer: Renderer, worlds: Optional[Iterable[int]] = None, depth: bool = False, segmentation: bool = False
    ) -> npt.NDArray[Any]: ...

class Renderer:
    \"\"\"Draws pictures of a model's worlds on the processor.\"\"\"
    def __init__(self, model: Shares, width: int = 640, height: int = 480, samples: int = 0) -> None: ...
    @property
    def model(self) -> Model: ...
    def use(self, camera: Union[str, int]) -> None: ...
    def use_camera(self, id: int) -> None: ...
    def look(
        self, at: Sequence[float], distance: float, azimuth: float = 90.0, elevation: float = -20.0, body: int = -1
    ) -> None: ...
    def render(self, data: Data, depth: bool = False, segmentation: bool = False) -> npt.NDArray[Any]:
        \"\"\"Bytes of height x width x 3; `depth`: metres; `segmentation`: number and type (mjtObj) of what is seen.\"\"\"
""".split("\n")
