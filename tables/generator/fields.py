"""src/model/view/fields_generated.h: the fields of the public structs as constant arrays, for code that loops over them."""

from generator.tables import ELEMENT_KINDS, Entry, Tables, split_extent
from generator.text import banner

_PATH = "src/model/view/fields_generated.h"


def generate(tables: Tables) -> dict[str, str]:
    parts = [
        banner("tables/model.json, tables/data.json and tables/types.json"),
        "// The types are in model/view/fields.h, which includes this file.",
        "#ifndef SINEW_MODEL_VIEW_FIELDS_GENERATED_H_",
        "#define SINEW_MODEL_VIEW_FIELDS_GENERATED_H_",
        "",
        '#include "model/view/fields.h"',
        "",
        "namespace sinew::inline model {",
        "",
        *_model_sizes(tables),
        *_model_arrays(tables),
        *_data_arrays(tables, "kDataFields", "Arrays of mjData's main buffer.", "buffer"),
        *_data_arrays(tables, "kArenaFields", "Arrays of mjData's arena, in the order of mjData.", "arena"),
        *_members("kDataScalars", "mjData", "Members of mjData that are no arrays.", tables.data_of("scalar")),
        *_members("kDataVectors", "mjData", "Arrays of fixed size in mjData.", tables.data_of("vector")),
        *_struct(tables, "kOptionFields", "mjOption", "Members of mjOption."),
        *_struct(tables, "kStatisticFields", "mjStatistic", "Members of mjStatistic."),
        *_visual(tables),
        *_struct(tables, "kContactFields", "mjContact", "Members of mjContact."),
        *_struct(tables, "kWarningStatFields", "mjWarningStat", "Members of mjWarningStat."),
        *_struct(tables, "kTimerStatFields", "mjTimerStat", "Members of mjTimerStat."),
        *_struct(tables, "kSolverStatFields", "mjSolverStat", "Members of mjSolverStat."),
        "}  // namespace sinew::inline model",
        "",
        "#endif  // SINEW_MODEL_VIEW_FIELDS_GENERATED_H_",
    ]
    return {_PATH: "\n".join(parts) + "\n"}


def _array(comment: str, type_name: str, name: str, rows: list[str]) -> list[str]:
    return [f"// {comment}", f"inline constexpr {type_name} {name}[] = {{", *(f"    {row}," for row in rows), "};", ""]


def _model_sizes(tables: Tables) -> list[str]:
    rows = [f'{{"{entry["name"]}", &mjModel::{entry["name"]}}}' for entry in tables.model_sizes()]
    return _array("Sizes of mjModel, in the order of the struct.", "ModelSize", "kModelSizes", rows)


def _model_arrays(tables: Tables) -> list[str]:
    rows = []
    for entry in tables.model_arrays():
        extents = f"{_model_extent(tables, entry['rows'])}, {_model_extent(tables, entry['cols'])}"
        rows.append(f"{{{_head('mjModel', entry)}, {extents}{_scene(entry)}}}")
    return _array("Arrays of mjModel, in the order of its buffer and of MJB files.", "ModelArray", "kModelFields", rows)


def _data_arrays(tables: Tables, name: str, comment: str, kind: str) -> list[str]:
    counts = {entry["name"] for entry in tables.data_of("scalar")} - {"nplugin"}
    rows = []
    for entry in tables.data_of(kind):
        size = entry["rows"]
        rows_extent = f"{{nullptr, &mjData::{size}, 1}}" if size in counts else f"{{&mjModel::{size}, nullptr, 1}}"
        columns = tables.number(entry["cols"])
        rows.append(f"{{{_head('mjData', entry)}, {rows_extent}, {columns}{_scene(entry)}}}")
    return _array(comment, "DataArray", name, rows)


def _head(struct: str, entry: Entry) -> str:
    """Name, offset of the pointer, element kind."""
    return f'"{entry["name"]}", offsetof({struct}, {entry["name"]}), ElementKind::{ELEMENT_KINDS[entry["type"]]}'


def _model_extent(tables: Tables, extent: str) -> str:
    number = tables.number(extent)
    if number is not None:
        return f"{{nullptr, {number}}}"
    size, factor = split_extent(extent)
    return f"{{&mjModel::{size}, {factor}}}"


def _scene(entry: Entry) -> str:
    return "" if entry.get("scene", True) else ", false"


def _struct(tables: Tables, name: str, struct: str, comment: str) -> list[str]:
    return _members(name, struct, comment, [f for f in tables.struct(struct)["fields"] if "name" in f])


def _members(name: str, struct: str, comment: str, fields: list[Entry]) -> list[str]:
    """Rows of members whose elements are plain numbers; members that are structs have lists of their own."""
    rows = []
    for field in fields:
        kind = _member_kind(field["type"])
        if kind:
            rows.append(f'{{"{field["name"]}", offsetof({struct}, {field["name"]}), {kind}, {_count(field)}}}')
    return _array(comment, "StructMember", name, rows)


def _visual(tables: Tables) -> list[str]:
    rows = []
    for part in tables.struct("mjVisual")["fields"]:
        for field in part.get("fields", []):
            if "name" in field:
                path = f"{part['name']}.{field['name']}"
                rows.append(f'{{"{path}", offsetof(mjVisual, {path}), {_member_kind(field["type"])}, {_count(field)}}}')
    return _array("Members of mjVisual, as part.name.", "StructMember", "kVisualFields", rows)


def _member_kind(type_name: str) -> str | None:
    kind = ELEMENT_KINDS.get(type_name)
    if type_name == "size_t":
        kind = "kSize"
    return f"ElementKind::{kind}" if kind and type_name != "mjContact" else None


def _count(field: Entry) -> str:
    if "rows" in field:
        return field["rows"] if field["cols"] == "1" else f"{field['rows']} * {field['cols']}"
    return " * ".join(field.get("extent", ["1"]))
