"""Inverse tools."""
from sinew.biomech.dynamics import ExternalLoad, Motion, inverse_dynamics, motion
from sinew.biomech.kinematics import Kinematics, inverse_kinematics
from sinew.biomech.markers import Markers, read_c3d, read_trc, write_trc
from sinew.biomech.settings import read_external_loads, read_weights
from sinew.biomech.signals import Spline, low_pass
from sinew.biomech.subject import Subject
from sinew.biomech.tables import FileError, Table, read_table, write_table
from sinew.biomech.muscles import Capacity, StaticOptimization, static_optimization
from sinew.biomech.reactions import Reactions, joint_reactions
