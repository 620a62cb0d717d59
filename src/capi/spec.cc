// Specifications: life, elements by name and in order, what elements know of themselves.
#include "spec/spec.h"

#include <mujoco/mujoco.h>

#include "capi/boundary.h"
#include "plugin/registry.h"
#include "spec/traverse.h"

using sinew::As;
using sinew::Body;
using sinew::Default;
using sinew::Element;
using sinew::Frame;
using sinew::Spec;
using sinew::capi::Guard;

namespace {

Spec& Of(mjSpec* s) { return *static_cast<Spec*>(s); }
Element& Of(mjsElement* element) { return *static_cast<Element*>(element); }
Body& Of(mjsBody* body) { return *static_cast<Body*>(body); }

mjsElement* Public(Element* element) { return element; }

// The public struct of an element, null for null.
template <class T>
typename T::PublicStruct* PublicStruct(T* element) {
  return element;
}

}  // namespace

// ---- life

mjSpec* mj_makeSpec() {
  return Guard("mj_makeSpec", []() -> mjSpec* { return new Spec; });
}
void mj_deleteSpec(mjSpec* s) {
  if (s) delete &Of(s);
}
const char* mjs_getError(mjSpec* s) { return Of(s).message.c_str(); }
int mjs_isWarning(mjSpec* s) { return Of(s).is_warning; }

int mjs_activatePlugin(mjSpec* s, const char* name) {
  return Guard("mjs_activatePlugin", [=] {
    const int slot = sinew::FindPlugin(name);
    if (slot < 0) return -1;
    Of(s).active_plugins.insert(slot);
    return 0;
  });
}

// ---- elements by name

mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name) {
  return Guard("mjs_findElement", [=] { return Public(Of(s).Find(type, name)); });
}
mjsBody* mjs_findBody(mjSpec* s, const char* name) {
  return Guard("mjs_findBody", [=] { return PublicStruct(Of(s).Find<Body>(name)); });
}
mjsFrame* mjs_findFrame(mjSpec* s, const char* name) {
  return Guard("mjs_findFrame", [=] { return PublicStruct(Of(s).Find<Frame>(name)); });
}
mjsBody* mjs_findChild(mjsBody* body, const char* name) {
  return Guard("mjs_findChild", [=]() -> mjsBody* {
    Body& root = Of(body);
    for (Body* child = NextBody(root, &root); child; child = NextBody(root, child)) {
      if (child->name == name) return child;
    }
    return nullptr;
  });
}
mjsDefault* mjs_findDefault(mjSpec* s, const char* classname) {
  return PublicStruct(Of(s).main_class().Find(classname));
}
mjsDefault* mjs_getSpecDefault(mjSpec* s) { return &Of(s).main_class(); }

// ---- elements in order

mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse) {
  return Public(FirstChild(Of(body), type, recurse != 0));
}
mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse) {
  return Public(NextChild(Of(body), Of(child), recurse != 0));
}
mjsElement* mjs_firstElement(mjSpec* s, mjtObj type) { return Public(FirstElement(Of(s), type)); }
mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element) { return Public(NextElement(Of(s), Of(element))); }

// ---- what an element knows

mjSpec* mjs_getSpec(mjsElement* element) { return Of(element).spec; }
mjsCompiler* mjs_getCompiler(mjsElement* element) { return &static_cast<mjSpec*>(Of(element).spec)->compiler; }
mjsBody* mjs_getParent(mjsElement* element) { return PublicStruct(Of(element).parent); }
mjsFrame* mjs_getFrame(mjsElement* element) { return PublicStruct(Of(element).frame); }
mjsDefault* mjs_getDefault(mjsElement* element) {
  return PublicStruct(const_cast<Default*>(Of(element).default_class));
}
int mjs_getId(mjsElement* element) { return element ? Of(element).id : -1; }
mjString* mjs_getName(mjsElement* element) { return &Of(element).name; }

int mjs_setName(mjsElement* element, const char* name) {
  return Guard("mjs_setName", [=] { return Of(element).spec->SetName(Of(element), name) ? 0 : -1; });
}
void mjs_setDefault(mjsElement* element, const mjsDefault* def) {
  Of(element).default_class = static_cast<const Default*>(def);
}
int mjs_setFrame(mjsElement* dest, mjsFrame* frame) {
  Element& moved = Of(dest);
  Frame* target = static_cast<Frame*>(frame);
  // A frame cannot stand in itself or in one that stands in it.
  for (const Frame* outer = target; outer; outer = outer->frame) {
    if (outer == &moved) return -1;
  }
  if (target && target->parent != moved.parent) return -1;
  moved.frame = target;
  return 0;
}

// ---- values of programs

void mjs_setUserValue(mjsElement* element, const char* key, const void* data) {
  mjs_setUserValueWithCleanup(element, key, data, nullptr);
}
void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data, void (*cleanup)(const void*)) {
  Guard("mjs_setUserValueWithCleanup", [=] {
    const auto clean = [cleanup](const void* value) {
      if (cleanup) cleanup(value);
    };
    Of(element).user_values.insert_or_assign(key, std::shared_ptr<const void>(data, clean));
  });
}
const void* mjs_getUserValue(mjsElement* element, const char* key) {
  const auto& values = Of(element).user_values;
  const auto found = values.find(std::string_view(key));
  return found == values.end() ? nullptr : found->second.get();
}
void mjs_deleteUserValue(mjsElement* element, const char* key) {
  auto& values = Of(element).user_values;
  const auto found = values.find(std::string_view(key));
  if (found != values.end()) values.erase(found);
}
