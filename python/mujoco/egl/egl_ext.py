"""EGL as PyOpenGL has it, and devices (EGL_EXT_device_enumeration, EGL_EXT_platform_device): for packages that make contexts of their own,
as robosuite does. It needs PyOpenGL."""

import ctypes

from OpenGL import EGL
from OpenGL.EGL import *  # noqa: F403

EGLDeviceEXT = ctypes.c_void_p
EGL_PLATFORM_DEVICE_EXT = 0x313F


def _function(name, result, *arguments):
    address = EGL.eglGetProcAddress(name.encode())
    if not address:
        raise ImportError(f"EGL has no {name}")
    return ctypes.CFUNCTYPE(result, *arguments)(ctypes.cast(address, ctypes.c_void_p).value)


_query = _function("eglQueryDevicesEXT", ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(ctypes.c_int))
_display = _function("eglGetPlatformDisplayEXT", ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


def eglQueryDevicesEXT(max_devices=10):
    """Devices, of which there may be some that no display can be made of."""
    devices, count = (EGLDeviceEXT * max_devices)(), ctypes.c_int(0)
    if not _query(max_devices, devices, ctypes.byref(count)):
        raise EGL.EGLError(err=EGL.eglGetError(), baseOperation=eglQueryDevicesEXT, result=0)
    return [EGLDeviceEXT(device) for device in devices[: count.value]]


def eglGetPlatformDisplayEXT(platform, native_display, attrib_list):
    """A display of a device; EGL_NO_DISPLAY when there is none."""
    display = _display(platform, native_display, attrib_list)
    return ctypes.cast(display, EGL.EGLDisplay) if display else EGL.EGL_NO_DISPLAY
