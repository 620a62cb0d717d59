"""src/model/model_view.h and data_view.h: named, typed access to mjModel and mjData for one world or a pack of worlds."""

from generator.tables import SPATIAL_FIELDS, Entry, Tables
from generator.text import banner

_INTEGERS = ("int", "mjtByte", "mjtSize")


def generate(tables: Tables) -> dict[str, str]:
    return {
        "src/model/model_field_generated.h": _model_field(tables),
        "src/model/model_view.h": _model_view(tables),
        "src/model/data_view.h": _data_view(tables),
    }


def element_type(tables: Tables, entry: Entry) -> str | None:
    """Returns the mathematical type of a real field's row, None for a row that is just numbers."""
    columns = tables.number(entry["cols"])
    if columns == 1:
        return "S"
    if columns == 3:
        return "Vec3<S>"
    if columns == 4 and "quat" in entry["name"]:
        return "Quat<S>"
    if columns == 9:
        return "Mat3<S>"
    if entry["name"] in SPATIAL_FIELDS:
        return "Spatial<S>"
    if columns == 10 and entry["name"] in ("cinert", "crb"):
        return "Inertia10<S>"
    return None


# ---- mjModel


def _model_view(tables: Tables) -> str:
    real = [entry for entry in tables.model_arrays() if entry["type"] == "mjtNum"]
    whole = [entry for entry in tables.model_arrays() if entry["type"] in _INTEGERS]
    lines = [
        banner("tables/model.json and tables/types.json"),
        "// ModelView<S>: reads mjModel by field name, with rows as Vec3, Quat and Mat3. For packs, a field may have values",
        "// of its own in every world; kernels do not see the difference (model/model_source.h).",
        "#ifndef SINEW_MODEL_MODEL_VIEW_H_",
        "#define SINEW_MODEL_MODEL_VIEW_H_",
        "",
        '#include "math/mat3.h"',
        '#include "math/quat.h"',
        '#include "math/vec3.h"',
        '#include "model/model_source.h"',
        "",
        "namespace sinew {",
        "inline namespace SINEW_ISA {",
        "",
        "template <class S>",
        "class ModelView : public ModelSource<S> {",
        " public:",
        "  using ModelSource<S>::ModelSource;",
        "  using ModelSource<S>::raw;",
        "",
        "  // Sizes.",
        *(f"  int {e['name']}() const {{ return static_cast<int>(raw()->{e['name']}); }}" for e in tables.model_sizes()),
        "",
        "  // Integers and flags; a pointer where a row has several.",
        *(_whole_accessor(tables, entry) for entry in whole),
        "",
        "  // Real fields.",
        *(_real_accessor(tables, entry) for entry in real),
        "",
        "  // Options and statistics.",
        *(_option_accessor(part, field) for part, field in _options(tables)),
        "};",
        "",
        "}  // namespace SINEW_ISA",
        "}  // namespace sinew",
        "",
        "#endif  // SINEW_MODEL_MODEL_VIEW_H_",
    ]
    return "\n".join(lines) + "\n"


def _model_field(tables: Tables) -> str:
    real = [entry["name"] for entry in tables.model_arrays() if entry["type"] == "mjtNum"]
    names = real + [f"{part}_{field['name']}" for part, field in _options(tables) if field["type"] == "mjtNum"]
    lines = [
        banner("tables/model.json and tables/types.json"),
        "#ifndef SINEW_MODEL_MODEL_FIELD_GENERATED_H_",
        "#define SINEW_MODEL_MODEL_FIELD_GENERATED_H_",
        "",
        "namespace sinew {",
        "",
        "// Real fields, options and statistics of mjModel: what may differ between the worlds of a batch.",
        "enum class ModelField : int {",
        *(f"  {name}," for name in names),
        "  kCount",
        "};",
        "",
        "}  // namespace sinew",
        "",
        "#endif  // SINEW_MODEL_MODEL_FIELD_GENERATED_H_",
    ]
    return "\n".join(lines) + "\n"


def _options(tables: Tables) -> list[tuple[str, Entry]]:
    """Members of mjOption and mjStatistic with the name that these structs have in mjModel."""
    parts = [("opt", "mjOption"), ("stat", "mjStatistic")]
    return [(part, field) for part, struct in parts for field in tables.struct(struct)["fields"] if "name" in field]


def _whole_accessor(tables: Tables, entry: Entry) -> str:
    name, type_name = entry["name"], entry["type"]
    if tables.number(entry["cols"]) == 1:
        result = "int" if type_name == "mjtByte" else type_name
        return f"  {result} {name}(int i) const {{ return raw()->{name}[i]; }}"
    return f"  const {type_name}* {name}(int i) const {{ return raw()->{name} + i * {_stride(tables, entry)}; }}"


def _real_accessor(tables: Tables, entry: Entry) -> str:
    name, row = entry["name"], element_type(tables, entry)
    source = f"ModelField::{name}, raw()->{name}"
    if row:
        return f"  {row} {name}(int i) const {{ return this->template Load<{row}>({source}, i); }}"
    return f"  RowOf<S> {name}(int i) const {{ return this->Row({source}, i, {_stride(tables, entry)}); }}"


def _stride(tables: Tables, entry: Entry) -> str:
    if tables.number(entry["cols"]) is not None:
        return entry["cols"]
    return entry["cols"].replace("n", "this->n", 1).replace("*", "() * ") + ("" if "*" in entry["cols"] else "()")


def _option_accessor(part: str, field: Entry) -> str:
    name, extent = field["name"], field.get("extent")
    if field["type"] == "int":
        return f"  int {part}_{name}() const {{ return raw()->{part}.{name}; }}"
    address = f"raw()->{part}.{name}" if extent else f"&raw()->{part}.{name}"
    source = f"ModelField::{part}_{name}, {address}"
    if extent and extent != ["3"]:
        return f"  RowOf<S> {part}_{name}() const {{ return this->Row({source}, 0, {extent[0]}); }}"
    row = "Vec3<S>" if extent else "S"
    return f"  {row} {part}_{name}() const {{ return this->template Load<{row}>({source}, 0); }}"


# ---- mjData


def _data_view(tables: Tables) -> str:
    arrays = [e for e in tables.data if e.get("kind") in ("buffer", "arena")]
    real = [entry for entry in arrays if entry["type"] == "mjtNum"]
    whole = [entry for entry in arrays if entry["type"] in ("int", "mjtByte")]
    scalars = [entry for entry in tables.data_of("scalar") if entry["type"] in ("int", "mjtByte", "mjtNum")]
    vectors = [entry for entry in tables.data_of("vector") if entry["type"] == "mjtNum"]
    lines = [
        banner("tables/data.json"),
        "// DataView<S>: fields of mjData by name, as references to Vec3, Quat, Mat3, Spatial and Inertia10. A view is a handle:",
        "// copying it is free, and what it shows is mutable.",
        "#ifndef SINEW_MODEL_DATA_VIEW_H_",
        "#define SINEW_MODEL_DATA_VIEW_H_",
        "",
        "#include <mujoco/mujoco.h>",
        "",
        "#include <type_traits>",
        "",
        '#include "math/mat3.h"',
        '#include "math/quat.h"',
        '#include "math/spatial.h"',
        '#include "math/vec3.h"',
        '#include "simd/isa.h"',
        "",
        "namespace sinew {",
        "inline namespace SINEW_ISA {",
        "",
        "// Storage of a pack of worlds, named like mjData: real fields hold S, one lane a world. Integers are shared by all",
        "// lanes: they follow from the model, or number the slots of the pack's contacts and constraint rows.",
        "template <class S>",
        "struct DataLanes {",
        *(f"  {_scalar_type(e)} {e['name']};" for e in scalars),
        *(f"  S {e['name']}[{e['rows']}];" for e in vectors),
        *(f"  S* {e['name']};" for e in real),
        *(f"  {e['type']}* {e['name']};" for e in whole),
        "};",
        "",
        "template <class S>",
        "class DataView {",
        " public:",
        "  // One world is mjData itself; a pack of worlds has storage of its own.",
        "  using Store = std::conditional_t<std::is_same_v<S, mjtNum>, mjData, DataLanes<S>>;",
        "",
        "  DataView(Store* d) : d_(d) {}  // NOLINT: kernels are called with mjData*",
        "  Store* raw() const { return d_; }",
        "",
        "  // Counts, flags, time and energies.",
        *(f"  {_scalar_type(e)}& {e['name']}() const {{ return d_->{e['name']}; }}" for e in scalars),
        *(f"  S* {e['name']}() const {{ return d_->{e['name']}; }}" for e in vectors),
        "",
        "  // Real fields: one row, and the address of the first.",
        *(line for entry in real for line in _real_reference(tables, entry)),
        "",
        "  // Integers and flags: one row, and the address of the first.",
        *(line for entry in whole for line in _whole_reference(tables, entry)),
        "",
        " private:",
        "  template <class T>",
        "  static T& Cast(S* row) {",
        "    static_assert(std::is_standard_layout_v<T> && sizeof(T) % sizeof(S) == 0);",
        "    return *reinterpret_cast<T*>(row);",
        "  }",
        "",
        "  Store* d_;",
        "};",
        "",
        "}  // namespace SINEW_ISA",
        "}  // namespace sinew",
        "",
        "#endif  // SINEW_MODEL_DATA_VIEW_H_",
    ]
    return "\n".join(lines) + "\n"


def _scalar_type(entry: Entry) -> str:
    return "S" if entry["type"] == "mjtNum" else entry["type"]


def _real_reference(tables: Tables, entry: Entry) -> list[str]:
    name, row, columns = entry["name"], element_type(tables, entry), entry["cols"]
    address = f"  S* {name}_data() const {{ return d_->{name}; }}"
    if row == "S":
        return [f"  S& {name}(int i) const {{ return d_->{name}[i]; }}", address]
    if row is None:
        return [f"  S* {name}(int i) const {{ return d_->{name} + {columns} * i; }}", address]
    return [f"  {row}& {name}(int i) const {{ return Cast<{row}>(d_->{name} + {columns} * i); }}", address]


def _whole_reference(tables: Tables, entry: Entry) -> list[str]:
    name, type_name, columns = entry["name"], entry["type"], entry["cols"]
    address = f"  {type_name}* {name}_data() const {{ return d_->{name}; }}"
    if columns == "1":
        return [f"  {type_name}& {name}(int i) const {{ return d_->{name}[i]; }}", address]
    return [f"  {type_name}* {name}(int i) const {{ return d_->{name} + {columns} * i; }}", address]
