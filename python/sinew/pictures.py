"""Pictures and videos of worlds: saved to files, and shown in notebooks."""

from __future__ import annotations

import pathlib
import struct
import tempfile
import zlib
from typing import Any, Union

import numpy as np

from sinew._sinew import Data, Model, Renderer

Path = Union[str, "pathlib.Path"]

_PILLOW = "saving {name}: formats other than PNG need Pillow: pip install pillow"
_AV = "sinew.Video needs an encoder: pip install av"


class Picture(np.ndarray):
    """An array of height x width x 3 bytes that saves itself, and that notebooks show as a picture."""

    def __new__(cls, pixels: Any) -> "Picture":
        picture = np.ascontiguousarray(pixels).view(cls)
        picture._check()
        return picture

    def _check(self) -> None:
        """Raises ValueError for what a slice or an operation has made of a picture, and is none."""
        if self.dtype != np.uint8 or self.ndim != 3 or self.shape[2] != 3:
            raise ValueError(f"a picture is an array of height x width x 3 bytes, not {self.shape} of {self.dtype}")

    def save(self, path: Path) -> None:
        """Writes the picture; the extension of the path is its format. All but PNG need Pillow."""
        self._check()
        target = pathlib.Path(path)
        if target.suffix.lower() == ".png":
            target.write_bytes(self._png())
            return
        try:
            from PIL import Image
        except ImportError:
            raise ImportError(_PILLOW.format(name=target)) from None
        Image.fromarray(np.asarray(self)).save(target)

    def _repr_png_(self) -> Union[bytes, None]:
        """What a notebook shows; None for slices that are no pictures, which are then shown as arrays."""
        try:
            self._check()
        except ValueError:
            return None
        return self._png()

    def _png(self) -> bytes:
        """The bytes of a PNG file (ISO/IEC 15948): 8 bits of red, green and blue, rows without a filter."""
        height, width, _ = self.shape
        rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with the number of its filter, 0: none
        rows[:, 1:] = np.asarray(self).reshape(height, -1)

        def chunk(kind: bytes, data: bytes) -> bytes:
            return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

        header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
        return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows.tobytes(), 6)) + chunk(b"IEND", b"")


class Video:
    """A video file (H.264) that is written picture by picture; needs the package `av`.

        with sinew.Video("fall.mp4", fps=30) as video:
            while data.time < 3:
                data.step(16)
                video.add(renderer.render(data))

    In a notebook the finished video is shown where its name stands at the end of a cell.
    """

    def __init__(self, path: Path, fps: int = 30) -> None:
        try:
            import av
        except ImportError:
            raise ImportError(_AV) from None
        self.path = pathlib.Path(path)
        self._frame = av.VideoFrame.from_ndarray
        self._container = av.open(str(self.path), mode="w")
        self._stream = self._container.add_stream("libx264", rate=fps)
        self._stream.pix_fmt = "yuv420p"
        self._size: Union[tuple[int, int], None] = None
        self._closed = False

    def add(self, picture: Any) -> None:
        """Appends an array of height x width x 3 bytes; all have the size of the first, whose sides are even numbers."""
        pixels = np.ascontiguousarray(picture, np.uint8)
        if self._closed:
            raise ValueError(f"{self.path} is closed: no picture can be added")
        if self._size is None:
            if pixels.ndim != 3 or pixels.shape[2] != 3 or pixels.shape[0] % 2 or pixels.shape[1] % 2:
                raise ValueError(f"a video needs pictures of height x width x 3 bytes with even sides, not {pixels.shape}")
            self._stream.height, self._stream.width = pixels.shape[:2]
            self._size = pixels.shape[:2]
        if pixels.shape != (*self._size, 3):
            raise ValueError(f"the pictures of this video are {self._size}, and this one is {pixels.shape}")
        for packet in self._stream.encode(self._frame(pixels, format="rgb24")):
            self._container.mux(packet)

    def close(self) -> None:
        """Finishes the file. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        if self._size is not None:
            for packet in self._stream.encode():
                self._container.mux(packet)
        self._container.close()

    def __enter__(self) -> "Video":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def _repr_html_(self) -> str:
        import base64

        self.close()
        data = base64.b64encode(self.path.read_bytes()).decode()
        return f'<video controls loop src="data:video/mp4;base64,{data}"></video>'


def show(
    model: Model,
    trajectory: Any,
    interval: Union[float, None] = None,
    fps: int = 30,
    width: int = 640,
    height: int = 480,
    camera: Union[str, int, None] = None,
    path: Union[Path, None] = None,
) -> Video:
    """A `Video` of a trajectory, at the speed of the clock; a notebook shows it where it is the last line of a cell.

        states = []
        for _ in range(1000):
            data.step()
            states.append(data.state())
        sinew.show(model, states)

    The rows of `trajectory` are states, as `data.state()` gives them, or positions (`data.qpos`). `interval`: seconds
    between two rows; without it, states have their own times, and positions follow each other by a time step. `camera`:
    name or number of one of the model's; None: free. `path`: the file, a temporary one without it.
    """
    rows = np.atleast_2d(np.asarray(trajectory, float))
    data = Data(model)
    size = data.state().size
    if rows.ndim != 2 or rows.shape[1] not in (model.nq, size) or not len(rows):
        raise ValueError(f"a trajectory has rows of {size} numbers, data.state(), or {model.nq}, data.qpos, not {rows.shape}")
    states = rows.shape[1] == size
    if interval is not None and not interval > 0:
        raise ValueError(f"interval must be a positive number of seconds, not {interval}")
    if interval is None and states:
        times = rows[:, 0] - rows[0, 0]  # a state begins with its time
    else:
        times = np.arange(len(rows)) * (model.opt.timestep if interval is None else interval)
    renderer = Renderer(model, width, height)
    if camera is not None:
        renderer.use(camera)
    if path is None:
        path = pathlib.Path(tempfile.mkdtemp(prefix="sinew-")) / "trajectory.mp4"
    with Video(path, fps) as video:
        for time in np.arange(0, times[-1] + 1 / fps, 1 / fps):
            row = rows[max(0, np.searchsorted(times, time + 1e-9, side="right") - 1)]
            if states:
                data.set_state(row)
            else:
                data.qpos[:] = row
            data.forward()
            video.add(renderer.render(data))
    return video
