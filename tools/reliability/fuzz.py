"""Damaged files and buffers: each is refused with a text, or loads and can be stepped. None ends the process, hangs or takes
memory without bound."""

import ctypes
import hashlib
import importlib.util
import random

import children
import mutate
from engine import MODELS, Engine, LoadError, World
from layout import CONSTANTS, ROOT, STRUCTS
from bad_numbers import ZOO
from result import Result

KEPT = ROOT / "build/reliability"  # inputs that were findings
OCTREE = b"""<mujoco><asset><mesh name="m" vertex="0 0 0  .1 0 0  0 .1 0  0 0 .1"/></asset><worldbody><geom type="plane" size="1 1 1"/>
<body><freejoint/><geom type="sdf" mesh="m"/></body></worldbody></mujoco>"""  # instead of octree.xml, which takes a third of a second
MOST_OBJECTS = 1000  # larger models are not stepped: they would only take long

ASSETS = {
    "stl": ('<mesh file="f.stl"/>', 'mesh="f"'), "obj": ('<mesh file="f.obj"/>', 'mesh="f"'), "msh": ('<mesh file="f.msh"/>', 'mesh="f"'),
    "ply": ('<mesh file="f.ply"/>', 'mesh="f"'), "off": ('<mesh file="f.off"/>', 'mesh="f"'),
    "gltf": ('<mesh file="f.gltf"/>', 'mesh="f"'), "dae": ('<mesh file="f.dae"/>', 'mesh="f"'),
    "skn": ('<skin file="f.skn"/>', ""), "texture": ('<texture type="2d" file="f.png"/>', ""),
    "hfield": ('<hfield name="f" file="f.png" size="1 1 1 1"/>', 'hfield="f"'),
    "binary hfield": ('<hfield name="f" file="f.bin" size="1 1 1 1"/>', 'hfield="f"'),
}


def seeds() -> dict[str, list[bytes]]:
    """Good files by kind, those of the coverage-guided targets."""
    place = ROOT / "tests/fuzz/make_seeds.py"
    spec = importlib.util.spec_from_file_location("make_seeds", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    found = {target: list(files.values()) for target, files in module.seeds()}
    found["binary hfield"] = [file for file in found["hfield"] if not file.startswith(b"\x89PNG")]
    found["hfield"] = [file for file in found["hfield"] if file.startswith(b"\x89PNG")]
    found["texture"] = [file for file in found["texture"] if file.startswith(b"\x89PNG")]
    return found


class Files:
    """A virtual file system."""

    def __init__(self, engine: Engine, **files: bytes):
        self.engine, self.vfs = engine, STRUCTS["mjVFS"]()
        engine.library.mj_defaultVFS(ctypes.byref(self.vfs))
        for name, content in files.items():
            engine.library.mj_addBufferVFS(ctypes.byref(self.vfs), name.replace("_dot_", ".").encode(), content, len(content))

    def load(self, name: str) -> tuple[int | None, str]:
        text = ctypes.create_string_buffer(2000)
        model = self.engine.library.mj_loadXML(name.encode(), ctypes.byref(self.vfs), text, len(text))
        return model, text.value.decode(errors="replace")

    def close(self) -> None:
        self.engine.library.mj_deleteVFS(ctypes.byref(self.vfs))


def step_model(engine: Engine, model: int) -> str | None:
    """Two steps of a model; what is wrong, if anything."""
    try:
        world = World(engine, model)
    except LoadError as error:
        engine.take_warnings()
        return None if str(error) else "no world, and no text"
    m = world.m
    for name in ("iterations", "ls_iterations", "noslip_iterations", "ccd_iterations", "sdf_iterations", "sdf_initpoints"):
        setattr(m.opt, name, min(getattr(m.opt, name), MOST_OBJECTS))
    if max(m.nv, m.ngeom, m.nuserdata) <= MOST_OBJECTS:
        world.step(2)
    errors = engine.take_errors()
    engine.take_warnings()
    world.close()
    return f"the step raises {errors[0]!r}" if errors else None


def keep(kind: str, content: bytes) -> str:
    """Writes an input that was a finding; returns where."""
    KEPT.mkdir(parents=True, exist_ok=True)
    path = KEPT / f"{kind.replace(' ', '-')}-{hashlib.sha1(content).hexdigest()[:10]}"
    path.write_bytes(content)
    return str(path.relative_to(ROOT))


class Damaged:
    """Candidates by number, kinds in turn: which kind, and its damaged input, made again from the seed where they are needed."""

    def __init__(self, originals: dict[str, list[bytes]], count: int, seed: int):
        self.kinds, self.originals, self.count, self.seed = list(originals), originals, count, seed

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[str, bytes]:
        turn, place = divmod(index, len(self.kinds))
        kind = self.kinds[place]
        data = self.originals[kind][turn % len(self.originals[kind])]
        chance = random.Random(self.seed * 1_000_003 + index)
        if kind in ("mjcf", "urdf"):
            return kind, mutate.damage_xml(data.decode(), chance).encode()
        return kind, mutate.damage_bytes(data, chance)


def judge(line: str, candidates: Damaged, work, deadline: float, limit: float = 20) -> Result:
    answers, ends, tried = children.run(line, candidates, work, limit=limit, deadline=deadline)
    findings, accepted = [], 0
    for index, what in answers + ends:
        if what == "accepted":
            accepted += 1
            continue
        kind, content = candidates[index]
        findings.append(f"{kind} {keep(kind, content)}: {what}")
    figures = {"of each kind": tried // len(candidates.kinds), "accepted": accepted, "refused": tried - accepted - len(findings)}
    return Result(line, tried, figures, findings)


def run_assets(options, deadline: float) -> Result:
    engine = Engine()
    originals = {kind: files for kind, files in seeds().items() if kind in ASSETS}

    def work(candidate):
        kind, content = candidate
        asset, geom = ASSETS[kind]
        geom_type = "hfield" if "hfield" in kind else "mesh"
        geoms = f'<geom type="{geom_type}" {geom}/>' if geom else ""
        xml = f'<mujoco><asset>{asset}</asset><worldbody><geom size="1"/>{geoms}</worldbody></mujoco>'
        name = asset.split('file="')[1].split('"')[0].replace(".", "_dot_")
        files = Files(engine, model_dot_xml=xml.encode(), **{name: content})
        model, text = files.load("model.xml")
        files.close()
        return _outcome(engine, model, text)

    return judge("fuzz-assets", Damaged(originals, options.count or 20000, options.seed), work, deadline)


def _outcome(engine: Engine, model: int | None, text: str) -> str | None:
    """"accepted", None for refused, or what is wrong."""
    if errors := engine.take_errors():
        return f"the load raises {errors[0]!r}"
    if not model:
        engine.take_warnings()
        if not text:
            return "refused without a text"
        return f"refused by {text!r}" if "bad_alloc" in text or "std::" in text else None
    return step_model(engine, model) or "accepted"


def run_models(options, deadline: float) -> Result:
    engine = Engine()
    engine.library.sinew_setLoadLimits(ctypes.c_double(1e9), ctypes.c_double(10))
    models = [path for path in (ZOO, *sorted(MODELS.rglob("*.xml"))) if path.stat().st_size < 30000 and path.name != "octree.xml"]
    originals = {"mjcf": [OCTREE, *(path.read_bytes() for path in models)], "urdf": seeds()["urdf"]}

    def work(candidate):
        _, content = candidate
        files = Files(engine, model_dot_xml=content)
        model, text = files.load("model.xml")
        files.close()
        return _outcome(engine, model, text)

    return judge("fuzz-models", Damaged(originals, options.count or 5000, options.seed), work, deadline, limit=40)


def run_binaries(options, deadline: float) -> Result:
    engine = Engine()
    library = engine.library
    originals = {"mjb": []}
    for path in (ZOO, MODELS / "sensors.xml", MODELS / "humanoid.xml", MODELS / "flex/shells.xml"):
        world = engine.load(path)
        size = library.mj_sizeModel(ctypes.c_void_p(world.model_address))
        buffer = ctypes.create_string_buffer(size)
        library.mj_saveModel(ctypes.c_void_p(world.model_address), None, buffer, size)
        originals["mjb"].append(bytes(buffer))
        world.close()
    worlds = {}

    def world_of(kind):
        if kind not in worlds:
            worlds[kind] = engine.load(ZOO)
        return worlds[kind]

    source = engine.load(ZOO)
    source.step(20)
    originals |= {"state": [source.state()], "snapshot": [snapshot_of(source)]}
    source.close()

    def work(candidate):
        kind, content = candidate
        if kind == "mjb":
            model = library.mj_loadModelBuffer(content, len(content))
            engine.take_errors()
            texts = engine.take_warnings()
            return _outcome(engine, model, " ".join(texts))
        world = world_of(kind)
        world.reset()
        if kind == "state":
            size = len(world.state())
            numbers = (ctypes.c_double * (size // 8)).from_buffer_copy(content[:size].ljust(size, b"\0"))
            world.call("mj_setState", numbers, CONSTANTS["mjSTATE_INTEGRATION"])
            answer = "accepted"
        else:
            text = ctypes.create_string_buffer(1000)
            failed = world.call("sinew_loadSnapshot", content, len(content), text, len(text))
            answer = "accepted" if failed == 0 else None
            if failed and not text.value:
                return "refused without a text"
        world.step(2)
        engine.take_warnings()
        if errors := engine.take_errors():
            return f"raises {errors[0]!r}"
        return answer

    return judge("fuzz-binaries", Damaged(originals, options.count or 5000, options.seed), work, deadline)


def snapshot_of(world) -> bytes:
    size = world.library.sinew_snapshotSize(ctypes.c_void_p(world.model_address))
    buffer = ctypes.create_string_buffer(size)
    world.call("sinew_saveSnapshot", buffer, size)
    return bytes(buffer)
