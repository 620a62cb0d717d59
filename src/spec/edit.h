// Edits of a tree: deleting, and turning a body into a frame.
#ifndef SINEW_SPEC_EDIT_H_
#define SINEW_SPEC_EDIT_H_

#include "spec/spec.h"

namespace sinew::inline spec {

// Deletes an element. With a body or frame goes all that stands in it and what refers to that; with a class, those
// below it, and its elements keep their values under the class above. What refers to another kind of element stays, and
// the compiler reports it. Keyframes lose the numbers of what is gone. Throws Error, and nothing has changed.
void Delete(Spec& spec, Element& element);

// Replaces a body by a frame with its pose, in which everything stands that stood in the body, joints included. The
// inertia that the user gave it joins the parent's, once it has been compiled. Throws Error for the world, and for
// bodies with joints in the world.
Frame& BodyToFrame(Body& body);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_EDIT_H_
