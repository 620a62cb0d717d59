// Consistency of a model that came from a file: every index that a later stage follows must stay inside its array.
#ifndef SINEW_MODEL_VALIDATE_H_
#define SINEW_MODEL_VALIDATE_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Throws sinew::Error that names the first array with an invalid value. Physical plausibility is not judged.
void Validate(const mjModel& m);

// Its parts, in their order: tables of plain references, kinematic order and matrix patterns, references whose target
// depends on a type, assets.
void ValidateReferences(const mjModel& m);
void ValidateTree(const mjModel& m);
void ValidateTyped(const mjModel& m);
void ValidateAssets(const mjModel& m);

}  // namespace sinew

#endif  // SINEW_MODEL_VALIDATE_H_
