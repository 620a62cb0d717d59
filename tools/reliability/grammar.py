"""Elements of MJCF with random attributes, from the table of the format (tables/mjcf.json): a new attribute is a candidate
at once. A value is drawn by the attribute's type, number of values and words; where more is known about what the compiler takes, by its name."""

import json
import random
from xml.sax.saxutils import quoteattr

from layout import TABLES

# Numbers that formats, comparisons and sums stumble over: rounding to 6 digits, ends of integers, signs of zero, tiny and huge ones.
ODD = ("0", "-0", "1e-13", "-1e-13", "0.99999999", "1.0000001", "0.1234567890123", "-123456.789", "2147483648", "-2147483648",
       "1e-9", "1e9", "1e-30", "1e15", "0x1p-3", "+.5", "5.", "3.141592653589793", "1e-300")
ODD_POSITIVE = ("1e-13", "1e-9", "0.99999999", "1.0000001", "0.1234567890123", "123456.789", "1e6", "0x1p-3", "+.5", "5.", "1e-30")
BROKEN = ("nan", "inf", "-inf", "1e300", "-1", "")
TEXTS = ("plain", "with blank", "a<b & c>d", 'quote " and \' both', "ümläut 名", "tab\tand\nline", "a/b.c", "-", "1")
EXTREME_INTS = ("-2147483648", "2147483647", "-1", "0", "65536")


def _real(chance: random.Random, low: float, high: float) -> str:
    """A number with one to sixteen digits."""
    return f"{chance.uniform(low, high):.{chance.choice((1, 2, 3, 6, 9, 16))}g}"


class Values:
    """Draws texts of attributes. `odd`: the part of numbers that are odd; `broken`: that may be none at all."""

    def __init__(self, chance: random.Random, odd: float, broken: float):
        self.chance, self.odd, self.broken = chance, odd, broken

    def real(self, low: float = -2, high: float = 2) -> str:
        if self.chance.random() < self.broken:
            return self.chance.choice(BROKEN)
        return self.chance.choice(ODD) if self.chance.random() < self.odd else _real(self.chance, low, high)

    def positive(self, low: float = 0.01, high: float = 1) -> str:
        if self.chance.random() < self.broken:
            return self.chance.choice(BROKEN)
        return self.chance.choice(ODD_POSITIVE) if self.chance.random() < self.odd else _real(self.chance, low, high)

    def reals(self, least: int, most: int, **bounds) -> str:
        return " ".join(self.real(**bounds) for _ in range(self.chance.randint(least, most)))

    def positives(self, least: int, most: int, **bounds) -> str:
        return " ".join(self.positive(**bounds) for _ in range(self.chance.randint(least, most)))

    def range(self, low: float = -2, high: float = 2) -> str:
        """Two numbers in order, at times close together."""
        first = self.chance.uniform(low, high)
        second = first + (self.chance.choice((1e-8, 1e-4)) if self.chance.random() < self.odd else self.chance.uniform(0.01, 2))
        return f"{first:.16g} {second:.16g}"

    def mask(self) -> str:
        return self.chance.choice(EXTREME_INTS if self.chance.random() < self.odd else ("0", "1", "2", "3", "5"))

    def text(self) -> str:
        return self.chance.choice(TEXTS)

    def reference(self) -> str:
        """Time constant and damping ratio, or stiffness and damping with the sign turned."""
        direct = self.chance.random() < 0.2
        return " ".join(f"-{_real(self.chance, 10, 1000)}" if direct else _real(self.chance, 0.004, 1) for _ in range(2 if direct else self.chance.randint(1, 2)))

    def impedance(self) -> str:
        numbers = [_real(self.chance, 0.1, 0.99), _real(self.chance, 0.5, 0.999), _real(self.chance, 0.0001, 0.1), "0.5", self.chance.choice("12")]
        return " ".join(numbers[:self.chance.randint(1, 5)])


def _choice(*texts):
    return lambda values: values.chance.choice(texts)


def _small(values):
    return values.positive(0.001, 0.1)


# By name of the attribute, or by element and attribute where the name means something else.
KNOWN = {
    "solref": Values.reference, "solreflimit": Values.reference, "solreffriction": Values.reference, "solimp": Values.impedance,
    "solimplimit": Values.impedance, "solimpfriction": Values.impedance, "o_solref": Values.reference, "o_solimp": Values.impedance,
    "contype": Values.mask, "conaffinity": Values.mask, "condim": _choice("1", "3", "4", "6"), "priority": _choice("-1", "0", "3"),
    "group": _choice("0", "1", "2", "3", "4", "5"), "friction": lambda v: v.positives(1, 3), "solmix": Values.positive, "margin": _small, "gap": _small,
    "axis": lambda v: v.chance.choice(("1 0 0", "0 0 1", f"{v.real()} {v.real()} 1", "1 1 1")), "dir": lambda v: f"{v.real()} 1 {v.real()}",
    "quat": lambda v: f"1 {v.reals(3, 3)}", "refquat": lambda v: f"1 {v.reals(3, 3)}", "bindquat": lambda v: f"1 {v.reals(3, 3)}", "axisangle": lambda v: f"0 1 {v.reals(2, 2)}",
    "xyaxes": lambda v: f"1 0 {v.real()} 0 1 {v.real()}", "zaxis": lambda v: f"{v.reals(2, 2)} 1", "euler": lambda v: v.reals(3, 3, low=-180, high=180),
    "range": Values.range, "ctrlrange": Values.range, "actrange": Values.range, "lengthrange": lambda v: v.range(0.1, 2), "forcerange": lambda v: f"-{v.chance.randint(1, 50)}.5 {v.chance.randint(1, 50)}",
    "actuatorfrcrange": lambda v: f"-{v.chance.randint(1, 50)} {v.chance.randint(1, 50)}.25", "stiffness": lambda v: v.positives(1, 3, high=50), "damping": lambda v: v.positives(1, 3),
    "armature": _small, "frictionloss": _small, "springlength": lambda v: v.chance.choice((v.positive(), v.range(0.1, 1))), "springdamper": lambda v: v.positives(2, 2),
    "mass": lambda v: v.positive(0.01, 5), "density": lambda v: v.positive(10, 2000), "fluidcoef": lambda v: v.positives(1, 5), "fitscale": lambda v: v.positive(0.5, 2),
    "rgba": lambda v: " ".join(_real(v.chance, 0, 1) for _ in range(4)), "user": lambda v: v.reals(0, 4), "gravcomp": Values.positive, "sleep": _choice("auto", "never", "allowed"),
    "fovy": lambda v: _real(v.chance, 1, 170), "ipd": _small, "resolution": lambda v: f"{v.chance.randint(1, 50)} {v.chance.randint(1, 50)}", "sensorsize": lambda v: v.positives(2, 2),
    "attenuation": lambda v: v.positives(3, 3), "cutoff": Values.positive, "exponent": Values.positive, "bulbradius": _small, "width": _small, "noise": _small,
    "nsample": lambda v: str(v.chance.randint(1, 5)), "delay": lambda v: _real(v.chance, 0.002, 0.02), "interval": lambda v: _real(v.chance, 0.002, 0.02), "gear": lambda v: v.reals(1, 6), "cranklength": Values.positive,
    "dynprm": lambda v: v.positives(1, 3), "kp": lambda v: v.positive(1, 100), "kv": Values.positive, "timeconst": lambda v: _real(v.chance, 0.01, 1), "dampratio": Values.positive, "area": Values.positive,
    "divisor": lambda v: v.positive(0.5, 3), "coef": lambda v: v.real(), "anchor": lambda v: v.reals(3, 3), "torquescale": Values.positive, "active": _choice("true", "false"),
    "timestep": lambda v: _real(v.chance, 0.0005, 0.01), "iterations": _choice("1", "10", "100"), "ls_iterations": _choice("1", "50"), "noslip_iterations": _choice("0", "3"),
    "ccd_iterations": _choice("10", "50"), "sdf_iterations": _choice("1", "10"), "sdf_initpoints": _choice("1", "10"), "actuatorgroupdisable": _choice("", "0", "1 3 30"),
    "impratio": lambda v: v.positive(0.5, 5), "tolerance": _choice("1e-8", "0", "1e-12"), "ls_tolerance": _choice("0.01", "1e-6"), "noslip_tolerance": _choice("1e-6",), "ccd_tolerance": _choice("1e-6", "1e-9"),
    "wind": lambda v: v.reals(3, 3, low=-1, high=1), "viscosity": _choice("0", "0.001", "1.8e-5"), "option.density": _choice("0", "1.2", "1000"), "memory": _choice("3M", "20M", "1000000"), "accuracy": _choice("1e-3", "1e-6"),
    "minstep": _choice("1e-6", "1e-5"), "maxstep": _choice("0.002", "0.01"), "slipspeed": _choice("0.01", "0.1"), "light.range": Values.positive, "light.active": _choice("true", "false"),
    "rgb1": lambda v: " ".join(_real(v.chance, 0, 1) for _ in range(3)), "rgb2": lambda v: " ".join(_real(v.chance, 0, 1) for _ in range(3)), "markrgb": lambda v: " ".join(_real(v.chance, 0, 1) for _ in range(3)),
    "random": lambda v: _real(v.chance, 0, 1), "texrepeat": lambda v: v.positives(2, 2), "gridsize": lambda v: f"{v.chance.randint(1, 5)} {v.chance.randint(1, 5)}", "nchannel": _choice("3", "4"),
    "maxhullvert": _choice("-1", "4", "8", "20"), "refpos": lambda v: v.reals(3, 3, low=-0.2, high=0.2), "scale": lambda v: v.positives(3, 3, low=0.3, high=2), "inflate": _small,
    "nuserdata": _choice("0", "3"), "nkey": _choice("0", "1", "4"), "njmax": _choice("-1", "500"), "nconmax": _choice("-1", "100"), "nstack": _choice("-1", "100000"),
    "boundmass": _choice("0", "0.001"), "boundinertia": _choice("0", "1e-6"), "settotalmass": _choice("-1", "3"), "inertiagrouprange": _choice("0 5", "0 2"), "eulerseq": _choice("xyz", "XYZ", "zyx", "ZXZ"), "assetdir": None,
    "meshdir": None, "texturedir": None, "strippath": None, "coordinate": None, "cameraid": _choice("-1",), "offwidth": _choice("64",), "offheight": _choice("48",), "shadowsize": _choice("64", "4096"), "offsamples": _choice("0", "4"),
    "young": lambda v: v.positive(100, 10000), "poisson": lambda v: _real(v.chance, 0, 0.45), "thickness": _small, "activelayers": _choice("1", "2"), "radius": _small, "modulus": lambda v: v.positive(1e4, 1e6), "dissipation": Values.positive,
    "cfriction": lambda v: v.positives(1, 3), "curvature": Values.positive, "polycoef": lambda v: v.reals(1, 5, low=-1, high=1), "sep": _choice("", "_", "-"), "meaninertia": Values.positive, "meanmass": Values.positive, "meansize": Values.positive,
    "extent": Values.positive, "znear": _choice("0.01", "0.001"), "zfar": _choice("10", "50"), "headlight.active": _choice("0", "1"), "mesh.material": None, "lengthrange.interval": _choice("0.1",), "inttotal": _choice("0.5",),
    "lengthrange.timestep": _choice("0.01",), "lengthrange.timeconst": _choice("0.5",), "tolrange": _choice("0.1",), "accel": _choice("20",), "maxforce": _choice("0",), "lengthrange.mode": _choice("none", "muscle"), "minact": None,
}


class Schema:
    """Elements of the table by path, with their attributes."""

    def __init__(self):
        table = json.loads((TABLES / "mjcf.json").read_text())
        self.keywords, groups = table["keywords"], table["groups"]
        self.elements, self.attributes = {}, {}
        for element in table["elements"]:
            rows = [{"use": group} for group in element.get("use", [])] + element.get("attributes", [])
            rows = [found for row in rows for found in (groups[row["use"]] if "use" in row else [row])]
            self.elements[element["path"]] = element
            self.attributes[element["path"]] = {row["name"]: row for row in rows}
        for path, element in self.elements.items():
            if source := element.get("defaults_of"):
                self.attributes[path] = {name: row for name, row in self.attributes[source].items() if row.get("in_default", True)}

    def draw(self, path: str, row: dict, values: Values) -> str | None:
        """A text for an attribute, with as many numbers as it takes; None: not one that is drawn alone (names, files, references)."""
        text = self._draw(path, row, values)
        least, _, most = row.get("count", "").partition("..")
        if text is None or row["type"] not in ("real", "int") or not least:
            return text
        words = text.split()
        words += words[-1:] * (int(least) - len(words))
        return " ".join(words[:int(most or least) if most or ".." not in row["count"] else None])

    def _draw(self, path: str, row: dict, values: Values) -> str | None:
        name, kind = row["name"], row["type"]
        if kind == "flag":
            return values.chance.choice(("enable", "disable"))
        for key in (f"{path.rsplit('/', 1)[-1]}.{name}", name):
            if key in KNOWN:
                return KNOWN[key](values) if KNOWN[key] else None
        if kind == "keyword":
            return values.chance.choice(list(self.keywords[row["keywords"]]))
        if kind == "keywords":
            words = list(self.keywords[row["keywords"]])
            return " ".join(word for word in words if values.chance.random() < 0.4) or words[0]
        if kind not in ("real", "int") or ".." in (count := row.get("count", "1")) and not count.split("..")[1]:
            return None
        least, _, most = count.partition("..")
        if kind == "int":
            return " ".join(str(values.chance.randint(0, 5)) for _ in range(int(most or least)))
        return values.reals(max(1, int(least)), int(most or least))


class Node:
    """An element as it is written."""

    def __init__(self, tag: str, **attributes):
        self.tag, self.children = tag, []
        self.attributes = {name.rstrip("_"): str(value) for name, value in attributes.items() if value is not None}

    def add(self, child: "Node") -> "Node":
        self.children.append(child)
        return child

    def text(self, depth: int = 0) -> str:
        start = "  " * depth + f"<{self.tag}" + "".join(
            f" {name}={quoteattr(value, {chr(10): '&#10;', chr(9): '&#9;'})}" for name, value in self.attributes.items())
        if not self.children:
            return start + "/>\n"
        return start + ">\n" + "".join(child.text(depth + 1) for child in self.children) + "  " * depth + f"</{self.tag}>\n"
