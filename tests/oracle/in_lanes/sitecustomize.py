"""Makes mj_step of the package `mujoco` a step of a world in the lanes of a batch, so that programs for one world test
packs: with this folder on PYTHONPATH, a step loads its state into each of sixteen worlds of a batch of the model, takes
a step of them all, and reads the state of the first one back. The library below the package has to be ours.

A model is compared with that of the batch before each step; what a program has changed in it makes a new batch. The
file that SINEW_STEPS_IN_LANES names gets a line for each batch: whether the model runs in lanes, or why not.
"""
import ctypes
import importlib.abc
import importlib.machinery
import os
import sys

import numpy as np

WORLDS = 16


class _Lanes:
    """The batches of a process, by model."""

    def __init__(self, mujoco):
        self.mujoco, self.step_alone = mujoco, mujoco.mj_step
        maps = [line.split()[-1] for line in open("/proc/self/maps") if "libmujoco.so" in line]
        self.library = library = ctypes.CDLL(maps[0])
        library.sinew_batch_make.restype = ctypes.c_void_p
        library.mjb_makeBatch.restype = ctypes.c_void_p
        library.sinew_batch_obstacle.restype = ctypes.c_char_p
        library.mjb_state.restype = ctypes.POINTER(ctypes.c_double)
        self.batches = {}  # by address of the model: what the model was, and its batch

    def batch_of(self, model):
        """The batch of a model, or None where its worlds run one at a time."""
        image = np.empty(self.mujoco.mj_sizeModel(model), np.uint8)
        self.mujoco.mj_saveModel(model, None, image)
        image = image.tobytes()
        known = self.batches.get(model._address)
        if known is None or known[0] != image:
            known = self.batches[model._address] = (image, self.make_batch(model))
        return known[1]

    def make_batch(self, model):
        address, error = ctypes.c_void_p(model._address), ctypes.create_string_buffer(1000)
        try_out = self.library.sinew_batch_make(address, 1, None, error, 1000)
        obstacle = self.library.sinew_batch_obstacle(ctypes.c_void_p(try_out)) if try_out else error.value
        if "SINEW_STEPS_IN_LANES" in os.environ:
            with open(os.environ["SINEW_STEPS_IN_LANES"], "a") as file:
                file.write((f"alone: {obstacle.decode()}" if obstacle else "in lanes") + "\n")
        self.library.sinew_batch_delete(ctypes.c_void_p(try_out))
        if obstacle:
            return None
        return ctypes.c_void_p(self.library.mjb_makeBatch(address, WORLDS, None, error, 1000))

    def step(self, m, d, nstep=1):
        batch, mujoco = self.batch_of(m), self.mujoco
        if batch is None:
            return self.step_alone(m, d, nstep)
        spec = mujoco.mjtState.mjSTATE_INTEGRATION.value
        state = np.empty(mujoco.mj_stateSize(m, spec))
        mujoco.mj_getState(m, d, state, spec)
        rows = np.ctypeslib.as_array(self.library.mjb_state(batch), (WORLDS, len(state)))
        rows[:] = state
        self.library.mjb_step(batch, None, 0, nstep, 0)
        self.step_alone(m, d, nstep)  # all that a step leaves beside its state, warnings among it
        mujoco.mj_setState(m, d, rows[0].copy(), spec)


class _Finder(importlib.abc.MetaPathFinder):
    """Changes the package once it has been imported."""

    def find_spec(self, name, path, target=None):
        if name != "mujoco":
            return None
        sys.meta_path.remove(self)
        spec = importlib.machinery.PathFinder.find_spec(name, path)
        run = spec.loader.exec_module

        def exec_module(module):
            run(module)
            module.mj_step = _Lanes(module).step

        spec.loader.exec_module = exec_module
        return spec


sys.meta_path.insert(0, _Finder())
