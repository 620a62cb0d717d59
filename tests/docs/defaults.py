"""Defaults of MJCF attributes as the library has them.

For attributes that are fields of a struct of <mujoco/mjspec.h>, writes a program in C++ that makes each struct and prints its
fields, and runs it. The table (tables/mjcf_defaults.json) holds the same values as texts, for the documents: this compares them,
and with --write puts them there. Defaults of other attributes, which the reader of files fills in, stand in tables/mjcf_read.json.

tests/docs/defaults_test.py compiles models with and without each default, and compares.
"""

import json
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tables"))

from generator.mjcf import Schema, _field  # noqa: E402
from generator.tables import Tables  # noqa: E402

# Fields whose initial values stand for "not given".
_NOT_DEFAULTS = ("fromto", "fullinertia", "ipos", "cranklength")

# Attributes that a file has to give although the schema does not say so, since a class may give them.
_NEEDED = (
    "body/geom size", "body/composite/geom size", "asset/texture width", "asset/texture height", "body/inertial mass",
    "equality/connect anchor", "equality/weld anchor", "equality/flexstrain cell", "asset/hfield size", "body/inertial diaginertia",
)  # fmt: skip

_MAKE = {"mjSpec": "mjSpec& x = *mj_makeSpec();"}


def library() -> pathlib.Path:
    return pathlib.Path(os.environ.get("SINEW_LIBRARY", ROOT / "build/release/lib/libmujoco.so"))


def numbers_of(tables: Tables, struct: str, row: dict) -> int:
    """Returns how many numbers of a field an attribute shows; 0 for texts and lists."""
    storage, capacity = _field(tables, struct, row)
    if storage in ("kString", "kStringVec", "kDoubleVec", "kFloatVec", "kIntVec"):
        return 0
    high = row.get("count", "1").split("..")[-1]
    return min(int(high), capacity or 1) if high.isdigit() else capacity or 1


_HEAD = """#include <mujoco/mujoco.h>
#include <cstdio>
#include <type_traits>
template <class T>
double At(const T& field, int k) {
  if constexpr (std::is_array_v<T>) {
    return static_cast<double>(field[k]);
  } else {
    return static_cast<double>(field);
  }
}
int main() {"""


def program(tables: Tables, schema: Schema) -> str:
    lines = [_HEAD]
    for path, element in schema.elements.items():
        struct = schema.struct(element)
        if not struct or "defaults_of" in element:
            continue
        rows = [(row, numbers_of(tables, struct, row)) for row in schema.attributes(element) if "field" in row]
        rows = [(row, count) for row, count in rows if count > 0]
        if rows:
            make = _MAKE.get(struct, f"{struct} x; mjs_default{struct.removeprefix('mjs')}(&x);")
            lines += [f"  {{ {make}", *(line for row, count in rows for line in shown(schema, path, row, count)), "  }"]
    return "\n".join([*lines, "}", ""])


def shown(schema: Schema, path: str, row: dict, count: int) -> list[str]:
    """Returns the statements that print the default of an attribute."""
    field = f"x.{row['field']}"
    lines = [f'    std::printf("{path} {row["name"]}");']
    if row["type"] == "keyword":
        for word, constant in schema.keywords[row["keywords"]].items():
            if re.match("k[A-Z]", str(constant)):  # an extension: no default, and not in the public headers
                continue
            lines.append(f'    if (At({field}, 0) == static_cast<double>({constant})) std::printf(" {word}");')
    elif row["type"] == "flag":
        # the bits of disableflags switch off, those of enableflags on
        set_means = "disable" if row["bit"].startswith("mjDSBL") else "enable"
        clear_means = "disable" if set_means == "enable" else "enable"
        lines.append(f'    std::printf(" %s", ({field} & {row["bit"]}) ? "{set_means}" : "{clear_means}");')
    elif row["type"] != "keywords":
        lines += [f'    std::printf(" %.17g", At({field}, {k}));' for k in range(count)]
    return [*lines, '    std::printf("\\n");']


def shortest(value: str, storage: str) -> str:
    """Returns the shortest text that gives the number, in the precision in which the library stores it."""
    if "nan" in value:
        return "nan"
    code = "f" if storage == "kFloat" else "d"
    exact = struct.pack(code, float(value))
    text = next(text for text in (f"{float(value):.{n}g}" for n in range(1, 18)) if struct.pack(code, float(text)) == exact)
    return str(int(float(text))) if "e+" in text and abs(float(text)) < 1e6 else text


def written(row: dict, storage: str, values: list[str]) -> str:
    """Returns a default as a file would give it; empty where there is none, since the number stands for "not given"."""
    if "alt." in row["field"] or row["field"] in _NOT_DEFAULTS or "nan" in values[0]:
        return ""
    if row["type"] in ("real", "int"):
        values = [shortest(value, storage) for value in values]
        least = int(row.get("count", "1").split("..")[0])
        while len(values) > max(least, 1) and values[-1] == "0":
            values.pop()
    return " ".join(values)


def defaults() -> dict[str, str]:
    """Returns the defaults by "path attribute"."""
    tables = Tables(ROOT / "tables")
    schema = Schema(tables)
    with tempfile.TemporaryDirectory() as folder:
        source, binary = pathlib.Path(folder) / "defaults.cc", pathlib.Path(folder) / "defaults"
        source.write_text(program(tables, schema))
        lib = library()
        subprocess.run(
            ["g++", "-std=c++20", "-O0", f"-I{ROOT}/include", source, lib, f"-Wl,-rpath,{lib.resolve().parent}", "-o", binary],
            check=True,
        )
        text = subprocess.run([binary], check=True, capture_output=True, text=True).stdout
    found = {}
    for line in text.splitlines():
        path, name, *values = line.split(" ")
        element = schema.elements[path]
        row = next(row for row in schema.attributes(element) if row["name"] == name)
        if row.get("required") or f"{path} {name}" in _NEEDED:
            continue
        value = written(row, _field(tables, schema.struct(element), row)[0], values) if values else ""
        if value:
            found[f"{path} {name}"] = value
    return found


TABLE = ROOT / "tables/mjcf_defaults.json"


def main() -> int:
    found = defaults()
    if "--write" in sys.argv:
        lines = (f" {json.dumps(key)}: {json.dumps(value)}" for key, value in found.items())
        TABLE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
        return 0
    written = json.loads(TABLE.read_text())
    wrong = [key for key in {**found, **written} if found.get(key) != written.get(key)]
    for key in wrong:
        print(f"{key}: the library has {found.get(key)!r}, the table {written.get(key)!r}")
    if wrong:
        print("run tests/docs/defaults.py --write")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
