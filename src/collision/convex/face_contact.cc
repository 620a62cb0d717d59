// Faces and edges that lie on each other are sought among those at the deepest contact, then clipped against each
// other.
#include "collision/convex/face_contact.h"

#include <algorithm>
#include <cmath>

#include "collision/analytic/analytic.h"
#include "collision/convex/feature.h"
#include "collision/convex/polygon_kernel.h"

namespace sinew::inline collision {
namespace {

using Vec = Vec3<double>;

// Faces of the two that lie on each other; the first pair.
bool FindFaces(const Feature& feature1, const Feature& feature2, Polygon& face1, Polygon& face2) {
  for (int i = 0; i < feature1.nface(); ++i) {
    const Vec normal = feature1.FaceNormal(i);
    for (int j = 0; j < feature2.nface(); ++j) {
      if (Dot(normal, feature2.FaceNormal(j)) >= -kParallel) continue;
      return feature1.GetFace(i, face1) && feature2.GetFace(j, face2);
    }
  }
  return false;
}

// An edge of the one that lies in a face of the other; of the first such face, the first edge.
bool FindEdgeAndFace(const Feature& edges_of, const Feature& faces, Polygon& edge, Polygon& face) {
  EdgeList edges;
  edges_of.GetEdges(edges);
  for (int j = 0; j < faces.nface(); ++j) {
    for (int i = 0; i < edges.count; ++i) {
      if (std::fabs(Dot(edges.direction[i], faces.FaceNormal(j))) >= kPerpendicular) continue;
      edge.count = 0;
      edge.Add(edges.from);
      edge.Add(edges.to[i]);
      return faces.GetFace(j, face);
    }
  }
  return false;
}

}  // namespace

bool FindFlatContact(const mjModel* m, int g1, int g2, const ConvexShape& A, const ConvexShape& B,
                     const ConvexContact& deepest, FlatContact& out) {
  const Penetration& p = deepest.penetration;
  const int facet1[3] = {p.face[0].vertex_a, p.face[1].vertex_a, p.face[2].vertex_a};
  const int facet2[3] = {p.face[0].vertex_b, p.face[1].vertex_b, p.face[2].vertex_b};
  const Feature feature1(m, g1, A, facet1, p.normal), feature2(m, g2, B, facet2, -p.normal);
  out.with_normal = 1;
  out.clipped_of = 1;
  if (FindFaces(feature1, feature2, out.outline, out.clipped)) return true;
  if (!feature1.IsFace() && feature1.dim() <= feature2.dim()) {
    out.clipped_of = 0;
    return FindEdgeAndFace(feature1, feature2, out.clipped, out.outline);
  }
  out.with_normal = 0;
  return !feature2.IsFace() && FindEdgeAndFace(feature2, feature1, out.clipped, out.outline);
}

int FaceContacts(const mjModel* m, int g1, int g2, const ConvexShape& A, const ConvexShape& B,
                 const ConvexContact& deepest, mjContact* con) {
  FlatContact flat;
  if (!FindFlatContact(m, g1, g2, A, B, deepest, flat)) return 1;
  const Vec normal = flat.Normal();
  Polygon& polygon = flat.clipped;
  ClipBySides(flat.outline, polygon);
  RemoveDoubles(polygon);
  if (polygon.count > 4) KeepFour(polygon);
  for (int i = 0; i < polygon.count; ++i) {
    WriteContactPoint(AtFlatVertex(polygon.vertex[i], deepest.point.dist, normal), Zero3<double>(), con[i]);
  }
  return std::max(polygon.count, 1);  // nothing left: the deepest contact stays
}

}  // namespace sinew::inline collision
