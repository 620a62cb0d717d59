// Compiles an edited specification while its simulation goes on: the state is taken by element before, and given back
// after. Elements know their ids of the last compilation, which say where their numbers are.
#include "compile/recompile.h"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "compile/compile.h"
#include "core/error.h"
#include "core/live_objects.h"
#include "core/memory.h"
#include "model/data.h"
#include "spec/traverse.h"

namespace sinew {
namespace {

// ---- where the numbers of an element stand

// Addresses in the vectors of the state after the last compilation, by id; those of joints and actuators with the end
// behind the last.
struct StateLayout {
  std::vector<int> qpos, dof;  // of joints
  std::vector<int> act;        // of actuators
  std::vector<int> mocap;      // of bodies; -1: not a mocap body

  explicit StateLayout(const mjModel& m)
      : qpos(m.jnt_qposadr, m.jnt_qposadr + m.njnt),
        dof(m.jnt_dofadr, m.jnt_dofadr + m.njnt),
        mocap(m.body_mocapid, m.body_mocapid + m.nbody) {
    qpos.push_back(static_cast<int>(m.nq));
    dof.push_back(static_cast<int>(m.nv));
    act.push_back(0);
    for (int i = 0; i < m.nu; ++i) act.push_back(act.back() + m.actuator_actnum[i]);
  }
};

struct Range {
  mjtNum* data;
  int size;
};

// The numbers between the addresses of an element and of the next one.
Range Between(mjtNum* vector, const std::vector<int>& addresses, int id) {
  const int* adr = addresses.data() + id;
  return {vector + adr[0], adr[1] - adr[0]};
}

// An element that was added since has no id yet.
bool Has(const std::vector<int>& addresses, int id) {
  return id >= 0 && static_cast<std::size_t>(id) + 1 < addresses.size();
}

std::vector<Range> RangesOf(const Joint& joint, const StateLayout& layout, mjData* d) {
  if (!Has(layout.qpos, joint.id)) return {};
  return {Between(d->qpos, layout.qpos, joint.id), Between(d->qvel, layout.dof, joint.id)};
}

std::vector<Range> RangesOf(const Actuator& actuator, const StateLayout& layout, mjData* d) {
  if (!Has(layout.act, actuator.id)) return {};
  return {{d->ctrl + actuator.id, 1}, Between(d->act, layout.act, actuator.id)};
}

std::vector<Range> RangesOf(const Body& body, const StateLayout& layout, mjData* d) {
  const bool known = body.id >= 0 && static_cast<std::size_t>(body.id) < layout.mocap.size();
  const int mocap = known ? layout.mocap[static_cast<std::size_t>(body.id)] : -1;
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
  StateByElement(Spec& spec, const StateLayout& layout, mjData* d) : spec_(spec) {
    ForEachStateful(spec, [&](const auto& element) {
      std::vector<std::vector<mjtNum>>& values = values_.emplace_back();
      for (const Range& range : RangesOf(element, layout, d)) values.emplace_back(range.data, range.data + range.size);
    });
  }

  // An element whose state has another size now, such as a joint of another type, starts anew.
  void Restore(const StateLayout& layout, mjData* d) const {
    std::size_t i = 0;
    ForEachStateful(spec_, [&](const auto& element) {
      const std::vector<std::vector<mjtNum>>& values = values_[i++];
      const std::vector<Range> ranges = RangesOf(element, layout, d);
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

// Key of the layout among what is kept with the specification: so it goes when that goes.
constexpr char kLayoutKey[] = "sinew: layout of the state";

}  // namespace

void KeepStateLayout(const mjModel& m, Spec* spec) {
  spec->user_values[kLayoutKey] = std::make_shared<const StateLayout>(m);
}

// Nothing is changed before everything has been computed, so that an error leaves model and data as they were.
void Recompile(Spec& spec, const mjVFS* vfs, mjModel* m, mjData* d) {
  const auto kept = spec.user_values.find(kLayoutKey);
  if (kept == spec.user_values.end()) throw Error("the specification was not compiled yet", "call mj_compile first");

  // The elements have the ids of the last compilation until the next one.
  const StateByElement state(spec, *static_cast<const StateLayout*>(kept->second.get()), d);
  ModelPtr model = Compile(spec, vfs);
  DataPtr data(MakeData(*model));
  data->time = d->time;
  state.Restore(StateLayout(*model), data.get());

  std::swap(data->threadpool, d->threadpool);
  std::swap(*d, *data);
  if (m->buffer) {
    std::swap(*m, *model);
  } else {
    // The caller's memory takes the place of the header.
    mjModel* header = model.release();
    *m = *header;
    AddLiveObject(m);
    RemoveLiveObject(header, "m");
    FreeMemory(header);
  }
}

}  // namespace sinew
