"""Pictures of rollouts."""

import mujoco
import numpy as np


def render_rollout(model, data, state, framerate, camera=-1, width=640, height=480, light_pos=None):
    """Pictures of states (nbatch x nstep x nstate), one batch after the other."""
    del light_pos
    models = [model] if isinstance(model, mujoco.MjModel) else list(model)
    frames = []
    for i, states in enumerate(np.asarray(state)):
        of = models[i if len(models) > 1 else 0]
        stride = max(1, round(1 / (framerate * of.opt.timestep)))
        with mujoco.Renderer(of, height, width) as renderer:
            for row in states[::stride]:
                mujoco.mj_setState(of, data, row, mujoco.mjtState.mjSTATE_FULLPHYSICS)
                mujoco.mj_forward(of, data)
                renderer.update_scene(data, camera)
                frames.append(renderer.render())
    return frames
