"""A view of a world that a program simulates: the window of the program `sinew`, or its page in a browser."""

from __future__ import annotations

import asyncio
import errno
import html
import http
import os
import pathlib
import secrets
import subprocess
import tempfile
import threading
import time
from typing import Any, Callable, Optional, Union

import numpy as np
import numpy.typing as npt

from sinew import _program
from sinew._sinew import PULL_NUMBERS, VIEWED_STATE, Data, Model, pull

_WEBSOCKETS = "sinew.view(..., web=True) needs the package websockets: pip install websockets"
_ELSEWHERE = "sinew.view(model, data, web=True) shows the world in a browser and needs no display"
_PICTURES_PER_SECOND = 60.0
_LONGEST_PAUSE = 0.1  # seconds of the clock that View.run makes up for


class _Exchange:
    """What viewers and the program have left for each other. Viewers call `answer` in threads of their own.

    The messages are those of apps/viewer/link.h.
    """

    def __init__(self, state: npt.NDArray[np.float64]) -> None:
        self.condition = threading.Condition()  # guards all that follows
        self.state = state
        self.changes: dict[int, float] = {}  # numbers of the state by index, which viewers have changed
        self.pulls: dict[Any, npt.NDArray[np.float64]] = {}  # the latest of each viewer
        self.paused = False
        self.steps = 0  # asked for while time stands still

    def answer(self, message: bytes, viewer: Any = None) -> bytes:
        """Takes the request of a viewer; returns the reply."""
        numbers = np.frombuffer(message)
        with self.condition:
            self._take(numbers, viewer)
            state = self.state.copy()
            for index, value in self.changes.items():
                state[index] = value
            return np.concatenate([[float(self.paused)], state]).tobytes()

    def _take(self, numbers: npt.NDArray[np.float64], viewer: Any) -> None:
        count = 2 + PULL_NUMBERS
        pairs = numbers[count + 1 :].reshape(-1, 2)
        if numbers.size < count + 1 or len(pairs) != numbers[count]:
            raise ValueError("a viewer has sent a message of another length")
        if np.any((pairs[:, 0] < 0) | (pairs[:, 0] >= self.state.size)):
            raise ValueError("a viewer has changed a number that the state does not have")
        if numbers[0] >= 0:
            self.paused, self.steps = numbers[0] > 0, 0
        self.steps += int(numbers[1])
        self.pulls[viewer] = numbers[2:count]
        self.changes.update((int(index), float(value)) for index, value in pairs)
        self.condition.notify_all()

    def leave(self, viewer: Any) -> None:
        """A viewer is gone: it pulls no more."""
        with self.condition:
            self.pulls.pop(viewer, None)


class _Window:
    """The program's window, a process. Its standard output has requests, its standard input takes the replies."""

    def __init__(self, exchange: _Exchange, model: pathlib.Path) -> None:
        self._exchange = exchange
        self._errors = tempfile.TemporaryFile()
        # In a session of its own: Ctrl+C in a terminal interrupts the program, which then decides about its window.
        self._process = subprocess.Popen(
            [str(_program.program()), "view", str(model), "--follow"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, start_new_session=True,
        )  # fmt: skip
        self._ready = threading.Event()
        self._open = True
        threading.Thread(target=self._serve, name="sinew-view", daemon=True).start()
        self._ready.wait()
        if not self._open:
            raise RuntimeError(self._reason())

    def _reason(self) -> str:
        self._process.wait()
        self._errors.seek(0)
        text = self._errors.read().decode(errors="replace").strip().removeprefix("sinew: ")
        return f"the window cannot be opened: {text}; {_ELSEWHERE}"

    def _serve(self) -> None:
        requests, replies = self._process.stdout, self._process.stdin
        assert requests and replies
        try:
            while len(size := requests.read(8)) == 8:
                message = requests.read(8 * int(np.frombuffer(size)[0]))
                self._ready.set()
                reply = self._exchange.answer(message)
                replies.write(np.float64(len(reply) // 8).tobytes() + reply)
                replies.flush()
        except (OSError, ValueError):  # one of the two is closed
            pass
        self._open = False
        self._ready.set()
        self._exchange.leave(None)

    def is_open(self) -> bool:
        return self._open

    def close(self) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.close()
        except OSError:
            pass
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()


class _Server:
    """Serves the page and its link at one address of this machine, which has a word that others cannot guess."""

    def __init__(self, exchange: _Exchange, page: bytes, port: int) -> None:
        try:
            import websockets.asyncio.server  # noqa: F401
        except ImportError:
            raise ImportError(_WEBSOCKETS) from None
        self._exchange, self._page, self.port = exchange, page, port
        self._path = f"/live/{secrets.token_urlsafe(12)}"
        self.url = ""
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._problem: Optional[Exception] = None
        self._thread = threading.Thread(target=self._run, name="sinew-view", daemon=True)
        self._thread.start()
        self._ready.wait()
        if self._problem:
            raise self._problem

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        except OSError as error:
            taken = error.errno in (errno.EADDRINUSE, errno.EACCES)
            why = os.strerror(error.errno or 0).lower()
            text = f"port {self.port} cannot be used, {why}: give another one, or none for one that is free"
            self._problem = OSError(error.errno, text) if taken else error
        finally:
            self._loop.close()
            self._ready.set()

    async def _serve(self) -> None:
        from websockets.asyncio.server import serve

        self._end = asyncio.Event()
        async with serve(self._answer, "127.0.0.1", self.port, process_request=self._send_page, compression=None,
                         max_size=None) as server:  # fmt: skip
            self.port = next(iter(server.sockets)).getsockname()[1]
            self.url = f"http://127.0.0.1:{self.port}{self._path}"
            self._ready.set()
            await self._end.wait()

    def _send_page(self, connection: Any, request: Any) -> Any:
        """The answer to a request that is none for the link; None for one that is."""
        from websockets.datastructures import Headers
        from websockets.http11 import Response

        if request.path != self._path:
            return connection.respond(http.HTTPStatus.NOT_FOUND, "There is no view at this address.\n")
        if "Upgrade" in request.headers:
            return None
        headers = Headers({"Content-Type": "text/html; charset=utf-8", "Content-Length": str(len(self._page))})
        headers["Connection"] = "close"
        return Response(200, "OK", headers, self._page)

    async def _answer(self, socket: Any) -> None:
        from websockets.exceptions import ConnectionClosed

        try:
            async for message in socket:
                await socket.send(self._exchange.answer(message, socket))
        except (ConnectionClosed, ValueError, TypeError):  # what is no request of a page ends the link
            pass
        finally:
            self._exchange.leave(socket)

    def is_open(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._end.set)
            self._thread.join()


class View:
    """Shows a world while a program simulates it; made by `sinew.view`. Call `sync` after each step, or `run`.

    In the window and on the page, a double click selects a body, which Ctrl and the right button then pull; Space
    pauses. `with` closes the view at its end.
    """

    def __init__(self, model: Model, data: Data, web: bool, port: int) -> None:
        self._model, self._data = model, data
        self._pulled: set[int] = set()
        self._closed = False
        self._exchange = _Exchange(np.array(data.state(VIEWED_STATE)))
        self._folder = tempfile.TemporaryDirectory(prefix="sinew-view-")
        try:
            file = pathlib.Path(self._folder.name) / "simulation.mjb"
            file.write_bytes(model.to_bytes())
            self._shown: Union[_Window, _Server] = (
                _Server(self._exchange, _page_of(file), port) if web else _Window(self._exchange, file)
            )
        except BaseException:
            self._folder.cleanup()
            raise
        if isinstance(self._shown, _Server):
            forward = f"ssh -L {self._shown.port}:127.0.0.1:{self._shown.port} HOST"
            print(f"{self._shown.url}\n(the same address on another machine: {forward})")

    @property
    def url(self) -> Optional[str]:
        """The address of the page; None for a window."""
        return self._shown.url if isinstance(self._shown, _Server) else None

    @property
    def paused(self) -> bool:
        """Whether time stands still: `sync` then waits."""
        return self._exchange.paused

    @paused.setter
    def paused(self, value: bool) -> None:
        with self._exchange.condition:
            self._exchange.paused, self._exchange.steps = bool(value), 0
            self._exchange.condition.notify_all()

    def is_running(self) -> bool:
        """Whether the view is open. A page is open until `close`, whether a browser shows it or not."""
        return not self._closed and self._shown.is_open()

    def sync(self) -> None:
        """Shows the world as it is now, and takes over what the user does: pulls, controls, positions, resets.

        While time stands still (`paused`) it waits, until the user lets it go on or asks for a step. Where the user
        has closed the window, it does nothing.
        """
        if self._closed:
            raise ValueError("this view is closed: sinew.view opens another")
        with self._exchange.condition:
            self._swap()
            while self._exchange.paused and not self._exchange.steps and self._shown.is_open():
                self._exchange.condition.wait(0.1)
                self._swap()
            self._exchange.steps = max(0, self._exchange.steps - 1)

    def _swap(self) -> None:
        """Applies what viewers have left, and leaves the state for them."""
        state = np.array(self._data.state(VIEWED_STATE))
        if self._exchange.changes:
            for index, value in self._exchange.changes.items():
                state[index] = value
            self._exchange.changes.clear()
            self._data.set_state(state, VIEWED_STATE)
            self._data.forward()
        pulls = [numbers for numbers in self._exchange.pulls.values() if numbers[0] > 0]
        bodies = {int(numbers[0]) for numbers in pulls}
        for body in self._pulled - bodies:
            self._data.xfrc_applied[body] = 0
        for numbers in pulls:
            pull(self._data, numbers)
        if bodies or self._pulled:
            state = np.array(self._data.state(VIEWED_STATE))
        self._pulled = bodies
        self._exchange.state = state

    def run(self, step: Optional[Callable[[], Any]] = None) -> None:
        """Simulates in real time until the view is closed: calls `step` for each time step, or `data.step()` without one."""
        advance = step if step is not None else self._data.step
        last, behind = time.perf_counter(), 0.0
        while self.is_running():
            self.sync()
            now = time.perf_counter()
            if self.paused:  # the user has asked for one step
                advance()
                last, behind = now, 0.0
                continue
            last, behind = now, min(behind + now - last, _LONGEST_PAUSE)
            while behind >= self._model.opt.timestep and time.perf_counter() - now < 1 / _PICTURES_PER_SECOND:
                advance()
                behind -= self._model.opt.timestep
            time.sleep(max(0.0, 1 / _PICTURES_PER_SECOND - (time.perf_counter() - now)))

    def close(self) -> None:
        """Closes the window, or ends the page. A second call does nothing."""
        if self._closed:
            return
        self._closed = True
        self._shown.close()
        self._folder.cleanup()
        for body in self._pulled:
            self._data.xfrc_applied[body] = 0

    def __enter__(self) -> "View":
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "" if self.is_running() else ", closed"
        return f"<sinew.View: {self.url or 'window'}{state}>"

    def _repr_html_(self) -> Optional[str]:
        """What a notebook shows: the page, for views that have one."""
        if self.url is None or not self.is_running():
            return None
        return f'<iframe src="{html.escape(self.url)}" style="width: 100%; height: 480px; border: 0"></iframe>'


def _page_of(model: pathlib.Path) -> bytes:
    """The page for browsers with a model in it, which the program writes."""
    page = model.with_suffix(".html")
    done = subprocess.run(
        [str(_program.program()), "view", "--web", str(model), "-o", str(page)], capture_output=True, text=True
    )
    if done.returncode:
        raise RuntimeError(done.stderr.strip().removeprefix("sinew: "))
    return page.read_bytes()


def view(model: Model, data: Data, *, web: bool = False, port: int = 0) -> View:
    """Shows a world while this program simulates it, in a window of its own process or, with `web`, on a page.

        with sinew.view(model, data) as viewer:
            while viewer.is_running():
                data.step()
                viewer.sync()

    The page is served to browsers on this machine, at `viewer.url`, which is printed; a notebook shows it where the
    view is the last line of a cell. `port`: of the page; 0 takes a free one. It needs the package `websockets`.
    """
    if not isinstance(model, Model):
        raise TypeError(f"model must be a sinew.Model, not {type(model).__name__}")
    if not isinstance(data, Data):
        raise TypeError(f"data must be a sinew.Data, not {type(data).__name__}")
    if data.model is not model:
        raise ValueError("data is a world of another model; make one of this model: sinew.Data(model)")
    if port and not web:
        raise ValueError("port is that of the page: it needs web=True")
    if not 0 <= port < 65536:
        raise ValueError(f"port must be between 0 and 65535, not {port}")
    return View(model, data, web, port)
