#!/usr/bin/env python3
"""Follows the recipes of docs/contributing in a copy of the tree: adds a toy sensor, attribute and pair, compiles the files
that they touch, links them with the objects of build/release, and runs what came out.

    tests/docs/recipes_test.py      after a build of the release preset; minutes, since kernels of lanes are compiled anew
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "build/release"
PAGE = (ROOT / "docs/contributing/index.md").read_text()

PROGRAM = r"""
#include <mujoco/mujoco.h>
#include <mujoco/mjbatch.h>
#include <sinew/gradients.h>
#include <cstdio>
#include <cstring>
#include <vector>
int main(int argc, char** argv) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(argv[1], nullptr, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, nullptr) : nullptr;
  if (!m) return std::printf("%s %s\n", error, spec ? mjs_getError(spec) : ""), 1;
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 10; ++i) mj_step(m, d);
  mj_forward(m, d);
  mjBatch* batch = mjb_makeBatch(m, 8, nullptr, error, sizeof(error));
  if (!batch) return std::printf("%s\n", error), 1;
  mjb_step(batch, nullptr, 0, 20, mjSTAGE_NONE);
  int size = 0;
  const mjtNum* qpos = mjb_stateComponent(batch, mjSTATE_QPOS, &size);
  mjData* alone = mj_makeData(m);
  for (int i = 0; i < 20; ++i) mj_step(m, alone);
  bool same = true;
  for (int i = 0; i < m->nq; ++i) same = same && qpos[i] == alone->qpos[i];
  std::printf("lanes %d\n", same);
  std::printf("ncon %d\n", d->ncon);
  for (int i = 0; i < d->ncon; ++i) std::printf("dist %.9g\n", d->contact[i].dist);
  for (int i = 0; i < m->nsensordata; ++i) std::printf("sensor %.9g\n", d->sensordata[i]);
  for (int i = 0; i < m->ngeom; ++i) std::printf("gap %.9g\n", m->geom_gap[i]);
  const int n = 2 * static_cast<int>(m->nv) + static_cast<int>(m->na);
  std::vector<double> A(n * n);
  char text[1000] = "";
  const int code = sinew_transition(m, d, A.data(), nullptr, nullptr, nullptr, text, sizeof(text));
  std::printf("derivatives %d %s\n", code, text);
  return 0;
}
"""


class Copy:
    """A copy of the tree, in which files are edited and compiled."""

    def __init__(self, folder):
        self.root = pathlib.Path(folder) / "tree"
        names = subprocess.run(["git", "ls-files", "src", "include", "tables", "python/sinew", "python/src"], cwd=ROOT, check=True,
                               capture_output=True, text=True).stdout.split()
        for name in names:
            if (ROOT / name).is_file():
                (self.root / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / name, self.root / name)
        self.commands = {entry["file"]: entry for entry in json.loads((BUILD / "compile_commands.json").read_text())
                         if "sinew_objects.dir" in entry["command"]}
        self.objects = {}

    def edit(self, name, old, new):
        path = self.root / name
        text = path.read_text()
        assert old in text, f"{name} has no {old!r}"
        path.write_text(text.replace(old, new, 1))

    def write(self, name, text):
        (self.root / name).write_text(text)

    def generate(self):
        subprocess.run(["python3", "tables/generate.py"], cwd=self.root, check=True, capture_output=True)

    def compile(self, pattern):
        """Compiles the files whose text has a pattern."""
        for path in sorted((self.root / "src").rglob("*.cc")):
            name = str(path.relative_to(self.root))
            entry = self.commands.get(str(ROOT / name))
            if not entry or not re.search(pattern, path.read_text()):
                continue
            words = shlex.split(entry["command"].replace(f"{ROOT}/src", f"{self.root}/src")
                                .replace(f"{ROOT}/include", f"{self.root}/include"))
            words = words[next(i for i, word in enumerate(words) if re.search(r"(g|c|clang)\+\+$", word)):]
            if "-include" in words:  # the precompiled headers are those of the tree as it was
                at = words.index("-include")
                del words[at : at + 2]
            words = ["-O1" if word == "-O3" else word for word in words if word != "-Winvalid-pch"]
            place = words.index("-o") + 1
            old, words[place] = words[place], str(self.root / (name.replace("/", "_") + ".o"))
            subprocess.run(words, cwd=entry["directory"], check=True)
            self.objects[old] = words[place]

    def run(self, xml):
        """Links the library and the program, and returns the lines that it prints."""
        command = subprocess.run(["ninja", "-C", BUILD, "-t", "commands", "lib/libmujoco.so.3.8.0"], check=True, capture_output=True,
                                 text=True).stdout.splitlines()[-1]
        command = command.split("&&")[1] if command.startswith(":") else command
        library = self.root / "libmujoco.so.3.8.0"
        words = [word for word in shlex.split(command) if word not in self.objects]
        at = words.index("-o")
        words[at + 1 : at + 2] = [str(library), *self.objects.values()]
        subprocess.run(words, cwd=BUILD, check=True)
        self.write("program.cc", PROGRAM)
        subprocess.run(["c++", "-std=c++20", "-I", self.root / "include", self.root / "program.cc", library,
                        f"-Wl,-rpath,{self.root}", "-o", self.root / "program"], check=True)
        done = subprocess.run([self.root / "program", xml], capture_output=True, text=True, env={**os.environ})
        assert done.returncode == 0, done.stdout + done.stderr
        return [line.split(maxsplit=1) for line in done.stdout.splitlines()]


def numbers(lines, key):
    return [float(rest) for word, rest in lines if word == key]


@unittest.skipUnless((BUILD / "lib/libmujoco.so.3.8.0").exists(), "no build of the release preset")
class Recipes(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.copy = Copy(self.folder.name)

    def test_places_that_the_page_names_are_there(self):
        for name in re.findall(r"`((?:src|tables|tests|tools|docs)/[\w/.]+)", PAGE):
            self.assertTrue((ROOT / name).exists(), name)

    def test_a_sensor(self):
        copy = self.copy
        copy.edit("tables/enums.json", '{"name": "mjSENS_PLUGIN", "value": "47"',
                  '{"name": "mjSENS_TOY", "value": "47", "doc": "twice the time"},\n  {"name": "mjSENS_PLUGIN", "value": "48"')
        copy.edit("tables/enums.json", '"mjSENS_USER", "value": "48"', '"mjSENS_USER", "value": "49"')
        copy.edit("tables/sensors.json", '  {"sensor": "mjSENS_PLUGIN"',
                  '  {"sensor": "mjSENS_TOY", "attachment": "nothing", "stage": "position", "values": "real", "size": 1},\n'
                  '  {"sensor": "mjSENS_PLUGIN"')
        copy.edit("tables/mjcf.json", '  {"path": "sensor/clock"',
                  '  {"path": "sensor/toy", "count": "*", "doc": "twice the time", "struct": "mjsSensor", "type": "mjSENS_TOY", '
                  '"use": ["sensor"]},\n  {"path": "sensor/clock"')
        copy.generate()
        copy.edit("src/sensor/sensor_kernel.h", "    case mjSENS_CLOCK:\n", "    case mjSENS_CLOCK:\n    case mjSENS_TOY:\n")
        copy.edit("src/sensor/sensor_kernel.h", "      out[0] = d.time();\n      return;\n",
                  "      out[0] = d.time();\n      return;\n    case mjSENS_TOY:\n      out[0] = S(2) * d.time();\n      return;\n")
        copy.compile(r"mjSENS_|sensor_kinds|sensor_kernel\.h|sensor/evaluate\.h|schema_generated|namespace sinew::mjcf \{\nnamespace \{\n\n// clang")
        lines = copy.run('<mujoco><option timestep="0.01"/><worldbody><body><joint/><geom size="1"/></body></worldbody>'
                         "<sensor><toy/><clock/></sensor></mujoco>")
        toy, clock = numbers(lines, "sensor")
        self.assertAlmostEqual(clock, 0.1)
        self.assertAlmostEqual(toy, 0.2)
        self.assertEqual(numbers(lines, "lanes"), [1])

    def test_an_attribute(self):
        copy = self.copy
        copy.edit("tables/mjcf.json", '   {"name": "fluidshape",',  # an attribute of geoms alone
                  '   {"name": "toygap", "type": "real", "count": "1", "field": "gap", "unit": "m", "doc": "the gap by another name"},\n'
                  '   {"name": "fluidshape",')
        copy.generate()
        copy.compile(r"^// SPDX[^\n]*\n// Generated by tables/generate.py from tables/mjcf.json")
        lines = copy.run('<mujoco><worldbody><geom size="1" margin="1" toygap="0.25"/></worldbody></mujoco>')
        self.assertEqual(numbers(lines, "gap"), [0.25])

    def test_a_pair(self):
        copy = self.copy
        copy.write("src/collision/analytic/toy_kernel.h", """
#include "collision/analytic/sphere_sphere_kernel.h"
namespace sinew::inline collision {
inline namespace SINEW_ISA {
// A sphere and an ellipsoid that counts as a sphere about its largest half axis.
template <class S>
ContactPoints<S, 1> ToyPair(const PlacedGeom<S>& first, const PlacedGeom<S>& second, S margin) {
  PlacedGeom<S> ball = second;
  ball.size.x = Max(second.size.x, Max(second.size.y, second.size.z));
  return SphereSphere<S>(first, ball, margin);
}
}  // namespace SINEW_ISA
}  // namespace sinew::inline collision
""")
        copy.edit("src/collision/analytic/formula_pairs.h", "X(CAPSULE, BOX, CapsuleBox)", "X(CAPSULE, BOX, CapsuleBox) X(SPHERE, ELLIPSOID, ToyPair)")
        copy.edit("src/collision/analytic/formula_kernels.h", '#include "collision/analytic/sphere_sphere_kernel.h"\n',
                  '#include "collision/analytic/sphere_sphere_kernel.h"\n#include "collision/analytic/toy_kernel.h"\n')
        copy.edit("src/collision/pairs.cc", "{kNone, kNone, kFormula, kFormula, kConvex, kFormula, kFormula, kConvex, kField},",
                  "{kNone, kNone, kFormula, kFormula, kFormula, kFormula, kFormula, kConvex, kField},")
        copy.compile(r"formula_kernels\.h|formula_pairs\.h|batch/isa/lane_data\.h|lane_worlds\.h|lane_pairs\.h|lane_contacts\.h")
        lines = copy.run('<mujoco><option gravity="0 0 0"/><worldbody><geom size="1"/><body pos="1.9 0 0"><freejoint/>'
                         '<geom type="ellipsoid" size=".5 1 1"/></body></worldbody></mujoco>')
        self.assertLess(numbers(lines, "dist")[0], 0)  # as an ellipsoid it would be 0.4 away
        self.assertEqual(numbers(lines, "lanes"), [1])
        self.assertEqual([rest.split()[0] for word, rest in lines if word == "derivatives"], ["0"])


if __name__ == "__main__":
    unittest.main(verbosity=1)
