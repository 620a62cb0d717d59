"""Recipes of packages against the build: name, version, options and libraries. The tools that build them fetch compilers
and libraries from registries of their own, which is no part of the tests."""

import json
import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONDA = (ROOT / "packaging/conda/recipe.yaml").read_text()
VCPKG = json.loads((ROOT / "packaging/vcpkg/ports/sinew/vcpkg.json").read_text())
PORT = (ROOT / "packaging/vcpkg/ports/sinew/portfile.cmake").read_text()

# What the Debian packages of tools/common.sh are called by others.
LIBRARIES = {
    "libpugixml-dev": ("pugixml", "pugixml"),
    "libspng-dev": ("libspng", "libspng"),
    "libqhull-dev": ("qhull", "qhull"),
    "libsuitesparse-dev": ("suitesparse", "suitesparse-amd"),
    "libtinyobjloader-dev": ("tinyobjloader", "tinyobjloader"),
    "libcli11-dev": ("cli11", "cli11"),
    "nlohmann-json3-dev": ("nlohmann_json", "nlohmann-json"),
    "libzip-dev": ("libzip", "libzip"),
    "libassimp-dev": ("assimp", "assimp"),
    "libstb-dev": ("stb", "stb"),
    "libavcodec-dev": ("ffmpeg", "ffmpeg"),
    "libavformat-dev": ("ffmpeg", "ffmpeg"),
    "libswscale-dev": ("ffmpeg", "ffmpeg"),
    "libgl-dev": ("libgl-devel", "opengl"),
    "libglfw3-dev": ("glfw", "glfw3"),
    "libimgui-dev": ("imgui", "imgui"),
}


class RecipesTest(unittest.TestCase):
    def test_version(self) -> None:
        header = (ROOT / "include/sinew/version.h").read_text()
        version = ".".join(re.findall(r"define SINEW_VERSION_[A-Z]+ (\d+)$", header, re.M))
        self.assertIn(f'version: "{version}"', CONDA)
        self.assertEqual(VCPKG["version"], version)

    def test_options_exist(self) -> None:
        options = (ROOT / "CMakeLists.txt").read_text()
        for option in re.findall(r"-D(SINEW_\w+)=", CONDA + PORT):
            self.assertIn(f"option({option} ", options)

    def test_every_library_of_the_build(self) -> None:
        common = (ROOT / "tools/common.sh").read_text()
        needed = re.findall(r"\b(?:lib[\w-]+|nlohmann[\w-]+)-dev\b", common[common.index("BUILD_PACKAGES") : common.index("TEST_PACKAGES")])
        dependencies = [d if isinstance(d, str) else d["name"] for d in VCPKG["dependencies"]]
        for package in needed:
            with self.subTest(package):
                self.assertIn(package, LIBRARIES, "give its name in the recipes")
                conda, vcpkg = LIBRARIES[package]
                self.assertRegex(CONDA, rf"(?m)^    - {conda}$")
                self.assertIn(vcpkg, dependencies)


if __name__ == "__main__":
    unittest.main()
