"""Lifetimes, wrong arguments and memory: an exception that names the argument, never a crash. SINEW_CYCLES sets how often
things are made and deleted."""

import ctypes
import gc
import os
import threading

import numpy as np
import pytest

import sinew

from package_test import PENDULUM

CYCLES = int(os.environ.get("SINEW_CYCLES", "10000"))

# their operator new cannot throw
ENDS_UNDER_SANITIZERS = pytest.mark.skipif("libasan" in os.environ.get("LD_PRELOAD", ""), reason="asks for too much")


def resident():
    """Resident memory, without what the allocator keeps for the next one who asks: that goes up and down by megabytes
    with the threads that ask."""
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@pytest.fixture
def model():
    return sinew.Model.from_xml_string(PENDULUM)


def test_cycles_need_no_memory():
    def cycle():
        model = sinew.Model.from_xml_string(PENDULUM)
        data = sinew.Data(model)
        data.step()
        batch = sinew.Batch(model, 2, threads=2)
        batch.state("ctrl")[:] = 0.1
        batch.step()
        assert batch.status.sum() == 0 and data.body("arm").xpos[2] == 1

    for _ in range(min(CYCLES, 1000) // 2):
        cycle()
    before = resident()
    for _ in range(CYCLES):
        cycle()
    grown = resident() - before
    print(f"{grown} bytes after {CYCLES} cycles")
    assert grown <= 1_000_000


def test_views_outlive_everything():
    """Each view keeps its owner; only the views are left when they are read and written."""
    model = sinew.Model.from_xml_string(PENDULUM)
    data, batch, spec = sinew.Data(model), sinew.Batch(model, 3, threads=1), sinew.Spec()
    data.forward()
    views = [
        data.qpos, data.xpos, data.contact, data.efc_J, data.sensor("angle"), model.body_mass, model.opt.gravity,
        batch.state("qpos"), batch.output("xpos"), batch.parameter("body_mass"), batch.parameter("opt.gravity"),
        batch.status, data.body("arm").xpos, batch.world(1).qpos, sinew.Model.from_xml_string(PENDULUM).geom_size,
    ]  # fmt: skip
    named, member, element = data.joint("free"), model.vis.map, spec.world.add("body", name="a")
    size = element.add("geom", size=[0.5, 0, 0]).size
    del model, data, batch, spec
    gc.collect()
    rubbish = [np.full(5000, 7.0) for _ in range(2000)]
    for view in views:
        copied = np.array(view)
        assert copied.nbytes == view.nbytes
        if view.flags.writeable and view.dtype.names is None:
            view[...] = copied
    assert named.qpos.shape == (7,) and member.znear > 0 and size[0] == 0.5 and len(rubbish) == 2000
    assert element.name == "a"


def test_contacts_after_more_steps(model):
    """The arena is used anew at each step: old views show other numbers, and stay inside of it."""
    data = sinew.Data(model)
    data.forward()
    kept = []
    for _ in range(200):
        kept.append((data.contact, data.efc_force, data.efc_J))
        data.step()
    assert all(np.isfinite(contact["dist"]).size == len(contact) for contact, *_ in kept)


@pytest.mark.parametrize(
    "call",
    [
        lambda m: sinew.Data(None),
        lambda m: sinew.Data(3),
        lambda m: sinew.Batch("model", 3),
        lambda m: sinew.Batch(m, -1),
        lambda m: sinew.Batch(m, 2, threads=-5),
        pytest.param(lambda m: sinew.Batch(m, 2**31 - 1), marks=ENDS_UNDER_SANITIZERS),
        lambda m: sinew.Batch(m, 2, precision="half"),
        lambda m: sinew.Batch(m, 2).state("nothing"),
        lambda m: sinew.Batch(m, 2).state(""),
        lambda m: sinew.Batch(m, 2).output("qpos"),
        lambda m: sinew.Batch(m, 2).parameter("geom_nothing"),
        lambda m: sinew.Batch(m, 2).step(-1),
        lambda m: sinew.Batch(m, 2).step(1, np.ones(3, bool)),
        lambda m: sinew.Batch(m, 2).step(1, np.ones((2, 1), bool)),
        lambda m: sinew.Batch(m, 2).step(1, np.ones(2)),
        lambda m: sinew.Batch(m, 2).step(1, stage=77),
        lambda m: sinew.Batch(m, 2).reset(keyframes=np.array([0, 9], np.int32)),
        lambda m: sinew.Batch(m, 2).reset(keyframes=np.array([0], np.int32)),
        lambda m: sinew.Batch(m, 2).reset(keyframes=np.array([0.0, 1.0])),
        lambda m: sinew.Batch(m, 2).rollout(np.zeros((2, 3))),
        lambda m: sinew.Batch(m, 2).rollout(np.zeros((2, 3, 2))),
        lambda m: sinew.Batch(m, 2).rollout(np.zeros((2, 3, 1)), ["efc_J"]),
        lambda m: sinew.Batch(m, 2).rollout(np.zeros((2, 3, 1)), ["nothing"]),
        lambda m: sinew.Batch(m, 2).randomize("qpos", [0.0], [1.0, 2.0, 3.0]),
        lambda m: sinew.Batch(m, 2).randomize("qpos", [0.0], [np.nan]),
        lambda m: sinew.Batch(m, 2).randomize("nothing", 0.0, 1.0),
        lambda m: sinew.Batch(m, 2).world(5),
        lambda m: sinew.Batch(m, 2).cause(-1),
        lambda m: sinew.Batch(m, 2).wait(),
        lambda m: sinew.Batch(m, 2).render(None),
        lambda m: sinew.Batch(m, 2).render(sinew.Renderer(m, 8, 8), [7]),
        lambda m: sinew.Batch(m, 2).render(sinew.Renderer(sinew.Model.from_xml_string("<mujoco/>"), 8, 8)),
        lambda m: sinew.Renderer(sinew.Model.from_xml_string("<mujoco/>"), 8, 8).render(sinew.Data(m)),
        lambda m: sinew.Renderer(m, 8, 8).use("nowhere"),
        lambda m: sinew.Renderer(m, 8, 8).use_camera(9),
        lambda m: sinew.Renderer(m, 8, 8).look(at=[1, 2], distance=1),
        pytest.param(lambda m: sinew.Renderer(m, 10**9, 10**9), marks=ENDS_UNDER_SANITIZERS),
        lambda m: sinew.Data(m).reset(5),
        lambda m: sinew.Data(m).step(-3),
        lambda m: sinew.Data(m).jac_body(99),
        lambda m: sinew.Data(m).jac_site(-1),
        lambda m: sinew.Data(m).contact_force(3),
        lambda m: sinew.Data(m).ray([0, 0], [0, 0, 1]),
        lambda m: sinew.Data(m).set_state(np.zeros(2)),
        lambda m: sinew.Data(m).set_state(np.zeros(2), 1 << 30),
        lambda m: sinew.Data(m).state(1 << 30),
        lambda m: sinew.Data(m).restore(b"12345"),
        lambda m: sinew.Data(m).restore(sinew.Data(sinew.Model.from_xml_string("<mujoco/>")).snapshot()),
        lambda m: setattr(sinew.Data(m), "qpos", [1, 2]),
        lambda m: setattr(sinew.Data(m), "qpos", "text"),
        lambda m: setattr(m.opt, "timestep", "text"),
        lambda m: setattr(m.opt, "nothing", 1),
        lambda m: sinew.Model.from_bytes(b"no model"),
        lambda m: sinew.Model.from_bytes(m.to_bytes()[:-10]),
        lambda m: sinew.Model.from_xml_string("<mujoco"),
        lambda m: sinew.Model.from_xml_string("<mujoco/>", {"a": "text"}),
        lambda m: m.find(99999, "arm") + 0 * m.body("leg").id,
        lambda m: sinew.Spec().add("nothing"),
        lambda m: sinew.Spec().world.add("geom", size="text"),
        lambda m: sinew.Spec().world.add("geom", sizes=[1]),
        lambda m: sinew.Spec().world.delete(),
        lambda m: sinew.Spec().find("body", "b"),
    ],
    ids=str,
)
def test_wrong_arguments(model, call):
    with pytest.raises(Exception) as caught:
        call(model)
    assert str(caught.value), "no text"


def test_names_of_no_type(model):
    assert model.find(99999, "arm") == -1 and model.name_of(99999, 0) == "" and model.name_of(1, 99999) == ""


def test_threads_do_what_they_like(model):
    """Steps, resets, copies and views of one batch and one world from four threads: errors, but no crash."""
    batch, data, stop = sinew.Batch(model, 16, threads=2), sinew.Data(model), threading.Event()
    strange = []

    def work(calls):
        while not stop.is_set():
            for call in calls:
                try:
                    call()
                except (ValueError, RuntimeError):
                    pass
                except Exception as error:  # noqa: BLE001
                    strange.append(error)
                    return

    jobs = [
        [lambda: batch.step(2), lambda: batch.status.sum()],
        [lambda: batch.reset(), lambda: batch.state("qpos").sum(), lambda: batch.cause(3)],
        [lambda: sinew.Batch(model, 3, threads=1).step(3), lambda: sinew.Data(model).step(3)],
        [lambda: batch.forward(), lambda: batch.output("xpos").sum(), lambda: data.copy().step()],
    ]
    threads = [threading.Thread(target=work, args=(calls,)) for calls in jobs]
    for thread in threads:
        thread.start()
    for _ in range(300):
        np.random.default_rng(0).normal(size=1000).sum()
        sinew.Model.from_xml_string(PENDULUM)
    stop.set()
    for thread in threads:
        thread.join()
    assert not strange
