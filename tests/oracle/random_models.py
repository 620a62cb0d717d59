"""Random models for comparisons: trees of bodies with every kind of joint, shape, tendon, equality, actuator and option, of sizes
and stiffnesses as robots and scenes have them, and states that are neither at rest nor far from it."""

import math
import random


class RandomModel:
    """A model (`xml`) from a seed, and a state for it."""

    def __init__(self, seed: int):
        self._chance = random.Random(seed)
        self._hinges, self._bodies, self._geoms, self._sites, self._balls, self._free = [], [], [], [], [], []
        world = self._world()
        parts = [self._tendons(), self._equalities(), self._actuators(), self._sensors(), self._pairs()]
        self.xml = f"<mujoco><compiler autolimits='true'/>{self._option()}<worldbody>{world}</worldbody>{''.join(parts)}</mujoco>"

    def set_state(self, model, data) -> None:
        """Writes a state: positions near the reference, velocities of about one, controls within their ranges."""
        chance = self._chance
        data.qpos[:] = [x + chance.gauss(0, 0.2) for x in model.qpos0]
        for i in range(model.njnt):
            if model.jnt_type[i] < 2:  # free, ball
                begin = model.jnt_qposadr[i] + (3 if model.jnt_type[i] == 0 else 0)
                quat = data.qpos[begin:begin + 4]
                quat /= math.sqrt(sum(x * x for x in quat))
        data.qvel[:] = [chance.gauss(0, 1) for _ in range(model.nv)]
        data.ctrl[:] = [chance.uniform(-1, 1) for _ in range(model.nu)]
        data.act[:] = [chance.uniform(0, 1) for _ in range(model.na)]
        if chance.random() < 0.3:
            data.xfrc_applied[1:] = [[chance.gauss(0, 1) for _ in range(6)] for _ in range(model.nbody - 1)]

    # ---- numbers

    def _maybe(self, part: float) -> bool:
        return self._chance.random() < part

    def _real(self, low: float, high: float) -> str:
        return f"{self._chance.uniform(low, high):.4g}"

    def _scale(self, low: float, high: float) -> str:
        """A number whose magnitude is uniform."""
        return f"{math.exp(self._chance.uniform(math.log(low), math.log(high))):.4g}"

    def _reals(self, count: int, low: float, high: float) -> str:
        return " ".join(self._real(low, high) for _ in range(count))

    def _some(self, **attributes) -> str:
        """Each attribute with probability 0.3; None leaves one out."""
        return "".join(f" {name}='{make()}'" for name, make in attributes.items() if self._maybe(0.3))

    # ---- elements

    def _option(self) -> str:
        pick = self._chance.choice
        flags = self._some(warmstart=lambda: "disable", eulerdamp=lambda: "disable", island=lambda: "disable", refsafe=lambda: "disable",
                           filterparent=lambda: "disable", multiccd=lambda: "enable", energy=lambda: "enable", midphase=lambda: "disable")  # fmt: skip
        options = self._some(timestep=lambda: self._scale(0.0005, 0.01), gravity=lambda: self._reals(3, -10, 10), impratio=lambda: self._scale(0.3, 10),
                             wind=lambda: self._reals(3, -1, 1), density=lambda: self._scale(1, 1000), viscosity=lambda: self._scale(1e-5, 1),
                             noslip_iterations=lambda: pick((1, 5)))  # fmt: skip
        return (f"<option integrator='{pick(('Euler', 'implicit', 'implicitfast', 'RK4'))}' cone='{pick(('pyramidal', 'elliptic'))}' "
                f"solver='{pick(('Newton', 'Newton', 'CG', 'PGS'))}' jacobian='{pick(('dense', 'sparse', 'auto'))}' iterations='300' tolerance='1e-14'{options}>"
                f"<flag{flags}/></option>")  # fmt: skip

    def _world(self) -> str:
        chance, text = self._chance, ""
        if self._maybe(0.6):
            text += "<geom name='floor' type='plane' size='3 3 .1'" + self._surface() + "/>"
            self._geoms.append("floor")
        for i in range(chance.randint(1, 3)):
            text += self._body(f"{i}", depth=0)
        return text

    def _body(self, name: str, depth: int) -> str:
        chance = self._chance
        self._bodies.append(f"b{name}")
        place = f"{self._real(-1, 1)} {self._real(-1, 1)} {self._real(0.1, 1)}" if depth == 0 else self._reals(3, -0.3, 0.3)
        text = f"<body name='b{name}' pos='{place}' euler='{self._reals(3, -90, 90)}'{self._some(gravcomp=lambda: self._real(0, 1))}>"
        text += self._joints(name, depth) + self._mass(name) + f"<site name='s{name}' pos='{self._reals(3, -0.1, 0.1)}'/>"
        self._sites.append(f"s{name}")
        if depth < 3:
            for i in range(chance.choice((0, 0, 1, 1, 2))):
                text += self._body(f"{name}{i}", depth + 1)
        return text + "</body>"

    def _joints(self, name: str, depth: int) -> str:
        kind = self._chance.random()
        if depth == 0 and kind < 0.4:
            self._free.append(f"b{name}")
            return f"<freejoint name='f{name}'/>"
        if kind < 0.55:
            self._balls.append(f"j{name}")
            limits = f" range='0 {self._real(20, 120)}'" if self._maybe(0.3) else ""
            return f"<joint name='j{name}' type='ball'{limits}{self._joint()}/>"
        if kind > 0.95 and depth > 0:
            return ""
        text = ""
        for i in range(self._chance.choice((1, 1, 2, 3))):
            self._hinges.append(f"j{name}{'xyz'[i]}")
            kind = self._chance.choice(("hinge", "slide"))
            scale = 30 if kind == "hinge" else 0.3
            limits = f" range='{self._real(-scale, 0)} {self._real(0.01, scale)}'" if self._maybe(0.4) else ""
            text += f"<joint name='j{name}{'xyz'[i]}' type='{kind}' axis='{self._reals(3, -1, 1)}' pos='{self._reals(3, -0.1, 0.1)}'{limits}{self._joint()}/>"
        return text

    def _joint(self) -> str:
        return self._some(damping=lambda: self._scale(0.01, 10), armature=lambda: self._scale(0.001, 0.1), stiffness=lambda: self._scale(0.1, 100),
                          frictionloss=lambda: self._scale(0.01, 1), margin=lambda: self._scale(0.001, 0.1),
                          solreflimit=lambda: f"{self._scale(0.005, 0.1)} {self._real(0.5, 1.5)}")  # fmt: skip

    def _mass(self, name: str) -> str:
        text = ""
        for i in range(self._chance.choice((1, 1, 2))):
            kind = self._chance.choice(("sphere", "capsule", "box", "ellipsoid", "cylinder"))
            size = " ".join(self._scale(0.03, 0.2) for _ in range({"sphere": 1, "capsule": 2, "cylinder": 2}.get(kind, 3)))
            text += f"<geom name='g{name}{i}' type='{kind}' size='{size}' pos='{self._reals(3, -0.1, 0.1)}' euler='{self._reals(3, -90, 90)}'{self._surface()}/>"
            self._geoms.append(f"g{name}{i}")
        return text

    def _surface(self) -> str:
        pick = self._chance.choice
        return self._some(condim=lambda: pick((1, 3, 4, 6)), friction=lambda: f"{self._scale(0.1, 2)} {self._scale(0.001, 0.1)} {self._scale(0.0001, 0.01)}",
                          margin=lambda: self._scale(0.001, 0.05), gap=lambda: self._scale(0.0001, 0.01), solref=lambda: f"{self._scale(0.005, 0.1)} {self._real(0.5, 1.5)}",
                          solimp=lambda: f"{self._real(0.5, 0.95)} {self._real(0.95, 0.99)} {self._scale(0.001, 0.01)}", density=lambda: self._scale(50, 5000),
                          solmix=lambda: self._real(0.1, 2), priority=lambda: pick((0, 1)), fluidshape=lambda: "ellipsoid")  # fmt: skip

    def _tendons(self) -> str:
        text, chance = "", self._chance
        some = lambda: self._some(stiffness=lambda: self._scale(1, 100), damping=lambda: self._scale(0.1, 10), frictionloss=lambda: self._scale(0.01, 1),
                                  range=lambda: f"{self._real(-1, 0)} {self._real(0.01, 1)}", armature=lambda: self._scale(0.001, 0.1))  # fmt: skip
        if self._hinges and self._maybe(0.4):
            joints = "".join(f"<joint joint='{name}' coef='{self._real(-2, 2)}'/>" for name in chance.sample(self._hinges, min(2, len(self._hinges))))
            text += f"<fixed name='tf'{some()}>{joints}</fixed>"
        if len(self._sites) > 1 and self._maybe(0.4):
            first, last = chance.sample(self._sites, 2)
            text += f"<spatial name='ts'{some()}><site site='{first}'/><site site='{last}'/></spatial>"
        self._tendon_names = [name for name in ("tf", "ts") if f"'{name}'" in text]
        return f"<tendon>{text}</tendon>"

    def _equalities(self) -> str:
        text, chance = "", self._chance
        reference = lambda: self._some(solref=lambda: f"{self._scale(0.01, 0.1)} {self._real(0.5, 1.5)}")
        if len(self._hinges) > 1 and self._maybe(0.25):
            first, second = chance.sample(self._hinges, 2)
            text += f"<joint joint1='{first}' joint2='{second}' polycoef='{self._reals(3, -1, 1)} 0 0'{reference()}/>"
        if len(self._bodies) > 1 and self._maybe(0.3):
            first, second = chance.sample(self._bodies, 2)
            text += f"<connect body1='{first}' body2='{second}' anchor='{self._reals(3, -0.2, 0.2)}'{reference()}/>"
        if self._maybe(0.2):
            text += f"<weld body1='{chance.choice(self._bodies)}'{reference()}/>"
        if self._tendon_names and self._maybe(0.2):
            text += f"<tendon tendon1='{self._tendon_names[0]}'/>"
        return f"<equality>{text}</equality>"

    def _actuators(self) -> str:
        text, chance = "", self._chance
        places = [f"joint='{name}'" for name in self._hinges] + [f"joint='{name}' gear='1 .5 2'" for name in self._balls]
        places += [f"tendon='{name}'" for name in self._tendon_names] + [f"site='{name}' gear='1 0 .2 .1 0 0'" for name in self._sites[:2]]
        for _ in range(chance.randint(0, 4) if self._hinges or self._balls else 0):
            kind = chance.choice((
                "<motor {} gear='2'/>", f"<position {{}} kp='{self._scale(0.1, 100)}' kv='{self._scale(0.1, 5)}'/>", f"<velocity {{}} kv='{self._scale(0.1, 5)}'/>",
                f"<intvelocity {{}} kp='{self._scale(1, 50)}' actrange='-1 1'/>", f"<general {{}} dyntype='filterexact' dynprm='{self._scale(0.01, 1)}' gainprm='3'/>",
                "<muscle {} lengthrange='.1 1.2'/>", "<motor {} ctrlrange='-.5 .5' forcerange='-.3 .3'/>", "<cylinder {} timeconst='.2' area='2'/>",
            ))  # fmt: skip
            place = chance.choice([p for p in places if "site" not in p or kind.startswith(("<motor", "<position", "<velocity", "<general"))])
            text += kind.format(place.split(" gear")[0] if "gear=" in kind else place)
        return f"<actuator>{text}</actuator>"

    def _sensors(self) -> str:
        text, chance = "", self._chance
        for kind in ("accelerometer", "gyro", "force", "torque", "velocimeter", "touch"):
            if self._maybe(0.2):
                text += f"<{kind} site='{chance.choice(self._sites)}'/>"
        for name in self._tendon_names:
            text += f"<tendonpos tendon='{name}'/><tendonvel tendon='{name}'/>"
        return f"<sensor>{text}<subtreeangmom body='{chance.choice(self._bodies)}'/></sensor>"

    def _pairs(self) -> str:
        if len(self._geoms) < 3 or not self._maybe(0.2):
            return ""
        first, second = self._chance.sample(self._geoms, 2)
        return f"<contact><pair geom1='{first}' geom2='{second}' condim='{self._chance.choice((1, 3, 4, 6))}'/></contact>"
