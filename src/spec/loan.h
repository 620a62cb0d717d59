// Loans: elements that a specification has given to another one by attaching without a copy. A loan ends when the
// attached elements are deleted from the other one, or when the other one is deleted. Then they return to their places
// under their former names, and the specification is independent again (docs/how/spec.md).
#ifndef SINEW_SPEC_LOAN_H_
#define SINEW_SPEC_LOAN_H_

#include <cstddef>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "spec/graft.h"

namespace sinew::inline spec {

// One attachment by reference, kept by the specification that has given.
struct Loan {
  // An element as it was before.
  struct Item {
    Element* element;
    std::string name;
    const Default* default_class;
    const void* list;        // where it stood; null: in something that was given too
    std::size_t position;    // there, as if nothing had been given away
    std::string name_there;  // after it was given
  };

  Element* root = nullptr;      // the body or frame whose deletion ends the loan; null: it has been deleted otherwise
  bool is_frame_of_it = false;  // the root is a frame that was made around what was given
  bool is_world = false;        // the root is the body that has taken over what stood in the world
  Body* body = nullptr;         // where what was given stood, and in which frame of it
  Frame* frame = nullptr;
  Affixes affixes;
  std::vector<Item> items;
};

// Notes what `source` is about to give away: the originals of a graft, whose outermost ones stand in `body`. The caller
// says what the root is, and notes the new names.
Loan& Lend(Spec& source, const Graft& graft, Body& body, Frame* frame, const Affixes& affixes);

void NoteNewNames(Loan* loan);

// Ends the loans to `holder`, and to those that are attached to it, whose root is in `doomed`. Specifications that the
// caller's program has released and that are free now are handed over in `gone`.
void EndLoans(Spec& holder, const ElementSet& doomed, ElementList<Spec>* gone);

// Ends all loans to a specification that is about to go.
void EndAllLoans(Spec& holder, ElementList<Spec>* gone);

// Forgets deleted elements in all loans of a family, since nothing keeps them for long.
void DropDeleted(const Spec& spec);

// Updates loans when a frame has replaced a body.
void ReplaceRoot(const Spec& spec, const Body& body, Frame& by);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_LOAN_H_
