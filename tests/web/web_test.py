#!/usr/bin/env python3
"""Pages for browsers in headless Chromium: states equal those of the native engine, pictures those of the rays.

SINEW_PROGRAM names the program, else it is that of the release build; the page must have been built (tools/build_web.sh)."""

import csv
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import unittest

import imageio.v3 as imageio
import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("SINEW_PROGRAM", ROOT / "build/release/bin/sinew")
WIDTH, HEIGHT = 640, 480
STEPS = 200
SECONDS = 120  # for a page on a loaded machine; none takes ten without load
# Silhouettes, shadow edges and edges of textures are sampled in different ways: by graphics processors and by rays.
MEAN_DIFFERENCE = 1  # of 255
FAR = 24  # of 255
SHARE_NEAR = 0.99
# The libraries of C differ in the last bit of sines, exponentials and powers. Over 200 steps of contacts that grows; where
# none of them is rounded otherwise, states are equal to the bit.
CLOSE = 1e-9

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


def run(*arguments, **options):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, **options)


@unittest.skipUnless(CHROMIUM, "Chromium is not installed")
class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, model):
        page = self.folder / "page.html"
        done = run("view", "--web", ROOT / "models" / model, "-o", page)
        self.assertEqual(done.returncode, 0, done.stderr)
        return page

    def browse(self, page, settings):
        """A picture of the page, and what it has told to the console."""
        picture, log = self.folder / "page.png", self.folder / "log"
        command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"]
        command += ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        command += [f"--user-data-dir={self.folder}/profile", f"--window-size={WIDTH},{HEIGHT}"]
        command += ["--virtual-time-budget=3000", "--enable-logging=stderr", f"--screenshot={picture}"]
        with open(log, "w") as errors:
            browser = subprocess.Popen(
                [*command, f"{page.as_uri()}#{settings}"], stderr=errors, stdout=errors, start_new_session=True
            )
            try:
                browser.wait(SECONDS)
            except subprocess.TimeoutExpired:
                self.fail(f"no picture after {SECONDS} s: {log.read_text()[-2000:]}")
            finally:
                if browser.poll() is None:
                    os.killpg(browser.pid, signal.SIGKILL)
                    browser.wait()
        text = log.read_text(errors="replace")
        complaints = [line for line in text.splitlines() if "CONSOLE" in line and "state {" not in line]
        self.assertEqual(complaints, [], "the page complains")
        state = re.search(r'"state (\{.*\})"', text)
        return imageio.imread(picture)[..., :3].astype(int), json.loads(state.group(1)) if state else None

    def native(self, model, options, seconds):
        """A picture and the positions of the native engine after as many seconds."""
        picture, table = self.folder / "native.png", self.folder / "native.csv"
        size = ["--size", f"{WIDTH}x{HEIGHT}"]
        done = run("render", ROOT / "models" / model, picture, "--time", seconds, *options, *size)
        self.assertEqual(done.returncode, 0, done.stderr)
        run("simulate", ROOT / "models" / model, "--time", seconds, "--output", table, *options, check=True)
        with open(table) as file:
            rows = list(csv.reader(file))
        columns = [i for i, name in enumerate(rows[0]) if name.startswith("qpos")]
        return imageio.imread(picture).astype(int), np.array([float(rows[-1][i]) for i in columns])

    def compare(self, model, keyframe=None):
        settings = f"paused&panel=0&report=1&steps={STEPS}" + (f"&keyframe={keyframe}" if keyframe else "")
        shown, state = self.browse(self.write(model), settings)
        options = ["--keyframe", keyframe] if keyframe else []
        expected, qpos = self.native(model, options, state["time"])
        positions = np.array(state["qpos"])
        difference = np.abs(shown - expected)
        near = (difference.max(axis=2) <= FAR).mean()
        if os.environ.get("VERBOSE"):
            print(f"{model}: qpos {np.abs(positions - qpos).max():.1e}, mean {difference.mean():.3f}, near {near:.5f}")
        np.testing.assert_allclose(positions, qpos, rtol=0, atol=CLOSE)
        self.assertLessEqual(difference.mean(), MEAN_DIFFERENCE)
        self.assertGreaterEqual(near, SHARE_NEAR)

    def test_contacts_shadows_and_a_mirror(self):
        self.compare("humanoid.xml", "squat")

    def test_a_cloth(self):
        self.compare("flex/cloth_on_sphere.xml")

    def test_muscles(self):
        self.compare("muscle/legs18.xml")

    def test_the_mouse_pulls_a_body(self):
        page = self.write("humanoid.xml")
        # A double click on the humanoid, then a drag with Ctrl and the right button while time goes on. Where the humanoid
        # is depends on the window, which is lower while scripts run than in the picture: a grid of places is tried.
        script = """<script>
          const at = (type, button, x, y, ctrlKey) => document.getElementById("canvas").dispatchEvent(
            new PointerEvent(type, { button, ctrlKey, clientX: x, clientY: y }));
          let calls = 0;
          const timer = setInterval(() => {
            const { engine } = globalThis.sinewPage ?? {};
            if (!engine || ++calls < 20) return;  // after the first pictures
            clearInterval(timer);
            let x = 0, y = 0;
            for (let place = 0; place < 300 && engine.selected() <= 0; ++place) {
              [x, y] = [20 + 30 * (place % 20), 20 + 30 * Math.floor(place / 20)];
              for (let i = 0; i < 2; ++i) at("pointerdown", 0, x, y), at("pointerup", 0, x, y);
            }
            const selected = engine.selected();
            sinewPage.play(false);
            const positions = (moved) => {
              engine.reset(0);
              if (moved) at("pointerdown", 2, x, y, true), at("pointermove", 2, x + 200, 20, true);
              engine.step(20);
              if (moved) at("pointerup", 2, x + 200, 20);
              return [...engine.qpos()];
            };
            console.info("state " + JSON.stringify({ selected, free: positions(false), pulled: positions(true) }));
          }, 20);
        </script>"""
        page.write_text(page.read_text().replace("</body>", script + "</body>"))
        _, state = self.browse(page, "paused&panel=0&keyframe=squat&steps=200")
        self.assertGreater(state["selected"], 0)
        self.assertGreater(np.abs(np.subtract(state["free"], state["pulled"])).max(), 1e-3)

    def test_the_panel(self):
        page = self.write("humanoid.xml")
        without, _ = self.browse(page, "paused&panel=0")
        with_panel, _ = self.browse(page, "paused")
        changed = np.abs(without - with_panel).max(axis=2) > FAR
        self.assertGreater(changed[:, :200].mean(), 0.3)  # the panel is 250 pixels wide
        self.assertLess(changed[:, 300:].mean(), 0.01)

    def test_a_setting_that_is_not_there_is_told(self):
        page = self.write("humanoid.xml")
        shown, _ = self.browse(page, "keyframe=none")
        red = (shown[..., 0] > 200) & (shown[..., 2] < 150) & (shown[..., 1] < 170)
        self.assertGreater(red.sum(), 100)  # the text of the error

    def test_a_page_that_was_not_built_is_an_error(self):
        environment = os.environ | {"SINEW_WEB_PAGE": str(self.folder / "none.html")}
        done = run("view", "--web", ROOT / "models/humanoid.xml", "-o", self.folder / "x.html", env=environment)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("SINEW_WEB_PAGE", done.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=0)
