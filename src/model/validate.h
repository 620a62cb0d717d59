// Consistency of a model that came from a file: every index that a later stage follows must stay inside its array.
#ifndef SINEW_MODEL_VALIDATE_H_
#define SINEW_MODEL_VALIDATE_H_

#include <mujoco/mujoco.h>

namespace sinew {

// Throws sinew::Error that names the first array with an invalid value. Physical plausibility is not judged.
void Validate(const mjModel& m);

// Its parts, each relying on those before it.
void ValidateReferences(const mjModel& m);  // indices and blocks whose target is always the same
void ValidateTree(const mjModel& m);        // order of bodies and dofs, patterns of sparse matrices, names
void ValidateTyped(const mjModel& m);       // references whose target depends on a type
void ValidateSensors(const mjModel& m);     // the same for sensors, and the room for their values
void ValidateAssets(const mjModel& m);      // meshes, height fields, textures, skins, flexes, hierarchies

}  // namespace sinew

#endif  // SINEW_MODEL_VALIDATE_H_
