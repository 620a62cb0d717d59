// Dense matrices, row by row, and spatial vectors. Results of products must not overlap their operands. Sizes of zero
// are allowed, with null arrays.
#include "capi/arguments.h"
#include "math/matrix.h"

#include <mujoco/mujoco.h>

#include "math/mat3.h"
#include "math/spatial.h"
#include "math/vec3.h"

using sinew::LoadVec3;

// res (nr) = mat vec, with mat nr x nc
void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  SINEW_CHECK(mju_mulMatVec);
  sinew::MulMatVec(res, mat, vec, nr, nc);
}
// res (nc) = mat' vec, with mat nr x nc
void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc) {
  SINEW_CHECK(mju_mulMatTVec);
  sinew::MulMatTVec(res, mat, vec, nr, nc);
}
// vec1' mat vec2, with mat n x n
mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n) {
  SINEW_CHECK(mju_mulVecMatVec);
  return sinew::MulVecMatVec(vec1, mat, vec2, n);
}
void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc) {
  SINEW_CHECK(mju_transpose);
  sinew::Transpose(res, mat, nr, nc);
}
// res = (mat + mat') / 2; both may be one array.
void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n) {
  SINEW_CHECK(mju_symmetrize);
  sinew::Symmetrize(res, mat, n);
}
void mju_eye(mjtNum* mat, int n) {
  SINEW_CHECK(mju_eye);
  sinew::SetIdentity(mat, n);
}
// res (r1 x c2) = mat1 mat2, with mat1 r1 x c1
void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  SINEW_CHECK(mju_mulMatMat);
  sinew::MulMatMat(res, mat1, mat2, r1, c1, c2);
}
// res (r1 x r2) = mat1 mat2', with mat1 r1 x c1 and mat2 r2 x c1
void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int r2) {
  SINEW_CHECK(mju_mulMatMatT);
  sinew::MulMatMatT(res, mat1, mat2, r1, c1, r2);
}
// res (c1 x c2) = mat1' mat2, with mat1 r1 x c1 and mat2 r1 x c2
void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int c2) {
  SINEW_CHECK(mju_mulMatTMat);
  sinew::MulMatTMat(res, mat1, mat2, r1, c1, c2);
}
// res = mat' diag mat, an nc x nc matrix; without diag (null) its weights are one.
void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc) {
  SINEW_CHECK(mju_sqrMatTD);
  sinew::SquareTransposed(res, mat, diag, nr, nc);
}

// A motion (rotation, translation) or force (torque, force) that is known about oldpos becomes one about newpos, then
// is turned into new axes: rotnew2old has these as columns in the old ones.
void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum newpos[3],
                          const mjtNum oldpos[3], const mjtNum rotnew2old[9]) {
  SINEW_CHECK(mju_transformSpatial);
  sinew::Spatial<double> v = {LoadVec3(vec), LoadVec3(vec + 3)};
  const sinew::Vec3<double> offset = LoadVec3(newpos) - LoadVec3(oldpos);
  v = flg_force ? ShiftForce(v, offset) : ShiftMotion(v, offset);
  if (rotnew2old) {
    const sinew::Mat3<double> rotation = sinew::LoadMat3(rotnew2old);
    v = {MulTransposed(rotation, v.rot), MulTransposed(rotation, v.lin)};
  }
  StoreVec3(v.rot, res);
  StoreVec3(v.lin, res + 3);
}
