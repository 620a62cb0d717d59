"""python/mujoco/*.pyi: types of the package `mujoco`."""

from generator.module import HANDLES, NAMED, NUMBERS, SHAPES, STRUCTS, _named_fields
from generator.python import evaluate_enums
from generator.tables import Entry, Tables, parameter_name
from generator.text import banner

_DTYPES = {"d": "float64", "f": "float32", "i": "int32", "I": "uint32", "l": "int64", "L": "uint64", "B": "uint8", "b": "int8"}
_HEAD = ("from typing import Any, Callable, Iterator, Mapping, Optional, Sequence, Union", "", "import numpy as np", "import numpy.typing as npt", "")


def generate(tables: Tables) -> dict[str, str]:
    return {
        "python/mujoco/_enums.pyi": _enums(tables),
        "python/mujoco/_constants.pyi": _constants(tables),
        "python/mujoco/_structs.pyi": _structs(tables),
        "python/mujoco/_specs.pyi": _specs(tables),
        "python/mujoco/_functions.pyi": _functions(tables),
    }


def _start(source: str, *lines: str) -> list[str]:
    return [banner(source).replace("//", "#").rstrip(), *lines]


def _text(doc: str) -> str:
    return '"""' + doc.replace("\\", "").replace('"', "'").replace("\n", " ") + '"""'


def _enums(tables: Tables) -> str:
    newer: dict[str, list[str]] = {}
    for row in tables.names:
        if "is" not in row:
            enum, _, name = row["name"].partition(".")
            newer.setdefault(enum, []).append(name)
    lines = _start("tables/enums.json and tables/names.json", "", "class Enumeration(int):", "    name: str", "    value: int", "    __members__: dict[str, Enumeration]", "")
    values = dict(evaluate_enums(tables))
    for enum in [*values, *(enum for enum in newer if enum not in values)]:
        lines += [f"class {enum}(Enumeration):", *(f"    {name}: {enum}" for name in [*values.get(enum, {}), *newer.get(enum, [])]), ""]
    return "\n".join(lines)


def _constants(tables: Tables) -> str:
    lines = _start("tables/constants.json", "", "mjMINVAL: float")
    for entry in tables.constants:
        if "name" in entry and "value" in entry:
            kind = "float" if any(letter in entry["value"] for letter in ".E") else "int"
            lines += [f"{entry['name']}: {kind}", _text(entry.get("doc", ""))]
    for name in ("mjDISABLESTRING", "mjENABLESTRING", "mjTIMERSTRING", "mjLABELSTRING", "mjFRAMESTRING"):
        lines.append(f"{name}: tuple[str, ...]")
    return "\n".join([*lines, "mjVISSTRING: tuple[tuple[str, str, str], ...]", "mjRNDSTRING: tuple[tuple[str, str, str], ...]", ""])


def _python(struct: str) -> str:
    return "M" + struct[1:]


def _array(element: str) -> str:
    return f"npt.NDArray[np.{_DTYPES[element]}]"


def _attribute(struct: str, entry: Entry, enums: set[str]) -> list[str]:
    """A member of a class, and what it means."""
    name, kind = entry["name"], entry.get("type", "")
    bare = kind.rstrip("*")
    several = bool(entry.get("extent") or "rows" in entry or f"{struct}.{name}" in SHAPES)
    if kind in HANDLES:
        of = {"kString": "str", "kStrings": "Sequence[str]", "kVector": "Any", "kBytes": "bytes", "kVectors": "list[Any]"}[HANDLES[kind][0]]
    elif kind in enums:
        of = kind
    elif bare in STRUCTS:
        of = f"Sequence[{_python(bare)}]" if several else _python(bare)
        if several:
            of = {"mjContact": "_MjContactList"}.get(bare, of)
    elif bare == "char":
        of = "bytes" if name in ("names", "paths", "text_data") else _array("b") if "rows" in entry else "str"
    elif bare in NUMBERS and (several or kind.endswith("*")):
        of = _array(NUMBERS[bare])
    elif kind in NUMBERS:
        of = "float" if NUMBERS[kind] in "df" else "int"
    else:
        return []
    python = {"global": "global_"}.get(name, name)
    return [f"    {python}: {of}", "    " + _text(entry.get("doc", ""))]


def _newer(tables: Tables, cls: str) -> list[str]:
    """Attributes of other releases."""
    lines = []
    for row in tables.names:
        owner, _, name = row["name"].partition(".")
        if owner != cls or row.get("is") in (None, "absent", "method", "bool"):
            continue
        kind = f"npt.NDArray[np.{row['dtype']}]" if "dtype" in row else "Any"
        lines.append(f"    {name}: {kind}")
    return lines


def _class(tables: Tables, struct: str, enums: set[str], base: str = "") -> list[str]:
    source = {"mjModel": tables.model, "mjData": tables.data}.get(struct)
    entry = tables.struct(struct)
    lines = [f"class {_python(struct)}{base}:", "    " + _text(entry.get("doc", ""))]
    for field in source or entry["fields"]:
        if "fields" in field:
            python = {"global": "global_"}.get(field["name"], field["name"])
            lines.append(f"    {python}: {_python(struct)}.{field['name'].capitalize()}")
            lines += [f"    class {field['name'].capitalize()}:"]
            lines += ["    " + line for inner in field["fields"] if "name" in inner for line in _attribute(struct, inner, enums)]
        elif "name" in field:
            lines += _attribute(struct, field, enums)
    return [*lines, *_newer(tables, _python(struct)), "    def __copy__(self) -> Any: ...", "    def __deepcopy__(self, memo: dict[int, Any]) -> Any: ..."]


_SHARE = "    def _share(self) -> object: ..."
_MODEL = (
    "    def __init__(self, shared: Any) -> None: ...", _SHARE,
    "    @staticmethod", "    def from_xml_path(filename: str, assets: Optional[Mapping[str, bytes]] = None, vfs: Any = None) -> MjModel: ...",
    "    @staticmethod", "    def from_xml_string(xml: Union[str, bytes], assets: Optional[Mapping[str, bytes]] = None, vfs: Any = None) -> MjModel: ...",
    "    @staticmethod", "    def from_binary_path(filename: str, assets: Optional[Mapping[str, bytes]] = None, vfs: Any = None) -> MjModel: ...",
    "    def bind(self, specs: Any) -> Any: ...",
)  # fmt: skip
_DATA = ("    def __init__(self, model: Any) -> None: ...", _SHARE, "    @property", "    def model(self) -> MjModel: ...", "    def bind(self, specs: Any) -> Any: ...")


def _structs(tables: Tables) -> str:
    enums = {entry["name"] for entry in tables.enums}
    lines = _start("tables/types.json, tables/model.json and tables/data.json", "from mujoco._enums import *", *_HEAD)
    views: list[str] = []
    methods: dict[str, list[str]] = {"Model": [], "Data": []}
    for kind, _, count, model_methods, data_methods, model_prefix, data_prefix in NAMED:
        for world, names, prefix in (("Model", model_methods, model_prefix), ("Data", data_methods, data_prefix)):
            if not names:
                continue
            views += [f"class _Mj{world}{kind}Views:", "    id: int", "    name: str"]
            views += [f"    {field}: npt.NDArray[Any]" for field in sorted(_named_fields(tables, world, kind, count, prefix))] + [""]
            methods[world] += [f"    def {name}(self, name: Union[int, str] = ...) -> _Mj{world}{kind}Views: ..." for name in names.split()]
    for struct in STRUCTS:
        if struct.startswith(("mjs", "mjSpec")):
            continue
        lines += _class(tables, struct, enums)
        lines += {"mjModel": [*_MODEL, *methods["Model"]], "mjData": [*_DATA, *methods["Data"]]}.get(struct, [])
        if struct == "mjvScene":
            lines.append("    def __init__(self, model: Optional[MjModel] = None, maxgeom: int = 0) -> None: ...")
        if struct == "mjrContext":
            lines += ["    def __init__(self, model: Optional[MjModel] = None, fontscale: Any = None) -> None: ...", "    def free(self) -> None: ..."]
        if struct == "mjrRect":
            lines.append("    def __init__(self, left: int, bottom: int, width: int, height: int) -> None: ...")
        lines.append("")
    lines += ["class _MjContactList:", "    def __len__(self) -> int: ...", "    def __iter__(self) -> Iterator[MjContact]: ...", "    def __getitem__(self, i: Any) -> Any: ..."]
    lines += [f"    {field['name']}: npt.NDArray[Any]" for field in tables.struct("mjContact")["fields"] if "name" in field]
    return "\n".join([*lines, "", *views])


_SPEC_KINDS = (
    ("body", "bodies", "Body"), ("joint", "joints", "Joint"), ("geom", "geoms", "Geom"), ("site", "sites", "Site"),
    ("camera", "cameras", "Camera"), ("light", "lights", "Light"), ("frame", "frames", "Frame"),
    ("actuator", "actuators", "Actuator"), ("sensor", "sensors", "Sensor"), ("flex", "flexes", "Flex"), ("pair", "pairs", "Pair"),
    ("exclude", "excludes", "Exclude"), ("equality", "equalities", "Equality"), ("tendon", "tendons", "Tendon"),
    ("numeric", "numerics", "Numeric"), ("text", "texts", "Text"), ("tuple", "tuples", "Tuple"), ("key", "keys", "Key"),
    ("mesh", "meshes", "Mesh"), ("hfield", "hfields", "HField"), ("skin", "skins", "Skin"), ("texture", "textures", "Texture"),
    ("material", "materials", "Material"), ("plugin", "plugins", "Plugin"),
)  # fmt: skip
_IN_BODY = ("body", "joint", "geom", "site", "camera", "light", "frame")


def _children() -> list[str]:
    lines = []
    for name, plural, struct in _SPEC_KINDS:
        if name in _IN_BODY:
            lines += ["    @property", f"    def {plural}(self) -> list[Mjs{struct}]: ...", f"    def first_{name}(self) -> Optional[Mjs{struct}]: ..."]
            lines.append(f"    def next_{name}(self, child: Mjs{struct}) -> Optional[Mjs{struct}]: ...")
    return [*lines, "    def find_all(self, what: Any) -> list[Any]: ...", "    def find_child(self, name: str) -> Optional[MjsBody]: ...",
            "    def to_frame(self) -> MjsFrame: ...", "    def add_freejoint(self, **values: Any) -> MjsJoint: ...",
            "    def attach_frame(self, frame: MjsFrame, prefix: Optional[str] = None, suffix: Optional[str] = None) -> MjsFrame: ..."]  # fmt: skip


def _specs(tables: Tables) -> str:
    enums = {entry["name"] for entry in tables.enums}
    lines = _start("tables/types.json", "from mujoco._enums import *", "from mujoco._structs import *", *_HEAD)
    adders = [f"    def add_{name}(self, default: Any = None, **values: Any) -> Mjs{struct}: ..." for name, _, struct in _SPEC_KINDS if name in _IN_BODY]
    attach = "    def attach_body(self, body: MjsBody, prefix: Optional[str] = None, suffix: Optional[str] = None) -> MjsBody: ..."
    for struct in STRUCTS:
        if not struct.startswith("mjs"):
            continue
        lines += _class(tables, struct, enums)
        lines += [] if struct == "mjsPlugin" else ["    name: str"]
        lines += ["    id: int", "    signature: int", "    parent: MjsBody", "    frame: Optional[MjsFrame]", "    classname: MjsDefault",
                  "    def set_frame(self, frame: MjsFrame) -> None: ...", "    def __getattr__(self, name: str) -> Any: ..."]  # fmt: skip
        lines += {"mjsBody": [*adders, *_children()], "mjsFrame": [*adders, attach], "mjsSite": [attach]}.get(struct, [])
        lines.append("")
    lines += ["class MjSpec:", "    assets: dict[str, Any]", "    override_assets: bool", "    meshdir: str", "    texturedir: str", "    parent: Optional[MjSpec]",
              "    worldbody: MjsBody", "    default: MjsDefault", "    copy_during_attach: bool"]  # fmt: skip
    for field in tables.struct("mjSpec")["fields"]:
        if field.get("name") not in (None, "element"):
            lines += _attribute("mjSpec", field, enums)
    for name, plural, struct in _SPEC_KINDS:
        lines += [f"    def {name}(self, name: str) -> Optional[Mjs{struct}]: ...", "    @property", f"    def {plural}(self) -> list[Mjs{struct}]: ..."]
        if name not in _IN_BODY:
            lines.append(f"    def add_{name}(self, default: Any = None, **values: Any) -> Mjs{struct}: ...")
    return "\n".join([*lines, *_SPEC_METHODS, ""])


_SPEC_METHODS = (
    "    def __init__(self, shared: Any = None) -> None: ...", _SHARE,
    "    @staticmethod", "    def from_string(xml: str, include: Any = None, assets: Any = None, vfs: Any = None) -> MjSpec: ...",
    "    @staticmethod", "    def from_file(filename: Any, include: Any = None, assets: Any = None, vfs: Any = None) -> MjSpec: ...",
    "    @staticmethod", "    def from_zip(file: Any) -> MjSpec: ...",
    "    @staticmethod", "    def resolve_orientation(degree: bool, sequence: Any = None, orientation: Any = None) -> list[float]: ...",
    "    def compile(self, vfs: Any = None) -> MjModel: ...",
    "    def recompile(self, model: MjModel, data: MjData, vfs: Any = None) -> Sequence[Any]: ...",
    "    def adopt_inertial(self, body: MjsBody, vfs: Any = None) -> None: ...",
    "    def discard_visual(self, vfs: Any = None) -> int: ...", "    def fuse_static(self, vfs: Any = None) -> int: ...",
    "    def to_xml(self) -> str: ...", "    def to_file(self, filename: Any) -> None: ...", "    def to_zip(self, file: Any) -> None: ...",
    "    def encode(self, filename: Any, model: Optional[MjModel] = None, content_type: Optional[str] = None) -> int: ...",
    "    def copy(self) -> MjSpec: ...", "    def copy_back(self, model: MjModel) -> None: ...", "    def delete(self, element: Any) -> None: ...",
    "    def attach(self, child: MjSpec, prefix: Optional[str] = None, suffix: Optional[str] = None, site: Any = None, frame: Any = None) -> MjsFrame: ...",
    "    def find_default(self, name: str) -> Optional[MjsDefault]: ...",
    "    def add_default(self, name: str, parent: Optional[MjsDefault] = None) -> Optional[MjsDefault]: ...",
    "    def activate_plugin(self, name: str) -> None: ...",
)  # fmt: skip


def _functions(tables: Tables) -> str:
    known = {entry["name"]: entry for entry in tables.functions}
    lines = _start("tables/functions.json and tables/module.json", "from mujoco._specs import *", "from mujoco._structs import *", *_HEAD)
    for row in tables.module:
        function = {**known.get(row["name"], {}), **row}
        if not row["name"].startswith(("mj_", "mjd_", "mju_", "mjv_")):
            continue
        parameters = [_parameter(p, function) for p in function["params"] if parameter_name(p) not in function.get("derived", [])]
        lines += [f"def {row['name']}({', '.join(parameters)}) -> {_result(function['returns'])}:", "    " + _text(function.get("doc", "")), ""]
    lines += [
        "def mj_saveModel(m: MjModel, filename: Optional[str] = None, buffer: Optional[npt.NDArray[np.uint8]] = None) -> None: ...",
        "def mj_printSchema(flg_html: bool, flg_pad: bool) -> str: ...", "def mj_saveLastXML(filename: str, m: MjModel) -> None: ...",
        "def mj_setLengthRange(m: MjModel, d: MjData, index: int, opt: MjLROpt) -> None: ...",
        "def mj_loadAllPluginLibraries(directory: str) -> None: ...", "def mju_getXMLDependencies(filename: str) -> list[str]: ...",
        "def mju_standardNormal(num2: Optional[float] = None) -> float: ...",
        "def mj_defaultSolRefImp(solref: npt.NDArray[np.float64], solimp: npt.NDArray[np.float64]) -> None: ...",
    ]  # fmt: skip
    return "\n".join([*lines, ""])


def _parameter(text: str, function: Entry) -> str:
    name = parameter_name(text)
    python = {"from": "from_"}.get(name, name)
    bare = text.replace("const ", "").split("[")[0].rsplit(" ", 1)[0].rstrip("*").strip()
    array = "*" in text or "[" in text
    if bare in STRUCTS:
        kind = _python(bare)
    elif bare == "char":
        kind = "str"
    elif array and bare in NUMBERS:
        kind = "npt.ArrayLike" if text.startswith("const") else _array(NUMBERS[bare])
    elif bare in NUMBERS:
        kind = "float" if NUMBERS[bare] in "df" else "int"
    else:
        kind = "Any"
    optional = name in function.get("optional", [])
    if optional or name in function.get("nullable", []):
        kind = f"Optional[{kind}]"
    default = function.get("defaults", {}).get(name)
    return f"{python}: {kind}" + (" = None" if optional else f" = {default}" if default is not None else "")


def _result(kind: str) -> str:
    bare = kind.replace("const ", "").strip()
    if bare == "void":
        return "None"
    if bare == "char*":
        return "Optional[str]"
    if bare in STRUCTS:
        return _python(bare)
    if bare in NUMBERS:
        return "float" if NUMBERS[bare] in "df" else "int"
    return "Any" if bare.endswith("*") else "int"
