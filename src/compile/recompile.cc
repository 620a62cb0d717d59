#include "compile/recompile.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "compile/compile.h"
#include "model/data.h"
#include "spec/traverse.h"

namespace sinew {
namespace {

// ---- where the numbers of an element stand

struct Range {
  mjtNum* data;
  int size;
};

int End(const int* adr, mjtSize count, mjtSize total, int id) {
  return static_cast<int>(id + 1 < count ? adr[id + 1] : total);
}

std::vector<Range> RangesOf(const Joint& joint, const mjModel& m, mjData* d) {
  const int id = joint.id;
  if (id < 0 || id >= m.njnt) return {};
  const int qpos = m.jnt_qposadr[id], dof = m.jnt_dofadr[id];
  return {{d->qpos + qpos, End(m.jnt_qposadr, m.njnt, m.nq, id) - qpos},
          {d->qvel + dof, End(m.jnt_dofadr, m.njnt, m.nv, id) - dof}};
}

std::vector<Range> RangesOf(const Actuator& actuator, const mjModel& m, mjData* d) {
  const int id = actuator.id;
  if (id < 0 || id >= m.nu) return {};
  const Range control = {d->ctrl + id, 1};
  if (m.actuator_actnum[id] == 0) return {control};
  return {control, {d->act + m.actuator_actadr[id], m.actuator_actnum[id]}};
}

std::vector<Range> RangesOf(const Body& body, const mjModel& m, mjData* d) {
  const int mocap = body.id >= 0 && body.id < m.nbody ? m.body_mocapid[body.id] : -1;
  if (mocap < 0) return {};
  return {{d->mocap_pos + 3 * mocap, 3}, {d->mocap_quat + 4 * mocap, 4}};
}

// Calls visit(element) for every element that has a state.
template <class Visit>
void ForEachStateful(Spec& spec, Visit&& visit) {
  for (Body* body = &spec.world(); body; body = NextBody(spec.world(), body)) {
    visit(*body);
    for (const auto& joint : body->joints) visit(*joint);
  }
  for (const auto& actuator : spec.List<Actuator>()) visit(*actuator);
}

// ---- state by element

class StateByElement {
 public:
  StateByElement(Spec& spec, const mjModel& m, mjData* d) : spec_(spec) {
    ForEachStateful(spec, [&](const auto& element) {
      std::vector<std::vector<mjtNum>>& values = values_.emplace_back();
      for (const Range& range : RangesOf(element, m, d)) values.emplace_back(range.data, range.data + range.size);
    });
  }

  // An element whose state has another size now, such as a joint of another type, starts anew.
  void Restore(const mjModel& m, mjData* d) const {
    std::size_t i = 0;
    ForEachStateful(spec_, [&](const auto& element) {
      const std::vector<std::vector<mjtNum>>& values = values_[i++];
      const std::vector<Range> ranges = RangesOf(element, m, d);
      const bool same = std::equal(values.begin(), values.end(), ranges.begin(), ranges.end(),
                                   [](const std::vector<mjtNum>& numbers, const Range& range) {
                                     return static_cast<int>(numbers.size()) == range.size;
                                   });
      for (std::size_t k = 0; same && k < values.size(); ++k) {
        std::copy(values[k].begin(), values[k].end(), ranges[k].data);
      }
    });
  }

 private:
  Spec& spec_;
  std::vector<std::vector<std::vector<mjtNum>>> values_;  // in the order of ForEachStateful
};

}  // namespace

void Recompile(Spec& spec, const mjVFS* vfs, mjModel* m, mjData* d) {
  // The elements have the ids of the last compilation until the next one.
  const StateByElement state(spec, *m, d);
  ModelPtr model = Compile(spec, vfs);
  DataPtr data(MakeData(*model));
  data->time = d->time;
  state.Restore(*model, data.get());

  std::swap(data->threadpool, d->threadpool);
  std::swap(*m, *model);
  std::swap(*d, *data);
}

}  // namespace sinew
