"""A window that shows a world: `launch` runs it, `launch_passive` shows what the program does with it.

It needs the package glfw, OpenGL and a display, which are looked for when a window is opened.

    python -m mujoco.viewer --mjcf=model.xml
"""

import argparse
import sys
import time

from mujoco import _core, _structs
from mujoco._viewer_handle import Handle
from mujoco._viewer_window import Window

KeyCallbackType = LoaderType = object


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True):
    """Opens a window that shows what the program does; returns its `Handle`. Call `sync` after each step."""
    del show_left_ui, show_right_ui  # there are no panels
    model, data = _structs.model_of(model), _structs.data_of(data)
    if not isinstance(model, _structs.MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")
    if not isinstance(data, _structs.MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    window = Window(model, data, key_callback)
    window.open()
    return Handle(window, window.cam, window.opt, window.pert, window.user_scn)


def launch(model=None, data=None, *, loader=None, show_left_ui=True, show_right_ui=True):
    """Opens a window and simulates in real time until it is closed."""
    if model is None and data is not None:
        raise ValueError("mjData is specified but mjModel is not")
    if callable(model):
        loader, model = model, None
    if loader is not None:
        model, data = loader()[:2]
    if model is None:
        raise ValueError("there is no model to show: give a model, or a loader")
    data = _structs.MjData(model) if data is None else data
    with launch_passive(model, data, show_left_ui=show_left_ui, show_right_ui=show_right_ui) as handle:
        while handle.is_running():
            begin = time.perf_counter()
            with handle.lock():
                _core.mj_step(model, data)
            handle.sync()
            time.sleep(max(0.0, model.opt.timestep - (time.perf_counter() - begin)))


def launch_from_path(path):
    """Opens a window with the model of a file."""
    load = _core.load_binary if path.endswith(".mjb") else _core.load_xml
    launch(load(path, None))


def launch_repl(model, data):
    """Opens a window beside a prompt of Python."""
    import code

    with launch_passive(model, data) as handle:
        code.interact(local={"model": model, "data": data, "viewer": handle})


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m mujoco.viewer", description="Shows and simulates a model.")
    parser.add_argument("--mjcf", required=True, help="the file of the model")
    launch_from_path(parser.parse_args(arguments).mjcf)


if __name__ == "__main__":
    sys.exit(main())
