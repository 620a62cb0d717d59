"""Inverse tools of biomechanics: from measured markers and forces to angles, moments, muscle forces and loads in joints.

    from sinew import biomech

    subject = biomech.Subject("subject01.osim")
    markers = biomech.read_trc("walk.trc")
    weights, tasks = biomech.read_weights("walk_Setup_IK.xml")
    kinematics = biomech.inverse_kinematics(subject, markers, weights, tasks)
    biomech.write_table(kinematics.table, "walk_IK.mot")

    loads = biomech.read_external_loads("walk_grf.xml")
    moments = biomech.inverse_dynamics(subject, kinematics.table, loads, cutoff=6)
    muscles = biomech.static_optimization(subject, kinematics.table, loads, cutoff=6, reserves=1)
    reactions = biomech.joint_reactions(subject, kinematics.table, muscles.forces, loads, cutoff=6)

Each call works on all frames at once. Units are SI and radians, but tables of coordinates may be in degrees, as they are in
files (`Table.in_degrees`). Markers and loads are in the ground frame of the files, in OpenSim with y up.
"""

from sinew.biomech.dynamics import ExternalLoad, Motion, inverse_dynamics, motion
from sinew.biomech.kinematics import Kinematics, inverse_kinematics
from sinew.biomech.markers import Markers, read_c3d, read_trc, write_trc
from sinew.biomech.muscles import Capacity, StaticOptimization, capacity, static_optimization
from sinew.biomech.reactions import Reactions, joint_reactions
from sinew.biomech.scaling import Measurement, scale_factors, scale_model
from sinew.biomech.settings import read_external_loads, read_weights
from sinew.biomech.signals import Spline, low_pass
from sinew.biomech.subject import Subject
from sinew.biomech.tables import FileError, Table, read_table, write_table

__all__ = [
    "Capacity", "ExternalLoad", "FileError", "Kinematics", "Markers", "Measurement", "Motion", "Reactions", "Spline",
    "StaticOptimization", "Subject", "Table", "capacity", "inverse_dynamics", "inverse_kinematics", "joint_reactions",
    "low_pass", "motion", "read_c3d", "read_external_loads", "read_table", "read_trc", "read_weights", "scale_factors",
    "scale_model", "static_optimization", "write_table", "write_trc",
]  # fmt: skip
