"""Random documents (documents.py) from reading to reading again: compiled, stepped, saved as XML, compiled from what was saved, and stepped in a
batch. Nothing may end the process, no saved file may be refused, and the model must be the same one, field by field."""

import array
import ctypes
import math

import children
import layout
from documents import Document
from engine import NUMBERS, Engine, LoadError, World
from fuzz import MOST_OBJECTS, Files, keep
from result import Result

STEPS = 3
WORLDS = 2
TEXT = 1 << 22  # bytes of a saved file

# With 17 digits every double survives. What is left are angles, which become radians, orientations, which become quaternions, and poses, which
# are multiplied with those of frames: a few units in the last place, and what follows from them by the compiler's arithmetic. Numbers of
# a field are compared with its largest one.
EXACT = 1e-9
# Sums that cancel leave as much as this where all numbers of a field are zeros.
NOISE = 1e-13
# Principal axes of a sum of inertias are found until a turn is below 1.4e-6 rad, as in MuJoCo 3.8.0, and where two moments are equal any turn between
# their axes is as good: the last bit of a sum decides. Hence inertias are compared as matrices, and what stands in the frame of the axes is only
# compared where they are the same.
AXES = 2e-6
IN_AXES = ("body_iquat", "bvh_aabb", "sameframe")
# With 6 digits a number is off by 5e-6 of itself at most; a field that is written as it stands, by as much of its largest number.
SHORT = 2e-5

# Follows from others by inversions and searches, which magnify the error of rounding: only compared at 17 digits.
DERIVED = ("invweight0", "length0", "stat.", "acc0", "dof_M0", "eq_data", "lengthspring", "lengthrange", "bvh_", "oct_", "mesh_", "flex", "bin", "iquat", "inertia",
           "ipos", "body_mass", "subtreemass", "geom_quat", "geom_aabb", "geom_rbound", "geom_pos", "geom_size", "geom_fluid", "jnt_stiffness", "dof_damping", "biasprm",
           "hfield_data", "quat", "_pos", "qpos", "key_", "_axis", "_dir", "sameframe", "body_simple", "dof_simplenum")
ASSET_SHAPES = {1, 7, 8}  # mjGEOM_HFIELD, mjGEOM_MESH, mjGEOM_SDF
# Not of the model itself: where files are, and what the sizes of its memory are.
SKIPPED = {"names", "names_map", "paths", "plugin_attr", "bvh_nodeid", "bvh_child", "bvh_depth"}  # of equal boxes rounding decides the order
SIZES_SKIPPED = {"nbuffer", "narena", "signature", "npaths", "nnames", "nnames_map", "npluginattr", "nplugin", "npluginstate"}
SHAPES = {"nmeshpoly", "nmeshpolyvert", "nmeshpolymap", "nmeshgraph", "nbvh", "nbvhstatic", "nbvhdynamic", "noct", "nmeshnormal"}
INSTANCES = {"body_plugin", "geom_plugin", "actuator_plugin", "sensor_plugin", "plugin", "plugin_stateadr", "plugin_statenum", "plugin_attradr"}
USERS = ("body_plugin", "geom_plugin", "actuator_plugin", "sensor_plugin")


class Round:
    """One specification with its model, in a virtual file system."""

    def __init__(self, engine: Engine, files: Files, name: str):
        self.library, self.text = engine.library, ""
        buffer = ctypes.create_string_buffer(2000)
        self.library.mj_parseXML.restype = ctypes.c_void_p
        self.library.mjs_getError.restype = ctypes.c_char_p
        self.spec = self.library.mj_parseXML(name.encode(), ctypes.byref(files.vfs), buffer, len(buffer))
        self.model = self.library.mj_compile(ctypes.c_void_p(self.spec), ctypes.byref(files.vfs)) if self.spec else None
        if not self.model:
            text = buffer.value or (self.library.mjs_getError(ctypes.c_void_p(self.spec)) if self.spec else b"")
            self.text = text.decode(errors="replace")

    def save(self, digits: int) -> tuple[bytes, str]:
        """The text, or why there is none."""
        buffer, error = ctypes.create_string_buffer(TEXT), ctypes.create_string_buffer(1000)
        self.library._mjPRIVATE__set_xml_precision(digits)
        failed = self.library.mj_saveXMLString(ctypes.c_void_p(self.spec), buffer, TEXT, error, len(error))
        return (b"", error.value.decode(errors="replace")) if failed else (buffer.value, "")

    def copy_back(self) -> bool:
        return bool(self.library.mj_copyBack(ctypes.c_void_p(self.spec), ctypes.c_void_p(self.model)))

    def close(self) -> None:
        if self.model:
            self.library.mj_deleteModel(ctypes.c_void_p(self.model))
        if self.spec:
            self.library.mj_deleteSpec(ctypes.c_void_p(self.spec))


def contents(address: int) -> layout.Model:
    return ctypes.cast(address, ctypes.POINTER(layout.Model)).contents


def raw(model: layout.Model, entry: layout.Array) -> bytes:
    address, count = getattr(model, entry.name), entry.count(model)
    return ctypes.string_at(address, count * ctypes.sizeof(layout.STRUCTS[entry.type])) if address and count else b""


def is_comparable(model: layout.Model) -> bool:
    """Whether its places are numbers: out of huge ones a frame may make what is none, which no file holds."""
    names = ("body_pos", "body_quat", "geom_pos", "geom_quat", "site_pos", "site_quat", "jnt_axis", "qpos0")
    return all(math.isfinite(x) for name in names for x in array.array("d", raw(model, layout.MODEL_ARRAYS[name])))


def differences(one: int, two: int, digits: int, is_odd: bool = False) -> list[str]:
    """The fields in which two models differ by more than the digits say. In a model of odd numbers rounding has no bound where the compiler
    inverts or takes differences: what is derived is not compared."""
    first, second = contents(one), contents(two)
    if not is_comparable(first):
        return []
    digits = min(digits, 16) if is_odd or has_lost_all(first) else digits
    # Facets and trees of boxes of meshes whose vertices are rounded are those of other meshes.
    sizes_skipped = SIZES_SKIPPED | (SHAPES if digits < 16 else set())
    found = [f"{name} {getattr(first, name)} became {getattr(second, name)}" for name, kind in layout.Model._fields_
             if kind in (ctypes.c_int64, ctypes.c_int) and name not in sizes_skipped and getattr(first, name) != getattr(second, name)]
    if found:
        return found
    if plugins_of(first) != plugins_of(second):
        found.append("plugins differ")
    found += inertias_differ(first, second, digits)
    skipped = SKIPPED | INSTANCES
    for owner in ("opt", "stat"):
        for name, kind in type(getattr(first, owner))._fields_:
            a, b = bytes(_value(first, owner, name, kind)), bytes(_value(second, owner, name, kind))
            found += _differ(f"{owner}.{name}", a, b, "d" if "double" in str(kind) else "i", digits) if a != b else []
    for name, entry in layout.MODEL_ARRAYS.items():
        if name in skipped or name.endswith("adr") and name.startswith(("name_", "plugin_attr")) or name.endswith("pathadr"):
            continue
        if any(part in name for part in IN_AXES) and raw_of(first, "body_iquat") != raw_of(second, "body_iquat"):
            continue
        a, b = raw(first, entry), raw(second, entry)
        if name == "geom_dataid":
            a, b = _shape_assets(first), _shape_assets(second)
        if a != b:
            found += _differ(name, a, b, NUMBERS.get(entry.type), digits)
    return found


def raw_of(model: layout.Model, name: str) -> bytes:
    return raw(model, layout.MODEL_ARRAYS[name])


def ints(model: layout.Model, name: str) -> array.array:
    return array.array("i", raw_of(model, name))


def doubles(model: layout.Model, name: str) -> array.array:
    return array.array("d", raw_of(model, name))


def has_lost_all(model: layout.Model) -> bool:
    """Whether sums that cancel have left few digits of the inertia matrix: a diagonal is below zero, or inverse weights are 1e12 times as large as
    others. Nothing can be said of what follows from it."""
    weights = [x for x in doubles(model, "body_invweight0") if x != 0]
    negative = any(not x >= 0 for name in ("dof_M0", "dof_invweight0", "body_invweight0") for x in doubles(model, name))
    return negative or bool(weights) and max(weights) > 1e12 * min(weights)


def plugins_of(model: layout.Model) -> list[tuple]:
    """What the users of instances have: the plugin, its configuration, and which users share one instance, where it has state. The numbers of instances
    mean nothing, and one that nothing uses has no place in a file."""
    kinds, states, starts = ints(model, "plugin"), ints(model, "plugin_statenum"), list(ints(model, "plugin_attradr"))
    text, order, found = raw_of(model, "plugin_attr"), {}, []
    ends = dict(zip(starts, starts[1:] + [len(text)]))
    for users in USERS:
        for instance in ints(model, users):
            if instance < 0:
                found.append(())
                continue
            shared = order.setdefault(instance, len(order)) if states[instance] > 0 else 0
            found.append((shared, kinds[instance], text[starts[instance]:ends[starts[instance]]]))
    return found


def inertia_matrix(moments, quat) -> list[float]:
    """R diag(moments) R' of a quaternion."""
    w, x, y, z = quat
    turn = ((1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
    return [sum(turn[i][k] * moments[k] * turn[j][k] for k in range(3)) for i in range(3) for j in range(i + 1)]


def inertias_differ(first: layout.Model, second: layout.Model, digits: int) -> list[str]:
    if digits < 17:  # a pose or a size of fewer digits leaves moments to chance where masses are far from each other
        return []
    for body in range(first.nbody):
        one, two = (inertia_matrix(doubles(m, "body_inertia")[3 * body:3 * body + 3], doubles(m, "body_iquat")[4 * body:4 * body + 4]) for m in (first, second))
        scale = max(map(abs, one))
        if not all(abs(a - b) <= AXES * scale for a, b in zip(one, two)) and all(map(math.isfinite, one)):
            return [f"inertia of body {body} {one} became {two}"]
    return []


def _shape_assets(model: layout.Model) -> bytes:
    """Which meshes and fields geoms have as their shapes. Primitives only remember which mesh they were fitted to, and forget it when they are
    written with their sizes."""
    assets, types = (array.array("i", raw(model, layout.MODEL_ARRAYS[name])) for name in ("geom_dataid", "geom_type"))
    return bytes(array.array("i", (asset if kind in ASSET_SHAPES else -1 for asset, kind in zip(assets, types))))


def _value(model, owner: str, name: str, kind):
    value = getattr(getattr(model, owner), name)
    return kind(value) if isinstance(value, (int, float)) else value


def _differ(name: str, a: bytes, b: bytes, kind: str | None, digits: int) -> list[str]:
    if kind not in ("d", "f"):
        derived = digits < 17 and any(part in name for part in DERIVED)
        return [] if derived else [f"{name} differs"]
    if digits < 17 and any(part in name for part in DERIVED):
        return []
    one, two = array.array(kind, a), array.array(kind, b)
    scale = max((abs(x) for x in one if math.isfinite(x)), default=0.0) or 1.0
    bound = (EXACT if kind == "d" else 1e-6) if digits >= 16 else SHORT
    for place, (x, y) in enumerate(zip(one, two)):
        if x != y and not (math.isnan(x) and math.isnan(y)) and not abs(x - y) <= max(bound * scale, NOISE):
            return [f"{name}[{place}] {x!r} became {y!r}"]
    return []


def step_batch(engine: Engine, model: int) -> str | None:
    """Steps two worlds; what is wrong, if anything."""
    library, error = engine.library, ctypes.create_string_buffer(1000)
    library.sinew_batch_make.restype = ctypes.c_void_p
    batch = library.sinew_batch_make(ctypes.c_void_p(model), WORLDS, None, error, len(error))
    if not batch:
        return None if error.value else "no batch, and no text"
    library.sinew_batch_step(ctypes.c_void_p(batch), None, STEPS, 0, error, len(error))
    library.sinew_batch_delete(ctypes.c_void_p(batch))
    return None


def step_world(engine: Engine, model: int) -> str | None:
    """Steps a world of a model, which stays; what is wrong, if anything."""
    m = contents(model)
    if max(m.nv, m.ngeom, m.nuserdata) > MOST_OBJECTS:
        return None
    try:
        world = World(engine, model)
    except LoadError as error:
        return f"it compiles, and there is no world: {error}"
    world.step(STEPS)
    world.library.mj_deleteData(ctypes.byref(world.d))
    return step_batch(engine, model)


def saved_again(engine: Engine, document: Document, first: Round, digits: int, kind: str) -> list[str]:
    """Saves, compiles what was saved, and compares."""
    text, problem = first.save(digits)
    if problem:
        return [f"{kind}: not saved: {problem}"]
    files = Files(engine, **document.files, **{"saved.xml": text})
    second = Round(engine, files, "saved.xml")
    found = [f"{kind}: refused: {second.text}"] if not second.model else [f"{kind}: {what}" for what in differences(first.model, second.model, digits, document.values.odd > 0)]
    second.close()
    files.close()
    return found


def judge(engine: Engine, document: Document) -> dict:
    """What becomes of a document: whether it compiles, and what is wrong."""
    files = Files(engine, **document.files)
    first = Round(engine, files, "main.xml")
    found = [] if first.model or first.text else ["refused without a text"]
    if first.model:
        engine.take_errors()
        if fault := step_world(engine, first.model):
            found.append(fault)
        found += [f"the step raises {text!r}" for text in engine.take_errors()[:1]]
        found += saved_again(engine, document, first, 17, "17 digits")
        found += saved_again(engine, document, first, 6, "6 digits")
        if not first.copy_back():
            found.append("the model is not copied back: " + first.library.mjs_getError(ctypes.c_void_p(first.spec)).decode())
        else:
            found += saved_again(engine, document, first, 17, "copied back, 17 digits")
            found += saved_again(engine, document, first, 6, "copied back, 6 digits")
    found += [f"raises {text!r}" for text in engine.take_errors()[:1]]
    engine.take_warnings()
    answer = {"compiles": bool(first.model), "text": first.text, "found": found}
    first.close()
    files.close()
    return answer


class Documents:
    """Candidates by number."""

    def __init__(self, count: int, seed: int):
        self.count, self.seed = count, seed

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> int:
        return self.seed * 1_000_000_007 + index


def run(options, deadline: float) -> Result:
    engine = Engine()
    engine.library.sinew_setLoadLimits(ctypes.c_double(1e9), ctypes.c_double(10))
    candidates = Documents(options.count or 100_000, options.seed)
    answers, ends, tried = children.run("round-trips", candidates, lambda seed: judge(engine, Document(seed)), limit=60, deadline=deadline)
    findings = []
    for index, answer in answers:
        for what in answer["found"][:3]:
            findings.append(f"document {candidates[index]}: {what}")
    for index, what in ends:
        document = Document(candidates[index])
        findings.append(f"document {candidates[index]} {keep('document', document.files['main.xml'])}: {what}")
    figures = {"compile": sum(answer["compiles"] for _, answer in answers), "refused": sum(not answer["compiles"] for _, answer in answers)}
    return Result("round-trips", tried, figures, findings)
