// Consistency of a model that came from a file: every index that a later stage follows must stay inside its array.
#ifndef SINEW_MODEL_FILES_VALIDATE_H_
#define SINEW_MODEL_FILES_VALIDATE_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

// Throws sinew::Error that names the first array with an invalid value. Physical plausibility is not judged.
void Validate(const mjModel& m);

// Its parts, each relying on those before it.
void ValidateOptions(const mjOption& options);  // what selects an algorithm
void ValidateReferences(const mjModel& m);      // indices and blocks whose target is always the same
void ValidateTree(const mjModel& m);            // bodies, joints, dofs and trees, which must agree; names
void ValidatePatterns(const mjModel& m);        // sparse matrices
void ValidateTyped(const mjModel& m);           // references whose target depends on a type
void ValidateTendons(const mjModel& m);         // paths, and the patterns of their Jacobians
void ValidateSensors(const mjModel& m);         // the same for sensors, and the room for their values
void ValidateAssets(const mjModel& m);          // meshes, height fields, textures, skins, flexes, hierarchies

// Whether the vertices of a mesh and its hull, to which a program may have written, lie inside of their arrays.
bool HasWholeHull(const mjModel& m, int mesh);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_FILES_VALIDATE_H_
