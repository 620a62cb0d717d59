// Tactile sensors: the vertices of a mesh, the taxels, measure the geoms that touch the body under them.
//
// The mesh stands in the frame of the sensor's geom, as its file has it: a geom that shows this mesh has its taxels on
// its vertices. A geom that reaches beyond a taxel by depth d presses on it with d / (kSoftness - d), d < 0, and slides
// over it with the two speeds |v . t_i| along its tangents. Values of several geoms are summed. The output has a number
// per taxel and channel: all pressures, all first speeds, all second speeds.
#include <algorithm>

#include "collision/field/sdf.h"
#include "core/stack.h"
#include "kinematics/object.h"
#include "math/dense.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/rows.h"
#include "math/spatial.h"
#include "model/view/view_of.h"
#include "sensor/evaluate.h"

namespace sinew::inline sensor {
namespace {

constexpr double kSoftness = 0.05;  // depth of half the pressure [m]

// Velocity of a geom about its centre, in world axes.
Spatial<double> VelocityOf(const mjModel* m, const mjData* d, int geom) {
  Spatial<double> v;
  ObjectVelocity(m, d, mjOBJ_GEOM, geom, &v[0], false);
  return v;
}

struct Pose {
  Vec3<double> pos;
  Mat3<double> axes;
};

Pose Compose(const Pose& a, const Pose& b) { return {a.pos + a.axes * b.pos, a.axes * b.axes}; }
Pose Inverse(const Pose& a) { return {-MulTransposed(a.axes, a.pos), Transpose(a.axes)}; }

// The model keeps the vertices of a mesh in its principal axes: this is where these stand in the frame of its file.
Pose PoseOfMesh(const mjModel* m, int mesh) {
  return {ViewOf(m).mesh_pos(mesh), ToMat3<double>(ViewOf(m).mesh_quat(mesh))};
}

// The frame of a geom in the world, before a mesh that it shows moved it to its principal axes.
Pose FrameOfGeom(const mjModel* m, const mjData* d, int geom) {
  const Pose pose = {ViewOf(d).geom_xpos(geom), ViewOf(d).geom_xmat(geom)};
  const bool shows_mesh = m->geom_type[geom] == mjGEOM_MESH || m->geom_type[geom] == mjGEOM_SDF;
  return shows_mesh ? Compose(pose, Inverse(PoseOfMesh(m, m->geom_dataid[geom]))) : pose;
}

// The taxels of one sensor, as they stand and move now.
class Patch {
 public:
  Patch(const mjModel* m, const mjData* d, int mesh, int geom)
      : m_(m),
        d_(d),
        mesh_(mesh),
        count_(m->mesh_vertnum[mesh]),
        frame_(Compose(FrameOfGeom(m, d, geom), PoseOfMesh(m, mesh))),
        center_(ViewOf(d).geom_xpos(geom)),
        velocity_(VelocityOf(m, d, geom)) {}

  // Adds what one geom does, if it is known where its inside is.
  void Sense(int geom, double* out) const {
    if (!DistanceField::IsKnown(m_, geom)) return;
    const DistanceField field = DistanceField::OfGeom(m_, d_, geom);
    const Vec3<double> origin = ViewOf(d_).geom_xpos(geom);
    const Mat3<double> axes = ViewOf(d_).geom_xmat(geom);
    const Vec3<double> velocity = VelocityOf(m_, d_, geom).lin;
    for (int i = 0; i < count_; ++i) {
      const ptrdiff_t vertex = m_->mesh_vertadr[mesh_] + i;
      const Vec3<double> taxel = frame_.pos + frame_.axes * Widen(Row3(m_->mesh_vert, vertex));
      const double depth = field.Distance(MulTransposed(axes, taxel - origin));
      if (!(depth < 0)) continue;
      out[i] += depth / (kSoftness - depth);
      if (HasTangents()) Slide(i, velocity - velocity_.lin - Cross(velocity_.rot, taxel - center_), out);
    }
  }

 private:
  static Vec3<double> Widen(const float* v) { return {v[0], v[1], v[2]}; }

  // Meshes that are made for sensors have a normal and two tangents at each vertex.
  bool HasTangents() const { return m_->mesh_normalnum[mesh_] == 3 * count_; }

  // Tangents are in the axes of the vertices.
  void Slide(int taxel, const Vec3<double>& velocity, double* out) const {
    const float* normal = m_->mesh_normal + 3 * (static_cast<ptrdiff_t>(m_->mesh_normaladr[mesh_]) + 3 * taxel);
    for (int k = 1; k < 3; ++k) {
      out[k * count_ + taxel] += Abs(Dot(velocity, frame_.axes * Widen(Row3(normal, k))));
    }
  }

  const mjModel* m_;
  const mjData* d_;
  int mesh_, count_;
  Pose frame_;           // of the vertices
  Vec3<double> center_;  // of the geom, which the velocity is about
  Spatial<double> velocity_;
};

// The geom that a contact brings to a body or to what is welded to it; -1: none. Flexes are not measured.
int TouchingGeom(const mjModel* m, const mjContact& contact, int weld) {
  const auto is_welded = [&](int geom) { return m->body_weldid[m->geom_bodyid[geom]] == weld; };
  const int first = contact.geom[0], second = contact.geom[1];
  if (first < 0 || second < 0) return -1;
  if (is_welded(first)) return second;
  return is_welded(second) ? first : -1;
}

}  // namespace

void EvaluateTactile(const mjModel* m, mjData* d, const SensorSpec& s, double* out) {
  Zero(out, m->sensor_dim[s.id]);
  StackFrame frame(d);
  auto* measured = frame.Alloc<mjtByte>(m->ngeom);
  std::fill(measured, measured + m->ngeom, mjtByte{0});

  // each geom counts once, however many contacts it makes
  const Patch patch(m, d, s.objid, s.refid);
  const int weld = m->body_weldid[m->geom_bodyid[s.refid]];
  for (int i = 0; i < d->ncon; ++i) {
    const int geom = TouchingGeom(m, d->contact[i], weld);
    if (geom < 0 || measured[geom]) continue;
    measured[geom] = 1;
    patch.Sense(geom, out);
  }
}

}  // namespace sinew::inline sensor
