// Kinds of pairs of geom types, and which of them a pair is.
#ifndef SINEW_COLLISION_PAIRS_H_
#define SINEW_COLLISION_PAIRS_H_

#include <mujoco/mujoco.h>

namespace sinew::inline collision {

// How the contacts of two geoms are found.
enum class PairKind : int {
  kNone,         // not at all
  kFormula,      // by a formula: a kernel of analytic/
  kBoxBox,       // two boxes, several pairs at once (analytic/box_box.h)
  kConvex,       // by the general algorithm for convex shapes (convex/convex_pair.h)
  kHeightField,  // a convex shape with the prisms of a height field (field/height_field.h)
  kField,        // by descent in signed distance fields (field/sdf_contact.h)
  kCustom,       // by a function that the program has put into mjCOLLISIONFUNC
};

// The table has for two types the kind of the pair, and the function that stands for it in mjCOLLISIONFUNC until a
// program puts its own there.
struct PairEntry {
  PairKind kind;
  mjfCollision function;
};
struct PairTable {
  PairEntry entry[mjNGEOMTYPES][mjNGEOMTYPES];  // rows are the smaller type

  constexpr const PairEntry* operator[](int type) const { return entry[type]; }
};
extern const PairTable kPairTable;

// Tells the kind of a pair of types, of which the smaller one comes first. Programs may replace entries of
// mjCOLLISIONFUNC at any time: this is the one place where that is noticed.
inline PairKind KindOfPair(int type1, int type2) {
  const PairEntry& entry = kPairTable[type1][type2];
  return mjCOLLISIONFUNC[type1][type2] == entry.function ? entry.kind : PairKind::kCustom;
}

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_PAIRS_H_
