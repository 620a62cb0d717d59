#!/usr/bin/env python3
"""Checks the table of src/README.md: every folder includes only what its line allows, and intrinsics stay in src/simd."""

import pathlib
import re
import sys
import unittest

SRC = pathlib.Path(__file__).resolve().parents[3] / "src"
ALWAYS = {"core", "simd", "math", "model"}
STAGES = {"kinematics", "inertia", "force", "collision", "constraint", "solve", "integrate", "sensor"}
# Below the stages the order is strict: math knows nothing of models, simd nothing of math.
FOUNDATION = {"core": set(), "simd": set(), "math": {"simd"}, "model": {"core", "simd", "math"}}


def folders_of(readme):
    """Reads the table: folder -> folders that it may include beyond the foundation; None stands for everything."""
    rules = {}
    for line in readme.splitlines():
        row = re.match(r"\| `(\w+)/` \|.*\|(.*)\|$", line)
        if not row:
            continue
        text = row.group(2)
        if "everything" in text:
            rules[row.group(1)] = None
        elif "every stage" in text or "every kernel" in text:
            rules[row.group(1)] = STAGES | set(re.findall(r"`(\w+)`", text))
        else:
            rules[row.group(1)] = set(re.findall(r"`(\w+)`", text))
    return rules


def includes_of(path):
    """Yields (line number, folder) of the project's own headers that a file includes."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#include "(\w+)/', line)
        if match:
            yield number, match.group(1)


class IncludeRules(unittest.TestCase):
    def setUp(self):
        self.rules = folders_of((SRC / "README.md").read_text())

    def test_every_folder_has_a_line(self):
        folders = {path.name for path in SRC.iterdir() if path.is_dir() and any(path.rglob("*.*"))}
        self.assertEqual(folders - set(self.rules), set())

    def test_files_are_opened_in_one_place(self):
        """What models read goes through core/resources.cc, what is written through core/write_file.cc; the rest is the
        log, and what the system tells of memory and processors."""
        doors = {"core/resources.cc", "core/write_file.cc", "core/handlers.cc", "core/machine_memory.cc",
                 "core/processors.cc"}
        opens = {str(path.relative_to(SRC)) for path in SRC.rglob("*.cc")
                 if re.search(r"\b[io]?fstream\b.*\(|\bfopen\(|\bopen\(.*O_(RD|WR)", path.read_text())}
        self.assertEqual(opens - doors, set())

    def test_includes_follow_the_table(self):
        broken = []
        for path in sorted(SRC.glob("*/**/*")):
            folder = path.relative_to(SRC).parts[0]
            if path.suffix not in (".h", ".cc") or self.rules.get(folder, set()) is None:
                continue
            allowed = FOUNDATION.get(folder, ALWAYS | self.rules[folder]) | {folder}
            for number, included in includes_of(path):
                if included not in allowed:
                    broken.append(f"{path.relative_to(SRC)}:{number}: {folder} may not include {included}")
        self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_no_two_folders_include_each_other(self):
        pairs = {
            tuple(sorted((a, b)))
            for a, allowed in self.rules.items()
            for b in allowed or ()
            if a != b and a in (self.rules.get(b) or ())
        }
        self.assertEqual(pairs, set())

    def test_large_folders_have_rooms(self):
        """At most 12 files in a folder, or a README that names its rooms with all their files."""
        broken = []
        for folder in [SRC, *(path for path in SRC.rglob("*") if path.is_dir())]:
            files = [path for path in folder.iterdir() if path.is_file() and path.suffix in (".h", ".cc")]
            if len(files) <= 12:
                continue
            readme = folder / "README.md"
            text = readme.read_text() if readme.is_file() else ""
            missing = sorted({path.stem for path in files if not re.search(rf"\b{path.stem}\b", text)})
            if missing:
                broken.append(f"{folder.relative_to(SRC)}: {len(files)} files, of which its README does not name {missing}")
        self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_no_circle_of_rooms(self):
        """The rooms of a folder include each other in one direction; a folder and its own rooms may do so in both."""
        arrows = {}
        for path in SRC.glob("*/*/*"):
            if path.suffix not in (".h", ".cc"):
                continue
            room = str(path.relative_to(SRC).parent)
            for name in re.findall(r'^#include "(\w+/\w+)/[\w/]+\.h"', path.read_text(), re.M):
                if name != room and name.split("/")[0] == room.split("/")[0]:
                    arrows.setdefault(room, set()).add(name)
        rest = set(arrows)
        while ends := [room for room in rest
                       if not arrows[room] & rest or not any(room in arrows[other] for other in rest)]:
            rest -= set(ends)
        self.assertEqual(rest - {"batch/fallback", "batch/pairs", "collision/analytic", "collision/convex"}, set())

    def test_every_file_is_covered_by_a_test(self):
        """A test of the same path, or one that tests/unit/README.md names; so far for these folders."""
        unit = SRC.parent / "tests/unit"
        named = set(re.findall(r"`(\w+)`", (unit / "README.md").read_text()))
        missing = [str(path.relative_to(SRC)) for folder in ("solve", "batch", "derivatives", "sensor")
                   for path in sorted((SRC / folder).rglob("*.cc"))
                   if not (unit / path.relative_to(SRC)).with_name(path.stem + "_test.cc").is_file() and path.stem not in named]
        self.assertEqual(missing, [])

    def test_every_folder_has_its_namespace(self):
        """So that equal names of two folders are two names; src/README.md says where a namespace is not inline."""
        broken = []
        for path in sorted(SRC.glob("*/**/*")):
            folder = path.relative_to(SRC).parts[0]
            if path.suffix not in (".h", ".cc"):
                continue
            spaces = set(re.findall(r"^namespace sinew(?:::(?:inline )?(\w+))?[\w:]* \{", path.read_text(), re.M))
            if folder not in spaces | {"capi"} and spaces:
                broken.append(f"{path.relative_to(SRC)}: {sorted(spaces)}")
        self.assertEqual(broken, [], "\n" + "\n".join(broken))

    def test_no_two_types_of_one_name(self):
        """Two types of one name in one namespace are one type to the linker (`./test odr` asks it)."""
        places = {}
        for path in sorted(SRC.rglob("*.h")):
            spaces = []
            for line in path.read_text().splitlines():
                if start := re.match(r"(?:inline )?namespace ?([\w: ]*) \{", line):
                    spaces.append(start[1].replace("inline ", ""))
                elif line.startswith("}  // namespace"):
                    spaces.pop()
                elif spaces and (name := re.match(r"(?:struct|class|enum class) (\w+)(?: final)?(?: : [\w ]+)? \{", line)):
                    places.setdefault("::".join([*spaces, name[1]]), set()).add(str(path.relative_to(SRC)))
        spaces_of_isa = {name.replace("SINEW_ISA::", "") for name in places}
        self.assertEqual({name: files for name, files in places.items() if len(files) > 1}, {})
        self.assertEqual(len(spaces_of_isa), len(places), "a kernel and other code have a type of one name")

    def test_no_algorithms_of_ranges(self):
        """The library for the Python package is built with libc++ 14, which has none of them."""
        broken = [
            str(path.relative_to(SRC))
            for path in SRC.glob("*/**/*")
            if path.suffix in (".h", ".cc") and "std::ranges::" in path.read_text()
        ]
        self.assertEqual(broken, [])

    def test_intrinsics_stay_in_simd(self):
        pattern = re.compile(r"immintrin\.h|arm_neon\.h|\b_mm\d*_|__AVX|__SSE")
        broken = [
            str(path.relative_to(SRC))
            for path in SRC.glob("*/**/*")
            if path.suffix in (".h", ".cc") and path.relative_to(SRC).parts[0] != "simd" and pattern.search(path.read_text())
        ]
        self.assertEqual(broken, [])


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=0))
