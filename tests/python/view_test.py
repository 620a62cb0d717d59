"""sinew.view: what viewers and the program leave for each other, the page's server, and the window on a display in
memory (Xvfb). The page in Chromium is in tests/web/live_test.py."""

import contextlib
import math
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request

import numpy as np
import pytest
import sinew
from sinew import _sinew, viewing

PROGRAM = pathlib.Path(viewing._program.program())
SECONDS = 60  # that a window may take on a loaded machine; it takes one

BALL = """<mujoco>
  <option gravity="0 0 0"/>
  <statistic center="0 0 1" extent="2"/>
  <worldbody>
    <light pos="0 0 3"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".4" mass="1"/></body>
    <body pos="3 0 1"><joint name="hinge"/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor name="motor" joint="hinge"/></actuator>
  <sensor><jointpos name="angle" joint="hinge"/></sensor>
</mujoco>"""


def world():
    model = sinew.Model.from_xml_string(BALL)
    return model, sinew.Data(model)


def wait_for(condition):
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.01)


# ---- what is left for each other, without a window


class NoWindow:
    """In the place of the window: a viewer that the test plays."""

    def __init__(self, exchange, model):
        self.exchange, self.open = exchange, True

    def is_open(self):
        return self.open

    def close(self):
        self.open = False


@pytest.fixture
def played(monkeypatch):
    monkeypatch.setattr(viewing, "_Window", NoWindow)
    model, data = world()
    with sinew.view(model, data) as view:
        yield data, view


def request(paused=-1, steps=0, pull=None, changes=()):
    """A message of apps/viewer/link.h."""
    pull = np.zeros(_sinew.PULL_NUMBERS) if pull is None else pull
    return np.concatenate([[paused, steps], pull, [len(changes)], np.ravel(list(changes))]).tobytes()


def pull_of(body, to):
    """A pull at the body's origin to a place: body, translation, wanted origin and orientation, wanted place of the
    selected point, the point in the body's frame, mass."""
    return np.array([body, 1, *to, 1, 0, 0, 0, *to, 0, 0, 0, 1.0])


def ask(view, **parts):
    reply = np.frombuffer(view._exchange.answer(request(**parts)))
    return reply[0] != 0, reply[1:]


def test_the_viewer_gets_the_state(played):
    data, view = played
    data.qvel[0] = 1
    data.step(10)
    view.sync()
    paused, state = ask(view)
    assert not paused
    assert np.array_equal(state, data.state(_sinew.VIEWED_STATE))
    assert state[0] == data.time and state[1] == data.qpos[0] > 0


def test_a_pull_moves_a_body_until_it_ends(played):
    data, view = played
    goal = np.array([1.0, 0.5, 2.0])
    ask(view, pull=pull_of(1, goal))
    for _ in range(2000):  # 4 s, many times the spring's time
        view.sync()
        data.step()
    # critically damped: it is there
    np.testing.assert_allclose(data.body("ball").xpos, goal, atol=1e-3)
    data.qvel[:] = 0
    ask(view)
    view.sync()
    assert not data.xfrc_applied.any()


def test_two_viewers_do_not_end_each_others_pulls(played):
    data, view = played
    view._exchange.answer(request(pull=pull_of(1, [1.0, 0, 1])), "first")
    view._exchange.answer(request(), "second")
    view.sync()
    assert data.xfrc_applied[1, 0] > 0
    view._exchange.leave("first")
    view.sync()
    assert not data.xfrc_applied.any()


def test_changed_numbers_reach_the_world_and_no_others(played):
    data, view = played
    control = 1 + data.model.nq + data.model.nv + data.model.na + data.model.nhistory  # behind the time and these
    data.qvel[0] = 1
    _, shown = ask(view, changes=[(control, 0.75)])
    assert shown[control] == 0.75, "the viewer sees its own change at once"
    data.step()
    before = data.qpos.copy()
    view.sync()
    assert data.ctrl[0] == 0.75
    assert np.array_equal(data.qpos, before)


@pytest.mark.parametrize("index", [-1, 10_000, math.nan])
def test_a_change_of_what_is_not_there_is_refused(played, index):
    _, view = played
    with pytest.raises(ValueError):
        ask(view, changes=[(index, 1.0)])


def test_a_message_of_another_length_is_refused(played):
    _, view = played
    for message in (b"", request()[:-8], request(changes=[(0, 1)])[:-8], b"123"):
        with pytest.raises(ValueError):
            view._exchange.answer(message)


def test_time_stands_still_until_a_step_is_asked_for(played):
    import threading

    data, view = played

    def simulate():
        while view.is_running() and data.time < 0.05:
            data.step()
            view.sync()

    ask(view, paused=1)
    thread = threading.Thread(target=simulate)
    thread.start()
    wait_for(lambda: data.time > 0)
    time.sleep(0.2)
    assert data.time == data.model.opt.timestep, "a step, whose sync waits"
    ask(view, steps=2)
    wait_for(lambda: data.time >= 2.9 * data.model.opt.timestep)
    time.sleep(0.2)
    assert data.time == pytest.approx(3 * data.model.opt.timestep)
    assert view.paused
    view.paused = False
    thread.join(SECONDS)
    assert data.time >= 0.05


def test_run_keeps_the_time_of_the_clock(played):
    data, view = played
    begin = time.perf_counter()

    def step():
        data.step()
        if data.time > 0.3:
            view._shown.open = False

    view.run(step)
    assert data.time > 0.3
    assert time.perf_counter() - begin > 0.25, "it has not run ahead"  # less by what is made up for


# ---- misuse


def test_misuse_is_told():
    model, data = world()
    other = sinew.Model.from_xml_string(BALL)
    with pytest.raises(ValueError, match="another model.*sinew.Data"):
        sinew.view(other, data)
    with pytest.raises(TypeError, match="sinew.Model"):
        sinew.view(data, data)
    with pytest.raises(TypeError, match="sinew.Data"):
        sinew.view(model, model)
    with pytest.raises(ValueError, match="web=True"):
        sinew.view(model, data, port=8000)
    with pytest.raises(ValueError, match="65535"):
        sinew.view(model, data, web=True, port=70000)


def test_a_closed_view(played):
    _, view = played
    view.close()
    view.close()
    assert not view.is_running()
    assert "closed" in repr(view)
    with pytest.raises(ValueError, match="closed"):
        view.sync()


def test_the_user_closes_the_window_between_a_step_and_its_sync(played):
    _, view = played
    view._shown.open = False
    view.paused = True
    view.sync()  # neither an error nor a wait without end
    assert not view.is_running()


def test_without_a_display_the_page_is_named(monkeypatch):
    if not PROGRAM.exists():
        pytest.skip("the program is not in the package")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    with pytest.raises(RuntimeError, match="display.*web=True"):
        sinew.view(*world())


def test_without_websockets_the_package_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(viewing, "_page_of", lambda file: b"page")
    monkeypatch.setitem(sys.modules, "websockets.asyncio.server", None)
    with pytest.raises(ImportError, match="pip install websockets"):
        sinew.view(*world(), web=True)


def test_without_the_page_its_build_is_named(monkeypatch, tmp_path):
    if not PROGRAM.exists():
        pytest.skip("the program is not in the package")
    monkeypatch.setenv("SINEW_WEB_PAGE", str(tmp_path / "none.html"))
    with pytest.raises(RuntimeError, match="SINEW_WEB_PAGE"):
        sinew.view(*world(), web=True)


# ---- the server of the page


@pytest.fixture
def served(monkeypatch):
    pytest.importorskip("websockets.asyncio.server")
    monkeypatch.setattr(viewing, "_page_of", lambda file: b"<title>page</title>")
    model, data = world()
    with sinew.view(model, data, web=True) as view:
        yield data, view


def test_the_page_is_served_at_its_address_alone(served, capsys):
    _, view = served
    assert view.url.startswith("http://127.0.0.1:")
    with urllib.request.urlopen(view.url, timeout=SECONDS) as answer:
        assert answer.headers["Content-Type"].startswith("text/html")
        assert answer.read() == b"<title>page</title>"
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(view.url[:-1], timeout=SECONDS)
    assert f'src="{view.url}"' in view._repr_html_()


def test_a_page_pulls_over_the_link(served):
    from websockets.sync.client import connect

    data, view = served
    with connect(view.url.replace("http", "ws")) as link:
        link.send(request(pull=pull_of(1, [1.0, 0, 1])))
        reply = np.frombuffer(link.recv())
        assert np.array_equal(reply[1:], data.state(_sinew.VIEWED_STATE))
        view.sync()
        assert data.xfrc_applied[1, 0] > 0
    wait_for(lambda: not view._exchange.pulls)
    view.sync()
    assert not data.xfrc_applied.any(), "a page that is gone pulls no more"


def test_what_is_no_request_ends_the_link_alone(served):
    from websockets.exceptions import ConnectionClosed
    from websockets.sync.client import connect

    _, view = served
    for message in (b"1234", "text", request(changes=[(-1, 1)])):
        with connect(view.url.replace("http", "ws")) as link:
            link.send(message)
            with pytest.raises(ConnectionClosed):
                link.recv(SECONDS)
    assert view.is_running()


def test_a_taken_port_is_told(served):
    _, view = served
    port = int(view.url.split(":")[2].split("/")[0])
    model, data = world()
    with pytest.raises(OSError, match=f"port {port} cannot be used.*give another"):
        sinew.view(model, data, web=True, port=port)


def test_a_closed_page_is_gone(served):
    _, view = served
    view.close()
    assert view._repr_html_() is None
    with socket.socket() as tried:
        assert tried.connect_ex(("127.0.0.1", int(view.url.split(":")[2].split("/")[0]))) != 0


# ---- the window


@pytest.fixture(scope="module")
def display():
    """The name of a display in memory."""
    if not PROGRAM.exists():
        pytest.skip("the program is not in the package")
    if shutil.which("Xvfb") is None:
        pytest.skip("Xvfb is not installed")
    server = subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1400x900x24"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL)  # fmt: skip
    yield ":" + server.stdout.readline().decode().strip()
    server.terminate()
    server.wait()


@pytest.fixture
def window(display, monkeypatch):
    monkeypatch.setenv("DISPLAY", display)
    model, data = world()
    try:
        view = sinew.view(model, data)
    except RuntimeError as error:
        if "without a window" in str(error) or "no window with OpenGL" in str(error):
            pytest.skip(str(error))
        raise
    with view:
        yield data, view


class Hand:
    """The mouse and the keys of a display, by its extension XTEST; the window fills the screen's upper left corner."""

    def __init__(self, name):
        display = pytest.importorskip("Xlib.display")
        from Xlib import X, XK
        from Xlib.ext import xtest

        self.display, self.x, self.fake = display.Display(name), X, xtest.fake_input
        self.control = self.display.keysym_to_keycode(XK.XK_Control_L)
        self.space = self.display.keysym_to_keycode(XK.XK_space)

    def move(self, x, y):
        self.send(self.x.MotionNotify, x=x, y=y)

    def send(self, kind, detail=0, **place):
        self.fake(self.display, kind, detail, **place)
        self.display.sync()

    def button(self, number, down):
        self.send(self.x.ButtonPress if down else self.x.ButtonRelease, number)

    def double_click(self):
        for down in (True, False, True, False):
            self.button(1, down)

    def key(self, code, down):
        self.send(self.x.KeyPress if down else self.x.KeyRelease, code)

    def place_of_window(self):
        """Left, top, width and height of the largest window that is shown."""
        root = self.display.screen().root
        shown = [w for w in root.query_tree().children if w.get_attributes().map_state == self.x.IsViewable]
        largest = max((w.get_geometry() for w in shown), key=lambda w: w.width * w.height)
        return largest.x, largest.y, largest.width, largest.height


def simulate_until(data, view, condition):
    end = time.monotonic() + SECONDS
    while not condition() and time.monotonic() < end:
        data.step()
        view.sync()
        time.sleep(0.002)
    assert condition(), "it did not come about"


def count_pictures(view):
    """A list that gets longer with each picture of the window."""
    answer, pictures = view._exchange.answer, []

    def counted(message, viewer=None):
        pictures.append(None)
        return answer(message, viewer)

    view._exchange.answer = counted
    return pictures


def test_a_body_is_pulled_in_the_window(window, display):
    data, view = window
    assert view.is_running() and view.url is None
    hand, pictures = Hand(display), count_pictures(view)

    def some_pictures():  # after which the window has seen what the hand did
        goal = len(pictures) + 3
        simulate_until(data, view, lambda: len(pictures) >= goal)

    some_pictures()
    left, top, width, height = hand.place_of_window()
    x, y = left + width // 2, top + height // 2  # where the ball is, since the free camera looks at it
    for _ in range(10):  # pictures of a loaded machine come between the clicks of a double click
        hand.move(x, y)
        some_pictures()
        hand.double_click()
        some_pictures()
        hand.key(hand.control, True)
        hand.button(3, True)
        some_pictures()
        if view._exchange.pulls[None][0] == 1:
            break
        hand.button(3, False)
        hand.key(hand.control, False)
    for i in range(10):
        hand.move(x, y - 10 * i)
        some_pictures()
    assert np.abs(data.xfrc_applied[1]).max() > 0
    simulate_until(data, view, lambda: data.qpos[2] > 1.05)  # it goes up, as the mouse did
    hand.button(3, False)
    hand.key(hand.control, False)
    simulate_until(data, view, lambda: not data.xfrc_applied.any())


def test_the_space_key_lets_time_stand_still(window, display):
    import threading

    data, view = window
    hand = Hand(display)

    def simulate():
        while view.is_running():
            data.step()
            view.sync()
            time.sleep(0.002)

    thread = threading.Thread(target=simulate)
    thread.start()
    left, top, width, height = hand.place_of_window()
    hand.move(left + width // 2, top + height // 2)
    pictures = count_pictures(view)
    wait_for(lambda: len(pictures) > 3)  # the window is under the mouse, so that it gets the key
    for paused in (True, False):
        hand.key(hand.space, True)
        hand.key(hand.space, False)
        wait_for(lambda: view.paused == paused)
    view.close()
    thread.join(SECONDS)


def test_the_window_closes_with_the_view_and_the_program(window):
    data, view = window
    process = view._shown._process
    view.close()
    assert process.returncode == 0
    assert not view.is_running()


def test_a_window_that_dies_ends_the_view(window):
    data, view = window
    view._shown._process.terminate()
    wait_for(lambda: not view.is_running())
    view.sync()


def test_the_window_of_a_program_that_has_ended_closes(display, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import sinew\n"
        f"model = sinew.Model.from_xml_string('''{BALL}''')\n"
        "view = sinew.view(model, sinew.Data(model))\n"
        "print(view._shown._process.pid)\n"
    )
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=SECONDS,
                          env={**os.environ, "DISPLAY": display})  # fmt: skip
    assert done.returncode == 0, done.stderr
    number = int(done.stdout)

    def gone():
        with contextlib.suppress(OSError):
            status = pathlib.Path(f"/proc/{number}/stat").read_text()
            return status.rpartition(")")[2].split()[0] == "Z"
        return True

    wait_for(gone)
