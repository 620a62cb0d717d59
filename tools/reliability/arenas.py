"""Worlds with arenas of many sizes, from much too small to enough: each step returns, and the world is flagged."""

import children
from engine import MODELS, Engine
from result import Result

STEPS = 100
SMALLEST, GROWTH = 2048, 1.6  # bytes; 20 sizes end at 15 MB


def sizes(count: int) -> list[int]:
    return [int(SMALLEST * GROWTH**i) // 64 * 64 for i in range(count)]


def run(options, deadline: float) -> Result:
    engine = Engine()
    candidates = [(model, size) for model in ("humanoids22.xml", "flex/jelly_on_stairs.xml") for size in sizes(options.count or 20)]

    def work(candidate):
        model, size = candidate
        world = engine.load(MODELS / model)
        world.m.narena = size
        world.make_data()
        engine.take_warnings()
        world.step(STEPS)
        counts = world.warning_counts()
        answer = {"errors": engine.take_errors(), "full": counts[1] + counts[2] > 0, "finite": not world.infinite_arrays(),
                  "time": world.d.time}
        world.close()
        return answer

    answers, ends, tried = children.run("arenas", candidates, work, limit=300, deadline=deadline)
    where = [f"{model} with {size} bytes" for model, size in candidates]
    findings = [f"{where[index]}: {what}" for index, what in ends]
    for index, answer in answers:
        if answer["errors"]:
            findings.append(f"{where[index]}: raises {answer['errors'][0]!r}")
        elif not answer["finite"]:
            findings.append(f"{where[index]}: a result is not finite")
    survived = len(answers) - sum(bool(answer["errors"]) for _, answer in answers)
    return Result("arenas", tried, {"survived": survived, "too small": sum(answer["full"] for _, answer in answers)}, findings)
