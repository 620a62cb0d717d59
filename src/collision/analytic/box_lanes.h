// Pairs of boxes of one world in the lanes of a pack, as tables of plain functions: one table for each width. Files
// that are compiled for a larger instruction set show nothing else (docs/how/kernels.md).
#ifndef SINEW_COLLISION_ANALYTIC_BOX_LANES_H_
#define SINEW_COLLISION_ANALYTIC_BOX_LANES_H_

#include <mujoco/mujoco.h>

#include <cstdint>

namespace sinew::inline collision {

struct ItemPair;

inline constexpr int kMaxBoxLanes = 8;

// The most candidates for contacts: a crossing of each side of the rectangle with each of four edges, corners,
// vertices, and the crossing of two edges.
inline constexpr int kMaxBoxCandidates = 25;

// How the boxes of a pair touch; as BoxSeparation (box_pair_kernel.h).
struct BoxDecision {
  double overlap, face, edges, axis[3];
};

// Contacts of the pairs in the lanes: rows of numbers, one of each pair. Each candidate is a contact of some of them.
struct BoxContacts {
  static constexpr int kFrameRows = 9, kCandidateRows = 4;

  alignas(16) uint8_t where[32];  // of each candidate: bits of the pairs that it is a contact of; zeros follow
  alignas(64) double frame[kFrameRows * kMaxBoxLanes];                              // as in mjContact
  alignas(64) double candidate[kMaxBoxCandidates * kCandidateRows * kMaxBoxLanes];  // distance, x, y, z
};

// A table of functions that take pointers to `width` pairs.
struct BoxLanes {
  int width;
  // Decides how each pair touches; returns the bits of those that are not apart.
  unsigned (*decide)(const mjModel* m, mjData* d, const ItemPair* const* pairs, BoxDecision* out);
  // Contacts of pairs of which a face decides, or edges.
  void (*contacts_at_faces)(const mjModel* m, mjData* d, const ItemPair* const* pairs,
                            const BoxDecision* const* decisions, BoxContacts& out);
  void (*contacts_at_edges)(const mjModel* m, mjData* d, const ItemPair* const* pairs,
                            const BoxDecision* const* decisions, BoxContacts& out);
};

extern const BoxLanes kFourBoxes;
#if defined(__x86_64__)
extern const BoxLanes kEightBoxes;  // for machines with AVX-512
#endif

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_BOX_LANES_H_
