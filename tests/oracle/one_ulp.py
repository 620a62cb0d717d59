"""Makes a library that is MuJoCo 3.8.0 in all but this: at one step of every world, each velocity moves by one unit in
the last place. Where that changes what a program does, rounding decides, and no other implementation can follow.

    python3 tests/oracle/one_ulp.py --step 5 DIR
    python3 ../shared/clients run --lib DIR/libmujoco.so.3.8.0 --suite robosuite

Needs cc, and what libraries.py says of the reference.
"""

import argparse
import pathlib
import subprocess

import libraries

# As long as the name it replaces: the copy of the reference keeps its layout.
SONAME, RENAMED = f"libmujoco.so.{libraries.RELEASE}", f"reference.so.{libraries.RELEASE}"

# Everything but the functions that step is found in the copy, which the library depends on.
SOURCE = r"""
#include <dlfcn.h>
#include <math.h>
#include <mujoco/mujoco.h>

typedef void (*Step)(const mjModel*, mjData*);

static Step Find(const char* name) { return (Step)dlsym(dlopen(REFERENCE, RTLD_LAZY | RTLD_NOLOAD), name); }

static void Disturb(const mjModel* m, mjData* d) {
  if (fabs(d->time / m->opt.timestep - STEP) > 0.5) return;
  for (int i = 0; i < m->nv; i++) d->qvel[i] = nextafter(d->qvel[i], INFINITY);
}

void mj_step(const mjModel* m, mjData* d) {
  Find("mj_step")(m, d);
  Disturb(m, d);
}
void mj_step2(const mjModel* m, mjData* d) {
  Find("mj_step2")(m, d);
  Disturb(m, d);
}
"""


def make(folder: pathlib.Path, step: int) -> pathlib.Path:
    """Writes the library to the folder and returns its path."""
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    copy, library = folder / RENAMED, folder / SONAME
    copy.write_bytes(libraries.REFERENCE.read_bytes().replace(SONAME.encode() + b"\0", RENAMED.encode() + b"\0"))
    subprocess.run(
        ["cc", "-O2", "-shared", "-fPIC", "-x", "c", "-", "-o", library, f"-DSTEP={step}", f'-DREFERENCE="{copy}"']
        + ["-I", libraries.ROOT / "include", "-Wl,-soname," + SONAME, f"-Wl,-rpath,{folder}", "-Wl,--no-as-needed"]
        + ["-x", "none", copy, "-ldl", "-lm"],
        input=SOURCE, text=True, check=True)
    return library


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR",
                        help="where the library and its copy of the reference go")
    parser.add_argument("--step", type=int, default=1, help="the step after which velocities move (default: %(default)s)")
    arguments = parser.parse_args()
    if not libraries.REFERENCE:
        parser.error("no reference: install mujoco==3.8.0, or name its library in MUJOCO_REFERENCE_LIBRARY")
    print(make(arguments.folder, arguments.step))


if __name__ == "__main__":
    main()
