"""sinew.view(model, data, web=True) in headless Chromium, driven by its protocol for tools: a body is pulled with the
mouse, time stands still, a slider sets a control, a sensor is plotted. Run it by `./test web`.

The page must have been built (tools/build_web.sh). LIVE_PICTURES names a folder for pictures of the page."""

import base64
import contextlib
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import time
import urllib.request

import numpy as np
import pytest
import sinew

WIDTH, HEIGHT = 800, 600
SECONDS = 120  # for a page on a loaded machine; none takes ten without load
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed")

MODEL = """<mujoco>
  <option gravity="0 0 0"/>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".4" mass="1" rgba=".9 .4 .1 1"/></body>
    <body pos="1 0 1"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".05"/></body>
  </worldbody>
  <actuator><position name="servo" joint="hinge" kp="20" dampratio="1" ctrlrange="-2 2"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
</mujoco>"""


class Browser:
    """Chromium with a page, and its protocol for tools."""

    def __init__(self, url):
        from websockets.sync.client import connect

        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        command = [CHROMIUM, "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--hide-scrollbars"]
        command += ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
        command += [f"--user-data-dir={self.folder.name}", f"--window-size={WIDTH},{HEIGHT}"]
        command += ["--remote-debugging-port=0"]
        self.process = subprocess.Popen([*command, url], stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        port_file = pathlib.Path(self.folder.name) / "DevToolsActivePort"
        wait_for(lambda: port_file.exists() and port_file.read_text().count("\n") > 0)
        port = port_file.read_text().split()[0]

        def page():
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/json", timeout=SECONDS) as answer:
                return next((page for page in json.load(answer) if page["url"].startswith(url.split("#")[0])), None)

        self.open = contextlib.ExitStack()
        self.socket = self.open.enter_context(connect(wait_for(page)["webSocketDebuggerUrl"], max_size=None))
        self.numbers = itertools.count(1)
        self.complaints = []
        self.call("Runtime.enable")
        self.call("Log.enable")

    def call(self, method, **parameters):
        number = next(self.numbers)
        self.socket.send(json.dumps({"id": number, "method": method, "params": parameters}))
        while True:
            message = json.loads(self.socket.recv(SECONDS))
            if message.get("id") == number:
                assert "error" not in message, message
                return message["result"]
            if is_complaint(message.get("method"), message.get("params", {})):
                self.complaints.append(message["params"])

    def value(self, expression):
        return self.call("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def mouse(self, kind, x, y, button="none", count=0, control=False):
        buttons = {"none": 0, "left": 1, "right": 2}[button] if kind != "mouseReleased" else 0
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button=button, buttons=buttons, clickCount=count,
                  modifiers=2 if control else 0)  # fmt: skip

    def key(self, code, text):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, code=code, key=text)

    def picture(self, name):
        data = base64.b64decode(self.call("Page.captureScreenshot")["data"])
        if folder := os.environ.get("LIVE_PICTURES"):
            (pathlib.Path(folder) / name).write_bytes(data)
        return data

    def close(self):
        self.open.close()
        self.process.terminate()
        self.process.wait(SECONDS)
        self.folder.cleanup()


def is_complaint(event, values):
    """Whether an event of the protocol is an exception or an error on the console."""
    if event == "Log.entryAdded":
        return values["entry"]["level"] == "error"
    return event == "Runtime.exceptionThrown" or (event == "Runtime.consoleAPICalled" and values["type"] == "error")


def wait_for(condition):
    end = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)
    return found


class Simulated:
    """A world that a thread simulates in real time, with its view and a browser that shows it."""

    def __init__(self):
        import threading

        self.model = sinew.Model.from_xml_string(MODEL)
        self.data = sinew.Data(self.model)
        self.view = sinew.view(self.model, self.data, web=True)
        self.thread = threading.Thread(target=self.view.run)
        self.thread.start()
        self.browser = Browser(self.view.url + "#sensor=angle")
        wait_for(lambda: (self.browser.value("globalThis.sinewPage?.engine.time()") or 0) > 0.2)

    def close(self):
        self.browser.close()
        self.view.close()
        self.thread.join(SECONDS)


@pytest.fixture(scope="module")
def simulated():
    made = Simulated()
    yield made
    made.close()


def test_the_page_shows_the_time_of_the_program(simulated):
    browser, data = simulated.browser, simulated.data
    first = browser.value("sinewPage.engine.time()")
    wait_for(lambda: browser.value("sinewPage.engine.time()") > first + 0.2)
    assert browser.value("sinewPage.engine.time()") <= data.time, "it does not simulate itself"
    assert browser.complaints == []


def test_a_body_is_pulled_with_the_mouse(simulated):
    browser, data = simulated.browser, simulated.data
    # the ball is somewhere in the middle: places beside the panel are tried until a double click selects it
    for x, y in itertools.product(range(300, 700, 50), range(200, 450, 50)):
        for count in (1, 2):
            browser.mouse("mousePressed", x, y, "left", count)
            browser.mouse("mouseReleased", x, y, "left", count)
        if browser.value("sinewPage.engine.selected()") == 1:
            break
    assert browser.value("sinewPage.engine.selected()") == 1
    before = data.body("ball").xpos.copy()
    browser.mouse("mousePressed", x, y, "right", 1, control=True)
    for i in range(10):
        browser.mouse("mouseMoved", x, y - 8 * i, "right", control=True)
    wait_for(lambda: data.body("ball").xpos[2] > before[2] + 0.1)  # up, as the mouse has gone
    browser.picture("pulled.png")
    browser.mouse("mouseReleased", x, y - 80, "right", 1, control=True)
    wait_for(lambda: not data.xfrc_applied.any())
    shown = np.array(browser.value("[...sinewPage.engine.qpos()]"))
    assert shown[2] > before[2] + 0.05, "the page shows it"


def test_space_lets_time_stand_still_and_an_arrow_steps(simulated):
    browser, view, data = simulated.browser, simulated.view, simulated.data
    browser.key("Space", " ")
    wait_for(lambda: view.paused)
    wait_for(lambda: browser.value("document.getElementById('play').textContent") == "Play")
    time.sleep(0.3)
    stopped = data.time
    wait_for(lambda: browser.value("sinewPage.engine.time()") == stopped)
    browser.key("ArrowRight", "ArrowRight")
    wait_for(lambda: data.time > stopped)
    assert abs(data.time - stopped - simulated.model.opt.timestep) < 1e-9
    browser.key("Space", " ")
    wait_for(lambda: data.time > stopped + 0.1)


def test_a_slider_sets_a_control_and_a_plot_shows_the_sensor(simulated):
    browser, data = simulated.browser, simulated.data
    browser.value("""{ const slider = document.querySelector('#controls input'); slider.value = 1.5;
                     slider.dispatchEvent(new Event('input')); }""")
    wait_for(lambda: data.ctrl[0] == 1.5)
    wait_for(lambda: data.joint("hinge").qpos[0] > 1.4)
    last = "(() => { const { data } = sinewPage.plots.shown.get(0); return data[1].at(-1); })()"
    wait_for(lambda: browser.value(last) > 1.4)
    assert browser.value("document.querySelectorAll('#plots canvas').length") == 1
    assert len(browser.picture("plotted.png")) > 10_000
    assert data.time > 0
    browser.value("sinewPage.reset(-1)")
    wait_for(lambda: data.joint("hinge").qpos[0] < 0.5)
    assert browser.complaints == []


def test_the_page_tells_that_the_view_is_closed(simulated):
    simulated.view.close()
    wait_for(lambda: "closed this view" in simulated.browser.value("document.getElementById('error').textContent"))
    simulated.browser.picture("closed.png")
