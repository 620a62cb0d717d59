#include "spec/stand_in.h"

#include <algorithm>
#include <cstring>

namespace sinew {
namespace {

// Whether two specifications agree in what elements need of those that they were written for. Bytes between fields may
// differ too, which costs a stand-in more.
bool HaveSameSettings(const mjSpec& a, const mjSpec& b) {
  mjsCompiler fields_a = a.compiler, fields_b = b.compiler;
  fields_a.meshdir = fields_b.meshdir = nullptr;
  fields_a.texturedir = fields_b.texturedir = nullptr;
  return *a.modelname == *b.modelname && *a.modelfiledir == *b.modelfiledir && a.strippath == b.strippath &&
         *a.compiler.meshdir == *b.compiler.meshdir && *a.compiler.texturedir == *b.compiler.texturedir &&
         std::memcmp(&fields_a, &fields_b, sizeof(mjsCompiler)) == 0;
}

}  // namespace

Spec& StandInFor(const Spec& original, Spec& dest) {
  for (const auto& stand_in : dest.stand_ins) {
    if (HaveSameSettings(*stand_in, original)) return *stand_in;
  }
  Spec& stand_in = *dest.stand_ins.emplace_back(std::make_unique<Spec>());
  stand_in.CopySettings(original);
  stand_in.attached_to = &dest;
  dest.attached.push_back(&stand_in);
  return stand_in;
}

bool IsStandIn(const Spec& attached, const Spec& spec) {
  return std::any_of(spec.stand_ins.begin(), spec.stand_ins.end(),
                     [&](const auto& stand_in) { return stand_in.get() == &attached; });
}

}  // namespace sinew
