"""src/model: ModelView, DataView and ModelField, named and typed access to mjModel and mjData for one world or a pack."""

from collections.abc import Callable

from generator.tables import SPATIAL_FIELDS, Entry, Tables
from generator.text import banner, expand

_INTEGERS = ("int", "mjtByte", "mjtSize")


def generate(tables: Tables) -> dict[str, str]:
    files = {
        "model_view.h": ("tables/model.json and tables/types.json", _model_view(tables)),
        "model_field_generated.h": ("tables/model.json and tables/types.json", _model_field(tables)),
        "data_view.h": ("tables/data.json", _data_view(tables)),
        "lane_arrays.h": ("tables/data.json", _lane_arrays(tables)),
    }
    return {
        f"src/model/view/{name}": banner(source) + expand(tables.template(f"src/{name}"), directives)
        for name, (source, directives) in files.items()
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
    if entry["name"] in ("cinert", "crb"):
        return "Inertia10<S>"
    return None


def _by_group(
    table: list[Entry], fields: list[Entry], accessors: Callable[[Entry], list[str]]
) -> list[str]:
    """Returns the accessors of some fields of a table, under the headings that the table gives its groups."""
    lines, heading, names = [], None, {field["name"] for field in fields}
    for entry in table:
        if "group" in entry:
            heading = f"  // {entry['group']}"
        if entry.get("name") in names:
            lines += ([heading] if heading else []) + accessors(entry)
            heading = None
    return lines


# ---- mjModel


def _model_view(tables: Tables) -> dict[str, Callable[[], list[str]]]:
    arrays = tables.model_arrays()
    whole = [entry for entry in arrays if entry["type"] in _INTEGERS]
    real = [entry for entry in arrays if entry["type"] == "mjtNum"]
    return {
        "sizes": lambda: [_size_accessor(entry["name"]) for entry in tables.model_sizes()],
        "integers": lambda: _by_group(tables.model, whole, lambda entry: [_whole_accessor(tables, entry)]),
        "reals": lambda: _by_group(tables.model, real, lambda entry: [_real_accessor(tables, entry)]),
        "options": lambda: [_option_accessor(part, field) for part, field in _options(tables)],
    }


def _model_field(tables: Tables) -> dict[str, Callable[[], list[str]]]:
    arrays = [entry["name"] for entry in tables.model_arrays() if entry["type"] == "mjtNum"]
    options = [f"{part}_{field['name']}" for part, field in _options(tables) if field["type"] == "mjtNum"]
    return {"model_fields": lambda: [f"  {name}," for name in arrays + options]}


def _options(tables: Tables) -> list[tuple[str, Entry]]:
    """Members of mjOption and mjStatistic with the name that these structs have in mjModel."""
    parts = [("opt", "mjOption"), ("stat", "mjStatistic")]
    return [(part, field) for part, struct in parts for field in tables.struct(struct)["fields"] if "name" in field]


def _size_accessor(name: str) -> str:
    return f"  int {name}() const {{ return static_cast<int>(raw()->{name}); }}"


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
        result = row if row == "S" else f"StructOf<S, {row}>"
        return f"  {result} {name}(int i) const {{ return this->template Load<{row}>({source}, i); }}"
    return f"  RowOf<S> {name}(int i) const {{ return this->Row({source}, i, {_stride(tables, entry)}); }}"


def _stride(tables: Tables, entry: Entry) -> str:
    """Columns of a row: a constant, or a size of the model, as in nmocap() * 3."""
    if tables.number(entry["cols"]) is not None:
        return entry["cols"]
    size, times, factor = entry["cols"].partition("*")
    return f"{size}()" + (f" * {factor}" if times else "")


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


def _data_view(tables: Tables) -> dict[str, Callable[[], list[str]]]:
    arrays = [entry for entry in tables.data if entry.get("kind") in ("buffer", "arena")]
    real = [entry for entry in arrays if entry["type"] == "mjtNum"]
    whole = [entry for entry in arrays if entry["type"] in ("int", "mjtByte")]
    scalars = [entry for entry in tables.data_of("scalar") if entry["type"] in ("int", "mjtByte", "mjtNum")]
    vectors = [entry for entry in tables.data_of("vector") if entry["type"] == "mjtNum"]
    return {
        "storage": lambda: [
            *(f"  {_lane_type(e)} {e['name']};" for e in scalars),
            *(f"  S {e['name']}[{e['rows']}];" for e in vectors),
            *(f"  {_lane_type(e)}* {e['name']};" for e in real + whole),
        ],
        "scalars": lambda: [
            *(f"  {_lane_type(e)}& {e['name']}() const {{ return d_->{e['name']}; }}" for e in scalars),
            *(f"  S* {e['name']}() const {{ return d_->{e['name']}; }}" for e in vectors),
        ],
        "reals": lambda: _by_group(tables.data, real, lambda e: _reference(e, element_type(tables, e))),
        "integers": lambda: _by_group(
            tables.data, whole, lambda e: _reference(e, e["type"] if e["cols"] == "1" else None)
        ),
    }


def _lane_arrays(tables: Tables) -> dict[str, Callable[[], list[str]]]:
    arrays = [e for e in tables.data if e.get("kind") == "buffer" and e["type"] in ("mjtNum", "int", "mjtByte")]
    return {"arrays": lambda: [_visit(entry) for entry in arrays]}


def _visit(entry: Entry) -> str:
    name, columns = entry["name"], entry["cols"]
    count = f"m.{entry['rows']}" + (f" * {columns}" if columns != "1" else "")
    return f"  visit(static_cast<size_t>({count}), d.{name}, lanes.{name});"


def _lane_type(entry: Entry) -> str:
    return "S" if entry["type"] == "mjtNum" else entry["type"]


def _reference(entry: Entry, row: str | None) -> list[str]:
    """Accessors of a row, as a reference to `row` or a pointer to its numbers, and of the whole array."""
    name, element, columns = entry["name"], _lane_type(entry), entry["cols"]
    address = f"  {element}* {name}_data() const {{ return d_->{name}; }}"
    if row is None:
        return [f"  {element}* {name}(int i) const {{ return d_->{name} + {columns} * i; }}", address]
    if row == element:
        return [f"  {row}& {name}(int i) const {{ return d_->{name}[i]; }}", address]
    return [f"  {row}& {name}(int i) const {{ return Cast<{row}>(d_->{name} + {columns} * i); }}", address]
