"""Writes what a simulation looks like as a file of Universal Scene Description."""

import os

import numpy as np
from pxr import Gf, Sdf, Usd, UsdGeom, UsdLux, UsdShade, Vt

import mujoco
from mujoco.usd import shapes


class USDExporter:
    """A stage to which each `update_scene` adds a frame."""

    def __init__(
        self, model, height=480, width=480, max_geom=10000, output_directory="mujoco_usdpkg", output_directory_root="./",
        light_intensity=10000, camera_names=None, specialized_materials_file=None, verbose=True,
    ):  # fmt: skip
        for name, size, room in (("width", width, model.vis.global_.offwidth), ("height", height, model.vis.global_.offheight)):
            if size > room:
                raise ValueError(f"Image {name} {size} > framebuffer {name} {room}")
        if specialized_materials_file is not None:
            raise ValueError("materials of other files are not supported")
        self.model, self.height, self.width = model, height, width
        self.light_intensity, self.camera_names, self.verbose = light_intensity, camera_names or [], verbose
        self.frame_count = 0
        self._scene = mujoco.MjvScene(model, max_geom)
        self._option = mujoco.MjvOption()
        self._geoms, self._lights, self._cameras = {}, {}, {}
        self.output_directory_path = os.path.join(output_directory_root, output_directory)
        self.frames_directory = os.path.join(self.output_directory_path, "frames")
        os.makedirs(self.frames_directory, exist_ok=True)
        self.stage = Usd.Stage.CreateInMemory()
        UsdGeom.SetStageUpAxis(self.stage, UsdGeom.Tokens.z)
        self.stage.SetStartTimeCode(0)
        self.stage.SetTimeCodesPerSecond(60.0)
        self.stage.SetDefaultPrim(UsdGeom.Xform.Define(self.stage, "/World").GetPrim())

    @property
    def usd(self):
        """The stage as text."""
        return self.stage.GetRootLayer().ExportToString()

    @property
    def scene(self):
        return self._scene

    # ---- frames

    def update_scene(self, data, scene_option=None):
        """Adds a frame with the world as it is."""
        option = scene_option or self._option
        self._take(data, option, mujoco.MjvCamera())
        self._update_lights()
        self._update_cameras(data, option)
        self._update_geoms()
        self.frame_count += 1

    def _take(self, data, option, camera):
        if camera.type == mujoco.mjtCamera.mjCAMERA_FREE:
            mujoco.mjv_defaultFreeCamera(self.model, camera)
        mujoco.mjv_updateScene(self.model, data, option, None, camera, mujoco.mjtCatBit.mjCAT_ALL, self._scene)

    def _set(self, attribute, value, time=None):
        attribute.Set(value, self.frame_count if time is None else time)

    # ---- lights

    def _update_lights(self):
        for i, light in enumerate(self._scene.lights[: self._scene.nlight]):
            if not np.any(light.pos):
                continue
            if i not in self._lights:
                self._lights[i] = self._new_light(str(i), self.light_intensity, 0.3, light.diffuse)
            self._set(self._lights[i], Gf.Vec3d(*map(float, light.pos)))

    def _new_light(self, name, intensity, radius, color, kind="sphere"):
        """Defines a light; returns the attribute of its position."""
        path = f"/World/Light_Xform_{name}"
        frame = UsdGeom.Xform.Define(self.stage, path)
        if kind == "dome":
            light = UsdLux.DomeLight.Define(self.stage, f"{path}/Light_{name}")
        else:
            light = UsdLux.SphereLight.Define(self.stage, f"{path}/Light_{name}")
            light.GetRadiusAttr().Set(float(radius))
            light.GetTreatAsPointAttr().Set(False)
        light.GetIntensityAttr().Set(float(intensity))
        light.GetNormalizeAttr().Set(True)
        light.GetColorAttr().Set(Gf.Vec3f(*map(float, color)))
        return frame.AddTranslateOp().GetAttr()

    def add_light(self, pos, intensity, radius=1.0, color=np.array([0.3, 0.3, 0.3]), obj_name="light_1", light_type="sphere"):
        """Adds a light that stays."""
        if light_type not in ("sphere", "dome"):
            raise ValueError(f"there are lights of the types sphere and dome, not {light_type}")
        self._set(self._new_light(obj_name, intensity, radius, color, light_type), Gf.Vec3d(*map(float, pos)), 0)

    # ---- cameras

    def _update_cameras(self, data, option):
        for name in self.camera_names:
            camera = mujoco.MjvCamera()
            camera.type = mujoco.mjtCamera.mjCAMERA_FIXED
            camera.fixedcamid = mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_CAMERA, name)
            if camera.fixedcamid < 0:
                raise ValueError(f'The camera "{name}" does not exist.')
            self._take(data, option, camera)
            seen = [self._scene.camera[0], self._scene.camera[1]]
            pos = np.mean([camera.pos for camera in seen], axis=0)
            if name not in self._cameras:
                self._cameras[name] = self._new_camera(name)
            self._set(self._cameras[name], _camera_matrix(pos, seen[0].forward, seen[0].up))

    def _new_camera(self, name):
        """Defines a camera; returns the attribute of its frame."""
        path = f"/World/Camera_Xform_{name}"
        frame = UsdGeom.Xform.Define(self.stage, path)
        camera = UsdGeom.Camera.Define(self.stage, f"{path}/Camera_{name}")
        camera.GetFocalLengthAttr().Set(12)
        camera.GetFocusDistanceAttr().Set(400)
        camera.GetHorizontalApertureAttr().Set(12)
        camera.GetClippingRangeAttr().Set(Gf.Vec2f(1e-4, 1e6))
        return frame.AddTransformOp().GetAttr()

    def add_camera(self, pos, rotation_xyz, obj_name="camera_1"):
        """Adds a camera that stays, with its rotations about x, y and z in degrees."""
        quaternion, matrix = np.empty(4), np.empty(9)
        mujoco.mju_euler2Quat(quaternion, np.radians(rotation_xyz), "xyz")
        mujoco.mju_quat2Mat(matrix, quaternion)
        self._set(self._new_camera(obj_name), _matrix(pos, matrix.reshape(3, 3)), 0)

    # ---- geoms

    def _update_geoms(self):
        shown = set()
        for geom in self._scene.geoms[: self._scene.ngeom]:
            name = self._geom_name(geom)
            if name not in self._geoms:
                made = self._new_geom(geom, name)
                if made is None:
                    continue
                self._geoms[name] = made
            transform, visibility = self._geoms[name]
            self._set(transform, _matrix(geom.pos, geom.mat))
            self._set(visibility, UsdGeom.Tokens.inherited)
            self._set(visibility, UsdGeom.Tokens.invisible, self.frame_count + 1)
            shown.add(name)

    def _geom_name(self, geom):
        name = mujoco.mj_id2name(self.model, geom.objtype, geom.objid) or "None"
        kind = mujoco.mju_type2Str(geom.objtype) or "decor"
        text = f"{name}_id{geom.segid if geom.segid >= 0 else geom.objid}_{kind}"
        return "".join(letter if letter.isalnum() else "_" for letter in text)

    def _new_geom(self, geom, name):
        """Defines a shape; returns the attributes of its frame and whether it is seen."""
        shape = shapes.of_geom(self.model, geom)
        if shape is None:
            return None
        points, faces = shape
        path = f"/World/Mesh_Xform_{name}"
        frame = UsdGeom.Xform.Define(self.stage, path)
        mesh = UsdGeom.Mesh.Define(self.stage, f"{path}/Mesh_{name}")
        mesh.GetPointsAttr().Set(Vt.Vec3fArray.FromNumpy(points.astype(np.float32)))
        mesh.GetFaceVertexCountsAttr().Set([3] * len(faces))
        mesh.GetFaceVertexIndicesAttr().Set(faces.ravel().tolist())
        mesh.GetSubdivisionSchemeAttr().Set(UsdGeom.Tokens.none)
        self._bind_material(mesh, geom, name)
        transform = frame.AddTransformOp().GetAttr()
        frame.AddScaleOp()
        return transform, frame.GetVisibilityAttr()

    def _bind_material(self, mesh, geom, name):
        path = f"/World/_materials/Material_{name}"
        material = UsdShade.Material.Define(self.stage, path)
        shader = UsdShade.Shader.Define(self.stage, f"{path}/Principled_BSDF")
        shader.CreateIdAttr("UsdPreviewSurface")
        inputs = (
            ("diffuseColor", Sdf.ValueTypeNames.Color3f, Gf.Vec3f(*map(float, geom.rgba[:3]))),
            ("opacity", Sdf.ValueTypeNames.Float, float(geom.rgba[3])),
            ("metallic", Sdf.ValueTypeNames.Float, float(geom.specular)),
            ("roughness", Sdf.ValueTypeNames.Float, float(1 - geom.shininess)),
        )
        for input_name, kind, value in inputs:
            shader.CreateInput(input_name, kind).Set(value)
        material.CreateSurfaceOutput().ConnectToSource(shader.ConnectableAPI(), "surface")
        UsdShade.MaterialBindingAPI.Apply(mesh.GetPrim()).Bind(material)

    # ---- files

    def save_scene(self, filetype="usd"):
        """Writes all frames into one file."""
        self.stage.SetEndTimeCode(max(self.frame_count, 1))
        path = os.path.join(self.frames_directory, f"frame_{self.frame_count}.{filetype}")
        self.stage.Export(path)
        if self.verbose:
            print(f"Completed writing frame_{self.frame_count}.{filetype}")


def _matrix(pos, mat):
    matrix = np.eye(4)
    matrix[:3, :3] = np.asarray(mat, dtype=float).reshape(3, 3).T
    matrix[3, :3] = pos
    return Gf.Matrix4d(matrix.tolist())


def _camera_matrix(pos, forward, up):
    """Cameras look along -z, and y points up."""
    right = np.cross(forward, up)
    return _matrix(pos, np.stack([right, up, -np.asarray(forward)], axis=1))
