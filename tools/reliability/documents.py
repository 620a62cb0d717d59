"""Random MJCF documents with all that they name: included files, models to attach, meshes, height fields. The same seed makes the same
document. Elements and their attributes come from the table of the format (grammar.py); what stands here is what makes a document
legal: who may stand where, and which names exist."""

import random
import struct

from grammar import Node, Schema, Values

SCHEMA = Schema()
SHAPES = ("sphere", "capsule", "ellipsoid", "cylinder", "box")
SETTINGS = ("compiler", "option", "size", "statistic")
VISUALS = ("global", "quality", "headlight", "map", "scale", "rgba")
IN_CLASSES = ("mesh", "material", "joint", "geom", "site", "camera", "light", "pair", "equality", "tendon", "general", "motor", "position",
              "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion")
# What a class or a random choice would make illegal in most elements.
NOT_IN_CLASSES = {"type", "mesh", "hfield", "size", "fromto", "mass", "fitscale", "limited", "range", "springdamper", "file", "content_type", "builtin",
                  "params", "vertex", "normal", "texcoord", "face", "sensorsize", "focal", "focalpixel", "principal", "principalpixel",
                  "resolution", "interval", "dyntype", "gaintype", "biastype", "actdim", "nsample", "delay", "actlimited", "forcelimited",
                  "ctrllimited", "actuatorfrclimited", "inheritrange", "dampratio", "diameter", "contactmodel", "mode", "type", "interp", "kv", "kp", "plugin",
                  "instance", "elevation", "maxhullvert", "layer", "class", "ctrlrange", "actrange", "gain", "tausmooth", "shellinertia", "modulus", "dissipation",
                  "cfriction", "frictionlaw", "curvature", "user", "damping", "armature", "actuatorfrclimited"}
OBSERVED = ("body", "xbody", "geom", "site", "camera")
TETRAHEDRON = "0 0 0  .1 0 0  0 .1 0  0 0 .1"


class Document:
    """Files by name; "main.xml" is the model. `files` holds bytes."""

    def __init__(self, seed: int, beyond: bool = True, is_part: bool = False):
        """`beyond`: with extensions of the format. A part has a body "part" and is there to be attached."""
        self.chance = chance = random.Random(seed)
        self.files: dict[str, bytes] = {}
        self.beyond, self.is_part = beyond, is_part
        odd = chance.choice((0, 0, 0, 0.05, 0.2))
        self.values = Values(chance, odd, chance.choice((0, 0, 0, 0, 0, 0, 0, 0.003)))
        self.density = chance.choice((0.05, 0.15, 0.3))  # part of the attributes that are given
        self.names: dict[str, list[str]] = {}
        self.counts: dict[str, int] = {}
        self.plain = True  # whether coordinates can be counted here, for keyframes
        self.coordinates = self.dofs = self.mocaps = 0
        self.classes: list[str] = []
        self.root = Node("mujoco", model=self.values.text())
        self._sections()
        name = "part.xml" if is_part else "main.xml"
        self.files[name] = self.root.text().encode()

    # ---- helpers

    def maybe(self, part: float) -> bool:
        return self.chance.random() < part

    def name(self, kind: str, part: float = 0.8) -> str | None:
        """A new name for an element that others may refer to."""
        if not self.maybe(part):
            return None
        number = self.counts[kind] = self.counts.get(kind, -1) + 1
        name = f"{kind}{number}n" + (" x" if self.maybe(0.02) else "")  # copies of it get numbers behind
        self.names.setdefault(kind, []).append(name)
        return name

    def some(self, kind: str) -> str | None:
        return self.chance.choice(self.names[kind]) if self.names.get(kind) else None

    def fill(self, path: str, node: Node, without=(), density: float | None = None) -> Node:
        """Gives an element random attributes beside those that it has."""
        density = self.density if density is None else density
        for name, row in SCHEMA.attributes[path].items():
            if name in node.attributes or name in without or not self.maybe(density) or (row.get("extension") and not self.beyond):
                continue
            if row["type"] == "reference" and row.get("to") in ("material", "texture"):
                text = self.some(row["to"])
            elif name == "class" or name == "childclass":
                text = self.chance.choice(self.classes) if self.classes else None
            elif row["type"] in ("reference", "references", "string"):
                text = SCHEMA.draw(path, row, self.values) if name in ("memory", "eulerseq", "sep") else None
            else:
                text = SCHEMA.draw(path, row, self.values)
            if text is not None:
                node.attributes[name] = text
        kinds = [name for name in ("quat", "axisangle", "xyaxes", "zaxis", "euler") if name in node.attributes]
        for name in kinds[1:]:
            del node.attributes[name]
        return node

    # ---- sections

    def _sections(self) -> None:
        for tag in SETTINGS:
            if not self.is_part or tag == "compiler":
                self._settings(tag)
        if self.maybe(0.3):
            visual = self.root.add(Node("visual"))
            for tag in VISUALS:
                if self.maybe(0.3):
                    visual.add(self.fill(f"visual/{tag}", Node(tag)))
        self._classes()
        self._plugins()
        self._assets()
        world = self.root.add(Node("worldbody"))
        self._tree(world)
        self._relations()
        if self.maybe(0.3) and not self.is_part:
            self._split()

    def _settings(self, tag: str) -> None:
        if not self.maybe(0.5):
            return
        without = {"settotalmass", "memory", "nstack", "inertiafromgeom", "autolimits", "center", "nuser_body", "nuser_jnt", "nuser_geom", "nuser_site",
                   "nuser_cam", "nuser_tendon", "nuser_actuator", "nuser_sensor"} if self.maybe(0.8) else {"autolimits"}
        node = self.fill(tag, self.root.add(Node(tag)), without)
        if tag == "option" and node.attributes.get("integrator") not in ("merson", "rk3", "euler2"):
            for name in ("accuracy", "errornorm", "minstep", "maxstep"):
                node.attributes.pop(name, None)
        if tag == "option" and self.maybe(0.5):
            node.add(self.fill("option/flag", Node("flag"), {"sleep"} if self.maybe(0.8) else ()))
        if tag == "compiler" and self.maybe(0.2):
            node.add(self.fill("compiler/lengthrange", Node("lengthrange")))

    def _classes(self) -> None:
        if not self.maybe(0.6):
            return
        root = self.root.add(Node("default"))
        places = [root]
        for number in range(self.chance.randint(0, 3)):
            name = f"class{number}"
            places.append(self.chance.choice(places).add(Node("default", class_=name)))
            self.classes.append(name)
        for place in places:
            for tag in IN_CLASSES:
                if self.maybe(0.25):
                    place.children.insert(0, self.fill(f"default/{tag}", Node(tag), NOT_IN_CLASSES))

    def _plugins(self) -> None:
        self.extension = Node("extension")
        self.torus = self.maybe(0.1)
        uses = {"mujoco.elasticity.cable": self.maybe(0.15), "mujoco.pid": self.maybe(0.1), "mujoco.sdf.torus": self.torus}
        self.used = {name for name, used in uses.items() if used}
        for name in sorted(self.used):
            plugin = self.extension.add(Node("plugin", plugin=name))
            if name == "mujoco.elasticity.cable" and self.maybe(0.5):
                instance = plugin.add(Node("instance", name="stiff"))
                instance.add(Node("config", key="twist", value=self.values.positive(1, 1e6)))
                self.names["plugin"] = ["stiff"]
        if self.used:
            self.root.add(self.extension)

    # ---- assets

    def _assets(self) -> None:
        asset = Node("asset")
        for _ in range(self.chance.choice((0, 0, 1, 2))):
            self._texture(asset)
        for _ in range(self.chance.choice((0, 0, 1, 2))):
            node = asset.add(self.fill("asset/material", Node("material", name=self.name("material", 1))))
            if "texture" not in node.attributes and self.names.get("texture") and self.maybe(0.3):
                node.add(Node("layer", texture=self.some("texture"), role=self.chance.choice(("rgb", "normal", "orm"))))
        for _ in range(self.chance.choice((0, 0, 1, 2))):
            self._mesh(asset)
        if self.torus:
            mesh = asset.add(Node("mesh", name="torus"))
            mesh.add(Node("plugin", plugin="mujoco.sdf.torus"))
        if self.maybe(0.15):
            rows, columns = self.chance.randint(2, 4), self.chance.randint(2, 4)
            node = asset.add(Node("hfield", name=self.name("hfield", 1), size=self.values.positives(4, 4), nrow=rows, ncol=columns))
            if self.maybe(0.6):
                node.attributes["elevation"] = " ".join(self.values.positive() for _ in range(rows * columns))
        if not self.is_part and self.maybe(0.25):
            part = Document(self.chance.getrandbits(48), self.beyond, is_part=True)
            self.files |= part.files
            asset.add(Node("model", name="part", file="part.xml"))
            self.part = True
        else:
            self.part = False
        if asset.children:
            self.root.add(asset)

    def _texture(self, asset: Node) -> None:
        kind = self.chance.choice(("2d", "cube", "skybox"))
        name = self.name("texture", 1)
        self.fill("asset/texture", asset.add(Node("texture", name=name, type=kind, builtin=self.chance.choice(("flat", "checker", "gradient")),
                                                  width=self.chance.randint(1, 16), height=self.chance.randint(1, 16))), {"gridlayout"})

    def _mesh(self, asset: Node) -> None:
        name = self.name("mesh", 1)
        kind = self.chance.choice(("vertices", "builtin", "obj", "msh"))
        node = asset.add(Node("mesh", name=name))
        if kind == "vertices":
            node.attributes["vertex"] = TETRAHEDRON + f" {self.values.positive(0.1, 0.2)} .2 .1" * self.chance.randint(0, 1)
        elif kind == "builtin":
            shape, params = self.chance.choice((("sphere", "2"), ("hemisphere", "2"), ("cone", "6 0.5"), ("supersphere", "6 1 1")))
            node.attributes |= {"builtin": shape, "params": params}
        else:
            node.attributes["file"] = f"{name}.{kind}"
            self.files[f"{name}.{kind}"] = self._obj() if kind == "obj" else self._msh()
        self.fill("asset/mesh", node, {"content_type", "normal", "texcoord", "face", "inertia" if self.maybe(0.8) else "", "builtin", "params", "class"})

    def _obj(self) -> bytes:
        corner = f"{self.chance.uniform(0.05, 0.3):.9g}"
        return f"v 0 0 0\nv {corner} 0 0\nv 0 {corner} 0\nv 0 0 {corner}\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n".encode()

    def _msh(self) -> bytes:
        edge = self.chance.uniform(0.05, 0.3)
        return struct.pack("<4i12f12i", 4, 0, 0, 4, 0, 0, 0, edge, 0, 0, 0, edge, 0, 0, 0, edge, 0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2)

    # ---- the tree

    def _tree(self, world: Node) -> None:
        if self.maybe(0.5):
            world.add(self.fill("body/geom", Node("geom", name=self.name("geom"), type="plane", size="5 5 .1"), NOT_IN_CLASSES | {"shellinertia"}))
        self._leaves(world, 0.3)
        for number in range(self.chance.randint(1, 4)):
            self._place(world, 1, number == 0)
        if self.part:
            for number in range(self.chance.randint(1, 2)):
                self.plain = False
                place = self._frame(world) if self.maybe(0.5) else world
                place.add(Node("attach", model="part", body=self.chance.choice(("part", "part", None)), prefix=f"p{number}_"))

    def _frame(self, parent: Node) -> Node:
        frame = Node("frame", name=self.name("frame", 0.3), pos=self.values.reals(3, 3, low=-1, high=1) if self.maybe(0.7) else None)
        return parent.add(self.fill("body/frame", frame, {"pos"}))

    def _place(self, parent: Node, depth: int, first: bool = False) -> None:
        """A body, in a frame or a replicate or as it is."""
        if self.maybe(0.2):
            parent = self._frame(parent)
        elif self.maybe(0.08):
            self.plain = False
            parent = parent.add(Node("replicate", count=self.chance.randint(1, 3), offset=self.values.reals(3, 3), euler=self.chance.choice((None, "0 0 30")),
                                     sep=self.chance.choice((None, "_"))))
            names, self.names = self.names, {"material": self.names.get("material", []), "mesh": self.names.get("mesh", [])}
            self._body(parent, depth)
            self.names = names
            return
        self._body(parent, depth, "part" if first and self.is_part else None)

    def _body(self, parent: Node, depth: int, name: str | None = None) -> None:
        is_mocap = depth == 1 and self.maybe(0.07)
        given = name or self.name("body")
        body = Node("body", name=given, pos=self.values.reals(3, 3, low=-1, high=1), mocap="true" if is_mocap else None)
        self.fill("body", parent.add(body), {"mocap"} | ({"sleep"} if depth > 1 or self.maybe(0.9) else set()))
        if name:
            self.names.setdefault("body", []).append(name) if name == "part" else None
        self.mocaps += is_mocap
        if self.maybe(0.25):
            inertial = Node("inertial", pos=self.values.reals(3, 3, low=-0.1, high=0.1), mass=self.values.positive(0.1, 5))
            if self.maybe(0.6):
                base = self.chance.uniform(0.01, 0.1)
                inertial.attributes["diaginertia"] = f"{base:.9g} {base * 1.1:.9g} {base * 1.2:.16g}"
                self.fill("body/inertial", inertial, {"fullinertia", "mass"})
            else:
                inertial.attributes["fullinertia"] = f".1 .12 .13 {self.chance.uniform(-.01, .01):.5g} 0 .01"
            body.add(inertial)
        if not is_mocap:
            self._joints(body, depth)
        self._leaves(body, 0.9)
        if "mujoco.elasticity.cable" in self.used and depth > 1 and self.maybe(0.2):
            plugin = body.add(Node("plugin", instance="stiff") if self.names.get("plugin") and self.maybe(0.5) else Node("plugin", plugin="mujoco.elasticity.cable"))
            if "plugin" in plugin.attributes:
                plugin.add(Node("config", key="bend", value=self.values.positive(1, 1e6)))
        for _ in range(self.chance.choice((0, 0, 1, 2)) if depth < 4 else 0):
            self._place(body, depth + 1)
        if depth == 1 and given and self.maybe(0.04):
            self._generated(body)

    def _joints(self, body: Node, depth: int) -> None:
        kind = self.chance.choice(("none", "free", "freejoint", "ball", "hinge", "hinge", "hinge", "slide", "two"))
        if kind in ("free", "freejoint") and depth > 1:
            kind = "hinge"
        if kind == "none":
            return
        self.coordinates += {"free": 7, "freejoint": 7, "ball": 4, "two": 2}.get(kind, 1)
        self.dofs += {"free": 6, "freejoint": 6, "ball": 3, "two": 2}.get(kind, 1)
        if kind == "freejoint":
            body.add(self.fill("body/freejoint", Node("freejoint", name=self.name("free"))))
            return
        for one in ("hinge", "slide") if kind == "two" else (kind,):
            name = self.name(one)
            joint = Node("joint", name=name, type=one)
            without = {"limited", "actuatorfrclimited", "springdamper" if self.maybe(0.7) else "", "axis" if one in ("free", "ball") else ""}
            if one in ("free", "ball"):
                without |= {"range", "actuatorfrcrange", "actuatorfrclimited", "ref", "springref", "pos" if one == "free" else ""}
            self.fill("body/joint", body.add(joint), without)
            if one == "ball" and self.maybe(0.2):
                joint.attributes["range"] = f"0 {self.values.positive(0.1, 3)}"
            if "range" in joint.attributes and self.maybe(0.3):
                joint.attributes["limited"] = self.chance.choice(("true", "false", "auto"))

    def _leaves(self, body: Node, part: float) -> None:
        place = body
        needs = any(child.tag in ("joint", "freejoint") for child in body.children) and not any(child.tag == "inertial" for child in body.children)
        for _ in range(self.chance.choice((1, 1, 2, 3)) if needs or self.maybe(part) else 0):
            if self.maybe(0.1):
                place = self._frame(body)
            self._geom(place)
        for _ in range(self.chance.choice((0, 1, 2)) if self.maybe(part) else 0):
            self._site(place)
        if self.maybe(0.1):
            camera = self.fill("body/camera", place.add(Node("camera", name=self.name("camera"))), {"sensorsize", "focal", "focalpixel", "principal", "principalpixel"})
            if self.maybe(0.2):
                camera.attributes |= {"sensorsize": self.values.positives(2, 2), "resolution": "64 48", "focal": "0.5 0.5"}
                camera.attributes.pop("fovy", None)
            self._target(camera)
        if self.maybe(0.1):
            self._target(self.fill("body/light", place.add(Node("light", name=self.name("light", 0.3))), {"directional", "type" if self.maybe(0.7) else ""}))

    def _target(self, node: Node) -> None:
        if node.attributes.get("mode", "").startswith("target"):
            if target := self.some("body"):
                node.attributes["target"] = target

    def _geom(self, place: Node) -> None:
        name = self.name("geom")
        geom = place.add(Node("geom", name=name))
        without = {"type", "mesh", "hfield", "mass" if self.maybe(0.7) else "density", "fitscale", "fromto", "size", "limited"}
        meshes = self.names.get("mesh", [])
        if meshes and self.maybe(0.3):
            geom.attributes |= {"type": self.chance.choice(("mesh", "mesh", "box", "capsule", "ellipsoid", "sphere", "sdf")), "mesh": self.chance.choice(meshes)}
            without |= {"shellinertia"}
        elif self.torus and self.maybe(0.2):
            geom.attributes |= {"type": "sdf", "mesh": "torus"}
            geom.add(Node("plugin", plugin="mujoco.sdf.torus"))
            without |= {"shellinertia"}
        else:
            self._shape(geom)
        law = {"contactmodel", "modulus", "stiffness", "dissipation", "cfriction", "frictionlaw", "curvature"}
        without |= law | ({"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"} if "fromto" in geom.attributes else set())
        self.fill("body/geom", geom, without)
        if self.beyond and self.maybe(0.05) and geom.attributes.get("type") == "sphere":
            geom.attributes |= {"contactmodel": "hertz", "modulus": self.values.positive(1e4, 1e5), "dissipation": "1"}

    def _shape(self, node: Node) -> None:
        shape = self.chance.choice(SHAPES)
        node.attributes["type"] = shape
        if shape != "sphere" and shape != "ellipsoid" and self.maybe(0.2):
            node.attributes |= {"fromto": f"0 0 0 {self.values.positive(0.1, 0.5)} {self.values.real(-0.3, 0.3)} .1", "size": self.values.positive(0.01, 0.2)}
        else:
            count = {"sphere": 1, "capsule": 2, "cylinder": 2}.get(shape, 3)
            node.attributes["size"] = self.values.positives(count, self.chance.choice((count, 3)), low=0.01, high=0.3)

    def _site(self, place: Node) -> None:
        site = place.add(Node("site", name=self.name("site", 0.9)))
        if self.maybe(0.3):
            self._shape(site)
        self.fill("body/site", site, {"type", "size", "fromto"} | ({"pos", "quat", "axisangle", "xyaxes", "zaxis", "euler"} if "fromto" in site.attributes else set()))

    def _generated(self, body: Node) -> None:
        """Bodies that a pattern makes."""
        self.plain = False
        if self.maybe(0.5):
            count = f"{self.chance.randint(2, 3)} {self.chance.randint(2, 3)} {self.chance.randint(1, 2)}"
            dim = 3 if count.endswith("2") and self.maybe(0.5) else 2 if count.endswith("1") else 3
            node = body.add(Node("flexcomp", name=self.name("flex", 1), type="grid", count=count, dim=dim, spacing=".1 .1 .1",
                                 mass=self.values.positive(0.1, 2), radius=".01"))
            self.fill("body/flexcomp", node, {"dof", "cellcount", "scale", "file", "origin", "inertiabox", "count", "type", "texcoord", "element", "point"})
            if self.maybe(0.5):
                node.add(self.fill("body/flexcomp/edge", Node("edge", equality="true", damping=self.values.positive()), {"stiffness"}))
            if self.maybe(0.3):
                node.add(self.fill("body/flexcomp/contact", Node("contact", selfcollide="none"), {"passive", "internal"}))
            if self.maybe(0.3):
                node.add(Node("pin", id="0"))
            return
        if "mujoco.elasticity.cable" not in self.used:
            return
        node = body.add(Node("composite", type="cable", prefix="cable", count="4 1 1", size="0.5", curve=self.chance.choice(("s", "s sin(s) 0", "cos(s) sin(s) 0")),
                             initial=self.chance.choice(("none", "ball", "free")) if False else "none"))
        node.add(Node("plugin", plugin="mujoco.elasticity.cable")).add(Node("config", key="bend", value="1e4"))
        node.add(self.fill("body/composite/joint", Node("joint", kind="main", damping=self.values.positive()), {"type", "axis", "limited", "range", "stiffness", "margin", "frictionloss", "solreffix", "solimpfix"}))
        node.add(Node("geom", type="capsule", size=".01", rgba="1 0 0 1"))

    # ---- what refers to the tree

    def _relations(self) -> None:
        self._custom()
        self._contacts()
        self._deformables()
        self._tendons()
        self._equalities()
        self._actuators()
        self._sensors()
        if not self.is_part or self.plain:
            self._keys()

    def _section(self, tag: str, part: float) -> Node | None:
        return self.root.add(Node(tag)) if self.maybe(part) else None

    def _custom(self) -> None:
        if not (section := self._section("custom", 0.25)):
            return
        if self.maybe(0.6):
            data = self.values.reals(1, 5)
            section.add(Node("numeric", name="numeric0", data=data, size=len(data.split()) + self.chance.randint(0, 2) if self.maybe(0.4) else None))
        if self.maybe(0.5):
            section.add(Node("text", name="text0", data=self.values.text()))
        if self.names.get("body") and self.maybe(0.5):
            node = section.add(Node("tuple", name="tuple0"))
            for _ in range(self.chance.randint(1, 2)):
                node.add(Node("element", objtype="body", objname=self.some("body"), prm=self.values.real() if self.maybe(0.5) else None))

    def _contacts(self) -> None:
        if not (section := self._section("contact", 0.3)):
            return
        geoms, bodies = self.names.get("geom", []), self.names.get("body", [])
        for number in range(self.chance.randint(0, 2) if len(geoms) > 1 else 0):
            one, two = self.chance.sample(geoms, 2)
            self.fill("contact/pair", section.add(Node("pair", name=f"pair{number}" if self.maybe(0.5) else None, geom1=one, geom2=two)),
                      {"contactmodel", "modulus", "stiffness", "dissipation", "cfriction", "frictionlaw", "curvature", "slipspeed", "mixing"})
        for _ in range(self.chance.randint(0, 2) if len(bodies) > 1 else 0):
            one, two = self.chance.sample(bodies, 2)
            section.add(Node("exclude", name=f"exclude{self.chance.getrandbits(20)}" if self.maybe(0.3) else None, body1=one, body2=two))

    def _deformables(self) -> None:
        if len(bodies := self.names.get("body", [])) < 2 or not (section := self._section("deformable", 0.06)):
            return
        skin = section.add(self.fill("deformable/skin", Node("skin", name="skin0", vertex="0 0 0 1 0 0 0 1 0", face="0 1 2"), {"file", "texcoord"}))
        for body in self.chance.sample(bodies, 2):
            skin.add(Node("bone", body=body, bindpos=self.values.reals(3, 3), bindquat="1 0 0 0", vertid="0 1 2", vertweight="1 .5 .25"))

    def _scalars(self) -> list[str]:
        return self.names.get("hinge", []) + self.names.get("slide", [])

    def _tendons(self) -> None:
        sites, geoms, scalars = self.names.get("site", []), self.names.get("geom", []), self._scalars()
        if not (sites or scalars) or not (section := self._section("tendon", 0.35)):
            return
        for _ in range(self.chance.randint(1, 2)):
            fixed = scalars and (len(sites) < 2 or self.maybe(0.5))
            if not fixed and len(sites) < 2:
                continue
            tag = "fixed" if fixed else "spatial"
            node = section.add(self.fill(f"tendon/{tag}", Node(tag, name=self.name("tendon", 0.9)), {"limited", "actuatorfrclimited"}))
            if fixed:
                for joint in self.chance.sample(scalars, min(len(scalars), self.chance.randint(1, 3))):
                    node.add(Node("joint", joint=joint, coef=self.values.real()))
                continue
            path = self.chance.sample(sites, min(len(sites), self.chance.randint(2, 4)))
            for number, site in enumerate(path):
                node.add(Node("site", site=site))
                if number and number + 2 < len(path) and self.maybe(0.3):
                    node.add(Node("pulley", divisor=self.values.positive(1, 3)))
                    node.add(Node("site", site=site))

    def _equalities(self) -> None:
        if not (section := self._section("equality", 0.3)):
            return
        bodies, sites, scalars, tendons = self.names.get("body", []), self.names.get("site", []), self._scalars(), self.names.get("tendon", [])
        for _ in range(self.chance.randint(1, 3)):
            kind = self.chance.choice(("connect", "weld", "joint", "tendon"))
            name = self.name("equality", 0.5)
            if kind in ("connect", "weld") and bodies:
                node = Node(kind, name=name)
                if len(sites) > 1 and self.maybe(0.3):
                    node.attributes["site1"], node.attributes["site2"] = self.chance.sample(sites, 2)
                    without = {"anchor", "relpose"}
                else:
                    node.attributes["body1"] = self.some("body")
                    others = [body for body in bodies if body != node.attributes["body1"]]
                    if others and self.maybe(0.7):
                        node.attributes["body2"] = self.chance.choice(others)
                    if kind == "connect":
                        node.attributes["anchor"] = self.values.reals(3, 3)
                    without = {"relpose"}
                self.fill(f"equality/{kind}", section.add(node), without)
                if kind == "weld" and not without & {"anchor"} and self.maybe(0.3):
                    node.attributes["relpose"] = f"{self.values.reals(3, 3)} 1 {self.values.reals(3, 3)}"
            elif kind == "joint" and scalars or kind == "tendon" and tendons:
                names = scalars if kind == "joint" else tendons
                node = section.add(self.fill(f"equality/{kind}", Node(kind, name=name, **{f"{kind}1": self.chance.choice(names)})))
                others = [other for other in names if other != node.attributes[f"{kind}1"]]
                if others and self.maybe(0.5):
                    node.attributes[f"{kind}2"] = self.chance.choice(others)

    def _actuators(self) -> None:
        scalars, tendons, sites, bodies = self._scalars(), self.names.get("tendon", []), self.names.get("site", []), self.names.get("body", [])
        if not (section := self._section("actuator", 0.5)):
            return
        for _ in range(self.chance.randint(1, 3)):
            tag = self.chance.choice(("general", "general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle", "adhesion", "dcmotor"))
            targets = [("joint", scalars), ("tendon", tendons), ("jointinparent", scalars)]
            if tag not in ("muscle", "adhesion"):
                targets += [("site", sites), ("joint", self.names.get("ball", []))]
            if tag == "adhesion":
                targets = [("body", bodies)]
            targets = [(kind, names) for kind, names in targets if names]
            if not targets:
                continue
            kind, names = self.chance.choice(targets)
            node = Node(tag, name=self.name("actuator"), **{kind: self.chance.choice(names)})
            if kind == "site" and len(sites) > 1 and self.maybe(0.4):
                node.attributes["refsite"] = self.chance.choice([site for site in sites if site != node.attributes["site"]])
            without = {"ctrllimited", "forcelimited", "actlimited", "dyntype", "gaintype", "biastype", "actdim", "dampratio", "kv" if tag == "intvelocity" else "",
                       "diameter", "inheritrange", "interp", "nsample", "delay", "cranksite", "slidersite", "cranklength", "range" if tag == "muscle" else "", "motorconst", "resistance",
                       "nominal", "saturation", "inductance", "cogging", "controller", "thermal", "lugre", "dryfriction", "input"}
            if kind in ("site", "body"):
                without |= {"damping", "armature"}
            if tag == "dcmotor":
                node.attributes |= {"motorconst": self.values.positive(0.01, 1), "resistance": self.values.positive(0.1, 10)}
            if tag == "intvelocity":
                node.attributes["actrange"] = self.values.range()
            if tag == "damper":
                node.attributes["ctrlrange"] = f"0 {self.values.positive(1, 2)}"
            if tag == "adhesion":
                node.attributes |= {"ctrlrange": f"0 {self.values.positive(1, 2)}", "gain": self.values.positive()}
            if tag == "muscle":
                node.attributes |= {"lengthrange": self.values.range(0.1, 0.5), "timeconst": "0.01 0.04"}
            if tag == "cylinder":
                node.attributes["bias"] = self.values.reals(3, 3)
            self.fill(f"actuator/{tag}", section.add(node), without)
            if tag in ("general", "motor", "position", "velocity", "damper", "adhesion", "dcmotor", "cylinder"):
                node.attributes.pop("actrange", None)
            if tag == "general" and self.maybe(0.5):
                node.attributes["dyntype"] = self.chance.choice(("integrator", "filter", "filterexact"))
                node.attributes["dynprm"] = self.values.positive(0.05, 1)
            if tag == "general" and self.maybe(0.3):
                node.attributes |= {"gaintype": "affine", "biastype": "affine", "gainprm": self.values.reals(1, 3), "biasprm": self.values.reals(1, 3)}
            if tag == "position" and kind in ("joint", "tendon") and self.maybe(0.3):
                node.attributes.pop("kv", None)
                node.attributes["dampratio"] = self.values.positive(0.5, 2)
            if self.maybe(0.1):
                node.attributes |= {"nsample": str(self.chance.randint(2, 4)), "delay": "0.004", "interp": self.chance.choice(("zoh", "linear", "cubic"))}
        if "mujoco.pid" in self.used and scalars:
            node = section.add(Node("plugin", plugin="mujoco.pid", joint=self.chance.choice(scalars), name="pid0", actdim="1" if False else None))
            node.add(Node("config", key="kp", value=self.values.positive(1, 100)))

    def _sensors(self) -> None:
        if not (section := self._section("sensor", 0.5)):
            return
        limited = ("jointlimitpos", "jointlimitvel", "jointlimitfrc", "tendonlimitpos", "tendonlimitvel", "tendonlimitfrc")
        paths = [path for path, element in SCHEMA.elements.items() if path.startswith("sensor/") and path.count("/") == 1 and not element.get("extension")]
        paths = [path for path in paths if path.split("/")[1] not in limited or self.maybe(0.1)]
        for number in range(self.chance.randint(1, 5)):
            path = self.chance.choice(paths)
            tag = path.split("/")[1]
            if node := self._sensor(tag, path):
                if self.maybe(0.6):
                    node.attributes["name"] = f"sensor{number}"
                without = {"nsample", "delay", "interp", "interval", "cutoff" if self.maybe(0.7) or tag.startswith(("frame", "ball", "normal")) else ""}
                if self.maybe(0.1) and tag != "user":
                    node.attributes |= {"nsample": str(self.chance.randint(2, 4)), "delay": "0.004"}
                self.fill(path, section.add(node), without | {"num", "data" if tag != "contact" else "", "dim", "needstage", "datatype"})

    def _sensor(self, tag: str, path: str) -> Node | None:
        """A sensor with what it senses; None where there is nothing of the kind."""
        node = Node(tag)
        rows = SCHEMA.attributes[path]
        if tag in ("plugin", "tactile"):
            return None
        if tag in ("distance", "normal", "fromto"):
            if len(geoms := self.names.get("geom", [])) < 2:
                return None
            node.attributes["geom1"], node.attributes["geom2"] = self.chance.sample(geoms, 2)
            return node
        if tag == "user":
            node.attributes |= {"dim": self.chance.randint(1, 3), "needstage": self.chance.choice(("pos", "vel", "acc"))}
            node.attributes["dim"] = str(node.attributes["dim"])
            return node
        if tag == "contact":
            if geom := self.some("geom"):
                node.attributes["geom1"] = geom
            return node
        if tag == "rangefinder":
            return Node(tag, site=site) if (site := self.some("site")) else None
        if "objtype" in rows:
            kind = self.chance.choice(OBSERVED)
            name = self.some("body" if kind == "xbody" else kind)
            if not name:
                return None
            node.attributes |= {"objtype": kind, "objname": name}
            if "reftype" in rows and self.names.get("site") and self.maybe(0.3):
                node.attributes |= {"reftype": "site", "refname": self.some("site")}
        for name, row in rows.items():
            if row["type"] != "reference" or not row.get("required"):
                continue
            kinds = {"joint": ("ball",) if tag.startswith("ball") else ("hinge", "slide")}.get(row["to"], (row["to"],))
            names = [known for kind in kinds for known in self.names.get(kind, [])]
            if not names:
                return None
            node.attributes[name] = self.chance.choice(names)
        return node

    def _keys(self) -> None:
        if not (section := self._section("keyframe", 0.2)):
            return
        for number in range(self.chance.randint(1, 2)):
            node = section.add(Node("key", name=f"key{number}" if self.maybe(0.7) else None, time=self.values.positive() if self.maybe(0.5) else None))
            if self.plain and self.dofs and self.maybe(0.6):
                node.attributes["qvel"] = " ".join(self.values.real() for _ in range(self.dofs))
                if self.maybe(0.5):
                    node.attributes["qpos"] = " ".join(self.values.positive() for _ in range(self.coordinates))
            if self.plain and self.mocaps and self.maybe(0.5):
                node.attributes["mpos"] = " ".join(self.values.real() for _ in range(3 * self.mocaps))

    # ---- files

    def _split(self) -> None:
        """Moves some sections to a file that is included in their place."""
        movable = [section for section in self.root.children if section.tag in ("asset", "actuator", "sensor", "tendon", "custom", "visual")]
        if not movable:
            return
        section = self.chance.choice(movable)
        place = self.root.children.index(section)
        included = Node("mujoco")
        included.add(section)
        self.files["parts/more.xml"] = included.text().encode()
        self.root.children[place] = Node("include", file="parts/more.xml")
