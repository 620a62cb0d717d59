// Rows on the motion of two bodies: the dofs that move them, and the Jacobian.
//
// Row r is the power of a wrench w1_r on body 1 plus that of w2_r on body 2: its entry for a dof with motion axis s is
// w . s, where w is w1_r, w2_r or their sum, as the dof moves body 1, body 2 or both. Wrenches and motion axes
// (mjData's cdof) are taken about the centre of mass of the body's tree, in world axes. One pass over the dofs gives
// all rows.
#ifndef SINEW_CONSTRAINT_PAIR_JACOBIAN_H_
#define SINEW_CONSTRAINT_PAIR_JACOBIAN_H_

#include <mujoco/mujoco.h>

#include <algorithm>

#include "constraint/row_builder.h"
#include "constraint/side.h"
#include "constraint/wrench.h"
#include "math/block.h"
#include "math/spatial.h"
#include "math/vec3.h"
#include "simd/unroll.h"

namespace sinew::inline constraint {

struct MovingDofs {
  int count;
  const int* dof;   // ascending
  const int* side;  // Side of each
  int sides;        // all of them, or-ed
};

// The dofs of two bodies. Those of common ancestors cannot change the relative pose of two points that coincide; they
// are kept for constraints whose points do not. `dofs` and `sides` are scratch of nv elements.
MovingDofs DofsOfPair(const mjModel* m, int body1, int body2, bool keep_common, int* dofs, int* sides);

// Rows in the lanes of packs; those of the last pack that do not exist are zero.
template <int kRows>
class WrenchRows {
 public:
  // Wrenches of the rows on one body: torque about the centre of the body's tree, force.
  void Set(Side side, const Spatial<double> (&wrench)[kRows]) {
    Unroll<0, kPacks>([&](auto pack) {
      const auto in_row = [&wrench](int row, int k) { return row < kRows ? wrench[std::min(row, kRows - 1)][k] : 0.0; };
      constexpr int kFirst = 4 * pack;
      Unroll<0, 6>([&](auto k) {
        StoreFour(block::Join(in_row(kFirst, k), in_row(kFirst + 1, k), in_row(kFirst + 2, k), in_row(kFirst + 3, k)),
                  w_[side][pack][k]);
      });
    });
  }

  // Bodies that no dof moves need no wrenches.
  void Fill(const mjData* d, const MovingDofs& dofs, const RowBlock& rows) {
    if (dofs.sides == kBothBodies) AddSides();
    for (int c = 0; c < dofs.count;) {
      const bool four = c + 4 <= dofs.count && rows.slot[c + 3] == rows.slot[c] + 3;
      if (four) {
        Unroll<0, kPacks>([&](auto pack) { FillFour<pack>(d, dofs, rows, c); });
      } else {
        Unroll<0, kPacks>([&](auto pack) { FillOne<pack>(d, dofs, rows, c); });
      }
      c += four ? 4 : 1;
    }
  }

 private:
  static constexpr int kPacks = (kRows + 3) / 4;
  static constexpr int RowsOf(int pack) { return pack + 1 < kPacks ? 4 : kRows - 4 * pack; }

  void AddSides() {
    for (int pack = 0; pack < kPacks; ++pack) {
      for (int k = 0; k < 6; ++k) {
        StoreFour(LoadFour(w_[kBody1][pack][k]) + LoadFour(w_[kBody2][pack][k]), w_[kBothBodies][pack][k]);
      }
    }
  }

  Four Power(const mjData* d, const MovingDofs& dofs, int pack, int c) const {
    const double* axis = d->cdof + 6 * dofs.dof[c];
    const auto& w = w_[dofs.side[c]][pack];
    Four power = LoadFour(w[0]) * InAllLanes(axis[0]);
    Unroll<1, 6>([&](auto k) { power += LoadFour(w[k]) * InAllLanes(axis[k]); });
    return power;
  }

  // Column c, or four that are next to each other in memory.
  template <int pack>
  void FillOne(const mjData* d, const MovingDofs& dofs, const RowBlock& rows, int c) const {
    const Four power = Power(d, dofs, pack, c);
    double* out = &rows.J[4 * pack * rows.stride + rows.slot[c]];
    for (int r = 0; r < RowsOf(pack); ++r) out[r * rows.stride] = power[r];
  }
  template <int pack>
  void FillFour(const mjData* d, const MovingDofs& dofs, const RowBlock& rows, int c) const {
    Four power[4] = {Power(d, dofs, pack, c), Power(d, dofs, pack, c + 1), Power(d, dofs, pack, c + 2),
                     Power(d, dofs, pack, c + 3)};
    Transpose(power);
    double* out = &rows.J[4 * pack * rows.stride + rows.slot[c]];
    Unroll<0, RowsOf(pack)>([&](auto r) { StoreFour(power[r], out + r * rows.stride); });
  }

  alignas(32) double w_[4][kPacks][6][4];  // by Side; 0 is unused
};

}  // namespace sinew::inline constraint

#endif  // SINEW_CONSTRAINT_PAIR_JACOBIAN_H_
