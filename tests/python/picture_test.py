"""Pictures save themselves, and videos are written picture by picture."""

import io
import struct
import zlib

import numpy as np
import pytest
import sinew


def pixels_of_png(data: bytes) -> np.ndarray:
    """What an independent reading of the file's chunks gives: 8-bit RGB without filters."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, idat, size = 8, b"", None
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        if kind == b"IHDR":
            size = struct.unpack(">II", body[:8])
        if kind == b"IDAT":
            idat += body
        at += 12 + length
    width, height = size
    rows = np.frombuffer(zlib.decompress(idat), np.uint8).reshape(height, 1 + 3 * width)
    assert not rows[:, 0].any()
    return rows[:, 1:].reshape(height, width, 3)


def world():
    model = sinew.Model.from_xml_string('<mujoco><worldbody><light pos="0 0 3"/><geom size=".3"/></worldbody></mujoco>')
    data = sinew.Data(model)
    data.forward()
    return data


def test_a_picture_saves_itself(tmp_path):
    image = sinew.render(world(), 64, 48)
    assert image.shape == (48, 64, 3) and image.dtype == np.uint8
    image.save(tmp_path / "ball.png")
    assert np.array_equal(pixels_of_png((tmp_path / "ball.png").read_bytes()), np.asarray(image))
    assert np.array_equal(pixels_of_png(image._repr_png_()), np.asarray(image))


def test_another_format_is_written_or_its_package_is_named(tmp_path):
    image = sinew.render(world(), 32, 32)
    try:
        from PIL import Image
    except ImportError:
        with pytest.raises(ImportError, match="pillow"):
            image.save(tmp_path / "ball.jpg")
    else:
        image.save(tmp_path / "ball.jpg")
        assert Image.open(io.BytesIO((tmp_path / "ball.jpg").read_bytes())).format == "JPEG"


def test_depth_stays_an_array():
    depth = sinew.render(world(), 32, 32, depth=True)
    assert type(depth) is np.ndarray and depth.ndim == 2


def test_a_slice_that_is_no_picture_is_an_array(tmp_path):
    red = sinew.render(world(), 32, 32)[:, :, 0]
    assert red._repr_png_() is None
    with pytest.raises(ValueError, match="height x width x 3 bytes"):
        red.save(tmp_path / "red.png")


def test_what_is_no_picture_is_refused():
    for wrong in (np.zeros((4, 4)), np.zeros((4, 4, 3)), np.zeros((4, 4, 4), np.uint8)):
        with pytest.raises(ValueError, match="height x width x 3 bytes"):
            sinew.Picture(wrong)


def test_a_video_has_all_its_pictures(tmp_path):
    av = pytest.importorskip("av")
    with sinew.Video(tmp_path / "ball.mp4", fps=25) as video:
        for level in range(10):
            video.add(np.full((32, 48, 3), 25 * level, np.uint8))
        with pytest.raises(ValueError, match="32, 48"):
            video.add(np.zeros((32, 50, 3), np.uint8))
    with av.open(str(tmp_path / "ball.mp4")) as file:
        frames = [frame.to_ndarray(format="rgb24") for frame in file.decode(video=0)]
    assert len(frames) == 10
    # The codec loses detail, not the level of a plain picture: 8 of 255 covers its rounding of colours.
    assert all(abs(float(frame.mean()) - 25 * level) < 8 for level, frame in enumerate(frames))
    with pytest.raises(ValueError, match="closed"):
        video.add(np.zeros((32, 48, 3), np.uint8))


def falling():
    """A ball that falls for half a second, seen from beside: its model, states and positions."""
    model = sinew.Model.from_xml_string(
        '<mujoco><visual><global azimuth="90" elevation="0"/></visual><statistic center="0 0 0" extent="2"/><worldbody>'
        '<light pos="0 -3 1" dir="0 1 0"/><body><freejoint/><geom size=".3"/></body></worldbody></mujoco>'
    )
    data = sinew.Data(model)
    states, positions = [], []
    for _ in range(250):
        data.step()
        states.append(data.state())
        positions.append(data.qpos.copy())
    return model, states, positions


def test_a_trajectory_is_shown_by_states_or_positions(tmp_path):
    av = pytest.importorskip("av")
    model, states, positions = falling()
    for name, rows, interval in (("states", states, None), ("positions", positions, None), ("slow", positions, 0.004)):
        video = sinew.show(model, rows, interval, fps=20, width=64, height=64, path=tmp_path / f"{name}.mp4")
        assert "video/mp4" in video._repr_html_()
        with av.open(str(video.path)) as file:
            frames = [frame.to_ndarray(format="gray").astype(float) for frame in file.decode(video=0)]
        assert len(frames) == (21 if interval else 11)  # half a second, twice as long with twice the interval
        # the ball is the brightest there is, and goes down in the picture
        heights = [(frame.sum(1) * np.arange(64)).sum() / frame.sum() for frame in frames]
        assert heights[-1] > heights[0] + 5


def test_what_is_no_trajectory_is_refused():
    model, states, positions = falling()
    for wrong in ([], [[1.0, 2.0]], np.zeros((2, 3, 7)), np.zeros((0, 7))):
        with pytest.raises(ValueError, match="data.state"):
            sinew.show(model, wrong)
    with pytest.raises(ValueError, match="interval"):
        sinew.show(model, positions, interval=0)


def test_a_video_without_an_encoder_names_the_package(tmp_path, monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "av", None)
    with pytest.raises(ImportError, match="pip install av"):
        sinew.Video(tmp_path / "x.mp4")
