// Contacts of flexes with geoms and with other flexes are found over pairs of their elements.
#include "collision/flex/flex_collision.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "collision/broad/bounds.h"
#include "collision/broad/box_test.h"
#include "collision/broad/filter.h"
#include "collision/broad/sweep_frame.h"
#include "collision/broad/tree_pairs.h"
#include "collision/field/near_field.h"
#include "collision/flex/element_pairs.h"
#include "collision/flex/geom_element.h"
#include "core/warning.h"
#include "math/sort.h"

namespace sinew::inline collision {
namespace {

// Masks decide as between geoms: the contype of one side meets the conaffinity of the other.
bool MaskMatchesFlex(const mjModel* m, int contype, int conaffinity, int flex) {
  return MasksMatch(contype, conaffinity, m->flex_contype[flex], m->flex_conaffinity[flex]);
}

// The number of the bodies that a rigid flex moves with as one; -1 for others.
int WeldOfFlex(const mjModel* m, int flex) {
  if (!m->flex_rigid[flex]) return -1;
  const int body = m->flex_vertbodyid[m->flex_vertadr[flex]];
  return body < 0 ? -1 : m->body_weldid[body];
}

// The pairs of one step share lists, which live on the stack of the world.
class FlexPairs {
 public:
  FlexPairs(const mjModel* m, mjData* d, StackFrame& frame)
      : m_(m), d_(d), frame_(frame), points_(frame), contacts_(m, d, frame) {}

  void CollideBody(int body, int flex);
  void CollideFlex(int flex1, int flex2);
  void CollideSelf(int flex) { CollideFlexWithItself(m_, d_, flex, contacts_, frame_); }

 private:
  bool HasMidphase() const { return !(m_->opt.disableflags & mjDSBL_MIDPHASE); }
  bool MayCollide(int geom, int flex) const;
  bool SphereIsNear(int geom, int flex, int elem) const;
  bool BoxesAreNear(int geom, int flex, int elem) const;
  double Margin(int geom, int flex) const;
  void CollidePlane(int plane, int flex);
  void CollideWithAll(int geom, int flex);
  void CollideByTrees(int body, int flex);
  void CollideWithField(int geom, int flex);
  void AddElement(GeomOfElements& shape, int geom, int flex, int elem);
  void CollideWaiting(GeomOfElements& shape, int geom, int flex);

  const mjModel* m_;
  mjData* d_;
  StackFrame& frame_;
  StackList<ContactPoint<double>> points_;
  FlexContactList contacts_;
  int waiting_[4], nwaiting_ = 0;  // elements that meet a geom
};

bool FlexPairs::MayCollide(int geom, int flex) const {
  return MaskMatchesFlex(m_, m_->geom_contype[geom], m_->geom_conaffinity[geom], flex);
}

// With a midphase, the limit of contacts holds for the body, without one for each of its geoms.
void FlexPairs::CollideBody(int body, int flex) {
  const int first = m_->body_geomadr[body], end = first + m_->body_geomnum[body];
  const bool by_trees = HasMidphase() && m_->body_bvhadr[body] >= 0 && m_->flex_bvhnum[flex] > 0;
  for (int geom = first; geom < end; ++geom) {
    if (!MayCollide(geom, flex)) continue;
    if (m_->geom_type[geom] == mjGEOM_PLANE) {
      CollidePlane(geom, flex);
    } else if (!by_trees) {
      CollideWithAll(geom, flex);
    } else if (m_->geom_type[geom] == mjGEOM_SDF && m_->flex_dim[flex] == 2) {
      CollideWithField(geom, flex);
    }
    if (!HasMidphase()) contacts_.Flush(/*sorted=*/false);
  }
  if (by_trees) CollideByTrees(body, flex);
  contacts_.Flush(/*sorted=*/true);
}

// Without trees, every element is tried by its box.
void FlexPairs::CollideWithAll(int geom, int flex) {
  GeomOfElements shape(m_, d_, geom);
  for (int e = 0; e < m_->flex_elemnum[flex]; ++e) {
    if (BoxesAreNear(geom, flex, e)) AddElement(shape, geom, flex, e);
  }
  CollideWaiting(shape, geom, flex);
}

// Triangles meet a distance field where their boxes come near it. Of those that it meets at one point, the last of the
// tree has the contact.
void FlexPairs::CollideWithField(int geom, int flex) {
  const DataView<double> data(d_);
  const double margin = Margin(geom, flex);
  GeomOfElements shape(m_, d_, geom);
  VisitNearField(
      m_, d_, DistanceField::OfGeom(m_, d_, geom), m_->flex_bvhadr[flex], 0,
      [&](const Vec3<double>& point) { return MulTransposed(data.geom_xmat(geom), point - data.geom_xpos(geom)); },
      [&] { return shape.IsFieldFull(); },
      [&](int elem) {
        const FlexElement element(m_, d_, flex, elem);
        if (IsAttachedTo(m_, element, m_->geom_bodyid[geom])) return false;
        const bool inside = shape.CollideWithField(element, points_);
        contacts_.Add(points_, GeomItem(geom), FlexElementItem(flex, elem), margin);
        return inside;
      });
}

// Pairs of leaves come in the order of the descent; they are sorted so that contacts do not depend on the trees.
void FlexPairs::CollideByTrees(int body, int flex) {
  struct GeomAndElement {
    int geom, elem, leaf1, leaf2;
    auto Key() const { return std::pair(geom, elem); }
  };
  StackList<GeomAndElement> near(frame_);
  const auto add_leaves = [&](int leaf1, int leaf2, int) {
    const int geom = m_->bvh_nodeid[leaf1];
    if (!MayCollide(geom, flex)) return;
    near.Add({geom, m_->bvh_nodeid[leaf2], leaf1, leaf2});
  };
  const uint32_t pair = PairSignature(body, static_cast<int>(m_->nbody) + flex);
  TreePairs trees(m_, d_, frame_);
  trees.Add(pair, 0, add_leaves);
  trees.Descend(&pair, add_leaves);

  Sort(near.begin(), near.size(), [](const GeomAndElement& a, const GeomAndElement& b) { return a.Key() < b.Key(); });
  // The shape of a geom is prepared once for all elements that come after each other.
  std::optional<GeomOfElements> shape;
  int geom = -1;
  for (const GeomAndElement& c : near) {
    if (!SphereIsNear(c.geom, flex, c.elem) || !BoxesAreNear(c.geom, flex, c.elem)) continue;
    if (m_->vis.global.bvactive) d_->bvh_active[c.leaf1] = d_->bvh_active[c.leaf2] = 1;
    const int type = m_->geom_type[c.geom];
    if (type == mjGEOM_PLANE || type == mjGEOM_SDF) continue;  // met before, if at all
    if (c.geom != geom) {
      if (shape) CollideWaiting(*shape, geom, flex);
      shape.emplace(m_, d_, geom = c.geom);
    }
    AddElement(*shape, geom, flex, c.elem);
  }
  if (shape) CollideWaiting(*shape, geom, flex);
}

// Margins of both sides add up.
double FlexPairs::Margin(int geom, int flex) const { return GeomMargin(m_, geom) + FlexMargin(m_, flex); }

bool FlexPairs::BoxesAreNear(int geom, int flex, int elem) const {
  return BoxesOverlap(BoxOfGeom(m_, d_, geom).Load(), BoxOfElement(m_, d_, flex, elem).Load(), Margin(geom, flex));
}

// The bounding sphere of a geom against the box of an element, along the axes of the world. A plane is its origin here:
// that decides which elements near it are marked for display. Where both touch exactly, these sums decide as those of
// MuJoCo 3.8.0 do.
bool FlexPairs::SphereIsNear(int geom, int flex, int elem) const {
  const double* centre = d_->geom_xpos + 3 * static_cast<ptrdiff_t>(geom);
  const double* box = d_->flexelem_aabb + 6 * static_cast<ptrdiff_t>(m_->flex_elemadr[flex] + elem);
  const double reach = m_->geom_rbound[geom] + Margin(geom, flex);
  for (int k = 0; k < 3; ++k) {
    if (centre[k] + reach < box[k] - box[3 + k] || box[k] + box[3 + k] < centre[k] - reach) return false;
  }
  return true;
}

// Elements that the geom's own body carries are left out.
void FlexPairs::AddElement(GeomOfElements& shape, int geom, int flex, int elem) {
  if (IsAttachedTo(m_, FlexElement(m_, d_, flex, elem), m_->geom_bodyid[geom])) return;
  waiting_[nwaiting_++] = elem;
  if (nwaiting_ == 4) CollideWaiting(shape, geom, flex);
}

// Contacts are in the order of the elements.
void FlexPairs::CollideWaiting(GeomOfElements& shape, int geom, int flex) {
  if (nwaiting_ == 0) return;
  const auto load = [&](int lane) { return FlexElement(m_, d_, flex, waiting_[std::min(lane, nwaiting_ - 1)]); };
  const FlexElement element[4] = {load(0), load(1), load(2), load(3)};
  const double margin = Margin(geom, flex);
  const FourContacts four = shape.CollideFour(element, margin);
  for (int lane = 0; lane < nwaiting_; ++lane) {
    if (!(four.known >> lane & 1)) {
      shape.Collide(element[lane], margin, points_);
    }
    for (int i = 0; i < four.count[lane]; ++i) points_.Add(four.point[lane][i]);
    contacts_.Add(points_, GeomItem(geom), FlexElementItem(flex, element[lane].id), margin);
  }
  nwaiting_ = 0;
}

// All vertices of the flex against the plane, as spheres.
void FlexPairs::CollidePlane(int plane, int flex) {
  const double margin = Margin(plane, flex);
  const Vec3<double> origin = LoadVec3(d_->geom_xpos + 3 * static_cast<ptrdiff_t>(plane));
  const Vec3<double> normal = DataView<double>(d_).geom_xmat(plane).Column(2);
  const double radius = m_->flex_radius[flex];
  for (int v = 0; v < m_->flex_vertnum[flex]; ++v) {
    // The vertex is a sphere with the radius of the flex; the contact lies midway between its surface and the plane.
    const Vec3<double> vertex = FlexVertex(m_, d_, flex, v);
    const double dist = Dot(normal, vertex - origin) - radius;
    if (dist > margin) continue;
    points_.Add({dist, vertex - normal * (radius + 0.5 * dist), normal});
    contacts_.Add(points_, GeomItem(plane), FlexVertexItem(flex, v), margin);
  }
}

void FlexPairs::CollideFlex(int flex1, int flex2) {
  const double margin = FlexMargin(m_, flex1) + FlexMargin(m_, flex2);
  CollideElementPairs(m_, d_, flex1, flex2, margin, contacts_, frame_);
  contacts_.Flush(/*sorted=*/true);
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
  if (UnitsOf(m, d->contact[of_bodies - 1]) <= UnitsOf(m, d->contact[of_bodies])) return;
  mjContact* copy = frame.Alloc<mjContact>(d->ncon);
  if (!copy) return;  // all are there, in another order
  std::copy_n(d->contact, d->ncon, copy);
  std::merge(copy, copy + of_bodies, copy + of_bodies, copy + d->ncon, d->contact,
             [m](const mjContact& a, const mjContact& b) { return UnitsOf(m, a) < UnitsOf(m, b); });
}

}  // namespace

// Contacts with other things are merged into the order of pairs; those of a flex with itself stand behind all.
void CollideFlexes(const mjModel* m, mjData* d) {
  StackFrame frame(d, WhenFull::kReport);
  FlexPairs pairs(m, d, frame);
  const FlexSweep sweep(m, d, frame);
  if (frame.full()) return RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
  const int of_bodies = d->ncon, nflex = static_cast<int>(m->nflex);
  // Parts that move as one do not collide.
  for (int body = 0; body < m->nbody; ++body) {
    for (int flex = 0; flex < nflex; ++flex) {
      const bool matches = MaskMatchesFlex(m, m->body_contype[body], m->body_conaffinity[body], flex) &&
                           WeldOfFlex(m, flex) != m->body_weldid[body];
      if (matches && sweep.FindsBody(body, flex)) pairs.CollideBody(body, flex);
    }
  }
  for (int flex1 = 0; flex1 < nflex; ++flex1) {
    for (int flex2 = flex1 + 1; flex2 < nflex; ++flex2) {
      const int weld = WeldOfFlex(m, flex1);
      const bool matches = MaskMatchesFlex(m, m->flex_contype[flex1], m->flex_conaffinity[flex1], flex2) &&
                           (weld < 0 || weld != WeldOfFlex(m, flex2));
      if (matches && sweep.FindsFlexes(flex1, flex2)) pairs.CollideFlex(flex1, flex2);
    }
  }
  MergeContacts(m, d, of_bodies, frame);
  for (int flex = 0; flex < nflex; ++flex) pairs.CollideSelf(flex);
  if (frame.full()) RaiseWarning(d, mjWARN_CONTACTFULL, d->ncon);
}

}  // namespace sinew::inline collision
