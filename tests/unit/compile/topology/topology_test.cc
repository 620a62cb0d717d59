// Sparsity and trees, on an example that has every kind of joint:
//
//     world ── free body ── two slides ── hinge ── hinge (child of the former)
#include "tests/unit/compile/compile_xml.h"

namespace sinew {
namespace {

using Ints = std::vector<int>;

ModelPtr Example() {
  return CompileWorld(
      "<body><freejoint/><geom size='.1'/></body>"
      "<body><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/><geom size='.1'/></body>"
      "<body><joint/><geom size='.1'/><body pos='1 0 0'><joint/><geom size='.1'/></body></body>");
}

TEST(Topology, SimpleDofs) {
  const ModelPtr m = Example();
  EXPECT_EQ(Take(m->dof_simplenum, m->nv), Ints({8, 7, 6, 5, 4, 3, 2, 1, 0, 0}));
  EXPECT_EQ(Take(m->body_simple, m->nbody), std::vector<mjtByte>({1, 1, 2, 0, 0}));
}

TEST(Topology, ParentsAndTrees) {
  const ModelPtr m = Example();
  EXPECT_EQ(Take(m->dof_parentid, m->nv), Ints({-1, 0, 1, 2, 3, 4, -1, 6, -1, 8}));
  EXPECT_EQ(Take(m->dof_treeid, m->nv), Ints({0, 0, 0, 0, 0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(Take(m->tree_bodyadr, m->ntree), Ints({1, 2, 3}));
  EXPECT_EQ(Take(m->tree_bodynum, m->ntree), Ints({1, 1, 2}));
  EXPECT_EQ(Take(m->tree_dofnum, m->ntree), Ints({6, 2, 2}));
}

TEST(Topology, InertiaMatrix) {
  const ModelPtr m = Example();
  EXPECT_EQ(m->nM, 27);           // 1 + ... + 6, 1 + 2, 1 + 2
  EXPECT_EQ(m->nC, 11);           // eight simple dofs, 1 + 2
  EXPECT_EQ(m->nD, 2 * 27 - 10);  // both triangles
  EXPECT_EQ(Take(m->M_colind + m->M_rowadr[9], 2), Ints({8, 9}));
  EXPECT_EQ(Take(m->mapM2M + m->M_rowadr[9], 2), Ints({26, 25}));
}

TEST(Topology, MapsBetweenMAndDAreInverse) {
  const ModelPtr m = Example();
  for (int k = 0; k < m->nC; ++k) EXPECT_EQ(m->mapM2D[m->mapD2M[k]], k);
  for (int i = 0; i < m->nv; ++i) EXPECT_EQ(m->D_colind[m->D_rowadr[i] + m->D_diag[i]], i);
}

TEST(Topology, RowOfTheWorldInBHoldsAllDofs) {
  const ModelPtr m = Example();
  EXPECT_EQ(m->B_rownnz[0], m->nv);
  EXPECT_EQ(Take(m->B_colind + m->B_rowadr[4], m->B_rownnz[4]), Ints({8, 9}));
}

TEST(Topology, MocapBodiesAreWeldedToTheWorld) {
  const ModelPtr m = CompileWorld("<body mocap='true'><geom size='.1'/><body><joint/><geom size='.1'/></body></body>");
  EXPECT_EQ(Take(m->body_mocapid, 3), Ints({-1, 0, -1}));
  EXPECT_EQ(Take(m->body_weldid, 3), Ints({0, 0, 2}));
}

TEST(Topology, TendonAndActuatorJacobians) {
  const ModelPtr m = CompileXml(
      "<worldbody><body><joint name='a1'/><joint axis='0 1 0'/><geom size='.1'/><site name='a'/>"
      "<body pos='1 0 0'><joint name='b1'/><geom size='.1'/><site name='b'/></body></body></worldbody>"
      "<tendon><fixed name='f'><joint joint='b1' coef='1'/><joint joint='a1' coef='0'/></fixed>"
      "<spatial><site site='b'/><site site='a'/></spatial></tendon>"
      "<actuator><motor tendon='f'/><motor site='b' refsite='a'/><motor joint='a1'/></actuator>");
  EXPECT_EQ(Take(m->ten_J_rownnz, 2), Ints({2, 3}));
  EXPECT_EQ(Take(m->ten_J_colind, m->nJten), Ints({0, 2, 0, 1, 2}));
  EXPECT_EQ(m->nJmom, 2 + 1 + 1);  // the site's row leaves out what moves both sites
}

TEST(Topology, DeepChain) {
  // Deeper than what recursion would survive; fixed, so that no pattern grows with its square.
  Spec spec;
  Body* body = &spec.world();
  for (int i = 0; i < 20000; ++i) body = &body->Add<Body>();
  const ModelPtr m = Compile(spec, nullptr);
  EXPECT_EQ(m->nbody, 20001);
  EXPECT_EQ(m->body_weldid[20000], 0);
}

}  // namespace
}  // namespace sinew
