// Work of the smooth stages of a pack that is done one world at a time, on the worlds of its lanes: tendons around
// geoms, and contacts that are compliant or stick, which only those worlds have.
#ifndef SINEW_BATCH_PACK_PACK_FALLBACK_KERNEL_H_
#define SINEW_BATCH_PACK_PACK_FALLBACK_KERNEL_H_

#include "batch/pack/pack_worlds_kernel.h"
#include "constraint/anchors.h"
#include "force/adhesion.h"
#include "force/compliant_contact.h"
#include "kinematics/tendon.h"
#include "kinematics/tendon_kernel.h"

namespace sinew::inline batch {
inline namespace SINEW_ISA {

// Tendons around geoms, and the paths of all spatial ones.
template <class S>
void SpatialTendons(const PackWorlds<S>& w) {
  const mjModel& m = *w.m().raw();
  const PathMotions moving(&m);
  bool any_wraps = false;
  for (int t = 0; t < w.m().ntendon(); ++t) {
    if (IsFixedTendon(w.m(), t)) {
      FixedTendon(w.m(), w.d(), t);
    } else if (IsStraightTendon(w.m(), t)) {
      StraightTendon(w.m(), w.d(), moving, t);
    } else {
      any_wraps = true;
    }
  }
  w.ShowToWorlds(w.d().site_xpos_data(), 3 * m.nsite, &mjData::site_xpos);
  if (any_wraps) {
    w.ShowGeoms();
    w.ShowMotionAxes();
  }
  for (int lane = 0; lane < w.kWidth; ++lane) {
    mjData* world = w.World(lane);
    TendonPaths(&w.Model(lane), world);
    if (!any_wraps) continue;
    for (int t = 0; t < w.m().ntendon(); ++t) {
      if (IsFixedTendon(w.m(), t) || IsStraightTendon(w.m(), t)) continue;
      const int adr = m.ten_J_rowadr[t];
      w.ReadFromWorld(lane, world->ten_J + adr, m.ten_J_rownnz[t], w.d().ten_J_data() + adr);
      w.ReadFromWorld(lane, world->ten_length + t, 1, w.d().ten_length_data() + t);
    }
  }
}

template <class S>
bool DoSpatialTendonsHaveArmature(const ModelView<S>& m) {
  for (int t = 0; t < m.ntendon(); ++t) {
    if (!IsFixedTendon(m, t) && Any(TotalTendonArmature(m, t) != S(0))) return true;
  }
  return false;
}

template <class S>
void BiasOfTendons(const PackWorlds<S>& w) {
  const mjModel& m = *w.m().raw();
  w.ShowMotionAxes();
  w.ShowBodies();
  w.ShowGeoms();
  w.ShowToWorlds(w.d().cdof_dot_data(), 6 * m.nv, &mjData::cdof_dot);
  w.ShowToWorlds(w.d().qvel_data(), m.nv, &mjData::qvel);
  w.ShowToWorlds(w.d().ten_J_data(), m.nJten, &mjData::ten_J);
  w.ShowToWorlds(w.d().qfrc_bias_data(), m.nv, &mjData::qfrc_bias);
  for (int lane = 0; lane < w.kWidth; ++lane) {
    mjData* world = w.World(lane);
    sinew::TendonBias(&w.Model(lane), world, world->qfrc_bias);
    w.ReadFromWorld(lane, world->qfrc_bias, m.nv, w.d().qfrc_bias_data());
  }
}

template <class S>
bool TouchesCompliantly(const PackWorlds<S>& w) {
  for (int lane = 0; lane < w.kWidth; ++lane) {
    if (HasCompliantContact(w.World(lane))) return true;
  }
  return false;
}

template <class S>
bool Sticks(const PackWorlds<S>& w) {
  for (int lane = 0; lane < w.kWidth; ++lane) {
    if (HasAdhesiveContact(&w.Model(lane), w.World(lane))) return true;
  }
  return false;
}

template <class S>
void AddForcesOfContacts(const PackWorlds<S>& w) {
  const mjModel& m = *w.m().raw();
  if (!TouchesCompliantly(w) && !Sticks(w)) return;
  w.ShowMotionAxes();
  w.ShowToWorlds(w.d().cvel_data(), 6 * m.nbody, &mjData::cvel);
  w.ShowToWorlds(w.d().qfrc_passive_data(), m.nv, &mjData::qfrc_passive);
  for (int lane = 0; lane < w.kWidth; ++lane) {
    mjData* world = w.World(lane);
    sinew::AddCompliantForces(&w.Model(lane), world);
    AddAdhesion(&w.Model(lane), world, /*rows_in_lanes=*/true);
    w.ReadFromWorld(lane, world->qfrc_passive, m.nv, w.d().qfrc_passive_data());
  }
}

// Anchors whose contacts have their rows in the worlds move there.
template <class S>
void MoveAnchorsOfWorlds(const PackWorlds<S>& w) {
  w.ShowToWorlds(w.d().qvel_data(), w.m().raw()->nv, &mjData::qvel);
  for (int lane = 0; lane < w.kWidth; ++lane) MoveAnchors(&w.Model(lane), w.World(lane));
}

// Follows AddForcesOfContacts of the same state.
template <class S>
void AddCompliantDerivative(const PackWorlds<S>& w, bool symmetric) {
  const mjModel& m = *w.m().raw();
  if (!TouchesCompliantly(w)) return;
  w.ShowToWorlds(w.d().qDeriv_data(), m.nD, &mjData::qDeriv);
  for (int lane = 0; lane < w.kWidth; ++lane) {
    mjData* world = w.World(lane);
    sinew::AddCompliantDerivative(&w.Model(lane), world, symmetric, world->qDeriv);
    w.ReadFromWorld(lane, world->qDeriv, m.nD, w.d().qDeriv_data());
  }
}

}  // namespace SINEW_ISA
}  // namespace sinew::inline batch

#endif  // SINEW_BATCH_PACK_PACK_FALLBACK_KERNEL_H_
