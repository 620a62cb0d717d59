// Placeholders: specifications without elements that keep the compiler settings of others, for elements that were
// written for those and stand in this one.
#ifndef SINEW_SPEC_PLACEHOLDER_H_
#define SINEW_SPEC_PLACEHOLDER_H_

#include "spec/spec.h"

namespace sinew::inline spec {

// The placeholder in `dest` for a specification. All with the same settings share one.
Spec& PlaceholderFor(const Spec& original, Spec& dest);

// Whether one of those that count as attached to `spec` is a placeholder.
bool IsPlaceholder(const Spec& attached, const Spec& spec);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_PLACEHOLDER_H_
