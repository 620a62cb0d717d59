// Cells of flexes that are moved by nodes (kinematics/node_lattice.h): which of them hold anything, and what resists
// their deformation.
#ifndef SINEW_COMPILE_FLEX_FLEX_CELLS_H_
#define SINEW_COMPILE_FLEX_FLEX_CELLS_H_

#include <vector>

#include "compile/flex/flex_elasticity.h"
#include "kinematics/node_lattice.h"
#include "math/vec3.h"

namespace sinew::inline compile {

// Whether each cell is empty. A cell is taken where the box of an element touches it; of triangles, which are surfaces,
// so is what they enclose. `elements` have dim + 1 of the points each, and the lattice spans the box of the points.
std::vector<bool> EmptyCells(const NodeLattice& lattice, int dim, const std::vector<int>& elements,
                             const std::vector<Vec3<double>>& points);

// Linear elasticity of a cell with edges of these lengths: the symmetric matrix, 3 (order + 1)^3 numbers wide and row
// by row, that takes displacements of its nodes to forces,
//
//     K_ab = - integral of  lambda tr(e_a) tr(e_b) + mu e_a : e_b
//
// with e_a the strain of a unit of displacement a. The cell must have a volume.
std::vector<double> CellStiffness(int order, const Vec3<double>& size, const ElasticMaterial& material);

// The rows that strain constraints keep at zero: rows sqrt(s_i) v_i over the eigenvalues s_i and eigenvectors v_i of -K
// for a material of its own, without those of rigid motions. Their number, then the rows, in as many numbers as K has;
// zero for a cell without volume.
std::vector<double> CellStrainModes(int order, const Vec3<double>& size);

}  // namespace sinew::inline compile

#endif  // SINEW_COMPILE_FLEX_FLEX_CELLS_H_
