"""The window of the viewer: a thread that draws with OpenGL, and what mouse and keys do."""

import queue
import threading

import numpy as np

from mujoco import _core, _enums, _render, _structs

_MOUSE, _CATEGORIES = _enums.mjtMouse, int(_enums.mjtCatBit.mjCAT_ALL)


class Window(threading.Thread):
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
