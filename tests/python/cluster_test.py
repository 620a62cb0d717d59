"""Batches on several nodes of a Ray cluster on this machine: results do not depend on their number, nor on one's death."""

import time

import numpy as np
import pytest

import sinew

pytest.importorskip("ray")

import ray  # noqa: E402
from ray.cluster_utils import Cluster  # noqa: E402

import sinew.ray  # noqa: E402

from package_test import PENDULUM  # noqa: E402

WORLDS, STEPS = 30, 10
RANGES = [
    sinew.ray.Range("body_mass", 0.5, 2.0, combine="scale"),
    sinew.ray.Range("qvel", 0.0, 0.2, draw="normal", combine="add"),
]


@pytest.fixture(scope="module")
def cluster():
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    ray.init(address=cluster.address, log_to_driver=False)
    yield cluster
    ray.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def model():
    return sinew.Model.from_xml_string(PENDULUM)


def alone(model, controls, episodes):
    """What a batch without Ray gives, run by run."""
    from sinew.ray import _Worker

    worker = _Worker(model.to_bytes(), 3, RANGES, 1)
    return [worker.run(0, WORLDS, i + 1, sinew.ray._rollout, [controls, ["qpos"]])["qpos"] for i in range(episodes)]


def wait_for_death(node):
    """Until the cluster knows; a rollout before that may end on workers that are still alive."""
    while any(known["Alive"] for known in ray.nodes() if known["NodeID"] == node.node_id):
        time.sleep(0.05)


def test_nodes_do_not_matter(cluster, model):
    controls = np.random.default_rng(0).uniform(-1, 1, (WORLDS, STEPS, 1))
    expected = alone(model, controls, 2)
    assert not np.array_equal(expected[0], expected[1])
    nodes = [cluster.add_node(num_cpus=1) for _ in range(2)]
    cluster.wait_for_nodes()
    for actors in (1, 3):
        fleet = sinew.ray.Fleet(model, WORLDS, seed=3, ranges=RANGES, actors=actors, threads=1)
        for i in range(2):
            assert np.array_equal(fleet.rollout(controls, ["qpos"])["qpos"], expected[i]), (actors, i)
    fleet = sinew.ray.Fleet(model, WORLDS, seed=3, ranges=RANGES, threads=1)
    assert len(fleet._actors) == 3
    assert np.array_equal(fleet.rollout(controls, ["qpos"])["qpos"], expected[0])
    cluster.remove_node(nodes[1], allow_graceful=False)
    wait_for_death(nodes[1])
    assert np.array_equal(fleet.rollout(controls, ["qpos"])["qpos"], expected[1])
    assert fleet.replaced >= 1


def test_functions_of_the_users(cluster, model):
    def episode(batch, numbers, gain):
        ctrl, qpos = batch.state("ctrl"), batch.state("qpos")
        for _ in range(5):
            ctrl[:, 0] = -gain * qpos[:, 0]
            batch.step()
        return {"angle": qpos[:, 0].copy(), "number": numbers}

    fleet = sinew.ray.Fleet(model, 7, actors=2, threads=1)
    result = fleet.run(episode, 0.5)
    assert result["number"].tolist() == list(range(7)) and result["angle"].shape == (7,)


def test_arguments_are_checked(cluster, model):
    with pytest.raises(ValueError, match="worlds is 0"):
        sinew.ray.Fleet(model, 0)
    with pytest.raises(ValueError, match="controls have the shape"):
        sinew.ray.Fleet(model, 4, actors=1).rollout(np.zeros((3, 2, 1)))
