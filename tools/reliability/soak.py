"""Steps and reloads without end: resident memory must not grow."""

import gc
import time

from engine import MODELS, Engine
from result import Result

GROWTH = 1 << 20  # bytes that are allowed
STEPS_OF_A_RELOAD = 6000  # 20 million steps go with some 3,000 reloads
WARM_UP = 20  # reloads


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def run(options, deadline: float) -> Result:
    engine = Engine()
    wanted = options.count or 200_000
    paths = [MODELS / "humanoid.xml", MODELS / "sensors.xml", MODELS / "compliant/hop.xml"]
    steps = reloads = 0
    start = None
    while steps < wanted and time.monotonic() < deadline:
        world = engine.load(paths[reloads % len(paths)])
        count = min(STEPS_OF_A_RELOAD, wanted) if start is not None else 100
        world.step(count)
        world.close()
        engine.take_warnings()
        engine.take_errors()
        reloads += 1
        if reloads == WARM_UP:
            gc.collect()
            start = resident()
        elif start is not None:
            steps += count
    gc.collect()
    growth = resident() - (start or resident())
    findings = [f"resident memory has grown by {growth / 1024:.0f} KB"] if growth > GROWTH else []
    return Result("soak", steps, {"reloads": reloads, "KB grown": growth // 1024}, findings)
