"""Parts of `mujoco.sysid`."""
