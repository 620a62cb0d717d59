// What the worlds of a pack have in common: a model, some of whose values decide what is computed at all. Where all
// worlds agree on other values than the model's, packs are of a model with these. A world that differs from packs runs
// alone.
#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "batch/front/worlds.h"
#include "batch/plan/lane_parameters.h"
#include "batch/plan/own_bounds.h"
#include "collision/triangles/surface_tables.h"
#include "core/error.h"
#include "model/files/validate.h"

namespace sinew::inline batch {

// Whether a world with this row of a parameter can be in a pack of the model.
bool Worlds::FitsPacks(const mjModel& m, const Parameter& parameter, const char* row) {
  const ModelParameter& field = parameter.field;
  if (field.size == 0) return true;
  return parameter.is_shared ? std::memcmp(field.In(m), row, field.Bytes()) == 0 : HasZerosOf(m, field, row);
}

// Whether all worlds could be in packs of a model that has the values of the first one.
bool Worlds::AgreeWithFirst(Parameter& parameter) const {
  mjModel m = *model_;  // which shares its arrays, but for this one
  const ModelParameter& field = parameter.field;
  if (field.array) {
    field.array->SetPointer(m, parameter.Row(0));
  } else {
    std::memcpy(field.In(m), parameter.Row(0), field.Bytes());
  }
  for (int world = 1; world < count_; ++world) {
    if (!FitsPacks(m, parameter, parameter.Row(world))) return false;
  }
  return true;
}

// Packs are made anew where worlds agree on values that these do not have. Values that no model may have are left to
// the worlds, which name them when they run alone.
void Worlds::AgreeInPacks() {
  ModelPtr agreed;
  for (const auto& parameter : parameters_) {
    const ModelParameter& field = parameter->field;
    if (FitsPacks(ModelOfPacks(), *parameter, parameter->Row(0)) || !MayAgreeInPacks(field)) continue;
    if (!AgreeWithFirst(*parameter)) continue;
    if (!agreed) agreed.reset(CopyModel(nullptr, ModelOfPacks()));
    std::memcpy(field.In(*agreed), parameter->Row(0), field.Bytes());
    try {
      CheckParameter(field, parameter->Row(0));
      Validate(*agreed);
    } catch (const Error&) {
      return;
    }
  }
  if (!agreed) return;
  MakeMeshTables(*agreed);
  for (Worker& worker : workers_) {
    worker.pack.reset();
    worker.gradient_pack.reset();
    worker.choice = {};
  }
  pack_model_ = std::move(agreed);
  ForgetFits();
  for (const auto& parameter : parameters_) parameter->is_shared = IsSharedInPacks(ModelOfPacks(), parameter->field);
}

// ---- obstacles

// The reason why no world can be in a pack; null: there is none.
const char* Worlds::ObstacleOfAll() const {
  if (obstacle_) return obstacle_;
  if (!output_obstacle_.empty()) return output_obstacle_.c_str();
  return has_models() ? "models of their own" : ObstacleToLanes(ModelOfPacks());
}

// Parameters are compared on demand, as programs write them between calls.
const char* Worlds::obstacle_to_packs() const {
  if (const char* obstacle = ObstacleOfAll()) return obstacle;
  parameter_obstacle_ = ObstacleOfBounds();
  for (const auto& parameter : parameters_) {
    if (!parameter_obstacle_.empty()) break;
    int world = 0;
    while (world < count_ && FitsPacks(ModelOfPacks(), *parameter, parameter->Row(world))) ++world;
    if (world == count_ || (MayAgreeInPacks(parameter->field) && AgreeWithFirst(*parameter))) continue;
    parameter_obstacle_ =
        (parameter->is_shared ? "worlds with another " : "worlds with other zeros in ") + FullName(parameter->field);
  }
  return parameter_obstacle_.empty() ? nullptr : parameter_obstacle_.c_str();
}

bool Worlds::HasOwnBounds() const {
  return std::any_of(parameters_.begin(), parameters_.end(),
                     [](const auto& parameter) { return IsSizeOrBound(parameter->field); });
}

// Rows of bounds that follow sizes are derived when a world runs; here a model has them.
std::string Worlds::ObstacleOfBounds() const {
  if (!HasOwnBounds()) return "";
  const ModelPtr own(CopyModel(nullptr, *model_));
  for (int world = 0; world < count_; ++world) {
    const auto copy_given = [&] {
      for (const auto& parameter : parameters_) {
        const ModelParameter& field = parameter->field;
        if (!parameter->given || !IsSizeOrBound(field) || field.size == 0) continue;
        std::memcpy(field.In(*own), parameter->Row(world), field.Bytes());
      }
    };
    copy_given();
    DeriveBounds(*model_, own.get());
    copy_given();
    if (!DoBoundsHold(*model_, *own)) return "worlds with geoms outside of their bounds or margins";
  }
  return "";
}

// Whether a world fits, with its parameters checked, which may throw.
Worlds::Fit Worlds::FindFit(Worker& worker, int world) {
  const mjModel* own = ModelFor(worker, world);
  if (HasOwnBounds() && !DoBoundsHold(*model_, *own)) return Fit::kNo;
  const bool fits = std::all_of(parameters_.begin(), parameters_.end(), [&](const auto& parameter) {
    return FitsPacks(ModelOfPacks(), *parameter, parameter->Row(world));
  });
  return fits ? Fit::kYes : Fit::kNo;
}

// A world's own parameters, checked, in a lane. False: the world has to run by itself. Whether it fits is remembered
// until one of them changes.
bool Worlds::LoadParameters(Worker& worker, LanePack& pack, int lane, int world) {
  if (parameters_.empty()) return true;
  Fit& fit = fits_[static_cast<size_t>(world)];
  if (fit == Fit::kUnknown || HasChanged(world)) {
    try {
      fit = FindFit(worker, world);
    } catch (const Error&) {
      fit = Fit::kUnknown;  // the error is raised again where the world runs by itself
    }
  }
  if (fit != Fit::kYes) return false;
  for (const auto& parameter : parameters_) {
    if (parameter->field.size > 0 && !parameter->is_shared) {
      pack.LoadParameter(lane, parameter->field, parameter->Row(world));
    }
  }
  return true;
}

}  // namespace sinew::inline batch
