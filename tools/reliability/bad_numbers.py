"""NaN, infinity and 1e300 in the numeric fields of a model and of a world: each must be found within one step and named,
and a reset must leave a finite world or a status."""

import pathlib
import random

import children
import layout
from engine import Engine, World
from result import Result

ZOO = pathlib.Path(__file__).with_name("zoo.xml")
VALUES = {"nan": float("nan"), "inf": float("inf"), "1e300": 1e300}
# Written by programs between steps, or carried from one step to the next.
INPUTS = ("qpos", "qvel", "act", "history", "qacc_warmstart", "ctrl", "qfrc_applied", "xfrc_applied", "mocap_pos", "mocap_quat",
          "userdata", "time")
# No step reads these: numbers of users, appearance, keyframes. Infinite ranges are no limits.
UNREAD = ("mat_", "tex_", "key_", "numeric_", "tuple_", "skin_")
MOST_STEPS = 400  # in which an edit between steps must be found


def is_read(field: str) -> bool:
    return not field.startswith(UNREAD) and not field.endswith(("_rgba", "_user")) and field != "userdata"


def places(world: World, seed: int, each: int) -> list[tuple[str, str, int]]:
    """(struct, field, index) of up to `each` elements of every numeric field that has any."""
    chance = random.Random(seed)
    found = []
    for struct, kind in (("opt", layout.STRUCTS["mjOption"]), ("stat", layout.STRUCTS["mjStatistic"])):
        for name, member in kind._fields_:
            length = getattr(member, "_length_", 1)
            if getattr(member, "_type_", None) == "d" or getattr(getattr(member, "_type_", None), "_type_", None) == "d":
                found += [(struct, name, i) for i in range(length)]
    for struct, arrays, get in (("model", layout.MODEL_ARRAYS, world.model_array), ("data", layout.DATA_ARRAYS, world.data_array)):
        for entry in arrays.values():
            if entry.type not in ("mjtNum", "float") or (struct == "data" and entry.name not in INPUTS):
                continue
            length = len(get(entry.name))
            found += [(struct, entry.name, i) for i in sorted(chance.sample(range(length), min(each, length)))]
    return found + [("data", "time", 0)]


def write(world: World, place: tuple[str, str, int], value: float) -> None:
    struct, field, index = place
    if struct in ("opt", "stat"):
        owner = getattr(world.m, struct)
        if isinstance(getattr(owner, field), float):
            setattr(owner, field, value)
        else:
            getattr(owner, field)[index] = value
    elif field == "time":
        world.d.time = value
    else:
        (world.model_array if struct == "model" else world.data_array)(field)[index] = value


def name_of(place: tuple[str, str, int]) -> str:
    struct, field, index = place
    return f"{struct}.{field}[{index}]"


def inject(engine: Engine, place, value: float, running: bool) -> dict:
    """Writes a bad number and steps; what was seen."""
    struct, field, _ = place
    world = engine.load(ZOO)
    world.step(5)
    if struct != "data" and not running:  # a program that edits its model before an episode
        write(world, place, value)
        world.reset()
    else:
        write(world, place, value)
    engine.take_warnings()
    engine.take_errors()
    answer = {"named": False, "noticed": False, "steps": 0}
    for answer["steps"] in range(1, (MOST_STEPS if running else 1) + 1):
        before = world.warning_counts()
        world.step()
        texts = engine.take_warnings()
        counts = sum(after > earlier for after, earlier in zip(world.warning_counts(), before)) > 0
        answer["noticed"] |= bool(texts) or counts
        answer["named"] |= any(field in text or field.upper() in text for text in texts)
        answer["errors"] = engine.take_errors()
        answer["text"] = answer.get("text") or " ".join(texts)
        if answer["named"] or answer["errors"]:
            break
    answer["spoiled"] = [name for name in world.infinite_arrays() if name != field]
    # The same episode goes on, then a new one begins.
    world.step(3)
    world.reset()
    start_is_finite = not {"qpos", "qvel"} & set(world.infinite_arrays())
    engine.take_warnings()
    world.step(2)
    state_is_finite = not {"qpos", "qvel", "qacc"} & set(world.infinite_arrays())
    answer["reset"] = (start_is_finite and state_is_finite) or bool(engine.take_warnings())
    answer["finite after reset"] = state_is_finite
    world.close()
    return answer


def judge(place, value: str, running: bool, answer: dict) -> str | None:
    """What is wrong, if anything."""
    where = f"{value} in {name_of(place)}" + (" while it runs" if running else "")
    if answer["errors"]:
        return f"{where}: the step raises {answer['errors'][0]!r}"
    silent = is_read(place[1]) and not (value == "inf" and place[1].endswith("range"))
    if not answer["noticed"]:
        if answer["spoiled"]:
            return f"{where}: unnoticed, not finite: {', '.join(answer['spoiled'][:4])}"
        if silent and value == "nan" and place[0] != "data":
            return f"{where}: unnoticed"
    elif not answer["named"]:
        return f"{where}: not named: {answer['text']!r}"
    if not answer["reset"]:
        return f"{where}: a reset leaves a world that is not finite, without a status"
    return None


def run(options, deadline: float) -> Result:
    engine = Engine()
    world = engine.load(ZOO)
    candidates = [(place, value, running)
                  for place in places(world, options.seed, max(1, options.each))
                  for value in VALUES for running in ((False, True) if place[0] != "data" else (False,))]
    world.close()
    random.Random(options.seed).shuffle(candidates)
    candidates = candidates[:options.count] if options.count else candidates

    def work(candidate):
        place, value, running = candidate
        return inject(engine, place, VALUES[value], running)

    answers, ends, tried = children.run("bad-numbers", candidates, work, limit=20, deadline=deadline)
    findings, steps = [], {False: 1, True: 1}
    figures = {"named": 0, "harmless": 0, "finite after a reset": 0}
    for index, answer in answers:
        place, value, running = candidates[index]
        if fault := judge(place, value, running, answer):
            findings.append(fault)
        figures["named"] += answer["named"]
        figures["harmless"] += not answer["noticed"] and not answer["spoiled"]
        figures["finite after a reset"] += answer["finite after reset"]
        if answer["noticed"]:
            steps[running] = max(steps[running], answer["steps"])
    findings += [f"{candidates[index][1]} in {name_of(candidates[index][0])}: {what}" for index, what in ends]
    figures["steps until found, before an episode"] = steps[False]
    figures["steps until found, between steps"] = steps[True]
    return Result("bad-numbers", tried, figures, findings)
