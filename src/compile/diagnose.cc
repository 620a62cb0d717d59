// Words for errors of the compiler: where an element stands, what was probably meant by a name that does not exist, and
// what a limit flag means.
#include "compile/diagnose.h"

#include "core/suggest.h"

namespace sinew::inline compile {
namespace {

// A model with more errors than this has one in common, and hostile ones would take long to list.
constexpr size_t kMaxErrors = 100;
constexpr size_t kMaxNames = 2000;

// Comparing with very many names would take long, and is of no use.
std::string_view NearestName(const Spec& spec, mjtObj type, const std::string& name) {
  const std::vector<std::string_view> known = spec.NamesInOrder(type);
  return known.size() > kMaxNames ? std::string_view() : Nearest(name, known);
}

}  // namespace

SourceLocation Place(const Element& element) {
  SourceLocation location = element.where;
  if (!location.element.empty()) return location;
  location.element = element.Label();
  for (const Body* body = element.parent; body && body->parent; body = body->parent) {
    location.element = body->Label() + " / " + location.element;
  }
  return location;
}

Error OutOfMemory() {
  return Error("there is not enough memory", "make the model smaller, or give the process more memory");
}

void ErrorList::Add(Error error) {
  errors_.push_back(std::move(error));
  if (errors_.size() == kMaxErrors) Throw();
}

void ErrorList::Throw() {
  if (!errors_.empty()) throw Error::Join(std::move(errors_));
}

// An empty name is a reference that was never given.
Element& Require(const Spec& spec, mjtObj type, const std::string& name) {
  Element* found = spec.Find(type, name);
  if (!found) {
    const std::string kind = TypeName(type);
    if (name.empty()) throw Error(kind + " is missing", "name one");
    const std::string nearest(NearestName(spec, type, name));
    throw Error(kind + " '" + name + "' does not exist",
                nearest.empty() ? "define it or correct the name" : "did you mean '" + nearest + "'?");
  }
  return *found;
}

int OptionalId(const Spec& spec, mjtObj type, const std::string& name) {
  return name.empty() ? -1 : Require(spec, type, name).id;
}

bool IsLimited(int flag, const double range[2], const mjsCompiler& compiler, const char* what) {
  if (flag != mjLIMITED_AUTO) return flag == mjLIMITED_TRUE;
  if (!compiler.autolimits && (range[0] != 0 || range[1] != 0)) {
    throw Error(std::string(what) + " has a range but no flag that says whether it applies",
                "set the flag, set autolimits=\"true\" of the compiler, or remove the range");
  }
  return range[0] < range[1];
}

bool CheckedLimit(int flag, const double range[2], const mjsCompiler& compiler, const char* what) {
  const bool limited = IsLimited(flag, range, compiler, what);
  if (limited && !(range[0] < range[1])) {
    throw Error(std::string(what) + " is limited to an empty range", "make range[0] smaller than range[1]");
  }
  return limited;
}

}  // namespace sinew::inline compile
