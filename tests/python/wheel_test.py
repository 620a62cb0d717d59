"""What the wheel carries: licences of everything inside, libraries that find each other, files for CMake and pkg-config."""

import pathlib
import shutil
import subprocess

import pytest

import sinew

FOLDER = pathlib.Path(sinew.library).parents[1]
if not (FOLDER / "licenses").is_dir():
    pytest.skip("not the wheel", allow_module_level=True)


def test_licences():
    texts = {path.name.rstrip("0123456789.-_v").split(".")[0]: path for path in (FOLDER / "licenses").iterdir()}
    whole = " ".join(texts)
    for name in ("qhull", "spng", "pugixml", "assimp", "zip", "c++", "suitesparse", "tinyobj", "stb", "cli11", "json", "nanobind", "glfw", "imgui", "x11"):
        assert name in whole, name
    assert all(path.stat().st_size > 300 for path in texts.values())
    assert (FOLDER / "LICENSE").is_file() and (FOLDER / "NOTICE").is_file()


def test_libraries_find_each_other():
    if shutil.which("ldd") is None:
        pytest.skip("there is no ldd")
    ours = {path.name for path in (FOLDER / "lib").glob("lib*.so.*")}
    for file in [*(FOLDER / "lib").glob("lib*.so.*"), FOLDER / "bin" / "sinew", *FOLDER.glob("_sinew*.so")]:
        for line in subprocess.run(["ldd", str(file)], capture_output=True, text=True).stdout.splitlines():
            assert "not found" not in line, (file, line)
            name, _, path = line.strip().partition(" => ")
            if name in ours:
                assert str(FOLDER) in str(pathlib.Path(path.split(" (")[0]).resolve()), (file, line)


def test_files_for_programs_in_c():
    assert (sinew.include / "mujoco" / "mujoco.h").is_file() and (sinew.include / "sinew" / "sinew.h").is_file()
    assert list((FOLDER / "lib" / "cmake").rglob("*onfig.cmake")) and list((FOLDER / "lib" / "pkgconfig").glob("*.pc"))
    assert (FOLDER / "py.typed").is_file() and (FOLDER / "_sinew.pyi").is_file()
    assert (FOLDER / "share" / "sinew" / "page.html").is_file(), "the page for browsers, which sinew.view shows"
    result = subprocess.run([str(FOLDER / "bin" / "sinew"), "--version"], capture_output=True, text=True)
    assert result.stdout.startswith("sinew "), result.stderr
