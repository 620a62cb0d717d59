"""Contexts of OpenGL by EGL, without a window."""

import ctypes
import ctypes.util
import os

_DEVICE_EXT = 0x313F
_SURFACE_TYPE, _PBUFFER_BIT, _RENDERABLE_TYPE, _OPENGL_BIT = 0x3033, 0x0001, 0x3040, 0x0008
_RED, _GREEN, _BLUE, _ALPHA, _DEPTH, _STENCIL, _NONE = 0x3024, 0x3023, 0x3022, 0x3021, 0x3025, 0x3026, 0x3038
_OPENGL_API = 0x30A2
_display = None


def _library():
    name = ctypes.util.find_library("EGL") or "libEGL.so.1"
    try:
        egl = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"EGL is not there: {error}") from None
    for function in ("eglGetProcAddress", "eglGetDisplay", "eglCreateContext"):
        getattr(egl, function).restype = ctypes.c_void_p
    egl.eglGetProcAddress.argtypes = [ctypes.c_char_p]
    return egl


_egl = _library()


def _extension(name, result, *arguments):
    address = _egl.eglGetProcAddress(name)
    return ctypes.CFUNCTYPE(result, *arguments)(address) if address else None


def _displays():
    """Displays of all devices; of one alone when MUJOCO_EGL_DEVICE_ID says which."""
    query = _extension(b"eglQueryDevicesEXT", ctypes.c_int, ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int))
    get = _extension(b"eglGetPlatformDisplayEXT", ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
    devices, count = (ctypes.c_void_p * 64)(), ctypes.c_int(0)
    if query and get and query(64, devices, ctypes.byref(count)):
        chosen = os.environ.get("MUJOCO_EGL_DEVICE_ID")
        numbers = range(count.value) if chosen is None else [int(chosen)]
        for number in numbers:
            if not 0 <= number < count.value:
                raise RuntimeError(f"MUJOCO_EGL_DEVICE_ID: there is no device {number}; there are {count.value}")
            yield get(_DEVICE_EXT, devices[number], None)
    yield _egl.eglGetDisplay(None)


def _initialized():
    global _display
    if _display is None:
        for display in _displays():
            if display and _egl.eglInitialize(ctypes.c_void_p(display), None, None):
                _display = ctypes.c_void_p(display)
                break
        else:
            raise ImportError("no EGL display can be initialized")
    return _display


class GLContext:
    """An OpenGL context that draws into buffers of its own."""

    def __init__(self, max_width, max_height):
        del max_width, max_height  # buffers are those of MjrContext
        display = _initialized()
        attributes = (ctypes.c_int * 17)(
            _RED, 8, _GREEN, 8, _BLUE, 8, _ALPHA, 8, _DEPTH, 24, _STENCIL, 8, _SURFACE_TYPE, _PBUFFER_BIT,
            _RENDERABLE_TYPE, _OPENGL_BIT, _NONE)  # fmt: skip
        config, count = ctypes.c_void_p(), ctypes.c_int(0)
        _egl.eglChooseConfig(display, attributes, ctypes.byref(config), 1, ctypes.byref(count))
        if count.value < 1:
            raise RuntimeError("EGL has no configuration with depth and stencil")
        _egl.eglBindAPI(_OPENGL_API)
        context = _egl.eglCreateContext(display, config, None, None)
        if not context:
            raise RuntimeError("EGL cannot make a context")
        self._context = ctypes.c_void_p(context)

    def make_current(self):
        _egl.eglBindAPI(_OPENGL_API)
        if not _egl.eglMakeCurrent(_initialized(), None, None, self._context):
            raise RuntimeError("EGL cannot make the context current")

    def free(self):
        context, self._context = getattr(self, "_context", None), None
        if context and _display:
            _egl.eglMakeCurrent(_display, None, None, None)
            _egl.eglDestroyContext(_display, context)

    def __del__(self):
        self.free()
