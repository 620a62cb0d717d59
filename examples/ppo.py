"""Proximal policy optimization: Gymnasium's Humanoid-v5 is trained to stand, in one process and without a graphics
processor (J. Schulman, F. Wolski, P. Dhariwal, A. Radford, O. Klimov, "Proximal Policy Optimization Algorithms",
arXiv:1707.06347, 2017; advantages as in J. Schulman et al., "High-Dimensional Continuous Control Using Generalized
Advantage Estimation", ICLR 2016).

The policy sees heights, angles and velocities only. This humanoid has no ankles: it stands by stepping. Whoever only
stiffens its joints falls within 1.3 s (90 steps); an episode ends after 15 s (1,000 steps).

    pip install torch gymnasium
    python examples/ppo.py --curve curve.csv       # exit code 0 when episodes last long enough
"""

import argparse
import time

import numpy as np
import torch

import sinew.gym

SETTINGS = {
    "include_cinert_in_observation": False,
    "include_cvel_in_observation": False,
    "include_qfrc_actuator_in_observation": False,
    "include_cfrc_ext_in_observation": False,
}


class Normalizer:
    """Mean and variance of all that was seen so far, and values in units of them."""

    def __init__(self, size):
        self.count, self.mean, self.square = 1e-4, np.zeros(size), np.ones(size) * 1e-4

    def learn(self, values):
        share = len(values) / (self.count + len(values))
        difference = values.mean(axis=0) - self.mean
        # sums of squares around the means, joined (Chan, Golub, LeVeque 1979)
        self.square += len(values) * (values.var(axis=0) + difference**2 * (1 - share))
        self.count += len(values)
        self.mean += difference * share

    def __call__(self, values):
        deviation = np.sqrt(self.square / self.count) + 1e-8
        return torch.as_tensor(np.clip((values - self.mean) / deviation, -10, 10), dtype=torch.float32)


def network(inputs, outputs, scale, width=64):
    layers = []
    for size in (inputs, width):
        layers += [torch.nn.Linear(size, width), torch.nn.Tanh()]
    last = torch.nn.Linear(width, outputs)
    torch.nn.init.orthogonal_(last.weight, scale)
    torch.nn.init.zeros_(last.bias)
    return torch.nn.Sequential(*layers, last)


class Agent(torch.nn.Module):
    """A Gaussian policy around a mean, with one deviation for each action, and a value."""

    def __init__(self, inputs, actions, deviation):
        super().__init__()
        self.mean, self.value = network(inputs, actions, 0.01), network(inputs, 1, 1.0)
        self.log_deviation = torch.nn.Parameter(torch.full((actions,), float(np.log(deviation))))

    def policy(self, observations):
        return torch.distributions.Normal(self.mean(observations), self.log_deviation.exp(), validate_args=False)


def advantages_of(rewards, values, ends, discount, trace):
    """Generalized advantages, steps x environments; `values` has one row more, `ends` stop the sum."""
    advantages, following = np.zeros_like(rewards), 0.0
    for t in reversed(range(len(rewards))):
        difference = rewards[t] + discount * values[t + 1] * (1 - ends[t]) - values[t]
        advantages[t] = following = difference + discount * trace * (1 - ends[t]) * following
    return advantages


class Training:
    def __init__(self, options):
        torch.manual_seed(options.seed)
        torch.set_num_threads(options.threads)
        self.options, self.rng = options, np.random.default_rng(options.seed)
        self.envs = self.make_envs()
        self.low, self.high = self.envs.single_action_space.low, self.envs.single_action_space.high
        self.observations, _ = self.envs.reset(seed=options.seed)
        self.normalize = Normalizer(self.observations.shape[1])
        self.normalize.learn(self.observations)
        self.agent = Agent(self.observations.shape[1], len(self.low), options.deviation)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=1e-4, eps=1e-5)
        self.lengths, self.running = [], np.zeros(options.envs, int)

    def make_envs(self):
        return sinew.gym.make_vec(
            "Humanoid-v5", self.options.envs, autoreset_mode="SameStep", threads=self.options.threads, **SETTINGS
        )

    def collect(self):
        """A piece of every environment's episode."""
        seen, actions, chances, rewards, values, ends, raw = [], [], [], [], [], [], []
        for _ in range(self.options.horizon):
            observed = self.normalize(self.observations)
            raw.append(self.observations)
            with torch.no_grad():
                policy, value = self.agent.policy(observed), self.agent.value(observed)[:, 0]
                action = policy.sample()
                chance = policy.log_prob(action).sum(1)
            self.observations, reward, terminated, truncated, info = self.envs.step(
                np.clip(action.numpy(), self.low, self.high)
            )
            self.running += 1
            ended = terminated | truncated
            reward = reward * self.options.scale
            if truncated.any():  # an episode that is cut off would have gone on
                final = self.normalize(np.stack(info["final_obs"][truncated]))
                with torch.no_grad():
                    reward[truncated] += self.options.discount * self.agent.value(final)[:, 0].numpy()
            self.lengths += self.running[ended].tolist()
            self.running[ended] = 0
            for kept, new in zip((seen, actions, chances), (observed, action, chance)):
                kept.append(new)
            for kept, new in zip((rewards, values, ends), (reward, value.numpy(), ended)):
                kept.append(new)
        with torch.no_grad():
            values.append(self.agent.value(self.normalize(self.observations))[:, 0].numpy())
        # only now, so that all of this piece is in the same units
        self.normalize.learn(np.concatenate(raw))
        values = np.array(values)
        ends = np.array(ends, float)
        gains = advantages_of(np.array(rewards), values, ends, self.options.discount, self.options.trace)
        targets = torch.as_tensor((gains + values[:-1]).ravel(), dtype=torch.float32)
        gains = torch.as_tensor(gains.ravel(), dtype=torch.float32)
        gains = (gains - gains.mean()) / (gains.std() + 1e-8)
        return torch.cat(seen), torch.cat(actions), torch.cat(chances), gains, targets

    def improve(self, seen, actions, chances, gains, targets):
        """Passes over what was seen; returns how far the policy went (Kullback-Leibler divergence)."""
        changes = []
        for _ in range(self.options.epochs):
            for part in torch.as_tensor(self.rng.permutation(len(seen))).chunk(self.options.parts):
                difference = self.agent.policy(seen[part]).log_prob(actions[part]).sum(1) - chances[part]
                ratio, gain = difference.exp(), gains[part]
                loss = -torch.min(ratio * gain, ratio.clamp(0.8, 1.2) * gain).mean()
                loss = loss + 0.5 * (self.agent.value(seen[part])[:, 0] - targets[part]).square().mean()
                self.optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(self.agent.parameters(), 1.0)
                self.optimizer.step()
                changes.append((ratio - 1 - difference).mean().item())
        return np.mean(changes[-self.options.parts :])

    def follow(self, change):
        """The rate of learning goes up where the policy hardly changes, and down where it jumps."""
        for group in self.optimizer.param_groups:
            factor = 1 / 1.5 if change > 2 * self.options.change else 1.5 if change < self.options.change / 2 else 1
            group["lr"] = float(np.clip(group["lr"] * factor, 1e-5, 2e-3))

    def run(self):
        """Trains until the time is over or episodes are long enough."""
        options, start, steps, rows = self.options, time.time(), 0, []
        while True:
            self.follow(self.improve(*self.collect()))
            steps += options.horizon * options.envs
            latest = np.mean(self.lengths[-100:]) if self.lengths else 0.0
            rows.append((steps, time.time() - start, time.process_time(), latest))
            minutes = rows[-1][1] / 60
            over = minutes >= options.minutes or steps >= options.steps or latest >= options.goal
            if len(rows) % options.show == 0 or over:
                print(f"{steps:9d} steps {minutes:5.1f} min  episodes last {latest:6.1f} steps", flush=True)
                if options.curve:
                    names = "steps,seconds,processor,length"
                    np.savetxt(options.curve, rows, fmt="%.6g", delimiter=",", header=names, comments="")
            if over:
                return

    def evaluate(self):
        """How long episodes last without noise in the actions: the mean of the first episode of each environment."""
        envs, lengths = self.make_envs(), np.zeros(self.options.envs)
        observations, _ = envs.reset(seed=self.options.seed + 10_000)
        alive = np.ones(self.options.envs, bool)
        while alive.any():
            with torch.no_grad():
                action = self.agent.mean(self.normalize(observations)).numpy()
            observations, _, terminated, truncated, _ = envs.step(np.clip(action, self.low, self.high))
            lengths += alive
            alive &= ~(terminated | truncated)
        return lengths.mean()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--envs", type=int, default=128, help="environments (default 128)")
    parser.add_argument("--horizon", type=int, default=32, help="steps of each between updates (default 32)")
    parser.add_argument("--epochs", type=int, default=10, help="passes over these steps (default 10)")
    parser.add_argument("--parts", type=int, default=32, help="pieces of a pass (default 32)")
    parser.add_argument("--change", type=float, default=0.015, help="of the policy by an update (default 0.015)")
    parser.add_argument("--scale", type=float, default=0.05, help="of rewards (default 0.05)")
    parser.add_argument("--deviation", type=float, default=0.2, help="of actions, at first (default 0.2)")
    parser.add_argument("--discount", type=float, default=0.99, help="of rewards (default 0.99)")
    parser.add_argument("--trace", type=float, default=0.95, help="lambda of the advantages (default 0.95)")
    parser.add_argument("--threads", type=int, default=1, help="of the engine and of torch (default 1)")
    parser.add_argument("--steps", type=float, default=1e8, help="at most so many steps (default 1e8)")
    parser.add_argument("--minutes", type=float, default=30, help="at most so long (default 30)")
    parser.add_argument("--goal", type=float, default=900, help="mean length of 100 episodes (default 900 steps)")
    parser.add_argument("--seed", type=int, default=0, help="(default 0)")
    parser.add_argument("--curve", help="file for steps, seconds and lengths of episodes")
    parser.add_argument("--show", type=int, default=20, help="updates between lines (default 20)")
    options = parser.parse_args()
    training = Training(options)
    training.run()
    length, latest = training.evaluate(), np.mean(training.lengths[-100:])
    print(f"episodes last {latest:.0f} steps, without noise {length:.0f}; the goal is {options.goal:.0f}")
    return 0 if max(latest, length) >= options.goal else 1


if __name__ == "__main__":
    raise SystemExit(main())
