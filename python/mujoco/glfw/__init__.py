"""Contexts of OpenGL by the package glfw, in a window that is not shown."""

import glfw


class GLContext:
    """An OpenGL context of a hidden window."""

    def __init__(self, max_width, max_height):
        self._window = None
        if not glfw.init():
            raise RuntimeError("GLFW cannot be initialized: is there a display?")
        glfw.window_hint(glfw.VISIBLE, 0)
        glfw.window_hint(glfw.DOUBLEBUFFER, 0)
        self._window = glfw.create_window(max_width, max_height, "Invisible window", None, None)
        if not self._window:
            raise RuntimeError("GLFW cannot make a window")

    def make_current(self):
        glfw.make_context_current(self._window)

    def free(self):
        window, self._window = getattr(self, "_window", None), None
        if window:
            if glfw.get_current_context() == window:
                glfw.make_context_current(None)
            glfw.destroy_window(window)

    def __del__(self):
        self.free()
