// Contacts of a mesh with a field: the deepest points of faces, found from points that are spread over each.
//
// Over a face, the field is minimized by Frank and Wolfe's method (An algorithm for quadratic programming, Naval
// Research Logistics 3, 1956; for fields: M. Macklin et al., Local optimization for robust signed distance field
// collision, Proc. ACM Comput. Graph. Interact. Tech. 3(1), 2020): go towards the corner that the gradient favours, by
// 2 / (k + 2) of the way in step k. No step leaves the face.
#include <algorithm>

#include "collision/analytic/analytic.h"
#include "collision/field/near_field.h"
#include "collision/field/sdf.h"
#include "collision/field/sdf_contact.h"
#include "collision/field/sdf_points.h"
#include "math/rows.h"
#include "math/scalar.h"

namespace sinew::inline collision {
namespace {

// The descent starts from a point of a Halton sequence; those beyond the diagonal of the unit square are mirrored at
// it.
Vec3<double> Descend(const DistanceField& field, const Vec3<double> (&corner)[3], int start, int iterations) {
  double u = RadicalInverse(start, 2), v = RadicalInverse(start, 3);
  if (u + v > 1) {
    u = 1 - u;
    v = 1 - v;
  }
  Vec3<double> point = corner[0] * (1 - u - v) + corner[1] * u + corner[2] * v;
  for (int k = 0; k < iterations; ++k) {
    const Vec3<double> gradient = field.Gradient(point);
    int best = 0;
    for (int c = 1; c < 3; ++c) {
      if (Dot(gradient, corner[c]) < Dot(gradient, corner[best])) best = c;
    }
    point += (corner[best] - point) * (2.0 / (k + 2));
  }
  return point;
}

class FaceSearch {
 public:
  FaceSearch(const mjModel* m, mjData* d, int mesh_geom, int field_geom)
      : m_(m),
        d_(d),
        field_(DistanceField::OfGeom(m, d, field_geom)),
        mesh_(m->geom_dataid[mesh_geom]),
        starts_(std::max(1, m->opt.sdf_initpoints)) {
    const ModelView<double> model(m);
    const DataView<double> data(d);
    frame_ = LoadGeom(model, data, field_geom);
    const PlacedGeom<double> mesh = LoadGeom(model, data, mesh_geom);
    origin_ = frame_.ToLocal(mesh.pos);
    axes_ = Transpose(frame_.mat) * mesh.mat;
  }

  // Fills `con`, and returns the number of contacts.
  int Run(mjContact* con) {
    con_ = con;
    if (m_->mesh_bvhnum[mesh_] == 0) return 0;
    VisitNearField(
        m_, d_, field_, m_->mesh_bvhadr[mesh_], 0, [this](const Vec3<double>& point) { return InField(point); },
        [this] { return IsDone(); },
        [this](int face) {
          const int before = candidates_;
          SearchFace(face);
          return candidates_ > before;
        });
    return found_.count();
  }

 private:
  Vec3<double> InField(const Vec3<double>& point) const { return origin_ + axes_ * point; }
  bool IsDone() const { return candidates_ == mjMAXCONPAIR; }

  void SearchFace(int face);
  void Keep(const Vec3<double>& point, double distance);

  const mjModel* m_;
  mjData* d_;
  DistanceField field_;
  int mesh_, starts_;
  PlacedGeom<double> frame_;  // of the field
  Vec3<double> origin_;       // of the mesh, in that frame
  Mat3<double> axes_;
  mjContact* con_ = nullptr;
  int candidates_ = 0;  // points found, some of them several times
  DistinctPoints found_;
};

void FaceSearch::SearchFace(int face) {
  const int* vertices = Row3(m_->mesh_face, m_->mesh_faceadr[mesh_] + face);
  Vec3<double> corner[3];
  for (int k = 0; k < 3; ++k) {
    const float* v = Row3(m_->mesh_vert, m_->mesh_vertadr[mesh_] + vertices[k]);
    corner[k] = InField({v[0], v[1], v[2]});
  }
  for (int start = 1; start <= starts_ && !IsDone(); ++start) {
    const Vec3<double> point = Descend(field_, corner, start, m_->opt.sdf_iterations);
    const double distance = field_.Distance(point);
    if (distance < 0) Keep(point, distance);
  }
}

// The normal leads from the mesh into the field's shape, against the gradient.
void FaceSearch::Keep(const Vec3<double>& point, double distance) {
  ++candidates_;
  if (!found_.Add(point)) return;
  const Vec3<double> normal = -(frame_.mat * Normalized(field_.Gradient(point)));
  const Vec3<double> pos = frame_.ToWorld(point) - normal * (0.5 * distance);
  WriteContactPoint({distance, pos, normal}, Zero3<double>(), con_[found_.count() - 1]);
}

}  // namespace

int MeshField(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum) {
  return DistanceField::IsKnown(m, g2) ? FaceSearch(m, d, g1, g2).Run(con) : 0;
}

bool FieldTriangle(const mjModel* m, mjData* d, int geom, const Vec3<double> (&corner)[3],
                   ContactPoint<double>& deepest) {
  if (!DistanceField::IsKnown(m, geom)) return false;
  const DistanceField field = DistanceField::OfGeom(m, d, geom);
  const PlacedGeom<double> frame = LoadGeom(ModelView<double>(m), DataView<double>(d), geom);
  const Vec3<double> local[3] = {frame.ToLocal(corner[0]), frame.ToLocal(corner[1]), frame.ToLocal(corner[2])};
  deepest.dist = 0;
  Vec3<double> point;
  for (int start = 1; start <= std::max(1, m->opt.sdf_initpoints); ++start) {
    const Vec3<double> x = Descend(field, local, start, m->opt.sdf_iterations);
    if (const double distance = field.Distance(x); distance < deepest.dist) {
      deepest.dist = distance;
      point = x;
    }
  }
  if (!(deepest.dist < 0)) return false;
  deepest.normal = frame.mat * Normalized(field.Gradient(point));
  deepest.pos = frame.ToWorld(point) - deepest.normal * (0.5 * deepest.dist);
  return true;
}

}  // namespace sinew::inline collision
