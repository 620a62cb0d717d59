"""Pixels of the library's own patterns, byte for byte those of the release whose interface it is.

Random textures, half of them with colours that show the last bits of a gradient: equal ones that are multiples of 1/255.
Needs what libraries.py says, and the package mujoco.
"""

import random
import unittest

# The package comes before our library: one of the same name that is there already would be taken for its own.
try:
    import mujoco
    import numpy as np
except ImportError:
    mujoco = None

from libraries import AVAILABLE, NEEDS
from own_library import OwnLibrary

SIDES = (1, 2, 3, 4, 5, 7, 8, 16, 31, 33, 64, 100, 128)
LEVELS = (0, .1, .2, .25, .3, .4, .5, .6, .7, .8, .9, 1)


def random_texture(name: str, chance: random.Random) -> str:
    """Returns the XML of a texture with a pattern."""
    def color() -> list[float]:
        return [chance.choice(LEVELS) if chance.random() < .7 else round(chance.random(), 3) for _ in range(3)]

    first, second = color(), color()
    if chance.random() < .5:
        channel = chance.randrange(3)
        second[channel] = first[channel]
    attributes = {"type": chance.choice(("2d", "cube", "skybox")), "width": chance.choice(SIDES),
                  "builtin": chance.choice(("gradient", "gradient", "gradient", "checker", "flat")),
                  "rgb1": first, "rgb2": second, "markrgb": color(), "nchannel": chance.choice((3, 3, 4)),
                  "mark": chance.choice(("none", "edge", "cross", "random")), "random": round(chance.random(), 3)}
    if attributes["type"] == "2d":
        attributes["height"] = chance.choice(SIDES)
    text = {key: " ".join(map(str, value)) if isinstance(value, list) else value for key, value in attributes.items()}
    return f'<texture name="{name}" ' + " ".join(f'{key}="{value}"' for key, value in text.items()) + "/>"


@unittest.skipUnless(AVAILABLE, NEEDS)
class TexturesTest(unittest.TestCase):
    def setUp(self):
        self.own = OwnLibrary()

    def pixels(self, xml: str):
        """Returns the texture data that our library gives a model."""
        return self.own.compile(xml).tex_data.copy()

    def test_random_patterns(self):
        chance = random.Random(1)
        for _ in range(300):
            xml = f"<mujoco><asset>{random_texture('pattern', chance)}</asset></mujoco>"
            with self.subTest(xml):
                np.testing.assert_array_equal(self.pixels(xml), mujoco.MjModel.from_xml_string(xml).tex_data)


if __name__ == "__main__":
    unittest.main()
