// Attaching: a part of a specification becomes a part of another one, with what belongs to it (docs/how/spec.md).
//
//     by copy       the child stays as it is; the parent has copies
//     by reference  the child's elements themselves move, and who holds pointers to them edits the parent. The child
//                   still finds them by name, but cannot be compiled any more. Both live until both are released.
#ifndef SINEW_SPEC_ATTACH_H_
#define SINEW_SPEC_ATTACH_H_

#include <cstddef>
#include <memory>

#include "spec/graft.h"

namespace sinew::inline spec {

// Elements that one document, or one call of a program, may make by copying others. Copies of copies grow with the
// power of the number of edits: a short document must not fill the memory.
inline constexpr std::size_t kMaxCopies = std::size_t{1} << 17;

// Attaches a body, a frame, or the content of the world of a specification, to a frame, site or body of another one (or
// of the same, which copies). Returns the attached element; for a specification, the frame around it. The number of
// elements that are copied is subtracted from `copies_left` (null: this call alone may make kMaxCopies). Throws Error,
// and nothing has changed.
Element& Attach(Element& parent, Element& child, const Affixes& affixes, bool by_copy,
                std::size_t* copies_left = nullptr);

// A copy of all of it, without models that were compiled from it.
std::unique_ptr<Spec> CopySpec(Spec& spec);

// The specification of a name among those that the document of this one names and those that are attached to it; null:
// none. It is not among them itself.
Spec* FindSpec(Spec& spec, std::string_view name);

// Ends the caller's hold on a specification: it goes, unless others have elements of it.
void Release(Spec* spec);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_ATTACH_H_
