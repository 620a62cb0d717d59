"""Stubs have every name that the classes have, and no other; type checkers accept what is right and refuse the rest."""

import ast
import importlib.util
import pathlib
import subprocess
import sys
import types

import pytest

import sinew
from sinew import _sinew

from package_test import PENDULUM

STUB = ast.parse(pathlib.Path(_sinew.__file__).with_name("_sinew.pyi").read_text())
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def names(node):
    """Public names that a class of the stub defines."""
    found = set()
    for item in node.body:
        if isinstance(item, ast.FunctionDef):
            found.add(item.name)
        elif isinstance(item, ast.AnnAssign):
            found.add(item.target.id)
    return {name for name in found if not name.startswith("_")}


def public(thing):
    return {name for name in dir(thing) if not name.startswith("_")}


def of_mujoco(cls):
    """What the package mujoco adds to its own classes, where a program has imported it: those of sinew derive from them."""
    parents = [base for base in cls.__mro__[1:] if base.__module__.startswith("mujoco.")]
    added = {name for base in parents for name, value in vars(base).items() if not isinstance(value, types.GetSetDescriptorType)}
    return added - set(vars(cls))


@pytest.mark.parametrize("name", ["Model", "Data", "Spec", "Batch", "Renderer"])
def test_classes(name):
    assert names(CLASSES[name]) == public(getattr(sinew, name)) - of_mujoco(getattr(sinew, name))


@pytest.mark.parametrize("part, name", [("opt", "Options"), ("stat", "Statistics")])
def test_settings(part, name):
    model = sinew.Model.from_xml_string(PENDULUM)
    assert names(CLASSES[name]) == public(getattr(model, part))


def test_parts_of_the_visual_settings():
    model = sinew.Model.from_xml_string(PENDULUM)
    assert names(CLASSES["Visual"]) == public(model.vis)
    for part in public(model.vis):
        assert names(CLASSES["Visual" + part.strip("_").capitalize()]) == public(getattr(model.vis, part)), part
    model.vis.map.znear = 0.25
    assert model.vis.map.znear == 0.25 and model.vis.global_.fovy > 0
    with pytest.raises(AttributeError):
        model.vis.map.nothing


@pytest.mark.parametrize("kind", ["body", "joint", "geom", "site", "camera", "actuator"])
def test_elements_by_name(kind):
    model = sinew.Model.from_xml_string(PENDULUM)
    for of, prefix in ((model, "Model"), (sinew.Data(model), "Data")):
        stub = names(CLASSES[prefix + kind.capitalize()]) | names(CLASSES["Named"])
        assert stub == public(getattr(of, kind)(0)), (prefix, stub ^ public(getattr(of, kind)(0)))


def test_elements_of_specifications():
    spec = sinew.Spec.from_xml_string(PENDULUM)
    for kind in ("body", "joint", "geom", "actuator", "sensor"):
        assert public(spec.all(kind)[0]) <= names(CLASSES["Element"]), kind


def mypy(path, text):
    path.write_text(text)
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", str(path)], capture_output=True, text=True)


def test_type_checkers(tmp_path):
    if importlib.util.find_spec("mypy") is None:
        pytest.skip("mypy is not installed")
    right = mypy(
        tmp_path / "right.py",
        "import sinew\n"
        "model = sinew.Model.from_xml_path(sinew.models / 'humanoid.xml')\n"
        "data = sinew.Data(model)\n"
        "data.qpos[:] = model.qpos0\n"
        "height: float = float(data.body('torso').xpos[2]) + model.opt.timestep\n"
        "batch = sinew.Batch(model, 4)\n"
        "failed: int = batch.step(2) + len(batch)\n"
        "spec = sinew.Spec()\n"
        "spec.world.add('body', name='a').add('geom', size=[1, 1, 1])\n"
        "sinew.render(data, 64, 48)\n",
    )
    assert right.returncode == 0, right.stdout + right.stderr
    wrong = mypy(tmp_path / "wrong.py", "import sinew\nsinew.Data(3)\nsinew.Batch(sinew.Model.from_bytes(b''), 4).stop()\n")
    assert wrong.stdout.count("error:") == 2, wrong.stdout
