// Geoms of the draft: shape, pose in the body, bounding box and sphere, mass and moments of inertia. Sizes are half
// lengths in metres; masses are in kg.
#include "compile/tree/geom.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "compile/diagnose.h"
#include "spec/orientation.h"

namespace sinew::inline compile {
namespace {

constexpr double kNoVolume = 1e-14;

// Checks the values of a geom that do not depend on its shape.
void CheckParameters(const Geom& geom) {
  if (geom.condim != 1 && geom.condim != 3 && geom.condim != 4 && geom.condim != 6) {
    throw Error("condim is " + std::to_string(geom.condim), "use 1, 3, 4 or 6");
  }
  if (geom.mass < 0 || geom.density < 0) throw Error("mass or density is negative", "give a number of at least 0");
  for (double size : geom.size) {
    if (std::isnan(size)) throw Error("size is not a number");
  }
  if (HasMeshShape(geom.type) && geom.typeinertia == mjINERTIA_SHELL) {
    throw Error("a mesh geom cannot have shellinertia", "set inertia=\"shell\" of the mesh");
  }
}

// A height field reaches from the base below its frame to the top above it; as a mass it is a box.
void ResolveHField(const HFieldDraft& hfield, GeomDraft& draft) {
  const double* size = hfield.source->size;
  const double top = size[2], base = size[3];
  draft.shape.size = {size[0], size[1], 0.25 * top + 0.5 * base};
  draft.box = {{0, 0, (top - base) / 2}, {size[0], size[1], (top + base) / 2}};
  const double height = std::max(top, base);
  draft.rbound = std::sqrt(size[0] * size[0] + size[1] * size[1] + height * height);
}

// ---- meshes

// A mesh stands in the frame of its principal axes, and so does the geom.
void ResolveMesh(const CompiledMesh& mesh, GeomDraft& draft) {
  draft.in_element = {mesh.pos, mesh.quat};
  draft.pose = draft.pose * draft.in_element;
  for (int i = 0; i < 3; ++i) draft.shape.size[i] = std::max(std::fabs(mesh.lower[i]), std::fabs(mesh.upper[i]));
  draft.box = {(mesh.lower + mesh.upper) * 0.5, (mesh.upper - mesh.lower) * 0.5};
  draft.rbound = Norm(draft.shape.size);
}

// Sizes of a primitive around the box of half sizes s, or, for those that are not boxes themselves, near it.
Vec3<double> FitToBox(mjtGeom type, const Vec3<double>& s) {
  const double radius = std::max(s.x, s.y);
  switch (type) {
    case mjGEOM_SPHERE:
      return {std::max({s.x, s.y, s.z}), 0, 0};
    case mjGEOM_CAPSULE:
      return {radius, s.z - radius, 0};
    case mjGEOM_CYLINDER:
      return {radius, s.z, 0};
    default:
      return s;
  }
}

// Sizes of a primitive with about the inertia of the box of half sizes s.
Vec3<double> FitToInertia(mjtGeom type, const Vec3<double>& s) {
  const double radius = (s.x + s.y) / 2;
  switch (type) {
    case mjGEOM_SPHERE:
      return {(s.x + s.y + s.z) / 3, 0, 0};
    case mjGEOM_CAPSULE:
      return {radius, std::max(0.0, s.z - radius / 2), 0};
    case mjGEOM_CYLINDER:
      return {radius, s.z, 0};
    default:
      return s;
  }
}

// A primitive that names a mesh takes its place and its size.
void FitPrimitive(const CompiledMesh& mesh, GeomDraft& draft) {
  Geom& geom = *draft.source;
  if (geom.type == mjGEOM_PLANE || geom.type == mjGEOM_HFIELD) {
    throw Error("a plane or height field cannot be fitted to mesh '" + *geom.meshname + "'", "choose another type");
  }
  if (!std::isnan(geom.fromto[0])) {
    throw Error("both mesh and fromto are given", "the mesh says where the geom is: remove one of them");
  }
  Pose in_geom = {mesh.pos, mesh.quat};
  draft.pose = draft.pose * in_geom;
  if (geom.compiler().fitaabb) {
    const Pose to_centre = {(mesh.lower + mesh.upper) * 0.5, {1, 0, 0, 0}};
    draft.pose = draft.pose * to_centre;
    in_geom = in_geom * to_centre;
    draft.shape.size = FitToBox(geom.type, (mesh.upper - mesh.lower) * 0.5);
  } else {
    draft.shape.size = FitToInertia(geom.type, mesh.half);
  }
  draft.shape.size *= geom.fitscale;
  draft.in_element = in_geom;
  geom.fit.emplace();
  StoreVec3(draft.shape.size, geom.fit->size);
  StoreVec3(in_geom.pos, geom.fit->pos);
  StoreQuat(in_geom.quat, geom.fit->quat);
}

// ---- mass

// Moments of the box that has the inertia of a mesh.
Vec3<double> MeshMoments(const CompiledMesh& mesh, double mass) {
  return MomentsOfInertia({mjGEOM_BOX, mesh.half}, mjINERTIA_VOLUME, mass);
}

// A given mass has precedence over the density, unless the geom has no volume to hold it.
void ResolveMass(const Geom& geom, const CompiledMesh* mesh, GeomDraft& draft) {
  const double measure = mesh ? mesh->measure : Measure(draft.shape, geom.typeinertia);
  draft.mass = geom.density * measure;
  if (!std::isnan(geom.mass) && (geom.mass == 0 || measure > kNoVolume)) draft.mass = geom.mass;
  draft.moments = mesh ? MeshMoments(*mesh, draft.mass) : MomentsOfInertia(draft.shape, geom.typeinertia, draft.mass);
}

}  // namespace

// Zero sizes are refused, as the shape would have no inside.
void CheckSizes(const Shape& shape) {
  if (shape.type == mjGEOM_PLANE) {
    if (!(shape.size.z > 0)) throw Error("size 2 of a plane must be positive", "it is the spacing of the grid lines");
    return;
  }
  for (int i = 0; i < SizeCount(shape.type); ++i) {
    if (!(shape.size[i] > 0)) throw Error("size " + std::to_string(i) + " must be positive in geom", "set it");
  }
}

// The z axis points from the second point to the first, which is the convention of the format.
void ResolveFromTo(const double fromto[6], Shape& shape, Pose& pose) {
  if (std::isnan(fromto[0])) return;
  const mjtGeom type = shape.type;
  if (type != mjGEOM_CAPSULE && type != mjGEOM_CYLINDER && type != mjGEOM_BOX && type != mjGEOM_ELLIPSOID) {
    throw Error("fromto has no meaning for this type", "use a capsule, cylinder, box or ellipsoid");
  }
  if (pose.pos.x != 0 || pose.pos.y != 0 || pose.pos.z != 0) {
    throw Error("both pos and fromto are given", "remove one of them");
  }
  const Vec3<double> from = LoadVec3(fromto), to = LoadVec3(fromto + 3);
  Vec3<double> axis = from - to;
  const double length = Norm(axis);
  if (!(length >= mjMINVAL)) throw Error("the points of fromto are too close", "give two different points");
  Normalize(axis);
  pose = {(from + to) * 0.5, FromZAxis(axis)};
  if (type == mjGEOM_BOX || type == mjGEOM_ELLIPSOID) {
    shape.size = {shape.size.x, shape.size.x, length / 2};
  } else {
    shape.size.y = length / 2;
  }
}

// The order matters: bounds need the shape, and the mass needs both.
GeomDraft DraftGeom(Geom& geom, const Draft& draft) {
  if (geom.type < 0 || geom.type >= mjNGEOMTYPES) throw Error("invalid type in geom", "use one of mjtGeom");
  CheckParameters(geom);
  GeomDraft out = {};
  out.source = &geom;
  out.shape = {geom.type, LoadVec3(geom.size)};
  out.pose = {LoadVec3(geom.pos), Orientation(geom.quat, geom.alt, geom.compiler())};
  ResolveFromTo(geom.fromto, out.shape, out.pose);
  const CompiledMesh* mesh = nullptr;
  geom.fit.reset();
  const bool has_mesh_shape = HasMeshShape(geom.type);
  if (has_mesh_shape || !geom.meshname->empty()) {
    out.mesh = Require(*geom.spec, mjOBJ_MESH, *geom.meshname).id;
    mesh = &draft.meshes[static_cast<size_t>(out.mesh)].mesh;
    if (!has_mesh_shape) FitPrimitive(*mesh, out);
  }
  CheckSizes(out.shape);
  out.box = BoundingBox(out.shape);
  out.rbound = BoundingRadius(out.shape);
  if (has_mesh_shape) ResolveMesh(*mesh, out);
  const bool is_hfield = geom.type == mjGEOM_HFIELD;
  const int hfield =
      is_hfield || !geom.hfieldname->empty() ? Require(*geom.spec, mjOBJ_HFIELD, *geom.hfieldname).id : -1;
  if (is_hfield) {
    out.hfield = hfield;
    ResolveHField(draft.hfields[static_cast<size_t>(out.hfield)], out);
  }
  ResolveMass(geom, has_mesh_shape ? mesh : nullptr, out);
  return out;
}

SurfaceValues SurfaceIn(const Pose& frame, SurfaceValues values) {
  double* velocity = values.data() + kSurfaceVelocity;
  constexpr int kNumbers = kSurfaceAdhesion - kSurfaceVelocity;
  const auto is_missing = [](double x) { return std::isnan(x); };
  if (std::all_of(velocity, velocity + kNumbers, is_missing)) return values;
  std::replace_if(velocity, velocity + kNumbers, is_missing, 0.0);
  const Vec3<double> angular = LoadVec3(velocity + 3), linear = LoadVec3(velocity) + Cross(angular, frame.pos);
  const Quat<double> back = Conjugate(frame.quat);
  StoreVec3(Rotate(back, linear), velocity);
  StoreVec3(Rotate(back, angular), velocity + 3);
  return values;
}

}  // namespace sinew::inline compile
