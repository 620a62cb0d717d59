"""A window that shows a world: `launch` runs it, `launch_passive` shows what the program does with it.

It needs the package glfw, OpenGL and a display, which are looked for when a window is opened.

    python -m mujoco.viewer --mjcf=model.xml
"""

import argparse
import contextlib
import queue
import sys
import threading
import time

import numpy as np

from mujoco import _core, _enums, _render, _structs

_MOUSE, _CATEGORIES = _enums.mjtMouse, int(_enums.mjtCatBit.mjCAT_ALL)
KeyCallbackType = LoaderType = object


class Handle:
    """What a program has of a passive window. Hold `lock()` while writing to what the window reads."""

    def __init__(self, window, cam, opt, pert, user_scn):
        self._window = window
        self._cam, self._opt, self._pert, self._user_scn = cam, opt, pert, user_scn

    @property
    def cam(self):
        return self._cam

    @property
    def opt(self):
        return self._opt

    @property
    def perturb(self):
        return self._pert

    @property
    def user_scn(self):
        """Geoms that are drawn besides the model's."""
        return self._user_scn

    @property
    def m(self):
        return self._window.model if self._window else None

    @property
    def d(self):
        return self._window.shown if self._window else None

    @property
    def viewport(self):
        return self._window.viewport if self._window else None

    def is_running(self):
        return self._window is not None and self._window.running

    def lock(self):
        """A context: the window does not read meanwhile."""
        return self._window.mutex if self._window else contextlib.nullcontext()

    def sync(self, state_only=False):
        """Shows the world as it is now, and applies what the mouse does to it."""
        if self.is_running():
            self._window.take(state_only)

    def set_figures(self, viewports_figures):
        self._set("figures", viewports_figures)

    def clear_figures(self):
        self._set("figures", [])

    def set_texts(self, texts):
        """Tuples of font, place (mjtGridPos) and two columns of text."""
        self._set("texts", texts)

    def clear_texts(self):
        self._set("texts", [])

    def set_images(self, viewports_images):
        """Tuples of a rectangle and an array of its size."""
        self._set("images", viewports_images)

    def clear_images(self):
        self._set("images", [])

    def _set(self, name, values):
        if self._window:
            with self._window.mutex:
                setattr(self._window, name, [values] if isinstance(values, tuple) else list(values))

    def update_hfield(self, hfieldid):
        self._upload("hfield", hfieldid, "nhfield")

    def update_mesh(self, meshid):
        self._upload("mesh", meshid, "nmesh")

    def update_texture(self, texid):
        self._upload("texture", texid, "ntex")

    def _upload(self, kind, number, count):
        if self._window is None:
            return
        if not 0 <= number < getattr(self._window.model, count):
            raise ValueError(f"{kind} {number} is out of range")
        self._window.uploads.put((kind, number))

    def close(self):
        window, self._window = self._window, None
        if window:
            window.running = False
            window.join()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()


class _Window(threading.Thread):
    """Draws in a thread of its own."""

    def __init__(self, model, data, key_callback=None):
        super().__init__(daemon=True, name="mujoco-viewer")
        self.model, self.data, self.key_callback = model, data, key_callback
        self.shown = data.__copy__()
        self.cam, self.opt, self.pert = _structs.MjvCamera(), _structs.MjvOption(), _structs.MjvPerturb()
        self.scene, self.user_scn = _structs.MjvScene(model, 10000), _structs.MjvScene(model, 1000)
        self.mutex = threading.RLock()
        self.figures, self.texts, self.images = [], [], []
        self.uploads: "queue.Queue[tuple[str, int]]" = queue.Queue()
        self.viewport = _render.MjrRect(0, 0, 0, 0)
        self.running, self.problem = True, None
        self.ready = threading.Event()
        self._mouse = None
        _core.mjv_defaultFreeCamera(model, self.cam)

    def take(self, state_only=False):
        """Copies the world to what is shown."""
        with self.mutex:
            if self.pert.active and not state_only:
                self.data.xfrc_applied[:] = 0
                _core.mjv_applyPerturbPose(self.model, self.data, self.pert, 0)
                _core.mjv_applyPerturbForce(self.model, self.data, self.pert)
            _core.mj_copyData(self.shown, self.model, self.data)

    def run(self):
        try:
            import glfw

            self._open(glfw)
        except Exception as error:  # the caller is told
            self.problem, self.running = error, False
            self.ready.set()
            return
        self.ready.set()
        while self.running and not glfw.window_should_close(self._glfw_window):
            self._draw(glfw)
            glfw.poll_events()
        self.running = False
        self._context.free()
        glfw.destroy_window(self._glfw_window)

    def _open(self, glfw):
        if not glfw.init():
            raise RuntimeError("no window can be opened: is there a display?")
        self._glfw_window = glfw.create_window(1200, 900, "Sinew", None, None)
        if not self._glfw_window:
            raise RuntimeError("no window with OpenGL can be opened")
        glfw.make_context_current(self._glfw_window)
        glfw.swap_interval(1)
        self._context = _render.MjrContext(self.model, _enums.mjtFontScale.mjFONTSCALE_150)
        glfw.set_key_callback(self._glfw_window, self._on_key(glfw))
        glfw.set_cursor_pos_callback(self._glfw_window, self._on_move(glfw))
        glfw.set_scroll_callback(self._glfw_window, self._on_scroll)

    def _draw(self, glfw):
        width, height = glfw.get_framebuffer_size(self._glfw_window)
        with self.mutex:
            self.viewport = _render.MjrRect(0, 0, width, height)
            _core.mjv_updateScene(self.model, self.shown, self.opt, self.pert, self.cam, _CATEGORIES, self.scene)
            self._add_user_geoms()
            self._upload()
            _core.mjr_render(self.viewport, self.scene, self._context)
            self._overlay()
        glfw.swap_buffers(self._glfw_window)

    def _add_user_geoms(self):
        for i in range(min(self.user_scn.ngeom, self.scene.maxgeom - self.scene.ngeom)):
            self.scene.geoms[self.scene.ngeom]._assign(self.user_scn.geoms[i])
            self.scene.ngeom += 1

    def _upload(self):
        functions = {"hfield": _core.mjr_uploadHField, "mesh": _core.mjr_uploadMesh, "texture": _core.mjr_uploadTexture}
        while not self.uploads.empty():
            kind, number = self.uploads.get()
            functions[kind](self.model, self._context, number)

    def _overlay(self):
        for rectangle, figure in self.figures:
            _core.mjr_figure(rectangle, figure, self._context)
        for rectangle, image in self.images:
            _core.mjr_drawPixels(np.ascontiguousarray(np.flipud(image)), None, rectangle, self._context)
        for font, place, left, right in self.texts:
            font = _enums.mjtFont.mjFONT_NORMAL if font is None else font
            place = _enums.mjtGridPos.mjGRID_TOPLEFT if place is None else place
            _core.mjr_overlay(int(font), int(place), self.viewport, left or "", right or "", self._context)

    def _on_key(self, glfw):
        def callback(window, key, scancode, action, modifiers):
            del window, scancode, modifiers
            if action != glfw.PRESS:
                return
            if key == glfw.KEY_ESCAPE:
                self.cam.type = _enums.mjtCamera.mjCAMERA_FREE
            if self.key_callback:
                self.key_callback(key)

        return callback

    def _on_move(self, glfw):
        def callback(window, x, y):
            before, self._mouse = self._mouse, (x, y)
            left = glfw.get_mouse_button(window, glfw.MOUSE_BUTTON_LEFT) == glfw.PRESS
            right = glfw.get_mouse_button(window, glfw.MOUSE_BUTTON_RIGHT) == glfw.PRESS
            if before is None or not (left or right):
                return
            height = max(1, glfw.get_window_size(window)[1])
            action = _MOUSE.mjMOUSE_MOVE_V if right else _MOUSE.mjMOUSE_ROTATE_V
            with self.mutex:
                _core.mjv_moveCamera(
                    self.model, int(action), (x - before[0]) / height, (y - before[1]) / height, self.scene, self.cam)

        return callback

    def _on_scroll(self, window, x, y):
        del window, x
        with self.mutex:
            _core.mjv_moveCamera(self.model, int(_MOUSE.mjMOUSE_ZOOM), 0, -0.05 * y, self.scene, self.cam)

    def open(self):
        """Starts the thread, and returns when the window is there."""
        self.start()
        self.ready.wait()
        if self.problem is not None:
            raise RuntimeError(f"the viewer cannot be opened: {self.problem}") from self.problem


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True):
    """Opens a window that shows what the program does; returns its `Handle`. Call `sync` after each step."""
    del show_left_ui, show_right_ui  # there are no panels
    if not isinstance(model, _structs.MjModel):
        raise ValueError(f"`model` is not a mujoco.MjModel: got {model!r}")
    if not isinstance(data, _structs.MjData):
        raise ValueError(f"`data` is not a mujoco.MjData: got {data!r}")
    if key_callback is not None and not callable(key_callback):
        raise ValueError(f"`key_callback` is not callable: got {key_callback!r}")
    window = _Window(model, data, key_callback)
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
