// From a specification to a model and back, and the constants that follow from a model's numbers. Errors of a
// specification are kept with it; functions without one fill the caller's buffer.
#include <mujoco/mujoco.h>

#include <cstdio>
#include <exception>
#include <string>
#include <utility>

#include "capi/arguments.h"
#include "capi/boundary.h"
#include "capi/objects/last_spec.h"
#include "capi/spec/spec_errors.h"
#include "compile/compile.h"
#include "compile/constants/length_range.h"
#include "compile/constants/set_const.h"
#include "compile/copy_back/copy_back.h"
#include "core/error.h"
#include "read/read_xml.h"
#include "spec/spec.h"

using sinew::capi::Guard;
using sinew::capi::GuardWithText;

// The text of an error stays with the specification, where mjs_getError finds it.
mjModel* mj_compile(mjSpec* s, const mjVFS* vfs) {
  SINEW_CHECK(mj_compile);
  auto& spec = *static_cast<sinew::Spec*>(s);
  sinew::capi::ForgetCollected();
  mjModel* compiled = Guard("mj_compile", [&]() -> mjModel* {
    spec.message.clear();
    spec.is_warning = false;
    try {
      mjModel* model = nullptr;
      spec.message = sinew::capi::CollectWarnings(spec, [&] { model = sinew::Compile(spec, vfs).release(); });
      spec.is_warning = !spec.message.empty();
      return model;
    } catch (const std::exception& error) {
      sinew::capi::KeepSpecError(spec, error);
      return nullptr;
    }
  });
  if (!compiled) return nullptr;
  sinew::capi::ReportCollected();
  if (sinew::capi::TellPython(spec)) return compiled;
  mj_deleteModel(compiled);
  return nullptr;
}

// The specification is kept for mj_saveLastXML, as the function has no place to return it.
mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  sinew::capi::ForgetCollected();
  mjModel* loaded = GuardWithText<mjModel*>("mj_loadXML", error, error_sz, nullptr, [=] {
    sinew::capi::KeepLastSpec(nullptr);
    auto spec = sinew::ReadXml(sinew::capi::Given("filename", filename), vfs);
    mjModel* model = nullptr;
    const std::string warnings =
        sinew::capi::CollectWarnings(*spec, [&] { model = sinew::Compile(*spec, vfs).release(); });
    // A text beside a model is a warning.
    if (error && error_sz > 0) std::snprintf(error, static_cast<std::size_t>(error_sz), "%s", warnings.c_str());
    sinew::capi::KeepLastSpec(std::move(spec));
    return model;
  });
  if (!loaded) return nullptr;
  sinew::capi::ReportCollected();
  const char* refused = sinew::capi::RefusedByPython();
  if (!refused) return loaded;
  if (error && error_sz > 0) std::snprintf(error, static_cast<std::size_t>(error_sz), "%s", refused);
  mj_deleteModel(loaded);
  return nullptr;
}

// Returns 1 if the model was compiled from this specification, else 0 with a message in it.
int mj_copyBack(mjSpec* s, const mjModel* m) {
  SINEW_CHECK(mj_copyBack);
  auto& spec = *static_cast<sinew::Spec*>(s);
  return Guard("mj_copyBack", [&] {
    spec.message.clear();
    spec.is_warning = false;
    try {
      sinew::CopyBack(*m, spec);
      return 1;
    } catch (const std::exception& error) {
      spec.message = error.what();
      return 0;
    }
  });
}

// Call it after changing masses, inertias or the reference configuration of a model.
void mj_setConst(mjModel* m, mjData* d) {
  SINEW_CHECK(mj_setConst);
  Guard("mj_setConst", [=] { sinew::SetConst(m, d); });
}

// Only an actuator that the options select is measured, which simulates it in `d` for some seconds.
int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error, int error_sz) {
  SINEW_CHECK(mj_setLengthRange);
  return GuardWithText<int>("mj_setLengthRange", error, error_sz, 0, [=] {
    if (index < 0 || index >= m->nu) throw sinew::Error("there is no actuator of this number");
    sinew::SetLengthRange(m, d, index, *opt);
    return 1;
  });
}
