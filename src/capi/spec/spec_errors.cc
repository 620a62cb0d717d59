// Makes the texts of mjs_getError from errors of the compiler and the readers.
#include "capi/spec/spec_errors.h"

#include <initializer_list>
#include <string>
#include <vector>

#include "capi/boundary.h"
#include "capi/resources/python_warnings.h"
#include "compile/diagnose.h"
#include "core/error.h"
#include "core/handlers.h"
#include "core/trap.h"
#include "spec/traverse.h"

namespace sinew::capi {
namespace {

// An element without a name is found by its body.
std::string Describe(const Element& element, int id, const std::string& info) {
  const bool in_body = element.name.empty() && element.parent && element.parent->parent;
  return "\nElement name '" + element.name + "', id " + std::to_string(id) +
         (in_body ? ", in " + element.parent->Label() : "") + (info.empty() ? "" : ", " + info);
}

// The line about the element that stands at a place; empty when there is none. Ids are those that elements will have:
// the compiler may have failed before it gave them.
std::string DescribeElementAt(Spec& spec, const std::string& place) {
  std::string line;
  int ids[mjNOBJECT] = {};
  const auto visit = [&]<class T>(ElementList<T>& list) {
    if constexpr (T::kType < mjNOBJECT && T::kType != mjOBJ_BODY) {
      for (const auto& element : list) {
        const int id = ids[T::kType]++;
        if (line.empty() && Place(*element).element == place) line = Describe(*element, id, *element->info);
      }
    }
  };
  spec.ForEachList(visit);
  for (Body* body = &spec.world(); body && line.empty(); body = NextBody(spec.world(), body)) {
    const int id = ids[mjOBJ_BODY]++;
    if (Place(*body).element == place) line = Describe(*body, id, *body->info);
    body->ForEachList(visit);
  }
  return line;
}

}  // namespace

// Errors of files and of a program's own elements look different: the former have a line, the latter a name and an id.
void KeepSpecError(Spec& spec, const std::exception& exception) {
  const auto* error = dynamic_cast<const Error*>(&exception);
  const bool from_file = error && (!error->where().file.empty() || error->where().line > 0);
  if (!error || from_file) {
    spec.message = error ? TextWithLine(*error) : exception.what();
    return;
  }
  spec.message = "Error: " + error->problem();
  if (!error->where().element.empty()) spec.message += DescribeElementAt(spec, error->where().element);
  if (!error->remedy().empty()) spec.message += "\n" + error->remedy();
  for (const Error& other : error->others()) spec.message += std::string("\n") + other.what();
}

namespace {

// The warnings of the compilation that ended last in this thread. They outlive the handlers that receive them, which
// may leave by longjmp.
thread_local std::vector<std::string> collected;

}  // namespace

std::string CollectWarnings(const Spec& spec, const std::function<void()>& compile) {
  std::vector<std::string> warnings;
  {
    const WarningCollector collector(&warnings);
    compile();
  }
  std::string text;
  for (const auto* from : std::initializer_list<const std::vector<std::string>*>{&spec.warnings, &warnings}) {
    for (const std::string& warning : *from) text += (text.empty() ? "" : "\n") + warning;
  }
  collected = spec.warnings;
  collected.insert(collected.end(), warnings.begin(), warnings.end());
  return text;
}

void ForgetCollected() { collected.clear(); }

void ReportCollected() {
  for (size_t i = 0; HasWarningHandler() && i < collected.size(); ++i) ReportWarning(collected[i].c_str());
}

const char* RefusedByPython() {
  if (HasWarningHandler()) return nullptr;
  for (const std::string& warning : collected) {
    if (!WarnInPython(warning.c_str())) return warning.c_str();
  }
  return nullptr;
}

bool TellPython(Spec& spec) {
  if (!spec.is_warning || HasWarningHandler() || !HasPython()) return true;
  const char* refused = RefusedByPython();
  spec.message = refused ? refused : "";
  spec.is_warning = false;
  return !refused;
}

}  // namespace sinew::capi
