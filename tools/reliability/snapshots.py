"""Saving and restoring: a world continues bit for bit from a snapshot, and from mjSTATE_INTEGRATION; damaged snapshots are
refused and leave the world as it was."""

import ctypes
import random

import children
import mutate
from bad_numbers import ZOO
from engine import MODELS, Engine
from fuzz import snapshot_of
from layout import CONSTANTS
from result import Result

EVERY, AFTER = 100, 20  # a snapshot each so many steps; compared so many steps later
PATHS = (ZOO, MODELS / "humanoid.xml", MODELS / "flex/cells.xml", MODELS / "muscle/legs18.xml")


def whole(world) -> bytes:
    """State, and what is not part of it but must follow from it: energy."""
    return world.state() + bytes(world.d.energy) + bytes(world.data_array("qacc")) + bytes(world.data_array("sensordata"))


def continues(engine: Engine, path, steps: int) -> str | None:
    """One world runs; another is restored from it now and then, in both ways, and must go on equally."""
    world, other = engine.load(path), engine.load(path)
    for start in range(0, steps, EVERY):
        world.step(EVERY)
        ways = {"snapshot": snapshot_of(world), "state": world.state()}
        world.step(AFTER)
        for way, saved in ways.items():
            other.step(7)  # whatever it was
            if way == "snapshot":
                text = ctypes.create_string_buffer(1000)
                if other.call("sinew_loadSnapshot", saved, len(saved), text, len(text)):
                    return f"a snapshot is refused: {text.value.decode()}"
            else:
                numbers = (ctypes.c_double * (len(saved) // 8)).from_buffer_copy(saved)
                other.call("mj_setState", numbers, CONSTANTS["mjSTATE_INTEGRATION"])
            other.step(AFTER)
            if whole(other) != whole(world):
                return f"after step {start + EVERY}, {way}: goes on differently"
    return None


def run(options, deadline: float) -> Result:
    engine = Engine()
    damages = options.count or 10_000
    exact = [(path, max(EVERY, min(10_000, damages))) for path in PATHS]
    world = engine.load(ZOO)
    world.step(20)
    good = snapshot_of(world)
    before = world.state()

    def work(candidate):
        if not isinstance(candidate, int):
            return continues(engine, *candidate)
        chance = random.Random(options.seed * 1_000_003 + candidate)
        damaged = mutate.damage_bytes(good, chance)
        if damaged == good:
            return None
        text = ctypes.create_string_buffer(1000)
        if world.call("sinew_loadSnapshot", damaged, len(damaged), text, len(text)) == 0:
            return "a damaged snapshot is accepted"
        if world.state() != before:
            return "a damaged snapshot changes the world"
        return None if text.value else "refused without a text"

    candidates = exact + list(range(damages))
    answers, ends, tried = children.run("snapshots", candidates, work, limit=600, deadline=deadline)
    name = [f"{item[0].name}, {item[1]} steps" if not isinstance(item, int) else f"damage {item}" for item in candidates]
    findings = [f"{name[index]}: {what}" for index, what in answers + ends]
    return Result("snapshots", tried, {"worlds continued": len(exact), "steps each": exact[0][1], "damaged": damages}, findings)
