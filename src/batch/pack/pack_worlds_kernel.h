// Copies between a pack and the worlds of its lanes (lane_worlds.h), for what scalar code does there. Several numbers
// are read before any is written: the compiler cannot know that worlds and lanes do not overlap.
#ifndef SINEW_BATCH_PACK_PACK_WORLDS_KERNEL_H_
#define SINEW_BATCH_PACK_PACK_WORLDS_KERNEL_H_

#include "batch/fallback/lane_worlds.h"
#include "batch/pack/pack_context_kernel.h"
#include "batch/rows/lane_numbers_kernel.h"
#include "kinematics/pose_kernel.h"
#include "model/view/data_view.h"
#include "model/view/model_view.h"
#include "simd/unroll.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// Poses of the geoms that steps do not read.
template <class S>
void CompleteGeoms(const ModelView<S>& m, const DataView<S>& d, const LaneWorlds& worlds, PackRows<S>& rows) {
  if (rows.geoms_are_whole) return;
  rows.geoms_are_whole = true;
  const bool* read = worlds.GeomsThatStepsRead();
  ComputeGeoms(m, d, [read](int geom) { return !read[geom]; });
}

template <class S>
class PackWorlds {
 public:
  static constexpr int kWidth = LaneTraits<S>::kWidth;
  using Number = typename LaneTraits<S>::Lane;

  PackWorlds(const ModelView<S>& m, const DataView<S>& d, LaneWorlds& worlds, PackRows<S>& rows)
      : m_(m), d_(d), worlds_(worlds), rows_(rows) {}

  const ModelView<S>& m() const { return m_; }
  const DataView<S>& d() const { return d_; }
  LaneWorlds& worlds() const { return worlds_; }
  PackRows<S>& rows() const { return rows_; }
  mjData* World(int lane) const { return worlds_.World(lane); }
  const mjModel& Model(int lane) const { return worlds_.Model(lane); }

  // Copies an array of the pack into the worlds of its lanes.
  void ShowToWorlds(const S* from, mjtSize count, mjtNum* mjData::*field) const {
    mjtNum* to[kWidth];
    for (int lane = 0; lane < kWidth; ++lane) to[lane] = World(lane)->*field;
    for (mjtSize i = 0; i < count; ++i) {
      const S numbers = from[i];
      Unroll<0, kWidth>([&](auto lane) { to[lane][i] = numbers[lane]; });
    }
  }

  // Copies numbers of one world into its lane.
  void ReadFromWorld(int lane, const mjtNum* from, mjtSize count, S* to) const {
    for (mjtSize i = 0; i < count; ++i) to[i].Set(lane, static_cast<Number>(from[i]));
  }

  // Copies the input of collision detection and of constraint rows to the worlds.
  void ShowForRows() const {
    const mjModel& m = *m_.raw();
    if (rows_.worlds_are_shown) return;
    rows_.worlds_are_shown = true;
    ShowToWorlds(d_.qpos_data(), m.nq, &mjData::qpos);
    ShowToWorlds(d_.qvel_data(), m.nv, &mjData::qvel);
    if (!rows_.contacts_found || worlds_.HaveAnchors()) ShowGeoms();
    const bool contacts_are_made = rows_.contacts_found && SolverOfLanes(m) == LaneSolver::kSlots;
    if (m.neq > 0 || !contacts_are_made) ShowMotionAxes();
    ShowToWorlds(d_.ten_length_data(), m.ntendon, &mjData::ten_length);
    ShowToWorlds(d_.ten_J_data(), m.nJten, &mjData::ten_J);
    if (m.neq == 0) return;
    ShowBodies();
    ShowToWorlds(d_.cdof_dot_data(), 6 * m.nv, &mjData::cdof_dot);
  }
  // Copies the poses of some geoms.
  void ShowGeoms(const int* geoms, int count) const {
    mjtNum *pos[kWidth], *mat[kWidth];
    for (int lane = 0; lane < kWidth; ++lane) {
      pos[lane] = World(lane)->geom_xpos;
      mat[lane] = World(lane)->geom_xmat;
    }
    const auto show = [](const S* from, mjtNum* const* to, int first, int size) {
      for (int i = first; i < first + size; ++i) {
        const S numbers = from[i];
        Unroll<0, kWidth>([&](auto lane) { to[lane][i] = numbers[lane]; });
      }
    };
    for (int k = 0; k < count; ++k) {
      show(d_.geom_xpos_data(), pos, 3 * geoms[k], 3);
      show(d_.geom_xmat_data(), mat, 9 * geoms[k], 9);
    }
  }
  void ShowGeoms() const {
    const mjModel& m = *m_.raw();
    if (rows_.geoms_are_shown) return;
    rows_.geoms_are_shown = true;
    CompleteGeoms(m_, d_, worlds_, rows_);
    ShowToWorlds(d_.geom_xpos_data(), 3 * m.ngeom, &mjData::geom_xpos);
    ShowToWorlds(d_.geom_xmat_data(), 9 * m.ngeom, &mjData::geom_xmat);
    if (worlds_.StaticPairs()) return;  // otherwise there are trees of boxes
    ShowToWorlds(d_.xipos_data(), 3 * m.nbody, &mjData::xipos);
    ShowToWorlds(d_.ximat_data(), 9 * m.nbody, &mjData::ximat);
  }
  void ShowMotionAxes() const {
    const mjModel& m = *m_.raw();
    ShowToWorlds(d_.subtree_com_data(), 3 * m.nbody, &mjData::subtree_com);
    ShowToWorlds(d_.cdof_data(), 6 * m.nv, &mjData::cdof);
  }
  void ShowBodies() const {
    const mjModel& m = *m_.raw();
    ShowToWorlds(d_.xpos_data(), 3 * m.nbody, &mjData::xpos);
    ShowToWorlds(d_.xquat_data(), 4 * m.nbody, &mjData::xquat);
    ShowToWorlds(d_.xmat_data(), 9 * m.nbody, &mjData::xmat);
    ShowToWorlds(d_.site_xpos_data(), 3 * m.nsite, &mjData::site_xpos);
    ShowToWorlds(d_.site_xmat_data(), 9 * m.nsite, &mjData::site_xmat);
    ShowToWorlds(d_.cvel_data(), 6 * m.nbody, &mjData::cvel);
  }

  // Copies the inertia to the worlds, for rows that a world alone solves.
  void ShowInertia() const {
    const mjModel& m = *m_.raw();
    ShowToWorlds(d_.M_data(), m.nC, &mjData::M);
    ShowToWorlds(d_.qLD_data(), m.nC, &mjData::qLD);
    ShowToWorlds(d_.qLDiagInv_data(), m.nv, &mjData::qLDiagInv);
  }

  // Copies the further input of sensors to the worlds; models with flexes, plugins or callbacks do not come here.
  void ShowForSensors() const {
    const mjModel& m = *m_.raw();
    ShowForRows();
    ShowGeoms();
    ShowMotionAxes();
    ShowBodies();
    ShowToWorlds(d_.xipos_data(), 3 * m.nbody, &mjData::xipos);
    ShowToWorlds(d_.ximat_data(), 9 * m.nbody, &mjData::ximat);
    ShowToWorlds(d_.cam_xpos_data(), 3 * m.ncam, &mjData::cam_xpos);
    ShowToWorlds(d_.cam_xmat_data(), 9 * m.ncam, &mjData::cam_xmat);
    ShowToWorlds(d_.cinert_data(), 10 * m.nbody, &mjData::cinert);
    ShowToWorlds(d_.cdof_dot_data(), 6 * m.nv, &mjData::cdof_dot);
    ShowToWorlds(d_.M_data(), m.nC, &mjData::M);
    ShowToWorlds(d_.qacc_data(), m.nv, &mjData::qacc);
    ShowToWorlds(d_.xfrc_applied_data(), 6 * m.nbody, &mjData::xfrc_applied);
    ShowToWorlds(d_.ten_velocity_data(), m.ntendon, &mjData::ten_velocity);
    ShowToWorlds(d_.actuator_length_data(), m.nu, &mjData::actuator_length);
    ShowToWorlds(d_.actuator_velocity_data(), m.nu, &mjData::actuator_velocity);
    ShowToWorlds(d_.actuator_force_data(), m.nu, &mjData::actuator_force);
    ShowToWorlds(d_.qfrc_actuator_data(), m.nv, &mjData::qfrc_actuator);
    ShowToWorlds(d_.act_data(), m.na, &mjData::act);
    ShowToWorlds(d_.act_dot_data(), m.na, &mjData::act_dot);
  }

  // Writes contacts, rows and their forces into the lanes' worlds, where scalar code reads them.
  void ShowForces() const {
    const bool has_slots = rows_.slots && !rows_.slots->slot.empty();
    if (SolverOfLanes(*m_.raw()) != LaneSolver::kSlots || (!has_slots && !rows_.contacts_found)) return;
    ShowForRows();
    ShowGeoms();
    if (worlds_.AreRowsInLanes()) ShowMotionAxes();
    worlds_.WriteForces(NumbersOf<S>(has_slots ? rows_.problem.residual : nullptr));
  }

 private:
  const ModelView<S>& m_;
  const DataView<S>& d_;
  LaneWorlds& worlds_;
  PackRows<S>& rows_;
};

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_PACK_WORLDS_KERNEL_H_
