"""What members of the package's classes do, for the stubs: by class, with an example for each class."""

import re

_KIND = {
    "body": "The body", "joint": "The joint", "geom": "The geom", "site": "The site", "camera": "The camera", "light": "The light",
    "tendon": "The tendon", "actuator": "The actuator", "sensor": "The sensor", "equality": "The equality constraint",
    "flex": "The flex", "mesh": "The mesh", "skin": "The skin", "hfield": "The height field", "texture": "The texture",
    "material": "The material", "pair": "The contact pair", "exclude": "The excluded pair of bodies", "numeric": "The array of numbers",
    "text": "The text", "tuple": "The tuple", "keyframe": "The key frame",
}  # fmt: skip
_SHORT = {"jnt": "joint", "cam": "camera", "ten": "tendon", "eq": "equality", "tex": "texture", "mat": "material", "key": "keyframe"}

CLASSES = {
    "Named": """One element of a model or a world: its fields under their names without the prefix.

        torso = model.body("torso")
        print(torso.id, torso.mass, data.body("torso").xpos)""",
    "Model": """A compiled model: all that does not change in a step. Its arrays are views of the engine's memory. `Model(other)` is the model of a `mujoco.MjModel`, with the same memory; a `Model` is itself an instance of that class.

        model = sinew.Model.from_xml_path(sinew.models / "humanoid.xml")
        model.opt.timestep = 0.001
        model.body("torso").mass = 9.0
        print(model.nq, model.nv, model.geom("floor").friction)""",
    "Data": """A world: the state of a model and all that a step computes. Its arrays are views of the engine's memory. `Data(world)` is the world of a `mujoco.MjData`, with the same memory.

        data = sinew.Data(model)
        data.joint("abdomen_y").qpos[:] = 0.3
        data.step(100)
        print(data.time, data.body("torso").xpos, data.contact["dist"])""",
    "Element": """An element of a specification, with the members of its kind. Names are those of MJCF's attributes or of mjSpec's fields.

        spec = sinew.Spec()
        body = spec.world.add("body", name="ball", pos=[0, 0, 1])
        body.add("joint", type=sinew.mjtJoint.mjJNT_FREE)
        body.add("geom", size=[0.1, 0, 0])""",
    "Default": """A class of defaults: elements that others begin as.

        spec.default("main").geom.rgba = [0.7, 0.7, 0.8, 1]
        spec.add_default("soft").geom.solref = [0.05, 1]""",
    "Spec": """A model that is edited in a program, then compiled. `Spec(other)` is the specification of a `mujoco.MjSpec`, with the same memory.

        spec = sinew.Spec.from_xml_path(sinew.models / "humanoid.xml")
        spec.find("geom", "floor").friction[0] = 0.5
        model = spec.compile()""",
    "WorldsElement": """An element of the model in all worlds of a batch. Its attributes are views with a row for each world: parts of
    the state (`joint.qpos`, `actuator.ctrl`), outputs, which the next call fills (`body.xpos`), and parameters, which each
    world then has for itself (`body.mass`, `geom.friction`).

        import numpy as np
        batch = sinew.Batch(model, 64)
        batch.joint("abdomen_y").qvel[:] = 0.1
        batch.body("right_thigh").mass *= np.linspace(0.8, 1.2, 64)
        batch.set_const()
        height = batch.body("torso").xpos[:, 2]
        batch.step()
        print(height.min())""",
    "Contacts": """Contacts of many worlds, padded: rows behind the `count` of a world are zero, and -1 in `geom` and `flex`.

        batch = sinew.Batch(model, 64)
        batch.keep_contacts()
        batch.step(100)
        contacts = batch.contacts()
        print(contacts.count.max(), contacts.force[:, :, 0].sum(axis=1))""",
    "Batch": """Many worlds of a model, stepped together. Arrays are views: worlds x size, worlds x rows x columns, or worlds.
    threads: 0 takes all processors. persistent: a Data for each world, which models that sleep need. precision: "double", or
    "float" for steps in packs. packs: whether steps run in the lanes of packs: where that is "faster", which is measured
    while they run, "always" or "never"; in double precision numbers are the same. first_world: the number of the first
    world among those of all batches, for random numbers.

        batch = sinew.Batch(model, 1024)
        batch.reset()
        batch.state("ctrl")[:] = 0.1
        batch.step(5)
        print(batch.output("xpos").shape, batch.status.any())""",
    "Renderer": """Draws pictures of a model's worlds on the processor, without a display.

        renderer = sinew.Renderer(model, 640, 480)
        renderer.look([0, 0, 1], distance=3, azimuth=120)
        sinew.Picture(renderer.render(data)).save("humanoid.png")""",
    "Options": """Options of the physics, as the element `option` of MJCF has them.

        model.opt.timestep = 0.001
        model.opt.gravity[:] = 0, 0, -1.62""",
    "Statistics": """Statistics of a model, by which tolerances and pictures are scaled.

        model.stat.extent = 2.0""",
    "Compiler": """How a specification is compiled, as the element `compiler` of MJCF has it.

        spec.compiler.degree = False""",
    "Visual": """Settings of pictures, as the element `visual` of MJCF has them.

        model.vis.global_.offwidth = 1280""",
}

MEMBERS = {
    "Named.name": "The name of the element in its model; empty if it has none.",
    "Model.signature": "A number of what the model has, the same in its specification.",
    "Data.signature": "That of the model.",
    "Model.from_xml_path": "Reads and compiles a file of MJCF, URDF or OpenSim. `files` holds files in memory by their names, which are found before those of the disk. Raises ModelError with file, line and remedy.",
    "Model.from_hfd": "Reads and compiles a model of SCONE and Hyfydy (.hfd). What it says and a model here cannot hold is shown as ModelWarning, with lines.",
    "Model.from_osim": "Reads and compiles a model of OpenSim (.osim). What it says and a model here cannot hold is shown as ModelWarning, with lines. `sinew.opensim.compare` says how near the model is to OpenSim's.",
    "Model.from_xml_string": "Reads and compiles a model from a text. `files` holds the files that it names, in memory.",
    "Model.from_bytes": "The model that `to_bytes` has written, or that an MJB file holds.",
    "Model.to_bytes": "The compiled model as bytes, in the format of MJB files.",
    "Model.copy": "A copy with memory of its own, so that parameters can differ.",
    "Model.name_of": "The name of the element of a type (mjtObj) and number; empty when it has none.",
    "Data.model": "The model to which this world belongs.",
    "Data.copy": "A copy of the world with memory of its own, at the same state; it refers to the same model.",
    "Data.step": "Advances the world by so many time steps, with the controls that stand in `ctrl`.",
    "Data.step1": "The first half of a step: positions and velocities, so that a controller can read them before it sets `ctrl` and calls `step2`.",
    "Data.step2": "The second half of a step: forces, acceleration and integration, after `step1`.",
    "Data.forward": "Computes all that follows from the state (positions, contacts, forces, accelerations, sensors) without advancing time.",
    "Data.inverse": "Computes `qfrc_inverse`, the forces that cause the accelerations in `qacc` at the present state.",
    "Data.kinematics": "Computes poses of bodies, geoms and sites from `qpos` alone: enough to draw or to measure distances.",
    "Data.rne_post_constraint": "Computes `cacc`, `cfrc_int` and `cfrc_ext`: accelerations of bodies and forces between them; a step does so only where sensors need it.",
    "Data.reset": "Sets the state to the reference configuration, or to a key frame by name or number.",
    "Data.sensor": "The numbers of a sensor, a view into `sensordata`.",
    "Data.jac_body": "Jacobians, each 3 x nv, of the linear velocity of a body's origin and of its angular velocity, in the world frame.",
    "Data.jac_site": "Jacobians, each 3 x nv, of the linear velocity of a site and of its angular velocity, in the world frame.",
    "Data.jac_geom": "Jacobians, each 3 x nv, of the linear velocity of a geom's centre and of its angular velocity, in the world frame.",
    "Data.mass_matrix": "The inertia matrix at the present positions, nv x nv, dense.",
    "Data.contact_force": "Force and torque of a contact by its number, six numbers in the frame of the contact: normal first.",
    "Data.ray": "The first geom that a ray from `point` along `direction` meets: distance in lengths of `direction` (-1: none) and number of the geom.",
    "Data.inverse_derivatives": "Derivatives of inverse dynamics by positions, velocities and accelerations, each nv x nv, by finite differences.",
    "Data.state": "A vector with the parts of the state that a mask (mjtState) names; by default all that the next step depends on.",
    "Data.set_state": "Sets the parts of the state that a mask (mjtState) names from a vector of `state`.",
    "Data.step_dense": "One step of an error-controlled integrator, with positions at the given times inside it: times x nq.",
    "Data.error_control": "What an error-controlled integrator keeps between steps, such as the size of its next step; None for other integrators.",
    "Data.snapshot": "Bytes from which `restore` makes the world again, so that it goes on bit for bit.",
    "Data.restore": "Sets the world to what `snapshot` has stored, of the same model.",
    "Element.parent": "The body or frame below which the element stands; None at the top.",
    "Element.wrap_site": "Adds a site to the path of a spatial tendon.",
    "Element.wrap_geom": "Adds a sphere or cylinder to the path of a spatial tendon, on the side of `side_site`.",
    "Element.wrap_joint": "Adds a joint with its coefficient to the sum of a fixed tendon.",
    "Element.wrap_pulley": "Adds a pulley to the path of a spatial tendon: lengths after it are divided by `divisor`.",
    "Element.add_limit_force": "Adds a spring beyond the ends of a hinge's or slide's `range` [rad or m]: `stiffness` below and above (one number is both), `damping`, and `forcedamping` in proportion to the force [s/rad or s/m], complete a `transition` behind the end.",
    "Element.clear_limit_forces": "Takes all limit forces of the joint away.",
    "Element.add_ligament": "Adds a ligament along a spatial tendon: slack length [m], stiffness [N per strain], strain where its toe ends, damping [N s].",
    "Element.add_ligament_curve": "Adds a ligament along a spatial tendon with `force` [N] times a function of its length in slack lengths: a polynomial with coefficients as `numbers`; or spline, simmspline, polyline with x of all points, then their y.",
    "Element.clear_ligaments": "Takes all ligaments of the tendon away.",
    "Element.add_bushing": "Adds a spring and damper between this site and the one named `other`: `stiffness` of 6 numbers (rotations [N m/rad], then translations [N/m]) or 36, `damping` of 6.",
    "Element.add_reflex": "Adds a reflex to this actuator: offset + gain (value - reference) of a delayed sensor joins its control, times the value of the sensor `factor` where one is named. `rectify`: the difference counts where it is positive. `phases`: sensors with the lower and upper end within which the reflex acts.",
    "Element.clear_reflexes": "Takes all reflexes of the actuator away.",
    "Element.clear_bushings": "Takes all bushings of the site away.",
    "Element.set_to_motor": "Makes the actuator exert its control as a force.",
    "Element.set_to_position": "Makes the actuator a position servo: force = kp (control - length) - kv velocity.",
    "Element.set_to_velocity": "Makes the actuator a velocity servo: force = kv (control - velocity).",
    "Element.set_to_damper": "Makes the actuator a damper: force = -kv velocity control, for controls that are not negative.",
    "Element.set_to_adhesion": "Makes the actuator draw its body towards what it touches, with `gain` newtons for unit control.",
    "Element.kind": "The kind of the element as a word: body, joint, geom, ...",
    "Element.delete": "Removes the element, and what refers to it, from its specification.",
    "Spec.from_xml_path": "Reads a file of MJCF, URDF or OpenSim without compiling it. `files` holds files in memory by their names.",
    "Spec.from_xml_string": "Reads a specification from a text. `files` holds the files that it names, in memory.",
    "Spec.world": "The world body, below which all bodies stand.",
    "Spec.add_musculotendon": "Adds a muscle with an elastic tendon on a spatial tendon. `force`, `fiberlength` and `slacklength` must be given; other values by the names of MJCF: pennation, vmax, fiberdamping, stiffnessscale, curves, compliance, timeconst, tausmooth, minact, musclemass, slowshare, activecurve, velcurve, passivecurve, tendoncurve, and attributes of actuators.",
    "Spec.add_default": "A new class of defaults below another one, whose values it starts from.",
    "Spec.find": "The element of a kind (body, geom, actuator, ...) and name; KeyError when there is none.",
    "Spec.all": "All elements of a kind in the order in which they are compiled.",
    "Spec.compile": "The compiled model. Raises ModelError, and shows warnings as ModelWarning. The specification may be edited and compiled again.",
    "Spec.to_xml": "The specification as MJCF text, which compiles to the same model.",
    "Spec.copy": "A copy that can be edited apart from the original.",
    "Batch.model": "The model whose worlds these are.",
    "Batch.count": "The number of worlds.",
    "Batch.threads": "The number of threads that step the worlds.",
    "Batch.body": "The body of this name or number in all worlds.",
    "Batch.joint": "The joint of this name or number in all worlds.",
    "Batch.geom": "The geom of this name or number in all worlds.",
    "Batch.site": "The site of this name or number in all worlds.",
    "Batch.camera": "The camera of this name or number in all worlds.",
    "Batch.light": "The light of this name or number in all worlds.",
    "Batch.tendon": "The tendon of this name or number in all worlds.",
    "Batch.actuator": "The actuator of this name or number in all worlds.",
    "Batch.equality": "The equality of this name or number in all worlds.",
    "Batch.flex": "The flex of this name or number in all worlds.",
    "Batch.sensor": "What the sensor of this name or number measures: worlds x its size, an output.",
    "Batch.mask_of": "A mask with the worlds of these numbers, for the calls that take one.",
    "WorldsElement.name": "The name of the element in the model; empty if it has none.",
    "WorldsElement.id": "The number of the element in the model.",
    "Batch.keep_contacts": "From now on, each call keeps the contacts that it finds, for `contacts`; or no longer. Forces take up to as long as the last step of a call.",
    "Batch.contacts": "The contacts that the last call has kept, padded to `capacity` rows (None: as many as a world has). After steps they are those of the last one, with its forces; after the stages of positions and velocities they have none.",
    "Batch.rays": "Distances (in lengths of the directions) and geoms that rays meet in the present states, worlds x rays; -1: nothing. Points and directions are 3, rays x 3 or worlds x rays x 3 numbers, in the world or in the frame of a body, geom or site (site=\"foot\"), whose vertical with `upright` is that of the world. Rays go through the body `exclude`; `groups`: six flags.",
    "Batch.jac_body": "Jacobians (worlds x 3 x nv) of the position and the rotation of the body of this name or number, in the present states.",
    "Batch.jac_geom": "Jacobians (worlds x 3 x nv) of the position and the rotation of the geom of this name or number, in the present states.",
    "Batch.jac_site": "Jacobians (worlds x 3 x nv) of the position and the rotation of the site of this name or number, in the present states.",
    "Contacts.count": "The number of contacts of each world, also of those that have no row.",
    "Contacts.geom": "The geoms that touch, worlds x rows x 2; -1: a flex.",
    "Contacts.flex": "The flexes that touch, worlds x rows x 2; -1: a geom.",
    "Contacts.dim": "Dimensions of the contact (1, 3, 4 or 6), worlds x rows.",
    "Contacts.dist": "The distance of the surfaces in metres, worlds x rows; negative: overlap.",
    "Contacts.pos": "The point of contact in the world, in metres, worlds x rows x 3.",
    "Contacts.frame": "Axes of the contact in the world, worlds x rows x 3 x 3: the normal, from the first geom to the second, and two tangents.",
    "Contacts.friction": "Coefficients of friction: two tangential, of torsion, two of rolling; worlds x rows x 5.",
    "Contacts.force": "Force and torque on the second geom in the axes of the contact, normal first, in newtons and newton metres; worlds x rows x 6.",
    "Batch.cause": "Why a world failed or was reset, as a sentence; empty if nothing happened.",
    "Batch.set_const": "Computes what depends on parameters (inertias in the reference configuration, for example) after `parameter` has changed them; returns how many worlds failed.",
    "Batch.step_async": "Begins `step` and returns at once; `wait` ends it. Arrays must not be read or written in between.",
    "Batch.wait": "Waits for what `step_async` has begun; returns how many worlds failed.",
    "Batch.forward": "Computes what follows from the states, up to a stage (mjtStage), without advancing time; returns how many worlds failed.",
    "Batch.reset": "Resets the worlds of the mask, each to the key frame of its entry (-1: the reference configuration), and draws what `randomize` has asked for.",
    "Batch.transition_derivatives": "Finite differences of a step of each world: A, B, C, D of the state and the sensors by state and control, worlds first.",
    "Batch.clear_randomization": "Forgets all that `randomize` has asked for, and gives all worlds the model's parameters again.",
    "Batch.seed": "Seeds the random numbers of `randomize`. Each world has a stream of its own, so that results do not depend on the number of threads.",
    "Batch.render": "Pictures of some or all worlds: worlds x height x width x 3 bytes; `depth` and `segmentation` as for a renderer.",
    "Renderer.model": "The model whose worlds are drawn.",
    "Renderer.use": "Draws from a camera of the model, by name or number.",
    "Renderer.use_camera": "Draws from the camera of a number.",
    "Renderer.look": "Draws from a free camera that looks `at` a point from a distance in metres, at azimuth and elevation in degrees; with `body` it follows that body.",
}


def doc_of(name: str, member: str) -> str | None:
    """What a member does; None where the stub says it itself."""
    if name in ("Model", "Data") and _SHORT.get(member, member) in _KIND and f"{name}.{member}" not in MEMBERS:
        kind = _KIND[_SHORT.get(member, member)]
        what = "the model's fields" if name == "Model" else "the world's fields"
        return f"{kind} of a name or number: {what} of it, as views that can be written."
    return MEMBERS.get(f"{name}.{member}")


def documented(stub: str) -> str:
    """Returns the stub with the texts in it."""
    lines: list[str] = []
    name = member = ""
    setter = has_text = False
    for line in stub.split("\n"):
        if has_text and line.startswith('    """'):  # the generator's own word for the class
            has_text = False
            continue
        has_text = False
        if match := re.match(r"class (\w+)", line):
            name, member = match[1], ""
            lines.append(line)
            if name in CLASSES:
                lines.append(f'    """{CLASSES[name]}\n    """')
                has_text = True
            continue
        if match := re.match(r"    def (\w+)\(", line):
            member, setter = match[1], lines[-1].strip().endswith(".setter")
        text = doc_of(name, member) if member and line.endswith(": ...") and not setter else None
        lines.append(f'{line[:-4]}\n        """{text}"""' if text else line)
        if line.endswith(": ..."):
            member = ""
        elif (match := re.match(r"    (\w+): ", line)) and f"{name}.{match[1]}" in MEMBERS:
            lines.append(f'    """{MEMBERS[f"{name}.{match[1]}"]}"""')
    return "\n".join(lines)
