#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include <array>
#include <iterator>

#include "tests/unit/capi/arrays.h"

namespace sinew {
namespace {

constexpr double kA[6] = {1, 2, 3, 4, 5, 6};  // 2 x 3

TEST(MatrixTest, ProductsWithVectors) {
  const double x[3] = {1, 0, -1}, y[2] = {1, 10};
  double r2[2], r3[3];
  mju_mulMatVec(r2, kA, x, 2, 3);
  EXPECT_EQ(Of(r2), (Numbers{-2, -2}));
  mju_mulMatTVec(r3, kA, y, 2, 3);
  EXPECT_EQ(Of(r3), (Numbers{41, 52, 63}));
  const double S[4] = {1, 2, 3, 4};
  EXPECT_EQ(mju_mulVecMatVec(y, S, y, 2), 1 + 20 + 30 + 400);
}

TEST(MatrixTest, ProductsWithMatrices) {
  const double B[6] = {1, 0, 0, 1, 1, 1};  // 3 x 2
  const double C[6] = {1, 1, 1, 0, 0, 2};  // 2 x 3
  double r[4], R[9];
  mju_mulMatMat(r, kA, B, 2, 3, 2);
  EXPECT_EQ(Of(r), (Numbers{4, 5, 10, 11}));
  mju_mulMatMatT(r, kA, C, 2, 3, 2);
  EXPECT_EQ(Of(r), (Numbers{6, 6, 15, 12}));
  mju_mulMatTMat(R, kA, C, 2, 3, 3);
  EXPECT_EQ(Of(R), (Numbers{1, 1, 9, 2, 2, 12, 3, 3, 15}));
}

TEST(MatrixTest, WeightedSquareIsSymmetric) {
  const double d[2] = {2, -1};
  double R[9];
  mju_sqrMatTD(R, kA, nullptr, 2, 3);
  EXPECT_EQ(Of(R), (Numbers{17, 22, 27, 22, 29, 36, 27, 36, 45}));
  mju_sqrMatTD(R, kA, d, 2, 3);
  EXPECT_EQ(Of(R), (Numbers{-14, -16, -18, -16, -17, -18, -18, -18, -18}));
}

TEST(MatrixTest, TransposeSymmetrizeIdentity) {
  double T[6], S[4] = {1, 2, 4, 5}, I[4];
  mju_transpose(T, kA, 2, 3);
  EXPECT_EQ(Of(T), (Numbers{1, 4, 2, 5, 3, 6}));
  mju_symmetrize(S, S, 2);
  EXPECT_EQ(Of(S), (Numbers{1, 3, 3, 5}));
  mju_eye(I, 2);
  EXPECT_EQ(Of(I), (Numbers{1, 0, 0, 1}));
}

// Sizes that are and are not multiples of the rows that are taken at once.
TEST(MatrixTest, ProductsOfAllShapesAreSumsOverTheInnerIndex) {
  for (const auto& [nr, n, nc] : {std::array{4, 4, 4}, {9, 7, 5}, {3, 10, 6}, {1, 5, 13}}) {
    Numbers A(static_cast<size_t>(nr * n)), B(static_cast<size_t>(n * nc)), C(static_cast<size_t>(nr * nc)), D = C,
                                                                                                             E = C;
    Numbers At = A, Bt = B;
    for (size_t i = 0; i < A.size(); ++i) A[i] = static_cast<double>(i % 7) - 3;  // whole numbers: sums are exact
    for (size_t i = 0; i < B.size(); ++i) B[i] = static_cast<double>(i % 5) - 1;
    mju_transpose(At.data(), A.data(), nr, n);
    mju_transpose(Bt.data(), B.data(), n, nc);
    mju_mulMatMat(C.data(), A.data(), B.data(), nr, n, nc);
    mju_mulMatMatT(D.data(), A.data(), Bt.data(), nr, n, nc);
    mju_mulMatTMat(E.data(), At.data(), B.data(), n, nr, nc);
    EXPECT_EQ(C, D);
    EXPECT_EQ(C, E);
    double sum = 0;
    for (int k = 0; k < n; ++k)
      sum += A[static_cast<size_t>((nr - 1) * n + k)] * B[static_cast<size_t>(k * nc + nc - 1)];
    EXPECT_EQ(C.back(), sum);
  }
}

TEST(MatrixTest, SumsOverNothingAreZero) {
  double r[4] = {7, 7, 7, 7};
  mju_mulMatMat(r, nullptr, nullptr, 2, 0, 2);
  EXPECT_EQ(Of(r), Numbers(std::size(r)));
  mju_mulMatVec(nullptr, nullptr, nullptr, 0, 3);
}

// A body turns about z with 1 rad/s; its point at e_x moves along y. A force along y there has a moment about the
// origin.
TEST(SpatialTest, MotionsAndWrenchesChangeTheirPoint) {
  const double origin[3] = {0, 0, 0}, point[3] = {1, 0, 0};
  const double motion[6] = {0, 0, 1, 0, 0, 0}, wrench[6] = {0, 0, 0, 0, 1, 0};
  double r[6];
  mju_transformSpatial(r, motion, 0, point, origin, nullptr);
  EXPECT_EQ(Of(r), (Numbers{0, 0, 1, 0, 1, 0}));
  mju_transformSpatial(r, wrench, 1, origin, point, nullptr);
  EXPECT_EQ(Of(r), (Numbers{0, 0, 1, 0, 1, 0}));

  // new axes: x along the old y, y along the old -x
  const double new_to_old[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  mju_transformSpatial(r, r, 1, origin, origin, new_to_old);
  EXPECT_EQ(Of(r), (Numbers{0, 0, 1, 1, 0, 0}));
}

TEST(SpatialTest, PowerDoesNotDependOnThePoint) {
  const double motion[6] = {.1, .2, .3, 1, 2, 3}, wrench[6] = {3, 2, 1, .5, .4, -.3};
  const double a[3] = {0, 1, 2}, b[3] = {-1, 3, .5};
  double v[6], f[6];
  mju_transformSpatial(v, motion, 0, a, b, nullptr);
  mju_transformSpatial(f, wrench, 1, a, b, nullptr);
  EXPECT_DOUBLE_EQ(mju_dot(v, f, 6), mju_dot(motion, wrench, 6));
}

TEST(SparseTest, ThereAndBack) {
  const double A[6] = {1, 0, -0.0, 0, 2, 3};
  double values[3], back[6];
  int rownnz[2], rowadr[2], colind[3];
  ASSERT_EQ(mju_dense2sparse(values, A, 2, 3, rownnz, rowadr, colind, 3), 0);
  EXPECT_EQ(Of(values), (Numbers{1, 2, 3}));
  EXPECT_EQ(Of(rownnz), (Numbers{1, 2}));
  EXPECT_EQ(Of(rowadr), (Numbers{0, 1}));
  EXPECT_EQ(Of(colind), (Numbers{0, 1, 2}));
  mju_sparse2dense(back, values, 2, 3, rownnz, rowadr, colind);
  EXPECT_EQ(Of(back), (Numbers{1, 0, 0, 0, 2, 3}));
}

TEST(SparseTest, TooSmallCapacityIsReportedAndRespected) {
  const double A[4] = {1, 2, 3, 4};
  double values[3] = {7, 7, 7};
  int rownnz[2], rowadr[2], colind[3] = {7, 7, 7};
  EXPECT_EQ(mju_dense2sparse(values, A, 2, 2, rownnz, rowadr, colind, 2), 1);
  EXPECT_EQ(values[2], 7);
  EXPECT_EQ(colind[2], 7);
  EXPECT_EQ(mju_dense2sparse(values, A, 2, 2, rownnz, rowadr, colind, 0), 1);
}

TEST(PrintTest, DenseAndSparse) {
  const int rownnz[2] = {0, 2}, rowadr[2] = {0, 0}, colind[2] = {0, 2};
  testing::internal::CaptureStdout();
  mju_printMat(kA, 2, 2);
  mju_printMatSparse(kA, 2, rownnz, rowadr, colind);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "1.00000000 2.00000000 \n3.00000000 4.00000000 \n\n"
            "\n(1 0):  1.000000  (1 2):  2.000000  \n\n");
}

}  // namespace
}  // namespace sinew
