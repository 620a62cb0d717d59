"""Contexts of OpenGL by OSMesa, drawn on the processor."""

import ctypes
import ctypes.util

_RGBA, _UNSIGNED_BYTE = 0x1908, 0x1401


def _library():
    for name in (ctypes.util.find_library("OSMesa"), "libOSMesa.so.8", "libOSMesa.so"):
        try:
            library = ctypes.CDLL(name, ctypes.RTLD_GLOBAL) if name else None
        except OSError:
            library = None
        if library:
            library.OSMesaCreateContextExt.restype = ctypes.c_void_p
            return library
    raise ImportError("OSMesa is not there")


_osmesa = _library()


class GLContext:
    """An OpenGL context that draws into memory."""

    def __init__(self, max_width, max_height):
        self._size = (max_width, max_height)
        self._buffer = (ctypes.c_ubyte * (4 * max_width * max_height))()
        context = _osmesa.OSMesaCreateContextExt(_RGBA, 24, 8, 0, None)
        if not context:
            raise RuntimeError("OSMesa cannot make a context")
        self._context = ctypes.c_void_p(context)

    def make_current(self):
        if not _osmesa.OSMesaMakeCurrent(self._context, self._buffer, _UNSIGNED_BYTE, *self._size):
            raise RuntimeError("OSMesa cannot make the context current")

    def free(self):
        context, self._context = getattr(self, "_context", None), None
        if context:
            _osmesa.OSMesaMakeCurrent(None, None, _UNSIGNED_BYTE, 0, 0)
            _osmesa.OSMesaDestroyContext(context)

    def __del__(self):
        self.free()
