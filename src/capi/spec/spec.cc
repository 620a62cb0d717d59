// Specifications (mjSpec): their life, elements by name and in order, and properties of elements. Handles are
// pointers to public structs; capi/spec/spec_handles.h checks them.
#include <mujoco/mujoco.h>

#include <string>

#include "capi/arguments.h"
#include "capi/spec/spec_errors.h"
#include "capi/spec/spec_handles.h"
#include "core/path.h"
#include "spec/attach.h"
#include "spec/traverse.h"

using sinew::Body;
using sinew::Default;
using sinew::Element;
using sinew::Error;
using sinew::Frame;
using sinew::Spec;
using sinew::capi::Guard;
using sinew::capi::KeepSpecError;
using sinew::capi::Of;
using sinew::capi::Text;

namespace {

mjsElement* Public(Element* element) { return element; }

// The public struct of an element, null for null.
template <class T>
typename T::PublicStruct* PublicStruct(T* element) {
  return element;
}

// ---- assets without a name

// The compiler calls an asset without a name like its file, without folders and extension.
bool IsCalledLikeFile(const Element& asset, std::string_view file, std::string_view name) {
  const std::string_view stem = sinew::Stem(file);
  return asset.name.empty() && !stem.empty() && stem == name;
}

// The kinds of assets whose names may follow from files.
Element* FindUnnamed(Spec& spec, mjtObj type, std::string_view name) {
  Element* found = nullptr;
  const auto search = [&]<class T>(const sinew::ElementList<T>& list) {
    for (const auto& asset : list) {
      if (!found && T::kType == type && IsCalledLikeFile(*asset, *asset->file, name)) found = asset.get();
    }
  };
  search(spec.List<sinew::Mesh>());
  search(spec.List<sinew::HField>());
  search(spec.List<sinew::Skin>());
  search(spec.List<sinew::Texture>());
  return found;
}

// ---- elements of a specification that is attached to another one: they stand there, and still count as its own

bool BelongsTo(const Element& element, const Spec& spec) {
  for (const Spec* home = element.home; home; home = home->attached_to) {
    if (home == &spec) return true;
  }
  return false;
}

// Specifications can be attached within others that are attached themselves.
Spec& Outermost(Spec& spec) { return spec.attached_to ? Outermost(*spec.attached_to) : spec; }

// Elements of the outer specification that are not of this one are passed over.
Element* SkipOthers(Spec& outermost, Element* element, const Spec& spec) {
  while (element && !BelongsTo(*element, spec)) element = NextElement(outermost, *element);
  return element;
}

Element* FirstOf(Spec& spec, mjtObj type) {
  if (!spec.attached_to || type == mjOBJ_BODY) return FirstElement(spec, type);
  return SkipOthers(Outermost(spec), FirstElement(Outermost(spec), type), spec);
}

// The body of the inner specification's world does not exist in the outer one: the search goes on from the outer world.
Element* NextOf(Spec& spec, Element& element) {
  if (!spec.attached_to) return NextElement(spec, element);
  Spec& outermost = Outermost(spec);
  Element& last = &element == &spec.world() ? outermost.world() : element;
  return SkipOthers(outermost, NextElement(outermost, last), spec);
}

}  // namespace

// ---- life

mjSpec* mj_makeSpec() {
  return Guard("mj_makeSpec", []() -> mjSpec* { return new Spec; });
}
void mj_deleteSpec(mjSpec* s) {
  if (s) sinew::Release(static_cast<Spec*>(s));
}
// The text is that of the last error or warning; it is empty when there was none.
const char* mjs_getError(mjSpec* s) {
  SINEW_CHECK(mjs_getError);
  return Guard("mjs_getError", [=] { return Of(s).message.c_str(); });
}
int mjs_isWarning(mjSpec* s) {
  SINEW_CHECK(mjs_isWarning);
  return Guard("mjs_isWarning", [=]() -> int { return Of(s).is_warning; });
}

// ---- elements by name

mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name) {
  SINEW_CHECK(mjs_findElement);
  return Guard("mjs_findElement", [=] {
    Element* found = Of(s).Find(type, Text(name));
    return Public(found ? found : FindUnnamed(Of(s), type, name));
  });
}
// Bodies and frames have functions of their own because they return the public struct.
mjsBody* mjs_findBody(mjSpec* s, const char* name) {
  SINEW_CHECK(mjs_findBody);
  return Guard("mjs_findBody", [=] { return PublicStruct(Of(s).Find<Body>(Text(name))); });
}
mjsFrame* mjs_findFrame(mjSpec* s, const char* name) {
  SINEW_CHECK(mjs_findFrame);
  return Guard("mjs_findFrame", [=] { return PublicStruct(Of(s).Find<Frame>(Text(name))); });
}
// The search is over all descendants, in depth-first order.
mjsBody* mjs_findChild(mjsBody* body, const char* name) {
  SINEW_CHECK(mjs_findChild);
  return Guard("mjs_findChild", [=]() -> mjsBody* {
    Body& root = Of<Body>(body);
    const std::string_view wanted = Text(name);
    for (Body* child = NextBody(root, &root); child; child = NextBody(root, child)) {
      if (child->name == wanted) return child;
    }
    return nullptr;
  });
}
mjsDefault* mjs_findDefault(mjSpec* s, const char* classname) {
  SINEW_CHECK(mjs_findDefault);
  return Guard("mjs_findDefault", [=] { return PublicStruct(Of(s).main_class().Find(Text(classname))); });
}
mjsDefault* mjs_getSpecDefault(mjSpec* s) {
  SINEW_CHECK(mjs_getSpecDefault);
  return Guard("mjs_getSpecDefault", [=] { return PublicStruct(&Of(s).main_class()); });
}

// ---- elements in order

// Elements of a type in a body, or with `recurse` also in its descendants; null at the end.
mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse) {
  SINEW_CHECK(mjs_firstChild);
  return Guard("mjs_firstChild", [=] { return Public(FirstChild(Of<Body>(body), type, recurse != 0)); });
}
mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse) {
  SINEW_CHECK(mjs_nextChild);
  return Guard("mjs_nextChild", [=] { return Public(NextChild(Of<Body>(body), Of(child), recurse != 0)); });
}
mjsElement* mjs_firstElement(mjSpec* s, mjtObj type) {
  SINEW_CHECK(mjs_firstElement);
  return Guard("mjs_firstElement", [=] { return Public(FirstOf(Of(s), type)); });
}
mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element) {
  SINEW_CHECK(mjs_nextElement);
  return Guard("mjs_nextElement", [=] { return Public(NextOf(Of(s), Of(element))); });
}

// ---- properties of an element

mjSpec* mjs_getSpec(mjsElement* element) {
  SINEW_CHECK(mjs_getSpec);
  return Guard("mjs_getSpec", [=]() -> mjSpec* { return Of(element).spec; });
}
// Settings that an element was written under: those of the specification it came from. Null for what stands in none:
// the members of a class of defaults.
mjsCompiler* mjs_getCompiler(mjsElement* element) {
  SINEW_CHECK(mjs_getCompiler);
  return Guard("mjs_getCompiler", [=]() -> mjsCompiler* {
    mjSpec* home = Of(element).home;
    return home ? &home->compiler : nullptr;
  });
}
mjsBody* mjs_getParent(mjsElement* element) {
  SINEW_CHECK(mjs_getParent);
  return Guard("mjs_getParent", [=] { return PublicStruct(Of(element).parent); });
}
mjsFrame* mjs_getFrame(mjsElement* element) {
  SINEW_CHECK(mjs_getFrame);
  return Guard("mjs_getFrame", [=] { return PublicStruct(Of(element).frame); });
}
mjsDefault* mjs_getDefault(mjsElement* element) {
  SINEW_CHECK(mjs_getDefault);
  return Guard("mjs_getDefault", [=] { return PublicStruct(const_cast<Default*>(Of(element).default_class)); });
}
int mjs_getId(mjsElement* element) { return element ? static_cast<Element*>(element)->id : -1; }
mjString* mjs_getName(mjsElement* element) {
  SINEW_CHECK(mjs_getName);
  return Guard("mjs_getName", [=]() -> mjString* { return &Of(element).name; });
}

int mjs_setName(mjsElement* element, const char* name) {
  SINEW_CHECK(mjs_setName);
  return Guard("mjs_setName", [=] {
    Element& named = Of(element);
    if (named.spec->SetName(named, Text(name))) return 0;
    // the element bears the name nevertheless
    KeepSpecError(*named.spec, Error(std::string("repeated name '") + name + "' in " + sinew::TypeName(named.elemtype),
                                     "choose a name that no other has"));
    return -1;
  });
}
void mjs_setDefault(mjsElement* element, const mjsDefault* def) {
  SINEW_CHECK(mjs_setDefault);
  Guard("mjs_setDefault", [=] { Of(element).default_class = &Of<Default>(def); });
}
// A frame of another body would move the element to another parent, which this function does not do.
int mjs_setFrame(mjsElement* dest, mjsFrame* frame) {
  return Guard("mjs_setFrame", [=] {
    Element& moved = Of(dest);
    Frame* target = frame ? &Of<Frame>(frame) : nullptr;
    // A frame cannot stand in itself or in one that stands in it.
    for (const Frame* outer = target; outer; outer = outer->frame) {
      if (outer == &moved) return -1;
    }
    if (target && target->parent != moved.parent) return -1;
    moved.frame = target;
    return 0;
  });
}

// ---- values of programs

// Programs attach values to elements by a key; the library never reads them. A cleanup runs when the value is
// replaced or the element goes.

void mjs_setUserValue(mjsElement* element, const char* key, const void* data) {
  SINEW_CHECK(mjs_setUserValue);
  mjs_setUserValueWithCleanup(element, key, data, nullptr);
}
void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data, void (*cleanup)(const void*)) {
  SINEW_CHECK(mjs_setUserValueWithCleanup);
  Guard("mjs_setUserValueWithCleanup", [=] {
    const auto clean = [cleanup](const void* value) {
      if (cleanup) cleanup(value);
    };
    Of(element).user_values.insert_or_assign(Text(key), std::shared_ptr<const void>(data, clean));
  });
}
const void* mjs_getUserValue(mjsElement* element, const char* key) {
  SINEW_CHECK(mjs_getUserValue);
  return Guard("mjs_getUserValue", [=]() -> const void* {
    const auto& values = Of(element).user_values;
    const auto found = values.find(std::string_view(Text(key)));
    return found == values.end() ? nullptr : found->second.get();
  });
}
void mjs_deleteUserValue(mjsElement* element, const char* key) {
  SINEW_CHECK(mjs_deleteUserValue);
  Guard("mjs_deleteUserValue", [=] {
    auto& values = Of(element).user_values;
    const auto found = values.find(std::string_view(Text(key)));
    if (found != values.end()) values.erase(found);
  });
}
