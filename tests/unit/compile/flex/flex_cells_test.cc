// Cells of flexes that are moved by nodes.
#include "compile/flex/flex_cells.h"

#include <gtest/gtest.h>

#include <cmath>
#include <iterator>

namespace sinew {
namespace {

constexpr ElasticMaterial kRubber = {10, 0.1, 0};

// Numbers of MuJoCo 3.8.0.
TEST(FlexCells, StiffnessEqualsRecordedNumbers) {
  const auto K = CellStiffness(2, {0.2, 0.2, 0.2}, kRubber);
  EXPECT_NEAR(K[0], -3.66606162, 1e-8);  // as many digits as were recorded
  EXPECT_NEAR(K[1], -0.81187388, 1e-8);
  const auto L = CellStiffness(1, {0.4, 0.2, 0.2}, kRubber);
  EXPECT_NEAR(L[0], -0.265151515, 1e-9);
}

// Translation, and an infinitesimal rotation about z, deform nothing.
TEST(FlexCells, RigidMotionsMeetNoResistance) {
  const Vec3<double> size = {0.3, 0.2, 0.1};
  for (int order = 1; order <= 2; ++order) {
    const NodeLattice lattice = {order, {1, 1, 1}};
    const int nodes = lattice.nodes_per_cell(), width = 3 * nodes;
    const auto K = CellStiffness(order, size, kRubber);
    std::vector<double> shift(static_cast<size_t>(width)), turn = shift;
    lattice.ForNodes(0, [&](int local, int node) {
      const double x = size.x * (node / (lattice.along(1) * lattice.along(2))) / order;
      const double y = size.y * (node / lattice.along(2) % lattice.along(1)) / order;
      shift[static_cast<size_t>(3 * local + 2)] = 1;
      turn[static_cast<size_t>(3 * local)] = -y;
      turn[static_cast<size_t>(3 * local + 1)] = x;
    });
    for (int i = 0; i < width; ++i) {
      double by_shift = 0, by_turn = 0;
      for (int j = 0; j < width; ++j) {
        const double k = K[static_cast<size_t>(i * width + j)];
        by_shift += k * shift[static_cast<size_t>(j)];
        by_turn += k * turn[static_cast<size_t>(j)];
      }
      EXPECT_NEAR(by_shift, 0, 1e-12);  // rounding of sums of numbers up to 10
      EXPECT_NEAR(by_turn, 0, 1e-12);
    }
  }
}

// Of 24 directions of 8 nodes, 6 are rigid.
TEST(FlexCells, ModesLeaveOutRigidMotions) {
  EXPECT_EQ(CellStrainModes(1, {0.5, 0.4, 0.7})[0], 18);
  EXPECT_EQ(CellStrainModes(1, {0.5, 0.4, 0})[0], 0);
}

// Numbers of MuJoCo 3.8.0. Many modes of a cube have the same stiffness: which directions among these come out is the
// matter of every rounding.
TEST(FlexCells, ModesOfACubeEqualRecordedNumbers) {
  const std::vector<double> modes = CellStrainModes(1, {1, 1, 1});
  EXPECT_EQ(modes[0], 18);
  EXPECT_DOUBLE_EQ(modes[1], 0.663856255679744);
  const double last[] = {0.01751796598241192,  -0.14947817831625937, 0.1319602123338474,
                         -0.01751796598241196, 0.14947817831625965,  0.13196021233384805};
  for (size_t i = 0; i < std::size(last); ++i) EXPECT_DOUBLE_EQ(modes[1 + 24 * 17 + i], last[i]);
}

TEST(FlexCells, EmptyCellsAreFound) {
  const NodeLattice lattice = {1, {3, 1, 1}};
  const std::vector<Vec3<double>> points = {{0, 0, 0}, {.2, 0, 0},  {0, 1, 0}, {0, 0, 1},
                                            {3, 1, 1}, {2.8, 1, 1}, {3, 0, 1}, {3, 1, 0}};
  EXPECT_EQ(EmptyCells(lattice, 3, {0, 1, 2, 3, 4, 5, 6, 7}, points), (std::vector<bool>{false, true, false}));
}

// The inside of a closed box is taken, that of an open one is not.
TEST(FlexCells, ShellsTakeWhatTheyEnclose) {
  const NodeLattice lattice = {1, {5, 5, 5}};
  std::vector<Vec3<double>> points;
  for (int i = 0; i < 8; ++i) points.push_back({i & 1 ? 1. : 0., i & 2 ? 1. : 0., i & 4 ? 1. : 0.});
  std::vector<int> elements = {0, 1, 3, 0, 3, 2, 0, 1, 5, 0, 5, 4, 2, 3, 7,
                               2, 7, 6, 0, 2, 6, 0, 6, 4, 1, 3, 7, 1, 7, 5};
  const auto middle = static_cast<size_t>(lattice.Cell(2, 2, 2));
  EXPECT_TRUE(EmptyCells(lattice, 2, elements, points)[middle]);
  elements.insert(elements.end(), {4, 5, 7, 4, 7, 6});
  EXPECT_FALSE(EmptyCells(lattice, 2, elements, points)[middle]);
}

}  // namespace
}  // namespace sinew
