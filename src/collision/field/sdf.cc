// Signed distances and gradients are those of one field or of two combined (docs/how/sdf.md); primitives have formulas
// of their own.
#include "collision/field/sdf.h"

#include <cmath>
#include <string>

#include "collision/field/sdf_octree.h"
#include "core/error.h"
#include "math/signed_distance.h"
#include "model/view/view_of.h"

namespace sinew::inline collision {
namespace {

// These types have a formula of the distance, without a mesh or a program.
bool IsPrimitive(int type) {
  return type == mjGEOM_PLANE || type == mjGEOM_SPHERE || type == mjGEOM_CAPSULE || type == mjGEOM_ELLIPSOID ||
         type == mjGEOM_CYLINDER || type == mjGEOM_BOX;
}

// Distances of meshes are those that an octree samples.
bool IsMesh(int type) { return type == mjGEOM_MESH || type == mjGEOM_SDF; }

// An id is that of a plugin's instance, of a mesh, or of a geom. Types without a distance have ids of geoms.
mjtSize CountOfIds(const mjModel& m, const mjpPlugin* plugin, int type) {
  return plugin ? m.nplugin : IsMesh(type) ? m.nmesh : m.ngeom;
}

bool HasDistances(const mjpPlugin* plugin) { return plugin && (plugin->capabilityflags & mjPLUGIN_SDF); }

}  // namespace

// The plugin of a geom must be able to compute distances. Only the model has the plugin: hence the error here.
const mjpPlugin* FieldPlugin(const mjModel* m, int geom) {
  const int instance = m->geom_plugin[geom];
  if (instance < 0) return nullptr;
  const mjpPlugin* plugin = mjp_getPluginAtSlot(m->plugin[instance]);
  if (!HasDistances(plugin)) {
    throw Error("geom " + std::to_string(geom) + " has a plugin without signed distances", "choose another one");
  }
  return plugin;
}

// ---- one field

DistanceField::DistanceField(const mjModel* m, const mjData* d, const mjpPlugin* plugin, int id, int geom_type)
    : m_(m), d_(d), plugin_(plugin), id_(id), type_(geom_type) {
  if (id < 0 || id >= CountOfIds(*m, plugin, geom_type)) {
    throw Error("id " + std::to_string(id) + " of a signed distance is out of range",
                "pass that of an instance, mesh or geom");
  }
  if (plugin_) return;
  if (IsPrimitive(type_)) {
    size_ = ViewOf(m).geom_size(id);
  } else if (!IsMesh(type_)) {
    throw Error("a geom of type " + std::to_string(type_) + " has no signed distance", "choose another type");
  } else if (!HasOctree(m, id)) {
    throw Error("mesh " + std::to_string(id) + " has no signed distance",
                "give the geom the plugin of its mesh, or the mesh an octree: needsdf of its specification");
  }
}

// The id is that of what gives the distance: of the plugin's instance, of the mesh, or of the geom.
DistanceField DistanceField::OfGeom(const mjModel* m, const mjData* d, int geom) {
  const int type = m->geom_type[geom];
  if (const mjpPlugin* plugin = type == mjGEOM_SDF ? FieldPlugin(m, geom) : nullptr) {
    return DistanceField(m, d, plugin, m->geom_plugin[geom], type);
  }
  return DistanceField(m, d, nullptr, IsMesh(type) ? m->geom_dataid[geom] : geom, type);
}

// A mesh has a distance by the plugin of its geom, or by its octree.
bool DistanceField::IsKnown(const mjModel* m, int geom) {
  const int type = m->geom_type[geom];
  if (!IsMesh(type)) return IsPrimitive(type);
  if (type == mjGEOM_SDF && m->geom_plugin[geom] >= 0)
    return HasDistances(mjp_getPluginAtSlot(m->plugin[m->geom_plugin[geom]]));
  return m->geom_dataid[geom] >= 0 && HasOctree(m, m->geom_dataid[geom]);
}

double DistanceField::Distance(const Vec3<double>& point) const {
  if (plugin_) return plugin_->sdf_distance(&point[0], d_, id_);
  switch (type_) {
    case mjGEOM_PLANE:
      return point.z;
    case mjGEOM_SPHERE:
      return SphereDistance(point, size_.x);
    case mjGEOM_CAPSULE:
      return CapsuleDistance(point, size_.x, size_.y);
    case mjGEOM_ELLIPSOID:
      return EllipsoidDistance(point, size_);
    case mjGEOM_CYLINDER:
      return CylinderDistance(point, size_.x, size_.y);
    case mjGEOM_BOX:
      return BoxDistance(point, size_);
    default:
      return OctreeDistance(m_, id_, point);
  }
}

Vec3<double> DistanceField::Gradient(const Vec3<double>& point) const {
  if (plugin_) {
    Vec3<double> gradient = {0, 0, 0};
    plugin_->sdf_gradient(&gradient[0], &point[0], d_, id_);
    return gradient;
  }
  switch (type_) {
    case mjGEOM_PLANE:
      return {0, 0, 1};
    case mjGEOM_SPHERE:
      return SphereGradient(point);
    case mjGEOM_CAPSULE:
      return CapsuleGradient(point, size_.y);
    case mjGEOM_ELLIPSOID:
      return EllipsoidGradient(point, size_);
    case mjGEOM_CYLINDER:
      return CylinderGradient(point, size_.x, size_.y);
    case mjGEOM_BOX:
      return BoxGradient(point, size_);
    default:
      return OctreeGradient(m_, id_, point);
  }
}

// ---- two fields

FieldPair FieldPair::OfGeoms(const mjModel* m, const mjData* d, int geom1, int geom2) {
  const Mat3<double>&R_WA = ViewOf(d).geom_xmat(geom1), &R_WB = ViewOf(d).geom_xmat(geom2);
  const Vec3<double> p_BA_W = ViewOf(d).geom_xpos(geom1) - ViewOf(d).geom_xpos(geom2);
  return FieldPair(DistanceField::OfGeom(m, d, geom1), DistanceField::OfGeom(m, d, geom2), MulTransposed(R_WB, p_BA_W),
                   Transpose(R_WB) * R_WA);
}

// Frames are those of the first field; the second is asked at the same point in its own frame.
double FieldPair::Distance(mjtSDFType type, const Vec3<double>& x) const {
  const double A = first_.Distance(x);
  if (type == mjSDFTYPE_SINGLE) return A;
  const double B = second_.Distance(InSecond(x)), deeper = A > B ? A : B;
  if (type == mjSDFTYPE_INTERSECTION) return deeper;
  return type == mjSDFTYPE_MIDSURFACE ? A - B : A + B + std::fabs(deeper);
}

Vec3<double> FieldPair::Gradient(mjtSDFType type, const Vec3<double>& x) const {
  const Vec3<double> dA = first_.Gradient(x);
  if (type == mjSDFTYPE_SINGLE) return dA;
  const Vec3<double> x2 = InSecond(x), dB = MulTransposed(turn_, second_.Gradient(x2));
  if (type == mjSDFTYPE_MIDSURFACE) return Normalized(Normalized(dA) - Normalized(dB));
  const double A = first_.Distance(x), B = second_.Distance(x2);
  const Vec3<double>& outer = A > B ? dA : dB;
  if (type == mjSDFTYPE_INTERSECTION) return outer;
  return std::fmax(A, B) > 0 ? dA + dB + outer : dA + dB - outer;
}

}  // namespace sinew::inline collision
