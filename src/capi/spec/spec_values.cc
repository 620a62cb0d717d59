// Texts, arrays and paths of specifications for programs that cannot reach into C++ containers. All functions copy what
// they are given.
#include <mujoco/mujoco.h>

#include <cstddef>
#include <map>
#include <string>

#include "capi/arguments.h"
#include "capi/spec/spec_handles.h"
#include "mjcf/numbers.h"
#include "spec/spec.h"

using sinew::capi::Guard;
using sinew::capi::Of;

// ---- texts

void mjs_setString(mjString* dest, const char* text) {
  SINEW_CHECK(mjs_setString);
  Guard("mjs_setString", [=] { *dest = text; });
}
// Words are separated by blanks.
void mjs_setStringVec(mjStringVec* dest, const char* text) {
  SINEW_CHECK(mjs_setStringVec);
  Guard("mjs_setStringVec", [=] { *dest = sinew::mjcf::Words(text); });
}
// The result is 1 when the list has such a place, else 0.
mjtByte mjs_setInStringVec(mjStringVec* dest, int i, const char* text) {
  SINEW_CHECK(mjs_setInStringVec);
  if (i < 0 || static_cast<std::size_t>(i) >= dest->size()) return 0;
  return Guard("mjs_setInStringVec", [=]() -> mjtByte {
    (*dest)[static_cast<std::size_t>(i)] = text;
    return 1;
  });
}
void mjs_appendString(mjStringVec* dest, const char* text) {
  SINEW_CHECK(mjs_appendString);
  Guard("mjs_appendString", [=] { dest->emplace_back(text); });
}
// The text stays valid until the string is set again, or its element is deleted.
const char* mjs_getString(const mjString* source) {
  SINEW_CHECK(mjs_getString);
  return source->c_str();
}

// ---- arrays

// Bytes and numbers are copied; null is an array without elements.
void mjs_setBuffer(mjByteVec* dest, const void* array, int size) {
  SINEW_CHECK(mjs_setBuffer);
  const auto* bytes = static_cast<const std::byte*>(array);
  Guard("mjs_setBuffer", [=] { dest->assign(bytes, bytes + size); });
}
void mjs_setInt(mjIntVec* dest, const int* array, int size) {
  SINEW_CHECK(mjs_setInt);
  Guard("mjs_setInt", [=] { dest->assign(array, array + size); });
}
void mjs_setFloat(mjFloatVec* dest, const float* array, int size) {
  SINEW_CHECK(mjs_setFloat);
  Guard("mjs_setFloat", [=] { dest->assign(array, array + size); });
}
void mjs_setDouble(mjDoubleVec* dest, const double* array, int size) {
  SINEW_CHECK(mjs_setDouble);
  Guard("mjs_setDouble", [=] { dest->assign(array, array + size); });
}
void mjs_appendIntVec(mjIntVecVec* dest, const int* array, int size) {
  SINEW_CHECK(mjs_appendIntVec);
  Guard("mjs_appendIntVec", [=] { dest->emplace_back(array, array + size); });
}
void mjs_appendFloatVec(mjFloatVecVec* dest, const float* array, int size) {
  SINEW_CHECK(mjs_appendFloatVec);
  Guard("mjs_appendFloatVec", [=] { dest->emplace_back(array, array + size); });
}
// The array stays valid until the vector is set again.
const double* mjs_getDouble(const mjDoubleVec* source, int* size) {
  SINEW_CHECK(mjs_getDouble);
  if (size) *size = static_cast<int>(source->size());
  return source->data();
}

// ---- paths of tendons

// Objects of a path are counted from 0.
int mjs_getWrapNum(const mjsTendon* tendonspec) {
  SINEW_CHECK(mjs_getWrapNum);
  return Guard("mjs_getWrapNum", [=] { return static_cast<int>(Of<sinew::Tendon>(tendonspec).path.size()); });
}
mjsWrap* mjs_getWrap(const mjsTendon* tendonspec, int i) {
  SINEW_CHECK(mjs_getWrap);
  return Guard("mjs_getWrap", [=]() -> mjsWrap* {
    const auto& path = Of<sinew::Tendon>(tendonspec).path;
    if (i < 0 || static_cast<std::size_t>(i) >= path.size()) throw sinew::Error("the path has no such object");
    return path[static_cast<std::size_t>(i)].get();
  });
}
// The element is looked up by its name at the time of the call.
mjsElement* mjs_getWrapTarget(mjsWrap* wrap) {
  SINEW_CHECK(mjs_getWrapTarget);
  return Guard("mjs_getWrapTarget", [=]() -> mjsElement* {
    const auto& object = Of<sinew::Wrap>(wrap);
    switch (object.type) {
      case mjWRAP_JOINT:
        return object.spec->Find(mjOBJ_JOINT, object.target);
      case mjWRAP_SITE:
        return object.spec->Find(mjOBJ_SITE, object.target);
      case mjWRAP_SPHERE:
      case mjWRAP_CYLINDER:
        return object.spec->Find(mjOBJ_GEOM, object.target);
      default:
        return nullptr;
    }
  });
}
// A side site chooses around which side of a geom the tendon goes.
mjsSite* mjs_getWrapSideSite(mjsWrap* wrap) {
  SINEW_CHECK(mjs_getWrapSideSite);
  return Guard("mjs_getWrapSideSite", [=]() -> mjsSite* {
    const auto& object = Of<sinew::Wrap>(wrap);
    return object.sidesite.empty() ? nullptr : object.spec->Find<sinew::Site>(object.sidesite);
  });
}
// Divisor and coefficient are one number, whose meaning is that of the type.
double mjs_getWrapDivisor(mjsWrap* wrap) {
  SINEW_CHECK(mjs_getWrapDivisor);
  return Guard("mjs_getWrapDivisor", [=] { return Of<sinew::Wrap>(wrap).value; });
}
double mjs_getWrapCoef(mjsWrap* wrap) {
  SINEW_CHECK(mjs_getWrapCoef);
  return Guard("mjs_getWrapCoef", [=] { return Of<sinew::Wrap>(wrap).value; });
}

// ---- attributes of plugins

// A plugin's struct may stand alone or inside the struct of an element that uses it; its element is the instance.
void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes) {
  SINEW_CHECK(mjs_setPluginAttributes);
  using Attributes = std::map<std::string, std::string, std::less<>>;
  Guard("mjs_setPluginAttributes", [=] {
    sinew::Plugin* instance = sinew::As<sinew::Plugin>(plugin->element);
    if (!instance) throw sinew::Error("the plugin has no instance", "add one with mjs_addPlugin");
    if (!attributes) throw sinew::Error("the attributes are null", "give an empty set for none");
    instance->config = *static_cast<const Attributes*>(attributes);
  });
}
const void* mjs_getPluginAttributes(const mjsPlugin* plugin) {
  SINEW_CHECK(mjs_getPluginAttributes);
  const sinew::Plugin* instance = sinew::As<sinew::Plugin>(plugin->element);
  return instance ? &instance->config : nullptr;
}
