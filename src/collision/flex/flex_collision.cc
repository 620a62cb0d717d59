#include "collision/flex/flex_collision.h"

#include <algorithm>

#include "collision/broad/bounds.h"
#include "collision/broad/box_test.h"
#include "collision/broad/filter.h"
#include "collision/flex/element_tree.h"
#include "collision/flex/geom_element.h"

namespace sinew {
namespace {

double FlexMargin(const mjModel* m, int flex) {
  return m->opt.enableflags & mjENBL_OVERRIDE ? 0.5 * m->opt.o_margin : m->flex_margin[flex];
}

bool MaskMatchesFlex(const mjModel* m, int contype, int conaffinity, int flex) {
  return MasksMatch(contype, conaffinity, m->flex_contype[flex], m->flex_conaffinity[flex]);
}

// The box along the world's axes around the box of a geom.
WorldBox WorldBoxOf(const mjModel* m, mjData* d, int geom) {
  const OrientedBox<double> box = BoxOfGeom(m, d, geom).Load();
  WorldBox world;
  world.centre = box.origin + box.axes * box.centre;
  for (int k = 0; k < 3; ++k) world.half[k] = Dot(Absolute(box.axes.Row(k)), box.half) + kCoarse;
  return world;
}

class FlexPairs {
 public:
  FlexPairs(const mjModel* m, mjData* d, StackFrame& frame)
      : m_(m), d_(d), frame_(frame), hulls_(m), points_(frame), contacts_(m, d, frame) {}

  void CollideBody(int body, int flex);
  void CollideFlex(int flex1, int flex2);
  void CollideSelf(int flex) { CollideFlexWithItself(m_, d_, flex, contacts_, frame_); }

 private:
  bool HasMidphase() const { return !(m_->opt.disableflags & mjDSBL_MIDPHASE); }
  void CollidePlane(int plane, int flex, double margin);
  void CollideGeom(int geom, int flex);

  const mjModel* m_;
  mjData* d_;
  StackFrame& frame_;
  HullCache hulls_;
  StackList<ContactPoint<double>> points_;
  FlexContactList contacts_;
};

// With a midphase, the limit of contacts holds for the body, without one for each of its geoms.
void FlexPairs::CollideBody(int body, int flex) {
  const int first = m_->body_geomadr[body];
  for (int geom = first; geom < first + m_->body_geomnum[body]; ++geom) {
    if (!MaskMatchesFlex(m_, m_->geom_contype[geom], m_->geom_conaffinity[geom], flex)) continue;
    CollideGeom(geom, flex);
    if (!HasMidphase()) contacts_.Flush(/*sorted=*/false);
  }
  contacts_.Flush(/*sorted=*/true);
}

void FlexPairs::CollideGeom(int geom, int flex) {
  const double margin = GeomMargin(m_, geom) + FlexMargin(m_, flex);
  if (m_->geom_type[geom] == mjGEOM_PLANE) return CollidePlane(geom, flex, margin);
  GeomOfElements shape(m_, d_, geom, hulls_);
  const int body = m_->geom_bodyid[geom];
  ElementTree(m_, d_, flex).ForEachNear(WorldBoxOf(m_, d_, geom), margin, [&](int e) {
    const FlexElement element(m_, d_, flex, e);
    if (IsAttachedTo(m_, element, body)) return;
    shape.Collide(element, margin, points_);
    contacts_.Add(points_, GeomItem(geom), FlexElementItem(flex, e), margin);
  });
}

// All vertices of the flex against the plane, as spheres.
void FlexPairs::CollidePlane(int plane, int flex, double margin) {
  const Vec3<double> origin = LoadVec3(d_->geom_xpos + 3 * static_cast<ptrdiff_t>(plane));
  const Vec3<double> normal = DataView<double>(d_).geom_xmat(plane).Column(2);
  const double radius = m_->flex_radius[flex];
  for (int v = 0; v < m_->flex_vertnum[flex]; ++v) {
    const Vec3<double> vertex = FlexVertex(m_, d_, flex, v);
    const double dist = Dot(normal, vertex - origin) - radius;
    if (dist > margin) continue;
    points_.Add({dist, vertex - normal * (radius + 0.5 * dist), normal});
    contacts_.Add(points_, GeomItem(plane), FlexVertexItem(flex, v), margin);
  }
}

void FlexPairs::CollideFlex(int flex1, int flex2) {
  const double margin = FlexMargin(m_, flex1) + FlexMargin(m_, flex2);
  const ElementTree tree1(m_, d_, flex1), tree2(m_, d_, flex2);
  for (int e1 = 0; e1 < m_->flex_elemnum[flex1]; ++e1) {
    if (HasMidphase() && !IsActive(m_, flex1, e1)) continue;
    const FlexElement element1(m_, d_, flex1, e1);
    tree2.ForEachNear(tree1.ElementBox(e1), margin, [&](int e2) {
      const FlexElement element2(m_, d_, flex2, e2);
      if (ShareBody(m_, element1, element2)) return;
      CollideElements(m_->opt, element1, element2, margin, points_);
      contacts_.Add(points_, FlexElementItem(flex1, e1), FlexElementItem(flex2, e2), margin);
    });
  }
  contacts_.Flush(HasMidphase());
}

// ---- the order of all contacts

// Number of the pair of bodies or flexes that a contact belongs to.
uint64_t UnitsOf(const mjModel* m, const mjContact& contact) {
  const auto unit = [&](int side) {
    const int geom = contact.geom[side];
    return static_cast<uint64_t>(geom >= 0 ? m->geom_bodyid[geom] : m->nbody + contact.flex[side]);
  };
  return std::min(unit(0), unit(1)) << 32 | std::max(unit(0), unit(1));
}

// The contacts of bodies are in order, and so are those of flexes behind them: both runs become one.
void MergeContacts(const mjModel* m, mjData* d, int of_bodies, StackFrame& frame) {
  if (of_bodies == 0 || of_bodies == d->ncon) return;
  mjContact* copy = frame.Alloc<mjContact>(d->ncon);
  std::copy_n(d->contact, d->ncon, copy);
  std::merge(copy, copy + of_bodies, copy + of_bodies, copy + d->ncon, d->contact,
             [m](const mjContact& a, const mjContact& b) { return UnitsOf(m, a) < UnitsOf(m, b); });
}

}  // namespace

void CollideFlexes(const mjModel* m, mjData* d) {
  StackFrame frame(d);
  FlexPairs pairs(m, d, frame);
  const int of_bodies = d->ncon, nflex = static_cast<int>(m->nflex);
  for (int body = 0; body < m->nbody; ++body) {
    for (int flex = 0; flex < nflex; ++flex) {
      if (MaskMatchesFlex(m, m->body_contype[body], m->body_conaffinity[body], flex)) pairs.CollideBody(body, flex);
    }
  }
  for (int flex1 = 0; flex1 < nflex; ++flex1) {
    for (int flex2 = flex1 + 1; flex2 < nflex; ++flex2) {
      if (MaskMatchesFlex(m, m->flex_contype[flex1], m->flex_conaffinity[flex1], flex2)) {
        pairs.CollideFlex(flex1, flex2);
      }
    }
  }
  MergeContacts(m, d, of_bodies, frame);
  for (int flex = 0; flex < nflex; ++flex) pairs.CollideSelf(flex);
}

}  // namespace sinew
