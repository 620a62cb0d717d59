"""The interface tables: generated files are current, headers compile, and the list of what is missing only shrinks."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tables"))

import generate  # noqa: E402
from generator.tables import TableError, Tables, parameter_type, split_extent  # noqa: E402

# Bound of the functions that the release does not provide; it is never raised.
MOST_UNIMPLEMENTED = 0


def undocumented(entries: list[dict]) -> list[str]:
    """Returns the names of entries, and of their members, that have no text."""
    names = []
    for entry in entries:
        if not entry.get("doc") and "group" not in entry:
            names.append(entry.get("name") or entry.get("struct") or entry.get("callback"))
        names += undocumented(entry.get("fields", []) + entry.get("values", []))
    return names


class GeneratedFilesTest(unittest.TestCase):
    def test_generated_files_are_current(self):
        command = [sys.executable, str(ROOT / "tables/generate.py"), "--check"]
        done = subprocess.run(command, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_list_of_unimplemented_functions_only_shrinks(self):
        self.assertLessEqual(len(Tables(ROOT / "tables").unimplemented), MOST_UNIMPLEMENTED)

    @unittest.skipUnless("SINEW_LIBRARY" in os.environ, "SINEW_LIBRARY does not name the built library")
    def test_list_of_unimplemented_functions_is_that_of_the_stubs_in_the_library(self):
        command = ["nm", "-D", "--defined-only", os.environ["SINEW_LIBRARY"]]
        symbols = [line.split() for line in subprocess.check_output(command, text=True).splitlines()]
        stubs = {name for *_, kind, name in symbols if kind == "W" and name.startswith("mj")}
        listed = set(Tables(ROOT / "tables").unimplemented)
        self.assertEqual(listed - stubs, set(), "implemented: delete them from the list, run tables/generate.py")
        self.assertEqual(stubs - listed, set(), "not implemented: tables/unimplemented.txt lacks it")


class HeaderTest(unittest.TestCase):
    """Clients include any public header first, from C11 and from C++17."""

    def test_every_header_compiles_alone(self):
        for header in sorted((ROOT / "include/mujoco").glob("*.h")):
            with self.subTest(header=header.name):
                source = f"#include <mujoco/{header.name}>\nint main(void) {{ return 0; }}\n"
                self._compile("cc", ["-x", "c", "-std=c11", "-pedantic"], source)
                self._compile("c++", ["-x", "c++", "-std=c++17", "-pedantic"], source)

    def test_field_lists_expand(self):
        source = """
            #include <mujoco/mujoco.h>
            #include <mujoco/mjxmacro.h>
            static int count(const mjModel* m, const mjData* d) {
              MJMODEL_POINTERS_PREAMBLE(m)
              long n = nq + nv + na + nu + nmocap + nuser_body + nuser_jnt + nuser_geom + nuser_site +
                       nuser_cam + nuser_tendon + nuser_actuator + nuser_sensor;
              #define X(type, name, rows, columns) { const type* p = m->name; n += p != 0; }
              MJMODEL_POINTERS
              #undef X
              #define X(type, name, rows, columns) { const type* p = d->name; n += p != 0; }
              MJDATA_POINTERS
              MJDATA_ARENA_POINTERS
              #undef X
              #define X(name) n += m->name;
              MJMODEL_SIZES
              #undef X
              return n > 0;
            }
            int main(void) { return count(0, 0); }
        """
        self._compile("cc", ["-x", "c", "-std=c11"], source)

    def _compile(self, compiler: str, options: list[str], source: str):
        with tempfile.TemporaryDirectory() as folder:
            command = [compiler, *options, "-Wall", "-Wextra", "-Werror", "-I", str(ROOT / "include"), "-c", "-"]
            done = subprocess.run(command + ["-o", f"{folder}/out.o"], input=source, capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


class RefusedRowsTest(unittest.TestCase):
    """A row that names an enumeration's value, a field or an attribute that does not exist is refused, by its name."""

    def refuse(self, table: str, old: str, new: str, message: str):
        with tempfile.TemporaryDirectory() as folder:
            tables = shutil.copytree(ROOT / "tables", pathlib.Path(folder) / "tables")
            text = (tables / table).read_text()
            self.assertIn(old, text)
            (tables / table).write_text(text.replace(old, new, 1))
            with self.assertRaisesRegex(TableError, message):
                generate.outputs(Tables(tables))

    def test_values_of_enumerations(self):
        self.refuse("sensors.json", '"mjSENS_TOUCH"', '"mjSENS_TUCH"', "mjSENS_TUCH")
        self.refuse("mjcf.json", '"mjSOL_NEWTON"', '"mjSOL_NEWTN"', "mjSOL_NEWTN")
        self.refuse("mjcf.json", '"mjDSBL_LIMIT"', '"mjDSBL_LIMITS"', "mjDSBL_LIMITS")

    def test_kinds_of_sensors(self):
        self.refuse("sensors.json", '"attachment": "site"', '"attachment": "sight"', "sight")
        self.refuse("sensors.json", '"stage": "acceleration"', '"stage": "late"', "late")
        self.refuse("enums.json", '"mjSENS_CLOCK"', '"mjSENS_WATCH"', "mjSENS_CLOCK")

    def test_fields_and_attributes(self):
        self.refuse("mjcf.json", '"field": "option.disableflags"', '"field": "option.disabledflags"', "disabledflags")
        self.refuse("mjcf_defaults.json", '"compiler boundmass"', '"compiler boundmas"', "compiler boundmas")
        self.refuse("mjcf_gone.json", '"to": "ccd_iterations"', '"to": "ccd_iteration"', "ccd_iteration")


class TableTest(unittest.TestCase):
    def test_parameter_type_drops_the_name(self):
        self.assertEqual(parameter_type("const mjModel* m"), "const mjModel*")
        self.assertEqual(parameter_type("mjtNum res[3]"), "mjtNum[3]")
        self.assertEqual(parameter_type("void (*cleanup)(const void*)"), "void (*)(const void*)")
        self.assertEqual(parameter_type("..."), "...")

    def test_every_entry_is_documented(self):
        tables = Tables(ROOT / "tables")
        kinds = (tables.constants, tables.enums, tables.types, tables.model, tables.data, tables.functions, tables.globals)
        silent = [name for entries in kinds for name in undocumented(entries)]
        self.assertEqual(silent, [])

    def test_extents_may_have_a_factor(self):
        self.assertEqual(split_extent("nmocap*3"), ("nmocap", 3))
        self.assertEqual(split_extent("nv"), ("nv", 1))


if __name__ == "__main__":
    unittest.main()
