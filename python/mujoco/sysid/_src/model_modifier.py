"""Parameters in specifications: gains of actuators, masses and inertias of bodies."""

import numpy as np

import mujoco
from mujoco.sysid._src.parameter import InertiaType, Parameter


def _find(spec, kind, name):
    element = getattr(spec, kind)(name)
    if element is None:
        raise ValueError(f"{kind.capitalize()} '{name}' not found in the specification")
    return element


def is_position_actuator(actuator):
    """Whether force is gain times (control - position) - damping times velocity."""
    return actuator.biastype == mujoco.mjtBias.mjBIAS_AFFINE and actuator.gainprm[0] == -actuator.biasprm[1]


def get_actuator_pd_gains(actuator):
    return actuator.gainprm[0], -actuator.biasprm[2]


def _number(value):
    return float(np.asarray(value).item())


def apply_pgain(spec, actuator_name, value):
    """Sets the stiffness of a position actuator."""
    actuator = _find(spec, "actuator", actuator_name)
    actuator.gainprm[0], actuator.biasprm[1] = _number(value), -_number(value)
    return spec


def apply_dgain(spec, actuator_name, value):
    """Sets the damping of a position actuator."""
    _find(spec, "actuator", actuator_name).biasprm[2] = -_number(value)
    return spec


def apply_pdgain(spec, actuator_name, value):
    """Sets both."""
    apply_pgain(spec, actuator_name, value[0])
    return apply_dgain(spec, actuator_name, value[1])


def apply_param_modifiers_spec(params, spec):
    """A copy of the specification with all parameters in it."""
    changed = spec.copy()
    for param in params.values():
        param.apply_modifier(changed)
    return changed


def apply_param_modifiers(params, spec):
    """The model of that copy."""
    return apply_param_modifiers_spec(params, spec).compile()


def remove_visuals(in_spec):
    """A copy without shapes that are only seen, and without what they alone need."""
    spec = in_spec.copy()
    for geom in spec.geoms:
        if geom.contype == 0 and geom.conaffinity == 0 and geom.group != 3:
            spec.delete(geom)
    for kind in ("materials", "textures"):
        for element in getattr(spec, kind):
            spec.delete(element)
    for geom in spec.geoms:
        geom.material = ""
    meshes = {geom.meshname for geom in spec.geoms if geom.meshname}
    for mesh in spec.meshes:
        if mesh.name not in meshes:
            spec.delete(mesh)
    return spec


# ---- inertias


def _infer_inertial(spec, body_name):
    """The body, whose inertia is made explicit where the compiler would take it from the geoms."""
    body = _find(spec, "body", body_name)
    if body.explicitinertial:
        return body
    compiled = spec.copy().compile().body(body.name)
    body.mass, body.ipos, body.iquat, body.inertia = float(compiled.mass[0]), compiled.ipos, compiled.iquat, compiled.inertia
    body.explicitinertial = True
    return body


def scale_body_inertia(body, ratio):
    if np.isnan(body.fullinertia[0]):
        body.inertia = body.inertia * ratio
    else:
        body.fullinertia = body.fullinertia * ratio


def apply_body_mass_ipos(spec, name, mass=None, ipos=None, rot_inertia_scale=False):
    """Sets the mass and the centre of mass of a body."""
    body = _infer_inertial(spec, name)
    if mass is not None:
        if rot_inertia_scale and body.mass > 0:
            scale_body_inertia(body, _number(mass) / body.mass)
        body.mass = _number(mass)
    if ipos is not None:
        body.ipos = np.asarray(ipos, dtype=float)
    return spec


def _rotation(quaternion):
    matrix = np.empty(9)
    mujoco.mju_quat2Mat(matrix, np.asarray(quaternion, dtype=float))
    return matrix.reshape(3, 3)


def skew(vector):
    x, y, z = vector
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def pseudoinertia_from_body(body):
    """The 4 x 4 matrix of second moments of mass: [[S, m c], [m c', m]]."""
    if np.isnan(body.fullinertia[0]):
        rotation = _rotation(body.iquat)
        inertia = rotation @ np.diag(body.inertia) @ rotation.T
    else:
        xx, yy, zz, xy, xz, yz = body.fullinertia
        inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    mass, centre = body.mass, np.asarray(body.ipos)
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia + mass * np.outer(centre, centre)
    return np.block([[second, mass * centre[:, None]], [mass * centre[None], np.array([[mass]])]])


def cholesky_decompose_upper(matrix):
    """The upper triangular U of matrix = U U'."""
    flipped = np.linalg.cholesky(matrix[::-1, ::-1])
    return flipped[::-1, ::-1]


def theta_from_pseudoinertia(matrix):
    """Ten free numbers: the logarithm of the scale, of three stretches, three shears, three translations."""
    upper = cholesky_decompose_upper(matrix)
    scale = upper[3, 3]
    upper = upper / scale
    return np.array([
        np.log(scale), *np.log(np.diag(upper)[:3]), upper[0, 1], upper[1, 2], upper[0, 2], *upper[:3, 3],
    ])  # fmt: skip


def pseudoinertia_from_theta(theta):
    alpha, d1, d2, d3, s12, s23, s13, t1, t2, t3 = theta
    upper = np.exp(alpha) * np.array([
        [np.exp(d1), s12, s13, t1], [0, np.exp(d2), s23, t2], [0, 0, np.exp(d3), t3], [0, 0, 0, 1],
    ])  # fmt: skip
    return upper @ upper.T


def theta_inertia_from_body(spec, body_name):
    return theta_from_pseudoinertia(pseudoinertia_from_body(_infer_inertial(spec, body_name)))


def apply_body_theta_inertia(spec, name, theta):
    """Sets mass, centre and inertia of a body from ten free numbers."""
    body = _find(spec, "body", name)
    matrix = pseudoinertia_from_theta(np.asarray(theta, dtype=float))
    mass = matrix[3, 3]
    centre = matrix[:3, 3] / mass
    second = matrix[:3, :3] - mass * np.outer(centre, centre)
    inertia = np.trace(second) * np.eye(3) - second
    body.explicitinertial = True
    body.mass, body.ipos = float(mass), centre
    body.iquat = [1, 0, 0, 0]
    body.fullinertia = [inertia[0, 0], inertia[1, 1], inertia[2, 2], inertia[0, 1], inertia[0, 2], inertia[1, 2]]
    return spec


def apply_body_inertia(spec, name, param):
    """Sets what of the inertia the parameter has (`inertia_type`)."""
    scaled = getattr(param, "scale_rot_inertia", False)
    if param.inertia_type is InertiaType.Mass:
        return apply_body_mass_ipos(spec, name, mass=param.value[0], rot_inertia_scale=scaled)
    if param.inertia_type is InertiaType.MassIpos:
        return apply_body_mass_ipos(spec, name, param.value[0], param.value[1:4], scaled)
    return apply_body_theta_inertia(spec, name, param.value)


def body_inertia_param(
    spec, model, body_name, inertia_type=InertiaType.MassIpos, scale_rot_inertia=False, mass_bound_mult=None,
    ipos_bound_off=None, stretch_bound_mult=None, shear_bound_off=None, param_name=None, modifier=None,
):  # fmt: skip
    """A parameter for the inertia of a body."""
    mass_bounds = np.asarray([0.5, 2.0] if mass_bound_mult is None else mass_bound_mult)
    shift = np.asarray([-0.1, 0.1] if ipos_bound_off is None else ipos_bound_off)
    body = model.body(body_name)
    mass = float(body.mass[0])
    if inertia_type is InertiaType.Mass:
        nominal, low, high = [mass], [mass * mass_bounds[0]], [mass * mass_bounds[1]]
    elif inertia_type is InertiaType.MassIpos:
        nominal = [mass, *body.ipos]
        low = [mass * mass_bounds[0], *(body.ipos + shift[0])]
        high = [mass * mass_bounds[1], *(body.ipos + shift[1])]
    else:
        nominal = theta_inertia_from_body(spec, body_name)
        stretch = np.log(np.asarray([0.5, 2.0] if stretch_bound_mult is None else stretch_bound_mult))
        shear = np.asarray([-0.1, 0.1] if shear_bound_off is None else shear_bound_off)
        low = nominal + np.array([0.5 * np.log(mass_bounds[0]), *[stretch[0]] * 3, *[shear[0]] * 3, *[shift[0]] * 3])
        high = nominal + np.array([0.5 * np.log(mass_bounds[1]), *[stretch[1]] * 3, *[shear[1]] * 3, *[shift[1]] * 3])
    default = lambda changed, param: apply_body_inertia(changed, body_name, param)  # noqa: E731
    param = Parameter(param_name or f"{body_name}_inertia", nominal, low, high, modifier=modifier or default)
    param.inertia_type, param.scale_rot_inertia = inertia_type, scale_rot_inertia
    return param
