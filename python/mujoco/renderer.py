"""Pictures of worlds as arrays: `mujoco.Renderer`.

A context of OpenGL is made when the variable MUJOCO_GL asks for it; otherwise the engine draws on the processor, which needs
no driver and no display.
"""

import os

import numpy as np

from mujoco import _core, _enums, _render, _structs

_FLAGS = _enums.mjtRndFlag


def _wants_opengl():
    return os.environ.get("MUJOCO_GL", "").lower().strip() not in ("", "disable", "disabled", "off", "false", "0")


class Renderer:
    """Draws a model: `update_scene` takes a world, `render` returns the picture."""

    def __init__(self, model, height=240, width=320, max_geom=10000, font_scale=_enums.mjtFontScale.mjFONTSCALE_150):
        self._drawer = None
        model = _structs.model_of(model)
        self._check_size(model, height, width)
        self._model, self._height, self._width = model, height, width
        self._depth = self._segmentation = False
        self._closed = False
        self._scene = _structs.MjvScene(model, max_geom)
        self._scene_option = _structs.MjvOption()
        self._drawer = _Drawer(model, height, width, font_scale)

    @staticmethod
    def _check_size(model, height, width):
        for name, size, room in (("width", width, model.vis.global_.offwidth), ("height", height, model.vis.global_.offheight)):
            if size > room:
                raise ValueError(
                    f"Image {name} {size} > framebuffer {name} {room}. Either reduce the image {name} or specify a larger "
                    f'offscreen framebuffer in the model XML using the clause:\n<visual>\n  <global off{name}="my_{name}"/>\n</visual>'
                )

    @property
    def model(self):
        return self._model

    @property
    def scene(self):
        return self._scene

    @property
    def height(self):
        return self._height

    @property
    def width(self):
        return self._width

    def enable_depth_rendering(self):
        """Pictures are distances along the camera's axis [m]."""
        self._segmentation, self._depth = False, True

    def disable_depth_rendering(self):
        self._depth = False

    def enable_segmentation_rendering(self):
        """Pictures are ids and types (mjtObj) of what is seen, -1 where there is nothing."""
        self._segmentation, self._depth = True, False

    def disable_segmentation_rendering(self):
        self._segmentation = False

    def update_scene(self, data, camera=-1, scene_option=None):
        """Takes the world of `data`, seen by a camera: name, number, -1 for the free one, or an `MjvCamera`."""
        self._check_open("update_scene")
        camera = camera if isinstance(camera, _structs.MjvCamera) else self._camera(camera)
        option = scene_option or self._scene_option
        _core.mjv_updateScene(
            self._model, data, option, None, camera, int(_enums.mjtCatBit.mjCAT_ALL), self._scene)

    def render(self, *, out=None):
        """The picture: height x width x 3 bytes, or depths, or segments; into `out` where it is given."""
        self._check_open("render")
        shape = (self._height, self._width) if self._depth else (self._height, self._width, 2 if self._segmentation else 3)
        dtype = np.float32 if self._depth else np.int32 if self._segmentation else np.uint8
        if out is None:
            out = np.empty(shape, dtype)
        elif out.shape != shape:
            raise ValueError(f"Expected `out.shape == {shape}`. Got `out.shape={out.shape}` instead.")
        out[...] = self._drawer.draw(self._scene, self._depth, self._segmentation)
        return out

    def _camera(self, camera):
        made = _structs.MjvCamera()
        if isinstance(camera, str):
            number = _core.mj_name2id(self._model, int(_enums.mjtObj.mjOBJ_CAMERA), camera)
            if number < 0:
                raise ValueError(f'The camera "{camera}" does not exist.')
            camera = number
        if camera < -1 or camera >= self._model.ncam:
            raise ValueError(f"The camera id {camera} is out of range [-1, {self._model.ncam}).")
        made.fixedcamid = camera
        if camera == -1:
            made.type = _enums.mjtCamera.mjCAMERA_FREE
            _core.mjv_defaultFreeCamera(self._model, made)
        else:
            made.type = _enums.mjtCamera.mjCAMERA_FIXED
        return made

    def _check_open(self, method):
        if self._closed:
            raise RuntimeError(f"{method} cannot be called after close.")

    def close(self):
        """Frees what the renderer holds."""
        drawer, self._drawer = self._drawer, None
        if drawer is not None:
            drawer.close()
        self._closed = True

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_value, traceback):
        self.close()

    def __del__(self):
        if getattr(self, "_drawer", None) is not None:
            self.close()


class _Drawer:
    """Draws scenes."""

    def __init__(self, model, height, width, font_scale):
        self._gl = None
        if _wants_opengl():
            from mujoco import gl_context

            self._gl = gl_context.GLContext(width, height)
        self._make_current()
        self._context = _render.MjrContext(model, font_scale)
        _core.mjr_setBuffer(int(_enums.mjtFramebuffer.mjFB_OFFSCREEN), self._context)
        self._context.readDepthMap = _enums.mjtDepthMap.mjDEPTH_ZEROFAR
        self._rect = _render.MjrRect(0, 0, width, height)
        self._statistic, self._map = model.stat, model.vis.map

    def _make_current(self):
        if self._gl is not None:
            self._gl.make_current()

    def draw(self, scene, depth, segmentation):
        self._make_current()
        flags = scene.flags.copy()
        if segmentation:
            scene.flags[_FLAGS.mjRND_SEGMENT] = scene.flags[_FLAGS.mjRND_IDCOLOR] = 1
        _core.mjr_render(self._rect, scene, self._context)
        scene.flags[:] = flags
        if depth:
            pixels = np.empty((self._rect.height, self._rect.width), np.float32)
            _core.mjr_readPixels(None, pixels, self._rect, self._context)
            return np.flipud(self._metres(pixels, scene))
        pixels = np.empty((self._rect.height, self._rect.width, 3), np.uint8)
        _core.mjr_readPixels(pixels, None, self._rect, self._context)
        return np.flipud(_segments(pixels, scene) if segmentation else pixels)

    def _metres(self, buffer, scene):
        """Distances, from numbers that are 1 at the near plane and 0 at the far one."""
        near = self._map.znear * self._statistic.extent
        far = self._map.zfar * self._statistic.extent
        if scene.camera[0].orthographic:
            return far + buffer * (near - far)
        return 1 / (1 / far + buffer.astype(np.float64) * (1 / near - 1 / far))

    def close(self):
        self._context.free()
        if self._gl is not None:
            self._gl.free()


def _segments(pixels, scene):
    """Ids and types of the geoms whose numbers the colours are."""
    numbers = pixels.astype(np.int32) @ np.array([1, 1 << 8, 1 << 16], np.int32)
    geoms = scene.geoms[: scene.ngeom]
    table = np.full((scene.ngeom + 1, 2), -1, np.int32)
    segments = geoms.segid
    shown = segments >= 0
    table[segments[shown] + 1] = np.stack([geoms.objid, geoms.objtype], axis=1)[shown]
    return table[numbers]
