"""Specifications: models that are edited. Elements are structs of the engine; what is done to them is here."""

import os
import warnings
import weakref

from mujoco import _archives, _core, _files, _grammar, _reductions, _release, _structs
from mujoco._element_kinds import MjsTendonPath
from mujoco._elements import ELEMENTS, add, add_methods, find

# Specifications by the address of their struct, for elements that lead to them.
_known: "weakref.WeakValueDictionary[int, MjSpec]" = weakref.WeakValueDictionary()

MjCharVec = MjByteVec = MjStringVec = MjIntVec = MjFloatVec = MjDoubleVec = _core.Vector
MjsElement = _core.Object
for _name in _core.classes:
    if _name.startswith("mjs"):
        globals()["M" + _name[1:]] = _core.classes[_name]


class MjSpec:
    """A model that is edited, and compiled into an `MjModel`."""

    __slots__ = ("_raw", "_assets", "_parent", "override_assets", "__weakref__")

    def __new__(cls, shared=None):
        raw = None if shared is None or cls is not MjSpec else _core.shared(shared, "mjSpec")
        known = None if raw is None else _known.get(raw._address)
        return super().__new__(cls) if known is None else known

    def __init__(self, shared=None):
        """An empty specification, or the one that another object shares: a `sinew.Spec`, say."""
        raw = _core.make_spec() if shared is None else _core.shared(shared, "mjSpec")
        if raw is getattr(self, "_raw", self):
            return  # the one that there is over it
        if raw is None:
            raise TypeError(f"MjSpec takes nothing, or a specification of the package sinew, not {shared!r}")
        self._take(raw, {} if shared is None else shared.assets if isinstance(shared, MjSpec) else shared.files)

    def _take(self, raw, assets):
        self._raw = raw
        self._assets = assets
        self._parent = None
        self.override_assets = True
        _known[raw._address] = self

    @classmethod
    def _of(cls, raw, assets):
        spec = cls.__new__(cls)
        spec._take(raw, dict(assets))
        return spec

    @staticmethod
    def from_string(xml, include=None, assets=None, vfs=None):
        """A specification of a text. `include`: files that it includes; `assets`: others that it names."""
        files = _files.merged({**(include or {}), **(assets or {})}, vfs)
        return MjSpec._of(_grammar.read_text(lambda text, given: _core.parse(text, given, False), xml, files), assets or {})

    @staticmethod
    def from_file(filename, include=None, assets=None, vfs=None):
        """A specification of a file."""
        files = _files.merged({**(include or {}), **(assets or {})}, vfs)
        return MjSpec._of(_grammar.read_path(lambda path, given: _core.parse(path, given, True), os.fspath(filename), files), assets or {})

    @staticmethod
    def from_zip(file):
        """A specification of an archive: one MJCF file, and what it names."""
        return _archives.read(file, MjSpec.from_string)

    def to_zip(self, file):
        """Writes an archive with the specification and its assets."""
        _archives.write(self, file)

    def to_xml(self):
        """The specification as MJCF; a copy of it is compiled."""
        return _core.to_xml(self._compiled())

    def to_file(self, filename):
        """Writes the specification as MJCF that finds its assets from where the file is."""
        compiled = self._compiled()
        with open(filename, "w", encoding="utf-8"):
            pass  # errors of the system are those of Python
        _core.save_xml(compiled, os.path.abspath(filename))

    def _compiled(self):
        compiled = _core.copy_spec(self._raw)
        _core.compile(compiled, self._assets)
        return compiled

    def compile(self, vfs=None):
        """The model of the specification."""
        model = _core.compile(self._raw, _files.merged(self._assets, vfs))
        if _release.level() >= _WARNS_SINCE and _core.mjs_isWarning(self._raw):
            warnings.warn(_core.mjs_getError(self._raw), UserWarning, stacklevel=2)
        return model

    adopt_inertial, discard_visual, fuse_static = _reductions.adopt_inertial, _reductions.discard_visual, _reductions.fuse_static

    def recompile(self, model, data, vfs=None):
        """Model and data of the edited specification, with the state of the given ones."""
        model, data = _structs.model_of(model), _structs.data_of(data)
        if not isinstance(model, _structs.MjModel) or not isinstance(data, _structs.MjData):
            raise TypeError("recompile takes an MjModel and its MjData")
        return _core.recompile(self._raw, _files.merged(self._assets, vfs), model, data)

    def encode(self, filename, model=None, content_type=None):
        """Writes MJCF, or a binary model when the name ends so; returns the number of bytes."""
        binary = content_type == "application/octet-stream" or os.fspath(filename).endswith(".mjb")
        content = _core.save_buffer(self.compile() if model is None else _structs.model_of(model)) if binary else self.to_xml().encode()
        with open(filename, "wb") as file:
            return file.write(content)

    def copy_back(self, model):
        """Writes into the specification what was changed in its model."""
        if _core.mj_copyBack(self._raw, model) != 1:
            raise ValueError(_core.mjs_getError(self._raw) or "the model is not one of this specification")

    def copy(self):
        return MjSpec._of(_core.copy_spec(self._raw), self._assets)

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def __reduce__(self):
        return MjSpec.from_string, (self.copy().to_xml(), None, self._assets)

    def _share(self):
        """A capsule that shares the struct with other packages."""
        return _core.share_of(self._raw)

    @property
    def assets(self):
        """Files in memory by name."""
        return self._assets

    @assets.setter
    def assets(self, assets):
        self._assets = dict(assets)

    @property
    def parent(self):
        """The specification that this one was attached to."""
        return self._parent

    @property
    def _address(self):
        return self._raw._address

    def __dir__(self):
        return sorted({*super().__dir__(), *_core.field_names("mjSpec")})

    def __getattr__(self, name):
        if name in _SPEC_FIELDS:
            return getattr(self._raw, name)
        raise AttributeError(f"'mujoco._specs.MjSpec' object has no attribute '{name}'")

    def __setattr__(self, name, value):
        if name in _SPEC_FIELDS:
            setattr(self._raw, name, value)
        else:
            object.__setattr__(self, name, value)

    @property
    def meshdir(self):
        return self._raw.compiler.meshdir

    @meshdir.setter
    def meshdir(self, value):
        self._raw.compiler.meshdir = value

    @property
    def texturedir(self):
        return self._raw.compiler.texturedir

    @texturedir.setter
    def texturedir(self, value):
        self._raw.compiler.texturedir = value

    def _only_set(self):
        raise ValueError("copy_during_attach can only be set")

    def _set_copy(self, value):
        _core.mjs_setDeepCopy(self._raw, int(value))

    copy_during_attach = property(_only_set, _set_copy)

    @property
    def worldbody(self):
        return _core.mjs_findBody(self._raw, "world")

    @property
    def default(self):
        """The main class of defaults."""
        return _core.mjs_getSpecDefault(self._raw)

    def find_default(self, name):
        return _core.mjs_findDefault(self._raw, name)

    def add_default(self, name, parent=None):
        """A new class of defaults; None when there is one of this name."""
        return _core.mjs_addDefault(self._raw, name, parent)

    def activate_plugin(self, name):
        if _core.mjs_activatePlugin(self._raw, name) != 0:
            raise ValueError(f"plugin '{name}' could not be activated")

    @staticmethod
    def resolve_orientation(degree, sequence=None, orientation=None):
        """The quaternion of an orientation."""
        letters = "xyz" if sequence is None else "".join(sequence)
        return _core.resolve_orientation(degree, letters, orientation)

    def delete(self, element):
        """Deletes an element and what refers to it, or a class of defaults."""
        if element is None or not isinstance(element, _core.Object):
            raise TypeError(f"delete(): incompatible function arguments: {element!r} is no element")
        _core.delete_element(self._raw, element)

    def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
        """Puts the world of another specification below a frame or a site."""
        if (site is None) == (frame is None):
            raise ValueError("One of frame or site must be specified." if site is None else "Only one of frame or site can be specified.")
        place = self._resolve(frame, "frame") if frame is not None else self._resolve(site, "site")
        prefix, suffix = "/" if prefix is None else prefix, suffix or ""
        before = {kind: {element._address for element in kind.all(self._raw)} for kind in _WITH_FILES}
        made = attach_to(place, child._raw, prefix, suffix)
        for kind, known in before.items():
            for element in kind.all(self._raw):
                if element._address not in known and element.file in child._assets:
                    element.file = _renamed(element.file, prefix, suffix)
        return made

    def _resolve(self, element, kind):
        if not isinstance(element, str):
            return element
        found = getattr(self, kind)(element)
        if found is None:
            raise ValueError(f"{kind.capitalize()} not found.")
        return found


_WARNS_SINCE = 309  # warnings of the compiler are warnings of Python
_WITH_FILES = tuple(kind for kind in ELEMENTS if kind.name in ("mesh", "hfield", "texture", "skin"))
_SPEC_FIELDS = frozenset(_core.field_names("mjSpec")) - {"element"}


def spec_of(element):
    """The specification that an element is in, if Python has it."""
    raw = _core.mjs_getSpec(element)
    return _known.get(raw._address) if raw is not None else None


def _renamed(file, prefix, suffix):
    """The name of a file in memory for elements whose names get a prefix and a suffix."""
    folder, slash, name = file.rpartition("/")
    stem, dot, extension = name.rpartition(".")
    return folder + slash + prefix + (stem + suffix + dot + extension if dot else name + suffix)


def _merge_assets(parent, child, prefix, suffix):
    for file, content in child._assets.items():
        name = _renamed(file, prefix, suffix)
        if name in parent._assets and parent._assets[name] != content and not parent.override_assets:
            raise ValueError(f"Asset {file} already exists in parent spec.")
        parent._assets[name] = content


def attach_to(place, child, prefix, suffix):
    """Attaches a specification, body or frame to a frame, site or body; returns the element that is made."""
    parent, other = spec_of(place), _known.get(child._address) if isinstance(child, _core.classes["mjSpec"]) else spec_of(child)
    if parent is not None and other is not None and other is not parent:
        whole = isinstance(child, _core.classes["mjSpec"])
        _merge_assets(parent, other, prefix if whole else "", suffix if whole else "")
    made = _core.mjs_attach(place, child, prefix or "", suffix or "")
    if made is None:
        raw = _core.mjs_getSpec(place)
        raise ValueError(_core.mjs_getError(raw))
    if parent is not None and other is not None and other is not parent:
        other._parent = parent
        _core.keep(other._raw, parent._raw)
    return made


def _add_elements():
    """`geom(name)`, `geoms`, `add_key(...)`: for each kind of elements."""
    for kind in ELEMENTS:
        setattr(MjSpec, kind.name, lambda self, name, kind=kind: find(self._raw, kind, name))
        setattr(MjSpec, kind.plural, property(lambda self, kind=kind: kind.all(self._raw)))
        if kind.add and not kind.in_body:
            method = lambda self, default=None, kind=kind, **values: add(kind, self._raw, default, values)  # noqa: E731
            method.__name__ = f"add_{kind.name}"
            setattr(MjSpec, f"add_{kind.name}", method)


_add_elements()
add_methods(attach_to)
