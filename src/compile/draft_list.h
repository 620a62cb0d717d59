// Drafts of all elements of a kind.
#ifndef SINEW_COMPILE_DRAFT_LIST_H_
#define SINEW_COMPILE_DRAFT_LIST_H_

#include <vector>

#include "compile/diagnose.h"
#include "compile/draft.h"

namespace sinew::inline compile {

// Appends make(element) for each element of a specification to `drafts`. Ids are the order in the specification. One
// run reports the errors of all elements.
template <class Element, class ElementDraft, class Make>
void DraftList(Draft& draft, std::vector<ElementDraft>& drafts, const Make& make) {
  ErrorList errors;
  for (auto& source : draft.spec.List<Element>()) {
    errors.At(*source, [&] {
      source->id = static_cast<int>(drafts.size());
      drafts.push_back(make(*source));
    });
  }
  errors.Throw();
}

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_DRAFT_LIST_H_
