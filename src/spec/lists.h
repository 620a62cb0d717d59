// Checks of an element's lists that describe the same things, and are therefore of equal length. Programs fill them one
// by one: the compiler and the writer of files check before they read one list by the length of another.
#ifndef SINEW_SPEC_LISTS_H_
#define SINEW_SPEC_LISTS_H_

#include "spec/elements.h"

namespace sinew::inline spec {

// Each throws Error, without a place, where lists do not go together.

// A skin has a binding pose, vertices and their weights for every bone, and a weight for every vertex of a bone.
void CheckLists(const Skin& skin);

// A tuple has a type, a name and a parameter for every object.
void CheckLists(const Tuple& tuple);

// The size of a number array is at least the number of its data, and arrays that stand for options have all of theirs.
void CheckLists(const Numeric& numeric);

// Whether a number array stands for attributes of the option element, which files have in its place.
bool IsOfOption(const Numeric& numeric);

// Elevations are as many as rows times columns, or none.
void CheckLists(const HField& hfield);

}  // namespace sinew::inline spec

#endif  // SINEW_SPEC_LISTS_H_
