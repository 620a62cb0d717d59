// Pairs of geoms that may collide in the worlds of a pack, as a list that is made once for a model.
#ifndef SINEW_BATCH_PAIRS_LANE_PAIRS_H_
#define SINEW_BATCH_PAIRS_LANE_PAIRS_H_

#include <mujoco/mujoco.h>

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "batch/fallback/lane_worlds.h"
#include "batch/pairs/lane_separations.h"
#include "collision/analytic/plane_mesh.h"
#include "collision/item.h"

namespace sinew::inline batch {

// A pair whose contacts a world has looked for, and the number of contacts of it and of those before.
struct PairContacts {
  int pair, end;
};

// All pairs that may collide in some pose: those that the broad phase and the midphase may let through
// (collision/broad), and explicit pairs. The broad phase is then a plain loop over the list in lanes. Models with more
// than kMaxPairs pairs use the broad phase of a world alone.
class PairList {
 public:
  PairList(const mjModel& m, mjData* d);

  // Null when options that decide about pairs have since been set.
  const LanePairs* table(const mjModel& m) const { return is_used_ && settings_ == SettingsOf(m) ? &table_ : nullptr; }
  const ItemPair& pair(int index) const { return pairs_[static_cast<size_t>(index)]; }

  // From now on lanes have bounds or margins of their own.
  void SetRadiiDiffer() {
    table_.reach = {};
    table_.have_boxes_of_model = false;
  }
  void SetMarginsDiffer() { table_.reach = table_.margin = {}; }
  void SetDistancesDiffer() { table_.own_distances = true; }
  // A pair with the margin that it has in the model of a lane.
  ItemPair PairOf(const mjModel& of_lane, int index) const {
    const ItemPair& all = pair(index);
    return table_.margin.empty() ? MakeGeomPair(&of_lane, all.first.id, all.second.id, all.explicit_pair) : all;
  }

  // Whether the formulas in lanes hold, and no contact has forces beside its rows. A program may have replaced some;
  // compliant contacts have a law of force instead of rows, and those that stick are drawn together.
  bool DoFormulasHold(const mjModel& m) const;
  // Whether worlds have to find the contacts of some pair that is near.
  bool IsAnyAlone() const;

  // As the function of lane_worlds.h.
  int FindFeet(const mjModel& m, int width, int pair, unsigned lanes, LaneFeet& feet);
  // The memory that a world alone takes for a mesh on a plane, at most.
  size_t BytesOfFeet() const { return feet_room_.size() * sizeof(PointBlock); }

  // The dofs that move one of two bodies and not both, and which body.
  struct Dofs {
    uint64_t columns;
    std::vector<int> is_second;  // of each
  };
  const Dofs& DofsOf(const mjModel& m, int body1, int body2) const;

  // Contacts of the pairs of a lane that are near, or of those that lanes leave to it. Convex ones have to overlap with
  // their boxes, too. `found`: these pairs.
  enum class Which { kAll, kAlone };
  void Collide(const mjModel& m, mjData* d, size_t lane, Which which, std::vector<PairContacts>& found) const;

  // Whether known directions may decide that pairs of convex shapes have no contacts.
  bool MayTellApart(const mjModel& m) const { return separations_.Hold(m); }
  // Looks for separating directions of pairs for which the world of a lane has found no contacts. Each pair is looked
  // at in one lane.
  void BeginSearches() { std::fill(was_asked_.begin(), was_asked_.end(), char{0}); }
  void NoteDirections(const mjModel& m, const mjData& d, const std::vector<PairContacts>& found);

 private:
  static constexpr int kMaxPairs = 4000;

  // Settings holds options that programs may change and that the list of pairs depends on.
  struct Settings {
    int disabled, overridden;
    double margin;
    bool operator==(const Settings&) const = default;
  };
  static Settings SettingsOf(const mjModel& m) {
    constexpr int kDisabled = mjDSBL_FILTERPARENT | mjDSBL_NATIVECCD | mjDSBL_MULTICCD;
    return {m.opt.disableflags & kDisabled, m.opt.enableflags & mjENBL_OVERRIDE, m.opt.o_margin};
  }

  int count() const { return static_cast<int>(pairs_.size()); }
  bool IsAlone(size_t pair) const { return formula_[pair] == PairFormula::kNone && !is_mesh_on_plane_[pair]; }
  void AddBodies(const mjModel& m, int body1, int body2);
  void MakeTable(const mjModel& m);

  Settings settings_;
  bool is_used_ = false, has_own_forces_;
  std::vector<ItemPair> pairs_;
  std::vector<int> geom1_, geom2_, explicit_;
  std::vector<double> reach_, margin_;
  std::vector<char> is_plane_;
  std::vector<PairFormula> formula_;
  std::vector<char> keeps_first_, is_mesh_on_plane_, compares_boxes_;
  std::vector<PointBlock> feet_room_;  // for the largest of these meshes
  LaneSeparations separations_;
  std::vector<LaneSeparation*> separation_;
  std::vector<char> was_asked_;  // since BeginSearches
  std::vector<int> near_, alone_;
  std::vector<unsigned> lanes_;
  int near_count_ = 0;
  mutable std::unordered_map<uint64_t, Dofs> dofs_;  // what was asked for so far
  LanePairs table_{};
};

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PAIRS_LANE_PAIRS_H_
