"""Errors in models locate the fault: of those that refuse a mutated model, how many name file and line, and the line, element
and attribute of the mutation."""

import ctypes
import random
import re

import children
from bad_numbers import ZOO
from engine import MODELS, Engine
from fuzz import Files
from mutate import NUMBERS
from result import Result

TARGET_LINE, TARGET_ATTRIBUTE = 0.995, 0.98


def _is_comment(text: str, place: int) -> bool:
    return text.rfind("<!--", 0, place) > text.rfind("-->", 0, place)


class Mutants:
    """One attribute changed in each: its value is damaged, or its name misspelt."""

    def __init__(self, count: int, seed: int):
        paths = (ZOO, MODELS / "humanoid.xml", MODELS / "sensors.xml", MODELS / "compliant/arm.xml", MODELS / "muscle/legs18.xml")
        self.texts = [re.sub(r"(/>|-->|[^/-]>)\s*(?=<)", r"\1\n", path.read_text()) for path in paths]
        self.count, self.seed = count, seed

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, index: int) -> tuple[str, int, str]:
        """(text, line, attribute)"""
        text = self.texts[index % len(self.texts)]
        chance = random.Random(self.seed * 1_000_003 + index)
        # A name that changes is missed elsewhere, where the error must be.
        attributes = [found for found in re.finditer(r'(\w+)="([^"]*)"', text) 
                      if found.group(1) not in ("name", "class") and not _is_comment(text, found.start())]
        found = chance.choice(attributes)
        line, name = text.count("\n", 0, found.start()) + 1, found.group(1)
        if chance.random() < 0.3:
            name += "x"
            return text[:found.start(1)] + name + text[found.end(1):], line, name
        value = chance.choice(NUMBERS + ("no such thing", found.group(2) + " 1 2 3 4 5 6 7 8 9 10 11 12"))
        return text[:found.start(2)] + value + text[found.end(2):], line, name


def run(options, deadline: float) -> Result:
    engine = Engine()
    candidates = Mutants(options.count or 1000, options.seed)

    def work(candidate):
        text, line, attribute = candidate
        files = Files(engine, model_dot_xml=text.encode())
        model, error = files.load("model.xml")
        files.close()
        engine.take_warnings()
        fatal = engine.take_errors()
        if fatal:
            return {"fatal": fatal[0]}
        if model:
            engine.library.mj_deleteModel(ctypes.c_void_p(model))
            return None
        place = re.match(r"model\.xml:(\d+): (.*)", error, re.DOTALL)
        return {"error": error, "line": bool(place), "right": bool(place) and int(place.group(1)) == line,
                "attribute": attribute in error}

    answers, ends, tried = children.run("errors", candidates, work, deadline=deadline)
    refused = [answer for _, answer in answers if "error" in answer]
    part = {name: sum(answer[name] for answer in refused) / max(1, len(refused)) for name in ("line", "right", "attribute")}
    findings = [f"mutant {index}: the load raises {answer['fatal']!r}" for index, answer in answers if "fatal" in answer]
    findings += [f"mutant {index}: {what}" for index, what in ends]
    if part["line"] < TARGET_LINE:
        findings += [f"without a line: {answer['error']!r}" for answer in refused if not answer["line"]]
    if part["attribute"] < TARGET_ATTRIBUTE:
        findings += [f"does not name the attribute: {answer['error']!r}" for answer in refused if not answer["attribute"]]
    figures = {"refused": len(refused), "% with file and line": round(100 * part["line"], 2),
               "% with the line of the mutation": round(100 * part["right"], 2), "% that name the attribute": round(100 * part["attribute"], 2)}
    return Result("errors", tried, figures, findings)


