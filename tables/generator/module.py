"""python/module/src/: what the package `mujoco` knows of structs and functions (docs/how/module.md)."""

import re

from generator.tables import Entry, Tables, parameter_name, split_extent
from generator.text import banner

# Types of numbers, with their letters in python/shared/element.h.
NUMBERS = {
    "mjtNum": "d", "double": "d", "float": "f", "int": "i", "unsigned int": "I", "mjtByte": "B", "char": "b", "mjtSize": "l",
    "size_t": "L", "uint64_t": "L", "uintptr_t": "L", "unsigned char": "B",
}  # fmt: skip

# Objects of C++ behind pointers of specifications: kind of field, and type of element.
HANDLES = {
    "mjString*": ("kString", "c"), "mjStringVec*": ("kStrings", "c"), "mjDoubleVec*": ("kVector", "d"),
    "mjFloatVec*": ("kVector", "f"), "mjIntVec*": ("kVector", "i"), "mjByteVec*": ("kBytes", "B"),
    "mjIntVecVec*": ("kVectors", "i"), "mjFloatVecVec*": ("kVectors", "f"),
}  # fmt: skip

# Structs that Python has as classes; a struct stands after those that it contains.
STRUCTS = (
    "mjLROpt", "mjOption", "mjVisual", "mjStatistic", "mjContact", "mjWarningStat", "mjTimerStat", "mjSolverStat", "mjModel",
    "mjData", "mjvPerturb", "mjvCamera", "mjvGLCamera", "mjvGeom", "mjvLight", "mjvOption", "mjvScene", "mjvFigure",
    "mjrRect", "mjrContext", "mjsCompiler", "mjsOrientation", "mjsPlugin", "mjSpec", "mjsBody", "mjsFrame", "mjsJoint",
    "mjsGeom", "mjsSite", "mjsCamera", "mjsLight", "mjsFlex", "mjsMesh", "mjsHField", "mjsSkin", "mjsTexture", "mjsMaterial",
    "mjsPair", "mjsExclude", "mjsEquality", "mjsTendon", "mjsWrap", "mjsActuator", "mjsSensor", "mjsNumeric", "mjsText",
    "mjsTuple", "mjsKey", "mjsDefault",
)  # fmt: skip

# Shapes that the declaration does not tell, and lengths of what pointers of structs point to.
SHAPES = {
    "mjvGeom.mat": ("3", "3"), "mjrContext.mat_texid": ("mjMAXMATERIAL", "mjNTEXROLE"),
    "mjrContext.mat_texrepeat": ("mjMAXMATERIAL", "2"), "mjData.solver": ("mjNISLAND*mjNSOLVER", "1"),
    "mjvScene.geoms": ("self.maxgeom", "1"), "mjvScene.geomorder": ("self.maxgeom", "1"),
    **{f"mjvScene.{name}": ("self.nflex", "1") for name in (
        "flexedgeadr", "flexedgenum", "flexvertadr", "flexvertnum", "flexfaceadr", "flexfacenum", "flexfaceused")},
    "mjvScene.flexedge": ("2*nflexedge", "1"), "mjvScene.flexvert": ("3*nflexvert", "1"),
    "mjvScene.flexface": ("!NineSceneFaces", "1"), "mjvScene.flexnormal": ("!NineSceneFaces", "1"),
    "mjvScene.flextexcoord": ("!SixSceneFaces", "1"),
    **{f"mjvScene.{name}": ("self.nskin", "1") for name in ("skinfacenum", "skinvertadr", "skinvertnum")},
    "mjvScene.skinvert": ("3*nskinvert", "1"), "mjvScene.skinnormal": ("3*nskinvert", "1"),
    **{f"mjrContext.{name}": ("self.nskin", "1") for name in (
        "skinvertVBO", "skinnormalVBO", "skintexcoordVBO", "skinfaceVBO")},
}  # fmt: skip


class Sizes:
    """Where the numbers stand that extents name."""

    def __init__(self, tables: Tables):
        self.tables = tables
        self.model = {entry["name"]: entry["type"] for entry in tables.model_sizes()}
        self.data = {entry["name"]: entry["type"] for entry in tables.data_of("scalar")}

    def extent(self, text: str, struct: str = "", parameters: tuple[str, ...] = ()) -> str:
        """An extent in C++: the sum of a constant and of at most two numbers that are read."""
        if text.startswith("!"):
            return f"{{.function = {text[1:]}}}"
        constant, terms = 0, []
        for summand in re.findall(r"[+-]?[^+-]+", text):
            sign = -1 if summand.startswith("-") else 1
            factor, read = sign, None
            for part in summand.lstrip("+-").split("*"):
                if (number := self.tables.number(part)) is not None:
                    factor *= number
                else:
                    read = self._read(part, struct, parameters)
            if read is None:
                constant += factor
            else:
                terms.append(f"{{{factor}, {read}}}")
        fields = [f".constant = {constant}"] if constant else []
        if terms:
            fields.append(f".terms = {{{', '.join(terms)}}}")
        return f"{{{', '.join(fields)}}}" if fields else "{}"

    def _read(self, name: str, struct: str, parameters: tuple[str, ...]) -> str:
        if name in parameters:
            return f"Source::kParameter, {parameters.index(name)}, false"
        if name.startswith("self."):
            return f"Source::kSelf, offsetof({struct}, {name[5:]}), false"
        if name in self.model:
            return f"Source::kModel, offsetof(mjModel, {name}), {_wide(self.model[name])}"
        return f"Source::kData, offsetof(mjData, {name}), {_wide(self.data[name])}"


def _wide(kind: str) -> str:
    return "true" if NUMBERS[kind] in "lL" else "false"


def generate(tables: Tables) -> dict[str, str]:
    sizes = Sizes(tables)
    return {
        "python/module/src/fields_generated.h": _fields(tables, sizes),
        "python/module/src/functions_generated.h": _functions(tables, sizes),
        "python/module/src/named_generated.h": named(tables),
    }


# ---- fields


def _fields(tables: Tables, sizes: Sizes) -> str:
    lines = [banner("tables/types.json, tables/model.json, tables/data.json and tables/names.json")]
    enums = {entry["name"] for entry in tables.enums}
    table = []
    for struct in STRUCTS:
        if struct in ("mjModel", "mjData"):
            entries = tables.model if struct == "mjModel" else tables.data
            flags = {row["name"] for row in tables.names if row.get("is") == "bool"}
            fields = [_member_of_world(struct, entry, sizes, flags) for entry in entries if "name" in entry]
        else:
            entries = tables.struct(struct)["fields"]
            for entry in entries:
                if "fields" in entry:  # a struct without a name of its own, in mjVisual
                    lines += _array(struct + entry["name"].capitalize(), [
                        _field(struct, inner, sizes, enums, entry["name"] + ".") for inner in entry["fields"] if "name" in inner])
                    table.append((struct + entry["name"].capitalize(), f"sizeof({struct}::{entry['name']})"))
            fields = [_field(struct, entry, sizes, enums) for entry in entries if "name" in entry]
        lines += _array(struct, fields)
        table.append((struct, f"sizeof({struct})"))
    lines.append("inline constexpr Struct kStructs[] = {")
    lines += [f'    {{"{name}", {size}, k_{name}, std::size(k_{name})}},' for name, size in table]
    return "\n".join([*lines, "};", ""])


def _array(name: str, fields: list[str | None]) -> list[str]:
    return [f"inline constexpr Field k_{name}[] = {{", *[f"    {field}," for field in fields if field], "};", ""]


def _entry(name: str, offset: str, kind: str, element: str = "0", rows: str = "{}", columns: str = "{}", of: str = "", writable: bool = True) -> str:
    of = f'"{of}"' if of else "nullptr"
    element = f"'{element}'" if element != "0" else "0"
    return f'{{"{name}", {offset}, Kind::{kind}, {element}, {str(writable).lower()}, {rows}, {columns}, {of}}}'


def _member_of_world(struct: str, entry: Entry, sizes: Sizes, flags: set[str]) -> str | None:
    """A field of mjModel or mjData. `flags` are of type bool at some levels."""
    name, kind = entry["name"], entry.get("type", "")
    letter = "?" if f"M{struct[1:]}.{name}" in flags and NUMBERS.get(kind) == "B" else NUMBERS.get(kind)
    offset = f"offsetof({struct}, {name})"
    if kind == "void*" or kind not in NUMBERS and not kind.startswith("mj"):
        return None
    if "rows" not in entry:
        if kind in NUMBERS:
            # sizes are those of memory
            return _entry(name, offset, "kNumber", letter, writable=struct == "mjData" and kind != "uint64_t")
        return _entry(name, offset, "kStruct", of=kind)
    rows, columns = SHAPES.get(f"{struct}.{name}", (entry["rows"], entry["cols"]))
    texts = (sizes.extent(rows), sizes.extent(columns) if columns != "1" else "{}")
    inside = entry.get("kind") == "vector"
    if kind in NUMBERS:
        return _entry(name, offset, "kArray" if inside else "kPointer", letter, *texts)
    return _entry(name, offset, "kStructs" if inside else "kStructPointers", "0", *texts, of=kind)


def _field(struct: str, entry: Entry, sizes: Sizes, enums: set[str], part: str = "") -> str | None:
    """A field of any other struct; `part` is the member of it that the field is in."""
    name, kind = entry["name"], entry.get("type", "")
    python = {"global": "global_"}.get(name, name)
    offset = f"offsetof({struct}, {part}{name})" + (f" - offsetof({struct}, {part[:-1]})" if part else "")
    if "fields" in entry:
        return _entry(python, offset, "kStruct", of=struct + name.capitalize())
    shape = SHAPES.get(f"{struct}.{name}")
    extent = [str(e) for e in entry.get("extent", [])] if not shape else [e for e in shape if e != "1"]
    rows, columns = ([sizes.extent(e, struct) for e in extent] + ["{}", "{}"])[:2]
    if kind in HANDLES:
        return _entry(python, offset, HANDLES[kind][0], HANDLES[kind][1])
    if kind in enums:
        return _entry(python, offset, "kNumber", "i", of=kind)
    if kind == "char" and extent and struct in ("mjsCompiler", "mjsTexture"):
        return _entry(python, offset, "kChars", "c", rows)
    if kind == "char" and extent:
        return _entry(python, offset, "kText" if len(extent) == 1 else "kTexts", "c", rows, columns)
    if kind in NUMBERS:
        counted = f"self.{name}" in [shape[0] for shape in SHAPES.values()]
        return _entry(python, offset, "kArray" if extent else "kNumber", NUMBERS[kind], rows, columns, writable=not counted)
    if kind.rstrip("*") in NUMBERS:
        return _entry(python, offset, "kPointer", NUMBERS[kind.rstrip("*")], rows, columns)
    if kind.rstrip("*") in STRUCTS:
        several = bool(extent)
        pointer = kind.endswith("*")
        what = {(False, False): "kStruct", (True, False): "kStructs", (True, True): "kStructPointers",
                (False, True): "kStructPointer"}[several, pointer]
        return _entry(python, offset, what, "0", rows, columns, of=kind.rstrip("*"))
    return None


# ---- functions


def _functions(tables: Tables, sizes: Sizes) -> str:
    known = {entry["name"]: entry for entry in tables.functions}
    lines = [banner("tables/functions.json and tables/module.json")]
    rows = []
    for entry in tables.module:
        name = entry["name"]
        function = {**known.get(name, {}), **entry}
        parameters = [_parameter(p, function, tables, sizes) for p in function["params"]]
        if parameters:
            lines += [f"inline constexpr Parameter k_{name}[] = {{", *[f"    {p}," for p in parameters], "};"]
        doc = function.get("doc", "").replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        call = function.get("call", f"::{name}")
        span = f"k_{name}, {len(parameters)}" if parameters else "nullptr, 0"
        rows.append(f'    {{"{name}", Caller<{call}>::Call, {span}, {_result(function["returns"])}, {_held(function)}, "{doc}"}},')
    return "\n".join([*lines, "", "inline constexpr Function kFunctions[] = {", *rows, "};", ""])


def _held(function: Entry) -> str:
    """Whether Python waits while the function runs: where it is sure to be short."""
    world = any("mjData" in p or "mjModel" in p for p in function["params"])
    return "false" if world or "print" in function["name"] else "true"


def _bare(kind: str) -> str:
    return kind.replace("const ", "").replace("struct ", "").strip()


def _result(kind: str) -> str:
    bare = _bare(kind)
    if bare == "void":
        return "{'v'}"
    if bare in ("char*",):
        return "{'s'}"
    if bare == "mjsElement*":
        return "{'e'}"
    if bare == "mjCache*":
        return "{'c'}"
    if bare in STRUCTS:
        return f'{{\'o\', "{bare}"}}'
    if bare.endswith("*"):
        return f'{{\'p\', "{bare[:-1]}"}}'
    return "{'n', nullptr, true}" if NUMBERS.get(bare, "i") in "df" else "{'n'}"


def _parameter(text: str, function: Entry, tables: Tables, sizes: Sizes) -> str:
    name = parameter_name(text)
    bare = _bare(re.sub(rf"\b{name}\b(?=(\[[^\]]*\])*$)", "", text))
    python = {"from": "from_"}.get(name, name)
    optional = name in function.get("optional", [])
    nullable = optional or name in function.get("nullable", [])
    flags = (", .nullable = true" if nullable else "") + (", .optional = true" if optional else "")
    shape = function.get("shapes", {}).get(name)
    if name in function.get("derived", []):
        return f'{{.name = "{python}", .kind = \'x\'}}'
    extent = re.search(r"\[(\w+)\]$", bare)
    element = re.sub(r"\[\w+\]$|\*$", "", bare).strip()
    if (extent or bare.endswith("*")) and element in NUMBERS and element != "char":
        names = tuple(parameter_name(p) for p in function["params"])
        shape = shape if shape is not None else extent.group(1) if extent else ""
        extents = [sizes.extent(e, parameters=names) for e in shape.split(",") if e]
        writable = "false" if text.startswith("const") else "true"
        shown = f', .shape = "{shape}"' if shape and not shape.startswith("!") else ""
        problem = function.get("problems", {}).get(name)
        said = f', .problem = "{problem}"' if problem else ""
        tail = f", .rows = {extents[0]}" if extents else ""
        tail += f", .columns = {extents[1]}" if len(extents) > 1 else ""
        return f'{{.name = "{python}", .kind = \'a\'{flags}, .element = \'{NUMBERS[element]}\', .writable = {writable}, .rank = {len(extents)}{shown}{tail}{said}}}'
    if bare == "char*":
        return f'{{.name = "{python}", .kind = \'t\'{flags}}}'
    if bare == "mjCache*":
        return f'{{.name = "{python}", .kind = \'c\'{flags}}}'
    if bare == "mjsElement*":
        return f'{{.name = "{python}", .kind = \'e\'{flags}}}'
    if bare.rstrip("*") in STRUCTS:
        return f'{{.name = "{python}", .kind = \'s\'{flags}, .of = "{bare.rstrip("*")}"}}'
    default = function.get("defaults", {}).get(name)
    tail = f", .has_default = true, .fallback = {default}" if default is not None else ""
    return f'{{.name = "{python}", .kind = \'{"d" if NUMBERS.get(bare) in ("d", "f") else "i"}\'{flags}{tail}}}'


# ---- named access

# Kind: class in Python, type in C, count, methods of the model, methods of the data, prefix of fields of model and data.
NAMED = (
    ("Body", "BODY", "nbody", "body", "body", "body_", ""),
    ("Joint", "JOINT", "njnt", "joint jnt", "joint jnt", "jnt_", ""),
    ("Geom", "GEOM", "ngeom", "geom", "geom", "geom_", "geom_"),
    ("Site", "SITE", "nsite", "site", "site", "site_", "site_"),
    ("Camera", "CAMERA", "ncam", "camera cam", "camera cam", "cam_", "cam_"),
    ("Light", "LIGHT", "nlight", "light", "light", "light_", "light_"),
    ("Mesh", "MESH", "nmesh", "mesh", "", "mesh_", ""),
    ("Skin", "SKIN", "nskin", "skin", "", "skin_", ""),
    ("Hfield", "HFIELD", "nhfield", "hfield", "", "hfield_", ""),
    ("Texture", "TEXTURE", "ntex", "texture tex", "", "tex_", ""),
    ("Material", "MATERIAL", "nmat", "material mat", "", "mat_", ""),
    ("Pair", "PAIR", "npair", "pair", "", "pair_", ""),
    ("Exclude", "EXCLUDE", "nexclude", "exclude", "", "exclude_", ""),
    ("Equality", "EQUALITY", "neq", "equality eq", "", "eq_", ""),
    ("Tendon", "TENDON", "ntendon", "tendon ten", "tendon ten", "tendon_", "ten_"),
    ("Actuator", "ACTUATOR", "nu", "actuator", "actuator", "actuator_", "actuator_"),
    ("Sensor", "SENSOR", "nsensor", "sensor", "sensor", "sensor_", "sensor_"),
    ("Numeric", "NUMERIC", "nnumeric", "numeric", "", "numeric_", ""),
    ("Tuple", "TUPLE", "ntuple", "tuple", "", "tuple_", ""),
    ("Keyframe", "KEY", "nkey", "keyframe key", "", "key_", ""),
)  # fmt: skip

# Fields whose part for an object is no row: how it is found.
SPANS = {
    "sensordata": ("data", "kSensor"), "numeric_data": ("data", "kNumeric"), "tuple_objtype": ("objtype", "kTuple"),
    "tuple_objid": ("objid", "kTuple"), "tuple_objprm": ("objprm", "kTuple"), "tex_data": ("data", "kTexture"),
    "hfield_data": ("data", "kHfield"),
}  # fmt: skip
_SPAN_KINDS = {"sensordata": "Sensor", "numeric_data": "Numeric", "tex_data": "Texture", "hfield_data": "Hfield"}


def named(tables: Tables) -> str:
    lines = [banner("tables/model.json, tables/data.json and tables/generator/module.py")]
    rows = []
    for kind, of, count, model_methods, data_methods, model_prefix, data_prefix in NAMED:
        for world, methods, prefix in (("Model", model_methods, model_prefix), ("Data", data_methods, data_prefix)):
            if not methods:
                continue
            fields = _named_fields(tables, world, kind, count, prefix)
            name = f"k_{world}{kind}"
            lines.append(f"inline constexpr NamedField {name}[] = {{")
            lines += [f'    {{"{python}", "{field}", Span::{span}}},' for python, (field, span) in sorted(fields.items())]
            lines += ["};", ""]
            for method in methods.split():
                rows.append(f'    {{"{kind}", "{method}", {str(world == "Model").lower()}, mjOBJ_{of}, offsetof(mjModel, {count}), {name}, std::size({name})}},')
    return "\n".join([*lines, "inline constexpr NamedKind kNamed[] = {", *rows, "};", ""])


def _named_fields(tables: Tables, world: str, kind: str, count: str, prefix: str) -> dict[str, tuple[str, str]]:
    entries = tables.model_arrays() if world == "Model" else tables.data_of("buffer")
    fields = {}
    for entry in entries:
        name, rows = entry["name"], entry["rows"]
        if name in SPANS and (_SPAN_KINDS.get(name, "Tuple") == kind):
            fields[SPANS[name][0]] = (name, SPANS[name][1])
        elif kind == "Joint" and rows in ("nv", "nq"):
            if world == "Model" and not name.startswith(("dof_", "qpos")):
                continue
            fields.setdefault(name.removeprefix("dof_"), (name, "kDofs" if rows == "nv" else "kCoordinates"))
        elif rows == count and not name.startswith("name_"):
            fields[name.removeprefix(prefix)] = (name, "kRow")
    return fields
