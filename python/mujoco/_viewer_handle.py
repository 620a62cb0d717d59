"""What a program has of a passive window."""

import contextlib


class Handle:
    """What a program has of a passive window. Hold `lock()` while writing to what the window reads."""

    def __init__(self, window, cam, opt, pert, user_scn):
        self._window = window
        self._cam, self._opt, self._pert, self._user_scn = cam, opt, pert, user_scn

    @property
    def cam(self):
        return self._cam

    @property
    def opt(self):
        return self._opt

    @property
    def perturb(self):
        return self._pert

    @property
    def user_scn(self):
        """Geoms that are drawn besides the model's."""
        return self._user_scn

    @property
    def m(self):
        return self._window.model if self._window else None

    @property
    def d(self):
        return self._window.shown if self._window else None

    @property
    def viewport(self):
        return self._window.viewport if self._window else None

    def is_running(self):
        return self._window is not None and self._window.running

    def lock(self):
        """A context: the window does not read meanwhile."""
        return self._window.mutex if self._window else contextlib.nullcontext()

    def sync(self, state_only=False):
        """Shows the world as it is now, and applies what the mouse does to it."""
        if self.is_running():
            self._window.take(state_only)

    def set_figures(self, viewports_figures):
        self._set("figures", viewports_figures)

    def clear_figures(self):
        self._set("figures", [])

    def set_texts(self, texts):
        """Tuples of font, place (mjtGridPos) and two columns of text."""
        self._set("texts", texts)

    def clear_texts(self):
        self._set("texts", [])

    def set_images(self, viewports_images):
        """Tuples of a rectangle and an array of its size."""
        self._set("images", viewports_images)

    def clear_images(self):
        self._set("images", [])

    def _set(self, name, values):
        if self._window:
            with self._window.mutex:
                setattr(self._window, name, [values] if isinstance(values, tuple) else list(values))

    def update_hfield(self, hfieldid):
        self._upload("hfield", hfieldid, "nhfield")

    def update_mesh(self, meshid):
        self._upload("mesh", meshid, "nmesh")

    def update_texture(self, texid):
        self._upload("texture", texid, "ntex")

    def _upload(self, kind, number, count):
        if self._window is None:
            return
        if not 0 <= number < getattr(self._window.model, count):
            raise ValueError(f"{kind} {number} is out of range")
        self._window.uploads.put((kind, number))

    def close(self):
        window, self._window = self._window, None
        if window:
            window.running = False
            window.join()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        self.close()
