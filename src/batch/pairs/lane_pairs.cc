#include "batch/pairs/lane_pairs.h"

#include <algorithm>
#include <utility>

#include "collision/broad/box_test.h"
#include "collision/broad/filter.h"
#include "collision/narrowphase.h"
#include "collision/pairs.h"
#include "collision/stack_list.h"
#include "constraint/pair_jacobian.h"
#include "core/stack.h"
#include "model/kinds/contact_law.h"
#include "model/kinds/surface.h"
#include "model/kinds/triangle_meshes.h"
#include "model/storage/data.h"

namespace sinew::inline batch {
namespace {

PairKind KindOf(const mjModel& m, const ItemPair& pair) {
  return KindOfPair(m.geom_type[pair.first.id], m.geom_type[pair.second.id]);
}

// Tells pairs without a formula of their own, for which a comparison of boxes saves much work. Explicit pairs are
// compared by their spheres alone.
bool ComparesBoxes(const mjModel& m, const ItemPair& pair) {
  return pair.explicit_pair < 0 && KindOf(m, pair) == PairKind::kConvex;
}

// A mesh that collides by its triangles may be hollow: a plane between hulls says nothing of those that it has none
// for.
bool MayBeSeparate(const mjModel& m, const ItemPair& pair) {
  if (TriangleMeshes(&m).HavePair(pair.first.id, pair.second.id)) return false;
  const PairKind kind = KindOf(m, pair);
  const bool has_formula = FormulaOf(m.geom_type[pair.first.id], m.geom_type[pair.second.id]) != PairFormula::kNone;
  return !has_formula && (kind == PairKind::kConvex || kind == PairKind::kBoxBox);
}

bool BoxesAreNear(const mjModel& m, mjData* d, const ItemPair& pair) {
  bool near = false;
  CompareInFours(
      1,
      [&](int, BoxSource& box1, BoxSource& box2, double& margin) {
        box1 = BoxOfGeom(&m, d, pair.first.id);
        box2 = BoxOfGeom(&m, d, pair.second.id);
        margin = pair.margin;
      },
      [&near](int, bool overlap) { near = overlap; });
  return near;
}

}  // namespace

// Explicit pairs are sorted by the signature of their bodies, and come before those bodies' own.
PairList::PairList(const mjModel& m, mjData* d)
    : settings_(SettingsOf(m)), has_own_forces_(FindContactLaws(&m) || HasAdhesion(&m, FindSurfaces(&m))) {
  StackFrame frame(d);
  const BodyFilter filter(&m, d, frame);
  int next = 0;
  const auto add_explicit_up_to = [&](uint32_t signature) {
    for (; next < m.npair && static_cast<uint32_t>(m.pair_signature[next]) <= signature; ++next) {
      pairs_.push_back(MakeGeomPair(&m, m.pair_geom1[next], m.pair_geom2[next], next));
    }
  };
  for (int body1 = 0; body1 < m.nbody && count() <= kMaxPairs; ++body1) {
    for (int body2 = body1 + 1; body2 < m.nbody; ++body2) {
      if (!IsCollidable(&m, body1) || !IsCollidable(&m, body2) || !filter(body1, body2)) continue;
      add_explicit_up_to(PairSignature(body1, body2));
      AddBodies(m, body1, body2);
    }
  }
  add_explicit_up_to(~uint32_t{0});
  is_used_ = count() <= kMaxPairs;
  if (is_used_) MakeTable(m);
}

// Adds the pairs of geoms of two bodies, sorted as the midphase reports them: the order of contacts must be that of
// a world alone. Explicit pairs of the same bodies are at the end of the list.
void PairList::AddBodies(const mjModel& m, int body1, int body2) {
  const size_t first = pairs_.size();
  const uint32_t bodies = PairSignature(body1, body2);
  const auto is_explicit = [&](const ItemPair& pair) {
    for (size_t i = first; i-- > 0 && pairs_[i].explicit_pair >= 0;) {
      if (static_cast<uint32_t>(m.pair_signature[pairs_[i].explicit_pair]) != bodies) return false;
      if (pairs_[i].first.id == pair.first.id && pairs_[i].second.id == pair.second.id) return true;
    }
    return false;
  };
  for (int geom1 = m.body_geomadr[body1]; geom1 < m.body_geomadr[body1] + m.body_geomnum[body1]; ++geom1) {
    for (int geom2 = m.body_geomadr[body2]; geom2 < m.body_geomadr[body2] + m.body_geomnum[body2]; ++geom2) {
      if (!GeomMasksMatch(&m, geom1, geom2)) continue;
      const ItemPair pair = MakeGeomPair(&m, geom1, geom2, -1);
      if (!is_explicit(pair)) pairs_.push_back(pair);
    }
  }
  std::sort(pairs_.begin() + static_cast<ptrdiff_t>(first), pairs_.end(), [](const ItemPair& a, const ItemPair& b) {
    return a.first.id != b.first.id ? a.first.id < b.first.id : a.second.id < b.second.id;
  });
}

void PairList::MakeTable(const mjModel& m) {
  const size_t size = pairs_.size() + 1;
  near_.resize(size);
  lanes_.resize(size);
  was_asked_.resize(size);
  for (const ItemPair& pair : pairs_) {
    const int geom1 = pair.first.id, geom2 = pair.second.id;
    geom1_.push_back(geom1);
    geom2_.push_back(geom2);
    explicit_.push_back(pair.explicit_pair);
    margin_.push_back(pair.margin);
    reach_.push_back(pair.margin + m.geom_rbound[geom1] + m.geom_rbound[geom2]);
    is_plane_.push_back(m.geom_type[geom1] == mjGEOM_PLANE);
    formula_.push_back(FormulaOf(m, m.geom_type[geom1], m.geom_type[geom2]));
    keeps_first_.push_back(KeepsFirstContact(m, formula_.back()));
    compares_boxes_.push_back(IsLong(formula_.back()));
    if (compares_boxes_.back()) separations_.AddTypes(m, pair);
    is_mesh_on_plane_.push_back(is_plane_.back() && m.geom_type[geom2] == mjGEOM_MESH);
    if (is_mesh_on_plane_.back()) {
      const auto room = static_cast<size_t>(RoomForFeet(Hull(&m, m.geom_dataid[geom2])));
      feet_room_.resize(std::max(feet_room_.size(), room));
    }
    if (IsAlone(formula_.size() - 1)) alone_.insert(alone_.end(), {geom1, geom2});
    separation_.push_back(MayBeSeparate(m, pair) ? separations_.Add(m, pair) : nullptr);
  }
  std::sort(alone_.begin(), alone_.end());
  alone_.erase(std::unique(alone_.begin(), alone_.end()), alone_.end());
  const auto marks = [](const std::vector<char>& of_pairs) -> LaneSpan<const bool> {
    return {reinterpret_cast<const bool*>(of_pairs.data()), static_cast<int>(of_pairs.size())};
  };
  table_ = {.have_boxes_of_model = true,
            .own_distances = false,
            .geom1 = SpanOf(geom1_),
            .geom2 = SpanOf(geom2_),
            .explicit_pair = SpanOf(explicit_),
            .reach = SpanOf(reach_),
            .margin = SpanOf(margin_),
            .is_plane = marks(is_plane_),
            .formula = SpanOf(formula_),
            .is_mesh_on_plane = marks(is_mesh_on_plane_),
            .compares_boxes = marks(compares_boxes_),
            .keeps_first = marks(keeps_first_),
            .separation = SpanOf(separation_),
            .alone = SpanOf(alone_),
            .near = SpanOf(near_),
            .lanes = SpanOf(lanes_),
            .near_count = &near_count_};
}

bool PairList::DoFormulasHold(const mjModel& m) const {
  if (has_own_forces_) return false;
  for (int k = 0; k < near_count_; ++k) {
    const auto index = static_cast<size_t>(near_[static_cast<size_t>(k)]);
    if (!IsAlone(index) && KindOf(m, pairs_[index]) != PairKind::kFormula) return false;
  }
  return true;
}

bool PairList::IsAnyAlone() const {
  return std::any_of(near_.begin(), near_.begin() + near_count_,
                     [this](int index) { return IsAlone(static_cast<size_t>(index)); });
}

int PairList::FindFeet(const mjModel& m, int width, int index, unsigned lanes, LaneFeet& feet) {
  const int mesh = m.geom_dataid[pair(index).second.id];
  const auto place = [width](int number, int lane) { return static_cast<size_t>(number * width + lane); };
  int most = 0;
  for (int lane = 0; lane < width; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    const auto number = [&](int i) { return feet.query[place(i, lane)]; };
    const Vec3<double> down = {number(LaneFeet::kDown), number(LaneFeet::kDown + 1), number(LaneFeet::kDown + 2)};
    const MeshFeet found =
        FindMeshFeet(m, mesh, {down, number(LaneFeet::kCentre), number(LaneFeet::kMargin), number(LaneFeet::kRadius)},
                     feet_room_.data());
    if (most == 0 && found.count > 0) std::fill_n(feet.vertex, place(3 * LaneFeet::kMost, 0), 0.0);
    for (int i = 0; i < found.count; ++i) {
      feet.lanes[i] |= 1u << lane;
      for (int k = 0; k < 3; ++k) feet.vertex[place(3 * i + k, lane)] = found.vertex[i][k];
    }
    most = std::max(most, found.count);
  }
  return most;
}

const PairList::Dofs& PairList::DofsOf(const mjModel& m, int body1, int body2) const {
  const uint64_t bodies = static_cast<uint64_t>(body1) << 32 | static_cast<uint64_t>(body2);
  const auto [found, is_new] = dofs_.try_emplace(bodies);
  Dofs& dofs = found->second;
  if (!is_new) return dofs;
  std::vector<int> scratch(2 * static_cast<size_t>(m.nv) + 1);
  const MovingDofs moving = DofsOfPair(&m, body1, body2, /*keep_common=*/false, scratch.data(), scratch.data() + m.nv);
  dofs.columns = 0;
  for (int i = 0; i < moving.count; ++i) {
    // Slots have 64 dofs at most. In larger models, columns only show whether there are any.
    dofs.columns |= uint64_t{1} << moving.dof[i] % 64;
    dofs.is_second.push_back(moving.side[i] == kBody2);
  }
  return dofs;
}

void PairList::Collide(const mjModel& m, mjData* d, size_t lane, Which which, std::vector<PairContacts>& found) const {
  ClearArena(d);
  found.clear();
  StackFrame frame(d);
  StackList<ItemPair> near(frame);
  for (size_t k = 0; k < static_cast<size_t>(near_count_); ++k) {
    const auto index = static_cast<size_t>(near_[k]);
    if (!(lanes_[k] >> lane & 1) || (which == Which::kAlone && !IsAlone(index))) continue;
    const ItemPair pair = PairOf(m, near_[k]);
    if (ComparesBoxes(m, pair) && !BoxesAreNear(m, d, pair)) continue;
    near.Add(pair);
    found.push_back({near_[k], 0});
  }
  int* ends = frame.Alloc<int>(near.size() + 1);
  NarrowPhase(&m, d, near, ends);
  for (size_t i = 0; i < found.size(); ++i) found[i].end = ends[i];
}

// One world is asked in a step: what it finds mostly serves all.
void PairList::NoteDirections(const mjModel& m, const mjData& d, const std::vector<PairContacts>& found) {
  int end = 0;
  for (const PairContacts& each : found) {
    const auto pair = static_cast<size_t>(each.pair);
    const bool has_contacts = each.end > std::exchange(end, each.end);
    if (!separation_[pair] || has_contacts || was_asked_[pair]) continue;
    was_asked_[pair] = 1;
    LaneSeparations::NoteDirection(m, d, PairOf(m, each.pair), *separation_[pair]);
  }
}

}  // namespace sinew::inline batch
