#!/usr/bin/env python3
"""The set `robots`: models by which worlds in lanes are judged, of packages that install and of our own.

    python bench/robots.py FOLDER --packages PATH...          # writes the models that it finds, prints their files
    python3 versus batch --worlds 256 --lib LIB $(python bench/robots.py FOLDER -k g1 go2)

Robots come as their makers ship them (mjlab, robosuite, example-robot-data, gym-aloha, gymnasium-robotics, in the running
environment or in the folders of --packages, as `pip install --target` makes them): a floor, a free base, position drives, the
inertia of motors and a first key frame in which the robot stands are added where a file has none. Pairs of links that overlap there do not
collide. Models of our own stand for what is not in packages: legs of cylinders and boxes, a humanoid of hulls with up to
2,552 vertices, feet on terrain and stairs, a hand with a cube, an arm in clutter. The environment needs `mujoco`.
"""

import argparse
import pathlib
import sys

import mujoco
import numpy as np

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
DATA = "cmeel.prefix/share/example-robot-data/robots"
# Model -> file below a folder of packages, or below `models/` where it begins with it; a name behind # is a key frame to
# start from.
ROBOTS = {
    "g1": "mjlab/asset_zoo/robots/unitree_g1/xmls/g1.xml",
    "g1_hulls": f"{DATA}/g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "go1": "mjlab/asset_zoo/robots/unitree_go1/xmls/go1.xml",
    "go2": f"{DATA}/go2_description/urdf/go2.urdf",
    "a1": f"{DATA}/a1_description/urdf/a1.urdf",
    "talos": f"{DATA}/talos_data/robots/talos_full_v2.urdf",
    "gr1": "robosuite/models/assets/robots/gr1/robot.xml",
    "spot": "robosuite/models/assets/robots/spot/robot.xml",
    "aloha": "gym_aloha/assets/bimanual_viperx_insertion.xml",
    "hand": "gymnasium_robotics/envs/assets/hand/manipulate_block.xml",
    "cylinders": "models/robots/cylinder_quadruped.xml",
    "stairs": "models/robots/cylinder_quadruped.xml#stairs",
    "terrain": "models/robots/terrain_quadruped.xml",
    "hulls": "models/robots/hull_humanoid.xml",
    "cube": "models/hands/cube_hand.xml",
    "clutter": "models/hands/clutter_arm.xml",
}
STIFFNESS = 0.3  # of drives that are added, in the joint's largest torque per radian


def file_of(name, folders):
    """The file of a robot and the name of its key frame, or None where its package is not there."""
    source, _, key = ROBOTS[name].partition("#")
    if source.startswith("models/"):
        return MODELS / source.removeprefix("models/"), key
    for folder in folders:
        if (folder / source).exists():
            return folder / source, key
    return None


def folders_of(paths):
    """Folders that hold packages: those of the command line and of the running environment."""
    return [pathlib.Path(path) for path in paths] + [pathlib.Path(path) for path in sys.path if path]


def specification(path):
    """The robot's MjSpec; URDF files name their meshes by package."""
    if path.suffix != ".urdf":
        return mujoco.MjSpec.from_file(str(path))
    robots = [parent for parent in path.parents if parent.name == "robots"][-1]
    text = path.read_text().replace("package:///", "package://").replace("package://example-robot-data/robots", str(robots))
    options = '<mujoco><compiler strippath="false" fusestatic="true" discardvisual="true"/></mujoco>'
    head, _, rest = text.partition("<robot")
    name, _, body = rest.partition(">")
    return mujoco.MjSpec.from_string(f"{head}<robot{name}>{options}{body}")


def is_mobile(spec):
    """Whether the robot has legs: its base is free, or would be."""
    return any(word in spec.modelname.lower() for word in ("g1", "go1", "go2", "a1", "talos", "spot", "gr1"))


def complete(spec):
    """Adds floor, base and drives where there are none, and a key frame in which the robot stands."""
    base = next(body for body in spec.worldbody.bodies if is_mobile(spec) or body.joints)
    if is_mobile(spec) and not any(joint.type == mujoco.mjtJoint.mjJNT_FREE for joint in base.joints):
        base.add_freejoint()
    if not any(geom.type == mujoco.mjtGeom.mjGEOM_PLANE for geom in spec.worldbody.geoms):
        spec.worldbody.add_geom(name="floor", type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.05])
    if all(actuator.biastype == mujoco.mjtBias.mjBIAS_NONE for actuator in spec.actuators):
        add_drives(spec)
    for joint in spec.joints:
        if joint.type in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE):
            joint.armature = joint.armature or 0.01
    model = spec.compile()
    data = mujoco.MjData(model)
    stand(model, data)
    exclude_overlaps(spec, model, data)
    model = spec.compile()
    if model.nkey == 0:
        spec.add_key(name="start", qpos=data.qpos, ctrl=hold(model, data))


def add_drives(spec):
    """A position drive for each hinge and slide, with the torque that the file gives, in the place of motors."""
    for actuator in list(spec.actuators):
        spec.delete(actuator)
    for joint in spec.joints:
        if joint.type in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
            continue
        torque = joint.actfrcrange[1] or 50
        drive = spec.add_actuator(name=joint.name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        drive.set_to_position(kp=STIFFNESS * torque, kv=0.02 * torque)
        drive.forcerange = [-torque, torque]
        drive.ctrlrange = joint.range if joint.limited else [-1, 1]


def stand(model, data):
    """Puts a free base where its lowest part touches the floor."""
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    if model.njnt == 0 or model.jnt_type[0] != mujoco.mjtJoint.mjJNT_FREE:
        return mujoco.mj_forward(model, data)
    floor = next(i for i in range(model.ngeom) if model.geom_type[i] == mujoco.mjtGeom.mjGEOM_PLANE)
    data.qpos[2] = data.geom_xpos[floor, 2] + 2
    mujoco.mj_kinematics(model, data)
    solid = [i for i in range(model.ngeom) if model.geom_contype[i] and model.geom_bodyid[i]]
    data.qpos[2] -= min(mujoco.mj_geomDistance(model, data, floor, i, 10, None) for i in solid)
    return mujoco.mj_forward(model, data)


def exclude_overlaps(spec, model, data):
    """Links that overlap at the start do not collide with each other."""
    pairs = {tuple(sorted(model.geom_bodyid[contact.geom])) for contact in data.contact if contact.dist < 0}
    for one, other in pairs:
        if model.body_weldid[one] == 0 or model.body_weldid[other] == 0:
            continue
        spec.add_exclude(bodyname1=model.body(one).name, bodyname2=model.body(other).name)


def hold(model, data):
    """Controls that hold the present pose: of position drives, the joint's position."""
    ctrl = np.zeros(model.nu)
    for i in range(model.nu):
        is_position = model.actuator_biastype[i] == mujoco.mjtBias.mjBIAS_AFFINE and model.actuator_biasprm[i, 1] < 0
        if is_position and model.actuator_trntype[i] == mujoco.mjtTrn.mjTRN_JOINT:
            ctrl[i] = data.qpos[model.jnt_qposadr[model.actuator_trnid[i, 0]]]
    return ctrl


def start_from(spec, key):
    """Leaves the key frame `key` alone, from which programs start."""
    for frame in list(spec.keys):
        if frame.name != key:
            spec.delete(frame)


def write(name, path, key, folder):
    """Writes the model into the folder; those of our own that need nothing stay where they are."""
    if path.is_relative_to(MODELS) and not key:
        return path
    spec = specification(path)
    if key:
        start_from(spec, key)
    else:
        complete(spec)
    spec.meshdir = str((path.parent / spec.meshdir).resolve()) if spec.meshdir or path.suffix != ".urdf" else spec.meshdir
    spec.texturedir = str((path.parent / spec.texturedir).resolve())
    spec.compile()
    out = folder / f"{name}.xml"
    out.write_text(spec.to_xml())
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, help="where models are written")
    parser.add_argument("--packages", nargs="*", default=[], help="folders with packages, beside the environment's")
    parser.add_argument("-k", nargs="*", default=list(ROBOTS), metavar="NAME", choices=list(ROBOTS), help="some robots only")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    folders = folders_of(arguments.packages)
    for name in arguments.k:
        found = file_of(name, folders)
        if found:
            print(write(name, *found, arguments.folder))
        else:
            print(f"{name}: no package here has {ROBOTS[name]}", file=sys.stderr)


if __name__ == "__main__":
    main()
