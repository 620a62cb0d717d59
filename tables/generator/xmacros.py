"""The X-macro lists of mjxmacro.h: fields of mjModel, mjData and the option structs."""

from generator.tables import Entry, Tables, split_extent
from generator.text import backslashed

# Parts of mjVisual, with what their lists tell of a field.
_VISUAL = {
    "global": ("type", "name"),
    "quality": ("name",),
    "headlight": ("type", "name", "count"),
    "map": ("name",),
    "scale": ("name",),
    "rgba": ("name",),
}

# Sizes of mjModel that occur as column counts of its arrays.
_COLUMN_SIZES = (
    *(f"nuser_{kind}" for kind in ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")),
    *("nq", "nv", "na", "nu", "nmocap"),
)


def options(tables: Tables) -> list[str]:
    """MJOPTION_FIELDS: X(type, name, count), XVEC for vectors."""
    return _struct_list("MJOPTION_FIELDS", tables.struct("mjOption")["fields"], ("type", "name", "count"))


def statistic(tables: Tables) -> list[str]:
    """MJSTATISTIC_FIELDS: X(name, count), XVEC for vectors."""
    return _struct_list("MJSTATISTIC_FIELDS", tables.struct("mjStatistic")["fields"], ("name", "count"))


def visual(tables: Tables) -> list[str]:
    """One list for each part of mjVisual."""
    lines: list[str] = []
    for part in tables.struct("mjVisual")["fields"]:
        if "fields" in part:
            macro = f"MJVISUAL_{part['name'].upper()}_FIELDS"
            lines += _struct_list(macro, part["fields"], _VISUAL[part["name"]]) + [""]
    return lines[:-1]


def sizes(tables: Tables) -> list[str]:
    """MJMODEL_SIZES: X(name), in the order of mjModel; nbuffer is the last one."""
    return _macro("MJMODEL_SIZES", [f"X( {entry['name']} )" for entry in tables.model_sizes()])


def preamble(tables: Tables) -> list[str]:
    """Declares the sizes that occur as column counts, so that they can be used as plain names."""
    del tables
    lines = [f"    int {name} = (int)m->{name};" for name in _COLUMN_SIZES]
    return backslashed(["#define MJMODEL_POINTERS_PREAMBLE( m )"] + lines)


def model(tables: Tables) -> list[str]:
    """MJMODEL_POINTERS and its parts: X(type, name, rows, columns), XNV for what a scene does not need."""
    columns = lambda extent: _model_columns(tables, extent)
    return _lists("MJMODEL_POINTERS", tables.model_arrays(), lambda extent: extent, columns)


def buffer(tables: Tables) -> list[str]:
    """MJDATA_POINTERS: arrays of mjData's main buffer."""
    return _lists("MJDATA_POINTERS", tables.data_of("buffer"), lambda extent: extent, lambda extent: extent)


def arena(tables: Tables) -> list[str]:
    """MJDATA_ARENA_POINTERS and its parts: arrays in mjData's arena."""
    counts = {entry["name"] for entry in tables.data_of("scalar")}
    owner = lambda extent: f"MJ_D({extent})" if extent in counts else f"MJ_M({extent})"
    order = ("CONTACT", "SOLVER", "DUAL", "ISLAND")
    entries = sorted(tables.data_of("arena"), key=lambda entry: order.index(entry["list"]))
    return _lists("MJDATA_ARENA_POINTERS", entries, owner, lambda extent: extent)


def scalars(tables: Tables) -> list[str]:
    """MJDATA_SCALAR: X(type, name)."""
    rows = [("X", (entry["type"], entry["name"])) for entry in tables.data_of("scalar")]
    return _macro("MJDATA_SCALAR", _aligned(rows))


def vectors(tables: Tables) -> list[str]:
    """MJDATA_VECTOR: X(type, name, rows, columns) of the arrays inside mjData."""
    rows = [("X", (entry["type"], entry["name"], entry["rows"], entry["cols"])) for entry in tables.data_of("vector")]
    return _macro("MJDATA_VECTOR", _aligned(rows))


def _model_columns(tables: Tables, extent: str) -> str:
    """A column count; sizes of the model are wrapped: nmocap*3 -> MJ_M(nmocap)*3."""
    if tables.number(extent) is not None:
        return extent
    size, factor = split_extent(extent)
    return f"MJ_M({size})" + (f"*{factor}" if factor > 1 else "")


def _struct_list(macro: str, fields: list[Entry], what: tuple[str, ...]) -> list[str]:
    rows = []
    for field in fields:
        if "name" in field:
            count = field.get("extent", ["1"])[0]
            known = {"type": field["type"], "name": field["name"], "count": count}
            vector = "count" in what and count != "1"
            rows.append(("XVEC" if vector else "X", tuple(known[key] for key in what)))
    return _macro(macro, _aligned(rows))


def _lists(macro: str, entries: list[Entry], rows_of, columns_of) -> list[str]:
    """A macro for every named part of the entries, then one that strings parts and single entries together."""
    parts: dict[str, list[tuple[str, tuple[str, ...]]]] = {}
    whole: list[str] = []
    singles: list[tuple[str, tuple[str, ...]]] = []
    for entry in entries:
        kind = "X" if entry.get("scene", True) else "XNV"
        row = (kind, (entry["type"], entry["name"], rows_of(entry["rows"]), columns_of(entry["cols"])))
        part = entry.get("list")
        if part is None:
            singles.append(row)
            whole.append("")
        elif part not in parts:
            whole.append(f"{macro}_{part}")
        if part is not None:
            parts.setdefault(part, []).append(row)
    text = iter(_aligned(singles))
    lines: list[str] = []
    for part, rows in parts.items():
        lines += _macro(f"{macro}_{part}", _aligned(rows)) + [""]
    return lines + _macro(macro, [line or next(text) for line in whole])


def _aligned(rows: list[tuple[str, tuple[str, ...]]]) -> list[str]:
    """Returns X( a, b, c ) lines with their arguments in columns."""
    if not rows:
        return []
    count = len(rows[0][1])
    widths = [max(len(arguments[i]) for _, arguments in rows) for i in range(count)]
    head = max(len(kind) for kind, _ in rows)
    lines = []
    for kind, arguments in rows:
        cells = [f"{a}," if i + 1 < count else a for i, a in enumerate(arguments)]
        padded = " ".join(cell.ljust(width + 1) for cell, width in zip(cells, widths))
        lines.append(f"{kind.ljust(head)}( {padded})")
    return lines


def _macro(name: str, lines: list[str]) -> list[str]:
    return backslashed([f"#define {name}"] + [f"    {line}" for line in lines])
