"""Pages to play with the scenes of the gallery, in headless Chromium: each simulates, draws and says nothing on the console.
Run it by `./test web`.

They are written into build/play, where the site finds them. LIVE_PICTURES names a folder for pictures of them."""

import io
import pathlib
import sys

import imageio.v3 as imageio
import numpy as np
import pytest
from live_test import CHROMIUM, Browser, wait_for

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
import gallery  # noqa: E402

pytestmark = pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed")
SHOWN = "globalThis.sinewPage?.engine"
TOLD = "document.getElementById('error').textContent"


@pytest.fixture(scope="module")
def browser():
    made = Browser("about:blank")
    yield made
    made.close()


def start(browser, page, settings=""):
    browser.complaints.clear()
    browser.call("Page.navigate", url=page.as_uri() + settings)
    wait_for(lambda: browser.value(f"document.title == '{page.stem}' && !!({SHOWN}?.time || {TOLD})"))
    assert browser.value(TOLD) == ""


@pytest.mark.parametrize("name", gallery.SCENES)
def test_a_scene_is_played(browser, name):
    page = gallery.write_page(name)
    start(browser, page)
    key = gallery.SCENES[name][1]
    if key:
        assert browser.value("document.getElementById('keyframe').selectedOptions[0].text") == key
    if isinstance(gallery.SCENES[name][4][0], str):
        assert browser.value("document.getElementById('camera').selectedOptions[0].text") == gallery.FOLLOWING
    if name in gallery.SLIDERS:
        assert browser.value(f"[...{SHOWN}.ctrl()].every(u => u == {gallery.SLIDERS[name]})")
    wait_for(lambda: browser.value(f"{SHOWN}.time()") > 0.05 or browser.value(TOLD))
    picture = imageio.imread(io.BytesIO(browser.picture(f"{name}.png")))[..., :3]
    beside = picture[:, 270:]  # the panel is 250 pixels wide
    assert len(np.unique(beside.reshape(-1, 3), axis=0)) > 500, "a sky, a floor and what stands on it"
    moved = np.array(browser.value(f"[...{SHOWN}.qpos()]"), dtype=float)
    browser.value("sinewPage.play(false); sinewPage.reset(sinewPage.keyframe)")
    begun = np.array(browser.value(f"[...{SHOWN}.qpos()]"))
    assert np.isfinite(moved).all() and np.abs(moved - begun).max() > 1e-6, "it has moved, and is back"
    assert browser.value(TOLD) == ""
    assert browser.complaints == []


@pytest.mark.parametrize("name", gallery.CONTROLLERS)
def test_a_controller_is_switched_off(browser, name):
    start(browser, gallery.write_page(name))
    wait_for(lambda: browser.value(f"{SHOWN}.time()") > 0.05)
    assert browser.value(f"[...{SHOWN}.ctrl()].some(u => u != 0)")
    browser.value(f"document.getElementById('controller').click(); {SHOWN}.ctrl().fill(0)")
    then = browser.value(f"{SHOWN}.time()")
    wait_for(lambda: browser.value(f"{SHOWN}.time()") > then)
    assert browser.value(f"[...{SHOWN}.ctrl()].every(u => u == 0)"), "sliders have it"
    assert browser.complaints == []


def test_complaints_are_heard(browser):
    """What the test above relies on: an error on the console, and a setting that is not there, which the page tells."""
    page = gallery.write_page("ring")
    start(browser, page)
    browser.value("console.error('heard')")
    browser.value("1")
    assert browser.complaints
    browser.call("Page.navigate", url="about:blank")
    browser.call("Page.navigate", url=page.as_uri() + "#keyframe=none")
    wait_for(lambda: "no keyframe 'none'" in (browser.value(TOLD) or ""))
