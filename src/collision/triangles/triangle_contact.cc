#include "collision/triangles/triangle_contact.h"

#include <algorithm>

#include "collision/analytic/analytic.h"
#include "collision/geom.h"
#include "collision/stack_list.h"
#include "collision/triangles/patches.h"
#include "collision/triangles/round_pair.h"
#include "collision/triangles/surface_pair.h"
#include "core/stack.h"
#include "core/warning.h"

namespace sinew::inline collision {

int CollideTriangles(const mjModel* m, mjData* d, mjContact* con, int g1, int g2, mjtNum margin) {
  // of two meshes by triangles, the first is the one whose faces are asked first
  const bool is_second = !TriangleMeshes(m).HasGeom(g1);
  const int mesh = is_second ? g2 : g1, other = is_second ? g1 : g2, type = m->geom_type[other];
  StackFrame frame(d, WhenFull::kReport);
  StackList<ContactPoint<double>> points(frame);
  if (type == mjGEOM_BOX || type == mjGEOM_MESH) {
    FindSurfaceContacts(m, d, mesh, other, margin, points);
  } else {
    FindRoundContacts(m, d, mesh, other, margin, points);
  }
  KeepPatches(points, frame, std::min(m->geom_rbound[mesh], m->geom_rbound[other]));
  if (frame.full()) {
    RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
    return 0;
  }
  for (int i = 0; i < points.size(); ++i) {
    if (is_second) points[i].normal = -points[i].normal;
    WriteContactPoint(points[i], Zero3<double>(), con[i]);
  }
  return points.size();
}

}  // namespace sinew::inline collision
