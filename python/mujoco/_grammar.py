"""Models in the grammar of newer releases: attributes that change nothing here are left out.

Only a model that could not be read is looked at: it is read again without them.
"""

import os
import re

from mujoco import _names_table

_UNKNOWN = "unknown attribute"
_PATTERNS = tuple(
    (re.compile(rf"<{element}\b[^<>]*>"), re.compile(rf"""\s{attribute}\s*=\s*("[^"]*"|'[^']*')"""))
    for element, attribute in _names_table.IGNORED
)
_INCLUDE = re.compile(r"""<include\s[^<>]*?file\s*=\s*["']([^"']+)["']""")


def _without(text: str) -> str:
    for element, attribute in _PATTERNS:
        text = element.sub(lambda match: attribute.sub("", match.group()), text)
    return text


def _texts(assets):
    """Files in memory, those that are MJCF without the attributes."""
    changed = {}
    for name, content in (assets or {}).items():
        text = content if isinstance(content, str) else bytes(content).decode(errors="surrogateescape")
        is_model = name.endswith(".xml") or "<mujoco" in text[:1000]
        changed[name] = _without(text).encode(errors="surrogateescape") if is_model else content
    return changed


def _included(path, assets):
    """A file on disk and those that it includes, as files in memory."""
    waiting = [path]
    while waiting:
        name = waiting.pop()
        if name in assets or not os.path.isfile(name):
            continue
        with open(name, encoding="utf-8", errors="surrogateescape") as file:
            text = _without(file.read())
        assets[name] = text.encode(errors="surrogateescape")
        waiting += [os.path.join(os.path.dirname(path), included) for included in _INCLUDE.findall(text)]


def read_text(read, text, assets):
    """What `read` makes of a text."""
    try:
        return read(text, assets)
    except ValueError as error:
        if _UNKNOWN not in str(error):
            raise
        plain = text if isinstance(text, str) else bytes(text).decode(errors="surrogateescape")
        changed, files = _without(plain), _texts(assets)
        if changed == plain and files == dict(assets or {}):
            raise
        return read(changed, files or None)


def read_path(read, path, assets):
    """What `read` makes of a file."""
    try:
        return read(path, assets)
    except ValueError as error:
        if _UNKNOWN not in str(error):
            raise
        files = _texts(assets)
        _included(path, files)
        return read(path, files)
