#include "compile/compile.h"

#include <algorithm>
#include <cmath>

#include "compile/bvh.h"
#include "compile/diagnose.h"
#include "compile/joint.h"
#include "compile/length_range.h"
#include "compile/musculotendon.h"
#include "compile/names.h"
#include "compile/passes.h"
#include "compile/recompile.h"
#include "compile/set_const.h"
#include "compile/signature.h"
#include "compile/sizes.h"
#include "compile/sleep_policy.h"
#include "compile/topology.h"
#include "model/data.h"
#include "model/extension.h"
#include "model/names.h"

namespace sinew {
namespace {

// ---- the draft

// Order matters: an element may refer to elements of the kinds before it.
void FillDraft(Draft& draft) {
  CheckNames(draft.spec);
  DraftPlugins(draft);
  DraftAssets(draft);

  // The tree.
  DraftTree(draft);
  AlignFreeBodies(draft);
  FuseStaticBodies(draft);
  CheckFreeJoints(draft);
  DiscardVisuals(draft);
  NumberTree(draft);

  // What refers to it.
  DraftFlexes(draft);
  DraftSkins(draft);
  DraftContacts(draft);
  DraftTendons(draft);
  DraftEqualities(draft);
  DraftActuators(draft);
  DraftSensors(draft);
  DraftCustom(draft);
  ConfigurePlugins(draft);
  CheckMovingMass(draft);
  SetTotalMass(draft);
}

// ---- the model

// Rows of a pattern, compressed.
void WritePattern(const SparsePattern& pattern, int* rownnz, int* rowadr, int* colind) {
  std::copy(pattern.rownnz.begin(), pattern.rownnz.end(), rownnz);
  std::copy(pattern.rowadr.begin(), pattern.rowadr.end(), rowadr);
  std::copy(pattern.colind.begin(), pattern.colind.end(), colind);
}

void WriteTopology(const Topology& t, mjModel* m) {
  for (int i = 0; i < m->ntree; ++i) {
    const Topology::TreeEntry& tree = t.trees[static_cast<size_t>(i)];
    m->tree_bodyadr[i] = tree.bodyadr;
    m->tree_bodynum[i] = tree.bodynum;
    m->tree_dofadr[i] = tree.dofadr;
    m->tree_dofnum[i] = tree.dofnum;
  }
  WritePattern(t.M, m->M_rownnz, m->M_rowadr, m->M_colind);
  WritePattern(t.D, m->D_rownnz, m->D_rowadr, m->D_colind);
  WritePattern(t.B, m->B_rownnz, m->B_rowadr, m->B_colind);
  WritePattern(t.tendon_jacobian, m->ten_J_rownnz, m->ten_J_rowadr, m->ten_J_colind);
  std::copy(t.D_diag.begin(), t.D_diag.end(), m->D_diag);
  std::copy(t.mapM2M.begin(), t.mapM2M.end(), m->mapM2M);
  std::copy(t.mapM2D.begin(), t.mapM2D.end(), m->mapM2D);
  std::copy(t.mapD2M.begin(), t.mapD2M.end(), m->mapD2M);
}

// All sizes are known before memory is allocated; then each pass fills its own arrays.
ModelPtr WriteModel(const Draft& draft) {
  const Topology topology = FindTopology(draft);
  const std::vector<BoxTree> body_trees = BuildBodyTrees(draft);
  const std::vector<NameGroup> names = CollectNames(draft);
  ModelPtr model(MakeModel(FindSizes(draft, topology, body_trees, names)));
  mjModel* m = model.get();
  m->opt = draft.spec.option;
  m->vis = draft.spec.visual;
  WriteTree(draft, topology, m);
  WriteTopology(topology, m);
  WriteTrees(body_trees, draft, m);
  WriteAssets(draft, m);
  WriteFlexes(draft, topology, m);
  WriteContacts(draft, m);
  WriteEqualities(draft, m);
  WriteTendons(draft, topology, m);
  WriteActuators(draft, m);
  WriteSensors(draft, m);
  WriteCustom(draft, m);
  WritePlugins(draft, m);
  WriteKeys(draft, m);
  WriteNames(draft, names, m);
  WritePaths(draft, m);
  BuildNamesMap(m);
  SetSleepPolicy(draft, m);
  return model;
}

// ---- what follows from the model's numbers

// Stiffness and damping of joints that give a time constant tau and a damping ratio zeta, for the mean inertia J that
// the joint feels:  k = J / (tau zeta)^2,  b = 2 J / tau
void SetSpringDampers(const Draft& draft, mjModel* m) {
  for (int j = 0; j < m->njnt; ++j) {
    const PartRef& ref = draft.joints[static_cast<size_t>(j)];
    const Joint& joint = *draft.bodies[static_cast<size_t>(ref.body)].joints[ref.index].source;
    const double tau = joint.springdamper[0], zeta = joint.springdamper[1];
    if (!(tau > 0 && zeta > 0)) continue;
    const int first = m->jnt_dofadr[j], last = j + 1 < m->njnt ? m->jnt_dofadr[j + 1] : static_cast<int>(m->nv);
    double weight = 0;
    for (int i = first; i < last; ++i) weight += m->dof_invweight0[i];
    const double inertia = (last - first) / std::max(mjMINVAL, weight);
    m->jnt_stiffness[j] = inertia / std::max(mjMINVAL, tau * tau * zeta * zeta);
    std::fill(m->dof_damping + first, m->dof_damping + last, 2 * inertia / std::max(mjMINVAL, tau));
  }
}

// Only for muscles unless the compiler settings ask for more.
void SetLengthRanges(const Draft& draft, mjModel* m, mjData* d) {
  for (int i = 0; i < m->nu; ++i) {
    const Actuator& source = *draft.actuators[static_cast<size_t>(i)].source;
    At(source, [&] { SetLengthRange(m, d, i, source.compiler().LRopt); });
  }
}

// Once lengths are known.
void CheckMusculotendons(const Draft& draft, const mjModel* m) {
  for (int i = 0; i < m->nu; ++i) {
    const Actuator& source = *draft.actuators[static_cast<size_t>(i)].source;
    if (IsMusculotendon(m, i)) At(source, [&] { CheckMusculotendonPath(source, m, i); });
  }
}

// Statistics that the user gives replace those that were computed.
void OverrideStatistics(const mjStatistic& given, mjModel* m) {
  const auto put = [](mjtNum value, mjtNum& to) {
    if (!std::isnan(value)) to = value;
  };
  put(given.meaninertia, m->stat.meaninertia);
  put(given.meanmass, m->stat.meanmass);
  put(given.meansize, m->stat.meansize);
  put(given.extent, m->stat.extent);
  if (!std::isnan(given.center[0])) std::copy_n(given.center, 3, m->stat.center);
}

// Order matters: springs need weights, length ranges need springs, and what the user gives comes last.
void DeriveConstants(const Draft& draft, mjModel* m) {
  // The arena serves the compiler too, and must not be smaller than what it needs.
  DataPtr data(MakeData(*m));
  SetConst(m, data.get());
  SetSpringDampers(draft, m);
  SetLengthRanges(draft, m, data.get());
  CheckMusculotendons(draft, m);
  OverrideStatistics(draft.spec.stat, m);
}

}  // namespace

ModelPtr Compile(Spec& spec, const mjVFS* vfs) {
  if (spec.attached_to) {
    throw Error("cannot compile model '" + *spec.modelname + "': it is attached to another one by reference",
                "compile that one, or attach copies: mjs_setDeepCopy");
  }
  Draft draft(spec, vfs);
  FillDraft(draft);
  ModelPtr model = WriteModel(draft);
  if (AskPlugins(*model, draft)) model = WriteModel(draft);
  DeriveConstants(draft, model.get());
  model->signature = spec.signature = Signature(spec);
  spec.computed_stat = model->stat;
  KeepStateLayout(*model, &spec);
  return model;
}

}  // namespace sinew
