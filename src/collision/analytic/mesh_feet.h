// Feet of a mesh on a plane that complete the polygon of the first ones, as plain functions and data: one function for
// each instruction set, which files that are compiled for it show alone (docs/how/kernels.md).
#ifndef SINEW_COLLISION_ANALYTIC_MESH_FEET_H_
#define SINEW_COLLISION_ANALYTIC_MESH_FEET_H_

#include "collision/convex/ball_blocks.h"

namespace sinew::inline collision {

inline constexpr int kMaxFeet = 8, kMaxFirstFeet = 3;

struct FeetTask {
  BlocksInBalls blocks;  // of all vertices
  // The plane in the frame of the mesh: its normal, downwards, two axes, and the height of the mesh's origin.
  double down[3], first[3], second[3], centre;
  double margin, radius;          // of the ball around the mesh
  double foot[kMaxFirstFeet][3];  // vertices that are feet already, the lowest first
  int count;                      // of these
  double* room;                   // NumbersForFeet
};

constexpr int NumbersForFeet(int vertices) { return 3 * (vertices + 2 * PointBlock::kPoints); }

// Writes the numbers of further feet, as many as kMaxFeet leaves room for at most; returns how many there are.
using CompleteFeet = int (*)(const FeetTask& task, int* vertices);
extern const CompleteFeet kCompleteFeet;
#if defined(__x86_64__)
extern const CompleteFeet kCompleteFeetAvx2, kCompleteFeetAvx512;
#endif

}  // namespace sinew::inline collision

#endif  // SINEW_COLLISION_ANALYTIC_MESH_FEET_H_
