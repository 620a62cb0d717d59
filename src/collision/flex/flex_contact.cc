// Lists contacts of flexes, keeps those that are spread widest when there are too many, and writes them with mixed
// parameters.
#include "collision/flex/flex_contact.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "collision/broad/descent_order.h"
#include "collision/contact.h"
#include "collision/spread.h"
#include "math/sort.h"
#include "model/contact_exclude.h"

namespace sinew {
namespace {

// Order number of an item within its body or flex.
int NumberOf(const Item& side) { return side.kind == ItemKind::kGeom ? side.id : side.part; }

bool Before(const FlexContact& a, const FlexContact& b) {
  return std::pair(NumberOf(a.side[0]), NumberOf(a.side[1])) < std::pair(NumberOf(b.side[0]), NumberOf(b.side[1]));
}

// The leaves of a tree by the geoms or elements that they hold.
class Leaves {
 public:
  Leaves(const mjModel* m, int body, StackFrame& frame) : root_(RootNode(m, body)) {
    const auto flex = static_cast<int>(body - m->nbody);
    const int nodes = flex < 0 ? m->body_bvhnum[body] : m->flex_bvhnum[flex];
    first_ = flex < 0 ? m->body_geomadr[body] : 0;
    leaf_ = frame.Alloc<int>(flex < 0 ? m->body_geomnum[body] : m->flex_elemnum[flex]);
    if (!leaf_) return;
    for (int node = root_; node < root_ + nodes; ++node) {
      if (IsBvhLeaf(m, node)) leaf_[m->bvh_nodeid[node] - first_] = node;
    }
  }
  int root() const { return root_; }
  int Holding(const Item& side) const { return leaf_[NumberOf(side) - first_]; }

 private:
  int root_, first_;
  int* leaf_;
};

}  // namespace

void FlexContactList::Add(StackList<ContactPoint<double>>& points, const Item& side1, const Item& side2,
                          double margin) {
  const bool is_internal = side1.kind != ItemKind::kGeom && side1.id == side2.id;
  for (const ContactPoint<double>& point : points) contacts_.Add({point, {side1, side2}, margin, is_internal});
  points.Truncate(0);
}

void FlexContactList::Flush(bool sorted) {
  if (contacts_.size() > mjMAXCONPAIR) KeepSpreadByExchange(contacts_, frame_, mjMAXCONPAIR);
  if (sorted) InsertionSort(contacts_.begin(), contacts_.size(), Before);
  for (const FlexContact& contact : contacts_) Write(contact);
  contacts_.Truncate(0);
}

// Which contacts are kept depends on their order, so that it matters only if there are too many.
void FlexContactList::FlushOfTrees(int body1, int body2) {
  if (contacts_.size() > mjMAXCONPAIR) SortByDescent(body1, body2);
  Flush(/*sorted=*/true);
}

void FlexContactList::SortByDescent(int body1, int body2) {
  struct Place {
    uint64_t order;
    int contact;
  };
  const int total = contacts_.size();
  const Leaves leaves1(m_, body1, frame_), leaves2(m_, body2, frame_);
  Place* place = frame_.Alloc<Place>(total);
  FlexContact* copy = frame_.Alloc<FlexContact>(total);
  if (frame_.full()) return;
  std::copy(contacts_.begin(), contacts_.end(), copy);
  const int root[2] = {leaves1.root(), leaves2.root()};
  for (int i = 0; i < total; ++i) {
    const Item(&side)[2] = copy[i].side;
    const bool of_vertex = side[1].kind == ItemKind::kFlexVertex;
    const uint64_t order =
        of_vertex ? 0 : DescentOrder(m_, d_, root, {leaves1.Holding(side[0]), leaves2.Holding(side[1])});
    place[i] = {order, i};
  }
  Sort(place, total,
       [](const Place& a, const Place& b) { return std::pair(a.order, a.contact) < std::pair(b.order, b.contact); });
  for (int i = 0; i < total; ++i) contacts_[i] = copy[place[i].contact];
}

void FlexContactList::Write(const FlexContact& from) {
  mjContact contact = {};
  contact.dist = from.dist;
  StoreVec3(from.pos, contact.pos);
  StoreVec3(from.normal, contact.frame);
  CompleteFrame(contact.frame);
  CompleteParameters(m_, {from.side[0], from.side[1], -1, from.margin}, &contact, 1);
  if (from.is_internal) contact.includemargin = from.margin;
  if (from.frictionless) contact.dim = 1;
  contact.efc_address = -1;
  contact.exclude = contact.dist >= contact.includemargin ? contact_exclude::kInGap : contact_exclude::kActive;
  AddContact(d_, contact);
}

}  // namespace sinew
