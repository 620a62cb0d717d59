"""Pages of the documents' site that are made from the interface tables: a hook of MkDocs (mkdocs.yml).

models/mjcf/*.md   every element and attribute of MJCF: type, unit, default, meaning; and all attributes from A to Z
reference/c.md     every function of the C interface
reference/fields.md  every field of mjModel and mjData
reference/cpp.md   functions and elements of the C++ face
reference/python-api.md  classes of the package sinew, from its stubs
tutorials/*.md     notebooks, with what their cells printed and drew
start/play/*       models of the gallery, and the pages to play with them, where those have been written (tools/gallery.py --pages)
"""

import ast
import base64
import json
import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tables"))

from generator import face  # noqa: E402
from generator.mjcf import Schema, meaning  # noqa: E402
from generator.python_docs import CLASSES  # noqa: E402
from generator.standing import standing  # noqa: E402
from generator.tables import Tables  # noqa: E402

# Pages of the guide (docs/models) about elements, by the first part of their path, or by more of it.
GUIDE = {
    "compiler": "compiler", "compiler/lengthrange": "muscles", "option": "choosing", "asset": "assets", "worldbody": "bodies",
    "body": "bodies", "body/joint": "joints", "body/freejoint": "joints", "body/geom": "geoms", "body/site": "geoms",
    "body/camera": "visuals", "body/light": "visuals", "visual": "visuals", "body/composite": "deformables",
    "body/flexcomp": "deformables", "body/replicate": "structure", "body/attach": "structure",
    "deformable": "deformables", "contact": "contact", "equality": "equality", "tendon": "tendons", "actuator": "actuators",
    "actuator/muscle": "muscles", "actuator/musculotendon": "muscles", "sensor": "sensors", "keyframe": "structure",
    "include": "structure", "default": "structure",
}  # fmt: skip

# Pages on how elements work (docs/how), by the first part of their path, or by more of it.
EXPLAINED = {
    "compiler": "compile", "option": "step", "option/flag": "step", "size": "memory", "visual": "scene", "statistic": "compile",
    "default": "mjcf", "extension": "plugins", "custom": "mjcf", "asset": "meshes", "asset/texture": "textures",
    "asset/material": "textures", "worldbody": "kinematics", "body": "kinematics", "body/geom": "collision",
    "body/flexcomp": "flex-compile", "body/composite": "mjcf", "body/camera": "scene", "body/light": "scene", "deformable": "flexes",
    "contact": "collision", "equality": "constraint", "tendon": "kinematics", "actuator": "actuation", "sensor": "sensors",
    "keyframe": "mjcf", "include": "mjcf", "mujoco": "mjcf",
}  # fmt: skip

# Where the pages to play with scenes of the gallery are, by the names of the scenes.
PLAYED = ROOT / "build/play"

_CARDINALITY = {"!": "exactly once", "?": "at most once", "*": "any number of times", "R": "any number of times, also in itself"}
_TYPES = {"real": "number", "int": "integer", "string": "text", "keywords": "words", "flag": "enable, disable"}


def on_files(files, config):
    from mkdocs.structure.files import File

    tables = Tables(ROOT / "tables")
    pages = {**mjcf_pages(tables), **reference_pages(tables), "reference/python-api.md": python_page()}
    for notebook in sorted((ROOT / "docs/tutorials").glob("*.ipynb")):
        text, pictures = notebook_page(json.loads(notebook.read_text()), notebook.stem)
        pages[f"tutorials/{notebook.stem}.md"] = text
        pages.update(pictures)
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    for path in [*gallery_models(), *PLAYED.glob("*.html")]:
        files.append(File.generated(config, f"start/play/{path.name}", abs_src_path=str(path)))
    return files


# ---- MJCF


def mjcf_pages(tables: Tables) -> dict[str, str]:
    schema = Schema(tables)
    defaults = json.loads((tables.folder / "mjcf_defaults.json").read_text())
    defaults |= json.loads((tables.folder / "mjcf_read.json").read_text())
    sections: dict[str, list[str]] = {}
    for path in schema.elements:
        sections.setdefault(path.split("/")[0], []).append(path)
    pages = {f"models/mjcf/{name}.md": _section(schema, defaults, name, paths) for name, paths in sections.items()}
    attributes = sum(len(schema.attributes(schema.elements[path])) for path in schema.elements)
    lines = [
        "# MJCF, element by element",
        "",
        f"MJCF is the format of models: {len(schema.elements)} elements with {attributes} attributes. Lengths are metres, masses kilograms,",
        "times seconds. Angles are degrees unless `<compiler angle=\"radian\"/>` says otherwise. If you know the name of an attribute and",
        "not its element, look it up in [Attributes, A to Z](attributes.md). Editors that know XML Schema show the same sentences:",
        "`sinew schema --format xsd -o mjcf.xsd`.",
        "",
        "`sinew schema geom size` prints an entry in a terminal; errors about a value say which one to look up.",
        "",
        "Defaults are those of the engine: a test compiles models with and without each of them, and compares. A dash means that there is",
        "no default: the attribute then does nothing, or its value follows from other attributes. *Extension* marks what MuJoCo 3.8.0",
        "does not know; it refuses a file with such an attribute or element.",
        "",
        f"*Since* names the first release of MuJoCo that knows an element, an attribute or a word, of those from {schema.first_release} to {schema.last_release}; nothing is said of",
        "what is older, of attributes that came with their element, and of words that came with their attribute. Sinew takes all of them,",
        "whichever release a file was written for.",
        "",
        "| section | what stands in it |",
        "|---|---|",
        *(f"| [`{name}`]({name}.md) | {_sentence(schema.elements[paths[0]])} |" for name, paths in sections.items()),
        "",
    ]
    return {**pages, "models/mjcf/index.md": "\n".join(lines), "models/mjcf/attributes.md": _alphabet(schema, defaults)}


def _sentence(entry: dict) -> str:
    """What an element or attribute means, without its unit; that it is an extension is said by a mark."""
    text = meaning({key: value for key, value in entry.items() if key != "unit"})
    return re.sub(r"; an extension(, as the whole element is| that MuJoCo refuses)?\.$", ".", text)


def _anchor(path: str) -> str:
    return path.replace("/", "")


def _section(schema: Schema, defaults: dict[str, str], name: str, paths: list[str]) -> str:
    lines = ["---", "search:", "  boost: 3", "---", "", f"# {name}", "", "[All sections](index.md) - [Attributes, A to Z](attributes.md)", ""]
    for path in paths:
        lines += _element(schema, defaults, path)
    return "\n".join(lines)


def _element(schema: Schema, defaults: dict[str, str], path: str) -> list[str]:
    element = schema.elements[path]
    lines = [f"## {path}", "", f"{_sentence(element)} May stand {_CARDINALITY[element['count']]}."]
    lines += _marks(schema, path)
    guide = _nearest(GUIDE, path)
    if guide:
        lines.append(f" [Guide](../{guide}.md),")
    lines.append(f" [how it works](../../how/{_nearest(EXPLAINED, path)}.md).")
    source = element.get("defaults_of")
    if source:
        target = f"{source.split('/')[0]}.md#{_anchor(source)}"
        return [*lines, f" Takes the attributes of [`{source}`]({target}) that classes may give.", ""]
    if "contents" in element and element["contents"] != path:
        lines.append(f" Holds what a [`{element['contents']}`]({element['contents']}.md) holds.")
    rows = schema.attributes(element)
    if not rows:
        return [*lines, ""]
    lines += ["", '<div class="attributes" markdown="1">', "", "| attribute | type | default | meaning |", "|---|---|---|---|"]
    for row in rows:
        text = " ".join([_sentence(row).replace("|", "\\|"), *_marks(schema, path, row)])
        unit = f" [{row['unit']}]" if "unit" in row else ""
        anchor = f'<a id="{_anchor(path)}-{row["name"]}"></a>'
        lines.append(f"| {anchor}`{row['name']}` | {_type(schema, row)}{unit} | {_default(defaults, path, row)} | {text} |")
    return [*lines, "", "</div>", ""]


def _marks(schema: Schema, path: str, row: dict | None = None) -> list[str]:
    """What an element, or one of its attributes, is marked with: that it is an extension, and since when it is there."""
    element = schema.elements[path]
    is_extension = row.get("extension") and not element.get("extension") if row else element.get("extension")
    since = schema.since(path, row["name"] if row else "")
    words = [f"*`{word}` since {release}.*" for word, release in schema.words_since(path, row).items()] if row else []
    return ["*Extension.*"] * bool(is_extension) + [f"*Since {since}.*"] * bool(since) + words


def _default(defaults: dict[str, str], path: str, row: dict) -> str:
    if row.get("required"):
        return "required"
    value = defaults.get(f"{path} {row['name']}", "")
    return f"`{value}`" if value else "-"


def _alphabet(schema: Schema, defaults: dict[str, str]) -> str:
    """All attributes by name: what each means, and in which elements."""
    found: dict[str, dict[tuple, list[str]]] = {}
    for path, element in schema.elements.items():
        if "defaults_of" in element:
            continue
        for row in schema.attributes(element):
            marks = "".join(f" {mark}" for mark in _marks(schema, path, row) or _marks(schema, path))
            key = (_sentence(row), _type(schema, row), row.get("unit", ""), _default(defaults, path, row), marks)
            found.setdefault(row["name"], {}).setdefault(key, []).append(path)
    lines = [
        "---", "search:", "  boost: 4", "---", "",
        "# Attributes, A to Z", "",
        f"The {len(found)} names of attributes of MJCF: what each means, and in which elements it stands. [All sections](index.md)", "",
    ]  # fmt: skip
    for name in sorted(found, key=str.lower):
        lines += [f"## {name}", ""]
        for (text, kind, unit, default, marks), paths in found[name].items():
            links = ", ".join(f"[`{path}`]({path.split('/')[0]}.md#{_anchor(path)}-{name})" for path in paths[:4])
            more = f" and {len(paths) - 4} more elements" if len(paths) > 4 else ""
            facts = kind + (f" [{unit}]" if unit else "")
            facts += "" if default == "-" else ", required" if default == "required" else f", default {default}"
            lines.append(f"- In {links}{more} ({facts}): {text[0].lower() + text[1:]}{marks}")
        lines.append("")
    return "\n".join(lines)


def _nearest(pages: dict[str, str], path: str) -> str:
    """Returns the page of the element, or of the nearest one around it."""
    while path and path not in pages:
        path = path.rpartition("/")[0]
    return pages.get(path, "")


def _type(schema: Schema, row: dict) -> str:
    if row["type"] in ("keyword", "keywords"):
        return ", ".join(f"`{word}`" for word in schema.keywords[row["keywords"]])
    if row["type"] == "reference":
        return f"name of a {row['to']}"
    if row["type"] == "references":
        return f"names of {row['to']} elements"
    count = row.get("count", "1")
    words = _TYPES[row["type"]]
    if row["type"] in ("real", "int") and count != "1":
        least, _, most = count.partition("..")
        words = f"{words}s" if ".." in count and not most else f"{count.replace('..', ' to ')} {words}s"
    return words


# ---- reference


def reference_pages(tables: Tables) -> dict[str, str]:
    return {"reference/c.md": _functions(tables), "reference/fields.md": _fields(tables), "reference/cpp.md": _face(tables)}


def _escaped(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", "<br>")


def _functions(tables: Tables) -> str:
    """All functions of C, each with a heading of its own, so that searches find it."""
    lines = ["---", "search:", "  boost: 2", "---", "", "# Functions of C", ""]
    lines += ["`#include <mujoco/mujoco.h>`, and `<sinew/extensions.h>` for what this library adds. [C](../start/c.md) shows how they are used.", ""]
    missing = set(tables.unimplemented)
    section = None
    for entry in tables.functions:
        if entry["section"] != section:
            section = entry["section"]
            lines += [f"## {section}", ""]
        note = " *Raises an error in this release.*" if entry["name"] in missing else ""
        signature = f"{entry['returns']} {entry['name']}({', '.join(entry['params'])});"
        lines += [f"#### {entry['name']}", "", "```c", signature, "```", "", f"{_escaped(entry['doc'])}{note}", ""]
    return "\n".join(lines)


def _fields(tables: Tables) -> str:
    """All fields of models and worlds, each with a heading of its own, so that searches find it."""
    lines = ["---", "search:", "  boost: 2", "---", "", "# Fields of mjModel and mjData", ""]
    lines += ["Arrays are stored by rows. In Python they are NumPy arrays of the same names, with the extents that stand here.", ""]
    for struct, entries in (("mjModel", tables.model), ("mjData", tables.data)):
        lines += [f"## {struct}", ""]
        for entry in entries:
            if "name" not in entry or "doc" not in entry:
                continue
            facts = [f"`{entry['rows']} x {entry['cols']}`"] if "rows" in entry else []
            facts += [f"frame: {entry['frame']}"] if entry.get("frame") else []
            facts += [f"unit: {entry['unit']}"] if entry.get("unit") else []
            doc = _escaped(standing(entry))
            lines += [f"#### {entry['name']}", "", f"{doc[0].upper()}{doc[1:]}." + (f" {'; '.join(facts)}." if facts else ""), ""]
    return "\n".join(lines)


def _face(tables: Tables) -> str:
    names = face.function_names(tables)
    kinds = ", ".join(f"`{kind.lower()}`" for kind, _, _ in face.KINDS)
    lines = [
        "# C++",
        "",
        "`#include <sinew/sinew.h>`: [how it is used](../start/cpp.md). The classes stand in `include/sinew`, with their comments.",
        "",
        f"Elements, by `model.KIND(name)` and `data.KIND(name)`: {kinds}. Their members are the [fields](fields.md) of the kind without",
        "its prefix: `model.body(\"hand\").mass()` is `body_mass`.",
        "",
        "## Functions with types",
        "",
        "In `functions.h`: names without the prefix, worlds and models for pointers, spans for arrays.",
        "",
        "| C | what it does |",
        "|---|---|",
    ]
    docs = {entry["name"]: entry["doc"] for entry in tables.functions}
    lines += [f"| `{name}` | {_escaped(docs[name])} |" for name in names]
    return "\n".join([*lines, ""])


# ---- the package sinew

# Generated classes whose members the tables list already.
_LISTED = ("Model", "Data", "Element", "Options", "Statistics", "Compiler")
_MODULES = ("__init__.py", "gym/__init__.py", "gym/vector.py", "gym/task.py", "jax.py", "torch.py", "ray.py", "install.py", "pictures.py", "viewing.py",
            "biomech/__init__.py", "biomech/tables.py", "biomech/markers.py", "biomech/settings.py", "biomech/subject.py",
            "biomech/signals.py", "biomech/kinematics.py", "biomech/dynamics.py", "biomech/muscles.py", "biomech/reactions.py",
            "biomech/scaling.py")  # fmt: skip


# How objects of the classes are made, where the class itself does not say it.
_MADE = {
    "Model": "The model of an object of the package `mujoco`, with the same memory. Models are read from files by `from_xml_path`.",
    "Data": "A world of a model, in its reference configuration and at time 0; or the world of a `mujoco.MjData`, with the same memory.",
    "Batch": "So many worlds of a model, each in its reference configuration; the text above explains the settings.",
    "Renderer": "Draws pictures of this width and height in pixels. `samples` is the number of rays for each pixel, 1 or 4; with 0, four are used only where neighbouring pixels differ.",
    "Spec": "A specification with nothing but the world body; or that of a `mujoco.MjSpec`, with the same memory.",
    "SinewVectorEnv": "`num_envs` environments of a task. Episodes end after `max_episode_steps` actions, by default as many as the task has; "
    "`frame_skip` is the number of time steps for each action; `threads` 0 takes all processors; `width`, `height` and `camera` are those of `render`; "
    "further settings are those of the task.",
    "FileError": "What is wrong with a file, in a line of it (0: in the whole).",
    "Spline": "The spline through values (n x anything) at n ascending times.",
    "Subject": "Reads a file of OpenSim or MJCF, or takes a specification, of which it keeps a copy.",
    "Video": "Opens a file for the pictures that `add` gets, `fps` of them for each second.",
    "View": "Views are made by `sinew.view`.",
}


def python_page() -> str:
    stub = ast.parse((ROOT / "python/sinew/_sinew.pyi").read_text())
    lines = ["# The package sinew", "", "Classes and functions of the package, made from its type stubs. [Python](../start/python.md) shows how it is used.",
             "Arrays are NumPy's, over the memory of the engine.", ""]  # fmt: skip
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef)}
    for name in ("Model", "Data", "Named", "Batch", "WorldsElement", "Contacts", "Renderer", "Spec", "Element", "Default", "Options", "Compiler"):
        lines += _python_class(classes[name], f"sinew.{name}")
    for file in _MODULES:
        tree = ast.parse((ROOT / "python/sinew" / file).read_text())
        name = ("sinew." + file.removesuffix(".py").removesuffix("__init__").removesuffix("/").replace("/", ".")).rstrip(".")
        lines += [f"## {name}", "", *(_python_text(ast.get_docstring(tree) or "") if name != "sinew" else []), ""]
        name = "sinew.biomech" if name.startswith("sinew.biomech.") else name  # whose names it has
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                lines += [f"### {name}.{node.name}", "", *_python_function(node), ""]
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                lines += _python_class(node, f"{name}.{node.name}", "###")
    return "\n".join(lines)


def _python_class(node: ast.ClassDef, title: str, level: str = "##") -> list[str]:
    lines = [f"{level} {title}", "", ast.get_docstring(node) or "", ""]
    if level == "##" and node.name in CLASSES:
        text, _, example = CLASSES[node.name].partition("\n\n")
        lines = [f"{level} {title}", "", text, "", "```python", textwrap.dedent(example), "```", ""]
    fields = 0
    rows = []
    for item, after in zip(node.body, [*node.body[1:], None]):
        if isinstance(item, ast.AnnAssign) and node.name in _LISTED:
            fields += 1
        elif isinstance(item, ast.AnnAssign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            rows.append(f"| `{item.target.id}` | {_escaped(after.value.value)} |")
        if not isinstance(item, ast.FunctionDef) or (item.name.startswith("_") and item.name != "__init__"):
            continue
        decorators = [ast.unparse(decorator) for decorator in item.decorator_list]
        if any(decorator.endswith(".setter") for decorator in decorators):
            continue
        doc = _escaped(ast.get_docstring(item) or (_MADE.get(node.name, "") if item.name == "__init__" else ""))
        if "property" in decorators:
            if node.name in ("Model", "Data") and doc:
                fields += 1  # an array or a size: the page of fields has it
                continue
            rows.append(f"| `{item.name}` | {doc} |")
        else:
            rows.append(f"| `{_signature(item, node.name if item.name == '__init__' else '')}` | {doc} |")
    if rows:
        lines += ["| member | what it does |", "|---|---|", *rows, ""]
    if fields:
        lines += [f"And {fields} [fields](fields.md).", ""]
    return lines


def _signature(node: ast.FunctionDef, name: str = "") -> str:
    words = ast.unparse(node.args).removeprefix("self, ").removeprefix("self")
    words = re.sub(r"npt\.NDArray\[[^\]]*\]", "array", words).replace("npt.ArrayLike", "array")
    words = re.sub(r"\b_(Any|Iterable|Mapping|Optional|Sequence|Union)\b", r"\1", words).replace("_typing.ArrayLike", "array")
    words = re.sub(r"Union\[str, PathLike\[str\]\]", "path", words).replace("Union[str, int]", "name or number")
    words = re.sub(r"Optional\[(\w+)\]", r"\1", words)
    return f"{name or node.name}({words})".replace("|", "or")


def _python_function(node: ast.FunctionDef) -> list[str]:
    return [f"`{_signature(node)}`", "", *_python_text(ast.get_docstring(node) or "")]


def _python_text(text: str) -> list[str]:
    return text.splitlines()


def notebook_page(notebook: dict, name: str) -> tuple[str, dict[str, bytes]]:
    """A page of Markdown, and pictures and videos by path."""
    lines, files = [], {}
    for number, cell in enumerate(notebook["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            lines += [re.sub(r"\((?!https?:)([\w/.-]+)\.ipynb\)", r"(\1.md)", source), ""]
            if number == 0:
                lines += [f"[Download this notebook]({name}.ipynb)", ""]
            continue
        lines += ["```python", source, "```", ""]
        printed = ""
        for output in cell["outputs"]:
            data = output.get("data", {})
            video = re.search(r'src="data:video/mp4;base64,([^"]*)"', "".join(data.get("text/html", "")))
            path = f"{name}-{len(files)}"
            if video:
                files[f"tutorials/{path}.mp4"] = base64.b64decode(video[1])
                lines += [f'<video class="cell" controls loop muted playsinline src="{path}.mp4" aria-label="what the cell shows"></video>', ""]
            elif "image/png" in data:
                files[f"tutorials/{path}.png"] = base64.b64decode(data["image/png"])
                lines += [f"![what the cell draws]({path}.png)", ""]
            else:
                printed += "".join(output.get("text", data.get("text/plain", "")))
        if printed:
            lines += ["```text", printed.rstrip(), "```", ""]
    return "\n".join(lines), files


# ---- the gallery

_MODEL = re.compile(r"`((?:models|docs)/[\w/]+\.xml)`")


def gallery_models() -> list[pathlib.Path]:
    """Files of the models that the gallery shows, with the files that these name, which stand beside them."""
    files = [ROOT / path for path in _MODEL.findall("\n".join(_figures((ROOT / "docs/start/gallery.md").read_text())))]
    named = [path.parent / name for path in files for name in re.findall(r'(?:file|model)="([\w.]+\.xml)"', path.read_text())]
    return list(dict.fromkeys([*files, *named]))


def _figures(markdown: str) -> list[str]:
    return re.findall(r"<figure.*?</figure>", markdown, re.S)


def _gallery(markdown: str) -> str:
    """The page with links to the models' files and, where they have been written, to the pages to play with."""
    for figure in _figures(markdown):
        text = _MODEL.sub(lambda match: f"[`{match[1]}`](play/{pathlib.PurePath(match[1]).name}){{ download }}", figure)
        name = re.search(r"<!-- play: (\w+) -->", text)[1]
        link = f"[Play with it in the browser](play/{name}.html)" if (PLAYED / f"{name}.html").exists() else ""
        markdown = markdown.replace(figure, text.replace(f"<!-- play: {name} -->", link))
    return markdown


# ---- blocks


def on_page_markdown(markdown, page, config, files):
    """Fills blocks of code below `<!-- file: PATH -->` with the file, links the gallery, and writes equations as MathML."""
    if page.file.src_uri == "start/gallery.md":
        markdown = _gallery(markdown)
    filled = re.sub(
        r"<!-- file: (\S+) -->\n```(\w+)\n```",
        lambda match: f"```{match[2]}\n{(ROOT / match[1]).read_text()}```",
        markdown,
    )
    return _with_equations(filled)


# Blocks and spans of code, in which a dollar is a dollar, then equations between $$ and between $.
_CODE_OR_EQUATION = re.compile(
    r"(?P<code>^```.*?^```$|`[^`\n]+`)|\$\$(?P<display>.+?)\$\$|\$(?P<inline>[^\s$](?:[^$\n]*[^\s$])?)\$", re.M | re.S
)


def _with_equations(markdown: str) -> str:
    """The page with TeX between dollars as MathML, which browsers draw without a script."""
    from latex2mathml.converter import convert

    def typeset(text: str, display: str) -> str:
        # dots and hats are part of the letter: browsers without a font for mathematics place accents badly
        accents = {"&#x002D9;": "&#x0307;", "&#x000A8;": "&#x0308;", "&#x0005E;": "&#x0302;"}
        return re.sub(
            r'<mover(?: accent="true")?><mi>(&#x\w+;|\w)</mi><mo>(&#x(?:002D9|000A8|0005E);)</mo></mover>',
            lambda match: f'<mi style="font-style: italic">{match[1]}{accents[match[2]]}</mi>',
            convert(text, display=display),
        )

    def written(match: re.Match) -> str:
        if match["code"]:
            return match[0]
        if match["display"]:
            return typeset(match["display"].strip(), "block")
        # Markdown takes a line that begins with a math element for a block of HTML; with a span it is text.
        return f"<span>{typeset(match['inline'], 'inline')}</span>"

    return _CODE_OR_EQUATION.sub(written, markdown)
