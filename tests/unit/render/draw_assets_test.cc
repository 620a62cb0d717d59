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

// The surface is the one that rays meet: heights of triangles' middles are those of a vertical ray.
TEST(HeightFieldTriangles, AreTheSurfaceThatRaysMeet) {
  const Model model = Model::FromXmlText(
      "<mujoco><asset><hfield name='h' nrow='3' ncol='4' elevation='1 0 .2 0  0 .7 0 .4  .3 0 1 .1' size='2 1 .5 .1'/>"
      "</asset><worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
  Data data(model);
  data.Forward();
  const mjModel* m = model;
  const TriangleList list = HeightFieldTriangles(*m, 0);
  ASSERT_GE(list.size(), 2 * 2 * 3);
  for (int f = 0; f < 2 * 2 * 3; ++f) {  // those of the surface come first
    double middle[3] = {0, 0, 0};
    for (int i = 0; i < 9; ++i)
      middle[i % 3] += static_cast<double>(list.positions[9 * static_cast<size_t>(f) + i]) / 3;
    const double from[3] = {middle[0], middle[1], 2}, down[3] = {0, 0, -1};
    int geom = -1;
    const double depth = mj_ray(m, data, from, down, nullptr, 1, -1, &geom, nullptr);
    EXPECT_NEAR(2 - depth, middle[2], 1e-6) << "triangle " << f;  // floats
  }
}

// A cube of one square has it on all sides: MuJoCo 3.8.0 draws it so, and robosuite's walls are made of such.
TEST(CopyTexture, OneSquareServesAllFacesOfACube) {
  const Model model = Model::FromXmlText(
      "<mujoco><asset><texture name='t' type='cube' builtin='flat' width='2' height='2' rgb1='1 0 0'/></asset>"
      "<worldbody/></mujoco>");
  mjModel square = *static_cast<const mjModel*>(model);
  int height = 2;
  square.tex_height = &height;  // the first face alone, as a compiled file of one square has it
  const DrawTexture texture = CopyTexture(square, 0);
  EXPECT_EQ(texture.height, 6 * texture.width);
  ASSERT_EQ(texture.pixels.size(), size_t{6 * 2 * 2 * 3});
  for (size_t i = 0; i < texture.pixels.size(); ++i) EXPECT_EQ(texture.pixels[i], i % 3 == 0 ? 255 : 0);
}

}  // namespace
}  // namespace sinew
