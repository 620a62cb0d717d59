// Contacts of a flex with itself. Margin and gap do not count: there are contacts only where elements overlap.
#include <algorithm>

#include "collision/flex/element_pairs.h"
#include "collision/flex/flex_collision.h"
#include "collision/flex/geom_element.h"

namespace sinew::inline collision {
namespace {

class SelfContacts {
 public:
  SelfContacts(const mjModel* m, mjData* d, int flex, FlexContactList& contacts, StackFrame& frame)
      : m_(m), d_(d), flex_(flex), contacts_(contacts), points_(frame) {}

  void AddNeighbours();
  void AddInverted();

 private:
  const mjModel* m_;
  mjData* d_;
  int flex_;
  FlexContactList& contacts_;
  StackList<ContactPoint<double>> points_;
};

// Elements that share a part: the vertex of one that is not common, against the other.
void SelfContacts::AddNeighbours() {
  const int* pair = m_->flex_evpair + 2 * static_cast<ptrdiff_t>(m_->flex_evpairadr[flex_]);
  for (int i = 0; i < m_->flex_evpairnum[flex_]; ++i, pair += 2) {
    const int elem = pair[0], vertex = pair[1];
    CollideVertex(m_->opt, FlexVertex(m_, d_, flex_, vertex), FlexElement(m_, d_, flex_, elem), 0, points_);
    contacts_.Add(points_, FlexVertexItem(flex_, vertex), FlexElementItem(flex_, elem), 0);
  }
}

// Tetrahedra that are flat, or inside out: each vertex keeps twice the radius above the opposite face, to the inside.
// The normal points there, from the element, the first side, to the vertex.
void SelfContacts::AddInverted() {
  constexpr int kFaces[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 1}, {1, 3, 2}};  // outward by the right hand
  constexpr int kOpposite[4] = {3, 1, 2, 0};
  for (int e = 0; e < m_->flex_elemnum[flex_]; ++e) {
    const FlexElement element(m_, d_, flex_, e);
    for (int f = 0; f < 4; ++f) {
      const Vec3<double>& a = element.corner[kFaces[f][0]];
      Vec3<double> outward = Cross(element.corner[kFaces[f][1]] - a, element.corner[kFaces[f][2]] - a);
      if (Normalize(outward) < mjMINVAL) continue;  // no face, no side
      const Vec3<double>& vertex = element.corner[kOpposite[f]];
      const double height = Dot(outward, vertex - a), reach = 2 * element.radius;
      if (height <= -reach) continue;
      FlexContact contact = {{-height - reach, vertex - outward * (0.5 * height), -outward},
                             {FlexElementItem(flex_, e), FlexVertexItem(flex_, element.vertex[kOpposite[f]])},
                             0};
      contact.is_internal = contact.frictionless = true;
      contacts_.Add(contact);
    }
  }
}

// Where the flex uses its tree, all nodes count as visited: each holds the box of an element that looks for others.
void MarkTree(const mjModel* m, mjData* d, int flex) {
  if (!m->vis.global.bvactive || m->flex_bvhnum[flex] == 0) return;
  std::fill_n(d->bvh_active + m->flex_bvhadr[flex], m->flex_bvhnum[flex], mjtByte{1});
}

}  // namespace

void CollideFlexWithItself(const mjModel* m, mjData* d, int flex, FlexContactList& contacts, StackFrame& frame) {
  if (m->flex_rigid[flex] || !(m->flex_contype[flex] & m->flex_conaffinity[flex])) return;
  SelfContacts self(m, d, flex, contacts, frame);
  if (m->flex_internal[flex]) {
    m->flex_dim[flex] < 3 ? self.AddNeighbours() : self.AddInverted();
    contacts.Flush(/*sorted=*/false);
  }
  if (m->flex_selfcollide[flex] != mjFLEXSELF_NONE) {
    if (SearchesTree(m, flex)) MarkTree(m, d, flex);
    CollideElementsOfFlex(m, d, flex, contacts, frame);
    contacts.Flush(/*sorted=*/true);
  }
}

}  // namespace sinew::inline collision
