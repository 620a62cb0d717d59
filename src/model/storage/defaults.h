// Initial values of the option structs that models and specifications share.
#ifndef SINEW_MODEL_STORAGE_DEFAULTS_H_
#define SINEW_MODEL_STORAGE_DEFAULTS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline model {

void DefaultOption(mjOption* option);
void DefaultVisual(mjVisual* visual);
void DefaultLROpt(mjLROpt* option);

// Reference and impedance of every soft constraint unless the model says otherwise; either may be null.
void DefaultSolRefImp(mjtNum* solref, mjtNum* solimp);

}  // namespace sinew::inline model

#endif  // SINEW_MODEL_STORAGE_DEFAULTS_H_
