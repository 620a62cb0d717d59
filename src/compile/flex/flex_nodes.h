// Flexes that are moved by nodes (kinematics/node_lattice.h): the bodies and places of the nodes, and the stiffness of
// the cells between them.
#ifndef SINEW_COMPILE_FLEX_FLEX_NODES_H_
#define SINEW_COMPILE_FLEX_FLEX_NODES_H_

#include <vector>

#include "compile/draft.h"

namespace sinew::inline compile {

// The lattice of nodes of a flex; order 0 when its vertices have bodies of their own. Checks the values that define it.
NodeLattice FindLattice(const Flex& flex);

// Bodies and places of the nodes, and which cells are empty. The vertices must have been placed.
void ComputeNodePositions(const Draft& draft, const std::vector<Pose>& body_poses, FlexDraft& flex);

// The vertices at rest with the axes of the lattice.
std::vector<Vec3<double>> PointsInLattice(const FlexDraft& flex);

// A block for each cell: its stiffness, or what its strain constraint keeps at zero.
void SetCellStiffness(FlexDraft& flex);

// Numbers that the blocks take in flex_stiffness.
int CellStiffnessCount(const FlexDraft& flex);

void WriteNodes(const FlexDraft& flex, int id, mjModel* m);

// flex_bandwidth, which is one for all flexes: between the dofs of nodes that a cell joins. The tree must have been
// written.
void WriteBandwidth(const std::vector<FlexDraft>& flexes, mjModel* m);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_FLEX_FLEX_NODES_H_
