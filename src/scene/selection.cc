// The selected body and its point, what the mouse pulls, and the forces on bodies.
#include <algorithm>
#include <cstdio>
#include <utility>

#include "math/quat.h"
#include "scene/parts.h"

namespace sinew::inline scene {
namespace {

using Vec = Vec3<double>;

// Marks of the second perturbation (active2) are drawn with red and green exchanged.
void SetPerturbColor(const SceneBuilder& s, mjtPertBit bit, const float color[4], float rgba[4]) {
  std::copy_n(color, 4, rgba);
  if (s.perturb()->active2 & bit) std::swap(rgba[0], rgba[1]);
}

// The point is found in the world, from its place in the frame of the body.
Vec SelectedPoint(const SceneBuilder& s) {
  const int body = s.perturb()->select;
  return s.data.xpos(body) + s.data.xmat(body) * LoadVec3(s.perturb()->localpos);
}

bool HasSelection(const SceneBuilder& s) {
  return s.perturb() && s.perturb()->select > 0 && s.perturb()->select < s.m->nbody;
}

// A line to the reference point, with a ball at its end.
void AddPull(SceneBuilder& s) {
  float rgba[4];
  SetPerturbColor(s, mjPERT_TRANSLATE, s.m->vis.rgba.constraint, rgba);
  const double width = s.Scaled(s.m->vis.scale.constraint);
  const Vec reference = LoadVec3(s.perturb()->refselpos);
  s.PushConnector(Decor(s.perturb()->select), mjGEOM_CAPSULE, width, SelectedPoint(s), reference, rgba);
  s.PushShape(Decor(s.perturb()->select), mjGEOM_SPHERE, {2 * width, 2 * width, 2 * width}, reference,
              ToMat3(LoadQuat(s.perturb()->refquat)), rgba);
}

// The body's box at the reference orientation.
void AddTurn(SceneBuilder& s) {
  const int body = s.perturb()->select, root = s.m->body_bvhadr[body];
  float rgba[4];
  SetPerturbColor(s, mjPERT_ROTATE, s.m->vis.rgba.inertia, rgba);
  const double mean = s.m->stat.meansize;
  const Vec size = root >= 0 ? LoadVec3(s.m->bvh_aabb + 6 * root + 3) : Vec{mean, mean, mean};
  const Mat3<double> mat = ToMat3(LoadQuat(s.perturb()->refquat));
  const Vec centre = root >= 0 ? s.data.ximat(body) * LoadVec3(s.m->bvh_aabb + 6 * root) : Zero3<double>();
  s.PushShape(Decor(s.perturb()->select), mjGEOM_BOX, size, s.data.xipos(body) + centre, mat, rgba);
}

}  // namespace

void AddPerturbation(SceneBuilder& s) {
  if (!s.Shows(mjVIS_PERTOBJ) || !HasSelection(s)) return;
  const int active = s.perturb()->active | s.perturb()->active2;
  if (active & mjPERT_TRANSLATE) AddPull(s);
  if (active & mjPERT_ROTATE) AddTurn(s);
}

void AddSelectedPoint(SceneBuilder& s) {
  if (!s.Shows(mjVIS_SELECT) || !HasSelection(s)) return;
  const double radius = s.Scaled(s.m->vis.scale.selectpoint);
  const Vec point = SelectedPoint(s);
  mjvGeom geom = s.Shape(Decor(s.perturb()->select), mjGEOM_SPHERE, {radius, radius, radius}, point,
                         Identity3<double>(), s.m->vis.rgba.selectpoint);
  if (s.Labels(mjLABEL_SELPNT)) {
    const double* local = s.perturb()->localpos;
    std::snprintf(geom.label, sizeof(geom.label), "%.3f %.3f %.3f (local %.3f %.3f %.3f)", point.x, point.y, point.z,
                  local[0], local[1], local[2]);
  }
  s.Push(geom);
}

// Arrows stand at the centres of mass, whatever has set the forces.
void AddPerturbForces(SceneBuilder& s) {
  if (!s.Shows(mjVIS_PERTFORCE)) return;
  const double length = static_cast<double>(s.m->vis.map.force) / s.m->stat.meanmass;
  for (int body = 1; body < s.m->nbody; ++body) {
    const Vec force = LoadVec3(s.d->xfrc_applied + 6 * body);
    if (IsZero(force)) continue;
    const Vec from = s.data.xipos(body);
    s.PushConnector(Decor(body), mjGEOM_ARROW, s.Scaled(s.m->vis.scale.forcewidth), from, from + force * length,
                    s.m->vis.rgba.force);
  }
}

}  // namespace sinew::inline scene
