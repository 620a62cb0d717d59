#include "render/draw_assets.h"

#include <gtest/gtest.h>
#include <sinew/sinew.h>

#include <cmath>
#include <string>

namespace sinew {
namespace {

// A tetrahedron whose normals all lean from that of its first face by an angle.
Model LeaningNormals(double degrees) {
  const double angle = degrees * mjPI / 180;
  std::string normals;
  for (int i = 0; i < 4; ++i) {
    normals += std::to_string(std::sin(angle)) + " 0 " + std::to_string(std::cos(angle)) + " ";
  }
  return Model::FromXmlText(
      "<mujoco><asset><mesh name='m' vertex='1 0 0  -.5 .866 0  -.5 -.866 0  0 0 -1' "
      "face='0 1 2  0 3 1  1 3 2  2 3 0' normal='" +
      normals + "'/></asset><worldbody><geom type='mesh' mesh='m'/></worldbody></mujoco>");
}

// How far the normal at the first corner leans from that of the first face.
double LeanOfFirstFace(const Model& model) {
  const mjModel* m = model;
  const TriangleList list = MeshTriangles(*m, 0);
  const float *p = list.positions.data(), *n = list.normals.data();
  double lean = 0;
  for (int k = 1; k < 3; ++k) {  // an edge is orthogonal to the face's normal
    double along = 0;
    for (int i = 0; i < 3; ++i) along += double(p[3 * k + i] - p[i]) * double(n[i]);
    lean = std::hypot(lean, along);
  }
  return lean;
}

// MuJoCo 3.8.0 draws sharp edges where the cosine is below 0.8, which is that of 36.9 degrees.
TEST(MeshTriangles, NormalsFarFromThatOfTheFaceAreNotUsed) {
  EXPECT_GT(LeanOfFirstFace(LeaningNormals(30)), 0.3);
  EXPECT_GT(LeanOfFirstFace(LeaningNormals(36)), 0.3);
  EXPECT_LT(LeanOfFirstFace(LeaningNormals(38)), 1e-5);
  EXPECT_LT(LeanOfFirstFace(LeaningNormals(70)), 1e-5);
}

}  // namespace
}  // namespace sinew
