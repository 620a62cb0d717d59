"""Runs packages that depend on mujoco, each in an environment of its own, on our module.

    python tests/python/packages.py build/module/python [PACKAGE ...]

The folder contains the package mujoco (python/module/CMakeLists.txt). What pip resolves is installed, the official wheel
included, and a short program makes a world, steps it and draws it where the package draws. What it prints are rows
of the table in docs/from-mujoco/any-version.md.
"""

import argparse
import importlib.metadata
import os
import pathlib
import subprocess
import sys
import textwrap
import venv

_CHECK = """
import mujoco, pathlib
assert pathlib.Path(mujoco.__file__).is_relative_to({folder!r}), mujoco.__file__
assert "site-packages/mujoco/" not in pathlib.Path("/proc/self/maps").read_text(), "the official wheel is in the process"
"""

# What is installed, the package first, and what is run then. mo-gymnasium imports packaging without asking for it.
PACKAGES = {
    "mo-gymnasium[mujoco] packaging": """
        import mo_gymnasium
        for name in ("mo-hopper-v5", "mo-halfcheetah-v5", "mo-reacher-v5"):
            env = mo_gymnasium.make(name, render_mode="rgb_array")
            env.reset(seed=0)
            for _ in range(20):
                _, reward, *_ = env.step(env.action_space.sample())
            assert reward.ndim == 1 and env.render().any()
        """,
}


def environment(folder: pathlib.Path, package: str) -> str:
    """The interpreter of an environment that has the package, which is made where it is missing."""
    python = folder / "bin" / "python"
    if not (folder / "done").exists():
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", *package.split()], check=True)
        (folder / "done").touch()
    return str(python)


def version(folder: pathlib.Path, package: str) -> str:
    """The version of an installed package; "-" when it is not installed."""
    site = next((folder / "lib").glob("python*/site-packages"))
    for found in importlib.metadata.distributions(path=[str(site)]):
        if found.metadata["Name"].lower().replace("_", "-") == package:
            return found.version
    return "-"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="contains the package mujoco")
    parser.add_argument("packages", nargs="*", help="those of the table that are run; all without")
    parser.add_argument("--home", type=pathlib.Path, default=pathlib.Path("build/packages"), help="for environments")
    options = parser.parse_intermixed_args()
    failed = 0
    for package, program in PACKAGES.items():
        name = package.split()[0].split("[")[0]
        if options.packages and name not in options.packages:
            continue
        home = options.home.resolve() / name
        variables = {**os.environ, "PYTHONPATH": str(options.folder.resolve()), "MUJOCO_GL": os.environ.get("MUJOCO_GL", "egl")}
        code = textwrap.dedent(program) + _CHECK.format(folder=str(options.folder.resolve()))
        done = subprocess.run([environment(home, package), "-c", code], env=variables, cwd=home, capture_output=True, text=True)
        reason = "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1]
        failed += bool(done.returncode)
        print(f"| {name} {version(home, name)} | {version(home, 'mujoco')} | {'yes' if not reason else 'no: ' + reason} |", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
