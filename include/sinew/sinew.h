// The C++ face of Sinew: owning handles over the C interface.
//
//   sinew::Model model = sinew::Model::FromXml("models/humanoid.xml");
//   sinew::Data data(model);
//   while (data.time() < 10) data.Step();
//
// Handles convert to the C pointers that they own, so that every function of <mujoco/mujoco.h> remains in reach.
#ifndef SINEW_SINEW_H_
#define SINEW_SINEW_H_

#include <sinew/data.h>
#include <sinew/elements.h>
#include <sinew/error.h>
#include <sinew/files.h>
#include <sinew/functions.h>
#include <sinew/model.h>
#include <sinew/plugins.h>
#include <sinew/render.h>
#include <sinew/spec.h>
#include <sinew/threads.h>
#include <sinew/version.h>
#include <sinew/worlds.h>

#endif  // SINEW_SINEW_H_
