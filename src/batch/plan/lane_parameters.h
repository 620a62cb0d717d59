// Which parameters of a model may differ between the worlds of a pack.
#ifndef SINEW_BATCH_PLAN_LANE_PARAMETERS_H_
#define SINEW_BATCH_PLAN_LANE_PARAMETERS_H_

#include <mujoco/mujoco.h>

#include <optional>

#include "batch/plan/worlds_fields.h"
#include "model/view/model_field_generated.h"

namespace sinew::inline batch {

// The field of kernels for a parameter; none for one that all lanes share, as it decides what is computed at all.
std::optional<ModelField> FindLaneField(const ModelParameter& parameter);

// Whether lanes may have values of their own for it in this model.
bool MayDifferInLanes(const mjModel& m, const ModelParameter& parameter);

// Whether all lanes of a pack of this model have its values.
bool IsSharedInPacks(const mjModel& m, const ModelParameter& parameter);

// Whether packs may have other values than the model where all worlds do: not of what connects the parts of a model,
// from which data was made.
bool MayAgreeInPacks(const ModelParameter& parameter);

// Whether no step reads it: colours, materials, what is drawn of lights, groups of visibility, numbers of the user.
bool IsOnlySeen(const ModelParameter& parameter);

// Whether a world with these values takes the way of the model's: work that a number of zero leaves out (springs,
// damping, gravity) is left out in all lanes or in none.
bool HasZerosOf(const mjModel& m, const ModelParameter& parameter, const void* row);

// Sizes and margins of geoms, and bounds that follow from them.
bool IsSizeOrBound(const ModelParameter& parameter);

}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PLAN_LANE_PARAMETERS_H_
