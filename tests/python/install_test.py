"""Programs for `import mujoco` on the library of the package: child processes, collisions of names, the program sinew."""

import os
import pathlib
import subprocess
import sys

import pytest

import sinew


SHOW = "import mujoco; print([l.split()[-1] for l in open('/proc/self/maps') if 'libmujoco.so' in l][0])"


def python(*words, **environment):
    # another test of this process may have put the shadow of the package mujoco into the path of its children
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, env={**inherited, **environment})


def mapped_by(code, **environment):
    """Files that a program has in its memory."""
    lines = python("-c", f"{code}; print(open('/proc/self/maps').read())", **environment).stdout.splitlines()
    return {line.split()[-1] for line in lines if len(line.split()) == 6}


@pytest.fixture(autouse=True)
def needs_mujoco():
    result = python("-c", "import importlib.metadata as m; print(m.version('mujoco'))")
    if result.stdout.strip() != "3.8.0":
        pytest.skip("mujoco 3.8.0 is not installed")


@pytest.fixture
def cache(tmp_path):
    return {"SINEW_CACHE": str(tmp_path / "cache")}


def test_programs_and_their_children_run_on_it(tmp_path, cache):
    program = tmp_path / "train.py"
    program.write_text(f"import subprocess, sys\n{SHOW}\nsubprocess.run([sys.executable, '-c', {SHOW!r}])\n")
    result = python("-m", "sinew", "run", "-q", str(program), **cache)
    assert result.returncode == 0, result.stderr
    own, child = result.stdout.split()
    assert own == child and "sinew/lib" in own and result.stderr == ""
    again = python("-m", "sinew", "run", str(program), **cache)
    assert again.stdout == result.stdout and "runs on" in again.stderr


def test_specifications_of_the_package_work(cache):
    code = "import sinew; sinew.install_as_mujoco(); import mujoco; s = mujoco.MjSpec(); s.modelname = 'a long name, 30 letters';"
    code += "s.worldbody.add_body(name='b').add_geom(size=[1, 1, 1]); print(s.compile().nbody, s.modelname)"
    result = python("-c", code, **cache)
    assert result.stdout == "2 a long name, 30 letters\n", result.stderr


def test_libraries_come_with_it(cache):
    """Also below the package mujoco: a machine that only has the wheel has no others."""
    ours = [path for path in (pathlib.Path(sinew.library).parent).glob("lib*.so.*") if "mujoco" not in path.name]
    if not ours:
        pytest.skip("not the wheel")
    # the interpreter's own modules may have loaded one of the same name before
    mapped = mapped_by("import sinew; sinew.install_as_mujoco(); import mujoco", **cache) - mapped_by("import hashlib, ssl")
    assert any(path.endswith("libmujoco.so.3.8.0") for path in mapped)
    for path in ours:
        others = [other for other in mapped if other.endswith("/" + path.name) and "sinew" not in other]
        assert not others, others


def test_collisions_are_said(cache):
    result = python("-c", "import mujoco, sinew", **cache)
    assert "import sinew before mujoco" in result.stderr
    result = python("-c", "import sinew.install as i, mujoco; i.install_as_mujoco()", **cache)
    assert result.returncode == 0 or "imported already" in result.stderr


def test_exit_codes(cache):
    assert python("-m", "sinew", "run", **cache).returncode == 2
    assert python("-m", "sinew", "run", "-q", "-c", **cache).returncode != 0
    result = python("-m", "sinew", "--version")
    assert result.stdout.startswith("sinew "), result.stderr
    assert python("-m", "sinew", "doctor", "--json").returncode == 0
