"""Batches on many machines, by Ray (Moritz et al., "Ray: A distributed framework for emerging AI applications",
OSDI 2018): an actor with a batch on each node.

    import ray, sinew, sinew.ray

    ray.init()
    fleet = sinew.ray.Fleet(model, worlds=10_000, ranges=[sinew.ray.Range("body_mass", 0.8, 1.2, combine="scale")])
    result = fleet.rollout(controls, records=["qpos"])       # (10000, steps, nq)
    result = fleet.run(episode, policy)                      # episode(batch, numbers, policy) -> {name: array}

Every run begins with a reset, whose random numbers follow from the seed, the count of the run and the number of the
world. So a result does not depend on how many nodes there are, and what a dead node computed is computed again by the
one that replaces it, with the same result.
"""

import dataclasses
from typing import Any, Callable, Optional, Sequence, Union

import numpy as np
import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

from sinew._sinew import Batch, Model


@dataclasses.dataclass
class Range:
    """A part of the state or a parameter that a reset draws, as `Batch.randomize` takes it."""

    name: str
    low: Any
    high: Any
    draw: str = "uniform"
    combine: str = "set"


class _Worker:
    """The worlds of a node. It keeps a batch for each piece that it was given."""

    def __init__(self, model: bytes, seed: int, ranges: Sequence[Range], threads: int):
        self.model, self.seed, self.ranges, self.threads = Model.from_bytes(model), seed, ranges, threads
        self.batches: dict = {}

    def _batch(self, first, count):
        if (first, count) not in self.batches:
            batch = Batch(self.model, count, threads=self.threads, first_world=first)
            for known in self.ranges:
                low, high = (np.atleast_1d(np.asarray(end, float)) for end in (known.low, known.high))
                batch.randomize(known.name, low, high, draw=known.draw, combine=known.combine)
            self.batches = {(first, count): batch}
        return self.batches[first, count]

    def run(self, first, count, episode, function, arguments):
        batch = self._batch(first, count)
        # a seed of its own for each run: a reset of a new batch is then that of one that has run before
        batch.seed(int(np.random.SeedSequence([self.seed, episode]).generate_state(1, np.uint64)[0]))
        batch.reset()
        return function(batch, np.arange(first, first + count), *arguments)


class Fleet:
    """Worlds of a model on all nodes of a Ray cluster."""

    def __init__(
        self,
        model: Model,
        worlds: int,
        seed: int = 0,
        ranges: Sequence[Range] = (),
        actors: Optional[int] = None,
        threads: int = 0,
        attempts: int = 5,
    ):
        """`actors`: how many; one for each node. `threads` of each; 0: all of its node. A piece of the worlds is given
        to a new actor at most `attempts` times."""
        if worlds < 1:
            raise ValueError(f"worlds is {worlds}; there must be one at least")
        self.worlds, self.attempts, self.episode = worlds, attempts, 0
        nodes = [node["NodeID"] for node in ray.nodes() if node["Alive"]]
        count = min(actors or len(nodes), worlds)
        self._arguments = (ray.put(model.to_bytes()), seed, list(ranges), threads)
        self._worker = ray.remote(_Worker)
        self._actors = [self._start(nodes[i % len(nodes)]) for i in range(count)]
        edges = np.linspace(0, worlds, count + 1).astype(int)
        self._pieces = list(zip(edges[:-1].tolist(), np.diff(edges).tolist()))
        self.replaced = 0  # actors that died

    def _start(self, node=None):
        strategy = NodeAffinitySchedulingStrategy(node, soft=True) if node else "SPREAD"
        return self._worker.options(num_cpus=0, scheduling_strategy=strategy).remote(*self._arguments)

    def run(self, function: Callable, *arguments: Any) -> dict:
        """Resets all worlds and calls function(batch, numbers of its worlds, *arguments) on each node; results, arrays by
        name with a row for each world, are put together in the order of the worlds."""
        self.episode += 1
        call = (self.episode, function, [ray.put(argument) for argument in arguments])
        waiting = {self._send(i, call): i for i in range(len(self._actors))}
        results: list = [None] * len(self._actors)
        attempts = [0] * len(self._actors)
        while waiting:
            (done,), _ = ray.wait(list(waiting), num_returns=1)
            i = waiting.pop(done)
            try:
                results[i] = ray.get(done)
            except ray.exceptions.RayActorError as error:
                attempts[i] += 1
                if attempts[i] > self.attempts:
                    raise RuntimeError(f"worlds from {self._pieces[i][0]} on: {attempts[i]} actors died") from error
                self.replaced += 1
                self._actors[i] = self._start()
                waiting[self._send(i, call)] = i
        return {name: np.concatenate([result[name] for result in results]) for name in results[0]}

    def _send(self, i, call):
        episode, function, arguments = call
        return self._actors[i].run.remote(*self._pieces[i], episode, function, _Arguments(arguments))

    def rollout(self, controls: np.ndarray, records: Union[Sequence[str], None] = None) -> dict:
        """Resets, then applies controls (worlds x steps x nu, or steps x nu for all); records are worlds x steps x size."""
        controls = np.asarray(controls, np.float64)
        if controls.ndim not in (2, 3) or (controls.ndim == 3 and len(controls) != self.worlds):
            raise ValueError(f"controls have the shape {controls.shape}; they take ({self.worlds}, steps, nu)")
        return self.run(_rollout, controls, list(records or ("qpos", "qvel")))


class _Arguments:
    """References that the actor looks up; Ray itself looks up those that are arguments and not parts of one."""

    def __init__(self, references):
        self.references = references

    def __iter__(self):
        return iter(ray.get(self.references))


def _rollout(batch, numbers, controls, records):
    mine = controls[numbers] if controls.ndim == 3 else np.repeat(controls[None], len(numbers), axis=0)
    return batch.rollout(np.ascontiguousarray(mine), records)
