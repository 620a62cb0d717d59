#!/usr/bin/env python3
"""The viewer's window on a display in memory (Xvfb): pictures by both renderers, errors of changed files, videos."""

import os
import pathlib
import shlex
import shutil
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["SINEW_PROGRAM"]
WIDTH, HEIGHT = 640, 480


def read_png(path):
    """Rows of (r, g, b) of a PNG file with eight bits a channel; filters as in the PNG specification, section 9."""
    data = pathlib.Path(path).read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    packed, at = b"", 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        if kind == b"IDAT":
            packed += data[at + 8 : at + 8 + length]
        at += 12 + length
    raw, stride, rows = zlib.decompress(packed), 3 * width, []
    above = bytearray(stride)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1 : (y + 1) * (stride + 1)])
        for i in range(stride):
            left, up = (row[i - 3] if i > 2 else 0), above[i]
            corner = above[i - 3] if i > 2 else 0
            near = min((abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner))
            row[i] = (row[i] + (0, left, up, (left + up) // 2, near[2])[kind]) & 255
        rows.append([tuple(row[3 * x : 3 * x + 3]) for x in range(width)])
        above = row
    return rows


@unittest.skipUnless(shutil.which("xvfb-run"), "Xvfb is not installed")
class View(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def start(self, *arguments, screen="800x600", size=f"{WIDTH}x{HEIGHT}", before=(), **environment):
        """Starts the window; what stands in `before` is a shell's command, run beside it on the same display."""
        command = [PROGRAM, "view", "--size", size, *arguments]
        if before:
            command = ["bash", "-c", f"{shlex.join(before)} & exec {shlex.join(command)}"]
        command = ["xvfb-run", "-a", "-s", f"-screen 0 {screen}x24", *command]
        return subprocess.Popen(command, env=os.environ | environment, cwd=self.root, text=True, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT)

    def show(self, *arguments, **environment):
        process = self.start(*arguments, **environment)
        output, _ = process.communicate(timeout=120)
        if process.returncode and "no window with OpenGL" in output:
            self.skipTest(output.strip())
        self.assertEqual(process.returncode, 0, output)

    def test_both_renderers_show_the_model_between_the_panels(self):
        middles = []
        for renderer in ("cpu", "gl"):
            file = self.root / f"{renderer}.png"
            model = str(ROOT / "models/humanoid.xml")
            self.show(model, "--paused", "--time", "1", "--screenshot", str(file), SINEW_RENDER=renderer)
            rows = read_png(file)
            self.assertEqual((len(rows), len(rows[0])), (HEIGHT, WIDTH))
            middles.append([row[320] for row in rows])
            self.assertGreater(len({pixel for row in rows for pixel in row}), 200)
            panel = sorted(max(pixel) for row in rows[20:-20] for pixel in row[20:300])
            self.assertLess(panel[len(panel) // 2], 60, "the left panel is dark, but for texts and headers")
        # the two draw the same: between the panels there is the figure
        apart = [max(abs(a - b) for a, b in zip(*pair)) for pair in zip(*middles)]
        self.assertLess(sum(difference > 24 for difference in apart), 0.05 * HEIGHT)

    def test_text_grows_with_the_screen(self):
        """On a screen of 2160 rows, the left panel takes twice the columns that it takes on one of 1080."""
        model, edges = str(ROOT / "models/humanoid.xml"), []
        for screen, size in (("1920x1080", "1280x800"), ("3840x2160", "2560x1600")):
            file = self.root / f"{screen}.png"
            self.show(model, "--paused", "--time", "1", "--screenshot", str(file), screen=screen, size=size, SINEW_RENDER="gl")
            row = read_png(file)[-40]  # near the lower edge, where the panel is empty
            edges.append(next(x for x, pixel in enumerate(row) if x > 60 and max(pixel) > 90))
        self.assertAlmostEqual(edges[1] / edges[0], 2, delta=0.1)

    @unittest.skipUnless(shutil.which("xdotool"), "xdotool is not installed")
    def test_keys_and_dialogs(self):
        """Real keys: F4 opens the plots of sensors, which have lines in the colours of plots; Ctrl + S saves under the proposed name."""
        model, file = self.root / "pendulum.xml", self.root / "keys.png"
        model.write_text("<mujoco><worldbody><body><joint name='j' axis='0 1 0'/><geom size='.1' pos='.5 0 0'/></body></worldbody>"
                         "<sensor><jointpos name='angle' joint='j'/></sensor></mujoco>")
        keys = "sleep 4; xdotool search --name sinew windowfocus; xdotool key F4; sleep 3; xdotool key ctrl+s; sleep 2; xdotool mousemove 320 240"
        self.show(str(model), "--time", "14", "--screenshot", str(file), before=("bash", "-c", keys), SINEW_RENDER="gl")
        lines = sum(g > r + 60 and b > r + 100 for row in read_png(file) for r, g, b in row)
        self.assertGreater(lines, 30, "pixels of a line of a plot")

    def test_an_error_of_a_changed_file_is_shown(self):
        model, file = self.root / "ball.xml", self.root / "error.png"
        model.write_text("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
        process = self.start(str(model), "--time", "4", "--screenshot", str(file))
        time.sleep(2)
        model.write_text("<mujoco><worldbody><geom sise='.1'/></worldbody></mujoco>")
        output, _ = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 0, output)
        red = sum(r > 80 and g < 50 and b < 50 for row in read_png(file) for r, g, b in row)
        self.assertGreater(red, 2000, "pixels of the error's ground")

    def test_a_video_is_written(self):
        self.show(str(ROOT / "models/humanoid.xml"), "--time", "1.5", "--record", "out.mp4")
        data = (self.root / "out.mp4").read_bytes()
        self.assertEqual(data[4:8], b"ftyp")
        self.assertGreater(len(data), 5000)

    def test_without_a_display_it_says_so(self):
        environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        done = subprocess.run([PROGRAM, "view"], env=environment, capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no display", done.stderr)
        self.assertIn("sinew render", done.stderr)

    def test_wrong_arguments(self):
        for arguments, text in ((["nowhere.xml"], "nowhere.xml"), (["--size", "9"], "1280x800"), (["--text", "9"], "--text"),
                                ([str(ROOT / "models/humanoid.xml"), "-k", "none"], "keyframe named 'none'")):
            done = subprocess.run([PROGRAM, "view", *arguments], capture_output=True, text=True)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=0)
