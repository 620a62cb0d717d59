"""Edits of a model between steps, over the values that a field may have: none may end the process. A step that raises an
error does so, since programs without a handler of their own exit there."""

import random

import children
import layout
from bad_numbers import ZOO
from engine import Engine, World
from result import Result

STEPS = 10
MOST_EDITS = 3  # at once

# Integers that programs may change, with all values that count; other integers are addresses, sizes and ids, which a
# program must not touch.
FLAG = (0, 1)
INTEGERS = {
    "geom_contype": (0, 1, 3), "geom_conaffinity": (0, 1, 3), "geom_condim": (1, 3, 4, 6), "geom_priority": (-1, 0, 2),
    "geom_group": range(6), "site_group": range(6), "jnt_group": range(6), "tendon_group": range(6), "actuator_group": range(6),
    "jnt_limited": FLAG, "jnt_actfrclimited": FLAG, "jnt_actgravcomp": FLAG, "tendon_limited": FLAG, "tendon_actfrclimited": FLAG,
    "actuator_ctrllimited": FLAG, "actuator_forcelimited": FLAG, "actuator_actlimited": FLAG, "actuator_actearly": FLAG,
    "eq_active0": FLAG, "pair_dim": (1, 3, 4, 6), "cam_mode": range(5), "light_mode": range(5), "light_active": FLAG,
    "light_castshadow": FLAG, "flex_contype": (0, 1, 3), "flex_conaffinity": (0, 1, 3), "flex_condim": (1, 3, 4, 6),
    "flex_priority": (-1, 0, 2), "flex_internal": FLAG, "flex_selfcollide": range(5), "flex_activelayers": range(4),
    "flex_passive": FLAG, "flex_rigid": FLAG, "flexedge_rigid": FLAG, "flex_flatskin": FLAG,
    "actuator_dyntype": range(6), "actuator_gaintype": range(4), "actuator_biastype": range(4), "geom_sameframe": range(5),
    "body_sameframe": range(5), "site_sameframe": range(5), "body_simple": range(3), "site_type": (2, 3, 4, 5, 6),
    "geom_type": (0, 2, 3, 4, 5, 6), "sensor_needstage": range(4), "sensor_datatype": range(4),
    "opt.integrator": range(4), "opt.cone": FLAG, "opt.jacobian": range(3), "opt.solver": range(3), "opt.iterations": (0, 1, 100),
    "opt.ls_iterations": (0, 1, 50), "opt.noslip_iterations": (0, 3), "opt.ccd_iterations": (0, 1, 35),
    "opt.disableflags": tuple(1 << bit for bit in range(19)) + (0, -1), "opt.enableflags": tuple(1 << bit for bit in range(7)),
    "opt.disableactuator": (1, -1), "opt.sdf_initpoints": (1, 40), "opt.sdf_iterations": (0, 10),
}
NUMBERS = (0.0, -1.0, 1.0, 1e-12, 1e6, -1e6, 0.3)


def fields(world: World) -> list[tuple[str, list[int], tuple]]:
    """(field, elements, values) of everything that a program may edit."""
    found = []
    for name, values in INTEGERS.items():
        length = 1 if name.startswith("opt.") else len(world.model_array(name))
        if length:
            found.append((name, list(range(length)), tuple(values)))
    # The shape of a mesh may be its hull, or distances that its model lacks.
    if of_mesh := [i for i, asset in enumerate(world.model_array("geom_dataid")) if asset >= 0]:
        found.append(("geom_type", of_mesh, (7, 8)))
    for name, kind in layout.STRUCTS["mjOption"]._fields_:
        if getattr(kind, "_type_", None) == "d":
            found.append((f"opt.{name}", [0], NUMBERS))
        elif hasattr(kind, "_length_"):
            found.append((f"opt.{name}", list(range(kind._length_)), NUMBERS))
    for entry in layout.MODEL_ARRAYS.values():
        if entry.type in ("mjtNum", "float") and len(world.model_array(entry.name)):
            found.append((entry.name, list(range(len(world.model_array(entry.name)))), NUMBERS))
    return found


def apply(world: World, name: str, indices: list[int], value: float) -> None:
    """Writes a value to elements of a field."""
    if not name.startswith("opt."):
        target = world.model_array(name)
    elif isinstance(getattr(world.m.opt, name[4:]), (int, float)):
        return setattr(world.m.opt, name[4:], value)
    else:
        target = getattr(world.m.opt, name[4:])
    for i in indices:
        target[i] = value
    return None


def text_of(edits: list) -> str:
    return ", ".join(f"{name}[{indices[0] if len(indices) == 1 else 'all'}] = {value:g}" for name, indices, value in edits)


def run(options, deadline: float) -> Result:
    engine = Engine()
    world = engine.load(ZOO)
    known = fields(world)
    world.close()
    # Each value of each field alone, in all elements, then random ones together.
    candidates = [[(name, indices, value)] for name, indices, values in known for value in values]
    chance = random.Random(options.seed)
    chance.shuffle(candidates)
    wanted = options.count or 2 * len(candidates)
    while len(candidates) < wanted:
        chosen = chance.sample(known, chance.randint(1, MOST_EDITS))
        candidates.append([(name, [chance.choice(indices)], chance.choice(values)) for name, indices, values in chosen])
    candidates = candidates[:wanted]

    def work(edits):
        world = engine.load(ZOO)
        world.step(2)
        for edit in edits:
            apply(world, *edit)
        engine.take_errors()
        world.step(STEPS)
        errors = engine.take_errors()
        engine.take_warnings()
        world.close()
        return errors[0] if errors else None

    answers, ends, tried = children.run("exits", candidates, work, limit=20, deadline=deadline)
    findings = [f"{text_of(candidates[index])}: the step raises {error!r}" for index, error in answers]
    findings += [f"{text_of(candidates[index])}: {what}" for index, what in ends]
    return Result("exits", tried, {"fields": len(known), "errors in a step": len(answers), "ends": len(ends)}, findings)
