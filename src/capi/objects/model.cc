// Models as objects: copied, saved to MJB, loaded, released; their masses; defaults of option structs; the version.
#include <mujoco/mujoco.h>

#include <string>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "core/error.h"
#include "model/files/mjb.h"
#include "model/storage/defaults.h"
#include "model/storage/model.h"
#include "step/sleep.h"

using sinew::capi::Guard;
using sinew::capi::GuardWithWarning;

namespace {
constexpr mjModel* kNoModel = nullptr;

// Returns a model that was read from a file; throws for one that cannot be stepped.
mjModel* Checked(sinew::ModelPtr model) {
  if (const int id = sinew::FindSleeplessEquality(model.get()); id >= 0) {
    throw sinew::Error("Invalid model: equality " + std::to_string(id) + " does not support sleeping",
                       "deactivate it, or clear the flag 'sleep'");
  }
  return model.release();
}
}  // namespace

// Without `dest` a new model is made, which the caller frees; else the sizes of both must be equal.
mjModel* mj_copyModel(mjModel* dest, const mjModel* src) {
  SINEW_CHECK(mj_copyModel);
  return Guard("mj_copyModel", [&] { return sinew::CopyModel(dest, *src); });
}
// Copies what a scene reads; `dest` must have the same sizes.
void mjv_copyModel(mjModel* dest, const mjModel* src) {
  SINEW_CHECK(mjv_copyModel);
  Guard("mjv_copyModel", [&] { sinew::CopyModelForScene(dest, *src); });
}
void mj_deleteModel(mjModel* m) {
  Guard("mj_deleteModel", [&] { sinew::DeleteModel(m); });
}
mjtSize mj_sizeModel(const mjModel* m) {
  SINEW_CHECK(mj_sizeModel);
  return static_cast<mjtSize>(sinew::MjbSize(*m));
}

// A buffer that is too small is an error, a file that cannot be written only a warning, as MuJoCo 3.8.0 does.
void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz) {
  SINEW_CHECK(mj_saveModel);
  if (buffer) {
    Guard("mj_saveModel", [&] { sinew::WriteMjb(*m, buffer, buffer_sz < 0 ? 0 : static_cast<size_t>(buffer_sz)); });
  } else {
    GuardWithWarning("mj_saveModel", false,
                     [&] { return sinew::WriteMjbFile(*m, sinew::capi::Given("filename", filename)), true; });
  }
}
// Returns null, after a warning, for a file that is missing, damaged or of another version.
mjModel* mj_loadModel(const char* filename, const mjVFS* vfs) {
  return GuardWithWarning("mj_loadModel", kNoModel,
                          [&] { return Checked(sinew::ReadMjbFile(sinew::capi::Given("filename", filename), vfs)); });
}
mjModel* mj_loadModelBuffer(const void* buffer, int buffer_sz) {
  return GuardWithWarning("mj_loadModelBuffer", kNoModel, [&] {
    if (!buffer) throw sinew::Error("argument 'buffer' is null", "pass the content of an MJB file");
    return Checked(sinew::ReadMjb(buffer, buffer_sz < 0 ? 0 : static_cast<size_t>(buffer_sz)));
  });
}

// Returns the sum over all bodies [kg].
mjtNum mj_getTotalmass(const mjModel* m) {
  SINEW_CHECK(mj_getTotalmass);
  return sinew::TotalMass(*m);
}
// Scales all masses and inertias, so that their sum is `newmass` [kg]; constants follow by mj_setConst.
void mj_setTotalmass(mjModel* m, mjtNum newmass) {
  SINEW_CHECK(mj_setTotalmass);
  sinew::SetTotalMass(m, newmass);
}

void mj_defaultLROpt(mjLROpt* opt) {
  SINEW_CHECK(mj_defaultLROpt);
  sinew::DefaultLROpt(opt);
}
void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp) { sinew::DefaultSolRefImp(solref, solimp); }
void mj_defaultOption(mjOption* opt) {
  SINEW_CHECK(mj_defaultOption);
  sinew::DefaultOption(opt);
}
void mj_defaultVisual(mjVisual* vis) {
  SINEW_CHECK(mj_defaultVisual);
  sinew::DefaultVisual(vis);
}

// The version is that of the interface, MuJoCo 3.8.0; sinew_versionString returns that of this library.
int mj_version() { return mjVERSION_HEADER; }
const char* mj_versionString() { return "3.8.0"; }
