// Edits of specifications: copies, attaching, deleting, compiling again while a simulation goes on, and what can be
// resolved before compilation. Failures leave a text in the specification (mjs_getError).
#include <mujoco/mujoco.h>

#include <cstring>

#include "capi/arguments.h"
#include "capi/spec/spec_errors.h"
#include "capi/spec/spec_handles.h"
#include "compile/copy_back/recompile.h"
#include "compile/passes.h"
#include "plugin/registry.h"
#include "spec/attach.h"
#include "spec/edit.h"
#include "spec/orientation.h"

using sinew::Body;
using sinew::Element;
using sinew::Error;
using sinew::Sensor;
using sinew::Spec;
using sinew::capi::Guard;
using sinew::capi::Of;
using sinew::capi::Text;
using sinew::capi::WithMessage;

// ---- copies and attaching

mjSpec* mj_copySpec(const mjSpec* s) {
  SINEW_CHECK(mj_copySpec);
  return Guard("mj_copySpec", [=]() -> mjSpec* { return sinew::CopySpec(Of(s)).release(); });
}

// A deep copy makes attached elements independent of where they came from.
int mjs_setDeepCopy(mjSpec* s, int deepcopy) {
  SINEW_CHECK(mjs_setDeepCopy);
  return Guard("mjs_setDeepCopy", [=] {
    Of(s).deep_copy = deepcopy != 0;
    return 0;
  });
}

// Names of what is attached get the prefix and suffix, so that a part can be attached several times.
mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix, const char* suffix) {
  SINEW_CHECK(mjs_attach);
  mjSpec* s = Guard("mjs_attach", [=]() -> mjSpec* { return Of(parent).spec; });
  if (!s) return nullptr;
  return WithMessage<mjsElement*>("mjs_attach", s, nullptr, [=]() -> mjsElement* {
    const sinew::Affixes affixes = {prefix ? prefix : "", suffix ? suffix : ""};
    return &Attach(Of(parent), Of(child), affixes, Of(s).deep_copy);
  });
}

mjSpec* mjs_findSpec(mjSpec* spec, const char* name) {
  SINEW_CHECK(mjs_findSpec);
  return Guard("mjs_findSpec", [=]() -> mjSpec* { return FindSpec(Of(spec), Text(name)); });
}

// ---- edits

int mjs_delete(mjSpec* spec, mjsElement* element) {
  SINEW_CHECK(mjs_delete);
  return WithMessage("mjs_delete", spec, -1, [=] {
    if (!element) throw Error("the element is null");
    Delete(Of(spec), *static_cast<Element*>(element));
    return 0;
  });
}

// The handle of the body is cleared, since its element is gone.
mjsFrame* mjs_bodyToFrame(mjsBody** body) {
  SINEW_CHECK(mjs_bodyToFrame);
  mjSpec* s = Guard("mjs_bodyToFrame", [=]() -> mjSpec* { return Of<Body>(body ? *body : nullptr).spec; });
  if (!s) return nullptr;
  return WithMessage<mjsFrame*>("mjs_bodyToFrame", s, nullptr, [=]() -> mjsFrame* {
    mjsFrame* frame = &BodyToFrame(Of<Body>(*body));
    *body = nullptr;
    return frame;
  });
}

// The state of the simulation is kept for all elements that still exist (compile/copy_back/recompile.h).
int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d) {
  SINEW_CHECK(mj_recompile);
  sinew::capi::ForgetCollected();
  const int status = WithMessage("mj_recompile", s, -1, [=] {
    if (!m || !d) throw Error("there is no model or no data", "make them with mj_compile and mj_makeData");
    Spec& spec = Of(s);
    spec.message = sinew::capi::CollectWarnings(spec, [&] { Recompile(spec, vfs, m, d); });
    spec.is_warning = !spec.message.empty();
    return 0;
  });
  if (status != 0) return status;
  sinew::capi::ReportCollected();
  return sinew::capi::TellPython(Of(s)) ? 0 : -1;
}

// ---- what is known before compilation

// Returns null, or a text that says what is wrong; the text lives until the next call in this thread.
const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence,
                                   const mjsOrientation* orientation) {
  SINEW_CHECK(mjs_resolveOrientation);
  static thread_local std::string problem;
  return Guard("mjs_resolveOrientation", [=]() -> const char* {
    mjsCompiler settings = {};
    settings.degree = degree;
    if (std::strlen(Text(sequence)) != 3) return "the Euler sequence does not have three letters";
    std::memcpy(settings.eulerseq, sequence, sizeof(settings.eulerseq));
    try {
      StoreQuat(sinew::Orientation(quat, *orientation, settings), quat);
      return nullptr;
    } catch (const Error& error) {
      problem = error.what();
      return problem.c_str();
    }
  });
}

// Depends on the type of the sensor and on what it is attached to.
int mjs_sensorDim(const mjsSensor* sensor) {
  SINEW_CHECK(mjs_sensorDim);
  mjSpec* s = Guard("mjs_sensorDim", [=]() -> mjSpec* { return Of<Sensor>(sensor).spec; });
  return s ? WithMessage("mjs_sensorDim", s, 0, [=] { return SensorDim(Of<Sensor>(sensor)); }) : 0;
}

int mjs_activatePlugin(mjSpec* s, const char* name) {
  SINEW_CHECK(mjs_activatePlugin);
  return WithMessage("mjs_activatePlugin", s, -1, [=] {
    const int slot = sinew::FindPlugin(Text(name));
    if (slot < 0) {
      throw Error("plugin '" + std::string(name) + "' is not registered",
                  "load its library with mj_loadPluginLibrary first");
    }
    Of(s).active_plugins.insert(slot);
    return 0;
  });
}
