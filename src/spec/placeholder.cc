#include "spec/placeholder.h"

#include <algorithm>
#include <cstring>

namespace sinew::inline spec {
namespace {

// Whether two specifications have the same settings that elements depend on. Padding between fields is compared, too:
// where it differs, one placeholder more is made, which is harmless.
bool HaveSameSettings(const mjSpec& a, const mjSpec& b) {
  mjsCompiler fields_a = a.compiler, fields_b = b.compiler;
  fields_a.meshdir = fields_b.meshdir = nullptr;
  fields_a.texturedir = fields_b.texturedir = nullptr;
  return *a.modelname == *b.modelname && *a.modelfiledir == *b.modelfiledir && a.strippath == b.strippath &&
         *a.compiler.meshdir == *b.compiler.meshdir && *a.compiler.texturedir == *b.compiler.texturedir &&
         std::memcmp(&fields_a, &fields_b, sizeof(mjsCompiler)) == 0;
}

}  // namespace

Spec& PlaceholderFor(const Spec& original, Spec& dest) {
  for (const auto& placeholder : dest.placeholders) {
    if (placeholder->level == original.level && HaveSameSettings(*placeholder, original)) return *placeholder;
  }
  Spec& placeholder = *dest.placeholders.emplace_back(std::make_unique<Spec>());
  placeholder.CopySettings(original);
  placeholder.attached_to = &dest;
  dest.attached.push_back(&placeholder);
  return placeholder;
}

bool IsPlaceholder(const Spec& attached, const Spec& spec) {
  return std::any_of(spec.placeholders.begin(), spec.placeholders.end(),
                     [&](const auto& placeholder) { return placeholder.get() == &attached; });
}

}  // namespace sinew::inline spec
