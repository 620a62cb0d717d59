"""Many threads at once, each with a world of its own or one batch for all, with and without Python's global lock."""

import sys
import sysconfig
import threading

import numpy as np
import pytest

import sinew

from package_test import PENDULUM

FREE = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))
THREADS, ROUNDS = 8, 30


def together(work):
    """Runs work(number) on all threads at once; raises what one of them raised."""
    start, errors = threading.Barrier(THREADS), []

    def run(number):
        start.wait()
        try:
            work(number)
        except BaseException as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


@pytest.fixture
def model():
    return sinew.Model.from_xml_string(PENDULUM)


@pytest.mark.skipif(not FREE, reason="this interpreter has a global lock")
def test_the_module_leaves_the_global_lock_off():
    assert not sys._is_gil_enabled()


def test_worlds_of_one_model(model):
    """Steps, names, copies, views and derivatives of separate worlds give what one thread alone gives."""

    def life(number):
        data = sinew.Data(model)
        data.ctrl[:] = number
        for _ in range(ROUNDS):
            data.step(5)
            data.joint("hinge").qvel[:] += 0.01
            data = data.copy()
            assert data.body("arm").xpos.shape == (3,) and len(data.contact) == data.ncon
            data.transition_derivatives()
        return data.qpos.copy()

    expected, found = [life(number) for number in range(THREADS)], [None] * THREADS

    def work(number):
        found[number] = life(number)

    together(work)
    assert all(np.array_equal(one, other) for one, other in zip(expected, found))


def test_models_are_made_and_deleted_at_once():
    def work(number):
        for i in range(ROUNDS):
            spec = sinew.Spec.from_xml_string(PENDULUM)
            spec.world.add("geom", size=[0.1 + 0.01 * number], name="own")
            model = spec.compile()
            assert model.geom("own").size[0] == 0.1 + 0.01 * number
            batch = sinew.Batch(model, 3, threads=1)
            batch.step(2)
            assert not batch.status.any()
            with pytest.raises(sinew.ModelError, match=f"own{number}"):
                sinew.Model.from_xml_string(f"<mujoco><worldbody><geom name='own{number}' size='-1'/></worldbody></mujoco>")

    together(work)


def test_one_batch_for_all(model):
    """One thread at a time has it; the others get an error that says so, or wait."""
    batch = sinew.Batch(model, 4, threads=2)
    refused = [0] * THREADS

    def work(number):
        for _ in range(ROUNDS):
            try:
                batch.step()
            except (ValueError, RuntimeError):
                refused[number] += 1

    together(work)
    steps = THREADS * ROUNDS - sum(refused)
    assert batch.state("time") == pytest.approx(steps * model.opt.timestep) and steps > 0


def test_one_model_is_read_by_all(model):
    """Fields are made when they are asked for: at once by all."""

    def work(number):
        for _ in range(ROUNDS):
            for name in dir(model):
                if not name.startswith("__"):
                    getattr(model, name)

    together(work)
