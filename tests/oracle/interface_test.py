"""The public headers against those of the release whose interface they have: layout, values, signatures, field lists.

Needs gcc and the headers of MuJoCo 3.8.0: the folder named by MUJOCO_REFERENCE_INCLUDE, or those of an installed wheel.
"""

import importlib.util
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

OWN = pathlib.Path(__file__).resolve().parents[2] / "include"

# Lists of fields; X(...) entries are compared after expansion of their constants.
LISTS = """MJOPTION_FIELDS MJSTATISTIC_FIELDS MJVISUAL_GLOBAL_FIELDS MJVISUAL_QUALITY_FIELDS MJVISUAL_HEADLIGHT_FIELDS
MJVISUAL_MAP_FIELDS MJVISUAL_SCALE_FIELDS MJVISUAL_RGBA_FIELDS MJMODEL_SIZES MJMODEL_POINTERS MJDATA_POINTERS
MJDATA_ARENA_POINTERS_CONTACT MJDATA_ARENA_POINTERS_SOLVER MJDATA_ARENA_POINTERS_DUAL MJDATA_ARENA_POINTERS_ISLAND
MJDATA_ARENA_POINTERS MJDATA_SCALAR MJDATA_VECTOR""".split()

# The release's lists call these members size_t; in the struct, here and there, they are mjtSize.
SIZE_T = "narena nbuffer maxuse_stack maxuse_arena maxuse_threadstack".split()


def reference_include() -> pathlib.Path | None:
    """Returns the include folder of the release, None if it is not at hand."""
    if folder := os.environ.get("MUJOCO_REFERENCE_INCLUDE"):
        return pathlib.Path(folder)
    spec = importlib.util.find_spec("mujoco")
    folder = pathlib.Path(spec.origin).parent / "include" if spec and spec.origin else None
    return folder if folder and (folder / "mujoco/mujoco.h").is_file() else None


REFERENCE = reference_include()


@unittest.skipUnless(REFERENCE, "the headers of MuJoCo 3.8.0 are not installed")
class InterfaceTest(unittest.TestCase):
    maxDiff = 4000

    def test_functions_have_the_same_signatures(self):
        self.assertEqual(_signatures(OWN), _signatures(REFERENCE))

    def test_constants_and_enumerations_have_the_same_values(self):
        self.assertEqual(_macros(OWN), _macros(REFERENCE))
        names = sorted(_enumerators(REFERENCE))
        self.assertEqual(sorted(_enumerators(OWN)), names)
        self.assertEqual(_values(OWN, names), _values(REFERENCE, names))

    def test_structs_have_the_same_members_at_the_same_places(self):
        members = _members(REFERENCE)
        self.assertEqual(_members(OWN), members)
        places = [f"offsetof({struct}, {name})" for struct, names in members.items() for name in names]
        sizes = [f"sizeof({struct})" for struct in members]
        self.assertEqual(_values(OWN, places + sizes), _values(REFERENCE, places + sizes))

    def test_field_lists_have_the_same_entries(self):
        for name in LISTS:
            with self.subTest(list=name):
                self.assertEqual(_entries(OWN, name), _entries(REFERENCE, name))


def _gcc(include: pathlib.Path, options: list[str], source: str) -> str:
    command = ["gcc", "-std=c11", "-I", str(include), *options, "-x", "c", "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


def _signatures(include: pathlib.Path) -> list[str]:
    with tempfile.NamedTemporaryFile() as file:
        _gcc(include, ["-fsyntax-only", "-aux-info", file.name], "#include <mujoco/mujoco.h>\n")
        lines = pathlib.Path(file.name).read_text().splitlines()
    return sorted(re.sub(r"/\*.*?\*/ ", "", line) for line in lines if re.search(r"\bmj\w+ \(", line))


def _macros(include: pathlib.Path) -> dict[str, str]:
    """Returns the object-like macros of the interface; what they stand for, without spaces."""
    text = _gcc(include, ["-E", "-dM"], "#include <mujoco/mujoco.h>\n")
    return dict(re.findall(r"^#define (mj\w+) (\S+)$", text, re.M))


def _enumerators(include: pathlib.Path) -> set[str]:
    text = _gcc(include, ["-E", "-P"], "#include <mujoco/mujoco.h>\n")
    bodies = re.findall(r"typedef enum \w+ \{(.*?)\}", text, re.S)
    return {name for body in bodies for name in re.findall(r"(?:^|,)\s*(mj\w+)", body)}


def _members(include: pathlib.Path) -> dict[str, list[str]]:
    """Returns the members of every struct that has a typedef; those of anonymous structs inside are left out."""
    text = _gcc(include, ["-E", "-P"], "#include <mujoco/mujoco.h>\n")
    text = re.sub(r"(struct|union) \{[^{}]*\}", r"int", text)
    found = {}
    for tag, body in re.findall(r"struct (mj\w+) \{([^{}]*)\}", text):
        declarations = [d.strip() for d in body.split(";") if d.strip() and d.strip() != "int"]
        found[f"struct {tag}"] = [_declared(declaration) for declaration in declarations]
    return found


def _declared(declaration: str) -> str:
    pointer = re.search(r"\(\*(\w+)\)", declaration)
    return (pointer or re.search(r"(\w+)\s*(?:\[[^\]]*\]\s*)*$", declaration))[1]


def _values(include: pathlib.Path, expressions: list[str]) -> dict[str, str]:
    prints = "\n".join(f'printf("%lld\\n", (long long)({e}));' for e in expressions)
    source = f"#include <mujoco/mujoco.h>\n#include <stdio.h>\nint main(void) {{ {prints} }}\n"
    with tempfile.TemporaryDirectory() as folder:
        _gcc(include, ["-o", f"{folder}/values"], source)
        output = subprocess.run([f"{folder}/values"], capture_output=True, text=True, check=True).stdout
    return dict(zip(expressions, output.split()))


def _entries(include: pathlib.Path, name: str) -> list[str]:
    """Returns the entries of a list; counts of the model and the data keep their wrappers."""
    source = f"""
        #include <mujoco/mujoco.h>
        #include <mujoco/mjxmacro.h>
        #undef XNV
        #undef MJ_M
        #undef MJ_D
        #define X(...) <X __VA_ARGS__>
        #define XNV(...) <XNV __VA_ARGS__>
        #define XVEC(...) <XVEC __VA_ARGS__>
        @@ {name}
    """
    text = _gcc(include, ["-E", "-P"], source).partition("@@")[2]
    entries = [re.sub(r"\s", "", entry) for entry in re.findall(r"<(.*?)>", text, re.S)]
    return [re.sub(rf"^Xsize_t,({'|'.join(SIZE_T)})\b", r"XmjtSize,\1", entry) for entry in entries]


if __name__ == "__main__":
    unittest.main()
