// Parameters that differ from world to world: constants that follow from them, and random ones.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "batch/front/worlds.h"
#include "batch/front/worlds_random.h"
#include "batch/plan/lane_parameters.h"
#include "compile/constants/set_const.h"
#include "core/error.h"
#include "math/quat.h"
#include "model/state/state.h"
#include "model/storage/model.h"
#include "model/view/fields.h"
#include "simd/functions.h"

namespace sinew::inline batch {
namespace {

// Fields that SetConst may write.
constexpr const char* kConstants[] = {
    "body_subtreemass", "body_invweight0",   "dof_M0",           "dof_invweight0",
    "dof_length",       "tendon_invweight0", "tendon_length0",   "tendon_lengthspring",
    "actuator_acc0",    "actuator_length0",  "actuator_biasprm", "cam_pos0",
    "cam_poscom0",      "cam_mat0",          "light_pos0",       "light_poscom0",
    "light_dir0",       "eq_data",           "flexedge_length0", "flexedge_invweight0",
    "stat.meaninertia", "stat.meanmass",     "stat.meansize",    "stat.extent",
    "stat.center"};

}  // namespace

// Runs SetConst on a world's parameters. Derived ones start from the model's values, so that calls do not add up.
void Worlds::DeriveConstants(mjModel* m, Worker& worker, int world) {
  for (const auto& parameter : parameters_) {
    const ModelParameter& field = parameter->field;
    if (field.size > 0 && !parameter->given && !IsSizeOrBound(field))
      std::memcpy(field.In(*m), field.In(std::as_const(*model_)), field.Bytes());
  }
  sinew::SetConst(m, worker.data.get());
  fits_[static_cast<size_t>(world)] = Fit::kUnknown;
  for (const auto& parameter : parameters_) {
    const ModelParameter& field = parameter->field;
    if (field.size > 0) std::memcpy(parameter->Row(world), field.In(std::as_const(*m)), field.Bytes());
  }
}

// All constants get rows of their own before, so that threads find them there.
void Worlds::ExpandConstants() {
  for (const char* name : kConstants) {
    if (Expanded(name).data) continue;
    Expand(name);
    parameters_.back()->given = false;
  }
  for (Worker& worker : workers_) {
    if (!worker.data) worker.data.reset(MakeData(*model_));
  }
}

// Each world's model is set up by ModelFor as for a step; the worker is found by it, since work does not know its
// thread. All workers have their models before, as each thread reads those of all.
int Worlds::DeriveAll(const Selection& worlds) {
  for (Worker& worker : workers_) {
    if (!worker.model) worker.model.reset(CopyModel(nullptr, *model_));
  }
  const auto work = [this](const mjModel* m, mjData*, int world, int) {
    for (Worker& worker : workers_) {
      if (worker.model.get() == m) return DeriveConstants(worker.model.get(), worker, world);
    }
  };
  return Run(worlds, work, {.save = false, .outputs = false});
}

int Worlds::SetConst(const Selection& worlds) {
  if (has_models()) throw Error("worlds have models of their own", "call mj_setConst on those");
  CheckSelection(worlds);
  // without values of their own, worlds have the constants of the model
  if (std::none_of(parameters_.begin(), parameters_.end(), [](const auto& p) { return p->given; })) return 0;
  ExpandConstants();
  const Busy busy(this);
  return DeriveAll(worlds);
}

// ---- random quantities

bool Worlds::RandomizesConstants() const {
  return std::any_of(ranges_.begin(), ranges_.end(), [this](const Range& range) {
    return range.component < 0 && DerivesConstants(parameters_[range.parameter]->field);
  });
}

// Counts of resets start anew, so that one seed always gives one sequence.
void Worlds::SetSeed(uint64_t seed) {
  const Busy busy(this);
  seed_ = seed;
  std::fill(episodes_.begin(), episodes_.end(), 0u);
}

void Worlds::Randomize(std::string_view name, std::span<const double> low, std::span<const double> high, Draw draw,
                       Combine combine) {
  Range range = {FindStateComponent(name), 0, std::string(name), {}, {}, draw, combine};
  size_t size = 0;
  if (range.component >= 0) {
    size = static_cast<size_t>(components_[range.component].size);
  } else {
    const WorldArray array = Expand(name);
    if (array.kind != ElementKind::kNum) throw Error("'" + range.name + "' has no real numbers", "randomize another");
    size = array.size;
    for (size_t i = 0; i < parameters_.size(); ++i) {
      if (parameters_[i]->values.data() == array.data) range.parameter = i;
    }
  }
  const Busy busy(this);
  for (const auto& [end, given] : {std::pair("low", low), std::pair("high", high)}) {
    if (given.size() != size && given.size() != 1) {
      throw Error(std::string(end) + " of '" + range.name + "' has " + std::to_string(given.size()) + " numbers",
                  "give one, or " + std::to_string(size));
    }
    for (const double value : given) {
      if (!std::isfinite(value)) throw Error(std::string(end) + " of '" + range.name + "' is not finite");
    }
  }
  range.low.assign(low.begin(), low.end());
  range.high.assign(high.begin(), high.end());
  range.low.resize(size, low.empty() ? 0 : low[0]);
  range.high.resize(size, high.empty() ? 0 : high[0]);
  for (size_t i = 0; i < size; ++i) {
    if (draw != Draw::kNormal && range.low[i] > range.high[i]) {
      throw Error("low[" + std::to_string(i) + "] of '" + range.name + "' is above high", "exchange them");
    }
    if (draw == Draw::kLogUniform && !(range.low[i] > 0)) {
      throw Error("low[" + std::to_string(i) + "] of '" + range.name + "' has no logarithm", "give positive ends");
    }
  }
  // An earlier range of the field is replaced, so that ranges can change while episodes run.
  for (Range& known : ranges_) {
    if (known.name != range.name) continue;
    known = std::move(range);
    return;
  }
  ranges_.push_back(std::move(range));
}

// Parameters, and constants that were derived from them, are those of the model again.
void Worlds::ClearRandomization() {
  const Busy busy(this);
  const bool constants = RandomizesConstants();
  for (size_t i = 0; i < parameters_.size(); ++i) {
    Parameter& parameter = *parameters_[i];
    const bool is_drawn = std::any_of(ranges_.begin(), ranges_.end(),
                                      [i](const Range& range) { return range.component < 0 && range.parameter == i; });
    const bool is_derived = constants && !parameter.given;
    const bool changes = (is_drawn || is_derived) && parameter.field.size > 0;
    for (int world = 0; changes && world < count_; ++world) {
      std::memcpy(parameter.Row(world), parameter.field.In(std::as_const(*model_)), parameter.field.Bytes());
    }
  }
  ranges_.clear();
  ForgetFits();
}

// Draws number `element` of range `index` for a world, and combines it with its base. It is a function of these, of
// the seed and of the number of resets alone.
double Worlds::DrawNumber(const Range& range, size_t index, int world, size_t element, double base) const {
  const RandomPlace place = {seed_, config_.first_world + static_cast<uint32_t>(world),
                             episodes_[static_cast<size_t>(world)], static_cast<uint32_t>(index),
                             static_cast<uint32_t>(element)};
  const double low = range.low[element], high = range.high[element];
  double number = 0;
  switch (range.draw) {
    case Draw::kUniform:
      number = low + (high - low) * UniformAt(place);
      break;
    case Draw::kLogUniform:
      number = low * Pow(high / low, UniformAt(place));
      break;
    case Draw::kNormal:
      number = low + high * NormalAt(place);
      break;
  }
  switch (range.combine) {
    case Combine::kSet:
      return number;
    case Combine::kAdd:
      return base + number;
    case Combine::kScale:
      return base * number;
  }
  return number;
}

// Numbers of the model are the base of those that are added and scaled.
void Worlds::DrawParameters(int world) {
  for (size_t i = 0; i < ranges_.size(); ++i) {
    const Range& range = ranges_[i];
    if (range.component >= 0) continue;
    Parameter& parameter = *parameters_[range.parameter];
    auto* values = reinterpret_cast<mjtNum*>(parameter.Row(world));
    if (parameter.field.size == 0) continue;
    std::memcpy(values, parameter.field.In(std::as_const(*model_)), parameter.field.Bytes());
    for (size_t e = 0; e < parameter.field.size; ++e) values[e] = DrawNumber(range, i, world, e, values[e]);
  }
}

// Random quaternions of free and ball joints are normalized at the end, as their four numbers are drawn one by one.
void Worlds::DrawState(int world) const {
  bool moved = false;
  for (size_t i = 0; i < ranges_.size(); ++i) {
    const Range& range = ranges_[i];
    if (range.component < 0) continue;
    const StateRows& part = components_[range.component];
    mjtNum* values = part.of(world);
    for (size_t e = 0; e < static_cast<size_t>(part.size); ++e) values[e] = DrawNumber(range, i, world, e, values[e]);
    moved |= 1 << range.component == mjSTATE_QPOS;
  }
  const mjModel& m = *model_;
  mjtNum* qpos = components_[FindStateComponent("qpos")].of(world);
  for (int j = 0; moved && j < m.njnt; ++j) {
    if (m.jnt_type[j] != mjJNT_FREE && m.jnt_type[j] != mjJNT_BALL) continue;
    mjtNum* quat = qpos + m.jnt_qposadr[j] + (m.jnt_type[j] == mjJNT_FREE ? 3 : 0);
    StoreQuat(Normalized(LoadQuat(quat)), quat);
  }
}

}  // namespace sinew::inline batch
