// mjModel as an object: allocation, copy, release. One buffer holds all arrays (model/view/layout.h).
#ifndef SINEW_MODEL_STORAGE_MODEL_H_
#define SINEW_MODEL_STORAGE_MODEL_H_

#include <mujoco/mujoco.h>

#include <memory>

namespace sinew::inline model {

// A model with the sizes (kModelSizes) of `sizes`, of which nothing else is read; nbuffer is computed. All arrays are
// zero, options and statistics too. Throws when a size is negative or too large, or memory is short.
mjModel* MakeModel(const mjModel& sizes);

// Copies into `dest`, or into a new model when that is null. Throws when the sizes differ.
mjModel* CopyModel(mjModel* dest, const mjModel& src);

// The same without the arrays that making a scene does not read.
void CopyModelForScene(mjModel* dest, const mjModel& src);

// Frees a model; nullptr is allowed.
void DeleteModel(mjModel* m);

// Throws when a size is negative, or more than an int can number.
void CheckSizes(const mjModel& sizes);

// Bytes of the buffer that holds the arrays of a model of these sizes.
size_t ModelBufferSize(const mjModel& sizes);

struct ModelDeleter {
  void operator()(mjModel* m) const { DeleteModel(m); }
};
using ModelPtr = std::unique_ptr<mjModel, ModelDeleter>;

// Mass of all bodies, and the scaling of masses and inertias that gives a new total. Quantities derived from masses
// (body_subtreemass, dof_M0, ...) stay as they are.
mjtNum TotalMass(const mjModel& m);
void SetTotalMass(mjModel* m, mjtNum mass);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STORAGE_MODEL_H_
