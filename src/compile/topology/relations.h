// Look-ups in a numbered draft: who carries what.
#ifndef SINEW_COMPILE_TOPOLOGY_RELATIONS_H_
#define SINEW_COMPILE_TOPOLOGY_RELATIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "compile/draft.h"
#include "compile/topology/topology.h"
#include "core/error.h"

namespace sinew::inline compile {

// The part of an id.
const JointDraft& FindJoint(const Draft& draft, int joint);
const GeomDraft& FindGeom(const Draft& draft, int geom);

// The body that carries it.
inline int JointBody(const Draft& draft, int joint) { return draft.joints[static_cast<size_t>(joint)].body; }
inline int GeomBody(const Draft& draft, int geom) { return draft.geoms[static_cast<size_t>(geom)].body; }
inline int SiteBody(const Draft& draft, int site) { return draft.sites[static_cast<size_t>(site)].body; }

// First dof of a joint.
int JointDof(const Draft& draft, const Topology& t, int joint);

// Numbers that the history of `nsample` samples of `dim` numbers takes in mjData: a number for the user, a cursor,
// times, values.
inline int HistoryLength(int nsample, int dim) {
  constexpr int64_t kLongest = int64_t{1} << 26;
  if (nsample <= 0) return 0;
  const int64_t length = 2 + int64_t{nsample} * (1 + int64_t{dim});
  if (length > kLongest)
    throw Error("a history of " + std::to_string(length) + " numbers is too long", "reduce nsample");
  return static_cast<int>(length);
}

// Whether a tendon is a combination of joints, not a path in space.
inline bool IsFixed(const TendonDraft& tendon) { return tendon.path[0].type == mjWRAP_JOINT; }

// The bodies of the joints, sites and geoms on a tendon's path, in its order.
std::vector<int> PathBodies(const Draft& draft, const TendonDraft& tendon);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_TOPOLOGY_RELATIONS_H_
