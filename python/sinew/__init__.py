"""Sinew: a physics engine for robotics, biomechanics and machine learning.

    import sinew
    model = sinew.Model.from_xml_path(sinew.models / "humanoid.xml")
    data = sinew.Data(model)
    data.step(100)
    print(data.body("torso").xpos)

Arrays are views into the engine's memory: writing to them writes there, and they keep what they belong to alive.
"""

import pathlib as _pathlib
from typing import Any as _Any
from typing import Union as _Union

import numpy.typing as _typing

from sinew import _collision

_collision.check()

from sinew._data import Data  # noqa: E402
from sinew._model import Model  # noqa: E402

from sinew import _named, _worlds  # noqa: E402
from sinew._sinew import Batch, Renderer, Spec, interface_version  # noqa: E402
from sinew._sinew import version as _version  # noqa: E402
from sinew.enums import *  # noqa: E402, F403
from sinew.errors import EngineError, ModelError, ModelWarning, Status  # noqa: E402
from sinew.install import install_as_mujoco  # noqa: E402
from sinew.pictures import Picture, Video, show  # noqa: E402
from sinew.viewing import View, view  # noqa: E402

__version__ = _version()
__all__ = [
    "Batch", "Data", "EngineError", "Model", "ModelError", "ModelWarning", "Picture", "Renderer", "Spec", "Status",
    "Video", "View", "include", "install_as_mujoco", "interface_version", "library", "models", "render", "show", "view",
]  # fmt: skip

_folder = _pathlib.Path(__file__).resolve().parent
models = _folder / "models"
include = _folder / "include"
library = _folder / "lib" / f"libmujoco.so.{interface_version()}"

_named.add_to(Model, Data, Batch, Renderer)
_worlds.add_to(Batch)


def render(
    data: Data,
    width: int = 640,
    height: int = 480,
    camera: _Union[str, int, None] = None,
    depth: bool = False,
    segmentation: bool = False,
) -> _typing.NDArray[_Any]:
    """A `Picture` of a world: height x width x 3 bytes, with `save("x.png")`; notebooks show it. `depth` (metres) and
    `segmentation` (number and type of what is seen) give plain arrays. `camera`: name or number of one of the model's;
    None: free.

    Making the renderer takes most of the time; keep a `Renderer` for many pictures.
    """
    renderer = Renderer(data.model, width, height)
    if camera is not None:
        renderer.use(camera)
    image = renderer.render(data, depth=depth, segmentation=segmentation)
    return image if depth or segmentation else Picture(image)
