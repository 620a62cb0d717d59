#include "compile/geom.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "compile/diagnose.h"
#include "compile/orientation.h"

namespace sinew {
namespace {

constexpr double kNoVolume = 1e-14;

// What can be said before the shape is known.
void CheckParameters(const Geom& geom) {
  if (geom.condim != 1 && geom.condim != 3 && geom.condim != 4 && geom.condim != 6) {
    throw Error("condim is " + std::to_string(geom.condim), "use 1, 3, 4 or 6");
  }
  if (geom.mass < 0 || geom.density < 0) throw Error("mass or density is negative", "give a number of at least 0");
  for (double size : geom.size) {
    if (std::isnan(size)) throw Error("size is not a number");
  }
  if (geom.type == mjGEOM_MESH || geom.type == mjGEOM_SDF) {
    throw Error("geoms that are meshes are not supported", "use a primitive");
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

// A given mass wins over the density, unless the geom has no volume to hold it.
void ResolveMass(const Geom& geom, GeomDraft& draft) {
  const double measure = Measure(draft.shape, geom.typeinertia);
  draft.mass = geom.density * measure;
  if (!std::isnan(geom.mass) && (geom.mass == 0 || measure > kNoVolume)) draft.mass = geom.mass;
  draft.moments = MomentsOfInertia(draft.shape, geom.typeinertia, draft.mass);
}

}  // namespace

void CheckSizes(const Shape& shape) {
  if (shape.type == mjGEOM_PLANE) {
    if (!(shape.size.z > 0)) throw Error("size 2 of a plane must be positive", "it is the spacing of the grid lines");
    return;
  }
  for (int i = 0; i < SizeCount(shape.type); ++i) {
    if (!(shape.size[i] > 0)) throw Error("size " + std::to_string(i) + " must be positive", "set it");
  }
}

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

GeomDraft DraftGeom(Geom& geom, const Draft& draft) {
  CheckParameters(geom);
  GeomDraft out = {};
  out.source = &geom;
  out.shape = {geom.type, LoadVec3(geom.size)};
  out.pose = {LoadVec3(geom.pos), Orientation(geom.quat, geom.alt, geom.compiler())};
  ResolveFromTo(geom.fromto, out.shape, out.pose);
  CheckSizes(out.shape);
  out.box = BoundingBox(out.shape);
  out.rbound = BoundingRadius(out.shape);
  if (geom.type == mjGEOM_HFIELD) {
    out.hfield = Require(*geom.spec, mjOBJ_HFIELD, *geom.hfieldname).id;
    ResolveHField(draft.hfields[static_cast<size_t>(out.hfield)], out);
  }
  ResolveMass(geom, out);
  return out;
}

}  // namespace sinew
