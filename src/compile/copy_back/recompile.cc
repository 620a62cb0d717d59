// Compiles an edited specification while its simulation goes on: the state is taken by element before, and given back
// after. Elements know their ids of the last compilation, which say where their numbers are.
#include "compile/copy_back/recompile.h"

#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "compile/compile.h"
#include "core/error.h"
#include "core/live_objects.h"
#include "core/memory.h"
#include "model/kinds/stick.h"
#include "model/storage/data.h"
#include "spec/traverse.h"

namespace sinew::inline compile {
namespace {

// ---- where the numbers of an element stand

// Where the numbers of elements stand after the last compilation, by id; those of joints, actuators and plugins with
// the end behind the last.
struct StateLayout {
  std::vector<int> qpos, dof;        // of joints
  std::vector<int> act;              // of actuators
  std::vector<int> mocap;            // of bodies; -1: not a mocap body
  std::vector<mjtByte> eq_active0;   // of equalities: what the specification said
  std::vector<int> plugin_state;     // of instances of plugins
  std::vector<int> control_history;  // of actuators; -1: none
  std::vector<int> sensor_history;   // of sensors
  int nhistory = 0, nuserdata = 0;   // without anchors, which begin anew

  explicit StateLayout(const mjModel& m)
      : qpos(m.jnt_qposadr, m.jnt_qposadr + m.njnt),
        dof(m.jnt_dofadr, m.jnt_dofadr + m.njnt),
        mocap(m.body_mocapid, m.body_mocapid + m.nbody),
        eq_active0(m.eq_active0, m.eq_active0 + m.neq),
        plugin_state(m.plugin_stateadr, m.plugin_stateadr + m.nplugin),
        control_history(m.actuator_historyadr, m.actuator_historyadr + m.nu),
        sensor_history(m.sensor_historyadr, m.sensor_historyadr + m.nsensor),
        nhistory(static_cast<int>(m.nhistory) - StickStates(&m)),
        nuserdata(static_cast<int>(m.nuserdata)) {
    qpos.push_back(static_cast<int>(m.nq));
    dof.push_back(static_cast<int>(m.nv));
    plugin_state.push_back(static_cast<int>(m.npluginstate));
    act.push_back(0);
    for (int i = 0; i < m.nu; ++i) act.push_back(act.back() + m.actuator_actnum[i]);
  }

  // The number behind the history that begins at `adr`: histories follow each other in any order.
  int EndOfHistory(int adr) const {
    int end = nhistory;
    for (const auto* all : {&control_history, &sensor_history}) {
      for (const int other : *all) {
        if (other > adr) end = std::min(end, other);
      }
    }
    return end;
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
template <class T>
bool Has(const std::vector<T>& by_id, int id, std::size_t ends = 0) {
  return id >= 0 && static_cast<std::size_t>(id) + ends < by_id.size();
}

std::vector<Range> RangesOf(const Joint& joint, const StateLayout& layout, mjData* d) {
  if (!Has(layout.qpos, joint.id, 1)) return {};
  return {Between(d->qpos, layout.qpos, joint.id), Between(d->qvel, layout.dof, joint.id),
          Between(d->qfrc_applied, layout.dof, joint.id), Between(d->qacc_warmstart, layout.dof, joint.id)};
}

// The history of a control or of a sensor, which is behind the other ranges and may be none.
void AddHistory(const std::vector<int>& addresses, int id, const StateLayout& layout, mjData* d,
                std::vector<Range>* ranges) {
  if (!Has(addresses, id)) return;
  const int adr = addresses[static_cast<std::size_t>(id)];
  if (adr >= 0) ranges->push_back({d->history + adr, layout.EndOfHistory(adr) - adr});
}

std::vector<Range> RangesOf(const Actuator& actuator, const StateLayout& layout, mjData* d) {
  if (!Has(layout.act, actuator.id, 1)) return {};
  std::vector<Range> ranges = {{d->ctrl + actuator.id, 1}, Between(d->act, layout.act, actuator.id)};
  AddHistory(layout.control_history, actuator.id, layout, d, &ranges);
  return ranges;
}

std::vector<Range> RangesOf(const Sensor& sensor, const StateLayout& layout, mjData* d) {
  std::vector<Range> ranges;
  AddHistory(layout.sensor_history, sensor.id, layout, d, &ranges);
  return ranges;
}

std::vector<Range> RangesOf(const Plugin& plugin, const StateLayout& layout, mjData* d) {
  if (!Has(layout.plugin_state, plugin.id, 1)) return {};
  return {Between(d->plugin_state, layout.plugin_state, plugin.id)};
}

std::vector<Range> RangesOf(const Body& body, const StateLayout& layout, mjData* d) {
  if (!Has(layout.mocap, body.id)) return {};
  std::vector<Range> ranges = {{d->xfrc_applied + 6 * body.id, 6}};
  const int mocap = layout.mocap[static_cast<std::size_t>(body.id)];
  if (mocap < 0) return ranges;
  ranges.push_back({d->mocap_pos + 3 * mocap, 3});
  ranges.push_back({d->mocap_quat + 4 * mocap, 4});
  return ranges;
}

// Calls visit(element) for every element that has a state of numbers.
template <class Visit>
void ForEachStateful(Spec& spec, Visit&& visit) {
  for (Body* body = &spec.world(); body; body = NextBody(spec.world(), body)) {
    visit(*body);
    for (const auto& joint : body->joints) visit(*joint);
  }
  for (const auto& actuator : spec.List<Actuator>()) visit(*actuator);
  for (const auto& sensor : spec.List<Sensor>()) visit(*sensor);
  for (const auto& plugin : spec.List<Plugin>()) visit(*plugin);
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

  // Parts of the state of an element that have another size now, such as those of a joint of another type, start anew;
  // of a joint, all of them.
  void Restore(const StateLayout& layout, mjData* d) const {
    std::size_t i = 0;
    ForEachStateful(spec_, [&]<class T>(const T& element) {
      const std::vector<std::vector<mjtNum>>& values = values_[i++];
      const std::vector<Range> ranges = RangesOf(element, layout, d);
      const std::size_t count = std::min(values.size(), ranges.size());
      std::vector<bool> same(count);
      for (std::size_t k = 0; k < count; ++k) same[k] = static_cast<int>(values[k].size()) == ranges[k].size;
      if (std::is_same_v<T, Joint> && std::find(same.begin(), same.end(), false) != same.end()) return;
      for (std::size_t k = 0; k < count; ++k) {
        if (same[k]) std::copy(values[k].begin(), values[k].end(), ranges[k].data);
      }
    });
  }

 private:
  Spec& spec_;
  std::vector<std::vector<std::vector<mjtNum>>> values_;  // in the order of ForEachStateful
};

// ---- what is no vector of numbers of elements

// Which equalities are active: what the simulation has made of them stays, unless the specification says something else
// than at the last compilation.
class ActiveEqualities {
 public:
  ActiveEqualities(const Spec& spec, const StateLayout& layout, const mjData& d) {
    for (const auto& equality : spec.List<Equality>()) {
      const bool known = Has(layout.eq_active0, equality->id);
      const auto id = static_cast<std::size_t>(equality->id);
      const bool edited = known && (layout.eq_active0[id] != 0) != (equality->active != 0);
      active_.push_back(known && !edited ? d.eq_active[id] : static_cast<mjtByte>(equality->active != 0));
    }
  }

  void Restore(const Spec& spec, mjData* d) const {
    std::size_t i = 0;
    for (const auto& equality : spec.List<Equality>()) d->eq_active[equality->id] = active_[i++];
  }

 private:
  std::vector<mjtByte> active_;
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
  const auto layout = std::static_pointer_cast<const StateLayout>(kept->second);
  const StateByElement state(spec, *layout, d);
  const ActiveEqualities equalities(spec, *layout, *d);
  const std::vector<mjtNum> userdata(d->userdata, d->userdata + layout->nuserdata);
  ModelPtr model = Compile(spec, vfs);
  DataPtr data(MakeData(*model));
  data->time = d->time;
  state.Restore(StateLayout(*model), data.get());
  equalities.Restore(spec, data.get());
  std::copy_n(userdata.begin(), std::min(userdata.size(), static_cast<std::size_t>(model->nuserdata)), data->userdata);

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

}  // namespace sinew::inline compile
