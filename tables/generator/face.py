"""include/sinew: elements.h, parameters and results of elements by name; functions.h, functions of the interface with types."""

import re

from generator.tables import Entry, TableError, Tables
from generator.text import banner, comment

# Kinds of elements: name of the class, object type, prefix of the fields of mjModel.
KINDS = (
    ("Body", "mjOBJ_BODY", "body_"),
    ("Joint", "mjOBJ_JOINT", "jnt_"),
    ("Geom", "mjOBJ_GEOM", "geom_"),
    ("Site", "mjOBJ_SITE", "site_"),
    ("Camera", "mjOBJ_CAMERA", "cam_"),
    ("Light", "mjOBJ_LIGHT", "light_"),
    ("Tendon", "mjOBJ_TENDON", "tendon_"),
    ("Actuator", "mjOBJ_ACTUATOR", "actuator_"),
    ("Sensor", "mjOBJ_SENSOR", "sensor_"),
    ("Equality", "mjOBJ_EQUALITY", "eq_"),
    ("Pair", "mjOBJ_PAIR", "pair_"),
    ("Material", "mjOBJ_MATERIAL", "mat_"),
    ("Mesh", "mjOBJ_MESH", "mesh_"),
    ("Numeric", "mjOBJ_NUMERIC", "numeric_"),
    ("Keyframe", "mjOBJ_KEY", "key_"),
)

# Fields of mjData that belong to an element without bearing its prefix.
_DATA_PREFIXES = {"Tendon": ("ten_",), "Actuator": ("actuator_",)}
_INTERNAL = re.compile(r"_ind$|_awake$|rownnz$|rowadr$|^map_|^dof_island$|^qLD|^qHD|efcadr$|wrapadr$|wrapnum$|^B_|^ten_J|^name_")

# Sections of functions.json whose functions are offered with types, if they are about worlds or about fixed vectors.
_SECTIONS = (
    "Main simulation",
    "Components",
    "Sub components",
    "Support",
    "Ray casting",
    "Derivatives",
    "Quaternions",
    "Poses",
    "Miscellaneous",
    "Initialization",
)


def generate(tables: Tables) -> dict[str, str]:
    return {
        "include/sinew/elements.h": _elements(tables),
        "include/sinew/functions.h": _functions(tables),
    }


# ---- elements


def _elements(tables: Tables) -> str:
    source = "tables/model.json and tables/data.json"
    lines = [banner(source), *_ELEMENTS_HEAD, *_counts()]
    with_results = []
    for kind in KINDS:
        results = _results(tables, *kind)
        with_results += [kind] if results else []
        lines += _parameters(tables, *kind) + results
    lines += _finders("ModelElements", "Parameters", "mjModel", "Elements of a model", list(KINDS))
    lines += _finders("WorldElements", "View", "mjData", "Elements of a world", with_results)
    return "\n".join([*lines, *_foot("SINEW_ELEMENTS_H_")])


def _counts() -> list[str]:
    """Returns the function that counts the elements of a type."""
    lines = ["// How many elements of a type a model has.", "inline int CountOf(const mjModel* m, mjtObj type) {", "  switch (type) {"]
    for _, type_name, prefix in KINDS:
        rows = _ROWS.get(prefix, "n" + prefix[:-1])
        lines.append(f"    case {type_name}: return static_cast<int>(m->{rows});")
    return [*lines, "    default: return 0;", "  }", "}", ""]


def _parameters(tables: Tables, name: str, _: str, prefix: str) -> list[str]:
    """Returns the class of an element's fields in mjModel."""
    rows = _ROWS.get(prefix, "n" + prefix[:-1])
    lines = [
        f"// Parameters of {_ARTICLE.get(name, 'a')} {name.lower()}. M: mjModel, or const mjModel.",
        "template <class M>",
        f"class {name}Parameters : public Parameters<M> {{",
        " public:",
        "  using Parameters<M>::Parameters;",
    ]
    for entry in tables.model_arrays():
        if entry["rows"] == rows and entry["name"].startswith(prefix):
            lines += _accessor(tables, entry, entry["name"][len(prefix) :], "this->m_", True)
    if name == "Joint":
        for entry in tables.model_arrays():
            if entry["rows"] == "nv" and entry["name"].startswith("dof_"):
                lines += _dofs(tables, entry, entry["name"][4:], "this->m_", True, {"bodyid", "solref", "solimp"})
            if entry["rows"] == "nq":
                lines += _described(entry, f"auto {entry['name']}() const {{ return this->Positions(this->m_->{entry['name']}); }}")
    return [*lines, "};", ""]


def _results(tables: Tables, name: str, _: str, prefix: str) -> list[str]:
    """Returns the class of an element's fields in mjData; nothing for elements that have none."""
    rows = _ROWS.get(prefix, "n" + prefix[:-1])
    prefixes = (prefix, *_DATA_PREFIXES.get(name, ()))
    body: list[str] = []
    for entry in tables.data_of("buffer"):
        if _INTERNAL.search(entry["name"]):
            continue
        writable = entry.get("stage") in ("state", "input")
        if entry["rows"] == rows:
            short = next((entry["name"][len(p) :] for p in prefixes if entry["name"].startswith(p)), entry["name"])
            body += _accessor(tables, entry, short, "this->d_", writable)
        elif name == "Joint" and entry["rows"] == "nv":
            body += _dofs(tables, entry, entry["name"], "this->d_", writable, set())
        elif name == "Joint" and entry["rows"] == "nq":
            body += _described(entry, f"auto {entry['name']}() const {{ return this->Positions(this->d_->{entry['name']}); }}")
    body += _EXTRA.get(name, [])
    if not body:
        return []
    return [
        f"// State and results of {_ARTICLE.get(name, 'a')} {name.lower()}. D: mjData, or const mjData.",
        "template <class D>",
        f"class {name}View : public Element<D> {{",
        " public:",
        "  using Element<D>::Element;",
        *body,
        "};",
        "",
    ]


def _finders(name: str, suffix: str, owner: str, meaning: str, kinds: list[tuple[str, str, str]]) -> list[str]:
    """Returns the base class by which models and worlds give their elements."""
    lines = [
        f"// {meaning}, by name or id; NameError when there is none. Self has Find and View.",
        "template <class Self>",
        f"class {name} {{",
        " public:",
    ]
    for kind, type_name, _ in kinds:
        for const in ("", "const "):
            result, tail = f"{kind}{suffix}<{const}{owner}>", f" {const}".rstrip()
            self_type = f"static_cast<{const}Self&>(*this)"
            for key in ("const std::string& name", "int id"):
                view = f"{self_type}.template View<{result}>({type_name}, {key.split()[-1]})"
                lines.append(f"  {result} {kind.lower()}({key}){tail} {{ return {view}; }}")
    return [*lines, "};", ""]


def _described(entry: Entry, code: str) -> list[str]:
    """Returns an accessor below the meaning of its field."""
    text = entry["doc"] + ("; in " + entry["frame"] if "frame" in entry else "")
    return [*comment(text + (f" [{entry['unit']}]" if "unit" in entry else ""), "  "), "  " + code]


def _accessor(tables: Tables, entry: Entry, name: str, owner: str, writable: bool) -> list[str]:
    """Returns the accessor of an element's row: a number, or a span over several."""
    field = f"{owner}->{entry['name']}"
    const = "" if writable else "const "
    cols = tables.number(entry["cols"])
    if cols == 1:
        value = f"this->One({field})"
        return _described(entry, f"auto& {name}() const {{ return {value if writable else f'std::as_const({value})'}; }}")
    if cols is not None:
        return _described(entry, f"auto {name}() const {{ return this->template Row<{cols}{', true' if const else ''}>({field}); }}")
    size = entry["cols"].replace("*", " * ")
    return _described(entry, f"auto {name}() const {{ return this->Row({field}, this->m_->{size}); }}")


def _dofs(tables: Tables, entry: Entry, name: str, owner: str, writable: bool, skip: set[str]) -> list[str]:
    """Returns the accessor of a joint's rows of an array over degrees of freedom."""
    if name in skip or name in ("treeid", "jntid", "parentid", "Madr", "simplenum"):
        name = "dof_" + name
    field = f"{owner}->{entry['name']}"
    cols = tables.number(entry["cols"])
    call = f"this->Dofs({field}{f', {cols}' if cols != 1 else ''})"
    return _described(entry, f"auto {name}() const {{ return {call if writable else f'this->Const({call})'}; }}")


# ---- functions


def _functions(tables: Tables) -> str:
    lines = [banner("tables/functions.json"), *_FUNCTIONS_HEAD]
    for section in _SECTIONS:
        functions = [f for f in tables.functions if f["section"] == section]
        texts = [text for f in functions if (text := _function(f))]
        if texts:
            lines += [f"// ---- {section}", ""]
            for text in texts:
                lines += [*text, ""]
    return "\n".join([*lines, *_foot("SINEW_FUNCTIONS_H_")])


def function_names(tables: Tables) -> list[str]:
    """Returns the functions of the interface that functions.h offers, as the tests count them."""
    return [f["name"] for f in tables.functions if f["section"] in _SECTIONS and _function(f)]


def _function(entry: Entry) -> list[str] | None:
    """Returns a function with types, None when it is not one for programs in C++ or needs more than its signature says."""
    name = entry["name"]
    if name in _BY_HAND or entry["returns"] not in ("void", "mjtNum", "int", "const char*"):
        return None
    extents = entry.get("extents", {})
    parameters: list[str] = []
    checks: list[str] = []
    arguments: list[str] = []
    world = _world(entry)
    if world is None:
        return None
    if world:
        parameters.append(world)
    for parameter in entry["params"]:
        kind = _parameter(parameter, extents, entry.get("nullable", []), "Data" in world)
        if kind is None:
            return None
        declaration, argument, check = kind
        parameters += [declaration] if declaration else []
        checks += [check] if check else []
        arguments.append(argument)
    call = f"{name}({', '.join(arguments)})"
    short = re.sub(r"^mj[ud]?_", "", name)
    short = short[0].upper() + short[1:]
    result = {"void": "void", "mjtNum": "double", "int": "int", "const char*": "std::string"}[entry["returns"]]
    body = [f"  detail::CheckSize(\"{short}\", {check});" for check in checks]
    keyword = "" if result == "void" else "return "
    body.append(f"  {keyword}Checked([&] {{ {'' if result == 'void' else 'return '}{call}; }});")
    head = f"inline {result} {short}({', '.join(parameters)}) {{"
    return [*comment(entry["doc"].split("\n")[0]), head, *body, "}"]


def _world(entry: Entry) -> str | None:
    """Returns the first parameter: a world, a model for functions without one, or none; None for functions on several."""
    kinds = [re.sub(r"\s*\w+$", "", p) for p in entry["params"]]
    if kinds.count("mjData*") + kinds.count("const mjData*") > 1 or "mjModel*" in kinds:
        return None
    if "mjData*" in kinds:
        return "Data& data"
    if "const mjData*" in kinds:
        return "const Data& data"
    return "const Model& model" if "const mjModel*" in kinds else ""


def _parameter(
    parameter: str, extents: dict[str, str], nullable: list[str], has_world: bool
) -> tuple[str, str, str] | None:
    """Returns declaration, argument and the arguments of a check of size; None: not known."""
    match = re.fullmatch(r"(.*?)(\w+)(?:\[(\w+)\])?", parameter)
    if not match:
        return None
    kind, name, extent = match[1].strip(), match[2], match[3]
    if kind == "const mjModel*":
        return "", "data.model()" if has_world else "model", ""
    if kind in ("mjData*", "const mjData*"):
        return "", "data", ""
    if kind == "const char*":
        return f"const std::string& {name}", f"{name}.c_str()", ""
    if kind in ("int", "mjtNum", "mjtByte", "size_t") and extent is None:
        return f"{'double' if kind == 'mjtNum' else kind} {name}", name, ""
    constant = "const " if kind.startswith("const ") else ""
    base = kind.removeprefix("const ").rstrip("*").strip()
    if base not in ("mjtNum", "int", "mjtByte") or (extent is None) == (name not in extents):
        return None
    base = {"mjtNum": "double", "mjtByte": "mjtByte", "int": "int"}[base]
    if extent is not None and name not in nullable:
        return f"std::span<{constant}{base}, {extent}> {name}", f"{name}.data()", ""
    size = extents.get(name, extent)
    size = re.sub(r"\bn[a-zA-Z]+\b|\bnefc\b", lambda m: _size(m[0], has_world), size)
    optional = "true" if name in nullable else "false"
    check = f'"{name}", {name}.size(), detail::Size({size}), {optional}'
    return f"std::span<{constant}{base}> {name}", f"{name}.data()", check


def _size(name: str, has_world: bool) -> str:
    if name in ("nefc", "ncon"):
        return f"data->{name}"
    if name in ("nray",):
        return name
    return f"data.model()->{name}" if has_world else f"model->{name}"


def _foot(guard: str) -> list[str]:
    return ["// clang-format on", "", "}  // namespace face", "}  // namespace sinew", "", f"#endif  // {guard}", ""]


# Covered by the classes, or of no use without the pointers that C has.
_BY_HAND = {
    "mj_step", "mj_forward", "mj_inverse", "mj_resetData", "mj_resetDataKeyframe", "mj_stateSize", "mj_getState",
    "mj_setState", "mj_name2id", "mj_id2name", "mj_sizeModel", "mj_markStack", "mj_freeStack", "mj_loadPluginLibrary",
    "mj_isPyramidal", "mj_version", "mj_versionString", "mj_loadAllPluginLibraries", "mj_deleteData", "mj_resetCallbacks", "mju_min", "mju_max", "mju_clip", "mju_sign", "mju_round",
    "mju_isBad",
}  # fmt: skip

_ROWS = {"tendon_": "ntendon", "actuator_": "nu", "sensor_": "nsensor", "mesh_": "nmesh"}
_ARTICLE = {"Actuator": "an", "Equality": "an"}

_EXTRA = {
    "Body": [
        "  // How the frame's origin moves with the degrees of freedom.",
        "  Jacobian jacobian() const { return JacobianOf(this->m_, this->d_, this->id_, mj_jacBody); }",
    ],
    "Geom": ["  Jacobian jacobian() const { return JacobianOf(this->m_, this->d_, this->id_, mj_jacGeom); }"],
    "Site": ["  Jacobian jacobian() const { return JacobianOf(this->m_, this->d_, this->id_, mj_jacSite); }"],
    "Actuator": [
        "  // activations; empty without",
        "  auto act() const {",
        "    const int adr = this->m_->actuator_actadr[this->id_];",
        "    return this->Part(this->d_->act, adr < 0 ? 0 : adr, this->m_->actuator_actnum[this->id_]);",
        "  }",
    ],
    "Sensor": [
        "  // what it measured",
        "  std::span<const double> data() const {",
        "    return this->Part(this->d_->sensordata, this->m_->sensor_adr[this->id_], this->m_->sensor_dim[this->id_]);",
        "  }",
    ],
}

_ELEMENTS_HEAD = """// Elements of models and worlds, as data.joint("hip").qpos() and model.body("hand").mass() give them: a number, or a span
// over several. Views live as long as what they were asked of.
#ifndef SINEW_ELEMENTS_H_
#define SINEW_ELEMENTS_H_

#include <sinew/element.h>

namespace sinew {
inline namespace face {

// clang-format off
""".split("\n")

_FUNCTIONS_HEAD = """// Functions of the C interface with types: worlds and models for pointers, spans for arrays, whose sizes are checked.
// Matrices are stored by rows; an optional array may be an empty span. Errors are thrown (EngineError).
//
//   std::vector<double> jacobian(3 * model.nv());
//   sinew::JacBody(data, jacobian, {}, model.Find(mjOBJ_BODY, "hand"));
//   Eigen::Map<Eigen::Matrix<double, 3, Eigen::Dynamic, Eigen::RowMajor>> J(jacobian.data(), 3, model.nv());
#ifndef SINEW_FUNCTIONS_H_
#define SINEW_FUNCTIONS_H_

#include <sinew/data.h>

namespace sinew {
inline namespace face {

namespace detail {

inline size_t Size(mjtSize n) { return static_cast<size_t>(n); }

// An array of the wrong size would be written beyond its end.
inline void CheckSize(const char* function, const char* name, size_t given, size_t size, bool optional) {
  if (given == size || (optional && given == 0)) return;
  throw EngineError(std::string(function) + ": " + name + " has " + std::to_string(given) + " numbers; it takes " +
                    std::to_string(size));
}

}  // namespace detail

// clang-format off
""".split("\n")
