#include "compile/diagnose.h"

namespace sinew {

SourceLocation Place(const Element& element) {
  SourceLocation place = element.where;
  if (!place.element.empty()) return place;
  place.element = element.Label();
  for (const Body* body = element.parent; body && body->parent; body = body->parent) {
    place.element = body->Label() + " / " + place.element;
  }
  return place;
}

Element& Require(const Spec& spec, mjtObj type, const std::string& name) {
  Element* found = spec.Find(type, name);
  if (!found) {
    const std::string kind = TypeName(type);
    if (name.empty()) throw Error(kind + " is missing", "name one");
    throw Error(kind + " '" + name + "' does not exist", "define it or correct the name");
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

}  // namespace sinew
