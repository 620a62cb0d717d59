// Arrays of all worlds: outputs, contacts, parameters, and the model of one world.
#include <algorithm>
#include <cstring>
#include <utility>

#include "batch/front/worlds.h"
#include "batch/plan/lane_parameters.h"
#include "batch/plan/own_bounds.h"
#include "compile/topology/same_frame.h"
#include "constraint/contact_force.h"
#include "core/error.h"
#include "core/machine_memory.h"
#include "model/files/validate.h"
#include "model/kinds/contact_law.h"
#include "model/view/fields.h"
#include "sensor/sensor_kernel.h"

namespace sinew::inline batch {
namespace {

// Arrays that packs leave as they are: hierarchies that broad phases look through, obstacles of tendons, islands, and
// those that follow from velocities which the step has moved since.
bool IsOfWorldsAlone(std::string_view name) {
  constexpr std::string_view kNames[] = {"bvh_active", "ten_wrapnum", "ten_wrapadr", "wrap_obj", "wrap_xpos",
                                         "nisland",    "nidof",       "cacc",        "cfrc_int"};
  return std::find(std::begin(kNames), std::end(kNames), name) != std::end(kNames);
}

// Whether steps compute accelerations and forces of bodies, or velocities of subtrees, for some sensor.
bool DoSensorsNeedBodyForces(const mjModel& m) {
  return std::any_of(m.sensor_type, m.sensor_type + m.nsensor, [](int type) {
    const SensorInput input = InputOf(type);
    return input == SensorInput::kBodyAccelerations || input == SensorInput::kBodyForces;
  });
}
bool DoSensorsNeedSubtreeVelocities(const mjModel& m) {
  return std::any_of(m.sensor_type, m.sensor_type + m.nsensor,
                     [](int type) { return InputOf(type) == SensorInput::kSubtreeVelocities; });
}

}  // namespace

// The address stays the same for as long as the worlds live: a field that is asked for again gives the same array.
WorldArray Worlds::Output(std::string_view name) {
  for (const auto& output : outputs_) {
    if (output->field.name == name) return {output->values.data(), output->field.size, output->field.kind};
  }
  const Busy busy(this);
  const DataField field = FindDataField(*model_, name);
  CheckFreeMemory(field.Bytes(), static_cast<size_t>(count_), "worlds with output '" + std::string(name) + "'");
  auto output = std::make_unique<OutputArray>(OutputArray{field, {}});
  output->values.resize(field.Bytes() * static_cast<size_t>(count_) + 1);  // never without an address
  for (int i = 0; i < count_ && persistent(); ++i) {
    const size_t world = static_cast<size_t>(i);
    std::memcpy(output->values.data() + world * field.Bytes(), field.In(*persistent_[world]), field.Bytes());
  }
  outputs_.push_back(std::move(output));
  if (field.array) AddTo(output_arrays_, *field.array);
  needs_rows_ |= !field.array && name != "ncon";
  needs_contacts_ |= name == "ncon";
  if (IsOfWorldsAlone(name)) output_obstacle_ = "output " + std::string(name);
  // Stages skip these fields unless a sensor reads them; packs compute for sensors no more than these read.
  const bool complete = config_.complete_outputs;
  const bool is_of_subtrees = name == "subtree_linvel" || name == "subtree_angmom";
  needs_body_forces_ |= name == "cfrc_ext" && (complete || DoSensorsNeedBodyForces(*model_));
  needs_body_forces_ |= (name == "cacc" || name == "cfrc_int") && complete;
  needs_rows_ |= needs_body_forces_;
  needs_subtree_velocities_ |= is_of_subtrees && (complete || DoSensorsNeedSubtreeVelocities(*model_));
  return {outputs_.back()->values.data(), field.size, field.kind};
}

void Worlds::CopyOutputs(int world, const mjData& d) {
  for (const auto& output : outputs_) {
    const size_t bytes = output->field.Bytes();
    if (bytes > 0) {
      std::memcpy(output->values.data() + static_cast<size_t>(world) * bytes, output->field.In(d), bytes);
    }
  }
}

// ---- contacts, which have another number in each world and at each step

// Forces of compliant contacts follow from velocities, which packs have to bring into the worlds of their lanes.
void Worlds::KeepContacts(bool keep) {
  const Busy busy(this);
  if (keep == keeps_contacts()) return;
  contacts_.clear();
  if (!keep) return;
  contacts_.resize(static_cast<size_t>(count_));
  if (!FindContactLaws(model_.get())) return;
  for (const char* name : {"cvel", "subtree_com"}) AddTo(output_arrays_, *FindDataField(*model_, name).array);
}

// The stages of positions and velocities find contacts anew, whose forces nobody has computed. A call of no step and no
// stage leaves the data of whichever world ran last.
Worlds::ContactPart Worlds::ContactsAfter(int steps, int stage) {
  if (stage == mjSTAGE_POS || stage == mjSTAGE_VEL) return ContactPart::kPlaces;
  return steps > 0 || stage == mjSTAGE_ACC ? ContactPart::kForces : ContactPart::kOld;
}

void Worlds::CopyContacts(const mjModel& m, int world, const mjData& d, ContactPart part) {
  if (part == ContactPart::kOld) return;
  std::vector<KeptContact>& kept = contacts_[static_cast<size_t>(world)];
  kept.assign(static_cast<size_t>(d.ncon), {});
  for (int i = 0; i < d.ncon; ++i) {
    const mjContact& from = d.contact[i];
    KeptContact& to = kept[static_cast<size_t>(i)];
    to.dim = from.dim;
    to.dist = from.dist;
    std::copy_n(from.geom, 2, to.geom);
    std::copy_n(from.flex, 2, to.flex);
    std::copy_n(from.pos, 3, to.pos);
    std::copy_n(from.frame, 9, to.frame);
    std::copy_n(from.friction, 5, to.friction);
    if (part == ContactPart::kForces) ContactForce(&m, &d, i, to.force);
  }
}

void Worlds::ForEachContacts(const Selection& worlds, const VisitContacts& visit) {
  const Busy busy(this);
  CheckSelection(worlds);
  if (!keeps_contacts()) throw Error("contacts are not kept", "ask for them before the call whose contacts are wanted");
  for (int place = 0; place < CountOf(worlds); ++place) {
    visit(place, contacts_[static_cast<size_t>(worlds.WorldAt(place))]);
  }
}

// ---- parameters

namespace {

// The place distinguishes "opt.timestep" and "timestep" of mjOption.
bool IsSame(const ModelParameter& a, const ModelParameter& b) { return a.array == b.array && a.offset == b.offset; }

}  // namespace

// Sizes and margins set their bounds too, which follow them until the program requests these arrays itself.
WorldArray Worlds::Expand(std::string_view name) {
  const auto follow = [this](const char* bound) {
    if (Expanded(bound).data || FindModelParameter(*model_, bound).size == 0) return;
    ExpandOne(bound);
    parameters_.back()->given = false;
  };
  if (name == "geom_size") {
    for (const char* bound : {"geom_rbound", "geom_aabb", "bvh_aabb"}) follow(bound);
  }
  if (name == "geom_margin") follow("body_margin");
  return ExpandOne(name);
}

// Every world starts with the model's own values. Fields that SetConst has expanded become the user's by this call.
WorldArray Worlds::ExpandOne(std::string_view name) {
  if (has_models()) throw Error("worlds have models of their own", "write '" + std::string(name) + "' there");
  const ModelParameter field = FindModelParameter(*model_, name);
  for (const auto& parameter : parameters_) {
    if (!IsSame(parameter->field, field)) continue;
    parameter->given = true;
    return {parameter->values.data(), field.size, field.kind};
  }
  const Busy busy(this);
  // the values, and those that were last found right
  CheckFreeMemory(2 * field.Bytes(), static_cast<size_t>(count_),
                  "worlds with '" + std::string(name) + "' of their own");
  auto parameter = std::make_unique<Parameter>(Parameter{field, {}, {}, true, false});
  parameter->is_shared = IsSharedInPacks(ModelOfPacks(), field);
  parameter->values.resize(field.Bytes() * static_cast<size_t>(count_) + 1);
  for (int i = 0; i < count_ && field.size > 0; ++i) {
    std::memcpy(parameter->Row(i), field.In(std::as_const(*model_)), field.Bytes());
  }
  // The values of the model were checked when it was compiled.
  parameter->checked = parameter->values;
  // Worlds differ in their frames from now on, and packs in lanes: the shortcuts of the model hold in none.
  MakeFramesGeneral(model_.get(), field.name);
  if (pack_model_) MakeFramesGeneral(pack_model_.get(), field.name);
  for (Worker& worker : workers_) {
    if (worker.model) MakeFramesGeneral(worker.model.get(), field.name);
  }
  parameters_.push_back(std::move(parameter));
  ForgetFits();
  return {parameters_.back()->values.data(), field.size, field.kind};
}

WorldArray Worlds::Expanded(std::string_view name) const {
  const ModelParameter field = FindModelParameter(*model_, name);
  for (const auto& parameter : parameters_) {
    if (IsSame(parameter->field, field)) return {parameter->values.data(), field.size, field.kind};
  }
  return {nullptr, field.size, field.kind};
}

bool Worlds::Parameter::HasChanged(int world) {
  return given && field.size > 0 && std::memcmp(Row(world), CheckedRow(world), field.Bytes()) != 0;
}

bool Worlds::HasChanged(int world) const {
  return std::any_of(parameters_.begin(), parameters_.end(),
                     [world](const auto& parameter) { return parameter->HasChanged(world); });
}

// The model that a world runs on. Values that changed since they were last found right are looked at first.
const mjModel* Worlds::ModelFor(Worker& worker, int world) {
  if (has_models()) return models_[static_cast<size_t>(world)];
  if (parameters_.empty()) return model_.get();
  if (!worker.model) worker.model.reset(CopyModel(nullptr, *model_));
  bool changed = false, structure_changed = false, sizes_changed = false;
  for (const auto& parameter : parameters_) {
    const ModelParameter& field = parameter->field;
    if (field.size == 0) continue;
    const char* row = parameter->Row(world);
    if (parameter->HasChanged(world)) {
      CheckParameter(field, row);
      changed = true;
      structure_changed |= field.kind != ElementKind::kNum && field.kind != ElementKind::kFloat;
      sizes_changed |= IsSizeOrBound(field);
    }
    std::memcpy(field.In(*worker.model), row, field.Bytes());
  }
  // Integers are indices and types, whose errors reach over several fields: the whole model is checked.
  if (structure_changed) Validate(*worker.model);
  if (sizes_changed) FollowSizes(*worker.model, world);
  if (changed) NoteChecked(world);
  return worker.model.get();
}

// The parameters of a world are right as they are.
void Worlds::NoteChecked(int world) {
  for (const auto& parameter : parameters_) {
    if (parameter->given && parameter->field.size > 0) {
      std::memcpy(parameter->CheckedRow(world), parameter->Row(world), parameter->field.Bytes());
    }
  }
  fits_[static_cast<size_t>(world)] = Fit::kUnknown;
}

// Bounds that the program has not asked for follow the sizes of a world; others are its own.
void Worlds::FollowSizes(mjModel& own, int world) {
  DeriveBounds(*model_, &own);
  for (const auto& parameter : parameters_) {
    const ModelParameter& field = parameter->field;
    if (!IsSizeOrBound(field) || field.size == 0) continue;
    if (parameter->given) {
      std::memcpy(field.In(own), parameter->Row(world), field.Bytes());
    } else {
      std::memcpy(parameter->Row(world), field.In(std::as_const(own)), field.Bytes());
    }
  }
}

// The models stay the caller's and have to live until others are set. Sizes are compared for all of them first, so
// that an error changes nothing.
void Worlds::SetModels(const mjModel* const* models) {
  const Busy busy(this);
  if (!models) {
    models_.clear();
    return;
  }
  if (!parameters_.empty()) {
    throw Error("field '" + std::string(parameters_[0]->field.name) + "' has values of its own in each world",
                "use either that or models, in batches of their own");
  }
  for (int i = 0; i < count_; ++i) {
    const std::string which = "models[" + std::to_string(i) + "]";
    if (!models[i]) throw Error(which + " is NULL", "give a model for each world");
    try {
      CheckSameLayout(*model_, *models[i]);
    } catch (const Error& error) {
      throw Error(which + ": " + error.problem(), error.remedy());
    }
  }
  models_.assign(models, models + count_);
}

void Worlds::GetModel(int world, mjModel* m) {
  const Busy busy(this);
  if (world < 0 || world >= count_) throw Error("there is no world " + std::to_string(world));
  CopyModel(m, *ModelFor(workers_[0], world));
}

}  // namespace sinew::inline batch
