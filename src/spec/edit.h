// Edits of a tree: deleting, and turning a body into a frame.
#ifndef SINEW_SPEC_EDIT_H_
#define SINEW_SPEC_EDIT_H_

#include "spec/spec.h"

namespace sinew::inline spec {

// Deletes an element; a body or frame with its contents and all elements that refer to these; a class with those below
// it, while its elements keep their values under the class above. Elements that refer to one of another kind stay, and
// the compiler reports them. Keyframes lose the numbers of deleted elements. Throws Error, and nothing has changed.
void Delete(Spec& spec, Element& element);

// Replaces a body by a frame with its pose, in which everything stands that stood in the body, joints included. The
// inertia that the user gave it joins the parent's, once it has been compiled. Throws Error for the world, and for
// bodies with joints in the world.
Frame& BodyToFrame(Body& body);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_EDIT_H_
