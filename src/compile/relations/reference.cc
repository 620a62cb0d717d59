#include "compile/relations/reference.h"

#include "compile/diagnose.h"
#include "core/error.h"

namespace sinew::inline compile {

int RequireId(const std::string& attribute, const Spec& spec, mjtObj type, const std::string& name) {
  try {
    return Require(spec, type, name).id;
  } catch (const Error& error) {
    throw Error(attribute + ": " + error.problem(), error.remedy(), error.where());
  }
}

}  // namespace sinew::inline compile
